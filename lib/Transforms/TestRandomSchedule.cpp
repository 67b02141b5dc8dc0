//===- TestRandomSchedule.cpp - Apply a random legal schedule -------------===//
//
// Transforms room: the tool of differential tests.
//
//===----------------------------------------------------------------------===//
#include "ScheduleSupport.h"
#include "nestor/Search/Random.h"
#include "nestor/Transforms/Passes.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::nestor {
#define GEN_PASS_DEF_TESTRANDOMSCHEDULE
#include "nestor/Transforms/Passes.h.inc"

namespace {
/// Draws per scop until one reorders instances and can be generated; then those
/// that keep the order are tried.
constexpr unsigned kMaxDraws = 12;

struct TestRandomSchedulePass
    : public impl::TestRandomScheduleBase<TestRandomSchedulePass> {
  using TestRandomScheduleBase::TestRandomScheduleBase;
  void runOnOperation() override;
  LogicalResult schedule(Scop &scop, AliasMode mode, uint64_t scopSeed);
  FailureOr<Candidate> throughText(const Candidate &candidate, Operation *op);
};
} // namespace

void TestRandomSchedulePass::runOnOperation() {
  auto mode = parseAliasMode(getOperation(), alias);
  if (failed(mode))
    return signalPassFailure();
  LoopTree tree = buildLoopTree(getOperation());
  for (const LeftAlone &left : tree.leftAlone)
    left.nest->emitRemark()
        << "left alone: " << left.reason->explain(left.op, left.nest);
  for (size_t i = tree.scops.size(); i-- > 0;)
    if (failed(schedule(*tree.scops[i], *mode, seed + 1000003 * i)))
      return signalPassFailure();
}

/// The same schedule after printing and parsing.
FailureOr<Candidate>
TestRandomSchedulePass::throughText(const Candidate &candidate, Operation *op) {
  std::string text;
  llvm::raw_string_ostream(text) << writeSchedule(candidate);
  auto attr = dyn_cast_if_present<ScheduleAttr>(
      parseAttribute(text, candidate.scop->getContext()));
  if (!attr)
    return op->emitError() << "a printed schedule does not parse: " << text,
           failure();
  return readSchedule(attr, *candidate.legality,
                      [&] { return op->emitError(); });
}

LogicalResult TestRandomSchedulePass::schedule(Scop &scop, AliasMode mode,
                                               uint64_t scopSeed) {
  std::string reason;
  Operation *first = scop.first;
  auto legality = Legality::create(scop, reassociate, reason);
  if (!legality) {
    first->emitRemark() << "left alone: " << reason;
    return success();
  }
  std::vector<Candidate> skeletons = buildSkeletons(*legality);
  if (skeletons.empty()) {
    first->emitRemark() << "left alone: its order as written cannot be "
                           "analysed";
    return success();
  }
  Random random(scopSeed);
  Location loc = first->getLoc();
  std::vector<Candidate> sameOrder;
  for (unsigned draw = 0; draw < 2 * kMaxDraws; ++draw) {
    bool reorders = draw < kMaxDraws;
    Candidate candidate;
    if (reorders) {
      candidate = randomCandidate(skeletons, random, RandomOptions());
      if (!legality->reorders(*candidate.tree).value_or(false)) {
        sameOrder.push_back(std::move(candidate));
        continue;
      }
    } else if (draw - kMaxDraws < sameOrder.size()) {
      candidate = std::move(sameOrder[draw - kMaxDraws]);
    } else {
      break;
    }
    // A move that is illegal after all is a bug; too complex to tell is none.
    if (failed(checkLegal(candidate, reason))) {
      if (StringRef(reason).contains("too complex"))
        continue;
      return first->emitError() << "an illegal schedule was drawn: " << reason;
    }
    if (roundTrip) {
      auto again = throughText(candidate, first);
      if (failed(again))
        return failure();
      candidate = std::move(*again);
    }
    std::string what = candidate.skeleton;
    for (Attribute step : candidate.steps)
      llvm::raw_string_ostream(what) << ' ' << step;
    if (isSource(candidate) ||
        failed(rewriteScop(scop, candidate, mode, reason)))
      continue;
    emitRemark(loc) << "random schedule ("
                    << (reorders ? "reorders" : "same order") << "): " << what;
    return success();
  }
  emitRemark(loc) << "random schedule (same order): none could be applied";
  return success();
}
} // namespace mlir::nestor
