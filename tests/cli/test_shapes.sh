#!/bin/sh
# Shapes in space, command by command: an arm keeps clear of a post, boxes and balls rest and roll on shapes as on planes, and
# what a robot's motors do, as a cost. COCP is the program; TAP on stdout.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
work_apart

# uniform COLUMN FILE: the values of a column at evenly spaced times.
uniform() {
    "$cocp" export "$2" 2>err | awk -F, -v want="$1" '!k {for (i = 1; i <= NF; i++) if ($i == want) k = i; next} {print $k}'
}

exits 0 "an arm reaches around a post" solve -q "$problems/arm_around_post.yaml" -o arm.h5
like 0.11854983 arm.h5 "with the cost that it had"
exits 0 "as a replay finds" verify -q arm.h5
uniform distance arm.h5 | sort -g | head -1 >least
awk '{exit !($1 > 0.02 - 1e-4 && $1 < 0.021)}' least
report "2 cm from the post, where it is nearest" $?
exits 0 "prints what it is about" check --resolved "$problems/arm_around_post.yaml"
cp out again.yaml
exits 0 "and reads it again" check again.yaml
says again.yaml "with its shapes" 'capsule: \[0.06, 1.2\]'
says again.yaml "and what keeps apart" 'distance: clear'

# A ball on a slope: a plane of the contact, and a plane and a box among the shapes.
slope() {       # slope SHAPES CONTACT
    cat <<END
cocp: 1
name: slope
time: {horizon: 0.8}
states: {ball_x: {initial: 0.1*sin(0.3)}, ball_z: {initial: 0.1*cos(0.3)}, ball_vy: {initial: 0.4}}
bodies: {ball: {joint: free, mass: 2, inertia: [0.008, 0.008, 0.008]}}
$1
contacts: {slope: $2}
END
}
slope "" "{point: ball, radius: 0.1, friction: 0.1, ground: {normal: [sin(0.3), 0, cos(0.3)]}}" >plane.yaml
slope "shapes: {skin: {frame: ball, sphere: 0.1}, hill: {plane: [sin(0.3), 0, cos(0.3)]}}" \
    "{shape: skin, other: hill, friction: 0.1}" >shape.yaml
slope "shapes: {skin: {frame: ball, sphere: 0.1}, hill: {box: [9, 9, 1], turn: [0, 0.3, 0], at: [-0.5*sin(0.3), 0, -0.5*cos(0.3)]}}" \
    "{shape: skin, other: hill, friction: 0.1}" >box.yaml
slope "shapes: {skin: {frame: ball, sphere: 0.1}, hill: {plate: [9, 9], turn: [0, 0.3, 0]}}" \
    "{shape: skin, other: hill, friction: 0.1}" >plate.yaml
for kind in plane shape box plate; do
    exits 0 "a ball slides and rolls down a slope, $kind" simulate -q $kind.yaml -o $kind.h5
    for state in ball_x ball_y ball_z ball_vx ball_wx; do
        uniform $state $kind.h5 | tail -1
    done >$kind.end
    paste plane.end $kind.end | awk '{d = $1 - $2} d > 1e-8 || d < -1e-8 {exit 1}'
    report "and is where a plane leaves it, $kind" $?
done

# A crate falls flat and is at rest on its four corners.
cat >crate.yaml <<'END'
cocp: 1
name: crate
time: {horizon: 0.5}
states: {crate_z: {initial: 0.3}, crate_vx: {initial: 0.5}}
bodies: {crate: {joint: free, mass: 3, inertia: [0.02, 0.02, 0.02]}}
shapes: {crate: {frame: crate, box: [0.2, 0.3, 0.1]}}
contacts: {floor: {shape: crate, friction: 0.6}}
END
exits 0 "a crate falls" simulate -q crate.yaml -o crate.h5
uniform crate_z crate.h5 | tail -1 >height
awk '{exit !(($1 - 0.05)^2 < 1e-16)}' height
report "and rests on its corners" $?

# The energy of a motor as a state: the integral of |power|, by the trapezoidal rule.
cat >cart.yaml <<'END'
cocp: 1
name: cart
time: {horizon: 2, intervals: 8}
states: {slide: {final: 1}, slide_v: {final: 0}, energy: {initial: 0, units: J}}
controls: {slide_tau: {hold: linear}}
bodies:
  cart: {joint: {name: slide, type: prismatic, axis: [1, 0, 0], damping: 2, effort: 10, actuate: true}, mass: 3}
dynamics: {type: mechanical, rhs: {energy: abs(slide.power)}}
cost: {terminal: {transport: energy/(cart.total_mass*9.81*slide)}}
define: {power: {expr: cart.total_power, output: true}}
END
exits 0 "the least cost of transport" solve -q cart.yaml -o cart.h5
uniform power cart.h5 >power
objective cart.h5 >cost
cat cost power | awk 'NR == 1 {cost = $1; next} {p = $1 < 0 ? -$1 : $1; sum += NR > 2 ? (p + before)/2 : 0; before = p; n = NR - 2}
    END {got = sum*2/n/(3*9.81); exit !(n > 100 && (got/cost - 1)^2 < 1e-8)}'
report "is the integral of |power| over weight and way" $?

echo "1..$n"
[ "$failures" -eq 0 ]
