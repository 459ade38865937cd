"""The CUDA C++ front end: what its trees say, which kernels it finds, what it refuses and why."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import pytest
from conftest import Run

from automata.lang import tree
from automata.lang.clang.prelude import COMMON, DAY, LANGUAGE, prelude, remove_forsaken, text_of
from automata.lang.clang.program import Unit, parse
from automata.lang.digest import digest
from automata.lang.elaborate.kernel import elaborate
from automata.lang.read import find_kernels
from automata.lang.tree import Literal, Name, Storage
from automata.place import MODELS, InputError, UnsupportedError
from automata.scalar import BOOL, F16, F32, F64, I32, U8, U32
from spmd import api

pytest.importorskip("clang")


def unit(tmp_path: Path, text: str, name: str = "a.cu", **options: Any) -> Unit:
    path = tmp_path / name
    path.write_text(text)
    return parse(str(path), None, dialect="opencl" if name.endswith(".cl") else "cuda", **options)


def body(tmp_path: Path, text: str, name: str = "k", file: str = "a.cu") -> tuple[tree.Stmt, ...]:
    found = unit(tmp_path, text, file).read(name).kernel.body
    assert found is not None
    return found


def expressions(node: object) -> list[Any]:
    """All nodes below one, callees' bodies left out."""
    if isinstance(node, list | tuple):
        return [inner for part in node for inner in expressions(part)]
    if not dataclasses.is_dataclass(node) or isinstance(node, tree.Variable | tree.Function):
        return []
    return [node, *(inner for item in dataclasses.fields(node) for inner in expressions(getattr(node, item.name)))]


def only(stmts: tuple[tree.Stmt, ...]) -> Any:
    """The expression of the only statement."""
    (stmt,) = stmts
    assert isinstance(stmt, tree.Evaluate)
    return stmt.expr


def test_stub_is_valid() -> None:
    from automata.lang.clang.index import Parsed

    for dialect, *parts in (("cuda",), ("opencl",), ("cuda", "thrust"), ("cuda", "torch"), ("cuda", "thrust", "torch")):
        made = Parsed("/spmd/stub.h", [*LANGUAGE[dialect], *COMMON], {"/spmd/stub.h": text_of(dialect, tuple(parts))})
        assert [error.message for error in made.errors()] == [], parts


def test_index_of_an_array_has_no_decay_and_queries_are_unsigned(tmp_path: Path) -> None:
    (declared, stored) = body(tmp_path, "__global__ void k(float* p) { __shared__ float s[4][8]; s[1][threadIdx.x] = p[2]; }")
    assert isinstance(declared, tree.Declare) and declared.variable.storage is Storage.SHARED
    target = stored.expr.target  # type: ignore[union-attr]
    assert isinstance(target.base.base, Name) and target.index == tree.Query(tree.Quantity.THREAD, "x", U32)


@pytest.mark.parametrize(("target", "value", "computed", "given"), [
    ("unsigned char", "int", I32, I32), ("float", "double", F64, F64), ("int", "float", F32, F32),
    ("unsigned char", "float", F32, F32), ("bool", "bool", I32, I32),
    ("__half", "float", F32, F32), ("__half", "__half", F16, F16), ("unsigned", "int", U32, U32),
])
def test_compound_assignment_computes_in_the_common_type(tmp_path: Path, target: str, value: str, computed: Any,
                                                         given: Any) -> None:
    update = only(body(tmp_path, f"__global__ void k({target} a, {value} b) {{ a += b; }}"))
    assert (update.computed, update.value.type) == (computed, given)


def test_a_shift_keeps_the_types_of_both_sides(tmp_path: Path) -> None:
    update = only(body(tmp_path, "__global__ void k(unsigned char a, long b) { a <<= b; }"))
    assert update.computed == I32 and update.value.type.bits == 64


def test_comparisons_are_bool_and_take_no_detour(tmp_path: Path) -> None:
    stmts = body(tmp_path, "__kernel void k(__global int* p, int n) { if (n > 1 && !(n == 3)) p[0] = n < 2; }", file="a.cl")
    test = stmts[0].test  # type: ignore[union-attr]
    assert test.type == BOOL and not any(isinstance(node, tree.Convert) for node in expressions(test))
    assert [node.type for node in expressions(stmts) if isinstance(node, tree.Convert)] == [I32]


def test_literals_fold_conversions_and_minus(tmp_path: Path) -> None:
    assign = only(body(tmp_path, "__global__ void k(float* p) { p[0] = -3; }"))
    assert assign.value == Literal(-3.0, F32)
    assign = only(body(tmp_path, "__global__ void k(unsigned char* p) { p[0] = -1; }"))
    assert assign.value == Literal(255, U8)


def test_constants_are_literals(tmp_path: Path) -> None:
    text = """enum E { A, B = 5 }; static const int N = 3; template<int M> struct S { static constexpr int v = M * 2; };
              __global__ void k(int* p) { const int c = 4; constexpr int d = N * 2;
                p[0] = c + d + B + S<4>::v + (int)sizeof(double) + warpSize; }"""
    stored = body(tmp_path, text)[2]
    values = [node.value for node in expressions(stored) if isinstance(node, Literal)]
    assert values == [0, 4, 6, 5, 8, 8, 32]


