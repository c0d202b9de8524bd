#!/bin/sh
# verify against edited files: whatever is changed in what a solution says is refused with its reason, also where its
# digest is gone, as in results of old versions; whatever only looks different is accepted. Made with h5py where that is
# there. COCP is the program; TAP on stdout.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
everything=$(cd "$(dirname "$0")/../torture" && pwd)/edits
work_apart

python=/usr/bin/python3
if ! "$python" -c 'import h5py' 2>/dev/null; then
    echo "1..0 # SKIP no h5py"
    exit 0
fi

# One solution of each kind.
exits 0 "a finished solution" solve -q "$problems/tf_ex5.yaml" --set finish.starts=1 --sensitivity -o finished.h5
exits 0 "a raw one by time-freezing" solve -q "$problems/tf_ex5.yaml" --set finish.use=off -o frozen.h5
exits 0 "a raw one by FESD" solve -q "$problems/turbo_car.yaml" --set finish.use=off -o fesd.h5
exits 0 "one with a parameter" solve -q "$problems/parameter_fit.yaml" -o fit.h5
exits 0 "a simulation" simulate -q "$problems/ball_2d.yaml" --method event -o event.h5
cat >walled.yaml <<'END'
cocp: 1
name: walled
time: {horizon: {min: 0.5, max: 3, guess: 1}, intervals: 4, elements: 2}
states:
  x: {initial: -1, final: 1, bounds: [-2, 2]}
  y: {initial: 0.02, final: -0.02}
  s: {initial: 1.0e-4}
controls:
  ux: {bounds: [-5, 5]}
  uy: {bounds: [-5, 5]}
dynamics: {type: ode, rhs: {x: ux, y: uy, s: 0*ux}}
constraints:
  post: {expr: "x^2 + y^2 >= 0.01", at: path}
  way: {expr: "final(x) - initial(x) >= 2", at: boundary}
cost: {running: {effort: "ux^2 + uy^2"}, terminal: {time: "0.5*t"}}
END
exits 0 "one with constraints" solve -q walled.yaml -o walled.h5
exits 0 "by FESD-J" solve -q "$problems/tf_ex5.yaml" --set discretization.method=fesd-j --set finish.use=off -o fesd_j.h5
# Jumps that take time cost less than the exact optimum, 72.639278 (test_tf_ex5.c): that is no solution, nor
# what a solve from its own solution comes to.
exits 0 "from its own solution" solve -q "$problems/tf_ex5.yaml" --set finish.use=off --guess frozen.h5 -o again.h5
objective=$(sed -n 's/.* objective=\([^ ]*\).*/\1/p' out)
awk -v x="$objective" 'BEGIN { exit !(x > 72.63927 && x < 72.65) }'
report "the optimum again: $objective" $?
cat >sled.yaml <<'END'
cocp: 1
name: sled
parameters: {g: 9.81, mu: {value: 0.2, optimize: [0.01, 1]}}
time: {horizon: 1, intervals: 5}
states: {x: {units: m, initial: 0}, v: {initial: [0.1, 5], guess: 1}}
dynamics: {type: mechanical, coordinates: {x: v}, mass: {diag: [1]}, force: {x: -mu*g*sign(v)}}
data: {table: {t: [0.07, 0.15, 0.31, 0.42, 0.55, 0.62, 0.74, 0.88], position: [0.134, 0.266, 0.479, 0.581, 0.654, .nan,
       0.681, 0.680]}, columns: {x: position}, sigma: {x: 0.001}}
END
exits 0 "a fit to data" solve -q sled.yaml -o sled.h5
exits 40 "a solve that ends early" solve -q "$problems/turbo_car.yaml" --set finish.use=off --set solver.ipopt.max_iter=5 -o limit.h5
for file in finished frozen fesd fit event walled fesd_j sled; do
    exits 0 "$file is verified" verify "$file.h5"
done

# --- What rewrites a file and leaves its content ---
exits 0 "verify leaves the digest as it is" verify -q finished.h5
"$cocp" report finished.h5 -o page.html >out 2>err && "$cocp" export finished.h5 --csv >out 2>err
exits 0 "so do report and export" verify -q finished.h5
exits 60 "solve --verify" solve -q "$problems/parameter_fit.yaml" --verify=1e-10 -o strict.h5
"$cocp" verify strict.h5 >out 2>err
says err "renews that of the status alone" 'digest +0\.0e\+00'
if command -v h5repack >/dev/null; then
    for file in finished frozen sled event; do
        h5repack -l CONTI "$file.h5" packed.h5 2>err
        exits 0 "h5repack of $file" verify -q packed.h5
    done
