// expect: verdict=proved race-free=proved
// spmd: block=32 grid=1
// The same in OpenCL.
__kernel void publish(__global int *data, __global int *flag) {
  data[get_local_id(0)] = 1;
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  flag[get_local_id(0)] = 1;
}
