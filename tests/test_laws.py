"""Laws that must hold for any kernel: the prover against enumeration, terms against concrete arithmetic."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slices import examples

from automata import arithmetic
from automata.lang.launch import Launch
from automata.logic import poly as P
from automata.logic import terms as T
from automata.logic.arith import Encoder, Mode
from automata.logic.ladder import Query, decide
from automata.logic.poly import Poly
from automata.logic.smt import Unsat
from automata.logic.terms import Owner, Term
from automata.logic.views import ANY
from automata.scalar import F32, I8, I16, I32, U8, U32, Scalar
from automata.verdict import Outcome, Property
from equivalence.result import EquivVerdict
from spmd.asked import PairQuestion, Question, Source
from spmd.pair_pipeline import run_equiv
from spmd.pipeline import run_check

FEW, SMALL = examples(40), examples(20)


# -- random affine kernels ------------------------------------------------------------------------


@dataclass(frozen=True)
class Step:
    """`array[c0 + ct·t + cb·b] = …` or a read of it, when t % every == phase and t < below."""

    write: bool
    array: str
    c0: int
    ct: int
    cb: int
    every: int
    phase: int
    below: int
    narrow: bool

    def index(self, t: int, b: int) -> int:
        value = self.c0 + self.ct * t + self.cb * b
        return I8.wrap(value) if self.narrow else value

    def active(self, t: int) -> bool:
        return t % self.every == self.phase % self.every and t < self.below

    def text(self) -> str:
        index = f"{self.c0} + {self.ct} * t + {self.cb} * b"
        cell = f"{self.array}[{'(signed char)' if self.narrow else ''}({index})]"
        action = f"{cell} = t + b;" if self.write else f"x = x + {cell};"
        guard = f"t % {self.every} == {self.phase % self.every} && t < {self.below}"
        return f"  if ({guard}) {action}\n"


@dataclass(frozen=True)
class Kernel:
    """Segments of steps with barriers between them, at a launch of `grid` blocks of `block` threads."""

    segments: tuple[tuple[Step, ...], ...]
    grid: int
    block: int

    def text(self) -> str:
        body = "  __syncthreads();\n".join("".join(step.text() for step in part) for part in self.segments)
        return ("__global__ void k(int *g, int *h) {\n  __shared__ int s[4096];\n"
                "  int t = threadIdx.x, b = blockIdx.x, x = 0;\n" + body + "}\n")

    def accesses(self) -> Iterator[tuple[tuple[str, int, int], int, int, int, bool]]:
        """Cell, block, thread, interval and kind of every access."""
        for interval, part in enumerate(self.segments):
            for step in part:
                for b in range(self.grid):
                    for t in range(self.block):
                        if step.active(t):
                            owner = b if step.array == "s" else -1
                            yield (step.array, owner, step.index(t, b)), b, t, interval, step.write

    def has_conflict(self) -> bool:
        cells: dict[tuple[str, int, int], list[tuple[int, int, int, bool]]] = {}
        for cell, b, t, interval, write in self.accesses():
            for other_b, other_t, other_interval, other_write in cells.get(cell, []):
                ordered = b == other_b and interval != other_interval
                if (write or other_write) and (b, t) != (other_b, other_t) and not ordered:
                    return True
            cells.setdefault(cell, []).append((b, t, interval, write))
        return False

    def leaves_shared(self) -> bool:
        return any(cell[0] == "s" and not 0 <= cell[2] < 4096 for cell, *_ in self.accesses())


STEPS = st.builds(Step, st.booleans(), st.sampled_from("gghs"), st.integers(-3, 40), st.integers(-4, 5),
                  st.integers(-9, 12), st.integers(1, 3), st.integers(0, 2), st.integers(1, 9), st.booleans())
KERNELS = st.builds(Kernel, st.lists(st.lists(STEPS, min_size=1, max_size=3).map(tuple), min_size=1, max_size=3).map(tuple),
                    st.integers(1, 3), st.integers(1, 8))


def check_text(text: str, launch: Launch | None) -> dict[Property, Outcome]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "k.cu"
        path.write_text(text)
        answer = next(run_check(Question(Source(str(path)), launch)))
    assert answer.report.properties, answer.report.reason
    return answer.report.properties


@pytest.mark.sliced(1)
@FEW
@given(KERNELS)
def test_race_freedom_agrees_with_enumeration(kernel: Kernel) -> None:
    outcome = check_text(kernel.text(), Launch((kernel.grid, 1, 1), (kernel.block, 1, 1)))[Property.RACE_FREE]
    if outcome is Outcome.PROVED:
        assert not kernel.has_conflict() or _only_same_values(kernel)
    if outcome is Outcome.REFUTED:
        assert kernel.has_conflict() or kernel.leaves_shared()


def _only_same_values(kernel: Kernel) -> bool:
    """Whether every conflict is between writes of equal values (t + b), which are benign."""
    seen: dict[tuple[str, int, int], list[tuple[int, int, int, bool]]] = {}
    for cell, b, t, interval, write in kernel.accesses():
        for other_b, other_t, other_interval, other_write in seen.get(cell, []):
            ordered = b == other_b and interval != other_interval
            if (write or other_write) and (b, t) != (other_b, other_t) and not ordered and not (
                    write and other_write and t + b == other_t + other_b):
                return False
        seen.setdefault(cell, []).append((b, t, interval, write))
    return True


@pytest.mark.sliced(1)
@SMALL
@given(KERNELS)
def test_proofs_for_all_sizes_hold_at_small_ones(kernel: Kernel) -> None:
    if check_text(kernel.text(), None)[Property.RACE_FREE] is not Outcome.PROVED:
        return
    for grid in (1, 2, 3):
        for block in (1, 2, 5, 8):
            sized = Kernel(kernel.segments, grid, block)
            assert not sized.has_conflict() or _only_same_values(sized)


# -- random copies --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Copy:
    """out[o0 + o1·i] = in[r0 + r1·i], i = b·T + t, for i < n; perhaps two elements a thread."""

    o0: int
    o1: int
    r0: int
    r1: int
    double: bool

    def text(self) -> str:
        body = f"  if (i < n) out[{self.o0} + {self.o1} * i] = in[{self.r0} + {self.r1} * i];\n"
        head = "__global__ void k(const int *in, int *out, int n) {\n"
        if not self.double:
            return head + "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n" + body + "}\n"
        return (head + "  int i = 2 * blockIdx.x * blockDim.x + threadIdx.x;\n" + body
                + "  i = i + blockDim.x;\n" + body + "}\n")

    def result(self, n: int) -> dict[int, int]:
        return {self.o0 + self.o1 * i: 1000 + self.r0 + self.r1 * i for i in range(n)}


COPIES = st.builds(Copy, st.integers(0, 3), st.sampled_from([1, 2, 3, -1]), st.integers(0, 3), st.sampled_from([1, 2, -2]),
                   st.booleans())


@pytest.mark.sliced(1)
@SMALL
@given(COPIES, COPIES, st.booleans())
def test_equal_never_meets_a_differing_run(a: Copy, other: Copy, twin: bool) -> None:
    b = Copy(a.o0, a.o1, a.r0, a.r1, not a.double) if twin else other
    with tempfile.TemporaryDirectory() as folder:
        sides = []
        for name, copy in (("a", a), ("b", b)):
            path = Path(folder) / f"{name}.cu"
            path.write_text(copy.text())
            per_block = 64 if copy.double else 32
            launch = Launch((f"(n+{per_block - 1})/{per_block}", 1, 1), (32, 1, 1), requires=("n > 0", "n < 100000"))
            sides.append(Question(Source(str(path)), launch))
        report = run_equiv(PairQuestion(sides[0], sides[1])).report
    same = all(a.result(n) == b.result(n) for n in (1, 2, 5, 31, 32, 33, 65, 100))
    if report.verdict is EquivVerdict.EQUAL:
        assert same
    if report.verdict is EquivVerdict.DIFFERENT:
        assert not same
    if twin:
        assert report.verdict is EquivVerdict.EQUAL, report.reason


# -- terms ----------------------------------------------------------------------------------------

TYPES = (I8, U8, I16, I32, U32)


@st.composite
def integer_terms(draw: st.DrawFn, depth: int = 3) -> Term:
    """A term over x and y of random types, with conversions wherever types differ."""
    if depth == 0 or draw(st.integers(0, 4)) == 0:
        return draw(st.sampled_from([x_term(), y_term(), T.const(draw(st.integers(-9, 300)), I32)]))
    op = draw(st.sampled_from(["+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "neg", "~", "cast", "ite"]))
    left = draw(integer_terms(depth=depth - 1))
    if op == "cast":
        return T.cast(left, draw(st.sampled_from(TYPES)))
    if op in ("neg", "~"):
        return T.unary("-" if op == "neg" else op, left)
    if op in ("<<", ">>"):
        return T.binary(op, left, T.const(draw(st.integers(0, min(5, left.type.bits - 1))), left.type))
    if op in ("/", "%", "&", "|", "^", "*"):
        value = draw(st.integers(1, 40)) * (draw(st.sampled_from([1, -1])) if left.type.signed else 1)
        return T.binary(op, left, T.const(left.type.wrap(value) or 1, left.type))
    right = T.cast(draw(integer_terms(depth=depth - 1)), left.type)
    if op == "ite":
        return T.select(T.binary(draw(st.sampled_from(["<", "<=", "=="])), left, right), left, right)
    return T.binary(op, left, right)


def x_term() -> Term:
    """A number of 32 bits; made anew, as terms live as long as the pool that other tests clear."""
    return T.symbol("x", I32, Owner.LAUNCH)


def y_term() -> Term:
    """A number of 8 bits."""
    return T.symbol("y", U8, Owner.LAUNCH)


def concrete(term: Term, x: int, y: int) -> int | float:
    """The machine's value of a term."""
    values: dict[int, int | float] = {}
    for node in T.subterms(term):
        args = [values[arg.serial] for arg in node.args]
        values[node.serial] = _apply(node, args, {"x": x, "y": y})
    return values[term.serial]


