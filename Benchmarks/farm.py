#!/usr/bin/env python3
"""Measures a coordinator and its PostgreSQL against their goals: a thousand workers, submissions, and long lists.

    farm.py BUILD-FOLDER [--workers N] [--seconds N] [--jobs N] [--tasks N]

The workers are connections of LeaseBench, a compiled program: each registers, asks for work, renews its lease every 0.75 s,
completes its task after 3 to 6 s with a part that was rendered once, and asks again. What is measured is the time of each
answer as a worker sees it; that program, the coordinator and PostgreSQL share the machine. The lists are asked for with --jobs jobs of
--tasks tasks each in the database.
"""
import argparse
import asyncio
import hashlib
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time
import uuid

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from dashboard import TOKEN, WORKER_TOKEN, Farm, Report, fill

CLIP_SECONDS, RATE = 5, 25


class Connection:
    """A kept connection to the coordinator, over which one request after the other is sent."""

    def __init__(self, address):
        self.host, self.port = address.removeprefix("http://").split(":")

    async def open(self):
        self.reader, self.writer = await asyncio.open_connection(self.host, int(self.port))

    async def ask(self, path, value, token=WORKER_TOKEN):
        """The status and the content of the answer to POST."""
        body = json.dumps(value).encode()
        self.writer.write(f"POST {path} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\nAuthorization: Bearer {token}\r\n"
                          f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
        head = await self.reader.readuntil(b"\r\n\r\n")
        lines = [line.lower().partition(b":") for line in head.split(b"\r\n")[1:]]
        fields = {name: value.strip() for name, _, value in lines}
        status, text = int(head[9:12]), await self.reader.readexactly(int(fields.get(b"content-length", 0)))
        # The coordinator closes a connection on which it watched whether the client leaves.
        if fields.get(b"connection") == b"close":
            self.writer.close()
            await self.open()
        return status, json.loads(text) if text else None


def identifier(kind):
    """An identifier of version 7 (RFC 9562): the time in milliseconds, and chance."""
    value = (time.time_ns() // 1_000_000) << 80 | 7 << 76 | random.getrandbits(12) << 64 | 2 << 62 | random.getrandbits(62)
    return f"{kind}_{uuid.UUID(int=value)}"


def resident(farm):
    """The bytes of memory that the coordinator holds."""
    status = pathlib.Path(f"/proc/{farm.process.pid}/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) * 1024


def write_edit(folder, name, count):
    """An edit of `count` clips of five seconds, each of its own opacity, so that no two segments are the same work."""
    segments = [{"asset": "a", "in": f"{number * 7 % 1000}f", "duration": f"{CLIP_SECONDS}s", "opacity": round(1 - number * 1e-6, 7)}
                for number in range(count)]
    path = folder / f"{name}.json"
    path.write_text(json.dumps({"schema": "edit/1", "format": {"size": [64, 36], "frameRate": str(RATE)}, "assets": {"a": "a.mp4"},
                                "tracks": [{"kind": "video", "sound": False, "segments": segments}], "outputs": [{"preset": "h264"}]}))
    return path


def registration_of(farm):
    versions = next(worker["versions"] for worker in farm.json("/v1/workers")).split(", ")
    names = dict(word.rsplit(" ", 1) if word.startswith("renderer") else word.split(" ", 1) for word in versions)
    return {"kinds": ["picture"], "slots": 1, "rendererVersion": int(names.pop("renderer")), "libraries": names}


def render_once(farm, folder):
    """A part of as many frames as each task has, as a worker completes a task with it."""
    job = farm.submit(write_edit(folder, "two", 2))
    with farm.worker():
        while farm.json(f"/v1/jobs/{job}")["state"] != "completed":
            time.sleep(0.1)
    task = next(task for task in farm.json(f"/v1/jobs/{job}/tasks") if task["kind"] == "picture")
    file = next((folder / "state/artifacts/sha256").rglob(task["artifact"].removeprefix("sha256:")))
    return {"artifact": task["artifact"], "byteCount": file.stat().st_size, "unitCount": CLIP_SECONDS * RATE}


def thousand(farm, folder, part, options, report):
    need = int(options.workers * (options.seconds + 40) / 4)
    job = farm.submit(write_edit(folder, "many", need))
    completion = part | {"statistics": {"wallMilliseconds": 4000, "cpuMilliseconds": 4000, "peakMemoryBytes": 1 << 28, "fetchedBytes": 0}}
    variables = {"LEASE_BENCH_TOKEN": WORKER_TOKEN, "LEASE_BENCH_REGISTRATION": json.dumps(registration_of(farm))[1:],
                 "LEASE_BENCH_PART": json.dumps(completion)[1:]}
    # In the first 20 s all come and have leases, and the coordinator has the memory that it needs for them.
    words = [options.build.resolve() / "LeaseBench", farm.address.rsplit(":", 1)[1], str(options.workers), "20", str(options.seconds)]
    with subprocess.Popen(words, env=os.environ | variables, stdout=subprocess.PIPE, text=True) as load:
        load.stdout.readline()
        before, spent = resident(farm), farm.processor_seconds
        load.stdout.readline()
        after, spent = resident(farm), farm.processor_seconds - spent
        found = json.loads(load.stdout.readline())
    farm.ask(f"/v1/jobs/{job}/cancel", "POST")
    seconds, counts = found["seconds"], found["counts"]
    print(f"  {options.workers:,} workers, {seconds:.0f} s: " + ", ".join(f"{count:,} × {name}" for name, count in sorted(counts.items())))
    print(f"  of a core: the coordinator {100 * spent / seconds:.0f} %, the workers of this benchmark {100 * found['processorSeconds'] / seconds:.0f} %; "
          f"the machine's load {os.getloadavg()[0]:.1f}")
    report.line("requests a second", sum(counts.values()) / seconds, "/s", 1500, is_least=True)
    report.line("time of an answer, the median", found["medianMilliseconds"], "ms", 250)
    report.line("time of an answer, 99 of 100", found["p99Milliseconds"], "ms", 250)
    print("  of them, the median and 99 of 100 in ms: "
          + ", ".join(f"{name} {median:.0f} and {most:.0f}" for name, (median, most) in sorted(found["kinds"].items())))
    report.line("errors", found["errors"], "", 0)
    for error in found["firstErrors"]:
        print(f"    {error}")
    report.line("the coordinator's memory grows by", max(0, 100 * (after - before) / before), "%", 10)
    print(f"    {before >> 20} MB, then {after >> 20} MB")


async def first_leases(farm, folder, count):
    """Seconds from each of `count` submissions to its first lease, as a worker that waits for work sees it."""
    worker_side, sender = Connection(farm.address), Connection(farm.address)
    await worker_side.open()
    await sender.open()
    worker = (await worker_side.ask("/v1/workers", registration_of(farm) | {"name": "bench-waits"}))[1]["worker"]
    digest = "sha256:" + hashlib.sha256((folder / "a.mp4").read_bytes()).hexdigest()
    times = []
    for number in range(count):
        poll = {"worker": worker, "poll": identifier("poll"), "kinds": ["picture"], "capacity": 1, "waitMilliseconds": 30000}
        waiting = asyncio.create_task(worker_side.ask("/v1/leases:poll", poll))
        await asyncio.sleep(0.3)
        submission = {"idempotencyKey": f"first lease {number}", "editText": write_edit(folder, "one", 1).read_text(), "title": "one", "assets": {"a": digest},
                      "output": 0, "priority": 0}
        began = time.monotonic()
        status, job = await sender.ask("/v1/jobs", submission, TOKEN)
        if status != 201:
            sys.exit(f"a submission was refused: {status} {job}")
        grants = (await waiting)[1]["grants"]
        times.append(time.monotonic() - began)
        await worker_side.ask(f"/v1/workers/{worker}/release", {"attempts": [grant["attempt"] for grant in grants], "leaving": False})
        await sender.ask(f"/v1/jobs/{job['id']}/cancel", {}, TOKEN)
    return times


def lists(farm, folder, options, report):
    """What the dashboard and `cutfarm jobs` ask for, with many jobs and tasks in the database."""
    template = farm.submit(write_edit(folder, "template", options.tasks - 1))
    fill(farm, template, options.jobs, 1)
    farm.ask(f"/v1/jobs/{template}/cancel", "POST")
    count = len(farm.json(f"/v1/jobs/{template}/tasks"))
    print(f"  lists, with {options.jobs:,} jobs of {count} tasks")
    for what in ("/v1/jobs?limit=100", "/v1/jobs?state=failed&limit=100", "/v1/jobs?search=reel%2099&limit=100", "/v1/jobs?owner=bench&state=completed&limit=100",
                 "/v1/jobs?search=nothing%20has%20this%20title&limit=100", "/v1/jobs:summary", "/v1/jobs:summary?search=reel%201", "/v1/workers",
                 f"/v1/jobs/{template}", f"/v1/jobs/{template}/tasks"):
        times = []
        for _ in range(7):
            began = time.monotonic()
            farm.ask(what)
            times.append(time.monotonic() - began)
        report.line("GET " + what.replace(template, "…"), 1000 * statistics.median(times), "ms", 100)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--workers", type=int, default=1000)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--jobs", type=int, default=10_000)
    # An owner of more than a million tasks of ended jobs loses the oldest of them.
    parser.add_argument("--tasks", type=int, default=95)
    # Benchmarks/run gives all its benchmarks the same options.
    options, _ = parser.parse_known_args()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", f"testsrc2=s=64x36:r={RATE}:d=60", "-c:v", "libx264", "-preset",
                        "ultrafast", "-pix_fmt", "yuv420p", folder / "a.mp4"], check=True)
        farm, report = Farm(options.build.resolve(), folder), Report()
        try:
            print("\nthe farm: one coordinator with its PostgreSQL")
            part = render_once(farm, folder)
            times = asyncio.run(first_leases(farm, folder, 20))
            report.line("from a submission to its first lease, median", 1000 * statistics.median(times), "ms", 100)
            thousand(farm, folder, part, options, report)
            lists(farm, folder, options, report)
        finally:
            farm.stop()


if __name__ == "__main__":
    main()
