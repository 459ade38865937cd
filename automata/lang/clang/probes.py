"""Which instantiations of kernel templates to ask clang for, where it keeps none.

In: names of kernel templates and the texts. Out: `name<arguments>` as the launches in the texts have them. libclang drops
statements with errors, and it does not show what a function template of the host instantiates. So arguments are taken from the
text: a local constant is replaced by what it is initialised with, and a parameter of the template around the launch by the
arguments of its calls, and so on upwards. A wrong guess costs nothing: clang refuses it, or it is an instantiation that the
answer names.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping

from automata.lang.clang.index import Complaint
from automata.lang.texts import split_top
from automata.place import InputError

PROBE = r"[\w:<>, *&()+\-'./%]+"
MOST = 40
DEPTH = 4
STEPS = 500
BRACES = re.compile(r"[{}]")
LIST = r"((?:[^<>;{}]|<(?:[^<>;{}]|<[^<>;{}]*>)*>)*)"
NAMED = r"(?:<<<|(?=[),;}]))"
WORD = re.compile(r"(?<![\w:])[A-Za-z_]\w*(?![\w:]|\s*\()")
TEMPLATE = re.compile(rf"\btemplate\s*<{LIST}>\s*(?:[^{{}};()]*?)\b(\w+)\s*\([^{{}};]*\)[^{{}};()]*\{{")
PARAMETER = re.compile(r"(\w+)\s*(?:=\s*(.+))?$", re.S)


def launched(names: list[str], texts: Mapping[str, str]) -> list[str]:
    """The launches of template kernels in the texts, as `name<arguments>`, and what is named without one: its address is passed
    on, or stands in a table or a variable. A name with namespaces is one of several that end alike: it is launched by as much of
    them as the text writes."""
    found: dict[str, None] = {}
    looked = _Looked(texts)
    for name in names:
        word = name.rpartition("::")[2]
        pattern = re.compile(rf"((?:\b\w+::)*)\b{word}\s*<{LIST}>\s*{NAMED}")
        for text in texts.values():
            for match in pattern.finditer(text) if word in text else ():
                is_another = word != name and not f"::{name}".endswith(f"::{match[1]}{word}")
                for arguments in () if is_another else looked.resolved(match[2], text, match.start()):
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


class _Looked:
    """Texts, with what was found in them: each is searched once for a name. Headers of libraries call each other in so many ways
    that not all of them are followed: `STEPS` at most for a launch."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.texts = texts
        self.constants: dict[tuple[str, str], list[tuple[int, str]]] = {}
        self.templates: dict[str, list[tuple[int, int, re.Match[str]]]] = {}
        self.calls: dict[str, list[tuple[str, int, str]]] = {}

    def resolved(self, arguments: str, text: str, at: int) -> Iterator[str]:
        """The arguments with constants and parameters replaced by what they stand for at a place of a text, short ways first."""
        waiting = deque([(arguments, text, at, DEPTH)])
        for _ in range(STEPS):
            if not waiting:
                break
            step = waiting.popleft()
            further = list(self._replaced(*step)) if step[3] else None
            if further is None or further == [step]:
                yield step[0]
            else:
                waiting += further

    def _replaced(self, arguments: str, text: str, at: int, depth: int) -> Iterator[tuple[str, str, int, int]]:
        """The arguments with constants replaced, or else with parameters at each call; as they are if they have none."""
        known = {word: f"({value})" for word in WORD.findall(arguments) if (value := self._constant(word, text, at))}
        if known:
            yield _put(arguments, known), text, at, depth - 1
            return
        around = self._around(text, at)
        parameters = _parameters(around[1]) if around is not None else {}
        if around is None or not set(WORD.findall(arguments)) & set(parameters):
            yield arguments, text, at, depth
            return
        for other, start, listed in self._calls(around[2]):
            given = dict(zip(parameters, _listed(listed), strict=False))
            values = {name: given.get(name, default) for name, default in parameters.items()}
            if all(values[word] for word in WORD.findall(arguments) if word in values):
                yield _put(arguments, values), other, start, depth - 1

    def _around(self, text: str, at: int) -> re.Match[str] | None:
        """The head of the innermost template whose body a position lies in."""
        if text not in self.templates:
            self.templates[text] = [(match.end(), _body_end(text, match.end()), match) for match in TEMPLATE.finditer(text)]
        return next((match for start, end, match in reversed(self.templates[text]) if start <= at < end), None)

    def _constant(self, word: str, text: str, at: int) -> str:
        """What the last constant of a name before a position is initialised with."""
        if (text, word) not in self.constants:
            pattern = re.compile(rf"\b(?:const|constexpr)\b[^;{{}}()=]*(?:=[^;{{}}]*,\s*)?\b{word}\s*=\s*([^;,{{}}]+)[;,]")
            found = pattern.finditer(text) if word in text else ()
            self.constants[text, word] = [(match.end(), match[1].strip()) for match in found]
        value = next((value for end, value in reversed(self.constants[text, word]) if end <= at), "")
        return "" if word in WORD.findall(value) else value

    def _calls(self, name: str) -> list[tuple[str, int, str]]:
        """The calls of a function template in all texts: the text, where, and the template's arguments."""
        if name not in self.calls:
            call = re.compile(rf"(?<!template)(?:\b|::){name}\s*<{LIST}>\s*\(")
            self.calls[name] = [(text, match.start(), match[1]) for text in self.texts.values() if name in text
                                for match in call.finditer(text)]
        return self.calls[name]


def _body_end(text: str, start: int) -> int:
    """Where the body ends that begins before a position."""
    depth = 1
    for mark in BRACES.finditer(text, start):
        depth += 1 if mark[0] == "{" else -1
        if depth == 0:
            return mark.start()
    return len(text)


def _parameters(text: str) -> dict[str, str]:
    """The parameters of a template with their defaults."""
    found = (PARAMETER.search(part.strip()) for part in _listed(text))
    return {match[1]: (match[2] or "").strip() for match in found if match}


def _listed(text: str) -> list[str]:
    """What stands between the commas of a template's list."""
    return split_top(text, ",", "<([", ">)]")


def _put(text: str, values: Mapping[str, str]) -> str:
    return WORD.sub(lambda match: values.get(match[0]) or match[0], text)
