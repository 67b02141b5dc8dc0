//===- ScheduleSupport.cpp - What the scheduling passes share -------------===//
//
// Transforms room; see ScheduleSupport.h.
//
//===----------------------------------------------------------------------===//
#include "ScheduleSupport.h"

using namespace mlir;
using namespace mlir::nestor;

FailureOr<AliasMode> nestor::parseAliasMode(Operation *op, StringRef text) {
  if (text == "check")
    return AliasMode::Check;
  if (text == "assume-distinct")
    return AliasMode::AssumeDistinct;
  if (text == "conservative")
    return AliasMode::Conservative;
  return op->emitError() << "unknown value '" << text
                         << "' of option 'alias': expected check, "
                            "assume-distinct or conservative",
         failure();
}
