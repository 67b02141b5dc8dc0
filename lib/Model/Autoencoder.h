//===- Autoencoder.h - Learning computation vectors unlabelled --*- C++ -*-===//
//
// Model room: rebuilds statements from their embeddings. Only its encoder is
// kept; the decoder exists to teach it.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_LIB_MODEL_AUTOENCODER_H
#define NESTOR_LIB_MODEL_AUTOENCODER_H

#include "StatementEncoder.h"

namespace mlir::nestor::model {

/// Rebuilds the rows of one kind: from a summary and each row's position.
class RowDecoder : public torch::nn::Module {
public:
  RowDecoder(int64_t summary, int64_t width);
  /// `owner` and `position` say, row by row, whose it is and which.
  Tensor forward(const Tensor &summary, const Tensor &owner,
                 const Tensor &position);

private:
  torch::nn::Linear fromSummary{nullptr}, fromPosition{nullptr},
      output{nullptr};
};

class Autoencoder : public torch::nn::Module {
public:
  explicit Autoencoder(const ModelConfig &config);
  /// Mean error over all parts of all statements, in units of the slots'
  /// deviations.
  Tensor loss(const std::vector<const modelabi::StatementView *> &statements);
  StatementEncoder &getEncoder() { return *encoder; }

private:
  Tensor rowsLoss(RowDecoder &decoder, const Scaling &scaling, int64_t width,
                  const Tensor &summary,
                  const std::vector<modelabi::RowsView> &rows, bool isSet);

  std::shared_ptr<StatementEncoder> encoder;
  std::shared_ptr<Mlp> summary;
  torch::nn::Linear flags{nullptr}, domain{nullptr}, counts{nullptr},
      histogram{nullptr};
  std::shared_ptr<RowDecoder> loops, accesses, tokens;
};

} // namespace mlir::nestor::model

#endif // NESTOR_LIB_MODEL_AUTOENCODER_H
