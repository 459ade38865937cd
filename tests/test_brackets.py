"""Brackets that say nothing are left out; an expression means the same without them."""

from __future__ import annotations

import random
import re

import pytest

from automata.lang.brackets import fewest
from automata.lang.condition import ConditionError, value_of


@pytest.mark.parametrize(("text", "told"), [
    ("(((n + 512 - 1) / 512) == 2)", "(n + 512 - 1) / 512 == 2"),
    ("(a * b) + 4096 <= 2147483647", "a * b + 4096 <= 2147483647"),
    ("gridDim.x == ((a * b) + 255) / 256", "gridDim.x == (a * b + 255) / 256"),
    ("((a + b)) * c", "(a + b) * c"), ("a - (b - c)", "a - (b - c)"), ("a / (b * c)", "a / (b * c)"),
    ("2 * (a % 3)", "2 * (a % 3)"), ("(a < b) == c", "(a < b) == c"),
    ("(a && b) || c", "(a && b) || c"), ("(a < b) && (c)", "a < b && c"), ("(a == b) == c", "(a == b) == c"),
    ("(x & (x - 1)) == 0", "(x & (x - 1)) == 0"), ("(x << 2) + 1", "(x << 2) + 1"), ("!(a == b)", "!(a == b)"),
    ("-(a) - (-b)", "-a - (-b)"), ("-(a + b)", "-(a + b)"), ("(a ? b : c)", "a ? b : c"), ("(a ? b : c) + 1", "(a ? b : c) + 1"),
    ("min(a, (b + 1))", "min(a, b + 1)"), ("x[(i + 1)]", "x[i + 1]"), ("(int)(x) + 1", "(int)(x) + 1"), ("(a", "(a"),
    ("a)", "a)"), ("", ""),
])
def test_brackets(text: str, told: str) -> None:
    assert fewest(text) == told


def _made(random_: random.Random, depth: int) -> str:
    if depth == 0:
        return str(random_.randrange(1, 9))
    sign = random_.choice(["+", "-", "*", "/", "%", "<<", ">>", "<", "<=", "==", "!=", "&", "|", "^", "&&", "||", "?"])
    one, two, three = (_made(random_, random_.randrange(depth)) for _ in range(3))
    text = f"{one} ? {two} : {three}" if sign == "?" else f"{one} {sign} {two}"
    return random_.choice(("({})", "({})", "({})", "(({}))", "-({})", "!({})")).format(text)


@pytest.mark.parametrize("seed", range(8))
def test_the_value_stays(seed: int) -> None:
    random_ = random.Random(seed)
    fewer = 0
    for _ in range(400):
        text = _made(random_, 5)
        words = [re.findall(r"\d+|<<|>>|<=|==|!=|&&|\|\||\S", each) for each in (text, fewest(text))]
        try:
            value = value_of(words[0])
        except ConditionError:
            continue
        assert value_of(words[1]) == value, text
        fewer += len(words[1]) < len(words[0])
    assert fewer > 100
