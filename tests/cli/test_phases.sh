#!/bin/sh
# Phases by the user: the problems that ship against what is known of them, what takes phases and what refuses them.
# COCP is the program; TAP on stdout.
# shellcheck source=tests/cli/tap.sh disable=SC2016    # $at["..."] is awk's
. "$(dirname "$0")/tap.sh"
work_apart

# judge NAME FILE.h5 GROUP PROGRAM: awk over the rows of the group, $at["column"]; first and last hold those rows.
judge() {
    "$cocp" export "$2" --csv --group "$3" >table 2>err
    : >out
    awk -F, "function abs(a) { return a < 0 ? -a : a }
             function near(a, b, tol) { return abs(a - b) <= tol }
             NR == 1 { for (k = 1; k <= NF; k++) at[\$k] = k; next }
             { for (k in at) { if (NR == 2) first[k] = \$at[k]; last[k] = \$at[k] } }
             $4" table
    report "$1" $?
}
value() {       # value FILE.h5 PARAMETER
    "$cocp" show "$1" | awk -v name="$2" '$1 == name {print $2; exit}'
}

# --- A throw: what is let go flies as a stone does ---
exits 0 "throw" solve -q "$problems/throw.yaml"
says out "is solved to rounding" '^solved throw .* error=[0-9.]+e-1[0-9] '
judge "from the hand to the ring by closed form" throw.h5 trajectory '
    $at["flight"] == 1 && !seen { seen = 1; t = $at["t"]; x = $at["x"]; z = $at["z"]; vx = $at["vx"]; vz = $at["vz"] }
    $at["flight"] == 1 && ($at["ux"] != 0 || $at["uz"] != 0) { bad = 1 }
    END { T = last["t"] - t
          exit !(seen && !bad && near(x + vx*T, 4, 1e-9) && near(z + vz*T - 0.5*9.81*T*T, 1.5, 1e-9)) }'
judge "within reach while it is held" throw.h5 trajectory \
    '$at["held"] == 1 && $at["x"]^2 + $at["z"]^2 > 0.64 + 1e-6 { bad = 1 } END { exit bad }'
exits 0 "show" show throw.h5
says out "tells its phases" '^  flight +0\.29[0-9]+ +1\.09[0-9]+ +0\.80'

# --- Stages of a rocket: Tsiolkovsky's equation with gravity, v+ - v- = ve ln(m-/m+) - g T, and ballistic flight ---
exits 0 "rocket_stages" solve -q "$problems/rocket_stages.yaml"
says out "is solved" '^solved rocket_stages .* error=[0-9.]+e-(0[7-9]|1[0-9]) '
says out "to the mass that the closed form of its three arcs leaves (problems/cases.md)" 'objective=-6\.151702[78]'
judge "its phases are events" rocket_stages.h5 events '
    { name[NR] = $at["name"]; kind = kind $at["kind"] }
    END { exit !(NR == 3 && name[2] == "coast" && name[3] == "landing" && kind == "phasephase") }'
judge "burns and flights as closed forms say, with all of the thrust" rocket_stages.h5 trajectory '
    { p = $at["ascent"] == 1 ? 1 : $at["coast"] == 1 ? 2 : 3
      if (!(p in t0)) { t0[p] = $at["t"]; h0[p] = $at["h"]; v0[p] = $at["v"]; m0[p] = $at["m"] }
      t1[p] = $at["t"]; h1[p] = $at["h"]; v1[p] = $at["v"]; m1[p] = $at["m"] }
    END { g = 0.00981; ve = 3; T = t1[2] - t0[2]
      ok = near(v1[1], ve*log(m0[1]/m1[1]) - g*(t1[1] - t0[1]), 1e-8) && near(v1[1], 1, 1e-7)
      ok = ok && near(m0[2], m1[1] - 8, 1e-9) && near(v1[2], v0[2] - g*T, 1e-9) && near(h1[2], h0[2] + v0[2]*T - g*T*T/2, 1e-7)
      ok = ok && near(v1[3] - v0[3], ve*log(m0[3]/m1[3]) - g*(t1[3] - t0[3]), 1e-8) && near(h1[3], 0, 1e-8) && near(v1[3], 0, 1e-8)
      ok = ok && near(m0[3] - m1[3], 0.2*(t1[3] - t0[3]), 1e-5)
      exit !ok }'
exits 0 "from its own solution" solve -q "$problems/rocket_stages.yaml" --guess rocket_stages.h5 -o again.h5
says out "it takes next to no iteration" 'iter=[0-3] '
exits 0 "sensitivities" solve -q "$problems/rocket_stages.yaml" --sensitivity -o s.h5

# --- The compass walker on 3 degrees: angles, rates and period of the literature, and steps that repeat ---
exits 0 "compass_walker" solve -q "$problems/compass_walker.yaml"
judge "starts as published" compass_walker.h5 trajectory '
    END { exit !(near(first["swing"], -0.3234, 6e-5) && near(first["stance"], 0.2187, 6e-5) &&
                 near(first["w_swing"], -0.3772, 6e-5) && near(first["w_stance"], -1.0918, 6e-5)) }'
