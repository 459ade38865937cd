// expect: race-free=refuted
// The channel is cut at the height.
__global__ void images(float *out, const float *in, int n, int h, int w, int c) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n * h * w * c; i += blockDim.x * gridDim.x) {
    int x = i % w, y = i / w % h, channel = i / w / h % h, image = i / w / h / c;
    out[((image * c + channel) * h + y) * w + x] = in[i];
  }
}
