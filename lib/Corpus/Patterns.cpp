//===- Patterns.cpp - Rectangular patterns of random programs -------------===//
//
// Corpus room, inside the generator: elementwise nests, data movement,
// stencils, reductions, contractions, convolutions.
//
//===----------------------------------------------------------------------===//
#include "Maker.h"

using namespace mlir;
using namespace mlir::nestor;
using namespace mlir::nestor::corpus;

static Dims range(unsigned first, unsigned last) {
  Dims dims;
  for (unsigned i = first; i < last; ++i)
    dims.push_back(i);
  return dims;
}

/// Some of the dims, at least `least` of them, in order.
static Dims subset(Rng &rng, Dims dims, unsigned least) {
  rng.shuffle(dims);
  dims.resize(rng.uniform(least, dims.size()));
  llvm::sort(dims);
  return dims;
}

//===----------------------------------------------------------------------===//
// Elementwise and movement
//===----------------------------------------------------------------------===//

/// One statement over all loops; reads `previous` results of the same body.
static Node elementwiseStatement(Maker &m, const Nest &nest, const Dims &all,
                                 std::vector<Tensor> &previous) {
  std::vector<Tensor> reads;
  std::vector<Expr> operands;
  if (!previous.empty() && m.rng.chance(70))
    reads.push_back(m.rng.pick(previous));
  unsigned count = 1 + m.rng.weighted({3, 4, 2, 1});
  while (reads.size() < count)
    reads.push_back(m.rng.chance(20) ? m.read(nest, subset(m.rng, all, 1))
                                     : m.read(nest, all));
  for (const Tensor &tensor : reads) {
    SmallVector<int64_t> offsets(all.size(), 0);
    if (m.rng.chance(10))
      m.rng.pick(offsets) = m.rng.uniform(-2, 2);
    operands.push_back(load(m.cell(nest, tensor, offsets)));
  }
  Tensor out = m.write(nest, all, reads);
  Expr value = m.combine(std::move(operands));
  Cell target = m.cell(nest, out);
  previous.push_back(out);
  if (!m.rng.chance(20))
    return store(target, std::move(value));
  return store(target, apply(Operator::Add, scaled(0.5, load(target)),
                             scaled(0.5, std::move(value))));
}

void mlir::nestor::corpus::makeElementwise(Maker &m) {
  unsigned rank = 1 + m.rng.weighted({2, 5, 3});
  Nest nest(m.context(), m.sizes(rank, rank, 3));
  Dims all = range(0, rank);
  unsigned count = 1 + m.rng.weighted({5, 3, 2});
  std::vector<Tensor> previous;
  if (m.rng.chance(50)) { // one body
    m.add(nest.loops(m.maybeShuffled(all, 40), [&] {
      Body body;
      for (unsigned i = 0; i < count; ++i)
        body.push_back(elementwiseStatement(m, nest, all, previous));
      return body;
    }));
    return;
  }
  for (unsigned i = 0; i < count; ++i)
    m.add(nest.loops(m.maybeShuffled(all, 40), [&]() -> Body {
      return {elementwiseStatement(m, nest, all, previous)};
    }));
}

void mlir::nestor::corpus::makeMovement(Maker &m) {
  unsigned rank = 1 + m.rng.weighted({1, 6, 3});
  Nest nest(m.context(), m.sizes(rank, rank, 1));
  Dims all = range(0, rank);
  bool isBroadcast = rank > 1 && m.rng.chance(30);
  Tensor in =
      isBroadcast ? m.read(nest, subset(m.rng, all, 1)) : m.read(nest, all);
  Tensor out = m.write(nest, all, {in});
  if (!isBroadcast && rank > 1 && in.dims == out.dims && m.rng.chance(60)) {
    out = m.fresh(nest, all); // a transpose
    out.dims.assign(in.dims.rbegin(), in.dims.rend());
    SmallVector<int64_t> &extents = m.sketch.arrays[out.array].extents;
    for (auto [extent, dim] : llvm::zip(extents, out.dims))
      extent = nest.size(dim);
  }
  bool isAccumulated = m.rng.chance(20);
  m.add(nest.loops(m.maybeShuffled(all, 50), [&]() -> Body {
    Cell target = m.cell(nest, out);
    Expr value = load(m.cell(nest, in));
    return {isAccumulated ? update(target, Operator::Add, std::move(value))
                          : store(target, std::move(value))};
  }));
}

