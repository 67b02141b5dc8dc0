//===- Sketch.h - A program before its shapes are known ---------*- C++ -*-===//
//
// Corpus room, inside the generator: patterns draw a sketch (loops, guards,
// statements over affine index expressions); `infer` derives shapes that hold
// every access; `emit` turns the sketch into MLIR.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_LIB_CORPUS_SKETCH_H
#define NESTOR_LIB_CORPUS_SKETCH_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include <vector>

namespace mlir::nestor::corpus {

/// A cell of an array. Index expressions: dims are the enclosing loops,
/// outermost first.
struct Cell {
  unsigned array = 0;
  SmallVector<AffineExpr> index;
};

enum class Operator { Add, Sub, Mul, Div, Max, Min, Sqrt, Abs };

struct Expr {
  enum class Kind { Load, Constant, Apply, Named, Guarded };
  Kind kind = Kind::Constant;
  Cell cell;                   ///< Load
  double value = 0;            ///< Constant
  Operator op = Operator::Add; ///< Apply
  unsigned name = 0;           ///< Named: the number of a Let node in scope
  AffineExpr condition; ///< Guarded: operands[0] if >= 0, else operands[1]
  std::vector<Expr> operands;
};

struct Node {
  enum class Kind { Loop, If, Store, Let, Copy };
  Kind kind = Kind::Store;
  SmallVector<AffineExpr> lower, upper; ///< Loop: max of lower, min of upper
  int64_t step = 1;
  bool iterArgs = false; ///< Loop: carry its reduction in iter_args
  SmallVector<AffineExpr> conditions; ///< If: all >= 0
  SmallVector<bool> isEquality;       ///< If: == 0 instead, one per condition
  SmallVector<Cell, 1> targets;       ///< Store: one value, one or more cells;
                                      ///< Copy: from targets[1] to targets[0]
  Expr value;                         ///< Store, Let
  unsigned name = 0;                  ///< Let
  std::vector<Node> body, orElse;
};

struct ArraySketch {
  SmallVector<int64_t> extents; ///< as the pattern meant it; for reuse
  SmallVector<int64_t> shape;   ///< inferred
  bool isLocal = false;         ///< rank 0, alloca in the function
  int castOf = -1;              ///< a memref.cast of that array
};

struct Sketch {
  explicit Sketch(MLIRContext *context) : context(context) {}
  MLIRContext *context;
  Type elementType;
  arith::FastMathFlags fastMath = arith::FastMathFlags::none;
  bool equalShapes = false; ///< arrays of one rank get one shape
  std::vector<ArraySketch> arrays;
  std::vector<Node> nests;
  unsigned numNames = 0;

  bool isInteger() const { return elementType.isInteger(); }
  unsigned addArray(ArrayRef<int64_t> extents) {
    arrays.push_back({llvm::to_vector(extents), {}, false, -1});
    return arrays.size() - 1;
  }
};

/// Shapes from accesses; accesses with a negative index are moved up.
void inferShapes(Sketch &sketch);
/// Scalar operations of one run; triangular loops count at their middle.
int64_t estimateWork(const Sketch &sketch);
/// Bytes of all arrays.
int64_t footprint(const Sketch &sketch);
/// A bound on every value after a thousand runs; infinite if there is none.
double magnitude(const Sketch &sketch);
/// Gives loops that are never reached single bounds: MLIR 22's canonicalizer
/// makes invalid IR of several there. False if no store of the program runs.
/// For tiny programs: walks every iteration.
bool simplifyUnreached(Sketch &sketch);
/// Calls `fn` on every cell below the nodes.
void forEachCell(std::vector<Node> &nodes, function_ref<void(Cell &)> fn);
OwningOpRef<ModuleOp> emit(const Sketch &sketch);

} // namespace mlir::nestor::corpus

#endif // NESTOR_LIB_CORPUS_SKETCH_H
