#!/bin/sh
# Outputs never destroy inputs, nor what is better; core/results/save.h, cli/output_file.h.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
work_apart

# A mass pushed for a second: solved at once, whatever is asked.
cat >mass.yaml <<'END'
cocp: 1
name: mass
time: {horizon: 1, intervals: 4, elements: 1}
states: {x: {initial: 0}, v: {initial: 0}}
controls: {u: {bounds: [-9, 9]}}
dynamics: {type: ode, rhs: {x: v, v: u}}
cost: {running: {effort: u^2}, terminal: {goal: 100*(x - 1)^2}}
END
sum_of() { sha256sum <"$1"; }

kept() {        # kept FILE NAME SUM: the file is as it was
    [ "$(sum_of "$1")" = "$3" ]
    report "$2" $?
}

exits 0 "a solution" solve -q mass.yaml
mass=$(sum_of mass.yaml)
exits 4 "onto the spec" solve -q mass.yaml -o mass.yaml
says err "which is said" 'mass\.yaml would be written over: it is the spec'
exits 4 "onto the spec by another way" solve -q mass.yaml -o "$PWD/./mass.yaml"
ln -s mass.yaml link.yaml
exits 4 "onto the spec by a link" simulate -q mass.yaml -o link.yaml
exits 4 "of certify" certify -q mass.yaml -o mass.yaml
exits 4 "of impact" impact -q mass.yaml -o mass.yaml
kept mass.yaml "the spec is still there" "$mass"

solved=$(sum_of mass.h5)
exits 4 "onto the guess" solve -q mass.yaml --guess mass.h5
says err "with what to do" 'it is the result of --guess; give the result another name with -o'
exits 4 "onto the guess of the spec" solve -q mass.yaml --set guess.file=mass.h5
exits 4 "onto the controls" simulate -q mass.yaml --controls mass.h5
exits 4 "onto what is exported" export mass.h5 -o mass.h5
exits 4 "onto the state of --from" impact -q mass.yaml --from mass.h5@0.5
printf 't,u\n0,1\n0.5,2\n1,2\n' >u.csv
table=$(sum_of u.csv)
exits 4 "onto a table of controls" simulate -q mass.yaml --controls u.csv -o u.csv
exits 4 "onto the table of the spec" simulate -q mass.yaml --set simulate.controls=u.csv -o u.csv
kept u.csv "the table is still there" "$table"
kept mass.h5 "and so is the solution" "$solved"

# What is solved stays solved.
cat >torn.yaml <<'END'
cocp: 1
name: torn
time: {horizon: 1, intervals: 2, elements: 1}
states: {x: {initial: 0, final: 5}}
controls: {u: {bounds: [-1, 1]}}
dynamics: {type: ode, rhs: {x: u}}
END
exits 20 "what has no solution" solve torn.yaml -o mass.h5
says err "does not replace one" 'mass\.h5 holds a better result and keeps it; this one, infeasible, is in mass-infeasible\.h5'
says out "the line names the new place" ' out=mass-infeasible\.h5$'
kept mass.h5 "the solution is as it was" "$solved"
exits 0 "the other is beside it" show mass-infeasible.h5
exits 20 "once more" solve -q torn.yaml -o mass.h5
kept mass.h5 "and still" "$solved"
exits 20 "unless asked to" solve -q torn.yaml -o mass.h5 --force
says out "then it does" ' out=mass\.h5$'
exits 0 "a solution replaces all" solve -q mass.yaml
mkdir locked
exits 40 "a solve without time" solve -q "$problems/monoped_tracking.yaml" --max-time 1 -o mass.h5
[ -e mass-limit.h5 ] && "$cocp" summary --csv mass.h5 | grep -q '^mass.h5,solved,'
report "leaves the solution, too" $?

# Where nothing can be written, nothing is solved.
exits 4 "a folder that is not there" solve "$problems/hopper.yaml" -o nowhere/hopper.h5
says err "is found before the work" 'nowhere/hopper\.h5: No such file'
[ "$(wc -l <err)" -eq 1 ]
report "which does not begin" $?
exits 4 "a folder as a file" solve -q mass.yaml -o locked
exits 4 "a name that no file can have" solve -q mass.yaml -o "$(printf '%0300d' 1)"
says err "is too long" 'File name too long'
long=$(printf '%0252d' 1).h5
exits 0 "the longest there is" solve -q mass.yaml -o "$long"
exits 0 "can be read, too" show "$long"
exits 20 "and have something beside it" solve -q torn.yaml -o "$long"
ln -s locked/new.h5 dangling.h5
exits 0 "a link that leads nowhere yet" solve -q mass.yaml -o dangling.h5
[ -L dangling.h5 ] && [ -f locked/new.h5 ]
report "is followed" $?
ln -s circle.h5 circle.h5
exits 4 "a link to itself" solve -q mass.yaml -o circle.h5
chmod 600 locked/new.h5
exits 0 "a file that others may not read" solve -q mass.yaml -o locked/new.h5
[ "$(stat -c %a locked/new.h5)" = 600 ]
report "keeps its permissions" $?

# Leftovers of killed runs go, those of living ones stay.
sleep 60 &
living=$!
: >".cocp.999999999.0.tmp"
: >".cocp.$living.0.tmp"
: >".cocp.notes.tmp"
exits 0 "a run after a killed one" solve -q mass.yaml
[ ! -e .cocp.999999999.0.tmp ] && [ -e ".cocp.$living.0.tmp" ] && [ -e .cocp.notes.tmp ]
report "cleans up after that one alone" $?
kill "$living"

echo "1..$n"
[ "$failures" -eq 0 ]
