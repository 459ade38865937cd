"""Programs of a recording, laid out as files that a front end reads, with the macros and folders of their build options.

A program has a folder of its own, named by what it is made of: its text as `program.cl` or `program.cu`, and each folder of
headers below `headers/`, a few levels deep, so that `../` in an include leads to where it did.
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from automata.place import InputError, UnsupportedError
from spmd.recording.files import put_private
from spmd.recording.read import Program, Recording, Shape

DEPTH = ("r",) * 4
"""Folders above each folder of headers."""
ARITHMETIC = {"-cl-fast-relaxed-math", "-cl-unsafe-math-optimizations", "-cl-finite-math-only", "-cl-no-signed-zeros",
              "-cl-mad-enable", "-cl-denorms-are-zero", "-cl-single-precision-constant", "--use_fast_math", "-use_fast_math",
              "--ftz", "-ftz", "--prec-div", "-prec-div", "--prec-sqrt", "-prec-sqrt", "--fmad", "-fmad"}
"""Build options that let a device compute otherwise than the text says."""
HARMLESS = ("ftz=false", "prec-div=true", "prec-sqrt=true", "fmad=true")
"""Options of NVRTC that state what holds without them; contraction to fused operations is its default."""
LONG = {"--define-macro=": "-D", "--include-path=": "-I"}

OWN_IDENTITY = re.compile(rb"#\s*(define|undef)\s+get_global_(id|offset|linear_id)\b")
OWN_SIZE = re.compile(rb"#\s*(define|undef)\s+get_\w+\b")


@dataclass(frozen=True, slots=True)
class Options:
    """Build options as a front end takes them. `arithmetic`: those that change what floats come to."""

    defines: dict[str, str]
    folders: tuple[str, ...]
    arithmetic: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Laid:
    """A program on disk: its file, folders for `#include`, options."""

    file: str
    folder: str
    includes: tuple[str, ...]
    options: Options


def read_options(text: str) -> Options:
    """The macros and folders of an option text. InputError where its quotes do not match."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise InputError(f"the build options '{text}' cannot be read: {error}") from error
    defines: dict[str, str] = {}
    folders: list[str] = []
    arithmetic: list[str] = []
    at = 0
    while at < len(words):
        word = _short(words[at])
        at += 1
        if word in ("-D", "-I") and at < len(words):
            word += words[at]
            at += 1
        if word.startswith("-D"):
            name, equals, value = word[2:].partition("=")
            defines[name] = value if equals else "1"
        elif word.startswith("-I"):
            folders.append(word[2:])
        elif word.partition("=")[0] in ARITHMETIC and not word.endswith(HARMLESS):
            arithmetic.append(word)
    if "-cl-fast-relaxed-math" in arithmetic:
        defines.setdefault("__FAST_RELAXED_MATH__", "1")
    return Options(defines, tuple(dict.fromkeys((*folders, "."))), tuple(arithmetic))


def _short(word: str) -> str:
    """An option by its short name."""
    return next((short + word.removeprefix(long) for long, short in LONG.items() if word.startswith(long)), word)


def why_unread(program: Program) -> str | None:
    """Why the kernels of a program cannot be checked; None where they can."""
    match program.kind:
        case "source":
            return None if program.content is not None else "its text could not be stored when it was recorded"
        case "linked":
            whys = [why_unread(part) for part in program.inputs]
            return next((why for why in whys if why), None if whys else "what it was linked from is not in the recording")
        case "binary":
            return f"its program was made from a binary ({_named(program)}): there is no source"
        case "il":
            return f"its program was made from IL ({_named(program)}): there is no source"
        case "built-in":
            return f"it is built into the device ({program.names})"
        case "module":
            whence = f" of {program.names}" if program.names else ""
            return (f"its code comes from a module{whence}, whose text is not known: give its .cu files with 'spmd record "
                    "--sources' or 'spmd launches DIR --sources'")
    return "where its program comes from is not in the recording"


def _named(program: Program) -> str:
    return f"{program.bytes} bytes, SHA-256 {program.sha256[:12]}"


