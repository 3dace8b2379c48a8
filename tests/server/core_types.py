"""The types of core kinds, made from clones of kubernetes/api and kubernetes/apimachinery.

`python -m tests.server.core_types API APIMACHINERY TAG` writes `validation_gen/apiserver/core/types.json` anew.
Descriptions are our own, in `texts.json`.

Each type has the name that it has in OpenAPI. A field is a list: the type, and facts about it.

- A type is a scalar (`string`, `bool`, `int32`, `bytes` …), or another type. Before it there may be `[]` or `{}` for a
  list or a map of it, and `*` for a pointer.
- `go` is the name of the type in messages, if it is another one.
- `present`: Go writes the field even if it is empty. `required`: OpenAPI requires it.
- `n`: the number of the field in protobuf; those of the messages around it, if Go inlines them.
- `list`, `keys`, `map`: `x-kubernetes-list-type` and its relatives. `patch`: the merge key, or true for a set.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FILE = Path(__file__).parents[2] / "validation_gen/apiserver/core/types.json"
_API, _META = "io.k8s.api", "io.k8s.apimachinery.pkg.apis.meta.v1"
#: Directories of types, with the beginning of their names.
_PACKAGES = ("core/v1", "events/v1", "coordination/v1", "admissionregistration/v1")
_REVIEWS = ("authorization/v1", "authentication/v1")
_ROOTS = (
    *(f"{_API}.core.v1.{kind}" for kind in ("ConfigMap", "Event", "Namespace", "Secret", "ServiceAccount")),
    f"{_API}.events.v1.Event",
    f"{_API}.coordination.v1.Lease",
    *(
        f"{_API}.admissionregistration.v1.{does}{kind}"
        for does in ("Validating", "Mutating")
        for kind in ("WebhookConfiguration", "AdmissionPolicy", "AdmissionPolicyBinding")
    ),
    *(
        f"{_API}.authorization.v1.{kind}"
        for kind in (
            "LocalSubjectAccessReview",
            "SelfSubjectAccessReview",
            "SelfSubjectRulesReview",
            "SubjectAccessReview",
        )
    ),
    *(f"{_API}.authentication.v1.{kind}" for kind in ("SelfSubjectReview", "TokenReview")),
    f"{_META}.DeleteOptions",
)
_SCALARS = {
    **{name: name for name in ("string", "bool", "int32", "int64", "float64")},
    "[]byte": "bytes",
    "Time": "time",
    "metav1.Time": "time",
    "metav1.MicroTime": "microtime",
    "runtime.RawExtension": "raw",
    "FieldsV1": "raw",
    "types.UID": "string",
    "UID": "string",
}
_STRUCT = re.compile(r"((?:^//[^\n]*\n|^\n)*)^type (\w+) struct \{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
_NAMED = re.compile(r"^type (\w+) (string|map\[string\]\[\]string|\[\]string|int32|int64|bool)$", re.MULTILINE)
_FIELD = re.compile(r"\t(?:(\w+)\s+)?(\S+)\s+`(.*)`(?:\s*//.*)?")


class Types:
    """The types of some packages."""

    def __init__(self, texts: dict[str, str]) -> None:
        self.structs: dict[str, tuple[str, str]] = {}
        self.named: dict[str, str] = {}
        for package, text in texts.items():
            for comment, name, body in _STRUCT.findall(text):
                self.structs[f"{package}.{name}"] = comment, body
            for name, kind in _NAMED.findall(text):
                self.named[f"{package}.{name}"] = kind
        self.found: dict[str, dict[str, Any]] = {}

    def collect(self, name: str) -> None:
        """Adds a struct and all that it refers to."""
        if name in self.found:
            return
        comment, body = self.structs[name]
        package = name.rpartition(".")[0]
        fields: dict[str, Any] = {}
        self.found[name] = {"fields": fields}
        if "+structType=atomic" in comment:
            self.found[name]["map"] = "atomic"
        for field, facts in self.fields(package, body):
            fields[field] = facts
            inner = re.sub(r"^(\[\]|\{\}|\*)+", "", facts[0])
            if "." in inner:
                self.collect(inner)

    def fields(self, package: str, body: str, around: tuple[int, ...] = ()) -> Iterator[tuple[str, list[Any]]]:
        tags: list[str] = []
        for line in body.splitlines():
            text = line.strip()
            if text.startswith("//"):
                tags.append(text.lstrip("/ "))
                continue
            match = _FIELD.fullmatch(line)
            if match is None:
                tags = [] if not text else tags
                continue
            yield from self.field(package, match[2], match[3], tags, around)
            tags = []

    def field(
        self, package: str, written: str, tag: str, tags: list[str], around: tuple[int, ...]
    ) -> Iterator[tuple[str, list[Any]]]:
        json_tag = re.search(r'json:"([^"]*)"', tag)
        assert json_tag is not None
        name, *options = json_tag[1].split(",")
        number = re.search(r'protobuf:"[a-z0-9]+,(\d+)', tag)
        numbers = (*around, int(number[1])) if number is not None else around
        if "inline" in options:
            if written in ("metav1.TypeMeta", "TypeMeta"):
                yield "apiVersion", ["string"]
                yield "kind", ["string"]
            else:
                inner = f"{package}.{written}"
                yield from self.fields(package, self.structs[inner][1], numbers)
            return
        pointer = written.startswith("*")
        kind, shown = self.kind(package, written.removeprefix("*"))
        facts: dict[str, Any] = {"n": numbers[0] if len(numbers) == 1 else list(numbers)}
        if shown:
            facts["go"] = shown
        is_struct = "." in kind and not kind.startswith(("[]", "{}"))
        omits = "omitempty" in options
        if (not omits or (not pointer and (is_struct or kind in ("time", "microtime")))) and "omitzero" not in options:
            facts["present"] = True
        if "+required" in tags or not ("+optional" in tags or omits):
            facts["required"] = True
        for each in tags:
            fact, _, value = each.removeprefix("+").partition("=")
            if fact == "listType":
                facts["list"] = value
            elif fact == "listMapKey":
                facts.setdefault("keys", []).append(value)
            elif fact in ("mapType", "structType"):
                facts["map"] = value
            elif fact == "default":
                facts["default"] = json.loads(value)
        strategy, key = (re.search(rf'{each}:"([^"]*)"', tag) for each in ("patchStrategy", "patchMergeKey"))
        if strategy is not None:
            facts["patch"] = key[1] if key is not None else True
        yield name, [("*" if pointer else "") + kind, *([facts] if facts else [])]

    def kind(self, package: str, written: str) -> tuple[str, str]:
        """Returns a type, and its name in messages if that is another one."""
        if written in _SCALARS:
            return _SCALARS[written], written if written == "types.UID" else ""
        for go, ours in (("[]", "[]"), ("map[string]", "{}")):
            if written.startswith(go):
                kind, shown = self.kind(package, written.removeprefix(go))
                inner = shown or _shown(kind)
                return ours + kind, f"{go}{inner}" if f"{go}{inner}" != _shown(ours + kind) else ""
        prefix, _, name = written.rpartition(".")
        own = {"": package, "metav1": _META, "v1": f"{_API}.core.v1", "corev1": f"{_API}.core.v1"}[prefix]
        full = f"{own}.{name}"
        if full in self.named:
            kind = self.named[full]
            if kind in _SCALARS:
                return kind, f"v1.{name}"
            return self.kind(package, kind)[0], f"v1.{name}"
        return full, ""


def _shown(kind: str) -> str:
    """Returns the name of a type in messages, if nothing else is known."""
    if kind.startswith("[]"):
        return f"[]{_shown(kind[2:])}"
    if kind.startswith("{}"):
        return f"map[string]{_shown(kind[2:])}"
    if "." in kind:
        return f"v1.{kind.rpartition('.')[2]}"
    return {"bytes": "[]uint8"}.get(kind, kind)


def make(api: str, apimachinery: str, tag: str) -> dict[str, Any]:
    """Returns the types."""
    texts = {
        f"{_API}.{path.replace('/', '.')}": _text(api, tag, f"{path}/types.go") for path in (*_PACKAGES, *_REVIEWS)
    }
    texts[_META] = _text(apimachinery, tag, "pkg/apis/meta/v1/types.go")
    types = Types(texts)
    for root in _ROOTS:
        types.collect(root)
    return dict(sorted(types.found.items()))


def _text(clone: str, tag: str, path: str) -> str:
    command = ["git", "-C", clone, "show", f"{tag}:{path}"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def write(found: dict[str, Any]) -> str:
    """Returns the text of the file, with a field on each line."""
    lines = []
    for name, facts in found.items():
        rest = {key: value for key, value in facts.items() if key != "fields"}
        fields = ",\n".join(f"      {json.dumps(key)}: {json.dumps(each)}" for key, each in facts["fields"].items())
        head = "".join(f"    {json.dumps(key)}: {json.dumps(value)},\n" for key, value in rest.items())
        lines.append(f'  {json.dumps(name)}: {{\n{head}    "fields": {{\n{fields}\n    }}\n  }}')
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    FILE.write_text(write(make(*sys.argv[1:4])), encoding="utf-8")
