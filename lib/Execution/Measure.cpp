//===- Measure.cpp - The parent's side of the measuring helper ------------===//
//
// Execution room: starts the helper, feeds it, and turns its end (a crash, a
// program that never ends) into the status of the candidate it worked on. The
// candidates after that one go to a new helper.
//
//===----------------------------------------------------------------------===//
#include "nestor/Execution/Measure.h"

#include "Protocol.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

using namespace mlir::nestor;
using llvm::Error;
using llvm::Expected;

static Error makeError(const llvm::Twine &message) {
  return llvm::createStringError(message);
}

//===----------------------------------------------------------------------===//
// Finding and starting the helper
//===----------------------------------------------------------------------===//

static Expected<std::string> findHelper(const MeasurerOptions &options) {
  std::string wanted = options.helperPath;
  if (wanted.empty())
    wanted = llvm::sys::Process::GetEnv("NESTOR_MEASURE").value_or("");
  if (!wanted.empty()) {
    if (llvm::sys::fs::can_execute(wanted))
      return wanted;
    return makeError("cannot execute the measuring helper '" + wanted + "'");
  }
  // This code is part of a program in bin, or of a plugin in lib.
  Dl_info info;
  llvm::SmallString<256> self;
  if (dladdr(reinterpret_cast<void *>(&runWorker), &info) && info.dli_fname)
    (void)llvm::sys::fs::real_path(info.dli_fname, self);
  llvm::StringRef folder = llvm::sys::path::parent_path(self);
  for (llvm::StringRef relative : {"nestor-measure", "../bin/nestor-measure"}) {
    llvm::SmallString<256> path = folder;
    llvm::sys::path::append(path, relative);
    if (llvm::sys::fs::can_execute(path))
      return std::string(path);
  }
  return makeError("cannot find nestor-measure beside '" + self.str() +
                   "': build or install it there, or set NESTOR_MEASURE to "
                   "its path");
}

class Measurer::Helper {
public:
  static Expected<std::unique_ptr<Helper>>
  start(const MeasurerOptions &options);
  ~Helper() { stop(); }

  /// Ends the process, if there is one, and returns what ended it: the signal's
  /// name or its exit status, in words.
  std::string stop();

  int fileDescriptor = -1;
  std::unique_ptr<LineReader> reader;

private:
  pid_t process = -1;
};

