"""A farm of real processes for tests: a coordinator with its private PostgreSQL, and workers, all of one build."""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from datetime import datetime, timezone

TOKEN, WORKER_TOKEN = "chaos-user-token-0123456789", "chaos-worker-token-0123456789"
HOSTILE_TOKEN = "chaos-hostile-token-0123456789"
FINAL = ("completed", "failed", "cancelled")


class Farm:
    """Starts the coordinator and the workers; `close` ends them. Its folder is kept for its logs until `remove`."""

    def __init__(self, build, workers=2, disks=None, port_for_workers=None, drain_seconds=8):
        """`disks` mounts file systems below the new folder before anything starts. `port_for_workers` is called with
        the coordinator's port and returns the port to which the workers connect. `drain_seconds` is how long a worker
        that is told to end may go on with its segment."""
        self.cutfarm = str(pathlib.Path(build).resolve() / "cutfarm")
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="cutfarm-chaos-", dir="/var/tmp"))
        self.folder.chmod(0o755)
        (self.folder / "tokens").write_text(
            f"chaos view,submit,admin {TOKEN}\nhostile view,submit {HOSTILE_TOKEN}\nfarm worker {WORKER_TOKEN}\n")
        (self.folder / "token").write_text(TOKEN)
        (self.folder / "worker-token").write_text(WORKER_TOKEN)
        self.port, self.coordinator, self.workers = 0, None, [None] * workers
        # The moment at which each worker was started: earlier attempts under its name are not its own.
        self.started_at = [None] * workers
        # How often the render process of each worker was killed since the worker was started.
        self.child_deaths = [0] * workers
        self.disks, self.drain_seconds = disks, drain_seconds
        try:
            if disks:
                disks.mount(self.folder)
            self.start_coordinator()
            self.worker_port = port_for_workers(self.port) if port_for_workers else self.port
            for number in range(workers):
                self.start_worker(number)
        except BaseException:
            self.kill_all()
            raise

    # Processes

    def start(self, name, arguments, crash_point=None):
        """Starts `cutfarm` with its output in a log file: a pipe would be inherited and kept open by grandchildren."""
        environment = dict(os.environ)
        if crash_point:
            environment["CUTFARM_CRASH_POINT"] = crash_point
        with open(self.folder / f"{name}.log", "ab") as log:
            return subprocess.Popen([self.cutfarm, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=log,
                                    stderr=log, env=environment)

    def start_coordinator(self, crash_point=None):
        address = self.folder / "address"
        address.unlink(missing_ok=True)
        self.coordinator = self.start("coordinator", [
            "coordinator", "--state", self.folder / "state", "--port", self.port, "--token-file",
            self.folder / "tokens", "--address-file", address, "--asset-root", "/"], crash_point)
        deadline = time.monotonic() + 60
        while not (address.exists() and address.read_text().strip()):
            if self.coordinator.poll() is not None or time.monotonic() > deadline:
                raise FarmLost(f"the coordinator did not start; see {self.folder}/coordinator.log")
            time.sleep(0.02)
        self.port = int(address.read_text().strip().rsplit(":", 1)[1])

    def start_worker(self, number, crash_point=None):
        self.child_deaths[number] = 0
        self.started_at[number] = datetime.now(timezone.utc)
        self.workers[number] = self.start(f"worker-{number}", [
            "worker", "--coordinator", f"http://127.0.0.1:{self.worker_port}", "--token-file",
            self.folder / "worker-token", "--name", f"chaos-{number}", "--cache", self.folder / "cache",
            "--drain-seconds", self.drain_seconds], crash_point)

    def restart(self, victim, crash_point=None):
        """Starts the coordinator or a worker again after it was killed."""
        if victim == "coordinator":
            self.start_coordinator(crash_point)
        else:
            self.start_worker(int(victim[-1]), crash_point)

    def replace(self, victim, crash_point):
        """Ends the idle coordinator or worker in good order and starts it with a crash point."""
        process = self.process(victim)
        process.send_signal(signal.SIGTERM)
        process.wait(30)
        self.restart(victim, crash_point)

    def process(self, victim):
        return self.coordinator if victim == "coordinator" else self.workers[int(victim[-1])]

    def names(self):
        """The names under which the workers register."""
        return [f"chaos-{number}" for number in range(len(self.workers))]

    def postmaster(self):
        """Process id of the private PostgreSQL's first process; None while it is down."""
        try:
            pid = int((self.folder / "state/postgresql/data/postmaster.pid").read_text().split()[0])
        except (OSError, ValueError, IndexError):
            return None
        return pid if is_alive(pid) else None

    def backends(self):
        """Process ids of PostgreSQL's processes that serve the coordinator's connections."""
        postmaster = self.postmaster()
        lines = {pid: command_line(pid) for pid in children_of(postmaster)} if postmaster else {}
        return sorted(pid for pid, line in lines.items() if line.startswith("postgres: cutfarm"))

    def render_child(self, number):
        """Process id of the process that renders for the worker, which may be a child of its child
        (Sources/CSandbox/supervisor.c); None without one."""
        worker = self.workers[number]
        started = [pid for pid in children_of(worker.pid) if "cutfarm-render" in command_line(pid)]
        renderers = [child for parent in started for child in children_of(parent)]
        return next(iter(renderers + started), None)

    # Requests

    @property
    def address(self):
        return f"http://127.0.0.1:{self.port}"

    def open(self, path, method="GET", timeout=10, token=TOKEN):
        request = urllib.request.Request(self.address + path, method=method,
                                         headers={"Authorization": f"Bearer {token}"})
        return urllib.request.urlopen(request, timeout=timeout)

    def get(self, path, timeout=10):
        with self.open(path, timeout=timeout) as answer:
            return json.load(answer)

    def get_patiently(self, path, limit=90):
        """The answer to GET `path`; repeated for up to `limit` seconds while the coordinator is away."""
        deadline = time.monotonic() + limit
        while True:
            try:
                return self.get(path)
            except OSError as error:
                is_refused = isinstance(error, urllib.error.HTTPError) and error.code < 500
                if is_refused or time.monotonic() > deadline:
                    raise
                time.sleep(0.1)

    def tasks(self, job):
        return self.get_patiently(f"/v1/jobs/{job}/tasks")

    def shortage(self):
        """The status and the code of `/readyz` if it is not 200; None if the farm is ready."""
        try:
            self.get("/readyz", timeout=5)
            return None
        except urllib.error.HTTPError as error:
            try:
                return error.code, json.load(error).get("code")
            except ValueError:
                return error.code, None
        except OSError as error:
            return 0, str(error)

    def submission(self, edit, *options, port=None):
        """The running command that submits `edit`; its output is in the file `submit.log`."""
        (self.folder / "submit.log").unlink(missing_ok=True)
        return self.start("submit", [
            "submit", edit, "--state", self.folder / "client", *options, "--coordinator",
            f"http://127.0.0.1:{port or self.port}", "--token-file", self.folder / "token"])

    def submitted(self, command, limit=120):
        """The exit status of a submission and the job that it named; None where it named none."""
        status = command.wait(limit)
        lines = (self.folder / "submit.log").read_text().split()
        return status, next((word for word in lines if word.startswith("job_")), None)

    def submit(self, edit, *options):
        status, job = self.submitted(self.submission(edit, *options))
        if status != 0 or not job:
            raise FarmLost(f"the submission ended with {status}: {(self.folder / 'submit.log').read_text().strip()}")
        return job

    def wait(self, job, limit=180):
        """The job's view once it is final.
        Throws FarmLost if that takes longer than `limit` seconds."""
        deadline = time.monotonic() + limit
        while time.monotonic() < deadline:
            view = self.get_patiently(f"/v1/jobs/{job}")
            if view["state"] in FINAL:
                return view
            time.sleep(0.1)
        raise FarmLost(f"job {job} did not end within {limit} s: it is {view['state']} at {view['permille']} ‰")

    # Files

    def stored(self, artifact):
        """The file in which the coordinator keeps `artifact`, `sha256:…`."""
        digest = artifact.removeprefix("sha256:")
        return self.folder / "state/artifacts/sha256" / digest[:2] / digest[2:4] / digest

    def forget_parts(self):
        """Removes the stored parts and the movie of the newest jobs, which have ended, so that all are made anew."""
        for job in self.get_patiently("/v1/jobs?limit=3"):
            for task in self.tasks(job["id"]):
                if task.get("artifact"):
                    self.stored(task["artifact"]).unlink(missing_ok=True)

    # The end

    def close(self):
        """Ends every process with SIGTERM.
        Returns what was not in order then: processes that did not stop, processes and unfinished files left behind."""
        problems = []
        running = [process for process in [*self.workers, self.coordinator] if process and process.poll() is None]
        for process in running:
            process.send_signal(signal.SIGTERM)
        for process in running:
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                problems.append(f"process {process.pid} did not stop within 30 s of SIGTERM")
                process.kill()
                process.wait()
        deadline = time.monotonic() + 3
        while (left := self.processes()) and time.monotonic() < deadline:
            time.sleep(0.1)
        problems += [f"left running: {pid} {line}" for pid, line in left.items()]
        for pattern in ("state/artifacts/incoming/*", "state/artifacts/scratch/*", "cache/work-*", "**/*.partial*"):
            problems += [f"left on disk: {path}" for path in self.folder.glob(pattern)]
        return problems

    def kill_all(self):
        for process in [*self.workers, self.coordinator]:
            if process and process.poll() is None:
                process.kill()
                process.wait()

    def remove(self):
        if self.disks:
            self.disks.unmount()
        shutil.rmtree(self.folder, ignore_errors=True)

    def processes(self):
        """The command line of every process that works in this farm's folder, by process id."""
        lines = {int(entry.name): command_line(int(entry.name)) for entry in pathlib.Path("/proc").iterdir()
                 if entry.name.isdigit() and int(entry.name) != os.getpid()}
        return {pid: line for pid, line in lines.items() if str(self.folder) in line}


class FarmLost(Exception):
    """The farm does not go on by itself."""


def command_line(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
    except OSError:
        return ""


def status_fields(pid):
    """State and parent of a process, from /proc/PID/stat (proc(5)); None when it is gone."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return fields[0], int(fields[1])


def is_alive(pid):
    fields = status_fields(pid)
    return fields is not None and fields[0] not in "ZX"


def is_stopped(pid):
    fields = status_fields(pid)
    return fields is not None and fields[0] == "T"


def children_of(parent):
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit() and (fields := status_fields(entry.name)) and fields[1] == parent:
            found.append(int(entry.name))
    return sorted(found)
