"""Whether a finding that hangs on numbers which nobody knows shows at whatever numbers are tried.

Input: a finding that a run has shown, and the parameters that it hangs on; none of what memory holds. Output: from which numbers
on it shows, where that is so: each parameter alone is taken from one upwards, as far as runs go, the others no small numbers; it
has to show from a small one on, and at all numbers drawn together from there. Numbers are of all kinds: odd and even, powers of
two and next to them, primes. What shows for multiples of 32 alone, below a bound, or where one number is less than another, does
not. It is a sample, not a proof, of the numbers that a program may pass; that it shows is a run each time.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import replace
from math import prod

from automata.budget import Budget
from automata.lang.launch import Launch
from automata.machine.running.run import Options, Program
from automata.machine.state.fill import drawn_from
from automata.machine.state.outcome import Triple
from automata.machine.state.watch import FEW_LOOKS
from automata.place import EndlessError, InputError, UndecidedError
from automata.proof.known.concrete import Requirements, derived_symbols
from automata.proof.known.context import Context
from automata.proof.known.evaluation import Evaluation
from automata.proof.witness.observed import observed
from automata.proof.witness.pixels import values_of
from automata.proof.witness.setting import setting_at
from automata.thread.automaton import Automaton
from automata.verdict import Finding

RISING = (1, 2, 3, 4, 7, 8, 31, 32, 33, 64, 75, 100, 127, 200, 256, 999, 1000, 4099)
OTHERS = (100, 256, 1000, 1024, 2053, 4096, 33)
MOST_NAMES, MOST_THREADS, DRAWS, LEAST_DRAWN, ENOUGH = 4, 1 << 14, 40, 6, 8
LATEST, FAR = 64, 127
"""A finding that does not show below `LATEST` is still one; a block is seldom smaller. It has to show at `FAR` or beyond."""
MAX_ROUNDS, MAX_ACCESSES = 5_000, 300_000
_FILL = drawn_from(tuple(map(float, range(16))))


class Everywhere:
    """Runs of one kernel at one launch."""

    def __init__(self, context: Context, automaton: Automaton, budget: Budget) -> None:
        self.context, self.budget = context, budget
        self.program = Program(automaton, values_of(automaton))
        self.required = Requirements((context,))
        self.derived = {name: Evaluation(term) for name, term in derived_symbols((context,)).items()}
        self.options = Options(max_rounds=MAX_ROUNDS, max_accesses=MAX_ACCESSES, budget=budget, looks=FEW_LOOKS)

    def since(self, finding: Finding, names: Iterable[str]) -> dict[str, int] | None:
        """From which numbers on a finding shows; None where it does not show at all that were tried."""
        wanted = sorted(names)
        if not 0 < len(wanted) <= MOST_NAMES or not set(wanted) <= finding.sizes.keys() - self.derived.keys():
            return None
        base = next((sizes for number in OTHERS if self._shows(sizes := dict.fromkeys(wanted, number), finding)), None)
        if base is None:
            return None
        first = {name: self._first(finding, base, name) for name in wanted}
        if any(number is None for number in first.values()):
            return None
        found = {name: number for name, number in first.items() if number is not None}
        return found if self._is_drawn(finding, found) else None

    def _first(self, finding: Finding, base: Mapping[str, int], name: str) -> int | None:
        """The number from which on it shows, the others as they are; None where there is none that is small."""
        shown: list[tuple[int, bool]] = []
        for number in RISING:
            shows = self._shows({**base, name: number}, finding)
            if shows is None and number > FAR:
                break
            if shows is not None:
                shown.append((number, shows))
        later = [number for number, shows in shown if not shows]
        first = next((number for number, shows in shown if shows and (not later or number > later[-1])), None)
        return first if first is not None and first <= LATEST and shown[-1][0] >= FAR and shown[-1][1] else None

    def _is_drawn(self, finding: Finding, first: Mapping[str, int]) -> bool:
        """Whether it shows at all numbers that are drawn together."""
        chance, count = random.Random(1), 0
        for _ in range(DRAWS):
            sizes = {name: chance.choice([number for number in RISING if number >= least]) for name, least in first.items()}
            shows = self._shows(sizes, finding)
            if shows is False:
                return False
            count += shows is True
            if count == ENOUGH:
                break
        return count >= LEAST_DRAWN

    def _shows(self, numbers: Mapping[str, int], finding: Finding) -> bool | None:
        """Whether a run at some numbers shows a finding; None where the launch does not admit them, it is too large, or
        it has conflicts whose places it does not name."""
        sizes = {**finding.sizes, **numbers}
        for name in self.derived:
            sizes.pop(name, None)
        for _ in self.derived:
            sizes |= {name: value for name, each in self.derived.items()
                      if name not in sizes and (value := each.at(sizes)) is not None}
        if self.budget.is_spent or not self.required.hold(sizes):
            return None
        setting = setting_at(self.context, sizes, _FILL)
        blocks = self._blocks(finding, setting.grid)
        if (prod(setting.grid) if blocks is None else len(blocks)) * setting.threads > MOST_THREADS:
            return None
        try:
            outcome = self.program.run(setting, replace(self.options, blocks=blocks))
        except (EndlessError, InputError, UndecidedError):
            return None
        places = {spot.place for spot in finding.spots}
        if any(each.rule == finding.rule and {spot.place for spot in each.spots} == places for each in observed(outcome)):
            return True
        return None if outcome.unexplained else False

    def _blocks(self, finding: Finding, grid: Triple) -> tuple[Triple, ...] | None:
        """The blocks of a finding, where they are there and wait for no others."""
        blocks = tuple(dict.fromkeys(spot.actor.block for spot in finding.spots if spot.actor is not None))
        is_there = all(at < size for block in blocks for at, size in zip(block, grid, strict=True))
        return blocks if blocks and is_there and not self.program.has_grid_barriers else None


def is_tried(finding: Finding, launch: Launch, names: Iterable[str]) -> bool:
    """Whether other numbers are worth a try: parameters, not sizes that the text does not tell."""
    return not set(names) & set(launch.untold) and all(size >= 0 for size in finding.sizes.values())
