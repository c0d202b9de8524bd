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
exits 0 "by time-freezing" simulate "$problems/tf_ex3.yaml" --method time-freezing -q -o frozen.h5

draws 0 "a picture of everything" "$scripts/plot" hopping.h5
says hopping.png "is a PNG" 'PNG'
draws 0 "chosen panels, for a paper" "$scripts/plot" hopping.h5 --panels "z z_f, u, z:v, foot, timeline" --width 8.6 -o a.pdf
says a.pdf "are a PDF" '^%PDF'
draws 0 "all kinds of panels" "$scripts/plot" hopping.h5 --no-title -o a.svg \
    --panels "states, controls, outputs, signals, gaps, forces, timeline"
says a.svg "are an SVG" '<svg'
says a.svg "with one legend" 'replayed by events'
says a.svg "and bounds" '>bound<'
draws 0 "numerical time" "$scripts/plot" frozen.h5 --panels "z, numerical" -o n.svg
says n.svg "with velocities" '>vx, vz<'
says n.svg "and the speed of time" '>speed of time s<'
says n.svg "and where it stands still" 'physical time stands still'
draws 1 "of a solution that has none" "$scripts/plot" hopping.h5 --panels numerical
says err "the picture says so" 'no numerical time of its own'
exits 0 "show" show hopping.h5
says out "tells a finished sequence from a method" '^  method +a sequence of modes, finished \(the spec: '
exits 0 "show" show frozen.h5
says out "and a simulation" '^  method +time-freezing$'
says out "tells of it" 'speed of time +1 to 1 by control interval; physical time stands still for 0\.4515 of 3\.5 s'
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
# Over s, time and normal impulse together: momentum tells the sum of all, T (1 + m g) + m (vy_end - vy_0) = 4 * 10.81 - 0.5; the block
# comes to rest near 28.4 (SVI Fig. 8).
"$cocp" simulate -q "$problems/rocking_block_zeno.yaml" -o zeno.h5 >/dev/null 2>&1
draws 0 "over time and impulse" "$scripts/plot" zeno.h5 --panels "th@s, w@s, t@s, rates@s" -o s.svg
PYTHONPATH=$scripts /usr/bin/python3 - <<'END'
from cocp_result import Result
import numpy as np
over = Result("zeno.h5").impulse_domain()
assert np.all(np.diff(over["s"]) >= 0) and np.all(np.diff(over["t"]) >= 0)
assert abs(over["s"][-1] - (4 * 10.81 - 0.5)) < 1e-4, over["s"][-1]
assert abs(over["s"][np.searchsorted(over["t"], 2.67142)] - 28.4) < 0.05
assert np.allclose(sum(over[name] for name in over if name.startswith("rate ")), 1)
END
report "s is what momentum says" $?
draws 1 "over s what is not there" "$scripts/plot" zeno.h5 --panels "qq@s"
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

# Texts as they are, and none on another.
cat >hostile.yaml <<'END'
cocp: 1
name: "a $\\frac{ $x^{ b_"
parameters: {g: {value: 9.81, units: "</script><b>m/s^2", long_name: "<svg onload=alert(3)>"}}
time: {horizon: 1}
states:
  x: {units: "$\\frac{", initial: 0.5, long_name: "$^{"}
  _v: {units: "100 % of $m$/$s$", initial: 0}
  left_front_shock_absorber_piston_displacement_relative_to_frame: {units: "<img src=x onerror=alert(2)>", initial: 1}
dynamics: {type: ode, rhs: {x: _v, _v: "-40*x", left_front_shock_absorber_piston_displacement_relative_to_frame: _v}}
simulate: {method: event}
END
sed -e 's/^name: .*/name: long, with a title of so many words that they go on and on and on, beyond the edge of each picture/' \
    -e 's/initial: 1}/initial: 1}\n  q[i=1..8]: {initial: "0.1*i"}/' -e 's/rhs: {/rhs: {"q[i=1..8]": _v, /' hostile.yaml >long.yaml
