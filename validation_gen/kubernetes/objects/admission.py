"""One request about a custom object, from the client's input to its response.

Sources of the behaviour: `pkg/registry/customresource` of `k8s.io/apiextensions-apiserver`, and `pkg/registry/rest`,
`pkg/endpoints/handlers` of `k8s.io/apiserver`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from validation_gen.kubernetes.crd.correlation import Correlation
from validation_gen.kubernetes.crd.definition import Scale
from validation_gen.kubernetes.crd.schema import Schema
from validation_gen.kubernetes.crd.schema_path import as_written
from validation_gen.kubernetes.objects import metadata
from validation_gen.kubernetes.objects.fastpath import is_plain
from validation_gen.kubernetes.objects.judging import Findings, findings, structure_errors
from validation_gen.kubernetes.objects.kinds import Duplicates, Kind, Served
from validation_gen.kubernetes.objects.outcome import DecodingError, Outcome, UnsupportedRequestError
from validation_gen.kubernetes.objects.preparing import check_type, place, prepare, prune, set_defaults
from validation_gen.kubernetes.objects.scale import UnscalableError, read_replicas, scale_errors, set_replicas, to_scale
from validation_gen.runtime.errors import ErrorType, FieldError
from validation_gen.runtime.native import accept

#: Levels of field validation for unknown and duplicate fields.
LEVELS = ("Strict", "Warn", "Ignore")
#: Targets of requests: the object, or a subresource.
SUBRESOURCES = ("", "status", "scale")


@dataclass(slots=True)
class Normalized:
    """An object without unknown fields, with its defaults, and with its metadata in the server's form.

    Attributes:
        object: the object. It may share parts with the one that was sent.
        is_valid: True if it certainly fits its schema, apart from its metadata and rules.
    """

    object: dict[str, Any]
    is_valid: bool = False


def admit(
    kind: Kind,
    version: Served,
    new: Any,
    old: dict[str, Any] | Normalized | None = None,
    *,
    subresource: str = "",
    field_validation: str = "Strict",
    duplicates: Duplicates | None = None,
    url: tuple[str, str] | None = None,
) -> Outcome:
    """Returns the answer to a create, or to an update of an old object.

    Args:
        kind: the kind, from its definition.
        version: the version in which the request is made.
        new: the object of the request, decoded by `read_json`.
        old: the object in the server: in any version, as a client once sent it, or as `load` returns it.
        subresource: empty, `status`, or `scale`: then the new object is a `Scale`, and so is the returned one.
        field_validation: level for unknown and duplicate fields: `Strict`, `Warn` or `Ignore`.
        duplicates: the duplicate names of the document that `new` is part of.
        url: namespace and name in the URL of an update. An object with others is refused, and so is one with the uid of
            another object. Without it only fields that no update may change are compared.

    Raises:
        UnsupportedRequestError: an object has some hundred levels; or the request is about a subresource that the kind
            or the server does not have, or sends something else than a `Scale` about that.
        ValueError: there is no such level.
    """
    if field_validation not in LEVELS:
        raise ValueError(f"field_validation is one of {', '.join(LEVELS)}, not {field_validation!r}")
    if subresource not in SUBRESOURCES:
        raise UnsupportedRequestError(f"requests about {subresource} are not supported here")
    if subresource and not (version.status if subresource == "status" else version.scale):
        raise UnsupportedRequestError(f"{version.api_version} {kind.kind} has no {subresource} subresource")
    if subresource and old is None:
        raise UnsupportedRequestError(f"there is no old object whose {subresource} could be updated")
    request = _Request(kind, version, subresource)
    try:
        if url is not None and old is not None and (refusal := _address_error(kind, url, new, old)) is not None:
            return refusal
        if subresource == "scale" and old is not None and version.scale is not None:
            return request.scale(new, old, version.scale, field_validation, duplicates)
        return request.answer(new, old, field_validation, duplicates)
    except DecodingError as problem:
        return Outcome(400, problems=[str(problem)])
    except UnscalableError as problem:
        return Outcome(500, problems=[str(problem)])
    except RecursionError:
        raise UnsupportedRequestError("nested too deeply") from None


def decode(
    kind: Kind, version: Served, new: Any, *, field_validation: str = "Strict", duplicates: Duplicates | None = None
) -> tuple[Normalized, list[str]]:
    """Returns a sent object in the server's form, and its duplicate and unknown fields.

    It is the first step of `admit`, for servers that change objects before their validation.

    Raises:
        DecodingError: the object cannot be decoded.
    """
    return _Request(kind, version, "").decode(new, field_validation, duplicates)


def admit_decoded(
    kind: Kind, version: Served, sent: Normalized, old: Normalized | None, *, subresource: str = ""
) -> Outcome:
    """Returns the answer to a create, or to an update, of an object that `decode` has returned.

    The object of the sent one changes. `old` is from `load`.

    Raises:
        DecodingError: the object cannot be written.
        UnsupportedRequestError: an object has some hundred levels.
    """
    try:
        return _Request(kind, version, subresource).finish(sent, old, [])
    except RecursionError:
        raise UnsupportedRequestError("nested too deeply") from None


def load(kind: Kind, version: Served, old: dict[str, Any], *, canonical: bool = False) -> Normalized:
    """Reads an object from the storage in one version.

    Args:
        kind: its kind.
        version: the version.
        old: the object.
        canonical: whether its metadata has the server's form already, so that it need not be decoded.

    Raises:
        DecodingError: its metadata, or that of an object within it, cannot be decoded.
    """
    return _Request(kind, version, "").load(old, canonical=canonical)


def _by_types(version: Served, new: Any, old: Any, subresource: str) -> list[FieldError]:
    """Returns the errors of the rules of tags.

    If a tag and the schema report the same error, only the tag's is kept.
    """
    return version.type_rules(new, old, f"/{subresource}") if version.type_rules is not None else []


def _address_error(kind: Kind, url: tuple[str, str], new: Any, old: dict[str, Any] | Normalized) -> Outcome | None:
    """Returns the refusal of an update whose object is not the one that its URL names."""
    namespace, name = url
    meta, before = (_get_metadata(each) for each in (new, old.object if isinstance(old, Normalized) else old))
    own, space, uid = (str(meta.get(key) or "") for key in ("name", "namespace", "uid"))
    if kind.namespaced and space and space != namespace:
        text = "the namespace of the provided object does not match the namespace sent on the request"
        return Outcome(400, problems=[text])
    if not own:
        text = f"the name of the object ({name} based on URL) was undeterminable: name must be provided"
        return Outcome(400, problems=[text])
    if own != name:
        return Outcome(400, problems=[f"the name of the object ({own}) does not match the name on the URL ({name})"])
    known = str(before.get("uid") or "")
    if uid and uid != known:
        plural, _, group = kind.resource.partition(".")
        key = "/".join(("", "registry", group, plural, *([namespace] if kind.namespaced else []), name))
        problem = (
            f'Operation cannot be fulfilled on {kind.resource} "{name}": StorageError: invalid object, Code: 4, '
            f"Key: {key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: {uid}, "
            f"UID in object meta: {known}"
        )
        return Outcome(409, problems=[problem])
    return None


def _get_metadata(obj: Any) -> dict[str, Any]:
    found = obj.get("metadata") if isinstance(obj, dict) else None
    return found if isinstance(found, dict) else {}


def _slips(new: Any, unknown: list[str], level: str, duplicates: Duplicates | None) -> list[str]:
    """Returns the errors of a strict decoder: duplicate and unknown names."""
    if level == "Ignore" or not (duplicates or unknown):
        return []
    twice = duplicates.paths(new) if duplicates else []
    return [*(f'duplicate field "{path}"' for path in twice), *unknown]


class _Request:
    def __init__(self, kind: Kind, version: Served, subresource: str) -> None:
        self.kind = kind
        self.version = version
        self.is_status = subresource == "status"

    def answer(
        self, new: Any, old: dict[str, Any] | Normalized | None, level: str, duplicates: Duplicates | None
    ) -> Outcome:
        sent, slips = self.decode(new, level, duplicates)
        if slips and level == "Strict":
            return Outcome(400, problems=slips)
        return self.finish(sent, None if old is None else self._load_beside(old, new, sent), slips)

    def finish(self, sent: Normalized, before: Normalized | None, slips: list[str]) -> Outcome:
        """Prepares and validates a decoded object; `slips` become warnings."""
        obj, is_valid = sent.object, sent.is_valid
        was = None if before is None else before.object
        slips += metadata.drop_duplicate_owners(obj.get("metadata"))
        prepare(obj, was, self.kind, self.version, is_status=self.is_status)
        if before is not None and self.version.status and not before.is_valid:
            is_valid = False  # parts of the old object may be in the new one
        found = self._judge(obj, before, is_valid=is_valid)
        ratcheted = [str(warning) for warning in found.warnings]
        if found.errors:
            warnings = slips + ratcheted
            return Outcome(422, errors=found.errors, warnings=warnings, judged=(obj, was), spent=found.cost)
        if not self.is_status:
            slips += metadata.finalizer_warnings(obj["metadata"], was.get("metadata") if was else None)
        slips += ratcheted
        code = 201 if before is None else 200
        return Outcome(code, self._keep(obj, is_valid), warnings=slips, judged=(obj, was), spent=found.cost)

    def scale(
        self, new: Any, old: dict[str, Any] | Normalized, scale: Scale, level: str, duplicates: Duplicates | None
    ) -> Outcome:
        """Answers an update of the scale: it updates the object, and returns its scale."""
        replicas, unknown = read_replicas(new)
        slips = _slips(new, unknown, level, duplicates)
        if slips and level == "Strict":
            return Outcome(400, problems=slips)
        before = old if isinstance(old, Normalized) else self.load(old)
        obj = set_replicas(before.object, scale, replicas)
        obj["metadata"] = dict(before.object["metadata"])
        prepare(obj, before.object, self.kind, self.version)
        found = self._judge(obj, before, is_valid=False)
        judged = (obj, before.object)
        slips += [str(warning) for warning in found.warnings]
        if found.errors:
            return Outcome(422, errors=found.errors, warnings=slips, judged=judged, spent=found.cost)
        kept = as_written(to_scale(self._store(obj), scale))
        return Outcome(200, kept, warnings=slips, judged=judged, spent=found.cost)

    def _schema_for(self, obj: dict[str, Any], version: Served) -> Schema | None:
        """Returns the schema for pruning an object: none for another kind."""
        return version.schema if obj.get("kind") == self.kind.kind else None

    # --- decoding -----------------------------------------------------------------------------------------------------

    def decode(self, new: Any, level: str, duplicates: Duplicates | None) -> tuple[Normalized, list[str]]:
        """Returns a sent object, and its duplicate and unknown fields."""
        found = self._normalize(new, self.version)
        if found is not None:
            return Normalized(found, is_valid=True), _slips(new, [], level, duplicates)
        check_type(new, self.version.api_version)
        unknown: list[str] = []
        obj = prune(new, self._schema_for(new, self.version), unknown=unknown)
        slips = _slips(new, [f'unknown field "{path}"' for path in dict.fromkeys(unknown)], level, duplicates)
        return self._fill(obj, self.version), slips

    def _normalize(self, obj: Any, version: Served, *, canonical: bool = False) -> dict[str, Any] | None:
        """Returns a normalized copy of an object in one version if it is certainly valid; None if in doubt."""
        if obj.__class__ is not dict or obj.get("kind") != self.kind.kind:
            return None
        found = version.fast.normalize(obj) if obj.get("apiVersion") == version.api_version else None
        if found is None or "metadata" not in obj:
            return None if found is None else dict(found)
        if canonical or is_plain(obj["metadata"]):
            return {**found, "metadata": dict(obj["metadata"])}
        unknown: list[str] = []
        try:
            meta = metadata.decoded(obj["metadata"], unknown=unknown)
        except DecodingError:
            return None
        return None if unknown else {**found, "metadata": meta}

    def _fill(self, obj: dict[str, Any], version: Served) -> Normalized:
        """Returns a pruned object with the defaults of one version."""
        schema = self._schema_for(obj, version)
        found = None if schema is None else version.fast.normalize(obj)
        return Normalized(set_defaults(obj, schema)) if found is None else Normalized(found, is_valid=True)

    # --- storage ------------------------------------------------------------------------------------------------------

    def _load_beside(self, old: dict[str, Any] | Normalized, new: Any, sent: Normalized) -> Normalized:
        """Loads the old object, which often is the same as the sent one."""
        if isinstance(old, Normalized):
            return old
        if not sent.is_valid or accept is None or "metadata" not in new or not accept.same(new, old):
            return self.load(old)
        found = {**sent.object, "metadata": dict(sent.object["metadata"])}
        place(found["metadata"], namespaced=self.kind.namespaced)
        return Normalized(found, is_valid=True)

    def load(self, old: dict[str, Any], *, canonical: bool = False) -> Normalized:
        """Reads the old object from the storage, in the version that the object names.

        It keeps fields that the storage version does not have, because objects can be stored in an older version.
        """
        version = self.kind.versions.get(str(old.get("apiVersion")).rpartition("/")[2], self.version)
        found = self._normalize(old, version, canonical=canonical)
        if found is not None and version is not self.version:
            found = self._convert(found, self.version)
        loaded = self._read(old, version) if found is None else Normalized(found, is_valid=True)
        place(loaded.object.setdefault("metadata", {}), namespaced=self.kind.namespaced)
        return loaded

    def _convert(self, obj: dict[str, Any], version: Served, *, defaults: bool = False) -> dict[str, Any] | None:
        """Returns a valid object in another version, with its `defaults` or without; None if in doubt."""
        sent = {**obj, "apiVersion": version.api_version}
        found = version.fast.normalize(sent)
        return found if found is sent or defaults else None

    def _keep(self, obj: dict[str, Any], is_valid: bool) -> Any:
        """Returns the object as a client gets it, or a function that makes it."""
        if not is_valid:
            return as_written(self._store(obj))
        if self.version is self.kind.storage:
            return partial(self._keep_valid, obj)
        return self._keep_valid(obj)

    def _keep_valid(self, obj: dict[str, Any]) -> dict[str, Any]:
        version, storage = self.version, self.kind.storage
        found: dict[str, Any] | None = obj
        status = version.schema.properties.get("status")
        if version is not storage or (status is not None and status.default is not None and "status" not in obj):
            found = self._convert(obj, storage, defaults=True)
        if found is not None and version is not storage:
            found = self._convert(found, version)
        if found is None:
            kept: dict[str, Any] = as_written(self._store(obj))
            return kept
        if not is_plain(obj["metadata"]):
            found = {**found, "metadata": metadata.decoded(obj["metadata"], lenient=True)}
        return version.fast.write(found)

    def _store(self, obj: dict[str, Any]) -> dict[str, Any]:
        """Writes an object in the version of the storage, and reads it again."""
        storage = self.kind.storage
        sent = prune({**obj, "apiVersion": storage.api_version}, self._schema_for(obj, storage))
        return self._read(sent, storage).object

    def _read(self, stored: dict[str, Any], version: Served) -> Normalized:
        """Reads an object that is stored in a version, in the version of the request."""
        filled = self._fill(prune(stored, self._schema_for(stored, version), lenient=True), version)
        obj = {**filled.object, "apiVersion": self.version.api_version}
        if filled.is_valid and version is self.version:
            return Normalized(obj, is_valid=True)
        return Normalized(prune(obj, self._schema_for(stored, self.version)))

    # --- validation ---------------------------------------------------------------------------------------------------

    def _judge(self, obj: dict[str, Any], before: Normalized | None, *, is_valid: bool) -> Findings:
        """Returns errors, warnings of rules that failed before, and the cost of the rules."""
        old = None if before is None else before.object
        own = _by_types(self.version, obj, old, "status" if self.is_status else "")
        if is_valid and (before is None or before.is_valid) and self._accepts(obj, old):
            return Findings(own, cost=self.version.fast.count_cost(obj, old))
        return self._judge_exactly(obj, old, own)

    def _accepts(self, obj: dict[str, Any], old: dict[str, Any] | None) -> bool:
        """Returns whether an object that fits its schema has valid metadata, and certainly keeps all rules."""
        meta, namespaced, fast = obj["metadata"], self.kind.namespaced, self.version.fast
        if is_plain(meta):
            if old is not None and metadata.is_moved(meta, old["metadata"]):
                return False
        elif old is None:
            if metadata.create_errors(meta, namespaced=namespaced):
                return False
        elif metadata.common_errors(meta, namespaced=namespaced) or metadata.update_errors(meta, old["metadata"]):
            return False
        if scale_errors(obj, self.version.scale, only_status=self.is_status):
            return False
        return fast.accepts_metadata(meta) and fast.accepts_rules(obj, old)

    def _judge_exactly(self, obj: dict[str, Any], old: dict[str, Any] | None, own: list[FieldError]) -> Findings:
        schema, namespaced = self.version.schema, self.kind.namespaced
        common: list[FieldError] = []
        correlation = None if old is None else Correlation(metadata.with_owned(obj), metadata.with_owned(old), schema)
        if old is not None:
            common += metadata.common_errors(obj["metadata"], namespaced=namespaced)
            common += metadata.update_errors(obj["metadata"], old["metadata"])
        known = self._type_errors(obj) or self._schema_errors(obj, old, correlation)
        found = findings(schema, self.version.rules, obj, old, correlation, known, is_status=self.is_status)
        known_places = {(error.type, error.place) for error in own}
        others = [error for error in found.errors if (error.type, error.place) not in known_places]
        found.errors = common + own + others
        return found

    def _type_errors(self, obj: dict[str, Any]) -> list[FieldError]:
        found = []
        for name, wanted in (("kind", self.kind.kind), ("apiVersion", self.version.api_version)):
            if obj.get(name) != wanted:
                found.append(FieldError(ErrorType.INVALID, obj.get(name), f"must be {wanted}", "", f".{name}"))
        return found

    def _schema_errors(
        self, obj: dict[str, Any], old: dict[str, Any] | None, correlation: Correlation | None
    ) -> list[FieldError]:
        errors: list[FieldError] = []
        if old is None:
            errors += metadata.create_errors(obj["metadata"], namespaced=self.kind.namespaced)
        else:
            errors += metadata.update_errors(obj["metadata"], old["metadata"])
        version = self.version
        errors += structure_errors(version.schema, obj, correlation, is_status=self.is_status, server=version.server)
        return errors + scale_errors(obj, version.scale, only_status=self.is_status)
