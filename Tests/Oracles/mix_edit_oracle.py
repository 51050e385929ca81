#!/usr/bin/env python3
"""What edits of sound should sound like, by docs/sound.md and its design page, read from the edits themselves: nothing
of the compiler, the planner or the mixer is used.

    mix_edit_oracle.py FOLDER

FOLDER holds pairs of NAME.json (an edit of sound tracks alone, with times in samples such as "480@48000") and NAME.s24 (its
mix, raw interleaved 24-bit little-endian). Prints a JSON object of `[samples wanted, samples found, worst difference in
steps]` by NAME.
"""
import json
import math
import pathlib
import sys

import numpy as np

from mix_oracle import Source, crossfade, documented, rendered_steps, steps


def eased(name, t):
    """https://easings.net, at 0 ≤ t ≤ 1."""
    if name in (None, "linear"):
        return t
    if name == "hold":
        return np.zeros_like(t)
    way, curve = next((w, name[len(w):]) for w in ("inOut", "in", "out") if name.startswith(w))
    start, end = t <= 0, t >= 1
    t = np.clip(t, 1e-12, 1 - 1e-12)
    value = shaped(way, curve, t)
    return np.where(start, 0, np.where(end, 1, value))


def shaped(way, curve, t):
    c1, c2, c4, c5 = 1.70158, 1.70158 * 1.525, 2 * np.pi / 3, 2 * np.pi / 4.5
    if curve == "Expo":
        return {"in": 2 ** (10 * t - 10), "out": 1 - 2 ** (-10 * t),
                "inOut": np.where(t < 0.5, 2 ** (20 * t - 10) / 2, (2 - 2 ** (10 - 20 * t)) / 2)}[way]
    if curve == "Elastic":
        swing = np.sin((20 * t - 11.125) * c5)
        return {"in": -(2 ** (10 * t - 10)) * np.sin((10 * t - 10.75) * c4),
                "out": 2 ** (-10 * t) * np.sin((10 * t - 0.75) * c4) + 1,
                "inOut": np.where(t < 0.5, -(2 ** (20 * t - 10) * swing) / 2, 2 ** (10 - 20 * t) * swing / 2 + 1)}[way]
    if curve == "Back":
        reach = c2 if way == "inOut" else c1
        slow = lambda x: (reach + 1) * x**3 - reach * x**2
    elif curve == "Bounce":
        slow = lambda x: 1 - bounce(1 - x)
    else:
        slow = {"Sine": lambda x: 1 - np.cos(x * np.pi / 2), "Quad": lambda x: x**2, "Cubic": lambda x: x**3,
                "Quart": lambda x: x**4, "Quint": lambda x: x**5, "Circ": lambda x: 1 - np.sqrt(1 - x**2)}[curve]
    return {"in": slow(t), "out": 1 - slow(1 - t),
            "inOut": np.where(t < 0.5, slow(np.minimum(2 * t, 1)) / 2, 1 - slow(np.minimum(2 - 2 * t, 1)) / 2)}[way]


def bounce(x):
    n, d = 7.5625, 2.75
    parts = [(1 / d, 0, 0), (2 / d, 1.5 / d, 0.75), (2.5 / d, 2.25 / d, 0.9375), (9, 2.625 / d, 0.984375)]
    return np.select([x < limit for limit, _, _ in parts], [n * (x - middle) ** 2 + rest for _, middle, rest in parts])


def samples(text, rate=48000):
    count, own = text.split("@")
    assert int(own) == rate, text
    return int(count)


def level(value):
    """(number, is in dB)"""
    return (float(value[:-2]), True) if isinstance(value, str) else (float(value), False)


def curve(written, positions, standard):
    """A property at samples that count from its item's start."""
    if written is None:
        return np.full(len(positions), float(standard))
    gain = lambda number, decibel: 10 ** (number / 20) if decibel else number
    if not isinstance(written, list):
        return np.full(len(positions), gain(*level(written)))
    keys = [(samples(key["at"]), *level(key["value"]), key.get("ease")) for key in written]
    result = np.full(len(positions), gain(*keys[0][1:3]))
    for (at, value, decibel, ease), following in zip(keys, keys[1:] + [None]):
        mask = positions >= at
        if following is None or ease == "hold":
            result[mask] = gain(value, decibel)
        elif following[0] > at:
            way = eased(ease, np.minimum((positions[mask] - at) / (following[0] - at), 1))
            if decibel and following[2]:
                result[mask] = 10 ** ((value + (following[1] - value) * way) / 20)
            else:
                first = gain(value, decibel)
                result[mask] = first + (gain(*following[1:3]) - first) * way
    return result


