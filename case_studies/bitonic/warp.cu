// spmd: block=32 grid=4
// One warp a list, two elements a lane in registers: exchanges by shuffles, the distance of 32 inside the lane.
__device__ float exchange(float v, int i, int j, int k) {
  float w = __shfl_xor_sync(0xffffffffu, v, j);
  bool first = (i & j) == 0, up = (i & k) == 0;
  float a = first ? v : w, b = first ? w : v;
  return first == up ? fminf(a, b) : fmaxf(a, b);
}
__global__ void sort(float *data) {
  int t = threadIdx.x, base = blockIdx.x * 64;
  float x = data[base + t], y = data[base + t + 32];
  for (int k = 2; k <= 32; k *= 2)
    for (int j = k / 2; j > 0; j /= 2) {
      x = exchange(x, t, j, k);
      y = exchange(y, t + 32, j, k);
    }
  float low = fminf(x, y), high = fmaxf(x, y);
  for (int j = 16; j > 0; j /= 2) {
    low = exchange(low, t, j, 64);
    high = exchange(high, t + 32, j, 64);
  }
  data[base + t] = low;
  data[base + t + 32] = high;
}