def test_parts_of_a_for_are_told_apart(tmp_path: Path) -> None:
    text = """__global__ void k(int* p, int n) { for (;;) break; for (; n;) n--; for (n = 1;;) break; for (;; n++) break;
              for (/* ; */ ; n < ';'; ) n++; }"""
    loops = [stmt for stmt in body(tmp_path, text) if isinstance(stmt, tree.Loop)]
    assert [(bool(loop.start), loop.test is not None, loop.step is not None) for loop in loops] == [
        (False, False, False), (False, True, False), (True, False, False), (False, False, True), (False, True, False)]


def test_if_constexpr_takes_one_branch(tmp_path: Path) -> None:
    text = """template<int N> __global__ void k(int* p) { if constexpr (N > 2) p[0] = 1; else p[0] = 2; }
              template __global__ void k<4>(int*);"""
    stmts = body(tmp_path, text)
    assert not any(isinstance(node, tree.If) for node in expressions(stmts))
    assert Literal(1, I32) in expressions(stmts) and Literal(2, I32) not in expressions(stmts)


def test_methods_constructors_and_references(tmp_path: Path) -> None:
    text = """struct P { float a; int b = 7; __device__ P(float q) : a(q * 2) { b += 1; }
              __device__ float get() const { return a; } __device__ P& operator+=(const P& o) { a += o.a; return *this; } };
              __global__ void k(float* p) { P q(2.5f); q += P{1.f}; p[0] = q.get(); float& r = p[1]; r = 3; }"""
    stmts = body(tmp_path, text)
    calls = [node for node in expressions(stmts) if isinstance(node, tree.Invoke)]
    assert [call.function.name for call in calls] == ["P", "operator+=", "P", "get"]
    made = calls[0].function
    assert made.params[0].name == "this" and made.params[0].reference and made.body is not None
    assert [node.target.name for node in expressions(made.body) if isinstance(node, tree.Assign | tree.Update)] == ["a", "b", "b"]
    assert calls[1].function.returns_place and calls[1].function.params[1].reference
    reference = next(stmt.variable for stmt in stmts if isinstance(stmt, tree.Declare) and stmt.variable.name == "r")
    assert reference.reference and reference.type == F32


def test_value_initialisation_zeroes_first(tmp_path: Path) -> None:
    stmts = body(tmp_path, "struct Z { int a; int b = 4; }; __global__ void k(int* p) { Z z = Z(); p[0] = z.a; }")
    zeroed = stmts[1].expr  # type: ignore[union-attr]
    assert isinstance(zeroed, tree.Assign) and zeroed.value == tree.Construct((), zeroed.type)


def test_array_extents_are_no_initialisers(tmp_path: Path) -> None:
    text = "struct S { int a[(sizeof(int) >= 4) ? 4 : 1]; }; __global__ void k(int* p) { S s; p[0] = s.a[1]; }"
    assert not any(isinstance(node, tree.Invoke) for node in expressions(body(tmp_path, text)))


def test_records_are_copied_as_values_unless_they_copy_themselves(tmp_path: Path) -> None:
    plain = "struct R { int a; }; __global__ void k(int* p) { R r{1}; R s = r; s = r; p[0] = s.a; }"
    assert not any(isinstance(node, tree.Invoke) for node in expressions(body(tmp_path, plain)))
    own = """struct C { int a; __device__ C() : a(0) {} __device__ C(const C& o) : a(o.a + 1) {} }; struct R { C c; };
             __global__ void k(int* p) { R r; R s = r; p[0] = s.c.a; }"""
    with pytest.raises(UnsupportedError, match="its own way to be copied"):
        body(tmp_path, own)


def test_lambdas_refer_to_outer_variables_and_to_copies(tmp_path: Path) -> None:
    text = """template<class F> __device__ void apply(F&& f, int n) { for (int i = 0; i < n; i++) f(i); }
              __global__ void k(float* p, int n) { apply([&](int i) { p[i] += n; }, n);
                auto g = [n, p](int i) { p[i] = n; }; n = 4; g(1); }"""
    stmts = body(tmp_path, text)
    kernel_n = next(node.variable for node in expressions(stmts) if isinstance(node, Name) and node.variable.name == "n")
    apply, called = (node for node in expressions(stmts) if isinstance(node, tree.Invoke))
    around, own = (node for node in expressions(stmts) if isinstance(node, tree.Construct))
    assert around is apply.args[0] and {item.reference for item in around.type.fields} == {True}
    assert any(isinstance(part, tree.AddressOf) and part.arg.variable is kernel_n for part in around.parts)
    assert [part.variable.name for part in own.parts] == ["n", "p"] and own.parts[0].variable is kernel_n
    assert {item.reference for item in own.type.fields} == {False} and called.args[0].type is own.type
    used = [node for node in expressions(called.function.body) if isinstance(node, tree.Member)]
    assert {node.base.variable for node in used} == {called.function.params[0]}


