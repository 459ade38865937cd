"""A C twin of a Core kernel: an oracle that shares no code with the machine.

Kernels as the front ends leave them become one shared library, in which each is a C function for one thread, a
coroutine: threads of a block run one after another, each to its next meeting point; so do blocks, together where the
kernel has a barrier of the grid. What C leaves open is as `automata.arithmetic` has it: integers wrap, a quotient by
zero and a shift out of range are 0, a float that an integer cannot hold saturates,
NaN gives what PTX's cvt does. The rest raises `NotTwinned`.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count as counter
from math import isfinite, isnan, prod
from pathlib import Path

import numpy as np

from automata.lang import core
from automata.lang.builtins import FUNCTIONS
from automata.lang.core import AXES, LOGICAL, Array, Expr, Kernel, Quantity, Space, Stmt
from automata.lang.traverse import walk
from automata.scalar import BOOL, F16, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64, Scalar

GCC = shutil.which("gcc")
FLAGS = ("-std=gnu11", "-O1", "-fwrapv", "-ffp-contract=off", "-fno-strict-aliasing", "-fno-builtin", "-w", "-shared", "-fPIC")
STACK, FUEL, FULL = 1 << 16, 5_000_000, 2**32 - 1
UNTIL, NEVER = "@until@", 2**31 - 1
HALF = GCC is not None and b"__FLT16_MAX__" in subprocess.check_output([GCC, "-dM", "-E", "-x", "c", "/dev/null"])

TYPES = {BOOL: ("b8", np.bool_), I8: ("i8", np.int8), U8: ("u8", np.uint8), I16: ("i16", np.int16), U16: ("u16", np.uint16),
         I32: ("i32", np.int32), U32: ("u32", np.uint32), I64: ("i64", np.int64), U64: ("u64", np.uint64),
         F16: ("f16", np.float16), F32: ("f32", np.float32), F64: ("f64", np.float64)}

RUNTIME = r"""
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
typedef unsigned char b8; typedef int8_t i8; typedef uint8_t u8; typedef int16_t i16; typedef uint16_t u16;
typedef int32_t i32; typedef uint32_t u32; typedef int64_t i64; typedef uint64_t u64; typedef float f32; typedef double f64;
typedef __int128 wide; enum { READY, WARP, BLOCK, GRID, DONE }; enum { IDX, UP, DOWN, XOR };
typedef struct { const long *count; const u64 *scalars; long fuel, outside, undefined, diverged; ucontext_t home; } launch;
typedef struct thread {
  launch *run; void **data; u32 at[12]; int state, site, live, until, gone; u64 given, shown; struct thread *warp, *block;
  int lane, lanes, size; void (*body)(struct thread *); ucontext_t context;
} thread;
static void meet(thread *t, int scope, int site, int until, u64 given) {
  t->state = scope; t->site = site; t->until = until; t->given = given; swapcontext(&t->context, &t->run->home); }
static void tick(thread *t) { if (t->run->fuel-- <= 0) meet(t, DONE, 0, 0, 0); }
#define FLOAT(T) \
static T *cell_##T(thread *t, T *p, long n, wide i) { return i >= 0 && i < n ? p + i : (t->run->outside++, (T *)0); } \
static T load_##T(thread *t, const void *p, long n, wide i) { T *cell = cell_##T(t, p, n, i); return cell ? *cell : (T)0; } \
static void store_##T(thread *t, void *p, long n, wide i, T value) { T *cell = cell_##T(t, p, n, i); if (cell) *cell = value; } \
static u64 bits_##T(T value) { u64 bits = 0; memcpy(&bits, &value, sizeof value); return bits; } \
static T from_bits_##T(u64 bits) { T value; memcpy(&value, &bits, sizeof value); return value; }
#define WHOLE(T, LOW, HIGH) FLOAT(T) \
static T div_##T(T a, T b) { return b == 0 ? 0 : LOW < 0 && b == (T)-1 ? (T)-a : (T)(a / b); } \
static T mod_##T(T a, T b) { return b == 0 || LOW < 0 && b == (T)-1 ? 0 : (T)(a % b); } \
static T shl_##T(T a, wide by) { return by < 0 || by >= 8 * (int)sizeof a ? 0 : (T)((u64)a << (int)by); } \
static T shr_##T(T a, wide by) { return by < 0 || by >= 8 * (int)sizeof a ? 0 : (T)(a >> (int)by); } \
static T none_##T(int of) { return sizeof(T) == 8 || (sizeof(T) == 4 && of == 8) ? (T)((u64)1 << (8 * sizeof(T) - 1)) : 0; } \
static T saturated_##T(f64 x, int of) { return x != x ? none_##T(of) : x <= (f64)LOW ? LOW : x >= (f64)HIGH ? HIGH : (T)x; }
FLOAT(b8) FLOAT(f32) FLOAT(f64)
WHOLE(i8, INT8_MIN, INT8_MAX) WHOLE(u8, 0, UINT8_MAX) WHOLE(i16, INT16_MIN, INT16_MAX) WHOLE(u16, 0, UINT16_MAX)
WHOLE(i32, INT32_MIN, INT32_MAX) WHOLE(u32, 0, UINT32_MAX) WHOLE(i64, INT64_MIN, INT64_MAX) WHOLE(u64, 0, UINT64_MAX)
static f64 least(f64 x, f64 y) { return x == 0 && y == 0 ? 1 / x < 1 / y ? x : y : fmin(x, y); }
static f64 most(f64 x, f64 y) { return -least(-x, -y); } static f64 rsqrt(f64 x) { return 1 / sqrt(x); }
static int clz(u64 x, int bits) { return x ? __builtin_clzll(x) - (64 - bits) : bits; }

