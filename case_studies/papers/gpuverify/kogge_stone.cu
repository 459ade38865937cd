// Prefix sums of one block's elements, each from those a doubling distance below (Kogge and Stone), two barriers a round.
// spmd: block=1024 grid=1
__global__ void prefix(const int *in, int *out) {
  __shared__ int sums[1024];
  int t = threadIdx.x;
  sums[t] = in[t];
  __syncthreads();
  for (int d = 1; d < 1024; d *= 2) {
    int below = t >= d ? sums[t - d] : 0;
    __syncthreads();
    sums[t] += below;
    __syncthreads();
  }
  out[t] = sums[t];
}
