"""Launches in host code, and what is certain of them.

    text ─▶ tokens ─▶ program (declarations of the file) ─▶ bodies (statements, and uses of names) ─▶ values ─▶ launches

Host code is C++ whose headers are mostly missing, so no compiler's front end reads it. The rule here is a whitelist. A statement
is understood only if all of it is in a small grammar of C++ (`syntax`, `declarations`, `bodies`). One that is not bars every name
in it: nothing is known of them in that function. A variable has a value at a place only if

1. its declaration is understood, and so is **every occurrence of its name** in the function (`steady`): a plain read, an
   assignment, the declaration of another variable in another block, or a field's name behind `.`;
2. it never *escapes*: every expression it stands in copies it (`uses`). Operators and functions count as copying only if none of
   the file's own, nor one in a header that is missing, can be meant (`library`);
3. it is certain which assignments may have run there (`flow`): each of their values is one that it may have (`choices`). A
   parameter has those of all calls (`frames`);
4. outside of functions: it is a constant, `static`, or of a program whose other texts do not name it (`abroad`), and its name is
   declared once outside of functions.

A constant may escape. What has no value is a *leaf* (`standing`): one value, which nobody knows, wherever it is named up to
the launch; or the one that another variable was computed from. What a loop sets again and again has each number that it may
leave (`counting`); what one round of a loop declares is another variable than that of the next. Values are computed in C's
types; sizes that hang on leaves are texts over 64-bit integers together with what is required for C to compute the same
(`symbolic`). A grid or block of one number has y = z = 1 only if it is certainly a number.
"""

from automata.lang.host.launches import find_launches, host_launches
from automata.lang.host.stated import HostLaunch, launches_named

__all__ = ["HostLaunch", "find_launches", "host_launches", "launches_named"]
