//===- Layout.cpp - Memory of a fuzzed program ----------------------------===//
//
// Fuzz room; see Harness.h.
//
//===----------------------------------------------------------------------===//
#include "Dice.h"
#include "nestor/Fuzz/Generator.h"
#include "nestor/Fuzz/Harness.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/APFloat.h"

#include <cmath>
#include <cstring>
#include <sys/mman.h>

using namespace mlir;
using namespace mlir::nestor;
using namespace mlir::nestor::fuzz;
using llvm::Error;
using llvm::Expected;

//===----------------------------------------------------------------------===//
// Arena
//===----------------------------------------------------------------------===//

/// On each side; a wild access of a small program ends here.
static constexpr size_t kForbidden = size_t(64) << 20;

Expected<std::unique_ptr<Arena>> Arena::create() {
  std::unique_ptr<Arena> arena(new Arena());
  void *address = mmap(nullptr, 2 * kForbidden + kArenaBytes, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (address == MAP_FAILED)
    return llvm::createStringError("cannot map the memory of programs");
  arena->mapping = static_cast<char *>(address);
  arena->data = arena->mapping + kForbidden;
  if (mprotect(arena->data, kArenaBytes, PROT_READ | PROT_WRITE))
    return llvm::createStringError("cannot map the memory of programs");
  return std::move(arena);
}

Arena::~Arena() {
  if (mapping)
    munmap(mapping, 2 * kForbidden + kArenaBytes);
}

//===----------------------------------------------------------------------===//
// Reading @main
//===----------------------------------------------------------------------===//

namespace mlir::nestor::fuzz {
struct LayoutReader {
  Layout layout;
  Error read(ModuleOp module);
  Error addView(memref::ViewOp view);
  static Error fail(const llvm::Twine &why) {
    return llvm::createStringError("not a program of the fuzzer: " + why);
  }
};
} // namespace mlir::nestor::fuzz

Error LayoutReader::addView(memref::ViewOp view) {
  auto load = view.getByteShift().getDefiningOp<memref::LoadOp>();
  std::optional<int64_t> place = load && load.getIndices().size() == 1
                                     ? getConstantIntValue(load.getIndices()[0])
                                     : std::nullopt;
  if (!place || *place < 0 || *place >= kTableSize)
    return fail("a view in @main does not begin where the table says");
  MemRefType type = view.getType();
  Type element = type.getElementType();
  int64_t cells = type.hasStaticShape() ? type.getNumElements() : -1;
  if (auto vector = dyn_cast<VectorType>(element)) {
    cells *= vector.getNumElements();
    element = vector.getElementType();
  }
  if (auto number = dyn_cast<ComplexType>(element)) {
    cells *= 2;
    element = number.getElementType();
  }
  if (cells < 0 || !element.isIntOrIndexOrFloat())
    return fail("a view in @main has elements or extents of another kind");
  using Kind = Layout::Kind;
  Kind kind = element.isIndex()      ? Kind::Index
              : element.isF16()      ? Kind::F16
              : element.isBF16()     ? Kind::BF16
              : element.isF32()      ? Kind::F32
              : element.isF64()      ? Kind::F64
              : element.isInteger(1) ? Kind::Bit
                                     : Kind::Integer;
  int64_t bytes =
      element.isIndex() ? 8 : std::max(8u, element.getIntOrFloatBitWidth()) / 8;
  layout.views.push_back({unsigned(*place), kind, cells, bytes});
  return Error::success();
}

Error LayoutReader::read(ModuleOp module) {
  auto main = module.lookupSymbol<func::FuncOp>(kMainName);
  auto kernel = module.lookupSymbol<func::FuncOp>(kKernelName);
  if (!main || main.isExternal() || !kernel || kernel.isExternal())
    return fail("it needs @main and @kernel with bodies");
  for (memref::ViewOp view : main.getOps<memref::ViewOp>())
    if (Error error = addView(view))
      return error;
  auto list = main->getAttrOfType<ArrayAttr>(kTablesName);
  if (!list || list.empty())
    return fail("@main has no tables");
  for (Attribute entry : list) {
    auto numbers = dyn_cast<DenseI64ArrayAttr>(entry);
    if (!numbers || numbers.size() > kTableSize)
      return fail("a table is no list of at most " + llvm::Twine(kTableSize) +
                  " numbers");
    std::vector<int64_t> table = numbers.asArrayRef();
    table.resize(kTableSize);
    for (const Layout::View &view : layout.views) {
      int64_t start = table[view.place], size = view.cells * view.bytes;
      if (start < 0 || start > kArenaBytes || size > kArenaBytes - start)
        return fail("a buffer is outside the arena");
    }
    layout.tables.push_back(std::move(table));
  }
  return Error::success();
}

Expected<Layout> Layout::read(ModuleOp module) {
  LayoutReader reader;
  if (Error error = reader.read(module))
    return std::move(error);
  return reader.layout;
}

//===----------------------------------------------------------------------===//
// Contents
//===----------------------------------------------------------------------===//

static const llvm::fltSemantics &semanticsOf(int64_t bytes, bool isBrain) {
  if (bytes == 2)
    return isBrain ? llvm::APFloat::BFloat() : llvm::APFloat::IEEEhalf();
  return bytes == 4 ? llvm::APFloat::IEEEsingle() : llvm::APFloat::IEEEdouble();
}

/// Small numbers, half of them with so many digits that sums are rounded and
/// tell their order; now and then what arithmetic stumbles over.
static uint64_t drawFloat(Dice &dice, int64_t bytes, bool isBrain) {
  const llvm::fltSemantics &semantics = semanticsOf(bytes, isBrain);
  llvm::APFloat value(double(dice.uniform(-64, 64)) / 8);
  if (dice.chance(50))
    value = llvm::APFloat(std::ldexp(double(int64_t(dice.bits())), -60));
  if (dice.chance(3)) {
    llvm::APFloat odd[] = {
        llvm::APFloat::getNaN(semantics), llvm::APFloat::getInf(semantics),
        llvm::APFloat::getZero(semantics, /*Negative=*/true),
        llvm::APFloat::getSmallest(semantics),
        llvm::APFloat::getLargest(semantics, /*Negative=*/true)};
    value = dice.pick(odd);
  }
  bool losesInfo;
  value.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return value.bitcastToAPInt().getZExtValue();
}

static uint64_t drawInteger(Dice &dice) {
  return dice.chance(90) ? uint64_t(dice.uniform(-9, 20)) : dice.bits();
}

void Layout::fill(char *arena, ArrayRef<int64_t> table, uint64_t seed) const {
  memset(arena, 0xa5, kArenaBytes);
  Dice dice(seed);
  for (const View &view : views)
    for (int64_t cell = 0; cell < view.cells; ++cell) {
      uint64_t bits = 0;
      switch (view.kind) {
      case Kind::Bit:
        bits = uint64_t(dice.uniform(0, 1));
        break;
      case Kind::Integer:
        bits = drawInteger(dice);
        break;
      case Kind::Index:
        bits = uint64_t(dice.uniform(0, 9));
        break;
      default:
        bits = drawFloat(dice, view.bytes, view.kind == Kind::BF16);
      }
      memcpy(arena + table[view.place] + cell * view.bytes, &bits, view.bytes);
    }
}

/// True for the bits of a NaN of any payload.
static bool isNaN(uint64_t bits, unsigned exponentBits, unsigned fractionBits) {
  uint64_t fraction = bits & ((uint64_t(1) << fractionBits) - 1);
  uint64_t mask = (uint64_t(1) << exponentBits) - 1;
  return ((bits >> fractionBits) & mask) == mask && fraction != 0;
}

std::string Layout::compare(const char *base, const char *candidate,
                            ArrayRef<int64_t> table) const {
  if (!memcmp(base, candidate, kArenaBytes))
    return "";
  auto isAnyNaN = [](Kind kind, uint64_t bits) {
    switch (kind) {
    case Kind::F16:
      return isNaN(bits, 5, 10);
    case Kind::BF16:
      return isNaN(bits, 8, 7);
    case Kind::F32:
      return isNaN(bits, 8, 23);
    case Kind::F64:
      return isNaN(bits, 11, 52);
    default:
      return false;
    }
  };
  auto bitsAt = [](const char *arena, int64_t at, const View &view) {
    uint64_t bits = 0;
    memcpy(&bits, arena + at, view.bytes);
    return bits;
  };
  // Bytes that differ although nothing is wrong.
  std::vector<bool> excused(kArenaBytes);
  for (const View &view : views)
    for (int64_t cell = 0; cell < view.cells; ++cell) {
      int64_t at = table[view.place] + cell * view.bytes;
      uint64_t x = bitsAt(base, at, view), y = bitsAt(candidate, at, view);
      if (x != y && isAnyNaN(view.kind, x) && isAnyNaN(view.kind, y))
        std::fill_n(excused.begin() + at, view.bytes, true);
    }
  for (int64_t at = 0; at < kArenaBytes; ++at) {
    if (base[at] == candidate[at] || excused[at])
      continue;
    std::string where;
    for (const View &view : views)
      if (at >= table[view.place] &&
          at < table[view.place] + view.cells * view.bytes) {
        int64_t cell = (at - table[view.place]) / view.bytes;
        int64_t from = table[view.place] + cell * view.bytes;
        where += ", argument " + std::to_string(view.place) + ", number " +
                 std::to_string(cell) + " (0x" +
                 llvm::utohexstr(bitsAt(base, from, view)) + " became 0x" +
                 llvm::utohexstr(bitsAt(candidate, from, view)) + ")";
      }
    return "byte " + std::to_string(at) + " of the arena differs" +
           (where.empty() ? ", outside all buffers" : where);
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Calling
//===----------------------------------------------------------------------===//

Error fuzz::openMain(ModuleOp module) {
  auto main = module.lookupSymbol<func::FuncOp>(kMainName);
  auto calls = llvm::to_vector(main.getOps<func::CallOp>());
  llvm::erase_if(
      calls, [](func::CallOp call) { return call.getCallee() != kKernelName; });
  if (calls.size() != 1 || main.getNumArguments() != 2)
    return LayoutReader::fail("@main does not call @kernel once");
  func::CallOp call = calls.front();
  auto kernel = module.lookupSymbol<func::FuncOp>(kKernelName);
  if (failed(
          main.insertArgument(2, kernel.getFunctionType(), {}, main.getLoc())))
    return LayoutReader::fail("@main cannot take another argument");
  OpBuilder builder(call);
  auto indirect = func::CallIndirectOp::create(
      builder, call.getLoc(), main.getArgument(2), call.getOperands());
  call.replaceAllUsesWith(indirect.getResults());
  call.erase();
  return Error::success();
}

void fuzz::callMain(void *main, char *arena, MutableArrayRef<int64_t> table,
                    void *kernel) {
  // A memref argument is: allocated and aligned pointer, offset, size, stride.
  using Main = void (*)(void *, void *, int64_t, int64_t, int64_t, void *,
                        void *, int64_t, int64_t, int64_t, void *);
  reinterpret_cast<Main>(main)(arena, arena, 0, kArenaBytes, 1, table.data(),
                               table.data(), 0, int64_t(table.size()), 1,
                               kernel);
}
