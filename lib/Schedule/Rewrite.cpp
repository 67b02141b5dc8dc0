//===- Rewrite.cpp - From a chosen schedule to IR -------------------------===//
//
// Schedule room. Puts the generated code in the place of the scop: memory for
// the slots, the run-time alias check with the original as fallback, and the
// values that are used after the scop.
//
//===----------------------------------------------------------------------===//
#include "nestor/Schedule/Rewrite.h"
#include "nestor/Analysis/Reasons.h"

#include "Generate.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "nestor/Schedule/Serialize.h"

using namespace mlir;
using namespace mlir::nestor;

namespace {
class ScopRewriter {
public:
  ScopRewriter(Scop &scop, const Candidate &candidate)
      : scop(scop), candidate(candidate), builder(scop.first) {}
  LogicalResult run(AliasMode alias, bool keep, std::string &reason);

private:
  LogicalResult generate(scf::IfOp &branch, std::string &reason);
  void takeBack(scf::IfOp branch);
  void allocateSlots();
  Value checkCondition(ArrayRef<MayAlias> pairs);
  Value disjointCondition(ArrayRef<MayAlias> pairs);
  Value fitCondition();
  std::pair<Value, Value> addressRange(Value memref);
  std::pair<Value, Value> stridedRange(Value memref, Value bytes);
  SmallVector<Operation *> originalOps();
  void moveOriginal(Block *block, Operation *before);
  /// Puts `name` on the outermost loops of `block`.
  void markLoops(Block *block, StringRef name);
  void replaceLiveOuts(Operation *after);
  void eraseOriginal();

  Scop &scop;
  const Candidate &candidate;
  OpBuilder builder;
  SmallVector<Value> slots;            ///< by array number
  SmallVector<ParamLimit> limits;      ///< see generateCode
  SmallVector<Operation *> newAllocas; ///< to take back on failure
};
} // namespace

/// Slots live in the entry block of the function, so that no loop grows the
/// stack.
void ScopRewriter::allocateSlots() {
  auto func = scop.block->getParentOp()->getParentOfType<func::FuncOp>();
  if (!func)
    func = cast<func::FuncOp>(scop.block->getParentOp());
  Operation *before = &func.front().front();
  OpBuilder top(before);
  slots.resize(scop.arrays.size());
  for (auto [i, array] : llvm::enumerate(scop.arrays)) {
    if (!array.isSlot())
      continue;
    auto type = MemRefType::get({}, array.elementType);
    slots[i] = memref::AllocaOp::create(top, scop.first->getLoc(), type);
    newAllocas.push_back(slots[i].getDefiningOp());
  }
}

/// First byte and the byte after the last of a memref with strides: those of
/// its lowest and highest cell. A memref without cells has no bytes.
std::pair<Value, Value> ScopRewriter::stridedRange(Value memref, Value bytes) {
  Location loc = scop.first->getLoc();
  auto data = memref::ExtractStridedMetadataOp::create(builder, loc, memref);
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  auto cells = [&](Value count) -> Value {
    return arith::MulIOp::create(builder, loc, count, bytes);
  };
  Value zero = constant(0), one = constant(1);
  Value low = zero, high = one,
        isEmpty = arith::ConstantIntOp::create(builder, loc, /*value=*/0,
                                               /*width=*/1);
  for (auto [size, stride] : llvm::zip(data.getSizes(), data.getStrides())) {
    using arith::CmpIPredicate;
    Value none =
        arith::CmpIOp::create(builder, loc, CmpIPredicate::sle, size, zero);
    isEmpty = arith::OrIOp::create(builder, loc, isEmpty, none);
    Value reach = arith::MulIOp::create(
        builder, loc, arith::SubIOp::create(builder, loc, size, one), stride);
    Value down = arith::MinSIOp::create(builder, loc, reach, zero);
    Value up = arith::MaxSIOp::create(builder, loc, reach, zero);
    low = arith::AddIOp::create(builder, loc, low, down);
    high = arith::AddIOp::create(builder, loc, high, up);
  }
  Value start =
      memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, memref);
  start = arith::AddIOp::create(builder, loc, start, cells(data.getOffset()));
  Value first = arith::AddIOp::create(builder, loc, start, cells(low));
  Value end = arith::AddIOp::create(builder, loc, start, cells(high));
  end = arith::SelectOp::create(builder, loc, isEmpty, first, end);
  return {first, end};
}

/// Bytes from one cell to the next, at least. LLVM spaces wide integers by 16,
/// whatever MLIR's data layout says.
static uint64_t cellBytes(Type type, const DataLayout &layout) {
  uint64_t bytes =
      llvm::alignTo(layout.getTypeSize(type), layout.getTypeABIAlignment(type));
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.getWidth() > 64 ? llvm::alignTo(bytes, 16) : bytes;
  if (auto complex = dyn_cast<ComplexType>(type))
    return std::max(bytes, 2 * cellBytes(complex.getElementType(), layout));
  if (auto vector = dyn_cast<VectorType>(type))
    if (vector.getElementType().isInteger() &&
        vector.getElementTypeBitWidth() > 64)
      return std::max(bytes, llvm::PowerOf2Ceil(
                                 vector.getNumElements() *
                                 cellBytes(vector.getElementType(), layout)));
  return bytes;
}

