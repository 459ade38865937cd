"""The paper's view of a kernel: segments, LHS and RHS sets, suspect pairs, each formula and its answer.

Formulas are built as sympy expressions from the polynomials that were decided. A subscript 1 or 2 tells
the two threads apart; coordinates of the common block carry none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, assert_never

from automata.logic import terms as T
from automata.logic.atom import Atom, Whose
from automata.logic.ladder import Query
from automata.logic.poly import And, Formula, Not, Or, Poly, Prop, Rel
from automata.logic.smt import Answer, Sat, Unsat, to_smtlib
from automata.place import InputError
from automata.proof.known.context import SAME_BLOCK
from automata.proof.known.footprint import Access
from automata.proof.obligations.interference import Judged
from automata.proof.symbolic.rows import Row
from automata.proof.witness.analysis import Analysis
from automata.thread.segments import segments

if TYPE_CHECKING:
    import sympy


def formulas_text(analysis: Analysis) -> str:
    """Everything as text."""
    _READS.clear()
    _READS.update(_read_texts(analysis))
    lines = [f"kernel {analysis.context.kernel.name}"]
    numbers = {part.start: part.number for part in segments(analysis.automaton)}
    numbers[-1] = 0
    by_segment: dict[int, list[Access]] = {}
    for access in analysis.footprint.accesses:
        by_segment.setdefault(numbers[access.interval.segment], []).append(access)
    for number in sorted(set(numbers.values())):
        found = by_segment.get(number, [])
        lines.append(f"\nsegment {number}")
        lines += [f"  {name} = {{{', '.join(_shown(access) for access in found if access.is_write is write)}}}"
                  for name, write in (("LHS", True), ("RHS", False))]
    for barrier in analysis.convergence:
        lines += ["", f"barrier at line {barrier.place.line}: reached by all threads of a block or by none",
                  f"  guard: {T.show(barrier.guard)}", *_formula_lines(barrier.formula, barrier.answer)]
    for group in analysis.interference:
        lines += ["", f"array {group.array}: {len(group.judged)} pairs that may interfere"]
        for item in group.judged:
            lines += _pair_lines(item, numbers)
    return "\n".join(lines) + "\n"


def _shown(access: Access) -> str:
    index = "".join(f"[{T.show(part)}]" for part in access.index)
    guard = f" if {T.show(access.guard)}" if access.guard is not T.TRUE else ""
    return f"{access.array}{index}{guard}"


def _pair_lines(item: Judged, numbers: dict[int, int]) -> list[str]:
    first, second = item.pair.first, item.pair.second
    where = "threads of different blocks" if item.pair.across_blocks else "threads of one block"
    places = [f"{access.kind} at line {access.place.line} (segment {numbers[access.interval.segment]}){_more(row)}"
              for access, row in zip((first, second), item.pair.rows, strict=True)]
    return ["", f"  {places[0]}  ×  {places[1]}, {where}", *_formula_lines(item.formula, item.answer)]


def _more(row: Row) -> str:
    return f" and {len(row.members) - 1} more, each {row.step} further" if len(row.members) > 1 else ""


def _formula_lines(formula: Formula, answer: Answer) -> list[str]:
    return [f"    {part}" for part in _conjuncts(formula)] + [f"    → {answer_text(answer)}"]


def answer_text(answer: Answer) -> str:
    """An answer in words."""
    if isinstance(answer, Unsat):
        return f"unsatisfiable ({answer.rung})" if answer.rung else "unsatisfiable"
    if isinstance(answer, Sat):
        return "satisfiable: " + ", ".join(
            f"{shown(atom)} = {value}" for atom, value in sorted(answer.model.items(), key=lambda item: shown(item[0])))
    return f"unknown: {answer.reason}"


def _conjuncts(formula: Formula) -> Iterator[str]:
    import sympy

    parts = formula.args if isinstance(formula, And) else (formula,)
    for number, part in enumerate(parts):
        yield ("∧ " if number else "  ") + sympy.sstr(to_sympy(part))


_READS: dict[Atom, str] = {}


def _read_texts(analysis: Analysis) -> dict[Atom, str]:
    """Reads as `array[index]`; a value that threads do not share keeps its subscript."""
    found: dict[Atom, str] = {}
    for atom, application in analysis.encoder.applications.items():
        if application.function.array and all(len(repr(arg)) < 80 for arg in application.args):
            index = "".join(f"[{arg.to_sympy(shown)}]" for arg in application.args)
            found[atom] = f"{application.function.array}{index}{_subscript(Whose(application.function.whose.thread))}"
    return found


def shown(atom: Atom) -> str:
    """An atom with its thread or block as a subscript: `threadIdx.x_1`; `blockIdx.x` of the common block has none."""
    return _READS.get(atom) or f"{atom.text}{_subscript(atom.whose)}"


def _subscript(whose: Whose) -> str:
    name = whose.thread or whose.block
    return "" if name in ("", SAME_BLOCK) else f"_{name}"


def to_sympy(formula: Formula) -> sympy.Basic:
    """A formula as a sympy boolean; polynomials are split so that both sides of a relation are positive."""
    import sympy

    match formula:
        case Rel(sign=sign, poly=poly):
            left, right = _sides(poly)
            return sympy.Eq(left, right, evaluate=False) if sign == "==" else sympy.Le(left, right, evaluate=False)
        case Prop(atom=atom):
            return sympy.Symbol(shown(atom))
        case Not(arg=Rel(sign="==", poly=poly)):
            left, right = _sides(poly)
            return sympy.Ne(left, right, evaluate=False)
        case Not(arg=arg):
            return sympy.Not(to_sympy(arg), evaluate=False)
        case And(args=args):
            return sympy.And(*map(to_sympy, args), evaluate=False)
        case Or(args=args):
            return sympy.Or(*map(to_sympy, args), evaluate=False)
    assert_never(formula)


def _sides(poly: Poly) -> tuple[sympy.Expr, sympy.Expr]:
    positive = Poly({mono: coef for mono, coef in poly.terms.items() if coef > 0})
    return positive.to_sympy(shown), (positive - poly).to_sympy(shown)


def dump_smt(analysis: Analysis, folder: str) -> int:
    """Write each formula as an SMT-LIB file into a folder; the number of files."""
    target = Path(folder)
    try:
        target.mkdir(parents=True, exist_ok=True)
        count = 0
        for name, formula in _named(analysis):
            count += 1
            query = Query([formula, *analysis.context.requirements(analysis.encoder)], analysis.encoder)
            text = to_smtlib(query.complete(), analysis.encoder.applications)
            (target / f"{analysis.context.kernel.name}-{count:03d}-{name}.smt2").write_text(text, encoding="utf-8")
        return count
    except OSError as error:
        raise InputError(f"cannot write to '{folder}': {error.strerror}") from error


def _named(analysis: Analysis) -> Iterator[tuple[str, Formula]]:
    for obligation in analysis.convergence:
        yield f"barrier-line{obligation.place.line}", obligation.formula
    for group in analysis.interference:
        for item in group.judged:
            kind = "blocks" if item.pair.across_blocks else "block"
            array = re.sub(r"\W", "_", group.array)
            yield f"{array}-{kind}-line{item.pair.first.place.line}-line{item.pair.second.place.line}", item.formula
