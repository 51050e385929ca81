#!/usr/bin/env python3
"""An owner who submits the worst it may, as fast as it may, from several threads; owners.py starts it.

    hostile.py PORT SECONDS REPORT [--acts NAMES] [--seed S] < ASSETS

Standard input is a JSON object of asset digests: `minute`, a minute of footage, and `short`. REPORT gets a JSON object
that counts the answers of each kind of request by status; `left` counts those that the client did not wait for.
"""
import argparse
import hashlib
import http.client
import json
import random
import socket
import sys
import threading
import time
import uuid

from farm import HOSTILE_TOKEN

MIB = 1 << 20
CLIPS, DEPTH, WRONG_SEGMENTS, PARAMETERS = 190_000, 1_000_000, 60_000, 100_000
IDLE_STREAMS, UPLOAD_BYTES = 40, 64 * MIB
# A job that was accepted is cancelled later, so that the quota never ends the attack.
KEPT_JOBS = 20
ACTS = ["loop", "loop", "clips", "clips", "depth", "errors", "parameters", "leaving", "uploads", "reading", "streams",
        "small", "names", "marks"]


def edit(segments, assets=("a",), **more):
    return json.dumps({"schema": "edit/1", "format": {"size": [320, 180], "frameRate": "25"},
                       "assets": {name: f"{name}.mp4" for name in assets},
                       "tracks": [{"kind": "video", "segments": segments}], "outputs": [{"preset": "h264"}], **more})


def submission(text, assets, title="hostile", **more):
    return json.dumps({"idempotencyKey": str(uuid.uuid4()), "editText": text, "title": title, "assets": assets,
                       "output": 0, "priority": 1000, **more}).encode()


