"""A launch as host code states it, and as a launch of a kernel.

Sizes and arguments that hang on values which nobody knows are texts over *leaves*: `{2}` is the third argument of the launch,
`{h0}` a variable of the host that is no argument. As a launch of a kernel the first are its parameters. The others become values
of the host beside the parameters, as far as they tie sizes and parameters together; what ties nothing is left out.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from automata.lang.brackets import fewest
from automata.lang.builtins import CONSTANTS
from automata.lang.core import Kernel, Param, Quantity
from automata.lang.host.held import LEAF, SCALARS, Held, requirements, shared
from automata.lang.host.numbers import INT, Number, limits
from automata.lang.host.tokens import KEYWORDS
from automata.lang.instance_names import parameters, with_count
from automata.lang.launch import Launch, Size
from automata.lang.launch import Sizes as LaunchSizes
from automata.place import Place
from automata.scalar import I64, U64, Scalar

MOST_ALIKE = 8
"""Launches of the same sizes that are looked at one by one."""
MOST_HOST_VALUES = 4
MOST_NAMED = 4
"""Names that an assumption tells."""
VAGUE = "?"
"""Behind the name of a kernel, of whose sizes no more is known than how many axes there are, say."""
_NONE: LaunchSizes = (None, None, None)
_NAME = re.compile(r"[A-Za-z_]\w*")
_MULTIPLE = re.compile(r"\* \d+|\d+ \*|%|\?|\bmin\(|\bmax\(")
_DEFINED = re.compile(r"\(\{\d+\} == ")
_PRODUCT = re.compile(r"[)}] \* [({]")
_ARGUMENT = re.compile(r"\{\d+\}")
_TRUTH = re.compile(r"(?<=[<,])(?:true|false)(?=[,>])")
_TAKEN = KEYWORDS | {"min", "max"} | set(CONSTANTS) | {quantity.value for quantity in Quantity}
SymbolicSizes = tuple[int | str | None, int | str | None, int | str | None]
Needs = tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class HostLaunch:
    """A launch as host code states it; None stands for what is not certain.

    `template_args`: an integer where it is known, else its text; None when one of them depends on something
    unknown, () when there are none. `args`: the values of the kernel's arguments in order, as far as the launch
    lists them; `given`: those that are texts over leaves; `types`: of those that are leaves themselves. `facts`: tests that hold
    at the launch. `needs`: what is required for each text to be what C computes. `leaves`: the names and types of the host's
    variables in texts. `shared_bytes`: dynamic shared memory. `others`: how many launches of the same sizes it stands for
    besides, with arguments of their own. `inputs`: the leaves that the command line gives; `rounds`: those that a loop counts
    through. `is_only`: the text names the kernel
    nowhere else. `is_of_linux`: of the host code as Linux compiles it. `same`: arguments, by number, that are one pointer.
    `parts`: of which argument and which field of it the last of `args` are, for those that are structures. `filled`: what the
    program has set of the arrays that are passed.
    `options`: of each argument that is none, but an option of the kernel's program, the name. `relied`: names of which what the
    project's texts say was taken for all that a program says.
    """

    kernel: str
    qualified: str
    template_args: tuple[str, ...] | None
    grid: SymbolicSizes
    block: SymbolicSizes
    shared_bytes: int | None
    args: tuple[int | float | None, ...]
    place: Place
    types: tuple[Number | None, ...] = ()
    needs: Needs = ()
    given: tuple[str | None, ...] = ()
    facts: tuple[str, ...] = ()
    leaves: tuple[tuple[str, Number], ...] = ()
    others: int = 0
    inputs: frozenset[str] = frozenset()
    is_only: bool = False
    is_of_linux: bool = False
    same: tuple[tuple[int, ...], ...] = ()
    perhaps: tuple[tuple[str, int], ...] = ()
    rounds: frozenset[str] = frozenset()
    options: tuple[str | None, ...] = ()
    parts: tuple[tuple[int, str], ...] = ()
    filled: tuple[Held, ...] = ()
    relied: tuple[str, ...] = field(default=(), compare=False)

    @property
    def has_sizes(self) -> bool:
        """Whether more is known of the sizes than how many axes there are: what grid and block are along their first axes, if by
        values that nobody knows, or what any axis is by numbers and arguments."""
        return self._is_told or (self.grid[0] is not None and self.block[0] is not None)

    @property
    def _is_told(self) -> bool:
        """Whether a size is told by numbers and arguments."""
        sizes = [size if isinstance(size, int) or _ARGUMENT.search(size or "") else None for size in (*self.grid, *self.block)]
        return any(size not in (None, 1) for size in sizes) or (sizes[0] is not None and sizes[3] is not None)

    @property
    def count(self) -> int:
        """How many arguments the launch lists."""
        return len(self.args) - len(self.parts)

    @property
    def has_axes(self) -> bool:
        """Whether anything is known of the sizes: how many axes there are, say, or that two are equal."""
        return any(size is not None for size in (*self.grid, *self.block))

    @property
    def sizes(self) -> tuple[object, ...]:
        """All that the sizes hang on, and which buffers are one."""
        return self.grid, self.block, self.shared_bytes, self.needs, self.facts, self.leaves, self.same, bool(self.perhaps)

    def of(self, kernel: Kernel) -> Launch:
        """As a launch of a kernel: what is not known is symbolic."""
        params = {param.name: param.type for param in kernel.params}
        args: dict[str, int | float | str] = {}
        for name, value in zip(self.slots(kernel), self.args, strict=False):
            given = _as_parameter(value, params.get(name))
            if given is not None:
                args[name] = given
        tied = _Tied(shortened(self, self.slots(kernel), params) if any(self.options) else self, kernel, params, args)
        required = tied.required()
        grid, block = (sizes if any(sizes) else None for sizes in (tied.named(tied.stated.grid), tied.named(tied.stated.block)))
        is_here = os.path.realpath(self.place.file) == os.path.realpath(kernel.place.file)
        where = f"line {self.place.line}" if is_here else f"{self.place.file}:{self.place.line}"
        return Launch(grid, block, args, required, source=f"host code, {where}{self._and_others()}",
                      shared_bytes=self.shared_bytes, of_host=tuple(tied.of_host), is_vague=not self.has_sizes,
                      is_open=not self._is_told,
                      aliases=self._aliases(kernel), perhaps=self.perhaps,
                      inputs=tuple(sorted({tied.names[leaf] for leaf in self.inputs if leaf in tied.names})),
                      rounds=tuple(sorted({tied.names[leaf] for leaf in self.rounds if leaf in tied.names})),
                      untold=self._untold((*(grid or _NONE), *(block or _NONE)), tied),
                      assumes=self._assumed(), fills=tuple(requirements(self.filled, kernel, tied.names)),
                      with_sign=tied.with_sign((*required, *(grid or _NONE), *(block or _NONE))))

    def _assumed(self) -> tuple[str, ...]:
        """What is taken for granted of the rest of a program."""
        if not self.relied:
            return ()
        named = ", ".join(f"'{name}'" for name in self.relied[:MOST_NAMED])
        more = f" and {len(self.relied) - MOST_NAMED} more" if len(self.relied) > MOST_NAMED else ""
        return (f"the host program is linked with no other text than its project's that calls, defines or sets {named}{more}",)

    def slots(self, kernel: Kernel) -> tuple[str, ...]:
        """The names of the parameters that arguments are passed to; an option has its own."""
        if not any(self.options):
            own = (*kernel.slots, *[""] * self.count)[: self.count] if self.parts else kernel.slots
            fields = [dict(each) for each in kernel.fields]
            return (*own, *(fields[at].get(name, "") if at < len(fields) else "" for at, name in self.parts))
        return tuple(option or (kernel.slots[at] if at < len(kernel.slots) else f"argument_{at}")
                     for at, option in enumerate(self.options))

    def _untold(self, sizes: tuple[Size, ...], tied: _Tied) -> tuple[str, ...]:
        """The sizes of which the text tells nothing. Where it tells all of them by values that nobody knows, these too."""
        told = sizes if not self._is_told else (*self.grid, *self.block)
        axes = [f"{name}.{axis}" for name in ("gridDim", "blockDim") for axis in "xyz"]
        inputs = {tied.names[leaf] for leaf in self.inputs | self.rounds if leaf in tied.names}
        values = [] if self._is_told else [each.name for each in tied.of_host if each.name not in inputs]
        return (*(name for name, size in zip(axes, told, strict=True) if size is None), *values)

    def _aliases(self, kernel: Kernel) -> tuple[tuple[str, ...], ...]:
        """The pointer parameters that get one buffer."""
        groups = [[kernel.buffers[at] for at in group if at < len(kernel.buffers)] for group in self.same]
        return tuple(tuple(filter(None, group)) for group in groups if len(set(filter(None, group))) > 1)

    def _and_others(self) -> str:
        """Which launches it stands for besides: where their arguments differ, any are taken; and for which platform."""
        more = f" and {self.others} more with other arguments" if self.others else ""
        return more + (", as Linux compiles it" if self.is_of_linux else "")


class _Tied:
    """The texts of a launch that tie sizes and parameters together, over names."""

    def __init__(self, stated: HostLaunch, kernel: Kernel, params: dict[str, Scalar], args: dict[str, int | float | str]) -> None:
        self.stated, self.params, self.slots = stated, params, stated.slots(kernel)
        self.of_host: list[Param] = []
        self.names: dict[str, str] = {}
        self.extra: list[str] = []
        self.needs = dict(stated.needs)
        self._name_arguments(self.slots)
        sizes = [size for size in (*stated.grid, *stated.block) if isinstance(size, str)]
        self.equal = [(name, text) for name, text in zip(self.slots, stated.given, strict=False)
                      if text is not None and name in params and name not in args and _is_integer(params[name])
                      and self.names.get(text[1:-1]) != name]
        texts = [*sizes, *(text for _, text in self.equal), *stated.facts]
        told = {text for text in texts if _says_more(text) and (text not in stated.facts or _DEFINED.match(text))}
        self.texts = self._tying(texts, told)
        if len(self._of_host()) > MOST_HOST_VALUES:
            self.texts = self._tying(texts, set())
        self._name_leaves({*kernel.order, *params, *(array.name for array in kernel.arrays)})

    def _name_arguments(self, slots: tuple[str, ...]) -> None:
        """A leaf that is an argument has the name of the parameter, where that holds all that the leaf may be. What is said of it
        are texts over numbers of 64 bits with a sign: as such a parameter of 64 bits without one may be negative."""
        for at, (name, kind) in enumerate(zip(slots, self.stated.types, strict=False)):
            held = self.params.get(name)
            if kind is None or held is None or not held.is_int or held.bits < max(kind.bits, 8):
                continue
            self.names[str(at)] = name
            low, high = limits(kind) if kind.bits > 8 or kind.unsigned else (-128, 127)
            if (held.low if held.bits < 64 else I64.low) < low and kind.bits < 64:
                self.extra.append(f"{name} >= {low}")
            if held.high > high:
                self.extra.append(f"{name} <= {high}")

    def _of_host(self) -> list[str]:
        """The leaves in the texts that are no arguments."""
        return sorted({leaf for text in self.texts for leaf in LEAF.findall(text)} - self.names.keys())

    def _tying(self, texts: list[str], told: set[str]) -> set[str]:
        """The texts that are left when those are left out, again and again, which name a leaf that no other does; but a number of
        the command line says what may be made of it; `told`: those that say something of arguments and sizes all the same."""
        while True:
            counts = Counter(leaf for text in texts for leaf in set(LEAF.findall(text)) - self.names.keys())
            left = [text for text in texts if text in told or all(counts[leaf] > 1 or leaf in self.stated.inputs
                                                  for leaf in set(LEAF.findall(text)) - self.names.keys())]
            if len(left) == len(texts):
                return set(left)
            texts = left

    def _name_leaves(self, taken: set[str]) -> None:
        """Names for the host's variables that are left; of too many none is looked at."""
        wanted = self._of_host()
        if len(wanted) > MOST_HOST_VALUES:
            self.texts = {text for text in self.texts if self.names.keys() >= set(LEAF.findall(text))}
            return
        for leaf in wanted:
            plain, kind = self._leaf(leaf)
            name = plain if plain not in taken | _TAKEN else next(
                each for each in (f"{plain}_{number}" for number in range(2, 999)) if each not in taken | _TAKEN)
            taken.add(name)
            self.names[leaf] = name
            self.of_host.append(Param(name, SCALARS[kind.bits, kind.unsigned]))

    def _leaf(self, leaf: str) -> tuple[str, Number]:
        """The name and the type of a variable of the host."""
        if leaf.startswith("h"):
            return self.stated.leaves[int(leaf[1:])]
        kind = self.stated.types[int(leaf)]
        return self.slots[int(leaf)], kind if kind is not None else INT

    def in_names(self, text: str) -> str | None:
        """A text over names; None where it ties nothing."""
        if text not in self.texts or not self.names.keys() >= set(LEAF.findall(text)):
            return None
        return LEAF.sub(lambda found: self.names[found[1]], text)

    def named(self, sizes: SymbolicSizes) -> LaunchSizes:
        found: list[Size] = [self.in_names(size) if isinstance(size, str) else size for size in sizes]
        return found[0], found[1], found[2]

    def required(self) -> tuple[str, ...]:
        """What holds at the launch, and what has to for its texts to say what C computes."""
        equal = [f"{name} == {said}" for name, text in self.equal if (said := self.in_names(text)) is not None]
        facts = [said for text in self.stated.facts if (said := self.in_names(text)) is not None]
        needs = [LEAF.sub(lambda found: self.names[found[1]], need)
                 for text in self.needs if self.in_names(text) is not None for need in self.needs[text]]
        return tuple(dict.fromkeys(map(fewest, [*self.extra, *needs, *equal, *facts])))

    def with_sign(self, sizes: Iterable[Size]) -> tuple[str, ...]:
        """The texts among requirements and sizes that speak only of numbers that 64 bits with a sign hold: of what the host
        passes, whatever a parameter without a sign makes of it. What is equal to an expression of such numbers is one."""
        beyond = {name for name, kind in self.params.items() if kind == U64}
        beyond -= {name for name, kind in zip(self.slots, self.stated.types, strict=False)
                   if kind is not None and (kind.bits < 64 or not kind.unsigned)}
        beyond |= {each.name for each in self.of_host if each.type == U64}
        beyond -= {name for name, text in self.equal
                   if (said := self.in_names(text)) is not None and not beyond.intersection(_NAME.findall(said))}
        return tuple(text for text in sizes if isinstance(text, str) and not beyond.intersection(_NAME.findall(text)))


