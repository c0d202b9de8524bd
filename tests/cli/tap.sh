# shellcheck shell=sh disable=SC2034,SC2154   # cocp and problems are the test's
# Sourced by shell tests: TAP on stdout. A failed check shows what the last command left in out and err.
n=0
failures=0

report() {      # report NAME CODE: CODE 0 is a pass
    n=$((n + 1))
    if [ "$2" -eq 0 ]; then
        echo "ok $n - $1"
    else
        echo "not ok $n - $1"
        failures=$((failures + 1))
        sed 's/^/# /' out err 2>/dev/null
    fi
}

# exits CODE NAME ARGUMENTS...: the exit status of cocp; its output is kept in out and err.
exits() {
    wanted=$1 name=$2
    shift 2
    "$cocp" "$@" >out 2>err
    code=$?
    [ "$code" -eq "$wanted" ]
    report "$name" $?
}

says() {        # says FILE NAME PATTERN
    grep -qE -- "$3" "$1"
    report "$2" $?
}

status_is() {   # status_is WORD FILE.h5 NAME: the file can be read and has that status
    "$cocp" summary --csv "$2" >out 2>err && sed 1d out | grep -q "^$2,$1,"
    report "$3" $?
}

objective() {   # objective FILE.h5
    "$cocp" summary --csv "$1" 2>err | awk -F, 'NR == 1 {for (k = 1; k <= NF; k++) if ($k == "objective") c = k} NR == 2 {print $c}'
}

like_to=1e-6    # relative
like() {        # like WANT FILE.h5 NAME: the objective of the file is WANT, to like_to
    objective "$2" >out
    awk -v want="$1" -v to="$like_to" 'END {exit !(NR == 1 && ($1 - want)^2 <= (to*want)^2)}' out
    report "$3" $?
}

# solves WANT NAME SPEC ARGUMENTS...: to that objective, and a replay agrees.
solves() {
    want=$1 name=$2 spec=$3
    shift 3
    exits 0 "$name" solve -q "$spec" -o it.h5 --force "$@"
    like "$want" it.h5 "$name: its closed form"
    exits 0 "$name: replayed" verify -q it.h5
}

# A folder of its own to work in, which goes with the test; cocp and problems are where they are seen from it.
work_apart() {
    cocp=$(realpath "${COCP:-build/cocp}")
    problems=$(cd "$(dirname "$0")/../../problems" && pwd)
    dir=$(mktemp -d) || exit 1
    trap 'rm -rf "$dir"' EXIT
    cd "$dir" || exit 1
}

# Skips the test where COCP is no release build of the tree: WHAT tells why. root is the tree.
only_release() {        # only_release WHAT
    case $cocp in
        "$root"/build/release/*) ;;
        *) echo "1..0 # skipped: only the release variant $1"; exit 0 ;;
    esac
}
