#!/bin/sh
# Closed kinematic loops, command by command, against closed forms, other integrations and equations of separate bodies.
# COCP is the program; TAP on stdout.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
by_hand=$(cd "$(dirname "$0")" && pwd)/loops_by_hand
work_apart

agrees() {      # agrees NAME ARGUMENTS...: with what is computed by hand
    name=$1
    shift
    "$by_hand" "$@" >out 2>err
    report "$name" $?
}

# --- A four-bar that swings for 10 s -------------------------------------------------------------------------------
cat >bars.yaml <<'END'
  crank:   {joint: {type: revolute, axis: [0, 1, 0]}, mass: 1, center: [0, 0, 0.15], inertia: [0.01, 0.01, 0.001]}
  coupler: {parent: crank, joint: {type: revolute, at: [0, 0, 0.3], axis: [0, 1, 0]}, mass: 1, center: [0, 0, 0.4],
            inertia: [0.02, 0.02, 0.001], points: {coupler_tip: [0, 0, 0.8]}}
  rocker:  {joint: {type: revolute, at: [0.7, 0, 0], axis: [0, 1, 0]}, mass: 1, center: [0, 0, 0.3], inertia: [0.02, 0.02, 0.001],
            points: {rocker_tip: [0, 0, 0.6]}}
END
{
    cat <<'END'
cocp: 1
name: four_bar
time: {horizon: 10}
states:
  crank: {initial: 0.5}
  crank_v: {initial: 1}
define:
  open_x: {expr: coupler_tip.x - rocker_tip.x, output: true}
  open_z: {expr: coupler_tip.z - rocker_tip.z, output: true}
loops: {pin: {a: coupler_tip, b: rocker.rocker_tip}}
bodies:
END
    cat bars.yaml
} >four.yaml
exits 0 "a four-bar swings" simulate -q four.yaml -o four.h5
agrees "closed, with its energy, as its one coordinate moves" four-bar four.h5
exits 0 "and is verified" verify -q four.h5
exits 0 "what is resolved" check --resolved four.yaml
says out "has its loops" '^loops:'
says out "and a start where they are closed" 'coupler: .*initial: 0.674956'
says err "which is said once" 'note: loops: closed at the start: coupler 0.674956, rocker 0.308129$'
sed 's/loops: {pin: {\(.*\)}}/loops: {pin: {\1, axis: [0, 1, 0]}}/' four.yaml >hinge.yaml
exits 0 "written as a hinge in space it has two conditions more" simulate -q hinge.yaml -o hinge.h5 --set time.horizon=1
exits 0 "than as a point" simulate -q four.yaml -o point.h5 --set time.horizon=1
agrees "and moves the same" same hinge.h5 point.h5 1e-8

# --- A slider-crank ------------------------------------------------------------------------------------------------
cat >crank.yaml <<'END'
cocp: 1
name: crank
time: {horizon: 2}
states: {crank: {initial: 1}, crank_v: {initial: -4}}
bodies:
  crank: {joint: {type: revolute, axis: [0, 1, 0]}, mass: 2, inertia: [0.01, 0.01, 0.01]}
  rod: {parent: crank, joint: {type: revolute, at: [0, 0, 0.1], axis: [0, 1, 0]}, mass: 1, center: [0, 0, -0.15],
        inertia: [0.0075, 0.0075, 0.0001], points: {rod_end: [0, 0, -0.3]}}
  ram: {joint: {type: prismatic, axis: [0, 0, 1]}, mass: 5}
loops: {wrist: {a: rod_end, b: ram}}
END
exits 0 "a slider-crank turns" simulate -q crank.yaml -o crank.h5 --set output.points=20001
agrees "as its closed forms" crank crank.h5

