"""Evaluation of a MutatingAdmissionPolicy.

Source of the behaviour: `pkg/admission/plugin/policy/mutating` of `k8s.io/apiserver`. Changes by other plugins,
webhooks and defaults of a schema in between are not known here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from validation_gen.kubernetes.admission.compiling import Expression, compiled
from validation_gen.kubernetes.admission.environment import Names
from validation_gen.kubernetes.cel.declarations import NEWEST
from validation_gen.kubernetes.policies.conditions import matched
from validation_gen.kubernetes.policies.merging import MergeError, merged
from validation_gen.kubernetes.policies.mutations import APPLY, PATCH, UnfitError, applied, operations
from validation_gen.kubernetes.policies.patches import PatchError, TestFailedError, patched
from validation_gen.kubernetes.policies.reading import Policy
from validation_gen.kubernetes.policies.requests import Request
from validation_gen.kubernetes.policies.running import OutOfBudgetError, PolicyRun


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
        self.variables: dict[str, Expression] = {}
        for variable in policy.variables:
            found = compiled(variable.expression, names.environment(), minor=minor)
            names.add(variable.name, found.type)
            self.variables[variable.name] = found
        whole, patches = names.environment(), names.environment(patches=True)
        self.conditions = [compiled(each.expression, whole, minor=minor) for each in policy.conditions]
        self.mutations = [
            compiled(each.json_patch or "", patches, PATCH, minor=minor)
            if each.patch_type == "JSONPatch"
            else compiled(each.apply or "", patches, APPLY, minor=minor)
            for each in policy.mutations
        ]

    def mutate(self, request: Request, params: Any = None) -> Mutated:
        """Applies the policy to a request's object, without checking its constraints."""
        fails = self.policy.failure_policy != "Ignore"
        holds, problem, cost = matched(self.conditions, self.variables, request, params, fails=fails)
        if problem:
            return Mutated(request.object, (problem,), fails, cost)
        if not holds or request.object is None:
            return Mutated(request.object, cost=cost, matched=holds)
        found = request.object
        errors = []
        for mutation, expression in zip(self.policy.mutations, self.mutations, strict=True):
            run = PolicyRun(replace(request, object=found), params, self.variables)
            try:
                found = self._changed(found, mutation.patch_type, expression, run)
            except (OutOfBudgetError, UnfitError, PatchError, MergeError) as error:
                errors.append(str(error))
            cost += run.cost
        return Mutated(found, tuple(errors), bool(errors) and fails, cost)

    def _changed(self, obj: Any, patch_type: str, expression: Expression, run: PolicyRun) -> Any:
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
            return merged(obj, applied(result.value), self.schema)
        try:
            found = patched(obj, operations(result.value))
        except TestFailedError:
            return obj
        except PatchError as error:
            raise PatchError(f"JSON Patch: {error}") from None
        if not isinstance(found, dict):
            raise PatchError(f"JSON Patch: what it leaves is no object: {json.dumps(found)[:80]}")
        return found
