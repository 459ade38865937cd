"""Which kernels a variable of a function may point to where it is launched: `void (*k)(float *); if (n > 9) k = a; else k = b;`.

In: the token of a name before `<<<`. Out: the kernels that it may be, each as the tokens that name it, with the tests under which
it is that one; nothing where it may be another.

The variable is declared once in a block, as a pointer to functions that give nothing (by the declarator, an alias of such a
type, or `auto`) or as a table of such; no block around it or in it declares another of its name. Every occurrence of its name in
that block is understood: a statement that sets it, a launch, a comparison, an argument of a function of the runtime, which takes
it by value. What it may be is told by the order of statements
(`flow`) as of a number; where a loop comes back, by all of them. An element of a table that nothing sets is any of its elements.
What a function of the file gives back is what stands behind any `return` of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from automata.lang.host.counting import Given
from automata.lang.host.declarations import Variable
from automata.lang.host.flow import Test
from automata.lang.host.functions import Region
from automata.lang.host.living import living
from automata.lang.host.owners import declarations
from automata.lang.host.syntax import Node
from automata.lang.host.tokens import is_name
from automata.lang.host.types import Type
from automata.lang.host.values import Evaluator

Range = tuple[int, int]
MOST_KERNELS = 32
_OPENS_STATEMENT = frozenset({";", "{", "}", ":", ")", "else", "do"})
_OTHERWISE = frozenset({"&", "&&", "=", "[", "..."})
"""What stands in a parameter that is not a pointer by value, or has a default."""
_COMPARED = frozenset({"==", "!="})
_BEFORE_CALL = _OPENS_STATEMENT | {"=", "+=", "(", ",", "return", "<<", "+", "-", "/", "==", "!=", "!", "?"}
"""What may stand before the name of a function that is called; what it gives is used, or not."""
_NOTHING = frozenset({"nullptr", "NULL", "0"})
_RUNTIME = ("cuda", "hip")


@dataclass(frozen=True, slots=True)
class Pointed:
    """A kernel that a variable may point to: the tokens that name it, and what holds where it does."""

    name: Range
    tests: tuple[Test | list[Test], ...] = ()


@dataclass(eq=False, slots=True)
class _Found:
    """What is known of a variable: where it is declared, and where it is set to what. `is_table`: it is an array of them."""

    at: int
    settings: list[tuple[int, Range]]
    is_table: bool = False


class Pointers:
    """The variables of one file that point to kernels."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator, self.program = evaluator, evaluator.program
        self.tokens, self.text = self.program.tokens, self.program.tokens.text
        self.known: dict[tuple[str, int], _Found | None] = {}
        self.blocks: dict[tuple[str, int], list[Range]] = {}

    def kernels(self, at: int) -> list[Pointed]:
        """What the variable may be that a token names, or an element of it; nothing where that is not certain."""
        region, name = self.program.region_at(at), self.text[at]
        if region is None or region.is_clouded or name in self.program.functions or name in self.program.doubted:
            return []
        scope = self._scope(name, at, region)
        if (name, scope[0]) not in self.known:
            self.known[name, scope[0]] = self._found(name, region, scope)
        found = self.known[name, scope[0]]
        if found is None or found.at > at or found.is_table != (self.text[at + 1] == "["):
            return []
        pointed = list(self._tested(*self._reaching(found, at, name)))
        is_certain = 0 < len(pointed) <= MOST_KERNELS and all(self.is_kernel(*each.name) for each in pointed)
        return pointed if is_certain else []

    # Occurrences

    def _scope(self, name: str, at: int, region: Region) -> Range:
        """The tokens of the block around a token that declares a variable of a name, where no block around or in it declares
        another; else of the whole function."""
        key = name, region.begin
        if key not in self.blocks:
            declared = [place for place in self._places(name, region) if self._declared(place) is not None]
            self.blocks[key] = [self._block(place, region) for place in declared]
        blocks = self.blocks[key]
        around = {block for block in blocks if block[0] <= at < block[1]}
        within = [block for block in blocks if any(one[0] <= block[0] < one[1] for one in around)]
        return around.pop() if len(around) == len(within) == 1 else (region.begin, region.end)

    def _block(self, at: int, region: Region) -> Range:
        """The tokens of the innermost braces around a token of a function."""
        opening = at
        while opening > region.opening and (self.text[opening] != "{" or self.tokens.match[opening] < at):
            opening -= 1
        return opening, self.tokens.match[opening]

    def _places(self, name: str, region: Region) -> list[int]:
        """Where a function has a name."""
        return [at for at in self.program.positions.get(name, []) if region.begin <= at < region.end]

    def _found(self, name: str, region: Region, scope: Range) -> _Found | None:
        """All that happens to a name in a block of a function; None where it may be more."""
        found: _Found | None = None
        settings: list[tuple[int, Range]] = []
        for at in self._places(name, region):
            if not scope[0] <= at < scope[1]:
                continue
            if (declared := self._declared(at)) is not None:
                if found is not None or at < region.opening:
                    return None
                found = declared
            elif self.text[at + 1] == "=" and self.text[at - 1] in _OPENS_STATEMENT:
                settings.append((at + 1, (at + 2, self.tokens.statement_end(at, region.end) - 1)))
            elif not self.only_reads(at):
                return None
        if found is None or (found.is_table and settings):
            return None
        found.settings += settings
        return found

    def _declared(self, at: int) -> _Found | None:
        """The variable that is declared at a token."""
        text, match = self.text, self.tokens.match
        close = at + 1
        is_table = text[close] == "[" and match[close] > close
        close = match[close] + 1 if is_table else close
        star = at - 1 - (text[at - 1] == "const")
        is_written = text[star - 2 : star + 1] == ["void", "(", "*"] and text[close : close + 2] == [")", "("]
        before = star - 3 if is_written else at - 2
        if not is_written and text[at - 1] != "auto" and not self._is_alias(text[at - 1]):
            return None
        while text[before] == "const" or (is_table and text[before] in ("static", "constexpr")):
            before -= 1
        if text[before] not in _OPENS_STATEMENT:
            return None
        close = match[close + 1] + 1 if is_written else close
        if text[close] == ";" and not is_table:
            return _Found(at, [])
        stop = self.tokens.statement_end(at, self.tokens.size) - 1
        is_one = text[close] == "=" and len(self.tokens.split(close + 1, stop)) == 1
        if not is_one or is_table != (text[close + 1] == "{"):
            return None
        if not is_table:
            return _Found(at, [(at, (close + 1, stop))])
        elements = self.tokens.split(close + 2, match[close + 1])
        return _Found(at, [(at, part) for part in elements], True) if match[close + 1] == stop - 1 else None

    def _is_alias(self, name: str) -> bool:
        """Whether a name is that of a type that the file declares once: a pointer to functions that give nothing."""
        text, found = self.text, 0
        for at in self.program.positions.get(name, []):
            is_typedef = text[at - 4 : at] == ["typedef", "void", "(", "*"] and text[at + 1 : at + 3] == [")", "("]
            is_using = text[at - 1] == "using" and text[at + 1 : at + 7] == ["=", "void", "(", "*", ")", "("]
            found += is_typedef or is_using
        return found == 1 and name not in self.program.doubted and name not in self.program.types.aliases

    def only_reads(self, at: int) -> bool:
        """Whether a name stands where nothing can change the variable."""
        text = self.text
        after = self.tokens.match[at + 1] + 1 if text[at + 1] == "[" else at + 1
        if text[after] == "<<<" or ((text[after] in _COMPARED or text[at - 1] in _COMPARED) and text[at - 1] != "&"):
            return True
        opening = at - 1
        while opening > 0 and text[opening] not in ("(", ";", "{", "}"):
            opening = self.tokens.match[opening] - 1 if text[opening] in (")", "]") and self.tokens.match[opening] > 0 else (
                opening - 1)
        callee = text[opening - 1]
        is_cast = text[at - 1] == ")" and text[at - 2] == "*"
        is_plain = text[after] in (",", ")") and (text[at - 1] in ("(", ",") or is_cast)
        if not is_plain or text[opening] != "(":
            return False
        return self._copies(opening, at) or (callee.startswith(_RUNTIME) and not self.program.declared[callee])

    def _copies(self, opening: int, at: int) -> bool:
        """Whether brackets are those of a call of a function of the file, which takes a pointer there by value."""
        callee, match = self.text[opening - 1], self.tokens.match
        regions = self.program.bodies.get(callee, [])
        if not self._is_meant(opening - 1) or self.text[opening - 2] not in _BEFORE_CALL:
            return False
        index = next((number for number, (begin, end) in enumerate(self.tokens.split(opening + 1, match[opening]))
                      if begin <= at < end), -1)
        parts = self.parameters(regions[0])
        return 0 <= index < len(parts) and any(self.takes(parts[index], self.text[place]) for place in range(*parts[index]))

    def is_one(self, name: str) -> bool:
        """Whether one function has a name, which the file defines; it may be declared before in the same words."""
        program, text = self.program, self.text
        if len(program.bodies.get(name, [])) != 1 or len(program.functions.get(name, [])) != program.declared[name]:
            return False
        there = declarations(program, name) if program.declared[name] > 1 else []
        lists = {tuple(text[each.at + 1 : self.tokens.match[each.at + 1]]) for each in there}
        return not there or (len(there) == program.declared[name] and len(lists) == len({each.path for each in there}) == 1)

    def parameters(self, region: Region) -> list[Range]:
        """What stands between the commas of a function's brackets."""
        close = region.opening - 1
        opening = self.tokens.match[close] if self.text[close] == ")" else -1
        return self.tokens.split(opening + 1, close) if region.begin < opening < close else []

    def takes(self, part: Range, name: str) -> bool:
        """Whether [begin, end) declares a parameter of a name, a pointer by value: `T *name`, `void (*name)(int)`."""
        text, (begin, end) = self.text, part
        if text[end - 1] == name and end > begin + 1 and is_name(text[begin]):
            return _OTHERWISE.isdisjoint(text[begin:end])
        close = self.tokens.match[end - 1] if text[end - 1] == ")" else -1
        is_pointer = begin < close - 4 and text[close - 4 : close] == ["(", "*", name, ")"]
        return is_pointer and _OTHERWISE.isdisjoint(text[begin : close - 4])

    # Values

    def _reaching(self, found: _Found, at: int, name: str) -> tuple[list[tuple[int, Range]], int]:
        """What it may have been set to last when a token runs, with where; and behind which token these come in order, -1 for
        none."""
        if found.is_table:
            index = self.text[at + 2] if self.text[at + 3] == "]" and self.text[at + 2].isdigit() else ""
            return (found.settings[int(index) :][:1] if index == str(int(index or 0)) else found.settings), -1
        flow, order = self.program.flow, sorted(found.settings)
        later: list[tuple[int, Node | None]] = [(place, Node("text", value[0])) for place, value in order if place != found.at]
        made = Variable(name, found.at, Type("other"), settings=later)
        region = self.program.region_at(at)
        if region is None or region.ordered_to <= at:
            return order, -1
        reaching = flow.reaching(made, at)
        if reaching is not None:
            first: list[Given] = [(place, None, None) for place, _ in order if place == found.at]
            options = [*first, *((*later[number], None) for number in reaching)]
            left = {place for place, _, _ in living(self.program, made, options)}
            return [each for each in order if each[0] in left], found.at
        since = flow.since(made, at)
        if not since:
            return order, -1
        return [each for each in order if each[0] in {later[number][0] for number in since}], later[since[0]][0]

    def _tested(self, options: list[tuple[int, Range]], anchor: int) -> Iterator[Pointed]:
        """Each with the tests under which it was taken last."""
        given: list[Given] = [(place, None, None) for place, _ in options]
        for index, (_, value) in enumerate(options):
            tests = tuple(self.evaluator.tests_for(given, index, anchor)) if anchor >= 0 else ()
            for part, chosen in self._parts(*value):
                if self.text[part[0]] not in _NOTHING:
                    yield Pointed(part, (*tests, *(chosen if anchor >= 0 else ())))

    def _parts(self, begin: int, end: int) -> list[tuple[Range, tuple[Test, ...]]]:
        """A value, or both sides of `test ? a : b` with what holds there."""
        if self.text[begin + 1] == "(" and self.tokens.match[begin + 1] == end - 1:
            return [(each, ()) for each in self._given_back(begin)] or [((begin, end), ())]
        level = [at for at in range(begin, end) if self.text[at] in ("?", ":")]
        if [self.text[at] for at in level] != ["?", ":"]:
            return [((begin, end), ())]
        asked = self.evaluator.read(begin, level[0])
        one, two = ((Test(asked, True),), (Test(asked, False),)) if asked is not None else ((), ())
        return [((level[0] + 1, level[1]), one), ((level[1] + 1, end), two)]

    def _given_back(self, begin: int) -> list[Range]:
        """What a function of the file gives back that is called at a token, by each of its `return`; nothing where that may be
        another function, or what it gives no plain pointer."""
        name = self.text[begin]
        regions = self.program.bodies.get(name, [])
        region, found = next(iter(regions), None), list[Range]()
        if region is None or not self._is_meant(begin) or name in self.program.doubted or region.gives is None:
            return []
        if region.templates or region.is_clouded or region.is_method or region.is_device:
            return []
        if region.gives.pointers or region.gives.reference or not self._is_alias(region.gives.name):
            return []
        for at in (at for at in range(region.opening, region.end) if self.text[at] == "return"):
            stop = self.tokens.statement_end(at, region.end) - 1
            if not region.barred.isdisjoint(self.text[at + 1 : stop]):
                return []
            found += [part for part, _ in self._parts(at + 1, stop)] if self.text[at + 2] != "(" else [(at + 1, stop)]
        return found

    def _is_meant(self, at: int) -> bool:
        """Whether a token names the one function of the file that has its name, and nothing nearer."""
        region, name = self.program.region_at(at), self.text[at]
        if region is None or any(self.text[place + 1] != "(" for place in self._places(name, region)):
            return False
        return self.is_one(name) and self.evaluator.kinds.is_seen(Node("name", at, name))

    def is_kernel(self, begin: int, end: int) -> bool:
        """Whether tokens are a path to a kernel, perhaps behind `&`; of a template with all its arguments, for a pointer's type
        may say others than those of the launch do."""
        text = self.text
        begin += text[begin] == "&"
        while begin + 2 < end and is_name(text[begin]) and text[begin + 1] == "::":
            begin += 2
        bodies = self.program.bodies.get(text[begin], [])
        is_hidden = begin in self.program.means
        if is_hidden or text[begin] not in self.program.kernels or len({len(each.templates) for each in bodies}) != 1:
            return False
        if begin + 1 == end:
            return not bodies[0].templates
        is_whole = text[begin + 1] == "<" and self.tokens.angle_end(begin + 1) == end - 1
        return is_whole and len(self.tokens.split(begin + 2, end - 1)) == len(bodies[0].templates)
