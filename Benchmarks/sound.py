#!/usr/bin/env python3
"""Times sound in cutfarm and in one ffmpeg filter graph: mixing, encoding, measuring.

    sound.py BUILD-FOLDER [--runs N] [--only CASE …] [--minutes N] [--folder FOLDER]

mixed     a programme of 20 s clips of 44.1 kHz AAC with crossfades of a second, brought to 48 kHz; thrown away
equal     the same, ffmpeg with a filter like ours: 192 taps in Double
layered   `mixed` with three more tracks (48 kHz), volumes that change and pans; thrown away
encoded   `mixed` as AAC-LC of 192 kbit/s (both encode with FFmpeg's encoder)
loudness  EBU R128 with true peak of one file
waveform  one file as PNG of 1800 columns

Ours is `cutfarm read -o /dev/null`, `render` (with one worker), `loudness` and `waveform`, with the sandboxed child as for any
task; probing is remembered. ffmpeg mixes with acrossfade,
volume, pan and amix, resamples with its defaults (a filter of 32 taps; ours has 192, docs/design/sound.md), and has ebur128
and showwavespic. CPU is user + system time of the whole process tree, the smallest of the runs; “× real time” is the programme's length by it,
which is that of one core. Ratios below 1 are ours to win.
"""
import argparse
import json
import pathlib
import shutil
import subprocess
import tempfile

from bench import measure

CLIP, FADE = 20, 1
EQUAL = ":filter_size=192:cutoff=0.9535:filter_type=kaiser:kaiser_beta=14:internal_sample_fmt=dblp"


