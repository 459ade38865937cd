"""Structures of the text that are plain: `struct P { int n; float *x; };`. Of a local one each number is a variable of its own.

Input: a text, and the local variables that it declares. Output: for those of a plain structure, a variable for each field that
is a number. It is initialised where the structure is: by what stands in its place in the braces, by zero behind the last of those
(C++17, [dcl.init.aggr]), and by nothing that is known where the structure is made of anything else. A whitelist:

- the text defines one class of that name, by `struct` or `typedef struct`, and in its body are fields alone: no function, no
  base, no initialiser, no width in bits, no class in it;
- no operator takes a reference to one but to assign to it, unless to what is `const`; no constructor takes one: another class
  may be made of it, where a launch passes it, with fields of those names that are others;
- what is in braces goes to fields in their order only if each is a number or a pointer: others may take several.

The vectors of CUDA are such structures, too: `int3 size = {64, 64, 1}`, `make_int3(64, 64, 1)`. Who holds the address of a field
reaches no other field, but for that of the first, which is that of the structure ([basic.compound]).
Programs clear or copy several fields at once all the same, `memset(&p.m, 0, 8)`; that is taken for the whole structure.
"""

from __future__ import annotations

from collections.abc import Callable

from automata.lang.host.constructed import copied
from automata.lang.host.constructors import read_classes
from automata.lang.host.declarations import Form, Variable, read_declaration
from automata.lang.host.functions import ANY, Head
from automata.lang.host.numbers import NAMED, Number, integer_type, kind_named
from automata.lang.host.program import Program
from automata.lang.host.syntax import Node, NotUnderstood
from automata.lang.host.tokens import is_name
from automata.lang.host.types import Type

_BEFORE = frozenset({"", ";", "{", "}", "typedef"})
_NOT_PLAIN = frozenset({"(", "{", "=", ":", "&", "&&", "operator", "static", "struct", "class", "union", "enum", "template",
                        "using", "typedef", "friend", "virtual", "volatile", "mutable", "inline", "constexpr", "alignas",
                        "decltype"})
_OTHERWISE = frozenset({"class", "union", "enum", "typename", "using", "namespace"})
_BASES = {"char": ["char"], "uchar": ["unsigned", "char"], "short": ["short"], "ushort": ["unsigned", "short"], "int": ["int"],
          "uint": ["unsigned"], "longlong": ["long"], "ulonglong": ["unsigned", "long"]}
_AXES = "xyzw"
_ZERO = "0"


def read_records(program: Program) -> None:
    """Find the plain structures of a text."""
    text, found = program.tokens.text, dict[str, list[tuple[Variable, ...]]]()
    for at, token in enumerate(text):
        if token != "struct" or (at and text[at - 1] not in _BEFORE):
            continue
        tag = text[at + 1] if is_name(text[at + 1]) else ""
        opening = at + 2 if tag else at + 1
        close = program.tokens.match[opening] if text[opening] == "{" else -1
        if close < opening:
            continue
        is_typedef = at > 0 and text[at - 1] == "typedef" and is_name(text[close + 1]) and text[close + 2] == ";"
        for name in dict.fromkeys(filter(None, (tag, text[close + 1] if is_typedef else ""))):
            found.setdefault(name, []).append(_fields(program, opening + 1, close))
    told = [name for name, each in found.items() if len(each) == 1 and each[0] and name not in program.doubted]
    others = _told_otherwise(program, set(told))
    program.records.update({name: found[name][0] for name in told if name not in others})
    program.constructed.update({name: each for name, each in read_classes(program).items() if name not in program.records})


def _fields(program: Program, at: int, close: int) -> tuple[Variable, ...]:
    """The fields that the body of a structure declares; none where anything else is in it."""
    text, found = program.tokens.text, list[Variable]()
    names = program.tokens.names(at, close)
    if not _NOT_PLAIN.isdisjoint(text[at:close]) or not names.isdisjoint(program.doubted):
        return ()
    while at < close:
        try:
            declared, stop = read_declaration(program.tokens, at, close, program.types)
        except NotUnderstood:
            return ()
        if stop >= close or text[stop] != ";" or len({each.name for each in (*found, *declared)}) < len(found) + len(declared):
            return ()
        found += declared
        at = stop + 1
    return tuple(found)


def _told_otherwise(program: Program, names: set[str]) -> set[str]:
    """Those of some names that stand for something else, too, in some part of the text."""
    text, found = program.tokens.text, names & (program.types.aliases.keys() | program.namespaces)
    for at, token in enumerate(text):
        if token not in names or not at:
            continue
        begin = at - 1
        while begin >= 0 and text[begin] not in (";", "{", "}"):
            begin -= 1
        is_last = text[at + 1] in (";", ",", "[", ")") or text[at + 1].startswith("__")
        is_alias = is_last and "typedef" in text[begin + 1 : at]
        if text[at - 1] in _OTHERWISE or is_alias or (text[at - 1] == "struct" and text[at + 1] in (":", "final")):
            found.add(token)
    return found


