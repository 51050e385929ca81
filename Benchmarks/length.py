#!/usr/bin/env python3
"""Measures what a second of output costs in a short and in a very long edit, and how long the long one takes to plan.

    length.py BUILD-FOLDER [--seconds N N …] [--clip N]

Ten minutes and ten hours of 64×36 pictures with sound of one channel at 16 kHz, in clips of 7.2 s: 83 and 5,000, whose in points are
spread alike. The short one runs before and after the long one, because a machine's speed changes within half an hour. Every frame and
sample is decoded and encoded, by two workers of `cutfarm render`; libavcodec alone would take over half an hour to encode ten
hours of stereo at 48 kHz. CPU is user + system time of the whole process tree, with the start of the programs. Planned
is with `cutfarm plan`, whose ledger of files knows the assets from the time before; that includes the start of the program,
and reading the edit.
"""
import argparse
import pathlib
import shutil
import statistics
import subprocess
import tempfile
import time

from bench import measure
from dashboard import Report
from encoding import COLOR, FFMPEG, RATE, Case

SIZE, SOUND = (64, 36), (16_000, 1)


def sources(folder, seconds=60):
    paths = []
    for number, pattern in enumerate(("testsrc2=size={s}:rate=25", "mandelbrot=size={s}:rate=25", "testsrc=size={s}:rate=25")):
        paths.append(folder / f"small-{number}.mp4")
        subprocess.run([*FFMPEG, "-f", "lavfi", "-i", pattern.format(s="%dx%d" % SIZE), "-f", "lavfi", "-i", f"sine={300 + 100 * number}:r=48000",
                        "-t", str(seconds), "-c:v", "libx264", "-preset", "veryfast", "-g", "50", "-pix_fmt", "yuv420p", *COLOR, "-c:a", "aac",
                        "-ar", str(SOUND[0]), "-ac", str(SOUND[1]), paths[-1]], check=True)
    return paths


def planned(case):
    """The seconds that planning takes when the assets are known."""
    words = [case.program, "plan", case.path, "--state", case.folder / "state"]
    times = []
    for _ in range(3):
        start = time.monotonic()
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
        times.append(time.monotonic() - start)
    return min(times)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--seconds", type=float, nargs="+", default=[600, 36_000, 600])
    parser.add_argument("--clip", type=float, default=7.2, help="seconds of a clip")
    # Benchmarks/run gives all its benchmarks the same options.
    options, _ = parser.parse_known_args()
    program = pathlib.Path(options.build).resolve() / "cutfarm"
    folder = pathlib.Path(tempfile.mkdtemp(prefix="cutfarm-bench-", dir="/var/tmp"))
    folder.chmod(0o755)
    report, costs = Report(), {seconds: [] for seconds in options.seconds}
    try:
        paths = sources(folder)
        print(f"\nlength: {'%dx%d' % SIZE} at {RATE} fps with sound, clips of {options.clip:g} s, two workers")
        for seconds in options.seconds:
            case = Case(folder, program, paths, seconds, options.clip, SIZE, SOUND, spread=True)
            length = case.count / RATE
            report.line(f"planning {length:.0f} s of {len(case.cuts):,} clips, assets known", planned(case), "s", 1)
            run = measure(case.cutfarm(2))
            cost = run["cpu"] / length
            costs[seconds].append(cost)
            print(f"  {length:.0f} s: wall {run['wall']:.1f} s, CPU {run['cpu']:.1f} s, {1000 * cost:.3f} ms of CPU for a second, "
                  f"{run['MB']:.0f} MB", flush=True)
        shortest, longest = (statistics.mean(costs[seconds]) for seconds in (min(costs), max(costs)))
        report.line("CPU for a second of the longest, against the shortest", 100 * (longest / shortest - 1), "%", 5)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
