// spmd: block=32 grid=(n+31)/32 require n > 0, n <= 2000
// Bits read as another type, and the integer functions of OpenCL C 6.12.3.
__kernel void reread(__global const float *x, __global const uint *u, __global const double *y, __global int *out,
                     __global long *wide, __global float *f, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  out[2 * i] = as_int(x[i]) ^ (1 << 31);
  out[2 * i + 1] = (int)(as_uint(x[i]) >> 23 & 255u) - 127;
  wide[i] = as_long(y[i]) & 0xfffffffffffff;
  f[i] = as_float((u[i] & 0x7fffffu) | 0x3f800000u) - 1.0f;
}

__kernel void integer_functions(__global const int *a, __global const int *b, __global const uint *u, __global int *out,
                                __global uint *v, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  out[8 * i] = min(a[i], b[i]);
  out[8 * i + 1] = clamp(a[i], -1000, 1000) + max(a[i], 3);
  out[8 * i + 2] = mul24(a[i] >> 9, b[i] >> 9);
  out[8 * i + 3] = mul_hi(a[i], b[i]);
  out[8 * i + 4] = hadd(a[i], b[i]) ^ rhadd(a[i], b[i]);
  out[8 * i + 5] = select(a[i], b[i], a[i] & 4);
  out[8 * i + 6] = clz(a[i]) + 64 * popcount(b[i]);
  out[8 * i + 7] = add_sat(a[i], b[i]) ^ sub_sat(a[i], b[i]);
  v[6 * i] = rotate(u[i], (uint)b[i]);
  v[6 * i + 1] = abs(a[i]);
  v[6 * i + 2] = mul_hi(u[i], (uint)a[i]);
  v[6 * i + 3] = mad24(u[i] & 0xffffffu, u[i] >> 8, 7u);
  v[6 * i + 4] = add_sat(u[i], (uint)b[i]) - sub_sat(u[i], (uint)b[i]);
  v[6 * i + 5] = mad_hi(u[i], (uint)b[i], 11u);
}

__kernel void narrow_functions(__global const char *a, __global const uchar *b, __global const ushort *s,
                               __global const ulong *w, __global char *c, __global uchar *d, __global ushort *t,
                               __global ulong *l, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  c[3 * i] = rotate(a[i], (char)3) ^ clz(a[i]);
  c[3 * i + 1] = add_sat(a[i], (char)b[i]);
  c[3 * i + 2] = hadd(a[i], (char)-5);
  d[3 * i] = popcount(b[i]) + abs(a[i]);
  d[3 * i + 1] = mul_hi(b[i], (uchar)a[i]);
  d[3 * i + 2] = sub_sat(b[i], (uchar)100);
  t[i] = rhadd(s[i], (ushort)0xffff) - clz(s[i]);
  l[i] = mul_hi(w[i], w[i] ^ 0x5555ul) + popcount(w[i]) + rotate(w[i], (ulong)i) - clz(w[i]);
}

// Bytes of a word through a pointer of another type.
__kernel void bytes(__global const uint *in, __global uint *out, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  __global uchar *to = (__global uchar *)(out + i);
  to[0] = in[i] >> 24;
  to[3] = in[i] & 255;
  ushort middle = ((__global const ushort *)in)[2 * i + 1];
  to[1] = middle & 255;
}

// The absolute value is unsigned.
__kernel void absolute(__global const int *a, __global const char *b, __global const long *c, __global int *out,
                       __global long *wide, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  out[2 * i] = (abs(a[i]) - 5 < 0) + 2 * (abs(a[i]) > -1);
  out[2 * i + 1] = abs(b[i]);
  wide[i] = abs(c[i]) >> 1;
}

__kernel void long_functions(__global const long *a, __global const long *b, __global long *out, __global ulong *u, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  out[7 * i] = mul_hi(a[i], b[i]) + popcount(a[i]);
  out[7 * i + 1] = max(a[i], b[i]) - clamp(a[i], -5L, 1000000000000L) + clz(a[i]);
  out[7 * i + 2] = (long)(int)b[i] * (int)a[i] + (int)b[i] * 3;
  out[7 * i + 3] = add_sat(a[i], b[i]);
  out[7 * i + 4] = sub_sat(a[i], b[i]);
  out[7 * i + 5] = hadd(a[i], b[i]) ^ rhadd(a[i], b[i]);
  out[7 * i + 6] = mad_hi(a[i], b[i], 9L);
  u[3 * i] = add_sat((ulong)a[i], (ulong)b[i]);
  u[3 * i + 1] = rhadd((ulong)a[i], (ulong)b[i]);
  u[3 * i + 2] = sub_sat((ulong)a[i], (ulong)b[i]);
}

__kernel void saturated(__global const int *a, __global const uint *b, __global const short *s, __global const char *c,
                        __global int *out, __global uint *u, __global short *t, __global char *d, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  out[i] = mad_sat(a[i], a[i + 1], 5) ^ mad_hi(a[i], a[i + 1], 77);
  u[i] = mad_sat(b[i], b[i + 1], 5u);
  t[3 * i] = add_sat(s[i], s[i + 1]);
  t[3 * i + 1] = sub_sat(s[i], s[i + 1]) ^ mul_hi(s[i], s[i + 1]);
  t[3 * i + 2] = clamp(s[i], (short)-300, (short)200) - min(s[i], (short)30);
  d[2 * i] = mad_sat(c[i], (char)3, (char)-100);
  d[2 * i + 1] = select(c[i], (char)5, (char)(s[i] & 2)) + max(c[i], (char)-3);
}
