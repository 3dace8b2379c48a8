"""Differences that random objects seldom show, each with an object that one side refuses and the other takes."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.apiserver import ApiServer
from tests.emit.schema.equivalence import subject
from tests.tables import each
from validation_gen.compiler.pipeline import build_files
from validation_gen.emit.loading.generated import load_registry
from validation_gen.emit.schema import SchemaMode
from validation_gen.rules.differences import (
    CHARACTERS,
    EXPONENTS,
    FIXED_RESULTS,
    ITEMS_TOGETHER,
    LENGTHS_OF_PARTS,
    NEW_PARTS,
    NULL_UNIONS,
    ON_TRIAL,
    ORDER,
    QUANTITIES,
    SEMANTIC_EQUALITY,
    UNIONS_OF_ITEMS,
    WIDTH,
    WIDTH_OF_EITHER,
    WRITTEN_OTHERWISE,
    Difference,
    Fidelity,
)

BOTH = frozenset(SchemaMode)
IDIOMATIC = frozenset({SchemaMode.IDIOMATIC})


@dataclass(frozen=True)
class Example:
    """`fields` are the declarations of a struct. The difference shows in `manners`, and in no other."""

    difference: Difference
    effect: Fidelity
    fields: str
    new: dict[str, Any]
    old: dict[str, Any] | None = None
    types: str = ""
    manners: frozenset[SchemaMode] = BOTH
    imports: str = ""

    def __str__(self) -> str:
        return f"{self.difference.anchor}-{self.effect.value}"


_SIZE = 'Size resource.Quantity `json:"size,omitempty"`'
_RESOURCE = 'import "k8s.io/apimachinery/pkg/api/resource"\n\n'

EXAMPLES = [
    Example(
        FIXED_RESULTS,
        Fidelity.STRICTER,
        '// +k8s:validateFalse(flags: "ShortCircuit, NonError")="silent"\n// +k8s:validateFalse="not reached"\n'
        'Name string `json:"name,omitempty"`',
        {"name": "a"},
    ),
    Example(
        FIXED_RESULTS,
        Fidelity.LOOSER,
        'Arm Arm `json:"arm,omitempty"`',
        {},
        types='// +k8s:validateFalse="reached"\ntype Arm struct {\n\tLength int32 `json:"length,omitempty"`\n}\n',
    ),
    Example(
        UNIONS_OF_ITEMS,
        Fidelity.STRICTER,
        "// +k8s:listType=map\n// +k8s:listMapKey=name\n"
        '// +k8s:item(name: "a")=+k8s:unionMember\n// +k8s:item(name: "b")=+k8s:unionMember\n'
        'Parts []Part `json:"parts,omitempty"`',
        {"parts": [{"name": "c"}, {"name": "d"}]},
        {"parts": [{"name": "c"}]},
        'type Part struct {\n\tName string `json:"name"`\n}\n',
    ),
    Example(
        WRITTEN_OTHERWISE,
        Fidelity.STRICTER,
        '// +k8s:minimum=1\nCount int32 `json:"count,omitempty"`\nSize int32 `json:"size,omitempty"`',
        {"count": 0},
        {},
    ),
    Example(
        CHARACTERS,
        Fidelity.LOOSER,
        '// +k8s:maxBytes=3\nName string `json:"name,omitempty"`',
        {"name": "üüü"},
        manners=IDIOMATIC,
    ),
    Example(
        LENGTHS_OF_PARTS,
        Fidelity.LOOSER,
        '// +k8s:optional\n// +k8s:format=k8s-label-key\nKey string `json:"key,omitempty"`',
        {"key": ".".join(["a" * 50] * 6) + "/b"},
        manners=IDIOMATIC,
    ),
    Example(
        NEW_PARTS,
        Fidelity.LOOSER,
        'Arm Arm `json:"arm,omitempty"`',
        {"arm": {"length": 1}},
        {},
        'type Arm struct {\n\t// +k8s:immutable\n\tLength int32 `json:"length,omitempty"`\n}\n',
        IDIOMATIC,
    ),
    Example(
        NULL_UNIONS,
        Fidelity.LOOSER,
        'Drive *Drive `json:"drive,omitempty"`',
        {},
        types=(
            "type Drive struct {\n"
            '\t// +k8s:unionMember\n\tWheels *int32 `json:"wheels,omitempty"`\n'
            '\t// +k8s:unionMember\n\tTracks *int32 `json:"tracks,omitempty"`\n}\n'
        ),
    ),
    Example(
        ORDER,
        Fidelity.LOOSER,
        '// +k8s:listType=set\n// +k8s:immutable\nNames []string `json:"names,omitempty"`',
        {"names": ["a", "b"]},
        {"names": ["b", "a"]},
    ),
    Example(
        SEMANTIC_EQUALITY,
        Fidelity.LOOSER,
        '// +k8s:listType=set\nParts []Part `json:"parts,omitempty"`',
        {"parts": [{"name": ""}, {}]},
        types='type Part struct {\n\tName string `json:"name,omitempty"`\n}\n',
    ),
    Example(
        ITEMS_TOGETHER,
        Fidelity.STRICTER,
        '// +k8s:eachVal=+k8s:subfield(w)=+k8s:maximum=90\nParts []Part `json:"parts,omitempty"`',
        {"parts": [{}, {"w": 91}]},
        types='type Part struct {\n\t// +k8s:optional\n\tW *int32 `json:"w,omitempty"`\n}\n',
    ),
    Example(
        ON_TRIAL,
        Fidelity.STRICTER,
        '// +k8s:alpha=+k8s:optional\n// +k8s:minimum=3\nSize int32 `json:"size,omitempty"`',
        {"size": 0},
    ),
    Example(QUANTITIES, Fidelity.STRICTER, _SIZE, {"size": 1.5}, imports=_RESOURCE),
    Example(EXPONENTS, Fidelity.LOOSER, _SIZE, {"size": "1e2.5"}, manners=IDIOMATIC, imports=_RESOURCE),
    Example(
        WIDTH_OF_EITHER,
        Fidelity.LOOSER,
        'Port intstr.IntOrString `json:"port,omitempty"`',
        {"port": 2**31},
        manners=IDIOMATIC,
        imports='import "k8s.io/apimachinery/pkg/util/intstr"\n\n',
    ),
    Example(WIDTH, Fidelity.STRICTER, '// +k8s:minimum=0\nCount uint64 `json:"count,omitempty"`', {"count": 2**63}),
]


@each("example, manner", list(itertools.product(EXAMPLES, SchemaMode)), ids=str)
def test_one_side_refuses(apiserver: ApiServer, example: Example, manner: SchemaMode, tmp_path: Path) -> None:
    (tmp_path / "doc.go").write_text("// +k8s:validation-gen=*\npackage v1\n")
    (tmp_path / "types.go").write_text(
        f"package v1\n\n{example.imports}type Robot struct {{\n{example.fields}\n}}\n\n{example.types}"
    )
    found = subject(tmp_path)
    registry = load_registry(build_files(found.program))
    (crd,) = (crd for crd in found.definitions(manner) if crd["spec"]["names"]["kind"] == "Robot")
    named = {"apiVersion": "example.com/v1", "kind": "Robot"}
    new, old = {**named, **example.new}, None if example.old is None else {**named, **example.old}
    theirs = apiserver.validate(crd, new, old).errors
    (kind,) = registry.of_type("Robot")
    mine = registry.run(kind, new, old, update=old is not None, options={})
    if manner not in example.manners:
        assert bool(theirs) == bool(mine)
    elif example.effect is Fidelity.LOOSER:
        assert mine
        assert not theirs
    else:
        assert theirs
        assert not mine
