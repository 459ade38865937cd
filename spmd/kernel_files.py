"""Which files of a folder hold kernels.

In: a folder. Out: a row for each text in which a kernel is defined, by its words alone: nothing is parsed, so it takes a moment
also in a large repository. Hidden folders and those of other people's code are passed by. A kernel that only a macro makes is not
seen.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass

from automata.lang.project import HEADERS, UNITS, said
from automata.lang.source import read_raw
from automata.place import InputError

OPENCL_FILES = (".cl", ".opencl")
OPENCL = re.compile(r"\b(?:__)?kernel\s+(?:__attribute__\s*\(\(.*?\)\)\s*)*void\s+(?:__attribute__\s*\(\(.*?\)\)\s*)*(\w+)")
SKIPPED = {"third_party", "external", "vendor", "node_modules"}
"""Folders of code that comes from elsewhere."""


@dataclass(frozen=True, slots=True)
class KernelFile:
    """A text with kernels. `path`: from the folder on; `kernels`: as the text has them; `launched`: those it launches itself."""

    path: str
    text: str
    kernels: tuple[str, ...]
    launched: frozenset[str]


def kernel_files(folder: str) -> Iterator[KernelFile]:
    """The files below a folder that define kernels, in the order of their paths. What cannot be read is passed by."""
    for at, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in SKIPPED)
        for name in sorted(names):
            path = os.path.join(at, name)
            if not name.endswith((*UNITS, *HEADERS, *OPENCL_FILES)) or not os.path.isfile(path):
                continue
            try:
                text = read_raw(path)
            except InputError:
                continue
            told = said(path)
            kernels = OPENCL.findall(text) if name.endswith(OPENCL_FILES) else sorted(told.defines, key=text.find)
            if kernels:
                yield KernelFile(os.path.relpath(path, folder), text, tuple(kernels), frozenset(set(kernels) & told.launches))
