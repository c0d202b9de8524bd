"""Pictures and films of results: what scripts/plot and scripts/animate draw, as objects that notebooks show."""
from __future__ import annotations

import base64
import importlib.util
import os
import subprocess
import sys
import tempfile
from typing import Any

from . import _library
from ._run import Error

NEEDED = {"h5py": "h5py", "matplotlib": "matplotlib", "PIL": "pillow"}
MIME = {"png": "image/png", "svg": "image/svg+xml", "gif": "image/gif", "mp4": "video/mp4", "pdf": "application/pdf"}


class Picture:
    """The bytes of a picture or film; a notebook shows it, save(path) writes it."""

    def __init__(self, data: bytes, kind: str):
        #: "png", "svg", "pdf", "gif" or "mp4"
        self.data, self.kind = data, kind

    def __repr__(self) -> str:
        return f"<cocp.Picture {self.kind}, {len(self.data)} bytes>"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the file; its ending does not change the kind."""
        with open(path, "wb") as file:
            file.write(self.data)

    def _repr_html_(self) -> str:
        source = f"data:{MIME[self.kind]};base64,{base64.b64encode(self.data).decode()}"
        if self.kind == "mp4":
            return f'<video controls loop src="{source}"></video>'
        return f'<img style="max-width: 100%" src="{source}">'


def options_of(options: dict[str, Any]) -> list[str]:
    """panels="x z" is --panels "x z", poses=9 --poses 9, frames=True --frames."""
    words = []
    for name, value in options.items():
        name = "--" + name.replace("_", "-")
        for each in value if isinstance(value, (list, tuple)) else [value]:
            words += [name] if each is True else [] if each is None or each is False else [name, str(each)]
    return words


def draw(script: str, files: list[str], kind: str, options: dict[str, Any]) -> Picture:
    """Runs a script on result files in this Python."""
    path = _library.beside(f"scripts/{script}", f"share/cocp/scripts/{script}")
    lacking = [package for module, package in NEEDED.items() if importlib.util.find_spec(module) is None]
    if lacking or not path:
        raise ImportError(f"cocp: pictures need {' and '.join(lacking) or 'scripts/' + script}: pip install 'cocp[plot]'")
    with tempfile.TemporaryDirectory() as folder:
        made = os.path.join(folder, f"picture.{kind}")
        done = subprocess.run([sys.executable, path, *files, *options_of(options), "-o", made], capture_output=True, text=True,
                              check=False)
        if done.returncode or not os.path.exists(made):
            raise Error([], done.stderr.strip() or done.stdout.strip())
        with open(made, "rb") as file:
            return Picture(file.read(), kind)
