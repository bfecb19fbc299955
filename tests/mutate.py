#!/usr/bin/env python3
"""Do the tests notice a wrong sign? Breaks the physics (src/dynamics, constraints, forces, signals and plant) in one place
at a time: a sign, a transpose, the order of a cross product, a factor, a component, a term, a condition. All of these
mutants are compiled at once, each behind a number (tests/support/mutant.h); the environment variable GYROSTAT_MUTANT says
which one is on. Each test is run once to see which mutants it reaches; then, for each mutant, those that reach it are run,
quick ones first, until one fails. Folders below those that are broken come from a release build. A place where the
change is no C++ is left out and counted. NINJA is the command that builds.

  tests/mutate.py --files constraints forces/restraint.h
  tests/mutate.py --files constraints --again        only those that survived or were not run the last time
"""
import argparse, collections, concurrent.futures, dataclasses, hashlib, inspect, json, os, pathlib, random, re, resource, shlex, subprocess, sys, threading, time

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent
# The folders that are broken, and the tests that are to notice.
TESTS = {"dynamics": ["laws/agreement_test", "laws/balance_test", "dynamics", "laws", "published"],
         "constraints": ["constraints", "laws/loops_test", "laws/flexible_test", "laws/cut_joints_test", "laws/doubled_chain_test",
                         "laws/closed_reactions_test", "laws/cut_elsewhere_test",
                         "simulate/loops_test", "published/governor_test", "published/loops_test", "dynamics/absolute_loops_test"],
         "forces": ["forces", "laws/flight_test", "laws/free_or_given_test", "plant", "simulate/restraints_test", "simulate/stops_test",
                    "simulate/friction_test", "simulate/friction_at_rest_test", "simulate/reaction_friction_test", "simulate/latch_test",
                    "simulate/wheel_limits_test", "simulate/flexible_test"],
         "signals": ["signals", "simulate", "laws/flight_test"],
         "plant": ["plant", "simulate", "forces", "signals", "laws/flight_test", "laws/free_or_given_test"]}
# In the order in which they are linked, last first.
FOLDERS = ["math", "expression", "hdf5", "flexible", "format", "model", "dynamics", "constraints", "forces", "signals", "plant", "simulate"]
LIBRARIES = "-lsundials_cvode -lsundials_ida -lsundials_nvecserial -lhdf5_serial -lyaml-cpp -lfmt -ldl -lgtest_main -lgmock -lgtest"
# No physics in them: tables, files, choices of a processor, packs.
LEFT_OUT = r"(batch|lanes|dispatch|settings|formulation|kernels|kernel|processor|plugin|plugin_library|fingerprint)\.(h|cpp)$"
# Packs need the kernels of the processor that is there, and those of the release build do not go with ours. So lanes, and
# what visits the numbers that differ from lane to lane, are left out as well.
NOT_RUN = "-PlantBatch.*:*InPacks*:*AsALane*"
EQUIVALENT = REPOSITORY / "tests/mutate_equivalent.txt"

def physics(folder):
    files = sorted((REPOSITORY / "src" / folder).rglob("*.[hc]*"))
    return [str(f.relative_to(REPOSITORY / "src")) for f in files if not re.search(LEFT_OUT, f.name)]

# --- where a mutation can be -----------------------------------------------------------------------------------------

NEXT = dict(zip("x y z xx yy zz xy xz yz".split(), "y z x yy zz xx xz yz xy".split()))
OPPOSITE = {"+": "-", "-": "+", "==": "!=", "!=": "=="}
INTEGRAL = r"^.*(\[lane\]|\bvisit\(|std::size_t|std::u?int\d+_t|Eigen::Index|static_cast|template <|constexpr ).*$"
INDEX_LEFT = r"(data\(\)|begin\(\)|\b[ijklns]|\b(q|u|udot|slides|turns)|\.(u|q|nu|nq|speed|count|coordinate|unknown))$"
INDEX_RIGHT = (r"(\w+(\.|->))*(u|q|nu|nq|speed|unknown|coordinate|count|parent|first|lanes|nest_end|hinges?|before_\w+|"
               r"unknowns?|turns|stride|Pack::lanes)\b(?!\[)|\d+[;,)\]]")

