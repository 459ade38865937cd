"""`with spmd.record(…)`: a part of a Python process recorded, of OpenCL and of CUDA; nothing before it and nothing after it."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import cuda_host
import pytest
from conftest import Run
from opencl_host import needs_opencl
from recorded import checks, record, told

from spmd.recording.read import read_recording


def script(folder: Path, cache: Path, text: str, **env: str) -> subprocess.CompletedProcess[str]:
    (folder / "script.py").write_text(text)
    given = {**os.environ, "SPMD_CACHE_DIR": str(cache), "XDG_CACHE_HOME": str(folder), **env}
    return subprocess.run([sys.executable, "-W", "ignore", str(folder / "script.py")], cwd=folder, capture_output=True, text=True,
                          check=False, timeout=120, env=given)


OPENCL = '''import numpy, spmd, pyopencl as cl
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
text = "__kernel void fill(__global float *x, __global float *y, int n) { int i = get_global_id(0); if (i < n) x[i] = 1; }"
x, size = cl.Buffer(context, cl.mem_flags.READ_WRITE, 4096), (64,)
older = cl.Program(context, text).build(options=["-cl-kernel-arg-info"])
fill = older.fill
fill(queue, size, (16,), x, x, numpy.int32(1))
with spmd.record("one") as where:
    newer = cl.Program(context, text.replace("fill", "full")).build()
    y = x[0:2048]
    for turn in range(4): newer.full(queue, size, (16,), x, y, numpy.int32(50))
    fill(queue, size, (16,), x, y, numpy.int32(20))
newer.full(queue, size, (16,), x, y, numpy.int32(2))
with spmd.record("two"): newer.full(queue, size, (16,), y, x, numpy.int32(40))
try:
    with spmd.record("three"): raise KeyError(where)
except KeyError: pass
queue.finish()
shifts = cl.Program(context, "__kernel void shift(__global int *x, __global int *y) {"
                             " int i = get_global_id(0); x[i] = y[i + 1]; }")
with spmd.record("same"):
    shift = shifts.build().shift
    shift(queue, size, (16,), x, x)
    shift(queue, size, (16,), x, cl.Buffer(context, cl.mem_flags.READ_WRITE, 4096))
print("done")
'''


def test_pyopencl(cache: Path, tmp_path: Path, run: Run) -> None:
    needs_opencl()
    done = script(tmp_path, cache, OPENCL)
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr
    one = read_recording(str(tmp_path / "one"))
    assert told(one) == [("full", 4, (64,), (16,), {"n": 50}), ("fill", 1, (64,), (16,), {"n": 20})]
    assert one.launches[0].sites[0].line == 12
    for launch in one.launches:
        buffers = [(each.kind, each.root, each.offset, each.size) for each in (launch.shape.args or ())[:2]]
        assert buffers == [("buffer", 0, 0, 4096), ("buffer", 0, 0, 2048)], "memory of before, and a part of it"
    two = read_recording(str(tmp_path / "two"))
    assert told(two) == [("full", 1, (64,), (16,), {"n": 40})] and not read_recording(str(tmp_path / "three")).launches
    (check,) = checks(run, tmp_path / "two")
    assert check["verdict"] == "proved", "x and y are one buffer, of which one is used"
    for options in ((), ("--generalise",)):
        same = {each["id"]: each["verdict"] for each in checks(run, tmp_path / "same", *options)}
        assert same == {"1": "refuted", "2": "proved"}, "what is read is written by a neighbour, where it is the same memory"


ENVIRONMENT = '''import ctypes, os, spmd
getenv = ctypes.CDLL(None).getenv
getenv.restype = ctypes.c_char_p
before = dict(os.environ)
with spmd.record("one"):
    assert os.environ["PYOPENCL_NO_CACHE"] == "1" and os.environ["CUPY_CACHE_IN_MEMORY"] == "1"
    assert getenv(b"PYOPENCL_NO_CACHE") is None, "other threads read it"
assert dict(os.environ) == before
print("done")
'''


def test_the_environment_of_the_process_stays(cache: Path, tmp_path: Path) -> None:
    done = script(tmp_path, cache, ENVIRONMENT)
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr


CUDA = '''import ctypes, spmd
with spmd.record("one", sources=["k.cu"]):
    cuda = ctypes.CDLL("libcuda.so.1")
    module, function, x = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
    image = b".entry k( .param .u64 a, .param .u32 n ) { }"
    assert not cuda.cuModuleLoadData(ctypes.byref(module), image) and not cuda.cuMemAlloc_v2(ctypes.byref(x), 400)
    assert not cuda.cuModuleGetFunction(ctypes.byref(function), module, b"k")
    n = ctypes.c_int(100)
    params = (ctypes.c_void_p * 2)(ctypes.addressof(x), ctypes.addressof(n))
    for turn in range(3): assert not cuda.cuLaunchKernel(function, 4, 1, 1, 32, 1, 1, 0, None, params, None)
    try:
        with spmd.record("inner"): pass
    except Exception as error: print(error)
assert not cuda.cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, None, params, None)
'''


def test_cuda_by_name(cache: Path, tmp_path: Path, run: Run) -> None:
    """As packages do that look the driver's functions up."""
    cuda_host.built(tmp_path)
    (tmp_path / "k.cu").write_text('extern "C" __global__ void k(int *x, int n) {\n'
                                   "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) x[i] = i;\n}\n")
    done = script(tmp_path, cache, CUDA, LD_LIBRARY_PATH=str(tmp_path))
    assert (done.returncode, done.stdout.count("recorded already")) == (0, 1), done
    recording = read_recording(str(tmp_path / "one"))
    assert told(recording) == [("k", 3, None, (32, 1, 1), {"n": 100})] and recording.launches[0].shape.grid == (4, 1, 1)
    assert [(each.kind, each.size) for each in recording.launches[0].shape.args or ()] == [("buffer", 400), ("value", 4)]
    if sys.version_info < (3, 13):  # ctypes lets other threads run meanwhile, and later ones tell no line then
        line = next(at for at, text in enumerate(CUDA.splitlines(), 1) if "turn in range" in text)
        assert [(site.file, site.line) for site in recording.launches[0].sites] == [(str(tmp_path / "script.py"), line)]
    assert [each["verdict"] for each in checks(run, tmp_path / "one")] == ["proved"]


