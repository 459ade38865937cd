"""Functions of the device library, operators and casts on values that matter: what the machine computes, for a GPU to repeat.

One idea: a function is a kernel of one line, `o[i] = f(a[i], b[i])`, on whole arrays. The rows come from where the front ends get
them: the table of the library, the stub of half precision, and a short list of what takes more than a call.
"""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from gpu.made import Kept, laid
from gpu.modules import Texts

from automata.lang.core import Space
from automata.lang.exactness import is_exact
from automata.lang.launch import Launch
from automata.lang.library import C_WORDS, SCALAR_WORDS, table
from automata.lang.meanings import Expand, Opaquely
from automata.lang.read import Found, find_kernels
from automata.machine.numbers.rounding import DTYPES, narrow
from automata.machine.running.run import Program
from automata.machine.state.outcome import Setting
from automata.place import InputError
from automata.proof.known.context import known_numbers, prepare
from automata.rewriting.lower import lower
from automata.scalar import BF16, Scalar
from automata.thread.build import build

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests"))
from library_calls import values_of  # noqa: E402

HEAD = "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n#include <cuda_fp8.h>\n#include <math.h>\n"
BLOCK, ROWS = 256, 1 << 14
NO_CALLS = {"__ite", "__implies", "__tanf", "labs", "umax", "umin"}
STUBS = re.compile(r"__spmd_in (H|bool|int|unsigned|float|long long|short|unsigned short|unsigned char) (\w+)\(([^()]*)\)")
APPROXIMATE = re.compile(r"h(exp|log|rsqrt|sin|cos|tanh)")
WORDS = {"H": "", "bool": "bool", "int": "i32", "unsigned": "u32", "float": "f32", "long long": "i64", "short": "i16",
         "unsigned short": "u16", "double": "f64", "__half": "f16", "__nv_bfloat16": "bf16"}


@dataclass(frozen=True)
class Row:
    """An expression over a[i], b[i], c[i] of these types, or statements that set o[i]."""

    name: str
    result: str
    params: tuple[str, ...]
    body: str

    def kernel(self, number: int) -> str:
        arrays = "".join(f", const {C_WORDS[word]} *{name}" for name, word in zip("abc", self.params, strict=False))
        return (f'extern "C" __global__ void f{number}({C_WORDS[self.result]} *o{arrays}) '
                f"{{ int i = blockIdx.x * blockDim.x + threadIdx.x; {self.body} }}  // {self.name}")


def rows() -> Iterator[Row]:
    """All rows."""
    yield from _library()
    yield from _halves()
    yield from _side_by_side()
    yield from _operators()
    yield from _casts()
    for text in SPECIAL:
        result, params, body = text.split("|")
        yield Row(body.strip(), result.strip(), tuple(params.split()), body.strip())


def _call(name: str, result: str, params: tuple[str, ...]) -> Row:
    given = ", ".join(f"{at}[i]" for at in "abc"[:len(params)])
    return Row(f"{name}({', '.join(params)})", result, params, f"o[i] = {name}({given});")


def _library() -> Iterator[Row]:
    for name, entry in table("cuda").items():
        means = entry.meaning
        exact = isinstance(means, Expand) or (isinstance(means, Opaquely) and is_exact(means.name)) or name in ALSO
        if not exact or name.startswith("__spmd") or name in NO_CALLS:
            continue
        for proto in entry.prototypes:
            params = tuple(proto.binding if word == "T" else word for word in proto.params)
            result = proto.binding if proto.result == "T" else proto.result
            if all(word in SCALAR_WORDS for word in (*params, result)) and len(params) < 4:
                yield _call(name, result, params)


