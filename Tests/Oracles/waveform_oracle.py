#!/usr/bin/env python3
"""What a waveform should say, by docs/waveform.md, in numpy.

    waveform_oracle.py WAVEFORM.json SAMPLES CHANNELS [--mixed] [--float]

SAMPLES is raw interleaved little-endian sound of CHANNELS channels, of 24-bit integers or 32-bit floats. Leaves with 1, and a sentence, at the first
number that differs.
"""
import json
import sys

import numpy as np


def main():
    arguments = [a for a in sys.argv[1:] if not a.startswith("--")]
    said, channels = json.load(open(arguments[0])), int(arguments[2])
    if "--float" in sys.argv:
        steps = np.fromfile(arguments[1], dtype="<f4").astype(np.float64).reshape(-1, channels) * 2**23
    else:
        raw = np.fromfile(arguments[1], dtype=np.uint8).reshape(-1, 3).astype(np.int64)
        steps = raw[:, 0] | raw[:, 1] << 8 | raw[:, 2] << 16
        steps = (steps - ((steps & 0x800000) << 1)).reshape(-1, channels).astype(np.float64)
    if "--mixed" in sys.argv:
        steps = steps.sum(axis=1, keepdims=True) / channels
    # Half away from zero.
    steps = np.trunc(steps + np.copysign(0.5, steps)).astype(np.int64)
    count, lanes = steps.shape
    expected = {"channels": lanes, "samples": count, "version": 2}
    for key, value in expected.items():
        if said[key] != value:
            return f"{key} is {said[key]}, not {value}"
    length, each, scale = said["length"], said["samples_per_pixel"], 2 ** (24 - said["bits"])
    evenly = length * each == count or not float(each).is_integer()
    borders = [i * count // length if evenly else min(i * int(each), count) for i in range(length + 1)]
    data, averages, over = [], [], []
    for column, (low, high) in enumerate(zip(borders, borders[1:])):
        for lane in range(lanes):
            part = steps[low:high, lane]
            ends = [int(part.min()), int(part.max())]
            data += [min(max(end, -(2**23)), 2**23 - 1) // scale for end in ends]
            if ends[0] < -(2**23) or ends[1] >= 2**23:
                over.append([column, lane] + [end // scale for end in ends])
            mean = np.sqrt(sum(int(s) * int(s) for s in part) / len(part))
            averages.append(int(np.floor(mean / scale + 0.5)))
    for name, wanted in (("data", data), ("rms", averages), ("over", over)):
        if said[name] != wanted:
            place = next(i for i, (a, b) in enumerate(zip(said[name] + [None], wanted + [None])) if a != b)
            return f"{name}[{place}] is not {wanted[place] if place < len(wanted) else 'there'}"
    for lane, level in enumerate(said["levels"]):
        peak = 20 * np.log10(np.abs(steps[:, lane]).max() / 2**23)
        mean = 10 * np.log10(np.mean((steps[:, lane] / 2**23) ** 2))
        if abs(level["peak"] - peak) > 0.0051 or abs(level["rms"] - mean) > 0.0051:
            return f"the levels of lane {lane} are {level}, not {peak} and {mean}"
    return 0


if __name__ == "__main__":
    sys.exit(main())
