"""The scope of a check as a person reads it: the launch by its grid and block, and what is required besides.

A record lists each size with each requirement (`scope`). In a text the sizes of a launch in host code are told as
`grid (n + 255) / 256, block 16,16`, and what stands among the assumptions as `required: …` is not said twice where it is long.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from automata.scope import Scope

_SIZE = re.compile(r"(grid|block)Dim\.([xyz]) == (.+)")
_MOST = 100
REQUIRED, FOR_ANY = "required: ", "for any "


def scope_text(scope: Scope, assumed: Collection[str]) -> str:
    """The scope in a line. `assumed`: what the report lists as assumed."""
    if not scope.source:
        return str(scope)
    sizes, rest = _parted(scope.under)
    said = [f"{name} {','.join(size)}" for name, size in sizes.items()]
    if not scope.is_open:
        return f"as launched at {scope.source}: {', '.join([*said, *rest])}"
    listed = [text for text in rest if f"{REQUIRED}{text}" in assumed]
    if sum(map(len, rest)) > _MOST and len(listed) > 1:
        rest = [f"the {len(listed)} requirements below", *(text for text in rest if text not in listed)]
    open_ended = [text for text in rest if text.startswith(FOR_ANY)]
    stated = [text for text in rest if text not in open_ended]
    under = ", ".join([f"all sizes under {', '.join(stated)}" if stated else "all sizes", *open_ended])
    return f"as launched at {scope.source}: {'; '.join([', '.join(said), under] if said else [under])}"


def left_to_assume(scope: Scope | None, assumed: Collection[str]) -> list[str]:
    """What is assumed, without the sizes that the scope's text tells."""
    told = scope.under if scope is not None and scope.source and _parted(scope.under)[0] else ()
    return [text for text in assumed if not (text.startswith(REQUIRED) and (said := text.removeprefix(REQUIRED)) in told
                                             and _SIZE.fullmatch(said))]


def _parted(under: Collection[str]) -> tuple[dict[str, list[str]], list[str]]:
    """The grid and block of a scope of which all three sizes are told, without ones at the end, and the rest."""
    found: dict[str, dict[str, str]] = {}
    for text in under:
        if match := _SIZE.fullmatch(text):
            found.setdefault(match[1], {}).setdefault(match[2], match[3])
    whole = {name: [sizes[axis] for axis in "xyz"] for name, sizes in sorted(found.items(), reverse=True)
             if len(sizes) == 3}
    rest = [text for text in under if not (match := _SIZE.fullmatch(text)) or match[1] not in whole
            or match[3] != found[match[1]][match[2]]]
    for sizes in whole.values():
        while len(sizes) > 1 and sizes[-1] == "1":
            sizes.pop()
    return whole, rest
