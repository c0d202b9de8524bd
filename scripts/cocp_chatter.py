"""Inverse chatter of a biped without restitution: a Poincare map from impact to impact (SOS IV-B, its [9, 10]).

Zero-order dynamics: one foot i is down after an impact, the other one lifts with the rate r > 0 and lands; between, foot i
slips or sticks with constant accelerations. Motions scale, so that the ratio of slip and r is all that counts: the map goes
from (foot, ratio) to the next impact, and says by what factor the velocities grow. Where some orbit of it grows, the
equilibrium is unstable.
"""
import math

import numpy as np

ZERO = 1e-11


class Biped:
    """On a slope, mass and radius of gyration 1, unit load; feet (l_i, -h), foot 1 uphill."""

    def __init__(self, alpha, h, l, mu):
        self.mu = mu
        self.g = np.array([math.sin(alpha), -math.cos(alpha), 0])
        self.n = [np.array([0.0, 1.0, l[0]]), np.array([0.0, 1.0, l[1]])]
        self.t = np.array([1.0, 0.0, h])
        self.modes = [{s: self.mode(i, s) for s in (-1, 0, 1)} for i in (0, 1)]
        self.basis = [np.linalg.inv(np.array([self.t, self.n[1 - i], self.n[i]])) for i in (0, 1)]
        self.slides = {s: self.double(s) for s in (-1, 1)}

    def stick_force(self, i, rates):
        """Forces (normal, tangential) that change the rates (n_i, t) by the given amounts."""
        B = np.array([self.n[i], self.t])
        return np.linalg.solve(B @ B.T, rates)

    def mode(self, i, s):
        """Accelerations of slip and of the other gap while foot i slips to side s, or sticks; None: it does not."""
        n, t, mu = self.n[i], self.t, self.mu[i]
        if s == 0:
            force = self.stick_force(i, [-n @ self.g, -t @ self.g])
            if abs(force[1]) > mu * force[0]:
                return None
            a = self.g + force[0] * n + force[1] * t
        else:
            f = n - s * mu * t
            a = self.g - (n @ self.g) / (n @ f) * f
        return float(t @ a), float(self.n[1 - i] @ a)

    def double(self, s):
        """Do both feet slide to side s, pressed to the ground?"""
        f = [self.n[i] - s * self.mu[i] * self.t for i in (0, 1)]
        A = np.array([[self.n[i] @ f[m] for m in (0, 1)] for i in (0, 1)])
        return bool(np.all(np.linalg.solve(A, [-n @ self.g for n in self.n]) >= 0)) if abs(np.linalg.det(A)) > 1e-12 else False

    def impact(self, i, v):
        """The velocity after an impact at foot i without restitution."""
        n, t, mu = self.n[i], self.t, self.mu[i]
        impulse = self.stick_force(i, [-n @ v, -t @ v])
        if abs(impulse[1]) <= mu * impulse[0]:
            return v + impulse[0] * n + impulse[1] * t
        for s in (-1, 1):
            f = n - s * mu * t
            after = v - (n @ v) / (n @ f) * f
            if s * (t @ after) >= 0:
                return after
        return v

    def flight(self, i, slip, rate):
        """From foot i down and the other one at height 0 to its landing: (slip, rate) there. None: it never lands, or rests."""
        gap = 0.0
        for _ in range(4):
            s = 0 if abs(slip) <= ZERO else 1 if slip > 0 else -1
            if s == 0 and self.modes[i][0] is None:
                s = next((k for k in (-1, 1) if k * self.modes[i][k][0] > 0), 0)
            a = self.modes[i][s]
            if a is None or (gap <= 0 and rate <= 0 and a[1] <= 0):
                return None
            stop = -slip / a[0] if slip * a[0] < 0 else math.inf
            root = rate**2 - 2 * a[1] * gap
            land = (-rate - math.sqrt(root)) / a[1] if a[1] < 0 else math.inf
            if land <= stop:
                return (slip + a[0] * land, rate + a[1] * land) if land < math.inf else (math.inf, math.inf)
            gap += rate * stop + 0.5 * a[1] * stop**2
            slip, rate = 0.0, rate + a[1] * stop
        return None

    def next(self, i, slip, rate):
        """The same after the landing and the impacts that follow it at once: (foot that is down, slip, rate of the other)."""
        landed = self.flight(i, slip, rate)
        if landed is None or math.isinf(landed[0]):
            return landed
        v = self.basis[i] @ np.array([landed[0], landed[1], 0.0])
        size = math.hypot(*landed)
        hit = 1 - i
        for _ in range(60):
            v = self.impact(hit, v)
            other = self.n[1 - hit] @ v
            if other > ZERO * size:
                return hit, self.t @ v, other
            if other > -ZERO * size:
                return self.from_two_feet(self.t @ v)
            hit = 1 - hit
        return self.from_two_feet(self.t @ v)

    def from_two_feet(self, slip):
        """Both feet are down: they slide until they rest, unless one has to lift."""
        s = 1 if slip > 0 else -1
        lifts = [i for i in (0, 1) if self.modes[i][s][1] > 0]
        return None if self.slides[s] or not lifts or abs(slip) < ZERO else (lifts[0], slip, 0.0)

    def growth(self, starts=16, steps=60):
        """The largest mean logarithm of growth from impact to impact, over the second half of orbits; -inf: all of them rest."""
        largest = -math.inf
        for i in (0, 1):
            for angle in (np.arange(starts) + 0.5) / starts * math.pi - math.pi / 2:
                largest = max(largest, self.orbit(i, math.sin(angle), math.cos(angle), steps))
        return largest

    def orbit(self, i, slip, rate, steps):
        total = 0.0
        for k in range(steps):
            after = self.next(i, slip, rate)
            if after is None:
                return -math.inf
            if math.isinf(after[0]):
                return math.inf
            i, slip, rate = after
            size = math.hypot(slip, rate)
            total += math.log(size) if k >= steps // 2 else 0
            slip, rate = slip / size, rate / size
        return total / (steps - steps // 2)


def chatter_edge(alpha, h, mu2, d):
    """SOS Fig. 2: the friction of the uphill foot below which some motion of the biped grows; 0: there is none."""
    def grows(mu1):
        return Biped(alpha, h, (h * math.tan(alpha) - d, h * math.tan(alpha) + d), (mu1, mu2)).growth(12, 40) > 1e-6
    low, high = max(1e-3, math.tan(alpha) - d / h + 1e-6), 2.0
    if not grows(low):
        return 0.0
    for _ in range(12):
        middle = (low + high) / 2
        low, high = (middle, high) if grows(middle) else (low, middle)
    return (low + high) / 2
