"""What a result says about its search: which mechanisms were called, and what came of each."""
import h5py
import numpy

NUMBERS = ["calls", "candidates", "repeated", "solved", "best", "iterations", "seconds"]


def as_text(value):
    return value.decode() if isinstance(value, bytes) else str(value)


def texts(group, name):
    """Texts of a dataset or an attribute of that name; none where there is neither."""
    value = group[name][()] if name in group else group.attrs.get(name, [])
    return [text for text in map(as_text, numpy.atleast_1d(value)) if text]


def found_by(path):
    """The mechanism that found the result; empty where the file does not say."""
    try:
        with h5py.File(path, "r") as result:
            return " ".join(texts(result["phases"], "found_by"))
    except (OSError, KeyError):
        return ""


def read_counts(path):
    """By the name of each mechanism: its kind, its numbers, and whether it has decided the result: as the generator
    that found it, or a move or a continuation that led on to it. Empty where the file has none of it."""
    try:
        with h5py.File(path, "r") as result:
            phases = result["phases"]
            table = phases["discovery"]
            names, kinds = texts(table, "name"), texts(table, "kind")
            numbers = {key: table[key][:] for key in NUMBERS}
            named = texts(phases, "found_by") + texts(phases, "moved_by")
    except (OSError, KeyError):
        return {}
    counts = {name: {"kind": kinds[i], **{key: numbers[key][i] for key in NUMBERS}} for i, name in enumerate(names)}
    for name, count in counts.items():
        count["decided"] = name in named or (count["kind"] != "generator" and count["best"] > 0)
    return counts
