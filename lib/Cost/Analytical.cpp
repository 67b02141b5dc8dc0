//===- Analytical.cpp - The model that needs no weights -------------------===//
//
// Cost room. Predicts the cycles of a candidate on one core from its nest
// summary: instructions and chains (Compute.cpp), caches and TLBs
// (Traffic.cpp), put together here. Sanity baseline of every evaluation and an
// input of the learned model. No constant is fitted to a program.
//
//===----------------------------------------------------------------------===//
#include "NestTree.h"

#include <algorithm>
#include <cmath>

using namespace mlir::nestor;

//===----------------------------------------------------------------------===//
// Machine and tree
//===----------------------------------------------------------------------===//

Machine::Machine(const TargetDescriptor &target) {
  double ghz = std::max(0.01, target.gigahertz);
  vectorBytes = std::max(8.0, target.vectorBits / 8.0);
  vectorRegisters = target.vectorRegisters;
  // peak = GHz * vectors a cycle * lanes * 2 (multiply and add).
  double perCycle = target.peakGflopsF64 / ghz / 2 / (vectorBytes / 8);
  fpPerCycle = std::clamp(perCycle, 1.0, 4.0);
  loadsPerCycle =
      std::clamp(target.bandwidthGBs[0] / ghz / vectorBytes, 1.0, 3.0);
  for (unsigned c = 0; c < 3; ++c)
    cacheBytes[c] = static_cast<double>(target.cacheBytes[c]);
  for (unsigned c = 0; c < 3; ++c) {
    // A level that does not exist is filled by the next that does.
    unsigned source = c + 1;
    while (source < 3 && target.cacheBytes[source] <= 0)
      ++source;
    double bytesPerCycle = std::max(0.01, target.bandwidthGBs[source] / ghz);
    lineCycles[c] = kLineBytes / bytesPerCycle;
  }
}

NestTree::NestTree(const NestSummary &nest) : nest(nest) {
  nodes.resize(nest.loops.size() + 1);
  for (uint32_t i = 0; i < nest.loops.size(); ++i) {
    const LoopSummary &loop = nest.loops[i];
    Node &node = nodes[i + 1], &parent = nodes[loop.parent + 1];
    node.parent = loop.parent + 1;
    node.depth = parent.depth + 1;
    node.trip = std::max(1.0, loop.trip);
    node.entries = std::min(1e30, parent.entries * parent.trip);
    node.root = node.parent == 0 ? i + 1 : parent.root;
    parent.children.push_back(i + 1);
  }
  for (uint32_t s = 0; s < nest.statements.size(); ++s)
    nodes[nest.statements[s].parent + 1].statements.push_back(s);
  for (Node &node : nodes)
    std::sort(node.statements.begin(), node.statements.end(),
              [&](uint32_t a, uint32_t b) {
                return std::pair(nest.statements[a].order, a) <
                       std::pair(nest.statements[b].order, b);
              });
}

//===----------------------------------------------------------------------===//
// Terms
//===----------------------------------------------------------------------===//

/// Work that overlaps: the larger part hides most of the smaller one.
static double overlap(double a, double b) {
  return std::max(a, b) + 0.3 * std::min(a, b);
}

/// Cycles of one top-level nest. Caches work side by side, but a line from
/// memory passes all of them; computing goes on while lines arrive. Loop
/// control and spills are instructions like others, on the critical path.
static double totalOf(const NestCycles &nest) {
  double l1 = nest.traffic[0], l2 = nest.traffic[1], memory = nest.traffic[2];
  double traffic = overlap(overlap(l1, l2), memory + nest.tlb);
  return overlap(nest.bound + nest.spill, traffic) + nest.overhead;
}

AnalyticalTerms mlir::nestor::analyse(const CandidateFeatures &features,
                                      const TargetDescriptor &target) {
  NestTree tree(features.nest);
  Machine machine(target);
  std::vector<NestCycles> nests(tree.nodes.size());
  addCompute(tree, machine, nests);
  addTraffic(tree, machine, nests);
  AnalyticalTerms terms;
  double vectorized = 0;
  for (const NestCycles &nest : nests) {
    terms.compute += nest.issue;
    terms.latency += nest.latency;
    terms.spill += nest.spill;
    terms.overhead += nest.overhead;
    terms.l1 += nest.traffic[0];
    terms.l2 += nest.traffic[1];
    terms.memory += nest.traffic[2];
    terms.tlb += nest.tlb;
    terms.instances += nest.instances;
    vectorized += nest.vectorInstances;
    terms.total += totalOf(nest);
  }
  if (terms.instances > 0)
    terms.vectorShare = std::clamp(vectorized / terms.instances, 0.0, 1.0);
  terms.total = std::min(1e30, std::max(1.0, terms.total));
  return terms;
}

std::array<float, kAnalyticalDim> AnalyticalTerms::scaled() const {
  auto log = [](double x) {
    return static_cast<float>(std::log1p(std::clamp(x, 0.0, 1e30)));
  };
  auto share = [&](double part) {
    return static_cast<float>(
        std::clamp(part / std::max(1.0, total), 0.0, 1.0));
  };
  return {log(compute),
          log(l1),
          log(l2),
          log(memory),
          log(overhead),
          log(spill),
          log(latency),
          log(total),
          log(tlb),
          log(instances),
          log(total / std::max(1.0, instances)),
          share(compute),
          share(l1 + l2 + memory),
          share(overhead),
          share(latency),
          static_cast<float>(vectorShare)};
}

std::array<float, kTargetDim>
mlir::nestor::targetFeatures(const TargetDescriptor &target) {
  auto log = [](double x) {
    return static_cast<float>(std::log1p(std::max(0.0, x)));
  };
  std::array<float, kTargetDim> row{};
  unsigned i = 0;
  for (double x : {double(target.vectorBits), double(target.vectorRegisters),
                   double(target.cores), target.gigahertz, target.peakGflopsF32,
                   target.peakGflopsF64})
    row[i++] = log(x);
  for (int64_t bytes : target.cacheBytes)
    row[i++] = log(static_cast<double>(bytes));
  for (double bandwidth : target.bandwidthGBs)
    row[i++] = log(bandwidth);
  return row; // the rest is 0, for descriptors to come
}

//===----------------------------------------------------------------------===//
// The cost model
//===----------------------------------------------------------------------===//

double mlir::nestor::getAnalyticalScore(const ModelInput &input) {
  return -input.analytical[kAnalyticalTotal];
}

namespace {
class AnalyticalModel : public CostModel {
public:
  explicit AnalyticalModel(const TargetDescriptor &target) : target(target) {}
  std::string getName() const override { return "analytical"; }
  llvm::Error score(const std::vector<const ModelInput *> &inputs,
                    std::vector<double> &scores) override {
    scores.clear();
    for (const ModelInput *input : inputs)
      scores.push_back(-std::log1p(analyse(input->features, target).total));
    return llvm::Error::success();
  }

private:
  TargetDescriptor target;
};
} // namespace

std::unique_ptr<CostModel>
mlir::nestor::createAnalyticalModel(const TargetDescriptor &target) {
  return std::make_unique<AnalyticalModel>(target);
}

double mlir::nestor::temper(double learned, double analytical) {
  return learned > 0 && analytical > 0 ? (learned + analytical) / 2
                                       : std::min(learned, analytical);
}
