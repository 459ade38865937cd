"""This distribution owns three top-level packages; two of their names are common words.

A foreign package called `automata` (automata-lib brings one) or `equivalence` may lie anywhere on the path: in a folder of
PYTHONPATH, where `python -m spmd` is called, or among the installed packages, in the very folder that ours is in. The command
has a process of its own, so there ours come first (`come_first`). In a shared folder both live side by side as long as they have
no module in common but `__init__`, and nothing hangs on ours. What is refused, with a remedy, is an installation in which another
distribution has written over one of our modules.
"""

from __future__ import annotations

import os
import sys
from functools import cache

OURS = "spmd-equivalence"
PACKAGES = ("automata", "equivalence")
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def come_first() -> None:
    """Put the folder of our packages before the first one on the path that has another of that name. Where there is none the path
    stays as it is."""
    home = os.path.realpath(ROOT)
    for at, entry in enumerate(sys.path):
        folder = os.path.realpath(entry or os.curdir)
        if folder == home:
            return
        if any(os.path.exists(os.path.join(folder, name + ending)) for name in PACKAGES for ending in ("", ".py")):
            sys.path.insert(at, ROOT)
            return


@cache
def foreign_owners() -> dict[str, list[str]]:
    """For each of our package names, the other distributions that have a module in it that is one of ours, too."""
    from importlib.metadata import distributions

    found: dict[str, set[str]] = {}
    home, resolved = os.path.realpath(ROOT), cache(os.path.realpath)
    for distribution in distributions():
        if resolved(str(distribution.locate_file(""))) == home:
            names = _overwritten(distribution.read_text("RECORD") or distribution.read_text("SOURCES.txt") or "")
            if names and distribution.name != OURS:
                for name in names:
                    found.setdefault(name, set()).add(distribution.name)
    return {name: sorted(owners) for name, owners in sorted(found.items())}


def _overwritten(listed: str) -> set[str]:
    """Which of our packages a list of files that are installed in our folder writes into, beyond what all packages have."""
    if not any(f"{name}/" in listed for name in PACKAGES):
        return set()
    files = (line.partition(",")[0].partition(" ")[0] for line in listed.splitlines())
    return {name for file in files for name in PACKAGES if file.startswith(f"{name}/") and file.endswith(".py")
            and file != f"{name}/__init__.py" and os.path.exists(os.path.join(ROOT, file)) and _is_ours(file)}


@cache
def _own_files() -> frozenset[str]:
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        listed = distribution(OURS).read_text("RECORD") or ""
    except PackageNotFoundError:
        return frozenset()
    return frozenset(line.partition(",")[0] for line in listed.splitlines())


def _is_ours(file: str) -> bool:
    """Whether our distribution lists a file, too; without a list, whatever is there is."""
    return file in _own_files() or not any(name.startswith(PACKAGES) for name in _own_files())


def refusal() -> str | None:
    """The message to stop with, None when all is well."""
    clashes = foreign_owners()
    if not clashes:
        return None
    told = "; ".join(f"modules of '{name}' also come from {', '.join(owners)}" for name, owners in clashes.items())
    return (f"spmd cannot run in this environment: {told}. Install spmd in an environment of its own: "
            "`pipx install spmd-equivalence`, or a fresh `python -m venv`.")
