// expect: verdict=unsupported message=an atomic on 'mine', a local variable: no other thread reaches it
__global__ void kernel(int *out)
{
    int mine = threadIdx.x;
    out[threadIdx.x] = atomicAdd(&mine, 1) + mine;
}
