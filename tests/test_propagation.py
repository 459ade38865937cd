"""What bounds propagation refutes has no solution: against every assignment within the bounds, and it does refute."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from conftest import Run
from formulas import holds

from automata.logic import poly as P
from automata.logic.atom import Atom, atom
from automata.logic.atoms import Atoms
from automata.logic.poly import And, Formula, Not, Or, Poly, Prop, Rel
from automata.logic.propagation import narrowed
from automata.logic.smt import Sat, Unsat, reset, solve
from automata.logic.views import Application, Function
from automata.scalar import U32

X, Y, Z, N, PROP_P, PROP_Q = (atom(("test", name), name) for name in ("x", "y", "z", "n", "p", "q"))
ATOMS = (X, Y, Z)


def some_poly(random: random.Random) -> Poly:
    terms = {tuple(sorted(random.choices(ATOMS, k=random.choice((1, 1, 1, 2, 3))))): random.randint(-4, 4)
             for _ in range(random.randint(1, 3))}
    return Poly({**terms, (): random.randint(-12, 12)})


def some_formula(random: random.Random, depth: int) -> Formula:
    if not depth or random.random() < 0.3:
        if random.random() < 0.15:
            return Prop(random.choice((PROP_P, PROP_Q)))
        return Rel(random.choice(("<=", "==")), some_poly(random))
    parts = tuple(some_formula(random, depth - 1) for _ in range(random.randint(1, 3)))
    made = And(parts) if random.random() < 0.5 else Or(parts)
    return Not(made) if random.random() < 0.2 else made


@pytest.mark.parametrize("seed", range(4))
def test_nothing_with_a_solution_is_refuted(seed: int) -> None:
    source = random.Random(seed)
    counts = {True: 0, False: 0}
    for _ in range(1200):
        formulas = [some_formula(source, 2) for _ in range(source.randint(1, 4))]
        bounds = {name: (low := source.randint(-3, 3), source.randint(low, 3)) for name in ATOMS}
        values = [range(bounds[name][0], bounds[name][1] + 1) for name in ATOMS]
        answer = narrowed(formulas, bounds) is None
        counts[answer] += 1
        if answer:
            for at in product(*values, (0, 1), (0, 1)):
                model = dict(zip((*ATOMS, PROP_P, PROP_Q), at, strict=True))
                assert not all(holds(formula, model) for formula in formulas), (formulas, model)
    assert min(counts.values()) >= 25, counts


def test_bounds_come_from_relations_and_cases() -> None:
    x, y, n = map(Poly.atom, (X, Y, N))
    free = {X: (0, 2**62), Y: (0, 1023), N: (-4096, 4096)}
    in_range = P.lt(x.scale(8), n)
    assert narrowed([in_range, P.lt(Poly.number(2**32), y * n + x)], free) is None
    assert narrowed([in_range, P.lt(Poly.number(2**21), y * n + x)], free) is not None
    cases = P.disj((in_range, P.conj((P.eq(x, Poly.number(3)), P.le(n, Poly.number(0))))))
    assert narrowed([cases, P.lt(Poly.number(2**32), y * n + x)], free) is None


@pytest.mark.parametrize("solver", ["z3", "cvc5"])
def test_queries_share_translations_and_nothing_else(solver: str) -> None:
    """Two applications to one argument are alike only where a query is told that they are applications; a model names the atoms
    of its own query, an argument among them."""
    reset()
    one, two, x, y = (atom(("test", "applied", name), name) for name in "abxy")
    below = P.le(Poly.atom(one) + Poly.number(1), Poly.atom(two))
    applications: dict[Atom, Application] = {}

    def ask(formula: Formula, given: dict[Atom, Application]) -> object:
        return solve([formula], given, milliseconds=1000, solver=solver)
    assert isinstance(ask(P.le(Poly.atom(x), Poly.number(0)), applications), Sat)
    applications |= {each: Application(Function("f"), (Poly.atom(y),)) for each in (one, two)}
    for _ in range(2):
        plain, applied = ask(below, {}), ask(below, applications)
        assert isinstance(plain, Sat) and set(plain.model) == {one, two} and plain.model[one] < plain.model[two]
        assert isinstance(applied, Unsat)
        alike = ask(P.le(Poly.atom(one), Poly.number(-3)), applications)
        assert isinstance(alike, Sat) and set(alike.model) == {one, y} and alike.model[one] <= -3


LCG = "h = h * 1664525u + 1013904223u"
WIDE = "h = h * 6364136223846793005ull + 1442695040888963407ull"
LONG = {
    "one residue of many rounds": ("refuted", "unsigned", 12, LCG, "if (h % 7u == 1u) out[threadIdx.x] = b;"),
    "residues of many rounds as an index": ("refuted", "unsigned", 40, LCG, "out[h % 60480u * 64 + threadIdx.x] = b;"),
    "low bits of many rounds as an index": ("refuted", "unsigned", 40, LCG, "out[(h & 7u) * 64 + threadIdx.x] = b;"),
    "one residue of rounds of 64 bits": ("refuted", "unsigned long long", 8, WIDE, "if (h % 7u == 3u) out[threadIdx.x] = b;"),
    "a residue of one block alone": ("proved", "unsigned", 40, LCG, "if (h % 7u == 1u && b == 5u) out[threadIdx.x] = b;"),
    "one value of many rounds": ("proved", "unsigned", 40, LCG, "if (h == 1u) out[threadIdx.x] = b;"),
}


@pytest.mark.parametrize("name", LONG)
def test_values_beyond_the_bounds_of_what_has_none(name: str, run: Run, kernel_file: Callable[..., Path]) -> None:
    """Before a value of many rounds is reduced to its type it is beyond every bound that stands for "none is known"."""
    verdict, kind, rounds, step, store = LONG[name]
    path = kernel_file(f"__global__ void k(unsigned *out) {{ unsigned b = blockIdx.x; {kind} h = b;\n"
                       f"for (int r = 0; r < {rounds}; r++) {step}; {store} }}")
    assert run("check", path, "--block", 64, "--format", "jsonl").records[0]["verdict"] == verdict


@pytest.mark.parametrize("rounds", [1, 6, 11, 40])
def test_a_reduced_value_has_the_values_that_it_has(rounds: int) -> None:
    """What is known of a value that is reduced to 32 bits admits what Python computes, and not the next number."""
    atoms, factor, at, x = Atoms(), 1664525 ** rounds, 12345, atom(("test", "x"), "x")
    atoms.known(x, (0, 2**31 - 1))
    turns = atoms.turns(atom(("test", "turns", rounds), "turns"), Poly.atom(x).scale(factor).plus(factor // 3), U32)
    whole = factor * at + factor // 3
    left = Poly.atom(x).scale(factor).plus(factor // 3) - turns.scale(2**32)
    given = [P.eq(Poly.atom(x), Poly.number(at))]
    for residue, is_left in ((whole % 2**32, True), (whole % 2**32 + 1, False)):
        assert (narrowed([*given, P.eq(left, Poly.number(residue))], atoms.intervals) is not None) is is_left
