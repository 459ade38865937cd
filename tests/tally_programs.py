"""Random pairs of tallies, and what they leave when g++ compiles them.

A pair adds up into bins: one side by a thread for each element in global memory, the other in copies of a table in shared memory
that are merged. Half of the pairs have a slip in one place. The judge is a compiler (`all_sizes/emulated.py`).
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent / "all_sizes"))
import emulated
import pairs

HEAD = "require n >= 0, n <= 100000"
KEYS = {
    "low bits": ["x[i] & {low}", "x[i] % {bins}", "(x[i] + 3 * {bins}) & {low}", "x[n - 1 - i] & {low}"],
    "high bits": ["x[i] / {part}", "x[i] >> {shift}", "x[i] / 2 / {part} * 2 + x[i] / {part} % 2"],
    "a field": ["(x[i] >> 1) & {low}", "x[i] / 2 % {bins}", "(x[i] & (2 * {low} + 1)) >> 1", "x[i] % (2 * {bins}) / 2"],
    "low bits of words": ["w[i] & {low}", "(w[i] + 3 * {bins}) & {low}", "(w[i] - {bins}) & {low}"],
    "a field of words": ["(w[i] >> 4) & {low}", "((w[i] >> 2) >> 2) & {low}", "(w[i] / 16) & {low}"],
    "moved": ["(w[i] + 5) & {low}", "(w[i] - ({bins} - 5)) & {low}", "(5 + w[i]) & {low}"],
    "times three": ["(w[i] * 3) & {low}", "(w[i] + 2 * w[i]) & {low}", "(w[i] * ({bins} + 3)) & {low}"],
    "top bits": ["(w[i] >> {top}) & {low}", "((w[i] >> 2) >> ({top} - 2)) & {low}"],
    "of a byte": ["(w[i] & 255) / {part}", "(w[i] & 255) >> {shift}"],
    "of a place": ["i & {low}", "i % {bins}"],
    "of a place further up": ["i / 4 % {bins}", "(i >> 2) & {low}", "i % (4 * {bins}) / 4"],
    "of both": ["(x[i] + i) & {low}", "(i + x[i]) % {bins}"],
    "of seven": ["x[i] % 14 / 2", "x[i] / 2 % 7"],
    "backwards": ["{low} - (x[i] & {low})", "({low} - x[i]) & {low}"],
    "three eighths": ["x[i] * 3 / 128", "(x[i] * 3) >> 7", "x[i] * 6 / 256"],
    "squares": ["x[i] * x[i] & {low}", "(x[i] & {low}) * (x[i] & {low}) & {low}"],
    "chosen": ["x[i] < 5 ? 0 : 3", "x[i] >= 5 ? 3 : 0", "x[i] <= 5 ? 0 : 3"],
    "of two": ["(x[i] & 1) * {half} + (w[i] & ({half} - 1))", "(w[i] % {half} + {half}) % {half} + x[i] % 2 * {half}"],
}
"""Bins, by different ways to compute one."""
WEIGHTS = [["1"], ["1"], ["w[i]"], ["(int)x[i]"], ["i", "i + 0"], ["2 * w[i] - 1", "w[i] + w[i] - 1"], ["w[i] * w[i]"], ["-w[i]"]]
TESTS = [["1"], ["1"], ["1"], ["w[i] > 3", "!(w[i] <= 3)"], ["x[i] < 100", "100 > x[i]"], ["(i & 1) == 0", "i % 2 == 0"],
         ["w[i] >= 0"], ["(unsigned)w[i] < 1000u", "w[i] >= 0 && w[i] < 1000"]]
SLIPS = ("key", "weight", "test", "pitch", "copies", "cleared", "value", "merged", "stride", "first", "end", "lane", "twice")


def drawn(seed: int) -> tuple[str, str]:
    """Both sides of a pair."""
    draw = random.Random(seed)
    slip = draw.choice(SLIPS) if draw.random() < 0.5 else ""
    bins = draw.choice((8, 16, 32))
    bits = bins.bit_length() - 1
    kind, keys = draw.choice(list(KEYS.items()))
    mine = draw.choice(keys)
    other = draw.choice(keys if slip != "key" else KEYS[draw.choice([each for each in KEYS if each != kind])])
    numbers = {"bins": bins, "half": bins // 2, "low": bins - 1, "part": 256 // bins, "shift": 8 - bits, "top": 32 - bits}
    one, two = (key.format(**numbers) for key in (mine, other))
    weights, tests = draw.choice(WEIGHTS), draw.choice(TESTS)
    weight = draw.choice(weights if slip != "weight" else draw.choice(WEIGHTS))
    test = draw.choice(tests if slip != "test" else draw.choice(TESTS))
    a = f"""// spmd: block=64 grid=(n+63)/64 x[n] w[n] y[{bins}] {HEAD}
