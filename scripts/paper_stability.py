"""The items of the paper on stability with sums of squares (SOS): its three figures and two examples."""
import math

import h5py
import numpy as np

from cocp_papers import Fact, Item, Paper, Value

POINTS = 20
FIG2 = (f"cocp sweep problems/biped_fig2.yaml --run certify --sweep parameters.d=0.05:1.95:{POINTS} "
        f"--sweep parameters.mu1=0.03:1.2:{POINTS} -q -o fig2 -- --falsify")
FIG3 = (f"cocp sweep problems/biped_fig3.yaml --run certify --sweep parameters.d=0.05:1.95:{POINTS} "
        f"--sweep parameters.mu=0.3:2:{POINTS} -q -o fig3 -- --falsify")
ONE = "cocp certify problems/biped_fig2.yaml --set parameters.d=1.8 --set parameters.mu1=1.1 -o biped_fig2.h5"


def table(files, name):
    """What a chart says of its points: words of outcomes, growth, by the order of the sweep."""
    with h5py.File(files.path(f"{name}/chart.h5")) as file:
        group = file["certificate"]
        words = np.array([text.decode() if isinstance(text, bytes) else str(text) for text in group["outcome"][()].ravel()])
        return words, {key: group[key][()] for key in group if group[key].dtype.kind in "fiu"}


def count(name):
    def get(files):
        words, _ = table(files, name)
        return bool((words == "certified").sum() + (words == "stable").sum() > 0), ", ".join(
            f"{(words == word).sum()} {word}" for word in dict.fromkeys(words))
    return get


PAPER = Paper("stability", "SOS", "Lyapunov stability with sums of squares (Várkonyi)", [
    Item("1", "A planar body on two feet", note="The model is problems/biped_fig2.yaml: gaps and tangential displacements of "
         "the two feet, a force and a torque at the centre of mass."),
    Item("example 1", "Inelastic feet on a slope of 30 degrees", [ONE], [
        Value("smallest friction for a slope of 20 degrees", lambda files: math.tan(math.radians(20)), 0.36, "text, two digits",
              0.02)]),
    Item("2", "The chart of the biped on 30 degrees", [FIG2], [Fact("points", count("fig2"))], "chart fig2 --region fig2",
         minutes=2),
    Item("3", "The chart of the biped on 20 degrees, e = 0.1", [FIG3], [Fact("points", count("fig3"))],
         "chart fig3 --region fig3", minutes=2),
])
