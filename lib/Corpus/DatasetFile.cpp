//===- DatasetFile.cpp - A dataset in one file ----------------------------===//
//
// Corpus room; see DatasetFile.h for the format.
//
//===----------------------------------------------------------------------===//
#include "nestor/Corpus/DatasetFile.h"

#include "llvm/Support/Compression.h"
#include "llvm/Support/EndianStream.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

using namespace mlir::nestor;
using llvm::StringRef;
namespace json = llvm::json;

static constexpr StringRef kMagic = "NSTRDATA";
/// Text of one block before compression; also a limit on what a reader
/// believes.
static constexpr size_t kBlockBytes = size_t(16) << 20;
static constexpr size_t kMaxBlockBytes = size_t(1) << 30;
static constexpr int kCompressionLevel = 12;

static llvm::Error noZstd() {
  return llvm::createStringError("dataset files need an LLVM with zstd, which "
                                 "this one lacks: build Nestor "
                                 "with an LLVM that has LLVM_ENABLE_ZSTD=ON");
}

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

static json::Object toJson(const TargetRecord &target) {
  return json::Object{
      {"kind", "target"}, {"name", target.name}, {"json", target.json}};
}

static json::Object toJson(const ProgramRecord &program) {
  return json::Object{{"kind", "program"},
                      {"seed", int64_t(program.seed)},
                      {"profile", program.profile},
                      {"text", program.text}};
}

static json::Object toJson(const LabelRecord &label) {
  return json::Object{{"kind", "label"},
                      {"target", label.target},
                      {"schedule", label.schedule},
                      {"candidate", label.candidateHash},
                      {"base", label.baseHash},
                      {"ratio", label.logRatio},
                      {"spread", label.spread},
                      {"pairs", label.pairs},
                      {"seconds", label.baseSeconds},
                      {"status", label.status},
                      {"detail", label.detail},
                      {"compiler", label.compiler}};
}

/// A label from elsewhere: its program needs no labelling here.
static llvm::Error adopt(Store &store, const LabelRecord &label) {
  if (auto error = store.addLabel(label))
    return error;
  return store.setVisited(label.program, label.target, "imported");
}

namespace {
/// Reads lines into a store.
class LineReader {
public:
  explicit LineReader(Store &store) : store(store) {}

  llvm::Error read(StringRef line) {
    auto value = json::parse(line);
    if (!value)
      return value.takeError();
    json::Path::Root root("line");
    json::ObjectMapper map(*value, root);
    std::string kind;
    if (!map || !map.map("kind", kind))
      return root.getError();
    if (kind == "target")
      return readTarget(map, root);
    if (kind == "program")
      return readProgram(map, root);
    if (kind == "label")
      return readLabel(map, root);
    return llvm::createStringError("a line of unknown kind '" + kind + "'");
  }

private:
  llvm::Error readTarget(json::ObjectMapper &map, json::Path::Root &root) {
    TargetRecord target;
    if (!map.map("name", target.name) || !map.map("json", target.json))
      return root.getError();
    return store.addTarget(target);
  }
  llvm::Error readProgram(json::ObjectMapper &map, json::Path::Root &root) {
    ProgramRecord program;
    int64_t seed = 0;
    if (!map.map("seed", seed) || !map.map("profile", program.profile) ||
        !map.map("text", program.text))
      return root.getError();
    program.seed = uint64_t(seed);
    program.id = current = hashText(program.text);
    return store.addProgram(program);
  }
  llvm::Error readLabel(json::ObjectMapper &map, json::Path::Root &root) {
    LabelRecord label;
    label.program = current;
    if (!map.map("target", label.target) ||
        !map.map("schedule", label.schedule) ||
        !map.map("candidate", label.candidateHash) ||
        !map.map("base", label.baseHash) || !map.map("ratio", label.logRatio) ||
        !map.map("spread", label.spread) || !map.map("pairs", label.pairs) ||
        !map.map("seconds", label.baseSeconds) ||
        !map.map("status", label.status) || !map.map("detail", label.detail) ||
        !map.map("compiler", label.compiler))
      return root.getError();
    if (current.empty())
      return llvm::createStringError("a label before its program");
    return adopt(store, label);
  }

  Store &store;
  std::string current; ///< program of the labels that follow
};
} // namespace

