"""The report as one page that needs nothing else: it works from a file, without a network, with a keyboard, dark and light.

For each record the verdict with its scope and what it assumes; the findings with the source around both accesses; the cells of a
run, segment by segment; the automaton. Of a comparison both sides stand next to each other. All text is escaped, and a policy
in the head allows nothing from outside.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from importlib.resources import files
from typing import Any

from spmd.records.alerts import Alert, Record, alerts, file_of, is_accepted, kernel_of
from spmd.records.excerpt import caret
from spmd.records.paths import relative
from spmd.records.results import ORDER, Results
from spmd.report.cells import memory_html
from spmd.report.draw import drawing_of
from spmd.report.svg import svg
from spmd.report.words import assigned, many, told_place

SIGN = {"proved": ("good", "✓"), "equal": ("good", "="), "refuted": ("bad", "✗"), "different": ("bad", "≠"),
        "nondeterministic": ("bad", "✗"), "unknown": ("open", "?"), "unsupported": ("open", "?"), "invalid": ("bad", "!"),
        "fault": ("bad", "!"), "not-checked": ("", "–")}
FLAGS = "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳"
LARGEST = 12_000_000
"""Characters of a page after which nothing more is drawn."""
LONG = 40
"""Lines of a source in which nothing is marked that is shown without being asked for."""
SMALL = 30
"""Arrows of an automaton that is shown without being asked for."""
POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def html(results: Results) -> str:
    """The whole page."""
    records = sorted(results.records, key=lambda record: (is_accepted(record), ORDER.index(record["verdict"])))
    title = "spmd report"
    number = len(records)
    told = results.about or f"{many(number, 'result')}: {results.counted()}"
    return "".join([
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{title}: {escape(results.counted())}</title>'
        f"<style>{_resource('page.css')}</style></head><body>",
        '<a class="skip" href="#results">To the results</a>',
        f'<header><h1>{title}</h1><p class="sum">{escape(told)}</p></header>',
        *_navigation(records), *_besides(results), '<main id="results">',
        *_articles(records),
        f"</main><script>{_resource('page.js')}</script></body></html>\n"])


def _resource(name: str) -> str:
    return files("spmd.report").joinpath(name).read_text(encoding="utf-8")


def _sign(word: str) -> str:
    kind, sign = SIGN.get(word, ("", "–"))
    return f'<span class="sign {kind}" aria-hidden="true">{sign}</span>'


def _navigation(records: list[Record]) -> Iterator[str]:
    if len(records) < 2:
        return
    yield '<nav aria-label="Kernels"><ul>'
    for number, record in enumerate(records):
        yield (f'<li>{_sign(record["verdict"])} <a href="#k{number}"><code>{escape(kernel_of(record) or "?")}</code></a> '
               f'{record["verdict"]} <span class="where">{escape(relative(file_of(record)))}</span></li>')
    yield "</ul></nav>"


def _besides(results: Results) -> Iterator[str]:
    lines = list(results.notes)
    lines += [f"No longer found: {item['rule']} in {item.get('kernel') or '?'}: {item['message']}" for item in results.fixed]
    lines += [f"{relative(item['file'])}:{item['line']}: {item['message']}" for item in results.idle]
    if lines:
        yield f"<ul>{''.join(f'<li>{escape(line)}</li>' for line in lines)}</ul>"


def _articles(records: list[Record]) -> Iterator[str]:
    """One for each record. A page of thousands would be too large for a browser: what comes late has no pictures, and says so."""
    size = 0
    for number, record in enumerate(records):
        if size > LARGEST and record.get("pictures"):
            bare = {name: value for name, value in record.items() if name != "pictures"}
            note = "<p>Pictures are left out here: this page is large. Ask for this kernel alone (<code>--kernel</code>).</p>"
            yield _article(number, bare).replace("</article>", f"{note}</article>")
            continue
        found = _article(number, record)
        size += len(found)
        yield found


def _article(number: int, record: Record) -> str:
    verdict = record["verdict"]
    kind = SIGN[verdict][0]
    pictures = record.get("pictures", {})
    body = _sides(record, pictures) if "a" in record else _one(record, pictures)
    equality = f", {record['class']}" if "class" in record else ""
    return "".join([
        f'<article id="k{number}" aria-labelledby="t{number}"><div class="head"><span class="verdict {kind}">{_sign(verdict)} '
        f"{verdict}{escape(equality)}</span>"
        f'<h2 id="t{number}"><code>{escape(kernel_of(record) or "?")}</code></h2>'
        f'<span class="where">{escape(_where(record))}</span></div>',
        *_facts(record), *_findings(record), *body,
        *_automata(number, pictures), *_assumptions(record), "</article>"])


def _where(record: Record) -> str:
    if "a" in record:
        return f"{relative(record['a']['file'])} / {relative(record['b']['file'])}"
    line = f":{record['at']['line']}" if "at" in record else ""
    return f"{relative(file_of(record))}{line}"


def _facts(record: Record) -> Iterator[str]:
    scope = f"Scope: {record['scope']}" if record.get("scope") else ""
    scope += f"; assurance: {record['assurance']}" if record.get("assurance") else ""
    if scope:
        yield f'<p class="scope">{escape(scope)}</p>'
    properties = record.get("properties", {})
    outputs = {f"output {name}": item["verdict"] for name, item in record.get("outputs", {}).items()}
    if properties or outputs:
        yield '<ul class="facts">'
        for name, outcome in {**properties, **outputs}.items():
            yield f"<li>{_sign(outcome)} {escape(name)} {outcome}</li>"
        yield "</ul>"
    for name in ("evidence", "next"):
        if record.get(name):
            yield f'<p class="scope">{name.capitalize()}: {escape(str(record[name]))}</p>'


def _flag(at: int) -> str:
    """The sign of a place: places of a record are counted through, in findings and in the source."""
    return FLAGS[at] if at < len(FLAGS) else "○"


def _findings(record: Record) -> Iterator[str]:
    at = 0
    for alert in alerts(record):
        yield _finding(alert, at)
        at += len(alert.places)


def _finding(alert: Alert, first: int) -> str:
    mark = f'<p class="mark">{escape(alert.mark)}</p>' if alert.mark else ""
    status = alert.about.get("status", "")
    at = f" at {escape(assigned(alert.about['sizes']))}" if alert.about.get("sizes") and "places" in alert.about else ""
    places = "".join(f'<p class="who">{_flag(place_at)} {escape(told_place(place))}</p>{_excerpt(place)}'
                     for place_at, place in enumerate(alert.places, first))
    accepted = " accepted" if alert.is_accepted else ""
    rule = escape(f"{status} {alert.rule}".strip())
    return (f'<div class="finding {alert.level}{accepted}"><p><span class="rule">{rule}</span>: '
            f"{escape(alert.message)}{at}</p>{mark}{places}</div>")


def _excerpt(place: Record) -> str:
    if not place.get("text"):
        return ""
    text, column = caret(place["text"], place.get("column", 1))
    return f'<pre class="source"><span class="row">  {escape(text)}\n  {" " * (column - 1)}^</span></pre>'


def _one(record: Record, pictures: dict[str, Any]) -> Iterator[str]:
    """The source and the cells of one kernel."""
    flags = _flags(place for alert in alerts(record) for place in alert.places)
    if pictures.get("sources"):
        lines = sum(len(stretch["lines"]) for stretch in pictures["sources"])
        opened = " open" if flags or lines <= LONG else ""
        yield (f"<details{opened}><summary>Source: {many(lines, 'line')}</summary>"
               f"{_source(pictures['sources'], flags)}</details>")
    if pictures.get("memory"):
        is_marked = any(item["rule"] in ("race", "same-value-write") for item in record.get("findings", ()))
        about = "the conflict: these two threads meet" if is_marked else "the cell of the finding"
        yield f"<h3>Who touches which cell</h3>{memory_html(pictures['memory'], about)}"


def _flags(places: Any) -> dict[tuple[str, int], str]:
    flags: dict[tuple[str, int], str] = {}
    for at, place in enumerate(places):
        key = place["file"], place.get("line", 0)
        flags[key] = flags.get(key, "") + _flag(at)
    return flags


def _source(sources: list[Record], flags: dict[tuple[str, int], str]) -> str:
    parts = []
    for stretch in sources:
        rows = []
        for number, text in enumerate(stretch["lines"], stretch["first"]):
            flag = flags.get((stretch["file"], number), "")
            rows.append(f'<span class="row{" hit" if flag else ""}"><span class="flag">{flag}</span>'
                        f'<span class="number">{number}</span>{escape(text)}</span>')
        parts.append(f'<p class="file">{escape(relative(stretch["file"]))}</p><pre class="source" tabindex="0" '
                     f'aria-label="source of {escape(relative(stretch["file"]))}">{"".join(rows)}</pre>')
    return "".join(parts)


def _sides(record: Record, pictures: dict[str, Any]) -> Iterator[str]:
    """Both versions of a comparison side by side; where they differ, the cell, who wrote it, and both runs."""
    found = record.get("counterexample")
    places = [place for alert in alerts(record) for place in alert.places]
    if found:
        yield _values(found, len(places))
        places += [found["partings"][side] for side in "ab" if side in found.get("partings", {})]
    if pictures.get("sides"):
        yield '<h3>Both versions</h3><div class="sides">'
        for side in "ab":
            yield f"<div><h4>{side}: <code>{escape(str(record[side]['kernel'] or '?'))}</code></h4>"
            yield f"{_source(pictures['sides'][side], _flags(places))}</div>"
        yield "</div>"
    if found and any(pictures.get("runs", {}).values()):
        yield '<h3>Who touches which cell</h3><div class="sides">'
        for side, run in pictures["runs"].items():
            cells = memory_html(run, "the cell that differs", "≠", 8) if run else "<p>This run is not shown.</p>"
            yield f"<div><h4>{side}</h4>{cells}</div>"
        yield "</div>"


def _values(found: dict[str, Any], told: int) -> str:
    """The two values and who wrote them. `told`: how many places have a sign before the partings have theirs."""
    rows, parts = [], bool(found.get("partings"))
    owners, partings = found.get("owners", {}), found.get("partings", {})
    for side in "ab":
        owner, parting = owners.get(side), partings.get(side)
        wrote = "never written: the initial value"
        if owner:
            wrote = f"{_flag(sorted(owners).index(side))} {told_place({**owner, 'access': 'write'})}"
        first = ""
        if parting:
            cell = f"{parting['array']}[{parting['cell']}] = {parting['value']}"
            first = f"{_flag(told + sorted(partings).index(side))} {cell}, {told_place({**parting, 'access': 'write'})}"
        last = f"<td>{escape(first)}</td>" if parts else ""
        rows.append(f"<tr><th scope='row'>{side}</th><td><code>{escape(str(found[side]))}</code></td><td>{escape(wrote)}</td>"
                    f"{last}</tr>")
    inputs = "; ".join(f"{name} starts as " + ", ".join(f"[{index}] {value}" for index, value in cells.items())
                       for name, cells in found["inputs"].items() if cells)
    rest = "; all other elements start as zero" if found.get("zero_elsewhere") else ""
    last = "<th>where the computations part</th>" if parts else ""
    return (f"<h3>The cell that differs</h3><table class='values'><thead><tr><th>side</th><th><code>{escape(found['array'])}"
            f"[{found['cell']}]</code></th><th>written by</th>{last}</tr></thead>"
            f"<tbody>{''.join(rows)}</tbody></table><p class='scope'>Inputs: {escape(inputs or 'none')}{rest}.</p>")


def _automata(number: int, pictures: dict[str, Any]) -> Iterator[str]:
    for at, (name, picture) in enumerate(pictures.get("automata", {}).items()):
        drawn = drawing_of(picture)
        of = f" of {escape(name)}" if name else ""
        opened = " open" if len(drawn.edges) <= SMALL and not name else ""
        number_of = many(len(drawn.boxes), "sync-segment")
        yield (f"<details{opened}><summary>Thread automaton{of}: {number_of}"
               f'</summary><div class="scroll" tabindex="0">{svg(drawn, is_alone=False, mark=f"-{number}-{at}")}</div></details>')


def _assumptions(record: Record) -> Iterator[str]:
    if record.get("assumptions"):
        yield f"<h3>Assuming</h3><ul class='assume'>{''.join(f'<li>{escape(text)}</li>' for text in record['assumptions'])}</ul>"
