// order-free=refuted  as filled_by_quotient_ok, but the last column of each row is left out
// spmd: block=16,16 grid=1024
__global__ void kernel(const float4 *in, float *out, int n)
{
    __shared__ float4 tile[16 * 128 / 4];
    int tx = threadIdx.x, ty = threadIdx.y;
    float sum = 0;
    for (int p = 0; p < n; p += 16) {
        for (int d = tx; d < 31; d += 16)
            tile[ty * 128 / 4 + d] = in[(p + ty) * 32 + d];
        __syncthreads();
        for (int d = 0; d < 32; d++)
            sum += tile[tx * 32 + d].x;
        __syncthreads();
    }
    out[(blockIdx.x * 16 + ty) * 16 + tx] = sum;
}
