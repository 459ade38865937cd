"""The rows of the device library: `types | prototypes | meaning`, as `library` explains. Adding a builtin is adding a row. Those
of OpenCL alone are in `library_rows_opencl`."""

from __future__ import annotations

from automata.lang.builtins import FUNCTIONS
from automata.lang.core import Scope
from automata.lang.exactness import PLACE
from automata.lang.meanings import (
    Assumption,
    AtomicCall,
    BarrierCall,
    CollectiveCall,
    CopyBytes,
    Expand,
    FenceCall,
    LaterCopy,
    LaterGroup,
    Meaning,
    NoEffect,
    Opaquely,
    Printing,
    ReadThrough,
    Refused,
    SharedNumber,
    Statement,
    Unknowable,
    WriteThrough,
)

APPROXIMATE = ("ex2", "lg2", "rcp", "rsqrt", "sqrt", "sin", "cos", "tanh")
"""Functions that PTX has as `op.approx`."""

Row = tuple[str, str, Meaning]

INTS = "i32 u32 i64 u64"
_ALL = "i32 u32 i64 u64 f16 bf16 f32 f64"
_SCOPES: tuple[tuple[str, Scope], ...] = (("", "device"), ("_block", "block"), ("_system", "system"))


def _atomics(prefix: str, suffix: str, scope: Scope) -> list[Row]:
    rows: list[Row] = []
    kinds = {"Add": "i32 u32 i64 u64 f16 bf16 f32 f64", "Sub": "i32 u32", "Exch": "i32 u32 i64 u64 f32",
             "Min": f"{INTS} f32 f64", "Max": f"{INTS} f32 f64", "Inc": "u32", "Dec": "u32", "And": INTS, "Or": INTS,
             "Xor": INTS}
    for name, types in kinds.items():
        rows.append((types, f"T {prefix}{name}{suffix}(T*, T)", AtomicCall(name.lower(), scope)))
    rows.append(("i32 u32 i64 u64 u16", f"T {prefix}CAS{suffix}(T*, T, T)", AtomicCall("cas", scope)))
    rows.append((f"{_ALL} i8 u8 i16 u16", f"T __spmd_{prefix}_load{suffix}(const T*)", AtomicCall("load", scope, fixed=0)))
    return rows


def cuda_rows() -> list[Row]:
    atomics = (_atomics("atomic", suffix, scope) for suffix, scope in _SCOPES)
    return [*_meetings(), *_exchanges(), *(row for rows in atomics for row in rows), *_memory(), *_of_stubs(), *_integers(),
            *_floats(), *_conversions(), *_asides()]


def _meetings() -> list[Row]:
    """Barriers of a block, a warp and the grid, and fences."""
    return [
        ("", "void __syncthreads()", BarrierCall("block")),
        ("", "i32 __syncthreads_and(i32)", BarrierCall("block", vote="and")),
        ("", "i32 __syncthreads_or(i32)", BarrierCall("block", vote="or")),
        ("", "i32 __syncthreads_count(i32)", BarrierCall("block", vote="count")),
        ("", "void __syncwarp(u32 = 0xffffffffu)", BarrierCall("warp", mask=True)),
        ("", "void __spmd_grid_sync()", BarrierCall("grid")),
        ("", "void __spmd_tile_sync(u32)", BarrierCall("warp", mask=True)), ("", "void __threadfence()", FenceCall("device")),
        ("", "void __threadfence_block()", FenceCall("block")),
        ("", "void __spmd_proxy_fence()", FenceCall("group")),
        ("", "void __spmd_release_fence()", FenceCall("device", "early")),
        ("", "void __spmd_acquire_fence()", FenceCall("device", "late")),
        ("", "void __spmd_release_fence_block()", FenceCall("block", "early")),
        ("", "void __spmd_acquire_fence_block()", FenceCall("block", "late")),
        ("", "void __spmd_acq_rel_fence()", FenceCall("device", "acq_rel")),
        ("", "void __spmd_acq_rel_fence_block()", FenceCall("block", "acq_rel")),
        ("", "void __spmd_release()", FenceCall("device", "release")),
        ("", "void __spmd_acquire()", FenceCall("device", "acquire")),
        ("", "void __spmd_release_block()", FenceCall("block", "release")),
        ("", "void __spmd_acquire_block()", FenceCall("block", "acquire")),
        ("", "void __threadfence_system()", FenceCall("device")),
    ]


