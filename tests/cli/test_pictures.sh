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
    --panels "states, controls, outputs, signals, gaps, forces, timeline"
says a.svg "are an SVG" '<svg'
says a.svg "with one legend" 'replayed by events'
says a.svg "and bounds" '>bound<'
draws 0 "two results" "$scripts/plot" hopping.h5 high.h5 -o b.svg
says b.svg "one over the other" '>hopping and high<|>hopping  and  high<'
exits 0 "a machine" simulate "$problems/washer.yaml" -q
draws 0 "its signals" "$scripts/plot" washer.h5 --panels "signals" -o signals.svg
says signals.svg "by name" '>motor<|>motor |motor'
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

# Fans: where curves move to, against a solve with that number, which is off by the square of the step alone.
exits 0 "with sensitivities" solve "$problems/tf_ex5.yaml" -q --sensitivity -o ex5.h5
exits 0 "with another start" solve "$problems/tf_ex5.yaml" -q --set states.z.initial=1.01 --guess ex5.h5 -o moved.h5
draws 0 "a fan" "$scripts/plot" ex5.h5 --fan z=0.01 -o f.svg
says f.svg "has both ends" '>z \+ 0\.01<'
draws 1 "a fan without sensitivities" "$scripts/plot" hopping.h5 --fan h
says err "says what makes them" 'cocp solve --sensitivity'
draws 1 "a fan of nothing" "$scripts/plot" ex5.h5 --fan zz
says err "lists what there is" 'no derivative by zz; it has: x, z,'
draws 0 "its ends are where the solution goes" /usr/bin/python3 - <<END
import importlib.machinery, importlib.util, sys
import numpy as np
sys.path.insert(0, "$scripts")
loader = importlib.machinery.SourceFileLoader("plot", "$scripts/plot")
plot = importlib.util.module_from_spec(importlib.util.spec_from_loader("plot", loader))
loader.exec_module(plot)
from cocp_result import Result
here, there = Result("ex5.h5"), Result("moved.h5")
fan = plot.Fan("z=0.01", here)
uniform = there.groups["uniform"]
for name in ("x", "z", "vx"):
    part, t, y = fan.curves(here, name)[-1]
    good = np.isfinite(t)
    far = np.min(np.abs(uniform["t"][:, None] - there.groups["phases"]["t"]), axis=1) > 0.01
    off = np.interp(uniform["t"], t[good], y[good])[far] - uniform[name][far]
    moved = here.groups["uniform"][name][far] - uniform[name][far]
    print(name, np.max(np.abs(off)), np.max(np.abs(moved)))
    assert part == 1 and np.max(np.abs(off)) < 0.05 * np.max(np.abs(moved))
END

echo "1..$n"
[ "$failures" -eq 0 ]
