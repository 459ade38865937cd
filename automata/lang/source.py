"""The files that are read, and where each part of preprocessed text came from.

A position counts characters through all files read: file number two begins where number one ends.
"""

from __future__ import annotations

import bisect
import os
import re
import stat
from dataclasses import dataclass, field

from automata.lang.arrows import with_arrows
from automata.lang.hints import without_hints
from automata.lang.macros import LEX, NEXT, Token, fuses
from automata.place import InputError, Place

_WORD = re.compile(r"[^\W\d]\w*")
BLANK = r"(?>\s++|//[^\n]*+|/\*(?:[^*]|\*(?!/))*+\*/)"
RAW_STRING = re.compile(rf'{BLANK}*+R"([^()\\\s]{{0,16}})\(')
PARTED = re.compile(r"(?<=\w)(?:(?:\\\r?\n)++\w++)++")
CONTINUED = re.compile(r"\\\r?\n")
MAX_BYTES = 4_000_000
MAX_LINE = 400_000


@dataclass(frozen=True, slots=True)
class Written:
    """The lines of a text as the user wrote them, and as they were mended."""

    raw: tuple[str, ...]
    mended: tuple[str, ...]

    @staticmethod
    def of(raw: str, mended: str) -> Written | None:
        """None where nothing was mended."""
        return None if raw == mended else Written(tuple(raw.split("\n")), tuple(mended.split("\n")))

    def column(self, line: int, column: int) -> int:
        """The user's column of what has a column in a mended line; of what was put in, where that begins."""
        if not 0 < line <= min(len(self.raw), len(self.mended)):
            return column
        raw, mended = self.raw[line - 1], self.mended[line - 1]
        same = _in_common(raw, mended)
        after = _in_common(raw[same:][::-1], mended[same:][::-1])
        if column <= same:
            return column
        return column + len(raw) - len(mended) if column > len(mended) - after else same + 1


def _in_common(one: str, two: str) -> int:
    """How many characters two texts begin with alike."""
    return next((at for at, (mine, other) in enumerate(zip(one, two, strict=False)) if mine != other), min(len(one), len(two)))


@dataclass(frozen=True, slots=True)
class FileRead:
    """A file that was read; its characters have the positions from `base` on. `lines`: where each line begins; `written`:
    where some were mended."""

    path: str
    base: int
    text: str = field(repr=False)
    lines: tuple[int, ...] = field(repr=False)
    written: Written | None = field(default=None, repr=False)

    def place(self, offset: int) -> Place:
        """The place of a character of `text`, as it is in the user's file."""
        line = bisect.bisect_right(self.lines, offset)
        column = offset - self.lines[line - 1] + 1
        column = column if self.written is None else self.written.column(line, column)
        return Place(self.path, line, column)


@dataclass(frozen=True, slots=True)
class Text:
    """Preprocessed text. It is a row of stretches: `starts` says where each begins, `origins` its position in the
    files read and whether it is a copy from there on (else all of it has this one place).

    `missing`: the includes that were not found; `original`: the file as it was; `arch`: the value of `__CUDA_ARCH__` that the
    text asked for, empty if it did not. Of host code, `doubts`: the positions between which conditions decide that are not the
    file's own; `parted`: those of them that are no whole statements; `unsure`: macros that they may define, and what macros that
    they use bring; `is_lost`: they decide more than can be told. `asked`: the macros of others that conditions asked about, each
    with what it stood for (`given.Asks`); `asks`: all that they asked about, whether by its value. `is_of_linux`: host code as
    that compiles it.
    """

    path: str
    text: str
    starts: tuple[int, ...]
    origins: tuple[tuple[int, bool], ...]
    files: tuple[FileRead, ...]
    missing: tuple[str, ...]
    original: str = field(repr=False)
    arch: str = ""
    doubts: tuple[tuple[int, int], ...] = ()
    is_lost: bool = False
    asked: dict[str, str | None] = field(default_factory=dict)
    asks: dict[str, bool] = field(default_factory=dict)
    is_of_linux: bool = False
    parted: frozenset[tuple[int, int]] = frozenset()
    unsure: frozenset[str] = frozenset()

    def is_doubted(self, offset: int) -> bool:
        """Whether what stands at an offset of `text` comes from between such positions."""
        index = bisect.bisect_right(self.starts, offset) - 1
        at, copied = self.origins[index] if index >= 0 else (-1, False)
        at += offset - self.starts[index] if copied else 0
        return any(begin <= at < end for begin, end in self.doubts)

    def words(self, begin: int, end: int) -> set[str]:
        """The words between two positions."""
        return {word for file in self.files
                for word in _WORD.findall(file.text, max(begin - file.base, 0), max(end - file.base, 0))}

    def place(self, offset: int) -> Place:
        """The user's place of what stands at an offset of `text`."""
        index = bisect.bisect_right(self.starts, offset) - 1
        if index < 0:
            return Place(self.path, 1, 1)
        at, copied = self.origins[index]
        return locate(self.files, at + (offset - self.starts[index] if copied else 0))


