"""Texts that are parsed again with something changed: keywords put in, numbers marked, statements taken out.

**Instantiations of kernel templates that host code with errors asks for** (`asked_by_mended`). In: a text whose host functions
use what a missing header declares. Out: the template arguments that its launches have, as far as clang deduces them once the
statements with errors are gone. clang instantiates nothing from a function that it does not understand as a whole; a statement
about a library of which nothing is known has no part in what a launch passes. So such statements are blanked, round by round, in
a copy that is parsed for this alone: what it shows is a guess like any other, which the real text has to bear out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from automata.lang.clang.index import Complaint
from automata.lang.clang.probes import PROBE

ROUNDS = 6
LONGEST = 400
HEAD = re.compile(rb"\s*(?:else\b|(?:if|while|for|switch)\s*(?:constexpr\s*)?(\())")
MARKS = (b";", b"{", b"}")
KEYWORD = re.compile(r"missing 'template' keyword prior to dependent template name '([^']*)'")
INHERITED = re.compile(r"explicit qualification required to use member '([^']*)' from dependent base class")
CHOICE = re.compile(r"call to (constructor of )?'[^']*' is ambiguous")
QUALIFIED = re.compile(rb"(?:[A-Za-z_]\w*\s*::\s*)+(?!template\b)")
"""clang's error may stand at the first word of a qualified name."""
CALLED = re.compile(rb"[A-Za-z_]\w*\s*\(")
NUMBER = b"__spmd_as_number("
OF_NO_POINTER = re.compile(r"restrict requires a pointer or reference \(.*\)")
RESTRICT = re.compile(rb"(?:__restrict__|__restrict|restrict)\b")
ABOVE_ZERO = re.compile(r"ordered comparison between pointer and zero \(.*\)")
ZERO = re.compile(rb">\s*0\b(?![.xX])")
OF_VOID = re.compile(r"arithmetic on a pointer to void")
PLACE = re.compile(rb"(?:\b[A-Za-z_]\w*(?:\[\w*\])*(?:\.|->|::))*\b[A-Za-z_]\w*(?:\[\w*\])*\s*\Z")
BOUND = re.compile(rb"(?:[(,;{}=?:]|\breturn|\*\))\s*\Z")


def with_keywords(errors: Iterable[Complaint], files: Mapping[str, str]) -> dict[str, str]:
    """The files that leave out a keyword `template`, or `this->` for what a base has, which nvcc does not ask for, with it where
    clang does. clang drops the statement otherwise. What follows on that line stands further right then."""
    places: dict[str, dict[int, tuple[str, bytes]]] = {}
    for error in errors:
        for pattern, word in ((KEYWORD, b"template "), (INHERITED, b"this->")):
            if error.file in files and (named := pattern.fullmatch(error.message)):
                places.setdefault(error.file, {})[error.offset] = named[1], word
    changed: dict[str, str] = {}
    for file, names in places.items():
        text = before = files[file].encode("utf-8", "surrogateescape")
        for at in sorted(names, reverse=True):
            name, word = names[at][0].encode(), names[at][1]
            at = qualified.end() if (qualified := QUALIFIED.match(text, at)) else at
            if text[at:at + len(name)] == name and not text[:at].rstrip().endswith(word.strip()):
                text = text[:at] + word + text[at:]
        if text != before:
            changed[file] = text.decode("utf-8", "surrogateescape")
    return changed


def with_numbers(errors: Iterable[Complaint], files: Mapping[str, str]) -> dict[str, str]:
    """The files in which clang finds a call of one argument ambiguous, with that argument marked as a number, which goes to other
    numbers alone. Floats of 16 bits are the compiler's own here and classes to CUDA, where a number that fits one parameter
    by the language's own conversions never goes to a class. What two numbers are to choose between stays ambiguous."""
    places: dict[str, set[int]] = {}
    for error in errors:
        if error.file in files and CHOICE.fullmatch(error.message):
            places.setdefault(error.file, set()).add(error.offset)
    changed: dict[str, str] = {}
    for file, offsets in places.items():
        text = before = files[file].encode("utf-8", "surrogateescape")
        for at in sorted(offsets, reverse=True):
            called = CALLED.match(text, at)
            end = _only_argument(text, called.end()) if called else None
            if called and end is not None and not text.startswith(NUMBER, called.end()):
                text = text[:called.end()] + NUMBER + text[called.end():end] + b")" + text[end:]
        if text != before:
            changed[file] = text.decode("utf-8", "surrogateescape")
    return changed


def without_restrict(errors: Iterable[Complaint], files: Mapping[str, str]) -> dict[str, str]:
    """The files that promise of what is no pointer that nothing else reaches it (`const __restrict__ float3 *x`), which nvcc
    passes over, without that word. Nothing moves."""
    places: dict[str, set[int]] = {}
    for error in errors:
        if error.file in files and OF_NO_POINTER.fullmatch(error.message):
            places.setdefault(error.file, set()).add(error.offset)
    changed: dict[str, str] = {}
    for file, offsets in places.items():
        text = before = files[file].encode("utf-8", "surrogateescape")
        for at in offsets:
            if word := RESTRICT.match(text, at):
                text = text[:at] + b" " * len(word[0]) + text[word.end():]
        if text != before:
            changed[file] = text.decode("utf-8", "surrogateescape")
    return changed


