// equality: bitwise. X: the rest of n % 4 elements is never written (no scalar tail).
#include <cuda_runtime.h>

#define CEIL(a, b) (((a) + (b) - 1) / (b))
#define FLOAT4(x) (reinterpret_cast<float4 *>(&(x))[0])

__global__ void vec_add_a(float *a, float *b, float *c, int n) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx < n) c[idx] = a[idx] + b[idx];
}

__global__ void vec_add_b(float *a, float *b, float *c, int n) {
  int idx = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (idx + 3 < n) {
    float4 ra = FLOAT4(a[idx]);
    float4 rb = FLOAT4(b[idx]);
    float4 rc;
    rc.x = ra.x + rb.x;
    rc.y = ra.y + rb.y;
    rc.z = ra.z + rb.z;
    rc.w = ra.w + rb.w;
    FLOAT4(c[idx]) = rc;
  } else {
    for (int i = idx; i < n; i++) c[i] = a[i] + b[i];
  }
}

__global__ void vec_add_x(float *a, float *b, float *c, int n) {
  int idx = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (idx + 3 < n) {
    float4 ra = FLOAT4(a[idx]);
    float4 rb = FLOAT4(b[idx]);
    float4 rc;
    rc.x = ra.x + rb.x;
    rc.y = ra.y + rb.y;
    rc.z = ra.z + rb.z;
    rc.w = ra.w + rb.w;
    FLOAT4(c[idx]) = rc;
  }
}

void run_vec_add_a(float *a, float *b, float *c, int n) {
  dim3 block(256);
  dim3 grid(CEIL(n, 256));
  vec_add_a<<<grid, block>>>(a, b, c, n);
}

void run_vec_add_b(float *a, float *b, float *c, int n) {
  dim3 block(256 / 4);
  dim3 grid(CEIL(n, 256));
  vec_add_b<<<grid, block>>>(a, b, c, n);
}

void run_vec_add_x(float *a, float *b, float *c, int n) {
  dim3 block(256 / 4);
  dim3 grid(CEIL(n, 256));
  vec_add_x<<<grid, block>>>(a, b, c, n);
}
