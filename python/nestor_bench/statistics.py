"""Medians, quartiles and means of what was measured; see docs/benchmarks.md."""

import math
from dataclasses import dataclass

import numpy


@dataclass(frozen=True)
class Figure:
    """The median of some samples, with its quartiles and range."""
    median: float
    lower: float
    upper: float
    least: float
    most: float
    count: int

    @property
    def interval(self):
        """Where the median may lie: quartiles, or for few samples the range."""
        if self.count < 5:
            return self.least, self.most
        return self.lower, self.upper


def figure(samples):
    """The Figure of a list of samples, or None of an empty one."""
    if not samples:
        return None
    lower, median, upper = numpy.percentile(samples, [25, 50, 75])
    return Figure(float(median), float(lower), float(upper),
                  float(min(samples)), float(max(samples)), len(samples))


def ratios(rounds, base, competitor):
    """Speedups over the base, one for each round that has both."""
    return [seconds[base] / seconds[competitor] for seconds in rounds
            if base in seconds and competitor in seconds]


def geometric_mean(values):
    """None for an empty list."""
    values = list(values)
    if not values:
        return None
    return math.exp(sum(map(math.log, values)) / len(values))
