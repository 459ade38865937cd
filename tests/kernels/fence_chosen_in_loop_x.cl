// expect: race-free=unknown message=chosen at run time, in a loop
// spmd: block=64 require n <= 100
// In a loop chosen fences are not followed.
__kernel void k(__global int *out, int n) {
  __local int s[64];
  for (int i = 0; i < n; i++) {
    s[get_local_id(0)] = i;
    barrier(i & 1 ? CLK_LOCAL_MEM_FENCE : CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    out[get_global_id(0)] += s[63 - get_local_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
