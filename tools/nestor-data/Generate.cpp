//===- Generate.cpp - nestor-data generate --------------------------------===//
//
// Random programs, into a folder of .mlir files (tests, fuzzing).
//
//===----------------------------------------------------------------------===//
#include "Commands.h"
#include "nestor/Corpus/Generator.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
using namespace mlir::nestor;
using namespace mlir::nestor::data;
namespace cl = llvm::cl;

cl::SubCommand data::generateCommand("generate", "Make random programs");

using Profile = GeneratorOptions::Profile;
using Footprint = GeneratorOptions::Footprint;

static cl::opt<unsigned> count("count", cl::desc("Number of programs"),
                               cl::init(10), cl::sub(generateCommand));
static cl::opt<uint64_t> seed("seed", cl::desc("First seed; one a program"),
                              cl::init(1), cl::sub(generateCommand));
static cl::opt<std::string> folder("o", cl::desc("Write .mlir files here"),
                                   cl::value_desc("folder"),
                                   cl::sub(generateCommand));
static cl::opt<Profile>
    profile("profile", cl::desc("Kind of programs"), cl::init(Profile::Train),
            cl::values(clEnumValN(Profile::Train, "train", "like real code"),
                       clEnumValN(Profile::Fuzz, "fuzz", "tiny and hostile")),
            cl::sub(generateCommand));
static cl::opt<Footprint> footprint(
    "footprint", cl::desc("Largest array"), cl::init(Footprint::Mixed),
    cl::values(clEnumValN(Footprint::Small, "small", "1 MiB"),
               clEnumValN(Footprint::Medium, "medium", "16 MiB"),
               clEnumValN(Footprint::Mixed, "mixed", "64 KiB to 64 MiB")),
    cl::sub(generateCommand));
static cl::opt<int64_t>
    minWork("min-work", cl::desc("Scalar operations of a run, at least"),
            cl::init(100'000), cl::sub(generateCommand));
static cl::opt<int64_t> maxWork("max-work",
                                cl::desc("Scalar operations of a run, at most"),
                                cl::init(300'000'000),
                                cl::sub(generateCommand));
static cl::opt<unsigned> maxNests("max-nests", cl::desc("Nests of a program"),
                                  cl::init(4), cl::sub(generateCommand));
static cl::opt<bool> scalars("scalars", cl::desc("Use rank-0 memrefs"),
                             cl::sub(generateCommand));
static cl::opt<bool> iterArgs("iter-args", cl::desc("Use iter_args"),
                              cl::sub(generateCommand));
static cl::list<unsigned>
    fastMath("fastmath-weights", cl::CommaSeparated,
             cl::desc("Chances of strict, contract, reassoc+contract"),
             cl::value_desc("a,b,c"), cl::sub(generateCommand));

static llvm::Expected<GeneratorOptions> readOptions() {
  GeneratorOptions options;
  options.profile = profile;
  options.footprint = footprint;
  options.minWork = minWork;
  options.maxWork = maxWork;
  options.maxNests = maxNests;
  options.scalarTemporaries = scalars;
  options.iterArgs = iterArgs;
  if (minWork < 1 || minWork > maxWork)
    return llvm::createStringError(
        "--min-work must be at least 1 and at most --max-work");
  if (maxNests < 1)
    return llvm::createStringError("--max-nests must be at least 1");
  if (fastMath.empty())
    return options;
  if (fastMath.size() != 3 || fastMath[0] + fastMath[1] + fastMath[2] == 0)
    return llvm::createStringError("--fastmath-weights takes three numbers, "
                                   "not all 0, as in 1,0,1");
  options.strictWeight = fastMath[0];
  options.contractWeight = fastMath[1];
  options.reassocWeight = fastMath[2];
  return options;
}

static llvm::Error writeText(llvm::StringRef path, llvm::StringRef text) {
  std::error_code code;
  llvm::ToolOutputFile file(path, code, llvm::sys::fs::OF_None);
  if (code)
    return llvm::createStringError("cannot write '" + path +
                                   "': " + code.message());
  file.os() << text;
  file.os().close();
  if (file.os().has_error())
    return llvm::createStringError("cannot write '" + path +
                                   "': " + file.os().error().message());
  file.keep();
  return llvm::Error::success();
}

llvm::Error data::runGenerate() {
  auto options = readOptions();
  if (!options)
    return options.takeError();
  if (folder.empty())
    return llvm::createStringError("say where to: -o <folder>");
  if (std::error_code code = llvm::sys::fs::create_directories(folder))
    return llvm::createStringError("cannot make folder '" + folder +
                                   "': " + code.message());
  MLIRContext context(MLIRContext::Threading::DISABLED);
  for (unsigned i = 0; i < count; ++i) {
    auto module = generateProgram(context, *options, seed + i);
    llvm::SmallString<128> path(folder.getValue());
    llvm::sys::path::append(path, llvm::formatv("{0:d6}.mlir", seed + i).str());
    if (auto error = writeText(path, canonicalText(*module)))
      return error;
  }
  return llvm::Error::success();
}
