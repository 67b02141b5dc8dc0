//===- TrainingData.cpp - The feature cache -------------------------------===//
//
// Model room: reads and writes *.nestor-features (layout: TrainingData.h), and
// splits datasets. A payload is: the id; six tables of distinct rows (flags,
// domain, loop, access, token, analytical: u32 count, then the rows); u32
// number of samples; the samples, whose rows are numbers (u32) in those tables.
//
//===----------------------------------------------------------------------===//
#include "nestor/Model/TrainingData.h"
#include "nestor/Model/InputView.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"
#include <cmath>
#include <cstring>

using namespace mlir::nestor;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

static_assert(llvm::endianness::native == llvm::endianness::little,
              "the feature cache is little-endian");

static constexpr char kMagic[] = "NSTRFEAT";
static constexpr uint32_t kFormatVersion = 2;
static constexpr uint64_t kEndMark = ~uint64_t(0);
static constexpr unsigned kNumTables = 6;
enum Table { Flags, Domain, Loop, Access, Token, Analytical };
static constexpr unsigned kWidths[kNumTables] = {
    kFlagDim, kDomainDim, kLoopDim, kAccessDim, kTokenDim, kAnalyticalDim};
static const char *const kWidthNames[kNumTables] = {
    "flags", "domain", "loop", "access", "token", "analytical"};