def with_plain_pointers(errors: Iterable[Complaint], files: Mapping[str, str]) -> dict[str, str]:
    """The files with two uses of pointers that g++ and nvcc take and clang does not, as those read them: `p > 0` asks whether a
    pointer is another than null, and a pointer to nothing in particular steps by bytes (`p + 4`; GNU C, "Arithmetic on void- and
    Function-Pointers"), where it is a plain name or member that the sum begins with. What follows on that line stands further
    right then."""
    places: dict[str, dict[int, bool]] = {}
    for error in errors:
        if error.file in files:
            for pattern, is_step in ((ABOVE_ZERO, False), (OF_VOID, True)):
                if pattern.fullmatch(error.message):
                    places.setdefault(error.file, {})[error.offset] = is_step
    changed: dict[str, str] = {}
    for file, steps in places.items():
        text = before = files[file].encode("utf-8", "surrogateescape")
        for at in sorted(steps, reverse=True):
            text = _in_bytes(text, at) if steps[at] else _other_than_null(text, at)
        if text != before:
            changed[file] = text.decode("utf-8", "surrogateescape")
    return changed


def _other_than_null(text: bytes, at: int) -> bytes:
    """The text with `> 0` at a place as `!= 0`: no pointer is below null."""
    return text[:at] + b"!=" + text[at + 1:] if ZERO.match(text, at) else text


def _in_bytes(text: bytes, at: int) -> bytes:
    """The text with what a sum or difference at a place begins with as a pointer to bytes."""
    line = text.rfind(b"\n", 0, at) + 1
    named = PLACE.search(text, line, at)
    if text[at:at + 1] not in (b"+", b"-") or text[at + 1:at + 2] in (b"+", b"-", b"=", b">") or named is None:
        return text
    if BOUND.search(text, max(0, named.start() - LONGEST), named.start()) is None:
        return text
    return text[:named.start()] + b"((char *)" + named[0].rstrip() + b")" + text[named.start() + len(named[0].rstrip()):]


def _only_argument(text: bytes, start: int) -> int | None:
    """Where the one argument of a call ends that begins here; None if there are several or none, or that is not plain to see."""
    depth = 0
    for at in range(start, min(len(text), start + LONGEST)):
        char = text[at:at + 1]
        if char == b")" and depth == 0:
            return at if text[start:at].strip() else None
        if char in b"\"'#{};<" or (char == b"," and depth == 0) or text[at:at + 2] in (b"//", b"/*"):
            return None
        depth += {b"(": 1, b"[": 1, b")": -1, b"]": -1}.get(char, 0)
    return None


def asked_by_mended(names: list[str], errors: list[Complaint], files: Mapping[str, str],
                    parse: Callable[[dict[str, str]], tuple[list[Complaint], Mapping[str, Mapping[str, Any]]]]) -> list[str]:
    """`name<arguments>` of template kernels, as the text without its errors asks for them. `parse`: some files given other texts;
    the errors that are left, and the instantiations that there are."""
    texts = {name: text.encode("utf-8", "surrogateescape") for name, text in files.items()}
    missing = set(names)
    found: list[str] = []
    for _ in range(ROUNDS if names else 0):
        changed = {name: without_statements(text, [error for error in errors if error.file == name])
                   for name, text in texts.items()}
        if changed == texts:
            break
        texts = changed
        errors, instances = parse({name: text.decode("utf-8", "surrogateescape") for name, text in texts.items()})
        for name in sorted(missing & set(instances)):
            found += [f"{name}<{arguments}>" for arguments in instances[name] if re.fullmatch(PROBE, f"{name}<{arguments}>")]
            missing.discard(name)
        if not missing:
            break
    return found


def without_statements(text: bytes, errors: Iterable[Complaint]) -> bytes:
    """The text with each statement or declaration that holds an error made empty, its lines kept."""
    blanked = bytearray(text)
    for error in errors:
        start = _behind_heads(text, max(text.rfind(mark, 0, error.offset) for mark in MARKS) + 1, error.offset)
        end = min((at for mark in MARKS if (at := text.find(mark, error.offset)) >= 0), default=-1)
        if end >= 0 and text[end:end + 1] == b";" and not _is_directive(text, start, error.offset):
            for at in range(start, end):
                if blanked[at] not in b"\n\r":
                    blanked[at] = ord(" ")
    return bytes(blanked)


def _behind_heads(text: bytes, start: int, offset: int) -> int:
    """Where the innermost statement around a place begins: behind `else` and the conditions before it."""
    while (head := HEAD.match(text, start, offset)) is not None:
        at = head.end()
        if head[1]:
            depth = 1
            while depth and at < offset:
                depth += {b"(": 1, b")": -1}.get(text[at:at + 1], 0)
                at += 1
            if depth:
                break
        start = at
    return start


def _is_directive(text: bytes, start: int, offset: int) -> bool:
    """Whether a directive stands between a statement's start and its error: then lines are not its own."""
    return any(line.lstrip().startswith(b"#") for line in text[start:offset + 1].split(b"\n"))
