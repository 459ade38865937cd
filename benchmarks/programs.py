"""How long the programs under tests/programs take, for all sizes and at one launch, and what is said of them.

    python benchmarks/programs.py [--repeat N] [--docs]

All sizes: under the requirements that the program states. At a launch: that of its line `// at:`. Seconds are medians of checks
in one warm process, after imports; the last columns give them as multiples of a fixed piece of Python run right before.
`--docs` writes the table to docs/programs.md.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]

from reversal import reference  # noqa: E402

from automata.lang.launch import Launch, parse_comment  # noqa: E402
from automata.place import Place  # noqa: E402
from automata.verdict import Property  # noqa: E402
from spmd.asked import Answer, Question, Source  # noqa: E402
from spmd.pipeline import run_check  # noqa: E402

ASKED = (Property.RACE_FREE, Property.BARRIERS, Property.ORDER_FREE)


@dataclass(frozen=True)
class Row:
    """One program: its outcomes for all sizes and at a launch, with seconds and multiples of the reference."""

    name: str
    what: str
    scope: str
    general: Answer
    launched: Answer
    seconds: tuple[float, float]
    ratios: tuple[float, float]


def measure(path: Path, launch: Launch | None, repeat: int) -> tuple[Answer, float, float]:
    """The answer, the median of its seconds, and of its multiples of the reference."""
    found, ratios = [], []
    for _ in range(repeat):
        unit = reference()
        began = time.perf_counter()
        answer, = run_check(Question(Source(str(path)), launch=launch))
        found.append(time.perf_counter() - began)
        ratios.append(found[-1] / unit)
    return answer, statistics.median(found), statistics.median(ratios)


def row(path: Path, repeat: int) -> Row:
    head = [line[3:].strip() for line in path.read_text().splitlines() if line.startswith("// ")]
    at = next(line[3:].strip() for line in head if line.startswith("at:"))
    what = next(line for line in head if not line.startswith(("at:", "spmd:", "expect:")))
    general, seconds, ratio = measure(path, None, repeat)
    launched, at_seconds, at_ratio = measure(path, parse_comment(at, Place(str(path), 1, 1)), repeat)
    return Row(path.stem, what, general.report.scope, general, launched, (seconds, at_seconds), (ratio, at_ratio))


def told(answer: Answer) -> str:
    """The outcomes of what makes a kernel deterministic, shortest way."""
    outcomes = {name: answer.report.properties[name].value for name in ASKED}
    if set(outcomes.values()) == {"proved"}:
        return "proved"
    return ", ".join(f"{name.value} {outcome}" for name, outcome in outcomes.items() if outcome != "proved")


def table(rows: list[Row]) -> str:
    lines = ["| program | | scope | answer | s | at a launch | s |", "| --- | --- | --- | --- | ---: | --- | ---: |"]
    lines += [f"| {item.name} | {item.what} | {item.scope} | {told(item.general)} | {item.seconds[0]:.2f} "
              f"| {told(item.launched)} | {item.seconds[1]:.2f} |" for item in rows]
    return "\n".join(lines)


def summary(rows: list[Row]) -> str:
    parts = []
    for at, what in enumerate(("all sizes", "at a launch")):
        seconds = [item.seconds[at] for item in rows]
        ratios = [item.ratios[at] for item in rows]
        parts.append(f"{what}: median {statistics.median(seconds):.2f} s ({statistics.median(ratios):.0f} × the reference), "
                     f"longest {max(seconds):.2f} s")
    return f"{len(rows)} programs; " + "; ".join(parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--docs", action="store_true")
    asked = parser.parse_args()
    rows = []
    for path in sorted((ROOT / "tests" / "programs").glob("*.cu")):
        if "// at:" not in path.read_text():
            continue  # there for its host code
        rows.append(row(path, asked.repeat))
        print(f"{path.stem:24}{rows[-1].seconds[0]:8.2f}{rows[-1].seconds[1]:8.2f}  {told(rows[-1].general)}", file=sys.stderr)
    text = f"{table(rows)}\n\n{summary(rows)}.\n"
    if asked.docs:
        page = ROOT / "docs" / "programs.md"
        page.write_text(f"""# Programs people write

Kernels of the usual optimisation stories, written for this project, each proved for every launch that its scope names.
Seconds are medians of checks in one warm process, after imports, on two cores of a machine that is not quiet. Repeat with
`python benchmarks/programs.py --docs`.

{text}
`clock_timing` stores what the clock says, which no launch determines; `tree_4_lockstep` relies on lanes running in step.
""")
    print(text)


if __name__ == "__main__":
    main()
