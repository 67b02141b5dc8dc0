//===- Layers.h - The small parts of the networks ---------------*- C++ -*-===//
#ifndef NESTOR_LIB_MODEL_LAYERS_H
#define NESTOR_LIB_MODEL_LAYERS_H

#include "Batch.h"

namespace mlir::nestor::model {

/// Sizes of a model; stored in the weights file.
struct ModelConfig {
  int64_t hidden = 128;    ///< states of the tree, width of most layers
  int64_t embedding = 160; ///< the bottleneck: one computation vector
  double dropout = 0.05;   ///< while training
};

/// Brings each slot of a row to mean 0 and deviation 1 over the training data.
/// A slot that was constant there says nothing that could have been learned, so
/// it counts nothing; and no number gets far away from what was seen.
class Scaling : public torch::nn::Module {
public:
  explicit Scaling(int64_t width);
  Tensor forward(const Tensor &rows) const;
  void fit(const Tensor &rows);

private:
  Tensor mean, scale;
};

/// Brings each row to mean 0 and deviation 1, then scales the columns as
/// learned. Without it the signal of one loop's row dies on its way through the
/// layers above.
class Norm : public torch::nn::Module {
public:
  explicit Norm(int64_t width);
  Tensor forward(const Tensor &rows) const;

private:
  Tensor gain, bias;
};

/// Linear layers with ELU after each but the last.
class Mlp : public torch::nn::Module {
public:
  Mlp(std::vector<int64_t> widths, double dropout);
  Tensor forward(Tensor x);
  /// The last layer gives 0 until it is trained.
  void clearLast();

private:
  std::vector<torch::nn::Linear> layers;
  double dropout;
};

/// An LSTM over sequences of different lengths; gives its last state,
/// normalized, and 0 for an empty sequence.
class SequenceEncoder : public torch::nn::Module {
public:
  SequenceEncoder(int64_t width, int64_t hidden);
  Tensor forward(const Tensor &rows, const SequenceIndex &index) const;

private:
  int64_t hidden;
  Tensor inputWeight, stateWeight, inputBias, stateBias;
  std::shared_ptr<Norm> norm;
};

} // namespace mlir::nestor::model

#endif // NESTOR_LIB_MODEL_LAYERS_H
