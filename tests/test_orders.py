"""Equality by the laws of an order: argmax, sorting networks, medians, choices by branches; good pairs and bad twins."""

from __future__ import annotations

import itertools
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slices import examples

import spmd.api as api
from automata.limits import using
from equivalence.orders.lattice import Function, Lattice, TooMany, Work, leaf

HEAD = "// spmd: grid=1 block={block} x[{n}] out[{m}]\n__global__ void k(const {kind} *x, {result} *out) {{\n"
LESS_INDEX = "w > v[t] || (w == v[t] && s[t + d] < s[t])"


def kernel(body: str, n: int, *, m: int = 1, block: int = 1, kind: str = "float", result: str = "") -> str:
    return HEAD.format(block=block, n=n, m=m, kind=kind, result=result or kind) + body.replace("T ", f"{kind} ") + "}\n"


def serial(n: int, test: str = "w > m", kind: str = "int", first: str = "x[0]", index: int = 0, start: int = 1,
           value: str = "x[i]") -> str:
    """The index of the maximum, by one thread."""
    return kernel(f"T m = {first}; int at = {index};\nfor (int i = {start}; i < {n}; i++) {{ T w = {value}; "
                  f"if ({test}) {{ m = w; at = i; }} }}\nout[0] = at;", n, kind=kind, result="int")


def tree(n: int, test: str = LESS_INDEX, kind: str = "int", value: str = "x[t]", *, rising: bool = False) -> str:
    """The same by a tree in shared memory, of halves or of neighbours first."""
    loop = f"for (int d = 1; d < {n}; d *= 2)" if rising else f"for (int d = {n // 2}; d > 0; d /= 2)"
    guard = "t % (2 * d) == 0" if rising else "t < d"
    return kernel(f"__shared__ T v[{n}]; __shared__ int s[{n}];\nint t = threadIdx.x; v[t] = {value}; s[t] = t; __syncthreads();"
                  f"{loop} {{ if ({guard}) {{ T w = v[t + d]; if ({test}) {{ v[t] = w; s[t] = s[t + d]; }} }} __syncthreads(); }}"
                  "\nif (t == 0) out[0] = s[0];", n, block=n, kind=kind, result="int")


def strided(n: int, block: int, kind: str, first: str, index: int) -> str:
    """The same; each thread goes through elements of its own before."""
    return kernel(f"__shared__ T v[{block}]; __shared__ int s[{block}]; int t = threadIdx.x; T m = {first}; int at = {index};\n"
                  f"for (int i = t; i < {n}; i += {block}) if (x[i] > m) {{ m = x[i]; at = i; }}\n"
                  "v[t] = m; s[t] = at; __syncthreads();\n"
                  f"for (int d = {block // 2}; d > 0; d /= 2) {{ if (t < d) {{\n"
                  "  if (v[t + d] > v[t]) { v[t] = v[t + d]; s[t] = s[t + d]; }\n"
                  "  else if (v[t + d] == v[t] && s[t + d] < s[t]) s[t] = s[t + d]; } __syncthreads(); }\n"
                  "if (t == 0) out[0] = s[0];", n, block=block, kind=kind, result="int")


def shuffled(test: str = "ov > v || (ov == v && oi < i)", exchange: str = "__shfl_down_sync") -> str:
    return kernel(f"float v = x[threadIdx.x]; int i = threadIdx.x;\nfor (int d = 16; d > 0; d >>= 1) {{\n"
                  f"  float ov = {exchange}(0xffffffff, v, d); int oi = {exchange}(0xffffffff, i, d);\n"
                  f"  if ({test}) {{ v = ov; i = oi; }} }}\nif (threadIdx.x == 0) out[0] = i;", 32, block=32, result="int")


def bitonic(n: int, kind: str = "float", *, descends: bool = False) -> str:
    one, two = "<>" if descends else "><"
    return kernel(f"__shared__ T s[{n}]; int t = threadIdx.x; s[t] = x[t]; __syncthreads();\n"
                  f"for (int k = 2; k <= {n}; k *= 2) for (int j = k / 2; j > 0; j /= 2) {{ int p = t ^ j; if (p > t) {{\n"
                  "  T a = s[t]; T b = s[p];\n"
                  f"  if ((t & k) == 0) {{ if (a {one} b) {{ s[t] = b; s[p] = a; }} }}\n"
                  f"  else {{ if (a {two} b) {{ s[t] = b; s[p] = a; }} }} }} __syncthreads(); }}\nout[t] = s[t];",
                  n, m=n, block=n, kind=kind)


