"""How data begin that are compressed, of the kinds that some commands read."""

from __future__ import annotations

#: How many of the first bytes have to be known.
HEAD = 4
_GZIP = b"\x1f\x8b"
_ZSTANDARD = b"\x28\xb5\x2f\xfd"
#: Frames of Zstandard that hold none of the data, such as the tables of those who compress in parallel.
_SKIPPED = b"\x2a\x4d\x18"


def packing_of(head: bytes) -> str:
    """By what data are compressed that begin so: `gzip` or `Zstandard`, empty if by neither. No text begins so."""
    if head[:2] == _GZIP:
        return "gzip"
    if head[:4] == _ZSTANDARD or (head[1:4] == _SKIPPED and 0x50 <= head[0] <= 0x5F):
        return "Zstandard"
    return ""
