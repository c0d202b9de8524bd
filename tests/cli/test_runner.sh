#!/bin/sh
# tests/run counts every test program, whatever its name and outcome. TAP on stdout.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
run=$(cd "$(dirname "$0")/.." && pwd)/run
work_apart

mkdir a b
printf '#!/bin/sh\necho "ok 1 - one"\necho "ok 2 - two"\n' >a/test_twin
printf '#!/bin/sh\necho "not ok 1 - one"\nexit 1\n' >b/test_twin.sh
printf '#!/bin/sh\necho "ok 1 - one"\nkill -9 $$\n' >a/test_killed
printf '#!/bin/sh\necho "ok 1 - one"\necho "| a row |"\n' >a/test_row
chmod +x a/* b/*

"$run" a/test_twin a/test_row >out 2>err
report "all pass" $?
says out "each test is counted" '^3 passed, 0 failed$'
says out "a row of a table is shown" '^\| a row \|$'
TEST_JOBS=2 "$run" b/test_twin.sh a/test_twin a/test_killed >out 2>err
[ $? -eq 1 ]
report "a failure among them" $?
says out "twins do not hide each other, and what was killed has failed" '^3 passed, 2 failed$'
"$run" a/test_twin b/nowhere >out 2>err
[ $? -eq 1 ]
report "what cannot be run has failed" $?

echo "1..$n"
[ "$failures" -eq 0 ]
