//===- Peaks.cpp - Short loops that saturate one core ---------------------===//
//
// Execution room, for Machine.cpp. Each loop exists once per vector width, with
// the instruction set as a function attribute, and is chosen at run time.
//
//===----------------------------------------------------------------------===//
#include "Peaks.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <sys/mman.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

using namespace mlir::nestor;

/// Keeps a computed value alive.
static volatile double sink;

/// Seconds that this thread ran: programs are timed by the same clock.
static double now() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

/// The best of several runs of `work`, each `amount` units, in units a second.
template <typename Work>
static double measureRate(double amount, const Work &work) {
  double best = 1e30, begin = now();
  for (int run = 0; run < 200; ++run) {
    double start = now();
    work();
    double end = now();
    best = std::min(best, end - start);
    if (run >= 4 && end - begin > 0.1)
      break;
  }
  return amount / std::max(best, 1e-9);
}

// Twelve chains cover a latency of 4 to 6 cycles at two instructions a cycle.
static constexpr int kChains = 12;
static constexpr int kSteps = 20000;

//===----------------------------------------------------------------------===//
// The loops, per width
//===----------------------------------------------------------------------===//

#if defined(__x86_64__)

// NAME(steps): kChains chains of fused multiply-adds.
#define NESTOR_FMA_LOOP(NAME, ISA, VECTOR, SET1, FMA)                          \
  __attribute__((target(ISA))) static void NAME(int steps) {                   \
    VECTOR chains[kChains];                                                    \
    VECTOR scale = SET1(0.999f), shift = SET1(0.001f);                         \
    for (int chain = 0; chain < kChains; ++chain)                              \
      chains[chain] = SET1(1.0f + 0.01f * float(chain));                       \
    for (int step = 0; step < steps; ++step)                                   \
      _Pragma("GCC unroll 12") for (int chain = 0; chain < kChains; ++chain)   \
          chains[chain] = FMA(chains[chain], scale, shift);                    \
    VECTOR sum = chains[0];                                                    \
    for (int chain = 1; chain < kChains; ++chain)                              \
      sum = FMA(chains[chain], scale, sum);                                    \
    float first;                                                               \
    memcpy(&first, &sum, sizeof(first));                                       \
    sink = first;                                                              \
  }
NESTOR_FMA_LOOP(fma256f, "avx2,fma", __m256, _mm256_set1_ps, _mm256_fmadd_ps)
NESTOR_FMA_LOOP(fma256d, "avx2,fma", __m256d, _mm256_set1_pd, _mm256_fmadd_pd)
NESTOR_FMA_LOOP(fma512f, "avx512f", __m512, _mm512_set1_ps, _mm512_fmadd_ps)
NESTOR_FMA_LOOP(fma512d, "avx512f", __m512d, _mm512_set1_pd, _mm512_fmadd_pd)
#undef NESTOR_FMA_LOOP

// NAME(data, vectors): reads all vectors, eight at a time.
#define NESTOR_READ_LOOP(NAME, ISA, VECTOR, LOAD, OR)                          \
  __attribute__((target(ISA))) static void NAME(const char *data,              \
                                                int64_t bytes) {               \
    auto *vectors = reinterpret_cast<const VECTOR *>(data);                    \
    int64_t count = bytes / int64_t(sizeof(VECTOR));                           \
    VECTOR sums[8] = {};                                                       \
    for (int64_t at = 0; at + 8 <= count; at += 8)                             \
      _Pragma("GCC unroll 8") for (int part = 0; part < 8; ++part)             \
          sums[part] = OR(sums[part], LOAD(vectors + at + part));              \
    VECTOR all = sums[0];                                                      \
    for (int part = 1; part < 8; ++part)                                       \
      all = OR(all, sums[part]);                                               \
    char first;                                                                \
    memcpy(&first, &all, sizeof(first));                                       \
    sink = first;                                                              \
  }
NESTOR_READ_LOOP(read256, "avx2", __m256i, _mm256_load_si256, _mm256_or_si256)
NESTOR_READ_LOOP(read512, "avx512f", __m512i, _mm512_load_si512,
                 _mm512_or_si512)
#undef NESTOR_READ_LOOP

