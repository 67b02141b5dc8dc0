//===- Features.cpp - nestor-data features --------------------------------===//
//
// Writes the feature cache that nestor-train reads: of a database's labelled
// schedules, of fresh unlabelled programs, or of both. Executes nothing.
//
//===----------------------------------------------------------------------===//
#include "GeneratorFlags.h"
#include "nestor/Corpus/Subject.h"
#include "nestor/Model/TrainingData.h"

#include "mlir/IR/MLIRContext.h"
#include <limits>

using namespace mlir;
using namespace mlir::nestor;
using namespace mlir::nestor::data;
namespace cl = llvm::cl;

static llvm::Error run();
Command data::features = {featuresCommand(), run};

static cl::opt<std::string> db("db", cl::desc("Take the labels from here"),
                               cl::value_desc("file"),
                               cl::sub(featuresCommand()), cl::cat(category));
static cl::opt<std::string> outPath("o", cl::desc("Write this file"),
                                    cl::value_desc("file"),
                                    cl::sub(featuresCommand()),
                                    cl::cat(category));
static cl::opt<std::string> targetName(
    "target",
    cl::desc("With --db: the target whose labels to take (needed if there are "
             "several). Else: descriptor file or named default"),
    cl::value_desc("name"), cl::sub(featuresCommand()), cl::cat(category));
static cl::opt<unsigned> unlabelled("unlabelled",
                                    cl::desc("Add this many fresh programs"),
                                    cl::sub(featuresCommand()),
                                    cl::cat(category));
static cl::opt<uint64_t> seed("seed", cl::desc("First seed of these"),
                              cl::init(1'000'000), cl::sub(featuresCommand()),
                              cl::cat(category));
static cl::opt<unsigned> schedules("schedules-per-program",
                                   cl::desc("Candidates of each of these"),
                                   cl::init(16), cl::sub(featuresCommand()),
                                   cl::cat(category));

namespace {
/// Turns schedules into samples and counts what happened.
class FeatureCommand {
public:
  llvm::Error run();

private:
  llvm::Error chooseTarget();
  llvm::Error addLabelled();
  llvm::Error addUnlabelled();
  llvm::Error addProgram(const ProgramRecord &program);
  TrainingProgram begin(const Subject &subject, llvm::StringRef id,
                        float sourceLabel);
  void add(TrainingProgram &program, const Subject &subject,
           const Candidate &candidate, float label, float spread);

  std::unique_ptr<Store> store;
  TargetDescriptor target;
  std::unique_ptr<FeatureExtractor> extractor;
  std::unique_ptr<FeatureCacheWriter> writer;
  unsigned programs = 0, samples = 0, skipped = 0;
};
} // namespace

llvm::Error FeatureCommand::chooseTarget() {
  if (!store) {
    std::string name =
        targetName.empty() ? "generic-avx2" : targetName.getValue();
    return loadTarget(name).moveInto(target);
  }
  auto targets = store->getTargets();
  if (!targets)
    return targets.takeError();
  std::string known;
  for (const TargetRecord &record : *targets) {
    if (record.name == targetName ||
        (targetName.empty() && targets->size() == 1))
      return parseTarget(record.json).moveInto(target);
    known += (known.empty() ? "" : ", ") + record.name;
  }
  if (known.empty())
    return llvm::createStringError("'" + db + "' has no labels");
  return llvm::createStringError("choose one of the targets with --target: " +
                                 known);
}

void FeatureCommand::add(TrainingProgram &program, const Subject &subject,
                         const Candidate &candidate, float label,
                         float spread) {
  TrainingSample sample;
  sample.input =
      makeModelInput(*extractor, candidate, subject.getSource(), target);
  sample.logSpeedup = label;
  sample.spread = spread;
  program.samples.push_back(std::move(sample));
  ++samples;
}

/// A program with its first sample, "do nothing".
TrainingProgram FeatureCommand::begin(const Subject &subject,
                                      llvm::StringRef id, float sourceLabel) {
  TrainingProgram program;
  program.id = id.str();
  extractor = std::make_unique<FeatureExtractor>(subject.getScop());
  add(program, subject, subject.getSource(), sourceLabel, 0);
  return program;
}

llvm::Error FeatureCommand::addProgram(const ProgramRecord &record) {
  auto labels = store->getLabels(record.id, target.name);
  if (!labels)
    return labels.takeError();
  llvm::erase_if(*labels,
                 [](const LabelRecord &label) { return label.status != "ok"; });
  if (labels->empty())
    return llvm::Error::success();
  auto subject = Subject::create(record.text);
  if (!subject) {
    skipped += labels->size();
    llvm::consumeError(subject.takeError());
    return llvm::Error::success();
  }
  TrainingProgram program = begin(**subject, record.id, 0);
  for (const LabelRecord &label : *labels) {
    auto candidate = (*subject)->parse(label.schedule);
    if (!candidate) {
      ++skipped;
      llvm::consumeError(candidate.takeError());
      continue;
    }
    add(program, **subject, *candidate, float(label.logRatio),
        float(label.spread / 2));
  }
  ++programs;
  return writer->append(program);
}

llvm::Error FeatureCommand::addLabelled() {
  auto ids = store->getProgramIds();
  if (!ids)
    return ids.takeError();
  for (const std::string &id : *ids) {
    auto program = store->getProgram(id);
    if (!program)
      return program.takeError();
    if (auto error = addProgram(*program))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error FeatureCommand::addUnlabelled() {
  auto options = readGeneratorOptions();
  if (!options)
    return options.takeError();
  constexpr float none = std::numeric_limits<float>::quiet_NaN();
  for (unsigned i = 0; i < unlabelled; ++i) {
    MLIRContext context(MLIRContext::Threading::DISABLED);
    std::string text =
        canonicalText(*generateProgram(context, *options, seed + i));
    auto subject = Subject::create(text);
    if (!subject) {
      ++skipped;
      llvm::consumeError(subject.takeError());
      continue;
    }
    TrainingProgram program = begin(**subject, hashText(text), none);
    for (const Candidate &candidate :
         (*subject)->sample(schedules, seed + i, target))
      add(program, **subject, candidate, none, 0);
    ++programs;
    if (auto error = writer->append(program))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error FeatureCommand::run() {
  if (outPath.empty())
    return llvm::createStringError("name the file: -o <file>.nestor-features");
  if (db.empty() && unlabelled == 0)
    return llvm::createStringError(
        "say what of: --db <file>, --unlabelled <number>, or both");
  if (!db.empty())
    if (auto error = openStore(db, Store::Mode::MustExist).moveInto(store))
      return error;
  if (auto error = chooseTarget())
    return error;
  FeatureCacheHeader header;
  header.targetName = target.name;
  header.target = targetFeatures(target);
  if (unlabelled)
    header.provenance["unlabelled"] = std::to_string(unlabelled) +
                                      " programs from seed " +
                                      std::to_string(seed);
  if (store)
    header.provenance["labelled"] = db;
  if (auto error = FeatureCacheWriter::create(outPath, header).moveInto(writer))
    return error;
  if (store)
    if (auto error = addLabelled())
      return error;
  if (auto error = addUnlabelled())
    return error;
  if (auto error = writer->finish())
    return error;
  llvm::outs() << programs << " programs, " << samples << " samples";
  if (skipped)
    llvm::outs() << ", " << skipped << " skipped";
  llvm::outs() << "\n";
  return llvm::Error::success();
}

static llvm::Error run() { return FeatureCommand().run(); }
