// mutant: the guard of the store leaves out the last output row
// Made from tiled.cu.
#include <cstdio>

#define TILE 32

// spmd: block=32,32 grid=(width+31)/32,(height+31)/32 require width > 0, height > 0, width <= 32768, height <= 32768
__global__ void transpose_tiled(const float *in, float *out, int width, int height) {
  __shared__ float tile[TILE][TILE];
  int col = blockIdx.x * TILE + threadIdx.x;
  int row = blockIdx.y * TILE + threadIdx.y;
  if (col < width && row < height)
    tile[threadIdx.y][threadIdx.x] = in[row * width + col];
  __syncthreads();
  int out_col = blockIdx.y * TILE + threadIdx.x;
  int out_row = blockIdx.x * TILE + threadIdx.y;
  if (out_col < height && out_row < width - 1)
    out[out_row * height + out_col] = tile[threadIdx.x][threadIdx.y];
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

  transpose_tiled<<<dim3(4, 3), dim3(32, 32)>>>(in, out, width, height);

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
