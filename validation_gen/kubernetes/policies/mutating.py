"""Evaluates a MutatingAdmissionPolicy: `ApplyConfiguration` merges objects, `JSONPatch` changes them (RFC 6902).

A merge sets the given fields and leaves all others. Lists are atomic unless the schema makes them sets or maps: the
server refuses to change atomic values this way. No function changes its input. Changes by other plugins and webhooks
are not known here.

Source of the behaviour: `pkg/admission/plugin/policy/mutating` of `k8s.io/apiserver`.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from validation_gen.kubernetes.admission.compiling import Expression, compile_expression
from validation_gen.kubernetes.admission.environment import Names
from validation_gen.kubernetes.cel.declarations import NEWEST
from validation_gen.kubernetes.policies.mutations import APPLY, PATCH, UnfitError, operations, read_applied
from validation_gen.kubernetes.policies.reading import Policy
from validation_gen.kubernetes.policies.requests import (
    OutOfBudgetError,
    PolicyRun,
    Request,
    compile_variables,
    match_conditions,
)


class MergeError(ValueError):
    """An object that cannot be merged; the text has the reason."""


def merge(obj: Any, other: Mapping[str, Any], schema: Mapping[str, Any] | None) -> Any:
    """Merges an object into a copy of another one.

    Raises:
        MergeError: it would change an atomic value.
    """
    atomic: list[str] = []
    found = _merge(copy.deepcopy(obj), other, schema or {}, "", atomic)
    if atomic:
        message = ", ".join(atomic)
        text = f"invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: {message}"
        raise MergeError(f"error applying patch: {text}")
    return found


def _merge(one: Any, other: Any, schema: Mapping[str, Any], path: str, atomic: list[str]) -> Any:
    if isinstance(other, Mapping):
        if schema.get("x-kubernetes-map-type") == "atomic":
            atomic.append(path)
        result = dict(one) if isinstance(one, Mapping) else {}
        for name, part in other.items():
            inner = _part_schema(schema, name)
            result[name] = _merge(result.get(name), part, inner, f"{path}.{name}", atomic)
        return result
    if isinstance(other, list):
        kind = schema.get("x-kubernetes-list-type")
        known = one if isinstance(one, list) else []
        if kind == "set":
            return [*known, *(copy.deepcopy(each) for each in other if each not in known)]
        if kind == "map":
            return _merge_items(known, other, schema, path, atomic)
        atomic.append(path)
    return copy.deepcopy(other)


def _part_schema(schema: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    properties, values = schema.get("properties"), schema.get("additionalProperties")
    found = properties.get(name) if isinstance(properties, Mapping) else None
    found = values if found is None else found
    return found if isinstance(found, Mapping) else {}


def _merge_items(
    known: list[Any], other: list[Any], schema: Mapping[str, Any], path: str, atomic: list[str]
) -> list[Any]:
    """Merges items that have the same keys, and adds others."""
    keys = schema.get("x-kubernetes-list-map-keys") or ()
    items = schema.get("items")
    inner = items if isinstance(items, Mapping) else {}
    result = list(known)
    for part in other:
        at = next((i for i, each in enumerate(result) if _same_keys(each, part, keys)), None)
        if at is None:
            result.append(_merge({}, part, inner, f"{path}[]", atomic))
        else:
            result[at] = _merge(result[at], part, inner, f"{path}[]", atomic)
    return result


def _same_keys(one: Any, other: Any, keys: Any) -> bool:
    if not isinstance(one, Mapping) or not isinstance(other, Mapping):
        return False
    return all(one.get(key) == other.get(key) for key in keys)


_OPERATIONS = ("add", "remove", "replace", "move", "copy", "test")


class PatchError(ValueError):
    """A patch that cannot be applied; the text has the reason."""


class TestFailedError(PatchError):
    """A `test` of a patch that fails, so that nothing of the patch is applied."""

    __test__ = False


def patch(document: Any, operations: Iterable[Mapping[str, Any]]) -> Any:
    """Applies a patch to a copy of a document.

    Raises:
        TestFailedError: a `test` does not hold.
        PatchError: an operation cannot be applied.
    """
    found = copy.deepcopy(document)
    for operation in operations:
        found = _apply(found, operation)
    return found


def _apply(document: Any, operation: Mapping[str, Any]) -> Any:
    kind = operation.get("op")
    if kind not in _OPERATIONS:
        raise PatchError(f"Unexpected kind: {kind}")
    path = _steps(operation.get("path", ""))
    if kind in ("move", "copy"):
        source = _steps(operation.get("from", ""))
        value = copy.deepcopy(_find(document, source, kind))
        if kind == "move":
            document = _remove(document, source)
        return _add(document, path, value)
    if kind == "test":
        if not _same(_find(document, path, kind), operation.get("value")):
            raise TestFailedError(f"testing value {operation.get('path')} failed: test failed")
        return document
    if kind == "remove":
        return _remove(document, path)
    value = copy.deepcopy(operation.get("value"))
    if kind == "replace":
        _find(document, path, kind)
        return _replace(document, path, value)
    return _add(document, path, value)


def _steps(pointer: Any) -> list[str]:
    if not isinstance(pointer, str) or (pointer and not pointer.startswith("/")):
        raise PatchError(f"{pointer!r:.80} is not a JSON pointer")
    return [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]


def _find(document: Any, steps: list[str], kind: str) -> Any:
    for step in steps:
        document = _part(document, step, kind)
    return document


def _part(value: Any, step: str, kind: str) -> Any:
    if isinstance(value, dict) and step in value:
        return value[step]
    if isinstance(value, list) and (index := _index(step)) is not None and index < len(value):
        return value[index]
    raise PatchError(f"{kind} operation does not apply: doc is missing key: {step}: missing value")


def _index(step: str) -> int | None:
    plain = step.isascii() and step.isdigit() and len(step) < 10 and (step == "0" or not step.startswith("0"))
    return int(step) if plain else None


def _parent(document: Any, steps: list[str], kind: str) -> Any:
    found = _find(document, steps[:-1], kind)
    if not isinstance(found, dict | list):
        raise PatchError(f"{kind} operation does not apply: doc is missing path: /{'/'.join(steps)}: missing value")
    return found


def _add(document: Any, steps: list[str], value: Any) -> Any:
    if not steps:
        return value
    parent, step = _parent(document, steps, "add"), steps[-1]
    if isinstance(parent, dict):
        parent[step] = value
        return document
    index = len(parent) if step == "-" else _index(step)
    if index is None or index > len(parent):
        raise PatchError(
            f"add operation does not apply: Unable to access invalid index: {step}: invalid index referenced"
        )
    parent.insert(index, value)
    return document


def _replace(document: Any, steps: list[str], value: Any) -> Any:
    if not steps:
        return value
    parent, step = _parent(document, steps, "replace"), steps[-1]
    parent[step if isinstance(parent, dict) else int(step)] = value
    return document


def _remove(document: Any, steps: list[str]) -> Any:
    if not steps:
        raise PatchError("remove operation does not apply: the whole document cannot be removed")
    _find(document, steps, "remove")
    parent, step = _parent(document, steps, "remove"), steps[-1]
    del parent[step if isinstance(parent, dict) else int(step)]
    return document


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(value, other[key]) for key, value in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return type(one) is type(other) and bool(one == other)


@dataclass(frozen=True, slots=True)
class Mutated:
    """Result of a request: the object, the errors, and the cost.

    `refused`: the request is refused for an error, by the failure policy.
    """

    object: Any
    errors: tuple[str, ...] = ()
    refused: bool = False
    cost: int = 0
    matched: bool = True


class Mutator:
    """A compiled policy. `schema` decides how objects are merged into lists and maps."""

    def __init__(self, policy: Policy, *, schema: Mapping[str, Any] | None = None, minor: int = NEWEST) -> None:
        self.policy = policy
        self.schema = schema
        names = Names(policy.param_kind is not None, minor=minor, stored=True)
        self.variables = compile_variables(policy, names)
        whole, patches = names.environment(), names.environment(patches=True)
        self.conditions = [compile_expression(each.expression, whole, minor=minor) for each in policy.conditions]
        self.mutations = [
            compile_expression(each.json_patch or "", patches, PATCH, minor=minor)
            if each.patch_type == "JSONPatch"
            else compile_expression(each.apply or "", patches, APPLY, minor=minor)
            for each in policy.mutations
        ]

    def with_schema(self, schema: Mapping[str, Any] | None) -> Mutator:
        """Returns the policy for objects of another schema, without compiling it again."""
        found = copy.copy(self)
        found.schema = schema
        return found

    def mutate(self, request: Request, params: Any = None, *, revise: Callable[[Any], Any] | None = None) -> Mutated:
        """Applies the policy to a request's object, without checking its constraints.

        Args:
            request: the request.
            params: the parameters.
            revise: is called with the object after each mutation, and returns it with the defaults of its type.
        """
        fails = self.policy.failure_policy != "Ignore"
        holds, problem, cost = match_conditions(self.conditions, self.variables, request, params, fails=fails)
        if problem:
            return Mutated(request.object, (problem,), fails, cost)
        if not holds or request.object is None:
            return Mutated(request.object, cost=cost, matched=holds)
        found = request.object
        errors = []
        for mutation, expression in zip(self.policy.mutations, self.mutations, strict=True):
            run = PolicyRun(replace(request, object=found), params, self.variables)
            try:
                changed = self._apply_mutation(found, mutation.patch_type, expression, run)
                found = changed if revise is None else revise(changed)
            except (OutOfBudgetError, UnfitError, PatchError, MergeError) as error:
                errors.append(str(error))
            cost += run.cost
        return Mutated(found, tuple(errors), bool(errors) and fails, cost)

    def _apply_mutation(self, obj: Any, patch_type: str, expression: Expression, run: PolicyRun) -> Any:
        """Returns the object after one mutation.

        Raises:
            OutOfBudgetError: the expression costs too much.
            UnfitError: it fails, or its result cannot be a patch.
            PatchError: the patch cannot be applied.
            MergeError: its result cannot be merged into the object.
        """
        result = run.result(expression)
        if result.error:
            raise UnfitError(result.error)
        if patch_type != "JSONPatch":
            return merge(obj, read_applied(result.value), self.schema)
        try:
            found = patch(obj, operations(result.value))
        except TestFailedError:
            return obj
        except PatchError as error:
            raise PatchError(f"JSON Patch: {error}") from None
        if not isinstance(found, dict):
            raise PatchError(f"JSON Patch: what it leaves is not an object: {json.dumps(found)[:80]}")
        return found
