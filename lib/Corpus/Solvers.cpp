//===- Solvers.cpp - Triangular, imperfect and carried patterns -----------===//
//
// Corpus room, inside the generator: triangular products, factorizations and
// solves, imperfect matrix-vector nests, row normalization, recurrences and
// min-plus closures. In-place updates are scaled so that values stay bounded.
//
//===----------------------------------------------------------------------===//
#include "Maker.h"

using namespace mlir;
using namespace mlir::nestor;
using namespace mlir::nestor::corpus;

static Expr product(Expr a, Expr b) {
  return apply(Operator::Mul, std::move(a), std::move(b));
}

/// A cell of `array` indexed by these loops.
static Cell at(const Nest &nest, const Tensor &array, ArrayRef<unsigned> dims) {
  Cell cell;
  cell.array = array.array;
  for (unsigned dim : dims)
    cell.index.push_back(nest[dim]);
  return cell;
}

//===----------------------------------------------------------------------===//
// Triangular
//===----------------------------------------------------------------------===//

/// Rank-k updates and covariance: C[i][j] (+)= A[i][k] * A[j][k], j <= i.
static void makeRankUpdate(Maker &m) {
  SmallVector<int64_t> sizes = m.sizes(2, 2, 2);
  int64_t n = sizes[0];
  m.nestWork = m.nestWork / std::max<int64_t>(1, n) * 2;
  Nest nest(m.context(), {n, n, sizes[1]});
  bool isUpper = m.rng.chance(40), isTransposed = m.rng.chance(50);
  nest.order(isUpper ? 0 : 1, isUpper ? 1 : 0, m.rng.chance(20));
  Tensor a = m.read(nest, isTransposed ? Dims{2, 0} : Dims{0, 2});
  bool hasSecond = m.rng.chance(40);
  Tensor b = hasSecond ? m.read(nest, a.dims) : a;
  if (b.dims != a.dims)
    b = a;
  Tensor c = m.write(nest, {0, 1}, {a, b});
  auto over = [&](const Tensor &tensor, unsigned row) {
    return load(
        at(nest, tensor, tensor.dims[0] == 2 ? Dims{2, row} : Dims{row, 2}));
  };
  m.accumulate(nest, c, {0, 1}, {2}, Operator::Add, [&] {
    Expr value = product(over(a, 0), over(b, 1));
    if (hasSecond)
      value = apply(Operator::Add, std::move(value),
                    product(over(b, 0), over(a, 1)));
    return value;
  });
}

/// Triangular times dense, in place or not: C[i][j] += A[i][k] * B[k][j].
static void makeTriangularTimesDense(Maker &m) {
  SmallVector<int64_t> sizes = m.sizes(2, 2, 2);
  int64_t n = sizes[0];
  Nest nest(m.context(), {n, sizes[1], n});
  bool isUpper = m.rng.chance(50), inPlace = m.rng.chance(40);
  nest.order(isUpper ? 0 : 2, isUpper ? 2 : 0, inPlace || m.rng.chance(40));
  Tensor a = m.fresh(nest, {0, 2});
  if (!inPlace) {
    Tensor b = m.read(nest, {2, 1});
    Tensor c = m.write(nest, {0, 1}, {a, b});
    m.accumulate(nest, c, {0, 1}, {2}, Operator::Add, [&] {
      return product(load(m.cell(nest, a)), load(m.cell(nest, b)));
    });
    return;
  }
  Tensor b = m.fresh(nest, {0, 1});
  b.dims = {0, 1};
  m.sketch.arrays[b.array].extents = {n, sizes[1]};
  double factor = inverse(n) / 8;
  m.add(nest.loops(m.maybeShuffled({0, 1}, 30), [&] {
    Body body = nest.loops({2}, [&]() -> Body {
      return {update(at(nest, b, {0, 1}), Operator::Add,
                     scaled(factor, product(load(m.cell(nest, a)),
                                            load(at(nest, b, {2, 1})))))};
    });
    Cell target = at(nest, b, {0, 1});
    body.push_back(store(target, apply(Operator::Add, scaled(0.5, load(target)),
                                       number(0.375))));
    return body;
  }));
}

