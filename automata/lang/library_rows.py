"""The rows of the device library: `types | prototypes | meaning`, as `library` explains. Adding a builtin is adding a row."""

from __future__ import annotations

from automata.lang.builtins import FUNCTIONS
from automata.lang.core import Scope
from automata.lang.meanings import (
    Assumption,
    AsyncCopy,
    AsyncWait,
    AtomicCall,
    BarrierCall,
    CollectiveCall,
    CopyBytes,
    Expand,
    FenceCall,
    ImageWrite,
    LaterCopy,
    LaterGroup,
    Meaning,
    NoEffect,
    Opaquely,
    Permute,
    Printing,
    ReadThrough,
    Refused,
    Relation,
    SharedNumber,
    SineAndCosine,
    Statement,
    Unknowable,
    VectorRead,
    VectorWrite,
    WriteThrough,
)
from automata.lang.ptx_rows import APPROXIMATE

Row = tuple[str, str, Meaning]

_INTS = "i32 u32 i64 u64"
_ALL = "i32 u32 i64 u64 f16 bf16 f32 f64"


def _atomics(prefix: str, suffix: str, scope: Scope) -> list[Row]:
    rows: list[Row] = []
    kinds = {"Add": "i32 u32 i64 u64 f16 bf16 f32 f64", "Sub": "i32 u32", "Exch": "i32 u32 i64 u64 f32",
             "Min": f"{_INTS} f32 f64", "Max": f"{_INTS} f32 f64", "Inc": "u32", "Dec": "u32", "And": _INTS, "Or": _INTS,
             "Xor": _INTS}
    for name, types in kinds.items():
        rows.append((types, f"T {prefix}{name}{suffix}(T*, T)", AtomicCall(name.lower(), scope)))
    rows.append(("i32 u32 i64 u64 u16", f"T {prefix}CAS{suffix}(T*, T, T)", AtomicCall("cas", scope)))
    rows.append((f"{_ALL} i8 u8 i16 u16", f"T __spmd_{prefix}_load{suffix}(const T*)", AtomicCall("load", scope, fixed=0)))
    return rows


