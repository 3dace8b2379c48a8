"""The table `policies`: what admission policies are like that `generate --emit policies` writes.

[tool.validation-gen.policies]
actions = ["Audit"]
spared-namespaces = ["kube-system"]
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from validation_gen.compiler.config.findings import report
from validation_gen.compiler.config.keys import Key, Setting
from validation_gen.diagnostics import Diagnostics
from validation_gen.emit.policies.options import ACTIONS, COSTLY, FAILURE_POLICIES, PolicyOptions

KEYS = {
    key.name: key
    for key in (
        Key(
            "actions",
            "",
            "",
            many=True,
            choices=ACTIONS,
            default=["Deny"],
            help="What follows from a decision against a request. Of `Deny` and `Warn` there can be one.",
        ),
        Key(
            "allow-weaker",
            "",
            "",
            type="boolean",
            default=False,
            help="Whether policies may go without rules that they cannot say, as a webhook says them.",
        ),
        Key(
            "costly",
            "",
            "",
            choices=COSTLY,
            default="leave",
            help="Whether rules whose cost has no limit are left to validators, or kept: then a policy refuses an "
            "object that is too large for them.",
        ),
        Key(
            "defaults",
            "",
            "",
            type="boolean",
            default=True,
            help="Whether there are policies that fill in defaults, too.",
        ),
        Key(
            "failure-policy",
            "",
            "",
            choices=FAILURE_POLICIES,
            default="Fail",
            help="What follows from a policy that comes to no verdict.",
        ),
        Key("prefix", "", "", help="Prefix of the name of each policy."),
        Key(
            "spared-namespaces",
            "",
            "",
            many=True,
            default=[],
            help="Namespaces of which no object is looked at.",
        ),
    )
}
_PREFIX = re.compile(r"[a-z0-9][-a-z0-9.]{0,62}")
_NAMESPACE = re.compile(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")


def policy_options(found: Mapping[str, Setting], diagnostics: Diagnostics) -> PolicyOptions:
    """Returns the settings of the table. Those that API servers would refuse are reported, and left out."""
    given = PolicyOptions()
    values = {name: setting.value for name, setting in found.items()}
    actions = tuple(dict.fromkeys(values.get("actions", given.actions)))
    if not actions:
        report(diagnostics, "policies.actions is empty", found["actions"].span, 'write actions = ["Deny"]')
    elif {"Deny", "Warn"} <= set(actions):
        message = "policies.actions has both Deny and Warn, and API servers take one of them"
        report(diagnostics, message, found["actions"].span, "leave out Warn: a refusal is reported anyway")
    else:
        given = PolicyOptions(actions)
    prefix = values.get("prefix", "")
    if prefix and not _PREFIX.fullmatch(prefix):
        message = f'policies.prefix "{prefix}" cannot begin a name'
        report(diagnostics, message, found["prefix"].span, 'use small letters, digits, "-" and "."')
        prefix = ""
    spared = tuple(values.get("spared-namespaces", ()))
    for name in spared:
        if not _NAMESPACE.fullmatch(name):
            span = found["spared-namespaces"].span
            report(diagnostics, f'"{name}" is no name of a namespace', span, "write names such as kube-system")
            spared = ()
            break
    return PolicyOptions(
        given.actions,
        values.get("failure-policy", given.failure_policy),
        spared,
        prefix,
        values.get("defaults", given.defaults),
        values.get("costly", given.costly),
        values.get("allow-weaker", given.weaker),
    )
