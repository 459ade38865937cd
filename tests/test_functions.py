"""The device library on arrays: what is known, C's special cases, and integers against Python's."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from library_calls import INTEGERS, Number, floats_of, integers_of, is_same, odd, run, values_of

from automata.lang.builtins import FUNCTIONS
from automata.lang.library import choose, table
from automata.lang.meanings import Opaquely
from automata.machine.numbers.functions import evaluate, is_known
from automata.machine.numbers.rounding import DTYPES
from automata.scalar import BF16, F16, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64, Scalar

# -- the table ----------------------------------------------------------------------------------------


def opaque_calls() -> Iterator[tuple[str, Scalar, tuple[Scalar, ...]]]:
    """Each opaque function of scalars with the types that its prototypes allow."""
    seen = set()
    for dialect in ("cuda", "opencl"):
        for entry in table("cuda" if dialect == "cuda" else "opencl").values():
            if not isinstance(entry.meaning, Opaquely) or not is_known(entry.meaning.name) or entry.meaning.whole:
                continue
            for proto in entry.prototypes:
                words = {"T": proto.binding}
                names = {str(name): kind for name, kind in KINDS.items()}
                params = tuple(names[words.get(word, word)] for word in proto.params)
                chosen = choose(entry, params)
                assert chosen is not None and isinstance(chosen[0], Scalar)
                row = (entry.meaning.name, chosen[0], params)
                if row not in seen:
                    seen.add(row)
                    yield row


KINDS = {"i8": I8, "u8": U8, "i16": I16, "u16": U16, "i32": I32, "u32": U32, "i64": I64, "u64": U64, "f16": F16, "bf16": BF16,
         "f32": F32, "f64": F64}


def test_only_images_and_the_launch_have_no_meaning() -> None:
    entries = [*table("cuda").values(), *table("opencl").values()]
    names = {entry.meaning.name for entry in entries if isinstance(entry.meaning, Opaquely)}
    emitted = {"fma", "saturate", "fabs", "fmin", "fmax", "both_sin", "both_cos", "saturated", "min", "max", "address"}
    names |= {function.name for function in FUNCTIONS.values()} | emitted
    assert sorted(name for name in names if not is_known(name)) == [
        "get_image_depth", "get_image_height", "get_image_width", "get_work_dim", "read_imagef", "read_imagei",
        "read_imageui", "tex1D", "tex1Dfetch", "tex2D", "tex3D"]


def test_a_value_alone_is_its_value_among_others() -> None:
    for name, result, kinds in opaque_calls():
        chance = random.Random(1)
        rows = [[chance.choice(values_of(kind)) for kind in kinds] for _ in range(40)]
        together = run(name, rows, result, *kinds)
        for row, want in zip(rows, together, strict=True):
            single = [DTYPES[kind](value) for kind, value in zip(kinds, row, strict=True)]  # type: ignore[call-arg]
            found = evaluate(name, single, result, kinds)
            assert isinstance(found, np.generic) and found.dtype == DTYPES[result], name
            assert is_same(found.item(), want), (name, kinds, row, found, want)


def test_a_uniform_argument_is_the_same_for_all() -> None:
    many = np.array([1.0, -2.0, 3.5], dtype=np.float32)
    found = evaluate("fma", [many, np.float32(2), np.array(0.5, dtype=np.float32)], F32, [F32] * 3)
    assert found.tolist() == [2.5, -3.5, 7.5]
    one = evaluate("sqrt", [np.array([4.0])], F64, [F64])
    assert one.shape == (1,) and one.tolist() == [2.0]


def test_aliases_compute_the_exact_function() -> None:
    rows = [[value] for value in floats_of(F32)]
    for name, exact in (("__expf", "exp"), ("__logf", "log"), ("__tanf", "tan"), ("native_exp", "exp"),
                        ("native_rsqrt", "rsqrt"), ("half_log", "log"), ("__exp10", "exp10"), ("__log2", "log2")):
        assert not odd(name, rows, run(exact, rows, F32, F32), F32, F32)


# -- floats -------------------------------------------------------------------------------------------

def fast_quotient(x: float, y: float) -> float:
    """0 of a divisor above 2^126, and no number of an infinite dividend then (CUDA C++ Programming Guide)."""
    return x / y if abs(y) <= 2.0**126 else math.nan if math.isnan(y) or not math.isfinite(x) else 0.0


MATH: dict[str, Callable[..., float]] = {
    name: getattr(math, name) for name in (
        "sqrt", "cbrt", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "asin", "acos", "atan",
        "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "erf", "erfc", "lgamma", "atan2", "hypot", "pow")}
MATH |= {
    "tgamma": math.gamma, "rsqrt": lambda x: 1 / math.sqrt(x), "rcbrt": lambda x: 1 / math.cbrt(x), "exp10": lambda x: 10.0**x,
    "rhypot": lambda x, y: 1 / math.hypot(x, y), "norm3d": lambda x, y, z: math.hypot(x, y, z),
    "rnorm3d": lambda x, y, z: 1 / math.hypot(x, y, z), "norm4d": math.hypot, "rnorm4d": lambda *x: 1 / math.hypot(*x),
    "normcdf": lambda x: math.erfc(-x / math.sqrt(2)) / 2,
    "degrees": math.degrees, "radians": math.radians, "recip": lambda x: 1 / x, "__fdividef": fast_quotient,
    "mix": lambda x, y, part: x + (y - x) * part, "fdim": lambda x, y: x - y if x > y else 0.0 if x <= y else math.nan,
}
ARITY = {**dict.fromkeys(("atan2", "hypot", "pow", "rhypot", "__fdividef", "fdim"), 2),
         **dict.fromkeys(("norm3d", "rnorm3d", "mix"), 3), **dict.fromkeys(("norm4d", "rnorm4d"), 4)}
LOOSE = {"tgamma": 2e-14, "lgamma": 1e-11, "normcdf": 1e-13, "erfc": 1e-13}
"""Relative errors in double of what SciPy or this reference approximates (lgamma's below 1: absolute); all others: 1e-15."""


@pytest.mark.parametrize("kind", [F16, BF16, F32, F64], ids=str)
@pytest.mark.parametrize("name", MATH)
def test_float_functions_are_those_of_c(name: str, kind: Scalar) -> None:
    chance, arity = random.Random(7), ARITY.get(name, 1)
    pool = floats_of(kind) + [kind.round(chance.gauss(0, 4)) for _ in range(60)]
    rows = [(value,) for value in pool] if arity == 1 else [tuple(chance.choice(pool) for _ in range(arity)) for _ in range(400)]
    unit = {F16: 2.0**-10, BF16: 2.0**-7, F32: 2.0**-23, F64: 0.0}[kind]
    least = {F16: 2.0**-24, BF16: 2.0**-133, F32: 2.0**-149, F64: 2.0**-1074}[kind]
    for row, found in zip(rows, run(name, rows, kind, *[kind] * arity), strict=True):
        try:
            want = kind.round(MATH[name](*row))
        except (ValueError, OverflowError, ZeroDivisionError):
            assert not math.isfinite(found), (row, found)
            continue
        if want in (0, math.inf, -math.inf) or want != want:
            near = found == want == 0 or is_same(found, want) or (want == 0 and abs(found) <= least)
        else:
            size = max(abs(want), 1.0) if name == "lgamma" else abs(want)
            near = abs(found - want) <= LOOSE.get(name, 1e-15) * size + unit * abs(want) + least
        assert near, (name, row, found, want)


INF, NAN = math.inf, math.nan
SPECIAL: dict[str, list[tuple[tuple[Number, ...], float]]] = {
    "sqrt": [((-0.0,), -0.0), ((-1.0,), NAN), ((INF,), INF), ((2.0,), 1.4142135381698608)],
    "rsqrt": [((0.0,), INF), ((-0.0,), -INF), ((INF,), 0.0), ((-1.0,), NAN)],
    "log": [((0.0,), -INF), ((-0.0,), -INF), ((1.0,), 0.0), ((-1.0,), NAN), ((INF,), INF)],
    "log1p": [((-1.0,), -INF), ((-0.0,), -0.0)], "exp": [((-INF,), 0.0), ((100.0,), INF), ((-200.0,), 0.0)],
    "exp10": [((2.0,), 100.0), ((-INF,), 0.0)], "atanh": [((1.0,), INF), ((-1.0,), -INF), ((2.0,), NAN)],
    "powr": [((-2.0, 2.0), NAN), ((0.0, 0.0), NAN), ((-0.0, -1.0), INF), ((INF, 0.0), NAN), ((1.0, INF), NAN), ((1.0, NAN), NAN),
             ((4.0, 0.5), 2.0), ((-0.0, 3.0), 0.0)],
    "pow": [((0.0, -1.0), INF), ((-0.0, -1.0), -INF), ((-0.0, -2.0), INF), ((-1.0, INF), 1.0), ((1.0, NAN), 1.0),
            ((NAN, 0.0), 1.0), ((-8.0, 0.5), NAN), ((-INF, 3.0), -INF), ((-INF, -3.0), -0.0), ((0.5, -INF), INF)],
    "atan2": [((0.0, -0.0), math.pi), ((-0.0, 0.0), -0.0), ((-0.0, -1.0), -math.pi), ((INF, -INF), 3 * math.pi / 4)],
    "hypot": [((INF, NAN), INF), ((NAN, 1.0), NAN), ((3.0, 4.0), 5.0)], "rhypot": [((0.0, 0.0), INF), ((INF, NAN), 0.0)],
    "tgamma": [((0.0,), INF), ((-0.0,), -INF), ((-1.0,), NAN), ((-INF,), NAN), ((5.0,), 24.0)],
    "lgamma": [((0.0,), INF), ((-3.0,), INF), ((-INF,), INF), ((1.0,), 0.0)],
    "erfinv": [((1.0,), INF), ((-1.0,), -INF), ((-0.0,), -0.0), ((1.5,), NAN), ((0.5,), 0.4769362762044699)],
    "erfcinv": [((0.0,), INF), ((2.0,), -INF), ((1.0,), 0.0), ((0.5,), 0.4769362762044699)],
    "normcdf": [((-INF,), 0.0), ((INF,), 1.0), ((0.0,), 0.5)],
    "j0": [((0.0,), 1.0), ((INF,), 0.0), ((1.0,), 0.7651976865579666), ((-1.0,), 0.7651976865579666)],
    "j1": [((-0.0,), -0.0), ((0.0,), 0.0), ((-INF,), -0.0), ((1.0,), 0.44005058574493355)],
    "sinpi": [((1.0,), 0.0), ((-1.0,), -0.0), ((-0.0,), -0.0), ((0.5,), 1.0), ((1.5,), -1.0), ((-2.5,), -1.0), ((INF,), NAN),
              ((1e10,), 0.0), ((0.25,), math.sqrt(0.5)), ((1.0 + 2.0**-20,), -math.pi * 2.0**-20)],
    "cospi": [((0.5,), 0.0), ((-1.5,), 0.0), ((1.0,), -1.0), ((2.0,), 1.0), ((INF,), NAN), ((0.25,), math.sqrt(0.5)),
              ((0.75,), -math.sqrt(0.5)), ((1.75,), math.sqrt(0.5))],
    "fmin": [((NAN, 1.0), 1.0), ((1.0, NAN), 1.0), ((0.0, -0.0), -0.0), ((-0.0, 0.0), -0.0), ((INF, 2.0), 2.0),
             ((NAN, NAN), NAN)],
    "fmax": [((NAN, -1.0), -1.0), ((0.0, -0.0), 0.0), ((-0.0, 0.0), 0.0), ((-0.0, -0.0), -0.0), ((3.0, 2.0), 3.0)],
    "maxmag": [((-3.0, 2.0), -3.0), ((1.0, -2.0), -2.0), ((-2.0, 2.0), 2.0), ((NAN, 1.0), 1.0)],
    "saturate": [((NAN,), 0.0), ((-0.0,), 0.0), ((-1.0,), 0.0), ((0.5,), 0.5), ((2.0,), 1.0), ((INF,), 1.0)],
    "round": [((0.5,), 1.0), ((-0.5,), -1.0), ((2.5,), 3.0), ((-0.25,), -0.0), ((-INF,), -INF), ((8388607.5,), 8388608.0)],
    "rint": [((0.5,), 0.0), ((1.5,), 2.0), ((-0.5,), -0.0), ((2.5,), 2.0)], "nearbyint": [((-2.5,), -2.0)],
    "fdim": [((1.0, 2.0), 0.0), ((NAN, 1.0), NAN), ((INF, INF), 0.0)], "sign": [((-0.0,), -0.0), ((NAN,), 0.0), ((-7.0,), -1.0)],
    "step": [((1.0, 0.5), 0.0), ((1.0, 1.0), 1.0)], "mad": [((1 + 2.0**-12, 1 + 2.0**-12, -1 - 2.0**-11), 0.0)],
    "smoothstep": [((0.0, 2.0, 1.0), 0.5), ((0.0, 1.0, 7.0), 1.0), ((0.0, 1.0, -7.0), 0.0), ((0.0, 4.0, 1.0), 0.15625)],
    "dot": [((1.0, 2.0, 3.0, 0.0, 0.0, 2.0), 6.0)], "cross": [((2.0, 3.0, 4.0, 5.0), -14.0)],
    "length": [((2.0, 3.0, 6.0), 7.0)], "fast_length": [((-2.0,), 2.0)], "fast_distance": [((4.0, 6.0, 1.0, 2.0), 5.0)],
    "normalize": [((3.0, 3.0, 4.0), 0.6), ((-0.0, -0.0, 0.0), -0.0), ((-INF, -INF, 5.0), -1.0), ((5.0, INF, 5.0), 0.0)],
    "fast_normalize": [((-2.0, -2.0), -1.0)],
    "logb": [((0.0,), -INF), ((-INF,), INF), ((8.5,), 3.0), ((2.0**-140,), -140.0)], "native_recip": [((-0.0,), -INF)],
}


@pytest.mark.parametrize("name", SPECIAL)
def test_special_cases_on_float(name: str) -> None:
    rows = [row for row, _ in SPECIAL[name]]
    for row, found, (_, want) in zip(rows, run(name, rows, F32, *[F32] * len(rows[0])), SPECIAL[name], strict=True):
        if want in (0, INF, -INF) or want != want:
            assert is_same(found, want), (row, found)
        else:
            assert found == F32.round(want), (row, found)


@pytest.mark.parametrize("kind", [F32, F64], ids=str)
def test_exact_functions_are_exact(kind: Scalar) -> None:
    chance = random.Random(3)
    values = floats_of(kind) + [kind.round(chance.gauss(0, 5)) for _ in range(30)]
    usual = [value for value in values if math.isfinite(value)]
    for name, whole in (("floor", math.floor), ("ceil", math.ceil), ("trunc", math.trunc), ("rint", round),
                        ("round", lambda x: math.trunc(Fraction(x) + Fraction(1 if x > 0 else -1, 2)))):
        assert not odd(name, [[value] for value in usual], [math.copysign(whole(value), value) for value in usual], kind, kind)
    pairs = [(x, y) for x in values for y in values]
    assert not odd("copysign", pairs, [math.copysign(x, y) for x, y in pairs], kind, kind, kind)
    pairs = [(x, y) for x, y in pairs if math.isfinite(x) and y]
    assert not odd("fmod", pairs, [math.fmod(x, y) for x, y in pairs], kind, kind, kind)
    assert not odd("remainder", pairs, [math.remainder(x, y) for x, y in pairs], kind, kind, kind)
    assert not odd("remainder", [(INF, 1.0), (INF, INF), (1.0, 0.0), (-INF, 1.5e308), (1.0, NAN)], [NAN] * 5, kind, F64, F64)
    pairs = [(x, y) for x in usual for y in usual if x > y]
    assert not odd("fdim", pairs, [kind.nearest(Fraction(x) - Fraction(y)) for x, y in pairs], kind, kind, kind)


@pytest.mark.parametrize("kind", [F16, BF16, F32, F64], ids=str)
def test_parts_of_floats(kind: Scalar) -> None:
    values, least = floats_of(kind), {F16: -14, F64: -1022}.get(kind, -126)
    rows, usual = [[value] for value in values], [value for value in values if math.isfinite(value) and value]
    tests: dict[str, Callable[[float], bool]] = {
        "isnan": math.isnan, "isinf": math.isinf, "isfinite": math.isfinite, "signbit": lambda x: math.copysign(1, x) < 0,
        "isnormal": lambda x: math.isfinite(x) and abs(x) >= 2.0**least}
    for name, test in tests.items():
        assert run(name, rows, I32, kind) == [int(test(value)) for value in values], name
    exponents = [math.frexp(value)[1] - 1 for value in usual]
    assert run("ilogb", [[value] for value in usual], I32, kind) == exponents
    assert run("logb", [[value] for value in usual], kind, kind) == exponents
    assert run("ilogb", [[0.0], [-0.0], [NAN], [INF], [-INF]], I32, kind) == [I32.low, I32.low, I32.low, I32.high, I32.high]


@pytest.mark.parametrize("kind", [F16, BF16, F32, F64], ids=str)
def test_nextafter_is_the_neighbour(kind: Scalar) -> None:
    values = floats_of(kind)
    assert not odd("nextafter", [(x, x) for x in values], values, kind, kind, kind)
    assert not odd("nextafter", [(0.0, -0.0), (-0.0, 0.0), (NAN, 1.0), (1.0, NAN)], [-0.0, 0.0, NAN, NAN], kind, kind, kind)
    for limit in (INF, -INF):
        rows = [(x, limit) for x in values if math.isfinite(x)]
        for (x, _), found in zip(rows, run("nextafter", rows, kind, kind, kind), strict=True):
            assert found == kind.round(found) and (found > x if limit > 0 else found < x), x
            if math.isfinite(found):
                middle = (Fraction(x) + Fraction(found)) / 2
                assert kind.nearest(middle) in (x, found) and run("nextafter", [(found, x)], kind, kind, kind) == [x]


@pytest.mark.parametrize("kind", [F32, F64], ids=str)
def test_scaling_and_powers(kind: Scalar) -> None:
    chance = random.Random(5)
    values = [value for value in floats_of(kind) if math.isfinite(value)]
    rows = [(x, n) for x in values for n in (0, 1, -1, -24, -150, 200, -1080, 3000, I32.low, I32.high, chance.randrange(-90, 90))]
    wanted = [kind.nearest(Fraction(x) * Fraction(2) ** max(min(n, 9000), -9000)) if x else x for x, n in rows]
    assert not odd("ldexp", rows, wanted, kind, kind, I32)
    rows = [(x, n) for x in (1.5, -2.0, 0.1, 3.0) for n in (0, 1, -1, 2, -3, 7)]
    for (x, n), found in zip(rows, run("powi", rows, kind, kind, I32), strict=True):
        assert found == pytest.approx(kind.round(x) ** n, rel=1e-15 if kind == F64 else 1e-7)
    assert not odd("powi", [(0.0, -1), (-0.0, -3), (NAN, 0), (-INF, 3)], [INF, -INF, 1.0, -INF], kind, kind, I32)


def test_floats_become_whole_numbers() -> None:
    values = [0.5, 1.5, -0.5, -2.5, 2.0**40 + 0.5, NAN, INF, -INF]
    even = [0, 2, 0, -2, 2**40, I64.low, I64.high, I64.low]
    away = [1, 2, -1, -3, 2**40 + 1, I64.low, I64.high, I64.low]
    assert run("lrint", [[value] for value in values], I64, F64) == even
    assert run("lround", [[value] for value in values], I64, F64) == away
    assert run("lround", [[0.49999997]], I64, F32) == [0]


def test_words_of_doubles() -> None:
    for value in floats_of(F64)[:-1]:
        [high], [low] = run("double2hiint", [[value]], I32, F64), run("double2loint", [[value]], I32, F64)
        assert is_same(run("hiloint2double", [(high, low)], F64, I32, I32)[0], value)
    assert run("double2hiint", [[1.0]], I32, F64) == [0x3FF00000]
    assert run("double2loint", [[-1.1]], I32, F64) == [I32.wrap(0x9999999A)]


# -- integers -----------------------------------------------------------------------------------------


def bits_of(value: int, kind: Scalar) -> str:
    return format(value % (1 << kind.bits), f"0{kind.bits}b")


def clamp(value: int, kind: Scalar) -> int:
    return min(max(value, kind.low), kind.high)


def rotated(value: int, by: int, kind: Scalar) -> int:
    bits, by = bits_of(value, kind), by % kind.bits
    return int(bits[by:] + bits[:by], 2)


WHOLE: dict[str, Callable[..., int]] = {
    "popcount": lambda kind, x: bits_of(x, kind).count("1"), "clz": lambda kind, x: (bits_of(x, kind) + "1").index("1"),
    "hadd": lambda kind, x, y: (x + y) >> 1, "rhadd": lambda kind, x, y: (x + y + 1) >> 1,
    "add_sat": lambda kind, x, y: clamp(x + y, kind), "sub_sat": lambda kind, x, y: clamp(x - y, kind),
    "mulhi": lambda kind, x, y: (x * y) >> kind.bits, "mad_hi": lambda kind, x, y, z: ((x * y) >> kind.bits) + z,
    "mad_sat": lambda kind, x, y, z: clamp(x * y + z, kind), "rotate": lambda kind, x, y: rotated(x, y, kind),
    "ffs": lambda kind, x: (bits_of(x, kind)[::-1] + "1").index("1") + 1 if x else 0,
    "brev": lambda kind, x: int(bits_of(x, kind)[::-1], 2),
}


@pytest.mark.parametrize("kind", INTEGERS, ids=str)
@pytest.mark.parametrize("name", WHOLE)
def test_integer_functions_of_every_width(name: str, kind: Scalar) -> None:
    arity = WHOLE[name].__code__.co_argcount - 1
    chance, pool = random.Random(9), integers_of(kind, 60)
    rows = [tuple(chance.choice(pool) for _ in range(arity)) for _ in range(500)] if arity > 1 else [(value,) for value in pool]
    assert run(name, rows, kind, *[kind] * arity) == [kind.wrap(WHOLE[name](kind, *row)) for row in rows]


def test_counts_are_ints() -> None:
    assert run("popcount", [[U64.high], [0]], I32, U64) == [64, 0]
    assert run("clz", [[0], [-1], [1]], I32, I64) == [64, 0, 63]
    assert run("ffs", [[0], [I64.low], [I64.high]], I32, I64) == [0, 64, 1]


def test_permutations_of_words() -> None:
    both = [(0x33221100, 0x77665544, selector) for selector in (0x3210, 0x7654, 0x0246, 0x7777, 0xFBA8, 0xABCD3210)]
    wanted = [0x33221100, 0x77665544, 0x00224466, 0x77777777, 0x77332200, 0x33221100]
    assert run("byte_perm", both, U32, U32, U32, U32) == wanted
    chance = random.Random(2)
    rows = [(chance.getrandbits(32), chance.getrandbits(32), by) for by in (0, 1, 7, 31, 32, 33, U32.high)]
    wide = [(high << 32 | low, by % 32) for low, high, by in rows]
    assert run("funnelshift_l", rows, U32, U32, U32, U32) == [(word << by) >> 32 & U32.high for word, by in wide]
    assert run("funnelshift_r", rows, U32, U32, U32, U32) == [word >> by & U32.high for word, by in wide]


def test_places_of_bits() -> None:
    chance = random.Random(4)
    words = [0, 1, U32.high, 1 << 31, *(chance.getrandbits(32) & chance.getrandbits(32) for _ in range(40))]
    rows = [(word, base, offset) for word in words for base in (0, 1, 13, 31) for offset in (1, 2, 5, 32, 0, -1, -3, -33)]

    def place(word: int, base: int, offset: int) -> int:
        above, below = range(base, 32), range(base, -1, -1)
        found = [at for at in (above if offset > 0 else below if offset < 0 else [base]) if word >> at & 1]
        return found[max(abs(offset), 1) - 1] if len(found) >= max(abs(offset), 1) else U32.high

    assert run("fns", rows, U32, U32, U32, I32) == [place(*row) for row in rows]
    both = [(chance.getrandbits(32) & lanes, lanes) for lanes in words]
    wanted = [sum((word >> at & 1) << number for number, at in enumerate(at for at in range(32) if lanes >> at & 1))
              for word, lanes in both]
    assert run("packed", [(lanes, word) for word, lanes in both], U32, U32, U32) == wanted


def test_differences_and_dot_products() -> None:
    for name, kind in (("sad", I32), ("usad", U32)):
        rows = [(x, y, 5) for x in integers_of(kind) for y in integers_of(kind)]
        assert run(name, rows, U32, kind, kind, U32) == [U32.wrap(abs(x - y) + z) for x, y, z in rows]
    for kind, byte in ((I32, I8), (U32, U8)):
        rows = [(x, y, kind.high) for x in integers_of(kind) for y in integers_of(kind)]
        wanted = [kind.wrap(z + sum(byte.wrap(x >> at) * byte.wrap(y >> at) for at in (0, 8, 16, 24))) for x, y, z in rows]
        assert run("dp4a", rows, kind, kind, kind, kind) == wanted


# -- stand-ins ----------------------------------------------------------------------------------------


def test_random_numbers_look_random() -> None:
    states = run("random_start", [(seed, 0, 0) for seed in range(2000)], U32, U64, U64, U64)
    assert len(set(states)) > 1990
    assert run("random_start", [(1, 2, 0), (2, 1, 0), (1, 0, 2)], U32, U64, U64, U64) != states[1:4]
    numbers = run("random_value", [[state] for state in states], U32, U32)
    assert len(set(run("random_next", [[state] for state in states], U32, U32))) == len(set(states))
    units = run("random_unit", [[number] for number in [*numbers, 0, U32.high]], F32, U32)
    assert all(0 < unit <= 1 for unit in units) and units[-1] == 1 and abs(sum(units) / len(units) - 0.5) < 0.03
    normals = run("random_normal", [[number] for number in [*numbers, 0, U32.high]], F32, U32)
    assert all(map(math.isfinite, normals)) and abs(sum(value * value for value in normals) / len(normals) - 1) < 0.1


def test_objects_do_not_overlap() -> None:
    rows = [(number, offset) for number in (0, 1, 7) for offset in (0, 12, 2**39)]
    found: list[Any] = run("address", rows, U64, I32, I64)
    assert len(set(found)) == len(rows) and found == sorted(found) and found[0] > 0 and found[1] - found[0] == 12
