//===- Features.cpp - A candidate schedule as plain numbers ---------------===//
//
// Features room: candidate in, rows out. The tree is walked once for the loops
// and the places of the statements; then every statement's loops are turned
// into trip counts, strides and footprints. docs/features.md describes each
// slot.
//
//===----------------------------------------------------------------------===//
#include "nestor/Features/Features.h"
#include "LoopRows.h"
#include "nestor/Schedule/ScheduleTree.h"

using namespace mlir;
using namespace mlir::nestor;

namespace {
/// A loop around a statement.
struct PlacedLoop {
  int32_t node; ///< number in CandidateFeatures::loops
  AffineExpr expr;
};

/// What the tree says of a statement.
struct PlacedStatement {
  SmallVector<PlacedLoop, 8> loops;
  int32_t parent = -1, order = 0;
  double share = 1; ///< of the instances, after the filters' domains
};

/// A node of the loop tree and what its row needs.
struct PlacedNode {
  const TreeNode *band;
  unsigned member;
  int32_t parent, order;
  unsigned children = 0;
  unsigned sharers = 0;
  unsigned depth = 0;  ///< loops around
  unsigned height = 0; ///< loops below on the longest path
};

class Extraction {
public:
  Extraction(const ProgramFeatures &program, const Candidate &candidate)
      : program(program), candidate(candidate),
        placed(program.statements.size()) {}
  CandidateFeatures run();

private:
  void place(const TreeNode &node, int32_t parent, unsigned &order);
  int32_t placeMember(const TreeNode &band, unsigned member, int32_t parent,
                      unsigned &order);
  void applyDomains(const TreeNode &filter);
  void summarizeLoops();
  void summarizeStatement(unsigned number);
  void writeLoopRow(std::vector<float> &data, unsigned node,
                    ArrayRef<unsigned> places, const LoopRow &row,
                    double ownTrip, unsigned levelFromInner);
  void writeStatement(unsigned number);
  void writeAccess(Rows &out, const ProgramAccess &access,
                   const AccessSummary &summary, unsigned stmt);
  void writeNodes();

  const ProgramFeatures &program;
  const Candidate &candidate;
  CandidateFeatures result;
  std::vector<PlacedStatement> placed;
  std::vector<PlacedNode> nodes;
  std::vector<LoopRows> rows;       ///< by statement
  std::vector<double> inner, outer; ///< iterations in and around, by node
};
} // namespace

//===----------------------------------------------------------------------===//
// The tree
//===----------------------------------------------------------------------===//

int32_t Extraction::placeMember(const TreeNode &band, unsigned member,
                                int32_t parent, unsigned &order) {
  int32_t number = nodes.size();
  nodes.push_back({&band, member, parent, static_cast<int32_t>(order++)});
  for (auto [place, stmt] : llvm::enumerate(band.stmts)) {
    const Member &loop = band.members[member];
    if (stmt < placed.size() && place < loop.exprs.size())
      placed[stmt].loops.push_back({number, loop.exprs[place]});
  }
  nodes.back().sharers = band.stmts.size();
  nodes.back().depth = parent < 0 ? 0 : nodes[parent].depth + 1;
  unsigned height = 0;
  for (int32_t up = parent; up >= 0; up = nodes[up].parent)
    nodes[up].height = std::max(nodes[up].height, ++height);
  return number;
}

void Extraction::applyDomains(const TreeNode &filter) {
  for (auto [stmt, sets] : llvm::zip(filter.stmts, filter.domains)) {
    if (stmt >= placed.size() || sets.empty())
      continue;
    double share = 0;
    for (const IntegerSet &set : sets)
      share +=
          shareOfSet(set, program.statements[stmt].loops, program.paramValues);
    placed[stmt].share *= std::min(1.0, share);
  }
}

void Extraction::place(const TreeNode &node, int32_t parent, unsigned &order) {
  unsigned inBand = 0;
  unsigned *next = &order;
  switch (node.kind) {
  case TreeNode::Kind::Leaf:
    for (unsigned stmt : node.stmts)
      if (stmt < placed.size()) {
        placed[stmt].parent = parent;
        placed[stmt].order = order++;
      }
    return;
  case TreeNode::Kind::Band:
    for (unsigned member = 0; member < node.members.size(); ++member) {
      parent = placeMember(node, member, parent, *next);
      inBand = 0;
      next = &inBand;
    }
    break;
  case TreeNode::Kind::Filter:
    applyDomains(node);
    break;
  case TreeNode::Kind::Sequence:
    break;
  }
  for (const auto &child : node.children)
    place(*child, parent, *next);
}

