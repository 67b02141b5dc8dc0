//===- Autoencoder.cpp - Learning computation vectors unlabelled ----------===//
//
// Model room: the decoder sees the embedding alone, and for parts that have any
// number of rows the position of the row to rebuild. The encoder takes accesses
// as a set, so the reads are rebuilt in an order that follows from the set
// (sorted), not in that of the program.
//
//===----------------------------------------------------------------------===//
#include "Autoencoder.h"
#include "nestor/Features/Features.h"
#include <algorithm>
#include <cmath>

using namespace mlir::nestor;
using namespace mlir::nestor::modelabi;
using namespace mlir::nestor::model;

static constexpr int64_t kPositionWidth = 16, kRowWidth = 128;
/// How much the counts of rows weigh against the rows.
static constexpr double kCountWeight = 0.2;

/// [n, kPositionWidth]: sines and cosines of growing wavelength.
static Tensor encodePosition(const Tensor &position) {
  Tensor exponent =
      at::arange(kPositionWidth / 2, at::kFloat) / double(kPositionWidth / 2);
  Tensor angle = position.to(at::kFloat).unsqueeze(1) *
                 at::pow(at::scalar_tensor(64.0), -exponent).unsqueeze(0);
  return at::cat({angle.sin(), angle.cos()}, 1);
}

RowDecoder::RowDecoder(int64_t summary, int64_t width) {
  fromSummary =
      register_module("from_summary", torch::nn::Linear(summary, kRowWidth));
  fromPosition = register_module("from_position",
                                 torch::nn::Linear(kPositionWidth, kRowWidth));
  output = register_module("output", torch::nn::Linear(kRowWidth, width));
}

Tensor RowDecoder::forward(const Tensor &summary, const Tensor &owner,
                           const Tensor &position) {
  Tensor hidden = fromSummary->forward(summary).index_select(0, owner) +
                  fromPosition->forward(encodePosition(position));
  return output->forward(at::elu(hidden));
}

Autoencoder::Autoencoder(const ModelConfig &config) {
  int64_t width = 2 * config.hidden;
  auto linear = [&](const char *name, int64_t outputs) {
    return register_module(name, torch::nn::Linear(width, outputs));
  };
  auto rows = [&](const char *name, int64_t outputs) {
    return register_module(name, std::make_shared<RowDecoder>(width, outputs));
  };
  encoder =
      register_module("encoder", std::make_shared<StatementEncoder>(config));
  summary = register_module(
      "summary", std::make_shared<Mlp>(
                     std::vector<int64_t>{config.embedding, width, width},
                     config.dropout));
  flags = linear("flags", kFlagDim);
  domain = linear("domain", kDomainDim);
  counts = linear("counts", 3);
  histogram = linear("histogram", kTokenDim);
  loops = rows("loops", kLoopDim);
  accesses = rows("accesses", kAccessDim);
  tokens = rows("tokens", kTokenDim);
}

/// Mean over the slots that vary.
static Tensor meanError(const Tensor &predicted, const Tensor &truth) {
  return at::smooth_l1_loss(predicted, truth);
}

/// Pointers to the rows, those after the first sorted if they are a set.
static std::vector<const float *> sortRows(const RowsView &rows, int64_t width,
                                           bool isSet) {
  std::vector<const float *> result;
  for (uint32_t i = 0; i < rows.count; ++i)
    result.push_back(rows.data + i * width);
  if (isSet && result.size() > 1)
    std::stable_sort(
        result.begin() + 1, result.end(), [&](const float *a, const float *b) {
          return std::lexicographical_compare(a, a + width, b, b + width);
        });
  return result;
}

Tensor Autoencoder::rowsLoss(RowDecoder &decoder, const Scaling &scaling,
                             int64_t width, const Tensor &summary,
                             const std::vector<RowsView> &rows, bool isSet) {
  std::vector<float> numbers;
  std::vector<int64_t> owner, position;
  for (size_t i = 0; i < rows.size(); ++i) {
    int64_t place = 0;
    for (const float *row : sortRows(rows[i], width, isSet)) {
      numbers.insert(numbers.end(), row, row + width);
      owner.push_back(i);
      position.push_back(place++);
    }
  }
  if (owner.empty())
    return at::zeros({});
  Tensor truth = at::empty({int64_t(owner.size()), width}, at::kFloat);
  std::copy(numbers.begin(), numbers.end(), truth.data_ptr<float>());
  return meanError(
      decoder.forward(summary, makeIndex(owner), makeIndex(position)),
      scaling.forward(truth));
}

/// [S, 3]: log1p of the numbers of rows.
static Tensor countRows(const std::vector<const StatementView *> &statements) {
  Tensor result = at::empty({int64_t(statements.size()), 3}, at::kFloat);
  float *out = result.data_ptr<float>();
  for (const StatementView *s : statements)
    for (uint32_t count : {s->loops.count, s->accesses.count, s->tokens.count})
      *out++ = std::log1p(float(count));
  return result;
}

/// [S, width]: log1p of how often each slot is set in the expression.
static Tensor
countTokens(const std::vector<const StatementView *> &statements) {
  Tensor result = at::zeros({int64_t(statements.size()), kTokenDim});
  float *out = result.data_ptr<float>();
  for (const StatementView *s : statements) {
    for (uint32_t i = 0; i < s->tokens.count * kTokenDim; ++i)
      out[i % kTokenDim] += s->tokens.data[i];
    out += kTokenDim;
  }
  return result.sign() * result.abs().log1p();
}

Tensor Autoencoder::loss(const std::vector<const StatementView *> &statements) {
  StatementBatch batch = makeStatementBatch(statements);
  ProgramBatch programs = makeProgramBatch(batch.programs);
  Tensor embedded = encoder->encode(batch, encoder->encodeProgram(programs));
  Tensor hidden = at::elu(summary->forward(embedded));
  const RowScaling &scaling = encoder->getScaling();
  auto expand = [&](const Tensor &rows) {
    return rows.index_select(0, batch.programOf);
  };
  std::vector<RowsView> ofLoops, ofAccesses, ofTokens;
  for (const StatementView *s : statements) {
    ofLoops.push_back(s->loops);
    ofAccesses.push_back(s->accesses);
    ofTokens.push_back(s->tokens);
  }
  return meanError(flags->forward(hidden),
                   expand(scaling.flags->forward(programs.flags))) +
         meanError(domain->forward(hidden),
                   expand(scaling.domain->forward(programs.domain))) +
         rowsLoss(*loops, *scaling.loop, kLoopDim, hidden, ofLoops, false) +
         rowsLoss(*accesses, *scaling.access, kAccessDim, hidden, ofAccesses,
                  true) +
         rowsLoss(*tokens, *scaling.token, kTokenDim, hidden, ofTokens, false) +
         meanError(histogram->forward(hidden), countTokens(statements)) +
         kCountWeight *
             meanError(counts->forward(hidden), countRows(statements));
}
