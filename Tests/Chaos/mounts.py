"""Small disks of a farm's own: tmpfs mounts in a mount namespace that ends with the run, so that nothing is left."""
import ctypes
import os
import shutil
import subprocess
import sys

MIB = 1 << 20
MARK = "CUTFARM_CHAOS_NAMESPACE"
MNT_DETACH = 2
libc = ctypes.CDLL(None, use_errno=True)


def enter_namespace():
    """Executes this program again in a mount namespace of its own: as root, or else in a user namespace.
    Returns only in the new namespace, or when the machine gives none."""
    if os.environ.get(MARK) or not shutil.which("unshare"):
        return
    options = ["--mount"] if os.geteuid() == 0 else ["--user", "--map-current-user", "--keep-caps", "--mount"]
    if subprocess.run(["unshare", *options, "true"], stderr=subprocess.DEVNULL).returncode:
        return
    os.environ[MARK] = "1"
    os.execvp("unshare", ["unshare", *options, sys.executable, *sys.argv])


def is_possible():
    """Whether this process may mount file systems that nobody else sees."""
    return MARK in os.environ


def call_mount(path, size):
    path.mkdir(parents=True, exist_ok=True)
    options = f"size={size},mode=0755".encode()
    if libc.mount(b"cutfarm-chaos", os.fsencode(path), b"tmpfs", 0, options):
        raise OSError(ctypes.get_errno(), f"mount: {os.strerror(ctypes.get_errno())}", str(path))


class Disks:
    """A disk for the coordinator's state, one for its private database below it, and one for the workers' cache."""
    # PostgreSQL keeps up to 512 MiB of its write-ahead log.
    SIZES = {"state": ("state", 256 * MIB), "database": ("state/postgresql", 768 * MIB), "cache": ("cache", 256 * MIB)}

    def mount(self, folder):
        self.folders = {}
        for name, (path, size) in self.SIZES.items():
            call_mount(folder / path, size)
            self.folders[name] = folder / path

    def unmount(self):
        for path in reversed(self.folders.values()):
            libc.umount2(os.fsencode(path), MNT_DETACH)

    def fill(self, name):
        """Takes every free byte of the disk. Returns the bytes taken."""
        step, length = 64 * MIB, 0
        with open(self.folders[name] / "filler", "wb") as file:
            while step >= 1:
                try:
                    os.posix_fallocate(file.fileno(), length, step)
                    length += step
                except OSError:
                    step //= 4
        return length

    def free(self, name):
        (self.folders[name] / "filler").unlink(missing_ok=True)
