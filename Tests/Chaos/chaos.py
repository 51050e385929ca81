#!/usr/bin/env python3
"""Disturbs a farm of real processes at seeded moments and compares the movies' bytes with those of an undisturbed run.

    chaos.py BUILD-FOLDER [--kills N] [--stalls N] [--full-disks N] [--proxy N] [--recoveries N] [--scale-ins N]
             [--exports N] [--owner-minutes N] [--seed S] [--fresh]

Each round is one job of the same edit that meets faults of one kind: kills, processes that stand still, a full disk, or
a proxy that stalls, cuts, replays and reorders. What earlier rounds stored is removed first, so that every part is
uploaded again. After a round judge.py looks at everything that must hold. A fault that hit nothing fails its round. At
the end recovery.py measures, scaling.py ends workers in good order, night.py exports a manifest of many edits, and
owners.py measures beside a hostile owner.

A run that was stopped goes on where it was: below .build/chaos is a record for each set of options and programs.
--fresh begins anew, and so does a run after one that came to its end.
"""
import argparse
import pathlib
import random
import signal
import subprocess
import sys
import time

import mounts
import record
from disks import FullDisks
from farm import Farm, FarmLost
from http_proxy import Proxy
from kills import Kills
from proxy import Proxied
from stalls import Stalls

FOLDER = pathlib.Path(__file__).resolve().parent
ROOT = FOLDER.parents[1]
EDIT = FOLDER / "edit.json"
KINDS = ["kills", "stalls", "full disks", "proxy"]


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", help="folder of cutfarm and cutfarm-render")
    parser.add_argument("--kills", type=int, default=200, help="processes that are killed")
    parser.add_argument("--stalls", type=int, default=50, help="processes that are stopped with SIGSTOP for 1 to 30 s")
    parser.add_argument("--full-disks", type=int, default=24, help="rounds with a full disk")
    parser.add_argument("--proxy", type=int, default=50, help="rounds through a proxy that makes faults")
    parser.add_argument("--recoveries", type=int, default=100, help="kills of recovery.py; 0 leaves it out")
    parser.add_argument("--scale-ins", type=int, default=50, help="workers that scaling.py ends; 0 leaves it out")
    parser.add_argument("--exports", type=int, default=300, help="exports of night.py; 0 leaves it out")
    parser.add_argument("--owner-minutes", type=float, default=10, help="minutes of owners.py; 0 leaves it out")
    parser.add_argument("--seed", type=int, default=20261121)
    parser.add_argument("--fresh", action="store_true", help="begin anew instead of going on with a stopped run")
    return parser.parse_args()


