#!/bin/sh
# solve with finish.use=on from end to end: the exact optimum, verified, its phases. COCP is the program; TAP on stdout.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
work_apart

cost_of() {     # the objective of the last solve
    sed -n 's/^solved .* objective=\([^ ]*\) .*/\1/p' out
}

# --- Switches: the car that needs 40/3 s -------------------------------------------------------------------------
exits 0 "a switched system" solve -q "$problems/turbo_car.yaml" --set finish.use=on --verify
says out "is finished" '^solved turbo_car objective=13\.333333 comp=0\.0e\+00 '
says out "and true to rounding" '^verified turbo_car error=[0-9.]+e-1[0-9] .* events=2/2 '
exits 0 "show" show turbo_car.h5
says out "tells the sequence" 'sequence +n 1\.5 p 8\.5 n'
says out "in words, too" 'turbo: is negative 2 s, is positive 9\.333 s, is negative 2 s'
says out "and that nothing is near" 'nothing points to a neighbouring sequence'

# --- What the search consists of: named, counted, switched off -----------------------------------------------------
says out "what it was found by" '^  found by +fixed-steps$'
exits 0 "show -v" show -v turbo_car.h5
says out "counts what each has done" '^  fixed-steps +generator +1 '
iterations=$(sed -n 's/^  fixed-steps *generator *[0-9]* *[0-9]* *[0-9]* *[0-9]* *[0-9]* *\([0-9]*\).*/\1/p' out)
[ "$iterations" -gt 10 ] && [ "$iterations" -le 63 ]
report "with its share of the 63 iterations" $?
exits 0 "without fixed steps" solve -q "$problems/turbo_car.yaml" --set 'finish.without=[fixed-steps]' -o other.h5
exits 0 "show" show -v other.h5
says out "another one finds it" '^  found by +(cross-entropy|method)'
silent=$(grep -c '^  fixed-steps' out)
[ "$silent" -eq 0 ]
report "and that one is not called" $?
exits 50 "a generator that has no start" solve -q "$problems/hopper.yaml" --set 'finish.only=[guess-simulation]' -o no.h5
says err "says so" 'no program was solved, and there is no result'
[ ! -e no.h5 ]
report "and writes nothing" $?
exits 0 "the method alone" solve -q "$problems/turbo_car.yaml" --set finish.only=method -o method.h5
exits 0 "show" show -v method.h5
says out "is the only generator" '^  found by +method'
[ "$(grep -c '  generator  ' out)" -eq 1 ]
report "of all" $?
# Of problems/play.yaml the optimum is 2.75^2/2.2. Two moves lead there from what fixed steps find.
exits 0 "a play" solve -q "$problems/play.yaml"
says out "at its optimum" '^solved play objective=3\.4375 '
exits 0 "show -v" show -v play.h5
says out "tells the moves that led there" '^  found by .*; then event 0 moved into .*, event 1 moved from its grid point to that after$'
says out "and counts tries, solutions and what was gone on to" '^  event-to-interval-beside +move +3 +[0-9]+ +[0-9]+ +[0-9]+ +1 '
exits 0 "without one of them" solve -q "$problems/play.yaml" --set 'finish.without=[event-to-other-grid-point]' -o stays.h5
says out "it stays dearer" '^solved play objective=3\.5[0-9]+ '
exits 0 "show -v" show -v stays.h5
silent=$(grep -c '^  event-to-other-grid-point' out)
[ "$silent" -eq 0 ]
report "and that move is not tried" $?
exits 3 "what there is not" check "$problems/turbo_car.yaml" --set 'finish.without=[gat]'
says err "is refused, and what was meant is said" 'finish\.without\.0: must be one of the words that .cocp explain. lists; got "gat" \(did you mean "gait"\?\)'
exits 0 "explain" explain finish.without
says out "says what each is" '^    gait +stances and flights in turn, more and more of them$'

# --- What no replay can confirm is passed over for the other local solution ---------------------------------------
# (The other one stays at the threshold, and is held off it by 2e-5 where its replay is off.)
exits 60 "a tolerance below rounding" solve "$problems/turbo_car.yaml" --set finish.tol=1e-18 -o refused.h5
says err "passes the best over, and says why" '^rejected: the solution with objective 13\.33333, as a replay from event to event differs from it by '
says out "to come back to the best" '^unverified turbo_car objective=13\.33333[34] '
exits 0 "its phases" show refused.h5 --group phases
says out "keep what was refused" '^  n 1\.5 p 8\.5 n +13\.3333  a replay from event to event differs from it by'
exits 0 "a solution that is verified" show turbo_car.h5 --group phases
silent=$(grep -c refused out)
[ "$silent" -eq 0 ]
report "refuses none" $?

# --- Symmetric guesses -----------------------------------------------------------------------------------------------
# int u^2/2 dt - k x(1)^2/2 + x(1)^4/4 with x' = u: the best u that leads to x(1) = X is X. At 0 the slope is 0: the minimum for
# k < 1, a saddle for k > 1, where X^2 = k - 1 costs -(k - 1)^2/4.
cat >well.yaml <<'SPEC'
cocp: 1
name: well
parameters: {k: 3}
time: {horizon: 1, intervals: 4}
states: {x: {initial: 0}}
controls: {u: {}}
dynamics: {type: ode, rhs: {x: u}}
cost: {running: {effort: u^2/2}, terminal: {well: -k*x^2/2 + x^4/4}}
SPEC
exits 0 "a guess on a saddle" solve well.yaml --verify --set 'finish.without=[other-starts]'
says err "is told to be none" '^starts beside the best solution, which may be a saddle point: a solution with 0 events, objective -1 '
says err "and left for a minimum" '^optimal:  locally: it is a strict local minimum; other local minima may be better$'
says out "of the closed form" '^solved well objective=-1 '
exits 0 "a guess on a minimum" solve well.yaml --set parameters.k=0.5
says err "is told as well" '^optimal:  locally: it is a strict local minimum; other local minima may be better$'
says out "and kept" '^solved well objective=0 '
exits 0 "its phases" show well.h5 --group phases
says out "say so" 'strict_minimum +1'
says out "and the same of neighbours" 'optimality +local; nothing points to a neighbouring sequence'

