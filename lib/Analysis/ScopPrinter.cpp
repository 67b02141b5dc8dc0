//===- ScopPrinter.cpp - A scop's hash and its printed form ---------------===//
//
// Analysis room. The hash says which program a schedule was made for; it covers
// ops, types, attributes and the use of values, but no names and no locations.
//
//===----------------------------------------------------------------------===//
#include "nestor/Analysis/FaultInjection.h"
#include "nestor/Analysis/Scop.h"
#include "nestor/Dialect/Nestor.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace mlir::nestor;

namespace {
/// Writes ops with values numbered in order of appearance.
class CanonicalWriter {
public:
  explicit CanonicalWriter(raw_ostream &os) : os(os) {}
  void write(Operation *op);

private:
  unsigned number(Value value) {
    return numbers.try_emplace(value, numbers.size()).first->second;
  }
  raw_ostream &os;
  llvm::DenseMap<Value, unsigned> numbers;
};
} // namespace

void CanonicalWriter::write(Operation *op) {
  os << op->getName().getStringRef();
  for (Value operand : op->getOperands()) {
    bool known = numbers.count(operand);
    os << ' ' << number(operand);
    if (!known)
      os << ':' << operand.getType();
  }
  for (NamedAttribute attr : op->getAttrs())
    if (!attr.getName().getValue().starts_with("nestor."))
      os << ' ' << attr.getName().getValue() << '=' << attr.getValue();
  for (Value result : op->getResults())
    os << " >" << number(result) << ':' << result.getType();
  for (Region &region : op->getRegions()) {
    os << " {";
    for (Block &block : region) {
      for (Value arg : block.getArguments())
        os << " ^" << number(arg) << ':' << arg.getType();
      os << '\n';
      for (Operation &inner : block)
        write(&inner);
    }
    os << '}';
  }
  os << '\n';
}

std::string Scop::getHash() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  CanonicalWriter writer(os);
  for (Operation *op = first;; op = op->getNextNode()) {
    writer.write(op);
    if (op == last)
      break;
  }
  // Which arrays may overlap is part of what a schedule relies on.
  for (MayAlias pair : mayAlias)
    os << pair.a << '~' << pair.b << '\n';
  return llvm::utohexstr(llvm::xxh3_64bits(text), /*LowerCase=*/true, 16);
}

bool Scop::mayReassociate(const Statement &stmt, bool reassociateAll) const {
  Operation *op = stmt.reductionOp;
  if (!op)
    return false;
  if (injectedFault() == Fault::Reductions)
    return true;
  if (auto fast = dyn_cast<arith::ArithFastMathInterface>(op)) {
    if (isa<arith::MaximumFOp, arith::MinimumFOp>(op) || reassociateAll)
      return true;
    return bitEnumContainsAll(fast.getFastMathFlagsAttr().getValue(),
                              arith::FastMathFlags::reassoc);
  }
  return true; // integers wrap: every order gives the same result
}

static void printAccess(raw_ostream &os, const Scop &scop,
                        const Access &access) {
  os << (scop.arrays[access.array].isSlot() ? "slot" : "array") << access.array
     << ' ' << AffineMapAttr::get(access.map);
  for (auto [dim, unknown] : llvm::enumerate(access.unknown))
    if (unknown)
      os << " any d" << dim;
}

static void printStatement(raw_ostream &os, const Scop &scop, unsigned number,
                           unsigned indent) {
  const Statement &stmt = scop.statements[number];
  os.indent(indent) << "S" << number << ": writes ";
  printAccess(os, scop, stmt.write);
  for (const Access &write : stmt.moreWrites) {
    os << ", writes ";
    printAccess(os, scop, write);
  }
  for (const Access &read : stmt.reads) {
    os << ", reads ";
    printAccess(os, scop, read);
  }
  for (const Guard &guard : stmt.guards)
    os << ", " << (guard.negated ? "unless " : "if ")
       << IntegerSetAttr::get(guard.set);
  if (stmt.effect)
    os << ", copies " << stmt.effect->getName();
  os << (stmt.isReduction ? ", reduction\n" : "\n");
}

static void printItems(raw_ostream &os, const Scop &scop,
                       ArrayRef<SourceItem> items, unsigned indent) {
  for (const SourceItem &item : items) {
    if (!item.isLoop) {
      printStatement(os, scop, item.index, indent);
      continue;
    }
    const SourceLoop &loop = scop.loops[item.index];
    os.indent(indent) << "L" << item.index << ": from "
                      << AffineMapAttr::get(loop.lowerBound) << " to "
                      << AffineMapAttr::get(loop.upperBound) << " step "
                      << loop.step << '\n';
    printItems(os, scop, item.children, indent + 2);
  }
}

void Scop::print(raw_ostream &os) const {
  os << "scop " << getHash() << '\n';
  for (auto [i, array] : llvm::enumerate(arrays)) {
    os << "  " << (array.isSlot() ? "slot" : "array") << i << ": ";
    if (array.isSlot())
      os << array.elementType;
    else
      os << array.memref.getType();
    os << (array.liveOut ? ", live out\n" : "\n");
  }
  for (MayAlias pair : mayAlias)
    os << "  array" << pair.a << " may overlap array" << pair.b << '\n';
  printItems(os, *this, order, 2);
}
