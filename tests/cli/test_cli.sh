#!/bin/sh
# The command line: options, exit codes, help, the template. COCP is the program; TAP on stdout.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
cocp=$(realpath "${COCP:-build/cocp}")
problems=$(cd "$(dirname "$0")/../../problems" && pwd)
page=$(cd "$(dirname "$0")/../../cli/manual" && pwd)/cocp.1
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1

# says FILE NAME PATTERN: the last output has a line like that.
says() {
    grep -qE -- "$3" "$1"
    report "$2" $?
}

silent() {      # silent FILE NAME
    [ ! -s "$1" ]
    report "$2" $?
}

exits 0 "help" --help
says out "help goes to stdout" '^Usage: cocp COMMAND'
silent err "and only there"
commands=$(awk '/^Commands:/ {on = 1; next} /^$/ {on = 0} on {print $1}' out)
for command in $commands; do
    exits 0 "help of $command" "$command" --help
    says out "names $command" "^Usage: cocp $command "
done
for option in $(for command in $commands; do "$cocp" "$command" --help; done |
                grep -oE '^ *(-[a-z], )?--[a-z-]+' | grep -oE -e '--[a-z-]+' | sed 's/--//' | sort -u); do
    grep -qE -- "^\.It .*Fl -$option( |$)|, -$option( |$)" "$page"
    report "the manual page names --$option" $?
done
exits 0 "version" --version
says out "names the program and IPOPT" '^cocp [0-9.]+ \(IPOPT'
says out "and its libraries" '^MUMPS [0-9.]+, LAPACK [0-9.]+, HDF5 [0-9.]+, libyaml [0-9.]+$'

exits 2 "no command" 
says err "asks for one" 'a command is missing'
exits 2 "unknown command" slove x.yaml
says err "suggests the command" 'did you mean "solve"'
exits 2 "unknown option" solve --resovled x.yaml
says err "suggests the option" 'did you mean "--resolved"'
exits 2 "an option of another command" solve --resolved x.yaml
says err "says who does not take it" 'solve does not take --resolved'
exits 2 "a value that is missing" solve x.yaml -o
exits 2 "a value too many" solve x.yaml --quiet=yes
exits 2 "--set without =" check x.yaml --set mu
exits 2 "--max-time that is no number" solve x.yaml --max-time soon
exits 2 "no spec" solve
exits 2 "two specs" solve a.yaml b.yaml
says err "names the second" '"b.yaml" is one too many'

exits 4 "a spec that is not there" check nowhere.yaml
says err "says so" 'nowhere.yaml'
exits 4 "a result that is not there" show nowhere.h5
printf 'cocp: 1\nname: bad\ntypo: 1\n' >bad.yaml
exits 3 "a bad spec" check bad.yaml
says err "with its position" '^bad.yaml:3:1: error: '

exits 0 "the template on stdout" init
cp out template.yaml
exits 0 "the template as a file" init mine
[ -f mine.yaml ]
report "is written" $?
exits 0 "and passes check" check mine.yaml
exits 0 "so does the one of stdout" check template.yaml
exits 4 "an existing file is left alone" init mine
exits 2 "a name that is none" init 'a b'

exits 0 "options before the command and the spec" --set parameters.mu=0.5 -q check mine.yaml
silent out "quiet is quiet"
silent err "on stderr too"
exits 0 "the resolved spec" check --resolved mine.yaml
cp out resolved.yaml
says out "has the defaults" 'comp_tol: '
exits 0 "and can be read again" check resolved.yaml
exits 0 "an override" check mine.yaml --set parameters.mu=0.7 --resolved
says out "is in the resolved spec" '0\.7'
exits 3 "an override of nothing" check mine.yaml --set parametres.mu=0.7
says err "suggests the block" 'did you mean "parameters"'

cat >unused.yaml <<'END'
cocp: 1
name: unused
parameters: {mass: 2, masse: 3}
time: {horizon: 1, intervals: 2}
states:
  x: {initial: 0}
controls:
  u: {bounds: [-1, 1]}
dynamics: {type: ode, rhs: {x: u/mass}}
END
exits 0 "a parameter that nothing names" check unused.yaml
says err "is warned of, with the nearest one" '^unused\.yaml:3:23: warning: parameters\.masse: is not used.*did you mean "mass"'
says out "controls are counted" 'states 1, controls 1,'
exits 3 "an override of it" check unused.yaml --set parameters.masse=4
says err "changes nothing" '^--set parameters\.masse:1:1: error: .*changes nothing.*did you mean "mass"'
exits 3 "an override of a key of it" check unused.yaml --set parameters.masse.value=4
exits 3 "of a parameter that is not there" solve -q unused.yaml --set parameters.mas=4
says err "neither" '^--set parameters\.mas:1:1: error: .*has no parameter of this name.*did you mean "mass"'
exits 0 "one that a formula waits for" check unused.yaml --set dynamics.rhs.x=u/masse/mass/m --set parameters.m=4
exits 0 "a spec for a simulation" check "$problems/tumbling_box.yaml"
says out "says what solve wants beside" '  solve        refuses this spec: .*tumbling_box\.yaml:19:7: "intervals" is missing'
exits 0 "phases" check "$problems/rocket_stages.yaml"
says out "are no controls" 'states 3, controls 1,'

