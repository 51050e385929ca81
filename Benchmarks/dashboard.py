#!/usr/bin/env python3
"""Measures the dashboard against its goals, with 10,000 jobs and 50,000 tasks in the farm and one job of 5,000 segments.

    dashboard.py BUILD-FOLDER [--jobs N] [--segments N] [--pages N] [--seconds N]

A coordinator and a worker of BUILD-FOLDER, with a PostgreSQL of their own; the page in headless Chromium. The jobs are
copies of one that was submitted, made in the database. The first view counts from the navigation until rows of the list
and segments of the job are there. A script task is what Chromium calls a long task: above 50 ms of the page's thread. What
an open page costs is the coordinator's processor time with the page less that without it, while a job renders.
"""
import argparse
import contextlib
import http.client
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from datetime import datetime, timezone

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Tests" / "Oracles"))
from chromium import Browser, program as chromium

TOKEN, WORKER_TOKEN = "dashboard-bench-token", "dashboard-bench-worker"
WIDTHS = (390, 1440, 2560)
# What the page is asked to note about itself, before its own script runs.
WATCH = """
window.long = [];
new PerformanceObserver((list) => { for (const entry of list.getEntries()) long.push(Math.round(entry.duration)); }).observe({ type: "longtask", buffered: true });
window.shown = {};
const look = () => {
  for (const [name, selector] of [["rows", "#list-canvas .row"], ["segments", "#segments .block"]])
    if (!shown[name] && document.querySelector(selector)) requestAnimationFrame(() => { shown[name] ??= performance.now(); });
  if (!shown.rows || !shown.segments) requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""


class Counting(Browser):
    """A browser that counts the bytes that its page receives, as they came over the network."""
    received = 0

    def note(self, event):
        if event.get("method") == "Network.dataReceived":
            self.received += event["params"]["encodedDataLength"] or event["params"]["dataLength"]
        super().note(event)


class Farm:
    def __init__(self, build, folder):
        self.program, self.folder = build / "cutfarm", folder
        (folder / "tokens").write_text(f"bench view,submit,admin {TOKEN}\nfarm worker {WORKER_TOKEN}\n")
        for name, token in (("token", TOKEN), ("worker-token", WORKER_TOKEN)):
            (folder / name).write_text(token)
        address = folder / "address"
        self.process = subprocess.Popen(
            [self.program, "coordinator", "--state", folder / "state", "--port", "0", "--token-file", folder / "tokens", "--address-file",
             address, "--until-input-closes", "--parts-limit", "0"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
            stderr=(folder / "log").open("w"))
        while not (address.exists() and address.read_text().strip()):
            if self.process.poll() is not None:
                sys.exit((folder / "log").read_text())
            time.sleep(0.1)
        self.address = address.read_text().strip()

    def stop(self):
        self.process.stdin.close()
        self.process.wait()

    @contextlib.contextmanager
    def worker(self):
        process = subprocess.Popen([self.program, "worker", "--coordinator", self.address, "--token-file", self.folder / "worker-token",
                                    "--name", "bench", "--cache", self.folder / "cache", "--until-input-closes"],
                                   stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            yield
        finally:
            process.stdin.close()
            process.wait()

    def submit(self, edit):
        words = subprocess.run([self.program, "submit", edit, "--coordinator", self.address, "--token-file", self.folder / "token"],
                               check=True, capture_output=True, text=True).stdout.split()
        return words[0]

    def ask(self, path, method="GET", value=None):
        headers = {"Authorization": f"Bearer {WORKER_TOKEN if path == '/v1/workers' and value else TOKEN}", "Content-Type": "application/json"}
        request = urllib.request.Request(self.address + path, method=method, headers=headers, data=value and json.dumps(value).encode())
        with urllib.request.urlopen(request) as answer:
            return answer.read()

    def json(self, path, method="GET", value=None):
        return json.loads(self.ask(path, method, value))

    def sql(self, text):
        """Runs SQL in the farm's own PostgreSQL, as the account that it runs as."""
        socket = next(path for path in (self.folder / "state").rglob(".s.PGSQL.*") if path.suffix != ".lock")
        done = subprocess.run(["psql", "-X", "-q", "-h", socket.parent, "-p", socket.suffix[1:], "-U", "cutfarm", "-d", "cutfarm", "-v",
                               "ON_ERROR_STOP=1"], input=text, capture_output=True, text=True, user=socket.owner())
        if done.returncode:
            sys.exit(done.stderr)

    @property
    def processor_seconds(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / 100


def fill(farm, template, jobs, segments):
    """Copies the job `template` with its five tasks: most are completed, one in twenty failed, and one of all is long. Each task has
    an attempt, of a worker that is registered for it. What autovacuum does while a farm works is done at once."""
    versions = next(worker["versions"] for worker in farm.json("/v1/workers")).split(", ")
    names = dict(word.rsplit(" ", 1) if word.startswith("renderer") else word.split(" ", 1) for word in versions)
    registration = {"name": "bench", "kinds": ["picture"], "slots": 1, "rendererVersion": int(names.pop("renderer")), "libraries": names}
    worker = farm.json("/v1/workers", "POST", registration)["worker"].removeprefix("wrk_")
    farm.sql(f"""
        CREATE TEMP TABLE copy AS SELECT number, (lpad(to_hex(floor(extract(epoch FROM now()) * 1000)::bigint - number * 1000), 12, '0')
            || '7' || substr(md5(number::text), 1, 3) || '8' || substr(md5(number::text), 4, 15))::uuid AS id,
            CASE WHEN number = 0 OR number % 20 = 1 THEN 'failed' ELSE 'completed' END AS state FROM generate_series(0, {jobs - 1}) AS number;
        CREATE TEMP TABLE pattern AS SELECT kind, to_jsonb(task) AS body FROM task WHERE job = (SELECT id FROM job WHERE 'job_' || id = '{template}');
        INSERT INTO job SELECT made.* FROM job, copy, LATERAL jsonb_populate_record(NULL::job, to_jsonb(job) || jsonb_build_object('id', copy.id,
            'idempotency_key', 'copy ' || number, 'title', CASE number WHEN 0 THEN 'one of many segments.json' ELSE 'reel ' || number || '.json' END,
            'state', copy.state, 'failure', CASE copy.state WHEN 'failed' THEN jsonb_build_object('code', 'asset_truncated', 'message',
            'Asset “a”: the file ends early; copy it again.', 'isPermanent', true) END, 'created_ms', created_ms - number * 1000, 'finished_ms',
            created_ms - number * 1000 + 41000, 'artifact', CASE copy.state WHEN 'completed' THEN 'sha256:' || repeat('0', 64) END,
            'frame_count', CASE number WHEN 0 THEN {segments} * 50 ELSE frame_count END)) AS made WHERE 'job_' || job.id = '{template}';
        INSERT INTO job_document SELECT copy.id, composition, plan FROM job_document, copy WHERE 'job_' || job = '{template}';
        INSERT INTO task SELECT made.* FROM pattern, copy, LATERAL jsonb_populate_record(NULL::task, body || jsonb_build_object('id', gen_random_uuid(), 'job',
            copy.id, 'state', copy.state, 'is_open', false, 'key', NULL, 'artifact', CASE copy.state WHEN 'completed' THEN 'sha256:' || repeat('0', 64)
            END)) AS made WHERE number > 0;
        INSERT INTO task SELECT made.* FROM (SELECT * FROM pattern WHERE kind = 'picture' LIMIT 1) AS pattern, copy, generate_series(0, {segments - 1})
            AS place, LATERAL jsonb_populate_record(NULL::task, body || jsonb_build_object('id', gen_random_uuid(), 'job', copy.id, 'position', place, 'frame_start',
            place * 50, 'frame_count', 50, 'is_open', false, 'key', NULL, 'state', CASE WHEN place % 500 = 7 THEN 'failed'
            WHEN place < {segments} * 2 / 3 THEN 'completed' ELSE 'cancelled' END, 'artifact', CASE WHEN place % 500 <> 7 AND place < {segments} * 2 / 3
            THEN 'sha256:' || repeat('0', 64) END)) AS made WHERE number = 0;
        INSERT INTO attempt (id, task, job, worker, worker_name, poll, state, started_ms, deadline_ms, ended_ms) SELECT gen_random_uuid(), task.id,
            task.job, '{worker}', 'bench', gen_random_uuid(), task.state, start, start + 6000, start + 1700 FROM task JOIN copy ON copy.id = task.job
            CROSS JOIN LATERAL (SELECT (SELECT created_ms FROM job WHERE id = task.job) + task.position * 900 AS start) AS time;
        UPDATE worker SET completed_attempts = count.completed, failed_attempts = count.failed
            FROM (SELECT count(*) FILTER (WHERE state = 'completed') AS completed, count(*) FILTER (WHERE state = 'failed') AS failed FROM attempt
            WHERE worker = '{worker}') AS count WHERE id = '{worker}';
        VACUUM (ANALYZE);""")


class Report:
    def line(self, what, measured, unit, goal, is_least=False):
        """Prints a number, the most that it may be, or the least, and whether it is."""
        digits = 0 if unit == "ms" or measured >= 100 else 2
        verdict = "reached" if (measured >= goal if is_least else measured <= goal) else "NOT REACHED"
        print(f"  {what:58}{measured:10.{digits}f} {unit:5}goal {goal:g} {unit:5} {verdict}", flush=True)


def sign_in(browser, address):
    browser.open(address)
    browser.wait("document.querySelector('#sign-in')?.hidden === false", "the form")
    browser.value("document.querySelector('#token').focus()")
    browser.type(TOKEN)
    browser.press("#sign-in-form button[type=submit]")
    browser.wait("document.querySelector('#list-canvas .row')", "the jobs")


def views(browser, farm, report):
    """The first view, scrolling, and whether anything is wider than the window."""
    long_job = farm.json("/v1/jobs?search=one%20of%20many&limit=1")[0]["id"]
    sign_in(browser, farm.address)
    browser.ask("Page.addScriptToEvaluateOnNewDocument", source=WATCH)
    for name, path in (("10,000 jobs", "/"), ("the job of 5,000 segments", f"/#{long_job}")):
        times = []
        for _ in range(3):
            browser.open("about:blank")
            browser.open(farm.address + path)
            browser.wait("window.shown?.rows && shown.segments", "rows and segments")
            times.append(browser.value("Math.max(shown.rows, shown.segments)") / 1000)
        report.line(f"first view, {name}", statistics.median(times), "s", 1)
    browser.listen(2)
    for pane, selector in (("the list", "#list"), ("the long job", "#detail-pane")):
        browser.value("long.length = 0")
        browser.value(f"""new Promise((done) => {{ const pane = document.querySelector("{selector}"); const end = pane.scrollHeight - pane.clientHeight;
            let at = 0; const step = Math.max(40, end / 600); const move = () => {{ at += step; pane.scrollTop = at; at < end ? requestAnimationFrame(move) : done(); }}; move(); }})""")
        browser.listen(0.5)
        report.line(f"longest script task above 50 ms, scrolling {pane}", max(browser.value("long"), default=0), "ms", 50)
    for width in WIDTHS:
        browser.size(width, 900)
        browser.listen(0.3)
        wide = browser.value("Math.max(...[document.documentElement, ...document.querySelectorAll('main, #detail-pane, #jobs-pane')]"
                             ".filter((node) => node.checkVisibility()).map((node) => node.scrollWidth - node.clientWidth))")
        report.line(f"wider than a window of {width} px", wide, "px", 0)
    browser.size(1440, 900)


def cost(browser, farm, seconds, report):
    """The coordinator's share of a core, and the bytes, for one open page, while a job renders."""
    def share(act):
        before, began = farm.processor_seconds, time.monotonic()
        act()
        return 100 * (farm.processor_seconds - before) / (time.monotonic() - began)

    # Pages and pauses take turns, so that a farm that gets busier is no page's fault.
    without, with_page, received = [], [], 0
    for _ in range(3):
        browser.open("about:blank")
        browser.listen(1)
        without.append(share(lambda: time.sleep(seconds / 3)))
        browser.open(farm.address)
        browser.wait("document.querySelector('#segments .block')", "the job")
        browser.listen(2)
        browser.received = 0
        with_page.append(share(lambda: browser.listen(seconds / 3)))
        received += browser.received
    report.line("an open page: of a core of the coordinator", max(0, statistics.median(with_page) - statistics.median(without)), "%", 1)
    report.line("an open page: received a second", received / seconds / 1000, "KB", 20)


def crowd(farm, count, seconds, report):
    """Streams of events, as many as pages are open: all of them hear what happens, and the coordinator still answers."""
    host, heard, lags, ready, stop = farm.address.removeprefix("http://"), [0] * count, [], threading.Semaphore(0), threading.Event()

    def listen(number):
        connection = http.client.HTTPConnection(host, timeout=30)
        connection.request("GET", "/v1/events", headers={"Authorization": f"Bearer {TOKEN}", "Accept": "text/event-stream"})
        answer = connection.getresponse()
        ready.release()
        with contextlib.suppress(OSError):
            while not stop.is_set() and (line := answer.readline()):
                if line.startswith(b"data:"):
                    at = datetime.fromisoformat(json.loads(line[5:])["at"].replace("Z", "+00:00"))
                    lags.append((datetime.now(timezone.utc) - at).total_seconds())
                    heard[number] += 1

    threads = [threading.Thread(target=listen, args=(number,), daemon=True) for number in range(count)]
    for thread in threads:
        thread.start()
    for _ in threads:
        ready.acquire()
    answers, end = [], time.monotonic() + seconds
    while time.monotonic() < end:
        began = time.monotonic()
        farm.ask("/v1/jobs?limit=100")
        answers.append(time.monotonic() - began)
        time.sleep(0.2)
    # The streams that were sent the last event have it within a moment.
    time.sleep(1)
    stop.set()
    print(f"  {count} open pages heard {min(heard)} to {max(heard)} events each while a job rendered")
    report.line("event streams that missed events of others", sum(1 for number in heard if number < max(heard)), "of", 0)
    report.line("delay of an event, 99 of 100", sorted(lags)[int(0.99 * (len(lags) - 1))] if lags else float("inf"), "s", 1)
    report.line("GET /v1/jobs meanwhile, the slowest", max(answers), "s", 1)


def first_pictures(farm, edit, report):
    """From the first lease to the first still, and from the end of the opening part to its fragment."""
    job = farm.submit(edit)

    def until(question):
        while True:
            with contextlib.suppress(urllib.error.HTTPError):
                if value := question():
                    return value
            time.sleep(0.02)

    with farm.worker():
        until(lambda: farm.ask(f"/v1/jobs/{job}/frame?width=640"))
        still = datetime.now(timezone.utc)
        opening = until(lambda: next((part for part in farm.json(f"/v1/jobs/{job}/preview")["parts"]
                                      if part["kind"] == "picture" and part["start"] == 0 and part["isThere"]), None))
        until(lambda: farm.ask(f"/v1/jobs/{job}/preview/picture/init") and farm.ask(f"/v1/jobs/{job}/preview/picture/{opening['position']}"))
        playable = datetime.now(timezone.utc)
    attempts = [(task, attempt) for task in farm.json(f"/v1/jobs/{job}/tasks") for attempt in task["attempts"]]
    moment = lambda text: datetime.fromisoformat(text.replace("Z", "+00:00"))
    lease = min(moment(attempt["started"]) for _, attempt in attempts)
    ended = next(moment(attempt["ended"]) for task, attempt in attempts if task["position"] == opening["position"] and attempt["state"] == "completed")
    report.line("first still after the first lease", (still - lease).total_seconds(), "s", 3)
    report.line("playable after the opening part", (playable - ended).total_seconds(), "s", 2)
    farm.ask(f"/v1/jobs/{job}/cancel", "POST")


def write_edits(folder):
    """One of five tasks, one of six cuts, and one that renders for minutes; of 1280 × 720, with an effect on every frame."""
    subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=1280x720:r=25:d=60", "-f", "lavfi", "-i",
                    "sine=440:r=48000:d=60", "-c:v", "libx264", "-preset", "veryfast", "-g", "50", "-pix_fmt", "yuv420p", "-c:a", "aac",
                    folder / "a.mp4"], check=True)
    clip = lambda start, seconds: {"asset": "a", "in": f"{start}s", "duration": f"{seconds}s", "effects": [{"effect": "exposure", "stops": 0.2}]}
    for name, clips in (("template", [clip(0, 5), clip(10, 5), clip(20, 5)]), ("short", [clip(8 * number, 3) for number in range(6)]),
                        ("long", [clip(0, 50)] * 12)):
        edit = {"schema": "edit/1", "assets": {"a": "a.mp4"}, "tracks": [{"kind": "video", "segments": clips}], "outputs": [{"preset": "h264"}]}
        (folder / f"{name}.json").write_text(json.dumps(edit))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=10_000)
    parser.add_argument("--segments", type=int, default=5_000)
    parser.add_argument("--pages", type=int, default=200)
    parser.add_argument("--seconds", type=int, default=60)
    # Benchmarks/run gives all its benchmarks the same options.
    options, _ = parser.parse_known_args()
    if chromium() is None:
        print("\nthe dashboard: not measured, because Chromium is missing: scripts/install-dependencies test")
        return
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        write_edits(folder)
        farm, report = Farm(options.build.resolve(), folder), Report()
        try:
            print(f"\nthe dashboard: {options.jobs:,} jobs of five tasks, and one of {options.segments:,} segments")
            template = farm.submit(folder / "template.json")
            fill(farm, template, options.jobs, options.segments)
            farm.ask(f"/v1/jobs/{template}/cancel", "POST")
            with Counting(folder / "profile") as browser:
                views(browser, farm, report)
                first_pictures(farm, folder / "short.json", report)
                job = farm.submit(folder / "long.json")
                with farm.worker():
                    cost(browser, farm, options.seconds, report)
                    browser.open("about:blank")
                    crowd(farm, options.pages, options.seconds / 2, report)
                    farm.ask(f"/v1/jobs/{job}/cancel", "POST")
        finally:
            farm.stop()


if __name__ == "__main__":
    main()
