//===- Proposals.cpp - What to try on a band ------------------------------===//
//
// Search room. The macro-steps are general: any band with a loop that carries
// nothing may get vectors, any band of two loops a register tile, any
// permutable band every order and tiling. No program is recognised here.
//
//===----------------------------------------------------------------------===//
#include "Proposals.h"

#include <numeric>

using namespace mlir;
using namespace mlir::nestor;

namespace {
class Proposer {
public:
  Proposer(const Candidate &candidate, const TreeNode &band,
           const SearchOptions &options)
      : candidate(candidate), band(band), options(options),
        ctx(candidate.scop->getContext()) {}
  std::vector<Proposal> run();

private:
  void addOrders();
  void addTiles();
  void addVectors();
  void addRegisterTiles();
  void addUnrolls();

  StringAttr name(unsigned m) const {
    return StringAttr::get(ctx, band.members[m].name);
  }
  Attribute interchange(ArrayRef<unsigned> order) const;
  Attribute tile(ArrayRef<unsigned> loops, int64_t size) const;
  Attribute vectorize(unsigned m, int64_t count) const {
    return VectorizeStepAttr::get(ctx, name(m), lanes(), count);
  }
  Attribute jam(unsigned m, int64_t factor) const {
    return UnrollJamStepAttr::get(ctx, name(m), factor);
  }
  Attribute promote(unsigned m) const {
    return PromoteStepAttr::get(ctx, name(m));
  }
  int64_t lanes() const;
  /// All loops with `last` moved innermost and `first`, if any, outermost.
  SmallVector<unsigned> orderWith(std::optional<unsigned> first,
                                  unsigned last) const;
  /// The same with the loops that no list names in front of all.
  SmallVector<unsigned> tileOrder(ArrayRef<unsigned> inner) const;
  bool isFree(unsigned m) const { return !band.members[m].marks.isPoint(); }
  bool canVectorize(unsigned m) const {
    return isFree(m) && band.members[m].coincident;
  }
  void add(Proposal proposal) { proposals.push_back(std::move(proposal)); }

  const Candidate &candidate;
  const TreeNode &band;
  const SearchOptions &options;
  MLIRContext *ctx;
  std::vector<Proposal> proposals;
};
} // namespace

/// Lanes of one vector register for the widest element that the band writes.
int64_t Proposer::lanes() const {
  unsigned bits = 8;
  for (unsigned stmt : band.stmts) {
    const Array &array =
        candidate.scop->arrays[candidate.scop->statements[stmt].write.array];
    if (array.elementType.isIntOrFloat())
      bits = std::max(bits, array.elementType.getIntOrFloatBitWidth());
  }
  return std::max<int64_t>(2, options.vectorBits / bits);
}

Attribute Proposer::interchange(ArrayRef<unsigned> order) const {
  SmallVector<Attribute> loops;
  for (unsigned m : order)
    loops.push_back(name(m));
  return InterchangeStepAttr::get(ctx, ArrayAttr::get(ctx, loops));
}

Attribute Proposer::tile(ArrayRef<unsigned> loops, int64_t size) const {
  SmallVector<Attribute> names;
  for (unsigned m : loops)
    names.push_back(name(m));
  SmallVector<int64_t> sizes(loops.size(), size);
  return TileStepAttr::get(ctx, ArrayAttr::get(ctx, names),
                           DenseI64ArrayAttr::get(ctx, sizes));
}

SmallVector<unsigned> Proposer::orderWith(std::optional<unsigned> first,
                                          unsigned last) const {
  SmallVector<unsigned> order;
  if (first && *first != last)
    order.push_back(*first);
  for (unsigned m = 0; m < band.members.size(); ++m)
    if (m != last && (!first || m != *first))
      order.push_back(m);
  order.push_back(last);
  return order;
}

SmallVector<unsigned> Proposer::tileOrder(ArrayRef<unsigned> inner) const {
  SmallVector<unsigned> order;
  for (unsigned m = 0; m < band.members.size(); ++m)
    if (!llvm::is_contained(inner, m))
      order.push_back(m);
  order.append(inner.begin(), inner.end());
  return order;
}

/// Every order of up to four loops; beyond that, every loop innermost once.
void Proposer::addOrders() {
  unsigned n = band.members.size();
  if (n < 2 || !band.permutable)
    return;
  SmallVector<unsigned> order(n);
  std::iota(order.begin(), order.end(), 0);
  if (n > 4) {
    for (unsigned last = 0; last < n; ++last)
      add({interchange(orderWith(std::nullopt, last))});
    return;
  }
  while (std::next_permutation(order.begin(), order.end()))
    add({interchange(order)});
}

