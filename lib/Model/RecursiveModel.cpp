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
/// The analytical model is not believed beyond a factor of e^8.
static constexpr double kMostLogRatio = 8;

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
  regressor = mlp("regressor", {2 * hidden + kTargetDim + 2 * kAnalyticalDim,
                                hidden, hidden / 2, 2});
  regressor->clearLast();
  targetScaling = scaling("target_scaling", kTargetDim);
  baseScaling = scaling("base_scaling", kAnalyticalDim);
  changeScaling = scaling("change_scaling", kAnalyticalDim);
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
  Tensor change = batch.analytical - batch.analyticalBase;
  Tensor output =
      regressor->forward(at::cat({states, targetScaling->forward(targets),
                                  baseScaling->forward(batch.analyticalBase),
                                  changeScaling->forward(change)},
                                 1));
  // Untrained, this is the analytical model: factor 1, correction 0.
  Tensor logRatio = batch.logRatio.clamp(-kMostLogRatio, kMostLogRatio);
  Tensor factor = 2 * output.select(1, 0).sigmoid();
  return factor * logRatio + output.select(1, 1);
}

void RecursiveModel::fitScaling(const CandidateBatch &batch,
                                const Tensor &targets) {
  targetScaling->fit(targets);
  baseScaling->fit(batch.analyticalBase);
  changeScaling->fit(batch.analytical - batch.analyticalBase);
}
