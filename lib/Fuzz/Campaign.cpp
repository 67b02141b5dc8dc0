//===- Campaign.cpp - Many trials, in children ----------------------------===//
//
// Fuzz room; see Campaign.h. Seeds are dealt out in chunks; a child works on
// one chunk and writes a line for each seed. When it dies, the seed that it
// worked on is a failure and another child does the rest of the chunk. Chunks
// are added to the totals in order, so that these do not depend on the number
// of children.
//
//===----------------------------------------------------------------------===//
#include "nestor/Fuzz/Campaign.h"

#include "Child.h"
#include "nestor/Fuzz/Generator.h"
#include "nestor/InitAll.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

#include <chrono>
#include <csignal>
#include <poll.h>

using namespace mlir;
using namespace mlir::nestor;
using namespace mlir::nestor::fuzz;
using llvm::Error;
using llvm::Expected;

/// A child that says nothing for so long hangs without using the processor.
static constexpr double kSilence = 900;
static constexpr uint64_t kMemory = uint64_t(6) << 30;

static volatile sig_atomic_t interrupted = 0;

//===----------------------------------------------------------------------===//
// A seed's line
//===----------------------------------------------------------------------===//

namespace {
/// What a child says of one seed.
struct SeedReport {
  uint64_t seed = 0, pairs = 0, changed = 0;
  bool isOptimized = false, mayOverlap = false, isUnfit = false;
  std::vector<uint64_t> scops;
  std::map<std::pair<unsigned, unsigned>, uint64_t> cells;
  std::vector<unsigned> program;
  std::vector<CaseReport> failures;
};
} // namespace

static SeedReport summarize(uint64_t seed, const TrialResult &result) {
  SeedReport report;
  report.seed = seed;
  report.isOptimized = result.isOptimized;
  report.mayOverlap = result.mayOverlap;
  report.scops = result.scopHashes;
  for (const Pair &pair : result.pairs) {
    ++report.pairs;
    report.changed += pair.isChanged;
    if (!pair.isChanged)
      continue;
    std::set<std::pair<unsigned, unsigned>> cells;
    for (auto [constructs, traits] : pair.scops)
      for (unsigned t = 0; t < getTraitNames().size(); ++t)
        for (unsigned c = 0; traits[t] && c < getConstructNames().size(); ++c)
          if (constructs[c])
            cells.insert({t, c});
    for (auto cell : cells)
      ++report.cells[cell];
  }
  for (unsigned c = 0; report.changed && c < getConstructNames().size(); ++c)
    if (result.program[c])
      report.program.push_back(c);
  for (const Failure &failure : result.failures)
    report.failures.push_back({seed, failure.candidate, failure.kind,
                               failure.detail,
                               failure.candidate < result.pairs.size()
                                   ? result.pairs[failure.candidate].description
                                   : ""});
  return report;
}

static std::string toLine(const SeedReport &report) {
  llvm::json::Array scops, cells, program, failures;
  for (uint64_t hash : report.scops)
    scops.push_back(llvm::utohexstr(hash));
  for (auto [cell, count] : report.cells)
    cells.push_back(llvm::json::Array{cell.first, cell.second, count});
  for (unsigned construct : report.program)
    program.push_back(construct);
  for (const CaseReport &failure : report.failures)
    failures.push_back(llvm::json::Array{failure.candidate, failure.kind,
                                         failure.detail, failure.schedule});
  llvm::json::Object object{
      {"seed", report.seed},           {"pairs", report.pairs},
      {"changed", report.changed},     {"optimized", report.isOptimized},
      {"overlap", report.mayOverlap},  {"unfit", report.isUnfit},
      {"scops", std::move(scops)},     {"cells", std::move(cells)},
      {"program", std::move(program)}, {"failures", std::move(failures)}};
  return llvm::formatv("{0}", llvm::json::Value(std::move(object)));
}

