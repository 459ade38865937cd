"""Random programs of a block whose threads meet, changes of them, and what they leave when g++ compiles them.

Threads are coroutines: each runs to its next barrier, then the next one does, in turn or in the other order. What leaves the same
in both orders is taken for deterministic.
"""

from __future__ import annotations

import ctypes
import itertools
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
from step_programs import FLOATS, INTS, PARAMETERS, ROOM, Programs

THREADS = 8
ARRAYS = ("s", "r", "w")
FIRST = "__shared__ float s[8], r[8]; __shared__ int w[8]; s[t] = f0 + t; r[t] = f1 * t; w[t] = i0 + t; __syncthreads();"


class Blocks(Programs):
    """Random bodies of a block: in each interval between barriers some shared arrays are loaded, and others stored to."""

    loaded: tuple[str, ...] = ARRAYS

    def whole(self, depth: int = 2) -> str:
        if depth and "w" in self.loaded and self.draw.random() < 0.3:
            return f"w[{super().whole(1)} & 7]"
        return super().whole(depth)

    def real(self, depth: int = 2) -> str:
        arrays = [name for name in self.loaded if name != "w"]
        if depth and arrays and self.draw.random() < 0.4:
            return f"{self.draw.choice(arrays)}[{self.whole(1)} & 7]"
        return super().real(depth)

    def statement(self, depth: int, inside: bool) -> Any:
        chance = self.draw.random()
        stored = [name for name in ARRAYS if name not in self.loaded]
        if stored and chance < 0.3:
            name = self.draw.choice(stored)
            return f"{name}[t] = {self.whole(1) if name == 'w' else self.real(1)};"
        if chance < 0.37:
            return f"atomicAdd(&whole[{ROOM // 2} + ({self.whole(1)} & 3)], {self.whole(1)});"
        return super().statement(depth, inside)

    def jump(self) -> str:
        return self.draw.choice(["break", "continue"])

    def meeting(self) -> str:
        at = self.draw.randrange(3)
        return self.draw.choice([
            *["__syncthreads();"] * 5, f"i{at} = __syncthreads_or({self.test()});",
            f"__syncthreads(); f{at} = __shfl_xor_sync(0xffffffffu, {self.real(1)}, 1);",
            f"__syncthreads(); i{at} = __shfl_xor_sync(0xffffffffu, {self.whole(1)}, 2);"])

    def intervals(self, depth: int = 1) -> list[Any]:
        """Statements and meetings, some of them in loops and branches that all threads take."""
        made: list[Any] = []
        for _ in range(self.draw.randrange(2, 4)):
            self.loaded = tuple(self.draw.sample(ARRAYS, self.draw.randrange(4)))
            chance = self.draw.random()
            if depth and chance < 0.4:
                made.append(["for", f"c{next(self.labels)}", str(self.draw.randrange(1, 3)), self.intervals(depth - 1)])
            elif depth and chance < 0.55:
                made.append(["if", f"n < {self.draw.randrange(4)}", self.intervals(depth - 1), self.intervals(depth - 1)])
            else:
                made += self.block(1)
            made.append(self.meeting())
        return made


def run_blocks(folder: Path, bodies: list[str], seed: int) -> list[tuple[bytes, bytes]]:
    """What each body leaves in both outputs of one block on some data, in two orders of its threads."""
    functions = "".join(f"static void k{at}({PARAMETERS}) {{ {body} }}\n" for at, body in enumerate(bodies))
    table = ", ".join(f"k{at}" for at in range(len(bodies)))
    (folder / "all.cpp").write_text(f"""#include <ucontext.h>
#define __shared__ static
struct {{ int x; }} threadIdx, blockIdx, blockDim;
static ucontext_t home, threads[{THREADS}];
static char stacks[{THREADS}][65536];
static int now, over[{THREADS}], votes[{THREADS}];
static void __syncthreads() {{ swapcontext(&threads[now], &home); }}
template <class T> T __shfl_xor_sync(unsigned, T value, int lane)
{{ static T slots[{THREADS}]; slots[now] = value; __syncthreads(); T got = slots[now ^ lane]; __syncthreads(); return got; }}
static int __syncthreads_or(int vote)
{{ votes[now] = vote; __syncthreads(); int any = 0; for (int each : votes) any |= each != 0; __syncthreads(); return any; }}
static int atomicAdd(int *cell, int more) {{ int old = *cell; *cell = old + more; return old; }}
{functions}static void (*all[])({PARAMETERS}) = {{ {table} }};
static int which, N, M; static const float *X; static const int *Q; static float *OUT; static int *WHOLE;
static void enter() {{ all[which](X, Q, OUT, WHOLE, N, M); over[now] = 1; }}
extern "C" void run(int at, {PARAMETERS}, int back)
{{ which = at; X = x; Q = q; OUT = out; WHOLE = whole; N = n; M = m;
   for (int t = 0; t < {THREADS}; t++)
   {{ over[t] = 0; getcontext(&threads[t]); threads[t].uc_stack.ss_sp = stacks[t]; threads[t].uc_stack.ss_size = 65536;
      threads[t].uc_link = &home; makecontext(&threads[t], enter, 0); }}
   for (int left = {THREADS}; left;)
   {{ left = 0;
      for (int turn = 0; turn < {THREADS}; turn++)
      {{ now = back ? {THREADS} - 1 - turn : turn; threadIdx.x = now;
         if (!over[now]) {{ swapcontext(&home, &threads[now]); left += !over[now]; }} }} }} }}
""")
    subprocess.run(["g++", "-w", "-O1", "-fwrapv", "-ffp-contract=off", "-shared", "-fPIC", "-o", str(folder / "all.so"),
                    str(folder / "all.cpp")], check=True)
    library, draw = ctypes.CDLL(str(folder / "all.so")), np.random.default_rng(seed)
    data = [(draw.choice(FLOATS, 8).astype(np.float32), draw.choice(INTS, 8).astype(np.int32), int(draw.integers(-2, 6)))
            for _ in range(8)]
    left: list[tuple[bytes, bytes]] = []
    for at in range(len(bodies)):
        orders = [b"", b""]
        for (x, q, n), back in itertools.product(data, (0, 1)):
            out, whole = np.zeros(ROOM, np.float32), np.zeros(ROOM, np.int32)
            library.run(at, *(each.ctypes.data_as(ctypes.c_void_p) for each in (x, q, out, whole)), n, 0, back)
            orders[back] += np.where(np.isnan(out), np.float32(7e7), out).tobytes() + whole.tobytes()
        left.append((orders[0], orders[1]))
    return left
