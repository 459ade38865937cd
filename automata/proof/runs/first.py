"""The run that comes before the formulas: of a small launch, or of one block of many, with every branch on data taken both ways.

Input: a kernel and what is known of its launch. Output: what the run says of all data, or nothing where the launch leaves sizes
open that the run would need, or is large. The machine is loaded for a run, and not before.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

from automata.budget import Budget
from automata.lang.core import AXES, Barrier, Kernel, Quantity
from automata.lang.traverse import walk
from automata.logic import terms as T
from automata.proof.known.concrete import triple
from automata.proof.known.context import Context
from automata.proof.runs.effort import Effort

if TYPE_CHECKING:
    from automata.proof.runs.amplify import Amplified

FEW_THREADS, FEW_SECONDS = 1 << 14, 0.5
"""Of a launch that is run before formulas are asked; those decide whatever such a run leaves."""
ONE_BLOCK, BLOCK_SECONDS = Effort(8_000, 1 << 23), 2.0
"""Of a block that is run for all."""


@dataclass
class FirstRun:
    """The runs of one kernel, each made once. `effort`: what a run may take, None: there are none; `found`: what the run of the
    launch said, None if there was none; `of_block`: what one of a block said."""

    kernel: Kernel
    effort: Effort | None
    found: Amplified | None = None
    is_made: bool = False
    of_block: Amplified | None = None
    is_run: bool = False

    def settles(self, context: Context) -> bool:
        """Whether it proves that threads meet at barriers and that no accesses conflict."""
        if not self.is_made:
            self.found, self.is_made = self._of_launch(context), True
        return self.found is not None and self.found.holds

    @property
    def is_order_free(self) -> bool:
        """Whether it proves besides that no order of threads shows, nor anything that nobody has set."""
        return self.found is not None and self.found.holds and self.found.order_free

    def of_a_block(self, context: Context) -> Amplified | None:
        """What a run of one block proves of the barriers and the shared memory of all; None where it proves nothing. The block's
        sizes have to be known, and nothing else."""
        if not self.is_run:
            self.of_block, self.is_run = self._of_block(context), True
        return self.of_block if self.of_block is not None and self.of_block.holds else None

    def _of_block(self, context: Context) -> Amplified | None:
        if self.effort is None or any(T.constant_value(context.size(Quantity.BLOCK_DIM, axis)) is None for axis in AXES):
            return None
        barriers = [stmt for stmt in walk(self.kernel.body) if isinstance(stmt, Barrier)]
        if not barriers or any(barrier.scope == "grid" for barrier in barriers):
            return None
        sizes = {str(term): 1 for term in context.symbols()}
        if prod(triple(context, Quantity.BLOCK_DIM, sizes)) > FEW_THREADS:
            return None
        free = frozenset(param.name for param in self.kernel.params if T.constant_value(context.values[param.name]) is None)
        return _run(self.kernel, context, sizes, free, context.budget.within(BLOCK_SECONDS), ONE_BLOCK, of_all_blocks=True)

    def _of_launch(self, context: Context) -> Amplified | None:
        if self.effort is None or context.symbols():
            return None
        if prod((*triple(context, Quantity.GRID_DIM, {}), *triple(context, Quantity.BLOCK_DIM, {}))) > FEW_THREADS:
            return None
        return _run(self.kernel, context, {}, context.free(), context.budget.within(FEW_SECONDS), self.effort)


def _run(kernel: Kernel, context: Context, sizes: Mapping[str, int], free: frozenset[str], budget: Budget, effort: Effort, *,
         of_all_blocks: bool = False) -> Amplified:
    """A run at some sizes; the door to the machine. `free`: scalar parameters to be taken for data."""
    from automata.machine.state.fill import constant
    from automata.proof.runs.amplify import amplify, amplify_block
    from automata.proof.witness.setting import setting_at

    run = amplify_block if of_all_blocks else amplify
    return run(kernel, setting_at(context, sizes, constant(1.0)), free, budget, effort)