def test_cooperative_groups_are_plain_calls_of_builtins(tmp_path: Path) -> None:
    text = """#include <cooperative_groups.h>
              namespace cg = cooperative_groups;
              __global__ void k(int* p) { cg::thread_block b = cg::this_thread_block(); b.sync();
                auto t = cg::tiled_partition<16>(b); p[0] = t.shfl_down(p[1], 2); }"""
    program = unit(tmp_path, text).read("k")
    seen: set[str] = set()
    todo = [program.kernel]
    for function in todo:
        for node in expressions(function.body):
            if isinstance(node, tree.Library):
                seen.add(node.name)
            if isinstance(node, tree.Invoke) and node.function not in todo:
                todo.append(node.function)
    assert {"__syncthreads", "__shfl_down_sync"} <= seen


def test_dynamic_shared_memory_and_volatile(tmp_path: Path) -> None:
    stmts = body(tmp_path, "__global__ void k(int n) { extern __shared__ volatile float s[]; s[n] = 1; }")
    variable = stmts[0].variable  # type: ignore[union-attr]
    assert variable.storage is Storage.DYNAMIC and variable.volatile


def test_overloads_of_the_library_and_of_the_user(tmp_path: Path) -> None:
    text = """__device__ int mine(int a) { return a; }
              __global__ void k(float* p, int n) { p[0] = sqrtf(p[1]) + max(n, 2) + mine(n); }"""
    stmts = body(tmp_path, text)
    assert [node.name for node in expressions(stmts) if isinstance(node, tree.Library)] == ["sqrtf", "max"]
    assert [node.function.name for node in expressions(stmts) if isinstance(node, tree.Invoke)] == ["mine"]


def test_pointers_to_functions_and_functions_of_other_files(tmp_path: Path) -> None:
    text = """__device__ int one(int a) { return a; } __device__ int elsewhere(int);
              template<class F> __device__ int ap(F f) { return f(2); }
              __global__ void k(int* p, int n) { int (*f)(int) = n ? one : 0; p[0] = f(1) + ap(one) + elsewhere(3); }"""
    nodes = expressions(body(tmp_path, text))
    assert [node.pointer.variable.name for node in nodes if isinstance(node, tree.InvokeThrough)] == ["f"]
    assert [node.function.name for node in nodes if isinstance(node, tree.FunctionName)] == ["one", "one"]
    called = [node.function for node in nodes if isinstance(node, tree.Invoke)]
    assert [(function.name, function.outside) for function in called] == [("ap", False), ("elsewhere", True)]


def test_functions_of_the_library_are_handed_on(tmp_path: Path) -> None:
    """A pointer to a function of numbers calls it; one to a function that lanes meet in is refused."""
    text = """template<float f(float, float)> __device__ float by(float a) { return f(a, 2.0f); }
              template<class F> __device__ float ap(F f, float a) { return f(a, 1.0f); }
              __global__ void k(float* p) { float (*h)(float) = p[1] > 0 ? expf : sqrtf;
                p[0] = ap(fmaxf, p[0]) + by<fminf>(p[0]) + h(p[0]); }"""
    names = [node.function.name for node in expressions(body(tmp_path, text)) if isinstance(node, tree.FunctionName)]
    assert sorted(names) == ["expf", "fmaxf", "sqrtf"]
    with pytest.raises(UnsupportedError, match="a pointer to the function '__ballot_sync'"):
        body(tmp_path, "__global__ void k(unsigned* p) { unsigned (*h)(unsigned, int) = __ballot_sync; p[0] = h(1, 1); }")


TEMPLATE = "template<class T, int N> __global__ void k(T* p) { p[0] = N; }\n"


def test_instances_come_from_launches_and_explicit_instantiations(tmp_path: Path) -> None:
    host = """template<class T> void run(T* p) { k<T, 8><<<1, 1>>>(p); }
              int main() { float* p; k<float, 4><<<1, 1>>>(p); run((double*)0); }"""
    found = unit(tmp_path, TEMPLATE + "template __global__ void k<int, 2>(int*);\n" + host)
    (kernel,) = found.kernels
    assert kernel.is_template and tuple(kernel.instances) == ("double, 8", "float, 4", "int, 2")
    assert found.read("k<float,4>").kernel.params[0].type == tree_pointer(F32)
    with pytest.raises(InputError, match="say which one"):
        found.read("k")


def tree_pointer(kind: Any) -> Any:
    from automata.lang.types import Pointer

    return Pointer(kind)


def test_launches_with_errors_are_read_from_the_text(tmp_path: Path) -> None:
    found = unit(tmp_path, TEMPLATE + "int main() { unknown v; k<float, 4> <<<1, 1>>>(v.data()); }")
    assert tuple(found.kernels[0].instances) == ("float, 4",)
    assert found.read("k").kernel.name == "k"