/// Symmetric times dense, of which one triangle is stored.
static void makeSymmetricTimesDense(Maker &m) {
  SmallVector<int64_t> sizes = m.sizes(2, 2, 4);
  int64_t n = sizes[0];
  Nest nest(m.context(), {n, sizes[1], n});
  nest.order(2, 0, true);
  Tensor a = m.fresh(nest, {0, 2}), b = m.fresh(nest, {0, 1});
  a.dims = {0, 2};
  b.dims = {0, 1};
  m.sketch.arrays[b.array].extents = {n, sizes[1]};
  Tensor c = m.fresh(nest, {0, 1});
  m.sketch.arrays[c.array].extents = {n, sizes[1]};
  Tensor sum = m.scalar();
  ArraySketch &sumArray = m.sketch.arrays[sum.array];
  sumArray.isLocal = sumArray.extents.empty() && m.rng.chance(50);
  m.add(nest.loops({0, 1}, [&] {
    Body body = {store(m.cell(nest, sum), number(0))};
    append(body, nest.loops({2}, [&]() -> Body {
      return {
          update(at(nest, c, {2, 1}), Operator::Add,
                 product(load(at(nest, b, {0, 1})), load(at(nest, a, {0, 2})))),
          update(
              m.cell(nest, sum), Operator::Add,
              product(load(at(nest, b, {2, 1})), load(at(nest, a, {0, 2}))))};
    }));
    Cell target = at(nest, c, {0, 1});
    Expr own = product(load(at(nest, b, {0, 1})), load(at(nest, a, {0, 0})));
    body.push_back(store(target, apply(Operator::Add, scaled(0.5, load(target)),
                                       apply(Operator::Add, std::move(own),
                                             load(m.cell(nest, sum))))));
    return body;
  }));
}

void mlir::nestor::corpus::makeTriangularProduct(Maker &m) {
  switch (m.rng.weighted({5, 4, 1})) {
  case 0:
    return makeRankUpdate(m);
  case 1:
    return makeTriangularTimesDense(m);
  default:
    return makeSymmetricTimesDense(m);
  }
}

//===----------------------------------------------------------------------===//
// Factorizations and solves
//===----------------------------------------------------------------------===//

/// Size of a square matrix of which n^3/3 points are computed.
static int64_t squareSize(Maker &m, unsigned power) {
  return m.sizes(power, 2, 1).front();
}

/// A[i][j] -= factor * A[i][k] * A[k][j], the update of LU and its kin.
static Node eliminate(const Nest &nest, const Tensor &a, double factor,
                      Dims target, Dims left, Dims right) {
  return update(at(nest, a, target), Operator::Sub,
                scaled(factor, product(load(at(nest, a, left)),
                                       load(at(nest, a, right)))));
}

/// Right-looking LU: column, then trailing update, for each k.
static void makeRightLooking(Maker &m) {
  int64_t n = squareSize(m, 3);
  Nest nest(m.context(), {n, n, n, n}); // k, i, j, i of the column
  nest.order(0, 1, true);
  nest.order(0, 2, true);
  nest.order(0, 3, true);
  bool isSymmetric = m.rng.chance(30);
  if (isSymmetric)
    nest.order(2, 1, false);
  Tensor a = m.fresh(nest, {0, 1});
  double factor = inverse(n) / 8;
  if (m.rng.chance(30)) { // the update alone, in any order
    m.add(nest.loops(m.maybeShuffled({0, 1, 2}, 80), [&]() -> Body {
      return {eliminate(nest, a, factor, {1, 2}, {1, 0}, {0, 2})};
    }));
    return;
  }
  Dims order = m.maybeShuffled({1, 2}, 40);
  m.add(nest.loops({0}, [&] {
    Body body = nest.loops({3}, [&]() -> Body {
      Cell column = at(nest, a, {3, 0});
      return {
          store(column, safeDivide(load(column), load(at(nest, a, {0, 0}))))};
    });
    append(body, nest.loops(order, [&]() -> Body {
      return {eliminate(nest, a, factor, {1, 2}, {1, 0},
                        isSymmetric ? Dims{2, 0} : Dims{0, 2})};
    }));
    return body;
  }));
}

