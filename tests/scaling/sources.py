"""Go sources of any size, each large in one way. All of them have one kind, `v1.Thing`, or more."""

from __future__ import annotations

from collections.abc import Callable, Iterable

Files = dict[str, str]

_DOC = "// +k8s:validation-gen=TypesWithField=TypeMeta\n// +groupName={group}\n\npackage {name}\n"
_KIND = """\
package {name}

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type {kind} struct {{
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec Spec `json:"spec"`
}}
"""


def _package(body: str, directory: str = "v1", group: str = "example.com", kind: str = "Thing") -> Files:
    name = directory.rpartition("/")[2]
    head = _KIND.format(name=name, kind=kind)
    return {f"{directory}/doc.go": _DOC.format(group=group, name=name), f"{directory}/types.go": f"{head}\n{body}"}


def _field(name: str, type: str, *tags: str) -> str:
    lines = "".join(f"\t// {tag}\n" for tag in tags)
    return f'{lines}\t{name} {type} `json:"{name.lower()},omitempty"`\n'


def _struct(name: str, fields: Iterable[str], *tags: str) -> str:
    lines = "".join(f"// {tag}\n" for tag in tags)
    return f"{lines}type {name} struct {{\n{''.join(fields)}}}\n"


def _text(name: str) -> str:
    return _field(name, "string", "+k8s:optional", "+k8s:maxLength=5")


def types(size: int, fields: int = 2) -> Files:
    """A tree of structs, ten below each."""

    def below(i: int) -> list[str]:
        return [_field(f"Sub{j}", f"*T{j}", "+k8s:optional") for j in range(10 * i + 1, min(10 * i + 11, size))]

    structs = [_struct(f"T{i}", [*map(_text, (f"F{i}x{j}" for j in range(fields))), *below(i)]) for i in range(size)]
    return _package("\n".join([_struct("Spec", [_field("Root", "*T0", "+k8s:optional")]), *structs]))


def fields(size: int) -> Files:
    """Twenty fields in each struct."""
    return types(max(size // 20, 1), 20)


def wide(size: int) -> Files:
    """One struct with all fields."""
    return _package(_struct("Spec", (_text(f"F{i}") for i in range(size))))


def chain(size: int) -> Files:
    """Structs in one another."""
    structs = [_struct(f"T{i}", [_text("Name"), _field("Next", f"*T{i + 1}", "+k8s:optional")]) for i in range(size)]
    return _package(
        "\n".join([_struct("Spec", [_field("Root", "T0")]), *structs, _struct(f"T{size}", [_text("Name")])])
    )


def union(size: int) -> Files:
    return _package(
        _struct("Spec", (_field(f"F{i}", "*string", "+k8s:optional", "+k8s:unionMember") for i in range(size)))
    )


def enum(size: int) -> Files:
    values = "\n".join(f'\tP{i} Phase = "p{i}"' for i in range(size))
    spec = _struct("Spec", [_field("Phase", "Phase", "+k8s:optional")])
    return _package(f"{spec}\n// +k8s:enum\ntype Phase string\n\nconst (\n{values}\n)\n")


def keys(size: int) -> Files:
    """The keys of one list."""
    names = [f"K{i}" for i in range(size)]
    items = _field(
        "Items", "[]Item", "+k8s:optional", "+k8s:listType=map", *(f"+k8s:listMapKey=k{i}" for i in range(size))
    )
    item = _struct("Item", (f'\t// +k8s:required\n\t{name} string `json:"{name.lower()}"`\n' for name in names))
    return _package(f"{_struct('Spec', [items])}\n{item}")


def selectors(size: int) -> Files:
    """Rules for single items of one list."""
    rules = (f'+k8s:item(name: "n{i}")=+k8s:immutable' for i in range(size))
    items = _field("Items", "[]Item", "+k8s:optional", "+k8s:listType=map", "+k8s:listMapKey=name", *rules)
    item = '\t// +k8s:required\n\tName string `json:"name"`\n'
    return _package(f"{_struct('Spec', [items])}\n{_struct('Item', [item])}")


def tags(size: int) -> Files:
    """Rules of one field."""
    return _package(
        _struct("Spec", [_field("Name", "string", "+k8s:optional", *(f'+k8s:neq="v{i}"' for i in range(size)))])
    )


def packages(size: int) -> Files:
    """Packages with a kind each, which use a type of the one before."""
    files: Files = {}
    for i in range(size):
        import_, extra = "", []
        if i:
            import_ = f'\nimport other "example.com/m/g{i - 1}/v1"\n'
            extra = [_field("Other", "*other.Part", "+k8s:optional")]
        body = "\n".join([_struct("Spec", [_text("Name"), *extra]), _struct("Part", [_text("Name")])])
        found = _package(body, f"g{i}/v1", f"g{i}.example.com", f"Thing{i}")
        found[f"g{i}/v1/types.go"] = found[f"g{i}/v1/types.go"].replace("\ntype", f"{import_}\ntype", 1)
        files |= found
    return files


#: Each way to be large, with a size for which all stages take about a third of a second.
SOURCES: dict[str, tuple[Callable[[int], Files], int]] = {
    "types": (types, 30),
    "fields": (fields, 150),
    "one wide struct": (wide, 120),
    "a chain": (chain, 40),
    "members of a union": (union, 50),
    "values of an enum": (enum, 250),
    "keys of a list": (keys, 60),
    "items of a list": (selectors, 60),
    "tags of a field": (tags, 80),
    "packages": (packages, 10),
}
