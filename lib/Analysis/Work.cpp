//===- Work.cpp - Operations and compulsory traffic of a function ---------===//
//
// Analysis room, beside the flow. Operations are counted by running through the
// loops, where a loop that nothing inside depends on is run through once and
// multiplied. Bytes are counted in isl, as cells of the images of accesses.
//
//===----------------------------------------------------------------------===//
#include "nestor/Analysis/Work.h"

#include "nestor/Analysis/Polyhedral.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/CheckedArithmetic.h"

#include "isl/options.h"

#include <map>

using namespace mlir;
using namespace mlir::nestor;

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

namespace {
struct Operations {
  uint64_t f32 = 0, f64 = 0, integer = 0;
  /// Numbers that do not fit stay at the greatest.
  void add(const Operations &other, uint64_t times) {
    f32 = llvm::SaturatingMultiplyAdd(other.f32, times, f32);
    f64 = llvm::SaturatingMultiplyAdd(other.f64, times, f64);
    integer = llvm::SaturatingMultiplyAdd(other.integer, times, integer);
  }
};

/// What one execution of a block does besides its loops and branches, and these
/// and the affine.apply ops among them that bounds or conditions need.
struct Body {
  Operations plain;
  SmallVector<Operation *> others;
};

class OperationCounter {
public:
  explicit OperationCounter(std::string &reason) : reason(reason) {}
  FailureOr<Operations> count(func::FuncOp func);

private:
  /// Of one execution of `block`, the loops around it being at `values`.
  FailureOr<Operations> count(Block &block);
  FailureOr<Operations> countLoop(affine::AffineForOp loop);
  FailureOr<Operations> countIf(affine::AffineIfOp branch);
  void evaluateApply(affine::AffineApplyOp apply);
  FailureOr<Body *> bodyOf(Block &block);
  /// Whether a bound or condition inside `loop` depends on its counter.
  bool isUsedInside(affine::AffineForOp loop);
  void findNeededApplies(func::FuncOp func);
  /// `exprs` at `operands`, dims first; fails where one is not known.
  FailureOr<SmallVector<int64_t>>
  evaluate(ArrayRef<AffineExpr> exprs, unsigned numDims, ValueRange operands);
  std::optional<int64_t> evaluate(AffineExpr expr, ArrayRef<int64_t> dims,
                                  ArrayRef<int64_t> symbols);

  std::string &reason;
  /// Iterations, and nodes of expressions that are evaluated.
  uint64_t stepsLeft = 300'000'000;
  llvm::DenseMap<Value, int64_t> values; ///< of loop counters and applies
  llvm::DenseMap<Operation *, bool> used;
  llvm::DenseSet<Operation *> neededApplies;
  std::map<Block *, Body> bodies; ///< whose references stay
};
} // namespace

/// Dims and symbols have known values. Nothing where the result is not defined
/// or does not fit, or no steps are left.
std::optional<int64_t> OperationCounter::evaluate(AffineExpr expr,
                                                  ArrayRef<int64_t> dims,
                                                  ArrayRef<int64_t> symbols) {
  if (stepsLeft == 0)
    return std::nullopt;
  --stepsLeft;
  switch (expr.getKind()) {
  case AffineExprKind::Constant:
    return cast<AffineConstantExpr>(expr).getValue();
  case AffineExprKind::DimId:
    return dims[cast<AffineDimExpr>(expr).getPosition()];
  case AffineExprKind::SymbolId:
    return symbols[cast<AffineSymbolExpr>(expr).getPosition()];
  default:
    break;
  }
  auto binary = cast<AffineBinaryOpExpr>(expr);
  auto left = evaluate(binary.getLHS(), dims, symbols);
  auto right = evaluate(binary.getRHS(), dims, symbols);
  if (!left || !right)
    return std::nullopt;
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return llvm::checkedAdd(*left, *right);
  case AffineExprKind::Mul:
    return llvm::checkedMul(*left, *right);
  default:
    break;
  }
  if (*right <= 0)
    return std::nullopt;
  switch (expr.getKind()) {
  case AffineExprKind::Mod:
    return llvm::mod(*left, *right);
  case AffineExprKind::FloorDiv:
    return llvm::divideFloorSigned(*left, *right);
  default:
    return llvm::divideCeilSigned(*left, *right);
  }
}

