//===- Batch.cpp - Many candidates as tensors -----------------------------===//
//
// Model room: from the plain arrays at the border to what the layers read.
//
//===----------------------------------------------------------------------===//
#include "Batch.h"
#include "nestor/Features/Features.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <unordered_map>

using namespace mlir::nestor;
using namespace mlir::nestor::modelabi;
using namespace mlir::nestor::model;

namespace {
/// Collects rows of one width.
class RowCollector {
public:
  explicit RowCollector(int64_t width) : width(width) {}
  /// Returns the number of the first.
  int64_t add(const float *rows, int64_t count = 1) {
    int64_t first = size();
    data.insert(data.end(), rows, rows + count * width);
    return first;
  }
  int64_t size() const { return int64_t(data.size()) / width; }
  Tensor get() const {
    Tensor result = at::empty({size(), width}, at::kFloat);
    if (!data.empty())
      std::memcpy(result.data_ptr<float>(), data.data(),
                  data.size() * sizeof(float));
    return result;
  }

private:
  int64_t width;
  std::vector<float> data;
};
} // namespace

Tensor model::makeIndex(const std::vector<int64_t> &numbers) {
  Tensor result = at::empty({int64_t(numbers.size())}, at::kLong);
  std::copy(numbers.begin(), numbers.end(), result.data_ptr<int64_t>());
  return result;
}

SequenceIndex
model::packSequences(const std::vector<std::vector<int64_t>> &sequences) {
  std::vector<int64_t> order(sequences.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    return sequences[a].size() > sequences[b].size();
  });
  size_t longest = order.empty() ? 0 : sequences[order[0]].size();
  SequenceIndex index;
  std::vector<int64_t> rows, owners, batchSizes, places(sequences.size());
  for (size_t step = 0; step < longest; ++step) {
    int64_t running = 0;
    for (int64_t sequence : order) {
      if (sequences[sequence].size() <= step)
        break;
      rows.push_back(sequences[sequence][step]);
      owners.push_back(sequence);
      ++running;
    }
    batchSizes.push_back(running);
  }
  index.count = batchSizes.empty() ? 0 : batchSizes[0];
  for (size_t place = 0; place < order.size(); ++place)
    places[order[place]] = std::min<int64_t>(place, index.count);
  index.rows = makeIndex(rows);
  index.owners = makeIndex(owners);
  index.batchSizes = makeIndex(batchSizes);
  index.places = makeIndex(places);
  return index;
}

static std::vector<int64_t> getRange(int64_t first, int64_t count) {
  std::vector<int64_t> result(count);
  std::iota(result.begin(), result.end(), first);
  return result;
}

ProgramBatch
model::makeProgramBatch(const std::vector<const StatementView *> &programs) {
  RowCollector flags(kFlagDim), domain(kDomainDim), tokens(kTokenDim);
  std::vector<std::vector<int64_t>> sequences;
  for (const StatementView *s : programs) {
    flags.add(s->flags);
    domain.add(s->domain);
    int64_t first = tokens.add(s->tokens.data, s->tokens.count);
    sequences.push_back(getRange(first, s->tokens.count));
  }
  return {flags.get(), domain.get(), tokens.get(), packSequences(sequences)};
}

StatementBatch model::makeStatementBatch(
    const std::vector<const StatementView *> &statements) {
  StatementBatch batch;
  batch.size = statements.size();
  RowCollector loops(kLoopDim), accesses(kAccessDim);
  std::vector<std::vector<int64_t>> loopSequences;
  std::vector<int64_t> programOf, firstAccess;
  std::unordered_map<uint64_t, int64_t> programs;
  int64_t mostAccesses = 1;
  for (const StatementView *s : statements) {
    auto [it, isNew] =
        programs.try_emplace(s->programKey, batch.programs.size());
    if (isNew)
      batch.programs.push_back(s);
    programOf.push_back(it->second);
    int64_t firstLoop = loops.add(s->loops.data, s->loops.count);
    loopSequences.push_back(getRange(firstLoop, s->loops.count));
    firstAccess.push_back(accesses.add(s->accesses.data, s->accesses.count));
    mostAccesses = std::max<int64_t>(mostAccesses, s->accesses.count);
  }
  std::vector<int64_t> writes, table;
  for (int64_t i = 0; i < batch.size; ++i)
    for (int64_t a = 0; a < mostAccesses; ++a) {
      bool exists = a < int64_t(statements[i]->accesses.count);
      table.push_back(exists ? firstAccess[i] + a : accesses.size());
      if (a == 0)
        writes.push_back(table.back());
    }
  batch.programOf = makeIndex(programOf);
  batch.loops = loops.get();
  batch.loopIndex = packSequences(loopSequences);
  batch.accesses = accesses.get();
  batch.writes = makeIndex(writes);
  batch.accessTable = makeIndex(table).view({batch.size, mostAccesses});
  return batch;
}

