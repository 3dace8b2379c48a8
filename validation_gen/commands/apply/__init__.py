"""Predicts the result of `kubectl apply --dry-run=server` for manifests, without a server.

`applying` goes through the manifests and reads the definitions; `answers` has the records, and builds the objects and
patches that kubectl sends. `render` renders the results as text and documents.
"""

from __future__ import annotations

from validation_gen.commands.apply.answers import Applied, Request, State
from validation_gen.commands.apply.applying import apply_all

__all__ = ["Applied", "Request", "State", "apply_all"]
