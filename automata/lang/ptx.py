"""Inline PTX in a text, written out in CUDA C++ where a table says how.

In: a text. Out: the same text with the same lines, in which each `asm` statement whose instructions are all in the tables
(`ptx_rows`, `ptx_ordered`) is a block of C++ that means the same: operands are taken once, registers become variables, a guarded
instruction an `if`, and results go where they belong at the end. A statement with any other instruction stays `asm`, which the
front ends refuse by name and place (`unwritten` says which instruction it was). Comments may stand between the parts, and a line
of the program may end with a backslash. A register holds numbers or bits of a size: `r` 32 bits, `l` 64, `h` 16, `f`, `d`
floats, `p` a predicate; an operand that an instruction reads as another kind is refused, but for registers of bits (`.b32`).
Source: PTX ISA 8.5.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, field

from automata.lang.ptx_ordered import ORDERED, without_hint
from automata.lang.ptx_rows import C_TYPES, KIND_OF, ROWS, SPECIAL, CannotWrite
from automata.lang.texts import closing, split_top

ASM = re.compile(r"\b(?:asm|__asm__|__asm)\s*(?:(?:volatile|__volatile__)\s*)?\(")
STRING = re.compile(r'\s*"((?:[^"\\\n]|\\.|\\\n)*)"')
OPERAND = re.compile(r'\s*(?:\[\w+\]\s*)?"([=+]?)&?([a-z])"\s*\(')
NAMED = re.compile(r"\s*(?:\[\w+\]\s*)?([A-Za-z_]\w*)\s*\(")
CONSTRAINT = re.compile(r'(?m)^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*)[ \t]+"([rlfdhn])"')
CHANGES = re.compile(r"\+\+|--|(?<![=!<>])=(?!=)")
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
BETWEEN = re.compile(r'(?P<text>"(?:[^"\\]|\\.)*")|//[^\n]*|/\*.*?\*/', re.S)
DECLARED = re.compile(r"\.reg\s*\.(\w+)\s+(.+)")
INSTRUCTION = re.compile(r"(?:@(!?)(%?\w+)\s+)?([a-z][\w.:]*)\s*(.*)", re.S)
NUMBER = re.compile(r"-?(?:0[xX][0-9a-fA-F]+|\d+)U?")
FLOAT = re.compile(r"0[fF]([0-9a-fA-F]{8})")
BITS = re.compile(r"\.b32$")
OPCODE = re.compile(r"[a-z]\w*(?:\.[\w:]+)*")
MOST = 64
MOST_LINES = 200


@dataclass(frozen=True, slots=True)
class Operand:
    """An operand of an asm statement. `sign`: "=" a result, "+" both, "" neither."""

    sign: str
    letter: str
    text: str


@dataclass
class Program:
    """The C++ for one statement, while it is written. `registers`: the kind of each by name; `bits`: those declared as bits;
    `pointers`: the operands that are; `of_bits`: whether the instruction at hand is one of bits, which floats hold too."""

    operands: list[Operand]
    registers: dict[str, str] = field(default_factory=dict)
    bits: set[str] = field(default_factory=set)
    lines: list[str] = field(default_factory=list)
    pointers: set[int] = field(default_factory=set)
    of_bits: bool = False

    def read(self, text: str, kind: str) -> str:
        """An operand's value as one of a kind."""
        if kind == "p" and text.startswith("!"):
            return f"!{self.read(text[1:], kind)}"
        if found := FLOAT.fullmatch(text):
            return f"__uint_as_float(0x{found[1]}u)" if kind == "f" else f"0x{found[1]}u"
        if NUMBER.fullmatch(text):
            return f"({C_TYPES[kind]}){text}"
        if text in SPECIAL and kind in "rl":
            return f"({C_TYPES[kind]}){SPECIAL[text]}"
        name, own, is_bits = self.register(text)
        if own == "n":
            return f"({C_TYPES[kind]}){name}"
        if own == kind:
            return name
        if (is_bits and (own, kind) == ("r", "f")) or ((is_bits or self.of_bits) and (own, kind) == ("f", "r")):
            return f"__uint_as_float({name})" if kind == "f" else f"__float_as_uint({name})"
        raise CannotWrite(f"{text} read as another kind")

    def address(self, text: str, space: str, size: int) -> str:
        """The place that `[register+number]` means, without its type."""
        found = re.fullmatch(r"\[\s*(%?\w+)\s*(?:\+\s*(-?\w+)\s*)?\]", text)
        if not found:
            raise CannotWrite(f"the address {text}")
        name, own, _ = self.register(found[1])
        if space == "shared":
            if own not in "rl":
                raise CannotWrite("an address in a register of another kind")
            return f"__spmd_shared((unsigned){name}{'+' + found[2] if found[2] else ''},{size})"
        if own != "a":
            raise CannotWrite("an address that is no pointer")
        return f"((char*){name}+{found[2]})" if found[2] else name

    def vector(self, text: str, kinds: list[str]) -> list[str]:
        """The values of `{a, b}`, or of one operand."""
        parts = split_top(text[1:-1]) if text.startswith("{") else [text]
        if len(parts) != len(kinds):
            raise CannotWrite(f"{text} of another length")
        return [self.read(part, kind) for part, kind in zip(parts, kinds, strict=True)]

    def write(self, text: str, kind: str, value: str) -> str:
        """The statement that gives an operand a value."""
        if text == "_":
            return f"(void)({value});"
        name, own, is_bits = self.register(text)
        if self.of_bits and (own, kind) == ("f", "r"):
            return f"{name}=__uint_as_float({value});"
        if own != kind and not (is_bits and (own, kind) == ("r", "f")):
            raise CannotWrite(f"{text} written as another kind")
        return f"{name}={value};" if own == kind else f"{name}=__float_as_uint({value});"

    def kind(self, text: str) -> str:
        """What kind of register an operand is; "n" a number."""
        return "n" if NUMBER.fullmatch(text) or FLOAT.fullmatch(text) or text in SPECIAL else self.register(text)[1]

    def register(self, text: str) -> tuple[str, str, bool]:
        """The variable for an operand, its kind, and whether it holds bits of any kind."""
        if re.fullmatch(r"%\d+", text):
            number = int(text[1:])
            if number >= len(self.operands):
                raise CannotWrite("an operand that is not there")
            operand = self.operands[number]
            if operand.letter == "n":
                return operand.text, "n", False
            is_pointer = operand.letter == "l" and not operand.sign and number in self.pointers
            return f"__o{number}", "a" if is_pointer else operand.letter, False
        name = text.removeprefix("%")
        if name not in self.registers:
            raise CannotWrite(f"the register {text}")
        return f"__r_{name}", self.registers[name], name in self.bits

    def declare(self, kind: str, names: str) -> None:
        if kind not in KIND_OF:
            raise CannotWrite(f"registers of type {kind}")
        for name in split_top(names):
            plain = name.removeprefix("%")
            if not re.fullmatch(r"\w+", plain):
                raise CannotWrite(f"the registers {name}")
            self.registers[plain] = KIND_OF[kind]
            if kind.startswith("b"):
                self.bits.add(plain)
            self.lines.append(f"{C_TYPES[KIND_OF[kind]]} __r_{plain};")

    def instruction(self, text: str) -> None:
        declared = DECLARED.fullmatch(text)
        if declared:
            self.declare(declared[1], declared[2])
            return
        found = INSTRUCTION.fullmatch(text)
        if not found:
            raise CannotWrite(text)
        negated, guard, opcode, rest = found.groups()
        opcode, args = without_hint(opcode, split_top(rest, ",", "{[", "}]"))
        self.of_bits = BITS.search(opcode) is not None
        for row in (*ROWS, *ORDERED):
            match = row.pattern.fullmatch(opcode)
            if match and row.takes(args):
                with suppress(CannotWrite):
                    made = row.made(self, match, args)
                    self.lines.append(f"if({negated}{self.read(guard, 'p')}){{{made}}}" if guard else made)
                    return
        raise CannotWrite(opcode)

    def text(self) -> str:
        """The block: operands taken, instructions, results given."""
        plain = "".join(self.lines)
        if not self.operands and not self.registers:
            return plain
        before, after = "", ""
        for number, operand in enumerate(self.operands):
            if operand.letter == "n":
                continue
            kind = "auto" if number in self.pointers else C_TYPES[operand.letter]
            name = f"__o{number}"
            given = "" if operand.sign == "=" else f"={'' if kind == 'auto' else f'({kind})'}{operand.text}"
            before += f"{kind} {name}{given};"
            after += f"{operand.text}={name};" if operand.sign else ""
        return f"{{{before}{plain}{after}}}"