def _exchanges() -> list[Row]:
    """What the lanes of a warp tell each other."""
    return [
        (_ALL, "T __shfl_sync(u32, T, i32, i32 = 32)", CollectiveCall("shfl")),
        (_ALL, "T __shfl_up_sync(u32, T, u32, i32 = 32)", CollectiveCall("shfl_up")),
        (_ALL, "T __shfl_down_sync(u32, T, u32, i32 = 32)", CollectiveCall("shfl_down")),
        (_ALL, "T __shfl_xor_sync(u32, T, i32, i32 = 32)", CollectiveCall("shfl_xor")),
        (_ALL, "T __shfl(T, i32, i32 = 32)", CollectiveCall("shfl", False)),
        (_ALL, "T __shfl_up(T, u32, i32 = 32)", CollectiveCall("shfl_up", False)),
        (_ALL, "T __shfl_down(T, u32, i32 = 32)", CollectiveCall("shfl_down", False)),
        (_ALL, "T __shfl_xor(T, i32, i32 = 32)", CollectiveCall("shfl_xor", False)),
        ("", "i32 __all_sync(u32, i32)", CollectiveCall("all")), ("", "i32 __any_sync(u32, i32)", CollectiveCall("any")),
        ("", "u32 __ballot_sync(u32, i32)", CollectiveCall("ballot")), ("", "i32 __all(i32)", CollectiveCall("all", False)),
        ("", "i32 __any(i32)", CollectiveCall("any", False)), ("", "u32 __ballot(i32)", CollectiveCall("ballot", False)),
        ("", "u32 __activemask()", CollectiveCall("activemask", False)),
        (_ALL, "u32 __match_any_sync(u32, T)", CollectiveCall("match_any")),
        *((types, f"T __reduce_{op}_sync(u32, T)", CollectiveCall(f"reduce_{op}"))
          for op, types in (("add", "i32 u32"), ("min", "i32 u32"), ("max", "i32 u32"), ("and", "u32"), ("or", "u32"),
                            ("xor", "u32"))),
    ]


def _memory() -> list[Row]:
    """Asynchronous copies, hints to caches, addresses as numbers, textures, and what no thread may do with memory."""
    return [
        ("", "void __pipeline_memcpy_async(void*, const void*, u64, u64 = 0)", LaterCopy()),
        ("", "void __spmd_copy_later(void*, const void*, u64, u64)", LaterCopy(given=True)),
        ("", "void __pipeline_commit()", LaterGroup()),
        ("", "void __pipeline_wait_prior(u64)", LaterGroup(waits=True, commits=False)),
        ("", "void __spmd_copies_end()", LaterGroup(waits=True)),
        *(("any", f"T {name}(const T*)", ReadThrough(name == "__ldg"))
          for name in ("__ldg", "__ldcs", "__ldca", "__ldcg", "__ldlu", "__ldcv")),
        *(("any", f"void {name}(T*, T)", WriteThrough()) for name in ("__stcs", "__stcg", "__stwb", "__stwt")),
        ("", "u64 __cvta_generic_to_shared(const void*)", SharedNumber()),
        ("", "void* __spmd_shared(u32, i32)", SharedNumber(back=True)),
        ("", "void* __builtin_memcpy(void*, const void*, u64)", CopyBytes()),
        ("", "void* __builtin_memset(void*, i32, u64)", CopyBytes(fill=True)),
        ("", "void* __builtin_alloca(u64)", Refused("alloca")), ("", "void* malloc(u64)", Refused("malloc in a kernel")),
        ("", "void free(void*)", Refused("free in a kernel")),
        *(("any", f"T {name}(cudaTextureObject_t, {at})", Opaquely(name)) for name, at in (
            ("tex1Dfetch", "i32"), ("tex1D", "f32"), ("tex2D", "f32, f32"), ("tex3D", "f32, f32, f32"))),
    ]


