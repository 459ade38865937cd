"""Ten slices hold every case that a plain run leaves out, each case in one of them."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import slices
from conftest import ROOT

CASES = [f"test_{test}[{case}]" for test in ("a", "b") for case in range(3000)]


def looked_at(stem: str, options: dict[str, object], mark: object = None, named: set[Path] | None = None) -> set[str]:
    """The cases of a test in a file that a run with these options looks at."""
    config = SimpleNamespace(getoption=lambda name: options.get(name), stash={slices._NAMED: named or set()})
    item: Any = SimpleNamespace(config=config, path=ROOT / "tests" / f"test_{stem}.py", get_closest_marker=lambda _: mark)
    return {case for case in CASES if slices._is_in(item, f"tests/test_{stem}.py::{case}")}


@pytest.mark.parametrize("stem", ["scopes", "commands"])
@pytest.mark.parametrize("parts", [None, 1, 3, 50])
def test_slices_hold_every_case_once(stem: str, parts: int | None) -> None:
    mark = None if parts is None else SimpleNamespace(args=(parts,))
    plain, each = looked_at(stem, {}, mark), [looked_at(stem, {"--slice": at}, mark) for at in range(slices.SLICES)]
    assert looked_at(stem, {"--all": True}, mark) == set(CASES)
    if parts is None and stem not in slices._SAMPLED:
        assert plain == set(CASES) and not any(each)
        return
    assert sum(map(len, each)) == len(CASES) and set.union(*each) == set(CASES)
    share = slices.SAMPLE if parts is None else 1 if parts == 1 else parts * slices.SPARSE
    assert 0.5 < len(plain) * share / len(CASES) < 1.5


def test_a_file_that_is_named_is_looked_at_whole() -> None:
    stem = next(iter(slices._SAMPLED))
    assert looked_at(stem, {}, named={ROOT / "tests" / f"test_{stem}.py"}) == set(CASES)


def test_what_is_shared_is_there() -> None:
    assert [stem for stem in slices._SAMPLED if not (ROOT / "tests" / f"test_{stem}.py").exists()] == []
