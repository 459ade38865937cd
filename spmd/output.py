"""Where the records of one call go: each is written as it comes or kept for a document; what decides the exit status.

One object a call. It takes a record with a way to make its text, so that text is made only where somebody reads it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any

from spmd.pipeline import Answer, PairAnswer
from spmd.record.result import check_record, pair_record
from spmd.record.results import Results
from spmd.report.formats import PICTURED, Format, document
from spmd.report.text import pair_text

Record = dict[str, Any]
Text = Callable[[Record], str]


class Output:
    """The results of one call, in a format."""

    def __init__(self, form: Format, say: Callable[[str], None]) -> None:
        self.form, self.say, self.results = form, say, Results()

    def add(self, record: Record, text: Text) -> None:
        """One more record, written at once if the format allows."""
        self.results.records.append(record)
        if self.form is Format.TEXT:
            self.say(text(record) + "\n")
        elif self.form is Format.JSONL:
            self.say(json.dumps(record, ensure_ascii=False) + "\n")

    def check(self, answer: Answer, text: Text) -> None:
        """The record of one check."""
        self.add(self._pictured(check_record(answer), answer), text)

    def pair(self, answer: PairAnswer) -> None:
        """The record of one comparison."""
        self.add(self._pictured(pair_record(answer), answer), partial(pair_text, answer))

    def _pictured(self, record: Record, answer: Answer | PairAnswer) -> Record:
        if self.form not in PICTURED:
            return record
        from spmd.report.pictures import with_pictures

        return with_pictures(record, answer)

    def close(self) -> list[str]:
        """Write what is written at the end. The verdicts that decide the exit status."""
        if self.form not in (Format.TEXT, Format.JSONL):
            self.say(document(self.form)(self.results))
        return self.results.deciding()