//===----------------------------------------------------------------------===//
// Stencils
//===----------------------------------------------------------------------===//

using Offsets = std::vector<SmallVector<int64_t>>;

/// The neighbours that a stencil reads, the centre first.
static Offsets stencilShape(Rng &rng, unsigned rank, int64_t radius) {
  Offsets shape = {SmallVector<int64_t>(rank, 0)};
  unsigned kind = rank == 3 && radius > 1 ? 0 : rng.weighted({5, 3, 2});
  if (kind == 1) { // box
    int64_t width = 2 * radius + 1, count = 1;
    for (unsigned i = 0; i < rank; ++i)
      count *= width;
    for (int64_t i = 0; i < count; ++i) {
      SmallVector<int64_t> offset;
      for (int64_t rest = i, d = 0; d < rank; ++d, rest /= width)
        offset.push_back(rest % width - radius);
      if (i != count / 2)
        shape.push_back(offset);
    }
    return shape;
  }
  unsigned only = rng.uniform(0, rank - 1);
  for (unsigned d = 0; d < rank; ++d)
    for (int64_t o = -radius; o <= radius; ++o) {
      if (o == 0 || (kind == 2 && d != only)) // star, or a line
        continue;
      shape.push_back(SmallVector<int64_t>(rank, 0));
      shape.back()[d] = o;
    }
  return shape;
}

/// An average with weights that sum to 1: repeated any number of times, it
/// neither grows nor fades into denormal numbers.
static Expr average(std::vector<Expr> operands, unsigned form) {
  double count = operands.size();
  auto sumFrom = [&](size_t first, double weight) {
    Expr sum;
    for (size_t i = first; i < operands.size(); ++i) {
      Expr term = weight == 1 ? operands[i] : scaled(weight, operands[i]);
      sum = i == first ? std::move(term)
                       : apply(Operator::Add, std::move(sum), std::move(term));
    }
    return sum;
  };
  if (form == 0 || count == 1) // weight * (x + y + ...)
    return scaled(1 / count, sumFrom(0, 1));
  if (form == 1) // weight * x + weight * y + ...
    return sumFrom(0, 1 / count);
  // Diffusion: x + weight * (y + ... - n * x)
  Expr inner =
      apply(Operator::Sub, sumFrom(1, 1), scaled(count - 1, operands[0]));
  return apply(Operator::Add, operands[0],
               scaled(1 / (2 * count), std::move(inner)));
}

/// out = average of the neighbours in `in`, plus a source term now and then.
static Node stencilStatement(Maker &m, const Nest &nest, const Tensor &in,
                             const Tensor &out, const Offsets &shape,
                             const Tensor *source, unsigned form) {
  std::vector<Expr> operands;
  for (const auto &offset : shape)
    operands.push_back(load(m.cell(nest, in, offset)));
  Expr value = average(std::move(operands), form);
  if (source)
    value = apply(Operator::Add, std::move(value),
                  scaled(0.0625, load(m.cell(nest, *source))));
  return store(m.cell(nest, out), std::move(value));
}

void mlir::nestor::corpus::makeStencil(Maker &m) {
  unsigned rank = 1 + m.rng.weighted({2, 5, 3});
  int64_t radius = 1 + m.rng.weighted({7, 2, 1});
  Offsets shape = stencilShape(m.rng, rank, radius);
  bool hasTime = m.rng.chance(60), inPlace = m.rng.chance(30);
  int64_t steps = hasTime ? m.smallSize(2, 100) : 1;
  int64_t ops = std::max<int64_t>(1, steps) * int64_t(shape.size()) *
                (hasTime && !inPlace ? 2 : 1);
  Nest nest(m.context());
  bool insideBounds = m.rng.chance(60);
  for (int64_t size : m.sizes(rank, rank, ops))
    nest.addDim(insideBounds ? radius : 0,
                insideBounds ? std::max(size - radius, radius) : size);
  Dims all = range(0, rank), order = m.maybeShuffled(all, 20), time;
  if (hasTime)
    time.push_back(nest.addDim(0, steps));

  Tensor in = m.fresh(nest, all);
  bool hasSource = m.rng.chance(20);
  unsigned form = m.rng.weighted({5, 3, 2});
  Tensor source = hasSource ? m.read(nest, all) : Tensor();
  hasSource &= source.array != in.array;
  Tensor out = in;
  if (!inPlace) {
    out.array = m.sketch.addArray(m.sketch.arrays[in.array].extents);
    out.dims = in.dims;
  }
  bool copiesBack = m.rng.chance(40);
  m.add(nest.loops(time, [&] {
    Body body = nest.loops(order, [&]() -> Body {
      return {stencilStatement(m, nest, in, out, shape,
                               hasSource ? &source : nullptr, form)};
    });
    if (hasTime && !inPlace)
      append(body, nest.loops(order, [&]() -> Body {
        if (copiesBack)
          return {store(m.cell(nest, in), load(m.cell(nest, out)))};
        return {stencilStatement(m, nest, out, in, shape, nullptr, form)};
      }));
    return body;
  }));
}

