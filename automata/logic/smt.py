"""The one door to the solvers: a formula goes to pySMT, an `Answer` comes back, never a bool.

`Sat` carries a model, `Unsat` is a proof, `Unknown` says why. Every call has a limit: one of resources,
chosen to take about the time asked for, so that answers repeat on a slower or busier machine; the clock stands
behind it with some patience.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, reduce
from typing import Any, Literal, assert_never

from automata.budget import METER, UNLIMITED, Budget
from automata.logic.atom import Atom
from automata.logic.poly import And, Formula, Monomial, Not, Or, Poly, Prop, Rel, parts_of
from automata.logic.poly import atoms as atoms_of
from automata.logic.views import Application, Function


@dataclass(frozen=True, slots=True)
class Sat:
    """Satisfiable: the values of the atoms (integers) and propositions (0 or 1)."""

    model: Mapping[Atom, int]


@dataclass(frozen=True, slots=True)
class Unsat:
    """No assignment exists; `rung` names how that was shown."""

    rung: str = ""


@dataclass(frozen=True, slots=True)
class Unknown:
    reason: str


MILLISECOND = 10**6
STEPS_A_MILLISECOND = 4000
QUERY, NODE, STEP = 5_000_000, 20_000, MILLISECOND // STEPS_A_MILLISECOND
"""Nanoseconds of work: of a query, of each part of its formulas, of a step of z3."""
CVC5_STEPS_A_MILLISECOND = 300
PATIENCE, PATIENT = 20, 1500
"""How often the time that is meant a query may take by the clock, and milliseconds that any may: steps are what limits it, and on
a busy machine a few of them take long."""
LEAST = 50
"""Milliseconds that a query may take at the very end."""
Answer = Sat | Unsat | Unknown
Solver = Literal["z3", "cvc5"]
LONGEST = 1 << 12
"""Bits of a number that solvers are asked about: longer ones come of bounds of many rounds, and decide nothing."""


class _TooLongError(Exception):
    """A formula has a number that no solver is asked about."""


class _Room:
    """What all queries of one kernel share: a pySMT environment, z3's own, and what was translated for either.

    Most formulas of a query stood in one before. No kernel's queries see what another's left behind: not even a context of z3
    that waits for the collector of garbage, since steps and models of z3 depend on the memory that a process holds.
    """

    def __init__(self) -> None:
        from pysmt.environment import Environment

        self.environment = Environment()
        self.translators: dict[int, Translator] = {}
        self.z3: Any = None

    def translator(self, applications: Mapping[Atom, Application]) -> Translator:
        """The one for some atoms that are applications, or for none."""
        key = id(applications) if applications else 0
        if key not in self.translators:
            self.translators[key] = Translator(applications or {}, self.environment)  # none: also if some come later
        return self.translators[key]

    def converter(self) -> Any:
        """From pySMT's nodes to those of z3."""
        if self.z3 is None:
            import z3

            self.z3 = _converter()(self.environment, z3.Context())
        return self.z3

    def close(self) -> None:
        """Give up the context of z3 at once."""
        if self.z3 is not None:
            self.z3.close()


@dataclass
class _Shared:
    """What this process keeps: the room of the kernel, the seconds spent deciding, and when queries have to end."""

    room: _Room | None = None
    seconds: float = 0.0
    queries: int = 0
    budget: Budget = UNLIMITED


_SHARED = _Shared()


def _room() -> _Room:
    if _SHARED.room is None:
        _SHARED.room = _Room()
    return _SHARED.room


def reset() -> None:
    """Forget all that was translated (between kernels)."""
    if _SHARED.room is not None:
        _SHARED.room.close()
    _SHARED.room = None


def until(budget: Budget) -> None:
    """No query from here on outlives the time of a budget by much."""
    _SHARED.budget = budget


def _milliseconds(limit: int) -> int:
    """The wall time of a query."""
    left = _SHARED.budget.seconds
    most = max(limit * PATIENCE, PATIENT)
    return most if left is None else min(most, max(LEAST, int(1000 * left)))


def spent() -> tuple[float, int]:
    """Seconds spent in `solve` by this process so far, and the number of calls."""
    return _SHARED.seconds, _SHARED.queries


