#!/usr/bin/env python3
"""Do the tests notice a wrong sign? Changes one thing at a time in the physics (src/dynamics, constraints, forces, signals and plant: a
sign, a transpose, the order of a cross product, a factor, a component, a term, a condition), builds the tests that depend
on it, and looks whether one fails. Works on a copy, keeps objects that do not depend on the change, and links the
libraries of the folders below those that are broken from a release build. A change that leaves all objects as they were
is no mutant: it is not counted.

  tests/mutate.py --count 3 --seed 1 --files dynamics/outward.h forces
"""
import argparse, collections, concurrent.futures, os, pathlib, random, re, shutil, subprocess, sys, time

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent
# The folders that are broken, and the tests that are to notice; those named first are quick and see most.
TESTS = {"dynamics": ["laws/agreement_test", "laws/balance_test", "dynamics", "laws", "published"],
         "constraints": ["constraints", "laws/loops_test", "laws/flexible_test", "laws/cut_joints_test", "laws/doubled_chain_test",
                         "simulate/loops_test", "published/governor_test", "published/loops_test", "dynamics/absolute_loops_test"],
         "forces": ["forces", "laws/flight_test", "plant"],
         "signals": ["signals", "simulate", "laws/flight_test"],
         "plant": ["plant", "simulate", "forces", "laws/flight_test"]}
# In the order in which they are linked, last first.
FOLDERS = ["math", "expression", "hdf5", "flexible", "format", "model", "dynamics", "constraints", "forces", "signals", "plant", "simulate"]
# No physics in them: tables, files, choices of a processor.
LEFT_OUT = r"(dispatch|settings|formulation|kernels|kernel|processor|plugin|plugin_library|fingerprint)\.(h|cpp)$"

def physics(folder):
    files = sorted((REPOSITORY / "src" / folder).rglob("*.[hc]*"))
    return [str(f.relative_to(REPOSITORY / "src")) for f in files if not re.search(LEFT_OUT, f.name)]

# --- where a mutation can be -----------------------------------------------------------------------------------------

NEXT = dict(zip("x y z xx yy zz xy xz yz".split(), "y z x yy zz xx xz yz xy".split()))
OPPOSITE = {"+": "-", "-": "+", "==": "!=", "!=": "=="}
INTEGRAL = r"^.*(std::size_t|std::u?int\d+_t|Eigen::Index|static_cast|template <).*$"
INDEX_LEFT = r"(data\(\)|begin\(\)|\b[ijklns]|\b(q|u|udot|slides|turns)|\.(u|q|nu|nq|speed|count|coordinate|unknown))$"
INDEX_RIGHT = (r"(\w+(\.|->))*(u|q|nu|nq|speed|unknown|coordinate|count|parent|first|lanes|nest_end|hinges?|before_\w+|"
               r"unknowns?|turns|stride|Pack::lanes)\b(?!\[)|\d+[;,)\]]")

def blanked(text, by=" "): return re.sub(r"[^\n]", by, text)

def closing(text, at):  # the bracket that closes the one at `at`, and the commas directly inside
    depth, commas = 0, []
    for i in range(at, len(text)):
        depth += (text[i] in "([{") - (text[i] in ")]}")
        if depth == 0: return i, commas
        if depth == 1 and text[i] == ",": commas.append(i)
    return len(text) - 1, commas

def code_of(text):  # the same length, but nothing where no mutation belongs: comments, strings, loop headers, indices
    code = re.sub(r'//[^\n]*|"(\\.|[^"\\\n])*"|^\s*#[^\n]*', lambda m: blanked(m[0]), text, flags=re.M)
    for m in re.finditer(r"\bfor \(|\[|\.(row|col|head|tail)\(", code):
        if code[m.end() - 1] == "_": continue  # within another
        end = closing(code, m.end() - 1)[0]
        code = code[:m.end()] + blanked(code[m.end():end], "_") + code[end:]
    return re.sub(INTEGRAL, lambda m: blanked(m[0]), code, flags=re.M)

def is_index(code, start, end):  # is this the sum of indices, or of a pointer and an index?
    return bool(re.search(INDEX_LEFT, code[max(0, start - 60):start]) or re.match(INDEX_RIGHT, code[end:]))

