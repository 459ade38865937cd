"""Small CUDA kernels made at random, each with a concrete launch: free of races, or racy by very little.

A kernel is a few patterns one after another: stores to a thread's own cell, exchanges through shared memory,
trees, scans, ping-pong buffers, swaps, helpers … Each pattern is right as first written. Where it says `slip`,
a kernel that is in the mood for it takes something slightly wrong instead: a barrier less, `<=` for `<`, an
index one too low. So what is racy is nearly right, and what is right looks much the same.

`kernel(seed)` is the text; a seed gives the same text today and tomorrow. Run as a script, it prints them.
"""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Callable
from math import gcd
from typing import Any

CELLS = 18
"""Cells of the shared array `s` that every kernel sets; all that patterns do with s stays within them."""

HELPERS = {
    "fold": "__device__ int fold(int a, int b) { if (a < b) return b - a; return a + 2 * b; }",
    "wrapped": "__device__ int wrapped(int at, int size) { return at >= size ? at - size : at; }",
    "put": "__device__ void put(E *p, int at, E value) { p[at] = value; }",
    "trade": "__device__ void trade(E *p, E *q) { E held = *p; *p = *q; *q = held; }",
    "meet": "__device__ void meet() { __syncthreads(); }",
    "half_of": "__device__ int half_of(unsigned v) { if (v & 1) { return (v - 1) / 2; } return v / 2; }",
}

Lines = list[str]


