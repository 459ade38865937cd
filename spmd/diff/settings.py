"""Settings of two revisions: each has its own; an old one without any is looked at as the new one says.

So the change that brings settings does not make every launch a changed one, and a change of settings is one of launches.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace

from spmd.diff.export import Exported
from spmd.settings.effective import Pair, Settings, settings_for
from spmd.settings.read import OWN, SHARED, find_file
from spmd.sides import file_and_kernel, kernels_of


def settings_of(side: Exported, new: Exported, unit: str) -> Settings:
    """The settings for a text of a revision. InputError for ones that are wrong."""
    found = find_file(os.path.dirname(side.path(unit)), side.root)
    if found is None and side.root != new.root:
        found = find_file(os.path.dirname(new.path(unit)), new.root)
        found = found and replace(found, path=side.path(os.path.relpath(found.path, new.root)))
    return Settings(found)


def without_idle(names: Iterable[str], sides: Iterable[Exported]) -> frozenset[str]:
    """Files that changed, without those of other tools' settings alone."""
    def speaks(side: Exported, name: str) -> bool:
        try:
            with open(side.path(name), encoding="utf-8", errors="replace") as stream:
                return "tool.spmd" in stream.read()
        except OSError:
            return False

    both = list(sides)
    return frozenset(name for name in names if os.path.basename(name) != SHARED or any(speaks(side, name) for side in both))


def is_settings_for(name: str, file: str) -> bool:
    """Whether a file may hold settings for a text."""
    folder, last = os.path.split(file)
    return last in (OWN, SHARED) and (not folder or name.startswith(folder + "/"))


def pairs_of(new: Exported) -> list[Pair]:
    """The pairs that the settings at the top of the new revision state."""
    return settings_for(new.root, new.root).pairs()


def kernels_in(pair: Pair, new: Exported) -> tuple[list[tuple[str, str | None]], list[tuple[str, str | None]]]:
    """The kernels of both sides of a pair, by file and name."""
    def side(text: str) -> list[tuple[str, str | None]]:
        parts = [file_and_kernel(part or "") for part in kernels_of(text)]
        return [(new.name(os.path.join(new.root, file)) or file, kernel) for file, kernel in parts]
    return side(pair.original), side(pair.optimised)