else
    echo "# no h5repack"
fi
if command -v nccopy >/dev/null; then
    nccopy -4 sled.h5 copied.h5 2>err
    exits 0 "nccopy" verify -q copied.h5
else
    echo "# no nccopy"
fi
if "$python" -c 'import xarray, netCDF4' 2>/dev/null; then
    for file in finished frozen sled event; do
        "$python" - "$file.h5" "through_$file.h5" 2>err <<'END'
import sys
import warnings
import h5py, xarray
warnings.simplefilter("ignore")
source, to = sys.argv[1:]
paths = ["/"]
with h5py.File(source) as f:
    f.visititems(lambda name, thing: paths.append(name) if isinstance(thing, h5py.Group) else None)
for path in paths:
    with xarray.open_dataset(source, group=path, engine="netcdf4") as data:
        data = data.load()
    for name in data.variables:                 # texts of which there are none xarray reads as objects, and does not write
        if data[name].size == 0 and data[name].dtype == object:
            data[name] = data[name].astype("U1")
    data.to_netcdf(to, group=None if path == "/" else path, mode="w" if path == "/" else "a")
END
        exits 0 "a round trip of $file through xarray" verify -q "through_$file.h5"
    done
else
    echo "# no xarray"
fi

"$python" - "$cocp" >tap 2>err <<'END'
import re, shutil, subprocess, sys
import h5py, numpy

def verify(*options):
    run = subprocess.run([sys.argv[1], "verify", "edited.h5", *options], capture_output=True, text=True)
    return run.returncode, run.stdout + run.stderr

def spec(old, new):
    """The spec of the file with one text in the place of another."""
    def edit(f):
        text = f["spec/resolved"][()].decode()
        assert re.search(old, text), f"{old} is not in the spec:\n{text}"
        del f["spec/resolved"]
        f["spec/resolved"] = re.sub(old, new, text, count=1)
    return edit

def put(name, place, value):
    def edit(f):
        f[name][place] = value(f[name][place]) if callable(value) else value
    return edit

def attr(name, value):
    def edit(f):
        f.attrs[name] = value
    return edit

def both(*edits):
    def edit(f):
        for one in edits:
            one(f)
    return edit

def cut(f):
    """The horizon cut to a quarter: times of everything."""
    for group in ("trajectory", "grid", "events"):
        for name, data in f[group].items():
            if re.fullmatch("t(_num|_start|_end|_interval)?(_start|_end)?", name):
                data[...] = data[...] / 4

def everywhere(name, change):
    return both(*(put(f"{group}/{name}", Ellipsis, change) for group in ("trajectory", "uniform")))

