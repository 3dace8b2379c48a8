"""Policies and bindings as data, read from manifests with the API server's defaults, and warnings of its type checker.

Values of the wrong JSON type are refused here; `checking` has the API server's validation of the rest. Source of the
fields: `k8s.io/api/admissionregistration/v1`. Warnings are about expressions that do not fit the schema of a kind that
a policy matches, and change nothing. Source: `pkg/admission/plugin/policy/validating/typechecking.go` of
`k8s.io/apiserver`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from validation_gen.kubernetes.admission.compiling import type_checked
from validation_gen.kubernetes.admission.environment import Names, find_types
from validation_gen.kubernetes.admission.selectors import ResourceRule, is_selector
from validation_gen.kubernetes.cel.declarations import NEWEST
from validation_gen.kubernetes.crd.decode import mistakes
from validation_gen.kubernetes.crd.gotypes import OBJECT_META
from validation_gen.kubernetes.crd.schema_path import SchemaPath
from validation_gen.kubernetes.policies.requests import GroupVersionKind

GROUP = "admissionregistration.k8s.io"
_POLICY, _BINDING = "AdmissionPolicy", "AdmissionPolicyBinding"
#: Kinds that this module can read.
KINDS = frozenset(f"{does}{kind}" for does in ("Validating", "Mutating") for kind in (_POLICY, _BINDING))
_T = TypeVar("_T")


class PolicyError(ValueError):
    """A manifest that cannot be read; the text has the path and the reason."""


@dataclass(frozen=True, slots=True)
class ParamKind:
    """Kind of the parameters of a policy."""

    api_version: str = ""
    kind: str = ""


@dataclass(frozen=True, slots=True)
class MatchResources:
    """Requests that a policy or a binding matches. Selectors are as in JSON."""

    rules: tuple[ResourceRule, ...] = ()
    excluded: tuple[ResourceRule, ...] = ()
    namespaces: Mapping[str, Any] = field(default_factory=dict)
    objects: Mapping[str, Any] = field(default_factory=dict)
    match_policy: str = "Equivalent"


@dataclass(frozen=True, slots=True)
class Named:
    """An expression with a name: a variable, or a match condition."""

    name: str = ""
    expression: str = ""


@dataclass(frozen=True, slots=True)
class Validation:
    """A validation of a policy. A missing `reason` is `None`."""

    expression: str = ""
    message: str = ""
    message_expression: str = ""
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class AuditAnnotation:
    """A key with an expression for its value."""

    key: str = ""
    expression: str = ""


@dataclass(frozen=True, slots=True)
class Mutation:
    """One change of an object, by a patch of this type."""

    patch_type: str = ""
    apply: str | None = None
    json_patch: str | None = None


@dataclass(frozen=True, slots=True)
class Policy:
    """A ValidatingAdmissionPolicy or, if it `mutates`, a MutatingAdmissionPolicy."""

    name: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    failure_policy: str = "Fail"
    param_kind: ParamKind | None = None
    constraints: MatchResources | None = None
    conditions: tuple[Named, ...] = ()
    variables: tuple[Named, ...] = ()
    validations: tuple[Validation, ...] = ()
    annotations: tuple[AuditAnnotation, ...] = ()
    mutations: tuple[Mutation, ...] = ()
    reinvocation: str = ""
    mutates: bool = False


@dataclass(frozen=True, slots=True)
class ParamRef:
    """Parameters that a binding selects."""

    name: str = ""
    namespace: str = ""
    selector: Mapping[str, Any] | None = None
    not_found: str = ""


@dataclass(frozen=True, slots=True)
class Binding:
    """A binding of a policy."""

    name: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    policy: str = ""
    params: ParamRef | None = None
    resources: MatchResources | None = None
    actions: tuple[str, ...] = ()
    mutates: bool = False


def read_policy(manifest: Any) -> Policy:
    """Reads a policy.

    Raises:
        PolicyError: the object is no policy, or a part of it has the wrong type.
    """
    whole = _Part(manifest, "")
    mutates = _kind(whole, _POLICY)
    metadata, spec = _metadata(whole), whole.object("spec")
    params = spec.optional("paramKind")
    return Policy(
        metadata.text("name"),
        metadata.value,
        spec.text("failurePolicy") or "Fail",
        _fields(ParamKind, "apiVersion", "kind")(params) if params else None,
        _resources(spec.optional("matchConstraints")),
        spec.each("matchConditions", _fields(Named, "name", "expression")),
        spec.each("variables", _fields(Named, "name", "expression")),
        spec.each("validations", _validation),
        spec.each("auditAnnotations", _fields(AuditAnnotation, "key", "valueExpression")),
        spec.each("mutations", _mutation),
        spec.text("reinvocationPolicy") or "",
        mutates,
    )


def read_binding(manifest: Any) -> Binding:
    """Reads a binding.

    Raises:
        PolicyError: the object is no binding, or a part of it has the wrong type.
    """
    whole = _Part(manifest, "")
    mutates = _kind(whole, _BINDING)
    metadata, spec = _metadata(whole), whole.object("spec")
    params = spec.optional("paramRef")
    return Binding(
        metadata.text("name"),
        metadata.value,
        spec.text("policyName"),
        _params(params) if params else None,
        _resources(spec.optional("matchResources")),
        spec.texts("validationActions"),
        mutates,
    )


def _kind(whole: _Part, kind: str) -> bool:
    """Checks the kind of a manifest, and returns whether it is a mutating one."""
    version, found = whole.text("apiVersion"), whole.text("kind")
    known = (f"Validating{kind}", f"Mutating{kind}")
    if not version.startswith(f"{GROUP}/") or found not in known:
        raise PolicyError(f"{' or '.join(known)} of {GROUP} is wanted, this is {found!r:.80} of {version!r:.80}")
    return found == known[1]


def _metadata(whole: _Part) -> _Part:
    found = whole.object("metadata")
    for mistake in mistakes(found.value, OBJECT_META, SchemaPath("metadata")):
        if mistake.unknown is None:
            raise PolicyError(f"{mistake.place}: {mistake.text}")
    return found


def _selector(part: _Part, name: str) -> Mapping[str, Any] | None:
    found = part.optional(name)
    if found is None:
        return None
    if not is_selector(found.value):
        raise PolicyError(f"{found.path} is no selector of labels")
    value: Mapping[str, Any] = found.value
    return value


def _fields(kind: Callable[..., _T], *names: str) -> Callable[[_Part], _T]:
    """Returns the reader of a kind whose arguments are texts."""
    return lambda part: kind(*map(part.text, names))


def _params(part: _Part) -> ParamRef:
    name, namespace, not_found = map(part.text, ("name", "namespace", "parameterNotFoundAction"))
    return ParamRef(name, namespace, _selector(part, "selector"), not_found)


def _validation(part: _Part) -> Validation:
    reason = part.text("reason") if part.value.get("reason") is not None else None
    return Validation(part.text("expression"), part.text("message"), part.text("messageExpression"), reason)


def _mutation(part: _Part) -> Mutation:
    apply, patch = part.optional("applyConfiguration"), part.optional("jsonPatch")
    return Mutation(
        part.text("patchType"),
        apply.text("expression") if apply else None,
        patch.text("expression") if patch else None,
    )


def _resources(part: _Part | None) -> MatchResources | None:
    if part is None:
        return None
    return MatchResources(
        part.each("resourceRules", _rule),
        part.each("excludeResourceRules", _rule),
        _selector(part, "namespaceSelector") or {},
        _selector(part, "objectSelector") or {},
        part.text("matchPolicy") or "Equivalent",
    )


def _rule(part: _Part) -> ResourceRule:
    operations, groups, versions, resources = map(part.texts, ("operations", "apiGroups", "apiVersions", "resources"))
    return ResourceRule(operations, groups, versions, resources, part.text("scope") or "*", part.texts("resourceNames"))


@dataclass(frozen=True, slots=True)
class _Part:
    """A mapping of a manifest and its path."""

    value: Any
    path: str

    def __post_init__(self) -> None:
        if not isinstance(self.value, Mapping):
            raise PolicyError(f"{self.path or 'the manifest'} is not an object")

    def object(self, name: str) -> _Part:
        found = self.value.get(name)
        return _Part({} if found is None else found, self._below(name))

    def optional(self, name: str) -> _Part | None:
        return None if self.value.get(name) is None else self.object(name)

    def text(self, name: str) -> str:
        found = self.value.get(name)
        if found is None:
            return ""
        if not isinstance(found, str):
            raise PolicyError(f"{self._below(name)} is not a string")
        return found

    def texts(self, name: str) -> tuple[str, ...]:
        found = self._list(name)
        if not all(isinstance(each, str) for each in found):
            raise PolicyError(f"{self._below(name)} has something that is not a string")
        return tuple(found)

    def each(self, name: str, read: Callable[[_Part], _T]) -> tuple[_T, ...]:
        return tuple(read(_Part(each, f"{self._below(name)}[{i}]")) for i, each in enumerate(self._list(name)))

    def _list(self, name: str) -> list[Any]:
        found = self.value.get(name)
        if found is None:
            return []
        if not isinstance(found, list):
            raise PolicyError(f"{self._below(name)} is not a list")
        return found

    def _below(self, name: str) -> str:
        return f"{self.path}.{name}".removeprefix(".")


#: Schemas of kinds, from their definitions.
Schemas = Mapping[GroupVersionKind, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class ExpressionWarning:
    """An entry of `status.typeChecking.expressionWarnings`."""

    field: str
    warning: str


def type_warnings(
    policy: Policy, kinds: Schemas, *, params: Mapping[str, Any] | None = None
) -> list[ExpressionWarning]:
    """Returns the warnings of the type checker.

    Args:
        policy: the policy, which is checked with each kind.
        kinds: schemas of the kinds that the policy matches.
        params: the schema of its parameters, if it is known.
    """
    found: list[ExpressionWarning] = []
    names = [(kind, _names(policy, kind, schema, params)) for kind, schema in sorted(kinds.items(), key=_order)]
    for i, validation in enumerate(policy.validations):
        for name, text in (("expression", validation.expression), ("messageExpression", validation.message_expression)):
            if name == "messageExpression" and not text:
                continue
            problems = [_problem(kind, known, text) for kind, known in names]
            told = "\n".join(filter(None, problems))
            if told:
                found.append(ExpressionWarning(f"spec.validations[{i}].{name}", told))
    return found


def _order(pair: tuple[GroupVersionKind, Any]) -> tuple[str, str, str]:
    kind = pair[0]
    return kind.group, kind.version, kind.kind


def _names(
    policy: Policy, kind: GroupVersionKind, schema: Mapping[str, Any], params: Mapping[str, Any] | None
) -> Names:
    """Returns the names that expressions see, with the variables of the policy."""
    parameters = (
        find_types(params, policy.param_kind.kind) if params is not None and policy.param_kind is not None else None
    )
    names = Names(
        policy.param_kind is not None,
        find_types(schema, kind.kind),
        parameters,
        minor=NEWEST,
        stored=True,
    )
    for variable in policy.variables:
        checked, _ = type_checked(variable.expression, names.environment(), minor=names.minor)
        names.add(variable.name, checked.type if checked is not None else None)
    return names


def _problem(kind: GroupVersionKind, names: Names, text: str) -> str:
    _, problem = type_checked(text, names.environment(), minor=names.minor)
    version = f"{kind.group}/{kind.version}" if kind.group else kind.version
    return f"{version}, Kind={kind.kind}: {problem}\n" if problem else ""
