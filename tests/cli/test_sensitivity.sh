#!/bin/sh
# solve --sensitivity: /sensitivity, and its derivatives against re-solves. COCP is the program; TAP on stdout.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
differences=$(realpath "$(dirname "$0")/sensitivities")
work_apart
ex5=$problems/tf_ex5.yaml

# A mass falls from z = 1 and lands at sqrt(2 z/g): dt/dz = 1/(g t) = 0.2257, dt/dv = 1/g = 0.1019, dt/dg = -t/(2 g).
exits 0 "fall, slip, stick" solve -q "$ex5" --set finish.starts=1 --set finish.tries=0 -o ex5.h5
exits 0 "its sensitivities" solve -q "$ex5" --guess ex5.h5 --sensitivity -o ex5s.h5
exits 0 "as a table" export ex5s.h5 --group sensitivity -o sensitivity.csv
cut -d, -f1-9 sensitivity.csv >out
says out "of event times" '^number,kind,number_units,value,note,objective,horizon,event_t_0,event_t_1$'
says out "to the height" '^z,initial value,m,1,,-9\.0573[0-9]*,[^,]*,0\.22576[0-9]*,'
says out "to the speed" '^vz,initial value,m/s,0,,[^,]*,[^,]*,0\.10193[0-9]*,'
says out "to gravity" '^g,parameter,[^,]*,9\.81,,[^,]*,[^,]*,-0\.02301[0-9]*,'
says out "to friction, which comes later" '^mu,parameter,,0\.6,,176\.85[0-9]*,[^,]*,-?[0-9.]+(e-[0-9]+)?,-0\.6771'
exits 0 "by the spec" solve -q "$ex5" --guess ex5.h5 --set sensitivity=on -o block.h5
exits 0 "the same group" show block.h5 --group sensitivity
exits 0 "without it" show ex5.h5
exits 2 "there is none" show ex5.h5 --group sensitivity

# A start that its first mode holds, and a solution at a corner, have no derivatives: it is said why.
exits 0 "a box on a table" solve -q "$problems/pushing.yaml" --set finish.starts=1 -o pushing.h5 --sensitivity
exits 0 "as a table" export pushing.h5 --group sensitivity -o sensitivity.csv
cut -d, -f1-6 sensitivity.csv >out
says out "is held there" '^w_b,initial value,m/s,0,moves the start off what .* holds there,$'
exits 0 "bang-bang" solve -q "$problems/turbo_car.yaml" -o car.h5 --sensitivity
exits 0 "as a table" export car.h5 --group sensitivity -o sensitivity.csv
cut -d, -f1-6 sensitivity.csv >out
says out "cannot follow" '^q,initial value,m,0,the active constraints cannot be kept,'

# Against central differences of re-solves, to 1e-5.
if /usr/bin/python3 -c 'import h5py' 2>/dev/null; then
    compare() {     # compare SPEC PATH=STEP...: solves and differentiates
        spec=$problems/$1
        shift
        "$cocp" solve -q "$spec" --set finish.starts=1 -o cold.h5 >out 2>err
        "$cocp" solve -q "$spec" --guess cold.h5 --sensitivity -o warm.h5 >out 2>err
        /usr/bin/python3 "$differences" "$cocp" "$spec" warm.h5 "$@" >out 2>err
        report "$spec: $*" $?
    }
    compare tf_ex5.yaml states.z.initial=2e-3 parameters.mu=1e-3 parameters.g=1e-2
    compare cart_pole.yaml states.p.initial=2e-3
    compare sliding_mode.yaml states.x1.initial=1e-3
    compare ../tests/study/problems/pendulum_wall.yaml parameters.e=1e-3 states.w.initial=1e-3
    compare ../tests/study/problems/spatial_block.yaml parameters.mu=1e-4 parameters.X=1e-3
else
    report "# SKIP no h5py" 0
fi
echo "1..$n"
[ "$failures" -eq 0 ]
