"""Cooperative groups, method by method, as the CUDA C++ Programming Guide defines them (chapter 8).

Small kernels run on the machine, for blocks of one to three dimensions whose size need not be a multiple of a warp's or of a
tile's. What each thread has to get is worked out here from lists of threads: a block's threads in the order of their ranks, cut
into warps of 32 and these into tiles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import prod
from pathlib import Path

import pytest
from conftest import Run

from automata.lang.launch import Launch
from automata.lang.read import find_kernels
from automata.machine.running.run import Program
from automata.machine.state.outcome import Outcome, Setting
from automata.proof.known.context import known_numbers, prepare
from automata.rewriting.lower import lower
from automata.thread.build import build

HEAD = """#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
struct Pair { int a; float b; };
"""
START = """auto block = cg::this_thread_block(); auto grid = cg::this_grid();
unsigned r = threadIdx.x + blockDim.x * threadIdx.y + blockDim.x * blockDim.y * threadIdx.z; unsigned v = (r * 7 + 3) % 5; int q;
"""
BLOCKS = [(32, 1, 1), (64, 1, 1), (40, 1, 1), (7, 1, 1), (1, 1, 1), (8, 8, 1), (5, 9, 1), (3, 5, 7), (4, 4, 4)]
SIZES = [(32, 32), (32, 16), (32, 8), (32, 4), (32, 2), (32, 1), (16, 16), (16, 4), (8, 2), (4, 4), (4, 1), (2, 2), (1, 1)]


@dataclass(frozen=True)
class Thread:
    """A thread and the threads that its block has, by rank."""

    rank: int
    block: int

    @property
    def value(self) -> int:
        return value(self.rank)

    @property
    def warp(self) -> list[int]:
        return self.tile(32)

    def tile(self, size: int) -> list[int]:
        first = self.rank // size * size
        return [rank for rank in range(first, first + size) if rank < self.block]


def value(rank: int) -> int:
    return (rank * 7 + 3) % 5


def packed(truths: list[bool]) -> int:
    return sum(1 << at for at, truth in enumerate(truths) if truth)


def program(text: str, folder: Path) -> Program:
    path = folder / "k.cu"
    path.write_text(text)
    kernel = find_kernels(str(path))[0].read()
    return Program(build(lower(kernel, known_numbers(prepare(kernel, Launch())))))


def launch(made: Program, block: tuple[int, int, int], grid: tuple[int, int, int] = (1, 1, 1)) -> Outcome:
    return made.run(Setting(grid, block, {}, initial=lambda array, index: -1 - index))


Wanted = Callable[[Thread], int | float | None]
Rows = dict[str, Wanted]
"""An expression and its value for a thread; None where the guide says nothing."""


def odd(rows: Rows, folder: Path, setup: str = "", blocks: list[tuple[int, int, int]] = BLOCKS,
        test: str = "true") -> list[object]:
    """The expressions that do not come to what is wanted, in which block, for which of the threads for which a test holds."""
    stores = " ".join(f"o[r * {len(rows)} + {at}] = (double)({text});" for at, text in enumerate(rows))
    made = program(f"{HEAD}__global__ void k(double *o) {{ {START} if ({test}) {{ {setup} {stores} }} }}", folder)
    wrong = list[object]()
    for block in blocks:
        outcome = launch(made, block)
        assert not outcome.conflicts and not outcome.divergences
        found = outcome.contents("o")
        for rank in range(prod(block)):
            for at, (text, wanted) in enumerate(rows.items()):
                want = wanted(Thread(rank, prod(block)))
                if want is not None and found.get(rank * len(rows) + at) != want:
                    wrong.append((text, block, rank, want, found.get(rank * len(rows) + at)))
    return wrong


# -- blocks and grids ---------------------------------------------------------------------------------


def test_blocks_and_grids(tmp_path: Path) -> None:
    names = {"block.thread_rank()": 0, "block.num_threads()": 1, "block.size()": 1, "grid.thread_rank()": 2,
             "grid.num_threads()": 3, "grid.size()": 3,
             "grid.block_rank()": 4, "grid.num_blocks()": 5, "grid.is_valid()": 6, "cg::thread_rank(block)": 0,
             "cg::group_size(block)": 1, "cg::thread_rank(grid)": 2, "cg::group_size(grid)": 3, "general.size()": 1,
             "general.num_threads()": 1, "general.thread_rank()": 0, "whole.size()": 3, "whole.num_threads()": 3,
             "whole.thread_rank()": 2, "cg::this_thread().size()": 6, "cg::this_thread().thread_rank()": 7,
             **{f"block.{name}().{axis}": 8 + at for name in ("dim_threads", "group_dim") for at, axis in enumerate("xyz")},
             **{f"block.group_index().{axis}": 11 + at for at, axis in enumerate("xyz")},
             **{f"block.thread_index().{axis}": 14 + at for at, axis in enumerate("xyz")},
             **{f"grid.{name}().{axis}": 17 + at for name in ("dim_blocks", "group_dim") for at, axis in enumerate("xyz")},
             **{f"{name}.{axis}": 11 + at for name in ("grid.block_index()", "cg::group_index(block)")
                for at, axis in enumerate("xyz")},
             **{f"cg::thread_index(block).{axis}": 14 + at for at, axis in enumerate("xyz")}}
    stores = " ".join(f"o[grid.thread_rank() * {len(names)} + {at}] = {text};" for at, text in enumerate(names))
    made = program(f"{HEAD}__global__ void k(int *o) {{ {START} cg::thread_group general = block, whole = grid; general.sync();"
                   f" cg::sync(block); cg::synchronize(block); {stores} }}", tmp_path)
    for block, grid in (((5, 1, 1), (3, 1, 1)), ((4, 3, 1), (2, 3, 1)), ((2, 3, 4), (3, 2, 2))):
        outcome = launch(made, block, grid)
        assert not outcome.divergences and not outcome.conflicts
        found = outcome.contents("o")
        blocks = [(x, y, z) for z in range(grid[2]) for y in range(grid[1]) for x in range(grid[0])]
        threads = [(x, y, z) for z in range(block[2]) for y in range(block[1]) for x in range(block[0])]
        everyone = [(where, thread) for where in blocks for thread in threads]
        for at, (where, thread) in enumerate(everyone):
            known = [threads.index(thread), len(threads), at, len(everyone), blocks.index(where), len(blocks), 1, 0,
                     *block, *where, *thread, *grid]
            for name, (text, which) in enumerate(names.items()):
                assert found[at * len(names) + name] == known[which], (text, where, thread)


# -- tiles --------------------------------------------------------------------------------------------


def tile_rows(tile: str, size: int, parent: Callable[[Thread], tuple[int, int]]) -> Rows:
    """What a tile of a size answers; `parent`: its rank in what it is a part of, and how many are."""

    def among(what: Callable[[Thread, list[int]], int | float | None]) -> Wanted:
        return lambda thread: what(thread, thread.tile(size))

    def whole(what: Callable[[list[int], int], int | float | None]) -> Wanted:
        """Where the tile has all its lanes: its values and the own rank in it."""
        return lambda thread: (what(list(map(value, thread.tile(size))), thread.rank % size)
                               if len(thread.tile(size)) == size else None)

    return {
        f"{tile}.size()": lambda _: size, f"{tile}.num_threads()": lambda _: size,
        f"{tile}.thread_rank()": lambda thread: thread.rank % size,
        f"{tile}.meta_group_rank()": lambda thread: parent(thread)[0],
        f"{tile}.meta_group_size()": lambda thread: parent(thread)[1],
        f"cg::thread_rank({tile})": lambda thread: thread.rank % size, f"cg::group_size({tile})": lambda _: size,
        f"{tile}.any(v == 4)": among(lambda _, ranks: any(value(rank) == 4 for rank in ranks)),
        f"{tile}.all(v != 4)": among(lambda _, ranks: all(value(rank) != 4 for rank in ranks)),
        f"{tile}.all(true)": lambda _: 1, f"{tile}.any(false)": lambda _: 0,
        f"{tile}.ballot(v > 1)": among(lambda _, ranks: packed([value(rank) > 1 for rank in ranks])),
        f"{tile}.match_any(v)": among(lambda thread, ranks: packed([value(rank) == thread.value for rank in ranks])),
        f"{tile}.match_any((long long)v << 40)": among(
            lambda thread, ranks: packed([value(rank) == thread.value for rank in ranks])),
        f"{tile}.match_any((short)v)": among(lambda thread, ranks: packed([value(rank) == thread.value for rank in ranks])),
        f"({tile}.match_all(v, q), q)": among(lambda _, ranks: len(set(map(value, ranks))) == 1),
        f"{tile}.match_all(v, q)": among(lambda _, ranks: packed([True] * len(ranks)) * (len(set(map(value, ranks))) == 1)),
        f"{tile}.match_all(r / 32, q)": among(lambda _, ranks: packed([True] * len(ranks))),
        f"{tile}.shfl(v, 0)": whole(lambda values, _: values[0]),
        f"{tile}.shfl(v, {size - 1})": whole(lambda values, _: values[-1]),
        f"{tile}.shfl(v, (r * 5 + 1) % {size})": lambda thread: (
            value(thread.tile(size)[(thread.rank * 5 + 1) % size]) if len(thread.tile(size)) == size else None),
        f"{tile}.shfl_down(v, 1)": whole(lambda values, at: values[at + 1] if at + 1 < size else values[at]),
        f"{tile}.shfl_down(v, {size // 2})": whole(
            lambda values, at: values[at + size // 2] if at + size // 2 < size else values[at]),
        f"{tile}.shfl_up(v, 1)": whole(lambda values, at: values[max(at - 1, 0)]),
        f"{tile}.shfl_up(v, 3)": whole(lambda values, at: values[at - 3] if at >= 3 else values[at]),
        f"{tile}.shfl_xor(v, {size // 2})": whole(lambda values, at: values[at ^ (size // 2)]),
        f"{tile}.shfl(v * 0.5, 0)": whole(lambda values, _: values[0] * 0.5),
        f"{tile}.shfl(Pair{{(int)v, v * 0.5f}}, 0).a": whole(lambda values, _: values[0]),
        f"{tile}.shfl(Pair{{(int)v, v * 0.5f}}, 0).b": whole(lambda values, _: values[0] * 0.5),
        f"cg::reduce({tile}, v, cg::plus<unsigned>())": whole(lambda values, _: sum(values)),
        f"cg::reduce({tile}, (int)v, cg::less<int>())": whole(lambda values, _: min(values)),
        f"cg::reduce({tile}, (int)v, cg::greater<>())": whole(lambda values, _: max(values)),
        f"cg::reduce({tile}, v, cg::bit_or<unsigned>())": whole(lambda values, _: folded(int.__or__, values)),
        f"cg::reduce({tile}, v, cg::bit_and<unsigned>())": whole(lambda values, _: folded(int.__and__, values)),
        f"cg::reduce({tile}, v, cg::bit_xor<unsigned>())": whole(lambda values, _: folded(int.__xor__, values)),
        f"cg::reduce({tile}, (long long)v << 40, cg::plus<long long>())": whole(lambda values, _: sum(values) << 40),
        f"cg::reduce({tile}, v * 0.25f, cg::plus<float>())": whole(lambda values, _: sum(values) * 0.25),
        f"cg::reduce({tile}, v, [](unsigned a, unsigned b) {{ return a + b; }})": whole(lambda values, _: sum(values)),
        f"cg::inclusive_scan({tile}, v)": whole(lambda values, at: sum(values[:at + 1])),
        f"cg::inclusive_scan({tile}, v, cg::greater<unsigned>())": whole(lambda values, at: max(values[:at + 1])),
        f"cg::inclusive_scan({tile}, v, cg::plus<unsigned>())": whole(lambda values, at: sum(values[:at + 1])),
        f"cg::exclusive_scan({tile}, v)": whole(lambda values, at: sum(values[:at])),
        f"cg::exclusive_scan({tile}, v, cg::bit_or<unsigned>())": whole(lambda values, at: folded(int.__or__, [0, *values[:at]])),
        f"cg::exclusive_scan({tile}, v * 0.25f)": whole(lambda values, at: sum(values[:at]) * 0.25),
    }


def folded(operation: Callable[[int, int], int], values: list[int]) -> int:
    found = values[0]
    for item in values[1:]:
        found = operation(found, item)
    return found


@pytest.mark.sliced(3)
@pytest.mark.parametrize(("outer", "inner"), SIZES)
def test_tiles_and_tiles_of_tiles(outer: int, inner: int, tmp_path: Path) -> None:
    setup = (f"auto tile = cg::tiled_partition<{outer}>(block); auto part = cg::tiled_partition<{inner}>(tile);"
             f" cg::thread_block_tile<{inner}> erased = part; cg::thread_group general = part;"
             f" cg::thread_group wide = cg::tiled_partition(block, {outer}), narrow = cg::tiled_partition(tile, {inner});"
             f" cg::thread_group again = cg::tiled_partition(wide, {inner}); again.sync(); tile.sync();"
             " part.sync(); general.sync(); wide.sync(); narrow.sync(); cg::sync(part);")

    def within(thread: Thread) -> tuple[int, int]:
        return thread.rank % outer // inner, outer // inner

    tile = tile_rows("tile", outer, lambda thread: (thread.rank // outer, -(-thread.block // outer)))
    part, erased = tile_rows("part", inner, within), tile_rows("erased", inner, within)
    few = {text: wanted for text, wanted in erased.items() if "meta" in text or "rank" in text or "shfl_down" in text}
    general: Rows = {}
    for name, size in (("general", inner), ("wide", outer), ("narrow", inner), ("again", inner)):
        def members(thread: Thread, size: int = size, whole: bool = name in ("general", "narrow")) -> int:
            """A tile of constant width has it; one whose width is an argument has the threads that are left of a block."""
            return size if whole else min(size, thread.block - thread.rank // size * size)

        general |= {f"{name}.size()": members, f"{name}.num_threads()": members,
                    f"{name}.thread_rank()": lambda thread, size=size: thread.rank % size}  # type: ignore[misc]
    assert not odd({**(tile if outer == inner else part), **few, **general}, tmp_path, setup)


# -- coalesced groups ---------------------------------------------------------------------------------


def group_rows(name: str, members: Callable[[Thread], list[int]], place: Callable[[Thread], tuple[int, int]]) -> Rows:
    """What a group of some lanes answers; `place`: its number among its likes, and how many there are."""

    def of(what: Callable[[list[int], int], int | float | None]) -> Wanted:
        return lambda thread: what(list(map(value, members(thread))), members(thread).index(thread.rank))

    return {
        f"{name}.size()": of(lambda values, _: len(values)), f"{name}.num_threads()": of(lambda values, _: len(values)),
        f"{name}.thread_rank()": of(lambda _, at: at), f"cg::thread_rank({name})": of(lambda _, at: at),
        f"{name}.meta_group_rank()": lambda thread: place(thread)[0],
        f"{name}.meta_group_size()": lambda thread: place(thread)[1],
        f"{name}.any(v == 4)": of(lambda values, _: 4 in values), f"{name}.all(v != 4)": of(lambda values, _: 4 not in values),
        f"{name}.ballot(v % 2)": of(lambda values, _: packed([item % 2 == 1 for item in values])),
        f"{name}.match_any(v)": of(lambda values, at: packed([item == values[at] for item in values])),
        f"{name}.match_all(v, q)": of(lambda values, _: packed([True] * len(values)) * (len(set(values)) == 1)),
        f"({name}.match_all(v, q), q)": of(lambda values, _: len(set(values)) == 1),
        f"{name}.shfl(v, 0)": of(lambda values, _: values[0]),
        f"{name}.shfl(v, {name}.size() - 1)": of(lambda values, _: values[-1]),
        f"{name}.shfl(v, ({name}.thread_rank() + 2) % {name}.size())": of(lambda values, at: values[(at + 2) % len(values)]),
        f"{name}.shfl_down(v, 1)": of(lambda values, at: values[min(at + 1, len(values) - 1)]),
        f"{name}.shfl_down(v, 2)": of(lambda values, at: values[at + 2] if at + 2 < len(values) else values[at]),
        f"{name}.shfl_up(v, 1)": of(lambda values, at: values[max(at - 1, 0)]),
        f"{name}.shfl_up(v, 3)": of(lambda values, at: values[at - 3] if at >= 3 else values[at]),
        f"{name}.shfl(Pair{{(int)v, v * 0.5f}}, 0).b": of(lambda values, _: values[0] * 0.5),
        f"cg::reduce({name}, v, cg::plus<unsigned>())": of(lambda values, _: sum(values)),
        f"cg::reduce({name}, (int)v, cg::less<int>())": of(lambda values, _: min(values)),
        f"cg::inclusive_scan({name}, v)": of(lambda values, at: sum(values[:at + 1])),
        f"cg::exclusive_scan({name}, v)": of(lambda values, at: sum(values[:at])),
        f"cg::exclusive_scan({name}, v, cg::greater<unsigned>())": of(lambda values, at: max([0, *values[:at]])),
    }


def active(thread: Thread) -> list[int]:
    return [rank for rank in thread.warp if value(rank) > 1]


def cut(ranks: list[int], rank: int, width: int) -> list[int]:
    first = ranks.index(rank) // width * width
    return ranks[first:first + width]


def labelled(ranks: list[int], label: Callable[[int], int], rank: int) -> tuple[list[int], tuple[int, int]]:
    """The ranks with one label, and its number in the order in which labels turn up."""
    labels = list(dict.fromkeys(map(label, ranks)))
    return [item for item in ranks if label(item) == label(rank)], (labels.index(label(rank)), len(labels))


def test_threads_that_happen_to_be_together(tmp_path: Path) -> None:
    rows = group_rows("some", active, lambda _: (0, 1))
    rows |= {"general.size()": lambda thread: len(active(thread)),
             "general.thread_rank()": lambda thread: active(thread).index(thread.rank),
             "general.num_threads()": lambda thread: len(active(thread)),
             "part.size()": lambda thread: len(cut(active(thread), thread.rank, 4)),
             "part.thread_rank()": lambda thread: active(thread).index(thread.rank) % 4}

    def here(wanted: Wanted) -> Wanted:
        return lambda thread: wanted(thread) if thread.value > 1 else None

    assert not odd({text: here(wanted) for text, wanted in rows.items()}, tmp_path,
            "auto some = cg::coalesced_threads(); cg::thread_group general = some; some.sync(); general.sync(); cg::sync(some);"
            " cg::thread_group part = cg::tiled_partition(general, 4); part.sync();",
            test="v > 1")


@pytest.mark.parametrize("width", [1, 2, 4, 8, 16, 32])
def test_tiles_of_threads_that_happen_to_be_together(width: int, tmp_path: Path) -> None:
    rows = group_rows("some", lambda thread: cut(active(thread), thread.rank, width),
                      lambda thread: (active(thread).index(thread.rank) // width, -(-len(active(thread)) // width)))

    def here(wanted: Wanted) -> Wanted:
        return lambda thread: wanted(thread) if thread.value > 1 else None

    assert not odd({text: here(wanted) for text, wanted in rows.items()}, tmp_path,
            f"auto some = cg::tiled_partition(cg::coalesced_threads(), {width}); some.sync();", test="v > 1")


def parted(ranks: list[int], test: Callable[[int], bool], rank: int) -> tuple[list[int], tuple[int, int]]:
    """The threads that answer a test as this one does; which of how many groups that is: one, where all answer alike."""
    mine = [other for other in ranks if test(other) == test(rank)]
    count = 1 if len(mine) == len(ranks) else 2
    return mine, (int(test(rank)) * (count - 1), count)


@pytest.mark.parametrize("size", [32, 8, 2])
def test_partitions_by_label_and_by_predicate(size: int, tmp_path: Path) -> None:
    def by_label(thread: Thread) -> tuple[list[int], tuple[int, int]]:
        return labelled(thread.tile(size), lambda rank: rank * rank % 3, thread.rank)

    def by_test(thread: Thread) -> tuple[list[int], tuple[int, int]]:
        return parted(thread.tile(size), lambda rank: value(rank) > 2, thread.rank)

    setup = (f"auto tile = cg::tiled_partition<{size}>(block); auto one = cg::labeled_partition(tile, (int)(r * r % 3));"
             " auto two = cg::binary_partition(tile, v > 2); one.sync(); two.sync();")
    rows = {**group_rows("one", lambda thread: by_label(thread)[0], lambda thread: by_label(thread)[1]),
            **group_rows("two", lambda thread: by_test(thread)[0], lambda thread: by_test(thread)[1])}
    assert not odd(rows, tmp_path, setup)


def test_partitions_of_threads_that_happen_to_be_together(tmp_path: Path) -> None:
    def by_label(thread: Thread) -> tuple[list[int], tuple[int, int]]:
        return labelled(active(thread), lambda rank: rank % 4, thread.rank)

    def by_test(thread: Thread) -> tuple[list[int], tuple[int, int]]:
        return parted(active(thread), lambda rank: rank % 2 == 1, thread.rank)

    def here(wanted: Wanted) -> Wanted:
        return lambda thread: wanted(thread) if thread.value > 1 else None

    rows = {**group_rows("one", lambda thread: by_label(thread)[0], lambda thread: by_label(thread)[1]),
            **group_rows("two", lambda thread: by_test(thread)[0], lambda thread: by_test(thread)[1])}
    assert not odd({text: here(wanted) for text, wanted in rows.items()}, tmp_path,
            "auto all = cg::coalesced_threads(); auto one = cg::labeled_partition(all, r % 4);"
            " auto two = cg::binary_partition(all, r % 2 == 1);", test="v > 1")


# -- who waits for whom -------------------------------------------------------------------------------

FOUR = "auto g = cg::tiled_partition<4>(cg::tiled_partition<32>(block));"
GENERAL = "cg::thread_group g = cg::tiled_partition(block, 4);"
ONE_WRITES = "__shared__ int s[64]; if ({0}.thread_rank() == 0) s[r / {1}] = r; {2} o[r] = s[r / {1}];"
WAITING = {
    "four threads sync alone": (FOUR + "if (r / 4 == 1) g.sync(); o[r] = 1;", ""),
    "four threads of a general group sync alone": (GENERAL + "if (r / 4 == 1) g.sync(); o[r] = 1;", ""),
    "one of four is missing": (FOUR + "if (r != 5) g.sync(); o[r] = 1;", "diverges"),
    "one of four is missing in a general group": (GENERAL + "if (r != 5) g.sync(); o[r] = 1;", "diverges"),
    "one of four has returned": (FOUR + "if (r == 5) return; g.sync(); o[r] = 1;", ""),
    "half of a warp is missing": ("auto g = cg::tiled_partition<32>(block); if (r % 32 < 16) g.sync(); o[r] = 1;", "diverges"),
    "a shuffle of four without one": (FOUR + "if (r != 5) o[r] = g.shfl(r, 0);", "diverges"),
    "a vote of four alone": (FOUR + "if (r / 4 == 1) o[r] = g.any(r == 5);", ""),
    "a block of which some are missing": ("cg::thread_group g = block; if (r < 32) g.sync(); o[r] = 1;", "diverges"),
    "four read what one wrote": (FOUR + ONE_WRITES.format("g", 4, "g.sync();"), ""),
    "four of a general group read what one wrote": (GENERAL + ONE_WRITES.format("g", 4, "g.sync();"), ""),
    "eight read what one of them wrote to four":
        (FOUR + ONE_WRITES.format("cg::tiled_partition<8>(block)", 8, "g.sync();"), "race"),
    "32 read what one of them wrote to four of a general group":
        (GENERAL + ONE_WRITES.format("cg::tiled_partition<32>(block)", 32, "g.sync();"), "race"),
    "a block reads what a warp waited for":
        ("auto g = cg::tiled_partition<32>(block);" + ONE_WRITES.format("block", 64, "g.sync();"), "race"),
    "a block reads what a block waited for": ("cg::thread_group g = block;" + ONE_WRITES.format("block", 64, "g.sync();"), ""),
    "a shuffle orders nothing": (FOUR + ONE_WRITES.format("g", 4, "g.shfl(r, 0);"), "race"),
    "one thread waits for nobody": ("auto g = cg::tiled_partition<1>(block);"
                                    + ONE_WRITES.format("cg::tiled_partition<2>(block)", 2, "g.sync();"), "race"),
    "who is together waits": ("__shared__ int s[64]; if (v > 1) { auto g = cg::coalesced_threads(); s[r] = r; g.sync();"
                              " o[r] = s[g.shfl(r, 0)]; }", ""),
    "a general group of who is together":
        ("if (v > 1) { cg::thread_group g = cg::coalesced_threads(); g.sync(); o[r] = 1; }", ""),
    "a label's threads wait for each other alone": ("auto g = cg::labeled_partition(cg::tiled_partition<32>(block), r % 3);"
                                                    " if (r % 3 == 1) g.sync(); o[r] = 1;", ""),
    "one of a label is missing": ("auto g = cg::labeled_partition(cg::tiled_partition<32>(block), r % 3);"
                                  " if (r != 4) g.sync(); o[r] = 1;", "diverges"),
}


@pytest.mark.parametrize("name", WAITING)
def test_a_group_waits_for_its_own_threads_and_orders_them_alone(name: str, tmp_path: Path) -> None:
    body, wanted = WAITING[name]
    made = program(f"{HEAD}__global__ void k(int *o) {{ {START} {body} }}", tmp_path)
    for block in ((64, 1, 1), (8, 8, 1), (58, 1, 1)):
        outcome = launch(made, block)
        races = any(conflict.rule == "race" for conflict in outcome.conflicts)
        assert ("diverges" if outcome.divergences else "race" if races else "") == wanted, block


PROOFS = {
    "four threads sync alone": ("barriers", "proved"), "one of four is missing": ("barriers", "refuted"),
    "four threads of a general group sync alone": ("barriers", "proved"),
    "one of four is missing in a general group": ("barriers", "refuted"),
    "four read what one wrote": ("race-free", "proved"),
    "eight read what one of them wrote to four": ("race-free", "refuted"),
    "32 read what one of them wrote to four of a general group": ("race-free", "refuted"),
    "a block reads what a block waited for": ("race-free", "proved"),
}


@pytest.mark.parametrize("name", PROOFS)
def test_what_check_says_of_groups(name: str, run: Run, kernel_file: Callable[..., Path]) -> None:
    prop, wanted = PROOFS[name]
    path = kernel_file(f"{HEAD}__global__ void k(int *o) {{ {START} {WAITING[name][0]} }}")
    record = run("check", path, "--block", 64, "--grid", 1, "--format", "jsonl").records[0]
    assert record["properties"][prop] == wanted, record


@pytest.mark.parametrize(("kind", "group", "said"), [("float", "cg::tiled_partition<32>(block)", True),
                                                     ("int", "cg::tiled_partition<32>(block)", False),
                                                     ("double", "cg::coalesced_threads()", True)])
@pytest.mark.parametrize("call", ["cg::reduce(g, x[r], cg::plus<{}>())", "cg::exclusive_scan(g, x[r])"])
def test_the_order_of_float_sums_is_an_assumption(call: str, kind: str, group: str, said: bool, run: Run,
                                                  kernel_file: Callable[..., Path]) -> None:
    body = f"{START} auto g = {group}; x[r] = {call.format(kind)};"
    record = run("check", kernel_file(f"{HEAD}__global__ void k({kind} *x) {{ {body} }}"), "--block", 32, "--grid", 1,
                 "--format", "jsonl").records[0]
    assert any("combine floats by halves" in text for text in record["assumptions"]) is said


# -- what is refused ----------------------------------------------------------------------------------

REFUSED = {
    "auto g = cg::tiled_partition<64>(block); g.sync();": "tile_of_more_than_32_threads",
    "__shared__ cg::block_tile_memory<1024> m; auto g = cg::this_thread_block(m);": "this_thread_block",
    "auto t = block.barrier_arrive(); block.barrier_wait(static_cast<decltype(t)&&>(t));": "barrier_arrive",
    "auto g = cg::this_cluster(); g.sync();": "this_cluster",
    "auto g = cg::this_multi_grid(); g.sync();": "this_multi_grid",
    "o[0] = grid.num_clusters();": "num_clusters",
    "__shared__ int s[64]; cg::memcpy_async(block, s, o, 64 * sizeof(int)); cg::wait(block);": "memcpy_async",
    "cg::invoke_one(block, [] {});": "invoke_one",
    "cg::thread_group g = block; o[0] = cg::tiled_partition<4>(g).size();": "tiled_partition",
    "auto g = cg::tiled_partition<4>(cg::coalesced_threads()); g.sync();": "tiled_partition",
}


@pytest.mark.parametrize("body", REFUSED)
def test_what_is_not_read_is_refused_by_name(body: str, run: Run, kernel_file: Callable[..., Path]) -> None:
    record = run("check", kernel_file(f"{HEAD}__global__ void k(int *o) {{ {START} {body} }}"), "--format", "jsonl").records[0]
    assert record["verdict"] == "unsupported" and REFUSED[body] in record["reason"], record


@pytest.mark.parametrize("body", ["cg::tiled_partition<3>(block).sync();",
                                  "cg::tiled_partition<16>(cg::tiled_partition<4>(block)).sync();"])
def test_what_no_compiler_takes_is_not_read(body: str, run: Run, kernel_file: Callable[..., Path]) -> None:
    record = run("check", kernel_file(f"{HEAD}__global__ void k(int *o) {{ {START} {body} }}"), "--format", "jsonl").records[0]
    assert record["verdict"] in ("invalid", "unsupported"), record


def cases() -> Iterator[str]:
    """All expressions of the tables above."""
    yield from tile_rows("t", 4, lambda _: (0, 1))
    yield from group_rows("t", active, lambda _: (0, 1))


def test_every_method_of_the_header_is_in_a_table() -> None:
    import re

    header = (Path(__file__).parent.parent / "automata" / "lang" / "stubs" / "groups.h").read_text()
    bodies = re.findall(r"(?m)^\s*(?:template<[^>]*>\s*)?__spmd_in (?:static )?(?:constexpr )?[\w ]+? (\w+)\(", header)
    text = Path(__file__).read_text() + " ".join(cases())
    assert not [name for name in bodies if not name.startswith("__") and f"{name}(" not in text and f'"{name}"' not in text]
