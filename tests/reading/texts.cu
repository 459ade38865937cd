// The characters of texts that the source spells out.
#define HEX "0123456789abcdef"
__device__ const char digits[17] = HEX;
__device__ const char padded[6] = "ab";

__global__ void characters(int* out) {
  int at = threadIdx.x * 4;
  out[at] = "a\tb\\\"\x41\101"[threadIdx.x + 1];
  out[at + 1] = HEX[threadIdx.x + 9] + digits[threadIdx.x];
  out[at + 2] = padded[threadIdx.x + 1];
  const char own[] = "wx" "yz";
  out[at + 3] = own[threadIdx.x] + 1000 * (int)sizeof(own);
}

__global__ void walked(int* out) {
  const char* s = threadIdx.x > 1 ? "one" : "fourteen";
  int length = 0, sum = 0;
  while (*s) {
    sum += *s++;
    length++;
  }
  out[threadIdx.x * 4] = length;
  out[threadIdx.x * 4 + 1] = sum;
  out[threadIdx.x * 4 + 2] = "\377"[0];
  out[threadIdx.x * 4 + 3] = s[0];
}
