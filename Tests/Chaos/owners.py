#!/usr/bin/env python3
"""Measures what a hostile owner can do to another's small jobs and to the coordinator's memory.

    owners.py BUILD-FOLDER [--minutes N] [--acts NAMES] [--seed S]

One owner submits the worst it may as fast as it may (hostile.py). The other submits jobs of a second, one after the
other. Measured are the time from sending a small job to its acceptance, the time from then to its first grant, the grants
to the hostile owner in between, and the coordinator's memory. Exit status 1 if acceptance takes more than a second at the
99th percentile, if a small job does not get the next free slot, or if the coordinator's memory was above 500 MB.
"""
import argparse
import http.client
import json
import pathlib
import subprocess
import sys
import threading
import time
import uuid

from farm import FINAL, TOKEN, Farm
from hostile import ACTS, edit
from judge import instant, now, seconds
from recovery import percentile

FOLDER = pathlib.Path(__file__).resolve().parent
ROOT = FOLDER.parents[1]
ACCEPTANCE_LIMIT_SECONDS = 1
MEMORY_LIMIT_BYTES = 500_000_000
# A grant is written to a worker's log some time after the database made it; the API tells the exact moment.
LOG_DELAY_SECONDS = 10
# A submission without an answer for so long counts with this time.
ANSWER_LIMIT_SECONDS = 60


def memory(pid):
    """The greatest and the present resident size of a process in bytes (VmHWM and VmRSS of proc(5))."""
    lines = pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
    fields = {name: value.split() for name, _, value in (line.partition(":") for line in lines)}
    return int(fields["VmHWM"][0]) * 1024, int(fields["VmRSS"][0]) * 1024


class Small:
    """The owner of small jobs."""

    def __init__(self, farm, digest):
        self.farm, self.digest = farm, digest
        self.acceptances, self.grants, self.jobs, self.problems = [], [], [], []
        self.refusals = {}

    def post(self, body):
        connection = http.client.HTTPConnection("127.0.0.1", self.farm.port, timeout=ANSWER_LIMIT_SECONDS)
        connection.request("POST", "/v1/jobs", body, {"Authorization": f"Bearer {TOKEN}",
                                                      "Content-Type": "application/json"})
        answer = connection.getresponse()
        return answer.status, answer.read()

    def submit(self, number):
        """Sends a job until it is accepted; the time counts from the first request.
        Returns its view and the moment at which its acceptance was heard of."""
        text = edit([{"asset": "a", "in": f"{number % 200}f", "duration": "1s"}])
        body = json.dumps({"idempotencyKey": str(uuid.uuid4()), "editText": text, "title": "small",
                           "assets": {"a": self.digest}, "output": 0, "priority": 0}).encode()
        began = time.monotonic()
        while time.monotonic() - began < ANSWER_LIMIT_SECONDS:
            try:
                status, data = self.post(body)
            except (OSError, http.client.HTTPException) as error:
                status, data = type(error).__name__, b""
            if status in (200, 201):
                self.acceptances.append(time.monotonic() - began)
                return json.loads(data), now()
            self.refusals[status] = self.refusals.get(status, 0) + 1
            time.sleep(0.05)
        self.acceptances.append(time.monotonic() - began)
        self.problems.append(f"a small job was not accepted within {ANSWER_LIMIT_SECONDS} s: {status} {data[:200]}")
        return None, None

    def run_job(self, number):
        view, accepted = self.submit(number)
        if not view:
            return
        job = view["id"]
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            view = self.farm.get_patiently(f"/v1/jobs/{job}")
            if view["state"] in FINAL:
                break
            time.sleep(0.05)
        tasks = self.farm.tasks(job)
        starts = [instant(attempt["started"]) for task in tasks for attempt in task["attempts"]]
        if starts:
            self.grants.append((job, accepted, min(starts)))
        if view["state"] != "completed":
            self.problems.append(f"small job {job} is {view['state']}: {view.get('failure')}")
        self.jobs.append(job)


def starts_in_logs(farm):
    """What the workers began: the moments at which they wrote so, with job and attempt."""
    found = []
    for number in range(len(farm.workers)):
        for line in (farm.folder / f"worker-{number}.log").read_text().splitlines():
            if '"started"' in line:
                entry = json.loads(line)
                found.append((instant(entry["time"] + "+00:00"), entry["job"], entry["attempt"]))
    return sorted(found)


def overtakers(farm, grants):
    """For each small job the grants to others between its acceptance and its first grant: pairs of job and moment."""
    mine, starts, moments = {job for job, _, _ in grants}, starts_in_logs(farm), {}
    found = []
    for _, accepted, granted in grants:
        between = []
        for written, job, attempt in starts:
            if job in mine or not seconds(accepted - written) <= 0 <= seconds(granted - written) + LOG_DELAY_SECONDS:
                continue
            if job not in moments:
                attempts = [attempt for task in farm.tasks(job) for attempt in task["attempts"]]
                moments[job] = {its["id"]: instant(its["started"]) for its in attempts}
            at = moments[job].get(attempt)
            if at and accepted < at < granted:
                between.append((job, at))
        found.append(between)
    return found


def make_footage(path, length):
    subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i",
                    f"testsrc2=size=320x180:rate=25:duration={length}", "-c:v", "libx264", "-preset", "fast",
                    "-threads", "1", "-pix_fmt", "yuv420p", path], check=True, stdin=subprocess.DEVNULL)


