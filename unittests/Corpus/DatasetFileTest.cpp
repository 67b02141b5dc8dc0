//===- DatasetFileTest.cpp - What travels in one file ---------------------===//
#include "nestor/Corpus/DatasetFile.h"
#include "TestStore.h"

#include "llvm/Support/Compression.h"
#include "llvm/Support/EndianStream.h"
#include "llvm/Support/xxhash.h"

using namespace mlir::nestor;

static bool contains(const std::string &text, const char *part) {
  return text.find(part) != std::string::npos;
}

namespace {
/// A folder with a store and its export.
class DatasetFile : public testing::Test {
protected:
  void SetUp() override {
    auto store = openNew(folder / "a.db");
    fill(*store);
    ASSERT_EQ(message(exportDataset(*store, path)), "");
    data = readFile(path);
  }
  /// Imports into a new store, which must stay empty if that fails.
  std::string import() {
    if (!empty)
      empty = openNew(folder / "b.db");
    std::string text = message(importDataset(path, *empty));
    if (text.empty()) {
      empty.reset();
      return text;
    }
    StoreCounts counts = llvm::cantFail(empty->count());
    EXPECT_EQ(counts.programs + counts.targets + counts.labels, 0);
    return text;
  }

  TestFolder folder;
  std::unique_ptr<Store> empty;
  std::string path = folder / "a.nestor-dataset", data;
};
} // namespace

TEST_F(DatasetFile, ReturnsWhatWentIn) {
  ASSERT_EQ(import(), "");
  auto store =
      llvm::cantFail(Store::open(folder / "b.db", Store::Mode::MustExist));
  ASSERT_EQ(message(exportDataset(*store, folder / "b.nestor-dataset")), "");
  EXPECT_EQ(readFile(folder / "b.nestor-dataset"), data);
  ProgramRecord program =
      llvm::cantFail(store->getProgram(makeProgram("b").id));
  EXPECT_EQ(program.seed, ~0ull);
  auto labels = llvm::cantFail(
      store->getLabels(makeProgram("a \"quoted\" text\n").id, ""));
  ASSERT_EQ(labels.size(), 2u);
  EXPECT_EQ(labels[1].logRatio, -1.0 / 3);
}

TEST_F(DatasetFile, ImportedProgramsCountAsLabelled) {
  ASSERT_EQ(import(), "");
  auto store =
      llvm::cantFail(Store::open(folder / "b.db", Store::Mode::MustExist));
  EXPECT_EQ(llvm::cantFail(store->getUnvisited("machine")).size(), 0u);
}

TEST_F(DatasetFile, AddsToWhatIsThere) {
  auto store = openNew(folder / "c.db");
  fill(*store);
  ASSERT_EQ(message(importDataset(path, *store)), "");
  StoreCounts counts = llvm::cantFail(store->count());
  EXPECT_EQ(counts.programs, 2);
  EXPECT_EQ(counts.labels, 3);
}

TEST_F(DatasetFile, EveryChangedByteIsNoticed) {
  for (size_t i = 0; i < data.size(); ++i) {
    std::string damaged = data;
    damaged[i] ^= 0x20;
    writeFile(path, damaged);
    EXPECT_NE(import(), "") << "byte " << i;
  }
}

TEST_F(DatasetFile, EveryTruncationIsNoticed) {
  for (size_t size = 0; size < data.size(); ++size) {
    writeFile(path, data.substr(0, size));
    EXPECT_NE(import(), "") << "size " << size;
  }
}

TEST_F(DatasetFile, BytesBehindTheEndAreNoticed) {
  writeFile(path, data + "x");
  EXPECT_TRUE(contains(import(), "is damaged (a block is missing or doubled)"));
}

//===----------------------------------------------------------------------===//
// Files whose bytes are whole but whose content is not
//===----------------------------------------------------------------------===//

static std::string number(uint64_t value) {
  char bytes[8];
  llvm::support::endian::write64le(bytes, value);
  return std::string(bytes, 8);
}

/// A dataset file of one block that holds `text`, but says `extra` bytes more.
static std::string makeFile(const std::string &text, unsigned extra = 0) {
  llvm::SmallVector<uint8_t, 0> packed;
  llvm::compression::zstd::compress(llvm::arrayRefFromStringRef(text), packed);
  uint64_t hash = llvm::xxh3_64bits(packed);
  std::string version("\1\0\0\0", 4);
  return "NSTRDATA" + version + number(text.size() + extra) +
         number(packed.size()) + number(hash) +
         llvm::toStringRef(packed).str() + number(0) + number(1) +
         number(llvm::xxh3_64bits(llvm::StringRef(number(hash))));
}

