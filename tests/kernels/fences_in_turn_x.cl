// expect: race-free=refuted barriers=proved
// spmd: block=32 grid=1
// The barrier that matters comes before the write.
__kernel void turn(__global int *data, __global int *out) {
  int t = get_local_id(0);
  barrier(CLK_GLOBAL_MEM_FENCE);
  data[t] = t;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[t] = data[31 - t];
}
