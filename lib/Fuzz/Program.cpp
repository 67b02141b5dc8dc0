//===- Program.cpp - Functions, arguments, tables -------------------------===//
//
// Fuzz room, inside the generator: what stands around the nests.
//
//===----------------------------------------------------------------------===//
#include "ProgramMaker.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace mlir::nestor;
using namespace mlir::nestor::fuzz;

/// In how many of 100 programs a feature may be used, by its number.
static constexpr unsigned kShare[] = {
    /*Guards*/ 45,      /*IfResults*/ 20,
    /*IterArgs*/ 30,    /*Parallel*/ 12,
    /*ScfIf*/ 20,       /*ScfLoops*/ 15,
    /*Calls*/ 15,       /*NonAffine*/ 15,
    /*Indirect*/ 10,    /*Copy*/ 12,
    /*Fill*/ 15,        /*AllocInLoop*/ 8,
    /*Locals*/ 30,      /*Views*/ 30,
    /*Layouts*/ 15,     /*Globals*/ 12,
    /*Dynamic*/ 35,     /*Symbols*/ 40,
    /*SemiAffine*/ 10,  /*ModDiv*/ 20,
    /*MinMax*/ 25,      /*Huge*/ 12,
    /*Apply*/ 20,       /*Deep*/ 10,
    /*ManyArrays*/ 4,   /*ManyNests*/ 1,
    /*Results*/ 20,     /*Traps*/ 15,
    /*Blocks*/ 8,       /*Regions*/ 14,
    /*Linalg*/ 16,      /*Vectors*/ 10,
    /*Atomics*/ 6,      /*MemRefOps*/ 15,
    /*Extended*/ 10,    /*Skips*/ 4,
    /*LoadedSymbols*/ 9};
static_assert(std::size(kShare) == unsigned(Feature::Count));

int64_t fuzz::getBytes(Type element) {
  if (auto vector = dyn_cast<VectorType>(element))
    return vector.getNumElements() * getBytes(vector.getElementType());
  if (auto number = dyn_cast<ComplexType>(element))
    return 2 * getBytes(number.getElementType());
  if (element.isIndex())
    return 8;
  return std::max(8u, element.getIntOrFloatBitWidth()) / 8;
}

ProgramMaker::ProgramMaker(MLIRContext &context, uint64_t seed)
    : context(&context), dice(seed), b(&context),
      loc(UnknownLoc::get(&context)) {}

void ProgramMaker::chooseFeatures() {
  for (unsigned i = 0; i < unsigned(Feature::Count); ++i)
    features[i] = dice.chance(kShare[i]);
}

Type ProgramMaker::drawElement() {
  Type f32 = b.getF32Type(), f64 = b.getF64Type(), i32 = b.getI32Type();
  Type list[] = {f32,
                 f64,
                 i32,
                 b.getI64Type(),
                 b.getIndexType(),
                 b.getI8Type(),
                 b.getI16Type(),
                 b.getI1Type(),
                 b.getF16Type(),
                 b.getBF16Type(),
                 ComplexType::get(f32),
                 ComplexType::get(f64),
                 VectorType::get({4}, f32),
                 VectorType::get({4}, i32)};
  return list[dice.weighted({30, 12, 14, 6, 8, 5, 3, 4, 4, 4, 4, 2, 3, 2})];
}

void ProgramMaker::drawTypes() {
  for (int64_t count = dice.weighted({5, 4, 2}) + 1; count > 0; --count)
    types.push_back(drawElement());
  if (has(Feature::Indirect) || has(Feature::LoadedSymbols))
    types.push_back(b.getIndexType());
}

