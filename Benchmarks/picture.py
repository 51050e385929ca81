#!/usr/bin/env python3
"""Times edits whose pictures are worked on, in cutfarm, in one ffmpeg filter graph and in melt.

    picture.py BUILD-FOLDER [--runs N] [--only CASE …] [--mode frames|encoded] [--without ffmpeg|melt …] [--folder FOLDER]

Each case twice. “frames”: decoded, composited and thrown away; ours is `cutfarm read -o /dev/null`, the compositor in its
sandboxed child as for any task, ffmpeg's `-f null`, melt's null consumer.
“encoded”: with the same x264 settings, ours by `cutfarm render` with two workers.
Ours decodes and composites on one thread, the others on as many as they like (two cores). The three run in turn; CPU is
user + system time of the whole process tree. Times are the smallest of the runs; ratios are of those, and the median of pairs.

The competitors show the same edit, as their own filters do it: drawn titles are given to them as finished PNGs, cut to
what is seen. Encoded, the last column says how near their pictures are to ours.
"""
import argparse
import json
import pathlib
import shutil
import statistics
import subprocess
import tempfile

from bench import BITRATE, CRF, PRESET, frames, measure

FPS = 25
FONT = {"family": "DejaVu Sans", "weight": "bold", "size": "8%"}


def run(*command):
    return subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True).stdout


