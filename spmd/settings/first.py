"""A first settings file, from what a repository holds.

In: a folder. Out: the text of a `spmd.toml` with comments: a table for each file with kernels whose launch nothing states yet,
with what there is to fill in, and pairs of kernels that look like versions of one another. Texts are looked at, nothing is
parsed: that takes a moment also in a large repository.
"""

from __future__ import annotations

import re

from spmd.kernel_files import KernelFile, kernel_files
from spmd.settings.told import meaning

STATED = re.compile(r"(?://|/\*)\s*spmd:(?!\s*allow\[)")
VERSIONS = re.compile(r"_?(?:naive|tiled|opt(?:imi[sz]ed)?|fast|v\d+|unrolled|shared|warp|vec\d*|original|baseline|ref)$", re.I)
PLAIN = re.compile(r"_?(?:naive|original|baseline|ref|v0)$", re.I)
"""How a version is called that others are made from."""
MOST_FILES = 40


def first_file(folder: str) -> str:
    """The text of a first file."""
    files = list(kernel_files(folder))
    lines = ["# Settings of spmd for this repository. Comments in the source (// spmd: block=256 ...) come before them,",
             "# flags before those. `spmd config` prints what holds; every value here may be left out.", "",
             f"timeout = 60            # {meaning('file', 'timeout')}",
             f'mode = "real"           # {meaning("file", "mode")}',
             f"# include = [\"include\"]  # {meaning('file', 'include')}",
             f'# define = {{ N = 1 }}     # {meaning("file", "define")}',
             f'# arch = "sm_80"         # {meaning("file", "arch")}']
    for file in files[:MOST_FILES]:
        more = " …" if len(file.kernels) > 6 else ""
        lines += ["", "[[kernel]]", f"files = [{_text(file.path)}]    # {', '.join(file.kernels[:6])}{more}"]
        if STATED.search(file.text):
            lines.append("# comments in the file state launches")
        elif file.launched:
            names = ", ".join(sorted(file.launched)[:6])
            lines.append(f"# launched in the file: {names}; read there if all sizes are not proved")
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


def _pairs(files: list[KernelFile]) -> list[str]:
    """Kernels whose names tell that they are versions of one."""
    stems: dict[str, list[tuple[str, str]]] = {}
    for file in files:
        for kernel in file.kernels:
            stems.setdefault(VERSIONS.sub("", kernel), []).append((file.path, kernel))
    lines = []
    for versions in stems.values():
        if len({kernel for _, kernel in versions}) > 1:
            first, *others = sorted(versions, key=lambda version: (not PLAIN.search(version[1]), len(version[1]), version))
            for other in others[:3]:
                lines += ["", "# perhaps two versions of one kernel? then `spmd equiv` without arguments compares them",
                          "# [[pair]]", f"# original = {_text(':'.join(first))}", f"# optimised = {_text(':'.join(other))}"]
    return lines
