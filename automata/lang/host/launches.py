"""Launches in the host code of a file: `kernel<float, 256><<<grid, block, shared>>>(…)`, cudaLaunchKernel, hipLaunchKernelGGL.

What is not certain is None. Launches inside device code are left out, and those of a name that may be a variable. A launch is
read once for each call of the function around it, and for each combination of values that were chosen on the way.
"""

from __future__ import annotations

import os
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TypeVar

from automata.lang.arrows import may_launch
from automata.lang.host.abroad import Abroad, Reader
from automata.lang.host.bodies import read_bodies
from automata.lang.host.choices import Choices, Infeasible, every
from automata.lang.host.doubted import Doubts, read_doubts
from automata.lang.host.fills import Fills
from automata.lang.host.frames import Callers, Elsewhere, Frame
from automata.lang.host.handled import Handled
from automata.lang.host.held import Held
from automata.lang.host.instances import CLASSES, SHORT_FLOATS, Instances
from automata.lang.host.launch_forms import Form, Forms
from automata.lang.host.launch_helpers import Helpers
from automata.lang.host.leaves import stated
from automata.lang.host.looking import FAILURES, first_token
from automata.lang.host.numbers import Number, Unknown
from automata.lang.host.opencl import OPENCL_NAME, opencl_launches
from automata.lang.host.opencl_options import option_named
from automata.lang.host.paths import is_whole_path
from automata.lang.host.pointed import Pointers
from automata.lang.host.program import Program
from automata.lang.host.records import is_taken_whole
from automata.lang.host.same import same_pointers
from automata.lang.host.standing import changes_nothing
from automata.lang.host.stated import HostLaunch, gathered
from automata.lang.host.symbolic import NO_SIZES, Sizes, Symbolic, Value, compared
from automata.lang.host.syntax import Node
from automata.lang.host.tokens import Tokens, is_name
from automata.lang.host.values import Evaluator
from automata.lang.preprocess import Text
from automata.lang.project import ENQUEUES

MAX_LAUNCHES = 5_000
MOST_STATED = 16
"""Launches of one instance of a template that one place in the text stands for."""
_ARGUMENTS = 200
Range = tuple[int, int]
T = TypeVar("T")
_KEPT: deque[tuple[Text, str | None, Reader | None, dict[str, list[HostLaunch]]]] = deque(maxlen=4)
"""The last texts whose launches were looked for, as objects: a text that is read again is another."""


def host_launches(source: Text, project: str | None = None, read: Reader | None = None) -> dict[str, list[HostLaunch]]:
    """For each kernel name its launches in a text, of which a size is known (`stated.gathered`). They are kept for the
    text's other kernels."""
    kept = next((found for text, *how, found in _KEPT if text is source and how == [project, read]), None)
    if kept is None:
        kept = gathered(find_launches(source, project, read))
        _KEPT.append((source, project, read, kept))
    return kept


def find_launches(source: Text, project: str | None = None, read: Reader | None = None) -> list[HostLaunch]:
    """The launches in the host code of a file, in order; none where it cannot be followed. `project`, `read`: see `Abroad`."""
    if not may_launch(source.text) or source.is_lost:
        return []
    finder = finder_of(source, project, read)
    found = finder.found() if finder is not None else []
    return [] if finder is None or finder.is_ambiguous() else found


def finder_of(source: Text, project: str | None, read: Reader | None) -> Finder | None:
    """What finds the launches of a text; None where that cannot be followed."""
    tokens = Tokens(source)
    if not tokens.is_plain:
        return None
    own = frozenset(os.path.realpath(file.path) for file in source.files)
    abroad = Abroad(source, own, project, read)
    if ENQUEUES in source.text:
        tokens.replace(opencl_launches(tokens.text, tokens.match, abroad.is_unnamed, abroad.bodies))
    doubts = read_doubts(source, tokens)
    return None if doubts is None else Finder(source, tokens, abroad, doubts)


