"""The formats in which results are written: one table, over records.

In: `Results`, which are records (spmd/1) of checks and comparisons, with what a baseline and comments in the source say of them.
Out: text. A format never looks at a command, a kernel or an answer, so whatever makes records can be written in all of them: a
check, a comparison, a batch in other processes, a stored result. What few formats need (an automaton, the cells of a run) is put
into a record on request, under `pictures`; `PICTURED` says which formats ask.

Text and lines of JSON are written record by record, by whoever has them; the others are documents, written at the end.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spmd.records.results import Results


class Format(str, Enum):
    """How results are written."""

    TEXT = "text"
    JSON = "json"
    JSONL = "jsonl"
    SARIF = "sarif"
    MARKDOWN = "markdown"
    GITHUB = "github"
    JUNIT = "junit"
    HTML = "html"


PLAIN = (Format.TEXT, Format.JSON, Format.JSONL)
"""Formats that hold anything; the others are of alerts."""
PICTURED = (Format.MARKDOWN, Format.HTML)


def document(form: Format) -> Callable[[Results], str]:
    """What writes a document of all results."""
    match form:
        case Format.SARIF:
            from spmd.report.sarif import sarif as chosen
        case Format.MARKDOWN:
            from spmd.report.markdown import markdown as chosen
        case Format.GITHUB:
            from spmd.report.github import github as chosen
        case Format.JUNIT:
            from spmd.report.junit import junit as chosen
        case Format.HTML:
            from spmd.report.html import html as chosen
        case _:
            from spmd.report.plain import json_document as chosen
    return chosen
