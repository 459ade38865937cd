"""libclang's C interface: its structures, the functions used, and the loaded library."""

from __future__ import annotations

import importlib.util
import os
from ctypes import (
    CDLL,
    CFUNCTYPE,
    Structure,
    c_char_p,
    c_double,
    c_int,
    c_longlong,
    c_uint,
    c_ulong,
    c_ulonglong,
    c_void_p,
    py_object,
)
from functools import cache
from typing import Any

from automata.place import InputError


class RawCursor(Structure):
    _fields_ = (("kind", c_int), ("extra", c_int), ("data", c_void_p * 3))


class RawType(Structure):
    _fields_ = (("kind", c_int), ("data", c_void_p * 2))


class RawString(Structure):
    _fields_ = (("data", c_void_p), ("flags", c_uint))


class RawLocation(Structure):
    _fields_ = (("data", c_void_p * 2), ("number", c_uint))


class RawRange(Structure):
    _fields_ = (("data", c_void_p * 2), ("begin", c_uint), ("end", c_uint))


class UnsavedFile(Structure):
    _fields_ = (("name", c_char_p), ("text", c_char_p), ("length", c_ulong))


Visitor = CFUNCTYPE(c_int, RawCursor, RawCursor, py_object)
FieldVisitor = CFUNCTYPE(c_int, RawCursor, py_object)
InclusionVisitor = CFUNCTYPE(None, c_void_p, c_void_p, c_uint, py_object)

