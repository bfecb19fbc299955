#!/usr/bin/env python3
"""Validates every example against `gyrostat schema`, and compares schema and reader on small models, right and wrong."""
import copy
import json
import pathlib
import subprocess
import sys
import tempfile

import jsonschema
import yaml

program, source = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2])
schema = json.loads(subprocess.run([program, "schema"], check=True, capture_output=True).stdout)
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
failures = 0


class Loader(yaml.SafeLoader):
    """YAML 1.2's idea of a number: 1e-9 is one."""


Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float", __import__("re").compile(r"^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$"), list("-+0123456789."))


def expect(condition, what):
    global failures
    if not condition:
        failures += 1
        print("FAILED:", what)


def by_schema(model):
    return next(iter(validator.iter_errors(model)), None)


def by_reader(model):
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        yaml.safe_dump(model, file, sort_keys=False)
        file.flush()
        result = subprocess.run([program, "check", "--json", file.name], capture_output=True, text=True)
        return json.loads(result.stdout)


examples = [p for p in sorted(source.glob("examples/**/*.yaml")) if "\ngyrostat_campaign:" not in p.read_text()] + sorted(source.glob("fuzz/corpus/model/*.yaml"))
expect(len(examples) >= 3, "examples found")
whole = None
for path in examples:
    accepted = json.loads(subprocess.run([program, "check", "--json", path], capture_output=True).stdout)["ok"]
    if path.parent.name == "parts":
        pass  # to be included: not a model by itself
    elif path.is_relative_to(source / "examples"):
        expect(accepted, f"{path}: the reader refuses it")
    elif not accepted:
        continue
    model = yaml.load(path.read_text(), Loader)
    error = by_schema(model)
    expect(error is None, f"{path}: {error.json_path if error else ''}: {error.message if error else ''}")
    if path.name == "everything.yaml":
        whole = model
expect(whole is not None, "the model with a bit of everything is there")


def places(value, path=()):
    """Every place in a model."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from places(inner, path + (key,))


def with_change(model, path, change):
    model = copy.deepcopy(model)
    inner = model
    for key in path[:-1]:
        inner = inner[key]
    change(inner, path[-1])
    return model


def get(model, path):
    for key in path:
        model = model[key]
    return model


# Wherever the reader expects fields, an unknown one is refused by both.
free_names = [("parameters",), ("tables",), ("bodies",), ("joints",), ("signals",), ("simulation", "about")]
tried = 0
for path in places(whole):
    if not path or not isinstance(get(whole, path), dict) or path in free_names or path[-1] in ("points", "wheels"):
        continue
    model = with_change(whole, path, lambda inner, key: inner[key].update(nonsense=1))
    expect(by_schema(model) is not None, f"schema accepts an unknown field in {path}")
    expect(not by_reader(model)["ok"], f"reader accepts an unknown field in {path}")
    tried += 1
expect(tried > 50, "unknown fields tried")

# A value of an impossible kind is refused by both.
for path in places(whole):
    if not path or path[-1] == "color":
        continue
    for wrong in ({"nonsense": 1}, [[[1]]]):
        if path in free_names and isinstance(wrong, dict):
            continue  # a parameter called nonsense is as good as any
        model = with_change(whole, path, lambda inner, key: inner.__setitem__(key, wrong))
        expect(by_schema(model) is not None, f"schema accepts {wrong} at {path}")
        expect(not by_reader(model)["ok"], f"reader accepts {wrong} at {path}")

template = {"parameters": {"mount": "body", "axis": [0, 0, 1], "size": 2, "kind": {"value": "revolute"}, "start": "value"},
            "bodies": {"b": {"mass": "size", "inertia": [1, 1, 1]}, "mount": {"points": {"p": "axis"}}},
            "joints": {"j": {"type": "kind", "parent": "mount", "child": "b", "axis": "axis", "initial": "start"}}}
given = {"mount": "a", "start": {"angle": "1 deg"}}
minimal = {"gyrostat": 1, "bodies": {"a": {"mass": 1, "inertia": [1, 1, 1]}}}
right = {
    "minimal": {},
    "an empty section": {"joints": None, "loads": None, "signals": None},
    "a template": {"templates": {"u": template}},
    "an instance": {"templates": {"u": template}, "instances": {"i": {"template": "u", "with": given}}},
    "several instances": {"templates": {"u": template}, "instances": {"i": {"template": "u", "with": given, "for": {"x": None, "y": {"size": 3}}}}},
    "names with dots": {"signals": {"i.a.s": 1}},
    "a base without its bodies": {"joints": {"base": {"initial": {"omega": [0, 0, 1]}}}},
}
wrong = {
    "another version": {"gyrostat": 2},
    "no bodies": {"bodies": None},
    "a joint without a type": {"joints": {"j": {"parent": "world", "child": "a"}}},
    "a revolute without an axis": {"joints": {"j": {"type": "revolute", "parent": "world", "child": "a"}}},
    "a name with a space": {"bodies": {"a b": {"mass": 1, "inertia": [1, 1, 1]}}},
    "a signal of two kinds": {"signals": {"s": {"integral": "t", "delay": {"input": "t", "time": 1}}}},
    "a vector of two": {"environment": {"gravity": {"uniform": [0, 1]}}},
    "an instance without a template": {"templates": {"u": template}, "instances": {"i": {"with": given}}},
    "an unknown field of an instance": {"templates": {"u": template}, "instances": {"i": {"template": "u", "width": given}}},
    "settings in a template": {"templates": {"u": {"simulation": {"duration": 1}}}},
    "an unknown field in a template": {"templates": {"u": {"bodies": {"b": {"mas": 1}}}}, "instances": {"i": {"template": "u"}}},
    "an include of a mapping": {"include": {"a": 1}},
    "a name that ends with a dot": {"signals": {"a.": 1}},
    "an unknown formulation": {"simulation": {"formulation": "newton"}},
}
for name, change in right.items():
    expect(by_schema({**minimal, **change}) is None, f"schema refuses {name}: {by_schema({**minimal, **change})}")
    expect(by_reader({**minimal, **change})["ok"], f"reader refuses {name}")
for name, change in wrong.items():
    expect(by_schema({**minimal, **change}) is not None, f"schema accepts {name}")
    expect(not by_reader({**minimal, **change})["ok"], f"reader accepts {name}")

print(f"{len(examples)} files, {tried} unknown fields, {failures} failures")
sys.exit(failures > 0)
