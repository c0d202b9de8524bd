#!/bin/sh
# solve from end to end on small problems: exit codes, summary line, result files, restarts, limits, signals.
# COCP is the program; TAP on stdout.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
work_apart

iterations() {  # iterations FILE.h5
    "$cocp" summary --csv "$1" 2>err | awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) column[$k] = k }
                                                NR == 2 { print $column["iterations"] }'
}

# starts ARGUMENTS...: in the background as $pid, and waits until the first NLP iterates; what the one before said is
# gone by then, however late the shell in the background comes to open the file.
starts() {
    : >err
    "$cocp" -v "$@" >out 2>err &
    pid=$!
    tries=0
    until grep -q 'dual infeasibility' err || [ "$tries" -ge 200 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
}

# --- Solved ---
exits 0 "ivp" solve "$problems/ivp.yaml"
says out "one line says how it went" \
    '^solved ivp objective=1\.5237[0-9]* comp=[0-9.e+-]+ viol=[0-9.e+-]+ error=[0-9.e+-]+ steps=[0-9]+ iter=[0-9]+ time=[0-9.]+ out=ivp\.h5$'
[ "$(wc -l <out)" -eq 1 ]
report "and no other" $?
says err "stderr tells what is tried and what comes of it, a line each" \
    '^discovery 1 of at most [0-9]+, by fixed steps: a solution with 1 event, objective 1\.5237'
! grep -q '^step' err
report "without the programs in between" $?
says err "then what was found" '^found: +x: is negative 0\.475. s, is positive 1\.524 s'
says err "and how it was verified" '^verified: a replay from event to event differs by'
cat >third.yaml <<'END'
cocp: 1
name: third
time: {horizon: 1, intervals: 4}
states: {x: {initial: 0, final: 1}}
controls: {u: {bounds: [0, 3]}}
dynamics: {type: ode, rhs: {x: "u - max(0, x - 1/3)"}}
cost: {running: {effort: u^2}}
END
exits 0 "a switch with a parameter of sixteen digits" solve third.yaml
says err "is told with six" '^found: +0\.333333 - x: is positive 0\.[0-9]+ s, is negative 0\.[0-9]+ s$'
exits 0 "its events" export third.h5 --csv --group events
says out "have all of them" 'crossing,0\.3333333333333333[0-9]* - x,'
exits 0 "as has a guess" solve third.yaml --guess third.h5 -o again.h5
exits 0 "ivp, telling more" solve "$problems/ivp.yaml" -v --force
says err "the table of the homotopy is on stderr" '^step +sigma +comp +viol +objective +iter +time +outcome'
[ -f ivp.h5 ]
report "the result is named after the spec, in the current folder" $?
for guess in -2 0; do
    exits 0 "ivp from $guess" solve "$problems/ivp.yaml" --set states.x.guess=$guess -o other.h5
    says out "the same minimum" 'objective=1\.5237'
done
exits 0 "quiet" solve -q "$problems/ivp.yaml" -o quiet.h5
[ ! -s err ]
report "has nothing on stderr" $?
exits 0 "as JSON" solve -q --json "$problems/ivp.yaml" -o 'a "b".h5'
says out "one object" '^\{"status": "solved", "exit_code": 0, "name": "ivp", "objective": 1\.5237[0-9]*, .*"out": "a \\"b\\".h5"\}$'
exits 0 "into a folder" solve -q "$problems/ivp.yaml" -o ./here.h5
exits 4 "into a folder that is not there" solve -q "$problems/ivp.yaml" -o nowhere/here.h5

exits 0 "turbo_car" solve "$problems/turbo_car.yaml" -o turbo.h5
says out "takes 40/3 s" 'objective=13\.33333'
exits 0 "again from its solution" solve "$problems/turbo_car.yaml" --guess turbo.h5 -o again.h5
says out "takes 40/3 s too" 'objective=13\.33333'
[ "$(iterations again.h5)" -lt "$(iterations turbo.h5)" ]
report "in fewer iterations: $(iterations again.h5) for $(iterations turbo.h5)" $?
exits 0 "from a solution of another problem" solve "$problems/turbo_car.yaml" --guess ivp.h5 -o again.h5
exits 4 "from a file that is not there" solve "$problems/turbo_car.yaml" --guess nowhere.h5 -o again.h5

# Rounding of the angles, 0.3 mrad in each of 21, leaves an error of about 1e-4 in both.
exits 0 "parameter_fit" solve -q "$problems/parameter_fit.yaml" -o fit.h5
exits 0 "its parameters" show fit.h5 --group parameters
says out "the length is found" '\b0\.(6999|7000|7001)'
says out "so is the damping" '\b0\.(2998|2999|3000|3001|3002)'

exits 0 "--skip-existing with a solution there" solve "$problems/turbo_car.yaml" -o turbo.h5 --skip-existing
[ ! -s out ]
report "does nothing" $?
says err "and says so" 'turbo\.h5 is solved'

# --- The result file ---
if command -v h5dump >/dev/null; then
    h5dump -n turbo.h5 >out 2>err
    for group in parameters trajectory uniform grid events residuals spec solver; do
        says out "has /$group" "^ group +/$group\$"
    done
    for name in trajectory/t trajectory/t_num trajectory/side trajectory/is_physical trajectory/q trajectory/u \
                uniform/t uniform/v grid/h grid/x_stage grid/u events/kind events/x_plus \
                residuals/name spec/yaml spec/resolved; do
        says out "has /$name" "^ dataset +/$name\$"
    done
    exits 0 "by its method alone" solve -q "$problems/turbo_car.yaml" --set finish=off -o raw.h5
    h5dump -n raw.h5 >out 2>err
    for name in homotopy/sigma homotopy/status; do
        says out "has /$name" "^ dataset +/$name\$"
    done
fi
if command -v ncdump >/dev/null; then
    ncdump -h turbo.h5 >out 2>err
    report "is netCDF" $?
    says out "with the status" ':status = "solved"'
    says out "and the sizes of the problem" ':n_comp = '
fi
exits 0 "the spec in the result" show turbo.h5 --group spec
says out "is the one that was solved" '^name: turbo_car$'

# --- Not solved ---
cat >torn.yaml <<'END'
cocp: 1
name: torn
time: {horizon: 1, intervals: 5, elements: 2}
states:
  x: {initial: 0}
  v: {initial: 0}
controls:
  u: {bounds: [-20, 20]}
dynamics:
  type: ode
  rhs: {x: v, v: u}
constraints:
  near: {expr: x <= 0.3, at: path}
  far:  {expr: x >= 1, at: final}
END
exits 20 "contradicting constraints" solve torn.yaml
says out "are called infeasible" '^infeasible torn '
says err "the constraint is named, with its line" '^torn\.yaml:13:9: error: constraints\.near: .* at most 0\.3, .* is 1 \(off by 0\.7\)'
says err "so is the one against it" '^torn\.yaml:14:9: error: constraints\.far: .* at least 1, .* is 0\.3 \(off by 0\.7\)'
says err "the likeliest cause comes first" '^  likeliest: '
status_is infeasible torn.h5 "the last word is in the file too"
exits 20 "--skip-existing with no solution there" solve -q torn.yaml --skip-existing
cat >inside.yaml <<'END'
cocp: 1
name: inside
time: {horizon: 1, intervals: 2}
states: {z: {initial: -0.1}, v: {initial: 0}}
dynamics: {type: mechanical, coordinates: {z: v}, mass: {diag: [1]}, force: {z: -9.81}}
contacts:
  ground: {gap: z}
discretization: {method: time-freezing}
END
exits 3 "a start inside the ground" solve inside.yaml
says err "is refused before anything is solved" '^inside\.yaml:7:[0-9]+: error: contacts\.ground\.gap: .*-0\.1'
exits 3 "a start outside its bounds" solve torn.yaml --set 'states.v.bounds=[1, 2]'
exits 3 "a wrong setting" solve torn.yaml --set homotopy.relaxation=scholtess
says err "with a suggestion" 'did you mean "scholtes"'

# One that takes a minute, so that nobody's machine is done before it is stopped.
long=$problems/monoped_holes.yaml
exits 40 "a time limit" solve "$long" --max-time 1 -o late.h5
says out "is called so" '^limit monoped_holes '
says err "and how to go on" '^  out of time: raise --max-time, or go on from what is saved with --guess late\.h5$'
[ "$(grep -vc '^discovery' err)" -le 3 ]
report "in few words" $?
status_is limit late.h5 "and leaves a result"

exits 40 "a limit of the CPU time" solve "$long" --max-cpu 0.5 -o late.h5
says err "and how to go on" '^  out of time: raise --max-cpu, or go on from what is saved with --guess late\.h5$'

starts solve "$long" -o stopped.h5
kill -INT "$pid"
wait "$pid"
[ $? -eq 130 ]
report "Ctrl-C" $?
says out "is called so" '^interrupted monoped_holes .* out=stopped\.h5$'
status_is interrupted stopped.h5 "and leaves a result"
exits 0 "which can be shown" show stopped.h5
exits 40 "and be gone on from" solve "$long" --guess stopped.h5 --max-time 1 -o late.h5

starts solve "$long" -o stopped.h5
kill -TERM "$pid"
wait "$pid"
[ $? -eq 143 ]
report "SIGTERM" $?

starts solve "$long" -o twice.h5        # as `timeout` does: to the process, and to its group
kill -TERM "$pid"
sleep 0.003
kill -TERM "$pid" 2>/dev/null
wait "$pid"
[ $? -eq 143 ]
report "two at once" $?
says out "are one" '^interrupted monoped_holes .* out=twice\.h5$'
status_is interrupted twice.h5 "and leave a result"

cp ivp.h5 old.h5
starts solve "$long" -o old.h5
kill -KILL "$pid"
wait "$pid" 2>/dev/null
cmp -s ivp.h5 old.h5
report "kill -9 leaves the old file as it was" $?
whole=0
for delay in 0.05 0.1 0.15 0.2 0.25 0.3 0.35 0.4; do
    "$cocp" solve -q "$problems/ivp.yaml" -o old.h5 >out 2>err &
    pid=$!
    sleep "$delay"
    kill -KILL "$pid" 2>/dev/null
    wait "$pid" 2>/dev/null
    "$cocp" summary --csv old.h5 2>>err | grep -q '^old.h5,solved,' && whole=$((whole + 1))
done
[ "$whole" -eq 8 ]
report "whenever it comes" $?

echo "1..$n"
[ "$failures" -eq 0 ]
