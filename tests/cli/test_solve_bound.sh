#!/bin/sh
# cocp solve --bound: bounds against closed forms, a search that they end, what cannot be done proved, certificates in results,
# what is refused. TAP on stdout.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
# shellcheck source=tests/cli/bounds.sh
. "$(dirname "$0")/bounds.sh"
work_apart

# --- Least time, 40/3 s: the search ends at its bound ------------------------------------------------------------
exits 0 "least time with its bound" solve "$problems/turbo_car.yaml" --bound --max-cpu 20
says out "both in one line" '^solved turbo_car objective=13\.333333 .* bound=13\.332[0-9]+ gap=[0-9]e-05 steps='
says err "it ends the search" '^the search ends here: no motion costs less than 13\.332[0-9]+, and this one costs 13\.3333333[0-9]$'
says err "so that there are no neighbours" 'as its bound is near, no neighbouring sequence was tried; no other sequence is better by more than'
says err "how far it is from the optimum" '^bound:    no motion costs less than .* is at most 0\.00[0-9]+ % above the global optimum$'
says err "of which problem" '^          of the problem in continuous time, .* q in \[-33\.3333, 233\.333\] \(no motion leaves it\)'
exits 0 "its certificate is in the result" bound --check turbo_car.h5
exits 0 "of this spec" bound "$problems/turbo_car.yaml" turbo_car.h5 --check
exits 0 "shown" show turbo_car.h5
says out "with the objective" '^  bound            no motion costs less than 13\.33'
exits 0 "and on its page" report turbo_car.h5
says turbo_car.html "as a section" '"words": "no motion costs less than 13\.33'
exits 0 "as near as asked for" solve -q "$problems/turbo_car.yaml" --bound=1e-6 --max-cpu 20 --json --force
in_json gap -1e-8 1e-6 "more degrees follow the search"
in_json bound 13.33332 13.333333333333334 "and none is above 40/3"
exits 0 "without it nothing is said" solve "$problems/turbo_car.yaml" --json --force
[ "$(grep -c bound out err | grep -c ':0$')" -eq 2 ]
report "of a bound" $?
# Whatever comes first is near enough: a motion at 13 s without the turbo.
exits 0 "near enough is the user's word" solve "$problems/turbo_relay.yaml" --bound=0.4 --max-cpu 20 --json
in_json objective 12.99 13.01 "the first solution"
exits 0 "by default it is not" solve "$problems/turbo_relay.yaml" --bound --max-cpu 20 --json --force
in_json objective 10.1333 10.1334 "152/15 s"
exits 0 "what a replay refuses is no end, however near" solve "$problems/../tests/study/problems/twisting.yaml" --bound=100 --max-cpu 30 -q

# --- A grid of controls costs something: 16/sqrt(3) in continuous time -------------------------------------------
write_friction
exits 0 "dry friction" solve friction.yaml --bound --max-cpu 2 --json
in_json bound 9.2284 9.237604307 "bounded, the search goes on"
says err "and is not at an end" 'no other sequence is better by more than 0\.5'

# --- It cannot be done: 2 s would do ------------------------------------------------------------------------------
cat >late.yaml <<'END'
cocp: 1
name: late
time: {horizon: 1.9, intervals: 5, elements: 2}
states:
  x: {units: m, bounds: [-2, 2], initial: 0, final: 1}
  v: {units: m/s, initial: 0, final: 0}
controls: {u: {units: m/s^2, bounds: [-1, 1]}}
dynamics: {type: ode, rhs: {x: v, v: u}}
cost: {running: {effort: u^2}}
END
exits 20 "what cannot be done" solve late.yaml --bound --max-cpu 20
says err "is proved" '^bound:    it cannot be done: no motion in the box goes from the start to x = 1, v = 0 in 1\.9 s$'
exits 0 "by a certificate" bound --check late.h5
exits 0 "that is shown" show late.h5
says out "as why it failed" '^  failure          it cannot be done'

# --- No bound ------------------------------------------------------------------------------------------------------
sed 's/horizon: 1.9/horizon: 3/; s/v: u}/v: u + tan(0.1*x)}/' late.yaml >tan.yaml
exits 0 "what bounds do not know is solved" solve tan.yaml --bound
says err "and told, with its place" '^bound:    none: tan.yaml:8:[0-9]+: error: .* is no polynomial'
exits 4 "there is no certificate then" bound --check tan.h5
exits 2 "of a sweep it is of its points" sweep late.yaml --bound --sweep time.horizon=2:3:2
says err "which is said" 'cocp sweep SPEC \.\.\. -- --bound'
exits 0 "as these" sweep late.yaml -o swept --sweep time.horizon=2.5,3 --jobs 1 -- --bound --max-cpu 5
exits 2 "a plan that is made anew has none" track late.yaml --bound
says err "but the first one" 'cocp solve SPEC --bound'
exits 2 "nor have scenarios" solve "$problems/pushing_uncertain.yaml" --bound
exits 2 "a gap is a number" solve late.yaml --bound=near

# --- What specs that ship say of their bounds ------------------------------------------------------------------------
for spec in $(cd "$problems" && grep -l '^# Lower bound: .* --target' ./*.yaml); do
    line=$(sed -n 's/^# Lower bound: *cocp bound problems\///p' "$problems/$spec")
    # shellcheck disable=SC2046   # options are words
    "$cocp" bound "$problems/$spec" $(echo "${line%:*}" | cut -d' ' -f2-) --gap 1e-9 --max-cpu 60 --json -q -o said.h5 --force >out 2>err
    in_json bound "${line##*: }" 1e9 "the bound of $spec"
done

echo "1..$n"
[ "$failures" -eq 0 ]
