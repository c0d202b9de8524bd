#!/bin/sh
# verify and solve --verify from end to end: findings, exit codes, /verification; controls that cannot drive a
# simulation. COCP is the program; TAP on stdout.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
work_apart

at_most() {     # at_most KEY LIMIT NAME: a number of the summary line in out
    awk -v x="$(sed -n "s/.* $1=\([^ ]*\).*/\1/p" out)" -v limit="$2" \
        'BEGIN { exit !(x ~ /^[0-9]/ && x + 0 <= limit + 0) }'
    report "$3" $?
}

# --- What is found. FESD is accurate to its order where the mode is polynomial, as here: errors are rounding. ---
exits 0 "solve --verify" solve "$problems/turbo_car.yaml" --verify
says out "solves" '^solved turbo_car '
says out "and verifies" '^verified turbo_car error='
says err "in words too" 'state at the end +[0-9.e-]+ +[a-z]+; the tolerance is 0\.001'
at_most error 1e-9 "the end is met"
at_most worst 1e-6 "so is the rest"
at_most dobj 1e-9 "the objective too"
says out "events are found" ' events=2/2 '
exits 0 "verify" verify -q turbo_car.h5
[ "$(wc -l <out)" -eq 1 ] && [ ! -s err ]
report "quietly" $?
exits 0 "parameter_fit" solve -q "$problems/parameter_fit.yaml" -o fit.h5
exits 60 "a tolerance below its error" verify fit.h5 --tol 1e-12 -o tight.h5
says out "is not met" '^unverified parameter_fit '
says err "and the reason is given" 'off by [0-9.e-]+ at the end, the tolerance is 1e-12'
exits 0 "the finding" show tight.h5
says out "is shown" '^  outcome +unverified'
exits 0 "the trajectory beside the solution" export turbo_car.h5 --csv --group verification/uniform
says out "has its columns" '^t,.*v'
exits 0 "as JSON" verify -q --json turbo_car.h5
says out "one object" '^\{"status": "verified", "exit_code": 0, "name": "turbo_car", "error": .*"unstable": false, .*\}$'
# Gauss' rule with three stages leaves 3e-8 of the swing.
exits 60 "solve --verify=TOL" solve -q "$problems/parameter_fit.yaml" --verify=1e-10
says out "passes the tolerance on" '^unverified parameter_fit .* tol=1e-10 '

# What solve calls solved verify accepts: both judge the same points by the same measures. A slip whose direction turns
# fast before it stops with an interval (forces at its start, and how it stops); an unstable push, which is off by 1.1e-4
# at the end and by 2 % in its cost; a slip of 6e-9 s between two forces.
for name in car_drift open_gate tf_finger_box; do
    exits 0 "$name" solve -q "$problems/../tests/study/problems/$name.yaml" -o same.h5 --force
    exits 0 "and the judge agrees" verify same.h5
    says err "in the forces at jumps of controls, too" 'contact forces +[0-9.e-]+ +along'
done

same_error() {          # same_error NAME: solve's line in first, verify's in out
    [ -n "$(grep -o ' error=[^ ]*' first)" ] && [ "$(grep -o ' error=[^ ]*' first)" = "$(grep -o ' error=[^ ]*' out)" ]
    report "$1" $?
}
# Of an unstable motion `error` is that of the whole in both, `interval` what is judged. A pole that is held up.
cat >pole.yaml <<'END'
cocp: 1
name: pole
time: {horizon: 8, intervals: 16}
states: {q: {initial: 0.1, final: 0}, v: {initial: 0, final: 0}}
controls: {u: {bounds: [-20, 20]}}
dynamics: {type: mechanical, coordinates: {q: v}, mass: {diag: [1]}, force: {q: 25*sin(q) + u}}
cost: {running: {effort: u^2}}
END
exits 0 "an unstable motion" solve pole.yaml -o pole.h5
cp out first
says out "is said to be one" ' error=[0-9.e+-]+ interval=[0-9.e-]+ unstable=yes '
says err "in words too" '^verified: the motion is unstable, so each control interval was replayed by itself'
exits 0 "is verified by its intervals" verify -q pole.h5
says out "as solve has said" ' unstable=yes '
same_error "with the same error of the whole"
[ "$(grep -o ' interval=[^ ]*' first)" = "$(grep -o ' interval=[^ ]*' out)" ]
report "and of its intervals" $?
# A command that arms a heater, which runs once it is over: the less of the first interval there is the better, 2e-11 s are
# left of it. The machine has seen it all the same. Then x = t, and the one start is all that costs: 0.1.
cat >arm.yaml <<'END'
cocp: 1
name: arm
time: {horizon: 24, intervals: 4, elements: 1}
states: {x: {initial: 0}, miss: {initial: 0}, starts: {initial: 0}}
controls: {call: {bounds: [0, 1], guess: 1}}
machines:
  heater:
    start: idle
    states: {idle: {}, armed: {}, runs: {on: 1}}
    transitions:
      arm: {from: idle, to: armed, when: call >= 0.7, reset: {starts: starts + 1}}
      run: {from: armed, to: runs, when: call <= 0.3}
