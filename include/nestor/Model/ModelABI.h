//===- ModelABI.h - The border of libNestorModel.so -------------*- C++ -*-===//
//
// Model room: all that crosses between Nestor and the shared library that holds
// LibTorch. Plain arrays, abstract classes and a table of functions; no MLIR,
// LLVM, torch or standard library type, no exception. Both sides are built from
// this header, and the number below is checked when the library is opened.
//
// Every function that can fail returns false and fills an ErrorText. Scorers
// may be used from several threads at once.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_MODEL_MODELABI_H
#define NESTOR_MODEL_MODELABI_H

#include <cstddef>
#include <cstdint>

namespace mlir::nestor::modelabi {

/// Changes with anything in this header and with the widths of Features.h.
inline constexpr uint32_t kVersion = 2;

/// A message for the user, cut off where it does not fit.
struct ErrorText {
  char text[2048] = {};
};

/// `count` rows of the kind's width, one after another.
struct RowsView {
  const float *data;
  uint32_t count;
};

struct StatementView {
  const float *flags, *domain;
  RowsView loops, accesses, tokens;
  uint64_t programKey; ///< equal only where flags, domain and tokens are equal
  int32_t parent, order;
};

struct LoopView {
  const float *loop;
  int32_t parent, order;
};

/// A ModelInput (CostModel.h) as pointers.
struct CandidateView {
  const StatementView *statements;
  uint32_t numStatements;
  const LoopView *loops;
  uint32_t numLoops;
  const float *analytical;
};

/// A trained cost model for one target.
class Scorer {
public:
  virtual ~Scorer() = default;
  /// Fills scores[count] with predicted -log(time), up to a constant of each
  /// program.
  virtual bool score(const CandidateView *candidates, size_t count,
                     double *scores, ErrorText &error) = 0;
  /// Fills embeddings[count * getEmbeddingSize()]: what the model knows of a
  /// candidate before it looks at the target.
  virtual bool embed(const CandidateView *candidates, size_t count,
                     float *embeddings, ErrorText &error) = 0;
  virtual size_t getEmbeddingSize() const = 0;
};

/// A labelled candidate of program number `program`; see TrainingSample.
struct SampleView {
  CandidateView candidate;
  const float *target; ///< [kTargetDim], of the machine that the label is from
  uint32_t program;
  uint32_t base; ///< number of the sample that is the program as written
  float logSpeedup, spread; ///< over the base
  uint8_t part;             ///< 0 training, 1 validation
};

/// What training reads, and how; strings end in 0 and may be null where empty.
struct TrainingRequest {
  const SampleView *samples;
  size_t numSamples;
  uint64_t dataHash; ///< a checkpoint belongs to one dataset

  const char *outputPath;
  const char *encoderPath;    ///< weights to start the encoder from
  const char *checkpointPath; ///< written after every epoch
  bool resume;                ///< go on from the checkpoint
  const char *trainedOn;      ///< JSON object, copied into the weights' header

  uint64_t seed;
  uint32_t epochs, batchSize, patience, threads;
  uint32_t hidden, embedding; ///< sizes; the encoder's weights win over them
  double learningRate, rankingWeight, dropout;
  /// For a pre-trained encoder: the share of the epochs in which it is frozen,
  /// and its share of the learning rate afterwards.
  double frozenShare, encoderRate;

  /// Training ends after the batch in which this becomes nonzero; what is best
  /// so far is kept.
  const volatile int *stop;
  void (*progress)(void *context, const char *line);
  void *context;
};

/// What the library offers.
struct Library {
  uint32_t version;
  const char *torchVersion;
  /// Null on failure. `target` is [kTargetDim]. Destroyed by `closeScorer`.
  Scorer *(*openScorer)(const char *weightsPath, const float *target,
                        ErrorText &error);
  void (*closeScorer)(Scorer *scorer);
  /// Trains the encoder as an autoencoder; labels are not looked at.
  bool (*pretrain)(const TrainingRequest &request, ErrorText &error);
  bool (*train)(const TrainingRequest &request, ErrorText &error);
};

/// The only symbol that the library exports; null if it does not have
/// `version`.
using Factory = const Library *(*)(uint32_t version);
inline constexpr char kFactoryName[] = "nestorModelLibrary";

} // namespace mlir::nestor::modelabi

#endif // NESTOR_MODEL_MODELABI_H
