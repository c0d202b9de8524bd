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
