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

/// What memory to measure: as allocated, or on huge pages if there are any.
enum class Pages { Default, Huge };

/// The widest vectors that the CPU and this build can use: 512, 256 or 128
/// bits.
unsigned getVectorBits();
/// Fused multiply-adds, counted as two operations.
double measureGflopsF32();
double measureGflopsF64();
/// Additions and minima of 32-bit integers, in 10^9 a second.
double measureGiopsI32();
/// Reading `bytes` of memory over and over, in GB/s.
double measureBandwidth(int64_t bytes, Pages pages = Pages::Default);
/// Changing `bytes` of memory in place over and over, in GB/s; every byte
/// counts twice, as it is read and written.
double measureUpdateBandwidth(int64_t bytes, Pages pages = Pages::Default);
/// The clock of a busy core.
double measureGigahertz();

} // namespace mlir::nestor

#endif // NESTOR_LIB_EXECUTION_PEAKS_H
