"""Instances of the classes that validators were made from, instead of decoded JSON."""

from __future__ import annotations

import datetime
import decimal
import enum
import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.tables import each
from validation_gen.compiler.pipeline import Settings, build_program, load_validators
from validation_gen.runtime.instances import plain_value
from validation_gen.runtime.registry import Registry

FIELDS = """
    # +k8s:required
    # +k8s:maxLength=3
    call_sign: str
    # +k8s:optional
    phase: Phase = Phase.IDLE
    # +k8s:listType=set
    pod_ips: list[str] = {empty_list}
    arms: "list[Arm]" = {empty_list}
    labels: dict[str, "Arm"] = {empty_dict}
    spare: "Arm | None" = None
    key: bytes = b""
    seen: datetime.datetime | None = None
    wait: datetime.timedelta | None = None
    odd: Annotated[str, Json("weirdName")] = ""
    rest: Any = None
"""
HEAD = """
import datetime
from enum import Enum
from typing import Annotated, Any
from validation_gen.types import Json
{imports}

class Phase(str, Enum):
    IDLE = "Idle"
    BUSY = "Busy"

{head}
class Arm{base}:
    # +k8s:minimum=1
    length: int

{head}
class Robot{base}:
{fields}
"""
LIBRARIES = {
    "dataclasses": ("from dataclasses import dataclass, field", "@dataclass", "", "field(default_factory={})"),
    "attrs": ("from attrs import define, field", "@define", "", "field(factory={})"),
    "msgspec": ("from msgspec import Struct, field", "", "(Struct)", "field(default_factory={})"),
    "pydantic": ("from pydantic import BaseModel, Field", "", "(BaseModel)", "Field(default_factory={})"),
}

Made = tuple[ModuleType, Registry]


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], Made]]:
    """Imports a module, and makes validators from its source."""

    def run(text: str) -> Made:
        directory = tmp_path / "fleet"
        directory.mkdir()
        (directory / "v1.py").write_text(text)
        monkeypatch.syspath_prepend(str(tmp_path))
        importlib.invalidate_caches()
        result = build_program(Settings((str(directory),)))
        assert result.diagnostics.items == []
        return importlib.import_module("fleet.v1"), load_validators(result.program)

    yield run
    for name in ("fleet", "fleet.v1"):  # other tests have modules of that name
        sys.modules.pop(name, None)


@pytest.fixture(params=LIBRARIES)
def fleet(request: pytest.FixtureRequest, make: Callable[[str], Made]) -> Made:
    imports, head, base, factory = LIBRARIES[request.param]
    fields = FIELDS.format(empty_list=factory.format("list"), empty_dict=factory.format("dict"))
    return make(HEAD.format(imports=imports, head=head, base=base, fields=fields))


def test_to_json(fleet: Made) -> None:
    v1, registry = fleet
    robot = v1.Robot(
        call_sign="r2",
        phase=v1.Phase.BUSY,
        pod_ips=["1.2.3.4"],
        arms=[v1.Arm(length=2)],
        labels={"a": v1.Arm(length=3)},
        spare=v1.Arm(length=4),
        key=b"a",
        seen=datetime.datetime(2024, 1, 2, tzinfo=datetime.timezone.utc),
        wait=datetime.timedelta(minutes=90),
        odd="x",
        rest={"any": 1},
    )
    assert registry.to_json(robot) == {
        "callSign": "r2",
        "phase": "Busy",
        "podIPs": ["1.2.3.4"],
        "arms": [{"length": 2}],
        "labels": {"a": {"length": 3}},
        "spare": {"length": 4},
        "key": "YQ==",
        "seen": "2024-01-02T00:00:00Z",
        "wait": "1h30m0s",
        "weirdName": "x",
        "rest": {"any": 1},
    }
    assert registry.to_json(v1.Robot(call_sign="r2")) == {"callSign": "r2", "phase": "Idle"}
    assert registry.validate(robot) == []


def test_validate(fleet: Made) -> None:
    v1, registry = fleet
    robot = v1.Robot(call_sign="long", pod_ips=["a", "a"], arms=[v1.Arm(length=0)])
    texts = [
        "callSign: Too long: may not be more than 3 characters",
        'podIPs[1]: Duplicate value: "a"',
        "arms[0].length: Invalid value: 0: must be greater than or equal to 1",
    ]
    assert [str(error) for error in registry.validate(robot)] == texts
    assert [str(error) for error in registry.validate(registry.to_json(robot), type="Robot")] == texts
    assert registry.validate(robot, robot) == []
    assert [str(error) for error in registry.validate(v1.Robot(call_sign="long"), robot)] == []


def test_instances_inside_of_json_and_json_inside_of_instances(fleet: Made) -> None:
    v1, registry = fleet
    robot = v1.Robot(call_sign="a")
    robot.arms.append({"length": 0})
    assert [error.field for error in registry.validate(robot)] == ["arms[0].length"]


