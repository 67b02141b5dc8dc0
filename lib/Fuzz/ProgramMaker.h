//===- ProgramMaker.h - A program in the making -----------------*- C++ -*-===//
//
// Private to the Fuzz room, inside the generator. What is in scope at the
// place where the next op goes: index values with the range of each (so that
// subscripts stay in range), scalars, arrays. A program uses only some of the
// features; which ones is drawn first, so that rare pairs of them meet often.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_LIB_FUZZ_PROGRAMMAKER_H
#define NESTOR_LIB_FUZZ_PROGRAMMAKER_H

#include "Dice.h"
#include "nestor/Fuzz/Generator.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include <optional>

namespace mlir::nestor::fuzz {

/// What a program may use, and in how many of 100 programs it may.
enum class Feature : unsigned {
  Guards,
  IfResults,
  IterArgs,
  Parallel,
  ScfIf,
  ScfLoops,
  Calls,
  NonAffine,
  Indirect,
  Copy,
  Fill,
  AllocInLoop,
  Locals,
  Views,
  Layouts,
  Globals,
  Dynamic,
  Symbols,
  SemiAffine,
  ModDiv,
  MinMax,
  Huge,
  Apply,
  Deep,
  ManyArrays,
  ManyNests,
  Results,
  Traps,
  Blocks,
  Regions,
  Linalg,
  Vectors,
  Atomics,
  MemRefOps,
  Extended,
  Skips,
  LoadedSymbols,
  Count
};

/// Both ends are possible values.
struct Interval {
  int64_t lo = 0, hi = 0;
  int64_t width() const { return hi - lo; }
};

/// An index value that affine maps may use.
struct Index {
  Value value;
  Interval range;
};

/// A memref, and the extents that it has when the program runs.
struct Array {
  Value memref;
  SmallVector<int64_t> extents;
  bool isWritable = true;
  bool isView = false;
  MemRefType getType() const { return cast<MemRefType>(memref.getType()); }
  Type getElement() const { return getType().getElementType(); }
};

/// A cell that every iteration of an affine.parallel has for itself: the first
/// subscripts are its induction variables.
struct ParallelLoop {
  SmallVector<unsigned> dims;    ///< numbers in `dims`
  SmallVector<unsigned> targets; ///< numbers in `arrays` that may be written
};

class ProgramMaker {
public:
  ProgramMaker(MLIRContext &context, uint64_t seed);
  OwningOpRef<ModuleOp> make();

private:
  bool has(Feature feature) const { return features[unsigned(feature)]; }

  // Program.cpp: functions, arguments, tables.
  void chooseFeatures();
  Type drawElement();
  void drawTypes();
  SmallVector<int64_t> drawExtents(unsigned rank);
  void addArrayArgument();
  void addArguments();
  void createKernel();
  void createMain();
  void createTables();
  ArrayAttr tablesAttr();
  void addSymbols();
  void addLocals();
  void addGlobal();
  void addLoadedSymbol();
  void fillBody();
  void finishKernel();

  // Index.cpp: ranges, affine expressions, subscripts.
  std::optional<Interval> rangeOf(AffineExpr expr) const;
  AffineExpr constant(int64_t value) {
    return getAffineConstantExpr(value, context);
  }
  AffineExpr anyDim();
  AffineExpr anySymbol();
  AffineExpr drawExpr();
  AffineExpr drawSubscript(int64_t extent);
  SmallVector<AffineExpr> drawCell(unsigned array);
  /// A map over everything in scope, without what it does not use.
  AffineMap makeMap(ArrayRef<AffineExpr> exprs,
                    SmallVectorImpl<Value> &operands);
  Value applyAffine(AffineExpr expr);
  /// The same, of arith ops where they can say it.
  Value composeIndex(AffineExpr expr);
  Value constantIndex(int64_t value);
  /// Some index value in [0, extent), affine or not.
  Value drawIndexValue(int64_t extent);

  // Values.cpp
  TypedAttr drawConstant(Type type);
  Value constantOf(Type type);
  Value leaf(Type type);
  Value value(Type type, unsigned depth = 2);
  Value applyFloat(Type type, Value a, Value b);
  Value applyInteger(Type type, Value a, Value b);
  Value applyExtended(Type type, Value a, Value b);
  Value applyComplex(Value a, Value b);
  Value condition();
  Value fromIndex(Type type, Value index);
  Value load(unsigned array);
  Value loadVarying(unsigned array);
  Value loadCell(unsigned array, ArrayRef<AffineExpr> cell);
  void store(Value value, unsigned array);
  void storeCell(Value value, unsigned array, ArrayRef<AffineExpr> cell);
  Value combine(Type type, Value cell, Value other);
  unsigned drawArray(bool toWrite);
  bool isSeen(const Array &array);
  std::optional<unsigned> arrayOf(Type element);

