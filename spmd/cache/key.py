"""Everything that an answer rests on, as one digest.

In: the parts of a question (kernels as Core, launches, options) and the folders that they were read from. Out: a key. Places
and the words of assumptions are in it too, for an answer shows them; a folder that holds the project is in it as a mark, so
that a moved checkout, or a revision written to another place, has the same keys.

The tool's part is made of the bytes of its own modules, the versions of the packages that prove, run and read, and Python's.
"""

from __future__ import annotations

import hashlib
import platform
import sys
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from automata.lang.digest import Digester

PACKAGES = ("spmd", "automata", "equivalence")
LIBRARIES = ("z3-solver", "cvc5", "pysmt", "numpy", "scipy", "sympy", "mpmath", "networkx", "pycparser", "libclang")
FORMAT = 1
"""Changes when what is kept of an answer does."""


class Folders:
    """Folders of projects, by marks that stand for them."""

    def __init__(self, roots: tuple[str, ...]) -> None:
        self.rows = [(root.rstrip("/"), f"\0{at}") for at, root in enumerate(dict.fromkeys(roots)) if len(root.rstrip("/")) > 1]

    def marked(self, text: str) -> str:
        for root, mark in self.rows:
            if root in text:
                text = text.replace(root, mark)
        return text

    def unmarked(self, text: str) -> str:
        for root, mark in self.rows:
            text = text.replace(mark, root)
        return text


def key_of(kind: str, parts: tuple[object, ...], folders: Folders) -> str:
    """The key of a question. RecursionError or TypeError for parts that have no digest."""
    digester = Digester(with_places=True, text=folders.marked)
    return hashlib.sha256(f"{FORMAT} {kind} {tool()} ".encode() + digester.of(parts)).hexdigest()


@cache
def tool() -> str:
    """What answers: this tool, the libraries it asks, and Python."""
    found = hashlib.sha256()
    for package in PACKAGES:
        folder = Path(__file__).parents[2] / package
        for path in sorted([*folder.rglob("*.py"), *folder.rglob("*.h")]):
            found.update(str(path.relative_to(folder)).encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    found.update("\n".join([*map(_version, LIBRARIES), sys.version, platform.machine(), platform.system()]).encode())
    return found.hexdigest()


def _version(name: str) -> str:
    try:
        return f"{name} {version(name)}"
    except PackageNotFoundError:
        return f"{name} none"
