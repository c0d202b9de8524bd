"""The items of the paper on finite elements with switch and jump detection (FESD-J)."""
import csv
import math

import numpy as np

from cocp_papers import Fact, Item, Paper, Value, frames

RADAU = "--set discretization.scheme=radau-iia --set discretization.stages"
BALL = f"cocp simulate problems/ball_1d.yaml --method fesd-j {RADAU}=5 --set time.horizon=0.8 --set simulate.steps=4"
INELASTIC = f"{BALL} --set parameters.e=0 -o ball_inelastic.h5"
ELASTIC = f"{BALL} --set parameters.e=0.6 -o ball_elastic.h5"
PARTICLE = (f"cocp simulate problems/ball_2d.yaml --method fesd-j {RADAU}=3 --set time.horizon=1 --set simulate.steps=4 "
            "--set states.q2.initial=0")
SLIP_STICK = f"{PARTICLE} --set states.v1.initial=1 --set 'dynamics.force.q1=2*sin(4*t)' -o slip_to_stick.h5"
REVERSAL = f"{PARTICLE} --set states.v1.initial=-1 --set dynamics.force.q1=5 -o switch_during_slip.h5"
SLIP = f"{PARTICLE} --set states.v1.initial=1 --set dynamics.force.q1=5 -o slip.h5"
STICK_SLIP = f"{PARTICLE} --set states.v1.initial=0 --set 'dynamics.force.q1=-6*t' -o stick_to_slip.h5"
LIFT = f"{PARTICLE} --set states.v1.initial=0 --set 'dynamics.force.q2=20*t - 10' -o lift.h5"
TWO_BALLS = "cocp simulate problems/two_balls.yaml -o two_balls.h5"
TWO_BALLS_FESD = "cocp simulate problems/two_balls.yaml --method fesd-j --set simulate.steps=250 -o two_balls_fesd_j.h5"
STEPS = (20, 28, 40, 57, 80, 113, 160, 226, 320, 453)
ORDERS = ("cocp sweep problems/two_balls.yaml --run simulate --sweep discretization.scheme=radau-iia,gauss-legendre "
          "--sweep discretization.stages=1,2,3,4 --sweep simulate.steps=" + ",".join(str(n) for n in STEPS)
          + " -q -o two_balls_orders -- --method fesd-j")
SOFT = ("cocp sweep problems/two_balls.yaml --run simulate --sweep discretization.scheme=radau-iia,gauss-legendre "
        "--sweep simulate.steps=250,500,1000,2000 -q -o two_balls_soft -- --method fesd-j --set parameters.k=100 "
        "--set discretization.stages=1")
SOFT_EVENT = "cocp simulate problems/two_balls.yaml --set parameters.k=100 -o two_balls_soft.h5"
DISCS = "cocp solve problems/discs.yaml -o discs.h5"
BOXES = "cocp solve problems/three_boxes.yaml -o three_boxes.h5"
# An independent integration from impact to impact (cases.md 1): both balls at t = 1, and the two impacts.
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


def middle_starts_right(files):
    x = files.result("three_boxes.h5").main["x2"]
    first = x[np.flatnonzero(np.abs(x) > 1e-3)[0]]
    return bool(first > 0), "to the right" if first > 0 else "to the left"


def force_of_floors(files):
    """The one of all times and floors that is farthest from the weight."""
    main = files.result("three_boxes.h5").main
    force = np.concatenate([main[f"floor_{box}_lambda_n"] for box in ("left", "middle", "right")])
    return float(force[np.argmax(np.abs(force - 9.81))])


def boxes_only_hit(files):
    main = files.result("three_boxes.h5").main
    most = {name: main[f"{name}_lambda_n"].max() for name in ("left_middle", "middle_right")}
    return all(force < 1e-3 for force in most.values()), ", ".join(
        f"{name.replace('_', '-')} {f'up to {force:.3g} N' if force >= 1e-3 else '0'}" for name, force in most.items())


def impacts_of(files, name):
    return sum(event["kind"] == "impact" for event in files.result(name).events())


