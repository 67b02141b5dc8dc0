//===- Guards.cpp - A clear end for programs that crash or hang -----------===//
#include "Commands.h"

#include <csignal>
#include <cstring>
#include <sys/time.h>
#include <unistd.h>

using namespace mlir::nestor;

/// Read by the signal handler, which may neither allocate nor lock.
static char currentWork[256] = "starting";

static const char *describe(int signal) {
  switch (signal) {
  case SIGALRM:
    return "ran longer than --timeout allows";
  case SIGFPE:
    return "crashed: arithmetic fault";
  case SIGILL:
    return "crashed: illegal instruction";
  case SIGABRT:
    return "crashed: aborted";
  default:
    return "crashed: invalid memory access";
  }
}

static void onSignal(int signal) {
  auto print = [](const char *text) {
    ssize_t ignored = write(STDERR_FILENO, text, strlen(text));
    (void)ignored;
  };
  print("error: ");
  print(currentWork);
  print(": ");
  print(describe(signal));
  print("\n");
  _exit(kError);
}

void mlir::nestor::setDoing(llvm::StringRef doing) {
  size_t size = std::min(doing.size(), sizeof(currentWork) - 1);
  memcpy(currentWork, doing.data(), size);
  currentWork[size] = 0;
}

void mlir::nestor::guardProcess(double seconds) {
  // A stack of its own, for programs that overflow theirs.
  static char stack[64 << 10];
  stack_t alternative{};
  alternative.ss_sp = stack;
  alternative.ss_size = sizeof(stack);
  sigaltstack(&alternative, nullptr);
  struct sigaction action{};
  action.sa_handler = onSignal;
  action.sa_flags = SA_ONSTACK;
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM})
    sigaction(signal, &action, nullptr);
  if (seconds <= 0)
    return;
  itimerval timer{};
  timer.it_value.tv_sec = time_t(seconds);
  timer.it_value.tv_usec =
      suseconds_t((seconds - double(time_t(seconds))) * 1e6);
  setitimer(ITIMER_REAL, &timer, nullptr);
}
