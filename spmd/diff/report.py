"""The page that `spmd diff` prints, and its records.

In: the outcomes of all pairs. Out: a summary line, a table with a row for each kernel that changed, then what each answer says,
the worst first. Of what is proved and equal only the assumptions are told, each once; `--details` prints those answers whole.
The words of a record are those of `check` and `equiv`; the record of a pair holds theirs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from spmd.diff.matching import Pair
from spmd.diff.mended import Mended, mended, record_of, told
from spmd.diff.outcome import ACCEPTED, FIXED, Outcome, Part
from spmd.diff.paths import shown
from spmd.diff.read import Read
from spmd.diff.revision import Revision
from spmd.diff.verdict import DELETED, IDLE, SAME, verdict_of
from spmd.records.alerts import alerts, with_fingerprints
from spmd.records.results import Results
from spmd.records.schema import SCHEMA
from spmd.report.plain import rest_text

HEAD = ("verdict", "kernel", "file", "change", "check", "against the old")
ORDER = ("fault", "refuted", "different", "nondeterministic", "invalid", "unsupported", "unknown", ACCEPTED, FIXED, "equal",
         "proved", SAME, IDLE, DELETED)
MOST_NAMES = 3


@dataclass(frozen=True)
class Page:
    """What there is to tell. `same`: kernels that were read and are the same; `texts`: how many texts were read, of how many;
    `notes`: what was not looked at, in words; `top`: the folder of the repository;
    `gates`: the verdicts that fail, if the settings of the new revision say so; `fixed`: entries of the baseline that nothing
    matches any more."""

    old: Revision
    new: Revision
    outcomes: list[Outcome]
    same: int = 0
    texts: tuple[int, int] = (0, 0)
    notes: tuple[str, ...] = ()
    seconds: float = 0.0
    top: str = "."
    through: dict[str, tuple[str, ...]] = field(default_factory=dict)
    gates: tuple[str, ...] | None = None
    fixed: list[dict[str, Any]] = field(default_factory=list)

    @property
    def sorted(self) -> list[Outcome]:
        return sorted(self.outcomes, key=lambda each: ORDER.index(verdict_of(each)))


def page_text(page: Page, *, details: bool = False) -> str:
    """The page for a person."""
    lines = [summary(page), *(f"  note: {note}" for note in page.notes)]
    late = [] if details else [each for each in page.sorted if each.pair.is_late]
    told = [each for each in page.sorted if each not in late]
    if told:
        lines += ["", *_table([HEAD, *(_row(page, each) for each in told)])]
    lines += _not_read(late)
    for outcome in told:
        lines += list(_details(outcome, whole=details))
    lines += [""] * bool(page.fixed) + rest_text(Results(fixed=page.fixed)).splitlines()
    if not details:
        lines += list(_assumed(page))
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _not_read(late: list[Outcome]) -> list[str]:
    """The texts that the budget left no time to read, in two lines."""
    if not late:
        return []
    names = [shown(each.pair.one.home) for each in late]
    more = f" and {len(names) - MOST_NAMES} more (--details: all)" if len(names) > MOST_NAMES else ""
    texts = f"{len(names)} texts" if len(names) > 1 else "one text"
    return ["", f"  unknown: half of the budget left no time to read {texts} that the change may matter to; raise --budget",
            f"    {', '.join(names[:MOST_NAMES])}{more}"]


def summary(page: Page) -> str:
    """What came of it, in one line."""
    sides = (each.name if each.name == each.short else f"{each.name} ({each.short})" for each in (page.old, page.new))
    verdicts = Counter(verdict_of(each) for each in page.outcomes)
    told = ", ".join(f"{verdicts[word]} {word}" for word in ORDER if verdicts[word])
    read = f"{page.same} {'kernels' if page.same != 1 else 'kernel'} read and unchanged" if page.same else ""
    texts = f"{page.texts[0]} of {page.texts[1]} files can be affected"
    return f"{' .. '.join(sides)}: {told or 'no kernel changed'} ({', '.join(filter(None, (read, texts)))}; {page.seconds:.1f} s)"


def _row(page: Page, outcome: Outcome) -> tuple[str, ...]:
    pair = outcome.pair
    one = pair.one
    change = pair.change
    if pair.likeness is not None and pair.old is not None:
        was = ":".join(filter(None, (pair.old.home if pair.old.home != one.home else "",
                                     pair.old.name if pair.old.name != one.name else "")))
        change += f" (was {shown(was)})"
    elif (through := page.through.get(one.unit, ())) and one.home not in through:
        change += f" through {', '.join(map(shown, through[:MOST_NAMES]))}{' …' if len(through) > MOST_NAMES else ''}"
    where = f"{shown(one.home)}:{one.line}" if one.line else shown(one.home)
    return verdict_of(outcome), pair.name or "-", where, change, _said(outcome.verdicts("check")), _against(outcome)


def _said(verdicts: Iterable[str]) -> str:
    """Verdicts at several launches, each once."""
    counts = Counter(verdicts)
    return ", ".join(word if number == 1 else f"{word} ×{number}" for word, number in counts.items()) or "-"


def _against(outcome: Outcome) -> str:
    pair = outcome.pair
    if pair.old is None or pair.new is None:
        return "-"
    if not pair.old.core or not pair.new.core:
        return f"not compared: {'old' if not pair.old.core else 'new'} is {(pair.new if pair.old.core else pair.old).verdict}"
    words = []
    for part in outcome.parts:
        if part.kind == "equiv":
            word, side = part.record["verdict"], part.record.get("side")
            kind = f", {part.record['class']}" if "class" in part.record else ""
            words.append(f"{word}{kind}" + (f" ({'old' if side == 'a' else 'new'})" if side else ""))
    return _said(words)


def _table(rows: list[tuple[str, ...]]) -> list[str]:
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    return ["  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]


def _details(outcome: Outcome, *, whole: bool) -> Iterator[str]:
    """What the answers about a pair say."""
    pair = outcome.pair
    texts = [part.text for part in outcome.parts if part.kind != "before" and (whole or not _is_told_elsewhere(part))]
    if pair.is_same or not (texts or outcome.failure or _refusals(pair)):
        return
    yield from ("", f"── {pair.name or shown(pair.one.home)}: {pair.change}")
    for text in texts:
        yield from text.rstrip("\n").split("\n")
    yield from _known(outcome)
    before = outcome.verdicts("before")
    if before:
        yield f"  before the change: {_said(before)}"
    if found := _mended(outcome):
        yield from (f"  {line}" for line in told(found))
    if verdict_of(outcome) == FIXED:
        yield "  the change mends this: the new kernel is proved, the old one cannot be compared with"
    for side, read in _refusals(pair):
        yield f"  the {side} text is {read.verdict}: {read.reason}"
    if outcome.failure:
        yield f"  {outcome.failure[0]}: {outcome.failure[1]}"


def _mended(outcome: Outcome) -> Mended | None:
    """What the change does to the findings, where the old kernel was asked."""
    return mended(*([part for part in outcome.parts if part.kind == kind] for kind in ("before", "check")))


def _known(outcome: Outcome) -> Iterator[str]:
    """What of it a baseline lists, each once: the answers' texts were made before it was looked at."""
    found = [alert for part in outcome.parts if part.kind != "before" for alert in alerts(part.record) if alert.is_known]
    yield from dict.fromkeys(f"  {alert.mark}: {alert.rule}: {alert.message}" for alert in found)


