"""A result: its groups as xarray, as they are in its file (docs/results.md)."""
from __future__ import annotations

import ctypes
import html
import os
import shutil
import subprocess
import tempfile
from typing import Any

import numpy as np
import xarray

from . import _library
from ._library import Attribute, Axis, Dataset, bytes_of, library, text_of
from ._pictures import Picture, draw
from ._run import Error, FileError, Run, UsageError, words_of

ROUNDING = 1e-9                     # of the horizon, by which a time may be outside
PAGE_HEIGHT = 620                   # pixels, of the page of a result in a notebook
NUMBERS = {_library.DOUBLE: np.float64, _library.INT: np.int32, _library.FLAG: np.uint8}


def each(function, handle, group, item):
    i = 0
    while function(handle, group, i, item):
        yield item
        i += 1


def values_of(data):
    shape = tuple(data.size[:data.n_axes])
    if data.type == _library.TEXT:
        texts = ctypes.cast(data.values, ctypes.POINTER(ctypes.c_char_p))
        return np.array([text_of(texts[i]) for i in range(data.n)] + [None], dtype=object)[:-1].reshape(shape)
    number = np.dtype(NUMBERS[data.type])
    return np.frombuffer(ctypes.string_at(data.values, data.n * number.itemsize), number).reshape(shape).copy()


def attributes_of(item, *names):
    """Those that say something."""
    return {name: text_of(getattr(item, name)) for name in names if getattr(item, name)}


def read_group(handle, group):
    coordinates, variables, attributes = {}, {}, {}
    for axis in each(library.cocp_result_axis, handle, group, Axis()):
        if axis.values:
            name = text_of(axis.name)
            coordinates[name] = (name, np.array(axis.values[:axis.n]), attributes_of(axis, "units", "long_name"))
    for data in each(library.cocp_result_dataset, handle, group, Dataset()):
        name, axes = text_of(data.name), [text_of(axis) for axis in data.axis[:data.n_axes]]
        told = attributes_of(data, "units", "long_name", "role")
        told.update({bound: getattr(data, bound) for bound in ("lower_bound", "upper_bound")
                     if np.isfinite(getattr(data, bound))})
        (coordinates if axes == [name] else variables)[name] = (axes, values_of(data), told)
    for item in each(library.cocp_result_attribute, handle, group, Attribute()):
        value = text_of(item.text) if item.type == _library.TEXT else item.number
        attributes[text_of(item.name)] = int(value) if item.type == _library.INT else value
    return xarray.Dataset(variables, coordinates, attributes)


