//===- Label.cpp - nestor-data label, refresh, describe-machine -----------===//
//
// What touches the machine. An interrupt (SIGINT, SIGTERM) ends the run after
// the program at hand; everything labelled before it is kept.
//
//===----------------------------------------------------------------------===//
#include "Commands.h"
#include "nestor/Corpus/Labelling.h"
#include "nestor/Execution/Machine.h"
#include "nestor/Model/LearnedModel.h"

#include <csignal>

using namespace mlir;
using namespace mlir::nestor;
using namespace mlir::nestor::data;
namespace cl = llvm::cl;

static cl::SubCommand labelCommand("label",
                                   "Measure schedules of stored programs");
static cl::SubCommand
    refreshCommand("refresh", "Measure again what is compiled to other code");
static cl::SubCommand
    describeCommand("describe-machine",
                    "Measure this machine, for --target (a second or two)");
static llvm::Error runLabel();
static llvm::Error runRefresh();
static llvm::Error runDescribe();
Command data::label = {labelCommand, runLabel};
Command data::refresh = {refreshCommand, runRefresh};
Command data::describe = {describeCommand, runDescribe};

#define LABEL_FLAG                                                             \
  cl::sub(labelCommand), cl::sub(refreshCommand), cl::cat(category)

static cl::opt<std::string> db("db", cl::desc("The database"),
                               cl::value_desc("file"), LABEL_FLAG);
static cl::opt<std::string>
    targetPath("target",
               cl::desc("Descriptor of this machine (see describe-machine)"),
               cl::value_desc("file"), LABEL_FLAG);
static cl::opt<unsigned> schedules("schedules-per-program",
                                   cl::desc("Candidates of each program"),
                                   cl::init(30), cl::sub(labelCommand),
                                   cl::cat(category));
static cl::opt<double> budget("budget-minutes",
                              cl::desc("Stop after this time (0: never)"),
                              LABEL_FLAG);
static cl::opt<uint64_t> seed("seed", cl::desc("Of the candidates' choice"),
                              cl::init(1), cl::sub(labelCommand),
                              cl::cat(category));
static cl::opt<std::string> searchModel(
    "search",
    cl::desc("Measure what searches find by this cost model, not candidates "
             "drawn at random: 'analytical', or a weights file"),
    cl::value_desc("model"), cl::sub(labelCommand), cl::cat(category));
static cl::opt<int> pairs("pairs", cl::desc("Timings of each candidate"),
                          cl::init(15), LABEL_FLAG);
static cl::opt<double>
    cutoff("cutoff",
           cl::desc("Two timings do for candidates slower than the best by "
                    "this factor (0: never)"),
           cl::init(4), LABEL_FLAG);
static cl::opt<double>
    seconds("candidate-seconds",
            cl::desc("No further timing of a candidate after this time"),
            cl::init(1), LABEL_FLAG);
static cl::opt<int> core("core", cl::desc("Measure on this core (-1: any)"),
                         cl::init(-1), LABEL_FLAG);
static cl::opt<std::string>
    helper("helper", cl::desc("The measuring helper (nestor-measure)"),
           cl::value_desc("file"), LABEL_FLAG);

static cl::opt<std::string> outPath("o",
                                    cl::desc("Write to this file (-: screen)"),
                                    cl::value_desc("file"), cl::init("-"),
                                    cl::sub(describeCommand),
                                    cl::cat(category));
static cl::opt<std::string> name("name", cl::desc("Call the target so"),
                                 cl::sub(describeCommand), cl::cat(category));

static std::atomic<bool> stopRequested{false};

/// The first interrupt asks, the second one kills.
static void onInterrupt(int signal) {
  stopRequested = true;
  std::signal(signal, SIG_DFL);
}

using LabelFunction = llvm::Expected<LabellingSummary> (*)(
    Store &, const TargetDescriptor &, MeasureFunction,
    const LabellingOptions &, const std::atomic<bool> &, llvm::raw_ostream &);

static llvm::Expected<LabellingOptions> readOptions() {
  // Written so that what is no number fails as well.
  if (pairs < 2 || schedules < 1 ||
      !(budget >= 0 && cutoff >= 0 && seconds > 0))
    return llvm::createStringError(
        "--pairs must be at least 2, --schedules-per-program at least 1, and "
        "times and --cutoff not negative");
  LabellingOptions options;
  options.schedules = schedules;
  options.budgetMinutes = budget;
  options.seed = seed;
  options.pairs = pairs;
  options.cutoff = cutoff;
  options.candidateSeconds = seconds;
  return options;
}

/// The model of --search; null without one.
static llvm::Expected<std::unique_ptr<CostModel>>
openSearchModel(const TargetDescriptor &target) {
  if (searchModel.empty())
    return std::unique_ptr<CostModel>();
  if (searchModel == "analytical")
    return createAnalyticalModel(target);
  auto learned = loadLearnedModel(searchModel, target);
  if (!learned)
    return learned.takeError();
  return std::unique_ptr<CostModel>(std::move(*learned));
}

static llvm::Error runWith(LabelFunction function) {
  auto options = readOptions();
  if (!options)
    return options.takeError();
  if (targetPath.empty())
    return llvm::createStringError(
        "describe this machine first: nestor-data describe-machine -o "
        "target.json, then --target target.json");
  auto target = loadTarget(targetPath);
  if (!target)
    return target.takeError();
  auto model = openSearchModel(*target);
  if (!model)
    return model.takeError();
  options->searchModel = model->get();
  auto store = openStore(db, Store::Mode::MustExist);
  if (!store)
    return store.takeError();
  MeasurerOptions measurerOptions;
  measurerOptions.core = core;
  measurerOptions.helperPath = helper;
  Measurer measurer(measurerOptions);
  std::signal(SIGINT, onInterrupt);
  std::signal(SIGTERM, onInterrupt);
  auto measure = [&](const MeasureJob &job) { return measurer.measure(job); };
  auto summary = function(**store, *target, measure, *options, stopRequested,
                          llvm::errs());
  if (!summary)
    return summary.takeError();
  llvm::outs() << summary->programs << " programs (" << summary->leftAlone
               << " left alone), " << summary->labels << " labels, "
               << summary->failed << " failed, " << summary->wrong << " wrong, "
               << summary->stale << " measured again"
               << (summary->stopped ? "; stopped, the same command goes on\n"
                                    : "\n");
  if (summary->wrong)
    return llvm::createStringError(
        llvm::Twine(summary->wrong) +
        " schedules gave a wrong result: see above, and please report them");
  return llvm::Error::success();
}

static llvm::Error runLabel() { return runWith(labelPrograms); }
static llvm::Error runRefresh() { return runWith(refreshLabels); }

static llvm::Error runDescribe() {
  auto target = describeMachine();
  if (!target)
    return target.takeError();
  if (!name.empty())
    target->name = name;
  if (outPath != "-")
    return saveTarget(*target, outPath);
  llvm::outs() << printTarget(*target);
  return llvm::Error::success();
}
