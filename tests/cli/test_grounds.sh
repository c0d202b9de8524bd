#!/bin/sh
# Grounds in the plane through every command: against the same by hand, and between methods. COCP is the program; TAP on stdout.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
work_apart

cat >groove.yaml <<'END'
cocp: 1
name: groove
parameters: {g: 9.81, r: 0.5, m: 2, J: 0.5*m*r^2, c: 1/sqrt(2)}
time: {horizon: 0.5}
states:
  x: {initial: 0}
  z: {initial: r/c}
  phi: {initial: 0}
  vx: {initial: 0.2}
  vz: {initial: -1}
  w: {initial: 0}
dynamics:
  type: mechanical
  coordinates: {x: vx, z: vz, phi: w}
  kinetic: 0.5*m*(ddt(x)^2 + ddt(z)^2) + 0.5*J*ddt(phi)^2
  potential: m*g*z
contacts:
  disc: {point: [x, z], radius: r, angle: phi, ground: groove, friction: 0.3}
grounds:
  groove: {points: [[-1, 1], [0, 0], [1, 1]]}
impact: {h: 10, samples: 512}
END
sed -e '/^grounds/,/groove: {/d' -e '/^  disc: {/c\
  disc_1: {gap: c*(x + z) - r, slip: c*(vx - vz) + r*w, friction: 0.3}\
  disc_2: {gap: c*(z - x) - r, slip: c*(vx + vz) + r*w, friction: 0.3}' groove.yaml >hand.yaml

exits 0 "a resolved spec" check --resolved groove.yaml
cp out resolved.yaml
says out "has its grounds" '^grounds:'
exits 0 "reads back" check --resolved resolved.yaml
cmp -s out resolved.yaml
report "to the same" $?

outcomes() {    # what each contact does, and how often
    grep -E '^ +(stick|slide|lift) ' out | awk '{print $1, $2, $4}'
}
exits 0 "outcomes of an impact on two faces at once" impact groove.yaml
outcomes >set
exits 0 "and of the same by hand" impact hand.yaml
outcomes | cmp -s - set && [ "$(wc -l <set)" -ge 3 ]
report "are the same" $?

# far A B TOLERANCE: how far apart final states of two results are
cat >far.py <<'END'
import sys, h5py
a, b = (h5py.File(name)["uniform"] for name in sys.argv[1:3])
far = max(abs(a[q][-1] - b[q][-1]) for q in ("x", "z", "phi", "vx", "vz", "w"))
print(far)
sys.exit(0 if far <= float(sys.argv[3]) else 1)
END
agree() {       # agree NAME A B TOLERANCE
    /usr/bin/python3 far.py "$2" "$3" "$4" >out 2>err
    report "$1" $?
}

exits 0 "a disc falls into a groove" simulate groove.yaml --force -o groove.h5
exits 0 "by hand" simulate hand.yaml --force -o hand.h5
agree "to the same place" groove.h5 hand.h5 1e-12
exits 0 "verified" verify groove.h5

ball="$problems/stair_ball.yaml"
exits 0 "a ball down the stairs" simulate "$ball" --set time.horizon=2 -o event.h5
exits 0 "verified" verify event.h5
exits 0 "by FESD-J" simulate "$ball" --set time.horizon=2 --method fesd-j --set simulate.steps=100 -o fesd_j.h5
agree "four impacts, two of them on edges, to rounding" event.h5 fesd_j.h5 1e-9
exits 0 "by time steps" simulate "$ball" --set time.horizon=0.8 --method moreau --set simulate.steps=4000 -o moreau.h5
exits 0 "from event to event as far" simulate "$ball" --set time.horizon=0.8 -o short.h5
agree "to the first order" moreau.h5 short.h5 3e-3
exits 3 "time-freezing has no bounce beside friction" simulate "$ball" --method time-freezing --set simulate.steps=10
says err "and says so" 'contacts.ball: time-freezing has no friction at elastic contacts'
/usr/bin/python3 -c '
import h5py, sys
draw = h5py.File("groove.h5")["draw"]
kinds = dict(zip(draw["name"].asstr(), draw["kind"].asstr()))
sys.exit(not (draw["ground_groove"][:].tolist() == [[-1, 1], [0, 0], [1, 1]] and "point_disc" in draw
              and "circle" in list(draw["kind"].asstr())))' 2>err
