"""Server-side apply: owners of fields, merging, and conflicts, as `structured-merge-diff` computes them.

    types = {"example.com/v1": make_type(schema)}
    fields = FieldManager(("example.com/v1", "Robot"), types, convert=convert)
    live = fields.update(None, created, "kubectl-create", now)      # any write but an apply
    live = fields.apply(live, config, "my-controller", now)         # raises ConflictError
    config = fields.extract(live, "my-controller")                  # what it has applied

`types` makes types for merging of schemas, `fieldset` has sets of paths and `FieldsV1`, `validation`, `typed` and
`removal` check, compare, merge and cut typed values, `updates` computes owners, and `manager` and `entries` keep
`metadata.managedFields`. Nothing here reads a file, knows a tag, or talks to
a cluster.
"""

from __future__ import annotations

from validation_gen.kubernetes.managedfields.entries import conflict_causes, conflict_message, keep_times
from validation_gen.kubernetes.managedfields.fieldset import FieldSet, FieldSetError
from validation_gen.kubernetes.managedfields.manager import BadApplyError, FieldManager
from validation_gen.kubernetes.managedfields.types import Atom, make_type
from validation_gen.kubernetes.managedfields.updates import ConflictError, MissingVersionError
from validation_gen.kubernetes.managedfields.validation import TypeConflictError

__all__ = [
    "Atom",
    "BadApplyError",
    "ConflictError",
    "FieldManager",
    "FieldSet",
    "FieldSetError",
    "MissingVersionError",
    "TypeConflictError",
    "conflict_causes",
    "conflict_message",
    "keep_times",
    "make_type",
]
