// expect: race-free=refuted
// spmd: block=32 grid=1
template <typename T> struct Base { T *at; __device__ T place(T id) const { return id / 2; } };
template <typename T> struct Table : Base<T> {
  __device__ Table(T *p) { this->at = p; }
  __device__ void put(T id) { this->at[place(id)] = id; }
};
__global__ void k(int *x) { Table<int>(x).put(threadIdx.x); }