static constexpr StringLiteral kTooMany =
    "the iterations are too many to count";

FailureOr<SmallVector<int64_t>>
OperationCounter::evaluate(ArrayRef<AffineExpr> exprs, unsigned numDims,
                           ValueRange operands) {
  SmallVector<int64_t> inputs, results;
  if (stepsLeft == 0) {
    reason = kTooMany;
    return failure();
  }
  for (Value operand : operands) {
    auto known = values.find(operand);
    APInt constant;
    if (known != values.end()) {
      inputs.push_back(known->second);
    } else if (matchPattern(operand, m_ConstantInt(&constant))) {
      inputs.push_back(constant.getSExtValue());
    } else {
      reason = "a loop bound or condition depends on a value that is not known";
      return failure();
    }
  }
  ArrayRef<int64_t> all(inputs);
  for (AffineExpr expr : exprs) {
    auto result =
        evaluate(expr, all.take_front(numDims), all.drop_front(numDims));
    if (!result) {
      reason =
          stepsLeft
              ? "a loop bound or condition is not defined or beyond 64 bits"
              : kTooMany.str();
      return failure();
    }
    results.push_back(*result);
  }
  return results;
}

/// Follows operands of loops and branches back through affine.apply, whose
/// chains a stranger may have made long.
void OperationCounter::findNeededApplies(func::FuncOp func) {
  SmallVector<Operation *> worklist;
  func.walk([&](Operation *op) {
    if (isa<affine::AffineForOp, affine::AffineIfOp>(op))
      worklist.push_back(op);
  });
  while (!worklist.empty())
    for (Value operand : worklist.pop_back_val()->getOperands())
      if (auto apply = operand.getDefiningOp<affine::AffineApplyOp>())
        if (neededApplies.insert(apply).second)
          worklist.push_back(apply);
}

bool OperationCounter::isUsedInside(affine::AffineForOp loop) {
  auto [known, isNew] = used.try_emplace(loop, false);
  if (!isNew)
    return known->second;
  llvm::DenseSet<Operation *> seen;
  SmallVector<Value> worklist{loop.getInductionVar()};
  while (!worklist.empty())
    for (Operation *user : worklist.pop_back_val().getUsers()) {
      if (isa<affine::AffineForOp, affine::AffineIfOp>(user))
        return used[loop] = true;
      if (neededApplies.contains(user) && seen.insert(user).second)
        worklist.push_back(user->getResult(0));
    }
  return false;
}

/// An operand that is not known is none of a loop that is run.
void OperationCounter::evaluateApply(affine::AffineApplyOp apply) {
  AffineMap map = apply.getAffineMap();
  auto results =
      evaluate(map.getResults(), map.getNumDims(), apply.getMapOperands());
  if (succeeded(results))
    values[apply.getResult()] = results->front();
  else
    values.erase(apply.getResult());
}

FailureOr<Operations> OperationCounter::countLoop(affine::AffineForOp loop) {
  AffineMap from = loop.getLowerBoundMap(), to = loop.getUpperBoundMap();
  auto lower = evaluate(from.getResults(), from.getNumDims(),
                        loop.getLowerBoundOperands());
  auto upper =
      evaluate(to.getResults(), to.getNumDims(), loop.getUpperBoundOperands());
  if (failed(lower) || failed(upper))
    return failure();
  int64_t begin = *llvm::max_element(*lower), end = *llvm::min_element(*upper);
  Operations all;
  if (begin >= end)
    return all;
  int64_t step = loop.getStepAsInt();
  if (step <= 0) {
    reason = "the step of a loop is not positive";
    return failure();
  }
  uint64_t trips = llvm::divideCeil(uint64_t(end) - uint64_t(begin), step);
  Value counter = loop.getInductionVar();
  bool each = isUsedInside(loop);
  for (uint64_t trip = 0; trip < (each ? trips : 1); ++trip) {
    if (stepsLeft == 0) {
      reason = kTooMany;
      return failure();
    }
    --stepsLeft;
    values[counter] = int64_t(uint64_t(begin) + trip * uint64_t(step));
    FailureOr<Operations> once = count(*loop.getBody());
    if (failed(once))
      return failure();
    all.add(*once, each ? 1 : trips);
  }
  values.erase(counter);
  return all;
}

