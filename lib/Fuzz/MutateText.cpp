//===- MutateText.cpp - Damage to text ------------------------------------===//
//
// Fuzz room; see Mutate.h.
//
//===----------------------------------------------------------------------===//
#include "Dice.h"
#include "nestor/Fuzz/Mutate.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::nestor::fuzz;
using llvm::Error;

/// Longer texts are cut: what is slow for its length alone tells nothing.
static constexpr size_t kMaxText = 16 << 10;
/// Levels of nesting that are put around something.
static constexpr int64_t kMaxNesting = 150;

//===----------------------------------------------------------------------===//
// Corpus
//===----------------------------------------------------------------------===//

static Error readFile(StringRef path, std::vector<std::string> &texts) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return llvm::createStringError("'" + path +
                                   "': " + buffer.getError().message());
  SmallVector<StringRef> parts;
  (*buffer)->getBuffer().split(parts, "// -----\n");
  for (StringRef part : parts)
    if (!part.trim().empty())
      texts.push_back(part.str());
  return Error::success();
}

Error mlir::nestor::fuzz::readCorpus(StringRef path,
                                     std::vector<std::string> &texts) {
  if (!llvm::sys::fs::is_directory(path))
    return readFile(path, texts);
  std::error_code code;
  std::vector<std::string> files;
  for (llvm::sys::fs::recursive_directory_iterator it(path, code), end;
       it != end && !code; it.increment(code))
    if (llvm::sys::path::extension(it->path()) == ".mlir")
      files.push_back(it->path());
  if (code)
    return llvm::createStringError("'" + path + "': " + code.message());
  if (files.empty())
    return llvm::createStringError("'" + path + "': no .mlir file is in it");
  llvm::sort(files);
  for (const std::string &file : files)
    if (Error error = readFile(file, texts))
      return error;
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Pieces of text
//===----------------------------------------------------------------------===//

namespace {
/// A piece of a text: [begin, end).
struct Piece {
  size_t begin, end;
  size_t size() const { return end - begin; }
};
} // namespace

static bool isWordChar(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '.' || c == '%' || c == '#' ||
         c == '@' || c == '$';
}

/// Words with their sigils, numbers, and single other characters.
static std::vector<Piece> findTokens(StringRef text) {
  std::vector<Piece> tokens;
  for (size_t at = 0; at < text.size();) {
    size_t end = at + 1;
    if (isWordChar(text[at]))
      while (end < text.size() && isWordChar(text[end]))
        ++end;
    if (!llvm::isSpace(text[at]))
      tokens.push_back({at, end});
    at = end;
  }
  return tokens;
}

static std::vector<Piece> findNumbers(StringRef text) {
  std::vector<Piece> numbers;
  for (Piece token : findTokens(text))
    if (llvm::isDigit(text[token.begin])) {
      size_t end = token.begin;
      while (end < token.end && llvm::isDigit(text[end]))
        ++end;
      numbers.push_back({token.begin, end});
    }
  return numbers;
}

/// With their line breaks.
static std::vector<Piece> findLines(StringRef text) {
  std::vector<Piece> lines;
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    lines.push_back({at, end});
    at = end;
  }
  return lines;
}

/// From a line that opens a brace to the line that closes it.
static std::vector<Piece> findBlocks(StringRef text) {
  std::vector<Piece> blocks;
  std::vector<size_t> open;
  for (Piece line : findLines(text))
    for (char c : text.slice(line.begin, line.end)) {
      if (c == '{')
        open.push_back(line.begin);
      if (c != '}' || open.empty())
        continue;
      if (open.back() != line.begin)
        blocks.push_back({open.back(), line.end});
      open.pop_back();
    }
  return blocks;
}

//===----------------------------------------------------------------------===//
// Damage
//===----------------------------------------------------------------------===//

namespace {
class TextMutator {
public:
  TextMutator(ArrayRef<std::string> texts, uint64_t seed)
      : texts(texts), dice(seed) {}
  std::string run();

private:
  void damage();
  void damageBytes();
  void damageTokens();
  void damageNumber();
  void damagePieces(const std::vector<Piece> &pieces);
  void splice();
  void nest();
  void replace(Piece piece, const std::string &by) {
    text.replace(piece.begin, piece.size(), by);
  }
  std::string of(Piece piece) const {
    return text.substr(piece.begin, piece.size());
  }

  ArrayRef<std::string> texts;
  Dice dice;
  std::string text;
};
} // namespace

void TextMutator::damageBytes() {
  static constexpr llvm::StringLiteral kSigns("{}()[]<>\"%#@!,:=-*?x0");
  for (int64_t count = dice.uniform(1, 4); count > 0 && !text.empty();
       --count) {
    size_t at = dice.uniform(0, int64_t(text.size()) - 1);
    switch (dice.uniform(0, 3)) {
    case 0:
      text[at] = char(dice.uniform(0, 255));
      break;
    case 1:
      text[at] = char(text[at] ^ (1 << dice.uniform(0, 7)));
      break;
    case 2:
      text.erase(at, dice.uniform(1, 3));
      break;
    default:
      text.insert(at, 1, kSigns[dice.uniform(0, int64_t(kSigns.size()) - 1)]);
    }
  }
}