void Proposer::addTiles() {
  unsigned n = band.members.size();
  if (!band.permutable)
    return;
  SmallVector<unsigned> all;
  for (unsigned m = 0; m < n; ++m)
    if (isFree(m))
      all.push_back(m);
  if (all.size() < 2)
    return;
  for (int64_t size : {16, 32, 64, 128}) {
    add({tile(all, size)});
    for (unsigned last : all)
      add({tile(all, size), interchange(orderWith(std::nullopt, last))});
  }
}

/// Vectors along one loop, the others around it in any place.
void Proposer::addVectors() {
  unsigned n = band.members.size();
  for (unsigned v = 0; v < n; ++v) {
    if (!canVectorize(v))
      continue;
    for (int64_t count : {1, 2, 4}) {
      add({vectorize(v, count)});
      if (n < 2 || !band.permutable)
        continue;
      for (unsigned r = 0; r < n; ++r)
        if (r != v && isFree(r))
          add({vectorize(v, count), interchange(orderWith(v, r)), promote(r)});
    }
  }
}

/// A register tile: vectors along v, copies along u, sums kept over r; with and
/// without a tile of r (so that what r walks over stays in the cache).
void Proposer::addRegisterTiles() {
  unsigned n = band.members.size();
  if (n < 2 || !band.permutable)
    return;
  for (unsigned v = 0; v < n; ++v)
    for (unsigned u = 0; u < n; ++u) {
      if (u == v || !canVectorize(v) || !isFree(u))
        continue;
      for (unsigned r = 0; r < n; ++r) {
        if (!isFree(r) || r == v || r == u)
          continue;
        for (int64_t factor : {4, 6, 8})
          for (int64_t count : {1, 2, 3}) {
            // Accumulators and one row of operands must fit the registers.
            if (factor * count + count + 1 > int64_t(options.vectorRegisters))
              continue;
            Proposal body{jam(u, factor), vectorize(v, count)};
            for (bool vectorsOutside : {true, false})
              for (int64_t size : {0, 128, 256, 512}) {
                Proposal whole;
                if (size)
                  whole.push_back(tile({r}, size));
                whole.append(body);
                SmallVector<unsigned> order = tileOrder(
                    {vectorsOutside ? v : u, vectorsOutside ? u : v, r});
                whole.push_back(interchange(order));
                whole.push_back(promote(r));
                add(whole);
              }
          }
      }
      if (n == 2)
        for (int64_t factor : {2, 4})
          for (int64_t count : {1, 2}) {
            add({jam(u, factor), vectorize(v, count), promote(u)});
            add({jam(u, factor), vectorize(v, count),
                 interchange(orderWith(std::nullopt, v))});
          }
    }
}

/// Scalar unrolling: jam of an outer loop, and of each loop in place.
void Proposer::addUnrolls() {
  for (unsigned m = 0; m < band.members.size(); ++m) {
    if (!isFree(m))
      continue;
    add({promote(m)});
    for (int64_t factor : {2, 4}) {
      add({jam(m, factor)});
      if (m + 1 == band.members.size())
        add({UnrollStepAttr::get(ctx, name(m), factor)});
      else
        add({jam(m, factor), promote(band.members.size() - 1)});
    }
  }
}

std::vector<Proposal> Proposer::run() {
  addOrders();
  addVectors();
  addRegisterTiles();
  addTiles();
  addUnrolls();
  return std::move(proposals);
}

std::vector<Proposal> nestor::proposeForBand(const Candidate &candidate,
                                             StringRef loop,
                                             const SearchOptions &options) {
  unsigned member;
  TreeNode *band = findLoop(*candidate.tree, loop, member);
  if (!band)
    return {};
  return Proposer(candidate, *band, options).run();
}

SmallVector<std::string> nestor::bandNames(const Candidate &candidate) {
  SmallVector<std::string> names;
  walkTree(*candidate.tree, [&](TreeNode &node) {
    if (node.kind == TreeNode::Kind::Band)
      names.push_back(node.members[0].name);
  });
  return names;
}

bool nestor::applyProposal(Candidate &candidate, const Proposal &proposal) {
  std::string reason;
  return llvm::all_of(proposal, [&](Attribute step) {
    return succeeded(applyStep(candidate, step, reason));
  });
}
