#!/usr/bin/env python3
"""Times one edit in cutfarm (two one-thread workers), in one ffmpeg filter graph (its default threads) and in melt.

    bench.py BUILD-FOLDER [--runs N] [--only 720p|1080p]

Every frame is encoded, with the same x264 settings and the same dissolves. The three run in turn, so that a machine
whose speed drifts is unfair to none; ratios are medians over the runs. CPU is user + system time of the whole process
tree; memory is the largest single process.
"""
import argparse
import json
import os
import pathlib
import resource
import shutil
import statistics
import subprocess
import tempfile
import time

PRESET, CRF, BITRATE = "medium", 20, "192k"


class Clip:
    def __init__(self, path, start, frames):
        self.path, self.start, self.frames = path, start, frames


class Case:
    """Clips joined by dissolves of `fade` frames at `rate`, with music under them."""

    def __init__(self, name, size, rate, clips, fade, music, folder):
        self.name, self.size, self.rate, self.clips, self.fade, self.music = name, size, rate, clips, fade, music
        self.folder = folder
        self.frames = sum(clip.frames for clip in clips) - fade * (len(clips) - 1)
        self.seconds = self.frames / rate

    def cutfarm(self, program, workers, out):
        segments = []
        for number, clip in enumerate(self.clips):
            if number:
                segments.append({"transition": "dissolve", "duration": f"{self.fade}f"})
            segments.append({"asset": f"clip{number}", "in": f"{clip.start}f", "duration": f"{clip.frames}f", "sound": False})
        edit = {
            "schema": "edit/1",
            "format": {"size": list(self.size), "frameRate": str(self.rate), "sampleRate": 48000, "channels": 2},
            "assets": {**{f"clip{n}": str(c.path) for n, c in enumerate(self.clips)}, "music": str(self.music)},
            "tracks": [{"kind": "video", "segments": segments},
                       {"kind": "audio", "segments": [{"asset": "music", "duration": f"{self.frames}f"}]}],
            "outputs": [{"preset": "h264"}],
        }
        path = self.folder / f"{self.name}.json"
        path.write_text(json.dumps(edit))
        return [program, "render", path, "-o", out, "--force", "--workers", str(workers), "--parts-limit", "0", "--state", self.folder / "state"]

    def ffmpeg(self, out):
        """`fps` says the rate, which xfade asks for, and changes nothing; after `trim` it makes xfade drop and repeat
        frames (FFmpeg 5.1: 823 to 826 of 825)."""
        width, height = self.size
        inputs, graph = [], []
        for number, clip in enumerate(self.clips):
            inputs += ["-i", clip.path]
            graph.append(f"[{number}:v]fps={self.rate},trim=start_frame={clip.start}:end_frame={clip.start + clip.frames},"
                         f"setpts=PTS-STARTPTS,scale={width}:{height}:force_original_aspect_ratio=decrease,"
                         f"pad={width}:{height}:(ow-iw)/2:(oh-ih)/2,setsar=1,settb=1/{self.rate}[v{number}]")
        last, offset = "v0", 0
        for number in range(1, len(self.clips)):
            offset += self.clips[number - 1].frames - self.fade
            graph.append(f"[{last}][v{number}]xfade=transition=fade:duration={self.fade / self.rate}:"
                         f"offset={offset / self.rate}[x{number}]")
            last = f"x{number}"
        graph.append(f"[{last}]format=yuv420p[v]")
        music = len(self.clips)
        graph.append(f"[{music}:a]atrim=0:{self.seconds},aresample=48000[a]")
        return ["ffmpeg", "-nostdin", "-v", "error", "-y", *inputs, "-i", self.music, "-filter_complex", ";".join(graph),
                "-map", "[v]", "-map", "[a]", "-c:v", "libx264", "-preset", PRESET, "-crf", str(CRF), "-g",
                str(2 * self.rate), "-rc-lookahead", "20", "-c:a", "aac", "-b:a", BITRATE, "-movflags", "+faststart", out]

    def melt(self, out):
        width, height = self.size
        profile = self.folder / f"{self.name}.profile"
        profile.write_text(f"description={self.name}\nframe_rate_num={self.rate}\nframe_rate_den=1\nwidth={width}\n"
                           f"height={height}\nprogressive=1\nsample_aspect_num=1\nsample_aspect_den=1\n"
                           f"display_aspect_num={width}\ndisplay_aspect_den={height}\ncolorspace=709\n")
        track = []
        for number, clip in enumerate(self.clips):
            track += [clip.path, f"in={clip.start}", f"out={clip.start + clip.frames - 1}", "audio_index=-1"]
            if number:
                track += ["-mix", str(self.fade), "-mixer", "luma"]
        return ["melt", "-silent", "-profile", profile, *track, "-audio-track", self.music, "in=0", f"out={self.frames - 1}",
                "-consumer", f"avformat:{out}", "vcodec=libx264", f"preset={PRESET}", f"crf={CRF}", f"g={2 * self.rate}",
                "rc_lookahead=20", "acodec=aac", f"ab={BITRATE}", "real_time=-1", "movflags=+faststart"]


