"""What clang's nodes know and libclang has no question for: whether an expression is a value or a place, what a statement has.

The cursor of an expression or statement holds clang's node. Its first word tells these facts, and some nodes hold the list of
their parts. Where the bits lie belongs to the one version of the library that this project asks for; before anything is read,
they are compared with what is known of a short text (`check_layout`), and another layout is refused.
"""

from __future__ import annotations

from ctypes import c_uint64, c_void_p, string_at
from dataclasses import dataclass
from functools import cache

from automata.lang.clang import kinds
from automata.lang.clang.index import Cursor, Parsed
from automata.lang.clang.native import RawCursor
from automata.place import InputError, UnsupportedError

BIT_CAST, PLACE_BIT_CAST, TO_VALUE, NO_CHANGE, TO_DERIVED, TO_BASE, TO_BASE_OF_OBJECT = 1, 2, 4, 5, 6, 7, 8
"""Kinds of conversions: the same bytes as another type; the value of a place; down, up, up from what is there among classes."""
_CALL, _OPERATOR_CALL, _IMPLICIT_CAST, _COMPONENTS, _DESIGNATED, _OFFSET = 87, 89, 77, 63, 66, 26
_BOUND = {46: kinds.MEMBER, 121: kinds.SUBSCRIPT}
"""libclang's kinds for the part of an object that a structured binding is the name of."""
_WRITTEN = {_OPERATOR_CALL: kinds.CALL, 116: kinds.BINARY, 4: kinds.UNARY}
"""libclang's kinds for what clang writes into a range-based `for`."""
CONVERSIONS = kinds.CASTS - {kinds.ADDRSPACE_CAST}
_PROBE = """
struct I { int i; int operator*() const; I& operator++(); bool operator!=(I) const; }; struct R { I begin(); I end(); };
struct I2 { int i, j; }; struct G { template<int> int get() const; };
namespace std { template<class> struct tuple_size; template<unsigned long, class> struct tuple_element; }
template<> struct std::tuple_size<G> { static const int value = 1; };
template<> struct std::tuple_element<0, G> { using type = int; };
struct B { int b; B& operator+=(int); }; struct C { int c; }; struct D : B, C { int d = 3; };
typedef float V __attribute__((ext_vector_type(2)));
#define SWAPPED(v) v.yx
V both;
void f(int& x, D* p, C* q, D (&a)[3]) {
  const int& value = +x;
  const int& place = x;
  int&& moved = static_cast<int&&>(x);
  D plain;
  D zeroed = D();
  float same = reinterpret_cast<float&>(x);
  int* bytes = (int*)p;
  D* down = static_cast<D*>(q);
  C* up = static_cast<C*>(p);
  C* unmoved = reinterpret_cast<C*>(p);
  if (x++; int y = x) x = y; else x = 1;
  if constexpr (true) x = 2;
  if (x) x = 3;
  switch (x++; x) { default: ; }
  switch (int z = x) { default: ; }
  switch (x) { default: ; }
  for (; x;) ;
  for (x = 1;; x++) ;
  for (; int y = x;) ;
  for (D& e : a) ;
  for (x = 1; D& e : a) ;
  plain += 1;
  plain.operator+=(1);
  p->c;
  f(x, p, q, a);
  SWAPPED(both);
  C named = { .c = x };
  unsigned long offset = __builtin_offsetof(C, c);
  for (int i : R()) ;
  for (D& e : a) ;
  auto [first, second] = I2{x, x};
  auto& [one, two, three] = a;
  auto [got] = G();
}
"""




@dataclass(frozen=True)
class Branch:
    """What an `if` has: a test that is decided as it is compiled, an `else`, a variable as its test, a statement before that."""

    constant: bool
    other: bool
    variable: bool
    start: bool


_KNOWN: list[object] = [
    (False, True), (False, False), (False, False), False, True, BIT_CAST, TO_DERIVED, NO_CHANGE, BIT_CAST,
    PLACE_BIT_CAST, True, False,
    Branch(False, True, True, True), Branch(True, False, False, False), Branch(False, False, False, False),
    (True, False), (False, True), (False, False),
    (False, False, True, False, True), (True, False, False, True, True), (False, True, True, False, True),
    False, True, True, False, TO_VALUE, TO_BASE, TO_BASE_OF_OBJECT, False, True, None, "yx",
    (True, False), (False, True), [(kinds.CALL, "bool"), (kinds.CALL, "I")], [(kinds.BINARY, "bool"), (kinds.UNARY, "D *")],
    [(kinds.MEMBER, "int"), (kinds.MEMBER, "int")], [(kinds.SUBSCRIPT, "D")] * 3, [None]]
"""What the nodes of the probe say where they lie as expected (`_facts`)."""


def _word(cursor: Cursor) -> int:
    if not cursor.raw.data[1]:
        raise UnsupportedError("a part of the text that clang keeps without a node", cursor.place)
    return _number(cursor.raw.data[1])


def _number(address: int) -> int:
    return c_uint64.from_address(address).value


def _parts(cursor: Cursor, count: int) -> tuple[bool, ...]:
    """Which of the parts behind a node's first word there are."""
    return tuple(bool(_number(cursor.raw.data[1] + 8 * at)) for at in range(1, count + 1))


def is_value(cursor: Cursor) -> bool:
    """Whether an expression is a value of its own (a prvalue), not a place that has a name elsewhere."""
    return _word(cursor) >> 8 & 3 == 0


def cast_kind(cursor: Cursor) -> int:
    """What a conversion does; 0 for other expressions."""
    word = _word(cursor)
    is_cast = cursor.kind in CONVERSIONS or (cursor.kind == kinds.UNEXPOSED and word & 255 == _IMPLICIT_CAST)
    return word >> 18 & 127 if is_cast else 0


