"""This distribution owns three top-level packages; two of their names are common words.

A foreign package called `automata` (automata-lib brings one) or `equivalence` in the same environment
would be imported instead of ours, or ours instead of it. That is refused at start, with a remedy.
"""

from __future__ import annotations

from importlib.metadata import packages_distributions

OURS = "spmd-equivalence"
PACKAGES = ("automata", "equivalence")


def foreign_owners() -> dict[str, list[str]]:
    """For each of our package names, the other distributions that install one too."""
    owners = packages_distributions()
    return {name: others for name in PACKAGES
            if (others := sorted({owner for owner in owners.get(name, []) if owner != OURS}))}


def refusal() -> str | None:
    """The message to stop with, None when all is well."""
    clashes = foreign_owners()
    if not clashes:
        return None
    told = "; ".join(f"'{name}' also comes from {', '.join(owners)}" for name, owners in clashes.items())
    return (f"spmd cannot run in this environment: {told}. Install spmd in an environment of its own: "
            "`pipx install spmd-equivalence`, or a fresh `python -m venv`.")
