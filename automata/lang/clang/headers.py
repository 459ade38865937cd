"""The headers that the stub stands for: an include of one of these is not missed."""

from __future__ import annotations

import re
from collections.abc import Iterable

_TOOLKIT = """
cuda cuda_runtime cuda_runtime_api cuda_device_runtime_api cuda_fp16 cuda_bf16 cuda_profiler_api cuda_gl_interop cudaProfiler
cooperative_groups cooperative_groups/reduce cooperative_groups/scan device_launch_parameters device_functions
device_atomic_functions driver_types builtin_types vector_types vector_functions math_constants math_functions
sm_20_atomic_functions sm_30_intrinsics sm_35_intrinsics sm_60_atomic_functions host_config host_defines helper_cuda
helper_functions helper_timer helper_string helper_image helper_math channel_descriptor surface_types texture_types
texture_indirect_functions crt/host_defines crt/device_functions nvToolsExt nvtx3/nvToolsExt
mma cuda_fp4 cuda_fp8 cudaTypedefs nvrtc driver_functions cuda_pipeline cuda_pipeline_primitives
curand curand_kernel curand_mtgp32 curand_mtgp32_kernel
"""
_STANDARD = """
algorithm any array atomic bitset cassert ccomplex cctype cerrno cfenv cfloat chrono cinttypes climits clocale cmath codecvt
complex concepts condition_variable csetjmp csignal cstdarg cstddef cstdint cstdio cstdlib cstring ctime cwchar deque
exception execution filesystem forward_list fstream functional future initializer_list iomanip ios iosfwd iostream istream
iterator limits list locale map memory mutex new numbers numeric optional ostream queue random ranges ratio regex set
shared_mutex span sstream stack stdexcept streambuf string string_view system_error thread tuple type_traits typeindex
typeinfo unordered_map unordered_set utility valarray variant vector version
assert complex ctype errno fenv float inttypes limits locale malloc math memory omp pthread sched setjmp signal stdalign stdarg
stdatomic stdbool stddef stdint stdio stdlib string strings tgmath time unistd values wchar getopt libgen dirent fcntl
immintrin x86intrin ieee754 sys/time sys/types sys/stat sys/resource sys/mman sys/times sys/ioctl sys/sysinfo sys/file
"""
TOOLKIT, STANDARD = frozenset(_TOOLKIT.split()), frozenset(_STANDARD.split())
_PARTS = {"thrust": re.compile(r"thrust/"), "torch": re.compile(r"(torch|ATen|c10|THC|pybind11)/"),
          "hip": re.compile(r"hip(cub)?/"),
          "boost": re.compile(r"boost/((utility|core)/enable_if|type_traits|static_assert|preprocessor/repetition/enum_params|"
                              r"mpl/(int|bool|integral_c|if|eval_if|and|or|not|logical|equal_to|greater|less)|type_traits/(is_(same|integral|floating_point|arithmetic|convertible|pointer|"
                              r"const|signed|unsigned|base_of|void)|remove_(const|reference|pointer|cv)|make_unsigned|add_const|"
                              r"integral_constant))\.hpp$"),
          "opencv": re.compile(r"opencv2/(core|core/(cvdef|base|cuda|cuda_types|cuda_devptrs|cuda/common)|gpu/device/common|"
                               r"gpu/devmem2d)\.hpp"),
          "numbers": re.compile(r"(cuComplex|library_types|cu(blas|sparse|solver|fft)\w*)\.h")}


def stands_for(name: str) -> bool:
    """Whether the stub stands for the header of this name."""
    stem = re.sub(r"\.(h|hpp|cuh|hh)$", "", name)
    return stem in TOOLKIT or stem in STANDARD or stem.startswith("cub/") or bool(parts_of((name,)))


def parts_of(names: Iterable[str]) -> tuple[str, ...]:
    """The further parts of the stub that stand for these headers: Thrust's, PyTorch's, HIP's, Boost's, OpenCV's, numbers."""
    asked = tuple(names)
    return tuple(part for part, pattern in _PARTS.items() if any(map(pattern.match, asked)))


def is_torch(name: str) -> bool:
    """Whether a header is one of PyTorch's."""
    return _PARTS["torch"].match(name) is not None
