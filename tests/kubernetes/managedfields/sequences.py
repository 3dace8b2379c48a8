"""Random sequences of writes of several managers to one object of a random custom kind."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from random import Random
from typing import Any

from validation_gen.apiserver.resources import CustomResource
from validation_gen.kubernetes.crd.definition import read_definition
from validation_gen.kubernetes.managedfields import (
    BadApplyError,
    ConflictError,
    TypeConflictError,
    conflict_causes,
    conflict_message,
)
from validation_gen.kubernetes.objects.kinds import Kind

GROUP, KIND, NOW = "ex.com", "Thing", "2026-01-01T00:00:00Z"
_SCALARS: tuple[dict[str, Any], ...] = (
    {"type": "integer"},
    {"type": "string"},
    {"type": "boolean"},
    {"type": "number"},
    {"type": "string", "format": "date-time"},
    {"type": "string", "format": "byte"},
    {"x-kubernetes-int-or-string": True},
)
_STATUS = {
    "type": "object",
    "properties": {
        "n": {"type": "integer"},
        "c": {
            "type": "array",
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["t"],
            "items": {
                "type": "object",
                "required": ["t"],
                "properties": {"t": {"type": "string"}, "v": {"type": "string"}},
            },
        },
    },
}
_ANYTHING: tuple[Any, ...] = (1, "x", True, None, 1.5, 2.0, {}, [], {"z": 1}, ["q"], {"z": {"y": "w"}}, [{"k": "a"}])


class Drawing:
    """Draws schemas, values and sequences.

    Args:
        seed: the seed of everything.
        wrong: the share of values that do not fit their schema; None for a random one.
    """

    def __init__(self, seed: int, *, wrong: float | None = None) -> None:
        self.random = Random(seed)
        self.wrong = self.random.choice((0, 0, 0, 0.03, 0.08)) if wrong is None else wrong

    # --- schemas ------------------------------------------------------------------------------------------------------

    def schema(self, depth: int) -> dict[str, Any]:
        random, kind = self.random, self.random.random()
        if depth == 0 or kind < 0.25:
            return self._scalar()
        if kind < 0.32:
            return {"type": "array", "items": self.schema(0)}
        if kind < 0.42:
            items = random.choice(_SCALARS[:4])
            return {"type": "array", "items": dict(items), "x-kubernetes-list-type": "set"}
        if kind < 0.62:
            return self._map_list(depth)
        if kind < 0.68:
            found = {"type": "object", "additionalProperties": self.schema(depth - 1)}
            return {**found, **({"x-kubernetes-map-type": "atomic"} if random.random() < 0.3 else {})}
        keeps = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
        if kind < 0.73:
            return keeps
        if kind < 0.76:
            return {**keeps, "properties": {"a": self.schema(depth - 1)}}
        if kind < 0.79:
            return {**keeps, "x-kubernetes-embedded-resource": True}
        if kind < 0.81:
            return {"x-kubernetes-preserve-unknown-fields": True}
        return self.object_schema(depth - 1)

    def _scalar(self) -> dict[str, Any]:
        found = dict(self.random.choice(_SCALARS))
        chance = self.random.random()
        if chance < 0.15 and found.get("type") in ("integer", "string") and "format" not in found:
            found["default"] = 7 if found["type"] == "integer" else "given"
        elif chance < 0.25:
            found["nullable"] = True
        return found

    def object_schema(self, depth: int) -> dict[str, Any]:
        random = self.random
        names = random.sample("abcde", random.randint(1, 4))
        found: dict[str, Any] = {"type": "object", "properties": {name: self.schema(depth) for name in names}}
        if random.random() < 0.2:
            found["x-kubernetes-map-type"] = "atomic"
        if random.random() < 0.08:
            found["default"] = {}
        if random.random() < 0.08:
            found["nullable"] = True
        return found

    def _map_list(self, depth: int) -> dict[str, Any]:
        random = self.random
        keys = random.choice((["k"], ["k"], ["k", "p"]))
        items = self.object_schema(depth - 1)
        items["properties"]["k"] = {"type": "string"}
        if "p" in keys:
            given = {"type": "string", "default": "TCP"}
            items["properties"]["p"] = given if random.random() < 0.6 else {"type": "integer"}
        items["required"] = ["k"]
        if random.random() < 0.8:
            items.pop("x-kubernetes-map-type", None)
        return {
            "type": "array",
            "items": items,
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": keys,
        }

    def changed(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Returns a schema in which some parts have become atomic or are no longer."""
        found = copy.deepcopy(schema)
        random, waiting = self.random, [found]
        while waiting:
            part = waiting.pop()
            if part.get("type") == "object" and random.random() < 0.25 and part is not found:
                known = part.pop("x-kubernetes-map-type", None)
                part.update({} if known or len(part) == 1 else {"x-kubernetes-map-type": "atomic"})
            if part.get("type") == "array" and random.random() < 0.3:
                known = part.pop("x-kubernetes-list-type", None)
                part.pop("x-kubernetes-list-map-keys", None)
                if known is None and part["items"].get("type") in ("integer", "string"):
                    part["x-kubernetes-list-type"] = "set"
            waiting += (part.get("properties") or {}).values()
            waiting += [part[name] for name in ("items", "additionalProperties") if isinstance(part.get(name), dict)]
        return found

    # --- values -------------------------------------------------------------------------------------------------------

    def value(self, schema: Mapping[str, Any], wrong: float) -> Any:
        random, kind = self.random, schema.get("type")
        if random.random() < wrong:
            return copy.deepcopy(random.choice(_ANYTHING))
        if schema.get("nullable") and random.random() < 0.2:
            return None
        if schema.get("x-kubernetes-int-or-string"):
            return random.choice((1, 2, "1", "50%"))
        if kind == "array":
            return self._list(schema, wrong)
        if kind == "object":
            return self._object(schema, wrong)
        if kind == "string" and schema.get("format") == "date-time":
            return random.choice(("2020-01-01T00:00:00Z", "2021-01-01T00:00:00Z"))
        simple: dict[Any, tuple[Any, ...]] = {
            "integer": (1, 2, 3),
            "number": (1, 2.5, 3, 1.0, 2.0),
            "boolean": (True, False),
            "string": ("x", "y", "z"),
        }
        return copy.deepcopy(random.choice(simple.get(kind, _ANYTHING)))

    def _list(self, schema: Mapping[str, Any], wrong: float) -> list[Any]:
        random, kind = self.random, schema.get("x-kubernetes-list-type")
        items = [self.value(schema["items"], wrong) for _ in range(random.choice((0, 1, 2, 3)))]
        if kind == "map":
            keys = schema["x-kubernetes-list-map-keys"]
            for item in items:
                if isinstance(item, dict):
                    item[keys[0]] = random.choice("mno")
            named = [[item.get(key) if isinstance(item, dict) else item for key in keys] for item in items]
        else:
            named = [[item] for item in items]
        if kind is None or random.random() < 0.03 + wrong:
            return items
        texts = [json.dumps(names) for names in named]
        return [item for index, item in enumerate(items) if texts[index] not in texts[:index]]

    def _object(self, schema: Mapping[str, Any], wrong: float) -> dict[str, Any]:
        random = self.random
        found = {
            name: self.value(part, wrong)
            for name, part in (schema.get("properties") or {}).items()
            if random.random() < 0.55
        }
        additional = schema.get("additionalProperties")
        if isinstance(additional, dict):
            found.update({name: self.value(additional, wrong) for name in random.sample("fgh", random.randint(0, 2))})
        if schema.get("x-kubernetes-preserve-unknown-fields"):
            found.update({name: self.value({}, 1) for name in random.sample("fgh", random.randint(0, 2))})
        if schema.get("x-kubernetes-embedded-resource"):
            found.update(apiVersion="v1", kind="Part")
            if random.random() < 0.4:
                found["metadata"] = {"labels": {"l": random.choice("xy")}}
        if random.random() < wrong:
            found["unknown"] = 1
        return found

    # --- sequences ----------------------------------------------------------------------------------------------------

    def scenario(self) -> dict[str, Any]:
        """Returns a kind, in which schemas may change, and steps; updates take their objects from the one before."""
        random = self.random
        spec = self.object_schema(3)
        spec.pop("x-kubernetes-map-type", None)
        root = {"type": "object", "properties": {"spec": spec, "status": copy.deepcopy(_STATUS)}}
        versions = {"v1": root}
        if random.random() < 0.4:
            versions["v2"] = self.changed(root) if random.random() < 0.5 else root
        phases = [versions]
        if random.random() < 0.35:
            phases.append({name: self.changed(schema) for name, schema in versions.items()})
        return {"group": GROUP, "kind": KIND, "status": random.random() < 0.5, "phases": phases, "steps": []}

    def step(self, scenario: dict[str, Any], phase: int, live: dict[str, Any] | None) -> dict[str, Any]:
        random = self.random
        versions = scenario["phases"][phase]
        version = random.choice(list(versions))
        subresource = "status" if scenario["status"] and random.random() < 0.25 else ""
        operation = random.choice(("apply", "apply", "update"))
        wrong = self.wrong if operation == "apply" else 0
        parts = versions[version]["properties"]
        obj = self._named(f"{GROUP}/{version}")
        if operation == "update" and live is not None and random.random() < 0.6:
            obj = self._edited(live, parts["spec"], f"{GROUP}/{version}")
        else:
            if (subresource == "" or random.random() < 0.3) and random.random() < 0.9:
                obj["spec"] = self.value(parts["spec"], wrong)
            if subresource or random.random() < 0.2:
                obj["status"] = self.value(parts["status"], wrong)
        if operation == "update":
            obj["metadata"]["uid"] = "u"
            if random.random() < 0.04:
                obj["metadata"]["managedFields"] = random.choice(([], [{}]))
        return {
            "op": operation,
            "version": version,
            "subresource": subresource,
            "manager": random.choice(("m1", "m2", "m3")) if random.random() < 0.95 else f"m{random.randint(4, 20)}",
            "force": random.random() < 0.5,
            "obj": obj,
            "phase": phase,
        }

    def _named(self, api_version: str) -> dict[str, Any]:
        random = self.random
        meta: dict[str, Any] = {"name": "n"}
        if random.random() < 0.3:
            names = random.sample(["l1", "l2", "l3"], random.randint(0, 2))
            meta["labels"] = {name: random.choice("xy") for name in names}
        if random.random() < 0.1:
            meta["finalizers"] = random.sample(["f/a", "f/b", "f/c"], random.randint(0, 2))
        if random.random() < 0.1:
            owners = random.sample("uvw", random.randint(1, 2))
            meta["ownerReferences"] = [{"apiVersion": "v1", "kind": "P", "name": uid, "uid": uid} for uid in owners]
        return {"apiVersion": api_version, "kind": KIND, "metadata": meta}

    def _edited(self, live: dict[str, Any], schema: Mapping[str, Any], api_version: str) -> dict[str, Any]:
        random = self.random
        obj = {**copy.deepcopy(live), "apiVersion": api_version}
        obj["metadata"].pop("managedFields", None)
        spec = obj.get("spec") or {}
        new = self._object(schema, 0)
        spec.update({name: new[name] for name in random.sample(sorted(new), random.randint(0, min(2, len(new))))})
        obj["spec"] = {name: value for name, value in spec.items() if random.random() > 0.15}
        return obj