def odd_even(n: int, rounds: int, kind: str = "float") -> str:
    low, high = ("fminf", "fmaxf") if kind == "float" else ("min", "max")
    return kernel(f"__shared__ T s[{n}]; int t = threadIdx.x; s[t] = x[t]; __syncthreads();\n"
                  f"for (int r = 0; r < {rounds}; r++) {{ if (t % 2 == r % 2 && t + 1 < {n}) {{ T a = s[t]; T b = s[t + 1];\n"
                  f"  s[t] = {low}(a, b); s[t + 1] = {high}(a, b); }} __syncthreads(); }}\nout[t] = s[t];",
                  n, m=n, block=n, kind=kind)


def insertion(n: int, kind: str = "float") -> str:
    low, high = ("fminf", "fmaxf") if kind == "float" else ("min", "max")
    return kernel(f"if (threadIdx.x == 0) {{ T s[{n}]; for (int i = 0; i < {n}; i++) {{ T v = x[i];\n"
                  f"  for (int j = 0; j < i; j++) {{ T a = {low}(s[j], v); v = {high}(s[j], v); s[j] = a; }} s[i] = v; }}\n"
                  f"  for (int i = 0; i < {n}; i++) out[i] = s[i]; }}", n, m=n, block=n, kind=kind)


def bubbled(n: int, told: str, m: int = 1) -> str:
    return kernel(f"T s[{n}]; for (int i = 0; i < {n}; i++) s[i] = x[i];\n"
                  f"for (int i = 0; i < {n}; i++) for (int j = 0; j + 1 < {n} - i; j++)\n"
                  f"  if (s[j + 1] < s[j]) {{ T a = s[j]; s[j] = s[j + 1]; s[j + 1] = a; }}\n{told}", n, m=m)


NINE = "12 45 78 01 34 67 12 45 78 03 58 47 36 14 25 47 42 64 42"
"""Nineteen exchanges after which the median of nine values is in the middle (Paeth, Graphics Gems, 1990; Smith, 1996)."""


def median(exchanges: str) -> str:
    steps = "".join(f"{{ T a = fminf(p[{i}], p[{j}]); p[{j}] = fmaxf(p[{i}], p[{j}]); p[{i}] = a; }}\n"
                    for i, j in exchanges.split())
    return kernel(f"T p[9]; for (int i = 0; i < 9; i++) p[i] = x[i];\n{steps}out[0] = p[4];", 9)


MEDIAN_OF_3 = kernel("T a = x[0]; T b = x[1]; T c = x[2]; out[0] = fmaxf(fminf(a, b), fminf(fmaxf(a, b), c));", 3)
BRANCHES_OF_3 = kernel("T a = x[0]; T b = x[1]; T c = x[2]; T m;\n"
                       "if (a < b) { if (b < c) m = b; else if (a < c) m = c; else m = a; }\n"
                       "else { if (a < c) m = a; else if (b < c) m = c; else m = b; }\nout[0] = m;", 3)
TOP_TWO = kernel("T m1 = x[0]; T m2 = -INFINITY;\nfor (int i = 1; i < 12; i++) { T w = x[i];\n"
                 "  if (w > m1) { m2 = m1; m1 = w; } else if (w > m2) m2 = w; }\nout[0] = m1; out[1] = m2;", 12, m=2)
CLAMPED = kernel("T w = x[0]; if (w < 0.0f) w = 0.0f; else if (w > 6.0f) w = 6.0f; out[0] = w;", 1)
LOWEST = "-2147483647 - 1"


def answer(folder: Path, one: str, two: str) -> str:
    for name, text in (("a", one), ("b", two)):
        (folder / f"{name}.cu").write_text(text)
    found = api.equiv(str(folder / "a.cu"), str(folder / "b.cu"))
    kind = found.report.equality
    assert kind is None or "float *x" in one or kind.value in ("bitwise", "int")
    return f"equal {kind.value}" if kind else found.verdict


def test_what_is_taken_for_granted_of_floats_is_told(tmp_path: Path) -> None:
    for kind, is_told in (("float", True), ("int", False)):
        answer(tmp_path, serial(8, kind=kind), tree(8, kind=kind))
        found = api.equiv(str(tmp_path / "a.cu"), str(tmp_path / "b.cu"))
        assert any("no NaN" in text for text in found.report.assumptions) == is_told