def test_subclasses_are_of_the_kind_of_their_base(make: Callable[[str], Made]) -> None:
    v1, registry = make(
        "from dataclasses import dataclass\n@dataclass\nclass Arm:\n    # +k8s:minimum=1\n    length: int\n"
    )

    class Longer(v1.Arm):  # type: ignore[misc,name-defined]
        pass

    assert [error.field for error in registry.validate(Longer(0))] == ["length"]


def test_inheritance_and_inline(make: Callable[[str], Made]) -> None:
    v1, registry = make(
        "from dataclasses import dataclass, field\nfrom typing import Annotated\n"
        "from validation_gen.types import Inline\nfrom validation_gen.types.meta import ObjectMeta, TypeMeta\n"
        "@dataclass(kw_only=True)\nclass Base:\n    # +k8s:minimum=1\n    first_one: int\n"
        "@dataclass(kw_only=True)\nclass Rest:\n    # +k8s:minimum=1\n    last_one: int\n"
        "@dataclass(kw_only=True)\nclass Robot(TypeMeta, Base):\n    metadata: ObjectMeta\n"
        "    rest: Annotated[Rest, Inline]\n"
    )
    meta = importlib.import_module("validation_gen.types.meta")
    robot = v1.Robot(
        api_version="v1",
        kind="Robot",
        metadata=meta.ObjectMeta(name="r", generate_name="x"),
        first_one=0,
        rest=v1.Rest(last_one=0),
    )
    assert registry.to_json(robot) == {
        "apiVersion": "v1",
        "kind": "Robot",
        "firstOne": 0,
        "metadata": {"name": "r", "generateName": "x"},
        "lastOne": 0,
    }
    assert [error.place for error in registry.validate(robot)] == ["firstOne", "lastOne"]


def test_what_is_not_of_our_classes(make: Callable[[str], Made]) -> None:
    v1, registry = make(
        "from dataclasses import dataclass\n@dataclass\nclass Arm:\n    # +k8s:minimum=1\n    length: int\n"
    )
    with pytest.raises(TypeError, match="no validators were made from builtins"):
        registry.to_json(5)
    for value in (5, object(), datetime.datetime(2024, 1, 1), {1, 2}, [v1.Arm(1)], None):
        assert registry.validate(value)
        assert isinstance(registry.validate(value, type="Arm"), list)


@pytest.mark.parametrize("value", [None, "x", 5, [], {}, object(), {1}, lambda: 0], ids=lambda v: type(v).__name__)
def test_wrong_values_in_instances_are_reported(make: Callable[[str], Made], value: Any) -> None:
    imports, head, base, factory = LIBRARIES["dataclasses"]
    fields = FIELDS.format(empty_list=factory.format("list"), empty_dict=factory.format("dict"))
    v1, registry = make(HEAD.format(imports=imports, head=head, base=base, fields=fields))
    for name in ("call_sign", "phase", "pod_ips", "arms", "labels", "spare", "key", "seen", "wait", "odd", "rest"):
        robot = v1.Robot(call_sign="a")
        setattr(robot, name, value)
        for error in registry.validate(robot):
            str(error)


def test_instances_that_hold_themselves(make: Callable[[str], Made]) -> None:
    v1, registry = make(
        "from dataclasses import dataclass\n@dataclass\nclass Arm:\n    # +k8s:minimum=1\n    length: int\n"
        "    next: 'Arm | None' = None\n"
    )
    arm = v1.Arm(1)
    arm.next = arm
    assert [str(error) for error in registry.validate(arm)] == [
        "<nil>: Internal error: the object is nested too deeply"
    ]


class _Colour(enum.Enum):
    RED = "red"


@each(
    ("value", "want"),
    [
        (_Colour.RED, "red"),
        (datetime.datetime(2024, 1, 2, 3, 4, 5), "2024-01-02T03:04:05Z"),
        (
            datetime.datetime(2024, 1, 2, tzinfo=datetime.timezone(datetime.timedelta(hours=2))),
            "2024-01-02T00:00:00+02:00",
        ),
        (datetime.timedelta(seconds=-1.5), "-1.5s"),
        (bytearray(b"ab"), "YWI="),
        (decimal.Decimal("1.50"), "1.50"),
        ("x", "x"),
    ],
)
def test_single_values(value: object, want: object) -> None:
    assert plain_value(value) == want
    if isinstance(value, datetime.datetime):
        assert ".000000" in str(plain_value(value, microseconds=True))


def test_objects_name_their_kind(make: Callable[[str], Made]) -> None:
    v1, registry = make(
        '"""+groupName=fleet.example.com"""\n'
        "from dataclasses import dataclass\nfrom validation_gen.types.meta import ObjectMeta, TypeMeta\n"
        "@dataclass(kw_only=True)\nclass Robot(TypeMeta):\n    # +k8s:minimum=1\n    arms: int\n"
    )
    robot = v1.Robot(arms=0)
    found = registry.to_json(robot)
    assert found == {"apiVersion": "fleet.example.com/v1", "kind": "Robot", "arms": 0}
    assert list(map(str, registry.validate(found))) == list(map(str, registry.validate(robot)))
    assert registry.to_json(v1.Robot(arms=1, api_version="other/v1", kind="R")) == {
        "apiVersion": "other/v1",
        "kind": "R",
        "arms": 1,
    }
