"""What git holds of a revision, read from its objects alone.

In: a folder in a repository and the name of a revision. Out: which file has which blob, and the bytes of blobs. Three commands
of git do it all: `rev-parse`, `ls-tree` (`ls-files` for what is staged) and `cat-file`. They read objects and run nothing that
a repository brings with it; nothing is written. One more, `status`, is asked for a note on changes that are not committed.
Every failure is one message that says what to type next.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from automata.place import InputError

STAGED = ":staged"
REGULAR, LINK, SUBMODULE = "100", "120", "160"
"""How the modes of entries begin."""
AT_ONCE = 500
"""Blobs that are asked for in one call."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A file of a revision: its mode and the name of its blob (of a submodule: of its commit)."""

    mode: str
    blob: str

    @property
    def is_file(self) -> bool:
        return self.mode.startswith(REGULAR)


@dataclass(frozen=True, slots=True)
class Revision:
    """A revision as the user names it, its commit ("" for what is staged), and its files by path from the top."""

    name: str
    commit: str
    entries: dict[str, Entry] = field(repr=False)

    @property
    def short(self) -> str:
        return self.commit[:10] or "staged"


class Repository:
    """A repository of git. InputError if a folder is in none."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        if not os.path.isdir(folder):
            raise InputError(f"'{folder}' is no folder")
        self.top = os.path.realpath(folder)
        try:
            self.top = self._line("rev-parse", "--show-toplevel")
        except InputError:
            if self._line("rev-parse", "--is-bare-repository") != "true":
                raise
            self.top = self._line("rev-parse", "--absolute-git-dir")

    def revision(self, name: str) -> Revision:
        """A revision by any name that git takes for a commit."""
        commit = self._commit(name)
        return Revision(name, commit, dict(_tree(self._call("ls-tree", "-r", "-z", "--full-tree", commit))))

    def staged(self) -> Revision:
        """What the next commit would hold."""
        return Revision("staged", "", dict(_index(self._call("ls-files", "--stage", "-z", "--full-name", ":/", folder=self.top))))

    def fork(self, one: str, two: str) -> str:
        """The commit at which two revisions parted."""
        first, second = self._commit(one), self._commit(two)
        try:
            return self._line("merge-base", first, second)
        except InputError as error:
            raise InputError(f"'{one}' and '{two}' have no common commit here{self._if_shallow()}") from error

    def changed_here(self) -> int:
        """How many tracked files of the work tree differ from HEAD."""
        try:
            words = "-c", "core.fsmonitor=false", "status", "--porcelain", "--untracked-files=no", "-z"
            told = self._call(*words, folder=self.top)
            return len([line for line in told.split(b"\0") if line])
        except InputError:
            return 0

    def blobs(self, names: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """The bytes of blobs, by name. InputError where the repository lacks one."""
        left = list(names)
        for at in range(0, len(left), AT_ONCE):
            wanted = left[at:at + AT_ONCE]
            data = self._call("cat-file", "--batch", given="".join(f"{name}\n" for name in wanted).encode())
            yield from _batch(data, wanted)

    def _commit(self, name: str) -> str:
        try:
            return self._line("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
        except InputError as error:
            raise InputError(f"no revision '{name}' here{self._if_shallow()}") from error

    def _if_shallow(self) -> str:
        try:
            is_shallow = self._line("rev-parse", "--is-shallow-repository") == "true"
        except InputError:
            return ""
        return ", for this clone is shallow: fetch more of it first (git fetch --unshallow)" if is_shallow else \
            "; `git branch -a` and `git log` name those that there are"

    def _line(self, *words: str) -> str:
        return os.fsdecode(self._call(*words)).rstrip("\n")

    def _call(self, *words: str, given: bytes = b"", folder: str | None = None) -> bytes:
        """What a command of git says."""
        env = {**os.environ, "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
        try:
            done = subprocess.run(["git", "-C", folder or self.folder, *words], input=given, capture_output=True,
                                  check=False, env=env)
        except FileNotFoundError as error:
            raise InputError("git is not installed, or not in PATH") from error
        if done.returncode:
            raise InputError(_told(done.stderr, self.folder))
        return done.stdout


def _told(said: bytes, folder: str) -> str:
    """What git complains of, in one line."""
    text = " ".join(os.fsdecode(said).split()) or "it gave no reason"
    if "not a git repository" in text:
        return f"'{folder}' is in no git repository; two files are compared with: spmd equiv OLD.cu NEW.cu"
    return f"git: {text.removeprefix('fatal: ')}"


def _tree(data: bytes) -> Iterator[tuple[str, Entry]]:
    for line in data.split(b"\0"):
        head, _, path = line.partition(b"\t")
        words = head.split()
        if len(words) == 3:
            yield os.fsdecode(path), Entry(words[0].decode(), words[2].decode())


def _index(data: bytes) -> Iterator[tuple[str, Entry]]:
    for line in data.split(b"\0"):
        head, _, path = line.partition(b"\t")
        words = head.split()
        if len(words) == 3:
            if words[2] != b"0":
                raise InputError(f"'{os.fsdecode(path)}' has conflicts of a merge: resolve them, then stage it")
            yield os.fsdecode(path), Entry(words[0].decode(), words[1].decode())


def _batch(data: bytes, wanted: list[str]) -> Iterator[tuple[str, bytes]]:
    at = 0
    for name in wanted:
        end = data.index(b"\n", at)
        words = data[at:end].split()
        if len(words) != 3:
            raise InputError(f"git lacks the object {name[:10]}; fetch it first (git fetch --refetch)")
        size = int(words[2])
        yield name, data[end + 1:end + 1 + size]
        at = end + 2 + size