report "shapes and grounds are drawn without being asked for" $?

sed -e '/^contacts:/,/^certify/c\
grounds: {steps: {points: [[-3, -h], [0, -h], [0, 0.2 - h], [4, 0.2 - h]]}}\
contacts:\
  foot1: {point: [y + l1*cos(th) + h*sin(th), z + l1*sin(th) - h*cos(th)], ground: steps, friction: mu}\
  foot2: {point: [y + l2*cos(th) + (h - 0.2)*sin(th), z + l2*sin(th) - (h - 0.2)*cos(th)], ground: steps, friction: mu}\
certify: {levels: [p, e, m]}' "$problems/biped_fig3.yaml" >steps.yaml
sed -e '/^contacts:/,/^certify/c\
contacts:\
  foot1: {gap: z + l1*sin(th) + h*(1 - cos(th)), tangent: y + l1*cos(th) + h*sin(th), friction: mu}\
  foot2: {gap: z + l2*sin(th) + (h - 0.2)*(1 - cos(th)), tangent: y + l2*cos(th) + (h - 0.2)*sin(th), friction: mu}\
certify: {levels: [p, e, m]}' "$problems/biped_fig3.yaml" >written.yaml
exits 0 "feet on different steps are certified" certify steps.yaml -o steps.h5
sed 's/time=.*//' out >margin
exits 0 "as by hand" certify written.yaml -o written.h5
sed 's/time=.*//' out | cmp -s - margin
report "with the same margin" $?

cat >jump.yaml <<'END'
cocp: 1
name: jump
parameters: {g: 9.81}
states:
  x: {initial: 0, final: 0.6}
  z: {initial: 0, final: 0.2}
  vx: {initial: 0, final: 0}
  vz: {initial: 0, final: 0}
controls: {ux: {bounds: [-20, 20]}, uz: {bounds: [-20, 30]}}
grounds: {steps: {points: [[-1, 0], [0.3, 0], [0.3, 0.2], [2, 0.2]]}}
dynamics:
  type: mechanical
  coordinates: {x: vx, z: vz}
  mass: {diag: [1, 1]}
  force: {x: ux, z: uz - g}
contacts:
  foot: {point: [x, z], ground: steps, friction: 0.8}
cost: {running: {u: ux^2 + uz^2}}
guess: {waypoints: {0.3: {x: 0, z: 0}, 0.5: {x: 0.25, z: 0.5}, 0.7: {x: 0.6, z: 0.2}}}
phases:
  stand: {length: 0.3, intervals: 4, contacts: {foot_1: sticks, foot_2: open}}
  fly: {length: {min: 0.1, max: 1, guess: 0.4}, intervals: 8, contacts: {foot: open}}
  land: {length: 0.3, intervals: 4, contacts: {foot_1: open, foot_2: sticks}}
END
exits 0 "phases name contacts of a shape, or all of them" solve jump.yaml -o jump.h5
says err "and the jump onto the step is verified" 'verified: a replay from event to event'
exits 0 "derivatives on edges are those of differences" check jump.yaml

# Its controls, integrated by what holds on each stretch: (J + m r^2) w' = -u on the flat, an impact that keeps the moment of
# momentum about the edge, J w + m r (r - h) w = (J + m r^2) w+, and around the edge, at the angle a from the vertical,
# (J + m r^2) a'' = u + m g r sin(a).
cat >kerb.py <<'END'
import math, sys, h5py
f = h5py.File(sys.argv[1])
u, starts = f["grid"]["u"][:, 0], list(f["grid"]["t_interval"][:])
m, g, r, h = 10, 9.81, 0.3, 0.06
J = 0.5*m*r**2
K = J + m*r**2
def rates(where, y, torque):                # of x and its rate on the flat, of a around the edge
    return y[1], torque*r/K if where != "edge" else (torque + m*g*r*math.sin(y[0]))/K
