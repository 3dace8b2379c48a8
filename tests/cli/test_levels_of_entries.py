"""Which rules refuse an object: one table of every entry that judges, at each level.

A kind has a rule of each level, and an object breaks them all. `docs/levels.md` has the same table for readers.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import re
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.cli.conftest import Program
from tests.tables import each
from tests.webhooks.asking import response
from validation_gen.cli.options import Sources
from validation_gen.cli.serve_handlers import Beside
from validation_gen.compiler.pipeline import Settings, build_program, load_validators
from validation_gen.mismatch import FeatureGates, Harness
from validation_gen.mismatch.gates import BETA
from validation_gen.rules.releases import NEWEST
from validation_gen.runtime.levels import Level
from validation_gen.runtime.registry import Registry
from validation_gen.webhooks import Gates
from validation_gen.webhooks.application import endpoints
from validation_gen.webhooks.kopf import register

TYPES = """package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Lamp struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec LampSpec `json:"spec"`
}

type LampSpec struct {
	// +k8s:alpha(since: "1.37")=+k8s:maximum=5
	Alpha int32 `json:"alpha"`
	// +k8s:beta(since: "1.37")=+k8s:maximum=5
	Beta int32 `json:"beta"`
	// +k8s:maximum=5
	Standard int32 `json:"standard"`
}
"""
DOC = "// +k8s:validation-gen=*\n// +groupName=example.com\n\npackage v1\n"
LAMP = {
    "apiVersion": "example.com/v1",
    "kind": "Lamp",
    "metadata": {"name": "a"},
    "spec": {"alpha": 9, "beta": 9, "standard": 9},
}
#: The levels whose rules refuse, by the level that a user gives; `None` where a user gives none.
ENFORCED = {
    None: {"beta", "standard"},
    "alpha": {"alpha", "beta", "standard"},
    "beta": {"beta", "standard"},
    "standard": {"standard"},
}

#: Asks an entry at a level, and returns the rules that refuse the object.
Entry = Callable[[Program, str | None], set[str]]


def named(text: str) -> set[str]:
    """The fields that a text has an error of. The text of an error says its level if that is not standard."""
    found = {}
    for field, level in re.findall(
        r"spec\.(\w+): Invalid value: 9: [\w ]+?5(?: \((\w+) rule\))?(?=[\n\",\]%]|$)", text
    ):
        found[field] = level or "standard"
    assert all(field == level for field, level in found.items()), text
    return set(found)


def flags(level: str | None) -> list[str]:
    return [] if level is None else ["--level", level]


def registry() -> Registry:
    return load_validators(build_program(Settings(("apis",))).program)


def validates(format: str, program: Program, level: str | None) -> set[str]:
    done = program("validate", "apis", "-f", "lamp.json", "--format", format, *flags(level))
    assert done.code == 1
    return named(done.out)


def validates_json(program: Program, level: str | None) -> set[str]:
    done = program("validate", "apis", "-f", "lamp.json", "--format", "json", *flags(level))
    errors = json.loads(done.out)[0]["errors"]
    assert all(error["field"] == f"spec.{error['level'] or 'standard'}" for error in errors)
    return named("\n".join(error["message"] for error in errors))


def validates_as_configured(program: Program, level: str | None) -> set[str]:
    program.write({"validation-gen.toml": f'level = "{level}"\n' if level else ""})
    return named(program("validate", "apis", "-f", "lamp.json").out)


def validates_by_schema(program: Program, level: str | None) -> set[str]:
    done = program("validate", "apis", "-f", "lamp.json", "--rules", "schema", *flags(level))
    return set(re.findall(r"spec\.(\w+): Invalid value", done.out))


def validates_in_processes(program: Program, level: str | None) -> set[str]:
    return named(program("validate", "apis", "-f", "lamp.json", "--jobs", "2", *flags(level)).out)


def explains(program: Program, level: str | None) -> set[str]:
    done = program("explain", "apis", "-f", "lamp.json", *flags(level))
    assert done.code == 1
    return named(done.out)


def explains_json(program: Program, level: str | None) -> set[str]:
    done = program("explain", "apis", "-f", "lamp.json", "--format", "json", *flags(level))
    checks = json.loads(done.out)["checks"]
    return named("\n".join(error["message"] for check in checks for error in check["errors"]))


def package(program: Program, level: str | None) -> set[str]:
    """A generated package whose callers name the level."""
    assert program("generate", "apis", "--output-dir", "made").code == 0
    return {error.field.removeprefix("spec.") for error in imported(program).validate(LAMP, level=level)}


def package_of_level(program: Program, level: str | None) -> set[str]:
    """A package that was generated with a level, whose callers name none."""
    assert program("generate", "apis", "--output-dir", "made", *flags(level)).code == 0
    assert ("level=" in (program.directory / "made/__init__.py").read_text()) is (level in ("alpha", "standard"))
    return {error.field.removeprefix("spec.") for error in imported(program).validate(LAMP)}


def imported(program: Program) -> Any:
    sys.path.insert(0, str(program.directory))
    try:
        for name in [name for name in sys.modules if name.partition(".")[0] == "made"]:
            del sys.modules[name]
        importlib.invalidate_caches()
        return importlib.import_module("made")
    finally:
        sys.path.remove(str(program.directory))


def often(program: Program, level: str | None) -> set[str]:
    """The validator of a kind, asked so often that native code answers, and about an update, too."""
    validator = registry().validator("example.com/v1", "Lamp")
    right = {**LAMP, "spec": {"alpha": 1, "beta": 1, "standard": 1}}
    for _ in range(60):
        assert validator(right, level=level) == validator(right, right, level=level) == []
        found = [error.field for error in validator(LAMP, level=level)]
        assert [error.field for error in validator(LAMP, right, level=level)] == found
    return {field.removeprefix("spec.") for field in found}


def crd(command: str, program: Program, level: str | None) -> set[str]:
    """A definition that was written at a level, by which another command judges."""
    assert program("crd", "apis", "--output-dir", "crds", *flags(level)).code == 0
    (file,) = (program.directory / "crds").glob("*.yaml")
    if command == "apply":
        done = program("apply", "--dry-run", "-f", file, "-f", "lamp.json")
    else:
        done = program("validate", file, "-f", "lamp.json")
    return set(re.findall(r"spec\.(\w+): Invalid value", done.out + done.err))


def schema(program: Program, level: str | None) -> set[str]:
    assert program("jsonschema", "apis", "--output-dir", "schemas", *flags(level)).code == 0
    texts = "".join(path.read_text() for path in (program.directory / "schemas").rglob("*.json"))
    spec = max(re.findall(r'"spec": \{.*?"type": "object"', texts, re.DOTALL), key=len)
    return set(re.findall(r'"(\w+)": \{[^{}]*"maximum": 5', spec, re.DOTALL))


def serve(program: Program, level: str | None) -> set[str]:
    """`webhook serve --level`, in whose answers the level is part of the text."""
    chosen = Sources().settings(["apis"])
    result = build_program(chosen)
    beside = Beside() if level is None else Beside(level=Level(level))
    found = beside.endpoints(result, load_validators(result.program), chosen, {}, print)
    return named(refusal(found))


def gates(program: Program, level: str | None) -> set[str]:
    """A webhook with a file of gates."""
    told = {}
    if level is not None:
        hidden = Level(level).hidden
        told = {"levels": {each.value: "off" if each.value in hidden else "deny" for each in Level}}
    program.write({"gates.json": json.dumps(told)})
    return named(refusal(endpoints(registry(), gates=Gates(program.directory / "gates.json"))))


def webhook_of_package(program: Program, level: str | None) -> set[str]:
    """A webhook without gates, of a package that was generated with a level."""
    assert program("generate", "apis", "--output-dir", "made", *flags(level)).code == 0
    return named(refusal(endpoints(imported(program).registry)))


def refusal(found: dict[str, Any]) -> str:
    answer = response(found["/validate"], LAMP)
    assert not answer["allowed"]
    causes = answer["status"]["details"]["causes"]
    message: str = answer["status"]["message"]
    assert named(message) == named("\n".join(f"{each['field']}: {each['message']}" for each in causes))
    return message


def kopf(program: Program, level: str | None) -> set[str]:
    """The handlers for kopf, of a package that was generated with a level."""
    handlers: list[Any] = []

    class AdmissionError(Exception):
        def __init__(self, message: str, code: int) -> None:
            super().__init__(message)

    def validate(*place: str, **more: Any) -> Callable[[Any], None]:
        return handlers.append

    framework = SimpleNamespace(on=SimpleNamespace(validate=validate, mutate=validate), AdmissionError=AdmissionError)
    assert program("generate", "apis", "--output-dir", "made", *flags(level)).code == 0
    register(framework, imported(program).registry)
    asked = {"old": None, "new": LAMP, "operation": "CREATE", "subresource": None, "dryrun": False, "userinfo": {}}
    resource = SimpleNamespace(group="example.com", version="v1", plural="lamps")
    with pytest.raises(AdmissionError) as refused:
        asyncio.run(handlers[0](**asked, warnings=[], patch={}, resource=resource))
    return named(str(refused.value))


def harness(program: Program, level: str | None) -> set[str]:
    """A handwritten validator that says nothing beside the tags. A gate decides about beta rules."""
    gates = {} if level is None else {BETA: level == "beta"}
    found = Harness.of(registry(), "Lamp", lambda obj, old=None: [], gates=FeatureGates(NEWEST, gates))
    return {error.field.removeprefix("spec.") for error in found.validate(LAMP)}


ENTRIES: dict[str, Entry] = {
    "validate": partial(validates, "full"),
    "validate --format github": partial(validates, "github"),
    "validate --format concise": partial(validates, "concise"),
    "validate --format json": validates_json,
    "validate --rules schema": validates_by_schema,
    "validate --jobs": validates_in_processes,
    "validate as configured": validates_as_configured,
    "explain -f": explains,
    "explain -f --format json": explains_json,
    "generated package": package,
    "generate --level": package_of_level,
    "registry.validator": often,
    "apply of crd": partial(crd, "apply"),
    "validate of crd": partial(crd, "validate"),
    "jsonschema": schema,
    "serve": serve,
    "gates": gates,
    "webhook of a package": webhook_of_package,
    "kopf": kopf,
    "harness": harness,
}
#: A harness never returns errors of alpha rules.
_NEVER = {("harness", "alpha")}


@pytest.fixture
def lamps(program: Program, monkeypatch: pytest.MonkeyPatch) -> Program:
    program.write(
        {
            "go.mod": "module example.com/m\n",
            "apis/lamp/v1/doc.go": DOC,
            "apis/lamp/v1/types.go": TYPES,
            "lamp.json": json.dumps(LAMP),
        }
    )
    monkeypatch.chdir(program.directory)
    return program


@each("level", ENFORCED)
@pytest.mark.parametrize("entry", ENTRIES)
def test_rules_are_enforced_from_a_level_on(lamps: Program, entry: str, level: str | None) -> None:
    if (entry, level) not in _NEVER:
        assert ENTRIES[entry](lamps, level) == ENFORCED[level]


def test_the_line_protocol_tells_all_levels(lamps: Program) -> None:
    request = {"id": 1, "kind": "Lamp", "package": "lamp/v1", "op": "create", "obj": LAMP}
    done = lamps("webhook", "stdio", "apis", stdin=json.dumps(request) + "\n")
    errors = json.loads(done.out)["errors"]
    assert [(error["field"], error["level"]) for error in errors] == [
        ("spec.alpha", "alpha"),
        ("spec.beta", "beta"),
        ("spec.standard", ""),
    ]
    assert {error["message"].rpartition(": ")[2] for error in errors} == {"must be less than or equal to 5"}


def test_compare_looks_at_all_levels_and_names_them(lamps: Program) -> None:
    lamps.write({"hand.py": "def validate(obj, old=None):\n    return []\n"})
    done = lamps("compare", "apis", "--handwritten", "python:hand.py:validate", "-f", "lamp.json")
    assert done.code == 1
    assert re.findall(r"equal to 5(?: \((\w+) rule\))? \(origin maximum\)", done.out) == ["alpha", "beta", ""]


def test_what_is_not_enforced_is_skipped_and_accepted(lamps: Program) -> None:
    lamps.write({"lamp.json": json.dumps({**LAMP, "spec": {"alpha": 9}})})
    assert lamps("validate", "apis", "-f", "lamp.json").code == 0
    done = lamps("explain", "apis", "-f", "lamp.json")
    assert done.code == 0
    assert "alpha rules are not enforced" in done.out


@pytest.mark.parametrize("right", [True, False])
def test_a_level_that_is_none_is_refused(lamps: Program, right: bool) -> None:
    found = registry()
    obj = {**LAMP, "spec": {}} if right else {}
    for ask in (found.validate, found.validator("example.com/v1", "Lamp")):
        with pytest.raises(ValueError, match="'gamma' is no level: write alpha, beta or standard"):
            ask(obj, level="gamma")
    with pytest.raises(ValueError, match="'gamma' is no level"):
        Gates(level="gamma")


def test_the_error_of_a_schema_counts_where_that_of_the_tag_does_not(lamps: Program) -> None:
    """A marker and an alpha tag that say the same: the marker holds at every level, and each error is there once."""
    lamps.write(
        {
            "apis/lamp/v1/types.go": TYPES.replace(
                "	// +k8s:alpha", "	// +kubebuilder:validation:Maximum=5\n	// +k8s:alpha"
            ).replace("	// +k8s:beta", "	// +kubebuilder:validation:Maximum=5\n	// +k8s:beta")
        }
    )
    found = registry()
    for level, fields in {None: ["beta", "standard", "alpha"], "standard": ["standard", "alpha", "beta"]}.items():
        errors = found.validate(LAMP, level=level)
        assert [error.field.removeprefix("spec.") for error in errors] == fields
    (error,) = (error for error in found.validate(LAMP) if error.field == "spec.alpha")
    assert error.level == ""


@pytest.mark.parametrize("all_refuse", [False, True])
def test_at_the_lowest_level_a_tag_is_heard_where_a_schema_says_the_same(lamps: Program, all_refuse: bool) -> None:
    source = lamps.directory / "apis/lamp/v1/types.go"
    text = source.read_text().replace(
        "	// +k8s:alpha", "	// +kubebuilder:validation:Maximum=5\n	// +k8s:alpha"
    )
    source.write_text(text, encoding="utf-8")
    if all_refuse:
        actions = Gates(level="alpha").state
        errors = registry().validate(LAMP, level="alpha")
        told = [str(each) for each in actions.split_by_level(errors)[0]]
    else:
        told = lamps("validate", "apis", "-f", "lamp.json", "--level", "alpha").out.splitlines()
    assert [line for line in told if "spec.alpha" in line and "5" in line] == [
        next(line for line in told if "spec.alpha: Invalid value: 9: must be less than or equal to 5" in line)
    ]


def test_a_webhook_warns_with_the_level(lamps: Program) -> None:
    Path("gates.yaml").write_text("levels: {alpha: warn, standard: off}\n")
    answer = response(endpoints(registry(), gates="gates.yaml")["/validate"], LAMP)
    assert named("\n".join(answer["warnings"])) == {"alpha"}
    assert named(answer["status"]["message"]) == {"beta"}
