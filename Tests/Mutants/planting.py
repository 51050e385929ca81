"""Reads the list of mistakes and plants them in a copy of the tree, where a variable of the environment chooses one."""

import hashlib
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

VARIABLE = "CUTFARM_MUTANT"

# A render child sees no variable of its parent's: in the copy it sees this one.
PASSED_ON = (
    "Sources/Sandbox/RenderEnvironment.swift",
    "let variables = variables(temporary: temporary).map {",
    "let variables = variables(temporary: temporary).merging(Mutant.passedOn) { $1 }.map {",
)

SWIFT_HEAD = """import Foundation

/// The mistake that this process makes.
enum Mutant {
    private static let chosen = ProcessInfo.processInfo.environment["%s"] ?? ""

    /// What a child's environment has to say about it.
    static let passedOn: [String: String] = chosen.isEmpty ? [:] : ["%s": chosen]

""" % (VARIABLE, VARIABLE)

C_HEAD = """#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
/* Before the C library has begun, getenv knows nothing. */
static inline const char *cutfarm_environment(char *text, size_t size) {
    int file = open("/proc/self/environ", O_RDONLY | O_CLOEXEC);
    ssize_t count = file < 0 ? 0 : read(file, text, size - 1);
    if (file >= 0) close(file);
    text[count < 0 ? 0 : count] = 0;
    for (ssize_t i = 0; i < count; i += strlen(text + i) + 1)
        if (strncmp(text + i, "%s=", sizeof "%s") == 0) return text + i + sizeof "%s";
    return NULL;
}
static int cutfarm_mutant(const char *name, int *known) {
    if (*known == 0) {
        char text[32768];
        const char *chosen = getenv("%s");
        if (chosen == NULL) chosen = cutfarm_environment(text, sizeof text);
        *known = chosen != NULL && strcmp(chosen, name) == 0 ? 1 : -1;
    }
    return *known > 0;
}
#define CUTFARM_MUTANT(name) ({ static int known; cutfarm_mutant(name, &known); })
""" % ((VARIABLE,) * 4)


class ListError(Exception):
    """The list of mistakes is wrong; the text says where."""


@dataclass
class Mutant:
    """One planted mistake."""

    name: str
    file: str = ""
    kind: str = ""
    harm: str = ""
    after: str = ""
    ends: str = ""
    tests: list[str] = field(default_factory=list)
    original: list[str] = field(default_factory=list)
    mistake: list[str] = field(default_factory=list)

    @property
    def digest(self) -> str:
        """The digest of all that the entry says but its sentence."""
        parts = [self.name, self.file, self.kind, self.after, *self.tests, "-", *self.original, "+", *self.mistake]
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()

    @property
    def modules(self) -> set[str]:
        """The modules of its tests."""
        return {test.split(".")[0] for test in self.tests}

    @property
    def swift_name(self) -> str:
        """The name of the flag in Swift: kebab case as camel case."""
        first, *rest = self.name.split("-")
        return first + "".join(word.capitalize() for word in rest)

    @property
    def condition(self) -> str:
        """The expression that is true where this mistake was chosen."""
        return f'CUTFARM_MUTANT("{self.name}")' if self.file.endswith(".c") else f"Mutant.{self.swift_name}"

    def is_caught(self, outcome: str) -> bool:
        """Whether its tests found it. Tests that do not end have found it only where the list says that they do not."""
        return outcome in ("caught", "crashed") or (outcome == "hung" and self.ends == "never")

    def check(self) -> None:
        """Raises ListError where something is missing."""
        if self.kind not in ("statement", "expression", "text"):
            raise ListError(f"{self.name}: kind is statement, expression or text")
        if not (self.file and self.harm and self.tests and self.original):
            raise ListError(f"{self.name}: file, harm, test and the original (- lines) are needed")
        if self.ends not in ("", "never"):
            raise ListError(f"{self.name}: ends is never, or not said")
        if self.kind == "expression" and not self.mistake:
            raise ListError(f"{self.name}: an expression needs its mistake (+ lines)")
        if self.kind == "expression":
            for value in ("\n".join(self.original), "\n".join(self.mistake)):
                if not is_value(value):
                    raise ListError(f"{self.name}: “{value}” is no value of its own")
        if self.kind == "statement":
            for statement in ("\n".join(self.original), "\n".join(self.mistake)):
                if not closes_what_it_opens(statement) or statement.endswith(","):
                    raise ListError(f"{self.name}: “{statement}” is no whole statement")
        if self.kind == "statement" and len(self.original) == 1 and is_declaration(self.original[0]):
            raise ListError(f"{self.name}: its line means something else in braces of its own; plant a value of it")


