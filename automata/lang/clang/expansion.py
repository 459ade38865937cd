"""A bound on what macros expand to, before clang expands them: linear in the text, never too low.

A macro has a size, the tokens its body makes, and a factor, how often an argument of it is put down. In a
nest of calls the factors multiply. A macro inside itself is not expanded again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from automata.place import InputError, Place

MAX_TOKENS = 2_000_000
Macros = dict[str, list[tuple[tuple[str, ...], str]]]
_WORD = re.compile(r"[A-Za-z_]\w*|\S")


def bound_expansion(macros: Macros, texts: list[str], path: str) -> None:
    """InputError if a macro, or the text with its calls, could expand to more than two million tokens."""
    sizes: dict[str, int] = {}
    factors: dict[str, int] = {}
    for name in _bottom_up(macros):
        sizes[name], factors[name] = 1, 1
        for params, body in macros[name]:
            size, factor = weigh(_WORD.findall(body), params, sizes, factors)
            sizes[name], factors[name] = max(sizes[name], size), max(factors[name], factor)
        if max(sizes[name], factors[name]) > MAX_TOKENS:
            raise InputError(f"the macro '{name}' expands to more than {MAX_TOKENS} tokens", Place(path, 0, 0))
    large = [re.escape(name) for name in sorted(sizes) if factors[name] > 1 or sizes[name] > 100]
    if not large:
        return
    pattern = re.compile(rf"\b(?:{'|'.join(large)})\b|[()]")
    for text in texts:
        if weigh(pattern.findall(text), (), sizes, factors)[0] > MAX_TOKENS:
            raise InputError(f"macros expand to more than {MAX_TOKENS} tokens", Place(path, 0, 0))


def weigh(words: Iterable[str], params: tuple[str, ...], sizes: dict[str, int], factors: dict[str, int]) -> tuple[int, int]:
    """The tokens that a text makes, and how often one of the parameters is put down in it."""
    total, uses, product, before = 0, 0, 1, ""
    stack: list[int] = []
    for word in words:
        if word == "(":
            stack.append(product)
            product *= factors.get(before, 1)
        elif word == ")" and stack:
            product = stack.pop()
        total += product * sizes.get(word, 1)
        uses += product if word in params or word == "__VA_ARGS__" else 0
        before = word
        if total > MAX_TOKENS:
            break
    return total, uses


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
