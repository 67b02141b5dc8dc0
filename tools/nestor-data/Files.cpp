//===- Files.cpp - nestor-data stats, merge, export, import ---------------===//
//
// What moves and counts data without running anything.
//
//===----------------------------------------------------------------------===//
#include "Commands.h"
#include "nestor/Corpus/DatasetFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include <array>
#include <cmath>
#include <map>

using namespace mlir::nestor;
using namespace mlir::nestor::data;
namespace cl = llvm::cl;

static cl::SubCommand statsCommand("stats", "Count programs and labels");
static cl::SubCommand mergeCommand("merge",
                                   "Join databases or dataset files into one");
static cl::SubCommand exportCommand("export",
                                    "Write a database as one dataset file");
static cl::SubCommand importCommand("import",
                                    "Add a dataset file to a database");
static llvm::Error runStats();
static llvm::Error runMerge();
static llvm::Error runExport();
static llvm::Error runImport();
Command data::stats = {statsCommand, runStats};
Command data::merge = {mergeCommand, runMerge};
Command data::exportFile = {exportCommand, runExport};
Command data::importFile = {importCommand, runImport};

static cl::opt<std::string> db("db", cl::desc("The database"),
                               cl::value_desc("file"), cl::sub(statsCommand),
                               cl::sub(exportCommand), cl::sub(importCommand),
                               cl::cat(category));
static cl::opt<std::string> outPath("o", cl::desc("Write this file"),
                                    cl::value_desc("file"),
                                    cl::sub(mergeCommand),
                                    cl::sub(exportCommand), cl::cat(category));
static cl::list<std::string> mergeInputs(cl::Positional,
                                         cl::desc("<database or dataset>..."),
                                         cl::sub(mergeCommand),
                                         cl::cat(category));
static cl::opt<std::string> importInput(cl::Positional, cl::desc("<dataset>"),
                                        cl::Required, cl::sub(importCommand),
                                        cl::cat(category));

//===----------------------------------------------------------------------===//
// Moving
//===----------------------------------------------------------------------===//

static llvm::Error runExport() {
  if (outPath.empty())
    return llvm::createStringError("name the file: -o <file>.nestor-dataset");
  auto store = openStore(db, Store::Mode::MustExist);
  return store ? exportDataset(**store, outPath) : store.takeError();
}

static llvm::Error runImport() {
  bool isNew = !llvm::sys::fs::exists(db);
  auto fill = [&]() -> llvm::Error {
    auto store = openStore(db, Store::Mode::Create);
    return store ? importDataset(importInput, **store) : store.takeError();
  };
  auto error = fill();
  if (error && isNew)
    (void)llvm::sys::fs::remove(db);
  return error;
}

static llvm::Error addTo(Store &store, const std::string &path) {
  if (isDatasetFile(path))
    return importDataset(path, store);
  auto other = Store::open(path, Store::Mode::MustExist);
  return other ? copyStore(**other, store) : other.takeError();
}

/// Fills a temporary database and renames it, so that a failure leaves nothing.
static llvm::Error runMerge() {
  if (mergeInputs.empty() || outPath.empty())
    return llvm::createStringError(
        "name the inputs and the output: merge <a> <b> -o <database>");
  if (llvm::sys::fs::exists(outPath))
    return llvm::createStringError("'" + outPath + "' exists already");
  std::string temporary = outPath + ".merging";
  (void)llvm::sys::fs::remove(temporary);
  auto fill = [&]() -> llvm::Error {
    auto store = Store::open(temporary, Store::Mode::Create);
    if (!store)
      return store.takeError();
    for (const std::string &input : mergeInputs)
      if (auto error = addTo(**store, input))
        return error;
    return llvm::Error::success();
  };
  if (auto error = fill()) {
    (void)llvm::sys::fs::remove(temporary);
    return error;
  }
  if (std::error_code code = llvm::sys::fs::rename(temporary, outPath))
    return llvm::createStringError("cannot write '" + outPath +
                                   "': " + code.message());
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Counting
//===----------------------------------------------------------------------===//

namespace {
/// The labels of one target.
struct TargetStats {
  static constexpr std::array<double, 8> limits = {0.25, 0.5, 0.8, 1.25,
                                                   2,    4,   8,   16};
  std::map<std::string, int64_t> byStatus;
  std::array<int64_t, limits.size() + 1> bins{};
  int64_t programs = 0;
  double sumOfBest = 0; ///< log speedups of each program's best schedule

  void add(const std::vector<LabelRecord> &labels) {
    double best = 0; // the program as written
    for (const LabelRecord &label : labels) {
      ++byStatus[label.status];
      if (label.status != "ok")
        continue;
      best = std::max(best, label.logRatio);
      double speedup = std::exp(label.logRatio);
      ++bins[llvm::upper_bound(limits, speedup) - limits.begin()];
    }
    ++programs;
    sumOfBest += best;
  }
  void print(llvm::StringRef name) const;
};
} // namespace

void TargetStats::print(llvm::StringRef name) const {
  llvm::outs() << "target " << name << ": " << programs << " programs";
  for (const auto &[status, count] : byStatus)
    llvm::outs() << ", " << count << " " << status;
  llvm::outs() << llvm::formatv(
      "\n  best schedule of each program: {0:f2}x (geometric mean)\n",
      std::exp(sumOfBest / double(std::max<int64_t>(programs, 1))));
  int64_t largest = *std::max_element(bins.begin(), bins.end());
  for (size_t i = 0; i < bins.size(); ++i) {
    std::string range =
        i == 0 ? llvm::formatv("below {0:f2}", limits[0]).str()
        : i == limits.size()
            ? llvm::formatv("{0:f2} or more", limits[i - 1]).str()
            : llvm::formatv("{0:f2} to {1:f2}", limits[i - 1], limits[i]).str();
    std::string bar(largest ? size_t(bins[i] * 40 / largest) : 0, '#');
    llvm::outs() << llvm::formatv("  {0,-14} {1,7}", range, bins[i])
                 << (bar.empty() ? "" : " ") << bar << "\n";
  }
}

static llvm::Error runStats() {
  auto store = openStore(db, Store::Mode::MustExist);
  if (!store)
    return store.takeError();
  auto counts = (*store)->count();
  if (!counts)
    return counts.takeError();
  llvm::outs() << counts->programs << " programs, " << counts->targets
               << " targets, " << counts->labels << " labels\n";
  auto ids = (*store)->getProgramIds();
  if (!ids)
    return ids.takeError();
  std::map<std::string, TargetStats> byTarget;
  for (const std::string &id : *ids) {
    auto labels = (*store)->getLabels(id, "");
    if (!labels)
      return labels.takeError();
    std::map<std::string, std::vector<LabelRecord>> sorted;
    for (LabelRecord &label : *labels)
      sorted[label.target].push_back(std::move(label));
    for (const auto &[target, list] : sorted)
      byTarget[target].add(list);
  }
  for (const auto &[target, stats] : byTarget)
    stats.print(target);
  return llvm::Error::success();
}
