"""Lemmas about sums of nested strides hold of all integers; kernels whose index is such a sum, with strides right and wrong."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Run
from formulas import holds

from automata.logic import poly as P
from automata.logic.arith import Encoder
from automata.logic.atom import Atom, Whose, atom
from automata.logic.poly import Poly
from automata.logic.quotients import coarser
from automata.logic.radix import _spelt_out, _with_names, above, radix_lemmas, sign_lemmas

Write = Callable[..., Path]
SIZES: list[Atom] = []
DIGITS: list[list[Atom]] = []


@pytest.fixture(autouse=True)
def of_this_test() -> None:
    """Atoms of each test's own: those of a question are forgotten with it, and a number is another one's then."""
    SIZES[:] = [atom(f"size {name}", name) for name in "klmn"]
    DIGITS[:] = [[atom(f"digit {at}", f"d{at}", Whose(owner, "b")) for at in range(4)] for owner in "12"]


def difference(draw: random.Random, encoder: Encoder) -> Poly:
    """Of two sums of digits times nested strides, with numbers in between or numbers of their own; the second digit may be called
    a quotient of the first, which is taken away from it."""
    total, stride, size = Poly.number(draw.choice([0, 0, 1, -2])), Poly.number(draw.choice([1, 1, 2])), SIZES[0]
    numbers = [1, 2, 3] if draw.random() < 0.5 else [1]
    for at in range(draw.randrange(2, 5)):
        turned = at == 1 and draw.random() < 0.4
        number = 1 if turned else draw.choice(numbers)
        for owner, sign in enumerate((-1, 1) if turned else (1, -1)):
            total += (stride * Poly.atom(DIGITS[owner][at])).scale(sign * number)
            if turned:
                encoder.floors[DIGITS[owner][1]] = Poly.atom(DIGITS[owner][0]), Poly.atom(size)
        total += stride.scale(draw.choice([0, 0, 1, -1]))
        size = draw.choice(SIZES)
        other = Poly.atom(draw.choice(SIZES)).scale(draw.choice([2, -1]))
        more = draw.choice([Poly.number(0), Poly.number(0), Poly.number(1), other])
        stride = stride * (Poly.atom(size) + more).scale(draw.choice([1, 1, 2, 3]))
    return total


@pytest.mark.sliced(2)
@pytest.mark.parametrize("seed", range(24))
def test_lemmas_hold_of_all_integers(seed: int) -> None:
    draw, made, zero = random.Random(seed), 0, 0
    atoms = [*SIZES, *DIGITS[0], *DIGITS[1]]
    for _ in range(40):
        encoder = Encoder()
        value = difference(draw, encoder)
        lemmas = radix_lemmas([P.eq(value, Poly.number(0))], encoder)
        made += len(lemmas)
        for _ in range(400):
            model = {each: draw.randrange(-3, 4) for each in atoms}
            zero += value.value(model) == 0
            assert all(holds(lemma, model) for lemma in lemmas), (value, model)
    assert made and zero


@pytest.mark.parametrize("seed", range(4))
def test_sums_of_sizes_with_names_are_the_same_sums(seed: int) -> None:
    draw, named = random.Random(seed), 0
    for _ in range(100):
        encoder = Encoder()
        value = difference(draw, encoder)
        short, meaning = _with_names(value, encoder)
        assert _spelt_out(meaning, short) == value
        named += short.degree < value.degree or len(short.terms) < len(value.terms)
    assert named > 10


def number(draw: random.Random) -> tuple[Poly, Poly]:
    """A sum of digits times nested strides, now and then less a product of sizes, and one of the strides."""
    total, stride, strides = Poly.number(draw.choice([0, 0, 1])), Poly.number(draw.choice([1, 1, 2])), []
    for at in range(draw.randrange(2, 4)):
        total += stride * Poly.atom(DIGITS[0][at]).scale(draw.choice([1, 1, 1, 2]))
        stride = stride * Poly.atom(draw.choice(SIZES)).scale(draw.choice([1, 1, 2]))
        strides.append(stride)
    return total - draw.choice([Poly.number(0), stride]), draw.choice(strides).scale(draw.choice([1, 1, 2, 3]))


def quotient(left: int, right: int) -> int:
    return abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)


@pytest.mark.sliced(2)
@pytest.mark.parametrize("seed", range(12))
def test_what_digits_leave_holds_of_numbers(seed: int) -> None:
    draw, met, signs = random.Random(seed), 0, 0
    atoms = [*SIZES, *DIGITS[0]]
    for _ in range(60):
        encoder = Encoder()
        value, size = number(draw)
        models = [{each: draw.randrange(-2, 5) for each in atoms} for _ in range(300)]
        for rest, known in above(value, size, encoder):
            for model in models:
                if all(holds(each, model) for each in known):
                    met += 1
                    assert quotient(value.value(model), size.value(model)) == rest.value(model), (value, size, model)
        for model in models:
            lemmas = sign_lemmas([P.le(value, Poly.number(0))], encoder, lambda each, model=model: holds(each, model))
            signs += len(lemmas)
            assert all(holds(lemma, model) for lemma in lemmas), (value, model)
    assert met > 100 and signs > 100


@pytest.mark.parametrize("seed", range(4))
def test_numbers_divided_out(seed: int) -> None:
    draw, met = random.Random(seed), 0
    digit, whole, size = DIGITS[0][0], DIGITS[0][1], SIZES[0]
    for _ in range(300):
        encoder, by = Encoder(), draw.choice([2, 3, 4, 6])
        ends = draw.choice([0, 0, -1]), draw.choice([by - 1, by - 1, by, 1])
        encoder.intervals |= {digit: ends, whole: (draw.choice([0, 0, -3]), 9), size: (-4, 4)}
        value = Poly.atom(whole).scale(draw.choice([by, by, 2 * by, by - 1])) + Poly.atom(digit)
        divisor = Poly.atom(size).scale(by)
        if (inner := coarser(value, divisor, encoder.interval)) is not None:
            for _ in range(20):
                model = {each: draw.randint(*encoder.intervals[each]) for each in (digit, whole, size)}
                if model[size]:
                    met += 1
                    assert quotient(value.value(model), divisor.value(model)) == quotient(*(each.value(model) for each in inner))
    assert met > 100


def kernel(draw: random.Random) -> tuple[str, bool]:
    """Loops over some of four sizes, threads over the others; and whether a wrong stride or bound makes threads meet."""
    names = ["n0", "n1", "n2", "n3"][: draw.randrange(3, 5)]
    threads = draw.sample(range(len(names)), 2)
    wrong = draw.choice(["", "", "stride", "bound"])
    at = draw.randrange(len(names) - 1)
    index = f"i{len(names) - 1}"
    for step in range(len(names) - 2, -1, -1):
        stride = f"({names[step]} - 1)" if wrong == "stride" and step == at else names[step]
        index = f"i{step} + {stride} * ({index})"
    bound = [f"i{step} {'<=' if wrong == 'bound' and step == at else '<'} {name}" for step, name in enumerate(names)]
    loops = "".join(f"for (int i{step} = 0; {bound[step]}; i{step}++) " for step in range(len(names)) if step not in threads)
    own = "".join(f"int i{step} = blockIdx.{axis} * blockDim.{axis} + threadIdx.{axis};\n"
                  for step, axis in zip(threads, "xy", strict=True))
    test = " && ".join(bound[step] for step in threads)
    parameters = ", ".join(f"int {name}" for name in names)
    value = " + ".join(f"{7 ** at} * i{step}" for at, step in enumerate(threads))
    return f"__global__ void k(int *out, {parameters}) {{\n{own}if ({test}) {loops}out[{index}] = {value};\n}}\n", bool(wrong)


@pytest.mark.parametrize("row, says", [("6 * n * m", "proved"), ("3 * n * m", "proved"), ("2 * n * m", "refuted")])
def test_numbers_of_strides(row: str, says: str, kernel_file: Write, run: Run) -> None:
    """Rows of `2nm` may begin inside rows of `3n`, whatever `m` is."""
    text = ("// spmd: require n >= 1 && m >= 2\n__global__ void k(int *p, int n, int m) {\n"
            f"int i = threadIdx.x, j = threadIdx.y;\nif (i < 3 * n && j < 2) p[i + 3 * n * j + {row} * blockIdx.x] = i; }}\n")
    (record,) = run("check", kernel_file(text), "--format", "jsonl").records
    assert record["properties"]["race-free"] == says


@pytest.mark.sliced(3)
@pytest.mark.parametrize("seed", range(18))
def test_random_nested_sizes(seed: int, kernel_file: Write, run: Run) -> None:
    text, is_wrong = kernel(random.Random(seed))
    (record,) = run("check", kernel_file(text), "--format", "jsonl", "--timeout", 60).records
    assert record["properties"]["race-free"] == ("refuted" if is_wrong else "proved"), text
