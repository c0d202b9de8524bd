#!/bin/sh
# The five systems of SVI 5.4 with 2^20 samples each, the disk stack at the 1 kg of the paper's table and the 5 kg of
# its code: energy, violations, LCPs per sample beside Table 3, outcomes that must appear, other laws within the set
# (with corner samples), and Fig. 12. The rows of the table begin with `|`; TAP besides. Seconds are not judged.
#
#   ACCEPTANCE_KEEP=FOLDER      the result files and logs stay there
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/../cli/tap.sh"
cocp=$(realpath "${COCP:-build/cocp}")
problems=$(cd "$(dirname "$0")/../../problems" && pwd)
judge=$(cd "$(dirname "$0")" && pwd)/judge_impact
if [ -n "$ACCEPTANCE_KEEP" ]; then
    dir=$ACCEPTANCE_KEEP
    mkdir -p "$dir" || exit 1
else
    dir=$(mktemp -d) || exit 1
    trap 'rm -rf "$dir"' EXIT
fi
cd "$dir" || exit 1

row() {
    printf '| %-14s %8s %10s %7s %7s %9s %9s %9s %7s\n' "$@"
}

# accept NAME SPEC LCPS OUTCOMES OPTIONS...: LCPS is the paper's figure, OUTCOMES are modes as NAME:KIND,... that must
# be among the samples, separated by blanks.
accept() {
    label=$1 spec=$problems/$2.yaml paper=$3 outcomes=$4
    shift 4
    exits 0 "$label: 2^20 samples" impact -q "$spec" --samples 1048576 -o "$label.h5" --set impact.compare=[] "$@"
    exits 0 "$label: corner samples" impact -q "$spec" --samples 16384 -o "$label-corners.h5" \
        --set 'impact.compare=[anitescu-potra, sequential]' --set impact.corners=true "$@"
    # shellcheck disable=SC2086  # outcomes are words
    "$judge" "$label.h5" "$label-corners.h5" $outcomes >figures 2>err
    report "$label: energy never grows, LCPs are solved, outcomes appear, other laws within 1e-6" $?
    read -r samples lcps unfinished growth violation distance seconds <figures
    row "$label" "$samples" "$lcps" "$paper" "$unfinished" "$growth" "$violation" "$distance" "$seconds"
}

row system samples LCPs paper unfin. growth violation laws seconds
accept rocking_block rocking_block 2.67 "stick,stick stick,lift lift,stick"
accept compass_gait compass_gait 2.27 "stick,stick stick,slide stick,lift slide,stick lift,stick"
accept box_wall box_wall 1.97 "stick,stick slide,lift slide,slide"
accept ramone ramone 3.20 "stick,stick stick,slide stick,lift"
together="stick,stick,stick,stick,stick stick,stick,lift,stick,lift stick,stick,stick,lift,lift"
accept disks_1kg disk_stack - "$together"
accept disks_5kg disk_stack 9.04 "$together" --set parameters.m=5

# Fig. 12: sweeps of springs and dampers beside the set.
exits 0 "compliant sweeps" impact -q "$problems/rocking_block.yaml" -o compliant.h5 --set impact.corners=true
"$judge" --compliant compliant.h5 >figures 2>err
report "stiffnesses stay in the set and nearly fill it, angles go slightly beyond, 99.9992 % come first" $?
sed 's/^/| /' figures

echo "1..$n"
[ "$failures" -eq 0 ]
