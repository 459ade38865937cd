// spmd: block=64 grid=4
// The steps are unrolled by templates, distances and directions are constants.
template <int K, int J> __device__ void step(float *s, int t) {
  int p = t ^ J;
  if (p > t) {
    float a = s[t], b = s[p];
    bool up = (t & K) == 0;
    s[t] = up ? fminf(a, b) : fmaxf(a, b);
    s[p] = up ? fmaxf(a, b) : fminf(a, b);
  }
  __syncthreads();  // the step is done
  if constexpr (J > 1) step<K, J / 2>(s, t);
}
__global__ void sort(float *data) {
  __shared__ float s[64];
  int t = threadIdx.x;
  s[t] = data[blockIdx.x * 64 + t];
  __syncthreads();  // loaded
  step<2, 1>(s, t);
  step<4, 2>(s, t);
  step<8, 4>(s, t);
  step<16, 8>(s, t);
  step<32, 16>(s, t);
  step<64, 32>(s, t);
  data[blockIdx.x * 64 + t] = s[t];
}
