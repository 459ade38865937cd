"""The rows of the device library that are OpenCL's alone: see `library_rows`."""

from __future__ import annotations

from automata.lang.library_rows import INTS, Row
from automata.lang.meanings import (
    AsyncCopy,
    AsyncWait,
    AtomicCall,
    BarrierCall,
    Expand,
    FenceCall,
    Geometric,
    ImageWrite,
    NoEffect,
    Opaquely,
    Permute,
    Relation,
    SineAndCosine,
    VectorRead,
    VectorWrite,
)

_WHOLE = "i8 u8 i16 u16 i32 u32 i64 u64"
_NUMBERS = f"{_WHOLE} f32 f64"


def opencl_rows() -> list[Row]:
    return [*_images(), *_meetings(), *_atomics(), *_memory(), *_numbers(), *_floats(), *_geometry()]


def _atomics() -> list[Row]:
    rows: list[Row] = []
    for prefix in ("atomic_", "atom_"):
        for op in ("add", "sub", "min", "max", "and", "or", "xor"):
            rows.append((INTS, f"T {prefix}{op}(T*, T)", AtomicCall(op)))
        rows.append((f"{INTS} f32", f"T {prefix}xchg(T*, T)", AtomicCall("exch")))
        rows.append((INTS, f"T {prefix}inc(T*)", AtomicCall("add", fixed=1)))
        rows.append((INTS, f"T {prefix}dec(T*)", AtomicCall("sub", fixed=1)))
        rows.append((INTS, f"T {prefix}cmpxchg(T*, T, T)", AtomicCall("cas")))
    return rows


def _images() -> list[Row]:
    return [
        *(("", f"{kind}x4 read_image{letter}({image}{sampler}, {at})", Opaquely(f"read_image{letter}"))
          for letter, kind in (("f", "f32"), ("i", "i32"), ("ui", "u32")) for sampler in (", sampler_t", "")
          for image, ats in (("image2d_t", ("i32x2", "f32x2")), ("image3d_t", ("i32x4", "f32x4")), ("image1d_t", ("i32", "f32")))
          for at in ats),
        *(("", f"i32 get_image_{what}({image})", Opaquely(f"get_image_{what}"))
          for what in ("width", "height", "depth") for image in ("image2d_t", "image3d_t")),
        *(("", f"void write_image{letter}({image}, {at}, {kind}x4)", ImageWrite())
          for letter, kind in (("f", "f32"), ("i", "i32"), ("ui", "u32"))
          for image, at in (("image2d_t", "i32x2"), ("image1d_t", "i32"))),
    ]


def _meetings() -> list[Row]:
    """Barriers, fences, and how many dimensions there are."""
    return [
        ("", "u32 get_work_dim()", Opaquely("get_work_dim")),
        ("", "void barrier(u32)", BarrierCall("block", flags=True)),
        ("", "void work_group_barrier(u32)", BarrierCall("block", flags=True)),
        ("", "void sub_group_barrier(u32)", BarrierCall("warp", flags=True)),
        *(("", f"void {name}(u32)", FenceCall("group")) for name in ("mem_fence", "read_mem_fence", "write_mem_fence")),
    ]


def _memory() -> list[Row]:
    """Vectors in memory, and asynchronous copies."""
    return [
        *((_NUMBERS, f"Tx{count} vload{count}(u64, const T*)", VectorRead(count)) for count in (2, 3, 4, 8, 16)),
        *((_NUMBERS, f"void vstore{count}(Tx{count}, u64, T*)", VectorWrite(count)) for count in (2, 3, 4, 8, 16)),
        ("any", "event_t async_work_group_copy(T*, const T*, u64, event_t)", AsyncCopy()),
        ("any", "event_t async_work_group_strided_copy(T*, const T*, u64, u64, event_t)", AsyncCopy(strided=True)),
        ("", "void wait_group_events(i32, event_t*)", AsyncWait()), ("any", "void prefetch(const T*, u64)", NoEffect()),
    ]


