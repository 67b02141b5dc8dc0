//===- TestStore.h - Files and records for the Corpus tests -----*- C++ -*-===//
#ifndef NESTOR_UNITTESTS_CORPUS_TESTSTORE_H
#define NESTOR_UNITTESTS_CORPUS_TESTSTORE_H

#include "../IslLimit.h"
#include "nestor/Corpus/Store.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

namespace mlir::nestor {

/// A folder that goes with the test.
class TestFolder {
public:
  TestFolder() {
    EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("nestor-corpus", path));
  }
  ~TestFolder() { (void)llvm::sys::fs::remove_directories(path); }
  std::string operator/(llvm::StringRef name) const {
    llvm::SmallString<128> file(path);
    llvm::sys::path::append(file, name);
    return std::string(file);
  }
  unsigned countFiles() const {
    std::error_code code;
    unsigned count = 0;
    for (llvm::sys::fs::directory_iterator it(path, code), end;
         it != end && !code; it.increment(code))
      ++count;
    return count;
  }

private:
  llvm::SmallString<128> path;
};

inline std::string readFile(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : "";
}

inline void writeFile(const std::string &path, llvm::StringRef data) {
  std::error_code code;
  llvm::raw_fd_ostream(path, code) << data;
  ASSERT_FALSE(code);
}

/// The message of an error, empty for success.
inline std::string message(llvm::Error error) {
  return llvm::toString(std::move(error));
}
template <typename T> std::string message(llvm::Expected<T> value) {
  return value ? "" : llvm::toString(value.takeError());
}

inline std::unique_ptr<Store> openNew(const std::string &path) {
  auto store = Store::open(path, Store::Mode::Create);
  if (!store) {
    ADD_FAILURE() << llvm::toString(store.takeError());
    return nullptr;
  }
  return std::move(*store);
}

inline ProgramRecord makeProgram(const std::string &text, uint64_t seed = 7) {
  return {hashText(text), text, seed, "train"};
}

inline LabelRecord makeLabel(const ProgramRecord &program,
                             const std::string &schedule, double logRatio) {
  LabelRecord label;
  label.program = program.id;
  label.target = "machine";
  label.schedule = schedule;
  label.candidateHash = "c0ffee";
  label.baseHash = "ba5e";
  label.logRatio = logRatio;
  label.spread = 0.015625;
  label.pairs = 15;
  label.baseSeconds = 0.1;
  label.status = "ok";
  label.compiler = "22.1.8";
  return label;
}

/// Two programs, one target, three labels; text with quotes and line breaks.
inline void fill(Store &store) {
  ProgramRecord a = makeProgram("a \"quoted\" text\n"),
                b = makeProgram("b", ~0ull);
  EXPECT_EQ(message(store.addProgram(a)), "");
  EXPECT_EQ(message(store.addProgram(b)), "");
  EXPECT_EQ(message(store.addTarget({"machine", "{\"name\":\"machine\"}"})),
            "");
  EXPECT_EQ(message(store.addLabel(makeLabel(a, "s1", 0.1))), "");
  EXPECT_EQ(message(store.addLabel(makeLabel(a, "s2", -1.0 / 3))), "");
  EXPECT_EQ(message(store.addLabel(makeLabel(b, "s1", 2.5))), "");
}

} // namespace mlir::nestor

#endif // NESTOR_UNITTESTS_CORPUS_TESTSTORE_H
