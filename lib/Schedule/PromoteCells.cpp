//===- PromoteCells.cpp - Cells that a loop keeps in iter_args ------------===//
//
// Schedule room: what the mark `promote` does. A cell whose subscripts do not
// move with an innermost loop is loaded once before it, carried in iter_args
// and stored once after it. The order of operations on the cell stays the same,
// so results are bit-exact.
//
// A cell qualifies if every access in the body to its memref is the very same
// cell (or vector of cells) or provably a different one. The loop must run at
// least once for the accesses around it to be safe; where that is not known,
// they get a condition of their own.
//
//===----------------------------------------------------------------------===//
#include "Generate.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "mlir/Dialect/Affine/LoopUtils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::nestor;
using affine::AffineForOp;

namespace {
/// A load or store in the body: memref, subscripts, and cells in the last
/// dimension.
struct CellAccess {
  Operation *op;
  Value memref;
  AffineMap map;
  SmallVector<Value> operands;
  int64_t width = 1;
  bool isStore = false;
  bool isVector = false;
  Type type;
};

/// Accesses to one cell (or vector of cells), in body order.
struct Cell {
  SmallVector<CellAccess *> accesses;
  bool isStored() const {
    return llvm::any_of(accesses, [](CellAccess *a) { return a->isStore; });
  }
};

class CellPromoter {
public:
  explicit CellPromoter(AffineForOp loop) : loop(loop) {}
  AffineForOp run();

private:
  bool collect();
  bool isInvariant(const CellAccess &access);
  bool sameCell(const CellAccess &a, const CellAccess &b) const;
  bool disjoint(const CellAccess &a, const CellAccess &b);
  bool isInside(Value value) {
    return loop->isAncestor(value.getParentBlock()->getParentOp());
  }
  SmallVector<Cell> findCells();
  AffineForOp rewrite(ArrayRef<Cell> cells);
  AffineForOp guardLoop();

  AffineForOp loop;
  std::vector<CellAccess> accesses;
};
} // namespace

/// Null for other ops and for vectors of several dimensions, which ops that are
/// copied as a whole may access.
static std::optional<CellAccess> describe(Operation *op) {
  auto fill = [&](auto access, bool isStore,
                  Type type) -> std::optional<CellAccess> {
    CellAccess result;
    result.op = op;
    result.memref = access.getMemRef();
    result.map = access.getAffineMap();
    result.operands.assign(access.getMapOperands().begin(),
                           access.getMapOperands().end());
    result.isStore = isStore;
    result.type = type;
    result.isVector =
        isa<affine::AffineVectorLoadOp, affine::AffineVectorStoreOp>(op);
    if (result.isVector)
      result.width = cast<VectorType>(type).getNumElements();
    return result;
  };
  if (auto load = dyn_cast<affine::AffineLoadOp>(op))
    return fill(load, false, load.getType());
  if (auto load = dyn_cast<affine::AffineVectorLoadOp>(op))
    return load.getType().getRank() == 1 ? fill(load, false, load.getType())
                                         : std::nullopt;
  if (auto store = dyn_cast<affine::AffineStoreOp>(op))
    return fill(store, true, store.getValueToStore().getType());
  if (auto store = dyn_cast<affine::AffineVectorStoreOp>(op))
    return store.getVectorType().getRank() == 1
               ? fill(store, true, store.getVectorType())
               : std::nullopt;
  return std::nullopt;
}

/// False if the body is not straight-line code of accesses and pure ops.
bool CellPromoter::collect() {
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (op.getNumRegions())
      return false;
    if (auto access = describe(&op))
      accesses.push_back(std::move(*access));
    else if (!isMemoryEffectFree(&op))
      return false;
  }
  return true;
}

bool CellPromoter::isInvariant(const CellAccess &access) {
  return llvm::none_of(access.operands,
                       [&](Value operand) { return isInside(operand); });
}

bool CellPromoter::sameCell(const CellAccess &a, const CellAccess &b) const {
  return a.memref == b.memref && a.map == b.map && a.operands == b.operands &&
         a.type == b.type;
}

