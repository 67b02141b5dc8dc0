//===- InputView.cpp - Model inputs as plain pointers ---------------------===//
//
// Model room: between CandidateFeatures and the border of libNestorModel.so.
//
//===----------------------------------------------------------------------===//
#include "nestor/Model/InputView.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/xxhash.h"
#include <cmath>

using namespace mlir::nestor;
using namespace mlir::nestor::modelabi;

static llvm::Error fail(const llvm::Twine &message) {
  return llvm::createStringError(
      llvm::inconvertibleErrorCode(),
      message + "; extract the features anew with this version of Nestor");
}

static llvm::Error checkNumbers(llvm::ArrayRef<float> numbers, size_t expected,
                                const char *kind) {
  if (numbers.size() != expected)
    return fail(llvm::Twine(kind) + " row has " + llvm::Twine(numbers.size()) +
                " numbers, not " + llvm::Twine(expected));
  for (float number : numbers)
    if (!std::isfinite(number))
      return fail(llvm::Twine(kind) + " row holds a number that is not finite");
  return llvm::Error::success();
}

static llvm::Error checkRows(const Rows &rows, unsigned width,
                             const char *kind) {
  if (rows.data.empty())
    return llvm::Error::success();
  if (rows.width != width || rows.data.size() % width != 0)
    return fail(llvm::Twine(kind) + " rows are " + llvm::Twine(rows.width) +
                " numbers wide, not " + llvm::Twine(width));
  return checkNumbers(rows.data, rows.data.size(), kind);
}

static llvm::Error checkStatement(const StatementFeatures &statement,
                                  size_t numLoops) {
  if (statement.parent < -1 || statement.parent >= (int64_t)numLoops)
    return fail("statement hangs on a loop that does not exist");
  if (auto error = checkNumbers(statement.flags, kFlagDim, "flags"))
    return error;
  if (auto error = checkNumbers(statement.domain, kDomainDim, "domain"))
    return error;
  if (auto error = checkRows(statement.loops, kLoopDim, "loop"))
    return error;
  if (auto error = checkRows(statement.accesses, kAccessDim, "access"))
    return error;
  return checkRows(statement.tokens, kTokenDim, "token");
}

llvm::Error mlir::nestor::checkModelInput(const ModelInput &input) {
  const CandidateFeatures &features = input.features;
  if (features.statements.empty())
    return fail("candidate has no statement");
  for (const StatementFeatures &statement : features.statements)
    if (auto error = checkStatement(statement, features.loops.size()))
      return error;
  for (size_t i = 0; i < features.loops.size(); ++i) {
    int32_t parent = features.loops[i].parent;
    if (parent < -1 || parent >= (int64_t)i)
      return fail("loop does not come after its parent");
    if (auto error = checkNumbers(features.loops[i].loop, kLoopDim, "loop"))
      return error;
  }
  return checkNumbers(input.analytical, kAnalyticalDim, "analytical");
}

/// The key that the extractor gave, or else the same made here.
static uint64_t getProgramKey(const StatementFeatures &statement) {
  if (statement.programKey != 0)
    return statement.programKey;
  auto hash = [](llvm::ArrayRef<float> numbers) {
    return llvm::xxh3_64bits(
        llvm::StringRef(reinterpret_cast<const char *>(numbers.data()),
                        numbers.size() * sizeof(float)));
  };
  uint64_t hashes[] = {hash(statement.flags), hash(statement.domain),
                       hash(statement.tokens.data)};
  return llvm::xxh3_64bits(
      llvm::StringRef(reinterpret_cast<const char *>(hashes), sizeof(hashes)));
}

static RowsView view(const Rows &rows) {
  return {rows.data.data(), uint32_t(rows.size())};
}

CandidateView InputViews::add(const ModelInput &input) {
  std::vector<StatementView> &ofStatements = statements.emplace_back();
  for (const StatementFeatures &s : input.features.statements)
    ofStatements.push_back({s.flags.data(), s.domain.data(), view(s.loops),
                            view(s.accesses), view(s.tokens), getProgramKey(s),
                            s.parent, s.order});
  std::vector<LoopView> &ofLoops = loops.emplace_back();
  for (const LoopFeatures &l : input.features.loops)
    ofLoops.push_back({l.loop.data(), l.parent, l.order});
  return {ofStatements.data(), uint32_t(ofStatements.size()), ofLoops.data(),
          uint32_t(ofLoops.size()), input.analytical.data()};
}
