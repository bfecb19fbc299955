"""What the tests of the Python package share."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["GYROSTAT_PROGRAM"]
SOURCE = pathlib.Path(os.environ["GYROSTAT_SOURCE_DIR"])
FIVE_BODY = SOURCE / "examples/five_body/five_body.yaml"

# One body, turned by a torque that a signal says.
SPINNER = """gyrostat: 1
name: A body that a torque turns
parameters: {gain: 0.5, level: 0.2}
bodies:
  bus: {mass: 10, inertia: [1, 2, 3]}
joints:
  base: {initial: {omega: [0.1, 0.2, 0.3]}}
signals:
  command: "level*cos(t)"
loads:
  - {body: bus, torque: [command, "-gain*bus.omega_y", 0]}
simulation: {duration: 10, integrator: {method: dopri5, tolerance: 1e-10}}
output: {interval: 0.5}
"""

# For scripts: Ctrl-C once there is a file, however long it takes until then.
CTRL_C = """import _thread, os, threading, time

def ctrl_c_when(path):
    def wait():
        while not os.path.exists(path):
            time.sleep(0.01)
        time.sleep(0.1)
        _thread.interrupt_main()
    threading.Thread(target=wait, daemon=True).start()
"""


def command_line(*arguments, folder=None):
    """What the program prints, and its exit code."""
    result = subprocess.run([PROGRAM, *map(str, arguments)], cwd=folder, capture_output=True, text=True)
    return result.stdout, result.stderr, result.returncode


def asked(*arguments, folder=None):
    """The same as data."""
    stdout, stderr, code = command_line(*arguments, "--json", folder=folder)
    if code != 0:
        raise AssertionError(stdout + stderr)
    return json.loads(stdout)


class InFolder(unittest.TestCase):
    """Each test in an empty folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return name
