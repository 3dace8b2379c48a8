"""Answers of `webhook serve` beside those of validators: files with functions, gates and handwritten validators."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Program, definition
from tests.webhooks.asking import answer, patch, response
from validation_gen.cli.loading import load
from validation_gen.cli.option_schema import sections
from validation_gen.cli.serve_handlers import Beside
from validation_gen.commands.definitions import split
from validation_gen.compiler.config import named, read_config
from validation_gen.diagnostics import Diagnostics
from validation_gen.mismatch.metrics import exposition
from validation_gen.webhooks import Endpoint

OWN = """\
from validation_gen.runtime.errors import FieldError
from validation_gen.webhooks import Warned, mutates, validates


@validates("Thing", group="example.com")
def is_free(request):
    if request.object["spec"].get("name") == "taken":
        yield FieldError.invalid("spec.name", "taken", "is taken")


@mutates("Thing", operations=["CREATE"])
async def paint(request):
    request.object["spec"].setdefault("color", "grey")
"""
MOVES = """\
from validation_gen.webhooks.conversions import Conversion, Move

thing = Conversion("v1", "v2", kind="Thing", moves=[Move("spec.name", "spec.title")])
"""
HAND = """\
from validation_gen.mismatch import FieldError


def validate(obj, old=None):
    name = obj["spec"].get("name", "")
    return [FieldError.invalid("spec.name", name, "by hand")] if name == "hand" else []
