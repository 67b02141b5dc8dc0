//===- Program.cpp - What features need of the program itself -------------===//
//
// Features room. Extents of source loops, accesses and the rows that depend on
// the program only; see Program.h and, for the rules, docs/features.md.
//
//===----------------------------------------------------------------------===//
#include "Program.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Support/xxhash.h"
#include <cmath>

using namespace mlir;
using namespace mlir::nestor;

float nestor::scaled(double x) {
  if (x == 0)
    return 0;
  double magnitude = std::log1p(std::abs(bounded(x)));
  return static_cast<float>(x < 0 ? -magnitude : magnitude);
}

void RowWriter::coefs(const LinearForm &form, ArrayRef<unsigned> places) {
  double row[kSourceDims] = {};
  for (unsigned d = 0; d < form.coef.size(); ++d)
    row[places[d]] += form.coef[d];
  for (double c : row)
    number(c);
}

//===----------------------------------------------------------------------===//
// Source loops
//===----------------------------------------------------------------------===//

/// Enclosing loops of a loop, outermost first.
static SmallVector<const LoopExtent *, 8>
ancestorsOf(const Scop &scop, const std::vector<LoopExtent> &loops, int loop) {
  SmallVector<const LoopExtent *, 8> chain;
  for (int up = scop.loops[loop].parent; up >= 0; up = scop.loops[up].parent)
    chain.push_back(&loops[up]);
  std::reverse(chain.begin(), chain.end());
  return chain;
}

namespace {
/// Where the loops around an expression are.
struct Box {
  SmallVector<double, 8> mean;
  SmallVector<Interval, 8> values;
  explicit Box(ArrayRef<const LoopExtent *> loops) {
    for (const LoopExtent *loop : loops) {
      mean.push_back(loop->mean);
      values.push_back(loop->values);
    }
  }
};
} // namespace

static SmallVector<LinearForm, 2> linearizeAll(AffineMap map,
                                               ArrayRef<double> paramValues) {
  SmallVector<LinearForm, 2> forms;
  for (AffineExpr expr : map.getResults())
    forms.push_back(linearize(expr, map.getNumDims(), paramValues));
  return forms;
}

/// The mean of max(x, 0) where x is `mean` on average and spread evenly over
/// the range.
static double clippedMean(double mean, Interval range) {
  if (range.lo >= 0)
    return std::max(mean, 0.0);
  if (range.hi <= 0)
    return 0;
  return range.hi * range.hi / (2 * (range.hi - range.lo));
}

/// Trips of a loop over `distance` values in the given step.
static double tripsOf(const LinearForm &distance, double mean, double step) {
  if (distance.isConstant())
    return std::ceil(mean / step);
  return mean > 0 ? mean / step + (step - 1) / (2 * step) : 0;
}

/// Mean and largest trip count: the smallest over all pairs of a lower and an
/// upper bound, each taken for itself.
static void setTrips(LoopExtent &loop, ArrayRef<LinearForm> lower,
                     ArrayRef<LinearForm> upper, const Box &box) {
  double meanTrip = 1e30, maxTrip = 1e30;
  for (const LinearForm &u : upper)
    for (const LinearForm &l : lower) {
      LinearForm distance = u;
      distance.add(l, -1);
      Interval range = distance.range(box.values);
      double mean = clippedMean(distance.eval(box.mean), range);
      meanTrip = std::min(meanTrip, tripsOf(distance, mean, loop.step));
      maxTrip = std::min(maxTrip, std::ceil(range.hi / loop.step));
    }
  loop.meanTrip = std::max(0.0, bounded(meanTrip));
  loop.maxTrip = std::max(loop.meanTrip, bounded(maxTrip));
}

/// The bound that is tightest at the mean; `sign` is 1 for lower bounds.
static const LinearForm &tightest(ArrayRef<LinearForm> forms, const Box &box,
                                  double sign) {
  const LinearForm *best = &forms.front();
  for (const LinearForm &form : forms)
    if (sign * form.eval(box.mean) > sign * best->eval(box.mean))
      best = &form;
  return *best;
}

static uint32_t dimsOf(ArrayRef<LinearForm> forms) {
  uint32_t mask = 0;
  for (const LinearForm &form : forms)
    for (unsigned d = 0; d < form.coef.size() && d < 32; ++d)
      if (form.coef[d] != 0)
        mask |= 1u << d;
  return mask;
}

