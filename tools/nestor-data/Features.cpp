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
#include "llvm/Support/ThreadPool.h"
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

static cl::opt<unsigned> jobs("jobs", cl::desc("Threads (0: all cores)"),
                              cl::init(0), cl::sub(featuresCommand()),
                              cl::cat(category));

namespace {
/// What becomes of one program.
struct Features {
  TrainingProgram program; ///< no samples: nothing to write
  unsigned skipped = 0;    ///< schedules that no longer apply
};

/// Collects the samples of one program.
class Featurizer {
public:
  Featurizer(const Subject &subject, llvm::StringRef id,
             const TargetDescriptor &target)
      : target(target), extractor(subject.getScop()) {
    program.id = id.str();
  }
  void add(const Candidate &candidate, float label, float spread) {
    TrainingSample sample;
    sample.input = makeModelInput(extractor, candidate, target);
    sample.logSpeedup = label;
    sample.spread = spread;
    program.samples.push_back(std::move(sample));
  }
  TrainingProgram program;

private:
  const TargetDescriptor &target;
  FeatureExtractor extractor;
};

class FeatureCommand {
public:
  llvm::Error run();

private:
  llvm::Error chooseTarget();
  llvm::Error addLabelled();
  llvm::Error addUnlabelled();
  llvm::Error write(size_t count, llvm::function_ref<Features(size_t)> make);

  std::unique_ptr<Store> store;
  TargetDescriptor target;
  std::unique_ptr<FeatureCacheWriter> writer;
  size_t programs = 0, samples = 0, skipped = 0;
};
} // namespace

//===----------------------------------------------------------------------===//
// One program
//===----------------------------------------------------------------------===//

static Features featurize(const ProgramRecord &record,
                          llvm::ArrayRef<LabelRecord> labels,
                          const TargetDescriptor &target) {
  Features result;
  auto subject = Subject::create(record.text);
  if (!subject) {
    llvm::consumeError(subject.takeError());
    result.skipped = labels.size();
    return result;
  }
  Featurizer featurizer(**subject, record.id, target);
  featurizer.add((*subject)->getSource(), 0, 0);
  for (const LabelRecord &label : labels) {
    auto candidate = (*subject)->parse(label.schedule);
    if (candidate) {
      featurizer.add(*candidate, float(label.logRatio),
                     float(label.spread / 2));
      continue;
    }
    llvm::consumeError(candidate.takeError());
    ++result.skipped;
  }
  result.program = std::move(featurizer.program);
  return result;
}

static Features featurizeFresh(uint64_t programSeed,
                               const GeneratorOptions &options,
                               const TargetDescriptor &target) {
  constexpr float none = std::numeric_limits<float>::quiet_NaN();
  MLIRContext context(MLIRContext::Threading::DISABLED);
  std::string text =
      canonicalText(*generateProgram(context, options, programSeed));
  Features result;
  auto subject = Subject::create(text);
  if (!subject) {
    llvm::consumeError(subject.takeError());
    result.skipped = schedules;
    return result;
  }
  Featurizer featurizer(**subject, hashText(text), target);
  featurizer.add((*subject)->getSource(), none, 0);
  for (const Candidate &candidate :
       (*subject)->sample(schedules, programSeed, target))
    featurizer.add(candidate, none, 0);
  result.program = std::move(featurizer.program);
  return result;
}

//===----------------------------------------------------------------------===//
// All programs
//===----------------------------------------------------------------------===//

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

/// Makes programs in parallel and writes them in order, a chunk at a time.
llvm::Error FeatureCommand::write(size_t count,
                                  llvm::function_ref<Features(size_t)> make) {
  constexpr size_t chunk = 64;
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(jobs));
  for (size_t first = 0; first < count; first += chunk) {
    std::vector<Features> made(std::min(chunk, count - first));
    for (size_t i = 0; i < made.size(); ++i)
      pool.async([&, i] { made[i] = make(first + i); });
    pool.wait();
    for (const Features &features : made) {
      skipped += features.skipped;
      if (features.program.samples.empty())
        continue;
      if (auto error = writer->append(features.program))
        return error;
      ++programs;
      samples += features.program.samples.size();
    }
  }
  return llvm::Error::success();
}

llvm::Error FeatureCommand::addLabelled() {
  auto ids = store->getProgramIds();
  if (!ids)
    return ids.takeError();
  std::vector<std::pair<ProgramRecord, std::vector<LabelRecord>>> labelled;
  for (const std::string &id : *ids) {
    auto labels = store->getLabels(id, target.name);
    if (!labels)
      return labels.takeError();
    llvm::erase_if(
        *labels, [](const LabelRecord &label) { return label.status != "ok"; });
    if (labels->empty())
      continue;
    auto program = store->getProgram(id);
    if (!program)
      return program.takeError();
    labelled.push_back({std::move(*program), std::move(*labels)});
  }
  return write(labelled.size(), [&](size_t i) {
    return featurize(labelled[i].first, labelled[i].second, target);
  });
}

llvm::Error FeatureCommand::addUnlabelled() {
  auto options = readGeneratorOptions();
  if (!options)
    return options.takeError();
  return write(unlabelled, [&](size_t i) {
    return featurizeFresh(seed + i, *options, target);
  });
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
  if (store && programs == 0)
    return llvm::createStringError("'" + db + "' has no labels of target '" +
                                   target.name + "' that can be used");
  if (auto error = addUnlabelled())
    return error;
  if (auto error = writer->finish())
    return error;
  llvm::outs() << programs << " programs, " << samples << " samples";
  if (skipped)
    llvm::outs() << ", " << skipped << " schedules skipped";
  llvm::outs() << "\n";
  return llvm::Error::success();
}

static llvm::Error run() { return FeatureCommand().run(); }
