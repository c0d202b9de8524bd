#!/bin/sh
# Pictures of results by scripts/plot. COCP is the program; TAP on stdout.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
scripts=$(cd "$(dirname "$0")/../../scripts" && pwd)
work_apart

if ! /usr/bin/python3 -c 'import h5py, matplotlib' 2>/dev/null; then
    echo "1..0 # skipped: no python3-h5py or python3-matplotlib"
    exit 0
fi

draws() {       # draws CODE NAME COMMAND...
    wanted=$1 name=$2
    shift 2
    "$@" >out 2>err
    [ $? -eq "$wanted" ]
    report "$name" $?
}

exits 0 "a template is solved" init hopping -q
exits 0 "with contacts" solve hopping.yaml -q --verify
exits 0 "once more, harder" solve hopping.yaml -q --set parameters.h=0.6 -o high.h5
exits 0 "raw" solve "$problems/turbo_car.yaml" -q --set finish=off -o raw.h5
exits 0 "a simulation" simulate "$problems/ball_2d.yaml" -q

draws 0 "a picture of everything" "$scripts/plot" hopping.h5
says hopping.png "is a PNG" 'PNG'
draws 0 "chosen panels, for a paper" "$scripts/plot" hopping.h5 --panels "z z_f, u, z:v, foot, timeline" --width 8.6 -o a.pdf
says a.pdf "are a PDF" '^%PDF'
draws 0 "all kinds of panels" "$scripts/plot" hopping.h5 --no-title -o a.svg \
    --panels "states, controls, outputs, gaps, forces, timeline"
says a.svg "are an SVG" '<svg'
says a.svg "with one legend" 'replayed by events'
says a.svg "and bounds" '>bound<'
draws 0 "two results" "$scripts/plot" hopping.h5 high.h5 -o b.svg
says b.svg "one over the other" '>hopping and high<|>hopping  and  high<'
draws 0 "the homotopy, on request" "$scripts/plot" raw.h5 --panels homotopy -o c.svg
says c.svg "with what was tightened" 'complementarity'
draws 0 "without a request" "$scripts/plot" raw.h5 -o d.svg
! grep -q complementarity d.svg
report "there is none" $?
draws 0 "a simulation is drawn" "$scripts/plot" ball_2d.h5 -o e.svg
says e.svg "and says so" 'simulated from event to event'
draws 1 "a panel that is not there" "$scripts/plot" hopping.h5 --panels "zz"
says err "is named, with those that are" 'has no zz; it has: z, z_f'

draws 0 "curves are the collocation polynomials" /usr/bin/python3 - <<END
import sys
sys.path.insert(0, "$scripts")
from cocp_result import Result
import numpy as np
result = Result("hopping.h5")
t, z = result.curve("z")
uniform = result.groups["uniform"]
inside = np.isfinite(t)
assert np.max(np.abs(np.interp(uniform["t"], t[inside], z[inside]) - uniform["z"])) < 1e-3
t, v = result.curve("v_f")
jumps = [event["t"] for event in result.events() if event["kind"] == "impact"]
breaks = t[np.flatnonzero(~np.isfinite(t)) - 1]
assert jumps and all(np.min(np.abs(breaks - jump)) < 1e-9 for jump in jumps)
assert "time-freezing" not in result.title() and "replayed to" in result.title()
END

echo "1..$n"
[ "$failures" -eq 0 ]
