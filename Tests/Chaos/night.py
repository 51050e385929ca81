#!/usr/bin/env python3
"""A night of many small exports, some of them broken, while workers die.

    night.py BUILD-FOLDER [--exports N] [--broken N] [--seed S]

One manifest of N exports is submitted and watched; every 5 to 20 s one of the two workers is killed and started again. At
the end every valid export is fetched and has the bytes that `cutfarm render` makes of its edit on this machine alone, and
every broken one failed with its own reason: at the submission, in a sentence that names its edit, or as a job.
"""
import argparse
import collections
import hashlib
import json
import os
import pathlib
import random
import subprocess
import sys
import time

from farm import FINAL, Farm, FarmLost

MEDIA = pathlib.Path(__file__).resolve().parents[2] / "Examples/media"


def clip(asset, seconds, start=0, **more):
    return {"asset": asset, "in": f"{start}f", "duration": f"{seconds}s", **more}


def dissolve(frames):
    return {"transition": "dissolve", "duration": f"{frames}f"}


def edit(segments, *, size=(320, 180), rate="25", outputs=("h264",), tracks=(), **assets):
    """An edit of one track of pictures; `assets` are files by name, beside those of the example."""
    files = {name: str(MEDIA / f"{name}.mp4") for name in ("harbour", "market", "lights")}
    files |= {"portrait": str(MEDIA / "portrait.mov"), "music": str(MEDIA / "music.m4a"), "logo": str(MEDIA / "logo.png")}
    files |= {name: str(path) for name, path in assets.items()}
    used = json.dumps([segments, *tracks])
    return {"schema": "edit/1", "format": {"size": size, "frameRate": rate}, "snap": "nearest",
            "assets": {name: path for name, path in files.items() if f'"{name}"' in used},
            "tracks": [{"kind": "video", "segments": segments}, *tracks], "outputs": [{"preset": name} for name in outputs]}


def valid_edits(untidy):
    """The edits that are exported again and again, with the ending of their files. `untidy` are files by name."""
    music = {"kind": "audio", "segments": [{"asset": "music", "duration": "6s", "volume": "-12dB"}]}
    logo = {"kind": "video", "segments": [clip("logo", 4, opacity=0.7, scale=0.3)]}
    return [
        (edit([clip("harbour", 4, 30)]), "mp4"),
        (edit([clip("harbour", 3, 7), dissolve(12), clip("market", 4, 13), dissolve(25), clip("lights", 3)], tracks=[music]), "mp4"),
        (edit([clip("portrait", 4), clip("lights", 2, 40)]), "mp4"),
        (edit([clip("harbour", 4)], tracks=[logo]), "mp4"),
        (edit([clip("market", 3, effects=[{"effect": "exposure", "stops": 0.4}]), clip("lights", 2)], rate="30000/1001"), "mp4"),
        (edit([clip("lights", 3, 3)], size=(214, 122), rate="24000/1001"), "mp4"),
        (edit([clip("harbour", 2), clip("market", 2)], outputs=["lossless"]), "mkv"),
        (edit([clip("harbour", 6, 1)], outputs=["aac"]), "m4a"),
        (edit([clip("market", 6)], outputs=["flac"], tracks=[music]), "flac"),
        (edit([clip("changing", 3), dissolve(10), clip("changing", 3, 60)], changing=untidy["changing"]), "mp4"),
        (edit([clip("silent", 2), clip("harbour", 2, 99)], silent=untidy["silent"]), "mp4"),
        (edit([clip("one", 2)], one=untidy["one"]), "mp4"),
        (edit([clip("harbour", 1, speed=2), clip("market", 4, speed=0.5)]), "mp4"),
        (edit([clip("lights", 1)], rate="50"), "mp4"),
    ]


def make_untidy(folder):
    """A file of variable rate, one without sound, and one of a single frame."""
    def ffmpeg(name, *options):
        subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", *options, folder / name], check=True)
        return folder / name

    picture = ("-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p")
    return {
        "changing": ffmpeg("changing.mp4", "-f", "lavfi", "-i", "testsrc2=s=320x180:r=60:d=9", "-vf", "select='not(mod(n,2))+gt(random(3),0.6)'",
                           "-fps_mode", "vfr", *picture),
        "silent": ffmpeg("silent.mov", "-f", "lavfi", "-i", "testsrc2=s=322x182:r=25:d=5", *picture),
        "one": ffmpeg("one.png", "-f", "lavfi", "-i", "testsrc2=s=319x179:d=0.04", "-frames:v", "1"),
    }