SmallVector<int64_t> ProgramMaker::drawExtents(unsigned rank) {
  static constexpr int64_t most[] = {0, 16, 10, 6, 4};
  SmallVector<int64_t> extents;
  for (unsigned i = 0; i < rank; ++i)
    extents.push_back(
        dice.chance(5) ? 1 : dice.uniform(most[rank] / 2, most[rank]));
  return extents;
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

void ProgramMaker::addArrayArgument() {
  Argument argument;
  Type element = dice.pick(types);
  argument.extents = drawExtents(dice.weighted({10, 40, 35, 12, 3}));
  bool hasLayout =
      has(Feature::Layouts) && !argument.extents.empty() && dice.chance(50);
  size_t rank = argument.extents.size();
  argument.strides.resize(rank);
  SmallVector<unsigned> order = llvm::to_vector(llvm::seq<unsigned>(0, rank));
  if (hasLayout && dice.chance(50))
    std::reverse(order.begin(), order.end());
  int64_t stride = hasLayout && dice.chance(30) ? 2 : 1;
  for (unsigned dim : llvm::reverse(order)) {
    argument.strides[dim] = stride;
    stride *= argument.extents[dim] + (hasLayout ? dice.uniform(0, 1) : 0);
  }
  argument.offset = hasLayout && dice.chance(40) ? dice.uniform(1, 3) : 0;
  argument.span = stride + argument.offset;

  SmallVector<int64_t> shape = argument.extents, strides = argument.strides;
  int64_t offset = argument.offset;
  if (has(Feature::Dynamic)) {
    for (int64_t &extent : shape)
      if (dice.chance(50))
        extent = ShapedType::kDynamic;
    if (hasLayout && dice.chance(50)) {
      offset = ShapedType::kDynamic;
      llvm::fill(strides, ShapedType::kDynamic);
    }
  }
  argument.type =
      hasLayout
          ? MemRefType::get(shape, element,
                            StridedLayoutAttr::get(context, offset, strides))
          : MemRefType::get(shape, element);
  arguments.push_back(std::move(argument));
}

void ProgramMaker::addArguments() {
  int64_t count = has(Feature::ManyArrays) ? 20 : dice.uniform(1, 4);
  for (int64_t i = 0; i < count; ++i)
    addArrayArgument();
  if (has(Feature::Symbols))
    for (int64_t i = dice.uniform(1, 2); i > 0; --i) {
      Argument argument;
      argument.type = b.getIndexType();
      argument.number =
          dice.chance(80) ? dice.uniform(1, 8) : dice.uniform(-3, 0);
      arguments.push_back(argument);
    }
  if (dice.chance(25)) {
    Argument argument;
    argument.type = dice.pick(types);
    if (isa<IntegerType, FloatType>(argument.type)) {
      argument.number = dice.uniform(0, 9);
      arguments.push_back(argument);
    }
  }
}

void ProgramMaker::createKernel() {
  SmallVector<Type> inputs, results;
  for (const Argument &argument : arguments)
    inputs.push_back(argument.type);
  if (has(Feature::Results))
    results.push_back(dice.pick(types));
  kernel = func::FuncOp::create(loc, kKernelName,
                                b.getFunctionType(inputs, results));
  module->push_back(kernel);
  Block *entry = kernel.addEntryBlock();
  b.setInsertionPointToStart(entry);
  for (auto [argument, value] : llvm::zip(arguments, entry->getArguments())) {
    if (isa<MemRefType>(argument.type))
      addArray(value, argument.extents, /*isWritable=*/true,
               /*isView=*/false);
    else if (argument.type.isIndex())
      symbols.push_back({value, {argument.number, argument.number}});
    if (!isa<MemRefType>(argument.type))
      scalars.push_back(value);
  }
}

/// Extents that only a run knows.
void ProgramMaker::addSymbols() {
  for (const Array &array : llvm::ArrayRef(arrays))
    for (auto [dim, extent] : llvm::enumerate(array.extents))
      if (array.getType().isDynamicDim(dim) && dice.chance(40))
        symbols.push_back({memref::DimOp::create(b, loc, array.memref, dim),
                           {extent, extent}});
}

void ProgramMaker::addLocals() {
  if (has(Feature::Copy)) { // to copy from or to
    const Array &like = dice.pick(arrays);
    Type element = like.getElement();
    allocate(element, SmallVector<int64_t>(like.extents), dice.chance(50));
  }
  for (int64_t i = dice.uniform(1, 2); i > 0; --i)
    allocate(dice.pick(types), drawExtents(dice.uniform(0, 2)),
             dice.chance(50));
}

/// A global of the module, filled at once: it keeps its values between runs.
void ProgramMaker::addGlobal() {
  Type element = dice.pick(types);
  if (isa<VectorType, ComplexType>(element))
    return;
  SmallVector<int64_t> extents = drawExtents(dice.uniform(1, 2));
  auto type = MemRefType::get(extents, element);
  bool isConstant = dice.chance(30);
  Attribute initial = UnitAttr::get(context);
  if (isConstant)
    initial =
        DenseElementsAttr::get(RankedTensorType::get(extents, element),
                               ArrayRef<Attribute>(drawConstant(element)));
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module->getBody());
    memref::GlobalOp::create(b, loc, "global", b.getStringAttr("private"), type,
                             initial, isConstant, IntegerAttr());
  }
  for (int64_t uses = dice.uniform(1, 2); uses > 0; --uses) {
    auto get = memref::GetGlobalOp::create(b, loc, type, "global");
    // Two of one global are views of one buffer.
    addArray(get, extents, /*isWritable=*/!isConstant, /*isView=*/true);
  }
  if (!isConstant)
    fillArray(arrays.size() - 1);
}