def step(where, y, torque, dt):
    k1 = rates(where, y, torque)
    k2 = rates(where, [y[i] + 0.5*dt*k1[i] for i in (0, 1)], torque)
    k3 = rates(where, [y[i] + 0.5*dt*k2[i] for i in (0, 1)], torque)
    k4 = rates(where, [y[i] + dt*k3[i] for i in (0, 1)], torque)
    return [y[i] + dt*(k1[i] + 2*k2[i] + 2*k3[i] + k4[i])/6 for i in (0, 1)]
where, y, t, seen = "floor", [-0.6, 0.0], 0.0, []
ends = {"floor": -math.sqrt(r*r - (r - h)**2), "edge": 0.0, "ledge": math.inf}
while t < 2 - 1e-12:
    i = max(k for k in range(len(u)) if starts[k] <= t + 1e-12)
    dt = min(1e-3, (starts[i + 1] if i + 1 < len(u) else 2.0) - t)
    after = step(where, y, u[i], dt)
    if after[0] > ends[where]:
        lo, hi = 0.0, dt
        for _ in range(60):
            lo, hi = (0.5*(lo + hi), hi) if step(where, y, u[i], 0.5*(lo + hi))[0] < ends[where] else (lo, 0.5*(lo + hi))
        dt, after = hi, step(where, y, u[i], hi)
        seen.append(t + dt)
        if where == "floor":
            where, after = "edge", [-math.asin(-ends["floor"]/r), after[1]/r*(J + m*r*(r - h))/K]
        else:
            where, after = "ledge", [0.0, after[1]*r]
    y, t = after, t + dt
end = f["uniform"]
hit = [e for e in range(len(f["events"]["t"])) if f["events"]["kind"].asstr()[e] == "impact"]
print(where, y, seen, f["events"]["t"][:])
sys.exit(not (where == "ledge" and abs(y[0] - end["x"][-1]) < 1e-6 and abs(y[1] - end["vx"][-1]) < 1e-6
              and len(hit) == 1 and abs(seen[0] - f["events"]["t"][hit[0]]) < 1e-8))
END
exits 0 "a wheel takes a run at a kerb" solve "$problems/wheel_kerb.yaml" --verify -o kerb.h5
says err "it is verified" 'verified: a replay from event to event'
/usr/bin/python3 kerb.py kerb.h5 >out 2>err
report "as an integration that is written here has it" $?
/usr/bin/python3 -c '
import h5py, sys
text = h5py.File("kerb.h5")["phases"].attrs["sequence"]
sys.exit(not (text.startswith("k1o ") or text.startswith("ko ")) or not text.split()[-1] == "ok3")' 2>err
report "it stays closed from the edge to the ledge" $?

# The same wheel as an ellipse, with the torque that lifts the round one: it ends on the ledge, at rest or not.
sed -e 's/^name: wheel_kerb/name: egg_kerb/; s/point: \[x, z\], radius: r/point: [x, z], ellipse: [r, 0.9*r]/' \
    -e 's/initial: r,    final: r + h/initial: 0.9*r/; s/final: 0.4}/final: [0.3, 0.6]}/; s/, final: 0}/}/; s/0.6\*T_lift/T_lift/' \
    "$problems/wheel_kerb.yaml" >egg_kerb.yaml
exits 0 "derivatives of ellipses on corners are those of differences" check egg_kerb.yaml
says out "and nothing is found" 'no findings'
exits 0 "an ellipse rolls up the kerb" solve egg_kerb.yaml --verify -o egg_kerb.h5
says err "verified" 'verified: a replay from event to event'