cat >log.yaml <<'END'
cocp: 1
name: log
time: {horizon: 1, intervals: 2}
states:
  x: {initial: 0.5}
dynamics:
  type: ode
  rhs:
    x: log(x - 1)
END
exits 3 "a guess outside the domain of a function" check log.yaml
says err "is traced to the expression, its inputs and the line" '^log.yaml:9:8: .*log\(x - 1\) .* x - 1 = -0\.5 \(x = 0\.5\)'
exits 0 "another guess" check log.yaml --set states.x.initial=2
says out "compares the derivatives" 'derivatives  off central differences by'
exits 0 "contacts without a method" check "$problems/tf_ex5.yaml" --set discretization=null
says out "are taken by fesd-j" 'program +fesd-j, variables '
exits 0 "which is said" check "$problems/tf_ex5.yaml" --set discretization=null --resolved
says out "with the reason" '^# discretization\.method: auto became fesd-j \(contacts: '
says out "and stands there" '^  method: fesd-j '
exits 0 "contacts and switches" check "$problems/tf_ex5.yaml" --set discretization.method=auto \
    --set 'dynamics.force.x=u1 - sign(vx)' --resolved
says out "by time-freezing" '^# discretization\.method: auto became time-freezing '
exits 0 "switches alone" check "$problems/turbo_car.yaml" --set discretization.method=null --resolved
says out "by fesd" '^# discretization\.method: auto became fesd '
exits 0 "a method that is named" check "$problems/tf_ex5.yaml" --resolved
says out "stays" '^  method: time-freezing '
# A control that jumps switches: the method has no program, but a solve goes on without it.
cat >pulling.yaml <<'END'
cocp: 1
name: pulling
time: {horizon: 2, intervals: 4}
states: {E: {initial: 1}}
controls: {P: {bounds: [0, 2], guess: 0.5}}
dynamics: {type: ode, rhs: {E: "max(0, P - 1) + 0.5*min(0, P - 1)"}}
cost: {running: {a: "(P - 1.5)^2"}}
END
exits 0 "a switch of a control is no error" check pulling.yaml
says err "but warned of" '^pulling\.yaml:6:[0-9]+: warning: dynamics: the switching function 1 - P depends on a control, which jumps; .*; a solve looks for'
says out "fixed steps stand for the method" 'program +time-stepping, '
exits 0 "as solve solves it" solve -q pulling.yaml
exits 3 "where it needs the method" check pulling.yaml --set finish=off
says err "it is one" '^pulling\.yaml:6:[0-9]+: error: dynamics: the switching function 1 - P depends on a control'
exits 3 "as of solve" solve -q pulling.yaml --set finish=off --force
# Functions that bend are no mistakes: a curve through 41 points, a root near its end, a norm of order ten.
cat >bent.yaml <<'END'
cocp: 1
name: bent
time: {horizon: {min: 0.5, max: 2, guess: 1}, intervals: 10, elements: 2}
states: {x: {initial: 0.01, bounds: [0, 2]}, y: {initial: 0.01}}
controls: {u: {bounds: [0, 1]}}
define:
  ref: {through: {POINTS}, by: spline}
dynamics: {type: ode, rhs: {x: "u - 0.1*sqrt(x + 3e-4)", y: "x + ref"}}
constraints: {ball: {expr: "(x^10 + y^10 + 1e-30)^(1/10) <= 2", at: path}}
cost: {running: {a: "(y - ref)^2 + 1e-3*u^2"}}
END
points=$(awk 'BEGIN { for (k = 0; k <= 40; k++) printf "%s%g: %g", k ? ", " : "", k/40, (k % 2 ? -5 : 5) + 0.01*k }')
sed -i "s/POINTS/$points/" bent.yaml
exits 0 "a curve that bends is no finding" check bent.yaml
says out "but a note with entry, point and line" 'note .* rows bend near the guess.* by [a-z ]+ at [a-z ]+ = .*\(bent\.yaml:[0-9]+\)'

awk '/^cocp: 1/ { on = 1 } on && !/^[a-z ]/ { exit } on' "$problems/../README.md" >readme.yaml
exits 0 "the spec in README.md is one" check readme.yaml

for spec in "$problems"/*.yaml; do
    name=$(basename "$spec")
    exits 0 "check $name" check "$spec"
    "$cocp" check --resolved "$spec" 2>err | grep -v '^# .*: auto became' >once.yaml &&
        "$cocp" check --resolved once.yaml >twice.yaml 2>err && cmp -s once.yaml twice.yaml
    report "$name: what is resolved stays as it is" $?
done

echo "1..$n"
[ "$failures" -eq 0 ]
