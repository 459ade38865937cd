// spmd: block=8 grid=1 v[8] out[8]
__global__ void share(const int *v, float *out) {
  int i = threadIdx.x;
  double part = (double)(v[i] % 2);
  out[i] = part * 3 / part;
}
