//===- Generator.h - Random affine programs ---------------------*- C++ -*-===//
//
// Corpus room, where training data begins: a seed in, an MLIR program out. The
// programs feed pre-training (unlabelled), labelling (measured) and the
// differential tests (profile `Fuzz`).
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_CORPUS_GENERATOR_H
#define NESTOR_CORPUS_GENERATOR_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include <cstdint>
#include <string>

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mlir::nestor {

struct GeneratorOptions {
  /// `Train`: shapes of real programs at sizes worth measuring. `Fuzz`: tiny,
  /// hostile programs (empty loops, guards, values across loops, views).
  enum class Profile { Train, Fuzz };
  /// Largest array: 1 MiB, 16 MiB, or anything from 64 KiB to 64 MiB.
  enum class Footprint { Small, Medium, Mixed };

  Profile profile = Profile::Train;
  Footprint footprint = Footprint::Mixed;
  /// Scalar operations of one run (Train only), log-uniform in between.
  int64_t minWork = 100'000, maxWork = 300'000'000;
  unsigned maxNests = 4;
  /// Rank-0 memrefs and iter_args; always on in profile Fuzz.
  bool scalarTemporaries = false, iterArgs = false;
  /// Chances of: strict, `contract`, `reassoc,contract` on every operation.
  unsigned strictWeight = 2, contractWeight = 1, reassocWeight = 3;
};

/// Makes one `func.func @kernel` over memref arguments. The same on every
/// platform for the same options and seed. Accesses stay in bounds, and values
/// stay finite when the arguments hold values in [0.5, 1.5], also after many
/// runs on the same buffers.
OwningOpRef<ModuleOp> generateProgram(MLIRContext &context,
                                      const GeneratorOptions &options,
                                      uint64_t seed);

/// Adds the dialects that generated programs use.
void registerGeneratorDialects(DialectRegistry &registry);

/// The text under which a program is stored: as printed, without locations.
std::string canonicalText(ModuleOp module);

} // namespace mlir::nestor

#endif // NESTOR_CORPUS_GENERATOR_H
