#!/bin/sh
# The motion of a robot's joints for other programs: cocp export --joints. COCP is the program; TAP on stdout.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
work_apart
cp "$root/tests/robots/quadruped.xml" "$root/tests/robots/arm.urdf" .

cat >fly.yaml <<'END_OF_SPEC'
cocp: 1
robots: {q: {file: quadruped.xml, at: [0, 0, 1], turn: [0.3, -0.4, 1.1]}}
time: {horizon: 0.3, intervals: 3}
states:
  trunk_vx: {initial: 0.7}
  trunk_vy: {initial: -0.2}
  trunk_wx: {initial: 2}
  trunk_wy: {initial: -1}
  trunk_wz: {initial: 1.5}
  knee_fl: {initial: -1}
  knee_fr: {initial: -1.2}
  knee_rl: {initial: -0.8}
  knee_rr: {initial: -0.9}
  roll_fl_v: {initial: 1}
simulate: {controls: {roll_fl_tau: "0.3", knee_rr_tau: "0.5"}}
END_OF_SPEC
exits 0 "a robot flies" simulate fly.yaml -o fly.h5
exits 0 "its joints as CSV" export fly.h5 --joints -o fly.csv
says fly.csv "in the order of its file" '^t,trunk_x,trunk_y,trunk_z,trunk_q0,.*,roll_fl,pitch_fl,knee_fl,roll_fr,.*,knee_rr,trunk_vx,.*,trunk_wz,roll_fl_v,.*,knee_rr_v,roll_fl_tau,.*,knee_rr_tau$'
exits 0 "to stdout" export fly.h5 --joints=csv
cmp out fly.csv >err 2>&1
report "is the same" $?
exits 0 "as a JointTrajectory" export fly.h5 --joints ros -o ros.yaml
exits 0 "for MuJoCo" export fly.h5 --joints mujoco -o fly.npz
/usr/bin/python3 - <<'END_OF_SCRIPT' >out 2>err
import csv, re, zipfile
import numpy as np
table = list(csv.reader(open("fly.csv")))
head, rows = table[0], np.array(table[1:], float)
assert zipfile.ZipFile("fly.npz").testzip() is None
motion = np.load("fly.npz")
assert np.array_equal(np.column_stack([motion[key] for key in ("time", "qpos", "qvel", "ctrl")]), rows)
assert ["t", *motion["qpos_names"], *motion["qvel_names"], *motion["ctrl_names"]] == head
t, q, v = motion["time"], motion["qpos"], motion["qvel"]
# MuJoCo's free joint: velocities along the axes of the world, q' = q (0, w)/2 with w along those of the body
middle, rate = slice(1, -1), lambda y: (y[2:] - y[:-2]) / (t[2:] - t[:-2])[:, None]
assert np.abs(rate(q[:, :3]) - v[middle, :3]).max() < 1e-5
a, b, c, d = q[middle, 3:7].T
x, y, z = v[middle, 3:6].T
turned = np.column_stack([-b*x - c*y - d*z, a*x + c*z - d*y, a*y - b*z + d*x, a*z + b*y - c*x]) / 2
assert np.abs(rate(q[:, 3:7]) - turned).max() < 1e-4
assert np.abs(rate(q[:, 7:]) - v[middle, 6:]).max() < 5e-3
# MuJoCo 4.0: qacc of the joints at t = 0.15, mj_forward of quadruped.xml at qpos, qvel and ctrl of fly.npz, without limits
theirs = np.array([6.65878681, -4.41951184, 0.08755086, -1.4285602, -1.58310234, -1.11938104, 1.37881308, -1.19419858, -0.43097123,
                   0.4720821, 2.68601137, -0.77672898])
point = re.split("\n- ", open("ros.yaml").read())[251]
ours = np.array(re.search(r"accelerations: \[(.*)\]", point)[1].split(","), float)
assert abs(t[250] - 0.15) < 1e-12 and "time_from_start: {sec: 0, nanosec: 150000000}" in point
assert np.abs(ours - theirs).max() < 1e-7, ours - theirs
names = re.search(r"joint_names: \[(.*)\]", open("ros.yaml").read())[1].split(", ")
assert names == list(motion["qpos_names"][7:])
effort = np.array(re.search(r"effort: \[(.*)\]", point)[1].split(","), float)
assert effort[names.index("roll_fl")] == 0.3 and effort[names.index("knee_rr")] == 0.5 and np.count_nonzero(effort) == 2
END_OF_SCRIPT
report "all three say the same, and what MuJoCo says" $?

# A joint that follows another one is in tables, but none of a JointTrajectory.
cat >arm.yaml <<'END_OF_SPEC'
cocp: 1
robots: {arm: {file: arm.urdf, lock: [wheel]}}
time: {horizon: 0.01, intervals: 2}
END_OF_SPEC
follower=$(sed -n '/<joint/{s/.*name="\([^"]*\)".*/\1/;h};/<mimic/{x;p;q}' arm.urdf)
exits 0 "an arm moves" simulate arm.yaml -o arm.h5
exits 0 "with a joint that follows" export arm.h5 --joints
says out "in the table" ",$follower,"
exits 0 "for ROS" export arm.h5 --joints ros
grep joint_names out | grep -q "$follower"
[ $? -eq 1 ]
report "it is left out" $?

exits 2 "an npz needs a place" export fly.h5 --joints mujoco
says err "which is said" 'say where, as -o motion.npz'
exits 2 "a form that is none" export fly.h5 --joints=matlab
says err "with those that are" 'csv, ros or mujoco'
exits 2 "joints and a group" export fly.h5 --joints --group grid
exits 4 "no output takes the place of what is read" export fly.h5 --joints mujoco -o fly.h5
exits 0 "a result without joints" simulate "$problems/ball_1d.yaml" -o ball.h5
exits 4 "has none to export" export ball.h5 --joints
says err "and says so" 'no joints that move'
exits 40 "a simulation that is cut off" simulate "$problems/hybrid_block.yaml" -o cut.h5 --max-events 1
cut=$(ls cut*.h5)
exits 0 "is exported" export "$cut"
says err "but not in silence" 'holds no solution: its status is'
exits 0 "a solved one is, too" export ball.h5
[ ! -s err ]
report "a solved one needs no word" $?
ls -A | grep -c tmp >out
[ "$(cat out)" -eq 0 ]
report "nothing is left behind" $?

echo "1..$n"
[ "$failures" -eq 0 ]
