"""The items of the paper on set-valued dynamics of simultaneous impacts (SVI)."""
from cocp_papers import Paper

PAPER = Paper("impacts", "SVI", "Set-valued simultaneous impacts (Halm, Posa)", [])
