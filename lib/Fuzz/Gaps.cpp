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
    {"constant beyond 2^31", "an expression with such a number is left alone"},
    {"constant below -2^31", "as for constants beyond 2^31"},
    {"constant near 2^63", "as for constants beyond 2^31"},
    {"nestor.skip", "it asks to be left alone"},
    {"a hundred nests",
     "told of a program, not of a scop: see its last column"},
    {"function of several blocks",
     "told of a program, not of a scop: see its last column"},
};

void fuzz::printGaps(llvm::raw_ostream &os) {
  os << "| construct | why no scheduled scop holds it |\n| --- | --- |\n";
  for (const Gap &gap : kGaps)
    os << "| " << gap.construct << " | " << gap.reason << " |\n";
}

static bool isGap(llvm::StringRef construct) {
  return llvm::any_of(
      kGaps, [&](const Gap &gap) { return gap.construct == construct; });
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
      if (!isMet && !isListed) {
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
