"""The texts of a revision in a private folder, where every reader finds them with their headers beside them.

In: a revision. Out: a folder tree of the same shape that holds what can matter to a kernel: C, C++, CUDA and OpenCL texts, what
they include whatever it is called, what says how they are compiled, and programs in other languages, which may call what launches
a kernel. Two revisions share the bytes of files that are equal in both.

A file tree is what front ends, preprocessors and the search for headers know how to read, whatever the size of the repository.
Names are taken as git has them if they stay inside; links are made if they point inside.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from shutil import disk_usage, rmtree
from tempfile import gettempdir, mkdtemp

from automata.lang.cmake import ENDING as CMAKE
from automata.lang.cmake import LISTS
from automata.lang.compile_commands import BUILDS, NAME
from automata.lang.makefiles import NAMES as MAKEFILES
from automata.lang.project import HEADERS, INCLUDE, UNITS
from automata.lang.reached import is_of_another
from automata.place import InputError
from automata.processes import is_running
from spmd.diff.revision import LINK, Repository, Revision

KERNELS = (".cl", ".clh")
TEXTS = (*UNITS, *HEADERS, *KERNELS)
BUILD = (NAME, *MAKEFILES, LISTS, "spmd.toml", "pyproject.toml")
WORDS = ".rsp"
OTHER_THINGS = (".md", ".rst", ".png", ".jpg", ".jpeg", ".gif", ".svg", ".pdf", ".yml", ".yaml", ".py", ".ipynb", ".html", ".css",
                ".js", ".ts", ".sh", ".toml", ".lock", ".gitignore", ".gitattributes", ".gitmodules")
MINE = "spmd-diff-of-"
LEFT = re.compile(re.escape(MINE) + r"(\d{1,9})-\w+")
OLD, NEW = "spmd-diff-old", "spmd-diff-new"
MEMORY, ROOM = "/dev/shm", 2_000_000_000
"""A folder in memory, and the room that it must have: thousands of small files are made and removed there in no time."""
STATED = ("TMPDIR", "TEMP", "TMP")


@dataclass(frozen=True, slots=True)
class Exported:
    """A revision and the folder that its texts lie in."""

    revision: Revision
    root: str

    def path(self, name: str) -> str:
        return os.path.join(self.root, name)

    def name(self, path: str) -> str | None:
        """A path of the folder as the repository has it; None for one outside."""
        real = os.path.realpath(path)
        return os.path.relpath(real, self.root) if real.startswith(self.root + os.sep) else None

    def has(self, name: str) -> bool:
        return os.path.isfile(self.path(name))


@contextmanager
def exported(repository: Repository, old: Revision, new: Revision) -> Iterator[tuple[Exported, Exported]]:
    """Both revisions in a folder that goes away afterwards."""
    try:
        base = _folder()
        _clear_up(base)
        base = os.path.realpath(mkdtemp(prefix=f"{MINE}{os.getpid()}-", dir=base))
    except OSError as error:
        raise InputError(f"no temporary folder can be made ({error.strerror}): name one in TMPDIR") from error
    try:
        sides = Exported(old, os.path.join(base, OLD)), Exported(new, os.path.join(base, NEW))
        _make.cache_clear()
        kept: dict[str, str] = {}
        for side in sides:
            os.mkdir(side.root)
            _write_all(repository, side, kept)
            _write_build(repository, side)
        yield sides
    except OSError as error:
        raise InputError(f"cannot write to the temporary folder: {error.strerror}") from error
    finally:
        rmtree(base, ignore_errors=True)


def _folder() -> str:
    """Where folders that go away are made: as the environment says, else in memory if there is room."""
    base = gettempdir()
    if base == "/tmp" and not any(name in os.environ for name in STATED) and os.access(MEMORY, os.W_OK | os.X_OK):
        with suppress(OSError):
            return MEMORY if disk_usage(MEMORY).free > ROOM else base
    return base


def _clear_up(base: str) -> None:
    """Remove what a call left that was ended from outside. Folders of other users and of calls that go on stay."""
    for name in os.listdir(base):
        found = LEFT.fullmatch(name)
        path = os.path.join(base, name)
        with suppress(OSError):
            if found and not is_running(int(found[1])) and os.lstat(path).st_uid == os.getuid() and not os.path.islink(path):
                rmtree(path, ignore_errors=True)


def is_text(name: str) -> bool:
    """Whether a file of this name is read for what it may say of kernels."""
    return name.endswith((*TEXTS, WORDS, CMAKE)) or os.path.basename(name) in BUILD


def can_matter(name: str) -> bool:
    """Whether a file may say something of kernels: what texts include can have any name but those of other things."""
    return is_text(name) or not name.lower().endswith(OTHER_THINGS)


def _is_inside(name: str) -> bool:
    parts = name.split("/")
    return not name.startswith("/") and all(part not in ("", ".", "..") and part.lower() != ".git" for part in parts)


def _write_all(repository: Repository, side: Exported, kept: dict[str, str]) -> None:
    """Write the texts of a revision, then what they include under other names, and so on. `kept`: where each blob lies."""
    entries = {name: entry for name, entry in side.revision.entries.items() if _is_inside(name)}
    wanted = [name for name, entry in entries.items() if entry.is_file and (is_text(name) or is_of_another(name))]
    written = set[str]()
    odd: dict[str, list[str]] = {}
    for name, entry in entries.items():
        if entry.is_file and not is_text(name):
            odd.setdefault(os.path.basename(name), []).append(name)
    while wanted:
        named = set[str]()
        for name, data in _contents(repository, {name: entries[name].blob for name in wanted}):
            _write(side, name, data, entries[name].blob, kept)
            named |= {os.path.basename(each) for each in INCLUDE.findall(data.decode("latin-1"))}
        written |= set(wanted)
        wanted = [name for each in sorted(named & odd.keys()) for name in odd[each] if name not in written]
    for name, entry in entries.items():
        if entry.mode.startswith(LINK) and name.endswith(TEXTS):
            _link(repository, side, name, entry.blob)


def _contents(repository: Repository, blobs: dict[str, str]) -> Iterator[tuple[str, bytes]]:
    names: dict[str, list[str]] = {}
    for name, blob in blobs.items():
        names.setdefault(blob, []).append(name)
    for blob, data in repository.blobs(names):
        for name in names[blob]:
            yield name, data


def _place(side: Exported, name: str) -> Path:
    path = Path(side.root, name)
    _make(str(path.parent))
    return path


@cache
def _make(folder: str) -> None:
    os.makedirs(folder, exist_ok=True)


def _write(side: Exported, name: str, data: bytes, blob: str, kept: dict[str, str]) -> None:
    path = os.path.join(side.root, name)
    _make(os.path.dirname(path))
    with suppress(FileExistsError):
        if blob in kept and _linked(kept[blob], path):
            return
        with open(path, "xb") as stream:
            stream.write(data)
        kept[blob] = path
        return
    os.unlink(path)  # one that differs in case, on a system that does not tell
    _write(side, name, data, blob, kept)


def _linked(known: str, path: str) -> bool:
    try:
        os.link(known, path)
    except FileExistsError:
        raise
    except OSError:
        return False
    return True


def _link(repository: Repository, side: Exported, name: str, blob: str) -> None:
    """A link of the repository, if it stays in the folder."""
    path = _place(side, name)
    target = os.fsdecode(next(repository.blobs([blob]))[1])
    real = os.path.realpath(os.path.join(path.parent, target))
    if not os.path.isabs(target) and real.startswith(side.root + os.sep) and not path.exists():
        path.symlink_to(target)


def _write_build(repository: Repository, side: Exported) -> None:
    """The flags of a build that is not part of the repository, where the work tree has one: its paths, as paths of this
    folder."""
    if any(os.path.basename(name) == NAME for name in side.revision.entries):
        return
    for found in _databases(repository.top):
        try:
            text = Path(found).read_text(encoding="utf-8")
            json.loads(text)
        except (OSError, ValueError):
            continue
        tops = sorted({repository.top, os.path.realpath(repository.top)}, key=len, reverse=True)
        for top in tops:
            text = text.replace(json.dumps(top)[1:-1] + "/", json.dumps(side.root)[1:-1] + "/")
        _place(side, os.path.relpath(found, repository.top)).write_text(text, encoding="utf-8")


def builds(top: str) -> tuple[str, ...]:
    """The flags of builds that the work tree has, as they are."""
    found = []
    for path in _databases(top):
        with suppress(OSError):
            found += [path, Path(path).read_text(encoding="utf-8", errors="replace")]
    return tuple(found)


def _databases(top: str) -> Iterable[str]:
    try:
        beside = sorted(name for name in os.listdir(top) if BUILDS.fullmatch(name))
    except OSError:
        return []
    return [path for build in ("", *beside) if os.path.isfile(path := os.path.join(top, build, NAME))]
