#!/bin/sh
# The set of outcomes of an impact: what is printed and stored, where it starts, what is refused. COCP is the
# program; TAP on stdout.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
work_apart

says() {        # says FILE NAME PATTERN: the last output has a line like that
    grep -qE -- "$3" "$1"
    report "$2" $?
}

silent() {      # silent FILE NAME
    [ ! -s "$1" ]
    report "$2" $?
}

# near NAME VALUE WANTED TOLERANCE
near() {
    awk -v a="$2" -v b="$3" -v tol="$4" 'BEGIN { d = a - b; exit !(d <= tol && d >= -tol) }'
    report "$1" $?
}

# column NAME ROW FILE: of a CSV file, rows from 1
column() {
    awk -F, -v name="$1" -v row="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) k = i }
                                      NR == row + 1 { print $k }' "$3"
}

# Rocking block (SVI Fig. 9): three outcomes; by hand (impact.md 10) the pivoting block turns with 0.21 v0.
exits 0 "rocking block" impact "$problems/rocking_block.yaml" --samples 4096 -o block.h5 \
    --set impact.corners=true --set 'impact.compare=[anitescu-potra, sequential]'
says out "one line says what was done" '^solved rocking_block samples=8195 unfinished=[0-9]+ outcomes=3 .* out=block.h5$'
says out "the block rests" '^ *stick +stick +0\.[0-9]+ '
says out "or lifts its left corner" '^ *lift +stick +0\.[0-9]+ '
says out "or its right one" '^ *stick +lift +0\.[0-9]+ '
says out "Anitescu and Potra's law knows rest" 'anitescu-potra +all at once +stick +stick'
says out "a sequence lets it pivot" 'sequential +left right +lift +stick'
silent err "no warnings"
says out "no corner leaves with more than sqrt(1.5) v0, all energy in the block that turns about the other one" \
    '^ *left +normal .* 0\.5424[0-9]+ *$'
"$cocp" export block.h5 --csv --group contacts >contacts.csv
for velocity in left_v_n right_v_t; do
    awk -F, -v name=$velocity 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        $at["name"] == name { exit !($at["bound_least"] <= $at["least"] && $at["largest"] <= $at["bound_largest"]) }' contacts.csv
    report "no sample of $velocity is beyond what none is" $?
done
exits 0 "the result in words" show block.h5
says out "names the outcomes" 'left stick, right lift'
exits 0 "the other laws as a table" export block.h5 --csv --group comparison
cp out laws.csv
near "a sequence turns the block with 0.21 v0" "$(column om 2 laws.csv)" "-0.0930184" 1e-6
exits 0 "the samples as a table" export block.h5 --csv
[ "$(wc -l <out)" -eq 8196 ]
report "one row per sample" $?
exits 0 "a hull" export block.h5 --csv --group hull/corner_left_v_n__right_v_n
exits 0 "the outcomes as JSON" impact "$problems/rocking_block.yaml" --samples 1000 --json -o json.h5
says out "are one object" '^\{"status": "solved", "exit_code": 0, "name": "rocking_block", "samples": 1000, '

# The other four of the paper: what their figures show.
exits 0 "compass gait" impact "$problems/compass_gait.yaml" --samples 16384 -q
silent err "quiet"
exits 0 "compass gait in words" show compass_gait.h5
for kind in stick slide lift; do
    says out "leading foot sticks, trailing foot: $kind" "leading stick, trailing $kind"
done
says out "impulses that alternate lift the leading foot" 'leading (lift|slide), trailing stick'
exits 0 "box and wall" impact "$problems/box_wall.yaml" --samples 16384
says out "the box rests" '^ *stick +stick '
says out "or slides on and lifts off the wall" '^ *slide +lift '
says out "or slides along the wall" '^ *slide +slide '
exits 0 "RAMone" impact "$problems/ramone.yaml" --samples 4096 --sampling random --seed 5
for kind in stick slide lift; do
    says out "leading foot sticks, trailing foot: $kind" "^ *stick +$kind +0\.3"
