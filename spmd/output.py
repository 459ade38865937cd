"""Where the records of one call go: each is marked with what is known or allowed of it, and written as it comes or kept for a
document; what decides the exit status.

One object a call. It takes a record with a way to make its text, so that text is made only where somebody reads it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any

from spmd.asked import Answer, PairAnswer
from spmd.interruption import undecided
from spmd.records.alerts import SETTLED, is_accepted
from spmd.records.allow import Allowances
from spmd.records.baseline import Baseline
from spmd.records.result import check_record
from spmd.records.results import Results
from spmd.report.formats import PICTURED, Format, document
from spmd.report.plain import as_before, remainder, rest_text

Record = dict[str, Any]
Text = Callable[[Record], str]


class Output:
    """The results of one call, in a format."""

    def __init__(self, form: Format, say: Callable[[str], None], baseline: Baseline | None = None, *,
                 is_whole: bool = True) -> None:
        """`is_whole`: whether all kernels of each file are looked at, so that a comment which nothing matches is idle."""
        self.form, self.say, self.baseline, self.is_whole = form, say, baseline, is_whole
        if baseline is not None:
            baseline.is_whole = is_whole
        self.results, self.allowances = Results(has_baseline=baseline is not None), Allowances()
        self.last = ""

    def add(self, record: Record, text: Text) -> None:
        """One more record, written at once if the format allows."""
        self.allowances.mark(record)
        if self.baseline is not None:
            self.baseline.mark(record)
        if record.get("verdict") not in SETTLED and is_accepted(record):
            record.pop("next", None)
        self.results.records.append(record)
        if self.form is Format.TEXT:
            made = text(record)
            if made:
                self.say((as_before(self.last, made) or made) + "\n")
            self.last = made
        elif self.form is Format.JSONL:
            self.say(json.dumps(record, ensure_ascii=False) + "\n")

    def check(self, answer: Answer, text: Text) -> None:
        """The record of one check."""
        self.add(self._pictured(check_record(answer), answer), text)

    def pair(self, answer: PairAnswer) -> None:
        """The record of one comparison."""
        from spmd.records.pair import pair_record
        from spmd.report.pair_text import pair_text

        self.add(self._pictured(pair_record(answer), answer), partial(pair_text, answer))

    def _pictured(self, record: Record, answer: Answer | PairAnswer) -> Record:
        if self.form not in PICTURED:
            return record
        from spmd.report.pictures import with_pictures

        return with_pictures(record, answer)

    def interrupted(self, left: list[str]) -> str:
        """Write what is decided so far; the line that names what is not. A baseline is left as it is."""
        if self.form is not Format.JSONL:
            self.say(rest_text(self.results) if self.form is Format.TEXT else document(self.form)(self.results))
        return undecided(left, len(self.results.records))

    def close(self) -> list[str]:
        """Write what is written at the end. The verdicts that decide the exit status."""
        results = self.results
        results.idle = self.allowances.idle(self.is_whole)
        if self.baseline is not None:
            results.fixed = self.baseline.fixed()
            if self.baseline.writes:
                self.baseline.write()
        if self.form is Format.TEXT:
            self.say(rest_text(results))
        elif self.form is Format.JSONL:
            self.say("".join(json.dumps(rest, ensure_ascii=False) + "\n" for rest in [remainder(results)] if rest))
        else:
            self.say(document(self.form)(results))
        return self.results.deciding()
