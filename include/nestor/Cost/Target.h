//===- Target.h - What a model knows of a machine ---------------*- C++ -*-===//
//
// Cost room: the target descriptor, an input of every model. It comes from a
// file (written once by `nestor-measure describe-machine`) or is a named
// default; a pass never measures.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_COST_TARGET_H
#define NESTOR_COST_TARGET_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <array>
#include <cstdint>
#include <string>

namespace mlir::nestor {

/// The file format's version; a file with another one is refused.
inline constexpr int kTargetVersion = 1;

struct TargetDescriptor {
  std::string name;              ///< of the CPU, or of the default
  unsigned vectorBits = 256;     ///< width of the widest vector register
  unsigned vectorRegisters = 16; ///< architectural, for rank-1 vectors
  unsigned cores = 1;            ///< that a process may use
  double gigahertz = 3.0;        ///< of one busy core; makes cycles of seconds
  double peakGflopsF32 = 0; ///< one core, fused multiply-add counted as two
  double peakGflopsF64 = 0;
  /// Bytes that one core may use of L1 data, L2 and L3; 0 where there is none.
  std::array<int64_t, 3> cacheBytes{};
  /// One core reading from L1, L2, L3 and DRAM, in GB/s (10^9 bytes).
  std::array<double, 4> bandwidthGBs{};
};

/// The default called `name`: generic-avx2 or generic-avx512.
llvm::Expected<TargetDescriptor> getNamedTarget(llvm::StringRef name);

/// `nameOrPath` is the name of a default or else a descriptor file.
llvm::Expected<TargetDescriptor> loadTarget(llvm::StringRef nameOrPath);

llvm::Expected<TargetDescriptor> parseTarget(llvm::StringRef json);

/// Deterministic JSON with a final line break.
std::string printTarget(const TargetDescriptor &target);

/// Writes the descriptor to `path` whole or not at all.
llvm::Error saveTarget(const TargetDescriptor &target, llvm::StringRef path);

} // namespace mlir::nestor

#endif // NESTOR_COST_TARGET_H
