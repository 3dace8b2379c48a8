"""Finds updates of a custom resource that no rule of its kind can refuse, so that they need no request.

The server increments `metadata.generation` with every change of an object outside of its metadata, before it calls
validating webhooks (`PrepareForUpdate` in `pkg/registry/customresource` of `k8s.io/apiextensions-apiserver`, and
`BeforeUpdate` in `pkg/registry/rest` of `k8s.io/apiserver`, which discards the generation of a request). So an update
with the old generation has changed metadata alone. Go compares these values, and not CEL, in which an int and a double
may be equal.

What validators do with such an update, `can_skip` decides from the program:

- A field that has rules is compared first, and what has not changed is left alone, with all that is below it. What is
  of a wrong type and was so before is not told either (`runtime/validator`).
- Rules of the kind itself, and those of its schema that compare with before, are run every time: such a kind is asked
  about.
- Of metadata, the name and the namespace do not change by an update. A kind with rules for anything else there is
  asked about.

The condition leaves everything else to the webhook: creates, subresources (of which the generation says nothing),
objects of servers that do not count generations, and objects that were converted for the webhook, as a conversion may
make a change of an annotation a change of the object.
"""

from __future__ import annotations

from validation_gen.ir import Check, FieldPlan, InMember, Predicate, Program, StructRef, value_shape

NAME = "changes-more-than-metadata"
EXPRESSION = (
    "request.operation != 'UPDATE' || has(request.subResource) || "
    "request.kind.version != request.requestKind.version || "
    "!has(object.metadata.generation) || !has(oldObject.metadata.generation) || "
    "object.metadata.generation != oldObject.metadata.generation"
)
#: Metadata that an update cannot change.
_FIXED = ("name", "namespace")


def can_skip(program: Program, type: str) -> bool:
    """Returns whether validators of a kind accept every update that changes metadata alone."""
    plan = program.types[type]
    if type in program.schemas or plan.checks or plan.keys or plan.values:
        return False
    if not isinstance(plan.shape, StructRef):
        return False
    metadata = [member for member in plan.fields if member.json == "metadata"]
    return all(map(_asks_fixed_parts, metadata)) and not any(_brings_metadata(program, each) for each in plan.fields)


def _brings_metadata(program: Program, member: FieldPlan) -> bool:
    """Returns whether metadata is in an inlined struct with rules, which then has changed as a whole."""
    shape = value_shape(member.shape)
    if member.json or not isinstance(shape, StructRef) or not (member.type or member.checks):
        return False
    return any(inner.json == "metadata" for inner in program.structs[shape.id])


def _asks_fixed_parts(metadata: FieldPlan) -> bool:
    """Returns whether rules of metadata read only constant parts. The server has validated its types."""
    return not (metadata.type or metadata.keys or metadata.values) and all(map(_is_fixed, metadata.checks))


def _is_fixed(check: Check) -> bool:
    operation = check.operation
    return (
        isinstance(operation, InMember)
        and operation.json in _FIXED
        and isinstance(operation.inner.operation, Predicate)
    )
