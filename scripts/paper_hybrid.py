"""The items of the manuscript on rigid bodies with spatial Coulomb friction as hybrid systems (HYB)."""
import math

import numpy as np

from cocp_papers import Fact, Item, Paper, Value, frames

SLIP = "cocp simulate problems/ball_3d.yaml -o ball_3d_event.h5"
BLOCK = "cocp simulate problems/hybrid_block.yaml -o hybrid_block.h5"
# Of both impacts and both lift-offs, by an independent integration (SciPy's DOP853 in each mode; test_modes.c).
TIMES = (0.186284710079, 0.248125755947, 1.068940376425, 1.277411477359)
WORDS = {"is open": "op", "slips": "sl", "sticks": "st"}
SEQUENCE = "op,op - op,sl - sl,sl - sl,op - op,op"


def loaded(files):
    """Points of the trajectory at which the contact of the ball carries a force: slip [n, 2], force [n, 3], gap [n]."""
    main = files.result("ball_3d_event.h5").main
    keep = main["ground_lambda_n"] > 1e-6
    return (np.column_stack([main["vx"], main["vy"]])[keep],
            np.column_stack([main["ground_lambda_n"], main["ground_lambda_t1"], main["ground_lambda_t2"]])[keep])


def signorini(files):
    main = files.result("ball_3d_event.h5").main
    product = np.abs(main["ground_gap"] * main["ground_lambda_n"]).max()
    return product < 1e-9, f"gap times force is {product:.1e} at most"


def inelastic(files):
    events = files.result("ball_3d_event.h5").groups["events"]
    k = list(events["kind"]).index("impact")
    after = events["x_plus"][k][list(events["state"]).index("vz")]
    return abs(after) < 1e-9, f"rate of the gap after the impact {after:.1e} m/s"


def coulomb(files):
    slip, force = loaded(files)
    size = np.hypot(force[:, 1], force[:, 2])
    moving = np.hypot(slip[:, 0], slip[:, 1]) > 1e-3
    opposite = -(slip * force[:, 1:]).sum(axis=1)[moving] / (np.hypot(*slip[moving].T) * size[moving])
    on_cone = np.abs(size[moving] - 0.2 * force[moving, 0]).max()
    return bool(np.all(size <= 0.2 * force[:, 0] + 1e-9) and opposite.min() > 1 - 1e-9 and on_cone < 1e-9), \
        f"off the direction of slip by {1 - opposite.min():.1e}, off the cone by {on_cone:.1e} N"


def modes(files):
    group = files.result("hybrid_block.h5").groups["modes"]
    return [",".join(WORDS[word] for word in row) for row in group["state"].reshape(len(group["t_start"]), -1)], group["t_start"]


def sequence(files):
    found = " - ".join(modes(files)[0])
    return found == SEQUENCE, found


def start_of_mode(k):
    return lambda files: float(modes(files)[1][k])


def jumps_at_impacts_only(files):
    events = files.result("hybrid_block.h5").groups["events"]
    jump = np.abs(events["x_plus"] - events["x_minus"]).max(axis=1)
    is_impact = events["kind"] == "impact"
    return bool(jump[is_impact].min() > 1e-3 and jump[~is_impact].max() < 1e-9), "where a point closes, not where it opens"


def draw_laws(files, figure):
    """Signorini's and Coulomb's laws as graphs, with the points of a simulated slip in space on them."""
    slip, force = loaded(files)
    main = files.result("ball_3d_event.h5").main
    normal, friction = figure.subplots(1, 2)
    normal.plot([0, 0, 1], [30, 0, 0], "k", linewidth=2)
    normal.plot(main["ground_gap"], main["ground_lambda_n"], ".", color="#0072B2")
    normal.set(xlabel="gap [m]", ylabel="normal force [N]")
    friction.plot([-2, 0, 0, 2], [0.2, 0.2, -0.2, -0.2], "k", linewidth=2)
    size = np.hypot(*slip.T)
    along = (slip * force[:, 1:]).sum(axis=1) / np.maximum(size, 1e-12) / force[:, 0]
    friction.plot(size[size > 1e-6], along[size > 1e-6], ".", color="#0072B2")
    friction.set(xlabel="slip along its direction [m/s]", ylabel="friction over normal force")


PAPER = Paper("hybrid", "HYB", "Rigid bodies with spatial friction as hybrid systems", [
    Item("1", "Contact points and their distance", note="A drawing: gaps, and tangents for friction, are what a spec writes "
         "under `contacts`."),
    Item("2", "Signorini's law, Poisson's law without restitution", [SLIP],
         [Fact("a force only where the gap is closed", signorini), Fact("no rebound", inelastic)], draw_laws),
    Item("3", "Coulomb's law in space", [SLIP], [Fact("friction opposes the slip, on the cone", coulomb)], draw_laws),
    Item("4", "A block pushed to a surface and drawn back", [BLOCK], [
        Fact("sequence of modes", sequence, theirs=SEQUENCE),
        *[Value(f"event {k + 1} [s]", start_of_mode(k + 1), t, "independent integration; the manuscript prints no numbers", 1e-9)
          for k, t in enumerate(TIMES)],
        Fact("the state jumps", jumps_at_impacts_only, theirs="where contact is made; releases are continuous")],
        frames("hybrid_block.h5", 5, 3, times=[0.1, 0.22, 0.6, 1.2, 1.35]),
        "The manuscript gives no numbers: sizes and forces are ours. The block moves in space; a hand keeps it from rolling and from "
        "turning about the vertical."),
    Item("5", "The algorithm: flow, guard, jump", [SLIP], [
        Value("jump at t [s]", lambda files: float(files.result("ball_3d_event.h5").groups["events"]["t"][0]), math.sqrt(0.2),
              "closed form: sqrt(2/g), g = 10", 1e-9),
        Value("flow until it sticks at t [s]", lambda files: float(files.result("ball_3d_event.h5").groups["events"]["t"][1]),
              math.sqrt(5) / 2, "closed form: sqrt(5)/2", 1e-9)],
        note="The flow chart is core/simulation/events: sim_run.c integrates a mode to its guard, select.c finds the next one, "
        "jumps are core/contact/jump.c."),
])
