// expect: verdict=invalid message=:6:3: .*'store_elsewhere'
// spmd: block=32 grid=1
// A function that nobody has seen is given a pointer.
void store_elsewhere(int *where, int value);
__global__ void call(int *out) {
  store_elsewhere(out, 1);
  out[threadIdx.x] = 2;
}
