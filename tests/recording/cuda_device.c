/* What a package asks a driver of CUDA before it launches, for the stand-in of `cuda_driver.c`: one device, one context, copies of memory.
 * All else that a package names is a function that says "not supported" (NONE in a text that the test writes). */
#include <stdio.h>
#include <string.h>

typedef unsigned long long pointer;
static int context;

int cuDeviceGetCount(int *count) { return *count = 1, 0; }
int cuDeviceGet(int *device, int number) { return *device = number, number != 0; }
int cuDeviceGetName(char *name, int room, int device) { return snprintf(name, (size_t)room, "stand-in %d", device), 0; }
int cuDeviceComputeCapability(int *major, int *minor, int device) { return *major = 7, *minor = 5, device; }
int cuDeviceTotalMem_v2(size_t *size, int device) { return *size = 1u << 30, device; }
int cuDeviceGetAttribute(int *value, int attribute, int device)
{
    *value = attribute == 75 ? 7 : attribute == 76 ? 5 : attribute == 10 ? 32 : 1024;
    return device;
}
int cuCtxCreate_v4(void **made, void *params, unsigned flags, int device) { return *made = &context, (void)params, (void)flags, device; }
int cuDevicePrimaryCtxRetain(void **made, int device) { return *made = &context, device; }
int cuDevicePrimaryCtxRelease_v2(int device) { return device; }
int cuCtxDetach(void *given) { return given != &context; }
int cuCtxDestroy_v2(void *given) { return given != &context; }
int cuCtxPushCurrent_v2(void *given) { return given != &context; }
int cuCtxPopCurrent_v2(void **current) { return current ? *current = &context, 0 : 0; }
int cuCtxGetCurrent(void **current) { return *current = &context, 0; }
int cuCtxGetDevice(int *device) { return *device = 0; }
int cuCtxGetApiVersion(void *given, unsigned *version) { return *version = 13000, given && given != &context; }
int cuFuncGetAttribute(int *value, int attribute, void *function) { return *value = attribute ? 32 : 1024, !function; }
int cuFuncSetBlockShape(void *function, int x, int y, int z) { return !function || x * y * z > 1024; }
int cuMemcpyDtoH_v2(void *to, pointer from, size_t count) { return memcpy(to, (void *)from, count), 0; }
int cuMemcpyHtoD_v2(pointer to, const void *from, size_t count) { return memcpy((void *)to, from, count), 0; }
int cuGetErrorString(int code, const char **text) { return *text = code ? "an error" : "none", 0; }
