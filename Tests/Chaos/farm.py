"""A farm of real processes for tests: coordinator with its private PostgreSQL, and workers, all of this build."""
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

TOKEN, WORKER_TOKEN = "chaos-user-token-0123456789", "chaos-worker-token-0123456789"


class Farm:
    def __init__(self, build, workers=2):
        self.cutfarm = str(pathlib.Path(build).resolve() / "cutfarm")
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="cutfarm-chaos-", dir="/var/tmp"))
        self.folder.chmod(0o755)
        (self.folder / "tokens").write_text(f"chaos view,submit,admin {TOKEN}\nfarm worker {WORKER_TOKEN}\n")
        (self.folder / "token").write_text(TOKEN)
        (self.folder / "worker-token").write_text(WORKER_TOKEN)
        self.port, self.coordinator, self.workers = 0, None, [None] * workers
        self.start_coordinator()
        for number in range(workers):
            self.start_worker(number)

    @property
    def address(self):
        return f"http://127.0.0.1:{self.port}"

    def log(self, name):
        return open(self.folder / f"{name}.log", "ab")

    def start_coordinator(self, crash_point=None):
        address = self.folder / "address"
        address.unlink(missing_ok=True)
        environment = dict(os.environ)
        if crash_point:
            environment["CUTFARM_CRASH_POINT"] = crash_point
        log = self.log("coordinator")
        self.coordinator = subprocess.Popen(
            [self.cutfarm, "coordinator", "--state", self.folder / "state", "--port", str(self.port), "--token-file",
             self.folder / "tokens", "--address-file", address, "--asset-root", "/"],
            stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment)
        deadline = time.monotonic() + 60
        while not (address.exists() and address.read_text().strip()):
            if self.coordinator.poll() is not None or time.monotonic() > deadline:
                raise SystemExit(f"the coordinator did not start; see {self.folder}/coordinator.log")
            time.sleep(0.02)
        self.port = int(address.read_text().strip().rsplit(":", 1)[1])

    def start_worker(self, number, crash_point=None):
        environment = dict(os.environ)
        if crash_point:
            environment["CUTFARM_CRASH_POINT"] = crash_point
        log = self.log(f"worker-{number}")
        self.workers[number] = subprocess.Popen(
            [self.cutfarm, "worker", "--coordinator", self.address, "--token-file", self.folder / "worker-token",
             "--name", f"chaos-{number}", "--cache", self.folder / "cache"],
            stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment)

    def postgres(self):
        """Process id of the private PostgreSQL, None while it is down."""
        for file in self.folder.glob("state/**/postmaster.pid"):
            try:
                return int(file.read_text().split()[0])
            except (OSError, ValueError, IndexError):
                pass
        return None

    def get(self, path):
        request = urllib.request.Request(self.address + path, headers={"Authorization": f"Bearer {TOKEN}"})
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.load(answer)

    def get_patiently(self, path, limit=60):
        deadline = time.monotonic() + limit
        while True:
            try:
                return self.get(path)
            except OSError as error:
                is_refused = isinstance(error, urllib.error.HTTPError) and error.code < 500
                if is_refused or time.monotonic() > deadline:
                    raise
                time.sleep(0.1)

    def command(self, *arguments, check=True):
        return subprocess.run(
            [self.cutfarm, *map(str, arguments), "--coordinator", self.address, "--token-file", self.folder / "token"],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, check=check)

    def submit(self, edit, *options):
        state = ("--state", self.folder / "client")
        return self.command("submit", edit, *state, *options).stdout.split()[0]

    def wait(self, job, limit=600):
        deadline = time.monotonic() + limit
        while time.monotonic() < deadline:
            view = self.get_patiently(f"/v1/jobs/{job}")
            if view["state"] in ("completed", "failed", "cancelled"):
                return view
            time.sleep(0.1)
        raise SystemExit(f"job {job} did not end within {limit} s")

    def stored(self, artifact):
        """Where the coordinator keeps `artifact`, `sha256:…`."""
        digest = artifact.removeprefix("sha256:")
        return self.folder / "state/artifacts/sha256" / digest[:2] / digest[2:4] / digest

    def forget_parts(self):
        """Removes the stored parts and movies of all jobs; those jobs have ended."""
        for job in self.get_patiently("/v1/jobs?limit=100"):
            for task in self.get_patiently(f"/v1/jobs/{job['id']}/tasks"):
                if task.get("artifact"):
                    self.stored(task["artifact"]).unlink(missing_ok=True)

    def children(self):
        """Every process that works in this farm's folder, by its command line."""
        found = {}
        for entry in pathlib.Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                except OSError:
                    continue
                if str(self.folder) in line:
                    found[int(entry.name)] = line
        return found

    def stop(self):
        processes = [process for process in [*self.workers, self.coordinator] if process and process.poll() is None]
        for process in processes:
            process.send_signal(signal.SIGTERM)
        for process in processes:
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                raise SystemExit(f"process {process.pid} did not stop on SIGTERM within 30 s")
