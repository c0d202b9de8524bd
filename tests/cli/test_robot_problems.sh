#!/bin/sh
# The robots of problems/ that have files of their own: each is solved from its guess, its replay agrees, and what
# it does is compared with mechanics on paper: parabolas, friction that stops, impulses that carry a weight. COCP is
# the program; TAP on stdout.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
work_apart

solves() {      # solves NAME OBJECTIVE: to 1 %
    exits 0 "$1" solve "$problems/$1.yaml"
    awk -v x="$(objective "$1.h5")" -v y="$2" 'BEGIN { d = x/y - 1; exit !(d < 0.01 && d > -0.01) }'
    report "$1 costs $2" $?
    exits 0 "a replay agrees" verify "$1.h5"
    "$cocp" export "$1.h5" --csv --group trajectory >"$1.csv" 2>err
    "$cocp" export "$1.h5" --csv --group events >"$1_events.csv" 2>>err
}

# on_paper NAME WHAT: the script on stdin has nothing to object to; rows of /trajectory and /events are there.
on_paper() {
    {
        cat <<'END_OF_SCRIPT'
import csv, math, sys
def read(name):
    with open(name) as file:
        return [{k: v if k in ("kind", "name") else float(v) for k, v in row.items()} for row in csv.DictReader(file)]
rows, events = read(sys.argv[1] + ".csv"), read(sys.argv[1] + "_events.csv")
g, first, last = 9.81, rows[0], rows[-1]
def near(x, y, tol):
    assert abs(x - y) <= tol, (x, y)
def capsule(r, length):
    return 1000*math.pi*(r**2*length + 4/3*r**3)
def integral(name):
    return sum((b["t"] - a["t"])*(a[name] + b[name])/2 for a, b in zip(rows, rows[1:]))
def flies(phase, mass):         # the centre of mass, on a parabola
    a, b = [[row for row in rows if row[phase] == 1][k] for k in (0, -1)]
    T = b["t"] - a["t"]
    assert T > 0.01
    near(b["rise"], a["rise"] - mass*g*T, 1e-5*mass)
    near(b["height"], a["height"] + a["rise"]/mass*T - g*T**2/2, 1e-6)
def weighs(mass, *contacts):    # over a cycle the ground gives what the weight takes
    given = sum(integral(c + "_lambda_n") for c in contacts) + sum(e["impulse_n"] for e in events)
    near(given/(mass*g*(last["t"] - first["t"])), 1, 0.01)
END_OF_SCRIPT
        cat
    } >script.py
    /usr/bin/python3 script.py "$1" >out 2>err
    report "$2" $?
}

solves arm_throw 0.07384
on_paper arm_throw "the ball lies in the palm, then flies to the cup on a parabola" <<'END_OF_SCRIPT'
start = [row for row in rows if row["flight"] == 1][0]
T = last["t"] - start["t"]
for axis, cup, fall in (("x", 2, 0), ("y", 0.3, 0), ("z", 0.3, g/2*T**2)):
    near(start["ball_" + axis] + start["ball_v" + axis]*T - fall, cup, 1e-6)
def turned(axis, angle, at):
    c, s, (x, y, z) = math.cos(angle), math.sin(angle), at
    return (c*x - s*y, s*x + c*y, z) if axis == "z" else (c*x + s*z, y, c*z - s*x)
links = (("wrist_3", "y", (0, 0, 0.09465)), ("wrist_2", "z", (0, 0.10915, 0)), ("wrist_1", "y", (0, 0, 0.39225)),
         ("elbow", "y", (0, 0, 0.425)), ("lift", "y", (0, 0, 0)), ("pan", "z", (0, 0, 0.089159)))
for row in rows:
    at = (0, 0.0823, 0)
    for joint, axis, origin in links:
        at = tuple(a + b for a, b in zip(turned(axis, row[joint], at), origin))
    if row["held"] == 1:
        near(max(abs(row["ball_" + k] - a) for k, a in zip("xyz", at)), 0, 1e-6)