# What is caught while the stock is kept at its threshold does not depend on the effort: of x' = x(1 - x) from 0.2 to
# 0.5 in ln 4, then 0.25 per unit of time. A minimum, where others are as good.
cat >fishery.yaml <<'SPEC'
cocp: 1
name: fishery
time: {horizon: 10, intervals: 20, elements: 3}
states: {x: {initial: 0.2, bounds: [0, 1]}, catch: {initial: 0}}
controls: {E: {bounds: [0, 1.2]}}
dynamics: {type: ode, rhs: {x: x*(1 - x) - E*x*step(x - 0.5), catch: E*x*step(x - 0.5)}}
cost: {terminal: {most: -catch}}
SPEC
exits 0 "effort that does not matter" solve fishery.yaml --verify
says err "is no strict minimum" '^optimal:  locally: by second derivatives it is a local minimum of its sequence, flat in some direction; nothing points to a neighbouring sequence; other sequences may be better$'
says out "of the closed form" '^solved fishery objective=-2.153426[34] '
exits 0 "its phases" show fishery.h5 --group phases
says out "say so" 'strict_minimum +0'

# Two genes, one inducer: x1 falls through its threshold, and has to rise to it again as fast as can be without passing
# it. The least time is 3.49819 by exponentials on this grid of controls with x1 on the threshold for a moment, where
# motions branch.
cat >genes.yaml <<'SPEC'
cocp: 1
name: genes
parameters: {k1: 1.5, k2: 2, th: 0.6}
time: {horizon: {min: 0.5, max: 15, guess: 4}, intervals: 15, elements: 3}
states: {x1: {initial: 1.4, bounds: [0, 2]}, x2: {initial: 0.1, final: 1.4, bounds: [0, 2.5]}}
controls: {u: {bounds: [0.2, 1]}}
dynamics: {type: ode, rhs: {x1: u*k1*step(th - x2) - x1, x2: u*k2*step(th - x1) - x2}}
cost: {terminal: {time: t}}
discretization: {method: fesd, scheme: radau-iia, stages: 2, form: stewart}
SPEC
exits 0 "a switch that is only to be touched" solve genes.yaml --verify
says out "is held off its surface by next to nothing" '^solved genes objective=3\.498[2-4]'

# A foot that stands at both ends of its stride: the first of what is found begins with a landing of no height.
cat >stride.yaml <<'SPEC'
cocp: 1
name: stride
parameters: {g: 9.81}
time: {horizon: {min: 0.3, max: 1.2, guess: 0.6}, intervals: 16, elements: 2}
states:
  x:   {initial: 0, final: 0.3, bounds: [-1, 1]}
  z:   {initial: free, bounds: [0.2, 1], guess: 0.5}
  psi: {initial: free, bounds: [-1, 1], guess: 0}
  r:   {initial: free, bounds: [0.25, 0.5], guess: 0.45}
  vx:  {initial: free, bounds: [-5, 5], guess: 0.5}
  vz:  {initial: free, bounds: [-5, 5], guess: 0}
  wp:  {initial: free, bounds: [-10, 10], guess: 0}
  vr:  {initial: free, bounds: [-5, 5], guess: 0}
controls: {u1: {bounds: [-20, 20]}, u2: {bounds: [0, 60]}}
dynamics:
  type: mechanical
  coordinates: {x: vx, z: vz, psi: wp, r: vr}
  mass: {diag: [1.1, 1.1, 0.275, 0.1]}
  force: {x: -sin(psi)*u2, z: -1.1*g + cos(psi)*u2, psi: u1, r: u2}
contacts: {foot: {gap: z - r*cos(psi), tangent: x + r*sin(psi), friction: 0.6}}
constraints:
  c_z:  {expr: final(z) == initial(z), at: boundary}
  c_p:  {expr: final(psi) == initial(psi), at: boundary}
  c_r:  {expr: final(r) == initial(r), at: boundary}
  c_vx: {expr: final(vx) == initial(vx), at: boundary}
  c_vz: {expr: final(vz) == initial(vz), at: boundary}
  c_wp: {expr: final(wp) == initial(wp), at: boundary}
  c_vr: {expr: final(vr) == initial(vr), at: boundary}
cost: {running: {effort: 0.1*u1^2 + 0.01*u2^2}}
SPEC
exits 0 "a gait whose foot stands at both ends" solve stride.yaml --verify

# Two discs on a line change places: the controls at right angles to it do nothing in a first solution, which costs 4263.
exits 0 "discs that push straight ahead" solve "$problems/../tests/study/problems/discs_swap.yaml" --verify
says err "are perturbed" '^discovery 2 of at most 5, by time-stepping: a solution with 2 events, objective 12[0-9]'
says out "and roll past each other" '^solved discs_swap objective=12[0-3]\.'

# --- A free horizon that a constraint names ---------------------------------------------------------------------------
# x(T) = T from x(0) = 0 with equal speeds at both ends and the cost int (u - 1)^2 dt: u = 0 costs T, so that T is the least one.
cat >pace.yaml <<'SPEC'
cocp: 1
name: pace
time: {horizon: {min: 0.25, max: 2, guess: 0.5}, intervals: 5, elements: 2}
states: {x: {initial: 0}, v: {initial: free, guess: 1, bounds: [-3, 4]}}
controls: {u: {bounds: [-5, 5]}}
dynamics: {type: ode, rhs: {x: v, v: u}}
constraints:
  same: {expr: initial(v) == final(v), at: boundary}
  pace: {expr: final(x) == final(t), at: boundary}
cost: {running: {effort: (u - 1)^2}}
SPEC
exits 0 "a final time in a constraint" solve pace.yaml --verify
says out "is that of the solution" '^solved pace objective=0\.(25|2499)'
says out "in its replay, too" '^verified pace '

