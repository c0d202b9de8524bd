"""The build of the project that this folder is a part of, for pip."""
import os
import sys

ABOVE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
if not os.path.exists(os.path.join(ABOVE, "pyproject.toml")):
    sys.exit("cocp: this folder was taken out of its tree; pip install the whole tree, or a wheel of `make wheel`")
os.chdir(ABOVE)

from hatchling.build import *       # noqa: E402, F401, F403   its hooks read the project of the current folder
