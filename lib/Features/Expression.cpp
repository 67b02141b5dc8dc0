//===- Expression.cpp - A statement's expression as tokens ----------------===//
//
// Features room. The expression that a statement stores, in post-order: each op
// follows its operands. A value that is used twice is written once and then
// referred to, so that tokens grow with the ops and not with the paths.
//
//===----------------------------------------------------------------------===//
#include "Program.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::nestor;

//===----------------------------------------------------------------------===//
// Kinds
//===----------------------------------------------------------------------===//

namespace {
/// Token kinds; leaves first. `count` is the place of an op among the counts of
/// the flag row.
enum Kind : unsigned {
  Load,
  Slot,
  Constant,
  Iv,
  Outside,
  Reuse,
  Add,
  Mul,
  Fma,
  Div,
  Max,
  Min,
  Neg,
  Abs,
  Sqrt,
  Exp,
  Log,
  Pow,
  Trig,
  Special,
  IntAdd,
  IntMul,
  IntDiv,
  Logic,
  Shift,
  Compare,
  Select,
  Cast,
  Sub,
  IntSub,
  Rem,
  IntRem,
  IntMax,
  IntMin,
  Other,
  NumKinds
};

struct KindInfo {
  const char *name;
  int count;      ///< place in kCountNames, -1 for leaves
  double latency; ///< cycles on common 64-bit cores, rounded
};

constexpr const char *kCountNames[] = {
    "add",     "mul",     "fma",     "div",     "min_max", "neg_abs",
    "sqrt",    "special", "int_add", "int_mul", "int_div", "logic",
    "compare", "select",  "cast",    "other"};

constexpr KindInfo kKinds[NumKinds] = {
    {"load", -1, 0},   {"slot", -1, 0},     {"constant", -1, 0},
    {"iv", -1, 0},     {"outside", -1, 0},  {"reuse", -1, 0},
    {"add", 0, 3},     {"mul", 1, 4},       {"fma", 2, 4},
    {"div", 3, 13},    {"max", 4, 4},       {"min", 4, 4},
    {"neg", 5, 1},     {"abs", 5, 1},       {"sqrt", 6, 18},
    {"exp", 7, 40},    {"log", 7, 40},      {"pow", 7, 80},
    {"trig", 7, 50},   {"special", 7, 50},  {"int_add", 8, 1},
    {"int_mul", 9, 3}, {"int_div", 10, 20}, {"logic", 11, 1},
    {"shift", 11, 1},  {"compare", 12, 3},  {"select", 13, 2},
    {"cast", 14, 4},   {"sub", 0, 3},       {"int_sub", 8, 1},
    {"rem", 7, 40},    {"int_rem", 10, 20}, {"int_max", 8, 1},
    {"int_min", 8, 1}, {"other", 15, 4}};

constexpr const char *kTypeNames[] = {"f16", "bf16",  "f32",       "f64",
                                      "i1",  "i8",    "i16",       "i32",
                                      "i64", "index", "other_type"};
constexpr unsigned kNumTypes = std::size(kTypeNames);
} // namespace

