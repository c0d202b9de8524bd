#!/bin/sh
# The papers' items: the tables are well-formed and whole, each has its place in docs/papers.md, and one is made.
# COCP is the program; TAP on stdout. tests/acceptance/test_papers.sh makes them all.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
work_apart
COCP=$cocp
export COCP

python=/usr/bin/python3
if ! "$python" -c 'import h5py, matplotlib' 2>/dev/null; then
    echo "1..0 # skipped: no python3-h5py or python3-matplotlib"
    exit 0
fi

"$python" - "$root" >out 2>err <<'END'
import os, shlex, sys
root = sys.argv[1]
sys.path.insert(0, os.path.join(root, "scripts"))
from importlib.machinery import SourceFileLoader
papers = SourceFileLoader("papers", os.path.join(root, "scripts", "papers")).load_module()
from cocp_papers import Fact, Value

# What the papers have: figures, then the rest.
HAS = {"time-freezing": (8, ["table 1"] + [f"example {k}" for k in range(1, 6)]),
       "fesd-j": (10, ["table 1", "table 2"]),
       "hybrid": (5, []),
       "impacts": (14, [f"table {k}" for k in range(1, 9)] + ["algorithm 1", "algorithm 2"]),
       "stability": (3, ["table 1", "table 2", "section IV-B, first example", "section IV-B, second example"])}
page = open(os.path.join(root, "docs", "papers.md"), encoding="utf-8").read()
cited = open(os.path.join(root, "docs", "cited.md"), encoding="utf-8").read()
n = 0
for paper in papers.PAPERS:
    keys = [item.key for item in paper.items]
    figures, others = HAS.pop(paper.name)
    missing = set([str(k) for k in range(1, figures + 1)] + others) - set(keys)
    assert not missing, f"{paper.name}: {missing} are missing"
    assert len(set(keys)) == len(keys), f"{paper.name}: an item twice"
    assert f"| {paper.key} |" in cited, f"{paper.key} is not cited"
    section = page[page.index(f"(`{paper.name}`, {paper.key})"):]
    for item in paper.items:
        what = f"{paper.name} {item.key}"
        assert item.runs or item.note, f"{what} neither runs nor says why"
        assert bool(item.rows) or not item.runs or item.draw, f"{what} shows nothing"
        assert f"\n### {papers.name_of(item)}: {item.title}\n" in section, f"{what} is not in docs/papers.md"
        for command in item.runs:
            words = shlex.split(command)
            assert words[0] == "cocp" and "-o" in words, f"{what}: {command}"
            assert all(os.path.exists(os.path.join(root, word)) for word in words if word.startswith("problems/")), command
            assert f"\n{command}\n" in section, f"{what}: the page has another command than {command}"
        for row in item.rows:
            assert isinstance(row, (Fact, Value)) and callable(row.ours), f"{what}: {row}"
            assert f"| {papers.cell(row.what)} | " in section, f"{what}: the page lacks the row {row.what}"
        n += 1
assert not HAS, f"{list(HAS)} are missing"
assert "WRONG" not in page, "docs/papers.md has wrong rows"
print(f"{n} items")
END
report "the tables are well-formed, whole and in the page" $?
says out "all of them" '^[5-9][0-9] items$'

"$root/scripts/papers" >out 2>err
report "the papers are listed" $?
says out "each with its items" '^stability: '
"$root/scripts/papers" hybrid >out 2>err
report "one paper" $?
says out "with its commands" 'cocp simulate problems/hybrid_block.yaml -o hybrid_block.h5'
"$root/scripts/papers" hybrid 9 >out 2>err
[ $? -eq 1 ]
report "an item that is not there" $?
says err "is answered by those that are" "hybrid has no item '9'; it has 1, 2, 3, 4, 5"
"$root/scripts/papers" hybrid 4 -o block.png --folder results >out 2>err
report "a figure is made" $?
says out "its rows hold" 'sequence of modes: op,op - op,sl - sl,sl - sl,op - op,op'
! grep -q WRONG out
report "all of them" $?
says block.png "its picture is a PNG" 'PNG'
sleep 1
"$root/scripts/papers" hybrid 4 -o block.png --folder results >out 2>err
! grep -q '^\$ cocp' err
report "what is there is not made again" $?

echo "1..$n"
[ "$failures" -eq 0 ]