void TextMutator::damageTokens() {
  std::vector<Piece> tokens = findTokens(text);
  if (tokens.size() < 2)
    return;
  Piece token = dice.pick(tokens), other = dice.pick(tokens);
  switch (dice.uniform(0, 4)) {
  case 0:
    return replace(token, "");
  case 1:
    return replace(token, of(token) + " " + of(token));
  case 2:
  case 3: // another of the text itself: names keep their meaning
    return replace(token, of(other));
  default: {
    StringRef foreign = dice.pick(texts);
    std::vector<Piece> pieces = findTokens(foreign);
    if (pieces.empty())
      return;
    Piece piece = dice.pick(pieces);
    return replace(token, foreign.slice(piece.begin, piece.end).str());
  }
  }
}

void TextMutator::damageNumber() {
  std::vector<Piece> numbers = findNumbers(text);
  if (numbers.empty())
    return;
  static constexpr llvm::StringLiteral extremes[] = {
      "0",
      "1",
      "-1",
      "2",
      "3",
      "7",
      "33",
      "255",
      "65537",
      "2147483647",
      "2147483648",
      "-2147483648",
      "4294967296",
      "4611686018427387904",
      "9223372036854775807",
      "9223372036854775808",
      "-9223372036854775808",
      "18446744073709551616",
      "123456789012345678901234567890",
      "0x7FFFFFFFFFFFFFFF",
      "1.0e400"};
  replace(dice.pick(numbers), dice.pick(extremes).str());
}

/// Takes away, doubles or moves a piece.
void TextMutator::damagePieces(const std::vector<Piece> &pieces) {
  if (pieces.size() < 2)
    return;
  Piece piece = dice.pick(pieces), other = dice.pick(pieces);
  std::string content = of(piece);
  switch (dice.uniform(0, 2)) {
  case 0:
    return replace(piece, "");
  case 1:
    text.insert(piece.end, content);
    return;
  default:
    if (other.begin >= piece.end) {
      text.insert(other.begin, content);
      replace(piece, "");
    } else if (other.end <= piece.begin) {
      replace(piece, "");
      text.insert(other.begin, content);
    }
  }
}

/// Lines of another text.
void TextMutator::splice() {
  StringRef foreign = dice.pick(texts);
  std::vector<Piece> lines = findLines(foreign), here = findLines(text);
  std::vector<Piece> blocks = findBlocks(foreign);
  if (here.empty() || lines.empty())
    return;
  Piece part = dice.pick(lines);
  if (!blocks.empty() && dice.chance(60))
    part = dice.pick(blocks);
  text.insert(dice.pick(here).begin, foreign.slice(part.begin, part.end).str());
}

/// Many levels around something that may be nested.
void TextMutator::nest() {
  std::vector<Piece> blocks = findBlocks(text);
  std::vector<Piece> numbers = findNumbers(text);
  size_t depth = dice.uniform(2, dice.chance(50) ? 40 : kMaxNesting);
  auto repeat = [&](StringRef what) {
    std::string all;
    for (size_t i = 0; i < depth; ++i)
      all += what;
    return all;
  };
  switch (dice.uniform(0, 3)) {
  case 0:
    if (!blocks.empty()) {
      Piece block = dice.pick(blocks);
      std::string open;
      for (size_t i = 0; i < depth; ++i)
        open += "affine.for %n" + std::to_string(i) + " = 0 to 2 {\n";
      replace(block, open + of(block) + repeat("}\n"));
    }
    return;
  case 1:
    if (!blocks.empty()) {
      Piece block = dice.pick(blocks);
      replace(block, repeat("affine.if affine_set<() : (0 >= 0)>() {\n") +
                         of(block) + repeat("}\n"));
    }
    return;
  case 2:
    if (!numbers.empty()) {
      Piece number = dice.pick(numbers);
      replace(number, repeat("(") + of(number) + repeat(" + 1)"));
    }
    return;
  default: {
    size_t at = text.find("#nestor.");
    if (at != std::string::npos)
      text.insert(at, repeat("#nestor.sequence<[#nestor.filter<stmts = [0], "
                             "child = "));
    else
      text += "\n\"a.b\"() {c = " + repeat("[") + repeat("]") + "} : () -> ()";
  }
  }
}

void TextMutator::damage() {
  switch (dice.weighted({10, 30, 30, 15, 12, 12, 4})) {
  case 0:
    return damageBytes();
  case 1:
    return damageTokens();
  case 2:
    return damageNumber();
  case 3:
    return damagePieces(findLines(text));
  case 4:
    return damagePieces(findBlocks(text));
  case 5:
    return splice();
  default:
    return nest();
  }
}

std::string TextMutator::run() {
  text = dice.pick(texts);
  text.resize(std::min(text.size(), kMaxText));
  for (int64_t count = dice.weighted({0, 50, 25, 15, 5, 5}); count > 0;
       --count) {
    damage();
    text.resize(std::min(text.size(), kMaxText));
  }
  if (dice.chance(2))
    text.resize(dice.uniform(0, int64_t(text.size())));
  return std::move(text);
}

std::string mlir::nestor::fuzz::mutateText(ArrayRef<std::string> texts,
                                           uint64_t seed) {
  return TextMutator(texts, seed).run();
}