FailureOr<Operations> OperationCounter::countIf(affine::AffineIfOp branch) {
  IntegerSet set = branch.getIntegerSet();
  auto results =
      evaluate(set.getConstraints(), set.getNumDims(), branch.getOperands());
  if (failed(results))
    return failure();
  bool holds = true;
  for (auto [index, result] : llvm::enumerate(*results))
    holds &= set.isEq(index) ? result == 0 : result >= 0;
  if (holds)
    return count(*branch.getThenBlock());
  return branch.hasElse() ? count(*branch.getElseBlock()) : Operations();
}

/// What `op` itself does, on every lane.
static Operations countOp(Operation &op) {
  Operations one;
  if (op.getNumResults() != 1 ||
      isa<arith::ConstantOp, arith::CmpFOp, arith::CmpIOp, arith::SelectOp>(
          op) ||
      isa<CastOpInterface>(op) ||
      !isa_and_nonnull<arith::ArithDialect, math::MathDialect>(op.getDialect()))
    return one;
  Type type = op.getResult(0).getType();
  int64_t lanes = 1;
  if (auto vector = dyn_cast<VectorType>(type))
    lanes = vector.getNumElements();
  int64_t count = lanes * (isa<math::FmaOp>(op) ? 2 : 1);
  Type element = getElementTypeOrSelf(type);
  if (element.isF64())
    one.f64 = count;
  else if (isa<FloatType>(element))
    one.f32 = count;
  else if (isa<IntegerType>(element) && !element.isInteger(1))
    one.integer = count;
  return one;
}

FailureOr<Body *> OperationCounter::bodyOf(Block &block) {
  auto [it, isNew] = bodies.try_emplace(&block);
  Body &body = it->second;
  if (!isNew)
    return &body;
  for (Operation &op : block) {
    bool isControl = isa<affine::AffineForOp, affine::AffineIfOp>(op);
    if (isControl || neededApplies.contains(&op)) {
      body.others.push_back(&op);
    } else if (op.getNumRegions()) {
      reason = "'" + op.getName().getStringRef().str() +
               "' is no affine loop or condition";
      return failure();
    } else {
      body.plain.add(countOp(op), 1);
    }
  }
  return &body;
}

FailureOr<Operations> OperationCounter::count(Block &block) {
  FailureOr<Body *> body = bodyOf(block);
  if (failed(body))
    return failure();
  Operations all = (*body)->plain;
  for (Operation *op : (*body)->others) {
    if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
      evaluateApply(apply);
      continue;
    }
    auto loop = dyn_cast<affine::AffineForOp>(op);
    FailureOr<Operations> one =
        loop ? countLoop(loop) : countIf(cast<affine::AffineIfOp>(op));
    if (failed(one))
      return failure();
    all.add(*one, 1);
  }
  return all;
}

FailureOr<Operations> OperationCounter::count(func::FuncOp func) {
  findNeededApplies(func);
  return count(func.getBody().front());
}

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

/// Slices that are looked at one by one in one set.
static constexpr int kMostSlices = 200'000;

/// The least and greatest value of a dimension; false if it is not bounded.
static bool getRange(const isl::set &set, unsigned dim,
                     std::pair<int64_t, int64_t> &range) {
  isl_val *low = isl_set_dim_min_val(set.copy(), int(dim));
  isl_val *high = isl_set_dim_max_val(set.copy(), int(dim));
  bool bounded = isl_val_is_int(low) == isl_bool_true &&
                 isl_val_is_int(high) == isl_bool_true;
  if (bounded)
    range = {isl_val_get_num_si(low), isl_val_get_num_si(high)};
  isl_val_free(low);
  isl_val_free(high);
  return bounded;
}

