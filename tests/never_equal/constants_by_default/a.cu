// spmd: block=4 grid=1 out[4]
struct Sizes { int rows = 3; int columns = 4; };
constexpr Sizes SIZES;
__global__ void k(int* out) { out[threadIdx.x] = SIZES.rows; }