def locate(files: tuple[FileRead, ...] | list[FileRead], at: int) -> Place:
    """The place of a position."""
    if at < 0:
        return Place(files[0].path, 0, 0)
    file = files[bisect.bisect_right(files, at, key=lambda file: file.base) - 1] if len(files) > 1 else files[0]
    return file.place(at - file.base)


def blanked(text: str) -> str:
    """Blanks of the same length and lines."""
    return " " * len(text) if "\n" not in text else re.sub(r"[^\n]", " ", text)


def is_inside(real: str, root: str) -> bool:
    """Whether a real path is a real folder or lies in it."""
    return real == root or real.startswith(root.rstrip(os.sep) + os.sep)


def read_source(path: str) -> str:
    """The text of a source file as it is read. InputError when it is missing, no regular file, too large or binary."""
    return mended(read_raw(path))


def read_file(path: str, base: int) -> FileRead:
    """The same, with the positions of its characters from `base` on."""
    raw = read_raw(path)
    text = mended(raw)
    lines = (0, *(found.end() for found in re.finditer("\n", text)))
    return FileRead(path, base, text, lines, Written.of(raw, text))


def mended(text: str) -> str:
    """A text as it is read: words that lines part made whole, hints of other tools passed over, inline PTX written out where
    it is known, arrows of launches made whole."""
    text = with_arrows(without_hints(unquoted(whole_words(text)))[0])
    if "asm" not in text:
        return text
    from automata.lang.ptx import without_ptx  # a large table

    return without_ptx(text)


def whole_words(text: str) -> str:
    """A text whose words each stand in one line: the rest of one that a backslash continues moves up in front of it, as it says
    the same there. In a raw string it does not, so a text with one stays as it is."""
    if 'R"' in text:
        return text
    return PARTED.sub(lambda found: CONTINUED.sub("", found[0]) + "".join(CONTINUED.findall(found[0])), text)


def unquoted(text: str) -> str:
    """What a file that is a raw string of C++ as a whole holds, as OpenCL programs are put into host code: the quotes made blank,
    also those between its parts. Any other text as it is."""
    opening = RAW_STRING.match(text)
    if opening is None:
        return text
    mark = re.escape(opening[1])
    between = re.compile(rf'\){mark}"{BLANK}*+R"{mark}\(')
    closing = re.compile(rf'\){mark}"(?=(?:{BLANK}|;)*+\Z)').search(text, opening.end())
    if closing is None or f'){opening[1]}"' in between.sub("", text[opening.end():closing.start()]):
        return text
    inside = between.sub(lambda match: blanked(match[0]), text[opening.end():closing.start()])
    return text[:opening.start(1) - 2] + blanked(opening[0][opening.start(1) - 2 - opening.start():]) + inside + blanked(
        text[closing.start():closing.end()]) + text[closing.end():].replace(";", " ")


def read_raw(path: str) -> str:
    """The text of a source file as it is."""
    if path == "-" and not os.path.exists(path):
        raise InputError("standard input is not read: save the text as a file first", Place(path, 0, 0))
    try:
        status = os.stat(path)
        if stat.S_ISREG(status.st_mode):
            size = status.st_size
            with open(path, "rb") as stream:
                data = stream.read(MAX_BYTES + 1) if size <= MAX_BYTES else b""
        else:
            folder = stat.S_ISDIR(status.st_mode)
            raise InputError("cannot read the file: Is a directory; name a file in it" if folder else
                             "not a regular file; save the text as one first", Place(path, 0, 0))
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read the file: {getattr(error, 'strerror', error)}", Place(path, 0, 0)) from error
    if max(size, len(data)) > MAX_BYTES:
        raise InputError(f"the file has {max(size, len(data))} bytes; this tool reads at most {MAX_BYTES}: "
                         "check a smaller file that holds the kernel", Place(path, 0, 0))
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise InputError("this file is UTF-16; save it as UTF-8", Place(path, 1, 1))
    if b"\0" in data:
        line = data[: data.index(b"\0")].count(b"\n") + 1
        raise InputError("this is a binary file (it has a NUL byte), not kernel source", Place(path, line, 1))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n")


