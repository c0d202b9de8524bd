#!/bin/sh
# What is seen of work that takes more than two seconds: on a terminal a live line, else a line for each step.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
work_apart
scripts=$problems/../scripts
if ! python3 -c 'import pty; pty.openpty()' 2>/dev/null; then
    echo "ok 1 - progress on a terminal # SKIP this system has no pseudo-terminals (/dev/pts)"
    echo "1..1"
    exit 0
fi

# on_terminal COMMAND...: on a pseudo-terminal of 100 columns; what it showed is in out.
on_terminal() {
    TERM=xterm python3 - "$@" >out 2>err <<'END'
import fcntl, os, pty, struct, sys, termios
pid, terminal = pty.fork()
if pid == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))
    os.execvp(sys.argv[1], sys.argv[1:])
shown = b""
while True:
    try:
        block = os.read(terminal, 65536)
    except OSError:
        break
    if not block:
        break
    shown += block
os.waitpid(pid, 0)
sys.stdout.buffer.write(shown.replace(b"\r\033[K", b"\n@ ").replace(b"\r\n", b"\n"))
END
}

on_terminal "$cocp" solve "$problems/three_boxes.yaml" --max-time 4
says out "the live line says what is tried, how long, and the share of the time" \
    '^@ .+ +[23]\.[0-9] s of 4 s \([5-9][0-9] %\)$'
says out "lines before it say what has been tried" '^(@ )?sequence of simulation 1 of at most [0-9]+, .*  \[[0-9.]+ s of 4 s \([0-9]+ %\)\]'
! grep -E '^@ .* s of 4 s \([0-9]+ %\)$' out | awk 'length($0) > 102' | grep -q .
report "no line is wider than the terminal" $?
says out "the last one is erased before what was found" '^(@ )?(found: |nearest: |  out of time: |limit three_boxes )'

"$cocp" solve "$problems/three_boxes.yaml" --max-time 3 >out 2>err
says err "without a terminal there is a line for each step" '^sequence of simulation 1 of at most [0-9]+, .*  \['
! grep -q "$(printf '\033')" err
report "and no live line" $?

on_terminal "$cocp" sweep "$problems/biped_fig2.yaml" --run certify --sweep parameters.d=0.3:1.5:2000 --max-time 3.5 -o chart
says out "sweeps count their points" '[0-9]+ of 2000 points: [0-9]+ solved, 0 failed, [0-9]+ at work, [23] s, about'

# Installing and building, too.
cat >slow.sh <<'END'
. "$1/steps.sh"
step "counting" sh -c 'for k in 1 2 3; do echo "word $k"; sleep 0.5; done'
step "failing" sh -c 'echo why; exit 3'
END
on_terminal sh slow.sh "$scripts"
says out "a step shows its latest word" '^@ counting, [0-9] s: word [23]'
says out "and how long it took" 'counting: done after [1-9] s'
says out "one that fails shows all" '^why'
sh slow.sh "$scripts" >out 2>err
says err "without a terminal it is named first" '^counting \.\.\.$'
! grep -q "$(printf '\033')" err
report "and there is no live line" $?

echo "1..$n"
[ "$failures" -eq 0 ]