static Error fail(const Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

namespace {
struct ByteWriter {
  std::string bytes;
  void raw(const void *data, size_t size) {
    bytes.append(static_cast<const char *>(data), size);
  }
  template <typename T> void put(T value) { raw(&value, sizeof(T)); }
};

/// Reads past the end give zeros and set `failed`.
struct ByteReader {
  StringRef bytes;
  bool failed = false;
  StringRef raw(uint64_t size) {
    if (size > bytes.size()) {
      failed = true;
      bytes = StringRef();
      return bytes;
    }
    StringRef result = bytes.take_front(size);
    bytes = bytes.drop_front(size);
    return result;
  }
  template <typename T> T get() {
    T value = 0;
    StringRef data = raw(sizeof(T));
    if (!failed)
      std::memcpy(&value, data.data(), sizeof(T));
    return value;
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Header
//===----------------------------------------------------------------------===//

static std::string printHeader(const FeatureCacheHeader &header) {
  llvm::json::Object widths, provenance;
  for (unsigned i = 0; i < kNumTables; ++i)
    widths[kWidthNames[i]] = kWidths[i];
  for (const auto &[key, value] : header.provenance)
    provenance[key] = value;
  llvm::json::Array target;
  for (float number : header.target)
    target.push_back(double(number));
  llvm::json::Object object{{"feature_version", kFeatureVersion},
                            {"widths", std::move(widths)},
                            {"target_name", header.targetName},
                            {"target", std::move(target)},
                            {"provenance", std::move(provenance)}};
  return llvm::formatv("{0}", llvm::json::Value(std::move(object))).str();
}

static Error checkWidths(const llvm::json::Object &object) {
  auto version = object.getInteger("feature_version");
  if (version != int64_t(kFeatureVersion))
    return fail("has feature version " + Twine(version.value_or(0)) +
                ", this Nestor has " + Twine(kFeatureVersion) +
                ": make it anew with 'nestor-data features'");
  const llvm::json::Object *widths = object.getObject("widths");
  for (unsigned i = 0; i < kNumTables; ++i) {
    auto width = widths ? widths->getInteger(kWidthNames[i]) : std::nullopt;
    if (width != int64_t(kWidths[i]))
      return fail("has " + Twine(kWidthNames[i]) + " rows of " +
                  Twine(width.value_or(0)) + " numbers, this Nestor has " +
                  Twine(kWidths[i]) +
                  ": make it anew with 'nestor-data features'");
  }
  return Error::success();
}

static Expected<FeatureCacheHeader> parseHeader(StringRef text) {
  auto value = llvm::json::parse(text);
  if (!value)
    return value.takeError();
  const llvm::json::Object *object = value->getAsObject();
  if (!object)
    return fail("has a header that is no JSON object: make it anew with "
                "'nestor-data features'");
  if (auto error = checkWidths(*object))
    return std::move(error);
  FeatureCacheHeader header;
  header.targetName = object->getString("target_name").value_or("").str();
  const llvm::json::Array *target = object->getArray("target");
  if (!target || target->size() != kTargetDim)
    return fail("has target features of a wrong length: make it anew with "
                "'nestor-data features'");
  for (unsigned i = 0; i < kTargetDim; ++i)
    header.target[i] = (*target)[i].getAsNumber().value_or(0);
  if (const llvm::json::Object *provenance = object->getObject("provenance"))
    for (const auto &[key, text] : *provenance)
      if (auto string = text.getAsString())
        header.provenance[key.str()] = string->str();
  return header;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// See FeatureCacheWriter::append.
static Error checkProgram(const TrainingProgram &program) {
  auto refuse = [&](const Twine &reason) {
    return fail("program '" + program.id + "': " + reason);
  };
  bool isLabelled = false;
  for (const TrainingSample &sample : program.samples) {
    if (auto error = checkModelInput(sample.input))
      return refuse(llvm::toString(std::move(error)));
    if (std::isinf(sample.logSpeedup) || !std::isfinite(sample.spread))
      return refuse("a label is not finite; leave the sample out");
    isLabelled |= !std::isnan(sample.logSpeedup);
  }
  if (isLabelled && program.samples.front().logSpeedup != 0)
    return refuse(
        "the first sample must be the program as written, labelled 0");
  return Error::success();
}

namespace {
/// Numbers distinct rows of one width in the order of their first use.
class RowTable {
public:
  uint32_t add(llvm::ArrayRef<float> row) {
    StringRef key(reinterpret_cast<const char *>(row.data()),
                  row.size() * sizeof(float));
    auto [it, isNew] = numbers.try_emplace(key, numbers.size());
    if (isNew)
      bytes.append(key.data(), key.size());
    return it->second;
  }
  void write(ByteWriter &out) const {
    out.put<uint32_t>(numbers.size());
    out.raw(bytes.data(), bytes.size());
  }

private:
  llvm::StringMap<uint32_t> numbers;
  std::string bytes;
};

/// Turns one program into the payload of a record.
class ProgramEncoder {
public:
  std::string encode(const TrainingProgram &program) {
    samples.put<uint32_t>(program.samples.size());
    for (const TrainingSample &sample : program.samples)
      add(sample);
    ByteWriter out;
    out.put<uint32_t>(program.id.size());
    out.raw(program.id.data(), program.id.size());
    for (const RowTable &table : tables)
      table.write(out);
    out.raw(samples.bytes.data(), samples.bytes.size());
    return std::move(out.bytes);
  }

private:
  void row(Table table, llvm::ArrayRef<float> row) {
    samples.put<uint32_t>(tables[table].add(row));
  }
  void rows(Table table, const Rows &rows) {
    samples.put<uint32_t>(rows.size());
    for (size_t i = 0; i < rows.size(); ++i)
      row(table, llvm::ArrayRef(rows.data).slice(i * rows.width, rows.width));
  }
  void add(const TrainingSample &sample) {
    samples.put(sample.logSpeedup);
    samples.put(sample.spread);
    row(Analytical, sample.input.analytical);
    const CandidateFeatures &features = sample.input.features;
    samples.put<uint32_t>(features.statements.size());
    for (const StatementFeatures &s : features.statements) {
      row(Flags, s.flags);
      row(Domain, s.domain);
      rows(Loop, s.loops);
      rows(Access, s.accesses);
      rows(Token, s.tokens);
      samples.put(s.programKey);
      samples.put(s.parent);
      samples.put(s.order);
    }
    samples.put<uint32_t>(features.loops.size());
    for (const LoopFeatures &l : features.loops) {
      row(Loop, l.loop);
      samples.put(l.parent);
      samples.put(l.order);
    }
  }

  RowTable tables[kNumTables];
  ByteWriter samples;
};

/// Writes to a temporary file beside the path and renames it at the end.
class CacheWriter : public FeatureCacheWriter {
public:
  CacheWriter(StringRef path, llvm::sys::fs::TempFile file)
      : path(path.str()), file(std::move(file)),
        stream(this->file->FD, /*shouldClose=*/false) {}
  ~CacheWriter() override {
    stream.flush();
    stream.clear_error();
    if (file)
      llvm::consumeError(file->discard());
  }

  void start(const FeatureCacheHeader &header) {
    std::string text = printHeader(header);
    stream << StringRef(kMagic, 8);
    put(kFormatVersion);
    put<uint64_t>(text.size());
    stream << text;
    put(llvm::xxh3_64bits(StringRef(text)));
  }

  Error append(const TrainingProgram &program) override {
    if (auto error = checkProgram(program))
      return error;
    std::string payload = ProgramEncoder().encode(program);
    put<uint64_t>(payload.size());
    stream << payload;
    uint64_t hash = llvm::xxh3_64bits(StringRef(payload));
    put(hash);
    hashes.put(hash);
    ++numPrograms;
    numSamples += program.samples.size();
    return checkStream();
  }

  Error finish() override {
    put(kEndMark);
    put(numPrograms);
    put(numSamples);
    put(llvm::xxh3_64bits(StringRef(hashes.bytes)));
    stream.flush();
    if (auto error = checkStream())
      return error;
    Error error = file->keep(path);
    file.reset();
    if (error)
      return fail("cannot write '" + path +
                  "': " + llvm::toString(std::move(error)));
    return Error::success();
  }

private:
  template <typename T> void put(T value) {
    stream.write(reinterpret_cast<const char *>(&value), sizeof(T));
  }
  Error checkStream() {
    if (!stream.has_error())
      return Error::success();
    return fail("cannot write '" + path + "': " + stream.error().message());
  }

  std::string path;
  std::optional<llvm::sys::fs::TempFile> file;
  llvm::raw_fd_ostream stream;
  ByteWriter hashes;
  uint64_t numPrograms = 0, numSamples = 0;
};
} // namespace

FeatureCacheWriter::~FeatureCacheWriter() = default;

Expected<std::unique_ptr<FeatureCacheWriter>>
FeatureCacheWriter::create(StringRef path, const FeatureCacheHeader &header) {
  auto file = llvm::sys::fs::TempFile::create(path + ".%%%%%%.tmp");
  if (!file)
    return fail("cannot write '" + path +
                "': " + llvm::toString(file.takeError()));
  auto writer = std::make_unique<CacheWriter>(path, std::move(*file));
  writer->start(header);
  return writer;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {
/// The inverse of ProgramEncoder; `in.failed` tells of damage.
class ProgramDecoder {
public:
  explicit ProgramDecoder(StringRef payload) : in{payload} {}

  bool decode(TrainingProgram &program) {
    program.id = in.raw(in.get<uint32_t>()).str();
    for (unsigned i = 0; i < kNumTables; ++i)
      tables[i] =
          in.raw(uint64_t(in.get<uint32_t>()) * kWidths[i] * sizeof(float));
    uint32_t numSamples = in.get<uint32_t>();
    for (uint32_t i = 0; i < numSamples && !in.failed; ++i)
      sample(program.samples.emplace_back());
    return !in.failed && in.bytes.empty();
  }

private:
  void row(Table table, float *to) {
    uint64_t size = kWidths[table] * sizeof(float);
    uint64_t begin = in.get<uint32_t>() * size;
    if (begin + size > tables[table].size())
      in.failed = true;
    else
      std::memcpy(to, tables[table].data() + begin, size);
  }
  void row(Table table, std::vector<float> &to) {
    to.resize(kWidths[table]);
    row(table, to.data());
  }
  void rows(Table table, Rows &to) {
    uint32_t count = in.get<uint32_t>();
    if (count > in.bytes.size() / sizeof(uint32_t)) {
      in.failed = true;
      return;
    }
    to.width = kWidths[table];
    to.data.resize(size_t(count) * to.width);
    for (uint32_t i = 0; i < count; ++i)
      row(table, to.data.data() + size_t(i) * to.width);
  }
  void sample(TrainingSample &sample) {
    sample.logSpeedup = in.get<float>();
    sample.spread = in.get<float>();
    row(Analytical, sample.input.analytical.data());
    CandidateFeatures &features = sample.input.features;
    uint32_t numStatements = in.get<uint32_t>();
    for (uint32_t i = 0; i < numStatements && !in.failed; ++i)
      statement(features.statements.emplace_back());
    uint32_t numLoops = in.get<uint32_t>();
    for (uint32_t i = 0; i < numLoops && !in.failed; ++i) {
      LoopFeatures &loop = features.loops.emplace_back();
      row(Loop, loop.loop);
      loop.parent = in.get<int32_t>();
      loop.order = in.get<int32_t>();
    }
  }
  void statement(StatementFeatures &s) {
    row(Flags, s.flags);
    row(Domain, s.domain);
    rows(Loop, s.loops);
    rows(Access, s.accesses);
    rows(Token, s.tokens);
    s.programKey = in.get<uint64_t>();
    s.parent = in.get<int32_t>();
    s.order = in.get<int32_t>();
  }

  ByteReader in;
  StringRef tables[kNumTables];
};
} // namespace

static Error readProgram(ByteReader &in, uint64_t size, ByteWriter &hashes,
                         TrainingProgram &program) {
  StringRef payload = in.raw(size);
  uint64_t hash = in.get<uint64_t>();
  if (in.failed)
    return fail("is truncated: make it anew");
  if (hash != llvm::xxh3_64bits(payload) ||
      !ProgramDecoder(payload).decode(program))
    return fail("is damaged: make it anew");
  hashes.put(hash);
  if (auto error = checkProgram(program))
    return fail("is damaged: " + llvm::toString(std::move(error)));
  return Error::success();
}

/// The part before the programs.
static Error readStart(ByteReader &in, TrainingData &data) {
  if (in.raw(8) != StringRef(kMagic, 8))
    return fail("is not a feature cache: make one with 'nestor-data features'");
  uint32_t version = in.get<uint32_t>();
  if (!in.failed && version != kFormatVersion)
    return fail("has format version " + Twine(version) +
                ", this Nestor reads " + Twine(kFormatVersion) +
                ": make it anew with 'nestor-data features'");
  StringRef text = in.raw(in.get<uint64_t>());
  uint64_t hash = in.get<uint64_t>();
  if (in.failed)
    return fail("is truncated: make it anew");
  if (hash != llvm::xxh3_64bits(text))
    return fail("is damaged: make it anew");
  auto header = parseHeader(text);
  if (!header)
    return header.takeError();
  data.header = std::move(*header);
  return Error::success();
}

static Error readAll(ByteReader in, TrainingData &data) {
  if (auto error = readStart(in, data))
    return error;
  ByteWriter hashes;
  uint64_t numSamples = 0;
  while (true) {
    uint64_t size = in.get<uint64_t>();
    if (in.failed)
      return fail("is truncated: make it anew");
    if (size == kEndMark)
      break;
    TrainingProgram &program = data.programs.emplace_back();
    if (auto error = readProgram(in, size, hashes, program))
      return error;
    numSamples += program.samples.size();
  }
  bool complete = in.get<uint64_t>() == data.programs.size();
  complete &= in.get<uint64_t>() == numSamples;
  data.hash = in.get<uint64_t>();
  complete &= data.hash == llvm::xxh3_64bits(StringRef(hashes.bytes));
  if (in.failed)
    return fail("is truncated: make it anew");
  if (!complete || !in.bytes.empty())
    return fail("is damaged: make it anew");
  return Error::success();
}

Expected<TrainingData> mlir::nestor::readFeatureCache(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return fail("cannot read '" + path + "': " + buffer.getError().message());
  TrainingData data;
  if (auto error = readAll(ByteReader{(*buffer)->getBuffer()}, data))
    return fail("'" + path + "' " + llvm::toString(std::move(error)));
  return data;
}

Split mlir::nestor::getSplit(StringRef programId) {
  unsigned percent = llvm::xxh3_64bits(programId.split('#').first) % 100;
  if (percent < kTrainPercent)
    return Split::Train;
  return percent < kTrainPercent + kValidationPercent ? Split::Validation
                                                      : Split::Test;
}
