"""The wheel: built from the checkout without any download, installed in a clean virtual environment, imported there.

The module is the one of this build, so that nothing is compiled; with GYROSTAT_TEST_WHEEL=whole it is compiled by
scikit-build, as `pip install --no-build-isolation .` does it, which takes minutes.
"""
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import zipfile

SOURCE = pathlib.Path(os.environ["GYROSTAT_SOURCE_DIR"])
BINARY = os.environ["GYROSTAT_BINARY_DIR"]
NEEDED = ("pip", "wheel", "setuptools", "ensurepip", "skbuild")


def run(*command, **more):
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"} | {"PIP_NO_INDEX": "1"} | more
    result = subprocess.run([*map(str, command)], capture_output=True, text=True, env=environment, cwd=tempfile.gettempdir())
    if result.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))}\n{result.stdout}{result.stderr}")
    return result.stdout


@unittest.skipIf(any(importlib.util.find_spec(name) is None for name in NEEDED), "pip, wheel, venv or skbuild is missing")
class Wheel(unittest.TestCase):
    def test_is_imported_in_a_clean_environment(self):
        whole = os.environ.get("GYROSTAT_TEST_WHEEL") == "whole"
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            copy = folder / "source"  # pip leaves its traces in the folder that it builds
            copy.mkdir()
            for name in subprocess.run(["git", "-c", "safe.directory=*", "ls-files"], cwd=SOURCE, capture_output=True, text=True, check=True).stdout.splitlines():
                if (SOURCE / name).is_file() and (whole or name.startswith("python/") or "/" not in name):
                    (copy / name).parent.mkdir(parents=True, exist_ok=True)
                    (copy / name).write_bytes((SOURCE / name).read_bytes())
            run(sys.executable, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps", "-w", folder, copy,
                **({} if whole else {"GYROSTAT_BUILD": BINARY}))
            (wheel,) = folder.glob("gyrostat-*.whl")
            names = zipfile.ZipFile(wheel).namelist()
            for name in ("gyrostat/__init__.py", "gyrostat/py.typed", "gyrostat/_gyrostat.pyi"):
                self.assertIn(name, names)
            self.assertTrue(any(n.startswith("gyrostat/_gyrostat.cpython") for n in names), names)
            self.assertFalse([n for n in names if not n.startswith("gyrostat")], names)
            run(sys.executable, "-m", "venv", "--system-site-packages", folder / "clean")
            python = folder / "clean/bin/python"
            run(python, "-m", "pip", "install", "--no-deps", wheel)
            told = run(python, "-c", "import gyrostat; print(gyrostat.__version__, gyrostat.__file__); "
                       f"print(gyrostat.Model.load({str(SOURCE / 'examples/brick/brick.yaml')!r}).simulate(until=1).status)")
            self.assertIn(str(folder / "clean"), told)
            self.assertIn("finished", told)
            self.assertIn(gyrostat_version(), told)


def gyrostat_version():
    import re

    return re.search(r"project\(Gyrostat VERSION ([\d.]+)", (SOURCE / "CMakeLists.txt").read_text())[1]


if __name__ == "__main__":
    unittest.main()
