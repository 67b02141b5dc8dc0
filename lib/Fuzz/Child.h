//===- Child.h - Work in a process that may die -----------------*- C++ -*-===//
//
// Private to the Fuzz room. A child is a fork of this process that runs one
// function, writes lines, and ends. What kills it (a crash, too much processor
// time, too much memory) is reported, not suffered. Fork only where no other
// thread runs.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_LIB_FUZZ_CHILD_H
#define NESTOR_LIB_FUZZ_CHILD_H

#include "nestor/Fuzz/Trial.h"

#include <functional>
#include <sys/time.h>
#include <sys/types.h>

namespace mlir::nestor::fuzz {

/// Memory that a child shares with its parent, for a Progress.
class SharedProgress {
public:
  SharedProgress();
  ~SharedProgress();
  SharedProgress(const SharedProgress &) = delete;
  SharedProgress &operator=(const SharedProgress &) = delete;
  Progress &get() { return *progress; }

private:
  Progress *progress;
};

/// Exit status of a child that can do nothing for a reason of the system's. Any
/// other early exit is what the work did.
inline constexpr int kCannotWork = 2;

/// How a child ended.
struct End {
  enum How { Finished, Crashed, Hung };
  How how = Finished;
  int status = 0;   ///< exit status, if it finished
  std::string what; ///< in words, if it did not
};

class Child {
public:
  /// Starts `body`, whose result is the exit status. It may write to the file
  /// descriptor that it gets. An Error only where the system has no process.
  static llvm::Expected<std::unique_ptr<Child>>
  start(const std::function<int(int)> &body);
  /// Kills it if it still runs.
  ~Child();

  int getDescriptor() const { return descriptor; }
  /// Complete lines that have come since the last call; false at the end.
  bool readLines(std::vector<std::string> &lines);
  End wait();
  void kill();

private:
  Child() = default;
  pid_t process = -1;
  int descriptor = -1;
  bool isKilled = false;
  std::string pending;
};

/// In a child: from now on, this many seconds of processor time.
void limitTime(double seconds);

/// In a child: another limit for a while; afterwards the time that was left
/// goes on.
class OtherTimeLimit {
public:
  explicit OtherTimeLimit(double seconds);
  ~OtherTimeLimit();

private:
  itimerval left{};
};
/// What a child may use; more is a leak.
inline constexpr uint64_t kChildMemory = uint64_t(6) << 30;
/// In a child: bytes of address space.
void limitMemory(uint64_t bytes);
/// In a child: a line for the parent; false if it is gone.
bool writeLine(int descriptor, std::string line);

/// Runs `body` in a child, whatever it writes thrown away.
llvm::Expected<End> runInChild(const std::function<int()> &body);

} // namespace mlir::nestor::fuzz

#endif // NESTOR_LIB_FUZZ_CHILD_H
