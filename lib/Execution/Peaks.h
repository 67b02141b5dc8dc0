//===- Peaks.h - Short loops that saturate one core -------------*- C++ -*-===//
//
// Execution room, for Machine.cpp: what one core reaches with hand-written
// loops.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_LIB_EXECUTION_PEAKS_H
#define NESTOR_LIB_EXECUTION_PEAKS_H

#include <cstdint>

namespace mlir::nestor {

/// The widest vectors that the CPU and this build can use: 512, 256 or 128
/// bits.
unsigned getVectorBits();
/// Fused multiply-adds, counted as two operations.
double measureGflopsF32();
double measureGflopsF64();
/// Reading `bytes` of memory over and over, in GB/s.
double measureBandwidth(int64_t bytes);
/// The clock of a busy core.
double measureGigahertz();

} // namespace mlir::nestor

#endif // NESTOR_LIB_EXECUTION_PEAKS_H
