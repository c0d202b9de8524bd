"""The table of the study, whose columns `tests/study/run --help` explains, and tables of results."""
import csv
import hashlib
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
COLUMNS = ["name", "spec", "overrides", "kind", "set", "done", "best", "source"]


def set_of(spec):
    """A third of the specs is held out, by the hash of its name alone."""
    name = os.path.splitext(os.path.basename(spec))[0]
    return "hold" if int(hashlib.sha256(name.encode()).hexdigest(), 16) % 3 == 0 else "tune"


def read_table(path):
    with open(path, newline="", encoding="utf-8") as file:
        table = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        if table.fieldnames != COLUMNS:
            sys.exit(f"{path}: the columns should be {' '.join(COLUMNS)}")
        rows = list(table)
    for row in rows:
        check_row(path, row)
    if len({row["name"] for row in rows}) < len(rows):
        sys.exit(f"{path}: a name stands there twice")
    return rows


def check_row(path, row):
    where = f"{path}: {row['name']}"
    if None in row or None in row.values():
        sys.exit(f"{where}: there should be {len(COLUMNS)} columns")
    if not os.path.exists(os.path.join(ROOT, row["spec"])):
        sys.exit(f"{where}: no spec {row['spec']}")
    if row["set"] != set_of(row["spec"]):
        sys.exit(f"{where}: the hash of the spec's name puts it into the other set")
    compile(row["done"], where, "eval")
    if row["best"]:
        float(row["best"])


def row_of_spec(spec):
    """A spec that stands in no table: whatever solves it has done its task."""
    if not os.path.exists(os.path.join(ROOT, spec)):
        sys.exit(f"study: no spec {spec}")
    name = os.path.splitext(spec)[0].replace("/", "_")
    return {"name": name, "spec": spec, "overrides": "", "kind": "shipped", "set": set_of(spec), "done": "True",
            "best": "", "source": ""}


def rows_listed(path, table):
    """The rows that a file names, one a line; a line that ends in .yaml is a spec by itself."""
    rows = {row["name"]: row for row in table}
    with open(path, encoding="utf-8") as file:
        names = [line.strip() for line in file if line.strip() and not line.startswith("#")]
    if unknown := [name for name in names if name not in rows and not name.endswith(".yaml")]:
        sys.exit(f"{path}: no row {unknown[0]}")
    return [rows.get(name) or row_of_spec(name) for name in names]


def read_results(path, **form):
    """Results of an earlier run, but for a line that was cut off; none where there is no file."""
    if not os.path.exists(path):
        return []
    with open(path, newline="", encoding="utf-8") as file:
        return [row for row in csv.DictReader(file, **form) if None not in row.values()]


def write_results(path, columns, rows, **form):
    """All of them at once: who is stopped meanwhile leaves the file as it was."""
    with open(path + ".new", "w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, columns, **form)
        table.writeheader()
        table.writerows(rows)
    os.replace(path + ".new", path)


def add_result(path, columns, row):
    with open(path, "a", newline="", encoding="utf-8") as file:
        csv.DictWriter(file, columns).writerow(row)
