// An application of CUDA's runtime in many shapes: `cuda_app SHAPE`; its kernels are in kernels.cuh and here.
#include "kernels.cuh"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

template <typename T> __global__ void fill(T *x, T value, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = value;
}

template <typename T> static T *device(size_t count)
{
    T *made = nullptr;
    cudaMalloc((void **)&made, count * sizeof(T));
    return made;
}

static void plain()
{
    float *x = device<float>(100), *y = device<float>(100);
    for (int turn = 0; turn < 3; turn++) scale<<<2, 64>>>(x, 2.0f, 100);
    add<<<dim3(4, 1, 1), 32>>>(x, y, 100);
    add<<<4, 32>>>(x, x, 100);
    add<<<4, 32>>>(x, x + 50, 50);
    fill<int><<<2, 64>>>((int *)y, 7, 100);
    fill<float><<<2, 64>>>(y, 0.5f, 100);
    app::moved<<<1, dim3(8, 4)>>>(app::View{x, 32}, short(3), 'a', 1.5);
    turned<<<6, 16, 16 * sizeof(float)>>>(x);
    scale<<<1, 2048>>>(x, 2.0f, 100); // refused: the block is too large
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
    cudaLaunchConfig_t config = {};
    config.gridDim = 2, config.blockDim = 50;
    cudaLaunchKernelEx(&config, scale, x, 3.0f, 90);
    cudaFree(y);
}

int main(int count, char **words)
{
    const char *shape = count > 1 ? words[1] : "";
    if (!strcmp(shape, "forks")) {
        pid_t child = fork();
        scale<<<2, 64>>>(device<float>(100), 1.0f, child ? 100 : 90);
        if (!child) _exit(3);
        waitpid(child, nullptr, 0);
    } else if (!strcmp(shape, "crashes")) {
        scale<<<2, 64>>>(device<float>(100), 1.0f, 100);
        abort();
    } else if (!strcmp(shape, "threads")) {
        std::thread all[8];
        for (int at = 0; at < 8; at++)
            all[at] = std::thread([at] {
                for (int turn = 0; turn < 50; turn++) {
                    float *x = device<float>(100);
                    scale<<<2, 64>>>(x, 1.0f, 90 + at);
                    cudaFree(x);
                }
            });
        for (auto &each : all) each.join();
    } else {
        plain();
        printf("done\n");
        return count > 1 ? atoi(words[1]) : 0;
    }
    return 0;
}
