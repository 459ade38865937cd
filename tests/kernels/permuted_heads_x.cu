// race-free=refuted  the same with the row multiplied by the number of heads
__global__ void kernel(float *out, const float *in, int batch, int rows, int heads, int width)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < batch * rows * heads * width) {
        int at = i % width, head = i / width % heads, row = i / (width * heads) % rows, image = i / (width * heads * rows);
        out[((image * heads + head) * rows + row * heads) * width + at] = in[i];
    }
}
