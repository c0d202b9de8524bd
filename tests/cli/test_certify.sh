#!/bin/sh
# cocp certify: outcomes, exit codes, files, tables that go on, certificates checked again. TAP on stdout.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
work_apart

says() {
    grep -qE -- "$3" "$1"
    report "$2" $?
}

# margin_is EXPRESSION: the margin in the JSON of the last output, to 1e-9.
margin_is() {
    sed -n 's/.*"margin": \([0-9.e-]*\),.*/\1/p' out | awk "{ off = \$1 - ($1); n++ }
        END { exit !(n == 1 && off < 1e-9 && off > -1e-9) }"
}

exits 0 "Fig. 2" certify "$problems/biped_fig2.yaml"
says out "begins with the outcome" '^certified biped_fig2 level=p margin=[0-9.e-]+ time=[0-9.]+ out=biped_fig2.h5$'
says err "and says it in words" 'stable under zero-order dynamics: level p'
exits 0 "the result" show biped_fig2.h5
says out "has the functions" '^  V  .*X.*gap_foot1'
says out "and what was checked" 'interval arithmetic'
exits 0 "the certificate" certify --check biped_fig2.h5
says out "passes its check again" '^certified biped_fig2.h5 level=p'
exits 4 "a result without one" certify --check "$problems/biped_fig2.yaml"
exits 0 "as JSON" certify "$problems/biped_fig3.yaml" --json --levels m -o m.h5
says out "the same" '^{"outcome": "certified", .*"level": "m", "margin": 0\.[0-9]+, .*"out": "m.h5"}$'
exits 0 "a certificate of level m" certify --check m.h5
# The paper's own method: a polynomial by sums of squares, whose part of weight two is proved; the test before it fails.
exits 0 "by sums of squares" certify "$problems/biped_fig2.yaml" --set certify.method=sos --set certify.degree=2 -v -o sos.h5
says err "says what was solved" 'sos  degree 2  coefficients 20  conditions 11 .* proved$'
says err "and what is proved" 'a polynomial of degree 2 by sums of squares; its part of weight 2 is proved'
exits 0 "its certificate" certify --check sos.h5
exits 0 "the polynomial is in the result" export sos.h5 --group /certificate/polynomial
says out "with its terms" 'v_theta\^2'
exits 60 "the original test" certify "$problems/biped_fig2.yaml" --set certify.method=sos-original --set certify.degree=2 --json -o orig.h5
says out "finds nothing where the improved one does" '"outcome": "inconclusive".*"reason": "functions"'
says err "and says that there is nothing" 'no polynomial of degree 2 fulfils the conditions \(the solver shows it\)'
# Every entry of the proof, one at a time, off by a millionth: refused, each of them.
if /usr/bin/python3 -c 'import h5py' 2>/dev/null; then
    "$cocp" certify -q "$problems/biped_fig2.yaml" --levels p -o good.h5 >/dev/null
    /usr/bin/python3 - "$cocp" >out 2>err <<'END'
import subprocess, sys
import h5py, numpy

def passes():
    return subprocess.run([sys.argv[1], "certify", "--check", "good.h5"], capture_output=True).returncode == 0

def set_entry(name, place, value):
    with h5py.File("good.h5", "r+") as file:
        file["certificate"][name][place] = value

assert passes()
with h5py.File("good.h5") as file:
    data = {name: item[()] for name, item in file["certificate"].items()
            if isinstance(item, h5py.Dataset) and item.attrs.get("CLASS") != b"DIMENSION_SCALE"}
n = 0
for name, value in data.items():
    for place in ([()] if value.shape == () else numpy.ndindex(value.shape)):
        old = value[place]
        if isinstance(old, bytes):
            new = b"x" + old
        else:
            new = old + max(abs(old), 1) * 1e-6 if value.dtype.kind == "f" else old + 1
        set_entry(name, place, new)
        n += 1
        if passes():
            print(name, place, old, "may be changed")
        set_entry(name, place, old)