def _numbers() -> list[Row]:
    """Functions of numbers of any type, of whole ones, and of vectors' components."""
    return [
        *((kind, f"T select(T, T, {test})", Expand("select")) for kind, tests in (
            ("f32 i32 u32", ("i32", "u32")), ("f64 i64 u64", ("i64", "u64")), ("i16 u16", ("i16", "u16")),
            ("i8 u8", ("i8", "u8")))
          for test in tests),
        ("any", "T shuffle(T, T)", Permute()), ("any", "T shuffle2(T, T, T)", Permute()),
        (_NUMBERS, "T min(T, T)", Expand("common_min")), (_NUMBERS, "T max(T, T)", Expand("common_max")),
        *((f"{sign}{bits}", f"u{bits} {call}", Expand(call.partition("(")[0]))
          for call in ("abs(T)", "abs_diff(T, T)") for bits in (8, 16, 32, 64) for sign in "iu"),
        (_NUMBERS, "T clamp(T, T, T)", Expand("clamp")),
        *(("i8 i16 i32 i64", f"i32 {name}(T{count})", Expand(name))
          for name in ("any", "all") for count in ("x2", "x3", "x4", "x8", "x16", "")),
        (_NUMBERS, "T bitselect(T, T, T)", Expand("bitselect")), ("any", "T __convert_sat(T)", Expand("convert_sat")),
        ("i32 u32", "T mul24(T, T)", Expand("mul24")), ("i32 u32", "T mad24(T, T, T)", Expand("mad24")),
        (_WHOLE, "T mul_hi(T, T)", Opaquely("mulhi")), (_WHOLE, "T hadd(T, T)", Opaquely("hadd")),
        (_WHOLE, "T rhadd(T, T)", Opaquely("rhadd")), (_WHOLE, "T add_sat(T, T)", Opaquely("add_sat")),
        (_WHOLE, "T sub_sat(T, T)", Opaquely("sub_sat")), (_WHOLE, "T rotate(T, T)", Opaquely("rotate")),
        (_WHOLE, "T popcount(T)", Opaquely("popcount")), (_WHOLE, "T clz(T)", Opaquely("clz")),
        (_WHOLE, "T mad_hi(T, T, T)", Opaquely("mad_hi")), (_WHOLE, "T mad_sat(T, T, T)", Opaquely("mad_sat")),
    ]


def _floats() -> list[Row]:
    return [
        ("f32 f64", "T sincos(T, T*)", SineAndCosine()),
        ("f32 f64", "T mad(T, T, T)", Opaquely("mad")), ("f32 f64", "T mix(T, T, T)", Opaquely("mix")),
        ("f32 f64", "T step(T, T)", Opaquely("step")), ("f32 f64", "T sign(T)", Opaquely("sign")),
        ("f32 f64", "T degrees(T)", Opaquely("degrees")), ("f32 f64", "T radians(T)", Opaquely("radians")),
        ("f32 f64", "T smoothstep(T, T, T)", Opaquely("smoothstep")),
        ("f32", "T native_recip(T)", Opaquely("native_recip")), ("f32", "T native_divide(T, T)", Opaquely("native_divide")),
        ("f32", "T native_sqrt(T)", Opaquely("native_sqrt")), ("f32", "T native_rsqrt(T)", Opaquely("native_rsqrt")),
        ("f32", "T native_exp2(T)", Opaquely("native_exp2")), ("f32", "T native_log2(T)", Opaquely("native_log2")),
        ("f32", "T native_powr(T, T)", Opaquely("native_powr")), ("f32", "T half_powr(T, T)", Opaquely("half_powr")),
        *(("f32", f"T half_{name}(T)", Opaquely(f"half_{name}"))
          for name in ("sqrt", "rsqrt", "exp", "log", "sin", "cos", "recip")),
        ("f32 f64", "T pown(T, i32)", Opaquely("powi")), ("f32 f64", "T powr(T, T)", Opaquely("powr")),
        ("f32 f64", "T exp10(T)", Opaquely("exp10")), ("f32 f64", "T maxmag(T, T)", Opaquely("maxmag")),
        *(("f32 f64", f"truth {name}(T)", Relation(name)) for name in ("isnan", "isinf", "isfinite", "signbit", "isnormal")),
        *(("f32 f64", f"truth is{name}(T, T)", Relation(how)) for name, how in (
            ("equal", "=="), ("notequal", "!="), ("greater", ">"), ("greaterequal", ">="), ("less", "<"), ("lessequal", "<="),
            ("lessgreater", "lessgreater"), ("ordered", "ordered"), ("unordered", "unordered"))),
    ]


def _geometry() -> list[Row]:
    """Functions of vectors of two to four components as wholes, and of one number."""
    rows: list[Row] = []
    for count in ("x2", "x3", "x4", ""):
        for prefix, kinds in (("", "f32 f64"), ("fast_", "f32")):
            rows.append((kinds, f"T {prefix}length(T{count})", Geometric(f"{prefix}length")))
            rows.append((kinds, f"T {prefix}distance(T{count}, T{count})", Geometric(f"{prefix}distance")))
            rows.append((kinds, f"T{count} {prefix}normalize(T{count})", Geometric(f"{prefix}normalize")))
        rows.append(("f32 f64", f"T dot(T{count}, T{count})", Geometric("dot")))
    rows += [("f32 f64", f"T{count} cross(T{count}, T{count})", Geometric("cross")) for count in ("x3", "x4")]
    return rows