//===----------------------------------------------------------------------===//
// Plain units
//===----------------------------------------------------------------------===//

void Extraction::summarizeLoops() {
  for (const PlacedNode &node : nodes) {
    const Member &member = node.band->members[node.member];
    LoopSummary loop;
    loop.vectorWidth = std::max<int64_t>(0, member.marks.vectorWidth);
    loop.unroll = member.marks.unroll;
    loop.promote = member.marks.promote;
    loop.coincident = member.coincident;
    loop.parent = node.parent;
    loop.order = node.order;
    result.nest.loops.push_back(loop);
    if (node.parent >= 0)
      nodes[node.parent].children += 1;
  }
  for (unsigned s = 0; s < placed.size(); ++s) {
    rows.emplace_back(program.statements[s], program.paramValues);
    for (const PlacedLoop &loop : placed[s].loops)
      rows[s].add(loop.expr);
    for (auto [loop, row] : llvm::zip(placed[s].loops, rows[s].get())) {
      LoopSummary &shared = result.nest.loops[loop.node];
      shared.trip = std::max(shared.trip, row.trip);
      shared.fullTrip = std::max(shared.fullTrip, row.fullTrip);
      shared.partialShare = std::max(shared.partialShare, row.partialShare);
      shared.isTile |= row.tile != 0;
      shared.isPoint |= row.isPoint;
    }
    if (placed[s].parent >= 0)
      nodes[placed[s].parent].children += 1;
  }
  inner.assign(nodes.size(), 1);
  outer.assign(nodes.size(), 1);
  for (unsigned n = 0; n < nodes.size(); ++n)
    if (int32_t up = nodes[n].parent; up >= 0)
      outer[n] = bounded(outer[up] * result.nest.loops[up].trip);
  for (unsigned n = nodes.size(); n-- > 0;)
    if (int32_t up = nodes[n].parent; up >= 0)
      inner[up] =
          std::max(inner[up], bounded(inner[n] * result.nest.loops[n].trip));
}

