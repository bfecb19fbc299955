#!/usr/bin/env python3
"""Runs every example and compares it with the results stored beside it, examples/NAME/expected/MODEL.csv: all recorded
quantities at the quarters of the run. With --write, stores them anew (after a change that is meant to change them)."""
import csv
import pathlib
import subprocess
import sys
import tempfile

program, source = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve()
write = "--write" in sys.argv
# Of the largest value of a quantity, or of 1e-3 where that is more: what should be zero is so to rounding. The runs are accurate to 1e-8 or better; a hundred switchings, or a body that turns
# over about its intermediate axis, let rounding grow by some thousands.
tolerance = 1e-5
failures = runs = 0


def fail(what):
    global failures
    failures += 1
    print("FAILED:", what)


def vector(name):
    return name[:-2] if name[-2:] in ("_w", "_x", "_y", "_z") else name


def read(text):
    rows = list(csv.reader(text.splitlines()))
    return rows[0], [[float(x) for x in row] for row in rows[1:]]


for model in sorted((source / "examples").glob("*/*.yaml")):
    if model.parent.name == "campaign":
        continue  # campaign files, no models
    if "plugin:" in model.read_text():
        continue  # needs its library, and has tests of its own
    expected = model.parent / "expected" / (model.stem + ".csv")
    with tempfile.TemporaryDirectory() as folder:
        results = pathlib.Path(folder) / "run.h5"
        run = subprocess.run([program, "run", str(model), "-o", str(results), "--quiet"], capture_output=True, text=True)
        imbalance = "# The ledger does not balance" in model.read_text()  # and is to say so
        if run.returncode != 0 or ("LEDGER" in run.stderr) != imbalance:
            fail(f"{model} does not run well:\n{run.stderr}")
            continue
        times = subprocess.run([program, "show", str(results), "ledger/energy", "--csv"], capture_output=True, text=True, check=True)
        end = read(times.stdout)[1][-1][0]
        instants = [repr(end * k / 4) for k in range(5)]
        shown = subprocess.run([program, "show", str(results), "*", "--csv", "--at", *instants], capture_output=True, text=True, check=True)
    names, rows = read(shown.stdout)
    # not what is left over by rounding, nor where a free body drifts to because of it
    keep = [k for k, name in enumerate(names) if not name.startswith(("ledger/", "motion/"))]
    if write:
        expected.parent.mkdir(exist_ok=True)
        with expected.open("w", newline="") as file:
            out = csv.writer(file, lineterminator="\n")
            out.writerow([names[k] for k in keep])
            out.writerows([[f"{row[k]:.10g}" for k in keep] for row in rows])
        continue
    if not expected.exists():
        fail(f"{model} has no stored results: run {sys.argv[0]} with --write")
        continue
    stored_names, stored = read(expected.read_text())
    if stored_names != [names[k] for k in keep]:
        fail(f"{model} records other quantities than {expected}")
        continue
    runs += 1
    magnitudes = {}  # of a vector's components together
    for column, name in enumerate(stored_names):
        magnitudes[vector(name)] = max([magnitudes.get(vector(name), 1e-3)] + [abs(row[column]) for row in stored])
    for column, k in enumerate(keep):
        magnitude = magnitudes[vector(names[k])]
        for row, before in zip(rows, stored):
            if not abs(row[k] - before[column]) <= tolerance * magnitude:
                fail(f"{model}: {names[k]} at t = {row[0]} is {row[k]}, was {before[column]}")

print(f"{runs} examples, {failures} failures")
sys.exit(failures > 0)
