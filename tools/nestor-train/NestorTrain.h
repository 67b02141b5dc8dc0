//===- NestorTrain.h - The parts of nestor-train ----------------*- C++ -*-===//
#ifndef NESTOR_TOOLS_NESTORTRAIN_H
#define NESTOR_TOOLS_NESTORTRAIN_H

#include "nestor/Model/ModelABI.h"
#include "nestor/Model/TrainingData.h"
#include <string>
#include <vector>

namespace mlir::nestor {

/// Reads all feature caches, in the order given.
llvm::Expected<std::vector<TrainingData>>
readAll(const std::vector<std::string> &paths);

/// Options that pre-training and training share; empty paths are not given.
struct TrainingOptions {
  std::vector<std::string> features;
  std::string output, encoder, checkpoint;
  modelabi::TrainingRequest request{}; ///< its numbers
  unsigned limit = 0;                  ///< training programs at most; 0: all
  bool isPretraining = false;
};
llvm::Error runTraining(const TrainingOptions &options);

struct EvaluationOptions {
  std::vector<std::string> features;
  std::string weights;
  std::vector<std::string> compared;
  std::string split; ///< train, validation, test or all
  bool json = false;
};
llvm::Error runEvaluation(const EvaluationOptions &options);

} // namespace mlir::nestor

#endif // NESTOR_TOOLS_NESTORTRAIN_H