/// Fields on a staggered grid that update each other in turn (as in FDTD).
void mlir::nestor::corpus::makeCoupledStencil(Maker &m) {
  unsigned rank = 1 + m.rng.weighted({3, 6, 1});
  int64_t steps = m.smallSize(2, 100);
  Nest nest(m.context());
  for (int64_t size :
       m.sizes(rank, rank, std::max<int64_t>(1, steps) * 3 * (rank + 1)))
    nest.addDim(1, std::max<int64_t>(1, size));
  Dims all = range(0, rank);
  unsigned time = nest.addDim(0, steps);
  Tensor centre = m.fresh(nest, all);
  std::vector<Tensor> fields;
  for (unsigned d = 0; d < rank; ++d)
    fields.push_back(m.fresh(nest, all));

  auto difference = [&](const Tensor &of, unsigned along, int64_t toward) {
    SmallVector<int64_t> offset(rank, 0);
    offset[along] = toward;
    Expr here = load(m.cell(nest, of)), there = load(m.cell(nest, of, offset));
    return scaled(0.125, toward < 0 ? apply(Operator::Sub, here, there)
                                    : apply(Operator::Sub, there, here));
  };
  m.add(nest.loops({time}, [&] {
    Body body;
    for (unsigned d = 0; d < rank; ++d)
      append(body, nest.loops(all, [&]() -> Body {
        return {update(m.cell(nest, fields[d]), Operator::Sub,
                       difference(centre, d, -1))};
      }));
    append(body, nest.loops(all, [&]() -> Body {
      Expr sum = difference(fields[0], 0, 1);
      for (unsigned d = 1; d < rank; ++d)
        sum = apply(Operator::Add, std::move(sum), difference(fields[d], d, 1));
      return {update(m.cell(nest, centre), Operator::Sub, std::move(sum))};
    }));
    return body;
  }));
}

//===----------------------------------------------------------------------===//
// Reductions and contractions
//===----------------------------------------------------------------------===//

void mlir::nestor::corpus::makeReduction(Maker &m) {
  unsigned rank = 1 + m.rng.weighted({1, 6, 3});
  Nest nest(m.context(), m.sizes(rank, rank, 2));
  Dims kept = subset(m.rng, range(0, rank), 0), reduced;
  if (kept.size() == rank)
    kept.erase(kept.begin() + m.rng.uniform(0, rank - 1));
  for (unsigned d = 0; d < rank; ++d)
    if (!llvm::is_contained(kept, d))
      reduced.push_back(d);
  std::vector<Tensor> reads = {m.read(nest, range(0, rank))};
  if (m.rng.chance(40))
    reads.push_back(m.rng.chance(50) ? m.read(nest, range(0, rank))
                                     : m.read(nest, reduced));
  Tensor out = kept.empty() ? m.scalar() : m.write(nest, kept, reads);
  Operator op = std::array{Operator::Add, Operator::Max,
                           Operator::Min}[m.rng.weighted({8, 2, 1})];
  bool isSquare = m.rng.chance(15);
  m.accumulate(nest, out, kept, reduced, op, [&] {
    Expr value = load(m.cell(nest, reads[0]));
    if (isSquare)
      value = apply(Operator::Mul, value, value);
    if (reads.size() > 1)
      value =
          apply(Operator::Mul, std::move(value), load(m.cell(nest, reads[1])));
    return value;
  });
}

