"""JSON as one document: the record, or the list of them; and what belongs to no record, as JSON and as text."""

from __future__ import annotations

import json
import re

from spmd.records.results import Results
from spmd.records.schema import SCHEMA

_SCOPE, _REQUIRED = "  scope: ", "    - required: "


def json_document(results: Results) -> str:
    """One record alone, else a list; what a baseline lists and nobody finds is a last element."""
    found = list(results.records)
    if rest := remainder(results):
        found.append(rest)
    return json.dumps(found[0] if len(found) == 1 else found, ensure_ascii=False, indent=1) + "\n"


def remainder(results: Results) -> dict[str, object]:
    """What belongs to no record: fixed findings of the baseline, comments that allow nothing."""
    rest = {name: found for name, found in (("fixed", results.fixed), ("idle", results.idle)) if found}
    return {"schema": SCHEMA, **rest} if rest else {}


def rest_text(results: Results) -> str:
    """The same for a person: a line each."""
    lines = [f"fixed {item['rule']} {item.get('kernel') or ''}  {item['file']}: {item['message']}" for item in results.fixed]
    lines += [f"note: {item['file']}:{item['line']}: {item['message']}" for item in results.idle]
    return "".join(f"{line}\n" for line in lines)


def as_before(last: str, text: str) -> str:
    """One line for the text of a record that says what the last one said, at another launch of the same kernel; else nothing.

    A kernel that a program launches with several numbers has a record for each. What differs between them is in the scope.
    """
    scopes, others = [], []
    for each in (last, text):
        lines = each.split("\n")
        scope = next((re.split("[,;] ", line.removeprefix(_SCOPE)) for line in lines if line.startswith(_SCOPE)), [])
        scopes.append(scope)
        others.append([line for line in lines if not line.startswith(_SCOPE) and line.removeprefix(_REQUIRED) not in scope])
    if others[0] != others[1] or not all(scopes):
        return ""
    own = [part for part in scopes[1] if part not in scopes[0]]
    return f"{others[1][0]}: as above, at {', '.join(own) or 'the same launch'}\n"
