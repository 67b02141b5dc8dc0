//===- Compute.cpp - Instructions, dependence chains and loop control -----===//
//
// Cost room, part of the analytical model. Each statement is looked at in its
// *body*: one execution of its innermost rolled loop's body with the unrolled
// and vector loops inside it laid out side by side (a register tile). The
// body's time is the larger of what its instructions need to issue and what its
// carried dependence chains need to finish.
//
//===----------------------------------------------------------------------===//
#include "NestTree.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

using namespace mlir::nestor;

// Figures of common 64-bit cores (Zen 2-5, Ice Lake and later), rounded.
static constexpr double kStoresPerCycle = 1;
static constexpr double kIssuePerCycle = 5;
static constexpr double kForwardLatency =
    2; ///< a load of what was just stored: 0 to 7
static constexpr double kLoopStart = 6;   ///< bounds, set-up
static constexpr double kMispredict = 15; ///< leaving a loop
static constexpr double kPredictable =
    32; ///< trips that branch prediction learns
static constexpr double kVectorLoopStart = 10; ///< overlap checks and remainder
static constexpr double kAutoVectorBytes = 32; ///< LLVM prefers 256-bit vectors

namespace {
/// Where a statement's body begins and how it is vectorized.
struct Body {
  unsigned suffix = 0; ///< first loop of the unrolled and vector loops inside
  int rolled = -1;     ///< innermost rolled loop that iterates, -1: none
  int vectorLoop = -1; ///< loop whose iterations are lanes, -1: scalar
  double lanes = 1;    ///< of one vector
  double registersPer = 1; ///< machine registers of one vector
  double quality = 1;      ///< share of the lanes' gain that is reached
  bool byCompiler = false; ///< the rolled loop, vectorized by LLVM
};

/// Work of one body; counts are instructions.
struct Work {
  double fp = 0, slow = 0, other = 0; ///< `slow` in cycles: div, sqrt, calls
  double loads = 0, stores = 0, shuffles = 0;
  double registers = 0;
};

class ComputeModel {
public:
  ComputeModel(const NestTree &tree, const Machine &machine,
               std::vector<NestCycles> &nests)
      : tree(tree), machine(machine), nests(nests),
        mayVectorize(tree.nodes.size(), false) {}
  void run();

private:
  bool mayVectorizeNode(uint32_t node) const;
  bool mayVectorizeAccess(const StatementSummary &stmt,
                          const AccessSummary &access, unsigned loop) const;
  bool mayOverlap(const StatementSummary &stmt, const AccessSummary &read,
                  unsigned loop) const;
  bool handsOnScalars(const NestTree::Node &node) const;
  void addScalarChains(uint32_t node);
  double scalarChain(const NestTree::Node &node, size_t end) const;
  Body bodyOf(const StatementSummary &stmt) const;
  void chooseSlp(const StatementSummary &stmt, Body &body) const;
  double copiesOf(const StatementSummary &stmt, const AccessSummary *access,
                  const Body &body) const;
  Work workOf(const StatementSummary &stmt, const Body &body) const;
  void addLoads(const StatementSummary &stmt, const AccessSummary &access,
                const Body &body, Work &work) const;
  double promotedTrips(const StatementSummary &stmt, const Body &body) const;
  double issueCycles(const Work &work) const;
  double spillCycles(const Work &work) const;
  double chainCycles(const StatementSummary &stmt, const Body &body) const;
  void addStatement(const StatementSummary &stmt);
  void addControl(uint32_t node);

  const LoopSummary &loopOf(const StatementSummary &stmt, unsigned i) const {
    return tree.nest.loops[stmt.loops[i]];
  }

  const NestTree &tree;
  const Machine &machine;
  std::vector<NestCycles> &nests;
  std::vector<bool> mayVectorize; ///< by node: LLVM would
  /// Issue and chains of all statements whose body is in a node's loop: issue
  /// adds up, chains run side by side.
  std::vector<std::pair<double, double>> bodies;
};
} // namespace

static bool isLaidOut(const LoopSummary &loop) {
  return loop.unroll || loop.vectorWidth > 0;
}

//===----------------------------------------------------------------------===//
// What the compiler vectorizes
//===----------------------------------------------------------------------===//

