"""One row of the study: a program solves it, and its task, a replay and what is known judge the result."""
import hashlib
import math
import os
import resource
import signal
import subprocess
import time
from dataclasses import dataclass, field

import h5py

from counts import found_by
from logs import without_times
from table import ROOT

RESULTS = ["name", "kind", "set", "status", "done", "verified", "error", "objective", "best", "excess",
           "iterations", "cpu", "wall", "cause", "agrees", "found_by", "limit", "program"]
WORDS = {0: "solved", 10: "acceptable", 20: "infeasible", 30: "unbounded", 40: "limit", 50: "failed",
         60: "unverified", 1: "internal error", 2: "usage", 3: "bad spec", 4: "file", 130: "limit", 143: "limit"}
WALL = 100                  # seconds of the clock for each second of CPU: the machine may be busy, a program may hang
GRACE = 20                  # s for the best iterate to be saved after an interrupt


@dataclass
class Program:
    """What solves the rows, and how."""
    cocp: str
    limit: float            # CPU seconds of a row
    folder: str             # of results
    sets: list              # PATH=VALUE for every spec
    logs: str = None        # folder of logs without times
    digest: str = field(init=False)     # tells programs apart

    def __post_init__(self):
        with open(self.cocp, "rb") as file:
            self.digest = hashlib.file_digest(file, "sha256").hexdigest()[:12]

    def arguments(self, command, row):
        sets = [word for item in row["overrides"].split() + self.sets for word in ("--set", item)]
        return [self.cocp, command, row["spec"], *sets]


