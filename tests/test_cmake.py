"""What CMake files say of a file's macros: what is taken is what CMake gives to the compiler.

What stands beside each case is what CMake 3.25 wrote into `compile_commands.json` for it, with CUDA as a language.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from automata.lang.cmake import flags_of_cmake

HEAD = "cmake_minimum_required(VERSION 3.18)\nproject(x LANGUAGES CXX CUDA)\n"
MADE = "add_library(a STATIC k.cu)\n"
N, M = "add_definitions(-DN=1)\n", "add_definitions(-DM=1)\n"
OF_TARGET = "target_compile_definitions(a PRIVATE N=1)\n"
TAKEN = {
    "of the folder": (N + MADE, {"N": "1"}),
    "behind the target": (MADE + N, {"N": "1"}),
    "of flags that go on": ('set(CMAKE_CUDA_FLAGS "-DN=1")\nset(CMAKE_CUDA_FLAGS "${CMAKE_CUDA_FLAGS} -O3")\n' + MADE,
                            {"N": "1"}),
    "of the target": (MADE + "target_compile_definitions(a INTERFACE N=1 PRIVATE M=2)\n", {"M": "2"}),
    "of another target besides": (MADE + OF_TARGET + "add_library(b STATIC m.cu)\ntarget_compile_definitions(b PRIVATE N=2)\n",
                                  {"N": "1"}),
    "an option that is off": ('option(USE "x")\nif(NOT USE)\n' + N + "endif()\n" + MADE, {"N": "1"}),
    "beside one that is off": ('option(USE "x")\nif(USE)\nadd_definitions(-DN=2)\nendif()\n' + N + MADE, {"N": "1"}),
    "words with spaces": (MADE + 'target_compile_definitions(a PRIVATE "N=1 + 2")\n', {"N": "1 + 2"}),
    "beside a comment in brackets": ("#[==[ add_definitions(-DN=1) ]] ]==]\n" + M + MADE, {"M": "1"}),
    "beside words in brackets": ("set(Z [=[ \nadd_definitions(-DN=1)\n]=])\n" + M + MADE, {"M": "1"}),
    "beside a message": ('message("add_definitions(-DN=1)")\n' + M + MADE, {"M": "1"}),
}
HELD = {
    "of C++": 'set(CMAKE_CXX_FLAGS "${CMAKE_CXX_FLAGS} -DN=1")\n' + MADE,
    "for others": MADE + "target_compile_definitions(a INTERFACE N=1)\n",
    "taken away": N + "remove_definitions(-DN=1)\n" + MADE,
    "flags set anew": 'set(CMAKE_CUDA_FLAGS "-DN=1")\nset(CMAKE_CUDA_FLAGS "-O3")\n' + MADE,
    "flags that are no more": 'set(CMAKE_CUDA_FLAGS "-DN=1")\nunset(CMAKE_CUDA_FLAGS)\n' + MADE,
    "flags that are changed": 'set(CMAKE_CUDA_FLAGS "-DN=1")\nstring(REPLACE "-DN=1" "-DN=2" CMAKE_CUDA_FLAGS "x")\n' + MADE,
    "taken away by a flag": N + 'set(CMAKE_CUDA_FLAGS "-UN")\n' + MADE,
    "an option of the compiler": N + MADE + "target_compile_options(a PRIVATE -DN=2)\n",
    "an option of the compiler, of the folder": N + "add_compile_options(-DN=2)\n" + MADE,
    "a property of the source": N + MADE + "set_source_files_properties(k.cu PROPERTIES COMPILE_DEFINITIONS N=2)\n",
    "a property of the target": N + MADE + "set_target_properties(a PROPERTIES COMPILE_DEFINITIONS N=2)\n",
    "a property that is set": MADE + OF_TARGET + "set_property(TARGET a PROPERTY COMPILE_DEFINITIONS N=2)\n",
    "a property of the folder": N + "set_property(DIRECTORY PROPERTY COMPILE_DEFINITIONS M=2)\n" + MADE,
    "an option that is set": 'set(USE OFF)\noption(USE "x" ON)\nif(USE)\n' + N + "endif()\n" + MADE,
    "an option that is set in the cache": (
        'set(USE OFF CACHE BOOL "" FORCE)\noption(USE "x" ON)\nif(USE)\n' + N + "endif()\n" + MADE),
    "another value before an option": N + 'if(NOT USE)\nadd_definitions(-DN=2)\nendif()\noption(USE "x" ON)\n' + MADE,
    "another value where there is no HIP": N + "if(NOT USE_HIP)\nadd_definitions(-DN=2)\nendif()\n" + MADE,
    "taken away at once": "add_definitions(-DN=1 -UN)\n" + MADE,
    "an option that comes later": "if(USE)\n" + N + 'endif()\noption(USE "x" ON)\n' + MADE,
    "behind a return": MADE + "return()\n" + N,
    "another value on this system": N + "if(NOT WIN32)\nadd_definitions(-DN=2)\nendif()\n" + MADE,
    "another value of a configuration": 'set(CMAKE_CUDA_FLAGS_RELEASE "-DN=2")\n' + N + MADE,
    "one of two targets": MADE + "add_library(b STATIC k.cu)\n" + OF_TARGET,
    "what a target is linked with": (MADE + OF_TARGET + "add_library(i INTERFACE)\ntarget_compile_definitions(i INTERFACE N=2)\n"
                                     "target_link_libraries(a PRIVATE i)\n"),
    "compiled as C++": "add_compile_definitions($<$<COMPILE_LANGUAGE:CUDA>:N=1>)\n"
                       "set_source_files_properties(k.cu PROPERTIES LANGUAGE CXX)\n" + MADE,
    "a build that looks for CUDA too": "if(USE_X)\nfind_package(CUDAToolkit)\n" + N + "endif()\n" + MADE,
    "words in quotes": MADE + 'target_compile_definitions(a PRIVATE "N=\\"x\\"")\n',
}


def told(folder: Path, files: dict[str, str], file: str = "k.cu") -> dict[str, str]:
    for name, text in {file: "__global__ void k() {}\n", **files}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    found = flags_of_cmake(str(folder / file), str(folder))
    return found.defines if found is not None else {}


@pytest.mark.parametrize(("text", "macros"), TAKEN.values(), ids=TAKEN)
def test_taken(text: str, macros: dict[str, str], tmp_path: Path) -> None:
    assert told(tmp_path, {"CMakeLists.txt": HEAD + text}) == macros


@pytest.mark.parametrize("text", HELD.values(), ids=HELD)
def test_what_another_command_may_change_is_not_taken(text: str, tmp_path: Path) -> None:
    assert told(tmp_path, {"CMakeLists.txt": HEAD + text}).get("N") is None


@pytest.mark.parametrize(("outer", "inner", "macros"), [
    (HEAD + N + "add_subdirectory(src)\n", MADE, {"N": "1"}),
    (HEAD + "add_subdirectory(src)\n" + N, MADE, {}),
    (HEAD + N, HEAD + MADE, {}),
    (HEAD + "add_subdirectory(src)\nadd_library(b STATIC m.cu)\ntarget_compile_definitions(b PRIVATE N=1)\n", MADE + M,
     {"M": "1"}),
    (HEAD + "add_library(b STATIC src/k.cu)\n" + N, M, {"N": "1"}),
], ids=["before", "behind", "a project of its own", "another target", "listed above"])
def test_a_folder_has_what_holds_where_it_is_entered(outer: str, inner: str, macros: dict[str, str], tmp_path: Path) -> None:
    assert told(tmp_path, {"CMakeLists.txt": outer, "src/CMakeLists.txt": inner}, "src/k.cu") == macros


@pytest.mark.parametrize(("flags", "macros"), [("CUDA_NVCC_FLAGS", {"N": "1"}), ("CMAKE_CUDA_FLAGS", {})])
def test_the_flags_of_the_old_functions_for_cuda(flags: str, macros: dict[str, str], tmp_path: Path) -> None:
    text = f'project(x)\nfind_package(CUDA)\nset({flags} "-DN=1")\ncuda_add_library(a k.cu)\n'
    assert told(tmp_path, {"CMakeLists.txt": text}) == macros