def _of_stubs() -> list[Row]:
    """What the stub headers and inline PTX are written with."""
    return [
        ("", "void __spmd_by_halves()", Assumption("reductions and scans of groups combine floats by halves, or of coalesced "
                                                   "groups in the order of ranks: CUDA leaves that open")),
        ("", "void __spmd_rows_are_long()", Assumption("the leading dimension of a matrix that a tile is stored to is not "
                                                       "smaller than the tile")),
        ("", "void __spmd_contiguous()", Assumption("tensors behind accessors are contiguous: their strides are those of their "
                                                    "sizes")),
        ("", "void __spmd_whole_rows()", Assumption("rows of OpenCV's matrices begin a whole number of elements apart")),
        *(("", f"f32 __spmd_{op}_approx{ftz}(f32)", Opaquely(f"{op}_approx{ftz}"))
          for op in APPROXIMATE for ftz in ("", "_ftz")),
        *(("", f"u32 __spmd_{op}_{kind}(u32)", Opaquely(f"{op}_{kind}"))
          for op in ("ex2", "tanh") for kind in ("f16x2", "bf16x2")),
        *(("", f"f32 __spmd_{op}_ftz(f32, f32)", Opaquely(f"{op}_ftz")) for op in ("add", "sub", "mul")),
        ("", "f32 __spmd_fma_ftz(f32, f32, f32)", Opaquely("fma_ftz")),
        *(("", f"u16 __spmd_pack_{kind}(f32, f32)", Opaquely(f"pack_{kind}")) for kind in ("e4m3", "e5m2")),
        *(("", f"u32 __spmd_unpack_{kind}(u16)", Opaquely(f"unpack_{kind}")) for kind in ("e4m3", "e5m2")),
        (f"{_ALL} i8 u8 i16 u16", "u32 __spmd_tile_mix(u32, T)", Opaquely("tile_mix")),
        ("", "u32 __spmd_tile_lane(u32, u32)", Opaquely("tile_lane")), ("", "f32 __spmd_tf32(f32)", Opaquely("tf32")),
        (f"{_ALL} i8 u8 i16 u16", "T __spmd_tile_out(u32, i32, T)", Opaquely("tile_out")),
        ("", "i32 __spmd_tile_owner(i32, i32)", Opaquely("tile_owner")),
        *(("f32 f64", f"u8 __spmd_to_{kind}{how}(T)", Opaquely(f"to_{kind}{how}"))
          for kind in ("e4m3", "e5m2") for how in ("", "_open")),
        *(("", f"f32 __spmd_from_{kind}(u8)", Opaquely(f"from_{kind}")) for kind in ("e4m3", "e5m2")),
        *(("f16 bf16", f"T __spmd_half_{name}(T)", Opaquely(f"h{name}")) for name in (
            "exp", "exp2", "exp10", "log", "log2", "log10", "rsqrt", "sin", "cos", "tanh")),
        ("f16 bf16", "T __spmd_half_fabs(T)", Opaquely("fabs")), ("f16 bf16", "T __spmd_half_fma(T, T, T)", Expand("fma")),
        *(("f32 f64", f"T __spmd_both_{name}(T)", Opaquely(f"both_{name}")) for name in ("sin", "cos", "sinpi", "cospi")),
        *(("", f"{result} __spmd_random_{what}({given})", Opaquely(f"random_{what}")) for result, what, given in (
            ("u32", "start", "u64, u64, u64"), ("u32", "next", "u32"), ("u32", "value", "u32"), ("f32", "unit", "u32"),
            ("f32", "normal", "u32"))),
        ("f32 f64 f16 bf16", "T __spmd_in_any_order(T, i32)", Opaquely("in_any_order")),
        ("any", "T __spmd_in_any_order_all(T, i32)", Opaquely("in_any_order_of", whole=True)),
    ]


