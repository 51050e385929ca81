#!/usr/bin/env python3
"""Kills workers, the coordinator and PostgreSQL at seeded moments of a job and compares the movie's bytes.

    chaos.py BUILD-FOLDER [--kills N] [--seed S]

Each round submits the same edit and kills one process once, at a moment drawn from the seed: during rendering, upload,
stitch or publication (named crash points among them). What earlier rounds stored is removed first, so that every part is
uploaded again. Checked after every round: the job completes; the movie has the undisturbed movie's digest; every part was
stored anew; the kill hit a process that had work in hand; no task that was completed before it was tried again; a task
that lost its worker was granted anew within 10 s; no attempt is left alive; at the end no process and no unfinished file
is left.
"""
import argparse
import hashlib
import os
import pathlib
import random
import shutil
import signal
import sys
import time
from datetime import datetime, timezone

from farm import Farm

ROOT = pathlib.Path(__file__).resolve().parents[2]
CRASH_POINTS = [("worker", "worker.upload"), ("coordinator", "artifact.published"), ("coordinator", "stitch.stored"),
                ("coordinator", "complete.before-commit"), ("coordinator", "complete.after-commit")]


def instant(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def is_over(tasks):
    """Whether nothing is left to be done of these tasks."""
    return all(task["state"] in ("completed", "failed", "cancelled") for task in tasks)


def is_working(victim, tasks):
    """Whether the worker holds an attempt of one of these tasks."""
    name = victim.replace("worker", "chaos")
    return any(a["workerName"] == name and a["state"] == "live" for task in tasks for a in task["attempts"])


class Round:
    def __init__(self, farm, edit, rng, reference):
        self.farm, self.edit, self.rng, self.reference = farm, edit, rng, reference
        self.problems, self.killed_at = [], None

    def run(self, victim, moment, crash_point=None):
        farm = self.farm
        farm.forget_parts()
        if crash_point and victim == "coordinator":
            farm.coordinator.send_signal(signal.SIGTERM)
            farm.coordinator.wait(30)
            farm.start_coordinator(crash_point)
        if crash_point and victim == "worker":
            farm.workers[0].send_signal(signal.SIGTERM)
            farm.workers[0].wait(30)
            farm.start_worker(0, crash_point)
        job = farm.submit(self.edit)
        before = self.disturb(victim, job, moment, crash_point)
        view = farm.wait(job)
        tasks = farm.get_patiently(f"/v1/jobs/{job}/tasks")
        self.judge(job, view, tasks, before)
        if not crash_point:
            self.judge_kill(victim, view, tasks)
        return self.problems

    def disturb(self, victim, job, moment, crash_point):
        farm, before = self.farm, None
        if crash_point:
            process = farm.coordinator if victim == "coordinator" else farm.workers[0]
            deadline = time.monotonic() + 120
            while process.poll() is None:
                if time.monotonic() > deadline:
                    self.problems.append(f"crash point {crash_point} was never reached")
                    return None
                time.sleep(0.02)
            if process.returncode != 86:
                self.problems.append(f"crash point {crash_point}: exit status {process.returncode}")
            self.killed_at = datetime.now(timezone.utc)
        else:
            self.await_moment(job, moment)
            before = self.await_work(victim, job)
            self.killed_at = datetime.now(timezone.utc)
            self.kill(victim)
        time.sleep(self.rng.uniform(0, 0.5))
        if farm.coordinator.poll() is not None:
            farm.start_coordinator()
        for number, process in enumerate(farm.workers):
            if process.poll() is not None:
                farm.start_worker(number)
        return before

    def kill(self, victim):
        """Kills the victim, which must be there to be killed."""
        farm = self.farm
        if victim == "postgres":
            process = farm.postgres()
            try:
                if process is None:
                    return self.missed("PostgreSQL was down")
                return os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                return self.missed("PostgreSQL was gone")
        process = farm.coordinator if victim == "coordinator" else farm.workers[int(victim[-1])]
        if process.poll() is not None:
            self.missed(f"{victim} had ended with {process.returncode}")
        process.kill()
        process.wait()

    def missed(self, why):
        self.problems.append(f"the kill hit nothing: {why}")

    def await_work(self, victim, job):
        """Waits until a worker that is to be killed has a task in hand, or the job is over. Returns the tasks then.

        The worker is stopped while that is looked at, so that it does not end the task before it is killed."""
        is_worker = victim.startswith("worker")
        while True:
            tasks = self.farm.get_patiently(f"/v1/jobs/{job}/tasks")
            if not is_worker or is_over(tasks):
                return tasks
            if is_working(victim, tasks):
                process = self.farm.workers[int(victim[-1])]
                process.send_signal(signal.SIGSTOP)
                # What it had said before it stopped is heard within this time.
                time.sleep(0.1)
                tasks = self.farm.get_patiently(f"/v1/jobs/{job}/tasks")
                if is_working(victim, tasks) or is_over(tasks):
                    return tasks
                process.send_signal(signal.SIGCONT)
            time.sleep(0.01)

    def judge_kill(self, victim, view, tasks):
        """A worker's kill hit work when an attempt of it was lost by it; another's when the job was not over yet."""
        if victim.startswith("worker"):
            name = victim.replace("worker", "chaos")
            lost = [a for task in tasks for a in task["attempts"] if a["workerName"] == name
                    and (a.get("failure") or {}).get("code") == "lease_expired" and instant(a["started"]) <= self.killed_at]
            if not lost:
                self.missed(f"{name} had no task in hand")
        elif not view.get("finished") or instant(view["finished"]) <= self.killed_at:
            self.missed("the job was over")

    def await_moment(self, job, moment):
        """Sleeps until the job has come so far: permille of the whole, or the state `stitching`."""
        deadline = time.monotonic() + 300
        while time.monotonic() < deadline:
            view = self.farm.get_patiently(f"/v1/jobs/{job}")
            if view["state"] in ("completed", "failed"):
                return
            if moment == "stitching" and view["state"] == "stitching" or moment != "stitching" and view["permille"] >= moment:
                time.sleep(self.rng.uniform(0, 0.05 if moment == "stitching" else 0.3))
                return
            time.sleep(0.01)

    def judge(self, job, view, tasks, before):
        if view["state"] != "completed":
            self.problems.append(f"job ended {view['state']}: {view.get('failure')}")
            return
        if self.reference and view["artifact"] != self.reference:
            self.problems.append(f"other bytes: {view['artifact']}")
        done_before = {task["id"]: task for task in before or [] if task["state"] == "completed"}
        for task in tasks:
            if task["state"] != "completed":
                self.problems.append(f"task {task['position']} is {task['state']}")
            old = done_before.get(task["id"])
            if old and len(task["attempts"]) != len(old["attempts"]):
                self.problems.append(f"task {task['position']} was done and was tried again")
            accepted = [attempt for attempt in task["attempts"] if attempt["state"] == "completed"]
            if len(accepted) != 1:
                self.problems.append(f"task {task['position']} was accepted {len(accepted)} times")
            if any(attempt["state"] == "live" for attempt in task["attempts"]):
                self.problems.append(f"task {task['position']} still has an attempt alive")
            if not self.farm.stored(task["artifact"]).exists():
                self.problems.append(f"task {task['position']} was not uploaded")
            lost = [a for a in task["attempts"] if a["state"] == "superseded"]
            for attempt in lost:
                later = [b for b in task["attempts"] if instant(b["started"]) > instant(attempt["started"])]
                wait = min((instant(b["started"]) for b in later), default=None)
                if wait and self.killed_at and (wait - self.killed_at).total_seconds() > 10:
                    self.problems.append(f"task {task['position']} ran again only {wait - self.killed_at} after the kill")


def schedule(rng, kills):
    victims = ["worker-0", "worker-1", "coordinator", "postgres"]
    rounds = [(victim.replace("worker", "worker"), None, point) for victim, point in CRASH_POINTS]
    while len(rounds) < kills:
        victim = victims[len(rounds) % len(victims)]
        # Workers have nothing to do while the movie is joined, and little shortly before.
        is_worker = victim.startswith("worker")
        is_stitching = rng.random() < 0.25 and not is_worker
        moment = "stitching" if is_stitching else rng.randrange(20, 700 if is_worker else 950)
        rounds.append((victim, moment, None))
    return rounds[:kills]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--kills", type=int, default=24)
    parser.add_argument("--seed", type=int, default=20261121)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    farm, failures = Farm(options.build), 0
    edit = ROOT / "Tests/Chaos/edit.json"
    try:
        first = farm.wait(farm.submit(edit))
        reference = first["artifact"]
        print(f"undisturbed: {first['state']} {reference}, {first['tasks']['completed']} tasks", flush=True)
        for number, (victim, moment, point) in enumerate(schedule(rng, options.kills)):
            problems = Round(farm, edit, rng, reference).run(victim, moment, point)
            what = point or (f"at {moment}" if moment == "stitching" else f"at {moment / 10} %")
            print(f"{number + 1:3} {victim} {what}: {'; '.join(problems) or 'same bytes'}", flush=True)
            failures += bool(problems)
    finally:
        farm.stop()
    left = farm.children()
    time.sleep(0 if not left else 2)
    left = farm.children()
    temporary = [path for pattern in ("state/artifacts/incoming/*", "state/artifacts/scratch/*", "cache/work-*",
                                      "**/*.partial*") for path in map(str, farm.folder.glob(pattern))]
    for pid, line in left.items():
        print(f"left running: {pid} {line}")
    for path in temporary:
        print(f"left on disk: {path}")
    failures += bool(left) + bool(temporary)
    if failures:
        print(f"{failures} rounds failed; logs are in {farm.folder}")
        return 1
    shutil.rmtree(farm.folder, ignore_errors=True)
    print(f"{options.kills} kills, every movie the same bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
