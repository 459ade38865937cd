"""Requirements said in fewer words: without those that others imply.

In: requirements that were found for a launch. Out: as few as are needed for the same launches to meet them. Looked at are those
of one size or parameter alone that leave it at most 1024 values: each value is tried, so nothing has to be proved. Where one
value is left, it is said: `n >= 64, n <= 64` is `n == 64`.
"""

from __future__ import annotations

from collections import defaultdict

from automata.lang.core import Expr, Kernel, Special, Var
from automata.lang.launch import read_requirement
from automata.lang.traverse import within
from automata.logic import terms as T
from automata.proof.known.launching import evaluate
from automata.scalar import U64, Scalar
from spmd.recording.points import SIZES

MOST = 1024
BLOCK = SIZES[:3]
"""Sizes that are at most `MOST` on any device, which what is proved takes for granted."""


def fewer(requires: tuple[str, ...], kernel: Kernel) -> tuple[str, ...]:
    """The same requirements, in fewer words."""
    tests = {text: read_requirement(text, kernel) for text in requires}
    groups: dict[str, list[str]] = defaultdict(list)
    for text, test in tests.items():
        names = {each.name for each in within(test) if isinstance(each, Var | Special)}
        if len(names) == 1:
            groups[names.pop()].append(text)
    kept = list(requires)
    for name, texts in groups.items():
        ends = _ends(name, texts)
        if len(texts) > 1 and ends is not None:
            needed = _needed(name, {text: _values(name, tests[text], kernel) for text in texts}, ends)
            place = kept.index(texts[0])
            kept = [*kept[:place], *needed, *(text for text in kept[place:] if text not in texts)]
    return tuple(kept)


def _ends(name: str, texts: list[str]) -> set[str] | None:
    """The requirements that say that a number lies in 1 … `MOST`; None where they do not say so."""
    ends = {f"{name} > 0"} if name not in SIZES else set()
    if name not in BLOCK:
        ends.add(f"{name} <= {MOST}")
    return ends if ends <= set(texts) else None


def _values(name: str, test: Expr, kernel: Kernel) -> frozenset[int]:
    """The numbers in 1 … `MOST` that meet a requirement."""
    kind: Scalar = next((param.type for param in kernel.params if param.name == name), U64)
    return frozenset(value for value in range(1, min(MOST, kind.high) + 1)
                     if evaluate(test, {name: T.const(value, kind)}) is T.TRUE)


def _needed(name: str, values: dict[str, frozenset[int]], ends: set[str]) -> list[str]:
    """The requirements without which others would be met."""
    left = frozenset.intersection(*values.values())
    if len(left) == 1:
        return [f"{name} == {next(iter(left))}"]
    kept = list(values)
    for text in values:
        others = [values[other] for other in kept if other != text]
        if text not in ends and others and frozenset.intersection(*others) == left:
            kept.remove(text)
    return kept
