// Local memory and barriers: a reduction, a transposition, scans, a window.
// spmd: block=64 grid=(n+63)/64 require n > 0, n <= 2000
__kernel void reduce_float(__global const float *in, __global float *out, int n) {
  __local float part[64];
  int t = get_local_id(0), i = get_global_id(0);
  part[t] = i < n ? in[i] : 0.0f;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int half_way = get_local_size(0) / 2; half_way > 0; half_way /= 2) {
    if (t < half_way) part[t] += part[t + half_way];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (t == 0) out[get_group_id(0)] = part[0];
}

// spmd: block=64 grid=(n+63)/64 require n > 0, n <= 2000
__kernel void reduce_given(__global const uint *in, __global uint *out, __local uint *part, int n) {
  uint t = get_local_id(0), own = 0;
  for (int i = get_global_id(0); i < n; i += 64) own += in[i] * (uint)(i + 1);
  part[t] = own;
  for (uint stride = 32; stride; stride >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < stride) part[t] = max(part[t], part[t + stride]);
  }
  if (t == 0) out[get_group_id(0)] = part[0];
}

// spmd: block=8,8 grid=(w+7)/8,(h+7)/8 require w > 0, w <= 50, h > 0, h <= 50
__kernel void turn(__global const float *in, __global float *out, int w, int h) {
  __local float tile[8][9];
  int x = get_global_id(0), y = get_global_id(1);
  if (x < w && y < h) tile[get_local_id(1)][get_local_id(0)] = in[y * w + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  x = get_group_id(1) * 8 + get_local_id(0);
  y = get_group_id(0) * 8 + get_local_id(1);
  if (x < h && y < w) out[y * h + x] = tile[get_local_id(0)][get_local_id(1)];
}

// spmd: block=32 grid=(n+31)/32 require n > 0, n <= 2000
__kernel void scan(__global const int *in, __global int *out, int n) {
  __local int from[32], to[32];
  int t = get_local_id(0), i = get_global_id(0);
  from[t] = i < n ? in[i] & 0xffff : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int reach = 1; reach < 32; reach *= 2) {
    to[t] = from[t] + (t >= reach ? from[t - reach] : 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    from[t] = to[t];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (i < n) out[i] = from[t];
}

// spmd: block=32 grid=(n+31)/32 require n > 0, n <= 2000
__kernel void window(__global const float *in, __global float *out, __constant float *weight, int n) {
  __local float near_by[34];
  int t = get_local_id(0), i = get_global_id(0);
  near_by[t + 1] = i < n ? in[i] : 0.0f;
  if (t == 0) near_by[0] = i > 0 ? in[i - 1] : 0.0f;
  if (t == 31) near_by[33] = i + 1 < n ? in[i + 1] : 0.0f;
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0.0f;
  for (int k = 0; k < 3; k++) sum += weight[k] * near_by[t + k];
  if (i < n) out[i] = sum;
}

// spmd: block=4,2,3 grid=(n+3)/4,2,1 require n > 0, n <= 50
__kernel void volume(__global const int *in, __global int *out, int n) {
  __local int slab[3][2][4];
  int x = get_local_id(0), y = get_local_id(1), z = get_local_id(2);
  size_t at = (get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0);
  slab[z][y][x] = in[at];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[at] = slab[2 - z][1 - y][3 - x] + (int)get_num_groups(1) * (int)get_group_id(0) - n;
}

// Records in local memory: each item counts those that come before it.
// spmd: block=16 grid=(n+15)/16 require n > 0, n <= 400
__kernel void ranked(__global const int *a, __global int *out, int n) {
  __local struct {
    int key;
    short rank;
  } items[16];
  int t = get_local_id(0), i = get_global_id(0);
  items[t].key = i < n ? a[i] : 0x7fffffff;
  barrier(CLK_LOCAL_MEM_FENCE);
  short rank = 0;
  for (int k = 0; k < 16; k++) rank += items[k].key < items[t].key || (items[k].key == items[t].key && k < t);
  items[t].rank = rank;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < n) out[i] = items[15 - t].rank + items[t].rank * 100;
}

// A local variable that is no array, and a loop that the whole group leaves.
// spmd: block=16 grid=(n+15)/16 require n > 0, n <= 400
__kernel void flagged(__global const int *a, __global int *out, int n) {
  __local bool flags[16];
  __local int total;
  int t = get_local_id(0), i = get_global_id(0);
  flags[t] = i < n && a[i] > 3;
  if (t == 0) total = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (flags[15 - t]) atomic_add(&total, t + 1);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < 4; k++) {
    if (total > 60) break;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t == k) total += k * 7;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (i < n) out[i] = total;
}

void put(__local int *to, int at, int what) {
  to[at] = what;
}

int folded(__local const int *from, int at) {
  return from[at] * 3 - from[(at + 1) % 16];
}

// spmd: block=16 grid=(n+15)/16 require n > 0, n <= 400
__kernel void helped(__global const int *a, __global int *out, __local int *tmp, int n) {
  int t = get_local_id(0), i = get_global_id(0);
  put(tmp + 3, t, i < n ? a[i] : t);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < n) out[i] = folded(tmp + 3, t);
}

// spmd: block=16 grid=(n+15)/16 require n > 0, n <= 400
__kernel void copied_together(__global const int *a, __global int *out, int n) {
  __local int own[16];
  event_t copied = async_work_group_copy(own, a + get_group_id(0) * 16, 16, 0);
  wait_group_events(1, &copied);
  out[get_global_id(0)] = own[15 - get_local_id(0)];
}

// Global memory through the group's own part of it.
// spmd: block=16 grid=(n+15)/16 require n > 0, n <= 400
__kernel void in_place(__global int *a, __global int *out, int n) {
  int t = get_local_id(0), i = get_global_id(0);
  a[i] = a[i] * 3;
  barrier(CLK_GLOBAL_MEM_FENCE);
  int other = get_group_id(0) * 16 + (t + 5) % 16;
  int seen = a[other];
  barrier(CLK_GLOBAL_MEM_FENCE);
  a[other] = seen + 1;
  out[i] = seen;
}
