// spmd: block=4 grid=1 v[4] out[4]
// A function of the same name as the library's, which somebody else defines.
namespace own { __device__ float exp2(float exponent); }
__global__ void power(const float *v, float *out) { out[threadIdx.x] = own::exp2(v[threadIdx.x]); }
