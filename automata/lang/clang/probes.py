"""Which instantiations of kernel templates to ask clang for, where it keeps none.

In: names of kernel templates and the texts. Out: `name<arguments>` as the launches in the texts have them. libclang drops
statements with errors, and it does not show what a function template of the host instantiates. So arguments are taken from the
text: a local constant is replaced by what it is initialised with, and a parameter of the template around the launch by the
arguments of its calls, and so on upwards. A wrong guess costs nothing: clang refuses it, or it is an instantiation that the
answer names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from automata.lang.clang.index import Complaint
from automata.lang.texts import split_top
from automata.place import InputError

PROBE = r"[\w:<>, *&()+\-'./%]+"
MOST = 40
DEPTH = 4
LIST = r"((?:[^<>;{}]|<(?:[^<>;{}]|<[^<>;{}]*>)*>)*)"
WORD = re.compile(r"(?<![\w:])[A-Za-z_]\w*(?![\w:]|\s*\()")
TEMPLATE = re.compile(rf"\btemplate\s*<{LIST}>\s*(?:[^{{}};()]*?)\b(\w+)\s*\([^{{}};]*\)[^{{}};()]*\{{")
PARAMETER = re.compile(r"(\w+)\s*(?:=\s*(.+))?$", re.S)


def launched(names: list[str], texts: Mapping[str, str]) -> list[str]:
    """The launches of template kernels in the texts, as `name<arguments>`. A name with namespaces is one of several that end
    alike: it is launched by as much of them as the text writes."""
    found: dict[str, None] = {}
    for name in names:
        word = name.rpartition("::")[2]
        pattern = re.compile(rf"((?:\b\w+::)*)\b{word}\s*<{LIST}>\s*<<<")
        for text in texts.values():
            for match in pattern.finditer(text) if word in text else ():
                is_another = word != name and not f"::{name}".endswith(f"::{match[1]}{word}")
                for arguments in () if is_another else _resolved(match[2], text, match.start(), texts, DEPTH):
                    found.setdefault(f"{name}<{' '.join(arguments.split())}>")
    return [probe for probe in found if re.fullmatch(PROBE, probe)][:MOST]


def stem(probe: str) -> str:
    """The kernel that `space::name<arguments>` is an instantiation of."""
    return probe.partition("<")[0].strip().rpartition("::")[2]


def probe_line(at: int, probe: str, spaces: Mapping[str, tuple[str, ...]]) -> str:
    """A line that asks clang for an instantiation, in the namespaces of its kernel: names mean there what they mean in it."""
    if not re.fullmatch(PROBE, probe):
        raise InputError(f"'{probe}' is not a kernel with template arguments")
    inside = spaces.get(stem(probe), ()) if "::" not in probe.partition("<")[0] else ()
    line = f"static void __spmd_probe{at}() {{ auto __spmd_p = &{probe}; (void)__spmd_p; }}"
    return "".join(f"namespace {space} {{ " for space in inside) + line + " }" * len(inside)


def check_probes(errors: list[Complaint], main: str, first: int, probes: tuple[str, ...]) -> None:
    """Refuse an instantiation that clang refuses, with its reason."""
    for error in errors:
        if error.file == main and first <= error.place.line < first + len(probes):
            raise InputError(f"'{probes[error.place.line - first]}' cannot be instantiated: {error.message}")


def _resolved(arguments: str, text: str, at: int, texts: Mapping[str, str], depth: int) -> Iterator[str]:
    """The arguments with constants and parameters replaced by what they stand for at a position of a text."""
    known = {word: f"({value})" for word in WORD.findall(arguments) if (value := _constant(word, text, at))}
    if known and depth:
        yield from _resolved(_put(arguments, known), text, at, texts, depth - 1)
        return
    around = [match for match in TEMPLATE.finditer(text, 0, at) if _is_around(match, text, at)]
    parameters = _parameters(around[-1][1]) if around else {}
    if not depth or not set(WORD.findall(arguments)) & set(parameters):
        yield arguments
        return
    call = re.compile(rf"(?<!template)(?:\b|::){around[-1][2]}\s*<{LIST}>\s*\(")
    for other in texts.values():
        for match in call.finditer(other):
            given = dict(zip(parameters, _listed(match[1]), strict=False))
            values = {name: given.get(name, default) for name, default in parameters.items()}
            if all(values[word] for word in WORD.findall(arguments) if word in values):
                yield from _resolved(_put(arguments, values), other, match.start(), texts, depth - 1)


def _is_around(match: re.Match[str], text: str, at: int) -> bool:
    """Whether a position lies in the body that a match opens."""
    inside = text[match.end():at]
    depth = 1
    for mark in re.findall(r"[{}]", inside):
        depth += 1 if mark == "{" else -1
        if depth == 0:
            return False
    return True


def _constant(word: str, text: str, at: int) -> str:
    """What the last constant of a name before a position is initialised with."""
    pattern = re.compile(rf"\b(?:const|constexpr)\b[^;{{}}()=]*(?:=[^;{{}}]*,\s*)?\b{word}\s*=\s*([^;,{{}}]+)[;,]")
    found = [match[1].strip() for match in pattern.finditer(text, 0, at)]
    return found[-1] if found and word not in WORD.findall(found[-1]) else ""


def _parameters(text: str) -> dict[str, str]:
    """The parameters of a template with their defaults."""
    found = (PARAMETER.search(part.strip()) for part in _listed(text))
    return {match[1]: (match[2] or "").strip() for match in found if match}


def _listed(text: str) -> list[str]:
    """What stands between the commas of a template's list."""
    return split_top(text, ",", "<([", ">)]")


def _put(text: str, values: Mapping[str, str]) -> str:
    return WORD.sub(lambda match: values.get(match[0]) or match[0], text)
