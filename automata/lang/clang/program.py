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
from collections.abc import Iterable, Iterator, Mapping
from ctypes import ArgumentError
from dataclasses import dataclass, field, replace

from automata.lang.clang import kinds
from automata.lang.clang.finder import OWN, Finder
from automata.lang.clang.functions import Functions
from automata.lang.clang.headers import parts_of
from automata.lang.clang.index import Complaint, Cursor, Parsed
from automata.lang.clang.instances import example_arguments, namespaces, template_arguments
from automata.lang.clang.mended import asked_by_mended, with_keywords, with_numbers
from automata.lang.clang.prelude import Dialect, hosted, macros, prelude
from automata.lang.clang.probes import check_probes, launched, probe_line, stem
from automata.lang.clang.reach import Reach
from automata.lang.clang.reader import Reader, text_of
from automata.lang.clang.screen import Screened, allowed, roots_of, screen
from automata.lang.clang.types import Types
from automata.lang.clang.wrong import Judge, without_hints
from automata.lang.source import MAX_BYTES, read_source
from automata.lang.tree import Program
from automata.place import InputError, NotInstantiatedError, Place, UnsupportedError

MAX_FRAMES = 8_000
MOST_ASKED = 4
HEAD = (kinds.TEMPLATE_TYPE, kinds.TEMPLATE_VALUE, kinds.TEMPLATE_TEMPLATE)
HALF_HEADER = re.compile(r"#\s*include\s*[<\"][^>\"]*(fp16|bf16|fp8|fp4|half|\bmma\.h)")
AMBIGUOUS = re.compile(r"reference to '(\w+)' is ambiguous")

@dataclass(frozen=True)
class Kernel:
    """A kernel as declared. `instances`: the template arguments that the file itself asks for, as text; with each, other ways to
    write it, enumerators by their names alone and as numbers."""

    name: str
    place: Place
    is_template: bool = False
    instances: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


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
        return self._source.texts[self._source.stub].decode()

    def matches(self, pattern: re.Pattern[str]) -> bool:
        """Whether the file, a header that it may include or a macro given with it has what a pattern describes."""
        texts = (*self._source.screened.files.values(), *self._source.defines.values())
        return any(pattern.search(text) for text in texts)

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


@dataclass
class Source:
    """What it takes to parse a file again with one more instantiation."""

    path: str
    dialect: Dialect
    defines: dict[str, str]
    includes: tuple[str, ...]
    probes: tuple[str, ...]
    screened: Screened
    parsed: Parsed
    judge: Judge
    kernels: dict[str, list[Cursor]]
    instances: dict[str, dict[str, Cursor]]
    texts: dict[str, bytes]
    stub: str

    def read(self, name: str, unit: Unit) -> Program:
        """Read a kernel; where it is refused and a base was not found that clang can be asked for, once more with that."""
        for _ in range(MOST_ASKED):
            cursor = self.find(name, unit)
            types = Types(self.dialect == "opencl", cursor, self.shown)
            try:
                return self.read_with(types, cursor)
            except InputError:
                new = [line for line in types.wanted if line not in self.asked]
                if not new:
                    raise
                self.ask(tuple(new))
        return self.read_with(types, self.find(name, unit))

    def ask(self, lines: tuple[str, ...]) -> None:
        """Parse again with lines that ask for classes."""
        lines = (*self.asked, *lines)
        again = build(self.path, self.screened, self.dialect, self.defines, self.includes, self.probes, asked=lines)
        self.parsed, self.judge, self.kernels, self.instances = again.parsed, again.judge, again.kernels, again.instances
        self.shown, self.asked = again.shown, again.asked

    def read_with(self, types: Types, cursor: Cursor) -> Program:
        reader = Reader(self.parsed, self.dialect, self.texts, self.stub, types)
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
        return Program(kernel, self.dialect, (*self.judge.passed_by, *reader.assumed))

    def check_guides(self, reader: Reader, kernel: Cursor) -> None:
        """Refuse a class of a template with deduction guides: clang takes them for functions of the host, and passes them by."""
        for record in reader.types.used:
            if record.spelling in self.guided and record.template.exists:
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
            raise InputError(f"there is no kernel '{stem}'; the file has: {known}", Place(self.path, 0, 0))
        plain = [cursor for cursor in self.kernels[stem] if cursor.kind != kinds.FUNCTION_TEMPLATE]
        if not arguments:
            if len(plain) == 1:
                return plain[0]
            return self.only_instance(stem, plain)
        self.require_unlike_templates(stem)
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

    def require_one_template(self, name: str, times: int = 0) -> None:
        """Refuse kernel templates of one name. `times`: how many of them `name<arguments>` cannot tell apart; else all."""
        templates = [cursor for cursor in self.kernels.get(name, []) if cursor.kind == kinds.FUNCTION_TEMPLATE]
        if (times or len(templates)) > 1:
            raise UnsupportedError(f"{len(templates)} kernel templates called '{name}'", templates[-1].place)

    def require_unlike_templates(self, name: str) -> None:
        """Refuse kernel templates that differ in the parameters of their functions alone: their instances have the same names."""
        templates = [cursor for cursor in self.kernels.get(name, []) if cursor.kind == kinds.FUNCTION_TEMPLATE]
        self.require_one_template(name, max(Counter(map(_head, templates)).values(), default=1))

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
            raise NotInstantiatedError(f"'{stem}' is a template: say its arguments, for example {example}", place)
        shown = ", ".join(f"{stem}<{text}>" for text in sorted(known))
        raise InputError(f"'{stem}' is a template; say which one: {shown}", place)

    def instantiate(self, name: str) -> Cursor:
        """Parse again with this instantiation added."""
        again = build(self.path, self.screened, self.dialect, self.defines, self.includes, (name,))
        word = again.stem(name)
        found = again.instances.get(word, {})
        self.parsed, self.judge = again.parsed, again.judge
        self.kernels, self.instances, self.shown = again.kernels, again.instances, again.shown
        wanted = normal(name.partition("<")[2].rstrip()[:-1])
        made = [cursor for text, cursor in found.items() if normal(text) == wanted] or again.probed
        if not found or not made:
            self.judge.refuse_inside(self.kernels[word][0].extent)
            raise InputError(f"'{name}' cannot be instantiated", Place(self.path, 0, 0))
        return made[0]

    probed: list[Cursor] = field(default_factory=list)
    guided: frozenset[str] = frozenset()
    asked: tuple[str, ...] = ()
    shown: list[Cursor] = field(default_factory=list)