# --- No start is given, and nothing is asked at the end ----------------------------------------------------------------
# Brusselator far from rest: a constant guess is no motion, and that of the guess is.
cat >brusselator.yaml <<'SPEC'
cocp: 1
name: brusselator
time: {horizon: 20, intervals: 30}
states: {x: {initial: 1.5, bounds: [0, 60]}, y: {initial: 3, bounds: [0, 60]}}
controls: {u: {bounds: [0, 0.5]}}
dynamics: {type: ode, rhs: {x: 1 + x^2*y - 5*x, y: 4*x - x^2*y + u}}
cost: {running: {near: (x - 1)^2 + (y - 4)^2, effort: u^2}}
SPEC
exits 0 "an oscillator" solve brusselator.yaml --verify
says out "has a solution" '^verified brusselator '

# Two ways around an obstacle; all that are asked for are tried.
cat >around.yaml <<'SPEC'
cocp: 1
name: around
time: {horizon: 3, intervals: 20}
states: {x: {initial: 0, final: 4}, y: {initial: 0, final: 0}, v: {initial: 0, final: 0}, w: {initial: 0, final: 0}}
controls: {a: {bounds: [-10, 10]}, b: {bounds: [-10, 10]}}
dynamics: {type: ode, rhs: {x: v, y: w, v: a, w: b}}
constraints: {clear: {expr: (x - 2)^2 + (y - 0.5)^2 >= 1, at: path}}
cost: {running: {effort: a^2 + b^2}}
SPEC
exits 0 "an obstacle" solve around.yaml --set homotopy.restarts=4
says err "has two ways around it" '^sequence of a simulation with random controls, [1-4] of 4: a solution with 0 events, objective 23\.29'
says out "of which the better one is taken" '^solved around objective=8\.92466'

# A surface that drives away from it on both sides: to slide on it costs 13/300, but no simulation stays there.
cat >ledge.yaml <<'SPEC'
cocp: 1
name: ledge
time: {horizon: 2, intervals: 8, elements: 2}
states: {x: {initial: -0.5}}
controls: {u: {bounds: [-3, 3], guess: 0.5}}
dynamics: {type: ode, rhs: {x: sign(x) + u}}
cost: {running: {near: x^2 + 0.01*u^2}}
SPEC
exits 60 "a surface that repels" solve ledge.yaml
says err "its sliding is passed over" '^rejected: the solution with objective 0\.04333333, as a replay from event to event differs from it by 5\.0e-01'
says out "and not called solved" '^unverified ledge '
exits 0 "its phases" show ledge.h5 --group phases
says out "keep what was passed over" '^  n [01]\.?5? 0 +0\.0433333  a replay from event to event differs from it by'

# --- Switches: the guess in motion, beside fixed steps --------------------------------------------------------------
cat >cycle.yaml <<'END'
cocp: 1
name: free_cycle
time: {horizon: {min: 3, max: 9, guess: 5.6}, intervals: 10, elements: 2}
states: {x: {initial: free, bounds: [-3, 3], guess: 1}, v: {initial: 0, bounds: [-3, 3]}}
controls: {u: {bounds: [-2, 2]}}
dynamics: {type: ode, rhs: {x: v, v: u - sign(x)}}
cost: {running: {effort: u^2}}
constraints:
  same_x: {expr: final(x) == initial(x), at: boundary}
  same_v: {expr: final(v) == initial(v), at: boundary}
END
exits 0 "an oscillator whose gait is a free motion" solve cycle.yaml --verify
says err "is simulated, too" '^sequence of a simulation with the guessed controls: a solution with [12] event'
says out "and takes no effort" '^solved free_cycle objective=(0|[0-9.]+e-[1-9][0-9]) comp=0\.0e\+00 '
says out "as its replay says" '^verified free_cycle error=[0-9.]+e-[1-9][0-9]? '

# --- Hysteresis: every order of switching that motions show ------------------------------------------------------
exits 0 "a turbo with hysteresis" solve "$problems/turbo_relay.yaml" --verify -o relay.h5
says err "tells which motion showed an order" '^sequence of simulation [0-9]+ of at most 101: (a solution|no solution) with its [0-9]+ event'
says out "is used: 152/15 s" '^solved turbo_relay objective=10\.133333 comp=0\.0e\+00 '
says out "and remembers, in every interval" '^verified turbo_relay error=[0-9.]+e-1[0-9] .* events=2/2 '

# --- Machines: the order of their transitions, from motions and beside the best ----------------------------------
exits 0 "gears that shift by themselves" solve "$problems/gearbox.yaml" --verify
says err "tells what is beside an order" '^event 1 preceded by a transition that is nearly due: a solution with 4 events'
says out "come to their closed form" '^solved gearbox objective=11\.861151 comp=0\.0e\+00 '
says out "as their replay does" '^verified gearbox error=[0-9.]+e-1[0-9] .* events=4/4 '
exits 0 "show" show gearbox.h5
says out "has their sequence" 'sequence +A [0-9.]+>0 B [0-9.]+>1 C [0-9.]+>2 B [0-9.]+>3 A'
says out "in words" 'gear: first 1\.333 s, second 2 s, third 5\.944 s, second 1\.75 s, first 0\.8333 s'
says out "and signals" '^ +pull +6 +6 +2\.5 +6 '
exits 0 "their own file as a guess" solve -q "$problems/gearbox.yaml" --guess gearbox.h5 -o again.h5
says out "is the solution" '^solved gearbox objective=11\.861151 .* iter=[0-3] '
exits 0 "a simulation" simulate -q "$problems/boiler.yaml" -o boiled.h5
exits 0 "as a guess" solve "$problems/boiler.yaml" --guess boiled.h5 -o tuned.h5
says err "tells the order that it has" '^the given solution: (a solution|none) with its [0-9]+ events|^the given solution: a solution with [0-9]+ events'
exits 3 "without the finish" solve "$problems/gearbox.yaml" --set finish.use=off -o never.h5
says err "there is nothing to solve them with" 'gearbox\.yaml:[0-9]+:3: error: machines\.gear: is solved by the finish alone'
sed 's/final: 150/final: 15000/' "$problems/gearbox.yaml" >far.yaml
exits 20 "what is out of reach" solve far.yaml --set time.horizon=12 -o far.h5
says err "is told with what cannot be met" 'far\.yaml:[0-9]+:[0-9]+: error: states\.q\.final: cannot be met together with the rest: it is to be 15000'

