"""The launches at which a program runs two kernels, put together.

Where neither the command nor a comment says how the kernels of a pair are launched, the text of the program may: one kernel
is launched on blocks of 32 by 32 threads, the other on 256 in a row. Launches of the two sides belong together if arguments that
both kernels have are the same numbers in both, as far as they are known. Where both sides have as many, the first belongs to the
first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from automata.lang.brackets import fewest
from automata.lang.core import Kernel, Loop
from automata.lang.launch import Launch
from automata.lang.traverse import walk
from automata.place import InputError
from automata.rewriting.lower import lower
from automata.rewriting.one_buffer import as_one
from automata.scope import Scope

ALONE = "launches of the program that were not compared"
"""How a note on them begins."""
MOST = 4
"""Pairs of launches that are compared."""
Launched = tuple[Kernel, Launch]


def combined(asked: Launch, stated: Iterable[Launch]) -> list[Launch]:
    """The launches of the program under what the command says of arguments besides. InputError where each passes another number:
    the sizes of its grid hang on that."""
    found, others = [], dict[str, str]()
    for each in stated:
        clash = {name: value for name, value in each.args.items() if asked.args.get(name, value) != value}
        others.update({name: f"{name} = {value}" for name, value in clash.items()})
        if not clash:
            found.append(replace(each, args={**each.args, **asked.args}, extents={**each.extents, **asked.extents},
                                 requires=(*asked.requires, *each.requires), aliases=(*asked.aliases, *each.aliases)))
    if others and not found:
        raise InputError(f"the program launches it with {', '.join(sorted(others.values()))}, and its grid is of that: "
                         "say what is launched here, --grid and --block (--grid-b and --block-b where b has its own)")
    return found


def matched(ones: list[Launched], twos: list[Launched], names: Mapping[str, str]) -> list[tuple[Launched, Launched]]:
    """The launches of both sides that belong together, those first of which what holds of all sizes says nothing.
    `names`: a's parameters to b's."""
    if len(ones) == len(twos):
        found = list(zip(ones, twos, strict=True))
        if all(_agree(one[1], two[1], names) for one, two in found):
            return _own_first(found)[:MOST]
    found = _own_first([(one, two) for one in ones for two in twos if _agree(one[1], two[1], names)])
    return [(one, two) for one, two in found if _leave(one[1], names) == _leave(two[1], {})][:MOST] or found[:1]


def alike(one: Launched, two: Launched, names: Mapping[str, str]) -> tuple[Launched, Launched]:
    """Two launches with the numbers that either passes for arguments that both have: of one that leaves them open, the launch
    with those belongs to the other's. Not so where the sizes of one alone hang on something. `names`: a's parameters to b's."""
    if _leave(one[1], names)[1] is not _leave(two[1], {})[1]:
        return one, two
    back = {right: left for left, right in names.items()}
    return _passing(one, two[1], back), _passing(two, one[1], names)


def _passing(side: Launched, other: Launch, names: Mapping[str, str]) -> Launched:
    """A launch with the numbers of another one in the place of what it leaves open. `names`: of the other to this one's."""
    kernel, launch = side
    open_ones = {param.name for param in kernel.params} - launch.args.keys()
    found = {own: value for name, value in other.args.items()
             if not isinstance(value, str) and (own := names.get(name, name)) in open_ones}
    return (kernel, replace(launch, args={**launch.args, **found})) if found else side


def is_of_all_sizes(a: Launched, b: Launched) -> bool:
    """Whether what holds of both sides wherever they run at one launch, in buffers that do not overlap, holds of these."""
    one, two = a[1], b[1]
    return not (one.aliases or two.aliases) and (not (one.is_stated and two.is_stated) or (one.grid, one.block) == (
        two.grid, two.block))


def _own_first(pairs: list[tuple[Launched, Launched]]) -> list[tuple[Launched, Launched]]:
    """Those first of which what holds of all sizes says nothing."""
    return sorted(pairs, key=lambda pair: is_of_all_sizes(*pair))