def measure(command):
    start = time.monotonic()
    # A process of its own, so that ru_maxrss is this command's and not that of an earlier one.
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        code = subprocess.run([str(part) for part in command], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE)
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        report = [code.returncode, usage.ru_utime + usage.ru_stime, usage.ru_maxrss, code.stderr.decode()[-2000:]]
        os.write(writer, json.dumps(report).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        code, cpu, memory, errors = json.load(pipe)
    os.waitpid(child, 0)
    if code:
        raise SystemExit(f"{command[0]} failed: {errors}")
    return {"wall": time.monotonic() - start, "cpu": cpu, "MB": memory / 1024}


def frames(path):
    text = subprocess.run(["ffprobe", "-v", "error", "-select_streams", "v", "-count_packets", "-show_entries",
                           "stream=nb_read_packets", "-of", "csv=p=0", path], capture_output=True, text=True, check=True)
    return int(text.stdout.strip().strip(","))


def ssim(path, reference):
    text = subprocess.run(["ffmpeg", "-nostdin", "-v", "info", "-i", path, "-i", reference, "-lavfi", "ssim", "-f", "null", "-"],
                          capture_output=True, text=True).stderr
    return float(text.rsplit("All:", 1)[1].split()[0]) if "All:" in text else float("nan")


def generated(folder, size):
    """Moving pictures with detail and noise, so that the encoder has real work, at a camera's 50 Mbit/s at most. Seeds
    are written out: the same pictures in every run."""
    sources = ["testsrc2=size={s}:rate=25:duration=14,noise=alls=2:allf=t", "mandelbrot=size={s}:rate=25:end_scale=0.05,trim=duration=14",
               "testsrc2=size={s}:rate=25:duration=14,hue=H=0.5*t,noise=alls=3:allf=t", "gradients=size={s}:rate=25:duration=14:speed=0.05:seed=1,noise=alls=2:allf=t"]
    paths = []
    for number, source in enumerate(sources):
        path = folder / f"source-{size}-{number}.mp4"
        subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", source.format(s=size), "-t", "14",
                        "-c:v", "libx264", "-preset", "veryfast", "-crf", "16", "-maxrate", "50M", "-bufsize", "50M", "-g", "250",
                        "-pix_fmt", "yuv420p", path], check=True)
        paths.append(path)
    return paths


def cases(folder, only):
    music = folder / "music.m4a"
    subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i",
                    "aevalsrc='0.2*sin(2*PI*220*t)+0.15*sin(2*PI*277*t)':s=44100:d=60", "-ac", "2", "-c:a", "aac", music], check=True)
    footage = pathlib.Path(os.environ.get("CUTFARM_FOOTAGE") or "/nonexistent")
    if only in (None, "720p"):
        names = ["01_nebula.mp4", "02_blackhole.mp4", "03_nebula.mp4", "04_quasar.mp4", "05_blackhole.mp4"]
        paths = [footage / name for name in names] if (footage / names[0]).exists() else generated(folder, "1280x720")
        clips = [Clip(path, 13 if number % 2 else 0, 225) for number, path in enumerate(paths)]
        yield Case("720p", (1280, 720), 25, clips, 25, music, folder)
    if only in (None, "1080p"):
        clips = [Clip(path, 7, 225) for path in generated(folder, "1920x1080")]
        yield Case("1080p", (1920, 1080), 25, clips, 25, music, folder)


def median(runs, key):
    return statistics.median(run[key] for run in runs)


def report(case, results):
    print(f"\n{case.name}: {case.frames} frames ({case.seconds:.1f} s), x264 {PRESET} crf {CRF}, every frame encoded")
    print(f"  {'':10}{'wall s':>9}{'CPU s':>9}{'peak MB':>9}{'fps':>8}")
    for name, runs in results.items():
        wall = median(runs, "wall")
        print(f"  {name:10}{wall:9.2f}{median(runs, 'cpu'):9.2f}{max(run['MB'] for run in runs):9.0f}{case.frames / wall:8.1f}")
    for other in results:
        if other == "cutfarm":
            continue
        ratios = {key: statistics.median(a[key] / b[key] for a, b in zip(results["cutfarm"], results[other]))
                  for key in ("wall", "cpu")}
        print(f"  cutfarm / {other}: wall {ratios['wall']:.2f}, CPU {ratios['cpu']:.2f}")
        if other == "ffmpeg":
            memory = max(run["MB"] for run in results["cutfarm"])
            goals = [("wall ≤ 0.75", ratios["wall"] <= 0.75), ("CPU ≤ 0.88", ratios["cpu"] <= 0.88), ("memory ≤ 400 MB", memory <= 400)]
            print("  goals: " + ", ".join(f"{goal} {'reached' if met else 'NOT reached'}" for goal, met in goals))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--only", choices=["720p", "1080p"])
    parser.add_argument("--keep", help="folder where the movies of the last run are left")
    options = parser.parse_args()
    program = pathlib.Path(options.build).resolve() / "cutfarm"
    folder = pathlib.Path(tempfile.mkdtemp(prefix="cutfarm-bench-", dir="/var/tmp"))
    folder.chmod(0o755)
    try:
        for case in cases(folder, options.only):
            outputs = {name: folder / f"{case.name}-{name}.mp4" for name in ("cutfarm", "ffmpeg", "melt")}
            commands = {"cutfarm": case.cutfarm(program, 2, outputs["cutfarm"]), "ffmpeg": case.ffmpeg(outputs["ffmpeg"])}
            if shutil.which("melt"):
                commands["melt"] = case.melt(outputs["melt"])
            results = {name: [] for name in commands}
            for _ in range(options.runs):
                for name, command in commands.items():
                    results[name].append(measure(command))
            report(case, results)
            for name in commands:
                print(f"  {name}: {frames(outputs[name])} frames, {outputs[name].stat().st_size / 1e6:.2f} MB, "
                      f"SSIM to ffmpeg's {ssim(outputs[name], outputs['ffmpeg']):.4f}")
            if options.keep:
                for output in outputs.values():
                    if output.exists():
                        shutil.copy(output, options.keep)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
