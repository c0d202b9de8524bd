"""Optimal trajectories of systems that make and break contact.

    import cocp

    problem = cocp.load("hopper.yaml")
    s = problem.solve(**{"parameters.m": 1.6})
    s.status, s.objective, s.trajectory.z, s.events
    t = problem.solve(**{"parameters.m": 1.7}, guess=s)
    runs = problem.sweep({"parameters.mu": [0.3, 0.4, 0.5]})
"""
from __future__ import annotations

import os
import pathlib
from typing import Any, Callable, Mapping, Sequence, Union

import xarray

from ._library import beside, library, text_of
from ._pictures import Picture
from ._progress import Progress, progress_for
from ._result import Result, read
from ._run import Error, FileError, Note, Run, SpecError, SpecWarning, UsageError, words_of
from ._spec import text_of_spec
from ._sweep import Callback, sweep as sweep_of

__all__ = ["load", "loads", "read", "solve", "simulate", "track", "sweep", "Problem", "Result", "Picture", "Note", "Error",
           "SpecError", "UsageError", "FileError", "SpecWarning", "PROBLEMS"]
__version__ = library.cocp_version().decode()

#: The folder of the specs that ship: cocp.load(cocp.PROBLEMS / "hopper.yaml").
PROBLEMS = pathlib.Path(beside("problems", "share/cocp/problems") or "problems")

#: A function of each line that is told while a command works, or True to print them.
Log = Union[Callable[[str], Any], bool, None]


class Problem:
    """A spec. Its commands take settings by path, with a dot in keywords or any in `set`, and the options of the command
    line by their names: problem.simulate(samples=100, perturb={"vx": 0.1}). problem["parameters.m"] = 1.6 is for all that
    follow. Mistakes raise SpecError or UsageError; a solve that finds nothing is a Result with that status.

    set: {path: value}, in the units of the spec.
    log: a function of each line that is told meanwhile, or True to print them.
    progress: whether to show what is going on; None: in notebooks.
    """

    def __init__(self, text: str, path: str):
        self.text, self.path = text, path
        self.overrides: dict[str, Any] = {}
        self.resolved                               # finds the mistakes

    def __setitem__(self, path: str, value: Any) -> None:
        self.overrides[path] = value

    def __getitem__(self, path: str) -> Any:
        return self.overrides[path]

    def __delitem__(self, path: str) -> None:
        del self.overrides[path]

    def __copy__(self) -> Problem:
        made = type(self).__new__(type(self))
        made.text, made.path, made.overrides = self.text, self.path, dict(self.overrides)
        return made

    def __repr__(self) -> str:
        overrides = "".join(f", {path}={value}" for path, value in self.overrides.items())
        return f"<cocp.Problem {text_of(os.fsencode(self.path))}{overrides}>"

    @property
    def name(self) -> str:
        """Of its file, without folder and ending."""
        return text_of(os.fsencode(os.path.splitext(os.path.basename(self.path))[0]))

    def _run(self, command, options, set=None, guess=None, log=None, verbose=0, progress: Union[Progress, bool, None] = False):
        settings = {**self.overrides, **(set or {})}
        settings.update({path: options.pop(path) for path in list(options) if "." in path})
        if guess is not None and not isinstance(guess, Result):
            options["guess"], guess = os.fspath(guess), None
        bar = progress if isinstance(progress, Progress) else progress_for(progress, f"{self.name}, {command}",
                                                                           options.get("max_time"))
        words = [command, *words_of(settings, options), *["-v"] * verbose, self.path]
        try:
            return Run(words, self.text, guess and guess._handle, None, log, bar.show if bar else None)
        finally:
            if bar and bar is not progress:
                bar.close()

    def _find(self, command, options, **given) -> Result:
        run = self._run(command, options, **given)
        if run.result:
            return Result(run.result, run)
        if run.status == "interrupted":
            raise KeyboardInterrupt
        raise Error(run.messages, run.status)

    @property
    def resolved(self) -> str:
        """The spec with all defaults, as YAML."""
        return self._run("check", {"resolved": True}).output

    def check(self, **settings: Any) -> str:
        """Compares derivatives with differences at the guess; what `cocp check` says."""
        return self._run("check", settings).output

    def solve(self, *, guess: Union[Result, str, os.PathLike, None] = None, set: Union[Mapping[str, Any], None] = None,
              log: Log = None, verbose: int = 0, progress: Union[bool, None] = None, **options: Any) -> Result:
        """The best motion. Ctrl-C ends it with the best there is.

        guess: a Result, or "FILE.h5@T" with a time T of its horizon, from which on it starts.
        options: max_time (s by the clock), max_cpu (s of all cores), seed, sensitivity, scenarios, verify, ...; bound=True,
        or how near the global optimum is near enough: then the result has a lower_bound and a gap.
        """
        return self._find("solve", options, set=set, guess=guess, log=log, verbose=verbose, progress=progress)

    def simulate(self, *, set: Union[Mapping[str, Any], None] = None, log: Log = None, verbose: int = 0,
                 progress: Union[bool, None] = None, **options: Any) -> Result:
        """What happens under given controls: of the spec's block `simulate`; controls="FILE.h5" or "FILE.csv"; or
        formulas of states and time, controls={"u": "-2*x"}.

        options: samples (number) and perturb ({state: size, in its units}) for /bundle, method, controls, ...
        """
        if isinstance(options.get("controls"), Mapping):
            set = {**(set or {}), **{f"simulate.controls.{name}": e for name, e in options.pop("controls").items()}}
        return self._find("simulate", options, set=set, log=log, verbose=verbose, progress=progress)

    def track(self, *, guess: Union[Result, str, os.PathLike, None] = None, set: Union[Mapping[str, Any], None] = None,
              log: Log = None, verbose: int = 0, progress: Union[bool, None] = None, **options: Any) -> Result:
        """The plan carried out and made anew on the way; log is told each new plan. guess: the first plan."""
        return self._find("track", options, set=set, guess=guess, log=log, verbose=verbose, progress=progress)

    def sweep(self, vary: Mapping[str, Sequence[Any]], *, command: str = "solve", follow: bool = False,
              callback: Union[Callback, None] = None, progress: Union[bool, None] = None, **options: Any) -> xarray.Dataset:
        """A command for every combination of values, one after the other.

        vary: {path: values}; the Dataset has an axis for each, named by the end of its path ("parameters.mu": mu).
        command: solve, simulate or track.
        follow: each point starts from the last one that was solved (of solve and track).
        callback: called with {path: value} and the Result after each point; False ends the sweep, and so does Ctrl-C. What
            was not reached is nan.

        The Dataset has, over these axes, `status` (text), `objective` and the parameters, optimized ones as found; and
        over the axes and `point`, the evenly spaced times of /uniform: `t` and every state, control, output, gap and contact
        force, with their units. A variable that is called as an axis is has `_found` after its name.
        """
        return sweep_of(self, vary, command, follow, callback, progress, options)

    def impact(self, *, set: Union[Mapping[str, Any], None] = None, log: Log = None, verbose: int = 0,
               progress: Union[bool, None] = None, **options: Any) -> Result:
        """What else could happen at an impact. options: "impact.h" (N s, has to be given there or in the spec), ..."""
        return self._find("impact", options, set=set, log=log, verbose=verbose, progress=progress)

    def certify(self, *, set: Union[Mapping[str, Any], None] = None, log: Log = None, verbose: int = 0,
                progress: Union[bool, None] = None, **options: Any) -> Result:
        """Does it stay where it stands?"""
        return self._find("certify", options, set=set, log=log, verbose=verbose, progress=progress)

    def bound(self, solution: Union[Result, str, os.PathLike, None] = None, *, set: Union[Mapping[str, Any], None] = None,
              log: Log = None, verbose: int = 0, progress: Union[bool, None] = None, **options: Any) -> Result:
        """How far from the global optimum? solution: a Result to compare with; or target=COST."""
        return self._find("bound", options, set=set, guess=solution, log=log, verbose=verbose, progress=progress)


