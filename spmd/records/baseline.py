"""Findings that somebody knows of already: a file of fingerprints beside the code.

In: a file that `--write-baseline` made. What of it is found again is marked as known, stays in the result, and does not decide
the exit status; what is not found any more is told as fixed. *Not found* has to mean something: only of files that this call has
checked, and of kernels it has decided, for where a kernel is unknown today its race may only be out of sight.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from automata.place import InputError, Place
from spmd.records.alerts import NEVER_ACCEPTED, Alert, Record, every_alert, file_of, kernel_of
from spmd.records.paths import relative

SCHEMA = "spmd-baseline/1"
UNDECIDED = ("unknown", "unsupported", "invalid", "fault")
FIELDS = ("fingerprint", "rule", "file", "message")


@dataclass
class Baseline:
    """What is known. `writes`: whatever is found becomes known, and the file is written at the end; `is_whole`: all kernels of
    each file are looked at, so that one which is not met is gone."""

    path: str
    entries: dict[str, dict[str, Any]] = field(default_factory=dict)
    writes: bool = False
    is_whole: bool = True
    found: dict[str, dict[str, Any]] = field(default_factory=dict)
    decided: dict[tuple[str, str | None], bool] = field(default_factory=dict)
    """Of each file and kernel of this call, whether all its records are decided."""

    def mark(self, record: Record, *, is_past: bool = False) -> None:
        """Mark what of a record is known. `is_past`: it speaks of code that is no more, so that nothing of it is there."""
        key = relative(file_of(record)), kernel_of(record)
        if not is_past:
            self.decided[key] = self.decided.get(key, True) and record["verdict"] not in UNDECIDED
        for alert in every_alert(record):
            if alert.rule != NEVER_ACCEPTED and alert.counts and alert.allowed is None:
                if not is_past:
                    self.found[alert.fingerprint] = _entry(alert)
                if self.writes or alert.fingerprint in self.entries:
                    alert.about["known"] = True

    def fixed(self) -> list[dict[str, Any]]:
        """The entries that this call would have found, and has not."""
        return [entry for mark, entry in self.entries.items() if mark not in self.found and self._is_seen(entry)]

    def _is_seen(self, entry: dict[str, Any]) -> bool:
        """Whether its kernel was decided in this call, or is gone from a file that was read."""
        key = entry["file"], entry.get("kernel")
        of_file = [is_decided for (file, _), is_decided in self.decided.items() if file == entry["file"]]
        return self.decided.get(key, self.is_whole and bool(of_file) and all(of_file))

    def write(self) -> None:
        """The file anew: what this call has found, and what it has not looked at. InputError where it cannot be written."""
        kept = [entry for mark, entry in self.entries.items() if mark not in self.found and not self._is_seen(entry)]
        entries = sorted([*kept, *self.found.values()], key=lambda entry: [str(entry.get(name)) for name in ORDER])
        text = json.dumps({"schema": SCHEMA, "entries": entries}, ensure_ascii=False, indent=1) + "\n"
        target = Path(self.path)
        beside = target.with_name(f"{target.name}.{os.getpid()}")
        try:
            beside.write_text(text, encoding="utf-8")
            beside.replace(target)
        except OSError as error:
            raise InputError(f"cannot write the baseline '{self.path}': {error.strerror}") from error


ORDER = ("file", "kernel", "rule", "fingerprint")


def _entry(alert: Alert) -> dict[str, Any]:
    return {"fingerprint": alert.fingerprint, "rule": alert.rule, "file": relative(alert.file), "kernel": alert.kernel,
            "message": alert.message}


def read_baseline(path: str, writes: bool) -> Baseline:
    """The baseline in a file; one that is to be written need not be there yet. InputError where it is none."""
    if writes and not os.path.exists(path):
        return Baseline(path, writes=True)
    return Baseline(path, {entry["fingerprint"]: entry for entry in _entries(path)}, writes)


def _entries(path: str) -> Iterator[dict[str, Any]]:
    here = Place(path, 0, 0)
    try:
        content = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"cannot read the baseline: {error.strerror}; add --write-baseline to make it", here) from error
    except (ValueError, RecursionError) as error:
        raise InputError("this baseline is not JSON; remove it, and make it anew with --write-baseline", here) from error
    if not isinstance(content, dict) or content.get("schema") != SCHEMA or not isinstance(content.get("entries"), list):
        raise InputError(f"not a baseline that this version reads ('schema' is not {SCHEMA})", here)
    for entry in content["entries"]:
        if not isinstance(entry, dict) or not all(isinstance(entry.get(name), str) for name in FIELDS):
            raise InputError(f"an entry of the baseline lacks one of {', '.join(FIELDS)}", here)
        yield entry
