"""Words that are put together from bytes are taken apart again: packed weights, `__dp4a`, arrays in wider cells."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from automata.lang.core import Array, Kernel
from automata.lang.launch import Launch
from automata.lang.read import find_kernels
from automata.machine.running.run import Options, Program
from automata.machine.state.outcome import Setting
from automata.place import EndlessError
from automata.proof.determinism import check
from automata.rewriting import lower, packed_digits, packets
from automata.thread.build import build
from automata.verdict import Outcome, Property

# -- the machine says the same of both texts ---------------------------------------------------------------------------

TYPES = ("unsigned", "int", "unsigned long long", "long long", "unsigned short", "short")
CASTS = ("signed char", "unsigned char", "short", "unsigned short", *TYPES[:4])
MASKS = ("0xff", "0xf", "0xff00", "0xffff", "0xf0", "0xff0000u", "7", "0xff00ff", "~0xff", "0xffffffffu")


class Drawn:
    """A kernel of three locals, drawn at random. Each of four threads has its own bytes and results; shuffles join them."""

    def __init__(self, draw: random.Random) -> None:
        self.draw, self.lines, self.loops = draw, list[str](), 0
        for name in "vwu":
            self.lines.append(f"{draw.choice(TYPES)} {name} = {self.load()};")
        self.statements(draw.randrange(2, 7), 2)
        for at, name in enumerate("vwu"):
            self.lines.append(f"y[{4 + at}] = (int){name}; y[{8 + at}] = (int)({self.value(3)});")

    @property
    def text(self) -> str:
        head = "__global__ void k(const unsigned char *x, const signed char *s, int *y) {\n  " \
               "int t = threadIdx.x; x += 8 * t; s += 8 * t; y += 16 * t;\n  "
        return head + "\n  ".join(self.lines) + "\n}\n"

    def load(self) -> str:
        one, two = self.draw.randrange(8), self.draw.randrange(8)
        return self.draw.choice([f"((const unsigned *)x)[{one % 2}]", f"((const int *)x)[{one % 2}]", f"(unsigned)x[{one}]",
                                 f"(x[{one}] | x[{two}] << 8)", f"(s[{one}] << {self.draw.choice((4, 8, 16))} | x[{two}])",
                                 f"((const unsigned short *)x)[{one % 4}]"])

    def value(self, depth: int) -> str:
        draw, kind = self.draw, self.draw.randrange(14)
        if depth == 0 or kind == 0:
            return draw.choice(["v", "w", "u", self.load()])
        one = self.value(depth - 1)
        if kind < 5:
            return f"({one} {'>>' if kind < 3 else '<<'} {draw.choice((0, 4, 8, 8, 12, 16, 16, 20, 24, 3))})"
        if kind < 9:
            return f"({one} & {draw.choice(MASKS)})" if kind < 7 else f"({draw.choice(CASTS)})({one})"
        if kind < 11:
            return f"({one} {draw.choice('|^+|')} {self.value(depth - 1)})"
        if kind == 11:
            return f"(~{one})"
        if kind == 13:
            return f"(x[{draw.randrange(8)}] & 1 ? {one} : {self.value(depth - 1)})"
        sign = draw.choice(("int", "unsigned"))
        return f"__dp4a(({sign})({one}), ({sign})({self.value(depth - 1)}), ({sign})({self.value(depth - 1)}))"

    def statements(self, count: int, depth: int) -> None:
        draw = self.draw
        for _ in range(count):
            name, kind = draw.choice("vwu"), draw.randrange(9)
            if kind == 8 and depth == 2:
                given = f"({draw.choice(TYPES[:4])})({self.value(2)})"
                self.lines.append(f"{name} = __shfl_sync(15, {given}, t + {draw.randrange(4)} & 3);")
            elif kind < 4:
                self.lines.append(f"{name} = {self.value(3)};")
            elif kind == 4:
                change = draw.choice(("8", "4", "16", "0xff", f"x[{draw.randrange(8)}] << 8"))
                self.lines.append(f"{name} {draw.choice(('|=', '>>=', '<<=', '&=', '^=', '+='))} {change};")
            elif kind < 7 and depth:
                self.loops += 1
                at = f"q{self.loops}"
                self.lines.append(f"if (x[{draw.randrange(8)}] & 1) {{" if kind == 5 else
                                  f"for (int {at} = 0; {at} < {draw.choice(('3', 'x[0] & 3'))}; {at}++) {{")
                self.statements(2, depth - 1)
                self.lines.append("}")
            else:
                self.lines.append(f"y[{draw.randrange(4)}] += (int)({self.value(3)});")


def ran(kernel: Kernel) -> Mapping[int, Any]:
    """What a kernel leaves in y."""
    def initial(array: Array, index: Any) -> Any:
        return ((index * 73 + 41 if array.name == "x" else index * 151 + 99) % 256 if array.name != "y" else index * 0)

    return Program(build(kernel)).run(Setting((1, 1, 1), (4, 1, 1), {}, initial=initial), Options(max_rounds=2000)).contents("y")


def both(text: str, folder: Path, patch: pytest.MonkeyPatch) -> tuple[Kernel, Kernel]:
    """A lowered kernel, and with its words taken apart."""
    (folder / "k.cu").write_text(text)
    kernel = find_kernels(str(folder / "k.cu"))[0].read()
    with patch.context() as inside:
        inside.setattr(lower, "unpacked", lambda plain: plain)
        plain = lower.lower(kernel, {}, 400)
    return plain, packets.unpacked(plain)


def unlike(seed: int, folder: Path, patch: pytest.MonkeyPatch) -> bool:
    plain, apart = both(Drawn(random.Random(seed)).text, folder, patch)
    try:
        return ran(plain) != ran(apart)
    except EndlessError:
        return False


@pytest.mark.drawn(40)
def test_the_machine_sees_no_difference(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not unlike(seed, tmp_path, monkeypatch)


def test_what_is_forgotten_at_branches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The upper digits of v are zero before the loop, and in its first round alone."""
    text = ("__global__ void k(const unsigned char *x, const signed char *s, int *y) { unsigned v = x[0] | x[1] << 8;\n"
            "for (int q = 0; q < (x[2] & 3) + 2; q++) v = v << 8 | x[3 + q]; y[0] = v & 0xffff; y[1] = v >> 24; y[2] = v >> 4;\n"
            "if (x[0] & 1) v = x[0]; y[3] = v >> 8; }")
    plain, apart = both(text, tmp_path, monkeypatch)
    assert plain != apart and ran(plain) == ran(apart)


