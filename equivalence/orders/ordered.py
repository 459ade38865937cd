"""Symbols that know the laws of an order: a domain that looks at each choice again.

Input: what `Symbols` makes of comparisons, choices, minima and maxima. Output: the same, but where `Orders` knows what a value
is, the one symbol of all values that are the same function of the order. All else is as in `Symbols`, on whose symbols it rests:
they are the leaves. It looks at lanes one by one, so it is asked only where the faster readings leave an output open.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from automata.machine.numbers.values import Lanes, Numbers
from automata.machine.state.memory import Cells
from automata.machine.symbols.domain import Compared
from automata.scalar import BOOL, F64, Scalar
from equivalence.domains.field import INF, Reading, Value, rows
from equivalence.domains.symbols import Symbols
from equivalence.orders.compared import Test
from equivalence.orders.inputs import Inputs
from equivalence.orders.orders import Orders

ARITHMETIC = frozenset({"+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"})
LOGIC = {"&&": "&&", "||": "||", "&": "&&", "|": "||", "^": "^"}


class Ordered(Symbols):
    """The domain of a reading, with the laws of an order. `orders`: what both sides know."""

    def __init__(self, reading: Reading, side: str, seed: int, orders: Orders) -> None:
        super().__init__(reading, side, seed)
        self.orders = orders
        orders.comparisons.truths = {self.rows_of(self.number(value))[0][:16]: bool(value) for value in (0, 1)}

    # -- what is noted ----------------------------------------------------------------------------

    def lift(self, number: Lanes, kind: Scalar) -> Lanes:
        made = super().lift(number, kind)
        flat = np.ascontiguousarray(number).reshape(-1)
        if kind != BOOL and self.rings(kind):
            values, first = np.unique(flat, return_index=True)
            words = self.words(made)[first]
            for value, row, at in zip(values.tolist(), self.rows_of(words), self.finite(words), strict=True):
                if at:
                    self.orders.numbers.setdefault(row[:16], value)
                    self.orders.rows.setdefault(row[:16], row)
        return made

    def input(self, name: str, index: Numbers) -> Cells:
        made = super().input(name, index)
        places = np.ascontiguousarray(index).reshape(-1)
        self.orders.inputs.setdefault(name, Inputs()).add(self.pairs(self.words(made))[:, 0].copy(), places)
        return made

    def compared(self, op: str, one: Value, two: Value, kind: Scalar) -> Value:
        made = super().compared(op, one, two, kind)
        if op in ("<", "==") and self.rings(kind) and kind != BOOL:
            name = self.orders.lattice(kind)
            for test, left, right in self.each(made, one, two):
                self.note(test, Test(op, (left[:16], right[:16]), name))
            if op == "==" and kind.is_int:
                made = self.of_truths(made, one, two)
        return made

    def of_truths(self, made: Value, one: Value, two: Value) -> Value:
        """Where a test is compared with 0 or 1: that test, or its opposite."""
        known = self.orders.comparisons
        for test, truth in ((one, two), (two, one)):
            turned = Symbols.opposite(self, test)
            rows_ = zip(*(self.rows_of(rows(words, len(made))) for words in (test, truth)), strict=True)
            which = [row[:16] in known.tests and value[:16] in known.truths for row, value in rows_]
            if any(which):
                self.note_opposite(turned, test)
                holds = np.array([known.truths.get(row[:16], False) for row in self.rows_of(rows(truth, len(made)))])
                said = np.where(holds[:, None], rows(test, len(made)), rows(turned, len(made)))
                made = np.where(np.array(which)[:, None], said, made)
        return made

    def opposite(self, test: Value) -> Value:
        made = super().opposite(test)
        self.note_opposite(made, test)
        return made

    def note_opposite(self, made: Value, test: Value) -> None:
        for turned, part in self.each(made, test):
            self.note(turned, Test("!", (part[:16],)))

    def operation(self, op: str, one: Value, two: Value, kind: Scalar) -> Value:
        made = super().operation(op, one, two, kind)
        if kind != BOOL and op in ARITHMETIC:
            self.made_of(made, one, two)
        if op in LOGIC and (kind == BOOL or op in ("&&", "||")):
            for both, left, right in self.each(made, one, two):
                self.note(both, Test(LOGIC[op], (left[:16], right[:16])))
        if op == "==" and kind == BOOL:
            self.note_opposite(made, self.operation("^", one, two, kind))
        return made

    def unary(self, op: str, arg: Lanes, kind: Scalar) -> Lanes:
        made = super().unary(op, arg, kind)
        if op != "!":
            self.made_of(self.words(made), self.words(arg))
        return made

    def cast(self, arg: Lanes, source: Scalar, target: Scalar) -> Lanes:
        made = super().cast(arg, source, target)
        if target != BOOL:
            self.made_of(self.words(made), self.words(arg))
        return made

    def call(self, function: str, args: Sequence[Lanes], kinds: Sequence[Scalar], result: Scalar) -> Lanes:
        made = super().call(function, args, kinds, result)
        self.made_of(self.words(made), *map(self.words, args))
        return made

    def made_of(self, made: Value, *operands: Value) -> None:
        """Note what values are computed from."""
        for row, *parts in self.each(made, *operands):
            if row not in parts:
                self.orders.origins.setdefault(row[:16], tuple(part[:16] for part in parts))

    def note(self, row: bytes, test: Test) -> None:
        self.orders.comparisons.note(row[:16], test)

    # -- what is known ----------------------------------------------------------------------------

    def select(self, test: Lanes, then: Lanes, other: Lanes, compared: Compared | None, kind: Scalar) -> Lanes:
        made = self.words(super().select(test, then, other, compared, kind))
        if kind == BOOL:
            return self.value(made, test, then, other)

        def known(row: bytes, *parts: bytes) -> bytes | None:
            condition, one, two = (part[:16] for part in parts)
            if row[:16] in (one, two):
                return None
            return self.orders.choice(condition, one, two, kind, row)
        return self.value(self.again(known, made, *map(self.words, (test, then, other))), test, then, other)

    def maximum(self, one: Value, two: Value) -> Value:
        return self.extreme(super().maximum(one, two), one, two, F64, is_max=True)

    def minimum(self, one: Value, two: Value) -> Value:
        negated = [self.words(self.unary("-", self.value(words, words), F64)) for words in (one, two)]
        largest = super().maximum(*negated)
        return self.extreme(self.words(self.unary("-", self.value(largest, largest), F64)), one, two, F64, is_max=False)

    def extreme(self, made: Value, one: Value, two: Value, kind: Scalar, *, is_max: bool) -> Value:
        def known(row: bytes, left: bytes, right: bytes) -> bytes:
            return self.orders.extreme(kind, left[:16], right[:16], row, is_max=is_max)
        return self.again(known, made, one, two)

    # -- lane by lane -----------------------------------------------------------------------------

    def again(self, known: Callable[..., bytes | None], made: Value, *operands: Value) -> Value:
        """Values with those put in that are known."""
        found = made.copy()
        count = len(made)
        parts = [rows(words, count) for words in operands]
        finite = np.logical_and.reduce([self.finite(words) for words in (made, *parts)])
        memo: dict[tuple[bytes, ...], bytes | None] = {}
        lines = zip(*(self.rows_of(words) for words in (made, *parts)), strict=True)
        for at, line in enumerate(lines):
            if not finite[at]:
                continue
            if line not in memo:
                for row in line[1:]:
                    self.orders.rows.setdefault(row[:16], row)
                memo[line] = known(*line)
            row = memo[line]
            if row is not None:
                found[at] = np.frombuffer(row, np.uint32)
        return found

    def each(self, made: Value, *operands: Value) -> Iterator[tuple[bytes, ...]]:
        """The rows of a result and its operands, those that differ, where all are finite; they are kept."""
        count = len(made)
        parts = [made, *(rows(words, count) for words in operands)]
        finite = np.logical_and.reduce([self.finite(words) for words in parts])
        for line in dict.fromkeys(zip(*(self.rows_of(words[finite]) for words in parts), strict=True)):
            self.orders.work.step()
            for row in line:
                self.orders.rows.setdefault(row[:16], row)
            yield line

    def rows_of(self, words: Value) -> list[bytes]:
        """The rows of words, as texts of bytes."""
        size = 4 * self.width
        text = np.ascontiguousarray(words).tobytes()
        return [text[at:at + size] for at in range(0, len(text), size)]

    def finite(self, words: Value) -> npt.NDArray[np.bool_]:
        """Where values are no infinity and not undefined."""
        found: npt.NDArray[np.bool_] = words[:, 0] < INF
        return found