static LoopExtent analyseLoop(const SourceLoop &loop,
                              ArrayRef<const LoopExtent *> ancestors,
                              ArrayRef<double> paramValues) {
  LoopExtent extent;
  extent.step = std::max<double>(1, loop.step);
  SmallVector<LinearForm, 2> lower = linearizeAll(loop.lowerBound, paramValues);
  SmallVector<LinearForm, 2> upper = linearizeAll(loop.upperBound, paramValues);
  if (lower.empty() || upper.empty())
    return extent;
  Box box(ancestors);
  setTrips(extent, lower, upper, box);
  extent.lower = tightest(lower, box, 1);
  extent.upper = tightest(upper, box, -1);
  extent.numLower = lower.size();
  extent.numUpper = upper.size();
  extent.dependsOn = dimsOf(lower) | dimsOf(upper);
  for (const LinearForm &form : llvm::concat<LinearForm>(lower, upper))
    extent.parametric |= form.paramSum != 0 || form.paramValue != 0;

  extent.values = {-1e30, 1e30};
  for (const LinearForm &form : lower)
    extent.values.lo = std::max(extent.values.lo, form.range(box.values).lo);
  for (const LinearForm &form : upper)
    extent.values.hi =
        std::min(extent.values.hi, form.range(box.values).hi - 1);
  extent.values.hi = std::max(extent.values.hi, extent.values.lo);
  extent.mean = extent.lower.eval(box.mean) +
                extent.step * std::max(0.0, extent.meanTrip - 1) / 2;
  return extent;
}

//===----------------------------------------------------------------------===//
// Sets
//===----------------------------------------------------------------------===//

/// The values of `form` in a nest. Inner loops are replaced by the bound at
/// which the form is smallest (or largest), so that what is known of i - j
/// where j stops at i is not lost; the loops' own ranges give a second limit.
static Interval rangeInNest(const LinearForm &form,
                            ArrayRef<const LoopExtent *> loops,
                            ArrayRef<Interval> box) {
  Interval result = form.range(box), tight;
  for (bool smallest : {true, false}) {
    LinearForm rest = form;
    for (unsigned d = std::min(rest.coef.size(), loops.size()); d-- > 0;) {
      double c = rest.coef[d];
      if (c == 0)
        continue;
      bool isLower = (c > 0) == smallest;
      rest.coef[d] = 0;
      rest.add(isLower ? loops[d]->lower : loops[d]->upper, c);
      rest.constant -= isLower ? 0 : c;
    }
    (smallest ? tight.lo : tight.hi) = bounded(rest.constant + rest.paramValue);
  }
  result = {std::max(result.lo, tight.lo), std::min(result.hi, tight.hi)};
  if (result.lo > result.hi)
    result.hi = result.lo;
  return result;
}

