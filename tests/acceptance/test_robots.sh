#!/bin/sh
# Robots of others from their files: every URDF of example-robot-data against Pinocchio, the MJCF files of Gymnasium and
# dm_control against MuJoCo; a quadruped that falls onto its feet against MuJoCo. All of these come from PyPI. COCP is the
# program, MATRICES the one that evaluates its equations; TAP on stdout.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/../cli/tap.sh"
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
matrices=$(realpath "${MATRICES:-$root/build/release/tests/acceptance/robots/matrices}")
packages=${ROBOT_PACKAGES:-$root/build/robots}
work_apart

if [ ! -e "$packages/done" ]; then
    python3 -m venv "$packages" &&
        "$packages/bin/pip" install --quiet pin example-robot-data mujoco gymnasium dm_control >out 2>&1 && touch "$packages/done"
    report "the packages are there" $?
fi
for side in urdf mjcf fall; do
    "$packages/bin/python" "$here/robots/compare_$side" "$cocp" "$matrices" >"$side.out" 2>err
    code=$?
    cp "$side.out" out
    sed 's/^/# /' "$side.out"
    report "$side" $code
done

echo "1..$n"
[ "$failures" -eq 0 ]