/// LLVM vectorizes a loop over an access that moves by one cell, or not at all
/// if it is a read; a written cell that stays must be a reduction whose order
/// is free.
bool ComputeModel::mayVectorizeAccess(const StatementSummary &stmt,
                                      const AccessSummary &access,
                                      unsigned loop) const {
  bool isFree = stmt.isReduction && stmt.mayReassociate;
  if (access.isSlot) // becomes a register
    return !access.isAccumulator || isFree;
  double stride = std::abs(access.elementStride(loop));
  if (stride == 1)
    return true;
  if (stride != 0)
    return false;
  return isFree || (!access.isWrite && !access.isAccumulator);
}

/// A read of what the statement wrote some iterations of `loop` ago; returns
/// how many, or 0.
static double carriedDistance(const StatementSummary &stmt,
                              const AccessSummary &read, unsigned loop) {
  const AccessSummary &write = stmt.accesses.front();
  if (read.isWrite || read.array != write.array || read.rank != write.rank ||
      read.moves != write.moves)
    return 0;
  double distance = 0;
  for (unsigned d = 0; d < read.rank; ++d) {
    double gap = write.offset[d] - read.offset[d], move = write.moves[loop][d];
    if (move == 0 ? gap != 0 : distance != 0 && gap / move != distance)
      return 0;
    if (move != 0)
      distance = gap / move;
  }
  return std::max(0.0, distance);
}

/// True if a read of the written array that moves in another way may meet the
/// written cells: LLVM then finds overlap when it checks at run time.
bool ComputeModel::mayOverlap(const StatementSummary &stmt,
                              const AccessSummary &read, unsigned loop) const {
  const AccessSummary &write = stmt.accesses.front();
  return !read.isWrite && !write.isSlot && read.array == write.array &&
         read.moves != write.moves && !loopOf(stmt, loop).coincident;
}

/// True if an iteration of the node's loop reads a scalar that the one before
/// it left there, other than to add to it in any order.
bool ComputeModel::handsOnScalars(const NestTree::Node &node) const {
  std::vector<uint32_t> written, early;
  for (uint32_t s : node.statements) {
    const StatementSummary &stmt = tree.nest.statements[s];
    const AccessSummary &write = stmt.accesses.front();
    for (const AccessSummary &read : stmt.accesses)
      if (!read.isWrite && read.isSlot &&
          !llvm::is_contained(written, read.array) &&
          !(read.isAccumulator && stmt.mayReassociate))
        early.push_back(read.array);
    if (write.isSlot)
      written.push_back(write.array);
  }
  return llvm::any_of(early, [&](uint32_t array) {
    return llvm::is_contained(written, array);
  });
}

