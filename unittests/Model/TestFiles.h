//===- TestFiles.h - Temporary files of a test ------------------*- C++ -*-===//
#ifndef NESTOR_UNITTESTS_MODEL_TESTFILES_H
#define NESTOR_UNITTESTS_MODEL_TESTFILES_H

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"
#include <fstream>
#include <iterator>
#include <string>

namespace mlir::nestor {

/// A folder that goes away with its content.
class TestFolder {
public:
  TestFolder() {
    EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("nestor-test", folder));
  }
  ~TestFolder() { llvm::sys::fs::remove_directories(folder); }
  std::string operator/(const std::string &name) const {
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, name);
    return path.str().str();
  }

private:
  llvm::SmallString<128> folder;
};

inline std::string readBytes(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file),
          std::istreambuf_iterator<char>()};
}

inline void writeBytes(const std::string &path, const std::string &bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

/// The message of an error; empty on success.
template <typename T> std::string getMessage(llvm::Expected<T> value) {
  return value ? "" : llvm::toString(value.takeError());
}
inline std::string getMessage(llvm::Error error) {
  return error ? llvm::toString(std::move(error)) : "";
}

/// Replaces the first `from`, which must exist, by `to` of the same length.
inline std::string replaceOnce(std::string text, const std::string &from,
                               const std::string &to) {
  EXPECT_EQ(from.size(), to.size());
  size_t place = text.find(from);
  EXPECT_NE(place, std::string::npos) << from;
  if (place != std::string::npos)
    text.replace(place, from.size(), to);
  return text;
}

} // namespace mlir::nestor

#define EXPECT_CONTAINS(text, part)                                            \
  EXPECT_NE((text).find(part), std::string::npos) << (text)

#endif // NESTOR_UNITTESTS_MODEL_TESTFILES_H
