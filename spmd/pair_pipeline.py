"""The pipeline of one comparison: a pair of questions to its answer.

The kernels and launches of both sides are found as a check finds them (`spmd/pipeline.py`); `equivalence` compares them. It is
a module of its own so that a check does not load what compares.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from automata import limits
from automata.budget import METER, Budget, granted
from automata.lang.core import Kernel
from automata.lang.launch import Launch, sizes_named, sizes_of_b
from automata.lang.read import Found
from automata.logic import smt
from automata.place import TIME_IS_UP, InputError, Place, UndecidedError, UnsupportedError
from automata.proof.known.launch_limits import beyond_limits
from automata.rewriting.alignment import aligned_as_required, arrays_of, in_names
from automata.rewriting.one_buffer import on_host, standing_for
from automata.scalar import Scalar
from equivalence.alike import in_another_order, like_cells, matched_parameters, told
from equivalence.compare import compare
from equivalence.compare_related import compare_related
from equivalence.pairing import Pair, pair_up
from equivalence.related_sizes import related
from equivalence.relation import parse_relation
from equivalence.result import EquivReport, EquivVerdict
from equivalence.sequence import compare_sequences
from equivalence.suggested import suggestion
from spmd.asked import PairAnswer, PairQuestion, Question
from spmd.at_program import Asked as AskedOfProgram
from spmd.at_program import at_one_size, at_program
from spmd.cache import pairs
from spmd.cache.recall import Asked, answered
from spmd.counts import as_counts, not_negative
from spmd.deadline import TooLateError, enforced
from spmd.host_values import shared_values
from spmd.instances import instances_alike
from spmd.instances import told as instances_told
from spmd.open_pairs import beyond_launches
from spmd.pair_launches import (
    ALONE,
    Launched,
    alone,
    are_in_like_buffers,
    combined,
    in_the_same_buffers,
    matched,
    names_left,
)
from spmd.pipeline import SEARCH, choose_launch, forget, launches_in_host, only, with_extents
from spmd.report.flags import of_flags
from spmd.settings.apply import for_kernel, for_pair


def run_equiv(question: PairQuestion) -> PairAnswer:
    """The record of one comparison."""
    forget()
    read = _Read(question, [question.a.source.kernel, question.b.source.kernel])
    try:
        read.question = _apart(question)
        with granted(Budget.of(question.a.seconds)):
            read.both()
        report = _report(read)
    except (UndecidedError, RecursionError, MemoryError, InputError) as error:
        report = _not_compared(error, read.side)
    asked = replace(read.question, a=replace(read.question.a, requires=question.a.requires))
    return PairAnswer(asked, read.names[0], read.names[1], read.launches[0], read.launches[1], report,
                      time.monotonic() - read.began, (read.places[0], read.places[1]))


def _apart(question: PairQuestion) -> PairQuestion:
    """A question whose requirements relate both launches: those on sizes stand apart, for one without `b.` is a's alone."""
    relates = tuple(text for text in question.a.requires if sizes_named(text))
    if not any(map(sizes_of_b, relates)):
        return question
    if question.after_a or question.after_b:
        raise InputError(f"requirement '{relates[0]}': launches are related of two kernels, not of sequences")
    a, b = (replace(side, requires=tuple(text for text in side.requires if text not in relates))
            for side in (question.a, question.b))
    return replace(question, a=a, b=b, related=relates)