def seconds_used(pid):
    """CPU seconds of a process and those of its children that have ended."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            fields = file.read().rpartition(")")[2].split()
        return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    except (OSError, IndexError):
        return 0


def interrupt_when_over(process, limit, started):
    """Waits for the end; past the limit the program is asked to save its best iterate, and then killed."""
    asked = None
    while True:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            process.returncode = os.waitstatus_to_exitcode(status)
            return usage.ru_utime + usage.ru_stime, asked is not None
        now = time.monotonic()
        if asked is None and (seconds_used(process.pid) > limit or now - started > WALL * limit):
            process.send_signal(signal.SIGINT)
            asked = now
        elif asked is not None and now - asked > GRACE:
            process.kill()
        time.sleep(0.02)


def run_cocp(arguments, limit, log):
    """Exit code (None if stopped at the limit), what stands on stdout, CPU and wall seconds; stderr goes to a file."""
    hard = int(limit + 2 * GRACE)
    started = time.monotonic()
    with open(log + ".out", "wb") as out, open(log + ".err", "wb") as err:
        process = subprocess.Popen(arguments, stdout=out, stderr=err, cwd=ROOT,
                                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (hard, hard)))
        cpu, stopped = interrupt_when_over(process, limit, started)
    with open(log + ".out", encoding="utf-8", errors="replace") as file:
        said = file.read()
    return None if stopped else process.returncode, said, cpu, time.monotonic() - started


def word_of(line, key):
    """The value of key=... in a summary line."""
    for word in line.split():
        if word.startswith(key + "="):
            return word[len(key) + 1:]
    return ""


def names_in(result, row):
    """What the expression of a task may speak of."""
    trajectory = result["trajectory"]
    names = {name: float(data[()]) for name, data in result["parameters"].items() if data.shape == ()}
    names |= {name: float(data[-1]) for name, data in trajectory.items() if data.ndim == 1 and len(data)}
    names |= {name: getattr(math, name) for name in ("pi", "sqrt", "hypot", "cos", "sin")}
    names |= {"first": lambda x: float(trajectory[x][0]), "least": lambda x: float(min(trajectory[x][:])),
              "largest": lambda x: float(max(trajectory[x][:])), "abs": abs, "T": float(trajectory["t"][-1])}
    kinds = result["events"]["kind"][:] if "events" in result and "kind" in result["events"] else []
    names["events"] = lambda kind: sum(k in (kind, kind.encode()) for k in kinds)
    names |= {"objective": float(result.attrs["objective"]), "best": float(row["best"] or "nan")}
    return names


def task_done(row, out):
    """Whether the result meets the criterion of the table: yes, no, or the error that kept it from being evaluated."""
    try:
        with h5py.File(out, "r") as result:
            return "yes" if eval(row["done"], {"__builtins__": {}}, names_in(result, row)) else "no"
    except (OSError, KeyError, NameError, TypeError, ValueError, ArithmeticError) as error:
        return f"no ({type(error).__name__}: {error})"


def last_words(log):
    """The failure report is an indented list, the condition that is worst at its head; other errors are one line."""
    with open(log + ".err", encoding="utf-8", errors="replace") as file:
        lines = [line.rstrip() for line in file if line.strip() and not line.lstrip()[0].isdigit()]
    report = []
    while lines and lines[-1].startswith("  "):
        report.insert(0, lines.pop())
    return (report or lines[-1:] or [""])[0].strip()


def excess(objective, best):
    """By how much an objective is worse than the best known: relative to it, or absolute where that is 0."""
    try:
        return (float(objective) - float(best)) / (abs(float(best)) or 1)
    except ValueError:
        return None


def solve(row, program):
    """Solves a row and verifies the solution; returns a row of results."""
    log = os.path.join(program.folder, row["name"])
    out = log + ".h5"
    if os.path.exists(out):
        os.remove(out)
    # One process: what another finds in vain at the same time would count as well.
    how = ["-o", out, "--jobs", "1", *(["-v"] if program.logs else [])]
    code, line, cpu, wall = run_cocp(program.arguments("solve", row) + how, program.limit, log)
    summary = line.splitlines()[-1] if line.strip() else ""
    answer = dict.fromkeys(RESULTS, "") | {
        "name": row["name"], "kind": row["kind"], "set": row["set"], "best": row["best"],
        "status": "limit" if code is None else WORDS.get(code, f"exit {code}"),
        "objective": word_of(summary, "objective"), "iterations": word_of(summary, "iter"), "cpu": f"{cpu:.2f}",
        "wall": f"{wall:.2f}", "found_by": found_by(out), "limit": f"{program.limit:g}", "program": program.digest}
    if (off := excess(answer["objective"], row["best"])) is not None:
        answer["excess"] = f"{off:.2e}"
    if os.path.exists(out):
        answer["done"] = task_done(row, out)
    if code in (0, 10):
        judge(answer, word_of(summary, "error"), out, log, program)
    if not success(answer):
        answer["cause"] = cause(answer, code, log)
    if program.logs:
        keep_log(log, row["name"], program)
    return answer


def keep_log(log, name, program):
    """What the solve has said, kept so that the same of another program can be compared by `diff`."""
    said = ""
    for end in (".out", ".err"):
        with open(log + end, encoding="utf-8", errors="replace") as file:
            said += file.read()
    with open(os.path.join(program.logs, name + ".log"), "w", encoding="utf-8") as file:
        file.write(without_times(said, [program.folder, ROOT]))


def judge(answer, error, out, log, program):
    """Replays a solution by events. Does that agree with what the solve has said, its error among it?"""
    code, line, _, _ = run_cocp([program.cocp, "verify", out, "-q"], program.limit, log + ".verify")
    summary = line.splitlines()[-1] if line.strip() else ""
    answer["verified"] = "yes" if code == 0 else "no"
    answer["error"] = word_of(summary, "error")
    answer["agrees"] = "yes"
    if code != 0:
        said = WORDS.get(code, "too long" if code is None else code)
        answer["agrees"] = f"no: {answer['status']}, and verify says {said}"
    elif error and error != answer["error"]:
        answer["agrees"] = f"no: error={error}, and error={answer['error'] or 'none'} of verify"


def cause(answer, code, log):
    if answer["status"] != "solved":
        words = last_words(log)
        return f"stopped at the limit of CPU; {words}" if code is None else words
    if answer["verified"] != "yes":
        return f"does not replay: error {answer['error'] or '?'}"
    if answer["done"] != "no":
        return answer["done"].removeprefix("no ")
    known = f", {answer['best']} is known" if answer["best"] else ""
    return f"the task is not done, or badly: objective {answer['objective']}{known}"


def success(answer):
    return answer["status"] == "solved" and answer["done"] == "yes" and answer["verified"] == "yes"
