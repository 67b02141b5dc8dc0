//===- WeightsFileTests.cpp - The container of weights --------------------===//
#include "TestFiles.h"
#include "nestor/Features/Features.h"
#include "nestor/Model/WeightsFile.h"

using namespace mlir::nestor;

static WeightsFile makeWeights() {
  WeightsFile weights;
  weights.kind = "encoder";
  weights.config = R"({"hidden":8})";
  weights.trainedOn = R"({"programs":3})";
  weights.tensors = {{"a", {2, 3}, {1, 2, 3, 4, 5, 6}},
                     {"scalar", {}, {7}},
                     {"empty", {0, 4}, {}}};
  return weights;
}

/// The message for a file of these bytes; empty if it is read.
static std::string read(const std::string &bytes,
                        const std::string &kind = "encoder") {
  TestFolder folder;
  std::string path = folder / "x.nestor-weights", error;
  writeBytes(path, bytes);
  WeightsFile weights;
  if (readWeights(path, kind, weights, error))
    return "";
  EXPECT_CONTAINS(error, path);
  return error;
}

static std::string makeBytes() {
  TestFolder folder;
  std::string path = folder / "x.nestor-weights", error;
  EXPECT_TRUE(writeWeights(path, makeWeights(), error)) << error;
  return readBytes(path);
}

/// Corrects the checksum after a change.
static std::string seal(std::string bytes) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (size_t i = 0; i + 8 < bytes.size(); ++i)
    hash = (hash ^ uint8_t(bytes[i])) * 0x100000001b3u;
  bytes.replace(bytes.size() - 8, 8, reinterpret_cast<char *>(&hash), 8);
  return bytes;
}