class Result:
    """What a command found, or a file holds. Groups are attributes, as `trajectory`, `grid`, `events`, or items by their
    path, as result["grid/rows"]: xarray.Dataset, made when they are first asked for. A copy is one of its own; pickled it
    is its file."""

    def __init__(self, handle, run=None):
        self._handle = handle
        self._index, self._made = self._list(), {}
        #: messages of the command (Note), and what it told while it ran
        self.messages = run.messages if run else []
        self.log = run.lines if run else []

    def __del__(self):
        if library:                                 # None at the end of the interpreter
            library.cocp_result_free(self._handle)

    def __copy__(self):
        made = Result(library.cocp_result_copy(self._handle))
        made.messages, made.log = list(self.messages), list(self.log)
        return made

    def __deepcopy__(self, _):
        return self.__copy__()

    def __reduce__(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "result.h5")
            self.save(path)
            with open(path, "rb") as file:
                return from_bytes, (file.read(), self.messages, self.log)

    def _list(self):
        index, path = {}, library.cocp_result_group(self._handle, 0)
        while path is not None:
            index[text_of(path)] = len(index)
            path = library.cocp_result_group(self._handle, len(index))
        return index

    @property
    def groups(self) -> list[str]:
        """Paths of the groups, "/" first."""
        return list(self._index)

    def __getitem__(self, path: str) -> xarray.Dataset:
        path = "/" + path.strip("/")
        if path not in self._index:
            raise KeyError(f"{path}; there are {', '.join(self._index)}")
        if path not in self._made:
            self._made[path] = read_group(self._handle, self._index[path])
        return self._made[path]

    def __getattr__(self, name):
        if name.startswith("_"):                    # also of one that is only being made
            raise AttributeError(name)
        if "/" + name in self._index:
            return self[name]
        raise AttributeError(f"the result has no {name}; its groups are {', '.join(self._index)}")

    def __dir__(self):
        return [*super().__dir__(), *(path[1:] for path in self._index if path.count("/") == 1 and path != "/")]

    # --- What there is in words and numbers

    @property
    def attrs(self) -> dict[str, Any]:
        """Attributes of the whole: status, exit_code, objective, method, title, ..."""
        return self["/"].attrs

    @property
    def status(self) -> str:
        """One of solved, acceptable, infeasible, unbounded, limit, failed, unverified, interrupted."""
        return self.attrs["status"]

    @property
    def ok(self) -> bool:
        """Is it solved?"""
        return self.attrs["exit_code"] == 0

    @property
    def objective(self) -> float:
        """The cost; nan where there is none."""
        return float(self.attrs.get("objective", np.nan))

    @property
    def lower_bound(self) -> float:
        """What no motion costs less than, proved by solve(bound=True) or bound(); nan where nothing is proved."""
        return float(self["bound"].attrs.get("bound", np.nan)) if "/bound" in self._index else np.nan

    @property
    def gap(self) -> float:
        """How far the cost is from that at most, relative to it; nan where nothing is proved."""
        return float(self["bound"].attrs.get("gap", np.nan)) if "/bound" in self._index else np.nan

    @property
    def story(self) -> list[str]:
        """What happens, in words; of a finished solution."""
        return list(self["phases"].story.values) if "/phases" in self._index else []

    def __repr__(self):
        objective = "" if np.isnan(self.objective) else f", objective {self.objective:.8g}"
        return f"<cocp.Result {self.attrs.get('title', '')}: {self.status}{objective}>"

    def _repr_html_(self) -> str:
        """In a notebook: what happens, and the page of `report`, with film and plots."""
        lines = [f"<b>{html.escape(repr(self)[1:-1])}</b>", *map(html.escape, self.story),
                 *(html.escape(note.whole) for note in self.messages if note.level != "note")]
        shown = "<br>".join(lines)
        if "/uniform" not in self._index and "/trajectory" not in self._index:
            return shown
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "page.html")
            self.report(path)
            with open(path, encoding="utf-8") as file:
                page = html.escape(file.read())
        return f'{shown}<iframe srcdoc="{page}" style="width: 100%; height: {PAGE_HEIGHT}px; border: 0"></iframe>'

    def to_xarray(self, group: str | None = None) -> xarray.Dataset:
        """A group with the attributes of the whole. Without one: all variables, in their units, over evenly spaced times `t`
        [point]; what jumps in between is in `trajectory`, with both sides of each jump."""
        group = group or ("uniform" if "/uniform" in self._index else "trajectory")
        return self[group].assign_attrs({**self.attrs, **self[group].attrs})

    def at(self, name: str, t: Any) -> Any:
        """A state, a control, or a contact's force ("foot.lambda_n"), in its units, at times t of the horizon, a number or an
        array; by the collocation polynomials. The value has the shape of t. Where it jumps it is the value after the jump."""
        grid, t = self["grid"], np.asarray(t, float)
        contact, _, force = name.partition(".")
        start, end = float(grid.t_start[0]), float(grid.t_end[-1])
        inside = (t >= start - ROUNDING * (end - start)) & (t <= end + ROUNDING * (end - start))
        if not inside.all():                        # NaN is not, either
            unit = grid.t_start.attrs.get("units", "s")
            raise UsageError([], f"t = {t[~inside].flat[0]:.12g} {unit} is outside of the horizon, from {start:.12g} {unit} to "
                                 f"{end:.12g} {unit}")
        if name not in self._names_at(grid):
            raise UsageError([], f"the solution has no polynomials of {name}; it has those of "
                                 f"{', '.join(self._names_at(grid))}")
        if "control" in grid.coords and name in grid.control:
            i = np.searchsorted(grid.t_interval.values, t + 1e-12, "right") - 1
            return grid.u.sel(control=name).values[np.clip(i, 0, grid.sizes["interval"] - 1)]
        e = np.maximum(np.searchsorted(grid.t_start.values, t + 1e-12, "right") - 1, 0)
        c = grid.c.values
        if force:
            y = grid[force].sel(contact=contact).values[e]
        else:
            start, stage = grid.x_start.sel(state=name).values, grid.x_stage.sel(state=name).values
            c, y = np.append(0, c), np.concatenate([start[e][..., None], stage[e]], axis=-1)
        tau = (t - grid.t_start.values[e]) / grid.h.values[e]
        return sum(y[..., i] * np.prod([(tau - d) / (c[i] - d) for d in np.delete(c, i)], axis=0) for i in range(len(c)))

    @staticmethod
    def _names_at(grid):
        """What `at` knows."""
        single = [str(name) for axis in ("state", "control") if axis in grid.coords for name in grid[axis].values]
        return single + [f"{contact}.{force}" for force in ("lambda_n", "lambda_t", "lambda_t2") if force in grid
                         for contact in grid.contact.values]

    # --- What can be done with it

    def plot(self, *others: Result, kind: str = "png", **options: Any) -> Picture:
        """States, controls, forces and events as one picture, as `scripts/plot` draws it; `others` are drawn over it.

        options: its options, as panels="x z, u, foot" and width=8.6 (cm); kind: "png", "svg" or "pdf"."""
        return self._draw("plot", kind, options, *others)

    def animate(self, *, kind: str = "gif", **options: Any) -> Picture:
        """The film of what the block `draw` describes, as `scripts/animate` makes it.

        options: its options, as fps=25 (1/s), speed=0.5 (units of time in a second), or poses=9 for one picture of so many
        times; kind: "gif", or "mp4" where there is an ffmpeg."""
        return self._draw("animate", "png" if options.get("poses") else kind, options)

    def _draw(self, script, kind, options, *others):
        with tempfile.TemporaryDirectory() as folder:
            files = []
            for i, each in enumerate((self, *others)):
                part = os.path.join(folder, str(i))         # a folder for each: files of one name keep it
                os.mkdir(part)
                files.append(os.path.join(part, f"{str(each.attrs.get('title') or 'result').replace('/', '_')}.h5"))
                each.save(files[-1])
            return draw(script, files, kind, options)

    def verify(self, **options: Any) -> str:
        """Replays it from event to event; "verified", or the status, and the group `verification` is new."""
        run = Run(["verify", "the result", *words_of({}, options)], subject=self._handle)
        self._index, self._made = self._list(), {}
        return "verified" if run.exit_code == 0 else run.status

    def save(self, path: str | bytes | os.PathLike) -> None:
        """Writes the file that the command line would write; one that is there is replaced, but for what the command has
        read: FileError."""
        why = ctypes.create_string_buffer(1000)
        if not library.cocp_result_write(self._handle, path_of(path), why, len(why)):
            raise FileError([], text_of(why.value))

    def show(self) -> None:
        """Prints it in words, as `cocp show`."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, f"{self.attrs.get('title') or 'result'}.h5".replace("/", "_"))
            self.save(path)
            print(program("show", path).replace(path, os.path.basename(path)), end="")

    def report(self, path: str | os.PathLike) -> None:
        """Writes the page of film, plots and events, as `cocp report`."""
        with tempfile.TemporaryDirectory() as folder:
            self.save(os.path.join(folder, "result.h5"))
            program("report", os.path.join(folder, "result.h5"), "-q", "-o", os.fspath(path))


def program_path():
    path = _library.beside("build/cocp", "bin/cocp") or shutil.which("cocp")
    if not path:
        raise FileNotFoundError("the program cocp is neither beside the library nor on PATH")
    return path


def program(*words):
    """What the program of the same installation prints."""
    done = subprocess.run([program_path(), *words], capture_output=True, text=True, check=False)
    if done.returncode:
        raise Error([], done.stderr.strip())
    return done.stdout


def path_of(path):
    try:
        return bytes_of(os.fspath(path))
    except ValueError as error:
        raise UsageError([], f"{path!r}: {error}") from None


def read(path: str | bytes | os.PathLike) -> Result:
    """The result in a file; FileError where it cannot be read."""
    why = ctypes.create_string_buffer(1000)
    handle = library.cocp_result_read(path_of(path), why, len(why))
    if not handle:
        raise FileError([], text_of(why.value))
    return Result(handle)


def from_bytes(image, messages, log):
    """A result of what its file holds: of a pickle."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "result.h5")
        with open(path, "wb") as file:
            file.write(image)
        made = read(path)
    made.messages, made.log = messages, log
    return made
