"""Policies and bindings as objects, one pair for each kind and version, or several where one budget is too small.

A policy leaves the markers of other generators to the schema of a definition. It limits the sizes of values to the
largest that it accepts: implied limits count as well as explicit ones. A text that matches `[a-f]{8}` has at most 8
characters, and a set of enum values has at most as many items as the enum.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from validation_gen.emit.checkwalk import Gap
from validation_gen.emit.policies import PolicyOptions
from validation_gen.emit.policies.budget import Excess, Priced, distribute
from validation_gen.emit.policies.defaults import defaults
from validation_gen.emit.policies.value_ref import ROOT, ValueRef
from validation_gen.emit.policies.walk import Walker, find_called_types
from validation_gen.emit.schema import SchemaOptions
from validation_gen.emit.schema.resources import Definition, ResourceEmitter
from validation_gen.ir import ListOf, MapOf, PackagePlan, PointerTo, Program, Root, SchemaNotes, Shape, StructRef
from validation_gen.kubernetes.admission.environment import Names, find_types

#: Keywords that refuse values.
_LIMITS = frozenset(
    (
        *("maximum", "minimum", "exclusiveMaximum", "exclusiveMinimum", "multipleOf", "pattern", "enum", "uniqueItems"),
        *("maxLength", "minLength", "maxItems", "minItems", "maxProperties", "minProperties"),
        *("allOf", "anyOf", "oneOf", "not"),
    )
)


def has_markers(program: Program, type: str) -> bool:
    """Returns whether markers constrain values of a type beyond its tags."""
    seen: set[str] = set()
    waiting = [type]
    while waiting:
        plan = program.types.get(waiting.pop())
        if plan is None or plan.id in seen:
            continue
        seen.add(plan.id)
        notes = (plan.notes, *(member.notes for member in plan.fields))
        if any(_refuses(note) for note in notes):
            return True
        waiting += filter(None, (*find_called_types(plan), *(_struct(member.shape) for member in plan.fields)))
    return False


def _refuses(notes: SchemaNotes) -> bool:
    if notes.validations or any(name in _LIMITS and name not in notes.ruled for name in notes.keywords):
        return True
    return any(_refuses(part) for part in _parts(notes))


def _parts(notes: SchemaNotes) -> Iterator[SchemaNotes]:
    yield from (part for part in (notes.items, notes.values) if part is not None)
    yield from notes.properties.values()


def _struct(shape: Shape) -> str:
    while isinstance(shape, PointerTo | ListOf | MapOf):
        shape = shape.elem
    return shape.id if isinstance(shape, StructRef) else ""


try:
    from re import _parser as parsing  # a private module of Python
except ImportError:  # Python 3.10
    import sre_parse as parsing

#: A longer text is as good as one without a limit.
_LONGEST = 1 << 20


def add_limits(schema: dict[str, Any]) -> dict[str, Any]:
    """Returns a schema with the limits that its other keywords imply."""
    found = dict(schema)
    match found.get("type"):
        case "string":
            _limit_text(found)
        case "array":
            items = found.get("items")
            if isinstance(items, dict):
                found["items"] = add_limits(items)
                _limit_list(found, found["items"])
        case "object":
            if isinstance(found.get("properties"), dict):
                found["properties"] = {name: add_limits(part) for name, part in found["properties"].items()}
            if isinstance(found.get("additionalProperties"), dict):
                found["additionalProperties"] = add_limits(found["additionalProperties"])
    return found


def _limit_text(schema: dict[str, Any]) -> None:
    patterns = [schema.get("pattern"), *(part.get("pattern") for part in schema.get("allOf") or ())]
    longest = [most for pattern in patterns if isinstance(pattern, str) and (most := _longest(pattern)) is not None]
    if longest:
        schema["maxLength"] = min([*longest, schema.get("maxLength", _LONGEST)])


def _longest(pattern: str) -> int | None:
    """Returns the most characters of a text that matches as a whole; `None` if that is not known."""
    if not pattern.startswith("^") or not pattern.endswith("$") or pattern.endswith("\\$"):
        return None
    try:
        parsed = parsing.parse(pattern)
    except (re.error, RecursionError, OverflowError):
        return None
    if any(str(operation) == "BRANCH" for operation, _ in parsed.data):
        return None  # one way may have no anchor
    most = int(parsed.getwidth()[1])
    return most if most < _LONGEST else None


def _limit_list(schema: dict[str, Any], items: dict[str, Any]) -> None:
    values = items.get("enum")
    if schema.get("x-kubernetes-list-type") == "set" and isinstance(values, list):
        schema["maxItems"] = min(len(values), schema.get("maxItems", len(values)))


API_VERSION = "admissionregistration.k8s.io/v1"


@dataclass(slots=True)
class KindPolicies:
    """Output for one kind: objects, and the rules that are left to validators.

    `rules` are the tags in policies, in their order. `mutating` are objects that fill in `defaults`. `alone`: there are
    no other versions of the kind. `marked`: the schema of the definition has further constraints from markers.
    """

    package: PackagePlan
    root: Root
    plural: str
    alone: bool = True
    objects: list[dict[str, Any]] = field(default_factory=list)
    rules: list[str] = field(default_factory=list)
    gaps: list[Gap] = field(default_factory=list)
    excesses: list[Excess] = field(default_factory=list)
    mutating: list[dict[str, Any]] = field(default_factory=list)
    marked: bool = False
    defaults: list[str] = field(default_factory=list)

    @property
    def file(self) -> str:
        return f"{self.package.group or 'core'}_{self.package.version}_{self.plural}.yaml"

    @property
    def defaults_file(self) -> str:
        return self.file.replace(".yaml", "_defaults.yaml")


def build_kind_policies(
    program: Program, definitions: Sequence[Definition], schemas: SchemaOptions, options: PolicyOptions
) -> list[KindPolicies]:
    """Returns the policies of all kinds, in the order of their groups, names and versions."""
    emitter = ResourceEmitter(program, schemas)
    found = []
    for definition in definitions:
        for package, root in definition.versions:
            kind = KindPolicies(package, root, definition.plural, len(definition.versions) == 1)
            kind.marked = has_markers(program, root.type)
            _validating(kind, program, emitter, schemas, options)
            if options.defaults:
                _mutating(kind, emitter, options)
            found.append(kind)
    return found


def _validating(
    kind: KindPolicies, program: Program, emitter: ResourceEmitter, schemas: SchemaOptions, options: PolicyOptions
) -> None:
    walker = Walker(program, schemas)
    walker.type(kind.root.type, ValueRef(ROOT, StructRef(kind.root.type)))
    names = make_names(emitter, kind.root)
    parts, kind.excesses = distribute(walker.found, names, keep=options.costly == "keep")
    kind.gaps = walker.gaps
    for number, part in enumerate(parts, 1):
        name = _name(kind, options, number)
        kind.rules += [each.validation.tag.text for each in part]
        kind.objects += [_policy(kind, name, part, options, walker.shared), _binding(name, options)]


def _mutating(kind: KindPolicies, emitter: ResourceEmitter, options: PolicyOptions) -> None:
    """Writes the policy that fills in defaults, if there are any."""
    found = defaults(emitter.schema(kind.root).as_json())
    if not found:
        return
    name = _name(kind, options, 1)
    mutations = [{"patchType": "JSONPatch", "jsonPatch": {"expression": each.expression}} for each in found]
    policy = {
        "apiVersion": API_VERSION,
        "kind": "MutatingAdmissionPolicy",
        "metadata": {"name": name},
        "spec": {
            "failurePolicy": options.failure_policy,
            "matchConstraints": constraints(kind, ("CREATE", "UPDATE")),
            "reinvocationPolicy": "IfNeeded",
            "mutations": mutations,
        },
    }
    kind.defaults = [each.path for each in found]
    kind.mutating = [policy, _binding(name, options, mutates=True)]


def make_names(emitter: ResourceEmitter, root: Root) -> Names:
    """Returns the names that expressions see, with types by the schema of the kind."""
    return Names(object_type=find_types(add_limits(emitter.schema(root).as_json()), root.kind))


def _name(kind: KindPolicies, options: PolicyOptions, number: int) -> str:
    group = f".{kind.package.group}" if kind.package.group else ""
    name = f"{options.prefix}{kind.plural}.{kind.package.version}{group}"
    return name if number == 1 else f"{name}-{number}"


def constraints(kind: KindPolicies, operations: Sequence[str]) -> dict[str, Any]:
    """Returns the requests that match a policy of a kind.

    If each version has its own policy, requests are matched in their original version.
    """
    subresources = [each for each in kind.root.subresources if each not in ("/", "/scale")]
    resources = [kind.plural, *(f"{kind.plural}{each}" for each in subresources)]
    return {
        "matchPolicy": "Equivalent" if kind.alone else "Exact",
        "resourceRules": [
            {
                "apiGroups": [kind.package.group],
                "apiVersions": [kind.package.version],
                "operations": [*operations],
                "resources": resources,
            }
        ],
    }


def _policy(
    kind: KindPolicies, name: str, part: Sequence[Priced], options: PolicyOptions, shared: Mapping[str, str]
) -> dict[str, Any]:
    spec: dict[str, Any] = {
        "failurePolicy": options.failure_policy,
        "matchConstraints": constraints(kind, ("CREATE", "UPDATE")),
    }
    variables: dict[str, str] = {}
    known: dict[str, str] = {}
    for text, variable in shared.items():
        if sum(text in (each.validation.listing or each.validation.expression) for each in part) > 1:
            free = _free(variable, variables)
            known[text] = f"variables.{free}"
            variables[free] = text
    validations = [_validation(each, variables, known) for each in part]
    if variables:
        spec["variables"] = [{"name": name, "expression": text} for name, text in variables.items()]
    spec["validations"] = validations
    return {
        "apiVersion": API_VERSION,
        "kind": "ValidatingAdmissionPolicy",
        "metadata": {"name": name},
        "spec": spec,
    }


def _validation(priced: Priced, variables: dict[str, str], known: Mapping[str, str]) -> dict[str, Any]:
    """Returns a validation.

    For lists, the invalid items become a variable. `known`: variables for conditions, by their text.
    """
    validation = priced.validation
    for text, name in known.items():
        listing, whole = validation.listing.replace(f"({text})", name), validation.expression
        validation = replace(validation, listing=listing.replace(text, name), expression=whole.replace(text, name))
    expression, message = validation.expression, validation.message_expression
    if validation.listing:
        name = _free(validation.name, variables)
        variables[name] = validation.listing
        expression, message = f"variables.{name}.size() == 0", f"variables.{name}[0]"
    found: dict[str, Any] = {"expression": expression, "message": _line(validation.message)}
    if message:
        found["messageExpression"] = message
    found["reason"] = "Invalid"
    return found


def _free(name: str, variables: Mapping[str, str]) -> str:
    """Returns a name that no variable has."""
    number, found = 1, name
    while found in variables:
        number += 1
        found = f"{name}_{number}"
    return found


def _line(text: str) -> str:
    """Returns a message, which may not have line breaks."""
    return " ".join(text.split())


def _binding(name: str, options: PolicyOptions, *, mutates: bool = False) -> dict[str, Any]:
    spec: dict[str, Any] = {"policyName": name}
    if options.spared:
        selector = {"key": "kubernetes.io/metadata.name", "operator": "NotIn", "values": [*options.spared]}
        spec["matchResources"] = {"namespaceSelector": {"matchExpressions": [selector]}}
    if not mutates:
        spec["validationActions"] = [*options.actions]
    return {
        "apiVersion": API_VERSION,
        "kind": f"{'Mutating' if mutates else 'Validating'}AdmissionPolicyBinding",
        "metadata": {"name": name},
        "spec": spec,
    }
