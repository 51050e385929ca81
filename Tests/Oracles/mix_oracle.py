#!/usr/bin/env python3
"""What a sound task should sound like, by docs/design/sound.md, computed independently of the renderer.

    mix_oracle.py TASK.json RENDERED ASSET...

TASK.json is a SoundTask, ASSET the files of `assets` in order, RENDERED its result: a movie, or raw interleaved 24-bit
little-endian samples when its name ends in `.s24`. Sources are decoded by the ffmpeg command from their first sample.
Prints one JSON object:

    samples            per channel, of the rendered file
    worstSteps         largest difference, in steps of 24 bits, from the documented formulas
    differenceDecibels RMS of that difference, full scale = 0
    idealDecibels      RMS of the difference from a mix whose resampler is ten times as long (no documented filter at all):
                       as small as the sources have nothing above the filter's pass band

and leaves with 1 when the sample count is wrong or worstSteps is above 1 (--worst-steps N, --lossy: not judged).
"""
import argparse
import json
import math
import subprocess
import sys

import numpy as np
from scipy.signal import upfirdn

ROOT = math.sqrt(0.5)
LEFT = {"FL": 1, "FLC": 1, "DL": 1, "FC": ROOT, "BL": ROOT, "SL": ROOT, "BC": 0.5}
RIGHT = {"FR": 1, "FRC": 1, "DR": 1, "FC": ROOT, "BR": ROOT, "SR": ROOT, "BC": 0.5}
LAYOUTS = {
    "mono": "FC", "stereo": "FL FR", "2.1": "FL FR LFE", "3.0": "FL FR FC", "4.0": "FL FR FC BC", "quad": "FL FR BL BR",
    "5.0": "FL FR FC BL BR", "5.0(side)": "FL FR FC SL SR", "5.1": "FL FR FC LFE BL BR",
    "5.1(side)": "FL FR FC LFE SL SR", "6.1": "FL FR FC LFE BC SL SR", "7.1": "FL FR FC LFE BL BR SL SR",
}


def run(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL).stdout


def probe(path):
    text = run("ffprobe", "-v", "error", "-show_streams", "-show_format", "-of", "json", path)
    return json.loads(text)


class Source:
    """One decoded stream: `samples` is (count, channels) float64 of the edit's channels."""

    def __init__(self, path, stream, channels):
        facts = probe(path)
        info = next(s for s in facts["streams"] if s["index"] == stream)
        self.rate, count = int(info["sample_rate"]), int(info["channels"])
        self.is_mono = count == 1
        data = run("ffmpeg", "-nostdin", "-v", "error", "-i", path, "-map", f"0:{stream}", "-c:a", "pcm_f64le",
                   "-f", "f64le", "-")
        samples = np.frombuffer(data, dtype="<f8").reshape(-1, count)
        # The end of coded sound in MP4 is only in its edit list and its durations.
        if "mp4" in facts["format"]["format_name"] and info["time_base"] == f"1/{self.rate}":
            samples = samples[: int(info["duration_ts"])]
        self.samples = samples @ matrix(info.get("channel_layout") or {1: "mono", 2: "stereo", 6: "5.1"}[count], channels).T

    def take(self, first, count):
        """`count` samples from `first` on, silence outside."""
        result = np.zeros((count, self.samples.shape[1]))
        low, high = max(first, 0), min(first + count, len(self.samples))
        if low < high:
            result[low - first : high - first] = self.samples[low:high]
        return result


def matrix(layout, channels):
    names = LAYOUTS[layout].split()
    if names == ["FC"]:
        return np.ones((channels, 1))
    rows = np.array([[LEFT.get(n, 0) for n in names], [RIGHT.get(n, 0) for n in names]], dtype=float)
    rows /= max(1, rows.sum(axis=1).max())
    return rows if channels == 2 else rows.mean(axis=0, keepdims=True)


def documented(source, start, count, rate):
    """Resampling by the formula of docs/design/sound.md, each phase computed where it is needed."""
    divisor = math.gcd(source.rate, rate)
    over, under = source.rate // divisor, rate // divisor
    widening = max(1, over / under)
    half = (math.ceil(96 * max(over, under) / under) + 3) // 4 * 4
    cutoff = 841 / 882 / widening
    result, offsets = [], np.arange(-half + 1, half + 1)
    for first in range(0, count, 4096):
        index = np.arange(first, min(first + 4096, count), dtype=np.int64) * over
        floor, phase = index // under, (index % under) / under
        kinds, which = np.unique(phase, return_inverse=True)
        distance = kinds[:, None] - offsets[None, :]
        inside = 1 - (distance / half) ** 2
        rows = np.where(inside > 0, np.sinc(cutoff * distance) * np.i0(14 * np.sqrt(np.maximum(inside, 0))), 0)
        rows /= rows.sum(axis=1, keepdims=True)
        low = int(floor[0]) - half + 1
        samples = source.take(start + low, int(floor[-1]) + half + 1 - low)
        gathered = samples[(floor - low)[:, None] + offsets[None, :]]
        result.append(np.einsum("nt,ntc->nc", rows[which], gathered))
    return np.concatenate(result)