def test_instances_asked_for_later_and_by_probes(tmp_path: Path) -> None:
    assert unit(tmp_path, TEMPLATE).read("k<double, 3>").kernel.params[0].type == tree_pointer(F64)
    assert tuple(unit(tmp_path, TEMPLATE, probes=("k<unsigned, 3>",)).kernels[0].instances) == ("unsigned int, 3",)
    with pytest.raises(InputError, match=r"k<nothing, 3>.*cannot be instantiated"):
        unit(tmp_path, TEMPLATE, probes=("k<nothing, 3>",))
    with pytest.raises(InputError, match="not a kernel with template arguments"):
        unit(tmp_path, TEMPLATE, probes=("k<int,3>; }",))


def test_kernel_templates_that_share_a_name_are_not_mixed_up(tmp_path: Path) -> None:
    one, two = (f"template <class T> __global__ void k(T *a{more}) {{ a[0] = 1; }}\n" for more in ("", ", int n"))
    plain = "__global__ void k(int *a) { a[0] = 2; }\n"
    calls = "void f(float *p) { k<float><<<1, 64>>>(p); }\n"
    assert [kernel.name for kernel in unit(tmp_path, one + plain + calls).kernels] == ["k(int *)", "k"]
    both = unit(tmp_path, one + two + plain + calls)
    assert [kernel.name for kernel in both.kernels] == ["k(int *)", "k", "k(T *, int)"]
    assert both.read("k(int *)").kernel.name == "k" and len(both.read("k<float>").kernel.params) == 1
    for name in ("k<double>", "k(T *, int)"):
        with pytest.raises(UnsupportedError, match="2 kernel templates called 'k'"):
            both.read(name)
    each = unit(tmp_path, one + two + "void f(float *p) { k<float><<<1, 64>>>(p); k<float><<<1, 64>>>(p, 1); }\n")
    assert [tuple(kernel.instances) for kernel in each.kernels] == [("float for (float *)",), ("float for (float *, int)",)]
    assert [len(each.read(f"k<float for ({params})>").kernel.params) for params in ("float *", "float *, int")] == [1, 2]


def test_unknown_kernels_and_overloaded_ones(tmp_path: Path) -> None:
    found = unit(tmp_path, "__global__ void k(int* p) {} __global__ void k(float* p) {}")
    assert [kernel.name for kernel in found.kernels] == ["k(int *)", "k(float *)"]
    assert found.read("k(float *)").kernel.params[0].type == tree_pointer(F32)
    with pytest.raises(InputError, match="there is no kernel 'q'"):
        found.read("q")


def test_host_errors_do_not_matter_and_kernel_errors_do(tmp_path: Path) -> None:
    good, host = "__global__ void good(int* p) { p[0] = 1; }\n", "int main() { frobnicate(3); }\n"
    found = unit(tmp_path, good + "__global__ void bad(int* p) {\n  p[0] = nothing; }\n" + host)
    found.read("good")
    with pytest.raises(InputError, match="nothing") as caught:
        found.read("bad")
    assert (caught.value.place.line, caught.value.place.column) == (3, 10)


@pytest.mark.parametrize("text", [
    "__device__ unknown_t table[4];\n__global__ void k(int* p) { p[0] = 1; table[0] = 2; }",
    "__device__ int f(unknown_t x) { return 1; }\n__global__ void k(int* p) { p[0] = f(1); }",
    "struct S { unknown_t x; int y; };\n__global__ void k(int* p) { S s; p[0] = s.y; }",
    "__device__ int f(int x) { return nothing(x); }\n__global__ void k(int* p) { p[0] = f(1); }",
    "#define M nothing\n__global__ void k(int* p) { p[0] = 1; M(2); }",
    "__global__ void k(int* p) { p[0] = 1; \n",
    "enum { A = nothing, B };\n__global__ void k(int* p) { p[0] = B; }",
    "typedef unknown_t real;\n__global__ void k(real* p) { p[0] = 1; }",
    "const int N = nothing + 1;\n__global__ void k(int* p) { p[0] = N; }",
    "#error not here\nint z;\n__global__ void k(int* p) { p[0] = 1; }",
    "int z;\n#if 1\n__global__ void k(int* p) { p[0] = 1; }",
])
def test_nothing_that_an_error_touched_is_read(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError):
        unit(tmp_path, text).read("k")


def test_a_missing_header_is_named(tmp_path: Path) -> None:
    text = "__global__ void k(own_t* p) { }\n__global__ void q(int* p) { p[0] = 1; }"
    found = unit(tmp_path, '#include <vector>\n#include "own_types.h"\n' + text)
    assert found.missing == ("own_types.h",)
    found.read("q")
    (told,) = api.check(str(tmp_path / "a.cu"), "q", block=1, grid=1)
    assert told.verdict == "proved" and any("not found" in each and "own_types.h" in each for each in told.report.assumptions)
    with pytest.raises(UnsupportedError, match=r"own_t.*own_types\.h"):
        found.read("k")


