"""Inline PTX in a text, written out in CUDA C++ where a table says how.

In: a text. Out: the same text, as long and with the same lines, in which each `asm` statement of one instruction of the table is
the C++ that means the same. Anything else stays `asm`, which the front ends refuse by name and place. Cache hints do not change
what a load or store does; what orders memory (`ld.acquire`, `red`, `atom`, volatile accesses) is not in the table.
Source: PTX ISA 8.5.
"""

from __future__ import annotations

import re
from collections.abc import Callable

ASM = re.compile(r"\b(?:asm|__asm__|__asm)\s*(?:(?:volatile|__volatile__)\s*)?\(")
STRING = re.compile(r'\s*"((?:[^"\\\n]|\\.)*)"')
OPERAND = re.compile(r'\s*"[=+]?&?[a-z]"\s*\(')
HINTS = r"(?:\.(?:nc|ca|cg|cs|lu|cv|wb|wt|L1::\w+|L2::\w+|relaxed(?:\.\w+)?|weak))*"
TYPES = {"f32": "float", "f64": "double", "u32": "unsigned", "s32": "int", "b32": "unsigned", "u64": "unsigned long long",
         "s64": "long long", "b64": "unsigned long long", "u16": "unsigned short", "b16": "unsigned short", "s16": "short",
         "u8": "unsigned char", "s8": "signed char", "b8": "unsigned char"}
VECTORS = {"f32": "float", "f64": "double", "u32": "uint", "s32": "int", "b32": "uint", "u64": "ulonglong", "s64": "longlong",
           "b64": "ulonglong", "u16": "ushort", "s16": "short", "b16": "ushort"}
Args = list[str]
Made = Callable[[re.Match[str], Args], str]


def _load(found: re.Match[str], args: Args) -> str:
    return f"{args[0]}=*(const {TYPES[found[1]]}*){args[1]};"


def _store(found: re.Match[str], args: Args) -> str:
    return f"*({TYPES[found[1]]}*){args[0]}={args[1]};"


def _loads(found: re.Match[str], args: Args) -> str:
    kind = f"{VECTORS[found[2]]}{found[1]}"
    parts = "".join(f"{arg}=v_.{axis};" for arg, axis in zip(args[:-1], "xyzw", strict=False))
    return f"{{const {kind} v_=*(const {kind}*){args[-1]};{parts}}}"


def _stores(found: re.Match[str], args: Args) -> str:
    kind = f"{VECTORS[found[2]]}{found[1]}"
    return f"*({kind}*){args[0]}=make_{kind}({','.join(args[1:])});"


TABLE: tuple[tuple[str, int, Made], ...] = (
    (r"mov\.u32 %0, %%laneid", 1, lambda found, args: f"{args[0]}=__spmd_laneid();"),
    (r"(?:barrier|bar)\.sync(?:\.aligned)? 0", 0, lambda found, args: "__syncthreads();"),
    (r"membar\.gl", 0, lambda found, args: "__threadfence();"),
    (r"membar\.cta", 0, lambda found, args: "__threadfence_block();"),
    (r"membar\.sys", 0, lambda found, args: "__threadfence_system();"),
    (r"prefetchu?\.\S+ \[%0\]", 1, lambda found, args: ";"),
    (rf"ld\.global{HINTS}\.({'|'.join(TYPES)}) %0, \[%1\]", 2, _load),
    (rf"st\.global{HINTS}\.({'|'.join(TYPES)}) \[%0\], %1", 2, _store),
    (rf"ld\.global{HINTS}\.v([24])\.({'|'.join(VECTORS)}) \{{%0, %1(?:, %2, %3)?\}}, \[%[24]\]", -1, _loads),
    (rf"st\.global{HINTS}\.v([24])\.({'|'.join(VECTORS)}) \[%0\], \{{%1, %2(?:, %3, %4)?\}}", -1, _stores),
    (r"fma\.rn\.f32 %0, %1, %2, %3", 4, lambda found, args: f"{args[0]}=__fmaf_rn({','.join(args[1:])});"),
    (r"fma\.rn\.f64 %0, %1, %2, %3", 4, lambda found, args: f"{args[0]}=__fma_rn({','.join(args[1:])});"),
    (r"add\.s32 %0, %1, %2", 3, lambda found, args: f"{args[0]}=(int)({args[1]}+{args[2]});"),
    (r"(and|or|xor)\.b32 %0, %1, %2", 3,
     lambda found, args: f"{args[0]}={args[1]}{dict(zip(('and', 'or', 'xor'), '&|^', strict=True))[found[1]]}{args[2]};"),
)
ROWS = tuple((re.compile(pattern), count, made) for pattern, count, made in TABLE)


def without_ptx(text: str) -> str:
    """A text with the inline PTX of the table written out."""
    if "asm" not in text:
        return text
    pieces, done = list[str](), 0
    for match in ASM.finditer(text):
        end = _closing(text, match.end() - 1)
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
    args: Args = []
    for part in inside[at:].split(":", 1)[1:]:
        found = _operands(part)
        if found is None:
            return None
        args = found
    plain = re.sub(r"\s+", " ", code.replace("\\n", " ").replace("\\t", " ")).strip().rstrip(";").strip()
    plain = re.sub(r"\{ ", "{", re.sub(r" \}", "}", re.sub(r"\s*,\s*", ", ", plain)))
    for pattern, count, made in ROWS:
        row = pattern.fullmatch(plain)
        if row and len(args) == (count if count >= 0 else int(row[1]) + 1):
            return made(row, args)
    return None


def _operands(text: str) -> Args | None:
    """The operands of an asm statement in brackets, outputs first; None where one has another form."""
    args: Args = []
    at = 0
    while at < len(text):
        rest = text[at:]
        if re.match(r'\s*[:,]?\s*(?:"memory"\s*)?$', rest):
            return args
        operand = OPERAND.match(rest)
        if operand:
            end = _closing(text, at + operand.end() - 1)
            if end < 0 or "+" in operand[0]:
                return None
            args.append(text[at + operand.end() - 1:end])
            at = end
        elif mark := re.match(r"\s*[:,]", rest):
            at += mark.end()
        else:
            return None
    return args


def _closing(text: str, at: int) -> int:
    """Behind the bracket that closes the one at a position; -1 where there is none."""
    depth, is_text = 0, False
    for end in range(at, min(len(text), at + 4_000)):
        is_text ^= text[end] == '"'
        depth += 0 if is_text else (text[end] == "(") - (text[end] == ")")
        if depth == 0:
            return end + 1
    return -1