void Extraction::summarizeStatement(unsigned number) {
  const ProgramStatement &stmt = program.statements[number];
  const PlacedStatement &place = placed[number];
  result.nest.statements.push_back(stmt.summary);
  StatementSummary &summary = result.nest.statements.back();
  summary.parent = place.parent;
  summary.order = place.order;
  summary.instances = bounded(stmt.instances * place.share);
  summary.guarded |= place.share < 1;
  for (auto [loop, row] : llvm::zip(place.loops, rows[number].get())) {
    summary.loops.push_back(loop.node);
    summary.trips.push_back(row.trip);
  }
  unsigned numLoops = place.loops.size(), numDims = stmt.loops.size();
  SmallVector<double, 64> moves(numLoops * numDims);
  for (unsigned l = 0; l < numLoops; ++l)
    for (unsigned d = 0; d < numDims; ++d)
      moves[l * numDims + d] = rows[number].moveOf(l, d);

  summary.accesses.reserve(stmt.accesses.size());
  for (const ProgramAccess &access : stmt.accesses) {
    summary.accesses.push_back(access.summary);
    auto &out = summary.accesses.back().moves;
    out.resize(numLoops);
    for (unsigned l = 0; l < numLoops; ++l)
      for (unsigned r = 0; r < access.rows.size(); ++r) {
        double sum = 0;
        for (unsigned d = 0; d < numDims; ++d)
          sum += access.rows[r].coef[d] * moves[l * numDims + d];
        out[l][r] = bounded(sum);
      }
  }
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

void Extraction::writeLoopRow(std::vector<float> &data, unsigned number,
                              ArrayRef<unsigned> places, const LoopRow &row,
                              double ownTrip, unsigned levelFromInner) {
  const PlacedNode &node = nodes[number];
  const LoopSummary &loop = result.nest.loops[number];
  const Member &member = node.band->members[node.member];
  RowWriter writer(data, kLoopDim);
  writer.number(loop.trip);
  writer.number(ownTrip);
  writer.number(row.fullTrip);
  writer.share(row.partialShare);
  writer.number(std::abs(row.step));
  writer.number(loop.vectorWidth);
  writer.number(node.sharers);
  writer.number(levelFromInner);
  writer.number(node.depth);
  writer.number(member.marks.block);
  writer.number(inner[number]);
  writer.number(outer[number]);
  writer.number(node.children);
  writer.flag(row.tile != 0);
  writer.flag(row.isPoint);
  writer.flag(member.coincident);
  writer.flag(node.band->permutable);
  writer.flag(member.marks.unroll);
  writer.flag(member.marks.promote);
  writer.flag(loop.vectorWidth > 0);
  writer.flag(row.isReversed);
  writer.flag(row.isSkewed);
  writer.flag(row.isStill);
  writer.flag(row.isNonaffine);
  writer.coefs(row.form, places);
  writer.number(row.form.constant);
  writer.number(row.form.paramSum);
  writer.number(row.divisor);
  writer.number(row.tileLevel);
}

void Extraction::writeAccess(Rows &out, const ProgramAccess &access,
                             const AccessSummary &summary, unsigned stmt) {
  ArrayRef<LoopRow> loops = rows[stmt].get();
  double strides[kInnerLoops] = {}, cells[kInnerLoops], lines[kInnerLoops];
  FootprintBuilder footprint(summary);
  constexpr double kLine = 64;
  double all = 1;
  for (unsigned level = 0, left = loops.size();
       level < std::max<size_t>(kInnerLoops, loops.size()); ++level) {
    if (left > 0) {
      --left;
      footprint.addLoop(left, loops[left].trip);
      if (level < kInnerLoops)
        strides[level] = summary.elementStride(left);
    }
    bool wanted = level < kInnerLoops || left == 0;
    if (!wanted)
      continue;
    Footprint now = footprint.get();
    all = now.cells;
    if (level >= kInnerLoops)
      continue;
    cells[level] = now.cells;
    lines[level] = now.blocks(summary.bytes, kLine);
  }

  out.data.insert(out.data.end(), access.row.begin(), access.row.end());
  float *slot = out.data.data() + out.data.size() - kScheduledAccessDim;
  *slot++ = scaled(all);
  for (const double *values : {strides, cells, lines})
    for (unsigned level = 0; level < kInnerLoops; ++level)
      *slot++ = scaled(values[level]);
}

void Extraction::writeStatement(unsigned number) {
  const ProgramStatement &stmt = program.statements[number];
  result.statements.push_back(stmt.features);
  StatementFeatures &out = result.statements.back();
  out.parent = placed[number].parent;
  out.order = placed[number].order;
  out.loops.width = kLoopDim;
  out.accesses.width = kAccessDim;

  ArrayRef<PlacedLoop> loops = placed[number].loops;
  out.loops.data.reserve(loops.size() * kLoopDim);
  for (auto [i, loop] : llvm::enumerate(loops)) {
    const LoopRow &row = rows[number].get()[i];
    writeLoopRow(out.loops.data, loop.node, stmt.places, row, row.trip,
                 loops.size() - 1 - i);
  }
  out.accesses.data.reserve(stmt.accesses.size() * kAccessDim);
  for (auto [access, summary] :
       llvm::zip(stmt.accesses, result.nest.statements[number].accesses))
    writeAccess(out.accesses, access, summary, number);
}

/// Rows of the loop tree: the transformed domain is that of the first
/// statement.
void Extraction::writeNodes() {
  result.loops.resize(nodes.size());
  static const LoopRow kNoRow;
  std::vector<const LoopRow *> first(nodes.size(), &kNoRow);
  std::vector<ArrayRef<unsigned>> places(nodes.size());
  for (unsigned s = placed.size(); s-- > 0;)
    for (auto [loop, row] : llvm::zip(placed[s].loops, rows[s].get())) {
      first[loop.node] = &row;
      places[loop.node] = program.statements[s].places;
    }
  for (auto [n, node] : llvm::enumerate(nodes)) {
    LoopFeatures &out = result.loops[n];
    out.parent = node.parent;
    out.order = node.order;
    writeLoopRow(out.loop, n, places[n], *first[n], first[n]->trip,
                 node.height);
  }
}

CandidateFeatures Extraction::run() {
  unsigned order = 0;
  if (candidate.tree)
    place(*candidate.tree, -1, order);
  summarizeLoops();
  result.nest.statements.reserve(placed.size());
  result.statements.reserve(placed.size());
  for (unsigned s = 0; s < placed.size(); ++s) {
    summarizeStatement(s);
    writeStatement(s);
  }
  writeNodes();
  return std::move(result);
}

//===----------------------------------------------------------------------===//
// Interface
//===----------------------------------------------------------------------===//

FeatureExtractor::FeatureExtractor(const Scop &scop)
    : program(std::make_unique<ProgramFeatures>(scop)) {}
FeatureExtractor::~FeatureExtractor() = default;

CandidateFeatures FeatureExtractor::extract(const Candidate &candidate) const {
  return Extraction(*program, candidate).run();
}

CandidateFeatures nestor::extractFeatures(const Candidate &candidate) {
  return FeatureExtractor(*candidate.scop).extract(candidate);
}
