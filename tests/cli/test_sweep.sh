#!/bin/sh
# cocp sweep: points, records, tables, failures tried again, sweeps that were killed. TAP on stdout.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
work_apart
car=$problems/turbo_car.yaml

# Solves in milliseconds: the shortest way of a mass over a distance; with u <= 0.5 it cannot arrive.
cat >mass.yaml <<'END'
cocp: 1
name: mass
parameters: {d: 1, most: 5}
time: {horizon: 1, intervals: 8, elements: 1}
states:
  x: {initial: 0, final: d}
  v: {initial: 0, final: 0, bounds: [-10, 10]}
controls:
  u: {bounds: [-20, most], guess: 0}
dynamics: {type: ode, rhs: {x: v, v: u}}
cost: {running: {effort: u^2}}
discretization: {method: fesd}
END

# count PATTERN FILE
count() {
    grep -cE -- "$1" "$2"
}

exits 0 "a grid" sweep mass.yaml -o grid --sweep parameters.d=0.1:0.5:3 --sweep parameters.most=20,30
says out "is solved" '^solved mass.yaml points=6 solved=6 failed=0 running=0 missing=0 time=[0-9.]+ out=grid$'
[ "$(count ',solved,0,' grid/table.csv)" -eq 6 ] && [ -f grid/000/000005.h5 ] && [ -f grid/000/000005.solve.log ]
report "each point has a row, a result and a log" $?
# The least effort of moving by d in a second at rest is 12 d^2; piecewise constant controls come within 1.6 %.
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "objective") o = i; next }
         { off = $o/(12*$2*$2) - 1; if (off < -1e-9 || off > 0.02) bad = 1 } END { exit bad || !o }' grid/table.csv
