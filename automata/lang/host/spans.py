"""What a value of the host may be: an integer type, the least and the greatest; and how these are computed."""

from __future__ import annotations

from dataclasses import dataclass, replace

from automata.lang.host.numbers import BOOL, Number, Unknown, limits, promoted


@dataclass(frozen=True, slots=True)
class Span:
    """What an expression may come to: of which type, from the `least` to the `most`. `below`: texts over leaves, each a test in
    which `@` stands for the value. `comes_up`: it is drawn from all that lies
    between, or counts through it, or is computed of such."""

    kind: Number
    least: int
    most: int
    below: tuple[str, ...] = ()
    comes_up: bool = False

    def joined(self, other: Span) -> Span:
        """One of two, of one type."""
        return Span(self.kind, min(self.least, other.least), max(self.most, other.most),
                    tuple(each for each in self.below if each in other.below), self.comes_up or other.comes_up)


def any_of(kind: Number) -> Span:
    """Any number of an integer type; of a plain `char` what either sign allows."""
    if not kind.bits:
        raise Unknown
    low, high = limits(kind) if kind.bits != 8 or kind.unsigned else (-128, 255)
    return Span(kind._replace(value=0), low, high)


def converted(span: Span | None, kind: Number) -> Span:
    """A value as an integer type: itself where that holds it. None: any value."""
    if kind.bits == 1:
        return Span(BOOL, 0, 1)
    if span is None or not kind.bits:
        return any_of(kind)
    low, high = limits(kind)
    return replace(span, kind=kind._replace(value=0)) if low <= span.least and span.most <= high else any_of(kind)


def point(value: int, kind: Number) -> Span:
    return Span(kind._replace(value=0), value, value)


def within(kind: Number, least: int, most: int, comes_up: bool = False) -> Span:
    """A sum or product in a type: where it leaves one with a sign, no run of a program computes it; else it wraps. Where it
    leaves it by numbers that come up, programs compute it all the same, and machines wrap."""
    low, high = limits(kind)
    if low <= least and most <= high:
        return Span(kind, least, most)
    if kind.unsigned or least > high or most < low or comes_up:
        return any_of(kind)
    return Span(kind, max(least, low), min(most, high))


def is_any(span: Span) -> bool:
    """Whether nothing is known of a value but its type."""
    return (span.least, span.most) == limits(span.kind)


def quotient(kind: Number, a: Span, b: Span) -> Span:
    """A quotient: by what is not zero."""
    by = [each for each in (b.least, b.most, 1 if b.least <= 1 <= b.most else 0, -1 if b.least <= -1 <= b.most else 0) if each]
    if not by:
        raise Unknown
    corners = [abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1) for x in (a.least, a.most) for y in by]
    crossing = [0] if a.least <= 0 <= a.most else []
    return within(kind, min(corners + crossing), max(corners + crossing))


def shifted(sign: str, a: Span, b: Span) -> Span:
    kind = promoted(a.kind)
    a = converted(a, kind)
    if a.least < 0 or not 0 <= b.least <= b.most < kind.bits:
        return any_of(kind)
    if sign == ">>":
        return Span(kind, a.least >> b.most, a.most >> b.least)
    most = a.most << b.most
    return Span(kind, a.least << b.least, most) if most <= limits(kind)[1] else any_of(kind)
