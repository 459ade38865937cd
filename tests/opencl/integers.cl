// spmd: block=32 grid=(n+31)/32 require n > 0, n <= 2000
// Narrow types are promoted, computed in int and cut again; unsigned arithmetic wraps.
__kernel void narrow(__global const char *a, __global const uchar *b, __global const short *c, __global char *sum,
                     __global uchar *product, __global short *mixed, __global ushort *shifted, __global int *wide, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  sum[i] = a[i] + b[i];
  product[i] = a[i] * b[i];
  mixed[i] = (short)(c[i] * 3 - a[i]);
  shifted[i] = (ushort)(c[i] << 3) >> 1;
  wide[i] = (a[i] + b[i]) * c[i];
  char kept = a[i];
  kept += 100;
  kept -= b[i];
  wide[i + n] = kept;
  uchar turned = b[i];
  turned = ~turned;
  wide[i + 2 * n] = turned == ~b[i] ? 1 : turned;
}

__kernel void wrapped(__global const uint *a, __global const uint *b, __global const ulong *c, __global uint *out,
                      __global ulong *wide, __global int *order, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  out[i] = a[i] * b[i] + 0x9e3779b9u - (a[i] << 5);
  wide[i] = c[i] * 6364136223846793005ul + a[i];
  order[i] = (a[i] - b[i] > 5u) + 2 * ((int)a[i] < (int)b[i]) + 4 * (-1 < a[i]) + 8 * ((short)a[i] < (ushort)b[i]);
  wide[i] ^= -a[i];
  out[i] += (uint)(c[i] >> 33);
}

__kernel void divided(__global const int *a, __global const int *b, __global const long *c, __global const uint *u,
                      __global int *out, __global long *wide, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  int by = (b[i] >> 4) | 1;
  by = by == -1 ? -7 : by;
  out[6 * i] = a[i] / by;
  out[6 * i + 1] = a[i] % by;
  out[6 * i + 2] = (char)a[i] / (char)((by & 30) + 3);
  out[6 * i + 3] = (short)b[i] % -5;
  out[6 * i + 4] = (int)(u[i] / (uint)by);
  out[6 * i + 5] = (int)(u[i] % 10u) - a[i] / 8;
  wide[2 * i] = c[i] / by;
  wide[2 * i + 1] = c[i] % ((long)by << 20);
}

__kernel void shifted(__global const int *a, __global const uint *u, __global const long *c, __global const uchar *by,
                      __global int *out, __global ulong *wide, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  int few = by[i] & 31;
  out[4 * i] = a[i] >> few;
  out[4 * i + 1] = (int)(u[i] >> few);
  out[4 * i + 2] = (int)(u[i] << few);
  out[4 * i + 3] = (char)a[i] >> (few & 7);
  wide[2 * i] = (ulong)c[i] << (by[i] & 63);
  wide[2 * i + 1] = c[i] >> (by[i] & 63);
}

// OpenCL C 6.3.j: only as many bits of the right operand count as the left one's width needs.
__kernel void shifted_far(__global const uint *u, __global const int *a, __global const ulong *c, __global const uint *by,
                          __global uint *out, __global ulong *wide, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  out[2 * i] = u[i] << by[i];
  out[2 * i + 1] = (uint)(a[i] >> by[i]);
  wide[i] = c[i] >> by[i];
}
