// spmd: block=16 grid=(n+15)/16 require n > 0, n <= 400
// A thread's own arrays at subscripts that depend on data.
__kernel void sorted(__global const int *in, __global int *out, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  int own[8];
  for (int k = 0; k < 8; k++) own[k] = in[8 * i + k];
  for (int k = 1; k < 8; k++) {
    int value = own[k], at = k;
    while (at > 0 && own[at - 1] > value) {
      own[at] = own[at - 1];
      at--;
    }
    own[at] = value;
  }
  for (int k = 0; k < 8; k++) out[8 * i + k] = own[k];
}

__kernel void counted(__global const uchar *in, __global int *out, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  uchar count[2][4] = {{1, 2}, {3}};
  for (int k = 0; k < 20; k++) count[in[i + k] >> 7][in[i + k] & 3] += 30;
  int sum = 0;
  for (int k = 0; k < 8; k++) sum = sum * 7 + count[k / 4][k & 3];
  out[i] = sum;
}

__constant int table[6] = {5, -3, 8, 0, 2, 13};

__kernel void looked_up(__global const uint *in, __global int *out, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  float weight[4] = {0.5f, 1.5f, -2.0f};
  int stack[4], top = 0;
  for (uint bits = in[i] & 0xf; bits; bits >>= 1)
    if (bits & 1) stack[top++] = table[bits % 6];
  weight[in[i] & 3] += top;
  while (top-- > 0) weight[3] += stack[top] * weight[top];
  out[i] = (int)(weight[3] * 16.0f) + table[in[i] % 6u];
}

__kernel void of_vectors(__global const float4 *a, __global float *out, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  float4 v[2] = {a[i], (float4)(1.0f)};
  v[1].y = v[0].z;
  float m[3][2] = {{1}};
  m[i % 3][i & 1] += v[i & 1].y;
  out[i] = m[0][0] + m[1][1] * 2 + m[2][0] + m[0][1] + v[1].w;
}

__kernel void of_bytes(__global const uint *a, __global uint *out, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  uint w[2] = {a[i], 0};
  uchar *p = (uchar *)w;
  for (int k = 0; k < 4; k++) p[4 + k] = p[3 - k];
  out[i] = w[1];
}

__constant short grid[2][3] = {{1, -2, 3}, {40}};
__constant float4 shades[2] = {(float4)(1.0f, 2.0f, 3.0f, 4.0f), (float4)(0.5f)};

__kernel void in_grid(__global const int *a, __global int *out, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  out[i] = grid[a[i] & 1][(uint)a[i] % 3u];
}

__kernel void shaded(__global const int *a, __global float *out, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  float4 c = shades[a[i] & 1];
  out[i] = c.x * c.w;
}
