#!/bin/sh
# Bodies that turn in space, command by command: solutions against closed forms, what each method makes of a ball that
# drops and rolls, specs printed and read again. COCP is the program; TAP on stdout.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
work_apart

# near NAME FORMULA VALUE TOLERANCE: is what awk makes of the formula near a value?
near() {
    awk "BEGIN { d = ($2) - ($3); exit !(d <= $4 && d >= -($4)) }"
    report "$1" $?
}

# last NAME FILE: the last value of a state.
last() {
    rm -f table.csv
    "$cocp" export "$2" --csv -o table.csv -q
    awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) k = i } END { print $k }' table.csv
}

# --- solve ---------------------------------------------------------------------------------------------------------
# Half a turn about the first axis, the only one with a torque, from rest to rest: 2 sqrt(pi) s for I = 1 and |torque| <= 1.
cat >turn.yaml <<'END'
cocp: 1
name: turn
time: {horizon: {min: 0.5, max: 10, guess: 3}, intervals: 12, elements: 2}
states:
  q0: {initial: 1, final: 0}
  q1: {initial: 0, final: 1}
  q2: {initial: 0, final: 0}
  q3: {initial: 0, final: 0}
  wx: {initial: 0, final: 0}
  wy: {initial: 0, final: 0}
  wz: {initial: 0, final: 0}
controls:
  mx: {bounds: [-1, 1]}
  my: {bounds: [0, 0]}
  mz: {bounds: [0, 0]}
bodies:
  satellite: {inertia: [1, 2, 3], orientation: [q0, q1, q2, q3], angular_velocity: [wx, wy, wz]}
dynamics: {type: mechanical, force: {wx: mx, wy: my, wz: mz}}
cost: {terminal: {time: t}}
END
exits 0 "half a turn" solve -q turn.yaml
says out "takes 2 sqrt(pi) s" '^solved turn objective=3\.544907'
exits 0 "and is what a replay finds" verify -q turn.h5
exits 0 "by Gauss' method" solve -q turn.yaml --set discretization.scheme=gauss-legendre -o gauss.h5
says out "takes as long" '^solved turn objective=3\.544907'
exits 0 "with three components of the end" solve -q turn.yaml --set states.q0.final=free -o three.h5
says out "is the same" '^solved turn objective=3\.544907'
exits 0 "from a start of any length 1" solve -q turn.yaml --set states.q0.initial=free \
    --set 'states.q2.initial=[-0.2, 0.2]' -o any.h5
exits 0 "through a waypoint" solve -q turn.yaml --set 'guess.waypoints={0.5: {q0: 0.7, q1: 0.7}}' -o way.h5
says out "too" '^solved turn objective=3\.544907'
exits 0 "prints itself" check --resolved turn.yaml
cp out resolved.yaml
says resolved.yaml "with the largest component of the end by its sign" 'q1: .*final: \[0, inf\]'
exits 0 "so that it reads as the same problem" solve -q resolved.yaml -o resolved.h5
says out "of the same optimum" '^solved turn objective=3\.544907'

# With torques about all axes to turn about one is a saddle: a body of equal inertias needs 3.2431 s (Bilimoria and Wie, Time-optimal
# three-axis reorientation of a rigid spacecraft, 1993), on a grid of controls a little more.
three_torques() {
    exits 0 "$1" solve turn.yaml --set 'bodies.satellite.inertia=[1, 1, 1]' --set time.intervals=40 \
        --set 'controls.my.bounds=[-1, 1]' --set 'controls.mz.bounds=[-1, 1]' --force -o three.h5 --set "finish.without=[$2]"
}
three_torques "half a turn by three torques, from its guess" other-starts
says err "is not about one axis" '^starts beside the best solution, which may be a saddle point: a solution'
near "and shorter" "$(sed -n 's/.* objective=\([0-9.e-]*\) .*/\1/p' out)" 3.2443 0.0012
exits 0 "as its replay says" verify -q three.h5
three_torques "from other starts" off-saddle
near "it is as short" "$(sed -n 's/.* objective=\([0-9.e-]*\) .*/\1/p' out)" 3.2443 0.0012

# The vertical speed is 4 m/s down, then v_n = sqrt(16 + 2 g 0.88) becomes e v_n up; the times of both flights and what is
# to be reached give the velocity after the bounce.
exits 0 "a ball comes back by its spin" solve -q "$problems/backspin.yaml"
v2="(16 + 2*9.81*0.88)"
t1="(sqrt($v2) - 4)/9.81"
t2="(0.85*sqrt($v2) - sqrt(0.85^2*$v2 - 2*9.81*0.88))/9.81"
near "in the time that the bounce leaves" "$(sed -n 's/.* objective=\([0-9.e-]*\) .*/\1/p' out)" "$t1 + $t2" 1e-6
near "to the left" "$(last vy backspin.h5)" "0.3/($t2)" 1e-5
near "and back" "$(last vx backspin.h5)" "-1.5*($t1)/($t2)" 1e-5
exits 0 "a quadrotor lands" solve -q "$problems/quadrotor.yaml"
exits 0 "as a replay does" verify -q quadrotor.h5

