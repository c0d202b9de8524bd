#!/bin/sh
# solve --guess: from a solution of the same problem, of a moved one, of other grids and methods. COCP is the program; TAP
# on stdout.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
work_apart
ex5=$problems/tf_ex5.yaml

# iterations_below N NAME: of the line in out, at most N.
iterations_below() {
    taken=$(sed -n 's/^solved .* iter=\([0-9]*\) .*/\1/p' out | head -1)
    [ -n "$taken" ] && [ "$taken" -le "$1" ]
    report "$2: ${taken:-none}" $?
}

# --- The same problem again, and one with its start moved --------------------------------------------------------
exits 0 "fall, slip, stick" solve -q "$ex5" --set finish.starts=1 -o ex5.h5
exits 0 "again from its solution" solve -q "$ex5" --guess ex5.h5 -o again.h5
says out "is the same" 'objective=72\.639278 comp=0\.0e\+00 '
iterations_below 3 "in no time"
exits 0 "and from that again" solve -q "$ex5" --guess again.h5
iterations_below 3 "in no time"
exits 0 "with the start moved by 1 %" solve -q "$ex5" --guess ex5.h5 --set states.z.initial=1.01 -o moved.h5 --verify
iterations_below 15 "takes few iterations"
exits 0 "with other friction" solve -q "$ex5" --guess ex5.h5 --set parameters.mu=0.5
iterations_below 15 "too"

# --- Other grids, other times ------------------------------------------------------------------------------------
exits 0 "on another grid" solve -q "$ex5" --guess ex5.h5 --set time.intervals=26 --set finish.tries=0
says out "is another optimum" '^solved tf_ex5 objective=72\.6143'
iterations_below 40 "of the same sequence"
exits 0 "more stages" solve -q "$ex5" --guess ex5.h5 --set finish.stages=5 --set finish.tries=0 -o fine.h5
iterations_below 40 "of the same sequence"
exits 0 "from a time on" solve -v "$ex5" --guess ex5.h5@0.2 --set time.horizon=1.8 --set time.intervals=18 \
    --set states.z.initial=0.8 --set states.vz.initial=-2 --set states.vx.initial=2 --set states.x.initial=0.3 \
    --set finish.tries=0
says err "has the events left" 'solved: .* sequence o 2\.5!\+ \+ 14\.5 k( |$)'
exits 0 "a car" solve -q "$problems/turbo_car.yaml" -o car.h5
exits 0 "the rest of its way" solve -q "$problems/turbo_car.yaml" --guess car.h5@1 --set states.q.initial=2.5 \
    --set states.v.initial=5
says out "takes about a second less" '^solved turbo_car objective=12\.[3-5]'
exits 4 "from a time that it does not have" solve -q "$ex5" --guess ex5.h5@2
says err "is refused" 'ex5\.h5@2: the time must lie in \[0, 2\)'

# --- Sequences read from other methods' trajectories -------------------------------------------------------------
exits 0 "by time-freezing" solve -q "$ex5" --set finish=off -o freezing.h5
exits 0 "by time steps" solve -q "$ex5" --set finish=off --set discretization.method=time-stepping --set time.elements=4 -o steps.h5
exits 0 "from event to event" simulate -q "$ex5" --controls ex5.h5 -o events.h5
exits 0 "by Moreau's steps" simulate -q "$ex5" --controls ex5.h5 --method moreau --set simulate.steps=200 -o moreau.h5
for file in freezing steps events moreau; do
    exits 0 "from $file" solve -v "$ex5" --guess $file.h5 --set finish.tries=0
    says err "the sequence is read" 'solved: [0-9]+ iterations, .* sequence o 4\.5!\+ \+ 16\.5 k( |$)'
    iterations_below 40 "and nothing else discovered"
done

