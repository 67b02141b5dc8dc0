//===- nestor-train.cpp - Trains and judges the learned cost model --------===//
//
// A torch-free driver: feature caches (*.nestor-features, from `nestor-data
// features`) in, weights (*.nestor-weights) out. Training itself happens behind
// the door, in libNestorModel.so.
//
//===----------------------------------------------------------------------===//
#include "NestorTrain.h"
#include "nestor/Model/WeightsFile.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/WithColor.h"

using namespace mlir::nestor;
namespace cl = llvm::cl;

static cl::OptionCategory category("nestor-train options");
static cl::SubCommand
    pretrainCommand("pretrain",
                    "train the statement encoder on unlabelled programs");
static cl::SubCommand trainCommand("train",
                                   "train the cost model on measured labels");
static cl::SubCommand evalCommand("eval",
                                  "compare predictions with measured labels");
static cl::SubCommand infoCommand("info", "print the header of a weights file");

static cl::list<std::string>
    features("features", cl::desc("Feature cache; may be given several times"),
             cl::value_desc("file"), cl::sub(pretrainCommand),
             cl::sub(trainCommand), cl::sub(evalCommand), cl::cat(category));
static cl::opt<std::string> output("o", cl::desc("Weights file to write"),
                                   cl::value_desc("file"),
                                   cl::sub(pretrainCommand),
                                   cl::sub(trainCommand), cl::cat(category));
static cl::opt<std::string>
    encoder("encoder", cl::desc("Pre-trained encoder to start from"),
            cl::value_desc("file"), cl::sub(trainCommand), cl::cat(category));
static cl::opt<std::string> checkpoint(
    "checkpoint",
    cl::desc("State of the training, written after every epoch and removed at "
             "the end (default: the output with .checkpoint)"),
    cl::value_desc("file"), cl::sub(pretrainCommand), cl::sub(trainCommand),
    cl::cat(category));
static cl::opt<bool> resume("resume", cl::desc("Go on from the checkpoint"),
                            cl::sub(pretrainCommand), cl::sub(trainCommand),
                            cl::cat(category));
static cl::opt<uint64_t> seed("seed", cl::desc("Seed (default: 1)"),
                              cl::init(1), cl::sub(pretrainCommand),
                              cl::sub(trainCommand), cl::cat(category));
static cl::opt<unsigned>
    epochs("epochs", cl::desc("Epochs (default: 60; with early stopping)"),
           cl::init(60), cl::sub(pretrainCommand), cl::sub(trainCommand),
           cl::cat(category));
static cl::opt<unsigned>
    patience("patience",
             cl::desc("Epochs without a better validation loss after which "
                      "training stops (default: 15)"),
             cl::init(15), cl::sub(pretrainCommand), cl::sub(trainCommand),
             cl::cat(category));
static cl::opt<unsigned> batchSize(
    "batch-size",
    cl::desc("Statements (pretrain) or candidates (train) of one step "
             "(default: 128)"),
    cl::init(128), cl::sub(pretrainCommand), cl::sub(trainCommand),
    cl::cat(category));
static cl::opt<double>
    learningRate("learning-rate",
                 cl::desc("The highest of the cycle (default: 0.002)"),
                 cl::init(0.002), cl::sub(pretrainCommand),
                 cl::sub(trainCommand), cl::cat(category));
static cl::opt<double> dropout("dropout", cl::desc("Default: 0.05"),
                               cl::init(0.05), cl::sub(pretrainCommand),
                               cl::sub(trainCommand), cl::cat(category));
static cl::opt<double> rankingWeight(
    "ranking-weight",
    cl::desc("Weight of the ranking loss beside regression (default: 0.3)"),
    cl::init(0.3), cl::sub(trainCommand), cl::cat(category));
static cl::opt<double> frozenShare(
    "frozen-share",
    cl::desc("Share of the epochs in which a pre-trained encoder is not "
             "changed (default: 0.1)"),
    cl::init(0.1), cl::sub(trainCommand), cl::cat(category));
static cl::opt<double> encoderRate(
    "encoder-rate",
    cl::desc("A pre-trained encoder's share of the learning rate after that "
             "(default: 1)"),
    cl::init(1), cl::sub(trainCommand), cl::cat(category));