cat >phases.yaml <<'END'
cocp: 1
name: phases
states: {x: {initial: 0}, v: {initial: 0}}
controls: {u: {bounds: [-1, 1]}}
phases:
  a_long_name_of_a_short_phase: {length: 0.05, intervals: 1}
  another_long_name_of_one: {length: 0.05, intervals: 1}
  the_last_of_the_phases: {length: {min: 0.5, max: 4}, intervals: 6}
dynamics: {type: ode, rhs: {x: v, v: u}}
cost: {terminal: {time: t}}
constraints: {there: {expr: x == 0.5, at: final}, rest: {expr: v == 0, at: final}}
END
exits 0 "hostile texts" simulate hostile.yaml -q
exits 0 "long names" simulate long.yaml -q
exits 0 "short phases" solve phases.yaml -q
exits 0 "a control with two values" solve "$problems/lander.yaml" -q
exits 0 "an impact of that name" impact "$problems/rocking_block.yaml" -q --samples 16 --set 'name=a $x_{ $^' -o impact.h5
draws 0 "hostile texts are drawn" "$scripts/plot" hostile.h5 -o g.svg --panels "x _v, x:_v, left_front_shock_absorber_piston_displacement_relative_to_frame"
for text in 'a $\frac{ $x^{ b_ ' 'x [$\frac{]' '> _v<' '[100 % of $m$/$s$]'; do
    grep -qF -- "$text" g.svg
    report "as they are: $text" $?
done
draws 0 "also of an impact" "$scripts/plot_impact" impact.h5 -o h.svg
draws 0 "over its normal impulse" "$scripts/plot_impact" impact.h5 --over-s -o over_s.svg
says h.svg "as it is" 'a \$x_\{ \$\^'
draws 0 "numbers of the homotopy are numbers" "$scripts/plot" raw.h5 --panels homotopy -o i.svg
! grep -q mathdefault i.svg
report "and no formulas" $?
draws 0 "no text is on another, nor outside" /usr/bin/python3 - <<END
import importlib.machinery, importlib.util, itertools, sys
sys.path.insert(0, "$scripts")
loader = importlib.machinery.SourceFileLoader("plot", "$scripts/plot")
plot = importlib.util.module_from_spec(importlib.util.spec_from_loader("plot", loader))
loader.exec_module(plot)
plot.draw_as_they_are()
from matplotlib.text import Text
from cocp_result import Result
for path, width, names in (("long.h5", 24, None), ("long.h5", 8.6, None), ("phases.h5", 12, None), ("long.h5", 12, "x _v q_1 q_2, timeline")):
    result = Result(path)
    pens = [plot.Pen(result, 0, 1, True)]
    panels = plot.asked_panels(names, result) if names else plot.usual_panels(result)
    figure = plot.draw(pens, panels, result.title(), width)
    figure.canvas.draw()
    texts = [(text.get_text(), text.get_window_extent()) for ax in figure.axes if ax.get_visible()
             for text in (ax.xaxis.label, ax.yaxis.label, *ax.texts)]
    texts += [(figure._suptitle.get_text(), figure._suptitle.get_window_extent())]
    texts += [(text.get_text(), text.get_window_extent()) for legend in figure.legends for text in legend.get_texts()]
    texts = [(text, box) for text, box in texts if text.strip()]
    assert len(texts) > 5, texts
    for (a, first), (b, second) in itertools.combinations(texts, 2):
        assert not first.shrunk(0.9, 0.9).overlaps(second.shrunk(0.9, 0.9)), (path, width, a, b)
    for text, box in texts:
        assert box.x0 > -2 and box.x1 < figure.bbox.width + 2 and box.y0 > -2 and box.y1 < figure.bbox.height + 2, (path, width, text, box)
lander = Result("lander.h5")
switch, = [event for event in lander.events() if event["kind"] == "switch"]
assert switch["name"] == "engine" and 0 < switch["t"] < lander.horizon()[1] and ("timeline", None) in plot.usual_panels(lander)
END

echo "1..$n"
[ "$failures" -eq 0 ]
