"""Plants the mistakes of mutants.txt in a copy of the tree, builds it once, and runs for each one the tests that name it.

  Tests/Mutants/run                       all, where the last run stopped
  Tests/Mutants/run NAME…                 these
  Tests/Mutants/run --jobs 1 --again      one at a time; forget what earlier runs found
  Tests/Mutants/run --check               only whether each mistake can be planted, without building

The exit code is 1 where a mistake survives, does not compile, or its tests fail without it.
"""

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock

from planting import VARIABLE, Copy, ListError, Mutant, TreeDigests, read_list

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / ".build" / "mutants"
TREE, BUILD, STATE, LOGS = FOLDER / "tree", FOLDER / "build", FOLDER / "state.json", FOLDER / "logs"
NO_MISTAKE = "none"


class State:
    """What earlier runs found, kept after each finding."""

    def __init__(self, path: Path, forget: bool):
        self.path, self.lock = path, Lock()
        self.found = json.loads(path.read_text()) if path.exists() and not forget else {}

    def get(self, key: str) -> dict | None:
        """The finding of a key; nil where there is none."""
        return self.found.get(key)

    def set(self, key: str, finding: dict) -> None:
        """Keeps a finding."""
        self.set_all({key: finding})

    def set_all(self, findings: dict[str, dict]) -> None:
        """Keeps findings."""
        with self.lock:
            self.found.update(findings)
            fresh = self.path.with_suffix(".new")
            fresh.write_text(json.dumps(self.found, indent=1))
            fresh.rename(self.path)


class Tests:
    """The built tests of the copy."""

    def __init__(self):
        self.program = next((BUILD / "debug").glob("*PackageTests.xctest"))
        listed = self.command(["--list-tests"])
        self.names = subprocess.run(listed, check=True, capture_output=True, text=True, cwd=TREE).stdout.splitlines()

    def command(self, arguments: list[str]) -> list[str]:
        """A command of the test program."""
        return [str(self.program), "--testing-library", "swift-testing", *arguments]

    def unknown(self, tests: list[str]) -> list[str]:
        """Those of the names that no test has."""
        return [test for test in tests if not any(re.search(pattern(test), name) for name in self.names)]

    def run(self, tests: list[str], mistake: str, limit: float) -> dict:
        """Runs the tests of these names with one mistake chosen: outcome, seconds, and the tests that failed."""
        filters = [part for test in tests for part in ("--filter", pattern(test))]
        environment = {**os.environ, VARIABLE: mistake}
        log, began = LOGS / f"{mistake}.log", time.monotonic()
        with log.open("wb") as output:
            child = subprocess.Popen(
                self.command(filters), cwd=TREE, env=environment, stdout=output, stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL, start_new_session=True,
            )
            code = wait(child, limit)
        seconds = round(time.monotonic() - began, 1)
        return {**outcome(code, log.read_text(errors="replace")), "seconds": seconds}


