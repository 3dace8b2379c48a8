"""Rules of a project in a server: its validators, conversions and webhooks, called over HTTP on loopback."""

from __future__ import annotations

import base64
import copy
import functools
import os
import ssl
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from validation_gen.mismatch.gates import FeatureGates
from validation_gen.runtime.registry import Registry
from validation_gen.testing.loops import HttpServer, get_loop
from validation_gen.webhooks.application import endpoints
from validation_gen.webhooks.asgi import Webhook
from validation_gen.webhooks.connections import interceptors
from validation_gen.webhooks.conversions import Converter
from validation_gen.webhooks.converting import Converting
from validation_gen.webhooks.gates import Gates, GateSettings

#: Validators, conversions, or an application that answers reviews.
Subject = Registry | Converter | Webhook | Callable[..., Any]
#: Settings of validators: feature gates and options that are on or off, or the gates of a webhook, or their file.
GateSource = Mapping[str, bool] | Gates | str | os.PathLike[str]
_ADMISSION = "admissionregistration.k8s.io/v1"
_KINDS = {"/validate": "ValidatingWebhookConfiguration", "/mutate": "MutatingWebhookConfiguration"}
_CONVERT = "/convert"


@functools.lru_cache(maxsize=1)
def certified() -> tuple[ssl.SSLContext, bytes]:
    """Returns the context of TLS of all servers of this process, and its authority as PEM."""
    from validation_gen.commands.apiserver.running import make_context  # noqa: PLC0415 - for TLS alone
    from validation_gen.commands.serve.tls import self_signed  # noqa: PLC0415

    certificate = self_signed("localhost")
    with tempfile.TemporaryDirectory(prefix="validation-gen-") as directory:
        return make_context(certificate, Path(directory)), certificate.certificate


class Hook:
    """A webhook on loopback.

    Args:
        subject: the validators, converter or application that answers its reviews.
        gates: settings of validators.
    """

    def __init__(self, subject: Subject, gates: GateSource | None) -> None:
        self.subject = subject
        self._loop = get_loop("webhooks")
        webhook = _make_webhook(subject, gates)
        #: The paths that it is known to answer; empty for an application of another origin.
        self.paths = tuple(webhook.endpoints) if webhook is not None else ()
        self._server = HttpServer(subject if webhook is None else webhook.app, certified()[0])

    def start(self, intercept: Callable[[str, bytes], None]) -> None:
        """Starts the server. `intercept` is called before each call of a webhook."""
        self._loop.run(self._server.start())
        interceptors[urlsplit(self._server.url).netloc] = intercept

    def close(self) -> None:
        """Ends."""
        interceptors.pop(urlsplit(self._server.url).netloc, None)
        self._loop.run(self._server.close())

    def answers(self, path: str) -> bool:
        """Returns whether the server has a webhook at a path, True if unknown."""
        return not self.paths or path in self.paths

    def make_client(self, path: str) -> dict[str, Any]:
        """Returns a `clientConfig` for a path of this server."""
        return {"url": f"{self._server.url}{path}", "caBundle": base64.b64encode(certified()[1]).decode()}


def _make_webhook(subject: Any, gates: GateSource | None) -> Webhook | None:
    if isinstance(subject, Registry):
        return Webhook(endpoints(subject, gates=_make_gates(gates, subject.level)))
    if isinstance(subject, Converter):
        return Webhook({_CONVERT: Converting(subject)})
    if isinstance(subject, Webhook):
        return subject
    owner = getattr(
        getattr(subject, "default", None), "__self__", None
    )  # `validation_gen.webhooks.app` returns a router
    if isinstance(owner, Webhook):
        return owner
    if not callable(subject):
        raise TypeError(f"webhooks: {subject!r:.80} is no registry, no converter and no ASGI application")
    return None


