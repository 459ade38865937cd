// expect: race-free=proved barriers=proved
// Two dimensions, every size: the row is as long as the global size.
__kernel void plane(__global const float *in, __global float *out) {
  size_t x = get_global_id(0), y = get_global_id(1);
  out[y * get_global_size(0) + x] = 2.0f * in[y * get_global_size(0) + x];
}
