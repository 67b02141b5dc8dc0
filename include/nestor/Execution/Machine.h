//===- Machine.h - What this machine is and can do --------------*- C++ -*-===//
//
// Execution room: the one place that measures the machine itself. Models and
// passes read the descriptor that it writes (nestor/Cost/Target.h).
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_EXECUTION_MACHINE_H
#define NESTOR_EXECUTION_MACHINE_H

#include "nestor/Cost/Target.h"

#include <vector>

namespace mlir::nestor {

/// What every output with a measured number says of where it comes from.
struct MachineInfo {
  std::string cpu;                   ///< model name, as the kernel gives it
  std::string llvmCpu;               ///< as LLVM names it
  std::vector<std::string> features; ///< of avx2, fma, avx512f, neon
  std::string llvmVersion;
};
MachineInfo getMachineInfo();

/// Discovers the caches and vector registers and measures peaks and bandwidths
/// of `core` (negative: the present one); takes about a second.
llvm::Expected<TargetDescriptor> describeMachine(int core = -1);

/// What one core can reach, for rooflines.
struct MachinePeaks {
  double gflopsF32 = 0, gflopsF64 = 0; ///< fused multiply-add counted as two
  double giopsI32 = 0;
  struct Level {
    std::string name;
    int64_t bytes = 0; ///< 0: no limit
    double readGBs = 0, updateGBs = 0;
  };
  std::vector<Level> levels; ///< caches that are there, then memory
};
llvm::Expected<MachinePeaks> measurePeaks(int core = -1);

/// Binds the calling thread to `core`, or to an allowed one where it is
/// negative. The core in use, or an Error where this process may not use it.
llvm::Expected<int> pinToCore(int core);

} // namespace mlir::nestor

#endif // NESTOR_EXECUTION_MACHINE_H
