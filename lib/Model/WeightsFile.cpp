//===- WeightsFile.cpp - The container of model weights -------------------===//
//
// Model room: reads and writes *.nestor-weights; layout in WeightsFile.h.
// Compiled with exceptions (the JSON library throws); none gets out.
//
//===----------------------------------------------------------------------===//
#include "nestor/Model/WeightsFile.h"
#include "nestor/Features/Features.h"
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <unistd.h>

using namespace mlir::nestor;
using Json = nlohmann::ordered_json;

static constexpr char kMagic[] = "NSTRWGHT";
static constexpr size_t kStartSize = 8 + sizeof(uint32_t) + sizeof(uint64_t);
static constexpr int64_t kMaxElements = int64_t(1) << 32;

namespace {
/// Carries a message from where something is wrong to the function that was
/// called, which puts the file's name before it.
struct Refusal {
  std::string message;
};
} // namespace

static uint64_t hashBytes(const char *data, size_t size) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (size_t i = 0; i < size; ++i)
    hash = (hash ^ uint8_t(data[i])) * 0x100000001b3u;
  return hash;
}

static Json getWidths() {
  return {{"flags", kFlagDim},
          {"domain", kDomainDim},
          {"loop", kLoopDim},
          {"access", kAccessDim},
          {"token", kTokenDim},
          {"target", kTargetDim},
          {"analytical", kAnalyticalDim}};
}

const WeightTensor *WeightsFile::find(const std::string &name) const {
  for (const WeightTensor &tensor : tensors)
    if (tensor.name == name)
      return &tensor;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static Json parseObject(const std::string &text) {
  return text.empty() ? Json::object() : Json::parse(text);
}

static std::string serialize(const WeightsFile &weights) {
  Json tensors = Json::array();
  for (const WeightTensor &tensor : weights.tensors)
    tensors.push_back({{"name", tensor.name}, {"shape", tensor.shape}});
  Json header{{"kind", weights.kind},
              {"feature_version", kFeatureVersion},
              {"widths", getWidths()},
              {"config", parseObject(weights.config)},
              {"trained_on", parseObject(weights.trainedOn)},
              {"training", parseObject(weights.training)},
              {"metrics", parseObject(weights.metrics)},
              {"tensors", std::move(tensors)}};
  std::string text = header.dump();
  std::string bytes(kMagic, 8);
  auto append = [&](const void *data, size_t size) {
    bytes.append(static_cast<const char *>(data), size);
  };
  uint64_t size = text.size();
  append(&kWeightsFormatVersion, sizeof(kWeightsFormatVersion));
  append(&size, sizeof(size));
  bytes += text;
  for (const WeightTensor &tensor : weights.tensors)
    append(tensor.data.data(), tensor.data.size() * sizeof(float));
  uint64_t hash = hashBytes(bytes.data(), bytes.size());
  append(&hash, sizeof(hash));
  return bytes;
}

bool mlir::nestor::writeWeights(const std::string &path,
                                const WeightsFile &weights,
                                std::string &error) {
  std::string temporary = path + "." + std::to_string(getpid()) + ".tmp";
  try {
    std::string bytes = serialize(weights);
    errno = 0;
    std::ofstream file(temporary, std::ios::binary);
    file.write(bytes.data(), std::streamsize(bytes.size()));
    file.close();
    if (file && std::rename(temporary.c_str(), path.c_str()) == 0)
      return true;
    error = "cannot write '" + path + "': " + std::strerror(errno);
  } catch (const std::exception &exception) {
    error = "cannot write '" + path + "': " + exception.what();
  }
  std::remove(temporary.c_str());
  return false;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static std::string readFile(const std::string &path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file),
                    std::istreambuf_iterator<char>()};
  // Opening a folder succeeds, reading it does not.
  if (!file.is_open() || errno == EISDIR)
    throw Refusal{std::string("cannot be read: ") + std::strerror(errno)};
  return bytes;
}

/// The JSON header; `offset` is set to where the tensors begin. The last 8
/// bytes are the checksum, which is compared last of all cheap tests, so that a
/// file of another version is not called damaged.
static Json readHeader(const std::string &bytes, size_t &offset) {
  if (bytes.size() < 8 || std::memcmp(bytes.data(), kMagic, 8) != 0)
    throw Refusal{"is not a weights file: make one with 'nestor-train'"};
  if (bytes.size() < kStartSize + sizeof(uint64_t))
    throw Refusal{"is truncated: fetch or train it anew"};
  uint32_t version;
  uint64_t size;
  std::memcpy(&version, bytes.data() + 8, sizeof(version));
  std::memcpy(&size, bytes.data() + 8 + sizeof(version), sizeof(size));
  if (version != kWeightsFormatVersion)
    throw Refusal{"has format version " + std::to_string(version) +
                  ", this Nestor reads " +
                  std::to_string(kWeightsFormatVersion) +
                  ": train it anew with 'nestor-train'"};
  if (size > bytes.size() - kStartSize - sizeof(uint64_t))
    throw Refusal{"is truncated: fetch or train it anew"};
  offset = kStartSize + size;
  Json header = Json::parse(bytes.begin() + kStartSize, bytes.begin() + offset,
                            nullptr, /*allow_exceptions=*/false);
  if (!header.is_object())
    throw Refusal{"is damaged (its header is no JSON object): fetch or train "
                  "it anew"};
  return header;
}