static SeedReport fromLine(StringRef line) {
  SeedReport report;
  llvm::json::Value value = llvm::cantFail(llvm::json::parse(line));
  llvm::json::Object &object = *value.getAsObject();
  auto number = [&](StringRef key) { return *object.getInteger(key); };
  report.seed = number("seed");
  report.pairs = number("pairs");
  report.changed = number("changed");
  report.isOptimized = *object.getBoolean("optimized");
  report.mayOverlap = *object.getBoolean("overlap");
  report.isUnfit = *object.getBoolean("unfit");
  for (const llvm::json::Value &hash : *object.getArray("scops")) {
    uint64_t bits = 0;
    hash.getAsString()->getAsInteger(16, bits);
    report.scops.push_back(bits);
  }
  for (const llvm::json::Value &entry : *object.getArray("cells")) {
    const llvm::json::Array &cell = *entry.getAsArray();
    report.cells[{unsigned(*cell[0].getAsInteger()),
                  unsigned(*cell[1].getAsInteger())}] = *cell[2].getAsInteger();
  }
  for (const llvm::json::Value &construct : *object.getArray("program"))
    report.program.push_back(unsigned(*construct.getAsInteger()));
  for (const llvm::json::Value &entry : *object.getArray("failures")) {
    const llvm::json::Array &failure = *entry.getAsArray();
    report.failures.push_back(
        {report.seed, unsigned(*failure[0].getAsInteger()),
         failure[1].getAsString()->str(), failure[2].getAsString()->str(),
         failure[3].getAsString()->str()});
  }
  return report;
}

//===----------------------------------------------------------------------===//
// The child's side
//===----------------------------------------------------------------------===//

static int workOn(uint64_t from, uint64_t to, const CampaignOptions &options,
                  Progress &progress, int descriptor) {
  limitMemory(kMemory);
  DialectRegistry registry;
  registerHarnessDialects(registry);
  registerAllNestor(registry);
  auto trials = Trials::create(progress);
  if (!trials) {
    llvm::errs() << "error: " << toString(trials.takeError()) << "\n";
    return 2;
  }
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  // Failures are told by other means.
  ScopedDiagnosticHandler silence(&context, [](Diagnostic &) {});
  for (uint64_t seed = from; seed < to; ++seed) {
    progress.seed = seed;
    progress.candidate = 0;
    progress.stage = Stage::Generate;
    limitTime(options.seconds);
    OwningOpRef<ModuleOp> program = generate(context, seed);
    SeedReport report;
    if (auto result = (*trials)->run(*program, seed, options.trial)) {
      report = summarize(seed, *result);
    } else {
      report.seed = seed;
      report.failures.push_back(
          {seed, 0, "unfit", toString(result.takeError()), ""});
    }
    if (!writeLine(descriptor, toLine(report)))
      return 2;
  }
  return 0;
}

//===----------------------------------------------------------------------===//
// The parent's side
//===----------------------------------------------------------------------===//

namespace {
using Clock = std::chrono::steady_clock;

/// A child and the chunk that it works on.
struct Job {
  SharedProgress progress;
  std::unique_ptr<Child> child;
  uint64_t chunk = 0, next = 0, end = 0;
  std::vector<SeedReport> reports;
  Clock::time_point heard;
};

class Campaign {
public:
  Campaign(const CampaignOptions &options, Totals totals)
      : options(options), totals(std::move(totals)) {}
  Error run();
  Totals take() { return std::move(totals); }

private:
  Error start(Job &job);
  bool assign(Job &job);
  Error listen(Job &job);
  void noteDeath(Job &job, const End &end);
  Error finish(Job &job);
  Error add(const std::vector<SeedReport> &reports, uint64_t end);
  void addSeed(const SeedReport &report);
  bool isDone() const;
  void show() const;

  const CampaignOptions &options;
  Totals totals;
  std::vector<std::unique_ptr<Job>> jobs;
  uint64_t nextSeed = 0;
  /// Chunks that are ready before an earlier one is, by first seed.
  std::map<uint64_t, std::pair<uint64_t, std::vector<SeedReport>>> waiting;
  Clock::time_point started = Clock::now();
  uint64_t pairsBefore = 0;
};
} // namespace

bool Campaign::isDone() const {
  return interrupted || totals.failures.size() >= options.maxFailures ||
         (options.pairs && totals.pairs >= options.pairs);
}

Error Campaign::start(Job &job) {
  auto child = Child::start([&](int descriptor) {
    return workOn(job.next, job.end, options, job.progress.get(), descriptor);
  });
  if (!child)
    return child.takeError();
  job.child = std::move(*child);
  job.heard = Clock::now();
  return Error::success();
}

/// Gives the job the next chunk; false if there is none.
bool Campaign::assign(Job &job) {
  if (nextSeed >= options.lastSeed)
    return false;
  job.chunk = job.next = nextSeed;
  job.end = nextSeed = std::min(nextSeed + options.chunk, options.lastSeed);
  job.reports.clear();
  return true;
}

void Campaign::noteDeath(Job &job, const End &end) {
  const Progress &progress = job.progress.get();
  SeedReport report;
  report.seed = job.next;
  CaseReport failure;
  failure.seed = job.next;
  failure.candidate = progress.candidate;
  failure.kind = end.how == End::Hung ? "hang" : "crash";
  failure.detail = (end.what + ", in: " + getStageName(progress.stage)).str();
  report.failures.push_back(failure);
  job.reports.push_back(report);
  ++job.next;
}

