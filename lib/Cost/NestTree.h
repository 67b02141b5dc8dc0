//===- NestTree.h - A nest summary and a machine, ready to use --*- C++ -*-===//
//
// Private to the Cost room: what the parts of the analytical model share.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_LIB_COST_NESTTREE_H
#define NESTOR_LIB_COST_NESTTREE_H

#include "nestor/Cost/CostModel.h"

namespace mlir::nestor {

/// What the analytical model needs of a machine, in cycles and bytes.
struct Machine {
  double vectorBytes = 32, vectorRegisters = 16;
  double fpPerCycle = 2;              ///< vector or scalar FP operations
  double loadsPerCycle = 2;           ///< from L1
  std::array<double, 3> cacheBytes{}; ///< L1, L2, L3; 0: none
  /// Cycles for a line into L1 (from L2), into L2 (from L3), into L3 (from
  /// DRAM).
  std::array<double, 3> lineCycles{};
  explicit Machine(const TargetDescriptor &target);
};

inline constexpr double kLineBytes = 64;
inline constexpr double kPageBytes = 4096;

/// A nest summary as a tree: node 0 is the whole scop, node i + 1 its loop i.
struct NestTree {
  struct Node {
    int32_t parent = -1;
    std::vector<uint32_t> children;   ///< nodes
    std::vector<uint32_t> statements; ///< directly in it, in order
    unsigned depth = 0;               ///< loops around and including it
    double trip = 1;
    double entries = 1; ///< how often the loop starts
    uint32_t root = 0;  ///< the top-level node that holds it
  };
  const NestSummary &nest;
  std::vector<Node> nodes; ///< parents before children
  explicit NestTree(const NestSummary &nest);
};

/// Cycles of one top-level nest (or of statements outside of all loops).
struct NestCycles {
  double issue = 0, latency = 0, bound = 0; ///< bound: per body the larger one
  double spill = 0, overhead = 0;
  std::array<double, 3> traffic{}; ///< into L1, L2, L3
  double tlb = 0;
  double instances = 0, vectorInstances = 0;
};

/// Computing and loop control (Compute.cpp): adds to nests[node's root].
void addCompute(const NestTree &tree, const Machine &machine,
                std::vector<NestCycles> &nests);
/// Caches and TLBs (Traffic.cpp).
void addTraffic(const NestTree &tree, const Machine &machine,
                std::vector<NestCycles> &nests);

} // namespace mlir::nestor

#endif // NESTOR_LIB_COST_NESTTREE_H
