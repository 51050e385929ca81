#!/usr/bin/env python3
"""Replaces a farm's programs one after the other while it works, by a newer version that renders alike.

    upgrade.py OLD-BUILD NEW-BUILD

One PostgreSQL; an old coordinator and an old worker begin a job. A new coordinator starts beside the old one and brings the
schema up to date; jobs are submitted by both clients to both coordinators, and a new worker comes. Then the old coordinator
ends, and a new one takes its port, so that the old worker goes on with it, alone for one job. In the end the old worker ends too.
Every job must be completed, each movie must have the bytes that both programs make alone, and each worker must have
completed tasks of the jobs that were meant for it.
"""
import argparse
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from farm import TOKEN, WORKER_TOKEN, Farm, FarmLost
from scaling import long_edit

POSTGRES = pathlib.Path("/usr/lib/postgresql/15/bin")


class Database:
    """A PostgreSQL of its own on a socket below its folder."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="cutfarm-upgrade-", dir="/var/tmp"))
        self.user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        if self.user:
            shutil.chown(self.folder, "postgres")
        self.run("initdb", "-D", self.folder / "data", "-U", "cutfarm", "--auth", "trust")
        self.run("pg_ctl", "-D", self.folder / "data", "-l", self.folder / "log", "-w", "-o",
                 f"-c listen_addresses= -c unix_socket_directories={self.folder}", "start")
        self.run("createdb", "-h", self.folder, "-U", "cutfarm", "farm")

    def run(self, program, *arguments):
        subprocess.run([*self.user, POSTGRES / program, *arguments], check=True, stdout=subprocess.DEVNULL)

    @property
    def url(self):
        return f"postgresql://cutfarm@/farm?host={self.folder}"

    def close(self):
        self.run("pg_ctl", "-D", self.folder / "data", "-m", "immediate", "stop")
        shutil.rmtree(self.folder)


class Side(Farm):
    """One coordinator of the farm, with the workers that ask it; both sides use one database and one folder."""

    def __init__(self, build, database, folder, name, port=0):
        self.cutfarm = str(pathlib.Path(build).resolve() / "cutfarm")
        self.folder, self.database, self.name, self.port = folder, database, name, port
        self.programs = []
        self.start_coordinator()

    def start_coordinator(self, crash_point=None):
        address = self.folder / f"{self.name}.address"
        address.unlink(missing_ok=True)
        self.coordinator = self.start(f"coordinator-{self.name}", [
            "coordinator", "--state", self.folder / "state", "--database-url", self.database.url, "--port", self.port,
            "--token-file", self.folder / "tokens", "--address-file", address])
        self.programs.append(self.coordinator)
        deadline = time.monotonic() + 60
        while not (address.exists() and address.read_text().strip()):
            if self.coordinator.poll() is not None or time.monotonic() > deadline:
                raise FarmLost(f"the coordinator did not start; see {self.folder}/coordinator-{self.name}.log")
            time.sleep(0.02)
        self.port = int(address.read_text().strip().rsplit(":", 1)[1])

    def worker(self, name):
        process = self.start(f"worker-{name}", [
            "worker", "--coordinator", self.address, "--token-file", self.folder / "worker-token", "--name", name,
            "--cache", self.folder / f"cache-{name}"])
        self.programs.append(process)
        return process

    def end(self, process):
        process.send_signal(signal.SIGTERM)
        status = process.wait(60)
        if status != 0:
            raise FarmLost(f"a program that was told to end ended with {status}")

    def makers(self, job):
        """The names of the workers that completed pictures or sound of the job."""
        return {attempt["workerName"] for task in self.tasks(job) if task["kind"] != "stitch"
                for attempt in task["attempts"] if attempt["state"] == "completed"}

    def fetch(self, job, name):
        path = self.folder / name
        subprocess.run([self.cutfarm, "fetch", job, "-o", path, "--coordinator", self.address, "--token-file",
                        self.folder / "token"], check=True, stderr=subprocess.DEVNULL)
        return path.read_bytes()


def alone(build, edit, folder, name):
    """The bytes that one machine makes with a build."""
    path = folder / f"alone-{name}.mp4"
    subprocess.run([pathlib.Path(build).resolve() / "cutfarm", "render", edit, "-o", path, "--state", folder / f"alone-{name}",
                    "--parts-limit", "0"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return path.read_bytes()


def require(condition, sentence):
    if not condition:
        raise FarmLost(sentence)


def upgrade(old, new, folder, database):
    edit = folder / "edit.json"
    long_edit(edit, 1)
    reference = alone(old, edit, folder, "old")
    require(alone(new, edit, folder, "new") == reference, "the two versions do not render alike; nothing to try")
    before = Side(old, database, folder, "old")
    sides = [before]
    try:
        old_worker = before.worker("old-worker")
        jobs = {"begun by the old farm": before.submit(edit)}
        while not any(task["state"] == "completed" for task in before.tasks(jobs["begun by the old farm"])):
            time.sleep(0.1)
        beside = Side(new, database, folder, "new")
        sides.append(beside)
        jobs["old client, old coordinator, new schema"] = before.submit(edit)
        jobs["new client, new coordinator"] = beside.submit(edit)
        new_worker = beside.worker("new-worker")
        beside.wait(jobs["new client, new coordinator"], 600)
        beside.end(new_worker)
        before.end(before.coordinator)
        after = Side(new, database, folder, "new-2", port=before.port)
        sides.append(after)
        lone = jobs["old client, new coordinator, old worker"] = before.submit(edit)
        after.wait(lone, 600)
        require(after.makers(lone) == {"old-worker"}, "the old worker did not work for the new coordinator")
        after.end(old_worker)
        newest = after.worker("newest-worker")
        last = jobs["nothing old left"] = after.submit(edit)
        for name, job in jobs.items():
            view = after.wait(job, 600)
            require(view["state"] == "completed", f"{name}: {view['state']}: {view.get('failure')}")
            require(after.fetch(job, f"{job}.mp4") == reference, f"{name}: other bytes")
            print(f"{name}: completed by {', '.join(sorted(after.makers(job)))}, the bytes of one machine")
        require(after.makers(last) == {"newest-worker"}, "the last job was done by others")
        after.end(newest)
    finally:
        for side in sides:
            for process in side.programs:
                if process.poll() is None:
                    process.kill()
                    process.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old")
    parser.add_argument("new")
    options = parser.parse_args()
    os.environ["CUTFARM_PARTS_LIMIT"] = "0"
    folder = pathlib.Path(tempfile.mkdtemp(prefix="cutfarm-chaos-", dir="/var/tmp"))
    folder.chmod(0o755)
    (folder / "tokens").write_text(f"chaos view,submit,admin {TOKEN}\nfarm worker {WORKER_TOKEN}\n")
    (folder / "token").write_text(TOKEN)
    (folder / "worker-token").write_text(WORKER_TOKEN)
    database = Database()
    try:
        upgrade(options.old, options.new, folder, database)
    except FarmLost as lost:
        print(f"upgrade: {lost}; logs are in {folder}", file=sys.stderr)
        return 1
    finally:
        database.close()
    shutil.rmtree(folder)
    print("upgrade: every job was completed, all bytes are those of one machine")
    return 0


if __name__ == "__main__":
    sys.exit(main())
