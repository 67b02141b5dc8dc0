//===- Runtime.cpp - What generated code calls ----------------------------===//
//
// Execution room; see Runtime.h.
//
//===----------------------------------------------------------------------===//
#include "nestor/Execution/Runtime.h"

#include "llvm/IR/Module.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/Path.h"

#include <dlfcn.h>

using namespace mlir::nestor;
using llvm::ArrayRef;
using llvm::Error;
using llvm::SmallString;
using llvm::StringRef;

/// Opens a library of LLVM's by its plain name, or else beside libLLVM itself.
static Error loadRuntime(ArrayRef<StringRef> names) {
  SmallString<128> folder;
  Dl_info info;
  void *ofLLVM = reinterpret_cast<void *>(
      &llvm::sys::DynamicLibrary::LoadLibraryPermanently);
  if (dladdr(ofLLVM, &info) && info.dli_fname)
    folder = llvm::sys::path::parent_path(info.dli_fname);
  for (StringRef name : names) {
    SmallString<128> beside = folder;
    llvm::sys::path::append(beside, name);
    if (!llvm::sys::DynamicLibrary::LoadLibraryPermanently(beside.c_str()) ||
        !llvm::sys::DynamicLibrary::LoadLibraryPermanently(name.str().c_str()))
      return Error::success();
  }
  return llvm::createStringError(
      "cannot load '" + names.front() +
      "', which the program needs: install it with LLVM");
}

Error mlir::nestor::loadRuntimes(const llvm::Module &module) {
  bool openmp = false, memref = false;
  for (const llvm::Function &function : module) {
    if (!function.isDeclaration())
      continue;
    openmp |= function.getName().starts_with("__kmpc_");
    memref |= function.getName() == "memrefCopy";
  }
  if (openmp)
    if (Error error = loadRuntime({"libomp.so.5", "libomp.so"}))
      return error;
  if (memref)
    if (Error error = loadRuntime(
            {"libmlir_c_runner_utils.so.22.1", "libmlir_c_runner_utils.so"}))
      return error;
  return Error::success();
}

/// A bf16 comes in the low half of an SSE register, as a float does.
static float roundToBF16(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof(bits));
  bool isNaN = value != value;
  bits =
      isNaN ? (bits >> 16) | 0x40 : (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
  memcpy(&value, &bits, sizeof(bits));
  return value;
}
static float roundDoubleToBF16(double value) {
  // Round to odd first, so that two roundings give the right result.
  float near = float(value);
  uint32_t bits;
  memcpy(&bits, &near, sizeof(bits));
  if (double(near) != value && value == value && !(bits & 1))
    bits = (double(near) > value) == (value > 0) ? bits - 1 : bits + 1;
  memcpy(&near, &bits, sizeof(bits));
  return roundToBF16(near);
}

llvm::orc::SymbolMap
mlir::nestor::getRuntimeHelpers(llvm::orc::MangleAndInterner mangle) {
  llvm::orc::SymbolMap map;
  auto add = [&](StringRef name, auto *function) {
    map[mangle(name)] = {llvm::orc::ExecutorAddr::fromPtr(function),
                         llvm::JITSymbolFlags::Exported};
  };
  add("__truncsfbf2", &roundToBF16);
  add("__truncdfbf2", &roundDoubleToBF16);
  return map;
}
