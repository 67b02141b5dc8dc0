//===- Layers.cpp - The small parts of the networks -----------------------===//
//
// Model room: what the statement encoder, the autoencoder and the recursive
// model are built of.
//
//===----------------------------------------------------------------------===//
#include "Layers.h"
#include <cmath>

using namespace mlir::nestor::model;

/// A slot whose deviation is below the first bound is constant; below the
/// second, it is not stretched further.
static constexpr double kConstant = 1e-4, kLeastDeviation = 0.1;
static constexpr double kFarthest = 8;

Scaling::Scaling(int64_t width) {
  mean = register_buffer("mean", at::zeros({width}));
  scale = register_buffer("scale", at::ones({width}));
}

Tensor Scaling::forward(const Tensor &rows) const {
  return ((rows - mean) * scale).clamp(-kFarthest, kFarthest);
}

void Scaling::fit(const Tensor &rows) {
  if (rows.size(0) == 0)
    return;
  Tensor wide = rows.to(at::kDouble);
  Tensor average = wide.mean(0);
  Tensor deviation = (wide - average).square().mean(0).sqrt();
  Tensor factor = deviation.clamp_min(kLeastDeviation).reciprocal();
  mean.copy_(average);
  scale.copy_(at::where(deviation < kConstant, at::zeros_like(factor), factor));
}

Norm::Norm(int64_t width) {
  gain = register_parameter("gain", at::ones({width}));
  bias = register_parameter("bias", at::zeros({width}));
}

Tensor Norm::forward(const Tensor &rows) const {
  return at::layer_norm(rows, gain.sizes(), gain, bias);
}

Mlp::Mlp(std::vector<int64_t> widths, double dropout) : dropout(dropout) {
  for (size_t i = 0; i + 1 < widths.size(); ++i)
    layers.push_back(register_module(
        std::to_string(i), torch::nn::Linear(widths[i], widths[i + 1])));
  // Outputs as large as inputs; torch's default shrinks them layer by layer.
  at::NoGradGuard noGrad;
  for (size_t i = 0; i < layers.size(); ++i) {
    double bound = std::sqrt(3.0 / double(widths[i]));
    layers[i]->weight.uniform_(-bound, bound);
    layers[i]->bias.zero_();
  }
}

Tensor Mlp::forward(Tensor x) {
  for (size_t i = 0; i < layers.size(); ++i) {
    x = layers[i]->forward(x);
    if (i + 1 < layers.size())
      x = at::dropout(at::elu(x), dropout, is_training());
  }
  return x;
}

void Mlp::clearLast() {
  at::NoGradGuard noGrad;
  layers.back()->weight.zero_();
  layers.back()->bias.zero_();
}

SequenceEncoder::SequenceEncoder(int64_t width, int64_t hidden)
    : hidden(hidden) {
  auto weight = [&](const char *name, int64_t inputs) {
    double bound = std::sqrt(3.0 / double(inputs));
    return register_parameter(
        name, at::empty({4 * hidden, inputs}).uniform_(-bound, bound));
  };
  inputWeight = weight("input_weight", width);
  stateWeight = weight("state_weight", hidden);
  // The second quarter are the forget gates: remember at first.
  Tensor bias = at::zeros({4 * hidden});
  bias.slice(0, hidden, 2 * hidden).fill_(1);
  inputBias = register_parameter("input_bias", bias);
  stateBias = register_parameter("state_bias", at::zeros({4 * hidden}));
  norm = register_module("norm", std::make_shared<Norm>(hidden));
}

Tensor SequenceEncoder::forward(const Tensor &rows,
                                const SequenceIndex &index) const {
  Tensor nothing = at::zeros({1, hidden});
  if (index.count == 0)
    return nothing.expand({index.places.size(0), hidden});
  Tensor start = at::zeros({1, index.count, hidden});
  auto [output, state, cell] =
      at::lstm(rows.index_select(0, index.rows), index.batchSizes,
               {start, start}, {inputWeight, stateWeight, inputBias, stateBias},
               /*has_biases=*/true, /*num_layers=*/1, /*dropout=*/0.0,
               is_training(), /*bidirectional=*/false);
  return at::cat({norm->forward(state[0]), nothing})
      .index_select(0, index.places);
}
