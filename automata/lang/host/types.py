"""Types in host code, as far as they say whether an initialiser is copied.

A type is understood when it is arithmetic, `dim3`, `auto`, `void`, or a class of the library that copies numbers. Any other may
be a reference, or a class whose constructor takes one.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from automata.lang.host.library import CONTAINERS, PLAIN_CLASSES
from automata.lang.host.numbers import INTEGER_WORDS, NAMED, Number, Unknown, integer_type
from automata.lang.host.tokens import KEYWORDS, Tokens, is_name, words

QUALIFIERS = frozenset(words("""
    const constexpr static inline volatile register extern typename mutable thread_local constinit friend virtual
    explicit __host__ __device__ __forceinline__ __noinline__ __inline__ __global__ __constant__ __managed__
    __shared__ struct class union enum
    """))
_ELABORATED = frozenset({"struct", "class", "union", "enum"})
POINTER_WORDS = frozenset({"*", "const", "volatile", "__restrict__", "__restrict", "restrict"})
_BUILTIN = frozenset({"float", "double", "bool", "void", "auto"})
_SIZES = {"half": 2, "__half": 2, "__nv_bfloat16": 2, "half2": 4, "__half2": 4} | {
    f"{space}::{name}": 2 for space in ("at", "c10", "torch") for name in ("Half", "BFloat16")}
_LANES = {"char": 1, "uchar": 1, "short": 2, "ushort": 2, "int": 4, "uint": 4, "float": 4, "long": 8, "ulong": 8, "longlong": 8,
          "ulonglong": 8, "double": 8}


@dataclass(frozen=True, slots=True)
class Type:
    """`kind`: number, dim3, auto, void, copies (a class of the library that copies numbers) or other. `words`: what qualifies it.
    `pointers`, `reference`: of a declarator. `of`: what the name stands for."""

    kind: str
    number: Number | None = None
    name: str = ""
    words: frozenset[str] = frozenset()
    pointers: int = 0
    reference: bool = False
    of: str = ""

    @property
    def original(self) -> str:
        """The name that an alias stands for."""
        return self.of or self.name

    def bare(self) -> Type:
        """The type without what a declarator adds."""
        return replace(self, pointers=0, reference=False)

    @property
    def is_number(self) -> bool:
        return self.kind == "number" and not self.pointers and not self.reference

    @property
    def is_dim3(self) -> bool:
        return self.kind == "dim3" and not self.pointers and not self.reference

    @property
    def is_const(self) -> bool:
        return not self.words.isdisjoint(("const", "constexpr")) and "volatile" not in self.words and not self.pointers

    @property
    def copies(self) -> bool:
        """Whether an object of this type copies the numbers and dim3 that it is made from. A reference to const does not: what it
        refers to may be changed through a cast."""
        return not self.reference and (self.pointers > 0 or self.kind in ("number", "dim3", "auto", "copies"))


@dataclass
class TypeNames:
    """The types that a file's names stand for: `aliases` understood, `hidden` declared in a way that is not followed; among those
    `others`, which the file declares once, as another name of a type that is no number."""

    aliases: dict[str, Type] = field(default_factory=dict)
    hidden: set[str] = field(default_factory=set)
    others: dict[str, str] = field(default_factory=dict)

    def named(self, name: str, in_std: bool) -> Type:
        """The type of one name."""
        if not in_std and name in self.hidden:
            return Type("other", name=name)
        if not in_std and name in self.aliases:
            return self.aliases[name]
        if name in NAMED:
            return Type("number", NAMED[name], name)
        if name == "dim3" and not in_std:
            return Type("dim3", name=name)
        return Type("copies" if name in PLAIN_CLASSES else "other", name=name)


def read_type(tokens: Tokens, at: int, end: int, names: TypeNames) -> tuple[Type, int] | None:
    """The type whose first token is at an index, and the index behind it; None where there is none."""
    qualifiers: set[str] = set()
    found: Type | None = None
    while at < end:
        token = tokens.text[at]
        if token in QUALIFIERS:
            if token in _ELABORATED and not is_name(tokens.text[at + 1]):
                return None
            qualifiers.add(token)
            at += 1
            continue
        base = _base(tokens, at, end, names) if found is None or _continues(found, token) else None
        if base is None:
            break
        found, at = (base[0] if found is None else _joined(found, token)), base[1]
    if found is None:
        return None
    if qualifiers & _ELABORATED:
        found = Type("other", name=found.name)
    return replace(found, words=frozenset(qualifiers) | found.words), at


def _base(tokens: Tokens, at: int, end: int, names: TypeNames) -> tuple[Type, int] | None:
    """A type by one keyword or by its name."""
    token = tokens.text[at]
    if token in INTEGER_WORDS:
        return Type("number", integer_type([token]), token), at + 1
    if token in _BUILTIN:
        return Type("number", NAMED[token], token) if token in NAMED else Type(token, name=token), at + 1
    return _path(tokens, at, end, names) if is_name(token) or token == "::" else None


def _continues(found: Type, token: str) -> bool:
    """Whether a keyword belongs to a type of several, as in `unsigned long`."""
    keywords = found.kind == "number" and set(found.name.split()) <= INTEGER_WORDS
    return keywords and (token in INTEGER_WORDS or (token == "double" and found.name == "long"))


def _joined(found: Type, token: str) -> Type:
    if token == "double":
        return Type("other", name="long double")
    name = f"{found.name} {token}"
    return Type("number", integer_type(name.split()), name)


def _path(tokens: Tokens, at: int, end: int, names: TypeNames) -> tuple[Type, int] | None:
    """A type of one name or several with `::` between."""
    parts: list[str] = []
    arguments: tuple[int, int] | None = None
    at += tokens.text[at] == "::"
    while at < end:
        if not is_name(tokens.text[at]):
            return None
        parts.append(tokens.text[at])
        at += 1
        arguments = None
        if tokens.text[at] == "<" and at < end:
            angle = tokens.angle_end(at)
            if not 0 < angle < end:
                break
            arguments, at = (at + 1, angle), angle + 1
        if tokens.text[at] != "::" or at + 1 >= end or not is_name(tokens.text[at + 1]):
            break
        at += 1
    if not parts:
        return None
    in_library = len(parts) == 2 and parts[0] in ("std", "thrust") and parts[0] not in names.hidden
    if len(parts) > 1 and not in_library:
        return Type("other", name="::".join(parts)), at
    if arguments is not None:
        plain = parts[-1] in CONTAINERS and (in_library or parts[-1] not in names.hidden)
        copies = plain and all(_is_plain_argument(tokens, *part, names) for part in tokens.split(*arguments))
        return Type("copies" if copies else "other", name=parts[-1]), at
    return names.named(parts[-1], in_library), at


def _is_plain_argument(tokens: Tokens, begin: int, end: int, names: TypeNames) -> bool:
    """Whether a template argument is a number or a type that copies numbers."""
    if end == begin + 1 and tokens.text[begin][0].isdigit():
        return True
    found = read_type(tokens, begin, end, names)
    if found is None:
        return end == begin + 1 and tokens.text[begin].isidentifier() and tokens.text[begin] not in KEYWORDS
    kind, at = found
    while at < end and tokens.text[at] in ("*", "[", "]"):
        at += 1
    return at == end and kind.kind in ("number", "copies", "dim3")


def read_declarator(tokens: Tokens, at: int, kind: Type) -> tuple[Type, int] | None:
    """The type with the `*` and `&` that stand at an index, and the index behind them; None where `[…]` or brackets follow."""
    pointers, reference, qualifiers = 0, False, set(kind.words)
    while tokens.text[at] in POINTER_WORDS or tokens.text[at] in ("&", "&&"):
        token = tokens.text[at]
        pointers += token == "*"
        reference = reference or token in ("&", "&&")
        if token in ("const", "volatile"):
            qualifiers.add(token)
        at += 1
    pointers, reference = kind.pointers + pointers, kind.reference or reference
    return replace(kind, pointers=pointers, reference=reference, words=frozenset(qualifiers)), at


def type_of_range(tokens: Tokens, begin: int, end: int, names: TypeNames) -> Type | None:
    """The type that all of [begin, end) names, without a declared name."""
    found = read_type(tokens, begin, end, names)
    if found is None or found[1] == end:
        return None if found is None else found[0]
    whole = read_declarator(tokens, found[1], found[0])
    return whole[0] if whole is not None and whole[1] == end else None


def is_vector(name: str) -> bool:
    """Whether a name is that of a vector type of the device."""
    return name[:-1] in _LANES and name[-1:] in ("1", "2", "3", "4")


def size_of(kind: Type, names: TypeNames) -> int:
    """`sizeof` of a type; Unknown where it is not certain."""
    if kind.pointers and not kind.reference:
        return 8
    if kind.reference or not names.hidden.isdisjoint(kind.name.split("::")):
        raise Unknown
    if kind.number is not None:
        return max(kind.number.bits // 8, 1) if kind.number.bits else 4 if kind.number.single else 8
    if kind.name in _SIZES:
        return _SIZES[kind.name]
    if is_vector(kind.name):
        return _LANES[kind.name[:-1]] * int(kind.name[-1])
    raise Unknown
