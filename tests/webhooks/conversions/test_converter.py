"""The way from one version to another, and what a conversion may and may not do to an object."""

from __future__ import annotations

import copy
import importlib
import math
import re
import subprocess
import sys
import types
from collections.abc import Callable
from typing import Any

import pytest

from tests.tables import each
from tests.webhooks.conversions.robots import converter, robot
from validation_gen.webhooks import conversions
from validation_gen.webhooks.conversions import (
    KEPT,
    Conversion,
    ConversionError,
    Converter,
    DeclarationError,
    FieldOnlyIn,
    Move,
    Rename,
    converts,
)


def _function(run: Callable[[Any], Any], source: str = "v1", target: str = "v2") -> Converter:
    @converts(source, target, kind="Robot")
    def there(obj: Any) -> Any:
        return run(obj)

    @converts(target, source, kind="Robot")
    def back(obj: Any) -> None:
        """Changes nothing."""

    return Converter([there, back])


# --- functions -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "run",
    [
        lambda obj: obj["spec"].update(size=obj["spec"].pop("length")),
        lambda obj: {**obj, "spec": {"size": obj["spec"]["length"]}},
        lambda obj: {"spec": {"size": obj["spec"]["length"]}},
        lambda obj: {"apiVersion": "example.com/v7", "metadata": {"name": "r2"}, "spec": {"size": 1}},
    ],
)
def test_a_function_changes_its_copy_or_returns_another_object(run: Callable[[Any], Any]) -> None:
    obj = robot("v1", {"length": 1}, metadata={"labels": {"a": "b"}})
    before = copy.deepcopy(obj)
    made = _function(run).convert(obj, "example.com/v2")
    assert obj == before
    assert (made["apiVersion"], made["kind"], made["spec"]) == ("example.com/v2", "Robot", {"size": 1})
    assert made["metadata"]["uid"] == "1"
    assert list(made)[:3] == ["apiVersion", "kind", "metadata"]


def test_a_function_stays_a_function() -> None:
    @converts("v1", "v2", kind="Robot")
    @converts("v1", "v2", kind="Crane")
    def upgrade(obj: Any) -> Any:
        return obj["a"]

    assert upgrade({"a": 5}) == 5
    assert len(Converter([upgrade, *_backs("Robot"), *_backs("Crane")]).kinds) == 2


def _backs(kind: str) -> list[object]:
    @converts("v2", "v1", kind=kind)
    def back(obj: Any) -> Any:
        return obj

    return [back]


def _raise(problem: BaseException) -> None:
    raise problem


