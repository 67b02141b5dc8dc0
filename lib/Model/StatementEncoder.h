//===- StatementEncoder.h - A computation vector's embedding ----*- C++ -*-===//
//
// Model room: statements in, one embedding each out. Pre-trained by the
// autoencoder without labels, then part of the recursive model.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_LIB_MODEL_STATEMENTENCODER_H
#define NESTOR_LIB_MODEL_STATEMENTENCODER_H

#include "Layers.h"

namespace mlir::nestor::model {

/// How each kind of row is scaled; a part of the encoder, shared with the
/// others.
struct RowScaling : torch::nn::Module {
  std::shared_ptr<Scaling> flags, domain, loop, access, token;
  RowScaling();
};

class StatementEncoder : public torch::nn::Module {
public:
  explicit StatementEncoder(const ModelConfig &config);

  /// What depends on the program only: [P, getProgramWidth()].
  Tensor encodeProgram(const ProgramBatch &batch);
  /// [S, embedding]; `programs` is the encoding of batch.programs.
  Tensor encode(const StatementBatch &batch, const Tensor &programs);
  /// Both.
  Tensor forward(const StatementBatch &batch);

  /// Measures means and deviations of rows; before training.
  void fitScaling(const ProgramBatch &programs, const StatementBatch &batch);

  const RowScaling &getScaling() const { return *scaling; }
  static int64_t getProgramWidth();

private:
  std::shared_ptr<RowScaling> scaling;
  std::shared_ptr<Mlp> flags, domain, loopRow, accessRow, bottleneck;
  std::shared_ptr<SequenceEncoder> loops, tokens;
  std::shared_ptr<Norm> norm;
};

} // namespace mlir::nestor::model

#endif // NESTOR_LIB_MODEL_STATEMENTENCODER_H
