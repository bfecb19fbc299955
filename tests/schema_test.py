#!/usr/bin/env python3
"""Validates every example against `gyrostat schema`, and compares schema and reader on small models, right and wrong; the same of campaigns."""
import copy
import json
import pathlib
import subprocess
import sys
import tempfile

import jsonschema
import yaml

program, source = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2])
failures = 0


def validator_of(*options):
    schema = json.loads(subprocess.run([program, "schema", *options], check=True, capture_output=True).stdout)
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


validator, of_campaigns = validator_of(), validator_of("--campaign")


class Loader(yaml.SafeLoader):
    """YAML 1.2's idea of a number: 1e-9 is one."""


Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float", __import__("re").compile(r"^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$"), list("-+0123456789."))


def expect(condition, what):
    global failures
    if not condition:
        failures += 1
        print("FAILED:", what)


def by_schema(model, validator=validator):
    return next(iter(validator.iter_errors(model)), None)


def by_reader(model, folder=None):
    with tempfile.NamedTemporaryFile("w", suffix=".yaml", dir=folder) as file:
        yaml.safe_dump(model, file, sort_keys=False)
        file.flush()
        result = subprocess.run([program, "check", "--json", file.name], capture_output=True, text=True)
        return json.loads(result.stdout)


campaigns = sorted(source.glob("examples/campaign/*.yaml"))  # in this folder, and no models
examples = [p for p in sorted(source.glob("examples/**/*.yaml")) if p not in campaigns] + sorted(source.glob("fuzz/corpus/model/*.yaml"))
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


def try_mistakes(whole, free_names, accepted_by_schema, accepted_by_reader):
    """In every place of a file that is right. Returns how many unknown fields were tried."""
    # Wherever the reader expects fields, an unknown one is refused by both.
    tried = 0
    for path in places(whole):
        if not path or not isinstance(get(whole, path), dict) or path in free_names or path[-1] in ("points", "wheels"):
            continue
        model = with_change(whole, path, lambda inner, key: inner[key].update(nonsense=1))
        expect(not accepted_by_schema(model), f"schema accepts an unknown field in {path}")
        expect(not accepted_by_reader(model), f"reader accepts an unknown field in {path}")
        tried += 1
    # A value of an impossible kind is refused by both.
    for path in places(whole):
        if not path or path[-1] == "color":
            continue
        for wrong in ({"nonsense": 1}, [[[1]]]):
            if path in free_names and isinstance(wrong, dict):
                continue  # a parameter called nonsense is as good as any
            model = with_change(whole, path, lambda inner, key: inner.__setitem__(key, wrong))
            expect(not accepted_by_schema(model), f"schema accepts {wrong} at {path}")
            expect(not accepted_by_reader(model), f"reader accepts {wrong} at {path}")
    return tried


free_names = [("parameters",), ("tables",), ("bodies",), ("joints",), ("signals",), ("simulation", "about")]
tried = try_mistakes(whole, free_names, lambda model: by_schema(model) is None, lambda model: by_reader(model)["ok"])
expect(tried > 50, "unknown fields tried")

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

# --- campaigns ---
expect(len(campaigns) >= 1, "campaigns found")
for path in campaigns:
    error = by_schema(yaml.load(path.read_text(), Loader), of_campaigns)
    expect(error is None, f"{path}: {error.json_path if error else ''}: {error.message if error else ''}")
    checked = subprocess.run([program, "check", path], capture_output=True, text=True)
    expect(checked.returncode == 0 and "flights" in checked.stdout, f"{path}: {checked.stdout}{checked.stderr}")

with tempfile.TemporaryDirectory() as folder:
    (pathlib.Path(folder) / "m.yaml").write_text("""gyrostat: 1
parameters: {a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1, h: 1, v: [0, 0, 0], i.x1: 1}
bodies: {body: {mass: 1, inertia: [1, 1, 1]}}
simulation: {duration: 1}
""")
    (pathlib.Path(folder) / "s.csv").write_text("one,two\n1,2\n3,4\n")

    def accepted_by_schema(campaign):
        return by_schema(campaign, of_campaigns) is None

    def accepted_by_reader(campaign):
        return by_reader(campaign, folder)["ok"]

    whole = {"gyrostat_campaign": 1, "name": "everything", "model": "m.yaml",
             "vary": {"a": {"uniform": {"low": 1, "high": "2*3"}}, "b": {"normal": {"mean": 0, "std": 1}}, "v": {"normal": {"mean": 0, "std": 1}, "size": 3},
                      "c": {"truncated": {"mean": 0, "std": 1, "low": -1, "high": 2}}, "d": {"lognormal": {"median": 1, "sigma": 0.1}},
                      "e": {"triangular": {"low": 0, "mode": 1, "high": 2}}, "f": {"choice": {"of": [1, 2], "weights": [1, 3]}},
                      "g": {"table": {"file": "s.csv", "column": "two"}}, "h": {"values": [1, 2]}},
             "correlate": [["a", "b", 0.5]], "samples": {"count": 2, "method": "monte_carlo", "seed": 3},
             "measure": {"most": {"max": "norm(body.omega)", "after": "0.1 s"}, "when": {"first_time": "t > 0.5", "for": 0.1}, "mean": {"mean": "t", "between": [0, 1]},
                         "last": {"final": "t"}, "least": {"min": "t"}, "square": {"rms": "t"}, "all": {"integral": "t"}},
             "require": {"most": {"below": 1, "in": "99.7 %", "confidence": "90 %"}, "when": {"above": 0, "in": 0.5}}}
    error = by_schema(whole, of_campaigns)
    expect(error is None, f"schema refuses the campaign with a bit of everything: {error}")
    answer = by_reader(whole, folder)
    expect(answer["ok"] and answer["flights"] == 4, f"reader refuses the campaign with a bit of everything: {answer}")
    fields = try_mistakes(whole, [("vary",)], accepted_by_schema, accepted_by_reader)
    expect(fields > 20, f"{fields} unknown fields tried in a campaign")
    minimal = {"gyrostat_campaign": 1, "model": "m.yaml", "samples": {"count": 2}, "measure": {"m": {"max": "t"}}}
    right = {"minimal": {}, "nothing varied": {"vary": None}, "a parameter of an instance": {"vary": {"i.x1": {"values": [1]}}}}
    wrong = {"another version": {"gyrostat_campaign": 2}, "no measure": {"measure": None}, "no model": {"model": None},
             "two distributions": {"vary": {"a": {"uniform": {"low": 0, "high": 1}, "normal": {"mean": 0, "std": 1}}}},
             "no distribution": {"vary": {"a": {"size": 3}}}, "an unknown method": {"samples": {"count": 2, "method": "halton"}},
             "half a distribution": {"vary": {"a": {"uniform": {"low": 0}}}}, "a measure of two kinds": {"measure": {"m": {"max": "t", "min": "t"}}}}
    for name, change in right.items():
        expect(accepted_by_schema({**minimal, **change}), f"schema refuses {name}: {by_schema({**minimal, **change}, of_campaigns)}")
        expect(accepted_by_reader({**minimal, **change}), f"reader refuses {name}")
    for name, change in wrong.items():
        expect(not accepted_by_schema({**minimal, **change}), f"schema accepts {name}")
        expect(not accepted_by_reader({**minimal, **change}), f"reader accepts {name}")

print(f"{len(examples)} files, {tried} unknown fields, {failures} failures")
sys.exit(failures > 0)
