// race-free=proved order-free=proved no-wrap=proved  a counter that reaches its limit, and a value that another loop begins with it
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
        out[i] = blend;
    }
}