def _deep(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


@each(
    ("run", "text"),
    [
        (lambda obj: _raise(ConversionError("robots with wings are not known")), "v2 failed: robots with wings are"),
        (lambda obj: _raise(KeyError("secret")), "failed: KeyError$"),
        (lambda obj: _raise(SystemExit("secret")), "failed: SystemExit$"),
        (lambda obj: [], "it returned list, which is not an object"),
        (lambda obj: {"spec": {1: 2}}, "its result is not JSON: spec has a key that is not a string: 1"),
        (lambda obj: {"spec": {"a": [{1, 2}]}}, r"spec.a\[0\] is of the Python type set"),
        (lambda obj: {"spec": {"a": math.inf}}, "spec.a is inf, which JSON cannot say"),
        (lambda obj: {"spec": _deep(500)}, "what it returned has more than 400 objects and lists in one another"),
        (lambda obj: {"kind": "Crane"}, 'the kind must stay Robot, and is "Crane"'),
        (lambda obj: {"metadata": []}, r"metadata is \[\], which is not an object"),
        (lambda obj: obj["metadata"].update(name="c3"), 'metadata.name must stay "r2", and is "c3"'),
        (lambda obj: obj["metadata"].update(namespace="c3"), 'metadata.namespace must stay absent, and is "c3"'),
        (lambda obj: obj["metadata"].update(labels=[]), r"metadata.labels is \[\], which is not an object"),
        (lambda obj: obj["metadata"].update(labels={"a": 1}), r"metadata.labels\[a\] is 1, which is not a string"),
        (lambda obj: obj["metadata"].update(labels={"a b": "1"}), "metadata.labels: 'a b' is not the name of one"),
        (lambda obj: obj["metadata"].update(labels={"A/b": "1"}), "metadata.labels: 'A/b' is not the name of one"),
        (lambda obj: obj["metadata"].update(labels={"a": "é"}), r"metadata.labels\[a\]: 'é' is no value of a label"),
        (lambda obj: obj["metadata"].update(annotations={"": "1"}), "metadata.annotations: '' is not the name of one"),
        (lambda obj: obj["metadata"].update(annotations={"a": "é" * 131_072}), "more than 262144 bytes"),
    ],
)
def test_what_a_function_may_not_do_is_told(run: Callable[[Any], Any], text: str) -> None:
    with pytest.raises(ConversionError, match=text):
        _function(run).convert(robot("v1", {}), "example.com/v2")


def test_labels_and_annotations_can_be_changed_and_others_are_given_back() -> None:
    def change(obj: Any) -> Any:
        return {"metadata": {"labels": {"c": "d"}, "annotations": {"A/B": "any\ntext"}}}

    own = {"labels": {"a": "b"}, "generation": 7, "finalizers": ["x"]}
    made = _function(change).convert(robot("v1", {}, metadata=own), "example.com/v2")
    annotations = made["metadata"].pop("annotations")
    assert made["metadata"] == {"name": "r2", "uid": "1", "generation": 7, "finalizers": ["x"], "labels": {"c": "d"}}
    assert annotations.keys() == {"A/B", KEPT}


def test_what_was_wrong_with_metadata_before_is_left_alone() -> None:
    own = {"labels": {"a b": "é"}, "annotations": None}
    assert converter().convert(robot("v1", {}, metadata=own), "example.com/v1alpha1")["metadata"]["labels"] == {
        "a b": "é"
    }


# --- ways ------------------------------------------------------------------------------------------------------------


def _between(first: str, second: str, name: str = "") -> Conversion:
    moves = [Move(f"spec.{first}", f"spec.{second}{name}")]
    return Conversion(first, second, kind="Robot", moves=moves)


def test_versions_meet_at_the_hub() -> None:
    of = Converter([_between("v1alpha1", "v1"), _between("v2", "v1"), _between("v1beta1", "v1")])
    assert of.convert(robot("v1alpha1", {"v1alpha1": 5}), "example.com/v2")["spec"] == {"v2": 5}
    assert [(way.source, way.target) for way in of.way("Robot", "v1alpha1", "v2")] == [("v1alpha1", "v1"), ("v1", "v2")]


def test_a_direct_way_comes_before_the_hub() -> None:
    of = Converter([_between("v1alpha1", "v1"), _between("v2", "v1"), _between("v1alpha1", "v2", "direct")])
    assert of.convert(robot("v1alpha1", {"v1alpha1": 5}), "example.com/v2")["spec"] == {"v2direct": 5}


@pytest.mark.parametrize("hub", ["v2", {"Robot": "v2", "Crane": "v1"}])
def test_a_hub_can_be_named(hub: Any) -> None:
    both = [
        _between("v1", "v2"),
        _between("v2", "v3"),
        _between("v1", "v4"),
        _between("v2", "v4"),
        _between("v1", "v3"),
    ]
    assert [way.target for way in Converter(both, hub=hub).way("Robot", "v3", "v4")] == ["v2", "v4"]
    assert [way.target for way in Converter(both).way("Robot", "v3", "v4")] == ["v1", "v4"]


def test_a_group_of_its_own_comes_before_any() -> None:
    of = Converter(
        [
            Conversion("v1", "v2", kind="Robot", moves=[Rename("spec.a", "b")]),
            Conversion("v1", "v2", kind="Robot", group="example.com", moves=[Rename("spec.a", "c")]),
        ]
    )
    assert of.convert(robot("v1", {"a": 1}), "example.com/v2")["spec"] == {"c": 1}
    other = robot("v1", {"a": 1}) | {"apiVersion": "example.org/v1"}
    assert of.convert(other, "example.org/v2")["spec"] == {"b": 1}


def test_an_object_in_the_version_that_is_wanted_is_copied() -> None:
    obj = robot("v1", {"a": []})
    made = converter().convert(obj, "example.com/v1")
    assert made == obj
    assert made["spec"]["a"] is not obj["spec"]["a"]


@each(
    ("obj", "wanted", "text"),
    [
        ([], "example.com/v1", "this is not an object"),
        ({}, "example.com/v1", "the object has no apiVersion or no kind"),
        ({"apiVersion": "v1", "kind": []}, "v1", "the object has no apiVersion or no kind"),
        (robot("v1") | {"metadata": 5}, "example.com/v1alpha1", "metadata is not an object"),
        (robot("v1", metadata={"labels": 5}), "example.com/v1alpha1", "metadata.labels is not an object"),
        (robot("v1"), "example.org/v1", "the group must stay 'example.com', and 'example.org/v1' is wanted"),
        (robot("v1"), "v1", "the group must stay"),
        (robot("v1alpha2"), "example.com/v1", "Robot has no version v1alpha2 here; did you mean v1alpha1"),
        (robot("v1"), "example.com/zzz", "Robot has no version zzz here; there are v1, v1alpha1"),
        (robot("v1") | {"kind": "Robto"}, "example.com/v1alpha1", "for Robto of example.com; did you mean Robot"),
        (robot("v1", _deep(500)), "example.com/v1alpha1", "the object has more than 400"),
    ],
)
def test_what_cannot_be_converted_is_told(obj: Any, wanted: str, text: str) -> None:
    with pytest.raises(ConversionError, match=text):
        converter().convert(obj, wanted)


@each(
    ("declare", "text"),
    [
        (lambda: Converter([5]), r"5 is no conversion; give it Conversion\(…\), or a function under"),
        (lambda: Converter([lambda obj: obj]), "is no conversion"),
        (lambda: Converter([_between("v1", "v2")] * 2), "from v1 to v2 is declared twice; leave one of them out"),
        (
            lambda: Converter(_backs("Robot")),
            r"there is no way of Robot from v1 to v2; declare @converts\(\"v1\", \"v2\"",
        ),
        (
            lambda: Converter([_between("v1", "v2"), _between("v2", "v3"), _between("v3", "v4")]),
            "no way of Robot from v1",
        ),
        (lambda: Converter([_between("v1", "v2")], hub="v3"), "no version v3, which is to be its hub; it has v1, v2"),
        (
            lambda: converts("v1", "v2", kind="Robot", keeps=[FieldOnlyIn("v2", "spec.a")]),
            "declared for v2, and is kept of v1",
        ),
        (lambda: converts("v1", "v2", kind="Robot", keeps=["spec..a"]), "is not a path"),
        (lambda: converts("v1", "v2", kind="Robot")(5), "is put above a function"),  # type: ignore[type-var]
        (lambda: Converter.of(types.ModuleType("empty")), "empty has no conversions; declare one"),
    ],
)
def test_a_mistake_is_told_where_it_is_made(declare: Callable[[], object], text: str) -> None:
    with pytest.raises(DeclarationError, match=text):
        declare()


def test_the_conversions_of_a_module_are_found() -> None:
    module = types.ModuleType("conversions")
    vars(module).update({"A": _between("v1", "v2"), "B": _between("v3", "v2"), "Conversion": Conversion, "x": 5})
    vars(module)["again"] = vars(module)["A"]
    assert Converter.of(module).kinds == {("", "Robot"): {"v1", "v2", "v3"}}
    ready = Converter([_between("v1", "v2")])
    vars(module)["CONVERTER"] = ready
    assert Converter.of(module) is ready
    vars(module)["other"] = Converter([_between("v1", "v2")])
    with pytest.raises(DeclarationError, match="has several converters"):
        Converter.of(module)


def test_an_annotation_that_breaks_the_way_back_is_not_restored() -> None:
    @converts("v1", "v2", kind="Robot")
    def up(obj: Any) -> Any:
        return obj

    @converts("v2", "v1", kind="Robot")
    def down(obj: Any) -> Any:
        obj["spec"]["size"] = int(obj["spec"].get("size", 1))

    text = '{"v2": [{"at": ["spec", "size"], "value": "x"}]}'
    made = Converter([up, down]).convert(robot("v1", {}, metadata={"annotations": {KEPT: text}}), "example.com/v2")
    assert made["spec"] == {}


# --- modules ---------------------------------------------------------------------------------------------------------


def test_the_former_name_of_the_package_warns() -> None:
    sys.modules.pop("validation_gen.conversions", None)
    with pytest.warns(DeprecationWarning, match=r"is now validation_gen\.webhooks\.conversions") as caught:
        former = importlib.import_module("validation_gen.conversions")
    assert len(caught) == 1
    assert former.__all__ == conversions.__all__
    assert all(getattr(former, name) is getattr(conversions, name) for name in conversions.__all__)


@pytest.mark.process
def test_a_program_that_converts_imports_no_server() -> None:
    code = "import sys; old = {*sys.modules}; import validation_gen.webhooks.conversions; print(*{*sys.modules} - old)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    others = {name.partition(".")[0] for name in done.stdout.split()} - sys.stdlib_module_names
    assert others == {"validation_gen"}
    ours = {name for name in done.stdout.split() if name.startswith("validation_gen.")}
    below = re.compile(r"validation_gen\.(webhooks(\.conversions(\.\w+)?)?|runtime(\.words)?)")
    assert {name for name in ours if not below.fullmatch(name)} == set()
