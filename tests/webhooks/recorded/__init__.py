"""Reviews as an API server sends them; `README.md` beside this file tells what is in them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
#: The names of the admission reviews, and of the reviews of conversions.
ADMISSIONS = sorted(path.stem for path in FOLDER.glob("*.json"))
CONVERSIONS = sorted(path.stem for path in (FOLDER / "conversions").glob("*.json"))


def body_of(name: str) -> bytes:
    """A review as it comes over the wire."""
    found = FOLDER / f"{name}.json"
    return (found if found.exists() else FOLDER / "conversions" / f"{name}.json").read_bytes()


def review_of(name: str) -> dict[str, Any]:
    review = json.loads(body_of(name))
    assert isinstance(review, dict)
    return review