def _apply(node: Term, args: list[int | float], inputs: dict[str, int]) -> int | float:
    known = T.constant_value(node)
    if known is not None:
        return known
    if node.op == "sym":
        return inputs[str(node)]
    if node.op == "ite":
        return args[1] if args[0] else args[2]
    kind = node.args[0].type
    if node.op == "cast":
        return arithmetic.cast(args[0], kind, node.type)
    if len(args) == 1:
        return arithmetic.unary("-" if node.op == "neg" else node.op, args[0], kind)
    return arithmetic.binary(node.op, args[0], args[1], kind)


@pytest.mark.sliced(1)
@examples(150)
@given(integer_terms(), st.integers(-300, 300) | st.integers(I32.low, I32.high), st.integers(0, 255))
def test_encoded_terms_have_the_machines_value(term: Term, x: int, y: int) -> None:
    """With nothing assumed about wrap-around, the encoding admits exactly the concrete value."""
    try:
        expected = int(concrete(term, x, y))
    except arithmetic.Undefined:
        return
    ends = {T.symbol_of(each): (T.const(each.type.low, each.type), T.const(each.type.high, each.type))
            for each in (x_term(), y_term())}
    encoder = Encoder(ranges=ends)
    inputs = P.conj((P.eq(encoder.number(x_term(), ANY), Poly.number(x)),
                     P.eq(encoder.number(y_term(), ANY), Poly.number(y))))
    value = encoder.index(term, ANY)
    other = P.neg(P.eq(value, Poly.number(expected)))
    assert isinstance(decide(Query([inputs, other], encoder)), Unsat), (term, x, y, expected)