"""

Answers = Callable[..., dict[str, Endpoint[Any]]]


@pytest.fixture
def answers(project: Program, monkeypatch: pytest.MonkeyPatch) -> Iterator[Answers]:
    """What answers at which path, for arguments of the command."""
    import sys  # noqa: PLC0415 - what was imported is forgotten

    from validation_gen.cli.options import Sources  # noqa: PLC0415 - late, as in commands

    project.write({"own.py": OWN, "hand.py": HAND, "moves.py": MOVES})
    known = set(sys.modules)

    def make(*paths: str, told: Callable[[str], None] = print, **beside: Any) -> dict[str, Endpoint[Any]]:
        definitions, types = split(paths or ("apis",))
        chosen = Sources().settings(types).with_definitions(definitions, types)
        result, registry = load(chosen)
        options = dict.fromkeys(result.program.options, False)
        return Beside(**beside).endpoints(result, registry, chosen, options, told)

    yield make
    for name in set(sys.modules) - known:
        if str(project.directory) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


def thing(**spec: Any) -> dict[str, Any]:
    return {"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": "a"}, "spec": spec}


def test_functions_of_a_file_are_asked(answers: Answers) -> None:
    found = answers(with_files=["own.py"])
    assert sorted(found) == ["/mutate", "/validate"]
    assert response(found["/validate"], thing(name="free"))["allowed"]
    assert response(found["/validate"], thing(name="taken"))["status"]["code"] == 422
    assert response(found["/validate"], thing(name="too long"))["status"]["code"] == 422
    assert patch(response(found["/mutate"], thing(name="a"))) == [{"op": "add", "path": "/spec/color", "value": "grey"}]
    assert sorted(answers()) == ["/validate"]


def test_conversions_of_a_file_are_made(answers: Answers) -> None:
    found = answers(with_files=["moves.py", "own.py"])
    assert sorted(found) == ["/convert", "/mutate", "/validate"]
    asked = {"uid": "1", "desiredAPIVersion": "example.com/v2", "objects": [thing(name="a")]}
    review = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview", "request": asked}
    said = answer(found["/convert"], json.dumps(review).encode()).review["response"]
    assert (said["uid"], said["result"]) == ("1", {"status": "Success"})
    assert said["convertedObjects"] == [{**thing(title="a"), "apiVersion": "example.com/v2"}]


def test_gates_of_a_file_hold(answers: Answers, tmp_path: Path) -> None:
    (tmp_path / "gates.yaml").write_text("levels: {standard: warn}\n", encoding="utf-8")
    found = response(answers(gates="gates.yaml")["/validate"], thing(name="too long"))
    assert (found["allowed"], len(found["warnings"])) == (True, 1)


def test_handwritten_validators_run_beside(answers: Answers) -> None:
    for name in ("hand.py:validate", "python:hand:validate"):
        endpoint = answers(handwritten=name)["/validate"]
        assert "by hand" in response(endpoint, thing(name="hand"))["status"]["message"]
        assert "Too long" in response(endpoint, thing(name="too long"))["status"]["message"]
        assert response(endpoint, thing(name="fine"))["allowed"]
    text = exposition()[0].decode()
    assert "thing_create" in text  # both sides are counted


def test_defaults_and_scales_of_definitions(answers: Answers, project: Program) -> None:
    made = json.loads(definition(5))
    version = made["spec"]["versions"][0]
    version["schema"]["openAPIV3Schema"]["properties"] = {
        "spec": {"type": "object", "properties": {"size": {"type": "integer", "default": 3, "maximum": 9}}}
    }
    project.write({"crd.yaml": json.dumps(made)})
    found = answers("crd.yaml")
    assert patch(response(found["/mutate"], thing())) == [{"op": "add", "path": "/spec/size", "value": 3}]
    assert response(found["/validate"], thing(size=10))["allowed"] is False


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--with", "nowhere.py"], "there is no file nowhere.py"),
        (["--with", "onw.py"], "did you mean own.py?"),
        (["--with", "own.txt"], "own.txt is no Python file; name a file that ends in .py"),
        (["--with", "hand.py"], "hand declares nothing; put @validates(…) or @mutates(…) above a function"),
        (["--with", "broken.py"], "broken.py cannot be imported: ZeroDivisionError: division by zero (broken.py:1)"),
        (["--with", "wrong.py"], "there is no operation 'SAVE'"),
        (["--with", "moves.py", "--with", "again.py"], "is declared twice; leave one of them out"),
        (["--handwritten", "exec:./judge"], "a webhook runs functions alone"),
        (["--handwritten", "hand:validat"], "there is no validat in hand; did you mean validate?"),
        (["--gates", "gates.yaml"], "there is no level alfa --> gates.yaml:1:16"),
        (["--gates", "nowhere.yaml"], "cannot read: No such file or directory"),
    ],
)
def test_what_cannot_be_had_ends_it(project: Program, args: list[str], said: str) -> None:
    project.write(
        {
            "own.py": OWN,
            "hand.py": HAND,
            "moves.py": MOVES,
            "again.py": MOVES,
            "broken.py": "1 / 0\n",
            "wrong.py": 'from validation_gen.webhooks import validates\n\n\n@validates("A", operations=["SAVE"])\n'
            "def check(request): ...\n",
            "gates.yaml": "levels: {alfa: warn}\n",
        }
    )
    done = project("webhook", "serve", "apis", "--self-signed", "--port", "0", *args)
    assert done.code == 2
    assert said in " ".join(done.err.replace("│", " ").split())


@pytest.mark.parametrize("key", ['with = ["own.py"]', 'handwritten = "own.py:agrees"', 'handwritten = "own:agrees"'])
def test_code_that_only_the_project_names_is_not_run(project: Program, key: str) -> None:
    trace = project.directory / "trace"
    own = f"from pathlib import Path\n\nPath({str(trace)!r}).touch()\n\n\ndef agrees(obj, old=None):\n    return []\n"
    project.write({"own.py": own, "validation-gen.toml": f'inputs = ["apis"]\n\n[serve]\n{key}\n'})
    done = project("webhook", "serve", "--self-signed", "--port", "0", XDG_CONFIG_HOME=str(project.directory / "home"))
    assert (done.code, trace.exists()) == (2, False)
    assert "was not run, as only the project's configuration names it" in done.err
    # Trust is in all that would be run, as it is now.
    code = named.code(read_config(project.directory, Diagnostics(), sections()), str(project.directory))
    assert [each.files for each in code] == [(str((project.directory / "own.py").resolve()),)]


def test_the_certificate_of_a_try_can_be_written(project: Program) -> None:
    done = project("webhook", "serve", "apis", "--write-ca", "ca.crt", "--tls-cert", "a", "--tls-key", "b")
    assert (done.code, "it writes the certificate of --self-signed; add that" in done.err) == (2, True)
    done = project("webhook", "serve", "apis", "--self-signed", "--write-ca", "nowhere/ca.crt", "--port", "0")
    told = "error: the certificate cannot be written to nowhere/ca.crt: No such file or directory\n"
    assert (done.code, told in done.err) == (2, True)
