// Data decide which threads come to the barrier.
__global__ void data_decide(const int *p, int *out) {
  int t = threadIdx.y * blockDim.x + threadIdx.x;
  out[(blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x * blockDim.y + t] = t;
  if (p[t] != 0) __syncthreads();
}