@pytest.mark.parametrize(("text", "what"), [
    ('asm volatile("wgmma.fence.sync.aligned;");', "inline assembly"), ("int n = 3; int a[p[0]];", "length is not constant"),
    ("int* q = new int;", "new"), ("int Pair::*f = &Pair::a;", "a pointer to a member"), ("S s; p[0] = s.x;", "bit-field"),
    ("V v; p[0] = v.f();", "virtual functions"), ("const D& d = D{}; p[0] = d.x;", "destructor"),
    ("auto [a, b] = Pair{1, 2}; p[0] = [&] { return a; }();", "structured binding"),
    ("static int n = 1; p[0] = n;", "static local"), ("host = 1;", "host variable"),
    ("try { p[0] = 1; } catch (...) {}", "exceptions"), ("long double d = 1; p[0] = d;", "long double"),
    ("p[0] = __enabled();", "annotation '__enabled'"), ("cub::f(p);", "cub"), ("kernel2<<<1, 1>>>(p);", "launched by a kernel"),
    ("auto f = [own] { return own.a; }; p[0] = f();", "a lambda's copy of an object that has its own way"),
    ("auto f = [o = own] { return o.a; }; auto g = f; p[0] = g();", "its own way to be copied"),
    ("int (*f)(int) = [](auto x) { return x; }; p[0] = f(1);", "a generic lambda used as a function"),
    ("p[0] = outside(1);", "a lambda made outside the kernel"), ("p[0] = [d = D{}] { return d.x; }();", "destructor"),
    ("Own both[2] = {1, 2}; p[0] = both[0].a;", "made by a constructor in an initialiser list"),
    ("Own both[2] = {{1}, {2}}; p[0] = both[0].a;", "made by a constructor in an initialiser list"),
    ("Own some[2] = {}; p[0] = some[0].a;", "made by a constructor in an initialiser list"),
    ("int n[1] = {own}; p[0] = n[0];", "converted to 'int' in an initialiser list"),
    ("switch (p = 0; 1) { case 1: p[0] = 1; }", "in the head of a switch"),
    ("switch (int n = p[0]) { case 1: p[0] = n; }", "in the head of a switch"),
    ("switch (STEP 1) { case 1: p[0] = 1; }", "in the head of a switch"), ("TURN { case 1: p[0] = 1; }", "head of a switch"),
    ("switch (p[0] = 1'0; 1'0) { case 1: p[0] = 1; }", "in the head of a switch"),
    ("p[0] = __builtin_popcount((p[1]++, 5));", "'__builtin_popcount' of an expression with effects"),
    ("Own two[2] = {own, own}; p[0] = two[1].a;", "a copy of 'Own' made by its own constructor in an initialiser list"),
    ("Holds h{own}; p[0] = h.o.a;", "a copy of 'Own' made by its own constructor in an initialiser list"),
    ("Around a{Moves(1)}; Around b = static_cast<Around&&>(a); p[0] = b.m.a;", "whose part 'm' has its own way to be copied"),
    ("OnOwn b(1); p[0] = b.a;", "the base 'Own' made from a value, by its own constructor or without"),
    ("Guided g(1); p[0] = g.v;", "a class template with deduction guides of its own"),
    ("On x{None{}, 2}; p[0] = x.y;", "the base 'None' without fields in an initialiser list"),
    ("for (int n = 2; int x : {1, 2}) p[0] = x;", "a range-based 'for'"),
    ("int* q = p; (long*&)q = nullptr; p[0] = !q;", "a pointer in memory used as a place of another type"),
    ("p[0] = (long)function % 2;", "a pointer to a function turned into an integer"),
    ("int (*f)() = function; p[0] = f < function;", "operator < on a pointer to a function"),
    ("int (**q)() = (int (**)())p; p[0] = *q == function;", "a comparison with a pointer to a function that this"),
    ('p[0] = L"text"[p[1]];', "the characters of a text"),
    ("Nested n = {.pair.b = 3}; p[0] = n.pair.b;", "a designated initialiser of this form"),
    ("int a[3] = {[2] = 3}; p[0] = a[2];", "a designated initialiser of this form"),
    ("int i = p[1]; p[0] = __builtin_offsetof(Long, a[i]);", "an offset that is not constant"),
])
def test_refusals_have_names(tmp_path: Path, text: str, what: str) -> None:
    before = """struct S { int x : 3 = 1; }; struct V { virtual int f() { return 1; } }; struct Pair { int a, b; };
        struct Nested { int first; Pair pair; }; struct Long { int b, a[4]; };
        struct D { __device__ ~D() { x = 1; } int x; }; int host; __global__ void kernel2(int* p) {}
        struct Own { int a = 1; __device__ Own() : a(3) {} __device__ Own(int n) : a(n) {}
                     __device__ Own(const Own& o) : a(o.a + 1) {}
                     __device__ operator int() const { return 2 * a; } }; __device__ int function();
        __device__ auto outside = [n = 3](int x) { return n + x; }; struct Holds { Own o; };
        struct Moves { int a; __device__ Moves(int n) : a(n) {} Moves(const Moves&) = default;
                       __device__ Moves(Moves&& o) : a(o.a) { o.a = 0; } }; struct Around { Moves m; }; struct None {};
        struct OnOwn : Own { __device__ OnOwn(int n) : Own(Own(n)) {} };
        struct On : None { int y, z; }; template <class T> struct Guided { T v; __device__ Guided(T n) : v(n) {} };
        template <class T> Guided(T) -> Guided<float>;
#define STEP p[0]++;
#define TURN switch (p[0]++; 1)
"""
    with pytest.raises(UnsupportedError, match=what) as caught:
        elaborate(unit(tmp_path, before + f"__global__ void k(int* p) {{ Own own; {text} }}").read("k"))
    assert caught.value.place.line in range(1, 16)


