"""A command for many values of a spec, as one xarray."""
from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any, Callable, Mapping, Sequence

import numpy as np
import xarray

from ._progress import Progress, progress_for
from ._result import Result

if TYPE_CHECKING:
    from . import Problem

#: of each point, told after it; what returns False ends the sweep
Callback = Callable[[dict[str, Any], Result], Any]


def names_of(paths: Sequence[str]) -> list[str]:
    """Of the axes: the ends of the paths, or the paths where these are not unique."""
    ends = [path.rpartition(".")[2] for path in paths]
    return ends if len(set(ends)) == len(ends) else list(paths)


class Table:
    """What is known of each point of a grid; nan, or "" of texts, where nothing is."""

    def __init__(self, vary: Mapping[str, Sequence[Any]]):
        self._names, self._title = names_of(list(vary)), ""
        self._parameters = {path.partition(".")[2] for path in vary if path.startswith("parameters.")}
        self._shape = tuple(len(values) for values in vary.values())
        self._coordinates = {name: ([name], np.asarray(values), {"path": path})
                             for name, (path, values) in zip(self._names, vary.items())}
        self._status, self._objective = np.full(self._shape, "", dtype=object), np.full(self._shape, np.nan)
        self._arrays: dict[str, tuple[np.ndarray, dict[str, Any]]] = {}

    def take(self, at: tuple[int, ...], result: Result) -> None:
        self._status[at], self._objective[at] = result.status, result.objective
        self._title = result.attrs.get("title", "")
        if "/parameters" in result.groups:
            found = result["parameters"].data_vars
            self._take_values(at, {name: found[name] for name in found if name not in self._parameters}, ())
        if "/uniform" in result.groups:
            self._take_values(at, result["uniform"].variables, ("t",))

    def _take_values(self, at, variables, axes):
        for name, data in variables.items():
            if data.dims != axes or data.dtype.kind not in "fiu":
                continue
            name = name if name not in self._names else f"{name}_found"
            if name not in self._arrays:
                units = {key: data.attrs[key] for key in ("units", "long_name") if key in data.attrs}
                self._arrays[name] = np.full(self._shape + data.shape, np.nan), units
            array = self._arrays[name][0]
            if array.shape[len(self._shape):] == data.shape:        # output.points may be what varies
                array[at] = data.values

    def dataset(self) -> xarray.Dataset:
        variables: dict[str, Any] = {"status": (self._names, self._status), "objective": (self._names, self._objective)}
        for name, (array, units) in self._arrays.items():
            axes = self._names + ["point"] * (array.ndim - len(self._shape))
            variables.setdefault(name, (axes, array, units))
        return xarray.Dataset(variables, self._coordinates, {"title": self._title})


def sweep(problem: Problem, vary: Mapping[str, Sequence[Any]], command: str, follow: bool, callback: Callback | None,
          progress: bool | None, options: dict[str, Any]) -> xarray.Dataset:
    table = Table(vary)
    before: Result | None = None                    # the last one that was solved
    points = list(itertools.product(*(range(len(values)) for values in vary.values())))
    bar = progress_for(progress, f"{problem.name}, {command}", total=len(points))
    given = dict(options.pop("set", None) or {})
    try:
        for at in points:
            point = {path: values[i] for (path, values), i in zip(vary.items(), at)}
            start = {"guess": before} if follow and before is not None else {}
            result = getattr(problem, command)(set={**given, **point}, progress=bar or False, **start, **options)
            table.take(at, result)
            before = result if result.ok else before
            if bar:
                bar.advance()
            if result.status == "interrupted" or (callback and callback(point, result) is False):
                break
    finally:
        if isinstance(bar, Progress):
            bar.close()
    return table.dataset()
