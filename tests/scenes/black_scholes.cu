// Prices of calls and puts by the formula of Black and Scholes, a loop over the grid; the sign of d changes a local only.
// spmd: block=4 grid=2 n=19 rate=0.02 volatility=0.3 require n > 0
__device__ float normal(float d) {
  float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  float sum = k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  float tail = 0.39894228f * expf(-0.5f * d * d) * sum;
  if (d > 0.0f) tail = 1.0f - tail;
  return tail;
}

__global__ void black_scholes(float *call, float *put, const float *price, const float *strike, const float *years,
                              int n, float rate, float volatility) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float spread = volatility * sqrtf(years[i]);
    float d1 = (logf(price[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * years[i]) / spread;
    float d2 = d1 - spread;
    float present = strike[i] * expf(-rate * years[i]);
    float worth = price[i] * normal(d1) - present * normal(d2);
    call[i] = worth;
    put[i] = worth + present - price[i];
  }
}
