"""Rules of built-in kinds beside their schemas: defaults, prepared fields, and checks of creates and updates.

Sources of the behaviour: `pkg/registry/core`, `pkg/apis/core/v1/defaults.go` and `pkg/apis/core/validation` of
`k8s.io/kubernetes`.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Mapping
from typing import Any

from validation_gen.apiserver.bodies import MAP, BodyError, describe_mistype, parse_json
from validation_gen.kubernetes.crd.stored_metadata import mask_prefix, subdomain_messages
from validation_gen.kubernetes.formats import valueformats
from validation_gen.kubernetes.objects import metadata
from validation_gen.runtime import texts
from validation_gen.runtime.errors import ErrorType, FieldError
from validation_gen.runtime.names import byte_count, label_key
from validation_gen.runtime.texts import unmatched
from validation_gen.runtime.wire import WIRE, identical

#: Greatest size of the values of a configmap or a secret, in bytes.
_MOST_DATA = 1024 * 1024
_LONGEST_KEY = 253
_KEY = "[-._a-zA-Z0-9]+"
_NO_KEY = unmatched(
    "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
    _KEY,
    "key.name",
    "KEY_NAME",
    "key-name",
)
_FIXED = "field is immutable when `immutable` is set"
_ACCOUNT_NAME, _ENFORCED = "kubernetes.io/service-account.name", "kubernetes.io/enforce-mountable-secrets"
_ELECTED = ("strategy", "preferredHolder")
#: The finalizer of the server's own controller, and the label with the name of a namespace.
KUBERNETES, NAME_LABEL = "kubernetes", "kubernetes.io/metadata.name"


class Rules:
    """Default rules, for kinds without special ones, and the base class of all others."""

    namespaced = True

    def default(self, obj: dict[str, Any]) -> None:
        """Sets the defaults of a decoded object, in place."""

    def convert(self, obj: dict[str, Any], api_version: str) -> dict[str, Any]:
        """Returns an object in another version."""
        return {**obj, "apiVersion": api_version}

    def prepare_create(self, obj: dict[str, Any]) -> None:
        """Sets and drops fields of a new object, in place."""

    def prepare_update(self, obj: dict[str, Any], old: Mapping[str, Any], subresource: str) -> None:
        """Restores fields of a changed object that the request cannot change, in place."""

    def name_messages(self, name: str, prefix: bool) -> list[str]:
        """Returns the errors of a name, or of a prefix of generated names."""
        return subdomain_messages(name, prefix)

    def metadata_errors(self, obj: Mapping[str, Any]) -> list[FieldError]:
        """Returns the errors of metadata."""
        return metadata.check_name(obj["metadata"], self.name_messages, namespaced=self.namespaced)

    def errors(self, obj: Mapping[str, Any]) -> Iterator[FieldError]:
        """Yields the errors of an object besides those of its metadata."""
        yield from ()

    def create_errors(self, obj: Mapping[str, Any]) -> list[FieldError]:
        """Returns the errors of a new object."""
        return [*self.metadata_errors(obj), *self.errors(obj)]

    def update_errors(self, obj: Mapping[str, Any], old: Mapping[str, Any], subresource: str) -> list[FieldError]:
        """Returns the errors of an update besides those of changed metadata."""
        return [*self.changed_errors(obj, old), *self.create_errors(obj)]

    def changed_errors(self, obj: Mapping[str, Any], old: Mapping[str, Any]) -> Iterator[FieldError]:
        """Yields the errors of changed fields."""
        yield from ()

    def warnings(self, obj: Mapping[str, Any], old: Mapping[str, Any] | None) -> list[str]:
        """Returns the warnings about a valid object."""
        return []

    def deleting(self, stored: dict[str, Any], now: str) -> dict[str, Any]:
        """Returns a stored object in its state during deletion, by default unchanged."""
        return stored

    def is_finished(self, obj: Mapping[str, Any]) -> bool:
        """Returns whether an object that is being deleted can be removed."""
        return True


class NamespaceRules(Rules):
    """Namespaces: the life cycle is in `namespaces`."""

    namespaced = False

    def name_messages(self, name: str, prefix: bool) -> list[str]:
        return list(valueformats.label(mask_prefix(name) if prefix else name))

    def default(self, obj: dict[str, Any]) -> None:
        if name := obj["metadata"].get("name"):
            _label(obj["metadata"], name)

    def prepare_create(self, obj: dict[str, Any]) -> None:
        finalizers = obj["spec"].get("finalizers") or []
        if KUBERNETES not in finalizers:
            obj["spec"] = {"finalizers": [*finalizers, KUBERNETES]}
        obj["status"] = {"phase": "Active"}
        if obj["metadata"].get("generateName"):
            _label(obj["metadata"], obj["metadata"]["name"])

    def prepare_update(self, obj: dict[str, Any], old: Mapping[str, Any], subresource: str) -> None:
        if subresource != "status":
            obj["status"] = old["status"]
        if subresource != "finalize":
            obj["spec"] = old["spec"]

    def errors(self, obj: Mapping[str, Any]) -> Iterator[FieldError]:
        for name in obj["spec"].get("finalizers") or ():
            yield from _finalizer_errors(name, "spec.finalizers")

    def update_errors(self, obj: Mapping[str, Any], old: Mapping[str, Any], subresource: str) -> list[FieldError]:
        if subresource == "status":
            return [*self._phase_errors(obj)]
        if subresource == "finalize":
            names = enumerate(obj["spec"].get("finalizers") or ())
            return [error for index, name in names for error in _finalizer_errors(name, f"spec.finalizers[{index}]")]
        return super().update_errors(obj, old, subresource)

    def _phase_errors(self, obj: Mapping[str, Any]) -> Iterator[FieldError]:
        phase, deleted = obj["status"].get("phase") or "", "deletionTimestamp" in obj["metadata"]
        if not deleted and phase != "Active":
            detail = "may only be 'Active' if `deletionTimestamp` is empty"
            yield FieldError.invalid("status.Phase", phase, detail)
        if deleted and phase != "Terminating":
            detail = "may only be 'Terminating' if `deletionTimestamp` is not empty"
            yield FieldError.invalid("status.Phase", phase, detail)

    def deleting(self, stored: dict[str, Any], now: str) -> dict[str, Any]:
        meta = stored["metadata"]
        if "deletionTimestamp" in meta:
            return dict(stored) if stored["spec"].get("finalizers") else stored
        status = {**stored["status"], "phase": "Terminating"}
        return {**stored, "metadata": {**meta, "deletionTimestamp": now}, "status": status}

    def is_finished(self, obj: Mapping[str, Any]) -> bool:
        return not obj["spec"].get("finalizers")


def _label(meta: dict[str, Any], name: str) -> None:
    meta["labels"] = {**(meta.get("labels") or {}), NAME_LABEL: name}


def _finalizer_errors(name: str, path: str) -> Iterator[FieldError]:
    yield from (FieldError.invalid(path, name, message) for message in label_key(name))
    if "/" not in name and name not in metadata.STANDARD_FINALIZERS:
        yield FieldError.invalid(path, name, "name is neither a standard finalizer name nor is it fully qualified")


class ConfigMapRules(Rules):
    """Configmaps: keys, sizes, and `immutable`."""

    #: Bags of values, each with whether its values are bytes.
    bags: Mapping[str, bool] = {"data": False, "binaryData": True}

    def errors(self, obj: Mapping[str, Any]) -> Iterator[FieldError]:
        size, binary = 0, obj.get("binaryData") or {}
        for bag, holds_bytes in self.bags.items():
            for key, value in (obj.get(bag) or {}).items():
                yield from (FieldError.invalid(f"{bag}[{key}]", key, message) for message in key_messages(key))
                if bag == "data" and key in binary:
                    yield FieldError.invalid(f"data[{key}]", key, "duplicate of key present in binaryData")
                size += _byte_length(value) if holds_bytes else byte_count(value)
        if size > _MOST_DATA:
            yield FieldError(ErrorType.TOO_LONG, "", f"may not be more than {_MOST_DATA} bytes", "", "")

    def changed_errors(self, obj: Mapping[str, Any], old: Mapping[str, Any]) -> Iterator[FieldError]:
        if not old.get("immutable"):
            return
        if not obj.get("immutable"):
            yield FieldError.forbidden("immutable", _FIXED)
        for bag in self.bags:
            if not identical(obj.get(bag) or {}, old.get(bag) or {}):
                yield FieldError.forbidden(bag, _FIXED)


def _byte_length(value: str) -> int:
    found = WIRE["bytes"].read(value)
    return len(found) if isinstance(found, bytes) else 0


def key_messages(key: str) -> list[str]:
    """Returns the errors of a key of a configmap or a secret."""
    found = [f"must be no more than {_LONGEST_KEY} characters"] if byte_count(key) > _LONGEST_KEY else []
    if not re.fullmatch(_KEY, key):
        found.append(_NO_KEY)
    if key in (".", ".."):
        found.append(f"must not be '{key}'")
    elif key.startswith(".."):
        found.append("must not start with '..'")
    return found


class SecretRules(ConfigMapRules):
    """Secrets: types and the keys that they need."""

    bags: Mapping[str, bool] = {"data": True}

    def default(self, obj: dict[str, Any]) -> None:
        written = obj.pop("stringData", None)
        if written:
            own = {key: base64.b64encode(text.encode("utf-8", "replace")).decode() for key, text in written.items()}
            obj["data"] = {**(obj.get("data") or {}), **own}
        if not obj.get("type"):
            obj["type"] = "Opaque"

    def errors(self, obj: Mapping[str, Any]) -> Iterator[FieldError]:
        for error in super().errors(obj):
            if error.type is ErrorType.TOO_LONG:
                error.segments = [".data"]
            yield error
        yield from self._type_errors(obj)

    def _type_errors(self, obj: Mapping[str, Any]) -> Iterator[FieldError]:
        kind, data = obj["type"].removeprefix("kubernetes.io/"), obj.get("data") or {}
        if kind == obj["type"]:
            return
        if kind == "service-account-token" and not (obj["metadata"].get("annotations") or {}).get(_ACCOUNT_NAME):
            yield FieldError.required(f"metadata.annotations[{_ACCOUNT_NAME}]")
        elif kind in ("dockercfg", "dockerconfigjson"):
            key = f".{kind}"
            if key not in data:
                yield FieldError.required(f"data[{key}]")
            elif problem := _json_problem(data[key]):
                yield FieldError.invalid(f"data[{key}]", "<secret contents redacted>", problem)
        elif kind == "basic-auth" and not {"username", "password"} & data.keys():
            yield from (FieldError.required(f"data[{key}]") for key in ("username", "password"))
        elif kind == "ssh-auth" and not data.get("ssh-privatekey"):
            yield FieldError.required("data[ssh-privatekey]")
        elif kind == "tls":
            yield from (FieldError.required(f"data[{key}]") for key in ("tls.crt", "tls.key") if key not in data)

    def changed_errors(self, obj: Mapping[str, Any], old: Mapping[str, Any]) -> Iterator[FieldError]:
        if obj["type"] != old["type"]:
            yield FieldError.invalid("type", obj["type"], texts.IMMUTABLE)
        yield from super().changed_errors(obj, old)

    def warnings(self, obj: Mapping[str, Any], old: Mapping[str, Any] | None) -> list[str]:
        if obj["type"] != "kubernetes.io/tls":
            return []
        certificate, key = (base64.b64decode(obj["data"][name]) for name in ("tls.crt", "tls.key"))
        problem = _pair_problem(certificate, key)
        return [problem] if problem else []


def _pair_problem(certificate: bytes, key: bytes) -> str:
    """Returns the error of Go's `tls.X509KeyPair` for a certificate and a key that do not match."""
    from cryptography.hazmat.primitives.serialization import load_pem_private_key  # noqa: PLC0415 - few secrets have one
    from cryptography.x509 import load_pem_x509_certificate  # noqa: PLC0415

    for content, what in ((certificate, "certificate"), (key, "key")):
        if b"-----BEGIN" not in content:
            return f"tls: failed to find any PEM data in {what} input"
    try:
        public = load_pem_x509_certificate(certificate).public_key()
    except ValueError:
        return "x509: malformed certificate"
    try:
        private = load_pem_private_key(key, None).public_key()
    except (TypeError, ValueError):
        return "tls: failed to parse private key"
    if type(private) is not type(public):
        return "tls: private key type does not match public key type"
    return "" if private == public else "tls: private key does not match public key"


