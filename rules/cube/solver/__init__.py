"""The smallest building that shows several cards at once, proven."""

from rules.cube.solver.search import Solution, solve

__all__ = ["Solution", "solve"]