@given(st.sampled_from(TYPES), st.integers(-(2**70), 2**70))
def test_wrapping_is_modular_and_in_range(kind: Scalar, value: int) -> None:
    wrapped = kind.wrap(value)
    assert kind.low <= wrapped <= kind.high
    assert (wrapped - value) % (1 << kind.bits) == 0


def test_a_decided_mode_is_what_the_encoder_reads() -> None:
    term = T.binary("-", T.symbol("n", U32, Owner.LAUNCH), T.const(1, U32))
    ranges = {T.symbol_of(term.args[0]): (T.const(0, U32), T.const(U32.high, U32))}
    exact = Encoder(ranges=ranges)
    zero = P.eq(exact.number(term.args[0], ANY), Poly.number(0))
    assert isinstance(decide(Query([zero, P.neg(P.eq(exact.index(term, ANY), Poly.number(U32.high)))], exact)), Unsat)
    plain = Encoder(ranges=ranges, modes={term: Mode.PLAIN})
    zero = P.eq(plain.number(term.args[0], ANY), Poly.number(0))
    assert isinstance(decide(Query([zero, P.neg(P.eq(plain.index(term, ANY), Poly.number(-1)))], plain)), Unsat)


@pytest.mark.sliced(1)
@examples(300)
@given(st.fractions() | st.integers(-(2**70), 2**70).map(Fraction) | st.floats(width=32, allow_nan=False,
                                                                             allow_infinity=False).map(Fraction))
def test_a_rational_is_rounded_once(exact: Fraction) -> None:
    import struct

    rounded = Fraction(F32.nearest(exact))
    assert F32.round(float(rounded)) == float(rounded)
    (bits,) = struct.unpack("<i", struct.pack("<f", float(rounded)))
    for near in (bits - 1, bits + 1):
        if 0 <= near & 0x7FFFFFFF < 0x7F800000 and near >= -(1 << 31):
            (other,) = struct.unpack("<f", struct.pack("<i", near))
            assert abs(rounded - exact) <= abs(Fraction(other) - exact)


def test_rounding_meets_the_cases_that_double_rounding_misses() -> None:
    assert F32.nearest(Fraction("1.00000005960464477539062501")) == 1.0000001192092896
    assert F32.nearest(Fraction(9007199791611905)) == 9007200328482816.0
    assert F32.nearest(Fraction(10) ** 39) == math.inf and F32.nearest(-(Fraction(10) ** 400)) == -math.inf
