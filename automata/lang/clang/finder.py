"""The kernels of a parsed text, and which instantiations of kernel templates it asks for.

In: what clang made of a text. Out: the kernels by name, and for each template the instances that the text shows: those that
host code launches, also through templates of its own, and those that are written out as `template <> … k<float>(…)`, which may
be all the bodies that a template has. Templates of one name that stand in several namespaces are several kernels, each by its
full name. Of templates of one namespace and one name an instance is of the one that clang says it is of; where two of them have
an instance by the same arguments, both are told with their parameters, as `float for (float *, int)`. Lambdas that one macro or
one template makes at one place are classes of one name: their instances are numbered.
"""

from __future__ import annotations

import re

from automata.lang.clang import kinds
from automata.lang.clang.bases import ASKED
from automata.lang.clang.index import Cursor, Parsed
from automata.lang.clang.instances import namespaces, referenced, template_arguments, with_parameters
from automata.lang.clang.prelude import Dialect
from automata.lang.clang.reach import CLASSES
from automata.lang.clang.reader import text_of
from automata.lang.clang.wrong import MEMBERS

OWN = "/spmd/main"
"""How the text begins that is ours: it includes the user's, and asks for instances."""
NUMBER = " #"
GUIDES, GUIDE = (kinds.FUNCTION_TEMPLATE, kinds.UNEXPOSED_DECL), "<deduction guide for "


def _in_spaces(cursor: Cursor) -> str:
    """The name of a function with the namespaces around it."""
    return "::".join((*namespaces(cursor), cursor.spelling))