def _is_told_elsewhere(part: Part) -> bool:
    """Whether the page says all of an answer without its text: what is proved or equal, and a new kernel's defects."""
    verdict, side = part.record["verdict"], part.record.get("side")
    return verdict in ("proved", "equal") or (part.kind == "equiv" and verdict == "nondeterministic" and side == "b")


def _refusals(pair: Pair) -> list[tuple[str, Read]]:
    sides = (("old", pair.old), ("new", pair.new))
    return [(name, side) for name, side in sides if side is not None and not side.core and not pair.is_same]


def _assumed(page: Page) -> Iterator[str]:
    """The assumptions of all that is proved or equal, each once with whom it is about."""
    found: dict[str, dict[str, None]] = {}
    for outcome in page.outcomes:
        for part in outcome.parts:
            if part.kind != "before" and part.record["verdict"] in ("proved", "equal"):
                for text in part.record["assumptions"]:
                    found.setdefault(text, {})[outcome.pair.name] = None
    if not found:
        return
    yield from ("", "what is proved or equal assumes (--details: by kernel, with scopes):")
    for text, kernels in found.items():
        names = list(kernels)
        more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
        yield f"  - {text}  [{', '.join(names[:MOST_NAMES])}{more}]"


def unasked(page: Page) -> Iterator[str]:
    """Kernels whose change says all there is to say, a line each."""
    for outcome in page.sorted:
        verdict, name, where, change, *_ = _row(page, outcome)
        if verdict in (SAME, IDLE, DELETED, FIXED):
            yield f"{name} ({where}): {change}" + (f", {verdict}" if verdict != change else "")


