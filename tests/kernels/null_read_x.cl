// expect: bounds=refuted race-free=proved
// Nothing is at the null pointer, whatever is added to it.
__kernel void read(__global int *out) {
  __global int *a = 0;
  out[get_global_id(0)] = a[get_global_id(0)];
}