# --- Constraints at given times, inside control intervals --------------------------------------------------------
sed 's/at: 1\.5 s/at: 1.47 s/' "$problems/posts.yaml" >inside.yaml
exits 0 "a constraint at a given time" solve -q inside.yaml -o inside.h5
exits 0 "show" show inside.h5 --group residuals
says out "has the time of its row" '^ *far +constraints\.far +28  row +1 +[-+.0-9e]+ +1\.47 +[-+.0-9e]+ +1\.47$'

# --- A contact: fall, slip, stick (TF Ex. 5), from time-stepping -------------------------------------------------
exits 0 "a contact" solve -q "$problems/tf_ex5.yaml" --set finish.use=on --set finish.starts=1 --verify -o ex5.h5
says out "is finished" '^solved tf_ex5 objective=72\.639278 comp=0\.0e\+00 '
says out "with both events" '^verified tf_ex5 error=[0-9.]+e-1[0-9] .* events=2/2 '
exits 0 "its phases" show ex5.h5
says out "with what its neighbours would cost" '^  (neighbour at 7[2-9]\.[0-9]+ +event|[0-9]+ neighbours? without a solution)'

# --- A contact and dry friction that holds: nothing that the guess does is better or worse -----------------------
cat >held.yaml <<'END'
cocp: 1
name: held
time: {horizon: 1, intervals: 8, elements: 2}
states: {x: {initial: 0, bounds: [-2, 2]}, v: {initial: 0, bounds: [-10, 10]}}
controls: {u: {bounds: [-20, 20]}}
dynamics: {type: mechanical, coordinates: {x: v}, mass: {diag: [1]}, force: {x: u - 2*sign(v)}}
contacts: {stop: {gap: 1.2 - x}}
cost: {running: {effort: 0.01*u^2}, terminal: {goal: 100*(x - 1)^2 + v^2}}
END
exits 0 "a block that friction holds at first" solve held.yaml --verify
says err "stays where the guess leaves it" 'a solution with 0 events, objective 100 '
says out "but comes to its goal" '^solved held objective=0\.16'

# --- A switching function that a control leads to zero and leaves there: 0.150586 by a direct search over 8 numbers ----
cat >counted.yaml <<'END'
cocp: 1
name: counted
time: {horizon: 1, intervals: 8}
states: {x: {initial: 1}, spent: {initial: 0}}
controls: {u: {bounds: [-2, 2]}}
dynamics: {type: ode, rhs: {x: u, spent: "abs(x - 0.5)"}}
cost: {running: {effort: 0.1*u^2}, terminal: {spent: spent}}
END
exits 0 "a magnitude that is counted by a state" solve -q counted.yaml --verify
says out "comes to its optimum by one discovery" '^solved counted objective=0\.15058594'
exits 0 "the same with more of them" solve -q counted.yaml --verify --force --set finish.starts=5
says out "comes to its optimum" '^solved counted objective=0\.15058[56]'
says out "and need not slide in its replay" '^verified counted error=[0-9.]+e-1[0-9] .* events=[01]/1 '

# --- A step of a rimless wheel: one foot lifts off as the other one lands; 0.7489606 s by energy and angular momentum ----
exits 0 "an exchange of feet" solve -q "$problems/../tests/study/problems/rimless_wheel.yaml" --verify
says out "is one event, and repeats itself" '^solved rimless_wheel objective=0\.748960[56]'
says out "as its replay does" '^verified rimless_wheel error=[0-9.]+e-(09|[1-9][0-9]) .* events=2/2 '

# --- Cycles without controls ------------------------------------------------------------------------------------
# The period of the relay before 1/(s + 1)^3 was integrated apart; the guess is at rest.
exits 0 "a limit cycle" solve "$problems/../tests/study/problems/relay_limit_cycle.yaml" --verify
says out "with its period" '^solved relay_limit_cycle objective=4\.787671[89] '

# --- Landings: one flight and one stance ----------------------------------------------------------------------------
exits 0 "a bottle that is flipped" solve "$problems/../tests/study/problems/bottle_flip.yaml" --verify
says err "is drawn as it lands" '^contact schedule with 1 event: a solution with 1 event'
says out "and thrown no harder than it has to be" '^solved bottle_flip objective=0\.15[0-9]'

# --- Values: pulses of small controls ---------------------------------------------------------------------------------
# 1.3827 rad in 80 s by u in -1, 0, 1 with w' = 0.015 u: two pulses of s with 0.015 s (80 - s) = 1.3827.
exits 0 "a slew by on-off thrusters" solve -q "$problems/../tests/study/problems/slew_1axis.yaml" --verify
says out "has two pulses" '^solved slew_1axis objective=2\.33868[34]'

# --- Discoveries side by side: the same answer on any number of cores --------------------------------------------
for jobs in 1 2; do
    exits 0 "with $jobs process(es)" solve -q "$problems/tf_ex5.yaml" --jobs $jobs -o "jobs$jobs.h5"
    sed 's/ time=.*//' out > "jobs$jobs.txt"
done
cmp -s jobs1.txt jobs2.txt
report "give the same line" $?
for jobs in 1 2; do                         # without a solution a fourth discovery is begun while the third one is taken
    exits 0 "four discoveries with $jobs process(es)" solve "$problems/../tests/study/problems/bungee.yaml" \
        --jobs $jobs -o "four$jobs.h5"
    says err "are four" '^discovery 4 of at most'
    sed 's/ time=.*//' out > "four$jobs.txt"
