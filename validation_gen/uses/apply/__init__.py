"""What `kubectl apply --dry-run=server` would say of manifests, and return, without a server.

`applying` goes through the manifests: `defining` takes the definitions, `merging` makes what kubectl sends. `answers`
has the records, `told` puts what becomes of manifests into words and documents.
"""

from __future__ import annotations

from validation_gen.uses.apply.answers import Applied, Request, State
from validation_gen.uses.apply.applying import apply_all

__all__ = ["Applied", "Request", "State", "apply_all"]
