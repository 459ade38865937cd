"""Files as other tools name them: relative to the project, with slashes, so that a moved checkout has the same names."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

from automata.lang.project import root_of


def relative(file: str) -> str:
    """A file relative to the folder that holds `.git`; without one to the working folder, else to its own. What is no file on
    disk (our own headers, `<…>`) keeps its name."""
    if not file or file.startswith("<"):
        return file
    return _relative(file, os.getcwd())


@lru_cache(maxsize=4096)
def _relative(file: str, here: str) -> str:
    whole = os.path.realpath(file)
    root = root_of(file)
    if not os.path.exists(os.path.join(root, ".git")):
        root = here if whole.startswith(here + os.sep) else root
    return Path(os.path.relpath(whole, root)).as_posix()
