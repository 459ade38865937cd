// expect: race-free=refuted barriers=proved
// spmd: block=32 grid=2
// A barrier orders the items of one group only; the neighbour group's cell is read unordered.
__kernel void next_group(__global int *data, __global int *out) {
  int i = get_global_id(0);
  int total = get_global_size(0);
  data[i] = i;
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[i] = data[(i + 32) % total];
}
