"""A settings file as data, every value checked.

In: a folder of a project. Out: the values of the nearest `spmd.toml` from there up to the project's folder, else of
`[tool.spmd]` of a `pyproject.toml` there, each with the line it stands in. InputError for what is no TOML, for unknown keys,
with the nearest right name, and for values of the wrong kind.
"""

from __future__ import annotations

import os
import re
import tomllib
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from automata.lang.launch import Launch, parse_aliases, parse_sizes, parse_value
from automata.lang.project import upwards
from automata.place import InputError, Place
from spmd.settings.keys import MODES, Key, Where, keys_of

OWN, SHARED = "spmd.toml", "pyproject.toml"
HEADER = re.compile(r"\s*(\[\[?)\s*([\w.\"'-]+)\s*\]")
ASSIGNED = re.compile(r"\s*[\"']?([\w-]+)[\"']?\s*=")
Table = dict[str, Any]


@dataclass(frozen=True)
class File:
    """A settings file. `lines`: of each key, by table (`kernel 0`) and name."""

    path: str
    values: Table
    lines: dict[tuple[str, str], int] = field(default_factory=dict)

    @property
    def folder(self) -> str:
        return os.path.dirname(os.path.realpath(self.path))

    def at(self, table: str, name: str) -> str:
        """Where a value stands, for people."""
        line = self.lines.get((table, name), 0)
        return f"{os.path.relpath(self.path)}:{line}" if line else os.path.relpath(self.path)


def find_file(folder: str, root: str) -> File | None:
    """The settings for what lies in a folder; None where a project has none."""
    for each in upwards(os.path.realpath(folder), os.path.realpath(root)):
        for name in (OWN, SHARED):
            path = os.path.join(each, name)
            if os.path.isfile(path) and (found := read_file(path)) is not None:
                return found
    return None


def read_file(path: str) -> File | None:
    """The settings in a file; None for a `pyproject.toml` that has none."""
    try:
        text = Path(path).read_text(encoding="utf-8")
        whole = tomllib.loads(text)
    except OSError as error:
        raise InputError(f"cannot read the settings: {error.strerror}", Place(path, 0, 0)) from error
    except UnicodeDecodeError as error:
        raise InputError("the settings are not UTF-8", Place(path, 0, 0)) from error
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"line (\d+), column (\d+)", str(error))
        at = Place(path, int(line[1]), int(line[2])) if line else Place(path, 0, 0)
        raise InputError(f"no TOML: {str(error).partition(' (at')[0]}", at) from error
    if os.path.basename(path) == SHARED:
        tool = whole.get("tool")
        if not isinstance(tool, dict) or "spmd" not in tool:
            return None
        file = File(path, tool["spmd"], _lines(text, "tool.spmd"))
    else:
        file = File(path, whole, _lines(text, ""))
    _check_table(file, "file", "", file.values)
    return file


def _lines(text: str, base: str) -> dict[tuple[str, str], int]:
    found: dict[tuple[str, str], int] = {}
    counts: dict[str, int] = {}
    table = "" if not base else None
    for number, line in enumerate(text.split("\n"), 1):
        if header := HEADER.match(line):
            name = header[2]
            inside = not base or name == base or name.startswith(base + ".")
            short = name[len(base):].lstrip(".") if inside else None
            if short and header[1] == "[[":
                counts[short] = counts.get(short, -1) + 1
                found.setdefault(("", short), number)
            table = short if short is None or header[1] == "[" else f"{short} {counts[short]}"
        elif table is not None and (assigned := ASSIGNED.match(line)):
            found.setdefault((table, assigned[1]), number)
    return found


def _check_table(file: File, where: Where, table: str, values: object, line: int = 0) -> None:
    """InputError for a table with a key that is none, or a value of the wrong kind. `line`: where it stands, if it is inline."""
    known = keys_of(where)
    if not isinstance(values, dict):
        raise InputError(f"'{table or 'tool.spmd'}' is no table", Place(file.path, file.lines.get(("", table), 0), 1))
    for name, value in values.items():
        place = Place(file.path, line or file.lines.get((table, name), 0), 1)
        if name not in known:
            near = get_close_matches(name, known, 1, 0.4)
            hint = f"; did you mean '{near[0]}'?" if near else f"; there are: {', '.join(known)}"
            raise InputError(f"unknown key '{name}'{f' of {where}' if where != 'file' else ''}{hint}", place)
        _check_value(file, known[name], value, place)


def _check_value(file: File, key: Key, value: Any, place: Place) -> None:
    """InputError for a value of the wrong kind."""
    def texts(items: object) -> bool:
        return isinstance(items, list) and all(isinstance(item, str) for item in items)

    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    fits = {"number": is_number and value > 0, "count": isinstance(value, int) and is_number and value > 0,
            "flag": isinstance(value, bool), "text": isinstance(value, str) or (key.where == "launch" and is_number),
            "texts": texts(value), "mode": value in MODES, "verdicts": texts(value),
            "table": isinstance(value, dict) and all(isinstance(item, str | int | float) for item in value.values()),
            "launches": isinstance(value, list | dict), "kernels": isinstance(value, list), "pairs": isinstance(value, list)}
    if not fits[key.kind]:
        wanted = {"number": "a number above 0", "flag": "true or false", "text": "a text", "texts": "a list of texts",
                  "mode": f"one of {', '.join(MODES)}", "verdicts": "a list of verdicts", "table": "a table of texts and numbers",
                  "launches": "a launch, or a list of them", "kernels": "tables: [[kernel]]", "pairs": "tables: [[pair]]"}
        raise InputError(f"'{key.name}' has to be {wanted.get(key.kind, key.kind)} ({key.means})", place)
    if key.kind in ("kernels", "pairs"):
        where: Where = "kernel" if key.kind == "kernels" else "pair"
        for at, item in enumerate(value):
            _check_table(file, where, f"{key.name} {at}", item)
            if where == "pair" and (missing := {"original", "optimised"} - item.keys()):
                raise InputError(f"a pair without '{max(missing)}'", place)
    if key.kind == "launches":
        for item in value if isinstance(value, list) else [value]:
            _check_table(file, "launch", "", item, place.line)
            try:
                launch_of(item, str(place))
            except InputError as error:
                raise InputError(error.message, place) from error
    if key.kind == "verdicts":
        check_verdicts(value, place)


def check_verdicts(words: list[str], place: Place) -> None:
    from spmd.diff.verdict import GATES

    if unknown := next((word for word in words if word not in GATES), None):
        raise InputError(f"'{unknown}' is no verdict that fails; there are: {', '.join(GATES)}", place)


def launch_of(table: Table, where: str) -> Launch:
    """A launch as a file states it, in the names of its kernel."""
    sizes = {name: parse_sizes(str(table[name]), name) if name in table else None for name in ("grid", "block")}
    args = {name: parse_value(value) if isinstance(value, str) else value for name, value in table.get("args", {}).items()}
    extents = {name: int(value) if str(value).isdecimal() else str(value) for name, value in table.get("extents", {}).items()}
    aliases = tuple(group for text in table.get("alias", ()) for group in parse_aliases(text))
    return Launch(sizes["grid"], sizes["block"], args, tuple(table.get("require", ())), extents, source=where, is_of_kernel=True,
                  aliases=aliases)
