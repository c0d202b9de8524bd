#!/bin/sh
# tables: functions of one or two arguments by their values, and mistakes in CSVs. COCP is the program; TAP on stdout.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
work_apart

# A table of what a formula says: the same problem.
spec() {        # spec RATE [TABLE]
    cat <<END
cocp: 1
time: {horizon: 2, intervals: 8}
states: {x: {initial: 1, final: -0.4, bounds: [-3, 3]}, v: {initial: 0, bounds: [-2, 2]}}
controls: {u: {bounds: [-20, 20]}}
dynamics: {type: ode, rhs: {x: v, v: "u - $1"}}
cost: {running: {effort: u^2}}
END
    [ -z "${2-}" ] || printf 'tables: {f: {%s}}\n' "$2"
}
same() {        # same NAME FORMULA CALL TABLE
    spec "$2" >formula.yaml
    spec "$3" "$4" >table.yaml
    exits 0 "$1 by a formula" solve -q formula.yaml -o formula.h5 --force
    exits 0 "$1 by a table" solve -q table.yaml -o table.h5 --force
    like "$(objective formula.h5)" table.h5 "$1: the same objective"
}
same "a line" "(1 - 3*v)" "f(v)" 'of: v, at: [-2, 0.5, 1, 2], values: [7, -0.5, -2, -5]'
same "a cubic" "0.2*v^3" "f(v)" 'of: v, at: [-2, 0, 1, 2], values: [-1.6, 0, 0.2, 1.6]'
same "corners of a table and abs" "abs(x)" "f(x)" 'of: s, by: linear, at: [-3, 0, 3], values: [3, 0, 3]'
same "a product" "x*v" "f(x, v)" 'of: [a, b], at: [[-3, 3], [-2, 0, 2]], values: [[6, 0, -6], [-6, 0, 6]]'
same "two corners" "abs(x)*(v + max(v, 0))" "f(x, v)" 'of: [a, b], by: linear, at: [[-3, 0, 3], [-2, 0, 2]], values: [[-6, 0, 12], [0, 0, 0], [-6, 0, 12]]'
same "constant outside" "min(max(x, -0.2), 0.5)" "f(x)" 'of: a, by: linear, outside: constant, at: [-0.2, 0.5], values: [-0.2, 0.5]'
same "a spline, constant outside" "min(max(x, -0.2), 0.5)^2" "f(x)" 'of: a, outside: constant, at: [-0.2, 0.1, 0.5], values: [0.04, 0.01, 0.25]'
same "a line outside" "(1 + 2*x)" "f(x)" 'of: a, outside: linear, at: [-0.2, 0.1, 0.5], values: [0.6, 1.2, 2]'

# At the start v is where the table ends and its second derivative jumps by 0.0128: a bend, no mistake.
spec "0.1*f(v)" "of: v, outside: linear, at: [0, 1, 2, 3, 4], values: [0, 1, 4, 9, 16]" |
    sed 's/, bounds: \[-3, 3\]//; s/-2, 2/0, 3.5/; s/initial: 1, final: -0.4/initial: 0, final: 1/; s/v: {initial: 0/v: {initial: 0, final: 0/' >bend.yaml
exits 0 "a bend at the end of a table" check bend.yaml

# Where the argument may not leave the table, a constraint keeps it within, as one by hand does.
spec "0.3*v" "of: v, at: [-0.9, 0, 1], values: [-0.27, 0, 0.3]" >free.yaml
sed 's/0\.3\*v/f(v)/' free.yaml >table.yaml
sed 's/^tables.*/constraints: {slow: "-0.9 <= v <= 1"}/' free.yaml >formula.yaml
exits 0 "a constraint by hand" solve -q formula.yaml -o formula.h5 --force
exits 0 "the end of the table" solve -q table.yaml -o table.h5 --force
like "$(objective formula.h5)" table.h5 "the table is a constraint"
sed 's/^tables.*//' free.yaml >loose.yaml
exits 0 "neither" solve -q loose.yaml -o loose.h5
awk -v a="$(objective loose.h5)" -v b="$(objective table.h5)" 'BEGIN {exit !(a < 0.9999*b)}'
report "which costs something" $?
exits 0 "check of it" check table.yaml
says err "says that a bound leaves the table, and where" \
     'table\.yaml:5:43: warning: dynamics\.rhs\.v: v may be from -2 to 2, and table "f" goes from -0\.9 to 1 in v: solve keeps it there'
