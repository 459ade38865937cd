// expect: race-free=proved
// spmd: require gridDim.x * blockDim.x == 1, gridDim.y * blockDim.y == 4
// The same with one thread a row.
__kernel void rows(__global int *x) {
  int y = get_global_id(1);
  x[y] = x[y] + 1;
}
