"""What a verdict assumes, as a person reads it: a line for each assumption, and one for all values that do not wrap.

A tiled kernel that nothing bounds has dozens of indices that are assumed not to wrap. Their expressions are in the records. A
reader of the text needs to know how many there are, of which type, and where.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

MOST_WRAPS = 4
"""So many values that do not wrap are told one by one."""
WRAP = re.compile(r"(?P<side>(?:[ab]: )?)`.+` does not wrap in (?P<type>[\w ]+) \((?P<lines>lines? .+)\)")
"""As `Wraps.assume` says it, with the lines behind it."""
ON_RANGES = re.compile(r"\bdoes not wrap\b|^no wrap in ")
"""In whatever words an assumption is about the range of a value."""


def assumptions(told: Iterable[str]) -> list[str]:
    """The lines about what is assumed; none where nothing is."""
    found = list(told)
    wraps = [match for text in found if (match := WRAP.fullmatch(text))]
    lines = [f"    - {text}" for text in found]
    if len(wraps) > MOST_WRAPS:
        alike = {match.string for match in wraps}
        at = next(at for at, text in enumerate(found) if text in alike)
        lines = [f"    - {text}" for text in found if text not in alike]
        lines[at:at] = _together(wraps)
    return ["  assuming:", *lines] if lines else []


def _together(wraps: list[re.Match[str]]) -> list[str]:
    """One line on values that do not wrap: on each side, of each type, how many there are at which lines of the source."""
    counts: dict[str, dict[str, Counter[str]]] = {}
    for match in wraps:
        counts.setdefault(match["side"], {}).setdefault(match["type"], Counter())[match["lines"]] += 1
    sides = [(side or "both: ") * (len(counts) > 1 or bool(side)) + ", ".join(_told(*item) for item in kinds.items())
             for side, kinds in counts.items()]
    return [f"    - {len(wraps)} values do not wrap: {'; '.join(sides)}; each of them: --format json"]


def _told(kind: str, places: Counter[str]) -> str:
    return f"of {kind} " + ", ".join(f"{count} at {lines}" for lines, count in places.items())
