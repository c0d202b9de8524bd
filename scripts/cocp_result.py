"""Results of cocp for pictures and films: curves, jumps, events, references, the drawing.

Reads only the documented layout of result files (docs/results.md). Imported by plot, animate and report.
"""
import re

import h5py
import numpy as np

FRACTIONS = np.linspace(0, 1, 13)       # of an element, at which its polynomials are drawn
CLOSED = 1e-6                           # m: a gap below this is a closed contact, and so is one that carries a force
FORCE = 1e-3                            # of the largest one
LENGTHS = {"km", "m", "dm", "cm", "mm", "um"}


def text_of(value):
    """Bytes that are no UTF-8 are shown, \\xff."""
    value = value if isinstance(value, bytes) else str(value).encode(errors="surrogateescape")
    return value.decode(errors="backslashreplace")


def attribute(item, key, default=""):
    value = item.attrs.get(key, default)
    return text_of(value) if isinstance(value, (bytes, str)) else value


def weights(nodes, tau):
    """Of Lagrange's polynomials through the nodes at each tau: [len(tau), len(nodes)]."""
    out = np.ones((len(tau), len(nodes)))
    for i, node in enumerate(nodes):
        for other in np.delete(nodes, i):
            out[:, i] *= (tau - other) / (node - other)
    return out


def with_breaks(t, y):
    """A break wherever t stands still and y does not."""
    if len(t) == 0:
        return t, y
    size = np.nanmax(np.abs(y), initial=0)
    breaks = np.flatnonzero((np.diff(t) <= 1e-9 * np.nanmax(np.abs(t), initial=0)) & (np.abs(np.diff(y)) > 1e-9 * (1 + size))) + 1
    return np.insert(t, breaks, np.nan), np.insert(y, breaks, np.nan)


