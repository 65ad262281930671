"""Mutates modules other than the engine, and counts what their unit tests notice.

A copy of the package has the mutants, as many of each module as `--sample` says or 150. Each suite of tests is run
once without a mutant, which shows how long it takes and which mutants it reaches. For each mutant the suites
that reach it are run in processes of their own, the quick ones first, until a test fails.
"""

import concurrent.futures
import hashlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

from mutants import Mutants
from shared import BUILD, ROOT, Results, digest, reasons, refused, report, write, write_switch

COPY = BUILD / "modules"
SAMPLE, SCORE = 150, 95
# For each module: its folder, the target that must import the switch, and the modules of its tests.
MODULES = {
    "LinearRegex": ("Engine/LinearRegex", "LinearRegex", ["LinearRegex"]),
    "FilterSet": ("Engine/ExpressionEngine/FilterSet", "ExpressionEngine",
                  ["ExpressionEngine", "AudienceFilters", "FilterCorpus"]),
    "FilterAnalysis": ("Authoring/FilterAnalysis", "FilterAnalysis",
                       ["FilterAnalysis", "FilterAuthoring", "FilterCorpus", "CampaignAnalysis",
                        "LanguageService", "Documentation"]),
    "FilterAuthoring": ("Authoring/FilterAuthoring", "FilterAuthoring",
                        ["FilterAuthoring", "FilterCorpus", "LanguageService"]),
    "CampaignCore": ("Runtime/CampaignCore", "CampaignCore",
                     ["CampaignCore", "CampaignMatcher", "CampaignCorpus"]),
    "CampaignMatcher": ("Runtime/CampaignMatcher", "CampaignMatcher",
                        ["CampaignMatcher", "CampaignCorpus", "CampaignStore", "CampaignHost"]),
    "CampaignStore": ("Runtime/CampaignStore", "CampaignStore", ["CampaignStore"]),
    "PaywallLogic": ("Runtime/PaywallLogic", "PaywallLogic",
                     ["PaywallLogic", "CampaignHost", "CampaignCorpus"]),
    "CampaignAnalysis": ("Campaigns/CampaignAnalysis", "CampaignAnalysis",
                         ["CampaignAnalysis", "CampaignMatcher"]),
    "FilterSQL": ("Warehouse/FilterSQL", "FilterSQL", ["FilterSQL"]),
    "CInterface": ("Interfaces/CInterface", "CInterface", ["CInterface"]),
}
# Folders whose mutants the corpus shows (`run --lints`).
LEFT_TO_CORPUS = {"FilterAuthoring": {"Linting"}}
# Seconds of processor time that a suite may take without a mutant; a slower one is left out. Only
# databases tell what SQL is worth.
MOST_SECONDS = 20
MORE_SECONDS = {"FilterSQL": 150}
# The most seconds of all suites in the first process of a mutant, in the second, and so on.
STEPS = [1.5, 6]


# MARK: The copy


def sources(name):
    folder = ROOT / "Sources" / MODULES[name][0]
    return sorted(path for path in folder.rglob("*.swift")
                  if path.relative_to(folder).parts[0] not in LEFT_TO_CORPUS.get(name, ()))


def mutate(names, unusable, chosen=None):
    """The mutants of some modules, and the changed texts of their files."""
    mutants, texts = Mutants(unusable, chosen), {}
    for name in names:
        # A change of a module leaves the numbers of the others, which need not be compiled anew.
        mutants.skip_to_thousand()
        folder = ROOT / "Sources" / MODULES[name][0]
        for path in sources(name):
            short = f"{name}/{path.relative_to(folder)}"
            texts[path.relative_to(ROOT)] = mutants.file(path.read_text(), short)
    return mutants, texts


def sample(mutants, options):
    """The numbers of the mutants to run: the same ones for a seed, however the sources change."""
    def place(number):
        return hashlib.sha256(f"{options.seed} {mutants.all[number - 1]['name']}".encode()).digest()

    found = {}
    for number, mutant in enumerate(mutants.all, 1):
        if mutant["usable"] and re.search(options.only or "", mutant["name"]):
            found.setdefault(mutant["name"].split("/")[0], []).append(number)
    return sorted(number for numbers in found.values()
                  for number in sorted(numbers, key=place)[:options.sample])


def tests_of(names):
    return {f"{test}Tests" for name in names for test in MODULES[name][2]}


def manifest(names):
    """The package with the switch, and with no other tests than those of the modules."""
    text = (ROOT / "Package.swift").read_text().replace(".treatAllWarnings(as: .error),", "")
    needed = tests_of(names)
    for target in re.findall(r"    \.testTarget\(.*?\),\n(?=    \.|    //|  \]\n)", text, re.S):
        if re.search(r'name: "(\w+)"', target)[1] not in needed:
            text = text.replace(target, "")
    for target in {MODULES[name][1] for name in names}:
        text = text.replace(f'.target(name: "{target}")', f'.target(name: "{target}", dependencies: [])')
        text = re.sub(rf'(\.target\(\s*name: "{target}",\s*dependencies: \[)', r'\1"CMutant", ', text)
    return text.replace("\n  targets: [", '\n  targets: [\n    .target(name: "CMutant"),', 1)