def counts(name, *wanted):
    """How often what happens; each of the wanted kinds does."""
    def get(files):
        kinds = [event["kind"] for event in files.result(name).events()]
        return all(kind in kinds for kind in wanted), ", ".join(f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds))
    return get


# --- Switching logic, Tables 1 and 2 -----------------------------------------------------------------------------

POSITIVE = 1e-6                             # of a sum: what is below is 0
MU = 0.3                                    # of ball_2d


def at_stages(result, name):
    """A variable of /trajectory at the stages of each element: [elements, stages]."""
    main, grid = result.main, result.groups["grid"]
    out = np.full((len(grid["h"]), len(grid["c"])), np.nan)
    inside = main["stage"] >= 0
    out[main["element"][inside], main["stage"][inside]] = main[name][inside]
    return out


def around(result, n, values, with_left):
    """Sums over the stages of the elements before and after grid point n, and the left ends of these where it has them."""
    at_left, at_stages = values
    return [(at_left[k] if with_left else 0) + at_stages[k].sum() > POSITIVE for k in (n - 1, n)]


def of_state(grid, name, change=lambda y: y):
    k = list(grid["state"]).index(name)
    return change(grid["x_start"][:, k]), change(grid["x_stage"][:, :, k])


def grid_point(result, t):
    """The grid point next to a time."""
    return int(np.argmin(np.abs(result.groups["grid"]["t_start"] - t)))


def bits(flags):
    return " ".join(str(int(flag)) for flag in flags)


def contact_logic(name, gap, t, wanted):
    """Table 1: the gap at the grid point, sums of gap and force before and after it, their products, kappa."""
    def get(files):
        result = files.result(name)
        n, grid = grid_point(result, t), result.groups["grid"]
        at = of_state(grid, gap)
        here = at[0][n] > POSITIVE
        f_b, f_f = around(result, n, at, True)
        l_b, l_f = around(result, n, (None, at_stages(result, result.contacts()[0] + "_lambda_n")), False)
        # a gap that closes at the grid point only, as in an elastic impact, is a switch, too
        both = f_b and f_f and here
        found = bits([here, f_b, f_f, l_b, l_f, both, l_b and l_f, both or (l_b and l_f)])
        return found == wanted, found
    return get


def friction_logic(name, t, wanted, sign=1):
    """Table 2: sums of the parts of the slip and of beta before and after the grid point, their products, zeta."""
    def get(files):
        result = files.result(name)
        n, grid = grid_point(result, t), result.groups["grid"]
        plus = around(result, n, of_state(grid, "v1", lambda v: np.maximum(sign * v, 0)), True)
        minus = around(result, n, of_state(grid, "v1", lambda v: np.maximum(-sign * v, 0)), True)
        beta = (MU * at_stages(result, "ground_lambda_n")) ** 2 - at_stages(result, "ground_lambda_t") ** 2
        inside = around(result, n, (None, beta), False)
        products = [all(plus), all(minus), all(inside)]
        found = bits(plus + minus + inside + products + [any(products)])
        return found == wanted, found
    return get


def logic(what, found, wanted, differs=""):
    return Fact(what, found, differs, wanted)


# --- Orders, Figure 6 --------------------------------------------------------------------------------------------

ROUNDING = 1e-11                            # errors below say nothing of the scheme


