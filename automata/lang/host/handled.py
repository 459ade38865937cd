"""What the host does with memory that a variable points to or holds: a whitelist of the places where its name stands.

In: the token of a variable's name. Out: what happens to the memory there (`Use`): it is made, an element is stored, it is set,
copied from other memory, or handed to a function of the text; nothing, where it is only read, compared or given back. Any other
place, one in which the name may be kept or given to others, raises `Unknown`. A variable is a pointer to numbers, an array of
them or a `std::vector`; what it points to is reached by its name alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise

from automata.lang.host.constness import Constness
from automata.lang.host.copied import TESTING, Copies, is_only_called
from automata.lang.host.declarations import Variable
from automata.lang.host.functions import Region
from automata.lang.host.launch_forms import Form
from automata.lang.host.looking import FAILURES
from automata.lang.host.numbers import Unknown
from automata.lang.host.pointed import Pointers
from automata.lang.host.syntax import ASSIGNING, Node
from automata.lang.host.tokens import is_name
from automata.lang.host.told import addressed
from automata.lang.host.types import type_of_range
from automata.lang.host.values import Evaluator

_BOTH = ("cuda", "hip")
_MAKING = {each + name for each in _BOTH for name in ("Malloc", "MallocManaged", "MallocHost", "HostAlloc", "HostMalloc",
                                                      "MallocAsync")}
_COPYING = {each + name for each in _BOTH for name in ("Memcpy", "MemcpyAsync")} | {"memcpy", "memmove"}
_SETTING = {each + name for each in _BOTH for name in ("Memset", "MemsetAsync")} | {"memset"}
_LEAVING = {each + name for each in _BOTH for name in ("Free", "FreeAsync", "FreeHost", "HostFree", "MemPrefetchAsync",
                                                       "MemAdvise", "MemcpyToSymbol")} | {"free", "fwrite"}
_GIVING = {"malloc": "", "calloc": "zero", "aligned_alloc": ""}
_VECTOR_KEEPS = frozenset({"size", "empty", "reserve", "clear", "capacity", "pop_back", "shrink_to_fit"})
_OPENS = frozenset({";", "{", "}", ")", "else", ":", "do", "="})
_CHANGES = ASSIGNING | {"++", "--"}
_COMPARING = frozenset({"==", "!="})
_QUALIFYING = frozenset({"const", "restrict", "__restrict__", "volatile", ">", ","})


@dataclass(frozen=True, slots=True)
class Use:
    """What happens at a token: `made` (new memory), `stored` (an element: `index` and `value`, None for one that is not
    understood), `raised` (an element, by `value`), `set` (all elements), `copied` (from what `value` names), `handed` (as an
    argument of the call `value`, the parameter `index_of` of `region`). `is_whole`: memory is copied from its begin, to its
    begin. `size`: how many bytes are copied or set."""

    kind: str
    at: int
    value: Node | None = None
    index: Node | None = None
    region: Region | None = None
    index_of: int = -1
    is_whole: bool = False
    size: Node | None = None


class Handled:
    """The uses of memory in one text. `forms`: its launches."""

    def __init__(self, evaluator: Evaluator, pointers: Pointers, forms: Callable[[], Iterator[Form]]) -> None:
        self.evaluator, self.pointers, self.program = evaluator, pointers, evaluator.program
        self.tokens, self.text = self.program.tokens, self.program.tokens.text
        self._find = forms
        self.copies = Copies(evaluator)
        self.opening, self.constness = self.copies.opening, Constness(self.program)
        self._launches: list[Form] | None = None
        self._known: dict[int, list[Use] | None] = {}

    def uses(self, variable: Variable) -> list[Use]:
        """All that happens to the memory by this name; Unknown where it may be more."""
        key = id(variable)
        if key not in self._known:
            self._known[key] = None
            with suppress(*FAILURES):
                self._known[key] = self._uses(variable)
        found = self._known[key]
        return self._fail() if found is None else found

    def _uses(self, variable: Variable) -> list[Use]:
        steady = self.evaluator.steady
        kind = variable.type
        is_plain = kind.pointers + variable.is_array <= 1 and not (kind.pointers and kind.reference)
        if not is_plain or not variable.is_local or "static" in kind.words or not steady.is_accounted_for(variable):
            raise Unknown
        if not steady.is_readable(variable.name, variable.at + 1):
            raise Unknown
        if not all(map(self._declares, self.program.positions.get(variable.name, []))):
            raise Unknown
        places = [at for at in self.program.positions.get(variable.name, []) if self.program.means.get(at) is variable]
        found = [] if variable.is_parameter else self._declared(variable)
        return found + [use for at in places if at != variable.at for use in self._use(variable, at)]

    def _declares(self, at: int) -> bool:
        """Whether what looks like a declaration is one: `x & a;` and `if (x && a)` may call an operator."""
        before = at - 1
        while self.text[before] in ("&", "&&", "*"):
            before -= 1
        if at not in self.program.declares or self.program.region_at(at) is None or before == at - 1:
            return True
        kind = type_of_range(self.tokens, before, before + 1, self.program.types)
        return self.text[before] in (*self.program.classes, *_QUALIFYING) or (kind is not None and kind.kind != "other")

    # Where it is declared

    def _declared(self, variable: Variable) -> list[Use]:
        if variable.form == "unknown" or variable.among is not None:
            raise Unknown
        if variable.type.pointers:
            return self._given(variable.at, variable.init[0] if len(variable.init) == 1 else None) if variable.form else []
        first = [Use("made", variable.at)]
        if variable.is_array:
            listed = variable.init[0] if variable.form == "=" else None
            if variable.form and (listed is None or listed.kind != "braces"):
                raise Unknown
            first += [Use("stored", variable.at, part) for part in (listed.parts if listed is not None else ())]
            is_whole = listed is None or self.evaluator.tables.is_whole(variable)
            return first + ([] if is_whole else [Use("set", variable.at, _ZERO)])
        if variable.type.name != "vector" or variable.type.reference:
            raise Unknown
        if variable.form == "{" or (variable.form == "=" and variable.init[0].kind == "braces"):
            parts = variable.init if variable.form == "{" else variable.init[0].parts
            return first + [Use("stored", variable.at, part) for part in parts]
        if variable.form == "(" and len(variable.init) <= 2 and all(map(self.evaluator.kinds.is_a_number, variable.init)):
            return [*first, Use("set", variable.at, variable.init[1] if len(variable.init) == 2 else _ZERO)]
        if variable.form:
            raise Unknown
        return first

    def _given(self, at: int, node: Node | None) -> list[Use]:
        """What a pointer is set to: new memory, or none."""
        while node is not None and node.kind == "cast":
            node = node.parts[0]
        if node is None:
            raise Unknown
        is_none = (node.kind == "constant" and node.text == "nullptr") or node.text in ("NULL", "0")
        if is_none:
            return []
        if node.kind == "new" and node.text == "new" and node.ranges is not None and len(node.parts) <= node.ranges[0][1]:
            return [Use("made", at), Use("set", at, _ZERO)] if self.text[self._end_of(node)] in ("(", "{") else [Use("made", at)]
        name = self.evaluator.kinds.library(node.parts[0]) if node.kind == "call" else ""
        if name not in _GIVING or not is_only_called(self.program, name):
            raise Unknown
        return [Use("made", at), *([Use("set", at, _ZERO)] if _GIVING[name] else [])]

    def _end_of(self, node: Node) -> int:
        """Behind the brackets of `new T[n]`, where its elements may be set to zero."""
        at = node.at
        while self.text[at] not in ("[", ";", ""):
            at += 1
        return self.tokens.match[at] + 1 if self.text[at] == "[" else at

    # Where it is named

    def _use(self, variable: Variable, at: int) -> list[Use]:
        before, after = self.text[at - 1], self.text[at + 1]
        if variable.type.pointers and after == "=" and before in (";", "{", "}", ")", "else"):
            return self._given(at, self._statement(at + 2))
        if after == "[" and not (before == "&" and self._is_argument(at)):
            return self._element(at)
        if after == "." and variable.type.name == "vector" and (found := self._method(at)) is not None:
            return found
        if after in (";", ")", "&&", "||", *_COMPARING) and self._is_compared(at, before, after):
            return []
        return self._argument(at)

    def _is_compared(self, at: int, before: str, after: str) -> bool:
        """Whether a pointer is compared with another one or with none, negated or deleted, by no operator of the text."""
        if before in _COMPARING or after in _COMPARING:
            other = at - 2 if before in _COMPARING else at + 2
            variable = self.program.means.get(other)
            is_one = self.text[other] in ("nullptr", "NULL", "0") or (variable is not None and bool(variable.type.pointers))
            return is_one and (before not in _COMPARING or after not in _COMPARING)
        is_deleted = before == "delete" or ("delete" in (self.text[at - 2], self.text[at - 3]) and before in ("[", "]"))
        return before == "!" or (is_deleted and ("operator", "delete") not in pairwise(self.text))

    def _statement(self, begin: int) -> Node | None:
        """The expression from a token to the end of its statement."""
        return self.evaluator.read(begin, self.tokens.statement_end(begin, self.tokens.size) - 1)

    def _element(self, at: int) -> list[Use]:
        """`a[i]`, read or stored."""
        close = self.tokens.match[at + 1]
        after = self.text[close + 1] if close > at else "["
        if after in ("[", ".", "->"):
            raise Unknown
        if after in _CHANGES or self.text[at - 1] in ("++", "--"):
            return [self._changed(at, close, after)]
        if self.text[at - 1] in ("(", ",") and self._swaps(self.opening(at), self.program.means.get(at)):
            return [Use("mixed", at)]
        return [] if self.copies.is_copied(at) else [Use("stored", at)] if self.text[at - 1] == ">>" else self._fail()

    def _changed(self, at: int, close: int, after: str) -> Use:
        """`a[i] = e`, `a[i] += e`, `a[i]++` or `++a[i]`, as a statement; any other change."""
        begin = at - (self.text[at - 1] == "++")
        is_plain = self._is_alone(begin)
        if is_plain and (begin < at or after == "++") and self.text[close + 1 + (after == "++")] == ";":
            return Use("raised", at, Node("number", at, "1"))
        value = self._statement(close + 2) if is_plain and begin == at and after in ("=", "+=") else None
        return Use("raised" if after == "+=" else "stored", at, value, self.evaluator.read(at + 2, close))

    def _is_alone(self, begin: int) -> bool:
        """Whether what begins with a token is a statement, or what it gives is stored in a number: nothing refers to it."""
        before = self.text[begin - 1]
        if before == "=":
            return self.copies.is_assigned(begin - 2)
        if before == ")":
            return self.text[self.tokens.match[begin - 1] - 1] in TESTING
        at = begin - 1
        while before == ":" and self.text[at] not in (";", "{", "}"):
            at -= 1
        return before in _OPENS and "?" not in self.text[at:begin]

    def _swaps(self, opening: int, variable: Variable | None) -> bool:
        """Whether two elements of one array change places: `std::swap(a[i], a[j])`."""
        is_swap = self.text[opening - 1] == "swap" and self.copies.is_library(opening - 1)
        parts = [self.evaluator.read(*part) for part in self.tokens.split(opening + 1, self.tokens.match[opening])]
        return is_swap and len(parts) == 2 and all(
            part is not None and part.kind == "index" and part.parts[0].kind == "name"
            and self.program.means.get(part.parts[0].at) is variable for part in parts)

    def _method(self, at: int) -> list[Use] | None:
        """`v.size()`, `v.push_back(e)`; None for what gives the memory itself."""
        name, opening = self.text[at + 2], at + 3
        close = self.tokens.match[opening] if self.text[opening] == "(" else -1
        if close < 0 or name in ("data", "begin", "end"):
            return None if close > 0 else self._fail()
        if name in _VECTOR_KEEPS:
            return []
        if name in ("push_back", "emplace_back"):
            return [Use("stored", at, self.evaluator.read(opening + 1, close))]
        if name == "resize":
            parts = self.tokens.split(opening + 1, close)
            return [Use("set", at, _ZERO if len(parts) == 1 else self.evaluator.read(*parts[-1]))]
        return self._fail()

    def _fail(self) -> list[Use]:
        raise Unknown

    # Where it is an argument

    def _is_argument(self, at: int) -> bool:
        """Whether `&a[i]` stands alone between commas or brackets."""
        return self.text[at - 2] in ("(", ",") and self.text[self.tokens.match[at + 1] + 1] in (",", ")")

    def _argument(self, at: int) -> list[Use]:
        """A name in the brackets of a call or a launch."""
        for form in self.launches():
            for number, (begin, end) in enumerate(form.args):
                if begin <= at < end:
                    return self._launched(form, number, self.evaluator.read(begin, end), at)
        opening = self.opening(at)
        callee = self.text[opening - 1]
        if callee in TESTING and self.tokens.match[opening] == at + 1:
            return [] if self._is_tested(opening, at) else self._fail()
        parts = self.tokens.split(opening + 1, self.tokens.match[opening])
        number = next(index for index, (begin, end) in enumerate(parts) if begin <= at < end)
        node = self.evaluator.read(*parts[number])
        call = self.evaluator.read(opening - 1, self.tokens.match[opening] + 1)
        if node is None or call is None or call.kind != "call" or self.text[opening - 2] in (".", "->", "::"):
            call = self._in_std(opening) if node is not None else None
        if node is None or call is None:
            raise Unknown
        name = self.evaluator.kinds.library(call.parts[0])
        if name in _MAKING | {"posix_memalign"} and number == 0:
            name_given = addressed(node)
            return [Use("made", at)] if name_given is not None and name_given.at == at else self._fail()
        base, is_whole = based(node)
        if base != at:
            raise Unknown
        return self._by_library(name, at, number, call, is_whole) if name else self._by_text(at, number, call)

    def _is_tested(self, opening: int, at: int) -> bool:
        """Whether all that brackets hold is a name, or a `for` copies the elements of what it names."""
        if self.text[opening - 1] != "for":
            return at == opening + 1 or self.text[opening - 1] == "sizeof"
        name = at - 2
        kind = type_of_range(self.tokens, opening + 1, name, self.program.types)
        return self.text[at - 1] == ":" and is_name(self.text[name]) and kind is not None and not kind.reference and (
            kind.is_number or kind.kind == "auto")

    def _in_std(self, opening: int) -> Node | None:
        """A call of a function of `std`, all of it."""
        is_std = self.text[opening - 3 : opening - 1] == ["std", "::"]
        return self.evaluator.read(opening - 3, self.tokens.match[opening] + 1) if is_std else None

    def _by_library(self, name: str, at: int, number: int, call: Node, is_whole: bool) -> list[Use]:
        """As an argument of a function of the library."""
        args = call.parts[1:]
        if not is_only_called(self.program, name):
            raise Unknown
        if name in _COPYING and number < 2 and len(args) > 2:
            is_plain = is_whole and based(args[1])[1]
            return [] if number == 1 else [Use("copied", at, args[1], is_whole=is_plain, size=args[2])]
        if name in _SETTING and number == 0 and len(args) > 2:
            is_zero = args[1].kind == "number" and args[1].text in ("0", "0x0", "0x00")
            return [Use("set", at, _ZERO if is_zero else None, size=args[2])]
        if name in _LEAVING:
            return []
        if args[number].kind == "cast" and name not in (*_LEAVING, *_COPYING):
            raise Unknown
        if name in ("fill", "fill_n") and len(args) == 3 and number < 2:
            return [Use("set", at, args[2])] if number == 0 else []
        if ((name == "sort" and len(args) == 2) or name in ("shuffle", "random_shuffle")) and number < 2:
            return [Use("mixed", at)]
        if name == "iota" and len(args) == 3 and number < 2:
            return [Use("stored", at)] if number == 0 else []
        raise Unknown

    def _by_text(self, at: int, number: int, call: Node) -> list[Use]:
        """As an argument of a function of the text."""
        name = call.parts[0].text
        if call.parts[0].kind != "name" or not self.pointers.is_one(name) or not self.evaluator.kinds.is_seen(call.parts[0]):
            raise Unknown
        region = self.program.bodies[name][0]
        if number >= len(region.head.parameters):
            raise Unknown
        if self.only_reads(region, number):
            return []
        if region.is_method or region.is_device or region.is_foreign or region.is_clouded:
            raise Unknown
        return [Use("handed", at, call, region=region, index_of=number)]

    # Launches

    def launches(self) -> list[Form]:
        if self._launches is None:
            self._launches = list(self._find())
        return self._launches

    def _launched(self, form: Form, number: int, node: Node | None, at: int) -> list[Use]:
        """As an argument of a kernel, which only reads what it is passed."""
        if node is None or based(node)[0] != at:
            raise Unknown
        begin, end = form.name
        name = self.text[begin]
        is_plain = is_name(name) and (end == begin + 1 or (self.text[begin + 1] == "<"
                                                           and self.tokens.angle_end(begin + 1) == end - 1))
        bodies = [each for each in self.program.bodies.get(name, []) if each.is_device]
        if not is_plain or len(bodies) != 1 or self._is_specialised(name) or not self.only_reads(bodies[0], number):
            raise Unknown
        return []

    def _is_specialised(self, name: str) -> bool:
        """Whether an instance of a template may have a body of its own: `template <> void k<int>(…)`."""
        return any(self.text[at + 1] == "<" and self.text[self.tokens.angle_end(at + 1) + 1] == "("
                   for at in self.program.positions.get(name, []))

    def only_reads(self, region: Region, number: int) -> bool:
        """Whether a function only reads what a parameter points to: each time that it is named; or by its type, where it is one
        of the device and no code of the device takes `const` away."""
        parameter = region.head.parameters[number] if number < len(region.head.parameters) else None
        variable = parameter.variable if parameter is not None else None
        if parameter is None or variable is None:
            return parameter is not None and "*" in parameter.spelled and "&" not in parameter.spelled
        if variable.type.pointers != 1 or variable.type.reference:
            return False
        places = [at for at in self.program.positions.get(variable.name, [])
                  if region.opening < at < region.end and self.text[at - 1] not in (".", "->", "::")]
        if all(self.text[at + 1] == "[" and self._is_read(at) for at in places):
            return True
        is_kept = region.is_device and parameter.spelled.startswith("const ") and self.constness.is_kept
        return is_kept and not any(self.text[at - 1] == "&" and self.text[at + 1] != "[" for at in places)

    def _is_read(self, at: int) -> bool:
        """Whether an element is read and copied."""
        after = self.text[self.tokens.match[at + 1] + 1]
        try:
            return after not in ("[", ".", "->") and after not in _CHANGES and self.copies.is_copied(at)
        except Unknown:
            return False


_ZERO = Node("number", -1, "0")


def based(node: Node) -> tuple[int, bool]:
    """The token of the name whose memory an expression points into, -1 where it may be other; whether it is the begin of it."""
    match node.kind:
        case "name" if node.ranges is None:
            return node.at, True
        case "cast":
            return based(node.parts[0])
        case "unary" if node.text == "&" and node.parts[0].kind == "index":
            base, index = node.parts[0].parts
            return based(base)[0] if base.kind == "name" else -1, index.text == "0"
        case "binary" if node.text in ("+", "-") and node.parts[0].kind != "cast":
            return based(node.parts[0])[0], False
        case "call" if len(node.parts) == 1 and node.parts[0].kind == "member" and node.parts[0].text in ("data", "begin", "end"):
            return based(node.parts[0].parts[0])[0], node.parts[0].text != "end"
    return -1, False