static Kind kindOf(StringRef op) {
  return llvm::StringSwitch<Kind>(op)
      .Case("arith.addf", Add)
      .Case("arith.subf", Sub)
      .Case("arith.mulf", Mul)
      .Case("arith.divf", Div)
      .Case("arith.remf", Rem)
      .Case("arith.negf", Neg)
      .Case("math.fma", Fma)
      .Cases({"arith.maximumf", "arith.maxnumf"}, Max)
      .Cases({"arith.minimumf", "arith.minnumf"}, Min)
      .Case("math.absf", Abs)
      .Cases({"math.sqrt", "math.rsqrt"}, Sqrt)
      .Cases({"math.exp", "math.exp2", "math.expm1"}, Exp)
      .Cases({"math.log", "math.log2", "math.log10", "math.log1p"}, Log)
      .Cases({"math.powf", "math.fpowi", "math.cbrt"}, Pow)
      .Cases({"math.sin", "math.cos", "math.tan"}, Trig)
      .StartsWith("math.ct", Logic)
      .Cases({"math.absi", "math.ipowi"}, IntMul)
      .Cases({"math.floor", "math.ceil", "math.round", "math.roundeven",
              "math.trunc", "math.copysign"},
             Cast)
      .StartsWith("math.", Special)
      .Cases({"arith.addi", "index.add"}, IntAdd)
      .Cases({"arith.subi", "index.sub"}, IntSub)
      .Cases({"arith.muli", "index.mul", "affine.apply"}, IntMul)
      .Cases({"arith.divsi", "arith.divui", "arith.ceildivsi",
              "arith.ceildivui", "arith.floordivsi"},
             IntDiv)
      .Cases({"arith.remsi", "arith.remui"}, IntRem)
      .Cases({"arith.maxsi", "arith.maxui", "affine.max"}, IntMax)
      .Cases({"arith.minsi", "arith.minui", "affine.min"}, IntMin)
      .Cases({"arith.andi", "arith.ori", "arith.xori"}, Logic)
      .Cases({"arith.shli", "arith.shrsi", "arith.shrui"}, Shift)
      .Cases({"arith.cmpf", "arith.cmpi"}, Compare)
      .Cases({"arith.select", "scf.if"}, Select)
      .Cases({"arith.extf", "arith.truncf", "arith.extsi", "arith.extui",
              "arith.trunci"},
             Cast)
      .Cases({"arith.sitofp", "arith.uitofp", "arith.fptosi", "arith.fptoui",
              "arith.index_cast", "arith.index_castui", "arith.bitcast"},
             Cast)
      .Default(Other);
}

static unsigned typePlace(Type type) {
  if (type.isF16())
    return 0;
  if (type.isBF16())
    return 1;
  if (type.isF32())
    return 2;
  if (type.isF64())
    return 3;
  if (type.isIndex())
    return 9;
  if (type.isInteger())
    switch (type.getIntOrFloatBitWidth()) {
    case 1:
      return 4;
    case 8:
      return 5;
    case 16:
      return 6;
    case 32:
      return 7;
    case 64:
      return 8;
    }
  return 10;
}

static arith::FastMathFlags fastMathOf(Operation *op) {
  auto flags = dyn_cast_if_present<arith::ArithFastMathInterface>(op);
  if (!flags || !flags.getFastMathFlagsAttr())
    return arith::FastMathFlags::none;
  return flags.getFastMathFlagsAttr().getValue();
}

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

namespace {
class ExpressionEncoder {
public:
  ExpressionEncoder(const Statement &stmt, ProgramStatement &out,
                    ExpressionCounts &counts)
      : out(out), counts(counts), ops(stmt.ops.begin(), stmt.ops.end()) {
    out.features.tokens.width = kTokenDim;
    for (auto [i, read] : llvm::enumerate(stmt.reads)) {
      Value value = read.op && read.op->getNumResults() ? read.op->getResult(0)
                                                        : read.slotValue;
      if (value)
        readOf.try_emplace(value, i);
    }
  }
  void encode(Value value);

private:
  struct Extra {
    double access = 0, value = 0, operands = 0, distance = 0;
  };
  void emit(Kind kind, Value value, Extra extra);
  void emitLeaf(Value value);
  void push(Value value);

  ProgramStatement &out;
  ExpressionCounts &counts;
  llvm::DenseSet<Operation *> ops;
  llvm::DenseMap<Value, unsigned> readOf;  // value -> number of the read
  llvm::DenseMap<Value, unsigned> written; // value -> token
  struct Frame {
    Operation *op;
    Value result;
    SmallVector<Value> operands;
    size_t next = 0;
  };
  SmallVector<Frame> stack; // instead of recursion: chains can be long
};
} // namespace

