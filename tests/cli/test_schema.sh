#!/bin/sh
# The JSON schema, `explain` and the templates, which are made from what the reader knows. COCP is the program; TAP on
# stdout.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
tests=$(cd "$(dirname "$0")/.." && pwd)
work_apart

exits 0 "the schema is printed" schema
cp out schema.json

judge() {       # judge NAME good|bad SPEC...
    name=$1
    shift
    "$tests/cli/judge_schema" schema.json "$@" >out 2>err
    report "$name" $?
}

if /usr/bin/python3 -c 'import jsonschema, yaml' 2>/dev/null; then
    judge "the schema takes every spec that ships" good "$problems"/*.yaml "$tests"/study/problems/*.yaml \
        "$tests"/../cli/templates/*.yaml
    judge "and refuses every broken one whose structure is wrong" bad "$tests"/specs/bad/*.yaml
else
    echo "# skipped: no python3-jsonschema or python3-yaml"
fi

exits 0 "a setting is explained" explain discretization.stages
says out "by what it does" 'stages: stages of the Runge-Kutta scheme'
says out "its default" 'default +2'
says out "and why it is that" 'why +.'
exits 0 "a key below a name of the user's choice" explain states.x.initial
says out "is explained" 'value at the start'
exits 0 "a block" explain contacts
says out "has its keys with defaults" 'restitution .*default: 0'
exits 2 "a misspelt key" explain homotopy.sigma_n
says err "gets the nearest" 'did you mean "sigma_N"'
exits 0 "all blocks" explain
blocks=$(awk '{print $1}' out)
missing=""
for block in $blocks; do
    "$cocp" explain "$block" >out 2>err || missing="$missing $block"
done
[ -z "$missing" ]
report "each of them is explained: $missing" $?

# Every setting is in README's table of settings or in its page on the spec.
missing=""
for block in discretization homotopy simulate impact certify finish verify output; do
    for key in $("$cocp" explain $block | awk 'NR > 1 {print $1}'); do
        grep -q "[^a-z_]${key}[^a-z_]" "$tests/../README.md" || missing="$missing $block.$key"
    done
done
[ -z "$missing" ]
report "README names every setting: $missing" $?

exits 0 "the kinds of templates" init --list
says out "are listed with what they are" '^hopping +A body on a leg'
for kind in $(awk '{print $1}' out); do
    exits 0 "template $kind" init "$kind"
    case $kind in
        impact) exits 0 "samples" impact impact.yaml -q ;;
        *)      exits 0 "solves" solve "$kind.yaml" -q ;;
    esac
done
exits 0 "a template under another name" init time-optimal sprint
says sprint.yaml "has that name" '^name: sprint$'
exits 0 "an arm under another name" init arm reach
says out "keeps the robot file of the first" '^reach.yaml, arm.urdf: '
echo "<robot/>" >arm.urdf
exits 4 "another robot of that name" init arm grasp
says err "is left alone" 'arm.urdf: another file of that name is there'
[ ! -e grasp.yaml ]
report "and no spec is written" $?
exits 2 "a kind that is none" init juggling mine
says err "points to the list" 'init --list'

echo "1..$n"
[ "$failures" -eq 0 ]
