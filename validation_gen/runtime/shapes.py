"""All shapes, as generated code finds them: what types a decoded value has in Go, and when two values are equal.

Go's rules hold: `null` and an absent name are the zero value of a plain field and nil of a pointer, list or map; names
that a struct does not have are ignored. Equality is the API server's semantic equality: nil and empty lists are equal,
quantities compare by amount, times by instant.
"""

from __future__ import annotations

from validation_gen.runtime.containers import ArrayOf, ListOf, MapOf, Pointer, Quoted
from validation_gen.runtime.scalars import (
    ANY,
    BOOL,
    BYTES,
    DURATION,
    EXACT_QUANTITY,
    FLOAT,
    GOTIME,
    INT8,
    INT16,
    INT32,
    INT64,
    INT_OR_STRING,
    MICROTIME,
    OPAQUE,
    QUANTITY,
    RAW,
    STRING,
    TIME,
    UINT8,
    UINT16,
    UINT32,
    UINT64,
    Integer,
    Wire,
)
from validation_gen.runtime.shape import Shape
from validation_gen.runtime.structs import Struct, Table

__all__ = [
    "ANY",
    "BOOL",
    "BYTES",
    "DURATION",
    "EXACT_QUANTITY",
    "FLOAT",
    "GOTIME",
    "INT8",
    "INT16",
    "INT32",
    "INT64",
    "INT_OR_STRING",
    "MICROTIME",
    "OPAQUE",
    "QUANTITY",
    "RAW",
    "STRING",
    "TIME",
    "UINT8",
    "UINT16",
    "UINT32",
    "UINT64",
    "ArrayOf",
    "Integer",
    "ListOf",
    "MapOf",
    "Pointer",
    "Quoted",
    "Shape",
    "Struct",
    "Table",
    "Wire",
]
