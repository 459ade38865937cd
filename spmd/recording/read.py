"""A recording read from disk: programs and distinct launches, with counts.

In: the folder that `spmd record` wrote. Out: a `Recording`. Launches of several processes, or from several places of the host,
are one if the program, the kernel, sizes and arguments are the same. What is damaged or cut off is told in `notes`, never
guessed.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from automata.place import InputError, Place
from spmd.recording.head import HEAD
from spmd.recording.symbols import symbol_of

SCHEMA = "spmd-recording/1"
Sizes = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Site:
    """Where the host calls: a line of a file, or an address in an object, with those of its callers there."""

    file: str
    line: int = 0
    offset: int | None = None
    callers: Sizes = ()


@dataclass(frozen=True, slots=True)
class Header:
    """A file that a program includes: where it was found, its name there, its content."""

    folder: str
    name: str
    content: str


@dataclass(frozen=True, slots=True)
class Program:
    """What kernels are taken from. `content`: the hash of its text, if it has one; `inputs`: what it was linked from; `names`: of
    kernels that are built in, of template instances that were asked for, or of the file that a module came from."""

    kind: str
    content: str | None
    bytes: int
    options: str
    headers: tuple[Header, ...] = ()
    names: str = ""
    inputs: tuple[Program, ...] = ()
    sha256: str = ""
    language: str = "opencl"
    image: str = ""
    site: Site | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Inside:
    """A pointer inside of an argument, at a byte: the memory that it leads to, as an argument says it."""

    at: int
    root: int
    size: int
    offset: int


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument as it was passed. `root`: the first argument with the same memory; sizes and offsets in bytes; `memory`: of
    pointers inside of it, whose own bytes are not kept."""

    kind: str
    size: int | None = None
    value: bytes = b""
    root: int = -1
    offset: int = 0
    flags: int = 0
    memory: tuple[Inside, ...] = ()


@dataclass(frozen=True, slots=True)
class Shape:
    """A launch without where and how often: two launches are one if this is the same. `block` None: left to the implementation.
    `total`: threads along each axis where the grid follows from it (OpenCL). `symbol`: the kernel's name in device code;
    `told_by`: who said how long its arguments are (driver, ptx, cubin)."""

    program: Program
    kernel: str
    symbol: str
    dialect: str
    total: Sizes | None
    grid: Sizes | None
    block: Sizes | None
    offset: Sizes
    shared: int | None
    args: tuple[Argument, ...] | None
    cluster: Sizes | None = None
    told_by: str = field(default="", compare=False)

    @property
    def code(self) -> object:
        """What is the same for launches of the same code: the program, the kernel in it, what its text is told of the sizes: the
        offset of its work-items, and how many there are where the last groups are smaller."""
        sizes = (self.total, self.block) if self.smaller else ()
        return self.program, self.symbol, self.offset if any(self.offset) else (), sizes

    @property
    def smaller(self) -> tuple[int, ...]:
        """The axes, by number, along which the last groups are smaller."""
        if self.total is None or self.block is None:
            return ()
        return tuple(at for at, (total, block) in enumerate(zip(self.total, self.block, strict=True)) if block and total % block)


@dataclass(frozen=True, slots=True)
class Source:
    """A file of the sources that the user gave with a recording: the folder it lies in, its name there, its content."""

    root: str
    name: str
    content: str


@dataclass
class Recorded:
    """A distinct launch. `number`: from 1, in the order in which they were first made."""

    number: int
    shape: Shape
    count: int = 0
    refused: int = 0
    sites: list[Site] = field(default_factory=list)


@dataclass
class Recording:
    """All of a folder. `built`: programs that were built, launched or not."""

    folder: Path
    runs: list[dict[str, Any]]
    launches: list[Recorded] = field(default_factory=list)
    built: list[Program] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    processes: int = 0
    sources: tuple[Source, ...] = ()

    @property
    def name(self) -> str:
        return str(self.folder)


def read_recording(path: str) -> Recording:
    """The recording in a folder. InputError where there is none, or one of another version."""
    folder = Path(path)
    try:
        head = json.loads((folder / HEAD).read_text(encoding="utf-8"))
        schema, runs = head["schema"], list(head["runs"])
        sources = tuple(Source(str(each["root"]), str(each["name"]), _hash(each["content"])) for each in head.get("sources", ()))
    except OSError as error:
        raise InputError(f"no recording here ({error.strerror}): 'spmd record -o {path} -- APP' makes one",
                         Place(path, 0, 0)) from error
    except (ValueError, KeyError, TypeError) as error:
        raise InputError("its recording.json is damaged", Place(path, 0, 0)) from error
    if schema != SCHEMA:
        raise InputError(f"a recording of version '{schema}'; this tool reads '{SCHEMA}'", Place(path, 0, 0))
    recording = Recording(folder.absolute(), runs, sources=sources)
    found: dict[Shape, Recorded] = {}
    files = [_Lines(file) for file in (folder / "processes").glob("*.jsonl")]
    for lines in sorted(files, key=lambda lines: lines.began):
        _take(recording, lines, found)
    recording.launches = [each for each in found.values() if each.count or each.refused]
    for number, each in enumerate(recording.launches, 1):
        each.number = number
    _add_notes(recording)
    return recording


