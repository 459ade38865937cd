"""What ran to answer a question, as text: one line for each pass, in the order of the table."""

from __future__ import annotations

from collections.abc import Sequence

from automata.passes import Told

MOST_NOTES = 4


def passes_text(lines: Sequence[Told]) -> str:
    """The lines under a heading. Seconds are those that a pass took itself, without passes that it asked for something."""
    rows = [("pass", "makes", "made", "again", "seconds", "came to")]
    for line in lines:
        notes = [*line.notes[:MOST_NOTES], *(["…"] if len(line.notes) > MOST_NOTES else [])]
        rows.append((line.name, f"{line.takes} → {line.gives}", str(line.made), str(line.again) if line.is_kept else "",
                     f"{line.seconds:.3f}", "; ".join(notes)))
    widths = [max(len(row[column]) for row in rows) for column in range(5)]
    out = ["passes (seconds of their own; what is asked for again is given as it was made)"]
    for row in rows:
        cells = [row[0].ljust(widths[0]), row[1].ljust(widths[1]), *(row[at].rjust(widths[at]) for at in (2, 3, 4)), row[5]]
        out.append("  " + "  ".join(cells).rstrip())
    return "\n".join(out) + "\n"