END_OF_SCRIPT

solves arm_hit 0.01619
on_paper arm_hit "the box is hit once, then friction stops it on the mark" <<'END_OF_SCRIPT'
hits = [e for e in events if e["kind"] == "impact" and e["name"] == "hand"]
assert len(hits) == 1
near(hits[0]["x_minus_box_v"], 0, 1e-9)
near(hits[0]["x_plus_box_v"], hits[0]["impulse_n"]/0.5, 1e-6)
left = [row for row in rows if row["t"] > hits[0]["t"] and row["hand_gap"] > 1e-4 and row["box_v"] > 0.1][0]
near(left["box"] + left["box_v"]**2/(2*0.3*g), 0.85, 1e-6)
END_OF_SCRIPT

solves arm_push 0.5731
on_paper arm_push "what the rod gives the box takes it to the mark against friction" <<'END_OF_SCRIPT'
hit, = [e for e in events if e["kind"] == "impact" and e["name"] == "rod"]
near(hit["x_plus_s_v"], hit["impulse_n"], 1e-6)                 # of 1 kg
stop = [e for e in events if e["name"] == "table"][-1]["t"]
near(hit["impulse_n"] + integral("rod_lambda_n"), 0.3*g*(stop - hit["t"]), 0.01)
left = [row for row in rows if row["t"] > hit["t"] and row["rod_gap"] > 1e-4 and row["s_v"] > 0.1][0]
near(left["s"] + left["s_v"]**2/(2*0.3*g), 0.2, 1e-6)
END_OF_SCRIPT

solves hopper_hop 0.05221
on_paper hopper_hop "with the masses of its capsules it flies on a parabola" <<'END_OF_SCRIPT'
flies("fly", capsule(0.05, 0.4) + capsule(0.05, 0.45) + capsule(0.04, 0.5) + capsule(0.06, 0.39))
assert all("heel_v_t" in row and "heel_v_t2" not in row for row in rows)        # in the plane it slips one way
END_OF_SCRIPT

solves walker_step 0.1976
on_paper walker_step "over a step the ground carries the weight of its capsules" <<'END_OF_SCRIPT'
leg = capsule(0.05, 0.45) + capsule(0.04, 0.5) + capsule(0.06, 0.2)
weighs(capsule(0.05, 0.4) + 2*leg, "toe", "toe_left", "heel", "heel_left")
near(last["x"] - first["x"], 0.3, 1e-8)
for k in ("hip", "knee", "ankle"):
    near(last[k], first[k + "_left"], 1e-6)
    near(last[k + "_left"], first[k], 1e-6)
for k in ("z", "x_v", "z_v"):                   # follow from the foot that stands
    near(last[k], first[k], 1e-6)
END_OF_SCRIPT

solves cheetah_bound 0.42396
on_paper cheetah_bound "its 14 kg fly on parabolas, and the ground carries them" <<'END_OF_SCRIPT'
flies("fly", 14)
flies("gather", 14)
weighs(14, "back", "front")
END_OF_SCRIPT

solves quadruped_bound 0.15649
on_paper quadruped_bound "its 10.2 kg fly on parabolas, and the ground carries them" <<'END_OF_SCRIPT'
flies("fall", 10.2)
flies("fly", 10.2)
weighs(10.2, "hind", "fore")
END_OF_SCRIPT

solves solo_sway 0.15333
on_paper solo_sway "four feet that stay carry its 2.5 kg" <<'END_OF_SCRIPT'
feet = ["fl_foot", "fr_foot", "hl_foot", "hr_foot"]
weighs(2.5, *feet)
for k in feet:
    assert max(abs(row[k + "_gap"]) for row in rows) < 1e-6
    assert all(math.hypot(row[k + "_lambda_t1"], row[k + "_lambda_t2"]) <= 0.7*row[k + "_lambda_n"] + 1e-6 for row in rows)
near(max(abs(row["base_y"]) for row in rows), 0.05, 1e-3)
END_OF_SCRIPT

