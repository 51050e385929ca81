#!/usr/bin/env python3
"""Times an edit of many clips whose pictures are mostly untouched: `cutfarm render --smart` (two one-thread workers)
beside one ffmpeg re-encode, melt, ffmpeg's lossless concatenation, and the limit.

    copying.py BUILD-FOLDER [--minutes N] [--clips N]

In and out points are seeded over all frames. Four edits: cuts only, and a box drawn over 5, 30 and 100 % of each clip.
The limit is the time that x264 with one thread on each of two cores takes for just the frames that are encoded, and the
decoding of just those: half of ffmpeg's CPU for one input a span. Concatenation by stream copy cuts at keyframes alone
and is what no program that keeps the cuts can reach.
"""
import argparse
import json
import pathlib
import random
import subprocess
import tempfile

from bench import measure

RATE, SIZE, GOP = 25, (1280, 720), 50
COLOR = ["-color_range", "tv", "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"]
SHARES = [0, 5, 30, 100]


def sources(folder, seconds):
    """Four sources with sound, coded as cameras do: 2 s groups, three B frames, between 2 and 5 Mbit/s."""
    patterns = ["testsrc2=size={s}:rate=25,noise=alls=4:allf=t",
                "mandelbrot=size={s}:rate=25:start_scale=0.8:end_scale=0.2:end_pts=1500",
                "testsrc2=size={s}:rate=25,rotate=a=t/5,noise=alls=3:allf=t",
                "gradients=size={s}:rate=25:speed=0.05:seed=1,format=yuv420p,noise=c0s=6:c0f=t"]
    # Noise that swells over a quiet tone: of a tone alone FFmpeg's encoder makes six times the work of music or speech.
    sound = ("sine={tone}:r=48000,volume=0.3[tone];anoisesrc=r=48000:color=pink:amplitude=0.3:seed={seed},tremolo=f=3:d=0.9[noise];"
             "[tone][noise]amix=inputs=2")
    paths = []
    for number, pattern in enumerate(patterns):
        path = folder / f"source-{number}.mp4"
        subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", pattern.format(s="%dx%d" % SIZE), "-f", "lavfi", "-i",
                        sound.format(tone=300 + 100 * number, seed=number), "-t", str(seconds), "-c:v", "libx264", "-preset", "veryfast", "-crf", "22",
                        "-g", str(GOP), "-bf", "3", "-pix_fmt", "yuv420p", *COLOR, "-c:a", "aac", "-ac", "2", "-b:a", "128k", path], check=True)
        paths.append(path)
    return paths


def clips(paths, seconds, count, length):
    numbers = random.Random(16)
    return [(number % len(paths), numbers.randrange(0, seconds * RATE - length), length) for number in range(count)]


def edit(folder, paths, cuts, share):
    titles, place = [], 0
    for _, _, length in cuts:
        drawn = length * share // 100
        if drawn:
            titles.append({"layers": [{"layer": "shape", "shape": "rectangle", "size": [200, 80], "color": "#ff8000"}],
                           "at": f"{place}f", "duration": f"{drawn}f"})
        place += length
    tracks = [{"kind": "video", "segments": [{"asset": f"s{s}", "in": f"{i}f", "duration": f"{n}f"} for s, i, n in cuts]}]
    if titles:
        tracks.append({"kind": "title", "segments": titles})
    path = folder / f"edit-{share}.json"
    path.write_text(json.dumps({"schema": "edit/1", "assets": {f"s{n}": str(p) for n, p in enumerate(paths)},
                                "tracks": tracks, "outputs": [{"preset": "h264"}]}))
    return path


def ffmpeg(paths, cuts, share, out):
    inputs, pads = [], ""
    for number, (source, start, length) in enumerate(cuts):
        inputs += ["-ss", str(start / RATE), "-t", str(length / RATE), "-i", paths[source]]
        pads += f"[{number}:v][{number}:a]"
    length = cuts[0][2] / RATE
    box = f"drawbox=x=540:y=320:w=200:h=80:t=fill:c=orange:enable='lt(mod(t,{length}),{length * share / 100})'"
    graph = f"{pads}concat=n={len(cuts)}:v=1:a=1[c][a];[c]{box if share else 'null'}[v]"
    return ["ffmpeg", "-nostdin", "-v", "error", "-y", *inputs, "-filter_complex", graph, "-map", "[v]", "-map", "[a]", "-c:v", "libx264",
            "-preset", "medium", "-crf", "20", "-g", "50", "-rc-lookahead", "20", "-c:a", "aac", "-b:a", "192k", "-movflags", "+faststart", out]


