//===- Batch.h - Many candidates as tensors ---------------------*- C++ -*-===//
//
// Model room: candidates of any tree shape, laid side by side: rows of numbers,
// and index tensors that say what belongs together. Nothing is padded to the
// longest of the batch, so no candidate sees another one.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_LIB_MODEL_BATCH_H
#define NESTOR_LIB_MODEL_BATCH_H

#include "Torch.h"
#include "nestor/Model/ModelABI.h"
#include <vector>

namespace mlir::nestor::model {

using at::Tensor;

/// Sequences of rows of some matrix, packed for an LSTM: sorted by length, all
/// first rows, then all second rows, and so on.
struct SequenceIndex {
  Tensor rows;       ///< [total length] row numbers
  Tensor owners;     ///< [total length] each row's sequence
  Tensor batchSizes; ///< [longest] sequences that are still running
  Tensor places; ///< [sequences] place among the sorted; empty ones: `count`
  int64_t count = 0; ///< sequences that are not empty
};
SequenceIndex packSequences(const std::vector<std::vector<int64_t>> &sequences);

/// What distinct program parts (flags, domain, tokens of a statement) hold.
struct ProgramBatch {
  Tensor flags, domain; ///< [P, width]
  Tensor tokens;        ///< [T, width]
  SequenceIndex tokenIndex;
};

struct StatementBatch {
  /// One statement for each distinct program part, and each statement's part.
  std::vector<const modelabi::StatementView *> programs;
  Tensor programOf; ///< [S]
  Tensor loops;     ///< [L, width]
  SequenceIndex loopIndex;
  Tensor accesses;    ///< [A, width]
  Tensor writes;      ///< [S] row of the write; none: A
  Tensor accessTable; ///< [S, most accesses] rows; none: A
  int64_t size = 0;
};

/// Loops of one height: their children are statements and lower loops.
struct TreeLevel {
  Tensor rows;            ///< [nodes, width] the loops
  SequenceIndex children; ///< rows of the states: statements, then lower levels
};

struct CandidateBatch {
  StatementBatch statements;
  std::vector<TreeLevel> levels; ///< from the leaves up
  SequenceIndex roots;           ///< top-level children of each candidate
  Tensor analytical;             ///< [B, width]
  int64_t size = 0;
};

Tensor makeIndex(const std::vector<int64_t> &numbers);
ProgramBatch
makeProgramBatch(const std::vector<const modelabi::StatementView *> &programs);
StatementBatch makeStatementBatch(
    const std::vector<const modelabi::StatementView *> &statements);
CandidateBatch makeCandidateBatch(
    const std::vector<const modelabi::CandidateView *> &candidates);

} // namespace mlir::nestor::model

#endif // NESTOR_LIB_MODEL_BATCH_H