/// Both accesses' subscripts over one list of operands.
static void unify(const CellAccess &a, const CellAccess &b,
                  SmallVectorImpl<AffineExpr> &as,
                  SmallVectorImpl<AffineExpr> &bs, unsigned &numDims) {
  MLIRContext *ctx = a.map.getContext();
  SmallVector<Value> common;
  auto over = [&](const CellAccess &access,
                  SmallVectorImpl<AffineExpr> &exprs) {
    SmallVector<AffineExpr> dims, symbols;
    for (auto [i, operand] : llvm::enumerate(access.operands)) {
      unsigned number = llvm::find(common, operand) - common.begin();
      if (number == common.size())
        common.push_back(operand);
      (i < access.map.getNumDims() ? dims : symbols)
          .push_back(getAffineDimExpr(number, ctx));
    }
    for (AffineExpr expr : access.map.getResults())
      exprs.push_back(expr.replaceDimsAndSymbols(dims, symbols));
  };
  over(a, as);
  over(b, bs);
  numDims = common.size();
}

/// True if two different memrefs may be names of one array; those of different
/// arrays are known or checked to be apart.
static bool mayBeSameArray(Value a, Value b) {
  auto root = [](Value memref) {
    while (auto cast = memref.getDefiningOp<memref::CastOp>())
      memref = cast.getSource();
    return memref;
  };
  a = root(a), b = root(b);
  auto globalA = a.getDefiningOp<memref::GetGlobalOp>();
  auto globalB = b.getDefiningOp<memref::GetGlobalOp>();
  return a == b ||
         (globalA && globalB && globalA.getName() == globalB.getName());
}

/// True if two accesses can never touch a common cell in one execution of the
/// body or in different ones: some subscript differs by a constant that is
/// large enough, and neither moves with the loop there.
bool CellPromoter::disjoint(const CellAccess &a, const CellAccess &b) {
  if (a.memref != b.memref)
    return !mayBeSameArray(a.memref, b.memref);
  SmallVector<AffineExpr> as, bs;
  unsigned numDims = 0;
  unify(a, b, as, bs, numDims);
  auto movesWithLoop = [&](const CellAccess &access, unsigned dim) {
    AffineExpr expr = access.map.getResult(dim);
    for (auto [i, operand] : llvm::enumerate(access.operands)) {
      bool isDim = i < access.map.getNumDims();
      bool used = isDim ? expr.isFunctionOfDim(i)
                        : expr.isFunctionOfSymbol(i - access.map.getNumDims());
      if (used && isInside(operand))
        return true;
    }
    return false;
  };
  for (unsigned dim = 0; dim < as.size(); ++dim) {
    auto delta = dyn_cast<AffineConstantExpr>(
        simplifyAffineExpr(as[dim] - bs[dim], numDims, 0));
    if (!delta || movesWithLoop(a, dim) || movesWithLoop(b, dim))
      continue;
    bool last = dim + 1 == as.size();
    int64_t d = delta.getValue(); // a starts d cells after b
    if (last ? (d >= b.width || -d >= a.width) : d != 0)
      return true;
  }
  return false;
}

/// False where one value instead of several loads lets others change results.
/// bf16: LLVM keeps one that goes around a loop in a float and comes back with
/// an instruction (vcvtneps2bf16) that takes denormals for zero. Complex
/// numbers: MLIR folds (a - b) + b and (a + b) - b to a.
static bool keepsBits(Type type) {
  Type element = getElementTypeOrSelf(type);
  return !element.isBF16() && !isa<ComplexType>(element);
}

SmallVector<Cell> CellPromoter::findCells() {
  SmallVector<Cell> cells;
  for (CellAccess &access : accesses) {
    if (!isInvariant(access) || !keepsBits(access.type))
      continue;
    bool known = false;
    for (Cell &cell : cells)
      if (sameCell(*cell.accesses[0], access)) {
        cell.accesses.push_back(&access);
        known = true;
      }
    if (!known)
      cells.push_back({{&access}});
  }
  llvm::erase_if(cells, [&](Cell &cell) {
    CellAccess &first = *cell.accesses[0];
    return llvm::any_of(accesses, [&](CellAccess &other) {
      if (sameCell(first, other) || disjoint(first, other))
        return false;
      // Two reads of overlapping cells do no harm unless one is written.
      return cell.isStored() || other.isStore;
    });
  });
  return cells;
}

