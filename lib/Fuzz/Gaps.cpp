//===- Gaps.cpp - Cells of the histogram that stay empty ------------------===//
//
// Fuzz room; see Campaign.h. docs/fuzzing.md has the list as a table; a test
// compares the two.
//
//===----------------------------------------------------------------------===//
#include "nestor/Fuzz/Campaign.h"

using namespace mlir::nestor;
using namespace mlir::nestor::fuzz;

namespace {
/// A construct that no scheduled scop holds.
struct Gap {
  llvm::StringLiteral construct, reason;
};
} // namespace

static constexpr Gap kGaps[] = {
    {"scf.while", "a loop that may not end: the nest is left alone"},
    {"call", "it may do anything: the nest is left alone"},
    {"allocation", "it ends a run of nests; in a nest, that is left alone"},
    {"allocation in a loop", "the nest is left alone"},
    {"memref.dealloc", "as for allocation"},
    {"memref.alloca_scope", "it holds an allocation"},
    {"constant near 2^63", "bounds and steps beyond 2^31 are left alone"},
    {"nestor.skip", "it asks to be left alone"},
    {"a hundred nests",
     "told of a program, not of a scop: see its last column"},
    {"function of several blocks",
     "told of a program, not of a scop: see its last column"},
};

namespace {
/// A construct and what a schedule has that seldom or never meet.
struct CellGap {
  llvm::StringLiteral construct, trait, reason;
};
} // namespace

static constexpr CellGap kCellGaps[] = {
    {"twenty arrays", "isl-max-fuse",
     "isl is asked to fuse at most eight statements"},
};

static bool isGap(llvm::StringRef construct) {
  return llvm::any_of(
      kGaps, [&](const Gap &gap) { return gap.construct == construct; });
}

static bool isCellGap(llvm::StringRef construct, llvm::StringRef trait) {
  return llvm::any_of(kCellGaps, [&](const CellGap &gap) {
    return gap.construct == construct && gap.trait == trait;
  });
}

void fuzz::printGaps(llvm::raw_ostream &os) {
  os << "| construct | why no scheduled scop holds it |\n| --- | --- |\n";
  for (const Gap &gap : kGaps)
    os << "| " << gap.construct << " | " << gap.reason << " |\n";
  for (const CellGap &gap : kCellGaps)
    os << "| " << gap.construct << " with " << gap.trait << " | " << gap.reason
       << " |\n";
}

bool fuzz::checkComplete(const Totals &totals, llvm::raw_ostream &os) {
  unsigned unlisted = 0, stale = 0;
  for (auto [c, construct] : llvm::enumerate(getConstructNames())) {
    if (!totals.beside.count(c)) {
      ++unlisted;
      os << "empty: '" << construct << "' in no program that was scheduled\n";
    }
    for (auto [t, trait] : llvm::enumerate(getTraitNames())) {
      bool isMet = totals.cells.count({t, c}), isListed = isGap(construct);
      if (!isMet && !isListed && !isCellGap(construct, trait)) {
        ++unlisted;
        os << "empty: '" << construct << "' with '" << trait << "'\n";
      } else if (isMet && isListed) {
        ++stale;
        os << "listed as a gap, but met: '" << construct << "' with '" << trait
           << "'\n";
      }
    }
  }
  os << unlisted << " cells are empty without a reason, " << stale
     << " were met although listed as gaps\n";
  return unlisted + stale == 0;
}