double nestor::shareOfSet(const IntegerSet &set,
                          ArrayRef<const LoopExtent *> loops,
                          ArrayRef<double> paramValues) {
  Box box(loops);
  double share = 1;
  for (unsigned i = 0; i < set.getNumConstraints(); ++i) {
    LinearForm form =
        linearize(set.getConstraint(i), set.getNumDims(), paramValues);
    Interval range = rangeInNest(form, loops, box.values);
    double count = range.hi - range.lo + 1; // at least 1
    bool holdsSomewhere =
        set.isEq(i) ? range.lo <= 0 && range.hi >= 0 : range.hi >= 0;
    double holding = set.isEq(i) ? 1 : std::min(range.hi + 1, count);
    share *= holdsSomewhere ? holding / count : 0;
  }
  return share;
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

static double bytesOf(Type type) {
  if (type.isIndex())
    return 8;
  return type.isIntOrFloat() ? std::max(1u, type.getIntOrFloatBitWidth() / 8)
                             : 8;
}

/// Extents of all arrays. An extent that is not known is the largest subscript
/// seen, plus one.
static std::vector<SmallVector<double>>
findExtents(const Scop &scop, const std::vector<ProgramStatement> &statements,
            ArrayRef<double> paramValues) {
  std::vector<SmallVector<double>> extents;
  for (const Array &array : scop.arrays) {
    extents.emplace_back();
    for (int64_t size : array.shape)
      extents.back().push_back(ShapedType::isDynamic(size) ? 0 : size);
  }
  auto visit = [&](const Access &access, const Box &box) {
    const Array &array = scop.arrays[access.array];
    for (unsigned d = 0; d < access.map.getNumResults(); ++d) {
      if (d >= array.shape.size() || !ShapedType::isDynamic(array.shape[d]))
        continue;
      LinearForm form = linearize(access.map.getResult(d),
                                  access.map.getNumDims(), paramValues);
      double &extent = extents[access.array][d];
      extent = std::max(extent, form.range(box.values).hi + 1);
    }
  };
  for (auto [stmt, program] : llvm::zip(scop.statements, statements)) {
    Box box(program.loops);
    visit(stmt.write, box);
    for (const Access &read : stmt.reads)
      visit(read, box);
  }
  for (auto &sizes : extents)
    for (double &size : sizes)
      size = std::max(1.0, bounded(size));
  return extents;
}

/// Folds the leading dimensions, row-major, until kArrayDims are left.
static void foldDims(ProgramAccess &access, ArrayRef<double> extents) {
  unsigned rank = std::min<unsigned>(access.rows.size(), extents.size());
  unsigned folded = rank > kArrayDims ? rank - kArrayDims : 0;
  SmallVector<LinearForm, kArrayDims> rows;
  double firstExtent = 1;
  for (unsigned d = 0; d < rank; ++d) {
    double extent = extents[d];
    if (d <= folded)
      firstExtent = bounded(firstExtent * extent);
    if (d > 0 && d <= folded) {
      rows.front().scale(extent);
      rows.front().add(access.rows[d], 1);
      extent = firstExtent;
    } else {
      rows.push_back(access.rows[d]);
    }
    access.summary.extent[rows.size() - 1] = extent;
  }
  access.rows = std::move(rows);
  access.summary.rank = access.rows.size();
}

/// Strides of a memref with a layout; empty where rows follow one another.
static SmallVector<int64_t> layoutStrides(const Array &array, unsigned rank) {
  SmallVector<int64_t> strides;
  int64_t offset;
  if (array.isSlot() || array.shape.size() != rank)
    return {};
  auto type = cast<MemRefType>(array.memref.getType());
  bool known = !type.getLayout().isIdentity() &&
               succeeded(type.getStridesAndOffset(strides, offset)) &&
               !llvm::is_contained(strides, ShapedType::kDynamic);
  return known ? strides : SmallVector<int64_t>();
}

static ProgramAccess analyseAccess(const Scop &scop, const Access &access,
                                   unsigned numLoops, ArrayRef<double> extents,
                                   ArrayRef<double> paramValues) {
  const Array &array = scop.arrays[access.array];
  ProgramAccess result;
  AccessSummary &summary = result.summary;
  summary.array = access.array;
  summary.isWrite = access.isWrite;
  summary.isSlot = array.isSlot();
  summary.bytes = bytesOf(array.elementType);
  result.rank = array.shape.size();
  for (AffineExpr expr : access.map.getResults()) {
    result.rows.push_back(linearize(expr, numLoops, paramValues));
    result.isNonlinear |= !result.rows.back().exact;
  }
  result.isDynamic = llvm::any_of(array.shape, ShapedType::isDynamic);
  result.isNonlinear |= !access.isExact();
  foldDims(result, extents);
  SmallVector<int64_t> layout = layoutStrides(array, summary.rank);
  double stride = 1;
  for (unsigned d = summary.rank; d-- > 0;) {
    summary.stride[d] = layout.empty() ? stride : std::abs(layout[d]);
    summary.offset[d] = result.rows[d].constant + result.rows[d].paramValue;
    stride = bounded(stride * summary.extent[d]);
  }
  result.arrayCells = stride;
  return result;
}

/// True if both accesses are to the same cell in every instance.
static bool isSameCell(const Access &a, const Access &b) {
  return a.array == b.array && a.map == b.map;
}

static void analyseAccesses(const Scop &scop, const Statement &stmt,
                            const std::vector<SmallVector<double>> &extents,
                            ArrayRef<double> paramValues,
                            ProgramStatement &program) {
  auto add = [&](const Access &access) {
    program.accesses.push_back(analyseAccess(
        scop, access, stmt.getDepth(), extents[access.array], paramValues));
  };
  add(stmt.write);
  program.accesses.front().summary.isWrite = true;
  for (const Access &read : stmt.reads) {
    add(read);
    program.accesses.back().summary.isAccumulator =
        isSameCell(read, stmt.write);
  }
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// The loops that an expression moves with; of several, such as i + k, the one
/// that moves it furthest is named first, then the outermost.
static SmallVector<unsigned, 8> namedLoops(const LinearForm &form) {
  SmallVector<unsigned, 8> named;
  for (unsigned d = 0; d < form.coef.size(); ++d)
    if (form.coef[d] != 0)
      named.push_back(d);
  llvm::stable_sort(named, [&](unsigned a, unsigned b) {
    return std::abs(form.coef[a]) > std::abs(form.coef[b]);
  });
  return named;
}

/// Gives every loop its place: in the order in which the subscripts name the
/// loops, the write's first. A program has the same rows in whatever order its
/// loops are written. Loops that no subscript names follow by depth; a
/// statement in too many loops keeps their order, the outermost at place 0.
static SmallVector<unsigned, 8> placeLoops(const ProgramStatement &program) {
  unsigned numLoops = program.loops.size();
  SmallVector<unsigned, 8> places(numLoops, kSourceDims);
  if (numLoops > kSourceDims) {
    unsigned folded = numLoops - kSourceDims;
    for (unsigned d = 0; d < numLoops; ++d)
      places[d] = d < folded ? 0 : d - folded;
    return places;
  }
  unsigned next = 0;
  auto place = [&](unsigned d) {
    if (places[d] == kSourceDims)
      places[d] = next++;
  };
  for (const ProgramAccess &access : program.accesses)
    for (const LinearForm &subscript : access.rows)
      for (unsigned d : namedLoops(subscript))
        place(d);
  for (unsigned d = 0; d < numLoops; ++d)
    place(d);
  return places;
}

/// The bounds of one source loop, and its trips.
static void domainLoopRow(const LoopExtent &loop,
                          const ProgramStatement &program, double outerMean,
                          double outerMax, std::vector<float> &row) {
  RowWriter writer(row, kDomainLoopDim);
  for (const LinearForm *bound : {&loop.lower, &loop.upper}) {
    writer.coefs(*bound, program.places);
    writer.number(bound->constant);
    writer.number(bound->paramSum);
  }
  writer.flag(true);
  writer.flag(loop.parametric);
  writer.number(loop.step);
  writer.number(outerMean * loop.meanTrip);
  writer.number(outerMax * loop.maxTrip);
  writer.number(loop.numLower);
  writer.number(loop.numUpper);
}

static std::vector<float> domainRow(const ProgramStatement &program) {
  ArrayRef<const LoopExtent *> loops = program.loops;
  // Of loops that share the first place the innermost is shown, with the
  // product of all trips.
  SmallVector<int> shown(kSourceDims, -1);
  for (unsigned d = 0; d < loops.size(); ++d)
    shown[program.places[d]] = d;
  std::vector<float> row;
  for (unsigned place = 0; place < kSourceDims; ++place) {
    if (shown[place] < 0) {
      row.resize(row.size() + kDomainLoopDim, 0.0f);
      continue;
    }
    double meanTrip = 1, maxTrip = 1;
    for (int d = 0; d < shown[place]; ++d)
      if (program.places[d] == place) {
        meanTrip *= loops[d]->meanTrip;
        maxTrip *= loops[d]->maxTrip;
      }
    domainLoopRow(*loops[shown[place]], program, meanTrip, maxTrip, row);
  }
  return row;
}

static std::vector<float> flagRow(const Scop &scop, const Statement &stmt,
                                  const ProgramStatement &program,
                                  const ExpressionCounts &counts,
                                  double guardShare) {
  const StatementSummary &summary = program.summary;
  llvm::SmallBitVector arrays(scop.arrays.size());
  arrays.set(stmt.write.array);
  unsigned slotReads = 0, constraints = 0;
  for (const Access &read : stmt.reads) {
    arrays.set(read.array);
    slotReads += scop.arrays[read.array].isSlot();
  }
  for (const Guard &guard : stmt.guards)
    constraints += guard.set.getNumConstraints();
  double carried = 0;
  bool parametric = false;
  for (const ProgramAccess &access : program.accesses) {
    parametric |= access.isDynamic;
    if (access.summary.isAccumulator)
      carried = std::max(carried, access.summary.pathLatency);
  }
  for (const LoopExtent *loop : program.loops)
    parametric |= loop->parametric;

  std::vector<float> row;
  RowWriter writer(row, kFlagDim);
  writer.flag(stmt.isReduction);
  writer.flag(scop.arrays[stmt.write.array].isSlot());
  writer.flag(scop.arrays[stmt.write.array].liveOut);
  writer.flag(summary.mayReassociate);
  writer.flag(summary.contract);
  writer.flag(summary.isFloat);
  writer.flag(summary.guarded);
  writer.flag(parametric);
  writer.flag(program.instances == 0);
  writer.share(guardShare);
  writer.number(program.loops.size());
  writer.number(stmt.reads.size());
  writer.number(slotReads);
  writer.number(constraints);
  writer.number(summary.bytes);
  writer.number(program.instances);
  writer.number(counts.latency);
  writer.number(carried);
  writer.number(arrays.count());
  writer.number(program.features.tokens.size());
  for (double count : counts.ops)
    writer.number(count);
  writer.number(counts.constants);
  writer.number(counts.ivs);
  writer.number(counts.outside);
  writer.number(summary.adds + summary.muls + 2 * summary.fmas + summary.divs);
  return row;
}

/// The row of an access; what the schedule decides is left 0 (see
/// Features.cpp).
static std::vector<float> accessRow(const ProgramAccess &access,
                                    ArrayRef<unsigned> places,
                                    uint32_t target) {
  const AccessSummary &summary = access.summary;
  std::vector<float> row;
  RowWriter writer(row, kAccessDim);
  writer.flag(summary.isWrite);
  writer.flag(summary.isSlot);
  writer.flag(summary.isAccumulator);
  writer.flag(!summary.isWrite && summary.array == target);
  writer.flag(access.isNonlinear);
  writer.flag(access.isDynamic);
  writer.number(summary.array + 1.0);
  writer.number(access.rank);
  writer.number(summary.bytes);
  writer.number(access.arrayCells * summary.bytes);
  writer.number(summary.pathLatency);
  for (unsigned d = 0; d < kArrayDims; ++d) {
    bool exists = d < summary.rank;
    writer.number(summary.extent[d]);
    writer.number(summary.stride[d]);
    writer.coefs(exists ? access.rows[d] : LinearForm(), places);
    writer.number(exists ? access.rows[d].constant : 0);
    writer.number(exists ? access.rows[d].paramSum : 0);
  }
  for (unsigned i = 0; i < kScheduledAccessDim; ++i)
    writer.flag(false);
  return row;
}

static uint64_t hashRows(const StatementFeatures &features) {
  uint64_t hash = 0;
  for (const std::vector<float> *row :
       {&features.flags, &features.domain, &features.tokens.data}) {
    auto *bytes = reinterpret_cast<const uint8_t *>(row->data());
    hash = hash * 0x9e3779b97f4a7c15ULL +
           llvm::xxh3_64bits({bytes, row->size() * sizeof(float)});
  }
  return hash;
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

static double guardShareOf(const Statement &stmt,
                           ArrayRef<const LoopExtent *> loops,
                           ArrayRef<double> paramValues) {
  double share = 1;
  for (const Guard &guard : stmt.guards) {
    double holds = shareOfSet(guard.set, loops, paramValues);
    share *= guard.negated ? 1 - holds : holds;
  }
  return share;
}

static void finishStatement(const Scop &scop, const Statement &stmt,
                            ArrayRef<double> paramValues,
                            ProgramStatement &program) {
  StatementSummary &summary = program.summary;
  summary.bytes = program.accesses.front().summary.bytes;
  summary.isFloat = isa<FloatType>(scop.arrays[stmt.write.array].elementType);
  summary.isReduction = stmt.isReduction;
  summary.guarded = !stmt.guards.empty();
  summary.mayReassociate =
      stmt.isReduction && scop.mayReassociate(stmt, /*reassociateAll=*/false);
  ExpressionCounts counts = encodeExpression(scop, stmt, program);

  double guardShare = guardShareOf(stmt, program.loops, paramValues);
  program.instances = guardShare;
  for (const LoopExtent *loop : program.loops)
    program.instances = bounded(program.instances * loop->meanTrip);
  program.features.flags = flagRow(scop, stmt, program, counts, guardShare);
  program.features.domain = domainRow(program);
  for (ProgramAccess &access : program.accesses)
    access.row = accessRow(access, program.places,
                           program.accesses.front().summary.array);
  program.features.programKey = hashRows(program.features);
}

ProgramFeatures::ProgramFeatures(const Scop &scop) : scop(scop) {
  for (Value param : scop.params) {
    IntegerAttr known;
    bool isKnown = matchPattern(param, m_Constant(&known));
    paramValues.push_back(isKnown ? known.getValue().getSExtValue()
                                  : kUnknownSize);
  }
  loops.reserve(scop.loops.size()); // pointers into it are kept
  for (unsigned i = 0; i < scop.loops.size(); ++i)
    loops.push_back(
        analyseLoop(scop.loops[i], ancestorsOf(scop, loops, i), paramValues));
  for (const Statement &stmt : scop.statements) {
    statements.emplace_back();
    for (unsigned loop : stmt.loops)
      statements.back().loops.push_back(&loops[loop]);
  }
  auto extents = findExtents(scop, statements, paramValues);
  for (auto [stmt, program] : llvm::zip(scop.statements, statements)) {
    analyseAccesses(scop, stmt, extents, paramValues, program);
    program.places = placeLoops(program);
    finishStatement(scop, stmt, paramValues, program);
  }
}
