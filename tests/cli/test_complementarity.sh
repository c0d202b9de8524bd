#!/bin/sh
# Complementarity by the user: found, finished, verified, told and refused. COCP is the program; TAP on stdout.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
work_apart

# With one meeting after k of 20 intervals of 0.1 s the cost is 0.25/(0.1 k) + 0.26/(2 - 0.1 k): least, 0.51, for k = 10.
awk '/^ *```yaml/ {on = ++k == 1; next} /^ *```/ {on = 0} on' "$problems/../docs/complementarity.md" >finger.yaml
exits 0 "a finger pushes a box" solve finger.yaml --verify
says out "as cheaply as can be" 'objective=0\.51 '
says err "it says which side is 0" 'push: G is 0 for 1 s, H is 0 for 1 s'
says out "it is verified" '^verified finger'
exits 0 "show" show finger.h5
says out "the sides are in the result" '^  push_H +0\.5 +0 '
says out "and rows by their names" '^  push H +complementarity\.push '
exits 0 "the checks of a replay" verify finger.h5
says err "name both signs" 'complementarity\.push\.G '
says err "and the product" 'complementarity\.push, G\*H '

exits 0 "the method alone" solve finger.yaml --set finish=off -o raw.h5
says out "has the same optimum" 'objective=0\.51 '
exits 0 "and is verified" verify -q raw.h5
exits 0 "a solve from it" solve finger.yaml --guess raw.h5 -o again.h5
says out "ends where it began" 'objective=0\.51 '
exits 0 "one start and its neighbours" solve finger.yaml --set finish.starts=1 -o neighbours.h5
says out "come to the optimum, too" 'objective=0\.51 '

exits 0 "derivatives" check finger.yaml
says out "are right, sides included" 'pairs 60'
exits 0 "the resolved spec" check --resolved finger.yaml
says out "has the block" '^    H: box - finger'
sed '/^# /d' out >resolved.yaml
exits 0 "reads back" check --resolved resolved.yaml
sed '/^# /d' out >again.yaml
cmp -s resolved.yaml again.yaml
report "as the same" $?

# With intervals of any length it meets after t1 = 2/(1 + sqrt(1.04)), for (1 + sqrt(1.04))^2/8.
exits 0 "intervals of any length" solve finger.yaml --set discretization.control_grid=free -o free.h5
says out "have the true optimum" 'objective=0\.5099509'
# From anywhere it starts behind the box and pushes for 2 s: 0.26/2.
exits 0 "a free start" solve finger.yaml --set 'states.finger.initial=[-1, 2]' -o start.h5
says out "is at the box" 'objective=0\.13 '
# Half the drag from 0.75 m on: no constant speed follows through that, so that it is passed where an interval ends.
sed 's/box: f\/c/box: "if(box < 0.75, f\/c, 2*f\/c)"/' finger.yaml >oil.yaml
exits 0 "drag that switches" solve oil.yaml --verify
says out "is verified" '^verified finger'

# A box with mass speeds up, which a finger of constant speed cannot follow; one whose speed changes can.
sed 's/^  rhs: .*/  rhs: {box: w, w: f - c*w, finger: v}/; s/^  finger: {units.*/&\n  w: {units: m\/s, initial: 0}/; s/intervals: 20/intervals: 10/' \
    finger.yaml >mass.yaml
"$cocp" solve mass.yaml -o mass.h5 >out 2>err
[ $? -ne 0 ]
report "what no control can hold at 0 is not solved" $?
says err "is named" 'mass\.yaml:17:9: push H.* at t = '
exits 0 "a continuous control can" solve mass.yaml --set controls.v.hold=linear -o mass.h5

exits 20 "a force that is never 0" solve finger.yaml --set 'controls.f.bounds=[0.5, 3]' -o none.h5
says err "has a bound that has to give way, to 0" 'controls\.f\.bounds: .* from 0\.5 to 3 N, .* is 0 N '
says err "fails with the name, time and line" 'finger\.yaml:16:9: push.* at t = '