# --- A parallelogram is a pendulum ---------------------------------------------------------------------------------
cat >parallel.yaml <<'END'
cocp: 1
name: parallel
time: {horizon: 3}
states: {left: {initial: 2}, bar: {initial: -2}, right: {initial: 2}}
bodies:
  left:  {joint: {type: revolute, axis: [0, 1, 0]}, mass: 1, center: [0, 0, 0.2], inertia: [0.01, 0.01, 0.001]}
  bar:   {parent: left, joint: {type: revolute, at: [0, 0, 0.5], axis: [0, 1, 0]}, points: {bar_end: [0.6, 0, 0], bar_middle: [0.3, 0, 0]}}
  right: {joint: {type: revolute, at: [0.6, 0, 0], axis: [0, 1, 0]}, mass: 1, center: [0, 0, 0.2], inertia: [0.01, 0.01, 0.001],
          points: {right_tip: [0, 0, 0.5]}}
loops: {far: {a: bar_end, b: right_tip}}
END
cat >single.yaml <<'END'
cocp: 1
name: single
time: {horizon: 3}
states: {left: {initial: 2}}
bodies: {left: {joint: {type: revolute, axis: [0, 1, 0]}, mass: 1, center: [0, 0, 0.2], inertia: [0.01, 0.01, 0.001]}}
END
sed -e '/^loops/d' -e 's/right: {initial: 2}/&, third: {initial: 2}/' -e '/^bodies/a\  third: {joint: {type: revolute, at: [0.3, 0, 0], axis: [0, 1, 0]}, points: {third_tip: [0, 0, 0.5]}}' parallel.yaml >third.yaml
echo 'loops: {far: {a: bar_end, b: right_tip}, middle: {a: bar_middle, b: third_tip}}' >>third.yaml
exits 0 "a parallelogram whose bar has no mass" simulate -q parallel.yaml -o parallel.h5
exits 0 "a pendulum" simulate -q single.yaml -o single.h5
agrees "they swing the same" same parallel.h5 single.h5 1e-8
exits 0 "a third bar, which one condition too many holds" simulate -q third.yaml -o third.h5
agrees "swings with them" same third.h5 single.h5 1e-8

# --- Impacts -------------------------------------------------------------------------------------------------------
{
    cat <<'END'
cocp: 1
name: drop
time: {horizon: 0.25}
states: {base_z: {initial: 0.3}, base_pitch: {initial: -0.2}, crank: {initial: 0.5}, crank_v: {initial: 1}}
loops: {pin: {a: coupler_tip, b: rocker_tip}}
contacts: {corner: {gap: corner.z, restitution: 0.4}}
bodies:
  base: {joint: planar, mass: 2, inertia: [0.1, 0.1, 0.1], points: {corner: [-0.35, 0, 0]}}
END
    sed -e 's/crank:   {joint: {type: revolute/crank:   {parent: base, joint: {type: revolute, at: [-0.35, 0, 0]/' \
        -e 's/rocker:  {joint: {type: revolute, at: \[0.7/rocker:  {parent: base, joint: {type: revolute, at: [0.35/' bars.yaml
} >drop.yaml
exits 0 "a four-bar drops on a corner" simulate -q drop.yaml -o drop.h5
agrees "its pins take their part of the blow" drop drop.h5
exits 0 "and is verified" verify -q drop.h5
for method in moreau stewart-trinkle; do
    exits 0 "by $method" simulate -q drop.yaml -o steps.h5 --force --set simulate.method=$method --set simulate.steps=20000
    agrees "it comes to the same" same steps.h5 drop.h5 0.2
done

# --- In space ------------------------------------------------------------------------------------------------------
cat >box.yaml <<'END'
cocp: 1
name: box
time: {horizon: 2}
states: {box_z: {initial: -0.4}, box_q0: {initial: cos(0.4)}, box_q2: {initial: sin(0.4)}, box_x: {initial: -0.4*sin(0.8)}}
bodies:
  box: {joint: free, mass: 2, inertia: [0.02, 0.03, 0.05], points: {top: [0, 0, 0.4]}}
loops: {pin: {a: top, b: [0, 0, 0], axis: [0, 1, 0]}}
define: {hinge_x: {expr: top.x, output: true}, hinge_z: {expr: top.z, output: true}}
END
sed -i -e 's/box_z: {initial: -0.4}, //' -e "s/box_x: {initial: -0.4\*sin(0.8)}/box_x: {initial: -0.28}/" box.yaml
exits 0 "a free body on a hinge of its own closing" simulate -q box.yaml -o box.h5
agrees "is a pendulum, with the force that holds it" pendulum box.h5