exits 50 "a simulation that leaves it" simulate table.yaml --set 'simulate.controls={u: 4}' -o fall.h5
says err "says where" 'table\.yaml:5:43: v = 1\.?[0-9]* lies outside of the table, which goes from -0\.9 to 1'

sed 's/-0\.9/-0.6/' table.yaml >short.yaml
exits 20 "a table that is too short" solve -q short.yaml -o short.h5
says err "says which end" 'short\.yaml:5:43: error: tables\.f\.v: cannot be met together with the rest: it is to be from -0\.6 to 1'

# CSVs: of one argument columns by name, of two a table with both axes.
csv() { printf '%s\n' "$@" >f.csv; }
spec "f(v)" "of: v, file: f.csv" >one.yaml
spec "f(x, v)" "of: [a, b], file: f.csv" >two.yaml
csv '# measured' 'f, other, v' '-1.6, 9, -2' '0, 9, 0' '0.2, 9, 1' '1.6, 9, 2'
spec "0.2*v^3" >formula.yaml
exits 0 "the cubic" solve -q formula.yaml -o formula.h5 --force
exits 0 "a column" solve -q one.yaml -o one.h5
like "$(objective formula.h5)" one.h5 "the cubic from a CSV"
sed 's/f\.csv/f.csv, columns: {v: speed}/' one.yaml >renamed.yaml
exits 3 "a column that is not there" check renamed.yaml
says err "which" 'renamed\.yaml:7:[0-9]+: error: tables\.f\.columns\.v: there is no column "speed" in f\.csv, where line 2'
csv 'a, -2, 0, 2' '-3, 6, 0, -6' '3, -6, 0, 6'
spec "x*v" >formula.yaml
exits 0 "the product" solve -q formula.yaml -o formula.h5 --force
exits 0 "rows" solve -q two.yaml -o two.h5
like "$(objective formula.h5)" two.h5 "the product from a CSV"

# No output replaces it, and the result does not need it.
cp f.csv kept.csv
exits 4 "a result in place of the table" solve two.yaml -o f.csv --force
cp kept.csv f.csv
says err "is refused" 'f\.csv.*the values of a table'
rm f.csv
exits 0 "without the file" verify -q two.h5
exits 3 "the spec without it" check two.yaml
says err "says so" 'two\.yaml:7:[0-9]+: error: tables\.f\.file: cannot read f\.csv: No such file'

csv 'a, -2, 0, 2' '-3, 6, 0, -6' '3, -6, oops, 6'
exits 3 "a word" check two.yaml
says err "where it is" 'f\.csv:3:8: error: expected a number'
csv 'a, -2, 0, 2' '-3, 6, 0, -6' '3, -6, , 6'
exits 3 "an empty cell" check two.yaml
says err "where it is" 'f\.csv:3:[0-9]+: error: expected a number'
csv 'a, -2, x, 2' '-3, 6, 0, -6' '3, -6, 0, 6'
exits 3 "an axis with a name" check two.yaml
says err "where it is" 'f\.csv:1:8: error: expected a value of b'
csv 'a, -2, 2, 0' '-3, 6, 0, -6' '3, -6, 0, 6'
exits 3 "an axis in no order" check two.yaml
says err "where it is" 'f\.csv:1:11: error: tables\.f: b must ascend, and 0 comes after 2'
csv 'a, -2, 0, 2' '3, 6, 0, -6' '-3, -6, 0, 6'
exits 3 "rows in no order" check two.yaml
says err "where it is" 'f\.csv:3:1: error: tables\.f: a must ascend, and -3 comes after 3'

# Units of axes and values.
spec "f(v)" "of: v, at: [-2, 2], values: [0, 1], units: {v: m, f: N}" |
    sed 's/v: {initial/v: {units: m\/s, initial/; s/x: {initial/x: {units: m, initial/' >units.yaml
exits 0 "units" check units.yaml
says err "of an axis" 'units\.yaml:5:43: warning: .*units disagree: the argument is in m s.-1, the axis of the table in m'

# Bryson, Desai and Hoffman's climb: 324.975 s (Betts 2010, with splines of least curvature).
exits 0 "a supersonic climb" solve -q "$problems/climb.yaml" -o climb.h5
awk -v a="$(objective climb.h5)" 'BEGIN {exit !(a > 0.98*324.975 && a < 1.02*324.975)}'
report "in the time that is known, to 2 %" $?

echo "1..$n"
[ "$failures" -eq 0 ]
