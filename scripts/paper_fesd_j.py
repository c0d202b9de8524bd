"""The items of the paper on finite elements with switch and jump detection (FESD-J)."""
import math

import numpy as np

from cocp_papers import Fact, Item, Paper, Value

SCHEME = "--set discretization.scheme=radau-iia --set discretization.stages"
BALL = f"cocp simulate problems/ball_1d.yaml --method fesd-j {SCHEME}=5"
INELASTIC = f"{BALL} --set contacts.floor.restitution=0 --set time.horizon=0.8 --set simulate.steps=4 -o ball_inelastic.h5"
ELASTIC = f"{BALL} --set contacts.floor.restitution=0.6 --set time.horizon=0.8 --set simulate.steps=4 -o ball_elastic.h5"
TWO_BALLS = "cocp simulate problems/two_balls.yaml -o two_balls.h5"
TWO_BALLS_FESD = "cocp simulate problems/two_balls.yaml --method fesd-j --set simulate.steps=250 -o two_balls_fesd_j.h5"
DISCS = "cocp solve problems/discs.yaml -o discs.h5"
BOXES = "cocp solve problems/three_boxes.yaml -o three_boxes.h5"
# An integration of its own from impact to impact (cases.md 1): both balls at t = 1, and the two impacts.
END = {"q1": 0.246841886729, "q2": 1.228210312009, "v1": -2.379839521466, "v2": -3.114092393624}
IMPACTS = (0.4038550219, 0.4233169688)


# --- Numbers -----------------------------------------------------------------------------------------------------

def last(name, state):
    return lambda files: float(files.result(name).main[state][-1])


def impact(name, k):
    def get(files):
        return float([event["t"] for event in files.result(name).events() if event["kind"] == "impact"][k])
    return get


def objective(name):
    return lambda files: float(files.result(name).attrs["objective"])


def is_replayed(name):
    def get(files):
        error = files.result(name).group_attrs["phases"]["replay_error"]
        return error < 1e-3, f"replayed from event to event to {error:.1g}"
    return get


def second_disc_rests_until_touched(files):
    result = files.result("discs.h5")
    first = next(event["t"] for event in result.events() if event["kind"] in ("impact", "touchdown", "contact"))
    t, v = result.main["t"], np.hypot(result.main["v2x"], result.main["v2y"]) if "v2x" in result.main else None
    if v is None:
        names = [name for name in result.with_role("state") if name.startswith("v")][-2:]
        v = np.hypot(result.main[names[0]], result.main[names[1]])
    return bool(v[t < first - 1e-6].max(initial=0) < 1e-6), f"first touched at t = {first:.4f} s"


def counts(name):
    def get(files):
        kinds = [event["kind"] for event in files.result(name).events()]
        return True, ", ".join(f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds))
    return get


# --- Pictures ----------------------------------------------------------------------------------------------------

def stage_points(result, of, name):
    """A state at the stages of all elements: times [n], values [n]."""
    grid = result.groups["grid"]
    t = (grid["t_start"][:, None] + grid["h"][:, None] * grid["c"][None, :]).ravel()
    if of == "state":
        return t, grid["x_stage"][:, :, list(grid["state"]).index(name)].ravel()
    return t, grid["lambda_n"][:, :, list(grid["contact"]).index(name)].ravel()


def draw_switches(files, figure):
    """As Figure 3: gap, normal force and normal velocity, inelastic and elastic, with the stages."""
    axes = figure.subplots(3, 2, sharex="col")
    for column, name in enumerate(("ball_inelastic.h5", "ball_elastic.h5")):
        result = files.result(name)
        contact = result.contacts()[0]
        states = result.with_role("state")
        for row, (label, of, what) in enumerate((("gap [m]", "state", states[0]), ("normal force [N]", "force", contact),
                                                 ("normal velocity [m/s]", "state", states[1]))):
            curve = result.curve(what if of == "state" else contact + "_lambda_n")
            axes[row, column].plot(*curve)
            axes[row, column].plot(*stage_points(result, of, what), "ko", markersize=3)
            axes[row, column].set_ylabel(label)
            for event in result.events():
                axes[row, column].axvline(event["t"], color="#999999", linestyle="--", linewidth=0.8)
        axes[0, column].set_title(("inelastic", "restitution 0.6")[column])
        axes[2, column].set_xlabel("t [s]")


def draw_velocity(files, figure):
    """As Figure 1: the velocity's polynomials with both sides of each grid point."""
    result, axes = files.result("ball_elastic.h5"), figure.subplots()
    grid = result.groups["grid"]
    velocity = result.with_role("state")[1]
    k = list(grid["state"]).index(velocity)
    axes.plot(*result.curve(velocity))
    axes.plot(*stage_points(result, "state", velocity), "ko", markersize=4, label="stages v_n,i")
    axes.plot(grid["t_start"], grid["x_start"][:, k], "o", color="#D55E00", fillstyle="none", label="left ends v_n,0")
    axes.plot(grid["t_end"], grid["x_end"][:, k], "s", color="#009E73", fillstyle="none", label="right ends v_n+1")
    axes.set(xlabel="t [s]", ylabel="v [m/s]")
    axes.legend()


PAPER = Paper("fesd-j", "FESD-J", "FESD-J (Nurkanović, Frey, Pozharskiy, Diehl)", [
    Item("1", "How the velocity is approximated", [ELASTIC],
         [Fact("impulses where the velocity jumps, and nowhere else", lambda files: (
             bool(np.all((files.result("ball_elastic.h5").groups["grid"]["impulse_n"][:, 0] > 1e-6) ==
                         (np.abs(files.result("ball_elastic.h5").groups["grid"]["x_start"][1:, 1] -
                                 files.result("ball_elastic.h5").groups["grid"]["x_end"][:-1, 1]) > 1e-6)[
                             np.r_[0, :len(files.result("ball_elastic.h5").groups["grid"]["h"]) - 1]])[1:]),
             "at each grid point"))], draw_velocity),
    Item("3", "Switches by inelastic and elastic impacts", [INELASTIC, ELASTIC], [], draw_switches),
    Item("5", "Two balls on a spring", [TWO_BALLS, TWO_BALLS_FESD], [
        Value("first impact [s]", impact("two_balls_fesd_j.h5", 0), IMPACTS[0], "own integration, cases.md 1", 1e-7),
        Value("second impact [s]", impact("two_balls_fesd_j.h5", 1), IMPACTS[1], "own integration, cases.md 1", 1e-7),
        *[Value(f"{name} at t = 1, fesd-j", last("two_balls_fesd_j.h5", name), END[name], "own integration, cases.md 1", 1e-6)
          for name in END]], "plot two_balls.h5"),
    Item("7", "Two discs swap their places: frames", [DISCS], [
        Value("objective", objective("discs.h5"), math.nan),
        Fact("the solution holds", is_replayed("discs.h5")),
        Fact("the second disc rests until it is touched", second_disc_rests_until_touched)],
        "animate discs.h5 --strip"),
    Item("8", "Two discs: trajectories and controls", [DISCS], [Fact("what happens", counts("discs.h5"))], "plot discs.h5"),
    Item("9", "Three boxes: frames", [BOXES], [
        Value("objective", objective("three_boxes.h5"), math.nan), Fact("the solution holds", is_replayed("three_boxes.h5"))],
        "animate three_boxes.h5 --strip"),
    Item("10", "Three boxes: trajectories, forces, impulses", [BOXES],
         [Fact("what happens", counts("three_boxes.h5"))], "plot three_boxes.h5"),
])
