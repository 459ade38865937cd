"""The table of inline PTX: an instruction, and the C++ that means the same. Adding an instruction is adding a row.

A row's pattern is that of the whole opcode. Its signature has a letter for each operand, the result first: D and S are of the
instruction's type (`type`), others kinds of registers by their letters (results: F R L H, Q a predicate), `i` a number. `text`
is the C++ with {0}, {1}, … for the operands that are read. Cache hints do not change what a load or store does.
The carry is a variable of the stub (`elaborate/kernel.py` gives each thread one).
What orders memory by itself stands in `ptx_ordered`. Not here, so refused: named barriers, bulk copies.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol
from zlib import crc32

from automata.lang.library_rows import APPROXIMATE

C_TYPES = {"r": "unsigned", "l": "unsigned long long", "h": "unsigned short", "f": "float", "d": "double", "p": "bool",
           "a": "const void*"}
SIZED = {"8": "h", "16": "h", "32": "r", "64": "l"}
KIND_OF = {"pred": "p", "f32": "f", "f64": "d",
           **{f"{letter}{size}": SIZED[size] for letter in "bus" for size in ("16", "32", "64")},
           "f16": "h", "f16x2": "r", "bf16": "h", "bf16x2": "r"}
"""What holds a value of a type."""
MEANT = {"s16": "short", "s32": "int", "s64": "long long", "u16": "unsigned short", "u32": "unsigned",
         "u64": "unsigned long long", "b16": "unsigned short", "b32": "unsigned", "b64": "unsigned long long",
         "f32": "float", "f64": "double", "u8": "unsigned char", "s8": "signed char", "b8": "unsigned char"}
SPECIAL = {"%laneid": "__spmd_laneid()", **{f"%{name}.{axis}": f"{cuda}.{axis}" for axis in "xyz" for name, cuda in (
               ("tid", "threadIdx"), ("ntid", "blockDim"), ("ctaid", "blockIdx"), ("nctaid", "gridDim"))},
           "%lanemask_lt": "((1u<<__spmd_laneid())-1u)", "%lanemask_eq": "(1u<<__spmd_laneid())",
           "%lanemask_le": "((2u<<__spmd_laneid())-1u)", "%lanemask_gt": "(~((2u<<__spmd_laneid())-1u))",
           "%lanemask_ge": "(~((1u<<__spmd_laneid())-1u))", "%clock": "clock()", "%clock64": "clock64()",
           "%globaltimer": "__spmd_register()", "%smid": "__spmd_register()", "%warpid": "__spmd_own_register()",
           "%nwarpid": "__spmd_own_register()", "%nsmid": "__spmd_own_register()", "%gridid": "__spmd_own_register()"}
"""Registers of the device. Which warp of the machine a thread is in, and where it runs, nobody can tell."""
RESULT = {"F": "f", "R": "r", "L": "l", "H": "h", "Q": "p"}
Found = re.Match[str]


class Writer(Protocol):
    """The C++ for one statement, while it is written (`ptx.Program`)."""

    def read(self, text: str, kind: str) -> str: ...
    def write(self, text: str, kind: str, value: str) -> str: ...
    def address(self, text: str, space: str, size: int) -> str: ...
    def register(self, text: str) -> tuple[str, str, bool]: ...
    def kind(self, text: str) -> str: ...


Made = Callable[[Writer, Found, list[str]], str]


class CannotWrite(Exception):
    """An instruction that the table does not have."""


@dataclass(frozen=True, slots=True)
class Row:
    """An instruction of the table. `count`: how many operands it has."""

    pattern: re.Pattern[str]
    count: int
    made: Made

    def takes(self, args: list[str]) -> bool:
        return len(args) == self.count


def _value(pattern: str, signature: str, text: str) -> Row:
    """An instruction with one result, a C++ expression of the values of its operands."""
    compiled = re.compile(pattern)

    def made(program: Writer, found: Found, args: list[str]) -> str:
        kind = found.groupdict().get("type") or ""
        own = KIND_OF.get(kind, "")
        values = [_given(program, letter, arg, kind) for letter, arg in zip(signature[1:], args[1:], strict=True)]
        target = RESULT.get(signature[0], own)
        return program.write(args[0], target, f"({C_TYPES[target]})({text.format(*values, **found.groupdict())})")

    return Row(compiled, len(signature), made)


def _given(program: Writer, letter: str, arg: str, kind: str) -> str:
    """The value of an operand that is read."""
    if letter == "i":
        if not re.fullmatch(r"\d+|0[xX][0-9a-fA-F]+", arg):
            raise CannotWrite(arg)
        return str(int(arg, 0))
    return f"({MEANT[kind]}){program.read(arg, KIND_OF[kind])}" if letter == "S" else program.read(arg, letter)


def plain(pattern: str, text: str) -> Row:
    """An instruction without operands."""
    return Row(re.compile(pattern), 0, lambda program, found, args: text)


def size_of(kind: str) -> int:
    return int(re.sub(r"\D", "", kind)) // 8


def holder(program: Writer, arg: str, kind: str) -> str:
    """What holds a value that memory has: bits go into a register of floats as they are."""
    own = program.kind(arg)
    wide = KIND_OF.get(kind) or "h"
    if kind.startswith("b") and (own, wide) in (("f", "r"), ("d", "l")):
        return own
    if wide == "h" and own == "r" and size_of(kind) == 1:
        return "r"
    return wide


def _kinds(program: Writer, parts: list[str], kind: str) -> tuple[list[str], str]:
    """The kind of each register, and the type in memory."""
    held = [holder(program, part, kind) for part in parts]
    in_memory = C_TYPES[held[0]] if held[0] in "fd" else MEANT[kind]
    if len(set(held)) > 1:
        raise CannotWrite("registers of several kinds")
    return held, in_memory


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text[1:-1].split(",")] if text.startswith("{") else [text]


def _access(program: Writer, found: Found, place: str, parts: list[str]) -> tuple[str, list[str], str]:
    """The pointer of an access, and what holds its values; and their type."""
    kind, count = found["type"], int(found["count"] or 1)
    if len(parts) != count:
        raise CannotWrite("a vector of another length")
    held, in_memory = _kinds(program, parts, kind)
    space = "shared" if (found["space"] or "").startswith(".shared") else "global"
    at = program.address(place, space, count * size_of(kind))
    return at, held, in_memory


def _load(program: Writer, found: Found, args: list[str]) -> str:
    parts = _parts(args[0])
    at, held, kind = _access(program, found, args[1], parts)
    if len(parts) == 1:
        return program.write(parts[0], held[0], f"({C_TYPES[held[0]]})*(const {kind}*){at}")
    values = "".join(program.write(part, one, f"({C_TYPES[one]})__v.v[{number}]")
                     for number, (part, one) in enumerate(zip(parts, held, strict=True)))
    return f"{{const __spmd_row<{kind},{len(parts)}> __v=*(const __spmd_row<{kind},{len(parts)}>*){at};{values}}}"


def _store(program: Writer, found: Found, args: list[str]) -> str:
    parts = _parts(args[1])
    at, held, kind = _access(program, found, args[0], parts)
    values = [f"({kind}){program.read(part, one)}" for part, one in zip(parts, held, strict=True)]
    if len(parts) == 1:
        return f"*({kind}*){at}={values[0]};"
    return f"*(__spmd_row<{kind},{len(parts)}>*){at}=__spmd_row<{kind},{len(parts)}>{{{{{','.join(values)}}}}};"


def _moved(program: Writer, found: Found, args: list[str]) -> str:
    """mov: of one register, or of several to or from one that holds them all, the first lowest."""
    target, source = map(_parts, args)
    kind = found["type"]
    if len(target) == len(source) == 1:
        own = program.kind(target[0])
        wide = KIND_OF[kind]
        held = own if kind.startswith("b") and (own, wide) in (("f", "r"), ("d", "l")) else wide
        given = program.kind(source[0])
        value = (f"__float_as_uint({program.read(source[0], 'f')})" if (held, given) == ("r", "f") else
                 f"__uint_as_float({program.read(source[0], 'r')})" if (held, given) == ("f", "r") else
                 program.read(source[0], held))
        return program.write(target[0], held, value)
    few = max(len(target), len(source))
    wide, narrow = KIND_OF[kind], SIZED.get(str(size_of(kind) * 8 // few))
    if narrow is None or narrow == wide or (few, narrow, wide) not in ((2, "r", "l"), (2, "h", "r"), (4, "h", "l")):
        raise CannotWrite("mov of parts")
    bits = size_of(kind) * 8 // few
    if len(source) == few:
        values = [_bits(program, part, narrow) for part in source]
        total = "|".join(f"(({C_TYPES[wide]}){value}<<{bits * at})" for at, value in enumerate(values))
        return program.write(target[0], wide, total)
    value = program.read(source[0], wide)
    made = f"{{const {C_TYPES[wide]} __w={value};"
    for at, part in enumerate(target):
        bits_of = f"({C_TYPES[narrow]})(__w>>{bits * at})"
        if part != "_" and program.kind(part) == "f" and narrow == "r":
            made += program.write(part, "f", f"__uint_as_float({bits_of})")
        else:
            made += program.write(part, narrow, bits_of)
    return made + "}"


def _bits(program: Writer, part: str, narrow: str) -> str:
    is_float = narrow == "r" and program.kind(part) == "f"
    return f"__float_as_uint({program.read(part, 'f')})" if is_float else program.read(part, narrow)


def _compared(program: Writer, found: Found, args: list[str]) -> str:
    kind = found["type"]
    one, two = (f"({MEANT[kind]}){program.read(arg, KIND_OF[kind])}" for arg in args[1:])
    sign = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}[found["test"]]
    if kind.startswith("f") and sign == "!=":
        return program.write(args[0], "p", f"({one}<{two}||{two}<{one})")
    return program.write(args[0], "p", f"({one}{sign}{two})")


def _copied(program: Writer, found: Found, args: list[str]) -> str:
    """cp.async: of sixteen bytes or less; with one operand more only so many come from the source, the others are zero."""
    size = args[2] if args[2].isdigit() else program.register(args[2])[0]
    if not args[2].isdigit() and program.kind(args[2]) != "n":
        raise CannotWrite("a size that is no number")
    name, own, _ = program.register(args[0].strip("[] "))
    source = program.address(args[1], "global", 1)
    if own not in "rl":
        raise CannotWrite("an address in a register of another kind")
    some = program.read(args[3], "r") if len(args) > 3 else size
    return f"__spmd_copy_later(__spmd_shared((unsigned){name},{size}),{source},{size},{some});"


def _waited(program: Writer, found: Found, args: list[str]) -> str:
    most = args[0] if args[0].isdigit() else program.register(args[0])[0]
    if not args[0].isdigit() and program.kind(args[0]) != "n":
        raise CannotWrite("a number of groups in a register")
    return f"__pipeline_wait_prior({most});"


def _of_a_warp(opcode: str) -> str:
    """The number that stands for an instruction of matrices."""
    return f"unsigned __t={crc32(opcode.encode())}u;"


def _mixed(program: Writer, args: list[str]) -> str:
    """What a lane brings."""
    found = ""
    for part in (part for arg in args for part in _parts(arg)):
        kind = program.kind(part)
        found += f"__t=__spmd_tile_mix(__t,{program.read(part, 'r' if kind == 'n' else kind)});"
    return found


def _taken(program: Writer, arg: str) -> str:
    found = ""
    for at, part in enumerate(_parts(arg)):
        kind = program.kind(part)
        name = {"r": "word", "f": "float", "d": "double"}.get(kind)
        if name is None:
            raise CannotWrite(f"a result in {part}")
        found += program.write(part, kind, f"__spmd_tile_{name}(__t,{at})")
    return found


def _multiplied(program: Writer, found: Found, args: list[str]) -> str:
    """mma: each lane brings parts of three matrices, and gets a part of a fourth."""
    return f"{{{_of_a_warp(found[0])}{_mixed(program, args[1:])}__t=__spmd_tile_sum(__t);{_taken(program, args[0])}}}"


def _rows(found: Found, registers: str) -> int:
    """How many lanes name a row of the matrices of an instruction with these registers: one register a matrix, eight rows."""
    count = int(found["count"] or found["few"])
    if len(_parts(registers)) != count:
        raise CannotWrite("another number of registers than matrices")
    return 8 * count


def _loaded_rows(program: Writer, found: Found, args: list[str]) -> str:
    lanes, row = _rows(found, args[0]), program.address(args[1], "shared", 16)
    return f"{{{_of_a_warp(found[0])}__t=__spmd_tile_rows(__t,{row},{lanes});{_taken(program, args[0])}}}"


def _stored_rows(program: Writer, found: Found, args: list[str]) -> str:
    lanes, row = _rows(found, args[1]), program.address(args[0], "shared", 16)
    return f"{{{_of_a_warp(found[0])}{_mixed(program, args[1:])}__spmd_tile_store(__spmd_tile_sum(__t),{row},{lanes});}}"


def _shuffled(program: Writer, found: Found, args: list[str]) -> str:
    """shfl.sync: the fourth operand holds the last lane in its low bits and the lanes outside of a segment in its high ones."""
    held = "f" if program.kind(args[0]) == "f" else "r"
    value, by, mask = program.read(args[1], held), program.read(args[2], "r"), program.read(args[4], "r")
    packed = int(args[3], 0) if re.fullmatch(r"\d+|0[xX][0-9a-fA-F]+", args[3]) else -1
    last = 0 if found["how"] == "up" else 31
    width = 32 - (packed >> 8)
    if packed < 0 or packed & 0xff != last or width not in (1, 2, 4, 8, 16, 32):
        raise CannotWrite("a shuffle within other lanes")
    name = {"idx": "__shfl_sync", "bfly": "__shfl_xor_sync", "up": "__shfl_up_sync", "down": "__shfl_down_sync"}[found["how"]]
    return program.write(args[0], held, f"{name}({mask},{value},{by},{width})")


def updated(program: Writer, found: Found, args: list[str]) -> str:
    """red and atom without an order of their own."""
    kind, op = found["type"], found["op"]
    used = args[1:] if found["what"] == "atom" else args
    space = "shared" if found["space"].startswith(".shared") else "global"
    at = program.address(used[0], space, size_of(kind))
    name = {"add": "Add", "min": "Min", "max": "Max", "and": "And", "or": "Or", "xor": "Xor", "exch": "Exch", "cas": "CAS",
            "inc": "Inc", "dec": "Dec"}[op]
    values = ",".join(f"({MEANT[kind]}){program.read(arg, KIND_OF[kind])}" for arg in used[1:])
    scope = {".cta": "_block", ".sys": "_system"}.get(found["scope"] or "", "")
    call = f"atomic{name}{scope}(({MEANT[kind]}*){at},{values})"
    return program.write(args[0], KIND_OF[kind], f"({C_TYPES[KIND_OF[kind]]}){call}") if found["what"] == "atom" else f"{call};"


HINTS = r"(?:\.(?:nc|ca|cg|cs|lu|cv|wb|wt|weak|L1::\w+|L2::\w+))*"
SPACE = r"(?P<space>\.global|\.shared(?:::cta)?|)"
INTS, WIDE = r"(?P<type>[us](?:16|32|64))", r"(?P<type>[usb](?:16|32|64)|f32|f64)"
CACHED = r"(?:\.(?:c[agsv]|lu|wb|wt|nc))?"  # before the memory too
MOVED = rf"{HINTS}(?:\.v(?P<count>[24]))?\.(?P<type>[usb](?:8|16|32|64)|f32|f64)"
BITS = (("and", "&"), ("or", "|"), ("xor", "^"))
CARRYING = (("", r"\.cc"), ("c", ""), ("c", r"\.cc"))
"""Instructions that write the carry, read it, or both; a borrow is one, too."""
ROWS: tuple[Row, ...] = (
    plain(r"(?:barrier|bar)\.sync(?:\.aligned)? 0", ""),
    Row(re.compile(r"(?:barrier|bar)\.sync(?:\.aligned)?"), 1, lambda program, found, args: _only_the_first(args)),
    plain(r"membar\.gl|fence\.sc\.gpu", "__threadfence();"), plain(r"membar\.cta|fence\.sc\.cta", "__threadfence_block();"),
    plain(r"fence(?:\.acq_rel)?\.(?:gpu|sys)", "__spmd_acq_rel_fence();"),
    plain(r"fence(?:\.acq_rel)?\.cta", "__spmd_acq_rel_fence_block();"),
    plain(r"fence\.proxy\.async(?:\.\S+)?", "__spmd_proxy_fence();"),
    plain(r"membar\.sys|fence\.sc\.sys", "__threadfence_system();"),
    plain(r"griddepcontrol\.(?:wait|launch_dependents)|nop|brkpt", ";"), plain("trap", "__trap();"),
    Row(re.compile(r"setmaxnreg\.\S+|pmevent|nanosleep\.u32|prefetchu?\.\S+"), 1, lambda program, found, args: ";"),
    plain(r"cp\.async\.commit_group", "__pipeline_commit();"), plain(r"cp\.async\.wait_all", "__spmd_copies_end();"),
    Row(re.compile(r"cp\.async\.wait_group"), 1, _waited),
    *(Row(re.compile(r"cp\.async\.c[ag]\.shared(?:::cta)?\.global(?:\.L2::\w+)*"), count, _copied) for count in (3, 4)),
    Row(re.compile(rf"ld{CACHED}{SPACE}{MOVED}"), 2, _load), Row(re.compile(rf"st{CACHED}{SPACE}{MOVED}"), 2, _store),
    Row(re.compile(r"mov\.(?P<type>[bus](?:16|32|64)|f32|f64)"), 2, _moved),
    Row(re.compile(r"cvta\.to\.shared\.u64"), 2, lambda program, found, args: program.write(
        args[0], "l", f"__cvta_generic_to_shared({program.register(args[1])[0]})")),
    Row(re.compile(r"setp\.(?P<test>eq|ne|lt|le|gt|ge)\.(?P<type>[usb](?:16|32|64)|f32|f64)"), 3, _compared),
    _value(rf"selp\.{WIDE}", "DSSp", "{2}?({0}):({1})"),
    *(_value(rf"{op}\.(?P<type>[us](?:16|32|64))", "DSS", f"({{0}}){sign}({{1}})") for op, sign in (("add", "+"), ("sub", "-"))),
    _value(rf"mul\.lo\.{INTS}", "DSS", "({0})*({1})"), _value(rf"mad\.lo\.{INTS}", "DSSS", "({0})*({1})+({2})"),
    *(_value(rf"{op}{carry}{set_}\.(?P<type>[us]{bits})", "DSS", f"__spmd_{op}{carry}{set_[2:]}_{bits}({{0}},{{1}})")
      for op in ("add", "sub") for carry, set_ in CARRYING for bits in (32, 64)),
    *(_value(rf"mad{carry}\.{part}{set_}\.(?P<type>{kinds}{bits})", "DSSS",
             f"__spmd_add{carry}{set_[2:]}_{bits}(__spmd_{part}_{bits}({{0}},{{1}}),{{2}})")
      for part, kinds in (("lo", "[us]"), ("hi", "u")) for carry, set_ in (*CARRYING, ("", "")) for bits in (32, 64)
      if (part, carry, set_) != ("lo", "", "")),
    *(_value(rf"mad{carry}\.hi{set_}\.(?P<type>s{bits})", "DSSS",
             f"__spmd_add{carry}{set_[2:]}_{bits}({name}({{0}},{{1}}),{{2}})")
      for carry, set_ in (*CARRYING, ("", "")) for bits, name in ((32, "__mulhi"), (64, "__mul64hi"))),
    *(_value(rf"mul\.hi\.(?P<type>{s}64)", "DSS", f"__{name}64hi({{0}},{{1}})") for s, name in (("u", "umul"), ("s", "mul"))),
    *(_value(rf"{op}\.wide\.u32", f"Lrr{more}", f"(unsigned long long){{0}}*{{1}}{plus}") for op, more, plus in (
        ("mul", "", ""), ("mad", "l", "+{2}"))),
    _value(r"mul\.wide\.s32", "Lrr", "(long long)(int){0}*(int){1}"),
    _value(r"mul\.hi\.u32", "Rrr", "__umulhi({0},{1})"), _value(r"mul\.hi\.s32", "Rrr", "__mulhi((int){0},(int){1})"),
    *(_value(rf"{op}\.(?P<type>[us](?:32|64))", "DSS", f"{op}({{0}},{{1}})") for op in ("min", "max")),
    *(_value(rf"{op}\.(?P<type>b(?:16|32|64))", "DSS", f"({{0}}){sign}({{1}})") for op, sign in BITS),
    *(_value(rf"{op}\.(?P<type>{of}(?:32|64))", "DS", f"{it}({{0}})") for op, of, it in (("not", "b", "~"), ("neg", "s", "-"))),
    *(_value(rf"{op}\.pred", "Qpp", f"({{0}}){sign}({{1}})") for op, sign in BITS),
    _value(r"not\.pred", "Qp", "!({0})"),
    *(_value(rf"sh{way}\.{kind}{bits}", shape, f"{{1}}<{bits}u?{{0}}{sign}{{1}}:0u") for way, kind, sign in (
        ("l", "b", "<<"), ("r", "(?:u|b)", ">>")) for bits, shape in ((32, "Rrr"), (64, "Llr"))),
    _value(r"shr\.s32", "Rrr", "(int){0}>>({1}<31u?{1}:31u)"), _value(r"shr\.s64", "Llr", "(long long){0}>>({1}<63u?{1}:63u)"),
    *(_value(rf"shf\.{way}\.{how}\.b32", "Rrrr", f"__funnelshift_{way}{end}({{0}},{{1}},{{2}})") for way in "lr" for how, end in (
        ("wrap", ""), ("clamp", "c"))),
    _value(r"lop3\.b32", "Rrrri", "__spmd_lop3({0},{1},{2},{3})"), _value(r"lop3\.b32", "Rrrrr", "__spmd_lop3({0},{1},{2},{3})"),
    Row(re.compile(r"prmt\.b32"), 4, lambda program, found, args: _permuted(program, args)),
    _value(r"bfe\.u32", "Rrrr", "__spmd_bfe({0},{1},{2})"), _value(r"bfi\.b32", "Rrrrr", "__spmd_bfi({0},{1},{2},{3})"),
    *(_value(rf"{op}\.b{bits}", f"R{held}", f"__{op}{end}({{0}})") for op in ("popc", "clz") for bits, held, end in (
        (32, "r", ""), (64, "l", "ll"))),
    _value(r"brev\.b32", "Rr", "__brev({0})"), _value(r"brev\.b64", "Ll", "__brevll({0})"),
    *(_value(rf"{op}\.rn\.f32", "Fff", f"__f{op}_rn({{0}},{{1}})") for op in ("add", "sub", "mul", "div")),
    *(_value(rf"{op}\.f32", "Fff", f"{{0}}{sign}{{1}}") for op, sign in (("add", "+"), ("sub", "-"), ("mul", "*"))),
    *(_value(rf"{op}\.rn\.ftz\.f32", "Fff", f"__spmd_{op}_ftz({{0}},{{1}})") for op in ("add", "sub", "mul")),
    _value(r"fma\.rn\.f32", "Ffff", "__fmaf_rn({0},{1},{2})"),
    _value(r"fma\.rn\.ftz\.f32", "Ffff", "__spmd_fma_ftz({0},{1},{2})"),
    _value(r"fma\.rn\.(?P<type>f64)", "DSSS", "__fma_rn({0},{1},{2})"),
    *(_value(rf"{op}\.f32", "Fff", f"f{op}f({{0}},{{1}})") for op in ("min", "max")),
    _value(r"neg\.f32", "Ff", "-{0}"), _value(r"abs\.f32", "Ff", "fabsf({0})"),
    *(_value(rf"{op}(?:\.rn)?\.f32x2", "Lll", f"__spmd_{op}_f32x2({{0}},{{1}})") for op in ("add", "sub", "mul")),
    *(_value(rf"{op}(?:\.rn)?\.ftz\.f32x2", "Lll", f"__spmd_{op}_ftz_f32x2({{0}},{{1}})") for op in ("add", "sub", "mul")),
    _value(r"fma\.rn\.f32x2", "Llll", "__spmd_fma_f32x2({0},{1},{2})"),
    _value(r"fma\.rn\.ftz\.f32x2", "Llll", "__spmd_fma_ftz_f32x2({0},{1},{2})"),
    *(_value(rf"{op}\.approx\.f32", "Ff", f"__spmd_{op}_approx({{0}})") for op in APPROXIMATE),
    *(_value(rf"{op}\.approx\.ftz\.f32", "Ff", f"__spmd_{op}_approx_ftz({{0}})") for op in APPROXIMATE),
    *(_value(rf"{op}\.approx(?:\.ftz)?\.{kind}", "Rr", f"__spmd_{op}_{kind}({{0}})")
      for op in ("ex2", "tanh") for kind in ("f16x2", "bf16x2")),
    *(_value(rf"{op}\.rn\.f32", "Ff", f"__f{op}_rn({{0}})") for op in ("rcp", "sqrt")),
    *(_value(rf"{op}(?:\.rn)?\.(?P<kind>f16x2|bf16x2)", "Rrr", f"__spmd_{op}_{{kind}}({{0}},{{1}})")
      for op in ("add", "sub", "mul", "min", "max")),
    _value(r"fma\.rn\.(?P<kind>f16x2|bf16x2)", "Rrrr", "__spmd_fma_{kind}({0},{1},{2})"),
    _value(r"cvt\.rn\.(?P<kind>f16x2|bf16x2)\.f32", "Rff", "__spmd_pack_{kind}({0},{1})"),
    _value(r"cvt\.f32\.f16", "Fh", "__half2float(__ushort_as_half({0}))"),
    _value(r"cvt\.f32\.bf16", "Fh", "__bfloat162float(__ushort_as_bfloat16({0}))"),
    _value(r"cvt\.rn\.f16\.f32", "Hf", "__half_as_ushort(__float2half({0}))"),
    _value(r"cvt\.rn\.bf16\.f32", "Hf", "__bfloat16_as_ushort(__float2bfloat16({0}))"),
    _value(r"cvt\.(?:u64|s64|b64)\.u32", "Lr", "{0}"), _value(r"cvt\.[us]64\.s32", "Lr", "(long long)(int){0}"),
    _value(r"cvt\.[us]32\.[us]64", "Rl", "(unsigned){0}"), _value(r"cvt\.u16\.u32", "Hr", "(unsigned short){0}"),
    _value(r"cvt\.u32\.u16", "Rh", "{0}"), _value(r"cvt\.rn\.f32\.s32", "Fr", "(float)(int){0}"),
    _value(r"cvt\.rn\.f32\.u32", "Fr", "(float){0}"),
    *(_value(rf"cvt\.r{mode}i\.s32\.f32", "Rf", f"__float2int_r{mode}({{0}})") for mode in "nzd"),
    *(_value(r"cvt\.rni\.sat\.s8\.f32", f"{held}f", "__spmd_rni_s8({0})") for held in "RH"),
    _value(r"cvt\.rni\.sat\.s8\.f16", "Hh", "__spmd_rni_s8(__half2float(__ushort_as_half({0})))"),
    *(_value(rf"cvt\.rn\.satfinite\.{kind}x2\.f32", "Hff", f"__spmd_pack_{kind}({{0}},{{1}})") for kind in ("e4m3", "e5m2")),
    *(_value(rf"cvt\.rn\.f16x2\.{kind}x2", "Rh", f"__spmd_unpack_{kind}({{0}})") for kind in ("e4m3", "e5m2")),
    Row(re.compile(r"mma\.sync\.aligned\.m\d+n\d+k\d+\.\S+"), 4, _multiplied),
    *(Row(re.compile(rf"{op}matrix\.sync\.aligned\.(?:m8n8\.x(?P<count>[124])|x(?P<few>[124])\.m8n8)(?:\.trans)?"
                     rf"\.shared(?:::cta)?\.b16"), 2, made) for op, made in (("ld", _loaded_rows), ("st", _stored_rows))),
    Row(re.compile(r"shfl\.sync\.(?P<how>idx|bfly|up|down)\.b32"), 5, _shuffled),
    *(_value(rf"redux\.sync\.{op}\.(?P<type>{kinds})", "DSr", f"__reduce_{op}_sync({{1}},{{0}})") for op, kinds in (
        ("add", "[us]32"), ("min", "[us]32"), ("max", "[us]32"), ("and", "b32"), ("or", "b32"), ("xor", "b32"))),
    _value(r"vote\.sync\.ballot\.b32", "Rpr", "__ballot_sync({1},{0})"),
    *(_value(rf"vote\.sync\.{of}\.pred", "Qpr", f"__{of}_sync({{1}},{{0}})") for of in ("any", "all")),
    Row(re.compile(r"activemask\.b32"), 1, lambda program, found, args: program.write(args[0], "r", "__activemask()")),
    Row(re.compile(r"bar\.warp\.sync"), 1, lambda program, found, args: f"__syncwarp({program.read(args[0], 'r')});"),
    *(Row(re.compile(rf"(?P<what>{what})(?:\.relaxed)?(?P<scope>\.cta|\.gpu|\.sys|)"
                     rf"(?P<space>\.global|\.shared(?:::cta)?)\.(?P<op>{ops})(?:\.noftz)?"
                     rf"\.(?P<type>[usb](?:32|64)|f32|f64)"), count, updated) for what, ops, count in (
        ("red", "add|min|max|and|or|xor|inc|dec", 2), ("atom", "add|min|max|and|or|xor|inc|dec|exch", 3), ("atom", "cas", 4))),
)


def _only_the_first(args: list[str]) -> str:
    if args[0] != "0":
        raise CannotWrite("a named barrier")
    return "__syncthreads();"


def _permuted(program: Writer, args: list[str]) -> str:
    """prmt of bytes; a selector that copies signs is not what __byte_perm does."""
    if not re.fullmatch(r"\d+|0[xX][0-9a-fA-F]+", args[3]) or int(args[3], 0) & 0x8888:
        raise CannotWrite("prmt with a selector that is not known")
    one, two = (program.read(arg, "r") for arg in args[1:3])
    return program.write(args[0], "r", f"__byte_perm({one},{two},{int(args[3], 0)}u)")
