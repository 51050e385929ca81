#!/usr/bin/env python3
"""Measures how fast a coordinator takes in and sends a file of 100 GB, and how much memory it needs for that.

    stream.py BUILD-FOLDER [--gigabytes N]

The file is a small movie behind which an empty box of MP4 stands that is a hole in the file: it takes no room on the disk, and is
read, hashed and sent as any other. It is registered by its path, which hashes all of it twice over (the whole, and each
block), and then fetched by curl, while the coordinator compares each block with its digest. Memory is the most that the
coordinator's process ever held.
"""
import argparse
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import time
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from dashboard import TOKEN, Report


def sparse(folder, size):
    """A movie of `size` bytes."""
    path = folder / "large.mp4"
    subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x36:r=25:d=2", "-c:v", "libx264", "-preset",
                    "ultrafast", "-pix_fmt", "yuv420p", "-movflags", "+faststart", path], check=True)
    start = path.stat().st_size
    with path.open("ab") as file:
        # ISO/IEC 14496-12, 4.2: a size of 1 says that the 64-bit size follows the type.
        file.write(struct.pack(">I4sQ", 1, b"free", size - start))
    os.truncate(path, size)
    return path


def peak(process):
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1]) / 1024


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--gigabytes", type=float, default=100)
    # Benchmarks/run gives all its benchmarks the same options.
    options, _ = parser.parse_known_args()
    size, report = int(options.gigabytes * 1e9), Report()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True, dir="/var/tmp") as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        media = folder / "media"
        media.mkdir()
        path, address = sparse(media, size), folder / "address"
        (folder / "tokens").write_text(f"bench view,submit,admin {TOKEN}\n")
        process = subprocess.Popen(
            [options.build.resolve() / "cutfarm", "coordinator", "--state", folder / "state", "--port", "0", "--token-file", folder / "tokens",
             "--address-file", address, "--asset-root", media, "--until-input-closes"],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=(folder / "log").open("w"))
        try:
            while not (address.exists() and address.read_text().strip()):
                if process.poll() is not None:
                    sys.exit((folder / "log").read_text())
                time.sleep(0.1)
            base = address.read_text().strip()
            print(f"\na file of {options.gigabytes:g} GB, of which {path.stat().st_blocks * 512 / 1e6:.1f} MB are on the disk")
            request = urllib.request.Request(f"{base}/v1/assets:register", method="POST", data=json.dumps({"path": str(path)}).encode(),
                                             headers={"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"})
            began = time.monotonic()
            with urllib.request.urlopen(request) as answer:
                digest = json.load(answer)["digest"].removeprefix("sha256:")
            seconds = time.monotonic() - began
            print(f"  registered in {seconds:.1f} s: {size / 1e9 / seconds:.2f} GB/s; the coordinator's peak {peak(process):.0f} MB", flush=True)
            began = time.monotonic()
            said = subprocess.run(["curl", "-sS", "--fail", "-H", f"Authorization: Bearer {TOKEN}", "-o", "/dev/null", "-w", "%{size_download}",
                                   f"{base}/v1/assets/{digest}"], check=True, capture_output=True, text=True).stdout
            seconds = time.monotonic() - began
            print(f"  fetched in {seconds:.1f} s: {size / 1e9 / seconds:.2f} GB/s")
            report.line("bytes that did not arrive", size - int(said), "", 0)
            report.line(f"the coordinator's most memory, {options.gigabytes:g} GB in and out", peak(process), "MB", 150)
        finally:
            process.stdin.close()
            process.wait()


if __name__ == "__main__":
    main()
