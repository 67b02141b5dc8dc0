//===- Nestor.h - The nestor dialect: schedules as data ---------*- C++ -*-===//
//
// Dialect room, first in the flow: every other room reads or writes these
// attributes. Steps get their meaning from the Schedule room (external models).
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_DIALECT_NESTOR_H
#define NESTOR_DIALECT_NESTOR_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include <string>

namespace mlir::nestor {
struct Candidate; // Schedule room
} // namespace mlir::nestor

#include "nestor/Dialect/NestorDialect.h.inc"
#include "nestor/Dialect/NestorEnums.h.inc"
#include "nestor/Dialect/NestorInterfaces.h.inc"
#define GET_ATTRDEF_CLASSES
#include "nestor/Dialect/NestorAttrs.h.inc"

namespace mlir::nestor {

/// Version of the schedule format that this library reads and writes.
inline constexpr int64_t kScheduleVersion = 1;

// Names of the discardable attributes (see the dialect's description).
inline constexpr llvm::StringLiteral kScheduleAttrName = "nestor.schedule";
inline constexpr llvm::StringLiteral kSkipAttrName = "nestor.skip";
inline constexpr llvm::StringLiteral kFallbackAttrName = "nestor.fallback";
inline constexpr llvm::StringLiteral kScheduledAttrName = "nestor.scheduled";
inline constexpr llvm::StringLiteral kInitAttrName = "nestor.init";
inline constexpr llvm::StringLiteral kValueAttrName = "nestor.value";

/// Checks that `tree` is a well-formed schedule tree over statements
/// 0..n-1, each in exactly one branch of every sequence it meets; n is written
/// to `numStmts`.
LogicalResult verifyScheduleTree(function_ref<InFlightDiagnostic()> emitError,
                                 Attribute tree, unsigned &numStmts);

} // namespace mlir::nestor

#endif // NESTOR_DIALECT_NESTOR_H
