#!/usr/bin/env python3
"""The program cocp of the package that was installed with this script. The package is found, not imported: that takes
longer than many a solve."""
import importlib.util
import os
import sys

program = os.path.join(os.path.dirname(importlib.util.find_spec("cocp").origin), "bin", "cocp")
os.execv(program, [program, *sys.argv[1:]])
