"""Bits read as another type and back; running sums that are scaled only where a new maximum is found."""

from __future__ import annotations

from typing import Any

import pytest

# -- bits there and back -----------------------------------------------------------------------------------------------

EACH = "__global__ void k(const float *x, float *y) {{ int t = threadIdx.x; {} }}\n"
COPY = EACH.format("y[t] = x[t];")
AS_INT = "int b = __float_as_int(x[t]); {} y[t] = __int_as_float(b);"
BACK = {
    "at once": EACH.format("y[t] = __int_as_float(__float_as_int(x[t]));"),
    "unsigned": EACH.format("y[t] = __uint_as_float(__float_as_uint(x[t]));"),
    "a variable": EACH.format(AS_INT.format("")),
    "through lanes": EACH.format(AS_INT.format("for (int h = 0; h < 2; h++) b = __shfl_xor_sync(0xffffffffu, b, 5);")),
    "through memory": EACH.format("__shared__ int s[32]; s[t] = __float_as_int(x[t]); __syncthreads(); "
                                  "y[t] = __int_as_float(s[t]);"),
    "a choice": EACH.format(AS_INT.format("b = x[t] > 0 ? b : __float_as_int(x[t]);")),
}
NOT_BACK = {
    "another sign": EACH.format(AS_INT.format("b ^= 0x80000000;")),
    "another lane": EACH.format(AS_INT.format("b = __shfl_xor_sync(0xffffffffu, b, 5);")),
    "half of the bits": EACH.format(AS_INT.format("b &= 0xffff0000;")),
    "another exponent": EACH.format(AS_INT.format("b += 1 << 23;")),
    "a number": EACH.format("int b = (int)x[t]; y[t] = __int_as_float(b);"),
}
LAUNCH = "--block", "32", "--grid", "1"


@pytest.mark.parametrize("name", BACK)
def test_bits_and_back(name: str, compared: Any) -> None:
    found = compared(COPY, BACK[name], *LAUNCH)
    assert (found["verdict"], found["class"]) == ("equal", "bitwise"), found


@pytest.mark.parametrize("name", NOT_BACK)
def test_other_bits(name: str, compared: Any) -> None:
    assert compared(COPY, NOT_BACK[name], *LAUNCH)["verdict"] in ("different", "unknown")
    assert compared(COPY, NOT_BACK[name], *LAUNCH, "--mode", "bitwise")["verdict"] == "different"


def test_bits_of_what_is_equal_over_the_reals(compared: Any) -> None:
    twice = EACH.format("y[t] = 2 * __int_as_float(__float_as_int(0.5f * x[t]));")
    found = compared(COPY, twice, *LAUNCH)
    assert (found["verdict"], found["class"]) == ("equal", "real")


# -- running sums ------------------------------------------------------------------------------------------------------

HEAD = ("#include <math.h>\n// spmd: block=4 grid=1 x[24] y[4]\n__global__ void k(const float *x, float *y) {\n"
        "    int r = threadIdx.x; float m = FIRST, s = START;\n")
PLAIN = (HEAD.replace("FIRST", "-INFINITY").replace("START", "0") +
         "    for (int j = 0; j < 6; j++) m = fmaxf(m, x[6 * r + j]);\n"
         "    for (int j = 0; j < 6; j++) s += expf(x[6 * r + j] - m);\n    y[r] = m + logf(s);\n}\n")
