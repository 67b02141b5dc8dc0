//===- Constructs.cpp - What a program and a schedule are made of ---------===//
//
// Fuzz room; see Constructs.h.
//
//===----------------------------------------------------------------------===//
#include "nestor/Fuzz/Constructs.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::nestor;
using namespace mlir::nestor::fuzz;
using affine::AffineForOp;
using affine::AffineIfOp;
using affine::AffineParallelOp;

//===----------------------------------------------------------------------===//
// Affine expressions of an op
//===----------------------------------------------------------------------===//

static void forEachExpr(Operation *op, function_ref<void(AffineExpr)> fn) {
  auto visit = [&](ArrayRef<AffineExpr> exprs) {
    for (AffineExpr expr : exprs)
      expr.walk(fn);
  };
  for (NamedAttribute attr : op->getAttrs()) {
    if (auto map = dyn_cast<AffineMapAttr>(attr.getValue()))
      visit(map.getValue().getResults());
    if (auto set = dyn_cast<IntegerSetAttr>(attr.getValue()))
      visit(set.getValue().getConstraints());
  }
}

static bool hasExpr(Operation *op, function_ref<bool(AffineExpr)> holds) {
  if (!isa_and_nonnull<affine::AffineDialect>(op->getDialect()))
    return false;
  bool found = false;
  forEachExpr(op, [&](AffineExpr expr) { found |= holds(expr); });
  return found;
}

template <AffineExprKind kind> static bool hasKind(Operation *op) {
  return hasExpr(op, [](AffineExpr expr) { return expr.getKind() == kind; });
}

static bool isSemiAffine(AffineExpr expr) { return !expr.isPureAffine(); }

template <int64_t from, int64_t to> static bool hasNumber(Operation *op) {
  return hasExpr(op, [](AffineExpr expr) {
    auto number = dyn_cast<AffineConstantExpr>(expr);
    return number && number.getValue() >= from && number.getValue() <= to;
  });
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

static unsigned loopsAround(Operation *op) {
  unsigned count = 0;
  for (; op; op = op->getParentOp())
    count += isa<AffineForOp>(op);
  return count;
}

static std::optional<uint64_t> tripsOf(Operation *op) {
  auto loop = dyn_cast<AffineForOp>(op);
  return loop ? affine::getConstantTripCount(loop) : std::nullopt;
}

static bool boundsUseLoops(Operation *op) {
  auto loop = dyn_cast<AffineForOp>(op);
  return loop && llvm::any_of(loop.getControlOperands(), [](Value operand) {
           return affine::isAffineForInductionVar(operand);
         });
}

static bool boundsUseOthers(Operation *op) {
  auto loop = dyn_cast<AffineForOp>(op);
  return loop && llvm::any_of(loop.getControlOperands(), [](Value operand) {
           return !affine::isAffineForInductionVar(operand);
         });
}

static bool nestedIterArgs(Operation *op) {
  auto loop = dyn_cast<AffineForOp>(op);
  auto around = loop ? loop->getParentOfType<AffineForOp>() : AffineForOp();
  return around && loop.getNumResults() && around.getNumResults();
}

//===----------------------------------------------------------------------===//
// Memrefs
//===----------------------------------------------------------------------===//

/// Holds for the type of some memref that the op uses.
static bool anyMemRef(Operation *op, function_ref<bool(MemRefType)> holds) {
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    auto type = dyn_cast<MemRefType>(operand.getType());
    return type && holds(type);
  });
}

static bool isVectorAccess(Operation *op) {
  return isa<affine::AffineVectorLoadOp, affine::AffineVectorStoreOp,
             vector::LoadOp>(op);
}

static bool isAccess(Operation *op) {
  return isa<affine::AffineLoadOp, affine::AffineStoreOp, memref::LoadOp,
             memref::StoreOp, memref::AtomicRMWOp>(op) ||
         isVectorAccess(op);
}

static bool accessesElement(Operation *op, function_ref<bool(Type)> holds) {
  return isAccess(op) && anyMemRef(op, [&](MemRefType type) {
           return holds(type.getElementType());
         });
}

template <typename T> static bool accessesKind(Operation *op) {
  return accessesElement(op, [](Type type) { return isa<T>(type); });
}

template <unsigned width> static bool accessesWidth(Operation *op) {
  return accessesElement(op, [](Type type) { return type.isInteger(width); });
}

/// The op accesses a memref that an `Op` made.
template <typename... Ops> static bool accessesThrough(Operation *op) {
  return isAccess(op) && llvm::any_of(op->getOperands(), [](Value operand) {
           return isa<MemRefType>(operand.getType()) &&
                  isa_and_nonnull<Ops...>(operand.getDefiningOp());
         });
}

