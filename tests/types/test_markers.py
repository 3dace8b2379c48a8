from __future__ import annotations

import dataclasses
import typing
from typing import Annotated

import pytest

from validation_gen import types
from validation_gen.types import Float32, Inline, Int8, Json


@dataclasses.dataclass(kw_only=True)
class Inner:
    a: Annotated[int, Int8] = 0


@dataclasses.dataclass(kw_only=True)
class Outer:
    pod_ips: Annotated[list[str], Json("podIPs", omit="never")] = dataclasses.field(default_factory=list)
    ratio: Annotated[float, Float32] | None = None
    inner: Annotated[Inner, Inline] = dataclasses.field(default_factory=Inner)


def test_markers_are_for_readers_only() -> None:
    outer = Outer(pod_ips=["::1"], ratio=0.5)
    assert dataclasses.asdict(outer) == {"pod_ips": ["::1"], "ratio": 0.5, "inner": {"a": 0}}


def test_markers_are_found_by_inspection() -> None:
    hints = typing.get_type_hints(Outer, include_extras=True)
    assert hints["pod_ips"].__metadata__ == (Json("podIPs", omit="never"),)
    assert hints["ratio"] == Annotated[float, Float32] | None
    assert hints["inner"].__metadata__ == (Inline,)


def test_json_takes_one_name_and_the_rest_by_keyword() -> None:
    assert Json() == Json("", go="", omit="")
    with pytest.raises(TypeError):
        Json("name", "Go")  # type: ignore[call-arg]


def test_every_marker_is_exported() -> None:
    ours = {name for name, value in vars(types).items() if getattr(value, "__module__", "") == types.__name__}
    assert ours == set(types.__all__)