def shortened(stated: HostLaunch, slots: tuple[str, ...], params: dict[str, Scalar]) -> HostLaunch:
    """A launch in which an option that is computed stands for its expression elsewhere: `N / 128` where N is `d * d * d`, not
    `(d * d * d) / 128`. That the two are equal is required besides."""
    for at, text in enumerate(stated.given):
        kind = params.get(slots[at])
        if text is None or kind is None or not kind.is_int or not stated.options[at] or LEAF.fullmatch(text):
            continue
        whole, leaf = text if _is_bracketed(text) else f"({text})", f"{{{at}}}"
        x, y, z, a, b, c = (size.replace(whole, leaf) if isinstance(size, str) else size
                            for size in (*stated.grid, *stated.block))
        types = tuple(Number(0, max(kind.bits, 8), not kind.signed) if index == at else each
                      for index, each in enumerate(stated.types))
        needs = tuple((each.replace(whole, leaf), (*(need.replace(whole, leaf) for need in needs), *needs))
                      for each, needs in stated.needs)
        stated = replace(stated, grid=(x, y, z), block=(a, b, c), types=types, needs=needs,
                         facts=tuple(fact.replace(whole, leaf) for fact in stated.facts))
    return stated


def _is_bracketed(text: str) -> bool:
    """Whether one pair of brackets is around all of a text."""
    depth = [sum((each == "(") - (each == ")") for each in text[:end]) for end in range(1, len(text))]
    return text[:1] == "(" and text[-1:] == ")" and min(depth, default=0) > 0


