// race-free=refuted no-wrap=proved  a counter of 64 bits that is cut to 8 is within 256 elements, and meets its neighbour's
__global__ void kernel(int *out, long n)
{
    long i = (long)blockIdx.x * blockDim.x + threadIdx.x;
    for (long k = 0; k <= n; k++)
        out[i * 255 + (signed char)k + 128] = i + k;
}
