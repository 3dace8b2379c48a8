"""All types of k8s.io/api with twenty mistakes as people make them: each is told where it is, and nothing else.

Needs a checkout of kubernetes/api, and of kubernetes/apimachinery for the types that it uses.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.cli.conftest import HOME

API, MACHINERY = "VALIDATION_GEN_API", "VALIDATION_GEN_APIMACHINERY"
pytestmark = pytest.mark.skipif(
    not (os.environ.get(API) and os.environ.get(MACHINERY)), reason=f"{API} and {MACHINERY} must name checkouts"
)


class Mistake(NamedTuple):
    """What is found in a file first, what stands there instead, and what the advice says at least."""

    file: str
    right: str
    wrong: str
    code: str
    advice: str


MISTAKES = [
    # names
    Mistake("apps/v1", r"\+k8s:optional", "+k8s:optionl", "VG103", "did you mean +k8s:optional?"),
    Mistake("batch/v1", r"\+k8s:(\w+)=(\d+)", r"+k8s:\1s=\2", "VG103", "did you mean +k8s:"),
    Mistake("core/v1", r"\+k8s:listMapKey=name", "+k8s:listMapkey=name", "VG103", "did you mean +k8s:listMapKey?"),
    Mistake("networking/v1", r"\+k8s:immutable", "+k8s:imutable", "VG103", "did you mean +k8s:immutable?"),
    Mistake("resource/v1", r"\+k8s:unionMember", "+k8s:unionmember", "VG103", "did you mean +k8s:unionMember?"),
    Mistake("discovery/v1", r"\+k8s:enum", "+k8s:enums", "VG103", "did you mean +k8s:enum?"),
    # the wrong kind of field
    Mistake("storage/v1", r"\+k8s:immutable", "+k8s:listType=set", "VG204", "remove it"),
    Mistake("autoscaling/v2", r"\+k8s:minimum=", "+k8s:minItems=", "VG204", "for a number there is +k8s:minimum"),
    Mistake("resource/v1beta1", r"\+k8s:maxItems=", "+k8s:maxLength=", "VG204", "for a list there is +k8s:maxItems"),
    Mistake("storage/v1beta1", r"\+k8s:immutable", "+k8s:eachVal=+k8s:maxLength=5", "VG204", "write what holds"),
    # kubebuilder
    Mistake("resource/v1beta2", r"\+k8s:maxItems=", "+k8s:MaxItems=", "VG103", "did you mean +k8s:maxItems?"),
    Mistake("autoscaling/v1", r"\+optional", "+kubebuilder:validation:optional", "VG521", "validation:Optional?"),
    Mistake("policy/v1", r"\+optional", "+kubebuilder:validation:MaxLenght=5", "VG521", "validation:MaxLength?"),
    Mistake("events/v1", r"\+optional", "+k8s:validation:MaxLength=5", "VG521", "validation:maxLength"),
    # payloads
    Mistake("resource/v1alpha3", r"\+k8s:maxItems=\d+", "+k8s:maxItems=many", "VG203", "+k8s:maxItems=16"),
    Mistake("apps/v1beta1", r"\+k8s:minimum=0", "+k8s:minimum", "VG203", "+k8s:minimum=1"),
    Mistake("certificates/v1beta1", r"\+k8s:immutable", "+k8s:immutable=true", "VG203", "takes no value"),
    Mistake("scheduling/v1beta1", r"\+k8s:(m\w+)=\d+", r"+k8s:\1=1.5", "VG102", "write a whole number"),
    # keys
    Mistake("core/v1", r"\n\s*// \+k8s:listMapKey=resourceClaimName", "", "VG205", "+k8s:listMapKey="),
    Mistake("apps/v1beta2", r"\+listType=map", "+listType=mapp", "VG524", "did you mean map?"),
]


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("repository") / "api"
    shutil.copytree(os.environ[API], directory, ignore=shutil.ignore_patterns(".git", "testdata"))
    return directory


def findings(repository: Path) -> list[dict[str, str | int]]:
    """What the command tells; the two `nolint` tags that hide nothing are known, and really idle."""
    command = [sys.executable, "-m", "validation_gen", "lint", ".", "--format", "jsonl", "--no-cache"]
    machinery = Path(os.environ[MACHINERY]).absolute()
    done = subprocess.run(
        [*command, "--module", f"k8s.io/apimachinery={machinery}"],
        cwd=repository,
        env={**os.environ, "PYTHONPATH": str(HOME)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    told = [json.loads(line) for line in done.stdout.splitlines()]
    return [each for each in told if (each["file"], each["code"]) != ("lifecycle/v1alpha1/types.go", "VG499")]


def test_each_is_told_where_it_is_and_nothing_else(repository: Path) -> None:
    assert len(list(repository.rglob("types.go"))) >= 60
    assert findings(repository) == []
    places: dict[tuple[str, int], Mistake] = {}
    for mistake in MISTAKES:
        file = repository / mistake.file / "types.go"
        text = file.read_text(encoding="utf-8")
        found = re.search(mistake.right, text)
        assert found, mistake
        file.write_text(text[: found.start()] + found.expand(mistake.wrong) + text[found.end() :], encoding="utf-8")
        line = text.count("\n", 0, found.start()) + 1
        places[(f"{mistake.file}/types.go", line)] = mistake
    assert len(places) == len(MISTAKES) == 20
    told = {(str(each["file"]), int(each["line"])): each for each in findings(repository)}
    assert told.keys() == places.keys()
    for place, mistake in places.items():
        assert told[place]["code"] == mistake.code, mistake
        assert mistake.advice in str(told[place]["help"]), told[place]
