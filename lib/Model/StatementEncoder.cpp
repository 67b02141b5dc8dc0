//===- StatementEncoder.cpp - A computation vector's embedding ------------===//
//
// Model room: each part of a computation vector has an encoder of its own: MLPs
// for flags and domain, LSTMs for the loops (their order matters) and for the
// expression, sum and maximum over the set of accesses. Their results meet in a
// bottleneck, the embedding.
//
//===----------------------------------------------------------------------===//
#include "StatementEncoder.h"
#include "nestor/Features/Features.h"

using namespace mlir::nestor;
using namespace mlir::nestor::model;

static constexpr int64_t kFlagsWidth = 32, kDomainWidth = 48, kTokensWidth = 64,
                         kLoopsWidth = 80, kAccessWidth = 64;
/// Keeps sums over a usual number of accesses near the size of one of them.
static constexpr double kSumScale = 0.25;

RowScaling::RowScaling() {
  auto add = [&](const char *name, int64_t width) {
    return register_module(name, std::make_shared<Scaling>(width));
  };
  flags = add("flags", kFlagDim);
  domain = add("domain", kDomainDim);
  loop = add("loop", kLoopDim);
  access = add("access", kAccessDim);
  token = add("token", kTokenDim);
}

int64_t StatementEncoder::getProgramWidth() {
  return kFlagsWidth + kDomainWidth + kTokensWidth;
}

StatementEncoder::StatementEncoder(const ModelConfig &config) {
  auto mlp = [&](const char *name, std::vector<int64_t> widths) {
    return register_module(name, std::make_shared<Mlp>(widths, config.dropout));
  };
  scaling = register_module("scaling", std::make_shared<RowScaling>());
  flags = mlp("flags", {kFlagDim, 48, kFlagsWidth});
  domain = mlp("domain", {kDomainDim, 96, kDomainWidth});
  loopRow = mlp("loop_row", {kLoopDim, 64, 64});
  accessRow = mlp("access_row", {kAccessDim, 96, kAccessWidth});
  loops = register_module("loops",
                          std::make_shared<SequenceEncoder>(64, kLoopsWidth));
  tokens = register_module(
      "tokens", std::make_shared<SequenceEncoder>(kTokenDim, kTokensWidth));
  bottleneck =
      mlp("bottleneck", {getProgramWidth() + kLoopsWidth + 3 * kAccessWidth,
                         2 * config.hidden, config.embedding});
  norm = register_module("norm", std::make_shared<Norm>(config.embedding));
}

Tensor StatementEncoder::encodeProgram(const ProgramBatch &batch) {
  return at::cat(
      {at::elu(flags->forward(scaling->flags->forward(batch.flags))),
       at::elu(domain->forward(scaling->domain->forward(batch.domain))),
       tokens->forward(scaling->token->forward(batch.tokens),
                       batch.tokenIndex)},
      1);
}

Tensor StatementEncoder::encode(const StatementBatch &batch,
                                const Tensor &programs) {
  Tensor loopRows =
      at::elu(loopRow->forward(scaling->loop->forward(batch.loops)));
  // No row is negative, so a row of zeros in an empty place changes neither sum
  // nor maximum.
  Tensor accessRows =
      at::relu(accessRow->forward(scaling->access->forward(batch.accesses)));
  accessRows = at::cat({accessRows, at::zeros({1, kAccessWidth})});
  Tensor sets = accessRows.index_select(0, batch.accessTable.flatten())
                    .view({batch.size, -1, kAccessWidth});
  return norm->forward(bottleneck->forward(
      at::cat({programs.index_select(0, batch.programOf),
               loops->forward(loopRows, batch.loopIndex),
               accessRows.index_select(0, batch.writes),
               sets.sum(1) * kSumScale, std::get<0>(sets.max(1))},
              1)));
}

Tensor StatementEncoder::forward(const StatementBatch &batch) {
  return encode(batch, encodeProgram(makeProgramBatch(batch.programs)));
}

void StatementEncoder::fitScaling(const ProgramBatch &programs,
                                  const StatementBatch &batch) {
  scaling->flags->fit(programs.flags);
  scaling->domain->fit(programs.domain);
  scaling->token->fit(programs.tokens);
  scaling->loop->fit(batch.loops);
  scaling->access->fit(batch.accesses);
}