done
cmp -s four1.txt four2.txt
report "are the same, with as many iterations" $?

# --- Discoveries have settings of their own, whatever the method's are -----------------------------------------
exits 0 "a block that falls and slides" solve -q "$problems/tf_ex5.yaml" -o own.h5
sed 's/ time=.*//' out > own.txt
exits 0 "with a homotopy for its method" solve -q "$problems/tf_ex5.yaml" --force -o own.h5 \
    --set 'homotopy={relaxation: steffensen-ulbrich, update_slope: 0.1, schedule: superlinear}' --set discretization.friction_form=cone
sed 's/ time=.*//' out > named.txt
cmp -s own.txt named.txt
report "is found in the same iterations" $?
exits 0 "with IPOPT set up for its method" solve -q "$problems/tf_ex5.yaml" --force -o own.h5 \
    --set 'solver={ipopt: {tol: 1e-11, max_iter: 500, mu_strategy: adaptive, acceptable_tol: 1e-6}}'
sed 's/ time=.*//' out > ipopt.txt
cmp -s own.txt ipopt.txt
report "in the same ones, too" $?
exits 40 "where its own program is the result it is IPOPT's" solve -q "$problems/tf_ex5.yaml" --force -o own.h5 \
    --set finish=off --set solver.ipopt.max_iter=1

# --- A symmetric guess, of which nothing happens: a perturbed one comes next -------------------------------------
exits 0 "three carts that stand still at first" solve "$problems/three_carts.yaml" --verify -o carts.h5
says err "stand still in the first discovery" '^discovery 1 of at most [0-9]+, by time-stepping: a solution with 0 events'
says err "move in the second" '^discovery 2 of at most [0-9]+, by time-stepping: a solution with 4 events'
says out "and come to the best that is known" '^solved three_carts objective=145\.7721'

# --- Restitution, friction in space: from motions that are simulated -----------------------------------------------
exits 0 "a bounce off a wall" solve -q "$problems/../tests/study/problems/pendulum_wall.yaml" --set finish.use=on --verify
says out "is found" '^solved pendulum_wall objective=19\.3'
exits 0 "friction in space" solve -q "$problems/../tests/study/problems/spatial_block.yaml" --set finish.use=on --verify
says out "with rest at both ends" '^solved spatial_block objective=27\.68980'

exits 0 "a hop in space" solve -q "$problems/../tests/study/problems/spatial_hop.yaml" --verify
says out "costs no more than is known (1.2025)" '^solved spatial_hop objective=1\.(1|20)'

# --- What contacts say already -------------------------------------------------------------------------------------
jump=$problems/../tests/study/problems/quad_jump_rest.yaml
exits 0 "legs at rest on feet that stick" solve -q "$jump" --verify -o jump.h5
says out "at the cost of rest of the trunk alone" '^solved quad_jump_rest objective=0\.24005'
sed 's/ time=.*//' out > rest.txt
sed '/^  bend/a\  above[i=1..L]: {expr: "fz[i] >= 0", at: stages}' "$jump" > above.yaml
exits 0 "that feet are above the ground, said again" solve -q above.yaml --force -o jump.h5
sed 's/ time=.*//' out > above.txt
head -1 rest.txt | cmp -s - above.txt
report "costs no iteration" $?

# --- Elements where the error is ---------------------------------------------------------------------------------
cat > front.yaml <<END
cocp: 1
name: front
time: {horizon: 1, intervals: 4, elements: 2}
states: {x: {initial: 0, final: 1}, y: {initial: 0}}
controls: {u: {bounds: [-10, 10]}}
dynamics: {type: ode, rhs: {x: "u + 2*y", y: "50*exp(-(100*(t - 0.37))^2) - y"}}
cost: {running: {effort: u^2}}
finish: {tol: 1e-8}
END
exits 0 "a front 0.01 s wide" solve -v front.yaml --verify=1e-7
says err "is divided for" 'elements divided where a replay differs from them'
says out "and true" '^verified front '
exits 0 "its elements" solve -q front.yaml --guess front.h5 -o again.h5
says out "are read with it" '^solved front .* iter=0 '

# --- Aimed motions: a ball that slides hits a pin, which is to stop 4 m further on before the ball gets there ----
cat >bowling.yaml <<'END'
cocp: 1
name: bowling
parameters: {m: 6, R: 0.11, J: 0.4*m*R^2, mp: 1.5, g: 9.81}
time: {horizon: {min: 2, max: 4, guess: 3.5}, intervals: 4, elements: 3}
states:
  x: {initial: 0}
  p: {initial: 8, final: 12}
  s: {initial: 0}
  v: {bounds: [-1, 12], initial: [1, 10], guess: 5}
  vp: {bounds: [-1, 20], initial: 0, final: 0}
  w: {bounds: [-100, 100], initial: [-40, 40]}
dynamics: {type: mechanical, coordinates: {x: v, p: vp, s: w}, mass: {diag: [m, mp, J]}, force: {}}
contacts: {pin: {gap: p - x, restitution: 0.7}}
friction:
  lane:  {slip: v - R*w, load: m*g, coefficient: 0.15}
  floor: {slip: vp, load: mp*g, coefficient: 0.3}
cost: {terminal: {follow: (x - 10)^2}}
END
exits 0 "what random motions miss" solve bowling.yaml --set finish.starts=1 --verify
says err "aimed ones find" '^search of controls by cross-entropy, round [0-9]+ of at most 10; the best misses final values by [0-9.e-]+: a solution with [0-9]+ events'
exits 0 "its events" export bowling.h5 --group events --csv
# the impulse that makes the pin sqrt(2*0.3*9.81*4) = 4.852 m/s fast is 7.278 N s
says out "are those of the closed form" 'impact,pin.*7\.27[78]'

