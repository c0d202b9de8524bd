"""FESD and time-freezing written on CasADi, and the homotopy of nosnoc: a peer for `cocp solve`.

The program is that of cocp's defaults: Radau IIA with two stages in integral form, steps or Stewart's multipliers,
cross complementarity of the sum over the points of an element with each stage, lengths of elements that are drawn to
their mean, intervals equal in physical time.
"""
import math
import time
from dataclasses import dataclass, field
from typing import Callable, Optional

import casadi as ca
import numpy as np

A_RK = np.array([[5 / 12, -1 / 12], [3 / 4, 1 / 4]])            # Radau IIA, two stages
B_RK, N_STAGES = A_RK[-1], 2
A_INVERSE = np.linalg.inv(A_RK)
SPEED_MAX = 25.0
FREE = None


@dataclass
class Model:
    """Functions of CasADi vectors; FREE where an end value is."""
    name: str
    x_initial: list
    x_final: list
    u_max: list                                 # |u| <= u_max
    n_intervals: int
    horizon: float                              # the guess where it is free
    c: Callable                                 # c(x): switching functions
    rhs: Callable                               # rhs(x, u, m): m the steps alpha(c), or theta of Stewart's modes
    running: Callable = lambda x, u, m: 0       # cost per physical time
    terminal: Callable = lambda x, T: 0
    x_min: Optional[list] = None
    x_max: Optional[list] = None
    signs: Optional[np.ndarray] = None          # S of fesd.md 1, modes x switches; None: steps
    horizon_bounds: Optional[tuple] = None      # of a free horizon
    has_clock: bool = False                     # time-freezing: the last state is time, speeds are free
    n_elements: int = 3


@dataclass
class Program:
    """min f, lbg <= g <= ubg, lbw <= w <= ubw, 0 <= G, H with G H = 0."""
    w: list = field(default_factory=list)
    lbw: list = field(default_factory=list)
    ubw: list = field(default_factory=list)
    w0: list = field(default_factory=list)
    g: list = field(default_factory=list)
    lbg: list = field(default_factory=list)
    ubg: list = field(default_factory=list)
    G: list = field(default_factory=list)
    H: list = field(default_factory=list)
    cost: ca.SX = field(default_factory=lambda: ca.SX(0))       # the problem's own
    regular: ca.SX = field(default_factory=lambda: ca.SX(0))    # of the lengths of elements

    def variable(self, n, low, high, start):
        v = ca.SX.sym("w", n)
        self.w.append(v)
        for numbers, value in ((self.lbw, low), (self.ubw, high), (self.w0, start)):
            numbers += [float(z) for z in np.broadcast_to(value, n)]
        return v

    def row(self, expr, low=0.0, high=0.0):
        expr = ca.SX(expr)
        self.g.append(expr)
        self.lbg += [low] * expr.numel()
        self.ubg += [high] * expr.numel()

    def pair(self, G, H):
        self.G.append(G)
        self.H.append(H)


def stewart_g(model, x):
    return ca.mtimes(-ca.SX(model.signs), ca.vertcat(*model.c(x)))


def start_multipliers(model):
    """Those of the fixed initial state, fesd.md 4."""
    x = ca.DM(model.x_initial)
    if model.signs is None:
        c = ca.DM(ca.vertcat(*model.c(x)))
        return ca.vertcat(ca.fmax(-c, 0), ca.fmax(c, 0))
    g = ca.DM(-model.signs) @ ca.DM(ca.vertcat(*model.c(x)))
    return g - ca.mmin(g)


def add_multipliers(program, model, x):
    """Of one stage: what blends the modes, what complements it, and its multipliers, in one order."""
    c = ca.vertcat(*model.c(x))
    if model.signs is None:                                                             # fesd.md (2)
        n = c.numel()
        alpha = program.variable(n, 0, 1, 0.5)
        lam = program.variable(2 * n, 0, math.inf, 0.5)
        program.row(c - lam[n:] + lam[:n])
        return alpha, ca.vertcat(alpha, 1 - alpha), lam
    n = model.signs.shape[0]                                                            # fesd.md (1)
    theta = program.variable(n, 0, math.inf, 1 / n)
    lam = program.variable(n, 0, math.inf, 0.5)
    mu = program.variable(1, -math.inf, math.inf, 0)
    program.row(stewart_g(model, x) - lam + mu)
    program.row(ca.sum1(theta) - 1)
    return theta, theta, lam


