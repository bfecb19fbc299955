"""Builds the wheel: the package in python/gyrostat and the module that CMake compiles.

With GYROSTAT_BUILD=FOLDER the module is taken from that build folder of CMake, and nothing is compiled.
"""
import os
import pathlib
import re
import shutil

here = pathlib.Path(__file__).resolve().parent
version = re.search(r"project\(Gyrostat VERSION ([\d.]+)", (here / "CMakeLists.txt").read_text())[1]
package = {
    "version": version,
    "packages": ["gyrostat"],
    "package_dir": {"gyrostat": "python/gyrostat"},
    "package_data": {"gyrostat": ["py.typed", "*.pyi"]},
}

if build := os.environ.get("GYROSTAT_BUILD"):
    from setuptools import Extension, setup
    from setuptools.command.build_ext import build_ext

    class TakeFromBuild(build_ext):
        """Copies the module."""

        def build_extension(self, ext):
            (module,) = pathlib.Path(build, "python", "gyrostat").glob("_gyrostat.*.so")
            target = pathlib.Path(self.get_ext_fullpath(ext.name))
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(module, target)

    setup(ext_modules=[Extension("gyrostat._gyrostat", [])], cmdclass={"build_ext": TakeFromBuild}, **package)
else:
    from skbuild import setup

    setup(
        cmake_install_dir="python",
        cmake_install_target="gyrostat_python_install",
        cmake_args=["-DCMAKE_BUILD_TYPE=Release", "-DGYROSTAT_PYTHON=ON", "-DGYROSTAT_TESTS=OFF"],
        **package,
    )