def write_copy(names, texts):
    """Writes the copy of the package with changed texts; leaves alone what has not changed."""
    listed = subprocess.run(["git", "ls-files", "-z", "-co", "--exclude-standard"], cwd=ROOT,
                            stdout=subprocess.PIPE, check=True).stdout.decode().split("\0")
    kept = {COPY / name for name in listed if (ROOT / name).is_file()}
    for path in kept:
        relative = path.relative_to(COPY)
        content = (ROOT / relative).read_bytes()
        if relative in texts:
            content = texts[relative].encode()
        elif str(relative) == "Package.swift":
            content = manifest(names).encode()
        if not path.exists() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            shutil.copymode(ROOT / relative, path)
    for folder in ("Sources", "Tests", "corpus"):
        for path in (COPY / folder).rglob("*"):
            if path.is_file() and path not in kept and "CMutant" not in path.parts:
                path.unlink()
    write_switch(COPY / "Sources/CMutant")
    python = ROOT / "warehouse/.venv"
    if python.exists() and not (COPY / "warehouse/.venv").exists():
        (COPY / "warehouse/.venv").symlink_to(python)


def nearest(output, mutants):
    """The names of the mutants that are closest to the lines that the compiler complains about."""
    names = set()
    for path, line in set(re.findall(r"^(/[^:\n]+\.swift):(\d+):\d+: error:", output, re.M)):
        with open(path, encoding="utf-8") as file:
            found = [(abs(number - int(line)), mutant) for number, text in enumerate(file, 1)
                     for mutant in re.findall(r"mutant_is\((\d+)\)", text)]
        if found:
            names.add(mutants.all[int(min(found)[1]) - 1]["name"])
    return names


def build(names, options):
    """Builds the copy without what the compiler refuses. Returns the mutants and those to run."""
    log = BUILD / "modules-unusable.json"
    unusable = set(json.loads(log.read_text())) if log.exists() else set()
    command = [os.environ.get("SWIFT", "swift"), "build", "--product", "swexprPackageTests",
               "--package-path", str(COPY)]
    environment = dict(os.environ, SWIFT_DETERMINISTIC_HASHING="1", SWEXPR_OPTIMIZE_TESTS="1")
    while True:
        mutants, _ = mutate(names, unusable)
        chosen = sample(mutants, options)
        mutants, texts = mutate(
            names, unusable, {mutants.all[number - 1]["name"] for number in chosen})
        write_copy(names, texts)
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              env=environment)
        if done.returncode == 0:
            return mutants, chosen
        found = refused(done.stdout, mutants) or nearest(done.stdout, mutants)
        if not found:
            sys.exit(done.stdout + "\nmutation: the copy does not build")
        print(f"the compiler refuses {len(found)} mutants: {', '.join(sorted(found))}", flush=True)
        unusable |= found
        log.write_text(json.dumps(sorted(unusable), indent=0))


# MARK: Tests


