#!/bin/sh
# A result is data: whatever file it names is not opened, and what was measured is in it. Made with h5py where that is
# there. COCP is the program; TAP on stdout.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
work_apart

python=/usr/bin/python3
if ! "$python" -c 'import h5py, yaml' 2>/dev/null; then
    echo "1..0 # SKIP no h5py, or no yaml"
    exit 0
fi

# add LINES FILE: the spec in the file, as it is and with its defaults, ends with these lines.
add() {
    "$python" - "$1" "$2" <<'END'
import h5py, sys
with h5py.File(sys.argv[2], "r+") as f:
    for name in ("spec/resolved", "spec/yaml"):
        text = f[name][()].decode() + sys.argv[1] + "\n"
        del f[name]
        f[name] = text
END
}
quotes_nothing() {      # quotes_nothing NAME TEXT: the last command has not said that
    ! grep -qF -- "$2" out err
    report "$1" $?
}

# --- Files that a result names -----------------------------------------------------------------------------------
exits 0 "a simulation" simulate -q "$problems/ball_1d.yaml" -o ball.h5
printf 't,position\n0.1,77.125\n0.2,77.125\n' >secret.csv
for file in secret.csv /etc/passwd /proc/self/cmdline /dev/zero nowhere.csv; do
    cp ball.h5 foreign.h5
    add "data: {file: $file, columns: {q: position}}" foreign.h5
    exits 3 "verify of data in $file" verify foreign.h5
    says err "does not read it" 'foreign\.h5:/spec/resolved:[0-9]+:14: error: data\.file: a result names no file to be read'
    quotes_nothing "nor looks for it" "cannot read"
done
cp ball.h5 foreign.h5
add "include: secret.yaml" foreign.h5
printf 'password: hunter2\n' >secret.yaml
exits 3 "verify of an include" verify foreign.h5
quotes_nothing "does not read it" password
exits 0 "a certificate" certify -q "$problems/biped_fig3.yaml" --set parameters.d=1.8 -o proof.h5
add "data: {file: secret.csv, columns: {theta: position}}" proof.h5
exits 3 "certify --check of data in a file" certify --check proof.h5
says err "does not read it" 'a result names no file to be read'

# --- What was measured -------------------------------------------------------------------------------------------
# Every number to the last digit, and those that are missing.
cat >fit.yaml <<'END'
cocp: 1
parameters: {a: {value: 1, optimize: [0, 9]}}
time: {horizon: 1, intervals: 2}
states: {x: {initial: 0}}
dynamics: {type: ode, rhs: {x: a}}
data: {file: run.csv, columns: {x: pos}, sigma: {x: s}}
END
printf 't, pos, s\n0.1, 0.30000000000000004, 0.1\n%s\n0.7, nan, 0.1\n0.9, 2.7000000000000002e-07, 0.1\n' \
    '0.30000000000000004, 0.1234567890123456789, 0.012345678901234568' >run.csv
exits 0 "a fit" solve -q fit.yaml
rm run.csv
exits 0 "is verified without its file" verify -q fit.h5
"$python" - >tap 2>err <<'END'
import h5py, math, yaml
with h5py.File("fit.h5") as f:
    table = yaml.safe_load(f["spec/resolved"][()].decode())["data"]["table"]
wanted = {"t": [0.1, 0.30000000000000004, 0.7, 0.9], "x": [0.30000000000000004, 0.1234567890123456789, math.nan, 2.7000000000000002e-07],
          "sigma of x": [0.1, 0.012345678901234568, 0.1, 0.1]}
numbers = lambda column: [float(value) for value in column]
assert set(table) == set(wanted), table
for name, column in wanted.items():
    assert all(a == b or (math.isnan(a) and math.isnan(b)) for a, b in zip(numbers(table[name]), column)), table
END
report "has the numbers to the last digit" $?

# --- Controls of a table -----------------------------------------------------------------------------------------
cat >mass.yaml <<'END'
cocp: 1
time: {horizon: 1, intervals: 4}
states: {x: {initial: 0}, v: {initial: 0}}
controls: {u: {bounds: [-9, 9]}, w: {bounds: [-9, 9], hold: linear}}
dynamics: {type: ode, rhs: {x: v, v: u + w}}
simulate: {controls: u.csv}
END
printf 't,u,w\n0,1,0\n0.5,2,1\n1,2,3\n' >u.csv
exits 0 "a simulation under a table" simulate -q mass.yaml
printf 't,u,w\n0,5,0\n0.5,-2,1\n1,2,3\n' >u.csv
exits 0 "is verified by what it has of it" verify -q mass.h5
rm u.csv
exits 0 "where the table is gone, too" verify -q mass.h5

# --- Messages about a file that is read --------------------------------------------------------------------------
sed 's/run\.csv/secret.csv/; s/columns/time: when, columns/' fit.yaml >other.yaml
exits 3 "a file without the times" check other.yaml
says err "is not told of" 'other\.yaml:6:[0-9]+: error: data\.time: there is no column "when" in secret\.csv, where line 1 names'
quotes_nothing "by its columns" position

{ echo 'include: part.yaml' && cat "$problems/ball_1d.yaml"; } >whole.yaml
includes() {            # includes LINE: the spec includes a file with this line, and no message shows hunter2
    printf '%s\n' "$1" >part.yaml
    "$cocp" check whole.yaml >out 2>err
    quotes_nothing "of a file that is included: $1" hunter2
}
for line in 'password: hunter2' 'foo: *hunter2' 'foo: {a: max(1, hunter2)}' 'parameters: {mu: "hunter2 + 1 )"}' \
    'parameters: {mu: hunter2}' "parameters: {mu: 'a\"hunter2\"b'}" 'solver: {ipopt: {max_iter: hunter2}}' 'finish: hunter2' \
    'define: {a: "hunter2(2)"}' '"hunter2' '%hunter2' '- hunter2' 'hunter2'; do
    includes "$line"
done
printf 'stats: {q: 1}\n' >part.yaml
exits 3 "a key of such a file" check whole.yaml
says err "is told" 'part\.yaml:1:1: error: unknown key "stats" \(did you mean "states"\?\)'
sed -i '1s|.*|include: /etc/passwd|' whole.yaml
exits 3 "/etc/passwd is no spec" check whole.yaml
quotes_nothing "and is not shown" root:

echo "1..$n"
[ "$failures" -eq 0 ]
