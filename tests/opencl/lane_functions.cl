// spmd: block=16 grid=(n+15)/16 require n > 0, n <= 200
// Functions of OpenCL C 6.2.3 and 6.12 on vectors.
#define AT int i = get_global_id(0); if (i >= n) return

// Conversions that saturate. NaN "should" become 0 (6.2.3.3); PoCL makes it what its processor's instruction gives.
__kernel void sat(__global const int4 *a, __global const float4 *f, __global const ulong2 *w, __global char4 *c,
                  __global uint4 *u, __global ushort2 *s, __global int2 *si, int n) {
  AT;
  c[4 * i] = convert_char4_sat(a[i]);
  c[4 * i + 1] = convert_char4_sat_rte(select(f[i], (float4)(0), isnan(f[i])));
  c[4 * i + 2] = convert_char4_sat(a[i] >> 24);
  c[4 * i + 3] = convert_char4(a[i]);
  u[2 * i] = convert_uint4_sat(a[i]);
  u[2 * i + 1] = convert_uint4_sat(select(f[i], (float4)(0), isnan(f[i])));
  s[i] = convert_ushort2_sat(w[i]);
  si[i] = convert_int2_sat(w[i]);
}

// Conversions that name their rounding.
__kernel void rounded(__global const float4 *f, __global const double2 *d, __global int4 *out, __global long2 *l,
                      __global const short4 *s, __global float4 *g, int n) {
  AT;
  float4 v = clamp(f[i], -1e6f, 1e6f);
  v = select(v, (float4)(0.0f), isnan(f[i]));
  out[5 * i] = convert_int4_rte(v);
  out[5 * i + 1] = convert_int4_rtp(v);
  out[5 * i + 2] = convert_int4_rtn(v);
  out[5 * i + 3] = convert_int4_rtz(v);
  out[5 * i + 4] = convert_int4(v);
  l[2 * i] = convert_long2_sat_rtn(d[i]);
  l[2 * i + 1] = convert_long2_sat(d[i]);
  g[2 * i] = convert_float4_rtz(s[i]);
  g[2 * i + 1] = convert_float4(out[5 * i]);
}

__kernel void scalars(__global const int *a, __global const float *f, __global const double *d, __global uchar *b,
                      __global long *l, __global float *g, int n) {
  AT;
  b[4 * i] = convert_uchar_sat(a[i]);
  b[4 * i + 1] = convert_uchar_sat(f[i]);
  b[4 * i + 2] = convert_uchar_sat_rtp(d[i]);
  b[4 * i + 3] = convert_char_sat(a[i] > 0);
  l[2 * i] = convert_long_sat_rte(d[i]);
  l[2 * i + 1] = convert_long(a[i]) + convert_ulong_sat(a[i]);
  g[i] = convert_float(d[i]);
}

// Relational functions: 1 of numbers, -1 in each component of vectors.
__kernel void relations(__global const float4 *a, __global const double2 *d, __global int4 *out, __global long2 *l,
                        __global int *s, int n) {
  AT;
  float4 b = a[i].wxyz;
  out[9 * i] = isequal(a[i], b);
  out[9 * i + 1] = isnotequal(a[i], b) * 3;
  out[9 * i + 2] = isgreater(a[i], b) - isgreaterequal(a[i], b);
  out[9 * i + 3] = isless(a[i], b) - 2 * islessequal(a[i], b);
  out[9 * i + 4] = islessgreater(a[i], b);
  out[9 * i + 5] = isordered(a[i], b) + 2 * isunordered(a[i], b);
  out[9 * i + 6] = isnan(a[i]) + 2 * isinf(a[i]) + 4 * isfinite(a[i]);
  out[9 * i + 7] = isnormal(a[i]) + 2 * signbit(a[i]);
  out[9 * i + 8] = (int4)(isless(b.x, b.y), isnan(b.z), isordered(b.x, b.z), signbit(b.y));
  l[3 * i] = isnan(d[i]) + signbit(d[i]) * 2;
  l[3 * i + 1] = isless(d[i], d[i].yx);
  l[3 * i + 2] = (long2)(isinf(d[i].x), isnotequal(d[i].x, d[i].y));
  s[2 * i] = any(a[i] > 3.0f) + 2 * all(a[i] > -3.0f) + 4 * any(a[i] == b);
  s[2 * i + 1] = any((int)(a[i].x > b.x)) + 2 * all(s[2 * i] - 3) + 4 * all(isordered(d[i],
    d[i].yx)) + 8 * any(convert_char4(b < a[i]));
}

