"""What a first call answers on programs of other people: `spmd check FILE`, exactly as a user types it, file by file.

    python benchmarks/repositories.py CHECKOUT… [--every N] [--first N] [--timeout S] [--markdown PAGE] [--records FILE]
    python benchmarks/repositories.py CHECKOUT… --draw N… [--seed S] [--only PATTERN] …

CHECKOUT: a folder; nothing is fetched. Asked are the files under it that hold kernels (`.cu`, `.cl`), every Nth of them from the
Fth on, in the order of their names; or as many of each checkout as are to be drawn, of those whose paths a pattern is found in.
Each is a process of its own, called in the checkout with no stub and no argument of ours.
A kernel is one line: as its program launches it where that is known, else for all sizes. Printed: how many were proved, refuted
(at a launch the program makes, or for all sizes), unknown and refused, with causes, an example and seconds.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import statistics
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

QUOTED = re.compile(r"'[^']*'")
NUMBER = re.compile(r"\b\d+\b")
HOLDS = re.compile(r"\b__global__\b|\b(?:__)?kernel\s+(?:__attribute__\s*\(\(.*?\)\)\s*)?void\b", re.S)
ORDER = ("proved", "refuted as launched", "refuted", "unknown", "unsupported", "invalid", "fault", "crash")
WORST = ("fault", "refuted", "unknown", "unsupported", "invalid", "proved")
GRACE = 30


@dataclass(frozen=True)
class Line:
    """What was said of one kernel of a file. `cause`: why it is unknown or refused, or which rule it breaks."""

    file: str
    kernel: str
    verdict: str
    cause: str
    seconds: float


def files_of(checkout: Path) -> list[Path]:
    """Its files that hold kernels, by name."""
    found = [path for suffix in ("*.cu", "*.cl") for path in checkout.rglob(suffix) if path.is_file()]
    return sorted(path for path in found if HOLDS.search(path.read_text(errors="replace")))


def ask(checkout: Path, path: Path, timeout: float) -> tuple[Path, list[dict[str, Any]], str, float]:
    """The records of one call, or how it failed."""
    command = [sys.executable, "-m", "spmd", "check", str(path.relative_to(checkout)), "--timeout", str(timeout),
               "--format", "jsonl", "--no-cache"]
    began = time.monotonic()
    try:
        done = subprocess.run(command, cwd=checkout, capture_output=True, text=True, check=False, timeout=GRACE + 150 * timeout)
    except subprocess.TimeoutExpired:
        return path, [], "the call did not end", time.monotonic() - began
    failed = done.returncode not in range(5) or "Traceback" in done.stderr
    failure = (done.stderr.strip() or "?").splitlines()[-1] if failed else ""
    records = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return path, records, failure or ("" if records else done.stderr.strip()), time.monotonic() - began


def lines_of(file: str, records: list[dict[str, Any]], failure: str) -> Iterator[Line]:
    """One line a kernel: the worst of its records as launched, else that for all sizes; a call that failed is a line too."""
    if failure:
        yield Line(file, "", "crash" if "Error" in failure else "invalid", plain(failure), 0.0)
    by_kernel = defaultdict(list)
    for record in records:
        by_kernel[record["kernel"] or ""].append(record)
    for kernel, said in by_kernel.items():
        proved = [record for record in said if record["verdict"] == "proved"]
        launched = [record for record in said if is_launched(record)]
        judged = proved[:1] if any(not is_launched(record) for record in proved) else launched or said
        worst = min(judged, key=lambda record: WORST.index(record["verdict"]))
        verdict = worst["verdict"] + (" as launched" if worst["verdict"] == "refuted" and is_launched(worst) else "")
        yield Line(file, kernel, verdict, cause_of(worst), sum(record["seconds"] for record in said))


def is_launched(record: dict[str, Any]) -> bool:
    """Whether the program says the launch: in its host code or in a comment."""
    return str((record.get("launch") or {}).get("source", "")).startswith(("host code", "comment"))


def cause_of(record: dict[str, Any]) -> str:
    if record["verdict"] == "proved":
        return ""
    broken = [finding["rule"] for finding in record.get("findings", []) if finding.get("status") != "note"]
    if record["verdict"] == "refuted" and broken:
        return ", ".join(sorted(set(broken)))
    open_ones = sorted(name for name, outcome in (record.get("properties") or {}).items() if outcome == "unknown")
    return plain(record.get("reason") or f"open: {', '.join(open_ones)}; {', '.join(sorted(set(broken)))}")


def plain(reason: str) -> str:
    """A reason without names and numbers."""
    return NUMBER.sub("N", QUOTED.sub("'…'", reason.splitlines()[0]))[:150]


def table(lines: list[Line]) -> str:
    """Counts, then causes with an example each."""
    count = Counter(line.verdict for line in lines)
    total = max(1, len(lines))
    out = ["| verdict | kernels | share |", "| --- | ---: | ---: |"]
    out += [f"| {verdict} | {count[verdict]} | {count[verdict] / total:.1%} |" for verdict in ORDER]
    seconds = sorted(line.seconds for line in lines) or [0.0]
    out.append(f"\nSeconds a kernel: median {statistics.median(seconds):.2f}, largest {seconds[-1]:.1f}.\n")
    out += ["| kernels | verdict | cause | for example |", "| ---: | --- | --- | --- |"]
    causes: dict[tuple[str, str], list[Line]] = defaultdict(list)
    for line in lines:
        if line.verdict != "proved":
            causes[line.verdict, line.cause].append(line)
    for (verdict, cause), held in sorted(causes.items(), key=lambda item: (-len(item[1]), item[0])):
        out.append(f"| {len(held)} | {verdict} | {cause.replace('|', '/')} | {held[0].file} {held[0].kernel} |")
    return "\n".join(out) + "\n"


def measure(checkout: Path, paths: Iterable[Path], jobs: int, timeout: float, keep: list[dict[str, Any]]) -> list[Line]:
    lines = []
    with ThreadPoolExecutor(jobs) as pool:
        for path, records, failure, seconds in pool.map(lambda path: ask(checkout, path, timeout), paths):
            name = str(path.relative_to(checkout))
            print(f"{seconds:7.1f} s  {name}", file=sys.stderr)
            keep += [{**record, "file": name} for record in records]
            lines += lines_of(name, records, failure)
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkouts", nargs="+", type=Path)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--draw", nargs="+", type=int)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=float, default=20.0)
    parser.add_argument("--markdown", type=Path)
    parser.add_argument("--records", type=Path)
    given = parser.parse_args()
    pages, keep, chance = [], list[dict[str, Any]](), random.Random(given.seed)
    for checkout, draw in zip(given.checkouts, given.draw or [0] * len(given.checkouts), strict=True):
        root = checkout.resolve()
        paths = [path for path in files_of(root) if re.search(given.only, str(path.relative_to(root)))][given.first::given.every]
        paths = chance.sample(paths, min(draw, len(paths))) if draw else paths
        lines = measure(root, paths, given.jobs, given.timeout, keep)
        pages.append(f"## {root.name}\n\n{len(lines)} kernels in {len(paths)} files.\n\n{table(lines)}")
        print(pages[-1])
    if given.records:
        given.records.write_text("".join(json.dumps(record) + "\n" for record in keep))
    if given.markdown:
        given.markdown.write_text("# First calls on programs of other people\n\n" + "\n".join(pages))


if __name__ == "__main__":
    main()
