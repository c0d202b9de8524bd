"""The items of the paper on time-freezing (TF): its examples, figures and tables."""
import math

import numpy as np

from cocp_papers import Fact, Item, Paper, Value, frames

G, MU, PUSH = 9.81, 0.6, 7.0
T_IMPACT = math.sqrt(2 / G)                 # of a fall of 1 m
EX3 = "cocp simulate problems/tf_ex3.yaml --method time-freezing -o tf_ex3.h5"
EX4 = "cocp simulate problems/tf_ex4.yaml --method time-freezing -o tf_ex4.h5"
EX5 = "cocp solve problems/tf_ex5.yaml -o tf_ex5.h5"
EX5_RAW = "cocp solve problems/tf_ex5.yaml --set discretization.a_n=9.81 --set finish=off -o tf_ex5_raw.h5"
HOLES = "cocp solve problems/monoped_holes.yaml -o monoped_holes.h5"
ZENO = ("cocp simulate problems/ball_1d.yaml --method time-freezing --set parameters.e=0.5 --set discretization.a_n=1 "
        "--set time.horizon=1.15 -o zeno.h5")
ZENO_EVENT = "cocp simulate problems/ball_1d.yaml --method event --set parameters.e=0.5 --set time.horizon=2 -o zeno_event.h5"
HOLES_NOTE = (
    "The paper prints a_k = 0.5, 'width of the hole'. As a semi-axis it would make the holes touch, with single points left to "
    "land on, x = 1 and x = 2; the program that its authors published (nosnoc, examples/robot_ocp) halves it: semi-axes of 0.25. "
    "That program has two stages and 25 intervals (the paper: order 5, hence three, and 20) and five relaxations; the log beside it, "
    "which does not say of how many holes, ends at a complementarity of 0.0123. Ours has two stages, and a finish with four elements in each interval. "
    "Raw (finish=off) the program is solved, but not the problem: two stages come to 131.912 with a complementarity of 0 (90 s of "
    "computing in all), three from the finished motion (--guess) to 149.408 with 7e-9 (41 s; from the naive guess they were lost at "
    "sigma = 0.011). Replayed, single intervals are off by 8.3 and 1.6: time runs during a jump while the foot still comes down at "
    "1.9 m/s (two stages), an impact has no jump (three), and path constraints hold at grid points alone. With time frozen in all "
    "jumps ([time_freezing.md](../transcription/time_freezing.md) 12) both were lost, at sigma = 5e-5 and 3e-4.")
CONE = "cocp simulate problems/ball_3d.yaml --method time-freezing --set discretization.eps_t=1e-2 -o ball_3d.h5"


# --- Numbers -----------------------------------------------------------------------------------------------------

def at_event(name, kind, what):
    def get(files):
        events = files.result(name).groups["events"]
        return float(events[what][list(events["kind"]).index(kind)])
    return get


def numerical_time_of(name, t):
    """Of the first point at physical time t."""
    def get(files):
        main = files.result(name).main
        return float(np.interp(t, main["t"], main["t_num"]))
    return get


def rate_of_time(name, t_num):
    """dt/dt_num."""
    def get(files):
        main = files.result(name).main
        return float(np.interp(t_num, main["t_num"], main["dt_dt_num"]))
    return get


def speed_of_interval(name, t):
    """s of the control interval that holds t."""
    def get(files):
        grid = files.result(name).groups["grid"]
        return float(grid["speed_of_time"][np.searchsorted(grid["t_interval"], t, "right") - 1])
    return get


def tangential_velocity_after_impact(files):
    events = files.result("tf_ex4.h5").groups["events"]
    return float(events["x_plus"][list(events["kind"]).index("impact")][2])


def acceleration_in_contact(files):
    """Of v_1 in physical time between the impact and t = 1."""
    main = files.result("tf_ex4.h5").main
    slides = (main["t"] > T_IMPACT + 1e-3) & (main["t"] < 1) & (main["is_physical"] > 0)
    return float(np.polyfit(main["t"][slides], main["vx"][slides], 1)[0])