class Attack:
    def __init__(self, port, until, assets, seed):
        self.port, self.until, self.assets, self.seed = port, until, assets, seed
        self.lock, self.counts, self.slowest, self.jobs = threading.Lock(), {}, {}, []

    def count(self, kind, status, seconds=0):
        with self.lock:
            self.counts.setdefault(kind, {}).setdefault(str(status), 0)
            self.counts[kind][str(status)] += 1
            self.slowest[kind] = max(self.slowest.get(kind, 0), round(seconds, 2))

    def request(self, kind, method, path, body=None, read=True):
        """Sends a request and counts its status. Returns status and body; None if no answer came."""
        began = time.monotonic()
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=90)
        try:
            connection.request(method, path, body, {"Authorization": f"Bearer {HOSTILE_TOKEN}",
                                                    "Content-Type": "application/json"})
            answer = connection.getresponse()
            data = answer.read() if read else b""
            self.count(kind, answer.status, time.monotonic() - began)
            return answer.status, data
        except (OSError, http.client.HTTPException) as error:
            self.count(kind, type(error).__name__, time.monotonic() - began)
            time.sleep(0.05)
            return None

    def submit(self, kind, body):
        answer = self.request(kind, "POST", "/v1/jobs", body)
        if answer and answer[0] == 201:
            with self.lock:
                self.jobs.append(json.loads(answer[1])["id"])
                old = self.jobs.pop(0) if len(self.jobs) > KEPT_JOBS else None
            if old:
                self.request("cancel", "POST", f"/v1/jobs/{old}/cancel")
        elif answer and answer[0] == 429:
            time.sleep(0.02)

    def loop(self, rng):
        """About five hundred bytes that are a hundred hours."""
        self.submit("loop", submission(edit([{"asset": "a", "loop": 6000}]), {"a": self.assets["minute"]}))

    def clips(self, rng):
        """Eight megabytes of clips of a frame."""
        if not hasattr(self, "clip_text"):
            self.clip_text = edit([{"asset": "a", "duration": f"{1 + number % 2}f"} for number in range(CLIPS)])
        self.submit("clips", submission(self.clip_text, {"a": self.assets["minute"]}))

    def depth(self, rng):
        """Brackets a million deep, in the edit or in the submission itself, and nested edits."""
        what = rng.randrange(3)
        if what == 0:
            return self.submit("depth", submission("[" * DEPTH + "]" * DEPTH, {}))
        if what == 1:
            return self.submit("depth", b'{"editText":' + b"[" * DEPTH)
        nested = None
        for _ in range(200):
            nested = {"n": {"file": "n.json", "editText": edit([{"asset": "n"}, {"asset": "n"}], ("n",)), "assets": {},
                            **({"nested": nested} if nested else {})}}
        self.submit("depth", submission(edit([{"asset": "n"}], ("n",)), {}, nested=nested))

    def errors(self, rng):
        segments = [{"aset": "a", f"k{number}": number, "duration": "-1s"} for number in range(WRONG_SEGMENTS)]
        self.submit("errors", submission(edit(segments), {"a": self.assets["minute"]}))

    def names(self, rng):
        """Names of a megabyte with mistakes by the thousand below or beside them, and names that are listed again and
        again: read, planned or submitted."""
        if not hasattr(self, "name_texts"):
            name = "n" * MIB
            wrong = {f"k{number}": 1 for number in range(WRONG_SEGMENTS)}
            below = {"schema": "edit/1", "assets": {name: wrong}, "tracks": []}
            beside = json.loads(edit([{"asset": f"x{number}"} for number in range(WRONG_SEGMENTS)]))
            beside["assets"][name] = "n.mp4"
            ducks = json.loads(edit([{"asset": "a"}]))
            ducks["tracks"] = [{"kind": "audio", "id": f"{number}{'i' * 25_000}", "segments": [{"asset": "a"}],
                                "duck": {"under": "nobody", "by": "-12dB"}} for number in range(256)]
            self.name_texts = [json.dumps(text) for text in (below, beside, ducks)]
        text, route = rng.choice(self.name_texts), rng.choice(["/v1/edits:read", "/v1/jobs:plan", "/v1/jobs"])
        body = json.dumps({"editText": text}) if route == "/v1/edits:read" else submission(
            text, {"a": self.assets["minute"]})
        self.request("names", "POST", route, body)

    def marks(self, rng):
        """Endless combining marks, which take long to compare: in an address, or in a name of an edit."""
        if rng.random() < 0.5:
            return self.request("marks", "GET", f"/v1/jobs?state=e{'%CC%81%CC%A3' * 5_000}")
        text = edit([{"asset": "a"}], params={"e" + "\u0301\u0323" * 100_000: {"default": "a"}})
        self.request("marks", "POST", "/v1/edits:read", json.dumps({"editText": text}))

    def parameters(self, rng):
        names = [f"p{number}" for number in range(PARAMETERS)]
        text = edit([{"asset": "a", "duration": "1s"}], params={name: {"default": name} for name in names})
        large = rng.random() < 0.5
        values = {"p0": "x" * (12 * MIB)} if large else {name: name * 4 for name in names}
        self.submit("parameters", submission(text if not large else edit([{"asset": "a"}]),
                                             {"a": self.assets["minute"]}, parameters=values))

    def leaving(self, rng):
        """Leaves in the middle of a submission, or as soon as it is sent."""
        body = submission(edit([{"asset": "a", "loop": 1_000_000}]), {"a": self.assets["minute"]})
        if rng.random() < 0.5 and hasattr(self, "clip_text"):
            body = submission(self.clip_text, {"a": self.assets["minute"]})
        sent = len(body) if rng.random() < 0.5 else rng.randrange(len(body))
        self.send_and_leave("leaving", "POST", "/v1/jobs", body, sent)

    def send_and_leave(self, kind, method, path, body, sent, pause=0.1):
        head = (f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {HOSTILE_TOKEN}\r\n"
                f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n").encode()
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=30) as connection:
                connection.sendall(head + body[:sent])
                time.sleep(pause)
            self.count(kind, "left")
        except OSError as error:
            self.count(kind, type(error).__name__)

    def uploads(self, rng):
        """Large assets with a wrong digest, or with the right one of what is no media, or cut off."""
        data = rng.randbytes(MIB) * (UPLOAD_BYTES // MIB)
        digest = hashlib.sha256(data if rng.random() < 0.5 else data[1:]).hexdigest()
        if rng.random() < 0.3:
            return self.send_and_leave("uploads", "PUT", f"/v1/assets/{digest}", data, rng.randrange(len(data)))
        self.request("uploads", "PUT", f"/v1/assets/{digest}", data)

    def reading(self, rng):
        """Asks for the largest things that there are, and often does not wait for the end."""
        with self.lock:
            job = rng.choice(self.jobs) if self.jobs else None
        if not job:
            return time.sleep(0.1)
        path = rng.choice(["tasks", "plan", "composition"])
        self.request("reading", "GET", f"/v1/jobs/{job}/{path}", read=rng.random() < 0.5)

    def streams(self, rng):
        """Holds event streams, and requests whose body comes a byte at a time."""
        held = []
        for number in range(IDLE_STREAMS):
            try:
                connection = socket.create_connection(("127.0.0.1", self.port), timeout=30)
                head = f"Host: 127.0.0.1\r\nAuthorization: Bearer {HOSTILE_TOKEN}\r\n"
                if number % 2:
                    connection.sendall(f"GET /v1/events HTTP/1.1\r\n{head}\r\n".encode())
                else:
                    connection.sendall(f"POST /v1/jobs HTTP/1.1\r\n{head}Content-Length: 9999999\r\n\r\n{{".encode())
                held.append(connection)
            except OSError as error:
                self.count("streams", type(error).__name__)
        end = min(self.until, time.monotonic() + 20)
        while time.monotonic() < end:
            time.sleep(1)
            for connection in held[::2]:
                try:
                    connection.send(b" ")
                except OSError:
                    pass
        for connection in held:
            connection.close()
        self.count("streams", "left")

    def small(self, rng):
        """Jobs of a second, as many as go in."""
        self.submit("small", submission(edit([{"asset": "a", "duration": "1s"}]), {"a": self.assets["short"]}))

    def run(self, act, number):
        rng = random.Random(f"{self.seed} {number}")
        while time.monotonic() < self.until:
            act(rng)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("port", type=int)
    parser.add_argument("seconds", type=float)
    parser.add_argument("report")
    parser.add_argument("--acts", default=",".join(ACTS), help="names with commas between them; one may come twice")
    parser.add_argument("--seed", type=int, default=20261121)
    options = parser.parse_args()
    attack = Attack(options.port, time.monotonic() + options.seconds, json.load(sys.stdin), options.seed)
    acts = [getattr(attack, name) for name in options.acts.split(",")]
    threads = [threading.Thread(target=attack.run, args=(act, number), daemon=True) for number, act in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        # What is under way when the time is over is not waited for.
        thread.join(max(0, attack.until + 5 - time.monotonic()))
    with attack.lock, open(options.report, "w") as file:
        json.dump({"counts": attack.counts, "slowest": attack.slowest}, file)


if __name__ == "__main__":
    main()
