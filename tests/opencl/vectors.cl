// spmd: block=16 grid=(n+15)/16 require n > 0, n <= 400
// Vector types: components, operators, loads and stores that need no alignment.
__kernel void arithmetic(__global const float4 *a, __global float4 *out, float s, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  float4 v = a[i];
  float4 w = v.wzyx * s + (float4)(1.0f, 2.0f, 3.0f, v.x);
  w.xz -= v.yw;
  w.y = v.lo.y / 3.0f;
  out[i] = w * v - 0.5f;
}

__kernel void packed(__global const int *in, __global int *out, __global const uchar *bytes, __global uchar *cut, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  int3 v = vload3(i, in);
  vstore3(v.zxy + (int3)(1, 2, 3), i, out);
  uchar4 b = vload4(i, bytes);
  b += (uchar4)(200, 100, 50, 1);
  vstore4(b >> (uchar4)(1, 2, 3, 4), i, cut);
  int2 two = vload2(i, in + 1);
  vstore2(two.yx, i, out + 3 * n);
}

__kernel void compared(__global const int4 *a, __global const int4 *b, __global int4 *out, __global float4 *f, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  int4 less = a[i] < b[i];
  int4 chosen = select(a[i], b[i], less);
  out[2 * i] = less & (int4)(1, 2, 4, 8);
  out[2 * i + 1] = select(~chosen, chosen, a[i] << 3) - (a[i] == b[i]);
  f[i] = convert_float4(a[i] >> 8) * (float4)(0.5f);
}

__kernel void eight(__global const int8 *a, __global int8 *out, __global const float3 *f, __global float *g, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  int8 v = a[i];
  v.even = v.odd * 3;
  v.s07 = v.s70;
  out[i] = max(v, a[i].s76543210);
  float3 three = f[i];
  three.x = three.y + three.z;
  g[i] = three.x * f[i].x;
}

// Components of a narrow vector are not promoted: each operator wraps in the component's type.
__kernel void narrow_lanes(__global const char4 *a, __global const uchar4 *b, __global int4 *out, __global char4 *third,
                           __global uchar4 *less, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  char4 sum = a[i] + a[i].wzyx;
  third[i] = sum / (char)3;
  out[i] = convert_int4(~b[i]) + convert_int4(b[i] * (uchar)3) - convert_int4(-a[i]);
  less[i] = convert_uchar4((b[i] + b[i].yzwx) < b[i]);
}

// Tests of vectors are -1 where they hold.
__kernel void tested_lanes(__global const float4 *a, __global const float4 *b, __global int4 *out, __global short4 *s, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  out[i] = (a[i] < b[i]) + 2 * (a[i] == b[i]) - 4 * (a[i] != a[i].s0123);
  s[i] = (s[i] > (short)3) & (s[i] != (short4)(7));
}

__kernel void classified_lanes(__global const float4 *a, __global int4 *out, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  out[i] = isnan(a[i]) * 5 + isinf(a[i]);
}

__kernel void loaded(__global const float *a, __global float *out, __constant float *c, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  float own[4] = {1.0f, 2.0f, 3.0f, 4.0f};
  float4 v = vload4(i, a) + vload4(0, c + 1) * vload4(0, own);
  out[i] = v.x + v.y * v.z - vload2(1, own).y;
}

__kernel void lane_functions(__global const int4 *a, __global const int4 *b, __global int4 *out, __global uint4 *u, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  out[2 * i] = rotate(a[i], b[i]) + max(a[i], 3) + clamp(b[i], -100, 100) + mul_hi(a[i], b[i]);
  out[2 * i + 1] = a[i] / ((b[i] >> 4 & 0xff) + 1) - a[i] % 7;
  u[i] = (u[i] << (u[i].wzyx & 31)) ^ (u[i] >> 3);
}

__kernel void changed(__global int4 *a, __global uchar4 *b, __global int16 *c, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  int4 before = a[i]++;
  a[i] -= before.s3210;
  b[i] *= (uchar)7;
  b[i] |= b[i].wxyz;
  int16 v = c[i];
  v.lo = v.hi.s76543210;
  v.sF += v.sa;
  c[i] = v;
}

__kernel void reread_lanes(__global const uint *a, __global uchar4 *out, __global const int4 *b, __global float4 *f,
                           __global uint *back, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  out[i] = as_uchar4(a[i]);
  back[i] = as_uint(out[i].wzyx);
  f[i] = as_float4(b[i] & 0x3fffffff);
}
