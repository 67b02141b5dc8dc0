//===- Beam.cpp - Beam search over skeletons and bands --------------------===//
//
// Search room; see Search.h. Bands are visited from the outermost to the
// innermost, in source order; at each, every state of the beam is kept as it is
// and extended by what Proposals.cpp offers. The budget is shared out evenly
// over what remains to be visited, so that late bands get their part.
//
//===----------------------------------------------------------------------===//
#include "Proposals.h"
#include "nestor/Search/Random.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mlir::nestor;

namespace {
/// A partial result: a candidate and the bands that are still to be visited.
struct State {
  ScoredCandidate scored;
  SmallVector<std::string> bands;
  unsigned next = 0;
  bool done() const { return next >= bands.size(); }
};

class BeamSearch {
public:
  BeamSearch(Evaluator &evaluator, const SearchOptions &options)
      : evaluator(evaluator), options(options) {}
  llvm::Expected<SearchResult> run(ArrayRef<Candidate> skeletons);

private:
  llvm::Error score(std::vector<State> &states);
  llvm::Error extend(std::vector<State> &beam);
  void keepBest(std::vector<State> &states, unsigned width);
  unsigned shareOf(const std::vector<State> &beam) const;

  Evaluator &evaluator;
  const SearchOptions &options;
  unsigned scored = 0;
  std::vector<ScoredCandidate> finished;
};
} // namespace

llvm::Error BeamSearch::score(std::vector<State> &states) {
  std::vector<const Candidate *> candidates;
  for (State &state : states)
    candidates.push_back(&state.scored.candidate);
  std::vector<double> scores;
  if (llvm::Error error = evaluator.evaluate(candidates, scores))
    return error;
  scored += states.size();
  for (auto [state, value] : llvm::zip(states, scores))
    state.scored.score = value;
  return llvm::Error::success();
}

/// Sorts by falling score; ties keep their order.
template <typename T, typename ScoreOf>
static void sortBest(std::vector<T> &list, ScoreOf scoreOf) {
  std::vector<std::pair<double, size_t>> keys;
  for (auto [i, item] : llvm::enumerate(list))
    keys.push_back({-scoreOf(item), i});
  llvm::sort(keys);
  std::vector<T> sorted;
  for (auto [score, i] : keys)
    sorted.push_back(std::move(list[i]));
  list = std::move(sorted);
}

/// The best states, equal trees once. Ties keep their order.
void BeamSearch::keepBest(std::vector<State> &states, unsigned width) {
  sortBest(states, [](const State &state) { return state.scored.score; });
  llvm::DenseSet<Attribute> seen;
  std::vector<State> kept;
  for (State &state : states) {
    Attribute tree =
        writeTree(*state.scored.candidate.tree, *state.scored.candidate.scop);
    if (kept.size() < width && seen.insert(tree).second)
      kept.push_back(std::move(state));
  }
  states = std::move(kept);
}

/// Candidates that one state of the beam may spend on its next band.
unsigned BeamSearch::shareOf(const std::vector<State> &beam) const {
  unsigned left = options.budget > scored ? options.budget - scored : 0;
  unsigned visits = 0;
  for (const State &state : beam)
    visits = std::max<unsigned>(visits, state.bands.size() - state.next);
  unsigned active =
      llvm::count_if(beam, [](const State &s) { return !s.done(); });
  return left / std::max(1u, visits * active);
}

llvm::Error BeamSearch::extend(std::vector<State> &beam) {
  unsigned share = shareOf(beam);
  std::vector<State> extended;
  for (State &state : beam) {
    if (state.done())
      continue;
    const Candidate &from = state.scored.candidate;
    std::vector<Proposal> proposals =
        proposeForBand(from, state.bands[state.next], options);
    ++state.next;
    if (!share || proposals.empty())
      continue;
    // Evenly spread, when the share does not reach for all.
    size_t count = std::min<size_t>(share, proposals.size());
    for (size_t i = 0; i < count; ++i) {
      const Proposal &proposal = proposals[i * proposals.size() / count];
      State next{{from.clone(), 0}, state.bands, state.next};
      if (applyProposal(next.scored.candidate, proposal))
        extended.push_back(std::move(next));
    }
  }
  if (llvm::Error error = score(extended))
    return error;
  for (State &state : extended)
    beam.push_back(std::move(state));
  return llvm::Error::success();
}

