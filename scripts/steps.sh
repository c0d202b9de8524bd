# shellcheck shell=sh
# Sourced by scripts that keep people waiting. On a terminal a live line says what is done, for how long, and the
# latest word of it; else there is a line when a step begins, one every ten seconds of a step that counts, and one
# when it has ended.

# The latest line of the log $1, cut to what fits beside $2; of a compiler's, the file.
latest() {
    tail -n 1 "$1" | sed 's/^cc .* -c \([^ ]*\) .*/\1/' | tr -cd '[:print:]' | cut -c "1-$((${COLUMNS:-80} - ${#2} - 4))"
}

# step NAME COMMAND...: runs it, what it says kept in a log that is shown where it fails. With `count_of` set, the
# number of lines that match `count_what` is shown as a part of it.
step() {
    name=$1
    shift
    step_log=$(mktemp)
    begun=$(date +%s)
    [ -t 2 ] || echo "$name ..." >&2
    "$@" >"$step_log" 2>&1 &
    step_pid=$!
    trap 'kill "$step_pid" 2>/dev/null; rm -f "$step_log"; exit 130' INT
    trap 'kill "$step_pid" 2>/dev/null; rm -f "$step_log"; exit 143' TERM
    told=$begun
    while { [ -t 2 ] || [ -n "${count_of-}" ]; } && kill -0 "$step_pid" 2>/dev/null; do
        now=$(date +%s)
        line="$name, $((now - begun)) s"
        [ -z "${count_of-}" ] || line="$line, $(grep -c -- "$count_what" "$step_log" || true) of $count_of"
        if [ -t 2 ]; then
            printf '\r\033[K%s: %s' "$line" "$(latest "$step_log" "$line")" >&2
        elif [ $((now - told)) -ge 10 ]; then
            told=$now
            echo "$line" >&2
        fi
        sleep 0.5
    done
    step_code=0
    wait "$step_pid" || step_code=$?
    trap - INT TERM
    [ ! -t 2 ] || printf '\r\033[K' >&2
    echo "$name: $([ "$step_code" -eq 0 ] && echo "done" || echo "failed") after $(($(date +%s) - begun)) s" >&2
    [ "$step_code" -eq 0 ] || cat "$step_log" >&2
    rm -f "$step_log"
    return "$step_code"
}

# Builds the program; the compilations that are to be done are counted first.
build() {
    count_what=' -c '
    count_of=$(make -n 2>/dev/null | grep -c -- "$count_what" || true)
    [ "$count_of" -eq 0 ] || step "building cocp ($count_of files)" make -j "$(nproc)"
    count_of=""
}
