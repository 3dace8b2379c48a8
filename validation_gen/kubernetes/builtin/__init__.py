"""The kinds that Kubernetes has itself: names, scopes, and the releases in which their versions are served.

They are data (`kinds.txt`), made from the types of `k8s.io/api`; `served` reads it. No schema is known of them here.
"""

from __future__ import annotations

from validation_gen.kubernetes.builtin.served import NEWEST, BuiltIn, kinds

__all__ = ["NEWEST", "BuiltIn", "kinds"]