def _halves() -> Iterator[Row]:
    """The functions of half precision that the stub writes out, of numbers alone; of pairs, the lower part."""
    text = (ROOT / "automata" / "lang" / "stubs" / "half.h").read_text()
    for result, name, given in STUBS.findall(text):
        if "##" in name or APPROXIMATE.match(name) or name.startswith("__spmd"):
            continue
        words = [WORDS.get(part.strip().rsplit(" ", 1)[0], "no") for part in given.split(",")]
        for half in ("f16", "bf16") if "H" in (result, *(part.strip().split(" ")[0] for part in given.split(","))) else ("f16",):
            params = tuple(word or half for word in words)
            if "no" not in params and result in WORDS:
                yield _call(name, WORDS[result] or half, params)
    for kind, source in (("half", "f16"), ("bfloat16", "bf16")):
        for mode in ("rn", "rd", "ru", "rz"):
            for word, result in (("int", "i32"), ("uint", "u32"), ("ll", "i64")):
                yield _call(f"__{kind}2{word}_{mode}", result, (source,))
        two = "half2" if kind == "half" else "bfloat162"
        low = "__low2half" if kind == "half" else "__low2bfloat16"
        for name in ("__hadd2", "__hsub2", "__hmul2", "__h2div", "__hmax2", "__hmin2", "__hlt2", "__hgt2", "__hle2", "__hge2",
                     "__heq2", "__hne2"):
            yield Row(f"{name} {source}", source, (source, source),
                      f"o[i] = {low}({name}(make_{two}(a[i], b[i]), make_{two}(b[i], a[i])));")


def _side_by_side() -> Iterator[Row]:
    from test_simd import LANES, OF_ONE

    for name in LANES:
        for count in (2, 4):
            yield _call(f"__{name}{count}", "u32", ("u32",) * (1 if name in OF_ONE else 2))


def _operators() -> Iterator[Row]:
    for word, kind in SCALAR_WORDS.items():
        if word == "bool":
            continue
        for sign in ("+", "-", "*", "/"):
            if kind.is_float or sign != "/":
                yield Row(f"{word} {sign}", word, (word, word), f"o[i] = a[i] {sign} b[i];")
        for sign in ("<", "<=", "==", "!="):
            yield Row(f"{word} {sign}", "bool", (word, word), f"o[i] = a[i] {sign} b[i];")
        if kind.is_int:
            for sign in ("/", "%"):
                yield Row(f"{word} {sign}", word, (word, word), f"o[i] = b[i] == 0 || b[i] + 1 == 0 ? 0 : a[i] {sign} b[i];")
            for sign in ("<<", ">>"):
                yield Row(f"{word} {sign}", word, (word, "u32"), f"o[i] = a[i] {sign} (b[i] & {max(kind.bits, 8) - 1});")
            for sign in ("&", "|", "^"):
                yield Row(f"{word} {sign}", word, (word, word), f"o[i] = a[i] {sign} b[i];")


def _casts() -> Iterator[Row]:
    for source in SCALAR_WORDS:
        for target in SCALAR_WORDS:
            yield Row(f"{source} to {target}", target, (source,), f"o[i] = ({C_WORDS[target]})a[i];")


