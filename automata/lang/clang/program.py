"""A CUDA C++ or OpenCL C text: its kernels, and each kernel read into the typed tree.

clang parses a small text of ours that includes the user's: the stub header first, then the user's file
as it is, then one line for each template kernel to instantiate. Host code is parsed with it, so that
launches tell which instantiations there are; errors in it do not matter to a kernel that does not use it.
"""

from __future__ import annotations

import os
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from ctypes import ArgumentError
from dataclasses import dataclass, field, replace

from automata.lang.clang import kinds
from automata.lang.clang.attempt import Attempt, Trial, tried
from automata.lang.clang.functions import Functions
from automata.lang.clang.index import Cursor
from automata.lang.clang.instances import example_arguments, example_block, namespaces, template_arguments
from automata.lang.clang.prelude import Dialect
from automata.lang.clang.reader import Reader
from automata.lang.clang.screen import screen
from automata.lang.clang.types import Types
from automata.lang.instance_names import ANY_FUNCTION
from automata.lang.source import MAX_BYTES, read_source
from automata.lang.tree import Program
from automata.place import InputError, NotInstantiatedError, Place, UnsupportedError

MAX_FRAMES = 8_000
MOST_ASKED = 4
"""How often a kernel is read again with more classes asked for."""


@dataclass(frozen=True)
class Kernel:
    """A kernel as declared. `instances`: the template arguments that the file itself asks for, as text; with each, other ways to
    write it, enumerators by their names alone and as numbers. `spaces`: the namespaces around, the outermost first."""

    name: str
    place: Place
    is_template: bool = False
    instances: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    spaces: tuple[str, ...] = ()


@dataclass(frozen=True)
class Unit:
    """A parsed file. `missing`: names of headers that were not found and that the stub does not stand for."""

    path: str
    kernels: tuple[Kernel, ...]
    missing: tuple[str, ...]
    _source: Source = field(repr=False)

    @property
    def stub(self) -> str:
        """The text of the header that stands before the file."""
        return self._source.trial.before.text

    def matches(self, pattern: re.Pattern[str]) -> bool:
        """Whether the file, a header that it may include or a macro given with it has what a pattern describes."""
        attempt = self._source.trial.attempt
        texts = (*attempt.screened.files.values(), *attempt.defines.values())
        return any(pattern.search(text) for text in texts)

    def own_arguments(self, name: str) -> str:
        """The template arguments of an instance as clang has them: `k<int32_t>` that was asked for is `k<int>`."""
        trial = self._source.trial
        probed = trial.probed if trial.attempt.probes == (name,) else []
        return template_arguments(probed[0]) if len(probed) == 1 else name.partition("<")[2].rstrip()[:-1]

    def read(self, name: str) -> Program:
        """Read a kernel, by its name or as `name<arguments>`, with everything it calls.

        InputError when there is no such kernel or its text has errors; UnsupportedError names what is not read.
        """
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(max(limit, MAX_FRAMES))
        try:
            return self._source.read(name, self)
        except (RecursionError, ArgumentError) as error:
            raise UnsupportedError("expressions nested too deeply", Place(self.path, 0, 0)) from error
        finally:
            sys.setrecursionlimit(limit)


