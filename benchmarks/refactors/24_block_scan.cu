// equality: bitwise (ints). Inclusive scan of each segment of 256. X: the warp scan tests lane > offset instead of lane >= offset.
#include <cuda_runtime.h>

#define SEG 256

__global__ void block_scan_a(const int *in, int *out, int n) {
  __shared__ int temp[SEG];
  int tid = threadIdx.x;
  int i = blockIdx.x * SEG + tid;
  temp[tid] = (i < n) ? in[i] : 0;
  __syncthreads();
  for (int stride = 1; stride < SEG; stride *= 2) {
    int val = 0;
    if (tid >= stride) val = temp[tid - stride];
    __syncthreads();
    temp[tid] += val;
    __syncthreads();
  }
  if (i < n) out[i] = temp[tid];
}

__device__ __forceinline__ int warp_inclusive_scan(int v) {
  int lane = threadIdx.x & 31;
#pragma unroll
  for (int offset = 1; offset < 32; offset <<= 1) {
    int t = __shfl_up_sync(0xffffffffu, v, offset);
    if (lane >= offset) v += t;
  }
  return v;
}

__device__ __forceinline__ int warp_inclusive_scan_x(int v) {
  int lane = threadIdx.x & 31;
#pragma unroll
  for (int offset = 1; offset < 32; offset <<= 1) {
    int t = __shfl_up_sync(0xffffffffu, v, offset);
    if (lane > offset) v += t;
  }
  return v;
}

__global__ void block_scan_b(const int *in, int *out, int n) {
  __shared__ int warp_sums[SEG / 32];
  int tid = threadIdx.x;
  int lane = tid & 31;
  int warp = tid >> 5;
  int i = blockIdx.x * SEG + tid;
  int v = (i < n) ? in[i] : 0;
  v = warp_inclusive_scan(v);
  if (lane == 31) warp_sums[warp] = v;
  __syncthreads();
  if (warp == 0) {
    int s = (lane < SEG / 32) ? warp_sums[lane] : 0;
    s = warp_inclusive_scan(s);
    if (lane < SEG / 32) warp_sums[lane] = s;
  }
  __syncthreads();
  if (warp > 0) v += warp_sums[warp - 1];
  if (i < n) out[i] = v;
}

__global__ void block_scan_x(const int *in, int *out, int n) {
  __shared__ int warp_sums[SEG / 32];
  int tid = threadIdx.x;
  int lane = tid & 31;
  int warp = tid >> 5;
  int i = blockIdx.x * SEG + tid;
  int v = (i < n) ? in[i] : 0;
  v = warp_inclusive_scan_x(v);
  if (lane == 31) warp_sums[warp] = v;
  __syncthreads();
  if (warp == 0) {
    int s = (lane < SEG / 32) ? warp_sums[lane] : 0;
    s = warp_inclusive_scan_x(s);
    if (lane < SEG / 32) warp_sums[lane] = s;
  }
  __syncthreads();
  if (warp > 0) v += warp_sums[warp - 1];
  if (i < n) out[i] = v;
}

void run_block_scan_a(const int *in, int *out, int n) {
  block_scan_a<<<(n + SEG - 1) / SEG, SEG>>>(in, out, n);
}

void run_block_scan_b(const int *in, int *out, int n) {
  block_scan_b<<<(n + SEG - 1) / SEG, SEG>>>(in, out, n);
}

void run_block_scan_x(const int *in, int *out, int n) {
  block_scan_x<<<(n + SEG - 1) / SEG, SEG>>>(in, out, n);
}
