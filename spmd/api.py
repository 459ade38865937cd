"""The tool for programs: what the commands ask, asked from Python. The commands are made of these names too.

    from spmd.api import check, equiv, diff

    for answer in check("src/reduce.cu", block=256, grid="(n + 255) / 256", require=["n > 0"]):
        print(answer.verdict, answer.kernel)
    assert equiv("src/naive.cu", "src/tiled.cu:tiled", block=(16, 16)).verdict == "equal"
    print(text(diff("main", repository=".")))

Verdicts are the words that the commands print (docs/soundness.md says what they mean). What is wrong with the input is an answer
`invalid` or `unsupported` with its reason; InputError is raised where nothing can be answered at all: an option that makes no
sense, a revision that does not exist. A stated option comes before comments in the source, those before `spmd.toml`.

The engines keep pools of terms for the kernel that they are at: ask one question at a time in a process. `batch` asks many
at once, in processes of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from automata.budget import Budget
    from automata.lang.launch import Launch as Launch
    from automata.place import InputError as InputError
    from spmd.asked import Answer as Answer
    from spmd.asked import PairAnswer as PairAnswer
    from spmd.asked import PairQuestion as PairQuestion
    from spmd.asked import Question as Question
    from spmd.diff.report import Page as Page

__all__ = ["Answer", "InputError", "Launch", "Page", "PairAnswer", "PairQuestion", "batch", "check", "compare", "comparison",
           "diff", "equiv", "launch", "record", "text"]

_TYPES = {"Answer": "spmd.asked", "PairAnswer": "spmd.asked", "PairQuestion": "spmd.asked", "Question": "spmd.asked",
          "Page": "spmd.diff.report",
          "Launch": "automata.lang.launch", "InputError": "automata.place"}
SECONDS = 60.0
"""The limit of a kernel at one launch, and of a pair, where nobody states one."""
Sizes = int | str | tuple[int | str, ...]
Frontend = Literal["auto", "clang", "c"]


def __getattr__(name: str) -> Any:
    """Types are loaded when they are named, and the engines when they are asked."""
    if name not in _TYPES:
        raise AttributeError(f"module 'spmd.api' has no attribute '{name}'")
    return getattr(import_module(_TYPES[name]), name)


def launch(block: Sizes | None = None, grid: Sizes | None = None,
           args: Mapping[str, int | float | str] | None = None,
           extents: Mapping[str, int | str] | None = None) -> Launch | None:
    """How kernels are launched: sizes as numbers, as expressions over parameters ("(n + 255) / 256"), or both for up to three
    axes ("16,16" or (16, 16)); scalar arguments; and how many elements arrays have. None where nothing is stated. InputError for
    what is none of these."""
    from automata.lang.launch import Launch, parse_value

    if block is None and grid is None and not args and not extents:
        return None
    return Launch(_sizes(grid, "--grid"), _sizes(block, "--block"),
                  {name: parse_value(str(value)) for name, value in (args or {}).items()},
                  extents={name: _elements(name, value) for name, value in (extents or {}).items()}, source="flags")


def _elements(name: str, value: int | str) -> int | str:
    from automata.lang.launch import parse_value
    from automata.place import InputError

    found = parse_value(str(value))
    if isinstance(found, float):
        raise InputError(f"--extent {name}={value}: give a whole number, or an expression over parameters")
    return found


def _sizes(given: Sizes | None, option: str) -> Any:
    from automata.lang.launch import parse_sizes

    if given is None:
        return None
    return parse_sizes(",".join(map(str, given)) if isinstance(given, tuple) else str(given), option)


def check(file: str, kernel: str | None = None, *, block: Sizes | None = None, grid: Sizes | None = None,
          args: Mapping[str, int | float | str] | None = None, extents: Mapping[str, int | str] | None = None,
          require: Iterable[str] = (), alias: Iterable[str] = (),
          defines: Mapping[str, str] | None = None, includes: Iterable[str] = (), project: str | None = None,
          arch: str | None = None, frontend: Frontend = "auto", strict: bool | None = None, suggest: bool = False,
          all_sizes: bool = False, timeout: float | None = None, budget: Budget | None = None,
          limits: Mapping[str, int] | None = None, tell: Callable[[str], None] = lambda kernel: None,
          pass_by: Callable[[str], None] = lambda why: None) -> Iterator[Answer]:
    """Is each kernel of a file deterministic? One answer for each kernel and launch, as they come.

    `file` may be "file.cu:kernel"; `kernel`: only this one, of a template with its arguments ("reduce<float, 256>");
    `require`: what holds at the launch, as C expressions; `extents`: elements of arrays; `alias`: pointer parameters that get one
    buffer ("out,in"); `strict`: same-value writes count as races; `suggest`: look for requirements that make it proved;
    `all_sizes`: launches in the host code do not decide; `timeout`: seconds a kernel may take; `budget`: what several calls share
    (`automata.budget.Budget.of(seconds)`); `limits`: on work, by name (`automata.limits`); `tell` hears of each kernel that is
    begun, `pass_by` of templates that nothing instantiates. None: as
    settings say, else as the command's defaults are.
    """
    from spmd.pipeline import run_check

    asked = question(file, kernel, block=block, grid=grid, args=args, extents=extents, require=require, alias=alias,
                     defines=defines, includes=includes, project=project, arch=arch, frontend=frontend, strict=strict,
                     suggest=suggest, all_sizes=all_sizes, timeout=timeout, budget=budget, limits=limits)
    yield from run_check(asked, tell=tell, pass_by=pass_by)


def question(file: str, kernel: str | None = None, *, block: Sizes | None = None, grid: Sizes | None = None,
             args: Mapping[str, int | float | str] | None = None, extents: Mapping[str, int | str] | None = None,
             require: Iterable[str] = (), alias: Iterable[str] = (),
             defines: Mapping[str, str] | None = None, includes: Iterable[str] = (), project: str | None = None,
             arch: str | None = None, frontend: Frontend = "auto", strict: bool | None = None, suggest: bool = False,
             all_sizes: bool = False, timeout: float | None = None, budget: Budget | None = None,
             limits: Mapping[str, int] | None = None) -> Question:
    """The question that `check` asks of a file, with the settings of its project."""
    from automata.budget import UNLIMITED
    from automata.lang.launch import parse_aliases
    from spmd.asked import Question, Source
    from spmd.settings.apply import settled
    from spmd.sides import named

    file, kernel = named(file, kernel)
    source = Source(file, kernel, None, dict(defines or {}), tuple(includes), frontend, arch, project)
    asked = Question(source, launch(block, grid, args, extents), tuple(require), strict=bool(strict), seconds=timeout or SECONDS,
                     suggest=suggest, all_sizes=all_sizes, call=budget or UNLIMITED,
                     aliases=tuple(group for text in alias for group in parse_aliases(text)),
                     limits=tuple((limits or {}).items()))
    return settled(asked, _given(strict=strict, timeout=timeout))


def comparison(a: str | None, b: str | None, *, block: Sizes | None = None, grid: Sizes | None = None,
               block_b: Sizes | None = None, grid_b: Sizes | None = None,
               args: Mapping[str, int | float | str] | None = None, extents: Mapping[str, int | str] | None = None,
               require: Iterable[str] = (), alias: Iterable[str] = (),
               defines: Mapping[str, str] | None = None, includes: Iterable[str] = (), arch: str | None = None,
               record_a: str | None = None, record_b: str | None = None, outputs: Iterable[str] = (),
               names: Mapping[str, str] | None = None, relate: Iterable[str] = (), mode: str | None = None,
               certify: bool = False, suggest: bool = False, shows_proof: bool = False, all_sizes: bool = False,
               timeout: float | None = None, limits: Mapping[str, int] | None = None) -> PairQuestion:
    """The question whether two kernels leave the same output, to be asked with `compare`; `equiv` does both.

    A side is "file.cu", "file.cu:kernel", or a sequence "file.cu:one;two"; `record_a`, `record_b`: its launch record, a
    JSON file. `block_b`, `grid_b`: b's sizes, where they are others. `alias`: parameters that get one buffer on both sides, by
    a's names ("out,in"). `outputs`: only these arrays, by a's names; `names`: a's parameters to b's; `relate`: relations to ask
    for instead ("b.out[k] == a.out[2*k]"); `mode`: the weakest class of equality accepted, bitwise, int or real; `certify`: no
    probability; `suggest`: look for a requirement that makes them equal; `shows_proof`: tell how all sizes are shown equal;
    `all_sizes`: where equal at the launch that is stated, ask for all other sizes too; `limits`: on work, by name
    (`automata.limits`).
    """
    from dataclasses import replace

    from automata.lang.launch import parse_aliases
    from spmd.asked import PairQuestion
    from spmd.comparison import Stated, side_of
    from spmd.sides import kernels_of

    alike = Stated(launch(block, grid, args, extents), tuple(require), dict(defines or {}), tuple(includes), arch,
                   timeout or SECONDS, _given(mode=mode, timeout=timeout),
                   tuple(group for text in alias for group in parse_aliases(text)),
                   tuple((limits or {}).items()))
    in_b = tuple(tuple((names or {}).get(name, name) for name in group) for group in alike.aliases)
    own = replace(alike, aliases=in_b,
                  launch=launch(block if block_b is None else block_b, grid if grid_b is None else grid_b, args, extents))
    sides = [[side_of(name, part, stated, each) for part in kernels_of(whole)]
             for name, whole, stated, each in (("A", a, record_a, alike), ("B", b, record_b, own))]
    return PairQuestion(sides[0][0], sides[1][0], dict(names or {}), tuple(outputs), mode or "real", tuple(sides[0][1:]),
                        tuple(sides[1][1:]), tuple(relate), certify, suggest, shows_proof, all_sizes)


def compare(question: PairQuestion) -> PairAnswer:
    """The answer to a comparison."""
    from spmd.pair_pipeline import run_equiv

    return run_equiv(question)


def equiv(a: str, b: str, **options: Any) -> PairAnswer:
    """Do two kernels leave the same output, for all inputs? `options`: those of `comparison`."""
    return compare(comparison(a, b, **options))


def diff(base: str, head: str = "HEAD", *, repository: str = ".", mode: str | None = None, strict: bool | None = None,
         checks_alone: bool = False, timeout: float | None = None, budget: float | None = None, jobs: int | None = None,
         pictured: bool = False, tell: Callable[[str], None] = lambda what: None) -> Page:
    """Of each kernel that changed between two revisions: is it deterministic, and does it compute what it did?

    `base`, `head`: names that git knows, "A...B" for since B parted from A; `spmd.diff.revision.STAGED` as `head`: what the next
    commit would hold. `budget`: seconds that all answers may take together, spent on the smallest kernels first; `jobs`:
    processes, by default one a processor; `tell` hears of each piece of work.
    """
    from spmd.diff.crew import processors
    from spmd.diff.outcome import Options
    from spmd.diff.run import Asked, run_diff

    options = Options(mode or "real", timeout or SECONDS, bool(strict), checks_alone,
                      _given(mode=mode, strict=strict, timeout=timeout), pictured)
    return run_diff(Asked(base, head, repository, options, jobs or processors(), budget), tell)


def batch(records: Iterable[Mapping[str, Any]], *, folder: str = ".", executor: Executor | None = None, jobs: int | None = None,
          strict: bool = False, timeout: float | None = None) -> Iterator[dict[str, Any]]:
    """The records of many checks, as they are done. `records`: launch records, as in a file for `--launches`, whose files are
    relative to `folder`; `executor`: any of `concurrent.futures`, by default `jobs` warm processes here."""
    from pathlib import Path

    from spmd.batch import Job, run_batch
    from spmd.diff.crew import processors

    asked = [Job(number, dict(each), Path(folder)) for number, each in enumerate(records, 1)]
    seconds = timeout or SECONDS
    if executor is None:
        return run_batch(asked, workers=jobs or processors(), seconds=seconds, strict=strict)
    from spmd.cluster import run_on

    return run_on(executor, asked, seconds=seconds, strict=strict)


def _given(**options: object) -> frozenset[str]:
    """The options that are stated: they come before settings."""
    return frozenset(name for name, value in options.items() if value is not None)


def record(answer: Answer | PairAnswer | Page) -> dict[str, Any]:
    """An answer as the record that `--format json` writes (spmd/records/schema.json); a page as its summary, with all pairs under
    `pairs`."""
    from spmd.diff.report import Page, pair_of_record, summary_record

    if isinstance(answer, Page):
        return {**summary_record(answer), "pairs": [pair_of_record(answer, outcome) for outcome in answer.sorted]}
    from spmd.asked import Answer
    from spmd.records.pair import pair_record
    from spmd.records.result import check_record

    return check_record(answer) if isinstance(answer, Answer) else pair_record(answer)


def text(answer: Answer | PairAnswer | Page) -> str:
    """An answer as the command prints it, without colours."""
    from spmd.diff.report import Page, page_text
    from spmd.report.words import plain

    if isinstance(answer, Page):
        return plain(page_text(answer))
    from spmd.asked import Answer
    from spmd.report.pair_text import pair_text
    from spmd.report.text import check_text

    return plain(check_text(answer, record(answer)) if isinstance(answer, Answer) else pair_text(answer, record(answer)))