def read_list(path: Path) -> list[Mutant]:
    """The mistakes of a list, in its order."""
    mutants: list[Mutant] = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.startswith("== "):
            mutants.append(Mutant(line[3:].strip()))
        elif line.strip() and not line.startswith("#"):
            if not mutants:
                raise ListError(f"line {number}: a mistake begins with == and its name")
            read_line(line, mutants[-1], number)
    for mutant in mutants:
        mutant.check()
    names = [mutant.name for mutant in mutants]
    if repeated := {name for name in names if names.count(name) > 1}:
        raise ListError(f"named twice: {', '.join(sorted(repeated))}")
    return mutants


def read_line(line: str, mutant: Mutant, number: int) -> None:
    """Reads a line of an entry into it."""
    key, _, value = line.partition(":")
    if line[0] == "-":
        mutant.original.append(line[1:].strip())
    elif line[0] == "+":
        mutant.mistake.append(line[1:].strip())
    elif key == "test":
        mutant.tests.append(value.strip())
    elif key in ("file", "kind", "harm", "after", "ends"):
        setattr(mutant, key, value.strip())
    else:
        raise ListError(f"line {number}: {key}?")


def tree_files(root: Path) -> list[str]:
    """The files of the working tree: git's, and those that are not added yet."""
    command = ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\0")
    names += ["Package.resolved"] if (root / "Package.resolved").exists() else []
    return sorted({name for name in names if name and (root / name).is_file()})


class TreeDigests:
    """What a finding depends on besides its entry: the sources, what tests share, and the modules of its tests."""

    def __init__(self, root: Path):
        self.folders: dict[str, str] = {}
        for name in tree_files(root):
            first, *rest = name.split("/")
            folder = f"Tests/{rest[0]}" if first == "Tests" else first
            content = hashlib.sha256((root / name).read_bytes()).hexdigest()
            self.folders[folder] = hashlib.sha256(f"{self.folders.get(folder)} {name} {content}".encode()).hexdigest()

    def of(self, modules: set[str]) -> str:
        """The digest for tests of these modules."""
        shared = [name for name in self.folders if name.startswith("Tests/") and not name.endswith("Tests")]
        names = {"Sources", "Package.swift", *shared, *(f"Tests/{module}" for module in modules)} - {"Tests/Mutants"}
        parts = [f"{name} {self.folders.get(name)}" for name in sorted(names)]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def locate(text: str, mutant: Mutant) -> tuple[int, int]:
    """Where the original is, as offsets of its begin and end; it has to be there once, or once behind `after`."""
    begin = 0
    if mutant.after:
        if text.count(mutant.after) != 1:
            raise ListError(f"{mutant.name}: `after` is there {text.count(mutant.after)} times in {mutant.file}")
        begin = text.index(mutant.after) + len(mutant.after)
    pattern = r"\n[ \t]*".join(re.escape(line) for line in mutant.original)
    if mutant.kind == "statement":
        pattern = r"(?<=\n)[ \t]*" + pattern + r"(?=[ \t]*\n)"
    found = list(re.finditer(pattern, text[begin:]))
    if not found or (len(found) > 1 and not mutant.after):
        raise ListError(f"{mutant.name}: the original is there {len(found)} times in {mutant.file}")
    return begin + found[0].start(), begin + found[0].end()


def is_value(text: str) -> bool:
    """Whether a text may be a value by itself: it begins with no keyword or label, ends with none, and closes what it opens."""
    words = text.split()
    if not words or words[0] in ("guard", "if", "while", "where", "let", "case", "return") or words[-1] in ("else", "{"):
        return False
    if re.match(r"[a-z]\w*:\s|\|\||&&", text.strip()):
        return False
    return closes_what_it_opens(text) and not has_comma(text)


def without_strings(text: str) -> str:
    return re.sub(r'"(?:\\.|[^"\\])*"', '""', text)


def closes_what_it_opens(text: str) -> bool:
    """Whether each bracket and brace has its other half, in order."""
    depth = 0
    for character in without_strings(text):
        depth += (character in "([{") - (character in ")]}")
        if depth < 0:
            return False
    return depth == 0


def has_comma(text: str) -> bool:
    """Whether there is a comma outside of all brackets: several conditions, or arguments."""
    depth = 0
    for character in without_strings(text):
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 0:
            return True
    return False


def is_declaration(line: str) -> bool:
    """Whether a line of Swift or C declares a name, or says what is done at the end of its braces."""
    return re.match(r"(let|var|func|defer|guard (let|var|case))\s|(?!return\b)\w+ \**\w+ = ", line.strip()) is not None


def planted(original: str, mutant: Mutant) -> str:
    """The text in place of the original: both, and the choice."""
    mistake = "\n".join(mutant.mistake)
    if mutant.kind == "text":
        return f"\\({mutant.condition} ? {swift_string(mistake)} : {swift_string(original)})"
    if mutant.kind == "expression":
        return f"({mutant.condition} ? ({mistake}) : ({original}))"
    condition = f"({mutant.condition})" if mutant.file.endswith(".c") else mutant.condition
    return f"if {condition} {{\n{mistake}\n}} else {{\n{original}\n}}"


