"""The tables of outputs without a command: `webhooks` and `policies`.

They configure the manifests that `generate --emit webhooks` and `--emit policies` write:

    [tool.validation-gen.webhooks]
    name = "fleet-webhook"
    namespace = "fleet-system"

    [tool.validation-gen.policies]
    actions = ["Audit"]
    spared-namespaces = ["kube-system"]

Their keys are declared here, as no command has such options.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from validation_gen.compiler.config.keys import Config, Key, Section, Setting, report
from validation_gen.compiler.emitters import MONITORING, SERIES_PREFIX, WEBHOOKS
from validation_gen.diagnostics import Diagnostics
from validation_gen.emit.policies import ACTIONS, COSTLY, FAILURE_POLICIES, PolicyOptions
from validation_gen.emit.webhooks import WebhookSettings

# Names of services begin with a letter, and leave room for suffixes.
_NAME = "[a-z](?:[-a-z0-9]{0,57}[a-z0-9])?"
_LABEL = "[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?"
_PLAIN = r"[^\s\x00-\x20\x7f]+"
# A path below the build context of an image.
_BELOW = r"(?!/)(?!.*(?:^|/)\.\.(?:/|$))[^\x00-\x1f\x7f\\:]+"
#: The key `output-dir`, or the table `outputs`, has the directory of the manifests.
_DIRECTORY = "output-dir"


def _keys(settings: PolicyOptions | WebhookSettings, *keys: Key) -> dict[str, Key]:
    """Returns the keys of a table by name, each with the type and the default of its field in the settings."""
    found = {}
    for key in keys:
        default = getattr(settings, _attribute(key.name), key.default)
        if isinstance(default, tuple):
            key = replace(key, many=True)  # noqa: PLW2901 - the same key, complete
            default = list(default)
        kind = _TYPES.get(type(default), "string")
        found[key.name] = replace(key, type=kind, default=None if default == "" else default)
    return found


_TYPES = {bool: "boolean", int: "integer"}
#: Fields of settings with other names than their keys.
_FIELDS = {"spared-namespaces": "spared", "allow-weaker": "weaker"}


def _attribute(name: str) -> str:
    return _FIELDS.get(name, name.replace("-", "_"))


_WEBHOOKS = _keys(
    WebhookSettings(),
    Key(_DIRECTORY, option="--emit", path=True, default=WEBHOOKS.directory, help="Where the manifests go."),
    Key("name", form=_NAME, words="a name such as fleet-webhook", help="The name of the Service and of all else."),
    Key("namespace", form=_LABEL, words="a name such as fleet-system", help="The namespace where the webhook runs."),
    Key("image", form=_PLAIN, words="an image such as registry.example.com/fleet:1", help="The image that runs."),
    Key("port", minimum=1024, maximum=65535, help="Where the server listens in its container; the Service has 443."),
    Key("replicas", minimum=1, maximum=100, help="How many of it run."),
    Key("timeout-seconds", minimum=1, maximum=30, help="How long the API server waits for an answer."),
    Key(
        "failure-policy",
        choices=("Fail", "Ignore"),
        help="What the API server does with a request when there is no answer.",
    ),
    Key(
        "types",
        form=_BELOW,
        words="a path from where the image is built, such as apis",
        help="What the image holds and the server reads, as paths from where it is built. Without any: the inputs.",
    ),
    Key(
        "arguments",
        form=r"[^\x00-\x1f\x7f]+",
        words="an option of webhook serve",
        help="Further arguments of `validation-gen webhook serve`. With any, the webhook receives all updates.",
    ),
    Key(
        "files",
        form=_BELOW,
        words="a path from where the image is built, such as checks.py",
        help="What else the image holds, such as what `arguments` name, as paths from where it is built.",
    ),
    Key(
        "skip-unchanged",
        help="Leave out updates that change metadata alone, of kinds whose rules can find nothing in them.",
    ),
    Key("mutate", help="Register kinds with defaults for `/mutate`, too."),
    Key("scale", help="Ask about `/scale` of kinds that have one, too, which needs a server that knows them."),
)
_MONITORING = {
    _DIRECTORY: Key(_DIRECTORY, option="--emit", path=True, default=MONITORING.directory, help="Where they go."),
    "prefix": Key(
        "prefix",
        form="(?:[A-Za-z_][A-Za-z0-9_]*)?_",
        words="a prefix of series such as fleet_",
        default=SERIES_PREFIX,
        help="What the names of the series begin with, as given to Metrics.",
    ),
}
#: The tables of emitters without a command, by name.
EMITTED = {
    emitter.name: Section(emitter.name, ("generate", "--emit", emitter.name), keys)
    for emitter, keys in ((WEBHOOKS, _WEBHOOKS), (MONITORING, _MONITORING))
}
#: The keys of the table `policies`.
KEYS = _keys(
    PolicyOptions(),
    Key(
        "actions",
        choices=ACTIONS,
        help="What follows from a decision against a request. Of `Deny` and `Warn` there can be one.",
    ),
    Key("allow-weaker", help="Whether policies may go without rules that they cannot say, as a webhook says them."),
    Key(
        "costly",
        choices=COSTLY,
        help="Whether rules whose cost has no limit are left to validators, or kept: then a policy refuses an "
        "object that is too large for them.",
    ),
    Key("defaults", help="Whether there are policies that fill in defaults, too."),
    Key("failure-policy", choices=FAILURE_POLICIES, help="What follows from a policy that comes to no verdict."),
    Key("prefix", help="Prefix of the name of each policy."),
    Key("spared-namespaces", help="Namespaces of which no object is looked at."),
)


def series_prefix(config: Config) -> str:
    """Returns the prefix of the series that a dashboard and alert rules are about."""
    setting = config.settings.get(MONITORING.name, {}).get("prefix")
    return SERIES_PREFIX if setting is None else str(setting.value)


def webhook_settings(config: Config) -> WebhookSettings:
    """Returns the settings that a configuration makes of the defaults."""
    given = _values(config.settings.get(WEBHOOKS.name, {}))
    given.pop(_attribute(_DIRECTORY), None)
    return WebhookSettings(**given)


def _values(settings: Mapping[str, Setting]) -> dict[str, Any]:
    """Returns the values of a table by the fields of its settings."""
    values = {_attribute(name): setting.value for name, setting in settings.items()}
    return {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}


_PREFIX = re.compile(r"[a-z0-9][-a-z0-9.]{0,62}")
_NAMESPACE = re.compile(_LABEL)


def policy_options(found: Mapping[str, Setting], diagnostics: Diagnostics) -> PolicyOptions:
    """Returns the settings of the table. Those that API servers would refuse are reported, and left out."""
    given = _values(found)
    if "actions" in given:
        given["actions"] = tuple(dict.fromkeys(given["actions"]))
    actions = given.get("actions", ("Deny",))
    if not actions:
        report(diagnostics, "policies.actions is empty", found["actions"].span, 'write actions = ["Deny"]')
        del given["actions"]
    elif {"Deny", "Warn"} <= set(actions):
        message = "policies.actions has both Deny and Warn, and API servers take one of them"
        report(diagnostics, message, found["actions"].span, "leave out Warn: a refusal is reported anyway")
        del given["actions"]
    prefix = given.get("prefix")
    if prefix and not _PREFIX.fullmatch(prefix):
        message = f'policies.prefix "{prefix}" cannot begin a name'
        report(diagnostics, message, found["prefix"].span, 'use small letters, digits, "-" and "."')
        del given["prefix"]
    for name in given.get("spared", ()):
        if not _NAMESPACE.fullmatch(name):
            span = found["spared-namespaces"].span
            report(diagnostics, f'"{name}" is not the name of a namespace', span, "write names such as kube-system")
            del given["spared"]
            break
    return PolicyOptions(**given)
