#!/usr/bin/env python3
"""Holds the dashboard's player against a finished movie: frame N of the page is frame N of the file.

    dashboard_player.py CONFIGURATION

CONFIGURATION is a file of JSON: `browser` (`chromium` or `firefox`), `address` of a coordinator, `token` of somebody who may
look, and `job`, which is completed, has 25 frames a second and 90 frames or more. Prints `done`, or exits with 1 and what
went wrong.
"""
import base64
import json
import pathlib
import subprocess
import sys
import tempfile
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import chromium
import firefox

# Width and height in which frames are compared: those of the movie, halved twice.
SMALL = (45, 80)


def output(address, token, job):
    """The bytes of a job's movie."""
    request = urllib.request.Request(f"{address}/v1/jobs/{job}/output", headers={"Authorization": "Bearer " + token})
    with urllib.request.urlopen(request) as answer:
        return answer.read()


def pixels(picture, *options):
    """What ffmpeg decodes of a movie or an image, small: bytes of red, green and blue of all its frames."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(picture)
        file.flush()
        size = f"{SMALL[0]}x{SMALL[1]}"
        return subprocess.run(["ffmpeg", "-v", "error", "-i", file.name, "-s", size, "-sws_flags", "area", *options, "-pix_fmt", "rgb24",
                               "-f", "rawvideo", "-"], check=True, stdout=subprocess.PIPE).stdout


class PlayerCheck:
    """The player of the job that a page shows. `expect(condition, what)` takes what should be so; `movie` is its file."""

    def __init__(self, browser, expect, movie):
        self.browser, self.expect = browser, expect
        whole, count = pixels(movie, "-fps_mode", "passthrough"), 3 * SMALL[0] * SMALL[1]
        self.movie = [whole[start:start + count] for start in range(0, len(whole), count)]

    def shows(self, number, act):
        """After `act` the player shows the frame of that number of the finished movie, and not the one before or after."""
        self.browser.value("""void (window.presented = new Promise((done) =>
            document.querySelector("#video").requestVideoFrameCallback(() => done(true))))""")
        act()
        self.browser.value("presented")
        shown = pixels(base64.b64decode(self.browser.value("""(() => { const canvas = document.createElement("canvas"); [canvas.width, canvas.height] = %s;
            const context = canvas.getContext("2d"); context.imageSmoothingQuality = "high"; context.drawImage(document.querySelector("#video"), 0, 0, ...%s);
            return canvas.toDataURL("image/png").split(",")[1]; })()""" % ((json.dumps(SMALL),) * 2))))
        difference = lambda frame: sum(abs(one - other) for one, other in zip(shown, self.movie[frame])) / len(shown)
        others = [other for other in (number - 1, number + 1) if other < len(self.movie)]
        self.expect(difference(number) < min(map(difference, others)) / 2,
                    f"frame {number} is shown: it differs by {difference(number):.1f}, its neighbours by {[round(difference(other), 1) for other in others]}")

    def seek(self, frame):
        self.browser.value(f"(() => {{ const seek = document.querySelector('#seek'); seek.value = {frame}; seek.dispatchEvent(new Event('input')); }})()")

    def code(self, words):
        self.browser.wait(f"document.querySelector('#code').textContent.includes({json.dumps(words)})", f"timecode {words}")

    def is_whole(self, selector):
        """Whether all of an element is seen. The movie is higher than wide."""
        return self.browser.value("""(() => { const [inner, outer] = [%s, ".screen"].map((name) => document.querySelector(name).getBoundingClientRect());
            return inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1 && inner.height > 100; })()""" % json.dumps(selector))

    def run(self):
        """Plays, stands still at a frame, and steps from it."""
        browser = self.browser
        browser.wait("!document.querySelector('#preview').hidden && !document.querySelector('#play').hidden", "the preview")
        browser.press("#play")
        browser.wait("document.querySelector('#video').currentTime > 0.2", "it plays")
        self.expect(self.is_whole("#video"), "the player shows whole frames")
        browser.press("#play")
        browser.wait("document.querySelector('#video').paused", "it stands still")
        self.shows(90, lambda: self.seek(90))
        self.shows(30, lambda: self.seek(30))
        self.code("00:00:01:05")
        browser.value("document.activeElement.blur()")
        for key, frame, code in ((".", 31, "00:00:01:06"), (",", 30, "00:00:01:05"), (",", 29, "00:00:01:04")):
            self.shows(frame, lambda: browser.key(key))
            self.code(code)
        # Within the dissolve, and the last frame: a browser shows that one when it knows that nothing follows.
        self.shows(45, lambda: self.seek(45))
        self.shows(len(self.movie) - 1, lambda: self.seek("seek.max"))
        browser.press("#show-sheet")
        browser.wait("document.querySelector('#still').complete && document.querySelector('#still').src.includes('/sheet')", "the contact sheet")
        self.expect(self.is_whole("#still"), "the contact sheet is shown whole")


def main():
    configuration = json.loads(pathlib.Path(sys.argv[1]).read_text())
    address, token, job = (configuration[name] for name in ("address", "token", "job"))
    faults = []
    expect = lambda condition, what: None if condition else faults.append(what)
    kind = {"chromium": chromium.Browser, "firefox": firefox.Browser}[configuration["browser"]]
    with tempfile.TemporaryDirectory(prefix="cutfarm-player-", ignore_cleanup_errors=True) as profile, kind(profile) as browser:
        browser.open(f"{address}/#{job}")
        browser.wait("document.querySelector('#sign-in')?.hidden === false", "the form")
        browser.value("document.querySelector('#token').focus()")
        browser.type(token)
        browser.press("#sign-in-form button[type=submit]")
        browser.wait("!document.querySelector('#job').hidden", "the job")
        PlayerCheck(browser, expect, output(address, token, job)).run()
    if faults:
        sys.exit("\n".join(faults))
    print("done")


if __name__ == "__main__":
    main()
