// expect: race-free=proved barriers=proved
// spmd: block=32 grid=1
// The second barrier has the fence that matters.
__kernel void turn(__global int *data, __global int *out) {
  int t = get_local_id(0);
  data[t] = t;
  barrier(CLK_LOCAL_MEM_FENCE);
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[t] = data[31 - t];
}
