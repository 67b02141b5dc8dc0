//===- Door.cpp - Opens libNestorModel.so ---------------------------------===//
//
// Model room: the side of the border without LibTorch. Candidates go through as
// pointers (ModelABI.h), scores and messages come back.
//
//===----------------------------------------------------------------------===//
#include "nestor/Model/InputView.h"
#include "nestor/Model/LearnedModel.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cmath>
#include <cstdlib>
#include <dlfcn.h>
#include <link.h>
#include <mutex>

using namespace mlir::nestor;
using namespace mlir::nestor::modelabi;
using llvm::Error;
using llvm::Expected;
using llvm::SmallString;
using llvm::StringRef;
using llvm::Twine;

static constexpr char kLibraryName[] = "libNestorModel.so";
static constexpr char kDefaultWeights[] = "default"; // a folder
static constexpr char kWeightsExtension[] = ".nestor-weights";

static Error fail(const Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

//===----------------------------------------------------------------------===//
// Finding files
//===----------------------------------------------------------------------===//

/// The folder of the program or shared library that holds this function.
static std::string getOwnFolder() {
  Dl_info info;
  link_map *map = nullptr;
  SmallString<256> path("/proc/self/exe");
  // The program itself has an empty name.
  if (dladdr1(reinterpret_cast<void *>(&getOwnFolder), &info,
              reinterpret_cast<void **>(&map), RTLD_DL_LINKMAP) &&
      map && map->l_name && map->l_name[0])
    path = map->l_name;
  SmallString<256> real;
  if (llvm::sys::fs::real_path(path, real))
    real = path;
  return llvm::sys::path::parent_path(real).str();
}

static std::string join(StringRef folder, StringRef a, StringRef b = "",
                        StringRef c = "") {
  SmallString<256> path(folder);
  llvm::sys::path::append(path, a, b, c);
  llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  return path.str().str();
}

std::string mlir::nestor::getDefaultWeightsPath() {
  std::string installed =
      join(getOwnFolder(), "..", "share/nestor", kDefaultWeights);
  if (llvm::sys::fs::exists(installed))
    return installed;
  return join(NESTOR_SOURCE_DIR, "data/weights", kDefaultWeights);
}

static Expected<std::string> findLibrary() {
  if (const char *path = std::getenv("NESTOR_MODEL_LIBRARY")) {
    if (llvm::sys::fs::exists(path))
      return std::string(path);
    return fail("NESTOR_MODEL_LIBRARY names '" + Twine(path) +
                "', which does not exist: correct or unset it");
  }
  std::string folder = getOwnFolder();
  for (std::string path :
       {join(folder, kLibraryName), join(folder, "..", "lib", kLibraryName)})
    if (llvm::sys::fs::exists(path))
      return path;
  return fail("the learned cost model needs " + Twine(kLibraryName) +
              ", which is neither in '" + folder + "' nor in '" +
              join(folder, "..", "lib") +
              "': build Nestor with -DNESTOR_ENABLE_MODEL=ON, set "
              "NESTOR_MODEL_LIBRARY, or choose the analytical model");
}

//===----------------------------------------------------------------------===//
// The library
//===----------------------------------------------------------------------===//

static Expected<const Library *> openLibrary() {
  auto path = findLibrary();
  if (!path)
    return path.takeError();
  void *handle = dlopen(path->c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!handle)
    return fail("cannot open the learned cost model's library '" + *path +
                "': " + dlerror() +
                "; if a LibTorch library is what is missing, build Nestor "
                "against the LibTorch of this machine or add its folder to "
                "LD_LIBRARY_PATH");
  auto factory = reinterpret_cast<Factory>(dlsym(handle, kFactoryName));
  const Library *library = factory ? factory(kVersion) : nullptr;
  if (!library)
    return fail("'" + *path + "' is not the model library of this Nestor " +
                "(interface version " + Twine(kVersion) +
                "): build both from the same sources");
  return library;
}

Expected<const Library *> mlir::nestor::openModelLibrary() {
  // A failure is kept too, as its message.
  static std::once_flag once;
  static const Library *library = nullptr;
  static std::string message;
  std::call_once(once, [] {
    auto opened = openLibrary();
    if (opened)
      library = *opened;
    else
      message = llvm::toString(opened.takeError());
  });
  if (!library)
    return fail(message);
  return library;
}

//===----------------------------------------------------------------------===//
// The model
//===----------------------------------------------------------------------===//

namespace {
class TorchModel : public LearnedModel {
public:
  TorchModel(const Library &library, Scorer *scorer)
      : library(library), scorer(scorer) {}
  ~TorchModel() override { library.closeScorer(scorer); }
  std::string getName() const override { return "learned"; }

  Error score(const std::vector<const ModelInput *> &inputs,
              std::vector<double> &scores) override {
    scores.resize(inputs.size());
    auto score = [&](const CandidateView *views, ErrorText &text) {
      return scorer->score(views, inputs.size(), scores.data(), text);
    };
    if (Error error = withViews(inputs, score))
      return error;
    for (double one : scores)
      if (!std::isfinite(one))
        return fail("the learned cost model failed: a score is not finite; "
                    "give other weights, or choose the analytical model");
    return Error::success();
  }

  Error embed(const std::vector<const ModelInput *> &inputs,
              Rows &embeddings) override {
    embeddings.width = scorer->getEmbeddingSize();
    embeddings.data.resize(inputs.size() * embeddings.width);
    return withViews(inputs, [&](const CandidateView *views, ErrorText &text) {
      return scorer->embed(views, inputs.size(), embeddings.data.data(), text);
    });
  }

private:
  template <typename Function>
  Error withViews(const std::vector<const ModelInput *> &inputs,
                  const Function &function) {
    InputViews views;
    std::vector<CandidateView> list;
    for (const ModelInput *input : inputs) {
      if (auto error = checkModelInput(*input))
        return error;
      list.push_back(views.add(*input));
    }
    ErrorText text;
    if (!list.empty() && !function(list.data(), text))
      return fail("the learned cost model failed: " + Twine(text.text));
    return Error::success();
  }

  const Library &library;
  Scorer *scorer;
};

/// Scores by the mean of several models that differ in the seed of their
/// training. They err in different places, so that a search, which looks for
/// the highest of thousands of predictions, finds fewer errors.
class EnsembleModel : public LearnedModel {
public:
  explicit EnsembleModel(std::vector<std::unique_ptr<LearnedModel>> members)
      : members(std::move(members)) {}

  std::string getName() const override { return members.front()->getName(); }

  Error score(const std::vector<const ModelInput *> &inputs,
              std::vector<double> &scores) override {
    std::vector<double> sums(inputs.size(), 0), own;
    for (auto &member : members) {
      own.clear();
      if (Error error = member->score(inputs, own))
        return error;
      for (auto [sum, score] : llvm::zip_equal(sums, own))
        sum += score;
    }
    for (double &sum : sums)
      sum /= members.size();
    scores = std::move(sums);
    return Error::success();
  }

  /// The first member's: members do not share a space.
  Error embed(const std::vector<const ModelInput *> &inputs,
              Rows &embeddings) override {
    return members.front()->embed(inputs, embeddings);
  }

private:
  std::vector<std::unique_ptr<LearnedModel>> members;
};
} // namespace

static Expected<std::unique_ptr<LearnedModel>>
loadFile(const std::string &path, llvm::ArrayRef<float> targetFeatures) {
  auto library = openModelLibrary();
  if (!library)
    return library.takeError();
  ErrorText text;
  Scorer *scorer =
      (*library)->openScorer(path.c_str(), targetFeatures.data(), text);
  if (!scorer)
    return fail("cannot load weights: " + Twine(text.text));
  return std::make_unique<TorchModel>(**library, scorer);
}

/// The weights files of a folder, in the order of their names.
static Expected<std::vector<std::string>> listFolder(const std::string &path) {
  std::vector<std::string> files;
  std::error_code code;
  for (llvm::sys::fs::directory_iterator it(path, code), end;
       it != end && !code; it.increment(code))
    if (llvm::sys::path::extension(it->path()) == kWeightsExtension)
      files.push_back(it->path());
  if (code)
    return fail("cannot read the weights folder '" + path +
                "': " + code.message());
  if (files.empty())
    return fail("the weights folder '" + path + "' holds no *" +
                kWeightsExtension + " file: give a folder or file of weights");
  llvm::sort(files);
  return files;
}

Expected<std::unique_ptr<LearnedModel>>
mlir::nestor::loadLearnedModel(StringRef weightsPath,
                               llvm::ArrayRef<float> targetFeatures) {
  if (targetFeatures.size() != kTargetDim)
    return fail("target features have " + Twine(targetFeatures.size()) +
                " numbers, not " + Twine(kTargetDim));
  std::string path =
      weightsPath.empty() ? getDefaultWeightsPath() : weightsPath.str();
  if (!llvm::sys::fs::exists(path))
    return fail("weights '" + path +
                "' do not exist: train them with 'nestor-train train', give "
                "another file, or choose the analytical model");
  if (!llvm::sys::fs::is_directory(path))
    return loadFile(path, targetFeatures);
  auto files = listFolder(path);
  if (!files)
    return files.takeError();
  std::vector<std::unique_ptr<LearnedModel>> members;
  for (const std::string &file : *files) {
    auto member = loadFile(file, targetFeatures);
    if (!member)
      return member.takeError();
    members.push_back(std::move(*member));
  }
  return std::make_unique<EnsembleModel>(std::move(members));
}

Expected<std::unique_ptr<LearnedModel>>
mlir::nestor::loadLearnedModel(StringRef weightsPath,
                               const TargetDescriptor &target) {
  return loadLearnedModel(weightsPath, targetFeatures(target));
}
