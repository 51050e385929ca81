#!/usr/bin/env python3
"""Times edits of which every frame is encoded, beside one ffmpeg graph and beside the work alone that has to be done.

    encoding.py BUILD-FOLDER [--runs N] [--seconds N …] [--clip N] [--footage FILE …] [--folder FOLDER]
    encoding.py BUILD-FOLDER --beside N … [--runs N] [--clip N] [--footage FILE …] [--folder FOLDER]
    encoding.py BUILD-FOLDER --long N N … [--runs N] [--clip N] [--footage FILE …] [--folder FOLDER]

An edit is hard cuts of `--clip` seconds through grainy 720p25 footage, at seeded in points; 5 s and 30 s unless others
are named. CPU is user + system time of the whole process tree, the smallest of the runs. In turn are run

cutfarm   `render` with two workers, and with one
ffmpeg    one graph that cuts, encodes with the same settings and its own number of threads
alone     what has to be done, a process and a thread for each: x264 on the same frames from a raw file (without what
          reading that costs), decoding each clip from its keyframe, cutting and encoding the sound
post-roll decoding what our encoders see behind the segments' ends; x264's analysis of it cannot be had alone and is not
          in it

Our compositing of a hard cut is passing a picture on; it has no line. Memory is the largest single process.

With --beside cutfarm runs with two workers and ffmpeg beside it, and nothing else: for edits of minutes.

With --long only cutfarm runs, with two workers, on edits of so many seconds each, scaled to 160x90: a second of a long
edit must cost what a second of a short one does, within 5 %. Ten minutes and an hour are `--long 600 3600`.
"""
import argparse
import json
import pathlib
import random
import shutil
import subprocess
import tempfile

from bench import BITRATE, CRF, PRESET, frames, measure

RATE, SIZE, LONG_SIZE = 25, (1280, 720), (160, 90)
GOLDEN = (5 ** 0.5 - 1) / 2
COLOR = ["-color_range", "tv", "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"]
X264 = ["-c:v", "libx264", "-preset", PRESET, "-crf", str(CRF), "-g", str(2 * RATE)]
PINNED = ["-threads", "1", "-x264-params", "rc-lookahead=20:cpu-independent=1:open-gop=0"]
FFMPEG = ["ffmpeg", "-nostdin", "-v", "error", "-y"]


def sources(folder, seconds=40):
    """Three of 10 Mbit/s at most, with grain, B-frames, a keyframe in 2 or 10 s, and sound that swells over a tone."""
    patterns = [("testsrc2=size={s}:rate=25,noise=alls=5:allf=t:all_seed=1", 250),
                ("mandelbrot=size={s}:rate=25:start_scale=0.8:end_scale=0.2:end_pts=1500,noise=alls=4:allf=t:all_seed=2", 50),
                ("gradients=size={s}:rate=25:speed=0.05:seed=1,format=yuv420p,noise=c0s=6:c0f=t:all_seed=3", 250)]
    sound = ("sine={tone}:r=48000,volume=0.3[tone];anoisesrc=r=48000:color=pink:amplitude=0.3:seed={seed},tremolo=f=3:d=0.9[noise];"
             "[tone][noise]amix=inputs=2")
    paths = []
    for number, (pattern, group) in enumerate(patterns):
        path = folder / f"grain-{number}.mp4"
        if not path.exists():
            subprocess.run([*FFMPEG, "-f", "lavfi", "-i", pattern.format(s="%dx%d" % SIZE), "-f", "lavfi", "-i",
                            sound.format(tone=300 + 100 * number, seed=number), "-t", str(seconds), "-c:v", "libx264", "-preset", "veryfast",
                            "-crf", "20", "-maxrate", "10M", "-bufsize", "10M", "-g", str(group), "-bf", "3", "-pix_fmt", "yuv420p", *COLOR,
                            "-c:a", "aac", "-ac", "2", "-b:a", "128k", path], check=True)
        paths.append(path)
    return paths


def cuts(paths, seconds, clip, spread=False):
    """Source, first frame and frames of each clip; two at least.

    In points are drawn from a seed. With `spread` they follow multiples of the golden ratio, which fill a source evenly
    however many they are: then a second of a short edit has the same frames to decode and encode, on average, as a
    second of a long one. Of some tens of drawn ones the average is several percent off."""
    numbers, count = random.Random(18), max(2, round(seconds / clip))
    length, lengths = round(seconds * RATE / count), [frames(path) for path in paths]
    found = []
    for number in range(count):
        source, turn = number % len(paths), number // len(paths)
        last = lengths[source] - length - RATE
        found.append((source, int(last * (turn * GOLDEN % 1)) if spread else numbers.randrange(0, last), length))
    return found


