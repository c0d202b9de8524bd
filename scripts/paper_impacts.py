"""The items of the paper on set-valued dynamics of simultaneous impacts (SVI): examples, figures, tables, algorithms."""
import math

import h5py
import numpy as np

from cocp_papers import Fact, Item, Paper, Value

LAWS = "--set 'impact.compare=[anitescu-potra, sequential]' --set impact.corners=true"
BLOCK = f"cocp impact problems/rocking_block.yaml {LAWS} -o rocking_block.h5"
COMPLIANT = "cocp impact problems/rocking_block.yaml --set impact.corners=true -o compliant.h5"
GAIT = f"cocp impact problems/compass_gait.yaml {LAWS} -o compass_gait.h5"
WALL = f"cocp impact problems/box_wall.yaml {LAWS} -o box_wall.h5"
RAMONE = f"cocp impact problems/ramone.yaml {LAWS} -o ramone.h5"
DISKS = f"cocp impact problems/disk_stack.yaml {LAWS} -o disk_stack.h5"
PUBLISHED = "cocp impact problems/disk_stack.yaml --samples 16384 --set parameters.m=5 --set parameters.mirror=1 -o disk_stack_published.h5"
ROD = "cocp impact problems/painleve_rod.yaml --set impact.h=1 -o painleve_rod_impact.h5"
ZENO = "cocp simulate problems/rocking_block_zeno.yaml -o rocking_block_zeno.h5"
DROP = "cocp simulate problems/ball_1d.yaml --set contacts.floor.restitution=0 --set time.horizon=0.8 -o ball_inelastic_event.h5"


# --- Numbers -----------------------------------------------------------------------------------------------------

def texts(dataset):
    return [text.decode() if isinstance(text, bytes) else str(text) for text in dataset[()]]


def lcps(name):
    def get(files):
        with h5py.File(files.path(name)) as file:
            return float(file["samples"].attrs["lcps_per_sample"])
    return get


def outcomes(name, *wanted):
    """Each of the outcomes, as kinds of all contacts ("stick,lift"), appears among the samples."""
    def get(files):
        with h5py.File(files.path(name)) as file:
            found = {",".join(part.split()[1] for part in text.split(", ")): share
                     for text, share in zip(texts(file["outcomes/name"]), file["outcomes/share"][()])}
        return all(mode in found for mode in wanted), ", ".join(f"{mode}: {100 * found.get(mode, 0):.3g} %" for mode in wanted)
    return get


def laws_lie_within(name):
    """The largest distance of another law's outcome to the nearest sample."""
    def get(files):
        with h5py.File(files.path(name)) as file:
            states = [key for key in file["samples"] if key in file["comparison"]
                      and key != "energy" and file["samples"][key].ndim == 1]
            ended = file["samples/mode"][()] >= 0
            samples = np.stack([file["samples"][key][()][ended] for key in states], axis=1)
            rivals = np.stack([file["comparison"][key][()] for key in states], axis=1)
        away = max(np.abs(samples - rival).max(axis=1).min() for rival in rivals)
        return away < 1e-6, f"{away:.1e} m/s from a sample at most"
    return get


def rival(name, law, what):
    """A velocity that another law leads to, the first in its list."""
    def get(files):
        with h5py.File(files.path(name)) as file:
            return float(file["comparison"][what][()][texts(file["comparison/law"]).index(law)])
    return get


def compliant(law, what):
    """The largest normal velocity of a sweep of springs, relative to the largest of the set."""
    def get(files):
        with h5py.File(files.path("compliant.h5")) as file:
            keep = np.array(texts(file["comparison/law"])) == law
            if what == "first":
                return float(file["comparison/first_share"][()][keep].max())
            contacts = ("left_v_n", "right_v_n")
            most = max(file["comparison"][name][()][keep].max() for name in contacts)
            return float(most / max(file["samples"][name][()].max() for name in contacts))
    return get