def _integers() -> list[Row]:
    """Functions of whole numbers."""
    return [
        ("", "i32 __mul24(i32, i32)", Expand("mul24")), ("", "u32 __umul24(u32, u32)", Expand("mul24")),
        ("", "i32 __mulhi(i32, i32)", Expand("mulhi")), ("", "u32 __umulhi(u32, u32)", Expand("mulhi")),
        ("i32 u32 i64 u64 f32 f64", "T max(T, T)", Expand("max")), ("i32 u32 i64 u64 f32 f64", "T min(T, T)", Expand("min")),
        ("i32 i64 f32 f64", "T abs(T)", Expand("abs")), ("", "i64 llabs(i64)", Expand("abs")),
        ("", "i64 labs(i64)", Expand("abs")), ("", "u32 umax(u32, u32)", Expand("max")),
        ("", "u32 umin(u32, u32)", Expand("min")), ("i32", "T __popc(u32)", Opaquely("popcount")),
        ("", "i32 __popcll(u64)", Opaquely("popcount")), ("", "i32 __clz(i32)", Opaquely("clz")),
        ("", "i32 __clzll(i64)", Opaquely("clz")), ("", "i32 __ffs(i32)", Opaquely("ffs")),
        ("", "i32 __ffsll(i64)", Opaquely("ffs")), ("", "u32 __brev(u32)", Opaquely("brev")),
        ("", "u64 __brevll(u64)", Opaquely("brev")), ("", "u32 __fns(u32, u32, i32)", Opaquely("fns")),
        ("", "u32 __spmd_packed(u32, u32)", Opaquely("packed")), ("", "u32 __byte_perm(u32, u32, u32)", Opaquely("byte_perm")),
        ("", "u32 __funnelshift_l(u32, u32, u32)", Opaquely("funnelshift_l")),
        ("", "u32 __funnelshift_r(u32, u32, u32)", Opaquely("funnelshift_r")), ("", "u32 __uhadd(u32, u32)", Opaquely("hadd")),
        ("", "u32 __urhadd(u32, u32)", Opaquely("rhadd")), ("", "u32 __sad(i32, i32, u32)", Opaquely("sad")),
        ("", "u32 __usad(u32, u32, u32)", Opaquely("usad")), ("", "i32 __hadd(i32, i32)", Opaquely("hadd")),
        ("", "i32 __rhadd(i32, i32)", Opaquely("rhadd")), ("i32 u32", "T __dp4a(T, T, T)", Opaquely("dp4a")),
        ("", "i64 __mul64hi(i64, i64)", Opaquely("mulhi")), ("", "u64 __umul64hi(u64, u64)", Opaquely("mulhi")),
    ]


def _floats() -> list[Row]:
    """Arithmetic of floats that names its rounding."""
    return [
        ("", "f32 __fdividef(f32, f32)", Opaquely("__fdividef")), ("", "f32 __saturatef(f32)", Expand("saturate")),
        *(("", f"f32 __f{op}_{mode}(f32, f32)", Expand(op) if mode == "rn" else Opaquely(f"__f{op}_{mode}"))
          for op in ("add", "sub", "mul", "div") for mode in ("rn", "rz", "ru", "rd")),
        *(("", f"f64 __d{op}_{mode}(f64, f64)", Expand(op) if mode == "rn" else Opaquely(f"__d{op}_{mode}"))
          for op in ("add", "sub", "mul", "div") for mode in ("rn", "rz", "ru", "rd")),
        *(("", f"f32 __fmaf_{mode}(f32, f32, f32)", Expand("fma") if mode == "rn" else Opaquely(f"__fmaf_{mode}"))
          for mode in ("rn", "rz", "ru", "rd")),
        *(("", f"{kind} __{letter}rcp_{mode}({kind})",
           Expand("reciprocal") if mode == "rn" else Opaquely(f"__{letter}rcp_{mode}"))
          for letter, kind in (("f", "f32"), ("d", "f64")) for mode in ("rn", "rz", "ru", "rd")),
        ("", "f32 __fsqrt_rn(f32)", Opaquely("sqrt")), ("", "f64 __dsqrt_rn(f64)", Opaquely("sqrt")),
        ("", "f64 __fma_rn(f64, f64, f64)", Expand("fma")), ("", "f32 __frsqrt_rn(f32)", Opaquely("__frsqrt_rn")),
    ]


def _conversions() -> list[Row]:
    """Numbers as others, by value and by bits."""
    return [
        ("", "i32 __float_as_int(f32)", Expand("bits")), ("", "u32 __float_as_uint(f32)", Expand("bits")),
        ("", "f32 __int_as_float(i32)", Expand("bits")), ("", "f32 __uint_as_float(u32)", Expand("bits")),
        ("", "i64 __double_as_longlong(f64)", Expand("bits")), ("", "f64 __longlong_as_double(i64)", Expand("bits")),
        ("", "u16 __half_as_ushort(f16)", Expand("bits")), ("", "f16 __ushort_as_half(u16)", Expand("bits")),
        ("", "i16 __half_as_short(f16)", Expand("bits")), ("", "f16 __short_as_half(i16)", Expand("bits")),
        ("", "u16 __bfloat16_as_ushort(bf16)", Expand("bits")), ("", "bf16 __ushort_as_bfloat16(u16)", Expand("bits")),
        *(("", f"i32 __float2int_{mode}(f32)", Expand("convert") if mode == "rz" else Opaquely(f"float2int_{mode}"))
          for mode in ("rn", "rz", "ru", "rd")),
        *(("", f"u32 __float2uint_{mode}(f32)", Expand("convert") if mode == "rz" else Opaquely(f"float2uint_{mode}"))
          for mode in ("rn", "rz", "ru", "rd")),
        *(("", f"f32 __int2float_{mode}(i32)", Expand("convert") if mode == "rn" else Opaquely(f"int2float_{mode}"))
          for mode in ("rn", "rz", "ru", "rd")),
        *(("", f"f32 __uint2float_{mode}(u32)", Expand("convert") if mode == "rn" else Opaquely(f"uint2float_{mode}"))
          for mode in ("rn", "rz", "ru", "rd")),
        ("", "f16 __float2half(f32)", Expand("convert")), ("", "f16 __float2half_rn(f32)", Expand("convert")),
        ("", "f32 __half2float(f16)", Expand("convert")), ("", "bf16 __float2bfloat16(f32)", Expand("convert")),
        ("", "bf16 __float2bfloat16_rn(f32)", Expand("convert")), ("", "f32 __bfloat162float(bf16)", Expand("convert")),
        *_rounded(), ("", "f64 __hiloint2double(i32, i32)", Opaquely("hiloint2double")),
        ("", "i32 __double2hiint(f64)", Opaquely("double2hiint")), ("", "i32 __double2loint(f64)", Opaquely("double2loint")),
    ]


