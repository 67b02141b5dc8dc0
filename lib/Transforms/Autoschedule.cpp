//===- Autoschedule.cpp - Schedule loop nests with a cost model -----------===//
//
// Transforms room: the main pass. Analysis, search and rewriting of one
// function, and a remark for every nest.
//
//===----------------------------------------------------------------------===//
#include "ScheduleSupport.h"
#include "nestor/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/Format.h"

#include <cmath>

namespace mlir::nestor {
#define GEN_PASS_DEF_AUTOSCHEDULE
#include "nestor/Transforms/Passes.h.inc"

namespace {
/// A candidate must be predicted this much faster to replace the source: within
/// it, predictions are no reason to change a program.
constexpr double kMinSpeedup = 1.05;
/// Best candidates that are tried until one can be generated.
constexpr unsigned kMaxGenerated = 8;

struct AutoschedulePass : public impl::AutoscheduleBase<AutoschedulePass> {
  using AutoscheduleBase::AutoscheduleBase;
  void runOnOperation() override {
    if (failed(run(getOperation())))
      signalPassFailure();
  }

private:
  LogicalResult run(func::FuncOp func);
  LogicalResult scheduleScop(Scop &scop, Scheduler &scheduler, AliasMode mode);
  void leaveAlone(Location loc, const std::string &why);
  void noteCopiedOps(const Scop &scop);
  std::string describeChoice(const ScoredCandidate &choice, unsigned scored,
                             std::optional<bool> reorders);

  func::FuncOp func;
  SmallVector<Attribute> annotations; ///< one a scop, last scop first
};
} // namespace

void AutoschedulePass::leaveAlone(Location loc, const std::string &why) {
  remark::missed(loc, remark::RemarkOpts::name("LeftAlone")
                          .category("nestor")
                          .function(func.getName()))
      << "left alone: " + why;
}

/// Says which ops of the scop are not taken apart.
void AutoschedulePass::noteCopiedOps(const Scop &scop) {
  for (const Statement &stmt : scop.statements)
    if (stmt.effect)
      remark::analysis(stmt.effect->getLoc(),
                       remark::RemarkOpts::name("KeptWhole")
                           .category("nestor")
                           .function(func.getName()))
          << reasons::kKeptWhole.explain(stmt.effect, stmt.effect);
}

std::string AutoschedulePass::describeChoice(const ScoredCandidate &choice,
                                             unsigned scored,
                                             std::optional<bool> reorders) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "scheduled: predicted speedup "
     << llvm::format("%.2f", std::exp(choice.score)) << ", best of " << scored
     << " candidates of the " << costModel
     << " model: " << describeSteps(choice.candidate);
  if (reorders)
    os << (*reorders ? " (changes the order of instances)"
                     : " (keeps the order)");
  return text;
}

LogicalResult AutoschedulePass::scheduleScop(Scop &scop, Scheduler &scheduler,
                                             AliasMode mode) {
  std::string reason;
  Location loc = scop.first->getLoc();
  auto keepSource = [&](const Reason &why, StringRef detail = "") {
    leaveAlone(loc, why.explain(scop.first, scop.first, detail));
    annotations.push_back(writeUnchanged(scop));
    return success();
  };
  noteCopiedOps(scop);
  if (const Reason *obstacle = aliasObstacle(scop, mode))
    return keepSource(*obstacle);
  auto legality = Legality::create(scop, reassociate, reason);
  if (!legality)
    return keepSource(reasons::kComplexDependences);
  bool modelFailed = false;
  auto result = scheduler.run(*legality, reason, modelFailed);
  if (failed(result))
    return modelFailed ? failure() : keepSource(reasons::kComplexOrder);
  unsigned tried = 0;
  for (ScoredCandidate &choice : result->best) {
    if (std::exp(choice.score) < kMinSpeedup || tried++ == kMaxGenerated)
      break;
    // Asked before rewriting, and only if somebody listens.
    bool listening = getContext().getRemarkEngine();
    std::optional<bool> reorders;
    if (listening)
      reorders = legality->reorders(*choice.candidate.tree);
    if (!(apply ? succeeded(rewriteScop(scop, choice.candidate, mode, reason))
                : canRewriteScop(scop, choice.candidate, mode, reason)))
      continue;
    annotations.push_back(apply ? ScheduleAttr()
                                : writeSchedule(choice.candidate));
    remark::passed(loc, remark::RemarkOpts::name("Scheduled")
                            .category("nestor")
                            .function(func.getName()))
        << describeChoice(choice, result->scored, reorders);
    return success();
  }
  if (tried)
    return keepSource(reasons::kNotGenerated, reason);
  return keepSource(reasons::kNotFaster,
                    std::to_string(result->scored) + " candidates");
}

LogicalResult AutoschedulePass::run(func::FuncOp function) {
  func = function;
  annotations.clear();
  auto mode = parseAliasMode(func, alias);
  if (failed(mode))
    return failure();
  SearchSetup setup{search, costModel, weights, target, {}};
  setup.options.beamWidth = beamWidth;
  setup.options.budget = budget;
  setup.options.seed = seed;
  LoopTree tree = buildLoopTree(func);
  for (const LeftAlone &left : tree.leftAlone)
    leaveAlone(left.nest->getLoc(), left.reason->explain(left.op, left.nest));
  // Options are checked, and the model loaded, even where nothing needs them:
  // what a user asked for must not fail on the next program only.
  auto scheduler = Scheduler::create(setup, func);
  if (failed(scheduler))
    return failure();
  // Last scop first: earlier ones may define values that later ones use.
  for (size_t i = tree.scops.size(); i-- > 0;)
    if (failed(scheduleScop(*tree.scops[i], **scheduler, *mode)))
      return failure();
  if (!apply && !annotations.empty()) {
    std::reverse(annotations.begin(), annotations.end());
    func->setAttr(kScheduleAttrName,
                  ArrayAttr::get(&getContext(), annotations));
  }
  return success();
}
} // namespace mlir::nestor
