"""The record of a run: which rounds passed or failed, so that a run that was stopped goes on where it was."""
import hashlib
import json
import pathlib


def key(edit, build, options):
    """A name for runs of the same programs and the same edit with the same options."""
    digest = hashlib.sha256(json.dumps(options, sort_keys=True).encode())
    for file in [pathlib.Path(build) / "cutfarm", pathlib.Path(build) / "cutfarm-render", edit]:
        with open(file, "rb") as stream:
            digest.update(hashlib.file_digest(stream, "sha256").digest())
    return digest.hexdigest()[:16]


def line_of(entry):
    return json.dumps(entry, ensure_ascii=False) + "\n"


class Record:
    """A file with a JSON object on each line, one for each round. A line that was cut off by a kill does not count."""

    def __init__(self, path, is_fresh):
        self.path, self.rounds = path, {}
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not is_fresh:
            for line in path.read_text().splitlines():
                try:
                    entry = json.loads(line)
                except ValueError:
                    continue
                self.rounds[entry["kind"], entry["number"]] = entry
        if ("run", 0) in self.rounds:
            # A run that came to its end is not gone on with.
            self.rounds = {}
        # Written anew, so that what is added does not follow half a line.
        path.write_text("".join(map(line_of, self.rounds.values())))

    def has(self, kind, number):
        return (kind, number) in self.rounds

    def add(self, kind, number, problems, seconds, **more):
        entry = {"kind": kind, "number": number, "problems": problems, "seconds": round(seconds, 1), **more}
        self.rounds[kind, number] = entry
        with open(self.path, "a") as file:
            file.write(line_of(entry))
        return entry

    def of(self, kind):
        return [entry for (its, _), entry in sorted(self.rounds.items()) if its == kind]