def test_a_file_above_the_stub_knows_the_builtins(monkeypatch: pytest.MonkeyPatch) -> None:
    stub = prelude("cuda").path
    above = Path(stub).parent.parent
    monkeypatch.chdir(above)
    with NamedTemporaryFile("w", suffix=".cu", dir=above) as file:
        file.write("__global__ void k(int *o) { o[threadIdx.x] = blockIdx.x; }")
        file.flush()
        (found,) = find_kernels(Path(file.name).name, frontend="clang")
        assert [array.name for array in found.read().arrays] == ["o"]


def test_files_outside_are_not_read(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    (tmp_path / "secret.h").write_text("int secret = 1;\n")
    (inner / "link.h").symlink_to(tmp_path / "secret.h")
    for line in ('#include "../secret.h"', f'#include "{tmp_path}/secret.h"', '#include "link.h"', '%:include "../secret.h"',
                 '#define X "../secret.h"\n#include X', '#/* */include \\\n "../secret.h"'):
        with pytest.raises(InputError):
            unit(inner, line + "\n__global__ void k(int* p) {}")
    assert unit(inner, '#include "../secret.h"\n__global__ void k(int* p) { p[0] = secret; }', includes=(str(tmp_path),)).kernels


@pytest.mark.parametrize("text", [
    "p[0] = " + "(" * 5000 + "1" + ")" * 5000 + ";", "p[0] = " + "- " * 5000 + "1;", "int " + "*" * 5000 + "q;",
    " ".join(f"if (p[0] == {at}) p[1] = 1; else" for at in range(2000)) + " ;", "p[0] = " + "p[0] = " * 2000 + "1;",
])
def test_deep_nesting_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(UnsupportedError):
        unit(tmp_path, f"__global__ void k(int* p) {{ {text} }}").read("k")


def test_long_but_flat_code_is_read(tmp_path: Path) -> None:
    total = "+".join(["p[1]"] * 900)
    chain = " else ".join(f"if (p[0] == {at}) p[1] = {at};" for at in range(120))
    assert unit(tmp_path, f"__global__ void k(int* p) {{ p[0] = {total}; {chain} }}").read("k").kernel.name == "k"


@pytest.mark.parametrize("text", [
    "#define A0 x x x x x x x x x x\n" + "\n".join(f"#define A{at} " + f"A{at - 1} " * 10 for at in range(1, 12)),
    "#define D(x) x x\nint z[] = {" + "D(" * 40 + "1," + ")" * 40 + "};",
    "#define $D(x) x x\nint z[] = {" + "$D(" * 40 + "1," + ")" * 40 + "};",
    "#define D(x) x x\n#define E(x) D(D(D(D(x))))\n#define F(x) E(E(E(E(x))))\n#define G(x) F(F(F(x)))\nint z[] = { G(1,) };",
])
def test_macro_bombs_are_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError, match="tokens"):
        unit(tmp_path, text + "\n__global__ void k(int* p) {}")


def _each(count: int) -> str:
    """A macro of so many parameters that calls a function for each, through those of fewer."""
    names = [f"x{at}" for at in range(count)]
    rest = f"E{count - 1}(f, {', '.join(names[:-1])}), " if count > 1 else ""
    return f"#define E{count}(f, {', '.join(names)}) {rest}f({names[-1]}, {count})"


def test_macros_that_go_through_a_list_are_read(tmp_path: Path) -> None:
    """Each argument is put down once, and only the function that is called for them all is put down for each."""
    macros = "\n".join(map(_each, range(1, 31)))
    body = f"int z[] = {{ E30(S, {', '.join(map(str, range(30)))}) }}; p[0] = z[1];"
    assert unit(tmp_path, f"{macros}\n#define S(x, n) x * n\n__global__ void k(int* p) {{ {body} }}").read("k").kernel.name == "k"


