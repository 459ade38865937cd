"""How many rounds a loop makes, and what a loop around it makes of that."""

from __future__ import annotations

import random
from itertools import product
from pathlib import Path

import pytest
from conftest import Run

from automata import arithmetic
from automata.logic import terms as T
from automata.logic.terms import Owner, Term
from automata.proof.symbolic.trips import trip_of
from automata.scalar import I32, I64, U32, U64, Scalar

FORMS = ("x < b", "x <= b", "b < x", "b <= x")


def value_of(term: Term, known: dict[Term, int]) -> int:
    """A term carried out on numbers."""
    if term in known:
        return known[term]
    if (number := T.constant_value(term)) is not None:
        return int(number)
    args = [value_of(arg, known) for arg in term.args]
    if term.op == "cast":
        return int(arithmetic.cast(args[0], term.args[0].type, term.type))
    if term.op == "ite":
        return args[1] if args[0] else args[2]
    return int(arithmetic.binary(term.op, args[0], args[1], term.args[0].type))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", [I32, U32, I64, U64], ids=str)
@pytest.mark.parametrize("first", [None, 0, 3], ids=str)
def test_the_test_fails_first_in_that_round(form: str, kind: Scalar, first: int | None) -> None:
    number, bound = T.symbol("trips round", I64, Owner.LAUNCH), T.symbol("trips bound", kind, Owner.LAUNCH)
    start = T.symbol("trips start", kind, Owner.LAUNCH) if first is None else T.const(first, kind)
    step = 1 if form.startswith("x") else -1
    times = T.cast(number, kind)
    back = T.binary("*", times, T.const(step if kind.signed else kind.high, kind))
    counter = T.binary("+", start, times if step == 1 else back)
    left, right = (counter, bound) if step == 1 else (bound, counter)
    test = T.binary("<=" if "=" in form else "<", left, right)
    trip = trip_of(test, number)
    assert trip is not None
    low = -4 if kind.signed else 0
    for x, b in product(range(low, 9) if first is None else [first], range(low, 9)):
        known = {start: x, bound: b}
        rounds = value_of(trip.given(lambda _: False), known)
        if not kind.signed and b == 0 and form == "b <= x":
            continue  # such a loop has no end
        assert rounds == next(k for k in range(20) if not value_of(test, {**known, number: k}))


def test_what_is_no_counter_tells_nothing() -> None:
    number, bound, other = (T.symbol(f"trips {name}", I64, Owner.LAUNCH) for name in ("n", "b", "o"))
    twice = T.binary("*", number, T.const(2, I64))
    nobodys = T.binary("+", bound, T.undefined("trips nobody", I64))
    for test in (T.binary("<", twice, bound), T.binary("<", number, T.binary("+", bound, number)), T.binary("==", number, bound),
                 T.binary("<", bound, number), T.binary("<", T.binary("*", number, other), bound), T.TRUE,
                 T.binary("<", number, nobodys)):
        assert trip_of(test, number) is None


CHANGED = """__global__ void k(int *out, int n) {{
  __shared__ int bound;
  int t = threadIdx.x, j = 0, last = 0;
  if (t == 0) bound = 3;
  __syncthreads();
  for (int i = 0; i < n; ++i) {{
    for (j = 0; j < bound; ++j) {{ __syncthreads(); if (t == 0 && j == 1) bound = 1; __syncthreads(); }}
    {used}
    last = j;
  }}
}}
"""


@pytest.mark.parametrize("used", ["out[t * 2 + (last == 2)] = t; if (last == 2 && t > 0) out[t * 2 - 1] = t;",
                                  "assert(last <= bound);"])