@dataclass
class _Read:
    """Both sides as they are read. `names`, `places`, `launches`: of the first kernels, as far as they are known; `side`: which
    one is at work; `parts`: all kernels, a's first; `sides`: kernels with their launches, `wide`: with arguments left open;
    `notes`: what was chosen; `likened`: a's parameters to those of b that have other names;
    `turned`: what is assumed of those whose order differs; `began`: when."""

    question: PairQuestion
    names: list[str | None]
    places: list[Place | None] = field(default_factory=lambda: [None, None])
    launches: list[Launch] = field(default_factory=lambda: [Launch(), Launch()])
    side: str = "a"
    sides: list[list[Launched]] = field(default_factory=lambda: [[], []])
    wide: list[list[Launched]] = field(default_factory=lambda: [[], []])
    parts: list[_Part] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    likened: dict[str, str] = field(default_factory=dict)
    turned: list[str] = field(default_factory=list)
    began: float = field(default_factory=time.monotonic)

    @property
    def is_single(self) -> bool:
        """Whether each side is one kernel."""
        return len(self.parts) == 2

    def both(self) -> None:
        """Read them."""
        question = self.question
        groups = [(question.a, *question.after_a), (question.b, *question.after_b)]
        found: dict[int, list[Found]] = {}
        for self.side, part in zip("ab", (question.a, question.b), strict=True):
            found[id(part)] = part.source.kernels()
        if not (question.after_a or question.after_b) and (alike := instances_alike(*found.values())):
            self.notes.append(instances_told(*alike, *found.values()))
            found = {key: [item] for key, item in zip(found, alike, strict=True)}
        for number, group in enumerate(groups):
            self.side = "ab"[number]
            names: list[str] = []
            for part in group:
                item = only(found.get(id(part)) or part.source.kernels(), part.source)
                names.append(item.name)
                self.names[number] = "; ".join(names)
                self.one(number, part, item)
            self.launches[number] = self.sides[number][0][1]
        if self.is_single:
            self.in_like_cells()
            a, b = self.parts
            self.likened = matched_parameters(a.kernel, b.kernel, self.question.names)
            self.question = replace(self.question, names={**self.likened, **self.question.names})
            self.turned = in_another_order(a.kernel, b.kernel, self.question.names)
        self.begin()

    def in_like_cells(self) -> None:
        """Read a side again that knows an array in other cells than the other side does."""
        for number, cells in enumerate(like_cells(self.parts[0].kernel, self.parts[1].kernel, self.question.names)):
            if cells:
                part = self.parts[number]
                kernel, launch = _launched(part.question, part.item, cells)
                self.parts[number], self.launches[number] = replace(part, kernel=kernel, launch=launch), launch
                self.sides[number] = [(kernel, launch)]
                self.wide[number] = [(kernel, _widened(part.question, part.item, kernel, launch))]

    def begin(self) -> None:
        """Say where arrays begin. What is asked of both sides has a's names."""
        known = {name for part in self.parts for name in arrays_of(part.kernel)}
        for name in (name for part in self.parts for name in of_flags(part.question).extents if name not in known):
            raise InputError(f"--extent {name}: no kernel has an array of that name")
        kernels = []
        for at, part in enumerate(self.parts):
            self.side = "ab"[at >= len(self.sides[0])]
            own = part.launch.requires[:len(part.launch.requires) - len(part.question.requires)]
            asked = [in_names(text, self.question.names if self.side == "b" else {}) for text in part.question.requires]
            one = standing_for(part.kernel, part.launch.aliases)
            kernels.append(aligned_as_required(part.kernel, [in_names(text, one) for text in (*own, *asked)], known))
        self.parts = [replace(part, kernel=kernel) for part, kernel in zip(self.parts, kernels, strict=True)]
        for sides in (self.sides, self.wide):
            rest = iter(kernels)
            sides[:] = [[(next(rest), launch) for _, launch in side] for side in sides]

    def one(self, number: int, part: Question, item: Found) -> None:
        """Read a kernel of a side."""
        part = for_kernel(part, item)[0]
        if not self.parts:
            self.question = for_pair(replace(self.question, a=part), item)
        self.places[number] = self.places[number] or item.place
        kernel, launch = _launched(part, item)
        self.sides[number].append((kernel, launch))
        self.wide[number].append((kernel, _widened(part, item, kernel, launch)))
        self.parts.append(_Part(part, item, kernel, launch))


def _report(read: _Read) -> EquivReport:
    """What a pair comes to, at the launches that are stated, else at those of the program, else wherever sizes are open."""
    pairs = _of_program(read.question, read.parts, read.notes) if read.is_single else []
    read.side = ""
    question, sides = read.question, read.sides
    asked = AskedOfProgram(question, _at, read.began)
    if pairs:
        report, read.launches = at_program(asked, sides, pairs)
    else:
        report = _at(question, sides)
        report = beyond_launches(report) if any(note.startswith(ALONE) for note in read.notes) else report
    if report.verdict is not EquivVerdict.EQUAL and read.is_single and not question.relations:
        one, two = pairs[0] if pairs else [(part.kernel, part.launch) for part in read.parts]
        report = at_one_size(asked, report, one, two)
    of_text = (text for pair in pairs for _, launch in pair for text in launch.assumes)
    assumed = (*told(read.likened), *read.turned, *as_counts(report.assumptions, pairs),
               *dict.fromkeys((*question.a.assumes, *question.b.assumes, *of_text)))
    report = replace(report, notes=(*report.notes, *read.notes), assumptions=assumed)
    if question.all_sizes and report.verdict is EquivVerdict.EQUAL and (read.wide != sides or pairs):
        read.launches = [read.wide[0][0][1], read.wide[1][0][1]]
        report = _at_all_sizes(question, read.wide, report)
    return report


