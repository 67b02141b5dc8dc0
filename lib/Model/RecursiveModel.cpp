//===- RecursiveModel.cpp - The learned cost model ------------------------===//
//
// Model room: trees of any shape go through together, level by level: all loops
// that hold only statements first, then the loops above them. Each loop runs an
// LSTM over its children (statements and loops, in their order) and joins the
// result with its own row.
//
//===----------------------------------------------------------------------===//
#include "RecursiveModel.h"
#include "nestor/Features/Features.h"

using namespace mlir::nestor;
using namespace mlir::nestor::model;

static constexpr int64_t kLoopWidth = 48;
static constexpr double kSumScale = 0.5;

RecursiveModel::RecursiveModel(const ModelConfig &config) : config(config) {
  int64_t hidden = config.hidden;
  auto mlp = [&](const char *name, std::vector<int64_t> widths) {
    return register_module(name, std::make_shared<Mlp>(widths, config.dropout));
  };
  auto scaling = [&](const char *name, int64_t width) {
    return register_module(name, std::make_shared<Scaling>(width));
  };
  encoder =
      register_module("encoder", std::make_shared<StatementEncoder>(config));
  statement = mlp("statement", {config.embedding, hidden, hidden});
  loopRow = mlp("loop_row", {kLoopDim, kLoopWidth});
  node = mlp("node", {2 * hidden + kLoopWidth, hidden, hidden});
  norm = register_module("norm", std::make_shared<Norm>(hidden));
  children = register_module("children",
                             std::make_shared<SequenceEncoder>(hidden, hidden));
  roots = register_module("roots",
                          std::make_shared<SequenceEncoder>(hidden, hidden));
  regressor = mlp("regressor", {2 * hidden + kTargetDim + kAnalyticalDim,
                                hidden, hidden / 2, 1});
  regressor->clearLast();
  targetScaling = scaling("target_scaling", kTargetDim);
  analyticalScaling = scaling("analytical_scaling", kAnalyticalDim);
}

/// [sequences, 2 * hidden]: the children in their order, and their sum.
static Tensor join(const SequenceEncoder &encoder, const Tensor &states,
                   const SequenceIndex &index) {
  Tensor sums =
      at::zeros({index.places.size(0), states.size(1)})
          .index_add(0, index.owners, states.index_select(0, index.rows));
  return at::cat({encoder.forward(states, index), sums * kSumScale}, 1);
}

Tensor RecursiveModel::fold(const CandidateBatch &batch,
                            const Tensor &embedded) {
  const Scaling &loopScaling = *encoder->getScaling().loop;
  Tensor states = norm->forward(statement->forward(embedded));
  for (const TreeLevel &level : batch.levels) {
    Tensor rows = at::elu(loopRow->forward(loopScaling.forward(level.rows)));
    Tensor below = join(*children, states, level.children);
    Tensor loops = norm->forward(node->forward(at::cat({below, rows}, 1)));
    states = at::cat({states, loops});
  }
  return join(*roots, states, batch.roots);
}

Tensor RecursiveModel::predict(const CandidateBatch &batch,
                               const Tensor &states, const Tensor &targets) {
  Tensor correction =
      regressor->forward(at::cat({states, targetScaling->forward(targets),
                                  analyticalScaling->forward(batch.analytical)},
                                 1));
  // Untrained, this is the analytical model: correction 0.
  return correction.select(1, 0) - batch.analytical.select(1, kAnalyticalTotal);
}

void RecursiveModel::fitScaling(const CandidateBatch &batch,
                                const Tensor &targets) {
  targetScaling->fit(targets);
  analyticalScaling->fit(batch.analytical);
}
