"""What host code takes for granted: functions and classes of C, C++ and the CUDA runtime, by their exact names.

Only functions are here that cannot change a variable which stands as a plain argument, for they take it by value or by
reference to const. A name counts only if the file declares it nowhere (`program.Program`).
"""

from __future__ import annotations

from automata.lang.host.tokens import words

NUMERIC = frozenset(words("""
    abs fabs fabsf sqrt sqrtf cbrt pow powf exp expf exp2 exp2f log logf log2 log2f log10 log10f floor floorf ceil ceilf
    round roundf rint rintf lround lroundf llround trunc truncf fmod fmodf fmin fminf fmax fmaxf hypot ldexp sin sinf
    cos cosf tan atan atan2 labs llabs isnan isinf isfinite atoi atol atoll atof strtol strtoul strtoll strtoull strtod
    strtof stoi stol stoul stoll stoull stof stod rand random drand48 time clock strlen strcmp strncmp omp_get_wtime
    omp_get_num_threads omp_get_max_threads omp_get_thread_num
    """))
"""Functions whose result is a number."""
LEAVING = frozenset({"exit", "abort", "_exit"})
"""Functions that do not come back."""
SELECTING = frozenset({"min", "max"})
"""Those of two numbers give a number; what they give back is a reference to const."""
ROUNDED_UP = frozenset({"ATenCeilDiv", "THCCeilDiv", "ceil_div"})
"""PyTorch's quotients of two integers of one type, rounded up: `(a + b - 1) / b`."""
OF_NUMBERS = SELECTING | ROUNDED_UP
"""Functions whose result is a number if their arguments are."""
_ROUNDED_UP = frozenset({"at::ceil_div", "at::cuda::ATenCeilDiv", "ATenCeilDiv", "THCCeilDiv"})
_C = frozenset(words("""
    printf fprintf sprintf snprintf scanf sscanf fscanf puts fputs putchar putc fflush perror malloc calloc realloc free
    aligned_alloc
    posix_memalign memset memcpy memmove memcmp exit abort _exit atexit srand srandom srand48 assert getenv system
    strcpy strncpy strcat strdup strstr strchr strrchr strtok fopen fclose fread fwrite fgets fgetc feof ferror fseek
    ftell rewind qsort usleep sleep gettimeofday clock_gettime difftime omp_set_num_threads getopt getopt_long strerror
    static_assert fill fill_n iota generate generate_n sort stable_sort copy copy_n accumulate equal to_string setw
    setprecision make_pair make_tuple make_unique make_shared max_element min_element count begin end distance seconds
    milliseconds microseconds
    """))
_CUDA = frozenset(f"cuda{name}" for name in words("""
    Malloc MallocHost MallocManaged MallocPitch Malloc3D MallocArray MallocAsync HostAlloc HostRegister HostUnregister
    HostGetDevicePointer Free FreeHost FreeArray FreeAsync Memcpy MemcpyAsync Memcpy2D Memcpy2DAsync Memcpy3D MemcpyPeer
    MemcpyToSymbol MemcpyToSymbolAsync MemcpyFromSymbol MemcpyToArray Memcpy2DToArray Memset MemsetAsync Memset2D
    Memset2DAsync MemPrefetchAsync MemAdvise MemGetInfo DeviceSynchronize ThreadSynchronize StreamSynchronize
    StreamCreate StreamCreateWithFlags StreamCreateWithPriority StreamDestroy StreamQuery StreamWaitEvent
    StreamBeginCapture StreamEndCapture EventCreate EventCreateWithFlags EventRecord EventSynchronize EventElapsedTime
    EventDestroy EventQuery GetLastError PeekAtLastError GetErrorString GetErrorName SetDevice GetDevice GetDeviceCount
    GetDeviceProperties DeviceGetAttribute DeviceReset DeviceSetLimit DeviceSetCacheConfig DeviceEnablePeerAccess
    DeviceCanAccessPeer FuncSetAttribute FuncSetCacheConfig FuncGetAttributes LaunchKernel LaunchCooperativeKernel
    GetSymbolAddress ProfilerStart ProfilerStop DriverGetVersion RuntimeGetVersion
    OccupancyMaxActiveBlocksPerMultiprocessor GraphLaunch GraphInstantiate GraphDestroy GraphExecDestroy
    CreateTextureObject DestroyTextureObject CreateChannelDesc
    """))
PITCHED = frozenset({"cudaMallocPitch", "hipMallocPitch"})
"""Functions that give their second argument, an address, a number of bytes that is their third argument at least."""
_HIP = frozenset("hip" + name[4:] for name in _CUDA) | {"hipLaunchKernelGGL"}
_OPENCL = frozenset(f"cl{name}" for name in words("""
    GetPlatformIDs GetPlatformInfo GetDeviceIDs GetDeviceInfo CreateContext CreateContextFromType GetContextInfo ReleaseContext
    CreateCommandQueue CreateCommandQueueWithProperties GetCommandQueueInfo ReleaseCommandQueue CreateBuffer CreateSubBuffer
    CreateImage CreateImage2D CreateImage3D CreateSampler ReleaseSampler ReleaseMemObject RetainMemObject GetMemObjectInfo
    CreateProgramWithSource CreateProgramWithBinary BuildProgram ReleaseProgram GetProgramInfo GetProgramBuildInfo
    CreateKernel CreateKernelsInProgram SetKernelArg ReleaseKernel RetainKernel GetKernelInfo GetKernelWorkGroupInfo
    EnqueueReadBuffer EnqueueWriteBuffer EnqueueCopyBuffer EnqueueFillBuffer EnqueueReadImage EnqueueWriteImage EnqueueCopyImage
    EnqueueMapBuffer EnqueueUnmapMemObject EnqueueNDRangeKernel EnqueueTask EnqueueBarrier EnqueueMarker WaitForEvents
    GetEventInfo GetEventProfilingInfo ReleaseEvent RetainEvent Flush Finish UnloadCompiler
    """))
