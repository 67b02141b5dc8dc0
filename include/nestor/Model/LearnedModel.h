//===- LearnedModel.h - The learned cost model ------------------*- C++ -*-===//
//
// Model room: the door to libNestorModel.so, which holds LibTorch and is opened
// the first time that a learned model is asked for. Link NestorModelDoor.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_MODEL_LEARNEDMODEL_H
#define NESTOR_MODEL_LEARNEDMODEL_H

#include "nestor/Cost/CostModel.h"
#include "nestor/Model/ModelABI.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>
#include <vector>

namespace mlir::nestor {

/// May be used from several threads at once.
class LearnedModel : public CostModel {
public:
  /// What the model knows of each candidate before it looks at the target, one
  /// row an input. Independent of the other inputs.
  virtual llvm::Error embed(const std::vector<const ModelInput *> &inputs,
                            Rows &embeddings) = 0;
};

/// Opens weights for a target: a file, or a folder of files, whose models score
/// by their mean. An empty path means the default weights. Fails with a message
/// for the user if the library, LibTorch or the weights are missing, damaged or
/// of another version.
llvm::Expected<std::unique_ptr<LearnedModel>>
loadLearnedModel(llvm::StringRef weightsPath, const TargetDescriptor &target);

/// The same for a target that is known by its features, [kTargetDim].
llvm::Expected<std::unique_ptr<LearnedModel>>
loadLearnedModel(llvm::StringRef weightsPath,
                 llvm::ArrayRef<float> targetFeatures);

/// The folder `default`: in <prefix>/share/nestor of an installed Nestor, or
/// else data/weights of the source folder.
std::string getDefaultWeightsPath();

/// Opens libNestorModel.so once per process: $NESTOR_MODEL_LIBRARY, or in the
/// folder of the program or plugin that this is linked into, or in ../lib of
/// it.
llvm::Expected<const modelabi::Library *> openModelLibrary();

} // namespace mlir::nestor

#endif // NESTOR_MODEL_LEARNEDMODEL_H