def _vector(program: Program, name: str) -> tuple[Variable, ...]:
    """The fields of a vector of CUDA."""
    base, count = name[:-1], name[-1:]
    kind = _kind(base) if count in ("1", "2", "3", "4") else None
    if kind is None or program.declared[name] or name in program.types.hidden | program.types.aliases.keys():
        return ()
    return tuple(Variable(axis, -1, Type("number", kind, kind_named(kind))) for axis in _AXES[: int(count)])


def _kind(base: str) -> Number | None:
    return integer_type(_BASES[base]) if base in _BASES else NAMED[base] if base in ("float", "double") else None


def give_fields(program: Program, variable: Variable, is_number: Callable[[Node], bool]) -> None:
    """Make the fields of a local variable variables, if its type is a plain structure or a class that is understood."""
    kind = variable.type
    if kind.kind != "other" or not variable.is_scalar or not variable.is_local or variable.is_parameter or (
            "static" in kind.words):
        return
    is_taken = not program.taken.isdisjoint((kind.name, ANY))
    made = None if is_taken else program.constructed.get(kind.name)
    fields = () if is_taken else made.fields if made else program.records.get(kind.name, ()) or _vector(program, kind.name)
    is_listed = made is None or not (made.is_made or variable.form == "" or any(each.form for each in fields))
    is_of_range = program.tokens.text[variable.at + 1] == ":"
    given = _given(variable, fields) if is_listed else made.given(variable, is_number) if made is not None else None
    given = None if is_of_range else given
    variable.record = tuple(each.name for each in fields)
    variable.is_flat = made is None and bool(fields) and all(map(_is_scalar, fields))
    variable.is_object = made is not None
    variable.copied = copied(variable, made, is_number) if made is not None else frozenset()
    for at, each in enumerate(fields):
        if each.is_array or not each.type.is_number or each.type.number is None or each.type.words & {"const"}:
            continue
        form, node = given[at] if given is not None else ("unknown", None)
        variable.fields[each.name] = Variable(
            f"{variable.name}_{each.name}", variable.at, each.type, form, () if node is None else (node,), block=variable.block,
            numeric=True, owner=variable)


def copies_record(program: Program, head: Head, index: int) -> bool:
    """Whether a function takes a plain structure as a copy."""
    parameter = head.parameters[index] if index < len(head.parameters) and not head.is_pack else None
    kind = parameter.type if parameter is not None else None
    is_one = kind is not None and kind.kind == "other" and not kind.reference and not kind.pointers
    return is_one and kind is not None and bool(program.records.get(kind.name) or _vector(program, kind.name))


def is_taken_whole(program: Program, kernel: str, index: int, at: int) -> bool:
    """Whether a kernel takes the structure that a token names as what it is: a parameter of another class is made of it."""
    variable = program.means.get(at)
    if variable is None or not variable.record:
        return True
    own = {variable.type.name, *(name for name, fields in program.records.items() if [each.at for each in fields] == [
        each.at for each in program.records.get(variable.type.name, ())])}
    heads = [_listed(words) for _, words in program.kernels.get(kernel, [])]
    return bool(heads) and all(index < len(head) and not own.isdisjoint(head[index]) for head in heads)


def is_referred_to(program: Program, kernel: str) -> bool:
    """Whether a launch may change what it passes: a constructor of a class that the kernel takes has a reference to it."""
    taken = {word for _, words in program.kernels.get(kernel, []) for head in _listed(words) for word in head}
    parameters = [each for name in taken & program.defined.keys() for head in program.functions.get(name, [])
                  for each in head.parameters]
    return any(each is None or each.type is None or (each.type.reference and not each.type.is_const) for each in parameters)


def _listed(words: str) -> list[set[str]]:
    """The words of each parameter of a list, without those of template arguments: these belong to the class in front of them."""
    found, depth = [set[str]()], 0
    for word in words.split():
        depth += (word == "<") - word.count(">") * (word in (">", ">>"))
        if word == "," and depth == 0:
            found.append(set())
        elif depth == 0:
            found[-1].add(word)
    return found


def _is_scalar(field: Variable) -> bool:
    return not field.is_array and not field.type.reference and (field.type.pointers > 0 or field.type.kind == "number")


def _given(variable: Variable, fields: tuple[Variable, ...]) -> list[tuple[Form, Node | None]] | None:
    """How each field is initialised; None where nothing tells it."""
    if variable.form == "":
        return [("", None)] * len(fields)
    node = variable.init[0] if len(variable.init) == 1 else None
    parts = variable.init if variable.form == "{" else node.parts if node is not None and node.kind == "braces" else None
    if node is not None and node.kind == "call" and node.parts[0].text == f"make_{variable.type.name}":
        parts = node.parts[1:] if len(node.parts) == 1 + len(fields) else None
    may_be_copy = parts is not None and len(parts) == 1 and parts[0].kind != "number"
    if parts is None or may_be_copy or len(parts) > len(fields) or not all(map(_is_scalar, fields)):
        return None
    zero = Node("number", variable.at, _ZERO)
    return [("=", part) for part in (*parts, *[zero] * (len(fields) - len(parts)))]