def _asides() -> list[Row]:
    """What tells where and when a thread runs, and what ends it or does nothing."""
    return [
        ("", "u32 __spmd_register()", Unknowable(PLACE)),
        ("", "u32 __spmd_own_register()", Unknowable("a register of the device")),
        ("", "i64 clock64()", Unknowable("clock64()")), ("", "i32 clock()", Unknowable("clock()")),
        ("", "u32 __nanosleep(u32)", NoEffect()), ("", "void __trap()", Statement("never")), ("", "void __brkpt()", NoEffect()),
        *(("", f"void {name}()", NoEffect()) for name in (
            "cudaGridDependencySynchronize", "cudaTriggerProgrammaticLaunchCompletion")),
        ("", "void __spmd_assert(bool)", Statement("assert")), ("", "void __builtin_assume(bool)", Statement("assume")),
        ("", "void __builtin_unreachable()", Statement("never")),
    ]


def _rounded() -> list[Row]:
    """Conversions that name their rounding: C's own where it is the one C has (rz to integers, rn to floats). A double holds
    every integer of 32 bits: there is one way to it alone."""
    wholes = {"int": "i32", "uint": "u32", "ll": "i64", "ull": "u64"}
    rows: list[Row] = []
    for mode in ("rn", "rz", "ru", "rd"):
        for word, kind in wholes.items():
            pairs = [("double", "f64", word, kind)]
            if mode == "rn" or word in ("ll", "ull"):
                pairs.append((word, kind, "double", "f64"))
            if len(word) < 4 and word != "int":
                pairs += [("float", "f32", word, kind), (word, kind, "float", "f32")]
            for source, given, target, result in pairs:
                plain = mode == ("rz" if target == word else "rn")
                name = f"{source}2{target}_{mode}"
                rows.append(("", f"{result} __{name}({given})", Expand("convert") if plain else Opaquely(name)))
        narrowed = Expand("convert") if mode == "rn" else Opaquely(f"double2float_{mode}")
        rows.append(("", f"f32 __double2float_{mode}(f64)", narrowed))
    numbers = {**wholes, "short": "i16", "ushort": "u16", "float": "f32"}
    for short, result in (("half", "f16"), ("bfloat16", "bf16")):  # to nearest: in the stub, by a conversion of C
        names = [(f"{word}2{short}_{mode}", kind) for word, kind in numbers.items() for mode in ("rz", "ru", "rd")]
        rows += [("", f"{result} __{name}({kind})", Opaquely(name)) for name, kind in names]
    return rows


def shared_rows() -> list[Row]:
    """What both dialects have: C's own library and the annotations of GPUVerify."""
    rows: list[Row] = [
        ("", "i32 printf(const i8*, ...)", Printing()),
        ("", "void* memcpy(void*, const void*, u64)", CopyBytes()), ("", "void* memmove(void*, const void*, u64)", CopyBytes()),
        ("", "void* memset(void*, i32, u64)", CopyBytes(fill=True)),
        ("", "void assert(bool)", Statement("assert")),
        ("", "void __requires(bool)", Statement("requires")), ("", "void __ensures(bool)", Statement("ensures")),
        ("", "void __assume(bool)", Statement("assume")), ("", "void __assert(bool)", Statement("assert")),
        ("", "bool __invariant(bool)", Statement("invariant")),
        ("", "bool __implies(bool, bool)", Expand("implies")),
        ("any", "T __ite(bool, T, T)", Expand("ite")),
    ]
    return rows