refused = [
    # what the spec asks
    ("finished", "x shifted", everywhere("x", lambda x: x + 7), "initial values|x is off"),
    ("finished", "z in mid-run", put("trajectory/z", 30, -5), "z is off by .* at t = "),
    ("finished", "vz in mid-run", put("trajectory/vz", 80, lambda v: v + 0.05), "vz is off by .* at t = "),
    ("finished", "another initial value", spec(r"(x: \{.*initial: )0", r"\g<1>0.1"), "x is 0 at the start, it must be 0.1"),
    ("finished", "another final value", spec(r"final: 3", "final: 77"), "x is 3 at the end, it must be 77"),
    ("finished", "an end that is moved", put("trajectory/x", -1, 3.1), "x is off by .* at the end"),
    ("finished", "a horizon", spec(r"horizon: 2\b", "horizon: 8"), "the horizon is 2, it must be 8"),
    ("finished", "times", cut, "the horizon is 0.5, it must be 2"),
    ("finished", "bounds of a state", spec(r"(vz: \{.*bounds: )\[-inf, inf\]", r"\g<1>[-3, 3]"), "vz is .*must be in .-3, 3"),
    ("finished", "bounds of a control", spec(r"bounds: \[-10, 10\]", "bounds: [-9, 9]"), "u1 is .*must be in .-9, 9"),
    ("walled", "bounds of the horizon", spec(r"min: 0.5, max: 3, guess: 1", "min: 0.1, max: 0.3, guess: 0.2"), "the horizon is .*in .0.1, 0.3"),
    ("walled", "a constraint along the path", spec(r"y\^2 >= 0.01", "y^2 >= 0.012"), "post is .* must be at least 0.012"),
    ("walled", "a constraint of both ends", spec(r"initial\(x\) >= 2", "initial(x) >= 3"), "way is 2, it must be at least 3"),
    ("walled", "a constraint more", spec("constraints:", "constraints:\\n  low: {expr: ux <= 0.1, at: path}"), "low is "),
    ("walled", "a state of 1e-4, wrong nine times over", everywhere("s", 1e-3), "s is "),
    ("walled", "a state of 1e-4, wrong in mid-run", put("trajectory/s", 5, 2e-4), "s is off by 0.1"),
    ("walled", "a control out of bounds", put("grid/u", (0, 0), 50), "ux is 50 .*must be in .-5, 5"),
    ("fit", "bounds of a parameter", spec(r"value: 1, optimize: \[0.1, 5\]", "value: 4, optimize: [4, 5]"), "l is .*it must be in .4, 5"),
    # the model
    ("finished", "friction", spec('friction: "mu"', "friction: 0.1"), "is off by|cone"),
    ("finished", "gravity", spec("9.81", "1.62"), "is off by"),
    ("finished", "a force", spec("x: u1", "x: 2*u1"), "is off by"),
    ("finished", "restitution", spec("restitution: 0", "restitution: 0.5"), "is off by"),
    ("finished", "a gap", spec('gap: "z"', "gap: z - 0.2"), "is off by|penetrates"),
    # forces, impulses, events
    ("finished", "normal forces", everywhere("ground_lambda_n", -1e6), "contact forces|pulls"),
    ("finished", "one normal force", put("trajectory/ground_lambda_n", 120, -1e6), "contact forces|pulls"),
    ("finished", "forces that vanish", everywhere("ground_lambda_n", 0), "contact forces"),
    ("finished", "tangential forces", everywhere("ground_lambda_t", lambda f: -f), "contact forces"),
    ("finished", "a force in flight", put("trajectory/ground_lambda_n", 3, 5), "contact forces"),
    ("finished", "an impulse", put("events/impulse_n", 0, 9.9), "impulses and the jump|cone"),
    ("finished", "a tangential impulse", put("events/impulse_t", 0, 0), "impulses and the jump"),
    ("finished", "the time of an impact", put("events/t", 0, 0.5), "does not happen|do not jump"),
    ("finished", "the time of a stick", put("events/t", 1, 1.4), "does not happen|is off by"),
    ("finished", "the kind of an event", put("events/kind", 1, "liftoff"), "liftoff of ground .* does not happen"),
    ("finished", "the state before an event", put("events/x_minus", (0, 3), 0), "is off by"),
    ("event", "a mode", put("modes/state", (1, 0), "is open"), "ground_lambda_n at t = .* in the mode that /modes has"),
    ("event", "a mode in flight", put("modes/state", (0, 0), "slips forward"), "ground_gap at t = .* in the mode that /modes has"),
    ("event", "the end of a mode", put("modes/t_end", 0, 0.2), "the times of /modes do not follow each other"),
    ("finished", "an impulse of the grid", put("grid/impulse_n", Ellipsis, lambda p: 2 * p), "/grid and /events differ"),
    ("frozen", "an impulse by time-freezing", put("events/impulse_n", 0, 9.9), "impulses|cone"),
    ("frozen", "a speed of time", put("grid/speed_of_time", 10, lambda s: 1.2 * s), "the speed of time at t = 1.* is off by"),
    ("frozen", "a speed of time in flight", put("grid/speed_of_time", 1, 2), "the speed of time at t = 0.1.* is off by"),
    ("frozen", "a rate of time", put("trajectory/dt_dt_num", slice(20, 24), lambda rate: rate + 0.5), "(dt_dt_num|the speed of time).* is off by"),
    ("frozen", "numerical times", put("trajectory/t_num", slice(20, 24), lambda t: t + 0.1), "the numerical time of a stage .* is off by"),
    ("frozen", "speeds of time that are gone", lambda f: f["grid"].__delitem__("speed_of_time"), "the speed of time, .* is off by"),
    ("frozen", "a state by time-freezing", put("trajectory/x", 60, lambda x: x + 0.5), "x is off by"),
    ("fesd_j", "a state by FESD-J", put("trajectory/vx", 60, lambda v: v + 0.5), "vx is off by"),
    ("fesd_j", "an impulse by FESD-J", put("events/impulse_n", 0, 1), "impulses|cone"),
    # controls
    ("finished", "a control", put("grid/u", (2, 0), 0), "is off by"),
    ("finished", "a control of the trajectory", put("trajectory/u1", 40, 3), "/trajectory does not show"),
    ("fesd", "times of controls", put("grid/t_interval", 5, lambda t: t + 0.3), "control interval 5 begins at"),
    # what else is shown
    ("finished", "the objective", attr("objective", 1.0), "the objective is 72.6.* by quadrature, not 1"),
    ("finished", "an objective 16 % off", attr("objective", 84.26), "by quadrature, not 84.26"),
    ("fesd", "a time that is the cost", attr("objective", 13.0), "by quadrature, not 13"),
    ("walled", "no objective", attr("objective", float("nan")), "holds no objective"),
    ("walled", "a cost", spec("0.5\*t", "t"), "by quadrature"),
    ("finished", "a failed one", both(attr("status", "failed"), attr("exit_code", 50)), "its status is failed"),
    ("finished", "an infeasible one", attr("status", "infeasible"), "its status is infeasible"),
    ("finished", "an exit code", attr("exit_code", 40), "exit code 40"),
    ("finished", "an interrupted one", both(attr("status", "interrupted"), attr("exit_code", 130)), "its status is "),
    ("finished", "violated constraints", attr("infeasibility", 0.5), "constraints are violated by 0.5"),
    ("finished", "a gap that is shown", put("trajectory/ground_gap", 10, 3), "/trajectory does not show"),
    ("finished", "a velocity that is shown", put("trajectory/ground_v_n", 10, 3), "/trajectory does not show"),
    ("finished", "a state for plots", put("uniform/x", 250, 17), "/uniform is not the trajectory"),
    ("finished", "a force for plots", put("uniform/ground_lambda_n", 100, 1e4), "/uniform does not have the forces"),
    ("finished", "an element", put("grid/x_start", (12, 0), 17), "/grid is not the trajectory"),
    ("finished", "the end of an element", put("grid/x_end", (12, 0), 17), "/grid is not the trajectory"),
    ("finished", "a parameter", put("parameters/g", (), 1.62), "/parameters/g is not what the spec says"),
    ("fit", "an optimized parameter", lambda f: [put(f"parameters/{k}", (), lambda p: p * 1.2)(f) for k, d in
                                                 f["parameters"].items() if d.attrs.get("role") in ("optimized", b"optimized")],
     "is off by|it must be|by quadrature"),
    ("finished", "a tolerance in the file", both(spec(r"verify:\n  tol: 0.001", "verify:\n  tol: 1e6"), put("trajectory/x", -1, 3.1)), "the tolerance is 0.001"),
    ("finished", "a floor in the file", both(spec(r"floor: 0.001", "floor: 1e6"), put("trajectory/x", -1, 3.1)), "x is off by"),
    ("finished", "an accuracy in the file", both(spec(r"rtol: 1e-12", "rtol: 0.5"), put("trajectory/x", -1, 3.1)), "x is off by"),
    ("finished", "the verbatim spec", lambda f: (lambda t: (f.__delitem__("spec/yaml"), f.__setitem__(
        "spec/yaml", t.replace(b"final: 3", b"final: 77"))))(f["spec/yaml"][()]), "/spec/yaml is not the spec"),
    ("finished", "a point that counts as frozen", both(put("trajectory/x", 30, 17), put("trajectory/is_physical", 30, 0)),
     "not physical although time runs"),
    ("finished", "no events", lambda f: [f["events"].__delitem__(k) for k in list(f["events"])], "no event of the solution"),
    ("finished", "a length", put("grid/h", 3, 9), "/grid/h is not the length"),
    # what readers evaluate, plot and quote
    ("finished", "states inside of elements", put("grid/x_stage", Ellipsis, lambda x: 1.3 * x), "polynomials|x_stage"),
    ("finished", "one of them", put("grid/x_stage", (20, 1, 0), lambda x: x + 0.1), "those through /grid/x_stage"),
    ("finished", "forces inside of elements", put("grid/lambda_n", Ellipsis, lambda x: 100 * x), "those through /grid/lambda_n"),
    ("finished", "where stages are", put("grid/c", Ellipsis, lambda c: c / 2), "those through /grid/x_stage"),
    ("finished", "names of states", put("grid/state", Ellipsis, lambda s: s[::-1]), "/grid/state: other words"),
    ("finished", "the element of a point", put("trajectory/element", 30, 9), "element at t = "),
    ("finished", "an impulse where nothing happens", put("grid/impulse_n", (20, 0), 9.0), "nothing is hit then"),
    ("finished", "the end of the plotted curve", put("uniform/vx", -1, 1.0), "vx at t = 2 .*/uniform is not"),
    ("finished", "a force at its end", put("uniform/ground_lambda_n", -1, 1e3), "/uniform does not have the forces"),
    ("finished", "a gap of it", put("uniform/ground_gap", 100, 5), "ground_gap at t = .*/uniform is not"),
    ("frozen", "a state between points", put("uniform/x", 250, lambda x: x + 0.1), "x at t = 1 .*/uniform is not"),
    ("finished", "times of it", lambda f: f["uniform/t"].__setitem__(7, 0.0281), "/uniform is not"),
    ("finished", "a film", put("draw/point_mass", Ellipsis, lambda v: v + 5), "/draw/point_mass: other numbers"),
    ("finished", "what is drawn", put("draw/kind", 0, "box"), "/draw/kind: other words"),
    ("finished", "a unit", lambda f: f["trajectory/x"].attrs.__setitem__("units", "mm/h"), "/trajectory/x: another unit"),
    ("finished", "a unit of a curve", lambda f: f["uniform/x"].attrs.__setitem__("units", "km"), "/uniform/x: another unit"),
    ("finished", "a unit of a parameter", lambda f: f["parameters/g"].attrs.__setitem__("units", "m"), "/parameters/g: another unit"),
    ("finished", "a long name", lambda f: f["trajectory/x"].attrs.__setitem__("long_name", "way"), "/trajectory/x: another meaning"),
    ("finished", "bounds for plots", lambda f: f["uniform/x"].attrs.__setitem__("lower_bound", -9.0), "/uniform/x: other bounds"),
    ("finished", "a story", put("phases/story", Ellipsis, "foot never touches"), "/phases/story: other words"),
    ("finished", "a mode", put("phases/state", (1, 0), "is open"), "/phases/state: other words"),
    ("finished", "a sequence", lambda f: f["phases"].attrs.__setitem__("sequence", "o 4.5!k k 16.5 +"), "not what its sequence says"),
    ("finished", "a praise", lambda f: f["phases"].attrs.__setitem__("optimality", "global minimum"), "says something else of"),
    ("finished", "an event less", lambda f: [(lambda d, a, s: (f["events"].__delitem__(k), f["events"].__setitem__(k, d), s and f["events"][k].dims[0].attach_scale(s)))(f[f"events/{k}"][:1], 0, None)
        for k in list(f["events"]) if k != "state" and k != "event"], "/phases and /events do not tell the same"),
    ("finished", "one multiplier", put("grid/rows/multiplier", 3, 1e7), "/residuals is not what /grid/rows"),
    ("finished", "all multipliers", put("residuals/multiplier", Ellipsis, 0), "/residuals is not what /grid/rows"),
    ("finished", "violations", put("residuals/violation", Ellipsis, 0), "/residuals is not what /grid/rows"),
    ("sled", "estimates", put("fit/estimate", Ellipsis, 9), "not what /parameters and the trajectory say"),
    ("sled", "deviations", put("fit/estimate_std", Ellipsis, 1e-9), "deviations of /fit"),
    ("sled", "words of a fit", put("fit/words", Ellipsis, "mu = 9 +- 0"), "/fit/words: other words"),
    ("sled", "a measurement", put("fit/value", 2, 5), "what the spec says was measured"),
    ("sled", "what is fitted", put("fit/fit", 2, 5), "what the solution has there"),
    ("sled", "a residual", put("fit/residual", 2, 0), "residuals, misfit or degrees of freedom"),
    ("sled", "a correlation", put("fit/correlation", (0, 1), 0.99), "deviations of /fit"),
    ("sled", "the misfit", lambda f: f["fit"].attrs.__setitem__("misfit", 0.0), "residuals, misfit or degrees of freedom"),
    ("sled", "a deviation of a parameter", put("parameters/mu_std", (), 1e-9), "not what /parameters"),
    ("sled", "the time of rest", put("events/t", 0, 0.9), "no element of /grid begins or ends with it"),
    ("sled", "an impulse there", put("events/impulse_n", 0, 55), "nothing is hit then"),
    ("frozen", "an element of an event", put("events/element", 0, 3), "no element of /grid begins or ends with it"),
    ("event", "a simulated stage", put("grid/x_stage", (2, 3, 1), lambda x: x + 0.1), "those through /grid/x_stage"),
    ("event", "a simulated curve", put("uniform/q2", 250, lambda x: x + 0.01), "/uniform is not"),
    ("event", "a simulated state", put("trajectory/v1", 4, lambda v: v + 1), "v1 is off by"),
    ("event", "a simulated impulse", put("events/impulse_n", 0, 1), "impulses|cone"),
    ("event", "a simulated force", put("trajectory/ground_lambda_n", -1, 1), "contact forces"),
]