/// Takes what a child says, or notes its end and replaces it.
Error Campaign::listen(Job &job) {
  std::vector<std::string> lines;
  if (job.child->readLines(lines)) {
    job.heard = Clock::now();
    for (const std::string &line : lines)
      job.reports.push_back(fromLine(line));
    job.next = job.chunk + job.reports.size();
    return Error::success();
  }
  End end = job.child->wait();
  job.child.reset();
  if (end.how == End::Finished && end.status)
    return llvm::createStringError("a child could not work");
  if (end.how != End::Finished && job.next < job.end)
    noteDeath(job, end);
  return job.next < job.end ? start(job) : finish(job);
}

Error Campaign::finish(Job &job) {
  waiting[job.chunk] = {job.end, std::move(job.reports)};
  for (auto it = waiting.find(totals.nextSeed);
       it != waiting.end() && !isDone(); it = waiting.find(totals.nextSeed)) {
    if (Error error = add(it->second.second, it->second.first))
      return error;
    waiting.erase(it);
  }
  return assign(job) ? start(job) : Error::success();
}

void Campaign::addSeed(const SeedReport &report) {
  totals.programs += report.pairs > 0;
  totals.untouched += report.pairs == 0 && report.failures.empty();
  totals.pairs += report.pairs;
  totals.changed += report.changed;
  totals.optimized += report.isOptimized ? report.pairs : 0;
  totals.overlapping += report.mayOverlap ? report.pairs : 0;
  for (uint64_t hash : report.scops)
    totals.scops.insert(uint32_t(hash >> 32));
  for (auto [cell, count] : report.cells)
    totals.cells[cell] += count;
  for (unsigned construct : report.program)
    totals.beside[construct] += report.changed;
  if (totals.failures.empty())
    totals.pairsToFailure = totals.pairs;
  llvm::append_range(totals.failures, report.failures);
}

Error Campaign::add(const std::vector<SeedReport> &reports, uint64_t end) {
  std::string text;
  for (const SeedReport &report : reports) {
    addSeed(report);
    text += toLine(report);
    for (const CaseReport &failure : report.failures)
      if (!options.quiet)
        llvm::errs() << "seed " << failure.seed << ", schedule "
                     << failure.candidate << ": " << failure.kind << ": "
                     << failure.detail << "\n";
  }
  totals.nextSeed = end;
  totals.blocks.push_back(
      {end, llvm::utohexstr(llvm::xxh3_64bits(text), /*LowerCase=*/true, 16)});
  if (!options.quiet)
    show();
  return options.log.empty() ? Error::success() : writeLog(totals, options.log);
}

/// One line: how far it is, and how long it will take.
void Campaign::show() const {
  double seconds =
      std::chrono::duration<double>(Clock::now() - started).count();
  double rate = double(totals.pairs - pairsBefore) / std::max(seconds, 1e-3);
  llvm::errs() << llvm::formatv(
      "seed {0}: {1} pairs, {2} failures, {3} scops, {4:f1} pairs/s",
      totals.nextSeed, totals.pairs, totals.failures.size(),
      totals.scops.size(), rate);
  if (options.pairs > totals.pairs && rate > 0)
    llvm::errs() << llvm::formatv(
        ", {0:f0} min left", double(options.pairs - totals.pairs) / rate / 60);
  llvm::errs() << "\n";
}

Error Campaign::run() {
  nextSeed = totals.nextSeed;
  pairsBefore = totals.pairs;
  for (unsigned i = 0; i < std::max(1u, options.jobs) && !isDone(); ++i) {
    jobs.push_back(std::make_unique<Job>());
    if (assign(*jobs.back()))
      if (Error error = start(*jobs.back()))
        return error;
  }
  while (!isDone()) {
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

Expected<Totals> fuzz::runCampaign(const CampaignOptions &options) {
  Totals totals;
  totals.firstSeed = totals.nextSeed = options.firstSeed;
  if (!options.log.empty() && llvm::sys::fs::exists(options.log)) {
    auto known = readLog(options.log);
    if (!known)
      return known.takeError();
    totals = std::move(*known);
  }
  auto oldInterrupt = signal(SIGINT, [](int) { interrupted = 1; });
  auto oldTerminate = signal(SIGTERM, [](int) { interrupted = 1; });
  Campaign campaign(options, std::move(totals));
  Error error = campaign.run();
  signal(SIGINT, oldInterrupt);
  signal(SIGTERM, oldTerminate);
  if (error)
    return std::move(error);
  return campaign.take();
}