class Source:
    """A parsed file, which is parsed again where one more instantiation or class is asked for. `judge`: which errors concern a
    kernel."""

    def __init__(self, attempt: Attempt) -> None:
        self.take(tried(attempt))

    def take(self, trial: Trial) -> None:
        """Go on with another parse of the file."""
        self.trial, self.judge = trial, trial.judge()
        self.kernels, self.instances = trial.found.kernels, trial.found.instances

    def read(self, name: str, unit: Unit) -> Program:
        """Read a kernel; where it is refused and a base was not found that clang can be asked for, once more with that."""
        for _ in range(MOST_ASKED):
            cursor = self.find(name, unit)
            types = Types(self.trial.attempt.dialect == "opencl", cursor, self.trial.shown)
            try:
                return self.read_with(types, cursor)
            except InputError:
                new = [line for line in types.wanted if line not in self.trial.attempt.asked]
                if not new:
                    raise
                self.ask(tuple(new))
        return self.read_with(types, self.find(name, unit))

    def ask(self, lines: tuple[str, ...]) -> None:
        """Parse again with lines that ask for classes."""
        attempt = self.trial.attempt
        self.take(tried(replace(attempt, asked=(*attempt.asked, *lines))))

    def read_with(self, types: Types, cursor: Cursor) -> Program:
        reader = Reader(self.trial.parsed, self.trial.attempt.dialect, self.trial.texts, self.trial.before.path, types)
        unsupported: UnsupportedError | None = None
        kernel = None
        reader.touch(cursor)
        try:
            kernel = Functions(reader).kernel(cursor)
        except UnsupportedError as error:
            unsupported = error if error.place.file != reader.stub else UnsupportedError(
                f"{error.message} (in this tool's own header)", cursor.place)
        for record in reader.types.used:
            reader.touch(record)
        self.judge.check(reader, unsupported, cursor)
        if kernel is None:
            assert unsupported is not None
            raise unsupported
        self.check_guides(reader, cursor)
        return Program(kernel, self.trial.attempt.dialect, (*self.judge.passed_by, *reader.assumed))

    def check_guides(self, reader: Reader, kernel: Cursor) -> None:
        """Refuse a class of a template with deduction guides: clang takes them for functions of the host, and passes them by."""
        for record in reader.types.used:
            if record.spelling in self.trial.found.guided and record.template.exists:
                raise UnsupportedError(f"'{record.spelling}', a class template with deduction guides of its own", kernel.place)

    def find(self, name: str, unit: Unit) -> Cursor:
        """The definition that a name means."""
        if name.endswith(")"):
            word = name.partition("(")[0].rpartition("::")[2]
            found = [cursor for cursor, said in self.signatures(word) if said == name and cursor.kind != kinds.FUNCTION_TEMPLATE]
            if len(found) > 1:
                raise UnsupportedError(f"{len(found)} kernels called '{name}'", found[1].place)
            if found:
                return found[0]
            self.require_one_template(word)
        stem, arguments = self.stem(name), name.partition("<")[2]
        if stem not in self.kernels:
            known = ", ".join(sorted(self.kernels)) or "none"
            raise InputError(f"there is no kernel '{stem}'; the file has: {known}", Place(self.trial.attempt.path, 0, 0))
        plain = [cursor for cursor in self.kernels[stem] if cursor.kind != kinds.FUNCTION_TEMPLATE]
        if not arguments:
            if len(plain) == 1:
                return plain[0]
            return self.only_instance(stem, plain)
        wanted = normal(arguments.rstrip()[:-1])
        for text, cursor in self.instances.get(stem, {}).items():
            if normal(text) == wanted:
                return cursor
        self.require_one_template(stem)
        return self.instantiate(name)

    def stem(self, name: str) -> str:
        """The kernel that `space::name<arguments>` is of: by its full name, if it has one, or the last part of it."""
        full = name.partition("<")[0].strip()
        return full if full in self.kernels else full.rpartition("::")[2]

    def require_one_template(self, name: str) -> None:
        """Refuse kernel templates of one name, of which the text shows no instance that is asked for."""
        templates = [cursor for cursor in self.kernels.get(name, []) if cursor.kind == kinds.FUNCTION_TEMPLATE]
        if len(templates) > 1:
            raise UnsupportedError(f"{len(templates)} kernel templates called '{name}'", templates[-1].place)

    def signatures(self, name: str) -> list[tuple[Cursor, str]]:
        """The kernels of a name, with the types of their parameters, which tells overloaded ones apart; with their namespaces
        where others have the same ones."""
        cursors = self.kernels.get(name, [])
        said = [_parameters(cursor) for cursor in cursors]
        times = Counter(said)
        return [(cursor, "::".join([*(namespaces(cursor) if times[text] > 1 else ()), f"{cursor.spelling}({text})"]))
                for cursor, text in zip(cursors, said, strict=True)]

    def only_instance(self, stem: str, plain: list[Cursor]) -> Cursor:
        known = self.instances.get(stem, {})
        if plain:
            shown = ", ".join(said for cursor, said in self.signatures(stem) if cursor in plain)
            raise InputError(f"there are {len(plain)} kernels called '{stem}'; say which one: {shown}", plain[0].place)
        place = self.kernels[stem][0].place
        if len(known) == 1:
            return next(iter(known.values()))
        if not known:
            self.judge.refuse_inside(self.kernels[stem][0].extent)
            example = f"{stem}<{', '.join(example_arguments(self.kernels[stem][0]))}>"
            more = f" ({ANY_FUNCTION} adds what it is called with)" if ANY_FUNCTION in example else ""
            raise NotInstantiatedError(f"'{stem}' is a template: say its arguments, for example {example}{more}", place, example,
                                       example_block(self.kernels[stem][0]))
        shown = ", ".join(f"{stem}<{text}>" for text in sorted(known))
        raise InputError(f"'{stem}' is a template; say which one: {shown}", place)

    def instantiate(self, name: str) -> Cursor:
        """Parse again with this instantiation in the place of others that were asked for."""
        self.take(tried(replace(self.trial.attempt, probes=(name,), guess=False, spaces=None)))
        word = self.stem(name)
        found = self.instances.get(word, {})
        wanted = normal(name.partition("<")[2].rstrip()[:-1])
        made = [cursor for text, cursor in found.items() if normal(text) == wanted] or self.trial.probed
        if not found or not made:
            self.judge.refuse_inside(self.kernels[word][0].extent)
            raise InputError(f"'{name}' cannot be instantiated", Place(self.trial.attempt.path, 0, 0))
        return made[0]


