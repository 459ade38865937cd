"""Text and records of amplified runs: what data decides and by which way, and the table of the paper."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import typer

from automata.proof.runs.amplify import Variant
from spmd.amplified import Row
from spmd.records.result import SCHEMA, finding_record
from spmd.report.text import COLOURS, finding_text

MAX_VARIANTS = 4


def row_text(row: Row) -> str:
    """One kernel: the verdict, what it depends on, and what data decides."""
    verdict = typer.style(row.verdict, fg=COLOURS[row.verdict], bold=True)
    lines = [f"{verdict} {row.kernel}  {row.file}{_sizes(row)}"]
    if row.result is not None and row.verdict == "proved":
        lines.append(f"  no race and no barrier divergence for any data at this launch; it depends on {depends(row)}")
    if row.reason and row.verdict != "refuted":
        lines.append(f"  reason: {row.reason}")
    for finding in row.findings:
        lines += finding_text(finding)
    variants = row.result.variants if row.result is not None else []
    for variant in variants[:MAX_VARIANTS]:
        lines += _variant(variant)
    if len(variants) > MAX_VARIANTS:
        lines.append(f"  and {len(variants) - MAX_VARIANTS} more that depend on data")
    lines += [f"  made up: {text}" for text in row.made_up]
    return "\n".join(lines)


def _sizes(row: Row) -> str:
    if row.setting is None:
        return ""
    block, grid = (",".join(map(str, size)) for size in (row.setting.block, row.setting.grid))
    return f"  [block {block} · grid {grid}]"


def depends(row: Row) -> str:
    """The property-integrity inputs, in words."""
    return (", ".join(row.result.integrity) if row.result is not None else "") or "nothing but the launch"


def _variant(variant: Variant) -> list[str]:
    harm = "" if variant.blocks else " (does no harm)"
    lines = [f"  variant: {variant.what}, {variant.place}{harm}"]
    lines += [f"    {step.place}: {step.text}" for step in variant.path]
    return lines


def summary(rows: Sequence[Row]) -> str:
    """The table: lines, kernel, whether data decides anything, the guarantee, and what it depends on."""
    head = ("file", "kernel", "lines", "invariant", "verdict", "depends on")
    table = [head] + [(row.file.rpartition("/")[2], row.kernel or "-", str(row.lines) if row.lines else "-",
                       _invariant(row), row.verdict, depends(row) if row.result is not None else row.reason[:60]) for row in rows]
    widths = [max(len(line[at]) for line in table) for at in range(len(head))]
    text = ["", *("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in table)]
    judged = [row.result for row in rows if row.result is not None]
    invariant = sum(result.is_invariant for result in judged)
    proved = sum(row.verdict == "proved" for row in rows)
    share = f"{100 * invariant / len(rows):.0f} %" if rows else "-"
    text.append(f"\n{len(rows)} kernels: {invariant} invariant ({share}), {proved} proved for all data at their launch")
    return "\n".join(text) + "\n"


def _invariant(row: Row) -> str:
    return "-" if row.result is None else "yes" if row.result.is_invariant else "no"


def amplified_record(row: Row) -> dict[str, Any]:
    """The record of one kernel."""
    record: dict[str, Any] = {"schema": SCHEMA, "file": row.file, "kernel": row.kernel or None, "verdict": row.verdict,
                              "lines": row.lines, "seconds": round(row.seconds, 4)}
    if row.setting is not None:
        record["launch"] = {"grid": list(row.setting.grid), "block": list(row.setting.block)}
    if row.reason:
        record["reason"] = row.reason
    if row.findings:
        record["findings"] = [finding_record(finding) for finding in row.findings]
    if row.result is not None:
        record["invariant"] = row.result.is_invariant
        record["integrity"] = list(row.result.integrity)
        record["variants"] = [{"what": item.what, "line": item.place.line, "source": item.source.name, "kind": item.source.kind,
                               "blocks": item.blocks, "path": [f"{step.place}: {step.text}" for step in item.path]}
                              for item in row.result.variants]
    record["made_up"] = list(row.made_up)
    return record
