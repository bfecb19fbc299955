#!/usr/bin/env python3
"""Equations of examples in JSON fulfil the schema of the guide, and damaged ones do not."""
import copy
import json
import pathlib
import subprocess
import sys

import jsonschema

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from checks import expect, failures  # noqa: E402

program, source = sys.argv[1], pathlib.Path(sys.argv[2])
schema = json.loads((source / "docs/guide/derive.schema.json").read_text())
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)

for name in ("dual_spin/dual_spin", "dumbbell/dumbbell", "four_bar/four_bar"):
    result = subprocess.run([program, "derive", str(source / "examples" / f"{name}.yaml"), "--format", "json"],
                            capture_output=True, text=True)
    expect(result.returncode == 0, f"{name}: {result.returncode} {result.stderr}")
    data = json.loads(result.stdout)
    wrong = next(validator.iter_errors(data), None)
    expect(wrong is None, f"{name}: {wrong.message if wrong else ''} at {list(wrong.path) if wrong else ''}")

damages = {
    "no equations": lambda d: d.pop("equations"),
    "another format": lambda d: d.update(format="x"),
    "an unknown operation": lambda d: d["equations"][0]["left"][0]["value"].update(op="times"),
    "an unknown letter": lambda d: d["symbols"][0]["symbol"].update(letter="zz"),
    "a group that is none": lambda d: d["equations"][0]["left"][0].update(group="magic"),
    "a field too many": lambda d: d["equations"][0].update(more=1),
}
for what, damage in damages.items():
    damaged = copy.deepcopy(data)
    damage(damaged)
    expect(next(validator.iter_errors(damaged), None) is not None, f"{what} is accepted")

# The scalar form: with inputs and choices, with loops and derivatives, with tables.
schema = json.loads((source / "docs/guide/derive_scalar.schema.json").read_text())
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
found = set()
for name, options in (("dumbbell/tether", []), ("leo_satellite/leo_satellite", ["--jacobian"]),
                      ("four_bar/four_bar", ["--jacobian"]), ("deployment/deployment", ["--jacobian"])):
    result = subprocess.run([program, "derive", str(source / "examples" / f"{name}.yaml"), "--form", "scalar",
                             "--format", "json", *options], capture_output=True, text=True)
    expect(result.returncode == 0, f"{name}: {result.returncode} {result.stderr}")
    data = json.loads(result.stdout)
    wrong = next(validator.iter_errors(data), None)
    expect(wrong is None, f"{name}: {wrong.message[:300] if wrong else ''} at {list(wrong.path) if wrong else ''}")
    found |= set(data) | {node["operation"] for node in data["nodes"]}
    before = all(operand < k for k, node in enumerate(data["nodes"]) for operand in node.get("operands", []))
    expect(before, f"{name}: a node is applied to one that stands behind it")
for part in ("loops", "derivatives", "select", "sqrt", "divide"):
    expect(part in found, f"no example has {part}")

damages = {
    "no nodes": lambda d: d.pop("nodes"),
    "another version": lambda d: d.update(version=2),
    "an unknown operation": lambda d: d["nodes"].append({"operation": "times", "operands": [0, 1]}),
    "an operand too few": lambda d: d["nodes"].append({"operation": "add", "operands": [0]}),
    "a symbol with operands": lambda d: d["nodes"].append({"operation": "symbol", "operands": [0]}),
    "a node by name": lambda d: d["f"].append("x"),
    "a field too many": lambda d: d.update(more=1),
}
for what, damage in damages.items():
    damaged = copy.deepcopy(data)
    damage(damaged)
    expect(next(validator.iter_errors(damaged), None) is not None, f"{what} is accepted")

sys.exit(1 if failures else 0)