class Finder:
    """The kernels of a unit and the instantiations of the template ones that the file asks for."""

    def __init__(self, parsed: Parsed, own: set[str], dialect: Dialect, texts: dict[str, bytes]) -> None:
        self.dialect = dialect
        self.texts = texts
        self.kernels: dict[str, list[Cursor]] = {}
        self.instances: dict[str, dict[str, Cursor]] = {}
        self.shared: set[tuple[str, str]] = set()
        self.functions: list[Cursor] = []
        self.methods: list[Cursor] = []
        self.inner: list[Cursor] = []
        self.probes: dict[str, Cursor] = {}
        self.guided: set[str] = set()
        self.specialised: list[Cursor] = []
        self.walk(parsed.root, own)
        self.name_apart()
        for cursor in self.specialised:
            self.add_instance(cursor)
        if any(cursor.kind == kinds.FUNCTION_TEMPLATE for cursors in self.kernels.values() for cursor in cursors):
            self.launches()

    def walk(self, scope: Cursor, own: set[str]) -> None:
        for child in scope.children():
            self.guide(child)
            if child.kind in (kinds.FUNCTION, kinds.FUNCTION_TEMPLATE):
                file = child.place.file
                if file in own:
                    if file.startswith(OWN):
                        self.probes[child.spelling] = child
                    continue
                self.function(child)
            elif child.kind in (kinds.METHOD, kinds.CONSTRUCTOR):
                if child.place.file not in own:
                    self.methods.append(child)
            elif child.kind in CLASSES:
                if scope.kind != kinds.TRANSLATION_UNIT or child.place.file not in own:
                    self.members(child)
            elif child.kind in (kinds.NAMESPACE, kinds.LINKAGE, kinds.UNEXPOSED_DECL) and (
                    scope.kind != kinds.TRANSLATION_UNIT or child.place.file not in own or child.place.file.startswith(OWN)):
                self.walk(child, own)

    def members(self, child: Cursor) -> None:
        """Keep the functions of a class: those of a template apart, for they launch nothing as they stand."""
        if child.kind in kinds.RECORDS:
            self.methods += [part for part in child.children() if part.kind in (kinds.METHOD, kinds.CONSTRUCTOR)]
        else:
            self.inner += [part for part in child.children() if part.kind in MEMBERS]

    def guide(self, child: Cursor) -> None:
        """Keep the name of a class template that has a deduction guide."""
        if child.kind in GUIDES and (name := child.spelling).startswith(GUIDE):
            self.guided.add(name.removeprefix(GUIDE).rstrip(">"))

    def function(self, child: Cursor) -> None:
        self.functions.append(child)
        attributes = {part.kind for part in child.children()}
        if kinds.GLOBAL_ATTR not in attributes and not self.is_opencl_kernel(child):
            return
        name = child.spelling
        if child.kind == kinds.FUNCTION and child.template.exists:
            self.specialised.append(child)
        elif kinds.COMPOUND in attributes:
            self.kernels.setdefault(name, []).append(child)

    def is_opencl_kernel(self, child: Cursor) -> bool:
        """Whether the word kernel stands in front; libclang has no kind for that attribute."""
        if self.dialect != "opencl":
            return False
        file, start, end = child.extent
        return re.search(rb"\b(__)?kernel\b", text_of(self.texts, file)[start:end].partition(b"{")[0]) is not None

    def is_template(self, name: str) -> bool:
        return all(cursor.kind == kinds.FUNCTION_TEMPLATE for cursor in self.kernels[name])

    def name_apart(self) -> None:
        """Give kernel templates of one name that stand in several namespaces the names that these make."""
        for name, cursors in list(self.kernels.items()):
            templates = [cursor for cursor in cursors if cursor.kind == kinds.FUNCTION_TEMPLATE]
            names = [_in_spaces(cursor) for cursor in templates]
            if len(set(names)) < 2:
                continue
            self.kernels[name] = [cursor for cursor in cursors if cursor.kind != kinds.FUNCTION_TEMPLATE]
            if not self.kernels[name]:
                del self.kernels[name]
            for full, cursor in zip(names, templates, strict=True):
                self.kernels.setdefault(full, []).append(cursor)

    def add_instance(self, cursor: Cursor) -> None:
        """Keep an instantiation whose body is known. One that is written out may be the only body that its template has."""
        definition = cursor.definition
        if not definition.exists or not any(part.kind == kinds.COMPOUND for part in definition.children()):
            return
        full = _in_spaces(cursor.template)
        name = full if full in self.kernels else cursor.spelling
        self.kernels.setdefault(name, [cursor.template])
        known, text = self.instances.setdefault(name, {}), template_arguments(definition)
        other = known.get(text)
        if "(lambda at " in text:
            self.add_closure(known, text, definition)
            return
        if other is not None and other.template.canonical.key != definition.template.canonical.key:
            self.shared.add((name, text))
            known[with_parameters(text, other)] = known.pop(text)
        known.setdefault(with_parameters(text, definition) if (name, text) in self.shared else text, definition)

    @staticmethod
    def add_closure(known: dict[str, Cursor], text: str, definition: Cursor) -> None:
        """Keep an instance by the class of a lambda; those of one name are numbered."""
        alike = [name for name in known if name == text or name.startswith(text + NUMBER)]
        if any(known[name].canonical.key == definition.canonical.key for name in alike):
            return
        if text in known:
            known[f"{text}{NUMBER}1"] = known.pop(text)
        known[f"{text}{NUMBER}{len(alike) + 1}" if alike else text] = definition

    def shown(self, lines: set[int]) -> list[Cursor]:
        """The functions of these lines that ask for classes."""
        return [self.probes[name] for at in sorted(lines) if (name := f"{ASKED}{at}") in self.probes]

    def probed(self, name: str) -> list[Cursor]:
        named = referenced(self.probes[name]) if name in self.probes else []
        found = [cursor for cursor in named if cursor.has(kinds.GLOBAL_ATTR)]
        for cursor in found:
            self.add_instance(cursor)
        return [cursor.definition for cursor in found if cursor.definition.exists]

    def launches(self) -> None:
        """Instantiations that host functions use, also through instantiated host templates."""
        seen: set[int] = set()
        waiting = [cursor for cursor in self.functions if cursor.kind == kinds.FUNCTION and not cursor.has(kinds.GLOBAL_ATTR)]
        waiting += self.methods
        while waiting:
            function = waiting.pop()
            if function.key in seen:
                continue
            seen.add(function.key)
            for target in referenced(function):
                if target.has(kinds.GLOBAL_ATTR):
                    if target.template.exists:
                        self.add_instance(target)
                elif target.kind != kinds.FUNCTION or target.template.exists:
                    definition = target.definition
                    if definition.exists and definition.key not in seen:
                        waiting.append(definition)
