#!/bin/sh
# Pages and films: `cocp report`, driven in a headless Chromium, and scripts/animate. COCP is the program; TAP on stdout.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
tests=$(cd "$(dirname "$0")" && pwd)
scripts=$tests/../../scripts
work_apart

exits 0 "a template" init gait -q
exits 0 "is solved" solve gait.yaml -q
exits 0 "a page of it" report gait.h5
says out "is written" '^gait.html: open it'
says gait.html "with the parts of the drawing" '"kind": "spring"'
says gait.html "and the story of the contacts" '"story": \["foot'
! grep -qE '(src|href)=|https?://|url\(' gait.html
report "and no address in it" $?
exits 0 "a simulation in space" simulate "$problems/ball_3d.yaml" -q
exits 0 "has a page" report ball_3d.h5 -o space.html -q
sed '/^draw:/,$d' "$problems/rocking_block_zeno.yaml" >block.yaml
exits 0 "a simulation that accumulates, without a drawing" simulate block.yaml -q --set output.points=20001
exits 0 "has one too" report block.h5 -q
[ "$(wc -c <block.html)" -lt 2000000 ]
report "which stays small" $?
exits 0 "a title that would end the page's script" simulate "$problems/ball_1d.yaml" -q --set 'name=</script>' -o rude.h5
exits 0 "is written" report rude.h5 -q
[ "$(grep -c '</script>' rude.html)" -eq 1 ]
report "as a text" $?
cat >bowl.yaml <<'END'
cocp: 1
name: "$\\frac{ ${1+1} </title><img src=x onerror=alert(1)>"
parameters: {g: 9.81, l: 0.3}
time: {horizon: 1.5}
states: {x: {initial: 0.1, units: "</script>"}, z: {initial: 1}, phi: {initial: 0.4}, vx: {initial: 0.4}, vz: {initial: 0}, w: {initial: 0}}
define: {tip_x: x + l*sin(phi), tip_z: z - l*cos(phi)}
dynamics: {type: mechanical, coordinates: {x: vx, z: vz, phi: w}, mass: {diag: [1, 1, 0.1]}, force: {x: 0, z: -g, phi: 0}}
contacts: {tip: {gap: tip_z - 0.3*tip_x^2, restitution: 0.5}, wall: {gap: 0.5 - x - 0.1, restitution: 0.8}, body: {gap: z + 0.2}}
draw: {points: {body: [x, z], tip: [tip_x, tip_z]}, links: {leg: [body, tip]}, circles: {body: {at: body, radius: 0.1}}}
END
exits 0 "contacts whose gaps are formulas" simulate bowl.yaml -q
exits 0 "have a page" report bowl.h5 -q
grep -q '"surfaces": {' bowl.html && sed -n '/"surfaces"/,/"t":/p' bowl.html | grep -q '"tip": {"n": 2' &&
    sed -n '/"surfaces"/,/"t":/p' bowl.html | grep -q '"wall": {"n": 2'
report "with their surfaces" $?
! grep -qE '<img|</title><|</script><' bowl.html
report "and texts that are no tags" $?
exits 0 "controls with a few values" solve "$problems/lander.yaml" -q
exits 0 "have a page, too" report lander.h5 -q
says lander.html "with their switches among the events" '"kind": "switch"'
says lander.html "and in the story" '"story": \["engine: 0, 1 from [0-9.]+ s on"\]'
exits 0 "and are shown" show lander.h5
says out "with their times" '^  t = [0-9.]+ +engine from 0 to 1'
exits 0 "an impact" impact "$problems/rocking_block.yaml" -q --samples 16 -o impact.h5
exits 4 "has no page" report impact.h5
says err "for want of a trajectory" 'no trajectory'

if command -v chromium >/dev/null && /usr/bin/python3 -c 'import selenium' 2>/dev/null; then
    timeout 240 "$tests/judge_report" gait.html space.html bowl.html lander.html >out 2>err
    report "a browser drives the pages" $?
else
    echo "# skipped: no chromium or python3-selenium"
fi

if /usr/bin/python3 -c 'import h5py, matplotlib, PIL' 2>/dev/null; then
    "$scripts/animate" gait.h5 --max-frames 5 >out 2>err
    report "a film" $?
    says gait.gif "is a GIF" 'GIF89a'
    "$scripts/animate" bowl.h5 --max-frames 3 >out 2>err && "$scripts/animate" bowl.h5 --poses 9 >out 2>err
    report "surfaces in films and poses" $?
    /usr/bin/python3 - <<END >out 2>err
import itertools, sys
sys.path.insert(0, "$scripts")
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import LineCollection
from cocp_drawing import draw_poses, set_stage, window
from cocp_result import Result
scene = Result("bowl.h5").scene()
bowl, wall, low = scene["surfaces"]
assert np.allclose(bowl[:, 1], 0.3 * bowl[:, 0]**2, atol=1e-6) and len(bowl) > 20
assert np.allclose(wall[:, 0], 0.5) and np.allclose(low[:, 1], -0.3)       # the disc of 0.1 m touches both
figure, ax = plt.subplots(figsize=(7, 7))
set_stage(ax, scene, "bowl", window(scene))
draw_poses(ax, scene, 1.0, 12)
figure.canvas.draw()
assert sum(isinstance(drawn, LineCollection) for drawn in ax.collections) == 3
times = [text.get_window_extent() for text in ax.texts if text.get_text().endswith(" s")]
assert len(times) == 12 and not any(a.overlaps(b) for a, b in itertools.combinations(times, 2))
END
    report "follow the gaps, and times of poses are apart" $?
    "$scripts/animate" ball_3d.h5 --poses 4 >out 2>err
    report "poses in space" $?
    "$scripts/animate" gait.h5 --link body-nothing >out 2>err
    [ $? -eq 1 ]
    report "a link to a point that is not there" $?
    says err "names those that are" 'there are: body, foot'
    if command -v ffmpeg >/dev/null; then
        "$scripts/animate" gait.h5 --max-frames 5 -o gait.mp4 >out 2>err
        report "a film by ffmpeg" $?
        says gait.mp4 "is an MP4" 'ftyp'
    else
        echo "# skipped: no ffmpeg"
    fi
else
    echo "# skipped: no python3-h5py, python3-matplotlib or python3-pil"
fi

echo "1..$n"
[ "$failures" -eq 0 ]
