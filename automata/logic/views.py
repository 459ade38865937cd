"""Whose eyes a term is seen with, and which function of others an atom is."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from automata.logic.atom import EVERYBODY, Atom, Whose, of_symbol
from automata.logic.poly import Poly
from automata.logic.terms import Role, Symbol, Term


@dataclass(frozen=True, slots=True)
class View:
    """Whose eyes a term is seen with: names for the thread and its block. `is_inverse`: the thread was worked out from a cell, so
    there may be none."""

    thread: str = ""
    block: str = ""
    is_inverse: bool = False


ANY = View()


@dataclass(frozen=True, slots=True)
class Function:
    """An uninterpreted function. `op`: what it computes, `of`: of which contents of an array, or of which types; `whose`: threads
    or blocks have functions of their own. `array`: the array whose cells it gives, if it does; `is_truth`: it gives a truth."""

    op: str
    of: Hashable = ()
    whose: Whose = EVERYBODY
    array: str = ""
    is_truth: bool = False

    def __str__(self) -> str:
        """A text for people."""
        return f"{self.array or self.op}{self.whose}"


@dataclass(frozen=True, slots=True)
class Application:
    """An atom that is an uninterpreted function of integers."""

    function: Function
    args: tuple[Poly, ...]


def whose(term: Term, view: View) -> Whose:
    """The thread or block of a view that a term belongs to."""
    if term.roles & Role.THREAD:
        return Whose(view.thread, view.block)
    return Whose("", view.block) if term.roles & Role.BLOCK else EVERYBODY


def atom_of(term: Term, view: View) -> Atom:
    """The atom of a symbol, as a view sees it."""
    assert isinstance(term.data, Symbol)
    return of_symbol(term.data, whose(term, view))


def runs_of_ones(mask: int, bits: int, signed: bool) -> list[tuple[int, int | None]] | None:
    """The runs of ones [low, high) of a mask; high None: up to the sign, for good."""
    runs: list[tuple[int, int | None]] = []
    at = 0
    while at < bits:
        if not mask >> at & 1:
            at += 1
            continue
        start = at
        while at < bits and mask >> at & 1:
            at += 1
        runs.append((start, None if at == bits else at))
    return runs