//===----------------------------------------------------------------------===//
// Trees
//===----------------------------------------------------------------------===//

namespace {
/// A loop or statement below a node: sorted by order, statements first.
struct Child {
  int32_t order;
  bool isLoop;
  int64_t number; ///< in its candidate
  bool operator<(const Child &other) const {
    return std::tie(order, isLoop, number) <
           std::tie(other.order, other.isLoop, other.number);
  }
};

/// The tree of one candidate. Node 0 stands for the top level, node i + 1 for
/// loop i.
struct Tree {
  std::vector<std::vector<Child>> children;
  std::vector<int64_t> height; ///< of loops, 0: holds statements only

  explicit Tree(const CandidateView &candidate)
      : children(candidate.numLoops + 1), height(candidate.numLoops, 0) {
    for (uint32_t i = 0; i < candidate.numStatements; ++i) {
      const StatementView &s = candidate.statements[i];
      children[s.parent + 1].push_back({s.order, false, i});
    }
    for (int64_t i = int64_t(candidate.numLoops) - 1; i >= 0; --i) {
      const LoopView &loop = candidate.loops[i];
      children[loop.parent + 1].push_back({loop.order, true, i});
      if (loop.parent >= 0)
        height[loop.parent] = std::max(height[loop.parent], height[i] + 1);
    }
    for (std::vector<Child> &list : children)
      std::sort(list.begin(), list.end());
  }
};

/// Numbers the loops of all candidates level by level.
class TreeBatcher {
public:
  TreeBatcher(const std::vector<const CandidateView *> &candidates,
              int64_t numStatements)
      : candidates(candidates), nextState(numStatements) {
    int64_t firstStatement = 0;
    for (const CandidateView *candidate : candidates) {
      trees.emplace_back(*candidate);
      stateOf.emplace_back(candidate->numLoops, -1);
      firstStatements.push_back(firstStatement);
      firstStatement += candidate->numStatements;
      for (int64_t height : trees.back().height)
        numLevels = std::max(numLevels, height + 1);
    }
  }

  void run(CandidateBatch &batch) {
    for (int64_t level = 0; level < numLevels; ++level)
      batch.levels.push_back(makeLevel(level));
    std::vector<std::vector<int64_t>> roots;
    for (size_t c = 0; c < candidates.size(); ++c)
      roots.push_back(getStates(c, 0));
    batch.roots = packSequences(roots);
  }

private:
  std::vector<int64_t> getStates(size_t c, int64_t node) const {
    std::vector<int64_t> states;
    for (const Child &child : trees[c].children[node])
      states.push_back(child.isLoop ? stateOf[c][child.number]
                                    : firstStatements[c] + child.number);
    return states;
  }

  TreeLevel makeLevel(int64_t level) {
    RowCollector rows(kLoopDim);
    std::vector<std::vector<int64_t>> sequences;
    for (size_t c = 0; c < candidates.size(); ++c)
      for (uint32_t i = 0; i < candidates[c]->numLoops; ++i) {
        if (trees[c].height[i] != level)
          continue;
        stateOf[c][i] = nextState++;
        rows.add(candidates[c]->loops[i].loop);
        sequences.push_back(getStates(c, i + 1));
      }
    return {rows.get(), packSequences(sequences)};
  }

  const std::vector<const CandidateView *> &candidates;
  int64_t nextState, numLevels = 0;
  std::vector<Tree> trees;
  std::vector<std::vector<int64_t>> stateOf;
  std::vector<int64_t> firstStatements;
};
} // namespace

CandidateBatch model::makeCandidateBatch(
    const std::vector<const CandidateView *> &candidates) {
  CandidateBatch batch;
  batch.size = candidates.size();
  std::vector<const StatementView *> statements;
  RowCollector analytical(kAnalyticalDim);
  for (const CandidateView *candidate : candidates) {
    for (uint32_t i = 0; i < candidate->numStatements; ++i)
      statements.push_back(candidate->statements + i);
    analytical.add(candidate->analytical);
  }
  batch.statements = makeStatementBatch(statements);
  TreeBatcher(candidates, batch.statements.size).run(batch);
  batch.analytical = analytical.get();
  return batch;
}
