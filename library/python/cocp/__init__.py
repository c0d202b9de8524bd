"""Optimal trajectories of systems that make and break contact.

    import cocp

    problem = cocp.load("hopper.yaml")
    s = problem.solve(**{"parameters.m": 1.6})
    s.status, s.objective, s.trajectory.z, s.events
    t = problem.solve(**{"parameters.m": 1.7}, guess=s)
"""
import os

from ._library import library, text_of
from ._result import Result, read
from ._run import Error, FileError, Note, Run, SpecError, SpecWarning, UsageError, words_of

__all__ = ["load", "loads", "read", "Problem", "Result", "Note", "Error", "SpecError", "UsageError", "FileError",
           "SpecWarning"]
__version__ = library.cocp_version().decode()


class Problem:
    """A spec. Its commands take settings by path, with a dot in keywords or any in `set`, and the options of the command
    line by their names: problem.simulate(samples=100, perturb={"vx": 0.1}). problem["parameters.m"] = 1.6 is for all that
    follow. Mistakes raise SpecError or UsageError; a solve that finds nothing is a Result with that status.

    log: a function of each line that is told meanwhile, or True to print them.
    """

    def __init__(self, text, path):
        self.text, self.path, self.overrides = text, path, {}
        self.resolved                               # finds the mistakes

    def __setitem__(self, path, value):
        self.overrides[path] = value

    def __getitem__(self, path):
        return self.overrides[path]

    def __delitem__(self, path):
        del self.overrides[path]

    def __copy__(self):
        made = type(self).__new__(type(self))
        made.text, made.path, made.overrides = self.text, self.path, dict(self.overrides)
        return made

    def __repr__(self):
        return f"<cocp.Problem {text_of(os.fsencode(self.path))}{''.join(f', {path}={value}' for path, value in self.overrides.items())}>"

    def _run(self, command, options, set=None, guess=None, log=None, verbose=0):
        settings = {**self.overrides, **(set or {})}
        settings.update({path: options.pop(path) for path in list(options) if "." in path})
        if guess is not None and not isinstance(guess, Result):
            options["guess"], guess = os.fspath(guess), None
        words = [command, *words_of(settings, options), *["-v"] * verbose, self.path]
        return Run(words, self.text, guess and guess._handle, None, log)

    def _find(self, command, options, **given):
        run = self._run(command, options, **given)
        if run.result:
            return Result(run.result, run)
        if run.status == "interrupted":
            raise KeyboardInterrupt
        raise Error(run.messages, run.status)

    @property
    def resolved(self):
        """The spec with all defaults, as YAML."""
        return self._run("check", {"resolved": True}).output

    def check(self, **settings):
        """Compares derivatives with differences at the guess; what `cocp check` says."""
        return self._run("check", settings).output

    def solve(self, *, guess=None, set=None, log=None, verbose=0, **options):
        """The best motion. guess: a Result, or "FILE.h5@T". Ctrl-C ends it with the best there is."""
        return self._find("solve", options, set=set, guess=guess, log=log, verbose=verbose)

    def simulate(self, *, set=None, log=None, verbose=0, **options):
        """What happens under given controls."""
        return self._find("simulate", options, set=set, log=log, verbose=verbose)

    def track(self, *, guess=None, set=None, log=None, verbose=0, **options):
        """The plan carried out and made anew on the way."""
        return self._find("track", options, set=set, guess=guess, log=log, verbose=verbose)

    def impact(self, *, set=None, log=None, verbose=0, **options):
        """What else could happen at an impact."""
        return self._find("impact", options, set=set, log=log, verbose=verbose)

    def certify(self, *, set=None, log=None, verbose=0, **options):
        """Does it stay where it stands?"""
        return self._find("certify", options, set=set, log=log, verbose=verbose)

    def bound(self, solution=None, *, set=None, log=None, verbose=0, **options):
        """How far from the global optimum? solution: a Result to compare with; or target=COST."""
        return self._find("bound", options, set=set, guess=solution, log=log, verbose=verbose)


def load(path):
    """The problem of a file, as it is now. Mistakes, also bytes that are no UTF-8: SpecError."""
    path = os.fsdecode(path)
    with open(path, "rb") as file:
        return Problem(file.read().decode(errors="surrogateescape"), f"./{path}" if path.startswith("-") else path)


def loads(text, name="spec"):
    """The problem of a text; name: of it in messages, UsageError if it looks like an option."""
    if not name or name.startswith("-"):
        raise UsageError([], f"{name!r} is no name of a spec: it is empty, or reads as an option")
    return Problem(text, name)
