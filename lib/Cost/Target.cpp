//===- Target.cpp - Named defaults and files of target descriptors --------===//
//
// Cost room. The defaults are round figures of common server cores, fixed, so
// that a search without a descriptor gives the same schedule on every machine.
//
//===----------------------------------------------------------------------===//
#include "nestor/Cost/Target.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace mlir::nestor;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

// More than any machine has; what is beyond is a slip of the pen.
static constexpr int64_t kMaxVectorBits = 4096, kMaxRegisters = 1024,
                         kMaxCores = 1 << 16, kMaxCacheBytes = 1LL << 40;
static constexpr double kMaxNumber = 1e9;
static constexpr StringRef kLevels[] = {"L1", "L2", "L3", "DRAM"};

static Error makeError(const llvm::Twine &message) {
  return llvm::createStringError(message);
}

//===----------------------------------------------------------------------===//
// Named defaults
//===----------------------------------------------------------------------===//

/// Two fused multiply-adds of full vectors a cycle, two loads from L1.
static TargetDescriptor makeDefault(StringRef name, unsigned bits,
                                    unsigned registers, double gigahertz) {
  TargetDescriptor target;
  target.name = name.str();
  target.vectorBits = bits;
  target.vectorRegisters = registers;
  target.cores = 8;
  target.gigahertz = gigahertz;
  target.peakGflopsF32 = gigahertz * 4 * bits / 32;
  target.peakGflopsF64 = gigahertz * 4 * bits / 64;
  target.cacheBytes = {32 << 10, 1 << 20, 4 << 20};
  target.bandwidthGBs = {gigahertz * 2 * bits / 8, gigahertz * 32, 30, 15};
  return target;
}

