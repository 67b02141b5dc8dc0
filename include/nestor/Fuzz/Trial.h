//===- Trial.h - What a program and its schedules compute -------*- C++ -*-===//
//
// Fuzz room: the check itself, in this process. A crash or an endless loop ends
// the process; whoever calls runs trials in a child (Campaign.h) and finds in
// Progress how far they came.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_FUZZ_TRIAL_H
#define NESTOR_FUZZ_TRIAL_H

#include "nestor/Analysis/FaultInjection.h"
#include "nestor/Fuzz/Constructs.h"
#include "nestor/Fuzz/Harness.h"

#include "mlir/IR/OwningOpRef.h"

namespace mlir::nestor::fuzz {

enum class Stage : uint32_t {
  Idle,
  Generate,
  Schedule,
  Compile,
  RunBase,
  RunCandidate,
  Parse,
  Verify,
  Passes
};
llvm::StringRef getStageName(Stage stage);

/// What the stack of a process looked like when it died.
struct Autopsy {
  bool isKnown = false; ///< somebody looked
  bool isOurs = false;  ///< a function of Nestor was active
  uint64_t offset = 0;  ///< where in the executable, in the innermost of them
  char place[256] = {}; ///< the innermost function with a name
};

/// Where a trial stands; kept in memory that outlives the process.
struct Progress {
  Stage stage = Stage::Idle;
  uint32_t candidate = 0;
  uint64_t seed = 0;
  Autopsy autopsy;
};

struct TrialOptions {
  /// Schedules that are drawn for the program.
  unsigned schedules = 8;
  /// Of 100 programs: how many are compiled with all optimizations, and get a
  /// schedule from a search with the analytical model.
  unsigned optimize = 5, search = 30;
  /// A rule of legality that is broken on purpose.
  Fault fault = Fault::None;
  bool record = false; ///< write down schedules as attributes
};

/// One schedule of the program.
struct Pair {
  bool isChanged = false;       ///< the IR is not the base's
  bool assumesDistinct = false; ///< it holds for buffers apart only
  /// Constructs and traits of each scop that was rewritten.
  std::vector<std::pair<Constructs, Traits>> scops;
  std::string description; ///< what was drawn
  std::string schedule;    ///< the kernel's nestor.schedule, if recorded
};

struct Failure {
  unsigned candidate; ///< number of the pair
  std::string kind;   ///< "wrong", "illegal", "invalid", "compile"
  std::string detail;
};

struct TrialResult {
  std::vector<Pair> pairs;
  std::vector<Failure> failures;
  std::vector<uint64_t> scopHashes;
  Constructs program; ///< constructs of the whole kernel
  bool isOptimized = false;
  bool mayOverlap = false; ///< some buffers were given overlapping
};

/// Runs trials with one compiler and one memory.
class Trials {
public:
  static llvm::Expected<std::unique_ptr<Trials>> create(Progress &progress);
  ~Trials();

  /// Schedules, compiles, runs and compares. The module stays as it is. An
  /// Error says that the program itself is not fit for a trial.
  llvm::Expected<TrialResult> run(ModuleOp program, uint64_t seed,
                                  const TrialOptions &options);

private:
  explicit Trials(Progress &progress) : progress(progress) {}
  void draw(ModuleOp module, uint64_t seed, const TrialOptions &options,
            TrialResult &result);
  llvm::Error execute(const Layout &layout, uint64_t seed, TrialResult &result);

  Progress &progress;
  std::unique_ptr<Jit> jit;
  std::unique_ptr<Arena> arena;
};

} // namespace mlir::nestor::fuzz

#endif // NESTOR_FUZZ_TRIAL_H
