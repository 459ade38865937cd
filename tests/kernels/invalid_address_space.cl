// expect: verdict=invalid message='out' points to no address space
// spmd: block=32 grid=1
// OpenCL wants an address space.
__kernel void fill(int *out) {
  out[get_global_id(0)] = 1;
}
