// spmd: block=32 grid=(n+31)/32 require n > 0, n <= 2000
// Between integers and floats; what lies outside the target's range is kept out, there C says nothing.
__kernel void to_integers(__global const float *x, __global const double *y, __global int *out, __global uint *u,
                          __global long *wide, __global short *s, __global uchar *b, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  float f = fmin(fmax(x[i], -2.0e9f), 2.0e9f);
  double d = fmin(fmax(y[i], -9.0e18), 9.0e18);
  out[i] = (int)f;
  u[i] = (uint)fabs(f);
  wide[i] = (long)d + (long)f;
  s[i] = (short)fmin(fmax(x[i], -32768.0f), 32767.0f);
  b[i] = (uchar)fmin(fabs(f), 255.0f);
  out[i + n] = convert_int(f * 0.5f) + (int)-0.75f;
}

__kernel void to_floats(__global const int *a, __global const uint *u, __global const long *c, __global const ulong *w,
                        __global const char *k, __global float *out, __global double *wide, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  out[6 * i] = a[i];
  out[6 * i + 1] = u[i];
  out[6 * i + 2] = c[i];
  out[6 * i + 3] = w[i];
  out[6 * i + 4] = k[i] + 0.1f;
  out[6 * i + 5] = convert_float(a[i]) / convert_float(u[i] | 1u);
  wide[3 * i] = a[i] * 0.1;
  wide[3 * i + 1] = c[i];
  wide[3 * i + 2] = w[i];
}

__kernel void between_floats(__global const float *x, __global const double *y, __global float *out, __global double *wide,
                             __global int *tests, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  out[i] = (float)(y[i] * 1.0e-3 + x[i]);
  out[i + n] = x[i] * 0.1f - x[i] * x[i];
  wide[i] = (double)x[i] * x[i] + 0.1;
  wide[i + n] = 0.1f;
  tests[i] = (x[i] < y[i]) + 2 * (x[i] == (float)y[i]) + 4 * (x[i] != x[i]) + 8 * !(x[i] >= 0.0f) + 16 * (x[i] != 0.0f ? 3 : 1);
}

__kernel void of_bool(__global const float *x, __global const int *a, __global int *out, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  bool some = x[i];
  bool both = some && a[i];
  some = some + a[i];
  out[i] = some + 2 * both + 4 * (bool)(a[i] & 256) + 8 * (uchar)(a[i] & 256) + 16 * !a[i];
}

enum color { RED = 3, GREEN, BLUE = 10 };

__kernel void literals(__global const int *a, __global long *out, __global float *f, __global double *d, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  out[i] = (a[i] < 4294967295) + (a[i] < 0xffffffff) * 2 + 4 * (-1 < 1u) + 0x7fffffff + 1L + 'a' + 010;
  out[i] += GREEN * BLUE + (long)sizeof(double) - 1;
  f[i] = a[i] * 0.1f + a[i] / 3 + 1 / 3.0f;
  d[i] = a[i] * 0.1 + 1.0 / 3 + (a[i] > 0 ? 1 : 2.5f);
}

__kernel void compound(__global const int *a, __global char *c, __global int *out, __global uchar *u, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  int v = a[i] >> 12;
  v *= 2.5f;
  v -= 0.75;
  v /= 3u;
  char k = c[i];
  k *= 3;
  k /= 2;
  k >>= 1;
  k++;
  uchar w = u[i];
  w <<= 1;
  w--;
  w ^= k;
  c[i] = k;
  u[i] = w;
  out[i] = v;
}

// Sizes are unsigned and 64 bits wide.
__kernel void of_sizes(__global const int *a, __global int *out, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  size_t before = get_local_id(0) - 1;
  uint u = i;
  long wide = u - 3;
  out[4 * i] = (-1 < get_local_id(0)) + 2 * (a[i] < get_local_size(0)) + 4 * (before > 100);
  out[4 * i + 1] = (int)(get_global_id(0) - 5) / 2;
  out[4 * i + 2] = (int)((get_global_id(0) - 5) / 2);
  out[4 * i + 3] = (int)(wide >> 20) + (int)(a[i] / (1 + get_local_id(0)));
}
