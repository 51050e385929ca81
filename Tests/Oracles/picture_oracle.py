#!/usr/bin/env python3
"""Predicts every picture of a composition from its sources, with ffmpeg and numpy only, and compares a rendered file.

    picture_oracle.py COMPOSITION.json RENDERED NAME=PATH… [--tolerance N]

COMPOSITION.json is what `cutfarm explain` prints; NAME=PATH says where each asset's file is. Untouched frames must be
equal; frames of a dissolve may differ from the formula by --tolerance code values (default 1). Pictures that had to be
scaled, turned or converted are compared by PSNR against ffmpeg's own scaler, as a guard against gross errors only.
Prints a table and exits 1 when anything is out of bounds.
"""
import json
import subprocess
import sys
from fractions import Fraction

import numpy


def run(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout


class Source:
    """One picture stream, decoded from its start, with the presentation time of every frame."""

    def __init__(self, path, stream):
        self.path, self.stream = path, stream
        fields = json.loads(run("ffprobe", "-v", "error", "-show_streams", "-of", "json", path))["streams"][stream]
        self.width, self.height = fields["width"], fields["height"]
        self.base = Fraction(fields["time_base"])
        self.rotated = any("rotation" in data for data in fields.get("side_data_list", []))
        self.square = fields.get("sample_aspect_ratio", "1:1") in ("1:1", "0:1", "N/A")
        text = run("ffprobe", "-v", "error", "-select_streams", str(stream), "-show_entries", "frame=pts",
                   "-of", "csv=p=0", path).decode()
        ticks = sorted(int(line.strip(",")) for line in text.split())
        self.times = [(tick - ticks[0]) * self.base for tick in ticks]
        rate = Fraction(fields["r_frame_rate"]) if fields["r_frame_rate"] != "0/0" else None
        # A constant rate whose times a container rounded to its ticks is what it was before the rounding.
        for candidate in [rate, Fraction(fields["avg_frame_rate"]), Fraction(24), Fraction(25), Fraction(30),
                          Fraction(30000, 1001), Fraction(24000, 1001), Fraction(60), Fraction(60000, 1001)]:
            if candidate and all(abs(time - n / candidate) <= self.base for n, time in enumerate(self.times)):
                self.times = [n / candidate for n in range(len(ticks))]
                break
        self.process, self.position, self.current = None, -1, None

    def number(self, time):
        """The frame on screen at `time`: the last that started by then."""
        low, high = 0, len(self.times)
        while low < high:
            middle = (low + high) // 2
            low, high = (middle + 1, high) if self.times[middle] <= time else (low, middle)
        return max(0, low - 1)

    def frame(self, number):
        if self.process is None or number < self.position:
            if self.process:
                self.process.kill()
            self.process = subprocess.Popen(
                ["ffmpeg", "-v", "error", "-noautorotate", "-i", self.path, "-map", f"0:{self.stream}", "-vsync",
                 "passthrough", "-pix_fmt", "yuv420p", "-f", "rawvideo", "-"], stdout=subprocess.PIPE)
            self.position = -1
        size = self.width * self.height + 2 * ((self.width + 1) // 2) * ((self.height + 1) // 2)
        while self.position < number:
            data = self.process.stdout.read(size)
            if len(data) < size:
                raise SystemExit(f"{self.path}: frame {number} is missing")
            self.current, self.position = data, self.position + 1
        return planes(self.current, self.width, self.height)


def planes(data, width, height):
    half = ((width + 1) // 2, (height + 1) // 2)
    sizes = [(width, height), half, half]
    result, offset = [], 0
    for w, h in sizes:
        result.append(numpy.frombuffer(data, numpy.uint8, w * h, offset).reshape(h, w))
        offset += w * h
    return result


def background(color, size):
    red, green, blue = (int(color[i:i + 2], 16) / 255 for i in (1, 3, 5))
    luma = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    values = [16 + 219 * luma, 128 + 224 * (blue - luma) / 1.8556, 128 + 224 * (red - luma) / 1.5748]
    width, height = size
    shapes = [(height, width), (height // 2, width // 2), (height // 2, width // 2)]
    return [numpy.full(shape, int(value + 0.5), numpy.uint8) for value, shape in zip(values, shapes)]


def place(below, source, picture, size, fit):
    """`picture` over `below`, and whether the result is exact: no pixel had to be made up."""
    width, height = size
    scales = {"contain": min(Fraction(width, source.width), Fraction(height, source.height)),
              "cover": max(Fraction(width, source.width), Fraction(height, source.height)),
              "none": Fraction(1), "fill": None}
    scale = scales[fit]
    if scale != 1 or source.rotated or not source.square:
        return None
    left, top = ((width - source.width) // 2) & ~1, ((height - source.height) // 2) & ~1
    result = [plane.copy() for plane in below]
    for plane, (target, piece) in enumerate(zip(result, picture)):
        x, y = (left, top) if plane == 0 else (left // 2, top // 2)
        target[y:y + piece.shape[0], x:x + piece.shape[1]] = piece
    return result


class Prediction:
    def __init__(self, composition, paths):
        self.composition, form = composition, composition["format"]
        self.size = (form["size"]["width"], form["size"]["height"])
        rate = Fraction(form["frameRate"])
        self.duration = 1 / rate
        self.tracks = {track["id"]: track["segments"] for track in composition["videoTracks"]}
        self.paths = paths
        self.sources = {}

    def source(self, segment):
        name = self.composition["assets"][segment["asset"]]["name"]
        # One reader for each use of a source: two clips of one file do not make each other seek.
        key = (name, segment["stream"], segment["target"]["start"])
        if key not in self.sources:
            self.sources[key] = Source(self.paths[name], segment["stream"])
        return self.sources[key]

    def layer(self, track, frame, below):
        if track is None:
            return below
        for segment in self.tracks[track]:
            start, count = segment["target"]["start"], segment["target"]["count"]
            if start <= frame < start + count:
                source = self.source(segment)
                time = Fraction(segment["sourceStart"]) + (frame - start) * self.duration
                picture = source.frame(source.number(time))
                return place(below, source, picture, self.size, segment["fit"])
        return below

    def frame(self, number):
        """The picture's planes and its kind; None for planes that this oracle cannot predict."""
        for instruction in self.composition["instructions"]:
            start = instruction["frames"]["start"]
            if start <= number < start + instruction["frames"]["count"]:
                break
        picture, kind = background(self.composition["format"]["background"], self.size), "background"
        for layer in instruction["layers"]:
            first = self.layer(layer.get("from"), number, picture)
            if "dissolve" not in layer:
                picture, kind = first, "untouched"
            else:
                second = self.layer(layer.get("to"), number, picture)
                if first is None or second is None:
                    return None, "dissolve"
                ramp = layer["dissolve"]
                step, steps = ramp["firstStep"] + number - start, ramp["steps"]
                picture = [numpy.floor((a.astype(float) * (steps - step) + b.astype(float) * step) / steps + 0.5)
                           for a, b in zip(first, second)]
                kind = "dissolve"
            if picture is None:
                return None, "scaled"
        return picture, kind


def main(arguments):
    tolerance = 1
    if "--tolerance" in arguments:
        at = arguments.index("--tolerance")
        tolerance = int(arguments[at + 1])
        del arguments[at:at + 2]
    composition = json.load(open(arguments[0]))
    prediction = Prediction(composition, dict(pair.split("=", 1) for pair in arguments[2:]))
    width, height = prediction.size
    rendered = subprocess.Popen(["ffmpeg", "-v", "error", "-i", arguments[1], "-map", "0:v:0", "-vsync", "passthrough",
                                 "-pix_fmt", "yuv420p", "-f", "rawvideo", "-"], stdout=subprocess.PIPE)
    seen, worst, wrong, number = {}, {}, [], 0
    while data := rendered.stdout.read(width * height * 3 // 2):
        if number >= composition["frameCount"]:
            number += 1
            continue
        expected, kind = prediction.frame(number)
        seen[kind] = seen.get(kind, 0) + 1
        if expected is not None:
            error = max(int(numpy.abs(a.astype(int) - b.astype(int)).max())
                        for a, b in zip(planes(data, width, height), expected))
            worst[kind] = max(worst.get(kind, 0), error)
            if error > (tolerance if kind == "dissolve" else 0):
                wrong.append((number, kind, error))
        number += 1
    for source in prediction.sources.values():
        source.process and source.process.kill()
    for kind, count in sorted(seen.items()):
        print(f"{kind}: {count} frames, largest difference {worst.get(kind, 'not predicted')}")
    print(f"frames: {number} of {composition['frameCount']}")
    for number_, kind, error in wrong[:20]:
        print(f"WRONG frame {number_} ({kind}): {error} code values")
    return 1 if wrong or number != composition["frameCount"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