def rewrite(**how):
    """All numbers once more, stored otherwise."""
    def edit(f):
        for group in ("trajectory", "uniform"):
            for name, data in list(f[group].items()):
                if data.dtype.kind != "f" or h5py.h5ds.is_scale(data.id):
                    continue
                value, attrs, scale = data[...], dict(data.attrs), data.dims[0][0]
                del f[group][name]
                made = f[group].create_dataset(name, data=value, **how)
                made.dims[0].attach_scale(scale)
                for key, one in attrs.items():
                    if key != "DIMENSION_LIST" and not key.startswith("_Netcdf"):
                        made.attrs[key] = one
    return edit

def text(change):
    def edit(f):
        old = f["spec/resolved"][()].decode()
        del f["spec/resolved"]
        f["spec/resolved"] = change(old)
    return edit

def group(name, **data):
    def edit(f):
        made = f.require_group(name)
        for key, value in data.items():
            made[key] = value
    return edit

def drop(name):
    def edit(f):
        if name in f:
            del f[name]
    return edit

# Of a file with its digest: what is stored otherwise, and what a reader does not take for the result.
harmless = [
    ("another history", attr("history", "made by hand")),
    ("no history", lambda f: f.attrs.__delitem__("history")),
    ("another date", attr("date_created", "1970-01-01T00:00:00Z")),
    ("another title", attr("title", "a title")),
    ("another source", attr("source", "another program")),
    ("a comment", attr("comment", "by hand")),
    ("chunks", rewrite(chunks=True)),
    ("compression", rewrite(compression="gzip")),
    ("much compression", rewrite(compression="gzip", compression_opts=9)),
    ("shuffled bytes", rewrite(compression="gzip", shuffle=True)),
    ("checksums", rewrite(fletcher32=True, chunks=True)),
    ("small chunks", rewrite(chunks=(7,))),
    ("big-endian numbers", rewrite(dtype=">f8")),
    ("room to grow", rewrite(maxshape=(None,))),
    ("another group", group("notes", a=1.0)),
    ("a group of groups", group("notes/more/still", a=[1.0, 2.0])),
    ("text in a group", group("notes", a="hello")),
    ("an empty group", group("empty")),
    ("no verification", drop("verification")),
    ("an old verification", group("verification", outcome="unverified")),
]