class Output:
    """The result so far. `shift`: by how much positions are ahead of offsets in the copy that is being made."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.starts: list[int] = []
        self.origins: list[tuple[int, bool]] = []
        self.length = 0
        self.shift: int | None = None
        self.last = "\n"

    def copy(self, text: str, at: int) -> None:
        """Append text from a position; a copy that continues the last one joins its stretch."""
        if not text:
            return
        if self.shift is None and fuses(self.last, text[0]):
            self._add(" ", at)
        if self.shift != at - self.length:
            self.starts.append(self.length)
            self.origins.append((at, True))
            self.shift = at - self.length
        self.parts.append(text)
        self.length += len(text)
        self.last = text[-1]

    def _add(self, text: str, at: int) -> None:
        self.starts.append(self.length)
        self.origins.append((at, False))
        self.parts.append(text)
        self.length += len(text)
        self.last = text[-1]
        self.shift = None

    def lines(self, count: int, at: int) -> None:
        """Empty lines in the place of what is not copied."""
        if count:
            self._add("\n" * count, at)

    def tokens(self, tokens: list[Token]) -> None:
        """Append what a macro made, apart from what stands before it wherever two signs could become one."""
        for token in tokens:
            if token.space or fuses(self.last, token.text[0]):
                self._add(" ", token.at)
            self._add(token.text, token.at)


class Cursor:
    """A place in a file. `comments`: the comments passed, from their ends to their starts."""

    def __init__(self, file: FileRead) -> None:
        self.file = file
        self.text = file.text
        self.pos = 0
        self.comments: dict[int, int] = {}

    def place(self, pos: int) -> Place:
        return locate((self.file,), self.file.base + pos)

    def _raw_string(self, match: re.Match[str]) -> tuple[int, str]:
        closer = ")" + match.group()[match.group().index('"') + 1 : -1] + '"'
        found = self.text.find(closer, match.end())
        if found < 0:
            raise InputError("this raw string is never closed", self.place(match.start()))
        return found + len(closer), self.text[match.start() : found + len(closer)]

    def _comment(self, match: re.Match[str]) -> None:
        if match.group().startswith("/*") and (len(match.group()) < 4 or not match.group().endswith("*/")):
            raise InputError("this comment is never closed", self.place(match.start()))
        self.comments[match.end()] = match.start()

    def _starts_line(self, pos: int) -> bool:
        """Whether only blanks and comments stand before a position on its line."""
        while pos:
            if pos in self.comments:
                pos = self.comments[pos]
            elif self.text[pos - 1] in " \t\f\v":
                pos -= 1
            else:
                return self.text[pos - 1] == "\n"
        return True

    def _line(self, begin: int) -> list[Token]:
        """The tokens from `begin` to the end of the line; `pos` then is there."""
        tokens: list[Token] = []
        space = False
        self.pos = len(self.text)
        for match in LEX.finditer(self.text, begin):
            if match.lastgroup == "newline":
                self.pos = match.start()
                break
            if match.lastgroup == "comment":
                self._comment(match)
            if match.lastgroup in ("blank", "comment"):
                space = True
                continue
            tokens.append(Token(match.group(), space, self.file.base + match.start()))
            space = False
            if len(tokens) > MAX_LINE:
                raise InputError(f"more than {MAX_LINE} tokens in one directive", self.place(begin))
        return tokens

    def opens(self) -> bool:
        """Whether the next token is `(`."""
        near = NEXT.match(self.text, self.pos)
        if near:
            return near.group("sign") == "("
        for match in LEX.finditer(self.text, self.pos):
            if match.lastgroup not in ("blank", "comment", "newline"):
                return match.group() == "("
        return False
