"""Whose eyes a term is seen with, and what stands behind an atom's name."""

from __future__ import annotations

from dataclasses import dataclass

from automata.logic.poly import Poly
from automata.logic.terms import Role, Term


@dataclass(frozen=True, slots=True)
class View:
    """Whose eyes a term is seen with: names for the thread and its block."""

    thread: str = ""
    block: str = ""


ANY = View()


@dataclass(frozen=True, slots=True)
class Application:
    """An atom or proposition that is an uninterpreted function of integer arguments."""

    function: str
    args: tuple[Poly, ...]
    is_prop: bool
    array: str = ""


def suffix(term: Term, view: View) -> str:
    """The name of the thread or block a term belongs to."""
    if term.roles & Role.THREAD:
        return f"${view.thread},{view.block}" if view.thread or view.block else ""
    if term.roles & Role.BLOCK:
        return f"${view.block}" if view.block else ""
    return ""


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