# Of a file without one: what says the same in other words. With it, it has changed since it was written.
same = [
    ("a comment in the spec", text(lambda t: "# by hand\n" + t), "/spec"),
    ("a comment at its end", text(lambda t: t + "\n# the end\n"), "/spec"),
    ("empty lines", text(lambda t: t.replace("\n", "\n\n")), "/spec"),
    ("spaces at ends of lines", text(lambda t: t.replace("\n", "  \n")), "/spec"),
    ("other line ends", text(lambda t: t.replace("\n", "\r\n")), "/spec"),
    ("a start of a document", text(lambda t: "---\n" + t), "/spec"),
    ("another name", text(lambda t: re.sub("name: .*", "name: other", t, count=1)), "/spec"),
    ("a description", text(lambda t: re.sub("description: .*", "description: something else", t, count=1)), "/spec"),
    ("the verbatim spec with a comment", lambda f: (lambda t: (drop("spec/yaml")(f), f.__setitem__("spec/yaml", t + b"# x\n")))(f["spec/yaml"][()]), "/spec"),
    ("numbers as attributes", attr("answer", 42), "/"),
    ("a dataset at the root", group("/", extra=[1, 2, 3]), "/"),
    ("a dataset beside the events", group("events", extra=[1.0]), "/events"),
    ("no numbers of the solver", drop("solver"), "/solver"),
    ("no homotopy", drop("homotopy"), None),
    ("no phases", drop("phases"), "/phases, /phases/discovery"),
    ("what the search has done", put("phases/discovery/calls", 0, 99), "/phases/discovery"),
    ("effort", lambda f: f.require_group("solver").attrs.__setitem__("iterations", 7), "/solver"),
    ("what a neighbour costs", put("phases/neighbour_objective", Ellipsis, 1e6), "/phases"),
    ("sensitivities", lambda f: f["sensitivity/objective"].__setitem__(Ellipsis, 0), "/sensitivity"),
    ("rounding of a state", put("trajectory/x", 20, lambda x: x * (1 + 1e-12)), "/trajectory"),
    ("rounding of a force", put("trajectory/ground_lambda_n", 120, lambda x: x * (1 + 1e-12)), "/trajectory"),
    ("a stricter tolerance in the spec", spec(r"verify:\n  tol: 0.001", "verify:\n  tol: 1e-9"), "/spec"),
    ("a group that readers know", group("fit", words="all is well"), "/fit"),
]

