"""What written tests ask: handwritten functions may be async, and may change the objects that they get."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from validation_gen.commands.compare.harness.emit import emit_harness
from validation_gen.commands.compare.harness.testing import Agreement
from validation_gen.commands.compare.requests import Request
from validation_gen.compiler.config import Config
from validation_gen.compiler.pipeline import Settings, build_files, build_program, load_validators
from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.emit.output import write_files

SOURCE = """package v1

type Shelf struct {
	// +k8s:optional
	// +k8s:maximum=5
	Levels *int32 `json:"levels,omitempty"`
}
"""
HIGH = {"levels": 7}


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    (tmp_path / "v1").mkdir()
    (tmp_path / "v1" / "types.go").write_text(SOURCE)
    return tmp_path / "v1"


def agreement(source: Path, function: Any) -> Agreement:
    program = build_program(Settings((str(source),))).program
    return Agreement(load_validators(program), {"Shelf": function}, [source])


def request(source: Path, obj: Any) -> Request:
    (package,) = build_program(Settings((str(source),))).program.packages
    return Request("Shelf", obj, package=package)


async def said_async(obj: Any) -> list[str]:
    await asyncio.sleep(0)
    return ["levels: Invalid value: 7: too high"] if obj.get("levels", 0) > 5 else []


def test_async_functions_are_awaited(shop: Path) -> None:
    both = agreement(shop, said_async)
    for levels in (5, 7):
        both.check(request(shop, {"levels": levels}))
    for number in range(20):
        both.check(both.draw(number))


def test_what_an_async_function_does_not_say_is_told(shop: Path) -> None:
    async def silent(obj: Any) -> None:
        await asyncio.sleep(0)

    with pytest.raises(AssertionError, match="rule extra"):
        agreement(shop, silent).check(request(shop, HIGH))


def test_what_a_function_does_to_an_object_stays_with_it(shop: Path) -> None:
    def mending(obj: Any) -> None:
        obj["levels"] = 5

    asked = request(shop, dict(HIGH))
    with pytest.raises(AssertionError, match="rule extra"):
        agreement(shop, mending).check(asked)
    assert asked.obj == HIGH


def test_a_type_that_no_object_names_has_cases_for_all_its_rules(shop: Path) -> None:
    settings = Settings((str(shop),))
    program = build_program(settings).program
    config = Config(handwritten={"Shelf": "registry:check"}, spans={"Shelf": Span("pyproject.toml")})
    files = emit_harness(program, load_validators(program), config, settings, "generated", Diagnostics())
    (cases,) = (json.loads(text)["cases"] for name, text in files.items() if name.endswith(".json"))
    assert [(case["rule"]["tag"], case["breaks"]["obj"], case["obeys"]["obj"]) for case in cases] == [
        ("+k8s:maximum=5", {"levels": 6}, {"levels": 5})
    ]


def test_a_handwritten_module_may_be_called_registry(shop: Path, tmp_path: Path) -> None:
    settings = Settings((str(shop),))
    program = build_program(settings).program
    config = Config(handwritten={"Shelf": "registry:check"}, spans={"Shelf": Span("pyproject.toml")})
    files = build_files(program) | emit_harness(
        program, load_validators(program), config, settings, "generated", Diagnostics()
    )
    write_files(str(tmp_path / "generated"), files, Diagnostics(), prune=False)
    (tmp_path / "registry.py").write_text("def check(obj):\n    return ['no']\n")
    (name,) = (file for file, text in files.items() if "def harnesses(" in text)
    module = name.removesuffix(".py").replace("/", ".")
    text = f"from generated.{module} import harnesses; print(*(h.validate({{}}) for h in harnesses().values()))"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    done = subprocess.run([sys.executable, "-c", text], check=False, capture_output=True, text=True, env=environment)
    assert done.stdout == "[FieldError('<nil>: Invalid value: \"\": no')]\n", done.stderr
