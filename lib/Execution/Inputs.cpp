//===- Inputs.cpp - The data that a measured program works on -------------===//
//
// Execution room, third step. One region of memory per buffer, or per group of
// overlapping buffers:
//
//   | unmapped | guard | data ... | guard | unmapped |
//
// Writes into a guard are reported, wilder ones crash at once.
//
//===----------------------------------------------------------------------===//
#include "nestor/Execution/Inputs.h"

#include "Numbers.h"

#include <cmath>
#include <sys/mman.h>
#include <unistd.h>

using namespace mlir::nestor;
using llvm::Error;
using llvm::Expected;

static constexpr int64_t kGuardBytes = 16 << 10;
static constexpr unsigned char kGuardByte = 0xa5;

static Error makeError(const llvm::Twine &message) {
  return llvm::createStringError(message);
}

/// Memory that one or several arguments live in.
struct Inputs::Region {
  ~Region() {
    if (mapping)
      munmap(mapping, mappedBytes);
  }
  Error map(unsigned number);

  int64_t firstByte = 0, endByte = 0; ///< hull of the arguments' offsets
  char *mapping = nullptr;
  size_t mappedBytes = 0;
  char *guard = nullptr; ///< begin of the mapped, writable part
  char *data = nullptr;  ///< where firstByte lives
  char *guardEnd = nullptr;
  std::vector<char> initial;
  bool changes = true;

  int64_t size() const { return endByte - firstByte; }
};