n = 0
def report(ok, name, words):
    global n
    n += 1
    print(f"{'ok' if ok else 'not ok'} {n} - {name}")
    if not ok:
        print("".join(f"# {line}\n" for line in words.splitlines()), end="")

def older(f):
    """As a result of a version that made no digest."""
    del f["digest"]
    f.attrs["source"] = "cocp 0.0.9"

def judged(file, *edits):
    shutil.copy(file + ".h5", "edited.h5")
    with h5py.File("edited.h5", "r+") as f:
        for edit in edits:
            edit(f)
    return verify()

for file, name, edit, reason in refused:
    code, words = judged(file, edit, older)
    report(code == 60 and re.search(reason, words), f"refused: {name} ({file})", f"exit {code}\n{words}")
for name, edit in harmless:
    code, words = judged("finished", edit)
    report(code == 0, f"accepted: {name}", f"exit {code}\n{words}")
for name, edit, group_of in same:
    code, words = judged("finished", edit, older)
    report(code == 0, f"accepted without a digest: {name}", f"exit {code}\n{words}")
    code, words = judged("finished", edit)
    if group_of:
        report(code == 60 and f"not as it was written: {group_of}\n" in words, f"seen by the digest: {name}", f"exit {code}\n{words}")
for file in "finished", "frozen", "fit", "sled", "event":
    code, words = judged(file, older)
    report(code == 0 and re.search("digest .*the file has none, as results of older versions have; not judged", words)
           and re.search("not judged .*/solver", words), f"an old result verifies, and is told to have no digest ({file})", words)