def errors(files, folder, end):
    """By scheme and stages: steps [n], largest error of a state at the end [n]."""
    found = {}
    with open(files.path(f"{folder}/table.csv"), newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            result = files.result(f"{folder}/000/{int(row['point']):06d}.h5")
            key = row["discretization.scheme"], int(row.get("discretization.stages", 1))
            error = max(abs(float(result.main[name][-1]) - value) for name, value in end.items())
            found.setdefault(key, []).append((int(row["simulate.steps"]), error))
    return {key: np.array(sorted(points)).T for key, points in found.items()}


def soft_end(files):
    return {name: float(files.result("two_balls_soft.h5").main[name][-1]) for name in END}


def order(scheme, stages, folder="two_balls_orders", end=lambda files: END):
    """The slope over the last three lengths with errors above rounding."""
    def get(files):
        steps, error = errors(files, folder, end(files))[scheme, stages]
        keep = np.flatnonzero(error > ROUNDING)[-3:]
        return float(-np.polyfit(np.log(steps[keep]), np.log(error[keep]), 1)[0])
    return get


# --- Pictures ----------------------------------------------------------------------------------------------------

def stage_points(result, name):
    """A variable at the stages of all elements: times [n], values [n]."""
    grid = result.groups["grid"]
    t = (grid["t_start"][:, None] + grid["h"][:, None] * grid["c"][None, :]).ravel()
    return t, at_stages(result, name).ravel()


def mark_events(axes, result):
    for event in result.events():
        axes.axvline(event["t"], color="#999999", linestyle="--", linewidth=0.8)


def draw_switches(files, figure):
    """As Figure 3: gap, normal force and normal velocity, inelastic and elastic, with the stages."""
    axes = figure.subplots(3, 2, sharex="col")
    for column, name in enumerate(("ball_inelastic.h5", "ball_elastic.h5")):
        result = files.result(name)
        for row, (name_of, label) in enumerate((("q", "gap [m]"), ("ground_lambda_n", "normal force [N]"),
                                                ("v", "normal velocity [m/s]"))):
            axes[row, column].plot(*result.curve(name_of))
            axes[row, column].plot(*stage_points(result, name_of), "ko", markersize=3)
            axes[row, column].set_ylabel(label)
            mark_events(axes[row, column], result)
        axes[0, column].set_title(("inelastic", "restitution 0.6")[column])
        axes[2, column].set_xlabel("t [s]")


def draw_velocity(files, figure):
    """As Figure 1: the velocity's polynomials with both sides of each grid point."""
    result, axes = files.result("ball_elastic.h5"), figure.subplots()
    grid = result.groups["grid"]
    velocity = result.with_role("state")[1]
    k = list(grid["state"]).index(velocity)
    axes.plot(*result.curve(velocity))
    axes.plot(*stage_points(result, velocity), "ko", markersize=4, label="stages v_n,i")
    axes.plot(grid["t_start"], grid["x_start"][:, k], "o", color="#D55E00", fillstyle="none", label="left ends v_n,0")
    axes.plot(grid["t_end"], grid["x_end"][:, k], "s", color="#009E73", fillstyle="none", label="right ends v_n+1")
    axes.set(xlabel="t [s]", ylabel="v [m/s]")
    axes.legend()


def draw_remark(files, figure):
    """As Figure 2: impulse over the velocity after a grid point; (17), the constraint (18), and what was simulated."""
    flies, hits = files.result("ball_elastic.h5"), files.result("ball_inelastic.h5")
    for axes, result, n, title in zip(figure.subplots(1, 2), (flies, hits), (grid_point(flies, 0.5), grid_point(hits, T_IMPACT)),
                                      ("in flight, rising", "at the impact")):
        grid = result.groups["grid"]
        before, after, impulse = grid["x_end"][n - 1, 1], grid["x_start"][n, 1], grid["impulse_n"][n, 0]
        touches, least = grid["x_start"][n, 0] < 1e-9, -grid["x_start"][n, 0] / (EPS_C * grid["h"][n])
        span = 1.3 * max(abs(before), 1)
        v = np.linspace(-span, span, 201)
        axes.plot(v, v - before, "#0072B2", label="momentum, (17a)")
        axes.plot(*(([0, 0, span], [span, 0, 0]) if touches else ([-span, span], [0, 0])), "k", linewidth=2,
                  label="impulse or rebound, (17c)" if touches else "no impulse off the ground, (17b)")
        if -span < least:
            axes.axvspan(-span, least, color="#f2dede", label="refused by (18)")
            axes.plot(before, 0, "x", color="#CC79A7", markersize=9, label="spurious: no impulse")
        axes.plot(after, impulse, "o", color="#D55E00", markersize=7, label="simulated")
        axes.set(title=title, xlabel="velocity after [m/s]", ylabel="impulse [N s]", xlim=(-span, span), ylim=(-0.3 * span, span))
        axes.legend(fontsize=8)


def draw_friction(files, figure):
    """As Figure 4: slip, its parts, friction force, gamma and beta in a column for each kind of switch."""
    axes = figure.subplots(4, 3, sharex="col")
    for column, (name, title) in enumerate((("slip_to_stick.h5", "slip to stick"), ("switch_during_slip.h5", "through rest, slips on"),
                                            ("slip.h5", "slip"))):
        result = files.result(name)
        t, v = result.curve("v1")
        tf, force = result.curve("ground_lambda_t")
        beta = (MU * at_stages(result, "ground_lambda_n")) ** 2 - at_stages(result, "ground_lambda_t") ** 2
        axes[0, column].plot(t, v)
        axes[0, column].plot(*stage_points(result, "v1"), "ko", markersize=3)
        axes[1, column].plot(t, np.maximum(v, 0), label="xi_+")
        axes[1, column].plot(t, np.maximum(-v, 0), "--", label="xi_-")
        axes[1, column].legend()
        axes[2, column].plot(tf, force)
        axes[2, column].plot(*stage_points(result, "ground_lambda_t"), "ko", markersize=3)
        axes[3, column].plot(stage_points(result, "v1")[0], beta.ravel(), ".", label="beta")
        axes[3, column].plot(t, np.abs(v), "--", label="|v_t|, for gamma")
        axes[3, column].legend(fontsize=7)
        for row, label in enumerate(("v_t [m/s]", "parts [m/s]", "lambda_t [N]", "")):
            axes[row, column].set_ylabel(label if column == 0 else "")
            mark_events(axes[row, column], result)
        axes[0, column].set_title(title)
        axes[3, column].set_xlabel("t [s]")


def draw_orders(files, figure):
    axes = figure.subplots()
    for (scheme, stages), (steps, error) in errors(files, "two_balls_orders", END).items():
        axes.loglog(0.5 / steps, error, "o-" if scheme == "radau-iia" else "s--", color=f"C{stages - 1}",
                    label=f"{scheme}, {stages} stage{'s' if stages > 1 else ''}")
    axes.set(xlabel="length of an element [s]", ylabel="error at t = 1")
    axes.legend(ncols=2, fontsize=8)
    axes.grid(True, color="#e4e4e4")


# --- The items ---------------------------------------------------------------------------------------------------

T_IMPACT = math.sqrt(2 * 0.8 / 9.81)        # of ball_1d
EPS_C = 1e-3                                # discretization.eps_c, as in the paper


def jumps_where_impulses_are(files):
    grid = files.result("ball_elastic.h5").groups["grid"]
    jumps = np.abs(grid["x_start"][1:, 1] - grid["x_end"][:-1, 1]) > 1e-6
    return bool(np.all((grid["impulse_n"][1:, 0] > 1e-6) == jumps)), f"{jumps.sum()} jumps in {len(jumps)} grid points"


def clear_after_each_grid_point(files):
    grid = files.result("ball_inelastic.h5").groups["grid"]
    least = (grid["x_start"][:, 0] + EPS_C * grid["h"] * grid["x_start"][:, 1]).min()
    return bool(least > -1e-9), f"at least {least:.1e} m"


def stick_time():
    """Of v = 1 - 3 t + (1 - cos 4 t)/2, by bisection."""
    low, high = 0.5, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if 1 - 3 * middle + (1 - math.cos(4 * middle)) / 2 > 0 else (low, middle)
    return low


def found_at(name, t):
    """The grid point that lies next to a switch."""
    return lambda files: float(files.result(name).groups["grid"]["t_start"][grid_point(files.result(name), t)])


EQUILIBRATION = "Step equilibration: heuristic-mean with rho_h = 0.01 here, that of Remark 4 with rho_h = 1 in the paper."

PAPER = Paper("fesd-j", "FESD-J", "FESD-J (Nurkanović, Frey, Pozharskiy, Diehl)", [
    Item("1", "How the velocity is approximated", [ELASTIC],
         [Fact("impulses where the velocity jumps, and nowhere else", jumps_where_impulses_are)], draw_velocity),
    Item("2", "Remark 1: no impact without an impulse", [INELASTIC, ELASTIC],
         [Fact("a short Euler step from each grid point stays above the ground, (18)", clear_after_each_grid_point),
          Value("impulse of the impact [N s]", lambda files: float(files.result("ball_inelastic.h5").groups["grid"]
                                                                   ["impulse_n"].max()),
                math.sqrt(2 * 9.81 * 0.8), "closed form: m sqrt(2 g h)", 1e-9)], draw_remark),
    Item("3", "Switches by inelastic and elastic impacts", [INELASTIC, ELASTIC], [
        Value("time of the impact [s], inelastic", found_at("ball_inelastic.h5", T_IMPACT), T_IMPACT,
              "closed form: sqrt(2 h/g)", 1e-9),
        Value("time of the impact [s], elastic", found_at("ball_elastic.h5", T_IMPACT), T_IMPACT,
              "closed form: sqrt(2 h/g)", 1e-9)], draw_switches),
    Item("4", "Switches due to friction", [SLIP_STICK, REVERSAL, SLIP], [
        Value("it sticks at t [s]", found_at("slip_to_stick.h5", stick_time()), stick_time(),
              "closed form: 1 - 3 t + (1 - cos 4 t)/2 = 0", 1e-5),
        Value("it turns at t [s]", found_at("switch_during_slip.h5", 1 / 8), 1 / 8, "closed form: 1/(5 + mu g)", 1e-9)],
         draw_friction, "The particle, its forces and speeds are ours: the paper prints none."),
    Item("table 1", "Switching logic of contacts", [ELASTIC, INELASTIC, LIFT], [
        logic("contact making, elastic", contact_logic("ball_elastic.h5", "q", T_IMPACT, "0 1 1 0 0 0 0 0"), "0 1 1 0 0 0 0 0"),
        logic("contact making, inelastic", contact_logic("ball_inelastic.h5", "q", T_IMPACT, "0 1 0 0 1 0 0 0"), "0 1 0 0 1 0 0 0"),
        logic("contact breaking", contact_logic("lift.h5", "q2", 0.5, "0 0 1 1 0 0 0 0"), "0 0 1 1 0 0 0 0"),
        logic("free flight", contact_logic("ball_elastic.h5", "q", 0.2, "1 1 1 0 0 1 0 1"), "1 1 1 0 0 1 0 1"),
        logic("persistent contact", contact_logic("ball_inelastic.h5", "q", 0.6, "0 0 0 1 1 0 1 1"), "0 0 0 1 1 0 1 1")],
         note="Columns as printed: gap at the grid point; sums of gap before and after it; of force before and after; both "
         "products; kappa. 1 is positive. The product of gaps has the gap at the grid point as a factor."),
    Item("table 2", "Switching logic of friction", [SLIP_STICK, REVERSAL, SLIP, STICK_SLIP], [
        logic("switch during slip", friction_logic("switch_during_slip.h5", 1 / 8, "1 0 0 1 0 0 0 0 0 0", -1),
              "1 0 0 1 0 0 0 0 0 0"),
        logic("slip to stick", friction_logic("slip_to_stick.h5", stick_time(), "1 0 0 0 0 1 0 0 0 0"), "1 0 0 0 0 1 0 0 0 0"),
        logic("stick to slip", friction_logic("stick_to_slip.h5", 0.5, "0 0 0 1 1 0 0 0 0 0"), "0 0 0 1 1 0 0 0 0 0"),
        logic("stick", friction_logic("slip_to_stick.h5", 0.75, "0 0 0 0 1 1 0 1 1 1"), "0 0 0 0 1 1 0 1 1 1",
              "a slip of the paper: both sums of xi_- are 0, so their product is 0"),
        logic("slip", friction_logic("slip.h5", 0.5, "1 1 0 0 0 0 1 0 0 1"), "1 1 0 0 0 0 1 0 0 1")],
         note="Columns as printed: sums of xi_+ before and after the grid point, of xi_- and of beta alike; the three products; "
         "zeta. The first row is of the mirrored motion of Figure 4."),
    Item("5", "Two balls on a spring", [TWO_BALLS, TWO_BALLS_FESD], [
        Value("first impact [s]", impact("two_balls_fesd_j.h5", 0), IMPACTS[0], "independent integration, cases.md 1", 1e-7),
        Value("second impact [s]", impact("two_balls_fesd_j.h5", 1), IMPACTS[1], "independent integration, cases.md 1", 1e-7),
        *[Value(f"{name} at t = 1, fesd-j", last("two_balls_fesd_j.h5", name), END[name], "independent integration, cases.md 1", 1e-6)
          for name in END]], "plot two_balls.h5 --panels 'q1 q2, v1 v2'"),
    Item("6", "Integration order", [ORDERS, SOFT, SOFT_EVENT], [
        *[Value(f"order of Radau IIA with {s} stage{'s' if s > 1 else ''}", order("radau-iia", s), 2 * s - 1, "theory", 0.15,
                "the balls swing on the spring at 141 rad/s, and these elements damp it out: no order can be seen before they are "
                "shorter than 1e-5 s; the last rows are of a softer spring" if s == 1 else "")
          for s in (1, 2, 3, 4)],
        *[Value(f"order of Gauss-Legendre with {s} stage{'s' if s > 1 else ''}", order("gauss-legendre", s), 2 * s, "theory", 0.15)
          for s in (1, 2, 3, 4)],
        Value("Radau IIA with one stage, k = 100", order("radau-iia", 1, "two_balls_soft", soft_end), 1, "theory", 0.15),
        Value("Gauss-Legendre with one stage, k = 100", order("gauss-legendre", 1, "two_balls_soft", soft_end), 2, "theory", 0.15),
    ], draw_orders, "Errors are against an independent integration (cases.md 1). Every run counts; the paper leaves out the 4.17 % "
        "(Radau IIA) and 5.2 % (Gauss-Legendre) of its runs that did not converge."),
    Item("7", "Two discs swap their places: frames", [DISCS], [
        Value("objective", objective("discs.h5"), math.nan),
        Fact("the solution holds", is_replayed("discs.h5")),
        Fact("the second disc rests until it is touched", second_disc_rests_until_touched)],
        frames("discs.h5", 12), f"Our drag is c_f v/sqrt(|v|^2 + eps_f^2); the paper adds the number eps_f to a vector "
        f"([fesd_j.md](../transcription/fesd_j.md) 13). {EQUILIBRATION}", minutes=1),
    Item("8", "Two discs: trajectories and controls", [DISCS], [Fact("what happens", counts("discs.h5", "impact", "liftoff"),
                                                                                theirs="contact, push, break of contact")],
         "plot discs.h5 --panels 'x1 x2, y1 y2, vx1 vx2, vy1 vy2, ux uy'"),
    Item("9", "Three boxes: frames", [BOXES], [
        Value("objective", objective("three_boxes.h5"), math.nan), Fact("the solution holds", is_replayed("three_boxes.h5")),
        Fact("which way the middle box starts", middle_starts_right, "both hit the left box first, but ours without a "
             "run-up to the right, also where the guess has one; no cost is printed to compare with", "slightly to the right"),
        Fact("impacts", lambda files: (impacts_of(files, "three_boxes.h5") == 2,
                                       str(impacts_of(files, "three_boxes.h5"))), theirs="two")],
        frames("three_boxes.h5", 10, 2, np.linspace(0, 3, 10)), "The paper prints the "
        "gaps to the floor as q - 1/2 and starts at q = 0, half a metre inside the floor: ours are q - a/2, and the boxes start on "
        f"the floor. {EQUILIBRATION}", minutes=1),
    Item("10", "Three boxes: trajectories, forces, impulses", [BOXES],
         [Fact("what happens", counts("three_boxes.h5", "impact", "stick", "slip"),
               theirs="two impacts, stick to slip and slip to stick"),
          Value("normal force of the floors [N]", force_of_floors, 9.81, "text: g", 1e-6),
          Fact("forces between boxes", boxes_only_hit, "after its impact our middle box goes on pushing the left one until t = 0.4 s",
               "0, impulses only")], "plot three_boxes.h5"),
])