def add_element(program, model, x_left, lam_left, u, speed, h, is_last):
    """Returns state and multipliers at the right end."""
    n_x = len(model.x_initial)
    low = model.x_min or [-math.inf] * n_x
    high = model.x_max or [math.inf] * n_x
    stages, blends, others, lam_sum = [], [], [], lam_left
    for i in range(N_STAGES):
        at_end = is_last and i == N_STAGES - 1
        ends = [model.x_final[k] if at_end else FREE for k in range(n_x)]
        x = program.variable(n_x, [low[k] if ends[k] is FREE else ends[k] for k in range(n_x)],
                             [high[k] if ends[k] is FREE else ends[k] for k in range(n_x)], model.x_initial)
        blend, other, lam = add_multipliers(program, model, x)
        stages.append(x)
        blends.append(blend)
        others.append(other)
        lam_sum = lam_sum + lam
    for i in range(N_STAGES):                                                           # runge_kutta.md (1)
        rate = speed * ca.vertcat(*model.rhs(stages[i], u, blends[i]))
        program.row(h * rate - sum(A_INVERSE[i, r] * (stages[r] - x_left) for r in range(N_STAGES)))
        program.cost += h * speed * B_RK[i] * model.running(stages[i], u, blends[i])
        program.pair(lam_sum, others[i])                                                # fesd.md (4)
    return stages[-1], lam


def transcribe(model):
    program = Program()
    n, n_elements = model.n_intervals, model.n_elements
    T = model.horizon
    if model.horizon_bounds:
        T = program.variable(1, *model.horizon_bounds, model.horizon)
    h_mean, h_guess = T / (n * n_elements), model.horizon / (n * n_elements)
    x, lam = ca.SX(ca.DM(model.x_initial)), ca.SX(start_multipliers(model))
    for k in range(n):
        u = program.variable(len(model.u_max), [-b for b in model.u_max], model.u_max, 0)
        speed = program.variable(1, 1, SPEED_MAX, 1) if model.has_clock else 1
        lengths = []
        for j in range(n_elements):
            h = program.variable(1, 0, math.inf if model.horizon_bounds else 2 * h_guess, h_guess)
            if model.horizon_bounds:
                program.row(2 * h_mean - h, 0, math.inf)
            program.regular += (h - h_mean) ** 2
            x, lam = add_element(program, model, x, lam, u, speed, h, k == n - 1 and j == n_elements - 1)
            lengths.append(h)
        program.row(sum(lengths) - T / n)
        if model.has_clock:
            program.row(x[-1] - (k + 1) * T / n)                                        # time_freezing.md 8
    program.cost += model.terminal(x, T)
    return program


# nosnoc's; its tolerances are below what is asked for at the end.
IPOPT = {"max_iter": 500, "tol": 1e-12, "dual_inf_tol": 1e-12, "compl_inf_tol": 1e-12, "acceptable_tol": 1e-6,
         "bound_relax_factor": 0.0, "mu_strategy": "adaptive", "mu_oracle": "quality-function",
         "warm_start_init_point": "yes", "linear_solver": "mumps", "print_level": 0, "sb": "yes"}
SIGMA_0, SIGMA_N, SLOPE = 1.0, 1e-9, 0.1
FAIR = ("Solve_Succeeded", "Solved_To_Acceptable_Level", "Search_Direction_Becomes_Too_Small")


def largest_violation(values, low, high):
    return max(0.0, float(np.max(np.maximum(low - values, values - high), initial=0.0)))


def solve(model, comp_tol, violation_ok, max_seconds):
    """The homotopy: Scholtes' relaxation, sigma times 0.1. CPU time of the solver alone, without its making."""
    program = transcribe(model)
    w, g = ca.vertcat(*program.w), ca.vertcat(*program.g)
    G, H = ca.vertcat(*program.G), ca.vertcat(*program.H)
    sigma = ca.SX.sym("sigma")
    nlp = {"x": w, "p": sigma, "f": program.cost + program.regular, "g": ca.vertcat(g, G * H - sigma)}
    solver = ca.nlpsol("solver", "ipopt", nlp, {"ipopt": IPOPT, "print_time": False})
    judge = ca.Function("judge", [w], [program.cost, g, G * H])
    lbg = program.lbg + [-math.inf] * G.numel()
    ubg = program.ubg + [0.0] * G.numel()
    lbw, ubw = np.array(program.lbw), np.array(program.ubw)
    point, relaxation, iterations, seconds = np.array(program.w0), SIGMA_0, 0, 0.0
    while True:
        start = time.process_time()
        found = solver(x0=point, p=relaxation, lbx=program.lbw, ubx=program.ubw, lbg=lbg, ubg=ubg)
        seconds += time.process_time() - start
        stats = solver.stats()
        iterations += stats["iter_count"]
        point = np.array(found["x"]).ravel()
        cost, rows, products = (np.array(part).ravel() for part in judge(point))
        complementarity = float(np.max(np.abs(products)))
        violation = max(largest_violation(rows, np.array(program.lbg), np.array(program.ubg)),
                        largest_violation(point, lbw, ubw))
        solved = stats["return_status"] in FAIR and complementarity <= comp_tol and violation <= violation_ok
        if solved or relaxation <= SIGMA_N * 1.001 or seconds > max_seconds:
            break
        relaxation *= SLOPE
    return {"status": "solved" if solved else "failed", "seconds": seconds, "iterations": iterations,
            "objective": float(cost[0]), "complementarity": complementarity, "violation": violation,
            "size": (w.numel(), g.numel(), G.numel())}
