"""Instances of kernel templates that only other texts of the project ask for.

In: a kernel that is a template of which its text shows no instance, and the host code that may launch it, its own and that of
other texts. Out: `name<arguments>` for each launch whose template arguments are certain there: written, deduced from the types
of what it passes, or defaults (`host/instances.py`); also in a text that conditions of the platform make uncertain. Those that a
test or a benchmark makes are instances like any other: an answer names the instance that it is about. clang refuses what it
cannot make.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from automata.lang.clang.probes import PROBE, stem
from automata.lang.host.launches import finder_of
from automata.lang.preprocess import Text
from automata.place import InputError

MOST = 12


def launched_instances(name: str, texts: Iterable[Text], project: str | None, read: Callable[[str], Text] | None,
                       is_made: Callable[[str], bool]) -> list[str]:
    """The instances of a kernel that the first text launches which launches any. `is_made`: whether clang makes one."""
    word = stem(name)
    for text in texts:
        if word not in text.text:
            continue
        try:
            finder = finder_of(text, project, read)
            launches = [] if finder is None or finder.is_ambiguous() else finder.found()
        except InputError:
            continue
        written = [", ".join(launch.template_args) for launch in launches if launch.kernel == word and launch.template_args]
        asked = [probe for each in dict.fromkeys(written) if re.fullmatch(PROBE, probe := f"{name}<{each}>")]
        if found := [probe for probe in asked[:MOST] if is_made(probe)]:
            return found
    return []
