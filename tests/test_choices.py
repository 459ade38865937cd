"""Several choices by one test are one choice: pairs of a maximum and a sum, joined; the machine sees no difference."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from automata.lang.core import Kernel
from automata.lang.read import find_kernels
from automata.machine.running.run import Options, Program
from automata.machine.state.outcome import Setting
from automata.rewriting import lower, one_choice
from automata.thread.build import build

# -- pairs that are joined ---------------------------------------------------------------------------------------------

PAIR = ("#include <math.h>\nstruct P { float m; float d; };\n__device__ P joined(P a, P b) {\n    bool big = BIG;\n"
        "    P hi = big ? a : b, lo = big ? b : a; P r; r.m = hi.m; r.d = hi.d + lo.d * expf(LO - HI); return r;\n}\n")
ROW = ("// spmd: block=32 COLS\n__global__ void k(const float *x, float *y, int cols) {\n"
       "    const float *row = x + blockIdx.x * cols;\n")
PLAIN = "#include <math.h>\n" + ROW + (
    "    if (threadIdx.x != 0) return;\n    float m = row[0], s = 0; for (int j = 1; j < cols; j++) m = fmaxf(m, row[j]);\n"
    "    for (int j = 0; j < cols; j++) s += expf(row[j] - m);\n    y[2 * blockIdx.x] = m; y[2 * blockIdx.x + 1] = s;\n}\n")
STORE = "    if (threadIdx.x == 0) { y[2 * blockIdx.x] = p.m; y[2 * blockIdx.x + 1] = p.d; }\n}\n"
SERIAL = PAIR + ROW + ("    P p; p.m = row[0]; p.d = 1;\n"
                       "    for (int j = 1; j < cols; j++) { P e; e.m = row[j]; e.d = 1; p = joined(p, e); }\n") + STORE
LANES = PAIR + ROW + ("    P p; p.m = row[threadIdx.x]; p.d = 1;\n    for (int h = 16; h > 0; h >>= 1) {\n"
                      "        P e; e.m = __shfl_down_sync(0xffffffffu, p.m, h); e.d = __shfl_down_sync(0xffffffffu, p.d, h);\n"
                      "        p = joined(p, e);\n    }\n") + STORE
RIGHT = {"BIG": "a.m > b.m", "LO": "lo.m", "HI": "hi.m"}
WRONG = {
    "the smaller one": {**RIGHT, "BIG": "a.m < b.m", "LO": "hi.m", "HI": "lo.m"},
    "scaled the other way": {**RIGHT, "LO": "hi.m", "HI": "lo.m"},
    "never scaled": {**RIGHT, "LO": "hi.m"},
    "compared by sums": {**RIGHT, "BIG": "a.d > b.d"},
}


def text(sides: str, words: dict[str, str], launch: str) -> str:
    for name, word in {**words, "COLS": launch}.items():
        sides = sides.replace(name, word)
    return sides


@pytest.mark.parametrize("big", ["a.m > b.m", "a.m >= b.m", "!(a.m < b.m)", "b.m < a.m"])
@pytest.mark.parametrize("sides", [SERIAL, LANES], ids=["serial", "lanes"])
def test_pairs_of_a_maximum_and_a_sum(sides: str, big: str, compared: Any) -> None:
    launch = "grid=2 cols=32"
    found = compared(text(PLAIN, {}, launch), text(sides, {**RIGHT, "BIG": big}, launch))
    assert (found["verdict"], found["class"]) == ("equal", "real-exp-max"), found


def test_at_all_sizes(compared: Any) -> None:
    launch = "require cols > 0, cols <= 20000"
    found = compared(text(PLAIN, {}, launch), text(SERIAL, RIGHT, launch))
    assert (found["verdict"], found["class"], found["assurance"]) == ("equal", "real-exp-max", "proved"), found


@pytest.mark.parametrize("name", WRONG)
def test_joined_otherwise(name: str, compared: Any) -> None:
    launch = "grid=1 cols=6"
    assert compared(text(PLAIN, {}, launch), text(SERIAL, WRONG[name], launch))["verdict"] == "different"


# -- the machine -------------------------------------------------------------------------------------------------------

NAMES = "abcdef"


def drawn(draw: random.Random) -> str:
    """A kernel of choices between locals, of changes to those, and of values made of them."""
    lines = [f"int {name} = x[{at}];" for at, name in enumerate(NAMES)] + ["bool t = a < b, u = c < d;"]

    def statements(count: int, depth: int) -> None:
        for _ in range(count):
            to, one, two, three = (draw.choice(NAMES) for _ in range(4))
            match draw.randrange(7):
                case 0 | 1 | 2:
                    lines.append(f"{to} = {draw.choice('tu')} ? {one} : {two};")
                case 3:
                    lines.append(f"{draw.choice('tu')} = {one} {draw.choice(('<', '<=', '==', '!='))} {two};")
                case 4 if depth:
                    lines.append(f"if (x[{draw.randrange(6)}] & 1) {{" if draw.random() < 0.5 else
                                 f"for (int q{len(lines)} = 0; q{len(lines)} < (x[0] & 3); q{len(lines)}++) {{")
                    statements(2, depth - 1)
                    lines.append("}")
                case _:
                    lines.append(f"{to} = {one} {draw.choice('+-^')} {two} * {three};")

    statements(draw.randrange(6, 14), 2)
    lines.extend(f"y[{at}] = {name};" for at, name in enumerate(NAMES))
    return "__global__ void k(const int *x, int *y) {\n    " + "\n    ".join(lines) + "\n}\n"


def both(seed: int, folder: Path, patch: pytest.MonkeyPatch) -> tuple[Kernel, Kernel]:
    (folder / "k.cu").write_text(drawn(random.Random(seed)))
    kernel = find_kernels(str(folder / "k.cu"))[0].read()
    with patch.context() as inside:
        inside.setattr(lower, "joined", lambda plain: plain)
        plain = lower.lower(kernel, {}, 300)
    return plain, one_choice.joined(plain)


def unlike(pair: tuple[Kernel, Kernel]) -> bool:
    found = [Program(build(kernel)).run(Setting((1, 1, 1), (1, 1, 1), {}, initial=lambda array, index: (index * 7 + 3) % 11 - 4),
                                        Options(max_rounds=500)).contents("y") for kernel in pair]
    return found[0] != found[1]


@pytest.mark.drawn(60)
def test_the_machine_sees_no_difference(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not unlike(both(seed, tmp_path, monkeypatch))


def test_the_machine_would_see_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is assigned anew is not forgotten: many of the kernels differ, and many are changed at all."""
    monkeypatch.setattr(one_choice._Joiner, "forget", lambda joiner, name: None)
    pairs = [both(seed, tmp_path, monkeypatch) for seed in range(80)]
    assert sum(plain != other for plain, other in pairs) > 20 and any(map(unlike, pairs))