@dataclass(frozen=True, slots=True)
class _Part:
    """A kernel of a pair: what is asked, where it was found, as it was read, and the launch that is asked for."""

    question: Question
    item: Found
    kernel: Kernel
    launch: Launch


def _of_program(question: PairQuestion, parts: list[_Part], notes: list[str]) -> list[tuple[Launched, Launched]]:
    """The launches that the program makes of both kernels, where nothing else says how they are launched. `notes` gets those that
    are not compared."""
    if any(part.launch.is_stated for part in parts):
        return []
    known = set(parts[0].kernel.order)
    in_b = {name: other for name, other in question.names.items() if name in known}
    ones, twos = ([], []) if question.relations else (_launches_of(parts[0], {}), _launches_of(parts[1], in_b))
    if not ones and not twos:
        return []
    own = [[(part.kernel, part.launch)] for part in parts]
    back = {other: name for name, other in question.names.items()}
    pairs = matched(ones or own[0], twos or own[1], question.names)
    if ones and twos:
        pairs = [pair for pair in pairs if are_in_like_buffers(*pair, question.names)] or pairs
    notes += alone(ones, twos, pairs)
    pairs = [in_the_same_buffers(one, two, question.names if ones else back, is_a=bool(ones), both=bool(ones and twos))
             for one, two in pairs]
    return [not_negative(one, two, question.names) for one, two in pairs]


def _launches_of(part: _Part, names: Mapping[str, str]) -> list[Launched]:
    """A kernel at each launch of the program that its text tells. `names`: as the command calls its parameters."""
    asked = replace(part.launch, args={names.get(name, name): value for name, value in part.launch.args.items()})
    stated = [each for each in launches_in_host(part.item, part.kernel, part.question.source.project) if not each.is_open]
    found = list[Launched]()
    for launch in combined(asked, stated):
        kernel = on_host(part.kernel, launch)
        if not beyond_limits(kernel, launch):
            found.append((kernel, with_extents(part.question, kernel, launch)))
    return found


def _at(question: PairQuestion, sides: list[list[Launched]]) -> EquivReport:
    """The answer at one launch of each side, or wherever sizes are left open, in the time there is."""
    with limits.using(dict(question.a.limits)):
        return _at_within(question, sides)


def _at_within(question: PairQuestion, sides: list[list[Launched]]) -> EquivReport:
    """The same, within the limits that are asked for."""
    assumed = shared_values(*sides)
    finished: list[EquivReport] = []
    try:
        with enforced(Budget.of(question.a.seconds)):
            report = answered(_comparison(question, sides), lambda: _noting(_compared(question, sides, finished)))
    except MemoryError:
        METER.lacked += 1
        raise
    except TooLateError:
        smt.reset()
        if not finished:
            return EquivReport(EquivVerdict.UNKNOWN, reason=TIME_IS_UP)
        report = finished[0]
    return replace(report, assumptions=(*report.assumptions, *assumed))


def _noting(report: EquivReport) -> EquivReport:
    """A report that says beyond which limits something was left out, where it is unknown."""
    return replace(report, limits=limits.met()) if report.verdict is EquivVerdict.UNKNOWN else report


