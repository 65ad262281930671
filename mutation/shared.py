"""What mutants of the engine and of the other modules share: files, results, the report."""

import hashlib
import json
import pathlib
import re
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
BUILD = ROOT / ".build" / "mutation"


def write(path, text):
    """Writes a file if it changes, so that builds stay incremental."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def write_switch(folder):
    """Writes the module that knows which mutant is switched on."""
    write(folder / "include/mutant.h", (HERE / "mutant.h").read_text())
    write(folder / "include/module.modulemap", 'module CMutant { header "mutant.h" export * }\n')
    write(folder / "mutant.c", (HERE / "mutant.c").read_text())


def refused(output, mutants):
    """The names of the mutants on lines that the compiler complains about."""
    names = set()
    for path, line in set(re.findall(r"^(/[^:\n]+\.swift):(\d+):\d+: error:", output, re.M)):
        code = pathlib.Path(path).read_text().split("\n")
        # What a function or a closure lacks is reported at its closing brace.
        line = int(line) - code[int(line) - 1].strip().startswith("}")
        names |= {mutants.all[int(number) - 1]["name"]
                  for number in re.findall(r"mutant_is\((\d+)\)", code[line - 1])}
    return names


def digest(paths):
    """A sum of the contents of files."""
    sums = hashlib.sha256()
    for path in sorted(paths):
        sums.update(path.read_bytes())
    return sums.hexdigest()


class Results:
    """How mutants ended, by their names, kept in a file.

    New sources begin anew. With new tests, only what survived is run again.
    """

    def __init__(self, path, sources, tests):
        self.path, self.sources, self.tests = path, sources, tests
        earlier = json.loads(path.read_text()) if path.exists() else {}
        self.of = earlier.get("of", {}) if earlier.get("sources") == self.sources else {}
        self.lock = threading.Lock()
        self.saved = time.monotonic()
        if earlier.get("tests") != self.tests:
            self.of = {name: end for name, end in self.of.items() if end[0] != "survived"}

    def add(self, name, end):
        with self.lock:
            self.of[name] = end
            if time.monotonic() > self.saved + 5:
                self.save()

    def save(self):
        self.saved = time.monotonic()
        self.path.write_text(json.dumps(
            {"sources": self.sources, "tests": self.tests, "of": self.of}, indent=0))


def reasons(*names):
    """The reasons in some files of equivalent/: for each mutant its group and the reason."""
    result = {}
    for name in names:
        path = HERE / f"equivalent/{name}.txt"
        group = reason = ""
        for line in path.read_text().split("\n") if path.exists() else []:
            if match := re.match(r"\[(.*?)\] (.*)$", line):
                group, reason = match.groups()
            elif line.startswith("  ") and group:
                result[line.strip()] = (group, reason)
    return result


def report(chosen, mutants, of, explained):
    """Prints the survivors and the table.

    Returns the survivors without a reason and the reasons without a survivor, and the lowest score of
    a folder.
    """
    groups = sorted({group for group, _ in explained.values()})
    table, surprises, survived = {}, [], set()
    for number in chosen:
        mutant = mutants.all[number - 1]
        name = mutant["name"]
        folder = name.split("/")[0]
        row = table.setdefault(folder, {"refused": 0, "killed": 0, "survived": 0,
                                        **{group: 0 for group in groups}})
        outcome, _, remark = of.get(name, ["", 0, ""])
        outcome = outcome if mutant["usable"] else "refused"
        if outcome == "survived":
            survived.add(name)
            if name in explained:
                outcome = explained[name][0]
            else:
                surprises.append(name)
                print(f"survived: {name}  (line {mutant['line']}{', ' + remark if remark else ''})")
        if outcome:
            row["killed" if outcome == "crashed" else outcome] += 1
    ran = {mutants.all[number - 1]["name"] for number in chosen
           if mutants.all[number - 1]["name"] in of}
    names = {mutant["name"] for mutant in mutants.all}
    stale = [name for name in explained if name not in names or name in ran - survived]
    for name in stale:
        print(f"no longer survives, or is gone: {name}")
    columns = ["killed", "survived", *groups, "refused"]
    total = {column: sum(row[column] for row in table.values()) for column in columns}
    print(f"\n| folder | {' | '.join(columns)} | score |\n|---|{'---:|' * (len(columns) + 1)}")
    scores = []
    for folder, row in [*sorted(table.items()), ("all", total)]:
        scores.append(100 * row["killed"] / max(row["killed"] + row["survived"], 1))
        print(f"| `{folder}` | " + " | ".join(f"{row[column]:,}" for column in columns)
              + f" | {scores[-1]:.1f} % |")
    return surprises + stale, min(scores)
