//===- Proposals.h - What to try on a band ----------------------*- C++ -*-===//
//
// Private to the Search room.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_LIB_SEARCH_PROPOSALS_H
#define NESTOR_LIB_SEARCH_PROPOSALS_H

#include "nestor/Search/Search.h"

namespace mlir::nestor {

/// A macro-step: moves that are proposed together, since one alone may lose.
using Proposal = SmallVector<Attribute>;

/// What to try on the band whose first loop is called `loop`. The order is
/// fixed: plain orders first, then tiles, vectors and register tiles.
std::vector<Proposal> proposeForBand(const Candidate &candidate, StringRef loop,
                                     const SearchOptions &options);

/// The first loop of every band, by which searches name bands.
SmallVector<std::string> bandNames(const Candidate &candidate);

/// Applies all moves of a proposal; false if one does not apply.
bool applyProposal(Candidate &candidate, const Proposal &proposal);

} // namespace mlir::nestor

#endif // NESTOR_LIB_SEARCH_PROPOSALS_H