class Tests:
    """The suites of tests: what each takes, and which mutants it reaches."""

    def __init__(self, names, mutants):
        self.program = [str(next((COPY / ".build/debug").glob("*PackageTests.xctest"))),
                        "--testing-library", "swift-testing"]
        self.modules = tests_of(names)
        self.most = max(MORE_SECONDS.get(name, MOST_SECONDS) for name in names)
        self.width = len(mutants.all) + 1
        self.path = BUILD / "modules-suites.json"
        self.suites = {}

    def run(self, suites, seconds, wait, change):
        """Runs suites until a test fails. Returns the failure, or None, and the processor time.

        Only a mutant takes so many seconds of processor time, or waits for so many in all.
        """
        pattern = "^(" + "|".join(re.escape(suite) for suite in sorted(suites)) + r")(/|\()"
        environment = dict(os.environ, SWIFT_BACKTRACE="enable=no", **change)
        limited = ["sh", "-c", 'ulimit -t "$0" && exec "$@"', str(int(seconds) + 1)]
        with subprocess.Popen([*limited, *self.program, "--filter", pattern], cwd=COPY,
                              env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace",
                              start_new_session=True) as process:
            late = threading.Event()

            def end():
                try:
                    os.killpg(process.pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass

            def expire():
                late.set()
                end()

            timer = threading.Timer(wait, expire)
            timer.start()
            failure = None
            for line in process.stdout:
                # Where the terminal has colours, they come first.
                if re.match(r"(\x1b\[\d+m)?✘", line) or ": Fatal error: " in line:
                    failure = line.strip()[:200]
                    break
            timer.cancel()
            if failure:
                end()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        if late.is_set():
            failure = "waits for too long"
        elif process.returncode and not failure:
            failure = f"ends with {process.returncode}"
        return failure, usage.ru_utime + usage.ru_stime

    def measure(self, jobs):
        """Runs each suite without a mutant, unless it has been run before."""
        known = json.loads(self.path.read_text()) if self.path.exists() else {}
        base = digest([*(COPY / "Sources").rglob("*.swift"), *(COPY / "corpus").rglob("*.*")])
        listed = subprocess.run([*self.program, "--list-tests"], cwd=COPY, check=True, text=True,
                                stdout=subprocess.PIPE).stdout
        # Tests outside of a suite are suites of their own.
        found = sorted({re.split(r"[/(]", line)[0] for line in listed.split("\n")
                        if line.split(".")[0] in self.modules})
        sums = {module: digest((COPY / "Tests" / module).rglob("*.*")) for module in self.modules}

        def one(suite):
            key = base + sums[suite.split(".")[0]]
            if known.get(suite, {}).get("key") == key and "wait" in known[suite]:
                return suite, known[suite]
            path = BUILD / f"reached-{suite}"
            path.write_bytes(bytes(self.width))
            start = time.monotonic()
            failure, seconds = self.run([suite], 2 * self.most, 30 * self.most,
                                        {"SWEXPR_MUTANTS_REACHED": str(path)})
            wait = time.monotonic() - start
            reached = [number for number, byte in enumerate(path.read_bytes()) if byte]
            path.unlink()
            return suite, {"key": key, "seconds": seconds, "wait": wait, "failure": failure,
                           "reached": reached}

        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            for suite, measured in pool.map(one, found):
                known[suite] = measured
                if measured["failure"]:
                    print(f"left out: {suite}, which fails without a mutant: {measured['failure']}")
                elif measured["seconds"] > self.most:
                    print(f"left out: {suite}, which takes {measured['seconds']:.0f} s")
                else:
                    self.suites[suite] = measured
        self.path.write_text(json.dumps(known))
        print(f"{len(self.suites)} suites, "
              f"{sum(suite['seconds'] for suite in self.suites.values()):.0f} s", flush=True)

    def end(self, number):
        """How a mutant ends: outcome, seconds, remark."""
        left, taken = sorted((measured["seconds"], suite) for suite, measured in self.suites.items()
                      if number in measured["reached"]), 0
        if not left:
            return "survived", 0, "no test gets there"
        for step in [*STEPS, None]:
            now, total, wait = [], 0, 0
            while left and (not now or step is None or total + left[0][0] <= step):
                seconds, suite = left.pop(0)
                total += seconds
                wait += self.suites[suite]["wait"]
                now.append(suite)
            if not now:
                break
            # A machine that does something else, too, makes them wait.
            failure, seconds = self.run(
                now, 5 + 5 * total, 15 + 5 * wait, {"SWEXPR_MUTANT": str(number)})
            taken += seconds
            if failure:
                return "killed", taken, failure
        return "survived", taken, ""


# MARK: Runs


def run_module(name, mutants, chosen, options):
    """Runs the mutants of a module, and returns how they ended, by their names."""
    tests = Tests([name], mutants)
    tests.measure(options.jobs)
    path = BUILD / f"modules-{name}.json"
    if options.fresh:
        path.unlink(missing_ok=True)
    folders = ["corpus", "Tests/TestSupport", *(f"Tests/{test}" for test in tests_of([name]))]
    results = Results(path, digest(sources(name)), digest(
        path for folder in folders for path in (ROOT / folder).rglob("*.*") if path.is_file()))
    left = [number for number in chosen if mutants.all[number - 1]["name"] not in results.of]
    # What an interrupted run has done is a sample.
    random.Random(options.seed).shuffle(left)
    print(f"{name}: {len(chosen)} mutants, {len(left)} to run", flush=True)
    until = time.monotonic() + options.minutes * 60 if options.minutes else None

    def one(number):
        if not until or time.monotonic() < until:
            results.add(mutants.all[number - 1]["name"], tests.end(number))

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(one, left))
    results.save()
    return results.of


def run(options):
    """Runs a sample of mutants of the modules, and returns the exit status."""
    # As given; of all, the small ones first.
    names = (sorted(MODULES, key=lambda name: len(sources(name))) if "all" in options.module
             else list(dict.fromkeys(options.module)))
    if options.list:
        mutants, _ = mutate(names, [])
        for number in sample(mutants, options):
            print(f"{number:5} {mutants.all[number - 1]['name']}")
        return 0
    options.sample = options.sample or SAMPLE
    mutants, chosen = build(names, options)
    of = {}
    for name in names:
        own = [number for number in chosen if mutants.all[number - 1]["name"].startswith(name + "/")]
        of |= run_module(name, mutants, own, options)
    _, score = report(chosen, mutants, of, reasons(*names))
    return 0 if score >= SCORE else 1