dynamics: {type: ode, rhs: {x: on, miss: (x - t)^2 + 100*call, starts: 0}}
cost: {terminal: {miss: miss, starts: 0.1*starts}}
discretization: {control_grid: free}
END
exits 0 "a first interval of next to nothing" solve -q arm.yaml -o arm.h5
says out "is as good as none" '^solved arm objective=0\.1(000000[0-9])? '
cp out first
exits 0 "is verified" verify -q arm.h5
same_error "with the same error"
# Where a formula knows parts of a free horizon the replay is over the horizon that was found: x' = u + wind, the wind's mean
# 1/4, so that 1 m takes 0.8 s.
cat >wind.yaml <<'END'
cocp: 1
name: wind
time: {horizon: {min: 0.5, max: 5, guess: 3}, intervals: 6, elements: 1}
states: {x: {initial: 0, final: 1}}
controls: {u: {bounds: [-1, 1]}}
define: {wind: {through: {0: 0, 0.5: 0.5, 1: 0}}}
dynamics: {type: ode, rhs: {x: u + wind}}
cost: {terminal: {T: t}}
END
exits 0 "parts of a free horizon" solve -q wind.yaml -o wind.h5
says out "are those of the solution" '^solved wind objective=0\.8(0000000)? '
cp out first
exits 0 "for both" verify -q wind.h5
same_error "who see the same error"
# A spec that asks for more than finish.tol is heard by both, and one that asks for less by neither.
exits 60 "a stricter verify.tol" solve -q "$problems/parameter_fit.yaml" --set verify.tol=1e-12 --set finish.tol=1 -o strict.h5
says out "is not met" '^unverified parameter_fit '
exits 60 "as verify says" verify -q strict.h5

# The spec that was solved counts, with its overrides.
sed 's/guess: [-0-9.]*/guess: 0.1/; s/name: ivp/name: changed/' "$problems/ivp.yaml" >changing.yaml
exits 0 "an override" solve -q changing.yaml --set time.horizon=1.5 -o changing.h5
echo "broken: [" >changing.yaml
exits 0 "is kept in the file" verify changing.h5
says out "and so is the rest" '^verified changed '

# --- What is no solution ---
exits 0 "a simulation" simulate -q "$problems/ball_2d.yaml" --method moreau --set simulate.steps=20 -o ball.h5
exits 60 "by large steps is not verified" verify ball.h5
says err "and the reason is given" 'q2 is off by 0\.35 at the end, the tolerance is 0\.001'
exits 0 "a simulation by events" simulate -q "$problems/ball_2d.yaml" --method event -o event.h5
exits 0 "is verified" verify event.h5
exits 0 "so is one with expressions for controls" simulate -q "$problems/tf_ex3.yaml" --method event -o tf_ex3.h5
exits 0 "whose controls are judged as well" verify tf_ex3.h5
# One row of controls for each step would be another motion: u2 rises from t = 1 on.
for number in 3 4; do
    exits 0 "and by time-freezing, Example $number" simulate -q "$problems/tf_ex$number.yaml" --method time-freezing -o frozen.h5
    exits 0 "is verified by the same expressions" verify frozen.h5