static bool accessesBlockArgument(Operation *op) {
  return isAccess(op) && llvm::any_of(op->getOperands(), [](Value operand) {
           auto argument = dyn_cast<BlockArgument>(operand);
           return isa<MemRefType>(operand.getType()) && argument &&
                  !(argument.getOwner()->isEntryBlock() &&
                    isa<func::FuncOp>(argument.getOwner()->getParentOp()));
         });
}

/// The strides of an access's memref, where it has a layout.
static bool hasLayout(Operation *op,
                      function_ref<bool(ArrayRef<int64_t>, int64_t)> holds) {
  return isAccess(op) && anyMemRef(op, [&](MemRefType type) {
           SmallVector<int64_t> strides;
           int64_t offset;
           return !type.getLayout().isIdentity() &&
                  succeeded(type.getStridesAndOffset(strides, offset)) &&
                  holds(strides, offset);
         });
}

static bool isDynamic(int64_t number) { return ShapedType::isDynamic(number); }

static bool hasTransposedLayout(Operation *op) {
  return hasLayout(op, [](ArrayRef<int64_t> strides, int64_t) {
    return !llvm::is_sorted(strides, std::greater<>()) &&
           llvm::none_of(strides, isDynamic);
  });
}

static bool isLoadIndex(Value value) {
  while (Operation *def = value.getDefiningOp()) {
    if (isAccess(def))
      return true;
    if (def->getNumOperands() == 0)
      return false;
    value = def->getOperand(0);
  }
  return false;
}

static bool isIndirect(Operation *op) {
  auto indirect = [](ValueRange indices) {
    return llvm::any_of(indices, isLoadIndex);
  };
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return indirect(load.getIndices());
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return indirect(store.getIndices());
  return false;
}

static bool boundsUseMemory(Operation *op) {
  auto loop = dyn_cast<AffineForOp>(op);
  return loop && llvm::any_of(loop.getControlOperands(), isLoadIndex);
}

