"""Integer functions on NumPy arrays, by CUDA's Math API (integer intrinsics) and OpenCL C 6.12.3.

Integers are two's complement and wrap; those named for saturation stop at the ends of their type. Most functions
are written for words: unsigned views of the arguments, whose width is that of the first argument.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from automata.machine.numbers.rounding import DTYPES, Array, Meaning, Pair, narrow, special
from automata.scalar import SCALARS, Kind, Scalar

_WORDS: dict[int, type[np.generic]] = {
    scalar.bits: DTYPES[scalar] for scalar in SCALARS if scalar.kind is Kind.INT and not scalar.signed
}


def words(function: Callable[..., Array]) -> Meaning:
    """A function on the bits of its arguments."""
    return lambda args, result, kinds: _in_type(function(*map(_word, args)), result)


def integers(function: Callable[..., Array]) -> Meaning:
    """A function on integers, signed or not as its arguments are."""
    return lambda args, result, kinds: _in_type(function(*args), result)


def _word(value: Array) -> Array:
    return value.view(_WORDS[8 * value.dtype.itemsize])


def _in_type(value: Array, kind: Scalar) -> Array:
    """Integers modulo 2^bits of a type."""
    return value.astype(DTYPES[kind])


def _width(value: Array) -> int:
    return 8 * value.dtype.itemsize


def _is_signed(value: Array) -> bool:
    return value.dtype.kind == "i"


# -- counting and moving bits -------------------------------------------------------------------------


def _clz(word: Array) -> Array:
    """Leading zeros; the width for 0."""
    filled, shift = word, 1
    while shift < _width(word):
        filled, shift = filled | (filled >> shift), 2 * shift
    return _width(word) - np.bitwise_count(filled)


def _ffs(word: Array) -> Array:
    """The position of the lowest bit that is set, from 1; 0 for 0."""
    return np.where(word == 0, 0, np.bitwise_count(word ^ (word - 1)))


def _brev(word: Array) -> Array:
    """The bits in reverse order: halves swapped, then halves of halves."""
    shift = _width(word) // 2
    mask = (1 << shift) - 1
    while shift:
        word = ((word >> shift) & mask) | ((word & mask) << shift)
        shift //= 2
        mask ^= mask << shift
    return word


def _rotate(value: Array, by: Array) -> Array:
    """Left by a number of bits modulo the width."""
    width = _width(value)
    left = by & (width - 1)
    return (value << left) | (value >> ((width - left) & (width - 1)))


def _byte_perm(x: Array, y: Array, selector: Array) -> Array:
    """Four of the eight bytes of y:x, each named by the low three bits of a digit of the selector."""
    both, found = x.astype(np.uint64) | (y.astype(np.uint64) << 32), np.zeros_like(x, dtype=np.uint64)
    for at in range(4):
        digit = ((selector >> (4 * at)) & 7).astype(np.uint64)
        found |= ((both >> (digit * 8)) & 0xFF) << (8 * at)
    return found


def _positions(word: Array) -> Array:
    """Which bits are set: a last axis of 32."""
    found: Array = (word[..., None] >> np.arange(32, dtype=np.uint32)) & 1 == 1
    return found


def _fns(word: Array, base: Array, offset: Array) -> Array:
    """The place of a bit that is set: at or above a base, the first for an offset of 1; at or below it, the first for -1; the
    base itself for 0. All ones where there is none."""
    steps, at = offset.view(np.int32)[..., None], np.arange(32)
    up, down = (_positions(word) & part for part in (at >= base[..., None], at <= base[..., None]))
    above, below = np.cumsum(up, -1), np.cumsum(down[..., ::-1], -1)[..., ::-1]
    hit = (up & (above == steps)) | (down & (below == -steps)) | (up & down & (steps == 0))
    return np.where(hit.any(-1), hit.argmax(-1), 0xFFFFFFFF)


def _packed(lanes: Array, word: Array) -> Array:
    """The bits of a word at the places of the bits of another, next to each other."""
    chosen = _positions(lanes)
    place = (np.cumsum(chosen, -1) - 1).clip(0).astype(np.uint64)
    return np.sum(np.where(chosen & _positions(word), np.uint64(1) << place, 0), -1)


def _funnelshift_l(low: Array, high: Array, by: Array) -> Array:
    """The upper word of high:low shifted left by a number modulo 32."""
    return (_concatenated(low, high) << (by & 31).astype(np.uint64)) >> 32


def _funnelshift_r(low: Array, high: Array, by: Array) -> Array:
    """The lower word of high:low shifted right by a number modulo 32."""
    return _concatenated(low, high) >> (by & 31).astype(np.uint64)


def _concatenated(low: Array, high: Array) -> Array:
    return low.astype(np.uint64) | (high.astype(np.uint64) << 32)


# -- averages, differences, dot products --------------------------------------------------------------


def _hadd(x: Array, y: Array) -> Array:
    """(x + y) >> 1 of the exact sum."""
    return (x & y) + ((x ^ y) >> 1)


def _rhadd(x: Array, y: Array) -> Array:
    """(x + y + 1) >> 1 of the exact sum."""
    return (x | y) - ((x ^ y) >> 1)


def _sad(x: Array, y: Array, z: Array) -> Array:
    """|x - y| + z."""
    return np.where(x < y, _word(y) - _word(x), _word(x) - _word(y)) + z


def _dp4a(x: Array, y: Array, z: Array) -> Array:
    """z + the sum of the products of the four bytes, which are signed as the arguments are."""
    byte = np.int8 if _is_signed(x) else np.uint8
    for at in range(0, 32, 8):
        one, two = ((word >> at).astype(byte).astype(z.dtype) for word in (x, y))
        z = z + one * two
    return z


# -- products of twice the width ----------------------------------------------------------------------


def _product(x: Array, y: Array) -> Pair:
    """The upper and the lower word of the exact product of two words of 64 bits."""
    half = 0xFFFFFFFF
    x_low, x_high, y_low, y_high = x & half, x >> 32, y & half, y >> 32
    low = x_low * y_low
    middle = x_high * y_low + (low >> 32)
    other = x_low * y_high + (middle & half)
    return x_high * y_high + (middle >> 32) + (other >> 32), x * y


def _mulhi(x: Array, y: Array) -> Array:
    """The upper half of the exact product."""
    width = _width(x)
    if width < 64:
        wide = np.int64 if _is_signed(x) else np.uint64
        return (x.astype(wide) * y.astype(wide)) >> width
    high = _product(_word(x), _word(y))[0]
    if not _is_signed(x):
        return high
    return high - np.where(x < 0, _word(y), 0) - np.where(y < 0, _word(x), 0)


def _mad_hi(x: Array, y: Array, z: Array) -> Array:
    return _mulhi(x, y).astype(z.dtype) + z


# -- saturation ---------------------------------------------------------------------------------------


def _ends(value: Array) -> tuple[int, int]:
    limits = np.iinfo(value.dtype)
    return int(limits.min), int(limits.max)


def _add_sat(x: Array, y: Array) -> Array:
    low, high = _ends(x)
    total = x + y
    if not _is_signed(x):
        return np.where(total < x, high, total)
    return np.where(((x ^ total) & (y ^ total)) < 0, np.where(x < 0, low, high), total)


def _sub_sat(x: Array, y: Array) -> Array:
    low, high = _ends(x)
    if not _is_signed(x):
        return np.where(x < y, 0, x - y)
    rest = x - y
    return np.where(((x ^ y) & (x ^ rest)) < 0, np.where(x < 0, low, high), rest)


def _mad_sat(x: Array, y: Array, z: Array) -> Array:
    """x · y + z, at an end of the type where the exact value lies beyond it."""
    low, high = _ends(x)
    if _width(x) < 64:
        wide = np.int64 if _is_signed(x) else np.uint64
        return np.clip(x.astype(wide) * y.astype(wide) + z.astype(wide), low, high)
    upper, lower = _word(_mulhi(x, y)), _word(x) * _word(y)
    total = lower + _word(z)
    upper = upper + (total < lower).astype(np.uint64)
    if not _is_signed(x):
        return np.where(upper != 0, np.uint64(high), total)
    exact = (upper + np.where(z < 0, np.uint64(2**64 - 1), np.uint64(0))).view(np.int64)
    result = total.view(np.int64)
    return np.where(exact == result >> 63, result, np.where(exact < 0, low, high))


# -- parts of doubles, addresses, random numbers ------------------------------------------------------


def _hiloint2double(args: Sequence[Array], result: Scalar, kinds: Sequence[Scalar]) -> Array:
    high, low = map(_word, args)
    return _concatenated(low, high).view(np.float64)


def _address(number: Array, offset: Array) -> Array:
    """Where an object stands, from its number and a distance in bytes: a stand-in for what no program may rely on.

    Objects stand 2^40 bytes apart, none at 0; as on devices, each starts at a multiple of 256.
    """
    return ((number.astype(np.uint64) + 1) << 40) + offset.astype(np.uint64)


def _random_start(seed: Array, sequence: Array, offset: Array) -> Array:
    """The state of a generator: a stand-in (SplitMix64) for those of the device API, as are the functions below."""
    state = seed
    for part in (sequence, offset):
        state = _mixed(state + np.uint64(0x9E3779B97F4A7C15)) ^ part
    return _mixed(state + np.uint64(0x9E3779B97F4A7C15)) >> 32


def _mixed(state: Array) -> Array:
    state = (state ^ (state >> 30)) * np.uint64(0xBF58476D1CE4E5B9)
    state = (state ^ (state >> 27)) * np.uint64(0x94D049BB133111EB)
    return state ^ (state >> 31)


def _random_next(state: Array) -> Array:
    """The linear congruential step of PCG-32."""
    return state * np.uint32(747796405) + np.uint32(2891336453)


def _random_value(state: Array) -> Array:
    """The output permutation of PCG-RXS-M-XS-32."""
    word = ((state >> ((state >> 28) + 4)) ^ state) * np.uint32(277803737)
    return (word >> 22) ^ word


def _random_unit(args: Sequence[Array], result: Scalar, kinds: Sequence[Scalar]) -> Array:
    """Uniform in (0, 1], as curand_uniform."""
    return narrow((args[0].astype(np.float64) + 1) * 2.0**-32, result)


def _random_normal(args: Sequence[Array], result: Scalar, kinds: Sequence[Scalar]) -> Array:
    """Standard normal, by the inverse of its distribution."""
    return narrow(special().ndtri((args[0].astype(np.float64) + 0.5) * 2.0**-32), result)


def _bits(value: Array) -> Array:
    return _word(value).astype(np.uint64)


def _tile_mix(args: Sequence[Array], result: Scalar, kinds: Sequence[Scalar]) -> Array:
    """What a lane brings to an operation on matrices, one value more: a stand-in, as are the two below."""
    return _in_type(_mixed(_bits(args[0]) * np.uint64(0x9E3779B97F4A7C15) + _bits(args[1]) + np.uint64(1)), result)


def _tile_out(args: Sequence[Array], result: Scalar, kinds: Sequence[Scalar]) -> Array:
    mixed = _mixed(_bits(args[0]) * np.uint64(0x9E3779B97F4A7C15) + _bits(args[1]) + np.uint64(1)) & np.uint64(0xFFFF)
    return narrow(mixed.astype(np.float64) / 256, result) if result.is_float else _in_type(mixed, result)


def _tile_owner(args: Sequence[Array], result: Scalar, kinds: Sequence[Scalar]) -> Array:
    """The lane that stores an element of a tile: one of the ways in which a device may choose."""
    return _in_type(_mixed(_bits(args[0]) * np.uint64(0x9E3779B97F4A7C15) + _bits(args[1])) & np.uint64(31), result)


INTEGER: dict[str, Meaning] = {
    "popcount": words(np.bitwise_count), "clz": words(_clz), "ffs": words(_ffs), "brev": words(_brev),
    "rotate": words(_rotate), "byte_perm": words(_byte_perm), "fns": words(_fns), "packed": words(_packed),
    "funnelshift_l": words(_funnelshift_l), "funnelshift_r": words(_funnelshift_r),
    "hadd": integers(_hadd), "rhadd": integers(_rhadd), "sad": integers(_sad), "usad": integers(_sad), "dp4a": integers(_dp4a),
    "mulhi": integers(_mulhi), "mad_hi": integers(_mad_hi),
    "add_sat": integers(_add_sat), "sub_sat": integers(_sub_sat), "mad_sat": integers(_mad_sat),
    "hiloint2double": _hiloint2double, "double2hiint": words(lambda word: word >> 32), "double2loint": words(lambda word: word),
    "address": integers(_address), "random_start": words(_random_start), "random_next": words(_random_next),
    "in_any_order_of": lambda args, result, kinds: args[0],
    "tile_mix": _tile_mix, "tile_lane": _tile_mix, "tile_out": _tile_out, "tile_owner": _tile_owner,
    "random_value": words(_random_value), "random_unit": _random_unit, "random_normal": _random_normal,
}
