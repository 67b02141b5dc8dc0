//===- Pool.h - Many seeds in several children ------------------*- C++ -*-===//
//
// Private to the Fuzz room. Seeds are dealt out in chunks; a child works on one
// chunk and writes a line for each seed. When it dies, the seed that it worked
// on is told so and another child does the rest of the chunk. Chunks are handed
// over in order, so that nothing depends on the number of children.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_LIB_FUZZ_POOL_H
#define NESTOR_LIB_FUZZ_POOL_H

#include "Child.h"

#include <chrono>
#include <map>

namespace mlir::nestor::fuzz {

/// What became of one seed: a line, or the end of the child.
struct SeedEnd {
  uint64_t seed = 0;
  std::string line;
  std::optional<End> death;
  Progress progress; ///< at death
};

struct PoolOptions {
  uint64_t firstSeed = 0, lastSeed = 0; ///< lastSeed is not tried
  uint64_t chunk = 64;
  unsigned jobs = 1;
};

class Pool {
public:
  /// In a child: works on the seeds [from, to) and writes a line for each.
  using Work = std::function<int(uint64_t from, uint64_t to, Progress &progress,
                                 int descriptor)>;
  /// In the parent: takes the seeds of a chunk; `done` makes the pool stop.
  using Take =
      std::function<llvm::Error(const std::vector<SeedEnd> &seeds, bool &done)>;

  Pool(const PoolOptions &options, Work work, Take take);
  ~Pool();
  /// Until the last seed, `done`, SIGINT or SIGTERM.
  llvm::Error run();

private:
  struct Job;
  llvm::Error start(Job &job);
  bool assign(Job &job);
  llvm::Error listen(Job &job);
  llvm::Error finish(Job &job);
  llvm::Error listenToAll();

  PoolOptions options;
  Work work;
  Take take;
  std::vector<std::unique_ptr<Job>> jobs;
  uint64_t nextSeed, nextTaken;
  bool done = false;
  /// Chunks that are ready before an earlier one is, by first seed.
  std::map<uint64_t, std::vector<SeedEnd>> waiting;
};

} // namespace mlir::nestor::fuzz

#endif // NESTOR_LIB_FUZZ_POOL_H