def cuda_rows() -> list[Row]:
    rows: list[Row] = [
        ("", "void __syncthreads()", BarrierCall("block")),
        ("", "i32 __syncthreads_and(i32)", BarrierCall("block", vote="and")),
        ("", "i32 __syncthreads_or(i32)", BarrierCall("block", vote="or")),
        ("", "i32 __syncthreads_count(i32)", BarrierCall("block", vote="count")),
        ("", "void __syncwarp(u32 = 0xffffffffu)", BarrierCall("warp", mask=True)),
        ("", "void __spmd_grid_sync()", BarrierCall("grid")),
        ("", "void __spmd_tile_sync(u32)", BarrierCall("warp", mask=True)),
        ("", "void __spmd_by_halves()", Assumption("reductions and scans of groups combine floats by halves, or of coalesced "
                                                   "groups in the order of ranks: CUDA leaves that open")),
        ("", "void __spmd_rows_are_long()", Assumption("the leading dimension of a matrix that a tile is stored to is not "
                                                       "smaller than the tile")),
        ("", "void __spmd_contiguous()", Assumption("tensors behind accessors are contiguous: their strides are those of their "
                                                    "sizes")),
        ("", "void __threadfence()", FenceCall("device")), ("", "void __threadfence_block()", FenceCall("block")),
        ("", "void __threadfence_system()", FenceCall("system")),
        (_ALL, "T __shfl_sync(u32, T, i32, i32 = 32)", CollectiveCall("shfl")),
        (_ALL, "T __shfl_up_sync(u32, T, u32, i32 = 32)", CollectiveCall("shfl_up")),
        (_ALL, "T __shfl_down_sync(u32, T, u32, i32 = 32)", CollectiveCall("shfl_down")),
        (_ALL, "T __shfl_xor_sync(u32, T, i32, i32 = 32)", CollectiveCall("shfl_xor")),
        (_ALL, "T __shfl(T, i32, i32 = 32)", CollectiveCall("shfl", False)),
        (_ALL, "T __shfl_up(T, u32, i32 = 32)", CollectiveCall("shfl_up", False)),
        (_ALL, "T __shfl_down(T, u32, i32 = 32)", CollectiveCall("shfl_down", False)),
        (_ALL, "T __shfl_xor(T, i32, i32 = 32)", CollectiveCall("shfl_xor", False)),
        ("", "i32 __all_sync(u32, i32)", CollectiveCall("all")), ("", "i32 __any_sync(u32, i32)", CollectiveCall("any")),
        ("", "u32 __ballot_sync(u32, i32)", CollectiveCall("ballot")),
        ("", "i32 __all(i32)", CollectiveCall("all", False)), ("", "i32 __any(i32)", CollectiveCall("any", False)),
        ("", "u32 __ballot(i32)", CollectiveCall("ballot", False)),
        ("", "u32 __activemask()", CollectiveCall("activemask", False)),
        (_ALL, "u32 __match_any_sync(u32, T)", CollectiveCall("match_any")),
        *((types, f"T __reduce_{op}_sync(u32, T)", CollectiveCall(f"reduce_{op}"))
          for op, types in (("add", "i32 u32"), ("min", "i32 u32"), ("max", "i32 u32"), ("and", "u32"), ("or", "u32"),
                            ("xor", "u32"))),
        *_atomics("atomic", "", "device"), *_atomics("atomic", "_block", "block"), *_atomics("atomic", "_system", "system"),
        ("", "void __pipeline_memcpy_async(void*, const void*, u64, u64 = 0)", LaterCopy()),
        ("", "void __spmd_copy_later(void*, const void*, u64, u64)", LaterCopy(given=True)),
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
        *(("", f"u8 __spmd_to_{kind}{how}(f32)", Opaquely(f"to_{kind}{how}"))
          for kind in ("e4m3", "e5m2") for how in ("", "_open")),
        *(("", f"f32 __spmd_from_{kind}(u8)", Opaquely(f"from_{kind}")) for kind in ("e4m3", "e5m2")),
        ("", "u32 __spmd_register()", Unknowable("a register of the device that says where a thread runs, or when")),
        ("", "u64 __cvta_generic_to_shared(const void*)", SharedNumber()),
        ("", "void* __spmd_shared(u32, i32)", SharedNumber(back=True)),
        ("", "void __pipeline_commit()", LaterGroup()),
        ("", "void __pipeline_wait_prior(u64)", LaterGroup(waits=True, commits=False)),
        ("", "void __spmd_copies_end()", LaterGroup(waits=True)),
        *(("any", f"T {name}(const T*)", ReadThrough(name == "__ldg"))
          for name in ("__ldg", "__ldcs", "__ldca", "__ldcg", "__ldlu", "__ldcv")),
        *(("any", f"void {name}(T*, T)", WriteThrough()) for name in ("__stcs", "__stcg", "__stwb", "__stwt")),
        ("", "i32 __float_as_int(f32)", Expand("bits")), ("", "u32 __float_as_uint(f32)", Expand("bits")),
        ("", "f32 __int_as_float(i32)", Expand("bits")), ("", "f32 __uint_as_float(u32)", Expand("bits")),
        ("", "i64 __double_as_longlong(f64)", Expand("bits")), ("", "f64 __longlong_as_double(i64)", Expand("bits")),
        ("", "u16 __half_as_ushort(f16)", Expand("bits")), ("", "f16 __ushort_as_half(u16)", Expand("bits")),
        ("", "i16 __half_as_short(f16)", Expand("bits")), ("", "f16 __short_as_half(i16)", Expand("bits")),
        ("", "u16 __bfloat16_as_ushort(bf16)", Expand("bits")), ("", "bf16 __ushort_as_bfloat16(u16)", Expand("bits")),
        ("", "i32 __mul24(i32, i32)", Expand("mul24")), ("", "u32 __umul24(u32, u32)", Expand("mul24")),
        ("", "i32 __mulhi(i32, i32)", Expand("mulhi")), ("", "u32 __umulhi(u32, u32)", Expand("mulhi")),
        ("", "f32 __fdividef(f32, f32)", Opaquely("__fdividef")), ("", "f32 __saturatef(f32)", Expand("saturate")),
        *(("", f"f32 __f{op}_{mode}(f32, f32)", Expand(op) if mode == "rn" else Opaquely(f"__f{op}_{mode}"))
          for op in ("add", "sub", "mul", "div") for mode in ("rn", "rz", "ru", "rd")),
        *(("", f"f64 __d{op}_{mode}(f64, f64)", Expand(op) if mode == "rn" else Opaquely(f"__d{op}_{mode}"))
          for op in ("add", "sub", "mul", "div") for mode in ("rn", "rz", "ru", "rd")),
        *(("", f"f32 __fmaf_{mode}(f32, f32, f32)", Expand("fma") if mode == "rn" else Opaquely(f"__fmaf_{mode}"))
          for mode in ("rn", "rz", "ru", "rd")),
        *(("f16 bf16", f"T __spmd_half_{name}(T)", Opaquely(f"h{name}")) for name in (
            "exp", "exp2", "exp10", "log", "log2", "log10", "rsqrt", "sin", "cos", "tanh")),
        ("f16 bf16", "T __spmd_half_fabs(T)", Opaquely("fabs")), ("f16 bf16", "T __spmd_half_fma(T, T, T)", Expand("fma")),
        *(("f32 f64", f"T __spmd_both_{name}(T)", Opaquely(f"both_{name}")) for name in ("sin", "cos", "sinpi", "cospi")),
        *(("", f"{kind} __{letter}rcp_{mode}({kind})",
           Expand("reciprocal") if mode == "rn" else Opaquely(f"__{letter}rcp_{mode}"))
          for letter, kind in (("f", "f32"), ("d", "f64")) for mode in ("rn", "rz", "ru", "rd")),
        ("", "f32 __fsqrt_rn(f32)", Opaquely("sqrt")), ("", "f64 __dsqrt_rn(f64)", Opaquely("sqrt")),
        ("", "f64 __fma_rn(f64, f64, f64)", Expand("fma")),
        ("", "f32 __frsqrt_rn(f32)", Opaquely("__frsqrt_rn")),
        ("", "i64 clock64()", Unknowable("clock64()")), ("", "i32 clock()", Unknowable("clock()")),
        ("", "u32 __nanosleep(u32)", NoEffect()),
        *(("", f"{result} __spmd_random_{what}({given})", Opaquely(f"random_{what}")) for result, what, given in (
            ("u32", "start", "u64, u64, u64"), ("u32", "next", "u32"), ("u32", "value", "u32"), ("f32", "unit", "u32"),
            ("f32", "normal", "u32"))),
        ("f32 f64 f16 bf16", "T __spmd_in_any_order(T, i32)", Opaquely("in_any_order")),
        ("any", "T __spmd_in_any_order_all(T, i32)", Opaquely("in_any_order_of", whole=True)),
        ("", "void __trap()", Statement("never")), ("", "void __brkpt()", NoEffect()),
        ("", "void* malloc(u64)", Refused("malloc in a kernel")), ("", "void free(void*)", Refused("free in a kernel")),
        *(("", f"void {name}()", NoEffect()) for name in (
            "cudaGridDependencySynchronize", "cudaTriggerProgrammaticLaunchCompletion")),
        ("", "void __spmd_assert(bool)", Statement("assert")), ("", "void __builtin_assume(bool)", Statement("assume")),
        ("", "void __builtin_unreachable()", Statement("never")),
        ("", "void* __builtin_memcpy(void*, const void*, u64)", CopyBytes()),
        ("", "void* __builtin_memset(void*, i32, u64)", CopyBytes(fill=True)),
        ("", "void* __builtin_alloca(u64)", Refused("alloca")),
        ("i32 u32 i64 u64 f32 f64", "T max(T, T)", Expand("max")), ("i32 u32 i64 u64 f32 f64", "T min(T, T)", Expand("min")),
        ("i32 i64 f32 f64", "T abs(T)", Expand("abs")), ("", "i64 llabs(i64)", Expand("abs")),
        ("", "i64 labs(i64)", Expand("abs")),
        ("", "u32 umax(u32, u32)", Expand("max")), ("", "u32 umin(u32, u32)", Expand("min")),
        ("i32", "T __popc(u32)", Opaquely("popcount")), ("", "i32 __popcll(u64)", Opaquely("popcount")),
        ("", "i32 __clz(i32)", Opaquely("clz")), ("", "i32 __clzll(i64)", Opaquely("clz")),
        ("", "i32 __ffs(i32)", Opaquely("ffs")), ("", "i32 __ffsll(i64)", Opaquely("ffs")),
        ("", "u32 __brev(u32)", Opaquely("brev")), ("", "u64 __brevll(u64)", Opaquely("brev")),
        ("", "u32 __fns(u32, u32, i32)", Opaquely("fns")), ("", "u32 __spmd_packed(u32, u32)", Opaquely("packed")),
        ("", "u32 __byte_perm(u32, u32, u32)", Opaquely("byte_perm")),
        ("", "u32 __funnelshift_l(u32, u32, u32)", Opaquely("funnelshift_l")),
        ("", "u32 __funnelshift_r(u32, u32, u32)", Opaquely("funnelshift_r")),
        ("", "u32 __uhadd(u32, u32)", Opaquely("hadd")), ("", "u32 __urhadd(u32, u32)", Opaquely("rhadd")),
        ("", "u32 __sad(i32, i32, u32)", Opaquely("sad")), ("", "u32 __usad(u32, u32, u32)", Opaquely("usad")),
        ("", "i32 __hadd(i32, i32)", Opaquely("hadd")), ("", "i32 __rhadd(i32, i32)", Opaquely("rhadd")),
        ("i32 u32", "T __dp4a(T, T, T)", Opaquely("dp4a")),
        ("", "i64 __mul64hi(i64, i64)", Opaquely("mulhi")), ("", "u64 __umul64hi(u64, u64)", Opaquely("mulhi")),
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
        *_rounded(),
        *(("any", f"T {name}(cudaTextureObject_t, {at})", Opaquely(name)) for name, at in (
            ("tex1Dfetch", "i32"), ("tex1D", "f32"), ("tex2D", "f32, f32"), ("tex3D", "f32, f32, f32"))),
        ("", "f64 __hiloint2double(i32, i32)", Opaquely("hiloint2double")),
        ("", "i32 __double2hiint(f64)", Opaquely("double2hiint")), ("", "i32 __double2loint(f64)", Opaquely("double2loint")),
    ]
    return rows


