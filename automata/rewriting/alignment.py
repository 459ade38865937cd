"""Where arrays begin in memory, as far as wide accesses through casts hang on it.

A `float4` that is read through a pointer to floats has to lie at a multiple of 16 bytes, else the device faults. Elaboration
claims of each such access that its distance from the beginning of its array is one (`Claim`, aligned); where the array begins, no
text of a kernel says. A requirement may: `aligned(x, 16)`, x begins at a multiple of 16 bytes, and of no more than that.

Input: a kernel and what its launch requires. Output: the kernel with claims that say all of it:

- an array of which nothing is said begins where its widest access wants it to, which is an assumption, in words;
- one that is said to begin at such a multiple: the distance alone has to be one, and nothing is assumed;
- one that is said to begin at a multiple of fewer bytes than an access wants: of the places where it may begin, two at least
  differ by less than that width, and at one of them the access is not aligned, whatever its distance. So the claim never holds.

Claims that hold for every thread are left out, and those that rest on an assumption name no array any more: doing it twice
changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from pycparser import c_ast

from automata.lang import core
from automata.lang.core import Claim, Kernel, Stmt
from automata.lang.launch import ALIGNED, conjuncts, is_on_alignment, parsed
from automata.lang.traverse import rebuild_statement, walk
from automata.place import InputError, told_lines
from automata.scalar import BOOL

LARGEST = 1 << 12
"""Bytes: a page."""
_OF = re.compile(rf"(\b{ALIGNED}\(\s*)([\w.]+)")


def aligned_as_required(kernel: Kernel, requires: Iterable[str], elsewhere: Iterable[str] = ()) -> Kernel:
    """The kernel with what its launch says of where arrays begin. InputError for what makes no sense. `elsewhere`: arrays of
    other kernels that the requirements may speak of."""
    said = _said(kernel, requires, frozenset(elsewhere))
    claims = [stmt for stmt in walk(kernel.body) if isinstance(stmt, Claim) and stmt.kind == "aligned"]
    if not claims:
        return kernel
    assumed: dict[int, dict[str, None]] = {}
    for claim in claims:
        if claim.of and claim.of not in said and not claim.begins:
            assumed.setdefault(claim.unit, {})[claim.of] = None
    words = tuple(_assumption(unit, tuple(names), claims) for unit, names in sorted(assumed.items()))
    return replace(kernel, body=tuple(_body(kernel.body, said)),
                   assumptions=tuple(dict.fromkeys((*kernel.assumptions, *words))))


def _assumption(unit: int, names: tuple[str, ...], claims: Iterable[Claim]) -> str:
    lines = told_lines(claim.place for claim in claims if claim.unit == unit and claim.of in names)
    begin = "begins at a multiple" if len(names) == 1 else "begin at multiples"
    return f"{', '.join(names)} {begin} of {unit} bytes ({lines})"


def _body(body: Iterable[Stmt], said: Mapping[str, int]) -> Iterator[Stmt]:
    for stmt in body:
        if not (isinstance(stmt, Claim) and stmt.kind == "aligned"):
            yield rebuild_statement(stmt, lambda expr: expr, lambda inner: tuple(_body(inner, said)))
            continue
        bytes_of = said.get(stmt.of)
        if bytes_of is not None and bytes_of % stmt.unit:
            yield replace(stmt, test=core.Const(0, BOOL, stmt.place), begins=bytes_of)
        elif stmt.test != core.Const(1, BOOL):
            begins = bytes_of or stmt.begins
            yield replace(stmt, of=stmt.of if begins else "", begins=begins)


def in_names(text: str, names: Mapping[str, str]) -> str:
    """A requirement in which arrays that are said to begin somewhere have other names."""
    return _OF.sub(lambda found: found[1] + names.get(found[2], found[2]), text)


def arrays_of(kernel: Kernel) -> list[str]:
    """What a requirement may call an array of a kernel."""
    return list(dict.fromkeys([*filter(None, kernel.buffers), *(array.name for array in kernel.arrays)]))


def _said(kernel: Kernel, requires: Iterable[str], elsewhere: frozenset[str]) -> dict[str, int]:
    """Of which arrays it is required at multiples of how many bytes they begin: of several, the most."""
    found: dict[str, int] = {}
    for text in requires:
        for node in filter(is_on_alignment, conjuncts(parsed(text, "requirement")) if ALIGNED in text else ()):
            name, least = _operands(node, text)
            if name in elsewhere and name not in arrays_of(kernel):
                continue
            own = _own(kernel, name, text)
            if least % own:
                raise InputError(f"requirement '{text}': what '{name}' points to lies at multiples of {own} bytes by its type")
            found[name] = max(least, found.get(name, 0))
    return found


def _operands(node: c_ast.FuncCall, text: str) -> tuple[str, int]:
    match node.args.exprs if node.args is not None else []:
        case [c_ast.ID() | c_ast.StructRef() as named, c_ast.Constant(type="int", value=value)] if (
                value.isdigit() and 0 < int(value) <= LARGEST and not int(value) & (int(value) - 1)):
            return _dotted(named), int(value)
    raise InputError(f"requirement '{text}': say of one array at multiples of how many bytes it begins, a power of two, as in "
                     f"{ALIGNED}(x, 16)")


def _dotted(node: c_ast.Node) -> str:
    """A name as reports have it: `s.p` of the pointer p in the parameter s, `t.to` of what pointers in the array t lead to."""
    match node:
        case c_ast.ID(name=name):
            return str(name)
        case c_ast.StructRef(name=base, type=".", field=c_ast.ID(name=name)):
            return f"{_dotted(base)}.{name}"
    return "?"


def _own(kernel: Kernel, name: str, text: str) -> int:
    """The bytes that the type of an array's elements asks for."""
    if name in kernel.buffers and len(kernel.aligns) == len(kernel.buffers):
        return kernel.aligns[kernel.buffers.index(name)]
    found = [array.element.bytes for array in kernel.arrays if name in (array.name, array.of)]
    if not found:
        known = ", ".join(arrays_of(kernel)) or "none"
        raise InputError(f"requirement '{text}': '{name}' is no array of kernel '{kernel.name}' (there is: {known})")
    return max(found)