def sites(text):  # kind -> [(start, end, replacement)]
    code, found = code_of(text), collections.defaultdict(list)
    def each(kind, pattern, replacement, unless=lambda m: False):
        found[kind] += [(*m.span(), replacement(m)) for m in re.finditer(pattern, code) if not unless(m)]
    each("sign", r"(?<=[\w)\]}]) ([+-]) (?=\S)", lambda m: f" {OPPOSITE[m[1]]} ", lambda m: is_index(code, *m.span()))
    each("sign", r"(?<=\n)( +)([+-]) (?=\S)", lambda m: f"{m[1]}{OPPOSITE[m[2]]} ")
    each("sum", r" ([+-])= ", lambda m: f" {OPPOSITE[m[1]]}= ", lambda m: re.match(r"\d+;", code[m.end():]))
    each("unary minus", r"(?<=[({,=?:\s])-(?=[A-Za-z(])|(?<=\? )-(?=1)", lambda m: "")
    each("transpose", r"\.transpose\(\)", lambda m: "")
    each("transpose", r"\btransposed\((?=\w[\w.]*\))", lambda m: "(")
    each("factor", r"(?<![\w.])(2\.0|0\.5|2(?= \* [a-z(]))(?![\w.])", lambda m: "1" if m[1] == "2" else "1.0")
    each("factor", r"/ 2(?=[;,)])", lambda m: "/ 1")
    each("component", r"(?<=[\w\])])\.(xx|yy|zz|xy|xz|yz|[xyz])\b(?!\()", lambda m: "." + NEXT[m[1]])
    each("bound", r"\b(volume\)|least|mass|per_D) ([<>]) ", lambda m: f"{m[1]} {m[2]}= ")
    each("condition", r"[!=]=(?= Motion::)", lambda m: OPPOSITE[m[0]])
    each("condition", r"\b\w+\.(reversed|prescribed)\b(?! =)", lambda m: "!" + m[0])
    for m in re.finditer(r"(\.?)\b(cross|transpose_times)\(", code):
        end, commas = closing(code, m.end() - 1)
        if m[1]: found["cross"].append((m.end(), end, f"-({text[m.end():end]})"))
        if m[1] or len(commas) != 1: continue
        a, b = text[m.end():commas[0]].strip(), text[commas[0] + 1:end].strip()
        if m[2] == "cross": found["cross"].append((m.end(), end, f"{b}, {a}"))
        else: found["transpose"].append((m.start(), end + 1, f"(({a}) * ({b}))"))
    for m in re.finditer(r"^([^\n/]*);(?=\s*// \(\d+\))", text, flags=re.M):  # a numbered equation loses its last term
        line, depth, term = code[m.start():m.end(1)], 0, None
        for i, c in enumerate(line):
            depth += (c in "([{") - (c in ")]}")
            if depth == 0 and "=" in line[:i] and re.match(r" [+-] \S", line[i:]):
                if not is_index(code, m.start() + i, m.start() + i + 3): term = i
        if term is None and re.search(" [+-]= ", line): term = len(line) - len(line.lstrip())
        if term is not None: found["term"].append((m.start() + term, m.end(1), ""))
    return {kind: places for kind, places in found.items() if places}

# --- building and running --------------------------------------------------------------------------------------------

def compiled(target, arguments):
    return subprocess.run(["g++", *arguments, "-o", str(target)], capture_output=True, text=True)

