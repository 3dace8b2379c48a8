"""Entry point of a generated package: finds the validators of an object and runs them."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping
from typing import Any

from validation_gen.runtime.errors import ErrorType, FieldError
from validation_gen.runtime.kind import Kind, kinds
from validation_gen.runtime.levels import DEFAULT_LEVEL, Level, drop_repeated
from validation_gen.runtime.operation import Operation
from validation_gen.runtime.sent import MetadataCheck, has_plain_metadata, join_errors, with_status
from validation_gen.runtime.shape import Shape
from validation_gen.runtime.validator import Validator, as_json

#: The module of a generated package takes these from here.
__all__ = ["Kind", "Registry", "kinds"]


class Registry:
    """Kinds of a generated package. Modules are imported when an object first needs them.

    `level` is the level from which on rules are enforced where a call names none: `alpha`, `beta` or `standard`.
    `metadata` is the module whose function `metadata_errors` judges metadata, by a full name or relative to the
    package; without it `validate` judges rules alone.
    """

    def __init__(
        self,
        package: str,
        kinds: Iterable[Kind] = (),
        *,
        level: str = DEFAULT_LEVEL,
        metadata: str = "",
    ) -> None:
        self.package = package
        self.level = Level(level)
        self.kinds: tuple[Kind, ...] = tuple(kinds)
        self._metadata = metadata
        self._check_metadata: MetadataCheck | None = None
        self._validators: dict[tuple[str, str], Validator] = {}
        self._by_name: dict[str, list[Kind]] = {}
        for kind in self.kinds:
            self._by_name.setdefault(kind.name, []).append(kind)
        #: Kinds by the `type` of a call.
        self._by_type: dict[str, Kind] = {}
        self._by_version = {(k.api_version, k.name): k for k in self.kinds if k.api_version}

    def of_object(self, obj: Any) -> Kind | None:
        """Returns the kind that an object names by its `apiVersion` and `kind`."""
        if not isinstance(obj, dict):
            return None
        version, name = obj.get("apiVersion"), obj.get("kind")
        return self._by_version.get((version, name)) if isinstance(version, str) and isinstance(name, str) else None

    def of_type(self, name: str, package: str = "") -> list[Kind]:
        """Returns all kinds of a type name in `package`; if there is none, in packages whose path ends with it.

        `package` is an import path, or the dotted name of a Python module.
        """
        named = list(self._by_name.get(name, ()))
        path = package.strip("/")
        for wanted in (path, path.replace(".", "/")) if path else ():
            exact = [kind for kind in named if kind.package == wanted]
            if found := exact or [kind for kind in named if kind.package.endswith(f"/{wanted}")]:
                return found
        return [] if path else named

    def of_instance(self, obj: Any) -> Kind | None:
        """Returns the kind of an instance, by its class or the nearest base class with validators."""
        for cls in () if isinstance(obj, dict) else type(obj).__mro__:
            path = f"/{cls.__module__.replace('.', '/')}"
            named = [kind for kind in self.kinds if kind.name == cls.__name__]
            # Either can begin further up than the other: a prefix of import paths, or a directory on `sys.path`.
            found = [k for k in named if f"/{k.package}".endswith(path) or path.endswith(f"/{k.package}")]
            if found:
                return max(found, key=lambda kind: len(kind.package))
        return None

    def to_json(self, obj: Any) -> Any:
        """Returns an instance of a class with validators as JSON, by the JSON names of its fields.

        Where the class is a kind, the object names it: by default with the `apiVersion` and `kind` of the class.

        Raises:
            TypeError: the class has no validators.
        """
        kind = self.of_instance(obj)
        if kind is None:
            raise TypeError(f"no validators were made from {type(obj).__module__}.{type(obj).__qualname__}")
        found = self.shape(kind).plain(obj)
        if kind.api_version and isinstance(found, dict):
            return {"apiVersion": kind.api_version, "kind": kind.name} | found
        return found

    def validate(
        self,
        obj: Any,
        old: Any = None,
        *,
        options: Mapping[str, bool] | None = None,
        subresource: str = "/",
        type: str | None = None,
        level: str | None = None,
        raw: bool = False,
    ) -> list[FieldError]:
        """Validates a decoded object; with `old`, the update from `old` to it.

        The kind comes from the object's `apiVersion` and `kind`, or from `type` (`Name` or `package/path.Name`), which
        types without these fields need. `options` are the feature switches of the request, `subresource` its path.

        It also accepts instances of the Python classes that the validators were made from; the class is the kind.

        The object is validated as a client sends it, with its metadata and unknown fields, unless it is validated as a
        `type`. If the status is a subresource, only requests about `/status` validate it. With `raw` only rules are
        checked, as for an object that a server has accepted.

        Rules are enforced from `level` on: those of `beta` and `standard` unless it says otherwise, as in Kubernetes.
        `alpha` returns the errors of all rules; `FieldError.level` tells the level of each.

        Returns the errors in the order of evaluation, an empty list when the object is valid. Nothing is raised for any
        decoded input: an object of an unknown kind gets an error at `kind`.

        Raises:
            ValueError: there is no such level.
        """
        obj = obj if obj.__class__ is dict else _as_dict(obj)
        old = old if old is None or old.__class__ is dict else _as_dict(old)
        level = None if level is None else Level(level)
        if type is None:
            kind = self.of_object(obj) or self.of_instance(obj)
            if kind is None:
                return [_unknown_kind(obj)]
        else:
            kind = self._by_type.get(type)
            if kind is None:
                package, _, name = type.rpartition(".")
                found = self.of_type(name, package)
                if len(found) != 1:
                    return [_unknown_type(type, found)]
                kind = self._by_type[type] = found[0]
        validator = self._validator(kind)
        if raw or type is not None or not self._metadata:
            errors = validator(obj, old, options=options, subresource=subresource, level=level)
            return drop_repeated(errors) if errors else errors
        return self._validate_sent(validator, obj, old, options, subresource, level)

    def _validate_sent(
        self,
        validator: Validator,
        obj: Any,
        old: Any,
        options: Mapping[str, bool] | None,
        subresource: str,
        level: Level | None,
    ) -> list[FieldError]:
        """Validates an object as a client sends it: its metadata and unknown fields, too."""
        kind = validator.kind
        obj, old = as_json(validator.shape, obj), as_json(validator.shape, old)
        new = with_status(obj, old) if kind.status and subresource == "/" else obj
        errors = drop_repeated(validator(new, old, options=options, subresource=subresource, level=level))
        if not isinstance(obj, dict):
            return errors
        known = has_plain_metadata(obj) or not validator.has_metadata
        metadata = [] if known else self._metadata_errors(kind, obj, old is not None)
        unknown = validator.find_unknown_fields(obj)
        return join_errors(metadata, errors, unknown, is_defined=validator.is_defined)

    def run(
        self,
        kind: Kind,
        obj: Any,
        old: Any = None,
        *,
        update: bool = False,
        options: Mapping[str, bool] | None = None,
        subresource: str = "/",
        types_first: bool = False,
        level: str | None = None,
        operation: Operation | None = None,
    ) -> list[FieldError]:
        """Validates an object of a known kind by its rules alone. An update may be without an old object.

        Errors of schemas that repeat those of tags are left out unless all levels are enforced.

        `types_first` also checks the types of values that may be anything, where a number can be too large. `operation`
        traces the checks of traced code, and has the options and the kind of the request.
        """
        return self._validator(kind).run(
            obj,
            old,
            update=update,
            options=options,
            subresource=subresource,
            types_first=types_first,
            level=level,
            operation=operation,
        )

    def shape(self, kind: Kind) -> Shape:
        """Returns the shape of the values of a kind."""
        return self._validator(kind).shape

    def validator(self, api_version: str, kind: str) -> Validator:
        """Returns the validator of one kind, for callers that validate many objects of it.

        Raises:
            KeyError: the kind has no validators.
        """
        return self._validator(self._by_version[api_version, kind])

    def _metadata_errors(self, kind: Kind, obj: dict[str, Any], is_update: bool) -> list[FieldError]:
        if self._check_metadata is None:
            self._check_metadata = importlib.import_module(self._metadata, self.package).metadata_errors
        return self._check_metadata(obj, kind.api_version, kind.namespaced, is_update)

    def _validator(self, kind: Kind) -> Validator:
        key = kind.module, kind.name
        validator = self._validators.get(key)
        if validator is None:
            validator = self._validators[key] = Validator(kind, self.package, self.level)
        return validator


def refuse_copy(registry: object) -> None:
    """Checks that a registry is one of this runtime: the errors of a copy are of other classes.

    Raises:
        TypeError: it is that of a package with a copy of the runtime.
    """
    cls = type(registry)
    if cls.__name__ == Registry.__name__ and not isinstance(registry, Registry):
        package = getattr(registry, "package", "the package")
        raise TypeError(
            f"{package} has a copy of the runtime ({cls.__module__}), which works on its own alone; "
            "generate it with --runtime package"
        )


def _as_dict(obj: Any) -> Any:
    """Unwraps an object of a framework to a plain one."""
    if obj is None or obj.__class__ is dict:
        return obj
    return dict(obj) if isinstance(obj, Mapping) and not isinstance(obj, dict) else obj


def _unknown_kind(obj: Any) -> FieldError:
    if not isinstance(obj, dict):
        return FieldError(ErrorType.TYPE_INVALID, obj, "must be an object")
    for name in ("apiVersion", "kind"):
        if not obj.get(name):
            return FieldError(ErrorType.REQUIRED, "", "it names the validators", "", f".{name}")
        if not isinstance(obj[name], str):
            return FieldError(ErrorType.TYPE_INVALID, obj[name], "must be a string", "", f".{name}")
    return FieldError(ErrorType.NOT_FOUND, obj["kind"], f"no validators for {obj['apiVersion']}", "", ".kind")


def _unknown_type(type: str, found: list[Kind]) -> FieldError:
    detail = f"could be of any of {', '.join(kind.package for kind in found)}" if found else "no such type"
    return FieldError(ErrorType.NOT_FOUND, type, detail)
