"""Mutants of proved kernels, a slice: none that a run shows to conflict is called proved. All: `python tests/mutation.py`."""

from __future__ import annotations

import pytest
from mutation import Mutant, judge, mutants, proved_files

EVERY = 43
SLICE = [mutant for path in proved_files() if "matmul" not in path.name for mutant in mutants(path)][::EVERY]


def test_there_are_mutants_of_both_kinds() -> None:
    assert {mutant.what for mutant in SLICE} == {"barrier dropped", "stride shifted"}


@pytest.mark.parametrize("mutant", SLICE, ids=lambda mutant: f"{mutant.path.name}:{mutant.line}")
def test_no_mutant_is_missed(mutant: Mutant) -> None:
    assert judge(mutant) != "missed"