assert passes()
print(n, "entries")
END
    grep -q 'may be changed' out
    [ $? -eq 1 ] && [ ! -s err ]
    report "no entry can be changed" $?
    says out "of hundreds" '^[1-9][0-9][0-9] entries$'

    # A certificate is about a model: with another one beside it, it proves nothing.
    other() {   # other NAME REASON STATEMENT: on the file f, whose spec is the text s
        "$cocp" certify -q "$problems/biped_fig2.yaml" --levels p -o other.h5 >/dev/null
        /usr/bin/python3 -c "import h5py, re
f = h5py.File('other.h5', 'r+'); s = f['spec/resolved'][()].decode()
def spec(old, new):
    changed = re.sub(old, new, s, count=1); assert changed != s, s
    del f['spec/resolved']; f['spec/resolved'] = changed
$3"
        exits 60 "a certificate of $1" certify --check other.h5
        says err "$1: is refused" "$2"
    }
    other "other friction" 'proves nothing: .*parameters/mu1' "spec(r'mu1: \{value: [0-9.]*', 'mu1: {value: 0.01')"
    other "other friction of a contact" 'friction .* of foot1, the spec says 0\.01' \
        "spec(r'(foot1: .*friction: )[^,}]*', r'\g<1>0.01')"
    other "restitution" 'restitution .* the spec says 0\.9' "spec(r'(foot2: .*restitution: )[^,}]*', r'\g<1>0.9')"
    other "another distance" 'parameters/d ' "spec(r' d: \{value: [0-9.]*', ' d: {value: 1.7')"
    other "a stored parameter" 'parameters/d ' "f['parameters/d'][()] = 1.7"
    other "no spec" 'does not say whose it is' "del f['spec']"
    exits 0 "comments in the spec" certify -q "$problems/biped_fig2.yaml" --levels p -o other.h5
    /usr/bin/python3 -c "import h5py
f = h5py.File('other.h5', 'r+'); s = f['spec/resolved'][()].decode(); del f['spec/resolved']
f['spec/resolved'] = '# by hand' + chr(10) + s"
    exits 0 "change nothing" certify --check other.h5
fi

exits 0 "nothing to do" certify "$problems/biped_fig3.yaml" -o m.h5 --skip-existing
says err "is said" 'm.h5 is certified, nothing to do'

exits 60 "ambiguous" certify "$problems/biped_fig2.yaml" --set parameters.mu1=0.05 --falsify -o a.h5
says out "is unstable" '^unstable biped_fig2 reason=ambiguity margin=0\.[0-9]+ growth=found '
says err "names the mode" 'both feet slip with the load|lifts off'
says err "and a motion that shows it" 'counter-evidence: '
exits 0 "which is stored" show a.h5 --group certificate/growth
says out "event by event" ' size +what +contact'
exits 60 "no forces" certify "$problems/biped_fig3.yaml" --set parameters.mu=0.3
says out "is no equilibrium" '^no-equilibrium biped_fig3 reason=forces '
exits 60 "level p alone" certify "$problems/biped_fig3.yaml" --levels p --set parameters.d=1.8 \
    --set parameters.mu=1
says out "is not enough" '^inconclusive biped_fig3 reason=functions '
exits 60 "three coordinates are needed" certify "$problems/tf_ex5.yaml"
says err "and asked for" 'not a single planar body'
exits 2 "a level that is none" certify "$problems/biped_fig2.yaml" --levels
exits 3 "another level that is none" certify "$problems/biped_fig2.yaml" --levels q
exits 3 "positions that are free" certify "$problems/biped_fig2.yaml" --set states.y.initial=free
says err "are an error with a position" 'states.y.initial|states.y: .*must be a value'
exits 3 "a load that is not finite" certify "$problems/biped_fig2.yaml" --set 'dynamics.force.y=log(z)'
says err "is traced" 'log\(z\)'

# k = m g c with the centre of mass c below the middle of a disc; -m g h for a foot below the centre of mass.
exits 0 "a disc" certify "$problems/single_contact.yaml" --json
margin_is 1.5*9.81*0.1
report "rolls back with the stiffness m g c" $?
cat >pointed.yaml <<'END'
cocp: 1
name: pointed
parameters: {m: 2, h: 0.3, e: 0}
states: {x: {initial: 0}, z: {initial: h}, th: {initial: 0}, vx: {}, vz: {}, om: {}}
dynamics:
  type: mechanical
  coordinates: {x: vx, z: vz, th: om}
  mass: {diag: [m, m, 0.1]}
  force: {z: -9.81*m}
