//===- ApplySchedule.cpp - Rewrite functions as annotated -----------------===//
//
// Transforms room.
//
//===----------------------------------------------------------------------===//
#include "ScheduleSupport.h"
#include "nestor/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::nestor {
#define GEN_PASS_DEF_APPLYSCHEDULE
#include "nestor/Transforms/Passes.h.inc"

namespace {
struct ApplySchedulePass : public impl::ApplyScheduleBase<ApplySchedulePass> {
  using ApplyScheduleBase::ApplyScheduleBase;
  void runOnOperation() override {
    if (failed(apply(getOperation())))
      signalPassFailure();
  }
  LogicalResult apply(func::FuncOp func);
};
} // namespace

/// Everything is read and checked before the first scop is rewritten.
LogicalResult ApplySchedulePass::apply(func::FuncOp func) {
  auto mode = parseAliasMode(func, alias);
  auto schedules = func->getAttrOfType<ArrayAttr>(kScheduleAttrName);
  if (failed(mode))
    return failure();
  if (!schedules)
    return success();
  LoopTree tree = buildLoopTree(func);
  if (schedules.size() != tree.scops.size())
    return func.emitError() << "nestor.schedule has " << schedules.size()
                            << " entries, but the function has "
                            << tree.scops.size() << " scops";
  std::vector<std::unique_ptr<Legality>> legalities;
  std::vector<std::optional<Candidate>> candidates;
  for (auto [scop, entry] : llvm::zip(tree.scops, schedules)) {
    std::string reason;
    auto schedule = cast<ScheduleAttr>(entry);
    auto emitError = [&scop = scop] { return scop->first->emitError(); };
    if (isUnchanged(schedule)) {
      if (failed(checkHash(schedule, *scop, emitError)))
        return failure();
      candidates.push_back(std::nullopt);
      continue;
    }
    legalities.push_back(Legality::create(*scop, reassociate, reason));
    if (!legalities.back())
      return scop->first->emitError()
             << "the nest cannot be scheduled: " << reason;
    auto candidate = readSchedule(schedule, *legalities.back(), emitError);
    if (failed(candidate))
      return failure();
    candidates.push_back(std::move(*candidate));
  }
  // Last scop first: earlier ones may define values that later ones use.
  for (size_t i = tree.scops.size(); i-- > 0;) {
    std::string reason;
    if (!candidates[i] || isSource(*candidates[i]))
      continue;
    Operation *first = tree.scops[i]->first;
    if (failed(rewriteScop(*tree.scops[i], *candidates[i], *mode, reason)))
      return first->emitError() << "the schedule cannot be applied: " << reason;
  }
  func->removeAttr(kScheduleAttrName);
  return success();
}
} // namespace mlir::nestor