def _make_gates(gates: GateSource | None, level: str) -> Gates | str | os.PathLike[str] | None:
    """Returns the gates of validators; a mapping has feature gates and options of validators."""
    if not isinstance(gates, Mapping):
        if not isinstance(gates, (Gates, str, os.PathLike, type(None))):
            raise TypeError(f"gates: {gates!r:.80} is no mapping and no path")
        return gates
    names = {*FeatureGates().states, "AllAlpha", "AllBeta"}
    features = {name: state for name, state in gates.items() if name in names}
    options = {name: state for name, state in gates.items() if name not in names}
    return Gates(level=level, settings=GateSettings(features, options))


def connect(hooks: Iterable[Hook], objects: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Returns objects whose webhooks are those on loopback, and configurations for those that no object names.

    `clientConfig` of definitions and of webhook configurations gets the address of the hook with its path. Without a
    configuration of admission, one is made for each hook of validators; versions of a definition get the conversion
    of a hook that knows the kind. Created configurations come first, so that they admit the given objects, too.
    """
    hooks = list(hooks)
    found = [copy.deepcopy(dict(obj)) for obj in objects]
    if not hooks:
        return found
    taken: set[tuple[int, str]] = set()
    for client in (client for obj in found for client in _clients(obj)):
        path = _path(client)
        hook = next((each for each in hooks if each.answers(path)), None)
        if hook is not None:
            taken.add((id(hook), path))
            client.pop("service", None)
            client.update(hook.make_client(path))
    made: list[dict[str, Any]] = []
    definitions = [obj for obj in found if obj.get("kind") == "CustomResourceDefinition"]
    for hook in hooks:
        for path in hook.paths:
            if (id(hook), path) in taken:
                continue
            if path == _CONVERT:
                _add_conversion(hook, definitions)
            elif path in _KINDS:
                made.append(_configuration(hook, path, definitions))
    return made + found


def _clients(obj: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Returns the client configurations in an object."""
    if obj.get("kind") in _KINDS.values():
        return [hook["clientConfig"] for hook in obj.get("webhooks") or () if "clientConfig" in hook]
    webhook = ((obj.get("spec") or {}).get("conversion") or {}).get("webhook") or {}
    is_definition = obj.get("kind") == "CustomResourceDefinition"
    return [webhook["clientConfig"]] if is_definition and "clientConfig" in webhook else []


def _path(client: Mapping[str, Any]) -> str:
    service = client.get("service")
    path = service.get("path") if service else urlsplit(client.get("url") or "").path
    return f"/{str(path or '').lstrip('/')}"


def _add_conversion(hook: Hook, definitions: Iterable[dict[str, Any]]) -> None:
    for definition in definitions:
        spec = definition["spec"]
        known = hook.subject.kinds if isinstance(hook.subject, Converter) else None
        names = {(spec["group"], spec["names"]["kind"]), ("", spec["names"]["kind"])}
        if len(spec["versions"]) > 1 and (known is None or names & known.keys()):
            webhook = {"clientConfig": hook.make_client(_CONVERT), "conversionReviewVersions": ["v1"]}
            spec["conversion"] = {"strategy": "Webhook", "webhook": webhook}


def _configuration(hook: Hook, path: str, definitions: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    kind = _KINDS[path]
    rules = [
        {
            "apiGroups": [definition["spec"]["group"]],
            "apiVersions": ["*"],
            "resources": [f"{definition['spec']['names']['plural']}{part}" for part in ("", "/status", "/scale")],
            "operations": ["CREATE", "UPDATE"],
        }
        for definition in definitions
    ]
    webhook = {
        "name": f"{path.strip('/')}.testing.validation-gen.dev",
        "clientConfig": hook.make_client(path),
        "rules": rules,
        "admissionReviewVersions": ["v1"],
        "sideEffects": "None",
        "failurePolicy": "Fail",
        "timeoutSeconds": 10,
    }
    return {
        "apiVersion": _ADMISSION,
        "kind": kind,
        "metadata": {"name": f"testing-{id(hook):x}"},
        "webhooks": [webhook],
    }