sed 's/^complementarity:/constraints:\n  apart: box - finger >= 0/; s/push: {G.*/push: (box - finger)*f <= 1e-3/' finger.yaml >by_hand.yaml
exits 0 "a product by hand" check by_hand.yaml
says err "is noticed" 'by_hand\.yaml:17:9: warning: constraints\.push: .*complementarity: \{push: \{G: "f", H: "box - finger"\}\}'
exits 0 "one of a factor that may be negative" check by_hand.yaml --set 'controls.f.bounds=[-1, 10]'
if grep -q warning err; then false; else true; fi
report "is none" $?

exits 3 "one plan for several drags" solve finger.yaml --set 'scenarios={vary: {parameters.c: [1.9, 2, 2.1]}}' -o plan.h5
says err "is refused" 'complementarity\.push: a side that common controls hold at 0 in one scenario'

# No inertia, one finger: four faces of which one bears a force.
exits 0 "push_box" solve "$problems/push_box.yaml" --verify
says out "is verified" '^verified push_box'
says err "one face after the other" 'one_face: H is 0 .* G is 0'
exits 0 "the leg without mass" solve "$problems/massless_leg.yaml" --verify
says out "is verified" '^verified massless_leg'

# --- Forces that H determines ---
# The bridge is to the circuit what its resistor is: v and i in closed form, v_R = |v|, and two diodes conduct at a time.
exits 0 "a bridge of diodes" simulate "$problems/diode_bridge.yaml" -o bridge.h5
exits 0 "is verified" verify bridge.h5
/usr/bin/python3 -c '
import h5py, numpy as np
f = h5py.File("bridge.h5")
x = f["trajectory"]
t, L, C, R, v0 = x["t"][:], 1e-2, 1e-6, 1e3, 10
a = 1/(2*R*C)
w = np.sqrt(1/(L*C) - a*a)
v = v0/w*np.exp(-a*t)*(w*np.cos(w*t) - a*np.sin(w*t))
assert abs(x["v"][:] - v).max() < 1e-10 and abs(x["i"][:] - v0/(L*w)*np.exp(-a*t)*np.sin(w*t)).max() < 1e-12
assert abs(x["v_R"][:] - abs(v)).max() < 1e-10
for name in "r1", "f1", "r2", "f2":
    H, force = x[name + "_H"][:], x[name + "_lambda"][:]
    assert H.min() > -1e-10 and force.min() > -1e-10 and abs(H*force).max() < 1e-10
e = f["events"]
zeros = (np.arange(6)*np.pi + np.arctan2(w, a))/w                       # of v
assert len(e["t"]) == 24 and abs(e["t"][::4] - zeros).max() < 1e-12' >out 2>err
report "is a damped oscillator, each diode on one side at a time" $?

# Two diodes with resistances in common charge a capacitor: the same by an integration of its own, whose diodes are the only
# nonnegative solution among the four combinations.
cat >charge.yaml <<'END'
cocp: 1
name: charge
parameters: {r: 10, rd: 1, C: 1e-4, R: 200}
time: {horizon: 0.02}
states: {v: {initial: 0}}
define: {vs: 10*sin(100*pi*t)}
dynamics: {type: ode, rhs: {v: (a.lambda + b.lambda - v/R)/C}}
complementarity:
  a: {H: v - vs + r*(a.lambda - b.lambda) + rd*a.lambda + 0.5*a.lambda^2}
  b: {H: v + vs - r*(a.lambda - b.lambda) + rd*b.lambda}
END
exits 0 "diodes with resistances in common" simulate charge.yaml -o charge.h5
/usr/bin/python3 -c '
import h5py, numpy as np
def currents(v, s):
    a = max(0, (-11 + np.sqrt(121 + 2*max(0, s - v))))                  # 0.5 a^2 + 11 a = s - v
    b = max(0, (-s - v)/11)
    return a, b
def rate(t, v):
    a, b = currents(v, 10*np.sin(100*np.pi*t))
    assert a*b == 0                                                     # so that neither hangs on the other here
    return (a + b - v/200)/1e-4
