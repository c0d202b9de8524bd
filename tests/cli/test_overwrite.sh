#!/bin/sh
# Every command writes onto every file that it reads, and is refused: a part of `make torture`.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
torture=$(cd "$(dirname "$0")/../torture" && pwd)/overwrite
work_apart

COCP=$cocp "$torture" --fast >out 2>err
report "no output takes the place of an input" $?
sed -n 's/^/| /; 1,4p' out

# A page takes the place of pages alone.
exits 0 "a simulation" simulate -q "$problems/ball_1d.yaml" -o ball.h5
exits 0 "its page" report -q ball.h5
exits 0 "once more" report -q ball.h5
printf 'notes\n' >ball.html
exits 4 "onto something else" report -q ball.h5
says err "which is said" 'ball\.html would be written over: it is no page of `cocp report`'
: >empty.html
exits 0 "onto an empty file" report -q ball.h5 -o empty.html
exits 4 "a page where none can be" report -q ball.h5 -o nowhere/ball.html

# What verify finds goes into the file that it judges, whatever its name.
exits 0 "a solution" solve -q "$problems/turbo_car.yaml" -o car.h5
ln car.h5 hard.h5
ln -s car.h5 soft.h5
exits 0 "verified" verify -q car.h5
exits 0 "by another name" verify -q soft.h5 -o ./car.h5
exits 0 "the group is there" show car.h5 --group verification
exits 0 "beside it" verify -q hard.h5 -o other.h5

echo "1..$n"
[ "$failures" -eq 0 ]