def lay_out(recording: Recording, program: Program, shape: Shape) -> Laid:
    """The files of a program for a launch: where its work-items begin elsewhere than at 0, or its last groups are smaller, the
    text says so at its head. UnsupportedError for one without a text, or whose text has such functions of its own."""
    why = why_unread(program)
    if why is not None:
        raise UnsupportedError(why)
    if program.kind == "linked":
        program = _part_with(recording, program, shape.kernel)
    options = read_options(program.options)
    head = _head(recording, program, shape)
    name = hashlib.sha256(repr((program.content, program.headers, program.options, head)).encode()).hexdigest()[:16]
    folder = room(str(recording.folder)) / name
    file = folder / ("program.cu" if program.language == "cuda" else "program.cl")
    put(file, head + content_of(recording, str(program.content)))
    roots = {given: folder.joinpath("headers", str(number), *DEPTH)
             for number, given in enumerate(dict.fromkeys(("", *options.folders, *(each.folder for each in program.headers))))}
    for header in program.headers:
        target = Path(os.path.normpath(roots[header.folder] / header.name))
        if folder in target.parents:
            put(target, content_of(recording, header.content))
    used = [root for given, root in roots.items() if any(header.folder == given for header in program.headers)]
    return Laid(str(file), str(folder), tuple(map(str, used)), options)


def _head(recording: Recording, program: Program, shape: Shape) -> bytes:
    """Lines before a text by which its work-items have their offset and its groups their sizes."""
    if not (any(shape.offset) or shape.smaller):
        return b""
    texts = [content_of(recording, name) for name in (str(program.content), *(header.content for header in program.headers))]
    if any(shape.offset) and (any(map(OWN_IDENTITY.search, texts)) or "get_global_" in program.options):
        raise UnsupportedError("a global offset, where the text defines get_global_id or get_global_offset itself")
    if shape.smaller and (any(map(OWN_SIZE.search, texts)) or "get_" in program.options):
        raise UnsupportedError("smaller last work-groups, where the text defines functions of work-items itself")
    return (_offset_lines(shape.offset) if any(shape.offset) else b"") + (_smaller_lines(shape) if shape.smaller else b"")


def _smaller_lines(shape: Shape) -> bytes:
    """Sizes of the groups and of the whole, as OpenCL has them: a group behind the full ones has what is left."""
    local, whole = "get_local_size(d)", "1"
    for axis, (total, block) in enumerate(zip(shape.total or (), shape.block or (), strict=True)):
        whole = f"(d) == {axis} ? {total} : {whole}"
        if total % block:
            local = f"(d) == {axis} && get_group_id({axis}) == {total // block} ? {total % block} : {local}"
    return f"#define get_local_size(d) ((size_t)({local}))\n#define get_global_size(d) ((size_t)({whole}))\n".encode()


def _offset_lines(offset: tuple[int, ...]) -> bytes:
    value = "0"
    for axis, begin in reversed(list(enumerate(offset))):
        value = f"(d) == {axis} ? {begin} : {value}"
    return (f"#define get_global_id(d) (get_global_id(d) + (size_t)({value}))\n#define get_global_offset(d) ((size_t)({value}))\n"
            ).encode()


def _part_with(recording: Recording, program: Program, kernel: str) -> Program:
    """The part of a linked program that holds a kernel."""
    parts = [part for part in _parts(program) if part.content is not None
             and kernel.encode() in content_of(recording, part.content)]
    if len(parts) != 1:
        raise UnsupportedError(f"its program was linked from {len(program.inputs)} others, and which of them holds '{kernel}' is "
                               "not certain")
    return parts[0]


def _parts(program: Program) -> list[Program]:
    return [leaf for part in program.inputs for leaf in (_parts(part) if part.kind == "linked" else [part])]


def content_of(recording: Recording, name: str) -> bytes:
    """A text by its hash. InputError where it is missing or is not what its name says."""
    try:
        content = (recording.folder / "contents" / name).read_bytes()
    except OSError as error:
        raise InputError(f"{recording.name}: the text {name[:12]} is missing from the recording ({error.strerror})") from error
    if hashlib.sha256(content).hexdigest() != name:
        raise InputError(f"{recording.name}: the text {name[:12]} is not what was recorded")
    return content


@cache
def room(recording: str) -> Path:
    """Where programs are laid out: in the recording, or beside the user's temporary files where that cannot be written."""
    room = Path(recording) / "sources"
    try:
        room.mkdir(exist_ok=True, mode=0o700)
        if os.access(room, os.W_OK):
            return room
    except OSError:
        pass
    return Path(tempfile.mkdtemp(prefix="spmd-recording-"))


def put(path: Path, content: bytes) -> None:
    if path.exists() and path.read_bytes() == content:
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        put_private(path, content)
    except OSError as error:
        raise InputError(f"'{path}' cannot be written: {error.strerror}") from error
