//===- Log.cpp - The file that a campaign goes on from --------------------===//
//
// Fuzz room; see Campaign.h. One JSON object of everything that Totals holds.
//
//===----------------------------------------------------------------------===//
#include "nestor/Fuzz/Campaign.h"
#include "nestor/Fuzz/Generator.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir::nestor;
using namespace mlir::nestor::fuzz;
using llvm::Error;
using llvm::Expected;
namespace json = llvm::json;

static constexpr llvm::StringLiteral kFormat = "nestor-fuzz-log";
static constexpr int64_t kVersion = 1;

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// {trait: {construct: pairs}}, names instead of numbers, so that a log stays
/// readable when the lists grow.
static json::Object writeCells(const Totals &totals) {
  json::Object object;
  for (auto [cell, count] : totals.cells) {
    json::Value &row = object[getTraitNames()[cell.first]];
    if (!row.getAsObject())
      row = json::Object();
    (*row.getAsObject())[getConstructNames()[cell.second]] = count;
  }
  return object;
}

static json::Array writeFailures(const Totals &totals) {
  json::Array list;
  for (const CaseReport &failure : totals.failures)
    list.push_back(json::Object{{"seed", failure.seed},
                                {"candidate", failure.candidate},
                                {"kind", failure.kind},
                                {"detail", failure.detail},
                                {"schedule", failure.schedule}});
  return list;
}