# --- simulate --------------------------------------------------------------------------------------------------------
cat >ball.yaml <<'END'
cocp: 1
name: ball
parameters: {g: 9.81, mu: 0.2, r: 0.1}
time: {horizon: 0.8, intervals: 8}
states:
  x: {initial: 0}
  y: {initial: 0}
  z: {initial: 0.3}
  q0: {initial: 1}
  q1: {initial: 0}
  q2: {initial: 0}
  q3: {initial: 0}
  vx: {initial: 1.2}
  vy: {initial: 1.6}
  vz: {initial: 0}
  wx: {initial: 0}
  wy: {initial: 0}
  wz: {initial: 0}
bodies:
  ball:
    mass: 3
    inertia: [0.4*3*r^2, 0.4*3*r^2, 0.4*3*r^2]
    position: [x, y, z]
    velocity: [vx, vy, vz]
    orientation: [q0, q1, q2, q3]
    angular_velocity: [wx, wy, wz]
    points: {mark: [r, 0, 0]}
dynamics: {type: mechanical, potential: 3*g*ball.z}
contacts: {floor: {point: ball, radius: r, friction: mu}}
draw: {links: {radius: [ball, mark]}}
END
for method in event fesd-j moreau stewart-trinkle; do
    steps=1000
    [ "$method" = fesd-j ] && steps=16
    exits 0 "a ball by $method" simulate -q ball.yaml --method $method --set simulate.steps=$steps -o $method.h5
    near "rolls at 5/7 of its speed" "$(last vx $method.h5)" 1.2*5/7 3e-3
    near "and spins so" "$(last wy $method.h5)" 12*5/7 3e-2
done
exits 0 "by events it is verified" verify -q event.h5
exits 0 "a bundle from other orientations" simulate -q ball.yaml --samples 3 --perturb q1=0.1 -o bundle.h5
exits 0 "the same by time-freezing, without friction" simulate -q ball.yaml --method time-freezing \
    --set contacts.floor.friction=0 --set simulate.steps=8 -o freezing.h5
near "slides on" "$(last x freezing.h5)" 0.96 1e-3
exits 0 "a film is made of points of bodies" report -q event.h5 -o page.html
says page.html "that have no entry" '"mark"'

# --- A box that slides on an edge, two contacts of which need one: its slip comes down to rounding and stays there ---
cat >edge.yaml <<'END'
cocp: 1
parameters: {m: 1, g: 9.81, a: 0.1, b: 0.08, c: 0.15, mu: 0.6}
time: {horizon: 1}
states: {x: {initial: 0}, y: {initial: 0}, z: {initial: 0.6}, q0: {initial: cos(pi/4)}, q1: {initial: 0},
         q2: {initial: -sin(pi/4)}, q3: {initial: 0}, vx: {initial: 0.5}, vy: {initial: 0}, vz: {initial: 1},
         wx: {initial: 0}, wy: {initial: 3}, wz: {initial: 0}}
bodies:
  box: {mass: m, inertia: [m*(b^2 + c^2)/3, m*(a^2 + c^2)/3, m*(a^2 + b^2)/3], position: [x, y, z], velocity: [vx, vy, vz],
        orientation: [q0, q1, q2, q3], angular_velocity: [wx, wy, wz],
        points: {c1: [a, b, -c], c2: [a, -b, -c], c3: [-a, b, -c], c4: [-a, -b, -c]}}
dynamics: {type: mechanical, potential: m*g*box.z}
contacts: {c1: {point: c1, friction: mu}, c2: {point: c2, friction: mu}, c3: {point: c3, friction: mu},
           c4: {point: c4, friction: mu}}
END
timeout 300 "$cocp" simulate edge.yaml -o edge.h5 >out 2>err
code=$?
[ $code -eq 0 ] || { [ $code -eq 50 ] && grep -q 'it makes no progress' err; }
report "a box on an edge comes to rest, or says that it makes no progress" $?

# --- Others ----------------------------------------------------------------------------------------------------------
exits 60 "certify is about the plane" certify -q ball.yaml -o certified.h5
says out "and says so" 'inconclusive ball reason=model'
exits 0 "explain knows bodies" explain bodies.NAME.orientation
says out "and quaternions" 'unit quaternion'

echo "1..$n"
[ "$failures" -eq 0 ]
