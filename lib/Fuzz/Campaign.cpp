//===- Campaign.cpp - Many trials, in children ----------------------------===//
//
// Fuzz room; see Campaign.h.
//
//===----------------------------------------------------------------------===//
#include "nestor/Fuzz/Campaign.h"

#include "Pool.h"
#include "nestor/Fuzz/Generator.h"
#include "nestor/Fuzz/Reduce.h"
#include "nestor/InitAll.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace mlir::nestor;
using namespace mlir::nestor::fuzz;
using llvm::Error;
using llvm::Expected;

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
  limitMemory(kChildMemory);
  DialectRegistry registry;
  registerHarnessDialects(registry);
  registerAllNestor(registry);
  auto trials = Trials::create(progress);
  if (!trials) {
    llvm::errs() << "error: " << toString(trials.takeError()) << "\n";
    return kCannotWork;
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
      return kCannotWork;
  }
  return 0;
}

//===----------------------------------------------------------------------===//
// The parent's side
//===----------------------------------------------------------------------===//

namespace {
class Campaign {
public:
  Campaign(const CampaignOptions &options, Totals totals)
      : options(options), totals(std::move(totals)),
        pairsBefore(this->totals.pairs) {}
  Error run();
  Totals take() { return std::move(totals); }

private:
  Error add(const std::vector<SeedEnd> &seeds);
  void addSeed(const SeedReport &report);
  void keep(const CaseReport &failure) const;
  bool isDone() const;
  void show() const;

  const CampaignOptions &options;
  Totals totals;
  uint64_t pairsBefore;
  std::chrono::steady_clock::time_point started =
      std::chrono::steady_clock::now();
};
} // namespace

bool Campaign::isDone() const {
  return totals.failures.size() >= options.maxFailures ||
         (options.pairs && totals.pairs >= options.pairs);
}

/// The report of a seed that its child died of.
static SeedReport reportDeath(const SeedEnd &seed) {
  SeedReport report;
  report.seed = seed.seed;
  CaseReport failure;
  failure.seed = seed.seed;
  failure.candidate = seed.progress.candidate;
  failure.kind = seed.death->how == End::Hung ? "hang" : "crash";
  failure.detail =
      (seed.death->what + ", in: " + getStageName(seed.progress.stage)).str();
  report.failures.push_back(failure);
  return report;
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

Error Campaign::add(const std::vector<SeedEnd> &seeds) {
  std::string text;
  for (const SeedEnd &seed : seeds) {
    SeedReport report = seed.death ? reportDeath(seed) : fromLine(seed.line);
    addSeed(report);
    text += toLine(report);
    for (const CaseReport &failure : report.failures)
      if (!options.quiet)
        llvm::errs() << "seed " << failure.seed << ", schedule "
                     << failure.candidate << ": " << failure.kind << ": "
                     << failure.detail << "\n";
    // Others of a program are mostly the same.
    if (!report.failures.empty() && !options.failures.empty())
      keep(report.failures.front());
  }
  totals.nextSeed = seeds.back().seed + 1;
  totals.blocks.push_back(
      {totals.nextSeed,
       llvm::utohexstr(llvm::xxh3_64bits(text), /*LowerCase=*/true, 16)});
  if (!options.quiet)
    show();
  return options.log.empty() ? Error::success() : writeLog(totals, options.log);
}

/// Reduces the program of a failure and writes it, in a child.
void Campaign::keep(const CaseReport &failure) const {
  auto end = runInChild([&] {
    DialectRegistry registry;
    registerHarnessDialects(registry);
    registerAllNestor(registry);
    MLIRContext context(registry, MLIRContext::Threading::DISABLED);
    CheckOptions check;
    check.trial = options.trial;
    check.seed = failure.seed;
    OwningOpRef<ModuleOp> program = generate(context, failure.seed);
    auto finding = fuzz::check(*program, check);
    if (!finding || !*finding)
      return 1;
    program = reduce(*program, **finding, check);
    llvm::SmallString<128> path(options.failures);
    llvm::sys::path::append(path, failure.kind + "-" +
                                      llvm::Twine(failure.seed) + ".mlir");
    Error error = saveReduced(*program, check, path);
    return error ? (llvm::consumeError(std::move(error)), 1) : 0;
  });
  if (!end)
    return llvm::consumeError(end.takeError());
  if (end->how != End::Finished || end->status)
    llvm::errs() << "the program of seed " << failure.seed
                 << " could not be reduced: nestor-fuzz show --seed="
                 << failure.seed << " prints it\n";
}

/// One line: how far it is, and how long it will take.
void Campaign::show() const {
  std::chrono::duration<double> passed =
      std::chrono::steady_clock::now() - started;
  double rate =
      double(totals.pairs - pairsBefore) / std::max(passed.count(), 1e-3);
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
  PoolOptions pool;
  pool.firstSeed = totals.nextSeed;
  pool.lastSeed = options.lastSeed;
  pool.chunk = options.chunk;
  pool.jobs = options.jobs;
  if (isDone())
    return Error::success();
  return Pool(
             pool,
             [&](uint64_t from, uint64_t to, Progress &progress,
                 int descriptor) {
               return workOn(from, to, options, progress, descriptor);
             },
             [&](const std::vector<SeedEnd> &seeds, bool &done) {
               Error error = add(seeds);
               done = isDone();
               return error;
             })
      .run();
}

Expected<Totals> fuzz::runCampaign(const CampaignOptions &options) {
  Totals totals;
  totals.firstSeed = totals.nextSeed = options.firstSeed;
  if (!options.log.empty() && llvm::sys::fs::exists(options.log)) {
    auto known = readLog(options.log);
    if (!known)
      return known.takeError();
    if (known->firstSeed != options.firstSeed)
      return llvm::createStringError(
          "'" + options.log + "' is of seeds from " +
          llvm::Twine(known->firstSeed) + " on, not from " +
          llvm::Twine(options.firstSeed) + ": give that seed or another log");
    totals = std::move(*known);
  }
  if (!options.failures.empty())
    if (std::error_code code =
            llvm::sys::fs::create_directories(options.failures))
      return llvm::createStringError("'" + options.failures +
                                     "': " + code.message());
  Campaign campaign(options, std::move(totals));
  if (Error error = campaign.run())
    return std::move(error);
  return campaign.take();
}