@pytest.mark.parametrize("text", [
    "#define D(x, y) x y y\n#define N(...) __VA_ARGS__\n#define C 1, 1\nint z[] = {" + "D(N(C), " * 40 + "1," + ")" * 40 + "};",
    "#define D(x, y) y y\n#define P D(C\n#define C 1, 1\nint z[] = {" + "D(C, " * 40 + "1," + ")" * 40 + "};",
    "#define D(x, y, ...) x __VA_ARGS__ __VA_ARGS__\nint z[] = {" + "D(, , 1, " * 40 + "1," + ")" * 40 + "};",
    "#define D(x, rest...) rest rest\nint z[] = {" + "D(, 1, " * 40 + "1," + ")" * 40 + "};",
    "#define D(x, y) y y\n#define Q(x) D(0, x)\n#define R(a, b) Q(Q(Q(Q(b))))\nint z[] = {" + "R(, " * 9 + "1," + ")" * 9 + "};",
])
def test_macro_bombs_in_one_argument_are_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError, match="tokens"):
        unit(tmp_path, text + "\n__global__ void k(int* p) {}")


def test_a_keyword_template_that_is_left_out(tmp_path: Path) -> None:
    text = """template<class T> struct Part {{ T *at; template<int N> __device__ T take() const {{ return at[N]; }} }};
template<class T> __global__ void k(T *p) {{ p[0] = Part<T>{{p}}.{}take<3>(); }}
template __global__ void k<float>(float *);
"""
    with_it, without = (digest(elaborate(unit(tmp_path, text.format(word)).read("k<float>"))) for word in ("template ", ""))
    assert with_it == without
    with pytest.raises(InputError, match="cannot be instantiated"):
        unit(tmp_path, text.format("").replace("take<3>", "took<3>")).read("k<float>")


def test_defines_and_macro_places(tmp_path: Path) -> None:
    found = unit(tmp_path, "#define STORE(x) p[0] = (x)\n__global__ void k(int* p) {\n  STORE(WIDTH);\n}", defines={"WIDTH": "7"})
    stored = only(found.read("k").kernel.body)  # type: ignore[arg-type]
    assert stored.value == Literal(7, I32) and stored.place.line == 3


def test_opencl_kernels(tmp_path: Path) -> None:
    text = """__kernel void k(__global float4* p, __local int* l, int n) {
        size_t i = get_global_id(0); float4 v = p[i]; v.xy = v.zw * 2.0f; l[get_local_id(0)] = as_int(v.x);
        barrier(CLK_LOCAL_MEM_FENCE); p[i] = (float4)(v.x, 1.0f, v.zw); }"""
    stmts = body(tmp_path, text, file="a.cl")
    nodes = expressions(stmts)
    assert any(isinstance(node, tree.Swizzle) and node.components == (2, 3) for node in nodes)
    assert any(isinstance(node, tree.Bits) and node.type == I32 for node in nodes)
    assert [node.name for node in nodes if isinstance(node, tree.Library)] == ["barrier"]
    made = next(node for node in nodes if isinstance(node, tree.Construct))
    assert len(made.parts) == 3 and isinstance(made.parts[-1], tree.Swizzle)


SAME = """
struct pair { int a; float b[2]; };
int half_of(int x) { return x / 2; }
KERNEL void k(GLOBAL float* p, GLOBAL int* q, int n) {
  SHARED int s[64];
  struct pair r = {1, {2.5f, 3}};
  unsigned char c = (unsigned char)n; short t = c * 2; float* dummy;
  for (int i = 0; i < n; i += 2) { if (i == 3 || !(q[i] > 1 && c)) continue; s[i & 63] += half_of(i) << 1; }
  c += 3; c <<= 1; t -= p[1]; r.b[1] *= n > 2 ? 1 : 2.0f; q[1] = (n > 1) + (n < 3); n ^= -1;
  switch (n) { case 1: case 2: q[0]++; break; default: --q[2]; }
  do { n -= 1; } while (n > 0);
  p[0] = r.b[0] + r.a + t + s[1] + sqrt(p[2]) + max(n, 3);
}
"""


@pytest.mark.parametrize("file", ["a.cu", "a.cl"])
def test_both_front_ends_give_the_same_core(tmp_path: Path, file: str) -> None:
    from automata.lang.c import read_kernel
    from automata.lang.elaborate.kernel import elaborate
    from automata.lang.preprocess import preprocess
    from automata.lang.slices import kernel_name, pieces

    words = {"a.cu": ("__global__", "", "__shared__", "__device__ int"), "a.cl": ("__kernel", "__global", "__local", "int")}[file]
    text = SAME.replace("int half_of", f"{words[3]} half_of")
    for name, word in zip(("KERNEL", "GLOBAL", "SHARED"), words, strict=False):
        text = text.replace(name, word)
    by_clang = elaborate(unit(tmp_path, text, file).read("k"))
    dialect: Any = "opencl" if file == "a.cl" else "cuda"
    source = preprocess(str(tmp_path / file), dialect)
    parts = pieces(source)
    kernel = next(part for part in parts if kernel_name(part) == "k")
    by_c = elaborate(read_kernel(source, kernel, [part for part in parts if part is not kernel], dialect))
    assert by_clang == by_c


