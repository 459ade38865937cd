// In place, through shared memory: a is read before the barrier and written after it. Right for one block, wrong for two:
// another block may still read, before its own barrier, what this one has already written behind its barrier.
__global__ void reverse(int *a) {
  extern __shared__ int s[];
  int from = blockIdx.x * blockDim.x + threadIdx.x;
  int to = (gridDim.x - 1 - blockIdx.x) * blockDim.x + threadIdx.x;
  s[blockDim.x - 1 - threadIdx.x] = a[from];
  __syncthreads();
  a[to] = s[threadIdx.x];
}
