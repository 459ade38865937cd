"""Inline PTX in a text, written out in CUDA C++ where a table says how.

In: a text. Out: the same text, as long and with the same lines, in which each `asm` statement of one instruction of the table is
the C++ that means the same. Anything else stays `asm`, which the front ends refuse by name and place. Cache hints do not change
what a load or store does; what orders memory (`ld.acquire`, `red`, `atom`, volatile accesses) is not in the table.
Source: PTX ISA 8.5.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from automata.lang.texts import closing

ASM = re.compile(r"\b(?:asm|__asm__|__asm)\s*(?:(?:volatile|__volatile__)\s*)?\(")
STRING = re.compile(r'\s*"((?:[^"\\\n]|\\.)*)"')
OPERAND = re.compile(r'\s*"[=+]?&?([a-z])"\s*\(')
HINTS = r"(?:\.(?:nc|ca|cg|cs|lu|cv|wb|wt|L1::\w+|L2::\w+))*"
TYPES = {"f32": "float", "f64": "double", "u32": "unsigned", "s32": "int", "b32": "unsigned", "u64": "unsigned long long",
         "s64": "long long", "b64": "unsigned long long", "u16": "unsigned short", "b16": "unsigned short", "s16": "short",
         "u8": "unsigned char", "s8": "signed char", "b8": "unsigned char"}
VECTORS = {"f32": "float", "f64": "double", "u32": "uint", "s32": "int", "b32": "uint", "u64": "ulonglong", "s64": "longlong",
           "b64": "ulonglong", "u16": "ushort", "s16": "short", "b16": "ushort"}
REGISTERS = {"f32": "f", "f64": "d", "u32": "r", "s32": "r", "b32": "r", "u64": "l", "s64": "l", "b64": "l", "u16": "h",
             "b16": "h", "s16": "h", "u8": "rh", "s8": "rh", "b8": "rh"}
"""Which constraints hold a type as C++ converts it. Bits of a float in an instruction of integers are none of these."""
Args = list[str]
Made = Callable[[re.Match[str], Args], str]


@dataclass(frozen=True, slots=True)
class Row:
    """An instruction. `operands`: the constraint of each, in order; V: of as many values as it moves, of its type."""

    pattern: str
    operands: str
    made: Made

    def takes(self, found: re.Match[str], letters: list[str]) -> bool:
        """Whether operands of these constraints are what the instruction is written out for."""
        named = found.groupdict()
        values = [REGISTERS[named["type"]]] * int(named.get("count") or 1) if "V" in self.operands else []
        wanted = [each for mark in self.operands for each in (values if mark == "V" else [mark])]
        return len(letters) == len(wanted) and all(letter in each for letter, each in zip(letters, wanted, strict=True))


def _load(found: re.Match[str], args: Args) -> str:
    return f"{args[0]}=*(const {TYPES[found['type']]}*){args[1]};"


def _store(found: re.Match[str], args: Args) -> str:
    return f"*({TYPES[found['type']]}*){args[0]}={args[1]};"


def _loads(found: re.Match[str], args: Args) -> str:
    kind = f"{VECTORS[found['type']]}{found['count']}"
    parts = "".join(f"{arg}=__v.{axis};" for arg, axis in zip(args[:-1], "xyzw", strict=False))
    return f"{{const {kind} __v=*(const {kind}*){args[-1]};{parts}}}"


def _stores(found: re.Match[str], args: Args) -> str:
    kind = f"{VECTORS[found['type']]}{found['count']}"
    return f"*({kind}*){args[0]}=make_{kind}({','.join(args[1:])});"


_ONE, _FEW = f"(?P<type>{'|'.join(TYPES)})", rf"v(?P<count>[24])\.(?P<type>{'|'.join(VECTORS)})"
_BITS = {"and": "&", "or": "|", "xor": "^"}
TABLE = (
    Row(r"mov\.u32 %0, %%laneid", "r", lambda found, args: f"{args[0]}=__spmd_laneid();"),
    Row(r"(?:barrier|bar)\.sync(?:\.aligned)? 0", "", lambda found, args: "__syncthreads();"),
    Row(r"membar\.gl", "", lambda found, args: "__threadfence();"),
    Row(r"membar\.cta", "", lambda found, args: "__threadfence_block();"),
    Row(r"membar\.sys", "", lambda found, args: "__threadfence_system();"),
    Row(r"prefetchu?\.\S+ \[%0\]", "l", lambda found, args: ";"),
    Row(rf"ld\.global{HINTS}\.{_ONE} %0, \[%1\]", "Vl", _load),
    Row(rf"st\.global{HINTS}\.{_ONE} \[%0\], %1", "lV", _store),
    Row(rf"ld\.global{HINTS}\.{_FEW} \{{%0, %1(?:, %2, %3)?\}}, \[%[24]\]", "Vl", _loads),
    Row(rf"st\.global{HINTS}\.{_FEW} \[%0\], \{{%1, %2(?:, %3, %4)?\}}", "lV", _stores),
    Row(r"fma\.rn\.f32 %0, %1, %2, %3", "ffff", lambda found, args: f"{args[0]}=__fmaf_rn({','.join(args[1:])});"),
    Row(r"fma\.rn\.f64 %0, %1, %2, %3", "dddd", lambda found, args: f"{args[0]}=__fma_rn({','.join(args[1:])});"),
    Row(r"add\.s32 %0, %1, %2", "rrr", lambda found, args: f"{args[0]}=(int)({args[1]}+{args[2]});"),
    Row(r"(?P<bits>and|or|xor)\.b32 %0, %1, %2", "rrr",
        lambda found, args: f"{args[0]}={args[1]}{_BITS[found['bits']]}{args[2]};"),
)


def without_ptx(text: str) -> str:
    """A text with the inline PTX of the table written out."""
    if "asm" not in text:
        return text
    pieces, done = list[str](), 0
    for match in ASM.finditer(text):
        end = closing(text, match.end() - 1)
        if match.start() < done or end < 0:
            continue
        last = end + len(re.match(r"\s*;?", text[end:])[0])  # type: ignore[index]
        whole = text[match.start():last]
        made = _made(text[match.end():end - 1])
        room = len(whole) - whole.count("\n")
        if made is not None and len(made) <= room and whole.endswith(";"):
            pieces += [text[done:match.start()], made, " " * (room - len(made)), "\n" * whole.count("\n")]
            done = last
    return "".join([*pieces, text[done:]])


def _made(inside: str) -> str | None:
    """The C++ for the parts between an asm statement's brackets; None where the table has none."""
    code, at = "", 0
    while piece := STRING.match(inside, at):
        code, at = code + piece[1], piece.end()
    head, _, rest = inside[at:].partition(":")
    operands = _operands(rest)
    if head.strip() or operands is None:
        return None
    plain = re.sub(r"\s+", " ", code.replace("\\n", " ").replace("\\t", " ")).strip().rstrip(";").strip()
    plain = re.sub(r"\{ ", "{", re.sub(r" \}", "}", re.sub(r"\s*,\s*", ", ", plain)))
    for row in TABLE:
        found = re.fullmatch(row.pattern, plain)
        if found and row.takes(found, [letter for letter, _ in operands]):
            return row.made(found, [text for _, text in operands])
    return None


def _operands(text: str) -> list[tuple[str, str]] | None:
    """The operands of an asm statement, outputs first: constraint, expression in brackets. None where one has another form."""
    found: list[tuple[str, str]] = []
    at = 0
    while at < len(text):
        rest = text[at:]
        if re.match(r'\s*[:,]?\s*(?:"memory"\s*)?$', rest):
            return found
        operand = OPERAND.match(rest)
        if operand:
            end = closing(text, at + operand.end() - 1)
            if end < 0 or "+" in operand[0]:
                return None
            found.append((operand[1], text[at + operand.end() - 1:end]))
            at = end
        elif mark := re.match(r"\s*[:,]", rest):
            at += mark.end()
        else:
            return None
    return found