def _says_more(text: str) -> bool:
    """Whether a text says something though nobody knows a leaf in it: a multiple of a number, a remainder, a choice."""
    return _MULTIPLE.search(text) is not None and _PRODUCT.search(text) is None


def _is_integer(kind: Scalar) -> bool:
    """Whether a conversion to a type keeps the integers that it holds."""
    return kind.is_int and kind.bits > 1


def _as_parameter(value: int | float | None, kind: Scalar | None) -> int | float | None:
    """An argument in the type of its parameter; None where it is not known, or C does not say."""
    if value is None or kind is None:
        return None
    if kind.is_float:
        return float(value)
    if isinstance(value, float) and kind.bits > 1 and not kind.low <= int(value) <= kind.high:
        return None
    return kind.wrap(int(value) if kind.bits > 1 else int(value != 0))


def gathered(launches: Iterable[HostLaunch]) -> dict[str, list[HostLaunch]]:
    """For each kernel name (of a template: `reduce<float,256>`, spaces left out), its launches of which a size is known. Those of
    the same sizes are one if they have the same arguments, or if there are many: then with the arguments that they share.
    `reduce<*>`: those of an instance that is not told, where all are launched in one place. Behind `?`, as `reduce?`: those of
    whose sizes less is known."""
    found: dict[str, list[HostLaunch]] = {}
    for launch in launches:
        if not launch.has_axes or (launch.template_args is None and not launch.is_only):
            continue
        args = ("*",) if launch.template_args is None else launch.template_args
        name = launch.kernel + (f"<{','.join(args)}>" if args else "") + ("" if launch.has_sizes else VAGUE)
        others = found.setdefault(name.replace(" ", ""), [])
        alike = [at for at, other in enumerate(others) if launch.sizes == other.sizes and (
            len(launch.args), launch.parts) == (len(other.args), other.parts)]
        same = next((at for at in alike if _arguments(others[at]) == _arguments(launch)), None)
        if same is not None:
            others[same] = replace(others[same], filled=shared(others[same].filled, launch.filled))
            continue
        if len(alike) < MOST_ALIKE:
            others.append(launch)
        else:
            others[alike[-1]] = _shared(others[alike[-1]], launch)
    return found


