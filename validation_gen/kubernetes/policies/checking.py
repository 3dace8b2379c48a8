"""Errors of the API server for a policy or a binding when it is created, and for the requests that it names.

Source of the behaviour: `pkg/apis/admissionregistration/validation/validation.go` of Kubernetes, for objects that have
the defaults of their version (`reading` fills them in).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from validation_gen.kubernetes.admission.compiling import (
    ANNOTATION,
    CONDITION,
    MESSAGE,
    check_qualified_name,
    compile_errors,
    compile_expression,
    condition_errors,
)
from validation_gen.kubernetes.admission.environment import Names
from validation_gen.kubernetes.admission.selectors import MATCH_POLICIES, rule_errors, selector_errors
from validation_gen.kubernetes.cel.declarations import NEWEST
from validation_gen.kubernetes.cel.tree import RESERVED
from validation_gen.kubernetes.cel.types import Type
from validation_gen.kubernetes.crd.schema_path import under
from validation_gen.kubernetes.crd.stored_metadata import metadata_errors
from validation_gen.kubernetes.formats import valueformats
from validation_gen.kubernetes.policies.mutations import APPLY, PATCH
from validation_gen.kubernetes.policies.reading import (
    GROUP,
    KINDS,
    AuditAnnotation,
    Binding,
    MatchResources,
    Mutation,
    Named,
    ParamKind,
    ParamRef,
    Policy,
    PolicyError,
    Validation,
    read_binding,
    read_policy,
)
from validation_gen.runtime import names as known_names
from validation_gen.runtime.errors import FieldError

_MUTATING = ("*", "CONNECT", "CREATE", "UPDATE")


def resource_errors(resources: MatchResources, path: str) -> _Errors:
    """Yields the errors of match resources."""
    if resources.match_policy not in MATCH_POLICIES:
        yield FieldError.not_supported(f"{path}.matchPolicy", resources.match_policy, MATCH_POLICIES)
    yield from selector_errors(resources.namespaces, f"{path}.namespaceSelector")
    yield from selector_errors(resources.objects, f"{path}.objectSelector")
    for i, rule in enumerate(resources.rules):
        yield from rule_errors(rule, f"{path}.resourceRules[{i}]")
    for i, rule in enumerate(resources.excluded):
        yield from rule_errors(rule, f"{path}.excludeResourceRules[{i}]")


def check_targets(resources: MatchResources, path: str) -> _Errors:
    """Yields the errors of operations without an object to change."""
    for rule in resources.rules:
        for operation in rule.operations:
            if operation not in _MUTATING:
                yield FieldError.not_supported(f"{path}.resourceRules.operations", operation, _MUTATING)


FAILURE_POLICIES = ("Fail", "Ignore")
ACTIONS = ("Audit", "Deny", "Warn")
REASONS = ("Forbidden", "Invalid", "RequestEntityTooLarge")
REINVOCATIONS = ("IfNeeded", "Never")
PATCH_TYPES = ("ApplyConfiguration", "JSONPatch")
_MOST_ANNOTATIONS, _LONGEST_VALUE = 20, 5 * 1024
_IDENTIFIER = re.compile(r"[_a-zA-Z][_a-zA-Z0-9]*", re.ASCII)
_BREAKS = re.compile(r"[\n\r]")
_Errors = Iterator[FieldError]


def policy_errors(policy: Policy, *, minor: int = NEWEST) -> list[FieldError]:
    """Returns the errors of a policy.

    Expressions may use the functions of 1.`minor`, the release before the server's.
    """
    return [*_policy(policy, minor)]


def binding_errors(binding: Binding) -> list[FieldError]:
    """Returns the errors of a binding."""
    return [*_binding(binding)]


# --- policies ---------------------------------------------------------------------------------------------------------


def _policy(policy: Policy, minor: int) -> _Errors:
    yield from _metadata(policy.metadata)
    if policy.failure_policy not in FAILURE_POLICIES:
        yield FieldError.not_supported("spec.failurePolicy", policy.failure_policy, sorted(FAILURE_POLICIES))
    names = Names(policy.param_kind is not None, minor=minor)
    if policy.param_kind is not None:
        yield from _param_kind(policy.param_kind, "spec.paramKind")
    if policy.constraints is None:
        yield FieldError.required("spec.matchConstraints")
    else:
        yield from resource_errors(policy.constraints, "spec.matchConstraints")
        if not policy.constraints.rules:
            yield FieldError.required("spec.matchConstraints.resourceRules")
        if policy.mutates:
            yield from check_targets(policy.constraints, "spec.matchConstraints")
    conditions = ((each.name, each.expression) for each in policy.conditions)
    yield from condition_errors(conditions, names, "spec.matchConditions")
    for i, variable in enumerate(policy.variables):
        yield from _variable(variable, names, f"spec.variables[{i}]")
    yield from (_mutations(policy, names) if policy.mutates else _validations(policy, names))


def _validations(policy: Policy, names: Names) -> _Errors:
    if not policy.validations and not policy.annotations:
        needed = "validations or auditAnnotations must contain at least one item"
        yield FieldError.required("spec.validations", needed)
        yield FieldError.required("spec.auditAnnotations", needed)
        return
    for i, validation in enumerate(policy.validations):
        yield from _validation(validation, names, f"spec.validations[{i}]")
    if len(policy.annotations) > _MOST_ANNOTATIONS:
        detail = f"must not have more than {_MOST_ANNOTATIONS} auditAnnotations"
        shown = [{"key": each.key, "valueExpression": each.expression} for each in policy.annotations]
        yield FieldError.invalid("spec.auditAnnotations", shown, detail)
    seen: set[str] = set()
    for i, annotation in enumerate(policy.annotations):
        path = f"spec.auditAnnotations[{i}]"
        yield from _annotation(policy.name, annotation, names, path)
        if annotation.key in seen:
            yield FieldError.duplicate(f"{path}.key", annotation.key)
        seen.add(annotation.key)


def _param_kind(kind: ParamKind, path: str) -> _Errors:
    version = kind.api_version
    if not version:
        yield FieldError.required(f"{path}.apiVersion")
    elif version.count("/") > 1:
        yield FieldError.invalid(f"{path}.apiVersion", version, f"unexpected GroupVersion string: {version}")
    else:
        group, _, name = ("", "", "") if version == "/" else version.rpartition("/")
        if group and (problems := valueformats.subdomain(group)):
            yield FieldError.invalid(f"{path}.apiVersion", group, ",".join(problems))
        if not name:
            yield FieldError.invalid(f"{path}.apiVersion", version, "version must be specified")
        elif problems := valueformats.label_1035(name):
            yield FieldError.invalid(f"{path}.apiVersion", name, ",".join(problems))
    if not kind.kind:
        yield FieldError.required(f"{path}.kind")
    elif problems := valueformats.label_1035(kind.kind.lower()):
        detail = f"may have mixed case, but should otherwise match: {','.join(problems)}"
        yield FieldError.invalid(f"{path}.kind", kind.kind, detail)


def _variable(variable: Named, names: Names, path: str) -> _Errors:
    if not variable.name.strip():
        yield FieldError.required(f"{path}.name", "name is not specified")
    elif not _IDENTIFIER.fullmatch(variable.name) or variable.name in RESERVED:
        yield FieldError.invalid(f"{path}.name", variable.name, "name is not a valid CEL identifier")
    if not variable.expression.strip():
        yield FieldError.required(f"{path}.expression", "expression is not specified")
        return
    found = compile_expression(variable.expression, names.environment(), minor=names.minor)
    names.add(variable.name, found.type)
    yield from compile_errors(found, f"{path}.expression")


def _validation(validation: Validation, names: Names, path: str) -> _Errors:
    variables = bool(names.variables)
    if not validation.expression.strip():
        yield FieldError.required(f"{path}.expression", "expression is not specified")
    else:
        yield from _expression(validation.expression, names, CONDITION, f"{path}.expression", variables=variables)
    said = validation.message_expression
    if said and not said.strip():
        yield FieldError.invalid(f"{path}.messageExpression", said, "must be non-empty if specified")
    elif said:
        environment = names.environment(authorizer=False, variables=variables)
        yield from compile_errors(
            compile_expression(said, environment, MESSAGE, minor=names.minor), f"{path}.messageExpression"
        )
    message = validation.message
    if message and not message.strip():
        yield FieldError.invalid(f"{path}.message", message, "message must be non-empty if specified")
    elif _BREAKS.search(message.strip()):
        yield FieldError.invalid(f"{path}.message", message, "message must not contain line breaks")
    if validation.reason is not None and validation.reason not in REASONS:
        yield FieldError.not_supported(f"{path}.reason", validation.reason, sorted(REASONS))


def _annotation(policy: str, annotation: AuditAnnotation, names: Names, path: str) -> _Errors:
    if policy:
        yield from check_qualified_name(f"{policy}/{annotation.key}", f"{path}.key")
    else:
        yield FieldError.invalid(f"{path}.key", annotation.key, "requires metadata.name be non-empty")
    text = annotation.expression.strip()
    if not text:
        yield FieldError.required(f"{path}.valueExpression", "valueExpression is not specified")
    elif known_names.byte_count(text) > _LONGEST_VALUE:
        yield FieldError.required(f"{path}.valueExpression", f"must not exceed {_LONGEST_VALUE} bytes in length")
    else:
        yield from _expression(text, names, ANNOTATION, f"{path}.valueExpression", variables=bool(names.variables))


def _mutations(policy: Policy, names: Names) -> _Errors:
    if not policy.mutations:
        yield FieldError.required("spec.mutations", "mutations must contain at least one item")
    for i, mutation in enumerate(policy.mutations):
        yield from _mutation(mutation, names, f"spec.mutations[{i}]")
    if not policy.reinvocation:
        yield FieldError.required("spec.reinvocationPolicy")
    elif policy.reinvocation not in REINVOCATIONS:
        yield FieldError.not_supported("spec.reinvocationPolicy", policy.reinvocation, sorted(REINVOCATIONS))


def _mutation(mutation: Mutation, names: Names, path: str) -> _Errors:
    if not mutation.patch_type:
        yield FieldError.required(f"{path}.patchType")
        return
    if mutation.patch_type not in PATCH_TYPES:
        yield FieldError.not_supported(f"{path}.patchType", mutation.patch_type, sorted(PATCH_TYPES))
        return
    applies = mutation.patch_type == "ApplyConfiguration"
    own, other = ("applyConfiguration", "jsonPatch") if applies else ("jsonPatch", "applyConfiguration")
    mine, foreign = (mutation.apply, mutation.json_patch) if applies else (mutation.json_patch, mutation.apply)
    if mine is None:
        yield FieldError.required(f"{path}.{own}", f"must be specified when patchType is {mutation.patch_type}")
    elif not mine.strip():
        yield FieldError.required(f"{path}.{own}.expression", "expression is not specified")
    else:
        environment = names.environment(patches=True)
        results = APPLY if applies else PATCH
        yield from compile_errors(
            compile_expression(mine, environment, results, minor=names.minor), f"{path}.{own}.expression"
        )
    if foreign is not None:
        detail = f"must not be specified when patchType is {mutation.patch_type}"
        yield FieldError.invalid(f"{path}.{other}", f"{{{other}}}", detail)


# --- bindings ---------------------------------------------------------------------------------------------------------


def _binding(binding: Binding) -> _Errors:
    yield from _metadata(binding.metadata)
    if not binding.policy:
        yield FieldError.required("spec.policyName")
    else:
        for problem in known_names.dns_subdomain(binding.policy):
            yield FieldError.invalid("spec.policyName", binding.policy, problem)
    if binding.params is not None:
        yield from _param_ref(binding.params)
    if binding.resources is not None:
        # The server's text is like this.
        yield from resource_errors(
            binding.resources, "spec.matchResources" if binding.mutates else "spec.matchResouces"
        )
        if binding.mutates:
            yield from check_targets(binding.resources, "spec.matchResources")
    if not binding.mutates:
        yield from _actions(binding.actions)


def _actions(actions: Sequence[str]) -> _Errors:
    path = "spec.validationActions"
    seen: set[str] = set()
    for i, action in enumerate(actions):
        if action not in ACTIONS:
            yield FieldError.not_supported(f"{path}[{i}]", action, sorted(ACTIONS))
        if action in seen:
            yield FieldError.duplicate(f"{path}[{i}]", action)
        seen.add(action)
    if {"Deny", "Warn"} <= seen:
        detail = "must not contain both Deny and Warn (repeating the same validation failure information in the API "
        yield FieldError.invalid(path, [*actions], f"{detail}response and headers serves no purpose)")
    if not seen:
        yield FieldError.required(path, "at least one validation action is required")


def _param_ref(ref: ParamRef) -> _Errors:
    path = "spec.paramRef"
    if ref.name:
        for problem in known_names.path_segment(ref.name):
            yield FieldError.invalid(f"{path}.name", ref.name, problem)
        if ref.selector is not None:
            yield FieldError.forbidden(f"{path}.name", "name and selector are mutually exclusive")
    if ref.selector is not None:
        yield from selector_errors(ref.selector, f"{path}.selector")
        if ref.name:
            yield FieldError.forbidden(f"{path}.selector", "name and selector are mutually exclusive")
    if not ref.name and ref.selector is None:
        yield FieldError.required(path, "one of name or selector must be specified")
    if not ref.not_found:
        yield FieldError.required(f"{path}.parameterNotFoundAction")
    elif ref.not_found not in ("Allow", "Deny"):
        yield FieldError.not_supported(f"{path}.parameterNotFoundAction", ref.not_found, ("Deny", "Allow"))


# --- expressions and names --------------------------------------------------------------------------------------------


def _expression(text: str, names: Names, results: Collection[Type], path: str, *, variables: bool) -> _Errors:
    yield from compile_errors(
        compile_expression(text, names.environment(variables=variables), results, minor=names.minor), path
    )


def _metadata(metadata: Mapping[str, Any]) -> _Errors:
    known = {key: _without_nulls(value) for key, value in metadata.items()}
    yield from under(metadata_errors(known, _object_name), ".metadata")


def _without_nulls(value: Any) -> Any:
    return {key: each for key, each in value.items() if each is not None} if isinstance(value, Mapping) else value


def _object_name(name: str, prefix: bool) -> list[str]:
    return [*known_names.dns_subdomain(f"{name}a" if prefix and name.endswith("-") else name)]


BINDING = "Binding"


def is_policy(obj: Any) -> bool:
    """Returns whether an object has the kind of a policy or a binding, in any version."""
    version, kind = (obj.get("apiVersion"), obj.get("kind")) if isinstance(obj, dict) else (None, None)
    return isinstance(version, str) and version.startswith(f"{GROUP}/") and isinstance(kind, str) and kind in KINDS


def problems(obj: dict[str, Any], *, minor: int = NEWEST) -> list[tuple[str, str]]:
    """Returns the API server's errors for an object that `is_policy`: path and text.

    Expressions may use the functions of 1.`minor`, the release before the server's. A reading error hides all others,
    and has no path.
    """
    try:
        if obj["kind"].endswith(BINDING):
            errors = binding_errors(read_binding(obj))
        else:
            errors = policy_errors(read_policy(obj), minor=minor)
    except PolicyError as problem:
        return [("", str(problem))]
    return [(error.field, str(error)) for error in errors]