t, v, n = 0, 0, 200000
h = 0.02/n
for k in range(n):                                                      # Heun, errors of 1e-9
    p = rate(t, v)
    v += h/2*(p + rate(t + h, v + h*p))
    t = (k + 1)*h
x = h5py.File("charge.h5")["trajectory/v"][-1]
print(x, v)
assert abs(x - v) < 1e-7' >out 2>err
report "are those of an integration of its own" $?
linear='complementarity.a.H=v - vs + r*(a.lambda - b.lambda) + rd*a.lambda'
exits 0 "in a linear circuit" simulate charge.yaml --set "$linear" -o linear.h5
for stages in 2 3; do
    for steps in 10 80; do
        exits 0 "by $steps steps of fesd, $stages stages" simulate charge.yaml --set "$linear" --method fesd --set simulate.steps=$steps \
            --set discretization.stages=$stages -o fesd_${stages}_$steps.h5
    done
done
/usr/bin/python3 -c '
import h5py
end = lambda file: h5py.File(file)["trajectory/v"][-1]
error = {(s, n): abs(end(f"fesd_{s}_{n}.h5") - end("linear.h5")) for s in (2, 3) for n in (10, 80)}
print(error)
assert error[2, 10] > 8**2.8*error[2, 80] and error[3, 10] > 8**4.8*error[3, 80] and error[3, 80] < 1e-9' >out 2>err
report "are of order 3 and 5" $?

awk '/^ *```yaml/ {on = ++k == 2; next} /^ *```/ {on = 0} on' "$problems/../docs/complementarity.md" >charger.yaml
exits 0 "a charge with the least heat" solve charger.yaml --verify -o charger.h5
says out "is verified" '^verified charger .* events=2/2 '
says err "in words" 'diode: is open 0\.2 s, is closed 1\.6 s, is open 0\.2 s'
exits 0 "by the method alone" solve charger.yaml --set finish=off --set constraints.most='e <= 9' --set discretization.stages=3 \
    --set time.elements=4 -o raw.h5
says out "it is the same" 'objective=0\.6736[78]'
exits 0 "without the bound" solve charger.yaml --set constraints.most='e <= 9' -o free.h5
says out "it is cheaper" 'objective=0\.67368'
exits 0 "tracked" track charger.yaml -o tracked.h5
awk -F'[= ]' '{ exit !(/^solved charger / && ($4 - $6)^2 < 1e-14 && $6 ~ /^0\.674668/) }' out
report "what is left of the best charge is best" $?
exits 0 "with its sensitivity" solve charger.yaml --sensitivity -o sensitive.h5
exits 0 "for two resistances" solve charger.yaml --set 'scenarios={vary: {parameters.r: [0.9, 1.1]}}' --set states.v.final=free \
    --set cost.terminal.full='100*(v - 1)^2' --set constraints.most='e <= 9' --verify -o both.h5
says out "is verified" '^verified charger'
exits 0 "by fixed steps" solve charger.yaml --set discretization.method=time-stepping -o steps.h5
exits 0 "its resolved spec" check --resolved charger.yaml
cp out resolved.yaml
says out "has the pair" 'diode: *\{?'
exits 0 "reads back" check resolved.yaml
says out "with exact derivatives" 'derivatives +off central differences by [0-9.]+e-1[0-9]'
exits 3 "Gauss" solve charger.yaml --set discretization.scheme=gauss-legendre --set finish=off -o no.h5
says err "needs the end of the step" 'use scheme radau-iia'
exits 3 "without G, and a control for the force" check charger.yaml --set 'complementarity.diode={H: v - e}'
says err "what is missing is said" '"G" is missing'

