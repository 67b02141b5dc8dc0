//===- Machine.cpp - What this machine is and can do ----------------------===//
//
// Execution room: reads what Linux tells of the CPU, measures the rest.
//
//===----------------------------------------------------------------------===//
#include "nestor/Execution/Machine.h"

#include "Peaks.h"
#include "nestor/Execution/Program.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/TargetParser/Host.h"

#include <cerrno>
#include <cmath>
#include <cstring>
#include <sched.h>
#include <unistd.h>

using namespace mlir::nestor;
using llvm::Expected;
using llvm::StringRef;

/// Without the final line break; empty where there is no such file.
static std::string readFile(const llvm::Twine &path) {
  auto buffer = llvm::MemoryBuffer::getFileAsStream(path);
  if (!buffer)
    return "";
  return (*buffer)->getBuffer().trim().str();
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

static std::string readModelName() {
  std::string info = readFile("/proc/cpuinfo");
  llvm::SmallVector<StringRef> lines;
  StringRef(info).split(lines, '\n');
  for (StringRef line : lines) {
    auto [key, value] = line.split(':');
    if (key.trim() == "model name")
      return value.trim().str();
  }
  return llvm::sys::getHostCPUName().str();
}

MachineInfo mlir::nestor::getMachineInfo() {
  MachineInfo info;
  info.cpu = readModelName();
  info.llvmCpu = llvm::sys::getHostCPUName().str();
  info.llvmVersion = getCompilerVersion();
  llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  for (const char *name : {"avx2", "fma", "avx512f", "neon"})
    if (features.lookup(name))
      info.features.push_back(name);
  return info;
}

//===----------------------------------------------------------------------===//
// Caches
//===----------------------------------------------------------------------===//

/// "32K", "8192K", "32M" as sysfs writes them; 0 for anything else.
static int64_t parseSize(StringRef text) {
  int64_t unit = 1;
  if (text.consume_back("K"))
    unit = 1 << 10;
  else if (text.consume_back("M"))
    unit = 1 << 20;
  int64_t size;
  return text.getAsInteger(10, size) ? 0 : size * unit;
}

static std::array<int64_t, 3> readCaches() {
  std::array<int64_t, 3> bytes{};
  for (int index = 0; index < 8; ++index) {
    std::string folder =
        "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index);
    std::string level = readFile(folder + "/level");
    std::string type = readFile(folder + "/type");
    unsigned number;
    if (StringRef(level).getAsInteger(10, number) || number < 1 || number > 3 ||
        type == "Instruction")
      continue;
    bytes[number - 1] = parseSize(readFile(folder + "/size"));
  }
  // Containers may hide sysfs.
  const int names[] = {_SC_LEVEL1_DCACHE_SIZE, _SC_LEVEL2_CACHE_SIZE,
                       _SC_LEVEL3_CACHE_SIZE};
  for (unsigned level = 0; level < 3; ++level)
    if (bytes[level] <= 0)
      bytes[level] = std::max<int64_t>(0, sysconf(names[level]));
  if (bytes[0] == 0)
    bytes[0] = 32 << 10;
  return bytes;
}

//===----------------------------------------------------------------------===//
// Measuring
//===----------------------------------------------------------------------===//

/// Three significant digits: more would only be noise.
static double roundFigure(double value) {
  double unit = std::pow(10.0, std::floor(std::log10(value)) - 2);
  return std::round(value / unit) * unit;
}

/// Buffers for L1, L2, L3 and memory: well inside each level, and well outside
/// the one above it.
static std::array<int64_t, 4>
chooseBuffers(const std::array<int64_t, 3> &caches) {
  auto [l1, l2, l3] = caches;
  int64_t memory = int64_t(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  int64_t inL2 = l2 ? std::max(l2 / 2, std::min(2 * l1, l2)) : l1 / 2;
  int64_t inL3 = l3 ? std::min(std::max(4 * l2, l3 / 8), l3 / 2) : inL2;
  int64_t inMemory =
      std::min({std::max<int64_t>(2 * std::max(l2, l3), 64 << 20),
                int64_t(1) << 30, memory / 4});
  return {l1 / 2, inL2, inL3, inMemory};
}

static std::array<double, 4>
measureBandwidths(const std::array<int64_t, 3> &caches) {
  std::array<double, 4> rates;
  for (auto [level, bytes] : llvm::enumerate(chooseBuffers(caches)))
    rates[level] = roundFigure(measureBandwidth(bytes));
  return rates;
}

static MachinePeaks measureThisCore() {
  MachinePeaks peaks;
  peaks.gflopsF32 = roundFigure(measureGflopsF32());
  peaks.gflopsF64 = roundFigure(measureGflopsF64());
  peaks.giopsI32 = roundFigure(measureGiopsI32());
  std::array<int64_t, 3> caches = readCaches();
  for (auto [level, bytes] : llvm::enumerate(chooseBuffers(caches))) {
    if (level < 3 && !caches[level])
      continue;
    peaks.levels.push_back(
        {level < 3 ? "L" + std::to_string(level + 1) : "DRAM",
         level < 3 ? caches[level] : 0,
         roundFigure(measureBandwidth(bytes, Pages::Huge)),
         roundFigure(measureUpdateBandwidth(bytes, Pages::Huge))});
  }
  return peaks;
}

Expected<MachinePeaks> mlir::nestor::measurePeaks(int core) {
  Expected<int> pinned = pinToCore(core);
  if (!pinned)
    return pinned.takeError();
  return measureThisCore();
}

Expected<int> mlir::nestor::pinToCore(int core) {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (core < 0)
    core = std::max(0, sched_getcpu());
  if (core < CPU_SETSIZE)
    CPU_SET(core, &set);
  if (sched_setaffinity(0, sizeof(set), &set))
    return llvm::createStringError("cannot bind to core " + llvm::Twine(core) +
                                   ": " + strerror(errno) +
                                   "; choose one of 'taskset -p $$'");
  return core;
}

static TargetDescriptor describeThisCore() {
  TargetDescriptor target;
  target.name =
      readModelName() + " (" + llvm::sys::getHostCPUName().str() + ")";
  target.vectorBits = getVectorBits();
  // AVX-512 and NEON have 32 registers, AVX2 and SSE 16.
  target.vectorRegisters = target.vectorBits == 512 ? 32 : 16;
#if defined(__aarch64__)
  target.vectorRegisters = 32;
#endif
  target.gigahertz = roundFigure(measureGigahertz());
  target.peakGflopsF32 = roundFigure(measureGflopsF32());
  target.peakGflopsF64 = roundFigure(measureGflopsF64());
  target.cacheBytes = readCaches();
  target.bandwidthGBs = measureBandwidths(target.cacheBytes);
  return target;
}

Expected<TargetDescriptor> mlir::nestor::describeMachine(int core) {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  bool known = !sched_getaffinity(0, sizeof(allowed), &allowed);
  Expected<int> pinned = pinToCore(core);
  if (!pinned)
    return pinned.takeError();
  TargetDescriptor target = describeThisCore();
  if (known) {
    target.cores = std::max(1, CPU_COUNT(&allowed));
    sched_setaffinity(0, sizeof(allowed), &allowed);
  }
  return target;
}