# A box that falls flat onto an edge, its centre right above it: it stays there, as nothing pushes it over. The corner of its
# contact has a kink at 0 and stands there, so that no part of a step is short enough to be proven; it used to creep for ever.
cat >balance.yaml <<'END'
cocp: 1
parameters: {m: 1, g: 9.81, a: 0.2, b: 0.1}
time: {horizon: 2, intervals: 10}
states: {x: {initial: 0}, z: {initial: 0.1}, th: {initial: 0}, vx: {initial: 0}, vz: {initial: 0}, w: {initial: 0}}
dynamics: {type: mechanical, coordinates: {x: vx, z: vz, th: w}, mass: {diag: [m, m, m*(a^2 + b^2)/12]}, force: {z: -m*g}}
grounds: {step: {points: [[-2, 0], [0, 0], [0, -0.5], [2, -0.5]]}}
contacts: {crate: {point: [x, z], angle: th, box: [a, b], ground: step, friction: 0.5}}
END
exits 0 "a box on an edge" simulate balance.yaml --max-time 30 -o balance.h5
says out "in a few steps" '^solved balance steps=[0-9][0-9]? '
"$cocp" export balance.h5 --group uniform >out 2>err
awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) at[$k] = k; next }
         { z = 0.1 - 4.905*$at["t"]^2; off = ($at["z"] - (z > 0.05 ? z : 0.05))^2 + $at["x"]^2 + $at["th"]^2; if (off > 1e-16) bad = 1 }
         END { exit bad || NR < 100 }' out
report "falls, and stays" $?

# A box is pushed over an edge until it tips, from a simulation that does: its corner runs off the floor as the edge comes under it.
cat >tip.yaml <<'END'
cocp: 1
name: tip
parameters: {g: 9.81, m: 2, a: 0.4, b: 0.2, J: m*(a^2 + b^2)/12}
time: {horizon: 0.5, intervals: 5}
states:
  x: {initial: -0.25}
  z: {initial: 0.5*b}
  phi: {initial: 0, final: [-1, -0.3]}
  vx: {initial: 0}
  vz: {initial: 0}
  w: {initial: 0}
controls: {u: {bounds: [-30, 30]}}
dynamics:
  type: mechanical
  coordinates: {x: vx, z: vz, phi: w}
  kinetic: 0.5*m*(ddt(x)^2 + ddt(z)^2) + 0.5*J*ddt(phi)^2
  potential: m*g*z
  force: {x: u}
grounds: {step: {points: [[-2, 0], [0, 0], [0, -1], [2, -1]]}}
contacts: {box: {point: [x, z], box: [a, b], angle: phi, ground: step, friction: 0.4}}
cost: {running: {effort: u^2}}
simulate: {controls: {u: "if(t < 0.3, 16, 0)"}}
END
exits 0 "a push over an edge" simulate tip.yaml -o pushed.h5
ends=0
# The faces that a corner touches are told apart by rounding.
for push in 15.5 15.56 15.6 15.74 15.84 16.04 16.12 16.34; do
    "$cocp" simulate -q tip.yaml --set "simulate.controls.u=if(t < 0.3, $push, 0)" -o other.h5 >out 2>&1 \
        && ends=$((ends + 1))
done
[ $ends -eq 8 ]
report "pushes of other sizes" $?
exits 0 "is a guess" solve tip.yaml --guess pushed.h5 --verify -o tip.h5
says err "whose corner slides to the edge, and stands until then" 'the given solution: a solution with 2 events'
says err "and the least push is verified" 'verified: a replay from event to event'
/usr/bin/python3 -c '
import h5py, sys
f = h5py.File("tip.h5")["events"]
kinds = list(zip(f["kind"].asstr(), f["name"].asstr()))
sys.exit(("liftoff", "box_1_1") not in kinds or any(k == "impact" and abs(i) > 1e-9 for (k, _), i in zip(kinds, f["impulse_n"])))' 2>err
report "it tips, and nothing is hit on the way" $?

echo "1..$n"
[ "$failures" -eq 0 ]