/// Starts `arguments` with `theirs` as standard input and output.
static int spawn(std::vector<std::string> arguments, int theirs,
                 pid_t &process) {
  std::vector<char *> pointers;
  for (std::string &argument : arguments)
    pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, theirs, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, theirs, STDOUT_FILENO);
  int error = posix_spawn(&process, pointers[0], &actions, nullptr,
                          pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

Expected<std::unique_ptr<Measurer::Helper>>
Measurer::Helper::start(const MeasurerOptions &options) {
  Expected<std::string> path = findHelper(options);
  if (!path)
    return path.takeError();
  int ends[2];
  // Closed on exec, so that no other child keeps the connection open.
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
    return makeError(llvm::Twine("cannot connect to the measuring helper: ") +
                     strerror(errno));
  auto helper = std::make_unique<Helper>();
  int error = spawn({*path, "worker", "--core=" + std::to_string(options.core),
                     "--memory=" + std::to_string(options.memoryBytes)},
                    ends[1], helper->process);
  close(ends[1]);
  helper->fileDescriptor = ends[0];
  helper->reader = std::make_unique<LineReader>(ends[0]);
  if (error)
    return makeError("cannot start the measuring helper '" + *path +
                     "': " + strerror(error));
  std::string line;
  if (helper->reader->read(line, 60) != LineReader::Line)
    return makeError("the measuring helper '" + *path +
                     "' did not start: " + helper->stop());
  return helper;
}

std::string Measurer::Helper::stop() {
  if (fileDescriptor >= 0)
    close(fileDescriptor);
  fileDescriptor = -1;
  if (process <= 0)
    return "";
  // A helper that crashed is on its way out by itself; its own signal tells
  // more than ours.
  int status = 0;
  pid_t ended = 0;
  for (int wait = 0; wait < 50 && ended == 0; ++wait) {
    ended = waitpid(process, &status, WNOHANG);
    if (ended == 0)
      usleep(2000);
  }
  if (ended == 0) {
    kill(process, SIGKILL);
    while (waitpid(process, &status, 0) < 0 && errno == EINTR)
      ;
  }
  process = -1;
  if (WIFSIGNALED(status))
    return std::string("signal ") + strsignal(WTERMSIG(status));
  return "exit status " + std::to_string(WEXITSTATUS(status));
}

//===----------------------------------------------------------------------===//
// Jobs
//===----------------------------------------------------------------------===//

Measurer::Measurer(MeasurerOptions options) : options(std::move(options)) {}
Measurer::~Measurer() = default;

/// Takes what a report says over into the answers and the order for a restart.
static void take(const Report &report, WorkOrder &order,
                 std::vector<Measurement> &answers) {
  if (report.kind == Report::Base) {
    order.baseSeconds = report.measurement.baseSeconds;
    order.baseHash = report.measurement.baseHash;
    return;
  }
  answers[report.candidate] = report.measurement;
  order.first = report.candidate + 1;
  if (report.isAnchor) {
    order.anchor = report.candidate;
    order.anchorLogRatio = report.measurement.logRatio;
  }
}

static std::vector<Measurement> failAll(const MeasureJob &job,
                                        Measurement measurement) {
  measurement.detail = "base: " + measurement.detail;
  return std::vector<Measurement>(job.candidateTexts.size(), measurement);
}

/// What ended the work on an order.
enum class Measurer::End { Done, Died, TimedOut, Restart, BadAnswer };

Measurer::End Measurer::process(WorkOrder &order, bool &baseDone,
                                std::vector<Measurement> &answers) {
  if (!writeLine(helper->fileDescriptor, toJSON(order)))
    return End::Died;
  while (true) {
    std::string line;
    LineReader::Result result =
        helper->reader->read(line, order.job.timeoutSeconds);
    if (result != LineReader::Line)
      return result == LineReader::Closed ? End::Died : End::TimedOut;
    Report report;
    llvm::json::Path::Root root;
    Expected<llvm::json::Value> value = llvm::json::parse(line);
    if (!value) {
      llvm::consumeError(value.takeError());
      return End::BadAnswer;
    }
    if (!fromJSON(*value, report, root) || report.candidate > answers.size())
      return End::BadAnswer;
    if (report.kind == Report::Done)
      return order.first == answers.size() ? End::Done : End::BadAnswer;
    if (report.kind == Report::Base &&
        report.measurement.status != Measurement::Ok) {
      answers = failAll(order.job, report.measurement);
      order.first = answers.size();
      return End::Done;
    }
    baseDone = true;
    take(report, order, answers);
    if (report.mustRestart)
      return End::Restart;
  }
}

/// Blames the program that the helper worked on when it ended.
static void blame(bool late, const std::string &end, bool baseDone,
                  WorkOrder &order, std::vector<Measurement> &answers) {
  Measurement failed;
  failed.baseHash = order.baseHash;
  failed.baseSeconds = order.baseSeconds;
  failed.status = late ? Measurement::TimedOut : Measurement::Crashed;
  failed.detail =
      late ? "ran longer than the time limit" : "ended the process: " + end;
  if (baseDone) {
    answers[order.first++] = failed;
  } else if (order.anchor) { // The base ran before; do without the anchor.
    order.anchor.reset();
  } else if (order.first > 0) {
    failed.detail = "base, after a restart: " + failed.detail;
    answers[order.first++] = failed;
  } else {
    answers = failAll(order.job, failed);
    order.first = answers.size();
  }
}

Expected<std::vector<Measurement>> Measurer::measure(const MeasureJob &job) {
  std::vector<Measurement> answers(job.candidateTexts.size());
  WorkOrder order;
  order.job = job;
  while (order.first < answers.size()) {
    bool fresh = !helper;
    if (fresh) {
      auto started = Helper::start(options);
      if (!started)
        return started.takeError();
      helper = std::move(*started);
    }
    bool baseDone = false;
    End outcome = process(order, baseDone, answers);
    if (outcome == End::Done)
      break;
    std::string end = helper->stop();
    helper.reset();
    if (outcome == End::BadAnswer)
      return makeError("the measuring helper answered something else than "
                       "expected: is it of the same version as its caller?");
    // A helper that ended while it was idle is nobody's fault.
    bool wasIdle = outcome == End::Died && !fresh && !baseDone;
    if (outcome != End::Restart && !wasIdle)
      blame(outcome == End::TimedOut, end, baseDone, order, answers);
  }
  return answers;
}
