"""The items of the paper on set-valued dynamics of simultaneous impacts (SVI): examples, figures, tables, algorithms."""
import math
import re

import h5py
import numpy as np

from cocp_papers import Fact, Item, Paper, Value, frames

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
DROP = "cocp simulate problems/ball_1d.yaml --set parameters.e=0 --set time.horizon=0.8 -o ball_inelastic_event.h5"

SLIDES = ("cocp simulate problems/ball_3d.yaml --set states.z.initial=0 --set time.horizon=2.5 --set output.points=101 --samples 12 "
          "--perturb vx=3 --perturb vy=3 -o unit_3d.h5")
LINE = "cocp simulate problems/ball_2d.yaml --method event --set states.q2.initial=0 --set time.horizon=2 -o unit_2d.h5"
ROD_SET = "--set states.vx.initial=0.6 --set parameters.mu=0.8"
ROD_FALLS = f"cocp simulate problems/falling_rod.yaml {ROD_SET} -o falling_rod.h5"
ROUTH = (f"cocp impact problems/falling_rod.yaml {ROD_SET} --from falling_rod.h5@0.456 --set impact.h=0.1 --set impact.max_steps=400 "
         "--samples 64 -o routh.h5")


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


def trailing_foot(files):
    """What the trailing foot of the gait does in each solution of one law."""
    with h5py.File(files.path("compass_gait.h5")) as file:
        group = file["comparison"]
        keep = np.array(texts(group["law"])) == "anitescu-potra"
        n, t = group["trailing_v_n"][()][keep], group["trailing_v_t"][()][keep]
    found = ["lifts" if rate > 1e-6 else "slides" if abs(slip) > 1e-6 else "sticks" for rate, slip in zip(n, t)]
    return sorted(found) == ["lifts", "slides", "sticks"], f"{len(found)}: {', '.join(found)}"


def floor_slips_faster(files):
    """At the corner on the floor: the fastest end of a sample beside that of the impulses in sequence."""
    with h5py.File(files.path("box_wall.h5")) as file:
        ended = file["samples/mode"][()] >= 0
        most = float(file["samples/floor_v_t"][()][ended].max())
    alone = rival("box_wall.h5", "sequential", "floor_v_t")(files)
    return most > alone + 1e-3, f"samples reach {most:.3g} m/s, in sequence {alone:.3g}"


def leading_foot_sticks(files):
    with h5py.File(files.path("ramone.h5")) as file:
        share = sum(one for text, one in zip(texts(file["outcomes/name"]), file["outcomes/share"][()])
                    if text.startswith("leading stick"))
    return abs(share - 1) < 1e-9, f"in {100 * share:.4g} % of the ends"


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


def fills(law, low, high):
    """The largest normal velocity of a sweep of springs over that of the set: above low, at most high."""
    def get(files):
        ratio = compliant(law, "most")(files)
        return low < ratio <= high, f"{ratio:.4f}"
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
    """As Figure 2: friction over slip in the plane; slips in space along the field of -Unit(v)."""
    graph, field = figure.subplots(1, 2)
    main = files.result("unit_2d.h5").main
    graph.plot([-4, 0, 0, 4], [-1, -1, 1, 1], "k", linewidth=1.5, label="Unit(v)")
    graph.plot(main["v1"], -main["ground_lambda_t"] / (0.3 * main["ground_lambda_n"]), ".", color="#D55E00",
               label="friction over mu lambda_n, ball_2d")
    graph.set(xlabel="v [m/s]", ylabel="Unit(v)")
    graph.legend(loc="center left", fontsize=8)
    grid = np.linspace(-6, 6, 14)
    x, y = np.meshgrid(grid, grid)
    field.quiver(x, y, -x / np.hypot(x, y), -y / np.hypot(x, y), color="#E69F00", scale=30, width=0.003)
    bundle = files.result("unit_3d.h5").groups["bundle"]
    for vx, vy in zip(bundle["vx"], bundle["vy"]):
        field.plot(vx, vy, color="#0072B2")
    field.set(xlabel="v_x [m/s]", ylabel="v_y [m/s]", aspect="equal", title="slips of ball_3d")


