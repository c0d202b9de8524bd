"""What hatchling asks when it makes a wheel: make compiles, and the package takes program, library, scripts and problems
along.

COCP_BUILT names the folder of a program and a library that are built for a wheel of their own (`make wheel`), with the
licences of what they contain in licenses/; else they are those of build/release, which use the libraries of this
machine.
"""
import glob
import os
import shutil
import subprocess
import sysconfig

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

LACKING = """cocp: the library could not be built (above). It needs a C compiler, make and some libraries; on Debian or
Ubuntu ./scripts/dependencies installs them. A wheel that brings all of them along is made by `make wheel`, on another
machine of the same kind as well."""
PROBLEMS = ("problems/*.yaml", "problems/*.csv", "problems/*.urdf", "problems/*.xml")        # specs, and what they read
PICTURES = ("plot", "plot_impact", "plot_sweep", "animate", "cocp_drawing.py", "cocp_result.py", "cocp_texts.py")


class CustomBuildHook(BuildHookInterface):
    def initialize(self, version, build_data):
        build_data["pure_python"] = False
        build_data["tag"] = "py3-none-" + sysconfig.get_platform().replace("-", "_").replace(".", "_")
        built = os.environ.get("COCP_BUILT") or self.make()
        inside = {f"{built}/cocp": "bin/cocp", f"{built}/libcocp.so.0": "lib/libcocp.so.0"}
        inside.update({f"scripts/{name}": f"scripts/{name}" for name in PICTURES})
        inside.update({path: path for pattern in PROBLEMS for path in glob.glob(pattern)})
        inside.update({path: f"licenses/{os.path.basename(path)}" for path in glob.glob(f"{built}/licenses/*")})
        build_data["force_include"].update({path: f"cocp/{to}" for path, to in inside.items()})

    @staticmethod
    def make():
        command = ["make", "-j", str(os.cpu_count()), "build/release/cocp", "build/release/libcocp.so.0"]
        if not shutil.which("make") or subprocess.run(command, check=False).returncode:
            raise SystemExit(LACKING)
        return "build/release"