# --- Restarts are discoveries where these come first ----------------------------------------------------------------
exits 0 "one opinion" solve "$problems/voice_coil.yaml" --force
[ "$(grep -c '^discovery' err)" -eq 1 ]
report "is enough for a voice coil" $?
exits 0 "two restarts" solve "$problems/voice_coil.yaml" --force --set homotopy.restarts=2
[ "$(grep -c '^discovery' err)" -ge 2 ]
report "are discoveries more" $?

# --- Restitution: time steps know none, and a ball that cannot fly without it has no solution of them --------------
exits 0 "a ball that has to bounce" solve -v "$problems/../tests/study/problems/elastic_goal.yaml" --verify
[ "$(grep -c 'the problem in time steps was not solved' err)" -eq 2 ]
report "asks time steps twice, once its motion is known" $?

# --- A solution in which nothing happens: the block stands, for 50 int (t/2)^2 dt + 300*3^2 = 3600 over 6 s, where time
# steps exploit their grid: a contact that moves fast stays closed -----------------------------------------------
exits 0 "a block that is to be pushed" solve -v "$problems/../tests/study/problems/push_superellipse.yaml" \
    --set discretization.method=fesd-j --set time.intervals=8 --verify
says err "says what is wrong with its time steps" '^discovery [0-9] of at most 5, by time-stepping: not used, as a contact moves fast while its gap stays closed: '
[ "$(grep -c '^discovery [^:]*$' err)" -eq "$(grep -c '^discovery .*: ' err)" ]
report "and what came of each discovery" $?
says err "takes time steps again, whose gaps change as they move" "^time-stepping once more: in each step a gap changes as its velocity says"
says err "which their lines say" '^discovery 1 of at most 5, by time-stepping whose gaps change as their velocities say: '
says err "but contacts close" '^found: +block: is open .* is closed'
cost=$(cost_of)
awk -v cost="$cost" 'BEGIN { exit !(cost > 0 && cost < 360) }'
report "for a tenth at most: $cost" $?

# --- Fixed steps whose sequence has no solution: what their controls do has one ------------------------------------
exits 0 "a gene oscillator" solve -v "$problems/../tests/study/problems/gene_oscillator.yaml" --verify
says err "is simulated under the controls of fixed steps" '^sequence of a simulation with the controls of the fixed steps: a solution with [0-9]+ events'
says out "and cheaper so: 0.0564 without" '^solved gene_oscillator objective=0\.052'

# --- Motions: repaired, aimed, and tried again beside a solution ---------------------------------------------------
exits 0 "a shot by two cushions" solve -v "$problems/../tests/study/problems/two_cushion.yaml" --verify
says out "and the speed of the closed form" '^solved two_cushion objective=0\.0247747[23]'
exits 0 "a swing-up that costs alone ask for" solve -v "$problems/../tests/study/problems/cart_pole_stop.yaml" --verify
says out "and found: 2021 by the first" '^solved cart_pole_stop objective=[34][0-9]\.'
exits 0 "a fall in space" solve -q "$problems/../tests/study/problems/spatial_fall.yaml" --verify
says out "slips beside a solution that sticks, as no motion did" '^solved spatial_fall objective=35\.4530'

# --- Motions that hit too early: intervals of free lengths tell when -----------------------------------------------
exits 0 "a keeper who stops a puck" solve -v "$problems/../tests/study/problems/keeper_puck.yaml" --verify
says err "has intervals of free lengths on the way" '^with control intervals of free lengths'
says out "and waits for it: 15.49 without" '^solved keeper_puck objective=1\.94747'

# --- All events an interval later; what was hit is let go ------------------------------------------------------------
exits 0 "a hammer on a nail" solve -v "$problems/../tests/study/problems/hammer_nail.yaml" --verify
says err "strikes later and later" '^event 0 and all others moved an interval later: solved'
says out "with all the time that there is: 0.365 without" '^solved hammer_nail objective=0\.1847'
exits 0 "a putt" solve -v "$problems/../tests/study/problems/putt.yaml" --verify
says out "and costs what is known" '^solved putt objective=12\.134'

# --- Bounds that a mode keeps anyway -------------------------------------------------------------------------------
# Three queues in a row, empty where they slide at 0: bounds at 0 forbid nothing that they would do.
cat >queues.yaml <<'END'
cocp: 1
name: queues
time: {horizon: 4, intervals: 2, elements: 3}
states: {A: {initial: 1, bounds: [0, 100]}, B: {initial: 0, bounds: [0, 100]}, C: {initial: 0, bounds: [0, 100]}}
controls: {g: {bounds: [1.5, 2.5], guess: 2}}
define: {oA: g*step(A), oB: 3*step(B)}
dynamics: {type: ode, rhs: {A: 1 - oA, B: oA - oB, C: oB - 3*step(C)}}
cost: {running: {d: A + B + C, c: 0.1*g^2}}
END
exits 0 "queues that are not negative" solve queues.yaml -o queues.h5
bounded=$(cost_of)
says err "at a strict minimum" '^optimal: +locally: it is a strict local minimum of its sequence; '
exits 0 "the same without these bounds" solve -q queues.yaml --set 'states.A.bounds=[-1, 100]' --set 'states.B.bounds=[-1, 100]' \
    --set 'states.C.bounds=[-1, 100]' -o free.h5
awk -v a="$bounded" -v b="$(cost_of)" 'BEGIN { d = a - b; exit !(a > 0 && d < 1e-7 && d > -1e-7) }'
report "cost as much: $bounded" $?
exits 0 "a motion in which one is empty all the time" simulate -q queues.yaml --set 'simulate.controls={g: 2}' -o moved.h5
exits 0 "is a guess" solve -v queues.yaml --guess moved.h5 -o guessed.h5
says err "whose queue slides, whatever rounding says" 'solved: [0-9]+ iterations, .*, sequence p00'

# --- Constraints of controls where an interval begins --------------------------------------------------------------
exits 0 "a car that brakes in a bend" solve -v "$problems/../tests/study/problems/overtake_oncoming.yaml" --verify
[ "$(grep -c '^inequalities between collocation points' err)" -eq 1 ]
report "keeps its grip where controls jump, too, at once" $?

