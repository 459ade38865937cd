// equality: bitwise. X: the slip is in the launcher: grid is n / 8 instead of ceil, the last partial block of tokens is never run (kernel x is the text of kernel b).
#include <assert.h>
#include <cuda_runtime.h>

#define CEIL(a, b) (((a) + (b) - 1) / (b))
#define CFLOAT4(p) (*reinterpret_cast<const float4 *>(p))
#define WFLOAT4(p) (*reinterpret_cast<float4 *>(p))

// out[i, :] = table[tokens[i], :]
__global__ void embedding_a(const int *tokens, const float *table, float *out, int n, int D) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx < n * D) {
    int row = idx / D;
    int col = idx % D;
    out[idx] = table[tokens[row] * D + col];
  }
}

// blockDim = (32, 8): a warp copies one row
__global__ void embedding_b(const int *tokens, const float *table, float *out, int n, int D) {
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= n) return;
  int tok = tokens[row];
  for (int c = threadIdx.x * 4; c < D; c += 32 * 4) {
    WFLOAT4(&out[row * D + c]) = CFLOAT4(&table[tok * D + c]);
  }
}

__global__ void embedding_x(const int *tokens, const float *table, float *out, int n, int D) {
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= n) return;
  int tok = tokens[row];
  for (int c = threadIdx.x * 4; c < D; c += 32 * 4) {
    WFLOAT4(&out[row * D + c]) = CFLOAT4(&table[tok * D + c]);
  }
}

void run_embedding_a(const int *tokens, const float *table, float *out, int n, int D) {
  embedding_a<<<CEIL(n * D, 256), 256>>>(tokens, table, out, n, D);
}

void run_embedding_b(const int *tokens, const float *table, float *out, int n, int D) {
  assert(D % 4 == 0);
  dim3 block(32, 8);
  dim3 grid(CEIL(n, 8));
  embedding_b<<<grid, block>>>(tokens, table, out, n, D);
}

void run_embedding_x(const int *tokens, const float *table, float *out, int n, int D) {
  assert(D % 4 == 0);
  dim3 block(32, 8);
  dim3 grid(n / 8);
  embedding_x<<<grid, block>>>(tokens, table, out, n, D);
}
