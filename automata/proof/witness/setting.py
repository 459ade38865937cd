"""A launch at numbers, as the machine takes it: sizes, arguments, and memory filled as is required of it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from automata.arithmetic import Value
from automata.lang.core import Array, Quantity
from automata.logic import terms as T
from automata.machine.numbers.values import Numbers
from automata.machine.state.fill import Fill, as_cells
from automata.machine.state.memory import Cells
from automata.machine.state.outcome import Setting
from automata.proof.known.concrete import extent, triple
from automata.proof.known.context import Context
from automata.proof.known.evaluation import value_of
from automata.proof.witness.filling import Filling, filling, never


def setting_at(context: Context, sizes: Mapping[str, int], fill: Fill,
               ranges: Mapping[str, tuple[int, int]] | None = None) -> Setting:
    """The launch at these sizes, with memory and whatever has no value yet filled, as is required of it. `ranges`: of array
    contents."""
    bounds = context.launch.ranges if ranges is None else ranges
    scalars: dict[str, Value] = {}
    for param in context.kernel.params:
        value = value_of(context.values[param.name], sizes)
        made_up = T.constant_value(context.values[param.name]) if param.type.is_float else value
        number = float(fill(param.name, np.zeros(1, np.int64))[0]) if made_up is None else made_up
        scalars[param.name] = param.type.round(float(number)) if param.type.is_float else int(number)
    extents: dict[str, int] = {name: max(size, 0) for name in context.launch.extents
                               if (size := value_of(extent(context, name), sizes)) is not None}

    kept = filled(context, sizes)

    def initial(array: Array, index: Numbers) -> Cells:
        values = fill(array.name, index)
        return as_cells(kept.values(array.name, index, values, {}) if kept else values, array.element, bounds.get(array.name))

    return Setting(triple(context, Quantity.GRID_DIM, sizes), triple(context, Quantity.BLOCK_DIM, sizes), scalars, {}, initial,
                   extents, kept.meets if kept else never if context.facts else None, kept.lengths if kept else {})


def filled(context: Context, sizes: Mapping[str, int]) -> Filling | None:
    """How memory is filled at some sizes so that it is as required; None where nothing is required of it."""
    return None if context.facts is None else filling(context.facts, sizes)