class Writer:
    """What one kernel is made with: its launch, its names, and the arrays that it has written so far."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(f"kernel {seed}")
        self.block = self.pick((8,), (8,), (4,), (4,), (6,), (2,), (4, 2), (4, 2), (self.rng.randint(1, 8),))
        self.size = self.block[0] * (*self.block, 1)[1]
        self.grid = self.pick(1, 2, 2, 3)
        self.total = self.size * self.grid
        self.n = max(1, self.pick(self.total, self.total, self.total - 1, self.total + 1, self.total // 2, self.size, 3))
        self.slips = self.pick(0.0, 0.0, 0.1, 0.15, 0.25, 0.4)
        self.element = self.pick("int", "int", "int", "float", "float", "unsigned")
        self.other = self.pick(self.element, self.element, "int", "float", "unsigned char", "short")
        self.width = str(self.size) if len(self.block) > 1 or self.rng.random() < 0.4 else "blockDim.x"
        self.written = {"out": 0, "res": 0}

    def pick(self, *options: Any) -> Any:
        """One of several."""
        return self.rng.choice(options)

    def slip(self, good: Any, *bad: Any) -> Any:
        """What is right; now and then, in some kernels, what is not."""
        return self.rng.choice(bad) if self.rng.random() < self.slips else good

    def few(self, low: int, high: int) -> int:
        return self.rng.randint(low, high)

    # -- pieces of expressions ----------------------------------------------------------------

    def barrier(self) -> Lines:
        """A barrier of the block, in one of its forms."""
        good = self.pick("__syncthreads();", "__syncthreads();", "__syncthreads();", "meet();", "if (n > 0) __syncthreads();")
        divergent = f"if (t < {self.few(1, self.size)}) __syncthreads();"
        text = self.slip(good, "", "", "", divergent)
        return [text] if text else []

    def permuted(self) -> str:
        """A cell of s that is this thread's alone."""
        w, k = self.width, self.few(1, 3)
        times = self.pick(*[m for m in (3, 5, 7) if gcd(m, self.size) == 1])
        half = (self.size + 1) // 2
        good = self.pick("t", "t", f"{w} - 1 - t", f"(t + {k}) % {w}", f"wrapped(t + {min(k, self.size)}, {self.size})",
                         "t ^ 1", "t ^ 3", f"t + {self.few(1, 8)}", "2 * t", "2 * t + 1", f"t % 2 * {half} + t / 2",
                         f"t * {times} % {w}", "t + t / 2", "(t - 1u) & 7u", "(unsigned char)(t + 254) & 7", "t + (t > 2)",
                         "in[i] > 0 ? t : t + 8")
        return self.slip(good, "t / 2", f"t * 2 % {w}", f"(t + 1) % {max(1, self.size - 1)}", "t & 6", "t | 1",
                         f"t % 2 * {max(1, half - 1)} + t / 2", "(unsigned char)(t * 64) / 32",
                         "in[i] > 0 ? t : t + 1")

    def seen(self) -> str:
        """Some cell of s."""
        return self.pick(self.permuted(), self.permuted(), "t / 2", "t % 2", "0", "t & 1", "t > 0 ? t - 1 : 0", "t + 1",
                         f"t * 2 % {self.width}", "half_of(t)", "idx[i] & 7", f"t == 0 ? {self.size - 1} : t - 1")

    def own(self) -> str:
        """A cell of a global array that is this thread's alone in the whole launch."""
        n, k, size = self.total, self.few(0, 3), self.size
        good = self.pick(
            "i", "i", "i", f"i + {k}", f"{n} - 1 - i", f"2 * i + {self.few(0, 1)}", f"3 * i + {k}", "i ^ 1",
            f"i ^ {self.few(1, 7)}", f"(i + {k}) % {n}", f"(unsigned char)(i + {self.few(236, 256)})",
            f"(signed char)(i + {self.few(100, 127)}) + 128", "(short)(2 * i)", f"in[i] > 0 ? i : i + {n}",
            "(unsigned short)(n - 1 - i)", "(i - 2u) & 31u", "(n - 1u - i) & 63u", "t * gridDim.x + b", "i + b",
            f"b * {size + k} + t", f"(b + 1) * {size} - 1 - t", f"b * {2 * size} + 2 * t", "i + i / 2", "half_of(2 * i + 1)",
            "16 * i + (idx[i] & 15)")
        return self.slip(
            good, "i / 2", "i >> 1", "i & 6", "t", "t + b", "2 * t + b", f"i % {max(1, n - 1)}", f"(i + 1) % {max(1, n - 2)}",
            f"i - i % {self.few(2, 4)}", f"b * {max(1, size - 1)} + t", f"b * {size} + 2 * t", "(unsigned char)(i * 32)",
            "(short)(i * 8192)", "(i - 2u) & 7u", "idx[i] & 15", "15 * i + (idx[i] & 15)",
            f"in[i] > 0 ? i : i + {max(1, n - 1)}")

    def value(self) -> str:
        """Something to store."""
        return self.pick("x", "x", "x", "x + 1", "t", "i * 3", "n", "in[i]", "in[i] + t", "in[i + 1] - in[i]", "x + in[2 * i]",
                         "fold(t, n)", "in[idx[i] & 7]", "-x", "i < n ? x : 0", "b", "7")

    def guard(self) -> str:
        """A condition on the thread, the sizes or the data."""
        w, k = self.width, self.few(0, 4)
        return self.pick(
            "i < n", "i < n", "i < n", "i <= n", f"t < {w} / 2", "t == 0", "t & 1", "!(t & 1)", "i % 2 == 0", f"t != {k}",
            "in[i] > 0", "idx[i] > 2", f"b == {self.few(0, 1)}", f"t >= {k} && i < n", f"t < {k + 1} || b == 0",
            "i - 1u < n", f"(t ^ {k}) < 3", "x > 1", f"(unsigned char)(t - {k}) < 4", "i < n && in[i] != 0")

    def output(self) -> tuple[str, str]:
        """An array to write and what to add to indices, so that patterns do not meet there."""
        name = self.pick("out", "out", "res")
        used = self.written[name]
        self.written[name] = used + 1
        far = self.slip(f"{1000 * used} + ", "") if used else ""
        return name, far

    def store(self, index: str, value: str, target: tuple[str, str] | None = None) -> str:
        """A store to an output, plainly, through a helper or on top of what is there."""
        name, far = target or self.output()
        if name == "out" and self.rng.random() < 0.1:
            return f"put({name}, {far}{_closed(index, far)}, {value});"
        return f"{name}[{far}{_closed(index, far)}] {self.pick('=', '=', '=', '+=')} {value};"


def _closed(index: str, far: str) -> str:
    return f"({index})" if far and re.search(r"[?&|^<>]", index) else index