for name, edit, reason in [
        ("no digest", drop("digest"), "the file has no digest, which every result of this version has"),
        ("no digest, of a later version", both(drop("digest"), attr("source", "cocp 1.2.3")), "the file has no digest"),
        ("a digest without a row", lambda f: f["digest/sha256"].__setitem__(2, ""), "/digest is not as it was written"),
        ("a digest that is empty", lambda f: [f["digest"].__delitem__(k) for k in list(f["digest"])], "/digest is not as it was"),
        ("a limit called solved", None, "the file itself says that it is no solution|not as it was written: /\n")]:
    code, words = judged(*(("finished", edit) if edit else ("limit", both(attr("status", "solved"), attr("exit_code", 0)))))
    report(code != 0 and re.search(reason, words), f"refused: {name}", f"exit {code}\n{words}")
code, words = judged("finished", group("notes", a=1.0))
report(re.search("not judged .*, /notes\n", words), "what others have added is named", words)
print(f"# {len(refused)} refused, {len(harmless)} harmless, {len(same)} the same without a digest")
END
grep -E '^(ok|not ok|#)' tap | awk -v n="$n" '/^(ok|not ok)/ { sub(/[0-9]+/, ++n) } { print }'
edits=$(grep -cE '^(ok|not ok)' tap)
failures=$((failures + $(grep -c '^not ok' tap)))
n=$((n + edits))
[ "$edits" -ge 80 ] && [ ! -s err ]
report "at least eighty edits were tried" $?

# A few of all datasets and attributes; `make torture` takes each.
"$everything" "$cocp" finished.h5 sled.h5 --every 37 >out 2>err
report "whatever dataset or attribute is changed" $?
sed -n 's/^/# /p' out

echo "1..$n"
[ "$failures" -eq 0 ]
