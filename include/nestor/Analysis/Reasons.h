//===- Reasons.h - Why a nest is left alone ---------------------*- C++ -*-===//
//
// Analysis room: every reason for which Nestor leaves a nest alone, in a user's
// words, with what would help. The passes show them in remarks; each has a
// section in docs/remarks.md under its code (a test holds the two together).
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_ANALYSIS_REASONS_H
#define NESTOR_ANALYSIS_REASONS_H

#include "mlir/IR/Operation.h"
#include <string>

namespace mlir::nestor {

struct Reason {
  const char *code; ///< names it in remarks and in docs/remarks.md
  const char *text; ///< lower case; "{0}" is the name of the op that causes it
  const char *help; ///< what would help
  /// The text for `op`.
  std::string describe(Operation *op) const;
  /// The text with what would help, the code, and the place of `op` if it is
  /// not `nest` itself. `detail` follows the text.
  std::string explain(Operation *op, Operation *nest,
                      StringRef detail = "") const;
};

namespace reasons {

// What a user asked for.
inline constexpr Reason kFunctionSkipped{
    "function-skipped", "the function is marked nestor.skip",
    "remove the attribute to have its nests scheduled"};
inline constexpr Reason kLoopSkipped{
    "loop-skipped", "the loop is marked nestor.skip",
    "remove the attribute to have the loop scheduled"};
inline constexpr Reason kScheduledInside{
    "scheduled-inside", "a loop in it has been scheduled already",
    "schedule the program as it was before"};

// Loops and conditions.
inline constexpr Reason kTooDeep{"too-deep", "the nest is deeper than 16 loops",
                                 "collapse some of its loops"};
inline constexpr Reason kBound{
    "bound", "a loop bound is semi-affine or larger than 2^31",
    "bounds must be affine: compute products of symbols before the loop"};
inline constexpr Reason kStep{"step", "the loop's step is larger than 2^31",
                              "use a smaller step"};
inline constexpr Reason kCondition{
    "condition", "the condition is semi-affine or has constants over 2^31",
    "conditions must be affine: compute products of symbols before the loop"};
inline constexpr Reason kSubscript{
    "subscript", "a subscript is semi-affine or has constants over 2^31",
    "subscripts must be affine: compute products of symbols before the loop"};
inline constexpr Reason kComputedInNest{
    "computed-in-nest",
    "a subscript or bound uses a value that is computed in the nest",
    "compute the value before the nest"};
inline constexpr Reason kLongExpression{
    "long-expression", "an expression of the nest is over 1000 operations long",
    "keep parts of it in a memref"};
inline constexpr Reason kDoesNothing{"does-nothing", "the loop does nothing",
                                     "nothing is lost"};

// Ops in the nest.
inline constexpr Reason kCall{
    "call", "'{0}' may read and write anything",
    "inline it (-inline), or move it out of the loop"};
inline constexpr Reason kAllocation{
    "allocation", "'{0}' makes or frees a buffer in the nest",
    "allocate the buffer once, before the nest"};
inline constexpr Reason kMadeInside{
    "made-inside", "a memref is made inside the nest",
    "make it before the nest, or access the memref behind it"};
inline constexpr Reason kMayNotEnd{
    "may-not-end", "'{0}' may run for ever",
    "use scf.for or affine.for, whose number of iterations is known"};
inline constexpr Reason kHoldsLoops{
    "holds-loops", "'{0}' is in the nest and has affine loops in it",
    "use affine.for, affine.if, or move it out of the loop"};
inline constexpr Reason kEffects{"effects",
                                 "'{0}' has effects that are not analysed",
                                 "move it out of the loop"};
inline constexpr Reason kNotInMemory{
    "not-in-memory",
    "a value that must be kept has a type that memory cannot hold",
    "use scalars, vectors or memrefs (bufferize tensors first)"};

// Memrefs.
inline constexpr Reason kElementType{
    "element-type", "the memref's elements are no numbers of a fixed size",
    "use integers, floats, index, complex numbers or fixed vectors of them"};
inline constexpr Reason kLayout{
    "layout",
    "the memref has a layout that may give two subscripts the same cell",
    "give it constant strides, or normalize it with -normalize-memrefs"};
inline constexpr Reason kViews{
    "views", "two memrefs of the nest are views of one buffer",
    "use one of them for all accesses"};
inline constexpr Reason kMayOverlap{
    "may-overlap", "two of its memrefs may overlap",
    "pass alias=check or alias=assume-distinct"};
inline constexpr Reason kMemorySpaces{
    "memory-spaces",
    "two of its memrefs may overlap and are in different memory spaces",
    "use memrefs of one space, or pass alias=assume-distinct"};
inline constexpr Reason kInParallel{
    "in-parallel",
    "values of the nest must be kept in memory, but it is inside an op that "
    "may run in parallel",
    "store the values in a memref instead"};

// Limits of the work.
inline constexpr Reason kComplexDependences{
    "complex-dependences", "its dependences are too complex to compute exactly",
    "split the nest, or simplify bounds and subscripts"};
inline constexpr Reason kComplexOrder{
    "complex-order", "its order as written cannot be analysed",
    "split the nest, or simplify bounds and conditions"};

// What the search found.
inline constexpr Reason kNotFaster{
    "not-faster", "none of its candidates is predicted to be faster",
    "try a larger budget, search=random, or another cost model"};
inline constexpr Reason kNotGenerated{
    "not-generated", "no candidate that is predicted faster can be generated",
    "try another search or budget"};

// Not left alone, but not taken apart either.
inline constexpr Reason kKeptWhole{
    "kept-whole", "'{0}' is moved and copied as a whole",
    "affine ops in its place can be scheduled one by one"};

} // namespace reasons
} // namespace mlir::nestor

#endif // NESTOR_ANALYSIS_REASONS_H
