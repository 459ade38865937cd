"""What `spmd config` tells: each value that holds, with where it comes from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from automata.lang.launch import Launch, find_comment
from automata.limits import TABLE, checked
from automata.place import InputError
from spmd.asked import Question, Source
from spmd.settings.apply import kernels_asked, settled
from spmd.settings.effective import settings_for
from spmd.settings.keys import KEYS, keys_of
from spmd.sides import file_and_kernel

Row = dict[str, Any]
OF_KERNELS = ("timeout", "strict", "mode", "outputs")


def _row(name: str, value: object, origin: str) -> Row:
    return {"name": name, "value": value, "origin": origin}


def rows_of_project(folder: str) -> Iterator[Row]:
    """The values for everything, then how many tables there are of kernels and pairs."""
    settings = settings_for(folder, None)
    for name in keys_of("file"):
        if name not in ("kernel", "pair"):
            found = settings.whole(name)
            yield _row(name, found.value if found.value is not None else "-", found.origin)
    values = settings.file.values if settings.file is not None else {}
    for name in ("kernel", "pair"):
        for at, table in enumerate(values.get(name, ())):
            origin = settings.file.at(f"{name} {at}", next(iter(table), "")) if settings.file else ""
            yield _row(f"{name} {at + 1}", ", ".join(f"{key} = {value}" for key, value in table.items()), origin)


def rows_of_limits(folder: str) -> Iterator[Row]:
    """Each limit on work: its value, what it counts, and where the value comes from."""
    found = settings_for(folder, None).whole("limits")
    stated = checked(found.value or {})
    for limit in TABLE:
        origin = found.origin if limit.name in stated else "default"
        yield _row(limit.name, stated.get(limit.name, limit.standard), f"{origin}; {limit.means}")


def rows_of_kernels(files: Iterable[str], project: str | None) -> Iterator[Row]:
    """For each kernel of some files the values that hold for it."""
    for text in files:
        file, kernel = file_and_kernel(text)
        question = settled(Question(Source(file, kernel, project=project)))
        for item in kernels_asked(question):
            yield _row(f"{item.path}:{item.name}", "", "")
            for name in OF_KERNELS:
                found = question.settings.of(item.path, item.name, name)
                if found.value is not None:
                    yield _row(f"  {name}", found.value, found.origin)
            comment = _comment(item.original, item.path, item.place.line)
            launches = [comment] if comment is not None else question.settings.launches(item.path, item.name)
            for launch in launches or [Launch(source="all sizes, then the launches of the program")]:
                yield _row("  launch", launch_text(launch), launch.source)


def _comment(original: str, path: str, line: int) -> Launch | None:
    try:
        return find_comment(original, path, line)
    except InputError as error:
        return Launch(source=str(error))


def launch_text(launch: Launch) -> str:
    """A launch in the words of a comment."""
    words = [f"{name}={','.join(map(str, sizes))}" for name, sizes in (("block", launch.block), ("grid", launch.grid)) if sizes]
    words += [f"{name}={value}" for name, value in launch.args.items()]
    words += [f"{name}[{size}]" for name, size in launch.extents.items()]
    return " ".join(words) + (f" require {', '.join(launch.requires)}" if launch.requires else "") or "-"


def meaning(where: str, name: str) -> str:
    """What a key means, for comments."""
    return next(key.means for key in KEYS if key.where == where and key.name == name)