done
silent err "its friction of 1e5 makes a pointed cone"
exits 0 "disk stack" impact "$problems/disk_stack.yaml" --samples 1024
says out "the top leaves one of the discs" '^ *stick +stick +lift +stick +lift '
says out "or the other" '^ *stick +stick +stick +lift +lift '
exits 0 "disk stack with mass and tangents of the published code" impact "$problems/disk_stack.yaml" --samples 2048 \
    --set parameters.m=5 --set parameters.mirror=1 -o published.h5
near "takes the LCPs of SVI's Table 3" "$(sed -n 's/.* lcps=\([0-9.]*\) .*/\1/p' out)" 9.04 0.45
"$cocp" export published.h5 --csv --group outcomes >published.csv
! grep -q 'top_L lift, top_R lift' published.csv
report "the top disc keeps contact with at least one, SVI 5.4.5" $?

# The same seed gives the same samples, whatever the number of processors; another seed gives others.
exits 0 "once more" impact "$problems/box_wall.yaml" --samples 5000 -o one.h5
"$cocp" export one.h5 --csv >one.csv
taskset -c 0 "$cocp" impact "$problems/box_wall.yaml" --samples 5000 -o two.h5 >out 2>err
"$cocp" export two.h5 --csv >two.csv
cmp -s one.csv two.csv
report "on one processor the same samples" $?
exits 0 "another seed" impact "$problems/box_wall.yaml" --samples 5000 --seed 2 -o two.h5
"$cocp" export two.h5 --csv >two.csv
! cmp -s one.csv two.csv
report "gives other samples" $?

# From an event of a result: a mass that falls onto a floor, to the same mass without a discretization.
exits 0 "a simulation with an impact" simulate "$problems/two_contacts.yaml" --method time-freezing -q \
    --set time.horizon=0.3 --set simulate.steps=3
cat >corner.yaml <<'END'
cocp: 1
name: corner
states:
  q1: {initial: 0}
  q2: {initial: 0}
  v1: {initial: 0}
  v2: {initial: 0}
dynamics:
  type: mechanical
  coordinates: {q1: v1, q2: v2}
  mass: {diag: [1, 1]}
contacts:
  wall:  {gap: q1}
  floor: {gap: q2}
impact: {h: 4, samples: 100, gap_tol: 1e-4}
END
exits 0 "the set of outcomes at its impact" impact corner.yaml --from two_contacts.h5@0.2317
says out "the mass stops" '^ *stick +1 +100 '
says out "with what it has along the floor" '^solved corner .* energy=1.125[0-9]*..1.125'
exits 2 "a time without an event" impact corner.yaml --from two_contacts.h5@0.4
says err "names those there are" 'has no event at t = 0.4; it has events at t = 0.23166'
exits 2 "no time at all" impact corner.yaml --from two_contacts.h5
says err "asks for FILE.h5@TIME" '--from wants FILE.h5@TIME'
exits 4 "a file that is not there" impact corner.yaml --from nowhere.h5@1

# In space: a mass slides along the floor into a wall; friction has four directions, two along the motion.
cat >space.yaml <<'END'
cocp: 1
name: space
states:
  x: {initial: 0}
  y: {initial: 0}
  z: {initial: 0}
  vx: {initial: -1}
  vy: {initial: 1}
  vz: {initial: -1}
dynamics:
  type: mechanical
  coordinates: {x: vx, y: vy, z: vz}
  mass: {diag: [1, 1, 1]}
contacts:
  floor: {gap: z, tangent: [x, y], friction: 0.3}
  wall:  {gap: x, tangent: [y, z], friction: 0.2}
impact: {h: 2, samples: 1000}
END
exits 0 "an impact in space" impact space.yaml
says out "friction slows the slip along floor and wall and does not stop it" \
    '^ *floor +tangential 2 +1 +0\.[3-9][0-9]* +0\.[3-9]'
exits 0 "its samples" show space.h5 --group samples
says out "have two tangential velocities" 'wall_v_t2 '

