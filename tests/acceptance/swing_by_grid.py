#!/usr/bin/python3
"""A pendulum that is swung to 1.5 rad with least effort, by dynamic programming on a grid of angle and rate.

    tests/acceptance/swing_by_grid.py POINTS STEPS

q'' = u - 3 sin q, |u| <= 4, from rest at 0, for the integral of u^2 over 2 s and 20 (q - 1.5)^2 + 20 q'^2 at the
end. Backward in STEPS of constant u, POINTS to a side; the value between them by cubic convolution (Keys 1981), the
best u of 17 by a parabola through the three around it. Prints the cost from the start. It is no bound: steps of
constant u cost more than any u, and what interpolation takes or adds is seen from finer grids alone.
"""
import sys

import numpy as np

LOW, HIGH = np.array([-0.5, -1.0]), np.array([2.5, 3.0])
LIMIT, HORIZON, TARGET = 4.0, 2.0, 1.5


def rates(x, u):
    return np.array([x[1], u - 3 * np.sin(x[0])])


def step(x, u, h):
    a = rates(x, u)
    b = rates(x + h / 2 * a, u)
    c = rates(x + h / 2 * b, u)
    d = rates(x + h * c, u)
    return x + h / 6 * (a + 2 * b + 2 * c + d)


def weights(s):
    return (s * (s * (2 - s) - 1) / 2, (s * s * (3 * s - 5) + 2) / 2,
            s * (s * (4 - 3 * s) + 1) / 2, s * s * (s - 1) / 2)


def between(V, x):
    """The value at x, at the edge where x is beyond."""
    n = V.shape[0]
    at = np.clip((x.T - LOW) / (HIGH - LOW) * (n - 1), 0, n - 1).T
    cell = np.minimum(at.astype(int), n - 2)
    i, j = cell
    wide = np.pad(V, 1, mode="reflect", reflect_type="odd")
    total = np.zeros(i.shape)
    for a, of_q in enumerate(weights(at[0] - i)):
        for b, of_w in enumerate(weights(at[1] - j)):
            total += of_q * of_w * wide[i + a, j + b]
    return total


def back(V, x, h):
    """The value one step earlier at x."""
    controls = np.linspace(-LIMIT, LIMIT, 17)
    cost = np.array([h * u * u + between(V, step(x, u, h)) for u in controls])
    k = np.clip(cost.argmin(axis=0), 1, len(controls) - 2)
    left, middle, right = (np.take_along_axis(cost, (k + d)[None], axis=0)[0] for d in (-1, 0, 1))
    bend = left - 2 * middle + right
    lower = middle - (right - left) ** 2 / (8 * np.where(bend > 0, bend, np.inf))
    inside = abs(right - left) < 2 * bend
    return np.where(inside, lower, cost.min(axis=0))


def main():
    points, steps = int(sys.argv[1]), int(sys.argv[2])
    q, w = (np.linspace(LOW[k], HIGH[k], points) for k in range(2))
    x = np.array(np.meshgrid(q, w, indexing="ij")).reshape(2, -1)
    V = (20 * (x[0] - TARGET) ** 2 + 20 * x[1] ** 2).reshape(points, points)
    for k in range(steps):
        if k == steps - 1:
            x = np.zeros((2, 1))
        V = back(V, x, HORIZON / steps)
        V = V.reshape(points, points) if k < steps - 1 else V
    print(f"{V[0]:.6f}")


main()
