//===- Synthetic.cpp - Made-up programs with a known truth ----------------===//
//
// Model room's tests. The slots used here have nothing to do with those of real
// features; only the widths are theirs.
//
//===----------------------------------------------------------------------===//
#include "Synthetic.h"
#include <cmath>
#include <random>

using namespace mlir::nestor;

namespace {
/// Slots of a loop row that the truth looks at.
enum LoopSlot { Trip = 0, Tile = 1, Vector = 2, Contiguous = 3 };

constexpr double kBestTile = 2.5;

class ProgramMaker {
public:
  ProgramMaker(unsigned number, unsigned seed)
      : random(uint64_t(seed) * 1000003 + number) {}

  TrainingProgram make(unsigned candidates, bool labelled) {
    makeBase();
    TrainingProgram program;
    double baseCost = 0;
    for (unsigned c = 0; c < candidates; ++c) {
      TrainingSample &sample = program.samples.emplace_back();
      sample.input.features = base;
      if (c > 0)
        change(sample.input.features);
      double cost = getCost(sample.input.features, /*isTruth=*/true);
      double analytical = getCost(sample.input.features, /*isTruth=*/false);
      if (c == 0)
        baseCost = cost;
      sample.input.analytical[kAnalyticalTotal] = analytical;
      double noise = c == 0 ? 0 : 0.02 * normal(random);
      sample.logSpeedup = labelled ? baseCost - cost + noise : NAN;
      sample.spread = c == 0 ? 0 : 0.02;
    }
    return program;
  }

private:
  int pick(int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(random);
  }
  /// A row whose first slots say something.
  void fill(std::vector<float> &to, unsigned width) {
    for (unsigned i = 0; i < width; ++i)
      to.push_back(i < 6 && pick(0, 1) ? std::log1p(pick(1, 9)) : 0);
  }
  Rows makeRows(unsigned count, unsigned width) {
    Rows rows;
    rows.width = width;
    for (unsigned i = 0; i < count; ++i)
      fill(rows.data, width);
    return rows;
  }

  void makeBase() {
    int numLoops = pick(1, 6);
    for (int i = 0; i < numLoops; ++i) {
      LoopFeatures &loop = base.loops.emplace_back();
      fill(loop.loop, kLoopDim);
      loop.loop[Trip] = std::log1p(pick(8, 64));
      loop.loop[Tile] = loop.loop[Vector] = 0;
      loop.parent = i == 0 ? -1 : pick(std::max(-1, i - 2), i - 1);
      loop.order = pick(0, 5);
    }
    int numStatements = pick(1, 3);
    for (int i = 0; i < numStatements; ++i) {
      StatementFeatures &s = base.statements.emplace_back();
      fill(s.flags, kFlagDim);
      fill(s.domain, kDomainDim);
      s.accesses = makeRows(pick(1, 6), kAccessDim);
      s.tokens = makeRows(pick(1, 12), kTokenDim);
      s.parent = pick(numLoops > 1 ? 0 : -1, numLoops - 1);
      s.order = pick(0, 5);
    }
    copyLoops(base);
  }

  /// Gives each statement the rows of the loops around it.
  static void copyLoops(CandidateFeatures &features) {
    for (StatementFeatures &s : features.statements) {
      std::vector<int32_t> path;
      for (int32_t l = s.parent; l >= 0; l = features.loops[l].parent)
        path.insert(path.begin(), l);
      s.loops = Rows{kLoopDim, {}};
      for (int32_t l : path)
        s.loops.data.insert(s.loops.data.end(), features.loops[l].loop.begin(),
                            features.loops[l].loop.end());
    }
  }

  void change(CandidateFeatures &features) {
    for (LoopFeatures &loop : features.loops) {
      loop.loop[Tile] = pick(0, 2) ? std::log1p(4 << pick(0, 4)) : 0;
      loop.loop[Vector] = pick(0, 1);
    }
    copyLoops(features);
  }

  /// log(cycles). The analytical model does not know that vectors pay only
  /// where a loop is contiguous, nor which tile size is best.
  static double getCost(const CandidateFeatures &features, bool isTruth) {
    double sum = 0;
    for (const StatementFeatures &s : features.statements) {
      double cost = s.domain[0] + s.flags[1];
      for (size_t l = 0; l < s.loops.size(); ++l) {
        const float *loop = s.loops.data.data() + l * kLoopDim;
        cost += loop[Trip];
        if (isTruth)
          cost += (loop[Contiguous] > 0 ? -1.0 : 0.3) * loop[Vector] +
                  0.15 * std::abs(loop[Tile] - kBestTile);
        else
          cost += -0.5 * loop[Vector] - 0.05 * loop[Tile];
      }
      sum += std::exp(cost);
    }
    return std::log(sum);
  }

  std::mt19937_64 random;
  std::normal_distribution<double> normal;
  CandidateFeatures base;
};
} // namespace

FeatureCacheHeader mlir::nestor::makeSyntheticHeader() {
  FeatureCacheHeader header;
  header.targetName = "synthetic";
  for (unsigned i = 0; i < kTargetDim; ++i)
    header.target[i] = float(i) / 4;
  header.provenance["generator"] = "synthetic";
  return header;
}

TrainingProgram mlir::nestor::makeSyntheticProgram(unsigned number,
                                                   unsigned candidates,
                                                   bool labelled,
                                                   unsigned seed) {
  TrainingProgram program =
      ProgramMaker(number, seed).make(candidates, labelled);
  program.id = "synthetic-" + std::to_string(seed) + "-" +
               std::to_string(number) + "#small";
  return program;
}

llvm::Error mlir::nestor::writeSynthetic(llvm::StringRef path,
                                         unsigned programs, unsigned candidates,
                                         bool labelled, unsigned seed) {
  auto writer = FeatureCacheWriter::create(path, makeSyntheticHeader());
  if (!writer)
    return writer.takeError();
  for (unsigned i = 0; i < programs; ++i)
    if (auto error = (*writer)->append(
            makeSyntheticProgram(i, candidates, labelled, seed)))
      return error;
  return (*writer)->finish();
}
