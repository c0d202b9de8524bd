#!/bin/sh
# data: fits to what was measured, their standard deviations, and mistakes in CSVs. COCP is the program; TAP on stdout.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
work_apart

# near TRUTH NAME: the estimate in the words of `show` is within three of its standard deviations.
near() {
    awk -v truth="$1" -v name="$2" '$1 == name && $4 == "+-" {found = 1; exit !(($3 - truth)^2 < 9 * $5^2 && $5 > 0)}
                                    END {if (!found) exit 1}' out
    report "$2 is $1 to three deviations" $?
}

# Simulated with these numbers, with known errors (problems/cases.md).
exits 0 "stick and slip" solve -q "$problems/stick_slip_fit.yaml" -o belt.h5
exits 0 "its estimates" show belt.h5
near 1 k
near 1 F
near 3 delta
near 0.6 "x(0)"
says out "of the values that are there" '88 values, 8[34](\.[0-9])? degrees of freedom; residuals are 0\.[89]. of their sigma'
exits 0 "a ball and two cameras" solve -q "$problems/ball_fit.yaml" -o ball.h5
exits 0 "its estimates" show ball.h5
near 0.78 e
near 0 offset
near 0.9 "z(0)"
near 0.3 "v(0)"

# The file of data need not be there: the result has what was in it.
cp "$problems/ball_fit.yaml" "$problems/ball_fit.csv" .
exits 0 "beside the spec" solve -q ball_fit.yaml --guess ball.h5 -o again.h5
rm ball_fit.csv
exits 0 "without the file" verify -q again.h5
exits 0 "the group" show again.h5 --group fit
says out "of estimates" 'e +0\.78'
exits 0 "with the parameters" show again.h5 --group parameters
says out "their deviations" 'e_std'

# Mistakes are where they stand.
csv() { printf '%s\n' "$@" >run.csv; }
cat >fit.yaml <<'END'
cocp: 1
parameters: {a: {value: 1, optimize: [0, 9]}}
time: {horizon: 1, intervals: 2}
states: {x: {initial: 0}}
dynamics: {type: ode, rhs: {x: a}}
data: {file: run.csv, columns: {x: pos}, sigma: {x: s}}
END
csv '# made by hand' 't, pos, s' '' '0.2, 1, 0.1' '0.4, oops, 0.1'
exits 3 "a word" check fit.yaml
says err "where it is" '^(\./)?run\.csv:5:6: error: expected a number'
csv 't, pos, s' '0.2, 1, 0.1' '1.4, 2, 0.1'
exits 3 "beyond the horizon" check fit.yaml
says err "where it is" 'run\.csv:3:1: error: t = 1\.4 s lies outside the horizon, \[0, 1\] s'
csv 't, pos, s' '0.2, 1, 0' '0.4, 2, 0.1'
exits 3 "a deviation of 0" check fit.yaml
says err "where it is" 'run\.csv:2:9: error: the standard deviation of a value must be above 0'
csv 't, pos, s' '0.2, 1' '0.4, 2, 0.1'
exits 3 "a short row" check fit.yaml
says err "where it is" 'run\.csv:2:1: error: has fewer cells'
csv 't, position, s' '0.2, 1, 0.1'
exits 3 "another name" check fit.yaml
says err "names the columns" 'fit\.yaml:6:36: error: data\.columns\.x: there is no column "pos".*position'
rm run.csv
exits 3 "no file" check fit.yaml
says err "which one" 'fit\.yaml:6:14: error: data\.file: cannot read .*run\.csv: No such file'
csv 't, pos, s' '0.25, 1, 0.1' '0.75, 3, 0.1'
exits 0 "two points" solve -q fit.yaml
exits 0 "the line through 0" show fit.h5
near 4 a
# Two lines with the same slope: the normal equations give 1.940874 +- 0.066385, 1.076735 +- 0.076642, 0.060925 +- 0.119554.
cat >lines.yaml <<'END'
cocp: 1
parameters: {a: {value: 0.5, optimize: [-9, 9]}}
time: {horizon: 2, intervals: 3}
states: {x: {initial: free}}
dynamics: {type: ode, rhs: {x: a}}
data:
  one: {table: {t: [0, 0.5, 1, 2], y: [1.1, 1.9, 3.2, 4.9]}, columns: {x: y}, sigma: {x: 0.1}}
  two: {table: {t: [0.1, 0.4, 0.9], y: [0.3, 0.7, 1.9]}, columns: {x: y}, sigma: {x: 0.2}, set: {time.horizon: 1}}
