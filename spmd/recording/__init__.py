"""Launches recorded from a running application, and what is made of them.

The application runs under a small C library (`native/`, built by `library.py`), which writes what it sees into a folder that
only the user can read. The application is not changed and not asked; `application.py` runs it. `read.py` reads the folder,
`sources.py` lays out programs as files that a front end reads, `arguments.py` gives bytes their types, and `launches.py` makes
launch records of them, as `spmd check --launches` takes them.

On disk, version 1 (`spmd-recording/1`):

    recording.json        what was run, when, and how it ended; sources that the user gave [{root, name, content}]
    processes/PID-N.jsonl one file for each process that launched something: a line for each thing that was new
    processes/PID-N.counts  how often each line's launch was made: 16 bytes a line number, accepted and refused, little endian
    contents/SHA256       texts of programs and headers, each once
    lost                  a byte other than 0 at its start: something could not be written
    sources/              programs laid out for the front ends; made when they are first read, and may be removed

A line is an object with an `event`:

    process   schema, pid, parent, began (seconds since 1970), executable
    program   number, kind (source | binary | il | built-in | linked | unknown | module), language (cuda, else OpenCL's), bytes,
              content (its name under `contents/`), options, result of the build, headers [{folder, name, content}], names, inputs
              (numbers), site; of a module of CUDA: image (ptx | cubin | fatbin), sha256, names (the file that it came from)
    launch    number, program (a number), kernel, global, local (null: left to the implementation), offset, args, site; of CUDA:
              kernel is a symbol, grid, block and shared (bytes) in place of the sizes, cluster, cooperative, parameters (who told
              their sizes: driver | ptx | cubin), args null where nobody did
    note      text: something that is not recorded

A number counts lines of one process. An argument is `{"kind": "value", "size", "hex"}`, `{"kind": "local", "size"}`,
`{"kind": "buffer" | "svm" | "image" | "pipe", "root", "size", "offset", "flags"}` where `root` is the first argument with the
same memory behind it, `{"kind": "sampler"}`, or `{"kind": "unset"}`. Of pointers inside of a value there is `memory`
[{at, root, size, offset}], and their bytes are zero. What buffers hold is not there. A site is a `file` and `line`, or an
`object` and an `offset` in it (with those of its `callers` there), for which the debug information is asked. A last line
without its end was cut off, and is passed over.
"""
