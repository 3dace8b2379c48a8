"""What `kubectl apply --dry-run=server` would say of manifests, and return, without a server.

`applying` goes through the manifests, `told` puts what becomes of them into words and documents.
"""

from __future__ import annotations

from validation_gen.uses.apply.applying import Applied, Request, State, apply_all

__all__ = ["Applied", "Request", "State", "apply_all"]