ALSO = ("__drcp_rd", "__drcp_ru", "__drcp_rz", "__frcp_rd", "__frcp_ru", "__frcp_rz")
SPECIAL = """f32 | f32 | int e; o[i] = frexpf(a[i], &e);
i32 | f32 | int e; frexpf(a[i], &e); o[i] = e;
f64 | f64 | int e; o[i] = frexp(a[i], &e);
i32 | f64 | int e; frexp(a[i], &e); o[i] = e;
f32 | f32 | float e; o[i] = modff(a[i], &e);
f32 | f32 | float e; modff(a[i], &e); o[i] = e;
i32 | f32 | o[i] = isnan(a[i]) + 2 * isinf(a[i]) + 4 * isfinite(a[i]) + 8 * (signbit(a[i]) != 0);
i32 | f64 | o[i] = isnan(a[i]) + 2 * isinf(a[i]) + 4 * isfinite(a[i]) + 8 * (signbit(a[i]) != 0);
u8 | f32 | __nv_fp8_e4m3 e(a[i]); o[i] = e.__x;
u8 | f32 | __nv_fp8_e5m2 e(a[i]); o[i] = e.__x;
u8 | f64 | __nv_fp8_e4m3 e(a[i]); o[i] = e.__x;
u8 | f64 | __nv_fp8_e5m2 e(a[i]); o[i] = e.__x;
u8 | f16 | __nv_fp8_e4m3 e(a[i]); o[i] = e.__x;
u8 | f16 | __nv_fp8_e5m2 e(a[i]); o[i] = e.__x;
u8 | bf16 | __nv_fp8_e4m3 e(a[i]); o[i] = e.__x;
u8 | bf16 | __nv_fp8_e5m2 e(a[i]); o[i] = e.__x;
u8 | f32 | o[i] = __nv_cvt_float_to_fp8(a[i], __NV_NOSAT, __NV_E4M3);
u8 | f32 | o[i] = __nv_cvt_float_to_fp8(a[i], __NV_NOSAT, __NV_E5M2);
u8 | f32 | o[i] = __nv_cvt_float_to_fp8(a[i], __NV_SATFINITE, __NV_E4M3);
f32 | u8 | __nv_fp8_e4m3 e; e.__x = a[i]; o[i] = (float)e;
f32 | u8 | __nv_fp8_e5m2 e; e.__x = a[i]; o[i] = (float)e;
f32 | f32 f32 | asm("add.rn.ftz.f32 %0, %1, %2;" : "=f"(o[i]) : "f"(a[i]), "f"(b[i]));
f32 | f32 f32 | asm("mul.rn.ftz.f32 %0, %1, %2;" : "=f"(o[i]) : "f"(a[i]), "f"(b[i]));
f32 | f32 f32 f32 | asm("fma.rn.ftz.f32 %0, %1, %2, %3;" : "=f"(o[i]) : "f"(a[i]), "f"(b[i]), "f"(c[i]));
f32 | f32 f32 | asm("max.f32 %0, %1, %2;" : "=f"(o[i]) : "f"(a[i]), "f"(b[i]));
f32 | f32 f32 | asm("min.f32 %0, %1, %2;" : "=f"(o[i]) : "f"(a[i]), "f"(b[i]));
u32 | f32 | asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(o[i]) : "f"(a[i]));
u32 | f32 f32 | asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(o[i]) : "f"(a[i]), "f"(b[i]));
u32 | f32 f32 | asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(o[i]) : "f"(a[i]), "f"(b[i]));
u32 | u32 u32 | asm("add.f16x2 %0, %1, %2;" : "=r"(o[i]) : "r"(a[i]), "r"(b[i]));
u32 | u32 u32 | asm("mul.f16x2 %0, %1, %2;" : "=r"(o[i]) : "r"(a[i]), "r"(b[i]));
u32 | u32 u32 u32 | asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(o[i]) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
u32 | u32 u32 u32 | asm("bfe.u32 %0, %1, %2, %3;" : "=r"(o[i]) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
i32 | i32 u32 u32 | asm("bfe.s32 %0, %1, %2, %3;" : "=r"(o[i]) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
u32 | u32 u32 u32 | asm("bfi.b32 %0, %1, %2, %3, 9;" : "=r"(o[i]) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
u32 | u32 u32 u32 | asm("prmt.b32 %0, %1, %2, %3;" : "=r"(o[i]) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
u32 | u32 u32 u32 | asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(o[i]) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
u32 | u32 u32 i32 | o[i] = __fns(a[i], b[i] & 31, c[i] % 40);
f64 | f64 f64 | o[i] = 1.0 / (a[i] / b[i]);
u32 | u32 u32 | asm("shl.b32 %0, %1, %2;" : "=r"(o[i]) : "r"(a[i]), "r"(b[i]));
u32 | u32 u32 | asm("shr.u32 %0, %1, %2;" : "=r"(o[i]) : "r"(a[i]), "r"(b[i]));
i32 | i32 u32 | asm("shr.s32 %0, %1, %2;" : "=r"(o[i]) : "r"(a[i]), "r"(b[i]));
u32 | u32 u32 u32 | asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(o[i]) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
u32 | u32 u32 u32 | asm("mad.lo.u32 %0, %1, %2, %3;" : "=r"(o[i]) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
u32 | u32 u32 | asm("mul.hi.u32 %0, %1, %2;" : "=r"(o[i]) : "r"(a[i]), "r"(b[i]));""".splitlines()


