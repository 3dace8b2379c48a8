"""Facts of Go's types that Python's lack: widths of numbers, inline members, names in JSON.

It is public: annotated classes import it. All of it is used in `Annotated[…]` and changes nothing at run time:
`Annotated[int, Int32]` is an `int` to Python and to type checkers. `sources/python` reads these names from the text.
Nothing here validates, and only the standard library is imported.

- `meta`: the well-known types of Kubernetes, such as `ObjectMeta`, under their names in Go.
- `naming`: turns names of members into those of Python, JSON and Go, and makes the plural of a kind.
"""

from dataclasses import KW_ONLY, dataclass
from typing import Literal

__all__ = [
    "Float32",
    "Float64",
    "Inline",
    "Int",
    "Int8",
    "Int16",
    "Int32",
    "Int64",
    "Json",
    "Uint8",
    "Uint16",
    "Uint32",
    "Uint64",
]


class Int:
    """`Annotated[int, Int]`: as wide as an `int` without it, but schemas name no width, as with Go's `int`."""


class Int8:
    """`Annotated[int, Int8]`: from -128 to 127."""


class Int16:
    """`Annotated[int, Int16]`: from -32768 to 32767."""


class Int32:
    """`Annotated[int, Int32]`: from -2147483648 to 2147483647."""


class Int64:
    """`Annotated[int, Int64]`: 64 bits with a sign, the same as an `int` without a width."""


class Uint8:
    """`Annotated[int, Uint8]`: from 0 to 255."""


class Uint16:
    """`Annotated[int, Uint16]`: from 0 to 65535."""


class Uint32:
    """`Annotated[int, Uint32]`: from 0 to 4294967295."""


class Uint64:
    """`Annotated[int, Uint64]`: 64 bits without a sign."""


class Float32:
    """`Annotated[float, Float32]`: a number of single precision."""


class Float64:
    """`Annotated[float, Float64]`: double precision, the same as a `float` without a width."""


class Inline:
    """`Annotated[A, Inline]` on a field: the members of `A` are beside the other fields, as if `A` were a base."""


@dataclass(frozen=True)
class Json:
    """JSON form of a field, if its attribute does not give it: `Annotated[list[str], Json("podIPs")]`.

    Attributes:
        name: the name in JSON; `"-"` leaves the field out of it. By default the attribute in camelCase.
        go: the name of the field in Go, which union members use. By default derived from the JSON name.
        omit: the values that encoding leaves out: `"omitempty"`, `"omitzero"` or `"never"`. By default a field with a
            default value has `omitempty`, and one without has not.
    """

    name: str = ""
    _: KW_ONLY
    go: str = ""
    omit: Literal["", "omitempty", "omitzero", "never"] = ""