__global__ void a(const unsigned char *x, const int *w, int *y, int n) {{
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n && ({draw.choice(tests)})) atomicAdd(&y[{one}], {draw.choice(weights)});
}}
"""
    return a, copies_of(draw, slip, bins, two, weight, test)


def copies_of(draw: random.Random, slip: str, bins: int, key: str, weight: str, test: str) -> str:
    """The side with copies in shared memory."""
    lanes, copies = draw.choice((32, 64)), draw.choice((1, 2, 2, 4))
    of_copy = "0" if copies == 1 else draw.choice([f"t % {copies}", f"t / {lanes // copies}", f"t & {copies - 1}"])
    if slip == "lane":
        of_copy = draw.choice([f"t % {copies + 1}", f"t / {lanes // copies + 1}", f"(t + 1) / {lanes // copies}",
                               f"i % {copies}"])
    pitch, is_turned = bins + draw.choice((0, 1, 3)), draw.random() < 0.3
    if is_turned:
        pitch = copies + draw.choice((0, 1))
    filled = pitch - 1 if slip == "pitch" and draw.random() < 0.5 else pitch
    merged = pitch + 1 if slip == "pitch" and filled == pitch else pitch

    def cell(copy: str, at: str, pitch: int) -> str:
        return f"({at}) * {pitch} + ({copy})" if is_turned else f"({copy}) * {pitch} + ({at})"
    room = (pitch + 2) * max(bins, copies + 2)
    cleared = room - draw.choice((1, bins)) * (slip == "cleared")
    cleared -= (room - pitch * (bins if is_turned else copies)) * draw.randrange(2)
    value = draw.choice(["0", "0", "k"]) if slip != "value" else draw.choice(["1", "k & 1", "t == 5"])
    step = f"gridDim.x * {lanes}" if slip != "stride" else draw.choice([f"gridDim.x * {lanes} + 1", f"{lanes}", "gridDim.x * 96"])
    begin = f"blockIdx.x * {lanes} + t" + (draw.choice([" + 1", " + (t == 3)", " - (t == 0)"]) if slip == "first" else "")
    end = "n" if slip != "end" else draw.choice(["n - 1", "n / 2 * 2", "n - n % 32"])
    less = "" if value == "0" or slip == "value" else " - (" + cell("c", "k", merged) + ")"
    count = copies + draw.choice((-1, 1)) * (slip == "copies")
    up_to = bins - draw.choice((0, 1)) if slip == "merged" else bins
    total = f"int v = 0; for (int c = 0; c < {count}; c++) v += s[{cell('c', 'k', merged)}]{less}; atomicAdd(&y[k], v);"
    if not less and draw.random() < 0.5:
        total = f"atomicAdd(&y[k], {' + '.join('s[' + cell(str(c), 'k', merged) + ']' for c in range(count)) or '0'});"
    again = f" if (t == 7) atomicAdd(&y[t], {draw.choice(['1', 's[t]', 'n'])});" if slip == "twice" else ""
    whole = f"for (int k = t; k < {up_to}; k += {lanes}) {{ {total} }}" if slip != "merged" or draw.random() < 0.5 else (
        f"for (int k = t; k < {bins}; k += {lanes // 2}) {{ {total} }}")
    add = f"if ({test}) atomicAdd(&s[{cell(of_copy, key, filled)}], {weight});"
    loop = f"for (int i = {begin}; i < {end}; i += {step}) {add}"
    if draw.random() < 0.25:
        last = draw.choice(["<", "<=" if slip == "end" else "<"])
        loop = (f"for (int j = 2 * ({begin}); j < {end}; j += 2 * ({step})) {{ {{ int i = j; {add} }} "
                f"if (j + 1 {last} n) {{ int i = j + 1; {add} }} }}")
    return f"""// spmd: block={lanes} grid=g x[n] w[n] y[{bins}] {HEAD}, g >= 1, g <= 100
__global__ void b(const unsigned char *x, const int *w, int *y, int n, int g) {{
  __shared__ int s[{room}];
  int t = threadIdx.x;
  for (int k = t; k < {max(cleared, 0)}; k += {lanes}) s[k] = {value};
  __syncthreads();
  {loop}
  __syncthreads();
  {whole}{again}
}}
"""


def differ(texts: tuple[str, str], seed: int) -> bool:
    """Whether the two leave other tallies at some sizes that are drawn, as g++ compiles them."""
    pair = pairs.Pair("tallies", {"a": "a.cu:a", "b": "b.cu:b"}, "int", "", {}, {}, {}, (), ())
    sides = dict(zip("ab", texts, strict=True))
    library = emulated.build(pair, sides, is_wide=False)
    kernels = {side: list(pairs.kernels_of(text).values()) for side, text in sides.items()}
    draw = np.random.default_rng(seed)
    for n, g in [(0, 1), (1, 1), (31, 2), (64, 3), (65, 1), (200, 2), (333, 1), (700, 3), (701, 5), (6500, 2)]:
        small = draw.random() < 0.5
        whole = n + 2 * emulated.PAD
        data = {"x": draw.integers(0, 256, whole).astype(np.uint8),
                "w": draw.integers(-9 if small else -2**31, 10 if small else 2**31, whole).astype(np.int32),
                "y": draw.integers(-9, 10, 40 + 2 * emulated.PAD).astype(np.int32)}
        left = [emulated.run(library, side, kernels[side], {"n": n, "g": g}, data, seed) for side in "ab"]
        if left[0] is None or left[1] is None or not np.array_equal(left[0]["y"], left[1]["y"]):
            return True
    return False