MODULE = """int cuModuleLoadData(void **, const void *), cuModuleGetFunction(void **, void *, const char *);
int cuMemAlloc_v2(void **, long);
int cuLaunchKernel(void *, int, int, int, int, int, int, int, void *, void **, void **);
int launch(void)
{
    void *module, *function;
    struct { void *x; int n; } given = {0, 100};
    long size = sizeof given;
    void *extra[] = {(void *)1, &given, (void *)2, &size, 0};
    if (cuModuleLoadData(&module, ".entry k( .param .u64 a, .param .u32 n ) { }") || cuMemAlloc_v2(&given.x, 400)) return 1;
    return cuModuleGetFunction(&function, module, "k") || cuLaunchKernel(function, 4, 1, 1, 32, 1, 1, 0, 0, 0, extra);
}
"""


@pytest.mark.parametrize("is_whole", [True, False])
def test_a_module_that_is_linked_with_the_driver(is_whole: bool, cache: Path, tmp_path: Path) -> None:
    """As PyCUDA's is: no name is looked up, and the driver is not among the program's own libraries. All arguments are in one."""
    text = "assert not ctypes.CDLL('./module.so').launch()\n"
    cuda_host.built(tmp_path)
    (tmp_path / "module.c").write_text(MODULE)
    command = [cuda_host.compiler() or "cc", "-shared", "-fPIC", "-o", str(tmp_path / "module.so"), str(tmp_path / "module.c")]
    subprocess.run([*command, str(tmp_path / "libcuda.so.1")], check=True)
    if is_whole:
        found = record(cache, tmp_path / "one", sys.executable, "-c", f"import ctypes, os\nos.chdir({str(tmp_path)!r})\n{text}",
                       env={"LD_LIBRARY_PATH": str(tmp_path)})
    else:
        found = script(tmp_path, cache, f"import ctypes, spmd\nwith spmd.record('one'): {text}", LD_LIBRARY_PATH=str(tmp_path))
    assert found.returncode == 0, found
    (launch,) = read_recording(str(tmp_path / "one")).launches
    assert [(each.kind, each.size) for each in launch.shape.args or ()] == [("buffer", 400), ("value", 4)]


CUPY = '''import ctypes, spmd
with spmd.record("one"):
    from cupy.cuda import compiler
    from cupy_backends.cuda.api import driver
    text = "__global__ void fill(float *x, float by, int n) { int i = threadIdx.x + WIDTH; if (i < n) x[i] = by; }"
    options = ("-DWIDTH=7", "--gpu-architecture=compute_90")
    image, names = compiler._NVRTCProgram(text, "fill.cu", name_expressions=("fill",)).compile(options)
    function = driver.moduleGetFunction(driver.moduleLoadData(image), names["fill"])
    x, by, n = ctypes.c_void_p(), ctypes.c_float(2), ctypes.c_int(100)
    assert not ctypes.CDLL("libcuda.so.1").cuMemAlloc_v2(ctypes.byref(x), 400)
    params = (ctypes.c_void_p * 3)(*map(ctypes.addressof, (x, by, n)))
    for turn in range(3): driver.launchKernel(function, 2, 1, 1, 64, 1, 1, 0, 0, ctypes.addressof(params), 0)
'''


