"""Random programs of one thread, changes of them, and what they leave when g++ compiles them."""

from __future__ import annotations

import ctypes
import itertools
import random
import subprocess
from pathlib import Path
from typing import Any

import numpy as np

PARAMETERS = "const float *x, const int *q, float *out, int *whole, int n, int m"
SET = " ".join(f"float f{at} = x[{at}]; int i{at} = q[{at}];" for at in range(3))
ROOM = 1024
"""Elements of each output."""
FLOATS = (0.0, -0.0, 1.0, -1.5, 3.25, np.inf, np.nan, 1e30)
INTS = (0, 1, 2, -1, 5, 127, 2**31 - 1, -2**31)
DECLARED = ("int v", "float v")


class Programs:
    """Random bodies of one thread: locals, branches, loops with breaks, stores to arrays of its own, and changes of them."""

    FLOATS, INTS = ("f0", "f1", "f2"), ("i0", "i1", "i2")

    def __init__(self, seed: int) -> None:
        self.draw, self.labels = random.Random(seed), itertools.count()

    def whole(self, depth: int = 2) -> str:
        one = self.draw.choice
        if depth == 0:
            return one([*self.INTS, *self.INTS, "n", "t", str(self.draw.randrange(4))])
        a, b = self.whole(depth - 1), self.whole(self.draw.randrange(depth))
        return one([f"({a} + {b})", f"({a} - {b})", f"({a} * {b})", f"({a} & {b})", f"q[{a} & 7]", f"({a} < {b} ? {a} : {b})",
                    f"({a} >> 1)", f"(int)(unsigned char)({a})", f"(int)((unsigned)({a}) / 3)", a])

    def real(self, depth: int = 2) -> str:
        one = self.draw.choice
        if depth == 0:
            return one([*self.FLOATS, *self.FLOATS, "x[t & 7]", "0.5f"])
        a, b = self.real(depth - 1), self.real(self.draw.randrange(depth))
        return one([f"({a} + {b})", f"({a} * {b})", f"({a} - {b})", f"x[{self.whole(1)} & 7]", f"({self.test()} ? {a} : {b})", a])

    def test(self) -> str:
        one = self.draw.choice([f"{self.whole(1)} {self.draw.choice(['<', '<=', '==', '!='])} {self.whole(0)}",
                                f"{self.draw.choice(self.FLOATS)} < {self.draw.choice(self.FLOATS)}"])
        return self.draw.choice([one, one, f"!({one})", f"({one}) && n < {self.whole(0)}"])

    def block(self, depth: int, inside: bool = False) -> list[Any]:
        return [self.statement(depth, inside) for _ in range(self.draw.randrange(1, 4))]

    def statement(self, depth: int, inside: bool) -> Any:
        kinds = ["int", "float", "float", "store", *(["if", "if", "for"] if depth else []), *(["jump"] if inside else [])]
        kind = self.draw.choice(kinds)
        match kind:
            case "int":
                return f"{self.draw.choice(self.INTS)} = {self.whole()};"
            case "float":
                return f"{self.draw.choice(self.FLOATS)} = {self.real()};"
            case "store":
                return self.draw.choice([f"out[8 * t + ({self.whole(1)} & 7)] = {self.real(1)};",
                                         f"whole[8 * t + ({self.whole(1)} & 7)] = {self.whole(1)};"])
            case "if":
                return ["if", self.test(), self.block(depth - 1, inside), self.draw.choice([[], self.block(depth - 1, inside)])]
            case "for":
                return ["for", f"c{next(self.labels)}", str(self.draw.randrange(1, 5)), self.block(depth - 1, True)]
            case _:
                return f"if ({self.test()}) {self.jump()};"

    def jump(self) -> str:
        return self.draw.choice(["break", "continue", "return"])

    def changed(self, body: list[Any]) -> list[Any]:
        """The same statements, some of them written in another way, at times with another meaning."""
        made: list[Any] = []
        for at, stmt in enumerate(body):
            made += self.one_changed(stmt, is_last=at == len(body) - 1)
        if len(made) > 1 and self.draw.random() < 0.1:
            at = self.draw.randrange(len(made) - 1)
            if not str(made[at]).startswith(DECLARED):
                made[at], made[at + 1] = made[at + 1], made[at]
        return made

    def one_changed(self, stmt: Any, *, is_last: bool) -> list[Any]:
        chance = self.draw.random()
        if isinstance(stmt, str):
            if chance < 0.04:
                return []
            if chance < 0.12:
                old, new = self.draw.sample([*self.INTS, *self.FLOATS], 2)
                return [stmt.replace(old, new) if old[0] == new[0] else stmt]
            if chance < 0.16:
                name, _, value = stmt.partition(" = ")
                return [f"{name} = {value.replace(' + ', ' - ', 1)}" if value else stmt]
            if chance < 0.4 and " = " in stmt and not stmt.startswith("if"):
                name, _, value = stmt.partition(" = ")
                new, kind = f"v{next(self.labels)}", "int" if name[0] in "iw" else "float"
                return [f"{kind} {new} = {value}", f"{name} = {new};"]
            return [stmt]
        if stmt[0] == "for":
            return [["for", stmt[1], stmt[2], self.changed(stmt[3])]]
        _, test, then, other = stmt
        then, other = self.changed(then), self.changed(other)
        if chance < 0.3:
            return [["if", f"!({test})", other, then]]
        if chance < 0.35:
            return [["if", test, other, then]]
        return [["if", test, then, other]]

    def text(self, body: list[Any]) -> str:
        return " ".join(map(self.one_text, body))

    def one_text(self, stmt: Any) -> str:
        if isinstance(stmt, str):
            return stmt
        if stmt[0] == "for":
            _, name, rounds, body = stmt
            return f"for (int {name} = 0; {name} < {rounds} + (n & 3); {name}++) {{ {self.text(body)} }}"
        _, test, then, other = stmt
        return f"if ({test}) {{ {self.text(then)} }} else {{ {self.text(other)} }}"