// NAME(steps): kChains chains of an addition and a minimum each.
#define NESTOR_INTEGER_LOOP(NAME, ISA, VECTOR, SET1, ADD, MIN)                 \
  __attribute__((target(ISA))) static void NAME(int steps) {                   \
    VECTOR chains[kChains];                                                    \
    VECTOR one = SET1(int(sink) | 1), most = SET1(1 << 30);                    \
    for (int chain = 0; chain < kChains; ++chain)                              \
      chains[chain] = SET1(chain);                                             \
    for (int step = 0; step < steps; ++step)                                   \
      _Pragma("GCC unroll 12") for (int chain = 0; chain < kChains; ++chain)   \
          chains[chain] = MIN(ADD(chains[chain], one), most);                  \
    VECTOR sum = chains[0];                                                    \
    for (int chain = 1; chain < kChains; ++chain)                              \
      sum = ADD(chains[chain], sum);                                           \
    int first;                                                                 \
    memcpy(&first, &sum, sizeof(first));                                       \
    sink = first;                                                              \
  }
NESTOR_INTEGER_LOOP(integer256, "avx2", __m256i, _mm256_set1_epi32,
                    _mm256_add_epi32, _mm256_min_epi32)
NESTOR_INTEGER_LOOP(integer512, "avx512f", __m512i, _mm512_set1_epi32,
                    _mm512_add_epi32, _mm512_min_epi32)
#undef NESTOR_INTEGER_LOOP

// NAME(data, vectors): changes all vectors in place, eight at a time.
#define NESTOR_UPDATE_LOOP(NAME, ISA, VECTOR, LOAD, STORE, ADD, SET1)          \
  __attribute__((target(ISA))) static void NAME(char *data, int64_t bytes) {   \
    auto *vectors = reinterpret_cast<VECTOR *>(data);                          \
    int64_t count = bytes / int64_t(sizeof(VECTOR));                           \
    VECTOR one = SET1(1);                                                      \
    for (int64_t at = 0; at + 8 <= count; at += 8)                             \
      _Pragma("GCC unroll 8") for (int part = 0; part < 8; ++part)             \
          STORE(vectors + at + part, ADD(LOAD(vectors + at + part), one));     \
  }
NESTOR_UPDATE_LOOP(update256, "avx2", __m256i, _mm256_load_si256,
                   _mm256_store_si256, _mm256_add_epi32, _mm256_set1_epi32)
NESTOR_UPDATE_LOOP(update512, "avx512f", __m512i, _mm512_load_si512,
                   _mm512_store_si512, _mm512_add_epi32, _mm512_set1_epi32)
#undef NESTOR_UPDATE_LOOP

unsigned mlir::nestor::getVectorBits() {
  if (__builtin_cpu_supports("avx512f"))
    return 512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return 256;
  return 128;
}

#else

unsigned mlir::nestor::getVectorBits() { return 128; }

#endif

// Any CPU: what the compiler makes of plain vectors of 128 bits.
template <typename Element> static void multiplyAdd128(int steps) {
  typedef Element Vector __attribute__((vector_size(16)));
  Vector chains[kChains];
  for (int chain = 0; chain < kChains; ++chain)
    chains[chain] = Vector{} + Element(1 + 0.01 * chain);
  for (int step = 0; step < steps; ++step)
    for (int chain = 0; chain < kChains; ++chain)
      chains[chain] = chains[chain] * Element(0.999) + Element(0.001);
  Vector sum = chains[0];
  for (int chain = 1; chain < kChains; ++chain)
    sum += chains[chain];
  sink = double(sum[0]);
}

static void read128(const char *data, int64_t bytes) {
  typedef uint64_t Vector __attribute__((vector_size(16)));
  auto *vectors = reinterpret_cast<const Vector *>(data);
  Vector sums[8] = {};
  int64_t count = bytes / int64_t(sizeof(Vector));
  for (int64_t at = 0; at + 8 <= count; at += 8)
    for (int part = 0; part < 8; ++part)
      sums[part] |= vectors[at + part];
  for (int part = 1; part < 8; ++part)
    sums[0] |= sums[part];
  sink = double(sums[0][0]);
}

static void integer128(int steps) {
  typedef int32_t Vector __attribute__((vector_size(16)));
  Vector chains[kChains];
  Vector one = Vector{} + (int(sink) | 1), most = Vector{} + (1 << 30);
  for (int chain = 0; chain < kChains; ++chain)
    chains[chain] = Vector{} + chain;
  for (int step = 0; step < steps; ++step)
    for (int chain = 0; chain < kChains; ++chain) {
      Vector sum = chains[chain] + one;
      chains[chain] = sum < most ? sum : most;
    }
  Vector sum = chains[0];
  for (int chain = 1; chain < kChains; ++chain)
    sum += chains[chain];
  sink = sum[0];
}

