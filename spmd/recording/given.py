"""Sources that the user gives with a recording, for kernels whose text the process does not tell; found there by name.

In: files and folders. Each text in them that could hold or be included by a kernel is kept in the recording, as everything else
that was seen, so that it stays what it was. Out: the one kernel of these texts that a launched symbol stands for. Two that it
may stand for are an error, told with both places.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from automata.lang.read import Found, find_kernels
from automata.place import InputError, UnsupportedError
from spmd.recording.application import read_head, write_head
from spmd.recording.files import put_private
from spmd.recording.read import Recording, Source
from spmd.recording.sources import content_of, put, room
from spmd.recording.symbols import Symbol

ENDINGS = {".cu", ".cuh", ".h", ".hh", ".hpp", ".hxx", ".inl", ".inc", ".c", ".cc", ".cpp", ".cxx", ".ipp", ".tpp"}
MOST_FILES, MOST_BYTES = 4000, 64 << 20
MARK = b"__global__"


def add_sources(folder: str, paths: Iterable[str]) -> None:
    """Keep the texts under some paths in a recording, in place of those it had from there. InputError where a path is not there,
    or holds too much to be sources of one application."""
    target = Path(folder)
    found: dict[tuple[str, str], str] = {}
    size = 0
    for path in paths:
        given = Path(path).absolute()
        if not given.exists():
            raise InputError(f"--sources {path}: there is no such file or folder")
        root = given if given.is_dir() else given.parent
        for file in sorted(given.rglob("*")) if given.is_dir() else _beside(given):
            is_hidden = any(part.startswith(".") for part in file.relative_to(root).parts)
            if file.suffix not in ENDINGS or is_hidden or not file.is_file():
                continue
            content = file.read_bytes()
            size += len(content)
            if len(found) >= MOST_FILES or size > MOST_BYTES:
                raise InputError(f"--sources {path}: more than {MOST_FILES} files or {MOST_BYTES >> 20} MiB of sources; name the "
                                 "folder or files that hold the kernels")
            name = hashlib.sha256(content).hexdigest()
            if not (target / "contents" / name).exists():
                put_private(target / "contents" / name, content)
            found[str(root), str(file.relative_to(root))] = name
    try:
        head = read_head(target)
        roots = {root for root, _ in found}
        head["sources"] = [each for each in head.get("sources", ()) if each["root"] not in roots] + [
            {"root": root, "name": name, "content": content} for (root, name), content in found.items()]
        write_head(target, head)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"no recording in '{folder}' that can be written") from error


def _beside(file: Path) -> list[Path]:
    """A file, and the headers beside it that it could include."""
    units = (".cu", ".c", ".cc", ".cpp", ".cxx")
    return [file, *sorted(other for other in file.parent.iterdir() if other != file and other.suffix not in units)]


def the_one(file: str, symbol: Symbol, defines: dict[str, str], includes: tuple[str, ...], project: str) -> Found:
    """The kernel of a text that a symbol stands for. InputError where there is none, UnsupportedError where there are several."""
    items = [item for item in _kernels(file, symbol, defines, includes, project) if symbol.is_of(item.name)]
    if not items:
        raise InputError(f"no kernel '{symbol}' in the text that its program was compiled from")
    if len({item.place for item in items}) > 1:
        raise UnsupportedError(f"which '{symbol}' was launched is not certain: it stands in lines "
                               + " and ".join(str(item.place.line) for item in items))
    return items[0]


def _kernels(file: str, symbol: Symbol, defines: dict[str, str], includes: tuple[str, ...], project: str) -> list[Found]:
    """The kernels of a text; of templates the instance that is meant."""
    named = symbol.name if "<" in symbol.name else None
    return find_kernels(file, named, "cuda", defines, includes, project=project, in_project=True)


def find_given(recording: Recording, symbol: Symbol) -> tuple[Found, str, str]:
    """The kernel that a symbol stands for, the place that the user knows it by, and the folder that its sources were laid out in.
    UnsupportedError where there is none, or more than one."""
    trees = {root: _laid_out(recording, root) for root in dict.fromkeys(source.root for source in recording.sources)}
    found: dict[tuple[str, int, int], tuple[Found, str]] = {}
    for source in recording.sources:
        if not _may_hold(recording, source, symbol):
            continue
        file = trees[source.root] / source.name
        try:
            items = _kernels(str(file), symbol, {}, (), str(trees[source.root]))
        except InputError as error:
            if _defines(recording, source, symbol):
                raise UnsupportedError(f"'{symbol}' may be in {source.root}/{source.name}, given with --sources, which cannot be "
                                       f"read: {error.message}") from error
            continue
        for item in items:
            if symbol.is_of(item.name):
                found[item.place.file, item.place.line, item.place.column] = (item, str(trees[source.root]))
    if not found:
        raise UnsupportedError(f"kernel '{symbol}' is in none of the {len(recording.sources)} files given with --sources")
    if len(found) > 1:
        places = " and ".join(f"{_told(place[0], trees)}:{place[1]}" for place in found)
        raise UnsupportedError(f"which '{symbol}' was launched is not certain: it stands in {places}; name one with --sources")
    item, tree = next(iter(found.values()))
    return item, f"{_told(item.place.file, trees)}:{item.place.line}", tree


def _may_hold(recording: Recording, source: Source, symbol: Symbol) -> bool:
    """Whether a text marks kernels and names this one and its namespaces."""
    content = content_of(recording, source.content)
    return MARK in content and all(re.search(rb"\b%s\b" % re.escape(word.encode()), content)
                                   for word in (symbol.plain, *(name.partition("[")[0] for name in symbol.namespaces)))


def _defines(recording: Recording, source: Source, symbol: Symbol) -> bool:
    """Whether a text that cannot be read looks as if it held the kernel."""
    pattern = rb"__global__[^;{}]*\b%s\s*\(" % re.escape(symbol.plain.encode())
    return re.search(pattern, content_of(recording, source.content)) is not None


@cache
def _tree(folder: str, root: str, files: tuple[Source, ...]) -> Path:
    name = hashlib.sha256(repr((root, files)).encode()).hexdigest()[:16]
    return room(folder) / name


def _laid_out(recording: Recording, root: str) -> Path:
    files = tuple(source for source in recording.sources if source.root == root)
    tree = _tree(str(recording.folder), root, files)
    for source in files:
        target = tree / source.name
        if ".." not in Path(source.name).parts and not Path(source.name).is_absolute():
            put(target, content_of(recording, source.content))
    return tree


def _told(file: str, trees: dict[str, Path]) -> str:
    """A laid out file by the name that the user knows."""
    for root, tree in trees.items():
        if tree in Path(file).parents:
            return str(Path(root) / Path(file).relative_to(tree))
    return file
