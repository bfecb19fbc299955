"""The JSON of a report is what viewer/src/payload.ts says, field by field, and its blocks can be read: by a reader that
takes nothing from the program but the page."""
import base64
import itertools
import json
import math
import os
import re
import struct
import subprocess
import sys
import tempfile
import zlib

import h5py
import numpy as np

program, source = map(os.path.abspath, sys.argv[1:3])


# --- the types of payload.ts -------------------------------------------------------------------------------------------

TOKEN = re.compile(r'\s*([A-Za-z_]\w*|"[^"]*"|\d+|\S)')


class Types:
    def __init__(self, text):
        text = re.sub(r"//[^\n]*", "", text)
        self.tokens = [m.group(1) for m in TOKEN.finditer(text)]
        self.at = 0
        self.named = {}
        while self.at < len(self.tokens):
            self.declaration()

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, wanted=None):
        token = self.tokens[self.at]
        assert wanted in (None, token), f"payload.ts: expected {wanted}, got {token}"
        self.at += 1
        return token

    def declaration(self):
        self.take("export")
        kind, name = self.take(), self.take()
        if kind == "type":
            self.take("=")
            self.named[name] = self.union()
            self.take(";")
            return
        base = None
        if self.peek() == "extends":
            self.take()
            base = self.take()
        self.named[name] = self.fields(base)

    def fields(self, base=None):
        fields = {}
        self.take("{")
        while self.peek() != "}":
            name = self.take()
            if self.peek() == "?":
                name += self.take()
            self.take(":")
            fields[name] = self.union()
            if self.peek() == ";":
                self.take()
        self.take("}")
        return ("object", fields, base)

    def union(self):
        options = [self.single()]
        while self.peek() == "|":
            self.take()
            options.append(self.single())
        return ("union", options)

    def single(self):
        if self.peek() == "{":
            result = self.fields()
        elif self.peek() == "[":
            result = self.tuple()
        else:
            result = ("word", self.take())
        while self.peek() == "[":
            self.take()
            self.take("]")
            result = ("list", result)
        return result

    def tuple(self):
        items = []
        self.take("[")
        while self.peek() != "]":
            if self.tokens[self.at + 1] == ":":
                self.at += 2
            items.append(self.union())
            if self.peek() == ",":
                self.take()
        self.take("]")
        return ("tuple", items)

    # --- does a value have a type? ---

    def wrong(self, value, type_, path):
        """What is wrong, or None."""
        kind = type_[0]
        if kind == "union":
            answers = [self.wrong(value, option, path) for option in type_[1]]
            return None if None in answers else answers[0]
        if kind == "list":
            if not isinstance(value, list):
                return f"{path}: no list"
            return next((w for i, v in enumerate(value) if (w := self.wrong(v, type_[1], f"{path}[{i}]"))), None)
        if kind == "tuple":
            if not isinstance(value, list) or len(value) != len(type_[1]):
                return f"{path}: not {len(type_[1])} values"
            return next((w for i, t in enumerate(type_[1]) if (w := self.wrong(value[i], t, f"{path}[{i}]"))), None)
        if kind == "object":
            if not isinstance(value, dict):
                return f"{path}: no object"
            fields = dict(type_[1])
            if type_[2]:
                fields.update(self.named[type_[2]][1])
            for name in [f[:-1] for f in fields if f.endswith("?")]:  # may be missing
                optional = fields.pop(name + "?")
                if name in value:
                    fields[name] = optional
            if set(fields) != set(value):
                return f"{path}: fields differ: {sorted(set(fields) ^ set(value))}"
            return next((w for f, t in fields.items() if (w := self.wrong(value[f], t, f"{path}.{f}"))), None)
        word = type_[1]
        if word in self.named:
            return self.wrong(value, self.named[word], path)
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        fits = {"number": number, "string": isinstance(value, str), "boolean": isinstance(value, bool),
                "null": value is None}
        if word in fits:
            return None if fits[word] else f"{path}: {value!r} is no {word}"
        return None if value == json.loads(word) else f"{path}: {value!r} is not {word}"


# --- the page ----------------------------------------------------------------------------------------------------------

def read(path):
    text = open(path, encoding="utf-8").read()
    elements = dict(re.findall(r'<script type="[a-z/]+" id="([a-z0-9-]+)">(.*?)</script>', text, re.S))
    return json.loads(elements.pop("payload")), elements


