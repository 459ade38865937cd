// race-free=proved order-free=proved  places are taken off one by one, the largest first
__global__ void kernel(float *out, const float *in, int batch, int rows, int heads, int width)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (batch > 0 && rows > 0 && heads > 0 && width > 0 && i < batch * rows * heads * width) {
        int image = i / (heads * rows * width), rest = i % (heads * rows * width);
        int head = rest / (rows * width);
        rest %= rows * width;
        int row = rest / width, at = rest % width;
        out[image * rows * heads * width + row * heads * width + head * width + at] = in[i];
    }
}
