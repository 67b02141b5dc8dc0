//===- Autopsy.cpp - Where a process died ---------------------------------===//
//
// Fuzz room; see Autopsy.h.
//
//===----------------------------------------------------------------------===//
#include "Autopsy.h"

#include "llvm/DebugInfo/Symbolize/Symbolize.h"
#include "llvm/Demangle/Demangle.h"

#include <csignal>
#include <cstring>
#include <dlfcn.h>
#include <execinfo.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace mlir::nestor::fuzz;

/// More frames than fit in the stack of a thread.
static constexpr int kMaxFrames = 1 << 18;
static constexpr size_t kSignalStack = size_t(1) << 20;
/// Seconds that the handler itself may take; it may wait for a lock that the
/// code it interrupted holds.
static constexpr unsigned kPatience = 10;

static Autopsy *where = nullptr;
static void *frames[kMaxFrames];
static int markedFrames = 0;

static const void *executable() {
  Dl_info info;
  return dladdr(reinterpret_cast<void *>(&watchDeath), &info) ? info.dli_fbase
                                                              : nullptr;
}

/// Frames of the handler itself: its own, and that which the kernel made.
static constexpr int kHandlerFrames = 2;

static void lookAtStack() {
  int count = backtrace(frames, kMaxFrames);
  int last = count == kMaxFrames ? count : count - markedFrames;
  const void *ours = executable();
  for (int i = kHandlerFrames; i < last; ++i) {
    Dl_info info;
    if (!dladdr(frames[i], &info))
      continue;
    if (!where->place[0] && info.dli_sname)
      strncpy(where->place, info.dli_sname, sizeof(where->place) - 1);
    if (info.dli_fbase != ours)
      continue;
    where->isOurs = true;
    // A return address is behind the call.
    where->offset = static_cast<char *>(frames[i]) -
                    static_cast<const char *>(info.dli_fbase) - 1;
    break;
  }
  where->isKnown = true;
}

static void onDeath(int number) {
  signal(number, SIG_DFL);
  signal(SIGALRM, SIG_DFL);
  alarm(kPatience);
  lookAtStack();
  raise(number);
}

void mlir::nestor::fuzz::watchDeath(Autopsy &autopsy) {
  where = &autopsy;
  backtrace(frames, 1); // Loads what the handler must not load.
  stack_t stack{};
  stack.ss_sp = mmap(nullptr, kSignalStack, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  stack.ss_size = kSignalStack;
  sigaltstack(&stack, nullptr);
  for (int number :
       {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGPROF}) {
    struct sigaction action{};
    action.sa_handler = onDeath;
    action.sa_flags = SA_ONSTACK | SA_NODEFER;
    sigaction(number, &action, nullptr);
  }
}

// Its own frame is not there any more when something dies.
__attribute__((noinline)) void mlir::nestor::fuzz::markStack() {
  markedFrames = backtrace(frames, kMaxFrames) - 1;
}

/// The function of this executable at an offset.
static std::string nameOf(uint64_t offset) {
  char path[4096] = {};
  if (readlink("/proc/self/exe", path, sizeof(path) - 1) < 0)
    return "";
  llvm::symbolize::LLVMSymbolizer::Options options;
  options.Demangle = false;
  llvm::symbolize::LLVMSymbolizer symbolizer(options);
  auto info = symbolizer.symbolizeCode(
      std::string(path),
      {offset, llvm::object::SectionedAddress::UndefSection});
  if (!info) {
    llvm::consumeError(info.takeError());
    return "";
  }
  return info->FunctionName;
}

/// Without the parameters, which make a name unreadable.
static std::string demangle(const std::string &name) {
  llvm::ItaniumPartialDemangler demangler;
  if (demangler.partialDemangle(name.c_str()) || !demangler.isFunction())
    return name;
  char *text = demangler.getFunctionName(nullptr, nullptr);
  std::string result = text ? text : name;
  std::free(text);
  return result;
}

std::string mlir::nestor::fuzz::describe(const Autopsy &autopsy) {
  std::string text = demangle(autopsy.place);
  if (!autopsy.isOurs)
    return text;
  return (text.empty() ? "" : text + " under ") +
         demangle(nameOf(autopsy.offset));
}