static void update128(char *data, int64_t bytes) {
  typedef int32_t Vector __attribute__((vector_size(16)));
  auto *vectors = reinterpret_cast<Vector *>(data);
  for (int64_t at = 0, count = bytes / int64_t(sizeof(Vector)); at < count;
       ++at)
    vectors[at] += 1;
}

//===----------------------------------------------------------------------===//
// Choosing
//===----------------------------------------------------------------------===//

using ComputeLoop = void (*)(int);
using ReadLoop = void (*)(const char *, int64_t);

static double measureGflops(ComputeLoop loop, unsigned lanes) {
  return measureRate(2.0 * lanes * kChains * kSteps, [&] { loop(kSteps); }) *
         1e-9;
}

double mlir::nestor::measureGflopsF32() {
#if defined(__x86_64__)
  if (getVectorBits() == 512)
    return std::max(measureGflops(fma512f, 16), measureGflops(fma256f, 8));
  if (getVectorBits() == 256)
    return measureGflops(fma256f, 8);
#endif
  return measureGflops(multiplyAdd128<float>, 4);
}

double mlir::nestor::measureGflopsF64() {
#if defined(__x86_64__)
  if (getVectorBits() == 512)
    return std::max(measureGflops(fma512d, 8), measureGflops(fma256d, 4));
  if (getVectorBits() == 256)
    return measureGflops(fma256d, 4);
#endif
  return measureGflops(multiplyAdd128<double>, 2);
}

double mlir::nestor::measureGiopsI32() {
  // Two operations a step, like the fused ones above.
#if defined(__x86_64__)
  if (getVectorBits() == 512)
    return std::max(measureGflops(integer512, 16),
                    measureGflops(integer256, 8));
  if (getVectorBits() == 256)
    return measureGflops(integer256, 8);
#endif
  return measureGflops(integer128, 4);
}

/// GB/s of `loop` over a buffer of `bytes`.
template <typename Loop>
static double measureLoop(int64_t bytes, Pages pages, Loop loop) {
  bytes = std::max<int64_t>(bytes & ~int64_t(4095), 4096);
  int64_t page = pages == Pages::Huge ? 2 << 20 : 4096;
  int64_t size = (bytes + page - 1) / page * page;
  auto *data = static_cast<char *>(std::aligned_alloc(page, size));
  if (!data)
    return 0.001;
#if defined(MADV_HUGEPAGE)
  if (pages == Pages::Huge)
    (void)madvise(data, size, MADV_HUGEPAGE);
#endif
  memset(data, 1, bytes);
  // Small buffers several times a run, as the clock has a cost.
  int64_t repeat = std::max<int64_t>(1, (int64_t(1) << 20) / bytes);
  double rate = measureRate(double(bytes) * double(repeat), [&] {
    for (int64_t run = 0; run < repeat; ++run)
      loop(data, bytes);
  });
  std::free(data);
  return rate * 1e-9;
}

double mlir::nestor::measureBandwidth(int64_t bytes, Pages pages) {
  ReadLoop loop = read128;
#if defined(__x86_64__)
  if (getVectorBits() >= 256)
    loop = getVectorBits() == 512 ? read512 : read256;
#endif
  return measureLoop(bytes, pages, loop);
}

double mlir::nestor::measureUpdateBandwidth(int64_t bytes, Pages pages) {
  void (*loop)(char *, int64_t) = update128;
#if defined(__x86_64__)
  if (getVectorBits() >= 256)
    loop = getVectorBits() == 512 ? update512 : update256;
#endif
  return 2 * measureLoop(bytes, pages, loop);
}

double mlir::nestor::measureGigahertz() {
  constexpr int kCount = 100000;
  uint64_t value = 3;
  // A chain of multiplications; three cycles each on x86 since 2008. A chain of
  // additions would not do: newer cores fold some of them away.
  double rate = measureRate(3.0 * kCount, [&] {
    for (int count = 0; count < kCount; ++count) {
#if defined(__x86_64__)
      asm volatile("imul %0, %0" : "+r"(value));
#else
      value = value * value + 1;
      asm volatile("" : "+r"(value));
#endif
    }
  });
  return rate * 1e-9;
}