class Translator:
    """Formulas to pySMT nodes in one environment; functions are declared as they appear.

    Solvers see numbers for names, in the order in which they come, so that no answer depends on a text. `is_for_people`: texts.
    `parts`: how many nodes were made.
    """

    def __init__(self, applications: Mapping[Atom, Application], environment: Any, *, is_for_people: bool = False) -> None:
        from pysmt.typing import BOOL, INT

        self.environment = environment
        self.manager: Any = self.environment.formula_manager
        self.applications, self.is_for_people = applications, is_for_people
        self.int_type, self.bool_type = INT, BOOL
        self.nodes: dict[Atom, Any] = {}
        self.functions: dict[tuple[Function, int], Any] = {}
        self.taken: set[str] = set()
        self.polys: dict[Poly, Any] = {}
        self.formulas: dict[Formula, Any] = {}
        self.mentioned: dict[Formula, frozenset[Atom]] = {}
        self.of_z3: dict[Formula, Any] = {}

    def atom(self, atom: Atom) -> Any:
        """The node of an atom; those that it is applied to are made first, however deep they nest."""
        pending = [atom]
        while atom not in self.nodes:
            inner = [part for part in self._inside(pending[-1]) if part not in self.nodes]
            if inner:
                pending += inner
            else:
                last = pending.pop()
                self.nodes[last] = self._make(last, self.int_type)
        return self.nodes[atom]

    def _inside(self, atom: Atom) -> list[Atom]:
        """The atoms that one is applied to."""
        application = self.applications.get(atom)
        return [] if application is None else [part for arg in application.args for mono in arg.terms for part in mono]

    def proposition(self, atom: Atom) -> Any:
        if atom not in self.nodes:
            self.nodes[atom] = self._make(atom, self.bool_type)
        return self.nodes[atom]

    def _make(self, atom: Atom, kind: Any) -> Any:
        application = self.applications.get(atom)
        if application is None or not application.args:
            return self.manager.Symbol(self._name(repr(atom), "p" if kind is self.bool_type else "x"), kind)
        function, arity = application.function, len(application.args)
        if (function, arity) not in self.functions:
            name = self._name(str(function), f"{'q' if function.is_truth else 'f'}{arity}_")
            self.functions[function, arity] = self.manager.Symbol(
                name, self.environment.type_manager.FunctionType(kind, [self.int_type] * arity))
        return self.manager.Function(self.functions[function, arity], [self.poly(arg) for arg in application.args])

    def _name(self, text: str, prefix: str) -> str:
        """A name that nothing else has here."""
        name = text if self.is_for_people else f"{prefix}{len(self.taken)}"
        while name in self.taken:
            name = f"{text}~{len(self.taken)}"
        self.taken.add(name)
        return name

    @property
    def parts(self) -> int:
        return len(self.nodes) + len(self.polys) + len(self.formulas)

    def reached(self, formulas: Iterable[Formula]) -> dict[Atom, Any]:
        """The atoms of some translated formulas, those that others are applied to among them, in the order in which they came."""
        pending = [atom for formula in formulas for atom in self._mentioned(formula)]
        found: set[Atom] = set()
        while pending:
            atom = pending.pop()
            if atom not in found:
                found.add(atom)
                pending += self._inside(atom)
        return {atom: node for atom, node in self.nodes.items() if atom in found}

    def _mentioned(self, formula: Formula) -> frozenset[Atom]:
        if formula not in self.mentioned:
            self.mentioned[formula] = frozenset(atoms_of(formula))
        return self.mentioned[formula]

    def poly(self, value: Poly) -> Any:
        if value not in self.polys:
            parts = [self._monomial(mono, coef) for mono, coef in value.terms.items()]
            self.polys[value] = (self.manager.Plus(parts) if len(parts) > 1
                                 else parts[0] if parts else self.manager.Int(0))
        return self.polys[value]

    def _monomial(self, mono: Monomial, coef: int) -> Any:
        if coef.bit_length() > LONGEST:
            raise _TooLongError
        if not mono:
            return self.manager.Int(coef)
        product = reduce(self.manager.Times, (self.atom(atom) for atom in mono))
        return product if coef == 1 else self.manager.Times(self.manager.Int(coef), product)

    def formula(self, formula: Formula) -> Any:
        """The node of a formula; of parts that it shares, once, and before it, however deep they nest."""
        pending = [formula] if formula not in self.formulas else []
        while pending:
            last = pending[-1]
            inner = [part for part in parts_of(last) if part not in self.formulas]
            if inner:
                pending += inner[::-1]
            else:
                self.formulas[pending.pop()] = self._formula(last)
        return self.formulas[formula]

    def converted(self, formula: Formula) -> Any:
        """The node of z3 that a formula is; the converter of the room keeps it."""
        if formula not in self.of_z3:
            self.of_z3[formula] = _room().converter().walk(self.formula(formula))
        return self.of_z3[formula]

    def _formula(self, formula: Formula) -> Any:
        match formula:
            case Rel(sign=sign, poly=value):
                build = self.manager.LE if sign == "<=" else self.manager.Equals
                return build(self.poly(value), self.manager.Int(0))
            case Prop(atom=atom):
                return self.proposition(atom)
            case Not(arg=arg):
                return self.manager.Not(self.formula(arg))
            case And(args=args):
                return self.manager.And([self.formula(part) for part in args])
            case Or(args=args):
                return self.manager.Or([self.formula(part) for part in args])
        assert_never(formula)


def solve(formulas: Iterable[Formula], applications: Mapping[Atom, Application], *, milliseconds: int,
          solver: Solver = "z3", is_linear: bool = False) -> Answer:
    """Decide the conjunction of some formulas with one solver, within a time limit. `is_linear`: there are no products, and z3
    leaves out what it does first where there may be."""
    began = time.monotonic()
    try:
        return _solve(formulas, applications, milliseconds, solver, is_linear)
    finally:
        _SHARED.seconds += time.monotonic() - began
        _SHARED.queries += 1


