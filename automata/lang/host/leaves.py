"""The leaves of a launch by name: those that are arguments by their number, others as variables of the host, in the order in
which they come."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from automata.lang.host.held import Held
from automata.lang.host.inputs import Inputs
from automata.lang.host.looking import Leaf
from automata.lang.host.numbers import Number
from automata.lang.host.opencl import OPENCL_NAME
from automata.lang.host.rounds import passes_each
from automata.lang.host.stated import HostLaunch, SymbolicSizes
from automata.lang.host.symbolic import Relation, Sizes, Symbolic, Value, undoubted
from automata.lang.host.values import Evaluator
from automata.place import Place

LEAF = re.compile(r"\{s(\d+)\}")


def stated(words: list[str], template: tuple[str, ...] | None, sizes: list[Sizes], shared: int | None, args: list[Value | None],
            facts: list[Relation], evaluator: Evaluator, place: Place, filled: Iterable[Held] = ()) -> HostLaunch:
    """A launch with its leaves named: those that are arguments by their number."""
    said = [part for each in sizes for part in each.parts if isinstance(part, Symbolic)]
    args = undoubted(args, said)
    said += [arg for arg in args if isinstance(arg, Symbolic)]
    facts = bearing(facts, {leaf for part in said for leaf in LEAF.findall(part.text)})
    names = _Names(evaluator)
    types = tuple(names.argument(at, arg) for at, arg in enumerate(args))
    grid, block = names.sizes(sizes[0]), names.sizes(sizes[1])
    given = tuple(names.of(arg.text) if isinstance(arg, Symbolic) else None for arg in args)
    tests = tuple(dict.fromkeys(names.of(fact.text) for fact in facts))
    needs: dict[str, tuple[str, ...]] = {}
    for text, each in [*((part.text, part.needs) for part in said), *((fact.text, fact.needs) for fact in facts)]:
        if each:
            needs[names.of(text)] = tuple(dict.fromkeys([*needs.get(names.of(text), ()), *map(names.of, each)]))
    inputs = names.free(names.inputs())
    held = tuple(replace(each, tests=tuple(map(names.of, each.tests))) for each in filled)
    return HostLaunch(words[-1].removeprefix(OPENCL_NAME), "::".join(words), template, grid, block, shared,
                      tuple(arg.value if isinstance(arg, Number) else None for arg in args), place, types, tuple(needs.items()),
                      given, tests, tuple((leaf.name, leaf.kind) for leaf in names.of_host), inputs=inputs,
                      rounds=names.rounds(inputs), filled=held)


class _Names:
    """Names for the leaves in a launch's texts: arguments go by their number, others by one of the host's, as they come."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.leaves = {f"s{leaf.number}": leaf for leaf in evaluator.leaves.values()}
        self.names: dict[str, str] = {}
        self.of_host: list[Leaf] = []

    def argument(self, at: int, arg: Value | None) -> Number | None:
        """Name an argument that is a leaf; its type."""
        leaf = self.leaves.get(arg.text[1:-1]) if isinstance(arg, Symbolic) else None
        if leaf is None:
            return None
        self.names.setdefault(f"s{leaf.number}", str(at))
        return leaf.kind

    def of(self, text: str) -> str:
        """A text with its leaves named."""
        for number in LEAF.findall(text):
            if f"s{number}" not in self.names:
                self.names[f"s{number}"] = f"h{len(self.of_host)}"
                self.of_host.append(self.leaves[f"s{number}"])
        return LEAF.sub(lambda found: f"{{{self.names['s' + found[1]]}}}", text)

    def sizes(self, sizes: Sizes) -> SymbolicSizes:
        x, y, z = (self.of(part.text) if isinstance(part, Symbolic) else None if part is None else int(part.value)
                   for part in sizes.parts)
        return x, y, z

    def inputs(self) -> frozenset[str]:
        """The names of leaves that the command line gives."""
        inputs = Inputs(self.evaluator)
        return frozenset(self.names[f"s{leaf.number}"] for leaf in self.leaves.values()
                         if f"s{leaf.number}" in self.names and leaf.word and inputs.hold(leaf.word))

    def free(self, inputs: frozenset[str]) -> frozenset[str]:
        """Those that may be any number at the launch: no test on the way ties them to what the program gets elsewhere. With which
        of them `if (n != tune()) return;` lets it come to the launch is not known. What others are computed from them may be
        tested: the launch states it."""
        texts = {self.names[key]: leaf.text for key, leaf in self.leaves.items() if key in self.names}
        tests = [set(map("{{s{}}}".format, LEAF.findall(note.text))) for note in self.evaluator.notes]
        while True:
            known = {texts[name] for name in (*inputs, *self.rounds(inputs))}
            while more := {leaf for leaf, of in self.evaluator.made.items() if leaf not in known and of <= known}:
                known |= more
            tied = set[str]().union(*(test for test in tests if not test <= known))
            while more := set[str]().union(*(self.evaluator.made.get(leaf, ()) for leaf in tied)) - tied:
                tied |= more
            left = frozenset(name for name in inputs if texts[name] not in tied)
            if left == inputs:
                return inputs
            inputs = left

    def rounds(self, inputs: frozenset[str]) -> frozenset[str]:
        """The names of leaves that a loop counts through, so that the launch is made with each of their numbers."""
        given = frozenset(leaf.text for leaf in self.leaves.values() if self.names.get(f"s{leaf.number}") in inputs)
        found = [self.evaluator.leaves[key] for key, variable in self.evaluator.stands_for.items()
                 if not key[2] and passes_each(self.evaluator, variable, given)]
        return frozenset(self.names[f"s{leaf.number}"] for leaf in found if f"s{leaf.number}" in self.names)


def bearing(facts: list[Relation], leaves: set[str]) -> list[Relation]:
    """The tests that say something of leaves, or of others that those are tied to."""
    left, found = facts, list[Relation]()
    while True:
        near = [fact for fact in left if leaves & set(LEAF.findall(fact.text))]
        if not near:
            return found
        found += near
        left = [fact for fact in left if fact not in near]
        leaves = leaves | {leaf for fact in near for leaf in LEAF.findall(fact.text)}
