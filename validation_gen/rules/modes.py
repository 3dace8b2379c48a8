"""`modeDiscriminator` and `ifMode`: rules for a field that depend on the value of another (tag reference 2.4).

As with unions, each tag only records its facts; the checks are made once, for the enclosing struct.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from validation_gen.ir import Check, Emission, Modes, Predicate, predicates
from validation_gen.rules.base import ArgSpec, Context, PayloadSpec, Rule, RuleError, RuleOutput, Scope, Target
from validation_gen.rules.differences import ABSENT_VALUES, RULES_AGAIN, Refusal, SchemaForm
from validation_gen.rules.iteration import below
from validation_gen.rules.registry import register
from validation_gen.rules.releases import FormerName, Stability
from validation_gen.sources.model import Builtin, Field, Interface, Pointer
from validation_gen.tags.model import Tag, ValueType

_MODES = """type Robot struct {
    // +k8s:modeDiscriminator
    Mode string `json:"mode"`
    // +k8s:ifMode("Static")=+k8s:required
    Place string `json:"place,omitempty"`
}
"""

_DEFAULT = "default"
_GROUP_NAME = re.compile(r"[a-zA-Z][a-zA-Z0-9_]*", re.ASCII)


@dataclass(slots=True)
class _ModeRule:
    mode: str
    checks: list[Check]
    level: str
    tag: Tag


@dataclass(slots=True)
class _Moded:
    """A field with rules for modes."""

    context: Context
    rules: list[_ModeRule] = field(default_factory=list)


@dataclass(slots=True)
class _Group:
    """A discriminator and the fields that depend on it, by Go name."""

    discriminator: Field | None = None
    members: dict[str, _Moded] = field(default_factory=dict)


@dataclass(slots=True)
class ModeTable:
    """The groups of each struct by its path, then by the name of the group."""

    by_parent: dict[str, dict[str, _Group]] = field(default_factory=dict)

    def at(self, parent: str, name: str) -> _Group:
        return self.by_parent.setdefault(parent, {}).setdefault(name or _DEFAULT, _Group())


def _group_name(tag: Tag) -> str:
    arg = tag.named("modality")
    if arg is not None and arg.value == _DEFAULT:
        raise RuleError(f'discriminator group name "{_DEFAULT}" is reserved', code="VG202", span=arg.span)
    return arg.value if arg else ""


@register
class ModeDiscriminator(Rule):
    """Marks a string or boolean by value as discriminator.

    Give a string an enum type, so that unknown modes are refused.
    """

    name = "k8s:modeDiscriminator"
    scopes = frozenset({Scope.FIELD})
    args = (ArgSpec("modality", ValueType.STRING, "the name of the group, when a struct has several"),)
    doc = "The field selects which rules of its siblings count."
    example = "+k8s:modeDiscriminator"
    refusal = Refusal(_MODES, '{"mode": "Roaming", "place": "here"}')
    history = {"1.36": Stability.ALPHA, "1.37": Stability.STABLE}
    schema = SchemaForm("nothing: the rules of `+k8s:ifMode` look at the field")
    former_names = (FormerName("k8s:discriminator", until="1.36", args={"union": "modality"}),)

    def lower(self, context: Context, tag: Tag) -> RuleOutput:
        types = context.types
        if isinstance(types.native(context.type), Pointer):
            raise RuleError("can only be used on non-pointer types")
        native = types.value(context.type)
        if native not in (Builtin("string"), Builtin("bool")):
            raise RuleError(f"can only be used on string or bool types ({types.describe(context.type)})")
        name = _group_name(tag)
        if name and not _GROUP_NAME.fullmatch(name):
            message = f'discriminator group name must match ^[a-zA-Z][a-zA-Z0-9_]*$, got "{name}"'
            arg = tag.named("modality")
            raise RuleError(message, code="VG202", span=arg.span if arg else None)
        group = context.session.state(ModeTable).at(context.parent_path, name)
        if group.discriminator is not None and group.discriminator != context.field:
            raise RuleError(f'duplicate discriminator: "{name}"', code="VG205")
        group.discriminator = context.field
        return RuleOutput()


@register
class IfMode(Rule):
    """Applies a rule in one mode. Modes without a tag of the field forbid it, also an unset discriminator."""

    name = "k8s:ifMode"
    scopes = frozenset({Scope.FIELD})
    args = (
        ArgSpec("", ValueType.STRING, "the mode"),
        ArgSpec("modality", ValueType.STRING, "the name of the group"),
        ArgSpec("mode", ValueType.STRING, "the mode, when the group is named too"),
    )
    one_of = ("", "mode")
    payload = PayloadSpec(ValueType.TAG, "the rule for the mode")
    doc = "The chained tag counts in one mode of the discriminator."
    example = '+k8s:ifMode("Static")=+k8s:required'
    refusal = Refusal(_MODES, '{"mode": "Static"}')
    history = {"1.36": Stability.ALPHA, "1.37": Stability.STABLE}
    schema = SchemaForm(
        "CEL at the object around, for the mode; it forbids the field in modes that no tag names",
        idiomatic=(ABSENT_VALUES, RULES_AGAIN),
    )
    former_names = (FormerName("k8s:member", until="1.36", args={"value": "mode", "union": "modality"}),)

    def lower(self, context: Context, tag: Tag) -> RuleOutput:
        name = _group_name(tag)
        mode = tag.named("mode") or tag.positional()
        assert mode is not None
        assert context.field is not None
        payload = self.get_payload(tag)
        inner = context.session.extract(replace(context, line=context.line or tag), (payload,))
        if inner.deferred:
            # Upstream drops these silently.
            raise RuleError(
                f"+{payload.name} has no effect under +{self.name}",
                code="VG205",
                span=payload.span,
                help="put the tag on the type of the field, or check it in every mode",
            )
        group = context.session.state(ModeTable).at(context.parent_path, name)
        moded = group.members.setdefault(context.field.go_name, _Moded(context))
        moded.rules.append(_ModeRule(mode.value, inner.checks, context.level, context.line or tag))
        return RuleOutput.from_deferred(Target.PARENT, lambda: _checks(context))


def _checks(context: Context) -> RuleOutput:
    """Returns the checks of all groups of a struct, for the first field that asks."""
    groups = context.session.state(ModeTable).by_parent.pop(context.parent_path, {})
    result = RuleOutput()
    for name, group in sorted(groups.items()):
        if group.discriminator is None:
            missing = "missing discriminator" if name == _DEFAULT else f'missing discriminator for group "{name}"'
            first = next(iter(group.members.values()))
            help = "put +k8s:modeDiscriminator on the field that selects the mode"
            raise RuleError(missing, code="VG205", span=first.rules[0].tag.span, help=help)
        for _, moded in sorted(group.members.items()):
            result.checks.append(_check(moded, group.discriminator))
    return result


def _check(moded: _Moded, discriminator: Field) -> Check:
    context = moded.context
    assert context.field is not None
    native = context.types.native(context.type)
    if context.types.kind(native) == "Struct":
        raise RuleError("discriminated member fields of struct type must be pointers", span=moded.rules[0].tag.span)
    is_bool = context.types.value(discriminator.type) == Builtin("bool")
    by_mode: dict[str | bool, list[Check]] = {}
    for rule in sorted(moded.rules, key=lambda r: r.mode):
        checks = [replace(c, level=rule.level) if rule.level else c for c in rule.checks]
        by_mode.setdefault(_mode(rule, is_bool), []).extend(checks)
    levels = {rule.level for rule in moded.rules}
    path = context.field.path_name
    operation = Modes(
        json=context.field.json,
        path=path,
        shape=context.shape(),
        discriminator=discriminator.json,
        zero=False if is_bool else "",
        rules=tuple((mode, tuple(checks)) for mode, checks in by_mode.items()),
        otherwise=Predicate(
            predicates.FORBIDDEN_POINTER if isinstance(native, Pointer | Interface) else predicates.FORBIDDEN
        ),
        level=levels.pop() if len(levels) == 1 else "",
    )
    emits = [Emission("FieldValueForbidden", "", f".{path}")]
    for checks in by_mode.values():
        for check in checks:
            emits += below(f".{path}", check.emits)
    return context.check(moded.rules[0].tag, operation, *dict.fromkeys(emits))


def _mode(rule: _ModeRule, is_bool: bool) -> str | bool:
    if not is_bool:
        return rule.mode
    if rule.mode not in ("true", "false"):
        raise RuleError(
            f'invalid discriminator value "{rule.mode}": cannot parse "{rule.mode}" as bool',
            code="VG202",
            span=rule.tag.span,
            help='the modes of a boolean are "true" and "false", with quotes',
        )
    return rule.mode == "true"