void ExpressionEncoder::emit(Kind kind, Value value, Extra extra) {
  Operation *op = value.getDefiningOp();
  arith::FastMathFlags fast =
      kKinds[kind].count >= 0 ? fastMathOf(op) : arith::FastMathFlags::none;
  RowWriter writer(out.features.tokens.data, kTokenDim);
  for (unsigned k = 0; k < NumKinds; ++k)
    writer.flag(k == kind);
  for (unsigned t = 0; t < kNumTypes; ++t)
    writer.flag(t == typePlace(value.getType()));
  writer.flag(bitEnumContainsAll(fast, arith::FastMathFlags::contract));
  writer.flag(bitEnumContainsAll(fast, arith::FastMathFlags::reassoc));
  writer.number(extra.access);
  writer.number(extra.value);
  writer.number(extra.operands);
  writer.number(extra.distance);
  if (kKinds[kind].count >= 0)
    counts.ops[kKinds[kind].count] += 1;
}

static double numberOf(Value value) {
  APFloat real(0.0);
  APInt integer;
  if (matchPattern(value, m_ConstantFloat(&real))) {
    bool losesInfo;
    real.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                 &losesInfo);
    return real.convertToDouble();
  }
  if (matchPattern(value, m_ConstantInt(&integer)))
    return integer.signedRoundToDouble();
  return 0;
}

void ExpressionEncoder::emitLeaf(Value value) {
  auto seen = written.find(value);
  unsigned here = out.features.tokens.size();
  if (seen != written.end())
    return emit(Reuse, value, {0, 0, 0, double(here - seen->second)});
  written[value] = here;
  auto read = readOf.find(value);
  if (read != readOf.end()) {
    bool isSlot = out.accesses[read->second + 1].summary.isSlot;
    return emit(isSlot ? Slot : Load, value, {read->second + 1.0, 0, 0, 0});
  }
  if (matchPattern(value, m_Constant())) {
    counts.constants += 1;
    return emit(Constant, value, {0, numberOf(value), 0, 0});
  }
  auto arg = dyn_cast<BlockArgument>(value);
  if (arg && isa<affine::AffineForOp>(arg.getOwner()->getParentOp())) {
    counts.ivs += 1;
    return emit(Iv, value, {});
  }
  counts.outside += 1;
  emit(Outside, value, {});
}

/// Starts on a value: a leaf is written at once, an op after its operands.
void ExpressionEncoder::push(Value value) {
  Operation *op = value.getDefiningOp();
  bool isLeaf = !op || !ops.contains(op) || readOf.count(value) ||
                written.count(value) || matchPattern(value, m_Constant());
  if (isLeaf)
    return emitLeaf(value);
  Frame frame{op, value, {}, 0};
  // A region's result stands for what its terminators give.
  op->walk([&](Operation *inner) {
    if (inner == op || inner->hasTrait<OpTrait::IsTerminator>())
      frame.operands.append(inner->operand_begin(), inner->operand_end());
  });
  stack.push_back(std::move(frame));
}

void ExpressionEncoder::encode(Value value) {
  push(value);
  while (!stack.empty()) {
    Frame &frame = stack.back();
    if (frame.next < frame.operands.size()) {
      push(frame.operands[frame.next++]); // may move the stack
      continue;
    }
    Frame done = stack.pop_back_val();
    written[done.result] = out.features.tokens.size();
    emit(kindOf(done.op->getName().getStringRef()), done.result,
         {0, 0, double(done.operands.size()), 0});
  }
}

//===----------------------------------------------------------------------===//
// Counts and latencies
//===----------------------------------------------------------------------===//

/// True if `op` is an addition that can take the multiplication `mul` in.
static bool fusesWith(Operation *op, Operation *mul) {
  return isa_and_nonnull<arith::MulFOp>(mul) && mul->hasOneUse() &&
         bitEnumContainsAll(fastMathOf(op), arith::FastMathFlags::contract) &&
         bitEnumContainsAll(fastMathOf(mul), arith::FastMathFlags::contract);
}

