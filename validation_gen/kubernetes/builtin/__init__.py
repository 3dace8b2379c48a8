"""Built-in kinds of Kubernetes: names, scopes, and the releases in which their versions are served.

They are data (`kinds.txt`), made from the types of `k8s.io/api`; `served` reads it. Their schemas are not known here.
"""

from __future__ import annotations

from validation_gen.kubernetes.builtin.served import NEWEST, BuiltIn, kinds

__all__ = ["NEWEST", "BuiltIn", "kinds"]