def numbers(block, elements):
    width, letter, integer = {"f64": (8, "d", "Q"), "f32": (4, "f", "I"), "u32": (4, "I", "I")}[block["type"]]
    raw = zlib.decompress(base64.b64decode(elements[f"block-{block['block']}"], validate=True))
    count = block["count"]
    assert len(raw) == width * count, f"block {block['block']} has {len(raw)} bytes for {count} numbers"
    ordered = bytearray(len(raw))
    for k in range(width):
        ordered[k::width] = raw[k * count:(k + 1) * count]
    integers = list(struct.unpack(f"<{count}{integer}", bytes(ordered)))
    order, parts = block["order"], block["parts"]
    if order > 0:
        ones, sign = (1 << 8 * width) - 1, 1 << 8 * width - 1
        integers = [x >> 1 if x % 2 == 0 else ~(x >> 1) for x in integers]
        for _ in range(order):
            integers = list(itertools.accumulate(integers))
        integers = [x & ones for x in integers]
        if letter != integer:
            integers = [x ^ sign if x & sign else x ^ ones for x in integers]
    placed = [0] * count
    at = 0
    for part in range(parts):
        length = len(range(part, count, parts))
        placed[part::parts] = integers[at:at + length]
        at += length
    return struct.unpack(f"<{count}{letter}", struct.pack(f"<{count}{integer}", *placed))


def blocks_in(value):
    if isinstance(value, dict):
        if set(value) == {"block", "count", "type", "order", "parts"}:
            yield value
        for v in value.values():
            yield from blocks_in(v)
    elif isinstance(value, list):
        for v in value:
            yield from blocks_in(v)