def _rounded() -> list[Row]:
    """Conversions that name their rounding: C's own where it is the one C has (rz to integers, rn to floats)."""
    wholes = {"int": "i32", "uint": "u32", "ll": "i64", "ull": "u64"}
    rows: list[Row] = []
    for mode in ("rn", "rz", "ru", "rd"):
        for word, kind in wholes.items():
            pairs = [("double", "f64", word, kind), (word, kind, "double", "f64")]
            if len(word) < 4 and word != "int":
                pairs += [("float", "f32", word, kind), (word, kind, "float", "f32")]
            for source, given, target, result in pairs:
                plain = mode == ("rz" if target == word else "rn")
                name = f"{source}2{target}_{mode}"
                rows.append(("", f"{result} __{name}({given})", Expand("convert") if plain else Opaquely(name)))
        narrowed = Expand("convert") if mode == "rn" else Opaquely(f"double2float_{mode}")
        rows.append(("", f"f32 __double2float_{mode}(f64)", narrowed))
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


_OCL_INTS = "i8 u8 i16 u16 i32 u32 i64 u64"
_OCL_NUMBERS = f"{_OCL_INTS} f32 f64"


def opencl_rows() -> list[Row]:
    atomics: list[Row] = []
    for prefix in ("atomic_", "atom_"):
        for op in ("add", "sub", "min", "max", "and", "or", "xor"):
            atomics.append((_INTS, f"T {prefix}{op}(T*, T)", AtomicCall(op)))
        atomics.append((f"{_INTS} f32", f"T {prefix}xchg(T*, T)", AtomicCall("exch")))
        atomics.append((_INTS, f"T {prefix}inc(T*)", AtomicCall("add", fixed=1)))
        atomics.append((_INTS, f"T {prefix}dec(T*)", AtomicCall("sub", fixed=1)))
        atomics.append((_INTS, f"T {prefix}cmpxchg(T*, T, T)", AtomicCall("cas")))
    return [
        ("", "u32 get_work_dim()", Opaquely("get_work_dim")),
        *(("", f"{kind}x4 read_image{letter}({image}{sampler}, {at})", Opaquely(f"read_image{letter}"))
          for letter, kind in (("f", "f32"), ("i", "i32"), ("ui", "u32")) for sampler in (", sampler_t", "")
          for image, ats in (("image2d_t", ("i32x2", "f32x2")), ("image3d_t", ("i32x4", "f32x4")), ("image1d_t", ("i32", "f32")))
          for at in ats),
        *(("", f"i32 get_image_{what}({image})", Opaquely(f"get_image_{what}"))
          for what in ("width", "height", "depth") for image in ("image2d_t", "image3d_t")),
        *(("", f"void write_image{letter}({image}, {at}, {kind}x4)", ImageWrite())
          for letter, kind in (("f", "f32"), ("i", "i32"), ("ui", "u32"))
          for image, at in (("image2d_t", "i32x2"), ("image1d_t", "i32"))),
        ("f32 f64", "T sincos(T, T*)", SineAndCosine()),
        *((kind, f"T select(T, T, {test})", Expand("select")) for kind, tests in (
            ("f32 i32 u32", ("i32", "u32")), ("f64 i64 u64", ("i64", "u64")), ("i16 u16", ("i16", "u16")),
            ("i8 u8", ("i8", "u8")))
          for test in tests),
        ("any", "T shuffle(T, T)", Permute()), ("any", "T shuffle2(T, T, T)", Permute()),
        ("", "void barrier(u32)", BarrierCall("block", flags=True)),
        ("", "void work_group_barrier(u32)", BarrierCall("block", flags=True)),
        ("", "void sub_group_barrier(u32)", BarrierCall("warp", flags=True)),
        *(("", f"void {name}(u32)", FenceCall("block")) for name in ("mem_fence", "read_mem_fence", "write_mem_fence")),
        *atomics,
        *((_OCL_NUMBERS, f"Tx{count} vload{count}(u64, const T*)", VectorRead(count)) for count in (2, 3, 4, 8, 16)),
        *((_OCL_NUMBERS, f"void vstore{count}(Tx{count}, u64, T*)", VectorWrite(count)) for count in (2, 3, 4, 8, 16)),
        ("any", "event_t async_work_group_copy(T*, const T*, u64, event_t)", AsyncCopy()),
        ("any", "event_t async_work_group_strided_copy(T*, const T*, u64, u64, event_t)", AsyncCopy(strided=True)),
        ("", "void wait_group_events(i32, event_t*)", AsyncWait()), ("any", "void prefetch(const T*, u64)", NoEffect()),
        (_OCL_NUMBERS, "T min(T, T)", Expand("common_min")), (_OCL_NUMBERS, "T max(T, T)", Expand("common_max")),
        *((f"{sign}{bits}", f"u{bits} {call}", Expand(call.partition("(")[0]))
          for call in ("abs(T)", "abs_diff(T, T)") for bits in (8, 16, 32, 64) for sign in "iu"),
        (_OCL_NUMBERS, "T clamp(T, T, T)", Expand("clamp")),
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
        *(("i8 i16 i32 i64", f"i32 {name}(T{count})", Expand(name))
          for name in ("any", "all") for count in ("x2", "x3", "x4", "x8", "x16", "")),
        (_OCL_NUMBERS, "T bitselect(T, T, T)", Expand("bitselect")), ("any", "T __convert_sat(T)", Expand("convert_sat")),
        ("i32 u32", "T mul24(T, T)", Expand("mul24")), ("i32 u32", "T mad24(T, T, T)", Expand("mad24")),
        (_OCL_INTS, "T mul_hi(T, T)", Opaquely("mulhi")), (_OCL_INTS, "T hadd(T, T)", Opaquely("hadd")),
        (_OCL_INTS, "T rhadd(T, T)", Opaquely("rhadd")), (_OCL_INTS, "T add_sat(T, T)", Opaquely("add_sat")),
        (_OCL_INTS, "T sub_sat(T, T)", Opaquely("sub_sat")), (_OCL_INTS, "T rotate(T, T)", Opaquely("rotate")),
        (_OCL_INTS, "T popcount(T)", Opaquely("popcount")), (_OCL_INTS, "T clz(T)", Opaquely("clz")),
        (_OCL_INTS, "T mad_hi(T, T, T)", Opaquely("mad_hi")), (_OCL_INTS, "T mad_sat(T, T, T)", Opaquely("mad_sat")),
    ]