@pytest.mark.parametrize("fault", ["a sign is forgotten", "a digit is lost"])
def test_the_machine_would_see_one(fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if fault == "a sign is forgotten":
        for module in (packets, packed_digits):
            monkeypatch.setattr(module, "filled_behind", lambda digits, signed: 0)
    else:
        both_digits = packed_digits.both_digits
        monkeypatch.setattr(packed_digits, "both_digits", lambda op, one, two: (
            one if op == "|" and one is not None else both_digits(op, one, two)))
    assert any(unlike(seed, tmp_path, monkeypatch) for seed in range(60))


# -- pairs -------------------------------------------------------------------------------------------------------------

HEAD = "#include <cuda_fp16.h>\n// spmd: block=BLOCK require n > 0, n % 8 == 0, n < 100000, gridDim.x*64 >= n\n"
ROW = "// spmd: block=32 require n > 0, n % 4 == 0, n < 100000\n"
EACH = "__global__ void k({}, int n) {{\n    int t = blockIdx.x * blockDim.x + threadIdx.x;\n    if ({} < n) {{ {} }}\n}}\n"
DOT = "__global__ void k(const signed char *w, const signed char *x, int *y, int n) {\n    int s = 0;\n"
WHOLE = DOT + ("    for (int j = 0; j < n; j++) s += (int)w[blockIdx.x * n + j] * (int)x[j];\n"
               "    if (threadIdx.x == 0) y[blockIdx.x] = s;\n}\n")
FOURS = DOT + ("    const int *w4 = (const int *)(w + blockIdx.x * n), *x4 = (const int *)x;\n"
               "    for (int j = threadIdx.x; j < n / 4; j += 32) { int a = w4[j], b = x4[j]; STEP }\n"
               "    for (int h = 16; h > 0; h >>= 1) s += __shfl_down_sync(0xffffffffu, s, h);\n"
               "    if (threadIdx.x == 0) y[blockIdx.x] = s;\n}\n")
BYTES = "for (int q = 0; q < 4; q++) s += (int)(signed char)(a >> (8 * q)) * (int)(signed char)(b >> (8 * q));"
NIBBLES = EACH.format("const unsigned char *w, const float *s, float *y", "2 * t",
                      "y[2 * t] = s[t / 32] * ((int)(w[t] & 15) - 8); y[2 * t + 1] = s[t / 32] * ((int)(w[t] >> 4) - 8);")
EIGHT = EACH.format("const unsigned *w, const float *s, float *y", "8 * t",
                    "unsigned v = w[t]; for (int q = 0; q < 8; q++) y[8 * t + q] = s[t / 8] * ((int)((v >> (4 * q)) & 0xf) - 8);")
WIDENED = EACH.format("const signed char *w, int *y", "t", "y[t] = w[t];")
SHIFTED = EACH.format("const int *w, int *y", "4 * t",
                      "int v = w[t]; y[4 * t] = (v << 24) >> 24; y[4 * t + 1] = (v << 16) >> 24; "
                      "y[4 * t + 2] = (v << 8) >> 24; y[4 * t + 3] = v >> 24;")
ROUNDED = EACH.format("const float *x, unsigned char *y", "t", "y[t] = (unsigned char)(int)x[t];")
PACKED = EACH.format("const float *x, unsigned *y", "4 * t",
                     "unsigned v = 0; for (int q = 0; q < 4; q++) v |= (unsigned)(unsigned char)(int)x[4 * t + q] << (8 * q); "
                     "y[t] = v;")
SQUARES = EACH.format("const half *x, half *y", "t", "y[t] = __hmul(x[t], x[t]);")
VECTOR = EACH.format("const uint4 *x, uint4 *y", "8 * t",
                     "uint4 v = x[t]; half *h = (half *)&v; for (int q = 0; q < 8; q++) h[q] = __hmul(h[q], h[q]); y[t] = v;")
COPIES = (EACH.format("const float *x, float *y", "t", "y[t] = x[t];"),
          EACH.format("const int4 *x, int4 *y", "4 * t", "y[t] = x[t];"))

HOLDS = {
    "bytes of int, shifted": (ROW, WHOLE, FOURS.replace("STEP", BYTES)),
    "bytes of int, __dp4a": (ROW, WHOLE, FOURS.replace("STEP", "s = __dp4a(a, b, s);")),
    "eight weights of four bits": (HEAD, NIBBLES, EIGHT),
    "signs by shifts": (HEAD, WIDENED, SHIFTED),
    "bytes packed one by one": (HEAD, ROUNDED, PACKED),
    "half in uint4": (HEAD, SQUARES, VECTOR),
    "floats as int4": (HEAD, *COPIES),
}
FAILS = {
    "a byte without its sign": (ROW, WHOLE, FOURS.replace("STEP", BYTES.replace("(signed char)(a", "(unsigned char)(a"))),
    "bytes crossed": (ROW, WHOLE, FOURS.replace("STEP", BYTES.replace("(b >> (8 * q))", "(b >> (24 - 8 * q))"))),
    "the last byte dropped": (ROW, WHOLE, FOURS.replace("STEP", BYTES.replace("q < 4", "q < 3"))),
    "__dp4a of bytes moved": (ROW, WHOLE, FOURS.replace("STEP", "s = __dp4a(a, b >> 8, s);")),
    "weights crossed": (HEAD, NIBBLES, EIGHT.replace("(4 * q)", "(4 * (q ^ 1))")),
    "another zero": (HEAD, NIBBLES, EIGHT.replace("- 8", "- 7")),
    "a shift too short": (HEAD, WIDENED, SHIFTED.replace("(v << 8)", "(v << 4)")),
    "a shift without a sign": (HEAD, WIDENED, SHIFTED.replace("int v = w[t]", "unsigned v = w[t]")),
    "bytes packed from behind": (HEAD, ROUNDED, PACKED.replace("(8 * q)", "(24 - 8 * q)")),
    "bytes packed over each other": (HEAD, ROUNDED, PACKED.replace("(8 * q)", "(8 * (q & 2))")),
    "half moved by one": (HEAD, SQUARES, VECTOR.replace("h[q] = __hmul(h[q], h[q])", "h[q] = __hmul(h[q ^ 1], h[q])")),
}


@pytest.mark.parametrize("at", ["all sizes", "a launch"])
@pytest.mark.parametrize("name", HOLDS)
def test_equal(name: str, at: str, compared: Any) -> None:
    found = compared(*sides(*HOLDS[name]), *launch(at, HOLDS[name][0]))
    assert found["verdict"] == "equal" and (at == "a launch" or found["assurance"] == "proved"), found


@pytest.mark.parametrize("at", ["all sizes", "a launch"])
@pytest.mark.parametrize("name", FAILS)
def test_never_equal(name: str, at: str, compared: Any) -> None:
    assert compared(*sides(*FAILS[name]), *launch(at, FAILS[name][0]))["verdict"] == "different"


def sides(head: str, one: str, two: str) -> tuple[str, str]:
    return head.replace("BLOCK", "64") + one, head.replace("BLOCK", "64") + two


def launch(at: str, head: str) -> tuple[str, ...]:
    block = "32" if head == ROW else "64"
    return () if at == "all sizes" else ("--block", block, "--grid", "2", "--arg", "n=96")


def test_a_read_is_never_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One thread reads a word of which it takes one byte, another writes a byte beside it: that is a race, and stays one."""
    text = ("// spmd: block=32 grid=1\n__global__ void k(unsigned char *x, int *y) { int t = threadIdx.x;\n"
            "unsigned v = ((unsigned *)x)[t] & 0xff; y[t] = v; x[4 * t + 5] = 1; }")
    (tmp_path / "k.cu").write_text(text)
    kernel = find_kernels(str(tmp_path / "k.cu"))[0].read()
    report, _ = check(kernel, Launch(grid=(1, 1, 1), block=(32, 1, 1)))
    assert report.properties[Property.RACE_FREE] is Outcome.REFUTED
