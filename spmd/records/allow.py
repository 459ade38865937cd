"""Allowances in the source: `// spmd: allow[race] each thread writes the same flag`.

A comment behind code speaks of its line. One on a line of its own speaks of the statement below, up to the first line with `;` or
`{`; where that is the head of a kernel, of the whole kernel. The finding stays in the result, marked with the reason; it does not
decide the exit status. A rule is named (several: `allow[race, out-of-bounds]`), and a verdict may be one: `allow[unknown]`.

An allowance says that somebody has looked. So one without a reason, of a rule that there is not, or that nothing matches is told
and allows nothing: left over, it would hide the next finding there.
"""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from spmd.records.alerts import NEVER_ACCEPTED, Alert, Record, every_alert
from spmd.records.excerpt import lines_of
from spmd.rules import RULES, VERDICTS

Lines = Callable[[str], Sequence[str]]
_COMMENT = re.compile(r"(?://|/\*)\s*spmd:\s*allow\b(.*)$")
_BODY = re.compile(r"\[([^\]]*)\](.*)")
_ENDS = re.compile(r"[;{]")
LONGEST = 16
"""Lines of a statement, or of the head of a kernel."""
NAMES = [rule.name for rule in (*RULES, *VERDICTS) if rule.name not in (NEVER_ACCEPTED, "idle-allow")]


@dataclass(frozen=True, slots=True)
class Allowance:
    """One comment: its place, the rules it names, the reason, and the lines it speaks of. `wrong`: why it allows nothing."""

    file: str
    line: int
    rules: tuple[str, ...]
    reason: str
    covers: range
    text: str
    wrong: str = ""

    def fits(self, alert: Alert, own: Record) -> bool:
        """Whether it allows an alert, of a record that may be of a kernel that it stands above."""
        if self.wrong or alert.rule not in self.rules:
            return False
        above = any(at["line"] in self.covers and _is_same(at["file"], self.file) for at in heads_of(own))
        return above or any(place.get("line") in self.covers and _is_same(place["file"], self.file) for place in alert.places)


@dataclass
class Allowances:
    """The allowances of all files that results are about. `lines`: the text of a file, as it was checked."""

    lines: Lines = lines_of
    used: set[tuple[str, int]] = field(default_factory=set)
    checked: dict[str, str] = field(default_factory=dict)

    @cached_property
    def _of_file(self) -> dict[str, list[Allowance]]:
        return {}

    def of(self, file: str) -> list[Allowance]:
        """The allowances in a file."""
        key = os.path.realpath(file)
        if key not in self._of_file:
            self._of_file[key] = list(allowances_in(file, self.lines(file)))
        return self._of_file[key]

    def mark(self, record: Record) -> None:
        """Mark what the source allows of a record."""
        if "a" not in record and record.get("file"):
            self.checked[os.path.realpath(record["file"])] = record["file"]
        for alert in every_alert(record):
            files = dict.fromkeys(place["file"] for place in alert.places if place.get("line"))
            files.update(dict.fromkeys(at["file"] for at in heads_of(record)))
            for each in (each for file in files for each in self.of(file)):
                if each.fits(alert, record) and alert.rule != NEVER_ACCEPTED:
                    self.used.add((each.file, each.line))
                    alert.about.setdefault("allowed", each.reason)

    def idle(self, is_whole: bool) -> list[dict[str, Any]]:
        """What is told of comments: those that are wrong, and, where all kernels of their files were checked, those that nothing
        matches."""
        return [{"file": each.file, "line": each.line, "column": 1, "text": each.text,
                 "message": each.wrong or f"allow[{', '.join(each.rules)}] matches no finding of this run"}
                for file in self.checked.values() for each in self.of(file)
                if each.wrong or (is_whole and (each.file, each.line) not in self.used)]


def heads_of(record: Record) -> list[Record]:
    """Where the kernels stand that a record's alerts are about: of a comparison, the side that a verdict names."""
    sides = [record[side] for side in record.get("side", "ab")] if "a" in record else [record]
    return [side["at"] for side in sides if "at" in side]


def with_allowances(record: Record) -> Record:
    """The record, with what the source allows of it as it is now."""
    Allowances().mark(record)
    return record


def allowances_in(file: str, lines: Sequence[str]) -> Iterator[Allowance]:
    """The allowances in a text, wrong ones too."""
    for at, line in enumerate(lines):
        if found := _COMMENT.search(line):
            rules, reason, wrong = _parsed(found[1].strip().removesuffix("*/").strip())
            covers = range(at + 1, at + 2) if line[:found.start()].strip() else _statement(lines, at + 1)
            yield Allowance(file, at + 1, rules, reason, covers, line.strip(), wrong)


def _parsed(text: str) -> tuple[tuple[str, ...], str, str]:
    """The rules, the reason, and what is wrong."""
    found = _BODY.match(text)
    rules = tuple(name.strip() for name in found[1].split(",") if name.strip()) if found else ()
    if found is None or not rules:
        return (), "", "write allow[RULE] REASON; `spmd explain` lists the rules"
    reason = found[2].strip().lstrip(":-–— ").strip()
    for name in rules:
        if name not in NAMES:
            near = difflib.get_close_matches(name, NAMES, 1)
            return rules, reason, f"allow[{name}]: no such rule" + (f"; did you mean {near[0]}?" if near else "")
    return rules, reason, "" if reason else f"allow[{', '.join(rules)}] needs a reason behind it, and allows nothing without one"


def _statement(lines: Sequence[str], at: int) -> range:
    """The lines (from 1) of the statement that begins below a line."""
    while at < len(lines) and _is_blank(lines[at]):
        at += 1
    for end in range(at, min(len(lines), at + LONGEST)):
        if _ENDS.search(lines[end]):
            return range(at + 1, end + 2)
    return range(at + 1, at + 2)


def _is_blank(line: str) -> bool:
    text = line.strip()
    return not text or text.startswith(("//", "/*", "*"))


def _is_same(one: str, other: str) -> bool:
    return one == other or os.path.realpath(one) == os.path.realpath(other)