__kernel void selected(__global const char4 *c, __global const int4 *a, __global const float4 *f,
                       __global const long2 *l, __global char4 *co, __global int4 *out, __global float4 *g,
                       __global long2 *lo, int n) {
  AT;
  co[2 * i] = select(c[i], c[i].yzwx, c[i] & (char)-128);
  co[2 * i + 1] = bitselect(c[i], c[i].wzyx, (char4)(15));
  out[2 * i] = select(a[i], -a[i], a[i] < 0);
  out[2 * i + 1] = bitselect(a[i], ~a[i], (int4)(0xff, 0xff00, -1, i));
  g[3 * i] = select(f[i], -f[i], a[i]);
  g[3 * i + 1] = select(f[i], -f[i], as_uint4(a[i]));
  g[3 * i + 2] = bitselect(f[i], -f[i], (float4)(-0.0f));
  lo[2 * i] = select(l[i], l[i].yx, l[i] > 5);
  lo[2 * i + 1] = bitselect(l[i], l[i].yx, (long2)(0xffff));
  out[2 * i].x = select(a[i].x, a[i].y, a[i].z);
  out[2 * i].y = select((uint)a[i].x, 7u, a[i].z);
}

// The absolute value and the difference are unsigned.
__kernel void absolutes(__global const char4 *c, __global const int4 *a, __global const long2 *l,
                        __global const uint4 *u, __global const short2 *s, __global uchar4 *co, __global uint4 *out,
                        __global ulong2 *lo, __global ushort2 *so, __global int *w, int n) {
  AT;
  co[2 * i] = abs(c[i]) / (uchar)3;
  co[2 * i + 1] = abs_diff(c[i], c[i].yzwx);
  out[4 * i] = abs(a[i]) >> 1;
  out[4 * i + 1] = abs_diff(a[i], a[i].wwxy);
  out[4 * i + 2] = abs_diff(u[i], u[i].wwxy) + abs(u[i]);
  out[4 * i + 3] = (uint4)(abs(a[i].x), abs_diff(a[i].x, a[i].y), abs_diff(u[i].x, u[i].y), abs_diff(c[i].x, c[i].y));
  lo[i] = abs(l[i]) + abs_diff(l[i], l[i].yx);
  so[i] = abs(s[i]) - abs_diff(s[i], s[i].yx);
  w[i] = (abs(c[i].x) - 200 < 0) + 2 * (abs(a[i].x) > -1) + 4 * (abs_diff(a[i].x, 3) - 5 < 0);
}

__kernel void products(__global const int4 *a, __global const uint4 *u, __global const int3 *t, __global int4 *out,
                       __global uint4 *v, int n) {
  AT;
  int4 x = a[i] >> 8, y = a[i].yzwx >> 8;
  out[4 * i] = mul24(x, y);
  out[4 * i + 1] = mad24(x, y, a[i]);
  out[4 * i + 2] = mul_hi(a[i], a[i].yzwx) + mad_hi(a[i], x, y);
  out[4 * i + 3] = add_sat(a[i], a[i].yzwx) ^ sub_sat(a[i], a[i].wzyx) ^ mad_sat(a[i], x, y);
  v[3 * i] = mul24(u[i] >> 8, u[i].wzyx & 0xffffff) + mad24(u[i] >> 8, u[i].wzyx & 0xffffff, u[i]);
  v[3 * i + 1] = hadd(u[i], u[i].yzwx) + rhadd(u[i], u[i].yzwx);
  v[3 * i + 2] = clz(u[i]) + popcount(u[i]) + rotate(u[i], u[i].yzwx) + min(u[i], 5u) + clamp(u[i], 3u, 1u << 20);
}
