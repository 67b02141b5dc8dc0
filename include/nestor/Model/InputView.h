//===- InputView.h - Model inputs as plain pointers -------------*- C++ -*-===//
//
// Model room: checks a ModelInput and lays it out as the CandidateView that
// crosses the border of libNestorModel.so. The view points into the input.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_MODEL_INPUTVIEW_H
#define NESTOR_MODEL_INPUTVIEW_H

#include "nestor/Cost/CostModel.h"
#include "nestor/Model/ModelABI.h"
#include "llvm/Support/Error.h"
#include <deque>
#include <vector>

namespace mlir::nestor {

/// Fails on rows of a wrong width, numbers that are not finite and trees whose
/// parents do not precede their children.
llvm::Error checkModelInput(const ModelInput &input);

/// Owns the arrays that views point to; add all inputs that outlive it.
class InputViews {
public:
  modelabi::CandidateView add(const ModelInput &input);

private:
  std::deque<std::vector<modelabi::StatementView>> statements;
  std::deque<std::vector<modelabi::LoopView>> loops;
};

} // namespace mlir::nestor

#endif // NESTOR_MODEL_INPUTVIEW_H
