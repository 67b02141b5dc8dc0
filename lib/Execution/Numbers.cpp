//===- Numbers.cpp - Scalars of every element type, and the fills ---------===//
//
// Execution room: inputs are a function of (argument number, element number)
// alone, so that every machine and every C peer computes the same ones.
//
//===----------------------------------------------------------------------===//
#include "Numbers.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>

using namespace mlir::nestor;
using llvm::APFloat;
using llvm::Error;
using llvm::StringRef;

static const llvm::fltSemantics &getSemantics(ElementKind kind) {
  switch (kind) {
  case ElementKind::F16:
    return APFloat::IEEEhalf();
  case ElementKind::BF16:
    return APFloat::BFloat();
  case ElementKind::F32:
    return APFloat::IEEEsingle();
  default:
    return APFloat::IEEEdouble();
  }
}

uint64_t mlir::nestor::encode(ElementKind kind, double value) {
  uint64_t bits = 0;
  if (kind == ElementKind::F64) {
    memcpy(&bits, &value, sizeof(value));
  } else if (kind == ElementKind::F32) { // APFloat is slow.
    float single = float(value);
    memcpy(&bits, &single, sizeof(single));
  } else if (isFloat(kind)) {
    APFloat number(value);
    bool losesInfo;
    number.convert(getSemantics(kind), APFloat::rmNearestTiesToEven,
                   &losesInfo);
    bits = number.bitcastToAPInt().getZExtValue();
  } else if (kind == ElementKind::I1) {
    bits = value != 0;
  } else {
    auto integer = int64_t(value);
    memcpy(&bits, &integer, getByteSize(kind));
  }
  return bits;
}

static APFloat toFloat(ElementKind kind, uint64_t bits) {
  return APFloat(getSemantics(kind), llvm::APInt(8 * getByteSize(kind), bits));
}

static int64_t toInteger(ElementKind kind, uint64_t bits) {
  if (kind == ElementKind::I1)
    return bits & 1;
  return llvm::SignExtend64(bits, 8 * getByteSize(kind));
}

double mlir::nestor::decode(ElementKind kind, uint64_t bits) {
  if (!isFloat(kind))
    return double(toInteger(kind, bits));
  if (kind == ElementKind::F64) {
    double value;
    memcpy(&value, &bits, sizeof(value));
    return value;
  }
  if (kind == ElementKind::F32) {
    float value;
    memcpy(&value, &bits, sizeof(value));
    return value;
  }
  APFloat number = toFloat(kind, bits);
  bool losesInfo;
  number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                 &losesInfo);
  return number.convertToDouble();
}

std::string mlir::nestor::printNumber(ElementKind kind, uint64_t bits) {
  if (!isFloat(kind))
    return std::to_string(toInteger(kind, bits));
  APFloat number = toFloat(kind, bits);
  if (number.isNaN()) // Two of them may differ in their bits only.
    return "nan:0x" + llvm::utohexstr(bits, /*LowerCase=*/true);
  llvm::SmallString<32> text;
  number.toString(text, /*FormatPrecision=*/0, /*FormatMaxPadding=*/6);
  if (llvm::StringRef(text).find_first_not_of("-0123456789") ==
      llvm::StringRef::npos)
    text += ".0";
  return std::string(text);
}

uint64_t mlir::nestor::loadBits(ElementKind kind, const char *data,
                                int64_t index) {
  unsigned bytes = getByteSize(kind);
  uint64_t bits = 0;
  memcpy(&bits, data + index * bytes, bytes);
  return bits;
}

//===----------------------------------------------------------------------===//
// Fills
//===----------------------------------------------------------------------===//

/// In [0, 1), from the argument's position and the element's number.
static double uniform(uint64_t position, uint64_t element) {
  uint64_t x = element + 0x9E3779B97F4A7C15 * (position + 1);
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
  x ^= x >> 31;
  return double(x >> 12) * 0x1p-52;
}

namespace {
/// What a fill sees of one element.
struct Place {
  const Argument &argument;
  uint64_t position, element;
  double u() const { return uniform(position, element); }
  int64_t firstExtent() const { return argument.shape.front(); }
};
struct Fill {
  const char *name;
  double (*value)(const Place &);
};
} // namespace

static double fillDefault(const Place &place) {
  // Small integers are exact in every type.
  return isFloat(place.argument.kind) ? 0.5 + place.u()
                                      : std::floor(4 * place.u());
}

static double fillPositiveDefinite(const Place &place) {
  uint64_t n = place.firstExtent();
  uint64_t row = place.element / n, column = place.element % n;
  double entry = 0.5 + uniform(place.position, std::max(row, column) * n +
                                                   std::min(row, column));
  return row == column ? entry + 2 * double(n) : entry;
}

static constexpr Fill kFills[] = {
    {"default", fillDefault},
    {"zero", [](const Place &) { return 0.0; }},
    {"small", [](const Place &p) { return p.u() / double(p.firstExtent()); }},
    {"spd", fillPositiveDefinite},
    {"seq", [](const Place &p) { return std::floor(4 * p.u()); }},
    {"dist", [](const Place &p) { return 1 + std::floor(100 * p.u()); }},
};

static Error checkFill(const Argument &argument, unsigned position,
                       StringRef name, const Fill *fill) {
  std::string where = "argument " + std::to_string(position);
  if (!fill) {
    std::string known;
    for (const Fill &each : kFills)
      known += std::string(known.empty() ? "" : ", ") + each.name;
    return llvm::createStringError(where + " has unknown nestor.init '" + name +
                                   "': use one of " + known);
  }
  llvm::ArrayRef<int64_t> shape = argument.shape;
  if (name == "spd" && (shape.size() != 2 || shape[0] != shape[1]))
    return llvm::createStringError(where +
                                   " has nestor.init 'spd', which "
                                   "needs a square matrix, but is " +
                                   argument.getTypeName());
  if (name == "small" && shape.empty())
    return llvm::createStringError(where +
                                   " has nestor.init 'small', which "
                                   "needs a dimension, but is " +
                                   argument.getTypeName());
  return Error::success();
}

Error mlir::nestor::fillBuffer(const Argument &argument, unsigned position,
                               char *data) {
  StringRef name = "default";
  if (!argument.init.empty())
    name = argument.init;
  const Fill *fill = llvm::find_if(
      kFills, [&](const Fill &each) { return name == each.name; });
  if (fill == std::end(kFills))
    fill = nullptr;
  if (Error error = checkFill(argument, position, name, fill))
    return error;
  unsigned bytes = getByteSize(argument.kind);
  int64_t count = argument.getNumElements();
  for (int64_t element = 0; element < count; ++element) {
    uint64_t bits = encode(
        argument.kind, fill->value({argument, position, uint64_t(element)}));
    memcpy(data + element * bytes, &bits, bytes);
  }
  return Error::success();
}

uint64_t mlir::nestor::getScalar(const Argument &argument) {
  double fallback = isFloat(argument.kind) ? 1.5 : 3;
  return encode(argument.kind, argument.value.value_or(fallback));
}
