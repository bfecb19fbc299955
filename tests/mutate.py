#!/usr/bin/env python3
"""Do the tests notice a wrong sign? Changes one thing at a time in the physics of src/dynamics (a sign, a transpose, the
order of a cross product, a factor, a component, a term), builds the tests that depend on it and looks whether one fails.
Works on a copy; objects that do not depend on the changed file are kept. Needs a release build for the other libraries.

  tests/mutate.py --count 3 --seed 1 --files outward.h kane.cpp
"""
import argparse, collections, concurrent.futures, os, pathlib, random, re, shutil, subprocess, sys, time

PHYSICS = """articulated_body_sweeps.h outward.h joint_motion.h inertia.h inverse_dynamics_sweeps.h composite_body_sweeps.h
  derivative_sweeps.h kinematics.h mechanism.cpp kane.cpp conserved.h reactions.cpp jacobian.cpp nested_body.cpp
  augmented_body.cpp line_hinges.cpp linear_total.cpp linear_total_fixed.cpp linear_partial.cpp coordinate_rates.h
  free_speeds.cpp singularity.cpp""".split()
FIRST = ["agreement_test", "balance_test"]  # quick, and they see most
REPOSITORY = pathlib.Path(__file__).resolve().parent.parent

# --- where a mutation can be -----------------------------------------------------------------------------------------

def blank(match): return re.sub(r"[^\n]", " ", match.group())

def closing(text, at):  # the bracket that closes the one at `at`, and the commas directly inside
    depth, commas = 0, []
    for i in range(at, len(text)):
        depth += (text[i] in "([{") - (text[i] in ")]}")
        if depth == 0: return i, commas
        if depth == 1 and text[i] == ",": commas.append(i)
    return len(text) - 1, commas

def code_of(text):  # the same length, but nothing where no mutation belongs: comments, strings, loop headers, indices
    code = re.sub(r'//[^\n]*|"(\\.|[^"\\\n])*"|^\s*#[^\n]*', blank, text, flags=re.M)
    for loop in re.finditer(r"\bfor \(", code):
        end = closing(code, loop.end() - 1)[0] + 1
        code = code[:loop.start()] + re.sub(r"[^\n]", " ", code[loop.start():end]) + code[end:]
    for index in re.finditer(r"\[|\.(row|col|head|tail)\(", code):
        if code[index.end() - 1] == "_": continue  # within another
        end = closing(code, index.end() - 1)[0]
        code = code[:index.end()] + "_" * (end - index.end()) + code[end:]
    integral = r"^.*(std::size_t|std::u?int\d+_t|Eigen::Index|static_cast|template <).*$"
    return re.sub(integral, blank, code, flags=re.M)

INDEX = r"(\w+(\.|->))*(u|q|nu|nq|speed|unknown|coordinate|count|parent|first|lanes|nest_end|hinges?|before_\w+|unknowns?|turns|stride|Pack::lanes)\b(?!\[)"

def is_index(code, start, end):  # is this the sum of indices, or of a pointer and an index?
    left, right = code[max(0, start - 60):start].lstrip(), code[end:end + 60]
    return bool(re.search(r"(data\(\)|begin\(\)|\b[ijklns]|\b(q|u|udot|slides|turns)|\.(u|q|nu|nq|speed|count|coordinate|unknown))$", left)
                or re.match(INDEX, right) or re.match(r"\d+[;,)\]]", right))

