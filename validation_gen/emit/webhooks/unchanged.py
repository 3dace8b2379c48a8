"""Which updates of a custom resource no rule of its kind can refuse, so that the API server need not ask.

The server counts `metadata.generation` up with every change of an object but for its metadata, before it asks
validating webhooks (`PrepareForUpdate` in `pkg/registry/customresource` of `k8s.io/apiextensions-apiserver`, and
`BeforeUpdate` in `pkg/registry/rest` of `k8s.io/apiserver`, which takes what a request says of it away). So an update
with the generation of before has changed metadata alone. That is proved by equality of Go values, and not by what CEL
takes for equal: there an int and a double may be so that are none the same.

What generated code does with such an update, `can_skip` decides from the program:

- A field that has rules is compared first, and what has not changed is left alone, with all that is below it. A field
  without rules is looked at for its type, every time: a kind with such a field is asked about.
- Rules of the kind itself, and those of its schema that compare with before, are run every time.
- Of metadata, its name and its namespace do not change by an update. Any other may.

The condition leaves everything else to the webhook: creates, subresources (of which the generation says nothing),
objects of servers that do not count generations, and objects that were converted for the webhook, as a conversion may
make a change of an annotation a change of the object.
"""

from __future__ import annotations

from validation_gen.ir import Check, FieldPlan, InMember, ListOf, MapOf, PointerTo, Program, StructRef, Test, occurs

NAME = "changes-more-than-metadata"
EXPRESSION = (
    "request.operation != 'UPDATE' || has(request.subResource) || "
    "request.kind.version != request.requestKind.version || "
    "!has(object.metadata.generation) || !has(oldObject.metadata.generation) || "
    "object.metadata.generation != oldObject.metadata.generation"
)
#: What every object has, of which no update changes anything and all is text.
_TYPE_META = ("kind", "apiVersion")
#: What an update cannot change of metadata.
_FIXED = ("name", "namespace")


def can_skip(program: Program, type: str) -> bool:
    """Tells whether validators of a kind find nothing in an update that changes metadata alone."""
    plan = program.types[type]
    if type in program.schemas or plan.checks or plan.keys or plan.values or plan.opaque or plan.gets_null:
        return False
    if not isinstance(plan.shape, StructRef):
        return False
    ruled = {member.json: member for member in plan.fields if member.json and _is_compared(member)}
    for member in program.structs[plan.shape.id]:
        if member.json in _TYPE_META:
            continue
        if member.json == "metadata":
            if not _asks_fixed_parts(next((each for each in plan.fields if each.json == "metadata"), None)):
                return False
        elif member.json not in ruled:
            return False
    return all(member.json for member in plan.fields if _is_compared(member))


def _is_compared(member: FieldPlan) -> bool:
    """Whether generated code looks at a field because of its rules, which it does only if the field has changed."""
    shaped = isinstance(member.shape, StructRef | PointerTo | ListOf | MapOf)
    asked = any(occurs(check, update=True) for check in member.checks)
    return shaped and (asked or bool(member.type or member.keys or member.values))


def _asks_fixed_parts(metadata: FieldPlan | None) -> bool:
    """Whether rules of metadata are about what stays as it is. Its types are those that the server has written."""
    if metadata is None:
        return True
    return not (metadata.type or metadata.keys or metadata.values) and all(map(_is_fixed, metadata.checks))


def _is_fixed(check: Check) -> bool:
    operation = check.operation
    return isinstance(operation, InMember) and operation.json in _FIXED and isinstance(operation.inner.operation, Test)
