# shellcheck shell=sh
# Sourced by the tests of lower bounds, after tap.sh.

# in_json KEY LOW HIGH NAME: the number of that key in the JSON of the last output lies between them.
in_json() {
    sed -n "s/.*\"$1\": \\([-+0-9.e]*\\),.*/\\1/p" out | awk -v lo="$2" -v hi="$3" '{ ok = $1 >= lo && $1 <= hi; n++ }
        END { exit !(n == 1 && ok) }'
    report "$4" $?
}

# Least effort against dry friction, into friction.yaml: 16/sqrt(3) in continuous time.
write_friction() {
    cat >friction.yaml <<'END'
cocp: 1
name: friction
time: {horizon: 2, intervals: 10, elements: 3}
states:
  x: {bounds: [-1.2, 1.2], initial: 0, final: 1}
  v: {bounds: [-2, 2], initial: 0, final: 0}
controls:
  u: {bounds: [-10, 10]}
dynamics: {type: ode, rhs: {x: v, v: u - 2*sign(v)}}
cost: {running: {effort: u^2}}
END
}
