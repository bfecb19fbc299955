#!/usr/bin/env python3
"""Completion and the manual page know every command and option that --help lists; bash completion is driven as bash does
it, the other scripts are read by their shells where those are installed, and the page by groff and mandoc."""
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from checks import expect, failures  # noqa: E402

program = str(pathlib.Path(sys.argv[1]).resolve())

def output(*command, **options):
    result = subprocess.run(command, capture_output=True, text=True, **options)
    expect(result.returncode == 0 and not result.stderr, f"{' '.join(command)}: {result.returncode} {result.stderr}")
    return result.stdout


# --- what --help says ------------------------------------------------------------------------------------------------
def options_in(text):
    """Of an option's line, its names: [['-o', '--output'], ..]."""
    found = []
    for line in text.split("Options:\n")[1].split("\n\n")[0].splitlines():
        if match := re.match(r"  ((?:-\w|--[\w-]+)(?:,--[\w-]+)*)", line):
            found.append(match[1].split(","))
    return found


top = output(program, "--help")
commands = re.findall(r"^  (\w+) ", top.split("Subcommands:\n")[1].split("\n\n")[0], re.M)
options = {command: options_in(output(program, command, "--help")) for command in commands}
options[""] = options_in(top)
expect(len(commands) >= 12 and sum(map(len, options.values())) >= 40, "commands and options found in --help")
expect(["-o", "--output"] in options["run"] and ["--version"] in options[""], "names of options found in --help")
run_help = output(program, "run", "--help")
formulations = re.search(r"--formulation NAME +equations of motion to use: (.*)", run_help)[1].split(", ")
integrators = re.search(r"--integrator NAME +(.*)", run_help)[1].split(", ")
expect("kane" in formulations and "rk4" in integrators, "formulations and integrators found in --help")

scripts = {shell: output(program, "completion", shell) for shell in ("bash", "zsh", "fish")}
page = output(program, "man")

# --- bash, driven ----------------------------------------------------------------------------------------------------
folder = tempfile.TemporaryDirectory()
here = pathlib.Path(folder.name)
for name in ("a.yaml", "b.yml", "my model.yaml", "r.h5", "s.h5", "t.csv", "p.html", "q.json", "notes.txt"):
    (here / name).write_text("")
(here / "models").mkdir()
(here / "gyrostat.bash").write_text(scripts["bash"])


def complete(line):
    """What bash offers at the end of a line, split into words as bash splits it."""
    words = []
    for word in line.split(" "):
        words += [w for w in re.split(r"(=)", word) if w] or [""]
    quoted = " ".join("'" + w + "'" for w in words)
    text = f"source ./gyrostat.bash; COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; _gyrostat; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    return set(output("bash", "--norc", "-c", text, cwd=here).splitlines()) - {""}


def offers(line, expected):
    got = complete(line)
    expect(got == set(expected), f"bash: '{line}' offers {sorted(got)}, not {sorted(expected)}")


models, results = {"a.yaml", "b.yml", "my model.yaml", "models"}, {"r.h5", "s.h5", "models"}
offers("gyrostat ", commands)
offers("gyrostat re", {"resume", "report"})
offers("gyrostat -", sum(options[""], []))
for command in commands:
    offers(f"gyrostat {command} -", sum(options[command], []))
for command in ("check", "info", "accel", "run"):
    offers(f"gyrostat {command} ", models)
    offers(f"gyrostat {command} --json ", models)
    offers(f"gyrostat {command} a.yaml ", set())
for command in ("resume", "show", "report", "plot", "compare"):
    offers(f"gyrostat {command} ", results)
offers("gyrostat check m", {"my model.yaml", "models"})
offers("gyrostat report r.h5 ", results)
offers("gyrostat compare r.h5 ", results)
offers("gyrostat compare r.h5 s.h5 ", set())
offers("gyrostat show r.h5 ", set())
offers("gyrostat run a.yaml --formulation ", formulations)
offers("gyrostat run --formulation ka", {"kane"})
offers("gyrostat run --formulation=ka", {"kane"})
offers("gyrostat run --formulation=", formulations)
offers("gyrostat run --formulation kane ", models)
offers("gyrostat accel --formulation ", formulations + ["all"])
offers("gyrostat run a.yaml --integrator ", integrators)
offers("gyrostat run a.yaml -o ", results)
offers("gyrostat run a.yaml --csv ", {"t.csv", "models"})
offers("gyrostat report r.h5 --output ", {"p.html", "models"})
offers("gyrostat accel a.yaml --state ", {"q.json", "models"})
offers("gyrostat run --set K=3 ", models)
offers("gyrostat run --set K=", set())
offers("gyrostat run --set K=a", set())
offers("gyrostat run --until 3 --quiet ", models)
offers("gyrostat show --at 1 2 3 -", sum(options["show"], []))
offers("gyrostat show --at 1 2 3 ", set())
offers("gyrostat completion ", {"bash", "zsh", "fish"})
offers("gyrostat frobnicate ", set())

# --- zsh and fish ----------------------------------------------------------------------------------------------------
for shell in ("bash", "zsh", "fish"):
    (here / f"script.{shell}").write_text(scripts[shell])
    if shutil.which(shell):
        output(shell, "-n", f"script.{shell}", cwd=here)
    else:
        print(f"{shell} is not installed: its script is not read by it")
