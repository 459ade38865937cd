"""This distribution owns three top-level packages; two of their names are common words.

A foreign package called `automata` (automata-lib brings one) or `equivalence` in the same environment
would be imported instead of ours, or ours instead of it. That is refused at start, with a remedy.
"""

from __future__ import annotations

from functools import cache
from importlib.metadata import Distribution, distributions

OURS = "spmd-equivalence"
PACKAGES = ("automata", "equivalence")


@cache
def foreign_owners() -> dict[str, list[str]]:
    """For each of our package names, the other distributions that install one too."""
    found: dict[str, set[str]] = {}
    for distribution in distributions():
        for name in _packages(distribution):
            found.setdefault(name, set()).add(distribution.name)
    return {name: others for name, owners in sorted(found.items()) if (others := sorted(owners - {OURS}))}


def _packages(distribution: Distribution) -> list[str]:
    """Which of our package names it installs: as its list of top-level packages says, or its list of files. Of the
    metadata no more is read, for an environment may hold hundreds of distributions."""
    declared = distribution.read_text("top_level.txt")
    if declared is not None:
        return [name for name in PACKAGES if name in declared.split()]
    files = "\n" + (distribution.read_text("RECORD") or distribution.read_text("SOURCES.txt") or "")
    return [name for name in PACKAGES if f"\n{name}/" in files or f"\n{name}.py," in files]


def refusal() -> str | None:
    """The message to stop with, None when all is well."""
    clashes = foreign_owners()
    if not clashes:
        return None
    told = "; ".join(f"'{name}' also comes from {', '.join(owners)}" for name, owners in clashes.items())
    return (f"spmd cannot run in this environment: {told}. Install spmd in an environment of its own: "
            "`pipx install spmd-equivalence`, or a fresh `python -m venv`.")
