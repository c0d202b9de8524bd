"""What is seen while a command works: in a notebook a bar, else one line on stderr, written over and over."""
from __future__ import annotations

import html
import sys
import time

WIDTH = 110


def in_notebook() -> bool:
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return hasattr(shell, "kernel")


class Notebook:
    def __init__(self):
        from IPython.display import HTML, display
        self._html = HTML
        self._handle = display(HTML(""), display_id=True)

    def show(self, text: str, part: float | None):
        """part: how much is done, None where nobody knows."""
        value = "" if part is None else f' value="{min(part, 1):.3f}"'
        self._handle.update(self._html(f'<progress style="width: 12em"{value}></progress> <code>{html.escape(text)}</code>'))

    def close(self):
        self._handle.update(self._html(""))


class Line:
    def show(self, text: str, part: float | None):
        text = text if part is None else f"{100 * min(part, 1):3.0f} %  {text}"
        print(f"\r\033[K{text[:WIDTH]}", end="", file=sys.stderr, flush=True)

    def close(self):
        print("\r\033[K", end="", file=sys.stderr, flush=True)


class Progress:
    """Of a command that may take `limit` seconds, or of a sweep of `total` commands."""

    def __init__(self, title: str, limit: float | None = None, total: int | None = None):
        self._title, self._limit, self._total, self._done = title, limit, total, 0
        self._begun = time.monotonic()
        self._out = Notebook() if in_notebook() else Line()

    def advance(self):
        """Another of the `total` commands is done."""
        self._done += 1

    def show(self, line: str = ""):
        seconds = time.monotonic() - self._begun
        part = self._done / self._total if self._total else seconds / self._limit if self._limit else None
        words = [self._title, f"{self._done} of {self._total}" if self._total else "", f"{seconds:.0f} s", line]
        self._out.show("  ".join(word for word in words if word), part)

    def close(self):
        self._out.close()


def progress_for(wanted: bool | None, *what, **how) -> Progress | None:
    """None: in notebooks."""
    return Progress(*what, **how) if (in_notebook() if wanted is None else wanted) else None