def slips_are_straight(files):
    """Of v' = -mu g Unit(v): v keeps its direction and loses mu g = 2 m/s in a second until it rests."""
    bundle = files.result("unit_3d.h5").groups["bundle"]
    speed = np.hypot(bundle["vx"], bundle["vy"])
    wanted = np.maximum(speed[:, :1] - 2 * bundle["t"], 0)
    turned = np.abs(bundle["vx"] * bundle["vy"][:, :1] - bundle["vy"] * bundle["vx"][:, :1]).max()
    return bool(np.abs(speed - wanted).max() < 1e-6 and turned < 1e-9), f"speeds right to {np.abs(speed - wanted).max():.1e} m/s"


def velocities_through(files):
    """Of the first sample: tangential, normal velocity of the rod's end until the impact has ended."""
    with h5py.File(files.path("routh.h5")) as file:
        t, n = file["paths/left_v_t"][0], file["paths/left_v_n"][0]
    keep = np.isfinite(n)
    return t[keep], n[keep]


def impulses_of_rod():
    """J M^-1 J^T of the end at its first impact: rows of what a normal, a tangential impulse do to (normal, tangential)."""
    th, inertia = 0.5, 1 / 3
    normal, tangent = np.array([0, 1, -math.cos(th)]), np.array([1, 0, math.sin(th)])
    weight = np.diag([1, 1, 1 / inertia])
    return np.array([[a @ weight @ b for b in (normal, tangent)] for a in (normal, tangent)])


def routh(mu=0.8, v_n=-math.sqrt(2 * 9.81 * (1.5 - math.sin(0.5))), v_t=0.6):
    """Normal impulse at which the slip ends, and of the whole impact: Routh's method for one contact."""
    a = impulses_of_rod()
    stops = v_t / (mu * a[1, 1] - a[0, 1])
    v_n += stops * (a[0, 0] - mu * a[0, 1])
    return stops, stops - v_n / (a[0, 0] - a[0, 1] ** 2 / a[1, 1])


def draw_routh(files, figure):
    """As Figure 3: the way of the rod's end through its impact, with what the edges of the friction cone would do."""
    axes = figure.subplots()
    t, n = velocities_through(files)
    a = impulses_of_rod()
    for sign in (-1, 1):
        step = 0.2 * (a[:, 0] + sign * 0.8 * a[:, 1])
        axes.annotate("", (t[0] + step[1], n[0] + step[0]), (t[0], n[0]), arrowprops={"arrowstyle": "->", "color": "#D55E00"})
    axes.plot(t, n, "o--", color="#E69F00", markersize=3, label="velocity of the end")
    axes.plot([], [], color="#D55E00", label="edges of the friction cone")
    axes.axvline(0, color="#999999", linewidth=0.8)
    axes.axhline(0, color="k", linewidth=0.8)
    axes.text(0.01, n[0] / 2, "no slip", rotation=90)
    axes.text(axes.get_xlim()[0], 0.05, " no approach: the impact has ended")
    axes.set(xlabel="tangential velocity [m/s]", ylabel="normal velocity [m/s]", xlim=(-0.1, 0.75))
    axes.legend()


def draw_ball(files, figure):
    """As Figure 6: the flow of the inclusion over gap and speed, with the simulated fall."""
    result, axes = files.result("ball_inelastic_event.h5"), figure.subplots()
    z, v = np.meshgrid(np.linspace(-0.4, 0.9, 27), np.linspace(-4.5, 2, 27))
    pushes = (z <= 0) & (v < 0)
    axes.streamplot(z, v, np.where(pushes, 0, v), np.where(pushes, 9.81, -9.81), color="#E69F00", linewidth=0.6, arrowsize=0.7)
    axes.axvspan(-0.4, 0, color="#f2dede", zorder=0)
    main = result.main
    axes.plot(main["q"], main["v"], "k", linewidth=2.5, label="ball_1d, with time frozen in its impact")
    axes.set(xlabel="gap [m]", ylabel="its rate [m/s]", xlim=(-0.4, 0.9), ylim=(-4.5, 2))
    axes.legend()


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


def impact(name, k):
    def get(files):
        events = files.result(name).groups["events"]
        return float(events["t"][events["kind"] == "impact"][k])
    return get


def rest(files):
    """Where the impacts have accumulated."""
    events = files.result("rocking_block_zeno.h5").groups["events"]
    return float(events["t"][events["kind"] == "rest"][0])


def rest_over_s(files):
    over = files.result("rocking_block_zeno.h5").impulse_domain()
    return float(over["s"][np.searchsorted(over["t"], rest(files))])


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