static void checkFeatures(const Json &header) {
  uint64_t version = header.at("feature_version").get<uint64_t>();
  if (version != kFeatureVersion)
    throw Refusal{"was trained on feature version " + std::to_string(version) +
                  ", this Nestor has " + std::to_string(kFeatureVersion) +
                  ": train it anew with 'nestor-train'"};
  const Json &widths = header.at("widths");
  const Json expected = getWidths();
  for (const auto &[name, width] : expected.items())
    if (widths.at(name) != width)
      throw Refusal{"was trained on " + name + " rows of " +
                    widths.at(name).dump() + " numbers, this Nestor has " +
                    width.dump() + ": train it anew with 'nestor-train'"};
}

static int64_t countElements(const std::vector<int64_t> &shape) {
  int64_t count = 1;
  for (int64_t extent : shape) {
    if (extent < 0 || (extent > 0 && count > kMaxElements / extent))
      return -1;
    count *= extent;
  }
  return count;
}

static void readTensors(const Json &header, const std::string &bytes,
                        size_t offset, std::vector<WeightTensor> &tensors) {
  size_t end = bytes.size() - sizeof(uint64_t);
  for (const Json &entry : header.at("tensors")) {
    WeightTensor tensor;
    tensor.name = entry.at("name").get<std::string>();
    tensor.shape = entry.at("shape").get<std::vector<int64_t>>();
    int64_t count = countElements(tensor.shape);
    if (count < 0)
      throw Refusal{"is damaged (shape of '" + tensor.name +
                    "'): fetch or train it anew"};
    if (size_t(count) * sizeof(float) > end - offset)
      throw Refusal{"is truncated: fetch or train it anew"};
    tensor.data.resize(count);
    std::memcpy(tensor.data.data(), bytes.data() + offset,
                count * sizeof(float));
    offset += count * sizeof(float);
    for (float number : tensor.data)
      if (!std::isfinite(number))
        throw Refusal{"is damaged ('" + tensor.name +
                      "' holds a number that is not finite): fetch or train it "
                      "anew"};
    tensors.push_back(std::move(tensor));
  }
  if (offset != end)
    throw Refusal{"has " + std::to_string(end - offset) +
                  " bytes too many: fetch or train it anew"};
}

static void checkHash(const std::string &bytes) {
  size_t end = bytes.size() - sizeof(uint64_t);
  uint64_t hash;
  std::memcpy(&hash, bytes.data() + end, sizeof(hash));
  if (hash != hashBytes(bytes.data(), end))
    throw Refusal{"is damaged (its checksum is wrong): fetch or train it anew"};
}

/// Runs `read` and turns what it throws into a message about the file.
template <typename Function>
static bool guard(const std::string &path, std::string &error,
                  const Function &read) {
  try {
    read();
    return true;
  } catch (const Refusal &refusal) {
    error = "'" + path + "' " + refusal.message;
  } catch (const nlohmann::json::exception &exception) {
    error = "'" + path + "' is damaged (" + exception.what() +
            "): fetch or train it anew";
  } catch (const std::exception &exception) {
    error = "'" + path + "' cannot be read: " + exception.what();
  }
  return false;
}

bool mlir::nestor::readWeights(const std::string &path, const std::string &kind,
                               WeightsFile &weights, std::string &error) {
  return guard(path, error, [&] {
    std::string bytes = readFile(path);
    size_t offset;
    Json header = readHeader(bytes, offset);
    readTensors(header, bytes, offset, weights.tensors);
    checkHash(bytes);
    weights.kind = header.at("kind").get<std::string>();
    if (weights.kind != kind)
      throw Refusal{"holds a model of kind '" + weights.kind + "', not '" +
                    kind + "': give a file of that kind"};
    checkFeatures(header);
    weights.config = header.at("config").dump();
    weights.trainedOn = header.at("trained_on").dump();
    weights.training = header.at("training").dump();
    weights.metrics = header.at("metrics").dump();
  });
}

bool mlir::nestor::describeWeights(const std::string &path,
                                   std::string &description,
                                   std::string &error) {
  return guard(path, error, [&] {
    std::string bytes = readFile(path);
    size_t offset;
    Json header = readHeader(bytes, offset);
    std::vector<WeightTensor> tensors;
    readTensors(header, bytes, offset, tensors);
    checkHash(bytes);
    // One line a tensor.
    size_t parameters = 0;
    Json list = Json::object();
    for (const WeightTensor &tensor : tensors) {
      parameters += tensor.data.size();
      list[tensor.name] = Json(tensor.shape).dump();
    }
    header["tensors"] = std::move(list);
    header["parameters"] = parameters;
    description = header.dump(2) + "\n";
  });
}
