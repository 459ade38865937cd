"""Two kernels whose outputs are related, not the same: at a launch by runs on symbols, else by proofs for all sizes.

Input: a pair with its launches, and relations in b's own names (`relation`). Output: the report on them. No other way to show
equality is taken: what single writes say (`all_sizes`) is about equal arrays.
"""

from __future__ import annotations

from collections.abc import Sequence

from automata.budget import UNLIMITED, Budget
from equivalence.kernels_in_turn import compare_for_all_sizes
from equivalence.launched import compare_launched
from equivalence.pairing import Pair
from equivalence.relation import Relation
from equivalence.result import EquivReport
from equivalence.step import Step


def compare_related(pair: Pair, relations: Sequence[Relation], mode: str = "real", budget: Budget = UNLIMITED, *,
                    certify: bool = False) -> EquivReport:
    """The report on some relations; `mode` names the weakest class that is accepted; `certify`: nothing is left to
    probability."""
    asked = [relation.in_names(pair.theirs, frozenset(pair.a.order)) for relation in relations]
    a, b = Step(pair.a, pair.launch_a, pair.side_a), Step(pair.b, pair.launch_b, pair.side_b)
    if a.is_fixed and b.is_fixed:
        return compare_launched([a], [b], pair.outputs, pair.assumptions, mode, budget, None, asked, certify=certify)
    return compare_for_all_sizes([a], [b], pair.outputs, pair.assumptions, mode, budget, asked)
