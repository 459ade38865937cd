"""Headers and macros that are not a file's own: which headers of libraries are known, and which macros the platform may define.

A condition that asks about such a macro is decided by a compiler, a platform or a header that is not here.
"""

from __future__ import annotations

import re

_HEADER = re.compile(r"""
    (?:assert|complex|ctype|errno|fenv|float|inttypes|iso646|limits|locale|math|setjmp|signal|stdalign|stdarg|stdbool|stddef|stdint
      |stdio|stdlib|string|strings|time|unistd|getopt|malloc|memory|omp|pthread|fcntl|dirent|libgen|values|wchar
      |windows|direct|io|process|intrin|winsock2)\.h
    |sys/\w+\.h
    |c(?:assert|complex|ctype|errno|fenv|float|inttypes|limits|locale|math|setjmp|signal|stdarg|stdbool|stddef|stdint|stdio|stdlib|string
      |time|wchar)
    |algorithm|any|array|atomic|bitset|charconv|chrono|complex|condition_variable|deque|exception|execution|filesystem|forward_list
    |fstream|functional|future|initializer_list|iomanip|ios|iosfwd|iostream|istream|iterator|limits|list|locale|map|memory|mutex|new
    |numbers|numeric|optional|ostream|queue|random|ratio|regex|set|span|sstream|stack|stdexcept|streambuf|string|string_view
    |strstream|system_error|thread|tuple|type_traits|typeindex|typeinfo|unordered_map|unordered_set|utility|valarray|variant|vector
    |version
    |cuda\w*\.h|cuda_\w+\.hpp|cuda/.*|cooperative_groups(?:/\w+)?(?:\.h)?|device_\w+\.h|host_(?:config|defines)\.h|vector_types\.h
    |vector_functions\.h|driver_types\.h|math_constants\.h|math_functions\.h|sm_\w+\.h(?:pp)?|texture_\w+\.h|surface_\w+\.h
    |curand\w*\.h|cublas\w*\.h|cufft\w*\.h|cusparse\w*\.h|cusolver\w*\.h|nvToolsExt\.h|nvtx3/.*|mma\.h|crt/\w+\.h(?:pp)?
    |thrust/.*|cub/.*|helper_(?:cuda|functions|timer|string|math|image)\.h|hip/\w+\.h|hiprand/\w+\.h""", re.VERBOSE)
_NOT_HERE = re.compile(r"__CUDA_ARCH__\w*|__HIP\w*|__OPENCL\w*|__SYCL\w*")
_PLATFORM = re.compile(r"_\w+|\w*VERSION\w*|linux|unix|i386|WIN32|WIN64|WINDOWS")


def is_known_header(name: str) -> bool:
    """Whether a header that was not found is one of a library named here; any other may declare and define anything."""
    return _HEADER.fullmatch(name) is not None


def is_foreign(name: str, missing: list[str]) -> bool:
    """Whether a macro that the file does not define may be defined all the same when its host code is compiled."""
    if _NOT_HERE.fullmatch(name):
        return False
    return _PLATFORM.fullmatch(name) is not None or not all(map(is_known_header, missing))
