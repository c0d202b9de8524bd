#!/bin/sh
# The table of what each mechanism of the search is worth: which rows it can change, which are drawn, what is counted,
# and that nothing is solved twice. A program of a few lines, tests/study/fake_cocp, stands for cocp; it tells what it
# does. TAP on stdout.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
study=$(cd "$(dirname "$0")/../study" && pwd)
work_apart
export CALLS="$dir/calls"
cp "$study/fake_cocp" cocp

# Ten rows, the last three held out.
awk -F'\t' -v OFS='\t' 'NR == 1 { print; next } { wanted = n < 7 ? "tune" : "hold" }
    $5 == wanted && n < 10 { $1 = "r" n++; $3 = $7 = ""; $6 = "True"; print }' "$study/study.tsv" >table.tsv
"$study/run" --cocp ./cocp --table table.tsv --limit 20 -o base/study.csv >out 2>err
report "a study to begin with" $?
[ "$(grep -c ',yes,orbit,20,' base/study.csv)" -eq 3 ]
report "says who found the results" $?
says out "and how many each" '^orbit +3 +3 +3 +3 +3 \(100 %\)$'

ablates() {     # ablates NAME ARGUMENTS...
    name=$1
    shift
    "$study/ablate" --study base/study.csv --cocp ./cocp --table table.tsv -o rules.tsv "$@" >out 2>err
    report "$name" $?
}

line() {        # line MECHANISM SET: of the table, as COLUMN=VALUE words, an empty value as -
    awk -F'\t' -v m="$1" -v s="$2" 'NR == 1 { split($0, name) } $1 == m && $3 == s {
        for (i = 1; i <= NF; i++) printf "%s=%s ", name[i], $i == "" ? "-" : $i; print "" }' rules.tsv >out
}

solves() {      # solves NUMBER NAME: of the program since the last time
    [ "$(wc -l <calls)" -eq "$1" ]
    report "$2" $?
    : >calls
}

: >calls
ablates "without orbit" orbit
solves 5 "the rows that it has found or that have cost it two per cent are solved, no other"
line orbit tune
says out "and counted" 'kind=generator set=tune called=6 touched=5 decided=3 too_dear=0 run=5 '
says out "one is lost, one gained, one dearer, one cheaper" ' lost=1 gained=1 dearer=1 cheaper=1 '
says out "by name" ' lost_rows=r0 '
says out "iterations are summed over all" ' iterations_with=5000 iterations_without=4300 '
# Rows 1, 2 and 4 succeed both ways: (1 * 0.5 * 0.8)^(1/3).
says out "their mean is that of the rows solved both ways" ' iterations_ratio=0\.737 '
says out "with the commit" " commit=$(git -C "$study" rev-parse --short HEAD 2>/dev/null || echo unknown) "
line orbit hold
says out "held-out rows are apart" ' called=0 touched=0 .* run=0 lost=0 .*iterations_ratio=- '

ablates "the same again" orbit
solves 0 "solves nothing"
sed -i '$ s/,[^,]*,[^,]*,[^,]*$//' base/ablate.csv
ablates "a line that was cut off" orbit
solves 1 "is solved again"

ablates "four rows stand for ten" steps --rows 4
solves 4 "and no more are solved"
cut -d, -f2 base/ablate.csv | tail -n 4 | grep -c 'r[0-2]' >out
says out "half of them from those it has found" '^2$'
line orbit tune
says out "other mechanisms keep their lines" ' lost_rows=r0 '
ablates "six rows" steps --rows 6
solves 2 "are those four and two more"
cp rules.tsv six.tsv
ablates "another seed" steps --rows 6 --seed 1
[ "$(wc -l <calls)" -gt 0 ]
report "draws others" $?
: >calls
ablates "in any order of jobs" steps --rows 6 --jobs 3
cmp -s rules.tsv six.tsv
report "the table is the same" $?

sed -i '/^r0,/ s/,[^,]*\(,[^,]*,[^,]*,yes,orbit,\)/,50.0\1/' base/study.csv
ablates "dear rows may be left out" orbit --only-cheap 20
line orbit tune
says out "and are counted" ' touched=5 decided=3 too_dear=1 run=4 lost=0 '

ablates "a continuation" polish
solves 2 "has decided what it led on to"
line polish tune
says out "a call alone changes nothing" 'kind=continuation set=tune called=1 touched=0 decided=0 '
ablates "what takes time alone" clock
solves 1 "can change a row, too"
"$study/ablate" --study base/study.csv --cocp ./cocp --table table.tsv -o rules.tsv >out 2>err
[ $? -eq 1 ] && grep -q '^ablate: r9 without gate: finish.without: gate cannot be left out$' err
report "what the program refuses is no loss: it ends the run" $?
line orbit tune
says out "with the lines that are there" ' lost_rows=r0 '
ablates "what no row has called" idle
line idle tune
says out "has a line, too" 'kind=- set=tune called=0 touched=0 .* lost_rows=- '
cut -f1 rules.tsv | uniq | tr '\n' ' ' >out
says out "in the order of the program" '^mechanism orbit idle steps polish clock $'
"$study/ablate" --study base/study.csv --cocp ./cocp --table table.tsv -o rules.tsv nobody >out 2>err
[ $? -eq 1 ]
report "a name that the program has not" $?
says err "is refused" '^ablate: .* has no nobody, only orbit idle'

# Eight rows that it has found take half of the iterations without it, two others as many: 0.5^(8/10), by four that are
# drawn.
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$study /usr/bin/python3 - >out 2>err <<'END'
import argparse
from effects import Case, Mechanism, draw, effects
options = argparse.Namespace(rows=4, seed="0", only_cheap=10)
row = {"set": "tune", "status": "solved", "done": "yes", "verified": "yes", "objective": "1", "iterations": "100",
       "cpu": "1", "commit": ""}
cases = [Case({**row, "name": f"r{i}"}, decided=i < 8) for i in range(10)]
drawn = draw(Mechanism("orbit", "generator", [], cases), options)
runs = {case.name: {**row, "iterations": "50" if case.decided else "100"} for case in drawn}
tune, _ = effects(Mechanism("orbit", "generator", [], cases), drawn, runs, options)
print(tune["run"], tune["iterations_with"], tune["iterations_without"], tune["iterations_ratio"])
END
says out "rows that were drawn weigh as many as they stand for" '^4 400 300 0\.574$'

echo '# another' >>cocp
"$study/ablate" --study base/study.csv --cocp ./cocp --table table.tsv -o rules.tsv >out 2>err
[ $? -eq 1 ]
report "another program than the study's is refused" $?
says err "with the reason" 'was solved by another program'

echo "1..$n"
[ "$failures" -eq 0 ]
