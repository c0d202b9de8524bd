#!/bin/sh
# A problem in other units is the same problem: each of units/*.yaml, whose numbers are in L units of length to a metre, S
# units of time to a second and M units of mass to a kilogram, in five of them with `solver.scale: auto`: solved, as
# cheap to 1e-3, and right by a replay in these units. A row of the table is a problem, with its objectives and its
# iterations as written, in mm, km, ms, and in micrometres and grams; TAP besides.
#
#   ACCEPTANCE_ONLY="a b"       these alone
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/../cli/tap.sh"
specs=$(cd "$(dirname "$0")" && pwd)/units
work_apart
like_to=1e-3

# The units as options, those alone that the spec has.
in_units() {    # in_units SPEC L=1000 ...
    spec=$1
    shift
    for unit in "$@"; do
        if grep -q "^parameters:.*[{ ]${unit%%=*}: 1" "$spec"; then printf ' --set parameters.%s' "$unit"; fi
    done
}

for name in ${ACCEPTANCE_ONLY:-$(cd "$specs" && ls -- *.yaml)}; do
    name=${name%.yaml} spec=$specs/${name%.yaml}.yaml row="| $name"
    for units in L=1 L=1000 L=0.001 S=1000 "L=1000000 M=1000"; do
        # shellcheck disable=SC2086,SC2046  # words
        exits 0 "$name, $units" solve -q "$spec" -o it.h5 --force $(in_units "$spec" $units)
        iterations=$(sed -n 's/.* iter=\([0-9]*\) .*/\1/p' out)
        [ "$units" = L=1 ] && first=$(objective it.h5)
        row="$row | $(objective it.h5) $iterations"
        like "$first" it.h5 "is as cheap as with L=1"
        exits 0 "and right in these units" verify -q it.h5
    done
    echo "$row"
done

echo "1..$n"
[ "$failures" -eq 0 ]
