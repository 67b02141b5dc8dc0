//===- Numbers.h - Scalars of every element type ----------------*- C++ -*-===//
//
// Execution room: how the bits of an element become a number and back.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_LIB_EXECUTION_NUMBERS_H
#define NESTOR_LIB_EXECUTION_NUMBERS_H

#include "nestor/Execution/Program.h"

namespace mlir::nestor {

/// `value` rounded to `kind`, as bits in the low bytes.
uint64_t encode(ElementKind kind, double value);
double decode(ElementKind kind, uint64_t bits);
/// Enough digits to tell two neighbours apart.
std::string printNumber(ElementKind kind, uint64_t bits);

/// The bits of element `index` of an array.
uint64_t loadBits(ElementKind kind, const char *data, int64_t index);

/// Sets all of `data`, argument number `position`, to the fill that the
/// argument's nestor.init names (bench/polybench/README.md defines them).
llvm::Error fillBuffer(const Argument &argument, unsigned position, char *data);

/// A scalar argument's value: nestor.value, else 1.5 or 3.
uint64_t getScalar(const Argument &argument);

} // namespace mlir::nestor

#endif // NESTOR_LIB_EXECUTION_NUMBERS_H
