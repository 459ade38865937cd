"""The story of one `spmd diff`, from two names of revisions to the page."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial

from automata.place import InputError, Place
from spmd.cache.recall import Asked as Question
from spmd.cache.recall import Worth, answered, is_calm, is_rechecking
from spmd.diff.affected import Texts, affected, changed, readable, submodules
from spmd.diff.crew import BUDGET_SPENT, Failure, work
from spmd.diff.export import Exported, builds, can_matter, exported, is_text
from spmd.diff.matching import Key, Pair, paired
from spmd.diff.outcome import Options, Outcome, Part
from spmd.diff.paths import Paths
from spmd.diff.read import Read
from spmd.diff.report import Page
from spmd.diff.revision import STAGED, Repository, Revision
from spmd.diff.settings import kernels_in, pairs_of, without_idle
from spmd.diff.verdict import verdict_of
from spmd.interruption import Interrupted, is_noticed
from spmd.settings.effective import settings_for

READING = 120.0
"""Seconds that reading one text may take."""
MOST_DOTS = "..."


@dataclass(frozen=True, slots=True)
class Asked:
    """What the user asked for. `head` `:staged`: what the next commit would hold; `budget`: seconds for all
    together, half of them for reading."""

    base: str
    head: str = "HEAD"
    folder: str = "."
    options: Options = field(default_factory=Options)
    jobs: int = 1
    budget: float | None = None
    until: float | None = None


def run_diff(asked: Asked, tell: Callable[[str], None] = lambda what: None) -> Page:
    """Compare two revisions. InputError if there is no repository or no such revision. `tell` hears of each piece of work."""
    began = time.monotonic()
    repository = Repository(asked.folder)
    old, new = _revisions(repository, asked)
    names = changed(old, new)
    notes = tuple(_notes(repository, asked, old, new))
    if not any(can_matter(name) for name in names):
        found = Found([], 0, (0, sum(is_text(name) for name in new.entries)), {})
    else:
        make = partial(_found, repository, asked, (old, new), names, tell)
        found = make() if is_rechecking() else answered(_question(repository, asked, old, new), make)
    return Page(old, new, found.outcomes, found.same, found.texts, notes, time.monotonic() - began, repository.top, found.through,
                found.gates)


@dataclass(frozen=True)
class Found:
    """What hangs on the files of both revisions alone: the page without its head."""

    outcomes: list[Outcome]
    same: int
    texts: tuple[int, int]
    through: dict[str, tuple[str, ...]]
    gates: tuple[str, ...] | None = None


def _question(repository: Repository, asked: Asked, old: Revision, new: Revision) -> Question[Found]:
    """The page, as what it hangs on: every file of both revisions, the build beside them, and what the user asked for."""
    parts = (asked.base, asked.head, _files(old), _files(new), *builds(repository.top), asked.options)
    seconds = asked.options.seconds
    return Question("page", parts, (), seconds, lambda page: ", ".join(map(verdict_of, page.outcomes)), partial(_worth, seconds))


def _files(revision: Revision) -> str:
    """All files of a revision, as one digest."""
    rows = (f"{entry.mode} {entry.blob} {name}" for name, entry in sorted(revision.entries.items()))
    return hashlib.sha256("\0".join(rows).encode("utf-8", "surrogateescape")).hexdigest()


def _worth(limit: float, page: Found) -> Worth:
    """A page is worth what its rows are: nothing if a piece of work failed, or if the limit or a lack of memory had a part in one
    that is open. What is refused hangs on the text alone."""
    parts = [part for outcome in page.outcomes for part in outcome.parts]
    records = [part.record for part in parts]
    if any(outcome.failure for outcome in page.outcomes) or any(record["verdict"] == "fault" for record in records):
        return Worth.NOTHING
    are_calm = all(is_calm(part.record["seconds"], limit) and not part.is_cut for part in parts
                   if part.record["verdict"] == "unknown")
    return Worth.PARTLY_OPEN if are_calm else Worth.NOTHING


def _found(repository: Repository, asked: Asked, revisions: tuple[Revision, Revision], names: frozenset[str],
           tell: Callable[[str], None]) -> Found:
    with exported(repository, *revisions) as sides:
        gates = _gates(sides[1])
        files = [frozenset(revision.entries) for revision in revisions]
        texts = (first := Texts(sides[0], files[1])), Texts(sides[1], files[0], first)
        names = without_idle(names, sides)
        units = [readable(one, affected(one, names, other)) for one, other in (texts, texts[::-1])]
        now = time.monotonic()
        pairs = paired(*_read_all(texts, units, names, asked.jobs, now + asked.budget / 2 if asked.budget else None, tell))
        asked = replace(asked, until=now + asked.budget if asked.budget else None)
        outcomes = _answered([pair for pair in pairs if not pair.is_still], sides, asked, tell)
        outcomes += _answered(_configured(outcomes, sides[1]), sides, asked, tell)
        through = {unit: _through(texts[1], unit, names) for unit in units[1]}
        return Found(outcomes, sum(pair.is_still for pair in pairs), (len(units[1]), len(texts[1].names)), through,
                     gates)


def _revisions(repository: Repository, asked: Asked) -> tuple[Revision, Revision]:
    base, head = asked.base, asked.head
    if MOST_DOTS in base:
        one, _, two = base.partition(MOST_DOTS)
        head = two or head
        base = repository.fork(one or "HEAD", head)
    elif ".." in base:
        base, _, two = base.partition("..")
        head = two or head
    old = repository.revision(base or "HEAD")
    return old, repository.staged() if head == STAGED else repository.revision(head)


def _notes(repository: Repository, asked: Asked, old: Revision, new: Revision) -> Iterable[str]:
    """What was not looked at."""
    if asked.head == "HEAD" and (count := repository.changed_here()):
        files = "files have" if count != 1 else "file has"
        yield f"{count} {files} changes that are not committed; they are not part of HEAD and not looked at (--staged: the index)"
    for name in submodules(old, new):
        yield f"the submodule '{name}' is at another commit; what is in it is not read: run spmd diff there"


def _through(texts: Texts, unit: str, names: frozenset[str]) -> tuple[str, ...]:
    """The changed files that a text sees."""
    return tuple(sorted(texts.seen_by([unit]) & names))


def _read_all(texts: tuple[Texts, Texts], units: list[list[str]], names: frozenset[str], jobs: int, until: float | None,
              tell: Callable[[str], None]) -> tuple[list[Read], list[Read]]:
    """The kernels of all texts of both revisions, each once for each way to see it; first of the files that changed, then of the
    texts that see them. A text that is not read in both by `until` is one that is not known in either."""
    from spmd.diff.reading import read_text  # loads the engines, which a page that is kept does not need

    paths = Paths(texts[0].side, texts[1].side)
    near = [texts[side].seeing(names) for side in (0, 1)]
    rows = sorted(((side, unit) for side in (0, 1) for unit in units[side]),
                  key=lambda row: (row[1] not in names, not any(row[1] in each for each in near), row[1], row[0]))
    found: list[dict[str, list[Read]]] = [{unit: [] for unit in units[side]} for side in (0, 1)]
    late: set[str] = set()
    pieces: list[Callable[[], Iterable[Read]]] = [partial(read_text, texts[side], unit, texts[1].side) for side, unit in rows]
    for number, result in work(pieces, jobs=jobs, silence=READING, until=until):
        side, unit = rows[number]
        if isinstance(result, Failure):
            late |= {unit} if result.reason == BUDGET_SPENT else set()
            found[side][unit].append(Read(unit, None, unit, verdict=result.verdict, reason=result.reason, text=f"{side}"))
        elif result is not None:
            tell(f"reading {unit}")
            found[side][unit].append(replace(result, reason=paths.text(result.reason)))
    if is_noticed():
        raise Interrupted("interrupted while the kernels were read: nothing is decided")
    for side, reads in enumerate(found):
        reads.update({unit: [_not_read(unit, side)] for unit in late & reads.keys()})
    return tuple([read for each in reads.values() for read in each] for reads in found)  # type: ignore[return-value]


def _not_read(unit: str, side: int) -> Read:
    """A text of which the budget left no time to say whether its kernels are the same."""
    return Read(unit, None, unit, verdict="unknown", reason=BUDGET_SPENT, text=f"{side}", is_late=True)


def _configured(outcomes: list[Outcome], new: Exported) -> list[Pair]:
    """The pairs of the settings that have a kernel which changed, or which only the old revision has."""
    touched = {key for outcome in outcomes if outcome.pair.new is not None and not outcome.pair.is_same
               for key in _keys(outcome.pair.new)}
    there = {key for outcome in outcomes if outcome.pair.new is not None for key in _keys(outcome.pair.new)}
    gone = {key for outcome in outcomes if outcome.pair.old is not None for key in _keys(outcome.pair.old)} - there
    found = []
    for at, pair in enumerate(pairs_of(new)):
        sides = kernels_in(pair, new)
        kernels = {kernel for side in sides for kernel in side}
        if kernels & (touched | gone):
            one, two = (Read(side[0][0], "; ".join(name or "?" for _, name in side), side[0][0], core="-") for side in sides)
            found.append(Pair(one, two, configured=at, gone=frozenset(kernels & gone)))
    return found


def _keys(read: Read) -> Iterator[Key]:
    """What settings may call a kernel: by its name, without its template arguments, as the one of its text."""
    yield from ((read.home, name) for name in (read.name, read.stem, None))


def _gates(new: Exported) -> tuple[str, ...] | None:
    """The verdicts that fail, as the settings of the new revision say."""
    try:
        words = settings_for(new.root, new.root).whole("fail-on").value
    except InputError as error:
        name = new.name(error.place.file) or error.place.file
        raise InputError(error.message, Place(f"{new.revision.name}:{name}", error.place.line, error.place.column)) from error
    return tuple(words) if words is not None else None


def _size(pair: Pair) -> int:
    """Statements of a pair: the smallest come first, so that a budget decides as many as it can."""
    return sum(len(side.shape) for side in (pair.old, pair.new) if side is not None)


def _answered(pairs: list[Pair], sides: tuple[Exported, Exported], asked: Asked, tell: Callable[[str], None]) -> list[Outcome]:
    from spmd.checked import load
    from spmd.diff.asking import ask

    load()
    pairs = sorted(pairs, key=_size)
    outcomes = [Outcome(pair) for pair in pairs]
    began = [0.0] * len(pairs)
    pieces: list[Callable[[], Iterable[Part]]] = [partial(ask, pair, *sides, asked.options) for pair in pairs]
    silence = 2 * asked.options.seconds + READING
    for number, result in work(pieces, jobs=asked.jobs, silence=silence, until=asked.until):
        outcome = outcomes[number]
        tell(f"checking {outcome.pair.name or outcome.pair.one.home}")
        began[number] = began[number] or time.monotonic()
        if isinstance(result, Failure):
            outcome.failure = result.verdict, result.reason
        elif result is None:
            outcome.seconds = sum(float(part.record["seconds"]) for part in outcome.parts)
        else:
            outcome.parts.append(result)
    return outcomes