def pair_of_record(page: Page, outcome: Outcome) -> dict[str, Any]:
    """The record of one pair."""
    pair = outcome.pair
    record: dict[str, Any] = {
        "schema": SCHEMA, "kind": "diff", "verdict": verdict_of(outcome), "change": pair.change,
        "old": _side(page.old, pair.old), "new": _side(page.new, pair.new)}
    if pair.likeness is not None:
        record["likeness"] = round(pair.likeness, 2)
    for kind, name in (("check", "checks"), ("before", "before"), ("equiv", "comparisons")):
        record[name] = [part.record for part in outcome.parts if part.kind == kind]
    if found := _mended(outcome):
        record["findings"] = record_of(found)
    if outcome.failure:
        record["reason"] = outcome.failure[1]
    record["seconds"] = round(outcome.seconds, 4)
    return record


def alerting(page: Page) -> list[dict[str, Any]]:
    """The records of checks and comparisons, for formats that know those alone. Not those about defects of an old kernel that
    the new one mends, nor those about defects of the new kernel that its own check tells; in the place of answers that could not
    be had, why."""
    found = []
    for outcome in page.sorted:
        told = {"a"} if verdict_of(outcome) == FIXED else {"b"} if "refuted" in outcome.verdicts("check") else set()
        kept = [part.record for part in outcome.parts if part.kind == "check" or (part.kind == "equiv" and not (
            part.record["verdict"] == "nondeterministic" and part.record.get("side") in told))]
        found += [with_fingerprints({**record, "acts_on": "b"} if "a" in record else record) for record in kept]
        new = outcome.pair.new
        if outcome.failure or (new is not None and not new.core and not kept and not new.is_idle):
            one = outcome.pair.one
            verdict, reason = outcome.failure or (one.verdict, one.reason)
            found.append({"schema": SCHEMA, "id": shown(one.home), "file": shown(one.home), "kernel": one.name, "launch": {},
                          "verdict": verdict, "reason": reason, "properties": {}, "findings": [], "assumptions": [], "scope": "",
                          "writes": 0, "determinism": {}, "seconds": round(outcome.seconds, 4)})
    return found


def _side(revision: Revision, read: Read | None) -> dict[str, Any] | None:
    if read is None:
        return None
    refusal = {"refused": read.verdict, "reason": read.reason} if not read.core else {}
    return {"revision": revision.commit or revision.name, "file": shown(read.home), "kernel": read.name, "line": read.line,
            **refusal}


def summary_record(page: Page) -> dict[str, Any]:
    """The record that ends the list: what was compared, and the counts."""
    return {"schema": SCHEMA, "kind": "diff-summary", "old": page.old.commit or page.old.name,
            "new": page.new.commit or page.new.name, "verdicts": dict(Counter(verdict_of(each) for each in page.outcomes)),
            "same": page.same, "texts": {"read": page.texts[0], "all": page.texts[1]}, "notes": list(page.notes),
            **({"fixed": page.fixed} if page.fixed else {}), "seconds": round(page.seconds, 4)}
