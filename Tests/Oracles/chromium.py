"""Headless Chromium, spoken to over the DevTools protocol: what a person does with a page, and what the page answers."""
import base64
import itertools
import json
import os
import select
import shutil
import subprocess
import sys
import time


def program():
    """The path of Chromium; None where it is not installed."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


class Browser:
    """One page of a Chromium that is spoken to over a pair of pipes: descriptors 3 and 4, messages ended by a zero byte."""

    def __init__(self, profile, size=(1440, 900), options=()):
        path = program()
        if path is None:
            sys.exit("Chromium is not installed; on Debian: apt-get install chromium")
        commands, self.commands = os.pipe()
        self.answers, answers = os.pipe()
        arguments = [path, "--headless=new", "--remote-debugging-pipe", f"--user-data-dir={profile}", "--disable-gpu",
                     "--no-first-run", "--disable-extensions", "--disable-sync", "--hide-scrollbars",
                     "--disable-background-networking", "--disable-dev-shm-usage", f"--window-size={size[0]},{size[1]}",
                     "--autoplay-policy=no-user-gesture-required", *options]
        if os.geteuid() == 0:
            arguments.append("--no-sandbox")  # Chromium's sandbox refuses to start as root.
        quoted = f'exec "$@" 3<&{commands} 4>&{answers}'
        self.process = subprocess.Popen(["bash", "-c", quoted, "bash", *arguments, "about:blank"],
                                        pass_fds=(commands, answers), stderr=subprocess.DEVNULL)
        os.close(commands)
        os.close(answers)
        self.buffer, self.numbers, self.session, self.complaints = b"", itertools.count(1), None, []
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(f"{domain}.enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.session = None
            self.ask("Browser.close")
        finally:
            self.process.wait()

    def ask(self, method, **parameters):
        message = {"id": next(self.numbers), "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == message["id"]:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.note(answer)

    def receive(self):
        while b"\0" not in self.buffer:
            piece = os.read(self.answers, 1 << 20)
            if not piece:
                sys.exit("Chromium ended unexpectedly")
            self.buffer += piece
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def note(self, event):
        """Keeps what the page complains about: exceptions, and errors and warnings in its console."""
        parameters = event.get("params", {})
        if event.get("method") == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.complaints.append(str(details.get("exception", {}).get("description", details.get("text"))))
        if event.get("method") == "Runtime.consoleAPICalled":
            words = [str(argument.get("value", argument.get("description"))) for argument in parameters["args"]]
            self.complaints.append(f"console.{parameters['type']}: {' '.join(words)}")
        entry = parameters.get("entry", {})
        if entry.get("level") in ("error", "warning"):
            self.complaints.append(f"{entry['text']} {entry.get('url', '')}".strip())

    def listen(self, seconds):
        """Takes what comes for some time."""
        end = time.monotonic() + seconds
        while (rest := end - time.monotonic()) > 0:
            if b"\0" in self.buffer or select.select([self.answers], [], [], rest)[0]:
                self.note(self.receive())

    def open(self, address):
        self.ask("Page.navigate", url=address)

    def value(self, expression):
        """The value of an expression, awaited if it is a promise."""
        answer = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {answer['exceptionDetails'].get('exception', {}).get('description')}")
        return answer["result"].get("value")

    def wait(self, expression, what):
        """Waits until an expression is true, whatever it takes; `what` says in words what is waited for."""
        while not self.value(f"Boolean({expression})"):
            self.listen(0.1)

    def press(self, selector):
        """A press of the mouse in the middle of an element."""
        place = self.value(f"""(() => {{ const e = document.querySelector({json.dumps(selector)});
            if (!e || e.hidden) return null; e.scrollIntoView({{ block: "nearest" }});
            const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }})()""")
        if place is None:
            raise RuntimeError(f"{selector} is not there to be pressed")
        for kind in ("mousePressed", "mouseReleased"):
            self.ask("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], button="left", clickCount=1)

    def type(self, text):
        self.ask("Input.insertText", text=text)

    def key(self, name):
        """A key: a letter, or a name such as ArrowRight, Enter or Escape."""
        codes = {"Enter": 13, "Escape": 27, "Tab": 9, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Home": 36, "End": 35}
        shown = {"key": name, "windowsVirtualKeyCode": codes.get(name, ord(name[0].upper())), "code": name if name in codes else f"Key{name.upper()}"}
        written = {"text": "\r" if name == "Enter" else name} if len(name) == 1 or name == "Enter" else {}
        self.ask("Input.dispatchKeyEvent", type="keyDown", **shown, **written)
        self.ask("Input.dispatchKeyEvent", type="keyUp", **shown)

    def size(self, width, height, scale=1):
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=width < 600)

    def scheme(self, name):
        """`light` or `dark`."""
        self.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    def picture(self, path):
        path.write_bytes(base64.b64decode(self.ask("Page.captureScreenshot", format="png")["data"]))
