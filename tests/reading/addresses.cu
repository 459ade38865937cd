// Pointers as integers: what a program computes of them that does not hang on where its arrays begin.
typedef unsigned long long address_t;
__device__ const int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};

__global__ void differences(int* out) {
  int at = threadIdx.x * 4;
  int* p = out + at;
  out[at] = (int)((address_t)(p + 3) - (address_t)p);
  out[at + 1] = (int)((long long)p - (long long)out);
  out[at + 2] = (address_t)(p + 2) == (address_t)out + (at + 2) * sizeof(int);
  out[at + 3] = ((address_t)p & 3) == 0;
}

__global__ void back(int* out) {
  address_t base = (address_t)out;
  int* p = (int*)(base + threadIdx.x * 16);
  p[0] = 7 + threadIdx.x;
  ((int*)((address_t)p + 4))[0] = 11;
  int* q = (int*)((char*)p + 8);
  *q = (int)((address_t)q - base);
  const int* t = (const int*)((address_t)table + sizeof(int) * (threadIdx.x + 1));
  p[3] = *t + t[-1];
}

__global__ void chosen(int* out) {
  const int* p = out;
  if (threadIdx.x > 1) p = table + 1;
  address_t number = (address_t)p, start = threadIdx.x > 1 ? (address_t)table : (address_t)out;
  for (int k = 0; k < 4; k++) {
    out[threadIdx.x * 4 + k] = (int)(number - start) + k + (((address_t)(p + k) - start) % 4 == 0);
  }
}

__global__ void null(int* out) {
  int* p = nullptr;
  out[threadIdx.x * 4] = (int)(address_t)p;
  out[threadIdx.x * 4 + 1] = (address_t)out != 0;
  out[threadIdx.x * 4 + 2] = (address_t)(out + 1) > (address_t)out;
}
