//===- Traffic.cpp - Cache lines and pages that a candidate moves ---------===//
//
// Cost room, part of the analytical model. The classic working-set rule: going
// inwards from the whole scop, the first loop whose body's working set stays in
// a cache keeps all reuse between neighbouring iterations, so that the loop
// brings in every line that it touches once; each start of that loop pays
// again.
//
//===----------------------------------------------------------------------===//
#include "NestTree.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace mlir::nestor;

namespace {
/// A cache or TLB as the working-set rule sees it.
struct Level {
  double capacity; ///< in blocks
  double blockBytes;
  bool hasSets;     ///< addresses at large powers of two share few sets
  double scattered; ///< cost of a block that no prefetcher foresees
  double written;   ///< cost of a block that also goes back
};

/// An access with its footprints: level[j] is over its statement's loops j,
/// j+1,
/// ... , level[n] of one instance.
struct Touch {
  uint32_t stmt = 0, access = 0;
  uint32_t group = 0; ///< the first access with the same cells
  std::vector<Footprint> level;
};

class TrafficModel {
public:
  TrafficModel(const NestTree &tree, const Machine &machine,
               std::vector<NestCycles> &nests)
      : tree(tree), machine(machine), nests(nests) {
    collect();
  }
  void run();

private:
  void collect();
  bool isSameGroup(const Touch &a, const Touch &b) const;
  void setFootprints();
  const AccessSummary &accessOf(const Touch &touch) const {
    return tree.nest.statements[touch.stmt].accesses[touch.access];
  }

  struct Load {
    double blocks = 0; ///< occupied, counted in the cache's blocks
    double cost = 0;   ///< brought in, weighted by how well it streams
  };
  Load loadOf(uint32_t node, bool bodyOnly, const Level &level) const;
  Load loadOfGroup(const Touch &touch, const Footprint &footprint,
                   bool isWritten, const Level &level) const;
  std::vector<double> cost(const Level &level) const;

  const NestTree &tree;
  const Machine &machine;
  std::vector<NestCycles> &nests;
  std::vector<Touch> touches;                ///< by statement
  std::vector<bool> writtenGroup;            ///< by first touch
  std::vector<std::vector<uint32_t>> inNode; ///< touches in each node's subtree
};
} // namespace

//===----------------------------------------------------------------------===//
// Groups and footprints
//===----------------------------------------------------------------------===//

/// Loops that both statements are in.
static unsigned sharedLoops(const StatementSummary &a,
                            const StatementSummary &b) {
  unsigned shared = 0;
  while (shared < a.loops.size() && shared < b.loops.size() &&
         a.loops[shared] == b.loops[shared])
    ++shared;
  return shared;
}

/// Two accesses touch (nearly) the same cells if they move alike over the loops
/// that they share and cover as much of the array in the others: a stencil's
/// reads, or a producer and its fused consumer.
bool TrafficModel::isSameGroup(const Touch &a, const Touch &b) const {
  const AccessSummary &x = accessOf(a), &y = accessOf(b);
  if (x.array != y.array || x.rank != y.rank)
    return false;
  unsigned shared =
      sharedLoops(tree.nest.statements[a.stmt], tree.nest.statements[b.stmt]);
  for (unsigned l = 0; l < shared; ++l)
    if (x.moves[l] != y.moves[l])
      return false;
  const Footprint &p = a.level[shared], &q = b.level[shared];
  auto close = [](double s, double t) {
    return std::abs(s - t) <= 0.1 * (s + t);
  };
  return close(p.cells, q.cells) && close(p.runs, q.runs);
}

static std::vector<Footprint>
footprintsOf(const StatementSummary &stmt, const AccessSummary &access,
             const std::array<double, kArrayDims> &spread) {
  std::vector<Footprint> levels(stmt.loops.size() + 1);
  FootprintBuilder builder(access);
  for (unsigned l = stmt.loops.size();; --l) {
    std::array<double, kArrayDims> widen{};
    for (unsigned d = 0; d < access.rank; ++d)
      widen[d] = std::min(spread[d], 3 * builder.getRange()[d]);
    levels[l] = builder.get(widen);
    if (l == 0)
      return levels;
    builder.addLoop(l - 1, stmt.trips[l - 1]);
  }
}

