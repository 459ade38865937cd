"""Addresses of the host's calls as lines of its source, where its debug information says so.

`addr2line` of the GNU or LLVM tools is asked once for each object; without it, or without debug information, an address stays
one.
"""

from __future__ import annotations

import shutil
import subprocess
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from spmd.recording.read import Site

TOOLS = ("addr2line", "llvm-addr2line")
SECONDS = 20
WRAPPERS = ("/CL/opencl.hpp", "/CL/cl2.hpp", "/CL/cl.hpp")
"""Headers that only hand a call on."""


def resolved(sites: Iterable[Site]) -> dict[Site, Site]:
    """For each site the line that it stands for, itself if that is not known."""
    found = {site: site for site in sites}
    by_object: dict[str, list[Site]] = defaultdict(list)
    for site in found:
        if site.offset is not None:
            by_object[site.file].append(site)
    tool = next((path for name in TOOLS if (path := shutil.which(name))), None)
    for file, asked in by_object.items():
        if tool is not None and Path(file).is_file():
            found |= _asked(tool, file, asked)
    return found


def _asked(tool: str, file: str, sites: list[Site]) -> dict[Site, Site]:
    """The answers of the tool: for each address its lines, the innermost inlined call first."""
    command = [tool, "-a", "-i", "-e", file, *(hex(site.offset or 0) for site in sites)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=SECONDS)
    except (OSError, subprocess.TimeoutExpired):
        return {}
    answers: list[list[Site]] = []
    for line in done.stdout.splitlines():
        if line.startswith("0x"):
            answers.append([])
        elif answers and (place := _place(line)) is not None:
            answers[-1].append(place)
    if len(answers) != len(sites):
        return {}
    return {site: next((place for place in places if not place.file.endswith(WRAPPERS)), places[-1])
            for site, places in zip(sites, answers, strict=True) if places}


def _place(text: str) -> Site | None:
    file, _, rest = text.rpartition(":")
    number = rest.split(" ")[0]
    return Site(file, int(number)) if file and file != "??" and number.isdecimal() and int(number) else None


def told(site: Site) -> str:
    """A site for people."""
    return f"{site.file}:{site.line}" if site.offset is None else f"{site.file}+{site.offset:#x}"
