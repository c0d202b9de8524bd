#!/bin/sh
# Other programs open every group of results of five commands, and evaluate solutions between grid points by the page's
# lines to 1e-12 of what the simulator says. COCP is the program; TAP on stdout.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
scripts=$(cd "$(dirname "$0")/../../scripts" && pwd)
work_apart

exits 0 "a finished solution" solve "$problems/pushing.yaml" -q -o finished.h5
exits 0 "a raw solution" solve "$problems/turbo_car.yaml" --set finish=off -q -o raw.h5
exits 0 "a simulation" simulate "$problems/two_balls.yaml" -q -o simulated.h5
exits 0 "a set of impacts" impact "$problems/rocking_block.yaml" --samples 256 -q -o impact.h5
exits 0 "a certificate" certify "$problems/biped_fig3.yaml" --set parameters.d=1.8 -q -o certificate.h5
results="finished.h5 raw.h5 simulated.h5 impact.h5 certificate.h5"

exits 0 "events are printed" show simulated.h5 --group events
says out "row by row" '^ +0.423317 .* impact +ground'

python() {      # python NAME: the program on stdin
    /usr/bin/python3 - >out 2>err
    report "$1" $?
}

has_python() {  # has_python MODULE...
    for module; do
        /usr/bin/python3 -c "import $module" 2>/dev/null || { echo "# skipped: no python3-$module"; return 1; }
    done
}

if has_python h5py numpy; then
    sed -n '/^import h5py, numpy as np$/,/^```$/p' "$scripts/../docs/results.md" | grep -v -e '^print' -e '^```' >value.py
    python "the lines of docs/results.md evaluate states, controls and forces to 1e-12" <<'END'
exec(open("value.py").read())
for name in ("finished.h5", "simulated.h5"):
    file = h5py.File(name)
    uniform = file["uniform"]
    for key, data in uniform.items():
        role = data.attrs.get("role")
        if role in ("state", "control") or role == "contact" and "_lambda_" in key and name == "finished.h5":
            called = key.replace("_lambda_", ".lambda_") if role == "contact" else key
            worst = max(abs(value(file, called, t) - y) / max(1, abs(y)) for t, y in zip(uniform["t"], data))
            assert worst <= 1e-12, (name, key, worst)
END
    python "controls jump where their intervals begin" <<'END'
import h5py
f = h5py.File("finished.h5")
t, side = f["trajectory/t"][:], f["trajectory/side"][:]
names = list(f["grid/control"].asstr())
for i, start in enumerate(f["grid/t_interval"][1:], 1):
    for k, name in enumerate(names):
        left, right = f["grid/u"][i - 1, k], f["grid/u"][i, k]
        if left != right:
            at = [j for j in range(len(t)) if abs(t[j] - start) < 1e-9]
            assert [f["trajectory"][name][j] for j in (at[0], at[-1])] == [left, right] and side[at[-1]] == 1
END
fi

if has_python xarray netCDF4; then
    python "xarray opens every group, with coordinates" <<'END'
import h5py, xarray
for name in "finished.h5 raw.h5 simulated.h5 impact.h5 certificate.h5".split():
    groups = []
    h5py.File(name).visititems(lambda path, item: groups.append(path) if isinstance(item, h5py.Group) else None)
    for group in groups:
        xarray.open_dataset(name, group=group).load()
grid = xarray.open_dataset("finished.h5", group="grid")
assert grid.x_start.sel(state=str(grid.state[0].values)).dims == ("element",)
assert set(grid.coords) == {"state", "control", "contact"}
assert "t" in xarray.open_dataset("finished.h5", group="trajectory").coords
assert xarray.open_dataset("raw.h5", group="homotopy").why.values[0]
END
fi

if command -v ncdump >/dev/null; then
    for file in $results; do
        ncdump "$file" >out 2>err
        report "ncdump reads $file" $?
    done
    ncdump -h finished.h5 >out
    says out "conventions are named" 'Conventions = "CF-1'
else
    echo "# skipped: no ncdump (netcdf-bin)"
fi

if command -v octave-cli >/dev/null && octave-cli --eval 'pkg load netcdf' >/dev/null 2>&1; then
    octave-cli --path "$scripts" >out 2>err <<'END'
pkg load netcdf
for name = {"finished.h5", "raw.h5", "simulated.h5", "impact.h5", "certificate.h5"}
  nc = netcdf_open(name{1}, "NC_NOWRITE");
  for group = netcdf_inqGrps(nc)
    for id = netcdf_inqVarIDs(group)
      [variable, type] = netcdf_inqVar(group, id);
      if type != 12, netcdf_getVar(group, id); end      # 12: texts
    end
  end
end
for name = {"finished.h5", "simulated.h5"}
  t = ncread(name{1}, "/uniform/t");
  nc = netcdf_open(name{1}, "NC_NOWRITE");
  ids = netcdf_inqVarIDs(netcdf_inqNcid(nc, "uniform"));
  n = size(ncread(name{1}, "/grid/x_start"), 1);
  for k = 1:n                                           # after t, states are the first variables
    x = ncread(name{1}, ["/uniform/" netcdf_inqVar(netcdf_inqNcid(nc, "uniform"), ids(k + 1))]);
    for i = 1:50:numel(t)
      assert(value(name{1}, k, t(i)), x(i), 1e-12 * max(1, abs(x(i))));
    end
  end
end
END
    report "Octave opens every group and evaluates states to 1e-12" $?
else
    echo "# skipped: no Octave with its package netcdf (octave, octave-netcdf)"
fi

echo "1..$n"
[ "$failures" -eq 0 ]