def swift_string(text: str) -> str:
    """The text as a literal of Swift."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def plant(text: str, mutants: list[Mutant]) -> tuple[str, list[tuple[int, int, Mutant]]]:
    """A file's text with its mistakes planted, and the lines of each: first, last, mistake."""
    places = sorted(((*locate(text, mutant), mutant) for mutant in mutants), key=lambda place: (place[0], -place[1]))
    waiting = [mutant for _, _, mutant in places]
    parts = re.split(f"({BEGIN}|{END})", woven(text, 0, len(text), places))
    lines, open_ones, line = [], [], 1
    for part in parts:
        if part == BEGIN:
            open_ones.append((line, waiting.pop(0)))
        elif part == END:
            first, mutant = open_ones.pop()
            lines.append((first, line, mutant))
        line += part.count("\n")
    return "".join(part for part in parts if part not in (BEGIN, END)), lines


# Characters that no source has: where a planted mistake begins and ends.
BEGIN, END = "\ue000", "\ue001"


def woven(text: str, begin: int, stop: int, places: list[tuple[int, int, Mutant]]) -> str:
    """A part of a text with the mistakes in it; one that lies in another's original stays in that."""
    result, at = "", begin
    while places:
        first, last, mutant = places.pop(0)
        inner = [place for place in places if place[0] < last]
        if any(place[1] > last for place in inner) or (inner and mutant.kind == "text"):
            raise ListError(f"{mutant.name}: its original overlaps that of {inner[0][2].name}; take another part")
        places = places[len(inner) :]
        original = woven(text, first, last, inner)
        result += text[at:first] + BEGIN + planted(original, mutant) + END
        at = last
    return result + text[at:stop]


class Copy:
    """The copy of the tree in which the mistakes are planted."""

    def __init__(self, root: Path, folder: Path):
        self.root, self.folder = root, folder
        self.lines: dict[str, list[tuple[int, int, Mutant]]] = {}

    def make(self, mutants: list[Mutant]) -> None:
        """Brings the copy up to date, writing only what changes."""
        texts = self.planted_texts(mutants)
        names = tree_files(self.root)
        for name in names:
            write(self.folder / name, texts.pop(name, None) or (self.root / name).read_bytes(), self.root / name)
        wanted = set(names) | set(texts)
        for name, data in texts.items():
            write(self.folder / name, data, None)
        for path in list(self.folder.rglob("*")):
            if path.is_file() and str(path.relative_to(self.folder)) not in wanted:
                path.unlink()

    def planted_texts(self, mutants: list[Mutant]) -> dict[str, bytes]:
        """The files that differ from the tree's, by name."""
        files: dict[str, list[Mutant]] = {PASSED_ON[0]: []}
        for mutant in mutants:
            if not (self.root / mutant.file).is_file():
                raise ListError(f"{mutant.name}: {mutant.file} is not there")
            files.setdefault(mutant.file, []).append(mutant)
        texts, modules = {}, {}
        for name, own in files.items():
            text, self.lines[name] = plant(passing_on(name, (self.root / name).read_text()), own)
            if name.endswith(".c"):
                text = C_HEAD + f'#line 1 "{name}"\n' + text
            else:
                modules.setdefault(module_folder(name), []).extend(own)
            texts[name] = text.encode()
        for folder, own in modules.items():
            flags = "".join(f'    static let {m.swift_name} = chosen == "{m.name}"\n' for m in own)
            texts[f"{folder}/Mutant.swift"] = (SWIFT_HEAD + flags + "}\n").encode()
        return texts

    def at(self, file: str, line: int) -> Mutant | None:
        """The mistake that stands at a line of the copy."""
        for first, last, mutant in self.lines.get(file, []):
            if first <= line <= last:
                return mutant
        return None


def passing_on(name: str, text: str) -> str:
    """The text, with the variable let through to the render child where that file is this one."""
    file, original, changed = PASSED_ON
    if name != file:
        return text
    if text.count(original) != 1:
        raise ListError(f"{file}: `{original}` is not there once; planting.py names it")
    return text.replace(original, changed)


def module_folder(name: str) -> str:
    """The folder of the module of a file below Sources."""
    parts = name.split("/")
    return "/".join(parts[: 3 if parts[1] == "Shared" else 2])


def write(path: Path, data: bytes, like: Path | None) -> None:
    """Writes a file where it would change, with the mode of another."""
    if path.is_file() and path.read_bytes() == data:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    if like:
        path.chmod(like.stat().st_mode)