def without_ptx(text: str) -> str:
    """A text with the inline PTX of the table written out."""
    pieces, done, macros = list[str](), 0, wide(text)
    for match in ASM.finditer(text):
        end = closing(text, match.end() - 1)
        if match.start() < done or end < 0:
            continue
        last = end + len(re.match(r"\s*;?", text[end:])[0])  # type: ignore[index]
        whole = text[match.start():last]
        is_apart = whole.endswith(";") and not ("\\\n" in whole and _is_in_directive(text, match.start()))
        made = _made(text[match.end():end - 1], macros) if is_apart else None
        if made is not None:
            room = len(whole) - whole.count("\n")
            pieces += [text[done:match.start()], made, " " * (room - len(made)), "\n" * whole.count("\n")]
            done = last
    return "".join([*pieces, text[done:]])


def _is_in_directive(text: str, at: int) -> bool:
    """Whether a place may be in a directive, whose lines end with backslashes."""
    begin = at
    for _ in range(MOST_LINES):
        begin = text.rfind("\n", 0, begin)
        if begin < 1 or text[begin - 1] != "\\":
            return text[begin + 1:at].lstrip().startswith("#")
    return True


def wide(text: str) -> frozenset[str]:
    """The macros of a text that stand for the letter of a pointer, which is `l` where those are wide, as they are here; also said
    by `#if`: `l` or `r`. Where it would be `r` after all, the instruction reads 32 bits, and refuses what is wide."""
    found: dict[str, set[str]] = {}
    for match in CONSTRAINT.finditer(text):
        found.setdefault(match[1], set()).add(match[2])
    return frozenset(name for name, letters in found.items() if "l" in letters <= {"l", "r"})


