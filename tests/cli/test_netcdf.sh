#!/bin/sh
# What other programs make of our files, and what show, summary and export make of them. COCP is the program; the
# unit test beside it writes the sample. TAP on stdout.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
cocp=$(realpath "${COCP:-build/cocp}")
sampler=$(dirname "$cocp")/tests/unit/files/test_results
scripts=$(cd "$(dirname "$0")/../../scripts" && pwd)
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1

exits() {       # exits CODE NAME COMMAND...: its exit status; output in out and err
    wanted=$1 name=$2
    shift 2
    "$@" >out 2>err
    [ $? -eq "$wanted" ]
    report "$name" $?
}

have() {        # have PROGRAM: or the tests of it are passed over
    command -v "$1" >/dev/null || [ -x "$1" ] || { echo "# no $1"; return 1; }
}

exits 0 "the sample is written" "$sampler" a.h5

if have ncdump; then
    exits 0 "netCDF reads the file" ncdump a.h5
    says out "an axis without values is a dimension" '^  	point = 2000 ;'
    says out "an axis with values is a coordinate variable" '^  	double t\(t\) ;'
    says out "an empty axis is read" '	event = '
    says out "words can be coordinates" '	string state\(state\) ;'
    says out "a variable may have the name of an axis" '	double element\(stage, state\) ;'
    says out "texts are UTF-8 strings" 'déjà vu'
    says out "flags are bytes" '	ubyte is_physical\(point\) ;'
    says out "units are there" 't:units = "s"'
fi

if have h5dump; then
    exits 0 "h5dump reads the file" h5dump -p -H -d /trajectory/z a.h5
    says out "large datasets are compressed" 'COMPRESSION DEFLATE'
    says out "after a shuffle" 'PREPROCESSING SHUFFLE'
fi

if have /usr/bin/python3 && /usr/bin/python3 -c 'import h5py, matplotlib' 2>/dev/null; then
    exits 0 "h5py reads strings, dimensions and creation order" /usr/bin/python3 -c '
import h5py
f = h5py.File("a.h5", "r")
assert f.attrs["status"] == "solved"
assert list(f["trajectory"]) == ["point", "t", "element", "is_physical", "z"]
assert f["/"].id.get_create_plist().get_link_creation_order() == 3
assert f["uniform/z"].dims[0].keys() == ["t"]
assert f["homotopy/status"].asstr()[1] == "d\u00e9j\u00e0 vu"
assert f["trajectory/z"].attrs["lower_bound"] == 0
'
    exits 0 "plot makes a picture" "$scripts/plot" a.h5 -o a.png
    says a.png "of the right kind" 'PNG'
    exits 1 "animate wants points" "$scripts/animate" a.h5
    says err "and says which" 'NAME_x and NAME_z'
    exits 1 "plot names a missing file" "$scripts/plot" none.h5
    says err "in one line" '^plot: .*No such file'
fi

exits 0 "show" "$cocp" show a.h5
says out "begins with the status" '^a.h5: solved'
says out "has ranges and bounds of states" '^  z +m +1 .* 0 +-$'
says out "says that nothing happened" '^Events: none'
exits 0 "show --group" "$cocp" show a.h5 --group spec
says out "gives texts verbatim" '^name: ball$'
exits 2 "show --group of a group that is not there" "$cocp" show a.h5 --group nope
exits 4 "show of a missing file" "$cocp" show none.h5
says err "says why" 'none.h5: No such file'
mkdir folder.of.results
exits 4 "show of a folder" "$cocp" show folder.of.results
says err "says what to read of it" 'Is a directory; of a sweep.s folder read table.csv'

echo "no HDF5" >broken.h5
exits 4 "summary goes on after broken files" "$cocp" summary none.h5 a.h5 broken.h5
says out "lists the good one" '^a.h5 +solved +12.5'
says out "and the bad one" '^broken.h5 +unreadable'
says err "says what is wrong with it" 'broken.h5: not an HDF5 file'
exits 0 "summary --csv" "$cocp" summary --csv a.h5
says out "has a row per file" '^a.h5,solved,12.5,'

exits 0 "export" "$cocp" export a.h5 --csv
says out "has a header" '^t,z$'
says out "and full digits" '^0.000244140625,0.9999999701976776$'
exits 0 "export of an axis of a group" "$cocp" export a.h5 --csv --group grid -o grid.csv
says grid.csv "spreads further axes into named columns" '^x_stage_0_z,x_stage_0_v_z,'
says grid.csv "leaves missing values empty" '^9,10,11,$'
exits 2 "export of what is not there" "$cocp" export a.h5 --csv --group nope
says err "says what is there" 'trajectory, uniform'

echo "1..$n"
[ "$failures" -eq 0 ]