def test_cupy_below_its_runtime(cache: Path, tmp_path: Path, run: Run) -> None:
    """The classes that CuPy's raw kernels are compiled and launched by: above them is NVIDIA's runtime, which needs a GPU."""
    if importlib.util.find_spec("cupy") is None or not cuda_host.nvrtc():
        pytest.skip("packages cupy-cuda13x and nvidia-cuda-nvrtc are not installed")
    cuda_host.built(tmp_path)
    done = script(tmp_path, cache, CUPY, LD_LIBRARY_PATH=str(tmp_path))
    assert done.returncode == 0, done
    recording = read_recording(str(tmp_path / "one"))
    assert told(recording) == [("fill", 3, None, (64, 1, 1), {"by": 2.0, "n": 100})]
    program = recording.launches[0].shape.program
    assert (program.kind, program.options) == ("source", "-DWIDTH=7 --gpu-architecture=compute_90")
    assert {site.line for site in recording.launches[0].sites} == {12} or sys.version_info >= (3, 13)
    assert [each["verdict"] for each in checks(run, tmp_path / "one")] == ["proved"]


def test_pycuda_on_the_stand_in(cache: Path, tmp_path: Path, run: Run) -> None:
    """PyCUDA itself, its kernels compiled by nvcc, on a driver that computes nothing."""
    cuda_host.needs_nvcc()
    if importlib.util.find_spec("pycuda") is None:
        pytest.skip("package pycuda is not installed")
    cuda_host.built_for(tmp_path, "pycuda", "_driver*.so")
    more = '    fill.prepare("Pi").prepared_call((1, 1), (64, 1, 1), x, 50)\n'
    done = script(tmp_path, cache, RAW["pycuda"] + more, LD_LIBRARY_PATH=str(tmp_path))
    assert done.returncode == 0, done
    recording = read_recording(str(tmp_path / "one"))
    assert [(count, values) for _, count, _, _, values in told(recording)] == [(3, {"n": 100}), (1, {"n": 50})]
    assert [(each.kind, each.size) for each in recording.launches[1].shape.args or ()] == [("buffer", 400), ("value", 4)]
    assert [each["verdict"] for each in checks(run, tmp_path / "one")] == ["proved"] * 2


RAW = {"cupy": '''import spmd
with spmd.record("one"):
    import cupy
    fill = cupy.RawKernel('extern "C" __global__ void fill(float *x, int n) {'
                          ' int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] = 2; }', "fill")
    x = cupy.zeros(100, cupy.float32)
    for turn in range(3): fill((2,), (64,), (x, cupy.int32(100)))
    print(int(x.sum()))
''', "pycuda": '''import numpy, spmd
text = """__global__ void fill(float *x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] = 2; }"""
open("fill.cu", "w").write(text)
with spmd.record("one", sources=["fill.cu"]):
    import pycuda.autoinit, pycuda.driver as cuda
    from pycuda.compiler import SourceModule
    fill = SourceModule(text).get_function("fill")
    x = cuda.mem_alloc(400)
    for turn in range(3): fill(x, numpy.int32(100), grid=(2, 1), block=(64, 1, 1))
    host = numpy.zeros(100, numpy.float32)
    cuda.memcpy_dtoh(host, x)
    print(int(host.sum()))
'''}


@pytest.mark.parametrize("package", list(RAW))
def test_raw_kernels_on_a_gpu(package: str, cache: Path, tmp_path: Path, run: Run) -> None:
    if importlib.util.find_spec(package) is None:
        pytest.skip(f"package {package} is not installed")
    if not cuda_host.has_gpu():
        pytest.skip("no GPU of NVIDIA's")
    done = script(tmp_path, cache, RAW[package])
    assert (done.returncode, done.stdout) == (0, "200\n"), done
    launched = [each for each in read_recording(str(tmp_path / "one")).launches if each.shape.kernel == "fill"]
    assert [each.count for each in launched] == [3]
    verdicts = {each["kernel"]: each["verdict"] for each in checks(run, tmp_path / "one")}
    assert verdicts["fill"] == "proved"


