// Whole parts and fractions, in float and double.
#include <cmath>

__global__ void fractions(int* out) {
  float whole = 0, part = std::modf(threadIdx.x * 1.75f - 2.0f, &whole);
  double most = 0, rest = std::modf(threadIdx.x * 2.5 - 3.0, &most);
  out[threadIdx.x * 4] = (int)whole;
  out[threadIdx.x * 4 + 1] = (int)(part * 1024);
  out[threadIdx.x * 4 + 2] = (int)most;
  out[threadIdx.x * 4 + 3] = (int)(rest * 1024);
}