static Operation *fusedMul(Operation *op) {
  if (!isa<arith::AddFOp, arith::SubFOp>(op))
    return nullptr;
  for (Value operand : op->getOperands())
    if (fusesWith(op, operand.getDefiningOp()))
      return operand.getDefiningOp();
  return nullptr;
}

/// The longest latency from each value to the stored one.
static llvm::DenseMap<Value, double> latenciesTo(const Statement &stmt) {
  llvm::DenseMap<Value, double> latency;
  if (stmt.written)
    latency[stmt.written] = 0;
  llvm::DenseSet<Operation *> fused;
  for (Operation *op : llvm::reverse(stmt.ops)) {
    double below = -1;
    for (Value result : op->getResults())
      if (auto it = latency.find(result); it != latency.end())
        below = std::max(below, it->second);
    if (below < 0)
      continue;
    // A multiplication inside a fused one costs nothing more.
    bool isLoad = isa<affine::AffineLoadOp>(op);
    Kind kind = kindOf(op->getName().getStringRef());
    double own = isLoad || fused.contains(op) ? 0 : kKinds[kind].latency;
    if (Operation *mul = fusedMul(op)) {
      fused.insert(mul);
      own = kKinds[Fma].latency;
    }
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands()) {
        double &place = latency.try_emplace(operand, 0).first->second;
        place = std::max(place, below + own);
      }
    });
  }
  return latency;
}

static void setPathLatencies(const Statement &stmt, ProgramStatement &out,
                             ExpressionCounts &counts) {
  llvm::DenseMap<Value, double> latency = latenciesTo(stmt);
  for (auto [read, access] :
       llvm::zip(stmt.reads, llvm::drop_begin(out.accesses))) {
    Value value = read.op && read.op->getNumResults() ? read.op->getResult(0)
                                                      : read.slotValue;
    access.summary.pathLatency = latency.lookup(value);
    counts.latency = std::max(counts.latency, access.summary.pathLatency);
  }
}

static void setOperations(const Statement &stmt, const ExpressionCounts &counts,
                          StatementSummary &summary) {
  summary.adds = counts.ops[0];
  summary.muls = counts.ops[1];
  summary.fmas = counts.ops[2];
  summary.divs = counts.ops[3] + counts.ops[10];
  summary.sqrts = counts.ops[6];
  summary.specials = counts.ops[7];
  for (unsigned i : {4, 5, 8, 9, 11, 12, 13, 14, 15})
    summary.others += counts.ops[i];
  for (Operation *op : stmt.ops) {
    if (bitEnumContainsAll(fastMathOf(op), arith::FastMathFlags::contract))
      summary.contract = true;
    if (fusedMul(op) && summary.adds > 0 && summary.muls > 0) {
      summary.adds -= 1;
      summary.muls -= 1;
      summary.fmas += 1;
    }
  }
}

ExpressionCounts nestor::encodeExpression(const Scop &scop,
                                          const Statement &stmt,
                                          ProgramStatement &out) {
  ExpressionCounts counts;
  counts.ops.resize(std::size(kCountNames), 0.0);
  out.features.tokens.width = kTokenDim;
  if (stmt.written)
    ExpressionEncoder(stmt, out, counts).encode(stmt.written);
  setPathLatencies(stmt, out, counts);
  setOperations(stmt, counts, out.summary);
  return counts;
}

std::vector<std::string> nestor::expressionCountNames() {
  return {std::begin(kCountNames), std::end(kCountNames)};
}

std::vector<std::string> nestor::tokenNames() {
  std::vector<std::string> names;
  for (const KindInfo &kind : kKinds)
    names.push_back(kind.name);
  names.insert(names.end(), std::begin(kTypeNames), std::end(kTypeNames));
  for (const char *name :
       {"contract", "reassoc", "access", "value", "operands", "distance"})
    names.push_back(name);
  return names;
}