def load(path: Union[str, bytes, os.PathLike]) -> Problem:
    """The problem of a file, as it is now. Mistakes, also bytes that are no UTF-8: SpecError."""
    path = os.fsdecode(path)
    with open(path, "rb") as file:
        return Problem(file.read().decode(errors="surrogateescape"), f"./{path}" if path.startswith("-") else path)


def loads(spec: Union[str, Mapping[str, Any]], name: str = "spec") -> Problem:
    """The problem of a text, or of a mapping as its YAML would give it; `text` of the problem is what it became, which places
    of mistakes are in. name: of it in messages, UsageError if it looks like an option. Units are those that it says."""
    if not name or name.startswith("-"):
        raise UsageError([], f"{name!r} is no name of a spec: it is empty, or reads as an option")
    return Problem(spec if isinstance(spec, str) else text_of_spec(spec), name)


#: What the commands below take: a problem, the path of a spec, or the spec itself as a mapping or as a text of several lines.
Spec = Union[Problem, str, os.PathLike, Mapping[str, Any]]


def problem_of(spec: Spec) -> Problem:
    if isinstance(spec, Problem):
        return spec
    if isinstance(spec, Mapping) or (isinstance(spec, str) and "\n" in spec):
        return loads(spec)
    return load(spec)


def solve(spec: Spec, **options: Any) -> Result:
    """Problem.solve of a problem, of the spec in a file, or of one as a text or mapping."""
    return problem_of(spec).solve(**options)


def simulate(spec: Spec, **options: Any) -> Result:
    """Problem.simulate, likewise."""
    return problem_of(spec).simulate(**options)


def track(spec: Spec, **options: Any) -> Result:
    """Problem.track, likewise."""
    return problem_of(spec).track(**options)


def sweep(spec: Spec, vary: Mapping[str, Sequence[Any]], **options: Any) -> xarray.Dataset:
    """Problem.sweep, likewise."""
    return problem_of(spec).sweep(vary, **options)
