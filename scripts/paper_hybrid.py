"""The items of the manuscript on rigid bodies with spatial Coulomb friction as hybrid systems (HYB)."""
from cocp_papers import Paper

PAPER = Paper("hybrid", "HYB", "Rigid bodies with spatial friction as hybrid systems", [])
