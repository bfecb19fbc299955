#!/usr/bin/env python3
"""The Debian packages: what is in them, where it is, that the program flies the examples, and that Python imports the module."""
import gzip
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "support"))
from checks import expect, failures  # noqa: E402

build = pathlib.Path(sys.argv[1]).resolve()

def run(*command, **options):
    result = subprocess.run(command, capture_output=True, text=True, **options)
    expect(result.returncode == 0, f"{' '.join(map(str, command))}:\n{result.stdout}{result.stderr}")
    return result.stdout


with tempfile.TemporaryDirectory() as folder:
    run("cpack", "-G", "DEB", "-B", folder, cwd=build)
    (deb,) = pathlib.Path(folder).glob("gyrostat_*.deb")
    root = pathlib.Path(folder) / "root"
    run("dpkg-deb", "-x", deb, root)
    share, program = root / "usr/share", root / "usr/bin/gyrostat"

    fields = dict(line.split(": ", 1) for line in run("dpkg-deb", "--field", deb).splitlines() if ": " in line and line[0] != " ")
    expect(fields["Package"] == "gyrostat" and deb.name.endswith(f"_{fields['Architecture']}.deb"), f"names: {fields} {deb.name}")
    expect(run(program, "--version") == f"gyrostat {fields['Version']}\n", "the version of the program is not that of the package")
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", run("readelf", "-d", program))
    expect(needed, "the libraries that the program needs")
    for library, package in (("libyaml-cpp", "libyaml-cpp"), ("libhdf5", "libhdf5"), ("libsundials_cvode", "libsundials-cvode"), ("libfmt", "libfmt")):
        expect(not any(n.startswith(library) for n in needed) or package in fields["Depends"], f"{package} is needed, and no dependency")

    expect((share / "man/man1/gyrostat.1.gz").exists(), "no manual page")
    expect(gzip.decompress((share / "man/man1/gyrostat.1.gz").read_bytes()).decode() == run(program, "man"), "another manual page")
    for shell, place in (("bash", "bash-completion/completions/gyrostat"), ("zsh", "zsh/vendor-completions/_gyrostat"),
                         ("fish", "fish/vendor_completions.d/gyrostat.fish")):
        expect((share / place).exists() and (share / place).read_text() == run(program, "completion", shell), f"no completion for {shell}")
    doc = share / "doc/gyrostat"
    for name in ("copyright", "changelog.gz", "README.md", "docs/guide/first_control.md"):
        expect((doc / name).exists(), f"no {name}")
    expect("Apache-2.0" in (doc / "copyright").read_text(), "no licence")
    expect(not list(root.rglob("*.a")) and not list(doc.rglob("expected")), "files that no user needs")

    model = doc / "examples/five_body/five_body.yaml"
    run(program, "run", model, "--report", "--quiet", cwd=folder)
    shown = run(program, "show", "five_body.h5", "theta1", "--at", "60", cwd=folder)
    expect("theta1" in shown and (pathlib.Path(folder) / "five_body.html").stat().st_size > 100_000, "the example does not fly")

    for deb in pathlib.Path(folder).glob("python3-gyrostat_*.deb"):
        root = pathlib.Path(folder) / "python"
        run("dpkg-deb", "-x", deb, root)
        packages = root / "usr/lib/python3/dist-packages"
        inside = {str(p.relative_to(packages)) for p in packages.rglob("*") if p.is_file()}
        expect({"gyrostat/__init__.py", "gyrostat/py.typed", "gyrostat/_gyrostat.pyi"} <= inside, f"files of the module: {sorted(inside)}")
        expect("python3-numpy" in run("dpkg-deb", "--field", deb, "Depends"), "numpy is no dependency")
        told = run("/usr/bin/python3", "-B", "-c", f"import gyrostat; print(gyrostat.__file__, len(gyrostat.Model.load({str(model)!r}).bodies))",
                   env={"PYTHONPATH": str(packages)})
        expect(told.split() == [str(packages / "gyrostat/__init__.py"), "5"], f"the module of the package: {told}")
    expect((build / "python/gyrostat").is_dir() == bool(list(pathlib.Path(folder).glob("python3-gyrostat_*.deb"))), "the package of the module")

print(f"{len(failures)} failures")
sys.exit(len(failures) > 0)
