// expect: verdict=proved race-free=proved
// spmd: block=32 grid=1
// A vector local of OpenCL.
__kernel void pair(__global int *out) {
  int2 v = (int2)(1, 2);
  out[get_global_id(0)] = v.x;
}
