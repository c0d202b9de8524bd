#!/bin/sh
# FESD-J from the command line: simulate and solve, what is in the file, and what is refused. COCP is the program;
# TAP on stdout.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
work_apart

near() {        # near NAME X WANTED TOLERANCE
    awk -v x="$2" -v y="$3" -v tol="$4" 'BEGIN { d = x - y; exit !(x ~ /^-?[0-9]/ && d <= tol && -d <= tol) }'
    report "$1: $2" $?
}

cell() {        # cell FILE.h5 GROUP CONDITION COLUMN: of the first row for which the awk condition holds, col[NAME]
    "$cocp" export "$1" --csv --group "$2" 2>err |
        awk -F, "NR == 1 { for (k = 1; k <= NF; k++) col[\$k] = k; next }
                 $3 { print \$col[\"$4\"]; exit }"
}

# --- Simulations: cases.md 1, ball 2D ---
exits 0 "ball_2d" simulate "$problems/ball_2d.yaml" --method fesd-j -o b.h5
says out "one line" '^solved ball_2d comp=0\.0e\+00 viol=[0-9.e-]+ steps=30 iter=[0-9]+ time=[0-9.]+ out=b\.h5$'
near "when it hits" "$(cell b.h5 events '$col["kind"] == "impact"' t)" 0.4472135955 1e-9
near "its normal impulse" "$(cell b.h5 events '$col["kind"] == "impact"' impulse_n)" 4.472135955 1e-8
near "and that of friction" "$(cell b.h5 events '$col["kind"] == "impact"' impulse_t)" -1.3416407865 1e-8
near "when it sticks" "$(cell b.h5 events '$col["kind"] == "stick"' t)" 1.3333333333 1e-8
near "left limit" "$(cell b.h5 trajectory '$col["side"] == -1' v1)" 4 1e-8
near "right limit" "$(cell b.h5 trajectory '$col["side"] == 1' v1)" 2.6583592135 1e-8
[ "$(cell b.h5 trajectory '$col["side"] == -1' t)" = "$(cell b.h5 trajectory '$col["side"] == 1' t)" ]
report "a jump is two points with equal t" $?
near "force after it" "$(cell b.h5 trajectory '$col["t"] > 0.5' ground_lambda_n)" 10 1e-7
near "the impulse of an element" "$(cell b.h5 grid '$col["impulse_n_ground"] > 0.1' impulse_n_ground)" 4.472135955 1e-8
exits 0 "in words" show b.h5
says out "show tells of the impact" 'impact'
exits 0 "another scheme on another grid" simulate -q "$problems/ball_2d.yaml" --method fesd-j -o again.h5 \
    --set time.elements=2 --set simulate.steps=17 --set discretization.scheme=gauss-legendre
near "where it stops, by another scheme" "$(cell again.h5 trajectory '$col["t"] > 2.9' q1)" 2.9666666667 1e-8
exits 0 "JSON" simulate --json "$problems/two_balls.yaml" --method fesd-j -o t.h5
says out "its status" '"status": *"solved"'

# --- The cone of the paper: a slip without normal force, as at each grid point without an impact, is one of its motions ---
# From -1 m/s under 5 N and 3 N of friction: it turns at 1/8 s, and then gains 2 m/s^2.
exits 0 "the paper's cone" simulate -q "$problems/ball_2d.yaml" --method fesd-j -o cone.h5 --set discretization.friction_form=conic-paper \
    --set time.horizon=1 --set simulate.steps=4 --set states.q2.initial=0 --set states.v1.initial=-1 --set dynamics.force.q1=5
near "when a slip turns" "$(cell cone.h5 events '$col["kind"] == "reversal"' t)" 0.125 1e-8
near "its end" "$(cell cone.h5 trajectory '$col["t"] > 0.9999' q1)" 0.703125 1e-8
exits 0 "in flight, too" simulate -q "$problems/ball_2d.yaml" --method fesd-j -o flight.h5 --set discretization.friction_form=conic-paper \
    --set time.horizon=0.4 --set simulate.steps=4
near "4 m/s for 0.4 s" "$(cell flight.h5 trajectory '$col["t"] > 0.3999' q1)" 1.6 1e-8

# --- Exact step equilibration in a homotopy, as nothing predicts the product form of impacts ---
exits 0 "direct" simulate -q "$problems/ball_2d.yaml" --method fesd-j -o direct.h5 --set discretization.equilibration=direct \
    --set discretization.impact_form=product --set time.horizon=1 --set simulate.steps=4 --set states.q2.initial=0 \
    --set states.v1.initial=1 --set dynamics.force.q1=5
near "1 m/s, and 5 N less 3 N of friction" "$(cell direct.h5 trajectory '$col["t"] > 0.9999' q1)" 2 1e-8
near "elements of one length" "$(cell direct.h5 grid '$col["t_start"] >= 0' h)" 0.0833333333 1e-8

# --- A small optimal control problem: lands, is pushed and comes to rest at 0.6 m ---
cat >push.yaml <<'EOF'
cocp: 1
name: push
time: {horizon: 1, intervals: 5, elements: 2}
states: {x: {initial: 0, final: 0.6}, z: {initial: 0.2}, vx: {initial: 1, final: 0}, vz: {initial: 0}}
controls: {u: {bounds: [-5, 5]}}
dynamics: {type: mechanical, coordinates: {x: vx, z: vz}, mass: {diag: [1, 1]}, force: {x: u, z: -10}}
contacts: {ground: {gap: z, tangent: x, friction: 0.2}}
cost: {running: {effort: u^2}}
discretization: {method: fesd-j}
EOF
exits 0 "check" check push.yaml
exits 0 "solve" solve -q push.yaml
says out "its line" '^solved push objective=0\.9197[0-9]+ comp=[0-9.e+-]+ viol=[0-9.e-]+ error=[0-9.e-]+ steps=[0-9]+ iter=[0-9]+ '
near "it hits" "$(cell push.h5 events '$col["kind"] == "impact"' t)" 0.2 1e-8
near "with an impulse" "$(cell push.h5 events '$col["kind"] == "impact"' impulse_n)" 2 1e-7
says out "in its file" 'out=push\.h5$'
exits 0 "verify finds both events" verify push.h5
says out "with small errors" '^verified push .*events=2/2'
exits 0 "the other restitution law, warm" solve -q push.yaml --guess push.h5 -o warm.h5 \
    --set discretization.impact_form=product
says out "finds the same" '^solved push objective=0\.9197'

# A coordinate that is held: friction in the second interval takes u = 0.1, flight allows none: 0.2 * 0.01.
sed -e 's/x: {initial: 0, final: 0.6}/x: {initial: 0, bounds: [0, 0]}/' \
    -e 's/vx: {initial: 1, final: 0}/vx: {initial: 0, bounds: [0, 0]}/' -e 's/effort: u^2/effort: (u - 0.1)^2/' \
    -e 's/intervals: 5/intervals: 2/' -e 's/horizon: 1/horizon: 0.4/' push.yaml >held.yaml
exits 0 "a coordinate may be fixed" solve -q held.yaml
says out "at its cost" '^solved push objective=0\.00(2|199999)'

# --- A raw solution says what is not known of it: here nothing moves, though a push would pay ---
cat >still.yaml <<'EOF'
cocp: 1
name: still
time: {horizon: 1, intervals: 4, elements: 2}
states: {x: {initial: 0}, y: {initial: 1}, vx: {initial: 0}, vy: {initial: 0}}
controls: {u: {bounds: [-1, 1]}}
dynamics: {type: mechanical, coordinates: {x: vx, y: vy}, mass: {diag: [1, 1]}, force: {x: u}}
contacts: {touch: {gap: y - x}}
cost: {running: {effort: u^2}}
EOF
exits 0 "the method alone" solve still.yaml --set finish=off --set homotopy.presolve=none -o raw.h5
says err "no contact acts" '^optimal:  not shown, and no contact ever acts'
exits 0 "shown" show raw.h5
says out "in the file's summary" 'optimality +not shown, and no contact ever acts'
exits 0 "finished" solve still.yaml -o done.h5
exits 0 "shown as well" show done.h5
if grep -q 'no contact ever acts' out; then report "a finished one says its own" 1; else report "a finished one says its own" 0; fi

# --- Step equilibration with friction: in all forms ---
exits 0 "by the indicator, with friction" simulate "$problems/ball_2d.yaml" --method fesd-j -o exact.h5 \
    --set discretization.equilibration=l2-relaxed
near "it sticks when it did" "$(cell exact.h5 events '$col["kind"] == "stick"' t)" 1.3333333333 1e-8

# --- What is refused ---
exits 3 "no switches beside contacts" simulate "$problems/tf_ex3.yaml" --method fesd-j
says err "in words" 'tf_ex3\.yaml:[0-9]+:[0-9]+: error: dynamics\.force: method fesd-j takes no switches beside'
exits 3 "no scheme for fixed grids" simulate "$problems/ball_2d.yaml" --method fesd-j \
    --set discretization.scheme=lobatto-iiic

echo "1..$n"
[ "$failures" -eq 0 ]
