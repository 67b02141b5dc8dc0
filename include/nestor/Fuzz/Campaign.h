//===- Campaign.h - Many trials, in children, with a log --------*- C++ -*-===//
//
// Fuzz room, the last step: a range of seeds becomes totals, a histogram and a
// list of failures. A campaign can be interrupted at any time and goes on where
// its log ends.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_FUZZ_CAMPAIGN_H
#define NESTOR_FUZZ_CAMPAIGN_H

#include "nestor/Fuzz/Trial.h"

#include "llvm/Support/JSON.h"
#include <map>
#include <set>

namespace mlir::nestor::fuzz {

/// A pair that failed, or a program that its process died of.
struct CaseReport {
  uint64_t seed = 0;
  unsigned candidate = 0;
  std::string kind;   ///< "wrong", "crash", "hang", "illegal" ...
  std::string detail; ///< the difference, or where it happened
  std::string schedule;
};

/// What is known of the seeds [firstSeed, nextSeed).
struct Totals {
  uint64_t firstSeed = 0, nextSeed = 0;
  uint64_t programs = 0;  ///< with something to schedule
  uint64_t untouched = 0; ///< everything was left alone
  uint64_t pairs = 0, changed = 0, optimized = 0, overlapping = 0;
  std::set<uint32_t> scops; ///< by the first half of their hashes
  std::vector<CaseReport> failures;
  uint64_t pairsToFailure = 0; ///< up to the first failure; not in the log
  /// Pairs by (trait, construct) of a scop that was rewritten, and by the
  /// construct of a program in which some scop was.
  std::map<std::pair<unsigned, unsigned>, uint64_t> cells;
  std::map<unsigned, uint64_t> beside;
  /// Per block of seeds: its end, and a digest of everything in it.
  std::vector<std::pair<uint64_t, std::string>> blocks;

  uint64_t count(StringRef kind) const;
  /// Adds what another campaign met, of other seeds.
  void add(const Totals &other);
};

/// A log of another version is an Error; so is one of another generator, which
/// cannot be gone on from, unless `anyGenerator`.
llvm::Expected<Totals> readLog(StringRef path, bool anyGenerator = false);
/// Writes all or nothing.
llvm::Error writeLog(const Totals &totals, StringRef path);

struct CampaignOptions {
  uint64_t firstSeed = 0, lastSeed = 0; ///< lastSeed is not tried
  uint64_t pairs = 0;                   ///< stop behind so many; 0: no limit
  unsigned jobs = 1;
  TrialOptions trial;
  std::string log;           ///< continued if it is there; empty: none
  std::string failures;      ///< folder for programs that fail; empty: none
  unsigned maxFailures = 20; ///< stop behind so many
  double seconds = 60;       ///< processor time of one program
  uint64_t chunk = 64;       ///< seeds that a child gets at a time
  bool quiet = false;
};

llvm::Expected<Totals> runCampaign(const CampaignOptions &options);

/// Totals and histogram, as text.
void printTotals(const Totals &totals, raw_ostream &os);
void printHistogram(const Totals &totals, raw_ostream &os);
/// The constructs that no scheduled scop holds, with the reasons.
void printGaps(raw_ostream &os);
/// Prints cells of the histogram that are empty without a reason, and reasons
/// that are none; true if there are none of either.
bool checkComplete(const Totals &totals, raw_ostream &os);

} // namespace mlir::nestor::fuzz

#endif // NESTOR_FUZZ_CAMPAIGN_H