/// A symbol that comes from memory; what is read there may have been written by
/// a nest before.
void ProgramMaker::addLoadedSymbol() {
  auto array = arrayOf(b.getIndexType());
  if (!array)
    return;
  int64_t most = dice.uniform(2, 7);
  Value loaded =
      arith::RemUIOp::create(b, loc, load(*array), constantIndex(most));
  symbols.push_back({loaded, {0, most - 1}});
}

//===----------------------------------------------------------------------===//
// The kernel's body
//===----------------------------------------------------------------------===//

void ProgramMaker::fillBody() {
  if (has(Feature::Symbols) || has(Feature::Dynamic))
    addSymbols();
  if (has(Feature::Globals))
    addGlobal();
  if (has(Feature::Locals) || has(Feature::Copy))
    addLocals();
  if (has(Feature::Views))
    for (int64_t i = dice.uniform(1, 3); i > 0; --i)
      view();
  int64_t nests =
      has(Feature::ManyNests) ? 100 : 1 + dice.weighted({60, 30, 8, 2});
  for (int64_t i = 0; i < nests; ++i) {
    nest();
    if (has(Feature::ScfIf) && dice.chance(15))
      scfIfAround();
    if (has(Feature::ScfLoops) && dice.chance(25))
      scfLoopAround();
    if (has(Feature::Blocks) && dice.chance(60))
      dice.chance(50) ? branchToBlocks() : loopOfBlocks();
    if (has(Feature::ManyArrays) && dice.chance(60))
      nestOverAllArrays();
    if (has(Feature::LoadedSymbols) && dice.chance(60))
      addLoadedSymbol();
    statementsLeft = 2;
    maxDepth = 2;
    if (dice.chance(20))
      statement();
    if (dice.chance(30))
      effect();
  }
}

void ProgramMaker::finishKernel() {
  SmallVector<Value> results;
  for (Type type : kernel.getResultTypes())
    results.push_back(value(type, 1));
  for (Operation &op : llvm::make_early_inc_range(kernel.getBody().front()))
    if (auto alloc = dyn_cast<memref::AllocOp>(op))
      if (llvm::none_of(alloc->getUsers(), llvm::IsaPred<memref::DeallocOp>))
        memref::DeallocOp::create(b, loc, alloc);
  func::ReturnOp::create(b, loc, results);
}

//===----------------------------------------------------------------------===//
// @main
//===----------------------------------------------------------------------===//

