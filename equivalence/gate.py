"""What must hold of both sides before their outputs are compared, and what the answer then rests on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from automata.lang.core import Atomic, Binary, Expr, Kernel, Space
from automata.lang.traverse import children, expressions, walk
from automata.scalar import F32
from automata.scope import Scope
from automata.verdict import Outcome, Property, Report, Status, Verdict
from equivalence.evidence import Assumed, Barred, Ground, Said
from equivalence.result import EqualityClass

MEANINGFUL = (Property.RACE_FREE, Property.BARRIERS, Property.ORDER_FREE, Property.BOUNDS)
"""What must hold for an output to be determined: what lies outside an array is nobody's to say."""

MODES = {"bitwise": EqualityClass.COMMUTATIVE, "int": EqualityClass.INT, "real": EqualityClass.REAL_EXP_MAX}
"""The weakest class that each mode accepts."""

CONTRACTED = "float a*b+c is not contracted to fma, or alike on both sides"
"""Assumed where a kernel multiplies and adds floats, which a compiler may make one operation."""

KEPT = "atomic additions of floats keep subnormal numbers, as other additions do"
"""Assumed where one side alone adds to a float in global memory atomically: NVIDIA's devices take subnormal numbers for zero
there. Source: the PTX ISA, `atom` and `red`, `.add.f32`."""


def gate(reports: Sequence[Sequence[Report]], *, at_launch: bool, assumes_bounds: bool = False) -> list[Said]:
    """What stops a comparison that makes no sense, at its end: a side that is refuted or not decided. `reports`: of all kernels
    of each side; `at_launch`: symbolic runs follow, which make every access of the launch, and know what nobody has set;
    `assumes_bounds`: accesses that are only not shown to lie inside their arrays are taken to, aloud."""
    if bar := refuted(reports):
        return [bar]
    said: list[Said] = []
    for name, group in zip("ab", reports, strict=True):
        for report in group:
            if report.verdict is Verdict.PROVED or (at_launch and runs_decide(report)):
                continue
            if assumes_bounds and (arrays := reach_open(report)):
                inside = f"every access of {', '.join(arrays)} lies inside it"
                said.append(Assumed((f"{name}: {inside} (not shown)",), (f"{name}: {inside}",)))
            else:
                broken = ", ".join(sorted({finding.rule for finding in report.findings}))
                what = report.reason if report.verdict is Verdict.UNKNOWN else f"it is {report.verdict.value}: {broken}"
                return [*said, Barred(name, f"side {name} ({report.kernel}): {what}", is_refuted=False, report=report)]
    return said


def refuted(reports: Sequence[Sequence[Report]]) -> Barred | None:
    """The first side that is not deterministic, if one is."""
    for name, group in zip("ab", reports, strict=True):
        for report in group:
            if any(report.properties.get(prop) is Outcome.REFUTED for prop in MEANINGFUL):
                rules = sorted({finding.rule for finding in report.findings if finding.status is Status.CONFIRMED})
                return Barred(name, f"side {name} ({report.kernel}): {', '.join(rules)}", is_refuted=True, report=report)
    return None


def stops(said: Sequence[Said]) -> Barred | None:
    """What a gate was shut for, if it was."""
    return said[-1] if said and isinstance(said[-1], Barred) else None


def doubted(report: Report) -> frozenset[str] | None:
    """The arrays of which a cell may be read before it is set, if nothing else is open about the order of threads."""
    if report.properties.get(Property.ORDER_FREE) is not Outcome.UNKNOWN:
        return frozenset()
    if report.properties[Property.RACE_FREE] is not Outcome.PROVED or report.properties[Property.BARRIERS] is not Outcome.PROVED:
        return None
    found = [finding for finding in report.findings if finding.status is Status.POTENTIAL]
    if not found or any(finding.rule != "uninitialised-read" for finding in found):
        return None
    names = frozenset(finding.array for finding in found if finding.array)
    return names if all(finding.array for finding in found) else None


def runs_decide(report: Report) -> bool:
    """Whether symbolic runs decide all that the proofs leave open: bounds, and what undefined values come to."""
    undecided = {prop for prop, found in report.properties.items() if found is Outcome.UNKNOWN}
    return (report.verdict is Verdict.UNKNOWN and bool(undecided) and undecided <= {Property.BOUNDS, Property.ORDER_FREE}
            and doubted(report) is not None)


def reach_open(report: Report) -> list[str]:
    """The arrays of which an access may lie outside, if nothing else is open."""
    undecided = {prop for prop, found in report.properties.items() if found is Outcome.UNKNOWN}
    if report.verdict is not Verdict.UNKNOWN or undecided != {Property.BOUNDS}:
        return []
    return sorted({finding.array for finding in report.findings if finding.status is Status.POTENTIAL and finding.array})


def ground(stated: Sequence[str], reports: Sequence[Sequence[Report]], scope: Scope | None,
           more: Sequence[str] = ()) -> Ground:
    """What a comparison rests on. `stated`: what pairing took for granted; `more`: what is assumed of both sides together."""
    first = {name: next((report for report in group if report.verdict is not Verdict.PROVED), group[0])
             for name, group in zip("ab", reports, strict=True)}
    return Ground((*_assumptions(stated, reports), *more), first, scope)


def _assumptions(stated: Sequence[str], reports: Sequence[Sequence[Report]]) -> list[str]:
    """What pairing took for granted, then what both sides do, then what one of them does."""
    found = list(stated)
    texts = [[text for report in group for text in report.assumptions] for group in reports]
    for number, name in enumerate("ab"):
        for text in texts[number]:
            label = text if text in texts[1 - number] else f"{name}: {text}"
            if label not in found:
                found.append(label)
    return found


def compiled(a: Iterable[Kernel], b: Iterable[Kernel]) -> tuple[str, ...]:
    """What is assumed of the device's floats: where a kernel multiplies and adds some, where one side alone adds atomically."""
    sides = list(a), list(b)
    contracted = any(_multiplies_and_adds(kernel) for side in sides for kernel in side)
    one, two = ({number for kernel in side for number in _added_atomically(kernel)} for side in sides)
    return ((CONTRACTED,) if contracted else ()) + ((KEPT,) if one != two else ())


def _added_atomically(kernel: Kernel) -> set[int]:
    """The arrays of floats in global memory that a kernel adds to atomically, by their number."""
    number = {array.name: at for at, array in enumerate(kernel.arrays) if array.space is Space.GLOBAL}
    return {number[stmt.array] for stmt in walk(kernel.body)
            if isinstance(stmt, Atomic) and stmt.op in ("add", "sub") and stmt.type == F32 and stmt.array in number}


def _multiplies_and_adds(kernel: Kernel) -> bool:
    """Whether floats are both multiplied and added: what a compiler may contract."""
    found: set[str] = set()

    def look(expr: Expr) -> None:
        if isinstance(expr, Binary) and expr.type.is_float:
            found.add(expr.op)
        for part in children(expr):
            look(part)

    for stmt in walk(kernel.body):
        for expr in expressions(stmt):
            look(expr)
    return "*" in found and bool(found & {"+", "-"})
