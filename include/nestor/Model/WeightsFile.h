//===- WeightsFile.h - The container of model weights -----------*- C++ -*-===//
//
// Model room: *.nestor-weights, named float32 tensors under a header that says
// what they are for. Standard library only: libNestorModel.so and the
// torch-free tools both use it. No function throws; each fails with a message
// that names the file.
//
// The file: "NSTRWGHT", u32 format version, u64 size of the header, the header
// (JSON), the tensors' numbers in the header's order, u64 FNV-1a of everything
// before. Little-endian. The header:
//
//   kind             "encoder", "cost-model" or "checkpoint"
//   feature_version  kFeatureVersion of the features it was trained on
//   widths           of all rows: flags, domain, loop, access, token, target,
//                    analytical
//   config           sizes of the model
//   trained_on       dataset's hash, numbers of programs and labels, target ...
//   training         seed and options
//   metrics          on the validation part
//   tensors          [{name, shape}, ...]
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_MODEL_WEIGHTSFILE_H
#define NESTOR_MODEL_WEIGHTSFILE_H

#include <cstdint>
#include <string>
#include <vector>

namespace mlir::nestor {

inline constexpr uint32_t kWeightsFormatVersion = 1;

struct WeightTensor {
  std::string name;
  std::vector<int64_t> shape;
  std::vector<float> data;
};

struct WeightsFile {
  std::string kind;
  /// JSON objects, each an empty string where there is nothing to say.
  std::string config, trainedOn, training, metrics;
  std::vector<WeightTensor> tensors;

  const WeightTensor *find(const std::string &name) const;
};

/// Writes a temporary file beside `path` and renames it.
bool writeWeights(const std::string &path, const WeightsFile &weights,
                  std::string &error);

/// Refuses damaged, truncated and foreign files, other format versions, other
/// feature versions and row widths than this Nestor's, and another kind than
/// `kind`.
bool readWeights(const std::string &path, const std::string &kind,
                 WeightsFile &weights, std::string &error);

/// The whole header as indented JSON, also of files that `readWeights` refuses
/// for their features.
bool describeWeights(const std::string &path, std::string &description,
                     std::string &error);

} // namespace mlir::nestor

#endif // NESTOR_MODEL_WEIGHTSFILE_H
