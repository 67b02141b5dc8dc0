//===- GeneratorFlags.cpp - Options of the generator ----------------------===//
//
// See GeneratorFlags.h.
//
//===----------------------------------------------------------------------===//
#include "GeneratorFlags.h"

using namespace mlir::nestor;
using namespace mlir::nestor::data;
namespace cl = llvm::cl;

using Profile = GeneratorOptions::Profile;
using Footprint = GeneratorOptions::Footprint;

cl::SubCommand &data::generateCommand() {
  static cl::SubCommand command("generate", "Make random programs");
  return command;
}

cl::SubCommand &data::featuresCommand() {
  static cl::SubCommand command("features",
                                "Write the features that nestor-train reads");
  return command;
}

#define GENERATOR_FLAG                                                         \
  cl::sub(generateCommand()), cl::sub(featuresCommand()), cl::cat(category)

static cl::opt<Profile>
    profile("profile", cl::desc("Kind of programs"), cl::init(Profile::Train),
            cl::values(clEnumValN(Profile::Train, "train", "like real code"),
                       clEnumValN(Profile::Fuzz, "fuzz", "tiny and hostile")),
            GENERATOR_FLAG);
static cl::opt<Footprint> footprint(
    "footprint", cl::desc("Largest array"), cl::init(Footprint::Mixed),
    cl::values(clEnumValN(Footprint::Small, "small", "1 MiB"),
               clEnumValN(Footprint::Medium, "medium", "16 MiB"),
               clEnumValN(Footprint::Mixed, "mixed", "64 KiB to 64 MiB")),
    GENERATOR_FLAG);
static cl::opt<int64_t>
    minWork("min-work", cl::desc("Scalar operations of a run, at least"),
            cl::init(100'000), GENERATOR_FLAG);
static cl::opt<int64_t> maxWork("max-work",
                                cl::desc("Scalar operations of a run, at most"),
                                cl::init(300'000'000), GENERATOR_FLAG);
static cl::opt<unsigned> maxNests("max-nests", cl::desc("Nests of a program"),
                                  cl::init(4), GENERATOR_FLAG);
static cl::opt<bool> scalars("scalars", cl::desc("Use rank-0 memrefs"),
                             GENERATOR_FLAG);
static cl::opt<bool> iterArgs("iter-args", cl::desc("Use iter_args"),
                              GENERATOR_FLAG);
static cl::list<unsigned>
    fastMath("fastmath-weights", cl::CommaSeparated,
             cl::desc("Chances of strict, contract, reassoc+contract"),
             cl::value_desc("a,b,c"), GENERATOR_FLAG);

llvm::StringRef data::getProfileName() {
  return profile == Profile::Fuzz ? "fuzz" : "train";
}

llvm::Expected<GeneratorOptions> data::readGeneratorOptions() {
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
  if (fastMath.size() != 3 || !(fastMath[0] | fastMath[1] | fastMath[2]))
    return llvm::createStringError("--fastmath-weights takes three numbers, "
                                   "not all 0, as in 1,0,1");
  options.strictWeight = fastMath[0];
  options.contractWeight = fastMath[1];
  options.reassocWeight = fastMath[2];
  return options;
}
