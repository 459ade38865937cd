// expect: race-free=proved barriers=proved order-free=proved bounds=proved
// spmd: block=64
// An int that is updated lies over two shorts; others write the shorts behind it.
__kernel void k(__global int *out, int step) {
  __local short s[128];
  s[get_local_id(0) + 2] = 7;
  if (get_local_id(0) < 2) s[get_local_id(0)] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  s[get_local_id(0) + 2] = 8;
  atomic_add((__local int *)s, step);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = s[0] + s[1] + s[get_local_id(0) + 2];
}
