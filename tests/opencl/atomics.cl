// Atomic updates of integers whose order does not matter for the result.
// spmd: block=64 grid=(n+63)/64 require n > 0, n <= 2000
__kernel void histogram(__global const uchar *in, __global uint *counts, int n) {
  __local uint own[16];
  int t = get_local_id(0), i = get_global_id(0);
  if (t < 16) own[t] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < n) atomic_inc(&own[in[i] & 15]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (t < 16) atomic_add(&counts[t], own[t]);
}

// spmd: block=32 grid=(n+31)/32 require n > 0, n <= 2000
__kernel void gathered(__global const int *in, __global int *out, __global uint *masks, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  atomic_min(&out[0], in[i]);
  atomic_max(&out[1], in[i]);
  atomic_add(&out[2 + (i & 3)], in[i]);
  atomic_sub(&out[6], in[i] >> 4);
  if (in[i] & 1) atomic_dec(&out[7]);
  atomic_or(&masks[0], (uint)in[i] & 0x0f0f0f0fu);
  atomic_and(&masks[1], (uint)in[i] | 0xff00ff00u);
  atomic_xor(&masks[2], (uint)in[i]);
  atomic_max(&masks[3], (uint)in[i]);
}

// spmd: block=32 grid=(n+31)/32 require n > 0, n <= 2000
__kernel void exchanged(__global const int *in, __global int *out, __global int *old, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  old[4 * i] = atomic_xchg(&out[i], in[i]);
  old[4 * i + 1] = atomic_cmpxchg(&out[i], in[i] & 1 ? in[i] : in[i] + 1, 77);
  old[4 * i + 2] = atomic_add(&out[i], 5);
  old[4 * i + 3] = atomic_max(&out[i], in[i] / 2);
}

#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
// spmd: block=32 grid=(n+31)/32 require n > 0, n <= 2000
__kernel void gathered_long(__global const long *a, __global long *out, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  atom_add(&out[0], a[i]);
  atom_max(&out[1], a[i]);
  atom_xor(&out[2], a[i]);
}
