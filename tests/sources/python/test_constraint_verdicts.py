"""Verdicts of pydantic, attrs and msgspec beside those of the validators that are generated from the same source."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import pydantic
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.case_folders import inside
from tests.thorough import drawn
from validation_gen.compiler.pipeline import Settings, build_program, load_validators
from validation_gen.runtime.registry import Registry

_HEAD = '''\
"""+groupName=probes.example.com
+k8s:validation-gen=TypesWithField=TypeMeta
"""
from dataclasses import dataclass
from typing import Annotated, Literal

import annotated_types as at
import attrs
import msgspec
from attrs import validators as v
from pydantic import BaseModel, Field as F, PositiveInt, StringConstraints, conint, conlist, constr

from validation_gen.types.meta import ObjectMeta, TypeMeta

LABEL = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"

'''
_KIND = """

@dataclass
class Probe(TypeMeta):
    metadata: ObjectMeta
    spec: Spec
"""
_NUMBERS = st.integers(-6, 12)
_TEXTS = st.text("aé😀-", max_size=5)
_NAMES = st.text("aZ0-\n", max_size=4) | st.integers(60, 66).map("a".__mul__)

#: The field `x` by its declaration, with values for it. `# +k8s:` lines give presence.
_PYDANTIC = {
    "Annotated[int, F(ge=1, lt=7)]": _NUMBERS,
    "Annotated[int, at.Interval(gt=-2, le=6)]": _NUMBERS,
    "conint(gt=2, le=6)": _NUMBERS,
    "PositiveInt": _NUMBERS,
    "Annotated[int, F(gt=0)] | None": _NUMBERS | st.none(),
    "int | None = F(None, gt=0)": _NUMBERS | st.none(),
    "Literal[1, 2, 3]": _NUMBERS,
    "Literal['a', 'b']": st.sampled_from(["a", "b", "c", "ab"]),
    "Annotated[str, F(min_length=1, max_length=3)]": _TEXTS,
    "Annotated[str, StringConstraints(min_length=2)]": _TEXTS,
    "Annotated[str, F(pattern=LABEL, max_length=63)]": _NAMES,
    "Annotated[str, F(pattern=LABEL, max_length=2)]": _NAMES,
    "conlist(constr(max_length=3), min_length=1, max_length=2)": st.lists(_TEXTS, max_size=3),
    "Annotated[dict[Annotated[str, at.MaxLen(2)], PositiveInt], F(max_length=2)]": st.dictionaries(
        st.text("ab", max_size=3), _NUMBERS, max_size=3
    ),
}
_MSGSPEC = {
    "Annotated[int, msgspec.Meta(ge=1, lt=7)]": _NUMBERS,
    "Annotated[int, msgspec.Meta(gt=1, le=7)] | None": _NUMBERS | st.none(),
    "Annotated[str, msgspec.Meta(min_length=1, max_length=3)]": _TEXTS,
    "Annotated[str, msgspec.Meta(pattern=r'\\A[a-z0-9]([-a-z0-9]*[a-z0-9])?\\Z', max_length=63)]": _NAMES,
    "Annotated[list[Annotated[int, msgspec.Meta(le=5)]], msgspec.Meta(min_length=1)]": st.lists(_NUMBERS, max_size=3),
    "Literal['a', 'b']": st.sampled_from(["a", "b", "c", "ab"]),
}
_ATTRS = {
    "int = attrs.field(validator=[v.ge(1), v.lt(7)])": _NUMBERS,
    "int = attrs.field(validator=v.and_(v.gt(1), v.le(7)))": _NUMBERS,
    "int = attrs.field(validator=v.in_(range(2, 5)))": _NUMBERS,
    "int | None = attrs.field(default=None, validator=v.optional(v.ge(1)))": _NUMBERS | st.none(),
    "str = attrs.field(validator=[v.min_len(1), v.max_len(3)])": _TEXTS,
    "str = attrs.field(validator=[v.matches_re(LABEL), v.max_len(63)])": _NAMES,
    "str = attrs.field(validator=v.in_(['a', 'b']))": st.sampled_from(["a", "b", "c", "ab"]),
    "list[int] = attrs.field(validator=v.deep_iterable(v.ge(1), v.max_len(2)))": st.lists(_NUMBERS, max_size=3),
    "dict[str, int] = attrs.field(validator=v.deep_mapping(v.max_len(2), v.ge(1)))": st.dictionaries(
        st.text("ab", max_size=3), _NUMBERS, max_size=3
    ),
}


def _takes_pydantic(cls: Any, value: object) -> bool:
    try:
        cls.model_validate({"x": value}, strict=True)
    except pydantic.ValidationError:
        return False
    return True


def _takes_msgspec(cls: Any, value: object) -> bool:
    try:
        msgspec.convert({"x": value}, cls)
    except msgspec.ValidationError:
        return False
    return True


def _takes_attrs(cls: Any, value: object) -> bool:
    try:
        cls(value)
    except ValueError:
        return False
    return True


_LIBRARIES: list[tuple[str, Callable[[Any, object], bool], dict[str, st.SearchStrategy[Any]]]] = [
    ("class Spec(BaseModel):", _takes_pydantic, _PYDANTIC),
    ("class Spec(msgspec.Struct):", _takes_msgspec, _MSGSPEC),
    ("@attrs.define\nclass Spec:", _takes_attrs, _ATTRS),
]


@pytest.fixture
def imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], ModuleType]]:
    """Writes a module of probes and imports it, as the libraries see it."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def run(text: str) -> ModuleType:
        (tmp_path / "probes_v1.py").write_text(text)
        importlib.invalidate_caches()
        return importlib.import_module("probes_v1")

    yield run
    sys.modules.pop("probes_v1", None)


def _validators(directory: Path) -> Registry:
    with inside(directory):
        result = build_program(Settings(("probes_v1.py",)))
    assert result.diagnostics.items == []
    return load_validators(result.program)


@pytest.mark.parametrize(
    ("head", "takes", "field", "values"),
    [(head, takes, field, values) for head, takes, fields in _LIBRARIES for field, values in fields.items()],
    ids=[field for _, _, fields in _LIBRARIES for field in fields],
)
def test_the_verdicts_are_equal(
    head: str,
    takes: Callable[[Any, object], bool],
    field: str,
    values: st.SearchStrategy[Any],
    imported: Callable[[str], ModuleType],
    tmp_path: Path,
) -> None:
    module = imported(f"{_HEAD}{head}\n    x: {field}\n{_KIND}")
    registry = _validators(tmp_path)
    seen = set()

    @settings(max_examples=drawn(60), deadline=None, derandomize=True, database=None)
    @given(values)
    def judge(value: object) -> None:
        obj = {"apiVersion": "probes.example.com/probes_v1", "kind": "Probe", "metadata": {}, "spec": {"x": value}}
        wanted = takes(module.Spec, value)
        seen.add(wanted)
        assert (registry.validate(obj, raw=True) == []) is wanted, value

    judge()
    assert seen == {True, False}