/// Row by row: every entry gets its dot product, then a division or a root.
static void makeLeftLooking(Maker &m) {
  int64_t n = squareSize(m, 3);
  bool isSymmetric = m.rng.chance(50);
  Nest nest(m.context(), {n, n, n, n, n}); // i, j < i, k < j, j' >= i, k' < i
  nest.order(1, 0, true);
  nest.order(2, 1, true);
  nest.order(0, 3, false);
  nest.order(4, 0, true);
  Tensor a = m.fresh(nest, {0, 1});
  double factor = inverse(n) / 8;
  m.add(nest.loops({0}, [&] {
    Body body = nest.loops({1}, [&] {
      Body row = nest.loops({2}, [&]() -> Body {
        return {eliminate(nest, a, factor, {0, 1}, {0, 2},
                          isSymmetric ? Dims{1, 2} : Dims{2, 1})};
      });
      Cell target = at(nest, a, {0, 1});
      row.push_back(
          store(target, safeDivide(load(target), load(at(nest, a, {1, 1})))));
      return row;
    });
    if (isSymmetric) {
      append(body, nest.loops({4}, [&]() -> Body {
        return {eliminate(nest, a, factor, {0, 0}, {0, 4}, {0, 4})};
      }));
      Cell diagonal = at(nest, a, {0, 0});
      body.push_back(
          store(diagonal,
                unary(Operator::Sqrt, unary(Operator::Abs, load(diagonal)))));
      return body;
    }
    append(body, nest.loops({3, 4}, [&]() -> Body {
      return {eliminate(nest, a, factor, {0, 3}, {0, 4}, {4, 3})};
    }));
    return body;
  }));
}

/// Forward substitution with one or many right-hand sides.
static void makeSubstitution(Maker &m) {
  bool isMatrix = m.rng.chance(50);
  SmallVector<int64_t> sizes = m.sizes(2, 2, 1);
  int64_t n = isMatrix ? squareSize(m, 3) : sizes[0];
  Nest nest(m.context(), {n, n, isMatrix ? sizes[1] : 1}); // i, j < i, column
  nest.order(1, 0, true);
  Tensor l = m.fresh(nest, {0, 1});
  Dims columns = isMatrix ? Dims{2} : Dims{};
  Tensor x = isMatrix ? m.fresh(nest, {0, 2}) : m.fresh(nest, {0});
  Tensor b = isMatrix ? m.fresh(nest, {0, 2}) : m.fresh(nest, {0});
  auto of = [&](const Tensor &vector, unsigned row) {
    Dims dims = {row};
    dims.append(columns);
    return at(nest, vector, dims);
  };
  double factor = inverse(n) / 8;
  Dims outer = {0}, inner = {1}, all = {0};
  all.append(columns);
  bool columnsOutside = m.rng.chance(50);
  outer.insert(columnsOutside ? outer.begin() : outer.end(), columns.begin(),
               columns.end());
  m.add(nest.loops(outer, [&] {
    Body body = {store(of(x, 0), load(of(b, 0)))};
    append(body, nest.loops(inner, [&]() -> Body {
      return {update(
          of(x, 0), Operator::Sub,
          scaled(factor, product(load(m.cell(nest, l)), load(of(x, 1)))))};
    }));
    body.push_back(
        store(of(x, 0), safeDivide(load(of(x, 0)), load(at(nest, l, {0, 0})))));
    return body;
  }));
}

void mlir::nestor::corpus::makeSolver(Maker &m) {
  switch (m.rng.weighted({4, 4, 4})) {
  case 0:
    return makeRightLooking(m);
  case 1:
    return makeLeftLooking(m);
  default:
    return makeSubstitution(m);
  }
}