def _parameters(cursor: Cursor) -> str:
    """The types of a function's parameters; of a template as it names them."""
    if cursor.kind != kinds.FUNCTION_TEMPLATE:
        return ", ".join(param.type.spelling for param in cursor.arguments())
    parts = cursor.children()
    heads = (kinds.TEMPLATE_TYPE, kinds.TEMPLATE_VALUE, kinds.TEMPLATE_TEMPLATE)
    names = [child.spelling for child in parts if child.kind in heads]
    text = ", ".join(child.type.spelling for child in parts if child.kind == kinds.PARAM)
    return re.sub(r"type-parameter-0-(\d+)", lambda found: (dict(enumerate(names)).get(int(found[1])) or found[0]), text)


def normal(arguments: str) -> str:
    """Template arguments without the spellings that mean the same."""
    text = re.sub(r"\s+", " ", arguments.strip())
    text = re.sub(r"\s*([<>,*&()])\s*", r"\1", text)
    return re.sub(r"\b(struct|class) |\b(\d+)[uUlL]+\b", r"\2", text).replace("unsigned int", "unsigned")


def parse(path: str, text: str | None, *, dialect: Dialect, defines: dict[str, str] | None = None, includes: tuple[str, ...] = (),
          probes: tuple[str, ...] = ()) -> Unit:
    """Parse a file (or the text given for it). `probes`: template kernels to instantiate, as `reduce<float, 256>`.

    InputError for files that cannot be read and probes that name nothing; errors in code wait for `Unit.read`.
    """
    if text is None:
        text = read_source(path)
    elif len(text) > MAX_BYTES:
        raise InputError(f"the text has more than {MAX_BYTES} characters", Place(path, 0, 0))
    for folder in includes:
        if not os.path.isdir(folder):
            raise InputError(f"include path '{folder}' is not a folder")
    source = Source(Attempt(path, screen(path, text, includes, defines or {}), dialect, defines or {}, includes, probes))
    return Unit(path, tuple(described(source)), source.judge.missing, source)


def described(source: Source) -> Iterator[Kernel]:
    """The kernels of a source; overloaded ones by name and parameter types."""
    for name, cursors in source.kernels.items():
        templates = [cursor for cursor in cursors if cursor.kind == kinds.FUNCTION_TEMPLATE]
        is_one, made = len(templates) == 1, sorted(source.instances.get(name, {}).items())
        for cursor, signature in sorted(source.signatures(name), key=lambda each: each[0].kind == kinds.FUNCTION_TEMPLATE):
            spaces = namespaces(cursor)
            if cursor.kind != kinds.FUNCTION_TEMPLATE:
                yield Kernel(name if len(cursors) == 1 else signature, cursor.place, spaces=spaces)
                continue
            own = [each for each in made if is_one or each[1].template.canonical.key == cursor.canonical.key]
            if not is_one and not own:
                yield Kernel(signature, cursor.place, spaces=spaces)
                continue
            instances: dict[str, tuple[str, ...]] = dict.fromkeys(source.judge.unmade(cursor) if is_one else (), ())
            instances |= {text: (template_arguments(each, "name"), template_arguments(each, "number")) for text, each in own}
            yield Kernel(name, cursor.place, True, instances, spaces)
