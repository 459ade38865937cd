// Transposes a matrix of height rows and width columns, one element a thread.
#include <cstdio>

// spmd: block=16,16 grid=(width+15)/16,(height+15)/16 require width > 0, height > 0, width <= 32768, height <= 32768
__global__ void transpose_naive(const float *in, float *out, int width, int height) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col < width && row < height)
    out[col * height + row] = in[row * width + col];
}

int main() {
  const int width = 100, height = 70, cells = width * height;
  static float host_in[cells], host_out[cells];
  for (int i = 0; i < cells; i++) {
    host_in[i] = 0.5f * i;
    host_out[i] = -1.0f;
  }

  float *in, *out;
  if (cudaMalloc(&in, sizeof(host_in)) != cudaSuccess ||
      cudaMalloc(&out, sizeof(host_out)) != cudaSuccess) {
    printf("FAILED: no device memory\n");
    return 1;
  }
  cudaMemcpy(in, host_in, sizeof(host_in), cudaMemcpyHostToDevice);
  cudaMemcpy(out, host_out, sizeof(host_out), cudaMemcpyHostToDevice);

  transpose_naive<<<dim3(7, 5), dim3(16, 16)>>>(in, out, width, height);

  cudaError_t error = cudaMemcpy(host_out, out, sizeof(host_out), cudaMemcpyDeviceToHost);
  cudaFree(in);
  cudaFree(out);

  int wrong = error != cudaSuccess;
  for (int row = 0; row < height; row++)
    for (int col = 0; col < width; col++)
      if (host_out[col * height + row] != host_in[row * width + col]) wrong++;
  puts(wrong ? "FAILED" : "ok");
  return wrong != 0;
}
