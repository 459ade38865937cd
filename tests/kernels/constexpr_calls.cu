// expect: race-free=proved barriers=proved order-free=proved assertions=proved
// spmd: require n <= 1000 && n >= 0
// What C++ computes when it compiles: functions that call themselves, with constants and sizes of templates. Operands that
// change something are evaluated all the same.
constexpr int log_of(int v) { return v > 0 ? 1 + log_of(v >> 1) : -1; }
constexpr int zero_of(int v) { return 0; }
constexpr unsigned char low_byte(int v) { return v; }
constexpr long power(int v) { return 1L << v; }
constexpr bool is_even(int v) { return v % 2 == 0; }
constexpr float third(float v) { return v / 3; }
template <int N> struct Tile { static constexpr int width = N, log = log_of(N); };

template <class T> __device__ int at() {
  constexpr int inner = log_of(T::width);
  return inner + T::log + log_of(T::width / 2);
}

__global__ void k(float *out, int n) {
  int i = 0;
  int a = zero_of(i++), b = zero_of((i++, 3));
  __shared__ int s[log_of(256)];
  s[threadIdx.x & 7] = 1;
  assert(a == 0 && b == 0 && i == 2);
  assert(log_of(log_of(1 << 20)) == 4 && at<Tile<32>>() == 14);
  assert(low_byte(300) == 44 && power(40) == 1099511627776L && is_even(4) && !is_even(n + n + 1));
  assert(log_of(255) == 7 && sizeof(s) == 32);
  out[blockIdx.x * blockDim.x + threadIdx.x] = third(1);
}