def no_top_is_free(name):
    """Share of samples in which the top disc leaves both others."""
    def get(files):
        with h5py.File(files.path(name)) as file:
            free = sum(share for text, share in zip(texts(file["outcomes/name"]), file["outcomes/share"][()])
                       if "top_L lift, top_R lift" in text)
        return free == 0, f"{100 * free:.2g} % of the samples leave both"
    return get


# --- Tables 4 to 8 -----------------------------------------------------------------------------------------------

def of_spec(name, formula):
    """A formula of the parameters in a result, and of initial values, x_initial of a state x."""
    def get(files):
        with h5py.File(files.path(name)) as file:
            values = {key: float(file["parameters"][key][()]) for key in file["parameters"] if file["parameters"][key].ndim == 0}
            spec = file["spec/resolved"][()].decode()
        block = re.search(r"^states:\n((?:  .*\n)+)", spec, re.M).group(1)
        values.update((f"{state}_initial", float(value)) for state, value in
                      re.findall(r"^  (\w+): .*\binitial: ([-+.\de]+)[,}]", block, re.M))
        return float(eval(formula, {"__builtins__": {}, "sqrt": math.sqrt, "degrees": math.degrees, "cos": math.cos,
                                    "sin": math.sin, "abs": abs}, values))
    return get


def of_sampling(name, key):
    """A setting of the block impact."""
    def get(files):
        with h5py.File(files.path(name)) as file:
            block = file["spec/resolved"][()].decode()
        return float(re.search(rf"^  {key}: (\S+)", block[block.index("\nimpact:"):], re.M).group(1))
    return get


def parameters(name, h, steps, samples, **formulas):
    """Rows of a table: (what, ours, printed)."""
    rows = [(what.replace("_", " "), of_spec(name, formula), value) for what, (formula, value) in formulas.items()]
    return rows + [("step size h [N s]", of_sampling(name, "h"), h), ("trajectory length N", of_sampling(name, "max_steps"), steps),
                   ("trajectory set size M", of_sampling(name, "samples"), samples)]


PARAMETERS = [
    (4, "rocking block", BLOCK, parameters(
        "rocking_block.h5", 0.3, 10, 2 ** 14, width=("w", 1), height=("H", 2), mass=("m", 1), downward_velocity=("sqrt(2*g*drop)", 0.4429),
        friction=("mu", 1))),
    (5, "compass gait", GAIT, parameters(
        "compass_gait.h5", 0.25, 5, 2 ** 20, leg_length=("l", 1), mass_to_foot=("l - s", 0.5), leg_mass=("m", 1),
        leading_leg_pitch_in_degrees=("degrees(th1_initial)", -78), trailing_leg_pitch_in_degrees=("degrees(th2_initial)", 78),
        leading_angular_velocity=("w1_initial", 0.25), trailing_angular_velocity=("w2_initial", 0.25), friction=("mu", 5))),
    (6, "box and wall", WALL, parameters(
        "box_wall.h5", 2, 5, 2 ** 18, side=("w", 1), mass=("m", 1), angle_in_degrees=("degrees(-th0)", 10),
        initial_horizontal_velocity=("vx_initial", 1), friction=("mu", 1))),
    (7, "RAMone", RAMONE, parameters(
        "ramone.h5", 1, 10, 2 ** 20, trunk_pitch_in_degrees=("degrees(Phi0)", 16), leading_hip_in_degrees=("degrees(al0_le)", -70),
        trailing_hip_in_degrees=("degrees(al0_tr)", 70), leading_knee_in_degrees=("degrees(be0_le)", -2),
        trailing_knee_in_degrees=("degrees(be_tr_initial)", -92.48),
        trunk_velocity_x=("vx_initial", -0.4114), trunk_velocity_y=("vy_initial", -0.2105),
        trunk_angular_velocity=("w_Phi_initial", 1), friction=("mu", 1e5))),
    (8, "disc stack", DISKS, parameters(
        "disk_stack.h5", 1, 10, 2 ** 20, radius=("R", 1), mass=("m", 1), initial_vertical_velocity=("vy_T_initial", -1),
        friction=("mu", math.sqrt(3)))),
]

# --- The items ---------------------------------------------------------------------------------------------------

