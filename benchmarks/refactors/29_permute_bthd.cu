// equality: bitwise. (B,T,H,D) -> (B,H,T,D). X: head and offset in the head are taken from the flat index the wrong way round (i % H, i / H).
#include <assert.h>
#include <cuda_runtime.h>

#define CEIL_DIV(M, N) (((M) + (N)-1) / (N))

__global__ void permute_bthd_a(const float *inp, float *out, int B, int T, int H, int D) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  // out[b][h][t][d] = inp[b][t][h][d]
  if (idx < B * H * T * D) {
    int b = idx / (H * T * D);
    int rest = idx % (H * T * D);
    int h = rest / (T * D);
    rest = rest % (T * D);
    int t = rest / D;
    int d = rest % D;
    int inp_idx = (b * T * H * D) + (t * H * D) + (h * D) + d;
    out[idx] = __ldg(&inp[inp_idx]);
  }
}

// grid (T, B), a block moves the H * D row of one token
__global__ void permute_bthd_b(const float *inp, float *out, int B, int T, int H, int D) {
  const int t = blockIdx.x;
  const int b = blockIdx.y;
  const int D4 = D / 4;
  const float4 *src = reinterpret_cast<const float4 *>(inp) + (b * T + t) * H * D4;
  float4 *dst = reinterpret_cast<float4 *>(out);
  for (int i = threadIdx.x; i < H * D4; i += blockDim.x) {
    const int h = i / D4;
    const int d = i % D4;
    dst[((b * H + h) * T + t) * D4 + d] = src[i];
  }
}

__global__ void permute_bthd_x(const float *inp, float *out, int B, int T, int H, int D) {
  const int t = blockIdx.x;
  const int b = blockIdx.y;
  const int D4 = D / 4;
  const float4 *src = reinterpret_cast<const float4 *>(inp) + (b * T + t) * H * D4;
  float4 *dst = reinterpret_cast<float4 *>(out);
  for (int i = threadIdx.x; i < H * D4; i += blockDim.x) {
    const int h = i % H;
    const int d = i / H;
    dst[((b * H + h) * T + t) * D4 + d] = src[i];
  }
}

void run_permute_bthd_a(const float *inp, float *out, int B, int T, int H, int D) {
  const int block_size = 256;
  permute_bthd_a<<<CEIL_DIV(B * T * H * D, block_size), block_size>>>(inp, out, B, T, H, D);
}

void run_permute_bthd_b(const float *inp, float *out, int B, int T, int H, int D) {
  assert(D % 4 == 0);
  dim3 grid(T, B);
  permute_bthd_b<<<grid, 128>>>(inp, out, B, T, H, D);
}

void run_permute_bthd_x(const float *inp, float *out, int B, int T, int H, int D) {
  assert(D % 4 == 0);
  dim3 grid(T, B);
  permute_bthd_x<<<grid, 128>>>(inp, out, B, T, H, D);
}