def register(farm, path):
    body = json.dumps({"path": str(path)}).encode()
    connection = http.client.HTTPConnection("127.0.0.1", farm.port, timeout=120)
    connection.request("POST", "/v1/assets:register", body, {"Authorization": f"Bearer {TOKEN}",
                                                             "Content-Type": "application/json"})
    answer = connection.getresponse()
    record = json.loads(answer.read())
    if answer.status >= 300:
        raise SystemExit(f"{path} was not registered: {record}")
    return record["digest"]


def start_attack(farm, assets, options, report):
    command = [sys.executable, FOLDER / "hostile.py", farm.port, options.minutes * 60, report, "--acts", options.acts,
               "--seed", options.seed]
    with open(farm.folder / "hostile.log", "wb") as log:
        attacker = subprocess.Popen([*map(str, command)], stdin=subprocess.PIPE, stdout=log, stderr=log)
    attacker.stdin.write(json.dumps(assets).encode())
    attacker.stdin.close()
    return attacker


def watch_memory(pid, samples, done):
    began = time.monotonic()
    while not done.wait(1):
        try:
            samples.append((round(time.monotonic() - began), *memory(pid)))
        except OSError:
            return


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", help="folder of cutfarm and cutfarm-render")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--acts", default=",".join(ACTS), help="what the hostile owner does, a thread for each")
    parser.add_argument("--seed", type=int, default=20261121)
    options = parser.parse_args()
    farm = Farm(options.build, workers=2)
    coordinator, samples, done, attacker = farm.coordinator, [], threading.Event(), None
    try:
        assets = {}
        for name, length in (("minute", 60), ("short", 12)):
            make_footage(farm.folder / f"{name}.mp4", length)
            assets[name] = register(farm, farm.folder / f"{name}.mp4")
        small = Small(farm, assets["short"])
        small.run_job(0)
        calm = small.acceptances.pop()
        small.grants.clear()
        threading.Thread(target=watch_memory, args=(coordinator.pid, samples, done), daemon=True).start()
        report = farm.folder / "hostile.json"
        attacker = start_attack(farm, assets, options, report)
        # The attack is under way before anything is measured.
        time.sleep(5)
        number = 0
        while attacker.poll() is None:
            number += 1
            small.run_job(number)
        done.set()
        peak, resident = memory(coordinator.pid)
        is_alive = coordinator.poll() is None
        overtaken = overtakers(farm, small.grants)
        hostile = json.loads(report.read_text()) if report.exists() else {"counts": {}, "slowest": {}}
    finally:
        done.set()
        if attacker and attacker.poll() is None:
            attacker.kill()
            attacker.wait()
        left = farm.close()
    return verdict(options, farm, small, calm, (peak, resident), is_alive, samples, overtaken, hostile, left)


def verdict(options, farm, small, calm, sizes, is_alive, samples, overtaken, hostile, left):
    """Prints what was measured. Returns the exit status."""
    problems = small.problems + left
    times = small.acceptances
    waits = [max(0, seconds(granted - accepted)) for _, accepted, granted in small.grants]
    print(f"owners: {options.minutes} min of a hostile owner beside {len(times)} small jobs")
    for name, values in (("acceptance", times), ("first grant after acceptance", waits)):
        if values:
            print(f"  {name}: p50 {percentile(values, 0.5):.3f} s, p99 {percentile(values, 0.99):.3f} s, "
                  f"max {max(values):.3f} s")
    print(f"  acceptance without the hostile owner: {calm:.3f} s; refusals of small jobs: {small.refusals or 'none'}")
    print(f"  grants to the hostile owner in between: {sum(map(len, overtaken))}; "
          f"{sum(map(bool, overtaken))} jobs were overtaken")
    for (job, accepted, granted), between in zip(small.grants, overtaken):
        for other, at in between:
            print(f"    {job} accepted {accepted:%T.%f}, granted {granted:%T.%f}; {other} granted {at:%T.%f}")
    print(f"  coordinator: {sizes[0] / 1e6:.0f} MB at most, {sizes[1] / 1e6:.0f} MB at the end")
    for kind, counts in sorted(hostile["counts"].items()):
        print(f"  hostile {kind}: {', '.join(f'{count} × {status}' for status, count in sorted(counts.items()))}; "
              f"slowest {hostile['slowest'].get(kind)} s")
    if not times or percentile(times, 0.99) > ACCEPTANCE_LIMIT_SECONDS:
        problems.append(f"small jobs are not accepted within {ACCEPTANCE_LIMIT_SECONDS} s at p99")
    if any(overtaken):
        problems.append("a small job did not get the next free slot")
    if sizes[0] > MEMORY_LIMIT_BYTES:
        at = next(second for second, peak, _ in samples + [(0, sizes[0], 0)] if peak > MEMORY_LIMIT_BYTES)
        problems.append(f"the coordinator used more than {MEMORY_LIMIT_BYTES / 1e6:.0f} MB, {at} s after the beginning")
    if not is_alive:
        problems.append("the coordinator ended")
    for problem in problems:
        print(f"  {problem}")
    if problems:
        print(f"  logs are in {farm.folder}")
    else:
        farm.remove()
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
