"""Headless Firefox, spoken to over its Marionette protocol: the same words as for Chromium (chromium.py)."""
import itertools
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import time

# The key of an element's reference (WebDriver, section 12.1).
REFERENCE = "element-6066-11e4-a52e-4f735466cecf"


def program():
    """The path of Firefox; None where it is not installed."""
    return next(filter(None, map(shutil.which, ("firefox-esr", "firefox"))), None)


class Browser:
    """One page of a Firefox of its own. Messages are arrays in JSON, each behind its length and a colon."""

    def __init__(self, profile, size=(1440, 900)):
        path = program()
        if path is None:
            sys.exit("Firefox is not installed; on Debian: apt-get install firefox-esr")
        home = pathlib.Path(profile)
        settings = {"datareporting.policy.dataSubmissionEnabled": False, "browser.shell.checkDefaultBrowser": False, "app.update.enabled": False,
                    "media.autoplay.default": 0, "browser.aboutwelcome.enabled": False, "marionette.port": 0}
        (home / "user.js").write_text("\n".join(f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in settings.items()))
        self.process = subprocess.Popen([path, "--headless", "--marionette", "--no-remote", "--profile", profile, f"--width={size[0]}", f"--height={size[1]}"],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True, env={**os.environ, "HOME": profile})
        try:
            self.greet(home / "MarionetteActivePort")
        except BaseException:
            self.kill()
            raise

    def greet(self, port):
        """Begins a session over the port whose number Firefox writes into a file."""
        while not (port.exists() and port.read_text().strip()):
            if self.process.poll() is not None:
                sys.exit("Firefox ended unexpectedly")
            time.sleep(0.1)
        self.connection = socket.create_connection(("127.0.0.1", int(port.read_text())))
        self.buffer, self.numbers = b"", itertools.count(1)
        self.receive()  # Who it is.
        self.ask("WebDriver:NewSession", capabilities={"alwaysMatch": {}})
        self.ask("WebDriver:SetTimeouts", script=2**31 - 1)  # Milliseconds; null would be none at all.

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.connection.close()
        self.kill()

    def kill(self):
        # Its own session, so that its helpers end with it.
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def receive(self):
        while b":" not in self.buffer or len(self.buffer) < self.buffer.index(b":") + 1 + int(self.buffer.split(b":", 1)[0]):
            piece = self.connection.recv(1 << 20)
            if not piece:
                sys.exit("Firefox ended unexpectedly")
            self.buffer += piece
        length, rest = self.buffer.split(b":", 1)
        message, self.buffer = rest[:int(length)], rest[int(length):]
        return json.loads(message)

    def ask(self, command, **parameters):
        message = json.dumps([0, next(self.numbers), command, parameters]).encode()
        self.connection.sendall(b"%d:%s" % (len(message), message))
        _, _, error, result = self.receive()
        if error:
            raise RuntimeError(f"{command}: {error['message']}")
        return result

    def open(self, address):
        self.ask("WebDriver:Navigate", url=address)

    def value(self, expression):
        """The value of an expression, awaited if it is a promise."""
        script = f"""const answer = arguments[arguments.length - 1], done = (value, error) => answer(JSON.stringify([value ?? null, error]));
            Promise.resolve().then(() => ({expression})).then((value) => done(value, null), (error) => done(null, String(error)));"""
        value, error = json.loads(self.ask("WebDriver:ExecuteAsyncScript", script=script, args=[], newSandbox=False)["value"])
        if error is not None:
            raise RuntimeError(f"{expression}: {error}")
        return value

    def wait(self, expression, what):
        """Waits until an expression is true, whatever it takes; `what` says in words what is waited for."""
        while not self.value(f"Boolean({expression})"):
            time.sleep(0.1)

    def press(self, selector):
        """A press of the mouse in the middle of an element."""
        found = self.ask("WebDriver:FindElement", using="css selector", value=selector)["value"]
        self.ask("WebDriver:ElementClick", id=found[REFERENCE])

    def perform(self, keys):
        steps = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self.ask("WebDriver:PerformActions", actions=[{"type": "key", "id": "keyboard", "actions": steps}])

    def type(self, text):
        self.perform(text)

    def key(self, name):
        """A key of one character."""
        self.perform([name])
