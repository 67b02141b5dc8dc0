//===- Maker.h - What the generator's patterns draw with --------*- C++ -*-===//
//
// Corpus room, inside the generator. A `Nest` is a space of logical loops; a
// pattern opens them in any order, and triangular constraints become bounds of
// whichever loop comes second. A `Maker` picks sizes and arrays, so that nests
// of one program share arrays (producer and consumer) and nothing overflows.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_LIB_CORPUS_MAKER_H
#define NESTOR_LIB_CORPUS_MAKER_H

#include "Rng.h"
#include "Sketch.h"
#include "nestor/Corpus/Generator.h"

namespace mlir::nestor::corpus {

using Body = std::vector<Node>;
using Dims = SmallVector<unsigned>;

//===----------------------------------------------------------------------===//
// Expressions and statements
//===----------------------------------------------------------------------===//

Expr load(Cell cell);
Expr number(double value);
Expr apply(Operator op, Expr a, Expr b);
Expr unary(Operator op, Expr a);
/// x / (y * y + 1): finite whatever y is.
Expr safeDivide(Expr x, Expr y);
Expr scaled(double factor, Expr x);
Node store(Cell target, Expr value);
/// target = target op value
Node update(Cell target, Operator op, Expr value);
void append(Body &body, Body more);
/// A power of two of at most 1 / n.
double inverse(int64_t n);

//===----------------------------------------------------------------------===//
// Nests
//===----------------------------------------------------------------------===//

/// A space of logical loops, numbered in the order in which they are added.
class Nest {
public:
  explicit Nest(MLIRContext *context, ArrayRef<int64_t> sizes = {});

  unsigned addDim(int64_t lower, int64_t upper);
  /// small <= big, or small < big.
  void order(unsigned small, unsigned big, bool strict);
  /// |dim - around| <= width, inside the bounds of dim.
  void band(unsigned dim, unsigned around, int64_t width);
  /// Opens loops in this order around what `body` gives.
  Body loops(ArrayRef<unsigned> order, function_ref<Body()> body);
  /// The variable of an open loop.
  AffineExpr operator[](unsigned dim) const;
  AffineExpr constant(int64_t value) const;
  int64_t size(unsigned dim) const { return upper[dim]; }

private:
  struct Order {
    unsigned small, big;
    bool strict;
  };
  struct Band {
    unsigned dim, around;
    int64_t width;
  };
  bool isOpen(unsigned dim) const { return llvm::is_contained(opened, dim); }
  Node makeLoop(unsigned dim) const;

  MLIRContext *context;
  SmallVector<int64_t> lower, upper;
  SmallVector<Order> orders;
  SmallVector<Band> bands;
  Dims opened;
};

/// An array and the logical loop that walks each of its dimensions.
struct Tensor {
  unsigned array = 0;
  Dims dims;
};

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

class Maker {
public:
  Maker(Sketch &sketch, Rng &rng, const GeneratorOptions &options);

  Sketch &sketch;
  Rng &rng;
  const GeneratorOptions &options;
  int64_t nestWork = 0;    ///< scalar operations that the next nest aims at
  int64_t maxElements = 0; ///< of one array

  MLIRContext *context() const { return sketch.context; }
  bool isFuzz() const {
    return options.profile == GeneratorOptions::Profile::Fuzz;
  }
  /// Sizes of `count` loops of a nest with `ops` operations a point whose
  /// largest array has `rank` dimensions. Often those of an existing array.
  SmallVector<int64_t> sizes(unsigned count, unsigned rank, int64_t ops);
  /// A small size: time steps, filter widths.
  int64_t smallSize(int64_t lo, int64_t hi);

  /// An array to read over these loops, existing or new.
  Tensor read(const Nest &nest, ArrayRef<unsigned> dims);
  /// An array to write that depends on `reads`. Never one that they depend on,
  /// so that repeated runs cannot feed growth back.
  Tensor write(const Nest &nest, ArrayRef<unsigned> dims,
               ArrayRef<Tensor> reads);
  Tensor fresh(const Nest &nest, ArrayRef<unsigned> dims);
  Cell cell(const Nest &nest, const Tensor &tensor) const;
  /// The cell moved by `offset` along each of the tensor's loops.
  Cell cell(const Nest &nest, const Tensor &tensor,
            ArrayRef<int64_t> offsetOfDim) const;
  /// A local or argument scalar; a one-cell array where scalars are off.
  Tensor scalar();

  /// A random expression over the operands, each used once.
  Expr combine(std::vector<Expr> operands);
  /// The loops in the given order, or in any.
  Dims maybeShuffled(Dims dims, unsigned percent);
  /// out = init; out = out op value, with `init` fused at a random depth.
  void accumulate(Nest &nest, const Tensor &out, Dims kept, Dims reduced,
                  Operator op, function_ref<Expr()> value);
  void add(Body body) { append(sketch.nests, std::move(body)); }
  /// Remembers which arrays the nests from `first` on write and read.
  void noteDependences(size_t first);

private:
  int64_t styled(int64_t size);
  bool matches(const ArraySketch &array, const Nest &nest,
               ArrayRef<unsigned> dims, Dims &assigned);
  bool dependsOn(unsigned array, unsigned source) const;
  bool isWorthWriting(unsigned array) const;
  void noteDependences(const Body &nodes);

  SmallVector<std::pair<unsigned, unsigned>> dependences; ///< written, read
};

//===----------------------------------------------------------------------===//
// Patterns (each adds one or a few nests)
//===----------------------------------------------------------------------===//

void makeElementwise(Maker &m);
void makeMovement(Maker &m); ///< copies, transposes, broadcasts
void makeStencil(Maker &m);
void makeCoupledStencil(Maker &m);
void makeReduction(Maker &m);
void makeContraction(Maker &m);
void makeConvolution(Maker &m);
void makeTriangularProduct(Maker &m);
void makeSolver(Maker &m);
void makeBanded(Maker &m);
void makeMatrixVector(Maker &m);
void makeNormalization(Maker &m);
void makeRecurrence(Maker &m);
void makeMinPlus(Maker &m);
/// Fuzz only: loops, bounds, guards and accesses without a plan.
void makeWild(Maker &m);

/// Changes a finished sketch a little: steps, shifted bounds, guards, strided
/// and reversed accesses, iter_args.
void perturb(Sketch &sketch, Rng &rng, const GeneratorOptions &options);

} // namespace mlir::nestor::corpus

#endif // NESTOR_LIB_CORPUS_MAKER_H
