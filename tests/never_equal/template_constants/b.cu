// spmd: block=4 grid=1 out[4]
template <class T> constexpr T scale = T(3.25);
template <class T> constexpr int table[2] = {sizeof(T), 8};
__global__ void k(int* out) { out[threadIdx.x] = (int)(scale<float> * 100) + table<int>[threadIdx.x & 1]; }
