// Random number generators of the device API: a state in memory that each call reads and moves on. The values are
// opaque functions of the state, so that equal states give equal numbers.
struct curandStateXORWOW { unsigned int d, v[5]; int boxmuller_flag, boxmuller_flag_double; float boxmuller_extra; double boxmuller_extra_double; };
struct curandStatePhilox4_32_10 { unsigned int d, v[15]; };
struct curandStateMRG32k3a { unsigned int d, v[17]; };
struct curandStateMtgp32 { unsigned int s[1024]; int offset; int pIdx; void *k; };
typedef curandStateXORWOW curandState;
typedef curandStateXORWOW curandState_t;
typedef curandStateXORWOW curandStateXORWOW_t;
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef curandStateMRG32k3a curandStateMRG32k3a_t;
typedef curandStateMtgp32 curandStateMtgp32_t;
template<class S> __spmd_in void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset, S *state) {
  state->d = __spmd_random_start(seed, 0, 0); /* the state is built up in place: not one write */
  state->d = __spmd_random_start(state->d + __spmd_random_start(seed, sequence, offset), sizeof(S), 0);
}
__spmd_in void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset, curandStateXORWOW *state) {
  curand_init<curandStateXORWOW>(seed, sequence, offset, state);
  state->boxmuller_flag = state->boxmuller_flag_double = 0;
}
template<class S> __spmd_in unsigned int curand(S *state) {
  unsigned int now = state->d;
  state->d = __spmd_random_next(now);
  return __spmd_random_value(now);
}
// One state serves a whole block of at most 256 threads, each of which reads and writes elements of its own.
__spmd_in unsigned int curand(curandStateMtgp32 *state) {
  int lane = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  int threads = blockDim.x * blockDim.y * blockDim.z, at = state->offset;
  unsigned int value = __spmd_random_next(state->s[(lane + at) & 1023]);
  state->s[(lane + at + 351) & 1023] = value;
  __syncthreads();
  if (lane == 0) state->offset = (at + threads) & 1023;
  __syncthreads();
  return value;
}
template<class S> __spmd_in float curand_uniform(S *state) { return __spmd_random_unit(curand(state)); }
template<class S> __spmd_in double curand_uniform_double(S *state) { unsigned int one = curand(state); return __spmd_random_unit(__spmd_random_start(one, curand(state), 1)); }
template<class S> __spmd_in float curand_normal(S *state) { return __spmd_random_normal(curand(state)); }
// Two draws give two normals: the second is kept for the next call.
__spmd_in float curand_normal(curandStateXORWOW *state) {
  if (state->boxmuller_flag) { state->boxmuller_flag = 0; return state->boxmuller_extra; }
  unsigned int one = curand(state), two = curand(state);
  state->boxmuller_flag = 1;
  state->boxmuller_extra = __spmd_random_normal(__spmd_random_start(one, two, 3));
  return __spmd_random_normal(__spmd_random_start(one, two, 2));
}
template<class S> __spmd_in double curand_normal_double(S *state) { unsigned int one = curand(state); return __spmd_random_normal(__spmd_random_start(one, curand(state), 1)); }
template<class S> __spmd_in float2 curand_normal2(S *state) { return make_float2(curand_normal(state), curand_normal(state)); }
template<class S> __spmd_in float curand_log_normal(S *state, float mean, float stddev) { return expf(mean + stddev * curand_normal(state)); }
template<class S> __spmd_in double curand_log_normal_double(S *state, double mean, double stddev) { return exp(mean + stddev * curand_normal_double(state)); }
// As many draws as the number and the rate say: both the value and the state behind it hang on the rate.
template<class S> __spmd_in unsigned int curand_poisson(S *state, double lambda) {
  unsigned int now = curand(state), rate = __spmd_random_start(__double2hiint(lambda), __double2loint(lambda), 4);
  state->d = __spmd_random_start(state->d, rate, 5);
  return __spmd_random_start(now, rate, 6);
}
template<class S> __spmd_in uint4 curand4(S *state) {
  unsigned int x = curand(state), y = curand(state), z = curand(state), w = curand(state);
  return uint4{x, y, z, w};
}
template<class S> __spmd_in float4 curand_uniform4(S *state) {
  float x = curand_uniform(state), y = curand_uniform(state), z = curand_uniform(state), w = curand_uniform(state);
  return make_float4(x, y, z, w);
}
template<class S> __spmd_in float4 curand_normal4(S *state) {
  unsigned int x = curand(state), y = curand(state), z = curand(state), w = curand(state);
  return make_float4(__spmd_random_normal(__spmd_random_start(x, y, 2)), __spmd_random_normal(__spmd_random_start(x, y, 3)),
                     __spmd_random_normal(__spmd_random_start(z, w, 2)), __spmd_random_normal(__spmd_random_start(z, w, 3)));
}
template<class S> __spmd_in uint4 curand_poisson4(S *state, double lambda) {
  unsigned int x = curand_poisson(state, lambda), y = curand_poisson(state, lambda);
  unsigned int z = curand_poisson(state, lambda), w = curand_poisson(state, lambda);
  return uint4{x, y, z, w};
}