def sites(text):  # kind -> [(start, end, replacement)]
    code, found = code_of(text), collections.defaultdict(list)
    def each(kind, pattern, replacement, unless=lambda m: False):
        for m in re.finditer(pattern, code, flags=re.M):
            if not unless(m): found[kind].append((m.start(), m.end(), replacement(m)))
    opposite = {"+": "-", "-": "+"}
    each("sign", r"(?<=[\w)\]}]) ([+-]) (?=\S)", lambda m: f" {opposite[m[1]]} ", lambda m: is_index(code, m.start(), m.end()))
    each("sign", r"\n( +)([+-]) (?=\S)", lambda m: f"\n{m[1]}{opposite[m[2]]} ")
    each("sum", r" ([+-])= ", lambda m: f" {opposite[m[1]]}= ", lambda m: re.match(r"\d+;", code[m.end():]))
    each("unary minus", r"(?<=[({,=?:\s])-(?=[A-Za-z(])|(?<=\? )-(?=1)", lambda m: "", lambda m: code[m.start() - 2:m.start()] in ("+ ", "- "))
    each("transpose", r"\.transpose\(\)", lambda m: "")
    each("transpose", r"\btransposed\((?=\w[\w.]*\))", lambda m: "(")
    each("factor", r"(?<![\w.])(2\.0|0\.5|2(?= \* [a-z(]))(?![\w.])", lambda m: "1" if m[1] == "2" else "1.0")
    each("factor", r"/ 2(?=[;,)])", lambda m: "/ 1")
    swap = dict(zip(["x", "y", "z", "xx", "yy", "zz", "xy", "xz", "yz"], ["y", "z", "x", "yy", "zz", "xx", "xz", "yz", "xy"]))
    each("component", r"(?<=[\w\])])\.(xx|yy|zz|xy|xz|yz|[xyz])\b(?!\()", lambda m: "." + swap[m[1]])
    each("bound", r" ([<>]) (?=\w)", lambda m: f" {m[1]}= ",
         lambda m: not re.search(r"abs\(|mass|norm|inertia", code[code.rfind("\n", 0, m.start()):code.find("\n", m.end())]))
    each("condition", r"[!=]=(?= Motion::)", lambda m: {"!": "==", "=": "!="}[m.group()[0]])
    each("condition", r"\b\w+\.(reversed|prescribed)\b(?! =)", lambda m: "!" + m.group())
    for m in re.finditer(r"\b(cross|transpose_times)\(", code):
        end, commas = closing(code, m.end() - 1)
        if m.start() > 0 and code[m.start() - 1] == ".":
            found["cross"].append((m.end(), end, f"-({text[m.end():end]})"))
        elif len(commas) == 1:
            a, b = text[m.end():commas[0]].strip(), text[commas[0] + 1:end].strip()
            if m[1] == "cross": found["cross"].append((m.end(), end, f"{b}, {a}"))
            else: found["transpose"].append((m.start(), end + 1, f"(({a}) * ({b}))"))
    for m in re.finditer(r"^(?P<code>[^\n/]*);(?=\s*// \(\d+\))", text, flags=re.M):  # a numbered equation loses its last term
        line, depth, term = code[m.start():m.end("code")], 0, None
        for i, c in enumerate(line):
            depth += (c in "([{") - (c in ")]}")
            if depth == 0 and re.match(r" [+-] \S", line[i:]) and "=" in line[:i] and not is_index(code, m.start() + i, m.start() + i + 3):
                term = i
        if term: found["term"].append((m.start() + term, m.end("code"), ""))
        elif " += " in line or " -= " in line: found["term"].append((m.start() + len(line) - len(line.lstrip()), m.end("code"), ""))
    return {kind: places for kind, places in found.items() if places}

# --- building and running --------------------------------------------------------------------------------------------