def melt(folder, paths, cuts, out):
    profile = folder / "profile"
    profile.write_text(f"description=b\nframe_rate_num={RATE}\nframe_rate_den=1\nwidth={SIZE[0]}\nheight={SIZE[1]}\nprogressive=1\n"
                       "sample_aspect_num=1\nsample_aspect_den=1\ndisplay_aspect_num=16\ndisplay_aspect_den=9\ncolorspace=709\n")
    track = [part for s, i, n in cuts for part in (paths[s], f"in={i}", f"out={i + n - 1}")]
    return ["melt", "-silent", "-profile", profile, *track, "-consumer", f"avformat:{out}", "vcodec=libx264", "preset=medium", "crf=20",
            "g=50", "rc_lookahead=20", "acodec=aac", "ab=192k", "real_time=-1", "movflags=+faststart"]


def concat(folder, paths, cuts, out):
    listing = folder / "list.txt"
    listing.write_text("".join(f"file '{paths[s]}'\ninpoint {i / RATE}\noutpoint {(i + n) / RATE}\n" for s, i, n in cuts))
    return ["ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "concat", "-safe", "0", "-i", listing, "-c", "copy", out]


def encoded_spans(plan, cuts):
    """The spans of the sources that are encoded: source, first frame, frames."""
    length, spans = cuts[0][2], []
    for segment in plan["segments"]:
        place, end = segment["frames"]["start"], segment["frames"]["start"] + segment["frames"]["count"]
        copied = [(place + c["frames"]["start"], place + c["frames"]["start"] + c["frames"]["count"]) for c in segment["task"].get("copies") or []]
        for start, stop in copied + [(end, end)]:
            while place < start:
                source, first, _ = cuts[place // length]
                count = min(start, (place // length + 1) * length) - place
                spans.append((source, first + place % length, count))
                place += count
            place = stop
    return spans


def limit(paths, spans, share, out):
    inputs, pads = [], ""
    for number, (source, start, count) in enumerate(spans):
        inputs += ["-threads", "1", "-ss", str(start / RATE), "-t", str(count / RATE), "-i", paths[source]]
        pads += f"[{number}:v]"
    box = "drawbox=x=540:y=320:w=200:h=80:t=fill:c=orange" if share else "null"
    return ["ffmpeg", "-nostdin", "-v", "error", "-y", "-filter_complex_threads", "1", *inputs, "-filter_complex",
            f"{pads}concat=n={len(spans)}:v=1:a=0,{box}[v]", "-map", "[v]",
            "-c:v", "libx264", "-preset", "medium", "-crf", "20", "-g", "50", "-rc-lookahead", "20", "-threads", "1", out]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--clips", type=int, default=60)
    parser.add_argument("--shares", type=int, nargs="*", default=SHARES, help="per cent of each clip under a box")
    parser.add_argument("--runs", type=int, default=1, help="taken for Benchmarks/run; each program runs once")
    options = parser.parse_args()
    program = pathlib.Path(options.build).resolve() / "cutfarm"
    seconds = 60
    with tempfile.TemporaryDirectory(prefix="cutfarm-bench-") as name:
        folder = pathlib.Path(name)
        # The farm's database may belong to another user, who has to reach its folder.
        folder.chmod(0o755)
        paths = sources(folder, seconds)
        cuts = clips(paths, seconds, options.clips, int(options.minutes * 60 * RATE / options.clips))
        out = folder / "out.mp4"
        print(f"\ncopying: {options.minutes:g} minutes of {options.clips} clips, {SIZE[0]}x{SIZE[1]}, groups of {GOP} frames")
        copied = measure(concat(folder, paths, cuts, folder / "concat.mp4"))
        played = measure(melt(folder, paths, cuts, folder / "melt.mp4"))
        print(f"  ffmpeg -c copy (cuts at keyframes): {copied['wall']:.1f} s; melt, cuts only: {played['wall']:.1f} s, CPU {played['cpu']:.1f} s")
        for share in options.shares:
            path = edit(folder, paths, cuts, share)
            plan = json.loads(subprocess.run([program, "plan", path, "--smart", "--json", "--state", folder / "state"], capture_output=True,
                                             check=True).stdout)[0]
            spans = encoded_spans(plan, cuts)
            encoded = sum(count for _, _, count in spans)
            own = measure([program, "render", path, "--smart", "-o", out, "--force", "--workers", "2", "--parts-limit", "0", "--state", folder / "state"])
            peer = measure(ffmpeg(paths, cuts, share, folder / "ffmpeg.mp4"))
            bound = measure(limit(paths, spans, share, folder / "limit.mp4"))
            least = bound["cpu"] / 2
            better = min(peer["wall"], played["wall"])
            print(f"  {share:3} % drawn: {100 * encoded / plan['frameCount']:5.1f} % encoded; wall {own['wall']:6.1f} s, CPU {own['cpu']:6.1f} s; "
                  f"ffmpeg {peer['wall']:6.1f} s, CPU {peer['cpu']:6.1f} s; {better / own['wall']:.2f} x faster than the better of ffmpeg and melt; "
                  f"{own['wall'] / least:.2f} x the limit of {least:.1f} s")


if __name__ == "__main__":
    main()