contacts:
  foot: {gap: z - h*cos(th), tangent: x + h*sin(th), friction: 0.5, restitution: e}
END
exits 60 "a pointed foot" certify pointed.yaml --json
margin_is -2*9.81*0.3
report "falls with the stiffness -m g h" $?
says out "is unstable" '"outcome": "unstable".*"reason": "rolling"'
exits 60 "a force beside the foot" certify pointed.yaml --set 'dynamics.force.th=0.2'
says out "is no equilibrium either" '^no-equilibrium pointed reason=forces'
exits 60 "a disc that bounces forever" certify "$problems/single_contact.yaml" --set parameters.e=1
says out "is inconclusive" '^inconclusive single_contact reason=restitution'

# The same body in other words: units, order of coordinates and contacts, gaps that are no lengths are refused.
margin() { sed -n 's/.*margin=\([0-9.e-]*\).*/\1/p' "$1"; }
"$cocp" certify -q "$problems/block_on_plane.yaml" --set parameters.slope=0.2 >one
"$cocp" certify -q "$problems/block_on_plane.yaml" --set parameters.slope=-0.2 >other
[ -n "$(margin one)" ] && [ "$(margin one)" = "$(margin other)" ]
report "a slope to the left is a slope to the right" $?
"$cocp" certify -q "$problems/block_on_plane.yaml" --set parameters.slope=0.2 --set parameters.m=70 \
    --set parameters.g=1.6 >moon
[ "$(margin one)" = "$(margin moon)" ]
report "mass and gravity do not matter" $?
exits 60 "a gap in other units" certify "$problems/block_on_plane.yaml" --set 'contacts.left.gap=2*left_z'
says out "is not understood" '^inconclusive block_on_plane reason=model'
exits 0 "a block in the air but for tolerance" certify "$problems/block_on_plane.yaml" \
    --set 'states.z.initial=depth/2 + 1e-7'
exits 60 "a block in the air" certify "$problems/block_on_plane.yaml" --set 'states.z.initial=depth/2 + 1e-3'
says out "is no equilibrium" '^no-equilibrium block_on_plane reason=forces'

# A third foot between the two.
third='contacts.middle={gap: z - depth/2*cos(th), tangent: "x + depth/2*sin(th)", friction: 0.6, restitution: 0}'
exits 60 "three feet" certify "$problems/block_on_plane.yaml" --set "$third"
says err "say what can be done" 'certify.outer_feet'
exits 0 "the outer two of them" certify "$problems/block_on_plane.yaml" --set "$third" \
    --set certify.outer_feet=true

# Charts: sweeps, gathered.
grid="--sweep parameters.d=0.3:1.5:5 --sweep parameters.mu=0.3:1.2:4"
# shellcheck disable=SC2086  # words
exits 0 "a chart" sweep "$problems/biped_fig3.yaml" --run certify $grid -o chart -- --falsify
says out "whose points all have an answer" '^solved biped_fig3\.yaml points=20 solved=20 failed=0 '
exits 0 "it is told" show chart/chart.h5
says out "by outcomes" '^ *no-equilibrium +5$'
exits 0 "a point is a result" certify --check chart/000/000019.h5
exits 0 "the same again" sweep "$problems/biped_fig3.yaml" --run certify $grid -o chart -- --falsify
exits 2 "of another body" sweep "$problems/biped_fig3.yaml" --run certify $grid -o chart --set parameters.e=0 -- --falsify
says err "asks for --force" 'chart holds another sweep.*--force'
exits 40 "no time" sweep "$problems/biped_fig3.yaml" --run certify --sweep parameters.mu=0.4:1.2:200 --max-time 0.5 -o slow
says out "leaves a part" '^limit biped_fig3\.yaml points=200 '
exits 0 "one value, one axis" sweep "$problems/biped_fig2.yaml" --run certify --sweep parameters.d=0.5:0.5:1 -o single
exits 50 "values that are none" sweep "$problems/biped_fig2.yaml" --run certify --sweep parameters.mu1=-1,1 -o none
says none/000/000000.certify.log "with their place" 'friction: must be'
exits 2 "the old way" certify "$problems/biped_fig3.yaml" $grid -o table.h5
says err "says what to write" 'cocp sweep SPEC --run certify --sweep parameters\.d=0\.3:1\.5:5 -o DIR'
if /usr/bin/python3 -c 'import h5py, matplotlib' 2>/dev/null; then
    # Every point of the chart against certify alone, and that stability needs friction: tan(20 degrees) = 0.364.
    /usr/bin/python3 - "$cocp" "$problems/biped_fig3.yaml" >out 2>err <<'END'
