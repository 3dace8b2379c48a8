"""Strategic merge patches give the objects and errors that upstream's library gives."""

from __future__ import annotations

import copy
import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from tests.kubernetes.strategic_patches import SCHEMAS, Drawing
from tests.tables import each
from tests.thorough import THOROUGH
from validation_gen.kubernetes.strategicmerge import StrategicMergeError, merge_strategic

RECORDED = Path(__file__).parents[2] / "testdata" / "strategic-merge" / "patches.jsonl.gz"


def answer(case: dict[str, Any]) -> dict[str, Any]:
    try:
        return {"object": merge_strategic(case["object"], copy.deepcopy(case["patch"]), SCHEMAS[case["type"]])}
    except StrategicMergeError as problem:
        return {"error": str(problem)}


def test_answers_are_those_of_upstream() -> None:
    failures = []
    with gzip.open(RECORDED, "rt", encoding="utf-8") as lines:
        for line, case in enumerate(map(json.loads, lines)):
            before = copy.deepcopy(case["object"])
            found = answer(case)
            if found != case["answer"]:
                failures.append(f"line {line + 1}: {found} instead of {case['answer']}")
            assert case["object"] == before, "a patch leaves the object as it is"
    assert not failures, "\n".join(failures)


def test_random_patches_end_with_objects_or_errors() -> None:
    for seed in range(20_000 if THOROUGH else 200):
        assert len(answer(Drawing(seed).case())) == 1


def pod(**spec: Any) -> dict[str, Any]:
    return {"metadata": {"name": "n", "labels": {"a": "x"}}, "spec": spec}


ENV = [{"name": "A", "value": "1"}, {"name": "B", "value": "2"}]


@each(
    "spec, patch, wanted",
    [
        # Lists with merge keys: items of the patch come first, and in its order.
        ({"containers": [{"name": "a", "image": "x"}]}, {"containers": [{"name": "a", "env": ENV}]},
         {"containers": [{"name": "a", "image": "x", "env": ENV}]}),
        ({"containers": [{"name": "a"}]}, {"containers": [{"name": "b"}]},
         {"containers": [{"name": "b"}, {"name": "a"}]}),
        ({"containers": [{"name": "a"}, {"name": "b"}]}, {"containers": [{"name": "a", "$patch": "delete"}]},
         {"containers": [{"name": "b"}]}),
        ({"containers": [{"name": "a"}]}, {"containers": [{"name": "b"}, {"$patch": "replace"}]},
         {"containers": [{"name": "b"}]}),
        ({"containers": [{"name": "a"}, {"name": "b"}]},
         {"$setElementOrder/containers": [{"name": "b"}, {"name": "a"}]},
         {"containers": [{"name": "b"}, {"name": "a"}]}),
        # Lists without a strategy are replaced, maps are merged.
        ({"tolerations": [{"key": "a"}]}, {"tolerations": [{"key": "b"}]}, {"tolerations": [{"key": "b"}]}),
        ({"nodeSelector": {"a": "x", "b": "y"}}, {"nodeSelector": {"a": None, "c": "z"}},
         {"nodeSelector": {"b": "y", "c": "z"}}),
        ({"nodeSelector": {"a": "x"}}, {"nodeSelector": {"$patch": "replace", "c": "z"}}, {"nodeSelector": {"c": "z"}}),
        ({"nodeSelector": {"a": "x"}}, {"nodeSelector": {"$patch": "delete"}}, {"nodeSelector": {}}),
        # Fields that a directive does not retain are dropped.
        ({"volumes": [{"name": "a", "hostPath": {"path": "x"}, "emptyDir": {}}]},
         {"volumes": [{"name": "a", "hostPath": {"path": "y"}, "$retainKeys": ["name", "hostPath"]}]},
         {"volumes": [{"name": "a", "hostPath": {"path": "y"}}]}),
        # Nulls of what is new are dropped, and objects with directives.
        ({}, {"nodeSelector": {"a": None, "b": "x"}, "nodeName": None}, {"nodeSelector": {"b": "x"}}),
        ({}, {"containers": [{"name": "a", "$patch": "delete"}]}, {"containers": []}),
    ],
)  # fmt: skip
def test_directives(spec: Any, patch: Any, wanted: Any) -> None:
    assert merge_strategic(pod(**spec), {"spec": patch}, SCHEMAS["Pod"]) == pod(**wanted)


def test_lists_of_texts() -> None:
    obj = {"metadata": {"finalizers": ["a", "b"]}}
    patch = {"metadata": {"$deleteFromPrimitiveList/finalizers": ["a"], "finalizers": ["c"]}}
    assert merge_strategic(obj, patch, SCHEMAS["Pod"]) == {"metadata": {"finalizers": ["c", "b"]}}


ORDER = "$setElementOrder/containers"


@each(
    "patch, words, code",
    [
        ({"containers": [{"image": "x"}]}, "map: map[image:x] does not contain declared merge key: name", 500),
        ({"containers": [["x"]]}, "list element types are not identical: [[map[name:a]] [[x]]]", 500),
        ({"containers": ["x"]}, "list element types are not identical: [[map[name:a]] [x]]", 500),
        ({"containers": [{"name": "a", "$patch": "merge"}]}, "merging lists cannot yet be specified in the patch", 500),
        (
            {"containers": [{"name": "a", "$patch": "odd"}]},
            "unknown patch type: odd in map: map[$patch:odd name:a]",
            500,
        ),
        ({"$patch": "merge"}, "unknown patch type: merge in map: map[$patch:merge]", 500),
        ({"$retainKeys": "x"}, "invalid patch format of retainKeys", 400),
        ({"$retainKeys": ["a"], "nodeName": "x"}, "invalid patch format of retainKeys", 400),
        ({"$deleteFromPrimitiveList": ["x"]}, "invalid patch format of primitive list", 400),
        ({"$setElementOrder": ["x"]}, "invalid patch format of setElementOrder list", 400),
        ({ORDER: "x"}, "expected a []interface {}, but received a string", 500),
        ({ORDER: None}, "expected a []interface {}, but received a %!s(<nil>)", 500),
        (
            {"containers": [{"name": "b"}], ORDER: [{"name": "a"}]},
            "The order in patch list:\n[map[name:b]]\n doesn't match $setElementOrder list:\n[map[name:a]]\n",
            500,
        ),
        (
            {"$setElementOrder/zz": [{"name": "a"}]},
            'unable to find api field in struct PodSpec for the json field "zz"',
            500,
        ),
        ({"$setElementOrder/nodeName": ["a"]}, "expected slice or array type, but got: struct", 500),
    ],
)
def test_wrong_patches(patch: Any, words: str, code: int) -> None:
    with pytest.raises(StrategicMergeError) as found:
        merge_strategic(pod(containers=[{"name": "a"}]), {"spec": patch}, SCHEMAS["Pod"])
    assert (str(found.value), found.value.code) == (words, code)


def test_lists_of_lists_are_no_request() -> None:
    with pytest.raises(StrategicMergeError) as found:
        merge_strategic({"metadata": {"finalizers": []}}, {"metadata": {"finalizers": [["x"]]}}, SCHEMAS["Pod"])
    assert (str(found.value), found.value.code) == ("lists of lists are not supported", 422)


def test_deep_patches_end_with_words() -> None:
    deep: Any = "x"
    for _ in range(5_000):
        deep = {"nodeSelector": deep}
    with pytest.raises(StrategicMergeError, match="exceeded max depth"):
        merge_strategic(pod(), {"spec": deep}, SCHEMAS["Pod"])