# -- patterns: right as written, but for their slips -----------------------------------------------


def elementwise(w: Writer) -> Lines:
    """Each thread its own cell, under some condition."""
    text = w.store(w.own(), w.value())
    return [f"if ({w.guard()}) {text}" if w.rng.random() < 0.7 else text]


def paired(w: Writer) -> Lines:
    """A guard and an index that are right together."""
    size, half = w.size, max(1, w.size // 2)
    target = w.output()
    choices = (
        (w.slip("t == 0", "t < 2", "t / 2 == 0", "in[i] == 0"), "b", "x"),
        (w.slip("i % 2 == 0", "i % 3 != 1", "t % 2 == 0"), "i / 2", "x"),
        (w.slip(f"t < {half}", f"t <= {half}"), f"b * {half} + t", "x"),
        (w.slip("b == 0", "b <= 1", "b != 1"), w.pick("t", "t + 3", f"{size} - 1 - t"), "i"),
        (w.slip(f"t % {half} == 0", f"t % {half} <= 1"), f"b * {2 * half} + t / {half}", "x"),
        (w.slip("idx[i] == i", "idx[i] <= i", "idx[i] == t"), "idx[i]", "t"),
        (w.slip("i == n - 1", "i >= n - 1", "i / 2 == n - 1"), "0", "x"),
        (f"t >= {w.few(1, 3)}", w.slip("i - 1", "i - t", "i - t % 3"), "t"),
        (w.slip("t == n % " + str(size), "t <= n % " + str(size)), "b + 2", "x"),
    )
    condition, index, value = w.pick(*choices)
    return [f"if ({condition}) {w.store(index, value, target)}"]


def same_value(w: Writer) -> Lines:
    """Many threads at one cell with one value."""
    name, far = w.output()
    one = w.slip("1", "t", "i % 2")
    index, value = w.pick(("0", one), ("t", w.slip("t", "i", "x")), ("i / 2", w.slip("i / 2", "(i + 1) / 2")), ("t % 2", one),
                          ("t / 2", w.slip("n", "x", "n + b")), ("b", w.slip("b + n", "i")), ("idx[i] & 3", w.slip("7", "t")))
    text = f"{name}[{far}{_closed(index, far)}] = {value};"
    return [f"if ({w.guard()}) {text}" if w.rng.random() < 0.5 else text]


def either_way(w: Writer) -> Lines:
    """Two branches, neighbours exchange their cells."""
    name, far = w.output()
    odd, even = w.slip(("i - 1", "i + 1"), ("i - 1", "i"), ("i", "i + 1"), ("i - 1", "i + 2"))
    condition = w.slip("i & 1", "t & 1", "in[i] > 0")
    return [f"if ({condition}) {{", f"{name}[{far}{odd}] = x;", "} else {", f"{name}[{far}{even}] = {w.value()};", "}"]


def in_place(w: Writer) -> Lines:
    """A global array read next to where it is written."""
    name, far = w.output()
    last = w.pick(f"{name}[{far}i + 1]", f"{name}[{far}i + 3]", f"{name}[{far}(i | 1)]")
    condition = w.slip("i % 2 == 0", "i % 3 != 2", "i < n", "t % 2 == 0")
    return [f"if ({condition}) {name}[{far}i] = {last} + {w.pick('1', 'x', 't')};"]


def several(w: Writer) -> Lines:
    """A few cells a thread, in a loop."""
    name, far = w.output()
    count = w.few(2, 4)
    index = w.pick(f"{w.slip(count, count - 1)} * i + k", f"i + k * {w.slip(w.total, w.total - 1)}",
                   f"(b * {count} + k) * {w.slip(w.size, max(1, w.size - 1))} + t", f"{count} * i + {count - 1} - k")
    skip = w.pick([], [], ["if (k == 1) continue;"], ["if (k == 2) break;"], [f"if ({w.guard()}) continue;"])
    text = f"{name}[{far}{index}] = {w.pick('x + k', 'in[i + k]', 'k * t')};"
    return [f"for (int k = 0; k < {count}; k++) {{", *skip, text, "}"]


def scattered(w: Writer) -> Lines:
    """Data as an index."""
    name, far = w.output()
    index = w.slip(w.pick("8 * i + (idx[i] & 7)", "4 * i + (unsigned)idx[i] % 4u", "2 * i + (in[i] > 0)"),
                   "idx[i] & 15", "7 * i + (idx[i] & 7)", "3 * i + (unsigned)idx[i] % 4u", "i + (in[i] > 0)",
                   "idx[b] + t", "idx[i]")
    return [f"x += in[{w.pick('idx[i] & 15', 'i + 2', 'idx[t] & 3')}];", f"{name}[{far}{index}] = {w.pick('t', 'x', 'i')};"]


def staged(w: Writer) -> Lines:
    """Left in global memory for the block after a barrier."""
    name, far = w.output()
    near = w.slip(f"b * {w.width} + (t + 1) % {w.width}", f"(i + 1) % {w.total}", "i + 1")
    return [f"{name}[{far}i] = {w.value()};", *w.barrier(), f"x += {name}[{far}{near}];"]


def agreed(w: Writer) -> Lines:
    """A choice by data that all threads of a block make alike."""
    test = w.slip(w.pick("idx[b] > 2", "in[b] > 0", "idx[n] & 1", "s[16] > 0"), "idx[i] > 2", "in[i] > 0", "s[t] > 0")
    first, second = w.permuted(), w.permuted()
    apart = w.barrier() if "s[" in test else []
    if w.rng.random() < 0.4:
        return [f"if ({test}) {{", *w.barrier(), f"s[{first}] = x;", "}"]
    return [f"bool chosen = {test};", *apart, f"if (chosen) s[{first}] = x;",
            f"{w.pick('else', 'if (!chosen)')} s[{second}] = t;"]


def exchange(w: Writer) -> Lines:
    """Written by one thread, read by another after a barrier."""
    written = w.permuted()
    text = f"put(s, {written}, {w.value()});" if w.rng.random() < 0.15 else f"s[{written}] = {w.value()};"
    guarded = [f"if ({w.guard()}) {text}"] if w.rng.random() < 0.4 else [text]
    return [*guarded, *w.barrier(), f"x += s[{w.seen()}];"]


def tree(w: Writer) -> Lines:
    """A reduction of s over halving or doubling strides."""
    top = w.pick(max(1, w.size // 2), 2, 4)
    below = w.pick(w.size, 8)
    down = f"for (int d = {top}; d > 0; d {w.pick('/=', '/=')} 2) {{"
    up = f"for (int d = 1; d < {below}; d *= 2) {{"
    head, body = w.pick(
        (down, [f"if (t {w.slip('<', '<=')} d) s[t] += s[t + d];"]),
        (down, [f"if (t < d) s[t] = s[t] + s[{w.slip('2 * d - 1 - t', 'd - t')}];"]),
        (up, [f"if (t % {w.slip('(2 * d)', 'd')} == 0) s[t] += s[t + d];"]),
        (up, ["int at = 2 * d * t;", f"if (at < {below}) s[at] += s[at + {w.slip('d', 'd + 1')}];"]),
        (up, [f"if ((t & {w.slip('(2 * d - 1)', '(d - 1)')}) == 0 && t + d < {w.size}) s[t] += s[t + d];"]),
    )
    after = w.pick([], [f"if (t == {w.slip(0, 1)}) {w.store('b', 's[0]')}"], ["x += s[0];"])
    return [head, *body, *w.barrier(), "}", *after]


def scan(w: Writer) -> Lines:
    """Running sums of s: read, barrier, write, barrier."""
    head = w.pick(f"for (int d = 1; d < {w.size}; d *= 2) {{", "for (int d = 1; d < 4; d++) {")
    read = w.pick(f"{w.element} left = t >= d ? s[t - d] : 0;", f"{w.element} left = 0; if (t >= d) left = s[t - d];")
    return [head, read, *w.barrier(), w.pick("s[t] += left;", "if (t >= d) s[t] += left;"), *w.barrier(), "}", "x += s[t];"]


def shifted(w: Writer) -> Lines:
    """s moved by one, in place."""
    index = w.pick("t + 1", f"(t + 1) % {w.width}", "t ^ 1", f"{w.size} - 1 - t")
    return [f"x = s[{index}];", *w.barrier(), f"if ({w.guard()}) s[t] = x;"]


def ping_pong(w: Writer) -> Lines:
    """Two buffers in turn."""
    rounds = w.few(2, 4)
    to, fro = w.slip(("(k + 1) & 1", "k & 1"), ("k & 1", "k & 1"), ("(k + 1) & 1", "0"), ("(k + 1) & 1", "k / 2"))
    other = w.pick(f"(t + 1) % {w.width}", f"{w.size} - 1 - t", "t > 0 ? t - 1 : 0", "t")
    return [f"__shared__ {w.element} p[2][8];", "p[0][t] = in[i];", "p[1][t] = 0;", *w.barrier(),
            f"for (int k = 0; k < {rounds}; k++) {{", f"p[{to}][t] = p[{fro}][{other}] + p[{fro}][t];", *w.barrier(), "}",
            f"x += p[{w.slip(rounds & 1, 1 - (rounds & 1))}][{other}];"]


def swapped(w: Writer) -> Lines:
    """Pairs of s put in order, or exchanged; perhaps the odd pairs after the even ones."""
    step = w.slip("2 * t", "t", "t + t / 2")
    if w.rng.random() < 0.3:
        return [f"if (t < {w.few(1, 8)}) trade(&s[{step}], &s[{step} + 1]);"]
    order = ["if (s[at] > s[at + 1]) {", f"{w.element} held = s[at];", "s[at] = s[at + 1];", "s[at + 1] = held;", "}"]
    if w.rng.random() < 0.5:
        return [f"int at = {step};", *order]
    return ["for (int k = 0; k < 3; k++) {", f"int at = {step} + (k & 1);", *order, *w.barrier(), "}"]


def carried(w: Writer) -> Lines:
    """One thread leaves something for all."""
    leader = w.slip(f"t == {w.pick(0, w.size - 1)}", "t < 2", "in[i] > 0")
    cell = w.pick(16, 17, 0)
    first = [f"if ({leader}) s[{cell}] {w.pick('=', '+=')} {w.pick('x', 'n', 'in[b]')};", *w.barrier(), f"x += s[{cell}];"]
    if w.rng.random() < 0.5:
        return first
    return ["for (int k = 0; k < 2; k++) {", *first, *w.barrier(), "}"]


def tiled(w: Writer) -> Lines:
    """A shared array of two dimensions."""
    if len(w.block) == 1:
        column = w.slip("t", "t & 6", "t / 2")
        return [f"__shared__ {w.element} q[8][2];", f"q[{column}][0] = x;", f"q[{column}][1] = {w.value()};", *w.barrier(),
                f"x += q[({column} + 1) % {w.size}][{w.few(0, 1)}];" if column == "t" else "x += q[0][1];"]
    column = w.slip("threadIdx.x", "threadIdx.x / 2", "threadIdx.x % 3")
    row = w.slip("threadIdx.y", "0")
    read = w.pick("q[threadIdx.y][3 - threadIdx.x]", "q[1 - threadIdx.y][threadIdx.x]", "q[threadIdx.x & 1][threadIdx.x]")
    return [f"__shared__ {w.element} q[2][{w.pick(4, 5)}];", f"q[{row}][{column}] = {w.value()};", *w.barrier(), f"x += {read};"]


def kept(w: Writer) -> Lines:
    """A local array at constant subscripts."""
    return [f"{w.element} v[3];", "v[0] = in[i];", f"v[1] = {w.value()};", "v[2] = v[0] + t;",
            "for (int k = 0; k < 2; k++) v[k] += v[k + 1];", f"x += v[{w.few(0, 2)}];"]


def left_early(w: Writer) -> Lines:
    """Some threads end here. Right before barriers only if whole blocks do."""
    whole = w.pick(f"if (b == {w.few(0, 3)}) return;", f"if (b * {w.size} >= n) return;", f"if (n < {w.few(1, 6)}) return;")
    return [w.slip(whole, "if (i >= n) return;", "if (t == 7) return;", "if (in[i] > 3) return;")]


GLOBAL = (elementwise, elementwise, elementwise, paired, paired, same_value, either_way, in_place, several, scattered)
SHARED = (exchange, exchange, exchange, exchange, tree, tree, scan, shifted, swapped, carried, ping_pong, tiled,
          agreed, agreed, staged)
ONCE = frozenset((ping_pong, tiled, kept))
Pattern = Callable[[Writer], Lines]


def kernel(seed: int) -> str:
    """The kernel of this seed: `// spmd: …` with its launch, helpers that it uses, and `fuzzed` itself."""
    w = Writer(seed)
    body: Lines = []
    patterns: list[Pattern] = []
    for _ in range(w.few(1, 3)):
        pattern = w.rng.choices((w.pick(*SHARED), w.pick(*GLOBAL), kept, left_early), (55, 40, 8, 6))[0]
        if pattern not in ONCE or pattern not in patterns:
            patterns.append(pattern)
    uses_shared = any(pattern in SHARED for pattern in patterns)
    for pattern in patterns:
        lines = pattern(w)
        if pattern in SHARED and (body or w.rng.random() < 0.9):
            body += w.barrier()
        body += ["{", *lines, "}"] if _declares(lines) else lines
    tail = w.pick([], [], [w.slip("if (i >= n) return;", "if (i > n) return;")])
    body += [*tail, w.store(w.slip("i", "t", "i / 2"), "x")]
    return _text(w, (_shared(w) if uses_shared else []) + body)


def _declares(lines: Lines) -> bool:
    return any(re.match(r"(?:int|float|unsigned|bool|__shared__) ", line) for line in lines)


def _shared(w: Writer) -> Lines:
    """The shared array and what first fills it: every cell."""
    rounds = -(-CELLS // w.size)
    loop = f"for (int k = 0; k < {rounds}; k++) s[k * {w.width} + t] = {w.pick('in[i] + k', 'k', '0', 't')};"
    spread = f"for (int k = 0; k < {rounds}; k++) s[t * {rounds} + k] = {w.pick('x', '1', 'in[k]')};"
    return [f"__shared__ {w.element} s[{rounds * w.size}];", w.pick(loop, loop, spread)]


def _coordinates(w: Writer) -> Lines:
    """Who a thread is: t in its block, b its block, i in the launch."""
    kind = w.pick("int", "int", "unsigned")
    thread = "threadIdx.x"
    if len(w.block) > 1:
        thread = w.pick("threadIdx.y * 4 + threadIdx.x", "threadIdx.y * blockDim.x + threadIdx.x",
                        "threadIdx.x * 2 + threadIdx.y")
    return [f"{kind} t = {thread};", f"{w.pick('int', kind)} b = blockIdx.x;",
            f"{kind} i = {w.pick(f'b * {w.width} + t', f't + {w.width} * blockIdx.x')};",
            f"{w.element} x = {w.pick('in[i]', 'in[i] + 1', 't', 'i < n ? in[i] : 0')};"]


def _text(w: Writer, body: Lines) -> str:
    lines = [*_coordinates(w), *body]
    whole = "\n".join(lines)
    used = [text for name, text in HELPERS.items() if re.search(rf"\b{name}\(", whole)]
    head = (f"// spmd: block={','.join(map(str, w.block))} grid={w.grid} n={w.n}\n"
            f"__global__ void fuzzed(const {w.element} *in, const int *idx, {w.element} *out, {w.other} *res, "
            f"{w.pick('int', 'int', 'unsigned')} n) {{")
    return "\n".join([*(re.sub(r"\bE\b", w.element, text) for text in used), head, *_indented(lines), "}"]) + "\n"


def _indented(lines: Lines) -> Lines:
    depth, shown = 1, []
    for line in lines:
        depth -= line.startswith("}")
        shown.append("  " * depth + line)
        depth += line.endswith("{")
    return shown


if __name__ == "__main__":
    for number in sys.argv[1:]:
        print(kernel(int(number)))
