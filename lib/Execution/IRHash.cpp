//===- IRHash.cpp - Identity of generated code ----------------------------===//
//
// Execution room: hashes the text of a copy whose names are gone.
//
//===----------------------------------------------------------------------===//
#include "IRHash.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/xxhash.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

static void stripNames(Function &function) {
  for (Argument &argument : function.args())
    argument.setName("");
  for (BasicBlock &block : function)
    block.setName("");
  for (Instruction &instruction : instructions(function))
    instruction.setName("");
}

std::string mlir::nestor::hashModule(const Module &module) {
  std::unique_ptr<Module> copy = CloneModule(module);
  copy->setModuleIdentifier("");
  copy->setSourceFileName("");
  StripDebugInfo(*copy);
  // Names of declarations stay: they say which function of libm it is.
  unsigned count = 0;
  for (Function &function : *copy) {
    stripNames(function);
    if (!function.isDeclaration())
      function.setName("f" + Twine(count++));
  }
  for (GlobalVariable &global : copy->globals())
    if (!global.isDeclaration())
      global.setName("g" + Twine(count++));

  std::string text;
  raw_string_ostream stream(text);
  copy->print(stream, nullptr);
  XXH128_hash_t hash = xxh3_128bits(arrayRefFromStringRef(text));
  return utohexstr(hash.high64, /*LowerCase=*/true, 16) +
         utohexstr(hash.low64, /*LowerCase=*/true, 16);
}