  // Loops.cpp
  void nest();
  void nestOverAllArrays();
  void loop();
  void parallelNest();
  void guard();
  void ifWithResults();
  void block(unsigned minItems, unsigned maxItems);
  void item();
  void statement();
  void accumulate(size_t cellDims);
  void letTwice();
  struct Bounds {
    SmallVector<AffineExpr, 2> lower, upper;
    int64_t step = 1;
    Interval range; ///< of the induction variable
    int64_t trips;  ///< at most
  };
  Bounds drawBounds();
  Bounds drawOddBounds(int64_t most);
  IntegerSet
  drawCondition(SmallVectorImpl<Value> &operands,
                SmallVectorImpl<std::pair<unsigned, Interval>> &known);

  // Effects.cpp: what is no affine loop, access or pure op.
  void effect();
  bool drawEffect(Feature feature);
  void applyFarOut();
  void nonAffineStore();
  void nonAffineLoad();
  void indirect();
  void copyArray();
  void fillArray(unsigned array);
  void call();
  void allocInLoop();
  void scfIfStatement();
  void scfLoop();
  void scfMemRefLoop(unsigned first, unsigned second);
  void scfWhile();
  void scfIfAround();
  void scfLoopAround();
  unsigned allocate(Type element, ArrayRef<int64_t> extents, bool onStack);

  // Blocks.cpp
  void branchToBlocks();
  void loopOfBlocks();
  void regionOnce();

  // Structured.cpp
  void linalgGeneric();
  void linalgMatmul();
  void vectorStatement();
  void atomicUpdate();

  // Views.cpp
  void view();
  bool castView(const Array &source);
  bool subview(const Array &source);
  bool collapse(const Array &source);
  bool expand(const Array &source);
  bool reinterpret(const Array &source);
  bool reverseView(const Array &source);
  bool unrankedView(const Array &source);
  bool transposeView(const Array &source);
  bool bytesView();
  bool selectView(const Array &source);
  bool yieldedView(const Array &source);
  bool calledView(const Array &source);
  void addArray(Value memref, ArrayRef<int64_t> extents, bool isWritable = true,
                bool isView = true);
  std::optional<unsigned> sameTypeAs(const Array &source);

  /// Forgets what came into scope since it was made.
  class Scope {
  public:
    explicit Scope(ProgramMaker &maker);
    ~Scope();

  private:
    ProgramMaker &m;
    size_t dims, symbols, scalars, arrays, indices;
    int64_t work;
    unsigned depth;
  };

  MLIRContext *context;
  Dice dice;
  OpBuilder b;
  Location loc;
  bool features[unsigned(Feature::Count)] = {};
  OwningOpRef<ModuleOp> module;
  func::FuncOp kernel;
  SmallVector<Type> types; ///< of the program's elements

  /// An argument of the kernel: a memref, or a number.
  struct Argument {
    Type type;
    SmallVector<int64_t> extents, strides; ///< memrefs
    int64_t offset = 0;                    ///< elements in front, of a layout
    int64_t span = 0;                      ///< elements in memory
    int64_t number = 0;                    ///< its value
  };
  std::vector<Argument> arguments;
  SmallVector<SmallVector<int64_t>> tables;
  bool mayOverlap = true; ///< buffers may be given so that they overlap
  unsigned numHelpers = 0;

  // In scope.
  SmallVector<Index> dims, symbols;
  SmallVector<Index> indices; ///< no dims: of scf loops, of loads
  SmallVector<Value> scalars;
  std::vector<Array> arrays;
  std::optional<ParallelLoop> parallel;
  unsigned depth = 0, maxDepth = 3;
  int64_t work = 1;            ///< iterations of the loops around
  int64_t statementsLeft = 12; ///< of the nest
  Value returned;              ///< what the kernel returns, when it does
};

/// Bytes of an element in memory.
int64_t getBytes(Type element);

} // namespace mlir::nestor::fuzz

#endif // NESTOR_LIB_FUZZ_PROGRAMMAKER_H
