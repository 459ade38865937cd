"""What is looked at before clang sees a text: which files it may read, and whether it could choke on one.

clang parses by recursion and expands macros without limit, so a hostile or generated file could take the
process down. Refused here: brackets nested more than 200 deep, a chain of operators or `else if` in the
thousands, macros whose expansion could pass two million tokens, files outside the source's own folder
tree and the include paths, and includes whose name a macro makes that is no name of a file wherever it is defined; but for one
that is made of a name which nothing defines (`#ifdef MORE`, `#include FILE_OF(MORE)`), or by one: no build here gives it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from automata.lang.clang.expansion import Macros, bound_expansion
from automata.lang.source import is_inside, mended, read_raw
from automata.place import InputError, Place, UnsupportedError

MAX_DEPTH = 200
MAX_FILES = 2_000
MAX_TOTAL = 16_000_000
MAX_ELSE = 300
MAX_OPERATORS = 1_000

_PIECE = re.compile(
    r'(?P<raw>\b(?:u8|[uUL])?R"(?P<mark>[^()\\\s]{0,16})\(.*?\)(?P=mark)")'
    r"|(?P<comment>//[^\n]*(?:\\\n[^\n]*)*|/\*.*?(?:\*/|\Z))"
    r'|(?P<string>"(?:[^"\\\n]|\\.)*")'
    r"|(?P<char>(?<![0-9a-fA-F])'(?:[^'\\\n]|\\.)+')"
    r"|(?P<open>[(\[{])|(?P<close>[)\]}])|(?P<again>\belse\s+if\b)", re.S)
_SEGMENT = re.compile(r"[;{},#]|\n(?=[ \t]*#)")
_RECURSIVE = re.compile(r"[?=<!~*&+\-|^/%(:]|\b(?:if|for|while|do|switch|sizeof|else)\b")
_DIRECTIVE = re.compile(r"^[ \t]*(?:#|%:)[ \t]*(include_next|include|import)\b[ \t]*([^\n]*)", re.M)
_DEFINE = re.compile(r"^[ \t]*(?:#|%:)[ \t]*define[ \t]+([A-Za-z_$][\w$]*)(\([^)]*\))?([^\n]*)", re.M)
_WORD = re.compile(r"[A-Za-z_$][\w$]*|\S")


@dataclass
class Screened:
    """The files that a text includes, as far as can be told without evaluating conditions, and the names not found.

    `mended`: those whose text is not read as it lies there.
    """

    files: dict[str, str] = field(default_factory=dict)
    mended: set[str] = field(default_factory=set)
    absent: set[str] = field(default_factory=set)


def roots_of(path: str, includes: tuple[str, ...]) -> list[str]:
    """The real folders that a source may read from."""
    return [os.path.realpath(folder) for folder in (os.path.dirname(os.path.abspath(path)), *includes)]


def allowed(path: str, roots: list[str]) -> bool:
    real = os.path.realpath(path)
    return any(is_inside(real, root) for root in roots)


def absent(path: str, includes: tuple[str, ...]) -> set[str]:
    """The headers that a text and what it includes ask for and that lie nowhere; none for a text that is refused anyhow."""
    missing, waiting, seen = set[str](), [os.path.abspath(path)], {os.path.abspath(path)}
    try:
        while waiting and len(seen) <= MAX_FILES:
            current = waiting.pop()
            for name, place in _includes(read_raw(current), current, None):
                found = _find(name, current, includes, place)
                if found is None:
                    missing.add(name)
                elif os.path.abspath(found) not in seen:
                    seen.add(os.path.abspath(found))
                    waiting.append(os.path.abspath(found))
    except (InputError, UnsupportedError):
        return set()
    return missing


def screen(path: str, text: str, includes: tuple[str, ...], given: Iterable[str] = ()) -> Screened:
    """Look at a text and all that it includes. InputError or UnsupportedError when clang must not see it. `given`: the macros
    that are defined outside of them."""
    roots = roots_of(path, includes)
    done = Screened({os.path.abspath(path): text})
    waiting = [os.path.abspath(path)]
    macros: Macros = {name: [] for name in given}
    total = 0
    again: dict[str, str] = {}
    while waiting:
        current = waiting.pop()
        body = done.files[current]
        total += len(body)
        if len(done.files) > MAX_FILES or total > MAX_TOTAL:
            raise InputError(f"the file includes more than {MAX_FILES} files or {MAX_TOTAL} bytes", Place(path, 0, 0))
        plain = strip(body, current)
        _collect_macros(plain, macros)
        if _names_by_macros(plain):
            again[current] = plain
        asked_for = [(current, *each) for each in _includes(plain, current, None)]
        if not waiting:
            asked_for += [(name, *each) for name, text in again.items() for each in _includes(text, name, macros)]
        for source, asked, place in asked_for:
            found = _find(asked, source, includes, place)
            if found is None:
                done.absent.add(asked)
            elif not allowed(found, roots):
                raise InputError(f"the include '{asked}' lies outside the file's folder and the include paths", place)
            elif os.path.abspath(found) not in done.files:
                raw, name = read_raw(found), os.path.abspath(found)
                done.files[name] = mended(raw)
                if done.files[name] != raw:
                    done.mended.add(name)
                waiting.append(name)
    macros = {name: bodies for name, bodies in macros.items() if bodies}
    bound_expansion(macros, [strip(body, name) for name, body in done.files.items()] if macros else [], path)
    return done


def strip(text: str, path: str) -> str:
    """The text without comments, its nesting checked; lines joined where a backslash ends one."""
    joined = text.replace("??=", "#").replace("??/\n", "") if "??" in text else text
    depth, at = 0, 0
    pieces: list[str] = []
    chains: dict[int, int] = {}
    for match in _PIECE.finditer(joined):
        kind = match.lastgroup
        if kind == "comment":
            pieces += [joined[at:match.start()], " "]
            at = match.end()
        elif kind == "open":
            depth += 1
            chains[depth] = 0
        elif kind == "close":
            depth = max(0, depth - 1)
        elif kind == "again":
            chains[depth] = chains.get(depth, 0) + 1
        if depth > MAX_DEPTH or chains.get(depth, 0) > MAX_ELSE:
            what = f"more than {MAX_ELSE} 'else if' in one block"
            what = f"brackets nested more than {MAX_DEPTH} deep" if depth > MAX_DEPTH else what
            raise UnsupportedError(what, Place(path, joined.count("\n", 0, match.start()) + 1, 1))
    pieces.append(joined[at:])
    plain = "".join(pieces)
    check_segments(plain, path)
    return plain.replace("\\\n", " ")


def check_segments(plain: str, path: str) -> None:
    """Refuse a stretch without a separator that has more than a thousand operators: clang descends into each."""
    start = 0
    for match in _SEGMENT.finditer(plain):
        if match.start() - start > MAX_OPERATORS and len(_RECURSIVE.findall(plain, start, match.start())) > MAX_OPERATORS:
            raise UnsupportedError(f"an expression of more than {MAX_OPERATORS} operators",
                                   Place(path, plain.count("\n", 0, start) + 1, 1))
        start = match.end()


def _names_by_macros(plain: str) -> bool:
    """Whether an include of a text does not say itself which file it asks for."""
    return any(match.group(2).strip()[:1] not in ('"', "<") for match in _DIRECTIVE.finditer(plain))


def _includes(plain: str, path: str, macros: Macros | None) -> list[tuple[str, Place]]:
    """The files that a text asks for. An include that names a macro asks for all that the macro is defined as somewhere; None for
    `macros`: such includes are passed by until all else is read."""
    found = []
    for match in _DIRECTIVE.finditer(plain):
        rest = match.group(2).strip()
        place = Place(path, plain.count("\n", 0, match.start()) + 1, 1)
        if rest[:1] not in ('"', "<") and (macros is None or _names_nothing(rest, macros)):
            continue
        if macros is not None and _is_of_a_library(rest, macros):
            continue
        bodies = macros.get(rest) if macros is not None else None
        written = [text.strip() for _, text in bodies] if bodies else [rest] if rest else []
        for text in written:
            name = re.match(r'"([^"\n]+)"|<([^>\n]+)>', text)
            if name is None:
                raise UnsupportedError(f"an include whose name a macro makes: {rest[:40]}", place)
            found.append((name.group(1) or name.group(2), place))
    return found


def _names_nothing(rest: str, macros: Macros) -> bool:
    """Whether an include is made of a word that no macro has for a name, by macros that put nothing to what they are given: it
    asks for a file of that very name, in a folder where any may be."""
    made = re.fullmatch(r"(\w+)\s*\(\s*([A-Za-z_]\w*)\s*\)", rest)
    return made is not None and made[2] not in macros and _only_quotes(made[1], macros, set())


def _is_of_a_library(rest: str, macros: Macros) -> bool:
    """Whether an include is made by a macro with arguments that no text here has (`BOOST_PP_ITERATE()`): no file has such a
    name, and clang refuses it where conditions do not leave it out (`apart.unmade_include`)."""
    made = re.match(r"([A-Za-z_]\w*)\s*\(", rest)
    return made is not None and made[1] not in macros


def _only_quotes(name: str, macros: Macros, seen: set[str]) -> bool:
    """Whether a macro gives what it is given, in quotes or not, perhaps by another such one."""
    if name in seen or not macros.get(name):
        return False
    return all(params and all(word in (*params, "#", "(", ")") or _only_quotes(word, macros, seen | {name})
                              for word in _WORD.findall(body)) for params, body in macros[name])


def _find(name: str, source: str, includes: tuple[str, ...], place: Place) -> str | None:
    """Where an include lies; None if nowhere. A folder of that name is passed by, as compilers do; a device is not a file."""
    for folder in (os.path.dirname(source), *includes):
        candidate = os.path.join(folder, name)
        if os.path.exists(candidate) and not os.path.isdir(candidate):
            if not os.path.isfile(candidate):
                raise InputError(f"the include '{name}' is not a file", place)
            return candidate
    return None


def _collect_macros(plain: str, macros: Macros) -> None:
    for match in _DEFINE.finditer(plain):
        params = tuple(word.strip() for word in (match.group(2) or "")[1:-1].split(",")) if match.group(2) else ()
        macros.setdefault(match.group(1), []).append((params, match.group(3)))