def zeroes(cursor: Cursor) -> bool:
    """Whether a call of a constructor zeroes the object first."""
    return bool(_word(cursor) >> 22 & 1)


def is_operator(cursor: Cursor) -> bool:
    """Whether a call is written as an operator."""
    return _word(cursor) & 255 == _OPERATOR_CALL


def is_plain_call(cursor: Cursor) -> bool:
    """Whether a call is one of a function or of a pointer to one, not of a method, operator or constructor."""
    return _word(cursor) & 255 == _CALL


def is_designated(cursor: Cursor) -> bool:
    """Whether an item of a list names its field, `.x = 1`."""
    return _word(cursor) & 255 == _DESIGNATED


def is_offset(cursor: Cursor) -> bool:
    """Whether an expression is `offsetof`; its parts below are the subscripts on the way, no operands."""
    return _word(cursor) & 255 == _OFFSET


def components(cursor: Cursor) -> str | None:
    """The name of the components that an expression takes of a vector; None for other expressions."""
    if _word(cursor) & 255 != _COMPONENTS:
        return None
    name = _number(_number(cursor.raw.data[1] + 24) + 16)
    return string_at(name + 16, _number(name)).decode()


def branch(cursor: Cursor) -> Branch:
    word = _word(cursor)
    return Branch(bool(word >> 8 & 7), bool(word >> 11 & 1), bool(word >> 12 & 1), bool(word >> 13 & 1))


def head_of_switch(cursor: Cursor) -> tuple[bool, bool]:
    """Whether the head of a `switch` has a statement before its value, and a variable as its value."""
    word = _word(cursor)
    return bool(word >> 8 & 1), bool(word >> 9 & 1)


def head_of_for(cursor: Cursor) -> tuple[bool, ...]:
    """Which a `for` has: start, variable as its test, test, step, body."""
    return _parts(cursor, 5)


def starts_range(cursor: Cursor) -> bool:
    """Whether the head of a range-based `for` has a statement before its variable."""
    return _parts(cursor, 2)[1]


def round_of(cursor: Cursor) -> tuple[Cursor, ...]:
    """The test and the step that clang writes for a range-based `for`, which libclang does not list; nothing for other forms."""
    found: list[Cursor] = []
    for at in (6, 7):
        node = _number(cursor.raw.data[1] + 8 * at)
        kind = _WRITTEN.get(_number(node) & 255) if node else None
        if kind is None:
            return ()
        raw = RawCursor(kind, cursor.raw.extra, (c_void_p * 3)(cursor.raw.data[0], node, cursor.raw.data[2]))
        found.append(Cursor(raw, cursor.unit))
    return tuple(found)


def bound_part(binding: Cursor) -> Cursor | None:
    """What a structured binding is the name of, as clang writes it: a member or an element of the object that is taken apart.
    None for what a `get` returns, of classes that are like tuples."""
    whole, node = _number(binding.raw.data[0] + 56), _number(binding.raw.data[0] + 64)
    kind = _BOUND.get(_number(node) & 255) if node else None
    if kind is None:
        return None
    return Cursor(RawCursor(kind, 0, (c_void_p * 3)(whole, node, binding.raw.data[2])), binding.unit)


@cache
def check_layout() -> None:
    """InputError unless clang's nodes lie in memory as this version of the library has them."""
    parsed = Parsed("probe.cpp", ["-std=c++17", "-Wno-everything"], {"probe.cpp": _PROBE})
    body = parsed.root.children()[-1].children()[-1].children()
    if _facts(body) != _KNOWN:
        raise InputError("this libclang is another one than this version reads (pip install libclang==18.1.1)")


def _facts(body: list[Cursor]) -> list[object]:
    """What the nodes of the probe say."""
    inits = [statement.children()[0].initialiser for statement in body[:10]]
    found: list[object] = [(is_value(init), is_value(_innermost(init))) for init in inits[:3]]
    found += [zeroes(init) for init in inits[3:5]]
    found += [cast_kind(init) for init in inits[6:10]]
    found += [cast_kind(inits[5].expressions()[0]), is_value(inits[5]), is_value(inits[5].expressions()[0])]
    found += [branch(node) for node in body[10:13]]
    found += [head_of_switch(node) for node in body[13:16]]
    found += [head_of_for(node) for node in body[16:19]]
    found += [starts_range(node) for node in body[19:21]]
    found += [is_operator(node) for node in body[21:23]]
    inside = [inits[0].expressions()[0].expressions()[0].expressions()[0].expressions()[0], inits[8].expressions()[0],
              body[23].expressions()[0]]
    found += [cast_kind(node) for node in inside]
    found += [is_plain_call(node) for node in body[22:25:2]]
    found += [components(node) for node in body[24:26]]
    ends = [body[26].children()[0].initialiser.expressions()[0], body[27].children()[0].initialiser]
    found += [(is_designated(node), is_offset(node)) for node in ends]
    found += [[(part.kind, part.type.spelling) for part in round_of(node)] for node in body[28:30]]
    for node in body[30:33]:
        names = [name for name in node.children()[0].children() if name.kind == kinds.UNEXPOSED_DECL]
        parts = [bound_part(name) for name in names]
        found.append([(part.kind, part.type.spelling) if part is not None else None for part in parts])
    return found


def _innermost(cursor: Cursor) -> Cursor:
    """The first node below conversions that is no conversion."""
    while cursor.kind == kinds.UNEXPOSED:
        cursor = cursor.expressions()[0]
    return cursor
