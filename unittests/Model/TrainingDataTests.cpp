//===- TrainingDataTests.cpp - The feature cache and the split ------------===//
#include "Synthetic.h"
#include "TestFiles.h"
#include "nestor/Model/InputView.h"
#include "llvm/Support/xxhash.h"
#include <cmath>

using namespace mlir::nestor;

static void expectEqual(const CandidateFeatures &a,
                        const CandidateFeatures &b) {
  ASSERT_EQ(a.statements.size(), b.statements.size());
  for (size_t i = 0; i < a.statements.size(); ++i) {
    const StatementFeatures &x = a.statements[i], &y = b.statements[i];
    EXPECT_EQ(x.flags, y.flags);
    EXPECT_EQ(x.domain, y.domain);
    EXPECT_EQ(x.loops.data, y.loops.data);
    EXPECT_EQ(x.accesses.data, y.accesses.data);
    EXPECT_EQ(x.accesses.width, y.accesses.width);
    EXPECT_EQ(x.tokens.data, y.tokens.data);
    EXPECT_EQ(x.programKey, y.programKey);
    EXPECT_EQ(x.parent, y.parent);
    EXPECT_EQ(x.order, y.order);
  }
  ASSERT_EQ(a.loops.size(), b.loops.size());
  for (size_t i = 0; i < a.loops.size(); ++i) {
    EXPECT_EQ(a.loops[i].loop, b.loops[i].loop);
    EXPECT_EQ(a.loops[i].parent, b.loops[i].parent);
    EXPECT_EQ(a.loops[i].order, b.loops[i].order);
  }
}

TEST(FeatureCache, GivesBackWhatWasWritten) {
  TestFolder folder;
  std::string path = folder / "x.nestor-features";
  ASSERT_EQ(getMessage(writeSynthetic(path, 5, 4, true)), "");
  auto data = readFeatureCache(path);
  ASSERT_TRUE(bool(data));
  EXPECT_EQ(data->header.targetName, "synthetic");
  EXPECT_EQ(data->header.target, makeSyntheticHeader().target);
  EXPECT_EQ(data->header.provenance["generator"], "synthetic");
  ASSERT_EQ(data->programs.size(), 5u);
  for (unsigned p = 0; p < 5; ++p) {
    TrainingProgram program = makeSyntheticProgram(p, 4, true);
    EXPECT_EQ(data->programs[p].id, program.id);
    ASSERT_EQ(data->programs[p].samples.size(), 4u);
    for (unsigned s = 0; s < 4; ++s) {
      const TrainingSample &read = data->programs[p].samples[s];
      expectEqual(read.input.features, program.samples[s].input.features);
      EXPECT_EQ(read.input.analytical, program.samples[s].input.analytical);
      EXPECT_EQ(read.logSpeedup, program.samples[s].logSpeedup);
      EXPECT_EQ(read.spread, program.samples[s].spread);
    }
  }
}

TEST(FeatureCache, HoldsUnlabelledPrograms) {
  TestFolder folder;
  std::string path = folder / "x.nestor-features";
  ASSERT_EQ(getMessage(writeSynthetic(path, 1, 2, false)), "");
  auto data = readFeatureCache(path);
  ASSERT_TRUE(bool(data));
  EXPECT_TRUE(std::isnan(data->programs[0].samples[1].logSpeedup));
}

TEST(FeatureCache, HasAHashOfItsPrograms) {
  TestFolder folder;
  auto getHash = [&](unsigned programs, unsigned seed) {
    std::string path = folder / "x.nestor-features";
    EXPECT_EQ(getMessage(writeSynthetic(path, programs, 2, true, seed)), "");
    return llvm::cantFail(readFeatureCache(path)).hash;
  };
  EXPECT_EQ(getHash(3, 1), getHash(3, 1));
  EXPECT_NE(getHash(3, 1), getHash(2, 1));
  EXPECT_NE(getHash(3, 1), getHash(3, 2));
}

TEST(FeatureCache, AppearsOnlyWhenFinished) {
  TestFolder folder;
  std::string path = folder / "x.nestor-features";
  {
    auto writer = FeatureCacheWriter::create(path, makeSyntheticHeader());
    ASSERT_TRUE(bool(writer));
    EXPECT_EQ(getMessage((*writer)->append(makeSyntheticProgram(0, 2, true))),
              "");
  }
  EXPECT_CONTAINS(getMessage(readFeatureCache(path)), "cannot read");
}

