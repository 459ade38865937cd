"""Which findings a change mends, which stay, and which it brings.

In: the answers of `check` about an old kernel and about a new one, at all their launches. Out: their findings in three lists. A
finding is recognised by what the defect is (the rule, the array, the text of its lines) and not by where it stands, as
fingerprints are. Where a line of it was changed, one of the same rule and array that shares a line with it is taken for the same:
what is called gone is never an edited line alone.

That a finding is gone is *shown* where the property that it breaks is proved of the new kernel, at every launch that was asked
about. It is shown *as far as what stays allows* where that property is not proved, but every question about it has an answer:
what is open is among the findings that stay or are new, and this one is not. Else the new kernel was asked and nothing of the
kind was found, which is less: why is told beside it. Where the new kernel has no answer at all (it is refused) nothing is gone.
Where threads of one block met and now only threads of two do, which is what a barrier mends and leaves, the first is gone and
the second stays.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from spmd.diff.outcome import Part
from spmd.records.alerts import Record, lines_of
from spmd.report.assumed_text import ON_RANGES
from spmd.rules import PROPERTY_OF

SHOWN, APART, UNSEEN = "shown", "apart", "unseen"
"""How sure it is that a finding is gone: shown, shown as far as what stays allows, or only not found any more."""
APART_BLOCKS = "threads of two blocks still meet there"
_ANSWERED = ("proved", "refuted", "unknown")
_SAME_VALUE = "same-value-write"
_INSIDE = "accesses stay inside "
"""How an assumption begins that names the arrays of which no extent is known."""


@dataclass(frozen=True, slots=True)
class Gone:
    """A finding of the old kernel that the new one has not. `open`: why that is not shown."""

    finding: Record
    how: str = SHOWN
    open: str = ""


@dataclass(frozen=True, slots=True)
class Mended:
    """What a change does to the findings of a kernel. `stays` and `brought`: as the new kernel has them."""

    gone: tuple[Gone, ...] = ()
    stays: tuple[Record, ...] = ()
    brought: tuple[Record, ...] = ()


def mended(old: Iterable[Part], new: Iterable[Part]) -> Mended | None:
    """The findings of both sides compared; None where a side has no answer."""
    sides = list(old), list(new)
    if not all(side and all(part.record["verdict"] in _ANSWERED for part in side) for side in sides):
        return None
    before, after = (_findings(side) for side in sides)
    before = [each for each in before if each["status"] != "benign"]
    stays, parted = list[Record](), list[Gone]()
    for is_same in (_is_same, _is_edited):
        for finding in list(before):
            twin = next((each for each in after if is_same(finding, each)), None)
            if twin is not None:
                before.remove(finding)
                after.remove(twin)
                stays.append(twin)
                parted += [Gone(finding, UNSEEN, APART_BLOCKS)] if (_blocks(finding), _blocks(twin)) == (1, 2) else []
    gone = (*parted, *(Gone(finding, *_how(finding, sides[1])) for finding in before))
    return Mended(gone, tuple(stays), tuple(each for each in after if each["status"] != "benign"))


def _findings(parts: Iterable[Part]) -> list[Record]:
    """The findings of all launches, each defect once, the surest first; not those that stand nowhere."""
    found: dict[object, Record] = {}
    every = [item for part in parts for item in (*part.record["findings"], *part.record.get("besides", ()), *part.besides)]
    for item in sorted(every, key=lambda item: ("confirmed", "potential", "benign").index(item["status"])):
        if item["places"]:
            spots = frozenset((place["file"], place["line"]) for place in item["places"])
            found.setdefault((*_about(item), spots), item)
    return list(found.values())


def _is_same(one: Record, two: Record) -> bool:
    return _about(one) == _about(two) and lines_of(one["places"]) == lines_of(two["places"])


def _is_edited(one: Record, two: Record) -> bool:
    """Whether one of the lines was changed, and the defect may be the same."""
    return _about(one) == _about(two) and bool(set(lines_of(one["places"])) & set(lines_of(two["places"])))


def _blocks(finding: Record) -> int:
    """Of how many blocks the threads are that meet; 0 where that is not known."""
    threads = [place["thread"] for place in finding["places"] if "thread" in place]
    return len({tuple(thread["block"]) for thread in threads}) if len(threads) > 1 else 0


def _about(finding: Record) -> tuple[Any, Any]:
    """The rule and the array; stores of one value race, too, only harmlessly."""
    rule = finding["rule"]
    return "race" if rule == _SAME_VALUE else rule, finding.get("array")


def _how(finding: Record, parts: list[Part]) -> tuple[str, str]:
    """How sure it is that a new kernel has not what an old one has, and what is in the way."""
    name, least = PROPERTY_OF.get(finding["rule"], ""), SHOWN
    for part in parts:
        if name == "bounds" and _is_without_extent(finding.get("array"), part.record["assumptions"]):
            return UNSEEN, f"no extent of '{finding['array']}' is known there"
        if name == "no-wrap" and any(ON_RANGES.search(text) for text in part.record["assumptions"]):
            return UNSEEN, "that values do not wrap is assumed there"
        outcome = part.record["properties"].get(name, "unknown") if name else part.record["verdict"]
        if outcome == "proved":
            continue
        if name not in part.complete:
            reason = part.record.get("reason", "")
            return UNSEEN, f"{name or 'the new kernel'} is not decided there" + (f": {reason}" if reason else "")
        least = APART
    return least, ""


def _is_without_extent(array: str | None, assumptions: list[str]) -> bool:
    """Whether accesses to an array are taken to stay inside it."""
    taken = [text[len(_INSIDE):].partition(" (")[0].split(", ") for text in assumptions if text.startswith(_INSIDE)]
    return any(array in names for names in taken)


def told(found: Mended) -> list[str]:
    """What a person reads of it, a line each."""
    lines = [f"gone: {_in_words(each.finding)} ({_IN_WORDS[each.how]}{each.open})" for each in found.gone]
    lines += [f"stays: {_in_words(each)}" for each in found.stays]
    return lines + [f"new: {_in_words(each)}" for each in found.brought]


_IN_WORDS = {SHOWN: "shown", APART: "shown, as far as what is left allows", UNSEEN: "not found any more; "}


def _in_words(finding: Record) -> str:
    where = " and ".join(dict.fromkeys(f"{place['file']}:{place['line']}" for place in finding["places"]))
    array = f" on '{finding['array']}'" if finding.get("array") else ""
    return f"{finding['rule']}{array} at {where}" + (f" ({finding['status']})" if finding["status"] != "confirmed" else "")


def record_of(found: Mended) -> Record:
    """The record of it: what it takes to find each in the records of the two checks."""
    gone = [{**_short(each.finding), "how": each.how, **({"open": each.open} if each.open else {})} for each in found.gone]
    return {"gone": gone, "stays": list(map(_short, found.stays)), "brought": list(map(_short, found.brought))}


def _short(finding: Record) -> Record:
    return {key: finding[key] for key in ("rule", "status", "message", "array", "places") if key in finding}