def test_a_bound_that_changes_in_the_loop_is_no_count(used: str, run: Run, tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(CHANGED.format(used=used))
    record = run("check", path, "--format", "jsonl", "--block", "4", "--grid", "1").records[0]
    assert record["verdict"] != "proved"


NEST = """__global__ void k(int *out, int k, int w, int h) {{
  int t = threadIdx.x;
  if (t >= h) return;
  {kind} p = {start};
  for ({outer}) {{ for ({inner}) {{ {store} p += h; }} {after} }}
}}
"""
UP, DOWN = "int i = 0; i < k; ++i", "int i = k; i > 0; --i"
SHORT = "int j = 0; j < w; ++j"


@pytest.mark.parametrize(("outer", "inner", "after", "verdict"), [
    (UP, SHORT, "", "proved"),
    (DOWN, SHORT, "", "proved"),
    (UP, "int j = 1; j <= w; ++j", "", "proved"),
    (UP, "long j = w; j > 0; --j", "", "proved"),
    (UP, "int j = 0; j < k; ++j", "", "proved"),
    (UP, "int j = 0; j < w; ++j) for (int l = 0; l < k; ++l", "", "proved"),
    (UP, SHORT, "p += h;", "proved"),
    (UP, SHORT, "p -= 1;", "refuted"),
    (UP, SHORT, "if (w < 2) p += 1;", "unknown"),
    (UP, f"{SHORT}) if (j == 1) p += 1; else for (int l = 0; l < 1; ++l", "", "unknown"),
])
@pytest.mark.parametrize("is_pointer", [False, True], ids=["index", "pointer"])
def test_cells_behind_inner_loops(outer: str, inner: str, after: str, verdict: str, is_pointer: bool, run: Run,
                                  tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    kind, start, store = ("int *", "out + t", "*p = t;") if is_pointer else ("int", "t", "out[p] = t;")
    path.write_text(NEST.format(kind=kind, start=start, outer=outer, inner=inner, store=store, after=after))
    found = run("check", path, "--format", "jsonl", "--require", "h > 0").records[0]["verdict"]
    assert found == verdict or (found, verdict) == ("refuted", "unknown")


WRAPS = """__global__ void k(int *out, int n, int m, int q) {{
  {kind} t = threadIdx.x;
  for (int i = 0; i < n; ++i)
    if (m > 0 && q > 0 && m * m == 61 * q * q + 1 + i) out[{cell}] = t;
}}
"""


@pytest.mark.parametrize(("kind", "cell"), [
    ("unsigned", "t * 2147483648u + i"),
    ("unsigned", "((t + 2) * 2147483648u + i) / 2147483648u"),
    ("int", "((t + 2) * 1073741824 + i) / 1073741824"),
    ("int", "t * 1073741824 + i"),
])
def test_what_wraps_at_small_sizes_is_not_assumed_away(kind: str, cell: str, run: Run, tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(WRAPS.format(kind=kind, cell=cell))
    assert run("check", path, "--format", "jsonl", "--block", "4", "--grid", "1").records[0]["verdict"] != "proved"


class Nest:
    """Two loops, as text and as what they do."""

    def __init__(self, chance: random.Random) -> None:
        self.loops = [(chance.choice(("up", "down", "through", "back")), chance.choice((-1, 0, 1, 2)),
                       chance.choice(("int", "int", "long", "short")), name) for name in "kw"]
        self.is_triangle, self.breaks_at = chance.random() < 0.15, chance.choice((None, None, None, 1))
        self.step = chance.choice(("h", "h", "h", "2 * h", "-h", "w", "h * k"))
        self.after = chance.choice(("0", "0", "h", "-1", "w * h"))
        self.stores = chance.choice(("inner", "inner", "outer", "last"))

    def text(self) -> str:
        heads = []
        for (form, low, kind, bound), name in zip(self.loops, "ij", strict=True):
            high = "i" if name == "j" and self.is_triangle else bound
            heads.append({"up": f"{kind} {name} = {low}; {name} < {high}; ++{name}",
                          "down": f"{kind} {name} = {high}; {name} > {low}; --{name}",
                          "through": f"{kind} {name} = {low}; {name} <= {high}; ++{name}",
                          "back": f"{kind} {name} = {high}; {name} >= {low}; --{name}"}[form])
        store = "out[p] = t;"
        inner, outer, last = (store if self.stores == place else "" for place in ("inner", "outer", "last"))
        leave = "" if self.breaks_at is None else f"if (j == {self.breaks_at}) break;"
        return f"""__global__ void k(int *out, int k, int w, int h) {{
  int t = threadIdx.x, p = t;
  if (t >= h) return;
  for ({heads[0]}) {{ for ({heads[1]}) {{ {leave} {inner} p += {self.step}; }} {outer} p += {self.after}; }}
  {last}
}}
"""

    def cells(self, t: int, sizes: dict[str, int]) -> set[int]:
        found, p = set(), t
        for i in self.rounds(0, sizes):
            for j in self.rounds(1, {**sizes, "w": i} if self.is_triangle else sizes):
                if j == self.breaks_at:
                    break
                found |= {p} if self.stores == "inner" else set()
                p += eval(self.step, {}, sizes)
            found |= {p} if self.stores == "outer" else set()
            p += eval(self.after, {}, sizes)
        return found | ({p} if self.stores == "last" else set())

    def rounds(self, at: int, sizes: dict[str, int]) -> range:
        form, low, _, name = self.loops[at]
        high = sizes[name]
        return {"up": range(low, high), "down": range(high, low, -1), "through": range(low, high + 1),
                "back": range(high, low - 1, -1)}[form]


@pytest.mark.sliced(12)
@pytest.mark.parametrize("number", range(60))
def test_what_is_proved_of_a_nest_is_so(number: int, run: Run, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    nest, path = Nest(random.Random(f"{request.config.getoption('--seed')} {number}")), tmp_path / "k.cu"
    path.write_text(nest.text())
    launch = "--block", "4", "--grid", "1", "--require", "h > 0"
    record = run("check", path, "--format", "jsonl", "--timeout", "10", *launch).records[0]
    if record["verdict"] == "proved":
        for k, w, h in product(range(-2, 4), range(-2, 4), range(1, 5)):
            cells = [nest.cells(t, {"k": k, "w": w, "h": h}) for t in range(h)]
            assert sum(map(len, cells)) == len(set().union(*cells)), (k, w, h)
