#!/usr/bin/env python3
"""Seeks in a movie in a headless browser, and says as JSON what the browser shows there.

    browser_seeks.py PROGRAM MOVIE FRAMES_PER_SECOND FRAME...

PROGRAM is Chromium or Firefox. Each frame of the movie shows a number as sixteen black or white blocks side by side, the
lowest bit first. The movie is served on a loopback port; a page seeks to the middle of each FRAME, draws what is shown
and reads the blocks. The answer: `numbers` (one for each FRAME), `duration` in seconds, `samples` of the decoded sound at
48 kHz and `onset`, the first of them above a quarter of full scale (-1 without sound).
"""
import functools
import http.server
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading

PAGE = """<!doctype html><meta charset="utf-8"><body><script>
const order = ORDER;
function once(target, name) {
  return new Promise((good, bad) => {
    target.addEventListener(name, good, { once: true });
    target.addEventListener("error", () => bad(new Error(target.error ? target.error.message : name)), { once: true });
  });
}
async function sound() {
  const bytes = await (await fetch("/movie")).arrayBuffer();
  try {
    const decoded = await new OfflineAudioContext(1, 1, 48000).decodeAudioData(bytes);
    return { samples: decoded.length, onset: decoded.getChannelData(0).findIndex(x => Math.abs(x) > 0.25) };
  } catch (error) { return { samples: 0, onset: -1, soundError: String(error) }; }
}
async function seek() {
  const video = document.createElement("video");
  video.muted = true;
  video.preload = "auto";
  document.body.append(video);
  const ready = once(video, "loadeddata");
  video.src = "/movie";
  await ready;
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [video.videoWidth, video.videoHeight];
  const context = canvas.getContext("2d", { willReadFrequently: true });
  const numbers = [];
  // Chromium says "seeked" when it has decoded the picture, and may show the one before for a moment: on a busy machine
  // that one was drawn.
  const isShown = () => navigator.userAgent.includes("Chrome/")
    ? new Promise(good => video.requestVideoFrameCallback(good)) : null;
  for (const frame of order.frames) {
    const done = Promise.all([once(video, "seeked"), isShown()]);
    video.currentTime = (frame + 0.5) / order.rate;
    await done;
    context.drawImage(video, 0, 0);
    const width = canvas.width / 16;
    let number = 0;
    for (let bit = 0; bit < 16; bit++) {
      const pixel = context.getImageData((bit + 0.5) * width, canvas.height / 2, 1, 1).data;
      if (pixel[0] + pixel[1] + pixel[2] > 384) number += 2 ** bit;
    }
    numbers.push(number);
  }
  return { numbers, duration: video.duration };
}
(async () => {
  let answer;
  try { answer = { ...(await seek()), ...(await sound()) }; } catch (error) { answer = { error: String(error) }; }
  await fetch("/answer", { method: "POST", body: JSON.stringify(answer) });
})();
</script>"""


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def __init__(self, page, movie, answers, *arguments):
        self.page, self.movie, self.answers = page, movie, answers
        super().__init__(*arguments)

    def log_message(self, *_):
        pass

    def reply(self, code, kind, body, headers=()):
        self.send_response(code)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        try:
            self.wfile.write(body)
        except ConnectionError:
            self.close_connection = True

    def do_GET(self):
        if self.path == "/":
            return self.reply(200, "text/html", self.page)
        if self.path != "/movie":
            return self.reply(404, "text/plain", b"")
        whole = self.movie
        kind = "video/mp4"
        found = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        if not found:
            return self.reply(200, kind, whole, [("Accept-Ranges", "bytes")])
        first, last = int(found[1]), min(int(found[2] or len(whole) - 1), len(whole) - 1)
        place = [("Accept-Ranges", "bytes"), ("Content-Range", f"bytes {first}-{last}/{len(whole)}")]
        return self.reply(206, kind, whole[first:last + 1], place)

    def do_POST(self):
        self.answers.append(self.rfile.read(int(self.headers["Content-Length"])))
        self.reply(204, "text/plain", b"")
        self.server.answered.set()


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        """A browser that ends breaks its connections."""


def command(program, profile, address):
    if "firefox" in pathlib.Path(program).name:
        settings = {"datareporting.policy.dataSubmissionEnabled": False, "browser.shell.checkDefaultBrowser": False,
                    "app.update.enabled": False, "media.autoplay.default": 0, "browser.aboutwelcome.enabled": False}
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in settings.items()]
        (profile / "user.js").write_text("\n".join(lines))
        return [program, "--headless", "--no-remote", "--profile", str(profile), address]
    # Chromium's own sandbox does not start for root; the page is ours.
    return [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
            "--autoplay-policy=no-user-gesture-required", f"--user-data-dir={profile}", address]


def main():
    program, movie, rate, *frames = sys.argv[1:]
    order = json.dumps({"rate": float(rate), "frames": [int(frame) for frame in frames]})
    answers = []
    page = PAGE.replace("ORDER", order).encode()
    handler = functools.partial(Handler, page, pathlib.Path(movie).read_bytes(), answers)
    server = Server(("127.0.0.1", 0), handler)
    server.answered = threading.Event()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory(prefix="cutfarm-browser-", ignore_cleanup_errors=True) as folder:
        home = pathlib.Path(folder)
        address = f"http://127.0.0.1:{server.server_address[1]}/"
        environment = {**os.environ, "HOME": folder}
        with subprocess.Popen(command(program, home, address), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              env=environment, start_new_session=True) as browser:
            said = []
            threading.Thread(target=lambda: said.append(browser.stderr.read()), daemon=True).start()
            while not server.answered.wait(0.2):
                if browser.poll() is not None:
                    sys.exit(f"{program} ended with {browser.returncode} before it answered: {b''.join(said)[-2000:].decode()}")
            # Its own session, so that its helpers end with it.
            os.killpg(browser.pid, 9)
    print(answers[0].decode())


if __name__ == "__main__":
    main()
