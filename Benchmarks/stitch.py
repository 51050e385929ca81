#!/usr/bin/env python3
"""Times joining thousands of parts beside copying their bytes, and planning an edit of thousands of copied clips.

    stitch.py BUILD-FOLDER [--parts N] [--clips N]

The parts are 50 encoded pictures each, with the digests that prove their joins; then as many with pictures that were
copied from 30 kinds of files, whose slices get other parameter sets. `cat` writes the same bytes into one file and sees
them to the disk. The edit shows 5,000 clips of 100 files.
"""
import argparse
import base64
import hashlib
import json
import os
import pathlib
import random
import re
import resource
import socket
import struct
import subprocess
import tempfile
import time

SIZE, RATE, FRAMES, KINDS, SOURCES = (320, 180), 25, 50, 30, 100
COLOR = ["-color_range", "tv", "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"]


def ffmpeg(*arguments):
    return subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", *map(str, arguments)], capture_output=True, check=True).stdout


def coded(path, kind, frames=FRAMES, size=SIZE):
    """A movie whose parameter sets no other kind has."""
    settings = f"keyint={FRAMES}:scenecut=0:bframes=2:ref={1 + kind % 5}:cabac={kind // 5 % 2}:chroma-qp-offset={kind // 10 - 1}"
    ffmpeg("-f", "lavfi", "-i", f"testsrc2=s={size[0]}x{size[1]}:r={RATE},hue=h={12 * kind}", "-frames:v", frames, "-c:v", "libx264",
           "-preset", "ultrafast", "-threads", "1", "-x264-params", settings, "-bf", "2", "-pix_fmt", "yuv420p", *COLOR, path)
    return path


class Part:
    """The packets of a movie as a packet file has them (docs/packet-file.md)."""

    def __init__(self, movie):
        stream = ffmpeg("-i", movie, "-c", "copy", "-bsf:v", "h264_mp4toannexb,h264_metadata=aud=insert", "-f", "h264", "-")
        units = [unit for unit in re.split(b"\x00\x00\x00?\x01", stream) if unit]
        self.sets = b"".join(b"\0\0\0\1" + unit.rstrip(b"\0") for unit in units if unit[0] & 31 in (7, 8))
        pictures = []
        for unit in units:
            kind = unit[0] & 31
            if kind == 9:
                pictures.append([])
            elif kind not in (7, 8):
                pictures[-1].append(unit)
        times = subprocess.run(["ffprobe", "-v", "error", "-show_entries", "packet=pts_time", "-of", "csv=p=0", movie], capture_output=True,
                               check=True, text=True).stdout.split()
        self.packets = [(round(float(pts.strip(",")) * RATE), b"".join(b"\0\0\0\1" + unit for unit in picture))
                        for pts, picture in zip(times, pictures)]
        hashes = ffmpeg("-i", movie, "-f", "framehash", "-hash", "sha256", "-").decode().splitlines()
        self.digests = [bytes.fromhex(line.split(",")[-1].strip()) for line in hashes if not line.startswith("#")]

    def write(self, path, copied=None):
        """With `copied` the pictures are copied ones of that part, and nothing but the head is this one's."""
        content = {"codec": "h264", "color": {"isFullRange": False, "matrix": "bt709", "primaries": "bt709", "transfer": "bt709"},
                   "frameRate": f"{RATE}/1", "size": {"height": SIZE[1], "width": SIZE[0]}}
        header = {"content": {"video": {"_0": content}}, "extradata": base64.b64encode(self.sets).decode()}
        if copied:
            header["copied"] = [base64.b64encode(copied.sets).decode()]
        head = json.dumps(header, sort_keys=True).encode()
        body = [b"CUTPACK\n" + struct.pack("<HHI", 1, 0, len(head)) + head]
        source = copied or self
        for number, (frame, data) in enumerate(source.packets):
            body.append(b"P" + struct.pack("<BHIqqq", number == 0, 1 if copied else 0, len(data), number, frame, 1) + data)
        start = b"".join(body)
        delay = max(number - frame for number, (frame, _) in enumerate(source.packets))
        digests = [] if copied else list(enumerate(self.digests))
        count = len(source.packets)
        summary = b"S" + struct.pack("<6q", count, count, sum(len(d) for _, d in source.packets), delay, 0, len(digests))
        summary += b"".join(struct.pack("<q", frame) + digest for frame, digest in digests)
        whole = hashlib.sha256(start + summary).digest()
        path.write_bytes(start + summary + struct.pack("<q", len(start)) + whole + b"CUTPEND\n")


