"""What a finding hangs on of all that a launch leaves open: arguments and sizes without a value, and what memory holds.

Input: a kernel, a launch, a finding that a run has shown. Output: the names that may decide whether it happens. The dependence
analysis (`automata.thread.flow`) says what may influence where the accesses of the finding go and whether they are reached, and,
for what happens in one block, whether its barriers are. That nobody has written a cell hangs on all writes of its array and,
where others may have, on the barriers before it. That nobody has set a value which is stored hangs on the tests that choose
between what was set and what was not (`Flow.unset`), and on no contents that it is added to. That threads or blocks are there at
all hangs on the sizes. What hangs on nothing happens at every launch that is like this one. It is an over-approximation: a name
may be there that does not matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from automata.lang.core import (
    AXES,
    Assign,
    Atomic,
    Collective,
    Expr,
    Havoc,
    Kernel,
    Load,
    Quantity,
    Select,
    Space,
    Var,
)
from automata.lang.launch import Launch
from automata.lang.traverse import expressions, walk, within
from automata.logic import terms as T
from automata.logic.terms import Role, Symbol, Term
from automata.proof.known.concrete import derived_symbols
from automata.proof.known.context import Context, known_numbers, prepare
from automata.proof.known.evaluation import Evaluation
from automata.rewriting.lower import lower_for_runs
from automata.thread.build import build
from automata.thread.flow import Sink, Source, flow
from automata.verdict import Finding, Spot

REACHED_ONLY = frozenset({"barrier-divergence"})
"""Rules that speak of whether a place is reached, and of nothing that happens there but which lanes a mask names."""
SPOTTED = frozenset({"race", "same-value-write", "atomic-order", "out-of-bounds", "null-pointer", "const-write",
                     "uninitialised-read", "misaligned", *REACHED_ONLY})
"""Rules whose places are accesses and barriers; of others all that the kernel does counts."""
LANES = "asks a lane"
"""What a lane does at a place that asks for one which is not there: that hangs on the sizes of the block."""


@dataclass(frozen=True, slots=True)
class Hanging:
    """Names of parameters, of sizes as `gridDim.x`, and of values of the host; and of arrays whose contents matter."""

    values: frozenset[str] = frozenset()
    contents: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.values or self.contents)


class Open:
    """What a launch of a kernel leaves open. UndecidedError, InputError where the kernel cannot be followed."""

    def __init__(self, kernel: Kernel, launch: Launch) -> None:
        self.context = context = prepare(kernel, launch)
        self.automaton = build(lower_for_runs(kernel, known_numbers(context)))
        self.flow = flow(self.automaton)
        self.sinks = self.flow.sinks
        self.values = _open_values(context)
        self.seen_by_all = {array.name for array in self.automaton.kernel.arrays if array.space is not Space.PRIVATE}
        self.contents = {array.name for array in self.automaton.kernel.arrays
                         if array.space is Space.GLOBAL and array.content is None}

    def of(self, finding: Finding) -> Hanging:
        """What a finding hangs on."""
        sources = set(self._sources(finding))
        names = {name for source in sources for name in self.values.get(source.name, ()) if source.kind in ("scalar", "size")}
        names |= {name for spot in finding.spots for name in self._there(spot)}
        if any(spot.access == LANES for spot in finding.spots):
            names |= {name for axis in AXES for name in self.values.get(f"{Quantity.BLOCK_DIM.value}.{axis}", ())}
        return Hanging(frozenset(names), frozenset({source.name for source in sources if source.kind == "array"} & self.contents))

    def computed(self, given: frozenset[str], sizes: Mapping[str, int]) -> frozenset[str]:
        """Names, and those that have one value at some sizes where these have theirs: a requirement says it, in the one of its
        cases that holds there."""
        found, size = set(given), -1
        while size < len(found):
            size = len(found)
            for cases in map(_cases, self.context.required):
                left = [case for case in cases if Evaluation(case).at(sizes) != 0]
                for one, other in _sides(left[0]) if len(left) == 1 else ():
                    found |= {str(one)} if one.op == "sym" and found.issuperset(Evaluation(other).names) else set()
        return frozenset(found)

    def _sources(self, finding: Finding) -> Iterator[Source]:
        for sink in self._sinks(finding):
            yield from sink.guard
            if finding.rule not in REACHED_ONLY or sink.what in ("barrier", "collective"):
                yield from sink.index
        if finding.rule == "uninitialised-read" and not any(spot.access == LANES for spot in finding.spots):
            yield from self._unset(finding)

    def _sinks(self, finding: Finding) -> Iterable[Sink]:
        places = {spot.place for spot in finding.spots}
        here = [sink for sink in self.sinks if sink.place in places and sink.what != "value"]
        if any(spot.access == LANES for spot in finding.spots) and not _chooses_by_data(self.automaton.kernel):
            return [sink for sink in self.sinks if sink.what != "value"]
        if finding.rule not in SPOTTED or not places <= {sink.place for sink in here}:
            return self.sinks
        if finding.rule == "uninitialised-read":
            writes = self._writes(finding.array)
            before = self._barriers() if writes and finding.array in self.seen_by_all else []
            return [*here, *writes, *before, *self._shown(finding.array)]
        if len({spot.actor.block for spot in finding.spots if spot.actor is not None}) < 2:
            here += self._barriers()
        return here

    def _barriers(self) -> list[Sink]:
        """What decides which writes of others come before a read."""
        return [sink for sink in self.sinks if sink.what == "barrier"]

    def _writes(self, array: str | None) -> list[Sink]:
        """What might have written a cell before it was read."""
        return [sink for sink in self.sinks if sink.array == array and sink.what in ("write", "atomic", "copy_write")]

    def _shown(self, array: str | None) -> tuple[Sink, ...]:
        """The write that a value which nobody set may reach, and which hangs on the fewest things; all sinks if there is none."""
        lost = {sink.place for sink in self.sinks if sink.what == "value" and any(
            source.kind == "undefined" and array in (None, source.name) for source in sink.index)}
        found = [sink for sink in self.sinks if sink.place in lost and sink.what != "value"]
        return (min(found, key=_open_sources),) if found else self.sinks

    def _unset(self, finding: Finding) -> frozenset[Source]:
        """What may decide whether a value that nobody set gets where it shows: the store at the finding's place, or at the
        write it may reach that hangs on the fewest things."""
        places = {spot.place for spot in finding.spots}
        each = [self.flow.unset(sink, finding.array) for sink in self.sinks if sink.what == "value"]
        here = [self.flow.unset(sink, finding.array) for sink in self.sinks if sink.what == "value" and sink.place in places]
        found = [sources for sources in here or each if sources]
        return min(found, key=_open_kinds, default=frozenset())

    def _there(self, spot: Spot) -> Iterator[str]:
        """The sizes on which it hangs that a thread is there."""
        if spot.actor is None:
            return
        for quantity, at in (Quantity.GRID_DIM, spot.actor.block), (Quantity.BLOCK_DIM, spot.actor.thread):
            for axis, coordinate in zip(AXES, at, strict=True):
                if coordinate:
                    yield from self.values.get(f"{quantity.value}.{axis}", ())


def _chooses_by_data(kernel: Kernel) -> bool:
    """Whether a value is chosen by what memory holds, or other threads hand on."""
    data, size = set[str](), -1

    def is_data(expr: Expr) -> bool:
        return any(isinstance(part, Load) or (isinstance(part, Var) and part.name in data) for part in within(expr))

    while size < len(data):
        size = len(data)
        for stmt in walk(kernel.body):
            match stmt:
                case Assign(name=name) if any(map(is_data, expressions(stmt))):
                    data.add(name)
                case Havoc(name=name) | Atomic(result=str(name)) | Collective(result=name):
                    data.add(name)
    return any(isinstance(part, Select) and is_data(part.test)
               for stmt in walk(kernel.body) for expr in expressions(stmt) for part in within(expr))


def _sides(term: Term) -> tuple[tuple[Term, Term], ...]:
    """Each side of an equation, without a conversion, and the other one."""
    if term.op != "==":
        return ()
    one, other = term.args
    return tuple((mine.args[0] if mine.op == "cast" else mine, its) for mine, its in ((one, other), (other, one)))


def _cases(term: Term) -> list[Term]:
    """The parts of `a || b`."""
    return [each for part in term.args for each in _cases(part)] if term.op == "||" else [term]


def _open_sources(sink: Sink) -> int:
    return _open_kinds(sink.guard)


def _open_kinds(sources: frozenset[Source]) -> int:
    return sum(source.kind in ("scalar", "size", "array") for source in sources)


def _open_values(context: Context) -> dict[str, frozenset[str]]:
    """For each parameter and size that has no value: the names that it hangs on."""
    derived = derived_symbols((context,))
    sizes = {f"{quantity.value}.{axis}": context.size(quantity, axis)
             for quantity in (Quantity.BLOCK_DIM, Quantity.GRID_DIM) for axis in AXES}
    terms = {**{param.name: context.values[param.name] for param in context.kernel.params}, **sizes}
    return {name: _names(term, derived, frozenset()) for name, term in terms.items() if T.constant_value(term) is None}


def _names(term: Term, derived: dict[str, Term], seen: frozenset[str]) -> frozenset[str]:
    """The free symbols of a term; of one that a requirement fixes, those of what it is fixed to."""
    found: set[str] = set()
    for node in T.subterms(term):
        if node.op == "sym" and isinstance(node.data, Symbol) and node.roles == Role.NONE:
            name = str(node)
            if name in derived and name not in seen:
                found |= _names(derived[name], derived, seen | {name})
            elif name not in seen:
                found.add(name)
    return frozenset(found or ({str(term)} if T.constant_value(term) is None and not seen else set()))