def run_all(folder: Path, bodies: list[str], seed: int) -> list[bytes]:
    """What each body leaves in both outputs, of eight threads, on some data."""
    functions = "".join(f"static void k{at}({PARAMETERS}) {{ {body} }}\n" for at, body in enumerate(bodies))
    table = ", ".join(f"k{at}" for at in range(len(bodies)))
    (folder / "all.cpp").write_text(f"""struct {{ int x; }} threadIdx, blockIdx, blockDim;
{functions}void (*all[])(const float *, const int *, float *, int *, int, int) = {{ {table} }};
extern "C" void run(int at, {PARAMETERS})
{{ for (threadIdx.x = 0; threadIdx.x < 8; threadIdx.x++) all[at](x, q, out, whole, n, m); }}
""")
    subprocess.run(["g++", "-w", "-O1", "-fwrapv", "-ffp-contract=off", "-shared", "-fPIC", "-o", str(folder / "all.so"),
                    str(folder / "all.cpp")], check=True)
    library, draw = ctypes.CDLL(str(folder / "all.so")), np.random.default_rng(seed)
    data = [(draw.choice(FLOATS, 8).astype(np.float32), draw.choice(INTS, 8).astype(np.int32), int(draw.integers(-2, 6)))
            for _ in range(12)]
    left = []
    for at in range(len(bodies)):
        all_left = b""
        for x, q, n in data:
            out, whole = np.zeros(ROOM, np.float32), np.zeros(ROOM, np.int32)
            library.run(at, *(each.ctypes.data_as(ctypes.c_void_p) for each in (x, q, out, whole)), n, 0)
            all_left += np.where(np.isnan(out), np.float32(7e7), out).tobytes() + whole.tobytes()
        left.append(all_left)
    return left