TEST(WeightsFile, GivesBackWhatWasWritten) {
  TestFolder folder;
  std::string path = folder / "x.nestor-weights", error;
  ASSERT_TRUE(writeWeights(path, makeWeights(), error)) << error;
  WeightsFile weights;
  ASSERT_TRUE(readWeights(path, "encoder", weights, error)) << error;
  EXPECT_EQ(weights.config, R"({"hidden":8})");
  EXPECT_EQ(weights.trainedOn, R"({"programs":3})");
  EXPECT_EQ(weights.metrics, "{}");
  ASSERT_EQ(weights.tensors.size(), 3u);
  EXPECT_EQ(weights.find("a")->shape, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(weights.find("a")->data, (std::vector<float>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(weights.find("scalar")->data, std::vector<float>{7});
  EXPECT_EQ(weights.find("nothing"), nullptr);
}

TEST(WeightsFile, LeavesNoTemporaryFile) {
  TestFolder folder;
  std::string error;
  ASSERT_TRUE(writeWeights(folder / "x", makeWeights(), error)) << error;
  std::error_code code;
  unsigned files = 0;
  for (llvm::sys::fs::directory_iterator it(folder / "", code), end;
       it != end && !code; it.increment(code))
    ++files;
  EXPECT_EQ(files, 1u);
}

TEST(WeightsFile, IsRefusedAtEveryTruncation) {
  std::string bytes = makeBytes();
  for (size_t size = 0; size < bytes.size(); ++size) {
    std::string message = read(bytes.substr(0, size));
    if (size < 8)
      EXPECT_CONTAINS(message, "is not a weights file");
    else
      EXPECT_CONTAINS(message, "is truncated: fetch or train it anew");
  }
}

TEST(WeightsFile, IsRefusedWithAnyDamagedByte) {
  std::string bytes = makeBytes();
  for (size_t i = 0; i < bytes.size(); ++i) {
    std::string damaged = bytes;
    damaged[i] ^= 1;
    EXPECT_NE(read(damaged), "") << "byte " << i;
  }
}

TEST(WeightsFile, IsRefusedWithTrailingGarbage) {
  EXPECT_CONTAINS(read(makeBytes() + "garbage!"),
                  "has 8 bytes too many: fetch or train it anew");
}

TEST(WeightsFile, IsRefusedInAnotherFormatVersion) {
  std::string bytes = makeBytes();
  bytes[8] = 42;
  EXPECT_CONTAINS(
      read(seal(bytes)),
      "has format version 42, this Nestor reads 1: train it anew with "
      "'nestor-train'");
}

TEST(WeightsFile, IsRefusedForAnotherFeatureVersion) {
  static_assert(kFeatureVersion < 9, "choose another wrong version");
  std::string bytes = replaceOnce(
      makeBytes(), "\"feature_version\":" + std::to_string(kFeatureVersion),
      "\"feature_version\":9");
  EXPECT_CONTAINS(read(seal(bytes)), "was trained on feature version 9");
}

TEST(WeightsFile, IsRefusedForOtherRowWidths) {
  std::string width = std::to_string(kTargetDim);
  std::string wrong(width.size(), '7');
  std::string bytes =
      replaceOnce(makeBytes(), "\"target\":" + width, "\"target\":" + wrong);
  EXPECT_CONTAINS(read(seal(bytes)), "was trained on target rows of " + wrong +
                                         " numbers, this Nestor has " + width);
}

TEST(WeightsFile, IsRefusedWhereAnotherKindIsNeeded) {
  EXPECT_CONTAINS(read(makeBytes(), "cost-model"),
                  "holds a model of kind 'encoder', not 'cost-model': give a "
                  "file of that kind");
}

TEST(WeightsFile, IsRefusedWithImpossibleShapes) {
  // Larger than the file, and negative.
  EXPECT_CONTAINS(read(seal(replaceOnce(makeBytes(), "[2,3]", "[9,9]"))),
                  "is truncated");
  EXPECT_CONTAINS(read(seal(replaceOnce(makeBytes(), "[2,3]", "[-3 ]"))),
                  "is damaged (shape of 'a'): fetch or train it anew");
}

TEST(WeightsFile, IsRefusedWithoutAHeaderOfItsKind) {
  EXPECT_CONTAINS(
      read(seal(replaceOnce(makeBytes(), "{\"kind\"", "[\"kind\""))),
      "is damaged (its header is no JSON object): fetch or train it anew");
  EXPECT_CONTAINS(read(seal(replaceOnce(makeBytes(), "\"kind\"", "\"sort\""))),
                  "is damaged ([json.exception.out_of_range.403]");
}

TEST(WeightsFile, IsRefusedWithNumbersThatAreNone) {
  std::string bytes = makeBytes(), nan("\0\0\xc0\x7f", 4);
  float last = 7;
  std::string from(reinterpret_cast<char *>(&last), 4);
  EXPECT_CONTAINS(read(seal(replaceOnce(bytes, from, nan))),
                  "is damaged ('scalar' holds a number that is not finite): "
                  "fetch or train it anew");
}

TEST(WeightsFile, IsRefusedWithAWrongChecksum) {
  std::string bytes = makeBytes();
  bytes.back() ^= 1;
  EXPECT_CONTAINS(read(bytes),
                  "is damaged (its checksum is wrong): fetch or train it anew");
}

TEST(WeightsFile, SaysWhyItCannotBeReadOrWritten) {
  std::string error;
  WeightsFile weights;
  EXPECT_FALSE(readWeights("/no/such/file", "encoder", weights, error));
  EXPECT_CONTAINS(error, "'/no/such/file' cannot be read");
  EXPECT_FALSE(writeWeights("/no/such/folder/x", makeWeights(), error));
  EXPECT_CONTAINS(error, "cannot write '/no/such/folder/x'");
}

TEST(WeightsFile, DescribesItselfEvenForOtherFeatures) {
  TestFolder folder;
  std::string path = folder / "x", text, error;
  std::string own = "\"feature_version\":" + std::to_string(kFeatureVersion);
  writeBytes(path,
             seal(replaceOnce(makeBytes(), own, "\"feature_version\":9")));
  ASSERT_TRUE(describeWeights(path, text, error)) << error;
  EXPECT_CONTAINS(text, "\"feature_version\": 9");
  EXPECT_CONTAINS(text, "\"a\": \"[2,3]\"");
  EXPECT_CONTAINS(text, "\"parameters\": 7");
}