_MAKERS = frozenset(f"make_{base}{count}" for base in ("int", "uint", "float", "double", "char", "uchar", "short", "ushort")
                    for count in "1234") | {"make_cudaExtent", "make_cudaPitchedPtr"}
_OF_TENSORS = frozenset(f"torch.{name}" for name in words("""
    empty zeros ones full empty_like zeros_like ones_like full_like rand randn randint arange linspace eye from_blob tensor
    empty_strided cat stack
    """))
"""Functions of `torch` and `at` that make tensors: they take lists of sizes by value, and tensors by reference to const."""
_CHECKS = frozenset({"checkCudaErrors", "getLastCudaError", "findCudaDevice", "sdkStartTimer", "sdkStopTimer", "sdkCreateTimer",
                     "sdkDeleteTimer", "sdkResetTimer", "TORCH_CHECK", "TORCH_WARN", "AT_CHECK", "AT_ASSERT", "AT_ASSERTM", "LOG",
                     "LOG_IF", "VLOG", "DLOG", "PCHECK",
                     *(f"{debug}CHECK{to}" for debug in ("", "D") for to in ("", "_EQ", "_NE", "_LT", "_LE", "_GT", "_GE")),
                     *(f"TORCH_CHECK_{to}" for to in ("EQ", "NE", "LT", "LE", "GT", "GE")),
                     *(f"{which}_{to}" for which in ("EXPECT", "ASSERT")
                       for to in ("TRUE", "FALSE", "EQ", "NE", "LT", "LE", "GT", "GE"))})
"""Checks and logs of the CUDA samples, PyTorch, glog and Google Test: those take what they compare by reference to const."""
BY_VALUE = NUMERIC | SELECTING | ROUNDED_UP | _C | _CUDA | _HIP | _OPENCL | _MAKERS | _OF_TENSORS | _CHECKS
"""Functions that leave plain arguments alone."""

BY_REFERENCE = frozenset(words("""
    swap exchange move forward tie ref cref addressof get advance next prev iter_swap swap_ranges min max minmax clamp
    begin end data size empty invoke apply as_const launder construct_at destroy_at bind mem_fn not_fn visit holds_alternative
    get_if any_cast make_any async call_once lock scoped_lock unique_lock atomic_store atomic_load atomic_exchange
    atomic_fetch_add copy copy_n fill fill_n transform for_each generate iota sort reverse rotate partition accumulate reduce
    inner_product count find search equal replace remove unique merge includes
    """))
"""Functions of the library that may take references: a file that imports a namespace overloads its own with them."""

CONTAINERS = frozenset({"vector", "array", "device_vector", "host_vector", "unique_ptr", "shared_ptr", "initializer_list",
                        "numeric_limits", "deque", "valarray", "uniform_int_distribution", "uniform_real_distribution",
                        "normal_distribution"})
"""Class templates that copy numbers, where their arguments are numbers."""
PLAIN_CLASSES = frozenset({"string", "mt19937", "mt19937_64", "default_random_engine", "random_device", "ofstream",
                           "ostringstream"})
STREAMS = frozenset({"cout", "cerr", "clog"})
METHODS = frozenset({"resize", "reserve", "assign", "push_back", "at", "data", "fill", "substr", "erase", "size", "begin", "end",
                     "c_str", "emplace_back", "insert"})
"""Of those classes: methods that copy numbers."""
NAMES = frozenset(words("""
    std thrust cub stdout stderr stdin cout cerr clog cin endl fixed scientific NULL EXIT_SUCCESS EXIT_FAILURE RAND_MAX
    INT_MAX INT_MIN UINT_MAX FLT_MAX FLT_MIN FLT_EPSILON DBL_MAX DBL_MIN DBL_EPSILON LONG_MAX LONG_MIN ULONG_MAX
    LLONG_MAX SIZE_MAX M_PI CLOCKS_PER_SEC CLOCK_MONOTONIC CLOCK_REALTIME errno optarg optind cudaSuccess
    cudaErrorNotReady cudaMemcpyHostToDevice cudaMemcpyDeviceToHost cudaMemcpyDeviceToDevice cudaMemcpyHostToHost
    cudaMemcpyDefault cudaMemAttachGlobal cudaHostAllocDefault cudaHostAllocMapped cudaStreamNonBlocking
    cudaEventDefault cudaEventDisableTiming cudaFuncAttributeMaxDynamicSharedMemorySize cudaCpuDeviceId hipSuccess
    hipMemcpyHostToDevice hipMemcpyDeviceToHost hipMemcpyDeviceToDevice __FILE__ __LINE__ __func__ __FUNCTION__ argc
    argv warpSize
    """)) | BY_VALUE
"""What may stand in host code undeclared."""


def plain_name(text: str) -> str:
    """The name by which a function of a library stands here; with `::` in it, or nothing, where it is none."""
    name = text.removeprefix("::")
    space, _, last = name.rpartition("::")
    if last in ROUNDED_UP:
        return last if name in _ROUNDED_UP else ""
    if space in ("at", "torch") and f"torch.{last}" in _OF_TENSORS:
        return f"torch.{last}"
    return text.removeprefix("std::").removeprefix("::")
