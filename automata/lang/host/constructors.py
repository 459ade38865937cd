"""Classes of the text with functions: which fields objects have, and what their constructors set these to.

    struct Info { Info(int *p, int n); int *data; int dims; __device__ int at(int i) const { ... } };
    Info::Info(int *p, int n) : data(p) { dims = n; assert(dims < 9); }

Input: the declarations of a text. Output: for each class that is understood its fields in their order, and for each number of
arguments what the constructor with so many parameters leaves in a field: one of them, a number, or nothing that is known. A
whitelist:

- One class has the name, with no base, and it stands in no function; nothing else has the name. In its body are functions, types,
  static members and fields alone. No field is a reference, or is initialised with anything but a number where it is declared. No
  operator converts an object.
- Each constructor takes numbers, pointers, arrays and objects of other classes of the text, each without a default, and no
  template: none takes an object of the class, so a launch copies it field by field.
- Constructors that take as many arguments are not told apart: of such nothing is known.
- The initialisers in front of its body are followed in their order, and then the statements `field = value;` and
  `this->field = value;` that its body begins with, where a value is a parameter of the same type, a number, or made of such
  without a call, which is not known then. None of them can change what another one sets.
- What comes behind them is tests, assertions and loops of an `int`, over numbers that are compared and elements that are set.

That an object is named by its fields and as an argument alone is told in `Steadiness`: methods may change all fields.
Source: ISO C++17, [class.base.init], [class.copy.ctor].
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

from automata.lang.host.constructed import Class, Maker
from automata.lang.host.declarations import Parameter, Variable, read_declaration
from automata.lang.host.extents import extent
from automata.lang.host.functions import CHANGING, Head, Region
from automata.lang.host.program import Program
from automata.lang.host.syntax import NotUnderstood
from automata.lang.host.tokens import Tokens, is_name, is_word

_REFUSED = frozenset({"virtual", "union", "volatile", "mutable", "alignas", "asm", "__asm__", "__asm", "initializer_list"})
_SKIPPED = frozenset({"using", "typedef", "static_assert", "static", "friend"})
_SUMS = frozenset({"+", "-", "*", "/", "%", "(", ")", "<", ">", "<=", ">=", "==", "!=", "?", ":"})
_COMPARING = frozenset({"<", ">", "<=", ">=", "==", "!="})
_BEFORE_READ = _COMPARING | {"(", "&&", "||", ";"}
_BEHIND_READ = _COMPARING | {")", "&&", "||", ";"}
_TAIL_CALLS = frozenset({"if", "for", "assert"})
_TAIL = _TAIL_CALLS | _SUMS | _BEFORE_READ | {"int", "else", "=", "++", "--", "+=", "[", "]", "{", "}", ",", "!", "-"}
_OTHERWISE = frozenset({"union", "enum", "typename", "using", "namespace"})
_BEFORE_CLASS = frozenset({"struct", "class", "const", "new", "return", "static", "explicit", "inline", "constexpr", "friend",
                           "__host__", "__device__", "__forceinline__", "__global__", "else", "throw", "case", "volatile"})
_BEHIND_NAME = frozenset({"=", ";", ",", ")", "[", "(", "{", ":"})
_QUALIFIERS = frozenset({"const", "noexcept", "override", "final", "=", "default", "delete", "0"})


def read_classes(program: Program) -> dict[str, Class]:
    """The classes of a text that are understood, by name."""
    text, found = program.tokens.text, dict[str, Class]()
    single = {name: bodies[0][0] for name, bodies in program.defined.items() if len(bodies) == 1 and not bodies[0][1]}
    told = {name: at for name, at in single.items() if text[at - 1] == name and program.region_at(at) is None}
    names = told.keys() - program.doubted - program.namespaces - program.types.aliases.keys()
    for name in names - _told_otherwise(text, names):
        fields = _fields(program.tokens, told[name] + 1, program, name)
        makers = _makers(program, name, told[name], {each.name: each for each in fields}) if fields else None
        if makers is not None:
            found[name] = Class(fields, makers, bool(program.functions.get(name)))
    return found


def _told_otherwise(text: list[str], names: set[str]) -> set[str]:
    """Those of some names of classes that stand for something else, too: aliases, parameters, variables, specialisations."""
    found, begin = set[str](), 0
    for at, token in enumerate(text):
        begin = at + 1 if token in (";", "{", "}") else begin
        if token not in names or not at:
            continue
        before, after = text[at - 1], text[at + 1]
        is_class = before in ("struct", "class")
        is_other = is_class and after not in ("{", ";") and not is_name(after)
        is_type = (is_word(before) and before not in _BEFORE_CLASS) or before in ("*", "&", "&&", ">")
        is_declared = is_type and after in _BEHIND_NAME
        is_alias = "typedef" in text[begin:at] or (before == "}" and after in (";", ",")) or before == "using"
        if before in _OTHERWISE or is_alias or is_other or is_declared:
            found.add(token)
    return found


def _fields(tokens: Tokens, at: int, program: Program, name: str) -> tuple[Variable, ...]:
    """The fields that the body of a class declares; none where anything else is in it that may be one."""
    text, close, found = tokens.text, tokens.match[at - 1], list[Variable]()
    converts = any(text[here] == "operator" and is_word(text[here + 1]) for here in range(at, close))
    is_doubted = not tokens.names(at, close).isdisjoint(program.doubted)
    if close < at or converts or is_doubted or not _REFUSED.isdisjoint(text[at:close]):
        return ()
    try:
        while at < close:
            if text[at] in ("public", "private", "protected") and text[at + 1] == ":":
                at += 2
            elif text[at] == ";":
                at += 1
            elif text[at] in ("struct", "class", "enum"):
                at = _past_type(tokens, at, close)
            else:
                stop, declared = _member(tokens, at, close, program, name)
                found += declared
                at = stop
    except NotUnderstood:
        return ()
    names = {each.name for each in found}
    has_references = any(each.type.reference for each in found)
    are_plain = all(each.form == "" or (each.form in ("=", "{") and [node.kind for node in each.init] == ["number"])
                    for each in found if not each.is_array) and not any(each.is_array and each.form for each in found)
    return () if has_references or not are_plain or len(names) < len(found) else tuple(found)


def _past_type(tokens: Tokens, at: int, close: int) -> int:
    """Past a type in a class that declares no field; NotUnderstood for one that does."""
    opening = next((index for index in range(at, close) if tokens.text[index] in ("{", ";")), close)
    end = tokens.match[opening] + 1 if tokens.text[opening] == "{" else opening
    is_declared = tokens.text[opening] == ";" and opening > at + 2
    if opening >= close or is_declared or tokens.text[end] != ";" or not is_name(tokens.text[at + 1]):
        raise NotUnderstood
    return end + 1


def _member(tokens: Tokens, at: int, close: int, program: Program, name: str) -> tuple[int, list[Variable]]:
    """Past a member of a class, and the fields that it declares."""
    text = tokens.text
    if text[at] == "template":
        begin, at = at, tokens.angle_end(at + 1) + 1 if text[at + 1] == "<" else 0
        stop = extent(tokens, at, close)[0] if at else begin
        if stop == begin or name in (text[here] for here in range(at, stop) if text[here + 1] == "("):
            raise NotUnderstood
        return stop, []
    stop, opening = extent(tokens, at, close)
    if opening > 0 and not _is_function(tokens, at, opening):
        raise NotUnderstood
    if opening > 0 or not _SKIPPED.isdisjoint(text[at:stop]) or _is_prototype(tokens, at, stop):
        return stop, []
    declared, last = read_declaration(tokens, at, stop, program.types)
    if last != stop - 1 or text[last] != ";" or any(each.form == "(" for each in declared):
        raise NotUnderstood
    return stop, declared


def _is_prototype(tokens: Tokens, at: int, stop: int) -> bool:
    """Whether a member is a function without a body: a name, brackets behind it, and what qualifies it."""
    close = _parameters_end(tokens, at, stop)
    return close > 0 and _QUALIFIERS.issuperset(tokens.text[close + 1 : stop - 1])


def _is_function(tokens: Tokens, at: int, body: int) -> bool:
    """Whether a member with a body is a function: a name, brackets, what qualifies it, and perhaps initialisers."""
    text, close = tokens.text, _parameters_end(tokens, at, body)
    stop = next((here for here in range(close + 1, body) if text[here] in (":", "->")), body)
    return close > 0 and _QUALIFIERS.issuperset(text[close + 1 : stop])


def _parameters_end(tokens: Tokens, at: int, end: int) -> int:
    """The bracket that closes the parameters of a member that is a function: its first brackets stand behind a name; else -1."""
    text = tokens.text
    opening = next((here for here in range(at, end) if text[here] == "("), -1)
    close = tokens.match[opening] if opening > at else -1
    is_named = is_name(text[opening - 1]) or "operator" in text[max(at, opening - 2) : opening]
    if close < opening or not is_named or not {"=", "{", "[", ","}.isdisjoint(text[at : opening - 1]):
        return -1
    return tokens.match[close + 1] if text[opening - 1] == "operator" and text[close + 1] == "(" else close


def _makers(program: Program, name: str, opening: int, own: dict[str, Variable]) -> dict[int, Maker | None] | None:
    """The constructors of a class, by their numbers of parameters; None where one may take anything."""
    heads: list[Head] = program.functions.get(name, [])
    if any(each.is_pack or each.is_variadic for each in heads):
        return None
    if not all(_is_followed(program, name, parameter) for each in heads for parameter in each.parameters):
        return None
    text, close = program.tokens.text, program.tokens.match[opening]
    within = [each for each in program.bodies.get(name, []) if opening < each.begin < close]
    declared_within = sum(text[at] == name and text[at + 1] == "(" and at in program.named for at in range(opening, close))
    outside_bodies = len(program.bodies.get(name, [])) - len(within)
    written = _written(program.tokens, name, opening, close)
    if written != declared_within or len(heads) != written + outside_bodies:
        return None
    found = dict[int, Maker | None]()
    for region in program.bodies.get(name, []):
        count = len(region.head.parameters)
        is_own = region.body == opening and not region.is_device
        found[count] = _maker(program, region, own) if is_own and count not in found else None
    declared = [len(each.parameters) for each in heads]
    for count in set(declared):
        outside = sum(len(each.head.parameters) == count for each in program.bodies.get(name, []) if each not in within)
        if count not in found or declared.count(count) != 1 + outside:
            found[count] = None
    return found


def _is_followed(program: Program, name: str, parameter: Parameter | None) -> bool:
    """Whether a parameter of a constructor of a class can be no object of this class."""
    kind = parameter.type if parameter is not None else None
    if parameter is None or kind is None or parameter.default is not None or kind.name == name:
        return False
    is_class = kind.kind == "other" and len(program.defined.get(kind.name, [])) == 1 and kind.name not in program.types.aliases
    return parameter.is_pointer or kind.is_number or kind.is_dim3 or is_class


def _written(tokens: Tokens, name: str, opening: int, close: int) -> int:
    """How many constructors the body of a class declares."""
    count, at = 0, opening + 1
    while at < close:
        count += tokens.text[at] == name and tokens.text[at + 1] == "(" and tokens.text[at - 1] not in ("~", "new", "return", "=")
        at = tokens.match[at] + 1 if tokens.text[at] in ("(", "{", "[") and tokens.match[at] > at else at + 1
    return count


def _maker(program: Program, region: Region, own: dict[str, Variable]) -> Maker | None:
    """What a constructor leaves in the fields `own`; None where that is not followed."""
    tokens, text = program.tokens, program.tokens.text
    parameters = tuple(each.variable if each is not None else None for each in region.head.parameters)
    names = {each.name: at for at, each in enumerate(parameters) if each is not None}
    sums = _Sums(tokens, names.keys(), {each.name for each in parameters if each is not None and _is_plain(each)})
    is_doubted = not tokens.names(region.begin, region.end).isdisjoint(program.doubted) or not (
        own.keys() | names.keys()).isdisjoint(region.barred)
    if region.is_clouded or is_doubted or "try" in text[region.begin : region.end]:
        return None
    sets = dict[str, int | str | None]()
    for name, begin, end in region.inits:
        if name not in own or not sums.has(begin, end, own[name]):
            return None
        sets[name] = _value(text[begin:end], names)
    at, close = region.opening + 1, region.end - 1
    while (begin := _assigned(text, at, own, names)) > 0:
        end = text.index(";", begin)
        if not sums.has(begin, end, own[text[begin - 2]]):
            break
        sets[text[begin - 2]] = _value(text[begin:end], names)
        at = end + 1
    kept = _untouched(program, at, close, own, sums.plain)
    return None if kept is None else Maker(parameters, {**sets, **dict.fromkeys(own.keys() - kept)})


def _assigned(text: list[str], at: int, own: Container[str], names: dict[str, int]) -> int:
    """Where the value begins that a statement `field = value;` or `this->field = value;` gives a field; -1 if it is none."""
    is_this = text[at : at + 2] == ["this", "->"]
    at += 2 * is_this
    return at + 2 if text[at] in own and text[at + 1] == "=" and (is_this or text[at] not in names) else -1


@dataclass(frozen=True, slots=True)
class _Sums:
    """Tells values that are made without a call. `names`: the parameters; `plain`: those that are numbers and pointers."""

    tokens: Tokens
    names: Container[str]
    plain: set[str]

    def has(self, begin: int, end: int, field: Variable) -> bool:
        """Whether tokens are nothing, one parameter or a field of it, new elements, or numbers and what adds up such. A field
        that is no number may take a reference to one, and change it."""
        words = self.tokens.text[begin:end]
        if not _is_plain(field) and not self.plain.isdisjoint(words):
            return False
        if len(words) < 2 or (len(words) == 3 and words[1] == "."):
            return not words or words[0] in self.names or _is_number(words[0])
        if words[0] == "new" and words[-1] == "]" and "[" in words and all(map(is_name, words[1 : words.index("[") - 1])):
            begin, end = begin + words.index("[") + 1, end - 1
        return self._adds_up(begin, end)

    def _adds_up(self, begin: int, end: int) -> bool:
        text = self.tokens.text
        is_called = any(text[at] == "(" and (is_word(text[at - 1]) or text[at - 1] == ">") for at in range(begin + 1, end))
        return not is_called and all(each in _SUMS or each in self.plain or _is_number(each) for each in text[begin:end])


def _is_plain(variable: Variable) -> bool:
    return variable.type.pointers > 0 or variable.is_array or variable.type.kind == "number"


def _is_number(word: str) -> bool:
    return word[:1].isdigit() or word in ("true", "false", "nullptr", "NULL")


def _value(words: list[str], names: dict[str, int]) -> int | str | None:
    """A parameter, by its place, or a number; None for anything else."""
    if len(words) != 1:
        return None if words else "0"
    return names[words[0]] if words[0] in names else words[0] if words[0].isdigit() else None


def _untouched(program: Program, at: int, close: int, own: dict[str, Variable], names: Container[str]) -> set[str] | None:
    """The fields that what stands in [at, close) does not change; None where it may do anything. It is tests, assertions and
    loops over arrays: numbers that are compared, elements that are set."""
    text, touched = program.tokens.text, set[str]()
    counters = {text[here + 1] for here in range(at, close) if text[here] == "int" and is_name(text[here + 1])}
    if not counters.isdisjoint(own) or program.declared["assert"] or "assert" in program.doubted:
        return None
    for here in range(at, close):
        before, token, after = text[here - 1 : here + 2]
        if token in own:
            is_read = before in _BEFORE_READ and after in _BEHIND_READ
            touched |= set() if is_read or (own[token].is_array and after == "[") else {token}
        is_known = token in _TAIL or token in names or token in counters or _is_number(token)
        is_known = is_known or (token in own and _is_plain(own[token])) or _is_macro(program, here)
        if not is_known or _is_changed(before, token, after):
            return None
    return own.keys() - touched


def _is_changed(before: str, token: str, after: str) -> bool:
    """Whether the middle one of three tokens opens a call or closes what is changed in brackets."""
    is_call = token == "(" and before not in _TAIL_CALLS and (is_word(before) or before in (")", "]", ">"))
    return is_call or (token == ")" and after in CHANGING) or (token in ("++", "--") and after == "(")


def _is_macro(program: Program, at: int) -> bool:
    """Whether a token names a constant that the text does not declare: a macro without arguments, beside what is compared."""
    text = program.tokens.text
    is_constant = is_name(text[at]) and text[at].isupper() and not program.declared[text[at]] and text[at + 1] in _BEHIND_READ
    return is_constant and text[at - 1] in _COMPARING
