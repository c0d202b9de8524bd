"""The items of the paper on stability with sums of squares (SOS)."""
from cocp_papers import Paper

PAPER = Paper("stability", "SOS", "Lyapunov stability with sums of squares (Várkonyi)", [])
