//===- ModuleState.h - Between modules and weights files --------*- C++ -*-===//
//
// Model room: these throw std::runtime_error with a message for the user.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_LIB_MODEL_MODULESTATE_H
#define NESTOR_LIB_MODEL_MODULESTATE_H

#include "Layers.h"
#include "nestor/Model/WeightsFile.h"
#include <string>
#include <utility>
#include <vector>

namespace mlir::nestor::model {

/// Parameters and buffers by name.
using NamedTensors = std::vector<std::pair<std::string, Tensor>>;
NamedTensors getTensors(const torch::nn::Module &module);

/// Deep copies.
NamedTensors cloneTensors(const NamedTensors &tensors);
void copyTensors(const NamedTensors &from, const NamedTensors &to);

/// Appends the tensors to a file, their names behind `prefix`.
void storeTensors(const NamedTensors &tensors, const std::string &prefix,
                  WeightsFile &weights);
/// Fills the tensors from a file that must hold each with its shape.
void loadTensors(const WeightsFile &weights, const std::string &path,
                 const std::string &prefix, const NamedTensors &tensors);

std::string printConfig(const ModelConfig &config);
ModelConfig parseConfig(const std::string &json, const std::string &path);

/// Reads a file of the given kind, or throws.
WeightsFile openWeights(const std::string &path, const std::string &kind);

} // namespace mlir::nestor::model

#endif // NESTOR_LIB_MODEL_MODULESTATE_H
