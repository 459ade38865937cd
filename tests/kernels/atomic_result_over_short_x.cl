// expect: race-free=proved order-free=refuted
// spmd: block=64
// Who comes first shows in the output.
__kernel void k(__global int *out) {
  __local short s[4];
  if (get_local_id(0) < 4) s[get_local_id(0)] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = atomic_add((__local int *)(s + 2), 3);
}
