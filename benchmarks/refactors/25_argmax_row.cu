// equality: bitwise (first index of the maximum). X: the warp merge ignores the index on ties; differs only where the maximum occurs more than once.
#include <climits>
#include <cuda_runtime.h>

__global__ void argmax_a(const float *logits, int *ids, int rows, int V) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  int best = 0;
  float bestv = logits[r * V];
  for (int j = 1; j < V; j++) {
    if (logits[r * V + j] > bestv) {
      bestv = logits[r * V + j];
      best = j;
    }
  }
  ids[r] = best;
}

__global__ void argmax_b(const float *logits, int *ids, int rows, int V) {
  const int lane = threadIdx.x % 32;
  const int r = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  if (r >= rows) return;
  float v = -INFINITY;
  int id = INT_MAX;
  for (int j = lane; j < V; j += 32) {
    float cand = logits[r * V + j];
    if (cand > v || (cand == v && j < id)) {
      v = cand;
      id = j;
    }
  }
#pragma unroll
  for (int offset = 16; offset > 0; offset >>= 1) {
    float ov = __shfl_down_sync(0xffffffff, v, offset);
    int oid = __shfl_down_sync(0xffffffff, id, offset);
    if (ov > v || (ov == v && oid < id)) {
      v = ov;
      id = oid;
    }
  }
  if (lane == 0) ids[r] = id;
}

__global__ void argmax_x(const float *logits, int *ids, int rows, int V) {
  const int lane = threadIdx.x % 32;
  const int r = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  if (r >= rows) return;
  float v = -INFINITY;
  int id = INT_MAX;
  for (int j = lane; j < V; j += 32) {
    float cand = logits[r * V + j];
    if (cand > v || (cand == v && j < id)) {
      v = cand;
      id = j;
    }
  }
#pragma unroll
  for (int offset = 16; offset > 0; offset >>= 1) {
    float ov = __shfl_down_sync(0xffffffff, v, offset);
    int oid = __shfl_down_sync(0xffffffff, id, offset);
    if (ov > v) {
      v = ov;
      id = oid;
    }
  }
  if (lane == 0) ids[r] = id;
}

void run_argmax_a(const float *logits, int *ids, int rows, int V) {
  argmax_a<<<(rows + 31) / 32, 32>>>(logits, ids, rows, V);
}

void run_argmax_b(const float *logits, int *ids, int rows, int V) {
  argmax_b<<<(rows + 7) / 8, 256>>>(logits, ids, rows, V);
}

void run_argmax_x(const float *logits, int *ids, int rows, int V) {
  argmax_x<<<(rows + 7) / 8, 256>>>(logits, ids, rows, V);
}