void ProgramMaker::createMain() {
  auto arenaType = MemRefType::get({kArenaBytes}, b.getI8Type());
  auto tableType = MemRefType::get({kTableSize}, b.getIndexType());
  auto main = func::FuncOp::create(
      loc, kMainName, b.getFunctionType({arenaType, tableType}, {}));
  module->push_back(main);
  Block *entry = main.addEntryBlock();
  b.setInsertionPointToStart(entry);
  Value arena = entry->getArgument(0), table = entry->getArgument(1);
  unsigned place = 0;
  auto next = [&]() -> Value {
    return memref::LoadOp::create(b, loc, table, constantIndex(place++));
  };
  SmallVector<Value> operands;
  for (const Argument &argument : arguments) {
    Value number = next();
    auto type = dyn_cast<MemRefType>(argument.type);
    if (!type) {
      operands.push_back(fromIndex(argument.type, number));
      continue;
    }
    Type element = type.getElementType();
    Value cells = memref::ViewOp::create(
        b, loc, MemRefType::get({argument.span}, element), arena, number,
        ValueRange());
    MemRefType full = MemRefType::get(argument.extents, element);
    if (!type.getLayout().isIdentity())
      full = MemRefType::get(
          argument.extents, element,
          StridedLayoutAttr::get(context, argument.offset, argument.strides));
    Value memref =
        memref::ReinterpretCastOp::create(b, loc, full, cells, argument.offset,
                                          argument.extents, argument.strides);
    if (type != full)
      memref = memref::CastOp::create(b, loc, type, memref);
    operands.push_back(memref);
  }
  auto call = func::CallOp::create(b, loc, kernel, operands);
  for (Value result : call.getResults()) {
    Value cell =
        memref::ViewOp::create(b, loc, MemRefType::get({1}, result.getType()),
                               arena, next(), ValueRange());
    memref::StoreOp::create(b, loc, result, cell, constantIndex(0));
  }
  func::ReturnOp::create(b, loc);
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

/// One table with all buffers apart and, where that is defined, some in which
/// a buffer begins inside another of its type.
void ProgramMaker::createTables() {
  int64_t count = mayOverlap ? 1 + dice.weighted({40, 40, 20}) : 1;
  for (int64_t variant = 0; variant < count; ++variant) {
    SmallVector<int64_t> table;
    int64_t cursor = 64;
    struct Placed {
      Type element;
      int64_t start, span;
    };
    SmallVector<Placed> placed;
    for (const Argument &argument : arguments) {
      auto type = dyn_cast<MemRefType>(argument.type);
      if (!type) {
        table.push_back(argument.number);
        continue;
      }
      Type element = type.getElementType();
      int64_t bytes = getBytes(element);
      auto into = llvm::find_if(
          placed, [&](const Placed &p) { return p.element == element; });
      if (variant > 0 && into != placed.end() && dice.chance(70)) {
        int64_t start =
            into->start +
            bytes * (dice.chance(30) ? 0 : dice.uniform(0, into->span - 1));
        table.push_back(start);
        // Room for all buffers of the group is left behind its first one.
        cursor = std::max(cursor, start + argument.span * bytes);
        cursor = llvm::alignTo(cursor, 64) + 64;
        continue;
      }
      table.push_back(cursor);
      // A later buffer of the type may reach beyond this one's end.
      int64_t room = argument.span;
      if (variant > 0)
        for (const Argument &other : arguments)
          if (auto otherType = dyn_cast<MemRefType>(other.type);
              otherType && otherType.getElementType() == element)
            room = std::max(room, argument.span + other.span);
      placed.push_back({element, cursor, argument.span});
      cursor = llvm::alignTo(cursor + room * bytes, 64) + 64;
    }
    for (size_t i = 0; i < kernel.getNumResults(); ++i, cursor += 64)
      table.push_back(cursor);
    if (cursor < kArenaBytes && table.size() <= size_t(kTableSize))
      tables.push_back(std::move(table));
  }
}

ArrayAttr ProgramMaker::tablesAttr() {
  SmallVector<Attribute> list;
  for (const SmallVector<int64_t> &table : tables)
    list.push_back(b.getDenseI64ArrayAttr(table));
  return b.getArrayAttr(list);
}

OwningOpRef<ModuleOp> ProgramMaker::make() {
  module = ModuleOp::create(loc);
  chooseFeatures();
  drawTypes();
  addArguments();
  createKernel();
  fillBody();
  finishKernel();
  createMain();
  createTables();
  module->lookupSymbol(kMainName)->setAttr(kTablesName, tablesAttr());
  return std::move(module);
}

OwningOpRef<ModuleOp> fuzz::generate(MLIRContext &context, uint64_t seed) {
  context.loadDialect<affine::AffineDialect, arith::ArithDialect,
                      cf::ControlFlowDialect, complex::ComplexDialect,
                      func::FuncDialect, linalg::LinalgDialect,
                      math::MathDialect, memref::MemRefDialect, scf::SCFDialect,
                      vector::VectorDialect>();
  auto module = ProgramMaker(context, seed).make();
  if (failed(verify(*module)))
    llvm::report_fatal_error("the fuzzer made an invalid program");
  return module;
}

void fuzz::registerGeneratorDialects(DialectRegistry &registry) {
  registry
      .insert<affine::AffineDialect, arith::ArithDialect,
              cf::ControlFlowDialect, complex::ComplexDialect,
              func::FuncDialect, linalg::LinalgDialect, math::MathDialect,
              memref::MemRefDialect, scf::SCFDialect, vector::VectorDialect>();
}