def unwritten(statement: str) -> str:
    """The instruction for which an asm statement is not written out; nothing where it is not one alone."""
    match = ASM.match(statement)
    end = closing(statement, match.end() - 1) if match else -1
    if match is None or end < 0:
        return ""
    try:
        _written(statement[match.end():end - 1], wide(statement))
    except CannotWrite as why:
        return str(why) if OPCODE.fullmatch(str(why)) else ""
    return ""


def _made(inside: str, macros: frozenset[str]) -> str | None:
    """The C++ for the parts between an asm statement's brackets; None where the table has none. `macros`: `wide`."""
    try:
        return _written(inside, macros)
    except CannotWrite:
        return None


def _written(inside: str, macros: frozenset[str]) -> str:
    """The C++ for the parts between an asm statement's brackets."""
    inside = BETWEEN.sub(lambda found: found["text"] or " ", inside)
    code, at = "", 0
    while piece := STRING.match(inside, at):
        code, at = code + piece[1].replace("\\\n", " "), piece.end()
    head, _, rest = inside[at:].partition(":")
    operands = _operands(rest, macros)
    if head.strip() or operands is None or len(operands) > MOST:
        raise CannotWrite("operands of another form")
    plain = COMMENT.sub(" ", re.sub(r"\\[nrt]", lambda found: "\n" if found[0] == "\\n" else " ", code).replace("%%", "%"))
    program = Program(operands)
    for instruction in _instructions(plain):
        _mark_pointers(program, instruction)
    for instruction in _instructions(plain):
        program.instruction(instruction)
    return program.text()


def _instructions(code: str) -> list[str]:
    """The instructions of a program, without the braces of its scope."""
    flat = re.sub(r"\s+", " ", code).strip()
    while flat.startswith("{") and flat.rstrip(" ;").endswith("}"):
        flat = flat.rstrip(" ;")[1:-1].strip()
    return [part.strip() for part in flat.split(";") if part.strip()]


def _mark_pointers(program: Program, instruction: str) -> None:
    """Operands that an instruction takes for addresses outside of shared memory, or that PTX turns into such, are pointers."""
    if ".shared" in instruction and "cp.async" not in instruction and "cvta" not in instruction:
        return
    found = re.findall(r"\[\s*%(\d+)", instruction)
    if instruction.startswith("cvta.to.shared"):
        found = re.findall(r"%(\d+)\s*$", instruction)
    for number in map(int, found):
        if number < len(program.operands) and program.operands[number].letter == "l" and not program.operands[number].sign:
            program.pointers.add(number)


def _operands(text: str, macros: frozenset[str]) -> list[Operand] | None:
    """The operands of an asm statement, results first. None where one has another form. `macros`: that are `l`."""
    found: list[Operand] = []
    at = 0
    while at < len(text):
        rest = text[at:]
        if re.match(r'\s*[:,]?\s*(?:"(?:memory|cc)"\s*,?\s*)*$', rest):
            return found
        operand = OPERAND.match(rest)
        macro = None if operand else NAMED.match(rest)
        if macro and macro[1] in macros:
            text = text[:at + macro.start(1)] + '"l"' + text[at + macro.end(1):]
        elif operand:
            end = closing(text, at + operand.end() - 1)
            inner = text[at + operand.end() - 1:end]
            if end < 0 or operand[2] not in "rlfdhn" or (operand[1] and CHANGES.search(inner)):
                return None
            found.append(Operand(operand[1], operand[2], inner))
            at = end
        elif mark := re.match(r"\s*[:,]", rest):
            at += mark.end()
        else:
            return None
    return found
