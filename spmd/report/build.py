"""What a project's CMake files say a macro is: a hint for who has not given it, never an answer.

In: a file, its project's folder and a name. Out: where the nearest CMakeLists.txt above the file gives it a value, as text and
value. What CMake makes of variables and conditions is not looked at, so the value is for a person to confirm.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

NAME = "CMakeLists.txt"
LARGEST = 1 << 20


def macro_in_cmake(file: str, root: str, macro: str) -> tuple[str, str] | None:
    """Where a macro gets a value, and which."""
    given = re.compile(rf"(?<!\w)(?:-D\s*)?{re.escape(macro)}=([\w.+-]+)")
    for path in _above(file, root):
        for number, line in enumerate(_lines(path), 1):
            if found := given.search(line.partition("#")[0]):
                return f"{os.path.relpath(path)}:{number}", found[1]
    return None


def _above(file: str, root: str) -> Iterator[str]:
    folder, top = os.path.dirname(os.path.abspath(file)), os.path.abspath(root)
    while True:
        yield os.path.join(folder, NAME)
        if folder == top or os.path.dirname(folder) == folder or not folder.startswith(top):
            return
        folder = os.path.dirname(folder)


def _lines(path: str) -> list[str]:
    try:
        with open(path, encoding="utf-8", errors="replace") as stream:
            return stream.read(LARGEST).splitlines()
    except OSError:
        return []
