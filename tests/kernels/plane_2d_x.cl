// expect: race-free=refuted
// The row is taken to be as long as a group, so the groups overlap.
__kernel void plane(__global const float *in, __global float *out) {
  size_t x = get_global_id(0), y = get_global_id(1);
  out[y * get_local_size(0) + x] = x + 0.5f * y;
}
