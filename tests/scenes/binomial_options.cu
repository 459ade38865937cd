// European calls by a binomial tree, an option a block: values at expiry, then backward induction in shared memory.
// spmd: block=8 grid=2 steps=7 rate=0.02 require steps > 0, steps < 8
__global__ void binomial_options(const float *price, const float *strike, const float *years, const float *volatility,
                                 float *call, int steps, float rate) {
  __shared__ float value[8];
  int t = threadIdx.x;
  int option = blockIdx.x;
  float step = years[option] / steps;
  float move = volatility[option] * sqrtf(step);
  float discount = expf(-rate * step);
  float up = expf(move), down = expf(-move);
  float chance = (1.0f / discount - down) / (up - down);
  if (t <= steps) value[t] = fmaxf(price[option] * expf(move * (2.0f * t - steps)) - strike[option], 0.0f);
  for (int left = steps; left > 0; left--) {
    __syncthreads();
    float held = 0.0f;
    if (t < left) held = discount * (chance * value[t + 1] + (1.0f - chance) * value[t]);
    __syncthreads();
    if (t < left) value[t] = held;
  }
  if (t == 0) call[option] = value[0];
}
