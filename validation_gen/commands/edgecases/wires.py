"""Values of types with their own JSON form, the usual one first. All of them decode."""

from __future__ import annotations

import base64
from typing import Any

WIRES: dict[str, tuple[Any, ...]] = {
    "any": ({"a": 1}, 5, "x", [1], True),
    "bytes": ("YQ==", "", "AAAA"),
    "duration": ("1s", "0s", "-1s", "1ns", "5m0s", "24h", "1.5h", "0"),
    "gotime": ("2024-05-06T07:08:09Z", "0001-01-01T00:00:00Z", "2024-05-06T09:08:09+02:00", "9999-12-31T23:59:59Z"),
    "intorstring": (1, 0, -1, "1", "", "0%", "1%", "50%", "100%", "101%", "-1%", "http", "HTTP", "a%", 65535, 65536),
    "microtime": ("2024-05-06T07:08:09.000001Z", "0001-01-01T00:00:00.000000Z", "2024-05-06T09:08:09.000001+02:00"),
    "quantity": ("1", "0", 1, 0, "-1", "500m", "1m", "1n", "0.5", "1Gi", "1G", "1e3", "1000", "9223372036854775807"),
    "raw": ({"a": 1}, {}, {"apiVersion": "v1", "kind": "Thing"}),
    "time": ("2024-05-06T07:08:09Z", "0001-01-01T00:00:00Z", "2024-05-06T09:08:09+02:00", "9999-12-31T23:59:59Z"),
}


def packed(count: int) -> str:
    """Returns so many bytes in their JSON form."""
    return base64.b64encode(b"a" * count).decode()