class Bench:
    def __init__(self, work, build):
        self.work, self.build = work, build
        for folder in ("src", "tests", "examples"):
            shutil.rmtree(work / folder, ignore_errors=True)
            shutil.copytree(REPOSITORY / folder, work / folder)  # with the times of the files
        (work / "include").mkdir(exist_ok=True)
        if not (work / "include/gyrostat").exists(): (work / "include/gyrostat").symlink_to("../src")
        self.flags = ["-std=c++20", "-O1", "-w", "-DFMT_SHARED", "-DGTEST_HAS_PTHREAD=1", f"-DGYROSTAT_SOURCE_DIR=\"{work}\"",
                      f"-I{work}/include", f"-I{work}/tests", "-isystem", "/usr/include/eigen3"]
        headers = ["gtest/gtest.h", "gmock/gmock.h", "Eigen/Dense", "fmt/format.h", "gyrostat/model/load.h", "gyrostat/model/system.h"]
        headers += [f"gyrostat/math/{h.name}" for h in sorted((work / "src/math").glob("*.h"))]
        common = "".join(f"#include <{h}>\n" for h in headers)
        if not (work / "common.h").exists() or (work / "common.h").read_text() != common: (work / "common.h").write_text(common)
        self.made(work / "common.h.gch", [*self.flags, "-x", "c++-header", str(work / "common.h")])
        self.library = {s: work / f"{s.stem}.o" for s in sorted((work / "src/dynamics").glob("*.cpp"))}
        tests = [s for folder in ("dynamics", "laws", "published") for s in sorted((work / "tests" / folder).glob("*.cpp"))]
        self.tests = {s: work / f"{s.parent.name}_{s.stem}.o" for s in tests}
        self.deps, self.cost, self.needs = {}, {}, {}
        for source, target in (self.library | self.tests).items():
            self.deps[source] = self.made(target, self.arguments(source))
        provider = {name: s for s, o in self.library.items() for name in self.symbols(o, "TDBRV")}
        for source, target in (self.library | self.tests).items():
            self.needs[source] = {provider[name] for name in self.symbols(target, "U") if name in provider}
        for test in self.tests:  # everything linked, and how long it takes when all is well
            begin = time.time()
            if not self.passes(test, {}, work / "pristine", 600): sys.exit(f"mutate: {test.relative_to(work)} fails before any change")
            self.cost[test] = time.time() - begin

    def arguments(self, source, overlay=None):
        processor = ["-DGYROSTAT_PROCESSOR=baseline"] if source.name == "kernels.cpp" else []
        first = [f"-I{overlay}"] if overlay else []
        mutated = overlay / "gyrostat/dynamics" / source.name if overlay else source
        return [*first, *self.flags, *processor, "-include", str(self.work / "common.h"), "-c", str(mutated if mutated.exists() else source)]

    def compile(self, target, arguments, *more):
        return subprocess.run(["g++", *arguments, *more, "-o", str(target)], capture_output=True, text=True)

    def made(self, target, arguments):  # up to date, as make has it; returns what it depends on
        listing = target.with_suffix(".d")
        def dependencies(): return [pathlib.Path(p) for p in listing.read_text().replace("\\\n", " ").split(":", 1)[1].split()]
        fresh = target.exists() and listing.exists() and all(p.exists() and p.stat().st_mtime < target.stat().st_mtime for p in dependencies())
        if not fresh:
            done = self.compile(target, arguments, "-MD", "-MF", str(listing), "-fpch-deps")
            if done.returncode != 0: sys.exit(done.stderr)
        return {os.path.realpath(p) for p in dependencies()}

    def symbols(self, target, types):
        lines = subprocess.run(["nm", str(target)], capture_output=True, text=True, check=True).stdout.splitlines()
        return {line.split()[-1] for line in lines if line.split()[-2] in types}

    def closure(self, test):
        known, new = set(), {test}
        while new: known |= new; new = {n for s in new for n in self.needs[s]} - known
        return known

    def passes(self, test, replaced, program, limit):
        objects = [replaced.get(s) or self.library.get(s) or self.tests[s] for s in self.closure(test)]
        libraries = [str(self.build / f"src/libgyrostat_{name}.a") for name in ("model", "expression", "math")]
        subprocess.run(["g++", "-o", str(program), *map(str, objects), *libraries, "-lyaml-cpp", "-lfmt", "-lgtest_main", "-lgmock", "-lgtest"], check=True)
        try:
            return subprocess.run([str(program), "--gtest_fail_fast", "--gtest_brief=1"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL, timeout=limit).returncode == 0
        except subprocess.TimeoutExpired: return False

    def killer(self, name, text, kills):  # the test that fails on this text of src/dynamics/<name>, "" if none; None: no compiling
        overlay = self.work / "mutants" / name
        shutil.rmtree(overlay, ignore_errors=True)
        (overlay / "gyrostat/dynamics").mkdir(parents=True)
        (overlay / "gyrostat/dynamics" / name).write_text(text)
        changed, replaced = str(self.work / "src/dynamics" / name), {}
        def stale(test): return {s for s in self.closure(test) if changed in self.deps[s]}
        def rank(test): return (-kills[test], test.stem != f"{pathlib.Path(name).stem}_test", test.stem not in FIRST, self.cost[test])
        for test in sorted(filter(stale, self.tests), key=rank):
            for source in sorted(stale(test) - replaced.keys()):
                replaced[source] = overlay / f"{source.parent.name}_{source.stem}.o"
                if self.compile(replaced[source], self.arguments(source, overlay)).returncode != 0: return None
            if not self.passes(test, replaced, overlay / "program", max(20, 10 * self.cost[test])):
                kills[test] += 1
                return f"{test.parent.name}/{test.stem}"
        return ""

# --- the run ---------------------------------------------------------------------------------------------------------

def mutants_of(bench, name, count, seed):
    text, draw, results = (bench.work / "src/dynamics" / name).read_text(), random.Random(f"{seed} {name}"), []
    places, kills = sites(text), collections.Counter()
    while places and len(results) < count:
        kind = draw.choice(sorted(places))
        start, end, replacement = places[kind].pop(draw.randrange(len(places[kind])))
        if not places[kind]: del places[kind]
        begin, mutated = time.time(), text[:start] + replacement + text[end:]
        killer = bench.killer(name, mutated, kills)
        if killer is None: continue
        line, first, last = text.count("\n", 0, start + (text[start] == "\n")) + 1, text.rfind("\n", 0, start + 1) + 1, text.find("\n", end)
        if text[start] == "\n": first = start + 1
        shown = " ".join(text[first:last].split()), " ".join(mutated[first:last + len(mutated) - len(text)].split())
        results.append((f"src/dynamics/{name}:{line}", kind, *shown, killer))
        print(f"{name}:{line} {kind}: {'killed by ' + killer if killer else 'SURVIVED'} ({time.time() - begin:.0f} s)", flush=True)
    return name, results

def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=3, help="mutants per file")
    parser.add_argument("--files", nargs="+", default=PHYSICS, help="names in src/dynamics")
    parser.add_argument("--jobs", type=int, default=1, help="files at a time")
    parser.add_argument("--work", type=pathlib.Path, default=REPOSITORY / "build/mutants", help="scratch directory, kept for the next run")
    parser.add_argument("--build", type=pathlib.Path, default=REPOSITORY / "build/release")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    bench = Bench(options.work.resolve(), options.build.resolve())
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        table = list(pool.map(lambda name: mutants_of(bench, name, options.count, options.seed), options.files))
    survivors = [r for _, results in table for r in results if not r[-1]]
    total = sum(len(results) for _, results in table)
    print()
    for name, results in table: print(f"{name:28} {sum(bool(r[-1]) for r in results):3} of {len(results):3}")
    for where, kind, before, after, _ in survivors: print(f"\nsurvived: {where} ({kind})\n  before: {before}\n  after:  {after}")
    percent = 100 * (total - len(survivors)) / max(total, 1)
    print(f"\n{total - len(survivors)} of {total} mutants killed ({percent:.0f} per cent)")
    sys.exit(percent < 90)

if __name__ == "__main__": main()