def spins(files):
    """Of the block just after each impact, until they are small."""
    events = files.result("rocking_block_zeno.h5").groups["events"]
    k = list(events["state"]).index("w")
    spin = np.abs(events["x_plus"][events["kind"] == "impact"][:, k])
    return spin[spin > 1e-3]


def ratio_of_spins(files):
    spin = spins(files)
    return float(np.median(spin[1:] / spin[:-1]))


def largest_angle(files):
    return float(np.abs(files.result("rocking_block_zeno.h5").groups["uniform"]["th"]).max())


def apex():
    """Of (57), in closed form: energy of the spin about the corner becomes height."""
    m, w, h, g = 1.0, 1.0, 2.0, 9.81
    r, alpha, inertia = math.hypot(w, h) / 2, math.atan2(h, w), (w * w + h * h) / 12
    return math.asin((inertia + m * r * r) / (2 * m * g * r) + math.sin(alpha)) - alpha


# --- Pictures ----------------------------------------------------------------------------------------------------

def draw_unit(files, figure):
    axes = figure.subplots()
    axes.plot([-1, 0, 0, 1], [-1, -1, 1, 1], "#0072B2", linewidth=2, label="Unit(v)")
    main = files.result("rocking_block_zeno.h5")
    axes.set(xlabel="v", ylabel="Unit(v)", title=f"friction of {main.attrs.get('title', '')}: any value at v = 0")
    axes.legend()


def draw_routh(files, figure):
    """Velocities on the way through the impact of one sample after the other, in the plane of one contact."""
    axes = figure.subplots()
    with h5py.File(files.path("box_wall.h5")) as file:
        t, n = file["paths/wall_v_t"][()], file["paths/wall_v_n"][()]
        axes.plot(t[:200].T, n[:200].T, color="#999999", linewidth=0.5)
        for k, law in enumerate(texts(file["comparison/law"])):
            axes.plot(file["comparison_paths/wall_v_t"][k], file["comparison_paths/wall_v_n"][k], "o-",
                      label=f"{law}: {texts(file['comparison/order'])[k]}")
    axes.axhline(0, color="k", linewidth=0.7)
    axes.set(xlabel="tangential velocity [m/s]", ylabel="normal velocity [m/s]")
    axes.legend()


def draw_ball(files, figure):
    """A ball in free fall and on the ground: state over time, and its phase plot."""
    result = files.result("ball_inelastic_event.h5")
    states = result.with_role("state")
    left, right = figure.subplots(1, 2)
    for name in states:
        left.plot(*result.curve(name), label=name)
    left.set_xlabel("t [s]")
    left.legend()
    right.plot(*result.pair(states[0], states[1]))
    right.set(xlabel=result.label(states[0]), ylabel=result.label(states[1]))


def draw_zeno(files, figure):
    """Angle and spin over time, then over s; the shares of time and impulses in s."""
    result = files.result("rocking_block_zeno.h5")
    over = result.impulse_domain()
    over_t, over_s, rates = figure.subplots(1, 3)
    for name in ("th", "w"):
        over_t.plot(*result.curve(name), label=result.label(name))
        over_s.plot(over["s"], over[name], label=result.label(name))
    for name in (name for name in over if name.startswith("rate ")):
        rates.plot(over["s"], over[name], label="dt/ds" if name == "rate t" else "impulse of " + name[5:], linewidth=0.8)
    for axes, what in ((over_t, "t [s]"), (over_s, "s"), (rates, "s")):
        axes.set_xlabel(what)
        axes.legend(fontsize=7)


def rest_over_s(files):
    """s where the impacts have accumulated."""
    result = files.result("rocking_block_zeno.h5")
    events, over = result.groups["events"], result.impulse_domain()
    return float(over["s"][np.searchsorted(over["t"], events["t"][events["kind"] == "rest"][0])])


