#!/bin/sh
# make install, the library by its cocp.pc, and make uninstall. COCP is the program; TAP on stdout.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
work_apart

only_release "is installed"

make -s -C "$root" install PREFIX="$dir/to" >out 2>err
report "install" $?
to/bin/cocp --version >out 2>err
report "the program runs from there" $?
[ -f to/share/man/man1/cocp.1 ] && [ -x to/share/cocp/scripts/plot ] && [ -f to/share/cocp/problems/hopper.yaml ]
report "with its page, scripts and problems" $?
PKG_CONFIG_PATH=$dir/to/lib/pkgconfig
export PKG_CONFIG_PATH
# shellcheck disable=SC2046    # options are words
cc -std=c11 -Wall -Wextra -Werror to/share/cocp/examples/solve.c $(pkg-config --cflags --libs cocp) -o solve >out 2>err
report "the library's example builds against what is installed" $?
LD_LIBRARY_PATH=$dir/to/lib ./solve to/share/cocp/problems/pushing.yaml 0.2 >out 2>err
report "and solves" $?
says out "another problem than the spec's, by its parameter" '^objective 0\.4[67]'
# shellcheck disable=SC2046
cc -std=c11 to/share/cocp/examples/solve.c $(pkg-config --cflags cocp) to/lib/libcocp.a \
    $(pkg-config --libs --static cocp | sed 's/-lcocp//') -o static >out 2>err
report "it can be linked statically" $?
./static to/share/cocp/problems/pushing.yaml 0.2 >out 2>err
report "and solves without the shared one" $?
if /usr/bin/python3 -c 'import h5py, matplotlib' 2>/dev/null; then
    PATH=$dir/to/bin:$PATH to/share/cocp/scripts/papers hybrid 4 -o block.png >out 2>err
    report "a figure of a paper is made by what is installed" $?
    [ -s block.png ] && [ -s papers/hybrid_block.h5 ]
    report "its results beside it" $?
fi
if /usr/bin/python3 -c 'import xarray' 2>/dev/null; then
    PYTHONPATH=$(dirname "$(dirname "$(find to -name _library.py)")") /usr/bin/python3 -c "
import cocp, os
assert os.path.samefile(cocp._library.library._name, os.path.join('to', 'lib', 'libcocp.so.0')), cocp._library.library
print(cocp.load('to/share/cocp/problems/turbo_car.yaml').solve())" >out 2>err
    report "the module finds the library of its prefix" $?
    says out "and solves with it" 'solved, objective'
fi
echo "x: {" >bad.yaml
LD_LIBRARY_PATH=$dir/to/lib ./solve bad.yaml >out 2>err
[ $? -eq 3 ]
report "its mistakes have positions" $?
touch to/share/cocp/mine
make -s -C "$root" uninstall PREFIX="$dir/to" >out 2>err
report "uninstall" $?
[ "$(find to -type f | sort | tr '\n' ' ')" = "to/share/cocp/mine " ]
report "leaves what it did not install, and nothing else" $?

echo "1..$n"
[ "$failures" -eq 0 ]
