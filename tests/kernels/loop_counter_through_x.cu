// race-free=refuted  as loop_counter_through_ok, with an element that two threads write: the counter reaches n
__global__ void kernel(float *out, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    for (int k = 0; k <= n; k++) {
        int left = k;
        float blend = 1;
        for (int m = n; m >= 1; m--) {
            blend *= m;
            if (left > 1) {
                blend /= (float)left;
                left--;
            }
        }
        out[i * n + left + k] = blend + i;
    }
}