/// Banded matrix times vector or matrix; bounds are max and min of two.
void mlir::nestor::corpus::makeBanded(Maker &m) {
  bool isMatrix = m.rng.chance(50);
  int64_t width = m.smallSize(2, 40);
  SmallVector<int64_t> sizes =
      m.sizes(2, isMatrix ? 2 : 1, 2 * (2 * width + 1));
  Nest nest(m.context(), {sizes[0], sizes[0], isMatrix ? sizes[1] : 1});
  nest.band(1, 0, width);
  Dims columns = isMatrix ? Dims{2} : Dims{};
  Dims inner = {1}, outer = {0};
  inner.append(columns);
  outer.append(columns);
  Tensor in = m.read(nest, inner), band = m.fresh(nest, {0});
  m.sketch.arrays[band.array].extents = {sizes[0], 2 * width + 1};
  Tensor out = m.write(nest, outer, {band, in});
  m.accumulate(nest, out, outer, {1}, Operator::Add, [&] {
    // Diagonals are stored as columns.
    Cell cell = at(nest, band, {0});
    cell.index.push_back(nest[1] - nest[0] + width);
    return product(load(std::move(cell)), load(m.cell(nest, in)));
  });
}

//===----------------------------------------------------------------------===//
// Imperfect nests
//===----------------------------------------------------------------------===//

/// Several matrix-vector products in one nest, with rows initialized in front
/// of the inner loop and scaled behind it (mvt, bicg, atax, gesummv and kin).
void mlir::nestor::corpus::makeMatrixVector(Maker &m) {
  unsigned count = 1 + m.rng.weighted({3, 5, 2});
  SmallVector<int64_t> sizes = m.sizes(2, 2, 2 * count);
  if (m.rng.chance(30))
    sizes[1] = sizes[0]; // square: transposed accesses may share an array
  Nest nest(m.context(), {sizes[0], sizes[1], sizes[1]}); // i, j, second j
  bool usesRowSum = m.rng.chance(30), hasScale = m.rng.chance(40);
  Tensor matrix = m.read(nest, {0, 1});
  std::vector<Tensor> matrices(count, matrix);
  std::vector<Tensor> vectors;
  for (unsigned i = 0; i < count; ++i) {
    if (i && m.rng.chance(50))
      matrices[i] = m.read(nest, {0, 1});
    vectors.push_back(i == 0 ? m.read(nest, {1}) : m.read(nest, {0}));
  }
  // Made last: no vector that is read may be one of these.
  Tensor row = m.fresh(nest, {0}), column = m.fresh(nest, {1});
  bool swapped = !usesRowSum && !hasScale && m.rng.chance(40);
  auto product2 = [&](unsigned i) {
    return product(load(m.cell(nest, matrices[i])),
                   load(m.cell(nest, vectors[i])));
  };
  auto statements = [&] {
    Body body = {update(m.cell(nest, row), Operator::Add, product2(0))};
    for (unsigned i = 1; i < count; ++i)
      body.push_back(update(m.cell(nest, column), Operator::Add, product2(i)));
    return body;
  };
  if (swapped) {
    m.add(nest.loops({1, 0}, statements));
    return;
  }
  m.add(nest.loops({0}, [&] {
    Body body = {store(m.cell(nest, row), number(0))};
    append(body, nest.loops({1}, statements));
    if (hasScale)
      body.push_back(
          store(m.cell(nest, row), scaled(1.5, load(m.cell(nest, row)))));
    if (usesRowSum && matrix.dims.size() == 2) {
      Dims dims = matrix.dims[0] == 0 ? Dims{0, 2} : Dims{2, 0};
      append(body, nest.loops({2}, [&]() -> Body {
        return {update(
            at(nest, column, {2}), Operator::Add,
            product(load(at(nest, matrix, dims)), load(m.cell(nest, row))))};
      }));
    }
    return body;
  }));
}