def _head(template: Cursor) -> tuple[int, ...]:
    """What a template takes: a type, a value or a template in each place."""
    return tuple(child.kind for child in template.children() if child.kind in HEAD)


def _parameters(cursor: Cursor) -> str:
    return ", ".join(param.type.spelling for param in cursor.arguments())


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
    source = build(path, screen(path, text, includes), dialect, defines or {}, includes, probes)
    return Unit(path, tuple(described(source)), source.judge.missing, source)


def described(source: Source) -> Iterator[Kernel]:
    """The kernels of a source; overloaded ones by name and parameter types."""
    for name, cursors in source.kernels.items():
        templates = [cursor for cursor in cursors if cursor.kind == kinds.FUNCTION_TEMPLATE]
        is_one, made = len(templates) == 1, sorted(source.instances.get(name, {}).items())
        are_alike = len(set(map(_head, templates))) < len(templates)
        for cursor, signature in sorted(source.signatures(name), key=lambda each: each[0].kind == kinds.FUNCTION_TEMPLATE):
            if cursor.kind != kinds.FUNCTION_TEMPLATE:
                yield Kernel(name if len(cursors) == 1 else signature, cursor.place)
                continue
            own = [each for each in made if is_one or each[1].template.canonical.key == cursor.canonical.key]
            if not is_one and (are_alike or not own):
                yield Kernel(signature, cursor.place)
                continue
            instances: dict[str, tuple[str, ...]] = dict.fromkeys(source.judge.unmade(name) if is_one else (), ())
            instances |= {text: (template_arguments(each, "name"), template_arguments(each, "number")) for text, each in own}
            yield Kernel(name, cursor.place, True, instances)