solves solo_jump 0.53896
on_paper solo_jump "from rest to rest the ground gives its 2.5 kg their weight, and nothing sideways" <<'END_OF_SCRIPT'
feet = ["fl_foot", "fr_foot", "hl_foot", "hr_foot"]
weighs(2.5, *feet)
for t, jump in (("_lambda_t1", "impulse_t"), ("_lambda_t2", "impulse_t2")):
    near(sum(integral(k + t) for k in feet) + sum(e[jump] for e in events), 0, 1e-3)
air = [row for row in rows if row["air"] == 1]
assert all(row[k + "_lambda_n"] == 0 for row in air[1:-1] for k in feet)
assert max(row["base_z"] for row in rows) >= first["base_z"] + 0.1 - 1e-6
END_OF_SCRIPT

solves solo_trot 0.2054
on_paper solo_trot "diagonal pairs of feet swing in turn, and the ground gives its 2.5 kg their weight, nothing sideways" \
    <<'END_OF_SCRIPT'
pairs = {"first": ("fr_foot", "hl_foot"), "second": ("fl_foot", "hr_foot")}
feet = pairs["first"] + pairs["second"]
weighs(2.5, *feet)
for t, jump in (("_lambda_t1", "impulse_t"), ("_lambda_t2", "impulse_t2")):
    near(sum(integral(k + t) for k in feet) + sum(e[jump] for e in events), 0, 1e-3)
for phase, swinging in pairs.items():
    during = [row for row in rows if row[phase] == 1][1:-1]
    for k in feet:
        if k in swinging:
            assert max(row[k + "_gap"] for row in during) >= 0.03 - 1e-3
            assert all(row[k + "_lambda_n"] == 0 for row in during)
        else:
            assert max(abs(row[k + "_gap"]) for row in during) < 1e-6
near(last["base_x"] - first["base_x"], 0.1, 1e-6)
END_OF_SCRIPT

solves humanoid_squat 0.1592
on_paper humanoid_squat "the ground carries 70 kg, knees bend as hips near ankles that stay" <<'END_OF_SCRIPT'
thigh, shank, bend = 0.245*1.75, 0.246*1.75, 0.4
points = [point + "_" + side for side in ("left", "right") for point in ("heel", "big", "little")]
weighs(70, *points)
for row in rows:
    w, x, y, z = (row["trunk_q%d" % k] for k in range(4))
    for side, b in (("left", 0.0836), ("right", -0.0836)):
        turned = (2*b*(x*y - w*z), b*(1 - 2*(x*x + z*z)), 2*b*(y*z + w*x))
        hip = tuple(row["trunk_" + k] + a for k, a in zip("xyz", turned))
        apart = math.dist(hip, ((thigh - shank)*math.sin(bend), b, 0.039*1.75))
        near(apart, math.sqrt(thigh**2 + shank**2 + 2*thigh*shank*math.cos(row["knee_" + side])), 1e-5)
near(min(row["trunk_z"] for row in rows), first["trunk_z"] - 0.15, 2e-3)
near(last["height"], first["height"], 1e-2)
END_OF_SCRIPT

solves humanoid_jump 0.2344
on_paper humanoid_jump "its 70 kg fly on a parabola, and both feet land at once" <<'END_OF_SCRIPT'
flies("air", 70)
points = [point + "_" + side for side in ("left", "right") for point in ("heel", "big", "little")]
weighs(70, *points)
landing = [e for e in events if e["kind"] == "impact"]
assert sorted(e["name"] for e in landing) == sorted(points) and len({e["t"] for e in landing}) == 1
near(max(row["trunk_z"] for row in rows), (0.039 + 0.245 + 0.246)*1.75 + 0.05, 2e-3)
for k in points:
    near(last[k + "_gap"], 0, 1e-6)
    assert max(row[k + "_gap"] for row in rows) > 0.05
END_OF_SCRIPT

echo "1..$n"
[ "$failures" -eq 0 ]
