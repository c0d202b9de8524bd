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
exits 0 "an impact" impact "$problems/rocking_block.yaml" -q --samples 16 -o impact.h5
exits 4 "has no page" report impact.h5
says err "for want of a trajectory" 'no trajectory'

if command -v chromium >/dev/null && /usr/bin/python3 -c 'import selenium' 2>/dev/null; then
    timeout 240 "$tests/judge_report" gait.html space.html >out 2>err
    report "a browser drives the pages" $?
else
    echo "# skipped: no chromium or python3-selenium"
fi

if /usr/bin/python3 -c 'import h5py, matplotlib, PIL' 2>/dev/null; then
    "$scripts/animate" gait.h5 --max-frames 5 >out 2>err
    report "a film" $?
    says gait.gif "is a GIF" 'GIF89a'
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