def check_flexible(scene, model, elements):
    """Every body is to be seen, but for nodes; those that bend have nodes, lines and coordinates."""
    frames = scene["time"]["count"]
    nodes, flexible = model.get("nodes", []), scene.get("flexible", [])
    tubes = [f["body"] for f in flexible if f["tube"] > 0]
    for k, body in enumerate(scene["bodies"]):
        assert bool(body["shapes"]) == (k not in nodes and k not in tubes), body["name"]
    for f in flexible:
        modes, count = f["modes"], f["nodes"]["count"] // 3
        assert f["terms"] in (modes, modes + modes * (modes + 1) // 2)
        assert f["modal"]["count"] == modes * frames
        assert f["translation"]["count"] == f["rotation"]["count"] == 3 * count * f["terms"]
        assert f["lines"]["count"] >= 2 * (count - 1) and max(numbers(f["lines"], elements)) == count - 1
        for node in f["attached"]:
            assert node["body"] in nodes and model["joints"][node["body"]]["parent"] == f["body"]
            assert 0 <= node["node"] < count
    assert len(nodes) == sum(len(f["attached"]) for f in flexible)


def check_run(run, elements):
    """What the types cannot say: counts that belong together, numbers that point at something."""
    records = run["time"]["count"]
    columns, scene, model = run["columns"], run["scene"], run["model"]
    assert all(c["values"]["count"] == records and c["values"]["type"] == "f64" for c in columns)
    for plot in run["plots"]:
        assert len({columns[c]["unit"] for c in plot["columns"]}) == 1, plot["title"]
    for key in ("name", "what"):
        assert all(i < len(run["events"]["texts"]) for i in numbers(run["events"][key], elements))
    for i, joint in enumerate(model["joints"]):
        assert -1 <= joint["parent"] < i
    assert scene is not None, run["warnings"]
    frames = scene["time"]["count"]
    assert scene["centre"]["count"] == 3 * frames and scene["radius"] > 0
    assert [b["name"] for b in scene["bodies"]] == [b["name"] for b in model["bodies"]]
    for body in scene["bodies"]:
        pose = numbers(body["pose"], elements)
        assert len(pose) == 7 * frames
        for k in range(0, len(pose), 7 * max(1, frames // 50)):
            assert abs(sum(x * x for x in pose[k + 3:k + 7]) - 1) < 1e-5
        for shape in body["shapes"]:
            assert (shape["kind"] == "mesh") == (shape["mesh"] is not None)
    check_flexible(scene, model, elements)
    for load in scene["loads"]:
        assert all(-1 <= c < len(columns) for c in load["columns"])
        assert 0 <= load["body"] < len(scene["bodies"])
    for wheel in scene["wheels"]:
        assert -1 <= wheel["angle"] < len(columns) and wheel["radius"] > 0
    cut = [c["name"] for c in model["constraints"] if c["cut"]]
    assert [j["name"] for j in scene["joints"]] == [j["name"] for j in model["joints"]] + cut
    for constraint in scene["constraints"]:
        assert constraint["name"] in [c["name"] for c in model["constraints"]]
        assert (constraint["kind"] == "point") == (len(constraint["directions"]) > 0)
    if scene["orbit"]:
        assert scene["orbit"]["nadir"]["count"] == scene["orbit"]["along"]["count"] == 3 * frames


def check_analysis(analysis, elements, alone):
    """The same for a linear model."""
    scene, model = analysis["scene"], analysis["model"]
    assert scene is not None and scene["time"]["count"] == 1, analysis["warnings"]
    assert [b["name"] for b in scene["bodies"]] == [b["name"] for b in model["bodies"]]
    check_flexible(scene, model, elements)
    numbers_of_mode = 2 * (6 * len(scene["bodies"]) + sum(f["modes"] for f in scene.get("flexible", [])) +
                           len(scene["wheels"]))
    neutral = [m["neutral"] for m in analysis["modes"]]
    assert neutral == sorted(neutral, reverse=True), "neutral modes come first"
    assert bool(analysis["zeros"]) >= any(neutral)
    for mode in analysis["modes"]:
        assert not mode["rigid"] or mode["neutral"]
        assert (mode["frequency"] is None) == (mode["damping"] is None) == (mode["eigenvalue"][1] == 0)
        assert mode["eigenvalue"][1] >= 0 and mode["what"]
        assert (mode["motion"] is None) == (mode["body"] < 0)
        if mode["motion"]:
            assert mode["motion"]["count"] == numbers_of_mode and mode["body"] < len(scene["bodies"])
            motion = numbers(mode["motion"], elements)
            assert all(abs(x) < 1e6 for x in motion) and any(motion)
    for response in analysis["responses"]:
        frequency = numbers(response["frequency"], elements)
        assert all(a < b for a, b in zip(frequency, frequency[1:])) and frequency[0] > 0
        assert response["gain"]["count"] == response["phase"]["count"] == len(frequency)
        phase = numbers(response["phase"], elements)
        assert all(abs(a - b) <= 180.001 for a, b in zip(phase, phase[1:]))
        if response["margins"]:
            for kind in ("gain", "phase"):
                assert all(c["frequency"] in frequency for c in response["margins"][kind])
    if analysis["locus"]:
        count = analysis["locus"]["values"]["count"]
        assert all(b["count"] == 2 * count for b in analysis["locus"]["branches"])
        assert len(analysis["locus"]["branches"]) >= len([n for n in neutral if not n])
    assert alone or not analysis["locus"]


with tempfile.TemporaryDirectory() as folder, open(f"{source}/viewer/src/payload.ts", encoding="utf-8") as contract:
    types = Types(contract.read())
    template = f"{folder}/page.html"
    with open(template, "w", encoding="utf-8") as f:
        f.write("<!doctype html>\n<title>Gyrostat</title>\n<!-- gyrostat:data -->\n")
    with open(f"{folder}/mesh.obj", "w", encoding="utf-8") as f:
        f.write("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    with open(f"{folder}/own.yaml", "w", encoding="utf-8") as f:
        f.write("""gyrostat: 1
bodies:
  bus: {mass: 10, inertia: [1, 2, 2], points: {jet: [0, 0, 1]}, shape: [{mesh: mesh.obj}],
    wheels: {rw: {axis: [0, 0, 1], inertia: 0.1, rate: 3}}}
  tip: {mass: 1, point_mass: true}
joints: {arm: {type: universal, parent: bus, child: tip, child_point: [0, 2, 0], axes: [[1, 0, 0], [0, 0, 1]],
  stiffness: 1}}
loads:
  - {thruster: {body: bus, point: jet, direction: [1, 0, 0], thrust: 1}}
  - {spring: {from: [world, [9, 0, 0]], to: [tip, com], stiffness: 1, length: 1}}
environment: {orbit: {semi_major_axis: 7000 km}, sun: {direction: [1, 0, 0]}}
simulation: {duration: 5}
output: {interval: 0.1}
""")
    with open(f"{folder}/held.yaml", "w", encoding="utf-8") as f:
        f.write("""gyrostat: 1
bodies:
  bus: {mass: 10, inertia: [1, 2, 2]}
  cart: {mass: 1, inertia: [1, 1, 1]}
joints: {track: {type: free, parent: bus, child: cart, initial: {position: [0, 2, 0], velocity: [1, 0, 0]}}}
constraints:
  plane: {point: [cart, com], of: bus, directions: [[0, 0, 1]]}
  rod: {distance: {from: [bus, com], to: [cart, com]}, equals: 2}
simulation: {duration: 5}
""")
    with open(f"{folder}/bent.yaml", "w", encoding="utf-8") as f:
        f.write("""gyrostat: 1
bodies:
  bus: {mass: 100, inertia: [20, 20, 20]}
  boom: {flexible: {beam: {to: [0, 3, 0], elements: 4, mass_per_length: 1, EI: 500}, modes: {count: 2}}}
  panel: {shape: [{box: [1, 3, 0.05], at: [0, -1.5, 0]}],
    flexible: {beam: {to: [0, -3, 0], elements: 4, mass_per_length: 1, EI: 500}, modes: {count: 3}, terms: linear}}
  tip: {mass: 1, inertia: [0.1, 0.1, 0.1]}
joints:
  left: {type: weld, parent: bus, child: boom.root}
  right: {type: weld, parent: bus, child: panel.root}
  hinge: {type: revolute, parent: boom.tip, child: tip, axis: [1, 0, 0], stiffness: 1}
loads: [{body: bus, torque: [1, 0, 0]}]
simulation: {duration: 5}
""")
    runs = []
    for model in (f"{source}/examples/five_body/five_body.yaml", f"{source}/examples/ten_body/ten_body.yaml",
                  f"{source}/examples/dual_spin/dual_spin.yaml", f"{source}/examples/four_bar/four_bar.yaml",
                  f"{folder}/held.yaml", f"{folder}/own.yaml", f"{folder}/bent.yaml"):
        runs.append(f"{folder}/{os.path.basename(model)[:-5]}.h5")
        subprocess.run([program, "run", "--quiet", model, "--until", "5", "-o", runs[-1]], check=True, cwd=folder,
                       stderr=subprocess.DEVNULL)
    for files in [[r] for r in runs] + [runs[:2]]:
        page = f"{folder}/page_of_runs.html"
        subprocess.run([program, "report", *files, "-o", page, "--template", template], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        payload, elements = read(page)
        problem = types.wrong(payload, types.named["Payload"], "payload")
        assert problem is None, problem
        used = sorted(b["block"] for b in blocks_in(payload))
        assert sorted(set(used)) == list(range(len(elements))), "blocks without a use"
        for block in blocks_in(payload):
            numbers(block, elements)
        for run in payload["runs"]:
            check_run(run, elements)
            is_bent = run["label"].startswith("bent")
            assert ("flexible" in run["scene"]) == ("nodes" in run["model"]) == is_bent

    def check_page(page, alone):
        payload, elements = read(page)
        problem = types.wrong(payload, types.named["Payload"], "payload")
        assert problem is None, problem
        used = {b["block"] for b in blocks_in(payload)}
        assert used == set(range(len(elements))), "blocks without a use"
        for block in blocks_in(payload):
            numbers(block, elements)
        assert bool(payload["runs"]) != alone
        check_analysis(payload["analysis"], elements, alone)

    jets = ["--gain", "jet1=100,jet2=100,jet3=100"]
    five_body = f"{source}/examples/five_body/five_body.yaml"
    page = f"{folder}/page_of_analysis.html"
    for command in (["modes", five_body, *jets], ["modes", f"{folder}/bent.yaml"], ["modes", f"{folder}/own.yaml"],
                    ["modes", f"{source}/examples/four_bar/four_bar.yaml"],
                    ["modes", f"{source}/examples/dual_spin/dual_spin.yaml"],
                    ["margins", five_body, *jets, "--open", "theta1,theta2"],
                    ["bode", f"{folder}/bent.yaml", "--from", "bus.torque_x", "--to", "hinge.angle"],
                    ["rootlocus", five_body, *jets, "--vary", "rate_gain=0:4:9"]):
        subprocess.run([program, *command, "--report", page, "--template", template], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        check_page(page, alone=True)
    linear = f"{folder}/linear.h5"
    subprocess.run([program, "linearize", five_body, *jets, "--open", "theta1", "--inputs", "bus.torque_x", "--outputs",
                    "pan.angle,tilt.angle", "-o", linear], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    subprocess.run([program, "report", runs[0], "--analysis", linear, "-o", page, "--template", template], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    check_page(page, alone=False)

    # --- a campaign: numbers by flight as h5py reads them from the results, and bands as numpy finds them ---
    with open(f"{folder}/cart.yaml", "w", encoding="utf-8") as f:
        f.write("""gyrostat: 1
parameters: {c: 1, k: 2}
bodies: {cart: {mass: 1, inertia: [1, 1, 1]}}
joints: {rail: {type: prismatic, parent: world, child: cart, axis: [1, 0, 0], initial: {speed: 1}, stiffness: k}}
signals: {root: "sqrt(1.9 - c*t)"}
simulation: {duration: 1, integrator: {method: rk4, step: 0.05}}
""")
    with open(f"{folder}/carts.yaml", "w", encoding="utf-8") as f:
        f.write("""gyrostat_campaign: 1
model: cart.yaml
vary: {c: {uniform: {low: 1, high: 2}}, k: {uniform: {low: 0, high: 5}}}
samples: {count: 40, seed: 4}
measure:
  x: {max: rail.displacement}
  late: {first_time: "rail.displacement > 0.8"}
require: {x: {below: 0.9, in: 60 %}, late: {above: 0.5}}
record: {interval: 0.125, of: 13, worst: {measure: x, count: 4}}
""")
    results = f"{folder}/my carts.h5"
    page = f"{folder}/page_of_campaign.html"
    answer = subprocess.run([program, "campaign", f"{folder}/carts.yaml", "-o", results, "--json"], check=True,
                            stdout=subprocess.PIPE).stdout
    answer = json.loads(answer)
    subprocess.run([program, "report", results, "-o", page, "--template", template], check=True,
                   stdout=subprocess.DEVNULL)
    payload, elements = read(page)
    problem = types.wrong(payload, types.named["Payload"], "payload")
    assert problem is None, problem
    used = {b["block"] for b in blocks_in(payload)}
    assert used == set(range(len(elements))), "blocks without a use"
    campaign = payload["campaign"]
    of_block = lambda block: np.array(numbers(block, elements))
    same = lambda a, b: np.array_equal(np.array(a), np.array(b), equal_nan=True)
    with h5py.File(results) as stored:
        assert same(of_block(campaign["number"]), stored["flight"][:])
        assert same(of_block(campaign["end_time"]), stored["end_time"][:])
        assert [c["name"] for c in campaign["columns"]] == ["c", "k", "x", "late"] and campaign["inputs"] == 2
        for column in campaign["columns"]:
            group = "inputs" if column["name"] in ("c", "k") else "measures"
            assert same(of_block(column["values"]), stored[f"{group}/{column['name']}"][:]), column["name"]
        failed = of_block(campaign["reason"]) > 0
        assert same(failed, stored["outcome"][:] == 1) and 0 < failed.sum() == campaign["failed"] == answer["failed"]
        assert sum(f["count"] for f in campaign["failures"]) == campaign["failed"]
        histories = campaign["histories"]
        h = stored["histories"]
        assert histories["recorded"] == len(h["flight"]) and histories["sampled"] == 13
        assert same(of_block(histories["flights"]), h["flight"][:]) and same(of_block(histories["time"]), h["time"][:])
        assert [c["name"] for c in histories["columns"]] == [n.decode() for n in h["columns"][:]]
        times = len(h["time"])
        for column in histories["columns"]:
            values = h[column["name"]][:]
            assert h[column["name"]].compression == "gzip" and h[column["name"]].attrs["unit"].decode() == column["unit"]
            assert same(of_block(column["lines"]).reshape(-1, times), values.astype(np.float32)), column["name"]
            bands = of_block(column["bands"]).reshape(len(histories["fractions"]), times)
            there = ~np.isnan(values[:13]).all(axis=0)
            expected = np.nanquantile(values[:13][:, there], histories["fractions"], axis=0)
            assert np.allclose(bands[:, there], expected, rtol=1e-12, atol=1e-15), column["name"]
            assert np.isnan(bands[:, ~there]).all()
    real = lambda x: math.nan if x is None else float(x)
    for measure, name in zip(campaign["measures"], ("x", "late")):
        expected = answer["measures"][name]
        (statistics,) = measure["statistics"]
        for field in ("mean", "std", "min", "max"):
            assert same(real(statistics[field]), real(expected[field])), field
        assert measure["worst"] == expected["worst"]
        for k, column in enumerate(("c", "k")):
            assert statistics["correlations"][k]["value"] == expected["rank_correlations"][column]["value"]
    assert "inf" in [p["value"] for p in campaign["measures"][1]["statistics"][0]["percentiles"]], "an event that never comes"
    for found, expected in zip(campaign["requirements"], answer["requirements"]):
        assert all(found[f] == expected[f] for f in ("in", "confidence", "verdict"))
        (result,) = found["results"]
        assert all(result[f] == expected[f] for f in ("fulfilled", "flights", "missing", "low", "high", "verdict"))
    assert campaign["replay"] == f"gyrostat campaign '{results}' --report --replay"
    refused = subprocess.run([program, "report", results, runs[0], "-o", page, "--template", template],
                             stderr=subprocess.PIPE)
    assert refused.returncode == 2 and b"has a report of its own" in refused.stderr, refused
print("reports are what payload.ts says")
