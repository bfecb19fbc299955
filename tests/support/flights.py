"""A campaign for tests in Python: a craft with a boom, jets, noise in its sensor, and some flights that fail; and its results file number by number."""
import os
import pathlib
import subprocess

os.environ.setdefault("HDF5_USE_FILE_LOCKING", "FALSE")  # the writer has locks of its own, and some file systems have none
import h5py  # noqa: E402

MODEL = """gyrostat: 1
parameters: {k: 20, m: 100, offset: [0, 0, 0.1], c: 1}
bodies:
  bus: {mass: m, com: offset, inertia: [10, 12, 8]}
  boom: {mass: 3, com: [1, 0, 0], inertia: [0.1, 1, 1]}
joints:
  base: {initial: {omega: [0.02, -0.01, 0.03]}}
  hinge: {type: revolute, parent: bus, child: boom, parent_point: [0.5, 0, 0], axis: [0, 0, 1], stiffness: k, damping: 0.3, initial: {angle: 0.1}}
signals:
  sensor: {noise: {seed: 5, std: 0.002, period: 0.25}}
  jet: {switching_amplifier: {input: "-3*(bus.omega_z + sensor)", deadband: 0.02, min_on_time: 20 ms}}
  fails: "sqrt(6.5 - c*t)"
loads:
  - {body: bus, torque: [0, 0, "0.4*jet"]}
simulation: {duration: 5, integrator: {method: dopri5, tolerance: 1e-8}}
output: {interval: 0.05}
"""

CAMPAIGN = """gyrostat_campaign: 1
model: craft.yaml
vary:
  k: {{uniform: {{low: 5, high: 40}}}}
  m: {{normal: {{mean: 100, std: 5}}}}
  offset: {{normal: {{mean: 0, std: 0.05}}, size: 3}}
  c: {{uniform: {{low: 1, high: 1.33}}}}
samples: {{count: {count}, method: sobol, seed: 7}}
measure:
  peak: {{max: norm(bus.omega), after: 1}}
  calm: {{first_time: norm(bus.omega) < 0.03, for: 0.2}}
  used: {{integral: abs(jet)}}
  last: {{final: hinge.angle}}
  jitter: {{rms: bus.omega_z, between: [1, 2.5]}}
"""


# Flights of 21 calls, which are long as long as a file is there: test_plugin.c.
DAWDLES = "  pace: {{plugin: {{library: '{library}', function: dawdle, inputs: [t], outputs: [none], period: 0.25 s}}}}\n"


def write(folder, count, plugins=None):
    """With plugins, the library of tests, flights dawdle while the file is there that GYROSTAT_TEST_DAWDLE names."""
    folder = pathlib.Path(folder)
    pace = DAWDLES.format(library=plugins) if plugins else ""
    (folder / "craft.yaml").write_text(MODEL.replace("loads:\n", pace + "loads:\n"))
    (folder / "campaign.yaml").write_text(CAMPAIGN.format(count=count))


def numbers(path):
    """Every dataset and attribute of a file by its name, as bytes, but for what says who flew it and how."""
    found = {}

    def visit(name, item):
        found.update({f"{name}@{key}": str(value).encode() for key, value in item.attrs.items()})
        if isinstance(item, h5py.Dataset):
            found[name] = item[()].tobytes()

    with h5py.File(path, "r") as file:
        file.visititems(visit)
        found.update({f"@{key}": str(value).encode() for key, value in file.attrs.items() if key not in ("command",)})
    return found


def different(some, others):
    """The names of what is not the same in two files, or not in both; the first of them."""
    names = sorted(name for name in {*some, *others} if some.get(name) != others.get(name))
    return ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")


def state(path):
    """Status, records and failures of a file, which must be whole."""
    with h5py.File(path, "r") as file:
        records, events = int(file["records"][()]), int(file["events/count"][()])
        flights = file["flight"][:records].tolist()
        assert sorted(set(flights)) == sorted(flights), f"{path}: a flight is there twice"
        failed = {flight for flight, outcome in zip(flights, file["outcome"][:records]) if outcome == 1}
        reasons = set(file["events/time"][:events].tolist())
        assert failed <= reasons, f"{path}: flights {sorted(failed - reasons)} failed without a reason"
        return file["status"][()].decode().rstrip("\0"), records, len(failed)


def gyrostat(program, *arguments, folder, **more):
    return subprocess.run([program, *map(str, arguments)], cwd=folder, capture_output=True, text=True, **more)