TEST(FeatureCache, RefusesEveryTruncation) {
  TestFolder folder;
  std::string path = folder / "x.nestor-features";
  ASSERT_EQ(getMessage(writeSynthetic(path, 2, 2, true)), "");
  std::string bytes = readBytes(path);
  for (size_t size = 0; size < bytes.size();
       size += size < 64 || size + 64 > bytes.size() ? 1 : 97) {
    writeBytes(path, bytes.substr(0, size));
    std::string message = getMessage(readFeatureCache(path));
    EXPECT_CONTAINS(message, path);
    EXPECT_CONTAINS(message, size < 8 ? "is not a feature cache: make one with "
                                        "'nestor-data features'"
                                      : "is truncated: make it anew");
  }
}

TEST(FeatureCache, RefusesEveryDamagedByte) {
  TestFolder folder;
  std::string path = folder / "x.nestor-features";
  ASSERT_EQ(getMessage(writeSynthetic(path, 2, 2, true)), "");
  std::string bytes = readBytes(path);
  for (size_t i = 0; i < bytes.size(); i += 53) {
    std::string damaged = bytes;
    damaged[i] ^= 0x20;
    writeBytes(path, damaged);
    EXPECT_CONTAINS(getMessage(readFeatureCache(path)), path);
  }
  writeBytes(path, bytes + "x");
  EXPECT_CONTAINS(getMessage(readFeatureCache(path)),
                  "is damaged: make it anew");
}

//===----------------------------------------------------------------------===//
// Files whose checksums are right and whose content is not
//===----------------------------------------------------------------------===//

template <typename T> static std::string toBytes(T value) {
  return std::string(reinterpret_cast<char *>(&value), sizeof(T));
}
static std::string hashed(const std::string &text) {
  return text + toBytes(uint64_t(llvm::xxh3_64bits(llvm::StringRef(text))));
}
static uint64_t readNumber(const std::string &bytes, size_t at) {
  uint64_t value;
  memcpy(&value, bytes.data() + at, sizeof(value));
  return value;
}

/// Magic and version, then the size of the header.
static constexpr size_t kHeaderSizeAt = 8 + 4, kHeaderAt = kHeaderSizeAt + 8;

TEST(FeatureCache, RefusesHeadersOfAnotherContent) {
  TestFolder folder;
  std::string path = folder / "x.nestor-features";
  ASSERT_EQ(getMessage(writeSynthetic(path, 1, 1, true)), "");
  std::string bytes = readBytes(path);
  size_t size = readNumber(bytes, kHeaderSizeAt);
  std::string header = bytes.substr(kHeaderAt, size);
  auto readWith = [&](const std::string &text) {
    writeBytes(path, bytes.substr(0, kHeaderSizeAt) +
                         toBytes(uint64_t(text.size())) + hashed(text) +
                         bytes.substr(kHeaderAt + size + 8));
    return getMessage(readFeatureCache(path));
  };
  EXPECT_EQ(readWith(header), "");
  EXPECT_EQ(readWith("[]"),
            "'" + path +
                "' has a header that is no JSON object: make it anew "
                "with 'nestor-data features'");
  EXPECT_CONTAINS(
      readWith(replaceOnce(
          header, "\"feature_version\":" + std::to_string(kFeatureVersion),
          "\"feature_version\":9")),
      "has feature version 9, this Nestor has " +
          std::to_string(kFeatureVersion) +
          ": make it anew with 'nestor-data features'");
  std::string width = std::to_string(kFlagDim), wrong(width.size(), '7');
  EXPECT_CONTAINS(
      readWith(replaceOnce(header, "\"flags\":" + width, "\"flags\":" + wrong)),
      "has flags rows of " + wrong + " numbers, this Nestor has " + width +
          ": make it anew with 'nestor-data features'");
  EXPECT_CONTAINS(
      readWith(replaceOnce(header, "\"target\":[", "\"tarGet\":[")),
      "has target features of a wrong length: make it anew with 'nestor-data "
      "features'");
}

TEST(FeatureCache, RefusesProgramsThatNoModelCanRead) {
  TestFolder folder;
  std::string path = folder / "x.nestor-features";
  ASSERT_EQ(getMessage(writeSynthetic(path, 1, 1, true)), "");
  std::string bytes = readBytes(path);
  size_t sizeAt = kHeaderAt + readNumber(bytes, kHeaderSizeAt) + 8;
  size_t size = readNumber(bytes, sizeAt), at = sizeAt + 8;
  // The numbers of the last table stand at the end of the payload.
  bool refused = false;
  for (size_t i = size; i >= 4 && !refused; i -= 4) {
    std::string payload = bytes.substr(at, size);
    payload.replace(i - 4, 4, toBytes(std::numeric_limits<float>::quiet_NaN()));
    writeBytes(path, bytes.substr(0, at) + hashed(payload) +
                         bytes.substr(at + size + 8));
    std::string message = getMessage(readFeatureCache(path));
    EXPECT_NE(message, "") << i;
    refused = llvm::StringRef(message).contains("is damaged: program '");
  }
  EXPECT_TRUE(refused);
}

