//===- Child.cpp - Work in a process that may die -------------------------===//
//
// Fuzz room; see Child.h.
//
//===----------------------------------------------------------------------===//
#include "Child.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir::nestor;
using namespace mlir::nestor::fuzz;
using llvm::Expected;

SharedProgress::SharedProgress() {
  void *address = mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE,
                       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (address == MAP_FAILED)
    llvm::report_bad_alloc_error("cannot share memory with a child");
  progress = new (address) Progress();
}

SharedProgress::~SharedProgress() { munmap(progress, sizeof(Progress)); }

Expected<std::unique_ptr<Child>>
Child::start(const std::function<int(int)> &body) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC))
    return llvm::createStringError(llvm::Twine("cannot make a pipe: ") +
                                   strerror(errno));
  pid_t parent = getpid();
  llvm::outs().flush();
  llvm::errs().flush();
  pid_t process = fork();
  if (process < 0) {
    close(ends[0]);
    close(ends[1]);
    return llvm::createStringError(llvm::Twine("cannot start a child: ") +
                                   strerror(errno));
  }
  if (process == 0) {
    close(ends[0]);
    // Never outlives the parent, and leaves no core files behind.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);
    for (int number : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP})
      signal(number, SIG_DFL);
    int status = getppid() == parent ? body(ends[1]) : 0;
    _exit(status);
  }
  close(ends[1]);
  std::unique_ptr<Child> child(new Child());
  child->process = process;
  child->descriptor = ends[0];
  return std::move(child);
}

Child::~Child() {
  if (process > 0) {
    kill();
    wait();
  }
}

bool Child::readLines(std::vector<std::string> &lines) {
  char buffer[1 << 16];
  ssize_t count;
  do
    count = read(descriptor, buffer, sizeof(buffer));
  while (count < 0 && errno == EINTR);
  if (count <= 0)
    return false;
  pending.append(buffer, size_t(count));
  size_t begin = 0, end;
  while ((end = pending.find('\n', begin)) != std::string::npos) {
    lines.push_back(pending.substr(begin, end - begin));
    begin = end + 1;
  }
  pending.erase(0, begin);
  return true;
}

void Child::kill() {
  isKilled = true;
  ::kill(process, SIGKILL);
}

End Child::wait() {
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  process = -1;
  close(descriptor);
  End end;
  if (WIFEXITED(status)) {
    end.status = WEXITSTATUS(status);
    return end;
  }
  int number = WTERMSIG(status);
  bool isLate = isKilled || number == SIGPROF || number == SIGALRM;
  end.how = isLate ? End::Hung : End::Crashed;
  end.what = end.how == End::Hung ? "took too long" : strsignal(number);
  return end;
}

void mlir::nestor::fuzz::limitTime(double seconds) {
  itimerval timer{};
  timer.it_value.tv_sec = time_t(seconds);
  timer.it_value.tv_usec =
      suseconds_t((seconds - double(timer.it_value.tv_sec)) * 1e6);
  setitimer(ITIMER_PROF, &timer, nullptr);
}

OtherTimeLimit::OtherTimeLimit(double seconds) {
  getitimer(ITIMER_PROF, &left);
  limitTime(seconds);
}

OtherTimeLimit::~OtherTimeLimit() { setitimer(ITIMER_PROF, &left, nullptr); }

void mlir::nestor::fuzz::limitMemory(uint64_t bytes) {
  rlimit limit{bytes, bytes};
  setrlimit(RLIMIT_AS, &limit);
}

bool mlir::nestor::fuzz::writeLine(int descriptor, std::string line) {
  line += '\n';
  const char *at = line.data();
  size_t left = line.size();
  while (left) {
    ssize_t count = write(descriptor, at, left);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return false;
    at += count;
    left -= size_t(count);
  }
  return true;
}

Expected<End> mlir::nestor::fuzz::runInChild(const std::function<int()> &body) {
  auto child = Child::start([&](int) { return body(); });
  if (!child)
    return child.takeError();
  std::vector<std::string> lines;
  while ((*child)->readLines(lines)) {
  }
  return (*child)->wait();
}
