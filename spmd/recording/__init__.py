"""Launches recorded from a running application, and what is made of them.

The application runs under a small C library (`native/`, built by `library.py`), which writes what it sees into a folder that
only the user can read. The application is not changed and not asked; `application.py` runs it. `read.py` reads the folder,
`sources.py` lays out programs as files that a front end reads, `arguments.py` gives bytes their types, and `launches.py` makes
launch records of them, as `spmd check --launches` takes them.

On disk, version 1 (`spmd-recording/1`):

    recording.json        what was run, when, and how it ended
    processes/PID-N.jsonl one file for each process that launched something: a line for each thing that was new
    processes/PID-N.counts  how often each line's launch was made: 16 bytes a line number, accepted and refused, little endian
    contents/SHA256       texts of programs and headers, each once
    lost                  a byte other than 0 at its start: something could not be written
    sources/              programs laid out for the front ends; made when they are first read, and may be removed

A line is an object with an `event`:

    process   schema, pid, parent, began (seconds since 1970), executable
    program   number, kind (source | binary | il | built-in | linked | unknown | module), bytes, content (its name under
              `contents/`), options, result of the build, headers [{folder, name, content}], names, inputs (numbers), site
    launch    number, program (a number), kernel, global, local (null: left to the implementation), offset, args, site; grid,
              block and shared in place of the sizes are kept for CUDA, which is not recorded yet
    note      text: something that is not recorded

A number counts lines of one process. An argument is `{"kind": "value", "size", "hex"}`, `{"kind": "local", "size"}`,
`{"kind": "buffer" | "svm" | "image" | "pipe", "root", "size", "offset", "flags"}` where `root` is the first argument with the
same memory behind it, `{"kind": "sampler"}`, or `{"kind": "unset"}`. What buffers hold is not there. A site is a `file` and
`line`, or an `object` and an `offset` in it, for which the debug information is asked. A last line without its end was cut off,
and is passed over.
"""