class Run:
    """The schedule, which follows from the options alone, and the farm on which its rounds are."""

    def __init__(self, options):
        self.options = options
        named = {name: value for name, value in vars(options).items() if name not in ("build", "fresh")}
        path = ROOT / ".build/chaos" / f"{record.key(EDIT, options.build, named)}.jsonl"
        self.record = record.Record(path, options.fresh)
        self.farm, self.kind, self.reference = None, None, None
        if self.record.rounds:
            print(f"going on after {len(self.record.rounds)} rounds in {path}", flush=True)

    def generator(self, kind, number):
        return random.Random(f"{self.options.seed} {kind} {number}")

    def rounds(self, kind):
        """The rounds of a kind in their order, as functions of a farm, until their faults are as many as wanted."""
        wanted = getattr(self.options, kind.replace(" ", "_"))
        number = 0
        while wanted > 0:
            make = self.maker(kind, number, wanted)
            wanted -= make(None).size
            yield number, make
            number += 1

    def maker(self, kind, number, wanted):
        def make(farm):
            rng = self.generator(kind, number)
            if kind == "kills":
                return Kills(farm, EDIT, rng, self.reference, kills=min(4, wanted))
            if kind == "stalls":
                return Stalls(farm, EDIT, rng, self.reference, stalls=min(2, wanted))
            if kind == "full disks":
                return FullDisks(farm, EDIT, rng, self.reference, number=number)
            return Proxied(farm, EDIT, rng, self.reference, number=number)
        return make

    def run(self):
        try:
            for kind in KINDS:
                if kind == "full disks" and self.options.full_disks and not mounts.is_possible():
                    print(f"{kind}: {self.options.full_disks} rounds are not run: this user may not mount file systems")
                    self.record.add("not run", KINDS.index(kind), [f"{self.options.full_disks} rounds of {kind}"], 0)
                    continue
                for number, make in self.rounds(kind):
                    if not self.record.has(kind, number):
                        self.run_round(kind, number, make)
                self.close_farm()
        finally:
            self.close_farm()
        self.run_program("recovery", self.options.recoveries, "--kills", self.options.recoveries)
        self.run_program("scaling", self.options.scale_ins, "--scale-ins", self.options.scale_ins)
        self.run_program("night", self.options.exports, "--exports", self.options.exports)
        self.run_program("owners", self.options.owner_minutes, "--minutes", self.options.owner_minutes)

    def run_round(self, kind, number, make):
        began = time.monotonic()
        farm = self.farm_for(kind)
        this = make(farm)
        try:
            problems = this.run()
        except OSError as error:
            problems = this.problems + [f"the farm did not answer: {error}"]
        entry = self.record.add(kind, number, problems, time.monotonic() - began, faults=this.size, hits=this.hits,
                                counts=this.counts)
        text = "; ".join(problems) or "same bytes"
        print(f"{kind} {number + 1}: {'; '.join(this.what)}: {text} ({entry['seconds']} s)", flush=True)
        if problems:
            # The next round has a farm that nothing happened to; this one's folder stays for its logs.
            print(f"  logs are in {farm.folder}", flush=True)
            self.close_farm(is_kept=True)

    def farm_for(self, kind):
        if self.farm and self.kind == kind:
            return self.farm
        self.close_farm()
        proxies = []

        def through_proxy(port):
            proxies.append(Proxy(port))
            return proxies[0].port

        disks = mounts.Disks() if kind == "full disks" else None
        self.farm = Farm(self.options.build, disks=disks, port_for_workers=through_proxy if kind == "proxy" else None)
        self.farm.proxy = proxies[0] if proxies else None
        self.kind = kind
        view = self.farm.wait(self.farm.submit(EDIT))
        if view["state"] != "completed":
            raise FarmLost(f"the undisturbed job ended {view['state']}: {view.get('failure')}")
        if self.reference and view["artifact"] != self.reference:
            raise FarmLost(f"two undisturbed runs differ: {self.reference} and {view['artifact']}")
        if not self.reference:
            print(f"undisturbed: {view['artifact']}, {view['tasks']['completed']} tasks", flush=True)
        self.reference = view["artifact"]
        return self.farm

    def close_farm(self, is_kept=False):
        farm, self.farm = self.farm, None
        if not farm:
            return
        problems = farm.close()
        if farm.proxy:
            farm.proxy.close()
        if problems:
            print(f"end of {self.kind}: {'; '.join(problems)}; logs are in {farm.folder}", flush=True)
            number = len(self.record.of(f"end of {self.kind}"))
            self.record.add(f"end of {self.kind}", number, problems, 0)
        if farm.disks:
            farm.disks.unmount()
        if not problems and not is_kept:
            farm.remove()

    def run_program(self, name, amount, *arguments):
        """Runs one of the programs that measure, unless that was done."""
        if not amount or self.record.has(name, 0):
            return
        began = time.monotonic()
        command = [sys.executable, FOLDER / f"{name}.py", self.options.build, *map(str, arguments)]
        # In a session of its own, so that Ctrl-C reaches it once, through this program.
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True)
        try:
            status = process.wait()
        except KeyboardInterrupt:
            process.send_signal(signal.SIGINT)
            process.wait()
            raise
        problems = [f"{name}.py ended with {status}"] if status else []
        self.record.add(name, 0, problems, time.monotonic() - began)

    def report(self):
        """Prints what passed and failed of each kind. Returns the exit status."""
        failed, not_run, total = 0, 0, 0
        kinds = KINDS + [f"end of {kind}" for kind in KINDS] + ["recovery", "scaling", "night", "owners"]
        for kind in kinds:
            entries = self.record.of(kind)
            bad = [entry for entry in entries if entry["problems"]]
            failed += len(bad)
            total += sum(entry["seconds"] for entry in entries)
            if entries:
                faults, hits = (sum(entry.get(name, 0) for entry in entries) for name in ("faults", "hits"))
                minutes = sum(entry["seconds"] for entry in entries) / 60
                what = f", {hits} of {faults} faults hit" if faults else ""
                print(f"{kind}: {len(entries) - len(bad)} passed, {len(bad)} failed{what}, {minutes:.1f} min")
                print_counts(entries)
        for entry in self.record.of("not run"):
            not_run += 1
            print(f"not run: {entry['problems'][0]}")
        print(f"{total / 60:.1f} min in all")
        self.record.add("run", 0, [], total)
        if failed:
            print(f"{failed} rounds failed")
        elif not_run:
            print("every movie of the rounds that were run has the same bytes")
        else:
            print("every movie has the same bytes")
        return 1 if failed else 0


def print_counts(entries):
    """Prints what the rounds counted beside their faults, such as the proxy's faults of each sort."""
    counts = {}
    for entry in entries:
        for name, count in entry.get("counts", {}).items():
            counts[name] = counts.get(name, 0) + count
    if counts:
        print("  " + ", ".join(f"{count} {name}" for name, count in sorted(counts.items())))


def main():
    mounts.enter_namespace()
    options = arguments()
    # Ends the farm in good order, as Ctrl-C does.
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)
    run = Run(options)
    try:
        run.run()
    except KeyboardInterrupt:
        print(f"stopped; the same command goes on after {len(run.record.rounds)} rounds")
        return 130
    except FarmLost as lost:
        print(f"stopped: {lost}")
        return 1
    return run.report()


if __name__ == "__main__":
    sys.exit(main())
