#!/bin/sh
# A pendulum swung to 1.5 rad with least effort: what no motion can beat, by `cocp bound`; what a motion costs, by
# `cocp solve`; and dynamic programming on a grid, which knows nothing of either. Its own error: steps of constant
# control cost more than any control, 80 of them 4e-4 less than 40; and 41 points instead of 81 change the cost by
# 4e-5. A table, whose rows begin with `|`; TAP besides.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/../cli/tap.sh"
here=$(cd "$(dirname "$0")" && pwd)
work_apart

cat >swing.yaml <<'SPEC'
cocp: 1
name: swing
time: {horizon: 2, intervals: 40, elements: 2}
states:
  q: {units: rad, initial: 0, bounds: [-0.5, 2.5]}
  w: {units: rad/s, initial: 0, bounds: [-1, 3]}
controls: {u: {units: rad/s^2, bounds: [-4, 4]}}
dynamics: {type: ode, rhs: {q: w, w: u - 3*sin(q)}}
cost:
  running: {effort: u^2}
  terminal: {miss: 20*(q - 1.5)^2 + 20*w^2}
SPEC

field() {       # field KEY: its number in the summary line in out
    sed -n "s/.* $1=\([^ ]*\).*/\1/p" out
}

within() {      # within LOW VALUE HIGH
    awk -v lo="$1" -v x="$2" -v hi="$3" 'BEGIN { exit !(lo <= x && x <= hi) }'
}

exits 0 "it is solved" solve -q swing.yaml
solved=$(field objective)
"$cocp" bound -q swing.yaml swing.h5 --degree 4 --gap 0.005 >out 2>err
bound=$(field bound)
exits 0 "the bound is proved again" bound --check swing.bound.h5
coarse=$(/usr/bin/python3 "$here/swing_by_grid.py" 41 40) fine=$(/usr/bin/python3 "$here/swing_by_grid.py" 81 40)
twice=$(/usr/bin/python3 "$here/swing_by_grid.py" 81 80)
printf '| bound | %s |\n| 40 intervals | %s |\n' "$bound" "$solved"
printf '| grid of 41 points, 40 steps | %s |\n| of 81 points | %s |\n| of 81 points, 80 steps | %s |\n' \
    "$coarse" "$fine" "$twice"
within "$(echo "$solved" | awk '{ print $1 * 0.9999 }')" "$fine" "$(echo "$solved" | awk '{ print $1 * 1.0001 }')"
report "40 steps cost what 40 intervals do, within 1e-4" $?
within "$bound" "$twice" "$fine"
report "80 steps cost less, and no less than the bound" $?
within "$(echo "$twice" | awk '{ print $1 * 0.98 }')" "$bound" "$twice"
report "the bound is within 2 % of that" $?
echo "1..$n"
[ "$failures" -eq 0 ]
