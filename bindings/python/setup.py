"""Builds the shared library into the package, unless it is there already.

The library needs the Swift toolchain of the repository. Whoever installs the wheel needs neither.
"""

import pathlib
import subprocess
import sys

from setuptools import setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
NAME = "libCSwexpr.dylib" if sys.platform == "darwin" else "libCSwexpr.so"


def build_library():
    """Builds the library without other libraries than those of the system."""
    subprocess.run(
        [str(ROOT / "scripts" / "link-library"), str(HERE / "src" / "swexpr" / NAME), str(HERE / "exports.map")],
        check=True)


class BuildWithLibrary(build_py):
    def run(self):
        if not (HERE / "src" / "swexpr" / NAME).exists():
            build_library()
        super().run()


class PlatformWheel(bdist_wheel):
    """A wheel for one platform and every version of Python: the library does not use that of Python."""

    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = False

    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


setup(cmdclass={"build_py": BuildWithLibrary, "bdist_wheel": PlatformWheel})
