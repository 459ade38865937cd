// expect: race-free=refuted
// spmd: block=32 grid=1
// The value stays the same, but the cell is read and written without an order.
__global__ void copy_to_itself(int *out) {
  out[0] = out[0];
}
