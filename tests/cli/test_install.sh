#!/bin/sh
# make install, the library by its cocp.pc, and make uninstall. COCP is the program; TAP on stdout.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
work_apart

case $cocp in
    "$root"/build/release/*) ;;
    *) echo "1..0 # skipped: only the release variant is installed"; exit 0 ;;
esac

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
./solve to/share/cocp/problems/pushing.yaml 0.2 >out 2>err
report "and solves" $?
says out "another problem than the spec's, by its parameter" '^solved: objective 0\.4[67]'
echo "x: {" >bad.yaml
./solve bad.yaml >out 2>err
[ $? -eq 3 ]
report "its mistakes have positions" $?
touch to/share/cocp/mine
make -s -C "$root" uninstall PREFIX="$dir/to" >out 2>err
report "uninstall" $?
[ "$(find to -type f | sort | tr '\n' ' ')" = "to/share/cocp/mine " ]
report "leaves what it did not install, and nothing else" $?

echo "1..$n"
[ "$failures" -eq 0 ]