# --- A simulation's elements do not end where control intervals do ---------------------------------------------------
# Two bounces of a ball, at 0.7117 and 1.5102 of 1.8386 s: in intervals 3 and 8 of 10.
cat >bounces.yaml <<'END'
cocp: 1
name: bounces
time: {horizon: 1.8386, intervals: 10}
states: {z: {initial: 1, final: 0.5}, v: {bounds: [-10, 10], initial: free, guess: 2.08551163}}
dynamics: {type: mechanical, coordinates: {z: v}, mass: {diag: [1]}, force: {z: -9.81}}
contacts: {floor: {gap: z, restitution: 0.8}}
END
exits 3 "a simulation from a free initial value" simulate -q bounces.yaml -o bounced.h5
says err "is told how to say one" 'one initial value of v, not `free`: --set states\.v\.initial=2\.08551$'
exits 0 "a ball that bounces twice" simulate -q bounces.yaml --set states.v.initial=2.08551163 -o bounced.h5
exits 0 "from its simulation" solve -v bounces.yaml --guess bounced.h5
says err "each bounce is where it was" '^solved: [0-9]+ iterations, .* sequence o 3\.5!c o 8\.5!c o'

# --- Impacts next to grid points ---------------------------------------------------------------------------------------
# A ball that comes to rest on a driven paddle in the fourth bounce. Two of them are 6e-9 s from a grid point, and short steps
# follow: nothing is closed in these. 4.52139: the least of an enumeration of the intervals of bounces, made apart.
cat >catch.yaml <<'END'
cocp: 1
name: catch
parameters: {g: 9.81, M: 1, m: 0.2, e: 0.7}
time: {horizon: 1.2, intervals: 12, elements: 3}
states:
  p:  {initial: 0, final: 0, bounds: [-0.5, 1]}
  b:  {initial: 0.8, final: 0, bounds: [-0.5, 3]}
  vp: {initial: 0, final: 0, bounds: [-6, 6]}
  vb: {initial: 0, final: 0, bounds: [-8, 8]}
controls: {u: {bounds: [-40, 40]}}
dynamics: {type: mechanical, coordinates: {p: vp, b: vb}, mass: {diag: [M, m]}, force: {p: u, b: -m*g}}
contacts: {hit: {gap: b - p, restitution: e}}
cost: {running: {effort: 0.1*u^2}}
END
cat >catch.csv <<'END'
t,u
0.0,-0.0453166950603583
0.1,-0.153377749700678
0.2,-0.261438802015435
0.3,-0.369499855193564
0.4,5.49231298061519
0.5,4.27770564267134
0.6,2.57492556085547
0.7,0.872145470562631
0.8,9.3506897579412
0.9,-0.6342265485918
1.0,13.5739586188559
1.1,-11.1338783809399
1.2,-11.1338783809399
END
exits 0 "a paddle that stops a ball" simulate -q catch.yaml --controls catch.csv -o catch_sim.h5
exits 0 "from its simulation" solve -q catch.yaml --guess catch_sim.h5 -o caught.h5
says out "all four bounces are kept" '^solved catch objective=4\.52138'

# --- Fewer states ------------------------------------------------------------------------------------------------
exits 0 "of another problem" solve "$problems/turbo_car.yaml" --guess ex5.h5 -o other.h5
says err "what it does not have is named" 'ex5\.h5 does not have q, v: from the spec.s own guess'
says out "and no harm done" '^solved turbo_car objective=13\.333333 '

# --- A guess that leads nowhere ----------------------------------------------------------------------------------
exits 0 "raw, from a guess that says nothing" solve -v "$ex5" --set finish=off --guess car.h5 -o raw.h5
says err "is tried" '^attempt 1 of .*: from the given trajectory'
[ "$(grep -cE 'from the given trajectory|: from the guess' err)" -eq 1 ]
report "once" $?
says err "then the solve goes on as without it" '^attempt 2 of .*: from the presolve'
echo "1..$n"
[ "$failures" -eq 0 ]
