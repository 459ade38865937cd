// expect: bounds=refuted
// spmd: block=16,8 grid=1
// The subscripts are the wrong way round for a tile that is no square.
__global__ void turned(const float *in, float *out) {
  __shared__ float tile[8][16];
  int x = threadIdx.x, y = threadIdx.y;
  tile[x][y] = in[16 * y + x];
  __syncthreads();
  out[16 * y + x] = tile[x][y];
}
