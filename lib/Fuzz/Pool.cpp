//===- Pool.cpp - Many seeds in several children --------------------------===//
//
// Fuzz room; see Pool.h.
//
//===----------------------------------------------------------------------===//
#include "Pool.h"

#include <csignal>
#include <poll.h>

using namespace mlir::nestor::fuzz;
using llvm::Error;
using Clock = std::chrono::steady_clock;

/// A child that says nothing for so long hangs without using the processor.
static constexpr double kSilence = 1800;

static volatile sig_atomic_t interrupted = 0;

/// A child and the chunk that it works on.
struct Pool::Job {
  SharedProgress progress;
  std::unique_ptr<Child> child;
  uint64_t first = 0, next = 0, end = 0;
  std::vector<SeedEnd> seeds;
  Clock::time_point heard;
};

Pool::Pool(const PoolOptions &options, Work work, Take take)
    : options(options), work(std::move(work)), take(std::move(take)),
      nextSeed(options.firstSeed), nextTaken(options.firstSeed) {}
Pool::~Pool() = default;

Error Pool::start(Job &job) {
  auto child = Child::start([&](int descriptor) {
    return work(job.next, job.end, job.progress.get(), descriptor);
  });
  if (!child)
    return child.takeError();
  job.child = std::move(*child);
  job.heard = Clock::now();
  return Error::success();
}

/// Gives the job the next chunk; false if there is none.
bool Pool::assign(Job &job) {
  if (nextSeed >= options.lastSeed)
    return false;
  job.first = job.next = nextSeed;
  job.end = nextSeed = std::min(nextSeed + options.chunk, options.lastSeed);
  job.seeds.clear();
  return true;
}

/// Takes what a child says, or notes its end and replaces it.
Error Pool::listen(Job &job) {
  std::vector<std::string> lines;
  if (job.child->readLines(lines)) {
    job.heard = Clock::now();
    for (std::string &line : lines)
      job.seeds.push_back({job.next++, std::move(line), std::nullopt, {}});
    return Error::success();
  }
  End end = job.child->wait();
  job.child.reset();
  if (end.how == End::Finished && end.status == kCannotWork)
    return llvm::createStringError("a child could not work");
  if (end.how == End::Finished && job.next < job.end)
    end = {End::Crashed, end.status, "it ended early"};
  if (job.next < job.end)
    job.seeds.push_back({job.next++, "", end, job.progress.get()});
  return job.next < job.end ? start(job) : finish(job);
}

Error Pool::finish(Job &job) {
  waiting[job.first] = std::move(job.seeds);
  for (auto it = waiting.find(nextTaken); it != waiting.end() && !done;
       it = waiting.find(nextTaken)) {
    nextTaken = it->second.back().seed + 1;
    if (Error error = take(it->second, done))
      return error;
    waiting.erase(it);
  }
  return !done && assign(job) ? start(job) : Error::success();
}

Error Pool::listenToAll() {
  while (!done && !interrupted) {
    std::vector<pollfd> descriptors;
    std::vector<Job *> active;
    for (auto &job : jobs)
      if (job->child) {
        descriptors.push_back({job->child->getDescriptor(), POLLIN, 0});
        active.push_back(job.get());
      }
    if (active.empty())
      break;
    if (poll(descriptors.data(), descriptors.size(), 1000) < 0)
      continue; // a signal
    for (auto [descriptor, job] : llvm::zip(descriptors, active)) {
      if (descriptor.revents)
        if (Error error = listen(*job))
          return error;
      std::chrono::duration<double> silent = Clock::now() - job->heard;
      if (job->child && silent.count() > kSilence)
        job->child->kill();
    }
  }
  return Error::success();
}

Error Pool::run() {
  auto oldInterrupt = signal(SIGINT, [](int) { interrupted = 1; });
  auto oldTerminate = signal(SIGTERM, [](int) { interrupted = 1; });
  Error error = Error::success();
  for (unsigned i = 0; i < std::max(1u, options.jobs) && !error; ++i) {
    jobs.push_back(std::make_unique<Job>());
    if (!assign(*jobs.back()))
      break;
    error = start(*jobs.back());
  }
  if (!error)
    error = listenToAll();
  jobs.clear();
  signal(SIGINT, oldInterrupt);
  signal(SIGTERM, oldTerminate);
  return error;
}