class Bench:
    def __init__(self, work, build, folders, tests, jobs):
        self.work = work
        for folder in ("src", "tests", "examples"):
            shutil.rmtree(work / folder, ignore_errors=True)
            shutil.copytree(REPOSITORY / folder, work / folder)  # with the times of the files
        (work / "include").mkdir(parents=True, exist_ok=True)
        if not (work / "include/gyrostat").exists(): (work / "include/gyrostat").symlink_to("../src")
        self.flags = ["-std=c++20", "-O1", "-w", "-DFMT_SHARED", "-DGTEST_HAS_PTHREAD=1", "-isystem/usr/include/eigen3",
                      f'-DGYROSTAT_SOURCE_DIR="{work}"', f'-DGYROSTAT_BINARY_DIR="{build}"',
                      f"-I{work}/include", f"-I{work}/tests"]
        lowest = min(FOLDERS.index(folder) for folder in folders)
        self.libraries = [str(build / f"src/libgyrostat_{name}.a") for name in reversed(FOLDERS[:lowest])]
        self.libraries += ["-lsundials_cvode", "-lsundials_ida", "-lsundials_nvecserial", "-lhdf5_serial", "-lyaml-cpp", "-lfmt", "-ldl", "-lgtest_main", "-lgmock", "-lgtest"]
        headers = ["gtest/gtest.h", "gmock/gmock.h", "Eigen/Dense", "fmt/format.h", "gyrostat/model/load.h"]
        headers += ["gyrostat/model/system.h", *sorted(f"gyrostat/math/{h.name}" for h in work.glob("src/math/*.h"))]
        common, text = work / "common.h", "".join(f"#include <{h}>\n" for h in headers)
        if not common.exists() or common.read_text() != text: common.write_text(text)
        self.made(work / "common.h.gch", [*self.flags, "-x", "c++-header", str(common)])
        wanted = tests or list(dict.fromkeys(test for folder in folders for test in TESTS[folder]))
        self.first = {work / "tests" / (f"{name}.cpp" if name.endswith("_test") else name): number for number, name in enumerate(wanted)}
        self.tests = []  # all but those that run the program
        for name in wanted:
            found = sorted((work / "tests").glob(f"{name}.cpp" if name.endswith("_test") else f"{name}/*.cpp"))
            self.tests += [f for f in found if f not in self.tests and "GYROSTAT_PROGRAM" not in self.text_with_headers(f)]
        # Tests that run nothing need the folders up to constraints only.
        runs = any(re.search("gyrostat/(forces|signals|plant|simulate)/", self.text_with_headers(f)) for f in self.tests)
        highest = FOLDERS.index("simulate" if runs else "constraints")
        library = [f for name in FOLDERS[lowest:highest + 1] for f in sorted((work / "src" / name).rglob("*.cpp"))]
        self.objects = {s: work / f"{s.parent.parent.name}_{s.parent.name}_{s.stem}.o" for s in library + self.tests}
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            made = pool.map(lambda s: self.made(self.objects[s], self.arguments(s)), self.objects)
        self.depends = dict(zip(self.objects, made))
        provider = {name: s for types in ("W", "TDBRV") for s in library for name in self.symbols(s, types)}
        self.needs = {s: {provider[name] for name in self.symbols(s, "U") if name in provider} for s in self.objects}
        begin, self.seconds = time.time(), {}
        for test in self.tests:
            if not self.passes(test, self.objects, work / "program", 600): sys.exit(f"mutate: {test} fails as it is")
            self.seconds[test], begin = time.time() - begin, time.time()

    def text_with_headers(self, test):  # of tests/support
        text = test.read_text()
        for header in re.findall(r'#include "(support/\w+\.h)"', text): text += self.text_with_headers(self.work / "tests" / header)
        return text

    def arguments(self, source, overlay=None):
        processor = ["-DGYROSTAT_PROCESSOR=baseline"] if re.search(r"kernels?\.cpp$", source.name) else []
        first, mutated = [], source
        if overlay and source.is_relative_to(self.work / "src"):
            mutated = overlay / "gyrostat" / source.relative_to(self.work / "src")
        if overlay: first = [f"-I{overlay}", f"-ffile-prefix-map={overlay}/gyrostat={self.work}/src"]  # as if it were in its place
        return [*first, *self.flags, *processor, "-include", str(self.work / "common.h"),
                "-c", str(mutated if mutated.exists() else source)]

    def made(self, target, arguments):  # brings it up to date, as make would; returns what it depends on
        listing = target.with_suffix(".d")
        def files(): return map(pathlib.Path, listing.read_text().replace("\\\n", " ").split(":", 1)[1].split())
        if not (target.exists() and all(f.exists() and f.stat().st_mtime < target.stat().st_mtime for f in files())):
            done = compiled(target, [*arguments, "-MD", "-MF", str(listing), "-fpch-deps"])
            if done.returncode != 0: sys.exit(done.stderr)
        return {os.path.realpath(f) for f in files()}

    def symbols(self, source, types):
        done = subprocess.run(["nm", self.objects[source]], capture_output=True, text=True, check=True)
        return {line.split()[-1] for line in done.stdout.splitlines() if line.split()[-2] in types}

    def linked(self, test):  # the sources that the program of a test is made of
        known, new = set(), {test}
        while new: known, new = known | new, {n for s in new for n in self.needs[s]} - known - new
        return known

    def passes(self, test, objects, program, limit):
        inputs = [str(objects[s]) for s in sorted(self.linked(test))]
        subprocess.run(["g++", "-fuse-ld=gold", "-o", str(program), *inputs, *self.libraries], check=True)
        try: return subprocess.run([program, "--gtest_fail_fast"], capture_output=True, timeout=limit).returncode == 0
        except subprocess.TimeoutExpired: return False

    def killer(self, name, text, kills):  # the test that fails on this text; "" if none does, None if it is no C++ or changes nothing
        overlay = self.work / "mutants" / name.replace("/", "_")
        shutil.rmtree(overlay, ignore_errors=True)
        (overlay / "gyrostat" / name).parent.mkdir(parents=True)
        (overlay / "gyrostat" / name).write_text(text)
        changed, objects = str(self.work / "src" / name), dict(self.objects)
        def stale(test): return {s for s in self.linked(test) if changed in self.depends[s]}
        def rank(test):  # what has killed, then what takes the least compiling
            named = self.first.get(test, self.first.get(test.parent, 99))
            return (-kills[test], test.stem != f"{pathlib.Path(name).stem}_test", len(stale(test)), named, self.seconds[test])
        differs = {}  # of the sources that were compiled again: is the object another?
        for test in sorted(filter(stale, self.tests), key=rank):
            for source in sorted(stale(test) - set(differs)):
                objects[source] = overlay / self.objects[source].name
                if compiled(objects[source], self.arguments(source, overlay)).returncode != 0: return None
                differs[source] = objects[source].read_bytes() != self.objects[source].read_bytes()
            if not any(differs[source] for source in stale(test)): continue
            if not self.passes(test, objects, overlay / "program", max(30, 10 * self.seconds[test])):
                kills[test] += 1
                return f"{test.parent.name}/{test.stem}"
        return "" if any(differs.values()) else None