/// First byte and the byte after the last of a memref.
std::pair<Value, Value> ScopRewriter::addressRange(Value memref) {
  Location loc = scop.first->getLoc();
  auto type = cast<MemRefType>(memref.getType());
  DataLayout layout = DataLayout::closest(scop.first);
  uint64_t bytes = cellBytes(type.getElementType(), layout);
  if (!type.getLayout().isIdentity())
    return stridedRange(memref,
                        arith::ConstantIndexOp::create(builder, loc, bytes));
  Value start =
      memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, memref);
  Value size = arith::ConstantIndexOp::create(builder, loc, bytes);
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    Value extent;
    if (type.isDynamicDim(dim))
      extent = memref::DimOp::create(builder, loc, memref, dim);
    else
      extent =
          arith::ConstantIndexOp::create(builder, loc, type.getDimSize(dim));
    size = arith::MulIOp::create(builder, loc, size, extent);
  }
  return {start, arith::AddIOp::create(builder, loc, start, size)};
}

Value ScopRewriter::disjointCondition(ArrayRef<MayAlias> pairs) {
  Location loc = scop.first->getLoc();
  llvm::DenseMap<unsigned, std::pair<Value, Value>> ranges;
  auto range = [&](unsigned array) {
    auto [it, isNew] = ranges.try_emplace(array);
    if (isNew)
      it->second = addressRange(scop.arrays[array].memref);
    return ranges[array];
  };
  Value all;
  for (MayAlias pair : pairs) {
    auto a = range(pair.a), b = range(pair.b);
    using arith::CmpIPredicate;
    Value before = arith::CmpIOp::create(builder, loc, CmpIPredicate::ule,
                                         a.second, b.first);
    Value after = arith::CmpIOp::create(builder, loc, CmpIPredicate::ule,
                                        b.second, a.first);
    Value apart = arith::OrIOp::create(builder, loc, before, after);
    all = all ? arith::AndIOp::create(builder, loc, all, apart) : apart;
  }
  return all;
}

/// True for values that are at most `most` in magnitude, whatever runs.
static bool isWithin(Value value, int64_t most) {
  auto fits = [&](int64_t number) { return -most <= number && number <= most; };
  if (std::optional<int64_t> number = getConstantIntValue(value))
    return fits(*number);
  if (affine::AffineForOp loop = affine::getForInductionVarOwner(value))
    return loop.hasConstantBounds() && fits(loop.getConstantLowerBound()) &&
           fits(loop.getConstantUpperBound());
  Operation *op = value.getDefiningOp();
  if (isa_and_present<arith::IndexCastOp, arith::IndexCastUIOp>(op)) {
    unsigned bits = op->getOperand(0).getType().getIntOrFloatBitWidth();
    return bits <= 32 && fits(int64_t(1) << bits);
  }
  // A memref's cells fit the memory, unless another extent may be zero or cells
  // may share their place.
  auto dim = dyn_cast_or_null<memref::DimOp>(op);
  auto type = dim ? dyn_cast<MemRefType>(dim.getSource().getType()) : nullptr;
  return most == kMaxSmall && type && type.getLayout().isIdentity() &&
         type.getNumDynamicDims() <= 1 &&
         !llvm::is_contained(type.getShape(), 0);
}

/// The parameters are within their limits; null if they always are.
Value ScopRewriter::fitCondition() {
  Location loc = scop.first->getLoc();
  Value all;
  for (ParamLimit limit : limits) {
    Value value = scop.params[limit.param];
    // -most <= value <= most, in one comparison of unsigned numbers.
    Value most = arith::ConstantIndexOp::create(builder, loc, limit.most);
    Value twice = arith::ConstantIndexOp::create(builder, loc, 2 * limit.most);
    Value moved = arith::AddIOp::create(builder, loc, value, most);
    Value fits = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ule,
                                       moved, twice);
    all = all ? arith::AndIOp::create(builder, loc, all, fits) : fits;
  }
  return all;
}

Value ScopRewriter::checkCondition(ArrayRef<MayAlias> pairs) {
  Value disjoint = disjointCondition(pairs), fit = fitCondition();
  if (disjoint && fit)
    return arith::AndIOp::create(builder, scop.first->getLoc(), disjoint, fit);
  return disjoint ? disjoint : fit;
}

/// The ops of the scop that are replaced; hoisted ones stay.
SmallVector<Operation *> ScopRewriter::originalOps() {
  SmallVector<Operation *> ops;
  for (Operation *op = scop.first;; op = op->getNextNode()) {
    if (!llvm::is_contained(scop.hoisted, op))
      ops.push_back(op);
    if (op == scop.last)
      return ops;
  }
}

void ScopRewriter::markLoops(Block *block, StringRef name) {
  for (Operation &op : block->without_terminator())
    op.walk<WalkOrder::PreOrder>([&](affine::AffineForOp loop) {
      loop->setAttr(name, builder.getUnitAttr());
      return WalkResult::skip();
    });
}