ONLINE = HEAD + "    for (int j = BEGIN; j < 6; j++) { float v = x[6 * r + j]; STEP }\n    y[r] = m + logf(s);\n}\n"
STEPS = {
    "a branch": "if (v > m) { s = s * expf(m - v); m = v; } s += expf(v - m);",
    "a branch of two sides": "if (v > m) { s = s * expf(m - v) + 1; m = v; } else s += expf(v - m);",
    "the other way round": "if (v <= m) s += expf(v - m); else { s = s * expf(m - v) + 1; m = v; }",
    "a choice": "float old = m; m = v > m ? v : m; s = v > old ? s * expf(old - v) : s; s += expf(v - m);",
    "a quotient": "if (m < v) { s = s / expf(v - m); m = v; } s += expf(v - m);",
}
WRONG = {
    "scaled the other way": "if (v > m) { s = s * expf(v - m); m = v; } s += expf(v - m);",
    "never scaled": "if (v > m) m = v; s += expf(v - m);",
    "scaled by half": "if (v > m) { s = s * expf(0.5f * (m - v)); m = v; } s += expf(v - m);",
    "scaled where it is less": "if (v < m) s = s * expf(v - m); else m = v; s += expf(v - m);",
    "added before": "s += expf(v - m); if (v > m) { s = s * expf(m - v) + 1; m = v; }",
}


def online(step: str, *, peeled: bool) -> str:
    text = ONLINE.replace("STEP", step)
    for old, new in (("FIRST", "x[6 * r]"), ("START", "1"), ("BEGIN", "1")) if peeled else (
            ("FIRST", "-INFINITY"), ("START", "0"), ("BEGIN", "0")):
        text = text.replace(old, new)
    return text


@pytest.mark.parametrize("peeled", [False, True])
@pytest.mark.parametrize("name", STEPS)
def test_scaled_where_a_maximum_is_new(name: str, peeled: bool, compared: Any) -> None:
    found = compared(PLAIN, online(STEPS[name], peeled=peeled))
    assert (found["verdict"], found["class"]) == ("equal", "real-exp-max"), found


@pytest.mark.parametrize("name", WRONG)
def test_scaled_otherwise(name: str, compared: Any) -> None:
    assert compared(PLAIN, online(WRONG[name], peeled=True))["verdict"] == "different"


# -- for all sizes -----------------------------------------------------------------------------------------------------

ROWS = ("#include <math.h>\n// spmd: block=32 require rows > 0, cols > 0, rows <= 20000, cols <= 20000\n"
        "__global__ void k(const float *x, float *y, int rows, int cols) {\n    int r = blockIdx.x * 32 + threadIdx.x;\n"
        "    if (r >= rows) return;\n    const float *row = x + r * cols; float m = FIRST, s = START;\n")
OPEN_PLAIN = (ROWS.replace("FIRST", "row[0]").replace("START", "0") + "    for (int j = 1; j < cols; j++) m = fmaxf(m, row[j]);\n"
              "    for (int j = 0; j < cols; j++) s += expf(row[j] - m);\n    y[r] = s;\n}\n")
OPEN_ONLINE = ROWS + "    for (int j = BEGIN; j < cols; j++) { float v = row[j]; STEP }\n    y[r] = s;\n}\n"


def at_all_sizes(step: str, *, peeled: bool) -> str:
    text = OPEN_ONLINE.replace("STEP", step)
    for old, new in (("FIRST", "row[0]"), ("START", "1"), ("BEGIN", "1")) if peeled else (
            ("FIRST", "-INFINITY"), ("START", "0"), ("BEGIN", "0")):
        text = text.replace(old, new)
    return text


@pytest.mark.parametrize(("name", "peeled"), [("a branch", True), ("a branch", False), ("a branch of two sides", True),
                                              ("the other way round", True)])
def test_scaled_where_a_maximum_is_new_at_all_sizes(name: str, peeled: bool, compared: Any) -> None:
    found = compared(OPEN_PLAIN, at_all_sizes(STEPS[name], peeled=peeled))
    assert (found["verdict"], found["class"], found["assurance"]) == ("equal", "real-exp-max", "proved"), found


@pytest.mark.parametrize("name", WRONG)
def test_scaled_otherwise_at_all_sizes(name: str, compared: Any) -> None:
    assert compared(OPEN_PLAIN, at_all_sizes(WRONG[name], peeled=True))["verdict"] == "different"