class Case:
    def __init__(self, folder, program, paths, seconds, clip, size=SIZE, sound=(48000, 2), spread=False):
        self.folder, self.program, self.paths = folder, program, paths
        self.cuts = cuts(paths, seconds, clip, spread)
        self.name = f"encoding-{seconds:g}"
        self.count = sum(length for _, _, length in self.cuts)
        self.path, self.raw = folder / f"{self.name}.json", folder / f"{self.name}.yuv"
        segments = [{"asset": f"s{s}", "in": f"{i}f", "duration": f"{n}f"} for s, i, n in self.cuts]
        self.path.write_text(json.dumps({
            "schema": "edit/1",
            "format": {"size": list(size), "frameRate": str(RATE), "sampleRate": sound[0], "channels": sound[1]},
            "assets": {f"s{n}": str(path) for n, path in enumerate(paths)},
            "tracks": [{"kind": "video", "segments": segments}], "outputs": [{"preset": "h264"}]}))
        plan = subprocess.run([program, "plan", self.path, "--json", "--state", folder / "state"], capture_output=True, check=True)
        self.tasks = [segment["task"] for segment in json.loads(plan.stdout)[0]["segments"]]

    def graph(self, clips, kinds, before=()):
        """The inputs and the graph of `clips` joined; pads [v] and [a]."""
        inputs, pads = [], ""
        for number, (source, start, length) in enumerate(clips):
            inputs += [*before, "-ss", str(start / RATE), "-t", str(length / RATE), "-i", self.paths[source]]
            pads += "".join(f"[{number}:{kind}]" for kind in kinds)
        outputs = "".join(f"[{kind}]" for kind in kinds)
        return [*inputs, "-filter_complex", f"{pads}concat=n={len(clips)}:v={int('v' in kinds)}:a={int('a' in kinds)}{outputs}"]

    def decoding(self, clips):
        return [*FFMPEG, "-filter_complex_threads", "1", *self.graph(clips, "v", ("-threads", "1")), "-map", "[v]"]

    def cutfarm(self, workers):
        out = self.folder / f"{self.name}-cutfarm.mp4"
        return [self.program, "render", self.path, "-o", out, "--force", "--workers", str(workers), "--parts-limit", "0", "--state", self.folder / "state"]

    def commands(self):
        raw = [*FFMPEG, "-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", "%dx%d" % SIZE, "-r", str(RATE), "-i", self.raw]
        sound = ["-c:a", "aac", "-b:a", BITRATE]
        return {
            "cutfarm, 2 workers": self.cutfarm(2),
            "cutfarm, 1 worker": self.cutfarm(1),
            "ffmpeg": [*FFMPEG, *self.graph(self.cuts, "va"), "-map", "[v]", "-map", "[a]", *X264, "-rc-lookahead", "20", *sound,
                       "-movflags", "+faststart", self.folder / f"{self.name}-ffmpeg.mp4"],
            "x264 alone": [*raw, *X264, *PINNED, self.folder / f"{self.name}-x264.mp4"],
            "reading raw frames": [*raw, "-f", "null", "-"],
            "decoding alone": [*self.decoding(self.cuts), "-f", "null", "-"],
            "sound alone": [*FFMPEG, *self.graph(self.cuts, "a", ("-vn",)), "-map", "[a]", *sound, self.folder / f"{self.name}.m4a"],
        }


def run(case, runs):
    subprocess.run([str(part) for part in [*case.decoding(case.cuts), "-f", "rawvideo", "-pix_fmt", "yuv420p", case.raw]], check=True)
    results = {name: [] for name in case.commands()}
    for _ in range(runs):
        for name, command in case.commands().items():
            results[name].append(measure(command))
    case.raw.unlink()
    best = {name: {key: min(run[key] for run in found) for key in found[0]} for name, found in results.items()}
    cpu = {name: found["cpu"] for name, found in best.items()}
    count = sum(task["postRollCount"] for task in case.tasks)
    x264 = cpu["x264 alone"] - cpu["reading raw frames"]
    # A shot goes on behind a border, so that its frames are decoded without the way from a keyframe.
    post = count / case.count * cpu["decoding alone"]
    print(f"\nencoding: {case.count} frames ({case.count / RATE:.0f} s), {len(case.cuts)} clips, {len(case.tasks)} segments, "
          f"{count} frames of post-roll, x264 {PRESET} crf {CRF}")
    print(f"  {'':20}{'wall s':>9}{'CPU s':>9}{'ms/frame':>10}{'MB':>6}")
    for name, found in best.items():
        print(f"  {name:20}{found['wall']:9.2f}{found['cpu']:9.2f}{1000 * found['cpu'] / case.count:10.2f}{found['MB']:6.0f}")
    print(f"  {'post-roll':20}{'':9}{post:9.2f}{1000 * post / case.count:10.2f}")
    alone = x264 + cpu["decoding alone"] + cpu["sound alone"] + post
    for name in ("cutfarm, 2 workers", "cutfarm, 1 worker"):
        ratio = cpu[name] / alone
        print(f"  CPU {name}: {ratio:.2f} × the work alone of {alone:.2f} s (goal ≤ 1.10: {'reached' if ratio <= 1.1 else 'NOT reached'}), "
              f"{cpu[name] / cpu['ffmpeg']:.2f} × ffmpeg; wall {best[name]['wall'] / best['ffmpeg']['wall']:.2f} × ffmpeg")
    one, two = best["cutfarm, 1 worker"], best["cutfarm, 2 workers"]
    cores = one["cpu"] / one["wall"]
    print(f"  two workers are {one['wall'] / two['wall']:.2f} × as fast as one (goal ≥ 1.9); one worker keeps {cores:.2f} cores busy, "
          f"so on two cores {2 * one['wall'] / two['cpu']:.2f} × is the most; {100 * (1 - two['cpu'] / 2 / two['wall']):.0f} % of two "
          "cores not ours", flush=True)