def placed(sound, item, positions, is_mono):
    """Volume, pan and balance of a segment or a track."""
    sound = sound * curve(item.get("volume"), positions, 1)[:, None]
    if item.get("pan") is not None:
        p = curve(item["pan"], positions, 0)
        left, right = sound.T
        if is_mono:
            angle = (p + 1) * np.pi / 4
            left, right = left * math.sqrt(2) * np.cos(angle), right * math.sqrt(2) * np.sin(angle)
        else:
            low, high = (p + 1) * np.pi / 2, p * np.pi / 2
            left, right = (np.where(p <= 0, left + right * np.cos(low), left * np.cos(high)),
                           np.where(p <= 0, right * np.sin(low), right + left * np.sin(high)))
        sound = np.stack([left, right], axis=1)
    if item.get("balance") is not None:
        b = curve(item["balance"], positions, 0)
        sound = sound * np.stack([np.minimum(1, 1 - b), np.minimum(1, 1 + b)], axis=1)
    return sound


def layout(items):
    """Segments with their starts and fades: a transition between two overlaps them, at an end it plays against silence."""
    place, clips, waiting = 0, [], None
    for index, item in enumerate(items):
        if "gap" in item:
            place += samples(item["gap"])
        elif "transition" in item:
            fade = {"shape": item.get("audio", "equalPower"), "count": samples(item["duration"])}
            if clips and index and "asset" in items[index - 1]:
                clips[-1]["out"] = fade
                if index + 1 < len(items) and "asset" in items[index + 1]:
                    place -= fade["count"]
                    waiting = fade
            else:
                waiting = fade
        else:
            clips.append({"item": item, "start": place, "count": samples(item["duration"]), "in": waiting, "out": None})
            place, waiting = place + clips[-1]["count"], None
    return clips, place


def mix(edit, sources):
    tracks = [track for track in edit["tracks"] if not track.get("mute")]
    if any(track.get("solo") for track in edit["tracks"]):
        tracks = [track for track in tracks if track.get("solo")]
    length = max(layout(track["segments"])[1] for track in edit["tracks"])
    output = np.zeros((length, 2))
    for track in tracks:
        total = np.zeros_like(output)
        for clip in layout(track["segments"])[0]:
            item, count, source = clip["item"], clip["count"], sources[clip["item"]["asset"]]
            first = samples(item["in"], source.rate) if "in" in item else 0
            sound = source.take(first, count) if source.rate == 48000 else documented(source, first, count, 48000)
            positions = np.arange(count)
            if clip["in"]:
                size = clip["in"]["count"]
                sound[:size] *= crossfade(clip["in"], positions[:size], True)[:, None]
            if clip["out"]:
                size = clip["out"]["count"]
                sound[count - size :] *= crossfade(clip["out"], positions[:size], False)[:, None]
            sound = placed(sound, item, positions, source.is_mono)
            total[clip["start"] : clip["start"] + count] += sound
        output += placed(total, track, np.arange(length), False)
    return output


def main():
    folder, known, result = pathlib.Path(sys.argv[1]), {}, {}
    for path in sorted(folder.glob("*.json")):
        edit = json.loads(path.read_text())
        for name, file in edit["assets"].items():
            if name not in known:
                known[name] = Source(str(folder / file), 0, 2)
        wanted = steps(mix(edit, known))
        found = rendered_steps(str(path.with_suffix(".s24")), 2)
        same = len(wanted) == len(found)
        worst = int(np.abs(wanted - found).max(initial=0)) if same else -1
        result[path.stem] = [len(wanted), len(found), worst]
    print(json.dumps(result))


if __name__ == "__main__":
    main()