void TrafficModel::collect() {
  inNode.resize(tree.nodes.size());
  for (uint32_t s = 0; s < tree.nest.statements.size(); ++s) {
    const StatementSummary &stmt = tree.nest.statements[s];
    for (uint32_t a = 0; a < stmt.accesses.size(); ++a) {
      if (stmt.accesses[a].isSlot)
        continue;
      Touch touch{s, a, static_cast<uint32_t>(touches.size()), {}};
      touch.level = footprintsOf(stmt, stmt.accesses[a], {});
      for (const Touch &other : touches)
        if (other.group == &other - touches.data() &&
            isSameGroup(other, touch)) {
          touch.group = other.group;
          break;
        }
      inNode[0].push_back(touches.size());
      for (int32_t loop : stmt.loops)
        inNode[loop + 1].push_back(touches.size());
      touches.push_back(std::move(touch));
    }
  }
  setFootprints();
}

/// Widens each group's footprints by the distances between its accesses.
void TrafficModel::setFootprints() {
  struct Bounds {
    std::array<double, kArrayDims> lo, hi;
  };
  std::vector<Bounds> bounds(touches.size());
  writtenGroup.assign(touches.size(), false);
  for (uint32_t t = 0; t < touches.size(); ++t) {
    const AccessSummary &access = accessOf(touches[t]);
    Bounds &group = bounds[touches[t].group];
    if (touches[t].group == t)
      group = {access.offset, access.offset};
    for (unsigned d = 0; d < access.rank; ++d) {
      group.lo[d] = std::min(group.lo[d], access.offset[d]);
      group.hi[d] = std::max(group.hi[d], access.offset[d]);
    }
    if (access.isWrite)
      writtenGroup[touches[t].group] = true;
  }
  for (Touch &touch : touches) {
    const Bounds &group = bounds[touch.group];
    std::array<double, kArrayDims> spread{};
    bool isSpread = false;
    for (unsigned d = 0; d < kArrayDims; ++d) {
      spread[d] = group.hi[d] - group.lo[d];
      isSpread |= spread[d] != 0;
    }
    if (isSpread)
      touch.level = footprintsOf(tree.nest.statements[touch.stmt],
                                 accessOf(touch), spread);
  }
}

//===----------------------------------------------------------------------===//
// The working-set rule
//===----------------------------------------------------------------------===//

/// The room that pieces of memory take in a cache whose low set bits come from
/// the address within a page (64 lines): pieces at a distance of 2^k lines meet
/// in 64 / 2^k sets only. Harmless while they fill at most half of those.
static double occupiedLines(const Footprint &footprint, double bytes,
                            double lines, double capacity) {
  double distance = footprint.distance * bytes / kLineBytes;
  if (distance < 1 || distance != std::floor(distance) || distance > 1e15)
    return lines;
  double common = std::gcd(static_cast<int64_t>(distance), int64_t(64));
  double runLines = std::max(1.0, footprint.span * bytes / kLineBytes);
  double factor = std::max(1.0, common / runLines);
  return lines * factor <= capacity / 2 ? lines : lines * factor;
}

TrafficModel::Load TrafficModel::loadOfGroup(const Touch &touch,
                                             const Footprint &footprint,
                                             bool isWritten,
                                             const Level &level) const {
  const AccessSummary &access = accessOf(touch);
  double blocks = footprint.blocks(access.bytes, level.blockBytes);
  double occupied = level.hasSets ? occupiedLines(footprint, access.bytes,
                                                  blocks, level.capacity)
                                  : blocks;
  // Prefetchers follow pieces of a few lines; a shorter one costs some latency.
  // A written line goes back as well.
  bool streams = footprint.span * access.bytes >= 4 * kLineBytes;
  double weight =
      (streams ? 1 : level.scattered) * (isWritten ? level.written : 1);
  return {occupied, blocks * weight};
}