# --- Motions that amplify: programs on the way are as exact as their elements are to be ------------------------------
exits 0 "a double pendulum that swings freely" solve -v "$problems/../tests/study/problems/finger_flick_fj.yaml" --verify
says out "costs what is known" '^solved finger_flick_fj objective=0\.73470'
[ "$(grep -c '^solved: [0-9]* iterations' err)" -lt 12 ]
report "after a few meshes" $?

# --- Feet that come to rest together: no direction of slip, and no force that answers it -----------------------------
exits 0 "a stool that is slid and turned" solve -q "$problems/../tests/study/problems/stool_slide.yaml" --verify
says out "with one foot at rest before the others" '^solved stool_slide objective=1\.13083'

# --- Legs whose first time steps lead nowhere ------------------------------------------------------------------------
exits 0 "two links that hop" solve -v "$problems/../tests/study/problems/tf_two_link_hop.yaml" --verify
says err "are drawn before others are tried" '^contact schedule of 1 flight'
cost=$(cost_of)
awk -v cost="$cost" 'BEGIN { exit !(cost > 0 && cost < 0.45) }'
report "and better: $cost, 0.501 without" $?

# --- Two feet of one body ---------------------------------------------------------------------------------------------
# A flat crate does not tip: 5 m at mu g both ways, 2 sqrt(5/(0.3*9.81)) = 2.606873 s, if both its feet bear friction.
exits 0 "a crate that stands on a platform" solve "$problems/../tests/study/problems/forklift_rush.yaml" --set parameters.h=0.05 \
    --set parameters.mu=0.3 --set parameters.M=50 --set time.intervals=8 --verify
says out "is carried by both its feet" 'objective=2\.606873 '
says err "the second keeps its friction" '^          right: sticks 2\.607 s'

# --- More starts than agree: detours ------------------------------------------------------------------------------------
# Between three radars straight ahead costs 2.024, a way between them 0.10425, and around them all 0.02569, seen by none.
exits 0 "a way between radars" solve "$problems/../tests/study/problems/radar_pass.yaml" --set finish.starts=12 --verify
[ "$(grep -cE '^discovery [0-9]+ of at most (5|12),' err)" -eq 12 ]
report "is looked for from as many starts as asked for" $?
says out "and found" '^solved radar_pass objective=0\.02569'

# --- Bounces more and fewer -------------------------------------------------------------------------------------------
# From 1 to 0.5 m, e = 0.8: by one bounce v(0)^2 + (3.25/T)^2 is 9.288 at least, by two 7.47394 (enumerated apart).
cat >bounce.yaml <<'END'
cocp: 1
name: bounce
parameters: {S: {value: 1, optimize: [-10, 10]}}
time: {horizon: {min: 0.2, max: 3, guess: 1}, intervals: 10}
states: {z: {bounds: [0, 5], initial: 1, final: 0.5}, v: {bounds: [-10, 10], initial: free}}
dynamics: {type: mechanical, coordinates: {z: v}, mass: {diag: [1]}, force: {z: -9.81}}
contacts: {floor: {gap: z, restitution: 0.8}}
constraints: {launch: {expr: S == initial(v), at: boundary}}
cost: {terminal: {launch: S^2 + (3.25/t)^2}}
END
exits 0 "a ball that is thrown gently" solve bounce.yaml --verify
says out "bounces twice" '^solved bounce objective=7\.47394'
exits 0 "shown" show bounce.h5
says out "with what is not better" 'local; no neighbouring sequence that was tried is better'

# --- A curved ground that is never left, and a contact without a load ---------------------------------------------------
exits 0 "a skater in a half-pipe" solve "$problems/../tests/study/problems/halfpipe_pump.yaml" --verify
says err "is read from time steps" '^discovery [0-9] of at most 5, by time-stepping: a solution'
exits 0 "a part that its plate leaves at its own speed" solve -q "$problems/../tests/study/problems/vibratory_feeder.yaml" --verify

# --- Initial velocities that another mode begins with, over before the first time step is -------------------------
# A block with friction 0.3 on a floor is to be 0.2 m further on: it slides first, lifts off, or hits the floor at once. What
# slides at v without a force stops after v / 2.943 s, the hop of w takes 2 w / 9.81 s.
cat >block.yaml <<'END'
cocp: 1
name: block
time: {horizon: 1.5, intervals: 15, elements: 2}
states: {x: {initial: 0, final: 0.2}, z: {initial: 0}, v: {initial: 0, final: 0}, w: {initial: 0}}
controls: {u: {bounds: [-8, 8]}}
dynamics: {type: mechanical, coordinates: {x: v, z: w}, mass: {diag: [1, 1]}, force: {x: u, z: -9.81}}
contacts: {floor: {gap: z, slip: v, friction: 0.3}}
cost: {running: {effort: u^2}}
END
exits 0 "a block that slides back at first" solve block.yaml --set states.v.initial=-0.05 -o back.h5 --verify
says err "slips, then sticks" '^found: +floor: slips back 0\.01[67][0-9]* s, sticks'
exits 0 "one that leaves the floor" solve block.yaml --set states.w.initial=0.05 -o hop.h5 --verify
says err "flies, then sticks" '^found: +floor: is open 0\.01019 s, sticks'
exits 0 "one that hits the floor at once" solve block.yaml --set states.w.initial=-0.5 -o hit.h5 --verify
hit=$(cost_of)
exits 0 "one at rest" solve block.yaml -o rest.h5
[ -n "$hit" ] && awk -v a="$hit" -v b="$(cost_of)" 'BEGIN { exit !((a - b) ^ 2 <= (0.01 * b) ^ 2) }'
report "costs the same but for local optima" $?
exits 0 "one that bounces from it at once, without friction" solve block.yaml --set states.w.initial=-0.5 \
    --set 'contacts.floor={gap: z, restitution: 0.5}' -o bounce.h5 --verify