_SIGNATURES: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "clang_createIndex": (c_void_p, (c_int, c_int)),
    "clang_parseTranslationUnit2": (c_int, (c_void_p, c_char_p, c_void_p, c_int, c_void_p, c_uint, c_uint, c_void_p)),
    "clang_disposeTranslationUnit": (None, (c_void_p,)),
    "clang_saveTranslationUnit": (c_int, (c_void_p, c_char_p, c_uint)),
    "clang_getTranslationUnitCursor": (RawCursor, (c_void_p,)),
    "clang_getNumDiagnostics": (c_uint, (c_void_p,)), "clang_getDiagnostic": (c_void_p, (c_void_p, c_uint)),
    "clang_getDiagnosticSeverity": (c_int, (c_void_p,)), "clang_getDiagnosticLocation": (RawLocation, (c_void_p,)),
    "clang_getDiagnosticSpelling": (RawString, (c_void_p,)), "clang_disposeDiagnostic": (None, (c_void_p,)),
    "clang_getChildDiagnostics": (c_void_p, (c_void_p,)), "clang_getNumDiagnosticsInSet": (c_uint, (c_void_p,)),
    "clang_getDiagnosticInSet": (c_void_p, (c_void_p, c_uint)),
    "clang_getCString": (c_char_p, (RawString,)), "clang_disposeString": (None, (RawString,)),
    "clang_getFileName": (RawString, (c_void_p,)),
    "clang_getFileLocation": (None, (RawLocation, c_void_p, c_void_p, c_void_p, c_void_p)),
    "clang_getExpansionLocation": (None, (RawLocation, c_void_p, c_void_p, c_void_p, c_void_p)),
    "clang_getCursorLocation": (RawLocation, (RawCursor,)), "clang_getCursorExtent": (RawRange, (RawCursor,)),
    "clang_getRangeStart": (RawLocation, (RawRange,)), "clang_getRangeEnd": (RawLocation, (RawRange,)),
    "clang_visitChildren": (c_uint, (RawCursor, Visitor, py_object)),
    "clang_Type_visitFields": (c_uint, (RawType, FieldVisitor, py_object)),
    "clang_getInclusions": (None, (c_void_p, InclusionVisitor, py_object)),
    "clang_getCursorSpelling": (RawString, (RawCursor,)), "clang_getTypeSpelling": (RawString, (RawType,)),
    "clang_getCursorType": (RawType, (RawCursor,)), "clang_getCanonicalType": (RawType, (RawType,)),
    "clang_getPointeeType": (RawType, (RawType,)), "clang_getArrayElementType": (RawType, (RawType,)),
    "clang_getElementType": (RawType, (RawType,)), "clang_getNumElements": (c_longlong, (RawType,)),
    "clang_getArraySize": (c_longlong, (RawType,)), "clang_getTypeDeclaration": (RawCursor, (RawType,)),
    "clang_getEnumDeclIntegerType": (RawType, (RawCursor,)), "clang_getEnumConstantDeclValue": (c_longlong, (RawCursor,)),
    "clang_isConstQualifiedType": (c_uint, (RawType,)), "clang_isVolatileQualifiedType": (c_uint, (RawType,)),
    "clang_isRestrictQualifiedType": (c_uint, (RawType,)), "clang_getAddressSpace": (c_uint, (RawType,)),
    "clang_Type_getSizeOf": (c_longlong, (RawType,)), "clang_Type_getAlignOf": (c_longlong, (RawType,)),
    "clang_getResultType": (RawType, (RawType,)), "clang_getNumArgTypes": (c_int, (RawType,)),
    "clang_getArgType": (RawType, (RawType, c_uint)), "clang_isFunctionTypeVariadic": (c_uint, (RawType,)),
    "clang_getCursorReferenced": (RawCursor, (RawCursor,)), "clang_getCursorDefinition": (RawCursor, (RawCursor,)),
    "clang_getCanonicalCursor": (RawCursor, (RawCursor,)), "clang_getCursorSemanticParent": (RawCursor, (RawCursor,)),
    "clang_getCursorBinaryOperatorKind": (c_int, (RawCursor,)), "clang_getCursorUnaryOperatorKind": (c_int, (RawCursor,)),
    "clang_Cursor_getNumArguments": (c_int, (RawCursor,)), "clang_Cursor_getArgument": (RawCursor, (RawCursor, c_uint)),
    "clang_Cursor_getVarDeclInitializer": (RawCursor, (RawCursor,)), "clang_Cursor_getStorageClass": (c_int, (RawCursor,)),
    "clang_Cursor_getOffsetOfField": (c_longlong, (RawCursor,)),
    "clang_getFieldDeclBitWidth": (c_int, (RawCursor,)), "clang_Cursor_isAnonymous": (c_uint, (RawCursor,)),
    "clang_isVirtualBase": (c_uint, (RawCursor,)),
    "clang_CXXMethod_isStatic": (c_uint, (RawCursor,)), "clang_CXXMethod_isVirtual": (c_uint, (RawCursor,)),
    "clang_CXXMethod_isDefaulted": (c_uint, (RawCursor,)), "clang_CXXMethod_isConst": (c_uint, (RawCursor,)),
    "clang_CXXConstructor_isCopyConstructor": (c_uint, (RawCursor,)),
    "clang_CXXConstructor_isMoveConstructor": (c_uint, (RawCursor,)),
    "clang_CXXConstructor_isDefaultConstructor": (c_uint, (RawCursor,)),
    "clang_Cursor_getNumTemplateArguments": (c_int, (RawCursor,)),
    "clang_Cursor_getTemplateArgumentKind": (c_int, (RawCursor, c_uint)),
    "clang_Cursor_getTemplateArgumentType": (RawType, (RawCursor, c_uint)),
    "clang_Cursor_getTemplateArgumentValue": (c_longlong, (RawCursor, c_uint)),
    "clang_getSpecializedCursorTemplate": (RawCursor, (RawCursor,)),
    "clang_Cursor_Evaluate": (c_void_p, (RawCursor,)), "clang_EvalResult_getKind": (c_int, (c_void_p,)),
    "clang_EvalResult_getAsLongLong": (c_longlong, (c_void_p,)), "clang_EvalResult_isUnsignedInt": (c_uint, (c_void_p,)),
    "clang_EvalResult_getAsUnsigned": (c_ulonglong, (c_void_p,)), "clang_EvalResult_getAsDouble": (c_double, (c_void_p,)),
    "clang_EvalResult_dispose": (None, (c_void_p,)),
    "clang_getCursorPrintingPolicy": (c_void_p, (RawCursor,)), "clang_PrintingPolicy_dispose": (None, (c_void_p,)),
    "clang_PrintingPolicy_setProperty": (None, (c_void_p, c_int, c_uint)),
    "clang_getCursorPrettyPrinted": (RawString, (RawCursor, c_void_p)),
    "clang_isInvalidDeclaration": (c_uint, (RawCursor,)),
}


@cache
def library() -> CDLL:
    """The shared library with its functions typed."""
    spec = importlib.util.find_spec("clang")
    if spec is None or not spec.submodule_search_locations:
        raise InputError("reading CUDA C++ needs the package 'libclang' (pip install libclang==18.1.1)")
    folder = os.path.join(next(iter(spec.submodule_search_locations)), "native")
    files = [name for name in sorted(os.listdir(folder)) if name.startswith("libclang.")]
    lib = CDLL(os.path.join(folder, files[0]))
    for name, (result, arguments) in _SIGNATURES.items():
        function = getattr(lib, name)
        function.restype, function.argtypes = result, arguments
    return lib