/// The number of points of `set`, which is bounded; -1 where that takes too
/// long. A box is multiplied out, anything else cut into slices.
static int64_t countPoints(isl::set set, int &slices) {
  if (set.is_empty().is_true())
    return 0;
  unsigned rank = unsigned(isl_set_dim(set.get(), isl_dim_set));
  int64_t volume = 1;
  std::pair<int64_t, int64_t> first, range;
  isl_set *box = isl_set_universe(isl_set_get_space(set.get()));
  for (unsigned dim = 0; dim < rank; ++dim) {
    if (!getRange(set, dim, range)) {
      isl_set_free(box);
      return -1;
    }
    first = dim == 0 ? range : first;
    int64_t width;
    if (llvm::SubOverflow(range.second, range.first, width) ||
        llvm::AddOverflow(width, int64_t(1), width) ||
        llvm::MulOverflow(volume, width, volume)) {
      isl_set_free(box);
      return -1;
    }
    isl_ctx *ctx = isl_set_get_ctx(set.get());
    box = isl_set_lower_bound_val(box, isl_dim_set, dim,
                                  isl_val_int_from_si(ctx, range.first));
    box = isl_set_upper_bound_val(box, isl_dim_set, dim,
                                  isl_val_int_from_si(ctx, range.second));
  }
  if (isl::manage(box).is_subset(set).is_true())
    return volume;
  int64_t points = 0;
  for (int64_t at = first.first; at <= first.second; ++at) {
    if (++slices > kMostSlices)
      return -1;
    isl_val *value = isl_val_int_from_si(isl_set_get_ctx(set.get()), at);
    isl_set *slice = isl_set_fix_val(set.copy(), isl_dim_set, 0, value);
    slice = isl_set_project_out(slice, isl_dim_set, 0, 1);
    int64_t inside = countPoints(isl::manage(slice), slices);
    if (inside < 0)
      return -1;
    points += inside;
  }
  return points;
}

namespace {
/// The cells of one memref that a function touches. Every scop has an isl
/// context of its own; sets go from one to the next as text.
struct Cells {
  std::string read, written, touched; ///< empty text: no cell
};

class TrafficCounter {
public:
  explicit TrafficCounter(Work &work) : work(work), context(isl_ctx_alloc()) {
    isl_options_set_on_error(context, ISL_ON_ERROR_CONTINUE);
  }
  ~TrafficCounter() { isl_ctx_free(context); }
  void addScop(const Scop &scop);
  void finish();

private:
  void addReads(const Polyhedral &poly, isl::union_map reads,
                isl::union_map writes, isl::union_map order);
  /// For every memref of the scop, the cells that `accesses` touches.
  void forEachImage(const Polyhedral &poly, isl::union_map accesses,
                    llvm::function_ref<void(Value, isl::set)> visit);
  int64_t countBytes(Value memref, const std::string &cells);
  void giveUp(std::string why) {
    if (work.inexact.empty())
      work.inexact = std::move(why);
  }

  Work &work;
  isl_ctx *context;
  llvm::MapVector<Value, Cells> cells;
};
} // namespace

/// `text` united with `set`, in the context of `set`.
static std::string unite(const std::string &text, isl::set set) {
  if (!text.empty())
    set = set.unite(isl::manage(
        isl_set_read_from_str(isl_set_get_ctx(set.get()), text.c_str())));
  char *result = isl_set_to_str(set.coalesce().get());
  std::string copy = result ? result : "";
  free(result);
  return copy;
}

void TrafficCounter::forEachImage(
    const Polyhedral &poly, isl::union_map accesses,
    llvm::function_ref<void(Value, isl::set)> visit) {
  isl::union_set range = accesses.range();
  isl_set_list *sets = isl_union_set_get_set_list(range.get());
  for (int at = 0, count = int(isl_set_list_n_set(sets)); at < count; ++at) {
    isl_set *set = isl_set_list_get_set(sets, at);
    unsigned array;
    StringRef name(isl_set_get_tuple_name(set));
    Value memref;
    if (name.consume_front("A") && !name.getAsInteger(10, array))
      memref = poly.scop.arrays[array].memref;
    // Slots are registers.
    if (memref)
      visit(memref, isl::manage(isl_set_reset_tuple_id(isl_set_copy(set))));
    isl_set_free(set);
  }
  isl_set_list_free(sets);
}

void TrafficCounter::addReads(const Polyhedral &poly, isl::union_map reads,
                              isl::union_map writes, isl::union_map order) {
  poly.resetBudget();
  isl::union_map written = Polyhedral::pairsInOrder(writes, reads, order);
  isl::union_map first = reads.subtract(written.range().unwrap());
  if (poly.exhausted() || first.is_null()) {
    giveUp("what is read before it is written took too long to find");
    first = reads;
  }
  poly.resetBudget();
  forEachImage(poly, first, [&](Value memref, isl::set set) {
    Cells &mine = cells[memref];
    if (!mine.written.empty())
      set = set.subtract(isl::manage(isl_set_read_from_str(
          isl_set_get_ctx(set.get()), mine.written.c_str())));
    mine.read = unite(mine.read, set);
  });
}

