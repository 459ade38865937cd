"""What is required of the contents of arrays, as facts about the elements that a query speaks of.

A requirement holds for every index. A query speaks of few elements: those that threads read. So each requirement is
instantiated at the reads of initial contents that a formula reaches: `targets[i] < V` at each read of `targets`,
`row[i] <= row[i + 1]` at pairs of reads that are one apart, `sorted(a)` and `distinct(a)` at all pairs. An instance holds only
where the reads are made: what is not read may lie outside of the array, where a requirement says nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, islice, product

from automata.lang.contents import Contents, Element
from automata.logic import poly as P
from automata.logic import terms as T
from automata.logic.arith import ANY, Encoder
from automata.logic.atom import Atom
from automata.logic.poly import Formula, Poly
from automata.logic.terms import Owner, Term, Version
from automata.logic.views import View, atom_of
from automata.proof.known.footprint import Footprint
from automata.proof.known.launching import evaluate
from automata.scalar import I64

_Read = tuple[Atom, Poly, Formula]
"""An element that is read, where, and when."""
NEIGHBOURS = 1_000_001, 1_000_002
MOST_INSTANCES = 64
"""Of one requirement, for one query."""


def read_guards(footprint: Footprint) -> dict[Term, Term]:
    """Of each value that is read from initial contents, when some thread reads it."""
    found: dict[Term, Term] = {}
    for access in footprint.accesses:
        version = access.value.data
        if access.kind == "read" and isinstance(version, Version) and version.owner is Owner.LAUNCH:
            found[access.value] = T.disjunction(found.get(access.value, T.FALSE), access.guard)
    return found


class Facts:
    """Instances of requirements. `values`: of sizes and parameters; `guards`: when reads are made, once that is known."""

    def __init__(self, required: list[Contents], values: Mapping[str, Term]) -> None:
        self.required = required
        self.guards: Mapping[Term, Term] = {}
        self.rules = [(each, self.offsets(each, values), *self.test(each, values)) for each in required]

    @staticmethod
    def offsets(each: Contents, values: Mapping[str, Term]) -> list[Term]:
        return [evaluate(element.offset, values) for element in each.elements]

    @staticmethod
    def test(each: Contents, values: Mapping[str, Term]) -> tuple[Term, list[Term]]:
        """The test of one requirement, and the symbols in it that stand for elements."""
        if each.test is None:
            return T.TRUE, []
        slots = [T.symbol(slot.name, slot.type, Owner.THREAD) for slot in each.slots]
        named = {slot.name: term for slot, term in zip(each.slots, slots, strict=True)}
        return evaluate(each.test, {**values, **named}), slots

    def __call__(self, encoder: Encoder, seen: set[Atom]) -> Iterator[Formula]:
        """What is required of the elements among some atoms."""
        reads: dict[str, list[_Read]] = {}
        for name in sorted(seen & encoder.origins.keys()):
            term, view = encoder.origins[name]
            application = encoder.applications.get(name)
            if term in self.guards and not view.is_inverse and application is not None and len(application.args) == 1:
                made = encoder.truth(self.guards[term], view)
                reads.setdefault(application.function.array, []).append((name, application.args[0], made))
        for number, (each, offsets, test, slots) in enumerate(self.rules):
            groups = [reads.get(element.array, []) for element in each.elements]
            choices = product(*groups) if each.kind == "each" else combinations(groups[0], 2)
            for chosen in islice(choices, MOST_INSTANCES):
                key = number, *(name for name, _, _ in chosen)
                if key not in encoder.instances:
                    encoder.instances[key] = (self.instance(encoder, each.elements, offsets, test, slots, chosen)
                                              if each.kind == "each" else _of_two(each.kind == "sorted", *chosen))
                if encoder.instances[key] != P.TRUE:
                    yield encoder.instances[key]

    def of_neighbours(self, encoder: Encoder) -> list[Formula]:
        """What is required of two elements next to each other, of each array: whether there are such contents at all."""
        names = {element.array: slot.type for each in self.required
                 for element, slot in zip(each.elements, each.slots, strict=False)}
        kept, self.guards = self.guards, {}
        terms = [T.read(Version(name, Owner.LAUNCH, "initial"), (T.const(at, I64),), kind)
                 for name, kind in sorted(names.items()) for at in NEIGHBOURS]
        self.guards = dict.fromkeys(terms, T.TRUE)
        seen = {name for term in terms for name in encoder.number(term, ANY).atoms()}
        found = list(self(encoder, seen))
        self.guards = kept
        return found

    @staticmethod
    def instance(encoder: Encoder, elements: tuple[Element, ...], offsets: list[Term], test: Term, slots: list[Term],
                 chosen: Sequence[_Read]) -> Formula:
        """A test at one choice of reads for its elements, where those lie as far apart as it says."""
        where: list[Formula] = []
        base: Poly | None = None
        for element, offset, (_, index, made) in zip(elements, offsets, chosen, strict=True):
            at = index - encoder.number(offset, ANY)
            if not element.is_moving:
                where.append(P.eq(at, Poly.number(0)))
            elif base is None:
                base = at
            else:
                where.append(P.eq(at, base))
            where.append(made)
        if P.conj(where) == P.FALSE:
            return P.TRUE
        view = View(f"element{encoder.fresh()}", "element")
        for slot, (name, _, _) in zip(slots, chosen, strict=True):
            encoder.bindings[atom_of(slot, view)] = Poly.atom(name)
        return P.implies(P.conj(where), encoder.truth(test, view))


def _of_two(is_sorted: bool, one: _Read, two: _Read) -> Formula:
    """Two elements of an array that is in order, or of which no two are equal."""
    (first, at, made), (second, other, too) = one, two
    left, right, both = Poly.atom(first), Poly.atom(second), P.conj((made, too))
    if not is_sorted:
        return P.implies(both, P.disj((P.eq(at, other), P.neg(P.eq(left, right)))))
    return P.implies(both, P.conj((P.implies(P.le(at, other), P.le(left, right)), P.implies(P.le(other, at), P.le(right, left)))))
