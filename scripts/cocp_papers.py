"""The papers' examples, figures, tables and algorithms as items: commands, numbers beside the papers', pictures.

An item's commands are what a user types (`cocp simulate problems/tf_ex3.yaml ... -o tf_ex3.h5`). They run in a folder of
their own, and a result that is newer than the program and the spec is not made again. Imported by scripts/papers and
by the tables of the single papers, paper_*.py.
"""
import math
import os
import shlex
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass, field

import numpy as np

from cocp_drawing import Mechanism, set_stage, window
from cocp_result import Result

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)


@dataclass
class Value:
    """A number of ours beside one that is not ours."""
    what: str
    ours: callable              # of Files; a float
    theirs: float               # NaN: nothing is printed there, ours stands alone
    source: str = "text"        # where theirs is from: "text", "closed form: ...", "table"
    tol: float = 1e-3           # relative to theirs; absolute where theirs is 0
    differs: str = ""           # why ours is another, where it is meant to be


@dataclass
class Fact:
    """Something that holds or does not, told in words: (holds, what was found)."""
    what: str
    ours: callable              # of Files; (bool, str)
    differs: str = ""
    theirs: str = ""            # what the paper has, in words


@dataclass
class Item:
    key: str                    # "6", "table 3", "example 5"
    title: str
    runs: list = field(default_factory=list)        # commands, in order
    rows: list = field(default_factory=list)        # of Value and Fact
    draw: object = None         # of (Files, Figure); None: nothing to see. A text: the script that draws, with its words
    note: str = ""              # what a reader should know: why the picture differs, what stands in for a drawing by hand
    minutes: float = 0          # that its commands take, about, where it is more than one


@dataclass
class Paper:
    name: str                   # as on the command line
    key: str                    # as in docs/cited.md
    title: str
    items: list

    def find(self, key):
        return next((item for item in self.items if item.key.lower() == key), None)


class Files:
    """The results of an item's commands, in the folder where they run."""

    def __init__(self, folder, cocp):
        self.folder, self.cocp, self._read = folder, cocp, {}

    def path(self, name):
        return os.path.join(self.folder, name)

    def result(self, name):
        if name not in self._read:
            self._read[name] = Result(self.path(name))
        return self._read[name]

    # --- Commands

    def _words(self, command):
        words = shlex.split(command)
        program = {"cocp": self.cocp}.get(words[0], os.path.join(ROOT, words[0]))
        return [program] + [os.path.join(ROOT, word) if word.startswith("problems/") else word for word in words[1:]]

    def _is_made(self, command, words):
        """What the command writes is there, is newer than all that it reads, and was made by this command."""
        out = next((words[k + 1] for k, word in enumerate(words[:-1]) if word == "-o"), None)
        if out is None or not os.path.exists(self.path(out)):
            return False
        made = os.path.getmtime(self.path(out))
        reads = [words[0]] + [word for word in words[1:] if word.endswith((".yaml", ".h5")) and word != out]
        reads = [path if os.path.isabs(path) else self.path(path) for path in reads]
        try:
            with open(self.path(out + ".command"), encoding="utf-8") as file:
                same = file.read() == command
        except OSError:
            same = False
        return same and all(os.path.exists(path) and os.path.getmtime(path) <= made for path in reads)

    def run(self, command, log=sys.stderr):
        """Seconds; 0 where the result is there already. Exit statuses of cocp from 10 on still leave a result."""
        words = self._words(command)
        if self._is_made(command, words):
            return 0.0
        print(f"$ {command}", file=log, flush=True)
        if words[1] == "sweep":                         # which goes on in its folder only if nothing has changed
            shutil.rmtree(self.path(words[words.index("-o") + 1]), ignore_errors=True)
        begun = time.monotonic()
        done = subprocess.run(words, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if done.returncode not in (0, 10, 20, 30, 40, 50, 60):
            raise RuntimeError(f"{command}: exit status {done.returncode}: {done.stderr.strip()[-400:]}")
        self._read.clear()
        if "-o" in words:
            out = words[words.index("-o") + 1]
            with open(self.path(out + ".command"), "w", encoding="utf-8") as file:
                file.write(command)
        return time.monotonic() - begun


# --- Judging -----------------------------------------------------------------------------------------------------

def is_near(value, wanted, tol):
    return abs(value - wanted) <= tol * (abs(wanted) if wanted else 1)


def judge(item, files):
    """Rows of text: (what, ours, theirs, verdict); a verdict is "same", "ours", "different: reason" or "WRONG"."""
    rows = []
    for row in item.rows:
        try:
            found = row.ours(files)
        except Exception as error:                      # whatever a result lacks is a row that does not hold
            rows.append((row.what, "-", "", f"WRONG: {type(error).__name__}: {error}"))
            continue
        if isinstance(row, Fact):
            holds, text = found
            verdict = "holds" if holds else f"different: {row.differs}" if row.differs else "WRONG"
            rows.append((row.what, text, row.theirs, verdict))
            continue
        theirs = "" if math.isnan(row.theirs) else f"{row.theirs:.8g} ({row.source})"
        if math.isnan(row.theirs):
            verdict = "ours"
        elif is_near(found, row.theirs, row.tol):
            verdict = "same" if row.tol == 0 else f"same to {row.tol:g}"
        else:
            verdict = f"different: {row.differs}" if row.differs else "WRONG"
        rows.append((row.what, f"{found:.8g}", theirs, verdict))
    return rows


# --- Frames ------------------------------------------------------------------------------------------------------

def frames(name, n, columns=3, times=None):
    """Draws the mechanism at n times, evenly spaced or given, a frame each."""
    def draw(files, figure):
        scene = files.result(name).scene()
        low, high = limits = window(scene)
        shown = np.linspace(scene["t"][0], scene["t"][-1], n) if times is None else times
        rows = -(-n // columns)
        aspect = float(np.clip((high[1] - low[1]) / (high[0] - low[0]), 0.25, 1.2))
        figure.set_size_inches(11, rows * (11 / columns * aspect + 0.3))
        for k, axes in enumerate(figure.subplots(rows, columns, squeeze=False).flat):
            if k >= n:
                axes.axis("off")
                continue
            at = int(np.argmin(np.abs(scene["t"] - shown[k])))
            set_stage(axes, scene, f"t = {scene['t'][at]:.2f} s", limits)
            axes.set(xlabel="", ylabel="")
            Mechanism(axes, scene, float(np.max(high - low))).move(at)
    return draw