Expected<TargetDescriptor> mlir::nestor::getNamedTarget(StringRef name) {
  if (name == "generic-avx2")
    return makeDefault(name, 256, 16, 3.0);
  if (name == "generic-avx512")
    return makeDefault(name, 512, 32, 3.0);
  return makeError("unknown target '" + name +
                   "': use generic-avx2, generic-avx512, or a file written by "
                   "'nestor-measure describe-machine -o FILE'");
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {
/// Reads members of the JSON object and remembers the first complaint.
class TargetReader {
public:
  explicit TargetReader(const llvm::json::Object &object) : object(object) {}

  double number(const llvm::json::Object &from, StringRef key, double least) {
    std::optional<double> value = from.getNumber(key);
    if (!value || !(*value >= least && *value <= kMaxNumber))
      complain("needs a number '" + key.str() + "' of " + toText(least) +
               " to " + toText(kMaxNumber));
    return value.value_or(least);
  }
  double number(StringRef key, double least) {
    return number(object, key, least);
  }
  int64_t integer(const llvm::json::Object &from, StringRef key, int64_t least,
                  int64_t most) {
    std::optional<int64_t> value = from.getInteger(key);
    if (!value || *value < least || *value > most)
      complain("needs an integer '" + key.str() + "' of " +
               std::to_string(least) + " to " + std::to_string(most));
    return value.value_or(least);
  }
  int64_t integer(StringRef key, int64_t least, int64_t most) {
    return integer(object, key, least, most);
  }
  std::string text(StringRef key) {
    std::optional<StringRef> value = object.getString(key);
    if (!value || value->empty())
      complain("needs a text '" + key.str() + "'");
    return value.value_or("").str();
  }
  const llvm::json::Object *member(StringRef key) {
    const llvm::json::Object *value = object.getObject(key);
    if (!value)
      complain("needs an object '" + key.str() + "'");
    return value;
  }
  void complain(std::string what) {
    if (problem.empty())
      problem = std::move(what);
  }

  std::string problem;

private:
  static std::string toText(double number) {
    std::string text;
    llvm::raw_string_ostream(text) << llvm::format("%g", number);
    return text;
  }
  const llvm::json::Object &object;
};
} // namespace

/// Checked first: another version may well have other members.
static Error checkVersion(const llvm::json::Object &object) {
  std::optional<int64_t> version = object.getInteger("nestorTarget");
  if (!version)
    return makeError("target descriptor: no member 'nestorTarget' with the "
                     "format's version; expected a file written by "
                     "'nestor-measure describe-machine'");
  if (*version != kTargetVersion)
    return makeError("target descriptor: format version " +
                     llvm::Twine(*version) + ", but this build reads version " +
                     llvm::Twine(kTargetVersion) +
                     ": write it again with 'nestor-measure describe-machine'");
  return Error::success();
}

Expected<TargetDescriptor> mlir::nestor::parseTarget(StringRef json) {
  Expected<llvm::json::Value> value = llvm::json::parse(json);
  if (!value)
    return makeError("target descriptor: not JSON: " +
                     llvm::toString(value.takeError()));
  const llvm::json::Object *object = value->getAsObject();
  if (!object)
    return makeError("target descriptor: expected a JSON object, as written by "
                     "'nestor-measure describe-machine'");
  if (Error error = checkVersion(*object))
    return std::move(error);

  TargetReader reader(*object);
  TargetDescriptor target;
  target.name = reader.text("name");
  target.vectorBits = reader.integer("vectorBits", 64, kMaxVectorBits);
  target.vectorRegisters = reader.integer("vectorRegisters", 1, kMaxRegisters);
  target.cores = reader.integer("cores", 1, kMaxCores);
  target.gigahertz = reader.number("gigahertz", 0.01);
  target.peakGflopsF32 = reader.number("peakGflopsF32", 0.01);
  target.peakGflopsF64 = reader.number("peakGflopsF64", 0.01);
  if (const llvm::json::Object *cache = reader.member("cacheBytes"))
    for (unsigned level = 0; level < 3; ++level)
      target.cacheBytes[level] =
          reader.integer(*cache, kLevels[level], 0, kMaxCacheBytes);
  if (const llvm::json::Object *bandwidth = reader.member("bandwidthGBs"))
    for (unsigned level = 0; level < 4; ++level)
      target.bandwidthGBs[level] =
          reader.number(*bandwidth, kLevels[level], 0.001);
  if (!reader.problem.empty())
    return makeError("target descriptor: " + reader.problem);
  return target;
}

Expected<TargetDescriptor> mlir::nestor::loadTarget(StringRef nameOrPath) {
  Expected<TargetDescriptor> named = getNamedTarget(nameOrPath);
  if (named)
    return named;
  auto buffer = llvm::MemoryBuffer::getFile(nameOrPath, /*IsText=*/true);
  if (!buffer) {
    // A word without a dot or slash was meant as a name.
    if (nameOrPath.find_first_of("./") == StringRef::npos)
      return named;
    llvm::consumeError(named.takeError());
    return makeError("cannot read target descriptor '" + nameOrPath +
                     "': " + buffer.getError().message());
  }
  llvm::consumeError(named.takeError());
  Expected<TargetDescriptor> target = parseTarget((*buffer)->getBuffer());
  if (!target)
    return makeError(nameOrPath + ": " + llvm::toString(target.takeError()));
  return target;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// "4.09" where json::OStream would write 4.0899999999999999.
static void printNumber(llvm::json::OStream &json, StringRef key,
                        double value) {
  json.attributeBegin(key);
  json.rawValue([&](llvm::raw_ostream &stream) {
    stream << llvm::format("%.9g", value);
  });
  json.attributeEnd();
}

std::string mlir::nestor::printTarget(const TargetDescriptor &target) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::json::OStream json(stream, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("nestorTarget", kTargetVersion);
    json.attribute("name", target.name);
    json.attribute("vectorBits", target.vectorBits);
    json.attribute("vectorRegisters", target.vectorRegisters);
    json.attribute("cores", target.cores);
    printNumber(json, "gigahertz", target.gigahertz);
    printNumber(json, "peakGflopsF32", target.peakGflopsF32);
    printNumber(json, "peakGflopsF64", target.peakGflopsF64);
    json.attributeObject("cacheBytes", [&] {
      for (unsigned level = 0; level < 3; ++level)
        json.attribute(kLevels[level], target.cacheBytes[level]);
    });
    json.attributeObject("bandwidthGBs", [&] {
      for (unsigned level = 0; level < 4; ++level)
        printNumber(json, kLevels[level], target.bandwidthGBs[level]);
    });
  });
  stream << "\n";
  return text;
}

Error mlir::nestor::saveTarget(const TargetDescriptor &target, StringRef path) {
  // A temporary file beside `path`, then a rename.
  Error error = llvm::writeToOutput(path, [&](llvm::raw_ostream &stream) {
    stream << printTarget(target);
    return Error::success();
  });
  if (error)
    return makeError("cannot write target descriptor '" + path +
                     "': " + llvm::toString(std::move(error)));
  return Error::success();
}