def _json_problem(value: str) -> str:
    """Returns the error of Go's JSON decoder for a text that is no object."""
    try:
        found, _ = parse_json(base64.b64decode(value))
    except BodyError as problem:
        return str(problem)
    return "" if found is None or isinstance(found, dict) else describe_mistype(found, MAP)


class ServiceAccountRules(Rules):
    """Rules of service accounts: references to secrets keep only their names."""

    def prepare_create(self, obj: dict[str, Any]) -> None:
        if obj.get("secrets"):
            obj["secrets"] = [{"name": each["name"]} if each.get("name") else {} for each in obj["secrets"]]

    def prepare_update(self, obj: dict[str, Any], old: Mapping[str, Any], subresource: str) -> None:
        self.prepare_create(obj)

    def warnings(self, obj: Mapping[str, Any], old: Mapping[str, Any] | None) -> list[str]:
        known = ((old or {}).get("metadata") or {}).get("annotations") or {}
        if _ENFORCED not in (obj["metadata"].get("annotations") or {}) or _ENFORCED in known:
            return []
        text = "deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets"
        return [f"metadata.annotations[{_ENFORCED}]: {text}"]


class LeaseRules(Rules):
    """Leases. Leaders that a server elects are off, as they are by default."""

    def prepare_create(self, obj: dict[str, Any]) -> None:
        obj["spec"] = {name: each for name, each in obj["spec"].items() if name not in _ELECTED}

    def prepare_update(self, obj: dict[str, Any], old: Mapping[str, Any], subresource: str) -> None:
        self.prepare_create(obj)

    def errors(self, obj: Mapping[str, Any]) -> Iterator[FieldError]:
        seconds, changes = (obj["spec"].get(name) for name in ("leaseDurationSeconds", "leaseTransitions"))
        if seconds is not None and seconds <= 0:
            yield FieldError.invalid("spec.leaseDurationSeconds", seconds, "must be greater than 0")
        if changes is not None and changes < 0:
            yield FieldError.invalid("spec.leaseTransitions", changes, "must be greater than or equal to 0")


#: The rules by kinds.
RULES: dict[str, type[Rules]] = {
    "ConfigMap": ConfigMapRules,
    "Lease": LeaseRules,
    "Namespace": NamespaceRules,
    "Secret": SecretRules,
    "ServiceAccount": ServiceAccountRules,
}
