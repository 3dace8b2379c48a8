"""Names of the runtime types of values, for errors and formatted texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from validation_gen.kubernetes.cel.values import Duration, Optional, Timestamp, TypeValue, Uint

#: The first class that fits decides: each `bool` and each `Uint` is an `int` too, and each text is a sequence.
_NAMES: tuple[tuple[type, str], ...] = (
    (bool, "bool"),
    (Uint, "uint"),
    (int, "int"),
    (float, "double"),
    (str, "string"),
    (bytes, "bytes"),
    (type(None), "null_type"),
    (Timestamp, "google.protobuf.Timestamp"),
    (Duration, "google.protobuf.Duration"),
    (Optional, "optional_type"),
    (TypeValue, "type"),
    (Sequence, "list"),
    (Mapping, "map"),
)


def type_name(value: object) -> str:
    """Returns the name of a value's type. Other classes define it in an attribute `type_name`."""
    name = next((name for kind, name in _NAMES if isinstance(value, kind)), None)
    return name or str(getattr(value, "type_name", type(value).__name__))
