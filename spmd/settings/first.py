"""A first settings file, from what a repository holds.

In: a folder. Out: the text of a `spmd.toml` with comments: a table for each file with kernels whose launch nothing states yet,
with what there is to fill in, and pairs of kernels that look like versions of one another. Texts are looked at, nothing is
parsed: that takes a moment also in a large repository.
"""

from __future__ import annotations

import os
import re

from automata.lang.project import HEADERS, UNITS, said
from automata.lang.source import read_raw
from automata.place import InputError
from spmd.settings.told import meaning

KERNELS = (".cl",)
OPENCL = re.compile(r"\b(?:__kernel|kernel)\s+void\s+(\w+)")
STATED = re.compile(r"(?://|/\*)\s*spmd:")
VERSIONS = re.compile(r"_?(?:naive|tiled|opt(?:imi[sz]ed)?|fast|v\d+|unrolled|shared|warp|vec\d*|original|baseline|ref)$", re.I)
MOST_FILES = 40
SKIPPED = {"third_party", "external", "vendor", "node_modules"}


def first_file(folder: str) -> str:
    """The text of a first file."""
    files = list(_files(folder))
    lines = ["# Settings of spmd for this repository. Comments in the source (// spmd: block=256 ...) come before them,",
             "# flags before those. `spmd config` prints what holds; every value here may be left out.", "",
             f"timeout = 60            # {meaning('file', 'timeout')}",
             f'mode = "real"           # {meaning("file", "mode")}',
             f"# include = [\"include\"]  # {meaning('file', 'include')}",
             f'# define = {{ N = 1 }}     # {meaning("file", "define")}',
             f'# arch = "sm_80"         # {meaning("file", "arch")}']
    for name, kernels, launched, is_stated in files[:MOST_FILES]:
        lines += ["", "[[kernel]]", f"files = [{_text(name)}]    # {', '.join(kernels[:6])}{' …' if len(kernels) > 6 else ''}"]
        if is_stated:
            lines.append("# comments in the file state launches")
        elif launched:
            lines.append(f"# launched in the file: {', '.join(sorted(launched)[:6])}; read there if all sizes are not proved")
        else:
            lines.append("# no launch is seen here: all sizes are asked for; state what there is, for example")
            lines.append('# launches = [{ block = "256", grid = "(n+255)/256", require = ["n > 0"] }]')
    if len(files) > MOST_FILES:
        lines += ["", f"# and {len(files) - MOST_FILES} more files with kernels: `files` may be globs, such as \"src/**/*.cu\""]
    if not files:
        lines += ["", "# no kernel was found here", "# [[kernel]]", '# files = ["src/**/*.cu"]']
    return "\n".join([*lines, *_pairs(files)]) + "\n"


def _text(name: str) -> str:
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


Row = tuple[str, list[str], set[str], bool]


def _files(folder: str) -> list[Row]:
    """Files with kernels: their kernels, those that are launched there, and whether comments state launches."""
    found = []
    for at, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in SKIPPED)
        for name in sorted(names):
            path = os.path.join(at, name)
            if not name.endswith((*UNITS, *HEADERS, *KERNELS)) or not os.path.isfile(path):
                continue
            try:
                text = read_raw(path)
            except InputError:
                continue
            told = said(path)
            kernels = OPENCL.findall(text) if name.endswith(KERNELS) else sorted(told.defines, key=text.find)
            if kernels:
                inner = os.path.relpath(path, folder)
                found.append((inner, kernels, set(kernels) & told.launches, STATED.search(text) is not None))
    return found


def _pairs(files: list[Row]) -> list[str]:
    """Kernels whose names tell that they are versions of one."""
    stems: dict[str, list[tuple[str, str]]] = {}
    for name, kernels, _, _ in files:
        for kernel in kernels:
            stems.setdefault(VERSIONS.sub("", kernel), []).append((name, kernel))
    lines = []
    for versions in stems.values():
        if len({kernel for _, kernel in versions}) > 1:
            first, *others = sorted(versions, key=lambda version: (len(version[1]), version))
            for other in others[:3]:
                lines += ["", "# perhaps two versions of one kernel? then `spmd equiv` without arguments compares them",
                          "# [[pair]]", f"# original = {_text(':'.join(first))}", f"# optimised = {_text(':'.join(other))}"]
    return lines