def test_what_is_recorded_as_a_whole_is_not_recorded_in_part(cache: Path, tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text("import spmd\nwith spmd.record(): pass\n")
    done = record(cache, tmp_path / "r", sys.executable, tmp_path / "script.py")
    assert done.returncode == 1 and "this process runs under 'spmd record'" in done.stderr
    assert not (tmp_path / "recording").exists()


LOADING = """#include <dlfcn.h>
#include <pthread.h>
static volatile int is_over, turns;
static pthread_t thread;
static void *turn(void *path)
{
    while (!is_over) {
        void *loaded = dlopen((const char *)path, RTLD_NOW);
        if (loaded) { dlclose(loaded); turns++; }
    }
    return 0;
}
void begin(const char *path) { pthread_create(&thread, 0, turn, (void *)path); while (!turns) ; }
int end(void) { is_over = 1; pthread_join(thread, 0); return turns; }
"""


def test_another_thread_loads_libraries_meanwhile(cache: Path, tmp_path: Path) -> None:
    """As PoCL's threads do, which compile a kernel when it is launched first: neither waits for the other."""
    (tmp_path / "loading.c").write_text(LOADING)
    (tmp_path / "empty.c").write_text("int nothing;\n")
    for name in ("loading", "empty"):
        target, source = str(tmp_path / f"{name}.so"), str(tmp_path / f"{name}.c")
        subprocess.run([cuda_host.compiler() or "cc", "-shared", "-fPIC", "-o", target, source, "-lpthread", "-ldl"], check=True)
    done = script(tmp_path, cache, "import ctypes, spmd\nloading = ctypes.CDLL('./loading.so')\nloading.begin(b'./empty.so')\n"
                                   "for turn in range(30):\n    with spmd.record(f'run{turn}'): pass\n"
                                   "assert loading.end() > 0\nprint('done')\n")
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr


STARTING = """int cuModuleLoadData(void **, const void *);
void *begun;
__attribute__((constructor)) static void start(void) { cuModuleLoadData(&begun, ".entry s( .param .u32 n ) { }"); }
"""
LAUNCHING = """int launch(void *function, void **params, int count)
{
    int cuLaunchKernel(void *, int, int, int, int, int, int, int, void *, void **, void **);
    for (int turn = 0; turn < count; turn++)
        if (cuLaunchKernel(function, 4, 1, 1, 32, 1, 1, 0, 0, params, 0)) return 1;
    return 0;
}
"""


@pytest.mark.parametrize("is_whole", [True, False])
def test_what_begins_as_it_is_loaded_calls_the_driver(is_whole: bool, cache: Path, tmp_path: Path) -> None:
    """Meanwhile another thread launches: where it is called from is looked up while the loader waits for nobody."""
    cuda_host.built(tmp_path)
    for name, text in (("loading", LOADING.replace("dlclose(loaded); turns++;", "turns++; dlclose(loaded);")),
                       ("starting", STARTING), ("launching", LAUNCHING)):
        (tmp_path / f"{name}.c").write_text(text)
        command = [cuda_host.compiler() or "cc", "-shared", "-fPIC", "-o", str(tmp_path / f"{name}.so")]
        subprocess.run([*command, str(tmp_path / f"{name}.c"), str(tmp_path / "libcuda.so.1"), "-lpthread", "-ldl"], check=True)
    body = ("    cuda, loading, launching = (ctypes.CDLL(name) for name in ('libcuda.so.1', './loading.so', './launching.so'))\n"
            "    module, function, x = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()\n"
            "    image = b'.entry k( .param .u64 a, .param .u32 n ) { }'\n"
            "    assert not cuda.cuModuleLoadData(ctypes.byref(module), image) and not cuda.cuMemAlloc_v2(ctypes.byref(x), 400)\n"
            "    assert not cuda.cuModuleGetFunction(ctypes.byref(function), module, b'k')\n"
            "    n = ctypes.c_int(100)\n"
            "    params = (ctypes.c_void_p * 2)(ctypes.addressof(x), ctypes.addressof(n))\n"
            "    loading.begin(b'./starting.so')\n"
            "    assert not launching.launch(function, params, 3000) and loading.end() > 0\n")
    if is_whole:
        text = f"import ctypes, os\nos.chdir({str(tmp_path)!r})\nif 1:\n{body}"
        done = record(cache, tmp_path / "one", sys.executable, "-c", text, env={"LD_LIBRARY_PATH": str(tmp_path)})
    else:
        done = script(tmp_path, cache, f"import ctypes, spmd\nwith spmd.record('one'):\n{body}", LD_LIBRARY_PATH=str(tmp_path))
    assert done.returncode == 0, done
    assert sum(launch.count for launch in read_recording(str(tmp_path / "one")).launches) == 3000
