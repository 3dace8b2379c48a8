"""Documents as text: JSON as people compare it, the same bytes for the same document."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def as_text(document: Mapping[str, Any]) -> str:
    """A document with sorted keys, indented by two spaces, with a newline at the end."""
    return json.dumps(document, ensure_ascii=False, indent=2, sort_keys=True) + "\n"
