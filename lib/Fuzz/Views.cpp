//===- Views.cpp - Other memrefs of the same memory -----------------------===//
//
// Fuzz room, inside the generator. Each makes a new array out of those in
// scope; both are used afterwards.
//
//===----------------------------------------------------------------------===//
#include "ProgramMaker.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::nestor::fuzz;

void ProgramMaker::addArray(Value memref, ArrayRef<int64_t> extents,
                            bool isWritable, bool isView) {
  Array array;
  array.memref = memref;
  array.extents.assign(extents.begin(), extents.end());
  array.isWritable = isWritable;
  array.isView = isView;
  arrays.push_back(std::move(array));
}

std::optional<unsigned> ProgramMaker::sameTypeAs(const Array &source) {
  SmallVector<unsigned> fitting;
  for (auto [i, array] : llvm::enumerate(arrays))
    if (array.getType() == source.getType() &&
        array.extents == source.extents && array.memref != source.memref &&
        array.isWritable == source.isWritable)
      fitting.push_back(i);
  if (fitting.empty())
    return std::nullopt;
  return dice.pick(fitting);
}

void ProgramMaker::view() {
  for (unsigned tries = 0; tries < 4; ++tries) {
    Array source = dice.pick(arrays);
    bool made = false;
    switch (dice.uniform(0, 11)) {
    case 0:
      made = castView(source);
      break;
    case 1:
    case 2:
      made = subview(source);
      break;
    case 3:
      made = collapse(source);
      break;
    case 4:
      made = expand(source);
      break;
    case 5:
      made = reinterpret(source);
      break;
    case 6:
      made = transposeView(source);
      break;
    case 7:
      made = bytesView();
      break;
    case 8:
      made = selectView(source);
      break;
    case 9:
      made = reverseView(source);
      break;
    case 10:
      made = unrankedView(source);
      break;
    default:
      made = dice.chance(50) ? yieldedView(source) : calledView(source);
      break;
    }
    if (made)
      return;
  }
}

/// Without its extents.
bool ProgramMaker::castView(const Array &source) {
  MemRefType type = source.getType();
  if (!type.hasStaticShape() || !type.getLayout().isIdentity() ||
      source.extents.empty())
    return false;
  SmallVector<int64_t> shape(source.extents);
  for (int64_t &extent : shape)
    if (dice.chance(60))
      extent = ShapedType::kDynamic;
  auto cast = memref::CastOp::create(
      b, loc, MemRefType::get(shape, type.getElementType()), source.memref);
  addArray(cast, source.extents, source.isWritable);
  return true;
}

bool ProgramMaker::subview(const Array &source) {
  if (source.extents.empty())
    return false;
  SmallVector<OpFoldResult> offsets, sizes, strides;
  SmallVector<int64_t> extents;
  for (int64_t extent : source.extents) {
    int64_t size = dice.uniform(1, extent);
    int64_t stride =
        size > 1 && dice.chance(30) && 2 * (size - 1) < extent ? 2 : 1;
    int64_t room = extent - 1 - (size - 1) * stride;
    if (dice.chance(25))
      offsets.push_back(applyAffine(drawSubscript(room + 1)));
    else
      offsets.push_back(b.getIndexAttr(dice.uniform(0, room)));
    sizes.push_back(b.getIndexAttr(size));
    strides.push_back(b.getIndexAttr(stride));
    extents.push_back(size);
  }
  auto op =
      memref::SubViewOp::create(b, loc, source.memref, offsets, sizes, strides);
  addArray(op, extents, source.isWritable);
  return true;
}

bool ProgramMaker::collapse(const Array &source) {
  MemRefType type = source.getType();
  if (type.getRank() < 2 || !type.getLayout().isIdentity())
    return false;
  SmallVector<ReassociationIndices> groups(1);
  SmallVector<int64_t> extents{1};
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (dim > 0 && dim + 1 == type.getRank() && dim > 1 && dice.chance(50)) {
      groups.push_back({});
      extents.push_back(1);
    }
    groups.back().push_back(dim);
    extents.back() *= source.extents[dim];
  }
  auto op = memref::CollapseShapeOp::create(b, loc, source.memref, groups);
  addArray(op, extents, source.isWritable);
  return true;
}

bool ProgramMaker::expand(const Array &source) {
  MemRefType type = source.getType();
  if (type.getRank() != 1 || !type.hasStaticShape() ||
      source.extents[0] % 2 != 0 || !type.getLayout().isIdentity())
    return false;
  SmallVector<int64_t> extents{2, source.extents[0] / 2};
  SmallVector<ReassociationIndices> groups{{0, 1}};
  auto op = memref::ExpandShapeOp::create(
      b, loc, MemRefType::get(extents, type.getElementType()), source.memref,
      groups);
  addArray(op, extents, source.isWritable);
  return true;
}

