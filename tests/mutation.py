"""Mutants of the kernels that are proved deterministic: a barrier dropped, a stride shifted by one.

    python tests/mutation.py [--every N] [--jobs N] [--verbose]

Each mutant is checked. It is *caught* if race-freedom, barriers or freedom of order is refuted. What is not is run at ten small
launches: where no run shows a conflict it is *harmless* as far as that goes; else it is *unknown*, or *missed* if it was called
proved, which must never be. The score is the share of caught ones among those that are not harmless.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing import Pool
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from test_prover_machine import runs  # noqa: E402

from automata.place import InputError, UndecidedError  # noqa: E402
from automata.verdict import Outcome, Property  # noqa: E402
from spmd.asked import Question, Source  # noqa: E402
from spmd.pipeline import run_check  # noqa: E402

ASKED = (Property.RACE_FREE, Property.BARRIERS, Property.ORDER_FREE)
BARRIER = re.compile(r"(__syncthreads|__syncwarp|barrier)\s*\([^()]*\)\s*;")
STRIDE = re.compile(r"(?<=\* )(?:blockDim\.[xyz]|gridDim\.[xyz]|\d+|[a-zA-Z_]\w*)(?![\w.(\[])")
MAX_OF_A_KIND = 4
SECONDS = 10.0


@dataclass(frozen=True)
class Mutant:
    """A changed text and what was changed where."""

    path: Path
    line: int
    what: str
    text: str


def mutants(path: Path) -> Iterator[Mutant]:
    """Some mutants of a file, the same each time."""
    text = path.read_text()
    code = re.sub(r"//[^\n]*", lambda found: " " * len(found[0]), text)
    barriers = [(found.start(), found.end(), ";") for found in BARRIER.finditer(code)]
    strides = [(found.start(), found.end(), f"({found[0]} - 1)") for found in STRIDE.finditer(code)
               if _is_index(code, found.start())]
    for what, places in (("barrier dropped", barriers), ("stride shifted", strides)):
        for begin, end, instead in places[:MAX_OF_A_KIND]:
            yield Mutant(path, text.count("\n", 0, begin) + 1, what, text[:begin] + instead + text[end:])


def _is_index(code: str, at: int) -> bool:
    """Whether a place is between brackets, or multiplies the number of a block."""
    line = code[code.rfind("\n", 0, at) + 1:at]
    return line.count("[") > line.count("]") or re.search(r"(blockIdx\.[xyz]|get_group_id\(\d\)) \* $", line) is not None


def is_deterministic(path: Path) -> bool:
    """Whether a file's first line says that all is proved."""
    head = path.read_text().splitlines()[0]
    return "race-free=proved" in head and not re.search(r"=(refuted|unknown|not-checked)|verdict=", head)


def judge(mutant: Mutant) -> str:
    """caught, harmless, unknown or missed; unread if it is no program any more."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / mutant.path.name
        path.write_text(mutant.text)
        try:
            answers = list(run_check(Question(Source(str(path)), seconds=SECONDS)))
        except InputError:
            return "unread"
        judged = [_judged(answer.report.properties) for answer in answers]
        if "caught" in judged or not all(answer.report.properties for answer in answers):
            return "caught" if "caught" in judged else "unread"
        for answer, found in zip(answers, judged, strict=True):
            try:
                if any(_shows_conflict(outcome) for outcome in runs(answer, path, most=10, each=1)):
                    return found
            except (UndecidedError, InputError):
                continue
        return "harmless"


def _judged(properties: dict[Property, Outcome]) -> str:
    outcomes = [properties.get(name) for name in ASKED]
    return "caught" if Outcome.REFUTED in outcomes else "missed" if set(outcomes) == {Outcome.PROVED} else "unknown"


def _shows_conflict(outcome: object) -> bool:
    conflicts = getattr(outcome, "conflicts", [])
    return bool(getattr(outcome, "divergences", [])) or any(item.rule == "race" and not item.same_value for item in conflicts)


def proved_files() -> list[Path]:
    found = sorted(path for folder in ("kernels", "programs") for path in (HERE / folder).glob("*.c[ul]"))
    return [path for path in found if is_deterministic(path)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--verbose", action="store_true")
    asked = parser.parse_args()
    todo = [mutant for path in proved_files() for mutant in mutants(path)][::asked.every]
    counts: Counter[tuple[str, str]] = Counter()
    with Pool(asked.jobs, maxtasksperchild=50) as pool:
        for mutant, verdict in zip(todo, pool.imap(judge, todo), strict=True):
            counts[mutant.what, verdict] += 1
            if asked.verbose or verdict in ("missed", "unknown"):
                print(f"{verdict}: {mutant.path.name}:{mutant.line} {mutant.what}", flush=True)
    total = Counter[str]()
    for (what, verdict), number in sorted(counts.items()):
        print(f"{what:18}{verdict:10}{number:6}")
        total[verdict] += number
    judged = total["caught"] + total["unknown"] + total["missed"]
    share = total["caught"] / max(judged, 1)
    print(f"{len(todo)} mutants: caught {total['caught']} of {judged} that are not harmless = {share:.1%}")
    sys.exit(1 if total["missed"] else 0)


if __name__ == "__main__":
    main()