class Runner:
    """The answers of our field management in a scenario."""

    def __init__(self, scenario: Mapping[str, Any]) -> None:
        self.scenario = scenario
        self.resources = [_resource(scenario, versions) for versions in scenario["phases"]]
        self.live: dict[str, Any] | None = None

    def run(self, step: Mapping[str, Any]) -> dict[str, Any]:
        """Runs a step, and returns the object, or an error."""
        resource = self.resources[step["phase"]]
        fields = resource.fields(resource.kind.versions[step["version"]], step["subresource"])
        live = None if self.live is None else {**self.live, "apiVersion": f"{GROUP}/{step['version']}"}
        obj = copy.deepcopy(step["obj"])
        try:
            if step["op"] == "update":
                found = fields.update(live, obj, step["manager"], NOW)
            else:
                found = fields.apply(live, obj, step["manager"], NOW, force=step["force"])
        except ConflictError as problem:
            causes = [f"{cause['message']}: {cause['field']}" for cause in conflict_causes(problem)]
            return {"error": conflict_message(problem), "causes": sorted(causes)}
        except (BadApplyError, TypeConflictError) as problem:
            return {"error": str(problem)}
        self.live = copy.deepcopy(found)
        return {"object": self.live}


def _resource(scenario: Mapping[str, Any], versions: Mapping[str, Any]) -> CustomResource:
    definition = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"things.{GROUP}"},
        "spec": {
            "group": GROUP,
            "scope": "Cluster",
            "names": {"plural": "things", "kind": KIND},
            "versions": [
                {
                    "name": name,
                    "served": True,
                    "storage": name == "v1",
                    "schema": {"openAPIV3Schema": schema},
                    "subresources": {"status": {}} if scenario["status"] else {},
                }
                for name, schema in versions.items()
            ],
        },
    }
    return CustomResource(definition, Kind.from_definition(read_definition(definition)))


def draw(seed: int, *, steps: int, wrong: float | None = None) -> tuple[dict[str, Any], list[dict[str, Any]], Runner]:
    """Draws a sequence, and returns it with its answers and its end."""
    drawing = Drawing(seed, wrong=wrong)
    scenario = drawing.scenario()
    runner, answers = Runner(scenario), []
    for number in range(steps):
        phase = 0 if len(scenario["phases"]) == 1 or number < steps // 2 else 1
        step = drawing.step(scenario, phase, runner.live)
        scenario["steps"].append(step)
        answers.append(runner.run(step))
    return scenario, answers, runner