/// Puts a condition "at least one iteration" around the loop unless it is
/// known.
AffineForOp CellPromoter::guardLoop() {
  auto trips = affine::getConstantTripCount(loop);
  if (trips && *trips > 0)
    return loop;
  AffineMap lower = loop.getLowerBoundMap(), upper = loop.getUpperBoundMap();
  SmallVector<Value> operands(loop.getLowerBoundOperands());
  llvm::append_range(operands, loop.getUpperBoundOperands());
  // Over dims only: lower's operands, then upper's.
  MLIRContext *ctx = loop.getContext();
  auto flatten = [&](AffineMap map, unsigned first) {
    SmallVector<AffineExpr> dims, symbols;
    for (unsigned i = 0; i < map.getNumInputs(); ++i)
      (i < map.getNumDims() ? dims : symbols)
          .push_back(getAffineDimExpr(first + i, ctx));
    SmallVector<AffineExpr> exprs;
    for (AffineExpr expr : map.getResults())
      exprs.push_back(expr.replaceDimsAndSymbols(dims, symbols));
    return exprs;
  };
  SmallVector<AffineExpr> constraints;
  for (AffineExpr low : flatten(lower, 0))
    for (AffineExpr high : flatten(upper, lower.getNumInputs()))
      constraints.push_back(high - low - 1);
  SmallVector<bool> isEq(constraints.size(), false);
  IntegerSet set = IntegerSet::get(operands.size(), 0, constraints, isEq);
  affine::canonicalizeSetAndOperands(&set, &operands);
  OpBuilder builder(loop);
  auto guard = affine::AffineIfOp::create(builder, loop.getLoc(), set, operands,
                                          /*withElseRegion=*/false);
  loop->moveBefore(guard.getThenBlock()->getTerminator());
  return loop;
}

static Value loadCell(OpBuilder &builder, Location loc,
                      const CellAccess &access) {
  if (access.isVector)
    return affine::AffineVectorLoadOp::create(
        builder, loc, cast<VectorType>(access.type), access.memref, access.map,
        access.operands);
  return affine::AffineLoadOp::create(builder, loc, access.memref, access.map,
                                      access.operands);
}

static void storeCell(OpBuilder &builder, Location loc,
                      const CellAccess &access, Value value) {
  if (access.isVector)
    affine::AffineVectorStoreOp::create(builder, loc, value, access.memref,
                                        access.map, access.operands);
  else
    affine::AffineStoreOp::create(builder, loc, value, access.memref,
                                  access.map, access.operands);
}

AffineForOp CellPromoter::rewrite(ArrayRef<Cell> cells) {
  guardLoop();
  OpBuilder builder(loop);
  // Values of the cells in the body, as it runs; those that are only read are
  // simply loaded before.
  llvm::DenseMap<Operation *, const Cell *> cellOf;
  llvm::DenseMap<const Cell *, Value> current;
  SmallVector<const Cell *> carried;
  SmallVector<Value> inits;
  for (const Cell &cell : cells) {
    for (CellAccess *access : cell.accesses)
      cellOf[access->op] = &cell;
    Value value = loadCell(builder, loop.getLoc(), *cell.accesses[0]);
    current[&cell] = value;
    if (cell.isStored()) {
      carried.push_back(&cell);
      inits.push_back(value);
    }
  }
  IRRewriter rewriter(builder);
  auto replaced =
      carried.empty()
          ? loop
          : cast<AffineForOp>(*loop.replaceWithAdditionalYields(
                rewriter, inits, /*replaceInitOperandUsesInLoop=*/false,
                [](OpBuilder &, Location, ArrayRef<BlockArgument> args) {
                  return SmallVector<Value>(args.begin(), args.end());
                }));
  for (auto [i, cell] : llvm::enumerate(carried))
    current[cell] = replaced.getRegionIterArgs()[i];
  for (Operation &op : llvm::make_early_inc_range(*replaced.getBody())) {
    auto it = cellOf.find(&op);
    if (it == cellOf.end())
      continue;
    auto access = describe(&op);
    if (access->isStore)
      current[it->second] = op.getOperand(0);
    else
      op.getResult(0).replaceAllUsesWith(current[it->second]);
    op.erase();
  }
  Operation *yield = replaced.getBody()->getTerminator();
  builder.setInsertionPointAfter(replaced);
  for (auto [i, cell] : llvm::enumerate(carried)) {
    yield->setOperand(i, current[cell]);
    storeCell(builder, replaced.getLoc(), *cell->accesses[0],
              replaced.getResult(i));
  }
  return replaced;
}

AffineForOp CellPromoter::run() {
  if (loop.getNumResults() || !collect())
    return loop;
  SmallVector<Cell> cells = findCells();
  return cells.empty() ? loop : rewrite(cells);
}

AffineForOp nestor::promoteCells(AffineForOp loop) {
  return CellPromoter(loop).run();
}