report "the objectives are 12 d^2" $?
head -1 grid/table.csv >out
says out "the table begins with the values" '^point,parameters.d,parameters.most,status,exit_code,signal,seconds,attempts'
touch -d '2001-01-01' grid/000/*
exits 0 "the same once more" sweep mass.yaml -o grid --sweep parameters.d=0.1:0.5:3 --sweep parameters.most=20,30
find grid/000 -type f -newermt '2002-01-01' >out
[ ! -s out ]
report "solves nothing twice" $?
exits 2 "other points in the same folder" sweep mass.yaml -o grid --sweep parameters.d=0.1:0.6:3
says err "are another sweep" 'grid holds another sweep'
exits 2 "and so is another override" sweep mass.yaml -o grid --sweep parameters.d=0.1:0.5:3 \
    --sweep parameters.most=20,30 --set time.intervals=9
exits 0 "the results" sweep mass.yaml -o grid --run verify --sweep parameters.d=0.1:0.5:3 \
    --sweep parameters.most=20,30 -- --tol 1e-6
[ "$(count ',verified,0,' grid/table.csv)" -eq 6 ]
report "are verified" $?
exits 0 "the table of a folder" summary grid --csv
says out "is that of its records" '^0,0.1,20,verified,0,'

exits 0 "points that are verified as they are solved" sweep mass.yaml -o checked --sweep parameters.d=0.1,0.2 -- --verify
head -1 checked/table.csv >out
says out "have one row each, with both lines in it" ',objective,comp,.*,worst,.*,dobj,tol$'
[ "$(count '^[01],0\.[12],solved,0,' checked/table.csv)" -eq 2 ]
report "and are solved" $?
exits 60 "a point that is solved and not verified" solve mass.yaml --verify --set verify.tol=1e-30
exits 50 "is a failure" sweep mass.yaml -o strict --sweep parameters.d=0.1,0.2 --retries 0 -- --verify --set verify.tol=1e-30
[ "$(count '^[01],0\.[12],unverified,60,' strict/table.csv)" -eq 2 ]
report "by that name" $?

# Two experiments, of k a = 1 and 3: k a is their mean, and the sum of squares 1 + 1 whatever k is.
cat >pair.yaml <<'END'
cocp: 1
parameters: {k: 1, a: {value: 0, optimize: [-9, 9]}}
time: {horizon: 1, intervals: 1}
states: {x: {initial: 0}}
dynamics: {type: ode, rhs: {x: k*a}}
data:
  one: {table: {t: [1], y: [1]}, columns: {x: y}, sigma: {x: 1}}
  two: {table: {t: [1], y: [3]}, columns: {x: y}, sigma: {x: 1}}
END
exits 0 "several experiments" sweep pair.yaml -o pair --sweep parameters.k=1,2
[ -f pair/000/000001_one.h5 ] && [ -f pair/000/000001_two.h5 ]
report "each point has a result of each" $?
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
         { n++; if (($at["objective"] - 2)^2 + ($at["one.objective"] - 1)^2 + ($at["two.objective"] - 1)^2 > 1e-12) bad = 1 }
         END { exit bad || n != 2 }' pair/table.csv
report "and a row, with their objectives and the sum" $?
touch -d '2001-01-01' pair/000/*
exits 0 "the same once more" sweep pair.yaml -o pair --sweep parameters.k=1,2
find pair/000 -type f -newermt '2002-01-01' >out
[ ! -s out ]
report "solves nothing twice" $?
exits 2 "their results" sweep pair.yaml -o pair --sweep parameters.k=1,2 --run verify
says err "are verified as they are solved" 'sweep \.\.\. -- --verify'

exits 50 "a point that cannot be solved" sweep mass.yaml -o bad --sweep parameters.d=0.3,4 --set solver.ipopt.max_iter=200
says out "is a failure" 'points=2 solved=1 failed=1'
[ "$(count '"attempts": 2' bad/000/000001.solve.json)" -eq 1 ] && [ ! -f bad/000/000001.try.h5 ]
report "which was tried again from its neighbour" $?
exits 0 "how far it is" sweep mass.yaml -o bad --sweep parameters.d=0.3,4 --set solver.ipopt.max_iter=200 --status
says err "names the log of what failed" '^failed: point 1, bad/000/000001.solve.log$'

printf 'parameters.d, parameters.most\r\n0.1,20\n"0.2", 30\n' >points.csv
exits 0 "points of a table" sweep mass.yaml -o table --from points.csv
says table/table.csv "have its values" '^1,0.2,30,solved,'
printf 'parameters.d,parameters.most\n0.1\n' >torn.csv
exits 3 "a line that is too short" sweep mass.yaml -o torn --from torn.csv
says err "is named" 'torn.csv:2:4: error: the number of fields'

exits 0 "draws" sweep mass.yaml -o draw --random 3 --perturb parameters.d=0.5 --seed 7
cut -d, -f1,2 draw/table.csv >first
awk -F, 'NR > 1 && !($2 >= 0.5 && $2 <= 1.5) { bad = 1 } END { exit bad || NR != 4 }' first
report "are around the value of the spec" $?
exits 0 "the same seed" sweep mass.yaml -o again --random 3 --perturb parameters.d=0.5 --seed 7
cut -d, -f1,2 again/table.csv >second
cmp -s first second
report "draws the same" $?
exits 2 "no number to perturb" sweep mass.yaml -o none --random 3 --perturb states.x.final=0.5
says err "is said" 'the spec has no number at "states.x.final"'

exits 0 "a list of commands" sweep mass.yaml -o list --sweep parameters.d=0.1:0.2:3 --list
[ "$(count '--chunk [012]/3$' out)" -eq 3 ] && [ ! -e list ]
report "has one for each point and runs none" $?
sh out >/dev/null 2>&1
exits 0 "run by a shell" sweep mass.yaml -o list --sweep parameters.d=0.1:0.2:3 --status
says out "all points are there" 'points=3 solved=3'

# Killed in the middle, three times: what was done stays, what was in flight is done again, once.
for wait in 0.4 0.7 1; do
    timeout -s KILL "$wait" "$cocp" sweep "$car" -o killed -q --sweep states.q.final=150:250:12 --set finish=off \
        >/dev/null 2>&1
    sleep 1
done
find killed -name '*.solve.json' -exec cp {} . \;
before=$(cat ./*.solve.json 2>/dev/null | sort | cksum)
names=$(ls ./*.solve.json 2>/dev/null)
first=$(find killed -name '*.solve.json' | head -n 1)      # as if killed between a record and the end of its claim
[ -z "$first" ] || { echo "$(hostname) 999999999 1" >"${first%json}claim"; : >"${first%json}line"; }
exits 0 "a sweep that was killed three times" sweep "$car" -o killed --sweep states.q.final=150:250:12 --set finish=off
says out "comes to its end" 'points=12 solved=12 failed=0 running=0 missing=0'
# shellcheck disable=SC2086    # a list of names
after=$(cd killed/000 && cat $names 2>/dev/null | sort | cksum)
[ -z "$names" ] || [ "$before" = "$after" ]
report "and what was done is what it was" $?
find killed -name '*.claim' -o -name '*.line' -o -name '.*.tmp' >out
[ ! -s out ]
report "nothing is left lying about" $?

exits 40 "a sweep without time" sweep "$car" -o late --sweep states.q.final=150:250:40 --max-time 0.3 --set finish=off
says out "says what is missing" '^limit .* missing=[1-9]'
exits 40 "a sweep without CPU time: that of its points counts" sweep "$car" -o late_cpu --sweep states.q.final=150:250:40 \
    --max-cpu 0.3 --set finish=off
says out "says what is missing" '^limit .* missing=[1-9]'
exits 50 "points without" sweep "$car" -o point_cpu --sweep states.q.final=150:250:2 --point-cpu 0.001 --retries 0
grep -q '"exit_code": 40' point_cpu/000/*.solve.json
report "are at their limit, each" $?
"$cocp" sweep "$car" -o stopped -q --sweep states.q.final=150:250:200 --set finish=off >out 2>err &
sleep 0.5
kill -INT $!
wait $!
[ $? -eq 130 ]
report "an interrupt ends it with 130" $?
exits 50 "a point over its time" sweep "$problems/hopper.yaml" -o slow --sweep parameters.mu=0.45 --point-time 0.2 \
    --retries 0 --set finish=off -q
says slow/table.csv "is on record as such" '^0,0.45,limit,40,'
exits 2 "an unknown command" sweep mass.yaml --run slove --sweep parameters.d=1,2
exits 2 "no points" sweep mass.yaml -o none
exits 2 "a wrong part" sweep mass.yaml -o none --sweep parameters.d=1,2 --chunk 2/2
if /usr/bin/python3 -c 'import matplotlib' 2>/dev/null; then
    "$(dirname "$problems")/scripts/plot_sweep" grid >out 2>err
    report "plot_sweep draws a map" $?
    says out "and names the best" '^best objective 0.1[0-9.]+: point [01], parameters.d = 0.1, parameters.most = [23]0$'
    if /usr/bin/python3 -c 'import h5py, PIL' 2>/dev/null; then
        plot=$(dirname "$problems")/scripts/plot_sweep
        "$plot" grid --film -x parameters.d >out 2>err \
            && /usr/bin/python3 -c 'from PIL import Image; assert Image.open("grid/sweep.gif").n_frames == 3' 2>err
        report "a film has a frame for each value of its path" $?
        exits 0 "with a mechanism" sweep "$car" -q -o drawn --sweep states.q.final=150:250:2 --set finish=off
        "$plot" drawn --film --poses 3 >out 2>err \
            && /usr/bin/python3 -c 'from PIL import Image; assert Image.open("drawn/sweep.gif").n_frames == 2' 2>err
        report "it shows that" $?
        "$plot" bad --film -y seconds >out 2>err && "$plot" grid/table.csv --film >out 2>err
        [ $? -eq 1 ]
        report "a table alone cannot be filmed" $?
        says err "it says what can" 'wants the folder of a sweep'
    fi
fi
exit "$failures"