SYMBOLS = "Symbols only: what they are called here is in [impact.md](../core/impact/impact.md)."
LEFT_OVER = ("the published code's solver stops at 1e-6, its impacts at 1e-8: what is left of an approach takes further steps "
             "(impact.md 12)")
TWICE_OFF = "the published code has 5 kg instead of 1 kg, and mirrored tangents (impact.md 7.5)"
SAMPLES = "each outcome that the paper names appears"

PAPER = Paper("impacts", "SVI", "Set-valued simultaneous impacts (Halm, Posa)", [
    Item("table 1", "Constants and operations on sets", note=SYMBOLS),
    Item("table 2", "Terms of the dynamics", note=SYMBOLS),
    Item("1", "The rocking block: impulses at once, and in sequence", [BLOCK], [
        Value("spin after both at once [rad/s]", rival("rocking_block.h5", "anitescu-potra", "om"), 0, "text: it rests", 1e-9),
        Fact("the block rests, or pivots about either corner", outcomes("rocking_block.h5", "stick,stick", "stick,lift",
                                                                        "lift,stick")),
        Value("spin after A, then B [rad/s]", lambda files: abs(rival("rocking_block.h5", "sequential", "om")(files)), 0.093018,
              "closed form, impact.md 10", 1e-4)], "plot_impact rocking_block.h5"),
    Item("2", "The set-valued unit direction", [LINE, SLIDES],
         [Fact("slips in space are straight and end after |v|/(mu g)", slips_are_straight)], draw_unit),
    Item("3", "Velocity through an impact, Routh's method", [ROD_FALLS, ROUTH], [
        Value("impulse of the impact [N s]", lambda files: float(files.result("falling_rod.h5").groups["events"]["impulse_n"][0]),
              routh()[1], "closed form: Routh's method", 1e-6),
        Fact("it slips, sticks and ends", lambda files: (
            bool(velocities_through(files)[0][0] > 0.5 and abs(velocities_through(files)[0][-1]) < 1e-9
                 and abs(velocities_through(files)[1][-1]) < 1e-9), f"slip until {routh()[0]:.3f} N s of {routh()[1]:.3f}"))],
         draw_routh),
    Item("4", "Compass gait: one law, several outcomes", [GAIT],
         [Fact("the leading foot sticks; the trailing one rests, slides or lifts",
               outcomes("compass_gait.h5", "stick,stick", "stick,slide", "stick,lift")),
          Fact("solutions of Anitescu and Potra: the trailing foot", trailing_foot, theirs="three: lifts, sticks, slides")],
         "plot_impact compass_gait.h5"),
    Item("5", "A box slides into a wall", [WALL],
         [Fact("at once it rests; in sequence it slides on and lifts off the wall",
               outcomes("box_wall.h5", "stick,stick", "slide,lift"))], "plot_impact box_wall.h5"),
    Item("6", "A ball under gravity: phase plot", [DROP],
         [Fact("it never penetrates", lambda files: (
             bool(files.result("ball_inelastic_event.h5").main["q"].min() > -1e-9),
             f"gap at least {files.result('ball_inelastic_event.h5').main['q'].min():.1e} m"))], draw_ball),
    Item("section 4.2", "Painleve's rod: an impact without collision", [ROD], [
        Value("spin when the slip has ended [rad/s]", spin_of_rod, 2.25 * math.sin(1), "closed form: angular momentum about the end",
              1e-9)], note="The rod's numbers are ours: the paper prints none."),
    Item("7", "Half a cycle of the rocking block", [ZENO], [
        Value("the angle at the apex [rad]", largest_angle, 0.22, "text, two digits", 0.03),
        Value("the same", largest_angle, apex(), "closed form (57), with + sin(alpha): printed -", 1e-3)],
         frames("rocking_block_zeno.h5", 6, times=np.linspace(0, 0.987328, 6))),
    Item("8", "The rocking block comes to rest after infinitely many impacts", [ZENO], [
        Value("spin after an impact over the one before", ratio_of_spins, 0.7, "text (68)", 1e-4),
        Value("t at rest [s]", rest, 2.67, "caption", 2e-3),
        Value("t of the first impact [s]", impact("rocking_block_zeno.h5", 0), 1, "text: about 1", 0.02),
        Value("s at rest, time and normal impulse together", rest_over_s, 28.4, "caption", 2e-3)], draw_zeno),
    Item("9", "The rocking block: velocities through the impact", [BLOCK],
         [Fact(SAMPLES, outcomes("rocking_block.h5", "stick,stick", "stick,lift", "lift,stick")),
          Fact("the other laws lie within the set", laws_lie_within("rocking_block.h5")),
          Fact("no sample exceeds the bounds on all outcomes", bounds_hold("rocking_block.h5"))], "plot_impact rocking_block.h5"),
    Item("10", "The compass gait: velocities through the impact", [GAIT],
         [Fact(SAMPLES, outcomes("compass_gait.h5", "stick,stick", "stick,slide", "stick,lift", "slide,stick", "lift,stick")),
          Fact("the other laws lie within the set", laws_lie_within("compass_gait.h5"))], "plot_impact compass_gait.h5"),
    Item("11", "Box and wall: velocities through the impact", [WALL],
         [Fact(SAMPLES, outcomes("box_wall.h5", "stick,stick", "slide,lift", "slide,slide")),
          Fact("the other laws lie within the set", laws_lie_within("box_wall.h5")),
          Fact("speed of the corner on the floor, A", floor_slips_faster, theirs="slides even faster in some sequences (Section 5.4.3)")],
         "plot_impact box_wall.h5"),
    Item("12", "Springs and dampers beside the set", [COMPLIANT], [
        Fact("stiffness varied: largest normal velocity over that of the set", fills("compliant-stiffness", 0.95, 1),
             theirs="within the set, nearly all of it"),
        Fact("angle varied: the same", fills("compliant-gap", 1, 1.05), theirs="slightly larger"),
        Value("share of the first corner's impulse before the second one's begins", compliant("compliant-gap", "first"), 0.999992,
              "text", 1e-6)], "plot_impact compliant.h5"),
    Item("13", "A footfall of RAMone", [RAMONE],
         [Fact(SAMPLES, outcomes("ramone.h5", "stick,stick", "stick,slide", "stick,lift")),
          Fact("the other laws lie within the set", laws_lie_within("ramone.h5")),
          Fact("the leading foot, A, sticks", leading_foot_sticks, theirs="sticks (Section 5.4.4)")], "plot_impact ramone.h5"),
    Item("14", "A stack of discs", [DISKS, PUBLISHED],
         [Fact("the top disc keeps contact with at least one, with mass and tangents of the published code",
               no_top_is_free("disk_stack_published.h5"), theirs="no sample leaves both"),
          Fact("the same, with the parameters of Table 8", no_top_is_free("disk_stack.h5"), TWICE_OFF, "no sample leaves both"),
          Fact("the tower rests, or one of the lower discs leaves the top one",
               outcomes("disk_stack.h5", "stick,stick,stick,stick,stick", "stick,stick,lift,stick,lift"))],
         "plot_impact disk_stack.h5", minutes=1),
    Item("table 3", "LCPs for each sample", [BLOCK, GAIT, WALL, RAMONE, PUBLISHED, DISKS], [
        Value("rocking block", lcps("rocking_block.h5"), 2.67, "table", 0.1, LEFT_OVER),
        Value("compass gait", lcps("compass_gait.h5"), 2.27, "table", 0.1),
        Value("box and wall", lcps("box_wall.h5"), 1.97, "table", 0.1, LEFT_OVER),
        Value("RAMone", lcps("ramone.h5"), 3.20, "table", 0.05, LEFT_OVER),
        Value("disc stack, mass and tangents of the published code", lcps("disk_stack_published.h5"), 9.04, "table", 0.05),
        Value("disc stack, as in Table 8", lcps("disk_stack.h5"), 9.04, "table", 0.05, TWICE_OFF)]),
    *[Item(f"table {k}", f"Parameters: {what}", [run], [Value(name, ours, value, "table", 1e-3) for name, ours, value in rows])
      for k, what, run, rows in PARAMETERS],
    Item("algorithm 1", "Sim: a sample of the outcomes", [BLOCK],
         [Fact("energy never grows in a step", lambda files: (
             h5py.File(files.path("rocking_block.h5"))["samples"].attrs["worst_energy_growth"] <= 1e-12, "at rounding"))]),
    Item("algorithm 2", "Approximate: the set of outcomes", [BLOCK],
         [Fact("every sample ends", lambda files: (
             int(h5py.File(files.path("rocking_block.h5"))["samples"].attrs["unfinished"]) == 0, "none is unfinished"))]),
])