def _not_compared(error: Exception, side: str) -> EquivReport:
    """The answer where comparing ended early. `side`: the one that was being read, if any."""
    match error:
        case UndecidedError():
            told = f"side {error.side}: " if error.side else ""
            return EquivReport(EquivVerdict.UNKNOWN, reason=f"{told}{error.reason}",
                               side=error.side or None, reason_place=error.place if error.place.file else None)
        case InputError():
            verdict = EquivVerdict.UNSUPPORTED if isinstance(error, UnsupportedError) else EquivVerdict.INVALID
            told = f"side {side}: {error.message}" if side else error.message
            return EquivReport(verdict, reason=told, reason_place=error.place if error.place.file else None, side=side or None)
        case RecursionError():
            return EquivReport(EquivVerdict.UNKNOWN, reason="expressions or conditions nested too deeply for the proofs")
    return EquivReport(EquivVerdict.UNKNOWN, reason="comparing takes more memory than there is: a smaller launch may do")


def _launched(part: Question, item: Found, cells: Mapping[str, Scalar] | None = None) -> tuple[Kernel, Launch]:
    """A kernel of a pair, and the launch that is asked for. `cells`: what its arrays shall be made of."""
    kernel = item.read(cells)
    launch = choose_launch(part, item, kernel)
    kernel = on_host(kernel, launch)
    if beyond := beyond_limits(kernel, launch):
        raise InputError(f"{beyond}: no CUDA device starts this launch")
    return kernel, launch


def _widened(part: Question, item: Found, kernel: Kernel, launch: Launch) -> Launch:
    """The launch that the file states, in the place of one that is given; where it states none, that one. Arguments are left
    open."""
    stated = launch if part.launch is None else choose_launch(replace(part, launch=None, scalars=()), item, kernel)
    return replace(stated if stated.is_stated else launch, args={})


def _at_all_sizes(question: PairQuestion, sides: list[list[Launched]], at: EquivReport) -> EquivReport:
    """What holds beyond a launch at which two kernels are equal; that they are is evidence where this is not decided."""
    report = _at(question, sides)
    if report.verdict is EquivVerdict.UNKNOWN and at.equality is not None:
        return replace(report, evidence=f"equal, {at.equality.value}, at the launch that was stated ({at.scope})")
    return report


def _comparison(question: PairQuestion, sides: list[list[Launched]]) -> Asked[EquivReport]:
    """A comparison, as what its answer hangs on."""
    sources = [part.source for part in (question.a, *question.after_a, question.b, *question.after_b)]
    parts = (sides, [source.file for source in sources], question.names, question.outputs, question.mode, question.relations,
             question.certify, question.suggest, question.shows_proof, question.a.limits, question.related)
    return pairs.equiv(parts, tuple(source.root() for source in sources), question.a.seconds)


def _compared(question: PairQuestion, sides: list[list[Launched]], finished: list[EquivReport]) -> EquivReport:
    """Two kernels as a pair, anything more at concrete launches. `finished`: gets it before a requirement is sought."""
    budget = Budget.of(question.a.seconds)
    relations = [parse_relation(text) for text in question.relations]
    if len(sides[0]) + len(sides[1]) > 2:
        files = [[part.source.file for part in parts] for parts in ((question.a, *question.after_a),
                                                                    (question.b, *question.after_b))]
        first, second = ([(kernel, launch, file) for (kernel, launch), file in zip(*both, strict=True)]
                         for both in zip(sides, files, strict=True))
        return compare_sequences(first, second, question.names, question.outputs, question.mode, budget, relations,
                                 certify=question.certify)
    (a, launch_a), (b, launch_b) = sides[0][0], sides[1][0]
    pair = pair_up(a, b, launch_a, launch_b, names_left(question.names, (a, launch_a)), question.outputs,
                   is_apart=bool(question.related), own_extents=bool(relations))
    pair = related(pair, question.related)
    report = _under(question, pair, budget)
    if question.suggest and report.verdict in (EquivVerdict.DIFFERENT, EquivVerdict.NONDETERMINISTIC, EquivVerdict.UNKNOWN):
        finished.append(report)
        found = suggestion(pair, report, partial(_under, question), budget.within(SEARCH))
        if found is not None:
            return replace(report, suggested=found.text, suggested_at=found.at or None)
    return report


def _under(question: PairQuestion, pair: Pair, budget: Budget) -> EquivReport:
    """A pair, as it is asked about."""
    relations = [parse_relation(text) for text in question.relations]
    if relations:
        return compare_related(pair, relations, question.mode, budget, certify=question.certify)
    return compare(pair, question.mode, budget, certify=question.certify)