def ideal(source, start, count, rate, half=1000):
    """Resampling by a sinc ten times as long, cut at the lower Nyquist frequency."""
    divisor = math.gcd(source.rate, rate)
    over, under = source.rate // divisor, rate // divisor
    half = math.ceil(half * max(1, over / under))
    distance = np.arange(-half * under, half * under + 1) / under
    cutoff = 0.993 * min(1, under / over)
    taps = cutoff * np.sinc(cutoff * distance) * np.kaiser(len(distance), 16)
    padding = over * math.ceil(2 * half / over) + over - half
    samples = source.take(start - padding, padding + count * over // under + 2 * half)
    skip = (padding + half) * under // over
    return np.stack([upfirdn(taps, channel, under, over)[skip : skip + count] for channel in samples.T], axis=1)


def resampled(source, start, count, rate, way):
    return source.take(start, count) if source.rate == rate else way(source, start, count, rate)


def envelope(keys, positions):
    """Gain of a volume at `positions`."""
    if not keys:
        return np.ones(len(positions))
    value = lambda key: key["millionths"] / 1e6
    gain = lambda key: value(key) if key["unit"] == "linear" else 10 ** (value(key) / 20)
    result = np.full(len(positions), gain(keys[0]))
    for key, following in zip(keys, keys[1:] + [None]):
        mask = positions >= key["at"]
        if following is None or key.get("holds"):
            result[mask] = gain(key)
            continue
        length = following["at"] - key["at"]
        if length == 0:
            continue
        way = (positions[mask] - key["at"]) / length
        if key["unit"] == following["unit"] == "decibel":
            result[mask] = 10 ** ((value(key) + (value(following) - value(key)) * way) / 20)
        else:
            result[mask] = gain(key) + (gain(following) - gain(key)) * way
    return result


def crossfade(fade, positions, incoming):
    way = positions / fade["count"]
    curves = {
        "equalPower": (np.cos(way * np.pi / 2), np.sin(way * np.pi / 2)),
        "linear": (1 - way, way),
        "sum": (np.ones(len(way)), np.ones(len(way))),
        "cut": (way < 0.5, way >= 0.5),
    }
    return curves[fade["shape"]][1 if incoming else 0]


def clip_gain(segment):
    positions = np.arange(segment["count"])
    gain = envelope(segment["volume"], positions)
    if segment.get("fadeIn"):
        count = segment["fadeIn"]["count"]
        gain[:count] *= crossfade(segment["fadeIn"], positions[:count], True)
    if segment.get("fadeOut"):
        count = segment["fadeOut"]["count"]
        gain[-count:] *= crossfade(segment["fadeOut"], positions[:count], False)
    return gain


def mix(task, sources, way):
    first, count = task["firstSample"], task["sampleCount"]
    output = np.zeros((count, task["channels"]))
    for track in task["tracks"]:
        total = np.zeros_like(output)
        for segment in track["segments"]:
            low, high = max(segment["start"], first), min(segment["start"] + segment["count"], first + count)
            if low >= high:
                continue
            source = sources[segment["asset"], segment["stream"]]
            sound = resampled(source, segment["sourceStart"], segment["count"], task["sampleRate"], way)
            sound = sound * clip_gain(segment)[:, None]
            total[low - first : high - first] += sound[low - segment["start"] : high - segment["start"]]
        output += total * envelope(track["volume"], first + np.arange(count))[:, None]
    return output


def rendered_steps(path, channels):
    if path.endswith(".s24"):
        data = open(path, "rb").read()
    else:
        data = run("ffmpeg", "-nostdin", "-v", "error", "-i", path, "-map", "0:a:0", "-f", "s24le", "-")
    raw = np.frombuffer(data, dtype=np.uint8).reshape(-1, 3).astype(np.int32)
    steps = raw[:, 0] | raw[:, 1] << 8 | raw[:, 2] << 16
    return (steps - ((steps & 0x800000) << 1)).reshape(-1, channels)


def steps(sound):
    """24 bits, half away from zero."""
    scaled = np.clip(sound * 2**23, -(2**23), 2**23 - 1)
    return np.trunc(scaled + np.copysign(0.5, scaled)).astype(np.int64)


def decibels(difference):
    mean = np.mean(np.square(difference / 2**23)) if difference.size else 0
    return round(10 * math.log10(mean), 2) if mean > 0 else -999.0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("task")
    parser.add_argument("rendered")
    parser.add_argument("assets", nargs="*")
    parser.add_argument("--worst-steps", type=int, default=1)
    parser.add_argument("--lossy", action="store_true", help="report the differences only")
    options = parser.parse_args()
    task = json.load(open(options.task))
    used = {(s["asset"], s["stream"]) for t in task["tracks"] for s in t["segments"]}
    sources = {key: Source(options.assets[key[0]], key[1], task["channels"]) for key in used}
    rendered = rendered_steps(options.rendered, task["channels"])
    result = {"samples": len(rendered)}
    right = len(rendered) == task["sampleCount"]
    if right:
        difference = rendered - steps(mix(task, sources, documented))
        result["worstSteps"] = int(np.abs(difference).max(initial=0))
        result["differenceDecibels"] = decibels(difference)
        result["idealDecibels"] = decibels(rendered - steps(mix(task, sources, ideal)))
        right = options.lossy or result["worstSteps"] <= options.worst_steps
    print(json.dumps(result))
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
