"""Random strategic merge patches of pods and service accounts, with all directives."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from random import Random
from typing import Any

from validation_gen.kubernetes.strategicmerge import METADATA

_TEXT, _TEXTS = {"type": "string"}, {"type": "array", "items": {"type": "string"}}
_MAP = {"type": "object", "additionalProperties": _TEXT}


def _struct(name: str, /, **fields: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "object", "x-go-type": name, "properties": fields}


def _list(items: Mapping[str, Any], strategy: str = "", key: str = "") -> dict[str, Any]:
    found: dict[str, Any] = {"type": "array", "items": items}
    if strategy:
        found["x-kubernetes-patch-strategy"] = strategy
    if key:
        found["x-kubernetes-patch-merge-key"] = key
    return found


_NUMBER = {"type": "integer"}
_REFERENCE = _struct("LocalObjectReference", name=_TEXT)
_CONTAINER = _struct(
    "Container",
    name=_TEXT,
    image=_TEXT,
    args=_TEXTS,
    env=_list(_struct("EnvVar", name=_TEXT, value=_TEXT), "merge", "name"),
    ports=_list(_struct("ContainerPort", containerPort=_NUMBER, name=_TEXT), "merge", "containerPort"),
    lifecycle=_struct("Lifecycle", stopSignal=_TEXT),
)
SCHEMAS: dict[str, dict[str, Any]] = {
    "Pod": _struct(
        "Pod",
        metadata=METADATA,
        spec=_struct(
            "PodSpec",
            containers=_list(_CONTAINER, "merge", "name"),
            volumes=_list(
                _struct("Volume", name=_TEXT, hostPath=_struct("HostPathVolumeSource", path=_TEXT)),
                "merge,retainKeys",
                "name",
            ),
            imagePullSecrets=_list(_REFERENCE, "merge", "name"),
            tolerations=_list(_struct("Toleration", key=_TEXT, value=_TEXT)),
            nodeSelector=_MAP,
            nodeName=_TEXT,
            priority=_NUMBER,
        ),
    ),
    "ServiceAccount": _struct(
        "ServiceAccount",
        metadata=METADATA,
        secrets=_list(_struct("ObjectReference", name=_TEXT, namespace=_TEXT), "merge", "name"),
        imagePullSecrets=_list(_REFERENCE),
    ),
}
_META = {
    **METADATA,
    "properties": {
        **{name: METADATA["properties"][name] for name in ("labels", "finalizers")},
        "ownerReferences": _list(_struct("OwnerReference", uid=_TEXT, name=_TEXT), "merge", "uid"),
    },
}


class Drawing:
    """Draws objects and patches.

    Args:
        seed: the seed of everything.
    """

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.wrong = self.random.choice((0, 0, 0.04))

    def value(self, schema: Mapping[str, Any], *, patch: bool) -> Any:
        random, kind = self.random, schema.get("type")
        if patch and random.random() < self.wrong:
            return copy.deepcopy(random.choice((1, "x", None, True, [], {}, ["x"], [["x"]], [{"k": "v"}], {"k": "v"})))
        if patch and random.random() < 0.06:
            return None
        if schema is METADATA:
            schema = _META
        if "properties" in schema:
            return self._struct(schema, patch)
        if kind == "object":
            return {name: random.choice("xy") for name in random.sample("abc", random.randint(0, 2))}
        if kind == "array":
            return self._list(schema, patch)
        return random.choice((1, 2, 3)) if kind == "integer" else random.choice("xyz")

    def _struct(self, schema: Mapping[str, Any], patch: bool) -> dict[str, Any]:
        random, fields = self.random, schema["properties"]
        found = {name: self.value(part, patch=patch) for name, part in fields.items() if random.random() < 0.6}
        if not patch:
            return found
        for name, part in fields.items():
            if part.get("type") != "array" or "x-kubernetes-patch-strategy" not in part:
                continue
            chance = random.random()
            if chance < 0.12:
                found[f"$setElementOrder/{name}"] = self._order(part, found.get(name))
            elif chance < 0.18 and "x-kubernetes-patch-merge-key" not in part:
                found[f"$deleteFromPrimitiveList/{name}"] = random.sample("xyz", random.randint(0, 2))
        if random.random() < 0.05:
            named = [name for name in found if name[0] != "$"]
            found["$retainKeys"] = named + random.sample(sorted(fields), random.randint(0, 1))
        if random.random() < 0.04:
            found["$patch"] = random.choice(("replace", "delete", "merge", "odd"))
        if random.random() < self.wrong:
            found[random.choice(("$setElementOrder/zz", "$setElementOrder", "$retainKeys", "$patch"))] = random.choice(
                (["x"], "x", 5, [{"name": "x"}])
            )
        return found

    def _list(self, schema: Mapping[str, Any], patch: bool) -> list[Any]:
        random = self.random
        items = [self.value(schema["items"], patch=patch) for _ in range(random.choice((0, 1, 2, 3)))]
        key = schema.get("x-kubernetes-patch-merge-key")
        if not patch:
            items = [item for index, item in enumerate(items) if isinstance(item, dict) or item not in items[:index]]
        if key:
            part = schema["items"]["properties"].get(key, _TEXT)
            for item in items:
                if isinstance(item, dict) and random.random() > self.wrong:
                    item[key] = random.choice((1, 2, 3)) if part is _NUMBER else random.choice("xyz")
                    if patch and random.random() < 0.15:
                        item["$patch"] = random.choice(("delete", "delete", "replace", "merge"))
            if not patch:
                items = list({item[key]: item for item in items if key in item}.values())
        return items

    def _order(self, schema: Mapping[str, Any], items: Any) -> list[Any]:
        random, key = self.random, schema.get("x-kubernetes-patch-merge-key")
        number = bool(key) and schema["items"]["properties"].get(key) is _NUMBER
        names: list[Any] = [1, 2, 3] if number else ["x", "y", "z"]
        chosen = random.sample(names, random.randint(0, 3))
        if isinstance(items, list) and random.random() < 0.8:
            own = [item.get(key) if isinstance(item, dict) else item for item in items]
            chosen = [name for name in own if name in names] + [name for name in chosen if name not in own]
            chosen = [name for index, name in enumerate(chosen) if name not in chosen[:index]]
        return [{key: name} for name in chosen] if key else chosen

    def case(self) -> dict[str, Any]:
        """Returns a kind, an object and a patch."""
        kind = self.random.choice(sorted(SCHEMAS))
        schema = SCHEMAS[kind]
        obj = self.value(schema, patch=False)
        patch = self.value(schema, patch=True)
        return {"type": kind, "object": obj, "patch": patch if isinstance(patch, dict) else {}}
