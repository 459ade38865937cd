// spmd: block=32 grid=(n+31)/32 require n > 0, n <= 2000
// Functions that IEEE 754 or OpenCL C 7.4 defines exactly.
__kernel void exact(__global const float *x, __global const float *y, __global float *out, __global int *tests, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  out[11 * i] = sqrt(fabs(x[i]));
  out[11 * i + 1] = floor(x[i]) + ceil(y[i]);
  out[11 * i + 2] = trunc(x[i]) - rint(y[i]);
  out[11 * i + 3] = round(x[i] * 0.5f);
  out[11 * i + 4] = fma(x[i], y[i], 0.1f);
  out[11 * i + 5] = copysign(x[i], y[i]);
  out[11 * i + 6] = fmod(x[i], y[i]);
  out[11 * i + 7] = fmax(x[i], y[i] + 1.1f);
  out[11 * i + 8] = fmin(x[i], 2.0f);
  out[11 * i + 9] = ldexp(x[i], i % 9 - 4);
  out[11 * i + 10] = x[i] / y[i];
  tests[i] = isnan(x[i] - y[i]) + 2 * isinf(x[i] * 4.0f) + 4 * isfinite(x[i]) + 8 * (signbit(y[i]) != 0);
}

__kernel void exact_double(__global const double *x, __global const double *y, __global double *out, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  out[6 * i] = sqrt(fabs(x[i])) / y[i];
  out[6 * i + 1] = floor(x[i]) * ceil(y[i]) - rint(x[i]);
  out[6 * i + 2] = fma(x[i], y[i], -0.1);
  out[6 * i + 3] = fmod(x[i], y[i]);
  out[6 * i + 4] = fmin(x[i], y[i] + 1.0) + fmax(x[i], 0.5);
  out[6 * i + 5] = x[i] * y[i] + x[i];
}

// Functions that libraries round differently.
__kernel void transcendental(__global const float *given, __global float *out, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  float x = fmin(fmax(given[i], -20.0f), 20.0f);
  float above = fabs(x) + 0.01f;
  out[12 * i] = exp(x);
  out[12 * i + 1] = log(above);
  out[12 * i + 2] = sin(x);
  out[12 * i + 3] = cos(x);
  out[12 * i + 4] = tanh(x);
  out[12 * i + 5] = pow(above, 1.7f);
  out[12 * i + 6] = atan2(x, 3.0f);
  out[12 * i + 7] = rsqrt(above);
  out[12 * i + 8] = exp2(x);
  out[12 * i + 9] = log2(above);
  out[12 * i + 10] = hypot(x, 0.5f);
  out[12 * i + 11] = cbrt(x);
}

__kernel void more_exact(__global const float *x, __global const float *y, __global float *out, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  float a = x[i], b = y[i];
  out[8 * i] = remainder(a, b);
  out[8 * i + 1] = nextafter(a, b);
  out[8 * i + 2] = logb(a);
  out[8 * i + 3] = maxmag(a, b);
  out[8 * i + 4] = fdim(a, b);
  out[8 * i + 5] = step(a, b);
  out[8 * i + 6] = sign(a);
  out[8 * i + 7] = clamp(a, -3.0f, 5.5f);
}

__kernel void more_transcendental(__global const float *given, __global float *out, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  float x = fmin(fmax(given[i], -8.0f), 8.0f), above = fabs(x) + 0.01f, inside = x / 8.1f, c;
  out[22 * i] = tan(x);
  out[22 * i + 1] = asin(inside);
  out[22 * i + 2] = acos(inside);
  out[22 * i + 3] = atan(x);
  out[22 * i + 4] = sinh(x);
  out[22 * i + 5] = cosh(x);
  out[22 * i + 6] = log10(above);
  out[22 * i + 7] = log1p(above);
  out[22 * i + 8] = expm1(x);
  out[22 * i + 9] = exp10(x);
  out[22 * i + 10] = erf(x);
  out[22 * i + 11] = erfc(x);
  out[22 * i + 12] = tgamma(above);
  out[22 * i + 13] = lgamma(above);
  out[22 * i + 14] = asinh(x);
  out[22 * i + 15] = atanh(inside);
  out[22 * i + 16] = sincos(x, &c);
  out[22 * i + 17] = c;
  out[22 * i + 18] = pown(x, 3);
  out[22 * i + 19] = powr(above, 0.5f);
  out[22 * i + 20] = degrees(x);
  out[22 * i + 21] = radians(x);
}

__kernel void transcendental_double(__global const double *given, __global double *out, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  double x = fmin(fmax(given[i], -8.0), 8.0), above = fabs(x) + 0.01;
  out[6 * i] = exp(x);
  out[6 * i + 1] = log(above);
  out[6 * i + 2] = sin(x);
  out[6 * i + 3] = pow(above, 1.3);
  out[6 * i + 4] = tanh(x);
  out[6 * i + 5] = rsqrt(above);
}
