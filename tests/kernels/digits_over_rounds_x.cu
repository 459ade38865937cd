// race-free=refuted  as digits_over_rounds_ok, but three images are written in the place of two
// spmd: block=64 grid=4
__global__ void kernel(float *out, int height, int width, int n)
{
    int size = height * width;
    for (int i = blockDim.x * blockIdx.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        int row = i % size / width, column = i % width, image = i / size;
        for (int k = 0; k < 3; k++)
            out[image * 2 * size + row * width + column + k * size] = image * 16 + k;
    }
}
