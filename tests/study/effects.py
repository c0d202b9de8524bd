"""Rows of a study that a mechanism of the search can change, those of them that stand for all, and what they say."""
import hashlib
import math
import os
from dataclasses import dataclass, field

from counts import read_counts
from solve import success

COLUMNS = ["mechanism", "kind", "set", "called", "touched", "decided", "too_dear", "run", "lost", "gained",
           "dearer", "cheaper", "iterations_with", "iterations_without", "iterations_ratio", "cpu_with",
           "cpu_without", "cpu_ratio", "commit", "lost_rows"]
SHARE = 0.02                # of a row's iterations or time: what takes less and solves nothing does not change it
MARGIN = 0.01               # an objective that is worse by more is dearer
LEAST = {"objective": 1e-6, "iterations": 1, "cpu": 0.01}       # magnitudes below count as this


@dataclass
class Case:
    """A row that a mechanism can change."""
    base: dict              # its line in the table of the study
    decided: bool           # the mechanism has found the result, or led on to it
    weight: float = 1       # rows that it stands for

    @property
    def name(self):
        return self.base["name"]


@dataclass
class Mechanism:
    name: str
    kind: str = ""
    called: list = field(default_factory=list)      # lines of the study's table
    cases: list = field(default_factory=list)


def survey(base, folder, names):
    """Every mechanism, by its name, with the rows that have called it and those that it can change."""
    mechanisms = {name: Mechanism(name) for name in names}
    for answer in base:
        counts = read_counts(os.path.join(folder, answer["name"] + ".h5"))
        iterations = float(answer["iterations"] or 0) or sum(count["iterations"] for count in counts.values())
        for name, count in counts.items():
            mechanism = mechanisms[name]
            mechanism.kind = count["kind"]
            mechanism.called.append(answer)
            if can_change(count, answer, iterations):
                mechanism.cases.append(Case(answer, count["decided"]))
    return mechanisms


def can_change(count, answer, iterations):
    """Could the row be another without the mechanism? A gate counts only where it closes, and then it could."""
    return (count["kind"] == "gate" or count["solved"] > 0 or count["decided"]
            or count["iterations"] > SHARE * iterations or count["seconds"] > SHARE * float(answer["wall"]))


# --- The draw ---
def lot(case, mechanism, seed):
    return hashlib.sha256(f"{seed} {mechanism.name} {case.name}".encode()).hexdigest()


def is_cheap(case, options):
    return float(case.base["cpu"]) <= options.only_cheap


def draw(mechanism, options):
    """All cases where they are few. Else half of them where the mechanism has decided, as far as there are so many:
    what it is worth shows there first. A greater number keeps what a smaller one has drawn of each sort."""
    cheap = sorted((case for case in mechanism.cases if is_cheap(case, options)),
                   key=lambda case: lot(case, mechanism, options.seed))
    decided = [case for case in cheap if case.decided]
    others = [case for case in cheap if not case.decided]
    n_decided = min(len(decided), max(options.rows // 2, options.rows - len(others)))
    drawn = []
    for sort, n in ((decided, n_decided), (others, options.rows - n_decided)):
        for case in sort[:n]:
            case.weight = len(sort) / min(n, len(sort))
            drawn.append(case)
    return drawn


# --- What came of it ---
def excess_without(case, run):
    """By how much the row costs more without the mechanism, relative to the greater magnitude."""
    cost, known = float(run["objective"] or "nan"), float(case.base["objective"] or "nan")
    return (cost - known) / max(abs(cost), abs(known), LEAST["objective"])


def both_solved(case, run):
    return all(a["status"] == "solved" and a["verified"] == "yes" for a in (case.base, run))


def ratio(pairs, column):
    """Geometric mean of what is taken without by what is taken with it, over rows that succeed both ways."""
    both = [(case, run) for case, run in pairs if success(case.base) and success(run)]
    if not both:
        return ""
    taken = [[max(float(answer[column]), LEAST[column]) for answer in (case.base, run)] for case, run in both]
    logs = [case.weight * math.log(without / base) for (case, _), (base, without) in zip(both, taken)]
    return f"{math.exp(sum(logs) / sum(case.weight for case, _ in both)):.3f}"


def total(answers, column, digits):
    return f"{sum(float(answer[column] or 0) for answer in answers):.{digits}f}"


def effects(mechanism, drawn, runs, options):
    """A line of the table for each set; runs are the lines of rows without the mechanism, by their names."""
    pairs = [(case, runs[case.name]) for case in drawn]
    return [effect(mechanism, group, [pair for pair in pairs if pair[0].base["set"] == group], options)
            for group in ("tune", "hold")]


def effect(mechanism, group, pairs, options):
    cases = [case for case in mechanism.cases if case.base["set"] == group]
    lost = [case.name for case, run in pairs if success(case.base) and not success(run)]
    gained = [case.name for case, run in pairs if success(run) and not success(case.base)]
    off = [excess_without(case, run) for case, run in pairs
           if both_solved(case, run) and case.name not in lost + gained]
    line = {"mechanism": mechanism.name, "kind": mechanism.kind, "set": group,
            "called": sum(answer["set"] == group for answer in mechanism.called),
            "touched": len(cases), "decided": sum(case.decided for case in cases),
            "too_dear": sum(not is_cheap(case, options) for case in cases),
            "run": len(pairs), "lost": len(lost), "gained": len(gained),
            "dearer": sum(x > MARGIN for x in off), "cheaper": sum(x < -MARGIN for x in off),
            "commit": " ".join(sorted({run["commit"] for _, run in pairs})), "lost_rows": " ".join(sorted(lost))}
    for column, digits in (("iterations", 0), ("cpu", 1)):
        line[column + "_with"] = total([case.base for case, _ in pairs], column, digits)
        line[column + "_without"] = total([run for _, run in pairs], column, digits)
        line[column + "_ratio"] = ratio(pairs, column)
    return line