def objective(name):
    return lambda files: float(files.result(name).attrs["objective"])


def numerical_time_at_end(name):
    return lambda files: float(files.result(name).main["t_num"][-1])


def story(name, *kinds):
    """What the contact does, in this order."""
    def get(files):
        events = [event for event in files.result(name).events() if event["name"] == "ground"]
        return [event["kind"] for event in events] == list(kinds), ", ".join(f"{e['kind']} at {e['t']:.4f}" for e in events)
    return get


def full_force_before_impact(files):
    """The least norm has 9.511 N in the fourth interval, the last one before that of the impact, and falls on."""
    u = files.result("tf_ex5.h5").groups["grid"]["u"][:, 0]
    return bool(np.all(u[:3] > 10 - 1e-5) and u[3] < 10 - 1e-5 and np.all(np.diff(u) < 1e-6)), (
        "10 in three of the four intervals before the impact's: " + ", ".join(f"{one:.4g}" for one in u[:6]) + " N, ..")


# --- Pictures ----------------------------------------------------------------------------------------------------

def draw_phase(name):
    """The gap and its rate with the regions of Definition 2: R1a, R1b, R2."""
    def draw(files, figure):
        result, axes = files.result(name), figure.subplots()
        z, vz = result.main["z"], result.main["vz"]
        low, high = vz.min() * 1.2, max(vz.max() * 1.1, 1)
        axes.fill_between([0, 1.4], low, high, color="#dff0d8", label="R1a: unconstrained motion")
        axes.fill_between([-0.4, 0], 0, high, color="#fcf8e3", label="R1b: never entered")
        axes.fill_between([-0.4, 0], low, 0, color="#f2dede", label="R2: auxiliary dynamics")
        frozen = result.main["is_physical"] == 0
        axes.plot(z, vz, "#0072B2", linewidth=1.8)
        axes.plot(z[frozen], vz[frozen], "o", color="#D55E00", markersize=3, label="points in frozen time")
        axes.set(xlabel="gap z [m]", ylabel="rate of the gap v_z [m/s]", xlim=(-0.4, 1.4), ylim=(low, high))
        axes.legend()
    return draw


def draw_example(name):
    """As Figures 3 and 5: places; velocities in numerical and in physical time; speed of time; controls."""
    def draw(files, figure):
        result = files.result(name)
        t, t_num = result.main["t"], result.main["t_num"]
        top = figure.add_gridspec(3, 2)
        place = figure.add_subplot(top[0, :])
        place.plot(result.main["x"], result.main["z"])
        place.set(xlabel="q_1 [m]", ylabel="q_2 [m]")
        left, right = figure.add_subplot(top[1, 0]), figure.add_subplot(top[1, 1])
        for velocity in ("vx", "vz"):
            left.plot(t_num, result.main[velocity], label=velocity)
            right.plot(*result.curve(velocity), label=velocity)
        left.set(xlabel="numerical time", ylabel="v [m/s]")
        right.set(xlabel="physical time t [s]", ylabel="v [m/s]")
        left.legend()
        slow, control = figure.add_subplot(top[2, 0]), figure.add_subplot(top[2, 1])
        slow.plot(t_num, result.main["dt_dt_num"], drawstyle="steps-mid", label="dt/dt_num")
        slow.set(xlabel="numerical time", ylabel="speed of time")
        for name_of in result.with_role("control"):
            control.plot(t, result.main[name_of], label=name_of)
        speed = result.groups["grid"]["speed_of_time"]
        if np.ptp(speed) > 0:                   # of an optimization
            control.step(np.append(result.groups["grid"]["t_interval"], t[-1]), np.append(speed, speed[-1]), where="post",
                         color="#E69F00", label="speed of time s_k")
        control.set(xlabel="physical time t [s]", ylabel="u")
        control.legend()
        for axes in (left, slow):
            for start, end in result.frozen():
                axes.axvspan(start, end, color="#f2dede", zorder=0)
    return draw


