"""Which cases of the long cross-checks a run of the tests looks at.

A test marked `sliced(n)` has more cases than a run of minutes can hold: a plain run looks at one case in SPARSE*n, the same ones
each time (`sliced(1)`: at all of them). Of the files in SAMPLED a plain run looks at one case in SAMPLE, whatever test it is of,
unless the command names the file. A test marked `drawn(count)` has `count` cases that differ in a number, its argument `seed`;
`--seed` says where they begin. Of all of those,

- `--slice K` (0 to 9) looks at one case in ten, and at no other test: ten slices are all there is;
- `--all` looks at every case, and at every other test.

A case belongs to a slice by a checksum of its name, so it stays there when others come and go. `--minutes M` begins no case after
that time; what was not begun is counted at the end, with what ran and why cases were skipped. `tests/full.py` puts it together.
"""

from __future__ import annotations

import random
import time
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

SLICES = 10
SPARSE, SAMPLE = 5, 27
SAMPLED = """
addresses agreeing alignment any_block asked_for at_launch at_one_launch atomic_loads bits_and_scales carry certify choices
claims_of_equality cluster contents core cub cub_blocks data deep diff distances divided_sizes divisors elaborate elision
endless extent_flag extremes few_blocks few_rounds float_order float_ranges flow following found frontends general generic
generic_along generic_averages generic_blocks generic_bounded generic_breaks generic_digits generic_finer generic_found
generic_gathered generic_multiples generic_never generic_passed generic_places generic_residues generic_rests generic_scans
generic_staged generic_tallies generic_uniform generic_until generic_xors groups half_choices handed host host_arithmetic
host_counting host_doubts host_hidden_calls host_inputs host_instances host_lambdas host_languages host_library host_opencl
host_opencl_options host_pointers host_recorded host_rounds host_told host_traits host_unread images in_step instance_names
instantiated integrations interrupt intrinsics known large_fills large_launches last_block library_classes library_in_runs
limits machine masked_sizes mended minimise modular mutation named_includes names nbody_app near_misses observed_terms
one_buffer one_sided open_pairs open_sums open_values opencv option_places orders outside_launches own_values packets
pair_launches papers parts_of_words picked pitch places_judged places_of_headers pocl preconditions preprocess printf
program_options project propagation ptx quotients_of_requirements radix random_tallies range_for ranges reals recording
recording_cuda recording_programs recording_within records_over_words regressions related_sizes relations repeat replay_script
required_of_pairs requirements_without_a_sign rotation rounding scopes seen_on_a_gpu settings setup_py shifts sigmoids
sign_of_zero signs_and_conversions simd smaller_groups spread strips studies thrust tiles torch trips twin typing undefined
updates_of_bits validated which_race work_limits wrapping_programs wraps_in_sums
"""
"""Files of tests that take most of the time together; a plain run ends within four minutes on two processors. In it stay whole:
the commands and what they print, kernels and pairs with a stated answer, amplified runs, prover against machine, the laws."""
_SAMPLED = frozenset(SAMPLED.split())
DEEPER = 20
"""How many times as many examples a slice or a whole run asks of hypothesis, and others each time."""
MOST_SEEDS = 1_000_000
"""The cases that one `--seed` may draw: the next one begins behind them."""
NOT_BEGUN = "no time was left"


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("slices", "cases of long tests")
    group.addoption("--all", action="store_true", help="every case of every test")
    group.addoption("--slice", type=int, metavar="K", help=f"slice K of {SLICES} of the long tests alone")
    group.addoption("--seed", type=int, default=0, metavar="N", help="where random cases begin (default 0)")
    group.addoption("--minutes", type=float, metavar="M", help="begin no case of a long test after M minutes")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "sliced(n): a plain run looks at few cases, the fewer the larger n is")
    config.addinivalue_line("markers", "drawn(count): as many cases, each with a seed of its own")
    config.stash[_BEGAN] = time.monotonic()
    config.stash[_NAMED] = ({Path(each.partition("::")[0]).resolve() for each in config.args}
                            if config.getoption("--slice") is None else set())
    _Depth.is_deep = config.getoption("--all") or config.getoption("--slice") is not None