TEST_F(DatasetFile, LinesThatMakeNoSenseAreNamed) {
  auto importLines = [&](const std::string &text) {
    writeFile(path, makeFile(text));
    return import();
  };
  std::string named = "'" + path + "': ";
  EXPECT_EQ(importLines("{\"kind\":\"poem\"}\n"),
            named + "a line of unknown kind 'poem'");
  EXPECT_EQ(importLines("{}\n"), named + "missing value at line.kind");
  EXPECT_EQ(
      importLines("{\"kind\":\"label\",\"target\":\"t\",\"schedule\":\"s\","
                  "\"candidate\":\"c\",\"base\":\"b\",\"ratio\":1,"
                  "\"spread\":0,\"pairs\":2,\"seconds\":1,"
                  "\"status\":\"ok\",\"detail\":\"\",\"compiler\":\"\"}\n"),
      named + "a label before its program");
  EXPECT_TRUE(contains(importLines("no JSON\n"), "Invalid JSON"));
}

TEST_F(DatasetFile, SaysWhichPartIsDamaged) {
  auto importBytes = [&](const std::string &bytes) {
    writeFile(path, bytes);
    return import();
  };
  auto damaged = [&](const char *why) {
    return "'" + path + "' is damaged (" + why +
           "): fetch it again, or export it again";
  };
  EXPECT_EQ(importBytes(data.substr(0, 10)), damaged("it ends in its header"));
  EXPECT_EQ(importBytes(data.substr(0, 12)), damaged("its end is missing"));
  EXPECT_EQ(importBytes(data.substr(0, 30)),
            damaged("it ends in a block's header"));
  EXPECT_EQ(importBytes(data.substr(0, 60)), damaged("it ends in a block"));
  EXPECT_EQ(importBytes(data.substr(0, data.size() - 8)),
            damaged("its end is missing"));
  std::string other = data;
  other[60] ^= 1; // behind the headers, 36 bytes
  EXPECT_EQ(importBytes(other), damaged("a checksum does not match"));
  EXPECT_EQ(importBytes(makeFile("{\"kind\":\"poem\"}\n", /*extra=*/1)),
            damaged("a block has another size"));
}

TEST_F(DatasetFile, SaysWhatIsWrong) {
  std::string other = data;
  other[8] = 9; // the version stands behind the magic
  writeFile(path, other);
  EXPECT_TRUE(contains(import(), "is a dataset file of version 9, but this "
                                 "nestor-data reads version 1"));
  writeFile(path, "something else");
  EXPECT_TRUE(contains(import(), "is not a dataset file"));
  writeFile(path, data.substr(0, data.size() / 2));
  EXPECT_TRUE(contains(import(), "fetch it again"));
}

TEST_F(DatasetFile, AFailedExportLeavesNoFile) {
  auto store =
      llvm::cantFail(Store::open(folder / "a.db", Store::Mode::MustExist));
  unsigned before = folder.countFiles();
  EXPECT_NE(message(exportDataset(*store, folder / "no/such/folder")), "");
  std::string taken = folder / "";
  EXPECT_EQ(message(exportDataset(*store, taken)),
            "cannot write '" + taken + "': Is a directory");
  EXPECT_EQ(folder.countFiles(), before);
}

TEST_F(DatasetFile, TheLaterStoreWinsWhenJoined) {
  auto first =
      llvm::cantFail(Store::open(folder / "a.db", Store::Mode::MustExist));
  auto second = openNew(folder / "c.db");
  fill(*second);
  ProgramRecord b = makeProgram("b");
  ASSERT_EQ(message(second->addLabel(makeLabel(b, "s1", 7))), "");
  auto joined = openNew(folder / "d.db");
  ASSERT_EQ(message(copyStore(*first, *joined)), "");
  ASSERT_EQ(message(copyStore(*second, *joined)), "");
  auto labels = llvm::cantFail(joined->getLabels(b.id, ""));
  ASSERT_EQ(labels.size(), 1u);
  EXPECT_EQ(labels[0].logRatio, 7);
}
