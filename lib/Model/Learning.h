//===- Learning.h - The two trainings ---------------------------*- C++ -*-===//
//
// Model room: they throw std::exception with a message for the user.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_LIB_MODEL_LEARNING_H
#define NESTOR_LIB_MODEL_LEARNING_H

#include "nestor/Model/ModelABI.h"

namespace mlir::nestor::model {

/// Trains a statement encoder as an autoencoder, without labels.
void pretrainEncoder(const modelabi::TrainingRequest &request);
/// Trains the recursive model on labels.
void trainModel(const modelabi::TrainingRequest &request);

} // namespace mlir::nestor::model

#endif // NESTOR_LIB_MODEL_LEARNING_H
