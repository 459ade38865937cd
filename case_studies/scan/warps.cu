// spmd: block=256 grid=3 n=203 require n >= 1, n <= 256
// Warps scan by shuffles, the first warp scans their totals, and each warp adds what the ones before it hold.
__device__ int warp_scan(int v, int lane) {
  for (int d = 1; d < 32; d *= 2) {
    int before = __shfl_up_sync(0xffffffffu, v, d);
    if (lane >= d) v += before;
  }
  return v;
}
__global__ void scan(const int *in, int *out, int n) {
  __shared__ int totals[32];
  int t = threadIdx.x, lane = t % 32, warp = t / 32;
  int v = warp_scan(t < n ? in[blockIdx.x * n + t] : 0, lane);
  if (lane == 31) totals[warp] = v;
  __syncthreads();  // the totals are there
  if (warp == 0) totals[lane] = warp_scan(lane < blockDim.x / 32 ? totals[lane] : 0, lane);
  __syncthreads();  // the totals are scanned
  if (warp > 0) v += totals[warp - 1];
  if (t < n) out[blockIdx.x * n + t] = v;
}