says err "bounces at the start, then after 0.051 s" '^found: +floor: bounces, is open 0\.05097 s, bounces'
says err "of fourteen the first and the last are told" 'bounces, is open 0\.0007964 s, \.\.\. 4 more \.\.\., bounces, '
says out "and costs 12 d^2/T^3/(1 - 1/15^2)" '^solved block objective=0\.14285714 '
exits 0 "the moved start from a solution at rest" solve block.yaml --set states.v.initial=-0.05 --guess rest.h5 -o guess.h5 --verify

# --- One way to move: all slip of a rod between wall and floor stops with one -----------------------------------------
rod="$problems/../tests/study/problems/pivot_wall.yaml"
cat >rod.csv <<'END'
t,ux,uz
0,-7.54,4
0.0666667,-5.61,4
0.1333333,-4.5,4
0.2,-3.75,4
0.2666667,-3.2,4
0.3333333,-2.77,4
0.4,-2.43,4
0.4666667,-2.14,3.46
0.5333333,-1.92,2.62
0.6,-1.8,2.15
0.6666667,-1.83,2.01
0.7333333,-2.04,2.16
0.8,-2.45,2.58
0.8666667,-2.45,2.58
0.9333333,-2.45,2.58
1,-2.45,2.58
END
exits 0 "a rod that slides down a wall" simulate "$rod" --controls rod.csv -o slides.h5
exits 0 "is a guess" solve "$rod" --guess slides.h5 -o rod.h5 --verify
says err "whose sequence has a solution at once" '^the given solution: a solution with 1 event'
says err "at the wall" '^found: +top: slips forward 0\.56[0-9]* s, sticks'
says err "and on the floor" '^ +foot: slips back 0\.56[0-9]* s, sticks'
# The shooting of a user, on the same grid, had come to 23.18.
awk -v a="$(cost_of)" 'BEGIN { exit !(a > 18 && a < 18.7) }'
report "cheaper than by shooting" $?

# --- Names of switches -----------------------------------------------------------------------------------------------
cat >below.yaml <<'END'
cocp: 1
name: below
time: {horizon: 2, intervals: 2}
states: {x: {initial: -1}, c: {initial: 0}}
define: {d: x + 0.001}
dynamics: {type: ode, rhs: {x: 1, c: "if(d < 0, 1, 0)"}}
END
exits 0 "what asks whether a define is negative" solve below.yaml -o below.h5
says err "is told of as its negative" '^found: +-d: is positive 0\.999 s, is negative 1\.001 s'

# --- Settings ----------------------------------------------------------------------------------------------------
exits 3 "a word that is none" solve "$problems/turbo_car.yaml" --set finish.use=maybe
says err "is refused with what would do" 'finish\.use: .*off.*on'
# --- Relays: long motions, rounds, thresholds -----------------------------------------------------------------------------
# Ten events in the motion of the guess, of which the first eight alone have a dear solution. 37.5787 and 11.61848: the least of
# exact simulations of all orders, made apart.
cat >rooms.yaml <<'END'
cocp: 1
name: rooms
parameters: {To: 5, a: 0.3, b: 0.2, P: 8}
time: {horizon: 8, intervals: 16, elements: 2}
states: {T1: {initial: 18.5}, T2: {initial: 15}, gas: {initial: 0}}
controls: {u: {bounds: [0, 6], guess: 2}}
hysteresis: {heat: {of: T1, on_at: 18, off_at: 21, start: on}}
dynamics:
  type: ode
  rhs:
    T1: P*heat - a*(T1 - To) - b*(T1 - T2)
    T2: u - 0.2*(T2 - To) - b*(T2 - T1)
    gas: P*heat
cost:
  running: {comfort: (T2 - 18)^2, power: 0.3*u^2}
  terminal: {bill: 0.5*gas}
END
exits 0 "a thermostat with ten events" solve -q rooms.yaml --verify
says out "is not cut at eight" '^solved rooms objective=37\.5786'
cat >charger.yaml <<'END'
cocp: 1
name: charger
parameters: {a: 2.0, b: 0.15, Ta: 25}
time: {horizon: {min: 4, max: 60, guess: 20}, intervals: 15, elements: 2}
states:
  s: {initial: 0.1, final: 0.9}
  T: {initial: 25, bounds: [0, 42]}
controls: {i: {bounds: [0, 2], guess: 1}}
hysteresis: {fan: {of: T, on_at: 38, off_at: 33}}
dynamics: {type: ode, rhs: {s: 0.04*i, T: a*i^2 - b*(1 + 2*fan)*(T - Ta)}}
constraints: {volts: {expr: 3.2 + 0.8*s + 0.15*i <= 4.05, at: path}}
cost: {terminal: {time: t}}
END
exits 0 "a battery whose fan is a relay" solve -q charger.yaml --verify
# The best holds T just below its threshold, 1, where a replay that is off by 1e-9 trips the relay.
cat >guard.yaml <<'END'
cocp: 1
name: guard
parameters: {k0: 1.2, gam: 3, al: 0.8, H: 4}
time: {horizon: 10, intervals: 20, elements: 2}
states: {c: {initial: 0.5, bounds: [0, 2]}, T: {initial: 0.2, bounds: [-1, 3]}, made: {initial: 0}}
controls: {q: {bounds: [0.1, 1], guess: 0.4}, w: {bounds: [0, 1.5], guess: 0.3}}
hysteresis: {guard: {of: T, on_at: 1, off_at: 0.4}}
define: {rate: k0*exp(gam*T/(1 + 0.2*T) - 2)*c}
dynamics:
  type: ode
  rhs: {c: q*(1 - c) - rate, T: -q*T + H*rate*0.5 - (al*w + 2*guard)*(T + 0.2), made: rate - 0.6*guard}
cost: {running: {cool: 0.05*w^2 + 0.05*q}, terminal: {most: -made}}
END
exits 0 "a reactor next to its emergency cooling" solve -q guard.yaml --verify
says out "keeps off the threshold" '^solved guard objective=-5\.6030'

echo "1..$n"
[ "$failures" -eq 0 ]
