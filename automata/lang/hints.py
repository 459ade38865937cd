"""Proof hints of GPUVerify in a text: passed over and listed.

In: a text. Out: the same text, as long and with the same lines, in which each hint is the number 1; and what was passed over. A
hint helps that tool's prover and changes nothing of what a kernel does: invariants over what was accessed so far
(`__write_implies`, `__read_offset_bytes` and their like, which only that tool's state can answer), invariants at barriers and of
whole functions, permissions. Invariants over a program's own variables stay: they are checked. So do assertions and requirements,
whatever they hold. Source: GPUVerify's user documentation, "Advanced features".
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from automata.lang.texts import closing

HINT = re.compile(r"\b__(?:global_invariant|function_wide_(?:candidate_)?invariant|candidate_(?:global_)?invariant|"
                  r"barrier_invariant\w*|(?:read|write)_permission|non_temporal_loads_(?:begin|end)|array_snapshot)\b")
STATE = re.compile(r"\b__(?:(?:no_)?(?:read|write)|(?:read|write)_(?:implies|offset|offset_bytes)|enabled|other_\w+|uniform_\w+|"
                   r"distinct_\w+|all|exclusive|at_most_one|same_group|ptr_base|ptr_offset_bytes|points_to|accessed\w*)\b")
CALL = re.compile(r"\b(?P<name>__\w*(?:invariant|permission|non_temporal_loads_|array_snapshot)\w*)\s*\(")


@dataclass(frozen=True, slots=True)
class Hint:
    """A hint that was passed over."""

    name: str
    line: int


def without_hints(text: str) -> tuple[str, list[Hint]]:
    """A text with its hints passed over."""
    if "invariant" not in text and "permission" not in text and "non_temporal" not in text and "array_snapshot" not in text:
        return text, []
    pieces, found, done = list[str](), list[Hint](), 0
    for match in CALL.finditer(text):
        opening = match.end() - 1
        end = closing(text, opening)
        is_defined = text[text.rfind("\n", 0, match.start()) + 1:match.start()].lstrip().startswith("#")
        if match.start() < done or end < 0 or is_defined:
            continue
        if HINT.fullmatch(match["name"]) or (match["name"] == "__invariant" and STATE.search(text, opening, end)):
            inside = text[match.start() + 1:end]
            pieces += [text[done:match.start()], "1", re.sub(r"[^\n]", " ", inside)]
            done = end
            found.append(Hint(match["name"], text.count("\n", 0, match.start()) + 1))
    return ("".join([*pieces, text[done:]]), found) if found else (text, [])
