//===- Hostile.h - Damaged input to every pass ------------------*- C++ -*-===//
//
// Fuzz room: a range of seeds becomes damaged files (Mutate.h), each given to
// the parser, the verifier and every pass of Nestor, in children that may die.
// Whatever the input, there is a result or a diagnostic.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_FUZZ_HOSTILE_H
#define NESTOR_FUZZ_HOSTILE_H

#include "mlir/Support/LLVM.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace mlir::nestor::fuzz {

/// What a pass is made to do, to see that it is noticed.
enum class Misdeed {
  None,
  Crash,
  Exit,
  Overflow,
  Hang,
  Exhaust,
  Silence,
  Invalidate
};

struct HostileOptions {
  uint64_t firstSeed = 0, files = 0;
  unsigned jobs = 1;
  std::vector<std::string> corpus; ///< folders and files
  std::string failures;            ///< folder for files that fail; empty: none
  double seconds = 20;             ///< processor time of one file
  unsigned maxFailures = 20;       ///< stop behind so many of Nestor
  Misdeed misdeed = Misdeed::None;
  bool quiet = false;
};

/// A file that something is wrong with.
struct HostileFailure {
  uint64_t seed = 0;
  std::string kind;  ///< "crash", "hang", "silent", "invalid"
  std::string stage; ///< "parse", "verify", or a pass
  std::string place; ///< the innermost functions, if it died
  /// A function of Nestor was running. If none was, MLIR itself is wrong, and
  /// any tool that parses or lowers the file is hit.
  bool isOurs = true;
};

struct HostileTotals {
  uint64_t files = 0, parsed = 0, verified = 0;
  struct Pass {
    uint64_t accepted = 0, diagnosed = 0;
  };
  std::vector<Pass> passes; ///< by number
  std::vector<HostileFailure> failures;
  uint64_t count(StringRef kind, bool isOurs) const;
};

llvm::Expected<HostileTotals> runHostile(const HostileOptions &options);
void printTotals(const HostileTotals &totals, raw_ostream &os);

} // namespace mlir::nestor::fuzz

#endif // NESTOR_FUZZ_HOSTILE_H