expect(scripts["zsh"].startswith("#compdef gyrostat\n"), "zsh: no #compdef")
zsh_cases = dict(re.findall(r"^        (\w+)\)\n(.*?)^          ;;$", scripts["zsh"], re.S | re.M))
zsh_cases[""] = scripts["zsh"].split("'1: :->command'")[0]
for command in commands:
    expect(f"        '{command}:" in scripts["zsh"] and command in zsh_cases, f"zsh: no command {command}")
    expect(re.search(rf"-n __fish_use_subcommand -a {command} -d '", scripts["fish"]), f"fish: no command {command}")
for command, names in options.items():
    condition = f"'__fish_seen_subcommand_from {command}'" if command else "__fish_use_subcommand"
    fish = "\n".join(l for l in scripts["fish"].splitlines() if f"-n {condition} " in l) + "\n"
    for name in sum(names, []):
        expect(re.search(rf"'[^'\[]*{name}[=+]?\[", zsh_cases.get(command, "")), f"zsh: no {name} of '{command}'")
        flag = f" -l {name[2:]} " if name.startswith("--") else f" -s {name[1:]} "
        expect(flag in fish, f"fish: no {name} of '{command}'")
for shell in ("zsh", "fish"):
    for words in (" ".join(formulations), " ".join(formulations + ["all"]), " ".join(integrators)):
        expect(words in scripts[shell], f"{shell}: no '{words}'")
expect('_files -g "*.yaml *.yml"' in zsh_cases["check"] and '_files -g "*.h5"' in zsh_cases["show"], "zsh: no files")
expect(re.search(r"from check' -a '\(__gyrostat_files yaml yml\)'", scripts["fish"]), "fish: no model files")
if shutil.which("fish"):
    def fish(line):
        text = output("fish", "--no-config", "-c", f"source script.fish; complete -C '{line}'", cwd=here)
        return [l.split("\t")[0] for l in text.splitlines()]
    expect(set(fish("gyrostat ")) == set(commands), f"fish offers {fish('gyrostat ')} for a command")
    expect(fish("gyrostat run --formulation ka") == ["kane"], "fish does not complete formulations")
    expect(set(fish("gyrostat check ")) == {"a.yaml", "b.yml", "my model.yaml", "models/"}, f"fish offers {fish('gyrostat check ')} for a model")

if shutil.which("zsh"):
    def zsh(line, wanted):
        """Types a line and a tab in a terminal with zsh; until the pattern is on it."""
        child, terminal = pty.fork()
        if child == 0:
            os.chdir(here)
            os.environ.update(TERM="dumb", ZDOTDIR=str(here), HISTFILE="", LC_ALL="C.UTF-8")
            os.execvp("zsh", ["zsh", "-f", "-i"])
        seen, deadline = "", time.monotonic() + 30
        try:
            os.write(terminal, b"autoload -U compinit; compinit -u -D; source ./script.zsh; PS1=rea''dy\n")
            while not re.search(wanted, seen.partition("ready")[2]) and time.monotonic() < deadline:
                if select.select([terminal], [], [], 0.2)[0]:
                    before, seen = seen, seen + os.read(terminal, 65536).decode(errors="replace")
                    if "ready" in seen and "ready" not in before:
                        os.write(terminal, line.encode() + b"\t")
        finally:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            os.close(terminal)
        expect(time.monotonic() < deadline, f"zsh: '{line}' does not lead to {wanted}, but to {seen.partition('ready')[2]!r}")

    zsh("gyrostat run --formulation ka", r"--formulation kane ")
    zsh("gyrostat run --integrator=dop", r"--integrator=dopri5 ")
    zsh("gyrostat resu", r"gyrostat resume ")
    zsh("gyrostat check ", r"a\.yaml +b\.yml +models/ +my\\? model\.yaml")
    zsh("gyrostat show ", r"models/ +r\.h5 +s\.h5")

# --- the manual page -------------------------------------------------------------------------------------------------
(here / "gyrostat.1").write_text(page)
plain = page.replace("\\-", "-")
sections = {s.split()[1]: s for s in re.split(r"^\.SS ", plain.split(".SH COMMANDS")[1], flags=re.M)[1:]}
sections[""] = plain.split(".SH OPTIONS")[1].split(".SH ")[0]
for command, names in options.items():
    expect(command in sections, f"man: no command {command}")
    for name in sum(names, []):
        expect(f"\\fB{name}\\fR" in sections.get(command, ""), f"man: no {name} of '{command}'")
for section in ("NAME", "SYNOPSIS", "DESCRIPTION", "EXIT STATUS", "ENVIRONMENT", "EXAMPLES"):
    expect(f"\n.SH {section}\n" in page, f"man: no section {section}")
if shutil.which("groff"):
    shown = output("groff", "-man", "-Tutf8", "-ww", "-P-cbou", "gyrostat.1", cwd=here)  # warnings go to stderr: none
    expect("gyrostat run [OPTIONS] FILE" in shown, "man: the synopsis of run is not shown")
if shutil.which("mandoc"):
    lint = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", "gyrostat.1"], cwd=here, capture_output=True, text=True)
    bad = [l for l in lint.stdout.splitlines() if "missing date" not in l]  # a page of a build has none
    expect(not bad, "mandoc: " + "\n".join(bad))

print(f"{len(commands)} commands, {sum(map(len, options.values()))} options, {len(failures)} failures")
sys.exit(len(failures) > 0)
