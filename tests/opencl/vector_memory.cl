// spmd: block=16 grid=(n+15)/16 require n > 0, n <= 200
// Vectors in memory: packed, in records, in local memory, and read as other types.
#define AT int i = get_global_id(0); if (i >= n) return

__kernel void loads(__global const int *in, __global int *out, __global const uchar *b, __global uchar *bo,
                    __global const float *f, __global float *fo, __local short *tmp, int n) {
  AT;
  int t = get_local_id(0);
  int3 v = vload3(i, in), w = vload3(i - i, in + 2) + vload3(0, in + i);
  vstore3(v * w, i, out);
  int own[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  vstore2((int2)(v.x, w.y), i & 3, own);
  out[3 * n + i] = own[0] + own[3] * own[6] + vload4(i & 1, own).z;
  vstore4((short4)((short)i, 2, 3, 4), t, tmp);
  short4 back = vload4(t, tmp);
  uchar16 bytes = vload16(i, b);
  vstore16(bytes.sfedcba9876543210 + bytes, i, bo);
  uchar8 part = vload8(0, b + i);
  vstore8(part ^ bytes.lo, 2 * n + i, bo);
  bo[24 * n + i] = vload2(i, b).s1 + back.s0;
  float2 two = vload2(i, f).yx;
  vstore2(vload4(0, f + i).even * two + 1.0f, i, fo);
  fo[2 * n + i] = (vload3(i, f) > vload3(0, f + i)).z;
}

typedef struct { float2 at; int3 cell; uchar4 color; char tag; } particle;
typedef struct { int4 v[2]; struct { short2 p; } in; } nest;
particle moved(particle p, float2 by) { p.at += by; p.cell.xz = p.cell.zx; p.color.w++; return p; }
void twist(int4 *v, float2 *f) { v->xy = v->yx; (*v).w += 3; f->x = f->y; }
__kernel void records(__global particle *p, __global const float2 *by, __global nest *q, int n) {
  AT;
  particle own = moved(p[i], by[i]);
  p[i].at = own.at;
  p[i].cell.x = own.cell.x + own.cell.z;
  p[i].cell.y -= own.cell.y;
  p[i].color = own.color;
  nest r = q[i];
  r.v[1].hi = r.v[0].lo;
  r.v[i & 1] += r.v[1].wzyx;
  r.in.p = -r.in.p.yx;
  twist(&r.v[0], &own.at);
  q[i].v[0] = r.v[0] + (int)(own.at.x > 0.0f);
  q[i].in.p.y = r.in.p.x;
}

__kernel void local_vectors(__global const float4 *a, __global float4 *out, __local float4 *tmp, __local int *counts,
                            int n) {
  int t = get_local_id(0), i = get_global_id(0);
  __local float2 rows[16][2];
  __local int3 odd[16];
  tmp[t] = i < n ? a[i] : (float4)(0.0f);
  rows[t][0] = tmp[t].lo;
  rows[t][1].y = tmp[t].w;
  rows[t][1].x = tmp[t].z;
  odd[t] = (int3)(t, i, 3);
  odd[t].yz += 1;
  counts[t] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&counts[(t * 3) & 15], t);
  __local float *flat = (__local float *)tmp;
  float other = flat[(4 * t + 5) & 63];
  float4 mine = tmp[15 - t];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < n) out[i] = mine * other + (float4)(rows[15 - t][1],
    rows[(t + 1) & 15][0]) + convert_float(odd[15 - t].y + counts[t]);
}

typedef union { float4 v; float s[4]; int4 bits; } lanes;
__kernel void lane_union(__global const float4 *a, __global float *out, __global int4 *o, int n) {
  AT;
  lanes l;
  l.v = a[i];
  int k = as_int(a[i].x) & 3;
  out[i] = l.s[k];
  l.s[(k + 1) & 3] = 7.0f;
  l.v.x += 1.0f;
  l.bits.zw ^= l.bits.xy;
  o[i] = l.bits;
}

__kernel void rereads(__global const int4 *a, __global const short8 *s, __global const double2 *d,
                      __global const uint *u, __global int4 *o, __global short8 *so, __global char *c, __global long2 *l,
                      __global uint *w, int n) {
  AT;
  o[3 * i] = as_int4(s[i]);
  o[3 * i + 1] = as_int4(d[i]).wzyx;
  o[3 * i + 2] = as_int4(as_float4(a[i]) > 0.5f);
  so[2 * i] = as_short8(a[i]) + as_short8(as_float4(a[i]));
  so[2 * i + 1].lo = as_short4(as_long(s[i].hi));
  so[2 * i + 1].hi = as_short4(d[i].x);
  char4 k = as_char4(u[i]);
  c[i] = k.y + as_char(convert_uchar(k.z));
  l[i] = as_long2(d[i]) + as_long(d[i].y) + as_long2(a[i]).yx.x;
  w[4 * i] = as_uint(as_short2(u[i]).yx);
  w[4 * i + 1] = as_uint(1.0f) + as_int(u[i]) + as_ushort((short)a[i].x);
  w[4 * i + 2] = as_uint((char3)(1, 2, 3)) & 0xffffff;
  w[4 * i + 3] = as_uint3(a[i]).z;
}

// A wide access to narrow memory: signed or floating elements are bits there, not numbers.
__kernel void wide_of_narrow(__global const short *s, __global const float *f, __global const char *c, __global int *o,
                             __global long *l, __global float *g, __global short *so, int n) {
  AT;
  o[2 * i] = ((__global const int *)s)[i] + s[i];
  o[2 * i + 1] = *(__global const int *)(c + 4 * i) + c[i];
  l[i] = ((__global const long *)f)[i] + (long)(f[i] > 0);
  float own[4] = {f[i], 1.0f, 2.0f, 3.0f};
  long *p = (long *)own;
  p[1] = p[0] ^ 0x0000000100000001L;
  g[i] = own[2] + own[0];
  ((__global int *)so)[i] = o[2 * i] * 3;
  so[2 * i] -= 5;
  short4 v = (short4)(s[i], s[i+1], -1, 7);
  o[2 * i] += as_int2(v).y + (int)as_long(v);
}

__kernel void doubles(__global const double *d, __global const long2 *w, __global int2 *o, __global float4 *f,
                      __global double *e, int n) {
  AT;
  o[i] = as_int2(d[i]).yx;
  f[i] = as_float4(w[i]);
  e[i] = as_double(as_int2(d[i + 1]) ^ (int2)(0, 1 << 31)) + as_double((float2)(1.0f, 2.0f));
}
