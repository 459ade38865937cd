"""Which thread writes a cell: index maps turned round.

Input: an index polynomial in unknown coordinates (each with its span, 0 <= v < span) and the cell it
must equal. Output: each coordinate as a polynomial in the cell. The index is read as digits of a
mixed-radix number: the strides, sorted, say how to divide. Where a stride is a size that only a guard
bounds (row * width + column), the index is first split into coordinates along that size.

The result is a guess that fits the index's shape; the caller proves it, and that no other thread fits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import pairwise

from automata.logic.arith import Encoder
from automata.logic.atom import Atom
from automata.logic.permuted import number_of
from automata.logic.poly import Poly, divided

Solution = dict[Atom, Poly]


def invert(index: Poly, cell: Poly, spans: Mapping[Atom, Poly], encoder: Encoder) -> Iterator[Solution]:
    """Coordinates at which `index` could equal `cell`, likeliest first; none if the shape is not understood.

    Coordinates that the index does not mention are absent from a solution.
    """
    unknown = {name for name in spans if name in index.atoms()}
    for whole, value in number_of(index, cell, spans.keys(), encoder):
        yield from invert(whole, value, spans, encoder)
    if not unknown:
        yield {}
        return
    fixed = Poly({mono: coef for mono, coef in index.terms.items() if not unknown & set(mono)})
    index, cell = index - fixed, cell - fixed
    strides = strides_of(index, unknown)
    order = digits(strides, spans, encoder) if strides is not None else None
    if strides is not None and order is not None:
        plain = _divide(order, strides, cell, spans, encoder, plain=True)
        found = _divide(order, strides, cell, spans, encoder)
        yield from (plain, found) if plain != found else (found,)
        yield from _divide_up(order, strides, cell, spans, encoder)
        return
    for size in _candidate_sizes(index, strides or {}):
        yield from _split(index, cell, size, spans, encoder)
    if strides is not None and len(strides) == 1:
        yield _divide(list(strides), strides, cell, spans, encoder)


def strides_of(index: Poly, unknown: set[Atom]) -> dict[Atom, Poly] | None:
    """The coefficient of each unknown; None when unknowns are multiplied with each other."""
    found: dict[Atom, Poly] = {}
    for mono, coef in index.terms.items():
        moving = [name for name in mono if name in unknown]
        if not moving:
            continue
        if len(moving) > 1:
            return None
        rest = list(mono)
        rest.remove(moving[0])
        found[moving[0]] = found.get(moving[0], Poly({})) + Poly({tuple(rest): coef})
    return found


def digits(strides: Mapping[Atom, Poly], spans: Mapping[Atom, Poly], encoder: Encoder) -> list[Atom] | None:
    """The unknowns by falling stride, if each stride exceeds what all smaller ones reach together."""
    rising = sorted(strides, key=lambda name: (strides[name].degree, sorted(map(abs, strides[name].terms.values())), name))
    order, reach = [], Poly({})
    for name in rising:
        stride = _magnitude(strides[name], encoder)
        if not is_positive(stride - reach, encoder):
            return None
        reach = reach + stride * spans[name].plus(-1)
        order.append(name)
    return order[::-1]


def _magnitude(stride: Poly, encoder: Encoder) -> Poly:
    return stride.scale(-1) if is_positive(stride.scale(-1), encoder) else stride


def is_positive(value: Poly, encoder: Encoder) -> bool:
    """value >= 1, shown by shifting each atom to its lower bound: then no coefficient is negative."""
    shifts = {}
    for name in value.atoms():
        low = encoder.intervals.get(name, (-1, 0))[0]
        if low < 0:
            return False
        shifts[name] = Poly.atom(name).plus(low)
    shifted = value.replace(shifts)
    return all(coef > 0 for coef in shifted.terms.values()) and shifted.terms.get((), 0) >= 1


def _divide(order: list[Atom], strides: Mapping[Atom, Poly], cell: Poly, spans: Mapping[Atom, Poly],
            encoder: Encoder, *, plain: bool = False) -> Solution:
    """Digits from the largest stride down. A negative stride counts its digit from the other end. `plain`: what a size does
    not divide is less than it."""
    reflected = [name for name in order if is_positive(strides[name].scale(-1), encoder)]
    for name in reflected:
        cell = cell - strides[name] * spans[name].plus(-1)
    found: Solution = {}
    for name in order:
        size = _magnitude(strides[name], encoder)
        whole, _ = _parts(cell, size)
        digit = whole if plain and size.constant is None and whole.terms else quotient(cell, size, encoder)
        cell = cell - size * digit
        found[name] = spans[name].plus(-1) - digit if name in reflected else digit
    return found


def _divide_up(order: list[Atom], strides: Mapping[Atom, Poly], cell: Poly, spans: Mapping[Atom, Poly],
               encoder: Encoder) -> Iterator[Solution]:
    """The same from the smallest stride up, where each divides the next and some are no numbers: what is left is divided by
    numbers then."""
    sizes = [_magnitude(strides[name], encoder) for name in reversed(order)]
    steps = [quotient(high, low, encoder) for low, high in pairwise(sizes)]
    if len(sizes) < 3 or any(low * step != high for step, (low, high) in zip(steps, pairwise(sizes), strict=True)) or all(
            size.constant is not None for size in sizes):
        return
    reflected = [name for name in order if is_positive(strides[name].scale(-1), encoder)]
    for name in reflected:
        cell = cell - strides[name] * spans[name].plus(-1)
    left, found = quotient(cell, sizes[0], encoder), {}
    for name, step, size in zip(reversed(order), [*steps, None], [*sizes[1:], None], strict=True):
        above = left if step is None or size is None else quotient(cell, size, encoder)
        digit = left if step is None else left - step * above
        if step is not None and size is not None:
            encoder.note_nested(above, size, left, step)
        found[name] = spans[name].plus(-1) - digit if name in reflected else digit
        left = above
    yield found


def quotient(value: Poly, size: Poly, encoder: Encoder) -> Poly:
    """floor(value / size): exact where the size divides terms, and a fresh quotient of the rest."""
    inner = encoder.nested(value, size)
    if inner is not None:
        whole = encoder.floor_quotient(inner[0], inner[1] * size)
        encoder.note_nested(whole, inner[1] * size, value, size)
        return whole
    whole, rest = _parts(value, size) if size.constant is None else _multiples(value, size)
    return whole + encoder.floor_quotient(rest, size) if rest.terms else whole


def _multiples(value: Poly, size: Poly) -> tuple[Poly, Poly]:
    """The value over a number if that divides all of it; else nothing, and all of it."""
    whole, rest = _parts(value, size)
    return (Poly({}), value) if rest.terms else (whole, rest)


def _candidate_sizes(index: Poly, strides: Mapping[Atom, Poly]) -> list[Poly]:
    """Sizes along which an index may be split: strides that are no plain size (2·w, w + 2·pad), factors of its non-linear terms,
    the one in most of them first (w before h of (plane·h + row)·w + column), then its coefficients."""
    sizes = {stride: None for stride in strides.values() if stride.constant is None}
    own = sorted((size for size in sizes if (len(size.terms) > 1 or {*size.terms.values()} != {1} or size.degree > 1)
                  and not any(other != size and not _parts(size, other)[1].terms for other in sizes)), key=Poly.key)
    names = Counter[Atom]()
    for mono in sorted(index.terms):
        if len(mono) > 1:
            names.update({each for each in mono if not each.owners and not each.is_size})
    numbers = sorted({abs(coef) for coef in index.terms.values() if abs(coef) > 1})
    return own + [Poly.atom(name) for name in sorted(names, key=lambda each: (-names[each], each))] + [
        Poly.number(number) for number in numbers]


def _split(index: Poly, cell: Poly, size: Poly, spans: Mapping[Atom, Poly], encoder: Encoder) -> Iterator[Solution]:
    """index = size·rows + columns, each solved on its own."""
    rows, columns = _parts(index, size)
    shared = {name for name in rows.atoms() & columns.atoms() if name in spans}
    if not rows.terms or shared or (not columns.terms and size.constant is not None):
        return
    cell_rows, cell_columns = split_cell(cell, size, encoder)
    for upper in invert(rows, cell_rows, spans, encoder):
        for lower in invert(columns, cell_columns, spans, encoder):
            yield {**upper, **lower}


def split_cell(cell: Poly, size: Poly, encoder: Encoder) -> tuple[Poly, Poly]:
    """The cell's row and column: by its shape where one is plain, else by division."""
    rows, columns = _parts(cell, size)
    if rows.terms and _looks_smaller(columns, size, encoder):
        return rows, columns
    row = quotient(cell, size, encoder)
    return row, cell - size * row


def _looks_smaller(columns: Poly, size: Poly, encoder: Encoder) -> bool:
    """Whether 0 <= columns < size, where numbers can tell; a guess, proved later with the whole inverse."""
    low, high = encoder.interval(columns)
    return size.constant is None or (low >= 0 and high < size.constant)


def _parts(value: Poly, size: Poly) -> tuple[Poly, Poly]:
    """What a size divides of a value, and the rest; of a size that is a sum, by its leading term."""
    mono, coef = max(size.terms.items(), key=lambda item: (len(item[0]), -abs(item[1]), item[0]))
    rows = {}
    for other, factor in value.terms.items():
        rest = divided(other, mono)
        if rest is not None and factor % coef == 0:
            rows[rest] = factor // coef
    return Poly(rows), value - size * Poly(rows)