/// Other strides over the same cells, a stride of zero among them.
bool ProgramMaker::reinterpret(const Array &source) {
  MemRefType type = source.getType();
  int64_t cells = 1;
  for (int64_t extent : source.extents)
    cells *= extent;
  if (!type.getLayout().isIdentity() || cells < 2)
    return false;
  SmallVector<int64_t> extents, strides;
  int64_t offset = dice.uniform(0, 1), left = cells - 1 - offset;
  for (int64_t rank = dice.uniform(1, 2); rank > 0; --rank) {
    int64_t extent = dice.uniform(1, std::min<int64_t>(5, left + 1));
    int64_t most = extent > 1 ? left / (extent - 1) : 1;
    int64_t stride =
        dice.chance(18) ? 0 : dice.uniform(1, std::clamp<int64_t>(most, 1, 6));
    if (extent > 1 && stride > most)
      return false;
    extents.push_back(extent);
    strides.push_back(stride);
    left -= (extent - 1) * stride;
  }
  auto layout = StridedLayoutAttr::get(context, offset, strides);
  auto result = MemRefType::get(extents, type.getElementType(), layout);
  auto op = memref::ReinterpretCastOp::create(b, loc, result, source.memref,
                                              offset, extents, strides);
  addArray(op, extents, source.isWritable);
  return true;
}

/// Backwards, with a negative stride.
bool ProgramMaker::reverseView(const Array &source) {
  MemRefType type = source.getType();
  if (source.extents.size() != 1 || !type.getLayout().isIdentity())
    return false;
  int64_t extent = source.extents[0];
  SmallVector<int64_t> strides{-1};
  auto layout = StridedLayoutAttr::get(context, extent - 1, strides);
  auto result = MemRefType::get(source.extents, type.getElementType(), layout);
  auto op = memref::ReinterpretCastOp::create(
      b, loc, result, source.memref, extent - 1, source.extents, strides);
  addArray(op, source.extents, source.isWritable);
  return true;
}

/// By way of a memref whose rank is not known.
bool ProgramMaker::unrankedView(const Array &source) {
  MemRefType type = source.getType();
  auto unranked = memref::CastOp::create(
      b, loc,
      UnrankedMemRefType::get(type.getElementType(), type.getMemorySpace()),
      source.memref);
  addArray(memref::CastOp::create(b, loc, type, unranked), source.extents,
           source.isWritable);
  return true;
}

bool ProgramMaker::transposeView(const Array &source) {
  if (source.extents.size() != 2)
    return false;
  auto map = AffineMap::getPermutationMap(ArrayRef<unsigned>{1, 0}, context);
  auto op = memref::TransposeOp::create(b, loc, source.memref,
                                        AffineMapAttr::get(map));
  addArray(op, {source.extents[1], source.extents[0]}, source.isWritable);
  return true;
}

/// Two typed windows on one buffer of bytes, which may overlap.
bool ProgramMaker::bytesView() {
  Type element = dice.pick(types);
  int64_t bytes = getBytes(element);
  if (depth > 0 || isa<VectorType>(element))
    return false;
  auto buffer = memref::AllocaOp::create(
      b, loc, MemRefType::get({256}, b.getI8Type()), b.getI64IntegerAttr(64));
  SmallVector<int64_t> all{256 / bytes};
  auto window = [&](int64_t offset, int64_t extent) {
    Value start = constantIndex(offset * bytes);
    auto op = memref::ViewOp::create(b, loc, MemRefType::get({extent}, element),
                                     buffer, start, ValueRange());
    addArray(op, {extent});
  };
  window(0, all[0]);
  fillArray(arrays.size() - 1);
  window(dice.uniform(0, 6), dice.uniform(4, 8));
  return true;
}

/// One of two memrefs, by a condition that only a run knows.
bool ProgramMaker::selectView(const Array &source) {
  auto other = sameTypeAs(source);
  if (!other)
    return false;
  auto op = arith::SelectOp::create(b, loc, condition(), source.memref,
                                    arrays[*other].memref);
  addArray(op, source.extents, source.isWritable);
  return true;
}

/// A memref that comes out of a branch or a loop.
bool ProgramMaker::yieldedView(const Array &source) {
  auto partner = sameTypeAs(source);
  if (!partner)
    return false;
  Value second = arrays[*partner].memref;
  if (dice.chance(50)) {
    auto op = scf::IfOp::create(b, loc, source.getType(), condition(),
                                /*withElseRegion=*/true);
    OpBuilder then = op.getThenBodyBuilder(), other = op.getElseBodyBuilder();
    scf::YieldOp::create(then, loc, source.memref);
    scf::YieldOp::create(other, loc, second);
    addArray(op.getResult(0), source.extents, source.isWritable);
    return true;
  }
  // Two memrefs that change places.
  auto op = scf::ForOp::create(
      b, loc, constantIndex(0), constantIndex(dice.uniform(0, 3)),
      constantIndex(1), ValueRange{source.memref, second});
  OpBuilder inner = OpBuilder::atBlockEnd(op.getBody());
  scf::YieldOp::create(
      inner, loc, ValueRange{op.getRegionIterArg(1), op.getRegionIterArg(0)});
  addArray(op.getResult(0), source.extents, source.isWritable);
  return true;
}

/// A memref that a function returns.
bool ProgramMaker::calledView(const Array &source) {
  auto other = sameTypeAs(source);
  if (!other)
    return false;
  Type type = source.getType();
  auto callee =
      func::FuncOp::create(loc, "helper" + std::to_string(numHelpers++),
                           b.getFunctionType({type, type}, {type}));
  callee.setPrivate();
  module->push_back(callee);
  Block *entry = callee.addEntryBlock();
  OpBuilder inner = OpBuilder::atBlockEnd(entry);
  func::ReturnOp::create(inner, loc,
                         ValueRange(entry->getArgument(dice.uniform(0, 1))));
  auto result = func::CallOp::create(
      b, loc, callee, ValueRange{source.memref, arrays[*other].memref});
  addArray(result.getResult(0), source.extents, source.isWritable);
  return true;
}