def build(path: str, screened: Screened, dialect: Dialect, defines: dict[str, str], includes: tuple[str, ...],
          probes: tuple[str, ...], *, guess: bool = False, spaces: Mapping[str, tuple[str, ...]] | None = None,
          without: frozenset[str] = frozenset(), asked: tuple[str, ...] = ()) -> Source:
    """Parse, and find the kernels and their instantiations.

    A template kernel that no understood launch instantiates is looked up in the text of the launches (`guess`:
    the probes come from there, and those that fail are left out). `spaces`: the namespaces of kernels, once they are known.
    """
    full = os.path.abspath(path)
    parts = parts_of(screened.absent) if dialect == "cuda" else ()
    before = prelude(dialect, not _names_its_own_half(screened.files[full], screened.files.values()), parts, without)
    lines = [*macros(defines), f'#include "{full}"']
    first_probe = len(lines) + 1
    lines += [probe_line(at, probe, spaces or {}) for at, probe in enumerate(probes)]
    first_asked = len(lines) + 1
    lines += [line.replace("%d", str(at)) for at, line in enumerate(asked)]
    main = OWN + (".cu" if dialect == "cuda" else ".cl")
    args = [*before.args, *(word for folder in includes for word in ("-I", os.path.abspath(folder)))]
    unsaved = {main: "\n".join(lines) + "\n", **{name: screened.files[name] for name in (full, *sorted(screened.mended))}}
    parsed = Parsed(main, args, unsaved, (os.path.dirname(full), os.path.dirname(path)), frozenset({main, before.path}))
    check_files(parsed, path, includes, {main, before.path})
    errors = without_hints(parsed.errors(), screened.files)
    if more := {**with_numbers(errors, screened.files), **with_keywords(errors, screened.files)}:
        screened = replace(screened, files={**screened.files, **more}, mended=screened.mended | set(more))
        return build(path, screened, dialect, defines, includes, probes, guess=guess, spaces=spaces, without=without, asked=asked)
    if not without and (taken := hosted(match[1] for error in errors if (match := AMBIGUOUS.fullmatch(error.message)))):
        return build(path, screened, dialect, defines, includes, probes, guess=guess, spaces=spaces, without=taken, asked=asked)
    refused = {error.place.line - first_asked for error in errors if error.file == main and error.place.line >= first_asked}
    errors = [error for error in errors if error.file != main or error.place.line < first_asked]
    if guess:
        errors = [error for error in errors if error.file != main]
    texts = {name: text.encode("utf-8", "surrogateescape") for name, text in unsaved.items()}
    texts[before.path] = before.text.encode()
    found = Finder(parsed, {main, before.path}, dialect, texts)
    inside = {name: space for name, cursors in found.kernels.items() if (space := namespaces(cursors[0]))}
    if probes and spaces is None and any(stem(probe) in inside for probe in probes):
        return build(path, screened, dialect, defines, includes, probes, guess=guess, spaces=inside, without=without, asked=asked)
    check_probes(errors, main, first_probe, probes)
    unknown = [name for name in found.kernels if name not in found.instances and found.is_template(name)]
    if not guess and not probes and unknown:
        lost = launched(unknown, screened.files)
        left = [name for name in unknown if not any(each.startswith(f"{name}<") for each in lost)]
        own = {main, before.path}
        lost += asked_by_mended(left, errors, screened.files, lambda files: shown(
            Parsed(main, args, {**unsaved, **files}, own=frozenset(own)), own, dialect, texts))
        if lost:
            return build(path, screened, dialect, defines, includes, tuple(lost), guess=True, spaces=inside, without=without,
                         asked=asked)
    theirs = [name for name in parsed.files() if name != before.path]
    judge = Judge(errors, texts, before.path, [*found.functions, *found.methods, *found.inner], path,
                  lambda: Reach(parsed.root, {main, before.path}, theirs, lambda file: text_of(texts, file)),
                  tuple(screened.files))
    probed = [cursor for at in range(len(probes)) for cursor in found.probed(f"__spmd_probe{at}")]
    return Source(path, dialect, defines, includes, probes, screened, parsed, judge, found.kernels, found.instances, texts,
                  before.path, probed, frozenset(found.guided), asked, found.shown(set(range(len(asked))) - refused))


def shown(parsed: Parsed, own: set[str], dialect: Dialect,
          texts: dict[str, bytes]) -> tuple[list[Complaint], dict[str, dict[str, Cursor]]]:
    """The errors of a parse, and the instantiations that it shows."""
    return parsed.errors(), Finder(parsed, own, dialect, dict(texts)).instances


def _names_its_own_half(text: str, texts: Iterable[str]) -> bool:
    """Whether `half` is an ordinary name: the file mentions it, and nothing included asks for a header that declares it."""
    return re.search(r"\bhalf\b", text) is not None and not any(HALF_HEADER.search(each) for each in texts)


def check_files(parsed: Parsed, path: str, includes: tuple[str, ...], own: set[str]) -> None:
    """Refuse a file that was read from outside; the screen should have caught it."""
    roots = roots_of(path, includes)
    for name in parsed.files():
        if name not in own and not allowed(name, roots):
            raise InputError(f"the file '{name}' lies outside the file's folder and the include paths", Place(path, 0, 0))
