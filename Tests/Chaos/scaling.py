#!/usr/bin/env python3
"""Ends workers in good order during a long job, one after another, as an autoscaler does, and starts others.

    scaling.py BUILD-FOLDER [--scale-ins N] [--seed S]

Each scale-in is a SIGTERM to a worker that has a segment in hand. The worker takes nothing new, finishes its segment and
ends with status 0; then another one starts. At the end no attempt was lost: each was accepted, or came second where a
worker without other work was given the last tasks as well; and the movie's bytes are those of a run in which no worker
left.
"""
import argparse
import json
import pathlib
import random
import signal
import subprocess
import sys
import time

from farm import FINAL, Farm, FarmLost
from rounds import Round

FOLDER = pathlib.Path(__file__).resolve().parent
DRAIN_SECONDS = 120


def long_edit(path, repeats):
    """Writes an edit of `repeats` times 25 s, all of which is rendered: dissolves between clips that begin elsewhere each
    time."""
    media = FOLDER.parents[1] / "Examples/media"
    clips = []
    for number in range(repeats):
        for name in ("harbour", "market", "lights"):
            clips.append({"asset": name, "in": f"{number % 40}f", "duration": "6s", "opacity": 0.9})
            clips.append({"transition": "dissolve", "duration": "1s"})
        clips.append({"asset": "harbour", "in": f"{number % 40 + 7}f", "duration": "6s", "opacity": 0.9})
    path.write_text(json.dumps({
        "schema": "edit/1",
        "format": {"size": [640, 360], "frameRate": "25"},
        "assets": {name: str(media / f"{name}.mp4") for name in ("harbour", "market", "lights")},
        "tracks": [{"kind": "video", "segments": clips}],
        "outputs": [{"preset": "h264"}],
    }))


class ScaleIns(Round):
    """One job during which workers leave in good order."""

    def __init__(self, farm, edit, rng, reference, count):
        super().__init__(farm, edit, rng, reference)
        self.size = count

    def disturb(self):
        job = self.farm.submit(self.edit)
        while self.hits < self.size:
            found, tasks = self.leaving(job)
            if found is None:
                return self.missed("the job was over")
            self.judge.note(tasks)
            process = self.farm.workers[found]
            try:
                status = process.wait(DRAIN_SECONDS + 30)
            except subprocess.TimeoutExpired:
                process.kill()
                return self.problems.append(f"worker {found} did not end within {DRAIN_SECONDS + 30} s of SIGTERM")
            if status:
                self.problems.append(f"worker {found} ended with {status}")
            self.hits += 1
            self.farm.start_worker(found)
        _, tasks = self.judge.judge(job, limit=900)
        for task in tasks:
            # A second worker may be given the last tasks of a job; the attempt that comes second is superseded.
            lost = [attempt for attempt in task["attempts"] if attempt["state"] not in ("completed", "superseded")
                    or (attempt.get("failure") or {}).get("code") == "lease_expired"]
            if lost:
                self.problems.append(f"task {task['position']}: an attempt of a worker that left was lost: {lost}")

    def leaving(self, job):
        """Sends SIGTERM to a worker that has a task in hand. Returns its number, None if the job is over, and the tasks."""
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            tasks = self.farm.tasks(job)
            if all(task["state"] in FINAL for task in tasks):
                return None, tasks
            for number in self.rng.sample(range(len(self.farm.workers)), len(self.farm.workers)):
                if self.is_at_work(number, tasks):
                    self.farm.workers[number].send_signal(signal.SIGTERM)
                    return number, tasks
            time.sleep(0.02)
        raise FarmLost("no worker had a task in hand for 120 s")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", help="folder of cutfarm and cutfarm-render")
    parser.add_argument("--scale-ins", type=int, default=50)
    parser.add_argument("--seed", type=int, default=20261126)
    options = parser.parse_args()
    farm = Farm(options.build, workers=3, drain_seconds=DRAIN_SECONDS)
    edit = farm.folder / "long.json"
    try:
        long_edit(edit, 2 + options.scale_ins)
        view = farm.wait(farm.submit(edit), limit=1800)
        if view["state"] != "completed":
            raise FarmLost(f"the undisturbed job ended {view['state']}: {view.get('failure')}")
        this = ScaleIns(farm, edit, random.Random(options.seed), view["artifact"], options.scale_ins)
        problems = this.run()
    finally:
        problems_at_end = farm.close()
    for problem in problems + problems_at_end:
        print(problem)
    print(f"scale-ins: {this.hits} of {options.scale_ins} workers left while they rendered; "
          + ("no segment was lost, and the movie has the same bytes" if not problems + problems_at_end else "NOT in order"), flush=True)
    if problems + problems_at_end:
        print(f"logs are in {farm.folder}")
        return 1
    farm.remove()
    return 0


if __name__ == "__main__":
    sys.exit(main())
