"""Kinds whose names end in List, and lists."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cli import test_apply, test_validate_definitions
from tests.cli.test_apply import here, write
from tests.kubernetes.crd.schemas import definition
from tests.kubernetes.objects.answers import robot

__all__ = ["here"]

SCHEMA = {
    "type": "object",
    "required": ["items"],
    "properties": {"items": {"type": "array", "maxItems": 2, "items": {"type": "string"}}},
}
NAMES = {"kind": "AllowList", "plural": "robots", "listKind": "AllowListList"}
KIND = definition(SCHEMA, names=NAMES)


def allow(*items: Any) -> dict[str, Any]:
    return robot(kind="AllowList", items=list(items))


@pytest.mark.parametrize(("items", "code"), [([], 0), (["a", "b"], 0), (["a", "b", "c"], 1)])
def test_a_kind_that_is_defined_is_no_list(here: Any, items: list[str], code: int) -> None:
    write("crd.yaml", KIND)
    write("lists.yaml", allow(*items), {**allow(), "kind": "AllowListList", "metadata": {}, "items": [allow("a")]})
    done, out, _ = test_apply.run("-f", "crd.yaml", "-f", "lists.yaml")
    assert (done, out.count("allowlist.example.com/talos created")) == (code, 2 - code)
    assert test_apply.run("--old", "crd.yaml", "-f", "lists.yaml")[0] == code
    done, out, _ = test_validate_definitions.run("crd.yaml", "-f", "lists.yaml")
    assert (done, out.splitlines()[-1]) == (code, f"2 objects: {2 - code} valid, {code} invalid")


def test_definitions_within_lists_count(here: Any) -> None:
    write("all.yaml", {"apiVersion": "v1", "kind": "List", "items": [KIND]}, allow("a"))
    code, out, _ = test_apply.run("-f", "all.yaml")
    assert (code, out.count("created")) == (0, 2)