def broken_rows(folder, untidy):
    """Rows that cannot be exported, each with a piece of the sentence that says so: name, what its file holds, sentence. A row
    whose file is `None` has no file."""
    whole = untidy["silent"].read_bytes()
    movie = (MEDIA / "harbour.mp4").read_bytes()

    (folder / "media").mkdir()

    def file(name, data):
        (folder / "media" / name).write_bytes(data)
        return folder / "media" / name

    def spoilt(data, start, end):
        """The bytes between two shares of the file are others."""
        first, last = int(len(data) * start), int(len(data) * end)
        return data[:first] + random.Random(7).randbytes(last - first) + data[last:]

    fast = folder / "fast.mp4"
    subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", "-i", MEDIA / "harbour.mp4", "-c", "copy", "-movflags", "+faststart", fast], check=True)
    one = [clip("a", 2)]
    text = lambda value: json.dumps(value)
    return [
        ("no-file", None, "no-file.json"),
        ("no-json", '{ "schema": "edit/1", ', "no-json.json"),
        ("unknown-word", text(edit(one, a=untidy["silent"]) | {"trakcs": []}), "trakcs"),
        ("no-asset", text(edit(one, a=folder / "gone.mov")), "gone.mov"),
        ("no-media", text(edit(one, a=file("notes.mov", b"Call me about the grade.\n" * 40))), "no movie"),
        ("no-bytes", text(edit(one, a=file("empty.mov", b""))), "empty.mov"),
        ("no-index", text(edit(one, a=file("cut.mov", whole[:len(whole) // 2]))), "moov"),
        ("past-the-end", text(edit([clip("a", 2, 200)], a=untidy["silent"])), "past-the-end.json"),
        ("no-preset", text(edit(one, a=untidy["silent"], outputs=["h265-imax"])), "h265-imax"),
        ("no-effect", text(edit([clip("a", 2, effects=[{"effect": "sparkle"}])], a=untidy["silent"])), "sparkle"),
        ("wrong-value", text(edit([clip("a", 2, opacity="high")], a=untidy["silent"])), "opacity"),
        ("long-transition", text(edit([clip("a", 1), dissolve(60), clip("a", 1)], a=untidy["silent"])), "long-transition.json"),
        ("no-transition", text(edit([clip("a", 1), {"transition": "teleport", "duration": "5f"}, clip("a", 1)], a=untidy["silent"])), "teleport"),
        ("a-folder", text(edit(one, a=folder)), "a-folder.json"),
        ("itself", text(edit(one, a=folder / "itself.json")), "itself.json"),
        ("no-value", text(edit(one, a=untidy["silent"]) | {"params": {"x": {"type": "number"}}}), "x"),
        ("no-length", text(edit([clip("a", 0)], a=untidy["silent"])), "no-length.json"),
        ("no-tracks", text(edit(one, a=untidy["silent"]) | {"tracks": []}), "no-tracks.json"),
        # The first is found while it is rendered.
        ("spoilt", text(edit([clip("a", 6)], a=file("spoilt.mp4", spoilt(fast.read_bytes(), 0.2, 0.9)))), "spoilt"),
        ("ends-early", text(edit([clip("a", 6)], a=file("early.mp4", fast.read_bytes()[:fast.stat().st_size // 2]))), "early"),
    ]


class Night:
    def __init__(self, farm, options):
        self.farm, self.options, self.problems = farm, options, []
        self.folder = farm.folder / "night"
        self.folder.mkdir()
        self.rng = random.Random(options.seed)
        self.kills = 0

    def write(self):
        """Writes the edits and the manifest. Returns the valid rows by name, with edit and file, and the broken ones."""
        untidy = make_untidy(self.folder)
        kinds = valid_edits(untidy)
        broken = broken_rows(self.folder, untidy)[:self.options.broken]
        rows, valid = [], {}
        for number in range(self.options.exports - len(broken)):
            content, ending = kinds[number % len(kinds)]
            name = f"row-{number:03}"
            (self.folder / f"{name}.json").write_text(json.dumps(content))
            valid[name] = (number % len(kinds), self.folder / f"{name}.{ending}")
            rows.append({"edit": f"{name}.json", "output": f"{name}.{ending}"})
        for name, content, _ in broken:
            if content is not None:
                (self.folder / f"{name}.json").write_text(content)
            rows.append({"edit": f"{name}.json", "output": f"{name}.mp4"})
        self.rng.shuffle(rows)
        (self.folder / "night.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        return kinds, valid, broken

    def render_alone(self, kinds):
        """The digests of the edits' movies as this machine makes them, without a farm."""
        digests = []
        for number, (content, ending) in enumerate(kinds):
            path, movie = self.folder / f"alone-{number}.json", self.folder / f"alone-{number}.{ending}"
            path.write_text(json.dumps(content))
            done = subprocess.run([self.farm.cutfarm, "render", path, "-o", movie, "--workers", "2", "--state", self.farm.folder / "alone"],
                                  capture_output=True, text=True)
            if done.returncode:
                raise FarmLost(f"valid edit {number} cannot be rendered: {done.stderr.strip()}")
            digests.append(digest(movie))
        return digests

    def run(self):
        kinds, valid, broken = self.write()
        alone = self.render_alone(kinds)
        print(f"{len(kinds)} edits rendered alone; {len(valid)} exports of them and {len(broken)} broken ones are submitted", flush=True)
        began = time.monotonic()
        command = self.farm.start("submit", ["submit", "--manifest", self.folder / "night.jsonl", "--watch", "--state", self.farm.folder / "client",
                                             "--coordinator", self.farm.address, "--token-file", self.farm.folder / "token"])
        killing = time.monotonic() + self.rng.uniform(5, 20)
        while command.poll() is None:
            time.sleep(0.2)
            if time.monotonic() > killing:
                victim = self.rng.randrange(2)
                self.farm.workers[victim].kill()
                self.farm.workers[victim].wait()
                self.farm.start_worker(victim)
                self.kills += 1
                killing = time.monotonic() + self.rng.uniform(5, 20)
        said = (self.farm.folder / "submit.log").read_text()
        self.judge(command.returncode, said, valid, alone, broken)
        jobs = self.jobs()
        attempts = collections.Counter(attempt["state"] for job in jobs for task in self.farm.tasks(job["id"]) for attempt in task["attempts"])
        print(f"{len(jobs)} jobs in {(time.monotonic() - began) / 60:.1f} min, {self.kills} workers killed, attempts: "
              + ", ".join(f"{count} {state}" for state, count in sorted(attempts.items())), flush=True)
        return self.problems

    def jobs(self):
        jobs = []
        while page := self.farm.get_patiently("/v1/jobs?limit=100" + (f"&before={jobs[-1]['id']}" if jobs else "")):
            jobs += page
        return jobs

    def judge(self, status, said, valid, alone, broken):
        if status == 0:
            self.problems.append("the command ended with 0, as if nothing were broken")
        jobs = {job["title"].removesuffix(".json"): job for job in self.jobs()}
        for name, (number, file) in valid.items():
            job = jobs.get(name)
            if job is None:
                self.problems.append(f"{name} has no job")
            elif job["state"] != "completed":
                self.problems.append(f"{name} ended {job['state']}: {job.get('failure')}")
            elif not file.exists():
                self.problems.append(f"{name} was not fetched")
            elif digest(file) != alone[number]:
                self.problems.append(f"{name} differs from what one machine makes")
        for name, _, words in broken:
            job = jobs.get(name)
            if (self.folder / f"{name}.mp4").exists():
                self.problems.append(f"{name} is broken and was fetched all the same")
            if job is None:
                lines = [line for line in said.splitlines() if f"{name}.json" in line]
                if not any(words in line for line in lines):
                    self.problems.append(f"{name} was refused without “{words}”: {lines}")
                print(f"  {name}: {lines[0] if lines else 'nothing was said'}")
            elif job["state"] != "failed" or not job["failure"]["message"]:
                self.problems.append(f"{name} is broken and ended {job['state']}: {job.get('failure')}")
            else:
                print(f"  {name}: {job['failure']['code']}: {job['failure']['message']}")
        for job in jobs.values():
            if job["state"] not in FINAL:
                self.problems.append(f"{job['title']} is still {job['state']}")
        leftovers = [path for path in self.folder.iterdir() if ".partial" in path.name]
        if leftovers:
            self.problems.append(f"half-written files: {leftovers}")


def digest(path):
    with open(path, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", help="folder of cutfarm and cutfarm-render")
    parser.add_argument("--exports", type=int, default=300, help="rows of the manifest")
    parser.add_argument("--broken", type=int, default=20, help="rows that cannot be exported, 20 at the most")
    parser.add_argument("--seed", type=int, default=20261126)
    options = parser.parse_args()
    # Every export renders everything.
    os.environ["CUTFARM_PARTS_LIMIT"] = "0"
    farm = Farm(options.build)
    try:
        problems = Night(farm, options).run()
    finally:
        problems_at_end = farm.close()
    problems += problems_at_end
    for problem in problems:
        print(problem)
    if problems:
        print(f"NOT in order; logs are in {farm.folder}")
        return 1
    print("every valid export has the bytes of one machine, and every broken one says why", flush=True)
    farm.remove()
    return 0


if __name__ == "__main__":
    sys.exit(main())