def _solve(formulas: Iterable[Formula], applications: Mapping[Atom, Application], milliseconds: int,
           solver: Solver, is_linear: bool) -> Answer:
    from pysmt.exceptions import SolverReturnedUnknownResultError

    formulas, translator = list(formulas), _room().translator(applications)
    known = translator.parts
    engine = _engine(solver, milliseconds, is_linear=is_linear)
    try:
        if solver == "z3":
            engine.claim(map(translator.converted, formulas))
        else:
            engine.add_assertions(map(translator.formula, formulas))
        before = _steps(engine, solver)
        try:
            holds = engine.solve()
        finally:
            work = QUERY + NODE * (translator.parts - known + len(formulas))
            METER.done += work + STEP * max(0, _steps(engine, solver) - before)
        return Sat(_model(engine, translator.reached(formulas), solver)) if holds else Unsat(solver)
    except _TooLongError:
        return Unknown(f"numbers of more than {LONGEST} bits")
    except SolverReturnedUnknownResultError:
        METER.done += 0 if solver == "z3" else milliseconds * MILLISECOND
        return Unknown(f"{solver} gave no answer in {milliseconds / 1000:g} s")
    finally:
        engine.exit()


def _steps(engine: Any, solver: Solver) -> int:
    """The steps that z3 has made so far; cvc5 tells none."""
    return int(engine.z3.statistics().get_key_value("rlimit count")) if solver == "z3" else 0


def _engine(solver: Solver, milliseconds: int, *, is_linear: bool) -> Any:
    from pysmt.logics import Logic

    logic = Logic(name="ALL", description="everything", quantifier_free=True, uninterpreted=True,
                  integer_arithmetic=True, integer_difference=False, linear=False)
    room = _room()
    if solver == "z3":
        return _z3()(room.environment, logic, is_linear=is_linear, solver_options={
            "rlimit": milliseconds * STEPS_A_MILLISECOND, "timeout": _milliseconds(milliseconds)})
    from pysmt.solvers.cvcfive import CVC5Solver

    return CVC5Solver(room.environment, logic, solver_options={
        "rlimit-per": str(milliseconds * CVC5_STEPS_A_MILLISECOND), "tlimit-per": str(_milliseconds(milliseconds))})


@cache
def _converter() -> Any:
    """pySMT's converter to z3, which lets go of its context when it is told to."""
    from pysmt.solvers.z3 import Z3Converter

    class Converter(Z3Converter):  # type: ignore[misc]
        def close(self) -> None:
            super().__del__()
            self.__dict__.clear()

        def __del__(self) -> None:
            if self.__dict__:
                self.close()

    return Converter


@cache
def _z3() -> Any:
    """pySMT's z3 with the converter of the kernel's room, and in its context."""
    import z3
    from pysmt.solvers.solver import IncrementalTrackingSolver
    from pysmt.solvers.z3 import Z3Solver

    class Engine(Z3Solver):  # type: ignore[misc]
        def __init__(self, environment: Any, logic: Any, *, is_linear: bool, **options: Any) -> None:
            IncrementalTrackingSolver.__init__(self, environment=environment, logic=logic, **options)
            self.converter, self.mgr = _room().converter(), environment.formula_manager
            self.z3 = (z3.SimpleSolver if is_linear else z3.Solver)(ctx=self.converter.ctx)
            self.options(self)

        def claim(self, nodes: Iterable[Any]) -> None:
            """Assert nodes of z3: without the checks that `add_assertion` makes for each, which cost as much as translating."""
            context, solver = self.converter.ctx.ref(), self.z3.solver
            for node in nodes:
                z3.Z3_solver_assert(context, solver, node)

    return Engine


def _model(engine: Any, nodes: Mapping[Atom, Any], solver: Solver) -> dict[Atom, int]:
    """The values of some atoms."""
    if solver != "z3":
        return {atom: int(engine.get_value(node).constant_value()) for atom, node in nodes.items()}
    model, convert = engine.z3.model(), engine.converter.convert
    values = ((atom, model.eval(convert(node), model_completion=True)) for atom, node in nodes.items())
    return {atom: value.as_long() if hasattr(value, "as_long") else int(bool(value)) for atom, value in values}


def to_smtlib(formulas: Iterable[Formula], applications: Mapping[Atom, Application]) -> str:
    """The conjunction as an SMT-LIB 2 script (logic ALL)."""
    import warnings
    from io import StringIO

    from pysmt.environment import pop_env, push_env
    from pysmt.smtlib.script import smtlibscript_from_formula

    translator = Translator(applications, _room().environment, is_for_people=True)
    node = translator.manager.And([translator.formula(formula) for formula in formulas])
    push_env(translator.environment)
    warnings.filterwarnings("ignore", message="The logic ALL is not reducible")
    try:
        script = smtlibscript_from_formula(node, logic="ALL")
        out = StringIO()
        script.serialize(out, daggify=False)
        return out.getvalue()
    finally:
        pop_env()
