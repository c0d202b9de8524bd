#!/bin/sh
# Robots from their files, command by command. COCP is the program; TAP on stdout.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
robots=$(cd "$(dirname "$0")/../robots" && pwd)
work_apart
cp "$robots"/* "$problems/leg.urdf" .

# --- robots: in a spec ------------------------------------------------------------------------------------------------
cat >arm.yaml <<'END_OF_SPEC'
cocp: 1
parameters: {bent: 0.4}
robots: {arm: {file: arm.urdf, at: [0, 0, 1], posture: {shoulder: 2*bent}, lock: [wheel]}}
time: {horizon: 0.01, intervals: 2}
bodies: {base_link: {points: {corner: [0.1, 0, 0]}}, upper: {mass: 5}}
states: {slide: {initial: 0.003}}
simulate: {controls: {shoulder_tau: "3", slide_tau: "0.5"}}
END_OF_SPEC
exits 0 "an arm is let through" check arm.yaml
says err "a name that a spec cannot have is told of" 'note: robots.arm: 1 name .* "base-link" is "base_link"'
exits 0 "it prints its bodies" check arm.yaml --resolved
cp out resolved.yaml
says out "the posture is a formula" 'shoulder: .*initial: 0.8,'
says out "limits are bounds" 'shoulder: .*bounds: \[-2, 1.5\]'
says out "speeds too" 'shoulder_v: .*bounds: \[-3, 3\]'
says out "and efforts" 'shoulder_tau: .*bounds: \[-40, 40\]'
says out "what the spec says itself counts" 'slide: .*initial: 0.003,'
says out "in a body, too" 'mass: 5$'
says out "which has what the file says beside it" 'center: \[0\.3'
says out "a point is added" 'corner: \[0.1, 0, 0\]'
says out "a link on a fixed joint is a frame" 'plate: \{at: \[0.4, 0, 0\]'
says out "a locked one too" 'rim: \{at:'
says out "a joint follows another one" 'ratio: -1, offset: 0.006'
grep -q '^robots:' out
[ $? -eq 1 ]
report "no robot is left" $?
exits 0 "what is printed is read again" check resolved.yaml
exits 0 "it moves" simulate arm.yaml -o arm.h5
exits 0 "and so does what was printed" simulate resolved.yaml -o resolved.h5
"$cocp" export arm.h5 --csv >arm.csv && "$cocp" export resolved.h5 --csv >resolved.csv && cmp arm.csv resolved.csv >out 2>&1
report "as far" $?
exits 0 "a robot is set before its file is read" check arm.yaml --resolved --set robots.arm.posture.shoulder=0.25
says out "so that it starts there" 'shoulder: .*initial: 0.25,'
exits 0 "a body is set after it" check arm.yaml --resolved --set bodies.upper.mass=7
says out "so that it weighs that" 'mass: 7$'
exits 4 "a result takes the place of no robot" simulate arm.yaml -o arm.urdf --force
rm arm.urdf
exits 0 "a result needs no file" verify arm.h5

cat >walker.yaml <<'END_OF_SPEC'
cocp: 1
robots:
  left: {file: walker.xml, at: [0, 1, 0]}
  right: {file: walker.xml, at: [0, -1, 0], actuate: none}
time: {horizon: 0.1, intervals: 1}
END_OF_SPEC
exits 0 "two that are alike" check walker.yaml --resolved
says out "have names of their own" 'left_root_y: .*initial: 1,'
says out "on both sides" 'right_root_y: .*initial: -1,'
says out "in the height of the file" 'left_root_z: .*initial: 1.2,'
says out "efforts may be uneven" 'left_hip_tau: .*bounds: \[-20, 40\]'
grep -q right_hip_tau out
[ $? -eq 1 ]
report "and left out" $?
grep -A3 '^gravity:' out | grep -q -- '- -1.62'
report "gravity is that of the file" $?
says err "what is not taken is named" 'walker.xml:46:5: warning: the equation <tendon> is not taken'
exits 0 "of one of them names are plain" check walker.yaml --resolved --set robots.right.prefix=r_
says out "where the other has a prefix" '^  root_y: '
cat >planar.yaml <<'END_OF_SPEC'
cocp: 1
robots: {leg: {file: leg.urdf, base: planar, at: [0.5, 0, 0.6]}}
time: {horizon: 0.1, intervals: 1}
END_OF_SPEC
exits 0 "a base may be planar" check --resolved planar.yaml
says out "with its place as the start" 'trunk_z: .*initial: 0.6,'

# --- import -----------------------------------------------------------------------------------------------------------
exits 0 "a spec to start from" import leg.urdf -o start.yaml
says out "with its contact" 'start.yaml: 3 bodies, 0 contacts'
exits 0 "of a leg that floats" import leg.urdf --base floating -o floats.yaml
says out "has a foot" 'floats.yaml: 3 bodies, 1 contacts'
exits 0 "is let through" check floats.yaml
exits 0 "stands on the ground" check floats.yaml --resolved
/usr/bin/python3 - <<'END_OF_SCRIPT' >out 2>err
import math, re
text = open("floats.yaml").read()
hip, knee, z = (float(re.search(key + r": (?:\[0, 0, )?([-0-9.]+)", text)[1]) for key in ("hip", "knee", "at"))
foot = -0.25*math.cos(hip) - 0.25*math.cos(hip + knee) + z - 0.02
assert -2e-9 < foot < 0, foot
x = -0.25*math.sin(hip) - 0.25*math.sin(hip + knee)             # of the foot; the trunk's mass is above its origin
masses = (6, 0), (0.8, -0.1*math.sin(hip)), (0.3, -0.25*math.sin(hip) - 0.1*math.sin(hip + knee)), (0.1, x)
assert abs(sum(m*at for m, at in masses)/7.2 - x) < 1e-8
assert -1.5 <= hip <= 1.5 and -2.5 <= knee <= -0.3
END_OF_SCRIPT
report "with its centre of mass above the foot" $?
# Torques hold the posture, so that a simulation of the spec stands still, feet sticking.
exits 0 "of four legs" import quadruped.xml -o four.yaml
says four.yaml "which its torques hold" 'these hold the posture'
exits 0 "is let through, too" check four.yaml
exits 0 "it is simulated" simulate four.yaml -o four.h5
exits 0 "shown" show four.h5
says out "and stands" '0 +1 +sticks +sticks +sticks +sticks$'
exits 0 "its joints" export four.h5 --joints
awk -F, 'NR == 2 { for (i = 1; i <= NF; i++) first[i] = $i }
         END { for (i = 2; i <= 20; i++) if (($i - first[i])^2 > 1e-8) exit 1 }' out >err
report "do not move by 1e-4 in a second" $?
exits 0 "a robot that nothing drives" import impossible.urdf --base floating
exits 0 "a leg on the world" import leg.urdf -o hangs.yaml --base fixed
grep -q 'these hold the posture' hangs.yaml
report "bears its own weight" $?
exits 4 "no work of the user is lost" import leg.urdf -o floats.yaml
exits 0 "of an MJCF" import walker.xml -o w.yaml
exits 0 "too" check w.yaml
exits 2 "a base that is none" import leg.urdf --base flying
exits 2 "a base that the file has" import walker.xml --base fixed
exits 4 "a file that is not there" import none.urdf
exits 3 "a file that is no robot" import walker.yaml
says err "is not quoted" 'walker.yaml:1:1: error: this is no XML: syntax error$'
mkdir sub
exits 0 "from another folder" import leg.urdf -o sub/leg.yaml
exits 0 "the file is found" check sub/leg.yaml

echo "1..$n"
[ "$failures" -eq 0 ]