class Media:
    """Detail, movement and a little grain at up to 6 Mbit/s, about 0.1 bit a pixel as in the footage of our tests: what a
    richer file costs more is its decoding, which is the same library in all three. Seeds are written out."""

    H264 = ["-c:v", "libx264", "-preset", "veryfast", "-crf", "21", "-maxrate", "6M", "-bufsize", "6M", "-g", "250",
            "-pix_fmt", "yuv420p", "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"]

    def __init__(self, folder, program):
        self.folder, self.program = folder, program

    def movie(self, name, source, seconds):
        path = self.folder / f"{name}.mp4"
        if not path.exists():
            run("ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", source, "-t", seconds, *self.H264, path)
        return path

    def clips(self):
        """Four of 11 s, 1920 × 1080. The first two are scaled up from 720 lines: lenses are not sharper than that."""
        soft, grain = "scale=1920:1080", "noise=alls=2:allf=t"
        return [
            self.movie("one", f"testsrc2=size=1280x720:rate={FPS},hue=H=0.3*t,{soft},{grain}", 11),
            self.movie("two", f"mandelbrot=size=1280x720:rate={FPS}:end_scale=0.05,{soft},{grain}", 11),
            self.movie("three", f"gradients=size=1920x1080:rate={FPS}:speed=0.05:seed=1,{grain}", 11),
            self.movie("four", f"life=size=480x270:rate={FPS}:mold=12:seed=5:life_color=#ffcc33:death_color=#c83232,{soft},{grain}", 11),
        ]

    def screen(self):
        """Somebody in front of a green screen: a moving figure with soft edges and grain."""
        figure = f"testsrc2=size=700x900:rate={FPS},hue=s=0.6,scale=700:900,format=yuva420p,fade=in:d=0.04:alpha=1"
        return self.movie(
            "screen", f"color=c=0x10c020:size=1920x1080:rate={FPS}[g];{figure}[f];"
            "[g][f]overlay=x='610+300*sin(t)':y=180:format=yuv420,boxblur=1,noise=alls=2:allf=t", 11)

    def screen_color(self):
        """Code values of the screen as they are in the file, and the nearest colour: all three key by one number."""
        raw = subprocess.run(["ffmpeg", "-v", "error", "-i", self.screen(), "-frames:v", "1", "-vf", "crop=200:200:20:20,scale=1:1:flags=area",
                              "-f", "rawvideo", "-pix_fmt", "yuv420p", "-"], capture_output=True, check=True).stdout
        y, u, v = raw[0], raw[1], raw[2]
        light, b, r = (y - 16) / 219, (u - 128) / 224 * 1.8556, (v - 128) / 224 * 1.5748
        red, blue = light + r, light + b
        green = (light - 0.2126 * red - 0.0722 * blue) / 0.7152
        return (y, u, v), "#" + "".join(f"{max(0, min(255, round(c * 255))):02x}" for c in (red, green, blue))

    def title(self, name, layers, size):
        """What our title shows at rest, as a PNG with alpha cut to what is seen. - Returns: path, x, y."""
        import numpy
        pictures = []
        for background in ("#000000", "#ffffff"):
            edit = {"schema": "edit/1", "format": {"size": list(size), "frameRate": str(FPS), "background": background},
                    "assets": {"logo": str(self.logo())} if any(l.get("asset") for l in layers) else {},
                    "tracks": [{"kind": "title", "segments": [{"duration": "1s", "layers": layers}]}], "outputs": [{"preset": "lossless"}]}
            file, still = self.folder / "title.json", self.folder / "title.png"
            file.write_text(json.dumps(edit))
            run(self.program, "still", file, "--at", "0s", "-o", still, "--force", "--state", self.folder / "state")
            raw = subprocess.run(["ffmpeg", "-v", "error", "-i", still, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"],
                                 capture_output=True, check=True).stdout
            pictures.append(numpy.frombuffer(raw, numpy.uint8).reshape(size[1], size[0], 3).astype(float))
        black, white = pictures
        alpha = numpy.clip(1 - (white - black).mean(2) / 255, 0, 1)
        alpha[alpha < 0.008] = 0
        color = numpy.clip(black / numpy.maximum(alpha, 1 / 255)[..., None], 0, 255)
        rows, columns = numpy.nonzero(alpha.any(1))[0], numpy.nonzero(alpha.any(0))[0]
        top, left = rows[0] // 2 * 2, columns[0] // 2 * 2
        bottom, right = (rows[-1] + 2) // 2 * 2, (columns[-1] + 2) // 2 * 2
        pixels = numpy.dstack([color, alpha * 255]).round().astype(numpy.uint8)[top:bottom, left:right]
        path = self.folder / f"{name}.png"
        subprocess.run(["ffmpeg", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgba", "-s", f"{right - left}x{bottom - top}",
                        "-i", "-", path], input=pixels.tobytes(), check=True)
        return path, int(left), int(top), int(right - left), int(bottom - top)

    def logo(self): return pathlib.Path(__file__).resolve().parent.parent / "Examples/media/logo.png"


class Case:
    """One edit, told three times."""

    def __init__(self, name, size, count, edit, inputs, graph, melt, sound=None):
        self.name, self.size, self.count, self.edit = name, size, count, edit
        self.inputs, self.graph, self.track, self.sound = inputs, graph, melt, sound

    def file(self, folder):
        path = folder / f"{self.name}.json"
        if isinstance(self.edit, pathlib.Path):
            return self.edit
        path.write_text(json.dumps({"schema": "edit/1", "format": {"size": list(self.size), "frameRate": str(FPS), "sampleRate": 48000,
                                    "channels": 2}, "outputs": [{"preset": "h264"}], **self.edit}))
        return path

    def commands(self, program, folder, mode):
        """By name. For frames to compare, `mode` is “raw” and each writes Y4M or raw video."""
        ffmpeg = ["ffmpeg", "-nostdin", "-v", "error", "-y"]
        for options, path in self.inputs:
            ffmpeg += [*options, "-i", path]
        graph, maps = self.graph, ["-map", "[v]"]
        if self.sound and mode == "encoded":
            graph, maps = f"{graph};{self.sound}", maps + ["-map", "[a]", "-c:a", "aac", "-b:a", BITRATE]
        ffmpeg += ["-filter_complex", graph, *maps, "-frames:v", self.count]
        melt = ["melt", "-silent", "-profile", self.profile(folder), *self.track, "-consumer"]
        settings = [f"preset={PRESET}", f"crf={CRF}", f"g={2 * FPS}", "rc_lookahead=20", "acodec=aac", f"ab={BITRATE}"]
        x264 = ["-c:v", "libx264", "-preset", PRESET, "-crf", CRF, "-g", 2 * FPS, "-rc-lookahead", "20"]
        state = ["--state", folder / "state"]
        file = self.file(folder)
        out = {name: folder / f"{self.name}-{name}.mp4" for name in ("cutfarm", "ffmpeg", "melt")}
        if mode == "encoded":
            return {"cutfarm": [program, "render", file, "-o", out["cutfarm"], "--force", "--workers", "2", *state],
                    "ffmpeg": [*ffmpeg, *x264, "-movflags", "+faststart", out["ffmpeg"]],
                    "melt": [*melt, f"avformat:{out['melt']}", "vcodec=libx264", *settings, "real_time=-1", "movflags=+faststart"]}
        if mode == "frames":
            return {"cutfarm": [program, "read", file, "-o", "/dev/null", *state],
                    "ffmpeg": [*ffmpeg, "-f", "null", "-"], "melt": [*melt, "null", "real_time=-1", "terminate_on_pause=1"]}
        raise ValueError(mode)

    def profile(self, folder):
        width, height = self.size
        path = folder / f"{self.name}.profile"
        path.write_text(f"description={self.name}\nframe_rate_num={FPS}\nframe_rate_den=1\nwidth={width}\nheight={height}\nprogressive=1\n"
                        f"sample_aspect_num=1\nsample_aspect_den=1\ndisplay_aspect_num={width}\ndisplay_aspect_den={height}\ncolorspace=709\n")
        return path


def cut(number, first, count, label, more=""):
    """`fps` says the rate, which xfade asks for, and changes nothing."""
    return f"[{number}:v]fps={FPS},trim=start_frame={first}:end_frame={first + count},setpts=PTS-STARTPTS,settb=1/{FPS}{more}[{label}]"


def dissolve_and_title(media):
    """Two clips of 10 s, a dissolve of 2 s, and a title for 6 s over it."""
    one, two = media.clips()[:2]
    layers = [{"layer": "text", "text": "Learning to see", "font": FONT, "position": ["50%", "78%"], "shadow": {}}]
    png, x, y, width, height = media.title("see", layers, (1920, 1080))
    edit = {"assets": {"one": str(one), "two": str(two)}, "tracks": [
        {"kind": "video", "segments": [{"asset": "one", "in": "7f", "duration": "250f"}, {"transition": "dissolve", "duration": "50f"},
                                       {"asset": "two", "duration": "250f"}]},
        {"kind": "title", "segments": [{"at": "150f", "duration": "150f", "layers": layers}]}]}
    graph = ";".join([cut(0, 7, 250, "a"), cut(1, 0, 250, "b"),
                      f"[a][b]xfade=transition=fade:duration={50 / FPS}:offset={200 / FPS}[x]",
                      f"[x][2:v]overlay=x={x}:y={y}:format=yuv420:enable='between(n,150,299)',format=yuv420p[v]"])
    melt = ["-track", one, "in=7", "out=256", "audio_index=-1", two, "in=0", "out=249", "audio_index=-1", "-mix", "50", "-mixer", "luma",
            "-track", "-blank", "149", png, "in=0", "out=149",
            "-transition", "composite", "a_track=0", "b_track=1", "in=150", "out=299", f"geometry={x}/{y}:{width}x{height}:100", "progressive=1"]
    return Case("dissolve-title", (1920, 1080), 450, edit, [([], one), ([], two), ([], png)], graph, melt)


def picture_in_picture(media):
    """A clip that fills the frame and three of 576 × 324 over it, 10 s."""
    clips = media.clips()
    width, height = 576, 324
    places = [(60, 60), (1284, 60), (1284, 696)]
    tracks = [{"kind": "video", "segments": [{"asset": "c0", "duration": "250f"}]}]
    graph, last, track = [cut(0, 0, 250, "b0")], "b0", ["-track", clips[0], "in=0", "out=249", "audio_index=-1"]
    mixes = []
    for number, (x, y) in enumerate(places, 1):
        place = [x + width // 2, y + height // 2]
        tracks.append({"kind": "video", "segments": [{"asset": f"c{number}", "duration": "250f", "scale": 0.3, "position": place}]})
        graph += [cut(number, 0, 250, f"s{number}", f",scale={width}:{height}"),
                  f"[{last}][s{number}]overlay=x={x}:y={y}:format=yuv420[o{number}]"]
        last = f"o{number}"
        track += ["-track", clips[number], "in=0", "out=249", "audio_index=-1"]
        mixes += ["-transition", "composite", "a_track=0", f"b_track={number}", "in=0", "out=249",
                  f"geometry={x}/{y}:{width}x{height}:100", "progressive=1"]
    edit = {"assets": {f"c{n}": str(clip) for n, clip in enumerate(clips)}, "tracks": tracks}
    return Case("picture-in-picture", (1920, 1080), 250, edit, [([], clip) for clip in clips],
                ";".join(graph + [f"[{last}]format=yuv420p[v]"]), track + mixes)


def chroma_key(media):
    """A figure in front of a green screen over a clip, 10 s. Distances: ours count 128 code values of chroma, ffmpeg's 255·√2."""
    behind, screen = media.clips()[1], media.screen()
    (y, u, v), color = media.screen_color()
    tolerance, softness = 0.25, 0.15
    similarity, blend = tolerance * 128 / 360.62, softness * 128 / 360.62
    key = f"0x{y:02x}{u:02x}{v:02x}"
    edit = {"assets": {"behind": str(behind), "screen": str(screen)}, "tracks": [
        {"kind": "video", "segments": [{"asset": "behind", "duration": "250f"}]},
        {"kind": "video", "segments": [{"asset": "screen", "duration": "250f", "effects": [
            {"effect": "chromaKey", "color": color, "tolerance": tolerance, "softness": softness, "spill": 0}]}]}]}
    graph = ";".join([cut(0, 0, 250, "a"), cut(1, 0, 250, "b", f",chromakey=color={key}:similarity={similarity:.4f}:blend={blend:.4f}:yuv=1"),
                      "[a][b]overlay=format=yuv420,format=yuv420p[v]"])
    melt = ["-track", behind, "in=0", "out=249", "audio_index=-1", "-track", screen, "in=0", "out=249", "audio_index=-1",
            "-attach-cut", "avfilter.chromakey", f"av.color={key}", f"av.similarity={similarity:.4f}", f"av.blend={blend:.4f}", "av.yuv=1",
            "-transition", "composite", "a_track=0", "b_track=1", "in=0", "out=249", "geometry=0/0:1920x1080:100", "progressive=1"]
    return Case("chroma-key", (1920, 1080), 250, edit, [([], behind), ([], screen)], graph, melt)


def fifteen_seconds(media):
    """Examples/fifteen-seconds.json. In ffmpeg the push has no ease and the wave of the ducked music no steps between its
    keys; melt has dissolves for all three transitions, a logo that stands and plain sound: less work than ours."""
    examples = pathlib.Path(__file__).resolve().parent.parent / "Examples"
    run(examples / "make-media")
    harbour, market, lights, logo, music, voice = [examples / "media" / name for name in (
        "harbour.mp4", "market.mp4", "lights.mp4", "logo.png", "music.m4a", "voice.m4a")]
    size = (1280, 720)
    text = {"layer": "text", "font": {**FONT, "size": "7%"}, "position": ["50%", "66%"], "shadow": {}, "text": "TapHarmonic Films Presents"}
    first = media.title("first", [{"layer": "image", "asset": "logo", "height": "30%", "position": ["50%", "36%"]}, text], size)
    second = media.title("second", [{**text, "font": FONT, "position": ["50%", "72%"], "text": "Learning AV Foundation"}], size)

    def still(number, count, fade, start, label):
        return (f"[{number}:v]loop=loop={count - 1}:size=1,setpts=N/{FPS}/TB,settb=1/{FPS},fade=in:d={fade}:alpha=1,"
                f"fade=out:st={count / FPS - fade}:d={fade}:alpha=1,setpts=PTS+{start}[{label}]")

    # The corners of the logo, turned about y by 720° in two seconds and seen from 1280 pixels; then it pops.
    turn, scale = "4*PI*(1-cos(PI*min(on/50,1)))/2", "(1+0.3*(clip((on-60)/5,0,1)-clip((on-65)/5,0,1)))"
    corners = []
    for corner, (u, v) in enumerate([(-192, -192), (192, -192), (-192, 192), (192, 192)]):
        depth = f"(1280/(1280+{u}*{scale}*sin({turn})))"
        corners.append(f"x{corner}='192+{u}*{scale}*(cos({turn})+0.003)*{depth}':y{corner}='192+{v}*{scale}*{depth}'")
    graph = ";".join([
        cut(0, 13, 135, "a"), cut(1, 25, 145, "b"), cut(2, 0, 145, "c"), f"color=black:s=1280x720:r={FPS}:d=2,settb=1/{FPS}[k]",
        "[a][b]xfade=transition=fade:duration=1:offset=4.4[ab]", "[ab][c]xfade=transition=slideleft:duration=1:offset=9.2[abc]",
        "[abc][k]xfade=transition=wiperight:duration=1:offset=14[x]",
        still(3, 75, 0.75, 25, "t1"), still(4, 100, 0.5, 138, "t2"),
        f"[5:v]scale=274:274,format=yuva444p,pad=384:384:55:55:black@0,loop=loop=99:size=1,setpts=N/{FPS}/TB,settb=1/{FPS},"
        f"perspective=eval=frame:sense=destination:{':'.join(corners)},fade=in:d=0.5:alpha=1,fade=out:st=3.5:d=0.5:alpha=1,setpts=PTS+138[t3]",
        f"[x][t1]overlay=x={first[1]}:y={first[2]}:format=yuv420:eof_action=pass[o1]",
        f"[o1][t2]overlay=x={second[1]}:y={second[2]}:format=yuv420:eof_action=pass[o2]",
        "[o2][t3]overlay=x=448:y=82:format=yuv420:eof_action=pass,format=yuv420p[v]"])
    sound = ("[6:a]atrim=0:15,aresample=48000,afade=in:d=1.5,afade=out:st=13.5:d=1.5,volume=eval=frame:"
             "volume='1-0.8*clip((t-5.5)/0.5,0,1)+0.8*clip((t-10)/0.5,0,1)'[m];[7:a]aresample=48000,adelay=6000:all=1[s];"
             "[m][s]amix=inputs=2:normalize=0:duration=first[a]")

    def over(track, first, last, picture, edge):
        x, y, width, height = picture[1:]
        place = f"{x}/{y}:{width}x{height}"
        keys = f"0={place}:0;{edge}={place}:100;{last - first - edge}={place}:100;{last - first}={place}:0"
        return ["-transition", "composite", "a_track=0", f"b_track={track}", f"in={first}", f"out={last}", f"geometry={keys}", "progressive=1"]

    melt = ["-track", harbour, "in=13", "out=147", "audio_index=-1", market, "in=25", "out=169", "audio_index=-1", "-mix", "25", "-mixer", "luma",
            lights, "in=0", "out=144", "audio_index=-1", "-mix", "25", "-mixer", "luma", "colour:black", "out=24", "-mix", "25", "-mixer", "luma",
            "-track", "-blank", "24", first[0], "in=0", "out=74", "-track", "-blank", "137", second[0], "in=0", "out=99",
            "-track", "-blank", "137", logo, "in=0", "out=99",
            "-audio-track", music, "in=0", "out=374", "-audio-track", "-blank", "149", voice, "in=0", "out=99",
            *over(1, 25, 99, first, 19), *over(2, 138, 237, second, 12),
            "-transition", "affine", "a_track=0", "b_track=3", "in=138", "out=237", "rect=503 137 274 274 1",
            "-transition", "mix", "a_track=4", "b_track=5", "always_active=1", "sum=1"]
    return Case("fifteen-seconds", size, 375, examples / "fifteen-seconds.json",
                [([], path) for path in (harbour, market, lights, first[0], second[0], logo, music, voice)], graph, melt, sound)


CASES = {"dissolve-title": dissolve_and_title, "picture-in-picture": picture_in_picture, "chroma-key": chroma_key,
         "fifteen-seconds": fifteen_seconds}


def compare(case, folder, commands):
    """Roughly how near `commands`' pictures are to ours: SSIM of every fifth frame of the encoded movies."""
    texts = {}
    for name in commands:
        path = folder / f"{case.name}-{name}.mp4"
        every = "select=not(mod(n\\,5))"
        text = subprocess.run(["ffmpeg", "-nostdin", "-v", "info", "-i", path, "-i", folder / f"{case.name}-cutfarm.mp4", "-lavfi",
                               f"[0:v]{every}[a];[1:v]{every}[b];[a][b]ssim", "-f", "null", "-"], capture_output=True, text=True).stderr
        texts[name] = f"{frames(path)} frames, SSIM {float(text.rsplit('All:', 1)[1].split()[0]):.4f}"
    return texts


def report(case, mode, results, looks):
    print(f"\n{case.name}, {mode}: {case.count} frames ({case.count / FPS:.0f} s) of {case.size[0]} × {case.size[1]}")
    for name, runs in results.items():
        wall, cpu = min(run["wall"] for run in runs), min(run["cpu"] for run in runs)
        memory = max(run["MB"] for run in runs)
        print(f"  {name:8}{wall:7.2f} s wall{cpu:8.2f} s CPU{1000 * cpu / case.count:8.2f} ms CPU a frame{memory:6.0f} MB  {looks.get(name, '')}")
    others = [name for name in results if name != "cutfarm"]
    if not others:
        return
    for key, goal in (("cpu", 0.5 if mode == "frames" else None), ("wall", 0.7 if mode == "encoded" else None)):
        best = min(others, key=lambda name: min(run[key] for run in results[name]))
        ratio = statistics.median(a[key] / b[key] for a, b in zip(results["cutfarm"], results[best]))
        lowest = min(run[key] for run in results["cutfarm"]) / min(run[key] for run in results[best])
        verdict = "" if goal is None else f"; goal ≤ {goal}: " + ("reached" if max(ratio, lowest) <= goal else "NOT reached")
        print(f"  {key:4} cutfarm / {best} {lowest:.2f} (pairs {ratio:.2f}){verdict}", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--only", nargs="*", choices=list(CASES), default=list(CASES))
    parser.add_argument("--mode", nargs="*", choices=["frames", "encoded"], default=["frames", "encoded"])
    parser.add_argument("--without", nargs="*", choices=["ffmpeg", "melt"], default=[])
    parser.add_argument("--folder", help="where media and movies are made and left")
    options = parser.parse_args()
    program = pathlib.Path(options.build).resolve() / "cutfarm"
    folder = pathlib.Path(options.folder or tempfile.mkdtemp(prefix="cutfarm-bench-", dir="/var/tmp"))
    folder.mkdir(exist_ok=True)
    folder.chmod(0o755)
    try:
        media = Media(folder, program)
        for case in (CASES[name](media) for name in options.only):
            for mode in options.mode:
                commands = case.commands(program, folder, mode)
                if not shutil.which("melt"):
                    commands.pop("melt")
                for name in options.without:
                    commands.pop(name, None)
                results = {name: [] for name in commands}
                for _ in range(options.runs):
                    for name, command in commands.items():
                        results[name].append(measure(command))
                report(case, mode, results, compare(case, folder, commands) if mode == "encoded" else {})
    finally:
        if not options.folder:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
