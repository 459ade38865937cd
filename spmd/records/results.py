"""All that one call has found: its records, and what is told besides."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from spmd.records.alerts import is_accepted

ORDER = ("fault", "refuted", "different", "nondeterministic", "invalid", "unsupported", "unknown", "proved", "equal")
"""Verdicts, the worst first."""


@dataclass
class Results:
    """`records`: spmd/1, of checks and comparisons. `fixed`: entries of the baseline that nothing matches any more. `idle`: notes
    about comments that allow nothing, each with `file`, `line`, `message`. `has_baseline`: whether one was given. Of a comparison
    of revisions `about` says what was asked and what it came to, and `notes` what no record tells."""

    records: list[dict[str, Any]] = field(default_factory=list)
    fixed: list[dict[str, Any]] = field(default_factory=list)
    idle: list[dict[str, Any]] = field(default_factory=list)
    has_baseline: bool = False
    about: str = ""
    notes: list[str] = field(default_factory=list)

    def counted(self) -> str:
        """How many records have which verdict, the worst first: "1 refuted, 3 proved"."""
        found = Counter(str(record["verdict"]) for record in self.records)
        return ", ".join(f"{found[verdict]} {verdict}" for verdict in ORDER if verdict in found) or "no kernel"

    def deciding(self) -> list[str]:
        """The verdicts that decide the exit status: not those that a baseline or the source accepts."""
        return [str(record["verdict"]) for record in self.records if not is_accepted(record)]
