#!/bin/sh
# simulate from event to event, from the spec to the result file. COCP is the program; TAP on stdout.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
work_apart

table() {       # table FILE.h5 GROUP: as CSV in out
    "$cocp" export "$1" --csv --group "$2" >out 2>err
}

# --- The default method, what it prints and writes ---
exits 0 "ball_2d" simulate "$problems/ball_2d.yaml" -v
says out "one line" '^solved ball_2d steps=[0-9]+ time=[0-9.]+ out=ball_2d\.h5$'
says err "events with -v" '^ *1  t = 0\.4472135955 +impact +ground$'
table ball_2d.h5 events
says out "the impact with its impulse" '^0\.44721359[0-9]*,[^,]*,-1,impact,ground,4\.4721359[0-9]*,-1\.34164'
says out "the stick" '^1\.333333333333[0-9]*,[^,]*,-1,stick,ground,0,0'
table ball_2d.h5 trajectory
says out "two points at the impact" '^0\.44721359549[0-9]*,.*,-1,1,.*'
awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) at[$k] = k; next }
         { if ($at["t"] < t) bad = 1; t = $at["t"] }
         $at["ground_gap"] < -1e-12 { bad = 1 }
         $at["t"] > 0.45 && $at["t"] < 1.33 && $at["ground_lambda_t"] + 3 > 1e-9 { bad = 1 }
         END { exit bad || NR < 20 }' out
report "times ascend, gaps are kept, slip has its friction" $?
exits 0 "show" show ball_2d.h5
says out "show names the method" 'method +event'
exits 0 "uniform" export ball_2d.h5 --csv --group uniform
[ "$(wc -l <out)" -eq 502 ]
report "501 points" $?

# --- Controls ---
printf 't, u1, u2\n0, 7, 0\n1, -7, 0\n' >controls.csv
exits 0 "controls of a table" simulate -q "$problems/tf_ex3.yaml" --controls controls.csv -o t.h5
exits 0 "controls of a result" simulate -q "$problems/tf_ex3.yaml" --controls t.h5 -o again.h5
table t.h5 grid
cp out first
table again.h5 grid
cmp -s first out
report "give the same" $?

# --- Zeno, limits, bundles ---
exits 0 "a Zeno sequence ends" simulate "$problems/rocking_block_zeno.yaml" -o z.h5
says err "says how many impacts were resolved" 'left: 18 impacts resolved one by one, at rest from t = 2\.6714213'
table z.h5 events
says out "rest is an event" '^2\.6714213[0-9]*,[^,]*,-1,rest,left,'
exits 40 "--max-events" simulate "$problems/rocking_block_zeno.yaml" --max-events 7 -o m.h5
says err "says what is used up" '8 events up to t = '
table m.h5 events
[ "$(grep -c . out)" -eq 9 ]
report "what was found is kept" $?
exits 0 "a bundle" simulate -q "$problems/ball_2d.yaml" --samples 3 --perturb v1=0.5 -o b.h5
exits 0 "can be shown" show b.h5 --group bundle
exits 0 "the paradox of Painleve" simulate "$problems/painleve_rod.yaml" -o p.h5
says err "is told" 'no mode of the contacts is consistent \(a paradox of Painleve\)'
exits 0 "its other side" simulate "$problems/painleve_rod.yaml" --set parameters.spin=5 -o p.h5
says err "is told too" '2 modes of the contacts are consistent'

# --- Against FESD: its 85 steps of order 3 know the events of cases.md 1, friction blocks, to about 4e-5 ---
exits 0 "friction_blocks" simulate -q "$problems/friction_blocks.yaml" -o e.h5
exits 0 "by FESD" simulate -q "$problems/friction_blocks.yaml" --method fesd -o f.h5
table e.h5 events
cut -d, -f1,4,5 out >events
table f.h5 events
cut -d, -f1,4,5 out | paste -d, events - | awk -F, 'NR > 1 { d = $1 - $4; n++
    if (d > 1e-4 || -d > 1e-4 || $2 != $5 || $3 != $6) bad = 1 } END { exit bad || n != 8 }'
report "sees the same events" $?

# --- Mistakes ---
cat >bad.yaml <<'SPEC'
cocp: 1
time: {horizon: 2}
states: {x: {initial: 1}, v: {initial: -1}}
dynamics:
  type: mechanical
  coordinates: {x: v}
  mass: {diag: [1]}
  force: {x: 1e-9*log(x)}
SPEC
exits 50 "a NaN on the way" simulate bad.yaml
says err "is traced to its line" 'bad\.yaml:8:.*log\(x\) is not finite'
"$cocp" show bad.h5 >out 2>err
says out "the trajectory before it is kept" 'failed'
cat >other.yaml <<'SPEC'
cocp: 1
time: {horizon: 2, intervals: 4}
states: {x: {initial: 1}, v: {initial: 0}}
controls: {u: {bounds: [-2, 2]}}
dynamics:
  type: piecewise
  switches: {fast: v - 1}
  modes:
    slow: {where: fast < 0, rhs: {x: v, v: u}}
    quick: {where: fast > 0, rhs: {x: v, v: u - x/v}}
cost: {running: {effort: u^2}}
SPEC
exits 50 "a NaN of a mode that is not the present one" simulate other.yaml
says err "is traced to its line, too" 'other\.yaml:10:50: x/v is not finite: x = 1, v = 0 \(the formulas of all modes'
exits 60 "solve, which needs its replay" solve -q other.yaml
"$cocp" solve other.yaml --force >out 2>err
says err "says the same" '^not verified: the simulation ends at t = 0 of 2: .*other\.yaml:10:50: x/v is not finite'
printf 't, u1\n0, 7\n' >late.csv
sed -i 's/^0,/0.5,/' late.csv
exits 3 "controls that begin late" simulate "$problems/tf_ex3.yaml" --controls late.csv -o never.h5
says err "is said" 'late\.csv: controls begin at t = 0\.5'
exits 3 "overlap at the start" simulate "$problems/ball_2d.yaml" --set states.q2.initial=-1 -o never.h5
says err "is said with its line" 'ball_2d\.yaml:[0-9]+:[0-9]+: error: contacts\.ground.*-1'
[ ! -e never.h5 ]
report "nothing is written then" $?

echo "1..$n"
[ "$failures" -eq 0 ]