/// The load of a node's subtree: over all iterations of its loop, or of one.
TrafficModel::Load TrafficModel::loadOf(uint32_t node, bool bodyOnly,
                                        const Level &level) const {
  unsigned depth = tree.nodes[node].depth;
  unsigned from = bodyOnly || depth == 0 ? depth : depth - 1;
  Load sum;
  // Touches of one group come after its first: keep the largest of each. Few
  // groups: a linear search is the fastest.
  std::vector<std::pair<uint32_t, Load>> groups;
  for (uint32_t t : inNode[node]) {
    const Touch &touch = touches[t];
    Load load =
        loadOfGroup(touch, touch.level[from], writtenGroup[touch.group], level);
    auto it =
        std::find_if(groups.begin(), groups.end(), [&](const auto &entry) {
          return entry.first == touch.group;
        });
    if (it == groups.end())
      groups.push_back({touch.group, load});
    else
      it->second = {std::max(it->second.blocks, load.blocks),
                    std::max(it->second.cost, load.cost)};
  }
  for (const auto &[group, load] : groups) {
    sum.blocks += load.blocks;
    sum.cost += load.cost;
  }
  return sum;
}

/// 1 if `blocks` stay in the cache, 0 if they are all replaced before they are
/// used again; in between, some survive (other data, imperfect replacement).
static double stayShare(double blocks, double capacity) {
  double ratio = blocks / capacity;
  constexpr double low = 0.6, high = 1.2;
  return ratio <= low ? 1 : ratio >= high ? 0 : (high - ratio) / (high - low);
}

/// Weighted blocks brought in by each top-level node (index: node).
std::vector<double> TrafficModel::cost(const Level &level) const {
  std::vector<double> inner(tree.nodes.size(), 0); // of one start of the node
  // Statements directly in a node touch their blocks once per iteration.
  for (uint32_t t = 0; t < touches.size(); ++t) {
    const StatementSummary &stmt = tree.nest.statements[touches[t].stmt];
    if (touches[t].group == t)
      inner[stmt.parent + 1] +=
          loadOfGroup(touches[t], touches[t].level.back(), false, level).cost;
  }
  for (uint32_t n = tree.nodes.size(); n-- > 1;) {
    const NestTree::Node &node = tree.nodes[n];
    Load whole = loadOf(n, false, level);
    double stays = stayShare(loadOf(n, true, level).blocks, level.capacity);
    if (node.children.empty())
      stays = std::max(stays, 0.0);
    double keeps = stayShare(whole.blocks, level.capacity);
    double lost = std::max(whole.cost, node.trip * inner[n]);
    double share = std::max(stays, keeps);
    inner[n] = share * whole.cost + (1 - share) * lost;
    if (node.parent >= 1)
      inner[node.parent] += inner[n];
  }
  // The same program ran before: what stays in the cache as a whole is there.
  double keeps = stayShare(loadOf(0, true, level).blocks, level.capacity);
  for (double &cost : inner)
    cost *= 1 - keeps;
  return inner;
}

void TrafficModel::run() {
  auto forTopLevel = [&](const std::vector<double> &costs, auto &&use) {
    for (uint32_t child : tree.nodes[0].children)
      use(nests[child], costs[child]);
  };
  for (unsigned c = 0; c < 3; ++c) {
    if (machine.cacheBytes[c] <= 0)
      continue;
    Level level{machine.cacheBytes[c] / kLineBytes, kLineBytes, c < 2,
                c == 0 ? 1.3 : 2.0, c == 0 ? 1.3 : 1.7};
    forTopLevel(cost(level), [&](NestCycles &nest, double lines) {
      nest.traffic[c] = lines * machine.lineCycles[c];
    });
  }
  // A miss in the first-level TLB takes about 7 cycles, most of them hidden;
  // one in the second a walk of 70 (chased pointers in a virtual machine), or
  // 30 where several run at a time (independent loads of 4,096 pages and more);
  // other work hides a part.
  constexpr double kEntries[] = {64, 1536}, kMissCycles[] = {1, 20};
  for (unsigned t = 0; t < 2; ++t)
    forTopLevel(cost({kEntries[t], kPageBytes, false, 1, 1}),
                [&](NestCycles &nest, double pages) {
                  nest.tlb += pages * kMissCycles[t];
                });
}

void mlir::nestor::addTraffic(const NestTree &tree, const Machine &machine,
                              std::vector<NestCycles> &nests) {
  TrafficModel(tree, machine, nests).run();
}
