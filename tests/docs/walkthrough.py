#!/usr/bin/env python3
"""Runs a page of the guide as a reader would, from top to bottom in an empty folder.

    walkthrough.py PROGRAM PAGE.. [--write] [--keep FOLDER]

A yaml block that begins with a comment `# NAME.yaml` is that file; one that begins with `# in NAME.yaml` replaces, or adds,
those of its top-level sections that it has; `# NAME.yaml, with mistakes` and `# NAME.yaml, to be included` are not expected to be accepted. Blocks of other languages that begin with `# NAME` or `// NAME` are files too.
In a console block, lines after `$ ` are commands, and what follows is what they print, errors as well. A line `...` stands
for any lines. The folder is called /home/you. Numbers may differ in their fourth digit; the time a run took, its steps, where it stopped and the residuals of the ledger, works of constraints that are nothing but rounding included, are not
compared, but residuals must be small. --write puts what is printed now in place of what the page shows; --keep runs in
a folder and leaves it there."""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

NUMBER = re.compile(r"[-+]?(?:\d[\d,]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
LEDGER = re.compile(r"^(energy|momentum|angular momentum|attitudes|accelerations|constraints|constraint forces|constraints\.\w+) +-?(\d\.\d+e-\d+)")


def sections(text):
    """The top-level sections of a model, in order: {name: lines}."""
    parts = re.split(r"^(?=[a-z_]+:)", text, flags=re.M)
    return {part.split(":")[0]: part for part in parts if re.match(r"[a-z_]+:", part)}


def replaced(model, fragment):
    merged = sections(model)
    for name, part in sections(fragment).items():
        merged[name] = part if part.endswith("\n") else part + "\n"
    return "".join(merged.values())


def numbers_agree(shown, printed):
    values = [[float(n.replace(",", "")) for n in NUMBER.findall(line)] for line in (shown, printed)]
    if len(values[0]) != len(values[1]):
        return False
    scale = 1e-9 + 1e-6 * max((abs(v) for v in values[0]), default=0)
    return all(abs(a - b) <= max(2e-3 * abs(a), scale) for a, b in zip(*values))


def line_agrees(shown, printed):
    for mark in ("simulated in", " rejected, "):
        if mark in shown:
            return mark in printed
    if match := LEDGER.match(shown):
        other = LEDGER.match(printed)
        return bool(other) and other[1] == match[1] and float(other[2]) < max(1e-6, 100 * float(match[2]))
    if shown.startswith("report: "):
        return printed.startswith(shown.split(",")[0])
    words = [re.sub(r"\s+", " ", NUMBER.sub("#", line)).strip() for line in (shown, printed)]
    return words[0] == words[1] and (" stopped at t = " in shown or numbers_agree(shown, printed))


def output_agrees(shown, printed):
    shown, printed, at = shown.splitlines(), printed.splitlines(), 0
    anywhere = False
    for line in shown:
        if line.strip() == "...":
            anywhere = True
            continue
        while at < len(printed) and anywhere and not line_agrees(line, printed[at]):
            at += 1
        if at == len(printed) or not line_agrees(line, printed[at]):
            return False
        at, anywhere = at + 1, False
    return anywhere or at == len(printed)


def shortened(printed, shown):
    """What is printed; where the page ends with `...`, as many lines as it shows before."""
    lines = shown.splitlines()
    if "..." not in lines:
        return printed
    if lines.index("...") == 0:
        return shown
    return "\n".join(printed.splitlines()[: lines.index("...")] + lines[lines.index("...") :]) + "\n"


class Walk:
    def __init__(self, program, page, folder, write):
        self.program, self.page, self.folder, self.write = program, page, pathlib.Path(folder), write
        self.failures, self.commands, self.files = [], 0, 0

    def fail(self, what):
        self.failures.append(f"{self.page.name}: {what}")

    def file(self, body):
        match = re.match(r"(?:#|//) (in )?([\w.-]+\.\w+)(, with mistakes|, to be included)?\n", body)
        if not match:
            return
        self.files += 1
        path = self.folder / match[2]
        path.write_text(replaced(path.read_text(), body) if match[1] else body)
        if path.suffix == ".yaml" and not match[3]:
            check = subprocess.run([self.program, "check", path.name], cwd=self.folder, capture_output=True, text=True)
            if check.returncode != 0 or check.stderr:
                self.fail(f"{path.name} is not accepted:\n{check.stderr}")

    def console(self, body):
        written = ""
        for part in filter(None, re.split(r"^(?=\$ )", body, flags=re.M)):
            command, _, shown = part.partition("\n")
            command = command.removeprefix("$ ")
            environment = {**os.environ, "LC_ALL": "C.UTF-8", "COLUMNS": "100", "NO_COLOR": "1",
                           "PATH": f"{pathlib.Path(self.program).parent}:{os.environ['PATH']}",
                           "C_INCLUDE_PATH": str(pathlib.Path(self.program).parent.parent / "include/signals")}
            result = subprocess.run(["bash", "-c", command], cwd=self.folder, env=environment, stdout=subprocess.PIPE,
                                    stderr=subprocess.STDOUT, text=True, timeout=120)
            printed = result.stdout.replace(str(self.folder), "/home/you")
            self.commands += 1
            if not shown and result.returncode != 0:
                self.fail(f"$ {command}\nfails:\n{printed}")
            elif shown and not output_agrees(shown, printed):
                self.fail(f"$ {command}\nprints\n{printed}--- and not\n{shown}")
            new = shortened(printed, shown)
            written += f"$ {command}\n" + (new if shown else "")
        return written

    def go(self):
        text = self.page.read_text()

        def act(match):
            language, body = match[1], match[2]
            if language == "console":
                new = self.console(body)
                return f"```console\n{new}```" if self.write else match[0]
            self.file(body)
            return match[0]

        new = re.sub(r"^```(\w*)\n(.*?)^```$", act, text, flags=re.S | re.M)
        if self.write:
            self.page.write_text(new)


def walk(program, page, write=False, keep=None):
    """The failures of a page, and how many files and commands it had."""
    with tempfile.TemporaryDirectory() as folder:
        if keep:
            pathlib.Path(keep).mkdir(parents=True, exist_ok=True)
        examples = pathlib.Path(keep or folder) / "examples"
        if not examples.exists():
            examples.symlink_to(pathlib.Path(__file__).resolve().parent.parent.parent / "examples")
        it = Walk(str(pathlib.Path(program).resolve()), pathlib.Path(page), keep or folder, write)
        it.go()
        return it.failures, it.files, it.commands


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("pages", nargs="+")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--keep")
    given = parser.parse_args()
    bad = 0
    for page in given.pages:
        failures, files, commands = walk(given.program, page, given.write, given.keep)
        for failure in failures:
            print("FAILED:", failure)
        if not files or not commands:
            failures.append("")
            print(f"FAILED: {page}: {files} files and {commands} commands found")
        bad += len(failures)
        print(f"{page}: {files} files, {commands} commands")
    sys.exit(bad > 0)
