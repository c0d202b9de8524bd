#!/bin/sh
# The Python module, library/python, on the shared library of the tree. COCP is the program; TAP on stdout.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
work_apart

only_release "has a shared library"
for module in xarray h5py netCDF4; do
    /usr/bin/python3 -c "import $module" 2>/dev/null || { echo "1..0 # skipped: no python3-$module"; exit 0; }
done
export PYTHONPATH="$root/library/python" PYTHONDONTWRITEBYTECODE=1
ln -s "$problems" problems

awk '/^```python/ {on = 1; next} /^```/ {on = 0} on' "$root/docs/python.md" >page.py
/usr/bin/python3 page.py >out 2>err
report "the lines of docs/python.md run" $?
[ -s hopper.html ] && [ -s hopper.h5 ]
report "and leave their files" $?

"$cocp" solve problems/pushing.yaml --set parameters.mu=0.2 -q -o pushing.h5 >out 2>err
"$cocp" simulate problems/two_balls.yaml -q -o two_balls.h5 >out 2>err
"$cocp" certify problems/biped_fig2.yaml -q -o biped_fig2.h5 >out 2>err
COCP=$cocp /usr/bin/python3 "$root/tests/cli/python_cases" >tap 2>err
code=$?
grep -vE '^(ok|not ok|#|$)' tap >>err
cases=$(grep -c -E '^(ok|not ok)' tap)
sed -E "s/^(ok|not ok) - /\1 - /" tap | awk -v n="$n" '/^(ok|not ok)/ {sub(/ - /, " " ++n " - ")} {print}'
[ $code -eq 0 ] || { failures=$((failures + 1)); sed 's/^/# /' err; }
n=$((n + cases))
[ ! -s err ]
report "and the library itself prints nothing" $?

echo "1..$n"
[ "$failures" -eq 0 ]