done
exits 4 "which are no rows of controls for another simulation" simulate -q "$problems/tf_ex3.yaml" --controls frozen.h5 -o no.h5
says err "and that is told" 'frozen\.h5: holds no controls'
# Two balls fall, the upper one onto the one that has landed 0.4 us before: the floor is hit twice, by sqrt(2 g) and by
# 2 (1/2 + sqrt(2 g)) Ns. Its impulses are those of two elements of /grid, each its own.
cat >pair.yaml <<'END'
cocp: 1
name: pair
time: {horizon: 1}
parameters: {g: 9.81, at: sqrt(2/9.81) + 4e-7}
states: {a: {initial: 1}, b: {initial: 0.5*at + g*at^2/2}, va: {initial: 0}, vb: {initial: -0.5}}
dynamics: {type: mechanical, coordinates: {a: va, b: vb}, mass: {diag: [1, 2]}, force: {a: -g, b: -2*g}}
contacts: {floor: {gap: a}, pair: {gap: b - a}}
simulate: {steps: 10}
END
exits 0 "two impacts at once, all but" simulate -q pair.yaml --method event
exits 0 "are told apart" verify pair.h5
says out "with their impulses" ' events=3/3 '
exits 4 "a file that is not there" verify nowhere.h5
exits 4 "a file that is no result" verify changing.yaml
exits 2 "a negative tolerance" verify turbo_car.h5 --tol -1

# What a file may lack or hold, made with h5py where that is there.
python=/usr/bin/python3
spoilt() {      # spoilt CODE NAME PATTERN STATEMENT: on the file f, a copy of turbo_car.h5
    cp turbo_car.h5 spoilt.h5
    "$python" -c "import h5py; f = h5py.File('spoilt.h5', 'r+'); $4" 2>err
    exits "$1" "$2" verify spoilt.h5
    says err "$2: the message" "$3"
}
if "$python" -c 'import h5py' 2>/dev/null; then
    spoilt 4 "no grid" '/grid/t_interval is missing' 'del f["grid"]'
    spoilt 4 "no state" '/trajectory/v is missing' 'del f["trajectory/v"]'
    spoilt 4 "no spec" '/spec/resolved is missing' 'del f["spec"]'
    spoilt 4 "NaN in a control" 'spoilt\.h5: u is nan in the control interval from t = ' \
        'f["grid/u"][1, 0] = float("nan")'
    cp pair.h5 spoilt.h5
    "$python" -c 'import h5py; h5py.File("spoilt.h5", "r+")["events/impulse_n"][0] = 7' 2>err
    exits 60 "another impulse" verify spoilt.h5
    says err "is none of the grid" 'impulse_n at t = 0\.451524 is off by [0-9.]+: /grid and /events differ'
    cp event.h5 spoilt.h5
    "$python" -c 'import h5py; f = h5py.File("spoilt.h5", "r+"); f["events/t"][1] = 2' 2>err
    exits 60 "an event that is moved" verify spoilt.h5
    says err "is none where elements meet" 'stick at t = 2 is off by .*: no element of /grid begins or ends with it'
    says out "is far from that of its name" ' events=2/2 dt=6\.7e-01 '
    says err "which is said" '2 of 2 by kind and name, 6\.7e-01 s away at most \(dt\): stick of ground at t = 2 s, which is not judged$'
    says err "with why" 'events not judged +stick of ground at t = 2 s: the contact is still before and after it$'
    spoilt 60 "NaN in a state" 'off by inf at the end' 'f["trajectory/v"][-1] = float("nan")'
    cp turbo_car.h5 spoilt.h5
    "$python" -c 'import h5py; h5py.File("spoilt.h5", "r+")["grid/u"][1, 0] = float("nan")'
    exits 3 "NaN in a control that drives a simulation" simulate "$problems/turbo_car.yaml" --controls spoilt.h5 \
        --set time.horizon=13.333333 -o new.h5
    says err "is named" 'spoilt\.h5: u is nan in the control interval from t = '
fi

# --- Controls ---
exits 0 "controls of the solution" simulate -q "$problems/turbo_car.yaml" --method fesd --controls turbo_car.h5 \
    --set time.horizon=13.333333 -o again.h5
exits 3 "of a shorter one" simulate "$problems/turbo_car.yaml" --method fesd --controls turbo_car.h5 \
    --set time.horizon=20 -o again.h5
says err "end too early" 'turbo_car\.h5: controls end at t = 13\.3333, the horizon is 20'
printf 't,u\n0.5,1\n' >late.csv
exits 3 "that begin late" simulate "$problems/turbo_car.yaml" --method fesd --controls late.csv -o again.h5
says err "are refused" 'late\.csv: controls begin at t = 0\.5, the simulation at 0'
printf 't,u\n0,1\n1,nan\n' >nan.csv
exits 3 "with NaN" simulate "$problems/turbo_car.yaml" --method fesd --controls nan.csv -o new.h5
says err "are refused with line and column" 'nan\.csv:3:3: error: expected a number'
[ ! -e new.h5 ]
report "and nothing is written" $?

echo "1..$n"
[ "$failures" -eq 0 ]
