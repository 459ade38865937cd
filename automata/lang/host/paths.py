"""What a name with `::` in front of it means: a constant of a namespace of the file.

C++ looks for the first namespace of a path from the innermost scope outwards ([basic.lookup.unqual]), and for the rest in that
namespace alone. So what headers hold that are not at hand, or other namespaces, is not found where the path begins in the very
namespace in which it is used, for a function that is no member of a class.
"""

from __future__ import annotations

from functools import lru_cache

from automata.lang.host.declarations import Variable
from automata.lang.host.program import Program
from automata.lang.host.syntax import Node
from automata.lang.host.tokens import Tokens, is_name

_NOT_OWN = frozenset({"std", "thrust", "cuda", "cub"})
"""Namespaces of libraries, to which a file may add."""


def constant_named(program: Program, node: Node) -> Variable | None:
    """The constant that `a::b::name` means: the one at that path, or the only one of the name in the text."""
    *spaces, name = node.text.removeprefix("::").split("::")
    found, own = program.variables.get(name, []), program.namespaces - program.types.hidden - _NOT_OWN
    if not spaces or not set(spaces) <= own or node.ranges is not None:
        return None
    path = _path(program, spaces, node.at, node.text.startswith("::"))
    there = [variable for variable in found if path is not None and _Namespaces.of(program.tokens).around(variable.at) == path]
    if len(there) != 1 and (len(found) != 1 or program.declared[name] != 1 or program.has_unseen):
        return None
    variable = there[0] if len(there) == 1 else found[0]
    is_known = variable.type.is_const and not variable.is_member and name not in program.barred and variable.start < node.at
    return variable if is_known else None


def is_whole_path(program: Program, begin: int, end: int) -> bool:
    """Whether some tokens are a path from a namespace of the file to what it holds, at a place where no other is nearer."""
    text = program.tokens.text
    is_path = end - begin > 2 and all(is_name(word) if at % 2 == 0 else word == "::" for at, word in enumerate(text[begin:end]))
    own = program.namespaces - program.types.hidden - _NOT_OWN
    return is_path and text[begin] in own and _path(program, [text[begin]], begin) == [text[begin]]


def _path(program: Program, spaces: list[str], at: int, is_global: bool = False) -> list[str] | None:
    """The namespaces that a path of them leads through, from the outermost; None where that may be another one."""
    region, known = program.region_at(at), _Namespaces.of(program.tokens)
    around = known.around(at)
    if (region is not None and (region.is_method or region.is_foreign)) or spaces[0] in known.renamed or around is None:
        return None
    depths = [0] if is_global else range(len(around), -1, -1)
    nearest = next((depth for depth in depths if (*around[:depth], spaces[0]) in known.paths), None)
    is_certain = nearest is not None and (is_global or nearest == len(around) or not program.has_unseen)
    return [*around[:nearest], *spaces] if is_certain else None


class _Namespaces:
    """The namespaces of a text. `spans`: where each opens and closes with its names, None where it has none or is inline;
    `paths`: from the outermost; `renamed`: the names that stand for another namespace somewhere, or are those of an inline one or
    of one in such, which is found in the namespace around that."""

    def __init__(self, tokens: Tokens) -> None:
        self.spans: list[tuple[int, int, list[str] | None]] = []
        self.renamed: set[str] = set()
        text = tokens.text
        for keyword in (at for at in range(tokens.size) if text[at] == "namespace"):
            opening = keyword + 1
            while is_name(text[opening]) or text[opening] == "::":
                opening += 1
            if text[opening] == "=":
                self.renamed.add(text[keyword + 1])
            elif text[opening] == "{":
                names = text[keyword + 1 : opening : 2]
                is_open = not names or "inline" in text[max(keyword - 1, 0) : opening]
                self.renamed |= set(names) if is_open else set()
                self.spans.append((opening, tokens.match[opening], None if is_open else names))
        hidden = [(opening, close) for opening, close, names in self.spans if names is None]
        inside = [names for at, _, names in self.spans if any(begin < at < end for begin, end in hidden)]
        self.renamed |= {name for names in inside for name in names or ()}
        self.paths = {(*outer, *names[: count + 1]) for opening, _, names in self.spans if names is not None
                      and (outer := self.around(opening)) is not None for count in range(len(names))}

    @staticmethod
    @lru_cache(maxsize=4)
    def of(tokens: Tokens) -> _Namespaces:
        """Those of a text, looked for once."""
        return _Namespaces(tokens)

    def around(self, at: int) -> list[str] | None:
        """The namespaces around a token, from the outermost."""
        found = [names for opening, close, names in self.spans if opening < at < close]
        return None if None in found else [name for names in found for name in names or ()]
