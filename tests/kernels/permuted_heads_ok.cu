// race-free=proved order-free=proved  the middle two of four dimensions change places; no size is said to be positive
__global__ void kernel(float *out, const float *in, int batch, int rows, int heads, int width)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < batch * rows * heads * width) {
        int at = i % width, head = i / width % heads, row = i / (width * heads) % rows, image = i / (width * heads * rows);
        out[((image * heads + head) * rows + row) * width + at] = in[i];
    }
}
