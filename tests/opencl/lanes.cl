// spmd: block=16 grid=(n+15)/16 require n > 0, n <= 200
// Operators on vectors, and what of a vector is read and written.
#define AT int i = get_global_id(0); if (i >= n) return

// Components of components.
__kernel void nested_swizzles(__global const int8 *a, __global int8 *out, int n) {
  AT;
  int8 v = a[i];
  v.lo.hi.x += 5;
  v.hi.even.y = v.odd.lo.x;
  v.s01.yx = v.s23;
  v.hi.lo *= 3;
  v.s0246.zw -= v.s13.yx;
  v.hi.hi++;
  int2 old = v.lo.lo--;
  v.S67 += old;
  out[i] = v;
}

__kernel void sixteen(__global const short16 *a, __global short16 *out, int n) {
  AT;
  short16 v = a[i];
  v.sF = v.s0 + (short)1;
  v.s8a = v.sbC.yx;
  v.lo.even = v.hi.odd;
  v.s0123.hi ^= v.sc;
  out[i] = v.sFEDCBA9876543210 - v;
}

// && || ! on vectors: both sides are evaluated, -1 where it holds.
__kernel void logic(__global const int4 *a, __global const float4 *f, __global const uchar4 *u, __global int4 *out,
                    __global char4 *c, int n) {
  AT;
  int4 v = a[i] >> 28;
  out[4 * i] = v && (a[i] & 1);
  out[4 * i + 1] = v || f[i] > 0.0f;
  out[4 * i + 2] = !v - !f[i];
  out[4 * i + 3] = f[i] && f[i].wzyx;
  c[2 * i] = !u[i];
  c[2 * i + 1] = u[i] && (uchar)3;
}

// ?: with a vector of tests goes by the highest bit of each component.
__kernel void chosen_lanes(__global const int4 *a, __global const int4 *b, __global const float4 *f, __global float4 *g,
                           __global int4 *out, int n) {
  AT;
  int4 v = a[i], w = b[i];
  out[3 * i] = v < w ? v : w;
  out[3 * i + 1] = v ? v : 7;
  out[3 * i + 2] = (v > w) ? 1 : 2;
  g[2 * i] = f[i] > f[i].yxwz ? f[i] : 0.5f;
  g[2 * i + 1] = (uint4)(1u << 31, 1, 0, 0xffffffff) ? f[i] : -f[i];
}

// A scalar with a vector takes the type of its components.
__kernel void mixed(__global const int4 *a, __global const uchar4 *b, __global const float3 *f, __global float *g,
                    __global int4 *out, __global uchar4 *c, float s, int n) {
  AT;
  out[i] = 3 - a[i] * 2 + (short)4;
  c[2 * i] = (uchar)200 + b[i];
  c[2 * i + 1] = b[i] / (uchar)7 - b[i] % (uchar)5;
  vstore3(2.0f / f[i] + s * f[i], i, g);
  out[i] += a[i].x;
  out[i] <<= a[i].y;
  out[i] %= 1000;
}

__kernel void steps(__global const int4 *a, __global uchar4 *u, __global int4 *out, int n) {
  AT;
  int4 v = a[i];
  int4 w = v++;
  w += --v;
  u[i]++;
  u[i].xz--;
  ++v.y;
  out[2 * i] = v;
  out[2 * i + 1] = w;
}

// A vector literal evaluates each of its parts once.
__kernel void literal(__global const int4 *a, __global int8 *out, __global int *three, int n) {
  AT;
  int2 p = (int2)(a[i].x, 5);
  int8 v = (int8)(p, a[i].yzw, (int3)(1, p.yx));
  out[i] = v;
  int k = i;
  int2 q = p;
  int4 e = (int4)(q++, (int2)(k++));
  out[i].s3 += e.x + e.z + k + q.y;
  vstore3((int3)(e.zw, q.x), i, three);
  int4 zero = {1, 2, 3, 4};
  out[i].hi += zero;
}

__kernel void lane_subscripts(__global const int4 *a, __global int *out, int n) {
  AT;
  int4 v = a[i];
  v[2] = v[0] + v.zw[1];
  int w[2][2] = {{v.x, v.y}, {v[2], v[3]}};
  int4 *p = &v;
  p->y = 3;
  (*p).zw = (*p).xy;
  int *q = (int *)p + 1;
  q[1] += *q;
  out[i] = v.x + v.y * 3 + v.z * 5 + v.w * 7 + w[1][0];
}

int4 twice(int4 v) { v *= 2; return v; }
float dot3(const float3 a, const float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
void both_ends(int4 v, int2 *low, int2 *high) { *low = v.lo; *high = v.hi; }
int2 chosen(int2 a, int2 b, bool which) { return which ? a : b; }
__kernel void functions(__global const int4 *a, __global const float4 *f, __global int4 *out, __global float *g, int n) {
  AT;
  int2 x, y;
  both_ends(twice(a[i]).wzyx, &x, &y);
  out[i] = (int4)(x, chosen(x, y, a[i].x > 0)) + twice((int4)(y, y));
  out[i].odd = chosen(out[i].even, y, y.x < x.x);
  g[i] = dot3(f[i].xyz, f[i].wyx);
  int4 r = out[i];
  r.x = r.y = r.z;
  r.zw = r.xy += 3;
  out[i] = r;
}

__kernel void loops(__global const int4 *a, __global int4 *out, int n) {
  AT;
  int4 sum = 0, one = (int4)(1);
  for (int4 k = (int4)(0, 1, 2, 3); any(k < 9); k += 2) {
    sum += select(k * a[i], one, k > 5);
    if (all(sum < 0)) break;
  }
  int k = 3;
  do { sum = sum.yzwx; sum.s0 ^= k; } while (k-- > (sum.w & 1));
  out[i] = sum;
}
