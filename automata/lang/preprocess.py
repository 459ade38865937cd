"""Macros and includes, with positions kept.

The file is read once, from front to back. What no macro and no directive touches is copied as it stands
(comments become blanks, so lines and columns stay); what a macro makes is put in its place. Each stretch
of the result remembers where it came from: a copied one its place in the user's file, a token of a
macro's body the place of the invocation, a token of an argument its own place.
Nothing is read outside the file's own folder tree and the include paths given. Every kind of work has a
bound (bytes read, files, depth, tokens made by macros), so that any input ends soon with a clear message.

For host code (`Side` host) `__CUDA_ARCH__` is not defined, and what conditions decide that are not the file's own (`foreign`) is
doubted: the names in them are noted, and the macros that they define expand with `UNSURE` in front.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from automata.lang.arch import MACRO
from automata.lang.condition import ConditionError
from automata.lang.foreign import ERROR, OTHER_PLATFORMS, TEMPLATE, Asked, Doubts
from automata.lang.given import Asks, predefined, stated
from automata.lang.macros import COMMENT, HEADER, LEX, SCAN, SKIP, Expander, Macro, Token, definition
from automata.lang.questions import Questions
from automata.lang.source import Cursor, FileRead, Output, Text, blanked, is_inside, locate, read_file, read_source
from automata.place import InputError, Place

__all__ = ["Dialect", "Text", "preprocess", "read_source"]

MAX_ALL_BYTES = 16_000_000
MAX_INCLUDES = 10_000
MAX_INCLUDE_DEPTH = 50
MAX_DIRECTIVES = 400_000
RAW = r'"\?"'
"""What stands for a raw string: a string whose text nobody takes for what it seems to be."""
Dialect = Literal["cuda", "opencl"]
Language = Literal["cuda", "opencl", "c", "c++"]  # a dialect, or what the host code of an OpenCL program is written in
Side = Literal["device", "host"]

_CONDITIONALS = frozenset({"if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "else", "endif"})
_IGNORED = frozenset({"", "line", "warning", "ident", "sccs", "assert", "unassert"})


@dataclass
class _Group:
    """An open `#if`: where, whether the text around it is read, whether this branch is, whether one was. `asked`: of host code,
    what it asks about."""

    at: int
    around: bool
    live: bool
    taken: bool = False
    ended: bool = False
    asked: Asked | None = None


class _Reading(Cursor):
    """One file being read. The expander takes the arguments of a call from it: `opens` and `next`."""

    def __init__(self, run: _Run, file: FileRead, real: str, around: tuple[str, ...]) -> None:
        super().__init__(file)
        self.run = run
        self.real = real
        self.folders = (os.path.dirname(file.path), *around)
        self.groups: list[_Group] = []
        self.in_call = False
        self.guard = ""

    @property
    def live(self) -> bool:
        return not self.groups or self.groups[-1].live

    def read(self) -> None:
        """Read to the end."""
        while self.pos < len(self.text):
            if self.live:
                self._copy()
            else:
                self._skip()
        if self.groups:
            raise InputError("this #if is never closed", self.place(self.groups[-1].at))

    def _copy(self) -> None:
        """Copy up to the end or past the next macro or directive."""
        text, macros, begin = self.text, self.run.macros, self.pos
        for match in SCAN.finditer(text, begin):
            kind = match.lastgroup
            if kind is None:
                if match.group() in macros and self._is_used(macros[match.group()], match.end()):
                    self._copied(begin, match.start())
                    self._expand(match)
                    return
            elif kind != "hash":
                self._copied(begin, match.start())
                begin = self._cleaned(kind, match)
                if kind == "raw":
                    self.pos = begin
                    return
            elif self._starts_line(match.start()):
                self._copied(begin, match.start())
                self._directive(match.start())
                self.run.out.lines(text.count("\n", match.start(), self.pos), self.file.base + match.start())
                return
        self._copied(begin, len(text))
        self.pos = len(text)

    def _copied(self, begin: int, end: int) -> None:
        self.run.out.copy(self.text[begin:end], self.file.base + begin)

    def _cleaned(self, kind: str, match: re.Match[str]) -> int:
        """Copy a comment, a spliced line, a raw string or a number with separators as plain C of the same length."""
        begin, end, text = match.start(), match.end(), match.group()
        if kind == "open":
            raise InputError(f"this {text} is never closed", self.place(begin))
        if kind == "raw":
            end, text = self._raw_string(match)
        elif kind == "comment":
            self._comment(match)
        if kind == "spaced":
            text = text.replace("'", "").ljust(len(text))
        elif kind == "raw":
            text = RAW + blanked(text[len(RAW):])
        else:
            text = blanked(text)
        self.run.out.copy(text, self.file.base + begin)
        return end

    def _is_used(self, macro: Macro, end: int) -> bool:
        self.pos = end
        return macro.params is None or self.opens()

    def _expand(self, match: re.Match[str]) -> None:
        """Put in what the macro at `match` makes, and as many lines as its call took."""
        token = Token(match.group(), False, self.file.base + match.start())
        macro = self.run.macros[token.text]
        if macro.params is None and len(macro.body) == 1 and macro.body[0].text not in self.run.macros:
            self.run.expander.pay(2, token.at)
            self.run.expander.used.setdefault(macro.name, macro)
            self.run.out.tokens([Token(macro.body[0].text, False, token.at)])
            return
        self.in_call = True
        made = self.run.expander.expand([token], self)
        self.in_call = False
        self.run.out.tokens(made)
        self.run.out.lines(self.text.count("\n", match.end(), self.pos), self.file.base + match.start())

    def _skip(self) -> None:
        """Leave out what a condition excludes, up to the directive that ends it."""
        begin = self.pos
        while not self.live and self.pos < len(self.text):
            for match in SKIP.finditer(self.text, self.pos):
                if match.lastgroup == "comment":
                    self._comment(match)
                elif match.lastgroup == "hash" and self._starts_line(match.start()):
                    self._directive(match.start())
                    break
            else:
                self.pos = len(self.text)
        if not self.in_call:
            self.run.out.lines(self.text.count("\n", begin, self.pos), self.file.base + begin)

    def next(self) -> Token | None:
        """The next token, past directives between the arguments of a call."""
        space = False
        while match := LEX.match(self.text, self.pos):
            if match.lastgroup == "comment":
                self._comment(match)
            elif match.lastgroup not in ("blank", "newline"):
                if match.group() != "#" or not self._starts_line(match.start()):
                    self.pos = match.end()
                    return Token(match.group(), space, self.file.base + match.start())
                self._directive(match.start())
                self._skip()
                continue
            space = True
            self.pos = match.end()
        return None

    def _directive(self, begin: int) -> None:
        """Obey the directive at `#`; `pos` then is the end of its line."""
        self.run.directives += 1
        if self.run.directives > MAX_DIRECTIVES:
            raise InputError(f"more than {MAX_DIRECTIVES} directives", self.place(begin))
        tokens = self._line(begin + 1)
        name = tokens[0].text if tokens else ""
        if name.isdigit() and len(tokens) > 1 and tokens[1].text[:1] == '"':  # `# 1 "k.cl"`, as compilers mark lines
            name = "line"
        if name in _CONDITIONALS:
            self._conditional(name, tokens[1:], begin)
        elif name not in _IGNORED or name == "line":
            if name == "define" and len(tokens) > 1:
                self.run.asks.own.add(tokens[1].text)
            if self.run.doubts is not None and len(tokens) > 1 and not self.run.is_read(self, name, tokens[1].at):
                self.run.doubts.note(name, tokens[1].text, self.text[tokens[1].at - self.file.base : self.pos])
            if self.live and name != "line":
                self.run.obey(self, name, tokens[1:], begin)

    def _conditional(self, name: str, args: list[Token], begin: int) -> None:
        if name.startswith("if"):
            if name == "ifndef" and not self.groups and args and not COMMENT.sub("", self.text[:begin]).strip():
                self.guard = args[0].text
            around = self.live
            asked = self.run.doubts.open() if self.run.doubts is not None else None
            self.groups.append(_Group(begin, around, around and self.run.holds(self, name, args, begin), asked=asked))
            return
        if not self.groups:
            raise InputError(f"#{name} without #if", self.place(begin))
        group = self.groups[-1]
        if name == "endif":
            self.groups.pop()
            if self.run.doubts is not None and group.asked is not None:
                self.run.doubts.close(group.asked, self.file.base + group.at, self.file.base + self.pos)
            if self.guard and not self.groups and not group.ended and not COMMENT.sub("", self.text[self.pos :]).strip():
                self.run.guards[self.real] = self.guard
            return
        if group.ended:
            raise InputError(f"#{name} after #else", self.place(begin))
        taken = group.taken or group.live
        if self.run.doubts is not None:
            self.run.doubts.asked = group.asked
        group.ended = name == "else"
        group.live = group.around and not taken and (name == "else" or self.run.holds(self, name[2:], args, begin))
        group.taken = taken


class _Run:
    """What all files of one run share: macros, the result, and what may still be read."""

    def __init__(self, path: str, macros: dict[str, Macro], includes: tuple[str, ...], asks: Asks,
                 decided: frozenset[str] | None) -> None:
        self.macros = macros
        self.expander = Expander(macros, lambda at: locate(self.files, at))
        self.out = Output()
        self.files: list[FileRead] = []
        self.known: dict[str, FileRead] = {}
        self.missing: list[str] = []
        self.includes = includes
        self.roots = [os.path.realpath(folder) for folder in (os.path.dirname(os.path.abspath(path)), *includes)]
        self.reals: dict[str, str] = {}
        self.once: set[str] = set()
        self.doubts = Doubts(macros, self.missing, decided) if decided is not None else None
        self.asks = asks
        self.questions = Questions(macros, self.expander, asks, self.doubts)
        self.guards: dict[str, str] = {}
        self.bytes = self.count = self.depth = self.directives = 0

    def open(self, path: str, real: str) -> FileRead:
        """A file, read at its first use."""
        if real not in self.known:
            base = self.files[-1].base + len(self.files[-1].text) + 1 if self.files else 0
            self.known[real] = read_file(path, base)
            self.files.append(self.known[real])
        return self.known[real]

    def obey(self, reading: _Reading, name: str, args: list[Token], begin: int) -> None:
        """A directive that is no condition."""
        place = reading.place(begin)
        if name in ("include", "include_next", "import"):
            self._include(reading, name, args, place)
        elif name == "define":
            try:
                macro = definition(args)
            except ValueError as error:
                raise InputError(f"preprocessor: {error}", place) from error
            self.macros[macro.name] = macro
            self.asks.define(macro)
            if self.doubts is not None:
                self.doubts.define(macro)
        elif name == "undef":
            self.macros.pop(args[0].text if args else "", None)
        elif name == "pragma":
            if args and args[0].text == "once":
                self.once.add(reading.real)
            elif not reading.in_call:
                line = COMMENT.sub(" ", reading.text[begin : reading.pos])
                self.out.copy("" if "\n" in line else line, reading.file.base + begin)
        elif name == "error" and self.doubts is not None:  # it is compiled with other macros, which an unknown header defines
            self.missing.append(ERROR)
        else:
            said = reading.text[args[0].at - reading.file.base : reading.pos].strip() if args else ""
            raise InputError(f"#error {said}".rstrip() if name == "error" else f"preprocessor: #{name} is not a directive", place)

    def holds(self, reading: _Reading, name: str, args: list[Token], begin: int) -> bool:
        """Whether the condition of `#if`, `#ifdef` or `#ifndef` is met."""
        try:
            return self.questions.holds(name, args, lambda *asked: self._find(reading, *asked) is not None)
        except ConditionError as error:
            raise InputError(f"preprocessor: #{name}: {error}", reading.place(begin)) from error

    def _include(self, reading: _Reading, name: str, args: list[Token], place: Place) -> None:
        if reading.in_call:
            raise InputError(f"preprocessor: #{name} between the arguments of a macro", place)
        header = HEADER.match(reading.text, args[0].at - reading.file.base) if args else None
        if args and not header:
            header = HEADER.match("".join(token.text for token in self.expander.expand(args)))
        if not header:
            if not args or not re.match(r"[A-Za-z_]", args[0].text) or args[0].text in self.macros:
                raise InputError(f"preprocessor: #{name} needs a file name", place)
            self.missing.append("".join(token.text for token in args))
            return
        wanted = header.group(1) or header.group(2) or ""
        found = self._find(reading, wanted, header.group(2) is not None, name == "include_next")
        if not found:
            template = self._find(reading, wanted + TEMPLATE, header.group(2) is not None, after=False)
            if self.doubts is None or template is None or not self.doubts.leave_open(template[0], wanted):
                self.missing.append(wanted)
            return
        path, real = found
        if not self._is_seen(real) and not (name == "import" and real in self.known):
            self._read_include(reading, path, real, place)

    def _is_seen(self, real: str) -> bool:
        """Whether a file was read and says that once is enough."""
        return real in self.once or self.guards.get(real) in self.macros

    def is_read(self, reading: _Reading, name: str, at: int) -> bool:
        """Whether a directive is an include of a file of which that is certain: it brings nothing, whoever decides about it. One
        that was read behind a condition of others is noted as that."""
        header = HEADER.match(reading.text, at - reading.file.base) if name == "include" else None
        found = self._find(reading, header[1] or header[2] or "", header[2] is not None, after=False) if header else None
        return found is not None and self._is_seen(found[1]) and (
            self.doubts is None or self.guards.get(found[1]) not in self.doubts.unsure)

    def _read_include(self, reading: _Reading, path: str, real: str, place: Place) -> None:
        try:
            file = self.open(path, real)
        except InputError as error:
            raise InputError(f"#include {os.path.basename(path)}: {error.message}", place) from error
        self.count += 1
        self.bytes += len(file.text)
        self.depth += 1
        if self.depth > MAX_INCLUDE_DEPTH:
            raise InputError(f"includes nest more than {MAX_INCLUDE_DEPTH} deep (does the file include itself?)", place)
        if self.count > MAX_INCLUDES or self.bytes > MAX_ALL_BYTES:
            raise InputError(f"includes hold more than {MAX_ALL_BYTES} bytes" if self.bytes > MAX_ALL_BYTES else
                             f"more than {MAX_INCLUDES} includes", place)
        _Reading(self, file, real, reading.folders).read()
        self.out.lines(1, file.base + len(file.text))
        self.depth -= 1

    def _find(self, reading: _Reading, name: str, quoted: bool, after: bool) -> tuple[str, str] | None:
        """Path and real path of an include inside the folders that may be read."""
        folders = [*reading.folders, *self.includes] if quoted else list(self.includes)
        if after:
            here = [os.path.realpath(folder) for folder in folders]
            own = os.path.dirname(reading.real)
            folders = folders[len(here) - here[::-1].index(own) :] if own in here else folders
        for folder in folders:
            path = os.path.normpath(os.path.join(folder, name))
            if path not in self.reals:
                self.reals[path] = self._readable(path)
            if self.reals[path]:
                return path, self.reals[path]
        return None

    def _readable(self, path: str) -> str:
        """The real path of a file inside the folders that may be read, else nothing."""
        real = os.path.realpath(path)
        inside = any(is_inside(real, root) for root in self.roots)
        return real if inside and os.path.exists(real) and not os.path.isdir(real) else ""


def preprocess(path: str, dialect: Language, *, defines: dict[str, str] | None = None,
               includes: tuple[str, ...] = (), side: Side = "device", library: Mapping[str, Macro] | None = None,
               decided: frozenset[str] = frozenset()) -> Text:
    """Expand one file. `defines`: NAME to replacement; `includes`: folders; `library`: macros of headers that stand before the
    text; `decided`: those of host code that no platform defines. InputError on bad input."""
    if "\0" in path:
        raise InputError("cannot read the file: its name has a NUL byte")
    for folder in includes:
        if not os.path.isdir(folder):
            raise InputError(f"include path '{folder}' is not a folder")
    macros = {**predefined(dialect), **(library or {}), **stated(defines or {})}
    if side == "host":
        macros.pop(MACRO, None)
    given = dict(macros)
    run = _Run(path, macros, includes, Asks(given, defines or {}), decided if side == "host" else None)
    real = os.path.realpath(path)
    file = run.open(path, real)
    try:
        _Reading(run, file, real, ()).read()
    except RecursionError as error:
        raise InputError("macros and includes nest too deeply", Place(path, 0, 0)) from error
    out, doubts, used = run.out, run.doubts, run.expander.used
    if doubts is not None:
        doubts.settle(run.files)
        run.missing += doubts.used("".join(out.parts))
    return Text(path, "".join(out.parts), tuple(out.starts), tuple(out.origins), tuple(run.files), tuple(run.missing), file.text,
                run.expander.asked(given.get(MACRO)) if dialect == "cuda" else "",
                tuple(doubts.ranges) if doubts is not None else (), doubts is not None and doubts.is_lost,
                run.asks.answers(used), run.asks.by_value,
                decided >= OTHER_PLATFORMS,
                frozenset(doubts.parted) if doubts is not None else frozenset(),
                frozenset(doubts.unsure | doubts.brought) if doubts is not None else frozenset())
