//===- RecursiveModel.h - The learned cost model ----------------*- C++ -*-===//
//
// Model room: a candidate's tree of loops over embedded statements, folded from
// the leaves up into one state, from which -log(time) is predicted as a
// correction of what the analytical model says.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_LIB_MODEL_RECURSIVEMODEL_H
#define NESTOR_LIB_MODEL_RECURSIVEMODEL_H

#include "StatementEncoder.h"

namespace mlir::nestor::model {

class RecursiveModel : public torch::nn::Module {
public:
  explicit RecursiveModel(const ModelConfig &config);

  /// [B, getStateSize()]: candidates as states of their trees. `embedded` is
  /// the encoding of batch.statements.
  Tensor fold(const CandidateBatch &batch, const Tensor &embedded);
  /// [B]: predicted -log(time), up to a constant of each program. `targets` is
  /// [B, kTargetDim].
  Tensor predict(const CandidateBatch &batch, const Tensor &states,
                 const Tensor &targets);

  StatementEncoder &getEncoder() { return *encoder; }
  int64_t getStateSize() const { return 2 * config.hidden; }
  /// Measures means and deviations of analytical terms and targets; before
  /// training.
  void fitScaling(const CandidateBatch &batch, const Tensor &targets);

private:
  ModelConfig config;
  std::shared_ptr<StatementEncoder> encoder;
  std::shared_ptr<Mlp> statement, loopRow, node, regressor;
  std::shared_ptr<SequenceEncoder> children, roots;
  std::shared_ptr<Norm> norm;
  std::shared_ptr<Scaling> targetScaling, analyticalScaling;
};

} // namespace mlir::nestor::model

#endif // NESTOR_LIB_MODEL_RECURSIVEMODEL_H
