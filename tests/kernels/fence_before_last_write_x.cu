// expect: race-free=refuted
// No fence stands between the last round's store and the flag.
// spmd: block=1 grid=2 require flag[0] == 0, n >= 1, n <= 8
__global__ void early(int *data, int *flag, int *out, int n) {
  if (blockIdx.x == 0) {
    for (int i = 0; i < n; i++) {
      __threadfence();
      data[i] = i;
    }
    atomicExch(flag, 1);
  } else if (atomicAdd(flag, 0) == 1) {
    __threadfence();
    out[0] = data[0];
  }
}
