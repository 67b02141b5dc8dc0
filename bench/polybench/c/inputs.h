// inputs.h: the deterministic kernel inputs which ../README.md defines, one
// function per nestor.init kind. Each takes the argument's position in the
// kernel's argument list, the element's row-major index and the extent of the
// array's first dimension.
#ifndef POLYBENCH_INPUTS_H
#define POLYBENCH_INPUTS_H

#include <stdint.h>

// The splitmix64 finalizer of a counter which depends on both arguments.
static uint64_t input_hash(uint64_t arg, uint64_t index) {
  uint64_t x = index + 0x9E3779B97F4A7C15u * (arg + 1);
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

// Uniform in [0, 1), a multiple of 2^-52.
static double input_uniform(uint64_t arg, uint64_t index) {
  return (double)(input_hash(arg, index) >> 12) * 0x1p-52;
}

static inline double input_default(uint64_t arg, uint64_t index, uint64_t n) {
  (void)n;
  return 0.5 + input_uniform(arg, index);
}

static inline double input_small(uint64_t arg, uint64_t index, uint64_t n) {
  return input_uniform(arg, index) / (double)n;
}

static inline double input_spd(uint64_t arg, uint64_t index, uint64_t n) {
  uint64_t i = index / n, j = index % n;
  uint64_t lower = i > j ? i * n + j : j * n + i;
  double diagonal = i == j ? 2.0 * (double)n : 0.0;
  return 0.5 + input_uniform(arg, lower) + diagonal;
}

static inline double input_seq(uint64_t arg, uint64_t index, uint64_t n) {
  (void)n;
  return (double)(int)(4.0 * input_uniform(arg, index));
}

static inline double input_dist(uint64_t arg, uint64_t index, uint64_t n) {
  (void)n;
  return (double)(1 + (int)(100.0 * input_uniform(arg, index)));
}

static inline double input_zero(uint64_t arg, uint64_t index, uint64_t n) {
  (void)arg, (void)index, (void)n;
  return 0.0;
}

#endif // POLYBENCH_INPUTS_H
