#!/usr/bin/env python3
"""Measures how long a manifest of many small jobs takes to be accepted, with the assets known to the farm.

    manifest.py BUILD-FOLDER [--rows N] [--goal SECONDS]

A coordinator of BUILD-FOLDER with a PostgreSQL of its own, and no worker. The rows of a table fill a template of half a second
with two parameters, each with a target of its own. Before them one row is submitted, so that the asset is known. Afterwards
the same table is submitted again, which gives the same jobs, and the report over all of them is asked for.
"""
import argparse
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

from dashboard import Report

TOKEN = "manifest-bench-token"


class Farm:
    spent = before = 0.0

    def __init__(self, build, folder):
        self.program, self.folder = build / "cutfarm", folder
        (folder / "tokens").write_text(f"bench view,submit,admin {TOKEN}\n")
        (folder / "token").write_text(TOKEN)
        (folder / "exports").mkdir()
        address = folder / "address"
        self.process = subprocess.Popen(
            [self.program, "coordinator", "--state", folder / "state", "--port", "0", "--token-file", folder / "tokens", "--address-file",
             address, "--output-root", folder / "exports", "--until-input-closes"],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=(folder / "log").open("w"))
        while not (address.exists() and address.read_text().strip()):
            if self.process.poll() is not None:
                sys.exit((folder / "log").read_text())
            time.sleep(0.1)
        self.address = address.read_text().strip()

    def stop(self):
        self.process.stdin.close()
        self.process.wait()

    @property
    def processor_seconds(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / 100

    def run(self, *words):
        """What a command says, and the seconds it takes; ``spent`` are its seconds of processor time."""
        start = time.monotonic()
        outcome = subprocess.run([self.program, *words, "--coordinator", self.address, "--token-file", self.folder / "token"],
                                 capture_output=True, text=True)
        seconds = time.monotonic() - start
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.spent, self.before = usage.ru_utime + usage.ru_stime - self.before, usage.ru_utime + usage.ru_stime
        if outcome.returncode != 0:
            sys.exit(f"{' '.join(map(str, words))}: {outcome.stderr[-2000:]}")
        return outcome.stdout, seconds


def table(path, rows):
    lines = ["edit,to,preset,priority,param.name,param.from"]
    lines += [f"template.json,exports/{row % 100}/{row}.mp4,h264,{row % 3},\"Name {row}, x\",{row % 10}f" for row in rows]
    path.write_text("\n".join(lines) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--goal", type=float, default=10.0, help="the most seconds")
    parser.add_argument("--runs", type=int, help="for Benchmarks/run; it is measured once")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="cutfarm-manifest-") as name:
        folder = pathlib.Path(name)
        # The private PostgreSQL runs as the user postgres when this is root.
        folder.chmod(0o711)
        subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=2", "-c:v", "libx264",
                        "-preset", "ultrafast", folder / "clip.mp4"], check=True)
        (folder / "template.json").write_text("""{ "schema": "edit/1", "params": {
            "name": { "type": "string", "default": "nobody" }, "from": { "type": "time", "default": "0f" } },
            "format": { "size": [320, 180], "frameRate": "25" }, "assets": { "clip": "clip.mp4" }, "x-name": {"$param": "name"},
            "tracks": [{ "kind": "video", "segments": [{ "asset": "clip", "in": {"$param": "from"}, "duration": "12f" }] }] }""")
        farm = Farm(options.build.resolve(), folder)
        try:
            table(folder / "first.csv", [options.rows])
            state = ["--state", folder / "client"]
            farm.run("submit", "--manifest", folder / "first.csv", *state)
            table(folder / "jobs.csv", range(options.rows))
            began = farm.processor_seconds
            said, seconds = farm.run("submit", "--manifest", folder / "jobs.csv", *state)
            sender, receiver = farm.spent, farm.processor_seconds - began
            again, repeated = farm.run("submit", "--manifest", folder / "jobs.csv", *state)
            jobs = len(set(said.split("\n")) - {""})
            if jobs != options.rows or again != said:
                sys.exit(f"{jobs} jobs of {options.rows} rows, and again {len(again.splitlines())}")
            _, reported = farm.run("report", "--since", "1h", "--json", folder / "report.json")
        finally:
            farm.stop()
    print(f"\nmanifest of {options.rows:,} rows; the machine's load {os.getloadavg()[0]:.1f}")
    Report().line("accepted", seconds, "s", options.goal)
    print(f"  processor time: `submit` {sender:.1f} s, the coordinator {receiver:.1f} s, and PostgreSQL")
    print(f"  the same again in {repeated:.1f} s, the report over all in {reported:.2f} s")


if __name__ == "__main__":
    main()
