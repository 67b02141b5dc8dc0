//===- Mutate.h - Hostile text from real text -------------------*- C++ -*-===//
//
// Fuzz room, where a hostile file begins: texts of MLIR in, one text out that
// is damaged in a way that a seed chooses. Most texts still parse up to the
// damage, many parse as a whole, some verify.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_FUZZ_MUTATE_H
#define NESTOR_FUZZ_MUTATE_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace mlir::nestor::fuzz {

/// Adds every .mlir file under `path` (or that one file) to `texts`, in pieces
/// where a line of dashes splits it. Files are taken in the order of their
/// names. An Error if there is none.
llvm::Error readCorpus(StringRef path, std::vector<std::string> &texts);

/// Damages one of `texts`, which is not empty: bytes, tokens, lines, blocks,
/// numbers, nesting; parts of the others are spliced in.
std::string mutateText(ArrayRef<std::string> texts, uint64_t seed);

/// Damages a program that was parsed: takes ops away, doubles and moves them,
/// exchanges operands, attributes and what affine maps compute. The result may
/// not verify.
void mutateOps(ModuleOp module, uint64_t seed);

} // namespace mlir::nestor::fuzz

#endif // NESTOR_FUZZ_MUTATE_H
