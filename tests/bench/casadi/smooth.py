"""A mechanical system where nothing switches, on CasADi: a peer for `cocp solve` of problems/arm_reach.yaml.

The program is that of cocp: Radau IIA with two stages, the positions and velocities of the stages as unknowns, and
the equations of motion multiplied by the mass matrix, M(q) v' = force, with M and the rest from the energies.
"""
import time
from dataclasses import dataclass

import casadi as ca
import numpy as np

from fesd import A_INVERSE, B_RK, FAIR, N_STAGES, largest_violation


@dataclass
class Motion:
    """min integral of running(u); residual(q, v, a, u) = 0 is the equation of motion. FREE ends are NaN."""
    residual: ca.Function
    running: ca.Function
    at_end: ca.Function                         # of q; 0 at the end
    q_initial: list
    q_max: list                                 # |q|, |v|, |u| are at most these
    v_max: list
    u_max: list
    n_intervals: int
    horizon: float


def arm_reach():
    l1, l2, g = 0.4, 0.35, 9.81
    q, v, a, u = (ca.SX.sym(name, 3) for name in "qvau")
    turn = ca.vertcat(ca.cos(q[0]), ca.sin(q[0]))

    def place(reach, height):                   # in the vertical plane that turns with the column
        return ca.vertcat(turn * reach, 0.5 + height)

    def energy(mass, at, inertia, pitch, pitch_v):      # kinetic, of a link that turns and pitches
        speed = ca.jtimes(at, q, v)
        spin = ca.vertcat(-ca.sin(pitch) * v[0], pitch_v, ca.cos(pitch) * v[0])
        return mass / 2 * ca.dot(speed, speed) + ca.dot(spin, inertia * spin) / 2

    both = q[1] + q[2]
    elbow = place(l1 * ca.cos(q[1]), -l1 * ca.sin(q[1]))
    elbow_middle = place(l1 / 2 * ca.cos(q[1]), -l1 / 2 * ca.sin(q[1]))
    hand_middle = elbow + place(l2 / 2 * ca.cos(both), -0.5 - l2 / 2 * ca.sin(both))
    hand = elbow + place(l2 * ca.cos(both), -0.5 - l2 * ca.sin(both))
    kinetic = 0.015 / 2 * v[0]**2 + energy(3, elbow_middle, ca.DM([0.004, l1**2 / 4, l1**2 / 4]), q[1], v[1]) \
        + energy(2, hand_middle, ca.DM([0.002, l2**2 / 6, l2**2 / 6]), both, v[1] + v[2]) \
        + 5e-5 * 100**2 / 2 * v[1]**2 + 3e-5 * 80**2 / 2 * v[2]**2
    potential = g * (3 * elbow_middle[2] + 2 * hand_middle[2])
    momentum = ca.gradient(kinetic, v)
    motion = ca.jtimes(momentum, v, a) + ca.jtimes(momentum, q, v) - ca.gradient(kinetic - potential, q) \
        + ca.DM([0.3, 0.3, 0.1]) * v - u
    return Motion(residual=ca.Function("residual", [q, v, a, u], [motion]),
                  running=ca.Function("running", [u], [(u[0] / 40)**2 + (u[1] / 60)**2 + (u[2] / 25)**2]),
                  at_end=ca.Function("at_end", [q], [hand - ca.DM([0.2, 0.4, 0.8])]), q_initial=[0, 0.4, -1.2],
                  q_max=[3, 2, 2.5], v_max=[4, 4, 5], u_max=[40, 60, 25], n_intervals=20, horizon=1)


def transcribe(motion):
    """nlp, the ends of its variables and its start; all rows are 0."""
    n, h = len(motion.q_initial), motion.horizon / motion.n_intervals
    w, high, start, rows, cost = [], [], [], [], 0

    def variable(bound, value):
        w.append(ca.SX.sym(f"w{len(w)}", n))
        high.extend(bound)
        start.extend(value)
        return w[-1]

    q_left, v_left = ca.SX(ca.DM(motion.q_initial)), ca.SX.zeros(n)
    for k in range(motion.n_intervals):
        u = variable(motion.u_max, [0] * n)
        stages = []
        for i in range(N_STAGES):
            rests = k == motion.n_intervals - 1 and i == N_STAGES - 1
            stages.append((variable(motion.q_max, motion.q_initial),
                           variable([0] * n if rests else motion.v_max, [0] * n)))
        for i, (q, v) in enumerate(stages):
            rows.append(h * v - sum(A_INVERSE[i, r] * (stages[r][0] - q_left) for r in range(N_STAGES)))
            rate = sum(A_INVERSE[i, r] * (stages[r][1] - v_left) for r in range(N_STAGES)) / h
            rows.append(motion.residual(q, v, rate, u))
            cost += h * B_RK[i] * motion.running(u)
        q_left, v_left = stages[-1]
    rows.append(motion.at_end(q_left))
    return {"x": ca.vertcat(*w), "f": cost, "g": ca.vertcat(*rows)}, np.array(high, float), start


def solve(motion, violation_ok):
    """By IPOPT's own settings. CPU time of the solver alone, without its making."""
    nlp, high, start = transcribe(motion)
    solver = ca.nlpsol("solver", "ipopt", nlp, {"ipopt": {"print_level": 0, "sb": "yes", "linear_solver": "mumps"},
                                                "print_time": False})
    begin = time.process_time()
    found = solver(x0=start, lbx=-high, ubx=high, lbg=0, ubg=0)
    seconds = time.process_time() - begin
    stats = solver.stats()
    violation = largest_violation(np.array(found["g"]).ravel(), 0, 0)
    solved = stats["return_status"] in FAIR and violation <= violation_ok
    return {"status": "solved" if solved else "failed", "seconds": seconds, "iterations": stats["iter_count"],
            "objective": float(found["f"])}