# Continuous time: after the sampled impact the block rocks until it rests, the spin 0.7 times that of the impact
# before, so that the impacts of a corner accumulate by 0.49 (impact.md 10).
exits 0 "a bundle of sampled impacts" simulate "$problems/rocking_block.yaml" --impacts set --samples 8 -o bundle.h5
says err "the impacts accumulate" 'left: [0-9]+ impacts resolved one by one, .* each interval 0.49 of the one before'
"$cocp" simulate -q "$problems/rocking_block.yaml" --impacts set --samples 8 -o again.h5 >out 2>err
"$cocp" export bundle.h5 --csv --group bundle >bundle.csv && "$cocp" export again.h5 --csv --group bundle >again.csv &&
    cmp -s bundle.csv again.csv
report "the same seed gives the same bundle" $?
"$cocp" simulate -q "$problems/rocking_block.yaml" --impacts set --samples 8 --seed 2 -o again.h5 >out 2>err
"$cocp" export again.h5 --csv --group bundle >again.csv && ! cmp -s bundle.csv again.csv
report "another seed gives another one" $?
exits 0 "Zeno's block" simulate -q "$problems/rocking_block_zeno.yaml" --impacts set -o zeno.h5
"$cocp" export zeno.h5 --csv --group events >zeno.csv
near "its impacts accumulate at t = 2.67 (SVI 4.3)" "$(tail -n 1 zeno.csv | cut -d, -f1)" 2.67 0.005
exits 2 "sampled impacts of time-stepping" simulate "$problems/rocking_block.yaml" --impacts set --method moreau \
    --set simulate.steps=10
says err "are refused" '--impacts goes with --method event'
exits 2 "impacts of another kind" simulate "$problems/rocking_block.yaml" --impacts all

# Friction 0.2 along x and 0.5 along y. Along y the impulse is 0.5 times the normal one; askew it is the one of the ellipse that takes most
# power, dv = -(0.04 vx, 0.25 vy)/|(0.2 vx, 0.5 vy)| per N s over 1 N s (here by steps of 1e-4 N s): as near as 16 directions come to it.
cat > skid.yaml <<'EOF'
cocp: 1
name: skid
time: {horizon: 1}
states: {x: {initial: 0}, y: {initial: 0}, z: {initial: 0}, vx: {initial: 0}, vy: {initial: 2}, vz: {initial: -1}}
dynamics: {type: mechanical, coordinates: {x: vx, y: vy, z: vz}, mass: {diag: [1, 1, 1]}}
contacts: {floor: {gap: z, tangent: [x, y], friction: [0.2, 0.5]}}
impact: {h: 0.01, max_steps: 1000, samples: 16}
EOF
exits 0 "friction of an ellipse" impact skid.yaml
says out "acts along its axis with its coefficient" '^ *floor +tangential 2 +2 +1.5 +1.5'
"$cocp" export skid.h5 --group contacts > skid.csv
near "as in the file" "$(tail -n 1 skid.csv | cut -d, -f3)" 1.5 1e-9
exits 0 "askew" impact skid.yaml --set states.vx.initial=1 --set discretization.directions=16
"$cocp" export skid.h5 --group contacts > skid.csv
awk 'BEGIN { x = 1; y = 2; for (k = 0; k < 10000; k++) { s = sqrt(0.04*x*x + 0.25*y*y); a = 0.04*x/s; b = 0.25*y/s; x -= a/10000; y -= b/10000 }
             print x, y }' > skid.txt
near "it takes what the ellipse says along x" "$(awk -F, '$1 == "floor_v_t1" { print $3 }' skid.csv)" "$(cut -d' ' -f1 skid.txt)" 0.04
near "and along y" "$(awk -F, '$1 == "floor_v_t2" { print $3 }' skid.csv)" "$(cut -d' ' -f2 skid.txt)" 0.04

