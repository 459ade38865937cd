"""Launch records (interface: Records): one JSON object to one question. Bad records are told, not guessed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from automata.lang.core import AXES, Axis
from automata.lang.launch import Launch, Sizes, normal_sizes
from automata.lang.preprocess import Dialect
from automata.place import InputError, Place, UnsupportedError
from spmd.asked import Question, Source

KNOWN = {"schema", "id", "file", "kernel", "template_args", "dialect", "grid", "block", "work_dim", "offset",
         "shared_bytes", "defines", "includes", "args", "scalars", "extents", "ranges", "aliases", "requires", "source", "arch",
         "project", "assumes", "count", "sites", "offset_in_text", "present_in_text"}


def read_record(record: Any, base: Path, *, strict: bool = False, seconds: float | None = None) -> Question:
    """A question from a decoded record; a relative file is relative to `base`."""
    if not isinstance(record, dict):
        raise InputError("a launch record is a JSON object")
    unknown = sorted(set(record) - KNOWN)
    if unknown:
        raise InputError(f"launch record: unknown field '{unknown[0]}'")
    _refuse_unread(record)
    dialect = _dialect(record.get("dialect"))
    source = Source(str(base / _text(record, "file")), _kernel(record), dialect,
                    {str(name): str(value) for name, value in _object(record, "defines").items()},
                    tuple(str(base / folder) for folder in _list(record, "includes")), arch=_optional_text(record, "arch"),
                    project=str(base / project) if (project := _optional_text(record, "project")) else None)
    launch = Launch(_sizes(record, "grid"), _sizes(record, "block"), dict(_object(record, "args")),
                    tuple(map(str, _list(record, "requires"))), dict(_object(record, "extents")), _ranges(record), "record",
                    aliases=_aliases(record), offset=tuple(map(int, _list(record, "offset_in_text"))), present=_present(record))
    identity = record.get("id")
    return Question(source, launch, (), tuple(_list(record, "scalars")), record.get("shared_bytes"), strict, seconds,
                    str(identity) if identity is not None else None, assumes=tuple(map(str, _list(record, "assumes"))))


def _refuse_unread(record: dict[str, Any]) -> None:
    if any(record.get("offset") or ()):
        raise UnsupportedError("a global offset in a launch record")


def _dialect(value: object) -> Dialect | None:
    match value:
        case None:
            return None
        case "cuda":
            return "cuda"
        case "opencl":
            return "opencl"
    raise InputError(f"launch record: dialect '{value}' is neither cuda nor opencl")


def _kernel(record: dict[str, Any]) -> str | None:
    """The kernel that is meant, with its template arguments."""
    name = _optional_text(record, "kernel")
    arguments = _list(record, "template_args")
    if not arguments:
        return name
    if name is None:
        raise InputError("launch record: template_args without a kernel")
    return f"{name}<{', '.join(map(str, arguments))}>"


def _text(record: dict[str, Any], name: str) -> str:
    value = record.get(name)
    if not isinstance(value, str):
        raise InputError(f"launch record: '{name}' must be a text")
    return value


def _optional_text(record: dict[str, Any], name: str) -> str | None:
    return None if record.get(name) is None else _text(record, name)


def _object(record: dict[str, Any], name: str) -> dict[str, Any]:
    value = record.get(name) or {}
    if not isinstance(value, dict):
        raise InputError(f"launch record: '{name}' must be an object")
    return value


def _list(record: dict[str, Any], name: str) -> list[Any]:
    value = record.get(name) or []
    if not isinstance(value, list):
        raise InputError(f"launch record: '{name}' must be a list")
    return value


def _sizes(record: dict[str, Any], name: str) -> Sizes | None:
    value = record.get(name)
    if value is None:
        return None
    parts = value if isinstance(value, list) else [value]
    if not 1 <= len(parts) <= 3 or any(not isinstance(part, int | str | None) or isinstance(part, bool) for part in parts):
        raise InputError(f"launch record: '{name}' must hold one to three numbers, expressions or nulls")
    return normal_sizes(parts, name)


def _present(record: dict[str, Any]) -> tuple[tuple[Axis, int], ...]:
    """Threads along the axes whose last groups are smaller; the text says it too (`spmd/recording/sources.py`)."""
    found = _object(record, "present_in_text")
    return tuple((axis, int(found[axis])) for axis in AXES if axis in found)


def _aliases(record: dict[str, Any]) -> tuple[tuple[str, ...], ...]:
    groups = _list(record, "aliases")
    if not all(isinstance(group, list) and len(group) > 1 and all(isinstance(name, str) for name in group) for group in groups):
        raise InputError("launch record: 'aliases' must hold lists of two or more parameters that get one buffer")
    return tuple(map(tuple, groups))


def _ranges(record: dict[str, Any]) -> dict[str, tuple[int, int]]:
    found = {}
    for name, bounds in _object(record, "ranges").items():
        if not isinstance(bounds, list) or len(bounds) != 2 or not bounds[0] < bounds[1]:
            raise InputError(f"launch record: range of '{name}' must be [low, high) with low < high")
        found[name] = (int(bounds[0]), int(bounds[1]))
    return found


def read_record_file(path: str) -> Any:
    """The JSON object in a file, for --launch-a and --launch-b."""
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"cannot read the launch record: {error.strerror}", Place(path, 0, 0)) from error
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        line = getattr(error, "lineno", 0)
        raise InputError(f"not JSON: {getattr(error, 'msg', error)}", Place(path, line, 1)) from error


def read_lines(path: str) -> list[tuple[int, Any]]:
    """The records of a .jsonl file with their line numbers; a line that is no JSON comes as its InputError."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot read the launches: {error.strerror}", Place(path, 0, 0)) from error
    except UnicodeDecodeError as error:
        raise InputError("this is a binary file, not lines of JSON", Place(path, 0, 0)) from error
    found: list[tuple[int, Any]] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            found.append((number, json.loads(line)))
        except (json.JSONDecodeError, RecursionError) as error:
            found.append((number, InputError(f"not JSON: {error}", Place(path, number, 1))))
    return found