def draw_friction(files, figure):
    """The friction force over the slip: exact, and with the drift eps_t of (26), beside the simulated one."""
    axes, eps = figure.subplots(), 1e-2
    slip = np.linspace(-4 * eps, 4 * eps, 401)
    axes.plot(slip, -np.sign(slip), "k", label="exact (21)")
    axes.plot(slip, np.where(np.abs(slip) > eps, -np.sign(slip), slip), "--", color="#D55E00", label="approximation (26)")
    main = files.result("ball_3d.h5").main
    loaded = (main["ground_lambda_n"] > 1e-3) & (main["is_physical"] > 0)
    size = np.hypot(main["vx"], main["vy"])[loaded]
    force = np.hypot(main["ground_lambda_t1"], main["ground_lambda_t2"])[loaded]
    axes.plot(size, -force / (0.2 * main["ground_lambda_n"][loaded]), ".", color="#0072B2",
              label="ball_3d, simulated by time-freezing")
    axes.set(xlabel="tangential velocity [m/s]", ylabel="friction force over mu lambda_n", xlim=(-4 * eps, 4 * eps))
    axes.legend()


# --- The items ---------------------------------------------------------------------------------------------------

IMPACT = Value("time of the impact [s]", at_event("tf_ex3.h5", "impact", "t"), T_IMPACT, "closed form: sqrt(2/g)", 1e-6)

