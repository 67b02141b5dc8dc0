//===- Features.h - A candidate schedule as plain numbers -------*- C++ -*-===//
//
// Features room: Candidate in, plain arrays out. Everything is read from the
// *resulting* state (tree and statement table), never from the history of
// steps; nothing here depends on isl or torch. The layout is versioned and
// described, slot by slot, in docs/features.md. Sets (accesses, loops, tokens)
// have as many rows as the program needs: nothing is dropped by a cap.
//
// Scaling: s(x) = sign(x) * log1p(|x|), natural logarithm, for every number
// that is not a flag.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_FEATURES_FEATURES_H
#define NESTOR_FEATURES_FEATURES_H

#include "nestor/Features/NestSummary.h"
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace mlir::nestor {

struct Candidate;
class Scop;

/// Changes whenever a number's meaning or place changes. Weights files and
/// datasets carry it.
inline constexpr uint32_t kFeatureVersion = 2;

/// Source loops that a coefficient row has room for; deeper statements fold
/// their outermost loops into the first place.
inline constexpr unsigned kSourceDims = 8;
/// Innermost resulting loops for which an access has strides and footprints.
inline constexpr unsigned kInnerLoops = 8;
/// Width of one row of each kind; featureNames names every slot.
inline constexpr unsigned kFlagDim = 40; ///< per statement
inline constexpr unsigned kDomainLoopDim =
    2 * (kSourceDims + 2) + 7; ///< per source loop
inline constexpr unsigned kDomainDim =
    kSourceDims * kDomainLoopDim; ///< per statement
inline constexpr unsigned kLoopDim =
    36; ///< per resulting loop of a statement or of the tree
inline constexpr unsigned kAccessDim =
    12 + kArrayDims * (kSourceDims + 4) + 3 * kInnerLoops; ///< per access
inline constexpr unsigned kTokenDim = 52;  ///< per expression token
inline constexpr unsigned kTargetDim = 16; ///< per target descriptor
inline constexpr unsigned kAnalyticalDim =
    16; ///< per candidate: terms of the analytical model
inline constexpr unsigned kAnalyticalTotal = 7; ///< place of the total in them

/// Rows of equal width in one flat array: row i is data[i*width ..
/// (i+1)*width).
struct Rows {
  uint32_t width = 0;
  std::vector<float> data;
  size_t size() const { return width ? data.size() / width : 0; }
};

/// One computation vector: a statement under a schedule.
struct StatementFeatures {
  std::vector<float> flags; ///< [kFlagDim]
  std::vector<float>
      domain;    ///< [kDomainDim] original domain: bounds per source loop
  Rows loops;    ///< [n x kLoopDim] resulting loops around it, outermost first;
                 ///< holds the transformed domain
  Rows accesses; ///< [n x kAccessDim] the write first, then the reads
  Rows tokens;   ///< [n x kTokenDim] the expression, post-order
  /// Hash of flags, domain and tokens, which depend on the program only: equal
  /// for equal rows, so that what a model computes from them can be cached.
  uint64_t programKey = 0;
  int32_t parent = -1; ///< loop node of the tree that holds it, -1: top level
  int32_t order = 0;   ///< position among the children of that node
};

/// One loop of the resulting tree (a node of the recursive model).
struct LoopFeatures {
  std::vector<float> loop; ///< [kLoopDim]
  int32_t parent = -1; ///< loop node, always smaller than the node's own number
  int32_t order = 0;   ///< position among the children of the parent
};

struct CandidateFeatures {
  std::vector<StatementFeatures> statements; ///< by statement number
  std::vector<LoopFeatures> loops;           ///< preorder
  NestSummary nest; ///< the same in plain units, for the analytical model
};

/// Extracts features of candidates of one scop. What depends on the program
/// only is analysed once, here; the scop must outlive the extractor. `extract`
/// is const and may be called from several threads at once.
class FeatureExtractor {
public:
  explicit FeatureExtractor(const Scop &scop);
  ~FeatureExtractor();
  /// Deterministic; needs no IR change; total: any program and any tree.
  CandidateFeatures extract(const Candidate &candidate) const;

private:
  std::unique_ptr<const struct ProgramFeatures> program;
};

/// The same for a single candidate.
CandidateFeatures extractFeatures(const Candidate &candidate);

/// The names of the slots of a row kind ("flags", "domain", "loop", "access",
/// "token"), index by index; docs/features.md is generated from them.
std::vector<std::string> featureNames(const std::string &kind);

} // namespace mlir::nestor

#endif // NESTOR_FEATURES_FEATURES_H
