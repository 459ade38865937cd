// spmd: block=16 grid=(n+15)/16 require n > 0, n <= 200
// OpenCL C 6.3.j: the count of a shift is taken modulo the width of what is shifted.
#define AT int i = get_global_id(0); if (i >= n) return

enum { WIDE = 1 << 33, FAR = 5 << 34 };
__kernel void far_shifts(__global const int *a, __global const char *c, __global const ushort *s, __global const long *l,
                         __global const uint4 *v, __global const char4 *k, __global const ulong2 *w, __global int *out,
                         __global long *lo, __global uint4 *vo, __global char4 *ko, __global ulong2 *wo, int n) {
  AT;
  int x = a[i];
  out[12 * i] = x << l[i];
  out[12 * i + 1] = c[i] << x;
  out[12 * i + 2] = s[i] >> c[i];
  out[12 * i + 3] = x >> 35;
  out[12 * i + 4] = x << -1;
  x <<= a[i+1];
  out[12 * i + 5] = x;
  x >>= 40u;
  out[12 * i + 6] = x;
  char y = c[i];
  y <<= a[i];
  out[12 * i + 7] = y;
  ushort z = s[i];
  z >>= (char)(33);
  out[12 * i + 8] = z + WIDE + FAR;
  out[12 * i + 9] = 1 << 33;
  int m[1 << 34];
  m[3] = 7;
  out[12 * i + 10] = m[3] + (int)sizeof(m);
  switch (x & 7) {
    case 1 << 32: out[12 * i + 11] = 5; break;
    case 1 << 33: out[12 * i + 11] = 6; break;
    default: out[12 * i + 11] = 3u >> 33;
  }
  lo[3 * i] = l[i] << a[i];
  lo[3 * i + 1] = l[i] >> 70;
  lo[3 * i + 2] = 1L << c[i];
  vo[4 * i] = v[i] << v[i].wzyx;
  vo[4 * i + 1] = v[i] >> 35;
  uint4 t = v[i];
  t <<= 33u;
  t.xy >>= v[i].zw;
  t.z <<= 34;
  vo[4 * i + 2] = t;
  vo[4 * i + 3] = (v[i] >> a[i]) ^ (v[i] << (uint4)(31, 32, 33, 65));
  ko[4 * i] = k[i] << k[i].yzwx;
  ko[4 * i + 1] = k[i] >> (char)9;
  ko[4 * i + 2] = k[i] >> (char4)(7, 8, 15, -1);
  char4 q = k[i];
  q >>= k[i].wzyx;
  q <<= (char)11;
  ko[4 * i + 3] = q;
  wo[i] = (w[i] << w[i].yx) + (w[i] >> 65) - ((ulong2)(1) << (ulong)l[i]);
}

// Counts of other types than what is shifted.
__kernel void other_counts(__global const uint4 *v, __global const int4 *a, __global const char4 *c,
                           __global const long4 *l, __global uint4 *o, __global long4 *lo, __global char4 *co, int n) {
  AT;
  o[3 * i] = v[i] << a[i];
  o[3 * i + 1] = v[i] >> c[i];
  o[3 * i + 2] = v[i] << l[i];
  lo[i] = l[i] >> c[i];
  co[i] = c[i] << a[i];
}