class Media:
    """Chords, noise and speech-like bursts; seeds are written out."""

    def __init__(self, folder, minutes):
        self.folder, self.count = folder, minutes * 60 // (CLIP - FADE)
        self.seconds = self.count * (CLIP - FADE) + FADE
        chord = "+".join(f"0.08*sin(2*PI*{f}*t*(1+0.0002*sin(t)))" for f in (110, 220, 277.2, 329.6, 440, 1760))
        self.music = self.make("music.m4a", 44100, f"{chord}+0.02*(random(0)-0.5)|{chord}+0.02*(random(1)-0.5)", 240,
                               ["-c:a", "aac", "-b:a", "160k"])
        burst = "0.4*sin(2*PI*180*t)*gt(sin(2*PI*3*t),0)*gt(sin(t/2),-0.2)+0.01*(random(2)-0.5)"
        self.voice = self.make("voice.wav", 48000, burst, 240, ["-c:a", "pcm_s24le"])
        self.whole = self.make("whole.m4a", 48000, f"{chord}|{chord}", self.seconds, ["-c:a", "aac", "-b:a", "160k"])

    def make(self, name, rate, sound, seconds, options):
        path = self.folder / name
        if not path.exists():
            channels = sound.count("|") + 1
            subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i",
                            f"aevalsrc='{sound}':s={rate}:d=60,aloop=-1:size={60 * rate},atrim=end={seconds}",
                            "-ac", str(channels), *options, path], check=True)
        return path

    def starts(self):
        """Where in the music each clip begins."""
        return [(37 * number) % 210 for number in range(self.count)]

    def edit(self, name, layers):
        segments = []
        for start in self.starts():
            segments += [{"transition": "dissolve", "duration": f"{FADE}s"}] if segments else []
            segments.append({"asset": "music", "in": f"{start}s", "duration": f"{CLIP}s"})
        tracks = [{"kind": "audio", "segments": segments}]
        for layer in range(layers):
            keys = [{"at": f"{at}s", "value": "-12dB" if at // 10 % 2 else "-6dB"} for at in range(0, self.seconds, 10)]
            voices = [{"asset": "voice", "in": f"{layer}s", "duration": "230s"} for _ in range(self.seconds // 230)]
            tracks.append({"kind": "audio", "volume": keys, "pan": (-0.5, 0.0, 0.5)[layer], "segments": voices})
        path = self.folder / f"{name}.json"
        path.write_text(json.dumps({
            "schema": "edit/1", "format": {"size": [640, 360], "frameRate": "25", "sampleRate": 48000, "channels": 2},
            "assets": {"music": str(self.music), **({"voice": str(self.voice)} if layers else {})},
            "tracks": tracks, "outputs": [{"preset": "h264"}]}))
        return path

    def ffmpeg(self, layers, resampling=""):
        """The arguments of one graph; its pad is [out]."""
        inputs, graph, last = [], [], None
        for number, start in enumerate(self.starts()):
            inputs += ["-ss", str(start), "-t", str(CLIP), "-i", self.music]
            if last is None:
                last = "0:a"
            else:
                graph.append(f"[{last}][{number}:a]acrossfade=d={FADE}:c1=qsin:c2=qsin[f{number}]")
                last = f"f{number}"
        graph.append(f"[{last}]aresample=48000{resampling}[music]")
        pads = ["[music]"]
        for layer in range(layers):
            names = []
            for _ in range(self.seconds // 230):
                place = sum(1 for part in inputs if part == "-i")
                inputs += ["-ss", str(layer), "-t", "230", "-i", self.voice]
                names.append(f"[{place}:a]")
            way = "0.3766+0.1246*cos(2*PI*t/20)"
            left, right = ((1, 0.38), (1, 1), (0.38, 1))[layer]
            graph.append(f"{''.join(names)}concat=n={len(names)}:v=0:a=1,volume='{way}':eval=frame,"
                         f"pan=stereo|c0={left}*c0|c1={right}*c0[v{layer}]")
            pads.append(f"[v{layer}]")
        mixed = f"{''.join(pads)}amix=inputs={len(pads)}:normalize=0,aformat=sample_fmts=fltp[out]"
        graph.append(mixed if layers else "[music]aformat=sample_fmts=fltp[out]")
        return ["ffmpeg", "-nostdin", "-v", "error", "-y", *inputs, "-filter_complex", ";".join(graph), "-map", "[out]"]


def cases(media, program, folder):
    state = ["--state", folder / "state"]
    read = lambda edit: [program, "read", edit, "--format", "wav", "-o", "/dev/null", *state]
    mixed, layered, out = media.edit("mixed", 0), media.edit("layered", 3), folder / "out.m4a"
    null = ["-c:a", "pcm_s24le", "-f", "null", "-"]
    return {
        "mixed": (read(mixed), media.ffmpeg(0) + null),
        "equal": (read(mixed), media.ffmpeg(0, EQUAL) + null),
        "layered": (read(layered), media.ffmpeg(3) + null),
        "encoded": ([program, "render", mixed, "-o", out, "--force", "--workers", "1", *state],
                    media.ffmpeg(0) + ["-c:a", "aac", "-b:a", "192k", folder / "ffmpeg.m4a"]),
        "loudness": ([program, "loudness", media.whole, *state],
                     ["ffmpeg", "-nostdin", "-v", "error", "-i", media.whole, "-af", "ebur128=peak=true:framelog=verbose",
                      "-f", "null", "-"]),
        "waveform": ([program, "waveform", media.whole, "-o", folder / "wave.png", "--force", *state],
                     ["ffmpeg", "-nostdin", "-v", "error", "-y", "-i", media.whole, "-filter_complex",
                      "showwavespic=s=1800x280:split_channels=1", "-frames:v", "1", folder / "ffmpeg.png"]),
    }


def main():
    names = ["mixed", "equal", "layered", "encoded", "loudness", "waveform"]
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--only", nargs="*", choices=names, default=names)
    parser.add_argument("--minutes", type=int, default=20)
    parser.add_argument("--folder", help="where media are made and left")
    options = parser.parse_args()
    program = pathlib.Path(options.build).resolve() / "cutfarm"
    folder = pathlib.Path(options.folder or tempfile.mkdtemp(prefix="cutfarm-bench-", dir="/var/tmp"))
    folder.mkdir(exist_ok=True)
    folder.chmod(0o755)
    try:
        media = Media(folder, options.minutes)
        commands = cases(media, program, folder)
        print(f"sound: {media.seconds / 60:.1f} minutes, stereo at 48 kHz; the smallest of {options.runs} runs")
        print(f"{'':10}{'':10}{'CPU s':>8}{'wall s':>8}{'MB':>6}{'× real time':>13}{'CPU ratio':>11}{'wall ratio':>12}")
        for name in options.only:
            ours, theirs = [], []
            # What is known of the sources is remembered, here and in a worker.
            subprocess.run([str(part) for part in commands[name][0]], check=True, capture_output=True)
            for _ in range(options.runs):
                ours.append(measure(commands[name][0]))
                theirs.append(measure(commands[name][1]))
            least = [{key: min(run[key] for run in runs) for key in runs[0]} for runs in (ours, theirs)]
            for who, best in zip(("cutfarm", "ffmpeg"), least):
                line = f"{name:10}{who:10}{best['cpu']:8.2f}{best['wall']:8.2f}{best['MB']:6.0f}{media.seconds / best['cpu']:12.0f} "
                if who == "cutfarm":
                    line += f"{best['cpu'] / least[1]['cpu']:11.2f}{best['wall'] / least[1]['wall']:12.2f}"
                print(line, flush=True)
    finally:
        if not options.folder:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
