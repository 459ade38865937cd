"""Evidence on a pair, and the one sum of it.

Whatever looks at a pair (the gate, runs on symbols, proofs for all sizes, runs on numbers) says what it found as evidence, which
nobody changes afterwards. `conclude` makes the report; nothing else writes into one. Each kind may say this much:

    Ground     what the comparison rests on: assumptions, the reports on both sides, the sizes it speaks of
    Asked      which outputs are compared
    Assumed    something that is taken for granted besides
    Barred     a side is not deterministic, or that is open: its outputs are not compared
    Shown      some outputs are equal, each in a class
    Left       why some outputs are open
    Besides    why another way did not decide them either
    Caveats    what an equality leaves unsaid, and what it takes for granted
    Looked     runs on numbers were made, or could not be, and show no difference
    Differs    a run shows a difference

A difference and a bar end a comparison: the last of them is the answer, for a run that is made behind a bar is of a launch at
which the kernels are shown to be deterministic. Else every output that was asked about is equal in a class, or the answer is
open.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from automata.passes import passing
from automata.scope import Scope
from automata.verdict import Report
from equivalence.result import Counterexample, EqualityClass, EquivReport, EquivVerdict


@dataclass(frozen=True, slots=True)
class Ground:
    """`reports`: of side `a` and of side `b`, of the kernel that matters most there; `scope`: None before it is known."""

    assumptions: tuple[str, ...]
    reports: Mapping[str, Report]
    scope: Scope | None


@dataclass(frozen=True, slots=True)
class Asked:
    """The outputs that are compared, in the order in which they are told."""

    outputs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Assumed:
    """Assumptions of whatever the answer is. `under`: the launches that an equality then speaks of."""

    texts: tuple[str, ...]
    under: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Barred:
    """`is_refuted`: the side is not deterministic; else that is open. `report`: which says so, where one does."""

    side: str
    why: str
    is_refuted: bool
    report: Report | None = None


@dataclass(frozen=True, slots=True)
class Shown:
    """Outputs and the classes they are equal in. `bound`: of the error, in words, where it rests on random points; `assumed`:
    what this takes for granted; `proof`: how it is shown, for people; `by_runs`: by symbolic runs of the whole launch; `under`:
    what has to hold of sizes besides."""

    classes: Mapping[str, EqualityClass]
    bound: str | None = None
    assumed: tuple[str, ...] = ()
    proof: tuple[str, ...] = ()
    by_runs: bool = False
    is_exact: bool = True
    under: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Left:
    """Outputs that are open, and why. No outputs: there is nothing to compare."""

    outputs: tuple[str, ...]
    why: str


@dataclass(frozen=True, slots=True)
class Besides:
    """One more way that does not decide what is open. `output`: which alone it is about."""

    why: str
    output: str = ""


@dataclass(frozen=True, slots=True)
class Caveats:
    """Of an equality. `assumed`: what it takes for granted; `notes`: what it leaves unsaid."""

    assumed: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Looked:
    """What is worth telling of runs on numbers that settle nothing."""

    told: str | None


@dataclass(frozen=True, slots=True)
class Differs:
    """A difference. `output`: what it is of, where it is not the array of the counterexample."""

    found: Counterexample
    output: str = ""
    notes: tuple[str, ...] = ()


Said = Ground | Asked | Assumed | Barred | Shown | Left | Besides | Caveats | Looked | Differs
Kind = TypeVar("Kind", bound=Said)


def of(kind: type[Kind], said: Iterable[Said]) -> list[Kind]:
    """The evidence of one kind, in order."""
    return [item for item in said if isinstance(item, kind)]


def shown(said: Iterable[Said]) -> dict[str, EqualityClass]:
    """The outputs that are shown to be equal, and their classes."""
    return {name: kind for item in of(Shown, said) for name, kind in item.classes.items()}


def still_open(said: Sequence[Said]) -> tuple[str, ...]:
    """The outputs that were asked about and are not shown to be equal."""
    classes = shown(said)
    return tuple(dict.fromkeys(name for item in of(Asked, said) for name in item.outputs if name not in classes))


def weakest(said: Sequence[Said]) -> EqualityClass | None:
    """The class of all outputs together; None while one is open."""
    classes = shown(said).values()
    return None if still_open(said) or not classes else max(classes, key=lambda kind: kind.rank)


@passing("sum up", lambda report: report.verdict.value)
def conclude(said: Sequence[Said]) -> EquivReport:
    """The report on a pair that some evidence comes to."""
    (ground,) = of(Ground, said)
    always = ground.assumptions + tuple(text for item in of(Assumed, said) for text in item.texts)
    report = EquivReport(EquivVerdict.UNKNOWN, assumptions=always, reports=ground.reports, scope=ground.scope)
    match [item for item in said if isinstance(item, Barred | Differs)][-1:]:
        case [Barred() as bar]:
            return _barred(report, ground, bar)
        case [Differs() as difference]:
            return _different(report, difference)
    return _compared(report, said)


def _barred(report: EquivReport, ground: Ground, bar: Barred) -> EquivReport:
    verdict = EquivVerdict.NONDETERMINISTIC if bar.is_refuted else EquivVerdict.UNKNOWN
    reports = report.reports if bar.report is None else {**report.reports, bar.side: bar.report}
    if bar.is_refuted:  # that a side is refuted rests on nothing that an equality would take for granted
        report = replace(report, assumptions=ground.assumptions)
    return replace(report, verdict=verdict, side=bar.side, reason=bar.why, reports=reports)


def _different(report: EquivReport, difference: Differs) -> EquivReport:
    """What proofs of other outputs take for granted is no part of it: it was run."""
    name = difference.output or difference.found.array
    return replace(report, verdict=EquivVerdict.DIFFERENT, counterexample=difference.found, notes=difference.notes,
                      outputs={name: (EquivVerdict.DIFFERENT, None)})


def _compared(report: EquivReport, said: Sequence[Said]) -> EquivReport:
    """All outputs are equal, of the weakest class among them, or some are open."""
    classes, parts, caveats = shown(said), of(Shown, said), of(Caveats, said)
    outputs = {name: (EquivVerdict.EQUAL, classes[name]) if name in classes else (EquivVerdict.UNKNOWN, None)
               for item in of(Asked, said) for name in item.outputs}
    assumed = (*(text for part in parts for text in part.assumed), *(text for item in caveats for text in item.assumed))
    report = replace(report, outputs=outputs, assumptions=tuple(dict.fromkeys((*report.assumptions, *assumed))),
                        proof=tuple(text for part in parts for text in part.proof),
                        notes=tuple(dict.fromkeys(text for item in caveats for text in item.notes)),
                        bound=next((part.bound for part in parts if part.bound), None))
    kind = weakest(said)
    if kind is None:
        return replace(report, reason=_reason(said), evidence=next((item.told for item in reversed(of(Looked, said))), None))
    under = [text for item in of(Assumed, said) for text in item.under] + [text for part in parts for text in part.under]
    scope = report.scope.narrowed(under) if report.scope is not None else None
    return replace(report, verdict=EquivVerdict.EQUAL, equality=kind, scope=scope, runs_all=all(part.by_runs for part in parts),
                      assurance="proved" if all(part.is_exact for part in parts) else "probabilistic")


def _reason(said: Sequence[Said]) -> str:
    """Why outputs are open: of each what was said of it last, those of one reason together."""
    last = {name: item.why for item in of(Left, said) for name in item.outputs or ("",)}
    classes = shown(said)
    names = dict[str, list[str]]()
    for name, why in last.items():
        if name not in classes:
            names.setdefault(why, []).append(name)
    told = [why if group == [""] else f"{', '.join(group)}: {why}" for why, group in names.items()]
    return "; ".join((*told, *(item.why for item in of(Besides, said) if item.output not in classes)))
