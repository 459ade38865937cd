"""An instance of a template is named so that its name can be typed, and the launches of the program find it by any spelling."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Run

TEXT = """namespace way {{ enum Way {{ UP, DOWN = 5 }}; enum class Side : char {{ LEFT, RIGHT }}; }}
enum Kind {{ A, B }};
template <bool Last, {type} W, int N> __global__ void k(int *x) {{ x[threadIdx.x] = Last ? int(W) : N; }}
int main() {{ int *x; k<{given}><<<1, 64>>>(x); }}
"""


@pytest.mark.parametrize(("type", "given", "named"), [
    ("way::Way", "true, way::DOWN, 3", "true, way::DOWN, 3"),
    ("way::Side", "false, way::Side::RIGHT, 3", "false, way::Side::RIGHT, 3"),
    ("Kind", "true, B, 1 + 2", "true, B, 3"), ("Kind", "true, (Kind)7, 3", "true, (Kind)7, 3"),
    ("unsigned", "0, 7, -3", "false, 7, -3"), ("unsigned", "1, 0xfffffff9u, 3", "true, 4294967289, 3"),
    ("unsigned short", "1, 0xfc00, 3", "true, 64512, 3"), ("short", "1, -1024, 3", "true, -1024, 3"),
    ("unsigned long long", "1, ~0ull, 3", "true, 18446744073709551615, 3"),
])
def test_a_name_that_can_be_typed(type: str, given: str, named: str, run: Run, tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(TEXT.format(type=type, given=given))
    record, = run("check", path, "--format", "jsonl").records
    assert record["kernel"] == f"k<{named}>" and record["verdict"] == "proved"
    again, = run("check", path, "--kernel", record["kernel"], "--format", "jsonl").records
    assert again["verdict"] == "proved"


@pytest.mark.parametrize("given", ["true, way::DOWN, 3", "true, DOWN, 3"])
def test_its_launch_decides(given: str, run: Run, tmp_path: Path) -> None:
    text = TEXT.format(type="way::Way", given=given).replace("Last ? int(W) : N", "threadIdx.x")
    text = text.replace("x[threadIdx.x]", "x[threadIdx.x % 64]").replace("int main", "using namespace way;\nint main")
    path = tmp_path / "k.cu"
    path.write_text(text)
    record, = run("check", path, "--format", "jsonl").records
    assert record["verdict"] == "proved" and record["launch"]["source"].startswith("host code")


@pytest.mark.parametrize(("calls", "blocks"), [
    ("go<true>(x); go<false>(y);", {"k<true>": 64, "k<false>": 32}), ("go<1>(x); go<0>(y);", {"k<true>": 64, "k<false>": 32}),
    ("go<(4 > 3)>(x);", {"k<true>": 64}),
])
def test_a_truth_value_that_a_host_template_passes_on(calls: str, blocks: dict[str, int], run: Run, tmp_path: Path) -> None:
    """The launch of each instance is its own: the others have another size."""
    path = tmp_path / "k.cu"
    path.write_text("template <bool B> __global__ void k(int *x) { x[threadIdx.x % (B ? 64 : 32)] = threadIdx.x; }\n"
                    "template <bool B> void go(int *x) { k<B><<<1, B ? 64 : 32>>>(x); }\n"
                    f"int main() {{ int *x, *y; {calls} }}\n")
    records = run("check", path, "--format", "jsonl").records
    assert {record["kernel"]: record["launch"]["block"][0] for record in records} == blocks
    assert {record["verdict"] for record in records} == {"proved"}


SPACES = """namespace one { template <typename T> __global__ void k(T *x) { x[threadIdx.x] = threadIdx.x; } }
namespace two { template <typename T> __global__ void k(T *x); }
template <typename T> __global__ void two::k(T *x) { x[threadIdx.x / 2] = threadIdx.x; }
int main() { int *x; one::k<int><<<1, 64>>>(x); two::k<int><<<1, 64>>>(x); }
"""


def test_templates_of_one_name_in_two_namespaces(run: Run, tmp_path: Path) -> None:
    """Each is a kernel of its own, by its full name; its name alone stands for both."""
    path = tmp_path / "k.cu"
    path.write_text(SPACES)
    for asked, named in (((), ["one", "two"]), (("--kernel", "k"), ["one", "two"]), (("--kernel", "two::k"), ["two"]),
                         (("--kernel", "one::k<int>"), ["one"])):
        records = run("check", path, *asked, "--format", "jsonl").records
        assert [(each["kernel"], each["verdict"]) for each in records] == [
            (f"{space}::k<int>", "proved" if space == "one" else "refuted") for space in named]


def test_templates_of_one_name_are_guessed_by_what_a_launch_writes(run: Run, tmp_path: Path) -> None:
    """Of launches in host code that clang does not understand, by as much of the namespaces as they write."""
    path = tmp_path / "k.cu"
    unknown = SPACES.replace("int main() {", "int main() { Unknown u; auto v = u.w();")
    path.write_text(unknown.replace("two::k<int>", "two::k<short>"))
    records = run("check", path, "--format", "jsonl").records
    assert [(each["kernel"], each["verdict"]) for each in records] == [("one::k<int>", "proved"), ("two::k<short>", "refuted")]


@pytest.mark.parametrize(("index", "verdict"), [("threadIdx.x", "proved"), ("threadIdx.x / 2", "refuted")])
def test_a_template_whose_bodies_are_written_for_its_arguments(index: str, verdict: str, run: Run, tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text("template <typename T> __global__ void k(T *x, int n);\n"
                    f"template <> __global__ void k<float>(float *x, int n) {{ x[{index}] = threadIdx.x; }}\n"
                    "template <> __global__ void k<int>(int *x, int n) { x[threadIdx.x] = 1; }\n"
                    "int main() { float *x; k<float><<<1, 64>>>(x, 64); }\n")
    records = run("check", path, "--format", "jsonl").records
    assert [(each["kernel"], each["verdict"]) for each in records] == [("k<float>", verdict), ("k<int>", "proved")]


OVERLOADS = """template <int N> __global__ void k(int *x) { x[threadIdx.x] = N; }
template <int N, int M> __global__ void k(int *x) { x[threadIdx.x / 2] = threadIdx.x; }
%s
int main() { int *x; k<1><<<1, 64>>>(x); k<1, 2><<<1, 64>>>(x); }
"""


def test_overloaded_templates_by_the_arguments_of_their_instances(run: Run, tmp_path: Path) -> None:
    """Those that take unlike arguments are told apart by them, others by the parameters of their functions too."""
    path = tmp_path / "k.cu"
    path.write_text(OVERLOADS % "")
    records = run("check", path, "--format", "jsonl").records
    assert sorted((each["kernel"], each["verdict"]) for each in records) == [("k<1, 2>", "refuted"), ("k<1>", "proved")]
    path.write_text((OVERLOADS % "template <int N> __global__ void k(float *x) { x[threadIdx.x / 2] = threadIdx.x; }").replace(
        "int *x;", "int *x; float *y; k<1><<<1, 64>>>(y);"))
    records = run("check", path, "--format", "jsonl").records
    assert sorted((each["kernel"], each["verdict"]) for each in records) == [
        ("k<1 for (float *)>", "refuted"), ("k<1 for (int *)>", "proved"), ("k<1, 2>", "refuted")]


TOLD_BY_PARAMETERS = """#include <type_traits>
template <typename T> struct two { T a, b; };
template <typename T> __global__ void k(T *x) { x[threadIdx.x] = 1; }
template <typename T> __global__ void k(T *x, two<T> y) { x[threadIdx.x & 47] = threadIdx.x + y.a; }
template <typename T, int N> __global__ std::enable_if_t<(N > 0) && sizeof(T) == 4> w(T *x) { x[threadIdx.x] = 1; }
template <typename T, int N> __global__ std::enable_if_t<(N == 0) || sizeof(T) != 4> w(T *x) {
  x[threadIdx.x & 47] = threadIdx.x;
}
template <typename T> void start(T *x) {
  two<T> y{};
  k<<<1, 96>>>(x); k<T><<<1, %d>>>(x, y); w<T, 4><<<2, 16>>>(x); w<T, 0><<<1, %d>>>(x);
}
int main() { float *x; start(x); }
"""


@pytest.mark.parametrize(("second", "third"), [(16, 16), (64, 16), (16, 64), (64, 64)])
def test_launches_of_overloaded_templates(second: int, third: int, run: Run, tmp_path: Path) -> None:
    """Each launch is of the template that takes as many arguments, or whose condition its own arguments meet."""
    path = tmp_path / "k.cu"
    path.write_text(TOLD_BY_PARAMETERS % (second, third))
    records = run("check", path, "--format", "jsonl").records
    launched = {each["kernel"]: each["verdict"] for each in records if (each["launch"] or {}).get("source")}
    for name, size in (("k<float for (float *, two<float>)>", second), ("w<float, 0>", third)):
        assert launched[name] == ("proved" if size == 16 else "refuted")
    assert all(each["verdict"] == "proved" for each in records if each["kernel"] in ("k<float for (float *)>", "w<float, 4>"))


def test_a_launch_that_two_overloads_may_take_is_not_believed(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text("template <typename T> __global__ void k(T *x) { x[threadIdx.x % 48] = threadIdx.x; }\n"
                    "__global__ void k(float *x) { x[threadIdx.x % 48] = threadIdx.x; }\n"
                    "int main() { float *x; int *y; k<<<1, 32>>>(x); k<int><<<1, 32>>>(y); }\n")
    records = run("check", path, "--format", "jsonl").records
    assert {(each["kernel"], each["verdict"]) for each in records} == {("k(float *)", "refuted"), ("k<int>", "refuted")}
    assert not any((each["launch"] or {}).get("source") for each in records)


@pytest.mark.parametrize(("index", "verdict"), [("threadIdx.x", "proved"), ("threadIdx.x / 2", "refuted")])
def test_each_name_that_is_told_may_be_asked_for(index: str, verdict: str, run: Run, tmp_path: Path) -> None:
    """Also of a class without a name that others can write."""
    path = tmp_path / "k.cu"
    body = f"{{ x[{index}].v = threadIdx.x; }}"
    path.write_text(f"namespace {{ struct S {{ int v; }}; }}\ntemplate <typename T> __global__ void k(T *x) {body}\n"
                    "int main() { S *x; k<S><<<1, 64>>>(x); }\n")
    (told,) = run("check", path, "--format", "jsonl").records
    (asked,) = run("check", path, "--kernel", told["kernel"], "--format", "jsonl").records
    assert asked["kernel"] == told["kernel"] and asked["verdict"] == told["verdict"] == verdict


@pytest.mark.parametrize(("asked", "found"), [
    ("k", ["k(int *)", "k(float *)"]), ("a::b::k", ["k(int *)"]), ("b::k", ["k(int *)"]), ("c::k", ["k(float *)"]),
    ("a::k", []), ("a::t", ["t<float>"]), ("a::t<float>", ["t<float>"]), ("c::t", []), ("b::t<float>", []),
])
def test_a_kernel_in_namespaces_may_be_asked_for_with_them(asked: str, found: list[str], run: Run, tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text("namespace a { namespace b { __global__ void k(int *o) { o[threadIdx.x] = 1; } }\n"
                    "template <typename T> __global__ void t(T *o) { o[threadIdx.x] = 1; } }\n"
                    "namespace c { __global__ void k(float *o) { o[threadIdx.x] = 1; } }\n"
                    "void go(float *p) { a::t<float><<<1, 32>>>(p); }\n")
    ran = run("check", path, "--kernel", asked, "--format", "jsonl")
    assert [each["kernel"] for each in ran.records if each["verdict"] != "invalid"] == found
    assert (ran.status == 2) == (not found)


@pytest.mark.parametrize(("asked", "verdict"), [
    ("k<int, 4>", "proved"), ("k<int32_t, 4>", "proved"), ("k<std::int32_t, sizeof(int)>", "proved"),
    ("k<Number, 2 + 2>", "proved"), ("k<unsigned, 4>", "refuted"), ("k<int, 8>", "refuted"),
])
def test_an_instance_by_another_name_of_its_type_has_its_launches(asked: str, verdict: str, run: Run, tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text("""#include <cstdint>
using Number = int32_t;
template <typename T, int N> __global__ void k(T *x) { if (blockDim.x != 64) x[0] = threadIdx.x; }
int main() { int32_t *x; k<int32_t, 4><<<4, 64>>>(x); }
""")
    (record,) = run("check", tmp_path / "k.cu", "--kernel", asked, "--format", "jsonl").records
    assert (record["verdict"], record["kernel"]) == (verdict, asked), record
