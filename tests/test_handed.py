"""Memory handed over by flags: proved where fences and a flag order two threads, refuted where they do not.

Random programs of a few threads are run in random orders by a simulator of its own, with vector clocks as the model of memory has
them: what is proved free of races shows none there.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import pytest
from conftest import Run

# -- written kernels -----------------------------------------------------------------------------------

GOOD = {
    "a test of the flag": "if (b == 0) { data[0] = 42; F; set(1); } else if (get() == 1) { F; out[b] = data[0]; }",
    "a loop until it is raised": "if (b == 0) { data[0] = 42; F; set(1); } else { while (get() == 0) ; F; out[b] = data[0]; }",
    "any value but the first": "if (b == 0) { data[0] = 4; F; set(n > 3 ? 2 : 5); }"
                               " else if (get() != 0) { F; out[b] = data[0]; }",
    "many cells": "if (b == 0) { for (int i = 0; i < n; i++) data[i] = i; F; set(1); }"
                  " else if (get() > 0) { F; for (int i = 0; i < n; i++) out[b * 64 + i] = data[i]; }",
    "the last of all blocks": "data[b] = b; F; if (count() == gridDim.x - 1) { F; int s = 0;"
                              " for (int i = 0; i < gridDim.x; i++) s += data[i]; out[0] = s; }",
    "the last, counted round": "data[b] = b; F; if (atomicInc((unsigned *)flag, gridDim.x) == gridDim.x - 1) { F; int s = 0;"
                               " for (int i = 0; i < gridDim.x; i++) s += data[i]; out[b] = s; }",
    "raised twice": "if (b == 0) { data[0] = 1; F; set(1); set(2); } else if (get() >= 1) { F; out[b] = data[0]; }",
    "read before it is written": "if (b == 0) { out[0] = data[0]; F; set(1); }"
                                 " else if (b == 1) { if (get() == 1) { F; data[0] = 7; } }",
    "a flag for each block": "if (b == 0) { data[0] = 3; F; for (int i = 1; i < 4; i++) ; atomicExch(&flag[1], 1);"
                             " atomicExch(&flag[2], 1); }"
                             " else if (b < 3 && atomicAdd(&flag[b], 0) == 1) { F; out[b] = data[0]; }",
}
BAD = {
    "no fence of the writer": "if (b == 0) { data[0] = 42; set(1); } else if (get() == 1) { F; out[b] = data[0]; }",
    "no fence of the reader": "if (b == 0) { data[0] = 42; F; set(1); } else if (get() == 1) { out[b] = data[0]; }",
    "the fence before the store": "if (b == 0) { F; data[0] = 42; set(1); } else if (get() == 1) { F; out[b] = data[0]; }",
    "the fence before the test": "if (b == 0) { data[0] = 42; F; set(1); } else { F; if (get() == 1) out[b] = data[0]; }",
    "a narrow fence": "if (b == 0) { data[0] = 42; __threadfence_block(); set(1); }"
                      " else if (get() == 1) { F; out[b] = data[0]; }",
    "a narrow fence of the reader": "if (b == 0) { data[0] = 42; F; set(1); }"
                                    " else if (get() == 1) { __threadfence_block(); out[b] = data[0]; }",
    "the value that it had": "if (b == 0) { data[0] = 42; F; set(1); } else if (get() == 0) { F; out[b] = data[0]; }",
    "not tested": "if (b == 0) { data[0] = 42; F; set(1); } else { get(); F; out[b] = data[0]; }",
    "raised too early": "if (b == 0) { F; set(1); data[0] = 42; F; set(2); } else if (get() >= 1) { F; out[b] = data[0]; }",
    "raised by another": "if (b == 0) { data[0] = 42; F; set(1); } else if (b == 1) { F; set(1); }"
                         " else if (get() == 1) { F; out[b] = data[0]; }",
    "written again": "if (b == 0) { data[0] = 4; F; set(1); data[0] = 5; } else if (get() == 1) { F; out[b] = data[0]; }",
    "the last but one": "data[b] = b; F; if (count() == gridDim.x - 2) { F; int s = 0;"
                        " for (int i = 0; i < gridDim.x; i++) s += data[i]; out[0] = s; }",
    "the last, a narrow fence": "data[b] = b; __threadfence_block(); if (count() == gridDim.x - 1) { F; int s = 0;"
                                " for (int i = 0; i < gridDim.x; i++) s += data[i]; out[0] = s; }",
    "counted before it is stored": "int mine = count(); data[b] = b; F; if (mine == gridDim.x - 1) { F; int s = 0;"
                                   " for (int i = 0; i < gridDim.x; i++) s += data[i]; out[0] = s; }",
    "one counts twice": "data[b] = b; F; if (b == 1) count(); if (count() == gridDim.x - 1) { F; int s = 0;"
                        " for (int i = 0; i < gridDim.x; i++) s += data[i]; out[0] = s; }",
    "one does not count": "data[b] = b; F; if (b != 2 && count() == gridDim.x - 2) { F; int s = 0;"
                          " for (int i = 0; i < gridDim.x; i++) s += data[i]; out[0] = s; }",
    "another block's flag": "if (b == 0) { F; atomicExch(&flag[1], 1); data[0] = 3; F; atomicExch(&flag[2], 1); }"
                            " else if (b < 3 && atomicAdd(&flag[b], 0) == 1) { F; out[b] = data[0]; }",
}
HEAD = """#define F __threadfence()
#define set(v) atomicExch(flag, v)
#define get() atomicAdd(flag, 0)
#define count() atomicAdd(flag, 1)
// spmd: block=32 grid=4 require flag[i] == 0, n >= 1, n <= 8
__global__ void k(int *data, int *flag, int *out, int n) {
  if (threadIdx.x != 0) return;
  int b = blockIdx.x;
"""


@pytest.mark.parametrize("name", [*GOOD, *BAD])
def test_what_a_flag_orders(name: str, run: Run, kernel_file: Any) -> None:
    record = run("check", kernel_file(f"{HEAD}  {(GOOD | BAD)[name]}\n}}"), "--format", "jsonl").records[0]
    assert record["properties"]["race-free"] in (("proved",) if name in GOOD else ("refuted", "unknown")), record.get("reason")
    if name in ("no fence of the writer", "no fence of the reader", "a narrow fence", "the last, a narrow fence"):
        assert record["properties"]["race-free"] == "refuted"


@pytest.mark.parametrize(("name", "shows"), [("a test of the flag", True), ("any value but the first", True),
                                             ("a loop until it is raised", False), ("the last of all blocks", False)])
def test_whether_it_shows_who_comes_first(name: str, shows: bool, run: Run, kernel_file: Any) -> None:
    record = run("check", kernel_file(f"{HEAD}  {GOOD[name]}\n}}"), "--format", "jsonl").records[0]
    assert (record["properties"]["order-free"] == "refuted") is shows, record["findings"]


ORDERS = {("release", "acquire", "device"): "proved", ("relaxed", "acquire", "device"): "refuted",
          ("release", "relaxed", "device"): "refuted", ("release", "acquire", "block"): "refuted",
          ("seq_cst", "seq_cst", "system"): "proved", ("acq_rel", "acquire", "device"): "proved"}


@pytest.mark.parametrize("orders", ORDERS)
@pytest.mark.parametrize("waits", [True, False])
def test_orders_of_atomic_references(orders: tuple[str, str, str], waits: bool, run: Run, kernel_file: Any) -> None:
    before, behind, scope = orders
    load = f"f.load(cuda::memory_order_{behind})"
    read = f"while ({load} == 0) ; out[0] = data[0];" if waits else f"if ({load} == 1) out[0] = data[0];"
    text = f"""#include <cuda/atomic>
// spmd: block=32 grid=2 require flag[0] == 0
__global__ void k(int *data, int *flag, int *out) {{
  cuda::atomic_ref<int, cuda::thread_scope_{scope}> f(flag[0]);
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {{ data[0] = 42; f.exchange(1, cuda::memory_order_{before}); }} else {{ {read} }}
}}"""
    record = run("check", kernel_file(text), "--format", "jsonl").records[0]
    assert record["properties"]["race-free"] == ORDERS[orders], record.get("reason")


@pytest.mark.parametrize("body", [
    "g.store(1, cuda::memory_order_release); f.store(1, cuda::memory_order_relaxed);",
    "f.store(1, cuda::memory_order_relaxed); g.store(1, cuda::memory_order_release);"])
def test_a_release_orders_with_its_own_flag_alone(body: str, run: Run, kernel_file: Any) -> None:
    text = f"""#include <cuda/atomic>
// spmd: block=32 grid=2 require flag[i] == 0
__global__ void k(int *data, int *flag, int *other, int *out) {{
  cuda::atomic_ref<int, cuda::thread_scope_device> f(flag[0]), g(other[0]);
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {{ data[0] = 42; {body} }} else if (f.load(cuda::memory_order_acquire) == 1) out[0] = data[0];
}}"""
    assert run("check", kernel_file(text), "--format", "jsonl").records[0]["properties"]["race-free"] != "proved"


@pytest.mark.parametrize(("other", "is_free"), [("s[1] = 2;", True), ("out[1000] = 2;", False)])
def test_what_is_handed_over_is_not_what_the_last_barrier_left(other: str, is_free: bool, run: Run, kernel_file: Any) -> None:
    text = f"""// spmd: block=32 grid=1 require flag[0] == 0
__global__ void k(int *flag, int *out, int n) {{
  __shared__ int s[2];
  if (threadIdx.x == 0) s[0] = 0;
  __syncthreads();
  if (threadIdx.x == 0) {{ s[0] = n == 123456 ? 1000 : 0; __threadfence_block(); atomicExch(flag, 1); }}
  else if (threadIdx.x == 1) {{ while (atomicAdd(flag, 0) == 0) ; __threadfence_block(); out[s[0]] = 1; }}
  else if (threadIdx.x == 2) {{ {other} }}
}}"""
    assert (run("check", kernel_file(text), "--format", "jsonl").records[0]["properties"]["race-free"] == "proved") is is_free


STANDING = {("release", "acquire"): True, ("acq_rel", "acq_rel"): True, ("seq_cst", "acquire"): True,
            ("acquire", "acquire"): False, ("release", "release"): False, ("relaxed", "acquire"): False}


@pytest.mark.parametrize("orders", STANDING)
@pytest.mark.parametrize("waits", [True, False])
def test_orders_of_fences(orders: tuple[str, str], waits: bool, run: Run, kernel_file: Any) -> None:
    before, behind = (f"cuda::atomic_thread_fence(cuda::memory_order_{order}, cuda::thread_scope_device);" for order in orders)
    read = f"while (atomicAdd(flag, 0) == 0) ; {behind} out[0] = data[0];" if waits else (
        f"if (atomicAdd(flag, 0) == 1) {{ {behind} out[0] = data[0]; }}")
    text = f"""#include <cuda/atomic>
// spmd: block=1 grid=2 require flag[0] == 0
__global__ void k(int *data, int *flag, int *out) {{
  if (blockIdx.x == 0) {{ data[0] = 42; {before} atomicExch(flag, 1); }} else {{ {read} }}
}}"""
    record = run("check", kernel_file(text), "--format", "jsonl").records[0]
    assert (record["properties"]["race-free"] == "proved") is STANDING[orders]


@pytest.mark.parametrize(("fence", "is_one"), [("membar.cta", True), ("fence.acq_rel.cta", True), ("fence.proxy.async", False)])
def test_a_fence_between_proxies_is_none_between_threads(fence: str, is_one: bool, run: Run, kernel_file: Any) -> None:
    text = f"""// spmd: block=32 grid=1 require flag[0] == 0
__global__ void k(int *data, int *flag, int *out) {{
  if (threadIdx.x == 0) {{ data[0] = 10; asm volatile("{fence};" ::: "memory"); atomicExch(flag, 1); }}
  else if (threadIdx.x == 1) {{ while (atomicAdd(flag, 0) == 0) ; __threadfence(); out[0] = data[0]; }}
}}"""
    assert (run("check", kernel_file(text), "--format", "jsonl").records[0]["properties"]["race-free"] == "proved") is is_one


# -- random programs -----------------------------------------------------------------------------------

CELLS, FLAGS, BLOCKS, WIDE, NARROW = 2, 2, 3, "__threadfence()", "__threadfence_block()"
Code = list[tuple[Any, ...]]
Stamp = dict[int, int]


def drawn(r: random.Random, depth: int, cells: int) -> Code:
    """A random body of one thread; most of them hand something over, or nearly do."""
    found: Code = []
    for _ in range(r.randint(1, 4)):
        kind = r.choice(["write", "read", "fence", "fence", "fence", "set", "add", "when", "when"])
        if kind == "fence":
            found.append(("fence", r.choice([WIDE, WIDE, WIDE, NARROW])))
        elif kind in ("write", "read"):
            found.append((kind, r.randrange(cells)))
        elif kind == "set":
            found.append(("set", r.randrange(FLAGS), r.randint(1, 2)))
        elif kind == "add":
            found.append(("add", r.randrange(FLAGS)))
        elif depth:
            flag, test = r.randrange(FLAGS), (r.choice(["==", ">=", "!="]), r.randint(0, BLOCKS))
            how = r.choice(["get", "get", "add"])
            found.append(("when", how, flag, test, [("fence", WIDE)] * r.randint(0, 1) + drawn(r, depth - 1, cells)))
    return found


def handing(r: random.Random) -> list[Code]:
    """A body for each block: one hands over and others take, with something changed; or all count."""
    fences: Code = [("fence", r.choice([WIDE, WIDE, WIDE, NARROW]))] * r.choice([1, 1, 1, 0])
    acquired: Code = [("fence", r.choice([WIDE, WIDE, WIDE, NARROW]))] * r.choice([1, 1, 1, 0])
    if r.random() < 0.4:
        test = ("==", r.choice([BLOCKS - 1, BLOCKS - 1, BLOCKS - 2]))
        return [[("write", b % CELLS if r.random() < .05 else b + CELLS), *(fences if r.random() < .95 else []),
                 ("when", "add", 0, test, [*acquired, *(("read", c + CELLS) for c in range(BLOCKS))])] for b in range(BLOCKS)]
    first: Code = [("write", 0), *fences, ("set", 0, 1), *(drawn(r, 0, CELLS) if r.random() < .2 else [])]
    test = (r.choice(["==", ">=", "!="]), r.choice([1, 1, 1, 0, 2]))
    others: list[Code] = [[("when", "get", r.choice([0, 0, 0, 1]), test, [*acquired, (r.choice(["read", "read", "write"]), 0)])]
                          for _ in range(BLOCKS - 1)]
    others[-1] = others[-1] if r.random() < .8 else drawn(r, 1, CELLS)
    return [first, *others]


def text_of(code: Code) -> str:
    parts = []
    for item in code:
        match item:
            case ("write", cell):
                parts.append(f"data[{cell}] = b + 1;")
            case ("read", cell):
                parts.append(f"out[b] += data[{cell}];")
            case ("fence", call):
                parts.append(f"{call};")
            case ("set", flag, value):
                parts.append(f"atomicExch(&flag[{flag}], {value});")
            case ("add", flag):
                parts.append(f"atomicAdd(&flag[{flag}], 1);")
            case ("when", how, flag, (op, value), body):
                parts.append(f"if (atomicAdd(&flag[{flag}], {int(how == 'add')}) {op} {value}) {{ {text_of(body)} }}")
    return " ".join(parts)


def kernel_of(program: list[Code]) -> str:
    cases = " ".join(f"if (b == {at}) {{ {text_of(code)} }}" for at, code in enumerate(program))
    return f"""// spmd: block=1 grid={BLOCKS} require flag[i] == 0
__global__ void k(int *data, int *flag, int *out) {{ int b = blockIdx.x; {cases} }}"""


def joined(one: Stamp, other: Stamp) -> Stamp:
    return {key: max(one.get(key, 0), other.get(key, 0)) for key in one.keys() | other.keys()}


@dataclass
class Thread:
    """What a thread still does; what it knows, has released, and has seen of others without a fence yet."""

    todo: list[tuple[Any, ...]]
    knows: Stamp
    released: Stamp = field(default_factory=dict)
    seen: Stamp = field(default_factory=dict)


def races(program: list[Code], r: random.Random) -> bool:
    """Whether one random order of the threads' steps shows a race. All threads are of blocks of their own: narrow fences do
    nothing between them."""
    threads = [Thread(list(code), {at: 1}) for at, code in enumerate(program)]
    flags, messages = [0] * FLAGS, [Stamp() for _ in range(FLAGS)]
    touched: dict[int, list[tuple[int, int, bool]]] = {}
    while waiting := [at for at, thread in enumerate(threads) if thread.todo]:
        at = r.choice(waiting)
        thread, item = threads[at], threads[at].todo.pop(0)
        match item[0]:
            case "write" | "read":
                for other, time, writes in touched.setdefault(item[1], []):
                    if other != at and (writes or item[0] == "write") and thread.knows.get(other, 0) < time:
                        return True
                touched[item[1]].append((at, thread.knows[at], item[0] == "write"))
            case "fence" if item[1] == WIDE:
                thread.knows = joined(thread.knows, thread.seen)
                thread.released = dict(thread.knows)
                thread.knows[at] += 1
            case "set" | "add" | "when":
                flag = item[1] if item[0] != "when" else item[2]
                old, updates = flags[flag], item[0] != "when" or item[1] == "add"
                thread.seen = joined(thread.seen, messages[flag])
                if updates:
                    messages[flag] = joined(messages[flag], thread.released)
                    flags[flag] = item[2] if item[0] == "set" else old + 1
                if item[0] == "when":
                    op, value = item[3]
                    if {"==": old == value, ">=": old >= value, "!=": old != value}[op]:
                        thread.todo[:0] = item[4]
    return False


@pytest.mark.drawn(40)
def test_what_is_proved_races_in_no_order(seed: int, run: Run, kernel_file: Any) -> None:
    r = random.Random(seed)
    program = handing(r)
    record = run("check", kernel_file(kernel_of(program)), "--format", "jsonl").records[0]
    if any(races(program, r) for _ in range(400)):
        assert record["properties"]["race-free"] != "proved", kernel_of(program)


def test_the_simulator_tells_good_from_bad() -> None:
    r = random.Random(1)
    good: list[Code] = [[("write", 0), ("fence", WIDE), ("set", 0, 1)],
                        [("when", "get", 0, ("==", 1), [("fence", WIDE), ("read", 0)])]]
    assert not any(races(good, r) for _ in range(500))
    for at, bad in ((0, [("write", 0), ("set", 0, 1)]), (0, [("write", 0), ("fence", NARROW), ("set", 0, 1)]),
                    (1, [("when", "get", 0, ("==", 1), [("read", 0)])]), (1, [("when", "get", 0, ("==", 0), [("read", 0)])])):
        assert any(races([*good[:at], bad, *good[at + 1:]], r) for _ in range(500)), bad


LAST = """// spmd: block=64 grid=4 require count[0] == 0
__global__ void sum(const float *in, unsigned *count, volatile float *part, float *out) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    part[blockIdx.x] = in[blockIdx.x];
    __threadfence();
    last = atomicInc(count, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) { float s = 0; for (int i = 0; i < gridDim.x; i++) s += part[i]; out[0] = s; }
}
"""


@pytest.mark.parametrize(("left_out", "found"), [("", "unknown"), ("volatile ", "refuted"), ("__threadfence();", "refuted")])
def test_volatile_results_need_no_second_fence(left_out: str, found: str, run: Run, kernel_file: Any) -> None:
    """The last block adds up as in NVIDIA's programming guide: no race is confirmed. Without `volatile` it needs a fence."""
    record = run("check", kernel_file(LAST.replace(left_out, "", 1) if left_out else LAST), "--format", "jsonl").records[0]
    assert record["properties"]["race-free"] == found