class _Depth:
    """Whether this run looks at slices or at everything: tests are decorated when their modules are read."""

    is_deep = False


settings.register_profile("no_clock", deadline=None, suppress_health_check=list(HealthCheck))
settings.load_profile("no_clock")
"""No law fails because the machine is busy: hypothesis minds neither how long an example takes nor how long it takes to draw."""


def examples(count: int) -> settings:
    """How many examples of a law a run looks at: of a plain run the same ones each time, else by `--hypothesis-seed`."""
    return settings(max_examples=count * DEEPER if _Depth.is_deep else count, derandomize=not _Depth.is_deep)


_BEGAN = pytest.StashKey[float]()
_NAMED = pytest.StashKey[set[Path]]()
"""Files that the command asks for."""


@pytest.hookimpl(wrapper=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> Iterator[None]:
    """The cases of tests with random seeds. Of a test's cases those that this run does not look at are left out before there are
    items of them: there are five times as many as it looks at, and making them took longer than all that is read for them. One
    stays, for a test has none without."""
    mark = metafunc.definition.get_closest_marker("drawn")
    if mark is not None:
        first = metafunc.config.getoption("--seed") * MOST_SEEDS
        metafunc.parametrize("seed", [pytest.param(first + at, id=str(at)) for at in range(mark.args[0])])
    yield
    test = metafunc.definition
    metafunc._calls[:] = [case for case in metafunc._calls if _is_in(test, f"{test.nodeid}[{case.id}]")] or metafunc._calls[:1]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what this run does not look at; the cases of a slice in an order by the seed."""
    kept: list[pytest.Item] = []
    left: list[pytest.Item] = []
    for item in items:
        (kept if _is_in(item, item.nodeid) else left).append(item)
    if config.getoption("--slice") is not None and not config.getoption("--all"):
        random.Random(config.getoption("--seed")).shuffle(kept)
    config.hook.pytest_deselected(items=left)
    items[:] = kept


def _is_in(item: pytest.Item, case: str) -> bool:
    """Whether this run looks at a case, by its name, of a test."""
    if item.config.getoption("--all"):
        return True
    chosen = item.config.getoption("--slice")
    share = _share(item, item.config.stash[_NAMED])
    if chosen is not None:
        return share is not None and _number(case) % SLICES == chosen % SLICES
    return share is None or _number(case) // SLICES % share == 0


def _share(item: pytest.Item, named: set[Path]) -> int | None:
    """Of how many cases a plain run looks at one; None where it looks at all, and no slice does. `named`: files that the command
    asks for."""
    mark = item.get_closest_marker("sliced")
    if mark is not None:
        return int(mark.args[0]) * SPARSE if mark.args[0] > 1 else 1
    is_sampled = item.path.stem.removeprefix("test_") in _SAMPLED and item.path not in named
    return SAMPLE if is_sampled else None


def _number(case: str) -> int:
    """Which case this is, by its name."""
    return zlib.crc32(case.encode())


def pytest_runtest_setup(item: pytest.Item) -> None:
    minutes = item.config.getoption("--minutes")
    if minutes is not None and time.monotonic() - item.config.stash[_BEGAN] > 60 * minutes:
        pytest.skip(NOT_BEGUN)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """What ran of each test, where a run looked at slices or at everything."""
    if config.getoption("--collect-only") or (config.getoption("--slice") is None and not config.getoption("--all")):
        return
    rows: dict[str, Counter[str]] = {}
    for outcome in ("passed", "failed", "error", "skipped"):
        for report in terminalreporter.stats.get(outcome, []):
            is_late = outcome == "skipped" and NOT_BEGUN in str(report.longrepr)
            rows.setdefault(report.nodeid.partition("[")[0], Counter())["not begun" if is_late else outcome] += 1
    terminalreporter.section("what ran")
    for name, counts in sorted(rows.items()):
        terminalreporter.line(f"{name.rpartition('/')[2]}: " + ", ".join(f"{count} {what}" for what, count in counts.items()))
    terminalreporter.line(f"seed {config.getoption('--seed')}, slice {config.getoption('--slice')} of {SLICES}"
                          if config.getoption("--slice") is not None else f"everything, seed {config.getoption('--seed')}")