Error Inputs::Region::map(unsigned number) {
  int64_t page = sysconf(_SC_PAGESIZE);
  // Different places within a page, as buffers at the same one evict each
  // other.
  int64_t shift = int64_t(number) * 320 % page;
  int64_t inner = llvm::alignTo(shift + size() + 2 * kGuardBytes, page);
  mappedBytes = inner + 2 * page;
  void *address =
      mmap(nullptr, mappedBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (address == MAP_FAILED)
    return makeError("cannot allocate " + llvm::Twine(size()) +
                     " bytes for the arguments");
  mapping = static_cast<char *>(address);
  guard = mapping + page;
  guardEnd = guard + inner;
  data = guard + kGuardBytes + shift;
  if (mprotect(guard, inner, PROT_READ | PROT_WRITE))
    return makeError("cannot allocate " + llvm::Twine(size()) +
                     " bytes for the arguments");
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Making
//===----------------------------------------------------------------------===//

Expected<std::unique_ptr<Inputs>>
Inputs::create(const Signature &signature, llvm::ArrayRef<Overlap> overlaps) {
  std::unique_ptr<Inputs> inputs(new Inputs());
  inputs->signature = signature;
  if (Error error = inputs->place(overlaps))
    return std::move(error);
  if (Error error = inputs->allocate())
    return std::move(error);
  if (Error error = inputs->fill())
    return std::move(error);
  inputs->reset();
  return inputs;
}

Inputs::~Inputs() = default;

/// Elements between two arguments in one memory; more would not fit any.
static constexpr int64_t kMaxOverlap = int64_t(1) << 40;

/// Decides in which region each buffer lives, and where in it.
Error Inputs::place(llvm::ArrayRef<Overlap> overlaps) {
  const std::vector<Argument> &arguments = signature.arguments;
  for (unsigned index = 0; index < arguments.size(); ++index)
    places.emplace_back(index, 0);
  for (const Overlap &overlap : overlaps) {
    auto [first, second, elements] = overlap;
    for (unsigned index : {first, second})
      if (index >= arguments.size() || !arguments[index].isBuffer)
        return makeError("cannot overlap argument " + llvm::Twine(index) +
                         ": it is no memref of the function");
    bool taken = first == second || places[second].first != second;
    for (unsigned other = 0; other < arguments.size(); ++other)
      taken |= other != second && places[other].first == second;
    if (taken)
      return makeError("cannot place argument " + llvm::Twine(second) +
                       " inside argument " + llvm::Twine(first) +
                       ": it already shares memory; name each second argument "
                       "once, after those that its memory depends on");
    if (elements > kMaxOverlap || elements < -kMaxOverlap)
      return makeError("cannot place argument " + llvm::Twine(second) + " " +
                       llvm::Twine(elements) + " elements into argument " +
                       llvm::Twine(first) + ": that is too far");
    int64_t offset = places[first].second +
                     elements * int64_t(getByteSize(arguments[first].kind));
    if (offset % int64_t(getByteSize(arguments[second].kind)))
      return makeError("cannot place argument " + llvm::Twine(second) + " " +
                       llvm::Twine(elements) + " elements into argument " +
                       llvm::Twine(first) + ": it would not be aligned");
    places[second] = {places[first].first, offset};
  }
  return Error::success();
}

Error Inputs::allocate() {
  regions.resize(signature.arguments.size());
  for (auto [index, argument] : llvm::enumerate(signature.arguments)) {
    if (!argument.isBuffer)
      continue;
    auto [number, offset] = places[index];
    if (!regions[number])
      regions[number] = std::make_unique<Region>();
    Region &region = *regions[number];
    region.firstByte = std::min(region.firstByte, offset);
    region.endByte = std::max(region.endByte, offset + argument.getNumBytes());
  }
  for (auto [number, region] : llvm::enumerate(regions))
    if (region)
      if (Error error = region->map(number))
        return error;
  return Error::success();
}

char *Inputs::getData(unsigned argument) const {
  auto [number, offset] = places[argument];
  const Region &region = *regions[number];
  return region.data + (offset - region.firstByte);
}

Error Inputs::fill() {
  std::vector<void *> buffers(signature.arguments.size());
  scalars.resize(signature.arguments.size());
  for (auto [index, argument] : llvm::enumerate(signature.arguments)) {
    if (!argument.isBuffer) {
      scalars[index] = getScalar(argument);
      continue;
    }
    buffers[index] = getData(index);
    if (Error error = fillBuffer(argument, index, getData(index)))
      return error;
  }
  for (const std::unique_ptr<Region> &region : regions)
    if (region)
      region->initial.assign(region->data, region->data + region->size());
  frame = std::make_unique<CallFrame>(signature, buffers, scalars);
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Between calls
//===----------------------------------------------------------------------===//

void Inputs::reset() {
  for (const std::unique_ptr<Region> &region : regions) {
    if (!region)
      continue;
    char *end = region->data + region->size();
    memset(region->guard, kGuardByte, region->data - region->guard);
    memcpy(region->data, region->initial.data(), region->initial.size());
    memset(end, kGuardByte, region->guardEnd - end);
  }
}

void Inputs::refill() {
  for (const std::unique_ptr<Region> &region : regions)
    if (region && region->changes)
      memcpy(region->data, region->initial.data(), region->initial.size());
}

void Inputs::noteChanges() {
  for (const std::unique_ptr<Region> &region : regions)
    if (region)
      region->changes = memcmp(region->data, region->initial.data(),
                               region->initial.size()) != 0;
}

Outcome Inputs::takeOutcome() const {
  Outcome outcome;
  for (auto [index, argument] : llvm::enumerate(signature.arguments)) {
    outcome.buffers.emplace_back();
    if (argument.isBuffer)
      outcome.buffers.back().assign(getData(index),
                                    getData(index) + argument.getNumBytes());
  }
  for (unsigned index = 0; index < signature.results.size(); ++index)
    outcome.results.push_back(frame->getResult(index));
  return outcome;
}

std::string Inputs::findOutOfBounds() const {
  auto isTouched = [](char byte) {
    return static_cast<unsigned char>(byte) != kGuardByte;
  };
  for (auto [number, region] : llvm::enumerate(regions)) {
    if (!region)
      continue;
    std::string where =
        "writes out of bounds: argument " + std::to_string(number) + ", ";
    char *end = region->data + region->size();
    for (char *byte = end; byte < region->guardEnd; ++byte)
      if (isTouched(*byte))
        return where + std::to_string(byte - end) + " bytes after its end";
    for (char *byte = region->data; byte-- > region->guard;)
      if (isTouched(*byte))
        return where + std::to_string(region->data - byte) +
               " bytes before its begin";
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Comparing
//===----------------------------------------------------------------------===//

static double getMeanMagnitude(const Argument &argument,
                               const std::vector<char> &data) {
  double sum = 0;
  int64_t count = argument.getNumElements(), finite = 0;
  for (int64_t index = 0; index < count; ++index) {
    double value =
        decode(argument.kind, loadBits(argument.kind, data.data(), index));
    if (!std::isfinite(value))
      continue;
    sum += std::fabs(value);
    ++finite;
  }
  return finite ? sum / double(finite) : 0;
}

static bool isClose(ElementKind kind, uint64_t base, uint64_t candidate,
                    double tolerance, double mean) {
  if (base == candidate)
    return true;
  if (!isFloat(kind) || tolerance <= 0)
    return false;
  double x = decode(kind, base), y = decode(kind, candidate);
  if (std::isnan(x) || std::isnan(y))
    return std::isnan(x) && std::isnan(y);
  return x == y || std::fabs(x - y) <= tolerance * std::max(std::fabs(x), mean);
}

/// "[3,4]"; empty for rank 0.
static std::string printIndex(const Argument &argument, int64_t linear) {
  std::string text;
  for (size_t dim = argument.shape.size(); dim-- > 0;) {
    text = std::to_string(linear % argument.shape[dim]) +
           (text.empty() ? "" : ",") + text;
    linear /= argument.shape[dim];
  }
  return "[" + text + "]";
}

static std::string findBufferDifference(const Argument &argument,
                                        const std::vector<char> &base,
                                        const std::vector<char> &candidate,
                                        double tolerance) {
  if (base == candidate)
    return "";
  double mean = tolerance > 0 ? getMeanMagnitude(argument, base) : 0;
  int64_t count = argument.getNumElements();
  for (int64_t index = 0; index < count; ++index) {
    uint64_t x = loadBits(argument.kind, base.data(), index);
    uint64_t y = loadBits(argument.kind, candidate.data(), index);
    if (!isClose(argument.kind, x, y, tolerance, mean))
      return "element " + printIndex(argument, index) + ", " +
             printNumber(argument.kind, x) + " vs " +
             printNumber(argument.kind, y);
  }
  return "";
}

std::string mlir::nestor::findDifference(const Signature &signature,
                                         const Outcome &base,
                                         const Outcome &candidate,
                                         double tolerance) {
  for (auto [index, argument] : llvm::enumerate(signature.arguments)) {
    if (!argument.isBuffer)
      continue;
    std::string difference = findBufferDifference(
        argument, base.buffers[index], candidate.buffers[index], tolerance);
    if (!difference.empty())
      return "argument " + std::to_string(index) + ", " + difference;
  }
  for (auto [index, kind] : llvm::enumerate(signature.results)) {
    uint64_t x = base.results[index], y = candidate.results[index];
    if (!isClose(kind, x, y, tolerance, 0))
      return "result " + std::to_string(index) + ", " + printNumber(kind, x) +
             " vs " + printNumber(kind, y);
  }
  return "";
}