def values(kind: Scalar, rng: np.random.Generator) -> np.ndarray[Any, Any]:
    """Values that matter, and bits at random: of types of sixteen bits or less all there are."""
    some = np.array(values_of(kind), DTYPES[kind]) if kind.bits > 1 else np.array([False, True])
    if kind.bits <= 16 and kind.bits > 1:
        codes = np.arange(1 << kind.bits, dtype=np.uint32)
        if kind == BF16:
            return (codes << np.uint32(16)).view(np.float32)
        return codes.astype(f"u{kind.bytes}").view(DTYPES[kind])
    if kind.bits == 1:
        return some
    bits = rng.integers(0, 1 << kind.bits, 4000, np.uint64, endpoint=False) if kind.bits < 64 else rng.integers(
        0, (1 << 64) - 1, 4000, np.uint64, endpoint=True)
    drawn = bits.astype(f"u{kind.bytes}").view(DTYPES[kind])
    if kind.is_float:
        near = rng.normal(0, 1, 3000) * 2.0 ** rng.integers(-4, 66, 3000)
        halves = rng.integers(-600, 600, 1000) / 2
        drawn = np.concatenate([drawn, narrow(near, kind), narrow(halves, kind)])
    else:
        small = rng.integers(0, 1 << 63, 3000, np.uint64) >> rng.integers(0, 63, 3000, np.uint64)
        drawn = np.concatenate([drawn, small.astype(DTYPES[kind])])
    return np.concatenate([some, drawn])


def columns(kinds: tuple[Scalar, ...]) -> list[np.ndarray[Any, Any]]:
    """As many values for each argument: one argument gets all there are; of several, the special ones meet each other first."""
    rng = np.random.default_rng(len(kinds) * 1000 + sum(kind.bits for kind in kinds))
    pools = [values(kind, rng) for kind in kinds]
    if len(kinds) == 1:
        count = -(-pools[0].size // BLOCK) * BLOCK
        return [np.resize(pools[0], count)]
    found = []
    for at, (kind, pool) in enumerate(zip(kinds, pools, strict=True)):
        special = np.array(values_of(kind), DTYPES[kind]) if kind.bits > 1 else pool
        picked = rng.integers(0, special.size, ROWS // 2)
        if len(kinds) == 2:
            grid = np.arange(ROWS // 2)
            picked = (grid // 47 if at else grid) % special.size
        found.append(np.concatenate([special[picked], pool[rng.integers(0, pool.size, ROWS // 2)]]))
    return found


def jobs(texts: Texts, kept: Kept, scratch: Path, told: list[str]) -> None:
    """A job for each row that the front end reads. `told` hears of each that it does not."""
    each = list(rows())
    random.Random(1).shuffle(each)
    lines = [row.kernel(number) for number, row in enumerate(each)]
    path = scratch / "table.cu"
    readable = []
    for number, (row, line) in enumerate(zip(each, lines, strict=True)):
        path.write_text(HEAD + line + "\n")
        try:
            (item,) = find_kernels(str(path))
            kept_row = _one(item, row, number)
        except InputError as error:
            told.append(f"{row.name}: {str(error)[:100]}")
            continue
        readable.append((number, row, kept_row))
    per = 40
    for start in range(0, len(readable), per):
        some = readable[start:start + per]
        text = HEAD + "\n".join(lines[number] for number, _, _ in some) + "\n"
        module = texts.add(text, f"table-{start // per}", is_loose=True)
        for number, row, (before, behind) in some:
            step = {"module": module, "kernel": f"f{number}", "grid": (behind.size // BLOCK, 1, 1), "block": (BLOCK, 1, 1),
                    "args": [["array", name] for name in ("o", *"abc"[:len(row.params)])]}
            kept.add("table", row.name, [[step]], before, {"o": behind}, ["o"], bf16=["o"] if row.result == "bf16" else [])


def _one(item: Found, row: Row, number: int) -> tuple[dict[str, Any], Any]:
    kernel = item.read()
    made = Program(build(lower(kernel, known_numbers(prepare(kernel, Launch())))))
    kinds = tuple(SCALAR_WORDS[word] for word in row.params)
    result = SCALAR_WORDS[row.result]
    given = dict(zip("abc", columns(kinds), strict=False))
    count = given["a"].size
    given["o"] = np.zeros(count, DTYPES[result])
    outcome = made.run(Setting((count // BLOCK, 1, 1), (BLOCK, 1, 1), {}, given, extents=dict.fromkeys(given, count)))
    element = {array.name: array.element for array in kernel.arrays if array.space is Space.GLOBAL}
    before = {name: laid(np.ascontiguousarray(cells), element[name]) for name, cells in given.items()}
    return before, laid(np.ascontiguousarray(outcome.buffers["o"].cells[:count]), element["o"])


