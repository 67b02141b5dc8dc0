//===- Buffers.cpp - Which memrefs may share memory -----------------------===//
//
// Analysis room. What the IR says about two memrefs: the same cells, never a
// common one, or a question for a check at run time.
//
//===----------------------------------------------------------------------===//
#include "Obstacles.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::nestor;

static memref::GetGlobalOp globalOf(Value memref) {
  return memref.getDefiningOp<memref::GetGlobalOp>();
}

static bool isContiguous(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  return memref && memref.getLayout().isIdentity();
}

Value nestor::sameCells(Value memref) {
  while (auto cast = memref.getDefiningOp<memref::CastOp>()) {
    if (!isContiguous(cast.getType()) ||
        !isContiguous(cast.getSource().getType()))
      break;
    memref = cast.getSource();
  }
  return memref;
}

/// The buffer behind views of it; `partial` if one of them may leave some out.
static Value baseOf(Value memref, bool &partial) {
  while (auto view = memref.getDefiningOp<ViewLikeOpInterface>()) {
    partial |=
        isa<memref::SubViewOp, memref::ViewOp, memref::ReinterpretCastOp>(
            view.getOperation());
    memref = view.getViewSource();
  }
  return memref;
}

static bool isFresh(Value v) {
  return isa_and_nonnull<memref::AllocOp, memref::AllocaOp>(v.getDefiningOp());
}

static bool isFuncArg(Value v) {
  auto arg = dyn_cast<BlockArgument>(v);
  return arg && isa<func::FuncOp>(arg.getOwner()->getParentOp()) &&
         arg.getOwner()->isEntryBlock();
}

/// True for what the user of alias=assume-distinct vouches for. The result of a
/// call or a select may be one of the arguments.
static bool isBuffer(Value v) {
  return isFresh(v) || isFuncArg(v) || globalOf(v);
}

/// True if two different buffers cannot overlap.
static bool knownApart(Value a, Value b) {
  if (globalOf(a) && globalOf(b))
    return globalOf(a).getName() != globalOf(b).getName();
  // A fresh buffer differs from everything that existed before it: arguments,
  // globals and other fresh buffers.
  if (isFresh(a))
    return isFresh(b) || globalOf(b) || isFuncArg(b);
  return isFresh(b) && (globalOf(a) || isFuncArg(a));
}

Overlap nestor::overlapOf(Value a, Value b) {
  bool partial = false;
  Value baseA = baseOf(a, partial), baseB = baseOf(b, partial);
  bool sameGlobal = globalOf(baseA) && globalOf(baseB) &&
                    globalOf(baseA).getName() == globalOf(baseB).getName();
  // Parts of one buffer may be apart; views of all of it never are.
  if (baseA == baseB || sameGlobal)
    return partial ? Overlap::MustAsk : Overlap::Always;
  if (knownApart(baseA, baseB))
    return Overlap::Never;
  return isBuffer(baseA) && isBuffer(baseB) ? Overlap::Ask : Overlap::MustAsk;
}

bool nestor::isInjective(MemRefType type) {
  if (type.getLayout().isIdentity())
    return true;
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return false;
  SmallVector<std::pair<int64_t, int64_t>> dims; // stride, extent
  for (auto [stride, extent] : llvm::zip(strides, type.getShape())) {
    if (extent == 1)
      continue;
    if (ShapedType::isDynamic(stride))
      return false;
    dims.push_back({std::abs(stride), extent});
  }
  llvm::sort(dims);
  // Each stride must step over all that the smaller ones reach.
  int64_t reach = 0;
  for (auto [i, dim] : llvm::enumerate(dims)) {
    if (dim.first <= reach)
      return false;
    bool last = i + 1 == dims.size();
    int64_t more;
    if (!last && (ShapedType::isDynamic(dim.second) ||
                  llvm::MulOverflow(dim.first, dim.second - 1, more) ||
                  llvm::AddOverflow(reach, more, reach)))
      return false;
  }
  return true;
}
