// expect: race-free=proved barriers=proved bounds=proved
// spmd: block=32 grid=1
// Both fences in one barrier order both spaces.
__kernel void turn(__global int *data, __global int *out) {
  __local int s[32];
  int t = get_local_id(0);
  s[t] = t;
  data[t] = t;
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  out[t] = s[31 - t] + data[31 - t];
}