def launches_named(name: str, launches: dict[str, list[HostLaunch]], spelled: tuple[str, ...] = ()) -> list[HostLaunch]:
    """The launches of a kernel, by its name or that of an instance, and other ways to spell it. Of an instance that no launch
    names they are those whose instance is not told: the text asks for it, and launches it nowhere else."""
    name, count = with_count(name)
    plain = {_TRUTH.sub(_as_number, each.replace(" ", "")) for each in (name, *spelled)}
    stem = name.replace(" ", "").partition("<")[0].rpartition("::")[2]
    if name.endswith(")") and "<" not in name:
        return _of_overloaded(name, launches)
    for mark in ("", VAGUE):
        named = [launch for each, held in launches.items() for launch in held
                 if each.endswith(VAGUE) == bool(mark) and _TRUTH.sub(_as_number, each.removesuffix(VAGUE)) in plain]
        for held in (named, launches.get(f"{stem}<*>{mark}", []) if "<" in name else []):
            if found := [each for each in held if count is None or each.count == count]:
                return found
    return []


def _of_overloaded(name: str, launches: dict[str, list[HostLaunch]]) -> list[HostLaunch]:
    """The launches of one of several kernels of a name, `k(int *, int)`: those with as many arguments, for a launch is read only
    where one kernel takes that many."""
    stem, _, params = name.replace(" ", "").partition("(")
    count = parameters(params)
    for mark in ("", VAGUE):
        if found := [each for each in launches.get(stem.rpartition("::")[2] + mark, ()) if each.count == count]:
            return found
    return []


def _as_number(truth: re.Match[str]) -> str:
    """A truth value as host code passes it on: `k<B>` is `k<1>` where B is true."""
    return str(int(truth[0] == "true"))


def _arguments(launch: HostLaunch) -> tuple[object, ...]:
    return launch.args, launch.types, launch.given


def _shared(one: HostLaunch, two: HostLaunch) -> HostLaunch:
    """Two launches of the same sizes: what is known of both."""
    args = tuple(a if a == b and type(a) is type(b) else None for a, b in zip(one.args, two.args, strict=False))
    types = tuple(a if a == b else None for a, b in zip(one.types, two.types, strict=False))
    given = tuple(a if a == b else None for a, b in zip(one.given, two.given, strict=False))
    perhaps = tuple(each for each in one.perhaps if each in two.perhaps)
    return replace(one, others=one.others + 1, perhaps=perhaps, inputs=one.inputs & two.inputs, args=args, types=types,
                   given=given, rounds=one.rounds & two.rounds, filled=shared(one.filled, two.filled))
