"""Small CUDA kernels with loops, made at random, for launches of any size: mostly racy, often divergent.

Shared memory is read and written at indices of threads and counters, between barriers that stand anywhere; counters go up,
down, by steps, or are halved and doubled; loops are left early. Half of the kernels also have barriers of warps, exchanges,
atomics and asserts. `kernel(seed)` is the text.
"""

from __future__ import annotations

import random

INDICES = ("t", "t", "t", "t + 1", "0", "2 * t", "2 * t + 1", "(t + 1) % blockDim.x", "t / 2", "blockDim.x - 1 - t")
WITH_COUNTER = ("{i}", "t + {i}", "t * {i}", "(t + {i}) % blockDim.x", "{i} * blockDim.x + t", "t - {i}")
TESTS = ("t == 0", "t < n", "d[t] > 0", "x > 2", "t % 2 == 0", "blockIdx.x == 0", "n > 2")
WITH_ROUND = ("t < {i}", "{i} == 1", "t % (2 * {i}) == 0", "t >= {i}", "t + {i} < blockDim.x")
BARRIER = "__syncthreads();"


class Writer:
    """One kernel under way."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(f"loops {seed}")
        self.made = 0
        self.meets = self.rng.random() < .5

    def pick(self, *what: str) -> str:
        return self.rng.choice(what)

    def index(self, counters: list[str]) -> str:
        return self.pick(*INDICES, *(form.format(i=name) for name in counters for form in WITH_COUNTER * 2))

    def test(self, counters: list[str]) -> str:
        return self.pick(*TESTS, *(form.format(i=name) for name in counters for form in WITH_ROUND * 2))

    def body(self, depth: int, counters: list[str], most: int) -> list[str]:
        return [line for _ in range(self.rng.randint(1, most)) for line in self.statement(depth, counters)]

    def statement(self, depth: int, counters: list[str]) -> list[str]:
        value = self.pick("t", "x", "1", "x + 1", "0", *counters)
        plain = [[f"s[{self.index(counters)}] = {value};"], [f"x += s[{self.index(counters)}];"], [BARRIER],
                 [f"g[{self.pick('blockIdx.x * blockDim.x + t', 't', self.index(counters))}] = {value};"],
                 [f"x = {self.pick('x / 2', 'x * 2', 't', 'x + n')};"], [f"if ({self.test(counters)}) return;"]]
        jump = [f"if ({self.test(counters)}) {self.pick('break', 'continue', 'return')};"]
        if self.meets and self.rng.random() < .4:
            return [self.meeting(counters)]
        what = self.rng.random()
        if what < .5 or (not depth and not counters):
            return self.rng.choices(plain, (5, 4, 5, 2, 1, 1))[0]
        if what < .56 and counters:
            return jump
        if not depth:
            return [f"s[{self.index(counters)}] = {value};"]
        if what < .68:
            return [f"if ({self.test(counters)}) {{", *self.body(depth - 1, counters, 2), "}"]
        return self.loop(depth, counters)

    def meeting(self, counters: list[str]) -> str:
        """Lanes, threads or updates that meet."""
        lane = self.pick("t / 32 * 32 + (t + 1) % 32", "t ^ 1", "t / 32", self.index(counters))
        return self.pick("__syncwarp();", "__syncwarp();", f"s[t] = {self.pick('x', 't')}; __syncwarp(); x += s[{lane}];",
                         f"if ({self.test(counters)}) __syncwarp();", "x = __shfl_xor_sync(0xffffffffu, x, 1);",
                         f"x = __any_sync(0xffffffffu, {self.test(counters)});",
                         f"x = __syncthreads_or({self.test(counters)});",
                         f"if (__syncthreads_count({self.test(counters)}) > 2) {BARRIER}",
                         f"atomicAdd(&s[{self.index(counters)}], 1);", f"atomicMax(&g[{self.index(counters)}], x);",
                         "x = atomicAdd(&c, 1);",
                         f"{BARRIER} if (t == 0) c = 0; {BARRIER} x = atomicAdd(&c, {self.pick('1', '2')});",
                         f"g[atomicAdd(&g[4000], {self.pick('1', '2')}) & 1023] = t;", f"s[x & {self.pick('63', '511')}] = t;",
                         f"assert({self.test(counters)} || x >= 0);")

    def loop(self, depth: int, counters: list[str]) -> list[str]:
        self.made += 1
        name = f"i{self.made}"
        bound, step = self.pick("n", "m", "(int)blockDim.x", "3", "t"), self.pick("1", "1", "2", "(int)blockDim.x", "m")
        head = self.pick(f"for (int {name} = {self.pick('0', '1', 't')}; {name} < {bound}; {name} += {step}) {{",
                         f"for (int {name} = blockDim.x / 2; {name} > 0; {name} {self.pick('/= 2', '>>= 1')}) {{",
                         f"for (int {name} = 1; {name} < blockDim.x; {name} *= 2) {{",
                         f"for (unsigned {name} = n; {name} > 0; {name}--) {{")
        return [head, *self.body(depth - 1, [*counters, name], 3), *([BARRIER] if self.rng.random() < .5 else []), "}"]


def kernel(seed: int) -> str:
    """The text of one kernel."""
    writer = Writer(seed)
    first = ["s[t] = t;", BARRIER] if writer.rng.random() < .4 else []
    last = ["g[blockIdx.x * blockDim.x + t] = x;"] if writer.rng.random() < .5 else []
    body = writer.body(writer.rng.choice([1, 2, 2, 3]), [], 4)
    counter = ["__shared__ int c;"] if writer.meets else []
    lines = ["__shared__ int s[512];", *counter, "int t = threadIdx.x, x = 0;", *first, *body, *last]
    head = "#include <assert.h>\n" if writer.meets else ""
    return head + "\n  ".join(["__global__ void looping(int *g, const int *d, int n, int m) {", *lines]) + "\n}\n"
