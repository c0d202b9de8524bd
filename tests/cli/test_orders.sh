#!/bin/sh
# scripts/orders: the order of FESD-J with friction, whose switches are turns of a slip, and with one stage. COCP is the
# program; TAP on stdout.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
work_apart
root=$problems/..

order() {       # order SCHEME STAGES LEAST MOST: the measured one lies between
    awk -v of="$1, $2 stage" -v least="$3" -v most="$4" '
        index($0, "  ") != 1 { here = index($0, of) == 1 }
        here && /^  order/ { found = 1; good = $2 + 0 >= least && $2 + 0 <= most }
        END { exit !(found && good) }' out
    report "$1 of $2 stages" $?
}

COCP=$cocp "$root/scripts/orders" "$root/tests/bench/slider.yaml" --stages 1,2 --steps 20,40,80,160 >out 2>err
report "it runs" $?
order gauss-legendre 1 1.8 2.3
order gauss-legendre 2 3.7 4.4
order radau-iia 2 2.7 3.4
[ -s slider_orders.png ] && [ "$(wc -l <slider_orders.csv)" -eq 17 ]
report "a picture and a table" $?
COCP=$cocp "$root/scripts/orders" slider_orders.csv -o again.png >out 2>err && [ -s again.png ]
report "the table is drawn again" $?

echo "1..$n"
[ "$failures" -eq 0 ]
