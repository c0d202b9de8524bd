"""Six of problems/, with the numbers that stand there."""
import math

import casadi as ca
import numpy as np

from fesd import FREE, Model

PI = math.pi


def sign(alpha):
    return 2 * alpha - 1


def turbo_car():
    return Model(name="turbo_car", x_initial=[0, 0], x_final=[200, 0], x_min=[-math.inf, -20], x_max=[math.inf, 20],
                 u_max=[5], n_intervals=10, horizon=10, horizon_bounds=(1, 100), signs=np.array([[-1], [1]]),
                 c=lambda x: [x[1] - 10], rhs=lambda x, u, theta: [x[1], u[0] * (theta[0] + 3 * theta[1])],
                 terminal=lambda x, T: T)


def cart_pole():
    g, m1, m2, l, F = 9.81, 1, 0.1, 1, 2

    def rhs(x, u, alpha):
        _, th, v, w = ca.vertsplit(x)
        M11, M12, M22 = m1 + m2, m2 * l * ca.cos(th), m2 * l**2
        f1, f2 = u[0] + m2 * l * w**2 * ca.sin(th) - F * sign(alpha[0]), -m2 * g * l * ca.sin(th)
        det = M11 * M22 - M12**2
        return [v, w, (M22 * f1 - M12 * f2) / det, (M11 * f2 - M12 * f1) / det]

    return Model(name="cart_pole", x_initial=[1, 0, 0, 0], x_final=[FREE] * 4, x_min=[-5] + [-math.inf] * 3,
                 x_max=[5] + [math.inf] * 3, u_max=[30], n_intervals=20, horizon=5, c=lambda x: [x[2]], rhs=rhs,
                 running=lambda x, u, m: 0.01 * x[0]**2 + u[0]**2,
                 terminal=lambda x, T: 500 * x[0]**2 + 5000 * (x[1] - PI)**2 + 200 * (x[2]**2 + x[3]**2))


def sliding_mode():
    return Model(name="sliding_mode", x_initial=[2 * PI / 3, PI / 3, 0, 0], x_final=[-PI / 6, -PI / 4, FREE, FREE],
                 u_max=[10, 10], n_intervals=6, n_elements=6, horizon=4,
                 c=lambda x: [x[0] + 0.15 * x[1]**2, x[1] - 0.05 * x[0]**3],
                 rhs=lambda x, u, m: [-sign(m[0]) + x[2], -sign(m[1]) + x[3], u[0], u[1]],
                 running=lambda x, u, m: x[2]**2 + x[3]**2)


def voice_coil():
    m1, m2, k, R, L, K, F, target = 1.03, 0.56, 2400, 2, 2e-3, 12, 2.1, 0.01

    def rhs(x, u, alpha):
        x1, v1, x2, v2, current = ca.vertsplit(x)
        return [v1, (k * (x2 - x1) + K * current - F * sign(alpha[0])) / m1, v2, k * (x1 - x2) / m2,
                (u[0] - K * v1 - R * current) / L]

    return Model(name="voice_coil", x_initial=[0] * 5, x_final=[target, 0, target, 0, 0], u_max=[5], n_intervals=53,
                 horizon=0.08, c=lambda x: [x[1]], rhs=rhs, running=lambda x, u, m: u[0]**2)


def frozen(alpha):
    """Shares of the free motion and of the two auxiliary fields, time_freezing.md (1) and (2)."""
    jumping = (1 - alpha[0]) * (1 - alpha[1])
    return 1 - jumping, jumping * alpha[2], jumping * (1 - alpha[2])


def with_contact(free, inverse_mass, normal, tangent, mu, a_n):
    """Right-hand side of (q, v, t): free(x, u) are the accelerations, normal and tangent gradients at x."""
    def rhs(x, u, alpha):
        n_q = (x.numel() - 1) // 2
        moving, plus, minus = frozen(alpha)
        J_n, J_t, acceleration = normal(x), tangent(x), free(x, u)
        out = [moving * x[n_q + i] for i in range(n_q)]
        for i in range(n_q):
            push = plus * (J_n[i] - mu * J_t[i]) + minus * (J_n[i] + mu * J_t[i])
            out.append(moving * acceleration[i] + a_n * inverse_mass[i] * push)
        return out + [moving]
    return rhs


def velocity(x, gradient):
    n_q = (x.numel() - 1) // 2
    return sum(gradient[i] * x[n_q + i] for i in range(n_q))


def tf_ex5():
    normal, tangent = (lambda x: [0, 1]), (lambda x: [1, 0])
    return Model(name="tf_ex5", x_initial=[0, 1, 0, 0, 0], x_final=[3, 0, 0, 0, FREE], u_max=[10], n_intervals=20,
                 horizon=2, has_clock=True,
                 c=lambda x: [x[1], velocity(x, normal(x)), velocity(x, tangent(x))],
                 rhs=with_contact(lambda x, u: [u[0], -9.81], [1, 1], normal, tangent, 0.6, 50),
                 running=lambda x, u, alpha: frozen(alpha)[0] * u[0]**2)


def hopper():
    g, horizon = 9.81, 1.5
    normal = lambda x: [0, 1, x[3] * ca.sin(x[2]), -ca.cos(x[2])]
    tangent = lambda x: [1, 0, x[3] * ca.cos(x[2]), ca.sin(x[2])]
    weights = [50, 50, 20, 50, 0.1, 0.1, 0.1, 0.1]
    weights_end, goal = [300] * 4 + [0.1] * 4, [0.7, 0.5, 0, 0.5, 0, 0, 0, 0]

    def free(x, u):
        return [-ca.sin(x[2]) * u[1] / 1.1, -g + ca.cos(x[2]) * u[1] / 1.1, u[0] / 0.275, u[1] / 0.1]

    def running(x, u, alpha):
        s = x[8] / horizon
        reference = [0.1 + 0.6 * s, 0.5 + 1.2 * s * (1 - s), 0, 0.5 - 1.6 * s * (1 - s), 0, 0, 0, 0]
        squares = sum(weights[i] * (x[i] - reference[i])**2 for i in range(8))
        return frozen(alpha)[0] * (squares + 0.01 * (u[0]**2 + u[1]**2))

    return Model(name="hopper", x_initial=[0.1, 0.5, 0, 0.5, 0, 0, 0, 0, 0], x_final=[FREE] * 9,
                 x_min=[0, 0, -PI, 0.1, -10, -10, -5, -5, -math.inf], x_max=[0.8, 1.5, PI, 0.5, 10, 10, 5, 5, math.inf],
                 u_max=[50, 50], n_intervals=20, horizon=horizon, has_clock=True,
                 c=lambda x: [x[1] - x[3] * ca.cos(x[2]), velocity(x, normal(x)), velocity(x, tangent(x))],
                 rhs=with_contact(free, [1 / 1.1, 1 / 1.1, 1 / 0.275, 1 / 0.1], normal, tangent, 0.45, 100),
                 running=running,
                 terminal=lambda x, T: sum(weights_end[i] * (x[i] - goal[i])**2 for i in range(8)))


MODELS = [turbo_car, cart_pole, sliding_mode, voice_coil, tf_ex5, hopper]
