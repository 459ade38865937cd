"""Evidence, and the one sum of it.

A *strategy* looks at one kernel at one launch in its own way and within a budget: formulas, a run that stands for all data, runs
on numbers, a look at whether loops end. What it says is evidence, which nobody changes afterwards. `conclude` makes the report,
from the evidence in the order in which it was gathered; no strategy writes into a report. Each kind may say this much:

    Formulas    every property: proved, refuted, or open, and why
    Uncovered   nothing: the proofs do not cover the kernel
    Shown       that some properties do not hold: a run shows it, so nothing that was only suspected matters any more
    ForAllData  that some properties hold of this launch, whatever memory holds
    Quiet       nothing: runs were made, or could not be, and this is what is worth telling of them
    Endless     that a loop never ends: what was proved of threads that leave it is taken back
    Unended     that a loop may never end: what was proved is proved if it ends
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from automata.passes import passing
from automata.place import TIME_IS_UP, Place
from automata.scope import THIS_LAUNCH, Scope
from automata.verdict import Finding, Outcome, Property, Report, Status, Verdict

SHOWN_BY_RUNS = {"race": Property.RACE_FREE, "same-value-write": Property.RACE_FREE, "barrier-divergence": Property.BARRIERS,
                 "out-of-bounds": Property.BOUNDS, "misaligned": Property.BOUNDS, "assertion": Property.ASSERTIONS,
                 "atomic-order": Property.ORDER_FREE, "unwaited-copy": Property.RACE_FREE}
"""The rules that a run on numbers can show to be broken, and the property that each refutes."""
PROPERTY_OF = {**SHOWN_BY_RUNS, "uninitialised-read": Property.ORDER_FREE, "index-overflow": Property.NO_WRAP,
               "lockstep-reliance": Property.RACE_FREE}
"""The property that a suspicion by a rule leaves open."""
ALWAYS = Property.RACE_FREE, Property.BARRIERS, Property.ORDER_FREE, Property.NO_WRAP
"""The properties that there are of every kernel; the others are there where something is stated."""
BEYOND_LIMIT = "the proof for all sizes assumes that it does not, and this launch is beyond that limit"
"""The note of an overflow that a proof assumes away, at a launch for which the assumption does not hold."""
Outcomes = Mapping[Property, Outcome]


def left_open(what: str, reason: str) -> Finding:
    """Something of a property that is not decided, in words."""
    return Finding("unknown", Status.POTENTIAL, f"{what}: {reason}", ())


@dataclass(frozen=True, slots=True)
class Answered:
    """What formulas say of one property. `gave_up`: why an answer is missing; `is_asked`: whether there was anything to ask."""

    findings: tuple[Finding, ...] = ()
    gave_up: tuple[str, ...] = ()
    is_asked: bool = True

    @property
    def outcome(self) -> Outcome:
        if not self.is_asked:
            return Outcome.NOT_CHECKED
        if any(finding.status is Status.CONFIRMED for finding in self.findings):
            return Outcome.REFUTED
        is_open = self.gave_up or any(finding.status is Status.POTENTIAL for finding in self.findings)
        return Outcome.UNKNOWN if is_open else Outcome.PROVED

    def reasons(self, name: Property) -> list[str]:
        """Why it is open: the first missing answer, then the first suspicion."""
        if self.outcome is not Outcome.UNKNOWN:
            return []
        suspected = [f"{finding.message} ({finding.note})" for finding in self.findings if finding.status is Status.POTENTIAL]
        return [f"{name.value}: {reason}" for reason in (*self.gave_up[:1], *suspected[:1])]


@dataclass(frozen=True, slots=True)
class Formulas:
    """What the solvers say. `answers`: of every property, in the order in which their findings are told; `is_private`: whether
    what may race is in shared arrays that nobody reads; `besides`: what is open beside the findings."""

    answers: Mapping[Property, Answered]
    assumptions: tuple[str, ...]
    scope: Scope
    writes: int
    is_private: bool = False
    besides: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class Uncovered:
    """The proofs do not cover the kernel. `writes`: how many statements store something."""

    reason: str
    place: Place | None
    writes: int


@dataclass(frozen=True, slots=True)
class Shown:
    """Findings that runs at some sizes have shown; no sizes: those of the launch that was asked about."""

    findings: tuple[Finding, ...]
    sizes: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class ForAllData:
    """One run of the launch proves properties for all data. `depends`: what the run depended on; `has_claims`: whether the
    kernel states assertions, of which the run says nothing but that they are proved; `has_distances`: whether there are wide
    accesses, of which it says nothing."""

    proved: frozenset[Property]
    depends: tuple[str, ...]
    assumptions: tuple[str, ...]
    writes: int
    has_claims: bool
    has_distances: bool


@dataclass(frozen=True, slots=True)
class Quiet:
    """Runs that settle nothing, in words."""

    told: str


@dataclass(frozen=True, slots=True)
class Endless:
    """A loop never ends at this launch. `withdrawn`: assumptions of the proofs that are known not to hold."""

    findings: tuple[Finding, ...]
    withdrawn: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Unended:
    """Whether a loop ends at this launch was not seen. `place`: of the loop; None: time was up before loops were looked at."""

    place: Place | None
    why: str = ""


Evidence = Formulas | Uncovered | Shown | ForAllData | Quiet | Endless | Unended


@passing("conclude", lambda report: report.verdict.value)
def conclude(kernel: str, evidence: Iterable[Evidence]) -> Report:
    """The report on a kernel that some evidence comes to."""
    report = Report(Verdict.UNKNOWN, kernel)
    for item in evidence:
        match item:
            case Formulas():
                report = _of_formulas(kernel, item)
            case Uncovered():
                report = _uncovered(kernel, item)
            case Shown():
                report = _refuted(report, item)
            case ForAllData():
                report = _proved(report, item)
            case Quiet():
                report = replace(report, evidence=item.told) if report.verdict is Verdict.UNKNOWN else report
            case Endless():
                report = _endless(report, item)
            case Unended():
                report = _unended(report, item)
    return report


def _of_formulas(kernel: str, said: Formulas) -> Report:
    """Without barriers that all threads reach together there is no order that races and results could rest on."""
    outcomes = {name: answer.outcome for name, answer in said.answers.items()}
    reasons = [reason for name, answer in said.answers.items() for reason in answer.reasons(name)]
    if outcomes[Property.BARRIERS] is not Outcome.PROVED:
        for name in (Property.RACE_FREE, Property.ORDER_FREE):
            if outcomes[name] is Outcome.PROVED:
                outcomes[name] = Outcome.UNKNOWN
                reasons.append(f"{name.value} rests on barriers that are not proved to be reached together")
    verdict = _verdict(outcomes)
    gave_up = [left_open(name.value, reason) for name, answer in said.answers.items() for reason in answer.gave_up]
    return Report(verdict, kernel, outcomes, tuple(found for answer in said.answers.values() for found in answer.findings),
                  said.assumptions, (reasons or ["a property is unknown"])[0] if verdict is Verdict.UNKNOWN else None,
                  scope=said.scope, writes=said.writes, determinism=_strengths(outcomes, said.is_private),
                  besides=(*gave_up, *said.besides), complete=_complete(said))


def _complete(said: Formulas) -> frozenset[Property]:
    """The properties of which every question has an answer; of races and orders, where the barriers that they rest on are met."""
    are_met = said.answers[Property.BARRIERS].outcome is Outcome.PROVED
    return frozenset(name for name, answer in said.answers.items() if answer.is_asked and not answer.gave_up
                     and (are_met or name not in (Property.RACE_FREE, Property.ORDER_FREE)))


def _verdict(outcomes: Outcomes) -> Verdict:
    found = set(outcomes.values())
    return (Verdict.REFUTED if Outcome.REFUTED in found else Verdict.UNKNOWN if Outcome.UNKNOWN in found else Verdict.PROVED)


def _strengths(outcomes: Outcomes, is_private: bool) -> dict[str, Outcome]:
    """The paper's two strengths: of the global arrays, and strong (shared memory as well). Global memory is called deterministic
    only if shared memory that it may be computed from is."""
    deterministic = [outcomes[name] for name in (Property.RACE_FREE, Property.BARRIERS, Property.ORDER_FREE)]
    strong = (Outcome.REFUTED if Outcome.REFUTED in deterministic
              else Outcome.UNKNOWN if Outcome.UNKNOWN in deterministic else Outcome.PROVED)
    is_weaker = is_private and outcomes[Property.BARRIERS] is Outcome.PROVED
    return {"global": outcomes[Property.ORDER_FREE] if is_weaker else strong, "strong": strong}


def _uncovered(kernel: str, said: Uncovered) -> Report:
    return Report(Verdict.UNKNOWN, kernel, dict.fromkeys(ALWAYS, Outcome.UNKNOWN), reason=said.reason, reason_place=said.place,
                  writes=said.writes, besides=(left_open("not decided", said.reason),))


def _with_defaults(outcomes: Outcomes, claims: Outcome, bounds: Outcome = Outcome.NOT_CHECKED) -> dict[Property, Outcome]:
    """Outcomes of all properties. `claims`, `bounds`: of assertions and of bounds, where nothing was said of them."""
    unsaid = {**dict.fromkeys(ALWAYS, Outcome.UNKNOWN), Property.BOUNDS: bounds, Property.ASSERTIONS: claims}
    return {**outcomes, **{name: outcome for name, outcome in unsaid.items() if name not in outcomes}}


def _refuted(report: Report, said: Shown) -> Report:
    """Confirmed findings stand in the place of what was only suspected; that is kept beside them."""
    confirmed = {_about(finding) for finding in said.findings}
    suspected = [finding for finding in report.findings if finding.status is Status.POTENTIAL]
    sure = [finding for finding in report.findings if finding.status is not Status.POTENTIAL]
    outcomes = {**report.properties, **{SHOWN_BY_RUNS[finding.rule]: Outcome.REFUTED for finding in said.findings
                                        if finding.rule in SHOWN_BY_RUNS}}
    return replace(report, verdict=Verdict.REFUTED, reason=None, reason_place=None,
                   properties=_with_defaults(outcomes, Outcome.NOT_CHECKED),
                   findings=(*sure, *(replace(finding, sizes=said.sizes) for finding in said.findings)),
                   besides=(*report.besides, *(finding for finding in suspected if _about(finding) not in confirmed)),
                   scope=report.scope or (Scope("one launch") if said.sizes else THIS_LAUNCH))


def _about(finding: Finding) -> tuple[str, frozenset[Place]]:
    return finding.rule, frozenset(spot.place for spot in finding.spots)


def _proved(report: Report, said: ForAllData) -> Report:
    """What one run proves of properties that are open; suspicions of them are settled."""
    proved = said.proved - {Property.NO_WRAP} if any(found.note == BEYOND_LIMIT for found in report.findings) else said.proved
    outcomes = _with_defaults(report.properties, *(Outcome.UNKNOWN if is_open else Outcome.NOT_CHECKED
                                                   for is_open in (said.has_claims, said.has_distances)))
    outcomes |= {name: Outcome.PROVED for name in proved if outcomes[name] is Outcome.UNKNOWN}
    findings = tuple(finding for finding in report.findings
                     if finding.status is not Status.POTENTIAL or PROPERTY_OF.get(finding.rule) not in proved)
    depends = ", ".join(said.depends) or "nothing"
    evidence = f"one run of this launch without a conflict, amplified to all data; it depends on {depends}"
    more = (text for text in dict.fromkeys(said.assumptions) if text not in report.assumptions)
    report = replace(report, properties=outcomes, findings=findings, evidence=evidence, scope=report.scope or THIS_LAUNCH,
                     writes=report.writes or said.writes, assumptions=(*report.assumptions, *more))
    if _verdict(outcomes) is Verdict.PROVED:
        return replace(report, verdict=Verdict.PROVED, reason=None, reason_place=None)
    if report.verdict is not Verdict.UNKNOWN:
        return report
    first = next(name for name in Property if outcomes[name] is Outcome.UNKNOWN)
    reason = f"{first.value} is not decided; races and barriers are (by an amplified run)"
    return replace(report, reason=reason, reason_place=None)


def _endless(report: Report, said: Endless) -> Report:
    """What was proved of threads that leave their loops is not said of this launch."""
    report = replace(_refuted(report, Shown(said.findings, {})), complete=frozenset())
    outcomes = dict(report.properties)
    for name in (Property.RACE_FREE, Property.ORDER_FREE):
        if outcomes[name] is Outcome.PROVED:
            outcomes[name] = Outcome.UNKNOWN
    shown = Outcome.REFUTED if Outcome.REFUTED in outcomes.values() else Outcome.UNKNOWN
    return replace(report, properties=outcomes, determinism=dict.fromkeys(report.determinism, shown),
                   assumptions=tuple(text for text in report.assumptions if text not in said.withdrawn))


def _unended(report: Report, said: Unended) -> Report:
    if report.verdict is not Verdict.PROVED:
        return report
    if said.place is None:
        return replace(report, verdict=Verdict.UNKNOWN, reason=f"{TIME_IS_UP}: whether all loops end is open")
    return replace(report, verdict=Verdict.UNKNOWN, reason_place=said.place,
                   reason=f"whether the loop at line {said.place.line} ends at this launch was not seen: {said.why}",
                   evidence=report.evidence or "all properties are proved, if it ends")
