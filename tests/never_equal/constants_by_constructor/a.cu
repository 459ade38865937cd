// spmd: block=4 grid=1 out[4]
template <int N> struct Table { int d[N]; constexpr Table() : d() { for (int i = 0; i < N; i++) d[i] = i * i; } };
constexpr Table<5> TABLE;
__global__ void k(int* out) { out[threadIdx.x] = TABLE.d[threadIdx.x]; }
