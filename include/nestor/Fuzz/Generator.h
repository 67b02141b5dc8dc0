//===- Generator.h - Random programs of every construct ---------*- C++ -*-===//
//
// Fuzz room, where a check begins: a seed in, a defined program out (indices in
// range, no division by zero, no race, no read of memory that nobody wrote).
// Not to be confused with the Corpus room's generator, whose programs are meant
// to be learned from.
//
// A program is a module with two functions that matter: @kernel, which is
// scheduled, and @main, which cuts the kernel's arguments out of one arena of
// bytes and calls it. A table of integers says where each argument begins, so
// that one program can be run with buffers apart and with buffers that overlap.
// @main carries the tables to try as the attribute `tables`.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_FUZZ_GENERATOR_H
#define NESTOR_FUZZ_GENERATOR_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include <cstdint>

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mlir::nestor::fuzz {

/// Changes whenever a seed may give another program; logs carry it.
inline constexpr unsigned kGeneratorVersion = 5;

/// Bytes of the arena that @main cuts the kernel's arguments out of, and
/// numbers in the table that says where.
inline constexpr int64_t kArenaBytes = 64 << 10;
inline constexpr int64_t kTableSize = 64;

inline constexpr llvm::StringLiteral kKernelName = "kernel";
inline constexpr llvm::StringLiteral kMainName = "main";
inline constexpr llvm::StringLiteral kTablesName = "tables";

/// The program of `seed`, verified. The context must have the dialects of
/// registerGeneratorDialects.
OwningOpRef<ModuleOp> generate(MLIRContext &context, uint64_t seed);

void registerGeneratorDialects(DialectRegistry &registry);

} // namespace mlir::nestor::fuzz

#endif // NESTOR_FUZZ_GENERATOR_H
