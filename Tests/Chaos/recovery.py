#!/usr/bin/env python3
"""Measures how soon the task of a killed worker runs again, with two busy loops beside the farm.

    recovery.py BUILD-FOLDER [--kills N] [--seed S]

Two tasks are always under way and five workers are there, so that a slot is free whenever a worker is killed: the time
measured is that of noticing the loss and granting the task anew. It is counted from the SIGKILL to the start of the
task's next attempt, as the API tells it. Exit status 1 if the 99th percentile is above ten seconds.
"""
import argparse
import multiprocessing
import pathlib
import random
import sys
import threading
import time

from farm import FINAL, Farm
from judge import RECOVERY_LIMIT_SECONDS, instant, live_attempts, now, seconds

FOLDER = pathlib.Path(__file__).resolve().parent
LANES, WORKERS, BUSY_LOOPS = 2, 5, 2
# A task that loses ten leases without getting further is given up, so each job is killed less often.
KILLS_OF_A_JOB = 6
LOSS_LIMIT_SECONDS = 60


def spin():
    while True:
        pass


class Lane(threading.Thread):
    """Kills the worker of one task again and again; with each job for a few times."""

    def __init__(self, farm, rng, wanted, lock):
        super().__init__()
        self.farm, self.rng, self.wanted, self.lock = farm, rng, wanted, lock
        self.waits, self.problems, self.job, self.kills = [], [], None, 0

    def run(self):
        try:
            while len(self.waits) < self.wanted and not self.problems:
                self.kill_once()
        except Exception as error:
            # The report names it; the other lane ends by itself.
            self.problems.append(f"{type(error).__name__}: {error}")
        if self.job:
            self.cancel()

    def cancel(self):
        self.farm.open(f"/v1/jobs/{self.job}/cancel", method="POST").close()
        self.job = None

    def task(self):
        """The picture task of a job that is under way, submitted anew if there is none."""
        if self.job and self.kills >= KILLS_OF_A_JOB:
            self.cancel()
        if self.job and self.farm.get_patiently(f"/v1/jobs/{self.job}")["state"] in FINAL:
            self.job = None
        if not self.job:
            with self.lock:
                self.job, self.kills = self.farm.submit(FOLDER / "one-segment.json"), 0
        return next(task for task in self.farm.tasks(self.job) if task["kind"] == "picture")

    def kill_once(self):
        task = self.task()
        live = live_attempts([task])
        if not live:
            return time.sleep(0.05)
        attempt = live[0]
        time.sleep(self.rng.uniform(0, 2))
        number = int(attempt["workerName"].rpartition("-")[2])
        process = self.farm.workers[number]
        at = now()
        process.kill()
        process.wait()
        self.kills += 1
        self.farm.start_worker(number)
        deadline = time.monotonic() + LOSS_LIMIT_SECONDS
        while time.monotonic() < deadline:
            found = next(its for its in self.farm.tasks(self.job) if its["id"] == task["id"])
            later = [instant(a["started"]) for a in found["attempts"]
                     if instant(a["started"]) > instant(attempt["started"])]
            if later:
                # A task that was completed before the kill, or handed to another by a hedge, shows nothing.
                if min(later) > at:
                    self.waits.append(seconds(min(later) - at))
                return
            if found["state"] in FINAL:
                return
            time.sleep(0.05)
        self.problems.append(f"task {task['id']} did not run again within {LOSS_LIMIT_SECONDS} s")


def percentile(values, share):
    """The smallest value that at least this share of the values does not exceed."""
    ordered = sorted(values)
    return ordered[max(0, -int(-share * len(ordered) // 1) - 1)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", help="folder of cutfarm and cutfarm-render")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=20261121)
    options = parser.parse_args()
    loops = [multiprocessing.Process(target=spin, daemon=True) for _ in range(BUSY_LOOPS)]
    for loop in loops:
        loop.start()
    farm = Farm(options.build, workers=WORKERS)
    lock = threading.Lock()
    shares = [options.kills * (lane + 1) // LANES - options.kills * lane // LANES for lane in range(LANES)]
    lanes = [Lane(farm, random.Random(f"{options.seed} {lane}"), share, lock) for lane, share in enumerate(shares)]
    try:
        for lane in lanes:
            lane.start()
        for lane in lanes:
            lane.join()
    finally:
        for lane in lanes:
            lane.wanted = 0
        for lane in lanes:
            # A lane may be about to start a worker.
            if lane.is_alive():
                lane.join(LOSS_LIMIT_SECONDS)
        for loop in loops:
            loop.kill()
        farm.close()
    waits = [wait for lane in lanes for wait in lane.waits]
    problems = [problem for lane in lanes for problem in lane.problems]
    for problem in problems:
        print(problem)
    if not waits:
        print("nothing was measured")
        return 1
    p50, p99 = percentile(waits, 0.5), percentile(waits, 0.99)
    print(f"recovery: {len(waits)} killed workers; their tasks ran again after p50 {p50:.2f} s, p99 {p99:.2f} s, "
          f"max {max(waits):.2f} s", flush=True)
    is_good = p99 <= RECOVERY_LIMIT_SECONDS and not problems
    if not is_good:
        print(f"the limit is {RECOVERY_LIMIT_SECONDS} s at p99; logs are in {farm.folder}")
    else:
        farm.remove()
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
