// mutant: launched with the two extents of the grid exchanged
// Made from optimised.cu.
#include <cstdio>

// spmd: block=32,8 grid=height/32,width/32 require width > 0, height > 0, width <= 32768, height <= 32768, width % 32 == 0, height % 32 == 0
__global__ void transpose_four_rows(const float *in, float *out, int width, int height) {
  __shared__ float tile[32][33];
  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int col = blockIdx.x * 32 + tx;
  int row = blockIdx.y * 32 + ty;
  for (int j = 0; j < 32; j += 8)
    tile[ty + j][tx] = in[(row + j) * width + col];
  __syncthreads();
  int out_col = blockIdx.y * 32 + tx;
  int out_row = blockIdx.x * 32 + ty;
  for (int j = 0; j < 32; j += 8)
    out[(out_row + j) * height + out_col] = tile[tx][ty + j];
}

int main() {
  const int width = 96, height = 64, cells = width * height;
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

  transpose_four_rows<<<dim3(2, 3), dim3(32, 8)>>>(in, out, width, height);

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
