//===- Search.h - Finding a good schedule -----------------------*- C++ -*-===//
//
// Search room. Candidates are abstract: thousands are scored, none touches IR.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_SEARCH_SEARCH_H
#define NESTOR_SEARCH_SEARCH_H

#include "nestor/Schedule/Steps.h"
#include "nestor/Search/Evaluator.h"

namespace mlir::nestor {

struct SearchOptions {
  unsigned beamWidth = 8;
  /// Candidates that may be scored, over all skeletons and bands.
  unsigned budget = 2000;
  uint64_t seed = 0;
  /// Vector lanes that proposals use, by element size: vectorBits of the
  /// target.
  unsigned vectorBits = 256;
  unsigned vectorRegisters = 16;
};

struct ScoredCandidate {
  Candidate candidate;
  double score = 0; ///< log(speedup) over the program as written
};

struct SearchResult {
  /// Best first; "do nothing" (the program as written, score 0) is among them.
  std::vector<ScoredCandidate> best;
  unsigned scored = 0; ///< candidates that were scored
};

/// Beam search: from every skeleton, band by band, over orders, tiles, register
/// tiles and vectors. Deterministic: ties keep the order of proposal.
llvm::Expected<SearchResult> beamSearch(ArrayRef<Candidate> skeletons,
                                        Evaluator &evaluator,
                                        const SearchOptions &options);

/// The baseline: as many random legal candidates as the budget allows.
llvm::Expected<SearchResult> randomSearch(ArrayRef<Candidate> skeletons,
                                          Evaluator &evaluator,
                                          const SearchOptions &options);

/// Candidates to learn from: what the beam proposes, unscored, in random order,
/// and random ones; `count` distinct candidates at most, never the source.
std::vector<Candidate> sampleCandidates(ArrayRef<Candidate> skeletons,
                                        unsigned count,
                                        const SearchOptions &options);

} // namespace mlir::nestor

#endif // NESTOR_SEARCH_SEARCH_H