/* A group whose threads all wait at one meeting point goes on; what each has given is then there to be read. A warp waits
   for lanes that have ended behind the meeting point, not for those that returned before. */
static int release(thread *first, long count, int scope) {
  long waiting = 0; int site = -1, until = 0;
  for (thread *t = first; t < first + count; t++) if (t->state != DONE) {
    if (t->state != scope || (waiting && t->site != site)) return 0;
    site = t->site; until = t->until; waiting++; }
  for (thread *t = first; waiting && scope == WARP && t < first + count; t++) if (t->state == DONE && t->gone > until) return 0;
  for (thread *t = first; waiting && t < first + count; t++) {
    t->live = t->state != DONE; t->shown = t->given;
    if (t->live) t->state = READY; else t->run->diverged += scope != WARP;
  }
  return waiting != 0; }
static u64 shuffle(thread *t, int how, wide by, wide width) {
  int ok = width > 0 && width <= 32 && !((int)width & ((int)width - 1)) && (how == IDX || (by >= 0 && by < 32));
  int lane = t->lane, base = lane & ~((int)width - 1), last = base + (int)width - 1, n = how == IDX ? by & (width - 1) : by;
  int to = how == IDX ? base + n : how == UP ? lane - n : how == DOWN ? lane + n : lane ^ n;
  int from = ok && (how == UP ? to >= base : to <= last) ? to : lane;
  if (!ok || from >= t->lanes || !t->warp[from].live) { t->run->undefined++; from = lane; }
  return t->warp[from].shown;
}
static long votes(thread *first, int count, u64 vote) {
  return count ? (first->live && first->shown == vote) + votes(first + 1, count - 1, vote) : 0; }
static u32 ballot(thread *first, int count) {
  return count ? (first->live && first->shown) | ballot(first + 1, count - 1) << 1 : 0; }
