"""The audit log has the form of a real server's, and `compare` reads it."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from tests.program import run as program
from tests.server.asking import Asking
from validation_gen.apiserver.application import Application
from validation_gen.apiserver.audit import AuditLog
from validation_gen.apiserver.storage.sqlite import SqliteStore
from validation_gen.commands.apiserver.kinds import find_definitions
from validation_gen.compiler.pipeline import Settings
from validation_gen.diagnostics import Diagnostics

_TYPES = """// +groupName=example.com
// +k8s:validation-gen=TypesWithField=TypeMeta

// Package v1 has kites.
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Kite flies.
type Kite struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec KiteSpec `json:"spec"`
}

// KiteList is a list of kites.
type KiteList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Kite `json:"items"`
}

// KiteSpec describes it.
type KiteSpec struct {
	// +k8s:minimum=1
	Line int32 `json:"line"`
}
"""
#: Knows the minimum, and forbids long lines.
_HANDWRITTEN = """
def validate(obj, old=None):
    line = obj["spec"]["line"]
    if line < 1:
        return [{"field": "spec.line", "type": "FieldValueInvalid", "origin": "minimum", "detail": "short"}]
    if line > 100:
        return [{"field": "spec.line", "type": "FieldValueInvalid", "origin": "maximum", "detail": "long"}]
    return []
