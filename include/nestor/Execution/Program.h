//===- Program.h - A program compiled in this process -----------*- C++ -*-===//
//
// Execution room, second step: MLIR text becomes machine code for this machine.
// Only the measuring helper compiles and runs programs; everybody else asks it
// through Measure.h, so that a bad candidate cannot take its caller down.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_EXECUTION_PROGRAM_H
#define NESTOR_EXECUTION_PROGRAM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mlir {
class ExecutionEngine;

namespace nestor {

enum class ElementKind { F16, BF16, F32, F64, I1, I8, I16, I32, I64, Index };

unsigned getByteSize(ElementKind kind);
bool isFloat(ElementKind kind);

/// One argument of the measured function: a scalar, or a memref of static shape
/// and identity layout.
struct Argument {
  ElementKind kind = ElementKind::F32;
  bool isBuffer = false;
  llvm::SmallVector<int64_t> shape;
  std::string init;            ///< nestor.init, empty without one
  std::optional<double> value; ///< nestor.value

  int64_t getNumElements() const;
  int64_t getNumBytes() const { return getNumElements() * getByteSize(kind); }
  /// As in MLIR, for messages.
  std::string getTypeName() const;
};

struct Signature {
  std::vector<Argument> arguments;
  std::vector<ElementKind> results; ///< scalars only
};

/// Fails with a message that says where two signatures differ in type.
llvm::Error checkSameTypes(const Signature &base, const Signature &candidate);

/// The values that one call reads and writes, in the engine's calling
/// convention (a list of pointers to the parts of each descriptor).
class CallFrame {
public:
  CallFrame(const Signature &signature, llvm::ArrayRef<void *> buffers,
            llvm::ArrayRef<uint64_t> scalars);
  CallFrame(const CallFrame &) = delete;
  CallFrame &operator=(const CallFrame &) = delete;

  void **getPointers() { return pointers.data(); }
  /// The bits of result `index` after a call.
  uint64_t getResult(unsigned index) const;

private:
  std::vector<uint64_t> slots;
  std::vector<void *> pointers;
  std::vector<char> results;
  void *resultsPointer = nullptr;
  std::vector<std::pair<unsigned, unsigned>> resultPlaces; ///< offset, size
};

class Program {
public:
  /// Lowers and compiles `text`; `name` is what messages call it. `entry` is
  /// the function to run; empty: the only public one, or @kernel.
  static llvm::Expected<std::unique_ptr<Program>>
  compile(llvm::StringRef text, llvm::StringRef name, llvm::StringRef entry);
  static llvm::Expected<std::unique_ptr<Program>>
  compileFile(llvm::StringRef path, llvm::StringRef entry);
  ~Program();

  const Signature &getSignature() const { return signature; }
  /// Of the LLVM IR before optimization, with names stripped; equal on every
  /// machine.
  llvm::StringRef getHash() const { return hash; }
  void run(CallFrame &frame) const { function(frame.getPointers()); }

private:
  Program() = default;

  Signature signature;
  std::string hash;
  std::unique_ptr<ExecutionEngine> engine;
  void (*function)(void **) = nullptr;
};

/// "22.1.8"
std::string getCompilerVersion();

} // namespace nestor
} // namespace mlir

#endif // NESTOR_EXECUTION_PROGRAM_H
