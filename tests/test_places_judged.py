"""Random searches for a place, alone and by lanes with a tree: two that are called equal agree on all short rows of a few values.

The judge is this file: each search is drawn as C and, beside it, as what it does to a list. Among the values are the least and
the greatest that there are.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path

import pytest
from test_generic_places import BLOCK, INT, ROWS, shown

LOW, HIGH = -(1 << 31), (1 << 31) - 1
VALUES = (LOW, -1, 7, HIGH)
TEXTS = {LOW: "-2147483647 - 1", HIGH: "2147483647"}
WINS: dict[str, Callable[[int, int], bool]] = {
    ">": lambda new, old: new > old, ">=": lambda new, old: new >= old,
    "<": lambda new, old: new < old, "<=": lambda new, old: new <= old}
Search = Callable[[Sequence[int]], int]
LANES = 4


def better(op: str, tie: str, also: str = "") -> tuple[str, Callable[[int, int, int, int], bool]]:
    """When a new pair (v, w) is taken for (m, p), as C and as what it is. `also`: how this and the same comparison of unsigned
    numbers are joined, if they are."""
    if also:
        text, wins = better(op, tie)
        join = all if also == "&&" else any
        return (f"({text}) {also} (unsigned)v {op} (unsigned)m",
                lambda v, w, m, p: join((wins(v, w, m, p), WINS[op](v % (1 << 32), m % (1 << 32)))))
    if not tie:
        return f"v {op} m", lambda v, w, m, p: WINS[op](v, m)
    return (f"v {op[0]} m || (v == m && w {tie} p)",
            lambda v, w, m, p: WINS[op[0]](v, m) or (v == m and WINS[tie](w, p)))


def serial(draw: random.Random, ops: str) -> tuple[str, Search]:
    op, tie, begins, down = draw.choice(ops.split()), draw.choice(("", "", "<", ">")), draw.choice((0, 0, 1)), draw.random() < 0.3
    text, wins = better(op, tie, draw.choice(("", "", "", "&&", "||")))
    low, none = (LOW if op[0] == ">" else HIGH), draw.choice((-1, 0, HIGH, LOW))
    first = "cols - 1" if down else "0"
    begun = f"int m = z[{first}], p = {first};" if not begins else f"int m = {TEXTS[low]}, p = {TEXTS.get(none, none)};"
    loop = "int j = cols - 1; j >= 0; j--" if down else "int j = 0; j < cols; j++"

    def run(row: Sequence[int]) -> int:
        order = list(range(len(row)))[::-1 if down else 1]
        m, p = (low, none) if begins else (row[order[0]], order[0])
        for w in order:
            if wins(row[w], w, m, p):
                m, p = row[w], w
        return p
    return f"{begun} for ({loop}) {{{{ int v = z[j], w = j; if ({text}) {{{{ m = v; p = w; }}}} }}}} y[r] = p;", run


def lanes(draw: random.Random, ops: str) -> tuple[str, Search]:
    op, tie, join = draw.choice(ops.split()), draw.choice(("", "<", ">")), draw.choice(("", "<", "<", ">"))
    text, wins = better(op, tie)
    joined, beats = better(op, join)
    low, none, up = (LOW if op[0] == ">" else HIGH), draw.choice((-1, 0, HIGH, LOW)), draw.random() < 0.5
    steps = [1, 2] if up else [2, 1]

    def run(row: Sequence[int]) -> int:
        held = []
        for t in range(LANES):
            m, p = low, none
            for w in range(t, len(row), LANES):
                if wins(row[w], w, m, p):
                    m, p = row[w], w
            held.append((m, p))
        for d in steps:
            for t in range(LANES):
                if (t % (2 * d) == 0) if up else t < d:
                    (v, w), (m, p) = held[t + d], held[t]
                    held[t] = (v, w) if beats(v, w, m, p) else (m, p)
        return held[0][1]
    loop = "int d = 1; d < 4; d *= 2" if up else "int d = 2; d > 0; d /= 2"
    who = "t % (2 * d) == 0" if up else "t < d"
    return (f"int m = {TEXTS[low]}, p = {TEXTS.get(none, none)}; for (int j = t; j < cols; j += 4) {{{{ int v = z[j], w = j; "
            f"if ({text}) {{{{ m = v; p = w; }}}} }}}} __shared__ int s[4], q[4]; s[t] = m; q[t] = p; __syncthreads(); "
            f"for ({loop}) {{{{ if ({who}) {{{{ int v = s[t + d], w = q[t + d]; m = s[t]; p = q[t]; "
            f"if ({joined}) {{{{ s[t] = v; q[t] = w; }}}} }}}} __syncthreads(); }}}} if (t == 0) y[r] = q[0];", run)


@pytest.mark.drawn(10)
def test_judged(seed: int, tmp_path: Path) -> None:
    draw = random.Random(seed)
    ops = draw.choice((">", ">", "<", ">=", "> >=", "> <"))
    sides = [draw.choice((serial, lanes))(draw, ops) if draw.random() < 0.5 else serial(draw, ops) for _ in range(2)]
    frames = [BLOCK.replace("block=8", "block=4") if "__shared__" in text else ROWS for text, _ in sides]
    found = shown(tmp_path, (frames[0], sides[0][0]), (frames[1], sides[1][0]), INT)
    if found is not None:
        assert found in ("bitwise", "int")
        for cols in range(1, 6):
            for row in product(VALUES, repeat=cols):
                assert sides[0][1](row) == sides[1][1](row), (row, sides[0][0], sides[1][0])
