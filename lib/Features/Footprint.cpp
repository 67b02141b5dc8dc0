//===- Footprint.cpp - Distinct cells that loops touch --------------------===//
//
// Features room; the rule stands in docs/features.md, "Footprints".
//
//===----------------------------------------------------------------------===//
#include "nestor/Features/NestSummary.h"

#include <algorithm>
#include <cmath>

using namespace mlir::nestor;

static double capped(double x) { return std::min(x, 1e30); }

void FootprintBuilder::addLoop(unsigned loop, double trip) {
  if (!(trip > 1) || loop >= access.moves.size())
    return;
  bool moves = false;
  for (unsigned d = 0; d < access.rank; ++d) {
    double move = std::abs(access.moves[loop][d]);
    if (move == 0)
      continue;
    moves = true;
    range[d] = capped(range[d] + move * (trip - 1));
    movers[d] = capped(movers[d] * trip);
  }
  if (moves)
    iterations = capped(iterations * trip);
}

Footprint
FootprintBuilder::get(const std::array<double, kArrayDims> &widen) const {
  Footprint result;
  double cells = 1, run = 1, reach = 1, limit = iterations;
  for (unsigned d = access.rank; d-- > 0;) {
    double extent = std::max(1.0, access.extent[d]);
    double length = std::min(range[d] + widen[d], extent);
    double count = std::min(length, movers[d] + widen[d]);
    limit = capped(limit * (1 + widen[d] / std::max(1.0, movers[d])));
    cells = capped(cells * count);
    reach = capped(reach + (length - 1) * access.stride[d]);
    // Rows that touch each other make one piece.
    if (access.stride[d] <= run)
      run = capped(run + (length - 1) * access.stride[d]);
    else if (count > 1) {
      if (result.distance == 0)
        result.distance = (length - 1) / (count - 1) * access.stride[d];
      result.runs = capped(result.runs * count);
    }
  }
  result.cells = std::max(1.0, std::min(cells, limit));
  result.runs = std::min(result.runs, result.cells);
  result.span = run;
  result.reach = reach;
  return result;
}

double Footprint::blocks(double bytes, double blockBytes) const {
  double perRun = std::max(1.0, span * bytes / blockBytes);
  perRun = std::min(perRun, std::max(1.0, cells / runs));
  // Pieces close together share blocks.
  return std::max(1.0, std::min(runs * perRun, reach * bytes / blockBytes + 1));
}
