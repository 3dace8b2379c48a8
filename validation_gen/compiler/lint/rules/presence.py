"""Lint rules about presence: missing or contradictory tags, and tags that apply only in some requests."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from validation_gen.compiler.lint.chains import Condition, Link, apply_together
from validation_gen.compiler.lint.survey import Declaration, Finding, LintRule, Transitive, is_validated, register
from validation_gen.rules.formats import FORMATS
from validation_gen.runtime.checks.values import format
from validation_gen.sources.model import Pointer
from validation_gen.sources.typesystem import BOOL, STRING
from validation_gen.tags.parser import extract

PRESENCE = ("k8s:optional", "k8s:required", "k8s:forbidden")


def is_struct_by_value(declaration: Declaration) -> bool:
    return declaration.survey.types.struct(declaration.type) is not None


def may_be_left_out(declaration: Declaration) -> bool:
    """Returns whether other marks of a field make it optional."""
    assert declaration.field is not None
    others = {raw.name for raw in extract(declaration.comments)}
    return "optional" in others or bool(declaration.field.omit) or isinstance(declaration.type, Pointer)


@register
class Presence(LintRule):
    """Upstream's third rule. A presence tag counts at any position, also as a condition's payload."""

    code = "VG403"
    name = "presence"
    refused_upstream = True
    of_untagged = True
    reason = "Without a presence tag an absent field is validated like a written zero, and a null pointer is followed."
    change = """
type Robot struct {
+	// +k8s:optional
	// +k8s:minimum=2
	Wheels *int32 `json:"wheels,omitempty"`
}
"""

    def check(self, declaration: Declaration) -> Iterator[Finding]:
        if declaration.field is None or is_struct_by_value(declaration) or any(declaration.named(*PRESENCE)):
            return
        if is_validated(declaration.links) or declaration.survey.state(Transitive).validates(declaration):
            left_out = may_be_left_out(declaration)
            yield Finding(
                "field with validation must have +k8s:optional, +k8s:required or +k8s:forbidden",
                declaration.span,
                f"add +k8s:{'optional' if left_out else 'required'}, "
                f"{'because' if left_out else 'unless'} it may be left out",
            )


@register
class RequiredBool(LintRule):
    """Warns also where a rule of an outer type requires the member."""

    code = "VG411"
    name = "required-bool"
    reason = "The zero value of a boolean is false, and a required field may not have its zero value: it must be true."
    change = """
type Robot struct {
	// +k8s:required
-	Enabled bool `json:"enabled"`
+	Enabled *bool `json:"enabled"`
}
"""

    def check(self, declaration: Declaration) -> Iterator[Finding]:
        for link in declaration.named("k8s:required"):
            if link.type is not None and declaration.survey.types.native(link.type) == BOOL:
                message = "a required boolean must be true, because false counts as unset"
                yield Finding(
                    message, link.tag.span, "make the field a *bool, or drop the tag and take false for absent"
                )


@register
class ContradictoryPresence(LintRule):
    """Under different conditions or levels two of the tags make sense: a stricter rule on trial, an option's effect."""

    code = "VG412"
    name = "contradictory-presence"
    reason = "Of two presence tags that count in the same requests, one is without effect or both leave no way out."
    change = """
type Robot struct {
-	// +k8s:optional
	// +k8s:required
	Name string `json:"name"`
}
"""

    def check(self, declaration: Declaration) -> Iterator[Finding]:
        for one, other in itertools.combinations(declaration.named(*PRESENCE), 2):
            if apply_together(one, other) and one.name != other.name:
                yield _contradiction(*sorted((one, other), key=lambda link: PRESENCE.index(link.name)))