import json, subprocess, sys
import h5py, numpy as np
with h5py.File("chart/chart.h5") as file:
    table = file["certificate"]
    d, mu = table["d"][:], table["mu"][:]
    data = {name: table[name].asstr()[:] if table[name].dtype.kind == "O" else table[name][:]
            for name in ("outcome", "level", "margin", "margin_p", "margin_e", "margin_m", "growth")}
assert np.allclose(d, np.linspace(0.3, 1.5, 5)) and np.allclose(mu, np.linspace(0.3, 1.2, 4))
assert ((data["outcome"] == "no-equilibrium") == (mu < 0.364)).all()
for i, j in ((0, 1), (2, 3), (4, 2)):
    line = subprocess.run([sys.argv[1], "certify", sys.argv[2], "--json", "-q", "-o", "alone.h5", "--force", "--set",
                           f"parameters.d={d[i]!r}", "--set", f"parameters.mu={mu[j]!r}"], capture_output=True, text=True)
    alone = json.loads(line.stdout)
    assert alone["outcome"] == data["outcome"][i, j], (alone, data["outcome"][i, j])
    if alone["outcome"] == "certified":
        assert alone["level"] == data["level"][i, j] and abs(alone["margin"] - data["margin"][i, j]) < 1e-9
        assert data["margin_m"][i, j] > 0
    else:
        assert not data["margin_p"][i, j] > 0
END
    report "the chart says what certify says" $?
    "$(dirname "$problems")/scripts/chart" chart --region fig3 >out 2>err && [ -s chart/chart.png ]
    report "and is drawn" $?
    sos="--set certify.method=sos --set certify.degree=2"
    # shellcheck disable=SC2086  # words
    "$cocp" sweep "$problems/biped_fig2.yaml" --run certify $sos --sweep parameters.d=0.2,1 --sweep parameters.mu1=0.2,0.8 \
        -q -o circles >/dev/null
    "$(dirname "$problems")/scripts/chart" circles --region fig2 --circles circles >out 2>err && [ -s circles/chart.png ]
    report "with circles and the edge of inverse chatter" $?
    ! "$(dirname "$problems")/scripts/chart" chart --circles circles >out 2>err && grep -q 'is over other values: d, mu1' err
    report "circles over other values are refused" $?
    # The Poincare map against simulated motions: they grow below its edge and not above it.
    PYTHONPATH="$(dirname "$problems")/scripts" /usr/bin/python3 - "$cocp" "$problems/biped_fig2.yaml" >out 2>err <<'END'
import math, subprocess, sys
from cocp_chatter import chatter_edge
for d in (0.2, 0.5):
    edge = chatter_edge(math.radians(30), 1, 2, d)
    assert edge > math.tan(math.radians(30)) - d
    for mu1, grows in ((edge - 0.03, True), (edge + 0.01, False)):
        line = subprocess.run([sys.argv[1], "certify", sys.argv[2], "--falsify", "--levels", "p", "-q", "-o", "grow.h5", "--force",
                               "--set", f"parameters.d={d!r}", "--set", f"parameters.mu1={mu1!r}"],
                              capture_output=True, text=True)
        assert line.stdout and ("growth=found" in line.stdout) == grows, (d, mu1, line.stdout)
assert chatter_edge(math.radians(30), 1, 2, 1.2) == 0
END
    report "motions grow where the Poincare map says so" $?
else
    report "# SKIP no h5py or matplotlib" 0
fi

echo "1..$n"
[ "$failures" -eq 0 ]
