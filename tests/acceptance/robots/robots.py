"""What both comparisons share: specs of robots, their equations at states, names."""
import os
import re
import subprocess

import numpy as np

N_STATES = 20
COCP, MATRICES = "", ""


def spelled(name):
    """As a spec writes the name of a file."""
    name = re.sub(r"[^A-Za-z0-9_]", "_", name)
    return "_" + name if name[:1].isdigit() else name


def write_spec(path, base=None):
    with open("robot.yaml", "w", encoding="utf-8") as spec:
        spec.write(f'cocp: 1\nrobots: {{r: {{file: "{os.path.abspath(path)}"{", base: " + base if base else ""}}}}}\n'
                   "time: {horizon: 1, intervals: 2}\n")


def check():
    """Is the spec let through? And what is said."""
    run = subprocess.run([COCP, "check", "robot.yaml"], capture_output=True, text=True, timeout=600)
    return run.returncode == 0, run.stderr


class Equations:
    """M, forces and points of the spec at states, which `states_of` makes of the names of the states."""

    def __init__(self, states_of):
        names = subprocess.run([MATRICES, "robot.yaml"], input="", capture_output=True, text=True, timeout=600)
        if names.returncode:
            raise ValueError(names.stderr)
        self.states, self.velocities, self.points = (line.split()[1:] for line in names.stdout.splitlines()[:3])
        rows = states_of(self.states)
        run = subprocess.run([MATRICES, "robot.yaml"], capture_output=True, text=True, timeout=600, check=True,
                             input="\n".join(" ".join(repr(float(x)) for x in row) for row in rows))
        n = len(self.velocities)
        values = [np.array(line.split(), float) for line in run.stdout.splitlines()[3:]]
        self.M = [v[:n * n].reshape(n, n) for v in values]
        self.force = [v[n * n:n * n + n] for v in values]
        self.at = [dict(zip(self.points, v[n * n + n:].reshape(-1, 3))) for v in values]


def relative(ours, theirs):
    """The largest difference, of what is larger than 1 in shares of the largest entry."""
    return np.abs(ours - theirs).max(initial=0) / max(1, np.abs(theirs).max(initial=0))