static thread *entering; static void enter(void) { thread *t = entering; t->body(t); t->state = DONE; }
static void play(launch *run, thread *all, long blocks, long size) {
  for (int moved = 1; moved && run->fuel > 0;) {
    for (long i = 0; i < blocks * size && run->fuel > 0; i++)
      if (all[i].state == READY) { entering = all + i; swapcontext(&run->home, &all[i].context); }
    moved = release(all, blocks * size, GRID);
    for (thread *b = all; b < all + blocks * size; b += size) {
      for (long w = 0; w < size; w += 32) moved |= release(b + w, size - w < 32 ? size - w : 32, WARP);
      moved |= release(b, size, BLOCK);
    }
  }
  for (long i = 0; i < blocks * size; i++) run->diverged += all[i].state != DONE;
}
extern void (*const table[])(thread *);
void twin(const u32 *size, void **data, const long *count, const long *shared, const u64 *scalars, long *facts) {
  long number = facts[0], arrays = facts[1], together = facts[2], stack = facts[3];
  launch run = { .count = count, .scalars = scalars, .fuel = facts[4] };
  long blocks = (long)size[0] * size[1] * size[2], threads = (long)size[3] * size[4] * size[5], part = together ? blocks : 1;
  thread *all = calloc(part * threads, sizeof *all);
  char *stacks = malloc(part * threads * stack); void **own = calloc(part * arrays + 1, sizeof *own);
  for (long start = 0; start < blocks; start += part) {
    for (long i = 0; i < part * arrays; i++)
      own[i] = shared[i % arrays] ? calloc(count[i % arrays] + 1, shared[i % arrays]) : data[i % arrays];
    for (long i = 0; i < part * threads; i++) {
      u32 n = i % threads, warp = n / 32 * 32, b = start + i / threads;
      thread *block = all + (i - n);
      all[i] = (thread){ .run = &run, .data = own + i / threads * arrays, .body = table[number], .block = block, .size = threads,
        .warp = block + warp, .lane = n - warp, .lanes = threads - warp < 32 ? threads - warp : 32,
        .at = { n % size[3], n / size[3] % size[4], n / size[3] / size[4], b % size[0], b / size[0] % size[1],
                b / size[0] / size[1], size[3], size[4], size[5], size[0], size[1], size[2] } };
      ucontext_t *context = &all[i].context;
      getcontext(context);
      context->uc_stack = (stack_t){ .ss_sp = stacks + i * stack, .ss_size = stack }; context->uc_link = &run.home;
      makecontext(context, enter, 0);
    }
    play(&run, all, part, threads);
    for (long i = 0; i < part * arrays; i++) if (shared[i % arrays]) free(own[i]);
  }
  free(own); free(stacks); free(all);
  facts[4] = run.fuel; facts[5] = run.outside; facts[6] = run.undefined; facts[7] = run.diverged;
}
"""


class NotTwinned(Exception):
    """A kernel with something that has no twin; the text names it."""


def c_type(kind: Scalar) -> str:
    if kind not in TYPES or (kind == F16 and not HALF):
        raise NotTwinned(str(kind))
    return TYPES[kind][0]


def literal(value: int | float, kind: Scalar) -> str:
    if kind.is_int:
        return f"(({c_type(kind)})0x{int(value) & (2**64 - 1):x}ul)"
    text = float(value).hex() if isfinite(value) else "NAN" if isnan(value) else "INFINITY" if value > 0 else "-INFINITY"
    return f"(({c_type(kind)}){text})"


def rounded(text: str, kind: Scalar) -> str:
    return f"(b8)(({text}) != 0)" if kind == BOOL else f"({c_type(kind)})({text})"


def extent(array: Array) -> int | None:
    """Elements of an array that the source itself states; None: the launch does."""
    return None if None in array.dims else prod(size for size in array.dims if size is not None)


def call(function: str, args: Sequence[str], given: Scalar, kind: Scalar) -> str:
    """A function of the device library; floats are computed in double precision and rounded once."""
    base = function.removeprefix("native_").removeprefix("__")
    base = _LEAST.get(base.removesuffix("f"), base.removesuffix("f") if base.removesuffix("f") in FUNCTIONS else base)
    if function == "fma" and kind in (F32, F64):
        return f"{'fmaf' if kind == F32 else 'fma'}({', '.join(args)})"
    if function in FUNCTIONS:
        return f"({c_type(kind)}){base}({', '.join(f'(f64){arg}' for arg in args)})"
    if function in _COUNTS and given.is_int:
        return f"({c_type(kind)}){_COUNTS[function]}((u{given.bits}){args[0]}{f', {given.bits}' * (function == 'clz')})"
    if function == "mulhi" and kind.is_int:
        return f"({c_type(kind)})(((wide){args[0]} * (wide){args[1]}) >> {kind.bits})"
    raise NotTwinned(function)


_LEAST, _COUNTS = {"fmin": "least", "fmax": "most"}, {"popcount": "__builtin_popcountll", "clz": "clz", "ffs": "__builtin_ffsll"}
_HELPED = {"/": "div", "%": "mod", "<<": "shl", ">>": "shr"}
_SHUFFLES = {"shfl": "IDX", "shfl_up": "UP", "shfl_down": "DOWN", "shfl_xor": "XOR"}
_VOTES = {"all": "votes(t->warp, t->lanes, 0) == 0", "any": "votes(t->warp, t->lanes, 1) != 0",
          "ballot": "ballot(t->warp, t->lanes)", "and": "votes(t->block, t->size, 0) == 0",
          "or": "votes(t->block, t->size, 1) != 0", "count": "votes(t->block, t->size, 1)"}
_UPDATES = {"exch": "given", "inc": "old >= given ? 0 : old + 1", "dec": "old == 0 || old > given ? given : old - 1",
            "and": "old & given", "or": "old | given", "xor": "old ^ given", "add": "old + given", "sub": "old - given"}


class Emitter:
    """One kernel as a C function `kernel_NUMBER`; expressions have no effects, so they become C expressions."""

    def __init__(self, kernel: Kernel, number: int) -> None:
        self.kernel, self.number, self.depth = kernel, number, 0
        self.arrays = {array.name: at for at, array in enumerate(kernel.arrays)}
        self.kinds: dict[str, Scalar] = {param.name: param.type for param in kernel.params}
        for stmt in walk(kernel.body):
            if isinstance(stmt, core.Declare):
                self.kinds[stmt.name] = stmt.type
        self.names = {name: f"v{at}" for at, name in enumerate(self.kinds)}
        self.labels: dict[str, str] = {}
        self.sites = counter(1)

    def function(self) -> str:
        """The whole C text of the kernel."""
        lines = [f"{c_type(self.kinds[name])} {text} = 0; /* {name.replace('*/', '')} */" for name, text in self.names.items()]
        lines += [f"memcpy(&{self.names[param.name]}, t->run->scalars + {at}, sizeof {self.names[param.name]});"
                  for at, param in enumerate(self.kernel.params)]
        lines += [f"{c_type(array.element)} a{at}[{max(1, extent(array) or 0)}] = {{0}};"
                  for at, array in enumerate(self.kernel.arrays) if array.space is Space.PRIVATE and array.content is None]
        tables = [f"static const {c_type(array.element)} kernel_{self.number}_a{at}[] = "
                  f"{{{', '.join(literal(value, array.element) for value in array.content)}}};\n"
                  for at, array in enumerate(self.kernel.arrays) if array.content is not None]
        text = "\n  ".join([f"static void kernel_{self.number}(thread *t) {{", *lines, *self.block(self.kernel.body),
                             f"t->gone = {next(self.sites)};", "end:;"])
        return f"{''.join(tables)}{text}\n}}\n"

    def block(self, body: tuple[Stmt, ...]) -> list[str]:
        return [line for stmt in body for line in self.statement(stmt)]

    def statement(self, stmt: Stmt) -> list[str]:
        match stmt:
            case core.Declare(name=name):
                return [f"{self.names[name]} = 0;"]
            case core.Assign(name=name, value=value):
                return [f"{self.names[name]} = {self.expr(value)};"]
            case core.Store(array=array, index=index, value=value):
                return [f"store_{c_type(self.kernel.array(array).element)}({self.cell(array, index)}, {self.expr(value)});"]
            case core.Return():
                return [f"t->gone = {next(self.sites)}; goto end;"]
            case core.Leave():
                return [f"goto {self.labels[stmt.label]};"]
            case core.Barrier() | core.AsyncWait():
                return [self.meet(stmt.scope, stmt.mask) if isinstance(stmt, core.Barrier) else self.meet("block", None)]
            case core.Havoc(what=what):
                raise NotTwinned(what)
            case core.Claim() | core.Print() | core.Fence():
                return []
        lines: list[str] = getattr(self, "do_" + type(stmt).__name__.lower())(stmt)
        return lines

    def cell(self, array: str, index: tuple[Expr, ...]) -> str:
        """The arguments that name a cell: base, elements, row-major position."""
        found, at = self.kernel.array(array), self.arrays[array]
        position = "(wide)0"
        for part, size in zip(index, found.dims, strict=True):
            position = f"({position} * {size or 0} + (wide){self.expr(part)})"
        if found.content is not None:
            return f"t, kernel_{self.number}_a{at}, {len(found.content)}, {position}"
        if found.space is Space.PRIVATE:
            return f"t, a{at}, {extent(found)}, {position}"
        return f"t, t->data[{at}], t->run->count[{at}], {position}"

    def expr(self, expr: Expr) -> str:
        """A C expression in brackets, of the type of the Core expression."""
        match expr:
            case core.Const(value=value, type=kind):
                return literal(value, kind)
            case core.Var(name=name):
                return self.names[name]
            case core.Special(quantity=quantity, axis=axis, type=kind):
                return f"(({c_type(kind)})t->at[{list(Quantity).index(quantity) * 3 + AXES.index(axis)}])"
            case core.Load(array=array, index=index, type=kind):
                return f"load_{c_type(kind)}({self.cell(array, index)})"
            case core.Call(function=function, args=args, type=kind):
                return f"({call(function, [self.expr(arg) for arg in args], args[0].type if args else I32, kind)})"
            case core.Binary():
                return f"({self.binary(expr)})"
        return f"({self.converted(expr)})"

    def converted(self, expr: core.Unary | core.Cast | core.Bits | core.Select) -> str:
        kind, name = expr.type, c_type(expr.type)
        if isinstance(expr, core.Select):
            return f"({name})({self.expr(expr.test)} ? {self.expr(expr.then)} : {self.expr(expr.other)})"
        arg, given = self.expr(expr.arg), expr.arg.type
        if isinstance(expr, core.Bits):
            return f"from_bits_{name}(bits_{c_type(given)}({arg}))"
        if isinstance(expr, core.Cast) and given.is_float and kind.is_int and kind != BOOL:
            return f"saturated_{name}({arg}, {given.bytes})"
        op = expr.op if isinstance(expr, core.Unary) else ""
        return rounded(f"{op}(f64){arg}" if kind == F16 else f"{op}{arg}", kind)

    def binary(self, expr: core.Binary) -> str:
        left, right, kind = self.expr(expr.left), self.expr(expr.right), expr.left.type
        if kind == F16 and expr.op not in LOGICAL:
            left, right = f"(f64){left}", f"(f64){right}"
        if expr.op in _HELPED and kind.is_int:
            return rounded(f"{_HELPED[expr.op]}_{c_type(I32 if kind == BOOL else kind)}({left}, {right})", expr.type)
        return rounded(f"{left} {expr.op} {right}", expr.type)

    def do_if(self, stmt: core.If) -> list[str]:
        return [f"if ({self.expr(stmt.test)}) {{", *self.block(stmt.then), "} else {", *self.block(stmt.other), "}"]

    def do_loop(self, stmt: core.Loop | core.Block) -> list[str]:
        label = self.labels[stmt.label] = f"after_{next(self.sites)}"
        if isinstance(stmt, core.Block):
            return ["{", *self.block(stmt.body), "}", f"{label}:;"]
        self.depth += 1
        body = self.block(stmt.body + stmt.step)
        self.depth -= 1
        if not self.depth:
            last = str(next(self.sites))
            body = [line.replace(UNTIL, last) for line in body]
        return [f"while ({self.expr(stmt.test)}) {{ tick(t);", *body, "}", f"{label}:;"]

    do_block = do_loop

    def meet(self, scope: str, mask: Expr | None, given: str = "0") -> str:
        """A meeting point of all threads of a block or grid, or all lanes of a warp."""
        if scope not in ("warp", "block", "grid") or (isinstance(mask, core.Const) and mask.value != FULL):
            raise NotTwinned(f"some lanes of a {scope}")
        partly = "" if mask is None else f"t->run->undefined += {self.expr(mask)} != {FULL}u; "
        site = next(self.sites)
        until = NEVER if mask is None else UNTIL if self.depth else site
        return f"{partly}meet(t, {scope.upper()}, {site}, {until}, {given});"

    def do_asynccopy(self, stmt: core.AsyncCopy) -> list[str]:
        """Each thread makes the whole copy; the stride is that of the side in global memory."""
        kind, zero = c_type(self.kernel.array(stmt.target).element), (core.Const(0, I64),)
        stride = "1" if stmt.stride is None else self.expr(stmt.stride)
        outward = self.kernel.array(stmt.target).space is Space.GLOBAL
        to, origin = self.cell(stmt.target, zero), self.cell(stmt.source, zero)
        return [f"for (wide i = 0, to = {self.expr(stmt.target_index)}, from = {self.expr(stmt.source_index)},"
                f" step = {stride}, n = {self.expr(stmt.count)}; i < n; i++) {{ tick(t);",
                f"store_{kind}({to} + to + i * {'step' if outward else '1'},"
                f" load_{kind}({origin} + from + i * {'1' if outward else 'step'})); }}"]

    def do_collective(self, stmt: core.Collective) -> list[str]:
        result, kind, args = self.names[stmt.result], self.kinds[stmt.result], [self.expr(arg) for arg in stmt.args]
        if stmt.op in _SHUFFLES and kind == stmt.args[0].type:
            by, width = [*args[1:], "32"][:2]
            return [f"{{ wide by = {by}, width = {width};",
                    self.meet(stmt.scope, stmt.mask, f"bits_{c_type(kind)}({args[0]})"),
                    f"{result} = from_bits_{c_type(kind)}(shuffle(t, {_SHUFFLES[stmt.op]}, by, width)); }}"]
        if stmt.op in _VOTES:
            return [self.meet(stmt.scope, stmt.mask, f"{args[0]} != 0"), f"{result} = {rounded(_VOTES[stmt.op], kind)};"]
        raise NotTwinned(stmt.op)

    def do_atomic(self, stmt: core.Atomic) -> list[str]:
        kind = self.kernel.array(stmt.array).element
        name, args = c_type(kind), [self.expr(arg) for arg in stmt.args]
        given = "".join(f", {word} = {arg}" for word, arg in zip(("given", "other"), args, strict=False))
        known = {**_UPDATES, "cas": f"bits_{name}(old) == bits_{name}(given) ? other : old",
                 "min": "least(old, given)" if kind.is_float else "given < old ? given : old",
                 "max": "most(old, given)" if kind.is_float else "given > old ? given : old"}
        if stmt.op not in known or self.kernel.width(stmt) > 1:
            raise NotTwinned(f"atomic {stmt.op}")
        result = f"{self.names[stmt.result]} = old;" if stmt.result is not None else ""
        return [f"{{ {name} *cell = cell_{name}({self.cell(stmt.array, stmt.index)}), old = cell ? *cell : ({name})0{given};",
                f"if (cell) *cell = {rounded(known[stmt.op], kind)}; {result} }}"]


@dataclass(frozen=True)
class Ran:
    """What a launch of the twin left: the global arrays, and counts of what went wrong."""

    arrays: dict[str, np.ndarray]
    out_of_bounds: int
    undefined: int
    diverged: bool
    exhausted: bool


@dataclass
class Twins:
    """Twins of several kernels, compiled together. `without`: those that have none, by number, and why."""

    kernels: Sequence[Kernel]
    folder: Path
    without: dict[int, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        texts = [RUNTIME, "typedef _Float16 f16;\nFLOAT(f16)\n" if HALF else ""]
        for number, kernel in enumerate(self.kernels):
            try:
                texts.append(Emitter(kernel, number).function())
            except NotTwinned as error:
                self.without[number] = str(error)
        table = ("0" if number in self.without else f"kernel_{number}" for number in range(len(self.kernels)))
        texts.append(f"void (*const table[])(thread *) = {{{', '.join(table) or 0}}};\n")
        source = Path(tempfile.mkdtemp(dir=self.folder)) / "twins.c"
        source.write_text("".join(texts))
        command = [str(GCC), *FLAGS, source, "-o", source.with_suffix(".so"), "-lm"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr[:4000]
        self.library = ctypes.CDLL(str(source.with_suffix(".so")))

    def run(self, number: int, grid: tuple[int, int, int], block: tuple[int, int, int], scalars: Mapping[str, int | float],
            arrays: Mapping[str, np.ndarray], extents: Mapping[str, int] | None = None, fuel: int = FUEL) -> Ran:
        """One launch; `arrays`: the initial global arrays, which stay as they are; `extents`: elements of shared ones."""
        if number in self.without:
            raise NotTwinned(self.without[number])
        kernel, given = self.kernels[number], {name: np.array(values) for name, values in arrays.items()}
        count, shared, data = [], [], []
        for array in kernel.arrays:
            dtype, own = np.dtype(TYPES[array.element][1]), extent(array)
            values = given.setdefault(array.name, np.zeros((extents or {}).get(array.name, 0) if own is None else own, dtype))
            assert values.dtype == dtype, array.name
            count.append(len(values))
            shared.append(dtype.itemsize if array.space is Space.SHARED else 0)
            data.append(values.ctypes.data)
        words = b"".join(np.array([scalars[param.name]]).astype(TYPES[param.type][1]).tobytes().ljust(8, b"\0")
                         for param in kernel.params)
        own_bytes = sum(8 * (extent(array) or 0) for array in kernel.arrays if array.space is Space.PRIVATE)
        together = any(isinstance(stmt, core.Barrier) and stmt.scope == "grid" for stmt in walk(kernel.body))
        facts = (ctypes.c_long * 8)(number, len(data), together, STACK + own_bytes, fuel)
        longs, pointers = ctypes.c_long * len(data), ctypes.c_void_p * len(data)
        self.library.twin((ctypes.c_uint32 * 6)(*grid, *block), pointers(*data), longs(*count), longs(*shared), words, facts)
        return Ran({name: given[name] for name in arrays}, facts[5], facts[6], facts[7] > 0, facts[4] <= 0)