static cl::opt<unsigned>
    hidden("hidden",
           cl::desc("Width of the layers (default: 128, or that of --encoder)"),
           cl::init(128), cl::sub(pretrainCommand), cl::sub(trainCommand),
           cl::cat(category));
static cl::opt<unsigned> embedding(
    "embedding",
    cl::desc("Width of a statement's embedding (default: 160, or that of "
             "--encoder)"),
    cl::init(160), cl::sub(pretrainCommand), cl::sub(trainCommand),
    cl::cat(category));
static cl::opt<unsigned> threads(
    "threads",
    cl::desc("Threads (default: 1); results are the same for equal numbers"),
    cl::init(1), cl::sub(pretrainCommand), cl::sub(trainCommand),
    cl::cat(category));
static cl::opt<unsigned>
    limit("limit", cl::desc("Learn from so many programs only (default: all)"),
          cl::init(0), cl::sub(pretrainCommand), cl::sub(trainCommand),
          cl::cat(category));
static cl::opt<std::string> weights("weights",
                                    cl::desc("Weights of the learned model"),
                                    cl::value_desc("file"),
                                    cl::sub(evalCommand), cl::cat(category));
static cl::list<std::string> compared(
    "compare",
    cl::desc("Further weights to evaluate; may be given several times"),
    cl::value_desc("file"), cl::sub(evalCommand), cl::cat(category));
static cl::opt<std::string> split(
    "split",
    cl::desc("Programs to evaluate: train, validation, test or all (default: "
             "test); all is for data that no weights were trained on"),
    cl::init("test"), cl::sub(evalCommand), cl::cat(category));
static cl::opt<bool> json("json", cl::desc("Print JSON"), cl::sub(evalCommand),
                          cl::cat(category));
static cl::opt<std::string> infoFile(cl::Positional, cl::desc("<weights>"),
                                     cl::sub(infoCommand), cl::cat(category));

static llvm::Error fail(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

static llvm::Error train(bool isPretraining) {
  if (output.empty())
    return fail("no output: give one with '-o FILE'");
  if (epochs == 0 || batchSize == 0 || threads == 0)
    return fail("--epochs, --batch-size and --threads must be at least 1");
  if (hidden < 8 || hidden > 4096 || embedding < 8 || embedding > 4096)
    return fail("--hidden and --embedding must be from 8 to 4096");
  if (!(learningRate > 0) || !(dropout >= 0 && dropout < 1))
    return fail("--learning-rate must be above 0, --dropout from 0 to below 1");
  TrainingOptions options;
  options.features = features;
  options.output = output;
  options.encoder = encoder;
  options.checkpoint =
      checkpoint.empty() ? output + ".checkpoint" : checkpoint.getValue();
  options.limit = limit;
  options.isPretraining = isPretraining;
  modelabi::TrainingRequest &request = options.request;
  request.resume = resume;
  request.seed = seed;
  request.epochs = epochs;
  request.batchSize = batchSize;
  request.patience = patience;
  request.threads = threads;
  request.hidden = hidden;
  request.embedding = embedding;
  request.learningRate = learningRate;
  request.rankingWeight = rankingWeight;
  request.frozenShare = frozenShare;
  request.encoderRate = encoderRate;
  request.dropout = dropout;
  return runTraining(options);
}

static llvm::Error printInfo() {
  if (infoFile.empty())
    return fail("no file: give a weights file");
  std::string text, error;
  if (!describeWeights(infoFile, text, error))
    return fail(error);
  llvm::outs() << text;
  return llvm::Error::success();
}

static llvm::Error runCommand() {
  if (pretrainCommand)
    return train(/*isPretraining=*/true);
  if (trainCommand)
    return train(/*isPretraining=*/false);
  if (evalCommand)
    return runEvaluation({features, weights, compared, split, json});
  if (infoCommand)
    return printInfo();
  return fail("no command: give pretrain, train, eval or info (see --help)");
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  for (cl::SubCommand *command : {&pretrainCommand, &trainCommand, &evalCommand,
                                  &infoCommand, &cl::SubCommand::getTopLevel()})
    cl::HideUnrelatedOptions(category, *command);
  cl::ParseCommandLineOptions(
      argc, argv, "Trains and judges Nestor's learned cost model.\n");
  if (auto error = runCommand()) {
    llvm::WithColor::error(llvm::errs(), "nestor-train")
        << llvm::toString(std::move(error)) << "\n";
    return 1;
  }
  return 0;
}
