"""Which thread writes a cell: index maps turned round.

Input: an index polynomial in unknown coordinates (each with its span, 0 <= v < span) and the cell it
must equal. Output: each coordinate as a polynomial in the cell. The index is read as digits of a
mixed-radix number: the strides, sorted, say how to divide. Where a stride is a size that only a guard
bounds (row * width + column), the index is first split into coordinates along that size.

The result is a guess that fits the index's shape; the caller proves it, and that no other thread fits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from automata.logic.arith import Encoder
from automata.logic.atom import Atom
from automata.logic.poly import Poly, divided

Solution = dict[Atom, Poly]


def invert(index: Poly, cell: Poly, spans: Mapping[Atom, Poly], encoder: Encoder) -> Iterator[Solution]:
    """Coordinates at which `index` could equal `cell`, likeliest first; none if the shape is not understood.

    Coordinates that the index does not mention are absent from a solution.
    """
    unknown = {name for name in spans if name in index.atoms()}
    if not unknown:
        yield {}
        return
    fixed = Poly({mono: coef for mono, coef in index.terms.items() if not unknown & set(mono)})
    index, cell = index - fixed, cell - fixed
    strides = strides_of(index, unknown)
    order = digits(strides, spans, encoder) if strides is not None else None
    if strides is not None and order is not None:
        yield _divide(order, strides, cell, spans, encoder)
        return
    for size in _candidate_sizes(index):
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
            encoder: Encoder) -> Solution:
    """Digits from the largest stride down. A negative stride counts its digit from the other end."""
    reflected = [name for name in order if is_positive(strides[name].scale(-1), encoder)]
    for name in reflected:
        cell = cell - strides[name] * spans[name].plus(-1)
    found: Solution = {}
    for name in order:
        size = _magnitude(strides[name], encoder)
        digit = quotient(cell, size, encoder)
        cell = cell - size * digit
        found[name] = spans[name].plus(-1) - digit if name in reflected else digit
    return found


def quotient(value: Poly, size: Poly, encoder: Encoder) -> Poly:
    """floor(value / size): exact when the size divides every term, else a fresh quotient."""
    if len(size.terms) == 1:
        (mono, coef), = size.terms.items()
        exact = {}
        for other, factor in value.terms.items():
            rest = divided(other, mono)
            if rest is None or factor % coef:
                return encoder.floor_quotient(value, size)
            exact[rest] = factor // coef
        return Poly(exact)
    return encoder.floor_quotient(value, size)


def _candidate_sizes(index: Poly) -> list[Poly]:
    """Sizes along which an index may be split: factors of its non-linear terms, then its coefficients."""
    names: dict[Atom, None] = {}
    for mono in sorted(index.terms):
        if len(mono) > 1:
            names.update(dict.fromkeys(each for each in mono if not each.owners and not each.is_size))
    numbers = sorted({abs(coef) for coef in index.terms.values() if abs(coef) > 1})
    return [Poly.atom(name) for name in names] + [Poly.number(number) for number in numbers]


def _split(index: Poly, cell: Poly, size: Poly, spans: Mapping[Atom, Poly], encoder: Encoder) -> Iterator[Solution]:
    """index = size·rows + columns, each solved on its own."""
    rows, columns = _parts(index, size)
    shared = {name for name in rows.atoms() & columns.atoms() if name in spans}
    if not rows.terms or not columns.terms or shared:
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
    row = encoder.floor_quotient(cell, size)
    return row, cell - size * row


def _looks_smaller(columns: Poly, size: Poly, encoder: Encoder) -> bool:
    """Whether 0 <= columns < size, where numbers can tell; a guess, proved later with the whole inverse."""
    low, high = encoder.interval(columns)
    return size.constant is None or (low >= 0 and high < size.constant)


def _parts(value: Poly, size: Poly) -> tuple[Poly, Poly]:
    (mono, coef), = size.terms.items()
    rows, columns = {}, {}
    for other, factor in value.terms.items():
        rest = divided(other, mono)
        if rest is not None and factor % coef == 0:
            rows[rest] = factor // coef
        else:
            columns[other] = factor
    return Poly(rows), Poly(columns)