/// Values of the scop that are used after it come from their slots.
void ScopRewriter::replaceLiveOuts(Operation *after) {
  builder.setInsertionPointAfter(after);
  SmallVector<Operation *> inside = originalOps();
  for (auto [value, slot] : scop.liveOuts) {
    Value loaded = affine::AffineLoadOp::create(builder, value.getLoc(),
                                                slots[slot], ValueRange());
    value.replaceUsesWithIf(loaded, [&](OpOperand &use) {
      return llvm::none_of(inside, [&](Operation *op) {
        return op->isAncestor(use.getOwner());
      });
    });
  }
}

/// Emits the code of the tree into the first branch of a new scf.if in front of
/// the scop, whose condition is a constant; failure leaves no trace.
LogicalResult ScopRewriter::generate(scf::IfOp &branch, std::string &reason) {
  allocateSlots();
  builder.setInsertionPoint(scop.first);
  Location loc = scop.first->getLoc();
  Value always = arith::ConstantIntOp::create(builder, loc, 1, 1);
  branch = scf::IfOp::create(builder, loc, always, /*withElseRegion=*/true);
  builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  if (succeeded(generateCode(*candidate.tree, *candidate.legality, builder,
                             slots, limits, reason))) {
    llvm::erase_if(limits, [&](ParamLimit limit) {
      return isWithin(scop.params[limit.param], limit.most);
    });
    return success();
  }
  takeBack(branch);
  return failure();
}

void ScopRewriter::takeBack(scf::IfOp branch) {
  Operation *always = branch.getCondition().getDefiningOp();
  branch.erase();
  always->erase();
  for (Operation *op : newAllocas)
    op->erase();
}

/// The pairs of memrefs that may overlap for all that is known and promised.
static SmallVector<MayAlias> openPairs(const Scop &scop, AliasMode alias) {
  SmallVector<MayAlias> pairs(scop.mayAlias);
  if (alias == AliasMode::AssumeDistinct)
    llvm::erase_if(pairs, [](MayAlias pair) { return pair.canAssume; });
  return pairs;
}

const Reason *nestor::aliasObstacle(const Scop &scop, AliasMode alias) {
  SmallVector<MayAlias> pairs = openPairs(scop, alias);
  if (alias == AliasMode::Conservative && !pairs.empty())
    return &reasons::kMayOverlap;
  // Addresses of one memory in two spaces may have nothing in common.
  auto spaceOf = [&](unsigned array) {
    return cast<MemRefType>(scop.arrays[array].memref.getType())
        .getMemorySpace();
  };
  bool anyApart = llvm::any_of(
      pairs, [&](MayAlias pair) { return spaceOf(pair.a) != spaceOf(pair.b); });
  return anyApart ? &reasons::kMemorySpaces : nullptr;
}

/// Without `keep`, only finds out whether the code can be generated.
LogicalResult ScopRewriter::run(AliasMode alias, bool keep,
                                std::string &reason) {
  if (const Reason *obstacle = aliasObstacle(scop, alias)) {
    reason = obstacle->text + std::string(" (") + obstacle->help + ")";
    return failure();
  }
  SmallVector<MayAlias> pairs = openPairs(scop, alias);
  // The last look, at the tree itself: no step's promise counts here.
  scf::IfOp branch;
  if (failed(checkLegal(candidate, reason)) || failed(generate(branch, reason)))
    return failure();
  bool check = !pairs.empty() || !limits.empty();
  if (!keep) {
    takeBack(branch);
    return success();
  }
  Value always = branch.getCondition();
  Block *scheduled = branch.thenBlock();
  for (Operation *op : scop.hoisted)
    op->moveBefore(always.getDefiningOp());
  markLoops(scheduled, kScheduledAttrName);
  replaceLiveOuts(scop.last);
  if (check) {
    builder.setInsertionPoint(branch);
    branch.getConditionMutable().assign(checkCondition(pairs));
    Block *fallback = branch.elseBlock();
    for (Operation *op : originalOps())
      op->moveBefore(fallback->getTerminator());
    markLoops(fallback, kFallbackAttrName);
    builder.setInsertionPoint(fallback->getTerminator());
    for (auto [value, slot] : scop.liveOuts)
      affine::AffineStoreOp::create(builder, value.getLoc(), value, slots[slot],
                                    ValueRange());
  } else {
    scheduled->getTerminator()->erase();
    scop.block->getOperations().splice(branch->getIterator(),
                                       scheduled->getOperations());
    SmallVector<Operation *> originals = originalOps();
    for (Operation *op : llvm::reverse(originals))
      op->erase();
    branch.erase();
  }
  always.getDefiningOp()->erase();
  return success();
}

LogicalResult nestor::rewriteScop(Scop &scop, const Candidate &candidate,
                                  AliasMode alias, std::string &reason) {
  return ScopRewriter(scop, candidate).run(alias, /*keep=*/true, reason);
}

bool nestor::canRewriteScop(Scop &scop, const Candidate &candidate,
                            AliasMode alias, std::string &reason) {
  return succeeded(
      ScopRewriter(scop, candidate).run(alias, /*keep=*/false, reason));
}