def _contradiction(one: Link, other: Link) -> Finding:
    """Returns the finding about two tags in the order of `PRESENCE`."""
    note = ((f"+{other.name} is here", other.tag.span),)
    if one.name == "k8s:optional":
        message = f"+{one.name} has no effect beside +{other.name}"
        return Finding(message, one.tag.span, "keep the one that is meant", note)
    message = f"+{one.name} and +{other.name} refuse the field whether it is set or not"
    return Finding(message, one.tag.span, "keep the one that is meant", note)


_OPPOSITES = {
    ("option", "on"): "off",
    ("option", "off"): "on",
    ("mode", "true"): "false",
    ("mode", "false"): "true",
}


def _gap(declaration: Declaration, conditions: frozenset[Condition]) -> Link | None:
    """Returns a presence tag that applies only in some of the requests in which these conditions hold.

    `None` if a tag, or two tags for both states of an option, apply in all of them, or if the field has no presence
    tag, which another rule reports.
    """
    guards = list(declaration.of_itself(*PRESENCE))
    if any(guard.conditions <= conditions for guard in guards):
        return None
    open = [guard.conditions - conditions for guard in guards]
    states = {next(iter(rest)) for rest in open if len(rest) == 1}
    if any(_opposite(state) in states for state in states) or any(len(rest) > 1 for rest in open):
        return None
    return guards[0] if guards else None


def _opposite(condition: Condition) -> Condition | None:
    kind = condition.subject.partition(" ")[0]
    other = _OPPOSITES.get((kind, condition.state))
    return Condition(condition.subject, other) if other else None


def _help(guard: Link) -> str:
    kind, _, name = next(iter(guard.conditions)).subject.partition(" ")
    state = next(iter(guard.conditions)).state
    wrapper = f'+k8s:{"ifDisabled" if state == "on" else "ifEnabled"}("{name}")=' if kind == "option" else ""
    return f"say it for the other requests too: {wrapper}+k8s:optional"


@register
class ConditionalGuard(LintRule):
    """Rule VG403 is content with a presence tag under a condition. A pointer needs one in every request."""

    code = "VG413"
    name = "conditional-guard"
    reason = "Where no presence tag counts, the API server follows a null to its members and gives an internal error."
    change = """
type Arm struct {
	// +k8s:required
	Name string `json:"name"`
}

type Robot struct {
	// +k8s:ifEnabled(Arms)=+k8s:required
+	// +k8s:ifDisabled(Arms)=+k8s:optional
	Arm *Arm `json:"arm,omitempty"`
}
"""

    def check(self, declaration: Declaration) -> Iterator[Finding]:
        types = declaration.survey.types
        if (
            not isinstance(types.native(declaration.type), Pointer)
            or types.struct(types.value(declaration.type)) is None
        ):
            return
        guard = _gap(declaration, frozenset())
        members = [link for link in declaration.links if link.place and not link.conditions]
        if guard is not None and (is_validated(members) or declaration.survey.state(Transitive).validates(declaration)):
            message = f"the members are validated in every request, but only {guard.line} says what a null means"
            yield Finding(message, guard.line.span, _help(guard))


@register
class UnguardedFormat(LintRule):
    """Checks only formats that refuse the empty string: label values and path segments may be empty."""

    code = "VG416"
    name = "unguarded-format"
    reason = (
        "Where no presence tag counts, an absent string is refused as an empty name, which the object does not contain."
    )
    change = """
type Robot struct {
	// +k8s:ifEnabled(Names)=+k8s:required
+	// +k8s:ifDisabled(Names)=+k8s:optional
	// +k8s:format=k8s-short-name
	Name string `json:"name,omitempty"`
}
"""

    def check(self, declaration: Declaration) -> Iterator[Finding]:
        if declaration.field is None or declaration.survey.types.native(declaration.type) != STRING:
            return
        for link in declaration.of_itself("k8s:format"):
            guard, name = _gap(declaration, link.conditions), link.tag.value
            if guard is not None and name in FORMATS and format("", name):
                message = f"the empty string is no {name}, and only {guard.line} says what an absent one means"
                yield Finding(message, link.tag.span, _help(guard))