def beside(case, runs):
    """Prints what an edit takes in cutfarm and in ffmpeg; what it is made of is not measured alone."""
    print(f"\nencoding: {case.count} frames ({case.count / RATE:.0f} s), {len(case.cuts)} clips, {len(case.tasks)} segments, x264 {PRESET} crf {CRF}")
    print(f"  {'':20}{'wall s':>9}{'CPU s':>9}{'ms/frame':>10}{'MB':>6}")
    best = {}
    for name in ("cutfarm, 2 workers", "ffmpeg"):
        found = [measure(case.commands()[name]) for _ in range(runs)]
        best[name] = {key: min(run[key] for run in found) for key in found[0]}
        print(f"  {name:20}{best[name]['wall']:9.2f}{best[name]['cpu']:9.2f}{1000 * best[name]['cpu'] / case.count:10.2f}{best[name]['MB']:6.0f}", flush=True)
    ours, other = best.values()
    print(f"  cutfarm / ffmpeg: wall {ours['wall'] / other['wall']:.2f}, CPU {ours['cpu'] / other['cpu']:.2f}", flush=True)


def compare(cases, runs):
    """Prints what a second of output costs in each case, and whether the lengths differ."""
    print(f"\nlong edits: {'%dx%d' % LONG_SIZE}, x264 {PRESET} crf {CRF}, two workers")
    print(f"  {'':20}{'wall s':>9}{'CPU s':>9}{'CPU s/s':>10}{'MB':>6}")
    costs = []
    for case in cases:
        found = [measure(case.cutfarm(2)) for _ in range(runs)]
        best = {key: min(run[key] for run in found) for key in found[0]}
        seconds = case.count / RATE
        costs.append(best["cpu"] / seconds)
        name = f"{seconds:.0f} s"
        print(f"  {name:20}{best['wall']:9.2f}{best['cpu']:9.2f}{costs[-1]:10.4f}{best['MB']:6.0f}", flush=True)
    spread = 100 * (max(costs) / min(costs) - 1)
    print(f"  the costs of a second differ by {spread:.1f} % (goal ≤ 5: {'reached' if spread <= 5 else 'NOT reached'})", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--seconds", type=float, nargs="*", default=[5, 30])
    parser.add_argument("--beside", type=float, nargs="+", help="seconds of edits that cutfarm, with two workers, and ffmpeg render")
    parser.add_argument("--long", type=float, nargs="+", help="seconds of edits that only cutfarm renders")
    parser.add_argument("--clip", type=float, default=10, help="seconds of a clip")
    parser.add_argument("--footage", type=pathlib.Path, nargs="*", help="720p25 files with sound, in place of generated ones")
    parser.add_argument("--folder", help="where media and movies are made and left")
    options = parser.parse_args()
    program = pathlib.Path(options.build).resolve() / "cutfarm"
    folder = pathlib.Path(options.folder or tempfile.mkdtemp(prefix="cutfarm-bench-", dir="/var/tmp"))
    folder.mkdir(exist_ok=True)
    folder.chmod(0o755)
    try:
        paths = [path.resolve() for path in options.footage] if options.footage else sources(folder)
        if options.long:
            cases = [Case(folder, program, paths, seconds, options.clip, LONG_SIZE, spread=True) for seconds in options.long]
            return compare(cases, options.runs)
        if options.beside:
            for seconds in options.beside:
                beside(Case(folder, program, paths, seconds, options.clip), options.runs)
            return
        for seconds in options.seconds:
            run(Case(folder, program, paths, seconds, options.clip), options.runs)
    finally:
        if not options.folder:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