@dataclasses.dataclass
class Site:
    kind: str
    start: int
    end: int
    replacement: str  # of text[start:end]: what the mutant is
    wraps: list       # (start, end, before, after): put around text[start:end] in the sources, # for its number
    token: tuple = () # (start, end, by): replaced, and not nested in another

def blanked(text, by=" "): return re.sub(r"[^\n]", by, text)

def closing(text, at):  # the bracket that closes the one at `at`, and the commas directly inside
    depth, commas = 0, []
    for i in range(at, len(text)):
        depth += (text[i] in "([{") - (text[i] in ")]}")
        if depth == 0: return i, commas
        if depth == 1 and text[i] == ",": commas.append(i)
    return len(text) - 1, commas

def opening(text, at, pair="([{)]}"):  # the bracket that opens what ends before `at`
    depth = 0
    for i in range(at - 1, -1, -1):
        depth += (text[i] in pair[len(pair) // 2:]) - (text[i] in pair[:len(pair) // 2])
        if depth == 0: return i
    return 0

def operand_start(code, end):  # of the postfix expression that ends there: a.b(c)[d]
    i = end
    while i > 0:
        if code[i - 1] in ")]": i = opening(code, i)
        elif code[i - 1] == ">" and code[i - 2] != "-": i = opening(code, i, "<>")
        else:
            word = re.search(r"\w+$", code[max(0, i - 80):i])
            if not word: return i
            i -= len(word[0])
            before = re.search(r"(\.template |\.|->|::)$", code[max(0, i - 12):i])
            if not before: return i
            i -= len(before[0])
            continue
        if not re.match(r"[\w)\]>]", code[i - 1]): return i
    return i

def operand_end(code, start):  # of the operand of a product that begins there
    i = re.compile(r"[-!*&~]*").match(code, start).end()
    part = re.compile(r"[\w.]+|::|->|<[\w:, ]+>(?=\()")
    while i < len(code):
        m = part.match(code, i)
        if m: i = m.end()
        elif code[i] in "([{": i = closing(code, i)[0] + 1
        else: break
    return i

def expression_end(code, start):  # of the right side of an assignment
    depth = 0
    for i in range(start, len(code)):
        if depth == 0 and code[i] in ";,)]}": return i
        depth += (code[i] in "([{") - (code[i] in ")]}")
    return len(code)

def code_of(text):  # the same length, but nothing where no mutation belongs: comments, strings, loop headers, indices
    code = re.sub(r'//[^\n]*|"(\\.|[^"\\\n])*"|^\s*#[^\n]*', lambda m: blanked(m[0]), text, flags=re.M)
    for m in re.finditer(r"\bfor \(|\[|\.(row|col|head|tail)\(", code):
        if code[m.end() - 1] == "_": continue  # within another
        end = closing(code, m.end() - 1)[0]
        code = code[:m.end()] + blanked(code[m.end():end], "_") + code[end:]
    return re.sub(INTEGRAL, lambda m: blanked(m[0]), code, flags=re.M)

def is_index(code, start, end):  # is this the sum of indices, or of a pointer and an index?
    return bool(re.search(INDEX_LEFT, code[max(0, start - 60):start]) or re.match(INDEX_RIGHT, code[end:]))

def sites(text):
    code, found = code_of(text), []
    def add(kind, span, replacement, *wraps, token=()): found.append(Site(kind, *span, replacement, list(wraps), token))
    def each(pattern): return re.finditer(pattern, code)
    def sign(m, operator):
        add("sign", m.span(), m[0].replace(operator, OPPOSITE[operator]), (m.end(), operand_end(code, m.end()), "mutant::sign(#)->*", ""))
    def compared(kind, m, operator, replacement):  # its left side ends where the blank before the operator is
        end = m.start(operator) - 1
        add(kind, m.span(operator), replacement, (operand_start(code, end), end, "mutant::compared(#, ", ")"))
    for m in each(r"(?<=[\w)\]}]) ([+-]) (?=\S)"):
        if not is_index(code, *m.span()): sign(m, m[1])
    for m in each(r"(?<=\n) +([+-]) (?=\S)"): sign(m, m[1])
    for m in each(r" ([+-])= "):
        if re.match(r"\d+;", code[m.end():]): continue
        add("sum", m.span(), f" {OPPOSITE[m[1]]}= ", (m.end(), expression_end(code, m.end()), "mutant::sign(#)->*(", ")"))
    for m in each(r"(?<=[({,=?:\s])-(?=[A-Za-z(])|(?<=\? )-(?=1)"):
        add("unary minus", m.span(), "", token=(*m.span(), "mutant::minus(#)->*"))
    for m in each(r"\.transpose\(\)"):
        add("transpose", m.span(), "", (operand_start(code, m.start()), m.start(), "mutant::eigen_transposed(#, ", ")"), token=(*m.span(), ""))
    for m in each(r"\btransposed\((?=\w[\w.]*\))"):
        add("transpose", m.span(), "(", token=(*m.span(), "mutant::small_transposed(#, "))
    for m in each(r"(?<![\w.])(2\.0|0\.5|2(?= \* [a-z(]))(?![\w.])|(?<=/ )2(?=[;,)])"):
        add("factor", m.span(), "1" if m[0] == "2" else "1.0", (*m.span(), "mutant::one_for(#, ", ")"))
    for m in each(r"(?<=[\w\])])\.(xx|yy|zz|xy|xz|yz|[xyz])\b(?!\()"):
        start, other = operand_start(code, m.start()), "." + NEXT[m[1]]
        add("component", m.span(), other, (start, m.end(), f"(mutant::on(#) ? {text[start:m.start()]}{other} : ", ")"))
    for m in each(r"\b(volume\)|least|mass) ([<>])(?= )"): compared("bound", m, 2, m[2] + "=")
    for m in each(r" ([!=]=)(?= Motion::)"): compared("condition", m, 1, OPPOSITE[m[1]])
    for m in each(r"\b\w+\.(reversed|prescribed)\b(?! =)"):
        add("condition", m.span(), "!" + m[0], (*m.span(), "mutant::flipped(#, ", ")"))
    for m in each(r"\bif (?=\()"):
        end = closing(code, m.end())[0]
        if ";" in code[m.end():end]: continue
        add("condition", (m.end() + 1, end), f"!({text[m.end() + 1:end]})", (m.end() + 1, end, "mutant::flipped(#, (", ") ? true : false)"))
    for m in each(r"(\.?)\b(cross|transpose_times)\("):
        end, commas = closing(code, m.end() - 1)
        if m[1]:
            add("cross", (m.end(), end), f"-({text[m.end():end]})", (m.end(), end, "mutant::sign(#)->*(", ")"))
        elif len(commas) == 1:
            a, b = text[m.end():commas[0]].strip(), text[commas[0] + 1:end].strip()
            if m[2] == "cross": add("cross", (m.end(), end), f"{b}, {a}", (m.end(), commas[0], "mutant::sign(#)->*(", ")"))
            else: add("transpose", (m.start(), end + 1), f"(({a}) * ({b}))", token=(*m.span(), "mutant::small_transpose_times(#, "))
    for m in re.finditer(r"^([^\n/]*);(?=\s*// \(\d+\))", text, flags=re.M):  # a numbered equation loses its last term
        line, depth, term = code[m.start():m.end(1)], 0, None
        for i, c in enumerate(line):
            depth += (c in "([{") - (c in ")]}")
            if depth == 0 and "=" in line[:i] and re.match(r" [+-] \S", line[i:]):
                if not is_index(code, m.start() + i, m.start() + i + 3): term = i
        if term is not None:
            at = m.start() + term
            add("term", (at, m.end(1)), "", (at + 3, m.end(1), "mutant::kept(#)->*(", ")"))
        elif assigned := re.search(" [+-]= ", line):
            at = m.start() + assigned.end()
            add("term", (m.start() + len(line) - len(line.lstrip()), m.end(1)), "", (at, m.end(1), "mutant::kept(#)->*(", ")"))
    return found

# --- a mutant, and the text with all of them -------------------------------------------------------------------------

class Mutant:
    def __init__(self, number, file, text, site):
        self.number, self.file, self.site, self.kind = number, file, site, site.kind
        self.line = text.count("\n", 0, site.start) + 1
        self.where = f"src/{file}:{self.line}"
        first = text.rfind("\n", 0, site.start) + 1
        def line(middle): return " ".join((text[first:site.start] + middle + text[site.end:(text + "\n").find("\n", site.end)]).split())
        self.before, self.after = line(text[site.start:site.end]), line(site.replacement)
        self.key = f"src/{file} | {self.after}"
        self.killer = None

def with_mutants(text, mutants):  # -> the text; (line, column) of each
    inserts, tokens = collections.defaultdict(list), {}
    for mutant in mutants:
        def numbered(part): return part.replace("#", str(mutant.number))
        for start, end, before, after in mutant.site.wraps:
            # At one place what ends comes before what begins; what ends last begins first.
            inserts[start].append(((1, -end, mutant.number), numbered(before), mutant))
            inserts[end].append(((0, -start, -mutant.number), after, None))
        if mutant.site.token:
            start, end, by = mutant.site.token
            tokens[start] = (end, numbered(by), mutant)
    pieces, places, i, length_of_line, line = [], {}, 0, 0, 1
    def put(piece, mutant=None):
        nonlocal length_of_line, line
        if mutant: places.setdefault(mutant.number, (line, length_of_line + 1))
        pieces.append(piece)
        line += piece.count("\n")
        length_of_line = len(piece) - piece.rfind("\n") - 1 if "\n" in piece else length_of_line + len(piece)
    while i <= len(text):
        for _, piece, mutant in sorted(inserts.get(i, []), key=lambda x: x[0]): put(piece, mutant)
        if i in tokens:
            i, by, mutant = tokens[i]
            put(by, mutant)
            continue
        if i < len(text): put(text[i])
        i += 1
    return "".join(pieces), places

# --- building --------------------------------------------------------------------------------------------------------

def write_if_changed(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text: path.write_text(text)

class Bench:
    def __init__(self, work, build, mutants, tests, jobs, linked):
        self.work, self.build, self.mutants, self.jobs, self.linked, self.dropped = work, build, mutants, jobs, linked, []
        self.folders = sorted({m.file.split("/")[0] for m in mutants}, key=FOLDERS.index)
        wanted = tests or list(dict.fromkeys(test for folder in self.folders for test in TESTS[folder]))
        self.tests = []  # all but those that run the program
        for name in wanted:
            found = sorted((REPOSITORY / "tests").glob(f"{name}.cpp" if name.endswith("_test") else f"{name}/*.cpp"))
            self.tests += [f for f in found if f not in self.tests and "GYROSTAT_PROGRAM" not in self.text_with_headers(f)]
        # Tests that run nothing need the folders up to constraints only.
        runs = any(re.search("gyrostat/(forces|signals|plant|simulate)/", self.text_with_headers(f)) for f in self.tests)
        lowest, highest = FOLDERS.index(self.folders[0]), FOLDERS.index("simulate" if runs else "constraints")
        if linked: highest = min(highest, FOLDERS.index("plant"))  # which has what headers define
        self.above, self.archived = FOLDERS[lowest:highest + 1], FOLDERS[:lowest] + ["simulate"] * (linked and runs)
        self.programs = sorted({f.parent.name for f in self.tests})
        self.lay_out()
        self.leave_out_known()
        self.write_sources()
        self.write_ninja()
        self.compile()

    def text_with_headers(self, test):  # of tests/support
        text = test.read_text()
        for header in re.findall(r'#include "(support/\w+\.h)"', text): text += self.text_with_headers(REPOSITORY / "tests" / header)
        return text

    def lay_out(self):  # the headers as the sources see them: those of folders that are broken are our own
        for folder in {f.parent.name for f in (REPOSITORY / "src").glob("*/*.h")}:
            place = self.work / "include/gyrostat" / folder
            place.parent.mkdir(parents=True, exist_ok=True)
            if place.is_symlink(): place.unlink()
            if folder not in self.folders:
                if place.exists(): subprocess.run(["rm", "-r", place], check=True)
                place.symlink_to(REPOSITORY / "src" / folder)

    def write_sources(self):
        self.places = {}
        for folder in self.folders:
            for source in sorted((REPOSITORY / "src" / folder).rglob("*.[hc]*")):
                name = str(source.relative_to(REPOSITORY / "src"))
                text, places = with_mutants(source.read_text(), [m for m in self.mutants if m.file == name])
                write_if_changed(self.work / "include/gyrostat" / name, text)
                self.places |= places

    def units(self, sources, name, alone):  # several sources at a time
        together = [s for s in sources if s.name not in alone]
        groups = [[s] for s in sources if s.name in alone]
        groups += [together[i:i + 3] for i in range(0, len(together), 3)]
        for number, group in enumerate(groups):
            unit = self.work / f"units/{name}_{number}.cpp"
            write_if_changed(unit, "".join(f'#include "{s}"\n' for s in group))
            yield unit, any(re.search("kernels?.cpp", s.name) for s in group)

    def write_ninja(self):
        include = f"-I{self.work}/include -I{REPOSITORY}/tests"
        flags = (f'-std=c++20 -O1 -w -DEIGEN_NO_DEBUG -DGYROSTAT_PLAIN_INLINE -DFMT_SHARED -DGTEST_HAS_PTHREAD=1 -isystem/usr/include/eigen3 '
                 f'-isystem/usr/include/hdf5/serial -DGYROSTAT_SOURCE_DIR=\\"{REPOSITORY}\\" -DGYROSTAT_BINARY_DIR=\\"{self.build}\\" {include}')
        self.flags = shlex.split(flags)
        headers = "gtest/gtest.h gmock/gmock.h Eigen/Dense fmt/format.h algorithm charconv filesystem map optional random set span variant".split()
        write_if_changed(self.work / "common.h", "".join(f"#include <{h}>\n" for h in headers) + '#include "support/mutant.h"\n')
        lines = [f"flags = {flags}", "rule header", "  command = g++ $flags -x c++-header -MD -MF $out.d $in -o $out", "  depfile = $out.d",
                 "rule object", "  command = g++ $flags $more -include common.h -MD -MF $out.d -c $in -o $out", "  depfile = $out.d", "  deps = gcc",
                 "rule program", "  command = g++ -fuse-ld=gold -o $out $in $libraries", "build common.h.gch: header common.h"]
        def objects(units):
            for unit, kernel in units:
                lines.append(f"build objects/{unit.stem}.o: object {unit} | common.h.gch")
                if kernel: lines.append("  more = -DGYROSTAT_PROCESSOR=baseline")
                yield f"objects/{unit.stem}.o"
        alone = set(re.findall(r"[\w]+\.cpp", " ".join(re.findall(r"ALONE ([^\n]*)", (REPOSITORY / "src/CMakeLists.txt").read_text()))))
        self.library_units = []
        for folder in self.above:
            place = self.work / "include/gyrostat" / folder if folder in self.folders else REPOSITORY / "src" / folder
            sources = sorted(place.rglob("*.cpp"))
            kernels = {s.name for s in sources if re.search("kernels?.cpp", s.name)}
            self.library_units += self.units(sources, f"src_{folder}", alone | kernels)
        library = list(objects(self.library_units))
        library += objects(self.units(sorted((REPOSITORY / "tests/support").glob("*.cpp")), "support", set()))
        archives = [f"{self.build}/src/libgyrostat_{name}.a" for name in reversed(self.archived)]
        lines.append(f"libraries = {' '.join(archives)} {LIBRARIES}")
        for program in self.programs:
            sources = [f for f in self.tests if f.parent.name == program]
            own = [str(o) for o in sorted((self.build / f"tests/CMakeFiles/test_{program}.dir").rglob("*.cxx.o"))] if self.linked else []
            own = own or list(objects(self.units(sources, f"test_{program}", set())))
            # Of functions that both define the linker takes the first.
            lines.append(f"build test_{program}: program {' '.join(library + own)} | {' '.join(archives)}")
        write_if_changed(self.work / "build.ninja", "\n".join(lines) + "\n")

    def drop(self, output):  # the mutants that the compiler complains about; how many
        blamed, context = set(), None
        own = re.compile(rf"(?:{re.escape(str(self.work))}|\.)/include/gyrostat/([\w/.]+):(\d+):(\d+):(.*)")
        def nearest(file, line, column):  # the last on that line that begins before it
            near = [(self.places[m.number][1] > column, abs(self.places[m.number][1] - column), m.number) for m in self.mutants
                    if m.file == file and m.number in self.places and self.places[m.number][0] == line]
            return min(near)[-1] if near else None
        for text in output.splitlines():
            m = own.search(text)
            if m and "error" in m[4]: number, context = nearest(m[1], int(m[2]), int(m[3])), None
            elif m and "required from" in text: context = nearest(m[1], int(m[2]), int(m[3])) or context; continue
            elif "error:" in text: number, context = context, None
            else: continue
            if number: blamed.add(number)
        self.leave_out([m for m in self.mutants if m.number in blamed])
        known = [self.version, sorted({m.key for m in self.dropped} | self.known_dropped)]
        write_if_changed(self.work / "dropped.json", json.dumps(known, indent=1))
        return len(blamed)

    def leave_out(self, mutants):
        self.dropped += mutants
        self.mutants = [m for m in self.mutants if m not in mutants]

    def leave_out_known(self):  # what was no C++ the last time, with the same tool
        self.version = hashlib.sha1((inspect.getsource(sites) + (REPOSITORY / "tests/support/mutant.h").read_text()).encode()).hexdigest()
        file = self.work / "dropped.json"
        version, keys = json.loads(file.read_text()) if file.exists() else ("", [])
        self.known_dropped = set(keys) if version == self.version else set()
        self.leave_out([m for m in self.mutants if m.key in self.known_dropped])

    def rebuilt(self, output):
        if not self.drop(output): sys.exit(f"mutate: does not build\n{output[-8000:]}")
        self.write_sources()
        print(f"{len(self.dropped)} mutants are no C++", flush=True)

    def compile(self):
        ninja = [*shlex.split(os.environ.get("NINJA", "ninja")), "-C", str(self.work), f"-j{self.jobs}"]
        programs = [f"test_{p}" for p in self.programs]
        def run(*targets):
            done = subprocess.run(["ninja", "-C", self.work, "-n", *targets], capture_output=True, text=True)
            if "no work to do" in done.stdout: return done
            return subprocess.run([*ninja, "-k0", *targets], capture_output=True, text=True)
        if (done := run("common.h.gch")).returncode != 0: sys.exit(done.stdout)
        # First those that are broken, by themselves and without code: most of what is no C++ is found quickly.
        # The plant has the right-hand side, which uses what is in headers.
        suspects = [(u, k) for u, k in self.library_units if u.stem.split("_")[1] in {*self.folders, "plant"}]
        def checked(unit_and_kernel):
            unit, kernel = unit_and_kernel
            more = ["-DGYROSTAT_PROCESSOR=baseline"] if kernel else []
            return subprocess.run(["nice", "g++", *self.flags, *more, "-include", "common.h", "-fsyntax-only", str(unit)], cwd=self.work, capture_output=True, text=True)
        while not (self.work / "checked").exists() or (self.work / "checked").read_text() != self.mark():
            with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool: done = list(pool.map(checked, suspects))
            if all(d.returncode == 0 for d in done): (self.work / "checked").write_text(self.mark())
            else: self.rebuilt("".join(d.stderr for d in done))
        while (done := run(*programs)).returncode != 0: self.rebuilt(done.stdout)

    def mark(self): return json.dumps([m.key for m in self.mutants])

    # --- running -----------------------------------------------------------------------------------------------------

    def run(self, program, tests, number, limit, notes=None):  # -> does it pass; its output
        environment = dict(os.environ, GYROSTAT_MUTANT=str(number), GTEST_FAIL_FAST="1")
        environment["GTEST_FILTER"] = NOT_RUN if tests is None else ":".join(tests)
        if notes: environment["GYROSTAT_MUTANT_NOTES"] = str(notes)
        def limits():
            os.nice(5)
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
        try: done = subprocess.run([self.work / f"test_{program}"], capture_output=True, text=True, errors="replace", timeout=limit, env=environment,
                                   preexec_fn=limits, cwd=self.work)
        except subprocess.TimeoutExpired: return False, "time limit"
        if done.returncode == 0: return True, ""
        failed = re.findall(r"\[  FAILED  \] (\w[\w/]*\.\w[\w/]*)", done.stdout)
        started = re.findall(r"\[ RUN      \] (\S+)", done.stdout)
        return False, failed[0] if failed else f"crash in {started[-1] if started else program}"

    def note_reached(self):
        self.reaching, self.seconds = collections.defaultdict(set), {}
        self.kills = collections.defaultdict(collections.Counter)  # by file: how often each test was the one that failed
        def noted(program):
            notes = self.work / f"notes_{program}"
            passes, why = self.run(program, None, -1, 1800, notes)
            if not passes: sys.exit(f"mutate: {program}: {why} as it is")
            return [(program, *line.split()) for line in notes.read_text().splitlines()]
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            for lines in pool.map(noted, self.programs):
                for program, test, milliseconds, *numbers in lines:
                    self.seconds[program, test] = int(milliseconds) / 1000
                    for number in map(int, numbers): self.reaching[number].add((program, test))

    def killer(self, mutant):  # the test that fails; "" if none does, None if none reaches it
        tests = sorted(self.reaching[mutant.number], key=lambda t: self.seconds[t])
        if not tests: return None
        # Tests of one suite may share what the first of them made: in the end all tests of the suites are run.
        suites = {(program, test.split(".")[0]) for program, test in tests}
        rest = [t for t in self.seconds if (t[0], t[1].split(".")[0]) in suites and t not in self.reaching[mutant.number]]
        kills = self.kills[mutant.file]
        best = [t for t in sorted(kills, key=lambda t: self.seconds[t] / kills[t]) if t in self.reaching[mutant.number]][:3]
        sums, batches = 0, [best, [], [], [], [], rest]
        for t in tests:
            if t in best: continue
            sums += self.seconds[t]
            batches[1 if sums < 0.3 else 2 if sums < 2 else 3 if sums < 10 else 4].append(t)
        for batch in batches:
            for program in dict.fromkeys(p for p, _ in batch):
                chosen = [t for p, t in batch if p == program]
                passes, why = self.run(program, chosen, mutant.number, 20 + 10 * sum(self.seconds[program, t] for t in chosen))
                if passes: continue
                failed = (program, why.removeprefix("crash in "))
                if failed in self.seconds: kills[failed] += 1
                return f"{program}: {why}"
        return ""

# --- the run ---------------------------------------------------------------------------------------------------------

def equivalents():  # key -> reason
    lines = EQUIVALENT.read_text().splitlines() if EQUIVALENT.exists() else []
    keys = {}
    for i, line in enumerate(lines):
        if line.startswith("src/"): keys[line.strip()] = lines[i + 1].strip()
    return keys

def all_mutants(files):
    mutants = []
    for name in files:
        text = (REPOSITORY / "src" / name).read_text()
        for site in sorted(sites(text), key=lambda s: (s.start, s.end)): mutants.append(Mutant(len(mutants) + 1, name, text, site))
    times = collections.Counter()
    for m in mutants:  # the same change of the same line twice in a file
        times[m.key] += 1
        if times[m.key] > 1: m.key += f" | {times[m.key]}"
    return mutants

def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=0, help="mutants per file that are run at most; 0: all")
    parser.add_argument("--files", nargs="+", default=list(TESTS), help="files, or folders with all of their files, below src")
    parser.add_argument("--tests", nargs="+", help="folders of tests, or tests, that are to notice; default as listed above")
    parser.add_argument("--jobs", type=int, default=2, help="compilers, and mutants, at a time")
    parser.add_argument("--again", action="store_true", help="run only those that no test has noticed so far, with these sources")
    parser.add_argument("--linked", action="store_true",
                        help="take src/simulate, and tests that are there, from the release build: less to compile, but what they inline is not broken")
    parser.add_argument("--list", action="store_true", help="list the mutants and end")
    parser.add_argument("--work", type=pathlib.Path, default=REPOSITORY / "build/mutate", help="scratch directory")
    parser.add_argument("--build", type=pathlib.Path, default=REPOSITORY / "build/release", help="the libraries")
    options = parser.parse_args()
    files = [f for name in options.files for f in (physics(name) if name in TESTS else [name])]
    mutants, reasons = all_mutants(files), equivalents()
    if options.list:
        for m in mutants: print(f"{m.where} {m.kind}\n  {m.before}\n  {m.after}")
        return print(len(mutants), "mutants")
    begin = time.time()
    bench = Bench(options.work.resolve(), options.build.resolve(), mutants, options.tests, options.jobs, options.linked)
    print(f"{len(bench.mutants)} mutants compiled, {len(bench.dropped)} are no C++; {time.time() - begin:.0f} s", flush=True)
    bench.note_reached()
    print(f"{len(bench.seconds)} tests, {sum(bench.seconds.values()):.0f} s; {time.time() - begin:.0f} s", flush=True)

    draw = random.Random(options.seed)
    chosen = []
    for name in files:
        of = [m for m in bench.mutants if m.file == name]
        chosen += draw.sample(of, min(options.count or len(of), len(of)))
    draw.shuffle(chosen)  # a part of them says something about all
    results = options.work / "results.json"
    known = json.loads(results.read_text()) if options.again and results.exists() else {}
    for m in chosen: m.killer = known.get(m.key)
    lock, done, open_ones = threading.Lock(), 0, [m for m in chosen if not m.killer]
    def tried(mutant):
        nonlocal done
        mutant.killer = bench.killer(mutant)
        with lock:
            done += 1
            known[mutant.key] = mutant.killer
            results.write_text(json.dumps(known, indent=1))
            print(f"[{done}/{len(open_ones)}] {mutant.where} {mutant.kind}: {mutant.killer or 'SURVIVED'}", flush=True)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool: list(pool.map(tried, open_ones))

    equivalent = [m for m in chosen if m.key in reasons]
    counted = [m for m in chosen if m.key not in reasons]
    survivors = [m for m in counted if not m.killer]
    print()
    for name in files:
        of = [m for m in counted if m.file == name]
        if of: print(f"{name:36} {sum(bool(m.killer) for m in of):3} of {len(of):3}")
    for m in equivalent:
        if m.killer: print(f"\n{m.where}: listed as equivalent, but {m.killer} fails: {m.after}")
    for m in survivors:
        print(f"\n{m.where} {m.kind}{', reached by no test' if m.killer is None else ''}\n  before: {m.before}\n  after:  {m.after}")
    percent = 100 * (len(counted) - len(survivors)) / max(len(counted), 1)
    print(f"\n{len(counted) - len(survivors)} of {len(counted)} mutants killed ({percent:.1f} per cent); {len(equivalent)} more change nothing that "
          f"can be seen (tests/mutate_equivalent.txt), {len(bench.dropped)} are no C++; {time.time() - begin:.0f} s")
    sys.exit(percent < 90 or any(m.killer for m in equivalent))

if __name__ == "__main__": main()
