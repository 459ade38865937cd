"""Mutants of proved kernels: none that a run shows to conflict is called proved. With their score: `python tests/mutation.py`."""

from __future__ import annotations

import pytest
from mutation import Mutant, judge, mutants, proved_files

MUTANTS = [mutant for path in proved_files() for mutant in mutants(path)]


def test_there_are_mutants_of_both_kinds() -> None:
    assert {mutant.what for mutant in MUTANTS} == {"barrier dropped", "stride shifted"}


@pytest.mark.sliced(170)
@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: f"{mutant.path.name}:{mutant.line}")
def test_no_mutant_is_missed(mutant: Mutant) -> None:
    assert judge(mutant) != "missed"