def bounds_hold(name):
    """No sample exceeds what no outcome exceeds."""
    def get(files):
        with h5py.File(files.path(name)) as file:
            group = {key: file["contacts"][key][()] for key in ("least", "largest", "bound_least", "bound_largest")}
            is_normal = np.array([name.endswith("_v_n") for name in texts(file["contacts/name"])])
        return bool(np.all(group["bound_least"] <= group["least"]) and np.all(group["largest"] <= group["bound_largest"])), \
            f"normal velocities to {group['largest'][is_normal].max():.3g} m/s, none above {group['bound_largest'][is_normal].max():.3g}"
    return get


def spin_of_rod(files):
    with h5py.File(files.path("painleve_rod_impact.h5")) as file:
        return float(file["samples/w"][()].mean())


def no_top_is_free(files):
    """Share of samples in which the top disc leaves both others."""
    with h5py.File(files.path("disk_stack_published.h5")) as file:
        free = sum(share for text, share in zip(texts(file["outcomes/name"]), file["outcomes/share"][()])
                   if "top_L lift, top_R lift" in text)
    return free == 0, f"{100 * free:.2g} % of the samples leave both"


SYMBOLS = "Symbols only: what they are called here is in [impact.md](../core/impact/impact.md)."
LEFT_OVER = "the paper's solver stops at 1e-6, its impacts at 1e-8: what is left of an approach takes further steps (impact.md 12)"
SAMPLES = "each outcome that the paper tells of appears"