def limited():
    """64 open files and 200 MB of memory of its own at most."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
    resource.setrlimit(resource.RLIMIT_DATA, (200 << 20, 200 << 20))


def stitch(program, version, folder, parts):
    """Joins the parts in a render process with 64 open files at most. Seconds, and what the process says of itself."""
    (folder / "out").mkdir(exist_ok=True)
    count = FRAMES * len(parts)
    task = {"container": "mp4", "frameRate": f"{RATE}/1", "frameCount": count, "sampleRate": 48000, "sampleCount": count * 48000 // RATE,
            "size": {"height": SIZE[1], "width": SIZE[0]}, "hasSound": False, "partFrameCounts": [FRAMES] * len(parts),
            "color": {"isFullRange": False, "matrix": "bt709", "primaries": "bt709", "transfer": "bt709"}, "rendererVersion": version}
    request = {"stitch": {"_0": {"task": task, "pictureParts": [str(part) for part in parts], "soundParts": [],
                                 "output": str(folder / "out/movie.mp4")}}}
    own, other = socket.socketpair()
    words = [program, "--sandbox", "--memory", "16384", "--ro", folder, "--rw", folder / "out", "--", "run"]
    start = time.monotonic()
    process = subprocess.Popen(words, stdin=other, stderr=subprocess.DEVNULL, env={"LC_ALL": "C.UTF-8"},
                               preexec_fn=limited)
    other.close()
    answers = own.makefile("rb")
    message = json.dumps(request).encode()
    own.sendall(struct.pack(">I", len(message)) + message)
    usage, event = {}, {}
    while not {"result", "failure"} & event.keys():
        (length,) = struct.unpack(">I", answers.read(4))
        event = json.loads(answers.read(length))
        usage = event.get("usage", usage)
    process.wait()
    if "failure" in event:
        raise SystemExit(f"joining failed: {event['failure']}")
    return time.monotonic() - start, usage


def versions(program):
    own, other = socket.socketpair()
    process = subprocess.Popen([program, "--sandbox", "--memory", "16384", "--", "run"], stdin=other)
    other.close()
    message = json.dumps({"versions": {}}).encode()
    own.sendall(struct.pack(">I", len(message)) + message)
    answers, event = own.makefile("rb"), {}
    while "result" not in event:
        (length,) = struct.unpack(">I", answers.read(4))
        event = json.loads(answers.read(length))
    process.wait()
    return event["result"]["_0"]["versions"]["rendererVersion"]


def copy(parts, path):
    """Seconds that it takes to write the bytes of the parts into one file and to see them to the disk."""
    start = time.monotonic()
    with open(path, "wb") as out:
        for part in parts:
            with open(part, "rb") as source:
                while os.sendfile(out.fileno(), source.fileno(), None, 1 << 24):
                    pass
        os.fsync(out.fileno())
    seconds = time.monotonic() - start
    path.unlink()
    return seconds


def join(name, program, version, folder, files, count):
    parts = []
    for number in range(count):
        parts.append(folder / f"{name}-{number}")
        os.link(files[number % len(files)], parts[-1])
    megabytes = sum(part.stat().st_size for part in parts) / 1e6
    copied = copy(parts, folder / "copy")
    seconds, usage = stitch(program, version, folder, parts)
    print(f"  {count} parts of {FRAMES} {name} frames, {megabytes:.0f} MB: joined in {seconds:.1f} s, CPU {usage['cpuMilliseconds'] / 1000:.1f} s, "
          f"{usage['peakMemoryBytes'] / (1 << 20):.0f} MiB; copied in {copied:.1f} s; {seconds / copied:.1f} x")


def plan(program, folder, movies, count):
    numbers = random.Random(4)
    paths = []
    for number in range(SOURCES):
        paths.append(folder / f"source-{number}.mp4")
        paths[-1].write_bytes(movies[number % KINDS].read_bytes() + struct.pack(">I4sI", 12, b"free", number))
    segments = [{"asset": f"s{n % SOURCES}", "in": f"{FRAMES * numbers.randrange(4)}f", "duration": f"{FRAMES}f"} for n in range(count)]
    edit = {"schema": "edit/1", "format": {"size": list(SIZE), "frameRate": str(RATE)}, "assets": {f"s{n}": str(p) for n, p in enumerate(paths)},
            "tracks": [{"kind": "video", "segments": segments}], "outputs": [{"preset": "h264"}]}
    path = folder / "edit.json"
    path.write_text(json.dumps(edit))
    words = [program, "plan", path, "--smart", "--state", folder / "state"]
    subprocess.run(words, capture_output=True, check=True)
    start = time.monotonic()
    said = subprocess.run(words, capture_output=True, check=True, text=True).stdout
    line = next((line for line in said.splitlines() if line.startswith("copied:")), "nothing is copied")
    print(f"  {count} clips of {SOURCES} files with {KINDS} kinds of parameter sets: planned in {time.monotonic() - start:.1f} s; {line}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--parts", type=int, default=10_000)
    parser.add_argument("--clips", type=int, default=5_000)
    parser.add_argument("--runs", type=int, default=1, help="taken for Benchmarks/run; each program runs once")
    options = parser.parse_args()
    build = pathlib.Path(options.build).resolve()
    child = build / "cutfarm-render"
    with tempfile.TemporaryDirectory(prefix="cutfarm-bench-") as name:
        folder = pathlib.Path(name)
        print(f"\njoining and planning at scale, {SIZE[0]}x{SIZE[1]}")
        movies = [coded(folder / f"kind-{kind}.mp4", kind, 4 * FRAMES) for kind in range(KINDS)]
        parts = [Part(coded(folder / f"part-{kind}.mp4", kind)) for kind in range(KINDS)]
        version = versions(child)
        parts[0].write(folder / "encoded")
        join("encoded", child, version, folder, [folder / "encoded"], options.parts)
        for kind, part in enumerate(parts):
            parts[0].write(folder / f"copy-{kind}", copied=part)
        join("copied", child, version, folder, [folder / f"copy-{kind}" for kind in range(KINDS)], options.parts)
        plan(build / "cutfarm", folder, movies, options.clips)


if __name__ == "__main__":
    main()
