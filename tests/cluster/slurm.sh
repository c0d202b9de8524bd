#!/bin/sh
# `cocp sweep --slurm` against a real Slurm on this machine: munged, slurmctld and slurmd of the test's own, with their
# own key, ports and folders, in the foreground of the test; as root. TAP on stdout.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/../cli/tap.sh"
work_apart
work=$dir
chmod 755 "$work"
ulimit -c 0

stop() {
    for name in slurmd slurmctld munged; do
        [ -f "$work/$name.pid" ] && kill "$(cat "$work/$name.pid")" 2>/dev/null
    done
    wait
    rm -rf "$work"
}
trap stop EXIT

# free_port: one that nobody listens on.
free_port() {
    python3 -c 'import socket; s = socket.socket(); s.bind(("", 0)); print(s.getsockname()[1])'
}

start_munged() {
    mkdir -p "$work/munge"
    dd if=/dev/urandom of="$work/munge/key" bs=128 count=1 2>/dev/null
    chmod 700 "$work/munge/key"
    mkdir -p "$work/run"
    chmod 755 "$work/run"
    munged --foreground --force --key-file "$work/munge/key" --socket "$work/run/munge" --pid-file "$work/run/pid" \
        --log-file "$work/munge/log" --seed-file "$work/munge/seed" --num-threads 2 >"$work/munged.out" 2>&1 &
    echo $! >"$work/munged.pid"
}

configure() {
    host=$(hostname -s)
    cat >"$work/slurm.conf" <<END
ClusterName=cocp
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$work/run/munge
CredType=cred/munge
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/run/slurmctld.pid
SlurmdPidFile=$work/run/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
ReturnToService=2
SlurmdParameters=config_overrides
SlurmdTimeout=15
MinJobAge=300
JobRequeue=1
SchedulerParameters=sched_interval=1,batch_sched_delay=0,bf_interval=1
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=main Nodes=$host Default=YES MaxTime=INFINITE State=UP OverSubscribe=NO
END
    mkdir -p "$work/state" "$work/spool"
    export SLURM_CONF="$work/slurm.conf"
}

start_slurmctld() {
    slurmctld -D >"$work/slurmctld.out" 2>&1 &
    echo $! >"$work/slurmctld.pid"
}

start_slurmd() {
    slurmd -D -N "$host" >"$work/slurmd.out" 2>&1 &
    echo $! >"$work/slurmd.pid"
}

# within SECONDS COMMAND...: does it succeed before that?
within() {
    seconds=$1
    shift
    while ! "$@" >/dev/null 2>&1; do
        seconds=$((seconds - 1))
        [ "$seconds" -gt 0 ] || return 1
        sleep 1
    done
}

node_is_up() {
    sinfo -h -o %T | grep -qE '^(idle|mixed|allocated|completing)$'
}

queue_is_empty() {
    [ "$(squeue -h | wc -l)" -eq 0 ]
}

points_done() {
    ls "$1"/000/*.solve.json 2>/dev/null | wc -l
}

has_points() {
    [ "$(points_done "$1")" -ge "$2" ]
}

if ! command -v sbatch >/dev/null || ! command -v munged >/dev/null || ! command -v slurmd >/dev/null; then
    echo "slurm-wlm and munge are not installed: scripts/dependencies --slurm" >err
    : >out
    report "Slurm is installed" 1
    exit 1
fi

start_munged
configure
start_slurmctld
start_slurmd
within 60 node_is_up
code=$?
cat "$work"/*.out >err 2>/dev/null
: >out
if [ "$code" -ne 0 ]; then      # no root, no loopback, no /proc: this machine's trouble, not ours
    sed 's/^/# /' err
    echo "ok 1 - a Slurm of one node is up # SKIP it does not start on this machine"
    exit 0
fi
report "a Slurm of one node is up" 0

# --- An array from the first to the last point -----------------------------------------------------------------------
sweep() {
    folder=$1
    shift
    "$cocp" sweep "$problems/turbo_car.yaml" -o "$folder" --sweep states.q.final=150:250:24 --set finish=off "$@"
}

sweep a --slurm --tasks 6 --sbatch-options "--time=10 --cpus-per-task=1" >out 2>err
report "an array is submitted" $?
says out "with a job that gathers" '^submitted 24 points as job array [0-9]+ of 6 tasks, job [0-9]+ gathers into a/table.csv$'
within 180 queue_is_empty
report "it comes to its end" $?
cat a/slurm/*.log >out 2>&1
[ "$(grep -c ',solved,0,' a/table.csv)" -eq 24 ]
report "every point is in the table, solved" $?
grep -l 'points=4 solved=4' a/slurm/*_*.log >out
[ "$(wc -l <out)" -eq 6 ]
report "each task had its four" $?

# --- A task is killed, slurmd is restarted ---------------------------------------------------------------------------
sweep b --slurm --tasks 4 >out 2>err
report "another array is submitted" $?
array=$(sed -n 's/.*job array \([0-9]*\) .*/\1/p' out)
within 60 has_points b 3
report "its first points are there" $?
scancel --signal=KILL --full "${array}_0" >/dev/null 2>&1
kill -9 "$(cat "$work/slurmd.pid")"
sleep 2
start_slurmd
within 60 node_is_up
code=$?; sinfo >>err 2>&1; tail -5 "$work/slurmd.out" >>err
report "slurmd is killed and up again" $code
within 240 queue_is_empty
report "the array and its gathering end" $?
sweep b --status >out 2>err
says out "what is missing can be seen" 'points=24 solved=[0-9]+ failed=0 running=0 missing=[0-9]+'
sweep b -q >out 2>err
says out "what died is done by whoever comes next" '^solved .* points=24 solved=24 failed=0 running=0 missing=0'
ls b/000/*.claim >out 2>&1
[ ! -s out ] || ! ls b/000/*.claim >/dev/null 2>&1
report "no claim is left" $?
exit "$failures"