# --- the run ---------------------------------------------------------------------------------------------------------

def try_mutants(bench, name, count, seed):
    text, draw = (bench.work / "src" / name).read_text(), random.Random(f"{seed} {name}")
    places, kills, results = sites(text), collections.Counter(), []
    while places and len(results) < count:
        kind = draw.choice(sorted(places))
        start, end, replacement = places[kind].pop(draw.randrange(len(places[kind])))
        if not places[kind]: del places[kind]
        begin, mutated = time.time(), text[:start] + replacement + text[end:]
        killer = bench.killer(name, mutated, kills)
        if killer is None: continue
        where, first = f"src/{name}:{text.count(chr(10), 0, start) + 1}", text.rfind("\n", 0, start) + 1
        def line(middle): return " ".join((text[first:start] + middle + text[end:text.find("\n", end)]).split())
        results.append((where, kind, line(text[start:end]), line(replacement), killer))
        print(f"{where} {kind}: {killer or 'SURVIVED'}, {time.time() - begin:.0f} s", flush=True)
    return name, results

def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=3, help="mutants per file")
    parser.add_argument("--files", nargs="+", default=list(TESTS),
                        help="files, or folders with all of their files, below src")
    parser.add_argument("--tests", nargs="+", help="folders of tests, or tests, that are to notice; default as listed above")
    parser.add_argument("--jobs", type=int, default=1, help="files at a time")
    parser.add_argument("--work", type=pathlib.Path, default=REPOSITORY / "build/mutate", help="scratch directory")
    parser.add_argument("--build", type=pathlib.Path, default=REPOSITORY / "build/release", help="the libraries")
    options = parser.parse_args()
    files = [f for name in options.files for f in (physics(name) if name in TESTS else [name])]
    bench = Bench(options.work.resolve(), options.build.resolve(), list(dict.fromkeys(f.split("/")[0] for f in files)), options.tests, options.jobs)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        table = list(pool.map(lambda name: try_mutants(bench, name, options.count, options.seed), files))
    survivors, total = [r for _, results in table for r in results if not r[-1]], sum(len(r) for _, r in table)
    for name, results in table: print(f"{name:36} {sum(bool(r[-1]) for r in results):3} of {len(results):3}")
    for where, kind, before, after, _ in survivors: print(f"\n{where} {kind}\n  before: {before}\n  after:  {after}")
    percent = 100 * (total - len(survivors)) / max(total, 1)
    print(f"\n{total - len(survivors)} of {total} mutants killed ({percent:.0f} per cent)")
    sys.exit(percent < 90)

if __name__ == "__main__": main()
