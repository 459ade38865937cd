"""The lines of a folder's kernels: one for each, but for instances of a template of which the same is said.

Of each kernel template in a file the first instance with a verdict and reason has a line; others like it are counted and told at
the end, and so are kernels for which a budget left no time. What is proved has a line in any case: somebody looks for it.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from spmd.pipeline import BUDGET_SPENT
from spmd.recording.listing import counted
from spmd.records.alerts import SETTLED, is_accepted

Record = dict[str, Any]
_INNERMOST = re.compile(r"<[^<>]*>|\([^()]*\)$")


class FolderLines:
    """`alike`: how many more there are for each line; `late`: of each file, the kernels that nothing was left for."""

    def __init__(self) -> None:
        self.alike: Counter[tuple[str, ...]] = Counter()
        self.late: Counter[str] = Counter()

    def line(self, record: Record) -> str:
        """A kernel's line: its verdict, where it stands, the launch of the program if one decides, and why; else nothing."""
        if record.get("reason") == BUDGET_SPENT:
            self.late[record["file"]] += 1
            return ""
        stem = _stem(record["kernel"] or "")
        if stem != record["kernel"] and record["verdict"] not in SETTLED:
            key = record["verdict"], record["file"], stem, _stem(record.get("reason") or _defect(record))
            self.alike[key] += 1
            if self.alike[key] > 1:
                return ""
        source = record["launch"].get("source") or ""
        at = f"  [{source}]" if source.startswith("host") else ""
        why = f": {record['reason']}" if "reason" in record else confirmed(record)
        known = "  (known or allowed)" if record["verdict"] not in SETTLED and is_accepted(record) else ""
        return f"{record['verdict']:12} {record['file']}  {record['kernel'] or ''}{at}{why}{known}"

    def rest(self) -> list[str]:
        """What is told at the end."""
        found = [f"{verdict:12} {file}  {stem}: {counted(count - 1, 'more instance')}, as above"
                 for (verdict, file, stem, _), count in self.alike.items() if count > 1]
        if self.late:
            kernels = f"{counted(self.late.total(), 'kernel')} of {counted(len(self.late), 'file')}"
            why = BUDGET_SPENT.replace("this kernel's", "their")
            found.append(f"{'unknown':12} {kernels}: {why}")
        return found


def _stem(text: str) -> str:
    """A text without template arguments, and a kernel's name without parameters."""
    while (less := _INNERMOST.sub("", text)) != text:
        text = less
    return text


def _defect(record: Record) -> str:
    """What was confirmed, and where: it is one defect whatever numbers show it."""
    found = [each for each in record["findings"] if each["status"] == "confirmed"]
    return " ".join(f"{each['rule']} {[(place['file'], place['line']) for place in each['places']]}" for each in found)


def confirmed(record: Record) -> str:
    """The first confirmed finding, in short."""
    found = next((each for each in record["findings"] if each["status"] == "confirmed"), None)
    place = found["places"][0] if found and found["places"] else None
    return f": {found['rule']}: {found['message']}" + (f" ({place['file']}:{place['line']})" if place else "") if found else ""