/// Row statistics, then every row normalized by them (softmax, layer norm).
void mlir::nestor::corpus::makeNormalization(Maker &m) {
  Nest nest(m.context(), m.sizes(2, 2, 6));
  Tensor in = m.read(nest, {0, 1});
  Tensor out = m.write(nest, {0, 1}, {in});
  Tensor mean = m.fresh(nest, {0}), spread = m.fresh(nest, {0});
  bool isMaximum = m.rng.chance(50), isFused = m.rng.chance(50);
  double factor = inverse(nest.size(1));
  Dims inner = m.maybeShuffled({0, 1}, 30);
  auto centred = [&] {
    return apply(Operator::Sub, load(m.cell(nest, in)),
                 load(m.cell(nest, mean)));
  };
  auto first = [&]() -> Body {
    Expr value = load(m.cell(nest, in));
    return {isMaximum
                ? update(m.cell(nest, mean), Operator::Max, std::move(value))
                : update(m.cell(nest, mean), Operator::Add,
                         scaled(factor, std::move(value)))};
  };
  auto second = [&]() -> Body {
    return {update(m.cell(nest, spread), Operator::Add,
                   scaled(factor, product(centred(), centred())))};
  };
  auto third = [&]() -> Body {
    return {store(m.cell(nest, out),
                  safeDivide(centred(), load(m.cell(nest, spread))))};
  };
  auto init = [&]() -> Body {
    return {store(m.cell(nest, mean), number(0)),
            store(m.cell(nest, spread), number(0))};
  };
  if (isFused) {
    m.add(nest.loops({0}, [&] {
      Body body = init();
      append(body, nest.loops({1}, first));
      append(body, nest.loops({1}, second));
      append(body, nest.loops({1}, third));
      return body;
    }));
    return;
  }
  m.add(nest.loops({0}, init));
  m.add(nest.loops(inner, first));
  m.add(nest.loops(inner, second));
  m.add(nest.loops(m.maybeShuffled({0, 1}, 30), third));
}

//===----------------------------------------------------------------------===//
// Carried dependences
//===----------------------------------------------------------------------===//

/// Scans along one dimension, forward or backward, and wavefronts.
void mlir::nestor::corpus::makeRecurrence(Maker &m) {
  unsigned rank = 2 + m.rng.weighted({8, 2});
  Nest nest(m.context());
  Dims all;
  for (int64_t size : m.sizes(rank, rank, 4))
    all.push_back(nest.addDim(1, std::max<int64_t>(size, 1)));
  bool isWavefront = m.rng.chance(35), isBackward = m.rng.chance(30);
  unsigned along = m.rng.uniform(0, rank - 1);
  Tensor x = m.fresh(nest, all), y = m.read(nest, all);
  if (y.array == x.array)
    y = m.fresh(nest, all);
  unsigned kind = m.rng.weighted({6, 2});
  m.add(nest.loops(m.maybeShuffled(all, 50), [&]() -> Body {
    auto neighbour = [&](unsigned dim, int64_t by) {
      SmallVector<int64_t> offset(rank, 0);
      offset[dim] = by;
      return load(m.cell(nest, x, offset));
    };
    Expr before = neighbour(along, -1);
    if (isWavefront) {
      Expr other = neighbour((along + 1) % rank, -1);
      before = kind ? apply(Operator::Max, std::move(before), std::move(other))
                    : scaled(0.5, apply(Operator::Add, std::move(before),
                                        std::move(other)));
    }
    Expr value = apply(Operator::Add, scaled(0.5, std::move(before)),
                       scaled(0.5, load(m.cell(nest, y))));
    Node node = store(m.cell(nest, x), std::move(value));
    if (isBackward) { // the loop `along` counts down through the arrays
      AffineExpr iv = nest[along];
      AffineExpr reversed = nest.constant(nest.size(along)) - iv;
      Body body = {std::move(node)};
      forEachCell(body, [&](Cell &cell) {
        for (AffineExpr &expr : cell.index)
          expr = expr.replace(iv, reversed);
      });
      return body;
    }
    return {std::move(node)};
  }));
}

/// All-pairs closures: path[i][j] = min(path[i][j], path[i][k] + path[k][j]).
void mlir::nestor::corpus::makeMinPlus(Maker &m) {
  int64_t n = squareSize(m, 3);
  Nest nest(m.context(), {n, n, n});
  Tensor path = m.fresh(nest, {0, 1});
  bool inPlace = m.rng.chance(60);
  Tensor out = inPlace ? path : m.fresh(nest, {0, 1});
  Dims order = m.rng.chance(70) ? Dims{2, 0, 1} : Dims{0, 1, 2};
  m.add(nest.loops(order, [&]() -> Body {
    return {update(at(nest, out, {0, 1}), Operator::Min,
                   apply(Operator::Add, load(at(nest, path, {0, 2})),
                         load(at(nest, path, {2, 1}))))};
  }));
}