def _leave(launch: Launch, names: Mapping[str, str]) -> tuple[set[str], bool]:
    """What a launch fixes, by b's names, and whether its sizes hang on anything: two that leave unlike things open are of
    different places of a program."""
    sizes = (*(launch.grid or ()), *(launch.block or ()))
    return {names.get(name, name) for name in launch.args}, any(isinstance(size, str) for size in sizes)


def has_loops(kernel: Kernel) -> bool:
    """Whether a loop stays in a kernel when what is certain is carried out."""
    return any(isinstance(stmt, Loop) for stmt in walk(lower(kernel, {}).body))


def _agree(one: Launch, two: Launch, names: Mapping[str, str]) -> bool:
    return all(two.args.get(names.get(name, name), value) == value for name, value in one.args.items())


def are_in_like_buffers(one: Launched, two: Launched, names: Mapping[str, str]) -> bool:
    """Whether both launches pass one buffer for the same parameters. `names`: of the first to the other's."""
    return _groups(one[1], names) == _groups(two[1], {})


def _groups(launch: Launch, names: Mapping[str, str]) -> set[frozenset[str]]:
    return {frozenset(names.get(name, name) for name in group) for group in launch.aliases}


def in_the_same_buffers(a: Launched, b: Launched, names: Mapping[str, str], *, is_a: bool,
                        both: bool) -> tuple[Launched, Launched]:
    """Both sides with one buffer where the program passes one. Of a side that it does not launch, the parameters of those names
    get one, too. `is_a`: a is launched; `names`: of the one that is, to the other's; `both`: so is the other. InputError where
    they are launched in unlike buffers."""
    told, other = (a, b) if is_a else (b, a)
    groups = _groups(told[1], names)
    if both and not are_in_like_buffers(told, other, names):
        raise InputError("the program passes one buffer for " + " and ".join(
            f"{', '.join(group)} ({launch.source})" for _, launch in (a, b) for group in launch.aliases) +
            ", and not so on the other side: compare them at launches of comments, with alias=… where it is one buffer")
    if both or not groups:
        return a, b
    launch = replace(other[1], aliases=tuple(tuple(sorted(group)) for group in groups))
    made = as_one(other[0], launch.aliases), launch
    return (told, made) if is_a else (made, told)


def names_left(names: Mapping[str, str], a: Launched) -> dict[str, str]:
    """a's parameters to b's, without those that share another one's buffer."""
    kernel, launch = a
    gone = {name for group in launch.aliases for name in group} - set(kernel.order)
    return {name: other for name, other in names.items() if name not in gone}


def alone(ones: list[Launched], twos: list[Launched], pairs: list[tuple[Launched, Launched]]) -> list[str]:
    """A note on the launches of the program that are not compared: none of the other side belongs to them, or they are many."""
    left = {f"{launch.source} ({side})": None for side, launches, at in (("a", ones, 0), ("b", twos, 1))
            for _, launch in launches if not any(pair[at][1] is launch for pair in pairs)}
    if not left:
        return []
    named = ", ".join(list(left)[:MOST]) + (f" and {len(left) - MOST} more" if len(left) > MOST else "")
    return [f"{ALONE}: {named} (the other side has none with the same arguments, or there "
            "are too many); --block and --grid, or a comment above each kernel, say which to compare"]


def scope_of(scope: Scope, a: Launch, b: Launch) -> Scope:
    """The scope of an answer for two launches of the program."""
    fixed = fixed_by(a) + [text if "Dim" not in text else f"b: {text}" for text in fixed_by(b) if text not in fixed_by(a)]
    source = a.source if a.source == b.source or not b.source else f"{a.source} (a) and {b.source} (b)"
    return scope.launched(source, fixed)


def fixed_by(launch: Launch) -> list[str]:
    """What a launch says of each size and argument that it fixes."""
    fixed = [fewest(f"{name}.{axis} == {size}") for name, sizes in (("blockDim", launch.block), ("gridDim", launch.grid))
             for axis, size in zip("xyz", sizes or (), strict=False) if size is not None]
    fixed += [f"{name} == {value}" for name, value in launch.args.items()]
    if launch.of_host:
        fixed.append(f"for any {', '.join(param.name for param in launch.of_host)} of the host")
    return fixed
