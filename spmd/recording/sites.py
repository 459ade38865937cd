"""Addresses of the host's calls as lines of its source, where its debug information says so.

`addr2line` of the GNU or LLVM tools is asked once for each object; without it, or without debug information, an address stays
one.
"""

from __future__ import annotations

import shutil
import subprocess
from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path

from spmd.recording.read import Site

TOOLS = ("addr2line", "llvm-addr2line")
SECONDS = 20
WRAPPERS = ("/CL/opencl.hpp", "/CL/cl2.hpp", "/CL/cl.hpp", "/cuda_runtime.h", "/crt/host_runtime.h", "/crt/device_functions.h",
            ".stub.c")
"""Texts that only hand a call on."""
STUB = "__device_stub_"
"""What compilers call the function of the host that hands a kernel's arguments on."""


def resolved(sites: Iterable[Site], kernels: Collection[str] = ()) -> dict[Site, Site]:
    """For each site the line that it stands for, itself if that is not known. `kernels`: symbols of kernels, whose
    functions on the host hand the call on too."""
    found = {site: site for site in sites}
    by_object: dict[str, list[Site]] = defaultdict(list)
    for site in found:
        if site.offset is not None:
            by_object[site.file].append(site)
    tool = next((path for name in TOOLS if (path := shutil.which(name))), None)
    for file, asked in by_object.items():
        if tool is None or not Path(file).is_file():
            continue
        answers = _asked(tool, file, sorted({offset for site in asked for offset in _offsets(site)}))
        for site in asked:
            lines = [line for offset in _offsets(site) for line in answers.get(offset, ())]
            own = [line.site for line in lines if not line.hands_on(kernels)]
            if lines:
                found[site] = own[0] if own else lines[-1].site
    return found


def _offsets(site: Site) -> tuple[int, ...]:
    return (site.offset or 0, *site.callers)


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of the host, and the function that it is in."""

    function: str
    site: Site

    def hands_on(self, kernels: Collection[str]) -> bool:
        return self.site.file.endswith(WRAPPERS) or STUB in self.function or self.function in kernels


def _asked(tool: str, file: str, offsets: list[int]) -> dict[int, list[_Line]]:
    """The answers of the tool: for each address its lines, the innermost inlined call first."""
    command = [tool, "-a", "-f", "-i", "-e", file, *map(hex, offsets)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=SECONDS)
    except (OSError, subprocess.TimeoutExpired):
        return {}
    answers: list[list[_Line]] = []
    function = None
    for line in done.stdout.splitlines():
        if line.startswith("0x"):
            answers.append([])
            function = None
        elif function is None:
            function = line
        else:
            if answers and (place := _place(line)) is not None:
                answers[-1].append(_Line(function, place))
            function = None
    return dict(zip(offsets, answers, strict=True)) if len(answers) == len(offsets) else {}


def _place(text: str) -> Site | None:
    file, _, rest = text.rpartition(":")
    number = rest.split(" ")[0]
    return Site(file, int(number)) if file and file != "??" and number.isdecimal() and int(number) else None


def told(site: Site) -> str:
    """A site for people."""
    return f"{site.file}:{site.line}" if site.offset is None else f"{site.file}+{site.offset:#x}"