/// Sums of products over any index sets: matrix-vector, matmul in every order
/// and transposition, batched, tensor contractions of three to six loops.
void mlir::nestor::corpus::makeContraction(Maker &m) {
  unsigned numLeft = m.rng.weighted({1, 8, 2});
  unsigned numRight = numLeft == 0 ? 1 : m.rng.weighted({2, 8, 1});
  unsigned numReduced = 1 + m.rng.weighted({8, 2});
  unsigned numBatch = numLeft + numRight + numReduced < 5 && m.rng.chance(15);
  unsigned count = numLeft + numRight + numReduced + numBatch;
  bool hasFactor = m.rng.chance(25);
  unsigned rank = std::max(
      {numLeft + numReduced, numRight + numReduced, numLeft + numRight});
  Nest nest(m.context(), m.sizes(count, rank + numBatch, 2 + hasFactor));
  Dims left = range(0, numLeft);
  Dims right = range(numLeft, numLeft + numRight);
  Dims reduced = range(numLeft + numRight, count - numBatch);
  Dims batch = range(count - numBatch, count);

  auto joined = [](Dims a, const Dims &b, const Dims &c) {
    a.append(b.begin(), b.end());
    a.append(c.begin(), c.end());
    return a;
  };
  Tensor a = m.read(nest, m.maybeShuffled(joined(batch, left, reduced), 25));
  Tensor b = m.read(nest, m.maybeShuffled(joined(batch, reduced, right), 35));
  Dims kept = joined(batch, left, right);
  Tensor c = m.write(nest, kept, {a, b});
  double factor = inverse(nest.size(reduced.front()));
  m.accumulate(nest, c, kept, reduced, Operator::Add, [&] {
    Expr x = load(m.cell(nest, a)), y = load(m.cell(nest, b));
    if (hasFactor)
      x = scaled(factor, std::move(x));
    return apply(Operator::Mul, std::move(x), std::move(y));
  });
}

/// Convolutions and pooling in one or two spatial dimensions, with or without
/// channels, strided or not.
void mlir::nestor::corpus::makeConvolution(Maker &m) {
  unsigned spatial = m.rng.chance(30) ? 1 : 2;
  bool isPooling = m.rng.chance(25), hasChannels = m.rng.chance(60);
  int64_t width = m.isFuzz() ? m.rng.uniform(0, 3) : m.rng.uniform(2, 7);
  int64_t stride = m.rng.chance(25) ? 2 : 1, ops = 2;
  for (unsigned i = 0; i < spatial; ++i)
    ops *= std::max<int64_t>(1, width);
  unsigned numOut = spatial + hasChannels;
  bool reducesChannels = hasChannels && !isPooling;
  Nest nest(m.context(),
            m.sizes(numOut + reducesChannels, numOut + reducesChannels, ops));
  Dims out = range(0, numOut), reduced, window;
  unsigned firstSpatial = hasChannels; // loop 0 is the output channel
  if (reducesChannels)
    reduced.push_back(numOut);
  for (unsigned i = 0; i < spatial; ++i)
    window.push_back(nest.addDim(0, width));
  reduced.append(window);

  Tensor result = m.write(nest, out, {});
  Dims weightDims = window;
  if (reducesChannels)
    weightDims.insert(weightDims.begin(), {0u, numOut});
  Tensor weights = isPooling ? Tensor() : m.fresh(nest, weightDims);
  SmallVector<int64_t> extents;
  if (hasChannels)
    extents.push_back(nest.size(reducesChannels ? numOut : 0));
  for (unsigned i = 0; i < spatial; ++i)
    extents.push_back(nest.size(firstSpatial + i) * stride + width);
  unsigned image = m.sketch.addArray(extents);

  Operator op = isPooling ? (m.rng.chance(70) ? Operator::Max : Operator::Add)
                          : Operator::Add;
  m.accumulate(nest, result, out, reduced, op, [&] {
    Cell cell;
    cell.array = image;
    if (hasChannels)
      cell.index.push_back(nest[reducesChannels ? numOut : 0]);
    for (unsigned i = 0; i < spatial; ++i)
      cell.index.push_back(nest[firstSpatial + i] * stride + nest[window[i]]);
    Expr value = load(std::move(cell));
    if (!isPooling)
      value =
          apply(Operator::Mul, std::move(value), load(m.cell(nest, weights)));
    return value;
  });
}