TEST(FeatureCache, RefusesOtherFormatVersions) {
  TestFolder folder;
  std::string path = folder / "x.nestor-features";
  ASSERT_EQ(getMessage(writeSynthetic(path, 1, 1, true)), "");
  std::string bytes = readBytes(path);
  bytes[8] = 99;
  writeBytes(path, bytes);
  EXPECT_CONTAINS(
      getMessage(readFeatureCache(path)),
      "has format version 99, this Nestor reads 2: make it anew with "
      "'nestor-data features'");
}

TEST(FeatureCache, RefusesLabelsWithoutTheProgramAsWritten) {
  TestFolder folder;
  auto writer = FeatureCacheWriter::create(folder / "x.nestor-features",
                                           makeSyntheticHeader());
  ASSERT_TRUE(bool(writer));
  TrainingProgram program = makeSyntheticProgram(0, 3, true);
  std::swap(program.samples[0], program.samples[1]);
  EXPECT_CONTAINS(
      getMessage((*writer)->append(program)),
      "the first sample must be the program as written, labelled 0");
}

TEST(FeatureCache, RefusesSamplesThatNoModelCanRead) {
  TestFolder folder;
  auto append = [&](auto change) {
    TrainingProgram program = makeSyntheticProgram(0, 1, true);
    change(program.samples[0]);
    auto writer = llvm::cantFail(
        FeatureCacheWriter::create(folder / "x", makeSyntheticHeader()));
    return getMessage(writer->append(program));
  };
  auto features = [](TrainingSample &sample) -> CandidateFeatures & {
    return sample.input.features;
  };
  EXPECT_EQ(append([](TrainingSample &) {}), "");
  EXPECT_CONTAINS(append([&](TrainingSample &s) {
                    features(s).statements[0].flags.pop_back();
                  }),
                  "; extract the features anew with this version of Nestor");
  EXPECT_CONTAINS(
      append([&](TrainingSample &s) { features(s).statements[0].flags = {1}; }),
      "flags row has 1 numbers, not ");
  EXPECT_CONTAINS(append([&](TrainingSample &s) {
                    features(s).statements[0].accesses.width = 3;
                  }),
                  "access rows are 3 numbers wide, not ");
  EXPECT_CONTAINS(append([&](TrainingSample &s) {
                    features(s).statements[0].domain[0] = NAN;
                  }),
                  "domain row holds a number that is not finite");
  EXPECT_CONTAINS(
      append([&](TrainingSample &s) { features(s).loops[0].parent = 0; }),
      "loop does not come after its parent");
  EXPECT_CONTAINS(
      append([&](TrainingSample &s) { features(s).statements[0].parent = 99; }),
      "statement hangs on a loop that does not exist");
  EXPECT_CONTAINS(
      append([&](TrainingSample &s) { features(s).statements.clear(); }),
      "candidate has no statement");
  EXPECT_CONTAINS(append([](TrainingSample &s) { s.logSpeedup = INFINITY; }),
                  "': a label is not finite; leave the sample out");
}

TEST(FeatureCache, SaysWhyItCannotBeWritten) {
  EXPECT_CONTAINS(getMessage(FeatureCacheWriter::create("/no/such/folder/x",
                                                        makeSyntheticHeader())),
                  "cannot write '/no/such/folder/x'");
}

TEST(Split, HasItsSharesAndFollowsFromTheId) {
  unsigned counts[3] = {};
  for (unsigned i = 0; i < 10000; ++i)
    ++counts[int(getSplit("program-" + std::to_string(i)))];
  EXPECT_NEAR(counts[0], 7000, 200);
  EXPECT_NEAR(counts[1], 1000, 150);
  EXPECT_NEAR(counts[2], 2000, 200);
  // Fixed for ever: datasets and weights rely on it.
  EXPECT_EQ(getSplit("gemm"), getSplit("gemm#large"));
  EXPECT_EQ(getSplit("gemm#small"), getSplit("gemm#large"));
}
