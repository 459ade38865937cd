// spmd: block=16 grid=(n+15)/16 require n > 0, n <= 200
// Constant tables of records, vectors and unions, also read as other types.
#define AT int i = get_global_id(0); if (i >= n) return

typedef struct { float2 at; int kind; short4 tags[2]; } shape;
__constant shape shapes[3] = {{(float2)(1.5f, -2.0f), 3, {(short4)(1, 2, 3, 4), (short4)(-1)}}, {{2.0f, 0.25f}, -7},
  {.kind = 9}};
__constant float3 axes[2] = {(float3)(1.0f, 0.0f, -0.0f), (float3)(2.0f, (float2)(3.0f, 4.5f))};
__constant float4 one = (float4)(0.5f, -0.5f, 7.0f, 1.0f / 3.0f);
__constant struct { uchar low; long high; bool on; } limits = {200, -5000000000L, true};
__constant uchar4 colors[] = {(uchar4)(255, 1, 2, 3), (uchar4)(7, 8, 9, 10), (uchar4)(255 + 1, 'a', -1, 0)};
__constant int8 wide[2] = {(int8)((int4)(1, 2, 3, 4), (int2)(5), 6, 7)};
__constant double2 deep[2][2] = {{(double2)(1.0, 2.0)}, {(double2)(3.0, 0.1), (double2)(0.1f)}};
__constant float zeros[2] = {0.0f, -0.0f};
__kernel void tables(__global const int *a, __global int *out, __global float *f, __global double *d, int n) {
  AT;
  int k = a[i] & 1;
  shape s = shapes[a[i] >> 1 & 1];
  out[8 * i] = s.kind + s.tags[k].y * shapes[2].kind + shapes[k].tags[1].w;
  f[6 * i] = s.at.x + shapes[k + 1].at.y;
  float3 axis = axes[k];
  f[6 * i + 1] = axis.x + axis.y * axis.z;
  f[6 * i + 2] = ((__constant float *)axes)[4 * k + 1];
  f[6 * i + 3] = one.x * one.w + one.y;
  f[6 * i + 4] = 1.0f / zeros[k];
  f[6 * i + 5] = 1.0f / axes[0].z;
  out[8 * i + 1] = limits.low + (int)(limits.high >> 20) + limits.on;
  uchar4 c = colors[(uint)a[i] % 3u];
  out[8 * i + 2] = c.x + c.y * 3 + c.z * 5 + c.w * 7;
  out[8 * i + 3] = ((__constant uchar *)colors)[(uint)a[i] % 12u];
  out[8 * i + 4] = ((__constant int *)colors)[(uint)a[i] % 3u];
  int8 w = wide[k];
  out[8 * i + 5] = w.s0 + w.s5 * 10 + w.s7 * 100 + ((__constant int *)wide)[a[i] & 15];
  out[8 * i + 6] = ((__constant int *)shapes)[(a[i] & 1) * 8 + 2];
  out[8 * i + 7] = vload3(a[i] & 3, (__constant int *)wide).y;
  d[i] = deep[k][a[i] >> 1 & 1].y;
}

__kernel void inner_table(__global const int *a, __global int *out, int n) {
  AT;
  __constant int2 steps[2] = {(int2)(1, 2), (int2)(3, 4)};
  const int2 own[2] = {(int2)(5, 6), (int2)(7)};
  const char4 fix = {1, 2, 3, 4};
  out[i] = steps[a[i] & 1].y + own[a[i] >> 1 & 1].x + fix.z;
}

typedef union { uint word; uchar part[4]; float f; } blend;
__constant blend blends[2] = {{0x01020304}, {77}};
__constant struct { blend m; short2 s; } both[2] = {{{5}, (short2)(1, 2)}, {{0x3f800000}, (short2)(3)}};
__kernel void unions(__global const int *a, __global float *out, int n) {
  AT;
  int k = a[i] & 1;
  out[i] = blends[k].part[1] + both[k].m.f + both[1 - k].s.y + blends[1 - k].word;
}

// A pointer to const is no const pointer.
__kernel void pointers(__global const int4 *a, __global int *out, __constant float4 *c, __global float *f, int n) {
  AT;
  const __global int4 *p = a + i;
  __global const int *q = (__global const int *)p;
  int4 own[2] = {p[0], *p++};
  const int4 *r = own;
  int *s = (int *)own;
  s[5] = q[1] + r->z;
  r++;
  out[2 * i] = r->y + r[-1].x + q[2];
  int * const fixed = s;
  *fixed = 4;
  const int *const *const nothing = 0;
  out[2 * i + 1] = own[0].x + (nothing == 0) + p[-1].w;
  __constant float *g = (__constant float *)(c + (i & 3));
  g++;
  f[i] = *g++ + g[1];
}
