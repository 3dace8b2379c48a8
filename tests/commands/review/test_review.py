"""The command `webhook review` against a webhook that answers, and against one that answers anything."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import trustme

from tests.cli.conftest import Program
from tests.commands.serve.serving import Certificates, served
from validation_gen.commands.serve.tls import Files
from validation_gen.runtime.errors import ErrorType, FieldError
from validation_gen.webhooks import Answer, Request, Validating, Verdict, Webhook

THINGS = """\
apiVersion: example.com/v1
kind: Thing
metadata: {name: good, namespace: default}
spec: {size: 1}
---
apiVersion: example.com/v1
kind: Thing
metadata: {name: bad}
spec: {size: 2}
---
apiVersion: example.com/v1
kind: Thing
metadata: {name: worse}
spec: {size: 3}
"""


class Anything(Validating):
    """Answers what a test wants, in the place of a response."""

    def __init__(self) -> None:
        super().__init__(lambda request: Verdict())
        self.asked: list[Any] = []
        self.response: Callable[[Any], Any] = lambda uid: {"uid": uid, "allowed": True}
        self.kind = "AdmissionReview"

    def read(self, body: bytes) -> Any:
        found = json.loads(body)
        self.asked.append(found)
        return found

    async def answer(self, asked: Any) -> Answer:
        response = self.response(asked["request"]["uid"])
        return Answer({"apiVersion": "admission.k8s.io/v1", "kind": self.kind, "response": response})


def _judge(request: Request) -> Verdict:
    size = request.object["spec"]["size"]
    errors = [FieldError(ErrorType.INVALID, size, f"must be less than {size}", "maximum", ".size", ".spec")] * (
        size - 1
    )
    return Verdict(errors, ["size goes away"] if size == 1 else [])


@pytest.fixture(scope="module")
def anything() -> Anything:
    return Anything()


@pytest.fixture(scope="module")
def webhook(tmp_path_factory: pytest.TempPathFactory, anything: Anything) -> Iterator[list[str]]:
    """Options that name it."""
    directory = tmp_path_factory.mktemp("review")
    authority = trustme.CA()
    authority.cert_pem.write_to_path(directory / "ca.crt")
    files = Files(*Certificates(authority, directory).files)
    endpoints = {"/validate": Validating(_judge), "/anything": anything}
    with served(Webhook(endpoints), files) as (_, port):
        yield ["--url", f"https://127.0.0.1:{port}", "--ca", str(directory / "ca.crt")]


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return Program(tmp_path)


@pytest.fixture
def things(tmp_path: Path) -> str:
    file = tmp_path / "things.yaml"
    file.write_text(THINGS)
    return str(file)


def test_verdicts(program: Program, webhook: list[str], things: str) -> None:
    done = program("webhook", "review", "-f", things, *webhook)
    assert done.code == 1
    assert done.out == "thing.example.com/good allowed\n"
    assert done.err.replace(things, "things.yaml").splitlines() == [
        "Warning: size goes away",
        'things.yaml:6: The Thing "bad" is invalid: spec.size: Invalid value: 2: must be less than 2',
        'things.yaml:11: The Thing "worse" is invalid:',
        "* spec.size: Invalid value: 3: must be less than 3",
        "* spec.size: Invalid value: 3: must be less than 3",
    ]


def test_what_is_asked(program: Program, webhook: list[str], anything: Anything, things: str, tmp_path: Path) -> None:
    old = tmp_path / "old.yaml"
    old.write_text(THINGS.partition("---")[0].replace("size: 1", "size: 7"))
    anything.asked.clear()
    args = ["webhook", "review", "-f", things, *webhook, "--path", "/anything"]
    more = ["--old", str(old), "--user", "eve", "--group", "ops", "--subresource", "status", "--no-dry-run"]
    assert program(*args, *more).code == 0
    first, second, _ = (each["request"] for each in anything.asked)
    assert first["operation"] == "UPDATE"
    assert first["oldObject"]["spec"] == {"size": 7}
    assert first["subResource"] == first["requestSubResource"] == "status"
    assert first["userInfo"] == {"username": "eve", "groups": ["ops", "system:authenticated"]}
    assert first["dryRun"] is False
    assert first["resource"] == {"group": "example.com", "version": "v1", "resource": "things"}
    assert (first["name"], first["namespace"]) == ("good", "default")
    assert (second["operation"], second["oldObject"]) == ("CREATE", None)
    anything.asked.clear()
    assert program(*args, "--operation", "delete").code == 0
    request = anything.asked[0]["request"]
    assert (request["operation"], request["object"], request["dryRun"]) == ("DELETE", None, True)
    assert request["oldObject"]["metadata"]["name"] == "good"


def _patch(*changes: Any) -> Callable[[Any], Any]:
    text = base64.b64encode(json.dumps(changes).encode()).decode()
    return lambda uid: {"uid": uid, "allowed": True, "patchType": "JSONPatch", "patch": text}


def test_changes(program: Program, webhook: list[str], anything: Anything, tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    file.write_text(THINGS.partition("---")[0])
    anything.response = _patch(
        {"op": "add", "path": "/spec/color", "value": "red"}, {"op": "remove", "path": "/spec/size"}
    )
    args = ["webhook", "review", "-f", str(file), *webhook, "--path", "/anything"]
    wanted = 'thing.example.com/good allowed, with changes\n  add /spec/color: "red"\n  remove /spec/size\n'
    assert program(*args).out == wanted
    assert program(*args, "-o", "yaml").out == (
        "apiVersion: example.com/v1\nkind: Thing\nmetadata:\n  name: good\n  namespace: default\nspec:\n  color: red\n"
    )
    assert program(*args, "-o", "name").out == "thing.example.com/good\n"


def test_conversions(program: Program, webhook: list[str], anything: Anything, things: str) -> None:
    anything.kind = "ConversionReview"
    anything.asked.clear()

    def converted(uid: Any) -> Any:
        objects = [{**each, "apiVersion": "example.com/v2"} for each in anything.asked[-1]["request"]["objects"]]
        return {"uid": uid, "result": {"status": "Success"}, "convertedObjects": objects}

    args = ["webhook", "review", "-f", things, *webhook, "--path", "/anything", "--to", "v2"]
    try:
        anything.response = converted
        done = program(*args)
        assert (done.code, done.err) == (0, "")
        assert done.out.splitlines()[0] == "thing.example.com/good converted to example.com/v2"
        assert len(anything.asked) == 1
        assert anything.asked[0]["request"]["desiredAPIVersion"] == "example.com/v2"
        anything.response = lambda uid: {"uid": uid, "result": {"status": "Failed", "message": "no way"}}
        done = program(*args)
        assert (done.code, done.err.count("denied the request: no way")) == (1, 3)
        anything.response = lambda uid: {"uid": uid, "result": {"status": "Success"}, "convertedObjects": [{}]}
        done = program(*args)
        assert (done.code, done.err.count("3 objects were sent, and 1 came back")) == (2, 3)
    finally:
        anything.kind = "AdmissionReview"


@pytest.mark.parametrize(
    ("response", "said"),
    [
        (lambda uid: None, "the answer is no AdmissionReview with a response"),
        (lambda uid: {"uid": "other", "allowed": True}, "the answer is to another uid ('other')"),
        (lambda uid: {"uid": uid, "allowed": "yes"}, "response.allowed is neither true nor false"),
        (lambda uid: {"uid": uid, "allowed": True, "patch": "e30="}, "response.patchType is None"),
        (lambda uid: {"uid": uid, "allowed": True, "patchType": "JSONPatch", "patch": "*"}, "is not JSON in base64"),
        (
            lambda uid: {"uid": uid, "allowed": True, "patchType": "JSONPatch", "patch": "e30="},
            "response.patch is not a list",
        ),
        (_patch({"op": "remove", "path": "/none"}), "the patch cannot be applied"),
        (_patch(7), "the patch cannot be applied"),
        (_patch({"op": "copy", "path": "/a"}), "the patch cannot be applied"),
        (
            _patch(
                {"op": "add", "path": "/a", "value": ["x" * 1000]},
                *[{"op": "copy", "from": "/a", "path": "/a/0"} for _ in range(40)],
            ),
            "the patch copies more than 3145728 bytes",
        ),
        (_patch(*[{"op": "test", "path": "/kind", "value": "Thing"}] * 10_001), "the patch has 10001 changes"),
        (
            lambda uid: {"uid": uid, "allowed": False, "status": {"message": "a\nb\x1b[2J", "reason": "No"}},
            "(No): webhook",
        ),
        (lambda uid: {"uid": uid, "allowed": False, "status": 7}, "denied the request: without explanation"),
        (
            lambda uid: {"uid": uid, "allowed": False, "status": {"details": {"causes": [1]}, "reason": "Invalid"}},
            "is invalid",
        ),
    ],
)
def test_odd_answers(
    program: Program, webhook: list[str], anything: Anything, tmp_path: Path, response: Any, said: str
) -> None:
    file = tmp_path / "a.yaml"
    file.write_text(THINGS.partition("---")[0])
    anything.response = response
    done = program("webhook", "review", "-f", str(file), *webhook, "--path", "/anything")
    assert done.code in (1, 2)
    assert said in done.err
    assert "\x1b" not in done.err
    assert done.err.count("\n") == 1
    assert len(done.err) < 1500


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--url", "127.0.0.1:9443"], "is no URL such as https://127.0.0.1:9443"),
        (["--url", "https://[x"], "is no URL"),
        (["--url", "https://example.com", "--insecure"], "--insecure is for this machine"),
        (["--ca", "a", "--insecure"], "it is the opposite of --ca"),
        (["--ca", "none.crt"], "the certificates cannot be used"),
        (["--client-key", "a"], "it needs --client-cert"),
        (["--url", "https://127.0.0.1:1"], "cannot be reached"),
        (["--operation", "PATCH"], "PATCH"),
    ],
)
def test_what_cannot_be_asked(program: Program, things: str, args: list[str], said: str) -> None:
    done = program("webhook", "review", "-f", things, *args)
    assert done.code == 2
    assert said in " ".join(done.err.replace("│", " ").split())


def test_what_is_not_there_is_told(program: Program, webhook: list[str], things: str) -> None:
    done = program("webhook", "review", "-f", things, *webhook, "--path", "/validates")
    assert (done.code, done.err.count("the answer has the status 404: nothing is at /validates; there is ")) == (2, 3)


def test_nobody_is_trusted_without_reason(program: Program, webhook: list[str], things: str) -> None:
    done = program("webhook", "review", "-f", things, *webhook[:2])
    assert done.code == 2
    assert "CERTIFICATE_VERIFY_FAILED" in done.err
    done = program("webhook", "review", "-f", things, *webhook[:2], "--insecure")
    assert (done.code, "Warning: Unverified" in done.err) == (1, False)


def test_a_path_of_the_url_counts(program: Program, webhook: list[str], anything: Anything, things: str) -> None:
    anything.response = lambda uid: {"uid": uid, "allowed": True}
    done = program("webhook", "review", "-f", things, "--url", f"{webhook[1]}/anything", *webhook[2:])
    assert done.code == 0