class Finder:
    """The launches of one file."""

    def __init__(self, source: Text, tokens: Tokens, abroad: Elsewhere, doubts: Doubts) -> None:
        self.source, self.tokens, self.text = source, tokens, tokens.text
        self.program, self.doubted = Program(tokens, source.missing, doubts), doubts.names
        read_bodies(self.program)
        self.callers = Callers(self.program, abroad)
        self.evaluator = Evaluator(self.program, self.callers)
        self.instances = Instances(self.evaluator, lambda at: source.place(tokens.starts[at]))
        self.pointers = Pointers(self.evaluator)
        self.helpers = Helpers(self.program, self.callers, self.pointers, self._named_by)
        has_unread = any("_Pragma" in each.text for each in source.files)
        self.fills = Fills(Handled(self.evaluator, self.pointers, self.forms), has_unread)
        self.named: dict[str, int] = {}

    def found(self) -> list[HostLaunch]:
        launches: list[HostLaunch] = []
        for form in self.forms():
            launches += self.launches(form)
            if len(launches) >= MAX_LAUNCHES:
                break
        return launches

    def forms(self) -> Iterator[Form]:
        """The launches as they are written, in the order of the text."""
        return Forms(self.source, self.program).found()

    def is_ambiguous(self) -> bool:
        """Whether what was taken for template arguments may be a comparison: a variable has the name of the template."""
        held, program = self.tokens.held, self.program
        return bool(held & {self.text[at] for at in program.declares} or self.tokens.held_qualified & set(program.variables))

    def launches(self, form: Form) -> list[HostLaunch]:
        """The launches that one place in the text stands for: of each kernel that a variable may be, if it names one."""
        begin, end = self._bare(form.name)
        if pointed := self.pointers.kernels(begin) if is_name(self.text[begin]) else []:
            return [launch for each in pointed for launch in self._launches(replace(form, tests=each.tests), each.name)]
        if end == begin + 1 and (index := self.helpers.index(begin)) >= 0:
            return [launch for each in self.helpers.launched(form, index) for launch in self._launches(
                replace(each.form, tests=each.kernel.tests), each.kernel.name, each.frame)]
        return self._launches(form, self._named_by(begin, end)) if end > begin else []

    def _launches(self, form: Form, name: Range, called: Frame | None = None) -> list[HostLaunch]:
        """The launches of a kernel by a name: in each call of its function, or the one that is `called`, with each value that may
        be chosen. Where there are too many, what differs among them is not known."""
        begin, end = self._bare(name)
        first = begin
        words: list[str] = []
        while begin < end and is_name(self.text[begin]):
            words.append(self.text[begin])
            begin += 2 if self.text[begin + 1] == "::" else 1
            if self.text[begin - 1] != "::":
                break
        is_other = (begin < end and self.text[begin] != "<") or (form.known and len(form.config) < 2)
        if not words or is_other or self._may_be_variable(words, first, len(form.args) or -1):
            return []
        template = (begin + 1, end - 1) if begin < end else None
        region = self.program.region_at(form.at)
        frames = self.callers.frames(region, form.goal, form.begin) if called is None else [called]
        alone = called or Frame(region, form.begin, form.goal)
        for in_calls, chooses in (frames, True), (frames, False), ([alone], True):
            found = dict.fromkeys(each for frame in in_calls for each in self._chosen(form, words, template, frame, chooses))
            if max(Counter(each.template_args for each in found).values(), default=0) <= MOST_STATED:
                return list(found)
        return self._open(form, words, template, alone)

    def _named_by(self, begin: int, end: int) -> Range:
        """What a variable stands for that is declared as a kernel, and never set: `auto kernel = reduce<float, 256>;`."""
        variable = self.program.means.get(begin) if end == begin + 1 else None
        if variable is None or not variable.is_local or variable.settings or variable.form != "=" or variable.type.kind != "auto":
            return begin, end
        stop = self.tokens.statement_end(variable.at, self.tokens.size) - 1
        is_one = variable.at + 2 < stop < begin and self.text[variable.at + 1] == "=" and len(
            self.tokens.split(variable.at, stop)) == 1
        is_fixed = is_one and not variable.type.reference and self.evaluator.steady.is_followed(variable, begin)
        return (variable.at + 2, stop) if is_fixed else (begin, end)

    def _chosen(self, form: Form, words: list[str], template: Range | None, frame: Frame, chooses: bool) -> list[HostLaunch]:
        """The launches in one call: with each value that may be chosen; of too many, with those that sizes hang on."""
        self.evaluator.fix(frame, self._is_pure(form), _alone(form))
        for only_sizes in (False, True) if chooses else ():
            found = every(partial(self._read, form, words, template, frame, only_sizes=only_sizes))
            if found is not None:
                return found
        return self._open(form, words, template, frame)

    def _open(self, form: Form, words: list[str], template: Range | None, frame: Frame) -> list[HostLaunch]:
        """The launch in one call, where nothing is chosen."""
        self.evaluator.fix(frame, self._is_pure(form), _alone(form))
        with suppress(Infeasible):
            return [self._read(form, words, template, frame, None)]
        return []

    def _read(self, form: Form, words: list[str], template: Range | None, frame: Frame, choices: Choices | None,
              only_sizes: bool = False) -> HostLaunch:
        """The launch, for one combination of what may be chosen. `only_sizes`: nothing is for its arguments alone."""
        evaluator = self.evaluator
        evaluator.start(frame, choices, self._is_pure(form), _alone(form))
        for test in form.tests:
            evaluator.assume(test)
        sizes = [self._sizes(part) for part in form.config[:2]] if form.known else [NO_SIZES, NO_SIZES]
        is_opencl = words[-1].startswith(OPENCL_NAME)
        if is_opencl:
            sizes = sizes if self._has_whole_groups(form.config[0]) else [NO_SIZES, NO_SIZES]
        sizes = [self._at_least_one(each, choices) for each in sizes]
        template_args = self._where(template[0], partial(self._template, *template)) if template is not None else ()
        if template_args is not None:
            template_args = self.instances.completed(words[-1], template_args, form.args)
        shared = self._shared(form.config, form.known)
        if choices is not None:
            choices.is_settled = only_sizes
        args = [None if is_opencl and not self._has_its_size(part) else self._where(part[0], partial(self._value, *part))
                for part in form.args[:_ARGUMENTS]]
        parts = {(at, name): value for at, part in enumerate(form.args[:_ARGUMENTS])
                 if part[1] == part[0] + 1 and is_taken_whole(self.program, words[-1], at, part[0])
                 for name, value in self._where(part[0], partial(evaluator.parts_of, part[0])).items()}
        facts = evaluator.facts()
        place = self.source.place(self.tokens.starts[form.at if form.said < 0 else form.said])
        filled = [] if is_opencl else self._filled(form, frame)
        said = stated(words, template_args, sizes, shared, [*args, *parts.values()], facts, evaluator, place, filled)
        return replace(said, parts=tuple(parts), perhaps=tuple(evaluator.perhaps.items()), is_only=self._is_only(words[-1]),
                       is_of_linux=self.source.is_of_linux, same=same_pointers(self.tokens, form.args[:_ARGUMENTS]),
                       relied=tuple(self.callers.abroad.relied),
                       options=tuple(option_named(self.text[part[0]]) for part in form.args[:_ARGUMENTS]))

    def _at_least_one(self, sizes: Sizes, choices: Choices | None) -> Sizes:
        """Sizes of a launch that runs threads. With a size of zero it is an error: so no launch is made where values were chosen
        that make it so; where none were, it is not known what was meant."""
        if not any(isinstance(part, Number) and part.value == 0 for part in sizes.parts):
            return sizes
        if choices is not None and choices.are_several:
            raise Infeasible
        return NO_SIZES

    def _filled(self, form: Form, frame: Frame) -> list[Held]:
        """What the arrays hold that a launch passes."""
        found = [(at, self.fills.of(part, frame)) for at, part in enumerate(form.args[:_ARGUMENTS])]
        return [Held(at, each.kind, each.least, each.most, each.tests, each.order,
                     tuple(sorted({self.source.place(self.tokens.starts[token]).line for token in each.at})))
                for at, each in found if each is not None]

    def _where(self, at: int, do: Callable[[], T]) -> T:
        """Do something in the function that a token stands in, among those that are looked at."""
        frame, region = self.evaluator.frame, self.program.region_at(at)
        if frame is None or frame.outer is None or frame.region is region:
            return do()
        return self.evaluator.from_caller(frame, partial(self._where, at, do))

    def _has_whole_groups(self, part: Range) -> bool:
        """Note that the sizes of groups divide those of the launch, as OpenCL requires: it stands as quotients of the two.
        Whether all are words of 64 bits, as which they are read."""
        node = self.evaluator.read(*part)
        quotients = [each for each in (node.parts if node is not None else ()) if each.kind == "binary"]
        for each in quotients:
            with suppress(Unknown):
                rest = self.evaluator.value(Node("binary", each.at, "%", each.parts))
                if isinstance(rest, Symbolic):
                    self.evaluator.note(compared("==", rest, Number(0)))
                elif not isinstance(rest, Number) or rest.value:
                    raise Infeasible
        kinds = [self._kind(first_token(size)) for each in quotients for size in each.parts]
        return all(kind is not None and kind.bits == 64 for kind in kinds)

    def _kind(self, at: int) -> Number | None:
        """The type of the numbers that a variable at a token holds or points to."""
        variable = self.program.means.get(at)
        return variable.type.number if variable is not None and variable.type.pointers + variable.is_array < 2 else None

    def _has_its_size(self, part: Range) -> bool:
        """Whether the copy that an OpenCL program passes is of the type of the variable that was copied, but for a sign."""
        copy = self.program.means.get(part[0])
        if copy is None or len(copy.init) != 1 or copy.type.name == "auto" or copy.type.kind == "auto":
            return copy is not None
        one, two = copy.type.number, self._kind(first_token(copy.init[0]))
        return one is not None and two is not None and (one.bits, one.single) == (two.bits, two.single)

    def _is_only(self, name: str) -> bool:
        """Whether the host's code names a kernel in one place, but for its declarations."""
        if name not in self.named:
            program = self.program
            found = program.positions.get(name, [])
            self.named[name] = sum(at not in program.named and not program.is_device(at) for at in found)
        return self.named[name] == 1

    def _is_pure(self, form: Form) -> bool:
        return changes_nothing(self.program, form.begin, form.goal, form.at)

    def _may_be_variable(self, words: list[str], first: int, count: int) -> bool:
        """Whether what is launched may be another thing than the kernel of that name."""
        region, program, name = self.program.region_at(first), self.program, words[-1]
        if region is not None and name in region.barred:
            return True
        is_elsewhere = not set(words[:-1]) <= program.namespaces or not program.is_one_kernel(name, region, count)
        return is_elsewhere or name in program.barred or first in program.means or name in program.variables

    def _bare(self, part: Range) -> Range:
        """A kernel's name without casts, `&`, brackets and HIP_KERNEL_NAME."""
        begin, end = part
        for _ in range(8):
            closing = self.tokens.match[begin] if begin < end else -1
            if self.text[begin] in ("&", "::", "HIP_KERNEL_NAME", "void", "const"):
                begin += 1
            elif self.text[begin] in ("reinterpret_cast", "static_cast") and self.tokens.angle_end(begin + 1) > 0:
                begin = self.tokens.angle_end(begin + 1) + 1
            elif self.text[begin] == "(" and closing == end - 1:
                begin, end = begin + 1, end - 1
            elif self.text[begin] == "(" and begin < closing < end and self.text[closing - 1] == "*":
                begin = closing + 1
        return begin, end

    def _template(self, begin: int, end: int) -> tuple[str, ...] | None:
        """Template arguments as text; None when one depends on something unknown."""
        region = self.program.region_at(begin)
        unknown = self.program.barred | (region.barred if region is not None else set())
        found = []
        for part in self.tokens.split(begin, end):
            start, stop = self._constant(*part)
            value = self._value(start, stop)
            names = {token for token in self.text[start:stop] if is_name(token)}
            if isinstance(value, Number) and value.bits and self.text[start] not in ("true", "false"):
                found.append(str(value.value))
            elif (written := self.instances.argument(start, stop)) is not None:
                found.append(written)
            elif self._names_instance(start, stop):
                if (made := self._instance(start, stop, unknown)) is None:
                    return None
                found.append(made)
            elif not self._is_what_it_says(start, stop, names, unknown):
                return None
            else:
                text = _joined(self.text[start:stop])
                found.append(text if names & self.program.types.hidden else SHORT_FLOATS.get(text, text))
        return tuple(found)

    def _constant(self, begin: int, end: int) -> Range:
        """What a local constant of an enumeration is made of, where that is a name: `static constexpr Way WAY = SUM;`."""
        variable = self.program.means.get(begin) if end == begin + 1 else None
        kind = variable.type if variable is not None and variable.is_local and variable.form == "=" else None
        if variable is None or kind is None or "constexpr" not in kind.words or kind.kind not in ("other", "auto") or (
                kind.pointers or kind.reference or self.text[variable.at + 1] != "="):
            return begin, end
        first, stop = variable.at + 2, self.tokens.statement_end(variable.at, self.tokens.size) - 1
        is_name_alone = stop == first + 1 < begin and is_name(self.text[first])
        return self._constant(first, stop) if is_name_alone or is_whole_path(self.program, first, stop) else (begin, end)

    def _names_instance(self, begin: int, end: int) -> bool:
        """Whether a template argument is an instance of a class template of the file."""
        return self.text[begin] in self.program.class_templates and self.text[begin + 1] == "<" and begin + 2 < end

    def _instance(self, begin: int, end: int, unknown: set[str]) -> str | None:
        """An instance of a class template, with all arguments told."""
        name = self.text[begin]
        is_whole = self.tokens.angle_end(begin + 1) == end - 1 and self._is_what_it_says(begin, begin + 1, {name}, unknown)
        inner = self._template(begin + 2, end - 1) if is_whole else None
        parameters = self.program.class_templates[name][1]
        return f"{name}<{','.join(inner)}>" if inner is not None and len(inner) == len(parameters) else None

    def _is_what_it_says(self, begin: int, end: int, names: set[str], unknown: set[str]) -> bool:
        """Whether the text of a template argument names what it names anywhere in the file."""
        program = self.program
        if _joined(self.text[begin:end]) in CLASSES and names.isdisjoint(
                program.types.aliases.keys() | program.namespaces | program.types.hidden):
            return True
        if any(at in program.means for at in range(begin, end)) or not names.isdisjoint(program.types.aliases):
            return False
        if is_whole_path(program, begin, end):
            return names.isdisjoint(self.doubted)
        return names.isdisjoint(unknown) and all(program.declared[name] <= 1 for name in names)

    def _value(self, begin: int, end: int) -> Value | None:
        node = self.evaluator.read(begin, end)
        try:
            return None if node is None else self.evaluator.value(node)
        except FAILURES:
            return None

    def _sizes(self, part: Range) -> Sizes:
        node = self.evaluator.read(*part)
        try:
            return NO_SIZES if node is None else self.evaluator.sizes_of(node)
        except RecursionError:
            return NO_SIZES

    def _shared(self, config: list[Range], known: bool) -> int | None:
        if len(config) < 3:
            return 0 if known else None
        value = self._value(*config[2])
        return int(value.value) if isinstance(value, Number) and 0 <= value.value < 2**32 else None


def _alone(form: Form) -> set[int]:
    """The tokens that are arguments by themselves."""
    return {part[0] for part in form.args if part[1] == part[0] + 1}


def _joined(tokens: list[str]) -> str:
    """Tokens as text, words apart from words."""
    text = ""
    for token in tokens:
        text += " " + token if text[-1:].isalnum() and (token[0].isalnum() or token[0] == "_") else token
    return text