static bool hasExactAccesses(const Statement &stmt) {
  auto isExact = [](const Access &access) { return access.isExact(); };
  return stmt.write.isExact() && llvm::all_of(stmt.moreWrites, isExact) &&
         llvm::all_of(stmt.reads, isExact);
}

void TrafficCounter::addScop(const Scop &scop) {
  std::string reason;
  auto poly = Polyhedral::build(scop, /*reassociate=*/false, reason);
  if (failed(poly))
    return giveUp(reason);
  if (!llvm::all_of(scop.statements, hasExactAccesses))
    giveUp("some subscripts are not affine");
  isl::union_map reads, writes, order;
  (*poly)->getAccesses(reads, writes, order);
  addReads(**poly, reads, writes, order);
  forEachImage(**poly, reads, [&](Value memref, isl::set set) {
    cells[memref].touched = unite(cells[memref].touched, set);
  });
  forEachImage(**poly, writes, [&](Value memref, isl::set set) {
    cells[memref].touched = unite(cells[memref].touched, set);
    cells[memref].written = unite(cells[memref].written, set);
  });
  if ((*poly)->exhausted())
    giveUp("the cells of a scop took too long to find");
}

/// With more divisions than this a slice of a set is slow to look at, and the
/// operations for all slices of a set are limited.
static constexpr unsigned kFewDivisions = 4;
static constexpr unsigned long kFewOperations = 20'000;

static unsigned mostDivisions(const isl::set &set) {
  unsigned most = 0;
  isl_set_foreach_basic_set(
      set.get(),
      [](isl_basic_set *piece, void *user) {
        auto *most = static_cast<unsigned *>(user);
        *most =
            std::max(*most, unsigned(isl_basic_set_dim(piece, isl_dim_div)));
        isl_basic_set_free(piece);
        return isl_stat_ok;
      },
      &most);
  return most;
}

int64_t TrafficCounter::countBytes(Value memref, const std::string &text) {
  if (text.empty())
    return 0;
  auto type = cast<MemRefType>(memref.getType());
  int64_t bytes = llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  isl::set set = isl::manage(isl_set_read_from_str(context, text.c_str()));
  isl_ctx_reset_operations(context);
  isl_ctx_set_max_operations(
      context, mostDivisions(set) > kFewDivisions ? kFewOperations : 0);
  int slices = 0;
  int64_t points = countPoints(set, slices);
  if (isl_ctx_last_error(context) != isl_error_none)
    points = -1;
  isl_ctx_reset_error(context);
  if (points < 0) {
    giveUp("the cells of an argument took too long to count");
    points = type.hasStaticShape() ? type.getNumElements() : 0;
  }
  return points * bytes;
}

void TrafficCounter::finish() {
  for (auto &[memref, mine] : cells) {
    auto type = cast<MemRefType>(memref.getType());
    if (!type.getElementType().isIntOrFloat())
      continue;
    work.footprintBytes += countBytes(memref, mine.touched);
    if (!isa<BlockArgument>(memref))
      continue;
    work.readBytes += countBytes(memref, mine.read);
    work.writtenBytes += countBytes(memref, mine.written);
  }
}

FailureOr<Work> mlir::nestor::countWork(func::FuncOp func,
                                        std::string &reason) {
  if (func.isExternal() || !llvm::hasSingleElement(func.getBody())) {
    reason = "the function has not one block";
    return failure();
  }
  FailureOr<Operations> operations = OperationCounter(reason).count(func);
  if (failed(operations))
    return failure();
  Work work;
  auto fit = [](uint64_t count) {
    return int64_t(std::min<uint64_t>(count, INT64_MAX));
  };
  work.f32Operations = fit(operations->f32);
  work.f64Operations = fit(operations->f64);
  work.integerOperations = fit(operations->integer);
  LoopTree tree = buildLoopTree(func);
  TrafficCounter traffic(work);
  for (auto &scop : tree.scops)
    traffic.addScop(*scop);
  for (const LeftAlone &left : tree.leftAlone)
    if (work.inexact.empty())
      work.inexact = left.reason->describe(left.op);
  traffic.finish();
  return work;
}