@pytest.mark.sliced(2)
@pytest.mark.parametrize(("one", "two", "wanted"), [
    (serial(32), tree(32), "equal int"),
    (serial(32), tree(32, LESS_INDEX.replace("s[t + d] < s[t]", "s[t + d] > s[t]")), "different"),
    (serial(32, kind="unsigned"), tree(32, kind="unsigned"), "equal int"),
    (serial(32, kind="float"), tree(32, kind="float"), "equal real-exp-max"),
    (serial(16), tree(16, "w > v[t]"), "different"),
    (serial(16), tree(16, "w > v[t]", rising=True), "equal int"),
    (serial(16), tree(16, "w >= v[t]", rising=True), "different"),
    (serial(16, "w >= m"), tree(16, "w >= v[t]", rising=True), "equal int"),
    (serial(16), tree(16, "!(w < v[t]) && (w != v[t] || s[t + d] < s[t])"), "equal int"),
    (serial(16, "w < m"), tree(16, LESS_INDEX.replace(">", "<")), "equal int"),
    (serial(16, "w <= m"), tree(16, LESS_INDEX.replace(">", "<")), "different"),
    (serial(16, kind="float", first="fabsf(x[0])", value="fabsf(x[i])"), tree(16, kind="float", value="fabsf(x[t])"),
     "equal real-exp-max"),
    (serial(16, kind="float", first="fabsf(x[0])", value="fabsf(x[i])"), tree(16, kind="float"), "different"),
    (serial(40, first=LOWEST, index=-1, start=0), strided(40, 8, "int", LOWEST, -1), "equal int"),
    (serial(40, kind="float"), strided(40, 8, "float", "-INFINITY", -1), "equal real-exp-max"),
    (serial(32, kind="float"), shuffled(), "equal real-exp-max"),
    (serial(32, kind="float"), shuffled(exchange="__shfl_xor_sync"), "equal real-exp-max"),
    (serial(32, kind="float"), shuffled("ov > v"), "different")])
def test_argmax(tmp_path: Path, one: str, two: str, wanted: str) -> None:
    assert answer(tmp_path, one, two) == wanted


@pytest.mark.parametrize(("one", "two", "wanted"), [
    (bitonic(16), odd_even(16, 16), "equal real-exp-max"), (bitonic(8), odd_even(8, 6), "different"),
    (bitonic(8, "int"), insertion(8, "int"), "equal int"), (bitonic(8, descends=True), insertion(8), "different"),
    (odd_even(7, 7), insertion(7), "equal real-exp-max"),
    (median(NINE), bubbled(9, "out[0] = s[4];"), "equal real-exp-max"),
    (median(NINE[:-3]), bubbled(9, "out[0] = s[4];"), "different"),
    (MEDIAN_OF_3, BRANCHES_OF_3, "equal real-exp-max"),
    (MEDIAN_OF_3, BRANCHES_OF_3.replace("m = c; else m = a; }", "m = c; else m = b; }"), "different"),
    (TOP_TWO, bubbled(12, "out[0] = s[11]; out[1] = s[10];", m=2), "equal real-exp-max"),
    (TOP_TWO.replace("m2 = m1; ", ""), bubbled(12, "out[0] = s[11]; out[1] = s[10];", m=2), "different"),
    (CLAMPED, kernel("out[0] = fminf(fmaxf(x[0], 0.0f), 6.0f);", 1), "equal real-exp-max"),
    (CLAMPED, kernel("out[0] = fminf(fmaxf(x[0], 1.0f), 6.0f);", 1), "different"),
    (kernel("out[0] = min(max(x[0], -128), 2147483647);", 1, kind="int"),
     kernel("T w = x[0]; if (w < -128) w = -128; out[0] = w;", 1, kind="int"), "equal int")])
def test_minima_and_maxima(tmp_path: Path, one: str, two: str, wanted: str) -> None:
    assert answer(tmp_path, one, two) == wanted


# -- random kernels against all orders of small inputs ------------------------------------------------------

COMPARED = {">": lambda a, b: a > b, ">=": lambda a, b: a >= b, "<": lambda a, b: a < b, "<=": lambda a, b: a <= b}
Step = tuple[str, int, int, str, str]
"""What is done, to which two of three values, by which comparison; which comparison of indices decides a tie (none: "")."""


def drawn(draw: random.Random) -> list[Step]:
    return [(draw.choice(["swap", "take", "values", "sort", "nested"]), *draw.sample(range(3), 2), draw.choice(list(COMPARED)),
             draw.choice(["", "<", ">"])) for _ in range(draw.randint(1, 4))]


