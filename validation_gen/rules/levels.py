"""`alpha` and `beta`: the stability level of a rule (tag reference 2.4).

Levels change no verdict here. They mark errors, for users who enforce only some of them and compare the others.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import ClassVar

from validation_gen.ir import Check, Modes
from validation_gen.rules.base import ANY_VALUE, ArgSpec, Context, PayloadSpec, Rule, RuleError, RuleOutput, Target
from validation_gen.rules.differences import KEPT_UNIQUENESS, ON_TRIAL, SchemaForm, of_field
from validation_gen.rules.registry import register
from validation_gen.rules.releases import Stability
from validation_gen.tags.model import Tag, ValueType

_VERSION = re.compile(r"[0-9]+\.[0-9]+", re.ASCII)


class _Level(Rule):
    scopes = ANY_VALUE
    args = (ArgSpec("since", ValueType.STRING, "the Kubernetes release that brought the rule, as <major>.<minor>"),)
    payload = PayloadSpec(ValueType.TAG, "the rule with this level")
    level: ClassVar[str]

    def lower(self, context: Context, tag: Tag) -> RuleOutput:
        since = tag.named("since")
        if since is not None and not _VERSION.fullmatch(since.value):
            raise RuleError(
                f"invalid kubernetes version format, expected <major>.<minor>, got {since.value}",
                code="VG202",
                span=since.span,
            )
        inside = replace(context, level=self.level, line=context.line or tag)
        inner = context.session.extract(inside, (self.get_payload(tag),))

        def wrap(check: Check, _: Target) -> Check:
            # Each mode has its own level, recorded when its tag was read.
            return check if isinstance(check.operation, Modes) else replace(check, level=self.level)

        return inner.wrap(wrap)


@register
class Alpha(_Level):
    """Marks a rule whose errors are only compared with those of handwritten validation."""

    name = "k8s:alpha"
    doc = "The chained tag is on trial: its errors are compared, not enforced."
    example = '+k8s:alpha(since: "1.36")=+k8s:maxItems=16'
    refusal = of_field(
        '+k8s:alpha(since: "1.36")=+k8s:maxItems=1', 'Tools []string `json:"tools"`', '{"tools": ["saw", "drill"]}'
    )
    history = {"1.36": Stability.BETA}
    schema = SchemaForm(
        "what the chained tag becomes, with `--level alpha`",
        idiomatic=(ON_TRIAL, KEPT_UNIQUENESS),
        exact=(ON_TRIAL, KEPT_UNIQUENESS),
    )
    level = "alpha"


@register
class Beta(_Level):
    """Marks a rule that is enforced unless the feature gate for beta rules is off."""

    name = "k8s:beta"
    doc = "The chained tag is enforced while beta rules are."
    example = '+k8s:beta(since: "1.36")=+k8s:required'
    refusal = of_field('+k8s:beta(since: "1.36")=+k8s:required', 'Model string `json:"model"`', '{"model": ""}')
    history = {"1.36": Stability.BETA}
    schema = SchemaForm("what the chained tag becomes, unless `--level standard`")
    level = "beta"
