// expect: race-free=refuted
// spmd: block=64 grid=1 require seed >= 5000
// At seed = 16384 the cast to sixteen bits folds every fourth thread onto cell 0.
__global__ void product(int *out, unsigned seed) {
  unsigned short h = threadIdx.x * seed;
  out[h] = threadIdx.x;
}
