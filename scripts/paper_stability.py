"""The items of the paper on stability with sums of squares (SOS): its three figures and two examples."""
import csv
import math

import h5py
import numpy as np

from cocp_chatter import chatter_edge
from cocp_papers import Fact, Item, Paper

POINTS = 20
FIG2 = (f"cocp sweep problems/biped_fig2.yaml --run certify --sweep parameters.d=0.05:1.95:{POINTS} "
        f"--sweep parameters.mu1=0.03:1.2:{POINTS} -q -o fig2 -- --falsify")
FIG3 = (f"cocp sweep problems/biped_fig3.yaml --run certify --sweep parameters.d=0.05:1.95:{POINTS} "
        f"--sweep parameters.mu=0.3:2:{POINTS} -q -o fig3 -- --falsify")
FEW = 6                             # points of the paper's method, of degree 2, along each axis: seconds each
SOS2 = (f"cocp sweep problems/biped_fig2.yaml --run certify --set certify.method=sos --set certify.degree=2 "
        f"--sweep parameters.d=0.05:1.95:{FEW} --sweep parameters.mu1=0.03:1.2:{FEW} -q -o fig2_sos")
OLD2 = SOS2.replace("method=sos ", "method=sos-original ").replace("fig2_sos", "fig2_original")
SOS3 = (f"cocp sweep problems/biped_fig3.yaml --run certify --set certify.method=sos --set certify.degree=2 "
        f"--sweep parameters.d=0.2:1.8:{FEW - 2} --sweep parameters.mu=0.4:1.8:{FEW - 2} -q -o fig3_sos")
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


def holds(name):
    """The improved test certifies some points, each with a proof; counts."""
    def get(files):
        words, _ = table(files, name)
        return bool((words == "certified").any()), f"{(words == 'certified').sum()} of {words.size} certified and proved"
    return get


def fails(name):
    def get(files):
        words, _ = table(files, name)
        return not (words == "certified").any(), f"{(words == 'certified').sum()} of {words.size} certified"
    return get


def chatter_is_known(files):
    """Motions that grow lie where the Poincare map says that bounces grow; nothing is certified there."""
    with h5py.File(files.path("fig2/chart.h5")) as file:
        group = file["certificate"]
        grows, certified = group["growth"][()] >= 1e3, group["outcome"].asstr()[()] == "certified"
        d, mu1 = (next(iter(scale.values()))[()] for scale in group["outcome"].dims)
    edge = np.array([chatter_edge(math.radians(30), 1, 2, one) for one in d])
    inside = mu1[None, :] < edge[:, None]
    return bool(not (grows & ~inside).any() and not (certified & inside).any()), (
        f"{(grows & inside).sum()} of {grows.sum()} motions that grow inside, {(certified & inside).sum()} certified points")


def rows_of(files, name):
    with open(files.path(f"{name}/table.csv"), newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def ambiguity(files):
    """Below (58) two modes are consistent: what `certify` finds there."""
    below = [row for row in rows_of(files, "fig2")
             if float(row["parameters.mu1"]) < math.tan(math.radians(30)) - float(row["parameters.d"])]
    found = [row for row in below if row["outcome"] == "unstable" and row["reason"] == "ambiguity"]
    return 0 < len(below) == len(found), f"{len(found)} of {len(below)} points below the limit"


def certified_are_equilibria(files):
    """Without forces that balance the load below the friction of the slope, and only there."""
    rows = [(float(row["parameters.mu"]), row["outcome"]) for row in rows_of(files, "fig3")]
    none = [mu for mu, outcome in rows if outcome == "no-equilibrium"]
    others = [mu for mu, outcome in rows if outcome != "no-equilibrium"]
    certified = [mu for mu, outcome in rows if outcome == "certified"]
    return max(none) < math.tan(math.radians(20)) < min(others), (
        f"no equilibrium up to mu = {max(none):.3g}, equilibria from {min(others):.3f} on, certified from {min(certified):.3f} on")


CIRCLES = ("Circles: the paper's method (certify.method: sos) with a polynomial of degree 2, each point proved; the paper takes "
           "degree 3 (55 coefficients), of which only the quadratic part decides near the origin "
           "([stability.md](../core/stability/stability.md) 8).")

PAPER = Paper("stability", "SOS", "Lyapunov stability with sums of squares (Várkonyi)", [
    Item("1", "A planar body on two feet", note="The model is problems/biped_fig2.yaml: gaps and tangential displacements of "
         "the two feet, a force and a torque at the centre of mass."),
    Item("table 1", "Contact modes of a single point", note="Free, slip to either side and stick are the states open, forward, "
         "backward and sticks of a contact in core/simulation/simulation.h; core/stability enumerates them for each foot."),
    Item("table 2", "Sufficient conditions of non-negativity", note="They are those of core/sos, which proves them by intervals; see "
         "[stability.md](../core/stability/stability.md)."),
    Item("section IV-B, first example", "Inelastic feet on a slope of 30 degrees", [ONE, FIG2], [
        Fact("unstable as two modes are consistent, (58)", ambiguity, theirs="mu_1 < tan alpha - d/h")]),
    Item("section IV-B, second example", "Feet with restitution 0.1 on a slope of 20 degrees", [FIG3], [
        Fact("certified points are equilibria", certified_are_equilibria, theirs="equilibria from mu = tan 20 = 0.36 on")]),
    Item("2", "The chart of the biped on 30 degrees", [FIG2, SOS2, OLD2],
         [Fact("points of our levels", count("fig2")), Fact("the improved test, degree 2", holds("fig2_sos")),
          Fact("the original test (Posa), degree 2", fails("fig2_original"), theirs="no certificate (Section III)"),
          Fact("inverse chatter", chatter_is_known)],
         "chart fig2 --region fig2 --circles fig2_sos", minutes=3,
         note=f"{CIRCLES} The feet are swapped: as printed, nothing is ambiguous ([stability.md](../core/stability/stability.md) 9, "
              "5). The edge of inverse chatter is found by a Poincare map here; the paper takes it from its references [9, 10]."),
    Item("3", "The chart of the biped on 20 degrees, e = 0.1", [FIG3, SOS3],
         [Fact("points of our levels", count("fig3")), Fact("the improved test, degree 2", holds("fig3_sos"))],
         "chart fig3 --region fig3 --circles fig3_sos", minutes=5,
         note=f"{CIRCLES} The region certified in the paper's reference [12] is not drawn, as the text does not state its "
              "function: the claim to exceed it is not checked."),
])