def _add_notes(recording: Recording) -> None:
    folder = recording.folder
    try:
        if (folder / "lost").read_bytes()[:1].strip(b"\0"):
            recording.notes.append("not everything could be written (a full disk?): launches are missing here")
    except OSError:
        recording.notes.append("the file 'lost' is missing: whether everything was written is not known")
    recording.notes = list(dict.fromkeys(recording.notes))


class _Lines:
    """One process's file."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.events: list[dict[str, Any]] = []
        self.trouble: list[str] = []
        for number, line in enumerate(file.read_bytes().split(b"\n"), 1):
            if not line:
                continue
            try:
                event = json.loads(line.decode(errors="surrogateescape"))
                if not isinstance(event, dict):
                    raise ValueError
                self.events.append(event)
            except ValueError:
                self.trouble.append(f"{file.name}:{number} was cut off or is damaged, and is passed over")
        self.began = float(self.events[0].get("began", 0)) if self.events else 0.0

    def counts(self) -> dict[int, tuple[int, int]]:
        try:
            content = self.file.with_suffix(".counts").read_bytes()
        except OSError:
            return {}
        whole = len(content) // 16 * 16
        return dict(enumerate(struct.iter_unpack("<QQ", content[:whole])))


def _take(recording: Recording, lines: _Lines, found: dict[Shape, Recorded]) -> None:
    """What one process did."""
    programs: dict[int, Program] = {}
    counts = lines.counts()
    recording.notes += lines.trouble
    recording.processes += bool(lines.events)
    for event in lines.events:
        try:
            match event.get("event"):
                case "program":
                    program = programs[event["number"]] = _program(event, programs)
                    if program not in recording.built:
                        recording.built.append(program)
                case "launch":
                    shape = _shape(event, programs)
                    launch = found.setdefault(shape, Recorded(0, shape))
                    accepted, refused = counts.get(event["number"], (1, 0))
                    launch.count += accepted
                    launch.refused += refused
                    launch.sites += [site for site in _site(event) if site not in launch.sites]
                case "note":
                    recording.notes.append(str(event["text"]))
        except (KeyError, TypeError, ValueError, AttributeError):
            recording.notes.append(f"{lines.file.name}: line {event.get('number', '?')} is damaged, and is passed over")


def _program(event: dict[str, Any], programs: dict[int, Program]) -> Program:
    headers = tuple(Header(str(each["folder"]), str(each["name"]), _hash(each["content"])) for each in event.get("headers", []))
    inputs = tuple(programs[number] for number in event.get("inputs", []))
    content = event.get("content")
    return Program(str(event["kind"]), _hash(content) if content is not None else None, int(event.get("bytes", 0)),
                   str(event.get("options", "")), headers, str(event.get("names", "")), inputs, str(event.get("sha256", "")),
                   str(event.get("language", "opencl")), str(event.get("image", "")), next(_site(event), None))


def _hash(text: object) -> str:
    """The name of a content: nothing else may name a file."""
    if not (isinstance(text, str) and len(text) == 64 and set(text) <= set("0123456789abcdef")):
        raise ValueError("no hash")
    return text


def _shape(event: dict[str, Any], programs: dict[int, Program]) -> Shape:
    is_cuda = "grid" in event
    args = event.get("args")
    symbol = str(event["kernel"])
    name = str(symbol_of(symbol)) if is_cuda else symbol
    return Shape(programs[event["program"]], name, symbol, "cuda" if is_cuda else "opencl",
                 None if is_cuda else _sizes(event["global"]), _sizes(event["grid"]) if is_cuda else None,
                 _sizes(event["block"] if is_cuda else event["local"]), _sizes(event.get("offset")) or (),
                 int(event["shared"]) if is_cuda else None, tuple(map(_argument, args)) if args is not None else None,
                 _sizes(event.get("cluster")), str(event.get("parameters", "")))


def _sizes(value: object) -> Sizes | None:
    return None if value is None else tuple(int(size) for size in value)  # type: ignore[attr-defined]


def _argument(given: dict[str, Any]) -> Argument:
    size = given.get("size")
    return Argument(str(given["kind"]), None if size is None else int(size), bytes.fromhex(given.get("hex", "")),
                    int(given.get("root", -1)), int(given.get("offset", 0)), int(given.get("flags", 0)),
                    tuple(Inside(int(each["at"]), int(each["root"]), int(each["size"]), int(each["offset"]))
                          for each in given.get("memory", ())))


def _site(event: dict[str, Any]) -> Iterator[Site]:
    site = event.get("site")
    if isinstance(site, dict) and "file" in site:
        yield Site(str(site["file"]), int(site["line"]))
    elif isinstance(site, dict):
        yield Site(str(site["object"]), 0, int(site["offset"]), _sizes(site.get("callers")) or ())