static bool accessesThroughUnranked(Operation *op) {
  return isAccess(op) && llvm::any_of(op->getOperands(), [](Value operand) {
           auto cast = operand.getDefiningOp<memref::CastOp>();
           return cast && isa<UnrankedMemRefType>(cast.getSource().getType());
         });
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

template <typename... Ops> static bool is(Operation *op) {
  return isa<Ops...>(op);
}

namespace {
struct Construct {
  llvm::StringLiteral name;
  bool (*holds)(Operation *);
};
} // namespace

#define HOLDS(condition) [](Operation *op) -> bool { return condition; }

static constexpr int64_t kBillion = 1'000'000'000;
static constexpr int64_t kNearly = (int64_t(1) << 31) - 1000;

static const Construct kConstructs[] = {
    {"affine.for", is<AffineForOp>},
    {"affine.if", is<AffineIfOp>},
    {"affine.if with else",
     HOLDS(isa<AffineIfOp>(op) && cast<AffineIfOp>(op).hasElse())},
    {"affine.if in affine.if",
     HOLDS(isa<AffineIfOp>(op) && op->getParentOfType<AffineIfOp>())},
    {"affine.if with results",
     HOLDS(isa<AffineIfOp>(op) && op->getNumResults())},
    {"iter_args", HOLDS(isa<AffineForOp>(op) && op->getNumResults())},
    {"several iter_args",
     HOLDS(isa<AffineForOp>(op) && op->getNumResults() > 1)},
    {"iter_args in iter_args", nestedIterArgs},
    {"affine.parallel", is<AffineParallelOp>},
    {"affine.parallel with reductions",
     HOLDS(isa<AffineParallelOp>(op) && op->getNumResults())},
    {"scf.if with results", HOLDS(isa<scf::IfOp>(op) && op->getNumResults())},
    {"scf.if without results",
     HOLDS(isa<scf::IfOp>(op) && !op->getNumResults())},
    {"scf.for", is<scf::ForOp>},
    {"scf.while", is<scf::WhileOp>},
    {"call", is<func::CallOp>},
    {"memref.load", is<memref::LoadOp>},
    {"memref.store", is<memref::StoreOp>},
    {"indirect access", isIndirect},
    {"memref.copy", is<memref::CopyOp>},
    {"linalg.fill", is<linalg::FillOp>},
    {"allocation", is<memref::AllocOp, memref::AllocaOp>},
    {"allocation in a loop",
     HOLDS((isa<memref::AllocOp, memref::AllocaOp>(op) && loopsAround(op)))},
    {"memref.dealloc", is<memref::DeallocOp>},
    {"access through memref.cast", accessesThrough<memref::CastOp>},
    {"access through memref.subview", accessesThrough<memref::SubViewOp>},
    {"access through memref.reinterpret_cast",
     accessesThrough<memref::ReinterpretCastOp>},
    {"access through memref.collapse_shape",
     accessesThrough<memref::CollapseShapeOp>},
    {"access through memref.expand_shape",
     accessesThrough<memref::ExpandShapeOp>},
    {"access through memref.transpose", accessesThrough<memref::TransposeOp>},
    {"access through memref.view", accessesThrough<memref::ViewOp>},
    {"access through arith.select", accessesThrough<arith::SelectOp>},
    {"access through memref.get_global", accessesThrough<memref::GetGlobalOp>},
    {"access to an allocated buffer",
     (accessesThrough<memref::AllocOp, memref::AllocaOp>)},
    {"access through scf.if or scf.for",
     (accessesThrough<scf::IfOp, scf::ForOp>)},
    {"access through a call", accessesThrough<func::CallOp>},
    {"access through a block argument", accessesBlockArgument},
    {"transposed layout", hasTransposedLayout},
    {"strided layout", HOLDS(hasLayout(op,
                                       [](auto strides, int64_t) {
                                         return !strides.empty() &&
                                                strides.back() > 1;
                                       }))},
    {"layout with an offset",
     HOLDS(hasLayout(op, [](auto, int64_t offset) { return offset > 0; }))},
    {"dynamic layout", HOLDS(hasLayout(op,
                                       [](auto strides, int64_t offset) {
                                         return isDynamic(offset) ||
                                                llvm::any_of(strides,
                                                             isDynamic);
                                       }))},
    {"layout that is not injective",
     HOLDS(hasLayout(op,
                     [](auto strides, int64_t) {
                       return llvm::is_contained(strides, 0);
                     }))},
    {"dynamic shape",
     HOLDS(isAccess(op) &&
           anyMemRef(op,
                     [](MemRefType type) { return !type.hasStaticShape(); }))},
    {"rank 0",
     HOLDS(isAccess(op) &&
           anyMemRef(op, [](MemRefType type) { return type.getRank() == 0; }))},
    {"rank 3 or more",
     HOLDS(isAccess(op) &&
           anyMemRef(op, [](MemRefType type) { return type.getRank() > 2; }))},
    {"memref of vectors", accessesKind<VectorType>},
    {"complex", accessesKind<ComplexType>},
    {"f16", accessesKind<Float16Type>},
    {"bf16", accessesKind<BFloat16Type>},
    {"f32", accessesKind<Float32Type>},
    {"f64", accessesKind<Float64Type>},
    {"index", accessesKind<IndexType>},
    {"i1", accessesWidth<1>},
    {"i8", accessesWidth<8>},
    {"i16", accessesWidth<16>},
    {"i32", accessesWidth<32>},
    {"i64", accessesWidth<64>},
    {"symbol in a bound", boundsUseOthers},
    {"semi-affine expression", HOLDS(hasExpr(op, isSemiAffine))},
    {"mod", hasKind<AffineExprKind::Mod>},
    {"floordiv", hasKind<AffineExprKind::FloorDiv>},
    {"ceildiv", hasKind<AffineExprKind::CeilDiv>},
    {"bound with max or min",
     HOLDS(isa<AffineForOp>(op) &&
           (cast<AffineForOp>(op).getLowerBoundMap().getNumResults() > 1 ||
            cast<AffineForOp>(op).getUpperBoundMap().getNumResults() > 1))},
    {"bound with outer loops", boundsUseLoops},
    {"negative constant", (hasNumber<-kBillion, -1>)},
    {"constant beyond 2^31", (hasNumber<(int64_t(1) << 31) + 1, INT64_MAX>)},
    {"constant near 2^63", (hasNumber<INT64_MAX - 1000, INT64_MAX>)},
    {"constant below -2^31", (hasNumber<INT64_MIN, -(int64_t(1) << 31) - 1>)},
    {"empty loop", HOLDS(tripsOf(op) == uint64_t(0))},
    {"loop of one iteration", HOLDS(tripsOf(op) == uint64_t(1))},
    {"step above 1",
     HOLDS(isa<AffineForOp>(op) && cast<AffineForOp>(op).getStepAsInt() > 1)},
    {"depth 4 to 7", HOLDS(isa<AffineForOp>(op) && loopsAround(op) >= 4 &&
                           loopsAround(op) < 8)},
    {"depth 8", HOLDS(isa<AffineForOp>(op) && loopsAround(op) >= 8)},
    {"affine.apply", is<affine::AffineApplyOp>},
    {"linalg op other than linalg.fill",
     is<linalg::GenericOp, linalg::MatmulOp>},
    {"access to a vector of cells", isVectorAccess},
    {"memref.atomic_rmw", is<memref::AtomicRMWOp>},
    {"scf.execute_region", is<scf::ExecuteRegionOp>},
    {"scf.index_switch", is<scf::IndexSwitchOp>},
    {"memref.alloca_scope", is<memref::AllocaScopeOp>},
    {"op with several results",
     is<arith::MulSIExtendedOp, arith::AddUIExtendedOp>},
    {"nestor.skip", HOLDS(op->hasAttr("nestor.skip"))},
    {"symbol that memory holds", boundsUseMemory},
    {"access through an unranked memref", accessesThroughUnranked},
    {"layout with a negative stride",
     HOLDS(hasLayout(op,
                     [](auto strides, int64_t) {
                       return llvm::any_of(strides, [](int64_t stride) {
                         return stride < 0 && !isDynamic(stride);
                       });
                     }))},
    {"constant close to 2^31 or -2^31",
     HOLDS((hasNumber<kNearly, int64_t(1) << 31>(op) ||
            hasNumber<-(int64_t(1) << 31), -kNearly>(op)))},
    {"division", is<arith::DivUIOp, arith::DivSIOp, arith::RemUIOp>},
};
static_assert(std::size(kConstructs) + 4 <= kMaxConstructs);

// Of a whole program or scop, behind those of single ops.
enum Whole : unsigned {
  TwentyArrays = std::size(kConstructs),
  HundredNests,
  MayOverlap,
  SeveralBlocks
};

ArrayRef<llvm::StringLiteral> fuzz::getConstructNames() {
  static const std::vector<llvm::StringLiteral> names = [] {
    std::vector<llvm::StringLiteral> list;
    for (const Construct &construct : kConstructs)
      list.push_back(construct.name);
    list.push_back("twenty arrays");
    list.push_back("a hundred nests");
    list.push_back("memrefs that may overlap");
    list.push_back("function of several blocks");
    return list;
  }();
  return names;
}

static void addConstructs(Operation *root, Constructs &found,
                          llvm::DenseSet<Value> &memrefs) {
  root->walk([&](Operation *op) {
    for (auto [bit, construct] : llvm::enumerate(kConstructs))
      if (!found[bit] && construct.holds(op))
        found.set(bit);
    if (isAccess(op))
      for (Value operand : op->getOperands())
        if (isa<MemRefType>(operand.getType()))
          memrefs.insert(operand);
  });
  found[TwentyArrays] = memrefs.size() >= 20;
}

Constructs fuzz::findConstructs(Operation *op) {
  Constructs found;
  llvm::DenseSet<Value> memrefs;
  addConstructs(op, found, memrefs);
  unsigned nests = 0;
  op->walk([&](AffineForOp loop) { nests += loopsAround(loop) == 1; });
  found[HundredNests] = nests >= 100;
  found[SeveralBlocks] = op->getNumRegions() && !op->getRegion(0).empty() &&
                         !llvm::hasSingleElement(op->getRegion(0));
  return found;
}

Constructs fuzz::findConstructs(const Scop &scop) {
  Constructs found;
  llvm::DenseSet<Value> memrefs;
  for (Operation *op = scop.first;; op = op->getNextNode()) {
    addConstructs(op, found, memrefs);
    if (op == scop.last)
      break;
  }
  found[MayOverlap] = !scop.mayAlias.empty();
  return found;
}

//===----------------------------------------------------------------------===//
// Schedules
//===----------------------------------------------------------------------===//

static constexpr llvm::StringLiteral kTraits[] = {
    "source",       "distributed",
    "isl-min-fuse", "isl-max-fuse",
    "interchange",  "reverse",
    "tile",         "unroll",
    "unroll_jam",   "vectorize",
    "promote",      "autoschedule",
    "alias=check",  "alias=assume-distinct"};
static_assert(std::size(kTraits) <= kMaxTraits);

ArrayRef<llvm::StringLiteral> fuzz::getTraitNames() { return kTraits; }

unsigned fuzz::getTrait(StringRef name) {
  auto it = llvm::find(kTraits, name);
  assert(it != std::end(kTraits) && "no such trait");
  return it - kTraits;
}

Traits fuzz::findTraits(const Candidate &candidate) {
  Traits traits;
  traits.set(getTrait(candidate.skeleton));
  for (Attribute step : candidate.steps)
    traits.set(
        llvm::TypeSwitch<Attribute, unsigned>(step)
            .Case([](InterchangeStepAttr) { return getTrait("interchange"); })
            .Case([](ReverseStepAttr) { return getTrait("reverse"); })
            .Case([](TileStepAttr) { return getTrait("tile"); })
            .Case([](UnrollStepAttr) { return getTrait("unroll"); })
            .Case([](UnrollJamStepAttr) { return getTrait("unroll_jam"); })
            .Case([](VectorizeStepAttr) { return getTrait("vectorize"); })
            .Case([](PromoteStepAttr) { return getTrait("promote"); }));
  return traits;
}
