#!/usr/bin/env python3
"""Renders an edit, then versions of it with small changes, and prints what each version cost in parts of the first.

    changed.py BUILD-FOLDER [--minutes N] [--size WxH]

Every frame is worked on by a colour effect, so nothing is copied. The versions: one clip in the middle 10 frames shorter;
the first version again; one letter of a title changed. The frames of each are compared with a render that takes no parts.
"""
import argparse
import hashlib
import json
import os
import pathlib
import re
import resource
import subprocess
import tempfile
import time

RATE, CLIP = 25, 50


def source(folder, size):
    path = folder / "source.mp4"
    subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i",
                    f"testsrc2=size={size}:rate={RATE}:duration=80,noise=alls=4:allf=t:all_seed=7", "-f", "lavfi", "-i",
                    "aevalsrc='0.2*sin(2*PI*220*t)':s=48000:d=80", "-c:v", "libx264", "-preset", "veryfast", "-crf", "18", "-g", "250",
                    "-pix_fmt", "yuv420p", "-c:a", "aac", path], check=True)
    return path


def edit(clips, size, shorter=0, title="Harbour at dawn"):
    """Clips of 50 s, each of another brightness, so that no two have a frame in common."""
    middle = clips // 2
    segments = [{"asset": "a", "in": f"{number % 20}s",
                 "duration": f"{CLIP * RATE - (shorter if number == middle else 0)}f",
                 "effects": [{"effect": "exposure", "stops": round(0.1 + 0.01 * number, 2)}]} for number in range(clips)]
    width, height = map(int, size.split("x"))
    return {"schema": "edit/1", "format": {"size": [width, height], "frameRate": str(RATE), "sampleRate": 48000, "channels": 2},
            "assets": {"a": "source.mp4"},
            "tracks": [{"kind": "video", "id": "main", "segments": segments},
                       {"kind": "title", "segments": [{"text": title, "at": "63s", "duration": "3s"}]}]}


def render(program, path, out, state, keeps):
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    environment = {name: value for name, value in os.environ.items() if name != "CUTFARM_PARTS_LIMIT"}
    run = subprocess.run([program, "render", path, "-o", out, "--force", "--workers", "2", "--state", state, "--json",
                          "--parts-limit", "20" if keeps else "0"], capture_output=True, text=True, env=environment)
    if run.returncode:
        raise SystemExit(f"cutfarm failed: {run.stderr[-2000:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    tasks = json.loads("[" + ",".join(re.findall(r'"tasks"\s*:\s*(\{[^}]*\})', run.stdout)) + "]")[-1]
    parts = tasks["completed"] - 1
    return {"wall": time.monotonic() - start, "cpu": cpu, "made": parts - tasks.get("taken", 0), "parts": parts}


def digest(path):
    return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--minutes", type=int, default=10)
    parser.add_argument("--size", default="640x360")
    # Benchmarks/run gives all its benchmarks the same options.
    options, _ = parser.parse_known_args()
    program = options.build / "cutfarm"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        source(folder, options.size)
        clips = options.minutes * 60 // CLIP
        versions = {"first": edit(clips, options.size), "10 frames less": edit(clips, options.size, shorter=10),
                    "undone": edit(clips, options.size), "a letter": edit(clips, options.size, title="Harbour at down")}
        print(f"\nwhat changed: {clips} clips, {options.minutes} min of {options.size}, an effect on every frame")
        print(f"  {'':16}{'wall s':>9}{'CPU s':>9}{'parts made':>12}{'wall %':>8}{'CPU %':>8}  frames")
        first = None
        for version, text in versions.items():
            path = folder / "edit.json"
            path.write_text(json.dumps(text))
            segments = json.loads(subprocess.run([program, "plan", path, "--json", "--state", folder / "state"], capture_output=True,
                                                 check=True).stdout)[0]["segments"]
            cost = render(program, path, folder / "out.mp4", folder / "state", keeps=True)
            first = first or cost
            same = "–"
            if version != "first":
                render(program, path, folder / "fresh.mp4", folder / "fresh", keeps=False)
                same = "equal" if digest(folder / "out.mp4") == digest(folder / "fresh.mp4") else "DIFFERENT"
            print(f"  {version:16}{cost['wall']:9.2f}{cost['cpu']:9.2f}{cost['made']:6} of {cost['parts']:3}"
                  f"{100 * cost['wall'] / first['wall']:8.1f}{100 * cost['cpu'] / first['cpu']:8.1f}  {same} ({len(segments)} segments)")


main()
