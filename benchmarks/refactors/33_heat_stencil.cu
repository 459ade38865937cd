// equality: bitwise. Five-point step, border copied. X: the right halo test is x + 1 < nx - 1, so when the grid's last column is the first of a block (nx % 32 == 1) the halo cell is 0.
#include <cuda_runtime.h>

#define BX 32
#define BY 8

__global__ void heat_step_a(const float *__restrict__ u, float *__restrict__ un, int nx, int ny, float alpha) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y >= ny) return;
  int i = y * nx + x;
  if (x == 0 || y == 0 || x == nx - 1 || y == ny - 1) {
    un[i] = u[i];
  } else {
    un[i] = u[i] + alpha * (u[i - 1] + u[i + 1] + u[i - nx] + u[i + nx] - 4.0f * u[i]);
  }
}

__global__ void heat_step_b(const float *__restrict__ u, float *__restrict__ un, int nx, int ny, float alpha) {
  __shared__ float s[BY + 2][BX + 2];
  const int tx = threadIdx.x + 1;
  const int ty = threadIdx.y + 1;
  const int x = blockIdx.x * BX + threadIdx.x;
  const int y = blockIdx.y * BY + threadIdx.y;
  const int i = y * nx + x;
  const bool inside = x < nx && y < ny;
  s[ty][tx] = inside ? u[i] : 0.0f;
  if (threadIdx.x == 0) s[ty][0] = (inside && x > 0) ? u[i - 1] : 0.0f;
  if (threadIdx.x == BX - 1) s[ty][BX + 1] = (inside && x + 1 < nx) ? u[i + 1] : 0.0f;
  if (threadIdx.y == 0) s[0][tx] = (inside && y > 0) ? u[i - nx] : 0.0f;
  if (threadIdx.y == BY - 1) s[BY + 1][tx] = (inside && y + 1 < ny) ? u[i + nx] : 0.0f;
  __syncthreads();
  if (!inside) return;
  const float c = s[ty][tx];
  if (x > 0 && y > 0 && x < nx - 1 && y < ny - 1) {
    un[i] = c + alpha * (s[ty][tx - 1] + s[ty][tx + 1] + s[ty - 1][tx] + s[ty + 1][tx] - 4.0f * c);
  } else {
    un[i] = c;
  }
}

__global__ void heat_step_x(const float *__restrict__ u, float *__restrict__ un, int nx, int ny, float alpha) {
  __shared__ float s[BY + 2][BX + 2];
  const int tx = threadIdx.x + 1;
  const int ty = threadIdx.y + 1;
  const int x = blockIdx.x * BX + threadIdx.x;
  const int y = blockIdx.y * BY + threadIdx.y;
  const int i = y * nx + x;
  const bool inside = x < nx && y < ny;
  s[ty][tx] = inside ? u[i] : 0.0f;
  if (threadIdx.x == 0) s[ty][0] = (inside && x > 0) ? u[i - 1] : 0.0f;
  if (threadIdx.x == BX - 1) s[ty][BX + 1] = (inside && x + 1 < nx - 1) ? u[i + 1] : 0.0f;
  if (threadIdx.y == 0) s[0][tx] = (inside && y > 0) ? u[i - nx] : 0.0f;
  if (threadIdx.y == BY - 1) s[BY + 1][tx] = (inside && y + 1 < ny) ? u[i + nx] : 0.0f;
  __syncthreads();
  if (!inside) return;
  const float c = s[ty][tx];
  if (x > 0 && y > 0 && x < nx - 1 && y < ny - 1) {
    un[i] = c + alpha * (s[ty][tx - 1] + s[ty][tx + 1] + s[ty - 1][tx] + s[ty + 1][tx] - 4.0f * c);
  } else {
    un[i] = c;
  }
}

void run_heat_step_a(const float *u, float *un, int nx, int ny, float alpha) {
  dim3 block(16, 16);
  dim3 grid((nx + 15) / 16, (ny + 15) / 16);
  heat_step_a<<<grid, block>>>(u, un, nx, ny, alpha);
}

void run_heat_step_b(const float *u, float *un, int nx, int ny, float alpha) {
  dim3 block(BX, BY);
  dim3 grid((nx + BX - 1) / BX, (ny + BY - 1) / BY);
  heat_step_b<<<grid, block>>>(u, un, nx, ny, alpha);
}

void run_heat_step_x(const float *u, float *un, int nx, int ny, float alpha) {
  dim3 block(BX, BY);
  dim3 grid((nx + BX - 1) / BX, (ny + BY - 1) / BY);
  heat_step_x<<<grid, block>>>(u, un, nx, ny, alpha);
}
