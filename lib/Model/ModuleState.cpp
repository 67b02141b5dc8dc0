//===- ModuleState.cpp - Between modules and weights files ----------------===//
//
// Model room: torch tensors on one side, WeightsFile on the other.
//
//===----------------------------------------------------------------------===//
#include "ModuleState.h"
#include <cstring>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

using namespace mlir::nestor;
using namespace mlir::nestor::model;

static constexpr int64_t kLargestLayer = 4096;

NamedTensors model::getTensors(const torch::nn::Module &module) {
  NamedTensors result;
  for (const auto &item : module.named_parameters())
    result.emplace_back(item.key(), item.value());
  for (const auto &item : module.named_buffers())
    result.emplace_back(item.key(), item.value());
  return result;
}

NamedTensors model::cloneTensors(const NamedTensors &tensors) {
  NamedTensors result;
  for (const auto &[name, tensor] : tensors)
    result.emplace_back(name, tensor.detach().clone());
  return result;
}

void model::copyTensors(const NamedTensors &from, const NamedTensors &to) {
  at::NoGradGuard noGrad;
  for (size_t i = 0; i < from.size(); ++i)
    to[i].second.copy_(from[i].second);
}

void model::storeTensors(const NamedTensors &tensors, const std::string &prefix,
                         WeightsFile &weights) {
  for (const auto &[name, tensor] : tensors) {
    Tensor plain = tensor.detach().to(at::kFloat).contiguous();
    WeightTensor stored{prefix + name, plain.sizes().vec(), {}};
    const float *numbers = plain.data_ptr<float>();
    stored.data.assign(numbers, numbers + plain.numel());
    weights.tensors.push_back(std::move(stored));
  }
}

static std::string printShape(at::IntArrayRef shape) {
  std::ostringstream out;
  out << shape;
  return out.str();
}

void model::loadTensors(const WeightsFile &weights, const std::string &path,
                        const std::string &prefix,
                        const NamedTensors &tensors) {
  at::NoGradGuard noGrad;
  for (const auto &[name, tensor] : tensors) {
    const WeightTensor *stored = weights.find(prefix + name);
    if (!stored)
      throw std::runtime_error("'" + path + "' has no tensor '" + prefix +
                               name + "': train it anew with 'nestor-train'");
    if (tensor.sizes() != at::IntArrayRef(stored->shape))
      throw std::runtime_error(
          "'" + path + "' has tensor '" + prefix + name + "' of shape " +
          printShape(stored->shape) + ", this model needs " +
          printShape(tensor.sizes()) + ": train it anew with 'nestor-train'");
    std::memcpy(tensor.data_ptr<float>(), stored->data.data(),
                stored->data.size() * sizeof(float));
  }
}

std::string model::printConfig(const ModelConfig &config) {
  return nlohmann::ordered_json{{"hidden", config.hidden},
                                {"embedding", config.embedding},
                                {"dropout", config.dropout}}
      .dump();
}

ModelConfig model::parseConfig(const std::string &json,
                               const std::string &path) {
  ModelConfig config;
  try {
    auto object = nlohmann::json::parse(json);
    config.hidden = object.at("hidden").get<int64_t>();
    config.embedding = object.at("embedding").get<int64_t>();
    config.dropout = object.at("dropout").get<double>();
  } catch (const nlohmann::json::exception &) {
    config.hidden = 0;
  }
  auto isSize = [](int64_t x) { return x > 1 && x <= kLargestLayer; };
  if (!isSize(config.hidden) || !isSize(config.embedding))
    throw std::runtime_error("'" + path +
                             "' has no valid model configuration: train it "
                             "anew with 'nestor-train'");
  return config;
}

WeightsFile model::openWeights(const std::string &path,
                               const std::string &kind) {
  WeightsFile weights;
  std::string error;
  if (!readWeights(path, kind, weights, error))
    throw std::runtime_error(error);
  return weights;
}
