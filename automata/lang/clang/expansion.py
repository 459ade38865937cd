"""A bound on what macros expand to, before clang expands them: linear in the text.

A macro has a size, the tokens its body makes, and for each of its parameters a factor, how often an argument for it is put
down. In a nest of calls the factors multiply. A macro inside itself is not expanded again. What stands at one place of a call's
list may turn into several arguments once it is expanded, so it is weighed with the largest factor from that place on.
A definition expands nothing where it stands, so the text is weighed without its lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from automata.place import InputError, Place

MAX_TOKENS = 2_000_000
Macros = dict[str, list[tuple[tuple[str, ...], str]]]
Factors = dict[str, tuple[int, ...]]
_WORD = re.compile(r"[A-Za-z_$][\w$]*|\S")
_DEFINITION = re.compile(r"^[ \t]*#[ \t]*define\b[^\n]*", re.M)


def bound_expansion(macros: Macros, texts: list[str], path: str) -> None:
    """InputError if a macro, or the text with its calls, could expand to more than two million tokens."""
    sizes: dict[str, int] = {}
    factors: Factors = {}
    for name in _bottom_up(macros):
        sizes[name], factors[name] = 1, (1,)
        for params, body in macros[name]:
            size, uses = weigh(_WORD.findall(body), params, sizes, factors)
            sizes[name], factors[name] = max(sizes[name], size), _larger(factors[name], uses)
        if max(sizes[name], *factors[name]) > MAX_TOKENS:
            raise InputError(f"the macro '{name}' expands to more than {MAX_TOKENS} tokens", Place(path, 0, 0))
    large = [re.escape(name) for name in sorted(sizes) if factors[name][0] > 1 or sizes[name] > 100]
    if not large:
        return
    pattern = re.compile(rf"(?<![\w$])(?:{'|'.join(large)})(?![\w$])|[(),]")
    for text in texts:
        if weigh(pattern.findall(_DEFINITION.sub("", text)), (), sizes, factors)[0] > MAX_TOKENS:
            raise InputError(f"macros expand to more than {MAX_TOKENS} tokens", Place(path, 0, 0))


def weigh(words: Iterable[str], params: tuple[str, ...], sizes: dict[str, int], factors: Factors) -> tuple[int, tuple[int, ...]]:
    """The tokens that a text makes, and for each parameter how often an argument for it or for a later one is put down."""
    total, product, before = 0, 1, ""
    names = [param.removesuffix("...").strip() or "__VA_ARGS__" for param in params]
    uses = dict.fromkeys(names, 0)
    open_calls: list[tuple[int, tuple[int, ...], int]] = []
    for word in words:
        if word == "(":
            called = factors.get(before, (1,))
            open_calls.append((product, called, 0))
            product *= called[0]
        elif word == ")" and open_calls:
            product = open_calls.pop()[0]
        elif word == "," and open_calls:
            around, called, at = open_calls.pop()
            at = min(at + 1, len(called) - 1)
            open_calls.append((around, called, at))
            product = around * called[at]
        total += product * sizes.get(word, 1)
        if word in uses:
            uses[word] += product
        before = word
        if total > MAX_TOKENS:
            break
    return total, tuple(max(1, *(uses[name] for name in names[at:])) for at in range(len(names))) or (1,)


def _larger(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    """The larger factors of two lists, place by place; a list goes on as it ends."""
    return tuple(max(one[min(at, len(one) - 1)], other[min(at, len(other) - 1)]) for at in range(max(len(one), len(other))))


def _bottom_up(macros: Macros) -> list[str]:
    """The macros, each after those in its body."""
    words = {name: {word for _, body in bodies for word in _WORD.findall(body) if word in macros}
             for name, bodies in macros.items()}
    order: dict[str, None] = {}
    active: set[str] = set()
    for start in sorted(macros):
        stack = [(start, False)]
        while stack:
            name, ready = stack.pop()
            if ready:
                order.setdefault(name)
            elif name not in order and name not in active:
                active.add(name)
                stack.append((name, True))
                stack.extend((word, False) for word in sorted(words[name]))
    return list(order)