llvm::Expected<SearchResult> BeamSearch::run(ArrayRef<Candidate> skeletons) {
  // Every skeleton has a beam of its own at first: an enabling structure alone
  // often predicts nothing good yet.
  std::vector<State> all;
  for (const Candidate &skeleton : skeletons) {
    State state{{skeleton.clone(), 0}, bandNames(skeleton), 0};
    all.push_back(std::move(state));
  }
  if (llvm::Error error = score(all))
    return std::move(error);
  if (!all.empty())
    all[0].scored.score = 0; // the program as written
  std::vector<State> pool;
  SearchOptions own = options;
  for (size_t s = 0; s < all.size(); ++s) {
    std::vector<State> beam;
    beam.push_back(std::move(all[s]));
    BeamSearch part(evaluator, own);
    own.budget = options.budget / all.size();
    while (
        llvm::any_of(beam, [](const State &state) { return !state.done(); })) {
      if (llvm::Error error = part.extend(beam))
        return std::move(error);
      part.keepBest(beam, options.beamWidth);
    }
    scored += part.scored;
    for (State &state : beam)
      pool.push_back(std::move(state));
  }
  keepBest(pool, pool.size());
  SearchResult result;
  result.scored = scored;
  for (State &state : pool)
    result.best.push_back(std::move(state.scored));
  return std::move(result);
}

/// Adds "do nothing" where the beam lost it, and sorts.
static void addSource(SearchResult &result, const Candidate &source) {
  bool present = llvm::any_of(result.best, [&](const ScoredCandidate &scored) {
    return scored.candidate.skeleton == source.skeleton &&
           scored.candidate.steps.empty();
  });
  if (!present)
    result.best.push_back({source.clone(), 0});
  sortBest(result.best,
           [](const ScoredCandidate &scored) { return scored.score; });
}

llvm::Expected<SearchResult> nestor::beamSearch(ArrayRef<Candidate> skeletons,
                                                Evaluator &evaluator,
                                                const SearchOptions &options) {
  auto result = BeamSearch(evaluator, options).run(skeletons);
  if (result)
    addSource(*result, skeletons[0]);
  return result;
}

llvm::Expected<SearchResult>
nestor::randomSearch(ArrayRef<Candidate> skeletons, Evaluator &evaluator,
                     const SearchOptions &options) {
  Random random(options.seed);
  std::vector<Candidate> drawn;
  for (unsigned i = 0; i < options.budget; ++i)
    drawn.push_back(randomCandidate(skeletons, random, RandomOptions()));
  std::vector<const Candidate *> pointers;
  for (const Candidate &candidate : drawn)
    pointers.push_back(&candidate);
  std::vector<double> scores;
  if (llvm::Error error = evaluator.evaluate(pointers, scores))
    return std::move(error);
  SearchResult result;
  result.scored = drawn.size();
  for (auto [candidate, score] : llvm::zip(drawn, scores)) {
    bool isSource =
        candidate.skeleton == skeletons[0].skeleton && candidate.steps.empty();
    result.best.push_back({std::move(candidate), isSource ? 0 : score});
  }
  addSource(result, skeletons[0]);
  if (result.best.size() > options.beamWidth)
    result.best.resize(options.beamWidth);
  addSource(result, skeletons[0]);
  return std::move(result);
}

std::vector<Candidate> nestor::sampleCandidates(ArrayRef<Candidate> skeletons,
                                                unsigned count,
                                                const SearchOptions &options) {
  Random random(options.seed);
  std::vector<Candidate> sample;
  llvm::DenseSet<Attribute> seen{
      writeTree(*skeletons[0].tree, *skeletons[0].scop)};
  for (unsigned tries = 0; tries < 8 * count && sample.size() < count;
       ++tries) {
    Candidate candidate = skeletons[random.below(skeletons.size())].clone();
    if (random.below(4) == 0) {
      candidate = randomCandidate(skeletons, random, RandomOptions());
    } else {
      // A walk of the beam that chooses at random.
      for (const std::string &band : bandNames(candidate)) {
        auto proposals = proposeForBand(candidate, band, options);
        Candidate next = candidate.clone();
        if (!proposals.empty() && random.below(5) &&
            applyProposal(next, proposals[random.below(proposals.size())]))
          candidate = std::move(next);
      }
    }
    if (seen.insert(writeTree(*candidate.tree, *candidate.scop)).second)
      sample.push_back(std::move(candidate));
  }
  return sample;
}
