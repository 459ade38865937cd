"""Random tallies, by copies in shared memory or by threads: what is shown equal for all sizes is so when g++ compiles both."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import tally_programs
from test_generic import generic


@pytest.mark.skipif(shutil.which("g++") is None, reason="no C++ compiler")
@pytest.mark.drawn(5)
def test_tallies_that_are_shown_are_equal(seed: int, tmp_path: Path) -> None:
    texts = tally_programs.drawn(seed)
    shown = generic(tmp_path, texts)
    if shown is not None and shown.kind is not None:
        assert not tally_programs.differ(texts, seed), texts


@pytest.mark.skipif(shutil.which("g++") is None, reason="no C++ compiler")
def test_the_judge_sees_slips() -> None:
    """Of pairs that are drawn some differ and some do not."""
    assert {tally_programs.differ(tally_programs.drawn(seed), seed) for seed in range(8)} == {False, True}
