"""What evidence on a pair comes to: one sum, which nothing but evidence goes into."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from itertools import permutations

import pytest

from automata.scope import Scope
from automata.verdict import Report, Verdict
from equivalence.evidence import (
    Asked,
    Assumed,
    Barred,
    Besides,
    Caveats,
    Differs,
    Ground,
    Left,
    Looked,
    Said,
    Shown,
    conclude,
    still_open,
    weakest,
)
from equivalence.result import Counterexample, EqualityClass, EquivVerdict

SCOPE = Scope("all sizes")
GROUND = Ground(("pairing",), {"a": Report(Verdict.PROVED, "k"), "b": Report(Verdict.PROVED, "k")}, SCOPE)
ASKED = Asked(("x", "y"))
X, Y = Shown({"x": EqualityClass.BITWISE}), Shown({"y": EqualityClass.REAL}, "2^-60", ("of y",), ("how y",), is_exact=False)
FOUND = Counterexample({}, {}, "y", 3, 1, 2, None, None)
REFUTED = Report(Verdict.REFUTED, "k")


def test_equal_takes_every_output_that_was_asked_about() -> None:
    report = conclude([GROUND, ASKED, X, Y, Caveats(("no divisor is zero",), ("rounds apart",))])
    assert (report.verdict, report.equality, report.assurance) == (EquivVerdict.EQUAL, EqualityClass.REAL, "probabilistic")
    assert report.bound == "2^-60" and report.assumptions == ("pairing", "of y", "no divisor is zero")
    assert report.notes == ("rounds apart",) and report.proof == ("how y",) and report.reason is None
    assert list(report.outputs) == ["x", "y"]
    exact = conclude([GROUND, Asked(("x",)), X])
    assert (exact.equality, exact.assurance, exact.bound) == (EqualityClass.BITWISE, "proved", None)


@pytest.mark.parametrize("said", [[ASKED, X], [ASKED], [], [ASKED, Shown({"z": EqualityClass.BITWISE})], [X, Y][:0],
                                  [ASKED, X, Left(("y",), "why")], [ASKED, X, Looked("no difference")]])
def test_nothing_less_is_equal(said: list[Said]) -> None:
    for order in permutations(said):
        report = conclude([GROUND, *order])
        assert report.verdict is EquivVerdict.UNKNOWN and report.equality is None and report.assurance is None
        assert weakest(order) is None


def test_reasons_are_those_that_were_given_last_of_what_is_open() -> None:
    said: list[Said] = [GROUND, ASKED, Left(("x", "y"), "the symbols differ"), Looked("no difference in 3 launches")]
    assert conclude(said).reason == "x, y: the symbols differ"
    more = [*said, Asked(("x", "y")), X, Left(("y",), "a loop"), Looked("no difference in 9 launches"), Besides("nor this")]
    report = conclude(more)
    assert report.reason == "y: a loop; nor this" and report.evidence == "no difference in 9 launches"
    assert still_open(more) == ("y",)
    assert report.outputs == {"x": (EquivVerdict.EQUAL, EqualityClass.BITWISE), "y": (EquivVerdict.UNKNOWN, None)}
    assert conclude([GROUND, Left((), "nothing is written")]).reason == "nothing is written"


def test_a_difference_takes_the_place_of_what_was_shown() -> None:
    equal = [ASKED, X, Y, Caveats(("no divisor is zero",))]
    report = conclude([GROUND, Assumed(("inside",)), *equal, Differs(FOUND, notes=("so",))])
    assert report.verdict is EquivVerdict.DIFFERENT and report.counterexample is FOUND
    assert report.outputs == {"y": (EquivVerdict.DIFFERENT, None)}
    assert report.assumptions == ("pairing", "inside") and report.notes == ("so",) and not report.proof and not report.bound
    assert list(conclude([GROUND, Differs(FOUND, "a[i] == b[i]")]).outputs) == ["a[i] == b[i]"]


@pytest.mark.parametrize(("is_refuted", "verdict"), [(True, EquivVerdict.NONDETERMINISTIC), (False, EquivVerdict.UNKNOWN)])
def test_a_bar_ends_it(is_refuted: bool, verdict: EquivVerdict) -> None:
    bar = Barred("b", "side b: race", is_refuted, REFUTED)
    before: tuple[tuple[Said, ...], ...] = ((), (ASKED, X, Y), (ASKED, X, Left(("y",), "why")))
    for said in before:
        report = conclude([GROUND, *said, bar])
        assert (report.verdict, report.side, report.reason, report.outputs) == (verdict, "b", "side b: race", {})
        assert report.reports["b"] is REFUTED and report.reports["a"].verdict is Verdict.PROVED
        assert report.equality is None


def test_a_run_behind_a_bar_is_a_difference() -> None:
    report = conclude([GROUND, Barred("a", "open", is_refuted=False), Differs(FOUND)])
    assert report.verdict is EquivVerdict.DIFFERENT and report.side is None and report.reason is None


def test_nobody_writes_into_a_report() -> None:
    report = conclude([GROUND, ASKED, X, Y])
    with pytest.raises(FrozenInstanceError):
        report.verdict = EquivVerdict.DIFFERENT  # type: ignore[misc]