END
exits 0 "two experiments" solve lines.yaml
says err "by name" 'two\.x\(0\) = 0\.06 \+- 0\.12'
exits 0 "the second one" verify -q lines_two.h5
exits 0 "a slope for both" show lines_two.h5 --group parameters
says out "as the normal equations have it" '1\.94087'
says out "and its deviation" '0\.06638'
exits 0 "read" check lines.yaml
sed 's/0\.9\]/1.9]/' lines.yaml >late.yaml
exits 3 "later than its end" check late.yaml
says err "where it is" 'late\.yaml:8:3[0-9]: error: t = 1\.9 s lies outside the horizon, \[0, 1\] s'
sed 's/set: {/sets: {/' lines.yaml >wrong.yaml
exits 3 "a misspelt key" check wrong.yaml
says err "the nearest one" 'wrong\.yaml:8:[0-9]+: error: data\.two: unknown key "sets" \(did you mean "set"\?\)'
exits 2 "a raw solution" solve lines.yaml --set finish=off
says err "is refused" 'several experiments need finish: on'

# Controls are each one's own: a + u_k is to be 3 and 1, and u_k small; by symmetry a = 2, its variance 1/2, and u_k is
# 1/2 and -1/2, at a cost of 1/4 + 1/4 each.
cat >pushed.yaml <<'END'
cocp: 1
parameters: {a: {value: 0, optimize: [-9, 9]}}
time: {horizon: 1, intervals: 1}
states: {x: {initial: 0}}
controls: {u: }
dynamics: {type: ode, rhs: {x: a + u}}
cost: {running: {effort: u^2}}
data:
  up: {table: {t: [1], y: [3]}, columns: {x: y}, sigma: {x: 1}}
  down: {table: {t: [1], y: [1]}, columns: {x: y}, sigma: {x: 1}}
END
exits 0 "controls" solve pushed.yaml
says err "one parameter for both" 'together: a = 2\.00 \+- 0\.71$'
says out "its own control for the first" 'objective=0\.5 .*out=pushed_up\.h5'
says out "and for the second" 'objective=0\.5 .*out=pushed_down\.h5'

# Two balls; without simulations of all parameters the second takes seconds by itself, and is stopped meanwhile.
cat >drops.yaml <<'END'
cocp: 1
parameters: {e: {value: 0.5, optimize: [0.1, 1]}}
time: {horizon: 1.1, intervals: 4}
states: {z: {initial: [0.1, 2], guess: 0.7}, v: {initial: 0}}
dynamics: {type: mechanical, coordinates: {z: v}, mass: {diag: [1]}, force: {z: -9.81}}
contacts: {floor: {gap: z, restitution: e}}
data:
  low: {table: {t: [0.11, 0.267, 0.424, 0.739, 0.974], y: [0.4279, 0.1475, 0.2075, 0.2042, 0.1855]}, columns: {z: y}, sigma: {z: 0.005}}
  high:
    table: {t: [0.13, 0.409, 0.594, 0.78, 1.059, 1.244], y: [1.1152, 0.3843, 0.3375, 0.711, 0.6311, 0.1531]}
    columns: {z: y}
    sigma: {z: 0.005}
    set: {time.horizon: 1.3, time.intervals: 60}
END
exits 40 "no time for the first" solve drops.yaml --max-time 0.02
says out "is its status" '^limit drops .* out=drops_low\.h5$'
[ ! -e drops_high.h5 ]
report "the second one was not begun" $?
: >err                                  # the shell in the background may come to it late
"$cocp" solve drops.yaml --set 'finish.without=[fit-simulations]' >out 2>err &
pid=$!
tries=0
until grep -q 'experiment high' err || [ "$tries" -ge 600 ]; do
    sleep 0.05
    tries=$((tries + 1))
done
kill -INT "$pid"
wait "$pid"
[ $? -eq 130 ]
report "Ctrl-C in the second" $?
says out "is told of both" '^interrupted drops .* out=drops_low\.h5$'
says out "of that one, too" '^interrupted drops .* out=drops_high\.h5$'
says err "the first is true, but not of both" 'not solved: its parameters are its own, as there was no time for those of all'
says err "deviations are not made up" 'the solve was stopped before their deviations were known'
status_is interrupted drops_low.h5 "and its result is there"
exits 0 "with its own estimate" show drops_low.h5 --group parameters
says out "of restitution" 'e +0\.[78]'

exits 3 "with a raw solution" check fit.yaml --set finish=off
says err "the times are told" 'with finish: off nothing is known inside control intervals'
sed '/^time:/d; s/^data:/phases: {a: {length: 0.5, intervals: 1}, b: {length: 0.5, intervals: 1}}\ndata:/' fit.yaml >phased.yaml
exits 3 "with phases" check phased.yaml
says err "is refused" 'phased\.yaml:6:7: error: data: the times of data are those of one horizon'
exits 3 "tracked" track fit.yaml
says err "is refused" 'fit\.yaml:6:33: error: data: are of the whole horizon'

echo "1..$n"
[ "$failures" -eq 0 ]
