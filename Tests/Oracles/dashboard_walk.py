#!/usr/bin/env python3
"""Goes through the dashboard of a farm as a person does, in headless Chromium, and says what is wrong.

    dashboard_walk.py CONFIGURATION

CONFIGURATION is a file of JSON: `address` of a coordinator without jobs and without workers, `token` of an admin,
`workerToken`, `worker` and `submit` (commands as lists of words; `submit` submits the edit), `edit` and `media` (files),
`timecodes` (frame, rate and timecode).
A proxy of its own stands before the coordinator, which can cut connections and answer 503. Prints `done`, or exits with 1
and what went wrong. Nothing here waits for a time to pass to show that nothing happened, and nothing has a limit.
"""
import base64
import contextlib
import hashlib
import http.client
import http.server
import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from chromium import Browser
from dashboard_player import PlayerCheck, output

CHECKS = (pathlib.Path(__file__).parent / "page_checks.js").read_text()
WIDTHS = ((320, 640), (390, 844), (1440, 900), (2560, 1300))

# A name that the browser takes for this machine's address, and not for this machine: to such a page it lends less.
ELSEWHERE = "farm.test"


class Proxy(http.server.ThreadingHTTPServer):
    """Passes everything to the coordinator while `mode` is `open`; else cuts connections (`cut`) or answers 503 (`busy`)."""
    daemon_threads = True

    def __init__(self, upstream):
        super().__init__(("127.0.0.1", 0), Handler)
        self.upstream, self.mode, self.streams = upstream, "open", set()
        threading.Thread(target=self.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self.server_address[1]}"

    def set(self, mode):
        self.mode = mode
        for connection in list(self.streams):
            with contextlib.suppress(OSError):
                connection.shutdown(2)

    def handle_error(self, *_):
        """A browser that ends breaks its connections."""


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def pass_on(self):
        if self.server.mode == "cut":
            self.close_connection = True
            return
        if self.server.mode == "busy":
            body = b"<html><body>503 Service Unavailable</body></html>"
            self.send_response(503)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
            return
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length) if length else None
        headers = {name: value for name, value in self.headers.items() if name.lower() not in ("connection", "host")}
        headers["Host"] = self.headers["Host"]
        # The coordinator answers to its own name.
        for name in ("Host", "Origin"):
            if name in headers:
                headers[name] = headers[name].replace(ELSEWHERE, "127.0.0.1")
        upstream = http.client.HTTPConnection(self.server.upstream)
        upstream.request(self.command, self.path, body, headers)
        answer = upstream.getresponse()
        self.send_response_only(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in ("connection", "transfer-encoding"):
                self.send_header(name, value)
        if answer.getheader("Content-Length") is None and answer.status != 204:
            self.send_header("Connection", "close")
            self.close_connection = True
        self.end_headers()
        self.server.streams.add(self.connection)
        try:
            while data := answer.read1(1 << 16):
                self.wfile.write(data)
                self.wfile.flush()
        except OSError:
            self.close_connection = True
        finally:
            self.server.streams.discard(self.connection)
            upstream.close()

    do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = pass_on


class Walk:
    def __init__(self, configuration, browser, proxy):
        self.configuration, self.browser, self.proxy, self.faults = configuration, browser, proxy, []

    def api(self, method, path, value=None, token=None):
        request = urllib.request.Request(self.configuration["address"] + path, method=method,
                                         data=None if value is None else json.dumps(value).encode())
        request.add_header("Authorization", "Bearer " + (token or self.configuration["token"]))
        request.add_header("Content-Type", "application/json")
        with urllib.request.urlopen(request) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    def expect(self, condition, what):
        if not condition:
            self.faults.append(what)

    def look(self, view):
        """Computes contrast and overflow of what is shown, light and dark, at each width."""
        for scheme in ("light", "dark"):
            self.browser.scheme(scheme)
            for width, height in WIDTHS:
                self.browser.size(width, height)
                self.settle()
                found = self.browser.value(CHECKS)
                self.expect(found["count"] > 5, f"{view}: there is no text to look at")
                for fault in found["poor"] + found["wide"]:
                    self.faults.append(f"{view}, {scheme}, {width} px: {fault}")
        self.browser.scheme("light")
        self.browser.size(1440, 900)
        self.settle()
        self.axe(view)

    def settle(self):
        """Waits until the page is drawn and no colour is on its way to another."""
        self.browser.value("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        self.browser.value("Promise.all(document.getAnimations().map((one) => one.finished.catch(() => {})))")

    def axe(self, view):
        """Runs axe-core, where `axe` of the configuration names its script."""
        script = self.configuration.get("axe")
        if not script:
            return
        self.browser.value(pathlib.Path(script).read_text() + "; true")
        found = self.browser.value("axe.run().then((result) => result.violations.filter((one) => ['serious', 'critical']"
                                   ".includes(one.impact)).map((one) => `${one.id}: ${one.nodes[0].html.slice(0, 160)} ${one.nodes[0].failureSummary}`))")
        for fault in found:
            self.faults.append(f"{view}, axe: {fault}")

    def text(self, selector):
        return self.browser.value(f"document.querySelector({json.dumps(selector)})?.textContent ?? null")

    def wait_text(self, selector, words):
        self.browser.wait(f"document.querySelector({json.dumps(selector)})?.textContent.includes({json.dumps(words)})",
                          f"“{words}” in {selector}")

    # The steps, in order

    def sign_in(self):
        browser = self.browser
        browser.size(1440, 900)
        browser.open(self.proxy.address + "/")
        browser.wait("document.querySelector('#sign-in')?.hidden === false", "the form")
        self.look("sign in")
        for token, until in (("no-token-of-this-farm", "document.querySelector('#sign-in-error').textContent !== ''"),
                             (self.configuration["workerToken"], "document.querySelector('#sign-in-error').textContent.includes('worker')"),
                             (self.configuration["token"], "!document.querySelector('#farm').hidden")):
            browser.value("document.querySelector('#token').focus()")
            browser.type(token)
            browser.press("#sign-in-form button[type=submit]")
            browser.wait(until, "an answer")
        browser.wait("!document.querySelector('#list-empty').hidden", "the three steps")
        self.expect(len(self.browser.value("[...document.querySelectorAll('#list-empty code')].map((c) => c.textContent)")) == 3,
                    "the empty list has three steps")
        self.expect(browser.value("!document.querySelector('#nothing-drop').hidden"), "the empty page says that an edit can be dropped")
        self.look("empty list")

    def notices(self):
        """The browser is asked about notifications when the button is pressed, and not before."""
        browser = self.browser
        permit = lambda setting: browser.ask("Browser.setPermission", permission={"name": "notifications"}, setting=setting)
        browser.value("""(() => { window.told = []; window.asked = 0;
            window.Notification = new Proxy(Notification, {
                construct(kind, given) { const notice = new kind(...given); told.push({ title: given[0], body: given[1].body, notice }); return notice; },
                get(kind, name) { if (name === "requestPermission") asked += 1; return Reflect.get(kind, name); } }); })()""")
        permit("prompt")
        browser.press("#notify")
        browser.wait("document.querySelector('#notify-dialog').open && !document.querySelector('#notify-ask').hidden", "the button that asks")
        self.look("notifications")
        self.expect(browser.value("asked") == 0, "the browser is not asked by itself")
        permit("granted")
        browser.press("#notify-ask")
        browser.wait("document.querySelector('#notify').classList.contains('on')", "notifications")
        self.expect(browser.value("asked") == 1, "the browser is asked once")
        browser.press("#notify-completed")
        browser.key("Escape")

    def told(self, words):
        """Waits for a notification, and presses it."""
        self.browser.wait(f"told.some((one) => one.title.startsWith({json.dumps(words)}))", f"a notification “{words}”")
        return self.browser.value(f"""(() => {{ const one = told.find((one) => one.title.startsWith({json.dumps(words)}));
            told.length = 0; one.notice.onclick(); return one.title + ": " + one.body; }})()""")

    def drop(self):
        """The edit and its media are dropped on the page."""
        browser = self.browser
        files = [{"name": pathlib.Path(path).name, "text": base64.b64encode(pathlib.Path(path).read_bytes()).decode()}
                 for path in [self.configuration["edit"], *self.configuration["media"]]]
        drop = """(names) => { const data = new DataTransfer();
            for (const file of %s) if (names.includes(file.name)) data.items.add(new File([Uint8Array.from(atob(file.text), (c) => c.charCodeAt(0))], file.name));
            document.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true })); }""" % json.dumps(files)
        # Two files of one name: which is which is asked, and nothing is sent.
        two = {"schema": "edit/1", "assets": {"red": "a/clip.mp4", "blue": "b/clip.mp4"}, "outputs": [{"preset": "h264"}],
               "tracks": [{"kind": "video", "segments": [{"asset": "red", "duration": "1s"}, {"asset": "blue", "duration": "1s"}]}]}
        files += [{"name": "two.json", "text": base64.b64encode(json.dumps(two).encode()).decode()}, {"name": "clip.mp4", "text": files[1]["text"]}]
        drop = drop.replace(json.dumps(files[:-2]), json.dumps(files))
        browser.value(f"({drop})(['two.json', 'clip.mp4'])")
        self.wait_text("#drop-body", "several files have this name")
        self.expect(self.text("#drop-body").count("several files") == 2 and "(b/clip.mp4)" in self.text("#drop-body"), "both are told apart by their folders")
        self.expect(browser.value("document.querySelector('#drop-submit').disabled"), "nothing can be submitted")
        browser.value("document.querySelector('#drop-dialog').close()")
        # One edit is dropped at a time.
        browser.value(f"({drop})({json.dumps([files[0]['name'], 'two.json'])})")
        self.wait_text("#alerts", "one edit at a time")
        self.expect(not browser.value("document.querySelector('#drop-dialog').open"), "of two edits none is taken")
        files = files[:-2]
        self.dropping, self.names = drop, [file["name"] for file in files]
        browser.value(f"({drop})({json.dumps([files[0]['name']])})")
        browser.wait("document.querySelector('#drop-dialog').open && document.querySelector('.media-list li')", "the media")
        self.wait_text("#drop-body", "missing")
        self.look("dropped edit")
        browser.value(f"({drop})({json.dumps([file['name'] for file in files[1:]])})")
        browser.wait("!document.querySelector('#drop-submit').disabled", "the plan")
        self.expect("segment" in (self.text("#drop-body") or ""), "the plan is shown")
        browser.press("#drop-submit")
        browser.wait("!document.querySelector('#job').hidden && document.querySelectorAll('#segments .block').length > 1", "the job")
        self.job = browser.value("location.hash.slice(1).split('/')[0]")
        self.wait_text("#job-now", "No worker connected")
        self.wait_text("#list-canvas .row .what", "No worker connected")
        self.look("waiting job")
        browser.value("window.firstRow = document.querySelector('#list-canvas .row-link'); firstRow.focus()")

    def follow(self):
        """A worker that this script plays takes a segment, goes on with it, and fails."""
        words = next(worker["versions"] for worker in self.api("GET", "/v1/workers")).split(", ")
        versions = dict(word.rsplit(" ", 1) if word.startswith("renderer") else word.split(" ", 1) for word in words)
        renderer = int(versions.pop("renderer"))
        token = self.configuration["workerToken"]
        worker = self.api("POST", "/v1/workers", {"name": "player", "kinds": ["picture"], "slots": 1, "rendererVersion": renderer, "libraries": versions}, token)["worker"]
        poll = {"worker": worker, "poll": "poll_01a21525-75bc-7f37-8adb-341fb64e900e", "kinds": ["picture"], "capacity": 1, "waitMilliseconds": 30000}
        grant = self.api("POST", "/v1/leases:poll", poll, token)["grants"][0]
        stop = threading.Event()

        def beat():
            while not stop.wait(1):
                self.api("POST", f"/v1/workers/{worker}/heartbeat", {"attempts": [{"attempt": grant["attempt"], "permille": 430}]}, token)

        beating = threading.Thread(target=beat, daemon=True)
        beating.start()
        self.browser.wait("document.querySelector('#segments .block.leased')", "a segment that renders")
        self.browser.wait("[...document.querySelectorAll('#segments .block.leased')].some((block) => block.getAttribute('aria-label').includes('43 %'))", "its progress")
        self.wait_text("#list-canvas .list-head", "Rendering")
        self.expect(self.browser.value("firstRow === document.activeElement && firstRow.isConnected"), "the focus stays on the row through updates")
        self.look("rendering job")
        stop.set()
        beating.join()
        self.browser.value("document.querySelector('#segments').focus()")
        failure = {"code": "asset_truncated", "message": "Asset “a”: the file ends early; copy it again.", "isPermanent": True}
        self.api("POST", f"/v1/attempts/{grant['attempt']}/fail", {"worker": worker, "failure": failure}, token)
        self.wait_text("#job-now", "the file ends early")
        self.wait_text("#list-canvas .list-head", "Failed")
        self.expect(self.browser.value("document.activeElement.id") == "segments", "the focus stays on the timeline")
        self.expect("the file ends early" in self.told("Failed: walk"), "the notification says why")
        self.browser.wait("location.hash.startsWith('#job_')", "the job that it names")
        self.browser.value("document.querySelector('#segments').focus()")
        self.api("POST", f"/v1/workers/{worker}/release", {"attempts": [], "leaving": True}, token)

    def inspect(self):
        browser = self.browser
        # The page names frames as the command line does.
        for frame, rate, code in self.configuration["timecodes"]:
            top, bottom = map(int, rate.split("/"))
            shown = browser.value(f"import('/dashboard/words.js').then((words) => words.timecode({frame}, {top} / {bottom}))")
            self.expect(shown == code, f"frame {frame} at {rate} is {code}, not {shown}")
            first = browser.value(f"import('/dashboard/words.js').then((words) => words.frameAt(Math.floor({frame} * {bottom} / {top} / 60) * 60, {top} / {bottom}))")
            code = browser.value(f"import('/dashboard/words.js').then((words) => words.timecode({first}, {top} / {bottom}))")
            self.expect(code[6:] in ("00:00", "00;00", "00;02", "00;04"), f"a mark of the ruler at {rate} stands at {code}")
        browser.key("Home")
        self.wait_text("#inspector-title", "Segment 1")
        browser.key("ArrowRight")
        self.wait_text("#inspector-title", "Segment 2")
        browser.key("f")
        self.wait_text("#inspector-title", "failed")
        self.wait_text("#inspector-body", "the file ends early")
        for words in ("Timecode", "Begins at", "Sources", "Attempt 1"):
            self.expect(words in self.text("#inspector-body"), f"the inspector tells “{words}”")
        self.expect("#job_" in browser.value("location.hash") and "/" in browser.value("location.hash"), "the segment stands in the address")
        self.look("failed job")

    def retry(self):
        self.browser.press("#retry")
        self.browser.wait("document.querySelector('#retry').hidden", "the retry")
        with self.worker():
            self.wait_text("#job-state", "Done")
            self.told("Done: walk")
            self.browser.wait("document.querySelectorAll('#segments .block.completed').length > 1", "finished segments")
            self.expect(not self.browser.value("document.querySelector('#output').hidden"), "the movie can be fetched")
            self.browser.wait("document.querySelector('#plot svg')", "the plot")
            self.play()
            self.look("finished job")
            self.workers()
            self.again()

    def again(self):
        """The same edit once more, by the page, which sends no media again, and by the command line: the same bytes."""
        browser = self.browser
        browser.value("window.sent = 0; XMLHttpRequest.prototype.send = function () { sent += 1; this.abort(); }")
        browser.value(f"({self.dropping})({json.dumps(self.names)})")
        self.wait_text("#drop-body", "already on the farm")
        browser.wait("!document.querySelector('#drop-submit').disabled", "the plan")
        self.look("edit whose media are on the farm")
        browser.press("#drop-submit")
        browser.wait(f"!document.querySelector('#drop-dialog').open && !location.hash.includes({json.dumps(self.job)})", "the job")
        self.expect(browser.value("sent") == 0, "media that the farm has are not sent again")
        subprocess.run(self.configuration["submit"], check=True, stdout=subprocess.DEVNULL)
        jobs = self.api("GET", "/v1/jobs")
        while any(job["state"] != "completed" for job in jobs):
            browser.listen(0.2)
            jobs = self.api("GET", "/v1/jobs")
        digests = {hashlib.sha256(self.output(job["id"])).hexdigest() for job in jobs}
        self.expect(len(jobs) == 3 and len(digests) == 1, f"{len(jobs)} jobs of one edit have {len(digests)} outputs")
        browser.value(f"location.hash = '#{jobs[0]['id']}'")
        self.wait_text("#job-id", jobs[0]["id"])
        # The page hears of the last one's end a moment after it is asked for.
        browser.wait("document.querySelectorAll('#list-canvas .row.completed').length === 3", "three finished jobs")

    def output(self, job):
        return output(self.configuration["address"], self.configuration["token"], job)

    def play(self):
        PlayerCheck(self.browser, self.expect, self.output(self.job)).run()

    @contextlib.contextmanager
    def worker(self):
        process = subprocess.Popen(self.configuration["worker"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            yield
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait()

    def workers(self):
        self.browser.value("location.hash = '#workers'")
        self.wait_text("#workers", "walker")
        self.look("workers")
        self.browser.press("#view-jobs")
        self.browser.wait("document.querySelector('#workers-pane').hidden", "the jobs")

    def cancel(self):
        browser = self.browser
        subprocess.run(self.configuration["submit"], check=True, stdout=subprocess.DEVNULL)
        browser.wait("document.querySelectorAll('#list-canvas .row').length === 4", "the fourth job")
        browser.value("document.activeElement.blur()")
        browser.key("k")
        self.wait_text("#job-state", "Queued")
        browser.key("c")
        browser.wait("document.querySelector('#confirm-dialog').open", "the question")
        self.look("question")
        browser.key("Escape")
        browser.wait("!document.querySelector('#confirm-dialog').open", "no question")
        self.expect(self.text("#job-state") == "Queued", "no answer cancels nothing")
        browser.press("#pause")
        self.wait_text("#job-state", "Paused")
        browser.press("#resume")
        self.wait_text("#job-state", "Queued")
        browser.press("#priority [data-step='1']")
        self.wait_text("#priority .value", "+1")
        # All jobs of a state at once.
        for state, words, after in (("queued", "Pause all", "Paused"), ("paused", "Resume all", "Queued")):
            browser.press(f"#chips [data-state={state}]")
            self.wait_text("#batch [data-place='0']", words)
            self.look(f"all {state} jobs")
            browser.press("#batch [data-place='0']")
            browser.wait("document.querySelector('#confirm-dialog').open", "the question")
            self.wait_text("#confirm-title", "1 job?")
            browser.press("#confirm-do")
            self.wait_text("#job-state", after)
            browser.wait("document.querySelector('#batch').hidden", "nothing is left to do")
        browser.press("#chips [data-state='']")
        browser.wait("document.querySelectorAll('#list-canvas .row').length === 4", "all jobs")
        browser.value("document.activeElement.blur()")
        browser.key("c")
        browser.wait("document.querySelector('#confirm-dialog').open", "the question")
        browser.press("#confirm-do")
        self.wait_text("#job-state", "Cancelled")

    def filter(self):
        browser = self.browser
        browser.press("#chips [data-state=completed]")
        browser.wait("document.querySelectorAll('#list-canvas .row').length === 3", "the finished jobs")
        self.expect("state=completed" in browser.value("location.search"), "the filter stands in the address")
        browser.value("document.activeElement.blur()")
        browser.key("/")
        self.expect(browser.value("document.activeElement.id") == "search", "a slash goes to the search")
        browser.type("nothing has this title")
        browser.wait("!document.querySelector('#list-nothing').hidden", "no match")
        self.look("no match")
        browser.key("Escape")
        browser.wait("document.querySelectorAll('#list-canvas .row').length === 3", "Escape ends the search")
        self.expect(browser.value("location.search") == "?state=completed", "the address has no search")
        self.expect(browser.value("document.activeElement.id") != "search", "Escape leaves the field")
        browser.press("#search")
        browser.type("nothing has this title")
        browser.wait("!document.querySelector('#list-nothing').hidden", "no match")
        browser.press("#clear-filters")
        browser.wait("document.querySelectorAll('#list-canvas .row').length === 4", "all jobs")
        self.expect(browser.value("location.search") == "", "the address has no filter")
        browser.key("Escape")
        browser.key("?")
        browser.wait("document.querySelector('#help-dialog').open", "the keys")
        self.look("keys")
        browser.key("Escape")

    def lose(self):
        """The connection is cut, and then a proxy answers 503; what happened meanwhile is shown afterwards."""
        browser = self.browser
        for mode, title in (("cut", 5), ("busy", 6)):
            self.proxy.set(mode)
            browser.wait("!document.querySelector('#lost').hidden && document.body.classList.contains('stale')", "the loss is told")
            self.look(f"connection lost ({mode})")
            subprocess.run(self.configuration["submit"], check=True, stdout=subprocess.DEVNULL)
            self.proxy.set("open")
            browser.wait("document.querySelector('#lost').hidden", "the page comes back")
            browser.wait(f"document.querySelectorAll('#list-canvas .row').length === {title}", "what was missed")
        # What the browser says of lost connections is no fault of the page.
        browser.complaints = [line for line in browser.complaints if not any(word in line for word in ("ERR_", "503"))]

    def leave(self):
        """A page that is left keeps no connection: a browser has six to a host, and the seventh visit would hang."""
        for _ in range(8):
            self.browser.open("about:blank")
            self.browser.open(self.proxy.address + "/#" + self.job)
            self.browser.wait("document.querySelector('#list-canvas .row') && document.querySelector('#segments .block')", "the list and the job")

    def sign_out(self):
        # The session ends elsewhere: the stream of events ends with it, and the page asks for a token.
        self.browser.value("""import("/dashboard/api.js").then(({ session }) => fetch("/v1/session", { method: "DELETE", headers: { "X-CSRF-Token": session.csrf } }))""")
        self.browser.wait("!document.querySelector('#sign-in').hidden", "the form, after the session ended elsewhere")
        self.browser.value("document.querySelector('#token').focus()")
        self.browser.type(self.configuration["token"])
        self.browser.press("#sign-in-form button[type=submit]")
        self.browser.wait("!document.querySelector('#farm').hidden && document.querySelectorAll('#list-canvas .row').length > 0", "the list again")
        self.browser.press("#sign-out")
        self.browser.wait("!document.querySelector('#sign-in').hidden", "the form")
        self.expect(self.browser.value("document.querySelectorAll('#list-canvas .row').length") == 0, "nothing stays in the page")
        self.expect(self.browser.value("fetch('/v1/jobs').then((answer) => answer.status)") == 401, "the session has ended")
        self.expect(self.browser.value("document.querySelectorAll('#owner-filter option').length") == 1, "no owner's name stays in the page")
        self.browser.open(self.proxy.address + "/signin/" + 64 * "0")
        self.browser.wait("document.querySelector('#sign-in')?.hidden === false && document.querySelector('#sign-in-error').textContent.includes('used before')", "why the link does nothing")
        self.expect(self.browser.value("location.hash") == "", "the address forgets the link")

    def plain_http(self):
        """Over plain HTTP, from elsewhere, the page says what browsers do not lend it."""
        browser = self.browser
        # Browsers of phones have no Media Source Extensions: stills are shown, and why.
        # And the clock of some is hours away from the farm's.
        browser.ask("Page.addScriptToEvaluateOnNewDocument",
                    source="delete window.MediaSource; const clock = Date.now; Date.now = () => clock() + 3 * 3600 * 1000;")
        browser.open(self.proxy.address.replace("127.0.0.1", ELSEWHERE) + "/#" + self.job)
        browser.wait("document.querySelector('#sign-in')?.hidden === false && !isSecureContext", "the form")
        self.expect(not browser.value("document.querySelector('#plain-http').hidden"), "the form says that the token is read by others")
        self.look("sign in over plain HTTP")
        browser.value("document.querySelector('#token').focus()")
        browser.type(self.configuration["token"])
        browser.press("#sign-in-form button[type=submit]")
        browser.wait("!document.querySelector('#job').hidden && !document.querySelector('#still').hidden", "the job with a still")
        self.wait_text("#preview-why", "Media Source Extensions")
        self.expect(" h ago" not in self.text("#job-sub"), f"times are told by the farm's clock: {self.text('#job-sub')}")
        self.expect(browser.value("document.querySelector('#play').hidden"), "what cannot be played has no button to play it")
        self.look("job without a player")
        browser.press("#notify")
        self.wait_text("#notify-state", "only to pages over HTTPS")
        self.expect(browser.value("document.querySelector('#notify-ask').hidden && document.querySelector('#notify-failed').disabled"), "there is nothing to ask")
        self.look("notifications over plain HTTP")
        browser.key("Escape")
        browser.press("#copy-link")
        browser.wait("document.querySelector('#copy-dialog').open", "the link to copy by hand")
        self.expect("#job_" in browser.value("document.querySelector('#copy-text').value"), "it is the job's")
        self.look("link to copy by hand")
        browser.key("Escape")
        # Chromium says so of every page over plain HTTP.
        browser.complaints = [line for line in browser.complaints if "Cross-Origin-Opener-Policy" not in line]

    def run(self):
        for step in (self.sign_in, self.notices, self.drop, self.follow, self.inspect, self.retry, self.cancel, self.filter, self.lose, self.leave, self.sign_out, self.plain_http):
            print(step.__name__, file=sys.stderr, flush=True)
            step()
        # Two answers that the page counts on are logged by the browser: 401 without a session, 404 without a preview.
        expected = ("401", "/preview")
        self.faults += [line for line in self.browser.complaints if not any(word in line for word in expected)]
        return self.faults


def main():
    configuration = json.loads(pathlib.Path(sys.argv[1]).read_text())
    proxy = Proxy(configuration["address"].removeprefix("http://"))
    with tempfile.TemporaryDirectory(prefix="cutfarm-dashboard-", ignore_cleanup_errors=True) as profile, Browser(profile, options=[f"--host-resolver-rules=MAP {ELSEWHERE} 127.0.0.1"]) as browser:
        faults = Walk(configuration, browser, proxy).run()
    if faults:
        sys.exit("\n".join(dict.fromkeys(faults)))
    print("done")


if __name__ == "__main__":
    main()
