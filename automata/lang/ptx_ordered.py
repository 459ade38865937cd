"""The rows of inline PTX that order memory by themselves, or are atomic as a plain access is not (`ptx_rows` has the others).

Loads and stores that are `relaxed`, `acquire` or `release` are atomic accesses of one word, reductions and updates may have an
order too. Each means what CUDA's atomic functions with that order mean: one atomic access, and beside it a fence that belongs to
it alone (`stubs/intrinsics.h`, `__spmd_before` and `__spmd_behind`). A release stands before the access, an acquire behind it, an
`acq_rel` is both. What is `volatile` is the volatile access of C++, for which the compiler writes just this instruction. The
older spelling puts the memory before the order (`ld.global.acquire.gpu`). Words are of 32 or 64 bits, since only those are
updated atomically here; a vector is refused. A scope of a cluster is taken for one of a block, which orders less.
Source: PTX ISA 8.5, "Memory Consistency Model", `ld`, `st`, `atom`, `red` and `fence`.
"""

from __future__ import annotations

import re

from automata.lang.ptx_rows import C_TYPES, MEANT, SPACE, CannotWrite, Found, Row, Writer, holder, plain, size_of, updated

SCOPE = r"\.(?P<scope>cta|cluster|gpu|sys)"
WORD = r"\.(?P<type>[usb](?:32|64)|f32)"
CACHED = r"(?:\.L1::\w+|\.L2::\w+)*"
ORDERS = {"relaxed": 0, "acquire": 2, "release": 3, "acq_rel": 4}
"""Orders as the stub numbers them."""
SCOPES = {"cta": 1, "cluster": 2, "gpu": 3, "sys": 4}
"""Scopes as the functions with `__nv_` number them."""
UPDATES = (("red", "add|min|max|and|or|xor|inc|dec", 2), ("atom", "add|min|max|and|or|xor|inc|dec|exch", 3), ("atom", "cas", 4))


def _place(program: Writer, found: Found, place: str, register: str) -> tuple[str, str, str]:
    """The address of a word, what holds its value, and its type in memory."""
    kind = found["type"]
    own = holder(program, register, kind)
    space = "shared" if found["space"].startswith(".shared") else "global"
    return program.address(place, space, size_of(kind)), own, C_TYPES[own] if own == "f" else MEANT[kind]


def _load(program: Writer, found: Found, args: list[str]) -> str:
    at, own, kind = _place(program, found, args[1], args[0])
    call = f"__nv_atomic_load_n((const {kind}*){at},{ORDERS[found['order']]},{SCOPES[found['scope']]})"
    return program.write(args[0], own, f"({C_TYPES[own]}){call}")


def _store(program: Writer, found: Found, args: list[str]) -> str:
    at, own, kind = _place(program, found, args[0], args[1])
    value = f"({kind}){program.read(args[1], own)}"
    return f"__nv_atomic_store_n(({kind}*){at},{value},{ORDERS[found['order']]},{SCOPES[found['scope']]});"


def _update(program: Writer, found: Found, args: list[str]) -> str:
    order, narrow = ORDERS[found["order"]], str(found["scope"] == ".cta").lower()
    return f"__spmd_before({order},{narrow});{updated(program, found, args)}__spmd_behind({order},{narrow});"


def _volatile_load(program: Writer, found: Found, args: list[str]) -> str:
    at, own, kind = _place(program, found, args[1], args[0])
    return program.write(args[0], own, f"({C_TYPES[own]})*(const volatile {kind}*){at}")


def _volatile_store(program: Writer, found: Found, args: list[str]) -> str:
    at, own, kind = _place(program, found, args[0], args[1])
    return f"*(volatile {kind}*){at}=({kind}){program.read(args[1], own)};"


def _both_spellings(before: str, order: str, after: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """The memory behind the order and its scope, or before them."""
    named = SPACE.removesuffix("|)") + ")"
    return re.compile(before + order + SPACE + after), re.compile(before + named + order + after)


ORDERED: tuple[Row, ...] = (
    *(Row(pattern, 2, _load) for pattern in _both_spellings("ld", rf"\.(?P<order>relaxed|acquire){SCOPE}", CACHED + WORD)),
    *(Row(pattern, 2, _store) for pattern in _both_spellings("st", rf"\.(?P<order>relaxed|release){SCOPE}", CACHED + WORD)),
    *(Row(pattern, 2, made) for name, made in (("ld", _volatile_load), ("st", _volatile_store))
      for pattern in _both_spellings(name, r"\.volatile", WORD)),
    *(Row(pattern, count, _update) for what, ops, count in UPDATES for pattern in _both_spellings(
        rf"(?P<what>{what})", r"\.(?P<order>acquire|release|acq_rel)(?P<scope>\.cta|\.gpu|\.sys|)",
        rf"\.(?P<op>{ops})(?:\.noftz)?{WORD}")),
    *(plain(rf"fence\.{order}\.{scopes}", f"__spmd_{order}_fence{end}();") for order in ("acquire", "release")
      for scopes, end in (("(?:gpu|sys)", ""), ("(?:cta|cluster)", "_block"))),
)


def without_hint(opcode: str, args: list[str]) -> tuple[str, list[str]]:
    """An instruction without the hint to the cache that a register holds, its last operand, which changes no value."""
    if ".L2::cache_hint" not in opcode or opcode.startswith("cp.async.bulk"):
        return opcode, args
    if not args or not re.fullmatch(r"%?\w+", args[-1]):
        raise CannotWrite(opcode)
    return opcode.replace(".L2::cache_hint", ""), args[:-1]