# --- Of files ------------------------------------------------------------------------------------------------------
cat >parallel.xml <<'END'
<mujoco>
  <compiler angle="radian"/>
  <worldbody>
    <body name="left_link">
      <joint name="left" axis="0 1 0"/>
      <inertial pos="0 0 0.2" mass="1" diaginertia="0.01 0.01 0.001"/>
      <body name="bar" pos="0 0 0.5"><joint name="bar" axis="0 1 0"/></body>
    </body>
    <body name="right" pos="0.6 0 0">
      <joint name="right" axis="0 1 0"/>
      <inertial pos="0 0 0.2" mass="1" diaginertia="0.01 0.01 0.001"/>
    </body>
  </worldbody>
  <equality><connect name="far" body1="bar" body2="right" anchor="0.6 0 0"/></equality>
</mujoco>
END
cat >file.yaml <<'END'
cocp: 1
name: file
time: {horizon: 3}
states: {left: {initial: 2}, bar: {initial: -2}, right: {initial: 2}}
robots: {linkage: parallel.xml}
END
exits 0 "of an MJCF <connect> closes a loop" simulate -q file.yaml -o file.h5
agrees "that of the spec" same file.h5 parallel.h5 1e-9
sed 's/<connect.*\/>/<connect site1="one" site2="two"\/>/; s/<joint name="bar" axis="0 1 0"\/>/&<site name="one" pos="0.6 0 0"\/>/
     s/<joint name="right" axis="0 1 0"\/>/&<site name="two" pos="0 0 0.5"\/>/' parallel.xml >sites.xml
sed 's/parallel.xml/sites.xml/' file.yaml >sites.yaml
exits 0 "of sites, too" simulate -q sites.yaml -o sites.h5
agrees "the same" same sites.h5 parallel.h5 1e-9
sed 's/body2="right"/body2="rihgt"/' parallel.xml >wrong.xml
sed 's/parallel.xml/wrong.xml/' file.yaml >wrong.yaml
exits 3 "a body that is none" check wrong.yaml
says err "is refused with its place in the file" 'wrong.xml:14:13: error: .*there is no body "rihgt"'

# --- Problems ------------------------------------------------------------------------------------------------------
exits 0 "a parallel arm reaches" solve -q "$problems/five_bar.yaml" -o arm.h5
like 2.7969046 arm.h5 "with the least torque"
sed -e 's/left:  {initial: -0.8}/left: {initial: free, guess: -0.8}/' "$problems/five_bar.yaml" >free.yaml
exits 0 "from where it likes" solve -q free.yaml -o free.h5
"$cocp" summary --csv arm.h5 free.h5 | awk -F, 'NR == 1 {for (k = 1; k <= NF; k++) if ($k == "objective") c = k}
    NR > 1 {o[NR] = $c} END {exit !(o[3] < o[2])}'
report "with less" $?
exits 0 "its loop is closed there" verify -q free.h5
sed -e 's/b: {value: 0.35, units: m}/b: {value: 0.35, units: m, optimize: [0.3, 0.4]}/' "$problems/five_bar.yaml" >lengths.yaml
exits 0 "with forearms of optimized lengths" solve -q lengths.yaml -o lengths.h5
sed -e 's/right_tau^2}/right_tau^2, hold: 0.001*tool.lambda_x^2}/' \
    -e 's/^constraints:/&\n  soft: -20 <= tool.lambda_z <= 3/' "$problems/five_bar.yaml" >force.yaml
exits 0 "with forces of its loop in cost and constraints" solve -q force.yaml -o force.h5
exits 0 "which the replay finds" verify -q force.h5
exits 0 "planned anew on the way" track -q "$problems/five_bar.yaml" -o track.h5
exits 0 "its final velocities repeat each other" check "$problems/five_bar.yaml"
says err "which is said" 'note: loops: imply the final values of right_v, right_fore_v, which are left out'

echo "1..$n"
[ "$failures" -eq 0 ]
