"""Which function a text means by a name, as far as its declarations tell.

In: a program and a name. `declarations` gives each declaration of a function outside of functions with the namespaces and classes
around it; `is_its_own` says that all of them declare one function, which the text defines: then every use of the name in it means
that function, and none of another text. A weak definition gives way to others, and what conditions decide may be missing.
"""

from __future__ import annotations

from dataclasses import dataclass

from automata.lang.host.declarations import Parameter, Variable
from automata.lang.host.functions import Head
from automata.lang.host.program import Program
from automata.lang.host.tokens import is_name
from automata.lang.host.types import Type

_CLASSES = frozenset({"struct", "class", "union"})
_CLASS, _LINKAGE, _OTHER = ".", "extern", "{"
"""Marks of what a brace opens: a class, a linkage, and what is neither that nor a namespace."""


_TYPES = frozenset({"void", "bool", "char", "short", "int", "long", "float", "double", "signed", "unsigned", "auto"})


@dataclass(frozen=True, slots=True)
class Declaration:
    """Where a function is declared: the token of its name, the namespaces and classes around it, from the outside."""

    at: int
    path: tuple[str, ...]
    is_exported: bool

    @property
    def is_member(self) -> bool:
        return any(part.startswith((_CLASS, _OTHER)) for part in self.path)


def declarations(program: Program, name: str) -> list[Declaration]:
    """The declarations of functions of a name."""
    wanted = sorted(program.named.intersection(program.positions.get(name, [])))
    text, found, opened, at = program.tokens.text, list[Declaration](), list[tuple[str, ...]](), 0
    for each in wanted:
        while at < each:
            if text[at] == "{":
                opened.append(_opens(text, at))
            elif text[at] == "}" and opened:
                opened.pop()
            at += 1
        whole = [part for parts in opened for part in parts]
        is_exported = _LINKAGE in whole or _is_linkage(text, _begin(text, each))
        whole += _qualifiers(program, each)
        found.append(Declaration(each, tuple(part for part in whole if part != _LINKAGE), is_exported))
    return found


def parameter_types(head: Head) -> list[tuple[str, str, int, bool, str]]:
    """The types of its parameters, as far as they tell functions apart."""
    return [_told(each) for each in head.parameters]


def is_its_own(program: Program, name: str) -> bool:
    """Whether each use of a name in a text means one function that it defines."""
    heads, bodies, text = program.functions.get(name, []), program.bodies.get(name, []), program.tokens.text
    there = declarations(program, name)
    if not bodies or len({each.path for each in there}) != 1 or there[0].is_member or "weak" in text or "__weak__" in text:
        return False
    if any(each.is_foreign or each.is_method for each in bodies) or name in program.doubted:
        return False
    if any(None in head.parameters or head.is_variadic or head.is_pack or parameter_types(head) != parameter_types(heads[0])
           for head in heads):
        return False
    return not any(_may_declare(program, at) for at in program.positions.get(name, []) if at not in program.named)


def is_no_function(program: Program, name: str) -> bool:
    """Whether each use of a name in a text means a member of an object or a variable."""
    used = program.positions.get(name, [])
    variables = {each.at: each for each in program.variables.get(name, [])} | {
        each.at: each for at in used if (each := program.means.get(at)) is not None}
    return all(program.tokens.text[at - 1] in (".", "->") or _is_variable(program.means.get(at) or variables.get(at))
               for at in used)


def _is_variable(variable: Variable | None) -> bool:
    """Whether a variable is known, and certainly no declaration of a function in other words (`F f;`)."""
    if variable is None:
        return False
    kind = variable.type
    is_object = variable.is_array or variable.is_parameter or kind.pointers > 0 or kind.kind in ("number", "dim3", "auto",
                                                                                                 "copies")
    return is_object or variable.is_enumerator or variable.form in ("=", "{")


def _may_declare(program: Program, at: int) -> bool:
    """Whether a token that is not known to declare a function may do so: behind a type, or `decltype(…)`."""
    text, begin = program.tokens.text, _begin(program.tokens.text, at)
    while text[at - 1] in ("*", "&", "const"):
        at -= 1
    if text[begin] == "extern" or text[at - 1] in (">", "using", *_TYPES):
        return True
    if text[at - 1] == ")":
        return text[program.tokens.match[at - 1] - 1] in ("decltype", "typeof", "__typeof__", "__typeof")
    return is_name(text[at - 1])


def _told(parameter: Parameter | None) -> tuple[str, str, int, bool, str]:
    """A parameter's type. A number, and what a pointer to one leads to, are told by their names."""
    kind = parameter.type if parameter is not None and parameter.type is not None else Type("other")
    spelled = parameter.spelled if parameter is not None else ""
    if kind.kind in ("number", "dim3"):
        spelled = "const" if spelled.startswith("const ") and (kind.pointers or kind.reference) else ""
    return kind.kind, kind.name, kind.pointers, kind.reference, spelled


def _begin(text: list[str], at: int) -> int:
    """Where the declaration begins that holds a token."""
    while at > 0 and text[at - 1] not in (";", "{", "}"):
        at -= 1
    return at


def _is_linkage(text: list[str], begin: int) -> bool:
    return text[begin] == "extern" and text[begin + 1][:1] == '"'


def _opens(text: list[str], at: int) -> tuple[str, ...]:
    """What a brace opens."""
    begin = _begin(text, at)
    head = text[begin:at]
    if _is_linkage(text, begin) and len(head) == 2:
        return (_LINKAGE,)
    if "namespace" in head:
        return tuple(part for part in head[head.index("namespace") + 1:] if part != "::") or ("",)
    named = next((head[index + 1] for index, part in enumerate(head[:-1]) if part in _CLASSES), "")
    return (_CLASS + named if named and "(" not in head else _OTHER,)


def _qualifiers(program: Program, at: int) -> list[str]:
    """What stands with `::` before a name: namespaces, or classes."""
    text, found = program.tokens.text, list[str]()
    while text[at - 1] == "::" and is_name(text[at - 2]):
        at -= 2
        found.append(text[at] if text[at] in program.namespaces else _CLASS + text[at])
    return found[::-1] if text[at - 1] != "::" else []