PAPER = Paper("time-freezing", "TF", "The time-freezing reformulation (Nurkanović, Albrecht, Brogliato, Diehl)", [
    Item("table 1", "Key symbols", note="Symbols only: what they are called here is in "
         "[time_freezing.md](../transcription/time_freezing.md); in the file, t is the physical and t_num the numerical time."),
    Item("example 1", "The guiding example: a point mass above the ground", [EX3], [IMPACT]),
    Item("1", "Phase plot of the time-freezing system", [EX3],
         [Fact("the gap's rate is 0 when time runs again", lambda files: (
             abs(files.result("tf_ex3.h5").groups["events"]["x_plus"][0][3]) < 1e-6, "v_z = 0 after the impact"))],
         draw_phase("tf_ex3.h5"), "Schematic in the paper; here the regions are drawn under the simulated motion."),
    Item("example 2", "The regions of the guiding example", [EX3],
         [Value("impulse of the impact [N s]", at_event("tf_ex3.h5", "impact", "impulse_n"), math.sqrt(2 * G),
                "closed form: m sqrt(2 g)", 1e-6)]),
    Item("2", "Phase plot where the contact breaks", [EX3],
         [Value("lift-off at t [s]", at_event("tf_ex3.h5", "liftoff", "t"), 1.5, "closed form: u_2 = g", 1e-6)],
         draw_phase("tf_ex3.h5"), "The same motion as in Figure 1: after lift-off it leaves to the right, into R1a."),
    Item("example 3", "Speed of time in sliding modes, a_n = g", [EX3], [
        Value("speed of time while it slides without u_2", rate_of_time("tf_ex3.h5", 1.5), 0.5, "text", 1e-3),
        Value("numerical time at t = 1", numerical_time_of("tf_ex3.h5", 1.0), 2.0, "text", 1e-3),
        Value("numerical time of the lift-off", at_event("tf_ex3.h5", "liftoff", "t_num"), 2.8, "text, two digits", 0.02),
        Value("the same", at_event("tf_ex3.h5", "liftoff", "t_num"), 2.75, "closed form: 2 + 3/4", 1e-4),
        Value("numerical time at the end", numerical_time_at_end("tf_ex3.h5"), 3.5, "text", 1e-4)],
         note="For t >= 1 the paper prints g/(2 g + u_2), which would fall: it is g/(2 g - u_2)."),
    Item("3", "Trajectories of Example 3", [EX3], [IMPACT, Fact("what happens", story("tf_ex3.h5", "impact", "liftoff"))],
         draw_example("tf_ex3.h5")),
    Item("zeno", "Section 3.5: infinitely many impacts", [ZENO, ZENO_EVENT], [
        Value("numerical time at t = 1.15, after four impacts", numerical_time_at_end("zeno.h5"),
              1.15 + 4 * math.sqrt((math.pi**2 + math.log(2)**2) / 10), "closed form: time_freezing.md (3)", 1e-6),
        Value("at rest from t [s], from event to event", at_event("zeno_event.h5", "rest", "t"), 3 * math.sqrt(1.6 / G),
              "closed form: (1 + e)/(1 - e) sqrt(2 h/g)", 1e-5)],
         note="As the paper says, the numerical horizon would have to be infinitely long, and it assumes finitely many impacts: with "
         "e = 0.5 each takes 1.017 of numerical time, whatever a_n is, which is of inelastic impacts alone. A simulation beyond "
         "t = 1.2116 s by time-freezing goes on without end (436 steps in a minute); from event to event it comes to rest."),
    Item("4", "The exact friction force and its approximation in space", [CONE],
         [Value("creep where it sticks [m/s]", lambda files: float(np.hypot(files.result("ball_3d.h5").main["vx"][-1],
                                                                            files.result("ball_3d.h5").main["vy"][-1])),
                1e-2, "text: drifts with eps_t, which is 0.01 here", 1e-2)], draw_friction),
    Item("example 4", "A frictional impact, mu = 0.6", [EX4], [
        Value("v_1 before the impact [m/s]", lambda files: float(files.result("tf_ex4.h5").groups["events"]["x_minus"][0][2]),
              PUSH * T_IMPACT, "closed form: 7 sqrt(2/g)", 1e-6),
        Value("v_1 after it [m/s]", tangential_velocity_after_impact, PUSH * T_IMPACT - MU * math.sqrt(2 * G),
              "closed form: less mu sqrt(2 g)", 1e-6),
        Value("acceleration of v_1 in contact, up to t = 1 [m/s^2]", acceleration_in_contact, PUSH - MU * G,
              "closed form: 7 - mu g", 1e-6),
        Value("numerical time of the lift-off", at_event("tf_ex4.h5", "liftoff", "t_num"), 2.8, "text, two digits", 0.02)]),
    Item("5", "Trajectories of Example 4", [EX4], [Fact("what happens", story("tf_ex4.h5", "impact", "liftoff"))], draw_example("tf_ex4.h5")),
    Item("example 5", "Optimal control of the guiding example", [EX5, EX5_RAW], [
        Value("objective", objective("tf_ex5.h5"), 72.639278, "closed form: least-norm problem, cases.md 2", 1e-6),
        Value("objective of the raw method, a_n = g", objective("tf_ex5_raw.h5"), 72.639278,
              "closed form: least-norm problem, cases.md 2", 1e-6),
        Value("s_k in flight", speed_of_interval("tf_ex5_raw.h5", 0.25), 1, "figure", 1e-4),
        Value("s_k in the interval of the impact", speed_of_interval("tf_ex5_raw.h5", 0.45), 6,
              "closed form: N/T (t_i - 0.4 + t_i + 2 (0.5 - t_i))", 1e-4),
        Value("s_k in contact", speed_of_interval("tf_ex5_raw.h5", 1.25), 2,
              "text: s_k = 2 during contact; the resulting speed of time is always one", 1e-4),
        Fact("force", full_force_before_impact, theirs="maximum before the impact, smaller after")]),
    Item("6", "Solution of Example 5", [EX5_RAW], [Fact("what happens", story("tf_ex5_raw.h5", "impact", "stick"))],
         draw_example("tf_ex5_raw.h5")),
    Item("7", "The jumping robot over three holes: frames", [HOLES],
         [Value("objective", objective("monoped_holes.h5"), math.nan)], frames("monoped_holes.h5", 12, 2), minutes=1,
         note=HOLES_NOTE),
    Item("8", "The jumping robot's torques", [HOLES],
         [Fact("torques keep their bounds", lambda files: (
             bool(np.abs(files.result("monoped_holes.h5").groups["grid"]["u"]).max() <= 60 + 1e-6),
             f"at most {np.abs(files.result('monoped_holes.h5').groups['grid']['u']).max():.3f} N m"), theirs="at most 60")],
         "plot monoped_holes.h5 --panels u_hip,u_knee", minutes=1),
])
