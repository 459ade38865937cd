// expect: race-free=refuted
// spmd: require gridDim.x * blockDim.x == 12, gridDim.y * blockDim.y == 4
// What is required ties the sizes of an axis that the kernel never reads: 12 threads a row all the same.
__kernel void rows(__global int *x) {
  int y = get_global_id(1);
  x[y] = x[y] + 1;
}