left=$(value compass_walker.h5 left_length)
right=$(value compass_walker.h5 right_length)
awk "BEGIN { d = $left - $right; exit !(d < 1e-6 && d > -1e-6 && $left > 0.7337 && $left < 0.7357) }"
report "both steps last 0.734 s: $left, $right" $?
exits 0 "the walk, from event to event" verify compass_walker.h5
says out "agrees" '^verified compass_walker error=[0-9.]+e-(0[7-9]|1[0-9]) .* events=1/1'
judge "and nothing but heel strikes takes energy" compass_walker.h5 trajectory '
    { n = $at["swing"]; s = $at["stance"]; wn = $at["w_swing"]; ws = $at["w_stance"]
      E = 0.5*(10 + 5 + 1.25)*ws^2 + 0.5*1.25*wn^2 - 2.5*cos(s - n)*ws*wn + 9.8*((2.5 + 10 + 5)*cos(s) - 2.5*cos(n))
      p = $at["left"]; if (!(p in e)) e[p] = E; if (!near(E, e[p], 1e-5)) bad = 1 } END { exit bad }'

# --- The biped: a sequence that is given is not looked for ---
exits 0 "five_link_biped" solve "$problems/five_link_biped.yaml"
says out "is solved, and agrees with its replay" '^solved five_link_biped objective=0\.1584[0-9]* .* error=[0-9.]+e-0[5-9] '
says err "in one program" 'the sequence of the phases: a solution with 1 event'
says err "of its phases" 'a: sticks 0\.60[0-9]* s, is open 0\.09'
judge "its last state is the mirrored first one" five_link_biped.h5 trajectory '
    END { ok = near(last["x"], 0.4, 1e-9) && near(last["t"], 0.7, 1e-9)
          ok = ok && near(first["torso"], last["torso"], 1e-8) && near(first["z"], last["z"], 1e-6)
          ok = ok && near(first["thigh_a"], last["thigh_b"], 1e-8) && near(first["thigh_b"], last["thigh_a"], 1e-8)
          ok = ok && near(first["shank_a"], last["shank_b"], 1e-8) && near(first["w_shank_b"], last["w_shank_a"], 1e-8)
          exit !ok }'
exits 0 "verified" verify five_link_biped.h5
says out "by all of the spec" '^verified five_link_biped '

# --- Contacts that come and go, discovered ---
cat >shelf.yaml <<'SPEC'
cocp: 1
name: shelf
states: {x: {initial: 0}, z: {initial: 1}, vx: {initial: 2}, vz: {initial: 0}}
controls: {u: {bounds: [-3, 3]}}
phases:
  shelved: {length: 0.5, intervals: 5, contacts: [shelf]}
  falling: {length: {min: 0.2, max: 0.6, guess: 0.5}, intervals: 4, contacts: [floor], controls: []}
  landed:  {length: 0.3, intervals: 3, contacts: [floor], start: {vx: 0.5*vx}, constraints: {down: {expr: z <= 1e-4, at: initial}}}
dynamics:
  type: mechanical
  coordinates: {x: vx, z: vz}
  mass: {diag: [1, 1]}
  force: {x: u, z: -10}
contacts:
  shelf: {gap: z - 1, tangent: x, friction: 0.2}
  floor: {gap: z, tangent: x, friction: 0.5}
cost: {running: {effort: u^2}, terminal: {goal: 10*(x - 2.2)^2}}
SPEC
exits 0 "contacts of phases" solve shelf.yaml
says out "are found and verified" '^solved shelf objective=2\.8482[0-9]* .* error=[0-9.]+e-(0[7-9]|1[0-9]) '
says err "with the fall between them" 'floor: is open 0\.9472'
exits 0 "by the program of fesd-j" solve -q shelf.yaml --set finish.use=off -o raw.h5
says out "the same" 'objective=2\.8482'
exits 0 "which verifies" verify raw.h5
exits 0 "simulated" simulate -q shelf.yaml -o sim.h5
exits 0 "and verified" verify sim.h5

# --- How a length changes the optimum: 0.5/(0.25 + 2 L) with L = (k + 1)/4 at k = 1, so -0.16 ---
cat >fixed.yaml <<'SPEC'
cocp: 1
name: fixed
parameters: {k: 1}
states: {x: {initial: 0, final: 1}}
controls: {u: {bounds: [-5, 5]}, w: {bounds: [-5, 5]}}
phases:
  a: {length: 0.5, intervals: 2}
  b: {length: 0.25*k + 0.25, intervals: 3, controls: [w], dynamics: {rhs: {x: 2*w}}}
dynamics: {type: ode, rhs: {x: u}}
cost: {running: {e: u^2 + w^2}}
SPEC
exits 0 "lengths by parameters" solve -q fixed.yaml --sensitivity
says out "0.4 at the optimum" 'objective=0\.4[0 ]'
judge "and its derivatives" fixed.h5 sensitivity '
    $at["number"] == "k" { ok = near($at["objective"], -0.16, 1e-8) && near($at["horizon"], 0.25, 1e-8) } END { exit !ok }'

# --- Who takes them ---
exits 3 "time-freezing" solve "$problems/rocket_stages.yaml" --set discretization.method=time-freezing
says err "says what does" 'phases: method time-freezing takes no phases; fesd takes them'
exits 3 "track" track "$problems/rocket_stages.yaml"
exits 3 "impact" impact "$problems/five_link_biped.yaml"
exits 3 "certify" certify "$problems/five_link_biped.yaml"
exits 3 "steps of a scheme" simulate "$problems/rocket_stages.yaml" --method fesd
says err "leave them to events" 'is simulated from event to event alone'

exits 0 "resolved" check --resolved "$problems/throw.yaml"
cp out resolved.yaml
exits 0 "it is a spec again" solve -q resolved.yaml -o resolved.h5
says out "of the same problem" 'objective=0\.7328'

echo "1..$n"
[ "$failures" -eq 0 ]
