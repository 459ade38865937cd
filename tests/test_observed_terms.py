"""Which sub-terms have to stay in their types: kept lists against a plain walk."""

from __future__ import annotations

import random

import pytest

from automata.logic import terms as T
from automata.proof.symbolic import observed_terms
from automata.scalar import I32, I64

PLAIN = ("+", "-", "*")
MINDING = ("/", "%", "&", "|", "^", ">>")


def drawn(seed: int) -> list[T.Term]:
    """Terms that hold each other: sums, comparisons, casts, choices."""
    dice = random.Random(seed)
    numbers = [T.symbol(f"s{seed}_{index}", I32, T.Owner.LAUNCH) for index in range(4)]
    for _ in range(40):
        left, right = dice.choice(numbers), dice.choice(numbers)
        match dice.randrange(4):
            case 0:
                numbers.append(T.binary(dice.choice(PLAIN), left, right))
            case 1:
                numbers.append(T.binary(dice.choice(MINDING), left, right))
            case 2:
                numbers.append(T.select(T.binary("<", left, right), right, dice.choice(numbers)))
            case _:
                numbers.append(T.cast(T.binary("+", T.cast(left, I64), T.cast(right, I64)), I32))
    return numbers


def walked(root: T.Term) -> list[T.Term]:
    return list(dict.fromkeys(arg for part in T.subterms(root) for arg in observed_terms._minded(part)))


@pytest.mark.parametrize("most", [1_000_000, 60, 0])
def test_kept_lists_say_what_a_walk_says(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(observed_terms._Marks, "MOST", most)
    found = 0
    for seed in range(30):
        marks = observed_terms._Marks()
        for term in drawn(seed):
            assert list(marks.of(term)) == walked(term)
            found += len(walked(term))
    assert found > 1_000


def test_a_round_as_a_local_counts_it_is_no_conversion() -> None:
    number = T.symbol("round", I64, T.Owner.LAUNCH)
    in_int = T.cast(number, I32)
    assert observed_terms.narrows(in_int)
    assert not observed_terms.overflow_is_undefined(in_int)
    assert not observed_terms.narrows(in_int, {in_int})
    assert observed_terms.overflow_is_undefined(in_int, {in_int})
    assert observed_terms.narrows(T.cast(T.binary("+", T.cast(in_int, I64), number), I32), {in_int})