/// Calls `line` for every line that describes the store.
static llvm::Error
forEachLine(Store &store, llvm::function_ref<llvm::Error(json::Object)> line) {
  auto targets = store.getTargets();
  if (!targets)
    return targets.takeError();
  for (const TargetRecord &target : *targets)
    if (auto error = line(toJson(target)))
      return error;
  auto ids = store.getProgramIds();
  if (!ids)
    return ids.takeError();
  for (const std::string &id : *ids) {
    auto program = store.getProgram(id);
    if (!program)
      return program.takeError();
    if (auto error = line(toJson(*program)))
      return error;
    auto labels = store.getLabels(id, "");
    if (!labels)
      return labels.takeError();
    for (const LabelRecord &label : *labels)
      if (auto error = line(toJson(label)))
        return error;
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

namespace {
class BlockWriter {
public:
  explicit BlockWriter(llvm::raw_ostream &os) : os(os) {
    os << kMagic;
    writeNumber<uint32_t>(kDatasetVersion);
  }

  void line(json::Object object) {
    llvm::raw_string_ostream(text) << json::Value(std::move(object)) << '\n';
    if (text.size() >= kBlockBytes)
      flush();
  }

  void finish() {
    flush();
    writeNumber<uint64_t>(0);
    writeNumber<uint64_t>(count);
    writeNumber<uint64_t>(llvm::xxh3_64bits(StringRef(hashes)));
  }

private:
  template <typename T> void writeNumber(T value) {
    llvm::support::endian::write(os, value, llvm::endianness::little);
  }
  void flush() {
    if (text.empty())
      return;
    llvm::SmallVector<uint8_t, 0> packed;
    llvm::compression::zstd::compress(llvm::arrayRefFromStringRef(text), packed,
                                      kCompressionLevel, /*EnableLdm=*/true);
    uint64_t hash = llvm::xxh3_64bits(packed);
    writeNumber<uint64_t>(text.size());
    writeNumber<uint64_t>(packed.size());
    writeNumber<uint64_t>(hash);
    os << llvm::toStringRef(packed);
    char bytes[8];
    llvm::support::endian::write64le(bytes, hash);
    hashes.append(bytes, 8);
    ++count;
    text.clear();
  }

  llvm::raw_ostream &os;
  std::string text, hashes;
  uint64_t count = 0;
};
} // namespace

llvm::Error mlir::nestor::exportDataset(Store &store, StringRef path) {
  if (!llvm::compression::zstd::isAvailable())
    return noZstd();
  auto temporary = llvm::sys::fs::TempFile::create(path + ".%%%%%%");
  if (!temporary)
    return llvm::createStringError("cannot write '" + path + "': " +
                                   llvm::toString(temporary.takeError()));
  auto discard = [&](llvm::Error error) {
    return llvm::joinErrors(std::move(error), temporary->discard());
  };
  llvm::raw_fd_ostream os(temporary->FD, /*shouldClose=*/false);
  BlockWriter writer(os);
  // One transaction, so that the file is one state of the store.
  if (auto error = store.transact([&] {
        return forEachLine(store, [&](json::Object object) {
          writer.line(std::move(object));
          return llvm::Error::success();
        });
      }))
    return discard(std::move(error));
  writer.finish();
  os.flush();
  if (os.has_error()) {
    std::string message = os.error().message();
    os.clear_error();
    return discard(
        llvm::createStringError("cannot write '" + path + "': " + message));
  }
  if (auto error = temporary->keep(path))
    return llvm::createStringError("cannot write '" + path +
                                   "': " + llvm::toString(std::move(error)));
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {
/// Walks the blocks of a file and hands out their text.
class BlockReader {
public:
  BlockReader(StringRef path, StringRef data) : path(path), data(data) {}

  llvm::Error run(llvm::function_ref<llvm::Error(StringRef)> line);

private:
  llvm::Error damaged(const llvm::Twine &why) const {
    return llvm::createStringError("'" + path + "' is damaged (" + why +
                                   "): fetch it again, or export it again");
  }
  bool has(size_t bytes) const { return data.size() - at >= bytes; }
  uint64_t number() {
    uint64_t value = llvm::support::endian::read64le(data.data() + at);
    at += 8;
    return value;
  }
  llvm::Error header();
  llvm::Error block(uint64_t size,
                    llvm::function_ref<llvm::Error(StringRef)> line);

  StringRef path, data;
  size_t at = 0;
  std::string hashes;
};
} // namespace

llvm::Error BlockReader::header() {
  if (!data.starts_with(kMagic))
    return llvm::createStringError("'" + path + "' is not a dataset file");
  if (data.size() < kMagic.size() + 4)
    return damaged("it ends in its header");
  uint32_t version =
      llvm::support::endian::read32le(data.data() + kMagic.size());
  if (version != kDatasetVersion)
    return llvm::createStringError(
        "'" + path + "' is a dataset file of version " + llvm::Twine(version) +
        ", but this nestor-data reads version " + llvm::Twine(kDatasetVersion));
  at = kMagic.size() + 4;
  return llvm::Error::success();
}

llvm::Error
BlockReader::block(uint64_t size,
                   llvm::function_ref<llvm::Error(StringRef)> line) {
  if (!has(16))
    return damaged("it ends in a block's header");
  uint64_t packedSize = number(), hash = number();
  if (size > kMaxBlockBytes || !has(packedSize))
    return damaged("it ends in a block");
  StringRef packed = data.substr(at, packedSize);
  at += packedSize;
  if (llvm::xxh3_64bits(packed) != hash)
    return damaged("a checksum does not match");
  char bytes[8];
  llvm::support::endian::write64le(bytes, hash);
  hashes.append(bytes, 8);
  llvm::SmallVector<uint8_t, 0> text;
  if (auto error = llvm::compression::zstd::decompress(
          llvm::arrayRefFromStringRef(packed), text, size))
    return damaged(llvm::toString(std::move(error)));
  if (text.size() != size)
    return damaged("a block has another size");
  for (StringRef rest = llvm::toStringRef(text); !rest.empty();) {
    auto [first, tail] = rest.split('\n');
    if (auto error = line(first))
      return error;
    rest = tail;
  }
  return llvm::Error::success();
}

llvm::Error BlockReader::run(llvm::function_ref<llvm::Error(StringRef)> line) {
  if (auto error = header())
    return error;
  uint64_t count = 0;
  while (true) {
    if (!has(8))
      return damaged("its end is missing");
    uint64_t size = number();
    if (size == 0)
      break;
    if (auto error = block(size, line))
      return error;
    ++count;
  }
  if (!has(16))
    return damaged("its end is missing");
  uint64_t expected = number(), hash = number();
  if (expected != count || hash != llvm::xxh3_64bits(StringRef(hashes)) ||
      at != data.size())
    return damaged("a block is missing or doubled");
  return llvm::Error::success();
}

llvm::Error mlir::nestor::importDataset(StringRef path, Store &store) {
  if (!llvm::compression::zstd::isAvailable())
    return noZstd();
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return llvm::createStringError("cannot read '" + path +
                                   "': " + buffer.getError().message());
  return store.transact([&]() -> llvm::Error {
    LineReader reader(store);
    auto read = [&](StringRef line) -> llvm::Error {
      if (auto error = reader.read(line))
        return llvm::createStringError(
            "'" + path + "': " + llvm::toString(std::move(error)));
      return llvm::Error::success();
    };
    return BlockReader(path, (*buffer)->getBuffer()).run(read);
  });
}

llvm::Error mlir::nestor::copyStore(Store &from, Store &to) {
  return to.transact([&]() -> llvm::Error {
    auto targets = from.getTargets();
    if (!targets)
      return targets.takeError();
    for (const TargetRecord &target : *targets)
      if (auto error = to.addTarget(target))
        return error;
    auto ids = from.getProgramIds();
    if (!ids)
      return ids.takeError();
    for (const std::string &id : *ids) {
      auto program = from.getProgram(id);
      if (!program)
        return program.takeError();
      if (auto error = to.addProgram(*program))
        return error;
      auto labels = from.getLabels(id, "");
      if (!labels)
        return labels.takeError();
      for (const LabelRecord &label : *labels)
        if (auto error = adopt(to, label))
          return error;
    }
    return llvm::Error::success();
  });
}

bool mlir::nestor::isDatasetFile(StringRef path) {
  auto slice = llvm::MemoryBuffer::getFileSlice(path, kMagic.size(), 0);
  return slice && (*slice)->getBuffer() == kMagic;
}
