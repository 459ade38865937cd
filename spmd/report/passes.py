"""What ran to answer a question, as text: one line for each pass, in the order of the table."""

from __future__ import annotations

from collections.abc import Sequence

from automata.passes import Line, Pass

MOST_NOTES = 4


def passes_text(done: Sequence[tuple[Pass, Line]]) -> str:
    """The lines under a heading. Seconds are those that a pass took itself, without passes that it asked for something."""
    rows: list[tuple[str, ...]] = [("pass", "makes", "made", "again", "seconds", "came to")]
    for each, line in done:
        rows.append((each.name, f"{each.takes} → {each.gives}", str(line.made), str(line.again) if each.is_kept else "",
                     f"{line.own / 1e9:.3f}", _notes(line)))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    out = ["passes (seconds of their own; what is asked for again is given as it was made)"]
    for row in rows:
        cells = [cell.ljust(width) if at in (0, 1, 5) else cell.rjust(width)
                 for at, (cell, width) in enumerate(zip(row, widths, strict=True))]
        out.append("  " + "  ".join(cells).rstrip())
    return "\n".join(out) + "\n"


def _notes(line: Line) -> str:
    """What a pass came to, the most frequent first."""
    texts = [text if count == 1 else f"{count} × {text}" for text, count in line.notes.most_common()]
    return "; ".join([*texts[:MOST_NOTES], *(["…"] if len(texts) > MOST_NOTES else [])])
