"""What a loop carries that is the same for all lanes of a block, though each lane has it for itself: a carry, a maximum so far.

Input: a loop and a local that it carries. Output: whether all lanes hold one value of it in each round: all make the same rounds,
it begins alike, and a round makes it of what is alike: of numbers, elements at one index, a cell that all of them load, and other
such locals. Two locals that are made of each other are alike if both begin so, which is an induction on the rounds: so what is
being looked at is taken to be. Then it is solved for one lane, and not again for each.
"""

from __future__ import annotations

from equivalence.generic.lanes import Row
from equivalence.generic.values import CarriedKey, Cell, LoopRun, Made, Node


class Uniform:
    """Which carried locals are alike in all lanes; each is found once."""

    def __init__(self) -> None:
        self.known: dict[tuple[int, str], bool] = {}
        self.kept: list[LoopRun] = []

    def is_alike(self, loop: LoopRun, name: str) -> bool:
        """Whether a local that a loop carries is the same for all lanes, in each round."""
        key = id(loop), name
        if key not in self.known:
            self.kept.append(loop)
            self.known[key] = _Look().finds(loop, name)
        return self.known[key]


class _Look:
    """What has to be alike for one local to be so. `todo`: not looked at yet; `carried`: locals that are taken to be alike."""

    def __init__(self) -> None:
        self.todo: list[Node] = []
        self.carried: set[tuple[int, str]] = set()

    def finds(self, loop: LoopRun, name: str) -> bool:
        seen = set[int]()
        if not self.begins(loop, name):
            return False
        while self.todo:
            node = self.todo.pop()
            if id(node) not in seen:
                seen.add(id(node))
                if not self.is_made_of(node):
                    return False
        return True

    def begins(self, loop: LoopRun, name: CarriedKey) -> bool:
        """Whether all lanes make the same rounds of a loop, and what one carries may be alike: then its parts are looked at. A
        cell is one for all lanes that load it."""
        first, end = loop.first.get(name), loop.end.get(name)
        if not isinstance(name, str):
            return True
        if not _makes_same_rounds(loop) or not isinstance(first, Node) or not isinstance(end, Node):
            return False
        if (id(loop.end), name) not in self.carried:
            self.carried.add((id(loop.end), name))
            self.todo += [first, end]
        return True

    def is_made_of(self, node: Node) -> bool:
        """Whether a value is alike if some others are, which are added to those to look at."""
        match node.op:
            case "const" | "scalar":
                return True
            case "ints" | "truth":
                return _is_one(node.data)
            case "load":
                return _is_one(node.data[1])
            case "unary" | "binary" | "cast" | "bits" | "call" | "select":
                self.todo += node.args
                return True
            case "gather":
                cells: list[Cell | None] = list(node.data)
                return cells[0] is not None and all(cell == cells[0] for cell in cells)
            case "hole" | "out":
                loop, name = node.data
                return loop is not None and self.begins(loop, name)
            case "made":
                made: Made = node.data
                self.todo.append(made.value)
                return all(map(_is_one, made.numbers)) and all(map(_makes_same_rounds, made.rounds))
        return False


def _is_one(row: object) -> bool:
    return isinstance(row, Row) and row.is_one


def _makes_same_rounds(loop: LoopRun) -> bool:
    return loop.test.is_one and all(test.is_one for test in loop.later)