class Result:
    """A result file, read as a whole."""

    def __init__(self, path):
        self.path = path
        with h5py.File(path, "r") as file:
            self.attrs = {key: attribute(file, key) for key in file.attrs}
            self.groups, self.about, self.group_attrs = {}, {}, {}
            self._walk("", file)
        self.main = self.groups.get("trajectory") or self.groups.get("uniform") or {}
        self.meta = self.about.get("trajectory") or self.about.get("uniform") or {}
        self.names = [name for name in self.main if self.meta[name].get("role")]

    def _walk(self, path, group):
        """In the order in which the file was written."""
        self.groups[path], self.about[path] = {}, {}
        self.group_attrs[path] = {key: attribute(group, key) for key in group.attrs}
        for name, item in group.items():
            if isinstance(item, h5py.Group):
                self._walk(f"{path}/{name}".strip("/"), item)
            else:
                self._take(path, name, item)

    def _take(self, path, name, item):
        """A dataset as an array, of texts as well; its attributes beside it."""
        if item.dtype.kind == "O":
            self.groups[path][name] = np.array([text_of(text) for text in np.atleast_1d(item[()]).ravel()], dtype=object)
        elif b"not a netCDF variable" not in bytes(str(item.attrs.get("NAME", "")), "utf-8"):
            self.groups[path][name] = item[()]
        else:
            return
        self.about[path][name] = {key: attribute(item, key) for key in ("units", "role", "lower_bound", "upper_bound",
                                                                        "long_name") if key in item.attrs}

    # --- What is there

    def with_role(self, role):
        return [name for name in self.names if self.meta[name]["role"] == role]

    def label(self, name):
        units = self.meta.get(name, {}).get("units", "")
        return f"{name} [{units}]" if units not in ("", "1") else name

    def units_of(self, group, name):
        """As they follow a name: " [N]"."""
        units = self.about.get(group, {}).get(name, {}).get("units")
        return f" [{units}]" if units else ""

    def time_units(self):
        return self.meta.get("t", {}).get("units") or "s"

    def length_units(self):
        """Of drawings: that of the states which are lengths; m of joints, which have none; "" if it is not said."""
        of_states = {self.meta[name].get("units", "") for name in self.with_role("state")}
        lengths = of_states & LENGTHS
        return lengths.pop() if len(lengths) == 1 else "" if not lengths and "" in of_states else "m"

    def contacts(self):
        return [name[:-len("_gap")] for name in self.with_role("contact") if name.endswith("_gap")]

    def title(self):
        parts = [self.attrs.get("title") or self.path, self.attrs.get("status", "")]
        phases = self.group_attrs.get("phases")
        if phases is None:
            method = self.attrs.get("method", "")
            parts.insert(1, "simulated from event to event" if method == "event" else method)
        objective = self.attrs.get("objective", np.nan)
        if np.isfinite(objective):
            parts.append(f"objective {objective:.6g}")
        if phases and np.isfinite(phases.get("replay_error", np.nan)):
            parts.append(f"replayed to {phases['replay_error']:.1g}")
        if phases and "replay_interval" in phases:
            parts.append(f"unstable, its intervals to {phases['replay_interval']:.1g}")
        return "  ·  ".join(part for part in parts if part)

    def horizon(self):
        t = self.main.get("t", np.zeros(1))
        return float(t[0]), float(t[-1]) if t[-1] > t[0] else float(t[0]) + 1

    # --- Numerical time

    def velocities(self):
        """Of the coordinates, as the spec names them; where it has none, all states."""
        spec = "".join(self.groups.get("spec", {}).get("resolved", []))
        block = re.search(r"^  coordinates:\n((?:    .*\n)+)", spec, re.MULTILINE)
        names = re.findall(r": *(\S+)$", block[1], re.MULTILINE) if block else []
        return [name for name in names if name in self.main] or self.with_role("state")

    def frozen(self):
        """Stretches of numerical time in which physical time stands still: (start, end)."""
        grid, spans = self.groups["grid"], []
        still = grid["t_end"] - grid["t_start"] < 1e-2 * grid["h"]
        for start, end in zip(grid["t_num_start"][still], grid["t_num_end"][still]):
            if spans and start <= spans[-1][1] + 1e-9:
                spans[-1] = (spans[-1][0], end)
            else:
                spans.append((start, end))
        return spans

    def speed_of_time(self):
        """Of each control interval, over numerical time: as stairs with their last value twice."""
        grid = self.groups["grid"]
        middle = 0.5 * (grid["t_start"] + grid["t_end"])
        start = [grid["t_num_start"][min(np.searchsorted(middle, t, "right"), len(middle) - 1)] for t in grid["t_interval"]]
        return np.append(start, grid["t_num_end"][-1]), np.append(grid["speed_of_time"], grid["speed_of_time"][-1])

    # --- Curves

    def has_polynomials(self):
        grid = self.groups.get("grid", {})
        return "c" in grid and "x_stage" in grid and np.allclose(grid["t_end"] - grid["t_start"], grid["h"], atol=1e-9)

    def _element_times(self):
        grid = self.groups["grid"]
        long = grid["h"] > 1e-9 * np.ptp(self.horizon())
        return long, grid["t_start"][long, None] + grid["h"][long, None] * FRACTIONS

    def state_points(self, name):
        """By the collocation polynomials; of a jump both sides."""
        grid = self.groups["grid"]
        k = list(grid["state"]).index(name)
        long, t = self._element_times()
        nodes = np.append(0, grid["c"])
        values = np.column_stack([grid["x_start"][long, k], grid["x_stage"][long, :, k]])
        return t.ravel(), (values @ weights(nodes, FRACTIONS).T).ravel()

    def pair(self, first, second):
        """A curve in the plane of two variables, broken where either jumps."""
        states = self.groups.get("grid", {}).get("state", [])
        points = self.state_points if self.has_polynomials() and first in states and second in states else self.points
        (t, x), (_, y) = points(first), points(second)
        still = np.diff(t) <= 1e-9 * np.max(np.abs(t))
        jumps = [np.abs(np.diff(v)) > 1e-9 * (1 + np.nanmax(np.abs(v))) for v in (x, y)]
        breaks = np.flatnonzero(still & (jumps[0] | jumps[1])) + 1
        return np.insert(x, breaks, np.nan), np.insert(y, breaks, np.nan)

    def force_curve(self, contact, part):
        """The polynomials of a contact force, one piece per element: what is not continuous is not joined."""
        grid = self.groups["grid"]
        k = list(grid["contact"]).index(contact)
        key = {"n": "lambda_n", "t": "lambda_t", "t1": "lambda_t", "t2": "lambda_t2"}[part]
        long, t = self._element_times()
        values = grid[key][long, :, k] @ weights(grid["c"], FRACTIONS).T
        return with_breaks(t.ravel(), values.ravel())

    def control_curve(self, name):
        grid = self.groups["grid"]
        k = list(grid["control"]).index(name)
        return np.append(grid["t_interval"], self.horizon()[1]), np.append(grid["u"][:, k], grid["u"][-1, k])

    def phases(self):
        """Phases of the spec: (name, start, end)."""
        t, found = self.main.get("t", np.zeros(0)), []
        for name in self.with_role("phase"):
            inside = t[self.main[name] > 0.5]
            if len(inside):
                found.append((name, float(inside[0]), float(inside[-1])))
        return found

    def points(self, name):
        """Through the points of /trajectory without those in frozen time, and those of /uniform between them."""
        t, y = self.main["t"], self.main[name].astype(float)
        keep = self.main.get("is_physical", np.ones(len(t))) > 0
        side = self.main.get("side", np.zeros(len(t)))[keep]
        t, y = t[keep], y[keep]
        uniform = self.groups.get("uniform", {})
        if name in uniform and "element" in self.main:
            inside = ~np.isin(uniform["t"], t)
            t = np.concatenate([t, uniform["t"][inside]])
            y = np.concatenate([y, uniform[name][inside]])
            side = np.concatenate([side, np.zeros(inside.sum())])
            order = np.lexsort((np.arange(len(t)), side, t))
            t, y = t[order], y[order]
        return t, y

    def outer_ends(self, name):
        """What a jump at the start comes from and one at the end goes to: (t, value), beside the curve."""
        t, side, y = self.main["t"], self.main.get("side", []), self.main[name]
        if len(side) < 2:
            return []
        ends = [(t[0], y[0])] if side[0] < 0 and t[1] == t[0] else []
        return ends + ([(t[-1], y[-1])] if side[-1] > 0 and t[-2] == t[-1] else [])

    def curve(self, name):
        grid = self.groups.get("grid", {})
        if "_lambda_" in name and self.has_polynomials() and "lambda_n" in grid:
            contact, _, part = name.rpartition("_lambda_")
            return self.force_curve(contact, part)
        if name in grid.get("state", []) and self.has_polynomials():
            return with_breaks(*self.state_points(name))
        return with_breaks(*self.points(name))

    def impulse_domain(self):
        """Over s, time and accumulated normal impulse together, ds = dt + sum of lambda_n dt, which an impact moves on by its normal
        impulses while t stands still: {"s", "t", each state, "rate t" and "rate CONTACT": dt/ds and that of each impulse}. On the way
        through an impact states are straight lines, which is exact for one contact; of several, the order is not known. None
        without contact forces."""
        grid = self.groups.get("grid", {})
        if "lambda_n" not in grid or not self.has_polynomials():
            return None
        states, contacts = list(grid["state"]), list(grid["contact"])
        points, s, before = [], 0.0, self._first_state()
        for k, h in enumerate(grid["h"]):
            impulse, x = np.nan_to_num(grid["impulse_n"][k]), grid["x_start"][k]
            if impulse.sum() > 0:
                rates = np.append(0, impulse / impulse.sum())
                points += [(s, grid["t_start"][k], before, rates), (s + impulse.sum(), grid["t_start"][k], x, rates)]
                s += impulse.sum()
            before = grid["x_end"][k]
            if h > 1e-9 * np.ptp(self.horizon()):
                points += self._element_over_s(k, s)
                s = points[-1][0]
        rows = np.array([np.concatenate([[s, t], x, rates]) for s, t, x, rates in points])
        return dict(zip(["s", "t", *states, "rate t", *(f"rate {name}" for name in contacts)], rows.T))

    def _first_state(self):
        """Before impacts at the start, if there are any."""
        grid, events = self.groups["grid"], self.groups.get("events", {})
        at_start = np.flatnonzero(events["t"] <= grid["t_start"][0]) if "x_minus" in events else []
        return events["x_minus"][at_start[0]] if len(at_start) else grid["x_start"][0]

    def _element_over_s(self, k, s):
        """(s, t, state, rates) at the parts FRACTIONS of an element that begins at s."""
        grid = self.groups["grid"]
        nodes, force, h = grid["c"], np.nan_to_num(grid["lambda_n"][k]), grid["h"][k]
        x = weights(np.append(0, nodes), FRACTIONS) @ np.vstack([grid["x_start"][k], grid["x_stage"][k]])
        gauss, share = np.polynomial.legendre.leggauss(len(nodes))          # exact for the polynomials of the forces
        impulse = [part / 2 * share @ (weights(nodes, part * (gauss + 1) / 2) @ force).sum(axis=1) for part in FRACTIONS]
        lam = weights(nodes, FRACTIONS) @ force
        rates = np.column_stack([np.ones(len(lam)), lam]) / (1 + lam.sum(axis=1))[:, None]
        return list(zip(s + h * (FRACTIONS + np.array(impulse)), grid["t_start"][k] + h * FRACTIONS, x, rates))

    def is_stairs(self, name):
        return name in self.groups.get("grid", {}).get("control", [])

    # --- Events, contacts

    def events(self):
        """Those of /events, then switches of controls."""
        group, found = self.groups.get("events", {}), []
        if "kind" in group:
            keys = [key for key in group if key.startswith("impulse")]
            found = [{"t": group["t"][k], "kind": group["kind"][k], "name": group["name"][k],
                      **{key: group[key][k] for key in keys}} for k in range(len(group["t"]))]
        return found + self._control_switches()

    def _control_switches(self):
        """Of controls that are one of a few values."""
        grid, found = self.groups.get("grid", {}), []
        few = grid.get("few_values", np.zeros(0))
        long = np.diff(np.append(grid.get("t_interval", np.zeros(0)), self.horizon()[1])) > 1e-9 * np.ptp(self.horizon())
        for k in np.flatnonzero(few):
            t, u = grid["t_interval"][long], grid["u"][long, k]
            found += [{"t": t[i], "kind": "switch", "name": grid["control"][k]}
                      for i in np.flatnonzero(np.abs(np.diff(u)) > 1e-9 * (1 + np.abs(u[1:]))) + 1]
        return sorted(found, key=lambda event: event["t"])

    def closed(self, contact):
        """Times from which to which it is closed. With a dead band a closed gap is not quite zero: its force tells."""
        t, gap = self.main["t"], self.main[contact + "_gap"]
        force = self.main.get(contact + "_lambda_n", self.main.get(contact + "_lambda", np.zeros(len(t))))
        flags = (gap < CLOSED) | (force > FORCE * np.nanmax(np.abs(force), initial=0))
        flags &= self.main.get("is_physical", np.ones(len(t))) > 0
        edges = np.flatnonzero(np.diff(np.concatenate([[0], flags.astype(int), [0]])))
        return [(t[a], t[b]) for a, b in zip(edges[::2], edges[1::2] - 1) if t[b] > t[a]]

    def sticks(self, contact):
        """Times from which to which it sticks, by /modes of a simulation."""
        group = self.groups.get("modes", {})
        if "subject" not in group or contact not in group["subject"]:
            return []
        state = group["state"].reshape(len(group["t_start"]), -1)[:, list(group["subject"]).index(contact)]
        return [(a, b) for a, b, word in zip(group["t_start"], group["t_end"], state) if word == "sticks"]

    def reference(self, name):
        """What a running cost draws it to, over time; None if nothing."""
        group = self.groups.get("reference", {})
        return (group["t"], group[name]) if name in group else None

    def data(self, name):
        """What was measured of it: times, values, and their standard deviations (None where these are relative)."""
        group = self.groups.get("fit", {})
        if "series" not in group:
            return None
        mine = group["series"] == name
        known = not self.group_attrs["fit"].get("relative", 1)
        return (group["t"][mine], group["value"][mine], group["sigma"][mine] if known else None) if mine.any() else None

    def verified(self, name):
        """What the simulation by events made of the controls; None if that was not asked."""
        group = self.groups.get("verification/uniform", {})
        return with_breaks(group["t"], group[name]) if name in group else None

    def bundle(self, name):
        group = self.groups.get("bundle", {})
        return (group["t"], group[name]) if name in group and np.ndim(group[name]) == 2 else None

    def scenarios(self, name):
        """The other scenarios of a plan for several; controls are the same in all of them."""
        shown = self.group_attrs.get("scenarios", {}).get("nominal", -1)
        groups = [(self.groups[path]["t"], self.groups[path][name]) for path in self.groups
                  if path.startswith("scenarios/") and path.endswith("/uniform") and path.count("/") == 2
                  and path.split("/")[1] != str(shown) and name in self.groups[path]]
        return [] if self.is_stairs(name) else [with_breaks(*curve) for curve in groups]

    # --- The drawing

    def scene(self):
        """Parts of `draw`, or what names of variables suggest: {"t", "points", "parts", "angles", "forces", "grounds",
        "surfaces", "time_units", "length_units"}."""
        draw = self.groups.get("draw")
        scene = self._drawn(draw) if draw and "kind" in draw else self._suggested()
        return scene and {**scene, "time_units": self.time_units(), "length_units": self.length_units()}

    def _drawn(self, draw):
        parts = [{key: draw[key][k] for key in ("kind", "name", "at", "to", "width", "height")}
                 for k in range(len(draw["kind"]))]
        pick = lambda word: {name[len(word) + 1:]: draw[name] for name in draw if name.startswith(word + "_")
                             and self.about["draw"][name].get("role")}
        return {"t": draw["t"], "parts": parts, "points": pick("point"), "angles": pick("box"),
                "forces": pick("force"), "grounds": list(pick("ground").values()),
                "surfaces": list(pick("surface").values())}

    def _suggested(self):
        """Points are pairs NAME_x and NAME_z (or NAME_y), the states x and z are the base; linked in their order."""
        source = self.groups.get("uniform") or self.main
        about = self.about.get("uniform") or self.meta
        if "t" not in source:
            return None
        of_length = [name for name in source if about[name].get("units", "") in ("", "m", "1")]
        points = {}
        for up in ("z", "y"):
            if "x" in of_length and up in of_length and not points:
                points["base"] = np.column_stack([source["x"], source[up]])
        for name in of_length:
            for up in ("_z", "_y"):
                stem = name[:-2]
                if name.endswith("_x") and stem not in ("", "v") and stem + up in of_length and stem not in points:
                    points[stem] = np.column_stack([source[name], source[stem + up]])
        names = list(points)
        parts = [{"kind": "link", "name": b, "at": a, "to": b, "width": 0, "height": 0} for a, b in zip(names, names[1:])]
        if not points:
            return None
        x = np.concatenate([place[:, 0] for place in points.values()])
        pad = 0.1 * np.ptp(x) + 0.1
        return {"t": source["t"], "points": points, "parts": parts, "angles": {}, "forces": {}, "surfaces": [],
                "grounds": [np.array([[x.min() - pad, 0], [x.max() + pad, 0]])]}