def wait(child: subprocess.Popen, limit: float) -> int | None:
    """The exit code of a child; nil where the limit came first, and then all of its session is killed."""
    try:
        return child.wait(limit)
    except subprocess.TimeoutExpired:
        return None
    finally:
        try:
            os.killpg(child.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        child.wait()


def outcome(code: int | None, said: str) -> dict:
    """What a run of tests found."""
    failed = sorted(set(re.findall(r'^✘ Test "?([^\n]*?)"? (?:recorded an issue|failed after)', said, re.MULTILINE)))
    failed = [name for name in failed if not name.startswith("run with")]
    if code is None:
        return {"outcome": "hung", "failed": failed}
    if code == 0:
        return {"outcome": "survived" if re.search(r"Test run with [1-9]", said) else "not run", "failed": []}
    if code < 0:
        return {"outcome": "crashed", "failed": failed + [f"signal {-code}"]}
    if not failed:
        return {"outcome": "unclear", "failed": [f"exit code {code}"]}
    return {"outcome": "caught", "failed": failed}


def pattern(test: str) -> str:
    """The regular expression of a test's name as the list gives it: Module, Module.Suite or Module.Suite/test."""
    return "^" + re.escape(test) + r"([.(/]|$)"


def build(copy: Copy, mutants: list[Mutant]) -> list[Mutant]:
    """Builds the copy; returns the mistakes that do not compile and are left out of it."""
    refused: list[Mutant] = []
    while True:
        copy.make([mutant for mutant in mutants if mutant not in refused])
        command = ["swift", "build", "--build-tests", "--package-path", str(TREE), "--scratch-path", str(BUILD)]
        print(f"Building; {LOGS / 'build'} says how far …", flush=True)
        with (LOGS / "build").open("wb") as output:
            code = subprocess.run(command, cwd=TREE, stdout=output, stderr=subprocess.STDOUT).returncode
        if code == 0:
            return refused
        said = (LOGS / "build").read_text(errors="replace")
        errors = re.findall(rf"^({re.escape(str(TREE))}/)?([^\s:]+):(\d+):\d+: (error: .*)", said, re.MULTILINE)
        new = []
        for _, file, line, text in sorted(set(errors)):
            mutant = copy.at(file, int(line))
            print(f"{mutant.name if mutant else file + ':' + line}: {text}")
            if mutant and mutant not in refused + new:
                new.append(mutant)
        if not new:
            sys.exit("\n".join(said.splitlines()[-40:]) + "\nThe copy does not build.")
        refused += new


def baseline(tests: Tests, mutants: list[Mutant], trees: TreeDigests, state: State) -> dict[str, float]:
    """Runs the tests of all mistakes without one; returns the most seconds that those of each module take."""
    named = sorted({test for mutant in mutants for test in mutant.tests})
    if unknown := tests.unknown(named):
        raise ListError(f"no such test: {', '.join(unknown)}")
    seconds: dict[str, float] = {}
    for module in sorted({test.split(".")[0] for test in named}):
        keys = {test: f"{trees.of({module})} {NO_MISTAKE} {test}" for test in named if test.split(".")[0] == module}
        missing = [test for test, key in keys.items() if not state.get(key)]
        if missing:
            print(f"{module}: {len(missing)} names without a mistake …", flush=True)
            finding = tests.run(missing, NO_MISTAKE, 3600)
            if finding["outcome"] != "survived":
                sys.exit(f"{module} fails without a mistake: {'; '.join(finding['failed'])}")
            state.set_all({keys[test]: finding for test in missing})
        seconds[module] = sum({state.get(key)["seconds"] for key in keys.values()})
    return seconds


def try_one(tests: Tests, mutant: Mutant, key: str, limits: dict[str, float], state: State) -> None:
    """Runs the tests of one mistake with it, and keeps what they found."""
    limit = 120 + 5 * sum(limits[module] for module in mutant.modules)
    finding = tests.run(mutant.tests, mutant.name, limit)
    state.set(key, finding)
    print(f"{finding['outcome']:9} {finding['seconds']:7.1f} s  {mutant.name}", flush=True)


def report(mutants: list[Mutant], findings: dict[str, dict]) -> int:
    """Prints the table; returns the exit code."""
    counts: dict[str, int] = {}
    print(f"\n{'outcome':15} {'seconds':>7}  mistake: tests that failed")
    for mutant in mutants:
        finding = findings[mutant.name]
        counts[finding["outcome"]] = counts.get(finding["outcome"], 0) + 1
        failed = "; ".join(name[:100] for name in finding["failed"][:3])
        print(f"{finding['outcome']:15} {finding['seconds']:7.1f}  {mutant.name}: {failed}")
    print(", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items())))
    missed = [mutant for mutant in mutants if not mutant.is_caught(findings[mutant.name]["outcome"])]
    for mutant in missed:
        print(f"\n{mutant.name} ({mutant.file}) is not caught by {', '.join(mutant.tests)}: {mutant.harm}")
    return 1 if missed else 0


def main() -> int:
    """Runs what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1), help="mistakes tried at a time")
    parser.add_argument("--again", action="store_true", help="forget what earlier runs found")
    parser.add_argument("--list", type=Path, default=Path(__file__).with_name("mutants.txt"), help="another list")
    parser.add_argument("--check", action="store_true", help="only plant the mistakes, in memory")
    options = parser.parse_args()
    every = read_list(options.list)
    if options.check:
        Copy(ROOT, TREE).planted_texts(every)
        return 0
    LOGS.mkdir(parents=True, exist_ok=True)
    if unknown := set(options.names) - {mutant.name for mutant in every}:
        raise ListError(f"no such mistake: {', '.join(sorted(unknown))}")
    wanted = [mutant for mutant in every if not options.names or mutant.name in options.names]
    trees, state = TreeDigests(ROOT), State(STATE, options.again)
    refused = build(Copy(ROOT, TREE), every)
    tests = Tests()
    built = [mutant for mutant in wanted if mutant not in refused]
    limits = baseline(tests, built, trees, state)
    keys = {mutant.name: f"{trees.of(mutant.modules)} {mutant.digest}" for mutant in built}
    with ThreadPoolExecutor(options.jobs) as pool:
        open_ones = [mutant for mutant in built if not state.get(keys[mutant.name])]
        list(pool.map(lambda mutant: try_one(tests, mutant, keys[mutant.name], limits, state), open_ones))
    findings = {mutant.name: state.get(keys[mutant.name]) for mutant in built}
    for mutant in refused:
        findings[mutant.name] = {"outcome": "did not compile", "failed": [], "seconds": 0}
    return report(wanted, findings)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except ListError as error:
        sys.exit(f"Tests/Mutants/mutants.txt: {error}")
