"""Draws Go packages with all tags, alone and inside each other, in three levels of structs.

What tags mean together is not known here: lines that the generator refuses are left out.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from pathlib import Path

from validation_gen.compiler.pipeline import Settings, build_program, load_validators
from validation_gen.ir import Program
from validation_gen.runtime.registry import Registry

_HEAD = """\
// +k8s:validation-gen=*
// +groupName=example.com
package drawn

import (
\t"k8s.io/apimachinery/pkg/api/resource"
\tmetav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
\t"k8s.io/apimachinery/pkg/util/intstr"
)
"""
LEVELS = ("Top", "Middle", "Leaf")
_FORMATS = ("k8s-short-name", "k8s-long-name", "k8s-label-key", "k8s-label-value", "k8s-uuid", "k8s-path-segment-name")
_WRAPPERS = ('alpha(since: "1.36")=+k8s:', "beta=+k8s:", "ifEnabled(New)=+k8s:", "ifDisabled(Old)=+k8s:")
_WIRES = ("resource.Quantity", "metav1.Time", "metav1.Duration", "intstr.IntOrString", "[]byte")


@dataclass(slots=True)
class _Type:
    """A Go type: how it is written, and what its values are.

    Attributes:
        kind: `text`, `int`, `bool`, `list`, `map`, `struct` or `wire`.
        inner: the type of items or values, or of what a pointer points to.
        struct: the name of a struct.
    """

    text: str
    kind: str
    inner: _Type | None = None
    struct: str = ""
    pointer: bool = False


@dataclass(slots=True)
class _Source:
    """The declarations of a package while they are drawn."""

    rng: random.Random
    #: The fields of structs that are complete: their JSON names with their types.
    structs: dict[str, list[tuple[str, _Type]]] = field(default_factory=dict)
    named: list[str] = field(default_factory=list)

    # --- types --------------------------------------------------------------------------------------------------------

    def single(self) -> _Type:
        rng = self.rng
        share = rng.random()
        if share < 0.35:
            return _Type(rng.choice(["string", "string", "Word", "Label"]), "text")
        if share < 0.7:
            return _Type(rng.choice(["int32", "int64", "uint16", "int", "Count"]), "int")
        if share < 0.85:
            return _Type("bool", "bool")
        return _Type(rng.choice(_WIRES), "wire")

    def part(self, below: tuple[str, ...], *, is_item: bool = False) -> _Type:
        """The type of a field, or of an item or a value, which is not a list or map."""
        rng = self.rng
        share = rng.random() * (0.6 if is_item else 1)
        if share < 0.35 or (share < 0.6 and not below):
            found = self.single()
            return found if not (is_item and found.text == "[]byte") else _Type("string", "text")
        if share < 0.6:
            name = rng.choice(below[:1] * 3 + below)
            return _Type(name, "struct", struct=name)
        inner = self.part(below, is_item=True)
        if share < 0.85:
            found = _Type(f"[]{inner.text}", "list", inner)
        else:
            found = _Type(f"map[{rng.choice(['string', 'string', 'Label'])}]{inner.text}", "map", inner)
        return self.declared(found) if rng.random() < 0.25 else found

    def declared(self, type: _Type) -> _Type:
        """A name for a type, with tags."""
        name = f"{type.kind.title()}{len(self.named)}"
        tags = "".join(f"// +k8s:{tag}\n" for tag in self.tags(type, "type"))
        self.named.append(f"{tags}type {name} {type.text}\n")
        return _Type(name, type.kind, type.inner, type.struct)

    # --- tags ---------------------------------------------------------------------------------------------------------

    def tags(self, type: _Type, scope: str, depth: int = 0) -> list[str]:
        """Tags of a type, a field, an item, a value or a part, mostly few."""
        found = [tag for _ in range(self.rng.choice([0, 1, 1, 2])) for tag in self.tag(type, scope, depth)]
        if type.kind == "list" and scope != "part":
            found += self.metadata(type)
        return found

    def metadata(self, type: _Type) -> list[str]:
        """Draws the list type and the keys of a list, with tags for its items."""
        rng, inner = self.rng, type.inner
        assert inner is not None
        if inner.kind == "struct" and rng.random() < 0.7 and not inner.pointer:
            found = rng.choice([["listType=map"], ["unique=map"], ["listType=atomic", "unique=map"], ["listType=map"]])
            found = [*found, "listMapKey=name"]
            if rng.random() < 0.3:
                found += [f'item(name: "a")=+k8s:{tag}' for tag in self.tag(inner, "item")]
            if rng.random() < 0.15:
                kind = rng.choice(["unionMember", "zeroOrOneOfMember"])
                found += [f'item(name: "{name}")=+k8s:{kind}' for name in ("a", "b")]
            return found + (["customUnique"] if rng.random() < 0.1 else [])
        if inner.kind in ("text", "int") and rng.random() < 0.6:
            return rng.choice([["listType=set"], ["unique=set"], ["listType=atomic"]])
        return []

    def tag(self, type: _Type, scope: str, depth: int = 0) -> list[str]:
        """One tag, perhaps inside another one."""
        rng = self.rng
        if depth < 2 and rng.random() < 0.12:
            return [rng.choice(_WRAPPERS) + tag for tag in self.tag(type, scope, depth + 1)]
        if scope != "type" and rng.random() < 0.08:
            return [rng.choice(["immutable", "update=NoModify", "immutable"])]
        if scope == "field" and rng.random() < 0.08:
            return [f"update={rng.choice(['NoSet', 'NoUnset', 'NoAddItem', 'NoRemoveItem'])}"]
        match type.kind:
            case "text":
                choices = ["maxLength=40", "minLength=1", "maxBytes=60", 'neq="x"', "format=" + rng.choice(_FORMATS)]
                return [rng.choice([*choices, "validateTrue"])]
            case "int":
                return [rng.choice(["minimum=0", "minimum=1", "maximum=100", "neq=7", "monotonic"])]
            case "bool":
                return [rng.choice(["neq=true", "neq=false"])] if rng.random() < 0.3 else []
            case "struct":
                fields = self.structs.get(type.struct, [])
                if not fields or depth > 2:
                    return []
                name, inner = rng.choice(fields)
                part = rng.choice([["required"], ["optional"], ["forbidden"]]) if rng.random() < 0.15 else []
                part = part or self.tag(inner, "part", depth + 1)
                return [f"subfield({name})=+k8s:{each}" for each in part]
            case "list":
                assert type.inner is not None
                if rng.random() < 0.4 or depth > 2:
                    return [rng.choice(["maxItems=4", "minItems=1"])]
                return [f"eachVal=+k8s:{tag}" for tag in self.tag(type.inner, "item", depth + 1)]
            case "map":
                assert type.inner is not None
                share = rng.random()
                if share < 0.3 or depth > 2:
                    return [rng.choice(["maxProperties=4", "minProperties=1"])]
                if share < 0.6:
                    return [f"eachKey=+k8s:{tag}" for tag in self.tag(_Type("string", "text"), "key", depth + 1)]
                return [f"eachVal=+k8s:{tag}" for tag in self.tag(type.inner, "item", depth + 1)]
        return []

    # --- structs ------------------------------------------------------------------------------------------------------

    def struct(self, name: str, below: tuple[str, ...]) -> str:
        """The declaration of a struct whose fields have the structs `below`, or itself."""
        rng = self.rng
        lines: list[str] = []
        fields: list[tuple[str, _Type]] = [("name", _Type("string", "text"))]

        def add(json: str, type: _Type, tags: list[str]) -> None:
            fields.append((json, type))
            lines.extend([f"\t// +k8s:{tag}" for tag in dict.fromkeys(tags)])
            pointer = "*" if type.pointer else ""
            lines.extend([f'\t{json.title()} {pointer}{type.text} `json:"{json},omitempty"`', ""])

        for number in range(rng.randint(3, 6)):
            type = self.part(below)
            type.pointer = _may_be_pointer(type) and rng.random() < 0.4
            presence = (
                [] if type.kind == "struct" and not type.pointer else rng.choice([["optional"], ["required"], []])
            )
            presence = ["optional"] if type.pointer and presence != ["required"] else presence
            add(f"f{number}", type, presence + self.tags(type, "field"))
        if rng.random() < 0.2:
            add("self", _Type(name, "struct", struct=name, pointer=True), ["optional"])
        self.groups(below, add)
        self.structs[name] = fields
        tags = "".join(f"// +k8s:{tag}\n" for tag in self.tags(_Type(name, "struct", struct=name), "type"))
        key = rng.choice(["", "\t// +k8s:required\n", "\t// +k8s:maxLength=40\n"])
        body = "\n".join(lines)
        return f'{tags}type {name} struct {{\n{key}\tName string `json:"name"`\n\n{body}\n}}\n'

    def groups(self, below: tuple[str, ...], add: object) -> None:
        """Fields that depend on each other."""
        rng = self.rng
        assert callable(add)

        def pointer() -> _Type:
            found = self.single() if not below or rng.random() < 0.5 else _Type(below[0], "struct", struct=below[0])
            found.pointer = _may_be_pointer(found)
            return found

        if rng.random() < 0.3:
            kind = rng.choice(["unionMember", "zeroOrOneOfMember"])
            if kind == "unionMember" and rng.random() < 0.5:
                add("kind", _Type("string", "text"), ["unionDiscriminator"])
            for json in ("one", "two"):
                type = pointer()
                add(json, type, ["optional", kind, *self.tag(type, "field")])
        if rng.random() < 0.3:
            type = pointer()
            add("mode", _Type("string", "text"), ["modeDiscriminator"])
            tags = [f'ifMode("{mode}")=+k8s:{tag}' for mode in ("x", "y") for tag in self.tag(type, "field")]
            add("moded", type, [*tags, rng.choice(['ifMode("z")=+k8s:required', 'ifMode("z")=+k8s:optional'])])
        if rng.random() < 0.2:
            name = rng.choice(["dependentRequired", "dependentForbidden"])
            add("first", pointer(), ["optional", f'{name}("second")'])
            add("second", pointer(), ["optional"])
        if rng.random() < 0.1 and below:
            add("opaque", _Type(below[0], "struct", struct=below[0], pointer=True), ["optional", "opaqueType"])


def _may_be_pointer(type: _Type) -> bool:
    return type.kind not in ("list", "map") and type.text != "[]byte"


def source(rng: random.Random) -> str:
    """Draws the text of a package."""
    found = _Source(rng)
    label, count = found.tags(_Type("string", "text"), "type"), found.tags(_Type("int32", "int"), "type")
    words = [
        rng.choice(
            ["", "", "\t// +k8s:ifEnabled(New)=+k8s:enumExclude\n", "\t// +k8s:ifDisabled(Old)=+k8s:enumExclude\n"]
        )
        + f'\tWord{name.title()} Word = "{name}"\n'
        for name in ("a", "b", "c")
    ]
    structs: list[str] = []
    for level in range(len(LEVELS) - 1, -1, -1):
        names = [f"{LEVELS[level]}{letter}" for letter in ("A", "B")]
        below = tuple(f"{lower}{letter}" for lower in LEVELS[level + 1 :] for letter in ("A", "B"))
        structs += [found.struct(name, below) for name in names]
    parts = [
        _HEAD,
        *(
            "".join(f"// +k8s:{tag}\n" for tag in tags) + f"type {name}\n"
            for name, tags in (("Label string", label), ("Count int32", count))
        ),
        "// +k8s:enum\ntype Word string\n",
        "const (\n" + "\n".join(words) + ")\n",
        *found.named,
        *structs,
    ]
    return "\n".join(parts)


def built(text: str, directory: Path) -> tuple[str, Program]:
    """Returns the package without the lines that the generator refuses, and its program."""
    directory.mkdir(exist_ok=True)
    (directory / "go.mod").write_text("module example.com/m\n", encoding="utf-8")
    while True:
        (directory / "types.go").write_text(text, encoding="utf-8")
        result = build_program(Settings((str(directory),), every_type=True))
        wrong = {d.span.line for d in result.diagnostics.sorted() if d.severity.value == "error" and d.span}
        lines = text.split("\n")
        refused = {line for line in wrong if "+k8s:" in lines[line - 1]}
        assert refused or not wrong, [str(d) for d in result.diagnostics.sorted()]
        if not wrong:
            return text, result.program
        text = "\n".join(line for number, line in enumerate(lines, 1) if number not in refused)


def drawn_package(seed: int, directory: Path) -> tuple[str, Program, Registry]:
    """Draws a package, and returns its text, its program and its validators."""
    text, program = built(source(random.Random(seed)), directory)
    return text, program, load_validators(program)