Error fuzz::writeLog(const Totals &totals, llvm::StringRef path) {
  std::string scops;
  for (uint32_t hash : totals.scops)
    scops += llvm::utohexstr(hash, /*LowerCase=*/true, 8);
  json::Object beside;
  for (auto [construct, count] : totals.beside)
    beside[getConstructNames()[construct]] = count;
  json::Array blocks;
  for (const auto &[end, digest] : totals.blocks)
    blocks.push_back(json::Array{end, digest});
  json::Object object{{"format", kFormat},
                      {"version", kVersion},
                      {"generator", kGeneratorVersion},
                      {"firstSeed", totals.firstSeed},
                      {"nextSeed", totals.nextSeed},
                      {"programs", totals.programs},
                      {"untouched", totals.untouched},
                      {"pairs", totals.pairs},
                      {"changed", totals.changed},
                      {"optimized", totals.optimized},
                      {"overlapping", totals.overlapping},
                      {"distinctScops", totals.scops.size()},
                      {"failures", writeFailures(totals)},
                      {"cells", writeCells(totals)},
                      {"beside", std::move(beside)},
                      {"blocks", std::move(blocks)},
                      {"scops", std::move(scops)}};
  return llvm::writeToOutput(path, [&](llvm::raw_ostream &os) {
    os << llvm::formatv("{0:2}", json::Value(std::move(object))) << "\n";
    return Error::success();
  });
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

template <typename Names>
static std::optional<unsigned> numberOf(const Names &names,
                                        llvm::StringRef name) {
  auto it = llvm::find(names, name);
  if (it == names.end())
    return std::nullopt;
  return unsigned(it - names.begin());
}

namespace {
/// Reads the parts of a log; anything unexpected makes it bad.
class LogReader {
public:
  explicit LogReader(const json::Object &object) : object(object) {}
  bool read(Totals &totals);

private:
  bool number(llvm::StringRef key, uint64_t &value) {
    auto found = object.getInteger(key);
    value = found.value_or(0);
    return found && *found >= 0;
  }
  bool readCells(Totals &totals);
  bool readFailures(Totals &totals);
  bool readScops(Totals &totals);
  bool readBlocks(Totals &totals);

  const json::Object &object;
};
} // namespace

bool LogReader::readCells(Totals &totals) {
  const json::Object *cells = object.getObject("cells");
  const json::Object *beside = object.getObject("beside");
  if (!cells || !beside)
    return false;
  auto constructs = getConstructNames();
  for (const auto &[name, value] : *cells) {
    auto trait = numberOf(getTraitNames(), name.str());
    const json::Object *row = value.getAsObject();
    if (!trait || !row)
      return false;
    for (const auto &[key, count] : *row) {
      auto construct = numberOf(constructs, key.str());
      if (!construct || !count.getAsInteger())
        return false;
      totals.cells[{*trait, *construct}] = *count.getAsInteger();
    }
  }
  for (const auto &[key, count] : *beside) {
    auto construct = numberOf(constructs, key.str());
    if (!construct || !count.getAsInteger())
      return false;
    totals.beside[*construct] = *count.getAsInteger();
  }
  return true;
}

bool LogReader::readFailures(Totals &totals) {
  const json::Array *list = object.getArray("failures");
  if (!list)
    return false;
  for (const json::Value &entry : *list) {
    CaseReport failure;
    json::Path::Root root;
    json::ObjectMapper mapper(entry, root);
    if (!mapper || !mapper.map("seed", failure.seed) ||
        !mapper.map("candidate", failure.candidate) ||
        !mapper.map("kind", failure.kind) ||
        !mapper.map("detail", failure.detail) ||
        !mapper.map("schedule", failure.schedule))
      return false;
    totals.failures.push_back(std::move(failure));
  }
  return true;
}

bool LogReader::readScops(Totals &totals) {
  auto text = object.getString("scops");
  if (!text || text->size() % 8)
    return false;
  for (size_t at = 0; at < text->size(); at += 8) {
    uint32_t hash;
    if (text->substr(at, 8).getAsInteger(16, hash))
      return false;
    totals.scops.insert(hash);
  }
  return true;
}

bool LogReader::readBlocks(Totals &totals) {
  const json::Array *list = object.getArray("blocks");
  if (!list)
    return false;
  for (const json::Value &entry : *list) {
    const json::Array *block = entry.getAsArray();
    if (!block || block->size() != 2 || !(*block)[0].getAsInteger() ||
        !(*block)[1].getAsString())
      return false;
    totals.blocks.push_back({uint64_t(*(*block)[0].getAsInteger()),
                             (*block)[1].getAsString()->str()});
  }
  return true;
}

bool LogReader::read(Totals &totals) {
  return number("firstSeed", totals.firstSeed) &&
         number("nextSeed", totals.nextSeed) &&
         number("programs", totals.programs) &&
         number("untouched", totals.untouched) &&
         number("pairs", totals.pairs) && number("changed", totals.changed) &&
         number("optimized", totals.optimized) &&
         number("overlapping", totals.overlapping) && readCells(totals) &&
         readFailures(totals) && readScops(totals) && readBlocks(totals);
}

Expected<Totals> fuzz::readLog(llvm::StringRef path, bool anyGenerator) {
  auto fail = [&](const llvm::Twine &why) {
    return llvm::createStringError("'" + path + "': " + why);
  };
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return fail(buffer.getError().message());
  auto value = json::parse((*buffer)->getBuffer());
  if (!value)
    return fail(toString(value.takeError()));
  const json::Object *object = value->getAsObject();
  if (!object || object->getString("format") != kFormat)
    return fail("not a log of nestor-fuzz");
  if (object->getInteger("version") != kVersion)
    return fail("a log of another version; this nestor-fuzz reads version " +
                llvm::Twine(kVersion));
  if (!anyGenerator &&
      object->getInteger("generator") != int64_t(kGeneratorVersion))
    return fail("its programs come from another version of the generator; "
                "start a new log");
  Totals totals;
  if (!LogReader(*object).read(totals))
    return fail("the log is damaged");
  return totals;
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

uint64_t Totals::count(llvm::StringRef kind) const {
  return llvm::count_if(failures, [&](const CaseReport &failure) {
    return failure.kind == kind;
  });
}

void Totals::add(const Totals &other) {
  programs += other.programs;
  untouched += other.untouched;
  pairs += other.pairs;
  changed += other.changed;
  optimized += other.optimized;
  overlapping += other.overlapping;
  scops.insert(other.scops.begin(), other.scops.end());
  llvm::append_range(failures, other.failures);
  for (auto [cell, count] : other.cells)
    cells[cell] += count;
  for (auto [construct, count] : other.beside)
    beside[construct] += count;
}

void fuzz::printTotals(const Totals &totals, llvm::raw_ostream &os) {
  auto share = [](uint64_t part, uint64_t whole) {
    return 100.0 * double(part) / double(std::max<uint64_t>(whole, 1));
  };
  // Totals of several campaigns are of no one range.
  if (totals.nextSeed > totals.firstSeed)
    os << "seeds " << totals.firstSeed << " to " << totals.nextSeed << ": ";
  os << llvm::formatv(
      "{0} programs with scops, {1} without\n"
      "{2} pairs, {3} changed the IR ({4:f1} %), {5} fully optimized, {6} of "
      "programs that also ran with overlapping buffers\n"
      "{7} distinct scops\n",
      totals.programs, totals.untouched, totals.pairs, totals.changed,
      share(totals.changed, totals.pairs), totals.optimized, totals.overlapping,
      totals.scops.size());
  os << llvm::formatv("{0} wrong, {1} crashes, {2} hangs, {3} others\n",
                      totals.count("wrong"), totals.count("crash"),
                      totals.count("hang"),
                      totals.failures.size() - totals.count("wrong") -
                          totals.count("crash") - totals.count("hang"));
}

void fuzz::printHistogram(const Totals &totals, llvm::raw_ostream &os) {
  auto constructs = getConstructNames();
  os << "pairs by construct of a scheduled scop and by what its schedule has;\n"
        "the last column: by construct of a program with a scheduled scop\n";
  os.indent(40);
  for (llvm::StringRef trait : getTraitNames())
    os << ' ' << llvm::right_justify(trait.take_back(8), 8);
  os << "   beside\n";
  for (unsigned c = 0; c < constructs.size(); ++c) {
    os << llvm::left_justify(constructs[c], 40);
    for (unsigned t = 0; t < getTraitNames().size(); ++t) {
      auto it = totals.cells.find({t, c});
      uint64_t count = it == totals.cells.end() ? 0 : it->second;
      os << ' ' << llvm::right_justify(count ? std::to_string(count) : ".", 8);
    }
    auto it = totals.beside.find(c);
    uint64_t count = it == totals.beside.end() ? 0 : it->second;
    os << ' ' << llvm::right_justify(count ? std::to_string(count) : ".", 8)
       << '\n';
  }
}