/// True if LLVM would vectorize the loop of `node`: an innermost rolled loop,
/// with friendly accesses, no calls, no guards and no carried chain.
bool ComputeModel::mayVectorizeNode(uint32_t node) const {
  bool any = false;
  if (handsOnScalars(tree.nodes[node]))
    return false;
  for (const StatementSummary &stmt : tree.nest.statements) {
    auto it = std::find(stmt.loops.begin(), stmt.loops.end(),
                        static_cast<int32_t>(node) - 1);
    if (it == stmt.loops.end())
      continue;
    any = true;
    unsigned loop = it - stmt.loops.begin();
    for (unsigned l = loop + 1; l < stmt.loops.size(); ++l)
      if (stmt.trips[l] > 1 &&
          (!loopOf(stmt, l).unroll || loopOf(stmt, l).vectorWidth))
        return false;
    if (stmt.guarded || stmt.specials > 0)
      return false;
    for (const AccessSummary &access : stmt.accesses)
      if (!mayVectorizeAccess(stmt, access, loop) ||
          carriedDistance(stmt, access, loop) > 0 ||
          mayOverlap(stmt, access, loop))
        return false;
  }
  return any;
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

/// Scalar copies side by side: LLVM's SLP vectorizer joins some of them, at
/// about half of what whole vectors give (docs/features.md).
void ComputeModel::chooseSlp(const StatementSummary &stmt, Body &body) const {
  for (unsigned l = stmt.loops.size(); l-- > body.suffix;) {
    if (loopOf(stmt, l).fullTrip <= 1)
      continue;
    double lanes = kAutoVectorBytes / std::max(1.0, stmt.bytes);
    bool fits = loopOf(stmt, l).fullTrip >= lanes && !stmt.specials;
    for (const AccessSummary &access : stmt.accesses) {
      double stride = access.elementStride(l);
      fits &= stride == 1 || (stride == 0 && !access.isWrite);
    }
    if (!fits)
      return;
    body.vectorLoop = l;
    body.lanes = std::max(1.0, lanes);
    body.quality = 0.5;
    return;
  }
}

Body ComputeModel::bodyOf(const StatementSummary &stmt) const {
  Body body;
  unsigned numLoops = stmt.loops.size();
  body.suffix = numLoops;
  while (body.suffix > 0 && (isLaidOut(loopOf(stmt, body.suffix - 1)) ||
                             stmt.trips[body.suffix - 1] <= 1))
    --body.suffix;
  body.rolled = static_cast<int>(body.suffix) - 1;
  for (unsigned l = body.suffix; l < numLoops; ++l)
    if (loopOf(stmt, l).vectorWidth > 0) {
      body.vectorLoop = l;
      body.lanes = loopOf(stmt, l).vectorWidth;
      body.registersPer = std::max(
          1.0, std::ceil(body.lanes * stmt.bytes / machine.vectorBytes));
      return body;
    }
  double lanes = std::min(kAutoVectorBytes, machine.vectorBytes) /
                 std::max(1.0, stmt.bytes);
  if (body.rolled >= 0 && mayVectorize[stmt.loops[body.rolled] + 1] &&
      stmt.trips[body.rolled] >= lanes && lanes > 1) {
    body.vectorLoop = body.rolled;
    body.lanes = lanes;
    body.byCompiler = true;
    return body;
  }
  chooseSlp(stmt, body);
  return body;
}

/// Copies of an access (or of the statement itself, for null) side by side: one
/// for each combination of laid-out iterations that it moves over. Along the
/// vector loop, vectors are counted.
double ComputeModel::copiesOf(const StatementSummary &stmt,
                              const AccessSummary *access,
                              const Body &body) const {
  double copies = 1;
  for (unsigned l = body.suffix; l < stmt.loops.size(); ++l) {
    if (access && access->isInvariant(l))
      continue;
    double trip = loopOf(stmt, l).fullTrip;
    copies *= static_cast<int>(l) == body.vectorLoop
                  ? std::max(1.0, trip / body.lanes)
                  : trip;
  }
  return copies;
}

/// Iterations of rolled loops around the body over which the written cell stays
/// in registers: marked `promote`, directly around each other.
double ComputeModel::promotedTrips(const StatementSummary &stmt,
                                   const Body &body) const {
  const AccessSummary &write = stmt.accesses.front();
  double trips = 1;
  for (int l = body.rolled; l >= 0; --l) {
    bool stays =
        stmt.trips[l] <= 1 || (loopOf(stmt, l).promote && write.isInvariant(l));
    if (!stays)
      break;
    trips *= stmt.trips[l];
  }
  // A vectorized reduction is kept in registers by LLVM.
  if (body.byCompiler && write.isInvariant(body.rolled))
    trips = std::max(trips, stmt.trips[body.rolled]);
  return trips;
}

//===----------------------------------------------------------------------===//
// Work
//===----------------------------------------------------------------------===//

/// Loads of a read in one body. Copies that read the same cell share its load,
/// unless a store lies between them: memref arguments may overlap for all that
/// LLVM knows (docs/features.md: accumulators in memory cost 2.8x).
void ComputeModel::addLoads(const StatementSummary &stmt,
                            const AccessSummary &access, const Body &body,
                            Work &work) const {
  bool shares = body.byCompiler || stmt.accesses.front().isSlot ||
                promotedTrips(stmt, body) > 1;
  double copies = copiesOf(stmt, shares ? &access : nullptr, body);
  double stride =
      body.vectorLoop < 0 ? 1 : std::abs(access.elementStride(body.vectorLoop));
  double registers = 1;
  if (stride == 0) {
    // One broadcast; LLVM hoists it out of a loop that it vectorizes.
    work.loads += body.byCompiler ? 0 : copies;
  } else if (stride == 1 || body.lanes == 1) {
    work.loads += copies * body.registersPer;
    // The vectors of one row are live at once; rows follow each other.
    if (body.vectorLoop >= static_cast<int>(body.suffix))
      registers =
          std::max(1.0, loopOf(stmt, body.vectorLoop).fullTrip / body.lanes) *
          body.registersPer;
  } else {
    // Lane by lane, and an insertion for each lane.
    work.loads += copies * body.lanes;
    work.shuffles += copies * body.lanes;
  }
  work.registers += registers;
}

Work ComputeModel::workOf(const StatementSummary &stmt,
                          const Body &body) const {
  Work work;
  double copies = copiesOf(stmt, nullptr, body) * body.registersPer;
  double lanes = body.lanes / body.registersPer; // of one machine register
  double wide = std::max(1.0, lanes * stmt.bytes / 16); // slow ops: by 128 bits
  work.fp = copies * (stmt.adds + stmt.muls + stmt.fmas);
  work.other = copies * stmt.others;
  work.slow = copies * (stmt.divs * 4 * wide + stmt.sqrts * 5 * wide +
                        stmt.specials * 20 * lanes);
  double promoted = promotedTrips(stmt, body);
  const AccessSummary &write = stmt.accesses.front();
  for (const AccessSummary &access : stmt.accesses) {
    if (access.isWrite || access.isSlot)
      continue;
    if (!access.isAccumulator) {
      addLoads(stmt, access, body, work);
      continue;
    }
    Work accumulator;
    addLoads(stmt, access, body, accumulator);
    work.loads += accumulator.loads / promoted;
    work.shuffles += accumulator.shuffles / promoted;
  }
  double writes = copiesOf(stmt, &write, body);
  if (write.isSlot)
    return work;
  double stride =
      body.vectorLoop < 0 ? 1 : std::abs(write.elementStride(body.vectorLoop));
  bool scatters = stride > 1 && body.lanes > 1;
  work.stores +=
      writes * (scatters ? body.lanes : body.registersPer) / promoted;
  if (scatters)
    work.shuffles += writes * body.lanes / promoted;
  bool staysInRegisters = promoted > 1;
  work.registers += staysInRegisters ? writes * body.registersPer : 1;
  return work;
}

double ComputeModel::issueCycles(const Work &work) const {
  double all = work.fp + work.other + work.loads + work.stores + work.shuffles;
  return work.slow + std::max({work.fp / machine.fpPerCycle + work.other / 3,
                               work.loads / machine.loadsPerCycle,
                               work.stores / kStoresPerCycle, work.shuffles,
                               all / kIssuePerCycle});
}

/// Each value above the register file is stored and loaded again once per body.
double ComputeModel::spillCycles(const Work &work) const {
  double extra = std::max(0.0, work.registers - machine.vectorRegisters);
  return extra * (1 / machine.loadsPerCycle + 1 / kStoresPerCycle);
}

/// The longest carried chain of one body: a value that the next iteration of
/// the rolled loop needs. Laid-out copies with cells of their own run side by
/// side; those that update one cell wait for each other.
double ComputeModel::chainCycles(const StatementSummary &stmt,
                                 const Body &body) const {
  if (body.rolled < 0)
    return 0;
  const AccessSummary &write = stmt.accesses.front();
  double longest = 0;
  for (const AccessSummary &read : stmt.accesses) {
    if (read.isWrite)
      continue;
    double distance = carriedDistance(stmt, read, body.rolled);
    bool stays = read.isAccumulator && write.isInvariant(body.rolled);
    if (!stays && distance <= 0)
      continue;
    bool inRegister = write.isSlot || (stays && promotedTrips(stmt, body) > 1);
    double steps = 1;
    for (unsigned l = body.suffix; stays && l < stmt.loops.size(); ++l)
      if (write.isInvariant(l))
        steps *= loopOf(stmt, l).fullTrip;
    double chain =
        read.pathLatency * steps + (inRegister ? 0 : kForwardLatency);
    if (distance > 1)
      chain /= distance;
    // LLVM keeps four vectors of partial results.
    if (stays && body.byCompiler)
      chain /= 4;
    longest = std::max(longest, chain);
  }
  return longest;
}

//===----------------------------------------------------------------------===//
// Statements and loops
//===----------------------------------------------------------------------===//

void ComputeModel::addStatement(const StatementSummary &stmt) {
  Body body = bodyOf(stmt);
  Work work = workOf(stmt, body);
  double covered = body.byCompiler ? body.lanes : 1; // instances of a body
  double partial = 0;
  for (unsigned l = body.suffix; l < stmt.loops.size(); ++l) {
    covered *= loopOf(stmt, l).fullTrip;
    partial = 1 - (1 - partial) * (1 - loopOf(stmt, l).partialShare);
  }
  // Iterations that fill no vector, and tiles that are not full, run scalar.
  if (body.byCompiler) {
    double trip = stmt.trips[body.rolled];
    partial += (1 - partial) *
               (trip - body.lanes * std::floor(trip / body.lanes)) / trip;
  }
  Body scalar;
  scalar.suffix = stmt.loops.size();
  scalar.rolled = body.rolled;
  double alone = issueCycles(workOf(stmt, scalar));
  double perBody = issueCycles(work);
  if (body.lanes > 1 && body.quality < 1) {
    double scalarTile = alone * covered;
    perBody = body.quality * perBody + (1 - body.quality) * scalarTile;
  }
  double whole = stmt.instances * (1 - partial) / covered;
  double issue = whole * perBody + stmt.instances * partial * alone;
  double latency = whole * chainCycles(stmt, body);

  uint32_t node = body.rolled < 0 ? 0 : stmt.loops[body.rolled] + 1;
  bodies[node].first += issue;
  bodies[node].second = std::max(bodies[node].second, latency);
  NestCycles &nest = nests[tree.nodes[stmt.parent + 1].root];
  nest.issue += issue;
  nest.spill += whole * spillCycles(work);
  nest.instances += stmt.instances;
  if (body.lanes > 1)
    nest.vectorInstances += stmt.instances * (1 - partial) * body.quality;
}

/// Rolled loops: a start and an end per entry, a counter per iteration.
void ComputeModel::addControl(uint32_t number) {
  const NestTree::Node &node = tree.nodes[number];
  const LoopSummary &loop = tree.nest.loops[number - 1];
  if (isLaidOut(loop) || loop.trip <= 1)
    return;
  double iterations = node.trip;
  double start = kLoopStart;
  if (mayVectorize[number]) {
    iterations /= 16; // vectors, interleaved
    start = kVectorLoopStart;
  }
  // Tile loops compute bounds for the loops inside.
  if (loop.isTile)
    start += 3;
  double leave = node.trip > kPredictable ? kMispredict : 2;
  nests[node.root].overhead +=
      node.entries * (start + leave + 0.7 * iterations);
}

/// Chains through scalars that one iteration hands to the next, over several
/// statements: from a read of a cell before its write, through what later
/// statements read of it, to that write.
void ComputeModel::addScalarChains(uint32_t number) {
  const NestTree::Node &node = tree.nodes[number];
  double longest = 0;
  for (size_t end = 0; end < node.statements.size(); ++end)
    longest = std::max(longest, scalarChain(node, end));
  double iterations = node.entries * node.trip;
  bodies[number].second = std::max(bodies[number].second, longest * iterations);
}

/// True if both are the same cell in every iteration of the same loops.
static bool isSameCell(const AccessSummary &a, const AccessSummary &b) {
  return a.array == b.array && a.moves == b.moves && a.offset == b.offset;
}

/// The chain that ends with the write of statement number `end` of the node.
double ComputeModel::scalarChain(const NestTree::Node &node, size_t end) const {
  auto stmtOf = [&](size_t i) -> const StatementSummary & {
    return tree.nest.statements[node.statements[i]];
  };
  const AccessSummary &carried = stmtOf(end).accesses.front();
  if (!carried.isInvariant(node.depth - 1))
    return 0;
  std::vector<double> chain(end + 1, -1); // to each statement's write
  for (size_t t = 0; t <= end; ++t)
    for (const AccessSummary &read : stmtOf(t).accesses) {
      // A statement's own accumulator is chainCycles' business.
      if (read.isWrite || (read.isAccumulator && !read.isSlot))
        continue;
      double latency = read.pathLatency + (read.isSlot ? 0 : kForwardLatency);
      bool isFresh = false; // written in this iteration
      for (size_t s = 0; s < t; ++s) {
        if (!isSameCell(stmtOf(s).accesses.front(), read))
          continue;
        isFresh = true;
        if (chain[s] >= 0)
          chain[t] = std::max(chain[t], chain[s] + latency);
      }
      if (!isFresh && isSameCell(carried, read))
        chain[t] = std::max(chain[t], latency);
    }
  return chain[end];
}

void ComputeModel::run() {
  bodies.assign(tree.nodes.size(), {0, 0});
  for (uint32_t n = 1; n < tree.nodes.size(); ++n)
    mayVectorize[n] = !isLaidOut(tree.nest.loops[n - 1]) && mayVectorizeNode(n);
  for (const StatementSummary &stmt : tree.nest.statements)
    if (stmt.instances > 0)
      addStatement(stmt);
  for (uint32_t n = 0; n < tree.nodes.size(); ++n) {
    if (n > 0 && tree.nodes[n].children.empty() && !mayVectorize[n])
      addScalarChains(n);
    NestCycles &nest = nests[tree.nodes[n].root];
    auto [issue, latency] = bodies[n];
    nest.latency += latency;
    nest.bound += std::max(issue, latency);
    if (n > 0)
      addControl(n);
  }
}

void mlir::nestor::addCompute(const NestTree &tree, const Machine &machine,
                              std::vector<NestCycles> &nests) {
  ComputeModel(tree, machine, nests).run();
}
