"""The pairs under tests/all_sizes are what they are said to be: run as C++, without anything of the engine that they measure."""

from __future__ import annotations

import multiprocessing
import signal
import sys
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pytest
from conftest import Run

sys.path.insert(0, str(Path(__file__).parent / "all_sizes"))
import emulated
import pairs

NAMES = [pair.name for pair in pairs.all_pairs()]
EXACT = ("bitwise", "bitwise-commutative", "int")
CLASSES = (*EXACT, "real", "real-exp-max")
MOST = 300
"""Launches on which a slip may hide."""
needs_compiler = pytest.mark.skipif(emulated.COMPILER is None, reason="no C++ compiler")


def in_a_child(work: Callable[[], str], seconds: int = 240) -> str:
    """What `work` says, run in a process of its own: a slip may never end, or write anywhere."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)

    def run_there() -> None:
        signal.alarm(seconds)
        try:
            sender.send(work())
        except BaseException as error:
            sender.send(f"{type(error).__name__}: {error}")

    child = context.Process(target=run_there)
    child.start()
    sender.close()
    try:
        return str(receiver.recv())
    except EOFError:
        return "died or took too long"
    finally:
        child.join()


def held(pair: pairs.Pair, seed: int, launches: int = 12) -> str:
    """Empty if both sides are deterministic, stay inside and come to the same at many launches; else what was seen."""
    is_exact = pair.equality in EXACT
    library = emulated.build(pair, {side: pair.text(side) for side in "ab"}, not is_exact)
    for at, sizes in enumerate(islice(pairs.launches(pair, seed), launches)):
        results = []
        data = emulated.made_up(pair, sizes, seed + at, library.is_wide)
        for side in "ab":
            first, other = (emulated.run(library, side, pair.kernels(side), sizes, data, order)
                            for order in (at % 3, (at + 1) % 3))
            if first is None or other is None or emulated.differ(pair, first, other, is_exact=False):
                return f"{side} is not deterministic at {sizes}"
            if emulated.strays(first, data):
                return f"{side} writes outside of {emulated.strays(first, data)} at {sizes}"
            results.append(first)
        if emulated.unlike(pair, sizes, results[0], results[1], is_exact):
            return f"a and b differ at {sizes}"
    return ""


def seen(pair: pairs.Pair, slip: pairs.Slip, seed: int) -> str:
    """Empty if the slip shows at some launch by more than rounding: against the other side, or itself in another order."""
    texts = {side: pair.text(side) for side in "ab"}
    of = "b" if slip.of == "relate" else slip.of
    whole = dict(texts, slip=texts[of] if slip.of == "relate" else slip.applied(texts[of]))
    pair = pair.slipped(slip) if slip.of == "relate" else pair
    library = emulated.build(pair, whole, is_wide=True)
    kernels = pair.kernels(of, whole["slip"])
    base = "a" if of == "b" else "b"
    for at, sizes in enumerate(islice(pairs.launches(pair, seed), MOST)):
        data = emulated.made_up(pair, sizes, seed + at, library.is_wide)
        first = emulated.run(library, "slip", kernels, sizes, data, 0)
        if slip.gives == "nondeterministic":
            others = [emulated.run(library, "slip", kernels, sizes, data, order) for order in (1, 2, 3)]
        else:
            others = [emulated.run(library, base, pair.kernels(base), sizes, data, 0)]
        for other in others:
            if first is None or other is None or (
                    emulated.differ(pair, first, other, is_exact=False) if slip.gives == "nondeterministic" else
                    emulated.unlike(pair, sizes, *((first, other) if of == "a" else (other, first)), is_exact=False)):
                return ""
    return "no launch shows it"


def unlike_without(pair: pairs.Pair, requirement: str) -> str:
    """Empty if the sides differ at some launch that meets every requirement but this one."""
    library = emulated.build(pair, {side: pair.text(side) for side in "ab"}, is_wide=True)
    for at, sizes in enumerate(islice(pairs.launches(pair, 1, without=requirement), 40)):
        data = emulated.made_up(pair, sizes, at, is_wide=True)
        one, other = (emulated.run(library, side, pair.kernels(side), sizes, data, 0) for side in "ab")
        if one is None or other is None or emulated.unlike(pair, sizes, one, other, is_exact=False):
            return ""
    return "no launch shows it"


def test_there_are_enough() -> None:
    all_pairs = pairs.all_pairs()
    assert len(all_pairs) >= 64 and sum(len(pair.slips) for pair in all_pairs) >= 300
    assert all(pair.equality in CLASSES for pair in all_pairs)
    assert all(slip.gives in ("different", "nondeterministic") for pair in all_pairs for slip in pair.slips)


@needs_compiler
@pytest.mark.sliced(4)
@pytest.mark.parametrize("name", NAMES)
def test_both_sides_come_to_the_same(name: str) -> None:
    pair = pairs.load(name)
    assert in_a_child(lambda: held(pair, 1)) == ""


@needs_compiler
@pytest.mark.drawn(3)
def test_both_sides_come_to_the_same_at_other_launches(seed: int) -> None:
    pair = pairs.load(NAMES[seed * 7919 % len(NAMES)])
    assert in_a_child(lambda: held(pair, seed)) == ""


SHOWN = (Path(__file__).parent / "all_sizes" / "shown.txt").read_text().split()
LAUNCHES = 20


@needs_compiler
@pytest.mark.sliced(40)
@pytest.mark.parametrize("name", SHOWN)
def test_what_is_shown_holds_at_random_launches(name: str, pytestconfig: pytest.Config) -> None:
    """Other ones with each `--seed`."""
    seed = 1000 + pytestconfig.getoption("--seed") * LAUNCHES
    assert in_a_child(lambda: held(pairs.load(name), seed, LAUNCHES)) == ""


SLIPS = [(pair.name, at) for pair in pairs.all_pairs() for at in range(len(pair.slips))]


@needs_compiler
@pytest.mark.sliced(16)
@pytest.mark.parametrize(("name", "at"), SLIPS)
def test_slip_changes_the_output(name: str, at: int) -> None:
    pair = pairs.load(name)
    assert in_a_child(lambda: seen(pair, pair.slips[at], 1)) == ""


NEEDED = [(pair.name, text) for pair in pairs.all_pairs() for text in pair.needed]


@needs_compiler
@pytest.mark.sliced(4)
@pytest.mark.parametrize(("name", "text"), NEEDED)
def test_requirement_is_needed(name: str, text: str) -> None:
    pair = pairs.load(name)
    assert in_a_child(lambda: unlike_without(pair, text)) == ""


@pytest.mark.sliced(8)
@pytest.mark.parametrize("name", NAMES)
def test_each_kernel_is_deterministic_at_a_launch(name: str, run: Run) -> None:
    pair = pairs.load(name)
    sizes = next(sizes for sizes in islice(pairs.launches(pair, 1), 1, None) if all(sizes.values()))
    for side in "ab":
        for kernel in pair.kernels(side):
            shape = {what: ",".join(str(pairs.valued(part, sizes)) for part in parts)
                     for what, parts in (("--grid", kernel.grid), ("--block", kernel.block))}
            scalars = [f"--arg={param.name}={sizes[param.name]}" for param in kernel.params if param.name in sizes]
            record = run("check", pair.folder / f"{side}.cu", "--kernel", kernel.name, "--format", "jsonl",
                         *[part for pair_of in shape.items() for part in pair_of], *scalars).records[0]
            asked = [record["properties"][what] for what in ("race-free", "barriers", "order-free")]
            assert asked == ["proved"] * 3, (kernel.name, sizes, record.get("reason"))


