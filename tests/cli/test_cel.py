"""`validation-gen cel`, as people run it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.kubernetes.crd.schemas import definition
from tests.kubernetes.objects.answers import robot, root
from tests.program import invoke
from tests.tables import each

ITEM = {
    "type": "object",
    "properties": {"name": {"type": "string", "maxLength": 9}, "when": {"type": "string", "format": "date"}},
}
SPEC = {"type": "object", "properties": {"items": {"type": "array", "items": ITEM, "maxItems": 9}}}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write("crd.yaml", definition(root(SPEC)))
    write("new.yaml", robot({"items": [{"name": "b", "when": "2020-01-01"}, {"name": "c"}]}))
    write("old.yaml", robot({"items": [{"name": "a"}]}))
    return tmp_path


def write(name: str, *objects: Any) -> None:
    Path(name).write_text(yaml.safe_dump_all(objects, sort_keys=False), encoding="utf-8")


def run(*args: str, stdin: str | None = None) -> tuple[int, str, str]:
    result = invoke(["cel", *args], stdin)
    return result.exit_code, result.stdout, result.stderr


def value(rule: str, *args: str) -> Any:
    code, out, err = run("eval", rule, "-f", "new.yaml", *args)
    assert code == 0, err
    return json.loads(out)


@each(
    ("rule", "args", "wanted"),
    [
        ("self.spec.items.map(i, i.name)", [], ["b", "c"]),
        ("self.name + '!'", ["--at", ".spec.items[1]"], "c!"),
        ("self.when < timestamp('2021-01-01T00:00:00Z')", ["--at", ".spec.items[*]", "--crd", "crd.yaml"], True),
        ("self.when", ["--at", ".spec.items[0]"], "2020-01-01"),
        ("self.when", ["--at", ".spec.items[0]", "--crd", "crd.yaml"], "2020-01-01T00:00:00Z"),
        ("self.name != oldSelf.name", ["--at", ".spec.items[0]", "--old", "old.yaml"], True),
        ("oldSelf.hasValue()", ["--optional-old-self"], False),
        ("oldSelf.value().metadata.name", ["--optional-old-self", "--old", "old.yaml"], "talos"),
        ("[duration('90s'), duration('1ms')]", [], ["90s", "0.001s"]),
        ("{'a': b'x'}", [], {"a": "x"}),
        ("ip('::1')", [], "::1"),
        ("type(self)", [], "map"),
        ("[optional.of(self.kind), optional.none()]", [], ["Robot", None]),
    ],
)
def test_values(here: Path, rule: str, args: list[str], wanted: Any) -> None:
    assert value(rule, *args) == wanted


def test_what_is_told_beside_the_value(here: Path) -> None:
    code, out, err = run(
        "eval", "self.name == oldSelf.name", "-f", "new.yaml", "--old", "old.yaml", "--at", ".spec.items[0]"
    )
    assert (code, out) == (0, "false\n")
    assert err.splitlines()[0] == "type bool, cost 5"
    assert err.splitlines()[2] == 'oldSelf = {"name": "a"}'


def test_rules_from_standard_input(here: Path) -> None:
    assert run("eval", "-", "-f", "new.yaml", stdin="self.kind\n")[:2] == (0, '"Robot"\n')


@each(
    ("rule", "args", "code", "said"),
    [
        ("self.spec.gone", [], 1, "undefined field 'gone'"),
        ("self.spec.items[7].name", [], 1, "index out of bounds: 7"),
        ("self.(", [], 1, "Syntax error"),
        ("oldSelf == self", [], 1, "no such attribute(s): oldSelf"),
        ("[0].map(a, self.spec.items.map(b, 1))", ["-f", "gone.yaml"], 2, "cannot read"),
        ("self", ["--at", ".spec.none"], 2, "the schema has nothing at .spec.none"),
        ("self", ["--at", "spec..x"], 2, "is not a path such as .spec.ports[*].name"),
        ("self", ["--crd", "crd.yaml", "--version", "v9"], 2, "the definition has no version v9; it has v1"),
        ("self", ["--crd", "new.yaml"], 2, "new.yaml has 0 definitions, not one"),
    ],
)
def test_mistakes(here: Path, rule: str, args: list[str], code: int, said: str) -> None:
    found = run("eval", rule, *(args if "-f" in args else ["-f", "new.yaml", *args]))
    assert (found[0], said in found[2]) == (code, True), found


def test_what_releases_think(here: Path) -> None:
    code, out, _ = run("check", "self.items.all(i, has(i.name))", "--crd", "crd.yaml", "--at", "spec")
    assert (code, out) == (0, "1.25 to 1.37: cost 39 of 10000000 (0.00%)\n")
    code, out, _ = run("check", "self.items.all(i, ip(i.name).family() == 4)", "--crd", "crd.yaml", "--at", ".spec")
    assert (code, [line.split(": ")[0] for line in out.splitlines() if line[:1] == "1"]) == (
        1,
        ["1.25 to 1.30", "1.31 to 1.37"],
    )
    huge = {"type": "array", "items": {"type": "array", "items": {"type": "string"}}}
    write("crd.yaml", definition(root(huge)))
    code, out, _ = run("check", "self.all(a, a.all(b, self.exists(c, b in c)))", "--crd", "crd.yaml", "--at", ".spec")
    assert (code, "1.25 to 1.37: estimated rule cost exceeds budget by factor of" in out) == (1, True)
