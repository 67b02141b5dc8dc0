//===- Harness.h - Compiling and running fuzzed programs --------*- C++ -*-===//
//
// Fuzz room, where a program and its schedules become machine code in this
// process and run on the same memory. Made for many small programs: one
// compiler and one arena a process, one module for a program and all of its
// schedules.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_FUZZ_HARNESS_H
#define NESTOR_FUZZ_HARNESS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>
#include <vector>

namespace mlir {
class DialectRegistry;
}

namespace mlir::nestor::fuzz {

/// Compiles modules and keeps the code of the last one.
class Jit {
public:
  static llvm::Expected<std::unique_ptr<Jit>> create();
  ~Jit();

  /// Lowers `module` (which is dead afterwards) and makes machine code of it,
  /// hardly optimized unless `optimize`.
  llvm::Error compile(ModuleOp module, bool optimize);
  /// The address of a function of the compiled module.
  llvm::Expected<void *> lookup(llvm::StringRef name);

private:
  Jit();
  struct Impl;
  std::unique_ptr<Impl> impl;
};

/// Bytes that programs read and write, between two stretches that nobody may
/// touch.
class Arena {
public:
  static llvm::Expected<std::unique_ptr<Arena>> create();
  ~Arena();
  char *getData() { return data; }

private:
  Arena() = default;
  char *mapping = nullptr, *data = nullptr;
};

/// Where the arguments of @main's call lie in the arena, and the type of what
/// is there; read off @main itself, so that a file needs nothing else.
class Layout {
public:
  /// Fails on a module whose @main is not of the form that the generator makes.
  static llvm::Expected<Layout> read(ModuleOp module);

  const std::vector<std::vector<int64_t>> &getTables() const { return tables; }
  /// Gives the arena its first contents.
  void fill(char *arena, llvm::ArrayRef<int64_t> table, uint64_t seed) const;
  /// Empty if equal but for the payload of NaNs; else the first difference.
  std::string compare(const char *base, const char *candidate,
                      llvm::ArrayRef<int64_t> table) const;

private:
  enum class Kind { F16, BF16, F32, F64, Bit, Integer, Index };
  struct View {
    unsigned place; ///< in the table
    Kind kind;
    int64_t cells, bytes; ///< bytes of a cell
  };
  friend struct LayoutReader;
  std::vector<View> views;
  std::vector<std::vector<int64_t>> tables;
};

/// Makes @main take the kernel as a third argument, so that one @main serves
/// all of its schedules.
llvm::Error openMain(ModuleOp module);

/// Calls a compiled @main after openMain.
void callMain(void *main, char *arena, llvm::MutableArrayRef<int64_t> table,
              void *kernel);

/// Dialects, and what lowering and translation need.
void registerHarnessDialects(DialectRegistry &registry);

} // namespace mlir::nestor::fuzz

#endif // NESTOR_FUZZ_HARNESS_H
