#!/usr/bin/env python3
"""Every kind of signal block and load has a page in docs/guide with all of its fields and no others, as the program's schema
has them: which are required, and the defaults that the schema tells."""
import json
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from checks import expect, failures  # noqa: E402

program, guide = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve() / "docs/guide"
schema = json.loads(subprocess.run([program, "schema"], capture_output=True, text=True, check=True).stdout)

of_any = ("expression", "unit")  # of every signal, whatever its kind: told in the overview


def kinds(section, flat):
    """{kind: (fields, names of those required)}; the fields of the kind `flat` stand in the section itself."""
    found = {flat: ({}, {flat})}
    for name, field in schema["$defs"][section]["properties"].items():
        mapping = schema["$defs"].get(field.get("$ref", "").removeprefix("#/$defs/"), {})
        if mapping.get("type") == "object":
            found[name] = (mapping["properties"], set(mapping.get("required", [])))
        elif name not in of_any:
            found[flat][0][name] = field
    return found


def default_in(note):
    match = re.search(r"(\w+) \(default\)|default (\S+)", note)
    return (match[1] or match[2]).rstrip(";,:") if match else None


pages = 0
for folder, section, flat in (("blocks", "signal", "integral"), ("loads", "load", "body")):
    table = kinds(section, flat)
    overview = (guide / folder / "README.md").read_text()
    written = {p.stem for p in (guide / folder).glob("*.md")} - {"README"}
    expect(written == set(table), f"{folder}: pages without a kind {written - set(table)}, kinds without a page {set(table) - written}")
    if section == "signal":
        expect(all(f"`{name}`" in overview for name in of_any), f"{folder}/README.md does not tell {of_any}")
    expect(set(re.findall(r"^\| \[(\w+)\]\(\1\.md\)", overview, re.M)) == set(table), f"{folder}/README.md does not list the kinds")
    for kind in written & set(table):
        pages += 1
        fields, required = table[kind]
        text = (guide / folder / f"{kind}.md").read_text()
        rows = {row[0]: row[1:] for row in re.findall(r"^\| `(\w+)` \| (.*?) \| (.*?) \| (.*?) \|$", text, re.M)}
        expect(set(rows) == set(fields), f"{folder}/{kind}.md: fields {sorted(set(rows) ^ set(fields))} are on one side only")
        for name in set(rows) & set(fields):
            unit, default, _ = rows[name]
            expect((default == "required") == (name in required), f"{folder}/{kind}.md: is {name} required?")
            told = default_in(fields[name].get("description", ""))
            expect(told is None or default.strip("`").split(" ")[0] == told, f"{folder}/{kind}.md: the default of {name} is {told}, not {default}")
        examples = [b for b in re.findall(r"^```yaml\n(.*?)^```$", text, re.S | re.M) if "gyrostat: 1" in b]
        expect(any(re.search(rf"\b{kind}: ", b.split(section)[-1]) for b in examples), f"{folder}/{kind}.md: no example has a {kind}")
expect(pages >= 15, "pages found")
print(f"{pages} pages, {len(failures)} failures")
sys.exit(len(failures) > 0)
