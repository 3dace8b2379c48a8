"""`customValidation`: a handwritten function within the generated validators (tag reference 2.6)."""

from __future__ import annotations

from validation_gen.ir import Predicate, predicates
from validation_gen.rules.base import Context, Lowered, Rule, RuleError, Scope
from validation_gen.rules.differences import HANDWRITTEN
from validation_gen.rules.fidelity import SchemaForm
from validation_gen.rules.refusals import Refusal
from validation_gen.rules.registry import register
from validation_gen.rules.releases import Stability
from validation_gen.sources.model import Named, Pointer
from validation_gen.tags.model import Tag


@register
class CustomValidation(Rule):
    """Calls a handwritten function, named after its place: `ValidateCustom_<Type>`, `ValidateCustom_<Type>_<Field>`.

    The names are those of Go. On a field it is called when the field has changed and no stopping rule has failed; on a
    type, whenever the type is validated.
    """

    name = "k8s:customValidation"
    scopes = frozenset({Scope.TYPE, Scope.FIELD})
    doc = "A handwritten function checks the value too."
    example = "+k8s:customValidation"
    refusal = Refusal(
        """// +k8s:customValidation
type Robot struct {
    Wheels int32 `json:"wheels"`
}
""",
        '{"wheels": 3}',
        custom="""from validation_gen.runtime.errors import FieldError


def ValidateCustom_Robot(robot, old, op):
    if robot.get("wheels", 0) % 2:
        return [FieldError.invalid("wheels", robot["wheels"], "must be even")]
""",
    )
    history = {"1.37": Stability.STABLE}
    schema = SchemaForm("nothing", idiomatic=(HANDWRITTEN,), exact=(HANDWRITTEN,))

    def lower(self, context: Context, tag: Tag) -> Lowered:
        holder = context.type if context.field is None else context.parent_type
        owner = holder.elem if isinstance(holder, Pointer) else holder
        assert isinstance(owner, Named), "tags on types and fields belong to a declared type"
        name = f"ValidateCustom_{owner.name}{f'_{context.field.go_name}' if context.field else ''}"
        function = context.session.custom(owner.package, name)
        if function is None:
            raise RuleError(
                f"+k8s:customValidation: expected hand-written function {owner.package}.{name} was not found",
                code="VG206",
                help=f"write def {name}(value, old, op) in a Python file and name that with --custom-validations FILE",
            )
        test = Predicate(predicates.CUSTOM, (function,))
        return Lowered([context.check(tag, test)])