def text_of(steps: list[Step], kind: str, told: str) -> str:
    body = "".join(f"T v{i} = x[{i}]; int p{i} = {i};\n" for i in range(3))
    for what, i, j, op, tie in steps:
        k = 3 - i - j
        test = f"v{i} {op} v{j}" + (f" || (v{i} == v{j} && p{i} {tie} p{j})" if tie else "")
        swap = f"T a = v{i}; v{i} = v{j}; v{j} = a;"
        body += {"swap": f"if ({test}) {{ {swap} int b = p{i}; p{i} = p{j}; p{j} = b; }}\n",
                 "take": f"if ({test}) {{ v{i} = v{j}; p{i} = p{j}; }}\n", "values": f"if ({test}) {{ {swap} }}\n",
                 "sort": f"{{ T a = min(v{i}, v{j}); v{j} = max(v{i}, v{j}); v{i} = a; }}\n",
                 "nested": f"if (v{i} {op} v{j}) {{ if (v{k} {op} v{j}) {{ v{i} = v{k}; p{i} = p{k}; }} }} "
                           f"else if (v{k} < v{i}) {{ v{k} = v{i}; p{k} = p{i}; }}\n"}[what]
    return kernel(body + f"out[0] = {told};", 3, kind=kind, result=kind if told[0] == "v" else "int")


def value_of(steps: list[Step], inputs: tuple[int, ...], told: str) -> int:
    v, p = list(inputs), [0, 1, 2]
    for what, i, j, op, tie in steps:
        k = 3 - i - j
        holds = COMPARED[op](v[i], v[j])
        tied = bool(tie) and v[i] == v[j] and COMPARED[tie](p[i], p[j])
        match what:
            case "swap" | "values" if holds or tied:
                v[i], v[j] = v[j], v[i]
                p[i], p[j] = (p[j], p[i]) if what == "swap" else (p[i], p[j])
            case "take" if holds or tied:
                v[i], p[i] = v[j], p[j]
            case "sort":
                v[i], v[j] = sorted((v[i], v[j]))
            case "nested" if holds and COMPARED[op](v[k], v[j]):
                v[i], p[i] = v[k], p[k]
            case "nested" if not holds and v[k] < v[i]:
                v[k], p[k] = v[i], p[i]
    return (v if told[0] == "v" else p)[int(told[1])]


@examples(25)
@given(st.integers(0, 1 << 32))
def test_equal_choices_agree_on_all_orders(tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    draw = random.Random(seed)
    told, kind = draw.choice("vp") + str(draw.randrange(3)), draw.choice(["int", "unsigned", "float"])
    orders = list(itertools.product(range(3), repeat=3))
    one, two = drawn(draw), drawn(draw)
    tried = (two, *(drawn(draw) for _ in range(200)))
    two = next((each for each in tried if all(value_of(one, at, told) == value_of(each, at, told) for at in orders)), tried[-1])
    same = all(value_of(one, at, told) == value_of(two, at, told) for at in orders)
    verdict = answer(tmp_path_factory.mktemp("pair"), text_of(one, kind, told), text_of(two, kind, told)).split()[0]
    assert verdict == "unknown" or (verdict == "equal") == same


# -- the lattice by itself ----------------------------------------------------------------------------------


@examples(100)
@given(st.integers(0, 1 << 32), st.booleans())
def test_functions_are_values(seed: int, has_ends: bool) -> None:
    """Functions of random terms are the same exactly where the terms are, for all inputs."""
    draw = random.Random(seed)
    lattice = Lattice(Work(), *(0, 4) if has_ends else (None, None), numbers={3: 0, 4: 2, 5: 4})
    terms: list[tuple[Function, tuple[int, ...]]] = []
    inputs = list(itertools.product(range(5) if has_ends else range(-1, 6), repeat=3))
    for at in range(6):
        terms.append((leaf(at), tuple((*each, 0, 2, 4)[at] for each in inputs)))
    for _ in range(12):
        (one, left), (two, right) = draw.choice(terms), draw.choice(terms)
        (three, then), (four, other) = draw.choice(terms), draw.choice(terms)
        match draw.randrange(3):
            case 0:
                terms.append((lattice.join(one, two), tuple(map(max, left, right))))
            case 1:
                terms.append((lattice.meet(one, two), tuple(map(min, left, right))))
            case 2 if (made := lattice.choice(one, two, three, four)) is not None:
                terms.append((made, tuple(p if a < b else q for a, b, p, q in zip(left, right, then, other, strict=True))))
    for (one, left), (two, right) in itertools.combinations(terms, 2):
        assert (lattice.reduced(one) == lattice.reduced(two)) == (left == right)


def test_a_limit_on_work() -> None:
    lattice = Lattice(Work())
    with using({"order-work": 10}), pytest.raises(TooMany):
        for at in range(20):
            lattice.join(lattice.meet(leaf(at), leaf(at + 1)), lattice.meet(leaf(at + 2), leaf(at + 3)))
