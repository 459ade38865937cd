"""Markdown for a comment under a pull request: a summary line, a table of what needs a look, details folded away.

Whatever the source holds (names, messages, lines) is put so that it cannot become markup: in code spans and fenced blocks whose
fence is longer than any inside, or with every sign of Markdown escaped. A comment has a limit (65,536 characters on GitHub):
pictures go first, then details from the end, and what was left out is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from spmd.records.alerts import SETTLED, Alert, Record, alerts, file_of, is_accepted, kernel_of
from spmd.records.excerpt import caret
from spmd.records.paths import relative
from spmd.records.results import ORDER, Results
from spmd.report.draw import drawing_of, mermaid
from spmd.report.words import assigned, many, told_place

LIMIT = 65_000
MOST_ARROWS = 24
"""Of an automaton that is drawn."""
SIGN = {"proved": "✅", "equal": "✅", "refuted": "❌", "different": "❌", "nondeterministic": "❌", "unknown": "❔",
        "unsupported": "❔", "invalid": "⚠️", "fault": "💥"}
_PLAIN = str.maketrans({
    **{sign: f"\\{sign}" for sign in "\\`*_[]~"}, "|": "&vert;", "&": "&amp;", "<": "&lt;", ">": "&gt;", "\n": " ",
    "@": "@&#8203;", "#": "#&#8203;"})
"""Signs of Markdown and HTML, and those that would call a person or name an issue."""


def markdown(results: Results) -> str:
    """The whole comment."""
    records = sorted(results.records, key=lambda record: (is_accepted(record), ORDER.index(record["verdict"])))
    head = "\n".join([*_summary(results), *_table(records), *_besides(results)])
    for with_pictures in (True, False):
        details = [_details(record, with_pictures) for record in records]
        if len(head) + sum(map(len, details)) < LIMIT:
            return "\n".join([head, *details])
    kept, left = list[str](), LIMIT - len(head)
    for text in details:
        if len(text) > left:
            kept.append(f"\n{len(details) - len(kept)} more kernels have details that do not fit in a comment.\n")
            break
        left -= len(text)
        kept.append(text)
    return "\n".join([head, *kept])


def _summary(results: Results) -> Iterator[str]:
    if results.about:
        yield f"**spmd**: {_plain(results.about)}\n"
        return
    number = len(results.records)
    accepted = sum(is_accepted(record) and record["verdict"] not in SETTLED for record in results.records)
    besides = f"; {accepted} of them known or allowed" if accepted else ""
    yield f"**spmd**: {many(number, 'result')}: {results.counted()}{besides}\n"


def _table(records: list[Record]) -> Iterator[str]:
    if not records:
        return
    yield "| | kernel | verdict | where | what |"
    yield "|---|---|---|---|---|"
    for record in records:
        found = [alert for alert in alerts(record) if alert.counts]
        for alert in found or (None,):
            yield f"| {' | '.join(_cells(record, alert))} |"


def _cells(record: Record, alert: Alert | None) -> Iterator[str]:
    verdict = record["verdict"]
    yield SIGN[verdict] if alert is None or not alert.is_accepted else "🔕"
    yield _code(kernel_of(record) or "")
    yield verdict + (f", {record['class']}" if "class" in record else "")
    places = (alert.places if alert else []) or [{"file": file_of(record), "line": 0}]
    yield "<br>".join(dict.fromkeys(_code(_where(place)) for place in places))
    yield _plain(f"{alert.rule}: {alert.message}" + (f" ({alert.mark})" if alert.mark else "")
                 if alert else record.get("scope", ""))


def _where(place: dict[str, Any]) -> str:
    return f"{relative(place['file'])}:{place['line']}" if place.get("line") else relative(place["file"])


def _besides(results: Results) -> Iterator[str]:
    yield ""
    yield from (f"- {_plain(note)}" for note in results.notes)
    for item in results.fixed:
        yield f"- ✅ no longer found: {_plain(item['rule'])} in {_code(item['kernel'])}: {_plain(item['message'])}"
    for item in results.idle:
        yield f"- ⚠️ {_code(_where(item))}: {_plain(item['message'])}"
    yield from [""] * bool(results.notes or results.fixed or results.idle)


def _details(record: Record, with_pictures: bool) -> str:
    """One record, folded; open to whoever wants to know."""
    title = f"{SIGN[record['verdict']]} <code>{_html(kernel_of(record) or file_of(record))}</code>: {record['verdict']}"
    lines = ["<details>", f"<summary>{title}</summary>", "", *_scope(record)]
    for alert in alerts(record):
        lines += _alert(alert)
    if record.get("assumptions"):
        lines += ["Assuming:", *(f"- {_plain(text)}" for text in record["assumptions"]), ""]
    if with_pictures:
        lines += _automata(record)
    return "\n".join([*lines, "</details>", ""])


def _scope(record: Record) -> Iterator[str]:
    if record.get("scope"):
        yield f"- scope: {_plain(record['scope'])}"
    if record.get("properties"):
        yield "- " + " · ".join(f"{name} {outcome}" for name, outcome in record["properties"].items())
    for name, output in record.get("outputs", {}).items():
        yield f"- output {_code(name)}: {output['verdict']}" + (f" ({output['class']})" if "class" in output else "")
    for name in ("evidence", "assurance", "next"):
        if record.get(name):
            yield f"- {name}: {_plain(record[name])}"
    yield ""


def _alert(alert: Alert) -> Iterator[str]:
    mark = f" _({_plain(alert.mark)})_" if alert.mark else ""
    yield f"**{alert.rule}**: {_plain(alert.message)}{mark}"
    if alert.about.get("sizes") and "places" in alert.about:
        yield f"at {_code(assigned(alert.about['sizes']))}"
    yield ""
    excerpt = []
    for place in alert.places:
        text, column = caret(place.get("text", ""), place.get("column", 1))
        excerpt += [told_place(place), f"  {text}", f"  {' ' * (column - 1)}^"] if text else [told_place(place)]
    if excerpt:
        yield _fenced("\n".join(excerpt))
        yield ""


def _automata(record: Record) -> Iterator[str]:
    for name, picture in record.get("pictures", {}).get("automata", {}).items():
        drawn = drawing_of(picture)
        if len(drawn.edges) <= MOST_ARROWS:
            yield f"Thread automaton{f' of {name}' if name else ''}:\n"
            yield _fenced(mermaid(drawn).rstrip(), "mermaid")
            yield ""


def _fenced(text: str, language: str = "") -> str:
    longest = max((len(found) for found in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def _code(text: str) -> str:
    """A code span, fit for a cell of a table."""
    if not text:
        return ""
    if "|" in text:
        return f"<code>{_plain(text)}</code>"
    longest = max((len(found) for found in re.findall(r"`+", text)), default=0)
    ticks = "`" * (longest + 1)
    space = " " if longest else ""
    return f"{ticks}{space}{' '.join(text.split(chr(10)))}{space}{ticks}"


def _html(text: str) -> str:
    return " ".join(text.split("\n")).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _plain(text: str) -> str:
    """Text in which no sign is markup."""
    return text.translate(_PLAIN)
