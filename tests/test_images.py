"""Images that kernels write: pixels as cells, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Run

Write = Callable[..., Path]
HEAD = "__kernel void k(__read_only image2d_t src, __write_only image2d_t dst, sampler_t s, int w, int h) {\n" \
       "  int x = get_global_id(0), y = get_global_id(1), tx = get_local_id(0), ty = get_local_id(1);\n"
COPY = "if (x < w && y < h) write_imagef(dst, (int2)(x, y), read_imagef(src, s, (int2)(x, y)));"
PUT = "write_imagef(dst, (int2)(x, y), (float4)(x));"
LAUNCH = "// spmd: block=8,8 grid=3,2 w=24 h=16\n"
DIRECT = ("float4 sum = (float4)(0.0f); for (int dy = -1; dy <= 1; dy++) for (int dx = -1; dx <= 1; dx++)"
          " sum += read_imagef(src, s, (int2)(x + dx, y + dy)); write_imagef(dst, (int2)(x, y), sum / 9.0f);")
TILED = """__local float4 tile[10][10]; int x0 = get_group_id(0) * 8 - 1, y0 = get_group_id(1) * 8 - 1;
  for (int at = ty * 8 + tx; at < 100; at += 64) tile[at / 10][at % 10] = read_imagef(src, s, (int2)(x0 + at % 10, y0 + at / 10));
  barrier(CLK_LOCAL_MEM_FENCE);
  float4 sum = (float4)(0.0f);
  for (int dy = 0; dy < 3; dy++) for (int dx = 0; dx < 3; dx++) sum += tile[ty + dy][tx + dx];
  write_imagef(dst, (int2)(x, y), sum / 9.0f);"""


def checked(body: str, run: Run, kernel_file: Write, launch: str = "") -> dict[str, Any]:
    path = kernel_file(f"{launch}{HEAD}  {body}\n}}\n", "k.cl")
    record: dict[str, Any] = run("check", path, "--format", "jsonl").records[0]
    return record


@pytest.mark.parametrize(("body", "race_free"), [
    (COPY, "proved"),
    (COPY.replace("(x, y), read", "(x / 2, y), read"), "refuted"),
    (COPY.replace("(x, y), read", "(y, x), read"), "proved"),
    (COPY.replace("(x, y), read", "(x + y, 0), read"), "refuted"),
    ("write_imagef(dst, (int2)(0, 0), (float4)(1.0f));", "proved"),
    ("write_imagei(dst, (int2)(0, y), (int4)(x));", "refuted"),
    ("if (x < w) write_imageui(dst, (int2)(x, y), (uint4)(x));", "proved")])
def test_pixels_are_cells(body: str, race_free: str, run: Run, kernel_file: Write) -> None:
    record = checked(body, run, kernel_file)
    assert record["properties"]["race-free"] == race_free, record


def test_a_race_names_the_pixel(run: Run, kernel_file: Write) -> None:
    record = checked(COPY.replace("(x, y), read", "(x / 2, y), read"), run, kernel_file, LAUNCH)
    messages = [finding["message"] for finding in record["findings"] if finding["rule"] == "race"]
    assert any("dst.x[" in message and "][" in message for message in messages), messages


def test_what_is_taken_for_granted_is_printed(run: Run, kernel_file: Write) -> None:
    assumed = checked(COPY, run, kernel_file)["assumptions"]
    assert "images keep what is written to them (dst)" in assumed
    assert "no two parameters are one image (dst, src)" in assumed


@pytest.mark.parametrize(("body", "told"), [
    ("write_imagef(src, (int2)(x, y), read_imagef(src, s, (int2)(y, x)));", "'src', which the kernel both reads and writes"),
    ("write_imagef(dst, (int2)(x, y), (float4)(0)); write_imagei(dst, (int2)(x, y), (int4)(0));", "written as float and as int")])
def test_what_is_refused(body: str, told: str, run: Run, kernel_file: Write) -> None:
    record = checked(body, run, kernel_file)
    assert record["verdict"] == "unsupported" and told in record["reason"], record["reason"]


@pytest.mark.parametrize(("a", "b", "verdict"), [
    (DIRECT, TILED, "equal"),
    (DIRECT, TILED.replace("dx < 3", "dx < 2"), "unknown"),
    (DIRECT, TILED.replace("(x, y)", "(y, x)"), "unknown"),
    (DIRECT, TILED.replace("barrier(CLK_LOCAL_MEM_FENCE);", ""), "nondeterministic"),
    (DIRECT, DIRECT.replace("write_imagef", "if (x) write_imagef"), "unknown"),
    (PUT, PUT.replace("4)(x", "4)(tx + get_group_id(0) * 8"), "equal"), (PUT, PUT.replace("4)(x", "4)(tx"), "different"),
    (PUT, PUT + PUT.replace("(x, y)", "(x - 64, y)"), "unknown"), (PUT, PUT + PUT.replace("(x, y)", "(x + 64, y)"), "different")])
def test_images_are_outputs(a: str, b: str, verdict: str, run: Run, kernel_file: Write) -> None:
    paths = [kernel_file(f"{LAUNCH}{HEAD}  {body}\n}}\n", name) for body, name in ((a, "a.cl"), (b, "b.cl"))]
    (record,) = run("equiv", *paths, "--format", "jsonl").records
    assert record["verdict"] == verdict, record


def test_an_image_between_kernels_is_refused(run: Run, kernel_file: Write) -> None:
    one = kernel_file(f"{LAUNCH}{HEAD} write_imagef(dst, (int2)(x, y), read_imagef(src, s, (int2)(x, y)));\n}}\n", "one.cl")
    two = kernel_file(f"""{LAUNCH}{HEAD} write_imagef(dst, (int2)(x, y), (float4)(1.0f));\n}}
{LAUNCH}{HEAD.replace("void k", "void again").replace("src", "dst").replace("image2d_t dst, sampler", "image2d_t end, sampler")}
  write_imagef(end, (int2)(x, y), read_imagef(dst, s, (int2)(x, y)));\n}}\n""", "two.cl")
    (record,) = run("equiv", one, f"{two}:k;again", "--format", "jsonl").records
    assert record["verdict"] == "unsupported" and "one kernel of a sequence writes and another reads" in record["reason"], record


ROUNDS = """texture<float, 1, cudaReadModeElementType> tex;
template <int W> __global__ void rows(float *out, int width) {{
  const int wide = 128 + W - 1;
  __shared__ float data[wide];
  int col = blockIdx.x * 128 + threadIdx.x, first = blockIdx.y * width, last = first + width - 1, at = threadIdx.x;
  int from = first + col - W / 2;
  for (int j = 0; j < {rounds}; ++j)
    if (at < wide) {{
      data[at] = tex1Dfetch(tex, from < first ? first : from > last ? last : from);
      from += 128, at += 128;
    }}
  __syncthreads();
  if (col >= width) return;
  float sum = 0;
  for (int i = 0; i < W; ++i) sum += data[threadIdx.x + i];
  out[first + col] = {result};
}}
void go(float *out, int width, int height) {{ rows<11><<<dim3((width + 127) / 128, height), 128>>>(out, width); }}
"""


@pytest.mark.parametrize(("rounds", "result", "race_free", "order_free"), [
    (2, "sum", True, True), (1, "sum", True, False), (2, "data[threadIdx.x] > 0.5f ? out[first] : sum", False, False)])
def test_a_tile_of_a_texture_is_set_in_rounds(rounds: int, result: str, race_free: bool, order_free: bool, run: Run,
                                              kernel_file: Write) -> None:
    """One run of a block says that the tile is set, whatever the texture holds; what a texel decides goes both ways."""
    path = kernel_file(ROUNDS.format(rounds=rounds, result=result), "k.cu")
    record = run("check", path, "--format", "jsonl").records[0]
    found = record["properties"]
    assert (found["race-free"] == "proved") is race_free and (found["order-free"] == "proved") is order_free, record


DECIDED = {
    "a branch": "if (read_imagef(src, s, (int2)(x, y)).x > 5.0f) write_imagef(dst, (int2)(0, 0), (float4)(x));",
    "an index": "write_imagef(dst, (int2)(read_imagei(src, s, (int2)(x, y)).x, y), (float4)(x));",
    "a barrier": "if (read_imagef(src, s, (int2)(x, y)).x < 0.0f) barrier(CLK_LOCAL_MEM_FENCE);",
    "a return before one": "if (read_imagef(src, s, (int2)(x, y)).x > 5.0f) return; barrier(CLK_LOCAL_MEM_FENCE);",
    "a width": "if (get_image_width(src) > 512) write_imagef(dst, (int2)(0, 0), (float4)(x));",
    "rounds": "for (int i = 0; i < read_imagei(src, s, (int2)(x, y)).x; i++) write_imagef(dst, (int2)(i, 0), (float4)(x));"}


@pytest.mark.parametrize("body", DECIDED.values(), ids=DECIDED)
def test_what_pixels_decide_is_never_proved_by_runs(body: str, run: Run, kernel_file: Write) -> None:
    path = kernel_file(f"{LAUNCH}{HEAD}  {body}\n}}\n", "k.cl")
    found = run("check", path, "--format", "jsonl").records[0]["properties"]
    assert (found["race-free"], found["barriers"]) != ("proved", "proved")
    assert run("equiv", path, path, "--format", "jsonl").records[0]["verdict"] in ("unknown", "nondeterministic")


def test_pixels_that_a_sampler_may_fold_together_confirm_nothing(run: Run, kernel_file: Write) -> None:
    record = checked("if (read_imagef(src, s, (int2)(-1, 0)).x != read_imagef(src, s, (int2)(0, 0)).x)"
                     " write_imagef(dst, (int2)(0, 0), (float4)(x));", run, kernel_file, LAUNCH)
    assert record["properties"]["race-free"] == "unknown"


def test_buffers_between_kernels_that_read_an_image(run: Run, kernel_file: Write) -> None:
    head = "__kernel void k(__read_only image2d_t src, sampler_t s, __global float *o) {\n  int t = get_global_id(0);\n"
    launch, fetch = "// spmd: block=16 grid=2 o[32]\n", "o[t] = read_imagef(src, s, (int2)(t, 0)).x"
    one = kernel_file(f"{launch}{head}  {fetch} * 2.0f;\n}}\n", "one.cl")
    two = kernel_file(f"{launch}{head}  {fetch};\n}}\n{launch}__kernel void again(__global float *o) {{\n"
                      "  o[get_global_id(0)] *= 2.0f;\n}\n", "two.cl")
    (record,) = run("equiv", one, f"{two}:k;again", "--format", "jsonl").records
    assert record["verdict"] == "equal"
    assert any(text.startswith("no kernel writes what src") for text in record["assumptions"]), record["assumptions"]
