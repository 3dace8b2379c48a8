"""What mypyc is given: the same module, line by line."""

from __future__ import annotations

import ast

import pytest

from tests.case_folders import Case, all_cases
from validation_gen.uses.generate.compiled.circles import circles
from validation_gen.uses.generate.compiled.source import for_mypyc

CASES = [case for case in all_cases() if case.objects.exists()]  # built by the process that tries them


def functions(text: str) -> list[ast.FunctionDef]:
    return [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_functions_stay_where_they_are(case: Case) -> None:
    for name, text in case.files().items():
        if '"""Validators of ' not in text[:400] or name.endswith("__init__.py"):
            continue
        before, after = functions(text), functions(for_mypyc(text, "built", "stamp", name))
        places = [[(n.lineno, type(n)) for n in ast.walk(f) if isinstance(n, ast.stmt)] for f in (*before, *after)]
        # Declarations are added, and what is fetched with a condition is not assigned behind it.
        told = [[p for p in each if p[1] not in (ast.AnnAssign, ast.Assign, ast.Pass)] for each in places]
        assert told[: len(before)] == told[len(before) :]
        assert [f.name for f in before] == [f.name for f in after]


def test_only_functions_are_left_to_mypyc() -> None:
    text = '''"""Validators of x."""

from __future__ import annotations

from validation_gen.runtime import checks as check, shapes
from ..meta import (
    v1 as meta_v1,
)

AShape = shapes.Struct("A")
_Known1 = check.KNOWN["k8s-short-name"]
_Values1 = check.one_of(
    "ä",
    "b",
)
_R1 = Rule("x")
AShape.define({})
SHAPES: dict[str, int] = {}


def create_A(obj: dict[str, Any]) -> None:
    errs: list[Any] | None = None
    v = obj.get("a")
    stop = False
    if "b" in obj:
        v = obj["b"]
    if v.__class__ is not str: v = "ä"; v = v.__class__ is str
    for key, item in (v or {}).items(): create_A(item)
'''
    lines = for_mypyc(text, "built", "stamp", "a.py").splitlines()
    assert len(lines) == text.count("\n") + 2
    assert lines[0] == "pass"
    assert lines[4] == "check: _Any; shapes: _Any"
    assert lines[5].startswith("meta_v1: _Any")
    assert lines[9] == "AShape: _Any"
    assert lines[10] == "_Known1: _Final[set[str]] = _names['_Known1']"
    assert lines[11].startswith("_Values1: _Final[dict[str, None]] = _names['_Values1']")
    assert lines[15:18] == ["_R1: _Any", "pass", "SHAPES: _Any"]
    assert lines[20:28] == [
        "def create_A(obj: dict[str, Any]) -> None:",
        "    errs: list[Any] | None = None; v: _Any",
        '    v = _cast(dict[_Any, _Any], obj).get("a")',
        "    stop = False",
        "    if (v := _cast(_Any, _cast(dict[_Any, _Any], obj).get('b', _missing))) is not _missing:",
        "        pass",
        '    if type(v) is not str: v = "ä"; v = type(v) is str',
        "    for key, item in (_cast(dict[_Any, _Any], v or {})).items(): _deeper(create_A, item)",
    ]


def test_circles() -> None:
    text = "def a(): b(); leaf(); a.x()\ndef b(): c()\ndef c(): a(); d()\ndef d(): d(); leaf()\ndef leaf(): other()\n"
    assert [ast.unparse(call) for call in circles(functions(text))] == ["b()", "c()", "a()", "d()"]


def test_a_long_chain_is_no_circle() -> None:
    text = "\n".join(f"def f{i}(): f{i + 1}()" for i in range(3000)) + "\ndef f3000(): pass\n"
    assert list(circles(functions(text))) == []
    assert len(list(circles(functions(text.replace("pass", "f0()"))))) == 3001