PAPER = Paper("impacts", "SVI", "Set-valued simultaneous impacts (Halm, Posa)", [
    Item("table 1", "Constants and operations on sets", note=SYMBOLS),
    Item("table 2", "Terms of the dynamics", note=SYMBOLS),
    Item("1", "The rocking block: impulses at once, and in sequence", [BLOCK], [
        Value("spin after both at once [rad/s]", rival("rocking_block.h5", "anitescu-potra", "om"), 0, "text: it rests", 1e-9),
        Fact("the block rests, or pivots about either corner", outcomes("rocking_block.h5", "stick,stick", "stick,lift",
                                                                        "lift,stick")),
        Value("spin after A, then B [rad/s]", lambda files: abs(rival("rocking_block.h5", "sequential", "om")(files)), 0.093018,
              "closed form, impact.md 10", 1e-4)], "plot_impact rocking_block.h5"),
    Item("2", "The set-valued unit direction", [ZENO], [], draw_unit),
    Item("3", "Velocity through an impact, Routh's method", [WALL], [], draw_routh),
    Item("4", "Compass gait: one law, several outcomes", [GAIT],
         [Fact("the leading foot sticks; the trailing one rests, slides or lifts",
               outcomes("compass_gait.h5", "stick,stick", "stick,slide", "stick,lift"))], "plot_impact compass_gait.h5"),
    Item("5", "A box slides into a wall", [WALL],
         [Fact("at once it rests; in sequence it slides on and lifts off the wall",
               outcomes("box_wall.h5", "stick,stick", "slide,lift"))], "plot_impact box_wall.h5"),
    Item("6", "A ball under gravity: phase plot", [DROP], [], draw_ball),
    Item("section 4.2", "Painleve's rod: an impact without collision", [ROD], [
        Value("spin when the slip has ended [rad/s]", spin_of_rod, 2.25 * math.sin(1), "closed form: angular momentum about the end",
              1e-9)]),
    Item("7", "Half a cycle of the rocking block", [ZENO], [
        Value("the angle at the apex [rad]", largest_angle, 0.22, "text, two digits", 0.03),
        Value("the same", largest_angle, apex(), "closed form (57)", 1e-3)], "animate rocking_block_zeno.h5 --strip"),
    Item("8", "The rocking block comes to rest after infinitely many impacts", [ZENO], [
        Value("spin after an impact over the one before", ratio_of_spins, 0.7, "text (68)", 1e-4),
        Value("s at rest, time and normal impulse together", rest_over_s, 28.4, "caption", 2e-3)], draw_zeno),
    Item("9", "The rocking block: velocities through the impact", [BLOCK],
         [Fact(SAMPLES, outcomes("rocking_block.h5", "stick,stick", "stick,lift", "lift,stick")),
          Fact("the other laws lie within the set", laws_lie_within("rocking_block.h5")),
          Fact("no sample is beyond what bounds all", bounds_hold("rocking_block.h5"))], "plot_impact rocking_block.h5"),
    Item("10", "The compass gait: velocities through the impact", [GAIT],
         [Fact(SAMPLES, outcomes("compass_gait.h5", "stick,stick", "stick,slide", "stick,lift", "slide,stick", "lift,stick")),
          Fact("the other laws lie within the set", laws_lie_within("compass_gait.h5"))], "plot_impact compass_gait.h5"),
    Item("11", "Box and wall: velocities through the impact", [WALL],
         [Fact(SAMPLES, outcomes("box_wall.h5", "stick,stick", "slide,lift", "slide,slide")),
          Fact("the other laws lie within the set", laws_lie_within("box_wall.h5"))], "plot_impact box_wall.h5"),
    Item("12", "Springs and dampers beside the set", [COMPLIANT], [
        Value("stiffness varied: largest normal velocity over that of the set", compliant("compliant-stiffness", "most"), 1,
              "text: within the set, nearly all of it", 0.03),
        Value("angle varied: the same", compliant("compliant-gap", "most"), 1, "text: slightly larger", 0.05),
        Value("impulse of the first corner before the second one's", compliant("compliant-gap", "first"), 0.999992, "text",
              1e-6)], "plot_impact compliant.h5"),
    Item("13", "A footfall of RAMone", [RAMONE],
         [Fact(SAMPLES, outcomes("ramone.h5", "stick,stick", "stick,slide", "stick,lift")),
          Fact("the other laws lie within the set", laws_lie_within("ramone.h5"))], "plot_impact ramone.h5"),
    Item("14", "A stack of discs", [DISKS, PUBLISHED],
         [Fact("the top disc keeps contact with at least one, with mass and tangents of the published code", no_top_is_free),
          Fact("the tower rests, or one of the lower discs leaves the top one",
               outcomes("disk_stack.h5", "stick,stick,stick,stick,stick", "stick,stick,lift,stick,lift"))],
         "plot_impact disk_stack.h5", minutes=1),
    Item("table 3", "LCPs for each sample", [BLOCK, GAIT, WALL, RAMONE, PUBLISHED], [
        Value("rocking block", lcps("rocking_block.h5"), 2.67, "table", 0.1, LEFT_OVER),
        Value("compass gait", lcps("compass_gait.h5"), 2.27, "table", 0.1),
        Value("box and wall", lcps("box_wall.h5"), 1.97, "table", 0.1, LEFT_OVER),
        Value("RAMone", lcps("ramone.h5"), 3.20, "table", 0.1),
        Value("disc stack, mass and tangents of the published code", lcps("disk_stack_published.h5"), 9.04, "table", 0.05)]),
    *[Item(f"table {k}", f"Parameters: {what}", note=f"They stand in problems/{spec}.yaml.")
      for k, what, spec in ((4, "rocking block", "rocking_block"), (5, "compass gait", "compass_gait"),
                            (6, "box and wall", "box_wall"), (7, "RAMone", "ramone"), (8, "disc stack", "disk_stack"))],
    Item("algorithm 1", "Sim: a sample of the outcomes", [BLOCK],
         [Fact("energy never grows in a step", lambda files: (
             h5py.File(files.path("rocking_block.h5"))["samples"].attrs["worst_energy_growth"] <= 1e-12, "at rounding"))]),
    Item("algorithm 2", "Approximate: the set of outcomes", [BLOCK],
         [Fact("every sample ends", lambda files: (
             int(h5py.File(files.path("rocking_block.h5"))["samples"].attrs["unfinished"]) == 0, "none is unfinished"))]),
])
