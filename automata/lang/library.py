"""The device library: one entry per builtin function, with its prototypes and its meaning.

A row of the tables below reads `types | prototypes | meaning`: T in a prototype stands for each of the
types named before the first bar in turn ("any": every type). From the same rows come the declarations
that the C++ front end gives to libclang (`header`), the overloads that the C front end chooses from
(`choose`), and what `elaborate` turns a call into (`Entry.meaning`). Adding a builtin is adding a row.

An OpenCL function on scalars also takes vectors and works on each component, unless its prototype names vectors
itself (`Tx4`). `truth` is the result of a test: int, and of vectors integers as wide as what is tested.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Literal

from automata.lang.core import Space
from automata.lang.library_rows import cuda_rows, math_rows, shared_rows
from automata.lang.library_rows_opencl import opencl_rows
from automata.lang.meanings import Meaning
from automata.lang.types import VOID, Opaque, Pointer, Type, Vector
from automata.scalar import BF16, BOOL, F16, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64, Scalar


@dataclass(frozen=True, slots=True)
class Prototype:
    """`any_type`: T stands for whatever the argument is. `defaults`: C++ default arguments, from the right."""

    result: str
    params: tuple[str, ...]
    defaults: tuple[str, ...]
    variadic: bool
    binding: str


@dataclass(frozen=True, slots=True)
class Entry:
    name: str
    prototypes: tuple[Prototype, ...]
    meaning: Meaning


SCALAR_WORDS: dict[str, Scalar] = {
    "bool": BOOL, "i8": I8, "u8": U8, "i16": I16, "u16": U16, "i32": I32, "u32": U32, "i64": I64, "u64": U64,
    "f16": F16, "bf16": BF16, "f32": F32, "f64": F64,
}
C_WORDS: dict[str, str] = {
    "bool": "bool", "i8": "signed char", "u8": "unsigned char", "i16": "short", "u16": "unsigned short", "i32": "int",
    "u32": "unsigned int", "i64": "long long", "u64": "unsigned long long", "f16": "__half", "bf16": "__nv_bfloat16",
    "f32": "float", "f64": "double",
}

_WIDE = re.compile(r"(\w+)x(\d+)")
_TRUTH = {32: I32, 64: I64}


def _split_params(text: str) -> tuple[tuple[str, ...], tuple[str, ...], bool]:
    params, defaults, variadic = [], [], False
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        if part == "...":
            variadic = True
            continue
        kind, _, default = (piece.strip() for piece in part.partition("="))
        params.append(kind)
        if default:
            defaults.append(default)
    return tuple(params), tuple(defaults), variadic


@cache
def table(dialect: Literal["cuda", "opencl"]) -> dict[str, Entry]:
    """All entries of a dialect by name."""
    rows = [*shared_rows(), *math_rows(dialect == "opencl"), *(cuda_rows() if dialect == "cuda" else opencl_rows())]
    found: dict[str, Entry] = {}
    for types, prototype, meaning in rows:
        shape = re.fullmatch(r"([\w ]+?\*?) (\w+)\((.*)\)", prototype)
        assert shape, prototype
        result, name, inner = shape.groups()
        params, defaults, variadic = _split_params(inner)
        bindings = types.split() or [""]
        made = tuple(Prototype(result, params, defaults, variadic, binding) for binding in bindings)
        before = found[name].prototypes if name in found else ()
        found[name] = Entry(name, before + made, meaning)
    return found


def type_of(word: str, binding: Type | None) -> Type:
    """The type that a word of a prototype means: `u32`, `const T*`, `void`, `event_t`."""
    text = word.removeprefix("const ")
    if text.endswith("*"):
        return Pointer(type_of(text[:-1], binding), const=word.startswith("const "))
    if text == "T":
        assert binding is not None
        return binding
    if text == "void":
        return VOID
    if text == "truth":
        return I32
    wide = _WIDE.fullmatch(text)
    if wide:
        element = binding if wide.group(1) == "T" else SCALAR_WORDS[wide.group(1)]
        assert isinstance(element, Scalar)
        return Vector(element, int(wide.group(2)))
    return SCALAR_WORDS[text] if text in SCALAR_WORDS else Opaque(text)


def choose(entry: Entry, args: tuple[Type, ...], space: Space | None = None) -> tuple[Type, tuple[Type, ...]] | None:
    """Result and parameter types of the best overload for arguments of these types; None if none takes them.

    Exact matches win, then the fewest conversions, then the order of the table. With vector arguments the
    types are those of the whole vectors.
    """
    width = max((kind.count for kind in args if isinstance(kind, Vector)), default=0)
    best: tuple[int, int, Type, tuple[Type, ...]] | None = None
    for rank, proto in enumerate(entry.prototypes):
        if not len(proto.params) - len(proto.defaults) <= len(args) <= len(proto.params) and not (
                proto.variadic and len(args) >= len(proto.params)):
            continue
        binding: Type | None = SCALAR_WORDS.get(proto.binding)
        if proto.binding == "any":
            binding = _bind_any(proto, args)
        if proto.binding and binding is None:
            continue
        params = tuple(type_of(word, binding) for word in proto.params[: len(args)])
        lanes = 0 if proto.variadic or any(isinstance(kind, Vector) for kind in params) else width
        wide = tuple(_widen(kind, lanes) for kind in params)
        cost = sum(_cost(have, want) for have, want in zip(args, wide, strict=False))
        if cost < 1000 and (best is None or cost < best[0]):
            best = (cost, rank, _result(proto, binding, lanes), wide + args[len(wide):])
    return best[2:] if best else None


def _bind_any(proto: Prototype, args: tuple[Type, ...]) -> Type | None:
    for word, kind in zip(proto.params, args, strict=False):
        if word in ("T*", "const T*") and isinstance(kind, Pointer):
            return kind.to
    for word, kind in zip(proto.params, args, strict=False):
        if word == "T":
            return kind
    return None


def _widen(kind: Type, width: int) -> Type:
    """The type of all components of vectors of a length; 0: there are no vectors."""
    if isinstance(kind, Pointer):
        return Pointer(_widen(kind.to, width), kind.space, kind.const, kind.volatile, kind.restrict)
    return Vector(kind, width) if isinstance(kind, Scalar) and width else kind


def _result(proto: Prototype, binding: Type | None, width: int) -> Type:
    found = type_of(proto.result, binding)
    if proto.result == "truth" and width and isinstance(binding, Scalar):
        found = _TRUTH[binding.bits]
    return _widen(found, width)


def _cost(have: Type, want: Type) -> int:
    """How far an argument is from a parameter: 0 the same, 1000 impossible."""
    if have == want or (isinstance(have, Pointer) and isinstance(want, Pointer) and have.to == want.to):
        return 0
    if isinstance(have, Pointer) and isinstance(want, Pointer):
        return 50 if want.to == VOID else 1000
    if isinstance(want, Vector):
        return 1000 if isinstance(have, Vector) else _cost(have, want.element) + 1
    if isinstance(have, Scalar) and isinstance(want, Scalar):
        return _scalar_cost(have, want)
    if isinstance(want, Opaque):
        return 0 if have == want else 1 if isinstance(have, Opaque | Scalar) else 1000
    return 60 if isinstance(have, Scalar) and have.is_int and isinstance(want, Pointer) else 1000


def _scalar_cost(have: Scalar, want: Scalar) -> int:
    if have.is_float != want.is_float:
        return 30 if want == F64 else 31
    if have.is_float:
        return 2 if want.bits > have.bits else 12
    if have.bits <= want.bits and (have.signed == want.signed or have.bits < want.bits):
        return 2 if want.bits == max(32, have.bits) else 5
    return 10


def header(dialect: Literal["cuda", "opencl"] = "cuda") -> str:
    """The declarations of all entries as CUDA C++, for libclang."""
    lines = []
    for entry in table(dialect).values():
        for proto in entry.prototypes:
            lines.append(_declaration(entry.name, proto))
    return "\n".join(lines) + "\n"


def _declaration(name: str, proto: Prototype) -> str:
    def spell(word: str) -> str:
        text = word.removeprefix("const ")
        stem, star = text.rstrip("*"), "*" if text.endswith("*") else ""
        if stem == "T":
            stem = "T" if proto.binding == "any" else C_WORDS[proto.binding]
        if word == "const i8*":
            return "const char*"
        return ("const " if word.startswith("const ") else "") + C_WORDS.get(stem, stem) + star

    parts = [spell(word) for word in proto.params]
    first = len(parts) - len(proto.defaults)
    parts = [part + (f" = {proto.defaults[at - first]}" if at >= first else "") for at, part in enumerate(parts)]
    before = "template<class T> " if proto.binding == "any" else ""
    ellipsis = ", ..." if proto.variadic else ""
    return f"{before}__device__ __host__ {spell(proto.result)} {name}({', '.join(parts)}{ellipsis});"