"""
_KITES = "/apis/example.com/v1/namespaces/a/kites"
_PROBLEMS: list[OSError] = []
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")


def _kite(name: str, line: int, **meta: Any) -> dict[str, Any]:
    return {
        "apiVersion": "example.com/v1",
        "kind": "Kite",
        "metadata": {"name": name, **meta},
        "spec": {"line": line},
    }


@pytest.fixture
def here(tmp_path: Path) -> Path:
    folder = tmp_path / "v1"
    folder.mkdir()
    (folder / "types.go").write_text(_TYPES, encoding="utf-8")
    (tmp_path / "go.mod").write_text("module example.com/kites\n", encoding="utf-8")
    (tmp_path / "checks.py").write_text(_HANDWRITTEN, encoding="utf-8")
    return tmp_path


async def _serve(here: Path, requests: list[tuple[Any, ...]]) -> list[int]:
    _PROBLEMS.clear()
    diagnostics = Diagnostics()
    definitions = find_definitions([str(here / "v1")], Settings(paths=()), diagnostics)
    assert definitions
    app = Application(SqliteStore(), audit=AuditLog(here / "audit.log", _PROBLEMS.append), collects_after=0.0)
    await app.start()
    try:
        await app.add(definitions)
        asking, codes = Asking(app), []
        await asking.settle()
        for request in requests:
            answer = await asking.ask(*request)
            codes.append(answer.status)
            await asking.settle()
        return codes
    finally:
        await app.close()


def _log(here: Path, *requests: tuple[Any, ...]) -> tuple[list[int], list[dict[str, Any]]]:
    """Returns the codes of answers, and the events of requests of clients about other objects than definitions."""
    codes = asyncio.run(_serve(here, list(requests)))
    lines = (here / "audit.log").read_text(encoding="utf-8").splitlines()
    events = [json.loads(line) for line in lines]
    of_clients = [event for event in events if event["user"]["username"] == "kubernetes-admin"]
    return codes, [each for each in of_clients if each["objectRef"]["resource"] != "customresourcedefinitions"]


_MERGE = {"content-type": "application/merge-patch+json"}
_WRITES = (
    ("POST", _KITES, _kite("right", 5)),
    ("POST", _KITES, _kite("wrong", 0)),
    ("PATCH", f"{_KITES}/right", {"spec": {"line": 500}}, _MERGE),
    ("PATCH", f"{_KITES}/right", {"spec": {"line": 0}}, _MERGE),
    ("GET", f"{_KITES}/right"),
    ("GET", _KITES),
    ("DELETE", f"{_KITES}/right"),
    ("DELETE", f"{_KITES}/right"),
)


def test_compare_reads_what_the_server_has_logged(here: Path) -> None:
    codes, events = _log(here, *_WRITES)
    assert codes == [201, 422, 200, 422, 200, 200, 200, 404]
    assert [event["responseStatus"]["code"] for event in events] == codes
    words = ["compare", "v1", "--handwritten", "python:checks.py:validate", "-f", "audit.log", "--format", "concise"]
    ran = program([*words, "--trust"], b"", here, dict(os.environ), together=True)
    text = ran.stdout.decode()
    # A create, a refused one, and a patch that the handwritten side would refuse.
    assert "3 requests compared" in text, text
    assert "1 mismatch in 1 group" in text, text
    assert "rule missing: 1 x example.com/v1/Kite, update, spec.line: FieldValueInvalid (maximum)" in text, text


def test_events_have_the_form_of_a_real_server(here: Path) -> None:
    _, events = _log(here, *_WRITES, ("PUT", f"{_KITES}/none?dryRun=All", _kite("none", 1)))
    create, refused, patch, _, get, listed, deleted, gone, update = events
    assert list(create) == [
        *("kind", "apiVersion", "level", "auditID", "stage", "requestURI", "verb", "user", "sourceIPs", "userAgent"),
        *("objectRef", "responseStatus", "requestObject", "responseObject"),
        *("requestReceivedTimestamp", "stageTimestamp"),
    ]
    assert (create["stage"], create["verb"], create["requestURI"]) == ("ResponseComplete", "create", _KITES)
    assert create["user"]["groups"] == ["system:masters", "system:authenticated"]
    assert create["objectRef"] == {
        "resource": "kites",
        "namespace": "a",
        "name": "right",
        "apiGroup": "example.com",
        "apiVersion": "v1",
    }
    assert create["responseStatus"] == {"metadata": {}, "code": 201}
    assert create["requestObject"] == _kite("right", 5)
    assert create["responseObject"]["metadata"]["resourceVersion"]
    assert _TIME.fullmatch(create["requestReceivedTimestamp"])
    assert create["requestReceivedTimestamp"] <= create["stageTimestamp"]
    assert refused["responseStatus"]["reason"] == "Invalid"
    assert refused["responseStatus"]["details"]["kind"] == "Kite"
    assert patch["requestObject"] == {"spec": {"line": 500}}
    assert get["responseObject"]["spec"] == {"line": 500}
    assert (listed["level"], "responseObject" in listed) == ("Metadata", False)
    assert deleted["responseStatus"]["status"] == "Success"
    assert gone["responseStatus"]["reason"] == "NotFound"
    assert (update["verb"], update["requestURI"]) == ("update", f"{_KITES}/none?dryRun=All")
    assert len({event["auditID"] for event in events}) == len(events)


def test_secrets_are_left_out(here: Path) -> None:
    secrets, text = "/api/v1/namespaces/a/secrets", "b3BlbiBzZXNhbWU="
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}, "data": {"word": text}}
    _log(
        here,
        ("POST", secrets, secret),
        ("GET", f"{secrets}/s"),
        ("PATCH", f"{secrets}/s", {"data": {"word": text}}, _MERGE),
        ("POST", secrets, {**secret, "data": text}),
        ("GET", secrets),
    )
    assert text not in (here / "audit.log").read_text(encoding="utf-8")


def test_protobuf_is_logged_as_json(here: Path) -> None:
    def part(number: int, content: bytes) -> bytes:
        return bytes([number << 3 | 2, len(content)]) + content

    content = part(1, part(1, b"a")) + part(2, part(1, b"k") + part(2, b"x"))
    body = b"k8s\0" + part(1, part(1, b"v1") + part(2, b"ConfigMap")) + part(2, content)
    headers = {"content-type": "application/vnd.kubernetes.protobuf"}
    codes, [event] = _log(here, ("POST", "/api/v1/namespaces/a/configmaps", body, headers))
    assert codes == [201]
    assert (event["requestObject"]["kind"], event["requestObject"]["data"]) == ("ConfigMap", {"k": "x"})
    assert event["objectRef"]["name"] == "a"


def test_requests_of_the_collector_are_logged(here: Path) -> None:
    missing = {"apiVersion": "example.com/v1", "kind": "Kite", "name": "gone", "uid": "u-u-i-d"}
    codes, _ = _log(here, ("POST", _KITES, _kite("child", 1, ownerReferences=[missing])), ("GET", _KITES))
    assert codes == [201, 200]
    events = [json.loads(line) for line in (here / "audit.log").read_text(encoding="utf-8").splitlines()]
    [found] = [event for event in events if event["verb"] == "delete"]
    assert found["user"]["username"] == "system:serviceaccount:kube-system:generic-garbage-collector"
    assert (found["objectRef"]["name"], found["requestURI"]) == ("child", f"{_KITES}/child")


def test_a_full_disk_fails_no_request(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(log: AuditLog, line: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(AuditLog, "_write", full)
    codes, events = _log(here, *_WRITES[:2])
    assert (codes, events) == ([201, 422], [])
    assert len(_PROBLEMS) == 1


def test_a_bad_body_is_not_logged(here: Path) -> None:
    _, events = _log(here, ("POST", _KITES, "{", {"content-type": "application/json"}), ("POST", _KITES, "[]"))
    assert [event["responseStatus"]["code"] for event in events] == [400, 400]
    assert not any("requestObject" in event for event in events)


def test_a_full_disk_leaves_whole_lines(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = AuditLog(here / "audit.log", _PROBLEMS.append)
    log._write(b'{"first": 1}\n')
    write, room = os.write, [4]

    def full(file: int, data: bytes) -> int:
        if not room[0]:
            raise OSError(errno.ENOSPC, "No space left on device")
        written = write(file, data[: room[0]])
        room[0] -= written
        return written

    with monkeypatch.context() as patched:
        patched.setattr(os, "write", full)
        for _ in range(2):
            with pytest.raises(OSError, match="No space"):
                log._write(b'{"second": 2}\n')
    log._write(b'{"third": 3}\n')
    log.close()
    assert (here / "audit.log").read_text(encoding="utf-8") == '{"first": 1}\n{"third": 3}\n'
    assert (here / "audit.log").stat().st_mode & 0o077 == 0