# r = 0.548 is the least of the sum of squares by an integration of its own (Heun, 4000 steps), 0.017766.
cat >fit.yaml <<'END'
cocp: 1
name: fit
parameters: {r: {value: 1.5, optimize: [0.2, 5]}}
time: {horizon: 2, intervals: 10, elements: 2}
states: {v: {initial: 0}}
dynamics: {type: ode, rhs: {v: d.lambda}}
complementarity: {d: {H: v - sin(4*t) + r*d.lambda}}
data: {table: {t: [0.3, 0.5, 0.9, 1.5, 1.9], v: [0.3, 0.4, 0.5, 0.5, 0.7]}, columns: {v: v}}
END
exits 0 "a fit" solve fit.yaml --verify
says out "is the least of all" '^solved fit objective=0\.01776'
says err "and has its deviation" 'r = 0\.548 \+- 0\.05'

# Two diodes whose currents go through one resistance, solved.
cat >two.yaml <<'END'
cocp: 1
name: two
parameters: {r: 0.5, rd: 0.2, C: 1}
time: {horizon: 2, intervals: 8, elements: 2}
states: {v: {initial: 0, final: 1}}
controls: {e: {hold: linear, rate: [-8, 8], bounds: [-3, 3], guess: 1}}
dynamics: {type: ode, rhs: {v: (a.lambda + b.lambda - 0.1*v)/C}}
complementarity:
  a: {H: v - e + r*(a.lambda - b.lambda) + rd*a.lambda}
  b: {H: v + e - r*(a.lambda - b.lambda) + rd*b.lambda}
cost: {running: {heat: a.lambda^2 + 2*b.lambda^2 + 0.01*e^2}}
constraints: {from: {expr: e == -1, at: initial}, to: {expr: e <= 0, at: final}}
END
exits 0 "two diodes" solve two.yaml --verify
says out "are verified" '^verified two .* events=3/3 '

# A strut that cannot pull, of spring and damper: energy is what gravity and the strut do to it, beside a contact.
cat >strut.yaml <<'END'
cocp: 1
name: strut
parameters: {m: 1, g: 9.81, k: 500, d: 20}
time: {horizon: 2}
states: {z: {initial: 0.3}, v: {initial: 0}}
contacts: {floor: {gap: z + 0.05, restitution: 0.5}}
dynamics: {type: mechanical, coordinates: {z: v}, mass: {diag: [m]}, force: {z: strut.lambda - m*g}}
complementarity: {strut: {H: strut.lambda + k*z + d*v}}
END
exits 0 "beside a contact" simulate strut.yaml -o strut.h5
exits 0 "in a bundle" simulate strut.yaml --samples 2 --perturb z=0.1 -o bundle.h5
exits 0 "verified" verify strut.h5
says out "its energy is balanced" 'energy=[0-9.]+e-(09|1[0-9])'
/usr/bin/python3 -c '
import h5py
f = h5py.File("strut.h5")
assert abs(f["trajectory/z"][-1] + 9.81/500) < 1e-6 and abs(f["trajectory/strut_lambda"][-1] - 9.81) < 1e-3
assert "impact" in list(f["events/kind"].asstr()[:])' >out 2>err
report "hits the floor and comes to rest where the spring carries it" $?

# Forces of which only a sum is determined may act as a sum alone.
cat >sum.yaml <<'END'
cocp: 1
name: sum
time: {horizon: 1}
states: {x: {initial: 1}}
dynamics: {type: ode, rhs: {x: -a.lambda - b.lambda}}
complementarity: {a: {H: a.lambda + b.lambda - x}, b: {H: a.lambda + b.lambda - x}}
END
exits 0 "a sum of forces" simulate sum.yaml -o sum.h5
/usr/bin/python3 -c '
import h5py, numpy as np
assert abs(h5py.File("sum.h5")["trajectory/x"][-1] - np.exp(-1)) < 1e-11' >out 2>err
report "is what H says" $?
exits 50 "a side that no force can keep" simulate sum.yaml --set 'complementarity={a: {H: -a.lambda - x}, b: {H: b.lambda}}' -o no.h5
says err "is said" 'the sides H of the pairs do not determine their forces here'

echo "1..$n"
[ "$failures" -eq 0 ]
