#!/usr/bin/env python3
"""Runs what the documents show: every complete model in README.md and docs/ is accepted, README's mistakes are reported
as printed there, the guide's plots are drawn, and every relative link leads somewhere."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from checks import expect, failures  # noqa: E402

program, source = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve()

def gyrostat(command, text, name="hub.yaml"):
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / name).write_text(text)
        return subprocess.run([program, command, name], cwd=folder, capture_output=True, text=True)


def blocks(text, language):
    return [body for name, body in re.findall(r"^```(\w*)\n(.*?)^```$", text, re.S | re.M) if name == language]


pages = [p for p in source.rglob("*.md") if not {"build", "node_modules"} & set(p.relative_to(source).parts)]
models = []
for page in pages:
    text = page.read_text()
    for block in blocks(text, "yaml"):
        if block.startswith("gyrostat: 1"):
            models.append(block)
            result = gyrostat("check", block)
            expect(result.returncode == 0 and not result.stderr, f"{page}: a model is not accepted:\n{result.stderr}")
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.S | re.M)
    for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", prose):
        expect((page.parent / link).exists(), f"{page}: broken link {link}")
expect(len(models) >= 4, "models found in the documents")

readme = (source / "README.md").read_text()
hub = next(m for m in models if "A bus with a hub" in m)
shown = blocks(readme, "")
tree = next(b for b in shown if b.startswith("world\n"))
expect(tree in gyrostat("info", hub).stdout, "README's tree is not what `gyrostat info` draws")
wrong = hub.replace("axis: [0, 0, 1]", "axis: [0, 0]").replace('"-K_platform', '"-K_platfrom').replace("mass: 410", "mass: 410 m")
report = next(b for b in shown if b.startswith("hub.yaml:"))
expect(gyrostat("check", wrong).stderr == report, f"README's errors are not those of `gyrostat check`:\n{gyrostat('check', wrong).stderr}")

state = next(b for b in blocks(readme, "json") if "pan" in b)
with tempfile.TemporaryDirectory() as folder:
    (pathlib.Path(folder) / "hub.yaml").write_text(hub)
    (pathlib.Path(folder) / "state.json").write_text(state)
    accel = subprocess.run([program, "accel", "hub.yaml", "--state", "state.json"], cwd=folder, capture_output=True, text=True)
expect(accel.stdout in shown, f"README's accelerations are not those of `gyrostat accel`:\n{accel.stdout}{accel.stderr}")
page = (source / "docs/guide/accelerations.md").read_text()
for name in re.findall(r"^\| `(\w+)` \|", page, re.M):
    result = subprocess.run([program, "accel", str(source / "examples/five_body/five_body.yaml"), "--formulation", name],
                            capture_output=True, text=True)
    expect(result.returncode == 0, f"the guide's formulation {name} does not take the five-body spacecraft")

# The run that README shows: its numbers, except the time it took and residuals, which rounding decides.
shown_run = next(b for b in shown if "x real time" in b)
with tempfile.TemporaryDirectory() as folder:
    result = subprocess.run([program, "run", str(source / "examples/five_body/five_body.yaml")], cwd=folder,
                            capture_output=True, text=True)
    expect(result.returncode == 0 and "WARNING" not in result.stderr, f"README's run fails:\n{result.stderr}")
    for line in shown_run.splitlines()[1:2] + shown_run.splitlines()[3:6]:
        expect(line in result.stdout, f"README's run does not print: {line}")
    for name in ("energy", "momentum", "angular momentum", "attitudes", "accelerations"):
        lines = [l for l in result.stdout.splitlines() if re.match(name + r"\s", l)]
        expect(lines and float(re.findall(r"\d\.\d+e[-+]\d+", lines[0])[0]) < 1e-8, f"the ledger's {name} is off: {lines}")

# The plots that the guide shows.
guide = (source / "docs/guide/simulation.md").read_text()
section = guide.split("## A plot in the terminal, or for a paper\n")[1].split("\n## ")[0]
commands = [b for b in blocks(section, "") if b.startswith("gyrostat plot ")]
with tempfile.TemporaryDirectory() as folder:
    subprocess.run([program, "run", str(source / "examples/five_body/five_body.yaml"), "--quiet"], cwd=folder, capture_output=True)
    for command in commands:
        result = subprocess.run([program] + command.split()[1:], cwd=folder, capture_output=True, text=True,
                                env={**os.environ, "LC_ALL": "C.UTF-8"})
        expect(result.returncode == 0 and not result.stderr, f"the guide's command fails: {command}{result.stderr}")
        if " -o " in command:
            expect((pathlib.Path(folder) / command.split()[-1]).stat().st_size > 1000, f"no picture: {command}")
        else:
            expect(f"```\n{result.stdout}```\n" in section, f"the guide's plot is not what is drawn:\n{result.stdout}")
expect(len(commands) == 2, "plots found in the guide")

print(f"{len(pages)} pages, {len(models)} models, {len(failures)} failures")
sys.exit(len(failures) > 0)
