"""The types that a file declares, known before anything else of it is read: their names, and whether one keeps references."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import replace

from automata.lang.host.tokens import Tokens, is_name
from automata.lang.host.types import Type, TypeNames, read_declarator, read_type

_ALIGNING = ("alignas", "__align__", "__attribute__", "__declspec", "aligned")
_ALIGNING_WORDS = frozenset({"alignas", "__align__", "__attribute__", "__declspec"})
_SIMPLE_ALIAS = 12
_LONG_ALIAS = 400


class DeclaredTypes:
    """`types`: what names of types stand for. `tags`: the classes that are no templates. `namespaces`: those of the file;
    `generic`: the parameters of templates. `derived`: the classes with bases. `doubted`: what may be another type."""

    def __init__(self, tokens: Tokens, doubted: Collection[str] = ()) -> None:
        self.tokens, self.doubted = tokens, doubted
        self.types = TypeNames()
        self.tags: set[str] = set()
        self.namespaces: set[str] = set()
        self.generic: set[str] = set()
        self.derived: set[str] = set()
        self._named: Counter[str] = Counter()
        self._name_types()
        self.types.others = {name: other for name, other in self.types.others.items()
                             if self._named[name] == 1 and name not in self.generic and not self.derived}
        self.types.hidden |= self.namespaces & {"std", "thrust"}

    def _name_types(self) -> None:
        text, depth, end = self.tokens.text, 0, 0
        for at in range(self.tokens.size):
            token = text[at]
            depth += (token == "{") - (token == "}")
            if token in ("struct", "class", "union", "enum", "typename", "concept", "namespace"):
                if text[at - 1] in ("<", ",") and token in ("typename", "class"):
                    self.generic.add(text[at + 1])
                if token != "namespace" or text[at - 1] != "using":
                    self._name_tag(at, token)
            elif token in ("typedef", "using") and at >= end:
                end = self._name_alias(at, depth)
            elif token in ("typedef", "using"):
                self.types.hidden |= self.tokens.names(at, at + _SIMPLE_ALIAS)
                self._named.update(self.tokens.names(at, at + _SIMPLE_ALIAS))

    def _name_tag(self, at: int, token: str) -> None:
        text = self.tokens.text
        following = text[at + 1 : at + 12]
        for name in following:
            if name in ("class", "struct", "...", *_ALIGNING, "(", ")") or name.isdigit():
                continue
            if is_name(name):
                (self.namespaces if token == "namespace" else self.types.hidden).add(name)
                self._named[name] += 1
                if token == "namespace":
                    self.namespaces |= self._inner_namespaces(at + 1)
                if token in ("struct", "class") and text[at + 1] == name and text[at + 2] in (":", "final"):
                    self.derived.add(name)
                if token in ("struct", "union", "class") and text[text.index(name, at) + 1] in ("{", ":", "final"):
                    self.tags.add(name)
            break

    def _inner_namespaces(self, at: int) -> set[str]:
        """The namespaces b and c of `namespace a::b::c {`."""
        text, end = self.tokens.text, at + 1
        while text[end] == "::" and is_name(text[end + 1 + (text[end + 1] == "inline")]):
            end += 2 + (text[end + 1] == "inline")
        return {text[index] for index in range(at + 1, end) if is_name(text[index])} if text[end] == "{" else set()

    def _name_alias(self, at: int, depth: int) -> int:
        """Note what a `typedef` or `using` names; where it ends."""
        tokens, text = self.tokens, self.tokens.text
        end = next((index for index in range(at, min(at + _SIMPLE_ALIAS, tokens.size)) if text[index] == ";"), -1)
        named = self._alias(at, end) if end > 0 and depth == 0 else None
        named = None if named is not None and named[0] in self.doubted else named
        if named is not None and named[1].kind == "other" and named[1] == Type("other", name=named[0], of=named[1].of):
            self.types.others[named[0]] = named[1].of
            self.types.hidden.add(named[0])
            self._named[named[0]] += 1
            return end
        if named is not None and named[1].kind in ("number", "dim3", "copies") and named[0] not in self.types.hidden \
                and self.types.aliases.get(named[0], named[1]) == named[1]:
            self.types.aliases[named[0]] = named[1]
            self._named[named[0]] += 1
            return end
        if text[at + 1] == "namespace" or (text[at] == "using" and text[at + 1] == "std"):
            return at + 2
        stop = tokens.statement_end(at, min(at + _LONG_ALIAS, tokens.size))
        index = at
        while index < stop:
            opens = text[index] == "{" or (text[index] == "(" and text[index + 1] not in ("*", "&", "("))
            if opens and tokens.match[index] > index:
                index = tokens.match[index]
            elif is_name(text[index]) and text[index + 1] in (";", "[", ")", "=", ",", "(", *_ALIGNING):
                self.types.hidden.add(text[index])
                self._named[text[index]] += 1
            index += 1
        return stop

    def _alias(self, at: int, end: int) -> tuple[str, Type] | None:
        text = self.tokens.text
        begin, stop, name = (at + 1, end - 1, text[end - 1]) if text[at] == "typedef" else (at + 3, end, text[at + 1])
        if not is_name(name) or (text[at] == "using" and text[at + 2] != "="):
            return None
        found = read_type(self.tokens, begin, stop, self.types)
        whole = read_declarator(self.tokens, found[1], found[0]) if found else None
        return (name, replace(whole[0], name=name, of=whole[0].original)) if whole is not None and whole[1] == stop else None


def keeps_references(tokens: Tokens) -> bool:
    """Whether a class may keep a reference that nothing tells of: a field is one, or its constructors are not read (of classes in
    bodies, behind `typedef`, with alignment)."""
    text, body = tokens.text, 0
    for at, token in enumerate(text[: tokens.size]):
        if token == "{" and text[at - 1] in (")", "const", "noexcept", "override", "final", "try"):
            body = max(body, tokens.match[at])
        if token not in ("struct", "class", "union"):
            continue
        opening = next((index for index in range(at, min(at + 16, tokens.size)) if text[index] in ("{", ";", ",", ">")), at)
        close = tokens.match[opening] if text[opening] == "{" else -1
        hidden = at < body or text[at - 1] == "typedef" or not _ALIGNING_WORDS.isdisjoint(text[at:opening])
        inside = range(opening + 1, close)
        depth = 0
        for index in inside:
            depth += (text[index] in ("(", "{")) - (text[index] in (")", "}"))
            if depth == 0 and text[index] in ("&", "&&") and text[index + 2] in (";", "=", ","):
                return True
            if hidden and text[index] == "&":
                return True
    return False
