"""python -m cocp: the program."""
import os
import sys

from ._result import program_path

os.execv(program_path(), ["cocp", *sys.argv[1:]])