# Restitution: a ball rebounds with e times its speed, and the block that falls flat with no less than that of both corners at once.
cat >ball.yaml <<'END'
cocp: 1
name: ball
time: {horizon: 1}
states: {x: {initial: 0}, z: {initial: 0}, vx: {initial: 5}, vz: {initial: -3}}
dynamics: {type: mechanical, coordinates: {x: vx, z: vz}, mass: {diag: [2, 2]}, force: {z: -19.62}}
contacts: {floor: {gap: z, tangent: x, friction: 0.1, restitution: 0.5}}
impact: {h: 4, samples: 64}
END
exits 0 "an elastic ball" impact ball.yaml
says out "rebounds with e times its speed" '^ *floor +normal +-3 +1.5 +1.5'
says out "friction takes mu times the impulse from the slip" '^ *floor +tangential +5 +4.55 +4.55'
exits 0 "the same without restitution" impact ball.yaml --set impact.restitution=none
says out "stops" '^ *floor +normal +-3 +[-0-9.]+(e-1[0-9])? +[-0-9.]+(e-1[0-9])? '
set -- --set contacts.left.restitution=0.5 --set contacts.right.restitution=0.5
exits 0 "an elastic block" impact "$problems/rocking_block.yaml" --samples 1000 "$@" --set impact.corners=true
says out "both corners rebound with 0.5 v0 at least, and none with more than sqrt(1.6) v0" \
    '^ *left +normal +-0.442945 +0.221472 .* 0\.5602[0-9]+ *$'
silent err "no energy had to be kept out"
exits 0 "with no loss at all" impact "$problems/rocking_block.yaml" --samples 1000 --set contacts.left.restitution=1 \
    --set contacts.right.restitution=1
says err "some give less back" 'note: [0-9]+ of 1000 samples gave back less than their restitution says'
says out "so that energy does not grow" ' energy=0\.0981\.\.0\.0981 of 0\.0981 '
exits 0 "a bundle of elastic blocks" simulate -q "$problems/rocking_block.yaml" --impacts set --samples 4 "$@" \
    --set time.horizon=0.07 -o elastic.h5
"$cocp" export elastic.h5 --csv --group events >elastic.csv
[ "$(grep -c impact elastic.csv)" -ge 2 ]
report "bounces" $?

# Painleve's rod: its end slips, nothing approaches, and the impulse that stops the slip keeps the angular momentum about that end,
# (1/3 + 1) w = 3 sin 1, as the simulation by events has it; below mu = 4/3 an impulse would lift the end.
exits 0 "an impact without collision" impact "$problems/painleve_rod.yaml" --set impact.h=1 --samples 256 -o rod.h5
says err "is told" 'note: nothing approaches, but .* an impact without collision'
says out "it ends the slip" '^ *stick +1 +256 '
"$cocp" export rod.h5 --csv >rod.csv
for row in 1 256; do
    near "angular momentum is kept by sample $row" "$(column w $row rod.csv)" 1.8933097158 1e-9
done
exits 3 "less friction" impact "$problems/painleve_rod.yaml" --set impact.h=1 --set parameters.mu=1.3
says err "and nothing hits" 'contacts.lower: nothing hits'
exits 3 "an impact without collision and without h" impact "$problems/painleve_rod.yaml"
says err "wants one" 'impact.h: is missing: normal impulses of a step are drawn from \[0, h\]$'

# What cannot be computed.
exits 3 "nothing hits" impact corner.yaml
says err "says so at the contact" 'corner.yaml:13:[0-9]+: error: contacts.wall: nothing hits'
exits 3 "nothing is closed" impact corner.yaml --set states.q1.initial=1 --set states.q2.initial=0.5
says err "names the nearest contact" 'contacts.floor: no contact is closed: .* gap of 0.5 m'
exits 3 "no h" impact corner.yaml --set states.v2.initial=-2 --set impact.h=null
says err "suggests a size" 'impact.h: is missing: .* 2 N s would stop'
exits 3 "a system that is not mechanical" impact "$problems/sliding_mode.yaml"
says err "says what is" 'an impact needs a mechanical system'
exits 40 "steps that are too few" impact "$problems/compass_gait.yaml" --samples 100 --set impact.max_steps=1 \
    --set impact.h=1e-6
says err "says what to raise" 'raise impact.max_steps or impact.h'
exits 0 "contacts that face each other" impact corner.yaml --set states.v2.initial=-1 --set 'contacts.ceiling={gap: -q2}'
says err "are named" 'friction cone is not pointed: floor, ceiling can push'

echo "1..$n"
[ "$failures" -eq 0 ]
