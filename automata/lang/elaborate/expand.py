"""Library functions that Core's own operators say exactly: `Expand(how)` is the method `how` here."""

from __future__ import annotations

from collections.abc import Callable

from automata.lang import core
from automata.lang.core import Expr
from automata.lang.elaborate.builder import Builder
from automata.lang.elaborate.storage import Aggregate, Value
from automata.lang.elaborate.values import as_scalar, same_bits
from automata.lang.traverse import children
from automata.lang.types import Type, Vector
from automata.lang.typing import binary, convert, unary
from automata.place import Place, UnsupportedError
from automata.scalar import BOOL, I32, I64, U8, U16, U32, U64, Scalar

MAX_SHARED = 24


def _size(expr: Expr) -> int:
    return 1 + sum(map(_size, children(expr)))


class Expander:
    """One call. Methods take Core scalars and the result's type, and return a Core scalar."""

    def __init__(self, builder: Builder, place: Place) -> None:
        self.builder = builder
        self.place = place

    def expand(self, how: str, values: list[Value], kind: Type) -> Value:
        """The value of the call; on vectors, component by component."""
        if isinstance(kind, Vector):
            how = "select_lane" if how == "select" else how
            rows = [value.parts if isinstance(value, Aggregate) else (value,) * kind.count for value in values]
            return Aggregate(tuple(self.expand(how, list(row), kind.element) for row in zip(*rows, strict=True)), kind)
        if how == "ite":
            return self.choice(values, kind)
        if not isinstance(kind, Scalar):
            raise UnsupportedError(f"this function on {kind}", self.place)
        if how in ("any", "all"):
            return self.of_all("||" if how == "any" else "&&", kind, values[0])
        method: Callable[..., Expr] = getattr(self, how)
        return method(kind, *map(as_scalar, values))

    def relation(self, name: str, values: list[Value], kind: Type) -> Value:
        """A test: 1 where it holds; on vectors, -1 in each component where it holds."""
        if isinstance(kind, Vector):
            rows = [value.parts if isinstance(value, Aggregate) else (value,) * kind.count for value in values]
            tests = [convert(self.test(name, *map(as_scalar, row)), BOOL) for row in zip(*rows, strict=True)]
            part = kind.element
            return Aggregate(tuple(core.Select(test, core.Const(-1, part), core.Const(0, part), part, self.place)
                                   for test in tests), kind)
        assert isinstance(kind, Scalar)
        return convert(self.test(name, *map(as_scalar, values)), kind)

    def test(self, function: str, *args: Expr) -> Expr:
        """Whether numbers are in a relation: a function's int, or BOOL."""
        if function.startswith("is") or function == "signbit":
            return core.Call(function, args, I32, self.place)
        first, second = map(self.again, args)
        if function == "lessgreater":
            return binary("||", binary("<", first, second, self.place), binary(">", first, second, self.place), self.place)
        if function in ("ordered", "unordered"):
            sign, join = ("==", "&&") if function == "ordered" else ("!=", "||")
            return binary(join, binary(sign, first, first, self.place), binary(sign, second, second, self.place), self.place)
        return binary(function, first, second, self.place)

    def of_all(self, join: str, kind: Scalar, value: Value) -> Expr:
        """Whether any or all components have their highest bit set."""
        parts = [as_scalar(part) for part in (value.parts if isinstance(value, Aggregate) else (value,))]
        tests = [binary("<", part, core.Const(0, part.type, self.place), self.place) for part in parts]
        total = tests[0]
        for test in tests[1:]:
            total = binary(join, total, test, self.place)
        return convert(total, kind)

    def choice(self, values: list[Value], kind: Type) -> Value:
        test, then, other = values
        if isinstance(kind, Scalar):
            assert not isinstance(test, Aggregate) and not isinstance(then, Aggregate) and not isinstance(other, Aggregate)
            return core.Select(test, then, other, kind, self.place)  # type: ignore[arg-type]
        raise UnsupportedError(f"__ite on {kind}", self.place)

    def again(self, expr: Expr) -> Expr:
        """An expression that is used more than once; a large one goes to a temporary, so that trees stay trees."""
        return expr if _size(expr) <= MAX_SHARED else self.builder.temporary(expr, self.place)

    def op(self, sign: str, kind: Scalar, one: Expr, two: Expr) -> Expr:
        return convert(binary(sign, convert(one, kind), convert(two, kind), self.place), kind)

    def min(self, kind: Scalar, one: Expr, two: Expr) -> Expr:
        if kind.is_float:
            return core.Call("fmin", (convert(one, kind), convert(two, kind)), kind, self.place)
        first, second = self.again(convert(one, kind)), self.again(convert(two, kind))
        return core.Select(binary("<", first, second, self.place), first, second, kind, self.place)

    def max(self, kind: Scalar, one: Expr, two: Expr) -> Expr:
        if kind.is_float:
            return core.Call("fmax", (convert(one, kind), convert(two, kind)), kind, self.place)
        first, second = self.again(convert(one, kind)), self.again(convert(two, kind))
        return core.Select(binary("<", second, first, self.place), first, second, kind, self.place)

    def common_min(self, kind: Scalar, one: Expr, two: Expr) -> Expr:
        """OpenCL's, which of floats leaves NaN open (OpenCL C 6.12.4)."""
        return self.common("min", kind, one, two) if kind.is_float else self.min(kind, one, two)

    def common_max(self, kind: Scalar, one: Expr, two: Expr) -> Expr:
        return self.common("max", kind, one, two) if kind.is_float else self.max(kind, one, two)

    def common(self, name: str, kind: Scalar, one: Expr, two: Expr) -> Expr:
        return core.Call(name, (convert(one, kind), convert(two, kind)), kind, self.place)

    def clamp(self, kind: Scalar, value: Expr, low: Expr, high: Expr) -> Expr:
        return self.min(kind, self.max(kind, value, low), high)

    def abs(self, kind: Scalar, value: Expr) -> Expr:
        if kind.is_float:
            return core.Call("fabs", (convert(value, kind),), kind, self.place)
        if not value.type.signed:
            return convert(value, kind)
        arg = self.again(convert(value, kind) if kind.signed else value)
        below = binary("<", arg, core.Const(0, arg.type, self.place), self.place)
        minus = unary("-", convert(arg, kind), self.place)
        return core.Select(below, convert(minus, kind), convert(arg, kind), kind, self.place)

    def abs_diff(self, kind: Scalar, one: Expr, two: Expr) -> Expr:
        """The exact difference, which an unsigned type holds."""
        first, second = self.again(one), self.again(two)
        below = binary("<", first, second, self.place)
        return core.Select(below, self.op("-", kind, second, first), self.op("-", kind, first, second), kind, self.place)

    def convert_sat(self, kind: Scalar, value: Expr) -> Expr:
        """The nearest value of an integer type. Of floats it is a function of its own: OpenCL leaves open what a plain conversion
        makes of those that lie outside the type."""
        source = value.type
        if source.is_float:
            return convert(value, kind) if kind.is_float else core.Call("saturated", (value,), kind, self.place)
        for limit, sign in ((kind.low, "<"), (kind.high, ">")):
            if source.low < kind.low if sign == "<" else source.high > kind.high:
                value = self.again(value)
                edge = core.Const(limit, source, self.place)
                value = core.Select(binary(sign, value, edge, self.place), edge, value, source, self.place)
        return convert(value, kind)

    def bitselect(self, kind: Scalar, one: Expr, two: Expr, mask: Expr) -> Expr:
        """Each bit of the second where the mask has it set, else of the first."""
        whole = {8: U8, 16: U16, 32: U32, 64: U64}[kind.bits]
        first, second, bits = (same_bits(part, whole, self.place) for part in (one, two, mask))
        bits = self.again(bits)
        kept = binary("&", first, unary("~", bits, self.place), self.place)
        return same_bits(convert(binary("|", kept, binary("&", second, bits, self.place), self.place), whole), kind, self.place)

    def select(self, kind: Scalar, one: Expr, two: Expr, test: Expr) -> Expr:
        """OpenCL's select: the second where the third is not 0 (OpenCL C 6.12.6)."""
        return core.Select(convert(test, BOOL), two, one, kind, self.place)

    def select_lane(self, kind: Scalar, one: Expr, two: Expr, test: Expr) -> Expr:
        """The same for a component of a vector: the second where the third has its highest bit set."""
        width = test.type.bits - 1
        top = binary("&", test, core.Const(test.type.wrap(1 << width), test.type, self.place), self.place)
        return core.Select(convert(top, BOOL), two, one, kind, self.place)

    def saturate(self, kind: Scalar, value: Expr) -> Expr:
        return core.Call("saturate", (value,), kind, self.place)

    def fma(self, kind: Scalar, one: Expr, two: Expr, three: Expr) -> Expr:
        return core.Call("fma", tuple(convert(part, kind) for part in (one, two, three)), kind, self.place)

    def add(self, kind: Scalar, one: Expr, two: Expr) -> Expr:
        return self.op("+", kind, one, two)

    def sub(self, kind: Scalar, one: Expr, two: Expr) -> Expr:
        return self.op("-", kind, one, two)

    def mul(self, kind: Scalar, one: Expr, two: Expr) -> Expr:
        return self.op("*", kind, one, two)

    def div(self, kind: Scalar, one: Expr, two: Expr) -> Expr:
        return self.op("/", kind, one, two)

    def reciprocal(self, kind: Scalar, value: Expr) -> Expr:
        return self.op("/", kind, core.Const(1.0, kind, self.place), value)

    def convert(self, kind: Scalar, value: Expr) -> Expr:
        return convert(value, kind)

    def bits(self, kind: Scalar, value: Expr) -> Expr:
        if value.type == kind or (value.type.is_int and kind.is_int):
            return convert(value, kind)
        return core.Bits(value, kind, self.place)

    def implies(self, kind: Scalar, one: Expr, two: Expr) -> Expr:
        return binary("||", unary("!", one, self.place), convert(two, BOOL), self.place)

    def mul24(self, kind: Scalar, one: Expr, two: Expr) -> Expr:
        """The product of the low 24 bits, sign-extended if signed (CUDA math API; OpenCL C 6.12.3)."""
        product = self.op("*", U32, *(convert(self.low24(kind, value), U32) for value in (one, two)))
        return convert(product, kind)

    def low24(self, kind: Scalar, value: Expr) -> Expr:
        eight = core.Const(8, I32, self.place)
        raised = binary("<<", convert(value, U32), eight, self.place)
        return binary(">>", convert(raised, kind), eight, self.place)

    def mad24(self, kind: Scalar, one: Expr, two: Expr, three: Expr) -> Expr:
        return self.op("+", kind, self.mul24(kind, one, two), three)

    def mulhi(self, kind: Scalar, one: Expr, two: Expr) -> Expr:
        """The upper half of the 64-bit product of two 32-bit integers."""
        wide = I64 if kind.signed else U64
        product = binary("*", convert(one, wide), convert(two, wide), self.place)
        return convert(binary(">>", product, core.Const(32, I32, self.place), self.place), kind)
