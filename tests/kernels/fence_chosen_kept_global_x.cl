// expect: race-free=refuted barriers=proved
// spmd: block=64
// Local memory is fenced behind the choice, global memory is not.
__kernel void k(__global int *out, int n) {
  out[get_global_id(0)] = 1;
  barrier(n > 3 ? CLK_LOCAL_MEM_FENCE : 0);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0) ^ 1] = 2;
}