def math_rows(vectors: bool) -> list[Row]:
    """Float functions: `sqrt` on each float type, and in CUDA `sqrtf` on float."""
    rows: list[Row] = []
    for name, function in FUNCTIONS.items():
        if function.type is not None:
            params = ", ".join(["f32"] * function.arity)
            if vectors == name.startswith(("native_", "half_")):
                rows.append(("", f"f32 {name}({params})", Opaquely(function.name)))
        else:
            params = ", ".join(["T"] * function.arity)
            rows.append(("f32 f64", f"T {name}({params})", Opaquely(function.name)))
    rows += [("f32 f64", "T fma(T, T, T)", Expand("fma")), ("f32 f64", "T ldexp(T, i32)", Opaquely("ldexp")),
             ("f32 f64", "T nextafter(T, T)", Opaquely("nextafter")), ("f32 f64", "T lgamma(T)", Opaquely("lgamma")),
             ("f32 f64", "T tgamma(T)", Opaquely("tgamma")), ("f32 f64", "T erfc(T)", Opaquely("erfc")),
             ("f32 f64", "i32 ilogb(T)", Opaquely("ilogb")), ("f32 f64", "T logb(T)", Opaquely("logb")),
             ("f32 f64", "T round(T)", Opaquely("round")), ("f32 f64", "T remainder(T, T)", Opaquely("remainder")),
             ("f32 f64", "T fdim(T, T)", Opaquely("fdim")), ("f32 f64", "T acosh(T)", Opaquely("acosh")),
             ("f32 f64", "T asinh(T)", Opaquely("asinh")), ("f32 f64", "T atanh(T)", Opaquely("atanh"))]
    if not vectors:
        rows += [("", "f32 fmaf(f32, f32, f32)", Expand("fma")),
                 *(("", f"f32 {name}f({', '.join(['f32'] * count)})", Opaquely(name)) for name, count in (
                     ("lgamma", 1), ("tgamma", 1), ("erfc", 1), ("round", 1), ("logb", 1), ("remainder", 2), ("fdim", 2),
                     ("nextafter", 2), ("acosh", 1), ("asinh", 1), ("atanh", 1), ("erfinv", 1), ("normcdf", 1), ("exp10", 1),
                     ("sinpi", 1), ("cospi", 1), ("rcbrt", 1), ("__tan", 1), ("__exp10", 1), ("__log2", 1), ("__log10", 1),
                     ("nearbyint", 1), ("erfcinv", 1), ("norm3d", 3), ("rnorm3d", 3), ("norm4d", 4), ("rnorm4d", 4),
                     ("rhypot", 2), ("j0", 1), ("j1", 1))),
                 *(("", f"f64 {name}({', '.join(['f64'] * count)})", Opaquely(name)) for name, count in (
                     ("norm3d", 3), ("rnorm3d", 3), ("norm4d", 4), ("rnorm4d", 4), ("rhypot", 2), ("j0", 1), ("j1", 1))),
                 *(("f32 f64", f"T {name}(T)", Opaquely(name)) for name in (
                     "exp10", "sinpi", "cospi", "rcbrt", "nearbyint", "erfinv", "erfcinv", "normcdf")),
                 ("", "f32 ldexpf(f32, i32)", Opaquely("ldexp")), ("", "f32 scalbnf(f32, i32)", Opaquely("ldexp")),
                 ("f32 f64", "T scalbn(T, i32)", Opaquely("ldexp")), ("", "i32 ilogbf(f32)", Opaquely("ilogb")),
                 ("f32 f64", "T powi(T, i32)", Opaquely("powi")), ("", "i32 __signbitf(f32)", Opaquely("signbit")),
                 ("", "i64 llrintf(f32)", Opaquely("lrint")), ("", "i64 lrintf(f32)", Opaquely("lrint")),
                 ("f32 f64", "i64 llrint(T)", Opaquely("lrint")), ("f32 f64", "i64 lround(T)", Opaquely("lround")),
                 ("f32 f64", "i64 lrint(T)", Opaquely("lrint")), ("f32 f64", "i64 llround(T)", Opaquely("lround")),
                 ("", "i64 llroundf(f32)", Opaquely("lround")),
                 ("", "i64 lroundf(f32)", Opaquely("lround"))]
    return rows
