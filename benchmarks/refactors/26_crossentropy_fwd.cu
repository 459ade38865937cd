// equality: real. Rows are padded from V to Vp columns. X: the sum of exponentials runs over the padded Vp columns.
#include <assert.h>
#include <cuda_runtime.h>

#define CEIL_DIV(M, N) (((M) + (N)-1) / (N))

__global__ void crossentropy_a(float *losses, const float *logits, const int *targets, int N, int V, int Vp) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) {
    const float *x = logits + i * Vp;
    float maxval = -INFINITY;
    for (int j = 0; j < V; j++) {
      if (x[j] > maxval) maxval = x[j];
    }
    float sum = 0.0f;
    for (int j = 0; j < V; j++) sum += expf(x[j] - maxval);
    int ix = targets[i];
    losses[i] = -logf(expf(x[ix] - maxval) / sum);
  }
}

__device__ __forceinline__ float warpReduceMax(float val) {
  for (int offset = 16; offset > 0; offset /= 2) val = fmaxf(val, __shfl_xor_sync(0xFFFFFFFF, val, offset));
  return val;
}

__device__ __forceinline__ float warpReduceSum(float val) {
  for (int offset = 16; offset > 0; offset /= 2) val += __shfl_xor_sync(0xFFFFFFFF, val, offset);
  return val;
}

__global__ void crossentropy_b(float *losses, const float *logits, const int *targets, int N, int V, int Vp) {
  extern __shared__ float shared[];  // 2 * warps per block
  int row = blockIdx.x;
  int tid = threadIdx.x;
  int warpId = tid / 32;
  int laneId = tid % 32;
  int warpsPerBlock = blockDim.x / 32;
  float *maxvals = shared;
  float *sumvals = shared + warpsPerBlock;
  const float *x = logits + row * Vp;

  float maxval = -INFINITY;
  for (int j = tid; j < V; j += blockDim.x) maxval = fmaxf(maxval, x[j]);
  maxval = warpReduceMax(maxval);
  if (laneId == 0) maxvals[warpId] = maxval;
  __syncthreads();
  maxval = maxvals[0];
  for (int w = 1; w < warpsPerBlock; w++) maxval = fmaxf(maxval, maxvals[w]);

  float sum = 0.0f;
  for (int j = tid; j < V; j += blockDim.x) sum += expf(x[j] - maxval);
  sum = warpReduceSum(sum);
  if (laneId == 0) sumvals[warpId] = sum;
  __syncthreads();

  if (tid == 0) {
    float total = 0.0f;
    for (int w = 0; w < warpsPerBlock; w++) total += sumvals[w];
    losses[row] = logf(total) + maxval - x[targets[row]];
  }
}

__global__ void crossentropy_x(float *losses, const float *logits, const int *targets, int N, int V, int Vp) {
  extern __shared__ float shared[];  // 2 * warps per block
  int row = blockIdx.x;
  int tid = threadIdx.x;
  int warpId = tid / 32;
  int laneId = tid % 32;
  int warpsPerBlock = blockDim.x / 32;
  float *maxvals = shared;
  float *sumvals = shared + warpsPerBlock;
  const float *x = logits + row * Vp;

  float maxval = -INFINITY;
  for (int j = tid; j < V; j += blockDim.x) maxval = fmaxf(maxval, x[j]);
  maxval = warpReduceMax(maxval);
  if (laneId == 0) maxvals[warpId] = maxval;
  __syncthreads();
  maxval = maxvals[0];
  for (int w = 1; w < warpsPerBlock; w++) maxval = fmaxf(maxval, maxvals[w]);

  float sum = 0.0f;
  for (int j = tid; j < Vp; j += blockDim.x) sum += expf(x[j] - maxval);
  sum = warpReduceSum(sum);
  if (laneId == 0) sumvals[warpId] = sum;
  __syncthreads();

  if (tid == 0) {
    float total = 0.0f;
    for (int w = 0; w < warpsPerBlock; w++) total += sumvals[w];
    losses[row] = logf(total) + maxval - x[targets[row]];
  }
}

void run_crossentropy_a(float *losses, const float *logits, const int *targets, int N, int V, int Vp) {
  assert(V <= Vp);
  crossentropy_a<<<CEIL_DIV(N, 32), 32>>>(losses, logits, targets, N, V, Vp);
}

void run_crossentropy_b(float *losses, const float *logits, const int *targets, int N, int V, int Vp) {
  assert(V <= Vp);
  const int block_size = 128;
  size_t shared_mem = 2 * block_size / 32 * sizeof(float);
  crossentropy_b<<<N, block_size, shared_mem>>>(losses, logits, targets, N, V, Vp);
}

void run_crossentropy_x(float *losses, const float *logits, const int *targets, int N, int V, int Vp) {
  assert(V <= Vp);
  const int block_size = 128;
  size_t shared_mem = 2 * block_size / 32 * sizeof(float);
  crossentropy_x<<<N, block_size, shared_mem>>>(losses, logits, targets, N, V, Vp);
}