def test_a_template_that_nobody_instantiates_is_passed_by(run: Run, kernel_file: Callable[..., Path]) -> None:
    idle = "template <class T> __global__ void idle(T *a) { a[0] = 1; }\n"
    other = "__global__ void used(int *a) { if (threadIdx.x + blockIdx.x == 0) a[0] = 1; }\n"
    both = run("check", kernel_file(idle + other), "--format", "jsonl")
    assert [record["kernel"] for record in both.records] == ["used"] and both.status == 0
    assert "passed by" in both.err and "idle<float>" in both.err
    asked = run("check", kernel_file(idle + other), "--kernel", "idle", "--format", "jsonl")
    alone = run("check", kernel_file(idle), "--format", "jsonl")
    assert [each.records[0]["verdict"] for each in (asked, alone)] == ["invalid"] * 2


def test_kernels_of_one_signature_in_two_namespaces(run: Run, kernel_file: Callable[..., Path]) -> None:
    """Each is looked at, by its own name; where names do not tell them apart, none is."""
    good = "__global__ void k(int *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 1; }"
    bad = "__global__ void k(int *a) { a[0] = threadIdx.x; }"
    path = kernel_file(f"namespace x {{ {good} }}\nnamespace y {{ {bad} }}\n")
    found = {record["kernel"]: record["verdict"] for record in run("check", path, "--format", "jsonl").records}
    assert found == {"x::k(int *)": "proved", "y::k(int *)": "refuted"}
    assert run("check", path, "--kernel", "y::k(int *)").status == 1
    path = kernel_file(f"namespace {{ namespace x {{ {good} }} }}\nnamespace x {{ namespace {{ {bad} }} }}\n")
    assert [record["verdict"] for record in run("check", path, "--format", "jsonl").records] == ["unsupported"] * 2


def test_definitions_of_macros_expand_nothing_where_they_stand(kernel_file: Callable[..., Path]) -> None:
    """A header that defines many macros, each by the one before, and uses none of them is no reason to refuse a text."""
    chain = "#define P1(F, a) F(a)\n" + "".join(
        f"#define P{at}(F, a, ...) P1(F, a) P{at - 1}(F, __VA_ARGS__)\n" for at in range(2, 66))
    chain += "".join(f"#define MAKE{at}(F, ...) P65(F, __VA_ARGS__) P64(F, __VA_ARGS__)\n" for at in range(400))
    kernel = "__global__ void k(float *p) { p[threadIdx.x] = 1; }\n"
    assert [found.name for found in find_kernels(str(kernel_file(chain + kernel)))] == ["k"]


DAMAGED = """#include "nowhere.h"
EXPORTS double limit(Input a, double b);
EXPORTS void reduce(Input a);
__device__ int limit_of(int n) {{ return n; }}
{}
"""


@pytest.mark.parametrize(("text", "is_read"), [
    ("__global__ void k(int *a) { int limit = threadIdx.x; // reduce\n a[limit] = 1; }\n", True),
    ("__global__ void k(int *a, int limit) { /* reduce */ a[threadIdx.x] = limit; }\n", True),
    ("__global__ void k(int *a) { a[threadIdx.x] = 1; int limit = limit_of(3); a[threadIdx.x] = limit; }\n", True),
    ("__global__ void k(int *a) { a[threadIdx.x] = limit(a, 2); }\n", False),
    ("__global__ void k(int *a) { if (a) { int limit = 3; a[threadIdx.x] = limit; } }\n", False),
    ("__global__ void k(int *a) { a[threadIdx.x] = sizeof(limit); int limit = 3; }\n", False),
    ('__global__ void k(int *a) { printf("//"); reduce(a); }\n', False),
    ('__global__ void k(int *a) { printf(R"(")"); // reduce\n a[threadIdx.x] = 1; }\n', False),
])
def test_names_that_a_kernel_declares_or_comments_on_are_not_those_of_others(text: str, is_read: bool, tmp_path: Path) -> None:
    """A declaration with errors may have taken away what it declares: only who mentions that is refused."""
    (tmp_path / "k.cu").write_text(DAMAGED.format(text))
    (item,) = find_kernels(str(tmp_path / "k.cu"))
    if is_read:
        assert item.read().name == "k"
    else:
        with pytest.raises(InputError):
            item.read()


def test_what_killed_processes_left_is_removed_after_a_day(tmp_path: Path) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    now = 10 * DAY
    names = {f"{MODELS}{ended.pid}_old": now - DAY - 60, f"{MODELS}{ended.pid}_new": now - DAY + 60, f"{MODELS}1_here": now,
             f"{MODELS}{os.getpid()}_old": 0.0, f"{MODELS}other_old": 0.0, f"other-{ended.pid}_old": 0.0}
    for name, when in names.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "cuda.h").write_text("")
        os.utime(tmp_path / name, (when, when))
    remove_forsaken(str(tmp_path / f"{MODELS}1_here"))
    assert {path.name for path in tmp_path.iterdir()} == set(names) - {f"{MODELS}{ended.pid}_old"}
